/* misreadings.h - warns of text that is correct here, but means something else in another language.
 * SPDX-License-Identifier: MIT
 *
 * Each can also be intended. Then there is another way to write it without a warning, which the warning names.
 */
#ifndef PKTC_MISREADINGS_H
#define PKTC_MISREADINGS_H

#include "check/context.h"

/* u32 id = 1; u32 tick = 2; in protobuf these would be field numbers. */
void warn_of_numbering(checker *k, const decl_info *d);

/* u32 health[0..100]: an array that looks like a range. */
void warn_of_range(checker *k, const ast_field *ast, const field *f, const ast_dim *dim);

/* u8 n; u32 xs[n]: an array with a count of its own would be `u32 xs[<=255]`. */
void warn_of_lengths(checker *k, const decl_info *d);

/* 0755: the number 755, not an octal number. */
void warn_of_octal(checker *k, const ast_expr *integer);

/* float<0, 100, 8>: 8 looks like a number of bits. True if a warning was given. */
bool warn_of_bits(checker *k, const ast_type *ast, const type *t);

/* Warns of a field with deltas whose range is a full turn, but which does not wrap. */
void warn_of_turn(checker *k, const field_info *info);

#endif
