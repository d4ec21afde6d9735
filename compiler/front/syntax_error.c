/* syntax_error.c - says in words what the parser found and what it expected.
 * SPDX-License-Identifier: MIT
 *
 * The parser says which terminals it would have accepted. In most states these are one or two; if they form a class (a
 * declaration, a field, a value), the class is named instead. Common mistakes get a message or a help of their own.
 */
#include "front/habits.h"
#include "front/parse_internal.h"

#include "grammar.h"

#include <string.h>

enum { SHOWN = 40 };

/* A file with more errors than this is not searched for habits any more, so that it is read in little time. */
enum { HABITS_MOST = 10000 };

/* How a terminal is written in a message. Operators are left out: they are accepted nearly everywhere in an expression,
 * so listing them would not help. */
static const char *const terminal_texts[] = {
    [TOK_ID] = "a name",
    [TOK_SCALAR] = "a type",
    [TOK_INT] = "an integer",
    [TOK_STRING] = "a string in double quotes",
    [TOK_PROTOCOL] = "'protocol'",
    [TOK_IMPORT] = "'import'",
    [TOK_MODEL] = "'model'",
    [TOK_CONST] = "'const'",
    [TOK_ENUM] = "'enum'",
    [TOK_FLAGS] = "'flags'",
    [TOK_STRUCT] = "'struct'",
    [TOK_PACKET] = "'packet'",
    [TOK_UNION] = "'union'",
    [TOK_AFTER] = "'after'",
    [TOK_AS] = "'as'",
    [TOK_CHECK] = "'check'",
    [TOK_CODED] = "'coded'",
    [TOK_DELTA] = "'delta'",
    [TOK_FROM] = "'from'",
    [TOK_OF] = "'of'",
    [TOK_PREFIX] = "'prefix'",
    [TOK_UNLESS] = "'unless'",
    [TOK_OPTIONAL] = "'optional'",
    [TOK_SPARSE] = "'sparse'",
    [TOK_LOCAL] = "'local'",
    [TOK_ALIGN] = "'align'",
    [TOK_RESERVED] = "'reserved'",
    [TOK_COMPACT] = "'compact'",
    [TOK_SWITCH] = "'switch'",
    [TOK_IF] = "'if'",
    [TOK_ELSE] = "'else'",
    [TOK_CASE] = "'case'",
    [TOK_DEFAULT] = "'default'",
    [TOK_TRUE] = "'true'",
    [TOK_FALSE] = "'false'",
    [TOK_ASSIGN] = "'='",
    [TOK_SEMI] = "';'",
    [TOK_LBRACE] = "'{'",
    [TOK_RBRACE] = "'}'",
    [TOK_COLON] = "':'",
    [TOK_LPAREN] = "'('",
    [TOK_RPAREN] = "')'",
    [TOK_COMMA] = "','",
    [TOK_LBRACKET] = "'['",
    [TOK_RBRACKET] = "']'",
    [TOK_LT] = "'<'",
    [TOK_GT] = "'>'",
    [TOK_DOTDOT] = "'..'",
};
enum { TERMINAL_TEXTS = sizeof terminal_texts / sizeof *terminal_texts };

static const char *const declaration_words[] = {"protocol", "import", "model",  "const", "enum",
                                                "flags",    "struct", "packet", "union", NULL};
static const char *const item_words[] = {"optional", "sparse",  "local", "align",  "const", "reserved",
                                         "check",    "compact", "if",    "switch", NULL};

/* ---- what was found */

static const char *token_text(parser *cx, int terminal, const token *t)
{
    if (terminal == 0)
        return "the end of the file";
    if (terminal == TOK_STRING)
        return "a string";
    uint32_t size = t->span.end - t->span.begin;
    return arena_printf(cx->arena, "'%.*s%s'", (int)(size > SHOWN ? SHOWN : size),
                        (const char *)t->span.source->text + t->span.begin, size > SHOWN ? "..." : "");
}

static const char *after_what(parser *cx)
{
    if (cx->before == 0)
        return "";
    if (cx->before == TOK_STRING)
        return " after the string";
    if (cx->field.text && cx->field_end == cx->last.span.end)
        return arena_printf(cx->arena, " after field '%s'", cx->field.text);
    return arena_printf(cx->arena, " after %s", token_text(cx, cx->before, &cx->last));
}

