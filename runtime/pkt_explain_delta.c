/* pkt_explain_delta.c - finds out which field of a delta failed, and why.
 * SPDX-License-Identifier: MIT
 *
 * Like pkt_explain.c, but with a baseline: `base`, or NULL if the baseline lacks the fields, which are then compared
 * with base values. A mask or a subset of elements may be too large for memory on the stack. So these functions find
 * out whether a field has changed each time they need to know: from the data when a read is explained, from both values
 * when a write is.
 */
#include "pkt_coder.h"
#include "pkt_list.h"
#include "pkt_parts.h"

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

/* For an address in a predicted baseline: the same member of the value it was predicted from. The address itself if there is no such
 * value. */
static PKT_COLD const char *pkt_was(const pkt_cursor *c, const char *base)
{
    const pkt_coding *k = c->coding;
    return base && k->expected ? (const char *)k->before + (base - (const char *)k->expected) : base;
}

/* How many elements of the baseline can have moved: a prediction moves nothing but coded numbers. */
static PKT_COLD uint64_t pkt_moving_elements(const pkt_cursor *c, const pkt_entry *e, const char *base, uint64_t held)
{
    const bool moves = e[1].kind == PKT_ENTRY_STRUCT ? (e[1].flags & PKT_ENTRY_RESTS) == 0 : e[1].s == PKT_ENTRY_CODED;
    return base && c->coding->expected && moves ? held : 0;
}

/* The same in runs. Arrays that are coded have at most 65536 elements. */
static PKT_COLD bool pkt_explain_delta_coded_elements(pkt_cursor *c, pkt_elements *x, const pkt_entry *e)
{
    uint64_t set[65536 / 64], expected[65536 / 64];
    const size_t bytes = ((size_t)x->n + 63) / 64 * sizeof set[0];
    const pkt_codes *codes = (const pkt_codes *)e->of;
    const uint64_t moving = pkt_moving_elements(c, e, x->base, x->held);
    memset(set, 0, bytes);
    memset(expected, 0, bytes);
    for (uint32_t i = 0; i < x->n; i++) {
        const char *base = pkt_base_of_element(x, i);
        const bool moves =
            i < moving && pkt_entry_differs(x->entry, (char *)(uintptr_t)base, x->first + i, pkt_was(c, base));
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
        if (!pkt_present_has(set, x->n, i))
            continue;
        if (!pkt_delta_item(c, x->entry, x->v, x->first + i, pkt_base_of_element(x, i)))
            return pkt_explain_element(c, i);
        c->changed = true;
    }
    return true;
}

#ifndef PKT_WITHOUT_LIST
/* ---- lists with keys: which elements are gone, the new keys, the elements that have changed, the new elements */

typedef struct pkt_listed {
    const pkt_entry *entry; /* of an element */
    pkt_keys keys;
    const char *name;
    const char *old; /* the elements of the baseline */
    char *now;
    uint32_t held, count; /* their numbers */
} pkt_listed;

static PKT_COLD pkt_pairs pkt_pairs_listed(const pkt_listed *x)
{
    return pkt_pairs_of(&x->keys, x->old, x->held, x->now, x->count);
}

/* The keys of a list that is written must be sound before anything is paired. */
static PKT_COLD bool pkt_listed_is_sound(pkt_cursor *c, const pkt_listed *x)
{
    if (x->count > x->keys.most) {
        pkt_explain_fail(c, PKT_ERROR_RANGE, c->bit, x->name);
        pkt_error_ending(c->error, "_count");
        return false;
    }
    return pkt_explain_keys(c, &x->keys, x->entry, x->now, x->count);
}

