/* pkt_explain_delta.c - finds out which field of a delta failed, and why.
 * SPDX-License-Identifier: MIT
 *
 * Like pkt_explain.c, but with a baseline: `base`, or NULL if the baseline lacks the fields, which are then compared
 * with base values. A mask or a subset of elements may be too large for memory on the stack. So these functions find
 * out whether a field has changed each time they need to know: from the data when a read is explained, from both values
 * when a write is.
 */
#include "pkt_coder.h"

/* The name of a field in errors: the name of its value. */
static PKT_COLD const char *pkt_name_of(const pkt_entry *e)
{
    while (e->kind == PKT_ENTRY_OPTIONAL || e->kind == PKT_ENTRY_COUNTED)
        e++;
    return e->name;
}

static PKT_COLD bool pkt_is_compound(const pkt_entry *e)
{
    return e->kind == PKT_ENTRY_STRUCT || e->kind == PKT_ENTRY_ARRAY || e->kind == PKT_ENTRY_COUNTED;
}

static PKT_COLD bool pkt_bit_at(const pkt_cursor *c, uint64_t bit)
{
    return (c->from[bit / 8] >> bit % 8 & 1) != 0;
}

/* Skips this many bits, which are one item. */
static PKT_COLD bool pkt_delta_skip(pkt_cursor *c, uint64_t bits, const char *field)
{
    if (bits > c->limit || c->bit > c->limit - bits)
        return pkt_explain_fail(c, c->reading ? PKT_ERROR_END : PKT_ERROR_CAPACITY, c->bit, field);
    c->bit += bits;
    return true;
}

/* For a field or element that was sent, from bit `start` on: if it has not changed, a writer would not have sent it. */
static PKT_COLD bool pkt_must_differ(pkt_cursor *c, bool differs, uint64_t start, const char *field)
{
    return !c->reading || differs || pkt_explain_fail(c, PKT_ERROR_CANONICAL, start, field);
}

static PKT_COLD bool pkt_delta_item(pkt_cursor *c, const pkt_entry *e, char *v, uint64_t i, const char *base);
static PKT_COLD bool pkt_delta_type(pkt_cursor *c, const pkt_type *t, const char *base, char *v);

/* ---- changed elements: an `auto` subset of n, see pkt_subset.h */

typedef struct pkt_elements {
    const pkt_entry *entry; /* of an element */
    char *v;
    const char *base;
    uint64_t first; /* index of the first element, for pkt_entry_at */
    uint64_t held;  /* number of elements in the baseline */
    uint32_t n;
    uint64_t bitmap; /* reading: position of the bitmap, if there is one */
    uint64_t *set;   /* a coded array: only which elements have changed is moved, and stored here; else NULL */
} pkt_elements;

static PKT_COLD const char *pkt_base_of_element(const pkt_elements *x, uint32_t index)
{
    return index < x->held ? x->base : NULL;
}

/* The first changed element at or after `from`, or n. When a read is explained, the bitmap says which have changed. */
static PKT_COLD uint32_t pkt_next_element(const pkt_cursor *c, const pkt_elements *x, uint32_t from)
{
    for (; from < x->n; from++)
        if (c->reading ? pkt_bit_at(c, x->bitmap + from)
                       : pkt_entry_differs(x->entry, x->v, x->first + from, pkt_base_of_element(x, from)))
            break;
    return from;
}

/* Whether the elements have fewer bits as a bitmap than as differences of indices. */
static PKT_COLD bool pkt_elements_are_dense(const pkt_cursor *c, const pkt_elements *x)
{
    uint64_t bits = 0;
    uint32_t from = 0, index = 0;
    while (from <= x->n && bits <= x->n) {
        index = pkt_next_element(c, x, from);
        bits += pkt_difference_bits(index - from + 1, x->n);
        from = index + 1;
    }
    return bits > x->n;
}

