/* mutator.c - makes a small mistake in a C file, for tests to notice.
 * SPDX-License-Identifier: MIT
 *
 *     mutator FILE           lists the possible mistakes: number, line, before -> after
 *     mutator FILE NUMBER    prints the file with that mistake
 *
 * Operators become similar ones, integers become one more and one less, conditions of if and while are negated, and
 * statements that are expressions are removed. In a table of numbers only the first eight are changed. The file is read
 * as tokens and not parsed, so some mistakes do not compile. Bodies of macros count as code; other directives, comments
 * and strings are left alone. So are assertions, which always hold in code that is right.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum kind { WORD, NUMBER, OTHER } kind;

typedef struct token {
    kind kind;
    size_t at, size;
    unsigned line;
} token;

static char *text;
static size_t text_size;
static token *tokens;
static size_t token_count;

static unsigned long wanted, found; /* wanted: 0 to list all */

static _Noreturn void stop(const char *what)
{
    perror(what);
    exit(2);
}

static void read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        stop(path);
    text_size = (size_t)ftell(file);
    rewind(file);
    text = calloc(text_size + 1, 1);
    tokens = calloc(text_size + 1, sizeof *tokens);
    if (!text || !tokens || fread(text, 1, text_size, file) != text_size)
        stop(path);
    fclose(file);
}

/* ---- tokens */

static const char *const operators[] = {
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
    "&&",  "||",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##",
};

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The position after a comment or string that begins at i; i if there is none. */
static size_t behind_quiet(size_t i)
{
    if (text[i] == '/' && text[i + 1] == '*') {
        const char *end = strstr(text + i + 2, "*/");
        return end ? (size_t)(end - text) + 2 : text_size;
    }
    if (text[i] == '"' || text[i] == '\'') {
        const char quote = text[i++];
        while (i < text_size && text[i] != quote)
            i += text[i] == '\\' ? 2 : 1;
        return i + 1;
    }
    return i;
}

/* The position after a directive. For a #define, only up to the text of the macro, which is code. */
static size_t behind_directive(size_t i)
{
    size_t at = i + 1;
    while (text[at] == ' ')
        at++;
    if (strncmp(text + at, "define ", 7) == 0) {
        for (at += 7; is_name(text[at]); at++)
            continue;
        if (text[at] == '(')
            at += strcspn(text + at, ")") + 1;
        return at;
    }
    while (at < text_size && !(text[at] == '\n' && text[at - 1] != '\\'))
        at++;
    return at;
}

static size_t token_size(size_t i, kind *k)
{
    size_t n = 0;
    *k = isdigit((unsigned char)text[i]) ? NUMBER : is_name(text[i]) ? WORD : OTHER;
    if (*k != OTHER) {
        while (
            is_name(text[i + n]) || (*k == NUMBER && text[i + n] == '.') ||
            (*k == NUMBER && n > 0 && strchr("+-", text[i + n]) && strchr("eE", text[i + n - 1]) && text[i + 1] != 'x'))
            n++;
        return n;
    }
    for (size_t o = 0; o < sizeof operators / sizeof *operators; o++)
        if (strncmp(text + i, operators[o], strlen(operators[o])) == 0)
            return strlen(operators[o]);
    return 1;
}

static void find_tokens(void)
{
    unsigned line = 1;
    bool line_is_new = true;
    for (size_t i = 0; i < text_size;) {
        size_t next = behind_quiet(i);
        if (next == i && text[i] == '#' && line_is_new)
            next = behind_directive(i);
        if (next == i && (isspace((unsigned char)text[i]) || text[i] == '\\'))
            next = i + 1;
        if (next == i) {
            token *t = &tokens[token_count++];
            t->at = i;
            t->line = line;
            t->size = token_size(i, &t->kind);
            next = i + t->size;
            line_is_new = false;
        }
        for (; i < next && i < text_size; i++)
            if (text[i] == '\n') {
                line++;
                line_is_new = true;
            }
    }
}

static bool is(size_t i, const char *what)
{
    return i < token_count && tokens[i].size == strlen(what) && memcmp(text + tokens[i].at, what, tokens[i].size) == 0;
}

static bool is_one_of(size_t i, const char *const *list)
{
    for (; *list; list++)
        if (is(i, *list))
            return true;
    return false;
}

/* ---- changes */

/* Prints the beginning of a piece of code on one line: each sequence of spaces, line ends and backslashes is one
 * space. */
static void show(const char *piece, size_t size)
{
    enum { MOST = 60 };
    int shown = 0;
    for (size_t i = 0; i < size && shown < MOST; i++) {
        bool blank = isspace((unsigned char)piece[i]) || piece[i] == '\\';
        if (blank && i + 1 < size && (isspace((unsigned char)piece[i + 1]) || piece[i + 1] == '\\'))
            continue;
        putchar(blank ? ' ' : piece[i]);
        shown++;
    }
}

