/* test_subset.c - tests the bounds of subsets against all ways to split n + 1 into differences.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_subset.h" /* first, because it uses names that schema.h defines */
#include "model/subset.h"
#include "unit.h"

#include <string.h>

enum { MOST_N = 290, NONE = 1 << 29 };

/* least[k][sum], most[k][sum]: the least and the greatest number of bits of k + 1 differences with this sum. */
static int least[MOST_N + 2][MOST_N + 2], most[MOST_N + 2][MOST_N + 2];

static int difference_bits(uint32_t d, uint32_t n)
{
    return d < PKT_FAR ? pkt_differences[d].bits : 6 + (int)pkt_far_bits(n);
}

static void try_all(uint32_t n)
{
    for (uint32_t sum = 0; sum <= n + 1; sum++) {
        least[0][sum] = sum == 0 ? NONE : difference_bits(sum, n);
        most[0][sum] = sum == 0 ? -NONE : difference_bits(sum, n);
    }
    for (uint32_t k = 1; k <= n; k++)
        for (uint32_t sum = 0; sum <= n + 1; sum++) {
            least[k][sum] = NONE;
            most[k][sum] = -NONE;
            for (uint32_t d = 1; d < sum; d++) {
                int bits = difference_bits(d, n), low = bits + least[k - 1][sum - d],
                    high = bits + most[k - 1][sum - d];
                if (low < least[k][sum])
                    least[k][sum] = low;
                if (high > most[k][sum])
                    most[k][sum] = high;
            }
        }
}

static int with_auto(sparse_mode mode, int bits, uint32_t n)
{
    if (mode != SPARSE_AUTO)
        return bits;
    return 1 + (bits < (int)n ? bits : (int)n);
}

static void check(sparse_mode mode, uint32_t n, uint32_t low, uint32_t high, int element)
{
    const subset s = {mode, n, low, high};
    uint64_t count;
    int exact_least = NONE, exact_most = 0;
    for (uint32_t k = low; k <= high; k++) {
        int bits = with_auto(mode, least[k][n + 1], n) + (int)k * element;
        if (bits < exact_least)
            exact_least = bits;
        bits = with_auto(mode, most[k][n + 1], n) + (int)k * element;
        if (bits > exact_most)
            exact_most = bits;
    }
    uint64_t found = subset_least(&s, (uint64_t)element, &count);
    assert_int_equal(found + count * (uint64_t)element, exact_least);
    found = subset_most(&s, (uint64_t)element, &count) + count * (uint64_t)element;
    assert_in_range(found, exact_most, exact_most + 12);
    if (low < high)
        assert_in_range(found, exact_most, exact_most + 2);
}

TEST(test_bounds)
{
    static const uint32_t sizes[] = {1, 2, 3, 5, 17, 64, 124, 125, 126, 130, 157, 290};
    static const int elements[] = {0, 1, 2, 8, 100};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        uint32_t n = sizes[i];
        try_all(n);
        for (uint32_t high = 1; high <= n; high += high < 10 ? 1 : high / 5)
            for (size_t e = 0; e < sizeof(elements) / sizeof(elements[0]); e++) {
                check(SPARSE_RELATIVE, n, 0, high, elements[e]);
                check(SPARSE_AUTO, n, 0, high, elements[e]);
                check(SPARSE_AUTO, n, 1, high, elements[e]);
            }
    }
}

TEST(test_table)
{
    for (uint32_t d = 1; d < PKT_FAR; d++) {
        unsigned taken;
        assert_int_equal(pkt_difference_of(pkt_differences[d].code, 100, &taken), d);
        assert_int_equal(taken, pkt_differences[d].bits);
    }
}