static PKT_COLD bool pkt_listed_gone(pkt_cursor *c, const pkt_listed *x, uint64_t *gone, uint32_t *left)
{
    const uint64_t start = c->bit;
    uint64_t any = 0;
    pkt_subset s;
    if (!c->reading) {
        for (pkt_pairs p = pkt_pairs_listed(x); pkt_pairs_next(&p);)
            if (p.in_old && !p.in_now) {
                gone[p.j / 64] |= UINT64_C(1) << p.j % 64;
                any = 1;
            }
    }
    *left = x->held;
    if (!pkt_explain_leaf(c, &any, 1, 1, x->name))
        return false;
    if (any == 0)
        return true;
    if (!pkt_explain_subset_begin(c, &s, PKT_SUBSET_AUTO, gone, x->held, x->held, x->name))
        return false;
    while (pkt_explain_subset_next(c, &s, PKT_SUBSET_AUTO))
        *left -= 1;
    if (!s.whole)
        return false;
    if (*left == x->held)
        return pkt_explain_fail(c, PKT_ERROR_CANONICAL, start, x->name);
    c->changed = true;
    return true;
}

/* One bit: whether another new key follows. */
static PKT_COLD bool pkt_listed_more(pkt_cursor *c, const pkt_listed *x, uint64_t *more)
{
    return pkt_explain_leaf(c, more, 1, 1, x->name);
}

static PKT_COLD bool pkt_listed_put_keys(pkt_cursor *c, const pkt_listed *x)
{
    uint64_t before = 0, more = 1;
    bool first = true;
    for (pkt_pairs p = pkt_pairs_listed(x); pkt_pairs_next(&p);) {
        uint64_t code;
        if (p.in_old)
            continue;
        code = pkt_key_at(&x->keys, x->now, p.i);
        if (!pkt_listed_more(c, x, &more) || !pkt_explain_next_key(c, &x->keys, x->name, first ? NULL : &before, &code))
            return false;
        before = code;
        first = false;
        c->changed = true;
    }
    more = 0;
    return pkt_listed_more(c, x, &more);
}

/* Puts the elements of both into place. */
static PKT_COLD bool pkt_listed_get_keys(pkt_cursor *c, pkt_listed *x, const uint64_t *gone, uint32_t left)
{
    const pkt_keys *k = &x->keys;
    uint64_t before = 0, code = 0, more;
    uint32_t news = 0, n = 0, j = 0;
    for (;;) {
        const uint64_t here = c->bit + 1;
        if (!pkt_listed_more(c, x, &more))
            return false;
        if (more != 0 && !pkt_explain_next_key(c, k, x->name, news != 0 ? &before : NULL, &code))
            return false;
        for (; j < x->held && (more == 0 || pkt_key_at(k, x->old, j) < code); j++)
            if (!pkt_present_has(gone, x->held, j))
                memcpy(x->now + (size_t)n++ * k->stride, x->old + (size_t)j * k->stride, k->stride);
        if (more == 0)
            break;
        if (j < x->held && pkt_key_at(k, x->old, j) == code)
            return pkt_explain_fail(c, PKT_ERROR_ORDER, here, x->name);
        if (left + news == k->most)
            return pkt_explain_fail(c, PKT_ERROR_RANGE, here, x->name);
        memset(x->now + (size_t)n * k->stride, 0, k->stride);
        pkt_entry_store(x->now + (size_t)n++ * k->stride + k->offset, k->size, code + k->low);
        before = code;
        news++;
        c->changed = true;
    }
    x->count = n;
    return true;
}

/* fresh: it may equal `old`. */
static PKT_COLD bool pkt_listed_element(pkt_cursor *c, const pkt_listed *x, uint32_t i, const char *old, bool fresh)
{
    const uint64_t start = c->bit;
    const pkt_type *of = (const pkt_type *)x->entry->of;
    c->changed = false;
    if (!pkt_delta_type(c, of, old, x->now + (size_t)i * of->size)) {
        pkt_explain_outer(c, x->entry->name);
        return pkt_explain_element(c, i);
    }
    if (!fresh && !pkt_must_differ(c, c->changed, start, x->entry->name))
        return pkt_explain_element(c, i);
    c->changed = true;
    return true;
}

/* A new element that starts from a value with its key. */
typedef struct pkt_listed_new {
    pkt_cursor *c;
    const pkt_listed *x;
    uint32_t i;
} pkt_listed_new;

