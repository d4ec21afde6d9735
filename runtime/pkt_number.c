/* pkt_number.c - the functions for numbers that are not inlined.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_number.h"

uint64_t pkt_code_of_float(float v, float lo, float hi, uint32_t steps)
{
    return pkt_quantize(v, lo, hi, steps);
}

uint64_t pkt_code_of_or_raw(float v, float lo, float hi, uint32_t steps)
{
    return pkt_or_raw_code(v, lo, hi, steps);
}

uint64_t pkt_code_of_double(double v, double lo, double hi, uint64_t steps)
{
    return pkt_quantize64(v, lo, hi, steps);
}

/* n less the whole number below it; n itself if it is not finite. A number of 2^24 or 2^53 and more is whole. */
static float pkt_turn(float n)
{
    float whole;
    if (!pkt_is_finite(n))
        return n;
    if (n >= 0.0f && n < 1.0f)
        return n;
    if (!(n > -16777216.0f && n < 16777216.0f))
        return 0.0f;
    whole = (float)(int32_t)n;
    return n - (whole > n ? whole - 1.0f : whole);
}

static double pkt_turn64(double n)
{
    double whole;
    if (!pkt_is_finite64(n))
        return n;
    if (n >= 0.0 && n < 1.0)
        return n;
    if (!(n > -9007199254740992.0 && n < 9007199254740992.0))
        return 0.0;
    whole = (double)(int64_t)n;
    return n - (whole > n ? whole - 1.0 : whole);
}

PKT_NOINLINE uint32_t pkt_quantize_turn(float v, float lo, float hi, uint32_t count)
{
    float range = hi - lo, scaled;
    uint32_t code;
    PKT_DIVISOR(range);
    scaled = pkt_turn((v - lo) / range) * (float)count;
    PKT_ROUNDED(scaled);
    if (!pkt_is_finite(scaled))
        return UINT32_MAX;
    code = (uint32_t)(int32_t)(scaled + 0.5f);
    return code == count ? 0 : code;
}

PKT_NOINLINE uint64_t pkt_quantize_turn64(double v, double lo, double hi, uint64_t count)
{
    double range = hi - lo, scaled;
    uint64_t code;
    PKT_DIVISOR(range);
    scaled = pkt_turn64((v - lo) / range) * (double)count;
    PKT_ROUNDED(scaled);
    if (!pkt_is_finite64(scaled))
        return UINT64_MAX;
    code = (uint64_t)(int64_t)(scaled + 0.5);
    return code == count ? 0 : code;
}

bool pkt_are_coded_apart(float a, float b, float lo, float hi, uint32_t steps)
{
    const uint32_t code = pkt_quantize(a, lo, hi, steps);
    return code == UINT32_MAX || code != pkt_quantize(b, lo, hi, steps);
}

bool pkt_are_coded_apart64(double a, double b, double lo, double hi, uint64_t steps)
{
    const uint64_t code = pkt_quantize64(a, lo, hi, steps);
    return code == UINT64_MAX || code != pkt_quantize64(b, lo, hi, steps);
}

bool pkt_step_differs(float now, float old, float lo, float hi, uint32_t steps, pkt_step_codes *codes)
{
    if (pkt_float_bits(now) == pkt_float_bits(old))
        return false;
    codes->now = pkt_quantize(now, lo, hi, steps);
    codes->old = pkt_quantize(old, lo, hi, steps);
    return codes->now == UINT32_MAX || codes->now != codes->old;
}

bool pkt_step_differs64(double now, double old, double lo, double hi, uint64_t steps, pkt_step_codes *codes)
{
    if (pkt_double_bits(now) == pkt_double_bits(old))
        return false;
    codes->now = pkt_quantize64(now, lo, hi, steps);
    codes->old = pkt_quantize64(old, lo, hi, steps);
    return codes->now == UINT64_MAX || codes->now != codes->old;
}

float pkt_settle_turn(float v, float lo, float hi, uint32_t steps)
{
    const uint32_t code = pkt_quantize_turn(v, lo, hi, steps & INT32_MAX);
    return code == UINT32_MAX ? v : pkt_dequantize(code, lo, hi, steps);
}

double pkt_settle64(double v, double lo, double hi, uint64_t steps)
{
    const uint64_t code = pkt_quantize64(v, lo, hi, steps);
    return code == UINT64_MAX ? v : pkt_dequantize64(code, lo, hi, steps);
}
