/* codec_delta.c - deltas: a value as its difference from a baseline.
 * SPDX-License-Identifier: MIT
 *
 * `was` is the value from which the baseline was predicted, or the baseline itself: both have the same shape. The
 * baseline is settled first, so its fields on sides not taken have base values. When reading, an unchanged field shares
 * the memory of the baseline's field; this is safe because a changed field always gets new memory.
 */
#include "codec/codec_internal.h"

#include "model/coding.h"
#include "model/accuracy.h"
#include "model/type_table.h"

#include <assert.h>
#include <string.h>

static bool move_delta_block(codec *c, const block *b, const record *base, const record *was, record *now);
static bool move_delta_value(codec *c, const decl *d, const datum *base, const datum *was, datum *now);

/* ---- steps */

static num half_of(unsigned bits)
{
    return num_u64((uint64_t)1 << (bits - 1));
}

/* Whether -2^(bits - 1) <= n < 2^(bits - 1). Sets *raw to n + 2^(bits - 1). */
static bool in_step(num n, unsigned bits, uint64_t *raw)
{
    num half = half_of(bits), biased;
    if (num_compare(n, num_negate(half)) < 0 || num_compare(n, half) >= 0)
        return false;
    bool fits = num_add(n, half, &biased);
    assert(fits && "less than 2^bits");
    (void)fits;
    *raw = num_bits(biased);
    return true;
}

/* The part of a difference that is beyond the small step. */
static bool beyond_small(num difference, unsigned small, num *rest)
{
    return difference.negative ? num_add(difference, half_of(small), rest)
                               : num_subtract(difference, half_of(small), rest);
}

/* Adds a 1 and the small step, or `mark` and the large step. False if the difference is too large for both. */
static bool step_pattern(const field *f, num old, num now, uint64_t mark, unsigned mark_bits, pattern *p)
{
    num difference, rest;
    uint64_t raw;
    if (f->type.wraps) {
        const way w = way_between(num_bits(old), num_bits(now), circle_of(&f->type));
        difference = w.down ? num_negate(num_u64(w.far)) : num_u64(w.far);
    } else if (!num_subtract(now, old, &difference)) {
        return false;
    }
    if (in_step(difference, f->delta_small, &raw)) {
        pattern_add(p, 1, 1);
        pattern_add(p, raw, f->delta_small);
        return true;
    }
    if (!beyond_small(difference, f->delta_small, &rest) || !in_step(rest, f->delta_large, &raw))
        return false;
    pattern_add(p, mark, mark_bits);
    pattern_add(p, raw, f->delta_large);
    return true;
}

/* Reads a small or large step and adds it to old. *lands: the result fits in a num. */
static bool take_step(codec *c, const field *f, bool small, num old, num *now, bool *lands, uint64_t start)
{
    uint64_t raw = 0;
    unsigned bits = small ? f->delta_small : f->delta_large;
    if (!codec_bits(c, bits, &raw, start, f->name))
        return false;
    num move;
    bool fits = num_subtract(num_u64(raw), half_of(bits), &move);
    if (!small)
        fits = fits && (move.negative ? num_subtract(move, half_of(f->delta_small), &move)
                                      : num_add(move, half_of(f->delta_small), &move));
    if (f->type.wraps)
        *now = num_u64(way_end(num_bits(old), (way){move.magnitude, move.negative}, circle_of(&f->type)));
    *lands = f->type.wraps || (fits && num_add(old, move, now));
    return true;
}

/* The number that steps are counted in: the value of an integer, the code of a real number or of one that wraps. */
static bool step_number(const type *t, const datum *d, num *n)
{
    uint64_t code;
    if (t->wraps || is_real(t)) {
        const bool has_code = coded_code(t, d, &code);
        *n = num_u64(has_code ? code : 0);
        return has_code;
    }
    if (t->kind == TYPE_COMPACT) {
        *n = num_u64(d->number);
        return true;
    }
    if (scalar_code(t, d, &code) != PKT_OK)
        return false;
    *n = written_num(t, d);
    return true;
}

static bool number_in_range(const type *t, num n, datum *d)
{
    if (t->wraps)
        return coded_of_code(t, num_bits(n), d) == PKT_OK;
    if (is_real(t))
        return !n.negative && coded_of_code(t, n.magnitude, d) == PKT_OK;
    if (num_compare(n, t->low) < 0 || num_compare(n, t->high) > 0)
        return false;
    d->number = num_bits(n);
    return true;
}

