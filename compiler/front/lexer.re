/* lexer.re - splits a file into tokens. re2c generates lexer.c from it.
 * SPDX-License-Identifier: MIT
 *
 * The whole file is in memory with a zero after it; a zero inside the file is an ordinary byte. An error inside a token
 * is reported here and nowhere else: the parser gets a usable token, marked `faulty`, and reports nothing about it.
 */
#include "front/habits.h"
#include "front/parse_internal.h"

#include "grammar.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_OF_TOKEN = 40, FIRST_DOC = 128 };

void lexer_init(lexer *l, arena *a, names *n, diag *d, const source *s, word_list *type_words)
{
    *l = (lexer){.arena = a, .names = n, .diag = d, .source = s, .cursor = s->text};
    for (const char *word; (word = type_words(l->type_word_count)) != NULL; l->type_word_count++) {
        assert(l->type_word_count < TYPE_WORDS_MOST);
        l->type_words[l->type_word_count] = intern(n, word, strlen(word));
    }
    if (s->size >= 3 && memcmp(s->text, "\xef\xbb\xbf", 3) == 0)
        l->cursor += 3;
}

static const char *text_of(const token *t)
{
    return (const char *)t->span.source->text + t->span.begin;
}

static size_t size_of(const token *t)
{
    return t->span.end - t->span.begin;
}

/* A token's text for a message; a long one is cut. */
static const char *shown(lexer *l, const token *t)
{
    size_t size = size_of(t);
    return arena_printf(l->arena, "%.*s%s", (int)(size > SHOWN_OF_TOKEN ? SHOWN_OF_TOKEN : size), text_of(t),
                        size > SHOWN_OF_TOKEN ? "..." : "");
}

/* ---- doc comments */

/* Adds a line of a doc comment, given without its slashes. One space at its start and all blanks at its end are
 * dropped. */
static void add_doc(lexer *l, const char *line, size_t size)
{
    while (size && strchr(" \t\r", line[size - 1]))
        size--;
    if (size && *line == ' ')
        line++, size--;
    if (l->doc_size + size + 1 > l->doc_capacity) {
        char *old = l->doc;
        l->doc_capacity = 2 * (l->doc_size + size) + FIRST_DOC;
        l->doc = arena_alloc(l->arena, l->doc_capacity);
        if (l->doc_size)
            memcpy(l->doc, old, l->doc_size);
    }
    if (size)
        memcpy(l->doc + l->doc_size, line, size);
    l->doc_size += size;
    l->doc[l->doc_size++] = '\n';
}

/* The doc comment so far, or NULL. The terminating zero replaces the last newline. */
static const char *take_doc(lexer *l)
{
    const char *doc = l->doc_size ? l->doc : NULL;
    if (doc)
        l->doc[l->doc_size - 1] = '\0';
    l->doc = NULL;
    l->doc_size = l->doc_capacity = 0;
    return doc;
}

static void keep_comment(lexer *l, const unsigned char *start)
{
    if (!l->comments)
        return;
    const unsigned char *text = l->source->text;
    comment *kept = ARENA_NEW(l->arena, comment);
    kept->span = (span){l->source, (uint32_t)(start - text), (uint32_t)(l->cursor - text)};
    *l->comments = kept;
    l->comments = &kept->next;
}

/* ---- tokens with a value */

static int word(lexer *l, token *t, int terminal)
{
    t->as.text = intern(l->names, text_of(t), size_of(t));
    return terminal;
}

/* A reserved word of a type, or a name. */
static int take_name_token(lexer *l, token *t)
{
    word(l, t, TOK_ID);
    for (size_t i = 0; i < l->type_word_count; i++)
        if (l->type_words[i] == t->as.text)
            return TOK_SCALAR;
    return TOK_ID;
}

static int foreign_name(lexer *l, token *t)
{
    diag_error(l->diag, t->span,
               "'%s' is not a valid name: names consist of the letters a to z and A to Z, digits and _",
               shown(l, t));
    t->faulty = true;
    return word(l, t, TOK_ID);
}

