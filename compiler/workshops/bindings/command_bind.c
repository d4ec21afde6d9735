/* command_bind.c - `pktc bind`: writes the types and functions of a schema for another language.
 * SPDX-License-Identifier: MIT
 */
#include "bindings/bindings.h"
#include "bindings/bindings_rows.h"
#include "bindings/bound_files.h"
#include "driver/run.h"

#include <string.h>

/* A row for each language. */
static const bind_language languages[] = {
    {"cs", {{"$.cs", bind_cs, false}}},
    {"ts",
     {{"$.js", bind_ts, false},
      {"$.d.ts", bind_ts_types, false},
      {"pkt.js", bind_ts_runtime, false},
      {"pkt.d.ts", bind_ts_runtime_types, false},
      {"package.json", bind_ts_package, true}}},
    {"gdextension",
     {{"$_godot.c", bind_godot, false},
      {"pkt_godot.h", bind_godot_runtime, false},
      {"$.gdextension", bind_godot_project, true}}},
};
const char bind_languages[] = "cs (C#), gdextension (Godot) or ts (TypeScript)";

const bind_language *bind_language_named(const char *word)
{
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
        if (strcmp(languages[i].word, word) == 0)
            return &languages[i];
    return NULL;
}

void bind_put_file(out *to, const char *name)
{
    for (size_t i = 0; i < bound_file_count; i++)
        if (strcmp(bound_files[i].name, name) == 0)
            out_format(to, "%.*s", (int)bound_files[i].size, (const char *)bound_files[i].text);
}

static void add_bound_file(run *r, const bindings *b, const bind_file *file)
{
    const bindings_choices *chosen = bindings_chosen(r->options);
    out *to = out_new(r->arena);
    file->write(b, to);
    size_t size;
    const char *text = out_result(to, &size), *name = file->name;
    if (name[0] == '$')
        name = arena_printf(r->arena, "%s%s", b->stem, name + 1);
    const char *place = file_in_directory(r->arena, chosen->directory, name);
    if (!file->kept || !file_is_regular(place))
        outputs_add(r->arena, &r->outputs, place, text, size);
}

void command_bind(run *r)
{
    const bind_language *language = bind_language_named(r->options->files[0]);
    const schema *s = load_schema(r, r->options->files[1]);
    if (!s)
        return;
    const bindings *b = bindings_of(r->arena, r->diag, lower(r->arena, s), bindings_chosen(r->options)->releases);
    if (!b)
        return;
    add_bound_file(r, b, &(bind_file){"$_bind.c", bind_glue, false});
    for (size_t i = 0; i < BIND_MOST_FILES && language->files[i].name; i++)
        add_bound_file(r, b, &language->files[i]);
}
