/* delta_plan.h - deltas planned: what is compared with the baseline, which bit of a mask each field has, what follows.
 * SPDX-License-Identifier: MIT
 *
 * plan_deltas makes a plan for each @delta type and each type inside one. emit_delta.c spells the plan and dump_wire.c
 * prints it; neither decides anything. A delta of a block (docs/wire.md, "Deltas") goes in this order:
 *
 *   compare   each field with the baseline's, and of an array each element, into a bitmap
 *   mask      a bit for each field of the block, in words of 64
 *   steps     in the order of the wire: fields that have changed, what is always written, nested branches
 *
 * Which fields change is hard to predict, so small neighbours go as a row: one word and one bounds check for all, and
 * no branch for each. Three or four quantized floats in rows are compared in one operation, which leaves their codes
 * to be written; after they are read, one more operation makes values of the codes.
 *
 * A baseline may lack a value: a side of a branch that it did not take, an optional that it did not have, elements past
 * its count. Such a value is compared with a base value instead.
 */
#ifndef PKTC_DELTA_PLAN_H
#define PKTC_DELTA_PLAN_H

#include "wire/fuse.h"

typedef struct delta_block delta_block;
typedef struct delta_value delta_value;

/* What is on the wire for a value that has changed. */
typedef enum delta_form {
    DELTA_FLIP,    /* a bool: nothing, for its bit in the mask says everything */
    DELTA_FULL,    /* what a whole value has there: `full` */
    DELTA_STEPS,   /* delta<s, l>: the difference in s or l bits, or else the whole code */
    DELTA_OF_TYPE, /* the delta of its struct or union */
    DELTA_ARRAY,   /* `head` if it is counted; then the elements that have changed, as a subset */
    DELTA_OPTIONAL /* `head`; then `inner` if it is present */
} delta_form;

/* What a value is compared with where the baseline lacks it. */
typedef enum delta_lack {
    LACK_NEVER,
    LACK_BASE, /* the base value of its field */
    LACK_BLANK /* a struct or union of base values, which has to be made */
} delta_lack;

struct delta_value {
    delta_form form;
    const op *op;
    const lvalue *at;
    int depth;          /* loops around it; of an array: the number of its own loop */
    bool may_equal;     /* in an optional: it may equal what it is compared with */
    delta_lack lack;    /* elements of counted arrays, and what an optional holds */
    const step *head;   /* OPTIONAL: presence; ARRAY: the count of a counted one, else NULL */
    const step *full;   /* FULL */
    delta_value *inner; /* ARRAY: the element; OPTIONAL: the value */
};

typedef struct delta_field {
    delta_value *value;
    bool in_row;
    unsigned row;      /* fields of the row that begins here; else 0 */
    unsigned together; /* fields compared in one operation from here on: 3 or 4; 0 after the first of them; else 1 */
} delta_field;

typedef enum delta_step_kind {
    DELTA_ROW,     /* `count` fields from `first` on, each of them there or not, in one word */
    DELTA_VALUES,  /* reading: `count` fields from `first` on, compared together, become values */
    DELTA_CHANGED, /* field `first` by itself, where its bit is set */
    DELTA_ALWAYS,  /* padding and constants */
    DELTA_IF,
    DELTA_SWITCH
} delta_step_kind;

/* A side of a branch. Where the baseline took another side, its fields are compared with base values. */
typedef struct delta_side {
    struct delta_side *next;
    const op_arm *arm; /* SWITCH */
    delta_block *block;
} delta_side;

typedef struct delta_step {
    struct delta_step *next;
    delta_step_kind kind;
    unsigned first, count;
    unsigned bits; /* ROW: at most, without the mask */
    const op *op;  /* IF, SWITCH */
    const step *always;
    delta_side *sides; /* IF: two; SWITCH: one for each arm */
} delta_step;

enum { MASK_BITS = 64 };

struct delta_block {
    const op *ops;
    delta_field *fields; /* field n has bit n % MASK_BITS of word n / MASK_BITS of the mask */
    unsigned count;
    bool holds_fields; /* here or in a branch within */
    bool mask_in_row;  /* the mask is in one word with the row after it */
    delta_step *steps;
};

typedef struct delta_plan {
    const wire_type *type;
    delta_block *block; /* structs and packets; NULL for a union */
    const step *tag;    /* unions */
    bool needs_blank;   /* a value of the type itself, of base values, stands in for what the baseline lacks */
} delta_plan;

/* Of each type, by wire_type.index, its plan; NULL for a type that is in no @delta type. */
const delta_plan *const *plan_deltas(arena *a, const wire *w);

/* Whether, by wire_type.index, a type is in a @delta type of `file`, or of any file if that is NULL. */
const bool *types_with_deltas(arena *a, const wire *w, const schema_file *file);

#endif
