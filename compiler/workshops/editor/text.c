/* text.c - the tokens of a file by their meaning, and the standard format.
 * SPDX-License-Identifier: MIT
 */
#include "editor/lsp_internal.h"

#ifdef PKTC_JSON

#include "format/format.h"
#include "front/lexer.h"
#include "model/type_table.h"

#include "grammar.h"

#include <stdlib.h>
#include <string.h>

/* ---- tokens */

typedef enum token_kind {
    TOKEN_KEYWORD,
    TOKEN_TYPE,
    TOKEN_STRUCT,
    TOKEN_ENUM,
    TOKEN_ENUM_MEMBER,
    TOKEN_PROPERTY,
    TOKEN_CONSTANT,
    TOKEN_NUMBER,
    TOKEN_STRING,
    TOKEN_COMMENT,
    TOKEN_KINDS
} token_kind;

static const char *const token_kind_names[] = {
    "keyword", "type", "struct", "enum", "enumMember", "property", "variable", "number", "string", "comment",
};

enum { DECLARED = 1, CONSTANT = 2, NUMBERS_OF_TOKEN = 5 };

json_t *token_legend(void)
{
    json_t *kinds = json_array();
    for (size_t i = 0; i < TOKEN_KINDS; i++)
        json_array_append_new(kinds, json_string(token_kind_names[i]));
    return json_pack("{s:o,s:[s,s]}", "tokenTypes", kinds, "tokenModifiers", "declaration", "readonly");
}

typedef struct colored {
    span at;
    token_kind kind;
    unsigned modifiers;
} colored;

static token_kind kind_of_use(const name_use *u)
{
    if (u->imported)
        return TOKEN_STRING;
    if (u->field || (u->member && u->decl->kind == DECL_UNION))
        return TOKEN_PROPERTY;
    if (u->member)
        return TOKEN_ENUM_MEMBER;
    return u->decl->kind == DECL_CONST                                 ? TOKEN_CONSTANT
           : u->decl->kind == DECL_ENUM || u->decl->kind == DECL_FLAGS ? TOKEN_ENUM
                                                                       : TOKEN_STRUCT;
}

/* Whether the file has a word here. A name that is like a word has a use. */
static bool is_written_word(const token *t)
{
    const unsigned char c = t->span.source->text[t->span.begin];
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The color of a token; false if it has none. */
static bool color_of(const analysis *of, int terminal, const token *t, colored *c)
{
    const name_use *u = terminal != TOK_STRING && of->part ? use_at(of->part, t->span.begin) : NULL;
    if (!u && terminal != TOK_STRING)
        u = use_at(of, t->span.begin);
    *c = (colored){.at = t->span};
    if (u && u->at.begin >= t->span.begin && u->at.end <= t->span.end) {
        const bool declares = u->at.begin == u->declared.begin && u->at.source == u->declared.source;
        c->kind = kind_of_use(u);
        c->modifiers = (declares ? DECLARED : 0u) | (c->kind == TOKEN_CONSTANT ? CONSTANT : 0u);
        return true;
    }
    switch (terminal) {
    case TOK_INT:
    case TOK_REAL: c->kind = TOKEN_NUMBER; return true;
    case TOK_STRING: c->kind = TOKEN_STRING; return true;
    case TOK_SCALAR: c->kind = TOKEN_TYPE; return true;
    case TOK_ID: return false;
    default: c->kind = TOKEN_KEYWORD; return is_written_word(t);
    }
}

static int by_begin_of_color(const void *a, const void *b)
{
    const colored *x = a, *y = b;
    return (x->at.begin > y->at.begin) - (x->at.begin < y->at.begin);
}

/* The list that is written: each token is relative to the one before it. One that has several lines is several tokens. */
typedef struct token_writer {
    uint32_t *to;
    text_place last;
} token_writer;

static void add_token(token_writer *w, const colored *c)
{
    const text_place at = place_in_text(c->at.source, c->at.begin), end = place_in_text(c->at.source, c->at.end);
    const bool same_line = at.line == w->last.line;
    if (end.character <= at.character)
        return;
    *w->to++ = at.line - w->last.line;
    *w->to++ = same_line ? at.character - w->last.character : at.character;
    *w->to++ = end.character - at.character;
    *w->to++ = c->kind;
    *w->to++ = c->modifiers;
    w->last = at;
}

static void add_token_lines(token_writer *w, colored c)
{
    const uint32_t end = c.at.end;
    const char *text = (const char *)c.at.source->text;
    while (c.at.begin < end) {
        const char *newline = memchr(text + c.at.begin, '\n', end - c.at.begin);
        c.at.end = newline ? (uint32_t)(newline - text) : end;
        if (c.at.end > c.at.begin && text[c.at.end - 1] == '\r')
            c.at.end--;
        add_token(w, &c);
        c.at.begin = newline ? (uint32_t)(newline + 1 - text) : end;
    }
}

/* The tokens of a document now. */
static token_list tokens_of(lsp_server *s, document *d)
{
    const analysis *of = d->analysis;
    arena *a = s->scratch;
    comment *comments = NULL;
    lexer l;
    token t;
    size_t count = 0;
    colored *all = ARENA_ARRAY(a, colored, (size_t)of->source->size + 1);
    sound_part(s, d->analysis);
    lexer_init(&l, a, names_new(a), diag_new(a), of->source, reserved_type_word);
    l.comments = &comments;
    for (int terminal; (terminal = lex(&l, &t)) != 0;)
        count += color_of(of, terminal, &t, &all[count]);
    for (const comment *c = comments; c; c = c->next)
        all[count++] = (colored){c->span, TOKEN_COMMENT, 0};
    qsort(all, count, sizeof *all, by_begin_of_color);
    /* One for each token, and one more for each line end in a token. */
    token_list made = {.all = malloc(NUMBERS_OF_TOKEN * sizeof(uint32_t) * (count + of->source->line_count)),
                       .number = d->tokens.number + 1};
    if (!made.all)
        arena_out_of_memory();
    token_writer w = {.to = made.all};
    for (size_t i = 0; i < count; i++)
        add_token_lines(&w, all[i]);
    made.count = (size_t)(w.to - made.all);
    return made;
}

static json_t *numbers_of(const uint32_t *all, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_integer(all[i]));
    return list;
}

