/* recorded.h - the schemas of recordings: those in them, or those of the command line.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_RECORDED_H
#define PKTC_RECORDED_H

#include "driver/run.h"
#include "recordings/datagrams.h"

/* Whether a file is a recording; otherwise reports why it is not. */
bool is_recording(diag *d, const char *name);

/* The schemas in a recording. */
const source *const *recorded_sources(arena *a, diag *d, const char *from, size_t *count);

/* The schema in FILE, a recording, or in FILE:N, which is its Nth: as workshop.schema_in. */
bool recorded_schema_in(run *r, const char *file, const source **found);

/* Reports that a recording has no schema in it. before: the schemas that come before the missing one, with a blank
 * after each. */
void report_no_schema(run *r, const char *from, const char *before);

/* Whether a recording was made with the given schemas. texts: the schemas in it, as of recorded_sources. Only protocols
 * with a schema in the recording are compared; with `only`, it must have none of a protocol that is not given. False after
 * an error, with `use` as the advice. */
bool is_recorded_with(run *r, const char *from, const source *const *texts, size_t count, const schema *const *given,
                      size_t given_count, bool only, const char *use);

#endif
