/* test_crc32.c - tests all implementations of pkt_crc32 against a CRC that is computed bit by bit.
 * SPDX-License-Identifier: MIT
 *
 * The tested file is included a second time with PKT_PORTABLE and another name, so that the tables are tested even if
 * the processor has something better. Every entry of the tables is checked. The constants for folding need no check of
 * their own, because every block depends on them.
 */
#define PKT_PORTABLE
#define pkt_crc32 crc32_portable
#define pkt_crc32_within crc32_portable_within
#include "unit.h"

#include "../../runtime/pkt_crc32.c"
#undef pkt_crc32
#undef pkt_crc32_within

#include <string.h>

uint32_t pkt_crc32(uint32_t crc, const void *data, size_t size);
uint32_t pkt_crc32_within(uint32_t crc, const uint8_t *data, size_t size, size_t readable);

typedef uint32_t crc_function(uint32_t crc, const void *data, size_t size);

static crc_function *const functions[] = {pkt_crc32, crc32_portable};

#define FUNCTIONS (sizeof functions / sizeof functions[0])

static uint32_t bitwise(uint32_t crc, const uint8_t *data, size_t size)
{
    uint32_t state = ~crc;
    for (size_t i = 0; i < size; i++) {
        state ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            state = state >> 1 ^ (state & 1 ? 0xEDB88320u : 0);
    }
    return ~state;
}

/* A pseudo-random generator, for the same bytes on every machine. */
static uint64_t random_state = 0x9E3779B97F4A7C15u;

static uint32_t random_number(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 32);
}

static uint8_t *random_bytes(size_t size)
{
    uint8_t *bytes = malloc(size ? size : 1);
    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)random_number();
    return bytes;
}

TEST(known_values)
{
    for (size_t f = 0; f < FUNCTIONS; f++) {
        assert_int_equal(functions[f](0, NULL, 0), 0);
        assert_int_equal(functions[f](0x12345678, NULL, 0), 0x12345678);
        assert_int_equal(functions[f](0, "123456789", 9), 0xCBF43926);
        assert_int_equal(functions[f](0, "a", 1), 0xE8B7BE43);
        assert_int_equal(functions[f](functions[f](0, "1234", 4), "56789", 5), 0xCBF43926);
    }
}

/* Texts that are long enough for folding, with the values that any CRC-32 gives. */
TEST(known_long_values)
{
    uint8_t bytes[256];
    for (size_t f = 0; f < FUNCTIONS; f++) {
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)i;
        assert_int_equal(functions[f](0, bytes, sizeof bytes), 0x29058C73);
        memset(bytes, 0, sizeof bytes);
        assert_int_equal(functions[f](0, bytes, sizeof bytes), 0x0D968558);
        memset(bytes, 0xFF, sizeof bytes);
        assert_int_equal(functions[f](0, bytes, sizeof bytes), 0xFEA8A821);
    }
}

TEST(tables)
{
    for (unsigned byte = 0; byte < 256; byte++) {
        uint32_t entry = byte;
        for (unsigned behind = 0; behind < 8; behind++) {
            for (int bit = 0; bit < 8; bit++)
                entry = entry >> 1 ^ (entry & 1 ? 0xEDB88320u : 0);
            assert_int_equal(pkt_crc32_table[behind][byte], entry);
        }
    }
}

/* Each length at each alignment, in memory that ends where the data ends. */
TEST(lengths_and_alignments)
{
    for (size_t alignment = 0; alignment < 16; alignment++) {
        for (size_t size = 0; size <= 600; size++) {
            uint8_t *bytes = random_bytes(alignment + size);
            uint32_t start = size % 3 == 0 ? 0 : random_number();
            uint32_t expected = bitwise(start, bytes + alignment, size);
            for (size_t f = 0; f < FUNCTIONS; f++)
                assert_int_equal(functions[f](start, bytes + alignment, size), expected);
            free(bytes);
        }
    }
}

/* What is readable behind the data does not change its CRC. */
TEST(readable_bytes_behind)
{
    for (size_t size = 0; size <= 300; size++) {
        for (size_t behind = 0; behind <= 9; behind++) {
            uint8_t *bytes = random_bytes(size + behind);
            uint32_t start = random_number(), expected = bitwise(start, bytes, size);
            assert_int_equal(pkt_crc32_within(start, bytes, size, size + behind), expected);
            assert_int_equal(crc32_portable_within(start, bytes, size, size + behind), expected);
            free(bytes);
        }
    }
}

TEST(chaining)
{
    const size_t size = 5000;
    uint8_t *bytes = random_bytes(size);
    uint32_t expected = bitwise(0, bytes, size);
    for (int round = 0; round < 500; round++) {
        uint32_t greatest = 1u << (1 + random_number() % 11);
        for (size_t f = 0; f < FUNCTIONS; f++) {
            uint32_t crc = 0;
            for (size_t at = 0; at < size;) {
                size_t part = random_number() % greatest;
                if (part > size - at)
                    part = size - at;
                crc = functions[f](crc, bytes + at, part);
                at += part;
            }
            assert_int_equal(crc, expected);
        }
    }
    free(bytes);
}

/* The CRC detects every single wrong bit. */
TEST(single_bits)
{
    const size_t size = 200;
    uint8_t *bytes = random_bytes(size);
    uint32_t good = pkt_crc32(0, bytes, size);
    for (size_t bit = 0; bit < size * 8; bit++) {
        bytes[bit / 8] = (uint8_t)(bytes[bit / 8] ^ 1u << bit % 8);
        assert_int_not_equal(pkt_crc32(0, bytes, size), good);
        bytes[bit / 8] = (uint8_t)(bytes[bit / 8] ^ 1u << bit % 8);
    }
    free(bytes);
}
