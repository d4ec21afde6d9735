/* codec_stream.c - the stream of bits: moving them, naming items in errors, comparing patterns.
 * SPDX-License-Identifier: MIT
 */
#include "codec/codec_internal.h"
#include "codec/codec_json.h"

#include <assert.h>

/* ---- errors */

/* "[1][2]"; "" if there is no array. */
static const char *subscripts(arena *a, subscripted e)
{
    const char *text = "";
    uint32_t at = e.at;
    for (uint32_t d = e.dims != 0 ? e.of->dim_count : 0; d-- > 0;) {
        const uint32_t n = d != 0 ? e.of->dims[d] : UINT32_MAX;
        if (d < e.dims)
            text = arena_printf(a, "[%u]%s", (unsigned)(at % n), text);
        at /= n;
    }
    return text;
}

const char *codec_place_name(arena *a, const codec_place *p)
{
    static const char *const before[] = {"", "has_", "", ""}, *const after[] = {"", "", "_count", "_size"};
    const char *text = "";
    if (*p->name)
        text = arena_printf(a, "%s%s%s%s", before[p->form], p->name, after[p->form], subscripts(a, p->element));
    for (const trail *t = p->trail; t; t = t->outer)
        if (t->name[0])
            text = arena_printf(a, *text ? "%s%s.%s" : "%s%s%s", t->name, subscripts(a, t->element), text);
    return text;
}

static codec_place item_place(const codec *c, const char *name)
{
    return (codec_place){.trail = c->trail, .name = name, .form = c->form, .element = c->element, .rest = c->rest};
}

void codec_enter(codec *c, trail *here, const char *name)
{
    *here = (trail){.outer = c->trail, .name = name, .element = c->element};
    c->trail = here;
    c->element = (subscripted){0};
}

void codec_leave(codec *c, const trail *here)
{
    c->trail = here->outer;
    c->element = here->element;
}

bool codec_fail(codec *c, pkt_code code, uint64_t bit, const char *name)
{
    const codec_place here = item_place(c, name);
    *c->error = (codec_error){.code = code, .bit = bit, .field = codec_place_name(c->arena, &here)};
    return false;
}

/* ---- bits */

codec codec_scratch(const codec *c, codec_error *error)
{
    return (codec){.arena = c->arena,
                   .bases = c->bases,
                   .schema = c->schema,
                   .start = c->start,
                   .limit = UINT64_MAX,
                   .error = error};
}

