/* test_interval.c - tests the ranges of results against all values of small operands, and at the limits of 64 bits.
 * SPDX-License-Identifier: MIT
 */
#include "model/interval.h"
#include "unit.h"

static const operator_kind operators[] = {OPERATOR_MASK,     OPERATOR_ADD,    OPERATOR_SUBTRACT,
                                          OPERATOR_MULTIPLY, OPERATOR_DIVIDE, OPERATOR_REMAINDER};
#define OPERATORS (sizeof operators / sizeof *operators)

static int64_t in_c(operator_kind kind, int64_t a, int64_t b)
{
    switch (kind) {
    case OPERATOR_MASK: return a & b;
    case OPERATOR_ADD: return a + b;
    case OPERATOR_SUBTRACT: return a - b;
    case OPERATOR_MULTIPLY: return a * b;
    case OPERATOR_DIVIDE: return a / b;
    case OPERATOR_REMAINDER: return a % b;
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
    fail();
    return 0;
}

static interval between(int64_t low, int64_t high)
{
    return (interval){num_i64(low), num_i64(high)};
}

/* Every result must be in the interval. Its ends must be results too, except for masks and remainders. */
static void check_pair(operator_kind kind, int a_low, int a_high, int b_low, int b_high)
{
    interval found;
    bool low_seen = false, high_seen = false;
    bool exact = (kind != OPERATOR_MASK && kind != OPERATOR_REMAINDER) || (a_low == a_high && b_low == b_high);
    assert_true(interval_of(kind, between(a_low, a_high), between(b_low, b_high), &found));
    for (int a = a_low; a <= a_high; a++) {
        for (int b = b_low; b <= b_high; b++) {
            num n = num_i64(in_c(kind, a, b));
            assert_true(num_compare(found.low, n) <= 0 && num_compare(n, found.high) <= 0);
            low_seen = low_seen || num_compare(found.low, n) == 0;
            high_seen = high_seen || num_compare(found.high, n) == 0;
        }
    }
    assert_true(!exact || (low_seen && high_seen));
}

TEST(small_operands)
{
    const int limit = 6;
    for (size_t i = 0; i < OPERATORS; i++) {
        bool divides = operators[i] == OPERATOR_DIVIDE || operators[i] == OPERATOR_REMAINDER;
        for (int a_low = -limit; a_low <= limit; a_low++) {
            for (int a_high = a_low; a_high <= limit; a_high++) {
                for (int b_low = -limit; b_low <= limit; b_low++) {
                    for (int b_high = b_low; b_high <= limit; b_high++)
                        if (!divides || !interval_has_zero(between(b_low, b_high)))
                            check_pair(operators[i], a_low, a_high, b_low, b_high);
                }
            }
        }
    }
}

TEST(ends)
{
    interval all_signed = between(INT64_MIN, INT64_MAX);
    interval all_unsigned = {num_u64(0), num_u64(UINT64_MAX)};
    interval found;
    assert_false(interval_of(OPERATOR_ADD, all_unsigned, all_unsigned, &found));
    assert_false(interval_of(OPERATOR_ADD, all_unsigned, between(1, 1), &found));
    assert_true(interval_of(OPERATOR_SUBTRACT, all_unsigned, all_unsigned, &found));
    assert_false(interval_fits_i64(found));
    assert_false(interval_fits_u64(found));
    assert_false(interval_of(OPERATOR_MULTIPLY, all_signed, all_signed, &found));

    assert_true(interval_of(OPERATOR_DIVIDE, all_signed, between(-1, -1), &found));
    assert_false(interval_fits_i64(found));
    assert_true(interval_of(OPERATOR_REMAINDER, all_signed, between(INT64_MIN, -1), &found));
    assert_int_equal(num_compare(found.high, num_i64(INT64_MAX)), 0);
    assert_int_equal(num_compare(found.low, num_i64(-INT64_MAX)), 0);

    assert_true(interval_of(OPERATOR_MASK, all_signed, all_signed, &found));
    assert_int_equal(num_compare(found.low, num_i64(INT64_MIN)), 0);
    assert_int_equal(num_compare(found.high, num_i64(INT64_MAX)), 0);
    assert_true(interval_of(OPERATOR_MASK, all_unsigned, between(255, 255), &found));
    assert_int_equal(num_compare(found.high, num_u64(255)), 0);
    assert_true(interval_of(OPERATOR_MASK, all_unsigned, all_unsigned, &found));
    assert_int_equal(num_compare(found.high, num_u64(UINT64_MAX)), 0);
}
