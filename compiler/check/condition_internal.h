/* condition_internal.h - what the two halves of checking conditions share: condition.c (operators), condition_names.c.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_CONDITION_INTERNAL_H
#define PKTC_CONDITION_INTERNAL_H

#include "check/context.h"
#include "model/interval.h"

typedef struct place {
    checker *k;
    const decl *owner; /* whose fields can be named; NULL in a case, which is constant */
} place;

/* The type and range of an expression just made. */
expr *new_expr(checker *k, expr_kind kind, span at);
expr *as_bool(expr *made);
expr *as_number(expr *made, interval range);

/* A constant, or NULL after the error that it has over 64 bits. */
expr *number(checker *k, span at, num n);

/* ---- condition_names.c */

/* What a name or path stands for, NULL after an error or where it is broken. `about` is the enum or flags whose
 * members can stand here by their bare names, or NULL. */
expr *check_path(place p, const ast_expr *e, const decl *about);

/* The enum or flags whose members can stand in e by their bare names: that of the first field in it that has one.
 * NULL where there is none. */
const decl *about_of(place p, const ast_expr *e);

/* Whether e, which would be refused by itself, may be right beside something that was refused: bare names that mean
 * nothing here may be members of a broken field's enum, and reals what a float is compared with. */
bool may_be_right(place p, const ast_expr *e);

#endif
