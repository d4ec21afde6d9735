/* pkt_fit.c - chooses which elements of arrays are sent if a budget is too small for all.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_fit.h"
#include "pkt_frame.h"

/* What elements take, in bits. */
typedef struct pkt_fit_cost {
    uint64_t bits, plain;
    int64_t lead;
} pkt_fit_cost;

/* What became of a number of an order. */
typedef enum pkt_fate { PKT_FATE_KEPT, PKT_FATE_LEFT_OUT, PKT_FATE_INVALID, PKT_FATE_ABSENT } pkt_fate;

/* What has been chosen so far. */
typedef struct pkt_choice {
    const pkt_type *type;
    pkt_fit_array *arrays;
    unsigned count;
    const void *base, *v;
    void *sent;
    pkt_element *order; /* `all` of them */
    uint32_t all;
    pkt_cursor *c;                /* of a measuring writer */
    uint64_t used, most;          /* bits */
    const pkt_fit_coding *coding; /* of a type with coded fields, or NULL: then the members below are not used */
    uint64_t plain;               /* bits in the plain form; `used` is those in the coded one */
    int64_t lead;      /* by how many bits the coded form is shorter, padding aside; it decides which one is sent */
    uint64_t changes;  /* the change mask of the type */
    pkt_fit_cost kept; /* what the elements that were kept take by themselves, without indices */
} pkt_choice;

/* ---- the bits of a subset itself */

/* Adds a difference to those of a subset, or removes it. */
static void pkt_count_difference(pkt_fit_set *s, uint32_t d, bool added)
{
    if (d >= PKT_FAR)
        s->far_count += added ? 1 : UINT32_MAX;
    else if (added)
        s->near_bits += pkt_differences[d].bits;
    else
        s->near_bits -= pkt_differences[d].bits;
}

/* Whether anything of an array is sent in a delta. */
static bool pkt_is_changed(const pkt_fit_set *s)
{
    return s->count != 0 || s->moved;
}

/* The bits of an array without its elements; of a coded array, in the plain form. */
static uint64_t pkt_subset_bits(const pkt_fit_array *a, const pkt_fit_set *s)
{
    const uint64_t relative = s->near_bits + (uint64_t)s->far_count * (6 + pkt_far_bits(s->n));
    switch (a->kind) {
    case PKT_SUBSET_FLAG:
    case PKT_SUBSET_BITMAP: return s->head_bits + s->n;
    case PKT_SUBSET_COUNT: return pkt_bit_length(a->limit) + (uint64_t)s->count * pkt_bit_length(s->n - 1);
    case PKT_SUBSET_SENTINEL: return ((uint64_t)s->count + 1) * pkt_bit_length(s->n);
    case PKT_SUBSET_RELATIVE: return relative;
    case PKT_SUBSET_AUTO: break;
    }
    if (!a->offered && !pkt_is_changed(s))
        return 0;
    return s->head_bits + 1 + (relative > s->n ? s->n : relative);
}

/* The same for a coded array, in the coded form. */
static uint64_t pkt_run_bits(const pkt_fit_set *s)
{
    return pkt_is_changed(s) ? s->head_bits + s->run_bits : 0;
}

/* One more than the last element of a bitmap before i; 0 if there is none. */
PKT_INLINE uint32_t pkt_end_before(const uint64_t *set, uint32_t i)
{
    uint32_t word = i / 64;
    uint64_t left = i % 64 != 0 ? set[word] & pkt_mask(i % 64) : 0;
    while (left == 0 && word != 0)
        left = set[--word];
    return left != 0 ? word * 64 + pkt_high_bit(left) + 1 : 0;
}

/* The bits after the surprise before `from`, up to the one at `next`, which is n if there is none. */
static unsigned pkt_bits_until(const pkt_fit_array *a, const pkt_fit_set *s, uint32_t from, uint32_t next)
{
    if (next < s->n)
        return pkt_coded_run_bits(next - from, a->runs);
    return from < s->n ? pkt_coded_end_bits(a->runs) : 0;
}

/* Makes element i of a coded array a surprise, or no surprise any more. The bitmap is left as it is. */
static PKT_NOINLINE void pkt_toggle_surprise(const pkt_fit_array *a, pkt_fit_set *s, uint32_t i)
{
    const uint32_t from = i < s->run_from ? pkt_end_before(a->surprises, i) : s->run_from,
                   next = i < s->run_from ? pkt_present_next(a->surprises, s->n, i + 1) : s->n;
    const unsigned with = pkt_coded_run_bits(i - from, a->runs) + pkt_bits_until(a, s, i + 1, next),
                   without = pkt_bits_until(a, s, from, next);
    if (i < s->run_from && pkt_present_has(a->surprises, a->size, i)) {
        s->run_bits += without - with;
        if (next == s->n)
            s->run_from = from;
    } else {
        s->run_bits += with - without;
        if (next == s->n)
            s->run_from = i + 1;
    }
}

/* Adds element i, which is not in it, to a subset. The bitmaps are left as they are. */
static void pkt_add_element(const pkt_fit_array *a, pkt_fit_set *s, uint32_t i)
{
    uint32_t from = s->from, next = s->n;
    if (i < s->from) {
        from = pkt_end_before(a->kept, i);
        next = pkt_present_next(a->kept, s->n, i + 1);
    } else {
        s->from = i + 1;
    }
    pkt_count_difference(s, next - from + 1, false);
    pkt_count_difference(s, i - from + 1, true);
    pkt_count_difference(s, next - i, true);
    s->count++;
    if (a->runs)
        pkt_toggle_surprise(a, s, i);
}

