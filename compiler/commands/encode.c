/* encode.c - pktc encode: see encode.h.
 * SPDX-License-Identifier: MIT
 */
#include "commands/encode.h"
#include "commands/decode.h"

/* With --bits the bytes are listed as a reader sees them. */
static void encode_json(codec_io *io, const uint8_t *text, size_t text_size)
{
    datum v;
    codec_error error;
    size_t size;
    if (!codec_io_json(io, text, text_size, "standard input", &v))
        return;
    const uint8_t *data = codec_write(io->arena, io->schema, io->decl, &v, &io->how, &size, &error);
    if (!data)
        codec_io_refused(io, "cannot be written", &error);
    else if (io->request->bits)
        decode_bytes(io, data, size);
    else
        fwrite(data, 1, size, stdout);
}

void encode(arena *a, diag *d, const schema *s, const codec_request *request)
{
    codec_io io;
    size_t size;
    if (!codec_io_reads_json(d, "encode") || !codec_io_open(&io, a, d, s, request))
        return;
    const uint8_t *text = codec_io_input(&io, &size);
    if (text)
        encode_json(&io, text, size);
}
