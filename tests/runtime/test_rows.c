/* test_rows.c - tests three or four quantized floats at once against one after another, which must round alike.
 * SPDX-License-Identifier: MIT
 */
#include "../../runtime/pkt_inside.h"
#include "../../runtime/pkt_delta.h"
#include "unit.h"

static uint64_t random_state;

static uint64_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* Ranges and steps, some of them powers of 2, with 1 to 22 bits: a float has at most 2^21 steps. */
static const pkt_scale scales[] = {
    {-32.0f, 32.0f, 2048, 12},
    {0.0f, 360.0f, 3600, 12},
    {-90.0f, 90.0f, 1800, 11},
    {-1.0f, 1.0f, 16383, 14},
    {-0.1f, 0.3f, 7, 3},
    {-1024.0f, 1024.0f, 8192, 14},
    {0.0f, 1.0f, 1, 1},
    {-1e30f, 1e30f, 1000, 10},
    {5.0f, 5.5f, 512, 10},
    {-1024.0f, 1024.0f, 204800, 18},
    {-4096.0f, 4096.0f, 0x200000, 22},
    {-8.0f, 9.0f, 0x1FFFFF, 21},
    {0.0f, 64.0f, 65536, 17},
    {-10.0f, -3.7f, 63, 6}, /* hi - lo + lo is more than hi, and so it is below */
    {-54.2777824f, 24.9433689f, 0x200000, 22},
};
enum { SCALES = sizeof scales / sizeof scales[0] };

/* A value in the range, at its ends, outside, in the middle between two codes, or with arbitrary bits. */
static float sample(const pkt_scale *s)
{
    const float range = s->hi - s->lo;
    switch (next_random() % 8) {
    case 0: return s->lo;
    case 1: return s->hi;
    case 2: return s->lo - range * (float)(next_random() % 1000) / 999.0f;
    case 3: return s->lo + range * ((float)(next_random() % s->steps) + 0.5f) / (float)s->steps;
    case 4: return pkt_bits_float((uint32_t)next_random());
    case 5: return next_random() % 16 == 0 ? pkt_bits_float(0x7f800000u | (uint32_t)next_random()) : -0.0f;
    default: return s->lo + range * (float)(next_random() >> 40) / 16777215.0f;
    }
}

/* Chooses random scales that fit into one word. Returns their bits. */
static unsigned choose_scales(pkt_scale *row, unsigned count)
{
    unsigned bits;
    do {
        bits = 0;
        for (unsigned i = 0; i < count; i++) {
            row[i] = scales[next_random() % SCALES];
            bits += row[i].bits;
        }
    } while (bits > 56);
    return bits;
}

/* Values end where their array ends, so that the sanitizer reports an access after them. */
static void check_row(unsigned count)
{
    pkt_scale rows[4], *const row = rows + 4 - count;
    float all_values[4], *const values = all_values + 4 - count, expected[4];
    uint64_t together = 0, packed = 0, word;
    const unsigned start = (unsigned)(next_random() % (64 - choose_scales(row, count) + 1));
    const bool in_range = next_random() % 2 == 0;
    bool fine = true, readable = true;
    unsigned at = start;
    const float *all_members[4], **const members = all_members + 4 - count;
    pkt_row back;
    for (unsigned i = 0; i < count; i++) {
        values[i] = sample(&row[i]);
        members[i] = &values[i];
    }
    word = next_random();
    for (unsigned i = 0; i < count; i++) {
        const uint64_t mask = (UINT64_C(1) << row[i].bits) - 1;
        const uint32_t code = pkt_quantize(values[i], row[i].lo, row[i].hi, row[i].steps);
        uint32_t read = (uint32_t)(word >> at & mask);
        if (in_range) {
            read %= row[i].steps + 1;
            word = (word & ~(mask << at)) | (uint64_t)read << at;
        }
        fine = fine && code != UINT32_MAX;
        together |= (uint64_t)code << (at - start);
        readable = readable && read <= row[i].steps;
        expected[i] = pkt_dequantize(read, row[i].lo, row[i].hi, row[i].steps);
        assert_true(read > row[i].steps || expected[i] <= row[i].hi);
        at += row[i].bits;
    }
    assert_int_equal(pkt_quantize_row(pkt_row_load(members, count), row, count, &packed), fine);
    if (fine)
        assert_true(packed == together);
    assert_int_equal(pkt_dequantize_row(word, start, row, count, &back), readable);
    for (unsigned i = 0; i < count && readable; i++)
        assert_int_equal(pkt_float_bits(pkt_row_value(back, i)), pkt_float_bits(expected[i]));
}

