/* codec_frame.c - whole values, packets and streams: crc, body, end check, left over data.
 * SPDX-License-Identifier: MIT
 */
#include "codec/codec_internal.h"

#include <string.h>

enum { CRC_BITS = 32, END_BITS = 32 };

/* ---- CRC-32, eight bytes at a time */

enum { CRC_SLICE = 8 };

/* A byte moves the crc as the first table says, and if n bytes follow it, as the table n does. */
static const uint32_t (*crc_tables(void))[256]
{
    static uint32_t tables[CRC_SLICE][256];
    for (uint32_t byte = 0; tables[0][255] == 0 && byte < 256; byte++) {
        uint32_t crc = byte;
        for (unsigned i = 0; i < 8; i++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
        tables[0][byte] = crc;
    }
    for (uint32_t byte = 0; tables[CRC_SLICE - 1][255] == 0 && byte < 256; byte++)
        for (unsigned n = 1; n < CRC_SLICE; n++)
            tables[n][byte] = tables[n - 1][byte] >> 8 ^ tables[0][tables[n - 1][byte] & 255];
    return (const uint32_t(*)[256])tables;
}

static uint32_t crc_more(uint32_t crc, const void *data, size_t size)
{
    const uint32_t(*const tables)[256] = crc_tables();
    const uint8_t *at = data, *const end = at + size;
    crc = ~crc;
    for (; end - at >= CRC_SLICE; at += CRC_SLICE) {
        crc ^= (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
        crc = tables[7][crc & 255] ^ tables[6][crc >> 8 & 255] ^ tables[5][crc >> 16 & 255] ^ tables[4][crc >> 24] ^
              tables[3][at[4]] ^ tables[2][at[5]] ^ tables[1][at[6]] ^ tables[0][at[7]];
    }
    for (; at < end; at++)
        crc = crc >> 8 ^ tables[0][(crc ^ *at) & 255];
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

static uint32_t end_check_of(const char *name)
{
    return crc_more(crc_more(0, name, strlen(name)), ".end", 4);
}

/* The options for a packet: a stable one has an id of its own. */
static codec_options options_for(const decl *d, const codec_options *how)
{
    codec_options own = *how;
    own.id = d->stable ? d->stable_id : how->id;
    return own;
}

/* packet NULL: a frame around a stream. */
static bool move_end_check(codec *c, const decl *packet, const char *name)
{
    uint64_t start = c->bit, v = end_check_of(name), raw = v;
    if (!schema_has_end(c->schema, packet))
        return true;
    if (!codec_bits(c, END_BITS, &raw, start, "end check"))
        return false;
    return raw == v ? codec_done(c, start, "end check") : codec_fail(c, PKT_ERROR_CHECK, start, "end check");
}

/* A packet whose crc has a seed is a frame: the bits of the end check are not for its body. */
static uint64_t kept_bits(const codec *c, const decl *d, const codec_options *how)
{
    return how->framed && d->seeded && c->schema->checks ? END_BITS : 0;
}

static bool move_body(codec *c, const decl *d, const codec_options *how, datum *v)
{
    const uint64_t kept = kept_bits(c, d, how);
    if (c->limit - c->bit < kept)
        return codec_fail(c, c->reading ? PKT_ERROR_END : PKT_ERROR_CAPACITY, c->bit, "end check");
    c->limit -= kept;
    c->start = how->delta ? how->started : NULL;
    bool good = how->delta ? codec_value_delta(c, d, how->base, how->was, v) : codec_value(c, d, v);
    c->limit += kept;
    return good && (!how->framed || move_end_check(c, d, d->name));
}

/* A value of a stream. Errors name its type, not the frame. */
static bool move_part(codec *c, codec_part *p, datum *v)
{
    const trail *frame = c->trail;
    trail whole = {.name = p->decl->name};
    c->trail = &whole;
    if (!codec_move_part(c, p, v))
        return false;
    c->trail = frame;
    return true;
}

/* ---- writing */

static codec start_writing(arena *a, const schema *s, const codec_options *how, codec_error *error)
{
    uint64_t room = how->room > UINT64_MAX / 8 ? UINT64_MAX : 8 * how->room;
    *error = (codec_error){.field = ""};
    return (codec){.arena = a,
                   .bases = how->bases ? how->bases : bases_new(a),
                   .schema = s,
                   .limit = room,
                   .count = how->count,
                   .user = how->user,
                   .error = error};
}

/* The written bytes. name: of a packet or frame. */
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
    codec_options seeded = options_for(d, how);
    c.trail = &whole;
    if (d->parts > 0 && !codec_find_parts(&c, how, v->record, &seeded.seed))
        return NULL;
    if (how->framed && !codec_bits(&c, CRC_BITS, &crc, 0, "crc"))
        return NULL;
    if (!move_body(&c, d, how, &copy))
        return NULL;
    if (how->bits)
        *how->bits = c.bit;
    return written(&c, d->name, &seeded, size);
}

/* Whether a value is of the same chain. */
static bool is_in_chain(const codec_part *p, const codec_part *before)
{
    return before && before->chained && before->decl == p->decl;
}

/* A baseline that is the last value, and `second` the one before that; NULL: there is none, or it does not matter. */
static void move_on_from(arena *a, const datum *second, codec_part *p)
{
    codec_move_on(a, second, 1, second != NULL, p);
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
    for (const codec_part *p = parts, *before = NULL, *second = NULL; p; second = before, before = p, p = p->next) {
        datum copy = p->value;
        codec_part link = *p;
        if (p->chained) {
            link.base = is_in_chain(p, before) ? &before->value : NULL;
            if (link.base)
                move_on_from(a, p->moves && is_in_chain(p, second) ? &second->value : NULL, &link);
        }
        if (!move_part(&c, &link, &copy))
            return NULL;
    }
    return !how->framed || move_end_check(&c, NULL, how->frame) ? written(&c, how->frame, how, size) : NULL;
}

/* ---- reading */

static bool take_crc(codec *c, uint64_t *crc)
{
    return codec_bits(c, CRC_BITS, crc, c->first, "crc");
}

/* Checks the crc, which was taken. */
static bool check_crc(codec *c, const char *name, const codec_options *how, size_t size, uint64_t crc)
{
    const uint64_t skipped = c->first / 8;
    if (!how->ignore_crc && crc != frame_crc(name, how, c->data + skipped, size - (size_t)skipped))
        return codec_fail(c, PKT_ERROR_CRC, c->first, "crc");
    return codec_done(c, c->first, "crc");
}

bool codec_has_crc(const char *name, const uint8_t *data, size_t size, const codec_options *how)
{
    uint32_t crc = 0;
    if (size < CRC_BITS / 8)
        return false;
    for (unsigned i = 0; i < CRC_BITS / 8; i++)
        crc |= (uint32_t)data[i] << 8 * i;
    return crc == frame_crc(name, how, data, size);
}

/* The end check is followed by up to 7 bits of padding. */
bool codec_has_end(const schema *s, const char *name, const uint8_t *data, size_t size)
{
    const uint64_t end = end_check_of(name);
    uint64_t last = 0;
    if (!s->checks || size < (CRC_BITS + END_BITS) / 8)
        return false;
    for (unsigned i = 0; i < 5; i++)
        last |= (uint64_t)data[size - 5 + i] << 8 * i;
    for (unsigned padding = 0; padding < 8; padding++)
        if (last >> (8 - padding) == end)
            return true;
    return false;
}

/* Checks that only zero bits of the last byte are left. */
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
    const uint64_t bits = 8 * (uint64_t)size;
    uint8_t *copy = arena_alloc(a, size + CODEC_AHEAD);
    if (size)
        memcpy(copy, data, size);
    *error = (codec_error){.field = ""};
    return (codec){.arena = a,
                   .bases = how->bases ? how->bases : bases_new(a),
                   .schema = s,
                   .reading = true,
                   .data = copy,
                   .bit = how->skip < bits ? how->skip : bits,
                   .first = how->skip < bits ? how->skip : bits,
                   .limit = bits,
                   .memory = how->memory ? arena_used(a) + how->memory : SIZE_MAX,
                   .room = how->memory ? how->memory : UINT64_MAX,
                   .seen = how->trace ? NULL : how->seen,
                   .trace = how->trace,
                   .note = how->note,
                   .user = how->user,
                   .error = error};
}

/* Reads ahead the fields that name baselines: the baselines are part of the seed of the crc. If these fields are
 * refused, the crc cannot be right. If it does not matter, move_body will refuse them. */
static bool find_parts_ahead(codec *c, const decl *d, codec_options *how)
{
    codec_error ignored;
    codec ahead = *c;
    record *head = bases_record(c->bases, c->arena, d);
    const bool checked = how->framed && !how->ignore_crc;
    const uint64_t kept = kept_bits(c, d, how);
    const bool long_enough = c->limit - c->bit >= kept;
    ahead.trace = NULL;
    ahead.note = NULL;
    ahead.error = &ignored;
    ahead.limit -= kept;
    if (long_enough && codec_names(&ahead, d, head))
        return codec_find_parts(c, how, head, &how->seed);
    return !checked || codec_fail(c, PKT_ERROR_CRC, c->first, "crc");
}

/* Everything before the body. */
static bool open_value(codec *c, const decl *d, const codec_options *how, size_t size)
{
    codec_options seeded = options_for(d, how);
    uint64_t crc;
    if (how->framed && !take_crc(c, &crc))
        return false;
    if (d->parts > 0 && !find_parts_ahead(c, d, &seeded))
        return false;
    return !how->framed || check_crc(c, d->name, &seeded, size, crc);
}

bool codec_read(arena *a, const schema *s, const decl *d, const uint8_t *data, size_t size, const codec_options *how,
                datum *v, codec_error *error)
{
    trail whole = {.name = d->name};
    codec c = start_reading(a, s, data, size, how, error);
    c.trail = &whole;
    *v = (datum){0};
    if (!open_value(&c, d, how, size) || !move_body(&c, d, how, v) || !move_rest(&c, how->framed))
        return false;
    if (how->parts)
        *how->parts = codec_present_parts(&c, v->record);
    return true;
}

bool codec_opens(arena *a, const schema *s, const decl *d, const uint8_t *data, size_t size, const codec_options *how,
                 codec_error *error)
{
    trail whole = {.name = d->name};
    codec c = start_reading(a, s, data, size, how, error);
    c.trail = &whole;
    return open_value(&c, d, how, size);
}

/* ---- reading streams */

/* The values of a stream while it is read. */
typedef struct part_reader {
    codec *codec;
    const codec_options *how;
    codec_part *first, **end;
} part_reader;

static bool find_base_in_stream(part_reader *r, const codec_part *e, codec_part *p)
{
    const datum *found;
    const name_source from = {.values = r->first};
    if (!r->how->find)
        return true;
    if (!e->last)
        return codec_find_base(r->codec, r->how, &from, e, p);
    p->base = r->how->find(r->how->user, e, 0, &found) ? found : NULL;
    if (p->base)
        move_on_from(r->codec->arena, e->moves && r->how->find(r->how->user, e, 1, &found) ? found : NULL, p);
    return true;
}

/* `before` is the previous value of the same item of the list, and `second` the one before `before`. */
static bool read_stream_part(part_reader *r, const codec_part *e, const codec_part *before, const codec_part *second)
{
    if (!codec_may_take(r->codec, sizeof(codec_part), ""))
        return false;
    codec_part *p = ARENA_NEW(r->codec->arena, codec_part);
    p->decl = e->decl;
    p->delta = e->delta;
    p->base = e->chained ? (before ? &before->value : NULL) : e->base;
    p->was = e->was;
    if (e->chained && p->base)
        move_on_from(r->codec->arena, e->moves && second ? &second->value : NULL, p);
    const name_source from = {.values = r->first};
    p->numbered = e->number && codec_sum(&from, e, e->number, &p->called);
    if (!find_base_in_stream(r, e, p)) {
        r->codec->error->unread = p;
        return false;
    }
    if (!move_part(r->codec, p, &p->value))
        return false;
    r->codec->room -= p->value.record->weight;
    *r->end = p;
    r->end = &p->next;
    return true;
}

/* Reads the expected values. A count from a field is refused as too large if its values take no bits. */
static bool read_stream_parts(part_reader *r, const codec_part *expected)
{
    codec *c = r->codec;
    for (const codec_part *e = expected; e; e = e->next) {
        const codec_part *before = NULL, *second = NULL;
        uint64_t count = e->many ? UINT64_MAX : 1, start;
        const name_source from = {.values = r->first};
        if (e->count && !codec_sum(&from, e, e->count, &count))
            count = 0;
        do {
            if (count-- == 0 || (e->many && c->limit - c->bit < 8))
                break;
            start = c->bit;
            codec_part **place = r->end;
            if (!read_stream_part(r, e, before, second))
                return false;
            second = before;
            before = *place;
        } while (c->bit > start);
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
    uint64_t crc;
    if (how->framed && (!take_crc(&c, &crc) || !check_crc(&c, how->frame, how, size, crc)))
        return false;
    if (c.limit - c.bit < kept)
        return codec_fail(&c, PKT_ERROR_END, c.bit, "end check");
    c.limit -= kept;
    part_reader r = {.codec = &c, .how = how, .end = &r.first};
    const bool good = read_stream_parts(&r, expected);
    *parts = r.first;
    if (!good)
        return false;
    c.limit += kept;
    return (!how->framed || move_end_check(&c, NULL, how->frame)) && move_rest(&c, how->framed);
}

/* ---- questions about values */

bool codec_is_baseline(arena *a, const schema *s, bases *known, const decl *d, const datum *v)
{
    codec_error ignored;
    codec c = {.arena = a, .bases = known, .schema = s, .limit = UINT64_MAX, .error = &ignored};
    return codec_has_shape(&c, d, v, false);
}

bool codec_same(arena *a, const schema *s, bases *known, const datum *one, const datum *other)
{
    codec_error ignored;
    codec c = {.arena = a, .bases = known, .schema = s, .limit = UINT64_MAX, .error = &ignored};
    return one->tag == other->tag && same_records(&c, one->record, other->record);
}
