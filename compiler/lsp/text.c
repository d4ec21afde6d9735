/* text.c - the tokens of a file by their meaning, and the standard format.
 * SPDX-License-Identifier: MIT
 */
#include "lsp/lsp_internal.h"

#ifdef PKTC_JSON

#include "front/format.h"
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

enum { DECLARED = 1, CONSTANT = 2 };

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

/* The tokens as the protocol wants them: five numbers each, relative to the token before. One that has several lines is
 * several tokens. */
typedef struct token_list {
    json_t *data;
    json_int_t line, column;
} token_list;

static void add_token(token_list *list, const colored *c)
{
    json_t *begin = position_at(c->at.source, c->at.begin), *end = position_at(c->at.source, c->at.end);
    const json_int_t line = json_integer_value(json_object_get(begin, "line"));
    const json_int_t column = json_integer_value(json_object_get(begin, "character"));
    const json_int_t last = json_integer_value(json_object_get(end, "character"));
    const json_int_t numbers[] = {line - list->line, line == list->line ? column - list->column : column, last - column,
                                  (json_int_t)c->kind, (json_int_t)c->modifiers};
    for (size_t i = 0; i < 5 && last > column; i++)
        json_array_append_new(list->data, json_integer(numbers[i]));
    if (last > column) {
        list->line = line;
        list->column = column;
    }
    json_decref(begin);
    json_decref(end);
}

static void add_token_lines(token_list *list, colored c)
{
    const uint32_t end = c.at.end;
    const char *text = (const char *)c.at.source->text;
    while (c.at.begin < end) {
        const char *newline = memchr(text + c.at.begin, '\n', end - c.at.begin);
        c.at.end = newline ? (uint32_t)(newline - text) : end;
        if (c.at.end > c.at.begin && text[c.at.end - 1] == '\r')
            c.at.end--;
        add_token(list, &c);
        c.at.begin = newline ? (uint32_t)(newline + 1 - text) : end;
    }
}

json_t *answer_tokens(lsp_server *s, const document *d, const json_t *parameters)
{
    const analysis *of = d->analysis;
    arena *a = s->scratch;
    comment *comments = NULL;
    lexer l;
    token t;
    size_t count = 0;
    token_list list = {json_array(), 0, 0};
    colored *all = ARENA_ARRAY(a, colored, (size_t)of->source->size + 1);
    (void)parameters;
    sound_part(s, d->analysis);
    lexer_init(&l, a, names_new(a), diag_new(a), of->source, reserved_type_word);
    l.comments = &comments;
    for (int terminal; (terminal = lex(&l, &t)) != 0;)
        count += color_of(of, terminal, &t, &all[count]);
    for (const comment *c = comments; c; c = c->next)
        all[count++] = (colored){c->span, TOKEN_COMMENT, 0};
    qsort(all, count, sizeof *all, by_begin_of_color);
    for (size_t i = 0; i < count; i++)
        add_token_lines(&list, all[i]);
    return json_pack("{s:o}", "data", list.data);
}

/* ---- format */

/* One edit, of the lines that change. */
json_t *answer_format(lsp_server *s, const document *d, const json_t *parameters)
{
    const source *now = d->analysis->source;
    arena *a = s->scratch;
    size_t size, begin = 0, end = 0;
    const char *made = format_source(a, names_new(a), diag_new(a), now, reserved_type_word, &size);
    const char *text = (const char *)now->text;
    (void)parameters;
    if (!made)
        return NULL;
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
