/* parse.c - feeds the tokens of a file to the parser, one by one.
 * SPDX-License-Identifier: MIT
 *
 * It counts open braces and parentheses, to limit their depth (no later phase recurses too deeply) and to find a brace
 * that is never closed. If a word that can only start a declaration, such as `struct`, is in column 1 while braces are
 * open, a brace is missing: the error is reported, the parser gets the missing braces, and parsing goes on.
 */
#include "front/parse_internal.h"

#include "grammar.h"

#include <stdlib.h>

/* ---- depth */

static level *innermost(parser *cx)
{
    return &cx->levels[cx->level_count];
}

static void give_up(parser *cx, span at, const char *what, int limit)
{
    diag_error(cx->diag, at, "%s can nest at most %d deep; the rest of this file was skipped", what, limit);
    cx->silent = cx->given_up = true;
}

static void open_level(parser *cx, int opener, span at)
{
    if (cx->depth == NEST_DEEPEST) {
        give_up(cx, at, "braces, parentheses and `else if`", NEST_DEEPEST);
        return;
    }
    cx->depth++;
    cx->levels[++cx->level_count] = (level){.opener = opener, .span = at};
}

static void close_level(parser *cx)
{
    cx->depth -= 1 + innermost(cx)->chain;
    cx->level_count--;
}

/* Parentheses never contain a ; or a brace, so parentheses that are still open here were forgotten. */
static void close_parentheses(parser *cx)
{
    while (innermost(cx)->opener == TOK_LPAREN)
        close_level(cx);
}

/* In the tree an `else if` is an if inside the if before it, so a chain counts as depth. Any token that is not part of
 * an if ends the chain. */
static void count_chain(parser *cx, int terminal, span at)
{
    level *here = innermost(cx);
    if (terminal == TOK_IF && cx->before == TOK_ELSE) {
        if (cx->depth == NEST_DEEPEST) {
            give_up(cx, at, "braces, parentheses and `else if`", NEST_DEEPEST);
            return;
        }
        here->chain++;
        cx->depth++;
    } else if (terminal != TOK_ELSE) {
        cx->depth -= here->chain;
        here->chain = 0;
    }
}

static void keep_account(parser *cx, int terminal, const token *t)
{
    bool unary = terminal == TOK_NOT || terminal == TOK_MINUS;
    cx->operators = unary ? cx->operators + 1 : 0;
    if (cx->operators > AST_DEEPEST)
        give_up(cx, t->span, "operators", AST_DEEPEST);
    if (terminal == TOK_SEMI || terminal == TOK_LBRACE || terminal == TOK_RBRACE)
        close_parentheses(cx);
    if (terminal == TOK_LBRACE || terminal == TOK_LPAREN) {
        open_level(cx, terminal, t->span);
    } else if (terminal == TOK_RBRACE || terminal == TOK_RPAREN) {
        if (innermost(cx)->opener == (terminal == TOK_RBRACE ? TOK_LBRACE : TOK_LPAREN))
            close_level(cx);
    } else {
        count_chain(cx, terminal, t->span);
    }
}

/* ---- braces never closed */

bool only_declares(int terminal)
{
    return terminal == TOK_PROTOCOL || terminal == TOK_IMPORT || terminal == TOK_ENUM || terminal == TOK_STRUCT ||
           terminal == TOK_PACKET || terminal == TOK_UNION;
}

static bool in_column_one(const token *t)
{
    uint32_t line, column;
    source_place(t->span.source, t->span.begin, &line, &column);
    return column == 1;
}

static void report_unclosed(parser *cx, int terminal, const token *t)
{
    const level *open = innermost(cx);
    uint32_t line, column;
    source_place(open->span.source, open->span.begin, &line, &column);
    const char *before = terminal ? t->as.text : NULL;
    message *m =
        diag_error(cx->diag, t->span, "expected '}' before %s%s%s: the '{' on line %u is not closed", before ? "'" : "",
                   before ? before : "the end of the file", before ? "'" : "", (unsigned)line);
    diag_note(cx->diag, m, open->span, "the '{' is here");
}