static PKT_COLD bool pkt_delta_bitmap(pkt_cursor *c, pkt_elements *x, uint64_t start)
{
    const char *field = pkt_name_of(x->entry);
    x->bitmap = c->bit;
    if (!pkt_delta_skip(c, x->n, field))
        return false;
    return pkt_must_differ(c, !c->reading || pkt_elements_are_dense(c, x), start, field);
}

static PKT_COLD bool pkt_delta_elements(pkt_cursor *c, pkt_elements *x)
{
    const uint64_t start = c->bit;
    uint64_t dense = !c->reading && pkt_elements_are_dense(c, x);
    uint32_t index = 0;
    pkt_subset s;
    memset(&s, 0, sizeof s);
    s.n = x->n;
    s.name = pkt_name_of(x->entry);
    if (!pkt_explain_leaf(c, &dense, 1, 1, s.name) || (dense != 0 && !pkt_delta_bitmap(c, x, start)))
        return false;
    for (;;) {
        if (!c->reading || dense != 0)
            index = pkt_next_element(c, x, s.from);
        if (dense == 0 && !pkt_explain_difference(c, &s, &index))
            return false;
        if (c->reading && dense == 0 && index == x->n && s.spent > x->n)
            return pkt_explain_fail(c, PKT_ERROR_CANONICAL, start, s.name);
        if (index >= x->n)
            return true;
        s.from = index + 1;
        if (x->set) {
            x->set[index / 64] |= UINT64_C(1) << index % 64;
            continue;
        }
        if (!pkt_delta_item(c, x->entry, x->v, x->first + index, pkt_base_of_element(x, index)))
            return pkt_explain_element(c, index);
        c->changed = true;
    }
}

/* How many elements can have moved: a prediction moves nothing but coded numbers. */
static PKT_COLD uint64_t pkt_moving_elements(const pkt_elements *x, const pkt_entry *e, size_t twin)
{
    uint64_t before = e->span;
    if (!x->base || twin == 0 || (x->entry->kind != PKT_ENTRY_STRUCT && x->entry->small != PKT_ENTRY_CODED))
        return 0;
    if (e->kind == PKT_ENTRY_COUNTED)
        before = pkt_entry_load(x->base + twin + e->other, e->size);
    return before < x->held ? before : x->held;
}

/* The same in runs. Arrays that are coded have at most 65536 elements. */
static PKT_COLD bool pkt_explain_delta_coded_elements(pkt_cursor *c, pkt_elements *x, const pkt_entry *e)
{
    uint64_t set[65536 / 64], expected[65536 / 64];
    const size_t bytes = ((size_t)x->n + 63) / 64 * sizeof set[0];
    const pkt_codes *codes = (const pkt_codes *)e->of;
    const size_t twin = c->coding->twin;
    const uint64_t moving = pkt_moving_elements(x, e, twin);
    memset(set, 0, bytes);
    memset(expected, 0, bytes);
    for (uint32_t i = 0; i < x->n; i++) {
        const char *base = pkt_base_of_element(x, i);
        const bool moves =
            i < moving && pkt_entry_differs(x->entry, (char *)(uintptr_t)base, x->first + i, base + twin);
        const bool changed = !c->reading && pkt_entry_differs(x->entry, x->v, x->first + i, base);
        expected[i / 64] |= (uint64_t)moves << i % 64;
        set[i / 64] |= (uint64_t)changed << i % 64;
    }
    if (c->coding->plain) {
        x->set = set;
        if (!pkt_delta_elements(c, x))
            return false;
        pkt_coded_count(c, set, expected, x->n, codes);
    } else if (!pkt_explain_coded_elements(c, set, expected, x->n, codes, pkt_name_of(x->entry))) {
        return false;
    }
    for (uint32_t i = 0; i < x->n; i++) {
        if ((set[i / 64] >> i % 64 & 1) == 0)
            continue;
        if (!pkt_delta_item(c, x->entry, x->v, x->first + i, pkt_base_of_element(x, i)))
            return pkt_explain_element(c, i);
        c->changed = true;
    }
    return true;
}