/* Gives the array one more element at its end. */
static void pkt_add_new(const pkt_fit_array *a, pkt_fit_set *s)
{
    pkt_count_difference(s, s->n - s->from + 1, false);
    if (a->runs && s->run_from == s->n)
        s->run_bits += pkt_coded_end_bits(a->runs);
    s->n++;
    s->moved = true;
    pkt_count_difference(s, s->n - s->from + 1, true);
}

static void pkt_put_bit(uint64_t *set, uint32_t i, bool on)
{
    const uint64_t bit = UINT64_C(1) << i % 64;
    set[i / 64] = on ? set[i / 64] | bit : set[i / 64] & ~bit;
}

/* Puts element i, which is not in them, into the bitmaps, or takes it out again. */
PKT_INLINE void pkt_put_element(pkt_fit_array *a, uint32_t i, bool on)
{
    pkt_put_bit(a->kept, i, on);
    if (a->runs && a->surprises != a->kept)
        a->surprises[i / 64] ^= UINT64_C(1) << i % 64;
}

/* ---- arrays */

/* The elements that both the baseline and the value have; of a list, all of the baseline. */
static uint32_t pkt_common_of(const pkt_fit_array *a)
{
    const uint32_t common = a->keys || a->old < a->now ? a->old : a->now;
    return common < a->size ? common : a->size;
}

static void pkt_start_array(pkt_fit_array *a)
{
    const uint32_t n = pkt_common_of(a);
    a->set.n = n;
    a->set.count = 0;
    a->set.from = 0;
    a->set.far_count = 0;
    a->set.near_bits = 0;
    a->set.head_bits = a->head_bits;
    a->set.moved = n != a->old || a->gone;
    a->set.run_bits = 0;
    a->set.run_from = 0;
    pkt_count_difference(&a->set, n + 1, true);
    a->blocked = UINT32_MAX;
    a->blocked_bits = a->blocked_plain = 0;
}

PKT_NOINLINE void pkt_fit_delta_array(pkt_fit_array *a, size_t offset, uint32_t size, uint32_t old, uint32_t now,
                                      unsigned count_bits, bool pads, uint64_t *kept, pkt_fit_bits *bits,
                                      pkt_fit_copy *copy)
{
    a->bits = bits;
    a->copy = copy;
    a->offered = NULL;
    a->kept = kept;
    a->kind = PKT_SUBSET_AUTO;
    a->size = a->limit = size;
    a->old = old;
    a->now = now;
    a->head_bits = count_bits;
    a->gone = false;
    a->keys = NULL;
    a->pads = pads;
    a->offset = offset;
    a->each = 0;
    a->listed = UINT32_MAX;
    a->same = 0;
    a->block_bits = 0;
    a->field = 0;
    a->runs = NULL;
    a->surprises = NULL;
    a->part = NULL;
    pkt_start_array(a);
}

void pkt_fit_plain_array(pkt_fit_array *a, const void *base, const void *v, size_t each)
{
    const char *old = (const char *)base + a->offset, *now = (const char *)v + a->offset;
    uint32_t i, end = 0;
    a->each = each;
    a->same = UINT64_MAX;
    for (a->block_bits = 6; (a->size - 1) >> a->block_bits > 63;)
        a->block_bits++;
    while (pkt_next_block(&i, &end, now, old, each, a->size, a->now, a->old))
        a->same &= ~(UINT64_C(1) << (i >> a->block_bits));
}

/* Counts the surprises of a coded array. */
static PKT_COLD void pkt_start_surprises(pkt_fit_array *a)
{
    pkt_fit_set *s = &a->set;
    for (uint32_t i = pkt_present_next(a->surprises, s->n, 0); i < s->n;
         i = pkt_present_next(a->surprises, s->n, i + 1)) {
        s->run_bits += pkt_coded_run_bits(i - s->run_from, a->runs);
        s->run_from = i + 1;
    }
    s->run_bits += pkt_bits_until(a, s, s->run_from, s->n);
}

void pkt_fit_coded_array(pkt_fit_array *a, unsigned field, const pkt_codes *runs, uint64_t *expected)
{
    a->field = field;
    a->runs = runs;
    a->surprises = expected ? expected : a->kept;
    if (runs)
        pkt_start_surprises(a);
}

void pkt_fit_sparse_array(pkt_fit_array *a, size_t offset, pkt_subset_kind kind, uint32_t size, uint32_t limit,
                          bool pads, uint64_t *present, uint64_t *offered, pkt_fit_bits *bits)
{
    const size_t bytes = ((size_t)size + 63) / 64 * sizeof *present;
    memcpy(offered, present, bytes);
    memset(present, 0, bytes);
    pkt_fit_delta_array(a, offset, size, size, size, 0, pads, present, bits, NULL);
    a->kind = kind;
    a->limit = limit;
    a->offered = offered;
}

void pkt_fit_from_baseline(const pkt_fit_array *arrays, unsigned count, const void *base, void *sent)
{
    for (const pkt_fit_array *a = arrays; a != arrays + count; a++) {
        if (a->keys)
            continue; /* see pkt_fit_fill_lists */
        if (a->each != 0)
            memcpy((char *)sent + a->offset, (const char *)base + a->offset, a->set.n * a->each);
        for (uint32_t i = 0; a->each == 0 && i < a->set.n; i++)
            a->copy(sent, base, i);
    }
}

