/* archive_text.h - a schema as one file that needs no others, for archives and for recordings.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_ARCHIVE_TEXT_H
#define PKTC_ARCHIVE_TEXT_H

#include "base/diag.h"
#include "base/out.h"
#include "model/schema.h"

/* The text includes the imports of the schema and its model. Only its doc comments (`///`) are kept,
 * because they name the units of fields. NULL after an error. */
const char *archive_text(arena *a, names *n, diag *d, const schema *s, size_t *size);

/* A line of a model, without its end: "Ball.x 0: 1 2 3 4". */
void code_table_put(arena *a, out *to, const code_table *t);
/* The same for the values of a number: "Ball.kind values: 3 0 7". */
void code_values_put(arena *a, out *to, const code_values *v);

#endif