static PKT_COLD bool pkt_listed_from(pkt_listed_new *n, const char *old)
{
    const pkt_keys *k = &n->x->keys;
    char *v = n->x->now + (size_t)n->i * k->stride;
    const void *const expected = n->c->coding ? n->c->coding->expected : NULL;
    bool good;
    if (n->c->reading)
        memcpy(v, old, k->stride);
    if (n->c->coding)
        n->c->coding->expected = NULL;
    good = pkt_listed_element(n->c, n->x, n->i, old, true);
    if (n->c->coding)
        n->c->coding->expected = expected;
    return good;
}

static PKT_COLD bool pkt_listed_initial(void *work, char *initial)
{
    pkt_listed_new *const n = (pkt_listed_new *)work;
    const pkt_keys *k = &n->x->keys;
    memcpy(initial + k->offset, n->x->now + (size_t)n->i * k->stride + k->offset, k->size);
    return pkt_listed_from(n, initial);
}

/* The element of the start value with the key of element i, if the list is the part's own, outside of branches. */
static PKT_COLD const char *pkt_listed_start(const pkt_cursor *c, const pkt_listed *x, uint32_t i)
{
    const char *start = c->part ? (const char *)c->part->start : NULL;
    const pkt_type *t = c->part ? c->part->how->type : NULL;
    const uint64_t code = pkt_key_at(&x->keys, x->now, i);
    const pkt_entry *list = x->entry - 1;
    uint32_t count, at;
    if (!start)
        return NULL;
    for (const pkt_entry *e = t->entries; e != list; e = pkt_entry_after(e))
        if (e == pkt_type_end(t))
            return NULL;
    count = (uint32_t)pkt_entry_load(start + list->other, list->size);
    start += x->entry->offset;
    at = pkt_list_find(&x->keys, start, count, code);
    return at != count && pkt_key_at(&x->keys, start, at) == code ? start + (size_t)at * x->keys.stride : NULL;
}

static PKT_COLD bool pkt_listed_fresh(pkt_cursor *c, const pkt_listed *x, uint32_t i)
{
    const pkt_initial *initial = (const pkt_initial *)pkt_key_entry((const pkt_type *)x->entry->of)->of;
    const char *start = pkt_listed_start(c, x, i);
    pkt_listed_new work = {c, x, i};
    if (start)
        return pkt_listed_from(&work, start);
    return initial ? initial->with(pkt_listed_initial, &work) : pkt_listed_element(c, x, i, NULL, true);
}

/* Element j of the baseline has changed. */
static PKT_COLD bool pkt_listed_changed(pkt_cursor *c, const pkt_listed *x, pkt_pairs *p, uint32_t j)
{
    if (!pkt_pairs_at(p, j))
        return pkt_explain_fail(c, PKT_ERROR_ORDER, c->bit, x->name);
    return pkt_listed_element(c, x, p->i, x->old + (size_t)j * x->keys.stride, false);
}

static PKT_COLD bool pkt_listed_plain(pkt_cursor *c, const pkt_listed *x, uint64_t *set, bool alone)
{
    pkt_pairs p = pkt_pairs_listed(x);
    pkt_subset s;
    if (!pkt_explain_subset_begin(c, &s, PKT_SUBSET_AUTO, set, x->held, x->held, x->name))
        return false;
    while (pkt_explain_subset_next(c, &s, PKT_SUBSET_AUTO))
        if (!alone && !pkt_listed_changed(c, x, &p, s.index))
            return false;
    return s.whole;
}

static PKT_COLD bool pkt_listed_coded(pkt_cursor *c, const pkt_listed *x, uint64_t *set, const pkt_entry *e,
                                      const char *base)
{
    uint64_t expected[PKT_LIST_WORDS];
    const pkt_codes *codes = (const pkt_codes *)e->of;
    const pkt_type *of = (const pkt_type *)x->entry->of;
    const uint64_t moving = pkt_moving_elements(c, e, base, x->held);
    pkt_pairs p = pkt_pairs_listed(x);
    memset(expected, 0, ((size_t)x->held + 63) / 64 * sizeof expected[0]);
    for (uint32_t j = 0; j < moving; j++) {
        const char *old = x->old + (size_t)j * x->keys.stride;
        expected[j / 64] |= (uint64_t)pkt_type_differs(of, old, pkt_was(c, old)) << j % 64;
    }
    if (c->coding->plain) {
        if (!pkt_listed_plain(c, x, set, true))
            return false;
        pkt_coded_count(c, set, expected, x->held, codes);
    } else if (!pkt_explain_coded_elements(c, set, expected, x->held, codes, x->name)) {
        return false;
    }
    for (uint32_t j = 0; j < x->held; j++)
        if (pkt_present_has(set, x->held, j) && !pkt_listed_changed(c, x, &p, j))
            return false;
    return true;
}

