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

bool encode_can_print(diag *d, bool hex)
{
    if (hex || !file_is_terminal(stdout))
        return true;
    message *m = diag_error(d, (span){0}, "standard output is a terminal, and the bytes are not text");
    diag_help(d, m, "--hex prints them as hexadecimal digits; > FILE saves them");
    return false;
}

void encode_print(const uint8_t *data, size_t size, bool hex)
{
    if (hex)
        put_hex(data, size);
    else
        fwrite(data, 1, size, stdout);
}

/* The bytes of the value, or the values, in the text. NULL after an error. */
static const uint8_t *bytes_of(codec_io *io, const uint8_t *text, size_t text_size, size_t *size)
{
    datum v;
    codec_part *parts;
    codec_error error;
    const uint8_t *data;
    if (io->parts) {
        if (!codec_io_json_parts(io, text, text_size, &parts))
            return NULL;
        data = codec_write_stream(io->arena, io->schema, parts, &io->how, size, &error);
    } else {
        if (!codec_io_json(io, text, text_size, &v))
            return NULL;
        data = codec_write(io->arena, io->schema, io->decl, &v, &io->how, size, &error);
    }
    if (!data)
        codec_io_refused(io, "cannot be written", &error);
    return data;
}

/* With --bits the bytes are listed as a reader sees them. */
static void encode_json(codec_io *io, const uint8_t *text, size_t text_size)
{
    size_t size;
    const uint8_t *data = bytes_of(io, text, text_size, &size);
    if (!data)
        return;
    if (io->request->bits)
        decode_bytes(io, data, size);
    else
        encode_print(data, size, io->request->hex);
}

void encode(arena *a, diag *d, const schema *s, const codec_request *request)
{
    codec_io io;
    size_t size;
    if (!codec_io_reads_json(d, "encode") || !codec_io_open(&io, a, d, s, request))
        return;
    if (!encode_can_print(d, request->hex || request->bits))
        return;
    const uint8_t *text = codec_io_input(&io, "JSON", &size);
    if (text)
        encode_json(&io, text, size);
}