/* ---- elements */

/* More bits than any value has, and than there is ever room for. Their sum does not wrap. */
#define MOST (UINT64_C(1) << 62)
#define NO_BITS (UINT64_C(1) << 63)

/* The bits of an element that begins at a bit; NO_BITS if it cannot be written. coding: NULL, or gets the lead. */
static uint64_t pkt_bits_at(const pkt_fit_array *a, const pkt_choice *k, uint32_t i, uint32_t j, uint64_t start,
                            pkt_coding *coding, bool *changed)
{
    pkt_cursor *c = k->c;
    c->bit = c->start = c->writer->bit = start;
    c->over = 0;
    c->changed = true;
    c->writer->part = a->part;
    if (coding) {
        c->coding = c->writer->coding = coding;
        coding->before = k->base;
        coding->lead = 0;
    }
    if (!a->bits(c, coding ? k->coding->was : k->base, k->v, i, j) || c->bit > MOST)
        return NO_BITS;
    *changed = c->changed;
    return c->bit - start;
}

/* The most bits that an element can have, wherever it begins. *changed: whether anything of it is sent. */
static uint64_t pkt_bits_of(const pkt_fit_array *a, const pkt_choice *k, uint32_t i, uint32_t j, pkt_coding *coding,
                            bool *changed)
{
    uint64_t bits = 0, start = 0;
    do {
        const uint64_t there = pkt_bits_at(a, k, i, j, start, coding, changed);
        /* The size of padding depends on where it begins: if the first two measures are the same, there is none. */
        if (start == 1 && there == bits)
            break;
        if (there > bits)
            bits = there;
    } while (a->pads && ++start < 8 && bits != NO_BITS);
    return bits;
}

/* The baseline has been predicted, which `gap` 0 says. */
static pkt_coding pkt_coding_for(const pkt_choice *k, bool plain, bool counted)
{
    const pkt_coding coding = {k->base, NULL, k->coding ? k->coding->back : 0, 0, 0, plain, counted, false};
    return coding;
}

/* The same of both forms. Returns whether anything is sent. */
static PKT_NOINLINE bool pkt_cost_of_forms(const pkt_fit_array *a, const pkt_choice *k, uint32_t i, uint32_t j,
                                           pkt_fit_cost *t)
{
    pkt_coding coding = pkt_coding_for(k, false, false);
    bool changed = true;
    t->bits = pkt_bits_of(a, k, i, j, &coding, &changed);
    t->lead = coding.lead;
    t->plain = t->bits + (uint64_t)coding.lead;
    if (t->bits == NO_BITS) {
        t->plain = NO_BITS;
    } else if (a->pads) {
        coding.plain = coding.counted = true;
        t->plain = pkt_bits_of(a, k, i, j, &coding, &changed);
    }
    return changed;
}

static bool pkt_cost_of(const pkt_fit_array *a, const pkt_choice *k, uint32_t i, uint32_t j, pkt_fit_cost *t)
{
    bool changed = true;
    if (k->coding)
        return pkt_cost_of_forms(a, k, i, j, t);
    t->bits = pkt_bits_of(a, k, i, j, NULL, &changed);
    t->plain = 0;
    t->lead = 0;
    return changed;
}

/* Whether elements do not fit even if the indices and the change mask become shorter by `slack` bits. */
static bool pkt_is_over(const pkt_choice *k, uint64_t bits, uint64_t plain, uint64_t slack)
{
    const uint64_t coded = k->used + bits, other = k->plain + plain;
    return (!k->coding || coded < other ? coded : other) > k->most + slack;
}

/* Whether there is room in the form that the lead selects, if `index` bits more of an array are not elements. */
static PKT_NOINLINE bool pkt_choose_form(pkt_choice *k, const pkt_fit_array *a, const pkt_fit_set *set,
                                         const pkt_fit_cost *t, uint64_t index)
{
    const pkt_coded_changes *codes = k->coding->changes;
    const uint64_t coded_index = a->runs ? pkt_run_bits(set) - pkt_run_bits(&a->set) : index;
    uint64_t changes = k->changes, mask = 0, used, plain;
    int64_t lead;
    if (codes && pkt_is_changed(set)) {
        changes |= UINT64_C(1) << a->field;
        mask = (uint64_t)pkt_coded_mask_bits(changes, codes) - pkt_coded_mask_bits(k->changes, codes);
    }
    used = k->used + t->bits + coded_index + mask;
    plain = k->plain + t->plain + index;
    lead = k->lead + t->lead + (int64_t)(index - coded_index - mask);
    if ((lead >= 0 ? used : plain) > k->most)
        return false;
    k->used = used;
    k->plain = plain;
    k->lead = lead;
    k->changes = changes;
    k->kept.bits += t->bits;
    k->kept.plain += t->plain;
    return true;
}

/* Makes `set` the subset of an array if it fits. t: of the elements that are new in it. */
PKT_INLINE bool pkt_choose(pkt_choice *k, pkt_fit_array *a, pkt_fit_set *set, const pkt_fit_cost *t)
{
    set->bits = pkt_subset_bits(a, set);
    if (k->coding) {
        if (!pkt_choose_form(k, a, set, t, set->bits - a->set.bits))
            return false;
    } else {
        const uint64_t used = k->used - a->set.bits + set->bits + t->bits;
        if (used > k->most)
            return false;
        k->used = used;
    }
    a->set = *set;
    return true;
}

