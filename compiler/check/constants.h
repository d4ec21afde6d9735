/* constants.h - evaluates constant expressions.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_CONSTANTS_H
#define PKTC_CONSTANTS_H

#include "check/context.h"

typedef enum constant_kind { CONSTANT_BROKEN, CONSTANT_INTEGER, CONSTANT_REAL, CONSTANT_BOOL } constant_kind;

typedef struct constant {
    constant_kind kind;
    num integer;
    double real;
    bool boolean;
} constant;

/* The value of an expression of literals and constants. CONSTANT_BROKEN after an error, reported here or earlier. */
constant evaluate(checker *k, const ast_expr *e);

/* The value of a declared constant, evaluated at its first use. */
constant constant_of(checker *k, decl_info *d);

/* Evaluates an integer from low to high. `what` begins the message of an error: "the length of an array" gives "the
 * length of an array must be from 1 to 16, not 17". False after an error. */
bool evaluate_integer(checker *k, const ast_expr *e, const char *what, num low, num high, num *result);

/* Evaluates a real number; an integer is converted. False after an error. */
bool evaluate_real(checker *k, const ast_expr *e, const char *what, double *result);

#endif
