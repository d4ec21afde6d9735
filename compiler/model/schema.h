/* schema.h - the checked model of one protocol: every name a pointer, every constant a value, every range proved.
 * SPDX-License-Identifier: MIT
 *
 * check.h makes it from syntax trees; wire.c turns it into wire ops, emit_types.c into C types, projection.c into the
 * text that the protocol id is the hash of. Nothing here knows source text but for spans (for late diagnostics),
 * and nothing here knows widths in bits but those the author wrote: widths are wire.c's.
 * Lists are linked by `next`, in source order. A schema is only handed on when there was no error.
 */
#ifndef PKTC_SCHEMA_H
#define PKTC_SCHEMA_H

#include "base/operator.h"
#include "base/source.h"
#include "model/storage.h"

typedef struct decl decl;
typedef struct field field;
typedef struct item item;

/* ---- types */

typedef enum type_kind {
    TYPE_BOOL,
    TYPE_BITS,      /* bits<N>, u8 ... i64 in full width: `bits` bits, two's complement; low, high what they hold */
    TYPE_INT,       /* int<lo, hi>, u16<lo, hi>, ...: low to high, also where that is the full width */
    TYPE_FIXED,     /* fixed<I, F, lo, hi>: low and high are raw; whole_bits I, fraction_bits F */
    TYPE_ENUM,      /* decl */
    TYPE_FLAGS,     /* decl */
    TYPE_FLOAT,     /* float and double, raw: `bits` on the wire */
    TYPE_QUANTIZED, /* float<lo, hi, res>, double<...>: real_* rounded to the storage; steps */
    TYPE_COMPACT,   /* compact u16, u32, u64: bits 16, 32, 64 */
    TYPE_QUAT,      /* bits a component */
    TYPE_UNIT,      /* bits a component */
    TYPE_STRING,    /* length: at most so many bytes */
    TYPE_BYTES,     /* length */
    TYPE_STRUCT,    /* decl (a struct or packet) */
    TYPE_UNION,     /* decl (a union or packet union) */
    TYPE_REF,       /* decl: what is pointed to (a struct or packet); high: the greatest id */
    TYPE_FOREIGN    /* local "void *" user: c_type */
} type_kind;

typedef struct type {
    type_kind kind;
    storage storage; /* of scalars; enums: smallest unsigned that holds the members or the reserved width */
    unsigned bits;
    num low,
        high; /* BITS, INT, FIXED (raw), ENUM (lowest and highest member; with a width 0 and 2^w - 1), FLAGS (0, all), COMPACT, REF (0, MAX) */
    double real_low, real_high, real_step;
    uint64_t steps; /* QUANTIZED: M of wire.md */
    unsigned whole_bits, fraction_bits;
    uint32_t length;
    const decl *decl;
    const char *c_type;
    span span;
} type;

/* A value of a scalar type: `number` for bool (0, 1), integers, fixed (raw), enums, flags; `real` for float,
 * double and quantized numbers, rounded to the storage. */
typedef struct value {
    num number;
    double real;
} value;

/* ---- conditions: every operation fits the width it is computed in, whatever the fields hold */

typedef enum expr_kind {
    EXPR_VALUE, /* a constant */
    EXPR_FIELD, /* a field's value; flags and enums are numbers */
    EXPR_COUNT,
    EXPR_HAS, /* x_count and has_x of the field at the path's end */
    EXPR_NOT = OPERATOR_NOT,
    EXPR_NEGATE = OPERATOR_NEGATE,
    EXPR_OR = OPERATOR_OR,
    EXPR_AND = OPERATOR_AND,
    EXPR_EQ = OPERATOR_EQ,
    EXPR_NE = OPERATOR_NE,
    EXPR_LT = OPERATOR_LT,
    EXPR_LE = OPERATOR_LE,
    EXPR_GT = OPERATOR_GT,
    EXPR_GE = OPERATOR_GE,
    EXPR_MASK = OPERATOR_MASK,
    EXPR_ADD = OPERATOR_ADD,
    EXPR_SUBTRACT = OPERATOR_SUBTRACT,
    EXPR_MULTIPLY = OPERATOR_MULTIPLY,
    EXPR_DIVIDE = OPERATOR_DIVIDE,
    EXPR_REMAINDER = OPERATOR_REMAINDER
} expr_kind;

typedef struct path { /* from a field of the type itself through struct members */
    struct path *next;
    const field *field;
} path;

/* What an operand is computed in: int64_t where every value that takes part (both sides of an operator and its
 * result) fits it, else uint64_t. */
typedef enum expr_type { EXPR_BOOL, EXPR_SIGNED, EXPR_UNSIGNED } expr_type;

typedef struct expr {
    expr_kind kind;
    expr_type type;   /* of the result: EXPR_BOOL or EXPR_SIGNED where low to high fits int64_t, else EXPR_UNSIGNED */
    expr_type inside; /* of operators: what the operands are computed in */
    num low, high;    /* range of the result; a bool is 0 to 1 */
    num number;       /* EXPR_VALUE */
    const decl *of;   /* EXPR_VALUE that was written as a member's name, or EXPR_FIELD: its enum or flags; else NULL */
    const char *name; /* EXPR_VALUE: the member's name, or NULL */
    path *path;       /* EXPR_FIELD, EXPR_COUNT, EXPR_HAS */
    struct expr *left, *right; /* EXPR_NOT and EXPR_NEGATE: left */
    span span;
} expr;

/* The operator as .pkt and C both write it: "+", "&&", "!". Not for values, fields, counts and presence. */
const char *expr_operator(expr_kind kind);

/* ---- bodies */

typedef struct block {
    item *items;
} block;

