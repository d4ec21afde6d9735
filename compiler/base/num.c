/* num.c - exact integers as a sign and a 64-bit magnitude.
 * SPDX-License-Identifier: MIT
 *
 * Zero is never negative: only signed_num sets the sign.
 */
#include "base/num.h"

#include <assert.h>

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
    for (unsigned half = 32; half > 0; half /= 2)
        if (max >> half != 0) {
            bits += half;
            max >>= half;
        }
    return bits + (max != 0);
}

/* ---- the operators of expressions: their classes, and their results for integers */

const char *operator_text(operator_kind kind)
{
    switch (kind) {
    case OPERATOR_NOT: return "!";
    case OPERATOR_NEGATE:
    case OPERATOR_SUBTRACT: return "-";
    case OPERATOR_OR: return "||";
    case OPERATOR_AND: return "&&";
    case OPERATOR_EQ: return "==";
    case OPERATOR_NE: return "!=";
    case OPERATOR_LT: return "<";
    case OPERATOR_LE: return "<=";
    case OPERATOR_GT: return ">";
    case OPERATOR_GE: return ">=";
    case OPERATOR_MASK: return "&";
    case OPERATOR_ADD: return "+";
    case OPERATOR_MULTIPLY: return "*";
    case OPERATOR_DIVIDE: return "/";
    case OPERATOR_REMAINDER: return "%";
    case OPERATOR_NONE: break;
    }
    assert(false && "not an operator");
    return "";
}

bool operator_is_logical(operator_kind kind)
{
    return kind == OPERATOR_NOT || kind == OPERATOR_OR || kind == OPERATOR_AND;
}

bool operator_compares(operator_kind kind)
{
    return kind >= OPERATOR_EQ && kind <= OPERATOR_GE;
}

bool operator_calculates(operator_kind kind)
{
    return kind == OPERATOR_NEGATE || kind >= OPERATOR_MASK;
}

/* The result is negative if both operands are. */
static bool mask_bits(num a, num b, num *result)
{
    const bool negative = a.negative && b.negative;
    const uint64_t bits = num_bits(a) & num_bits(b);
    if (negative && bits == 0) /* -2^64 */
        return false;
    *result = negative ? num_negate(num_u64(0 - bits)) : num_u64(bits);
    return true;
}

static bool truth_of(bool holds, num *result)
{
    *result = num_u64(holds);
    return true;
}

bool operator_apply(operator_kind kind, num a, num b, num *result)
{
    switch (kind) {
    case OPERATOR_OR: return truth_of(a.magnitude != 0 || b.magnitude != 0, result);
    case OPERATOR_AND: return truth_of(a.magnitude != 0 && b.magnitude != 0, result);
    case OPERATOR_EQ: return truth_of(num_compare(a, b) == 0, result);
    case OPERATOR_NE: return truth_of(num_compare(a, b) != 0, result);
    case OPERATOR_LT: return truth_of(num_compare(a, b) < 0, result);
    case OPERATOR_LE: return truth_of(num_compare(a, b) <= 0, result);
    case OPERATOR_GT: return truth_of(num_compare(a, b) > 0, result);
    case OPERATOR_GE: return truth_of(num_compare(a, b) >= 0, result);
    case OPERATOR_MASK: return mask_bits(a, b, result);
    case OPERATOR_ADD: return num_add(a, b, result);
    case OPERATOR_SUBTRACT: return num_subtract(a, b, result);
    case OPERATOR_MULTIPLY: return num_multiply(a, b, result);
    case OPERATOR_DIVIDE: return num_divide(a, b, result);
    case OPERATOR_REMAINDER: return num_remainder(a, b, result);
    case OPERATOR_NONE:
    case OPERATOR_NOT:
    case OPERATOR_NEGATE: break;
    }
    assert(false && "not a binary operator");
    return false;
}
