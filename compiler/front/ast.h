/* ast.h - a .pkt file as it was written: no name is resolved, no constant evaluated, no width known yet.
 * SPDX-License-Identifier: MIT
 *
 * Lists are linked by `next` in source order. Names are interned. Every node has its span. The tree of a file with
 * syntax errors is still well-formed; the parts that could not be parsed are missing from it.
 */
#ifndef PKTC_AST_H
#define PKTC_AST_H

#include "base/num.h"
#include "base/source.h"

typedef struct ast_name {
    const char *text; /* interned */
    span span;
} ast_name;

/* ---- expressions */

typedef enum ast_expr_kind {
    AST_INT,
    AST_REAL,
    AST_BOOL,
    AST_PATH,
    AST_ONES, /* bits(a.b): the number of set bits in a field */
    AST_OPERATOR
} ast_expr_kind;

typedef struct ast_path { /* a.b.c */
    struct ast_path *next;
    ast_name name;
} ast_path;

enum { AST_DEEPEST = 1000 };

typedef struct ast_expr {
    struct ast_expr *next; /* in a list of arguments or case values */
    ast_expr_kind kind;
    operator_kind operator; /* of an AST_OPERATOR */
    span span;
    bool parenthesized;
    uint16_t depth; /* nested operators: 0 for a literal or path; at most AST_DEEPEST, so recursion is safe */
    union {
        uint64_t integer; /* AST_INT; a literal is never negative, and the lexer refuses one over 64 bits */
        double real;
        bool boolean;
        ast_path *path; /* AST_PATH, AST_ONES */
        struct {
            struct ast_expr *left, *right; /* unary ! and -: right is NULL */
        } sides;
    } as;
} ast_expr;

/* ---- types and fields */

typedef struct ast_type {
    ast_name name; /* u8, int, Vec3, check, ... */
    bool compact;
    bool has_arguments;
    ast_expr *arguments;
    span span;
} ast_type;

typedef enum ast_dim_kind { AST_DIM_FIXED, AST_DIM_UPTO, AST_DIM_UPTO_OF, AST_DIM_RANGE } ast_dim_kind;

typedef struct ast_dim { /* [N]  [<=N]  [<=C of N]  [A..N]; an N with fields is a computed count */
    struct ast_dim *next;
    ast_dim_kind kind;
    span span;      /* brackets included */
    ast_expr *low;  /* UPTO_OF: C; RANGE: A; else NULL */
    ast_expr *high; /* N */
} ast_dim;

typedef struct ast_baseline { /* delta(NUMBER from BASE after BEFORE else START) */
    ast_expr *number;
    ast_expr *base;
    ast_expr *before; /* or NULL */
    ast_name start;   /* text NULL: none */
} ast_baseline;

/* What is said of the values beyond a range or between its steps. */
typedef struct ast_beyond {
    span wrap; /* of the word; source NULL: the number does not wrap */
    span raw;  /* of both words of `or raw`; source NULL: without */
} ast_beyond;

typedef struct ast_declarator {
    struct ast_declarator *next;
    ast_name name;
    ast_dim *dims;
    ast_name by;    /* the key of the elements of a list; text NULL: it is no list */
    ast_name after; /* text NULL: none */
    ast_beyond beyond;
    span clamp; /* of the word; source NULL: a writer refuses a number that is out of range */
    ast_expr *unless;
    ast_expr *initial;
    bool has_delta;
    ast_expr *delta; /* the arguments of delta<...> */
    bool coded;
    span still;             /* of the word behind coded; source NULL: the number moves */
    ast_baseline *baseline; /* or NULL */
    ast_expr *chain;        /* PREVIOUS of delta(PREVIOUS); or NULL */
    span delta_span;        /* of delta<...>, delta(...) or coded */
    struct ast_attribute *attributes;
    span span;
} ast_declarator;

typedef enum ast_modifier { AST_PLAIN, AST_OPTIONAL, AST_SPARSE, AST_LOCAL } ast_modifier;

typedef struct ast_mode { /* relative, keep, ... in sparse<...> */
    struct ast_mode *next;
    ast_name name;
} ast_mode;

