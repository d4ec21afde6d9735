/* test_change.c - tests the comparison of memory in pkt_change.h, byte for byte.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_delta.h"
#include "unit.h"

#include <string.h>

enum { MOST = 80, EDGE = 16 };

/* Each bit of each byte counts, and no byte before or after. */
TEST(test_same_memory)
{
    uint8_t a[MOST + 2 * EDGE], b[MOST + 2 * EDGE];
    for (size_t i = 0; i < sizeof a; i++)
        a[i] = b[i] = (uint8_t)(37 * i + 11);
    for (size_t size = 0; size <= MOST; size++) {
        for (size_t i = 0; i < sizeof a; i++) {
            const bool is_inside = i >= EDGE && i < EDGE + size;
            for (unsigned bit = 0; bit < 8; bit++) {
                b[i] ^= (uint8_t)(1 << bit);
                assert_int_equal(pkt_same_memory(a + EDGE, b + EDGE, size), !is_inside);
                b[i] ^= (uint8_t)(1 << bit);
            }
        }
        assert_true(pkt_same_memory(a + EDGE, b + EDGE, size));
    }
}
