/* schemas.h - schemas drawn by lot, and which combinations of constructs they have.
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_SCHEMAS_H
#define TESTS_SCHEMAS_H

#include "model/schema.h"

/* The text of a valid schema. The number decides which rare combinations it has for certain; some fifty in a row have
 * all. */
const char *make_schema(arena *a, uint64_t seed, uint32_t number);

/* Counts the combinations of a schema. */
void coverage_add(const schema *s);
/* Prints how often each was there. False where one that the language allows never was; those are named. */
bool coverage_print(void);

#endif