/* Words that are never names. Words that have a meaning in one place only are not among them. */
static bool is_reserved(int terminal)
{
    switch (terminal) {
    case TOK_PROTOCOL:
    case TOK_IMPORT:
    case TOK_CONST:
    case TOK_ENUM:
    case TOK_STRUCT:
    case TOK_PACKET:
    case TOK_UNION:
    case TOK_OPTIONAL:
    case TOK_SPARSE:
    case TOK_LOCAL:
    case TOK_ALIGN:
    case TOK_RESERVED:
    case TOK_COMPACT:
    case TOK_SWITCH:
    case TOK_CASE:
    case TOK_DEFAULT:
    case TOK_IF:
    case TOK_ELSE:
    case TOK_TRUE:
    case TOK_FALSE:
    case TOK_SCALAR: return true;
    }
    return false;
}

/* What a name would name here. */
static const char *thing_to_name(const parser *cx)
{
    switch (cx->before) {
    case TOK_PROTOCOL: return "a protocol";
    case TOK_CONST: return "a constant";
    case TOK_ENUM: return "an enum";
    case TOK_STRUCT: return "a struct";
    case TOK_PACKET: return "a packet";
    case TOK_UNION: return "a union";
    case TOK_PREFIX: return "a prefix";
    case TOK_AT: return "an attribute";
    case TOK_LT: return "a mode";
    }
    if (cx->level_count == 0)
        return "a declaration";
    switch (cx->declaration) {
    case TOK_ENUM: return "a member of an enum";
    case TOK_FLAGS: return "a flag";
    case TOK_UNION: return "a member of a union";
    }
    return "a field";
}

/* ---- what was expected */

static bool starts_declaration(const bool *expected)
{
    return expected[TOK_PROTOCOL] && expected[TOK_STRUCT];
}

static bool starts_item(const bool *expected)
{
    return expected[TOK_ALIGN];
}

static bool starts_value(const bool *expected)
{
    return expected[TOK_INT] && expected[TOK_LPAREN];
}

/* In the members of an enum or flags. There the parser expects only '}': before it looked at this token it has already
 * decided that the optional comma is missing, or that it was the last one. */
static bool lists_members(const parser *cx, const bool *expected)
{
    return expected[TOK_RBRACE] && cx->level_count == 1 &&
           (cx->declaration == TOK_ENUM || cx->declaration == TOK_FLAGS);
}

/* The same in the lines of a model, of which there is at least one. */
static bool lists_lines(const parser *cx, const bool *expected)
{
    return expected[TOK_RBRACE] && cx->level_count == 1 && cx->declaration == TOK_MODEL;
}

static bool takes_name(const parser *cx, const bool *expected)
{
    if (lists_members(cx, expected))
        return cx->before == TOK_COMMA;
    return expected[TOK_ID] && !expected[TOK_SCALAR] && !starts_value(expected);
}

/* Whether a message should name this terminal of the set. */
static bool worth_naming(const bool *expected, int terminal)
{
    if (!expected[terminal] || !terminal_texts[terminal])
        return false;
    if (expected[TOK_SEMI])
        return terminal == TOK_SEMI;
    bool operator_here = expected[TOK_OROR] && (terminal == TOK_LT || terminal == TOK_GT);
    bool name_as_well = expected[TOK_ID] && grammarFallback(terminal) == TOK_ID;
    bool type_as_well = expected[TOK_SCALAR] && (terminal == TOK_ID || terminal == TOK_COMPACT);
    return !operator_here && !name_as_well && !type_as_well;
}

static const char *listed(parser *cx, const bool *expected, int count)
{
    const char *list = NULL, *last = NULL;
    for (int t = 1; t < count && t < TERMINAL_TEXTS; t++) {
        if (!worth_naming(expected, t))
            continue;
        if (last)
            list = list ? arena_printf(cx->arena, "%s, %s", list, last) : last;
        last = terminal_texts[t];
    }
    if (!last)
        return "something else";
    return list ? arena_printf(cx->arena, "%s or %s", list, last) : last;
}

