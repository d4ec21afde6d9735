/* tally_internal.h - shared by tally.c, which counts, tally_add.c, which adds counts up, and tally_file.c.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_TALLY_INTERNAL_H
#define PKTC_TALLY_INTERNAL_H

#include "traffic/tally.h"

/* The counts of a path, or of a kind of datagram; made if there are none. */
field_tally *tally_of(tally *t, const char *text, size_t size);
datagram_tally *tally_kind(tally *t, const char *name);

/* Makes a field, of the schema with this number, the one whose values are counted at its path. False if the values are
 * those of an earlier schema; those of a later one are forgotten. */
bool tally_claim(field_tally *f, const field *of, size_t number);

/* Makes the time line wide enough for these times. */
void tally_span(tally *t, uint64_t first, uint64_t last);
uint64_t *tally_slice(tally *t, uint64_t i);

/* The field of a schema that has a path: State.cubes[].x; NULL if there is none. */
const field *tally_field_at(const tally *t, size_t schema_number, const char *path);

/* Whether delta steps are counted of a field, and an empty count of them. */
bool tally_has_steps(const field *f);
step_tally *tally_steps(arena *a, const type *t);

/* The code of a scalar's base value, which field_tally.codes always counts by itself. */
uint64_t tally_usual(bases *known, const field *of);

/* Adds a message, or several equal ones. */
void tally_add_fault(tally *t, const char *text, uint64_t count);

#endif