/* Members may be anywhere in memory; what is between them must not change. */
TEST(test_members)
{
    random_state = UINT64_C(0x6a09e667f3bcc909);
    for (unsigned i = 0; i < 10000; i++) {
        const unsigned count = 3 + i % 2;
        float from[8], to[8];
        const float *loaded[4];
        float *stored[4];
        unsigned places[8];
        for (unsigned k = 0; k < 8; k++) {
            from[k] = (float)(next_random() % 1000);
            to[k] = -1.0f;
            places[k] = k;
        }
        /* One after another, with some of them swapped in three of four cases. */
        for (unsigned k = 0; k < i % 4; k++) {
            const unsigned a = (unsigned)(next_random() % 8), b = (unsigned)(next_random() % 8), place = places[a];
            places[a] = places[b];
            places[b] = place;
        }
        for (unsigned k = 0; k < 4; k++) {
            loaded[k] = &from[places[k + i % 5]];
            stored[k] = &to[places[k + i % 5]];
        }
        pkt_row_store(pkt_row_load(loaded, count), count, stored);
        for (unsigned k = 0; k < count; k++) {
            assert_true(*stored[k] == *loaded[k]);
            *stored[k] = -1.0f;
        }
        for (unsigned k = 0; k < 8; k++)
            assert_true(to[k] == -1.0f);
    }
}

TEST(test_against_one_by_one)
{
    random_state = UINT64_C(0x2545f4914f6cdd1d);
    print_message("seed %llu\n", (unsigned long long)random_state);
    for (unsigned i = 0; i < 400000; i++)
        check_row(3 + i % 2);
}

/* Deltas: which numbers of a row differ from the baseline, their codes, and the values that a changed row is read
 * as. */
static void check_change(unsigned count)
{
    pkt_scale rows[4], *const row = rows + 4 - count;
    float all_now[4], *const now = all_now + 4 - count, all_old[4], *const old = all_old + 4 - count, expected[4],
                             back[4];
    float *const members[4] = {&back[0], &back[1], &back[2], &back[3]};
    uint32_t all_codes[4], *const codes = all_codes + 4 - count, compared[8];
    uint64_t differ = 0, differs;
    const uint64_t changed = next_random();
    bool finite = true, fine = true;
    for (unsigned i = 0; i < 4; i++)
        back[i] = 77.0f;
    for (unsigned i = 0; i < count; i++) {
        row[i] = scales[next_random() % SCALES];
        now[i] = sample(&row[i]);
        do
            old[i] = next_random() % 3 == 0 ? now[i] : sample(&row[i]);
        while (!pkt_is_finite(old[i]));
    }
    for (unsigned i = 0; i < count; i++) {
        const uint32_t code = pkt_quantize(now[i], row[i].lo, row[i].hi, row[i].steps);
        differ |= (uint64_t)pkt_codes_differ(now[i], old[i], row[i].lo, row[i].hi, row[i].steps) << i;
        finite = finite && code != UINT32_MAX;
    }
    assert_int_equal(pkt_compare_row(now, old, row, count, compared, &differs), finite);
    assert_int_equal(differs & ((1u << count) - 1), differ);
    if (count == 3)
        assert_int_equal(compared[3] | compared[7], 0);
    for (unsigned i = 0; i < count; i++) {
        const bool differs_here = (differ >> i & 1) != 0;
        codes[i] = compared[i];
        assert_int_equal(compared[4 + i], differs_here ? row[i].bits : 0);
        if (finite)
            assert_int_equal(codes[i], differs_here ? pkt_quantize(now[i], row[i].lo, row[i].hi, row[i].steps) : 0);
        if (!finite || next_random() % 8 == 0)
            codes[i] = (uint32_t)(next_random() % (row[i].steps + 1));
        if (next_random() % 64 == 0)
            codes[i] = row[i].steps + 1;
        if ((changed >> i & 1) == 0) {
            codes[i] = 0;
            expected[i] = old[i];
            continue;
        }
        fine = fine && codes[i] <= row[i].steps && codes[i] != pkt_quantize(old[i], row[i].lo, row[i].hi, row[i].steps);
        expected[i] = pkt_dequantize(codes[i], row[i].lo, row[i].hi, row[i].steps);
    }
    assert_int_equal(pkt_change_row(codes, old, row, count, changed, members), fine);
    for (unsigned i = 0; i < 4 && fine; i++)
        assert_int_equal(pkt_float_bits(back[i]), pkt_float_bits(i < count ? expected[i] : 77.0f));
}

TEST(test_changes_against_one_by_one)
{
    random_state = UINT64_C(0x9e3779b97f4a7c15);
    print_message("seed %llu\n", (unsigned long long)random_state);
    for (unsigned i = 0; i < 200000; i++)
        check_change(3 + i % 2);
}

/* A line of generated code: compares three fields and sets three bits of a mask. */
typedef struct trio {
    float a, b, c;
} trio;

static bool compare_trio(const trio *in_, const trio *base, uint64_t *mask, uint32_t *codes)
{
    PKT_COMPARE(({-8.0f, 8.0f, 1600, 11}, {0.0f, 1.0f, 100, 7}, {-1.0f, 1.0f, 2, 2}), (in_->a, in_->b, in_->c),
                (base->a, base->b, base->c), *mask, 5, codes);
    return true;
}

