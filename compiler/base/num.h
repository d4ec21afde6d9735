/* num.h - exact integers from -(2^64 - 1) to 2^64 - 1, and operators on them.
 * SPDX-License-Identifier: MIT
 *
 * The range covers int64_t, uint64_t and the difference of any two of their values.
 */
#ifndef PKTC_NUM_H
#define PKTC_NUM_H

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct num {
    uint64_t magnitude;
    bool negative; /* never for 0 */
} num;

num num_u64(uint64_t value);
num num_i64(int64_t value);

/* False if the result is out of the range above or the divisor is 0; *result is then unchanged. Division truncates
 * toward zero, and a remainder has the sign of a. */
bool num_add(num a, num b, num *result);
bool num_subtract(num a, num b, num *result);
bool num_multiply(num a, num b, num *result);
bool num_divide(num a, num b, num *result);
bool num_remainder(num a, num b, num *result);
num num_negate(num a);

int num_compare(num a, num b); /* -1, 0 or 1 */
num num_least(num a, num b);
num num_greatest(num a, num b);
bool num_fits_i64(num a);
bool num_fits_u64(num a);
uint64_t num_bits(num a);              /* two's complement, modulo 2^64 */
double num_double(num a);              /* rounded to nearest */
const char *num_text(arena *a, num n); /* decimal */

/* The bits that hold every value from 0 to max: 0 for 0, 1 for 1, 8 for 255, at most 64. */
unsigned bit_length(uint64_t max);

/* ---- the operators of expressions: how they are written, and their results for exact integers */

typedef enum operator_kind {
    OPERATOR_NONE, /* for expressions that are no operator: a number, a name */
    OPERATOR_NOT,
    OPERATOR_NEGATE,
    OPERATOR_OR,
    OPERATOR_AND,
    OPERATOR_EQ,
    OPERATOR_NE,
    OPERATOR_LT,
    OPERATOR_LE,
    OPERATOR_GT,
    OPERATOR_GE,
    OPERATOR_MASK, /* & */
    OPERATOR_ADD,
    OPERATOR_SUBTRACT,
    OPERATOR_MULTIPLY,
    OPERATOR_DIVIDE,
    OPERATOR_REMAINDER
} operator_kind;

/* The operator as both .pkt and C write it: "+", "&&", "!". */
const char *operator_text(operator_kind kind);

/* Whether its operands must be bools: ! || && */
bool operator_is_logical(operator_kind kind);

/* Whether it compares: == != < <= > >= */
bool operator_compares(operator_kind kind);

/* Whether its operands and its result are numbers: & + - * / %, and unary - */
bool operator_calculates(operator_kind kind);

/* The result of a binary operator; bools are 0 and 1. & takes its operands as two's complement of unlimited width.
 * False if the divisor is 0 or the result does not fit in a num. */
bool operator_apply(operator_kind kind, num a, num b, num *result);

#endif
