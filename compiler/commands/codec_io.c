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

static const decl *find_type(diag *to, const schema *s, const char *name)
{
    suggestion nearest = {.wanted = name};
    for (const decl *d = s->decls; d; d = d->next) {
        if (d->kind != DECL_STRUCT && d->kind != DECL_UNION)
            continue;
        if (strcmp(d->name, name) == 0)
            return d;
        suggest(&nearest, d->name);
    }
    message *m = diag_error(to, (span){0}, "there is no struct, packet or union '%s'", name);
    if (nearest.best)
        diag_help(to, m, "did you mean '%s'?", nearest.best);
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

/* Reads the baseline of a value; if the file says `null`, it is NULL. False after an error. */
static bool read_base(codec_io *io, const decl *d, const datum **base)
{
    const char *name = io->request->base;
    const char *problem;
    *base = NULL;
    if (!codec_io_reads_json(io->diag, "--base"))
        return false;
    if (!d->delta) {
        diag_error(io->diag, (span){0}, "'%s' cannot be sent as a delta, because it is not @delta", d->name);
        return false;
    }
    size_t size;
    const uint8_t *text = read_file(io, name, &size);
    if (!text || is_null(text, size))
        return text != NULL;
    *base = &io->base;
    if (json_read(io->arena, d, (const char *)text, size, &io->base, &problem))
        return true;
    diag_error(io->diag, (span){0}, "%s: %s", name, problem);
    return false;
}

/* ---- streams: "Header, State delta, Event*" */

/* Whether the text from *at on begins with a word, which is skipped. */
static bool skip_word(const char **at, const char *word)
{
    const size_t size = strlen(word);
    if (strncmp(*at, word, size) != 0)
        return false;
    *at += size;
    *at += strspn(*at, " ");
    return true;
}

/* Reads one type and what follows it, up to the comma. NULL after an error. */
static codec_part *read_part(arena *a, diag *d, const schema *s, const char *list, const char **at)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    codec_part *p = ARENA_NEW(a, codec_part);
    *at += strspn(*at, " ");
    const size_t size = strspn(*at, letters);
    const char *name = arena_text(a, *at, size);
    *at += size;
    *at += strspn(*at, " ");
    p->delta = skip_word(at, "delta");
    p->many = skip_word(at, "*");
    if (size == 0 || (**at != ',' && **at != '\0')) {
        message *m = diag_error(d, (span){0}, "'%s' is not a list of types", list);
        diag_help(d, m, "a list looks like 'Header, State delta, Event*'");
        return NULL;
    }
    p->decl = find_type(d, s, name);
    return p->decl ? p : NULL;
}

codec_part *codec_io_list(arena *a, diag *d, const schema *s, const char *list)
{
    const char *at = list;
    codec_part *first = NULL, **end = &first;
    do {
        codec_part *p = read_part(a, d, s, list, &at);
        if (!p)
            return NULL;
        *end = p;
        end = &p->next;
    } while (*at++ == ',');
    return first;
}

static bool read_list(codec_io *io)
{
    codec_part *delta = NULL;
    io->parts = codec_io_list(io->arena, io->diag, io->schema, io->request->type);
    for (codec_part *p = io->parts; p; p = p->next) {
        if (p->delta && (delta || p->many)) {
            diag_error(io->diag, (span){0}, "only one value of a stream can be a delta");
            return false;
        }
        if (p->delta)
            delta = p;
    }
    if (!io->parts)
        return false;
    if (!delta == !io->request->base)
        return !delta || read_base(io, delta->decl, &delta->base);
    if (delta)
        diag_error(io->diag, (span){0}, "'%s delta' needs --base", delta->decl->name);
    else
        diag_error(io->diag, (span){0}, "--base needs a type in the list that is followed by 'delta'");
    return false;
}

/* ---- */

bool codec_io_open(codec_io *io, arena *a, diag *d, const schema *s, const codec_request *request)
{
    *io = (codec_io){.arena = a, .diag = d, .schema = s, .request = request, .how = {.id = s->id, .room = SIZE_MAX}};
    if (request->frame || strpbrk(request->type, ", *")) {
        io->how.framed = request->frame != NULL;
        io->how.frame = request->frame;
        io->how.seed = request->seed;
        return read_list(io);
    }
    io->decl = find_type(d, s, request->type);
    if (!io->decl)
        return false;
    io->how.framed = io->decl->packet;
    io->how.delta = request->base != NULL;
    return !request->base || read_base(io, io->decl, &io->how.base);
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