TEST(test_a_line_of_three)
{
    for (unsigned differ = 0; differ < 8; differ++) {
        const trio base = {1.0f, 0.5f, -1.0f};
        const trio now = {(differ & 1) != 0 ? 2.0f : 1.0f, (differ & 2) != 0 ? 1.0f : 0.5f,
                          (differ & 4) != 0 ? 0.0f : -1.0f};
        uint32_t codes[8];
        uint64_t mask = 1;
        assert_true(compare_trio(&now, &base, &mask, codes));
        assert_true(mask == (1 | differ << 5));
        assert_int_equal(codes[0], (differ & 1) != 0 ? 1000 : 0);
        assert_int_equal(codes[1], (differ & 2) != 0 ? 100 : 0);
        assert_int_equal(codes[2], (differ & 4) != 0 ? 1 : 0);
        assert_int_equal(codes[4], (differ & 1) != 0 ? 11 : 0);
        assert_int_equal(codes[5], (differ & 2) != 0 ? 7 : 0);
        assert_int_equal(codes[6], (differ & 4) != 0 ? 2 : 0);
    }
}

/* Each number of bytes at each position near the end; nothing else may be touched. */
TEST(test_the_ends_of_buffers)
{
    uint8_t *bytes;
    random_state = UINT64_C(0xd1342543de82ef95);
    assert_true(pkt_load_end(NULL, 0, 0) == 0);
    assert_true(pkt_load_end(NULL, 45, 0) == 0); /* of a reader that has failed */
    for (size_t size = 0; size <= 16; size++) {
        bytes = malloc(size + (size == 0));
        assert_non_null(bytes);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)next_random();
        for (size_t at = 0; at <= size; at++) {
            uint64_t expected = 0;
            for (size_t i = 0; i < 8 && at + i < size; i++)
                expected |= (uint64_t)bytes[at + i] << 8 * i;
            assert_true(pkt_load_end(bytes, at, size) == expected);
            if (at < size)
                assert_true(pkt_load_edge(bytes, at, size) == expected);
        }
        for (size_t at = 0; at <= size; at++) {
            for (unsigned count = 0; count <= 8 && at + count <= size; count++) {
                const uint64_t v = next_random();
                memset(bytes, 0x5a, size);
                pkt_store_edge(bytes, at, size, v, count);
                for (size_t i = 0; i < count; i++)
                    assert_int_equal(bytes[at + i], (uint8_t)(v >> 8 * i));
                /* The rest of the 8 bytes from there on may be anything. */
                for (size_t i = 0; i < size; i++)
                    if (i < at || i >= (at + 8 <= size ? at + 8 : at + count))
                        assert_int_equal(bytes[i], 0x5a);
            }
        }
        free(bytes);
    }
}

/* A number that is gathered must not have more bits than the row has for it. */
TEST(test_too_large)
{
    for (unsigned bits = 1; bits <= 56; bits++) {
        const uint64_t span = pkt_mask(bits), half = UINT64_C(1) << 63;
        const uint64_t raws[] = {0,    span,        span + 1,        2 * span + 1,   half - 1,
                                 half, half + span, half + span + 1, UINT64_MAX - 1, UINT64_MAX};
        for (unsigned i = 0; i < sizeof raws / sizeof raws[0]; i++) {
            const uint64_t raw = bits <= 32 ? (uint32_t)raws[i] : raws[i];
            for (unsigned differs = 0; differs < 2; differs++) {
                pkt_cursor c = {0};
                pkt_gathered row = {0, 0};
                uint64_t mask = 0;
                pkt_gather(&c, &row, &mask, 5, differs, raw, span, true, bits);
                assert_int_equal(c.over >> 63, differs && raw > span);
                assert_int_equal(mask, differs << 5);
                assert_int_equal(row.filled, differs ? bits : 0);
                assert_int_equal(row.word, differs ? raw : 0);
            }
        }
    }
}

/* No schema has ranges of more steps, but the functions promise nothing to the compiler about them: with these the code of
 * the upper bound is rounded to one more than the last. */
TEST(test_more_steps_than_a_schema_has)
{
    assert_int_equal(pkt_quantize(1.0f, 0.0f, 1.0f, (UINT32_C(1) << 23) + 1), (UINT32_C(1) << 23) + 2);
    assert_true(pkt_quantize64(1.0, 0.0, 1.0, (UINT64_C(1) << 52) + 1) == (UINT64_C(1) << 52) + 2);
    assert_int_equal(pkt_quantize(1.0f, 0.0f, 1.0f, 1 << PKT_STEPS_BITS), 1 << PKT_STEPS_BITS);
    assert_true(pkt_quantize64(1.0, 0.0, 1.0, UINT64_C(1) << PKT_STEPS_BITS64) == UINT64_C(1) << PKT_STEPS_BITS64);
}
