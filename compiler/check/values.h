/* values.h - checks the values after `=` and `unless`.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_VALUES_H
#define PKTC_VALUES_H

#include "check/context.h"

/* Evaluates a value of a scalar type. `what` begins the message of an error: "the initial value", "the value of
 * 'unless'". False after an error. */
bool scalar_value(checker *k, const type *t, const ast_expr *e, const char *what, value *result);

#endif
