/* test_rows.c - three or four quantized floats at once, against one after the other: rounding is part of the wire.
 * SPDX-License-Identifier: MIT
 */
#include "../../runtime/pkt_codec.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static uint64_t random_state;

static uint64_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* Ranges and steps that are powers of 2 and such that are not; 14 bits at most, so that four fit in a word. */
static const pkt_scale scales[] = {
    {-32.0f, 32.0f, 2048, 12}, {0.0f, 360.0f, 3600, 12}, {-90.0f, 90.0f, 1800, 11}, {-1.0f, 1.0f, 16383, 14},
    {-0.1f, 0.3f, 7, 3}, {-1024.0f, 1024.0f, 8192, 14}, {0.0f, 1.0f, 1, 1}, {-1e30f, 1e30f, 1000, 10}, {5.0f, 5.5f, 512, 10},
};
enum { SCALES = sizeof scales / sizeof scales[0] };

/* In the range, on its edges, beyond them, on the middle between two codes, of any bits. */
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

static void check_row(unsigned count)
{
    pkt_scale row[4];
    float values[4], expected[4], back[4];
    uint64_t together = 0, packed = 0, wire;
    bool fine = true, readable = true;
    unsigned at = 0;
    for (unsigned i = 0; i < 4; i++) {
        row[i] = scales[next_random() % SCALES];
        values[i] = sample(&row[i]);
        back[i] = 77.0f;
    }
    wire = next_random();
    for (unsigned i = 0; i < count; i++) {
        const uint32_t code = pkt_quantize(values[i], row[i].lo, row[i].hi, row[i].steps);
        const uint32_t read = (uint32_t)(wire >> at & ((UINT64_C(1) << row[i].bits) - 1));
        fine = fine && code != UINT32_MAX;
        together |= (uint64_t)code << at;
        readable = readable && read <= row[i].steps;
        expected[i] = pkt_dequantize(read, row[i].lo, row[i].hi, row[i].steps);
        at += row[i].bits;
    }
    assert_int_equal(pkt_quantize_row(values, row, count, &packed), fine);
    if (fine) assert_true(packed == together);
    assert_int_equal(pkt_dequantize_row(wire, row, count, back), readable);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(pkt_float_bits(back[i]), pkt_float_bits(readable && i < count ? expected[i] : 77.0f));
}

static void test_against_one_by_one(void **state)
{
    (void)state;
    random_state = UINT64_C(0x2545f4914f6cdd1d);
    print_message("seed %llu\n", (unsigned long long)random_state);
    for (unsigned i = 0; i < 400000; i++) check_row(3 + i % 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
