/* parse_internal.h - what the lexer, the grammar and the builders of the tree share; nobody else includes it.
 * SPDX-License-Identifier: MIT
 *
 * lexer.re makes tokens, parse.c feeds them to the parser that lemon makes of grammar.y, whose actions are each one call
 * of a builder (ast.c). Semantic values are the small structs below; a list is its first and last node.
 */
#ifndef PKTC_PARSE_INTERNAL_H
#define PKTC_PARSE_INTERNAL_H

#include "front/lexer.h"

/* ---- the parser */

typedef struct level { /* an open brace or parenthesis */
    int opener;        /* TOK_LBRACE or TOK_LPAREN */
    span span;
    unsigned chain; /* how many `else if` the item at hand has had at this level */
} level;

typedef struct parser {
    arena *arena;
    diag *diag;
    ast_file *file;
    ast_decl *last_decl;
    level levels[NEST_DEEPEST + 1]; /* levels[0] is the file */
    unsigned level_count;           /* of the open ones, the file not counted */
    unsigned depth;                 /* level_count and the chains of all levels */
    unsigned operators;             /* unary ones in a row up to here */
    int declaration;                /* the word that started the declaration at hand: TOK_STRUCT ... */
    int found, before;              /* the token being fed, and the one before it: 0 at the start */
    token last;                     /* the latter's value */
    ast_name field;                 /* the last declarator's name, and where the declarator ends */
    uint32_t field_end;
    bool silent;        /* what follows is a consequence of an error that was reported */
    bool recovered;     /* the construct before this token was skipped */
    bool deep_reported; /* an expression that nests too deeply was */
    bool given_up;      /* the rest of the file is not parsed */
} parser;

/* Words that can do nothing but start a declaration. */
bool only_declares(int terminal);

/* syntax_error.c: reports the token being fed. expected: by terminal, whether the parser could go on with it. */
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

typedef struct binding {
    ast_name type, header;
} binding; /* as "T" from "h" */
typedef struct typed {
    ast_type type;
    const char *doc;
} typed;              /* a type and the doc comment before it */
typedef struct tail { /* what ends a declarator */
    span span;        /* source NULL where there is nothing */
    ast_expr *initial;
    bool has_delta;
    ast_expr *delta;
    span delta_span;
} tail;
typedef struct choice {
    ast_member *first;
    span span;
} choice;                    /* the members of a union; span: braces included */
typedef struct alternative { /* else */
    ast_item *other_if;
    ast_body other;
    bool has_else;
    span span; /* source NULL where there is none */
} alternative;
typedef struct arms {
    ast_label *first, *last;
    ast_item *last_item;
} arms;

/* ---- builders: each makes one node. Lists take NULL for what could not be parsed. */

/* Straight into the file, which so has them even where it ends too early. */
void add_decl(parser *cx, ast_decl *decl);
ast_decl *build_protocol(parser *cx, token word, token name, ast_expr *version, ast_name prefix, token semi);
ast_decl *build_import(parser *cx, token word, token path, token semi);
ast_decl *build_const(parser *cx, token word, token name, ast_expr *value, token semi);
ast_decl *build_enum(parser *cx, token word, token name, const ast_type *width, ast_attribute_list attributes,
                     ast_member_list members, token brace);
ast_decl *build_flags(parser *cx, token word, token name, ast_attribute_list attributes, ast_member_list members,
                      token brace);
ast_decl *build_struct(parser *cx, token word, token name, binding bound, ast_attribute_list attributes, ast_body body);
ast_decl *build_packet(parser *cx, token word, token name, ast_attribute_list attributes, ast_body body);
/* packet is NULL for a union that is none. */
ast_decl *build_union(parser *cx, const token *packet, token word, token name, ast_attribute_list attributes,
                      choice members);

ast_attribute_list append_attribute(parser *cx, ast_attribute_list list, token at, token name, ast_expr *value,
                                    span end);
ast_member_list append_member(ast_member_list list, ast_member *member);
ast_member *build_enumerator(parser *cx, token name, ast_expr *value);
ast_member *build_member(parser *cx, token type, token name, token semi);
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
ast_declarator *build_declarator(parser *cx, token name, ast_dim_list dims, ast_name after, ast_expr *unless, tail end);
ast_dim_list append_dim(ast_dim_list list, ast_dim *dim, token open, token close);
ast_dim *build_dim(parser *cx, ast_dim_kind kind, ast_expr *low, ast_expr *high);
tail build_initial(ast_expr *value);
tail build_delta(token word, ast_expr *arguments, token close, ast_expr *initial);
ast_name name_of(token t);

ast_expr_list append_expr(ast_expr_list list, ast_expr *expr);
ast_expr *build_int(parser *cx, token t);
ast_expr *build_real(parser *cx, token t);
ast_expr *build_bool(parser *cx, token t, bool value);
ast_expr *build_path(parser *cx, ast_path_list path);
ast_path_list append_path(parser *cx, ast_path_list list, token name);
ast_expr *build_parenthesized(token open, ast_expr *inner, token close);
ast_expr *build_unary(parser *cx, ast_expr_kind kind, token op, ast_expr *operand);
ast_expr *build_binary(parser *cx, ast_expr_kind kind, ast_expr *left, ast_expr *right);

/* ---- what lemon makes of grammar.y */

void *grammarAlloc(void *(*allocate)(size_t), parser *cx);
void grammarInit(void *raw, parser *cx);
void grammarFinalize(void *p);
void grammarFree(void *p, void (*release)(void *));
void grammarTrace(FILE *to, char *prompt);
void grammar(void *p, int terminal, token value);

#endif
