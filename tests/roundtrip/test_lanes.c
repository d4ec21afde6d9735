/* test_lanes.c - tests arrays of small integers: each value is at its bit, at every position of its group.
 * SPDX-License-Identifier: MIT
 */
#include "lanes.h"
#include "unit.h"

#include <string.h>

static Lanes sample(unsigned count)
{
    Lanes v;
    Lanes_init(&v);
    v.start = 5;
    for (int i = 0; i < 20; i++)
        v.moods[i] = (int8_t)(i * 37 % 98 - 7);
    v.heights_count = (uint8_t)count;
    for (unsigned i = 0; i < count; i++)
        v.heights[i] = (int16_t)((int)(i * 997 % 2001) - 1000);
    for (int i = 0; i < 12; i++)
        v.doors[i] = i % 3 == 0;
    for (int i = 0; i < 9; i++)
        v.codes[i] = (uint16_t)(i * 1999 % 16384);
    return v;
}

static uint64_t bits_at(const uint8_t *data, uint64_t at, unsigned bits)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < bits; i++)
        v |= (uint64_t)(data[(at + i) / 8] >> (at + i) % 8 & 1) << i;
    return v;
}

/* Where fields begin, in bits: 3 bits, 20 elements of 7, the count in 6, elements of 11, 12 of 1, 9 of 14. */
enum { MOODS = 3, COUNT = MOODS + 140, HEIGHTS = COUNT + 6 };

TEST(test_bits)
{
    for (unsigned count = 0; count <= 33; count++) {
        const Lanes v = sample(count);
        const uint64_t doors = HEIGHTS + 11 * count, codes = doors + 12, end = codes + 126;
        const size_t size = (size_t)(end + 7) / 8;
        uint8_t *data = malloc(size);
        pkt_writer w;
        size_t written;
        pkt_writer_init(&w, data, size);
        assert_true(Lanes_write(&w, &v) && pkt_writer_finish(&w, &written));
        assert_int_equal(written, size);
        for (unsigned i = 0; i < 20; i++)
            assert_int_equal(bits_at(data, MOODS + 7 * i, 7), v.moods[i] + 7);
        for (unsigned i = 0; i < count; i++)
            assert_int_equal(bits_at(data, HEIGHTS + 11 * i, 11), v.heights[i] + 1000);
        for (unsigned i = 0; i < 12; i++)
            assert_int_equal(bits_at(data, doors + i, 1), v.doors[i]);
        for (unsigned i = 0; i < 9; i++)
            assert_int_equal(bits_at(data, codes + 14 * i, 14), v.codes[i]);

        Lanes back;
        pkt_reader r;
        Lanes_init(&back);
        pkt_reader_init(&r, data, size);
        assert_true(Lanes_read(&r, &back) && pkt_reader_finish(&r));
        assert_true(Lanes_equal(&v, &back));
        pkt_reader_init(&r, data, size - 1);
        assert_false(Lanes_read(&r, &back));
        free(data);
    }
}

/* The error names the element that is out of range, in a group or after the groups. */
TEST(test_errors)
{
    uint8_t data[200];
    char name[32];
    for (int i = 0; i < 20; i++) {
        Lanes v = sample(0);
        pkt_writer w;
        v.moods[i] = i % 2 == 0 ? 91 : -8;
        pkt_writer_init(&w, data, sizeof data);
        assert_false(Lanes_write(&w, &v));
        assert_int_equal(w.error.code, PKT_ERROR_RANGE);
        assert_int_equal(w.error.bit, MOODS + 7 * i);
        snprintf(name, sizeof name, "Lanes.moods[%d]", i);
        assert_string_equal(w.error.field, name);
    }
    for (int i = 0; i < 33; i++) {
        Lanes v = sample(33), back;
        pkt_writer w;
        pkt_reader r;
        pkt_writer_init(&w, data, sizeof data);
        assert_true(Lanes_write(&w, &v));
        for (unsigned bit = HEIGHTS + 11 * (unsigned)i; bit < HEIGHTS + 11 * (unsigned)(i + 1); bit++)
            data[bit / 8] |= (uint8_t)(1 << bit % 8);
        Lanes_init(&back);
        pkt_reader_init(&r, data, sizeof data);
        assert_false(Lanes_read(&r, &back));
        assert_int_equal(r.error.code, PKT_ERROR_RANGE);
        assert_int_equal(r.error.bit, HEIGHTS + 11 * i);
        snprintf(name, sizeof name, "Lanes.heights[%d]", i);
        assert_string_equal(r.error.field, name);
        for (int k = 0; k < 33; k++)
            assert_in_range(back.heights[k] + 1000, 0, 2000);
    }
}
