/* schemas.h - random schemas, and which combinations of constructs they have.
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_SCHEMAS_H
#define TESTS_SCHEMAS_H

#include "model/schema.h"

/* The text of a valid schema. The number decides which rare combinations it certainly has; about 50 in a row have all
 * of them. datagrams: with what belongs to datagrams: @delta(predict), @seed, packets with parts. */
const char *make_schema(arena *a, uint64_t seed, uint32_t number, bool datagrams);

/* Counts the combinations in a schema. */
void coverage_add(const schema *s);
/* Prints how often each combination occurred. Returns false, and prints the names, if one that is valid never did. */
bool coverage_print(void);

#endif