/* old: NULL if the baseline's number has no code, or the new one is sent raw, so that no step is possible. */
static void number_pattern(const field *f, const num *old, num now, const datum *d, pattern *p)
{
    if (!old || !step_pattern(f, *old, now, 2, 2, p)) {
        pattern_add(p, 0, 2);
        full_pattern(&f->type, d, p);
    }
}

static bool move_number(codec *c, const field *f, const datum *base, datum *now)
{
    const type *t = &f->type;
    uint64_t start = c->bit, small = 0, large = 0;
    num from = num_u64(0), number;
    const num *old = step_number(t, base, &from) ? &from : NULL;
    bool lands = true;
    pattern p = {0};
    if (!c->reading) {
        const bool has_number = step_number(t, now, &number);
        uint64_t ignored;
        if (!has_number && t->kind != TYPE_OR_RAW)
            return codec_fail(c, scalar_code(t, now, &ignored), start, f->name);
        number_pattern(f, has_number ? old : NULL, number, now, &p);
        return codec_put(c, &p, f->name);
    }
    if (!codec_bits(c, 1, &small, start, f->name) || (!small && !codec_bits(c, 1, &large, start, f->name)))
        return false;
    if (small || large) {
        if (!take_step(c, f, small, from, &number, &lands, start))
            return false;
        lands = lands && old && number_in_range(t, number, now);
    } else if (!full_take(c, t, now, &lands, start, f->name)) {
        return false;
    }
    if (!lands)
        return codec_fail(c, PKT_ERROR_RANGE, start, f->name);
    codec_note(c, t, now);
    /* On a line, one step leads from number to number, and a large one is beyond the small ones. */
    if ((small || large) && !t->wraps && (!is_real(t) || now->got_code != 0)) {
        c->changes += num_compare(from, number) != 0;
        return codec_done(c, start, f->name);
    }
    number_pattern(f, step_number(t, now, &number) ? old : NULL, number, now, &p);
    return codec_matches(c, &p, start, f->name);
}

/* ---- steps of rotations */

/* has_old: whether the baseline's rotation has a code. */
static void rotation_pattern(const field *f, bool has_old, uint64_t old, uint64_t now, pattern *p)
{
    unsigned bits = f->type.bits;
    pattern near = {0};
    pattern_add(&near, 1, 1);
    bool reached = has_old && (old & 3) == (now & 3);
    for (unsigned i = 0; reached && i < 3; i++)
        reached = step_pattern(f, num_u64(part_of_rotation(old, i, bits)), num_u64(part_of_rotation(now, i, bits)), 0,
                               1, &near);
    if (!reached) {
        near = (pattern){0};
        pattern_add(&near, 0, 1);
        pattern_add(&near, now, 2 + 3 * bits);
    }
    *p = near;
}

static bool take_rotation(codec *c, const field *f, bool has_old, uint64_t old, uint64_t *code, bool *lands,
                          uint64_t start)
{
    unsigned bits = f->type.bits;
    uint64_t near = 0, small = 0;
    if (!codec_bits(c, 1, &near, start, f->name))
        return false;
    if (!near)
        return codec_bits(c, 2 + 3 * bits, code, start, f->name);
    *code = old & 3;
    *lands = has_old;
    for (unsigned i = 0; i < 3; i++) {
        num part;
        bool there = true;
        if (!codec_bits(c, 1, &small, start, f->name) ||
            !take_step(c, f, small, num_u64(part_of_rotation(old, i, bits)), &part, &there, start))
            return false;
        there = there && !part.negative && part.magnitude <= rotation_steps(bits);
        *code |= there ? part.magnitude << (2 + i * bits) : 0;
        *lands = *lands && there;
    }
    return true;
}

static bool move_rotation(codec *c, const field *f, const datum *base, datum *now)
{
    uint64_t start = c->bit, old = 0, code = 0;
    bool has_old = scalar_code(&f->type, base, &old) == PKT_OK, lands = true;
    pattern p = {0};
    if (!c->reading) {
        pkt_code why = scalar_code(&f->type, now, &code);
        if (why != PKT_OK)
            return codec_fail(c, why, start, f->name);
        rotation_pattern(f, has_old, old, code, &p);
        return codec_put(c, &p, f->name);
    }
    if (!take_rotation(c, f, has_old, old, &code, &lands, start))
        return false;
    if (!lands || scalar_from_code(&f->type, code, now) != PKT_OK)
        return codec_fail(c, PKT_ERROR_RANGE, start, f->name);
    rotation_pattern(f, has_old, old, code, &p);
    codec_note(c, &f->type, now);
    return codec_matches(c, &p, start, f->name);
}