static const char *expected_text(parser *cx, const bool *expected, int count)
{
    if (starts_declaration(expected))
        return "a declaration";
    if (starts_item(expected))
        return expected[TOK_CASE] ? "a field, 'case', 'default' or '}'" : "a field or '}'";
    if (expected[TOK_RBRACE] && expected[TOK_SCALAR])
        return "a member or '}'";
    const char *what;
    if (starts_value(expected))
        what = cx->before == TOK_LBRACKET ? "a length" : "a value";
    else if (lists_members(cx, expected))
        what = cx->before == TOK_COMMA ? "a name or '}'" : "',' or '}'";
    else if (lists_lines(cx, expected))
        what = cx->before == TOK_COMMA ? "a string in double quotes or '}'" : "',' or '}'";
    else
        what = listed(cx, expected, count);
    return arena_printf(cx->arena, "%s%s", what, after_what(cx));
}

/* ---- advice */

static bool suggest_word(parser *cx, message *m, const char *wanted, const char *const *words)
{
    suggestion s = {.wanted = wanted};
    for (; *words; words++)
        suggest(&s, *words);
    if (s.best)
        diag_help(cx->diag, m, "did you mean '%s'?", s.best);
    return s.best != NULL;
}

static bool is_comparison(int terminal)
{
    return terminal == TOK_EQ || terminal == TOK_NE || terminal == TOK_LT || terminal == TOK_LE || terminal == TOK_GE ||
           terminal == TOK_AMP || terminal == TOK_ANDAND || terminal == TOK_OROR;
}

/* Tokens that can follow a declarator's name, but only in a fixed order. */
static bool is_tail(int terminal)
{
    return terminal == TOK_LBRACKET || terminal == TOK_AFTER || terminal == TOK_UNLESS || terminal == TOK_DELTA ||
           terminal == TOK_CODED || terminal == TOK_ASSIGN;
}

static void advise_modifier(parser *cx, message *m)
{
    if (cx->before == TOK_OPTIONAL || cx->before == TOK_SPARSE || cx->before == TOK_LOCAL)
        diag_help(cx->diag, m, "a field can have only one of 'optional', 'sparse' and 'local'");
}

/* Whether the word before a parenthesis is this one. */
static bool follows(span open, const char *word)
{
    const char *text = (const char *)open.source->text;
    size_t end = open.begin, size = strlen(word);
    while (end > 0 && text[end - 1] == ' ')
        end--;
    return end >= size && memcmp(text + end - size, word, size) == 0;
}

