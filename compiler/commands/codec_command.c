/* codec_command.c - bytes to JSON, JSON to bytes, and the list of what stands at which bit.
 * SPDX-License-Identifier: MIT
 */
#include "commands/codec_command.h"
#include "codec/codec.h"
#include "codec/codec_json.h"
#include "base/files.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

typedef struct run {
    arena *arena;
    diag *diag;
    const schema *schema;
    const options *options;
    const decl *decl;
} run;

static const decl *find_type(run *r)
{
    suggestion nearest = {.wanted = r->options->type};
    for (const decl *d = r->schema->decls; d; d = d->next) {
        if (d->kind != DECL_STRUCT && d->kind != DECL_UNION)
            continue;
        if (strcmp(d->name, r->options->type) == 0)
            return d;
        suggest(&nearest, d->name);
    }
    if (nearest.best)
        diag_error(r->diag, (span){0}, "no struct, packet or union is called '%s', did you mean '%s'?",
                   r->options->type, nearest.best);
    else
        diag_error(r->diag, (span){0}, "no struct, packet or union is called '%s'", r->options->type);
    return NULL;
}

static uint8_t *read_all(run *r, FILE *from, const char *name, size_t *size)
{
    size_t room = 1 << 16, got;
    uint8_t *bytes = arena_alloc(r->arena, room);
    *size = 0;
    while ((got = fread(bytes + *size, 1, room - *size, from)) > 0) {
        *size += got;
        if (*size == room) {
            bytes = arena_grow(r->arena, bytes, room, 2 * room);
            room *= 2;
        }
    }
    if (!ferror(from))
        return bytes;
    diag_error(r->diag, (span){0}, "cannot read %s: %s", name, strerror(errno));
    return NULL;
}

static bool read_json(run *r, const uint8_t *text, size_t size, const char *name, datum *v)
{
    const char *problem;
    if (json_read(r->arena, r->decl, (const char *)text, size, v, &problem))
        return true;
    diag_error(r->diag, (span){0}, "%s: %s", name, problem);
    return false;
}

static bool is_null(const uint8_t *text, size_t size)
{
    while (size > 0 && strchr(" \t\r\n", text[size - 1]))
        size--;
    return size == 4 && memcmp(text, "null", 4) == 0;
}

/* The baseline, in v where the file has one. */
static bool read_base(run *r, codec_options *how, datum *v)
{
    const char *name = r->options->base;
    if (!name)
        return true;
    if (!r->decl->delta) {
        diag_error(r->diag, (span){0}, "%s has no deltas: it is not @delta", r->decl->name);
        return false;
    }
    FILE *from = fopen(name, "rb");
    if (!from) {
        diag_error(r->diag, (span){0}, "cannot read '%s': %s", name, strerror(errno));
        return false;
    }
    size_t size;
    const uint8_t *text = read_all(r, from, name, &size);
    fclose(from);
    how->delta = true;
    if (!text || is_null(text, size))
        return text != NULL;
    how->base = v;
    return read_json(r, text, size, name, v);
}

/* ---- the list of items */

static void list_item(void *user, const char *name, uint64_t bit, uint64_t bits, const uint8_t *data)
{
    arena *a = user;
    uint64_t raw = 0;
    char *hex = arena_alloc(a, 2 * (size_t)(bits / 8 + 1) + 1);
    for (uint64_t i = 0; i < bits; i += 8) {
        unsigned byte = 0;
        for (unsigned k = 0; k < 8 && i + k < bits; k++)
            byte |= (unsigned)(data[(bit + i + k) / 8] >> (bit + i + k) % 8 & 1) << k;
        sprintf(hex + i / 4, "%02x", byte);
        if (i < 64)
            raw |= (uint64_t)byte << i;
    }
    printf("%8" PRIu64 " %6" PRIu64 "  %-20s  %s\n", bit, bits, bits <= 64 ? arena_printf(a, "%" PRIu64, raw) : hex,
           name);
}

static void begin_list(run *r, codec_options *how)
{
    if (!r->options->bits)
        return;
    printf("%8s %6s  %-20s  %s\n", "bit", "bits", "raw", "field");
    how->trace = list_item;
    how->user = r->arena;
}

/* ---- both ways */

static void say_refused(run *r, const char *what, const codec_error *error)
{
    diag_error(r->diag, (span){0}, "%s: %s at bit %" PRIu64 "%s%s", what, pkt_code_name(error->code), error->bit,
               *error->field ? ", " : "", error->field);
}

static void decode(run *r, codec_options *how, const uint8_t *data, size_t size)
{
    datum v;
    codec_error error;
    begin_list(r, how);
    if (!codec_read(r->arena, r->schema, r->decl, data, size, how, &v, &error))
        say_refused(r, "refused", &error);
    else if (!r->options->bits)
        fputs(json_print(r->arena, r->decl, &v), stdout);
}

/* What is written is listed as a reader sees it. */
static void encode(run *r, codec_options *how, const uint8_t *text, size_t text_size)
{
    datum v;
    codec_error error;
    size_t size;
    if (!read_json(r, text, text_size, "standard input", &v))
        return;
    const uint8_t *data = codec_write(r->arena, r->schema, r->decl, &v, how, &size, &error);
    if (!data)
        say_refused(r, "cannot be written", &error);
    else if (r->options->bits)
        decode(r, how, data, size);
    else
        fwrite(data, 1, size, stdout);
}

void codec_command(arena *a, diag *d, const schema *s, const options *o)
{
    run r = {.arena = a, .diag = d, .schema = s, .options = o};
    codec_options how = {.id = s->id, .room = SIZE_MAX};
    datum base;
    size_t size;
    bool encodes = o->command == COMMAND_ENCODE;
    if ((encodes || o->base) && !json_can_read()) {
        diag_error(d, (span){0}, "this pktc was built without jansson, which %s takes", encodes ? "encode" : "--base");
        return;
    }
    r.decl = find_type(&r);
    if (!r.decl || !read_base(&r, &how, &base))
        return;
    how.framed = r.decl->packet;
    file_as_is(stdin);
    const uint8_t *input = read_all(&r, stdin, "standard input", &size);
    if (!input)
        return;
    if (encodes)
        encode(&r, &how, input, size);
    else
        decode(&r, &how, input, size);
}
