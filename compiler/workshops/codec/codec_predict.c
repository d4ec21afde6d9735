/* codec_predict.c - predicts a baseline: its coded numbers continue their motion.
 * SPDX-License-Identifier: MIT
 */
#include "codec/codec_internal.h"
#include "model/coding.h"
#include "model/accuracy.h"
#include "model/type_table.h"

#include <string.h>

typedef struct ages {
    arena *arena;
    uint64_t back, gap;
} ages;

static datum predicted_type(const ages *k, const decl *d, const datum *base, const datum *before);

/* (way * back) / gap, rounded to nearest, halves away from 0. */
static way way_on(const ages *k, uint64_t base, uint64_t before, uint64_t circle, unsigned slower)
{
    way w = way_between(before, base, circle);
    const uint64_t gap = k->gap * slower;
    w.far = (2 * w.far * k->back + gap) / (2 * gap);
    return w;
}

/* Clamped to 0..most, or around a circle. */
static uint64_t moved(uint64_t base, way w, uint64_t most, uint64_t circle)
{
    const uint64_t room = w.down ? base : most - base;
    if (circle == 0 && w.far > room)
        w.far = room;
    return way_end(base, w, circle);
}

static datum predicted_rotation(const ages *k, const type *t, const datum *base, const datum *before)
{
    datum to = *base;
    uint64_t now, was, code;
    if (scalar_code(t, base, &now) != PKT_OK || scalar_code(t, before, &was) != PKT_OK || now == was ||
        (now & 3) != (was & 3))
        return to;
    code = now & 3;
    for (unsigned part = 0; part < 3; part++) {
        const unsigned at = 2 + part * t->bits;
        const uint64_t from = now >> at & ones(t->bits);
        code |= moved(from, way_on(k, from, was >> at & ones(t->bits), 0, 2), rotation_steps(t->bits), 0) << at;
    }
    return scalar_from_code(t, code, &to) == PKT_OK ? to : *base;
}

/* A raw real that would grow to twice its value stays, because its codes are no straight line. */
static bool goes_too_far(const type *t, way w)
{
    return t->kind == TYPE_FLOAT && w.far >> (real_row_of(t)->digits - 1) != 0;
}

static datum predicted_number(const ages *k, const field *f, const datum *base, const datum *before)
{
    const type *t = &f->type;
    datum to = *base;
    uint64_t now, was;
    if (coded_bits(t) > 32 || f->asked || !coded_code(t, base, &now) || !coded_code(t, before, &was) || now == was)
        return to;
    const way w = way_on(k, now, was, circle_of(t), 1);
    if (!goes_too_far(t, w))
        (void)coded_of_code(t, moved(now, w, coded_span(t), circle_of(t)), &to);
    return to;
}

/* A number that goes by its own speed, which is in the same record. */
static datum number_by_speed(const ages *k, const field *f, const record *r, const datum *base)
{
    const own_speed *s = f->speed;
    const type *t = &f->type;
    datum to = *base;
    uint64_t now, speed;
    way w;
    if (f->asked || (s->condition && !is_condition_true(s->condition, r)) || !coded_code(t, base, &now) ||
        !coded_code(&s->of->type, slot_at(slot_of(r, s->of), 0), &speed))
        return to;
    w = way_between(s->rest, speed, 0);
    /* below 2^64: 32, 16 and 16 bits, and 2^47 at most */
    w.far = (w.far * k->back * s->factor + (UINT64_C(1) << s->shift >> 1)) >> s->shift;
    if (w.far != 0 && w.far <= UINT32_MAX) {
        if (circle_of(t) != 0)
            w.far %= circle_of(t);
        (void)coded_of_code(t, moved(now, w, coded_span(t), circle_of(t)), &to);
    }
    return to;
}

