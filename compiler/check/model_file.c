/* model_file.c - reads the model of a schema: the lengths of the codes of its tables, as `pktc train` prints them.
 * SPDX-License-Identifier: MIT
 *
 * The lines are those of a file, or strings in the schema itself. Each is the name of a table, a colon and a number for
 * each symbol; or "T.x values" or "T changes B values", a colon and the frequent values of a number or a change mask. Empty
 * lines and comments (from a # on) are left out. The values say which tables there are, so lines with values are read before
 * all others.
 */
#include "check/check_internal.h"
#include "model/coding.h"
#include "base/files.h"

#include <inttypes.h>
#include <string.h>

static const char values_ending[] = " values"; /* of the name of a line with values */

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

/* The next number of the line, the bits of a code; 0 of a symbol that has none. False after an error. */
static bool take_number(cursor *c, bool has_code, unsigned *number)
{
    const uint32_t begin = c->at;
    bool good = true;
    *number = 0;
    for (; c->at < c->end && !is_blank(c->file->text[c->at]); c->at++) {
        const unsigned char digit = c->file->text[c->at];
        good = good && digit >= '0' && digit <= '9' && *number <= CODE_LONGEST;
        *number = good ? *number * 10 + (unsigned)(digit - '0') : 0;
    }
    if (good && (has_code ? *number >= 1 && *number <= CODE_LONGEST : *number == 0))
        return true;
    if (has_code)
        diag_error(c->k->diag, here(c, begin), "expected the bits of a code, a number from 1 to %d", CODE_LONGEST);
    else
        diag_error(c->k->diag, here(c, begin), "expected 0, because this symbol has no code in this table");
    return false;
}