/* Replaces the bytes from `from` to `to` by `now`. */
static void change(size_t from, size_t to, const char *now, unsigned line)
{
    if (++found == wanted) {
        fwrite(text, 1, from, stdout);
        fputs(now, stdout);
        fwrite(text + to, 1, text_size - to, stdout);
    }
    if (wanted == 0) {
        printf("%lu %u ", found, line);
        show(text + from, to - from);
        fputs(" -> ", stdout);
        show(now, strlen(now));
        putchar('\n');
    }
}

static void change_operator(size_t i)
{
    static const char *const pairs[][2] = {
        {"==", "!="}, {"!=", "=="}, {"<", "<="},    {"<=", "<"},    {">", ">="},  {">=", ">"},  {"+", "-"},
        {"-", "+"},   {"*", "/"},   {"/", "*"},     {"%", "*"},     {"<<", ">>"}, {">>", "<<"}, {"&&", "||"},
        {"||", "&&"}, {"&", "|"},   {"|", "&"},     {"^", "|"},     {"+=", "-="}, {"-=", "+="}, {"|=", "&="},
        {"&=", "|="}, {"^=", "|="}, {"<<=", ">>="}, {">>=", "<<="}, {"++", "--"}, {"--", "++"},
    };
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
        if (is(i, pairs[p][0]))
            change(tokens[i].at, tokens[i].at + tokens[i].size, pairs[p][1], tokens[i].line);
}

/* Whether a number is so far into a list of numbers that it is a table, of which only the first entries are changed. */
static bool in_table(size_t i)
{
    for (int before = 0; before < 8; before++, i -= 2)
        if (i < 2 || !is(i - 1, ",") || tokens[i - 2].kind != NUMBER)
            return false;
    return true;
}

static void change_number(size_t i)
{
    char *end, now[64];
    const token *t = &tokens[i];
    const unsigned long long n = strtoull(text + t->at, &end, 0);
    const int suffix = (int)(text + t->at + t->size - end);
    if (strspn(end, "uUlL") < (size_t)suffix)
        return; /* a float */
    snprintf(now, sizeof now, "%llu%.*s", n + 1, suffix, end);
    change(t->at, t->at + t->size, now, t->line);
    if (n == 0)
        return;
    snprintf(now, sizeof now, "%llu%.*s", n - 1, suffix, end);
    change(t->at, t->at + t->size, now, t->line);
}

/* The token that closes the parenthesis at i. */
static size_t closing(size_t i)
{
    int depth = 0;
    for (; i < token_count; i++) {
        depth += is(i, "(") - is(i, ")");
        if (depth == 0)
            return i;
    }
    return i;
}

static void negate_condition(size_t i)
{
    const size_t open = i + 1, close = closing(open);
    if (!is(open, "(") || close == token_count)
        return;
    const size_t from = tokens[open].at, to = tokens[close].at + 1;
    char *now = calloc(to - from + 4, 1);
    if (!now)
        stop("mutator");
    snprintf(now, to - from + 4, "(!%.*s)", (int)(to - from), text + from);
    change(from, to, now, tokens[i].line);
    free(now);
}

/* Removes the statement at token i if it is an expression. */
static void remove_statement(size_t i)
{
    static const char *const before[] = {";", "{", "}", ")", ":", "else", NULL};
    static const char *const keywords[] = {
        "if",      "else",   "for",   "while",  "do",       "switch",   "case",    "default",  "return", "goto",
        "typedef", "static", "const", "extern", "struct",   "enum",     "union",   "unsigned", "int",    "float",
        "double",  "bool",   "void",  "char",   "uint64_t", "uint32_t", "uint8_t", "size_t",   NULL,
    };
    size_t end = i;
    if (i == 0 || !is_one_of(i - 1, before) || is_one_of(i, keywords) ||
        !(tokens[i].kind == WORD || is(i, "*") || is(i, "++")))
        return;
    if (tokens[i].kind == WORD && tokens[i + 1].kind == WORD)
        return; /* declarations */
    if (tokens[i].kind == WORD && is(i + 1, "*") && tokens[i + 2].kind == WORD && !is(i + 3, "("))
        return;
    while (end < token_count && !is(end, ";") && !is(end, "{") && !is(end, "}"))
        end++;
    if (is(end, ";") && closing(i) <= token_count)
        change(tokens[i].at, tokens[end].at, "", tokens[i].line);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: mutator FILE [NUMBER]\n", stderr);
        return 2;
    }
    wanted = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    read_file(argv[1]);
    find_tokens();
    for (size_t i = 0; i < token_count; i++) {
        if (is(i, "assert"))
            i = closing(i + 1);
        if (tokens[i].kind == NUMBER && !in_table(i))
            change_number(i);
        if (tokens[i].kind == OTHER)
            change_operator(i);
        if (is(i, "if") || is(i, "while"))
            negate_condition(i);
        remove_statement(i);
    }
    free(text);
    free(tokens);
    return wanted <= found ? 0 : 1;
}
