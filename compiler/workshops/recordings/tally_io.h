/* tally_io.h - files of `pktc tally`: the schemas, and what was counted with them. tally.md has the format.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_TALLY_IO_H
#define PKTC_TALLY_IO_H

#include "driver/run.h"
#include "recordings/training.h"
#include "recordings/tally.h"

/* Whether a file begins like a tally. */
bool tally_is(const char *path);

enum { TALLY_SCHEMAS = 64 }; /* the most in one tally */

/* A tally that was read from a file, up to its counts. */
typedef struct tally_file {
    const char *path;
    bool checks; /* false: the schemas were checked with --no-checks */
    uint64_t ids[TALLY_SCHEMAS];
    const source *texts[TALLY_SCHEMAS];
    size_t schema_count;
    size_t places[TALLY_SCHEMAS];    /* of these schemas among those of tally_fits */
    unpacker counts;                 /* of the report */
    unpacker symbols[TALLY_SCHEMAS]; /* for train; without bytes: the schema has nothing to train */
} tally_file;

/* Reads a file. False after an error: it is no tally, or it is damaged. All of it stays in the arena. */
bool tally_open(arena *a, diag *d, const char *path, tally_file *file);

/* Whether a tally was made with these schemas, in any order; otherwise reports that it was not. */
bool tally_fits(diag *d, tally_file *file, const schema *const *schemas, size_t count);

/* Adds the counts of a file that fits: all of a report; the recordings that it lacks, whatever the schemas; the symbols
 * for a schema. False after an error. */
bool tally_read(diag *d, tally_file *file, tally *to);
bool tally_read_faults(diag *d, tally_file *file, tally *to);
bool tally_read_symbols(diag *d, tally_file *file, size_t number, training *to);

/* The bytes of a file with these counts, for the schemas of the tally. trainings: for each schema, or NULL where there is
 * nothing to train. NULL after an error. */
const uint8_t *tally_bytes(run *r, const tally *t, training *const *trainings, size_t *size);

#endif
