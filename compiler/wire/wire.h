/* wire.h - the schema as wire operations: what goes over the wire, in order, with every width and bias settled.
 * SPDX-License-Identifier: MIT
 *
 * All arithmetic of widths is done here, once. A type is a list of ops; an op is a leaf of fixed width (the only thing
 * that ever occupies bits by itself) or a construct that holds further ops: the count of an array, the length of a
 * string, a tag and a presence bit are described by the op they belong to, in `bits`. fuse.h places ops at offsets.
 */
#ifndef PKTC_WIRE_H
#define PKTC_WIRE_H

#include "model/schema.h"
#include "wire/extent.h"

typedef struct op op;
typedef struct wire_type wire_type;

typedef enum op_kind {
    /* leaves */
    OP_BOOL,
    OP_RAW,       /* bits as they are; a signed storage makes it two's complement */
    OP_BIASED,    /* value - low, at most span */
    OP_ENUM,      /* value - low, at most span, a member */
    OP_FLOAT,     /* IEEE-754 bits, 32 or 64 */
    OP_QUANTIZED, /* the code of a quantized number */
    OP_CONSTANT,  /* const, reserved, check: constant */
    OP_QUAT,
    OP_UNIT,
    OP_REF,
    /* of varying width */
    OP_ALIGN,
    OP_STRING,
    OP_BYTES, /* length in bits, at most span; align; bytes */
    OP_COMPACT,
    OP_AFTER,
    /* of further ops */
    OP_STRUCT,   /* of */
    OP_UNION,    /* of; bits of the tag, span the greatest tag */
    OP_ARRAY,    /* count times body; a further dimension is an OP_ARRAY as body */
    OP_COUNTED,  /* count - count_low in bits, at most span; then body so many times */
    OP_SPARSE,   /* body for a subset of count elements, at most span of them */
    OP_OPTIONAL, /* a bit, then body */
    OP_UNLESS,   /* a bit, then body (a leaf) */
    OP_IF,       /* body or other */
    OP_SWITCH    /* arms */
} op_kind;

typedef struct op_arm {
    struct op_arm *next;
    const arm *arm;       /* OP_SWITCH */
    const member *member; /* OP_UNION */
    op *body;
} op_arm;

struct op {
    op *next;
    op_kind kind;
    const field *field; /* NULL for ALIGN, CONSTANT, IF, SWITCH and in unions' own bodies */
    const type *type;   /* of the value or element; NULL where there is no field */
    const item *item;   /* ALIGN, CONSTANT, IF, SWITCH */
    unsigned bits;
    uint64_t span;
    num low; /* BIASED, ENUM */
    uint64_t constant;
    uint64_t count, count_low; /* ARRAY, SPARSE: count; COUNTED: count_low to count */
    const wire_type *of;
    op *body, *other;
    op_arm *arms;
    bool fixed;           /* always `least` bits, whatever the alignment and the value */
    uint64_t least, most; /* bits over every start and value */
    uint64_t rest;        /* least bits of the ops behind this one in its list */
};

/* What a packet has around its body: a CRC-32, and the end check unless the schema was compiled with --no-checks. */
enum { FRAME_CRC_BITS = 32, FRAME_END_BITS = 32 };

struct wire_type {
    wire_type *next;
    const decl *decl;
    op *body; /* structs: the items; unions: one OP_UNION */
    bool fixed;
    uint64_t least, most;
    uint64_t least_framed, most_framed; /* packets: with the frame, without the bits that fill the last byte */
    uint64_t delta_least,
        delta_most; /* bits of the smallest and of the greatest delta, or more; not with sparse arrays */
    uint64_t delta_least_framed, delta_most_framed;
    uint64_t leaves;    /* leaf ops and bits of presence, count, tag, all nested ones included: a measure of code, in
                                 * which codes of rotations and items of varying width count as several */
    bool has_refs;      /* here or in a type inside */
    bool has_sparse;    /* likewise: a sparse array */
    bool settles;       /* T_quantize may change a value */
    uint32_t uses;      /* in how many places of its own file a value of it stands */
    uint32_t index;     /* in wire.types */
    uint32_t end_check; /* packets */
    extent extent;
};

typedef struct wire {
    const schema *schema;
    uint32_t type_count;
    wire_type *types; /* in the order of schema.decls, structs and unions alone */
} wire;

wire *lower(arena *a, const schema *s);

/* Whether an op is one of the leaves. */
bool op_is_leaf(const op *o);
/* Whether a value that was written may be read as another one: rounded, or at base where it is not there. */
bool op_settles(const op *o);
/* Of an OP_ENUM: whether some value of its range is not a member. */
bool op_has_gaps(const op *o);
/* What an op that is not of further ops counts as in `leaves`. */
unsigned op_weight(const op *o);

#endif