/* ---- elements */

bool codec_composite_delta(codec *c, const field *f, const datum *base, const datum *was, datum *now)
{
    trail here;
    codec_enter(c, &here, f->name);
    bool good = move_delta_value(c, f->type.decl, base, was, now);
    codec_leave(c, &here);
    return good;
}

/* Moves a value that is present. Usually a bool takes no bit, because it has changed; with `whole` it takes one,
 * because it may be unchanged. If the value must have changed, the caller checks that. */
static bool move_delta_datum(codec *c, const field *f, record *r, const datum *base, const datum *was, datum *now,
                             bool whole)
{
    if (is_composite(&f->type))
        return codec_composite_delta(c, f, base, was, now);
    if (f->type.kind == TYPE_BOOL && !f->has_unless && !whole) {
        if (c->reading)
            now->number = !base->number;
        return true;
    }
    if (f->coded && f->type.kind == TYPE_QUAT)
        return coded_rotation(c, f, base, was, now);
    if (f->codes[0])
        return coded_number(c, f, base, was, now);
    if (f->has_delta)
        return f->type.kind == TYPE_QUAT ? move_rotation(c, f, base, now) : move_number(c, f, base, now);
    return codec_element(c, f, r, now);
}

/* ---- arrays */

/* The elements of one dimension of an array. */
typedef struct dimension {
    const field *field;
    record *record;
    uint32_t depth;         /* 0 for the outermost */
    uint32_t first;         /* the index of its first innermost element in the whole array */
    uint32_t each;          /* the innermost elements in one element of this dimension */
    uint32_t held;          /* elements in the baseline; no other is expected to change */
    const slot *base, *was; /* with all elements of the array */
    slot *now;
} dimension;

static bool move_delta_dimension(codec *c, const dimension *d, uint32_t count);

/* An element to write, or to read into: a block that the baseline has too is copied first. NULL if a reader may not. */
static datum *own_element(codec *c, const dimension *d, uint32_t at)
{
    element_block **whole = d->now->blocks ? &d->now->blocks[at / SHARED_ELEMENTS] : NULL;
    if (whole && c->reading && shares_block(d->base, d->now, at)) {
        const uint32_t first = at / SHARED_ELEMENTS * SHARED_ELEMENTS, left = d->now->count - first;
        const size_t size = (left < SHARED_ELEMENTS ? left : SHARED_ELEMENTS) * sizeof(datum);
        if (!codec_may_take(c, sizeof(element_block) + size, d->field->name))
            return NULL;
        element_block *copy = arena_alloc(c->arena, sizeof *copy + size);
        memcpy(copy->at, (*whole)->at, size);
        copy->count = (*whole)->count;
        *whole = copy;
    }
    return (datum *)(uintptr_t)slot_at(d->now, at);
}

static bool move_delta_element(codec *c, void *user, uint32_t index)
{
    const dimension *d = user;
    const field *f = d->field;
    uint32_t at = d->first + index * d->each;
    const uint64_t start = c->bit, before = c->changes;
    const subscripted outer = c->element;
    c->element = (subscripted){.of = f, .at = at, .dims = d->depth + 1};
    if (f->array == ARRAY_FIXED && d->depth + 1 < f->dim_count) {
        dimension inner = *d;
        inner.depth++;
        inner.first = at;
        inner.each = d->each / f->dims[inner.depth];
        if (!move_delta_dimension(c, &inner, f->dims[inner.depth]))
            return false;
    } else {
        datum *own = own_element(c, d, at);
        if (!own || !move_delta_datum(c, f, d->record, slot_at(d->base, at), slot_at(d->was, at), own, false))
            return false;
    }
    if (c->reading && c->changes == before && same_run(c, f, d->base, d->now, at, d->each))
        return codec_fail(c, PKT_ERROR_CANONICAL, start, f->name);
    c->changes++;
    c->element = outer;
    return true;
}

bool codec_has_moved(codec *c, const field *f, const slot *base, const slot *was, uint32_t i)
{
    const bool reading = c->reading;
    c->reading = false;
    const bool moved = was != base && !array_rests(f) && !same_run(c, f, base, was, i, 1);
    c->reading = reading;
    return moved;
}