static void advise(parser *cx, message *m, const token *t, const bool *expected)
{
    diag *d = cx->diag;
    bool in_field = cx->field.text && cx->field_end == cx->last.span.end && expected[TOK_SEMI];
    if (starts_declaration(expected) && cx->found == TOK_ID && !suggest_word(cx, m, t->as.text, declaration_words))
        diag_help(d, m, "a declaration begins with protocol, import, const, enum, flags, struct, packet or union");
    else if (expected[TOK_ID] && cx->before == TOK_ID && cx->level_count > 0 && cx->declaration != TOK_UNION)
        (void)suggest_word(cx, m, cx->last.as.text, item_words);
    if (cx->before == TOK_LBRACKET)
        diag_help(d, m, "write [8] for exactly 8 elements, [<=8] for up to 8, [2..8] for 2 to 8");
    else if (cx->found == TOK_ASSIGN && expected[TOK_RPAREN])
        diag_help(d, m, "write '==' to compare");
    else if (cx->found == TOK_SEMI && (cx->before == TOK_RBRACE || cx->before == TOK_SEMI))
        diag_help(d, m, "remove the ';'");
    else if (is_comparison(cx->found) && expected[TOK_GT] && expected[TOK_COMMA])
        diag_help(d, m, "comparisons and logical operators need parentheses between '<' and '>'");
    else if (cx->before == TOK_ID && cx->found == TOK_INT && expected[TOK_AT])
        diag_help(d, m, "write the value of an attribute in parentheses, as in `@budget(1200)`");
    else if (cx->before == TOK_LPAREN && cx->found == TOK_STRING && follows(cx->last.span, "was"))
        diag_help(d, m, "'was' is a word and not an attribute: `was \"%s\"`", t->as.text);
    else if (cx->before == TOK_WAS && cx->found == TOK_ID)
        diag_help(d, m, "write the old name as a string: `was \"%s\"`", t->as.text);
    else if (cx->before == TOK_COMMA && cx->found == TOK_STRING && takes_name(cx, expected))
        diag_help(d, m, "each old name has its own 'was': `was \"first\" was \"second\"`");
    else if (cx->before == TOK_STRING && expected[TOK_WAS] && (cx->found == TOK_COLON || cx->found == TOK_AS))
        diag_help(d, m, "'was' comes after %s", cx->found == TOK_COLON ? "the width" : "`as ... from ...`");
    else if (only_declares(cx->found) && starts_item(expected))
        diag_help(d, m, "declarations cannot be nested; is a '}' missing above?");
    else if (cx->found == TOK_OPTIONAL || cx->found == TOK_SPARSE || cx->found == TOK_LOCAL)
        advise_modifier(cx, m);
    else if (cx->found == TOK_COLON && in_field)
        diag_help(d, m, "the width of a field is part of its type, as in `bits<5> %s;`", cx->field.text);
    else if (cx->found == TOK_SCALAR && starts_declaration(expected))
        diag_help(d, m, "fields belong between the braces of a struct or packet");
    else if (cx->before == TOK_CODED && cx->found == TOK_DELTA)
        diag_help(d, m, "a field is 'coded' or has steps, `delta<s, l>`: a model takes the place of the steps");
    else if (is_tail(cx->found) && in_field)
        diag_help(
            d, m,
            "the order after a field's name is: [length], 'after', 'unless', 'delta' or 'coded', '=', 'was' or '@'");
}

/* ---- habits of other languages */

static habit_place place_of(const parser *cx)
{
    if (cx->level_count == 0)
        return HABIT_FILE;
    if (cx->declaration == TOK_ENUM)
        return HABIT_MEMBERS;
    if (cx->declaration == TOK_FLAGS)
        return HABIT_FLAGS;
    return cx->declaration == TOK_UNION ? HABIT_UNION : HABIT_BODY;
}

/* Reports the error as a habit of another language if it is one that is known. */
static bool is_habit(parser *cx, const token *t)
{
    habit_found found;
    if (cx->habits++ >= HABITS_MOST)
        return false;
    if (!find_habit(cx->arena, t->span.source, cx->statement, t->span.begin, place_of(cx), &found) || !found.message)
        return false;
    message *m = diag_error(cx->diag, found.span, "%s", found.message);
    diag_help(cx->diag, m, "%s", found.advice);
    cx->quiet_until = found.end;
    return true;
}

void report_syntax_error(parser *cx, const token *t, const bool *expected, int terminal_count)
{
    /* The ; of `u8 x = {1};` belongs to what was skipped, up to its brace, because of the error before. */
    bool leftover = cx->recovered && cx->before == TOK_RBRACE && (cx->found == TOK_SEMI || cx->found == TOK_COMMA);
    if (cx->silent || t->faulty || leftover || t->span.begin < cx->quiet_until || is_habit(cx, t))
        return;
    message *m;
    bool after_end = cx->before == TOK_RBRACE || cx->before == TOK_SEMI;
    if (cx->found == TOK_SEMI && after_end && (starts_declaration(expected) || starts_item(expected)))
        m = diag_error(cx->diag, t->span, "unexpected ';' after '%s'", cx->before == TOK_SEMI ? ";" : "}");
    else if (cx->found == TOK_RBRACE && starts_declaration(expected))
        m = diag_error(cx->diag, t->span, "unexpected '}': no '{' is open here");
    else if (is_reserved(cx->found) && takes_name(cx, expected))
        m = diag_error(cx->diag, t->span, "'%s' is a reserved word and cannot name %s", t->as.text, thing_to_name(cx));
    else
        m = diag_error(cx->diag, t->span, "expected %s, found %s", expected_text(cx, expected, terminal_count),
                       token_text(cx, cx->found, t));
    advise(cx, m, t, expected);
}
