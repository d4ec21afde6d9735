/* lexer.h - the tokens of a .pkt file, for the parser and for the formatter, which keeps the comments too.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_LEXER_H
#define PKTC_LEXER_H

#include "front/ast.h"
#include "base/diag.h"

typedef struct token {
    span span;
    const char *doc; /* the doc comment before it, or NULL */
    bool faulty;     /* the lexer has reported this token, or bytes right before it, so the parser must not */
    union {
        const char *text; /* ID, SCALAR and other words; STRING without its quotes. Interned */
        uint64_t integer;
        double real;
    } as;
} token;

typedef struct comment { /* with its slashes and stars, without the line's end */
    struct comment *next;
    span span;
} comment;

enum { TYPE_WORDS_MOST = 32 };

typedef struct lexer {
    arena *arena;
    names *names;
    diag *diag;
    const source *source;
    const unsigned char *cursor;
    comment **comments; /* where the next comment is linked; NULL, as lexer_init sets it: comments are dropped */
    char *doc;          /* the lines of the doc comment so far, without a terminating zero */
    size_t doc_size, doc_capacity;
    const char *type_words[TYPE_WORDS_MOST]; /* the reserved ones, interned */
    size_t type_word_count;
    bool faulty;    /* bytes since the last token were reported */
    bool cut_short; /* the rest of the file is an unclosed comment */
} lexer;

void lexer_init(lexer *l, arena *a, names *n, diag *d, const source *s, word_list *type_words);

/* Reads the next token into *t. Returns its TOK_ code (grammar.h), or 0 at the end of the file. */
int lex(lexer *l, token *t);

/* TOK_ID for a word that is also a name where the grammar does not expect the word itself; 0 for any other token. */
int grammarFallback(int terminal);

/* Whether a word can only start a declaration. */
bool only_declares(int terminal);

/* Braces and parentheses nest at most this deep in a file that parses. */
enum { NEST_DEEPEST = 200 };

#endif
