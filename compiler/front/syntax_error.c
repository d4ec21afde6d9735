/* syntax_error.c - says in words what the parser found and what it expected.
 * SPDX-License-Identifier: MIT
 *
 * The parser tells the terminals that it would have accepted. In most states these are one or two; if they form a class
 * (a declaration, a field, a value), the class is named instead. Common mistakes get a message or a help of their own.
 */
#include "base/out.h"
#include "front/habits.h"
#include "front/parse_internal.h"

#include "grammar.h"

#include <string.h>

enum { SHOWN = 40 };

/* After this many errors, the search for habits stops, to bound the time. */
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
    [TOK_TYPE] = "'type'",
    [TOK_ENUM] = "'enum'",
    [TOK_FLAGS] = "'flags'",
    [TOK_STRUCT] = "'struct'",
    [TOK_PACKET] = "'packet'",
    [TOK_UNION] = "'union'",
    [TOK_AFTER] = "'after'",
    [TOK_AS] = "'as'",
    [TOK_BY] = "'by'",
    [TOK_CHECK] = "'check'",
    [TOK_CODED] = "'coded'",
    [TOK_DELTA] = "'delta'",
    [TOK_FROM] = "'from'",
    [TOK_OF] = "'of'",
    [TOK_OR] = "'or'",
    [TOK_PREFIX] = "'prefix'",
    [TOK_RAW] = "'raw'",
    [TOK_STILL] = "'still'",
    [TOK_UNLESS] = "'unless'",
    [TOK_WRAP] = "'wrap'",
    [TOK_CLAMP] = "'clamp'",
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

static const char *const words_of_declarations[] = {"protocol", "import", "model",  "const", "type", "enum",
                                                    "flags",    "struct", "packet", "union", NULL};
static const char *const words_of_items[] = {"optional", "sparse",  "local", "align",  "const", "reserved",
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
    static const unsigned char words[] = {TOK_PROTOCOL, TOK_IMPORT,   TOK_CONST,  TOK_ENUM,    TOK_STRUCT, TOK_PACKET,
                                          TOK_UNION,    TOK_OPTIONAL, TOK_SPARSE, TOK_LOCAL,   TOK_ALIGN,  TOK_RESERVED,
                                          TOK_COMPACT,  TOK_SWITCH,   TOK_CASE,   TOK_DEFAULT, TOK_IF,     TOK_ELSE,
                                          TOK_TRUE,     TOK_FALSE,    TOK_SCALAR};
    return memchr(words, terminal, sizeof words) != NULL;
}

