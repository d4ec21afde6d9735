/* test_lanes.c - tests arrays of small integers, 8 bytes at a time, against one value after another.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_lanes.h"
#include "unit.h"

#include <string.h>

static uint64_t random_state;

static uint64_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static void put_element(unsigned lane, void *to, unsigned i, uint64_t v)
{
    uint8_t byte = (uint8_t)v;
    uint16_t two = (uint16_t)v;
    if (lane == 8)
        memcpy((uint8_t *)to + i, &byte, 1);
    else
        memcpy((uint8_t *)to + 2 * i, &two, 2);
}

static uint64_t element(unsigned lane, const void *from, unsigned i)
{
    uint8_t byte;
    uint16_t two;
    memcpy(&byte, (const uint8_t *)from + (lane == 8 ? i : 0), 1);
    memcpy(&two, (const uint8_t *)from + (lane == 8 ? 0 : 2 * i), 2);
    return lane == 8 ? byte : two;
}

/* Values in range give the same bits as one by one, and are read back. */
static void check_whole(unsigned lane, unsigned bits, uint64_t lo, uint64_t span)
{
    uint8_t memory[9] = {0}, back[9] = {0}, *values = memory + 1; /* not aligned */
    uint64_t expected = 0, packed = 0;
    for (unsigned i = 0; i < 64 / lane; i++) {
        uint64_t raw = next_random() % 4 == 0 ? next_random() % 2 * span : next_random() % (span + 1);
        put_element(lane, values, i, raw + lo);
        expected |= raw << i * bits;
    }
    assert_true(pkt_lanes_pack(lane, values, lo, span, bits, &packed));
    assert_true(packed == expected);
    assert_true(pkt_lanes_unpack(lane, back + 1, lo, span, bits, packed));
    assert_memory_equal(back + 1, values, 8);
}

/* An arbitrary value among valid ones is refused if, and only if, it is out of range; then nothing is stored. */
static void check_one(unsigned lane, unsigned bits, uint64_t lo, uint64_t span)
{
    uint8_t values[8], back[8], before[8];
    const uint64_t mask = (UINT64_C(1) << lane) - 1;
    const unsigned at = (unsigned)(next_random() % (64 / lane));
    uint64_t packed = 0, raw = next_random() & mask, wire = next_random() & ((UINT64_C(1) << bits) - 1);
    for (unsigned i = 0; i < 64 / lane; i++)
        put_element(lane, values, i, lo + next_random() % (span + 1));
    put_element(lane, values, at, raw + lo);
    assert_int_equal(pkt_lanes_pack(lane, values, lo, span, bits, &packed), raw <= span);

    for (unsigned i = 0; i < 8; i++)
        before[i] = back[i] = (uint8_t)next_random();
    packed = wire << at * bits;
    assert_int_equal(pkt_lanes_unpack(lane, back, lo, span, bits, packed), wire <= span);
    if (wire > span)
        assert_memory_equal(back, before, 8);
    else
        assert_true(element(lane, back, at) == ((wire + lo) & mask));
}

TEST(test_against_one_by_one)
{
    random_state = UINT64_C(0x9e3779b97f4a7c15);
    print_message("seed %llu\n", (unsigned long long)random_state);
    for (unsigned lane = 8; lane <= 16; lane += 8) {
        for (unsigned bits = 1; bits < lane && 64 / lane * bits <= 56; bits++) {
            for (unsigned round = 0; round < 4000; round++) {
                const uint64_t most = (UINT64_C(1) << bits) - 1;
                const uint64_t span = round % 3 == 0 ? most : (most >> 1) + 1 + next_random() % (most - (most >> 1));
                /* As generated code passes it: sign-extended to 64 bits. */
                const uint64_t lo =
                    round % 2 == 0 ? 0 : next_random() % (UINT64_C(1) << (lane - 1)) - (UINT64_C(1) << (lane - 2));
                check_whole(lane, bits, lo, span);
                check_one(lane, bits, lo, span);
            }
        }
    }
}
