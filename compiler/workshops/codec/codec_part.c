/* codec_part.c - deltas to baselines that fields name: in streams, and in packets with parts.
 * SPDX-License-Identifier: MIT
 */
#include "codec/codec_internal.h"

/* ---- names */

/* The value of a field: in the packet itself, or in the last value of a type in a stream. False if it is absent. */
static bool field_number(const name_source *from, const field_sum *t, uint64_t *n)
{
    const record *r = t->decl ? NULL : from->packet;
    const slot *s = NULL;
    for (const codec_part *p = t->decl ? from->values : NULL; p; p = p->next)
        r = p->decl == t->decl ? p->value.record : r;
    for (unsigned i = 0; r && i < t->depth; i++) {
        s = slot_of(r, t->path[i]);
        if (!s->present || s->count == 0)
            return false;
        r = s->data[0].record;
    }
    if (s)
        *n = s->data[0].number;
    return s != NULL;
}

static uint64_t ones_in(uint64_t number)
{
    uint64_t count = 0;
    for (; number != 0; number &= number - 1)
        count++;
    return count;
}

/* All names of a packet's part wrap as its own does; a sum in a stream wraps as its first field does. */
static uint64_t wrapped(const codec_part *of, const field_sum *sum, uint64_t n)
{
    return n & ones(of->field ? of->field->part->bits : field_sum_bits(sum));
}

bool codec_sum(const name_source *from, const codec_part *of, const field_sum *sum, uint64_t *result)
{
    *result = 0;
    for (const field_sum *t = sum; t; t = t->next) {
        uint64_t n = t->number;
        if (t->depth > 0 && !field_number(from, t, &n))
            return false;
        n = t->ones ? ones_in(n) : n;
        *result = t->minus ? *result - n : *result + n;
    }
    *result = wrapped(of, sum, *result);
    return true;
}

/* ---- baselines */

void codec_move_on(arena *a, const datum *before, uint32_t back, uint32_t gap, codec_part *p)
{
    p->before = before;
    p->back = back;
    p->gap = gap;
    if (!p->decl->predicts)
        return;
    datum *moved = ARENA_NEW(a, datum);
    *moved = codec_predict(a, p->decl, p->base, before, back, gap);
    p->was = p->base;
    p->base = moved;
}

static bool find_earlier_value(codec *c, const codec_options *how, const codec_part *e, uint64_t number,
                               bool of_baseline, const datum **found)
{
    if (how->find && how->find(how->user, e, number, found))
        return true;
    codec_fail(c, PKT_ERROR_BASELINE, e->field ? c->first : c->bit, e->field ? e->field->name : e->decl->name);
    c->error->of_baseline = of_baseline;
    c->error->number = number;
    return false;
}

