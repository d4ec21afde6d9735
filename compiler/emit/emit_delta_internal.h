/* emit_delta_internal.h - what the parts of emit_delta share.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_EMIT_DELTA_INTERNAL_H
#define PKTC_EMIT_DELTA_INTERNAL_H

#include "emit/emit_internal.h"

typedef struct delta {
    emitter *e;
    const wire_type *t;
    const char *name; /* of the type in C */
    int level;        /* of braces within which locals have names of their own, so that none hides another */
} delta;

/* A value of which there are two: one in `in` and `out`, one in the baseline. */
typedef struct spot {
    const lvalue *at;
    const char *m;        /* the same as text */
    const char *old;      /* the baseline's, as an expression; its address, where it is a struct or union */
    const char *old_size; /* bytes: how many; counted arrays: how many elements */
    const char *elements; /* arrays: the local bitmap of changed elements */
    const char *start;    /* the local with the first bit of its field or element */
    bool optional;        /* what follows a presence bit may equal a base value */
    int depth;            /* loops around it */
} spot;

/* A field's bit of a change mask. */
typedef struct mask_bit {
    const char *mask; /* the local with its word */
    unsigned shift;
    spot array;   /* of an array, with its elements compared */
    unsigned row; /* so many from this one on are a row; 0 behind the first, and where there is none */
    bool in_row;
    bool begins; /* this row is in one word with the mask */
    unsigned
        together; /* so many from this one on are compared at once: 1, or 3 or 4 quantized floats; 0 behind the first */
    const char *codes; /* of these: where its code is; else NULL */
} mask_bit;

/* ---- emit_delta_spot.c: values and where they are in the baseline */

/* Whether an op of a block has a bit in its mask. */
bool delta_has_bit(const op *o);
bool delta_is_array(const op *o);
/* What a presence bit is about; else the op itself. */
const op *delta_value(const op *o);
/* A local of the scope that is open: "start", and "start1" within; one that several fields of a block have. */
const char *delta_local(const delta *k, const char *what);
const char *delta_local_of(const delta *k, const op *o, const char *what);
/* Around lines in braces that have locals of their own; the brace alone. */
void delta_open(delta *k);
void delta_close(delta *k);
void delta_close_brace(emitter *e);
const lvalue *delta_field(delta *k, const field *f);
/* Of a quantized number: "-8.0f, 8.0f, 1600"; what the names of its macros end with. */
const char *delta_range(const emitter *e, const type *t);
const char *delta_wide(const type *t);
/* Whether a value that is no array differs from the baseline's: a baseline can be written, so that one that cannot be does. */
const char *delta_differs(const delta *k, const op *o, const spot *s);
/* A field, with the baseline's value in `from`, and where `missing` holds (NULL: never) its base value instead. */
spot delta_spot(delta *k, const op *o, const char *from, const char *missing);
/* The element of an array that the loop around it is at. */
spot delta_element(delta *k, const op *o, const spot *array);
/* The bitmap of the elements that have changed, empty when reading. present: a condition for there being any, or NULL. */
void delta_emit_elements(delta *k, const op *o, spot *array, const char *present);
const char *delta_array_differs(const delta *k, const op *o, const spot *s);

/* ---- emit_delta_row.c: neighbours without a branch each */

/* Which fields of a block are rows, for `count` of them with a bit in its mask. */
void delta_plan_rows(const op *o, mask_bit *bits, unsigned count);
/* The row that begins with a field. */
void delta_emit_row(delta *k, const op *o, const char *from, const mask_bit *bits);
/* Behind the rows of floats that are compared together: what becomes of them when they are read. */
void delta_emit_values(delta *k, const op *o, const char *from, const mask_bit *b);
/* Before these: which fields are compared together, and the locals with their codes. */
void delta_emit_codes(delta *k, const op *o, mask_bit *bits, unsigned count);
/* The fields' bits of the masks. texts: whether each differs. */
void delta_emit_comparisons(delta *k, const op *o, const char *from, const mask_bit *bits, const char *const *texts,
                            unsigned count);

/* ---- emit_delta_copy.c */

/* T_copy: a baseline into what is read, leaving alone what is not on the wire. */
void delta_emit_copy(emitter *e, const decl *d, const char *name);

#endif
