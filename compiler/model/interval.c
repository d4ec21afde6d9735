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
        if (!operation(left[i], right[i], &corner)) {
            return false;
        }
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
    if (a.high.negative && b.high.negative) {
        result.high = num_least(a.high, b.high);
    }
    return result;
}

bool interval_of(expr_kind kind, interval a, interval b, interval *result)
{
    if (is_one_value(a) && is_one_value(b)) {
        bool known = operator_apply((operator_kind)kind, a.low, b.low, &result->low);
        result->high = result->low;
        return known;
    }
    switch (kind) {
    case EXPR_MASK: *result = of_mask(a, b); return true;
    case EXPR_ADD: return of_corners(num_add, a, b, result);
    case EXPR_SUBTRACT: return of_corners(num_subtract, a, b, result);
    case EXPR_MULTIPLY: return of_corners(num_multiply, a, b, result);
    case EXPR_DIVIDE: return of_corners(num_divide, a, b, result);
    case EXPR_REMAINDER: *result = of_remainder(a, b); return true;
    case EXPR_VALUE:
    case EXPR_FIELD:
    case EXPR_COUNT:
    case EXPR_HAS:
    case EXPR_NOT:
    case EXPR_NEGATE:
    case EXPR_OR:
    case EXPR_AND:
    case EXPR_EQ:
    case EXPR_NE:
    case EXPR_LT:
    case EXPR_LE:
    case EXPR_GT:
    case EXPR_GE: break;
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
