/* compile.c - pktc without a command: compiles schemas to C, or prints the result of one of the phases.
 * SPDX-License-Identifier: MIT
 *
 * Each root file goes through the phases by itself. Each phase takes the result of the one before.
 */
#include "base/files.h"
#include "base/hash_table.h"
#include "driver/driver.h"
#include "emit/emit.h"
#include "emit/names.h"
#include "wire/wire.h"

#include <string.h>

typedef struct compilation {
    run *run;
    map *generated; /* (NULL, name): the output */
    map *declared;  /* (NULL, name in C): the decl */
} compilation;

/* A file that two roots import is generated twice with the same content, and is one output. If two roots generate
 * different files with the same name, that is an error of the user. */
static void add_output(compilation *k, const char *name, const char *text, size_t size)
{
    run *r = k->run;
    const char *key = intern(r->names, name, strlen(name));
    const output *other = map_get(k->generated, NULL, key);
    if (!other) {
        const char *target = file_in_directory(r->arena, r->options->output_dir, name);
        map_put(r->arena, k->generated, NULL, key, outputs_add(r->arena, &r->outputs, target, text, size));
    } else if (other->size != size || memcmp(other->text, text, size) != 0) {
        diag_error(r->diag, (span){0}, "the given files would generate two different versions of '%s'", other->path);
    }
}

/* Reports the names that a schema would have in C with another of this run: a program could not include both. */
static void check_names_differ(compilation *k, const schema *s)
{
    run *r = k->run;
    for (const decl *d = s->decls; d; d = d->next) {
        const char *prefix = d->kind == DECL_CONST ? schema_constant_prefix(r->arena, s, d->file) : d->file->prefix;
        const char *name = arena_printf(r->arena, "%s%s", prefix, d->name), *key = intern(r->names, name, strlen(name));
        const decl *other = map_get(k->declared, NULL, key);
        if (!other) {
            map_put(r->arena, k->declared, NULL, key, (void *)(uintptr_t)d);
        } else if (strcmp(file_identity(r->arena, other->file->path), file_identity(r->arena, d->file->path)) != 0) {
            message *m = diag_error(r->diag, d->span, "'%s' is a name in C of '%s' too", name, other->file->path);
            diag_note(r->diag, m, other->span, "it is declared here");
            diag_help(r->diag, m, "`prefix %s_` after the version of a protocol comes before its names in C",
                      d->file->name);
        }
    }
}

static void generate(compilation *k, const wire *w, const delta_plan *const *deltas)
{
    run *r = k->run;
    outputs made;
    outputs_init(&made);
    emit_extras extras = {.reflect = r->options->reflect};
    for (const workshop *const *each = r->options->workshops; *each; each++)
        if ((*each)->extend)
            (*each)->extend(r, w, &extras);
    emit(r->arena, w, plan_bodies(r->arena, w), deltas, &extras, &made);
    for (const workshop *const *each = r->options->workshops; *each; each++)
        if ((*each)->generate)
            (*each)->generate(r, w, &made);
    for (const output *each = made.first; each; each = each->next)
        add_output(k, each->path, each->text, each->size);
}

static bool writes_files(const options *o)
{
    return !o->dump && !o->projection;
}

/* Whether a workshop prints something else of a schema. */
static bool prints_instead(run *r, const source *root)
{
    for (const workshop *const *each = r->options->workshops; *each; each++)
        if ((*each)->instead && (*each)->instead(r, root))
            return true;
    return false;
}

static void compile_schema(compilation *k, const source *root)
{
    run *r = k->run;
    check_options how = checked_as_asked(r);
    how.files = writes_files(r->options) ? &c_file_rules : NULL;
    const schema *s = check_for_c(r, root, &how);
    if (!s)
        return;
    if (r->options->projection) {
        fputs(s->projection, stdout);
        return;
    }
    if (writes_files(r->options))
        check_names_differ(k, s);
    const wire *w = lower(r->arena, s);
    if (!check_budgets(w, r->diag))
        return;
    generate(k, w, plan_deltas(r->arena, w));
}

/* Without inputs, only the runtime is written. */
void command_compile(run *r)
{
    const options *o = r->options;
    compilation k = {r, map_new(r->arena), map_new(r->arena)};
    r->has_directory = o->file_count > 0;
    for (size_t i = 0; i < o->file_count; i++) {
        const source *root = read_schema(r, o->files[i]);
        if (root && !prints_instead(r, root))
            compile_schema(&k, root);
    }
    if (writes_files(o) && !o->no_runtime)
        runtime_add(r);
    if (writes_files(o) && o->depfile && !o->check_only)
        add_depfile(r);
}