/* The same for a coded array, which has one dimension. The coded set of changed elements comes first. */
static bool coded_dimension(codec *c, const dimension *d, uint32_t count)
{
    if (!codec_may_take(c, 2 * (uint64_t)count * sizeof(bool), d->field->name))
        return false;
    bool *changed = ARENA_ARRAY(c->arena, bool, count), *expected = ARENA_ARRAY(c->arena, bool, count);
    for (uint32_t i = 0; i < count; i++) {
        changed[i] = !c->reading && !same_run(c, d->field, d->base, d->now, i, 1);
        expected[i] = i < d->held && codec_has_moved(c, d->field, d->base, d->was, i);
    }
    if (!coded_elements(c, d->field, changed, expected, count))
        return false;
    dimension copy = *d;
    for (uint32_t i = 0; i < count; i++)
        if (changed[i] && !move_delta_element(c, &copy, i))
            return false;
    return true;
}

/* Moves the subset of changed elements, of `count` elements. */
static bool move_delta_dimension(codec *c, const dimension *d, uint32_t count)
{
    index_list changed = {0};
    if (d->field->coded)
        return coded_dimension(c, d, count);
    for (uint32_t i = 0; i < count && !c->reading; i++) {
        uint32_t at = d->first + i * d->each;
        const uint32_t other = unshared(d->base, d->now, at, d->now->count);
        if (other >= at + d->each)
            i = (other - d->first) / d->each - 1;
        else if (!same_run(c, d->field, d->base, d->now, at, d->each))
            index_add(c->arena, &changed, i);
    }
    dimension copy = *d;
    return codec_subset(c, SPARSE_AUTO, count, count, &changed, d->field->name, move_delta_element, &copy);
}

/* `count` elements of the baseline, with base values for missing ones. The elements of the baseline are shared if these are
 * all of them. */
static bool extend(codec *c, const field *f, const slot *base, uint32_t count, slot *s)
{
    *s = (slot){.present = true, .count = count};
    if (count == base->count) {
        s->alike = base->alike;
        s->data = base->data;
        s->blocks = base->blocks;
        return true;
    }
    if (!codec_may_take(c, (uint64_t)count * sizeof(datum), f->name))
        return false;
    s->data = ARENA_ARRAY(c->arena, datum, count);
    for (uint32_t i = 0; i < count; i++)
        s->data[i] = i < base->count ? *slot_at(base, i) : bases_datum(c->bases, f);
    return true;
}

/* A copy of the elements that a reader may change. */
static bool copy_changeable(codec *c, const field *f, const slot *base, slot *s)
{
    const size_t blocks = (base->count + SHARED_ELEMENTS - 1) / SHARED_ELEMENTS * sizeof *s->blocks,
                 size = base->blocks ? blocks : base->count * sizeof *s->data;
    if (!codec_may_take(c, size, f->name))
        return false;
    *s = *base;
    s->alike = false;
    if (base->blocks) {
        s->blocks = arena_alloc(c->arena, size);
        memcpy(s->blocks, base->blocks, size);
        return true;
    }
    s->data = ARENA_ARRAY(c->arena, datum, s->count);
    for (uint32_t i = 0; i < s->count; i++)
        s->data[i] = *slot_at(base, i);
    return true;
}

/* base: a slot that is present. */
static bool move_delta_array(codec *c, const field *f, record *r, const slot *base, const slot *was, slot *now)
{
    dimension d = {.field = f, .record = r, .each = 1, .held = base->count};
    uint32_t count = f->dims[0];
    if (f->array == ARRAY_COUNTED) {
        if (!codec_count(c, f, now))
            return false;
        count = now->count;
    } else {
        d.each = field_capacity(f) / count;
        now->count = field_capacity(f);
    }
    slot all, all_was;
    if (!extend(c, f, base, now->count, &all) || (was != base && !extend(c, f, was, now->count, &all_was)) ||
        (c->reading && !copy_changeable(c, f, &all, now)))
        return false;
    d.base = &all;
    d.was = was == base ? &all : &all_was;
    d.now = now;
    return move_delta_dimension(c, &d, count);
}

/* ---- fields */

