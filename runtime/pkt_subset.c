/* pkt_subset.c - presence bits, the table of differences, and errors of subsets.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_change.h"

/* A column of the table in pkt_subset.h: its first difference, and the number of bits of the prefix, which is also the
 * number of bits after it. */
#define CODE(d, first, prefix)                                                     \
    {                                                                              \
        (uint16_t)(1u << ((prefix)-1) | ((d) - (first)) << (prefix)), 2 * (prefix) \
    }
#define FOUR(d, first, prefix) \
    CODE(d, first, prefix), CODE(d + 1, first, prefix), CODE(d + 2, first, prefix), CODE(d + 3, first, prefix)
#define SIXTEEN(d, first, prefix) \
    FOUR(d, first, prefix), FOUR(d + 4, first, prefix), FOUR(d + 8, first, prefix), FOUR(d + 12, first, prefix)

const pkt_difference pkt_differences[PKT_FAR] = {{0, 0},
                                                 {1, 1},
                                                 FOUR(2, 2, 2),
                                                 FOUR(6, 6, 3),
                                                 FOUR(10, 6, 3),
                                                 SIXTEEN(14, 14, 4),
                                                 SIXTEEN(30, 30, 5),
                                                 SIXTEEN(46, 30, 5),
                                                 SIXTEEN(62, 62, 6),
                                                 SIXTEEN(78, 62, 6),
                                                 SIXTEEN(94, 62, 6),
                                                 SIXTEEN(110, 62, 6)};

const pkt_difference_column pkt_difference_columns[6] = {{1, 0, 1},   {2, 3, 4},    {6, 7, 6},
                                                         {14, 15, 8}, {30, 31, 10}, {62, 63, 12}};

uint64_t pkt_window_edge(const uint8_t *data, size_t at, size_t size)
{
    return at < size ? pkt_load_edge(data, at, size) : 0;
}

uint64_t pkt_difference_bits(uint32_t d, uint32_t n)
{
    return d < PKT_FAR ? pkt_differences[d].bits : 6 + pkt_far_bits(n);
}

/* The bits of all differences, or any number over n. */
static uint64_t pkt_bits_of_differences(const uint64_t *set, uint32_t n)
{
    pkt_scan s = pkt_scan_of(set, n);
    uint64_t bits = 0;
    uint32_t from = 0;
    bool more = true;
    while (more && bits <= n) {
        more = pkt_scan_next(&s);
        bits += pkt_difference_bits(s.index - from + 1, n);
        from = s.index + 1;
    }
    return bits;
}

bool pkt_subset_is_dense(const uint64_t *set, uint32_t n)
{
    return pkt_bits_of_differences(set, n) > n;
}

unsigned pkt_subset_auto_bits(const uint64_t *set, uint32_t n)
{
    const uint64_t bits = pkt_bits_of_differences(set, n);
    return 1 + (unsigned)(bits < n ? bits : n);
}

/* ---- presence bits */

/*@ requires n == 0 || \valid_read(present + (0 .. (n - 1) / 64));
  @ assigns \nothing;
  @ ensures \result <= n; */
uint32_t pkt_present_next(const uint64_t *present, uint32_t n, uint32_t from)
{
    uint64_t left;
    if (from >= n)
        return n;
    left = present[from / 64] >> from % 64;
    /*@ loop invariant from < n;
      @ loop assigns from, left;
      @ loop variant n - from; */
    while (left == 0) {
        if (n - from <= 64 - from % 64)
            return n;
        from += 64 - from % 64;
        left = present[from / 64];
    }
    from += pkt_low_bit(left);
    return from < n ? from : n;
}

/*@ requires n <= UINT32_MAX - 64 && (n == 0 || \valid_read(present + (0 .. (n - 1) / 64)));
  @ assigns \nothing; */
uint32_t pkt_present_count(const uint64_t *present, uint32_t n)
{
    uint32_t count = 0;
    /*@ loop invariant i % 64 == 0 && i <= n + 63;
      @ loop assigns i, count;
      @ loop variant n + 64 - i; */
    for (uint32_t i = 0; i < n; i += 64)
        count += pkt_ones(n - i < 64 ? present[i / 64] & pkt_mask(n - i) : present[i / 64]);
    return count;
}

/* ---- subsets that are not joined: one function a mode, each for all kinds */

bool pkt_subset_write_begin(pkt_subset_kind kind, pkt_cursor *c, pkt_subset *s, const uint64_t *written, uint32_t n,
                            uint32_t limit)
{
    return pkt_subset_begin(PKT_WRITE, kind, c, s, written, NULL, n, limit);
}

bool pkt_subset_read_begin(pkt_subset_kind kind, pkt_cursor *c, pkt_subset *s, uint64_t *read, uint32_t n,
                           uint32_t limit)
{
    return pkt_subset_begin(PKT_READ, kind, c, s, NULL, read, n, limit);
}

