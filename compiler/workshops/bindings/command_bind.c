/* command_bind.c - `pktc bind`: writes the types and functions of a schema for another language.
 * SPDX-License-Identifier: MIT
 */
#include "bindings/bindings.h"
#include "bindings/bindings_rows.h"
#include "driver/run.h"

#include <string.h>

/* A row for each language. */
static const bind_language languages[] = {
    {"cs", "cs", bind_cs},
};
const char bind_languages[] = "cs (C#)";

const bind_language *bind_language_named(const char *word)
{
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
        if (strcmp(languages[i].word, word) == 0)
            return &languages[i];
    return NULL;
}

static void add_bound_file(run *r, const bindings *b, const char *ending, void (*write)(const bindings *b, out *to))
{
    const bindings_choices *chosen = bindings_chosen(r->options);
    out *to = out_new(r->arena);
    write(b, to);
    size_t size;
    const char *text = out_result(to, &size), *name = arena_printf(r->arena, "%s%s", b->stem, ending);
    outputs_add(r->arena, &r->outputs, file_in_directory(r->arena, chosen->directory, name), text, size);
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
    add_bound_file(r, b, "_bind.c", bind_glue);
    add_bound_file(r, b, arena_printf(r->arena, ".%s", language->ending), language->write);
}
