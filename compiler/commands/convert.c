/* convert.c - pktc convert: see convert.h.
 * SPDX-License-Identifier: MIT
 */
#include "commands/convert.h"
#include "record/convert_value.h"
#include "commands/decode.h"
#include "commands/encode.h"

static void warn(void *user, const char *place, const char *what)
{
    diag_warning(user, (span){0}, "%s: %s", place, what);
}

static codec_options options_of(const schema *s, const decl *d)
{
    return (codec_options){.id = s->id, .framed = d->packet, .room = SIZE_MAX};
}

/* The value in the bytes, if they are of this version. */
static bool read_then(const codec_io *io, const old_version *v, const decl *then, const uint8_t *data, size_t size,
                      datum *read, codec_error *error)
{
    const codec_options how = options_of(v->wire->schema, then);
    return codec_read(io->arena, v->wire->schema, then, data, size, &how, read, error);
}

static void write_now(codec_io *io, const old_version *v, const decl *then, const datum *from)
{
    datum to;
    codec_error error;
    size_t size;
    if (!convert_value(io->arena, v, then, io->decl, from, &to, warn, io->diag)) {
        diag_error(io->diag, (span){0}, "%s has no value in the newer schema", then->name);
        return;
    }
    const codec_options how = options_of(io->schema, io->decl);
    const uint8_t *data = codec_write(io->arena, io->schema, io->decl, &to, &how, &size, &error);
    if (data)
        encode_print(data, size, io->request->hex);
    else
        codec_io_refused(io, "cannot be written", &error);
}

/* Of which version the bytes are, by their checksum; NULL after an error, or if they are of the version now and were
 * printed. Of one version alone, it is that. */
static const old_version *version_of(codec_io *io, const upgrade *u, bool find, const uint8_t *data, size_t size,
                                     const decl **then, datum *read)
{
    codec_error error;
    const codec_options how = options_of(io->schema, io->decl);
    if (find && codec_read(io->arena, io->schema, io->decl, data, size, &how, read, &error)) {
        encode_print(data, size, io->request->hex);
        return NULL;
    }
    for (const old_version *v = u->versions; v; v = v->next) {
        *then = decl_then(&v->conversion, io->decl);
        if (!*then && find)
            continue;
        if (!*then) {
            diag_error(io->diag, (span){0}, "the older schema has no '%s'", io->decl->name);
            return NULL;
        }
        if (read_then(io, v, *then, data, size, read, &error))
            return v;
        if (!find || error.code != PKT_ERROR_CRC) {
            codec_io_refused(io, "refused", &error);
            return NULL;
        }
    }
    diag_error(io->diag, (span){0}, "refused: damaged, or a '%s' of no release in the folder", io->decl->name);
    return NULL;
}

void convert(arena *a, diag *d, const upgrade *u, bool find, const codec_request *request)
{
    codec_io io;
    size_t size;
    datum read;
    const decl *then;
    if (!codec_io_open(&io, a, d, u->now->schema, request))
        return;
    if (io.parts) {
        diag_error(d, (span){0}, "convert takes the name of one type");
        return;
    }
    if (find && !io.decl->packet) {
        message *m = diag_error(d, (span){0}, "'%s' has no checksum, because it is no packet", io.decl->name);
        diag_help(d, m, "give the schema of its version instead of a folder");
        return;
    }
    const uint8_t *data = encode_can_print(d, request->hex) ? decode_input(&io, &size) : NULL;
    const old_version *v = data ? version_of(&io, u, find, data, size, &then, &read) : NULL;
    if (v)
        write_now(&io, v, then, &read);
}