typedef struct ast_field {
    ast_modifier modifier;
    span modifier_span;
    ast_mode *modes;    /* AST_SPARSE */
    ast_type type;      /* of AST_LOCAL with a string: type.name.text is NULL */
    const char *c_type; /* local "void *" user; interned, without the quotes */
    span c_type_span;
    ast_declarator *declarators;
} ast_field;

/* ---- items of a body */

typedef enum ast_item_kind {
    AST_FIELD,
    AST_ALIGN,
    AST_CONST,
    AST_RESERVED,
    AST_CHECK,
    AST_IF,
    AST_SWITCH
} ast_item_kind;

typedef struct ast_body {
    struct ast_item *items;
    span span; /* braces included */
} ast_body;

typedef struct ast_label { /* a label of a switch, and the items up to the next label */
    struct ast_label *next;
    bool is_default;
    ast_expr *values;
    struct ast_item *items;
    span span; /* of the label alone */
} ast_label;

typedef struct ast_item {
    struct ast_item *next;
    ast_item_kind kind;
    span span;
    const char *doc; /* its doc comment, or NULL: lines joined by '\n', each without its slashes and one space */
    union {
        ast_field field;
        struct {
            ast_expr *bits, *value;
        } constant; /* AST_CONST; AST_RESERVED: bits alone */
        struct {
            bool has_value;
            uint64_t value;
            span value_span;
        } check;
        struct {
            ast_expr *condition;
            ast_body then;
            bool has_else;
            struct ast_item *other_if; /* else if (...), or NULL */
            ast_body other;            /* else { } */
        } branch;
        struct {
            ast_expr *subject;
            ast_label *labels;
        } choice;
    } as;
} ast_item;

/* ---- declarations */

typedef enum ast_decl_kind {
    AST_DECL_PROTOCOL,
    AST_DECL_IMPORT,
    AST_DECL_MODEL,
    AST_DECL_CONST,
    AST_DECL_ALIAS,
    AST_DECL_ENUM,
    AST_DECL_FLAGS,
    AST_DECL_STRUCT,
    AST_DECL_PACKET,
    AST_DECL_UNION,
    AST_DECL_PACKET_UNION
} ast_decl_kind;

typedef struct ast_attribute { /* @name, @name(value) or was "name" */
    struct ast_attribute *next;
    bool was;
    ast_name name; /* of `was` with the quotes in its span, but not in its text */
    ast_expr *value;
    span span; /* from the @ or the word on */
} ast_attribute;

typedef struct ast_member { /* of an enum (value or NULL), of flags, of a union (type set), a line of a model */
    struct ast_member *next;
    ast_name name;
    ast_name type;
    ast_expr *value;
    ast_attribute *olds; /* was "name" */
    ast_name other;      /* else name; text NULL: none */
    const char *doc;
    span span;
} ast_member;

typedef struct ast_decl {
    struct ast_decl *next;
    ast_decl_kind kind;
    ast_name name; /* protocol, const, enum, ...: its name; import, model: the text in the quotes; or NULL: members */
    span span;
    const char *doc;
    ast_attribute *attributes;
    ast_expr *value; /* protocol: its version; const: its value */
    ast_name prefix; /* protocol; text NULL: none */
    bool has_width;  /* enum E : bits<4> */
    ast_type width;
    ast_type named; /* type NAME = ...: the type that gets the name */
    ast_beyond beyond;
    ast_member *members;           /* enum, flags, union; model: its lines, whose names are the texts in the quotes */
    ast_body body;                 /* struct, packet */
    ast_name as_type, from_header; /* struct ... as "T" from "h": interned, without the quotes; text NULL: none */
} ast_decl;

typedef struct ast_file {
    const source *source;
    ast_decl *decls;
} ast_file;

/* The word at index i of a list; NULL after the last word. */
typedef const char *word_list(size_t i);

/* Parses one file. type_words: the words of types, which cannot be names (model/type_table.h has them). Errors go to d;
 * the tree holds what could be parsed. Never NULL. */
struct diag;
ast_file *parse(arena *a, names *n, struct diag *d, const source *s, word_list *type_words);

#endif
