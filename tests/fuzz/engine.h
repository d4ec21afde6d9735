/* engine.h - schemas as libraries: translated, compiled, loaded.
 * SPDX-License-Identifier: MIT
 *
 * What cannot be made ends the program with status 2 and says why.
 */
#ifndef TESTS_ENGINE_H
#define TESTS_ENGINE_H

#include "entry.h"
#include "model/schema.h"

typedef struct workshop {
    const char *directory; /* has a schema's C, which glue.c includes, and a directory for each compiler */
    const char *root;      /* of the project */
    const char *library;   /* one that was made elsewhere of glue.c, or NULL */
} workshop;

/* A schema compiled by one compiler. */
typedef struct engine {
    const char *compiler; /* "gcc -O0" */
    unsigned number;
    void *library;
    const fuzz_type *types;
    const fuzz_clear *clears;
    const fuzz_names *names;
    unsigned long schemas; /* so far */
} engine;

/* Whether a declaration has functions. */
bool is_value(const decl *d);
/* glue.c: includes what is made of a schema, and exports its types. */
const char *glue_of(arena *a, const schema *s);

/* The runtime once for each compiler; then schema after schema. */
void engine_compile_runtime(const engine *e, arena *a, const workshop *w);
void engine_load(engine *e, arena *a, const workshop *w);
void engine_unload(engine *e);
/* Of a struct or union, of a sparse array, of an enum or flags. */
const fuzz_type *engine_type(const engine *e, const decl *d);
void (*engine_clear(const engine *e, const decl *d, const field *sparse))(void *v, uint32_t i);
const fuzz_names *engine_names(const engine *e, const decl *d);

#endif
