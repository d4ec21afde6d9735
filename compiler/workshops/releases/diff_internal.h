/* diff_internal.h - shared by the files of diff/.
 * SPDX-License-Identifier: MIT
 *
 * match.c finds the pairs of old and new things, and compare.c compares them. value_rules.c determines the effect on
 * values, bit_shape.c whether bits are laid out as before, and units.c compares units in comments.
 */
#ifndef PKTC_DIFF_INTERNAL_H
#define PKTC_DIFF_INTERNAL_H

#include "base/hash_table.h"
#include "releases/conversion.h"
#include "releases/diff.h"
#include "model/type_table.h"

typedef struct guard { /* an if, else or case around a field */
    const struct guard *outer;
    const item *item;
    bool other;     /* ITEM_IF: the else */
    const arm *arm; /* ITEM_SWITCH */
} guard;

typedef struct field_place { /* where a field is on the wire */
    const field *field;
    const guard *guard; /* NULL: it is always there */
    const op *op;       /* the whole field */
    uint32_t index;     /* among the fields of its type that are on the wire */
} field_place;

typedef struct side { /* one of the two schemas */
    const wire *wire;
    map *places; /* (field, NULL): field_place */
    map *types;  /* (decl, NULL): wire_type, of structs and unions */
    map *shapes; /* (decl, NULL): shape, see bit_shape.c */
} side;

/* A new thing may be an old one under another name. If more old ones than these were removed, pktc does not ask. */
enum { LOOKALIKES = 32 };

typedef struct arm_memory { /* the result of comparing two arms; each field in them needs it */
    const arm *before, *after;
    bool same;
} arm_memory;

struct comparer {
    arena *arena;
    arm_memory *arms;
    const decl *gone[LOOKALIKES + 1]; /* old declarations without a new one */
    uint32_t gone_count;
    side before, after;
    map *old_of;  /* (new decl, field or member, NULL): the old one */
    map *new_of;  /* (old decl, field or member, NULL): the new one */
    map *pair_of; /* (new decl, NULL): its pair */
    comparison *result;
};

/* ---- match.c */

/* Fills old_of and new_of for declarations, their members and their fields. */
void match_all(comparer *c);
const decl *old_decl(const comparer *c, const decl *after);
const decl *new_decl(const comparer *c, const decl *before);
const field *old_field(const comparer *c, const field *after);
const field *new_field(const comparer *c, const field *before);
const member *old_member(const comparer *c, const member *after);
const member *new_member(const comparer *c, const member *before);
bool is_sent(const field *f); /* not local */

/* ---- places.c */

/* Fills the places and types of both sides. */
void place_all(comparer *c);
const field_place *place_of_field(const side *s, const field *f);
const wire_type *type_of_decl(const side *s, const decl *d);
/* The op of a single element, without its presence bit or count. */
const op *element_of(const op *o);
const char *guard_words(arena *a, const guard *g);
/* The guard of the items inside an if, its else (`other`) or an arm of a switch. */
const guard *guarded(comparer *c, const guard *outer, const item *it, bool other, const arm *in);

/* ---- conditions.c */

/* Whether a number of an enum stays valid without its member: the enum has a width, and no other member has it now. */
bool number_stays(const decl *before, const decl *after, num n);
/* Whether each value of an enum or flags type has the same number now. */
bool keeps_numbers(const comparer *c, const decl *before, const decl *after);
/* Whether an enum had numbers without a name that have no place now. */
bool loses_unnamed(const decl *before, const decl *after);
/* Whether a field is `after` the same field, or after none. */
bool comes_after_alike(const comparer *c, const field *before, const field *after);
/* Whether no `after` changes the numbers of a field: neither its own, nor that of a field that it comes after. */
bool keeps_number_after(const comparer *c, const field *before, const field *after);
/* Whether two names of baselines have the same fields and constants. */
bool same_sum(const comparer *c, const field_sum *before, const field_sum *after);
/* Whether two fields are on the wire in the same cases, and whether two expressions give the same results. */
bool same_guard(const comparer *c, const guard *before, const guard *after);
bool same_condition(const comparer *c, const expr *before, const expr *after);

/* ---- words.c: everything with constants evaluated */

/* The shortest text that reads back the same in the storage; 100 and not 1e+02. */
const char *real_words(arena *a, double real, storage s);
const char *type_words(arena *a, const type *t);
const char *value_words(arena *a, const type *t, value v);
const char *field_words(arena *a, const field *f);     /* "optional u8[4] unless 3" */
const char *speed_words(arena *a, const own_speed *s); /* "@speed(dx * moving)" */
const char *item_words(arena *a, const item *i);       /* of const, reserved, check and align */
const char *range_words(arena *a, const char *noun, uint64_t least, uint64_t most); /* "8 bits", "1 to 9 bits" */

/* ---- bit_shape.c */

/* Whether the bits of a type are laid out as before: the same widths, counts, conditions and constants in the same
 * order. Then an old reader does not notice the change. */
bool same_shape(comparer *c, const decl *before, const decl *after);

unsigned enum_bits(const decl *d); /* of a value of an enum */
bool same_real(double x, double y);

/* Whether the bits of an element mean the same value. Only for elements of the same shape. */
bool same_code(const comparer *c, const type *before, const type *after);

/* ---- value_rules.c */

outcome worse(outcome one, outcome other);

rule rule_of(const comparer *c, const type *before, const type *after);

/* The outcome of converting values from one type to the other, and *effect, a text with details or "". */
outcome convert_type(const comparer *c, const type *before, const type *after, const char **effect);

/* The outcome for the elements of arrays, if both are arrays; for a value, if neither is. */
outcome convert_array(const comparer *c, const field *before, const field *after, const char **effect);

/* The greatest finite number of a type. */
double greatest_number(const type *t);

/* The value of a field that the old schema does not have: "to 5". */
const char *default_words(arena *a, const field *f);

/* ---- codes.c */

/* The change of the model for a field that is coded in both, or for a type's change masks: "other codes"; or NULL. */
const char *codes_change(comparer *c, const field *before, const field *after);
const char *masks_change(comparer *c, const decl *before, const decl *after);

/* ---- units.c */

/* The change of the unit in two comments, if they name different units of one kind: "metre -> foot"; otherwise NULL. */
const char *unit_change(arena *a, const char *before, const char *after);

#endif