/* Elements that the baseline lacks have base values unless they are sent. */
static PKT_COLD bool pkt_delta_array(pkt_cursor *c, const pkt_entry *e, char *v, uint64_t i, const char *base)
{
    pkt_elements x = {e + 1, v, base, i * e->span, base ? e->span : 0, (uint32_t)e->span, 0, NULL};
    uint64_t old = x.held;
    if (e->kind == PKT_ENTRY_COUNTED) {
        if (!pkt_explain_count(c, e, v))
            return false;
        x.n = (uint32_t)pkt_entry_load(v + e->other, e->size);
        x.held = base ? pkt_entry_load(base + e->other, e->size) : 0;
        old = base ? x.held : e->low;
        if (x.n != old)
            c->changed = true;
        for (; c->reading && old < x.n; old++)
            pkt_entry_blank(e + 1, v, old, true);
    }
    return e->of ? pkt_explain_delta_coded_elements(c, &x, e) : pkt_delta_elements(c, &x);
}

/* ---- values */

/* The kinds that have no differences in steps. */
#define PKT_NOT_COUNTED  \
    case PKT_ENTRY_BOOL: \
    case PKT_ENTRY_ENUM: \
    case PKT_ENTRY_HALF: \
    case PKT_ENTRY_QUAT: \
    case PKT_ENTRY_UNIT: \
    case PKT_ENTRY_REF:  \
    case PKT_ENTRY_AFTER: PKT_ENTRY_OTHERS(PKT_CASE)

uint64_t pkt_entry_code(const pkt_entry *e, const char *at)
{
    const pkt_bounds *b = (const pkt_bounds *)e->of;
    float single;
    double real;
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_BITS: return pkt_entry_load(at, e->size) ^ e->low;
    case PKT_ENTRY_COMPACT: return pkt_entry_load(at, e->size);
    case PKT_ENTRY_QUANTIZED:
        if (e->size == sizeof real) {
            memcpy(&real, at, sizeof real);
            return pkt_quantize64(real, b->low, b->high, e->span);
        }
        memcpy(&single, at, sizeof single);
        return pkt_quantize(single, (float)b->low, (float)b->high, (uint32_t)e->span);
    case PKT_ENTRY_INT:
    case PKT_ENTRY_CLAMPED: PKT_NOT_COUNTED break;
    }
    return pkt_entry_raw(e, at);
}

void pkt_entry_store_code(const pkt_entry *e, char *at, uint64_t code)
{
    const pkt_bounds *b = (const pkt_bounds *)e->of;
    float single;
    double real;
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_BITS: pkt_entry_store(at, e->size, code ^ e->low); return;
    case PKT_ENTRY_COMPACT: pkt_entry_store(at, e->size, code); return;
    case PKT_ENTRY_QUANTIZED:
        if (e->size == sizeof real) {
            real = pkt_dequantize64(code, b->low, b->high, e->span);
            memcpy(at, &real, sizeof real);
            return;
        }
        single = pkt_dequantize((uint32_t)code, (float)b->low, (float)b->high, (uint32_t)e->span);
        memcpy(at, &single, sizeof single);
        return;
    case PKT_ENTRY_INT:
    case PKT_ENTRY_CLAMPED: PKT_NOT_COUNTED pkt_entry_store(at, e->size, code + e->low); return;
    }
}

static PKT_COLD bool pkt_delta_quat_step(pkt_cursor *c, const pkt_entry *e, char *at, const char *old, bool may_equal)
{
    const pkt_steps k = {pkt_rotation_steps(e->bits), 0, e->bits, 0, e->small, e->large, may_equal};
    pkt_quat now = pkt_quat_identity(), before;
    memcpy(&before, old, sizeof before);
    if (!c->reading)
        memcpy(&now, at, sizeof now);
    if (!pkt_explain_quat_step(c, before, &now, &k, e->name))
        return false;
    if (c->reading)
        memcpy(at, &now, sizeof now);
    return true;
}

