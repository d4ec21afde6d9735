/* engine.c - generates, compiles and loads schemas as libraries.
 * SPDX-License-Identifier: MIT
 */
#include "engine.h"
#include "base/out.h"

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

/* The directory of pkt.h and pkt.o with the parts that the schema states, as pktc writes them beside its C. */
static const char *runtime_of(engine *e, arena *a, const workshop *w)
{
    const char *directory = arena_printf(a, "%s/%u/%lx", w->directory, e->number, (unsigned long)w->parts), *failed;
    outputs files;
    outputs_init(&files);
    for (size_t i = 0; i < e->runtime_count; i++)
        if (e->runtimes[i] == w->parts)
            return directory;
    for (size_t i = 0; i < runtime_file_count; i++) {
        size_t size;
        const char *text = runtime_text(a, &runtime_files[i], w->parts, &size);
        outputs_add(a, &files, arena_printf(a, "%s/%s", directory, runtime_files[i].name), text, size);
    }
    if (!outputs_write(a, &files, &failed)) {
        fprintf(stderr, "differential: %s\n", failed);
        exit(2);
    }
    run_command(arena_printf(a, "cd '%s' && %s -w -fPIC -c pkt.c", directory, e->compiler));
    if (e->runtime_count < MOST_RUNTIMES)
        e->runtimes[e->runtime_count++] = w->parts;
    return directory;
}

void engine_load(engine *e, arena *a, const workshop *w)
{
    const char *library = w->library;
    if (!library) {
        library = arena_printf(a, "%s/%u/schema.so", w->directory, e->number);
        const char *runtime = runtime_of(e, a, w);
        run_command(
            arena_printf(a, "cd '%s' && %s -w -fPIC -shared -I. -I'%s' -I'%s/tests/fuzz' -o '%s' glue.c '%s/pkt.o' -lm",
                         w->directory, e->compiler, runtime, w->root, library, runtime));
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
