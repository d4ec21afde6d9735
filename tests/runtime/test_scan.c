/* test_scan.c - tests loops over the set bits of a bitmap: any number of bits, and the ends of words and blocks.
 * SPDX-License-Identifier: MIT
 *
 * Each bitmap has its own allocation, so that the sanitizer reports an access outside it.
 */
#include "../../runtime/pkt_subset.h"
#include "unit.h"

static uint64_t random_state = 1;

/* splitmix64 */
static uint64_t next_random(void)
{
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static const uint32_t sizes[] = {0,    1,    2,    63,   64,   65,   127,  128,  129,  1000,
                                 4095, 4096, 4097, 4160, 4161, 8191, 8192, 8193, 20000};
enum { SIZES = sizeof sizes / sizeof *sizes };

static uint64_t *bitmap(uint32_t n)
{
    return (uint64_t *)test_calloc(((size_t)n + 63) / 64, sizeof(uint64_t));
}

static void check(const uint64_t *set, uint32_t n)
{
    uint32_t found = 0, from = 0;
    pkt_scan s = pkt_scan_of(set, n);
    for (; pkt_scan_next(&s); found++, from = s.index + 1)
        assert_int_equal(s.index, pkt_present_next(set, n, from));
    assert_int_equal(s.index, n);
    assert_int_equal(pkt_present_next(set, n, from), n);
    assert_int_equal(found, pkt_present_count(set, n));
}

/* From no bit to all bits set. In some stretches all words are alike, in others they are not. */
TEST(test_any_share)
{
    print_message("seed %llu\n", (unsigned long long)random_state);
    for (unsigned size = 0; size < SIZES; size++) {
        const uint32_t n = sizes[size];
        for (unsigned share = 0; share <= 1024; share = share < 3 ? share + 1 : share * 2) {
            for (unsigned round = 0; round < 8; round++) {
                uint64_t *set = bitmap(n), here = share;
                for (uint32_t i = 0; i < n; i++) {
                    if (round >= 4 && i % 64 == 0)
                        here = next_random() % 4 == 0 ? 1024 : share;
                    if (next_random() % 1024 < here)
                        set[i / 64] |= UINT64_C(1) << i % 64;
                }
                check(set, n);
                test_free(set);
            }
        }
    }
}

/* A single bit, at each position. */
TEST(test_one_bit)
{
    for (unsigned size = 0; size < SIZES; size++) {
        const uint32_t n = sizes[size];
        uint64_t *set = bitmap(n);
        for (uint32_t i = 0; i < n; i++) {
            pkt_scan s;
            set[i / 64] = UINT64_C(1) << i % 64;
            s = pkt_scan_of(set, n);
            assert_true(pkt_scan_next(&s));
            assert_int_equal(s.index, i);
            assert_false(pkt_scan_next(&s));
            assert_int_equal(s.index, n);
            set[i / 64] = 0;
        }
        test_free(set);
    }
}

/* A bit from n on, which only an invalid value has: the loop ends there, and no index is n or more. */
TEST(test_a_stray_bit)
{
    for (unsigned size = 0; size < SIZES; size++) {
        const uint32_t n = sizes[size];
        uint64_t *set;
        pkt_scan s;
        if (n % 64 == 0)
            continue;
        set = bitmap(n);
        set[0] |= 1;
        set[n / 64] |= UINT64_C(1) << n % 64 | UINT64_C(1) << 63;
        s = pkt_scan_of(set, n);
        assert_true(pkt_scan_next(&s));
        assert_int_equal(s.index, 0);
        assert_false(pkt_scan_next(&s));
        test_free(set);
    }
}