/* The most bits by which another element can shorten the rest of a coded delta. Plain indices have at most 64 fewer.
 * Two runs that become one have at most 45 fewer: arrays have at most 2^24 elements, so the two have at most 12 + 23
 * and 12 + 22 bits, and then the one has at least 1 + 23. A symbol of the change mask has 1 bit instead of 12;
 * or the mask is a frequent value, instead of one that takes 12 + 32 bits. */
enum { PKT_CODED_SLACK = 64 + 12 + 32 };

/* Whether an element is bit for bit that of the baseline. Most are, so this comes before they are measured. Those that
 * are not mostly differ in their first word, so memcmp would take longer. */
PKT_INLINE bool pkt_is_same_element(const pkt_choice *k, const pkt_fit_array *a, size_t stride, uint32_t i, uint32_t j)
{
    const uint8_t *now, *old;
    size_t left = a->each;
    if (!PKT_READS_PADDING || left == 0)
        return false;
    now = (const uint8_t *)k->v + a->offset + i * stride;
    old = (const uint8_t *)k->base + a->offset + j * stride;
    for (; left >= 8; left -= 8, now += 8, old += 8)
        if (pkt_load64(now) != pkt_load64(old))
            return false;
    return memcmp(now, old, left) == 0;
}

/* Puts element i, which is element j of the baseline, into the subset. */
static PKT_NOINLINE pkt_fate pkt_keep_old(pkt_choice *k, pkt_fit_array *a, uint32_t i, uint32_t j)
{
    pkt_fit_set set;
    pkt_fit_cost t;
    if (!pkt_cost_of(a, k, i, j, &t))
        return PKT_FATE_KEPT;
    /* One more element never makes the indices so much shorter. */
    if (pkt_is_over(k, t.bits, t.plain, k->coding ? PKT_CODED_SLACK : 64))
        return t.bits == NO_BITS ? PKT_FATE_INVALID : PKT_FATE_LEFT_OUT;
    set = a->set;
    pkt_add_element(a, &set, j);
    if (!pkt_choose(k, a, &set, &t))
        return PKT_FATE_LEFT_OUT;
    pkt_put_element(a, j, true);
    if (a->copy)
        a->copy(k->sent, k->v, i);
    return PKT_FATE_KEPT;
}

/* Finds the first new element of a counted array that is not in the order: none after it can be sent. No new element
 * is in `kept` yet or they are before set.n, so that the bits after it can be used to mark those in the order. */
static PKT_COLD void pkt_find_listed(const pkt_choice *k, pkt_fit_array *a)
{
    const uint32_t new_from = a->set.n;
    uint32_t first = 0, i;
    for (const pkt_fit_array *before = k->arrays; before != a; before++)
        first += before->size;
    for (uint32_t at = 0; at < k->all; at++)
        if (k->order[at].number >= first + new_from && k->order[at].number - first < a->now)
            pkt_put_bit(a->kept, k->order[at].number - first, true);
    for (a->listed = new_from; a->listed < a->now && pkt_present_has(a->kept, a->size, a->listed);)
        a->listed++;
    for (i = new_from; i < a->now; i++)
        pkt_put_bit(a->kept, i, false);
}

/* A new element of a counted array, with all new ones before it, which must be in the order too. They make plain indices no shorter, so it does not fit
 * if the elements alone do not. In coded deltas, the end symbol and those of the change mask can become shorter. */
static PKT_NOINLINE pkt_fate pkt_keep_new(pkt_choice *k, pkt_fit_array *a, uint32_t last)
{
    const uint32_t first = a->set.n;
    const uint64_t slack = k->coding ? PKT_CODED_SLACK : 0;
    pkt_fit_set set = a->set;
    pkt_fit_cost sum = {0, 0, 0};
    uint32_t i = first;
    if (last > first && a->listed == UINT32_MAX)
        pkt_find_listed(k, a);
    if (last > first && last >= a->listed)
        return PKT_FATE_LEFT_OUT;
    if (last >= a->blocked && pkt_is_over(k, a->blocked_bits, a->blocked_plain, slack))
        return last == a->blocked && a->blocked_bits > MOST ? PKT_FATE_INVALID : PKT_FATE_LEFT_OUT;
    for (; i <= last; i++) {
        pkt_fit_cost t;
        const bool changed = pkt_cost_of(a, k, i, i, &t);
        sum.bits += t.bits;
        sum.plain += t.plain;
        sum.lead += t.lead;
        if (pkt_is_over(k, sum.bits, sum.plain, slack)) {
            a->blocked = i;
            a->blocked_bits = sum.bits;
            a->blocked_plain = sum.plain;
            break;
        }
        pkt_add_new(a, &set);
        if (changed) {
            pkt_add_element(a, &set, i);
            pkt_put_element(a, i, true);
        }
    }
    if (i <= last || !pkt_choose(k, a, &set, &sum)) {
        while (i-- > first)
            if (pkt_present_has(a->kept, a->size, i))
                pkt_put_element(a, i, false);
        return last == a->blocked && sum.bits > MOST ? PKT_FATE_INVALID : PKT_FATE_LEFT_OUT;
    }
    if (last < a->blocked) {
        a->blocked_bits -= sum.bits;
        a->blocked_plain -= sum.plain;
    } else {
        a->blocked = UINT32_MAX;
    }
    for (i = first; i <= last; i++)
        a->copy(k->sent, k->v, i);
    return PKT_FATE_KEPT;
}