bool pkt_subset_measure_begin(pkt_subset_kind kind, pkt_cursor *c, pkt_subset *s, const uint64_t *written, uint32_t n,
                              uint32_t limit)
{
    return pkt_subset_begin(PKT_MEASURE, kind, c, s, written, NULL, n, limit);
}

static PKT_NOINLINE bool pkt_write_next_of_any(pkt_subset_kind kind, pkt_cursor *c, pkt_subset *s, uint64_t ahead,
                                               uint64_t rest)
{
    return pkt_subset_next(PKT_WRITE, kind, c, s, ahead, rest);
}

static PKT_NOINLINE bool pkt_read_next_of_any(pkt_subset_kind kind, pkt_cursor *c, pkt_subset *s, uint64_t ahead,
                                              uint64_t rest)
{
    return pkt_subset_next(PKT_READ, kind, c, s, ahead, rest);
}

/* Most sparse arrays name no kind, and most of their steps stay in one block of the bitmap. Code for that case alone
 * takes a sixth fewer instructions to write, and a tenth to read. */
bool pkt_subset_write_next(pkt_subset_kind kind, pkt_cursor *c, pkt_subset *s, uint64_t ahead, uint64_t rest)
{
    if (kind == PKT_SUBSET_AUTO && !s->bitmap && s->scan.n > 64 && s->scan.left != 0)
        return pkt_subset_next(PKT_WRITE, PKT_SUBSET_AUTO, c, s, ahead, rest);
    return pkt_write_next_of_any(kind, c, s, ahead, rest);
}

bool pkt_subset_read_next(pkt_subset_kind kind, pkt_cursor *c, pkt_subset *s, uint64_t ahead, uint64_t rest)
{
    if (kind == PKT_SUBSET_AUTO && !s->bitmap)
        return pkt_subset_next(PKT_READ, PKT_SUBSET_AUTO, c, s, ahead, rest);
    return pkt_read_next_of_any(kind, c, s, ahead, rest);
}

bool pkt_subset_measure_next(pkt_subset_kind kind, pkt_cursor *c, pkt_subset *s, uint64_t ahead, uint64_t rest)
{
    return pkt_subset_next(PKT_MEASURE, kind, c, s, ahead, rest);
}

/* ---- explaining */

static bool pkt_subset_fail(pkt_cursor *c, const pkt_subset *s, pkt_code code, uint64_t bit)
{
    return pkt_explain_fail(c, code, bit, s->name);
}

/* In errors a bitmap is one item. */
static bool pkt_explain_bitmap(pkt_cursor *c, pkt_subset *s, bool chosen)
{
    const uint64_t start = c->bit;
    s->bitmap = true;
    if (!c->reading && pkt_present_count(s->written, s->n) > s->limit)
        return pkt_subset_fail(c, s, PKT_ERROR_RANGE, start);
    if (start + s->n > c->limit)
        return pkt_subset_fail(c, s, c->reading ? PKT_ERROR_END : PKT_ERROR_CAPACITY, start);
    if (s->read != NULL) {
        pkt_subset_get_bitmap(c, s->read, s->n);
        if (pkt_present_count(s->read, s->n) > s->limit) {
            memset(s->read, 0, ((size_t)s->n + 63) / 64 * sizeof *s->read);
            return pkt_subset_fail(c, s, PKT_ERROR_RANGE, start);
        }
        if (chosen && !pkt_subset_is_dense(s->read, s->n))
            return pkt_subset_fail(c, s, PKT_ERROR_CANONICAL, s->start);
        s->scan = pkt_scan_of(s->read, s->n);
    } else {
        c->bit += s->n;
    }
    return true;
}

bool pkt_explain_subset_begin(pkt_cursor *c, pkt_subset *s, pkt_subset_kind kind, uint64_t *present, uint32_t n,
                              uint32_t limit, const char *field)
{
    uint64_t raw = 0;
    pkt_subset_init(s, present, c->reading ? present : NULL, n, limit);
    s->start = c->bit;
    s->name = field;
    if (!c->reading) {
        if (pkt_subset_strays(s->written, s->n))
            return pkt_subset_fail(c, s, PKT_ERROR_RANGE, c->bit);
        s->scan = pkt_scan_of(s->written, s->n);
    }
    switch (kind) {
    case PKT_SUBSET_FLAG:
    case PKT_SUBSET_SENTINEL:
    case PKT_SUBSET_RELATIVE: return true;
    case PKT_SUBSET_COUNT:
        if (!c->reading)
            raw = pkt_present_count(s->written, s->n);
        if (!pkt_explain_leaf(c, &raw, s->limit, pkt_bit_length(s->limit), s->name))
            return false;
        if (c->reading)
            s->count = (uint32_t)raw;
        return true;
    case PKT_SUBSET_BITMAP: return pkt_explain_bitmap(c, s, false);
    case PKT_SUBSET_AUTO:
        if (!c->reading)
            raw = pkt_subset_is_dense(s->written, s->n);
        if (!pkt_explain_leaf(c, &raw, 1, 1, s->name))
            return false;
        return raw == 0 || pkt_explain_bitmap(c, s, true);
    }
    return false;
}

