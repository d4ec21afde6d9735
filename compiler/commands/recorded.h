/* recorded.h - the schemas of recordings: those in them, or those of the command line.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_RECORDED_H
#define PKTC_RECORDED_H

#include "commands/run.h"
#include "record/datagrams.h"

/* Reports a file that cannot be read, or is no recording. */
bool is_recording(diag *d, const char *name);

/* The schemas in the first block of a recording. */
const source *const *recorded_sources(arena *a, const char *from, size_t *count);

/* Reports that a recording has no schema in it. before: the schemas that come before the missing one, with a blank
 * after each. */
void report_no_schema(run *r, const char *from, const char *before);

/* Whether a recording was made with the schemas that are given, as far as it has schemas of their protocols in it. False
 * after an error, with `use` as the advice. */
bool is_recorded_with(run *r, const char *from, const schema *const *given, size_t given_count, const char *use);

/* What the command line wants of recordings, with the checked schemas that it gives, or else those in the first
 * recording. False after an error. */
bool recorded_request(run *r, const char *const *paths, size_t count, datagrams_request *request);

#endif
