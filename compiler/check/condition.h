/* condition.h - conditions of if, subjects of switch and values of case.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_CONDITION_H
#define PKTC_CONDITION_H

#include "check/context.h"

/* A condition of an if (want_bool), or the subject of a switch: an integer, enum or fixed. The expression resolved, with its type
 * and range. It may use the fields of `owner` that are open (field_info). NULL after an error, or if a part of it is broken. */
expr *check_condition(checker *k, const decl *owner, const ast_expr *e, bool want_bool);

/* One value of a case: a constant in the subject's range, or the bare name of a member if the subject is an enum or flags.
 * False after an error. */
bool check_case_value(checker *k, const expr *subject, const ast_expr *value, expr **result);

#endif
