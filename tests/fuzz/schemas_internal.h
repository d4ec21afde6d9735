/* schemas_internal.h - shared by the generators of fields and of bodies.
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_SCHEMAS_INTERNAL_H
#define TESTS_SCHEMAS_INTERNAL_H

#include "lot.h"
#include "schemas.h"

enum { MOST_TYPES = 24, MOST_OPERANDS = 64, MOST_BYTES = 6000 };

typedef enum kind {
    BOOL,
    BITS,
    UNSIGNED,
    SIGNED,
    INT,
    NAMED_INT,
    COMPACT,
    ENUM,
    RESERVED_ENUM,
    FLAGS,
    HALF,
    FLOAT,
    DOUBLE,
    QUANTIZED,
    QUANTIZED64,
    OR_RAW,
    FIXED,
    QUAT,
    UNIT,
    STRING,
    BYTES,
    REF,
    STRUCT,
    UNION,
    KINDS
} kind;

typedef enum shape {
    PLAIN,
    OPTIONAL,
    UNLESS,
    INITIAL,
    LOCAL,
    ARRAY,
    DIMENSIONS,
    UP_TO,
    FROM_TO,
    OPTIONAL_ARRAY,
    COMPUTED,
    FLAG,
    COUNT,
    SENTINEL,
    RELATIVE,
    BITMAP,
    AUTO,
    KEEP,
    STEPS,
    SHAPES
} shape;

typedef struct made { /* a struct or union that can be the type of a field */
    char name[8];
    bool delta;
    bool whole;  /* it has an array that no type with deltas can have, directly or in a member */
    bool refs;   /* it has a ref, directly or in a member */
    bool locals; /* likewise, a local member */
    uint32_t bytes;
} made;

typedef struct made_keyed { /* a struct that can be the element of lists */
    made made;
    const char *key;
    uint32_t codes; /* of the key: as many as this, or more */
} made_keyed;

typedef struct operand { /* something that a condition can test */
    char name[24];
    enum { A_BOOL, A_NUMBER, AN_ENUM } is;
    int64_t low, high; /* of numbers, within 32 bits */
    bool uncounted;    /* a number of a fixed or of flags, which counts cannot use */
    int members;       /* of enums: their number in made_enums */
} operand;

typedef struct maker {
    lot lot;
    arena *arena;
    char *text;
    size_t size, room;
    const char *aliases; /* the lines of the names that its types have got */
    uint32_t alias_count;
    made structs[MOST_TYPES], unions[MOST_TYPES];
    uint32_t struct_count, union_count;
    made_keyed keyed[MOST_TYPES];
    uint32_t keyed_count;
    bool codes;          /* fields may be coded */
    bool coded_enums[4]; /* by their numbers in made_enums: fields of them too */
    /* of the current type */
    uint32_t field_count, bytes;
    bool delta, whole, may_keep;
    bool refs;     /* it has a ref */
    bool locals;   /* it has a local member */
    bool element;  /* it is the struct of a list: it cannot have any */
    bool part;     /* it is a part of a packet, or has parts: it cannot have refs */
    bool datagram; /* it has parts: @fit is on counted arrays */
    operand operands[MOST_OPERANDS];
    uint32_t operand_count;
    char start[24]; /* an earlier u32 that is always present, for `after`; or "" */
} maker;

/* The enums at the start of every schema, with their first and last member. */
typedef struct enum_members {
    const char *name, *first, *last;
} enum_members;
extern const enum_members made_enums[];

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void put(maker *m, const char *format, ...);
uint32_t below(maker *m, uint32_t n);
bool one_in(maker *m, uint32_t n);

/* Whether the language allows the combination. */
bool is_allowed(kind k, shape s);
/* Writes a field of a kind and shape, or a plain one if that is not allowed here. certain: it is not on a side of a
 * condition. */
void put_shape(maker *m, kind k, shape s, bool certain);
/* "", " @mix" and " @mix(0.5)" in turn. */
const char *mixed_type(uint32_t number);
/* Writes the key of the elements of a list, in each kind in turn. */
void put_key(maker *m, made_keyed *k, uint32_t number);
/* Writes a list of these elements. certain: as for put_shape. False if it is not allowed here. */
bool put_list(maker *m, const made_keyed *k, bool certain);
/* Writes fields of 64 bits, and one without bits, in some form. */
void put_full_word(maker *m);
/* Writes a random field. */
void put_field(maker *m, bool certain);
/* Begins a type. may_keep: its sparse arrays may have `keep`. */
void begin_type(maker *m, bool delta, bool may_keep);
/* Writes a condition of what conditions can test. depth: how deep its operators nest. */
void put_condition(maker *m, int depth);
/* Writes random fields, layout items and conditions. depth: in how many conditions they are. */
void put_items(maker *m, uint32_t count, int depth);
/* Writes packets with parts, and the types of the parts. */
void put_datagrams(maker *m, uint32_t number);

#endif
