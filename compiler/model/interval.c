/* interval.c - arithmetic on ranges.
 * SPDX-License-Identifier: MIT
 *
 * Sums, differences, products and quotients have their extremes at the extremes of the operands. The intervals of a
 * remainder and of a mask follow from those of the operands, and may be wider than necessary.
 */
#include "model/interval.h"

#include <assert.h>

static bool is_one_value(interval a)
{
    return num_compare(a.low, a.high) == 0;
}

/* The smallest interval that contains the results at the four corners. */
static bool of_corners(bool (*operation)(num, num, num *), interval a, interval b, interval *result)
{
    const num left[] = {a.low, a.low, a.high, a.high};
    const num right[] = {b.low, b.high, b.low, b.high};
    for (int i = 0; i < 4; i++) {
        num corner;
        if (!operation(left[i], right[i], &corner))
            return false;
        result->low = i == 0 ? corner : num_least(result->low, corner);
        result->high = i == 0 ? corner : num_greatest(result->high, corner);
    }
    return true;
}

/* A remainder has the sign of a, is at most as far from 0 as a, and is closer to 0 than b. */
static interval of_remainder(interval a, interval b)
{
    uint64_t limit = (b.low.magnitude > b.high.magnitude ? b.low.magnitude : b.high.magnitude) - 1;
    interval nearest = {num_negate(num_u64(limit)), num_u64(limit)};
    num zero = num_u64(0);
    num low = num_least(zero, num_greatest(a.low, nearest.low));
    num high = num_greatest(zero, num_least(a.high, nearest.high));
    return (interval){low, high};
}

/* In two's complement. If an operand cannot be negative, the result is from 0 to that operand. If both can be negative,
 * the result has no more bits than the longer one. */
static interval of_mask(interval a, interval b)
{
    bool a_negative = a.low.negative;
    bool b_negative = b.low.negative;
    if (!a_negative || !b_negative) {
        num high = a_negative ? b.high : b_negative ? a.high : num_least(a.high, b.high);
        return (interval){num_u64(0), high};
    }
    num lowest = num_least(a.low, b.low);
    unsigned bits = bit_length(lowest.magnitude - 1);
    interval result = {num_negate(num_u64(UINT64_C(1) << bits)), num_greatest(a.high, b.high)};
    if (a.high.negative && b.high.negative)
        result.high = num_least(a.high, b.high);
    return result;
}

bool interval_of(operator_kind operator, interval a, interval b, interval *result)
{
    if (is_one_value(a) && is_one_value(b)) {
        bool known = operator_apply(operator, a.low, b.low, &result->low);
        result->high = result->low;
        return known;
    }
    switch (operator) {
    case OPERATOR_MASK: *result = of_mask(a, b); return true;
    case OPERATOR_ADD: return of_corners(num_add, a, b, result);
    case OPERATOR_SUBTRACT: return of_corners(num_subtract, a, b, result);
    case OPERATOR_MULTIPLY: return of_corners(num_multiply, a, b, result);
    case OPERATOR_DIVIDE: return of_corners(num_divide, a, b, result);
    case OPERATOR_REMAINDER: *result = of_remainder(a, b); return true;
    case OPERATOR_NONE:
    case OPERATOR_NOT:
    case OPERATOR_NEGATE:
    case OPERATOR_OR:
    case OPERATOR_AND:
    case OPERATOR_EQ:
    case OPERATOR_NE:
    case OPERATOR_LT:
    case OPERATOR_LE:
    case OPERATOR_GT:
    case OPERATOR_GE: break;
    }
    assert(false && "not arithmetic");
    return false;
}

bool interval_has_zero(interval a)
{
    return (a.low.negative || a.low.magnitude == 0) && !a.high.negative;
}

bool interval_fits_i64(interval a)
{
    return num_fits_i64(a.low) && num_fits_i64(a.high);
}

bool interval_fits_u64(interval a)
{
    return num_fits_u64(a.low) && num_fits_u64(a.high);
}
