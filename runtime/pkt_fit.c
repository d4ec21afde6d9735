/* pkt_fit.c - chooses which elements of arrays are sent if a budget is too small for all.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_fit.h"

/* What has been chosen so far. */
typedef struct choice {
    const void *base, *v;
    void *sent;
    uint64_t used, most; /* bits */
} choice;

/* ---- the bits of a subset itself */

/* Adds a difference to those of a subset, or removes it. */
static void count_difference(pkt_fit_set *s, uint32_t d, bool added)
{
    if (d >= PKT_FAR)
        s->far += added ? 1 : UINT32_MAX;
    else if (added)
        s->near_bits += pkt_differences[d].bits;
    else
        s->near_bits -= pkt_differences[d].bits;
}

/* Everything of an array but its elements. */
static uint64_t subset_bits(const pkt_fit_array *a, const pkt_fit_set *s)
{
    const uint64_t relative = s->near_bits + (uint64_t)s->far * (6 + pkt_far_bits(s->n));
    switch (a->kind) {
    case PKT_SUBSET_FLAG:
    case PKT_SUBSET_BITMAP: return s->n;
    case PKT_SUBSET_COUNT: return pkt_bit_length(a->limit) + (uint64_t)s->count * pkt_bit_length(s->n - 1);
    case PKT_SUBSET_SENTINEL: return ((uint64_t)s->count + 1) * pkt_bit_length(s->n);
    case PKT_SUBSET_RELATIVE: return relative;
    case PKT_SUBSET_AUTO: break;
    }
    if (a->offered == NULL && s->count == 0 && s->n == a->old)
        return 0;
    return a->count_bits + 1 + (relative > s->n ? s->n : relative);
}

/* One more than the last element of a bitmap before i; 0 if there is none. */
static uint32_t end_before(const uint64_t *set, uint32_t i)
{
    uint32_t word = i / 64;
    uint64_t left = i % 64 != 0 ? set[word] & pkt_mask(i % 64) : 0;
    while (left == 0 && word != 0)
        left = set[--word];
    return left != 0 ? word * 64 + pkt_high_bit(left) + 1 : 0;
}

/* Adds element i, which is not in it, to a subset. The bitmap is left as it is. */
static void add_element(const pkt_fit_array *a, pkt_fit_set *s, uint32_t i)
{
    uint32_t from = s->from, next = s->n;
    if (i < s->from) {
        from = end_before(a->kept, i);
        next = pkt_present_next(a->kept, s->n, i + 1);
    } else {
        s->from = i + 1;
    }
    count_difference(s, next - from + 1, false);
    count_difference(s, i - from + 1, true);
    count_difference(s, next - i, true);
    s->count++;
}

/* Gives the array one more element at its end. */
static void add_new(pkt_fit_set *s)
{
    count_difference(s, s->n - s->from + 1, false);
    s->n++;
    count_difference(s, s->n - s->from + 1, true);
}

/* ---- arrays */

static void start_array(pkt_fit_array *a, uint32_t n)
{
    a->set.n = n;
    a->set.count = 0;
    a->set.from = 0;
    a->set.far = 0;
    a->set.near_bits = 0;
    count_difference(&a->set, n + 1, true);
    a->blocked = UINT32_MAX;
    a->blocked_bits = 0;
}

void pkt_fit_delta_array(pkt_fit_array *a, uint32_t size, uint32_t old, uint32_t now, unsigned count_bits, bool pads,
                         uint64_t *kept, pkt_fit_bits *bits, pkt_fit_copy *copy)
{
    const uint32_t common = old < now ? old : now;
    a->bits = bits;
    a->copy = copy;
    a->offered = NULL;
    a->kept = kept;
    a->kind = PKT_SUBSET_AUTO;
    a->size = a->limit = size;
    a->old = old;
    a->now = now;
    a->count_bits = count_bits;
    a->pads = pads;
    start_array(a, common < size ? common : size);
}

void pkt_fit_sparse_array(pkt_fit_array *a, pkt_subset_kind kind, uint32_t size, uint32_t limit, bool pads,
                          uint64_t *present, uint64_t *offered, pkt_fit_bits *bits)
{
    const size_t bytes = ((size_t)size + 63) / 64 * sizeof *present;
    memcpy(offered, present, bytes);
    memset(present, 0, bytes);
    pkt_fit_delta_array(a, size, size, size, 0, pads, present, bits, NULL);
    a->kind = kind;
    a->limit = limit;
    a->offered = offered;
}

void pkt_fit_from_baseline(const pkt_fit_array *arrays, unsigned count, const void *base, void *sent)
{
    for (unsigned k = 0; k < count; k++)
        for (uint32_t i = 0; i < arrays[k].set.n; i++)
            arrays[k].copy(sent, base, i);
}

/* ---- elements */

/* More bits than any value has. Sums of three such numbers do not wrap. */
#define MOST (UINT64_C(1) << 62)