/* The 8 bytes from here on, the first one in the lowest bits. */
static uint64_t word_at(const uint8_t *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

/* Adds up to 64 bits, and clears the rest of the bytes that they could touch. */
static void append_bits(codec *c, uint64_t raw, unsigned count)
{
    enum { FIRST_SIZE = 32 };
    if (c->size - c->bit / 8 < CODEC_AHEAD) {
        const size_t size = c->size ? 2 * c->size : FIRST_SIZE;
        c->data = c->size ? arena_grow(c->arena, c->data, c->size, size) : arena_alloc(c->arena, size);
        c->size = size;
    }
    uint8_t *to = &c->data[c->bit / 8];
    const unsigned at = c->bit % 8;
    raw &= ones(count);
    const uint64_t word = raw << at | (at ? *to & ones(at) : 0);
    for (unsigned i = 0; i < 8; i++)
        to[i] = (uint8_t)(word >> 8 * i);
    to[8] = (uint8_t)(at ? raw >> (64 - at) : 0);
    c->bit += count;
}

/* `count` bits that begin at a bit of the data. */
static uint64_t bits_at(const codec *c, uint64_t bit, unsigned count)
{
    const uint8_t *from = &c->data[bit / 8];
    const unsigned at = bit % 8;
    uint64_t raw = word_at(from) >> at;
    if (at + count > 64)
        raw |= (uint64_t)from[8] << (64 - at);
    return raw & ones(count);
}

bool codec_append(codec *c, const codec *from)
{
    for (uint64_t i = 0; i < from->bit; i += 64) {
        const unsigned count = from->bit - i < 64 ? (unsigned)(from->bit - i) : 64;
        append_bits(c, bits_at(from, i, count), count);
    }
    return true;
}

static uint64_t take_bits(codec *c, unsigned count)
{
    const uint64_t raw = bits_at(c, c->bit, count);
    c->bit += count;
    return raw;
}

bool codec_may_take(codec *c, uint64_t size, const char *name)
{
    if (!c->reading)
        return true;
    const size_t used = arena_used(c->arena);
    return (used <= c->memory && size <= c->memory - used) || codec_fail(c, PKT_ERROR_CAPACITY, c->bit, name);
}

record *codec_record(codec *c, const decl *d)
{
    if (!codec_may_take(c, sizeof(record) + d->field_count * sizeof(slot), ""))
        return NULL;
    return bases_record(c->bases, c->arena, d);
}

bool codec_begin_struct(codec *c, const decl *d, datum *v)
{
    if (!d->key || !v->record)
        v->record = codec_record(c, d);
    return v->record != NULL;
}

bool codec_weigh(codec *c, record *r)
{
    r->weight = record_weight(r);
    r->sound = r->weight <= c->room;
    return r->sound || codec_fail(c, PKT_ERROR_CAPACITY, c->bit, "");
}

/* Whether `count` more bits can be read or written. Items without bits come here too, so that a reader notices a value
 * that takes much memory and few bits. */
static bool has_room(codec *c, uint64_t count, uint64_t start, const char *name)
{
    if (c->reading && !codec_may_take(c, 0, name))
        return false;
    if (count <= c->limit - c->bit)
        return true;
    return codec_fail(c, c->reading ? PKT_ERROR_END : PKT_ERROR_CAPACITY, start, name);
}

bool codec_bits(codec *c, unsigned count, uint64_t *raw, uint64_t start, const char *name)
{
    if (!has_room(c, count, start, name))
        return false;
    if (c->reading)
        *raw = take_bits(c, count);
    else
        append_bits(c, *raw, count);
    return true;
}

bool codec_done(codec *c, uint64_t start, const char *name)
{
    if (c->trace) {
        const codec_place here = item_place(c, name);
        c->trace(c->user, &here, start, c->bit - start, c->data);
    }
    if (c->note)
        *c->note = NULL;
    return true;
}

void codec_note(codec *c, const type *t, const datum *d)
{
    if (c->note)
        *c->note = json_scalar(c->arena, t, d);
}

bool codec_item(codec *c, unsigned count, uint64_t *raw, uint64_t max, const char *name)
{
    uint64_t start = c->bit;
    if (!c->reading && *raw > max)
        return codec_fail(c, PKT_ERROR_RANGE, start, name);
    if (!codec_bits(c, count, raw, start, name))
        return false;
    if (*raw > max)
        return codec_fail(c, PKT_ERROR_RANGE, start, name);
    if (c->note && c->tag_of)
        *c->note = member_of_value(c->tag_of, num_u64(*raw))->name;
    return codec_done(c, start, name);
}

bool codec_item_of_form(codec *c, name_form form, unsigned count, uint64_t *raw, uint64_t max, const char *name)
{
    c->form = form;
    const bool good = codec_item(c, count, raw, max, name);
    c->form = NAME_ALONE;
    return good;
}

bool codec_align(codec *c, const char *name)
{
    uint64_t start = c->bit, padding = 0;
    c->aligned = true;
    if (!codec_bits(c, (unsigned)((8 - start % 8) % 8), &padding, start, name))
        return false;
    if (padding != 0)
        return codec_fail(c, PKT_ERROR_PADDING, start, name);
    return c->bit == start || codec_done(c, start, name);
}

bool codec_bytes(codec *c, uint8_t *bytes, uint32_t size, uint64_t start, const char *name)
{
    if (!has_room(c, 8 * (uint64_t)size, start, name))
        return false;
    for (uint32_t i = 0; i < size; i++) {
        uint64_t byte = c->reading ? 0 : bytes[i];
        if (!codec_bits(c, 8, &byte, start, name))
            return false;
        bytes[i] = (uint8_t)byte;
    }
    return true;
}

unsigned digits_of(uint64_t number)
{
    unsigned digits = 0;
    for (unsigned half = 32; half > 0; half /= 2)
        if (number >> half != 0) {
            digits += half;
            number >>= half;
        }
    return digits + (number != 0);
}

/* ---- deltas that were read before */

static bool has_seen_bits(const codec *c, const codec_seen *s)
{
    const codec other = {.data = s->data};
    uint64_t i = 0;
    for (unsigned count = 64; i < s->bits; i += count) {
        count = s->bits - i < count ? (unsigned)(s->bits - i) : count;
        if (bits_at(c, c->bit + i, count) != bits_at(&other, s->first + i, count))
            return false;
    }
    return true;
}

bool codec_take_seen(codec *c, const codec_part *p, datum *v)
{
    const record *base = p->base ? p->base->record : NULL, *start = p->start ? p->start->record : NULL;
    for (const codec_seen *s = c->seen; s && base && !p->was && s < c->seen + SEEN_DELTAS; s++)
        if (s->decl == p->decl && s->base.record == base && s->base.tag == p->base->tag && s->start.record == start &&
            s->bits <= c->limit - c->bit && s->value.record->weight <= c->room && has_seen_bits(c, s)) {
            *v = s->value;
            c->bit += s->bits;
            return true;
        }
    return false;
}

/* ---- patterns */

void pattern_add(pattern *p, uint64_t raw, unsigned count)
{
    const unsigned at = p->count % 64;
    uint64_t *to = &p->words[p->count / 64];
    assert(p->count + count <= 64 * PATTERN_WORDS);
    if (count == 0)
        return;
    raw &= ones(count);
    to[0] |= raw << at;
    if (at + count > 64)
        to[1] = raw >> (64 - at);
    p->count += count;
}

/* How many bits of a pattern its word has that begins with bit i. */
static unsigned bits_of_word(const pattern *p, unsigned i)
{
    return p->count - i < 64 ? p->count - i : 64;
}

bool codec_put(codec *c, const pattern *p, const char *name)
{
    uint64_t start = c->bit;
    if (!has_room(c, p->count, start, name))
        return false;
    for (unsigned i = 0; i < p->count; i += 64)
        append_bits(c, p->words[i / 64], bits_of_word(p, i));
    return codec_done(c, start, name);
}

bool codec_matches(codec *c, const pattern *p, uint64_t start, const char *name)
{
    bool same = c->bit - start == p->count;
    for (unsigned i = 0; same && i < p->count; i += 64)
        same = bits_at(c, start + i, bits_of_word(p, i)) == p->words[i / 64];
    return same ? codec_done(c, start, name) : codec_fail(c, PKT_ERROR_CANONICAL, start, name);
}
