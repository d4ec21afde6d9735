/* quantized.h - the type of quantized numbers: float<lo, hi, res> and double<lo, hi, res>.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_QUANTIZED_H
#define PKTC_QUANTIZED_H

#include "check/context.h"

/* Evaluates bounds and resolution of a float or double with arguments into t, whose storage is set. False after an
 * error. */
bool resolve_quantized(checker *k, const ast_type *ast, type *t);

/* Warns if the range has one step more than its bounds and resolution say as they are written, because they are rounded;
 * and if 0 is within the bounds of the type but between two steps, so that no field of the type can be 0. Names the
 * nearest resolution, and the nearest bounds for which 0 is a step. */
void check_quantized(checker *k, const ast_type *ast, const type *t);

#endif
