/* codec_frame.c - whole values, packets and streams: crc, body, end check, left over data.
 * SPDX-License-Identifier: MIT
 */
#include "codec/codec_internal.h"

#include <string.h>

enum { CRC_BITS = 32, END_BITS = 32 };

/* ---- CRC-32, bit by bit */

static uint32_t crc_more(uint32_t crc, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++)
            crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
    }
    return ~crc;
}

static uint32_t crc_number(uint32_t crc, uint64_t number)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(number >> 8 * i);
    return crc_more(crc, bytes, sizeof bytes);
}

/* The crc of a packet or of a frame: over the protocol id, the name, the seed if there is one, and the data after the
 * four bytes of the crc itself. */
static uint32_t frame_crc(const char *name, const codec_options *how, const uint8_t *data, size_t size)
{
    uint32_t crc = crc_more(crc_number(0, how->id), name, strlen(name));
    if (how->seed != 0)
        crc = crc_number(crc, how->seed);
    return crc_more(crc, data + 4, size - 4);
}

static bool move_end_check(codec *c, const char *name)
{
    const char *text = name_with(c, "", name, ".end");
    uint64_t start = c->bit, v = crc_more(0, text, strlen(text)), raw = v;
    if (!c->schema->checks)
        return true;
    if (!codec_bits(c, END_BITS, &raw, start, "end check"))
        return false;
    return raw == v ? codec_done(c, start, "end check") : codec_fail(c, PKT_ERROR_CHECK, start, "end check");
}

static bool move_body(codec *c, const decl *d, const codec_options *how, datum *v)
{
    bool good = how->delta ? codec_value_delta(c, d, how->base, v) : codec_value(c, d, v);
    return good && (!how->framed || move_end_check(c, d->name));
}

/* A value of a stream. Errors name its type, not the frame. */
static bool move_part(codec *c, const codec_part *p, datum *v)
{
    const trail *frame = c->trail;
    trail whole = {.name = p->decl->name};
    c->trail = &whole;
    if (!(p->delta ? codec_value_delta(c, p->decl, p->base, v) : codec_value(c, p->decl, v)))
        return false;
    c->trail = frame;
    return true;
}

/* ---- writing */

static codec start_writing(arena *a, const schema *s, const codec_options *how, codec_error *error)
{
    uint64_t room = how->room > UINT64_MAX / 8 ? UINT64_MAX : 8 * how->room;
    *error = (codec_error){.field = ""};
    return (codec){.arena = a, .bases = bases_new(a), .schema = s, .limit = room, .error = error};
}

/* The bytes that were written. name: of a packet or frame. */
static uint8_t *written(codec *c, const char *name, const codec_options *how, size_t *size)
{
    *size = (size_t)((c->bit + 7) / 8);
    if (how->framed) {
        uint64_t crc = frame_crc(name, how, c->data, *size);
        for (unsigned i = 0; i < 4; i++)
            c->data[i] = (uint8_t)(crc >> 8 * i);
    }
    return c->data ? c->data : arena_alloc(c->arena, 0);
}

uint8_t *codec_write(arena *a, const schema *s, const decl *d, const datum *v, const codec_options *how, size_t *size,
                     codec_error *error)
{
    trail whole = {.name = d->name};
    codec c = start_writing(a, s, how, error);
    uint64_t crc = 0;
    datum copy = *v;
    c.trail = &whole;
    if (how->framed && !codec_bits(&c, CRC_BITS, &crc, 0, "crc"))
        return NULL;
    return move_body(&c, d, how, &copy) ? written(&c, d->name, how, size) : NULL;
}

