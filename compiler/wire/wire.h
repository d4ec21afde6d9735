/* wire.h - the schema as wire operations (ops): every item on the wire, in order, with all widths worked out.
 * SPDX-License-Identifier: MIT
 *
 * This is the only place where widths are worked out. A type is a list of ops. An op is a leaf of fixed width, an item
 * of varying width, or a construct that contains other ops. The count of an array, the length of a string, a tag and a
 * presence bit are not ops: the op that they belong to has their width as its `bits`. fuse.h places ops at offsets.
 */
#ifndef PKTC_WIRE_H
#define PKTC_WIRE_H

#include "base/diag.h"
#include "base/hash_table.h"
#include "model/schema.h"

typedef struct op op;
typedef struct wire_type wire_type;

/* The kinds of ops: a row for each, a column for each question that several walkers ask.
 *
 * class:  OP_CLASS_..., for walkers that treat the ops of a class alike
 * change: OP_CHANGE_..., what a delta sends of a field that has changed */
/* clang-format off */
#define OPS(X)                                                                                               \
    /*kind       class    change */                                                                          \
    X(BOOL,      LEAF,    FLIP)                                                                              \
    X(RAW,       LEAF,    NUMBER)   /* the bits as they are; two's complement if the storage is signed */    \
    X(BIASED,    LEAF,    NUMBER)   /* value - low, which is at most span */                                 \
    X(ENUM,      LEAF,    VALUE)    /* value - low, which is at most span; the value must be a member */     \
    X(FLOAT,     LEAF,    NUMBER)   /* a raw real */                                                         \
    X(QUANTIZED, LEAF,    NUMBER)   /* the code of a quantized number */                                     \
    X(CONSTANT,  LEAF,    NOTHING)  /* const, reserved, check: the value is `constant` */                    \
    X(QUAT,      LEAF,    NUMBER)                                                                            \
    X(UNIT,      LEAF,    VALUE)                                                                             \
    X(REF,       LEAF,    VALUE)                                                                             \
    X(KEY,       LEAF,    NOTHING)  /* of an element of a list, which sends it: no bits */                   \
    X(ALIGN,     VARYING, NOTHING)                                                                           \
    X(STRING,    VARYING, VALUE)                                                                             \
    /* like STRING: the length in `bits` bits, at most span; padding to a byte; the bytes */                 \
    X(BYTES,     VARYING, VALUE)                                                                             \
    X(COMPACT,   VARYING, NUMBER)                                                                            \
    X(OR_RAW,    VARYING, NUMBER)   /* 0 and a code in `bits` bits, or 1 and 32 raw bits */                  \
    X(AFTER,     VARYING, VALUE)                                                                             \
    /* a value of type `of` as a delta: a part of a datagram, or an element of an array with delta(previous) */ \
    X(DELTA,     VARYING, NOTHING)                                                                           \
    X(STRUCT,    TYPE,    TYPE)     /* a value of type `of` */                                               \
    X(UNION,     TYPE,    TYPE)     /* likewise; `bits` is the width of the tag, span the greatest tag */    \
    X(ARRAY,     HOLDER,  ELEMENTS) /* body, count times; with more dimensions body is an ARRAY */           \
    /* count - count_low in `bits` bits, at most span; then body for each element */                         \
    X(COUNTED,   HOLDER,  ELEMENTS)                                                                          \
    /* body for each element; field->count computes their number, from count_low to count */                 \
    X(COMPUTED,  HOLDER,  NOTHING)                                                                           \
    X(SPARSE,    HOLDER,  NOTHING)  /* body for a subset of count elements, at most span of them */          \
    X(OPTIONAL,  HOLDER,  OPTIONAL) /* a bit, then body if it is set */                                      \
    X(UNLESS,    HOLDER,  VALUE)    /* likewise; body is a scalar */                                         \
    X(IF,        CHOICE,  NOTHING)  /* body or other */                                                      \
    X(SWITCH,    CHOICE,  NOTHING)  /* one of the arms, or nothing */
/* clang-format on */

