/* codec_io.c - see codec_io.h.
 * SPDX-License-Identifier: MIT
 */
#include "commands/codec_io.h"
#include "codec/codec_json.h"
#include "base/files.h"
#include "record/stream_list.h"

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

bool codec_io_json(codec_io *io, const uint8_t *text, size_t size, datum *v)
{
    const char *problem;
    if (json_read(io->arena, io->decl, (const char *)text, size, v, &problem))
        return true;
    diag_error(io->diag, (span){0}, "%s: %s", codec_io_input_name(io), problem);
    return false;
}

bool codec_io_json_parts(codec_io *io, const uint8_t *text, size_t size, codec_part **parts)
{
    const char *problem;
    if (json_read_parts(io->arena, io->parts, (const char *)text, size, parts, &problem))
        return true;
    diag_error(io->diag, (span){0}, "%s: %s", codec_io_input_name(io), problem);
    return false;
}

static bool is_null(const uint8_t *text, size_t size)
{
    while (size > 0 && strchr(" \t\r\n", text[size - 1]))
        size--;
    return size == 4 && memcmp(text, "null", 4) == 0;
}

/* Reads a value from a file; if that says `null`, *found is NULL. False after an error. */
static bool read_value(codec_io *io, const decl *d, const char *name, datum *v, const datum **found)
{
    const char *problem;
    size_t size;
    const uint8_t *text = read_file(io, name, &size);
    *found = NULL;
    if (!text || is_null(text, size))
        return text != NULL;
    *found = v;
    if (json_read(io->arena, d, (const char *)text, size, v, &problem))
        return true;
    diag_error(io->diag, (span){0}, "%s: %s", name, problem);
    return false;
}

/* Lets the baseline go on as it has moved. False after an error. */
static bool move_base(codec_io *io, const decl *d, const datum **base, const datum **was)
{
    const codec_request *r = io->request;
    datum earlier;
    const datum *before;
    if (!d->predicts) {
        diag_error(io->diag, (span){0}, "--before: '%s' is not @delta(predict), so its baseline does not move",
                   d->name);
        return false;
    }
    if (!read_value(io, d, r->before, &earlier, &before))
        return false;
    if (*base && before) {
        io->moved = codec_predict(io->arena, d, *base, before, r->back, r->gap);
        *was = *base;
        *base = &io->moved;
    }
    return true;
}

/* Reads the baseline of a value, and what it was predicted from. False after an error. */
static bool read_base(codec_io *io, const decl *d, const datum **base, const datum **was)
{
    const codec_request *r = io->request;
    if (!codec_io_reads_json(io->diag, "--base"))
        return false;
    if (!d->delta) {
        diag_error(io->diag, (span){0}, "'%s' cannot be sent as a delta, because it is not @delta", d->name);
        return false;
    }
    return read_value(io, d, r->base, &io->base, base) && (!r->before || move_base(io, d, base, was));
}

/* ---- streams */

static bool read_list(codec_io *io)
{
    io->parts = stream_list_read(io->arena, io->diag, io->schema, io->request->type, LIST_OF_NOW);
    codec_part *delta = NULL;
    if (!io->parts)
        return false;
    for (codec_part *p = io->parts; p; p = p->next) {
        if (!p->delta || p->chained)
            continue;
        if (delta || p->many || p->count) {
            diag_error(io->diag, (span){0}, "only one value of a stream can be a delta to --base");
            return false;
        }
        delta = p;
    }
    if (!delta == !io->request->base)
        return !delta || read_base(io, delta->decl, &delta->base, &delta->was);
    if (delta)
        diag_error(io->diag, (span){0}, "'%s delta' needs --base", delta->decl->name);
    else
        diag_error(io->diag, (span){0}, "--base needs a type in the list that is followed by 'delta'");
    return false;
}

/* ---- */

/* Options that would have no effect, or that cannot be. */
static bool fits(codec_io *io)
{
    const codec_request *r = io->request;
    if (r->body && (!io->decl || !io->decl->packet))
        diag_error(io->diag, (span){0}, "--body is for packets, and '%s' is none", r->type);
    else if (r->ignore_crc && !io->how.framed)
        diag_error(io->diag, (span){0}, "--ignore-crc is for packets and frames, and '%s' has no crc", r->type);
    else if (io->how.framed && r->skip % 8 != 0)
        diag_error(io->diag, (span){0}, "--skip %" PRIu64 ": a packet or frame begins at a whole byte", r->skip);
    else
        return true;
    return false;
}

bool codec_io_open(codec_io *io, arena *a, diag *d, const schema *s, const codec_request *request)
{
    *io = (codec_io){.arena = a, .diag = d, .schema = s, .request = request, .how = {.id = s->id, .room = SIZE_MAX}};
    io->how.skip = request->skip;
    io->how.ignore_crc = request->ignore_crc;
    if (request->frame || strpbrk(request->type, ", *")) {
        io->how.framed = request->frame != NULL;
        io->how.frame = request->frame;
        io->how.seed = request->seed;
        return fits(io) && read_list(io);
    }
    io->decl = stream_list_type(io->diag, s, request->type);
    if (!io->decl)
        return false;
    io->how.framed = io->decl->packet && !request->body;
    io->how.delta = request->base != NULL;
    return fits(io) && (!request->base || read_base(io, io->decl, &io->how.base, &io->how.was));
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
