/* operator.h - the operators of expressions: how they are written, and what they make of exact integers.
 * SPDX-License-Identifier: MIT
 *
 * The kinds of expressions of the syntax tree (front/ast.h) and of the schema (model/schema.h) that are operators have these
 * numbers, so that a cast goes from one to the other.
 */
#ifndef PKTC_OPERATOR_H
#define PKTC_OPERATOR_H

#include "base/num.h"

typedef enum operator_kind {
    OPERATOR_NOT = 4, /* both enums have four kinds of operands before */
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

/* As .pkt and C both write it: "+", "&&", "!". */
const char *operator_text(operator_kind kind);

/* Whether its operands are bools alone: ! || && */
bool operator_is_logical(operator_kind kind);

/* Whether it compares: == != < <= > >= */
bool operator_compares(operator_kind kind);

/* What a binary operator makes of two numbers; bools are 0 and 1. & is that of two's complement of any width. False on
 * division by zero, or where the result is beyond num. */
bool operator_apply(operator_kind kind, num a, num b, num *result);

#endif