typedef enum op_kind {
#define KIND(kind, class, change) OP_##kind,
    OPS(KIND)
#undef KIND
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
    const field *field; /* NULL for ALIGN, CONSTANT, IF, SWITCH, and in the body of a union itself */
    const type *type;   /* of the value or element; NULL without a field */
    const item *item;   /* ALIGN, CONSTANT, IF, SWITCH */
    unsigned bits;
    uint64_t span;
    num low; /* BIASED, ENUM */
    uint64_t constant;
    uint64_t count, count_low; /* ARRAY, SPARSE: count; COUNTED, COMPUTED: count_low to count */
    const wire_type *of;
    op *body, *other;
    op_arm *arms;
    uint32_t number;      /* IF, SWITCH, COMPUTED: its number among these of its type, from 1. DELTA: among its parts */
    bool names;           /* of the fields that name parts, it has the last one */
    bool has_fields;      /* IF, SWITCH: a side has a field, or a branch in it has one */
    bool fixed;           /* it has `least` bits for every alignment and value */
    uint64_t least, most; /* bits, over all alignments and values */
    uint64_t rest;        /* the least bits of the ops after this one in its list */
};

/* The frame around the body of a packet: a CRC-32 before it, and after it the end check, unless --no-checks was
 * given. */
enum { FRAME_CRC_BITS = 32, FRAME_END_BITS = 32 };

struct wire_type {
    wire_type *next;
    const decl *decl;
    op *body;                           /* the items of a struct; of a union, one OP_UNION */
    bool fixed;                         /* all values have `least` bits */
    uint64_t least, most;               /* bits of the body */
    uint64_t least_framed, most_framed; /* bits of a packet with its frame, without the padding of the last byte */
    uint64_t delta_least, delta_most;   /* bits of deltas; delta_most is an upper bound. Not with sparse arrays */
    uint64_t delta_least_framed, delta_most_framed;
    /* A measure of the code that the type needs: the number of leaf ops, presence bits, counts and tags, with those of
     * nested types. Rotations and items of varying width count as several. */
    uint64_t leaves;
    uint64_t lines;            /* of its leaves where its fields are spelled out, including those of unrolled arrays */
    uint32_t nesting;          /* loops and structs around the innermost of these lines */
    bool straight;             /* nothing in it is optional, repeated or chosen */
    bool calls;                /* its functions call those of other types: see place_of */
    bool has_refs;             /* it contains a ref, directly or in a nested type */
    bool can_be_unsound;       /* some value of it is an invalid baseline: see below */
    bool moves, follows, goes; /* predictions move something in it: see op_moves */
    bool pads;                 /* its size can depend on the bit where it begins: see op_pads */
    uint64_t plain_bytes;      /* its bytes without padding, if it can be compared whole, else 0: see below */
    uint32_t uses;             /* the number of fields and union members of its own file that have this type */
    uint32_t index;            /* in wire.types */
    uint32_t branches;         /* the greatest op.number in it: how many ifs, switches and computed counts it has */
    uint32_t end_check;        /* packets: the value of the end check */
};

typedef struct wire {
    const schema *schema;
    uint32_t type_count;
    wire_type *types; /* the structs and unions, in the order of schema.decls */
    map *type_of;     /* (decl, NULL): one of them */
} wire;

/* The size in bytes of a packet with this many bits. */
uint64_t bytes_of_bits(uint64_t bits);

/* Lowers a checked schema to ops. */
wire *lower(arena *a, const schema *s);

/* Walkers that treat ops of one class alike switch over the classes. */
typedef enum op_class {
    OP_CLASS_LEAF,    /* of fixed width */
    OP_CLASS_VARYING, /* of varying width */
    OP_CLASS_TYPE,    /* a value of another type; the body of a union is of this class too */
    OP_CLASS_HOLDER,  /* holds `body`, for none, one or more values */
    OP_CLASS_CHOICE   /* an if or a switch: one of its lists of ops */
} op_class;

typedef enum op_change {
    OP_CHANGE_FLIP,     /* nothing but its bit in the mask */
    OP_CHANGE_NUMBER,   /* its code or, of a field that has that, a difference */
    OP_CHANGE_VALUE,    /* the whole value */
    OP_CHANGE_TYPE,     /* a delta of its type */
    OP_CHANGE_ELEMENTS, /* the changes of elements */
    OP_CHANGE_OPTIONAL, /* a presence bit, and the change of the value */
    OP_CHANGE_NOTHING   /* it is no field, or in no @delta type */
} op_change;

op_class op_class_of(const op *o);
op_change op_change_of(const op *o);

