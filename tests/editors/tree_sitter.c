/* tree_sitter.c - tests share/editors/tree-sitter: the parser reads every schema here, and the queries color its tokens.
 * SPDX-License-Identifier: MIT
 *
 * usage: tree_sitter FILE.pkt...     from the top directory
 *
 * A token has the last capture of the highlights, as in editors. It must be that of the lexer's kind of token.
 */
#include "check/check.h"
#include "front/lexer.h"
#include "model/type_table.h"

#include "grammar.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tree_sitter/api.h>

#define QUERIES "share/editors/tree-sitter/queries/"

const TSLanguage *tree_sitter_pkt(void);

static unsigned failed;

static void fail_at(const char *file, uint32_t offset, const char *what, const char *more)
{
    if (failed++ < 20)
        printf("%s: byte %u: %s%s\n", file, (unsigned)offset, what, more);
}

static char *whole_file(const char *file, uint32_t *size)
{
    FILE *f = fopen(file, "rb");
    if (!f)
        abort();
    fseek(f, 0, SEEK_END);
    const size_t length = (size_t)ftell(f);
    rewind(f);
    char *text = calloc(length + 1, 1);
    if (!text || fread(text, 1, length, f) != length)
        abort();
    fclose(f);
    *size = (uint32_t)length;
    return text;
}

static TSQuery *query_of(const char *name)
{
    char file[200];
    uint32_t size, offset;
    TSQueryError error;
    snprintf(file, sizeof file, QUERIES "%s.scm", name);
    char *text = whole_file(file, &size);
    TSQuery *q = ts_query_new(tree_sitter_pkt(), text, size, &offset, &error);
    if (!q)
        fail_at(file, offset, "this is no query", "");
    free(text);
    return q;
}

/* What cannot be parsed is an ERROR, or a node without text that is missing. */
static void look_for_errors(const char *file, TSNode n)
{
    if (strcmp(ts_node_type(n), "ERROR") == 0 || ts_node_is_missing(n))
        fail_at(file, ts_node_start_byte(n), "no tree: ", ts_node_type(n));
    else
        for (uint32_t i = 0; i < ts_node_child_count(n); i++)
            look_for_errors(file, ts_node_child(n, i));
}

/* The capture of each byte; NULL: none. */
static const char **captures_of(const TSQuery *q, TSNode root, uint32_t size)
{
    const char **captures = calloc(size + 1, sizeof *captures);
    TSQueryCursor *c = ts_query_cursor_new();
    TSQueryMatch match;
    uint32_t index, length;
    ts_query_cursor_exec(c, q, root);
    while (ts_query_cursor_next_capture(c, &match, &index)) {
        const TSQueryCapture *found = &match.captures[index];
        for (uint32_t i = ts_node_start_byte(found->node); i < ts_node_end_byte(found->node); i++)
            captures[i] = ts_query_capture_name_for_id(q, found->index, &length);
    }
    ts_query_cursor_delete(c);
    return captures;
}

/* The beginnings of the captures that a token may have. */
static const char *wanted_capture(int terminal, const token *t, int before)
{
    const bool is_word = isalpha((unsigned char)t->span.source->text[t->span.begin]);
    switch (terminal) {
    case TOK_INT:
    case TOK_REAL: return "number";
    case TOK_STRING: return "string";
    case TOK_SCALAR: return "type.builtin";
    case TOK_TRUE:
    case TOK_FALSE: return "boolean";
    case TOK_LBRACE:
    case TOK_RBRACE: return "punctuation.bracket";
    default: break;
    }
    if (before == TOK_AT)
        return "attribute";
    if (terminal == TOK_ID && type_word_named(t->as.text))
        return "type property";
    return terminal == TOK_ID                     ? "type property variable constant module"
           : is_word && grammarFallback(terminal) ? "keyword type property variable constant module"
           : is_word                              ? "keyword"
                                                  : NULL;
}

static bool is_wanted(const char *wanted, const char *capture)
{
    for (const char *word = wanted; capture && word; word = strchr(word, ' ')) {
        word += *word == ' ';
        if (strncmp(capture, word, strcspn(word, " ")) == 0)
            return true;
    }
    return false;
}

static void compare_captures(const char *file, const char *text, uint32_t size, const char **captures)
{
    arena *a = arena_new();
    diag *d = diag_new(a);
    lexer l;
    token t;
    comment *comments = NULL;
    lexer_init(&l, a, names_new(a), d, source_from(a, file, text, size), reserved_type_word);
    l.comments = &comments;
    for (int terminal, before = 0; (terminal = lex(&l, &t)) != 0; before = terminal) {
        const char *wanted = wanted_capture(terminal, &t, before), *found = captures[t.span.begin];
        if (wanted && (!is_wanted(wanted, found) || captures[t.span.end - 1] != found))
            fail_at(file, t.span.begin, wanted, found ? found : " is nothing");
    }
    for (const comment *c = comments; c; c = c->next)
        if (!is_wanted("comment", captures[c->span.begin]))
            fail_at(file, c->span.begin, "no comment", "");
    arena_free(a);
}

/* Whether the language has a word, or an attribute of that name. */
static bool is_known(const char *name)
{
    arena *a = arena_new();
    lexer l;
    token t;
    lexer_init(&l, a, names_new(a), diag_new(a), source_from(a, "name", name, strlen(name)), reserved_type_word);
    bool known = lex(&l, &t) != TOK_ID || type_word_named(t.as.text);
    for (size_t i = 0; attribute_name_at(i); i++)
        known = known || strcmp(attribute_name_at(i), name) == 0;
    arena_free(a);
    return known;
}

/* A word that the grammar lacks is found by test_editors.c. */
static void look_for_strange_words(void)
{
    const TSLanguage *language = tree_sitter_pkt();
    for (uint32_t i = 0; i < ts_language_symbol_count(language); i++) {
        const char *name = ts_language_symbol_name(language, (TSSymbol)i);
        if (ts_language_symbol_type(language, (TSSymbol)i) == TSSymbolTypeAnonymous &&
            isalpha((unsigned char)name[0]) && !is_known(name))
            fail_at("parser.c", 0, "the language has no word ", name);
    }
}

int main(int count, char **files)
{
    TSParser *p = ts_parser_new();
    TSQuery *highlights = query_of("highlights"),
            *others[] = {query_of("folds"), query_of("locals"), query_of("indents")};
    if (!ts_parser_set_language(p, tree_sitter_pkt()))
        fail_at("parser.c", 0, "this libtree-sitter cannot use it", "");
    look_for_strange_words();
    for (int i = 1; i < count && highlights; i++) {
        uint32_t size;
        char *text = whole_file(files[i], &size);
        TSTree *tree = ts_parser_parse_string(p, NULL, text, size);
        const TSNode root = ts_tree_root_node(tree);
        /* Schemas with errors have some tree. */
        if (!strstr(files[i], "/errors/")) {
            const char **captures = captures_of(highlights, root, size);
            look_for_errors(files[i], root);
            compare_captures(files[i], text, size, captures);
            free(captures);
        }
        ts_tree_delete(tree);
        free(text);
    }
    ts_query_delete(highlights);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ts_query_delete(others[i]);
    ts_parser_delete(p);
    if (failed > 0)
        printf("[  FAILED  ] %u test(s)\n", failed);
    else
        printf("[  PASSED  ] %d test(s).\n", count - 1);
    return failed > 0;
}
