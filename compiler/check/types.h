/* types.h - types as written, and what they mean.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_TYPES_H
#define PKTC_TYPES_H

#include "check/context.h"

/* The type that was written, with its names resolved and its arguments evaluated. False after an error, reported here or
 * earlier. */
bool resolve_type(checker *k, const ast_type *ast, type *result);

/* What a type is called in messages: "u16", "a quantized number", "struct 'Body'". */
const char *type_text(checker *k, const type *t);

#endif