static int take_integer(lexer *l, token *t, unsigned base)
{
    const char *digits = text_of(t), *end = digits + size_of(t);
    uint64_t value = 0;
    for (digits += base == 16 ? 2 : 0; digits < end; digits++) {
        unsigned digit = (unsigned)(*digits <= '9' ? *digits - '0' : (*digits | 0x20) - 'a' + 10);
        if (value > (UINT64_MAX - digit) / base) {
            diag_error(l->diag, t->span, "'%s' does not fit in 64 bits", shown(l, t));
            t->faulty = true;
            value = 0;
            break;
        }
        value = value * base + digit;
    }
    t->as.integer = value;
    return TOK_INT;
}

static int take_real(lexer *l, token *t)
{
    t->as.real = strtod(text_of(t), NULL);
    if (!isfinite(t->as.real)) {
        diag_error(l->diag, t->span, "'%s' is too large for a double", shown(l, t));
        t->faulty = true;
        t->as.real = 0;
    }
    return TOK_REAL;
}

static int malformed_number(lexer *l, token *t)
{
    message *m = diag_error(l->diag, t->span, "'%s' is not a valid number", shown(l, t));
    const char *own = own_number(l->arena, text_of(t), size_of(t));
    if (own)
        diag_fix(l->diag, m, (edit){t->span, own}, "write `%s`", own);
    else
        diag_help(l->diag, m,
                  "write numbers as 10, 0x1f, 1.5 or 2.0e-3; a real number has digits on both sides of its point");
    t->faulty = true;
    t->as.integer = 0;
    return TOK_INT;
}

static int string(lexer *l, token *t)
{
    const char *text = text_of(t) + 1;
    size_t size = size_of(t) - 2;
    if (memchr(text, 0, size)) {
        diag_error(l->diag, t->span, "a string cannot contain a zero byte");
        t->faulty = true;
    }
    t->as.text = intern(l->names, text, size);
    return TOK_STRING;
}

static int unclosed_string(lexer *l, token *t)
{
    /* A ; at the end of the line most likely ends the statement and is not part of the string. */
    if (text_of(t)[size_of(t) - 1] == ';')
        t->span.end--;
    l->cursor = l->source->text + t->span.end;
    diag_error(l->diag, t->span, "this string has no closing '\"' on its line");
    t->faulty = l->faulty = true;
    t->as.text = intern(l->names, text_of(t) + 1, size_of(t) - 1);
    return TOK_STRING;
}

/* 'a' and 'text': a character and a string in other languages. */
static int single_quoted(lexer *l, token *t)
{
    message *m = diag_error(l->diag, t->span, "unexpected single quote");
    const unsigned code = (unsigned char)text_of(t)[1];
    if (size_of(t) == 3)
        diag_fix(l->diag, m, (edit){t->span, arena_printf(l->arena, "%u", code)},
                 "there are no character constants; write the character's code, %u", code);
    else
        diag_fix(l->diag, m,
                 (edit){t->span, arena_printf(l->arena, "\"%.*s\"", (int)size_of(t) - 2, text_of(t) + 1)},
                 "write strings in double quotes");
    t->faulty = true;
    if (size_of(t) == 3) {
        t->as.integer = (unsigned char)text_of(t)[1];
        return TOK_INT;
    }
    t->as.text = intern(l->names, text_of(t) + 1, size_of(t) - 2);
    return TOK_STRING;
}

/* ---- bytes that are not a token */

static void stray(lexer *l, const token *t)
{
    size_t size = size_of(t);
    const char *text = text_of(t);
    if (memchr(text, 0, size))
        diag_error(l->diag, t->span, "unexpected zero byte");
    else
        diag_error(l->diag, t->span, "unexpected '%s'", shown(l, t));
    l->faulty = true;
}

/* A line that begins with #. */
static void directive(lexer *l, const token *t)
{
    habit_found found;
    if (find_habit(l->arena, t->span.source, t->span.begin, t->span.begin, HABIT_HASH, &found))
        help_with(l->diag, diag_error(l->diag, t->span, "%s", found.message), &found);
    else
        diag_error(l->diag, t->span, "unexpected '#'");
    l->faulty = true;
}

static void unclosed_comment(lexer *l, const token *t)
{
    diag_error(l->diag, t->span, "this comment has no closing '*/'");
    l->cursor = l->source->text + l->source->size;
    l->cut_short = true;
}

/* ---- the rules */

