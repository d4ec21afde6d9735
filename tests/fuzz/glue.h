/* glue.h - the C that makes generated functions of all types of a schema callable in one way: see entry.h.
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_GLUE_H
#define TESTS_GLUE_H

#include "model/schema.h"

/* Whether a declaration is of a type with functions. */
bool is_value(const decl *d);
/* The text of glue.c, which includes the generated C of a schema and exports its types. */
const char *glue_of(arena *a, const schema *s);

#endif
