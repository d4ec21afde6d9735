/* values.h - the values that follow `=` and `unless`.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_VALUES_H
#define PKTC_VALUES_H

#include "check/context.h"

/* The value of a scalar type as written after `=` or `unless` (`what` says which). False after an error. */
bool scalar_value(checker *k, const type *t, const ast_expr *e, const char *what, value *result);

#endif