static void take_mark(const lexer *l, token *t, const unsigned char *start)
{
    const unsigned char *text = l->source->text;
    t->span = (span){l->source, (uint32_t)(start - text), (uint32_t)(l->cursor - text)};
}

static void begin_token(lexer *l, token *t, const unsigned char *start)
{
    take_mark(l, t, start);
    t->doc = take_doc(l);
    t->faulty = l->faulty;
    l->faulty = false;
}

#define TOKEN(terminal) do {        \
        begin_token(l, t, start);   \
        return terminal;            \
    } while (0)
#define COMMENT keep_comment(l, start)
#define HERE take_mark(l, t, start)
#define TEXT ((const char *)start)
#define SIZE ((size_t)(l->cursor - start))

int lex(lexer *l, token *t)
{
    const unsigned char *const limit = l->source->text + l->source->size;
    const unsigned char *marker;
    for (;;) {
        const unsigned char *start = l->cursor;
        /*!re2c
        re2c:define:YYCTYPE = "unsigned char";
        re2c:define:YYCURSOR = l->cursor;
        re2c:define:YYLIMIT = limit;
        re2c:define:YYMARKER = marker;
        re2c:yyfill:enable = 0;
        re2c:eof = 0;
        re2c:indent:top = 2;

        high      = [\x80-\xff];
        letter    = [A-Za-z_];
        digit     = [0-9];
        name      = letter (letter | digit)*;
        foreign   = (letter | high) (letter | digit | high)*;
        decimal   = digit+;
        hex       = "0" [xX] [0-9A-Fa-f]+;
        real      = digit+ "." digit+ ([eE] [+-]? digit+)?;
        wordchar  = letter | digit | high;
        malformed = digit wordchar* ([.'] wordchar+)* | "." digit wordchar* | digit+ ("." digit+)? [eE] [+-] wordchar+;
        quoted    = "'" [^'"\r\n]+ "'";

        [ \t\r\n\v\f]+                          { continue; }
        "///"                                   { COMMENT; add_doc(l, "", 0); continue; }
        "///" [^/\n] [^\n]*                     { COMMENT; add_doc(l, TEXT + 3, SIZE - 3); continue; }
        "//" [^\n]*                             { COMMENT; continue; }
        "/*" ([^*] | "*"+ [^*/])* "*"+ "/"      { COMMENT; continue; }
        "/*"                                    { HERE; unclosed_comment(l, t); COMMENT; continue; }

        "protocol"   { TOKEN(word(l, t, TOK_PROTOCOL)); }
        "import"     { TOKEN(word(l, t, TOK_IMPORT)); }
        "const"      { TOKEN(word(l, t, TOK_CONST)); }
        "enum"       { TOKEN(word(l, t, TOK_ENUM)); }
        "struct"     { TOKEN(word(l, t, TOK_STRUCT)); }
        "packet"     { TOKEN(word(l, t, TOK_PACKET)); }
        "union"      { TOKEN(word(l, t, TOK_UNION)); }
        "optional"   { TOKEN(word(l, t, TOK_OPTIONAL)); }
        "sparse"     { TOKEN(word(l, t, TOK_SPARSE)); }
        "local"      { TOKEN(word(l, t, TOK_LOCAL)); }
        "align"      { TOKEN(word(l, t, TOK_ALIGN)); }
        "reserved"   { TOKEN(word(l, t, TOK_RESERVED)); }
        "compact"    { TOKEN(word(l, t, TOK_COMPACT)); }
        "switch"     { TOKEN(word(l, t, TOK_SWITCH)); }
        "case"       { TOKEN(word(l, t, TOK_CASE)); }
        "default"    { TOKEN(word(l, t, TOK_DEFAULT)); }
        "if"         { TOKEN(word(l, t, TOK_IF)); }
        "else"       { TOKEN(word(l, t, TOK_ELSE)); }
        "true"       { TOKEN(word(l, t, TOK_TRUE)); }
        "false"      { TOKEN(word(l, t, TOK_FALSE)); }
        "flags"      { TOKEN(word(l, t, TOK_FLAGS)); }
        "coded"      { TOKEN(word(l, t, TOK_CODED)); }
        "still"      { TOKEN(word(l, t, TOK_STILL)); }
        "delta"      { TOKEN(word(l, t, TOK_DELTA)); }
        "check"      { TOKEN(word(l, t, TOK_CHECK)); }
        "after"      { TOKEN(word(l, t, TOK_AFTER)); }
        "by"         { TOKEN(word(l, t, TOK_BY)); }
        "unless"     { TOKEN(word(l, t, TOK_UNLESS)); }
        "wrap"       { TOKEN(word(l, t, TOK_WRAP)); }
        "clamp"      { TOKEN(word(l, t, TOK_CLAMP)); }
        "or"         { TOKEN(word(l, t, TOK_OR)); }
        "raw"        { TOKEN(word(l, t, TOK_RAW)); }
        "of"         { TOKEN(word(l, t, TOK_OF)); }
        "prefix"     { TOKEN(word(l, t, TOK_PREFIX)); }
        "as"         { TOKEN(word(l, t, TOK_AS)); }
        "from"       { TOKEN(word(l, t, TOK_FROM)); }
        "model"      { TOKEN(word(l, t, TOK_MODEL)); }
        "type"       { TOKEN(word(l, t, TOK_TYPE)); }
        "was"        { TOKEN(word(l, t, TOK_WAS)); }
        name         { TOKEN(take_name_token(l, t)); }
        foreign      { TOKEN(foreign_name(l, t)); }

        // In `1..5` the number ends before `..`; it is not the real `1.`.
        decimal / ".."     { TOKEN(take_integer(l, t, 10)); }
        hex / ".."         { TOKEN(take_integer(l, t, 16)); }
        real / ".."        { TOKEN(take_real(l, t)); }
        decimal            { TOKEN(take_integer(l, t, 10)); }
        hex                { TOKEN(take_integer(l, t, 16)); }
        real               { TOKEN(take_real(l, t)); }
        malformed / ".."   { TOKEN(malformed_number(l, t)); }
        malformed "."?     { TOKEN(malformed_number(l, t)); }

        ["] [^"\r\n]* ["]  { TOKEN(string(l, t)); }
        ["] [^"\r\n]*      { TOKEN(unclosed_string(l, t)); }
        quoted             { TOKEN(single_quoted(l, t)); }

        "{"   { TOKEN(TOK_LBRACE); }
        "}"   { TOKEN(TOK_RBRACE); }
        "("   { TOKEN(TOK_LPAREN); }
        ")"   { TOKEN(TOK_RPAREN); }
        "["   { TOKEN(TOK_LBRACKET); }
        "]"   { TOKEN(TOK_RBRACKET); }
        "<"   { TOKEN(TOK_LT); }
        "<="  { TOKEN(TOK_LE); }
        ">"   { TOKEN(TOK_GT); }
        ">="  { TOKEN(TOK_GE); }
        "="   { TOKEN(TOK_ASSIGN); }
        "=="  { TOKEN(TOK_EQ); }
        "!"   { TOKEN(TOK_NOT); }
        "!="  { TOKEN(TOK_NE); }
        "&"   { TOKEN(TOK_AMP); }
        "&&"  { TOKEN(TOK_ANDAND); }
        "||"  { TOKEN(TOK_OROR); }
        "+"   { TOKEN(TOK_PLUS); }
        "-"   { TOKEN(TOK_MINUS); }
        "*"   { TOKEN(TOK_STAR); }
        "/"   { TOKEN(TOK_SLASH); }
        "%"   { TOKEN(TOK_PERCENT); }
        "."   { TOKEN(TOK_DOT); }
        ".."  { TOKEN(TOK_DOTDOT); }
        ","   { TOKEN(TOK_COMMA); }
        ";"   { TOKEN(TOK_SEMI); }
        ":"   { TOKEN(TOK_COLON); }
        "@"   { TOKEN(TOK_AT); }
        $     { TOKEN(0); }

        // Operators of other languages, which the grammar has nowhere.
        [?|]  { TOKEN(TOK_FOREIGN); }

        "#" [^\n]*                  { HERE; directive(l, t); continue; }
        strange = [^] \ [ \t\r\n\v\fA-Za-z0-9_\x80-\xff{}()<>=!&+*/%.,;:@"#'?|-] \ "[" \ "]";
        strange+ | "'"              { HERE; stray(l, t); continue; }
        *                           { assert(false && "every byte is in a rule"); abort(); }
        */
    }
}