uint8_t *codec_write_stream(arena *a, const schema *s, const codec_part *parts, const codec_options *how, size_t *size,
                            codec_error *error)
{
    trail frame = {.name = how->framed ? how->frame : ""};
    codec c = start_writing(a, s, how, error);
    uint64_t crc = 0;
    c.trail = &frame;
    if (how->framed && !codec_bits(&c, CRC_BITS, &crc, 0, "crc"))
        return NULL;
    for (const codec_part *p = parts; p; p = p->next) {
        datum copy = p->value;
        if (!move_part(&c, p, &copy))
            return NULL;
    }
    return !how->framed || move_end_check(&c, how->frame) ? written(&c, how->frame, how, size) : NULL;
}

/* ---- reading */

static bool move_crc(codec *c, const char *name, const codec_options *how, size_t size)
{
    uint64_t crc = 0;
    if (!codec_bits(c, CRC_BITS, &crc, 0, "crc"))
        return false;
    if (crc != frame_crc(name, how, c->data, size))
        return codec_fail(c, PKT_ERROR_CRC, 0, "crc");
    return codec_done(c, 0, "crc");
}

/* Checks that nothing is left but zero bits of the last byte. */
static bool move_rest(codec *c, bool framed)
{
    uint64_t left = c->limit - c->bit, padding = 0, start = c->bit;
    if (!framed)
        c->trail = NULL;
    if (left >= 8)
        return codec_fail(c, PKT_ERROR_TRAILING, c->bit, "");
    if (!codec_bits(c, (unsigned)left, &padding, c->bit, ""))
        return false;
    return padding == 0 || codec_fail(c, PKT_ERROR_PADDING, start, "");
}

static codec start_reading(arena *a, const schema *s, const uint8_t *data, size_t size, const codec_options *how,
                           codec_error *error)
{
    uint8_t *copy = arena_alloc(a, size);
    if (size)
        memcpy(copy, data, size);
    *error = (codec_error){.field = ""};
    return (codec){.arena = a,
                   .bases = bases_new(a),
                   .schema = s,
                   .reading = true,
                   .data = copy,
                   .limit = 8 * (uint64_t)size,
                   .trace = how->trace,
                   .user = how->user,
                   .error = error};
}

bool codec_read(arena *a, const schema *s, const decl *d, const uint8_t *data, size_t size, const codec_options *how,
                datum *v, codec_error *error)
{
    trail whole = {.name = d->name};
    codec c = start_reading(a, s, data, size, how, error);
    c.trail = &whole;
    *v = (datum){0};
    if (how->framed && !move_crc(&c, d->name, how, size))
        return false;
    return move_body(&c, d, how, v) && move_rest(&c, how->framed);
}

/* Reads the values that are expected, and adds them to the list that ends at `end`. */
static bool read_parts(codec *c, const codec_part *expected, codec_part **end)
{
    for (const codec_part *e = expected; e; e = e->next) {
        uint64_t start;
        do {
            if (e->many && c->limit - c->bit < 8)
                break;
            start = c->bit;
            codec_part *p = ARENA_NEW(c->arena, codec_part);
            if (!move_part(c, e, &p->value))
                return false;
            p->decl = e->decl;
            p->delta = e->delta;
            p->base = e->base;
            *end = p;
            end = &p->next;
        } while (e->many && c->bit > start);
    }
    return true;
}

bool codec_read_stream(arena *a, const schema *s, const codec_part *expected, const uint8_t *data, size_t size,
                       const codec_options *how, codec_part **parts, codec_error *error)
{
    trail frame = {.name = how->framed ? how->frame : ""};
    const uint64_t kept = how->framed && s->checks ? END_BITS : 0;
    codec c = start_reading(a, s, data, size, how, error);
    c.trail = &frame;
    *parts = NULL;
    if (how->framed && !move_crc(&c, how->frame, how, size))
        return false;
    if (c.limit - c.bit < kept)
        return codec_fail(&c, PKT_ERROR_END, c.bit, "end check");
    c.limit -= kept;
    if (!read_parts(&c, expected, parts))
        return false;
    c.limit += kept;
    return (!how->framed || move_end_check(&c, how->frame)) && move_rest(&c, how->framed);
}