/* Writing: the code of a number that has changed. False if it has none. */
static PKT_COLD bool pkt_code_now(pkt_cursor *c, const pkt_entry *e, const char *at, uint64_t *now)
{
    if (c->reading)
        return true;
    *now = pkt_entry_code(e, at);
    if (e->kind == PKT_ENTRY_QUANTIZED && *now == (e->size == sizeof(float) ? UINT32_MAX : UINT64_MAX))
        return pkt_explain_fail(c, PKT_ERROR_VALUE, c->bit, e->name);
    return true;
}

/* delta<s, l>. */
static PKT_COLD bool pkt_delta_step(pkt_cursor *c, const pkt_entry *e, char *at, const char *old, bool may_equal)
{
    pkt_steps k = {pkt_entry_last(e), 0, e->bits, 0, e->small, e->large, may_equal};
    uint64_t now = 0;
    if (e->kind == PKT_ENTRY_QUAT)
        return pkt_delta_quat_step(c, e, at, old, may_equal);
    if (e->kind == PKT_ENTRY_COMPACT)
        k.compact = e->size;
    if (e->kind == PKT_ENTRY_BITS)
        k.flip = e->low;
    if (!pkt_code_now(c, e, at, &now))
        return false;
    if (!pkt_explain_step(c, pkt_entry_code(e, old), &now, &k, (e->flags & PKT_ENTRY_WRAPS) != 0, e->name))
        return false;
    if (c->reading)
        pkt_entry_store_code(e, at, now);
    return true;
}

static PKT_COLD const pkt_codes *pkt_codes_of(const pkt_entry *e)
{
    return e->kind == PKT_ENTRY_QUANTIZED ? ((const pkt_coded_bounds *)e->of)->codes : (const pkt_codes *)e->of;
}

/* was: the number that the baseline's was predicted from, or `old`. */
static PKT_COLD bool pkt_delta_coded(pkt_cursor *c, const pkt_entry *e, char *at, const char *old, const char *was,
                                     bool may_equal)
{
    pkt_coded k = {pkt_entry_last(e), 0, e->bits, 0, may_equal, e->large, pkt_codes_of(e)};
    pkt_quat turn = pkt_quat_identity(), from, before;
    uint64_t now = 0;
    if (e->kind == PKT_ENTRY_QUAT) {
        memcpy(&from, old, sizeof from);
        memcpy(&before, was, sizeof before);
        if (!c->reading)
            memcpy(&turn, at, sizeof turn);
        if (!pkt_explain_coded_quat(c, from, before, &turn, &k, e->name))
            return false;
        if (c->reading)
            memcpy(at, &turn, sizeof turn);
        return true;
    }
    if (e->kind == PKT_ENTRY_COMPACT)
        k.compact = e->size;
    if (e->kind == PKT_ENTRY_BITS)
        k.flip = e->low;
    if (!pkt_code_now(c, e, at, &now))
        return false;
    if (!pkt_explain_coded(c, pkt_entry_code(e, old), pkt_entry_code(e, was), &now, &k,
                           (e->flags & PKT_ENTRY_WRAPS) != 0, e->name))
        return false;
    if (c->reading)
        pkt_entry_store_code(e, at, now);
    return true;
}

/* Whether a value differs from the baseline. The id of a ref that was just read may be unknown; then there is no
 * pointer to compare. */
static PKT_COLD bool pkt_differs_now(const pkt_cursor *c, const pkt_entry *e, const char *v, uint64_t i,
                                     const char *base)
{
    void *old = NULL;
    if (e->kind != PKT_ENTRY_REF || !c->reading)
        return pkt_entry_differs(e, v, i, base);
    if (base)
        memcpy(&old, pkt_entry_at(e, (char *)(uintptr_t)base, i), sizeof old);
    return c->ref != pkt_ref_id(c, (uint32_t)e->low, old);
}

