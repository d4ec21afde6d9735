/* fuse.h - wire ops placed: runs, words, checks, groups. What generated code does, before anybody spells it.
 * SPDX-License-Identifier: MIT
 *
 * A plan is a list of steps. A run is a row of leaves whose offsets from the run's start are known now. It is cut into
 * words: a word opens at a whole byte of the run and holds the bits of the next 56, so that, whatever the
 * position of the run within its first byte, it is in one 64-bit load, or one 64-bit store. The shift by that position
 * is paid once a word. A leaf that fits no word entirely (50 bits and more) stands across two.
 *
 * Before a run, what has to be there is verified at once: the run and all that certainly follows in the type. A
 * word is `inside` when the 8 bytes from its start are among those bits; the other ones (`edge`) ask at run time
 * whether 8 bytes are left, so that no slack is needed behind a buffer.
 *
 * A run may vary: small optionals and blocks stand in it with what is around them, all in one word. The bit of a leaf behind
 * them is that without them; what is there of them moves the run by its bits. Whether everything is there is asked once, at
 * the end.
 */
#ifndef PKTC_FUSE_H
#define PKTC_FUSE_H

#include "wire/wire.h"

enum { WORD_BITS = 56 };

/* Where a value lies in the C struct: a chain from the innermost part out. */
typedef enum access_kind {
    ACCESS_FIELD, /* .name */
    ACCESS_INDEX, /* [loop variable + offset], or [offset] without a loop */
    ACCESS_MEMBER /* .as.name of a union */
} access_kind;

typedef struct lvalue {
    const struct lvalue *outer; /* NULL: of the struct itself */
    access_kind kind;
    const field *field;
    const member *member;
    int loop; /* depth of the loop whose variable is added, from 0; -1 for none */
    uint32_t offset;
} lvalue;

typedef enum step_kind {
    STEP_NEED,   /* bits must be left: one bounds check */
    STEP_RUN,    /* a run of bits begins with its word at byte 0 */
    STEP_WORD,   /* the next word opens, at a byte of the run */
    STEP_LEAF,   /* a leaf at a bit of the open word */
    STEP_END,    /* the run of bits ends */
    STEP_VARIED, /* RUN that varies: what stands in a branch is there, so many bits */
    STEP_ALIGN,
    STEP_COPY, /* count bytes at a whole byte: an array of u8 */
    STEP_TEXT,
    STEP_BYTES,
    STEP_COMPACT,
    STEP_AFTER,
    STEP_CALL,    /* a struct or union by its own function */
    STEP_UNION,   /* the member that the tag names */
    STEP_PRESENT, /* OP_OPTIONAL: body if it is there */
    STEP_DIFFERS, /* OP_UNLESS: body if it is not the usual value */
    STEP_IF,
    STEP_SWITCH,
    STEP_SUBSET, /* OP_SPARSE: body for each element that is there */
    STEP_LOOP    /* body for `group` elements at a time, then body_rest for those left one by one */
} step_kind;

/* What a leaf says. */
typedef enum leaf_role {
    LEAF_VALUE,    /* the op itself */
    LEAF_PRESENCE, /* has_x */
    LEAF_DIFFERS,  /* the bit of `unless` */
    LEAF_COUNT,    /* x_count */
    LEAF_LENGTH,   /* of a string: not a member of the struct */
    LEAF_SIZE,     /* b_size */
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
    const lvalue *at; /* of the field (arrays: of the whole array, or of the element within its loop) */
    uint64_t bits; /* NEED, RUN, END, VARIED; LOOP: of one element where that is fixed; SUBSET: least of one element */
    bool fixed;    /* LOOP: all elements have `bits` */
    uint64_t rest; /* END, ALIGN, LOOP, SUBSET, TEXT, BYTES, COMPACT, AFTER: bits verified together with what varies */
    bool varies;   /* RUN, END: the run does; LEAF: it is behind something that may be missing */
    bool first;    /* RUN: the type begins with it, and 8 bytes of it are verified */
    bool joined;   /* SUBSET: each element is one run, in one word with its index; RUN, END: that run */
    uint32_t byte; /* WORD: offset in the run; across: of the second word */
    bool edge;     /* RUN, WORD, COMPACT, AFTER: of the word that opens; across: of the second word */
    uint64_t ending; /* RUN, WORD at an edge: the bit of the run at which the word's last leaf ends, where 8 bytes
                                   are certain to stand before that; of a run that varies, at which it ends at most; else 0 */
    leaf_role role;  /* LEAF */
    unsigned shift;  /* LEAF: bit in the word */
    unsigned width;  /* LEAF: bits on the wire */
    unsigned lanes;  /* LEAF: 1, or that many elements of an array at once, 8 bytes of memory, the first one at `at` */
    uint64_t offset; /* LEAF: bit in the run */
    unsigned row;    /* LEAF: with that many leaves from this one on one operation, 3 or 4 quantized floats; else 0 */
    unsigned four;   /* LEAF: which one it is of four quats of an array that are one operation, 1 to 4; else 0 */
    const lvalue *first_of_four;
    bool across; /* LEAF: the low `low` bits in the open word, the others at `high_shift` of the word at `byte` */
    unsigned low, high_shift;
    bool inlined; /* CALL: by the unified function itself, not by an instance of its own */
    int depth;    /* LOOP, SUBSET: number of its variable */
    uint32_t group;
    struct step *body, *other; /* LOOP: body is one group, other a single element; IF: both sides */
    step_arm *arms;
} step;

typedef struct plan {
    struct plan *next;
    const wire_type *type;
    step *steps;
    uint32_t checks, words, edges; /* bounds checks; words, each one load or one store; those that ask for room */
} plan;

/* What emission spells: the plan of each type, in the order of wire.types. */
typedef struct plans {
    const wire *wire;
    plan *first;
} plans;

const plans *fuse(arena *a, const wire *w);

/* One value by itself, at a place of which nothing is known, with `depth` loops around it; and of what has them the
 * presence bit, count or tag alone. */
step *fuse_value(arena *a, const wire_type *t, const op *o, const lvalue *at, int depth);
step *fuse_head(arena *a, const wire_type *t, const op *o, const lvalue *at);

/* Whether a type is spelled out where a type of the file `user` has it (a few fixed fields), inlined there, or called.
 * Depends on these two alone, so that an imported file comes out the same whoever imports it. */
typedef enum placement { PLACE_FLAT, PLACE_INLINE, PLACE_CALL } placement;
placement place_of(const schema_file *user, const wire_type *t);

/* Whether a type has functions of its own that other types call (write_at, read_at, measure_at). */
bool is_instanced(const wire_type *t);

#endif
