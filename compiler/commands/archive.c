/* archive.c - see archive.h.
 * SPDX-License-Identifier: MIT
 *
 * Files are folded token by token: all files of a schema share one namespace, so their declarations can stand in one
 * file as they are.
 */
#include "commands/archive.h"
#include "base/files.h"
#include "base/out.h"
#include "front/format.h"
#include "record/train_model.h"
#include "front/lexer.h"
#include "grammar.h"
#include "model/coding.h"
#include "model/type_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the files of an archive */

enum { ID_DIGITS = 16, MOST_DIGITS = 9 };

static bool is_digit(char c, bool hexadecimal)
{
    return (c >= '0' && c <= '9') || (hexadecimal && c >= 'a' && c <= 'f');
}

/* Whether a file is called PROTOCOL-NUMBER-ID.pkt. */
static bool read_name(const char *name, const char *protocol, release *found)
{
    const size_t size = strlen(protocol);
    if (strncmp(name, protocol, size) != 0 || name[size] != '-')
        return false;
    const char *digits = name + size + 1, *end = digits;
    while (is_digit(*end, false))
        end++;
    if (end == digits || end - digits > MOST_DIGITS || *end != '-')
        return false;
    const char *id = end + 1;
    end = id;
    while (is_digit(*end, true))
        end++;
    found->number = (uint32_t)strtoul(digits, NULL, 10);
    found->id = strtoull(id, NULL, 16);
    return end - id == ID_DIGITS && strcmp(end, ".pkt") == 0;
}

uint32_t archive_number(const char *file, const char *protocol)
{
    release read;
    return protocol && read_name(file + file_directory_size(file), protocol, &read) ? read.number : 0;
}

static int newest_first(const void *one, const void *other)
{
    const release *a = one, *b = other;
    return a->number != b->number ? (a->number < b->number) - (a->number > b->number) : strcmp(a->path, b->path);
}

bool archive_find(arena *a, diag *d, const char *directory, const char *protocol, releases *found)
{
    size_t count;
    const char **all = file_list(a, directory, &count);
    *found = (releases){ARENA_ARRAY(a, release, count + 1), 0};
    for (size_t i = 0; i < count; i++) {
        release *each = &found->list[found->count];
        each->path = file_in_directory(a, directory, all[i]);
        found->count += read_name(all[i], protocol, each);
    }
    qsort(found->list, found->count, sizeof *found->list, newest_first);
    for (size_t i = 1; i < found->count; i++) {
        if (found->list[i - 1].number != found->list[i].number)
            continue;
        message *m = diag_error(d, (span){0}, "two releases have the number %" PRIu32 ": '%s' and '%s'",
                                found->list[i].number, found->list[i - 1].path, found->list[i].path);
        diag_help(d, m, "rename the one that was released later, so that it has a greater number than all others");
        return false;
    }
    return true;
}

const release *archive_with_id(const releases *all, uint64_t id)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->list[i].id == id)
            return &all->list[i];
    return NULL;
}

const char *archive_path(arena *a, const char *directory, const releases *all, const schema *s)
{
    const uint32_t number = all->count ? all->list[0].number + 1 : 1;
    const char *name = arena_printf(a, "%s-%03" PRIu32 "-%016" PRIx64 ".pkt", s->protocol, number, s->id);
    release read;
    return read_name(name, s->protocol, &read) ? file_in_directory(a, directory, name) : NULL;
}

/* ---- the text of a schema */

typedef struct folder {
    arena *arena;
    names *names;
    diag *diag;
    out *to;
} folder;

/* What a statement of a file is, by its first token: only one kind is copied at a time. */
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

/* Lines break where the author broke them: the formatter decides by that what stays on one line. */
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

/* The code tables that are not flat, a string for each. */
static void put_model(folder *f, const schema *s)
{
    const char *start = "model {\n";
    for (const code_table *t = s->tables; t; t = t->next) {
        if (is_flat_code(t))
            continue;
        out_put(f->to, "$start\"", "start", start, NULL);
        train_put_table(f->arena, f->to, t);
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