#ifndef PKT_WITHOUT_LIST
/* ---- lists with keys */

/* The bits of a key after another one, which may be UINT64_MAX for none: the difference of these can be 2^64. */
static uint64_t pkt_bits_between(const pkt_fit_array *a, uint64_t before, uint64_t key)
{
    const uint64_t increase = key - before - 1;
    return increase < PKT_FAR - 1 ? pkt_differences[increase + 1].bits : 6 + (uint64_t)pkt_key_far_bits(a->keys->span);
}

/* By how many bits a new element changes those of the keys: it comes between two that were added, or behind the last one. */
static uint64_t pkt_bits_of_key(const pkt_choice *k, const pkt_fit_array *a, uint32_t i)
{
    const char *elements = (const char *)k->v + a->offset;
    const uint64_t key = pkt_key_at(a->keys, elements, i);
    const uint32_t from = pkt_end_before(a->added, i), next = pkt_present_next(a->added, a->now, i + 1);
    const uint64_t before = from != 0 ? pkt_key_at(a->keys, elements, from - 1) : UINT64_MAX;
    uint64_t bits = pkt_bits_between(a, before, key) + (k->base != NULL);
    if (next < a->now) {
        const uint64_t after = pkt_key_at(a->keys, elements, next);
        bits += pkt_bits_between(a, key, after) - pkt_bits_between(a, before, after);
    }
    return bits;
}

static PKT_NOINLINE pkt_fate pkt_keep_added(pkt_choice *k, pkt_fit_array *a, uint32_t i)
{
    pkt_fit_set set = a->set;
    pkt_fit_cost t;
    (void)pkt_cost_of(a, k, i, UINT32_MAX, &t);
    /* Two keys that become three never take so many bits less. */
    if (pkt_is_over(k, t.bits, t.plain, k->coding ? PKT_CODED_SLACK : 64))
        return t.bits == NO_BITS ? PKT_FATE_INVALID : PKT_FATE_LEFT_OUT;
    set.head_bits += pkt_bits_of_key(k, a, i);
    set.moved = true;
    if (!pkt_choose(k, a, &set, &t))
        return PKT_FATE_LEFT_OUT;
    pkt_put_bit(a->added, i, true);
    return PKT_FATE_KEPT;
}

/* The element of the baseline with the key of element i; UINT32_MAX if there is none. Mostly it is as far behind it as that of the
 * element before. */
static uint32_t pkt_old_of(const pkt_choice *k, pkt_fit_array *a, uint32_t i)
{
    const uint64_t key = pkt_key_at(a->keys, (const char *)k->v + a->offset, i);
    const char *old = (const char *)k->base + a->offset;
    uint32_t j = i + a->ahead;
    if (j >= a->old || pkt_key_at(a->keys, old, j) != key)
        j = pkt_list_find(a->keys, old, a->old, key);
    if (j >= a->old || pkt_key_at(a->keys, old, j) != key)
        return UINT32_MAX;
    a->ahead = j - i;
    return j;
}

static pkt_fate pkt_keep_listed(pkt_choice *k, pkt_fit_array *a, uint32_t i)
{
    const uint32_t j = a->old != 0 ? pkt_old_of(k, a, i) : UINT32_MAX;
    if (j != UINT32_MAX)
        return pkt_present_has(a->kept, a->old, j) || pkt_is_same_element(k, a, a->keys->stride, i, j)
                   ? PKT_FATE_KEPT
                   : pkt_keep_old(k, a, i, j);
    return pkt_present_has(a->added, a->now, i) ? PKT_FATE_KEPT : pkt_keep_added(k, a, i);
}

void pkt_fit_list(pkt_fit_array *a, size_t offset, const pkt_keys *keys, const void *base, uint32_t old, const void *v,
                  uint32_t now, size_t each, bool pads, uint64_t *kept, uint64_t *added, pkt_fit_bits *bits)
{
    uint64_t gone = 0;
    uint32_t from = 0;
    pkt_fit_delta_array(a, offset, keys->most, old, now, 0, pads, kept, bits, NULL);
    a->keys = keys;
    a->added = added;
    a->ahead = 0;
    a->each = each;
    if (old > keys->most || now > keys->most)
        return; /* refused later */
    if (base) {
        pkt_pairs p = pkt_pairs_of(keys, (const char *)base + offset, old, (const char *)v + offset, now);
        while (pkt_pairs_next(&p))
            if (p.in_old && !p.in_now) {
                gone += pkt_difference_bits(p.j - from + 1, old);
                from = p.j + 1;
            }
        a->gone = from != 0;
        gone += pkt_difference_bits(old - from + 1, old);
        a->head_bits =
            2 + (a->gone ? 1 + (gone < old ? gone : old) : 0); /* whether there are any; the end of the keys */
    } else {
        a->kind = PKT_SUBSET_BITMAP; /* of 0 elements: only the keys are sent */
    }
    pkt_start_array(a);
}

