/* test_half.c - conversions between floats and halves: every code, rounding between neighbours, NaNs, too great values.
 * SPDX-License-Identifier: MIT
 *
 * The value of a code is computed here from docs/wire.md, with ldexp.
 */
#include "../../runtime/pkt_inside.h"
#include "unit.h"

#include <float.h>
#include <math.h>

enum { CODES = 0x10000, SIGN = 0x8000, INF = 0x7C00, PAYLOAD = 0x3FF };

/* The value of a code; 65536 for infinity. */
static double defined_value(unsigned code)
{
    const int exponent = (int)(code >> 10 & 31), fraction = (int)(code & PAYLOAD);
    const double magnitude = exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);
    return (code & SIGN) != 0 ? -magnitude : magnitude;
}

TEST(every_code_there_and_back)
{
    for (uint32_t code = 0; code < CODES; code++) {
        const float v = pkt_half_float(code);
        assert_int_equal(pkt_half_bits(v), code);
        assert_int_equal((pkt_float_bits(v) >> 31) != 0, (code & SIGN) != 0);
        if ((code & INF) != INF)
            assert_true((double)v == defined_value(code));
        else if ((code & PAYLOAD) == 0)
            assert_true(isinf(v));
        else
            assert_int_equal(pkt_float_bits(v) & 0x7FFFFFFF, 0x7F800000 | (code & PAYLOAD) << 13);
        assert_int_equal(pkt_float_bits(pkt_settle_half(v)), pkt_float_bits(v));
    }
}

/* The middle of each two neighbours, the float below it and the float above it, with both signs. */
TEST(rounding_between_halves)
{
    for (unsigned code = 0; code < INF; code++) {
        const double middle = (defined_value(code) + defined_value(code + 1)) / 2;
        const float tie = (float)middle;
        assert_true((double)tie == middle);
        const uint32_t even = code % 2 == 0 ? code : code + 1;
        assert_int_equal(pkt_half_bits(tie), even);
        assert_int_equal(pkt_half_bits(-tie), even | SIGN);
        assert_int_equal(pkt_half_bits(nextafterf(tie, 0.0f)), code);
        assert_int_equal(pkt_half_bits(nextafterf(tie, INFINITY)), code + 1);
        assert_int_equal(pkt_half_bits(-nextafterf(tie, INFINITY)), (code + 1) | SIGN);
    }
}

TEST(the_ends)
{
    assert_int_equal(pkt_half_bits(0.0f), 0);
    assert_int_equal(pkt_half_bits(-0.0f), SIGN);
    assert_int_equal(pkt_half_bits(1.0f), 0x3C00);
    assert_int_equal(pkt_half_bits(65504.0f), 0x7BFF);
    assert_int_equal(pkt_half_bits(nextafterf(65520.0f, 0.0f)), 0x7BFF);
    assert_int_equal(pkt_half_bits(65520.0f), INF);
    assert_int_equal(pkt_half_bits(-65536.0f), INF | SIGN);
    assert_int_equal(pkt_half_bits(FLT_MAX), INF);
    assert_int_equal(pkt_half_bits(INFINITY), INF);
    assert_int_equal(pkt_half_bits(-INFINITY), INF | SIGN);
    assert_int_equal(pkt_half_bits(0x1p-24f), 1);
    assert_int_equal(pkt_half_bits(0x1p-25f), 0);
    assert_int_equal(pkt_half_bits(nextafterf(0x1p-25f, 1.0f)), 1);
    assert_int_equal(pkt_half_bits(-0x1p-26f), SIGN);
    assert_int_equal(pkt_half_bits(FLT_MIN), 0);
    assert_int_equal(pkt_half_bits(pkt_bits_float(1)), 0);
    assert_int_equal(pkt_half_bits(pkt_bits_float(0x807FFFFF)), SIGN);
}

/* A NaN keeps 10 bits of its payload. If these are 0, it stays a NaN, and a signalling one. */
TEST(payloads)
{
    for (uint32_t kept = 0; kept <= PAYLOAD; kept++) {
        static const uint32_t lost[] = {0, 1, 0x0FFF, 0x1000, 0x1FFF};
        for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
            const uint32_t fraction = kept << 13 | lost[i];
            if (fraction == 0)
                continue;
            assert_int_equal(pkt_half_bits(pkt_bits_float(0x7F800000 | fraction)), INF | (kept != 0 ? kept : 1));
            assert_int_equal(pkt_half_bits(pkt_bits_float(0xFF800000 | fraction)), SIGN | INF | (kept != 0 ? kept : 1));
        }
    }
}

/* Random floats of every exponent: the nearest half is one of its two neighbours. */
TEST(some_of_all_floats)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 2000000; i++) {
        bits = bits * 1664525u + 1013904223u;
        const float v = pkt_bits_float(bits);
        const uint32_t code = pkt_half_bits(v);
        assert_true(code < CODES);
        if (isnan(v)) {
            assert_true((code & INF) == INF && (code & PAYLOAD) != 0);
            continue;
        }
        const double wanted = fabs((double)v), limit = 65536;
        const unsigned magnitude = code & (SIGN - 1);
        const double value = defined_value(magnitude), above = magnitude < INF ? defined_value(magnitude + 1) : limit;
        assert_true(wanted >= limit ? magnitude == INF : wanted <= (value + above) / 2);
        if (magnitude > 0)
            assert_true(wanted >= (value + defined_value(magnitude - 1)) / 2);
    }
}