/* before: NULL if there is none. */
static datum predicted_element(const ages *k, const field *f, const record *r, const datum *base, const datum *before)
{
    if (f->type.kind == TYPE_STRUCT || f->type.kind == TYPE_UNION)
        return predicted_type(k, f->type.decl, base, before);
    if (f->codes[0] && f->speed)
        return number_by_speed(k, f, r, base);
    if (!before || !f->codes[0] || f->still || has_values_only(f))
        return *base;
    return f->type.kind == TYPE_QUAT ? predicted_rotation(k, &f->type, base, before)
                                     : predicted_number(k, f, base, before);
}

/* An array with a count out of range has no elements. */
static bool has_elements(const field *f, const slot *s)
{
    return s->present && (f->array != ARRAY_COUNTED || s->count - f->count_low <= f->dims[0] - f->count_low);
}

/* The code of a key, which may be out of range. */
static uint64_t code_of_key(const field *list, const datum *element)
{
    return slot_of(element->record, list->by)->data[0].number - num_bits(list->by->type.low);
}

/* The element of `before` from which element i of a field has moved; NULL if there is none. Elements of a list have the same
 * key; *next is where it can be. */
static const datum *element_before(const field *f, const slot *base, const slot *before, uint32_t i, uint32_t *next)
{
    if (!before)
        return NULL;
    if (!f->by)
        return i < before->count ? slot_at(before, i) : NULL;
    const uint64_t wanted = code_of_key(f, slot_at(base, i));
    while (*next < before->count && code_of_key(f, slot_at(before, *next)) < wanted)
        ++*next;
    const bool found = *next < before->count && code_of_key(f, slot_at(before, *next)) == wanted;
    return found ? slot_at(before, *next) : NULL;
}

/* before: the record from which it has moved; NULL: there is none. */
static void predict_field(const ages *k, const field *f, const record *r, const record *before, slot *to)
{
    const slot *base = slot_of(r, f), *was = before ? slot_of(before, f) : NULL;
    uint32_t next = 0;
    if (!has_elements(f, base) || base->count == 0)
        return;
    if (was && !has_elements(f, was))
        was = NULL;
    to->data = ARENA_ARRAY(k->arena, datum, base->count);
    to->alike = false;
    to->blocks = NULL;
    for (uint32_t i = 0; i < base->count; i++) {
        const datum *from = element_before(f, base, was, i, &next);
        to->data[i] = predicted_element(k, f, r, slot_at(base, i), from);
    }
}

static void predict_block(const ages *k, const block *b, const record *base, const record *before, record *to)
{
    for (const item *i = b->items; i; i = i->next) {
        if (i->kind == ITEM_FIELD) {
            predict_field(k, i->as.field, base, before, slot_of(to, i->as.field));
        } else if (i->kind == ITEM_IF || i->kind == ITEM_SWITCH) {
            const block *side = chosen_block(i, base);
            if (side)
                predict_block(k, side, base, before && side == chosen_block(i, before) ? before : NULL, to);
        }
    }
}

static datum predicted_type(const ages *k, const decl *d, const datum *base, const datum *before)
{
    datum to = *base;
    const record *was = before ? before->record : NULL;
    if (d->kind == DECL_UNION) {
        if (!base->record)
            return to;
        if (was && base->tag != before->tag)
            was = NULL;
        d = base->record->decl;
        if (!was && !type_goes(d))
            return to; /* it rests */
    }
    to.record = ARENA_NEW(k->arena, record);
    to.record->decl = d;
    to.record->predicted = true;
    to.record->slots = ARENA_ARRAY(k->arena, slot, d->field_count);
    memcpy(to.record->slots, base->record->slots, d->field_count * sizeof *to.record->slots);
    predict_block(k, &d->body, base->record, was, to.record);
    return to;
}

datum codec_predict(arena *a, const decl *d, const datum *base, const datum *before, uint32_t back, uint32_t gap)
{
    const ages k = {a, back, gap};
    const datum *from = gap == 0 || gap > 65535 ? NULL : before;
    if (back > 65535 || !((from && type_follows(d)) || (back != 0 && type_goes(d))))
        return *base; /* it rests */
    return predicted_type(&k, d, base, from);
}