void pkt_fit_fill_lists(pkt_fit_array *arrays, unsigned count, const void *base, const void *v, void *sent)
{
    for (pkt_fit_array *a = arrays; a != arrays + count; a++) {
        const size_t stride = a->keys ? a->keys->stride : 0;
        const char *now = (const char *)v + a->offset, *old = base ? (const char *)base + a->offset : NULL;
        char *to = (char *)sent + a->offset;
        pkt_pairs p;
        if (!a->keys)
            continue;
        p = pkt_pairs_of(a->keys, old, a->old < a->size ? a->old : a->size, now, a->now < a->size ? a->now : a->size);
        for (a->filled = 0; pkt_pairs_next(&p);) {
            const bool new_value = pkt_present_has(p.in_old ? a->kept : a->added, a->size, p.in_old ? p.j : p.i);
            if (!p.in_now || !(p.in_old || new_value))
                continue;
            memmove(to + a->filled++ * stride, new_value ? now + p.i * stride : old + p.j * stride, stride);
        }
    }
}
#endif

/* Makes element i, which may not exist, as in v. */
PKT_INLINE pkt_fate pkt_fit_keep(pkt_choice *k, pkt_fit_array *a, uint32_t i)
{
    if (i >= a->now)
        return PKT_FATE_ABSENT;
#ifndef PKT_WITHOUT_LIST
    if (a->keys)
        return pkt_keep_listed(k, a, i);
#endif
    if ((a->same != 0 && (a->same >> (i >> a->block_bits) & 1) != 0) || pkt_present_has(a->kept, a->size, i))
        return PKT_FATE_KEPT;
    if (i >= a->set.n)
        return pkt_keep_new(k, a, i);
    if (i >= a->old)
        return PKT_FATE_KEPT;
    if (a->offered && !pkt_present_has(a->offered, a->size, i))
        return PKT_FATE_ABSENT;
    if (a->offered && a->set.count >= a->limit)
        return PKT_FATE_LEFT_OUT;
    return pkt_is_same_element(k, a, a->each, i, i) ? PKT_FATE_KEPT : pkt_keep_old(k, a, i, i);
}

/* Keeps the element that a number of an order stands for. */
PKT_INLINE pkt_fate pkt_keep_number(pkt_choice *k, uint32_t number)
{
    unsigned n = 0;
    while (n < k->count && number >= k->arrays[n].size)
        number -= k->arrays[n++].size;
    return n != k->count ? pkt_fit_keep(k, &k->arrays[n], number) : PKT_FATE_ABSENT;
}

/* Must come before the first choice. */
static void pkt_start_subsets(pkt_choice *k)
{
    for (unsigned n = 0; n < k->count; n++)
        k->arrays[n].set.bits = pkt_subset_bits(&k->arrays[n], &k->arrays[n].set);
}

/* ---- reports */

/* Whether the counts are in range, and the keys of lists rise. */
static bool pkt_are_arrays_sound(const pkt_fit_array *arrays, unsigned count, const void *v)
{
    (void)v; /* without lists */
    for (const pkt_fit_array *a = arrays; a != arrays + count; a++) {
        if (a->now > a->size)
            return false;
#ifndef PKT_WITHOUT_LIST
        if (a->keys && !pkt_list_sound(a->keys, (const char *)v + a->offset, a->now))
            return false;
#endif
    }
    return true;
}

static bool pkt_is_array_at(const pkt_entry *e, size_t offset)
{
    return (e->kind == PKT_ENTRY_ARRAY || e->kind == PKT_ENTRY_COUNTED || e->kind == PKT_ENTRY_SPARSE) &&
           e->offset == offset;
}

/* The entry of an array. */
static PKT_COLD const pkt_entry *pkt_entry_of(const pkt_type *type, const pkt_fit_array *a)
{
    const pkt_entry *e = type->entries;
    while (!pkt_is_array_at(e, a->offset))
        e = pkt_entry_after(e);
    return e;
}

/* Explains a write into endless room. */
static PKT_COLD pkt_cursor pkt_fit_cursor(pkt_refs *refs, pkt_error *error)
{
    pkt_cursor c = pkt_cursor_at(NULL, NULL, 0, PKT_ENDLESS, 0, refs);
    pkt_no_error(error);
    c.error = error;
    c.parts = NULL;
    c.part = NULL;
    return c;
}

/* Records why the element that a number stands for cannot be written. */
static PKT_COLD void pkt_explain_number(const pkt_choice *k, uint32_t number, pkt_error *error)
{
    pkt_refs refs = pkt_any_refs();
    pkt_cursor c = pkt_fit_cursor(&refs, error);
    const pkt_fit_array *a = k->arrays;
    const pkt_entry *e;
    for (; number >= a->size; a++)
        number -= a->size;
    e = pkt_entry_of(k->type, a);
    if (pkt_explain_entry(&c, k->type, e + 1, (char *)(uintptr_t)k->v, number))
        pkt_explain_fail(&c, PKT_ERROR_VALUE, 0, e->name); /* only as a delta to this baseline */
    pkt_explain_element(&c, number);
    pkt_error_outer(error, k->type->name);
}

