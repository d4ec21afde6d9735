/* subset.c - the least and the most bits of subsets.
 * SPDX-License-Identifier: MIT
 *
 * In relative mode, k indices of n are sent as k + 1 differences: numbers from 1 on that add up to n + 1. A difference
 * of 1 takes one bit; the encoding gets longer at certain increases over 1 (`tiers`). The increases of all differences
 * add up to n - k. So the most expensive subset of k elements is the best choice of k + 1 tiers whose increases add up
 * to at most n - k: a knapsack problem. Its bound follows from the upper convex hull of the points (increase, bits).
 */
#include "model/subset.h"

#include <assert.h>

enum {
    TIERS = 7,
    SCALE = 6720 /* a multiple of the length of every edge of the hull, so that fractions of bits are whole numbers */
};

/* ORDER DIFFERENCE: the same table as in runtime/pkt_subset.h. For the last row, bits that depend on n are added. */
static const struct {
    uint64_t increase, bits;
} tiers[TIERS] = {{0, 1}, {1, 4}, {5, 6}, {13, 8}, {29, 10}, {61, 12}, {125, 6}};

static uint64_t far_bits(uint64_t n)
{
    return tiers[TIERS - 1].bits + bit_length(n - tiers[TIERS - 1].increase);
}

static uint64_t tier_bits(int tier, uint64_t n)
{
    return tier == TIERS - 1 ? far_bits(n) : tiers[tier].bits;
}

unsigned subset_widest_index(sparse_mode mode, uint64_t n)
{
    switch (mode) {
    case SPARSE_COUNT: return bit_length(n - 1);
    case SPARSE_SENTINEL: return bit_length(n);
    case SPARSE_RELATIVE:
    case SPARSE_AUTO:
        if (n > tiers[TIERS - 1].increase && far_bits(n) > tiers[TIERS - 2].bits)
            return (unsigned)far_bits(n);
        return (unsigned)tiers[TIERS - 2].bits;
    case SPARSE_FLAG:
    case SPARSE_BITMAP: break;
    }
    return 0;
}

unsigned key_widths(uint64_t n, unsigned widths[KEY_WIDTHS])
{
    unsigned count = 0;
    while (count < TIERS && tiers[count].increase <= n) {
        widths[count] = (unsigned)tier_bits((int)count, n);
        count++;
    }
    return count;
}

static uint64_t bits_of_difference(uint64_t d, uint64_t n)
{
    int tier = TIERS - 1;
    while (tiers[tier].increase > d - 1)
        tier--;
    return tier_bits(tier, n);
}

/* The tier at the end of the hull's edge from `from`: the tier with the steepest rise from there. At the top of the
 * hull, `from` itself. */
static int hull_next(int from, uint64_t n)
{
    int best = from;
    for (int to = from + 1; to < TIERS && tiers[to].increase <= n; to++) {
        uint64_t rise = tier_bits(to, n), run = tiers[to].increase - tiers[from].increase;
        if (rise <= tier_bits(from, n))
            continue;
        rise -= tier_bits(from, n);
        if (best == from ||
            rise * (tiers[best].increase - tiers[from].increase) >= (tier_bits(best, n) - tier_bits(from, n)) * run)
            best = to;
    }
    return best;
}

/* SCALE times the most bits of the indices of k elements of n, with fractions of differences allowed. Concave in k. */
static uint64_t hull_bits(uint64_t n, uint64_t k)
{
    uint64_t parts = k + 1, left = n - k, bits = parts * SCALE;
    for (int from = 0, to; (to = hull_next(from, n)) != from; from = to) {
        uint64_t run = tiers[to].increase - tiers[from].increase;
        uint64_t rise = tier_bits(to, n) - tier_bits(from, n);
        assert(SCALE % run == 0);
        if (left <= parts * run)
            return bits + left * (SCALE / run) * rise;
        left -= parts * run;
        bits += parts * rise * SCALE;
    }
    return bits;
}

static uint64_t index_most(const subset *s, uint64_t k)
{
    uint64_t bits = hull_bits(s->n, k);
    if (s->mode == SPARSE_AUTO && bits > s->n * SCALE)
        bits = s->n * SCALE;
    return bits;
}

bool subset_is_regular(const subset *s, uint64_t *fixed, uint64_t *each)
{
    *each = 0;
    switch (s->mode) {
    case SPARSE_FLAG:
    case SPARSE_BITMAP: *fixed = s->n; return true;
    case SPARSE_COUNT:
        *fixed = bit_length(s->high);
        *each = bit_length(s->n - 1);
        return true;
    case SPARSE_SENTINEL: *fixed = *each = bit_length(s->n); return true;
    case SPARSE_RELATIVE:
    case SPARSE_AUTO: *fixed = 0; return false;
    }
    assert(false && "every mode is regular or is not");
    return false;
}

/* For every k, the cheapest subset is the first k elements of the array, so that one great difference follows them.
 * Each index takes at least one bit, and the indices of a small subset hardly more, so the search can stop after ENOUGH
 * elements. */
uint64_t subset_least(const subset *s, uint64_t element, uint64_t *count)
{
    enum { ENOUGH = 64 };
    uint64_t fixed, each, least = UINT64_MAX, found = 0;
    *count = s->low;
    if (subset_is_regular(s, &fixed, &each))
        return fixed + each * s->low;
    if (element > ENOUGH)
        element = ENOUGH;
    for (uint64_t k = s->low; k <= s->high && k <= s->low + ENOUGH; k++) {
        uint64_t bits = k + bits_of_difference(s->n + 1 - k, s->n);
        if (s->mode == SPARSE_AUTO)
            bits = 1 + (bits < s->n ? bits : s->n);
        if (bits + element * k >= least)
            continue;
        least = bits + element * k;
        found = bits;
        *count = k;
    }
    return found;
}

/* One more element makes the indices shorter by at most 2 bits. So if an element has 2 bits or more, the largest subset
 * is the most expensive. */
uint64_t subset_most(const subset *s, uint64_t element, uint64_t *count)
{
    uint64_t fixed, each, low = s->low, high = s->high;
    *count = high;
    if (subset_is_regular(s, &fixed, &each))
        return fixed + each * high;
    if (element >= 2)
        low = high;
    while (low < high) {
        uint64_t k = low + (high - low) / 2;
        if (index_most(s, k + 1) + element * SCALE >= index_most(s, k))
            low = k + 1;
        else
            high = k;
    }
    *count = low;
    return index_most(s, low) / SCALE + (s->mode == SPARSE_AUTO);
}
