/* quantized.c - tries all floats and all codes of the quantized numbers of mygame, for what roundtrip.py assumes of them.
 * SPDX-License-Identifier: MIT
 *
 * usage: quantized [N]    tries every N-th float; without an argument, all
 *
 * Each code is that of its value, also in a row, and its value is finite and not -0. 0 is the value of a code, which -0 has too.
 * The code of a float is the last one at most, or UINT32_MAX if it is not finite, or too great for a circle. T_quantize makes of
 * a float the value of its code. That is at most half a step, and a rounding error, from the float in range. A row gives
 * the codes and values of its members.
 */
#include "pkt_inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct range {
    float lo, hi;
    uint32_t steps, last;
} range;

static int fail(const char *what, const range *r, float v, uint32_t code)
{
    printf("%s: range %g to %g, value %.9g (%08x), code %u\n", what, (double)r->lo, (double)r->hi, (double)v,
           (unsigned)pkt_float_bits(v), (unsigned)code);
    return 1;
}

/* Inlined with constants, as generated code has it. */
PKT_INLINE int try_range(const float lo, const float hi, const uint32_t steps, const unsigned bits, uint64_t stride)
{
    const range r = {lo, hi, steps, PKT_LAST_CODE(steps)};
    const bool circle = steps >> 31 != 0;
    const double step = ((double)hi - (double)lo) / (steps & INT32_MAX);
    const double slack = step / 2 + ldexp((double)hi - (double)lo, -22);
    const pkt_scale scales[3] = {{lo, hi, steps, bits}, {lo, hi, steps, bits}, {lo, hi, steps, bits}};
    for (uint32_t code = 0; code <= r.last; code++) {
        const float v = pkt_dequantize(code, lo, hi, steps);
        if (!pkt_is_finite(v) || pkt_float_bits(v) == 0x80000000u)
            return fail("no proper value", &r, v, code);
        if (pkt_quantize(v, lo, hi, steps) != code)
            return fail("another code", &r, v, code);
        if (!circle && 3 * bits < 64) {
            pkt_row row;
            const uint64_t packed = code | (uint64_t)code << bits | (uint64_t)code << 2 * bits;
            float members[3], *const to[] = {&members[0], &members[1], &members[2]};
            if (!pkt_dequantize_row(packed, 0, scales, 3, &row))
                return fail("refused in a row", &r, v, code);
            pkt_row_store(row, 3, to);
            for (unsigned i = 0; i < 3; i++)
                if (pkt_float_bits(members[i]) != pkt_float_bits(v))
                    return fail("another value in a row", &r, members[i], code);
        }
    }
    if (pkt_float_bits(pkt_dequantize(pkt_quantize(0.0f, lo, hi, steps), lo, hi, steps)) != 0 ||
        pkt_quantize(-0.0f, lo, hi, steps) != pkt_quantize(0.0f, lo, hi, steps))
        return fail("zero", &r, 0.0f, pkt_quantize(0.0f, lo, hi, steps));
    for (uint64_t i = 0; i <= UINT32_MAX; i += stride) {
        const float v = pkt_bits_float((uint32_t)i);
        const uint32_t code = pkt_quantize(v, lo, hi, steps);
        if (!pkt_is_finite(v) ? code != UINT32_MAX : code > r.last && !(circle && code == UINT32_MAX))
            return fail("code out of range", &r, v, code);
        if (code > r.last)
            continue;
        const float value = pkt_dequantize(code, lo, hi, steps), settled = pkt_settle(v, lo, hi, steps);
        if (pkt_float_bits(value) != pkt_float_bits(settled))
            return fail("T_quantize differs", &r, settled, code);
        if (!circle) {
            const double in_range = v < lo ? (double)lo : v > hi ? (double)hi : (double)v;
            if (fabs((double)value - in_range) > slack)
                return fail("not the nearest", &r, v, code);
            if (3 * bits < 64) {
                const float *const members[] = {&v, &v, &v};
                uint64_t packed;
                if (!pkt_quantize_row(pkt_row_load(members, 3), scales, 3, &packed) ||
                    packed != (code | (uint64_t)code << bits | (uint64_t)code << 2 * bits))
                    return fail("another code in a row", &r, v, code);
            }
        } else if (v >= lo && v <= hi) {
            const double distance = fabs((double)value - (double)v);
            if (distance > slack && fabs(distance - (hi - lo)) > slack)
                return fail("not the nearest", &r, v, code);
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    const uint64_t stride = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    return try_range(0.0f, 360.0f, PKT_CIRCLE(3600), 12, stride) || try_range(-90.0f, 90.0f, 1800, 11, stride) ||
           try_range(-1.0f, 1.0f, 32, 6, stride) || try_range(-1024.0f, 1024.0f, 204800, 18, stride) ||
           try_range(0.0f, 256.0f, 25600, 15, stride) || try_range(-32.0f, 32.0f, 2048, 12, stride);
}
