/* vectors.h - what the parts of the vector test generator share.
 * SPDX-License-Identifier: MIT
 *
 * A vectors file says which bytes a value has to give. It is read into suites, one for each schema; a suite becomes a
 * .pkt file and a cmocka program that holds the generated code to each record (see replay/replay.h). Both forms of
 * vectors files end as the records that the first line of vectors2.jsonl documents.
 */
#ifndef PKTC_VECTORS_H
#define PKTC_VECTORS_H

#include <jansson.h> /* first: it uses names that schema.h takes */
#include "base/out.h"
#include "model/schema.h"

/* One line of a vectors file. */
typedef struct vector {
    struct vector *next;
    uint32_t line;
    json_t *record; /* "type" and "value", "hex", "refuse" ... */
} vector;

typedef struct suite {
    struct suite *next;
    const char *name; /* of the schema and of the files made from it */
    const char *pkt;  /* its source, one declaration a line */
    vector *vectors;
    vector **last_vector;
} suite;

/* A vectors file that is not what it should be ends the program: prints the place and the message, exits with 2. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4), noreturn))
#endif
void reject(const source *file, uint32_t line, const char *format, ...);

/* Adds a suite at the end of a list, and a vector to a suite. The record is kept. */
suite *suite_new(arena *a, suite ***last, const char *name, const char *pkt);
void suite_add(arena *a, suite *s, uint32_t line, json_t *record);

/* vectors_text.c: lines of `TYPE=VALUE ...: bytes`, each as a struct LineN of a schema called "vectors". */
suite *read_text_vectors(arena *a, const source *file);

/* vectors_types.c and vectors_values.c */

/* Puts into o what every test of the types in `decls` needs, but the tests of records. */
void put_types(arena *a, out *o, const schema *s, const decl *const *decls, size_t decl_count);

/* Puts the test of one record into o, as a function `line_N_Type`. NULL, or why the value has no place in the C struct
 * (what was put is then worthless). */
const char *put_vector(arena *a, out *o, const source *file, const schema *s, const decl *of, const vector *v);

/* vectors_codec.c: what the codec does otherwise than a record of the type d says, or NULL. */
const char *codec_problem(arena *a, const schema *s, const decl *d, const vector *v);

#endif
