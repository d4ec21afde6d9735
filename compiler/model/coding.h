/* coding.h - trained coding: the code tables of a schema, and how many bits each of their symbols has.
 * SPDX-License-Identifier: MIT
 *
 * Fields marked `coded` send symbols; a symbol that is expected more often has a shorter code: docs/wire.md, "Coded
 * deltas". A table has the number of bits of each symbol, from which the codes follow. Tables come from the model file,
 * or are flat: all symbols have about the same number of bits.
 */
#ifndef PKTC_CODING_H
#define PKTC_CODING_H

#include "base/out.h"
#include "model/schema.h"

enum {
    CODE_LONGEST = 12, /* bits of a code */
    CODE_CONTEXTS =
        6, /* tables of a number in a predicted type, chosen by its motion; or coded by its values, by the old one */
    CODE_VALUES_MOST = 31, /* frequent values of a number that have symbols of their own */
    CODE_VALUE_BITS = 32,  /* the most bits of such a number */
    CODE_MOST = 65,        /* symbols of a table: of a number of 64 bits, one for each number of bits from 0 on */
    CODE_MASK_MOST = 60,   /* fields of a block whose mask is coded */
    CODE_MASK_FIELDS = 5,  /* the most fields whose bits of a change mask are one symbol */
    CODE_MASK_GROUPS = CODE_MASK_MOST / CODE_MASK_FIELDS,
    CODE_MASK_WHOLE = 32 /* the most fields of a mask that may be coded by its frequent values */
};

struct code_table {
    struct code_table *next; /* in schema.tables */
    const char *name;        /* in model files: "Cube.x 0" */
    unsigned count;          /* of symbols, which are 0 to count - 1 */
    /* Of their codes in bits, 1 to CODE_LONGEST, of a complete prefix code. 0 of a symbol that cannot come, and of one that comes
     * alone. */
    uint8_t *lengths;
    uint32_t index;            /* its place in schema.tables */
    bool trained;              /* the lengths are those of a model */
    field *number;             /* of this number, which a model may code by its values; or NULL */
    block *changes;            /* of the change mask of this block; or NULL */
    uint8_t context;           /* of a number */
    const code_values *values; /* it codes values, in one of their contexts; NULL: it does not */
};

/* The frequent values of a number, by their codes, or of a change mask; the most frequent first. Their symbols are 0 to count - 1,
 * and the symbol of any other value is `count`. */
struct code_values {
    const char *name; /* in model files: "Cube.kind values", "Cube changes 0 values" */
    unsigned count;   /* 1 to CODE_VALUES_MOST */
    const uint64_t *codes;
    const code_table *first; /* the table of the context 0 */
    bool trained;            /* they are those of a model */
};

/* The greatest code of an integer, a fixed or a real number, an enum or flags. */
uint64_t greatest_number_code(const type *t);

/* The bits of the code of such a number, or of a component of a quat. No difference needs more. */
unsigned coded_bits(const type *t);

/* The tables of a coded field, one for each motion that a prediction may have, or for what the old value was: up to CODE_CONTEXTS,
 * or 1. */
unsigned coded_contexts(const field *f);

/* Whether values of a type have codes in deltas if a field with `coded` has them: numbers and rotations; enums and flags of 1 to
 * CODE_VALUE_BITS bits, as numbers that are always coded by their frequent values. */
bool may_have_codes(const type *t);
/* Whether a coded field has such an enum or flags. */
bool has_values_only(const field *f);

/* Whether a model may code numbers of a type by their frequent values: they have at most 32 bits, are no rotations, do not go
 * round, and cannot be raw. */
bool may_have_frequent_values(const type *t);
/* Whether a value of such a type has the code. */
bool is_code_of_type(const type *t, uint64_t code);
/* Whether it may do so for this field, which is coded and not extrapolated. */
bool can_code_values(const field *f);

/* Codes a field by values instead of differences: flat tables take the place of its tables. The numbers of other tables stay.
 * codes: 1 to CODE_VALUES_MOST, different, from 0 to the field's greatest code; copied. */
void code_by_values(arena *a, schema *s, field *f, const uint64_t *codes, unsigned count);
/* The inverse: flat tables for differences. */
void code_by_differences(arena *a, schema *s, field *f);

/* The same for a change mask of at most CODE_MASK_WHOLE fields: by its values, or in groups, whose tables are flat. A mask has a bit
 * for each field, the lowest for the first one. */
void code_mask_by_values(arena *a, schema *s, block *b, const uint64_t *masks, unsigned count);
void code_mask_in_groups(arena *a, schema *s, block *b);

/* Gives the masks of a block in new elements of lists tables of their own, b->in_new, if they have none: in groups, flat. */
void code_new_masks(arena *a, schema *s, block *b);
/* The inverse. */
void code_new_masks_alike(arena *a, schema *s, block *b);

/* Whether a table is the first one of b->in_new of a block: by it a model says that the block has one. */
bool begins_new_masks(const code_table *t);

/* Whether masks of a struct or union, or of a type in it, have their own codes in new elements. */
bool has_new_masks(const decl *d);

/* The tables of a change mask: one with its values, or one for each group. */
unsigned mask_tables(const block *b);

/* The values whose line precedes that of a table, which is the first one of a number or of a mask; NULL: there are none. */
const code_values *values_before(const code_table *t);

/* The symbol of a code: its place among the values, or their count. */
unsigned symbol_of_value(const code_values *v, uint64_t code);

/* Whether predictions can extrapolate a field, or something in it. */
bool field_moves(const field *f);

/* Whether they extrapolate something in a type from its motion since an earlier value, not by its own speed. */
bool type_follows(const decl *d);
/* The same, but by its own speed. */
bool type_goes(const decl *d);

/* Whether a coded array in a @delta(predict) type has elements with an `after`, in which nothing is extrapolated: none is expected
 * to change. */
bool array_rests(const field *f);

/* The number of codes of a number that wraps, at most 2^32; 0 if it does not wrap. */
uint64_t circle_of(const type *t);

/* The number of groups of a block's change mask. A group is one symbol. The first groups may be one field longer. */
unsigned mask_groups(unsigned fields);
unsigned mask_group_size(unsigned fields, unsigned group);

/* Gives coded fields and blocks their tables, with flat codes, after schema_find_facts. */
void schema_find_tables(arena *a, schema *s);

/* Whether a symbol can come in a context of a field with `count` frequent values: not if no other value is there; and a value that
 * has changed is no longer the old one. */
bool value_comes(const field *f, unsigned count, unsigned context, unsigned symbol);

/* The same of a symbol of a table. */
bool symbol_comes(const code_table *t, unsigned symbol);

/* Whether a single symbol of a table can come, which is *symbol. */
bool comes_alone(const code_table *t, unsigned *symbol);

/* Whether a symbol of a table has a code: it can come, and others can. */
bool symbol_has_code(const code_table *t, unsigned symbol);

/* Whether lengths are those of a complete prefix code of a table. */
bool is_complete_code(const code_table *t, const uint8_t *lengths);

/* Whether a table is the one used without a model: all symbols have about the same number of bits. */
bool is_flat_code(const code_table *t);

/* Whether a field of the struct itself is coded. */
bool has_coded_field(const decl *d);

#endif