/* Records why nothing can be sent. measured: the rest of the value can be written, so there is no room for it. */
static PKT_COLD void pkt_explain_rest(const pkt_choice *k, bool measured, pkt_error *error)
{
    pkt_refs refs = pkt_any_refs();
    pkt_cursor c = pkt_fit_cursor(&refs, error);
    for (unsigned n = 0; n < k->count && error->code == PKT_OK; n++)
        if (!pkt_are_arrays_sound(&k->arrays[n], 1, k->v)) /* T_fit_write has set the count of a list to 0 */
            (void)pkt_explain_order(&c, pkt_entry_of(k->type, &k->arrays[n]), (char *)(uintptr_t)k->v,
                                    k->arrays[n].now);
    if (error->code == PKT_OK && !measured) {
        c.baseline = true;
        if (k->base && !pkt_explain_type(&c, k->type, NULL, k->base)) {
            pkt_no_error(error);
            error->code = PKT_ERROR_BASELINE;
        } else if (pkt_value_valid(k->type, &refs, k->sent ? k->sent : k->v, error)) {
            error->code = PKT_ERROR_VALUE; /* only as a delta to this baseline */
        } else {
            return;
        }
    } else if (error->code == PKT_OK) {
        error->code = PKT_ERROR_CAPACITY;
    }
    pkt_error_outer(error, k->type->name);
}

/* T_fit_... fails: there is no room for the rest of the value, or it cannot be written. */
static PKT_COLD bool pkt_fit_fails(const pkt_choice *k, bool measured, pkt_fit_report *report)
{
    if (!report)
        return false;
    memset(report, 0, sizeof *report);
    pkt_explain_rest(k, measured, &report->error);
    return false;
}

bool pkt_fit_refused(const pkt_type *type, uint32_t *entries, pkt_fit_report *report)
{
    *entries = 0;
    if (report) {
        memset(report, 0, sizeof *report);
        report->error.code = PKT_ERROR_BASELINE;
        pkt_error_outer(&report->error, type->name);
    }
    return false;
}

/* Chooses by the order, and reports what became of it. Returns how many numbers were kept. */
static uint32_t pkt_choose_all(pkt_choice *k, pkt_fit_report *report)
{
    pkt_element *const order = k->order;
    uint32_t entries = 0, good = 0, absent = 0;
    if (report)
        pkt_no_error(&report->error);
    pkt_start_subsets(k);
    /* The numbers that were kept come first, those of invalid elements after them: up to `good`. */
    for (uint32_t at = 0; at < k->all; at++) {
        const pkt_element element = order[at];
        const pkt_fate fate = pkt_keep_number(k, element.number);
        absent += fate == PKT_FATE_ABSENT;
        if (fate == PKT_FATE_LEFT_OUT || fate == PKT_FATE_ABSENT)
            continue;
        order[at] = order[good];
        if (fate == PKT_FATE_KEPT) {
            order[good] = order[entries];
            order[entries++] = element;
        } else {
            order[good] = element;
            if (report && good == entries)
                pkt_explain_number(k, element.number, &report->error);
        }
        good++;
    }
    if (report) {
        report->kept = entries;
        report->invalid = good - entries;
        report->absent = absent;
        report->cut = 0;
        report->left_out = k->all - good - absent;
    }
    return entries;
}

static uint64_t pkt_bits_of_form(const pkt_choice *k)
{
    return k->lead >= 0 ? k->used : k->plain;
}

/* Undoes the choice. */
static PKT_COLD void pkt_start_again(const pkt_choice *k)
{
    for (unsigned n = 0; n < k->count; n++) {
        pkt_fit_array *a = &k->arrays[n];
        const uint32_t common = pkt_common_of(a);
        for (uint32_t i = pkt_present_next(a->kept, a->set.n, 0); i < a->set.n;
             i = pkt_present_next(a->kept, a->set.n, i + 1)) {
            pkt_put_element(a, i, false);
            if (i < common && a->copy)
                a->copy(k->sent, k->base, i);
        }
        if (a->keys)
            memset(a->added, 0, ((size_t)a->now + 63) / 64 * sizeof *a->added);
        pkt_start_array(a);
        if (a->runs)
            pkt_start_surprises(a);
    }
}

/* Keeps the whole order if it fits. Elements that were expected to change are surprises until they are kept, so all of
 * them may fit although the first ones do not. */
static PKT_NOINLINE bool pkt_choose_whole(const pkt_choice *k, uint32_t *entries, pkt_fit_report *report)
{
    pkt_choice whole = *k;
    uint32_t kept = 0;
    whole.most = MOST;
    pkt_start_subsets(&whole);
    /* Once the elements alone are too much in both forms, so is the whole. */
    for (uint32_t at = 0; at < k->all && (whole.kept.bits <= k->most || whole.kept.plain <= k->most); at++)
        kept += pkt_keep_number(&whole, k->order[at].number) == PKT_FATE_KEPT;
    if (pkt_bits_of_form(&whole) > k->most) {
        pkt_start_again(k);
        return false;
    }
    /* Elements in the subsets are not measured again. */
    *entries = kept == k->all && !report ? kept : pkt_choose_all(&whole, report);
    return true;
}

/* By how many bits a subset can be shorter with elements than without, because its end is a difference too. Without any,
 * an array of one element has a difference of 2, in 4 bits. With it, it has two of 1, in 1 bit each, and the element. */
enum { PKT_END_SLACK = 2 };

bool pkt_fit(const pkt_type *type, pkt_fit_array *arrays, unsigned count, const void *base, const void *v, void *sent,
             pkt_element *order, uint32_t *entries, pkt_fit_room room, pkt_fit_report *report)
{
    const uint64_t most = room.most < MOST ? room.most : MOST;
    pkt_writer w;
    pkt_cursor c;
    pkt_choice k = {type, arrays, count, base, v, sent,     order, *entries, &c, room.rest + room.padding,
                    most, NULL,   0,     0,    0, {0, 0, 0}};
    pkt_measuring_writer(&w, 0);
    pkt_writer_cursor(&c, &w);
    *entries = 0;
    if (!pkt_are_arrays_sound(arrays, count, v))
        return pkt_fit_fails(&k, false, report);
    if (room.rest > most)
        return (room.rest - most <= PKT_END_SLACK * count && pkt_choose_whole(&k, entries, report)) ||
               pkt_fit_fails(&k, room.rest <= MOST, report);
    *entries = pkt_choose_all(&k, report);
    return true;
}

