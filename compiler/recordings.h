/* recordings.h - what pktc does with recordings: it checks the schemas that they need.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_RECORDINGS_H
#define PKTC_RECORDINGS_H

#include "check/check.h"
#include "options/options.h"

typedef struct recordings {
    arena *arena;
    names *names;
    diag *diag;
    const options *options;
} recordings;

/* Reports a file that cannot be read, or is no recording. */
bool is_recording(diag *d, const char *name);

/* The schemas in the first block of a recording. */
const source *const *recorded_sources(arena *a, const char *from, size_t *count);

/* `pktc decode`. given: the schemas of the command line; without one, those in the recording are taken. */
void recordings_decode(const recordings *r, const source *const *given, size_t count);

/* `pktc report`: the text of the report, or of the page; NULL after an error. given: as above. */
const char *recordings_report(const recordings *r, const source *const *given, size_t count, size_t *size);

/* `pktc train`: the model; with --check what there is to print, and *stale as in train_check. NULL after an error.
 * given: the schema to be trained, and those of recordings that have none; without these, the first one is theirs
 * too. */
const char *recordings_train(const recordings *r, const source *const *given, size_t count, size_t *size, bool *stale);

#endif