static bool move_delta_field(codec *c, const field *f, record *r, const slot *base, const slot *was, slot *now)
{
    bool had = base->present;
    slot old = *base;
    const slot *before = was;
    if (!codec_presence(c, f, now))
        return false;
    if (!now->present)
        return true;
    if (!had) {
        field bare = *f;
        bare.optional = false;
        old = bases_slot(c->bases, c->arena, &bare);
        before = &old;
    }
    if (before == base || before->count < old.count)
        before = &old;
    if (f->by)
        return codec_list_delta(c, f, &old, before, now);
    if (f->array != ARRAY_NONE)
        return move_delta_array(c, f, r, &old, before, now);
    if (c->reading) {
        now->count = 1;
        now->alike = false;
        now->data = ARENA_NEW(c->arena, datum);
    }
    return move_delta_datum(c, f, r, &old.data[0], &before->data[0], &now->data[0], f->optional);
}

/* Moves a field that has changed. When reading, an unchanged value is refused as not canonical. What has a changed field
 * in it has changed. */
static bool changed_field(codec *c, const field *f, const record *base, const record *was, record *now)
{
    const slot *old = slot_of(base, f), *before = slot_of(was, f);
    slot *s = slot_of(now, f);
    const uint64_t start = c->bit, changes = c->changes;
    if (!move_delta_field(c, f, now, old, before, s))
        return false;
    if (c->reading && c->changes == changes && same_slots(c, f, old, s))
        return codec_fail(c, PKT_ERROR_CANONICAL, start, f->name);
    c->changes++;
    return true;
}

static bool kept_field(codec *c, const field *f, const record *base, record *now)
{
    slot *s = slot_of(now, f);
    if (c->reading)
        *s = *slot_of(base, f);
    if (!f->after || !s->present || s->data[0].number > slot_of(now, f->after)->data[0].number)
        return true;
    return codec_fail(c, PKT_ERROR_ORDER, c->bit, f->name);
}

/* ---- blocks */

/* Moves the change mask: a bit for each of the block's own fields, as one item. */
static bool move_mask(codec *c, const block *b, const record *base, record *now, unsigned count, bool *changed)
{
    const uint64_t start = c->bit;
    bool *each = changed;
    for (const item *i = c->reading ? NULL : b->items; i; i = i->next) {
        const field *f = i->as.field;
        if (i->kind == ITEM_FIELD)
            *each++ = !same_slots(c, f, slot_of(base, f), slot_of(now, f));
    }
    if (b->masks)
        return coded_mask(c, b, count, changed);
    if (count > c->limit - c->bit)
        return codec_fail(c, c->reading ? PKT_ERROR_END : PKT_ERROR_CAPACITY, start, "changes");
    for (unsigned first = 0; first < count; first += 64) {
        const unsigned width = count - first < 64 ? count - first : 64;
        uint64_t bits = 0;
        for (unsigned i = 0; i < width; i++)
            bits |= (uint64_t)changed[first + i] << i;
        if (!codec_bits(c, width, &bits, start, "changes"))
            return false;
        for (unsigned i = 0; i < width; i++)
            changed[first + i] = bits >> i & 1;
    }
    if (count == 0)
        return true;
    if (c->note)
        *c->note = changed_names(c, b->items, changed);
    return codec_done(c, start, "changes");
}

static bool move_delta_block(codec *c, const block *b, const record *base, const record *was, record *now)
{
    enum { FEW = 64 };
    bool few[FEW] = {0}, *changed = few;
    const item *items = b->items;
    unsigned count = 0;
    for (const item *i = items; i; i = i->next)
        count += i->kind == ITEM_FIELD;
    if (count > FEW) {
        if (!codec_may_take(c, count * sizeof(bool), ""))
            return false;
        changed = ARENA_ARRAY(c->arena, bool, count);
    }
    if (!move_mask(c, b, base, now, count, changed))
        return false;
    for (const item *i = items; i; i = i->next) {
        bool good = true;
        switch (i->kind) {
        case ITEM_FIELD:
            good = *changed++ ? changed_field(c, i->as.field, base, was, now) : kept_field(c, i->as.field, base, now);
            break;
        case ITEM_ALIGN:
        case ITEM_CONST:
        case ITEM_RESERVED:
        case ITEM_CHECK: good = codec_layout(c, i); break;
        case ITEM_IF:
        case ITEM_SWITCH: {
            const block *taken =
                chosen_block(i, now); /* if the baseline has another, nothing in this one is predicted */
            good = !taken || move_delta_block(c, taken, base, taken == chosen_block(i, base) ? was : base, now);
            break;
        }
        }
        if (!good)
            return false;
    }
    return true;
}

