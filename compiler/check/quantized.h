/* quantized.h - the type of quantized numbers: float<lo, hi, res> and double<lo, hi, res>.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_QUANTIZED_H
#define PKTC_QUANTIZED_H

#include "check/context.h"

/* Evaluates bounds and resolution of a float or double with arguments into t, whose storage is set. False after an
 * error. */
bool resolve_quantized(checker *k, const ast_type *ast, type *t);

/* Warns where a field of this type cannot be 0 though 0 is within its bounds: where 0 is between two steps, it is
 * read as one of them. Names the nearest resolution and the nearest bounds with which it is a step. */
void check_zero(checker *k, const ast_type *ast, const type *t);

#endif
