/* vectors.h - shared by the parts of the generator of vector tests.
 * SPDX-License-Identifier: MIT
 *
 * A vectors file says which bytes a value has. It is read into suites, one for each schema. A suite becomes a .pkt file
 * and a list of records, to which replay/replay.c holds generated code. There are two forms of vectors files; both become
 * the records that the first line of vectors2.jsonl describes.
 */
#ifndef PKTC_VECTORS_H
#define PKTC_VECTORS_H

#include <jansson.h> /* first, because it uses names that schema.h defines */
#include "base/out.h"
#include "model/schema.h"

/* One line of a vectors file. */
typedef struct vector {
    struct vector *next;
    uint32_t line;
    json_t *record; /* with "type" and "value", "hex", "refuse" ... */
} vector;

typedef struct suite {
    struct suite *next;
    const char *name;  /* of the schema, and of the files made from it */
    const char *pkt;   /* its text, with one declaration on each line */
    const char *model; /* the text of its model, NAME.model; or NULL */
    vector *vectors;
    vector **last_vector;
} suite;

/* Reports an error in a vectors file with its line, and exits with 2. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4), noreturn))
#endif
void reject(const source *file, uint32_t line, const char *format, ...);

/* Adds a suite to the end of a list, and a vector to a suite, which keeps the record. */
suite *suite_new(arena *a, suite ***last, const char *name, const char *pkt);
void suite_add(arena *a, suite *s, uint32_t line, json_t *record);

/* vectors_read.c: the suites of a file, whichever form it has. */
suite *read_vectors(arena *a, const source *file);

/* vectors_text.c: reads lines of `TYPE=VALUE ...: bytes`. Each becomes a struct LineN of a schema called "vectors". */
suite *read_text_vectors(arena *a, const source *file);

/* vectors_codec.c: how the codec differs from a record of type d, or NULL. */
const char *codec_problem(arena *a, const schema *s, const decl *d, const vector *v);

#endif