static bool move_delta_union(codec *c, const decl *d, const datum *base, const datum *was, datum *now)
{
    const member *chosen;
    if (!codec_tag(c, d, now, &chosen))
        return false;
    const record *old = base->tag == now->tag ? base->record : bases_record(c->bases, c->arena, chosen->type),
                 *before = base->tag == now->tag && was->tag == now->tag && old->predicted ? was->record : old;
    if (c->reading && !(now->record = codec_record(c, chosen->type)))
        return false;
    trail here;
    codec_enter(c, &here, chosen->name);
    bool good = move_delta_block(c, &chosen->type->body, old, before, now->record);
    codec_leave(c, &here);
    return good && (!c->reading || codec_weigh(c, now->record));
}

static bool move_delta_value(codec *c, const decl *d, const datum *base, const datum *was, datum *now)
{
    if (d->kind == DECL_UNION)
        return move_delta_union(c, d, base, was, now);
    if (c->reading && !codec_begin_struct(c, d, now))
        return false;
    return move_delta_block(c, &d->body, base->record, was->record, now->record) &&
           (!c->reading || codec_weigh(c, now->record));
}

/* Writes the coded form to `to`, and counts its symbols. False if the value cannot be written. */
static bool try_coded(codec *c, codec *to, const decl *d, const datum *base, const datum *was, const datum *v,
                      int64_t *lead)
{
    codec_error ignored;
    coding how = {.count = c->count, .user = c->user};
    datum copy = *v;
    *to = codec_scratch(c, &ignored);
    to->trail = c->trail;
    to->coding = &how;
    const bool good = move_delta_value(to, d, base, was, &copy);
    *lead = how.lead;
    return good;
}

/* A delta of a type with coded fields begins with a bit that says whether it is coded. */
static bool delta_of_form(codec *c, const decl *d, const datum *base, const datum *was, datum *v)
{
    const uint64_t start = c->bit;
    if (!d->holds_coded)
        return move_delta_value(c, d, base, was, v);
    codec tried;
    coding how = {0};
    int64_t lead = 0;
    const bool whole = !c->reading && try_coded(c, &tried, d, base, was, v, &lead);
    uint64_t coded = !whole || lead >= 0;
    if (!codec_bits(c, 1, &coded, start, "form"))
        return false;
    if (whole && coded && !tried.aligned && tried.bit <= c->limit - c->bit)
        return codec_append(c, &tried);
    if (c->note)
        *c->note = coded ? "coded" : "plain";
    codec_done(c, start, "form");
    how.plain = coded == 0;
    c->coding = &how;
    bool good = move_delta_value(c, d, base, was, v);
    c->coding = NULL;
    return good && ((how.lead < 0) == how.plain || codec_fail(c, PKT_ERROR_CANONICAL, start, "form"));
}

bool codec_has_shape(codec *c, const decl *d, const datum *v, bool in_order)
{
    if (v->record && v->record->sound && !in_order)
        return true;
    codec_error why;
    codec scratch = codec_scratch(c, &why);
    datum copy = *v;
    scratch.trail = c->trail;
    scratch.judging = true;
    scratch.ordering = in_order;
    if (codec_value(&scratch, d, &copy))
        return true;
    *c->error = (codec_error){.code = why.code, .bit = c->bit, .field = why.field};
    return false;
}

bool codec_value_delta(codec *c, const decl *d, const datum *base, const datum *was, datum *v)
{
    const datum *given = c->start;
    datum settled, before, start;
    if (!base) {
        settled = before = bases_type(c->bases, c->arena, d);
    } else if (!codec_has_shape(c, d, base, false)) {
        return false;
    } else {
        settled = before = bases_settled(c->bases, c->arena, base);
        if (was && was->record != base->record) /* else the baseline rests: nothing is expected to change */
            before = bases_settled(c->bases, c->arena, was);
    }
    if (given) {
        if (!codec_has_shape(c, d, given, false))
            return false;
        start = bases_settled(c->bases, c->arena, given);
        c->start = &start;
    }
    const bool good = delta_of_form(c, d, &settled, &before, v);
    c->start = given;
    return good && (!c->reading || !d->holds_after || codec_has_shape(c, d, v, true));
}
