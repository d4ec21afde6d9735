/* parse_internal.h - shared by the parser, its grammar and the builders of the syntax tree.
 * SPDX-License-Identifier: MIT
 *
 * lexer.re makes tokens. parse.c feeds them to the parser that lemon generates from grammar.y. Each action of the
 * grammar is one call of a builder (ast.c). The semantic values are the small structs below; a list is its first and
 * its last node.
 */
#ifndef PKTC_PARSE_INTERNAL_H
#define PKTC_PARSE_INTERNAL_H

#include "front/lexer.h"

/* ---- the parser */

typedef struct level { /* an open brace or parenthesis */
    int opener;        /* TOK_LBRACE or TOK_LPAREN */
    span span;
    unsigned chain; /* the `else if`s so far of the current item at this level */
} level;

typedef struct parser {
    arena *arena;
    diag *diag;
    ast_file *file;
    ast_decl *last_decl;
    level levels[NEST_DEEPEST + 1]; /* levels[0] is the file */
    unsigned level_count;           /* of the open levels, without the file */
    unsigned depth;                 /* level_count plus the chains of all levels */
    unsigned operators;             /* unary operators in a row up to here */
    int declaration;                /* the word that started the current declaration: TOK_STRUCT ... */
    int found;                      /* the token being fed */
    int before;                     /* the token before it; 0 at the start */
    token last;                     /* the value of `before` */
    ast_name field;                 /* the name of the last declarator */
    uint32_t field_end;             /* the offset at which that declarator ends */
    uint32_t statement;             /* the offset at which the current statement begins: see begin_statement */
    int statement_word;             /* its first token */
    uint32_t quiet_until;           /* errors before this offset follow from one that was reported */
    unsigned habits;                /* searches for habits so far */
    bool silent;                    /* report nothing: it would follow from an error that was reported */
    bool recovered;                 /* the construct before this token was skipped */
    bool deep_reported;             /* a too deeply nested expression was reported */
    bool given_up;                  /* the rest of the file is not parsed */
} parser;

/* grammar.y: whether the parser would accept a terminal now. */
bool grammar_takes(const void *machine, int terminal);

/* syntax_error.c: reports a reserved word in the place of a name, and replaces it by a possible name, if the next token
 * could follow a name. */
bool name_instead(parser *cx, const void *machine, names *n, int terminal, token *t);

/* syntax_error.c: reports that the current token is not expected. expected[terminal]: the parser would accept that
 * terminal instead. */
void report_syntax_error(parser *cx, const token *t, const bool *expected, int terminal_count);

/* ---- semantic values of the grammar */

#define LIST(T)               \
    typedef struct T##_list { \
        T *first, *last;      \
    } T##_list
LIST(ast_path);
LIST(ast_expr);
LIST(ast_dim);
LIST(ast_declarator);
LIST(ast_mode);
LIST(ast_item);
LIST(ast_attribute);
LIST(ast_member);
#undef LIST

typedef struct binding { /* as "T" from "h" */
    ast_name type, header;
} binding;
typedef struct typed { /* a type and the doc comment before it */
    ast_type type;
    const char *doc;
} typed;
typedef struct tail { /* the end of a declarator: = value, delta<...>, delta(...), coded or nothing */
    span span;        /* source NULL: nothing */
    ast_expr *initial;
    bool has_delta, coded;
    span still; /* of the word behind coded; source NULL: none */
    ast_expr *delta;
    ast_baseline *baseline;
    ast_expr *chain;
    span delta_span;
} tail;
typedef struct choice { /* the members of a union */
    ast_member *first;
    span span; /* with the braces */
} choice;
typedef struct alternative { /* else */
    ast_item *other_if;
    ast_body other;
    bool has_else;
    span span; /* source NULL: no else */
} alternative;
typedef struct arms { /* of a switch */
    ast_label *first, *last;
    ast_item *last_item; /* of the last label; NULL: it has none yet */
} arms;

/* ---- builders: each makes one node. Lists leave out a node that is NULL, which could not be parsed. */

/* Adds the declaration to the file at once, so that it is kept even if the rest of the file cannot be parsed. */
void add_decl(parser *cx, ast_decl *decl);
ast_decl *build_protocol(parser *cx, token word, token name, ast_expr *version, ast_name prefix, token semi);
/* Also a model in a file of its own. */
ast_decl *build_import(parser *cx, ast_decl_kind kind, token word, token path, token semi);
ast_decl *build_model_lines(parser *cx, token word, ast_member_list lines, token brace);
ast_member *build_line(parser *cx, token text);
ast_decl *build_const(parser *cx, token word, token name, ast_expr *value, token semi);
ast_decl *build_alias(parser *cx, token word, token name, const typed *type, ast_beyond beyond, token semi);
/* Also flags, which have no width. */
ast_decl *build_enum(parser *cx, ast_decl_kind kind, token word, token name, const ast_type *width,
                     ast_attribute_list attributes, ast_member_list members, token brace);
