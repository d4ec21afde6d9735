/* engine.h - schemas as libraries: generated, compiled, loaded.
 * SPDX-License-Identifier: MIT
 *
 * If something cannot be built, the functions print why and exit with status 2.
 */
#ifndef TESTS_ENGINE_H
#define TESTS_ENGINE_H

#include "entry.h"
#include "emit/runtime_parts.h"
#include "model/schema.h"

typedef struct workshop {
    const char *directory; /* has the schema's C, which glue.c includes, and a directory for each compiler */
    const char *root;      /* top directory of the project */
    const char *library;   /* glue.c compiled elsewhere, or NULL */
    runtime_parts parts;   /* of the runtime, which the schema's C states */
} workshop;

enum { MOST_RUNTIMES = 64 };

/* A schema compiled by one compiler. */
typedef struct engine {
    const char *compiler; /* with flags: "gcc -O0" */
    unsigned number;
    void *library;
    const fuzz_type *types;
    const fuzz_clear *clears;
    const fuzz_names *names;
    unsigned long schemas;                 /* how many it has compiled */
    runtime_parts runtimes[MOST_RUNTIMES]; /* those that it has compiled */
    size_t runtime_count;
} engine;

/* Load and unload each schema. It is linked with the pkt.c of its own parts alone. */
void engine_load(engine *e, arena *a, const workshop *w);
void engine_unload(engine *e);
/* What the library exports for a struct or union, for a sparse array, for an enum or flags. */
const fuzz_type *engine_type(const engine *e, const decl *d);
void (*engine_clear(const engine *e, const decl *d, const field *sparse))(void *v, uint32_t i);
const fuzz_names *engine_names(const engine *e, const decl *d);

#endif