static PKT_COLD bool pkt_delta_list(pkt_cursor *c, const pkt_entry *e, const pkt_keys *k, char *v, const char *base)
{
    uint64_t gone[PKT_LIST_WORDS], set[PKT_LIST_WORDS];
    pkt_listed x = {e + 1, *k, e->name, base ? base + e[1].offset : NULL, v + e[1].offset, 0, 0};
    const pkt_type *of = (const pkt_type *)x.entry->of;
    uint32_t left;
    x.held = base ? (uint32_t)pkt_entry_load(base + e->other, e->size) : 0;
    x.count = (uint32_t)pkt_entry_load(v + e->other, e->size);
    memset(gone, 0, ((size_t)x.held + 63) / 64 * sizeof gone[0]);
    memset(set, 0, ((size_t)x.held + 63) / 64 * sizeof set[0]);
    if ((!c->reading && !pkt_listed_is_sound(c, &x)) || !pkt_listed_gone(c, &x, gone, &left))
        return false;
    if (!(c->reading ? pkt_listed_get_keys(c, &x, gone, left) : pkt_listed_put_keys(c, &x)))
        return false;
    if (c->reading)
        pkt_entry_store(v + e->other, e->size, x.count);
    for (pkt_pairs p = pkt_pairs_listed(&x); !c->reading && pkt_pairs_next(&p);)
        if (p.in_old && p.in_now)
            set[p.j / 64] |=
                (uint64_t)pkt_type_differs(of, x.now + (size_t)p.i * k->stride, x.old + (size_t)p.j * k->stride)
                << p.j % 64;
    if (!(e->of ? pkt_listed_coded(c, &x, set, e, base) : pkt_listed_plain(c, &x, set, false)))
        return false;
    for (pkt_pairs p = pkt_pairs_listed(&x); pkt_pairs_next(&p);)
        if (!p.in_old && !pkt_listed_fresh(c, &x, p.i))
            return false;
    return true;
}
#endif

/* Elements that the baseline lacks have base values unless they are sent. */
static PKT_COLD bool pkt_delta_array(pkt_cursor *c, const pkt_entry *e, char *v, uint64_t i, const char *base)
{
    pkt_elements x = {e + 1, v, base, i * e->span, base ? e->span : 0, (uint32_t)e->span, 0, NULL};
    uint64_t old = x.held;
#ifndef PKT_WITHOUT_LIST
    pkt_keys keys;
    if (pkt_entry_keys(e, &keys))
        return pkt_delta_list(c, e, &keys, v, base);
#endif
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
    case PKT_ENTRY_QUAT: \
    case PKT_ENTRY_UNIT: \
    case PKT_ENTRY_REF:  \
    case PKT_ENTRY_KEY:  \
    case PKT_ENTRY_AFTER: PKT_ENTRY_OTHERS(PKT_CASE)

uint64_t pkt_entry_code(const pkt_entry *e, const char *at)
{
    const pkt_bounds *b = (const pkt_bounds *)e->of;
    float single;
    double real;
    uint64_t raw;
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_BITS: return pkt_code_of_wire(pkt_entry_load(at, e->size), e->low, e->bits);
    case PKT_ENTRY_HALF:
        memcpy(&single, at, sizeof single);
        return pkt_code_of_wire(pkt_half_bits(single), e->low, e->bits);
    case PKT_ENTRY_COMPACT: return pkt_entry_load(at, e->size);
    case PKT_ENTRY_OR_RAW:
        memcpy(&single, at, sizeof single);
        return pkt_or_raw_code(single, (float)b->low, (float)b->high, (uint32_t)e->span);
    case PKT_ENTRY_QUANTIZED:
        if (e->size == sizeof real) {
            memcpy(&real, at, sizeof real);
            return pkt_quantize64(real, b->low, b->high, e->span);
        }
        memcpy(&single, at, sizeof single);
        return pkt_quantize(single, (float)b->low, (float)b->high, (uint32_t)e->span);
    case PKT_ENTRY_ENUM:
        raw = pkt_entry_raw(e, at);
        return pkt_type_has(pkt_entry_enum(e), raw + e->low) ? raw : PKT_FAILED;
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
    bool good;
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_BITS: pkt_entry_store(at, e->size, pkt_wire_of_code(code, e->low, e->bits)); return;
    case PKT_ENTRY_HALF:
        single = pkt_half_float((uint32_t)pkt_wire_of_code(code, e->low, e->bits));
        memcpy(at, &single, sizeof single);
        return;
    case PKT_ENTRY_COMPACT: pkt_entry_store(at, e->size, code); return;
    case PKT_ENTRY_OR_RAW:
        single = pkt_or_raw_value(code, (float)b->low, (float)b->high, (uint32_t)e->span, &good);
        memcpy(at, &single, sizeof single);
        return;
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
    case PKT_ENTRY_ENUM:
    case PKT_ENTRY_CLAMPED: PKT_NOT_COUNTED pkt_entry_store(at, e->size, code + e->low); return;
    }
}