static uint32_t ticks(uint64_t number)
{
    return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

/* In a stream, no value is its own baseline: some programs send its own number for no baseline. The ranges of a packet's
 * part exclude this, so a value that has it anyway is one that cannot be written. */
static bool means_none(const codec_part *e, uint64_t number, uint64_t own)
{
    return !e->field && number == own;
}

/* Predicts the baseline with the number `number` for the value with the number `own`. */
static bool move_base_on(codec *c, const codec_options *how, const name_source *from, const codec_part *e, uint64_t own,
                         uint64_t number, codec_part *p)
{
    const uint32_t back = ticks(wrapped(e, e->number, own - number));
    uint64_t before;
    const datum *earlier;
    if (!e->before_number || !codec_sum(from, e, e->before_number, &before) || means_none(e, before, number)) {
        codec_move_on(c->arena, NULL, back, 0, p);
        return true;
    }
    if (e->decl->predicts ? !find_earlier_value(c, how, e, before, true, &earlier)
                          : !how->find(how->user, e, before, &earlier))
        return !e->decl->predicts;
    codec_move_on(c->arena, earlier, back, ticks(wrapped(e, e->base_number, number - before)), p);
    return true;
}

bool codec_find_base(codec *c, const codec_options *how, const name_source *from, const codec_part *e, codec_part *p)
{
    uint64_t number, own;
    if (!e->base_number || !codec_sum(from, e, e->base_number, &number))
        return true;
    const bool numbered = e->number && codec_sum(from, e, e->number, &own);
    if (numbered && means_none(e, number, own))
        return true;
    return find_earlier_value(c, how, e, number, false, &p->base) &&
           (!numbered || move_base_on(c, how, from, e, own, number, p));
}

/* ---- seeds */

static uint64_t mix_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

/* The hash of a value; 0 if it cannot be written. A kept struct remembers it. */
static uint64_t hash_of_value(codec *c, const decl *d, const datum *v)
{
    record *kept = d->kind == DECL_STRUCT && v->record->refs > 0 ? v->record : NULL;
    if (kept && kept->in_seed != 0)
        return kept->in_seed;
    codec_error ignored;
    codec w = codec_scratch(c, &ignored);
    datum copy = *v;
    if (!codec_value(&w, d, &copy))
        return 0;
    const uint64_t size = (w.bit + 7) / 8;
    uint64_t hash = UINT64_C(0xCBF29CE484222325) + size;
    for (uint64_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        for (uint64_t k = i; k < size && k < i + 8; k++)
            word |= (uint64_t)w.data[k] << 8 * (k - i);
        hash = mix_word(hash, word);
    }
    hash = mix_word(hash, 0);
    hash = hash != 0 ? hash : 1;
    if (kept)
        kept->in_seed = hash;
    return hash;
}

/* Mixes a value that a packet names into its seed. */
static uint64_t mix_value(codec *c, uint64_t seed, const decl *d, const datum *v)
{
    seed = mix_word(seed, hash_of_value(c, d, v));
    return seed != 0 ? seed : 1;
}

/* ---- packets with parts */

/* The start value of a part, which both sides mix in whether the packet needs it or not. False if it is missing, or cannot
 * be written. */
static bool take_start(codec *c, const codec_options *how, codec_part *p, uint64_t *seed)
{
    p->start = p->field->part->starts && how->start ? how->start(how->user, p) : NULL;
    if (!p->start && !(how->needs_start && p->field->part->starts))
        return true;
    if (!p->start || hash_of_value(c, p->decl, p->start) == 0) {
        codec_fail(c, PKT_ERROR_BASELINE, c->first, p->field->name);
        c->error->of_start = true;
        return false;
    }
    if (how->framed)
        *seed = mix_value(c, *seed, p->decl, p->start);
    return true;
}

bool codec_find_parts(codec *c, const codec_options *how, const record *packet, uint64_t *seed)
{
    const name_source from = {.packet = packet};
    codec_part **end = &c->parts;
    bool found = true;
    for (const field *f = packet->decl->fields; f; f = f->next) {
        if (!f->part)
            continue;
        codec_part *p = *end = ARENA_NEW(c->arena, codec_part);
        end = &p->next;
        *p = (codec_part){.decl = f->type.decl,
                          .field = f,
                          .delta = true,
                          .number = f->part->number,
                          .base_number = f->part->base,
                          .before_number = f->part->before};
        p->numbered = codec_sum(&from, p, p->number, &p->called);
        found = found && take_start(c, how, p, seed) && codec_find_base(c, how, &from, p, p);
        if (found && p->base && how->framed)
            *seed = mix_value(c, *seed, p->decl, p->was ? p->was : p->base);
        if (found && p->before && how->framed)
            *seed = mix_value(c, *seed, p->decl, p->before);
        if (!p->base)
            p->base = p->start;
    }
    if (!found)
        c->error->unread = c->parts;
    return found;
}

codec_part *codec_present_parts(const codec *c, const record *packet)
{
    codec_part *first = NULL, **end = &first;
    for (codec_part *p = c->parts, *next; p; p = next) {
        const slot *s = slot_of(packet, p->field);
        next = p->next;
        if (!s->present)
            continue;
        p->value = s->data[0];
        p->next = NULL;
        *end = p;
        end = &p->next;
    }
    return first;
}
