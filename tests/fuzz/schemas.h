/* schemas.h - random schemas, and which combinations of constructs they have.
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_SCHEMAS_H
#define TESTS_SCHEMAS_H

#include "lot.h"
#include "model/schema.h"

/* The packet of random schemas that can be @stable: the generator does not know its id. */
#define STABLE_PACKET "Still"

/* The text of a valid schema. The number decides which rare combinations it certainly has; about 50 in a row have all
 * of them. datagrams: with what belongs to datagrams: @delta(predict), @seed, packets with parts, STABLE_PACKET. */
const char *make_schema(arena *a, uint64_t seed, uint32_t number, bool datagrams);

/* The numbers that make a schema of a run with a seed. */
static inline lot lot_of_schema(uint64_t seed, uint32_t number)
{
    lot l = {seed * UINT64_C(0x2545F4914F6CDD1D) + number};
    lot_next(&l);
    return l;
}

/* The text of a valid schema for datagrams. STABLE_PACKET is @stable, and half of the schemas with coded fields have a model, of
 * some of the tables. */
const char *make_complete_schema(arena *a, lot *l, uint32_t number);

/* Counts the combinations in a schema. */
void coverage_add(const schema *s);
/* Prints how often each combination occurred. Returns false, and prints the names, if one that is valid never did. */
bool coverage_print(void);

/* Counts which constructs are together in a schema, all of them words of the language that `root` has in compiler/, and what the
 * next release changes. */
void pairs_begin(const char *root);
void pairs_add(const schema *s);
/* What a comparison of the schema with the next release says: see releases/diff.h. */
struct comparison;
void pairs_add_next(const struct comparison *c);
/* Writes the table to DIRECTORY/pairs. Returns false, and prints the names, if there was no schema with a construct. */
bool pairs_print(const char *directory);

#endif
