/* operator.c - the operators of expressions: their classes, and their results for integers.
 * SPDX-License-Identifier: MIT
 */
#include "base/operator.h"

#include <assert.h>

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