/* Also a packet, which is bound to no type. */
ast_decl *build_struct(parser *cx, ast_decl_kind kind, token word, token name, binding bound,
                       ast_attribute_list attributes, ast_body body);
/* packet: the word before `union`, NULL if there is none. */
ast_decl *build_union(parser *cx, const token *packet, token word, token name, ast_attribute_list attributes,
                      choice members);

ast_attribute_list append_attribute(parser *cx, ast_attribute_list list, token at, token name, ast_expr *value,
                                    span end);
ast_member_list append_member(ast_member_list list, ast_member *member);
ast_attribute_list append_was(parser *cx, ast_attribute_list list, token word, token old);
ast_member *build_enumerator(parser *cx, token name, ast_expr *value, ast_attribute_list olds, ast_name other);
ast_member *build_member(parser *cx, token type, token name, ast_attribute_list olds, ast_name other, token semi);
choice build_choice(ast_member_list list, token open, token close);

ast_body build_body(ast_item_list items, token open, token close);
ast_item_list append_item(ast_item_list list, ast_item *item);
ast_item *build_field(parser *cx, const token *modifier, ast_modifier kind, ast_mode *modes, const typed *type,
                      ast_declarator_list declarators, token semi);
ast_item *build_foreign_field(parser *cx, token local, token c_type, ast_declarator_list declarators, token semi);
ast_item *build_simple_item(parser *cx, ast_item_kind kind, token word, token semi);
ast_item *build_const_item(parser *cx, token word, ast_expr *bits, ast_expr *value, token semi);
ast_item *build_check_value(parser *cx, token word, token value, token semi);
ast_item *build_if(parser *cx, token word, ast_expr *condition, ast_body then, alternative other);
ast_item *build_switch(parser *cx, token word, ast_expr *subject, arms labels, token close);
alternative build_else(token word, ast_body body);
alternative build_else_if(token word, ast_item *other_if);
ast_label *build_label(parser *cx, token word, ast_expr *values, token colon);
arms append_label(arms list, ast_label *label);
arms append_arm_item(arms list, ast_item *item);

typed build_type(token name, ast_expr *arguments, const token *close);
typed build_compact(token word, token name);
ast_mode_list append_mode(parser *cx, ast_mode_list list, token name);
ast_declarator_list append_declarator(ast_declarator_list list, ast_declarator *declarator);
ast_declarator *build_declarator(parser *cx, token name, ast_dim_list dims, ast_name by, ast_name after,
                                 ast_beyond beyond, span clamp, ast_expr *unless, tail end,
                                 ast_attribute_list attributes);
ast_dim_list append_dim(ast_dim_list list, ast_dim *dim, token open, token close);
ast_dim *build_dim(parser *cx, ast_dim_kind kind, ast_expr *low, ast_expr *high);
tail build_initial(ast_expr *value);
tail build_coded(token word, span still, ast_expr *initial);
tail build_delta(token word, ast_expr *arguments, token close, ast_expr *initial);
tail build_chain(token word, ast_expr *from, token close);
/* before: NULL if there is none. */
tail build_baseline(parser *cx, token word, ast_expr *number, ast_expr *base, ast_expr *before, ast_name start,
                    token close);
ast_name name_of(token t);

ast_expr_list append_expr(ast_expr_list list, ast_expr *expr);
ast_expr *build_int(parser *cx, token t);
ast_expr *build_real(parser *cx, token t);
ast_expr *build_bool(parser *cx, token t, bool value);
ast_expr *build_path(parser *cx, ast_path_list path);
ast_expr *build_ones(parser *cx, token word, ast_path_list path, token close);
ast_path_list append_path(parser *cx, ast_path_list list, token name);
ast_expr *build_parenthesized(token open, ast_expr *inner, token close);
ast_expr *build_unary(parser *cx, operator_kind operator, token op, ast_expr *operand);
ast_expr *build_binary(parser *cx, operator_kind operator, ast_expr * left, ast_expr *right);

/* ---- what lemon generates from grammar.y */

void *grammarAlloc(void *(*allocate)(size_t), parser *cx);
void grammarInit(void *raw, parser *cx);
void grammarFinalize(void *p);
void grammarFree(void *p, void (*release)(void *));
void grammarTrace(FILE *to, char *prompt);
void grammar(void *p, int terminal, token value);

#endif
