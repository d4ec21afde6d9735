/* leaf_table.h - the lines of generated code for each kind of leaf, as templates that look like the C that they make.
 * SPDX-License-Identifier: MIT
 *
 * A leaf is an op that has bits itself (wire.h). All templates use the same variables, such as $m for the member;
 * leaf_table.c knows their values. Names of macros are written in full, so that a search for a name in generated code
 * finds it here.
 */
#ifndef PKTC_LEAF_TABLE_H
#define PKTC_LEAF_TABLE_H

#include "emit/emit_internal.h"

typedef struct leaf_row {
    const char *serialize; /* T_serialize; NULL: a number of the kind `as`, of fixed width */
    const char *sound;     /* T_sound: returns false if no baseline can have the value; NULL: it can have any */
    /* An expression: do $value and $old differ in memory and on the wire? A value that cannot be written differs from
     * all others. */
    const char *differs;
    const char *unusual; /* the same where $old is a constant; NULL: use `differs` */
    const char *found;   /* like `differs`, for a value that was just read; NULL: use `differs` */
    /* A number: its kind, an argument of PKT_FIELD and of the macros of deltas, such as PKT_STEP. */
    const char *as;
    /* Like `differs`; stores both codes in $code, because they are dear. NULL: they are not. */
    const char *step_differs;
    /* A number that predictions move, likewise: do $value and the prediction of $old, which has come from $before, differ? NULL: see
     * leaf_moves. */
    const char *step_moves;
    const char *step_goes; /* the same for a number that goes $before steps */
    const char *entry;     /* a raw real: its kind in the table of the type, what follows PKT_ENTRY_ */
} leaf_row;

/* A line about 3 or 4 neighbours: the macro, and its arguments that are lists, each with a part for each neighbour. */
typedef struct group_row {
    const char *macro, *lists[3];
} group_row;

extern const group_row group_serialize, group_compare, group_values;

/* A leaf and where it is. Members that a template does not use may be NULL. */
typedef struct leaf {
    const op *op;
    const step *step;        /* its place in the word */
    const char *m;           /* the member: "bodies[i0_].x" */
    const char *value, *old; /* expressions: the value, and the value to compare with: "in_->x", "base_->x" */
    const char *before;      /* a number that is predicted: the one from which `old` has come, or how far that goes */
    const char *coding;      /* and the pkt_coding that says how it moves */
    const char *size, *old_size; /* OP_BYTES: the member that is the size, and an expression of the old size */
    const char *mask, *bit;      /* a delta: the variable with the word of the mask, and the number of its bit there */
    const char *places,
        *index;                /* a delta: the variable with the places of up to four neighbours, and which one it is */
    const char *code;          /* a delta: the variable that has its code */
    const char *row, *differs; /* a delta: the row that it is gathered in; an expression: does it differ? */
} leaf;

/* The row of a leaf or of an op of varying width (text, bytes, compact, after). */
const leaf_row *leaf_row_of(const op *o);

/* The name of a const, reserved or check in errors. */
const char *spell_constant_kind(const op *o);

/* The template of a placed leaf's line in T_serialize. */
const char *leaf_line(const step *s);

/* Fills in a template, and adds it to the output or returns it. */
void leaf_put(const emitter *e, const char *template_text, const leaf *l);
const char *leaf_text(const emitter *e, const char *template_text, const leaf *l);

/* An expression: does a number differ from its prediction? Stores the codes in $code, if need be by a line that it adds, with
 * `guard` before it. */
const char *leaf_moves(const emitter *e, const leaf *l, const char *guard);

/* "Bird_x_way_(k_, base_)": how far a number goes by its own speed. coding: the pkt_coding of the delta. */
const char *spell_way(const emitter *e, const field *f, const char *coding);

/* A condition: may a baseline of the type move, from `from` or by speeds of its own? coding: "k_." or the like. */
const char *spell_may_move(const emitter *e, const wire_type *t, const char *coding, const char *from,
                           const char *base);

/* An expression: does the value m have other bits than the usual value, the D of `unless D`, which is not sent? */
const char *leaf_unusual(const emitter *e, const op *o, const char *m);

/* Adds a line about `count` (3 or 4) neighbours, with `rest` as its last argument. */
void leaf_put_group(const emitter *e, const group_row *g, const leaf *leaves, unsigned count, const char *rest);

/* Adds a line about 2 to 4 coded neighbours. `bit`: of the first one in the mask. changes: the address of the
 * description of the mask, if that is in the row, or "NULL". moves: the numbers are predicted. */
void leaf_put_coded_row(const emitter *e, const leaf *leaves, unsigned count, const char *mask, const char *changes,
                        unsigned bit, bool moves);

#endif
