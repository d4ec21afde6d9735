/* fuse.h - plans: the shape of generated code: which leaves share a word, bounds checks, loops.
 * SPDX-License-Identifier: MIT
 *
 * A plan is a list of steps. A run is a sequence of leaves whose offsets from the start of the run are known at compile
 * time. It is cut into words. A word starts at a whole byte of the run and has the next 56 bits, so it is one 64-bit
 * load or store, even if the run does not begin at a whole byte of the packet. The shift by that bit is done once per
 * word. A leaf that does not fit in one word (this needs 50 bits or more) is across two.
 *
 *     run of 76 bits:   | word 0 at byte 0: leaves at bits 0 to 53 | word 1 at byte 6: leaves at bits 54 to 75 |
 *
 * Before a run one bounds check (STEP_NEED) covers the run and everything that certainly follows it in the type. A
 * word is inside if the 8 bytes from its start are among the checked ones. Any other word is at an edge: the code asks
 * at run time whether 8 bytes are left, so a buffer needs no extra bytes at its end.
 *
 * A run may vary: it can contain optional parts (small optionals and if blocks) as long as everything fits in one
 * word. Offsets after an optional part assume that it is absent; at run time each part that is present shifts the
 * rest of the run by its width. One check at the end covers all of it.
 */
#ifndef PKTC_FUSE_H
#define PKTC_FUSE_H

#include "wire/wire.h"

enum { WORD_BITS = 56 };

/* The place of a value in the C struct, as a chain from the innermost part outwards: x of bodies[i] of the struct. */
typedef enum access_kind {
    ACCESS_FIELD, /* .name */
    ACCESS_INDEX, /* [loop variable + offset], or [offset] outside of a loop */
    ACCESS_MEMBER /* .as.name of a union */
} access_kind;

typedef struct lvalue {
    const struct lvalue *outer; /* NULL: a part of the struct itself */
    access_kind kind;
    const field *field;
    const member *member;
    int loop; /* the depth, from 0, of the loop whose variable is added; -1: none */
    uint32_t offset;
} lvalue;

typedef enum step_kind {
    STEP_NEED,   /* a bounds check: this many bits must be left */
    STEP_RUN,    /* a run begins, with a word at its byte 0 */
    STEP_WORD,   /* the next word begins, at a byte of the run */
    STEP_LEAF,   /* a leaf at a bit of the current word */
    STEP_END,    /* the run ends */
    STEP_VARIED, /* in a run that varies: an optional part of this many bits is present */
    STEP_ALIGN,
    STEP_COPY, /* an array of u8 at a whole byte: `count` bytes are copied */
    STEP_TEXT,
    STEP_BYTES,
    STEP_VARYING, /* a number of varying width */
    STEP_KEY,     /* the key of an element of a list, before the element */
    STEP_NAMED,   /* the fields that name the parts of a packet were read */
    STEP_DELTA,   /* OP_DELTA: by the functions of its type's deltas */
    STEP_CALL,    /* a struct or union, by its own function */
    STEP_UNION,   /* the arm of the tag */
    STEP_PRESENT, /* OP_OPTIONAL: body if the value is present */
    STEP_DIFFERS, /* OP_UNLESS: body if the value is not the usual one */
    STEP_IF,
    STEP_SWITCH,
    STEP_SUBSET, /* OP_SPARSE: body for each element that is present */
    STEP_LOOP    /* body for `group` elements at a time, then other for each remaining element */
} step_kind;

/* The role of a leaf. */
typedef enum leaf_role {
    LEAF_VALUE,    /* the value of the op */
    LEAF_PRESENCE, /* has_x */
    LEAF_DIFFERS,  /* the bit of `unless` */
    LEAF_COUNT,    /* x_count */
    LEAF_LENGTH,   /* the length of a string, which is not a member of the struct */
    LEAF_SIZE,     /* b_size, of bytes */
    LEAF_TAG
} leaf_role;

typedef struct step_arm {
    struct step_arm *next;
    const op_arm *arm;
    struct step *body;
} step_arm;

typedef struct step {
    struct step *next;
    step_kind kind;
    const op *op;
    const lvalue *at; /* the field, or the element of an array inside its loop */
    uint64_t bits;    /* NEED, RUN, END, VARIED; LOOP: of an element of fixed size; SUBSET: the least of an element */
    bool fixed;       /* LOOP: all elements have `bits` bits */
    uint64_t rest;    /* END, ALIGN, LOOP, SUBSET, TEXT, BYTES, VARYING: bits checked with the varying part */
    bool varies;      /* RUN, END: the run varies; LEAF: it comes after a part that can be absent */
    bool first;       /* RUN: the type begins with it, and its first 8 bytes are checked */
    bool alone;       /* RUN, END: of a delta's value, which a function moves: a run of one word at an edge */
    bool joined;   /* SUBSET: each element is a run that shares a word with its index; RUN, END: of such an element */
    uint32_t byte; /* WORD: the byte of the run where the word starts; LEAF across words: that of the second word */
    bool edge;     /* RUN, WORD, VARYING: the word is at an edge; LEAF across words: the second word is */
    /* RUN, WORD at an edge: the bit of the run where the word's last leaf ends (in a run that varies, at the latest),
     * if at least 8 bytes of the packet certainly come before that bit; otherwise 0. Then a reader can load the 8 bytes
     * that end there. */
    uint64_t ending;
    leaf_role role;  /* LEAF */
    unsigned shift;  /* LEAF: its bit in the word */
    unsigned width;  /* LEAF: bits on the wire */
    unsigned lanes;  /* LEAF: the number of array elements, 8 bytes of memory, that it moves at once; or 1 */
    uint64_t offset; /* LEAF: its bit in the run */
    unsigned row;    /* LEAF: 3 or 4 if it and the next leaves are quantized floats that one operation moves; or 0 */
    unsigned four;   /* LEAF: 1 to 4 if it is the nth of four quats that one operation moves; otherwise 0 */
    const lvalue *first_of_four; /* LEAF: the first of the four quats */
    bool across; /* LEAF: `low` bits are in the current word, the others at bit `high_shift` of the word at `byte` */
    unsigned low, high_shift;
    bool inlined;              /* CALL: the function is inlined */
    int depth;                 /* LOOP, SUBSET: the number of its variable */
    uint32_t group;            /* LOOP: elements per group; 1: there are no groups */
    struct step *body, *other; /* LOOP: a group, and a single element; IF: both sides */
    step_arm *arms;
} step;

/* How the body of a packet in a buffer is written and read. */
typedef enum body_plan {
    BODY_STREAM, /* as in a stream, by T_write_ and T_read_ */
    BODY_START,  /* by T_write_body and T_read_body, which know that it begins with the first bit of a byte, so that
                  * words are not shifted */
    BODY_INLINE  /* likewise, and so small that each caller has its lines */
} body_plan;

typedef struct plan {
    const wire_type *type;
    step *steps;
    uint32_t checks; /* bounds checks */
    uint32_t words;  /* words, each of which is one load or one store */
    uint32_t edges;  /* words at an edge */
} plan;

/* Makes the plan of a type. Plans take more memory than the whole schema, so each is made when it is needed. */
plan *fuse(arena *a, const wire_type *t);

/* The plan of each packet's body, by wire_type.index. */
const body_plan *plan_bodies(arena *a, const wire *w);

/* Plans a single value of a delta, at an unknown alignment and with `depth` loops around it. */
step *fuse_value(arena *a, const wire_type *t, const op *o, const lvalue *at, int depth);

/* Plans only the presence bit, count or tag of a value. */
step *fuse_head(arena *a, const wire_type *t, const op *o, const lvalue *at);

#endif