/* A value that has changed. may_equal: in an optional it may also be equal to the baseline. */
static PKT_COLD bool pkt_delta_value(pkt_cursor *c, const pkt_entry *e, char *v, uint64_t i, const char *base,
                                     bool may_equal)
{
    const uint64_t start = c->bit;
    const char *old;
    uint64_t memory[2];
    bool flipped;
    if (e->kind == PKT_ENTRY_ARRAY || e->kind == PKT_ENTRY_COUNTED)
        return pkt_delta_array(c, e, v, i, base);
    if (e->kind == PKT_ENTRY_STRUCT) {
        old = base ? pkt_entry_at(e, (char *)(uintptr_t)base, i) : NULL;
        return pkt_delta_type(c, (const pkt_type *)e->of, old, pkt_entry_at(e, v, i)) || pkt_explain_outer(c, e->name);
    }
    if (e->kind == PKT_ENTRY_BOOL && !may_equal) {
        memcpy(&flipped, pkt_entry_old(e, base, i, memory), sizeof flipped);
        flipped = !flipped;
        if (c->reading)
            memcpy(pkt_entry_at(e, v, i), &flipped, sizeof flipped);
        return true;
    }
    if (e->small == PKT_ENTRY_CODED) {
        const char *before = base ? base + c->coding->twin : NULL;
        uint64_t other[2];
        if (!pkt_delta_coded(c, e, pkt_entry_at(e, v, i), pkt_entry_old(e, base, i, memory),
                             pkt_entry_old(e, before, i, other), may_equal))
            return false;
    } else if (e->small != 0) {
        if (!pkt_delta_step(c, e, pkt_entry_at(e, v, i), pkt_entry_old(e, base, i, memory), may_equal))
            return false;
    } else if (!pkt_explain_entry(c, NULL, e, v, i)) {
        return false;
    } else if (!may_equal) {
        return pkt_must_differ(c, pkt_differs_now(c, e, v, i, base), start, e->name);
    }
    if (may_equal && pkt_differs_now(c, e, v, i, base))
        c->changed = true;
    return true;
}

/* A field or element whose mask or subset says that it has changed. */
static PKT_COLD bool pkt_delta_item(pkt_cursor *c, const pkt_entry *e, char *v, uint64_t i, const char *base)
{
    const uint64_t start = c->bit;
    if (!pkt_is_compound(e))
        return pkt_delta_value(c, e, v, i, base, false);
    c->changed = false;
    if (!pkt_delta_value(c, e, v, i, base, false) || !pkt_must_differ(c, c->changed, start, pkt_name_of(e)))
        return false;
    c->changed = true;
    return true;
}

static PKT_COLD bool pkt_delta_optional(pkt_cursor *c, const pkt_entry *e, char *v, const char *base)
{
    const bool had = base && pkt_entry_load(base + e->other, sizeof(bool)) != 0;
    const uint64_t start = c->bit;
    uint64_t has = !c->reading && pkt_entry_load(v + e->other, sizeof(bool)) != 0;
    if (!pkt_explain_leaf(c, &has, 1, 1, e->name))
        return false;
    if (c->reading)
        pkt_entry_store(v + e->other, sizeof(bool), has);
    if (c->reading && (has == 0 || !had))
        pkt_entry_blank(e + 1, v, 0, true);
    c->changed = (has != 0) != had;
    if (has != 0 && !pkt_delta_value(c, e + 1, v, 0, had ? base : NULL, true))
        return false;
    if (!pkt_must_differ(c, c->changed, start, pkt_name_of(e)))
        return false;
    c->changed = true;
    return true;
}

/* An `after` field that is not sent. The field that it comes after may have changed, and may now be greater. */
static PKT_COLD bool pkt_delta_still_after(pkt_cursor *c, const pkt_entry *e, const char *v)
{
    return pkt_entry_in_order(e, v) || pkt_explain_fail(c, PKT_ERROR_ORDER, c->bit, pkt_name_of(e));
}

/* ---- blocks */

static PKT_COLD bool pkt_has_mask_bit(const pkt_entry *e)
{
    return e->kind != PKT_ENTRY_CONSTANT && e->kind != PKT_ENTRY_ALIGN && e->kind != PKT_ENTRY_CHANGES &&
           e->kind != PKT_ENTRY_BRANCH;
}

