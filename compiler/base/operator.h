/* operator.h - the operators of expressions: how they are written, and their results for exact integers.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_OPERATOR_H
#define PKTC_OPERATOR_H

#include "base/num.h"

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
