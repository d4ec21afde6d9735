/* type_table.h - what is true of every type of a kind, a row a kind; and the words of types, a row a word.
 * SPDX-License-Identifier: MIT
 *
 * Whoever only asks what a type is (a scalar? how JSON has it? what messages call it?) asks its row. Whoever works out
 * something else for each kind (its bits, its text) has a switch without a default, so that the compiler names what a
 * new kind needs.
 */
#ifndef PKTC_TYPE_TABLE_H
#define PKTC_TYPE_TABLE_H

#include "model/schema.h"

/* What a value is to whoever holds it, however it goes over the wire: u8, int<0, 5> and compact u16 are all integers. */
typedef enum value_sort {
    SORT_BOOL,
    SORT_INTEGER,
    SORT_FIXED, /* an integer in units of 1 / 2^fraction_bits */
    SORT_REAL,
    SORT_ENUM,
    SORT_FLAGS,
    SORT_QUAT,
    SORT_UNIT,
    SORT_STRING,
    SORT_BYTES,
    SORT_REF,
    SORT_STRUCT,
    SORT_UNION,
    SORT_FOREIGN
} value_sort;

/* What the bits of a value are about: a colour of the page of `pktc layout`. */
typedef enum value_family {
    FAMILY_NUMBER,
    FAMILY_REAL,
    FAMILY_BOOL,
    FAMILY_ENUM,
    FAMILY_TEXT,
    FAMILY_TYPE
} value_family;

typedef struct type_row {
    value_sort sort;
    bool scalar; /* held in type.storage: it can have constants, so `= D` and `unless D` */
    bool steps;  /* has steps to count, so delta<s, l> */
    value_family family;
    const char *noun; /* in messages: see type_noun */
} type_row;

const type_row *type_row_of(const type *t);

bool is_scalar(const type *t);
bool is_real(const type *t);      /* SORT_REAL */
bool is_composite(const type *t); /* a struct or a union */

/* What messages call a type: "a bool", "'u16<1, 5>'" as it was written, "enum 'Team'". */
const char *type_noun(arena *a, const type *t);

/* The word of a float or double, raw or quantized: what it is called beyond its storage. */
const char *real_word(const type *t);

/* Rounds a constant to what a raw or quantized real holds. False where it is too large for it. */
bool real_rounds(const type *t, double *real);

/* ---- words */

typedef struct type_word {
    const char *name;
    type_kind kind;     /* without arguments; float<...> becomes TYPE_QUANTIZED, u8<...> TYPE_INT */
    storage storage;    /* NONE: the arguments decide */
    unsigned bits;      /* of TYPE_BITS, TYPE_FLOAT and `compact`: on the wire */
    const char *form;   /* how it is written with its arguments */
    unsigned arguments; /* how many these are */
    bool bare;          /* may also be written without arguments */
    bool reserved;      /* names nothing else; else a type that the program declares under this name comes first */
} type_word;

/* The words one by one; NULL after the last. */
const type_word *type_word_at(size_t i);

/* The word of that name, or NULL. */
const type_word *type_word_named(const char *name);

/* The names of the reserved ones, for the lexer; NULL after the last. */
const char *reserved_type_word(size_t i);

#endif
