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
    int level;        /* of nested scopes: their locals have different names, so that none hides another */
    const char *from; /* the pointer to what the block has moved from: "before_" */
} delta;

/* Where a value is in the two values that are compared, as C text. */
typedef struct spot {
    const delta_value *value;
    const char *m;    /* in in_ and out_: "bodies[i0_]" */
    const char *has;  /* a condition under which the baseline has it; NULL: it always has */
    const char *old;  /* expression: the baseline's or the base value; of a struct or union its address, or NULL */
    const char *from; /* the pointer to what the baseline has moved from, or to the baseline if that lacks the value */
    const char *
        before; /* what is predicted: like `old`, in `from`, or how far it goes by its own speed; other coded numbers: `old` */
    const char *old_size;  /* a `bytes` field: its size in the baseline, or 0 */
    const char *old_count; /* counted arrays: the count in the baseline, or that of a base value */
    const char *held;      /* counted arrays: the number of elements that the baseline has */
    const char *elements;  /* arrays: the local bitmap of changed elements */
    const char *expected;  /* arrays that are no lists: that of those expected to change; NULL: none is */
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
/* The local that has the codes of a field, from its comparison on: "turn_step_"; NULL for other values. */
const char *delta_step_codes(const delta *k, const delta_value *v);
const char *delta_index(const delta *k, const delta_value *array);
/* The pointer to what the current element of a list has moved from. */
const char *delta_listed(const delta *k, const delta_value *list);
void delta_open_scope(delta *k);
void delta_close_scope(delta *k);
/* Whether a value is a coded number in a type of which something is predicted. */
bool delta_is_predicted(const delta *k, const delta_value *v);
spot spot_of_field(delta *k, const delta_value *v, const char *has);
/* The current element of the loop over an array. */
spot spot_of_element(delta *k, const spot *array);
leaf spot_leaf(const emitter *e, const spot *s);

#endif
