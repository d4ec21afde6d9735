/* delta_plan.h - plans of deltas: comparisons with the baseline, the mask bit of each field, and the order of writing.
 * SPDX-License-Identifier: MIT
 *
 * plan_deltas makes a plan for each @delta type and each type in one. emit_delta.c spells the plan and phases/dump_wire.c
 * prints it; neither decides anything. The delta of a block (docs/wire.md, "Deltas") is written in this order:
 *
 *   compare   each field with the baseline's; the elements of an array too, into a bitmap
 *   mask      a bit for each field of the block, in words of 64
 *   steps     in wire order: the fields that have changed, items that are always written, nested branches
 *
 * Which fields change is hard to predict, so small neighbouring fields form a row: one word and one bounds check for
 * all of them, and no branch for each. Three or four quantized floats in rows are compared in one operation, which also
 * computes the codes to write. When they are read, one more operation turns their codes into values. Coded neighbours
 * are rows too, of 2 to 4 numbers, which the runtime writes and reads in one call.
 *
 * A baseline may lack a value: a branch not taken, an absent optional, elements past its count. Then the value is
 * compared with a base value instead.
 */
#ifndef PKTC_DELTA_PLAN_H
#define PKTC_DELTA_PLAN_H

#include "wire/fuse.h"

typedef struct delta_block delta_block;
typedef struct delta_value delta_value;

/* How a changed value is sent. */
typedef enum delta_form {
    DELTA_FLIP,    /* a bool: nothing after its mask bit */
    DELTA_FULL,    /* its full encoding: `full` */
    DELTA_STEPS,   /* delta<s, l>: the difference in s or l bits, or the full encoding */
    DELTA_CODED,   /* coded: the difference by the model */
    DELTA_OF_TYPE, /* the delta of its struct or union */
    DELTA_ARRAY,   /* `head` if it is counted; then the subset of elements that have changed */
    DELTA_OPTIONAL /* `head`; then `inner` if it is present */
} delta_form;

/* The value to compare with if the baseline lacks the value. */
typedef enum delta_lack {
    LACK_NEVER,
    LACK_BASE, /* the base value of its field */
    LACK_BLANK /* a struct or union of base values */
} delta_lack;

struct delta_value {
    delta_form form;
    const op *op;
    const lvalue *at;
    int depth;          /* the number of loops around it, which is also the index of an array's own loop */
    bool may_equal;     /* it can be unchanged, because it is in an optional */
    delta_lack lack;    /* of values in a branch, a counted array or an optional */
    const step *head;   /* OPTIONAL: presence; ARRAY: the count if it is counted, otherwise NULL */
    const step *full;   /* FULL */
    delta_value *inner; /* ARRAY: the element; OPTIONAL: the value */
};

typedef struct delta_field {
    delta_value *value;
    bool in_row;
    unsigned row;      /* the number of fields in the row that begins here; 0 if none does */
    unsigned together; /* fields that one operation compares from here on: 3 or 4, or 1; 0 for those after the first */
    unsigned first;    /* the first of the fields compared in the same operation */
    unsigned coded;    /* the number of fields in the coded row that begins here; 0 if none does */
} delta_field;

typedef enum delta_step_kind {
    DELTA_ROW,     /* `count` fields from `first` on, in one word; each one present if it has changed */
    DELTA_VALUES,  /* when reading: turns the codes of `count` fields from `first` on into values */
    DELTA_NUMBERS, /* `count` coded numbers from `first` on, each one present if it has changed */
    DELTA_CHANGED, /* field `first` alone, if its bit is set */
    DELTA_ALWAYS,  /* padding and constants */
    DELTA_IF,
    DELTA_SWITCH
} delta_step_kind;

/* One side of a branch. If the baseline took another side, the fields are compared with base values. */
typedef struct delta_side {
    struct delta_side *next;
    const op_arm *arm; /* SWITCH */
    delta_block *block;
} delta_side;

typedef struct delta_step {
    struct delta_step *next;
    delta_step_kind kind;
    unsigned first, count;
    unsigned bits; /* ROW: the most bits, without the mask */
    const op *op;  /* IF, SWITCH */
    const step *always;
    delta_side *sides; /* IF: one side, or two if there is an else; SWITCH: one for each arm */
} delta_step;

enum { MASK_BITS = 64 };

struct delta_block {
    const op *ops;
    delta_field *fields; /* field n has bit n % MASK_BITS in word n / MASK_BITS of the mask */
    unsigned count;
    const block *of;        /* the block in the schema: whether and how its mask is coded */
    bool mask_in_row;       /* the mask shares a word with the row after it */
    bool mask_in_coded_row; /* the mask is coded and in the coded row after it */
    delta_step *steps;
};

typedef struct delta_plan {
    const wire_type *type;
    delta_block *block; /* structs and packets; NULL for a union */
    const step *tag;    /* unions; each member is LACK_BLANK where the baseline has another member */
} delta_plan;

/* The bits of a field in a row after the mask; 0 for a bool, which has only its bit in the mask. */
unsigned delta_row_bits(const delta_field *f);

/* The plan of each type, by wire_type.index; NULL for a type that is not in a @delta type. */
const delta_plan *const *plan_deltas(arena *a, const wire *w);

/* The functions that the @delta types of a file need of a nested type. Each value includes those before it. */
typedef enum delta_use {
    DELTA_UNUSED,
    DELTA_ALWAYS_BASED, /* its delta against a baseline */
    DELTA_OR_BLANK,     /* its delta without a baseline: of @delta types, and of values that a baseline may lack */
    DELTA_COMPARED      /* a comparison with a value that a baseline may lack */
} delta_use;

/* For each type, by wire_type.index, how it is used in `file`, or in all files if `file` is NULL. */
const delta_use *types_with_deltas(arena *a, const wire *w, const schema_file *file);
/* For each type, whether the deltas of other types compare it as a whole. uses: from types_with_deltas. */
const bool *types_compared(arena *a, const wire *w, const delta_use *uses);

#endif
