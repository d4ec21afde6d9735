/* model_file.c - reads the model of a schema: the lengths of the codes of its tables, as `pktc train` prints them.
 * SPDX-License-Identifier: MIT
 *
 * The lines are those of a file, or strings in the schema itself. Each is the name of a table, a colon and a number for
 * each symbol. Empty lines and comments (from a # on) are left out.
 */
#include "check/check_internal.h"
#include "model/coding.h"
#include "base/files.h"

#include <string.h>

/* The unread part of a line. */
typedef struct cursor {
    checker *k;
    const source *file;
    uint32_t at, end;
} cursor;

static span here(const cursor *c, uint32_t begin)
{
    return (span){c->file, begin, c->at};
}

static bool is_blank(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void skip_spaces(cursor *c)
{
    while (c->at < c->end && is_blank(c->file->text[c->at]))
        c->at++;
}

/* The next number of the line; false after an error. */
static bool take_number(cursor *c, unsigned *number)
{
    const uint32_t begin = c->at;
    *number = 0;
    for (; c->at < c->end && !is_blank(c->file->text[c->at]); c->at++) {
        const unsigned char digit = c->file->text[c->at];
        if (digit < '0' || digit > '9' || *number > CODE_LONGEST) {
            *number = 0;
            break;
        }
        *number = *number * 10 + (unsigned)(digit - '0');
    }
    if (*number >= 1 && *number <= CODE_LONGEST)
        return true;
    while (c->at < c->end && !is_blank(c->file->text[c->at]))
        c->at++;
    diag_error(c->k->diag, here(c, begin), "expected the bits of a code, a number from 1 to %d", CODE_LONGEST);
    return false;
}

static void take_lengths(cursor *c, code_table *t, span name)
{
    uint8_t *lengths = ARENA_ARRAY(c->k->arena, uint8_t, t->count);
    unsigned count = 0, number;
    for (skip_spaces(c); c->at < c->end; skip_spaces(c), count++) {
        if (!take_number(c, &number))
            return;
        if (count < t->count)
            lengths[count] = (uint8_t)number;
    }
    if (count != t->count) {
        message *m = diag_error(c->k->diag, name, "'%s' has %u codes in this schema, and %u in the model", t->name,
                                t->count, count);
        diag_help(c->k->diag, m, "the schema has changed since it was trained: train again");
    } else if (!is_complete_code(lengths, count)) {
        diag_error(c->k->diag, name, "these are not the bits of a complete code: the sum of 2^-bits must be 1");
    } else {
        t->lengths = lengths;
        t->trained = true;
    }
}

static code_table *find_table(const schema *s, const char *name)
{
    for (code_table *t = s->tables; t; t = t->next)
        if (strcmp(t->name, name) == 0)
            return t;
    return NULL;
}

/* Reads the line from begin to end. False if it is not a line of a model. */
static bool read_line(checker *k, const source *file, uint32_t from, uint32_t end, bool *found)
{
    const unsigned char *comment = memchr(file->text + from, '#', end - from);
    cursor line = {k, file, from, comment ? (uint32_t)(comment - file->text) : end}, *c = &line;
    skip_spaces(c);
    const uint32_t begin = c->at;
    const unsigned char *text = c->file->text;
    if (c->at == c->end)
        return true;
    while (c->at < c->end && text[c->at] != ':')
        c->at++;
    const span name = here(c, begin);
    if (c->at == c->end) {
        message *m = diag_error(k->diag, name, "expected the name of a table and a ':'");
        diag_help(k->diag, m, "`pktc train` makes a model");
        return false;
    }
    c->at++;
    code_table *t = find_table(k->schema, arena_text(k->scratch, (const char *)text + begin, name.end - begin));
    if (!t) {
        message *m = diag_error(k->diag, name, "this schema codes nothing of that name");
        diag_help(k->diag, m, "the schema has changed since it was trained: train again");
    } else if (found[t->index]) {
        diag_error(k->diag, name, "'%s' is given twice", t->name);
    } else {
        found[t->index] = true;
        take_lengths(c, t, name);
    }
    return true;
}

static const source *open_model(checker *k)
{
    const char *root = k->schema->root->path, *slash = strrchr(root, '/'), *name = k->model->name.text;
    const char *found =
        slash && name[0] != '/' ? arena_printf(k->arena, "%.*s%s", (int)(slash - root) + 1, root, name) : name;
    const source *s = source_read(k->arena, found);
    if (!s) {
        message *m = diag_error(k->diag, k->model->name.span, "cannot read '%s': %s", found, file_failure());
        diag_help(k->diag, m, "`pktc train` makes a model; an empty file is one too, in which no code is known better");
    }
    k->schema->model_path = found;
    return s;
}

static void check_predictions(checker *k)
{
    for (const decl *d = k->schema->decls; d; d = d->next) {
        if (d->predicts && !d->holds_coded) {
            message *m =
                diag_error(k->diag, d->span, "'%s' has no coded fields, so nothing of it can be predicted", d->name);
            diag_help(k->diag, m, "write '@delta', or put 'coded' after the fields that go on as they moved");
        }
    }
}

void read_model(checker *k)
{
    schema *s = k->schema;
    check_predictions(k);
    if (!k->model)
        return;
    if (!s->tables) {
        diag_error(k->diag, k->model->name.span, "a model needs fields that are 'coded', and there are none");
        return;
    }
    s->has_model = true;
    bool *found = ARENA_ARRAY(k->scratch, bool, s->table_count);
    for (const ast_member *m = k->model->members; m; m = m->next)
        read_line(k, m->span.source, m->span.begin + 1, m->span.end - 1, found);
    const bool is_file = k->model->name.text != NULL;
    if (is_file && k->model->name.span.source->alone) {
        diag_error(k->diag, k->model->name.span,
                   "a schema in a recording has no files beside it, so its model is in it");
        return;
    }
    const source *file = is_file ? open_model(k) : NULL;
    for (uint32_t line = 1; file && line <= file->line_count; line++) {
        uint32_t size = 0;
        const char *text = source_line(file, line, &size);
        const uint32_t begin = (uint32_t)((const unsigned char *)text - file->text);
        if (!read_line(k, file, begin, begin + size, found))
            return;
    }
}