/* The client gets a list, or what has changed since the list that it has. */
static json_t *send_tokens(lsp_server *s, document *d, bool changes)
{
    const token_list was = d->tokens, now = tokens_of(s, d);
    size_t same = 0, end = 0;
    const char *id = arena_printf(s->scratch, "%u", now.number);
    d->tokens = now;
    while (changes && same < was.count && same < now.count && was.all[same] == now.all[same])
        same++;
    while (changes && end < was.count - same && end < now.count - same &&
           was.all[was.count - 1 - end] == now.all[now.count - 1 - end])
        end++;
    json_t *numbers = numbers_of(now.all + same, now.count - end - same);
    free(was.all);
    if (!changes)
        return json_pack("{s:s,s:o}", "resultId", id, "data", numbers);
    return json_pack("{s:s,s:[{s:I,s:I,s:o}]}", "resultId", id, "edits", "start", (json_int_t)same, "deleteCount",
                     (json_int_t)(was.count - end - same), "data", numbers);
}

json_t *answer_tokens(lsp_server *s, document *d, const json_t *parameters)
{
    (void)parameters;
    return send_tokens(s, d, false);
}

json_t *answer_token_changes(lsp_server *s, document *d, const json_t *parameters)
{
    const char *has = json_string_value(json_object_get(parameters, "previousResultId"));
    const char *was = arena_printf(s->scratch, "%u", d->tokens.number);
    return send_tokens(s, d, d->tokens.all && has && strcmp(has, was) == 0);
}

/* ---- format */

/* The text with the line ends that the file has. */
static const char *with_line_ends_of(arena *a, const source *file, const char *text, size_t *size)
{
    const char *first = memchr(file->text, '\n', file->size);
    if (!first || first == (const char *)file->text || first[-1] != '\r')
        return text;
    char *made = arena_alloc(a, 2 * *size + 1), *to = made;
    for (size_t i = 0; i < *size; i++) {
        if (text[i] == '\n')
            *to++ = '\r';
        *to++ = text[i];
    }
    *to = '\0';
    *size = (size_t)(to - made);
    return made;
}

/* One edit, of the lines that change. */
json_t *answer_format(lsp_server *s, document *d, const json_t *parameters)
{
    const source *now = d->analysis->source;
    arena *a = s->scratch;
    size_t size, begin = 0, end = 0;
    const char *made = format_source(a, names_new(a), diag_new(a), now, reserved_type_word, &size);
    const char *text = (const char *)now->text;
    (void)parameters;
    if (!made)
        return NULL;
    made = with_line_ends_of(a, now, made, &size);
    if (size == now->size && memcmp(made, text, size) == 0)
        return json_array();
    while (begin < size && begin < now->size && made[begin] == text[begin])
        begin++;
    while (begin > 0 && text[begin - 1] != '\n')
        begin--;
    while (end < size - begin && end < now->size - begin && made[size - 1 - end] == text[now->size - 1 - end])
        end++;
    while (end > 0 && text[now->size - end - 1] != '\n')
        end--;
    const span at = {now, (uint32_t)begin, (uint32_t)(now->size - end)};
    return json_pack("[{s:o,s:s%}]", "range", range_at(at), "newText", made + begin, size - begin - end);
}

#endif