/* ---- types with coded fields */

/* The bits of the value in one form. *lead: only of the coded one. */
static bool pkt_measure_form(const pkt_choice *k, bool plain, uint64_t *bits, int64_t *lead)
{
    const uint64_t start = k->coding->start % 8;
    pkt_coding coding = pkt_coding_for(k, plain, plain);
    pkt_writer w;
    pkt_measuring_writer(&w, start);
    w.coding = &coding;
    w.part = k->arrays->part;
    if (!pkt_write_form(&w) || !pkt_put_coded(&w, k->coding->was, k->sent, k->coding->put) || w.bit > MOST)
        return false;
    *bits = w.bit - start;
    *lead = coding.lead;
    return true;
}

/* The change mask of the value. In the plain form it comes first, right after the form bit. There is no room after it,
 * so the write fails. If it fails before the mask, T_write_delta of the chosen elements fails too, whatever is counted
 * here. */
static uint64_t pkt_changes_of(const pkt_choice *k)
{
    uint8_t bytes[16] = {0};
    pkt_coding coding = pkt_coding_for(k, true, true);
    pkt_writer w;
    pkt_writer_init(&w, bytes, sizeof bytes);
    w.coding = &coding;
    w.part = k->arrays->part;
    (void)(pkt_write_form(&w) && pkt_put_coded(&w, k->coding->was, k->sent, k->coding->put));
    return pkt_load64(bytes) >> 1 & pkt_mask(k->coding->changes->count);
}

static bool pkt_measure_rest(pkt_choice *k)
{
    int64_t none;
    if (!pkt_measure_form(k, false, &k->used, &k->lead))
        return false;
    k->plain = k->used + (uint64_t)k->lead;
    if (k->coding->pads && !pkt_measure_form(k, true, &k->plain, &none))
        return false;
    if (k->coding->changes)
        k->changes = pkt_changes_of(k);
    return true;
}

bool pkt_fit_coded(const pkt_type *type, pkt_fit_array *arrays, unsigned count, const void *base, const void *v,
                   void *sent, pkt_element *order, uint32_t *entries, pkt_fit_room room, const pkt_fit_coding *coding,
                   pkt_fit_report *report)
{
    pkt_writer w;
    pkt_cursor c;
    pkt_choice k = {
        type,   arrays, count, base, v,        sent, order, *entries, &c, 0, room.most < MOST ? room.most : MOST,
        coding, 0,      0,     0,    {0, 0, 0}};
    bool fits;
    pkt_measuring_writer(&w, 0);
    pkt_writer_cursor(&c, &w);
    *entries = 0;
    if (!pkt_are_arrays_sound(arrays, count, v) || !pkt_measure_rest(&k))
        return pkt_fit_fails(&k, false, report);
    fits = pkt_bits_of_form(&k) <= k.most;
    k.used += room.padding;
    k.plain += room.padding;
    if (pkt_choose_whole(&k, entries, report))
        return true;
    if (!fits)
        return pkt_fit_fails(&k, true, report);
    *entries = pkt_choose_all(&k, report);
    return true;
}

/* ---- what came */

/* Whether element i differs from element j of the baseline. What cannot be measured, differs. */
static bool pkt_has_come(pkt_fit_bits *bits, const void *base, const void *v, uint32_t i, uint32_t j)
{
    pkt_coding coding = {base, NULL, 0, 0, 0, false, false, false};
    pkt_writer w;
    pkt_cursor c;
    pkt_measuring_writer(&w, 0);
    pkt_writer_cursor(&c, &w);
    c.coding = w.coding = &coding;
    c.changed = true;
    return !bits(&c, base, v, i, j) || c.changed;
}

void pkt_what_came(pkt_fit_bits *bits, const pkt_keys *keys, size_t offset, uint32_t size, const void *base,
                   uint32_t old, const void *v, uint32_t now, uint64_t *came, uint64_t *added, uint64_t *gone)
{
    old = old < size ? old : size;
    now = now < size ? now : size;
#ifndef PKT_WITHOUT_LIST
    if (keys) {
        pkt_pairs p = pkt_pairs_of(keys, (const char *)base + offset, old, (const char *)v + offset, now);
        while (pkt_pairs_next(&p)) {
            if (!p.in_now)
                pkt_put_bit(gone, p.j, true);
            else if (!p.in_old)
                pkt_put_bit(added, p.i, true);
            if (p.in_now && (!p.in_old || pkt_has_come(bits, base, v, p.i, p.j)))
                pkt_put_bit(came, p.i, true);
        }
        return;
    }
#endif
    (void)keys, (void)offset; /* without lists */
    for (uint32_t i = 0; i < old || i < now; i++) {
        if (i >= now)
            pkt_put_bit(gone, i, true);
        else if (i >= old)
            pkt_put_bit(added, i, true);
        if (i < now && (i >= old || pkt_has_come(bits, base, v, i, i)))
            pkt_put_bit(came, i, true);
    }
}