/* Flags up to one that is set, each one an item. *index is n if none is. */
static bool pkt_explain_flags(pkt_cursor *c, pkt_subset *s, uint32_t *index)
{
    const uint32_t written = *index;
    for (*index = s->from; *index < s->n; ++*index) {
        uint64_t raw = *index == written;
        if (!pkt_explain_leaf(c, &raw, 1, 1, s->name))
            return false;
        if (raw != 0)
            break;
    }
    return true;
}

bool pkt_explain_difference(pkt_cursor *c, pkt_subset *s, uint32_t *index)
{
    unsigned bits = 0;
    if (c->reading) {
        if (c->bit >= c->limit)
            return pkt_subset_fail(c, s, PKT_ERROR_END, c->bit);
        *index = s->from + pkt_difference_of(pkt_peek(c, true), s->n, &bits) - 1;
    } else {
        bits = (unsigned)pkt_difference_bits(*index - s->from + 1, s->n);
    }
    if (c->bit + bits > c->limit)
        return pkt_subset_fail(c, s, c->reading ? PKT_ERROR_END : PKT_ERROR_CAPACITY, c->bit);
    if (*index > s->n)
        return pkt_subset_fail(c, s, PKT_ERROR_RANGE, c->bit);
    c->bit += bits;
    s->spent += bits;
    return true;
}

/* An index from 0 to `greatest`. */
static bool pkt_explain_index(pkt_cursor *c, pkt_subset *s, uint32_t *index, uint32_t greatest)
{
    const uint64_t start = c->bit;
    uint64_t raw = *index;
    if (!pkt_explain_leaf(c, &raw, greatest, pkt_bit_length(greatest), s->name))
        return false;
    *index = (uint32_t)raw;
    return *index >= s->from || pkt_subset_fail(c, s, PKT_ERROR_ORDER, start);
}

bool pkt_explain_subset_next(pkt_cursor *c, pkt_subset *s, pkt_subset_kind kind)
{
    const bool scans = !c->reading || s->bitmap;
    const bool counts_down = kind == PKT_SUBSET_COUNT && c->reading;
    const uint64_t start = c->bit;
    uint64_t at_fault = start;
    uint32_t index = s->n;
    if (scans && pkt_scan_next(&s->scan))
        index = s->scan.index;
    switch (kind) {
    case PKT_SUBSET_FLAG:
        if (!pkt_explain_flags(c, s, &index))
            return false;
        if (index < s->n)
            at_fault = c->bit - 1;
        break;
    case PKT_SUBSET_COUNT:
        if ((counts_down ? s->count != 0 : index < s->n) && !pkt_explain_index(c, s, &index, s->n - 1))
            return false;
        break;
    case PKT_SUBSET_SENTINEL:
        if (!pkt_explain_index(c, s, &index, s->n))
            return false;
        break;
    case PKT_SUBSET_RELATIVE:
        if (!pkt_explain_difference(c, s, &index))
            return false;
        break;
    case PKT_SUBSET_BITMAP: break;
    case PKT_SUBSET_AUTO:
        if (!s->bitmap && !pkt_explain_difference(c, s, &index))
            return false;
        if (c->reading && !s->bitmap && index == s->n && s->spent > s->n)
            return pkt_subset_fail(c, s, PKT_ERROR_CANONICAL, s->start);
        break;
    }
    if (index >= s->n)
        return pkt_subset_end(PKT_MEASURE, c, s, 0);
    if (counts_down)
        s->count--;
    else if (s->count++ == s->limit)
        return pkt_subset_fail(c, s, PKT_ERROR_RANGE, at_fault);
    if (c->reading)
        s->read[index / 64] |= UINT64_C(1) << index % 64;
    s->from = index + 1;
    s->index = index;
    return true;
}

/* ---- elements that are the same */

PKT_NOINLINE bool pkt_next_block(uint32_t *i, uint32_t *end, const void *now, const void *old, size_t each,
                                 uint32_t most, uint32_t count, uint32_t held)
{
    enum { BLOCK = 64, BLOCKS = 512 };
    const uint32_t all = count < most ? count : most, both = held < all ? held : all;
    const uint32_t comparable = each == 0 || !PKT_READS_PADDING ? 0 : both;
    uint32_t at = *end, step = BLOCK, after = BLOCKS;
    /* First a small block: where much has changed, one comparison says so. Then large ones, then small ones. */
    for (;;) {
        const size_t begin = at * each;
        const bool same = at < comparable && comparable - at >= step &&
                          memcmp((const char *)now + begin, (const char *)old + begin, step * each) == 0;
        if (same)
            at += step;
        else if (step == BLOCK)
            break;
        else
            after = BLOCK;
        step = after;
    }
    *i = at;
    *end = all - at < BLOCK ? all : at + BLOCK;
    return at < all;
}