static void take_lengths(cursor *c, code_table *t, span name)
{
    uint8_t *lengths = ARENA_ARRAY(c->k->arena, uint8_t, t->count);
    unsigned count = 0, number;
    for (skip_spaces(c); c->at < c->end; skip_spaces(c), count++) {
        if (!take_number(c, count >= t->count || symbol_has_code(t, count), &number))
            return;
        if (count < t->count)
            lengths[count] = (uint8_t)number;
    }
    if (count != t->count) {
        message *m = diag_error(c->k->diag, name, "'%s' has %u codes in this schema, and %u in the model", t->name,
                                t->count, count);
        diag_help(c->k->diag, m, "the schema has changed since it was trained: train again");
    } else if (!is_complete_code(t, lengths)) {
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

/* The next code of the line; false after an error. */
static bool take_code_of_value(cursor *c, uint64_t most, const field *number, uint64_t *code)
{
    const uint32_t begin = c->at;
    bool good = true;
    *code = 0;
    for (; c->at < c->end && !is_blank(c->file->text[c->at]); c->at++) {
        const unsigned digit = c->file->text[c->at] - (unsigned)'0';
        good = good && digit <= 9 && digit <= most && *code <= (most - digit) / 10;
        *code = good ? *code * 10 + digit : 0;
    }
    if (!good) {
        diag_error(c->k->diag, here(c, begin), "expected the code of a value, a number from 0 to %" PRIu64, most);
    } else if (number && !is_code_of_type(&number->type, *code)) {
        message *m = diag_error(c->k->diag, here(c, begin), "'%s' has no member with the code %" PRIu64,
                                number->type.decl->name, *code);
        diag_help(c->k->diag, m, "the schema has changed since it was trained: train again");
        good = false;
    }
    return good;
}

/* Of a number or of a change mask, as its table says. */
static void take_frequent_values(cursor *c, code_table *t, span name)
{
    const uint64_t most =
        t->number ? greatest_number_code(&t->number->type) : UINT64_MAX >> (64 - t->changes->mask_fields);
    uint64_t codes[CODE_VALUES_MOST], code;
    unsigned count = 0;
    for (skip_spaces(c); c->at < c->end; skip_spaces(c)) {
        const uint32_t begin = c->at;
        if (!take_code_of_value(c, most, t->number, &code))
            return;
        for (unsigned i = 0; i < count; i++)
            if (codes[i] == code) {
                diag_error(c->k->diag, here(c, begin), "the value %" PRIu64 " is given twice", code);
                return;
            }
        if (count == CODE_VALUES_MOST) {
            diag_error(c->k->diag, here(c, begin), "a %s has at most %d frequent values",
                       t->number ? "number" : "change mask", CODE_VALUES_MOST);
            return;
        }
        codes[count++] = code;
    }
    if (count == 0)
        diag_error(c->k->diag, name, "expected at least one value");
    else if (t->number)
        code_by_values(c->k->arena, c->k->schema, t->number, codes, count);
    else
        code_mask_by_values(c->k->arena, c->k->schema, t->changes, codes, count);
}

static bool may_have_values(const code_table *t)
{
    return t->number || (t->changes && t->changes->mask_fields <= CODE_MASK_WHOLE);
}

/* The first table of the number or mask that a line of values is about: "T.x 0" of "T.x values", "T changes 0.0" of "T changes 0
 * values". */
static code_table *find_table_of_values(checker *k, const char *text, int stem)
{
    code_table *t = find_table(k->schema, arena_printf(k->scratch, "%.*s 0", stem, text));
    return t ? t : find_table(k->schema, arena_printf(k->scratch, "%.*s.0", stem, text));
}

/* Takes the line of a table; or of values. */
static void take_line(cursor *c, const char *text, span name, bool values, bool *found)
{
    checker *k = c->k;
    const int stem = (int)(strlen(text) - strlen(values_ending));
    code_table *t = values ? find_table_of_values(k, text, stem) : find_table(k->schema, text);
    if (!t || (values && !may_have_values(t))) {
        message *m = !t ? diag_error(k->diag, name, "this schema codes nothing of that name")
                     : t->changes
                         ? diag_error(k->diag, name, "a change mask of %u fields is coded in groups: %d are the most",
                                      t->changes->mask_fields, CODE_MASK_WHOLE)
                         : diag_error(k->diag, name, "'%.*s' is coded by its differences in this schema", stem, text);
        diag_help(k->diag, m, "the schema has changed since it was trained: train again");
    } else if (values ? t->values && t->values->trained : found[t->index]) {
        diag_error(k->diag, name, "'%s' is given twice", text);
    } else if (values) {
        take_frequent_values(c, t, name);
    } else {
        found[t->index] = true;
        take_lengths(c, t, name);
    }
}

/* Reads the line from begin to end, if it is one of values, or if it is not. False if it is not a line of a model. */
static bool read_line(checker *k, const source *file, uint32_t from, uint32_t end, bool values, bool *found)
{
    const unsigned char *comment = memchr(file->text + from, '#', end - from);
    cursor line = {k, file, from, comment ? (uint32_t)(comment - file->text) : end}, *c = &line;
    skip_spaces(c);
    const uint32_t begin = c->at;
    if (c->at == c->end)
        return true;
    while (c->at < c->end && file->text[c->at] != ':')
        c->at++;
    const span name = here(c, begin);
    const char *text = arena_text(k->scratch, (const char *)file->text + begin, name.end - begin);
    const size_t size = strlen(text), tail = strlen(values_ending);
    if ((c->at < c->end && size > tail && strcmp(text + size - tail, values_ending) == 0) != values)
        return true;
    if (c->at == c->end) {
        message *m = diag_error(k->diag, name, "expected the name of a table and a ':'");
        diag_help(k->diag, m, "`pktc train` makes a model");
        return false;
    }
    c->at++;
    take_line(c, text, name, values, found);
    return true;
}

static void read_lines(checker *k, const source *file, bool values)
{
    bool *found = ARENA_ARRAY(k->scratch, bool, k->schema->table_count);
    for (const ast_member *m = k->model->members; m; m = m->next)
        read_line(k, m->span.source, m->span.begin + 1, m->span.end - 1, values, found);
    for (uint32_t line = 1; file && line <= file->line_count; line++) {
        uint32_t size = 0;
        const char *text = source_line(file, line, &size);
        const uint32_t begin = (uint32_t)((const unsigned char *)text - file->text);
        if (!read_line(k, file, begin, begin + size, values, found))
            return;
    }
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
    const bool is_file = k->model->name.text != NULL, is_alone = is_file && k->model->name.span.source->alone;
    if (is_alone)
        diag_error(k->diag, k->model->name.span,
                   "a schema in a recording has no files beside it, so its model is in it");
    const source *file = is_file && !is_alone ? open_model(k) : NULL;
    read_lines(k, file, true);
    read_lines(k, file, false);
}
