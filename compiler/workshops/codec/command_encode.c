/* command_encode.c - `pktc encode`: turns JSON into the bytes of a packet, or of another struct or union.
 * SPDX-License-Identifier: MIT
 */
#include "driver/run.h"
#include "codec/command_decode.h"

/* The bytes of the value or values in the JSON text. NULL after an error. */
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
    if (io->chosen->bits)
        decode_bytes(io, data, size);
    else
        codec_io_print(io, data, size);
}

void command_encode(run *r)
{
    const options *o = r->options;
    const schema *s = load_schema(r, o->files[0]);
    codec_io io;
    size_t size;
    if (!s || !codec_io_reads_json(r->diag, "encode") || !codec_io_open(&io, r, s) ||
        !codec_io_can_print(r->diag, o->hex || io.chosen->bits))
        return;
    const uint8_t *text = codec_io_input(&io, "JSON", &size);
    if (text)
        encode_json(&io, text, size);
}
