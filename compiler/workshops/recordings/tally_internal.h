/* tally_internal.h - shared by the files that count, add counts up, and put them into files.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_TALLY_INTERNAL_H
#define PKTC_TALLY_INTERNAL_H

#include "recordings/tally.h"

/* The counts of a path, or of a kind of datagram; made if there are none. */
field_tally *tally_of(tally *t, const char *text, size_t size);
datagram_tally *tally_kind(tally *t, const char *name);

/* Whether values of the schema with this number are counted at a path. Versions of a protocol, and two protocols, can
 * have fields of one path: values of one type count together; if the types differ, there are no values. */
bool tally_claim(tally *t, field_tally *f, size_t number);

/* Notes that the declarations at a path differ. If the types do too, its values are forgotten. */
void tally_differ(field_tally *f, bool same_type);

/* Makes the time line wide enough for these times. */
void tally_span(tally *t, uint64_t first, uint64_t last);
uint64_t *tally_slice(tally *t, uint64_t i);

/* The field of the schema with this number at a path; NULL if there is none. */
const field *tally_field_at(tally *t, field_tally *f, size_t number);

/* Whether the codes of its values are counted. */
bool tally_has_codes(const type *t);

/* An empty count of the delta steps of a field. */
step_tally *tally_steps(arena *a, const type *t);

/* The code of a scalar's base value, which field_tally.codes always counts by itself: of all fields of the type that
 * are counted, the least. */
uint64_t tally_usual(tally *t, field_tally *f);

/* Whether a value fell, as far as it is known. */
bool tally_fell(const field_tally *f);

/* Adds a message, or several equal ones. */
void tally_add_fault(tally *t, const char *text, uint64_t count);

#endif
