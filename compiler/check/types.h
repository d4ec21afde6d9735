/* types.h - resolves the types of fields.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_TYPES_H
#define PKTC_TYPES_H

#include "check/context.h"

/* Resolves the names of a type and evaluates its arguments. False after an error, reported here or earlier. */
bool resolve_type(checker *k, const ast_type *ast, type *result);

/* The name of a type in messages: "'u16'", "a quantized float", "struct 'Body'". */
const char *type_text(checker *k, const type *t);

#endif
