/* engine.c - schemas as libraries.
 * SPDX-License-Identifier: MIT
 */
#include "engine.h"
#include "out.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool is_value(const decl *d)
{
    return d->kind == DECL_STRUCT || d->kind == DECL_UNION;
}

const char *glue_of(arena *a, const schema *s)
{
    out *o = out_new(a), *list = out_new(a);
    size_t size;
    out_put(o, "#include \"entry.h\"\n", NULL);
    for (const schema_file *file = s->files; file; file = file->next)
        out_put(o, "#include \"$stem.c\"\n#include \"${stem}_reflect.c\"\n", "stem", file->stem, NULL);
    for (const decl *d = s->decls; d; d = d->next) {
        if (!is_value(d))
            continue;
        const char *T = arena_printf(a, "%s%s", d->file->prefix, d->name);
        out_put(o, "FUZZ_STREAMS($T)\n", "T", T, NULL);
        out_put(list, "    {\"$name\", &${T}_reflection, FUZZ_IN_STREAMS($T), ", "name", d->name, "T", T, NULL);
        if (d->packet)
            out_put(o, "FUZZ_PACKETS($T)\n", "T", T, NULL);
        out_put(list, d->packet ? "FUZZ_IN_PACKETS($T), " : "NULL, NULL, NULL, NULL, ", "T", T, NULL);
        if (d->delta)
            out_put(o, "FUZZ_DELTAS($T)\n", "T", T, NULL);
        out_put(list, d->delta ? "FUZZ_IN_DELTAS($T), " : "NULL, NULL, NULL, ", "T", T, NULL);
        if (d->delta && d->packet)
            out_put(o, "FUZZ_DELTA_PACKETS($T)\n", "T", T, NULL);
        out_put(list, d->delta && d->packet ? "FUZZ_IN_DELTA_PACKETS($T)},\n" : "NULL, NULL, NULL, NULL},\n", "T", T, NULL);
    }
    out_put(o, "extern const fuzz_type fuzz_types[];\nconst fuzz_type fuzz_types[] = {\n$list    {0}\n};\n", "list",
            out_result(list, &size), NULL);
    return out_result(o, &size);
}

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
