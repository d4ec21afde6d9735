/* emit_delta_internal.h - what emit_delta.c asks of emit_delta_leaf.c: a single value of a delta as C text.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_EMIT_DELTA_INTERNAL_H
#define PKTC_EMIT_DELTA_INTERNAL_H

#include "emit/emit_internal.h"

/* Where a value is in the two values that are compared, as C text. */
typedef struct spot {
    const delta_value *value;
    const char *m;        /* in `in` and `out`: "bodies[i0]" */
    const char *old;      /* the baseline's, as an expression; of a struct or union its address */
    const char *old_size; /* bytes: how many the baseline has; counted arrays: how many elements */
    const char *elements; /* arrays: the local bitmap of changed elements; NULL before it is declared */
    const char *start;    /* the local with the first bit of the field or element; NULL before it is declared */
} spot;

/* Whether a value that is not an array differs from the baseline's. A baseline can be written, so a value that cannot be
 * written differs. */
const char *spell_changed(const emitter *e, const spot *s);

/* The lines of a DELTA_STEPS value. */
void emit_step_of(emitter *e, const spot *s);

/* The line of a field in a row. changed: the mask, shifted so that the field's bit is the lowest. code: where the code of a
 * float that is compared together with others is, else NULL. */
void emit_in_row(emitter *e, const spot *s, const char *changed, const char *code);

/* A line about `count` floats that are compared together, "PKT_$what3(x, base->x, -8.0f, 8.0f, 1600, ..." with `mask`, the bit
 * of the first one and the array of their codes behind them. */
void emit_together(emitter *e, const char *what, const spot *spots, unsigned count, const char *mask, unsigned bit,
                   const char *codes);

#endif
