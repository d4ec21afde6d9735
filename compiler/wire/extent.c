/* extent.c - tables of sizes by alignment, composed like matrices: see extent.h.
 * SPDX-License-Identifier: MIT
 */
#include "wire/extent.h"

#include <string.h>

/* The limit of sizes. */
#define HUGE_BITS (UINT64_C(1) << 62)

uint64_t bits_plus(uint64_t a, uint64_t b)
{
    return a + b > HUGE_BITS ? HUGE_BITS : a + b;
}

uint64_t bits_times(uint64_t a, uint64_t n)
{
    return n != 0 && a > HUGE_BITS / n ? HUGE_BITS : a * n;
}

uint64_t lesser_bits(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

void extent_clear(extent *x)
{
    memset(x, 0xff, sizeof *x);
}

void extent_fixed(extent *x, uint64_t bits)
{
    extent_clear(x);
    for (unsigned s = 0; s < 8; s++)
        x->least[s][(s + bits) % 8] = x->most[s][(s + bits) % 8] = bits;
}

void extent_allow(extent *x, unsigned from, unsigned to, uint64_t least, uint64_t most)
{
    if (x->least[from][to] == EXTENT_NONE) {
        x->least[from][to] = least;
        x->most[from][to] = most;
        return;
    }
    if (least < x->least[from][to])
        x->least[from][to] = least;
    if (most > x->most[from][to])
        x->most[from][to] = most;
}

void extent_then(extent *x, const extent *y)
{
    extent z;
    extent_clear(&z);
    for (unsigned s = 0; s < 8; s++)
        for (unsigned m = 0; m < 8; m++) {
            if (x->least[s][m] == EXTENT_NONE)
                continue;
            for (unsigned e = 0; e < 8; e++)
                if (y->least[m][e] != EXTENT_NONE)
                    extent_allow(&z, s, e, bits_plus(x->least[s][m], y->least[m][e]),
                                 bits_plus(x->most[s][m], y->most[m][e]));
        }
    *x = z;
}

void extent_then_fixed(extent *x, uint64_t bits)
{
    extent y;
    extent_fixed(&y, bits);
    extent_then(x, &y);
}

void extent_or(extent *x, const extent *y)
{
    for (unsigned s = 0; s < 8; s++)
        for (unsigned e = 0; e < 8; e++)
            if (y->least[s][e] != EXTENT_NONE)
                extent_allow(x, s, e, y->least[s][e], y->most[s][e]);
}

/* By squaring. */
void extent_power(extent *x, uint64_t n)
{
    extent result, square = *x;
    extent_fixed(&result, 0);
    for (; n != 0; n /= 2) {
        if (n % 2 != 0)
            extent_then(&result, &square);
        extent_then(&square, &square);
    }
    *x = result;
}

void extent_multiples(extent *x, uint64_t first, uint64_t each, uint64_t low, uint64_t high)
{
    extent_clear(x);
    for (unsigned s = 0; s < 8; s++) {
        /* The first and last eight counts reach every possible alignment at the end, with its least and most bits. */
        for (uint64_t n = low; n <= high; n++) {
            if (n - low == 8 && high - n > 8)
                n = high - 8;
            uint64_t bits = bits_plus(first, bits_times(each, n));
            extent_allow(x, s, (unsigned)((s + first + bits_times(each, n) % 8) % 8), bits, bits);
        }
    }
}

void extent_between(extent *x, uint64_t least, uint64_t most)
{
    extent_clear(x);
    for (unsigned s = 0; s < 8; s++)
        for (unsigned more = 0; more < 8 && more <= most - least; more++)
            extent_allow(x, s, (unsigned)((s + least + more) % 8), least + more, most - (most - least - more) % 8);
}

void extent_aligned(extent *x, uint64_t most_bytes)
{
    extent_clear(x);
    for (unsigned s = 0; s < 8; s++) {
        uint64_t padding = (8 - s) % 8;
        extent_allow(x, s, 0, padding, padding + 8 * most_bytes);
    }
}

uint64_t extent_least_from(const extent *x, unsigned align)
{
    uint64_t least = EXTENT_NONE;
    for (unsigned e = 0; e < 8; e++)
        if (x->least[align][e] < least)
            least = x->least[align][e];
    return least;
}

uint64_t extent_least(const extent *x)
{
    uint64_t least = EXTENT_NONE;
    for (unsigned s = 0; s < 8; s++)
        if (extent_least_from(x, s) < least)
            least = extent_least_from(x, s);
    return least;
}

uint64_t extent_most_from(const extent *x, unsigned align)
{
    uint64_t most = 0;
    for (unsigned e = 0; e < 8; e++)
        if (x->least[align][e] != EXTENT_NONE && x->most[align][e] > most)
            most = x->most[align][e];
    return most;
}

uint64_t extent_most(const extent *x)
{
    uint64_t most = 0;
    for (unsigned s = 0; s < 8; s++)
        if (extent_most_from(x, s) > most)
            most = extent_most_from(x, s);
    return most;
}
