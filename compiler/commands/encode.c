/* encode.c - pktc encode: see encode.h.
 * SPDX-License-Identifier: MIT
 */
#include "commands/encode.h"
#include "base/files.h"
#include "commands/decode.h"

static void put_hex(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        printf("%02x", data[i]);
    putchar('\n');
}

/* With --bits the bytes are listed as a reader sees them. */
static void encode_json(codec_io *io, const uint8_t *text, size_t text_size)
{
    datum v;
    codec_error error;
    size_t size;
    if (!codec_io_json(io, text, text_size, codec_io_input_name(io), &v))
        return;
    const uint8_t *data = codec_write(io->arena, io->schema, io->decl, &v, &io->how, &size, &error);
    if (!data)
        codec_io_refused(io, "cannot be written", &error);
    else if (io->request->bits)
        decode_bytes(io, data, size);
    else if (io->request->hex)
        put_hex(data, size);
    else
        fwrite(data, 1, size, stdout);
}

void encode(arena *a, diag *d, const schema *s, const codec_request *request)
{
    codec_io io;
    size_t size;
    if (!codec_io_reads_json(d, "encode") || !codec_io_open(&io, a, d, s, request))
        return;
    if (!request->hex && !request->bits && file_is_terminal(stdout)) {
        message *m = diag_error(d, (span){0}, "standard output is a terminal, and the bytes are not text");
        diag_help(d, m, "--hex prints them as hexadecimal digits; > FILE saves them");
        return;
    }
    const uint8_t *text = codec_io_input(&io, "JSON", &size);
    if (text)
        encode_json(&io, text, size);
}