/* The bits of an element that begins at a bit; PKT_FAILED if it cannot be written. */
static uint64_t bits_at(const pkt_fit_array *a, const choice *k, uint32_t i, uint64_t start, bool *changed)
{
    pkt_writer w;
    pkt_cursor c;
    pkt_measuring_writer(&w, start);
    pkt_writer_cursor(&c, &w);
    c.changed = true;
    if (!a->bits(&c, k->base, k->v, i) || c.bit > MOST)
        return PKT_FAILED;
    *changed = c.changed;
    return c.bit - start;
}

/* The most bits that an element can have, wherever it begins. *changed: whether anything of it is sent. */
static uint64_t bits_of(const pkt_fit_array *a, const choice *k, uint32_t i, bool *changed)
{
    uint64_t bits = bits_at(a, k, i, 0, changed);
    /* Padding has another size wherever it begins: if the first two measures are the same, there is none. */
    for (uint64_t start = 1; a->pads && start < 8 && bits != PKT_FAILED; start++) {
        const uint64_t there = bits_at(a, k, i, start, changed);
        if (start == 1 && there == bits)
            break;
        if (there > bits)
            bits = there;
    }
    return bits;
}

/* Makes `set` the subset of an array if it fits. bits: of the elements that are new in it. */
static bool choose(choice *k, pkt_fit_array *a, const pkt_fit_set *set, uint64_t bits)
{
    const uint64_t used = k->used - subset_bits(a, &a->set) + subset_bits(a, set) + bits;
    if (used > k->most)
        return false;
    k->used = used;
    a->set = *set;
    return true;
}

static void put_bit(uint64_t *set, uint32_t i, bool on)
{
    const uint64_t bit = UINT64_C(1) << i % 64;
    set[i / 64] = on ? set[i / 64] | bit : set[i / 64] & ~bit;
}

static bool keep_old(choice *k, pkt_fit_array *a, uint32_t i)
{
    pkt_fit_set set = a->set;
    bool changed = true;
    const uint64_t bits = bits_of(a, k, i, &changed);
    if (!changed)
        return true;
    /* The indices never get so much shorter by one more element. */
    if (bits > MOST || k->used + bits > k->most + 64)
        return false;
    add_element(a, &set, i);
    if (!choose(k, a, &set, bits))
        return false;
    put_bit(a->kept, i, true);
    if (a->copy != NULL)
        a->copy(k->sent, k->v, i);
    return true;
}

/* A new element of a counted array, with all new ones before it. They make the indices no shorter, so it does not fit if the
 * elements alone do not. */
static bool keep_new(choice *k, pkt_fit_array *a, uint32_t last)
{
    const uint32_t first = a->set.n;
    pkt_fit_set set = a->set;
    uint64_t sum = 0;
    uint32_t i = first;
    if (last >= a->blocked && k->used + a->blocked_bits > k->most)
        return false;
    for (; i <= last; i++) {
        bool changed = true;
        const uint64_t bits = bits_of(a, k, i, &changed);
        sum += bits < MOST ? bits : MOST;
        if (k->used + sum > k->most) {
            a->blocked = i;
            a->blocked_bits = sum;
            break;
        }
        add_new(&set);
        if (changed) {
            add_element(a, &set, i);
            put_bit(a->kept, i, true);
        }
    }
    if (i <= last || !choose(k, a, &set, sum)) {
        while (i-- > first)
            put_bit(a->kept, i, false);
        return false;
    }
    if (last < a->blocked)
        a->blocked_bits -= sum;
    else
        a->blocked = UINT32_MAX;
    for (i = first; i <= last; i++)
        a->copy(k->sent, k->v, i);
    return true;
}

/* Whether element i, which may not exist, is as in v now. */
static bool keep(choice *k, pkt_fit_array *a, uint32_t i)
{
    if (i >= a->now)
        return false;
    if (pkt_present_has(a->kept, a->size, i))
        return true;
    if (i >= a->set.n)
        return keep_new(k, a, i);
    if (i >= a->old)
        return true;
    if (a->offered != NULL && (!pkt_present_has(a->offered, a->size, i) || a->set.count >= a->limit))
        return false;
    return keep_old(k, a, i);
}

bool pkt_fit(pkt_fit_array *arrays, unsigned count, const void *base, const void *v, void *sent, uint32_t *order,
             uint32_t *entries, pkt_fit_room room)
{
    const uint32_t all = *entries;
    choice k = {base, v, sent, room.rest + room.padding, room.most < MOST ? room.most : MOST};
    *entries = 0;
    for (unsigned n = 0; n < count; n++)
        if (arrays[n].now > arrays[n].size)
            return false;
    if (room.rest > k.most)
        return false;
    for (uint32_t at = 0; at < all; at++) {
        const uint32_t number = order[at];
        uint32_t i = number;
        unsigned n = 0;
        while (n < count && i >= arrays[n].size)
            i -= arrays[n++].size;
        if (n == count || !keep(&k, &arrays[n], i))
            continue;
        order[at] = order[*entries];
        order[*entries] = number;
        ++*entries;
    }
    return true;
}