static PKT_COLD bool pkt_delta_block(pkt_cursor *c, const pkt_type *t, const pkt_entry *e, const pkt_entry *end,
                                     const char *base, char *v);

/* If the baseline took another side, it lacks the fields of this one. */
static PKT_COLD bool pkt_delta_branch(pkt_cursor *c, const pkt_type *t, const pkt_entry *e, const char *base, char *v)
{
    const unsigned taken = t->side(v, (unsigned)e->low);
    const bool took = base && t->side(base, (unsigned)e->low) == taken;
    const pkt_entry *end = pkt_entry_after(e), *body = NULL;
    unsigned n = 1;
    for (const pkt_entry *side = e + 1; side != end; side = pkt_entry_after(side), n++) {
        if (n == taken)
            body = side;
        if (c->reading && (n != taken || !took))
            pkt_entry_blank(side, v, 0, true);
    }
    return !body || pkt_delta_block(c, t, body + 1, pkt_entry_after(body), took ? base : NULL, v);
}

/* The lowest bit, which is taken out. */
static PKT_COLD bool pkt_take_bit(uint64_t *mask)
{
    const bool bit = (*mask & 1) != 0;
    *mask >>= 1;
    return bit;
}

static PKT_COLD bool pkt_delta_block(pkt_cursor *c, const pkt_type *t, const pkt_entry *e, const pkt_entry *end,
                                     const char *base, char *v)
{
    uint64_t mask = c->bit, count = 0, coded = 0, n = 0;
    const bool is_coded = e != end && e->kind == PKT_ENTRY_CHANGES;
    for (const pkt_entry *field = e; field != end; field = pkt_entry_after(field))
        count += pkt_has_mask_bit(field);
    if (is_coded) {
        for (const pkt_entry *field = e; !c->reading && field != end; field = pkt_entry_after(field))
            if (pkt_has_mask_bit(field))
                coded |= (uint64_t)pkt_entry_differs(field, v, 0, base) << n++;
        if (!pkt_explain_coded_mask(c, &coded, (const pkt_coded_changes *)e->of))
            return false;
        c->changed |= coded != 0;
    } else if (!pkt_delta_skip(c, count, "changes")) {
        return false;
    }
    for (n = 0; c->reading && !is_coded && n < count; n++)
        c->changed |= pkt_bit_at(c, mask + n);
    for (; e != end; e = pkt_entry_after(e)) {
        bool good;
        if (e->kind == PKT_ENTRY_BRANCH)
            good = pkt_delta_branch(c, t, e, base, v);
        else if (!pkt_has_mask_bit(e))
            good = pkt_explain_entry(c, t, e, v, 0);
        else if (is_coded     ? !pkt_take_bit(&coded)
                 : c->reading ? !pkt_bit_at(c, mask++)
                              : !pkt_entry_differs(e, v, 0, base))
            good = pkt_delta_still_after(c, e, v);
        else if (e->kind == PKT_ENTRY_OPTIONAL)
            good = pkt_delta_optional(c, e, v, base);
        else
            good = pkt_delta_item(c, e, v, 0, base);
        if (!good)
            return false;
    }
    return true;
}

static PKT_COLD bool pkt_delta_union(pkt_cursor *c, const pkt_entry *e, const char *base, char *v)
{
    const uint64_t old = base ? pkt_entry_load(base + e->offset, e->size) : 0,
                   held = pkt_entry_load(v + e->offset, e->size);
    const pkt_entry *member;
    const pkt_type *of;
    uint64_t tag = held;
    if (!pkt_explain_leaf(c, &tag, e->span, e->bits, e->name))
        return false;
    member = e + 1 + tag;
    of = (const pkt_type *)member->of;
    if (tag != old)
        c->changed = true;
    if (c->reading && tag != held) {
        memset(v + member->offset, 0, of->size);
        pkt_entry_store(v + e->offset, e->size, tag);
    }
    return pkt_delta_type(c, of, base && tag == old ? base + member->offset : NULL, v + member->offset) ||
           pkt_explain_outer(c, member->name);
}

