/* num.c - exact integers as a sign and a 64-bit magnitude.
 * SPDX-License-Identifier: MIT
 *
 * Zero is never negative: only signed_num sets the sign.
 */
#include "base/num.h"

static num signed_num(uint64_t magnitude, bool negative)
{
    return (num){magnitude, negative && magnitude != 0};
}

num num_u64(uint64_t value)
{
    return signed_num(value, false);
}

num num_i64(int64_t value)
{
    return value < 0 ? signed_num(0 - (uint64_t)value, true) : signed_num((uint64_t)value, false);
}

bool num_add(num a, num b, num *result)
{
    if (a.negative == b.negative) {
        if (a.magnitude > UINT64_MAX - b.magnitude)
            return false;
        *result = signed_num(a.magnitude + b.magnitude, a.negative);
    } else if (a.magnitude >= b.magnitude) {
        *result = signed_num(a.magnitude - b.magnitude, a.negative);
    } else {
        *result = signed_num(b.magnitude - a.magnitude, b.negative);
    }
    return true;
}

bool num_subtract(num a, num b, num *result)
{
    return num_add(a, num_negate(b), result);
}

bool num_multiply(num a, num b, num *result)
{
    if (b.magnitude != 0 && a.magnitude > UINT64_MAX / b.magnitude)
        return false;
    *result = signed_num(a.magnitude * b.magnitude, a.negative != b.negative);
    return true;
}

bool num_divide(num a, num b, num *result)
{
    if (b.magnitude == 0)
        return false;
    *result = signed_num(a.magnitude / b.magnitude, a.negative != b.negative);
    return true;
}

bool num_remainder(num a, num b, num *result)
{
    if (b.magnitude == 0)
        return false;
    *result = signed_num(a.magnitude % b.magnitude, a.negative);
    return true;
}

num num_negate(num a)
{
    return signed_num(a.magnitude, !a.negative);
}

int num_compare(num a, num b)
{
    if (a.negative != b.negative)
        return a.negative ? -1 : 1;
    if (a.magnitude == b.magnitude)
        return 0;
    return (a.magnitude < b.magnitude) == a.negative ? 1 : -1;
}

num num_least(num a, num b)
{
    return num_compare(a, b) <= 0 ? a : b;
}

num num_greatest(num a, num b)
{
    return num_compare(a, b) >= 0 ? a : b;
}

bool num_fits_i64(num a)
{
    return a.magnitude <= (uint64_t)INT64_MAX + a.negative;
}

bool num_fits_u64(num a)
{
    return !a.negative;
}

uint64_t num_bits(num a)
{
    return a.negative ? 0 - a.magnitude : a.magnitude;
}

double num_double(num a)
{
    double magnitude = (double)a.magnitude;
    return a.negative ? -magnitude : magnitude;
}

const char *num_text(arena *a, num n)
{
    char digits[24], *first = digits + sizeof digits;
    uint64_t left = n.magnitude;
    do {
        *--first = (char)('0' + left % 10);
        left /= 10;
    } while (left != 0);
    if (n.negative)
        *--first = '-';
    return arena_text(a, first, (size_t)(digits + sizeof digits - first));
}

unsigned bit_length(uint64_t max)
{
    unsigned bits = 0;
    while (max != 0) {
        bits++;
        max >>= 1;
    }
    return bits;
}
