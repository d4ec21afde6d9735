/* delta_spot.h - the locals of a delta body, and where a value is in the two values that are compared.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DELTA_SPOT_H
#define PKTC_DELTA_SPOT_H

#include "emit/leaf_table.h"
#include "wire/delta_plan.h"

typedef struct delta {
    emitter *e;
    const wire_type *type;
    int level; /* of nested scopes: their locals have different names, so that none hides another */
} delta;

/* Where a value is in the two values that are compared, as C text. */
typedef struct spot {
    const delta_value *value;
    const char *m;         /* in in_ and out_: "bodies[i0_]" */
    const char *has;       /* a condition under which the baseline has it; NULL: it always has */
    const char *old;       /* expression: the baseline's or the base value; of a struct or union its address, or NULL */
    const char *was;       /* the same in the value it was predicted from; `old` if the type has no motion */
    const char *old_size;  /* a `bytes` field: its size in the baseline, or 0 */
    const char *old_count; /* counted arrays: the count in the baseline, or that of a base value */
    const char *held;      /* counted arrays: the number of elements that the baseline has */
    const char *elements;  /* arrays: the local bitmap of changed elements */
} spot;

/* The name of a local in the current scope: "changed", or "changed1" in a nested one. */
const char *delta_local(const delta *k, const char *what);
/* The mask that has this bit: "changed_", or "changed64on_" for the bits from 64 to 127. */
const char *delta_mask(const delta *k, unsigned bit);
/* The number of rows that begin with one of the fields up to n; the row that field n is in: "rows_[1]". */
unsigned delta_rows(const delta_block *b, unsigned n);
const char *delta_row(const delta *k, const delta_block *b, unsigned n);
/* The address of the code of a field that is compared together with others: "x_codes_ + 1"; NULL for other fields. */
const char *delta_code(const delta *k, const delta_block *b, unsigned n);
/* The local that has both codes of a field with steps, from its comparison on: "turn_step_"; NULL for other values. */
const char *delta_step_codes(const delta *k, const delta_value *v);
const char *delta_index(const delta *k, const delta_value *array);
void delta_open_scope(delta *k);
void delta_close_scope(delta *k);
/* The text of an expression about base_ as one about was_. */
const char *spell_was(const delta *k, const char *old);
spot spot_of_field(delta *k, const delta_value *v, const char *has);
/* The current element of the loop over an array. */
spot spot_of_element(delta *k, const spot *array);
leaf spot_leaf(const emitter *e, const spot *s);

#endif
