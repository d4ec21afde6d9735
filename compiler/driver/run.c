/* run.c - reads and checks the schemas of one run.
 * SPDX-License-Identifier: MIT
 */
#include "base/files.h"
#include "driver/driver.h"
#include "driver/targets.h"
#include "emit/names.h"

#include <string.h>

static const source *read_root(run *r, const char *name)
{
    if (strcmp(name, "-") != 0)
        return source_read(r->arena, name);
    file_as_is(stdin);
    file_hint_at_terminal("a schema");
    return source_read_input(r->arena);
}

static void refuse_root(run *r, const char *name)
{
    message *m = diag_error(r->diag, (span){0}, "cannot read '%s': %s", name, file_failure());
    const char *schema_name = arena_printf(r->arena, "%s.pkt", name);
    if (file_is_regular(schema_name))
        diag_help(r->diag, m, "'%s' exists", schema_name);
    else if (!*r->options->word && name == r->options->files[0] && !strpbrk(name, "./\\"))
        diag_help(r->diag, m, "it is not a command either; 'pktc help' lists them");
}

/* What a file is that a workshop reads; or NULL. */
static const char *noun_of(const run *r, const char *file)
{
    const char *noun = NULL;
    for (const workshop *const *w = r->options->workshops; *w && !noun; w++)
        noun = (*w)->noun_of ? (*w)->noun_of(file) : NULL;
    return noun;
}

const source *read_schema(run *r, const char *name)
{
    const source *root = read_root(r, name);
    if (!root)
        refuse_root(r, name);
    else if (targets_is_generated(name))
        diag_error(r->diag, (span){0}, "'%s' is no schema: pktc generated it", name);
    else if (noun_of(r, name))
        diag_error(r->diag, (span){0}, "'%s' is no schema: it is %s", name, noun_of(r, name));
    else
        return root;
    return NULL;
}

const source *read_schema_or_held(run *r, const char *name)
{
    const source *held = NULL;
    for (const workshop *const *w = r->options->workshops; *w; w++)
        if ((*w)->schema_in && (*w)->schema_in(r, name, &held))
            return held;
    return read_schema(r, name);
}

const source *const *read_schemas(run *r)
{
    const options *o = r->options;
    const source **given = ARENA_ARRAY(r->arena, const source *, o->file_count);
    for (size_t i = 0; i < o->file_count; i++)
        if (!(given[i] = read_schema(r, o->files[i])))
            return NULL;
    return given;
}

check_options checked_as_asked(const run *r)
{
    const options *o = r->options;
    return (check_options){
        .import_dirs = o->import_dirs.texts, .import_dir_count = o->import_dirs.count, .checks = !o->no_checks};
}

schema *check_quietly(run *r, const source *root, const check_options *how)
{
    schema *s = check(r->arena, r->names, diag_new(r->arena), root, how);
    if (!s)
        s = check(r->arena, r->names, r->diag, root, how);
    if (s)
        add_inputs(r, s);
    return s;
}

void add_input(run *r, const char *name)
{
    if (name && strcmp(name, "-") != 0)
        path_list_add(r->arena, &r->inputs, name);
}

void add_given_inputs(run *r)
{
    const options *o = r->options;
    for (size_t i = 0; i < o->file_count; i++)
        add_input(r, o->files[i]);
    for (size_t i = 0; i < o->recording_count; i++)
        add_input(r, o->recordings[i]);
    add_input(r, o->recording);
    add_input(r, o->input);
}

void add_inputs(run *r, const schema *s)
{
    for (const schema_file *file = s->files; file; file = file->next)
        path_list_add(r->arena, &r->inputs, file->path);
    if (s->model_path)
        path_list_add(r->arena, &r->inputs, s->model_path);
}

const schema *check_for_c(run *r, const source *root, const check_options *how)
{
    check_options for_c = *how;
    for_c.names = &c_name_rules;
    const schema *s = check(r->arena, r->names, r->diag, root, &for_c);
    if (s)
        add_inputs(r, s);
    return s;
}

const schema *load_schema(run *r, const char *name)
{
    const source *root = read_schema_or_held(r, name);
    const check_options how = checked_as_asked(r);
    return root ? check_for_c(r, root, &how) : NULL;
}

bool has_protocol(run *r, const schema *s, const char *consequence)
{
    if (!s->protocol)
        diag_error(r->diag, (span){0}, "'%s' declares no protocol, so %s", s->root->path, consequence);
    return s->protocol != NULL;
}

bool packets_have_seeds(const schema *s)
{
    const decl *d = s->decls;
    while (d && !d->seeded)
        d = d->next;
    return d != NULL;
}

bool seed_has_use(run *r, bool packets)
{
    if (r->options->seed == 0 || r->options->streams.count > 0 || packets)
        return true;
    diag_error(r->diag, (span){0}, "--seed needs --stream, or a packet with parts or @seed");
    return false;
}

void put_text(run *r, const char *to, const char *text, size_t size)
{
    if (to)
        outputs_add(r->arena, &r->outputs, to, text, size)->asked_for = true;
    else
        fwrite(text, 1, size, stdout);
}