/* What kind of thing is named here. */
static const char *thing_to_name(const parser *cx)
{
    switch (cx->before) {
    case TOK_PROTOCOL: return "a protocol";
    case TOK_CONST: return "a constant";
    case TOK_TYPE: return "a type";
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

/* Whether the parser is in the members of an enum or flags. There it expects only '}': before it looked at this token,
 * it has already decided whether there was an optional comma. */
static bool lists_members(const parser *cx, const bool *expected)
{
    return expected[TOK_RBRACE] && cx->level_count == 1 &&
           (cx->declaration == TOK_ENUM || cx->declaration == TOK_FLAGS);
}

/* The same for the lines of a model. A model has at least one line. */
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

static bool suggest_word(parser *cx, message *m, const token *wanted, const char *const *words)
{
    suggestion s = {.wanted = wanted->as.text};
    for (; *words; words++)
        suggest(&s, *words);
    return diag_suggest(cx->diag, m, wanted->span, &s);
}

/* Whether the word before a parenthesis is this one. */
static bool comes_after_word(span open, const char *word)
{
    const char *text = (const char *)open.source->text;
    size_t end = open.begin, size = strlen(word);
    while (end > 0 && text[end - 1] == ' ')
        end--;
    return end >= size && memcmp(text + end - size, word, size) == 0;
}

static bool after_was(const parser *cx, const bool *expected)
{
    (void)expected;
    return comes_after_word(cx->last.span, "was");
}

/* Whether a field's name, or one of its modifiers, was complete before this token. */
static bool after_field(const parser *cx, const bool *expected)
{
    return cx->field.text && cx->field_end == cx->last.span.end && expected[TOK_SEMI];
}

/* The same, and the field ends after this token: it may be the key of a list without its 'by'. */
static bool ends_field(const parser *cx, const bool *expected)
{
    const char *next = (const char *)cx->last.span.source->text + cx->last.span.end;
    next += strspn(next, " \t");
    next += strcspn(next, " \t\r\n;,@");
    next += strspn(next, " \t");
    return *next && strchr(";,@", *next) && after_field(cx, expected);
}

static bool names_type(const parser *cx, const bool *expected)
{
    (void)expected;
    return cx->level_count == 0 && cx->declaration == TOK_TYPE;
}

/* Whether the type in a `type NAME = ...` was complete before this token. */
static bool after_type(const parser *cx, const bool *expected)
{
    return names_type(cx, expected) && expected[TOK_SEMI];
}

static const char order_advice[] =
    "the order after a field's name is: [length], 'by', 'after', 'wrap' or 'or raw', 'clamp', 'unless', 'delta' or 'coded', '=', 'was' or '@'";

static const char both_advice[] = "a number has 'wrap' or 'or raw', not both";

/* A row fits if the token before is in `before`, the found token is in `found`, the parser would have accepted all of
 * `expected`, and `where` is true. Columns without a value fit anything. The first row that fits is printed. */
enum { MOST_TERMINALS = 9 };
static const struct syntax_advice {
    unsigned char before[MOST_TERMINALS], found[MOST_TERMINALS], expected[MOST_TERMINALS];
    bool (*where)(const parser *cx, const bool *expected);
    /* In both, $found is the token that was found, a name, a string or an integer, and $field the name of the field. */
    const char *text;
    const char *instead; /* replaces that token; NULL: only the author can do what the text says */
} advices[] = {
    {.before = {TOK_LBRACKET}, .text = "write [8] for exactly 8 elements, [<=8] for up to 8, [2..8] for 2 to 8"},
    {.found = {TOK_ASSIGN}, .expected = {TOK_RPAREN}, .text = "write '==' to compare", .instead = "=="},
    {.before = {TOK_RBRACE, TOK_SEMI}, .found = {TOK_SEMI}, .text = "remove the ';'", .instead = ""},
    {.found = {TOK_EQ, TOK_NE, TOK_LT, TOK_LE, TOK_GE, TOK_AMP, TOK_ANDAND, TOK_OROR},
     .expected = {TOK_GT, TOK_COMMA},
     .text = "comparisons and logical operators need parentheses between '<' and '>'"},
    {.before = {TOK_ID},
     .found = {TOK_INT},
     .expected = {TOK_AT},
     .text = "write the value of an attribute in parentheses: `($found)`",
     .instead = "($found)"},
    {.before = {TOK_LPAREN},
     .found = {TOK_STRING},
     .where = after_was,
     .text = "'was' is a word and not an attribute: `was \"$found\"`"},
    {.before = {TOK_WAS},
     .found = {TOK_ID},
     .text = "write the old name as a string: `was \"$found\"`",
     .instead = "\"$found\""},
    {.before = {TOK_COMMA},
     .found = {TOK_STRING},
     .where = takes_name,
     .text = "each old name has its own 'was': `was \"first\" was \"second\"`"},
    {.before = {TOK_STRING}, .found = {TOK_COLON}, .expected = {TOK_WAS}, .text = "'was' comes after the width"},
    {.before = {TOK_STRING}, .found = {TOK_AS}, .expected = {TOK_WAS}, .text = "'was' comes after `as ... from ...`"},
    {.found = {TOK_PROTOCOL, TOK_IMPORT, TOK_ENUM, TOK_STRUCT, TOK_PACKET, TOK_UNION},
     .expected = {TOK_ALIGN},
     .text = "declarations cannot be nested; is a '}' missing above?"},
    {.before = {TOK_OPTIONAL, TOK_SPARSE, TOK_LOCAL},
     .found = {TOK_OPTIONAL, TOK_SPARSE, TOK_LOCAL},
     .text = "a field can have only one of 'optional', 'sparse' and 'local'"},
    {.found = {TOK_COLON},
     .where = after_field,
     .text = "the width of a field is part of its type, as in `bits<5> $field;`"},
    {.found = {TOK_SCALAR},
     .expected = {TOK_PROTOCOL, TOK_STRUCT},
     .text = "fields belong between the braces of a struct or packet"},
    {.before = {TOK_RBRACKET},
     .found = {TOK_ID},
     .where = ends_field,
     .text = "write `by $found` if '$found' is the key of a list",
     .instead = "by $found"},
    {.before = {TOK_ELSE},
     .found = {TOK_RPAREN},
     .text = "after 'else' comes 'start': the program sets the start value"},
    {.before = {TOK_BY}, .text = "after 'by' comes the name of the key, a field of the elements"},
    {.found = {TOK_STILL}, .where = after_field, .text = "'still' comes right after 'coded'"},
    {.before = {TOK_CODED},
     .found = {TOK_DELTA},
     .text = "a field is 'coded' or has steps, `delta<s, l>`: a model takes the place of the steps"},
    {.before = {TOK_ID},
     .found = {TOK_SCALAR, TOK_ID},
     .expected = {TOK_ASSIGN},
     .where = names_type,
     .text = "write `= $found`",
     .instead = "= $found"},
    {.found = {TOK_LBRACKET, TOK_BY, TOK_AFTER, TOK_CLAMP, TOK_UNLESS, TOK_DELTA, TOK_CODED, TOK_ASSIGN, TOK_AT},
     .where = after_type,
     .text = "a 'type' has a range, and can have 'wrap' or 'or raw'; everything else is said of each field"},
    {.before = {TOK_WRAP}, .found = {TOK_OR}, .text = both_advice},
    {.before = {TOK_RAW}, .found = {TOK_WRAP}, .text = both_advice},
    {.found = {TOK_LBRACKET, TOK_BY, TOK_AFTER, TOK_WRAP, TOK_OR, TOK_UNLESS, TOK_DELTA, TOK_CODED, TOK_ASSIGN},
     .where = after_field,
     .text = order_advice},
};

static bool is_one_of_terminals(const unsigned char *terminals, int terminal)
{
    if (terminals[0] == 0)
        return true;
    for (int i = 0; i < MOST_TERMINALS && terminals[i] != 0; i++)
        if (terminals[i] == terminal)
            return true;
    return false;
}

static bool all_expected(const unsigned char *terminals, const bool *expected)
{
    for (int i = 0; i < MOST_TERMINALS && terminals[i] != 0; i++)
        if (!expected[terminals[i]])
            return false;
    return true;
}

static const struct syntax_advice *advice_here(const parser *cx, const bool *expected)
{
    for (const struct syntax_advice *row = advices; row < advices + sizeof advices / sizeof *advices; row++)
        if (is_one_of_terminals(row->before, cx->before) && is_one_of_terminals(row->found, cx->found) &&
            all_expected(row->expected, expected) && (!row->where || row->where(cx, expected)))
            return row;
    return NULL;
}

static const char *with_names(const parser *cx, const char *template, const token *found)
{
    out *o = out_new(cx->arena);
    size_t size;
    const char *text = cx->found == TOK_INT ? span_text(cx->arena, found->span) : found->as.text;
    out_put(o, template, "found", text, "field", cx->field.text, NULL);
    return out_result(o, &size);
}

static void advise_on_syntax(parser *cx, message *m, const token *t, const bool *expected)
{
    if (starts_declaration(expected) && cx->found == TOK_ID && !suggest_word(cx, m, t, words_of_declarations))
        diag_help(cx->diag, m,
                  "a declaration begins with protocol, import, const, type, enum, flags, struct, packet or union");
    else if (expected[TOK_ID] && cx->before == TOK_ID && cx->level_count > 0 && cx->declaration != TOK_UNION)
        (void)suggest_word(cx, m, &cx->last, words_of_items);
    const struct syntax_advice *row = advice_here(cx, expected);
    if (!row)
        return;
    /* Within an enum, the last field may be one before it. */
    const edit ordered = row->text == order_advice && cx->field.span.begin >= cx->statement
                             ? line_in_order(cx->arena, t->span.source, cx->statement, cx->field.span.end)
                             : (edit){.text = NULL};
    if (ordered.text) {
        diag_fix(cx->diag, m, ordered, "write `%s`", ordered.text);
        return;
    }
    diag_fix(cx->diag, m, (edit){t->span, row->instead ? with_names(cx, row->instead, t) : NULL}, "%s",
             with_names(cx, row->text, t));
}

/* ---- habits of other languages */

static habit_place habit_place_of(const parser *cx)
{
    if (cx->level_count == 0)
        return HABIT_FILE;
    if (cx->declaration == TOK_ENUM)
        return HABIT_MEMBERS;
    if (cx->declaration == TOK_FLAGS)
        return HABIT_FLAGS;
    return cx->declaration == TOK_UNION ? HABIT_UNION : HABIT_BODY;
}

/* Reports the error as a habit of another language if habits.h knows it. */
static bool reported_as_habit(parser *cx, const token *t)
{
    habit_found found;
    if (cx->habits++ >= HABITS_MOST)
        return false;
    if (!find_habit(cx->arena, t->span.source, cx->statement, t->span.begin, habit_place_of(cx), &found) ||
        !found.message)
        return false;
    message *m = diag_error(cx->diag, found.span, "%s", found.message);
    help_with(cx->diag, m, &found);
    cx->quiet_until = found.end;
    return true;
}

/* ---- reserved words as names */

/* Whether a name could end before this text: a field, or a member of an enum, flags or a union. */
static bool ends_name(const char *text)
{
    static const char *const words[] = {"by", "after", "wrap", "or", "clamp", "unless", "delta", "coded", "was"};
    text += strspn(text, " \t");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(text, words[i], strlen(words[i])) == 0 && strchr(" \t<", text[strlen(words[i])]))
            return true;
    return *text != '\0' && strchr(";[=,@}", *text) && text[1] != '=';
}

bool name_instead(parser *cx, const void *machine, names *n, int terminal, token *t)
{
    const bool is_member =
        cx->level_count > 0 && cx->before != TOK_AT && cx->before != TOK_LT && cx->before != TOK_PREFIX;
    if (!is_member || cx->silent || t->faulty || t->span.begin < cx->quiet_until || !is_reserved(terminal) ||
        !ends_name((const char *)t->span.source->text + t->span.end) || grammar_takes(machine, terminal) ||
        grammar_takes(machine, TOK_INT) || !grammar_takes(machine, TOK_ID))
        return false;
    habit_found found;
    if (cx->habits++ >= HABITS_MOST ||
        (find_habit(cx->arena, t->span.source, cx->statement, t->span.begin, habit_place_of(cx), &found) &&
         found.message))
        return false;
    const char *name = arena_printf(cx->arena, "%s_value", t->as.text);
    message *m =
        diag_error(cx->diag, t->span, "'%s' is a reserved word and cannot name %s", t->as.text, thing_to_name(cx));
    const bool is_listed = cx->level_count == 1 && (cx->declaration == TOK_ENUM || cx->declaration == TOK_FLAGS);
    const char *line = is_listed ? NULL : line_with(cx->arena, cx->statement, t->span, name);
    diag_fix(cx->diag, m, (edit){t->span, name}, "write `%s`", line ? line : name);
    diag_mended(cx->diag, m);
    t->as.text = intern(n, name, strlen(name));
    return true;
}

void report_syntax_error(parser *cx, const token *t, const bool *expected, int terminal_count)
{
    /* In `u8 x = {1};` the error before this one has skipped all up to the }, so the ; is left over. */
    bool leftover = cx->recovered && cx->before == TOK_RBRACE && (cx->found == TOK_SEMI || cx->found == TOK_COMMA);
    if (cx->silent || t->faulty || leftover || t->span.begin < cx->quiet_until || reported_as_habit(cx, t))
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
    advise_on_syntax(cx, m, t, expected);
}