static PKT_COLD bool pkt_delta_type(pkt_cursor *c, const pkt_type *t, const char *base, char *v)
{
    if (c->reading && !base)
        pkt_type_blank(t, v, false);
    if (t->count != 0 && t->entries->kind == PKT_ENTRY_UNION)
        return pkt_delta_union(c, t->entries, base, v);
    return pkt_delta_block(c, t, t->entries, pkt_type_end(t), base, v);
}

/* ---- baselines */

/* Checks the shape of a value; in_order: and each `after` in it, because that of a field that was not sent may not be
 * greater than its start, as in base values. There is room for all of it. */
static PKT_COLD bool pkt_delta_shape(pkt_cursor *c, const pkt_type *t, const void *v, bool in_order)
{
    pkt_cursor shape = *c;
    shape.reading = false;
    shape.baseline = true;
    shape.order = in_order;
    shape.limit = UINT64_MAX;
    if (pkt_explain_type(&shape, t, NULL, v))
        return true;
    c->error->bit = c->bit;
    return false;
}

/* A baseline that is not sound is the error, whatever the value is. */
static PKT_COLD bool pkt_delta_baseline(pkt_cursor *c, const pkt_type *t, const void *base)
{
    return pkt_delta_shape(c, t, base, false);
}

/* Writes to v only when a read is explained. */
bool pkt_explain_delta(pkt_cursor *c, const pkt_type *t, const void *base, const void *v)
{
    char *to = (char *)(uintptr_t)v;
    if (base && !pkt_delta_baseline(c, t, base))
        return false;
    if (c->reading && base)
        pkt_type_copy(t, to, (const char *)base);
    return pkt_delta_type(c, t, (const char *)base, to) && pkt_delta_shape(c, t, v, true);
}

/* Whether the coded form of a delta that is written would have more bits. */
static PKT_COLD bool pkt_explain_delta_goes_plain(const pkt_cursor *c, const pkt_type *t, const void *base,
                                                  const void *v, size_t twin)
{
    pkt_cursor counter = *c;
    pkt_coding coding = {twin, 0, false, false};
    pkt_error unasked;
    counter.coding = &coding;
    counter.error = &unasked;
    counter.limit = UINT64_MAX;
    return pkt_delta_type(&counter, t, (const char *)base, (char *)(uintptr_t)v) && coding.lead < 0;
}

/* A delta whose first bit says whether its items are coded or plain. */
static PKT_COLD bool pkt_explain_forms(pkt_cursor *c, const pkt_type *t, const void *base, const void *v, size_t twin)
{
    const uint64_t start = c->bit;
    pkt_coding coding = {twin, 0, false, false};
    uint64_t coded;
    if (base && !pkt_delta_baseline(c, t, base))
        return false;
    coded = !c->reading && !pkt_explain_delta_goes_plain(c, t, base, v, twin);
    if (!pkt_explain_leaf(c, &coded, 1, 1, "form"))
        return false;
    c->coding = &coding;
    coding.plain = coded == 0;
    if (c->reading && base)
        pkt_type_copy(t, (char *)(uintptr_t)v, (const char *)base);
    if (!pkt_delta_type(c, t, (const char *)base, (char *)(uintptr_t)v))
        return false;
    if ((coding.lead < 0) != coding.plain)
        return pkt_explain_fail(c, PKT_ERROR_CANONICAL, start, "form");
    return pkt_delta_shape(c, t, v, true);
}

bool pkt_explain_coded_delta(pkt_cursor *c, const pkt_type *t, const void *base, const void *v)
{
    return pkt_explain_forms(c, t, base, v, 0);
}

bool pkt_explain_predicted(pkt_cursor *c, const pkt_type *t, const void *base, const void *v)
{
    return pkt_explain_forms(c, t, base, v, base ? t->size : 0);
}
