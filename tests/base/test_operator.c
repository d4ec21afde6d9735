/* test_operator.c - tests operators on integers, against those of C where its types are large enough.
 * SPDX-License-Identifier: MIT
 */
#include "base/num.h"
#include "unit.h"

#include <string.h>

static int64_t by_c(operator_kind kind, int64_t a, int64_t b)
{
    switch (kind) {
    case OPERATOR_OR: return a != 0 || b != 0;
    case OPERATOR_AND: return a != 0 && b != 0;
    case OPERATOR_EQ: return a == b;
    case OPERATOR_NE: return a != b;
    case OPERATOR_LT: return a < b;
    case OPERATOR_LE: return a <= b;
    case OPERATOR_GT: return a > b;
    case OPERATOR_GE: return a >= b;
    case OPERATOR_MASK: return a & b;
    case OPERATOR_ADD: return a + b;
    case OPERATOR_SUBTRACT: return a - b;
    case OPERATOR_MULTIPLY: return a * b;
    case OPERATOR_DIVIDE: return a / b;
    case OPERATOR_REMAINDER: return a % b;
    case OPERATOR_NONE:
    case OPERATOR_NOT:
    case OPERATOR_NEGATE: break;
    }
    fail_msg("not a binary operator");
    return 0;
}

TEST(test_small_numbers)
{
    for (operator_kind kind = OPERATOR_OR; kind <= OPERATOR_REMAINDER; kind++)
        for (int64_t a = -20; a <= 20; a++)
            for (int64_t b = -20; b <= 20; b++) {
                bool by_zero = (kind == OPERATOR_DIVIDE || kind == OPERATOR_REMAINDER) && b == 0;
                num result;
                assert_int_equal(operator_apply(kind, num_i64(a), num_i64(b), &result), !by_zero);
                if (!by_zero && num_compare(result, num_i64(by_c(kind, a, b))) != 0)
                    fail_msg("%d %s %d", (int)a, operator_text(kind), (int)b);
            }
}

TEST(test_large_numbers)
{
    const num most = num_u64(UINT64_MAX), least = num_i64(INT64_MIN);
    num result;
    assert_false(operator_apply(OPERATOR_ADD, most, num_u64(1), &result));
    assert_false(operator_apply(OPERATOR_MULTIPLY, most, num_u64(2), &result));
    assert_false(operator_apply(OPERATOR_SUBTRACT, num_negate(most), num_u64(1), &result));
    assert_true(operator_apply(OPERATOR_MASK, most, num_i64(-1), &result));
    assert_int_equal(num_compare(result, most), 0);
    assert_true(operator_apply(OPERATOR_MASK, least, num_i64(-2), &result));
    assert_int_equal(num_compare(result, least), 0);
    /* -2^63 & -(2^64 - 2^62) = -2^64, which is not a num. */
    assert_false(operator_apply(OPERATOR_MASK, least, num_negate(num_u64(UINT64_C(3) << 62)), &result));
    assert_true(operator_apply(OPERATOR_LT, least, most, &result));
    assert_int_equal(result.magnitude, 1);
}

TEST(test_kinds)
{
    for (operator_kind kind = OPERATOR_NOT; kind <= OPERATOR_REMAINDER; kind++) {
        assert_int_equal(operator_is_logical(kind), strpbrk(operator_text(kind), "|") ||
                                                        strstr(operator_text(kind), "&&") ||
                                                        strcmp(operator_text(kind), "!") == 0);
        assert_int_equal(operator_compares(kind), strpbrk(operator_text(kind), "<=>") != NULL);
    }
}
