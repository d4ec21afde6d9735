/* misreadings.h - warns of what is correct here, but means something else in another language.
 * SPDX-License-Identifier: MIT
 *
 * Each of them can also be meant. Then another way to write it, which the warning names, is not warned of.
 */
#ifndef PKTC_MISREADINGS_H
#define PKTC_MISREADINGS_H

#include "check/context.h"

/* u32 id = 1; u32 tick = 2; which would be numbers of fields in protobuf. */
void warn_of_numbering(checker *k, const decl_info *d);

/* u32 health[0..100], which is an array, though it looks like a range. */
void warn_of_range(checker *k, const field *f, const ast_dim *dim);

/* 0755, which is the number 755. */
void warn_of_octal(checker *k, const ast_expr *integer);

/* float<0, 100, 8>, where 8 looks like a number of bits. True if it was warned of. */
bool warn_of_bits(checker *k, const ast_type *ast, const type *t);

/* Warns of a field with deltas whose range is a full turn, but which does not wrap. */
void warn_of_turn(checker *k, const field_info *info);

#endif
