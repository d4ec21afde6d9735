/* constants.h - the values of constant expressions.
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

/* The value of a declared constant, which is evaluated now unless it was before. */
constant constant_of(checker *k, decl_info *d);

/* An integer from low to high. `what` begins the message: "the count of an array". False after an error. */
bool evaluate_integer(checker *k, const ast_expr *e, const char *what, num low, num high, num *result);

/* A real, or an integer converted to one. False after an error. */
bool evaluate_real(checker *k, const ast_expr *e, const char *what, double *result);

#endif
