/* condition.h - checks the conditions of if, the subjects of switch, the values of case, and computed counts.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_CONDITION_H
#define PKTC_CONDITION_H

#include "check/context.h"

/* Resolves the condition of an if (want_bool) or the subject of a switch (an integer, enum, flags or fixed), and
 * works out its type and range. It may use the open fields of `owner` (field_info). NULL after an error, or if a part
 * of it is broken. */
expr *check_condition(checker *k, const decl *owner, const ast_expr *e, bool want_bool);

/* Whether a name is that of a field x of `owner`, or is x_count or has_x. */
bool names_field(checker *k, const decl *owner, const char *name);

/* Resolves the count of an array that is computed from the open fields of `owner`, which are integers. */
expr *check_count(checker *k, const decl *owner, const ast_expr *e);

/* Resolves a value of a case: a constant in the subject's range, or the name of a member if the subject is an enum or
 * flags. False after an error. */
bool check_case_value(checker *k, const expr *subject, const ast_expr *value, expr **result);

#endif
