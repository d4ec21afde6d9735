/* codec_io.c - see codec_io.h.
 * SPDX-License-Identifier: MIT
 */
#include "commands/codec_io.h"
#include "codec/codec_json.h"
#include "base/files.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

bool codec_io_reads_json(diag *d, const char *what)
{
    if (json_can_read())
        return true;
    diag_error(d, (span){0}, "this pktc was built without jansson, which %s needs", what);
    return false;
}

static const decl *find_type(codec_io *io)
{
    suggestion nearest = {.wanted = io->request->type};
    for (const decl *d = io->schema->decls; d; d = d->next) {
        if (d->kind != DECL_STRUCT && d->kind != DECL_UNION)
            continue;
        if (strcmp(d->name, io->request->type) == 0)
            return d;
        suggest(&nearest, d->name);
    }
    message *m = diag_error(io->diag, (span){0}, "there is no struct, packet or union '%s'", io->request->type);
    if (nearest.best)
        diag_help(io->diag, m, "did you mean '%s'?", nearest.best);
    return NULL;
}

static uint8_t *read_all(codec_io *io, FILE *from, const char *name, size_t *size)
{
    size_t room = 1 << 16, got;
    uint8_t *bytes = arena_alloc(io->arena, room);
    *size = 0;
    while ((got = fread(bytes + *size, 1, room - *size, from)) > 0) {
        *size += got;
        if (*size == room) {
            bytes = arena_grow(io->arena, bytes, room, 2 * room);
            room *= 2;
        }
    }
    if (!ferror(from))
        return bytes;
    diag_error(io->diag, (span){0}, "cannot read %s: %s", name, strerror(errno));
    return NULL;
}

static uint8_t *read_file(codec_io *io, const char *name, size_t *size)
{
    FILE *from = fopen(name, "rb");
    if (!from) {
        diag_error(io->diag, (span){0}, "cannot read '%s': %s", name, strerror(errno));
        return NULL;
    }
    uint8_t *bytes = read_all(io, from, arena_printf(io->arena, "'%s'", name), size);
    fclose(from);
    return bytes;
}

bool codec_io_json(codec_io *io, const uint8_t *text, size_t size, const char *name, datum *v)
{
    const char *problem;
    if (json_read(io->arena, io->decl, (const char *)text, size, v, &problem))
        return true;
    diag_error(io->diag, (span){0}, "%s: %s", name, problem);
    return false;
}

static bool is_null(const uint8_t *text, size_t size)
{
    while (size > 0 && strchr(" \t\r\n", text[size - 1]))
        size--;
    return size == 4 && memcmp(text, "null", 4) == 0;
}

/* Reads the baseline; if the file says `null`, there is none. */
static bool read_base(codec_io *io)
{
    const char *name = io->request->base;
    if (!name)
        return true;
    if (!codec_io_reads_json(io->diag, "--base"))
        return false;
    if (!io->decl->delta) {
        diag_error(io->diag, (span){0}, "'%s' cannot be sent as a delta, because it is not @delta", io->decl->name);
        return false;
    }
    size_t size;
    const uint8_t *text = read_file(io, name, &size);
    io->how.delta = true;
    if (!text || is_null(text, size))
        return text != NULL;
    io->how.base = &io->base;
    return codec_io_json(io, text, size, name, &io->base);
}

bool codec_io_open(codec_io *io, arena *a, diag *d, const schema *s, const codec_request *request)
{
    *io = (codec_io){.arena = a, .diag = d, .schema = s, .request = request, .how = {.id = s->id, .room = SIZE_MAX}};
    io->decl = find_type(io);
    if (!io->decl || !read_base(io))
        return false;
    io->how.framed = io->decl->packet;
    return true;
}

const char *codec_io_input_name(const codec_io *io)
{
    return io->request->input ? io->request->input : "standard input";
}

const uint8_t *codec_io_input(codec_io *io, const char *what, size_t *size)
{
    if (io->request->input)
        return read_file(io, io->request->input, size);
    file_as_is(stdin);
    file_hint_at_terminal(what);
    return read_all(io, stdin, "standard input", size);
}

/* The field's name is printed here, because pkt_error_string would cut a long one. */
message *codec_io_refused(codec_io *io, const char *what, const codec_error *error)
{
    pkt_error nameless = {.code = error->code, .bit = error->bit};
    char text[256];
    return diag_error(io->diag, (span){0}, "%s: %s%s%s", what, error->field, *error->field ? ": " : "",
                      pkt_error_string(&nameless, text, sizeof text));
}
