/* accuracy.c - how far a number or a rotation that is read may be from the one that was written.
 * SPDX-License-Identifier: MIT
 *
 * Of quantized numbers: with D = hi - lo and M steps, a number v is written as the code c and read as r:
 *
 *     a = v - lo, n = a / D, s = n * M, c = floor(s + 1/2);   q = c / M, w = q * D, r = w + lo
 *
 * Each operation is rounded to the nearest number of the storage, so it is off by at most half the distance of two
 * neighbours below the greatest result: e(a), e(n) ... Adding the half moves no result past a whole number, but for s just
 * below 1/2. Put together, r - v is at most
 *
 *     e(a) + D * e(n) + D/M * (e(s) + 1/2 + e(1)) + D * e(q) + e(w) + e(r)
 *
 * D is rounded too, but it is the same number on both sides. Quotients by a power of 2 and products with one are exact, and
 * so are differences from 0. tests/codec/test_quantized.c holds random ranges to this.
 */
#include "model/accuracy.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_power_of_2(double x)
{
    int exponent;
    return frexp(x, &exponent) == 0.5;
}

/* Half the distance of two neighbouring numbers of the storage below x. */
static double half_place(storage s, double x)
{
    const double least = s == STORAGE_FLOAT ? 0x1p-150 : 0x1p-1074;
    int exponent;
    const bool power = frexp(x, &exponent) == 0.5;
    const double half = ldexp(1.0, exponent - power - (s == STORAGE_FLOAT ? FLT_MANT_DIG : DBL_MANT_DIG) - 1);
    return half > least ? half : least;
}

double quantized_error(const type *t)
{
    const storage s = t->storage;
    const double low = t->real_low, high = t->real_high, steps = (double)t->steps;
    const double range = s == STORAGE_FLOAT ? (double)((float)high - (float)low) : high - low;
    const double greatest = fabs(low) > fabs(high) ? fabs(low) : fabs(high);
    /* The difference itself may be just above a power of 2, where numbers are twice as far apart. */
    const double difference = half_place(s, range * (1 + DBL_EPSILON)), one = half_place(s, 1.0);
    double error = range / steps * (0.5 + one);
    if (low != 0)
        error += difference + half_place(s, greatest);
    if (!is_power_of_2(range))
        error += range * one + half_place(s, range);
    if (!is_power_of_2(steps))
        error += range / steps * half_place(s, steps) + range * one;
    return error;
}

const char *quantized_error_text(arena *a, const type *t)
{
    const double error = quantized_error(t);
    char text[40];
    snprintf(text, sizeof text, "%.2e", error);
    const char *exponent = strchr(text, 'e');
    /* A millionth is far less than the bound is above what happens. */
    if (strtod(text, NULL) < error * (1 - 1e-6)) {
        char place[16];
        snprintf(place, sizeof place, "0.01%s", exponent);
        return arena_printf(a, "%.3g", strtod(text, NULL) + strtod(place, NULL));
    }
    return arena_printf(a, "%.3g", strtod(text, NULL));
}

/* ---- rotations: the errors were found by a search over many directions, and rounded up. tests/runtime/test_rotation.c
 * measures them again; docs/wire.md has the first ones. */

enum { QUAT_FIRST = 3, UNIT_FIRST = 2, ROTATION_LAST = 20 };

uint32_t rotation_steps(unsigned bits)
{
    assert(bits >= UNIT_FIRST && bits <= ROTATION_LAST && "so many bits are refused");
    return ((uint32_t)1 << bits) - 2;
}

double quat_error(unsigned bits)
{
    static const double degrees[] = {34.0,  17.0,  8.6,   4.3,    2.2,    1.1,    0.55,   0.28,   0.14,
                                     0.069, 0.035, 0.018, 0.0086, 0.0043, 0.0022, 0.0012, 0.0006, 0.00031};
    assert(bits >= QUAT_FIRST && bits <= ROTATION_LAST && "so many bits are refused");
    return degrees[bits - QUAT_FIRST];
}

double unit_error(unsigned bits)
{
    static const double degrees[] = {90.0, 36.0, 18.0,  8.1,    4.0,    2.0,    0.96,    0.48,    0.24,   0.12,
                                     0.06, 0.03, 0.015, 0.0075, 0.0038, 0.0019, 0.00096, 0.00049, 0.00026};
    assert(bits >= UNIT_FIRST && bits <= ROTATION_LAST && "so many bits are refused");
    return degrees[bits - UNIT_FIRST];
}

double zero_as_read(storage s, double low, double high, double steps)
{
    if (s == STORAGE_FLOAT) {
        float lo = (float)low, delta = (float)high - lo, most = (float)steps;
        float n = -lo / delta;
        float scaled = n * most;
        float code = (float)(int64_t)(scaled + 0.5f);
        float part = code / most;
        float distance = part * delta;
        return (double)(distance + lo);
    }
    double delta = high - low;
    double n = -low / delta;
    double scaled = n * steps;
    double code = (double)(int64_t)(scaled + 0.5);
    double part = code / steps;
    double distance = part * delta;
    return distance + low;
}

double quantized_base(const type *t)
{
    if (t->real_low > 0.0 || t->real_high < 0.0)
        return t->real_low;
    const double zero = zero_as_read(t->storage, t->real_low, t->real_high, (double)t->steps);
    if (zero < t->real_high)
        return zero;
    return t->wraps ? t->real_low : t->real_high;
}
