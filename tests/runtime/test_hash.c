/* test_hash.c - tests pkt_hash: known hashes, every length and alignment, every bit.
 * SPDX-License-Identifier: MIT
 */
#include "../../runtime/pkt.h"
#include "unit.h"

#include <string.h>

/* Computed with another program from docs/wire.md. */
TEST(known_hashes)
{
    static const struct {
        const char *data;
        size_t size;
        uint64_t hash;
    } cases[] = {
        {"", 0, UINT64_C(0xF8BB92C91B3F5CC0)},
        {"a", 1, UINT64_C(0xB977E353B4F54FF8)},
        {"abcdefg", 7, UINT64_C(0x46E81AE94C712A82)},
        {"abcdefgh", 8, UINT64_C(0x33391E916B05F379)},
        {"abcdefghi", 9, UINT64_C(0xE1F16F703D745BAE)},
        {"\0", 1, UINT64_C(0x3EF8AE09B97F78E8)},
        {"\0\0\0\0\0\0\0\0", 8, UINT64_C(0xD88C7F50F32127A4)},
        {"123456789", 9, UINT64_C(0xE17D035641E221D0)},
        {"\x2d\x23\x22\x84\xe4\x9c\xf2\xcb", 8, 1}, /* it would be 0 */
    };
    uint8_t row[256];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_true(pkt_hash(cases[i].data, cases[i].size) == cases[i].hash);
    for (unsigned i = 0; i < sizeof row; i++)
        row[i] = (uint8_t)i;
    assert_true(pkt_hash(row, sizeof row) == UINT64_C(0x76C8F2E8036A9A73));
    assert_true(pkt_hash(NULL, 0) == pkt_hash("", 0));
}

/* The same bytes anywhere in memory, with nothing after them. */
TEST(lengths_and_alignments)
{
    for (size_t size = 0; size <= 40; size++) {
        uint64_t expected = 0;
        for (size_t at = 0; at < 8; at++) {
            uint8_t *memory = malloc(at + size + (at + size == 0));
            assert_non_null(memory);
            for (size_t i = 0; i < size; i++)
                memory[at + i] = (uint8_t)(i * 37 + 1);
            if (at == 0)
                expected = pkt_hash(memory, size);
            assert_true(pkt_hash(memory + at, size) == expected);
            free(memory);
        }
    }
}

/* Each bit changes about half of the bits of the hash. */
TEST(every_bit_counts)
{
    uint8_t data[29];
    for (unsigned i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 11);
    const uint64_t hash = pkt_hash(data, sizeof data);
    for (size_t bit = 0; bit < 8 * sizeof data; bit++) {
        unsigned changed = 0;
        data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        for (uint64_t left = hash ^ pkt_hash(data, sizeof data); left != 0; left &= left - 1)
            changed++;
        assert_in_range(changed, 12, 52);
        data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}
