/* leaf_table.h - what a leaf is in generated code, in each form: a row for each leaf, of templates that look like the C they make.
 * SPDX-License-Identifier: MIT
 *
 * A leaf is an op that occupies bits by itself (wire.h). Templates draw on one set of variables, which leaf_table.c knows how to
 * spell; macros have their whole names, so that a name in generated code is found here by searching for it.
 */
#ifndef PKTC_LEAF_TABLE_H
#define PKTC_LEAF_TABLE_H

#include "emit/emit_internal.h"

typedef struct leaf_row {
    const char *serialize; /* T_serialize: the line of the leaf, whole in the open word */
    const char *across;    /* the same of a leaf across two words */
    const char *equal;     /* T_equal: a line that returns false unless both values are the same and can be written */
    const char *settle;    /* T_quantize: gives $value what a reader will see; NULL if that is what $value is already */
    const char *
        differs; /* expression: whether $value and $old have different bits. $old can be written; if $value cannot, it differs */
    const char *found;  /* the same of a value that was just read; NULL for `differs` */
    const char *in_row; /* a delta: the line of a field in a row; NULL if it is in none */
    const char *coded;  /* the same of a field that was compared together with others, its code being at $code */
    const char *steps;  /* delta<s, l>: the line; NULL if the leaf has no steps */
} leaf_row;

/* A line about 3 or 4 neighbours: a macro, and what it says of each of them. */
typedef struct group_row {
    const char *three, *four, *each;
} group_row;

extern const group_row group_serialize, group_compare, group_values;

/* A leaf and where it is. What a template does not ask for may be NULL. */
typedef struct leaf {
    const op *op;
    const step *step;            /* its place in the open word */
    const char *m;               /* the member, from the struct on: "bodies[i0].x" */
    const char *value, *old;     /* the expression of the value, and of what it is compared with: "in->x", "base->x" */
    const char *size, *old_size; /* OP_BYTES: the member with the size, and the expression of the other one */
    const char *changed,
        *code;      /* a delta: the mask, shifted so that the field's bit is the lowest; where its code is */
    bool may_equal; /* a delta: it may equal what it is compared with */
} leaf;

/* The row of a leaf, or of an op of varying width: text, bytes, compact, after. */
const leaf_row *leaf_row_of(const op *o);

/* The template of the line in T_serialize of a leaf that is placed. */
const char *leaf_line(const step *s);

/* Puts a template, or makes text of one. */
void leaf_put(const emitter *e, const char *template_text, const leaf *l);
const char *leaf_text(const emitter *e, const char *template_text, const leaf *l);

/* Expression: whether a value, the expression m, has other bits than the one of `unless`, which is usual and not sent. */
const char *leaf_unusual(const emitter *e, const op *o, const char *m);

/* Puts a line about `count` neighbours, 3 or 4, which ends with `rest`. */
void leaf_put_group(const emitter *e, const group_row *g, const leaf *leaves, unsigned count, const char *rest);

#endif
