/* archive_text.c - folds the files of a schema into one text.
 * SPDX-License-Identifier: MIT
 *
 * Files are folded token by token: all files of a schema share one namespace, so their declarations need no change in
 * one file.
 */
#include "releases/archive_text.h"
#include "base/out.h"
#include "format/format.h"
#include "front/lexer.h"
#include "grammar.h"
#include "model/coding.h"
#include "model/type_table.h"

#include <inttypes.h>
#include <string.h>

typedef struct folder {
    arena *arena;
    names *names;
    diag *diag;
    out *to;
} folder;

/* The kind of a statement, by its first token: only one kind is copied at a time. */
typedef enum statement { STATEMENT_OTHER, STATEMENT_PROTOCOL, STATEMENT_IMPORT, STATEMENT_MODEL } statement;

static void put_doc(folder *f, const char *doc)
{
    out_put(f->to, "\n", NULL);
    while (doc) {
        const char *end = strchr(doc, '\n');
        const char *line = end ? arena_text(f->arena, doc, (size_t)(end - doc)) : doc;
        out_put(f->to, "///$blank$line\n", "blank", *line ? " " : "", "line", line, NULL);
        doc = end ? end + 1 : NULL;
    }
}

/* Keeps the author's line breaks: the formatter uses them to decide what stays on one line. */
static void put_token(folder *f, const source *from, uint32_t before, const token *t)
{
    bool breaks = memchr(from->text + before, '\n', t->span.begin - before) != NULL;
    const char *gap = breaks ? "\n" : " ";
    if (t->doc) {
        put_doc(f, t->doc);
        gap = "";
    }
    const char *text = arena_text(f->arena, (const char *)from->text + t->span.begin, t->span.end - t->span.begin);
    out_put(f->to, "$gap$text", "gap", gap, "text", text, NULL);
}

static statement statement_of(int terminal)
{
    switch (terminal) {
    case TOK_PROTOCOL: return STATEMENT_PROTOCOL;
    case TOK_IMPORT: return STATEMENT_IMPORT;
    case TOK_MODEL: return STATEMENT_MODEL;
    }
    return STATEMENT_OTHER;
}

/* Copies the statements of one kind. */
static void put_statements(folder *f, const source *from, statement wanted)
{
    lexer l;
    token t;
    uint32_t end = 0;
    unsigned depth = 0;
    bool inside = false;
    statement current = STATEMENT_OTHER;
    lexer_init(&l, f->arena, f->names, f->diag, from, reserved_type_word);
    for (int terminal; (terminal = lex(&l, &t)) != 0; end = t.span.end) {
        if (!inside)
            current = statement_of(terminal);
        if (current == wanted)
            put_token(f, from, inside ? end : t.span.begin, &t);
        depth += terminal == TOK_LBRACE;
        depth -= terminal == TOK_RBRACE;
        inside = depth > 0 || (terminal != TOK_SEMI && terminal != TOK_RBRACE);
        if (!inside && current == wanted)
            out_put(f->to, "\n", NULL);
    }
}

void code_table_put(arena *a, out *to, const code_table *t)
{
    out_put(to, "$name:", "name", t->name, NULL);
    for (unsigned i = 0; i < t->count; i++)
        out_put(to, " $bits", "bits", arena_printf(a, "%u", t->lengths[i]), NULL);
}

void code_values_put(arena *a, out *to, const code_values *v)
{
    out_put(to, "$name:", "name", v->name, NULL);
    for (unsigned i = 0; i < v->count; i++)
        out_put(to, " $code", "code", arena_printf(a, "%" PRIu64, v->codes[i]), NULL);
}

/* Puts the values of a model, and the code tables that are not flat, a string for each. */
static void put_model(folder *f, const schema *s)
{
    const char *start = "model {\n";
    for (const code_table *t = s->tables; t; t = t->next) {
        if (values_before(t) && t->values->trained) {
            out_put(f->to, "$start\"", "start", start, NULL);
            code_values_put(f->arena, f->to, t->values);
            out_put(f->to, "\",\n", NULL);
            start = "";
        }
        if (is_flat_code(t))
            continue;
        out_put(f->to, "$start\"", "start", start, NULL);
        code_table_put(f->arena, f->to, t);
        out_put(f->to, "\",\n", NULL);
        start = "";
    }
    if (!*start)
        out_put(f->to, "}\n", NULL);
}

const char *archive_text(arena *a, names *n, diag *d, const schema *s, size_t *size)
{
    folder f = {a, n, d, out_new(a)};
    put_statements(&f, s->root->source, STATEMENT_PROTOCOL);
    for (const schema_file *file = s->files; file; file = file->next)
        put_statements(&f, file->source, STATEMENT_OTHER);
    put_model(&f, s);
    const char *text = out_result(f.to, size);
    return format_source(a, n, d, source_from(a, s->root->path, text, *size), reserved_type_word, size);
}
