/* type_table.h - the rows of a type's kind and of its real numbers (see kinds.h); and the words of types, a row for each.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_TYPE_TABLE_H
#define PKTC_TYPE_TABLE_H

#include "model/schema.h"

/* The kind of a value in the program, independent of the wire: u8, int<0, 5> and compact u16 are all integers. */
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

/* The meaning of a value's bits, for the colours of the page of `pktc layout`. */
typedef enum value_family {
    FAMILY_NUMBER,
    FAMILY_REAL,
    FAMILY_BOOL,
    FAMILY_ENUM,
    FAMILY_TEXT,
    FAMILY_TYPE
} value_family;

/* A row of TYPE_KINDS. */
typedef struct type_row {
    value_sort sort;
    bool scalar, steps, stable;
    value_family family;
    const char *noun;
} type_row;

const type_row *type_row_of(const type *t);

/* A row of REAL_KINDS. */
typedef struct real_row {
    const char *word;
    storage storage;
    unsigned bits, digits;
    int exponent;
} real_row;

/* Of a type that is_real. */
const real_row *real_row_of(const type *t);

/* The greatest number that it has. */
double greatest_real(const real_row *r);

bool is_scalar(const type *t);
bool is_real(const type *t);                   /* SORT_REAL */
static inline bool is_composite(const type *t) /* a struct or a union */
{
    return t->kind == TYPE_STRUCT || t->kind == TYPE_UNION;
}
/* Whether it is raw and narrower than in memory, so that a reader may see another value, infinity if it is too large. */
bool is_narrow_real(const type *t);

/* The noun for a type in messages: "a bool", "'u16<1, 5>'" (as it was written), "enum 'Team'". */
const char *type_noun(arena *a, const type *t);

/* The dimensions of an array, with all constants evaluated: "[2][3]", "[<=8]"; "" if a field is no array. */
const char *dims_words(arena *a, const field *f);

/* The word of a real, raw or quantized: "float". */
const char *real_word(const type *t);

/* Rounds a constant to a value that a raw or quantized real can have. False if it is too large. */
bool real_rounds(const type *t, double *real);

/* ---- words */

typedef struct type_word {
    const char *name;
    type_kind kind;     /* without arguments; float<...> becomes TYPE_QUANTIZED, u8<...> TYPE_INT */
    storage storage;    /* STORAGE_NONE: depends on the arguments */
    unsigned bits;      /* on the wire, of TYPE_BITS, TYPE_FLOAT and `compact` */
    real_kind real;     /* of TYPE_FLOAT */
    const char *form;   /* how it is written with its arguments: "u8<lo, hi>" */
    unsigned arguments; /* their number */
    bool bare;          /* it can also be written without arguments */
    bool reserved;      /* it cannot name anything else; otherwise a declaration of this name takes precedence */
} type_word;

/* Word i, from 0; NULL after the last. */
const type_word *type_word_at(size_t i);

/* The word of that name, or NULL. */
const type_word *type_word_named(const char *name);

/* The name of reserved word i, for the lexer; NULL after the last. */
const char *reserved_type_word(size_t i);

#endif