/* Whether an op is a leaf of fixed width. */
bool op_is_leaf(const op *o);
/* Whether `answer` is true for an op of a list. */
bool ops_any(const op *o, bool (*answer)(const op *));
/* Whether `answer` is true for an op on a side of a choice, or for a member of the body of a union. */
bool op_any_side(const op *o, bool (*answer)(const op *));
/* Whether some number in the range of an OP_ENUM is not a member. */
bool op_has_gaps(const op *o);
/* Whether an op is an array that is a list with a key. */
bool is_list(const op *o);
/* Whether a list of ops has a field with bits of its own, or a branch in it has one. */
bool has_fields(const op *o);
/* The number that an op without other ops in it adds to `leaves`. */
unsigned op_weight(const op *o);

/* The type on the wire of a struct or union of the schema. */
const wire_type *wire_type_of(const wire *w, const decl *d);

/* Whether a type has T_hash: not if its values are too large for the stack. */
bool has_hash(const wire_type *t);

/* ---- shape.c: whether the size of a part of a packet depends on the bit where it begins */

/* Whether an op has padding to a whole byte: an align, a text or bytes. Needs `pads` of its nested types. */
bool op_pads(const op *o);

/* Values in memory, as deltas see them. */

/* Whether a value here can make a baseline invalid (docs/wire.md, "Deltas"): a count, a length, a tag or a number in a
 * condition that is out of range; or an unterminated text. */
bool op_can_be_unsound(const op *o);

/* Whether predictions move a number here: one that is coded, not `still`, of at most 32 bits, and that no condition asks for.
 * op_follows: one that goes on from an earlier baseline. op_goes: one with @speed. */
bool op_moves(const op *o);
bool op_follows(const op *o);
bool op_goes(const op *o);

/* The bytes of a value that can be compared as memory: it has no parts that can be absent, and equal values have equal
 * bytes. Padding is not counted. 0 for other values, and for pointers, whose size pktc does not know. */
uint64_t op_plain_bytes(const op *o);
/* The same for a list of ops. */
uint64_t ops_plain_bytes(const op *o);

/* ---- placement.c: how a type is part of the types that contain it: spelled out, inlined or called */

/* How a type is part of another type in the file `user`. It depends on the arguments alone, so that an imported file
 * always gives the same code. An element type that calls others is not inlined, so code grows with the sum of the fields. A
 * small type is inlined even so: then what contains it makes these calls. */
typedef enum placement {
    PLACE_FLAT, /* spelled out: a few fixed fields */
    /* Its function is inlined: a small type, or the element type of an array that nothing else in the file uses. */
    PLACE_INLINE,
    PLACE_CALL /* by its own functions */
} placement;

placement place_of(const schema_file *user, const wire_type *t, bool is_element);

/* Sets lines, nesting, straight and calls of all types. Each type uses the results of its nested types, so the time
 * grows only with the number of ops. */
void place_types(wire *w);

/* ---- delta_size.c: the least and the greatest size of deltas */

/* The bits that follow the mask bit of a value with delta<s, l>, with their prefix: as a small step, as a large step,
 * or as the full value. Each of the three components of a quat has its own small or large step, so the size of a quat
 * can also be in between. */
typedef struct delta_sizes {
    unsigned small, large;
    uint64_t whole_least, whole_most; /* as the full value */
} delta_sizes;

delta_sizes delta_sizes_of(const op *o);

/* The bits of a type's delta. Needs the type's complete ops and the delta sizes of its nested types. Meaningless for
 * types with sparse arrays, which have no deltas. */
uint64_t least_of_delta(const wire_type *t);
uint64_t most_of_delta(const wire_type *t);

/* The same without any element of the arrays with @fit, or more. */
uint64_t most_of_delta_unfit(const wire_type *t);

/* ---- budgets.c */

/* Reports each packet whose greatest size, with its frame, exceeds its @budget, or the least size of the packet
 * that it answers. False after such a report. */
bool check_budgets(const wire *w, diag *d);

/* The most bytes of an answer, and the least ones of what it answers, with their frames. Deltas count: a reader does not
 * know which of the two a sender chooses. */
typedef struct exchange {
    uint64_t most, least;
    const char *most_as, *least_as; /* " as a delta", or "" */
} exchange;

exchange exchange_of(const wire_type *answer, const wire_type *question);

/* The most bytes of a packet with its frame if T_fit_pack leaves out all elements that it can. Without parts, it has no such
 * function, and this is its greatest size. */
uint64_t most_bytes_after_fit(const wire *w, const wire_type *t);

#endif
