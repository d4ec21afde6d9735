/* condition_internal.h - shared by condition.c (operators) and condition_names.c (names).
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_CONDITION_INTERNAL_H
#define PKTC_CONDITION_INTERNAL_H

#include "check/check_internal.h"
#include "model/interval.h"

typedef struct place {
    checker *k;
    const decl *owner; /* the struct whose fields can be named; NULL in a case, which is a constant */
    const char *what;  /* "condition", "count" or "case" */
    bool ones;         /* the name is in bits() */
    const field
        *goes; /* the number whose @speed has the condition, which is about a baseline: its fields can come later */
} place;

/* A new expression; as_bool and as_number set its type and range. */
expr *new_expr(checker *k, expr_kind kind, span at);
expr *as_bool(expr *made);
expr *as_number(expr *made, interval range);

/* A constant. NULL after the error that it does not fit in 64 bits. */
expr *number(checker *k, span at, num n);

/* ---- condition_names.c */

/* Resolves a name or path. NULL after an error, or if it names something broken. `about` is the enum or flags whose
 * members can be used by name here, or NULL: in `team == red` the right side is about Team. */
expr *check_path(place p, const ast_expr *e, const decl *about);

/* Resolves bits(field), likewise. */
expr *check_ones(place p, const ast_expr *e);

/* Whether e is & or +, whose operands can be names of members. */
bool takes_members(const ast_expr *e);

/* The type of the first field in e whose type is an enum or flags; NULL if there is none. Its members can be used by
 * name in e and beside it. */
const decl *about_of(place p, const ast_expr *e);

/* Whether the error in e may follow from a refused operand beside it: an unknown name may be a member of a broken
 * field's enum, and a real number may be compared with a float. */
bool may_be_right(place p, const ast_expr *e);

/* ---- condition_advice.c: adds the line to write to an error */

/* For a number where a bool is needed: `n != 0`, with the operator of `comparison`. */
void help_with_zero(checker *k, message *m, const expr *e, const char *comparison);

/* `!n` of a number: `n == 0`. */
void help_with_not(checker *k, message *m, span whole, const expr *operand);

/* A bool that is compared with 0 or 1, or a number with true or false: `b`, `!b`, `n != 0`. */
void help_with_truth(checker *k, message *m, const ast_expr *e, const expr *left, const expr *right);

/* An optional field used as a bool: `has_f`. */
void help_with_presence(checker *k, message *m, const field *f, span at);

/* `keys.fire`, if fire is a member of the type `of` of keys: `keys & fire != 0`. `flags` is where keys is, `step` the
 * rest of the path, `whole` all of it. */
void help_with_dot(checker *k, message *m, span flags, const decl *of, const ast_path *step, span whole);

#endif