typedef struct arm { /* of a switch */
    struct arm *next;
    bool is_default;
    expr **values; /* EXPR_VALUE each */
    uint32_t value_count;
    block body;
    span span;
} arm;

typedef enum item_kind {
    ITEM_FIELD,
    ITEM_ALIGN,
    ITEM_CONST,    /* const<bits> = value */
    ITEM_RESERVED, /* reserved<bits>: value 0 */
    ITEM_CHECK,    /* 32 bits; value as written, or computed; not there at all under --no-checks */
    ITEM_IF,
    ITEM_SWITCH
} item_kind;

struct item {
    item *next;
    item_kind kind;
    span span;
    union {
        field *field;
        struct {
            unsigned bits;
            uint64_t value;
        } constant; /* CONST, RESERVED, CHECK */
        struct {
            expr *condition;
            block then, other;
        } branch; /* `else if` is an other of one ITEM_IF */
        struct {
            expr *subject;
            arm *arms;
        } choice;
    } as;
};

typedef enum array_kind { ARRAY_NONE, ARRAY_FIXED, ARRAY_COUNTED, ARRAY_SPARSE } array_kind;
typedef enum sparse_mode {
    SPARSE_FLAG,
    SPARSE_COUNT,
    SPARSE_SENTINEL,
    SPARSE_RELATIVE,
    SPARSE_BITMAP,
    SPARSE_AUTO
} sparse_mode;

/* The mode as .pkt writes it: "relative". */
const char *sparse_mode_name(sparse_mode mode);

struct field {
    field *next; /* in decl.fields: all fields of the type, whatever block they stand in */
    const char *name;
    const char *doc;
    span span; /* of the name */
    const decl *owner;
    type type;  /* of an element, where it is an array */
    bool local; /* in the C struct, not on the wire, and in no block */
    bool optional;
    bool has_unless;
    value unless;
    bool has_initial;
    value initial; /* scalars; else the base value is what init sets */
    array_kind array;
    uint32_t dim_count; /* ARRAY_FIXED: 1 or more; else 1 */
    uint32_t dims[8];   /* outermost first; COUNTED and SPARSE: dims[0] is N */
    uint32_t count_low; /* COUNTED: A */
    sparse_mode mode;   /* SPARSE */
    bool keep;
    uint32_t limit;     /* SPARSE: C, at most so many elements at once */
    const field *after; /* the earlier field that this one is greater than, or NULL */
    bool has_delta;
    unsigned delta_small, delta_large;
};

/* ---- declarations */

typedef enum decl_kind { DECL_CONST, DECL_ENUM, DECL_FLAGS, DECL_STRUCT, DECL_UNION } decl_kind;

typedef struct member {
    struct member *next;
    const char *name;
    const char *doc;
    num value;        /* enum: its value; flags: its mask; union: its tag */
    const decl *type; /* union: a struct or packet */
    span span;
} member;

typedef struct schema_file schema_file;

struct decl {
    decl *next; /* in schema.decls */
    decl_kind kind;
    const char *name; /* as written, without the prefix */
    const char *doc;
    span span; /* of the name */
    const schema_file *file;
    bool packet;     /* packet, packet union */
    bool delta;      /* @delta */
    bool large;      /* @large */
    bool deprecated; /* @deprecated */
    uint32_t budget; /* @budget: bytes; 0 for none */
    /* const */
    bool is_real;
    value value;
    /* enum, flags, union */
    member *members;
    uint32_t member_count;
    unsigned width; /* enum: reserved bits, or 0 */
    type type;      /* enum, flags: what a field of it has */
    /* struct, packet */
    field *fields;
    block body;
    const char *as_type, *from_header; /* bound to a type of the program, or NULL */
};

/* "constant", "enum", "flags", "struct", "packet", "union", "packet union": what messages call a declaration. */
const char *decl_noun(const decl *d);

/* The member that an enum has at base: that of value 0, else the first. */
const member *enum_base(const decl *d);

/* The base value of a scalar field: that of `unless`, else the value nearest to 0 that its type has (language.md, "Presence
 * and choice"). */
value base_value(const field *f);

/* Whether a value of a scalar type is all zero bits in memory. */
bool is_zero_value(const type *t, const value *v);

struct schema_file {
    schema_file *next;
    const char *path;   /* as found: for the depfile */
    const char *stem;   /* "my-game": what output files are named after */
    const char *name;   /* the same as names can have it: "my_game" */
    const char *prefix; /* "mg_", "" without; imported files have "" */
    bool root;
    const struct import {
        struct import *next;
        const schema_file *file;
    } * imports; /* direct ones, in source order */
};

typedef struct schema {
    const char *protocol; /* NULL where the root file declares none (it is a library of types then) */
    num version;
    span protocol_span;
    bool checks;        /* false under --no-checks */
    schema_file *files; /* every file once, each after those it imports; the root is last */
    schema_file *root;
    decl *decls; /* of all files: each after those it needs by value, else in source order, files in the order above */
    const char *projection; /* what decides the bytes, printable: see projection.c */
    uint64_t id;            /* FNV-1a of it */
} schema;

#include <stdio.h>
void dump_schema(const schema *s, FILE *to);

/* What the names of a file's constants begin with in generated code, as they are of no type: the prefix that its author gave, else the name of
 * the protocol and "_", or, in a file without a protocol, the file's. */
const char *schema_constant_prefix(arena *a, const schema *s, const schema_file *file);

/* projection.c: a condition as text, such as "(count items > 3)"; the text that --projection prints, and its FNV-1a. */
const char *expr_text(arena *a, const expr *e);
const char *schema_projection(arena *a, const schema *s);
uint64_t fnv1a_64(const char *text);

#endif
