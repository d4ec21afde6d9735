/* engine.c - generates, compiles and loads schemas as libraries.
 * SPDX-License-Identifier: MIT
 */
#include "engine.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void run_command(const char *command)
{
    if (system(command) == 0)
        return;
    fprintf(stderr, "differential: this failed: %s\n", command);
    exit(2);
}

void engine_compile_runtime(const engine *e, arena *a, const workshop *w)
{
    run_command(arena_printf(
        a,
        "mkdir -p '%s/%u' && cd '%s/%u' && for file in '%s'/runtime/*.c; do %s -w -fPIC -c \"$file\" || exit 1; done",
        w->directory, e->number, w->directory, e->number, w->root, e->compiler));
}

void engine_load(engine *e, arena *a, const workshop *w)
{
    const char *library = w->library;
    if (!library) {
        library = arena_printf(a, "%s/%u/schema.so", w->directory, e->number);
        run_command(arena_printf(
            a, "cd '%s' && %s -w -fPIC -shared -I. -I'%s/runtime' -I'%s/tests/fuzz' -o '%s' glue.c %u/*.o -lm",
            w->directory, e->compiler, w->root, w->root, library, e->number));
    }
    e->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!e->library) {
        fprintf(stderr, "differential: %s\n", dlerror());
        exit(2);
    }
    e->types = dlsym(e->library, FUZZ_ENTRY);
    e->clears = dlsym(e->library, FUZZ_CLEARS);
    e->names = dlsym(e->library, FUZZ_NAMES);
    e->schemas++;
}

void engine_unload(engine *e)
{
    dlclose(e->library);
}

const fuzz_type *engine_type(const engine *e, const decl *d)
{
    const fuzz_type *t = e->types;
    while (t->name && strcmp(t->name, d->name) != 0)
        t++;
    return t->name ? t : NULL;
}

void (*engine_clear(const engine *e, const decl *d, const field *sparse))(void *v, uint32_t i)
{
    const fuzz_clear *c = e->clears;
    while (strcmp(c->type, d->name) != 0 || strcmp(c->field, sparse->name) != 0)
        c++;
    return c->clear;
}

const fuzz_names *engine_names(const engine *e, const decl *d)
{
    const fuzz_names *n = e->names;
    while (strcmp(n->type, d->name) != 0)
        n++;
    return n;
}