/* As pkt_wire_of_code takes it. */
static PKT_COLD uint64_t pkt_flip_of(const pkt_entry *e)
{
    return e->kind == PKT_ENTRY_BITS || e->kind == PKT_ENTRY_HALF ? e->low : 0;
}

static PKT_COLD bool pkt_delta_quat_step(pkt_cursor *c, const pkt_entry *e, char *at, const char *old, bool may_equal)
{
    const pkt_steps k = {pkt_rotation_steps(e->bits), 0, e->bits, 0, e->s, e->l, may_equal};
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

/* How the full form of a number varies, as pkt_steps has it. */
static PKT_COLD unsigned pkt_form_of(const pkt_entry *e)
{
    return e->kind == PKT_ENTRY_COMPACT ? e->size : e->kind == PKT_ENTRY_OR_RAW ? PKT_FORM_OR_RAW : 0;
}

/* Stores the number that was read from `start` on. False if it is a raw float that is a step, or no member of its enum. */
static PKT_COLD bool pkt_keep_code(pkt_cursor *c, const pkt_entry *e, char *at, uint64_t now, uint64_t start)
{
    if (!c->reading)
        return true;
    if (e->kind == PKT_ENTRY_ENUM && !pkt_type_has(pkt_entry_enum(e), now + e->low))
        return pkt_explain_fail(c, PKT_ERROR_RANGE, start, e->name);
    pkt_entry_store_code(e, at, now);
    return e->kind != PKT_ENTRY_OR_RAW || pkt_entry_code(e, at) == now ||
           pkt_explain_fail(c, PKT_ERROR_CANONICAL, start, e->name);
}

/* delta<s, l>. */
static PKT_COLD bool pkt_delta_step(pkt_cursor *c, const pkt_entry *e, char *at, const char *old, bool may_equal)
{
    const pkt_steps k = {pkt_entry_last(e), pkt_flip_of(e), e->bits, pkt_form_of(e), e->s, e->l, may_equal};
    const uint64_t start = c->bit;
    uint64_t now = 0;
    if (e->kind == PKT_ENTRY_QUAT)
        return pkt_delta_quat_step(c, e, at, old, may_equal);
    if (!pkt_code_now(c, e, at, &now))
        return false;
    if (!pkt_explain_step(c, pkt_entry_code(e, old), &now, &k, (e->flags & PKT_ENTRY_WRAPS) != 0, e->name))
        return false;
    return pkt_keep_code(c, e, at, now, start);
}

static PKT_COLD const pkt_codes *pkt_codes_of(const pkt_entry *e)
{
    if (e->as == PKT_KIND_ENUM)
        return ((const pkt_coded_enum *)e->of)->codes;
    return e->kind == PKT_ENTRY_QUANTIZED || e->kind == PKT_ENTRY_OR_RAW ? ((const pkt_coded_bounds *)e->of)->codes
                                                                         : (const pkt_codes *)e->of;
}

/* was: the number that the baseline's was predicted from, or `old`. */
static PKT_COLD bool pkt_delta_coded(pkt_cursor *c, const pkt_entry *e, char *at, const char *old, const char *was,
                                     bool may_equal)
{
    const pkt_coded k = {pkt_entry_last(e), pkt_flip_of(e), e->bits, pkt_form_of(e), may_equal, e->l, pkt_codes_of(e)};
    const uint64_t start = c->bit;
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
    if (!pkt_code_now(c, e, at, &now))
        return false;
    if (!pkt_explain_coded(c, pkt_entry_code(e, old), pkt_entry_code(e, was), &now, &k,
                           (e->flags & PKT_ENTRY_WRAPS) != 0, e->name))
        return false;
    return pkt_keep_code(c, e, at, now, start);
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
    if (e->s == PKT_ENTRY_CODED) {
        const char *before = pkt_was(c, base);
        uint64_t other[2];
        if (!pkt_delta_coded(c, e, pkt_entry_at(e, v, i), pkt_entry_old(e, base, i, memory),
                             pkt_entry_old(e, before, i, other), may_equal))
            return false;
    } else if (e->s != 0) {
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
           e->kind != PKT_ENTRY_RULE && e->kind != PKT_ENTRY_BRANCH && e->kind != PKT_ENTRY_KEY;
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
        else if (!pkt_has_mask_bit(e)) /* a key, too, has no bits */
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

/* Base values; but the key of an element is known. */
static PKT_COLD void pkt_blank_but_key(const pkt_type *t, char *v)
{
    const pkt_entry *key = pkt_key_entry(t);
    const uint64_t kept = key ? pkt_entry_load(v + key->offset, key->size) : 0;
    pkt_type_blank(t, v, false);
    if (key)
        pkt_entry_store(v + key->offset, key->size, kept);
}

static PKT_COLD bool pkt_delta_type(pkt_cursor *c, const pkt_type *t, const char *base, char *v)
{
    if (c->reading && !base)
        pkt_blank_but_key(t, v);
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

/* A baseline that is not sound is the error, whatever the value is; so is a start value. */
static PKT_COLD bool pkt_delta_baseline(pkt_cursor *c, const pkt_type *t, const void *base)
{
    const void *start = c->part ? c->part->start : NULL;
    return (!base || pkt_delta_shape(c, t, base, false)) && (!start || pkt_delta_shape(c, t, start, false));
}

/* Writes to v only when a read is explained. */
bool pkt_explain_delta(pkt_cursor *c, const pkt_type *t, const void *base, const void *v)
{
    char *to = (char *)(uintptr_t)v;
    if (!pkt_delta_baseline(c, t, base))
        return false;
    c->coding = NULL;
    if (c->reading && base)
        pkt_type_copy(t, to, (const char *)base);
    return pkt_delta_type(c, t, (const char *)base, to) && pkt_delta_shape(c, t, v, true);
}

/* Whether the coded form of a delta that is written would have more bits. was: what `base` was predicted from. */
static PKT_COLD bool pkt_explain_delta_goes_plain(const pkt_cursor *c, const pkt_type *t, const void *base,
                                                  const void *was, const void *v)
{
    pkt_cursor counter = *c;
    pkt_coding coding = {was, base, 0, 0, 0, false, false};
    pkt_error unasked;
    counter.coding = &coding;
    counter.error = &unasked;
    counter.limit = UINT64_MAX;
    return pkt_delta_type(&counter, t, (const char *)base, (char *)(uintptr_t)v) && coding.lead < 0;
}

/* A delta whose first bit says whether its items are coded or plain. */
bool pkt_explain_predicted(pkt_cursor *c, const pkt_type *t, const void *base, const void *was, const void *v)
{
    const uint64_t start = c->bit;
    pkt_coding coding = {was, base, 0, 0, 0, false, false};
    uint64_t coded;
    if (!pkt_delta_baseline(c, t, base))
        return false;
    coded = !c->reading && !pkt_explain_delta_goes_plain(c, t, base, was, v);
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
    return pkt_explain_predicted(c, t, base, base, v);
}