/* Feeds the parser the } that are missing before a token. */
static void close_braces(parser *cx, void *machine, int terminal, const token *t)
{
    close_parentheses(cx);
    if (cx->level_count == 0)
        return;
    bool was_silent = cx->silent;
    if (!was_silent && t->span.begin >= cx->quiet_until)
        report_unclosed(cx, terminal, t);
    cx->silent = true;
    token brace = {.span = {t->span.source, t->span.begin, t->span.begin}};
    for (unsigned i = 0; i < cx->level_count; i++)
        grammar(machine, TOK_RBRACE, brace);
    cx->silent = was_silent;
    cx->level_count = cx->depth = 0;
    cx->levels[0].chain = 0;
    cx->before = TOK_RBRACE;
}

/* ---- the file */

/* A statement ends with ; or a brace: it is a field, or the head of a declaration or of an `if`. A label is a statement
 * of its own, and so is each member of an enum. */
static void begin_statement(parser *cx, int terminal, const token *t)
{
    bool label = cx->before == TOK_COLON && (cx->statement_word == TOK_CASE || cx->statement_word == TOK_DEFAULT);
    bool member = cx->before == TOK_COMMA && cx->level_count == 1 &&
                  (cx->declaration == TOK_ENUM || cx->declaration == TOK_FLAGS);
    bool ended = cx->before == 0 || cx->before == TOK_SEMI || cx->before == TOK_LBRACE || cx->before == TOK_RBRACE;
    if (ended || member || (label && terminal != TOK_COLON)) {
        cx->statement = t->span.begin;
        cx->statement_word = terminal;
    }
}

static void feed(parser *cx, void *machine, names *n, int terminal, const token *t)
{
    if (only_declares(terminal) && cx->level_count > 0 && in_column_one(t))
        close_braces(cx, machine, terminal, t);
    const bool may_declare =
        (terminal == TOK_FLAGS || terminal == TOK_MODEL || terminal == TOK_TYPE) && !only_declares(cx->before);
    if (cx->level_count == 0 && (only_declares(terminal) || may_declare))
        cx->declaration = terminal;
    begin_statement(cx, terminal, t);
    cx->found = terminal;
    token name = *t;
    if (name_instead(cx, machine, n, terminal, &name)) {
        terminal = TOK_ID;
        t = &name;
    }
    cx->recovered = false;
    grammar(machine, terminal, *t);
    keep_account(cx, terminal, t);
    cx->before = terminal;
    cx->last = *t;
}

/* Closes the braces that are open at the end of the file, so that the tree keeps everything parsed so far. Errors are
 * reported right after the last token, before the comments and blanks that follow it. */
static void finish(parser *cx, void *machine, token end)
{
    if (cx->before != 0)
        end.span.begin = end.span.end = cx->last.span.end;
    close_parentheses(cx);
    bool open = cx->level_count > 0;
    close_braces(cx, machine, 0, &end);
    cx->silent |= open;
    cx->found = 0;
    grammar(machine, 0, end);
}

ast_file *parse(arena *a, names *n, diag *d, const source *s, word_list *type_words)
{
    parser *cx = ARENA_NEW(a, parser);
    cx->arena = a;
    cx->diag = d;
    cx->file = ARENA_NEW(a, ast_file);
    cx->file->source = s;
    lexer l;
    lexer_init(&l, a, n, d, s, type_words);
    void *machine = grammarAlloc(malloc, cx);
    if (!machine) {
        fputs("pktc: out of memory\n", stderr);
        exit(1);
    }
    token t;
    int terminal;
    while ((terminal = lex(&l, &t)) != 0 && !cx->given_up)
        feed(cx, machine, n, terminal, &t);
    cx->silent |= l.cut_short;
    finish(cx, machine, t);
    grammarFree(machine, free);
    return cx->file;
}
