/* codec_value.h - values of any type of a schema, as trees: the codec reads and writes them.
 * SPDX-License-Identifier: MIT
 *
 * A tree has the contents of the generated C struct, even values that are out of range, so that tests can make both
 * write the same value. It does not have values that are never on the wire: elements after the count, and absent
 * elements of a sparse array.
 */
#ifndef PKTC_CODEC_VALUE_H
#define PKTC_CODEC_VALUE_H

#include "model/schema.h"

#include <string.h>

typedef struct record record;

/* A value of a type, which says what members it has. Bytes that they do not use are zero. */
typedef struct datum {
    union {
        struct {
            union {
                /* bool, integer (two's complement), fixed (raw), enum, flags, ref (the id); float and double: the
                 * IEEE-754 bits */
                uint64_t number;
                uint8_t *bytes; /* string (without a terminating zero), bytes */
                uint64_t tag;   /* union */
            };
            union {
                uint32_t size;     /* of `bytes` */
                record *record;    /* struct, or the member of a union; NULL if the tag is out of range */
                uint64_t got_code; /* a quantized number that has been read: its code and 1; 0: it must be computed,
                                    * as after a change of the number */
            };
        };
        float parts[4]; /* quat: x, y, z, w; unit: x, y, z */
    };
} datum;

/* Up to SHARED_ELEMENTS elements of an array, shared by the values that have the same ones. */
enum { SHARED_ELEMENTS = 32 };
typedef struct element_block {
    uint32_t refs; /* of kept values: see codec_kept.h; 0: of none */
    uint32_t count;
    const field *of;            /* of a kept one: whose elements they are, */
    struct element_block *twin; /* what they have become in another schema, or NULL; */
    uint64_t weight;            /* block_weight */
    uint64_t hash;              /* the hash of them, or 0: not computed yet; and the next one in its bucket */
    struct element_block *next;
    struct kept_values *keeper; /* of a kept one; and its text, see keep_text_of_block */
    const char *text;
    size_t text_size;
    uint32_t in_page; /* the page of a table that has its elements as rows, from `row` on; 0: of none */
    uint32_t row;
    datum at[];
} element_block;

/* The value of a field. */
typedef struct slot {
    bool present; /* true unless the field is optional and absent */
    bool alike;   /* all elements are data[0]: so base values of arrays take no memory for each element */
    /* Elements in data: 1 for a field that is not an array. If the count of an array is computed, it may differ from
     * this: elements beyond the count are not used, and missing ones have base values. */
    uint32_t count;
    uint32_t *indices;      /* of the elements of a sparse array, in ascending order */
    datum *data;            /* the elements, in the order of C; NULL if `count` is out of range */
    element_block **blocks; /* the same in blocks, and `data` is NULL; NULL: they are in `data` */
} slot;

/* A struct or packet. */
struct record {
    const decl *decl;
    slot *slots; /* one for each of decl->fields; those of local fields are empty */
    /* It has been read, and does not change any more: it has the shape of a baseline, and is settled. */
    bool sound;
    bool predicted;  /* of a baseline: elements in it can be expected to change */
    uint32_t row;    /* of the page in_page of a table */
    uint64_t weight; /* of one that is sound, or shared by base values: see record_weight */
    uint32_t refs;   /* of kept values: see codec_kept.h; 0: of none */
    uint32_t in_page;
    uint64_t hash; /* of what is in it, or 0: not computed yet; and the next kept one in its bucket */
    record *next;
    record *twin;     /* of a kept one: what it has become in another schema; or NULL */
    uint64_t in_seed; /* of a kept part of a packet: its hash in the seed; 0: not computed yet */
};

static inline slot *slot_of(const record *r, const field *f)
{
    return &r->slots[f->index];
}

static inline const datum *slot_at(const slot *s, uint32_t i)
{
    return s->blocks ? &s->blocks[i / SHARED_ELEMENTS]->at[i % SHARED_ELEMENTS] : &s->data[s->alike ? 0 : i];
}

/* How many elements are in data. */
static inline uint32_t slot_held(const slot *s)
{
    return s->alike && s->count > 0 ? 1 : s->count;
}

/* Whether the blocks that have element i of both are the same one. */
static inline bool shares_block(const slot *a, const slot *b, uint32_t i)
{
    return a->blocks && b->blocks && i < a->count && i < b->count &&
           a->blocks[i / SHARED_ELEMENTS] == b->blocks[i / SHARED_ELEMENTS];
}

/* The first place from i to `end` that no shared block has; `end` or more if there is none. */
static inline uint32_t unshared(const slot *a, const slot *b, uint32_t i, uint32_t end)
{
    while (i < end && shares_block(a, b, i))
        i += SHARED_ELEMENTS - i % SHARED_ELEMENTS;
    return i;
}

/* The elements of a fixed array over all dimensions; the N of other arrays; 1 for a field that is not an array. */
uint32_t field_capacity(const field *f);

/* The number of a value whose type is not real. */
/* The key of an element of a list. */
num key_of_element(const field *list, const datum *element);

/* The element of a list with this key, or NULL. *from: those before have smaller keys, and so do those before the next. */
const datum *element_of_key(const field *list, const slot *s, num key, uint32_t *from);

/* Two values of a list, side by side: in each step the element with the next key, NULL where it is missing. */
typedef struct list_pairs {
    const field *list;
    const slot *now, *base;
    uint32_t now_at, base_at; /* behind the last step's */
    const datum *v, *old;
} list_pairs;

bool list_pairs_next(list_pairs *p);

static inline num datum_num(const type *t, const datum *d)
{
    bool negative = storage_is_signed(t->storage) && d->number >> 63 != 0;
    return (num){.magnitude = negative ? 0 - d->number : d->number, .negative = negative};
}

/* Converts a real number to and from its IEEE-754 bits: 32 for STORAGE_FLOAT, 64 for STORAGE_DOUBLE. */
static inline uint64_t real_to_bits(storage s, double real)
{
    uint64_t wide;
    uint32_t narrow;
    float single = (float)real;
    memcpy(&wide, &real, sizeof wide);
    memcpy(&narrow, &single, sizeof narrow);
    return s == STORAGE_FLOAT ? narrow : wide;
}

static inline double real_from_bits(storage s, uint64_t bits)
{
    double wide;
    float single;
    uint32_t narrow = (uint32_t)bits;
    memcpy(&wide, &bits, sizeof wide);
    memcpy(&single, &narrow, sizeof single);
    return s == STORAGE_FLOAT ? (double)single : wide;
}

/* Base values: see language.md. All values from one `bases` share their inner values, which must not be changed; the
 * slots of bases_record and the data of bases_slot belong to the caller, and are in the arena `a`. So a struct costs only its own fields, even if
 * it contains others many times on sides not taken. */
typedef struct bases bases;
bases *bases_new(arena *a);
/* The same, for values that are kept: no kept value may outlive it. */
bases *bases_lasting(arena *a);
datum bases_datum(bases *b, const field *f);
slot bases_slot(bases *b, arena *a, const field *f);
record *bases_record(bases *b, arena *a, const decl *d);
datum bases_type(bases *b, arena *a, const decl *d); /* a struct or union */
/* The same, but of initial values. */
datum bases_given(bases *b, const field *f, bool initial);
record *bases_initial(bases *b, arena *a, const decl *d);
/* What a new element of a list starts from: initial values with its key, on which branches can depend. */
datum bases_element(bases *b, arena *a, const field *list, const datum *element);
/* A copy as a reader would get it: absent optionals, and fields on sides not taken, have their base values. A sound value
 * is such a copy itself. */
datum bases_settled(bases *b, arena *a, const datum *from);

/* About how many bytes a struct would take if it shared nothing, without fields on sides not taken. What a delta does not
 * change is shared, and so are base values: a value that takes little memory can be large for whoever goes through it. */
uint64_t record_weight(const record *r);
/* The same for the elements of a block of a field. */
uint64_t block_weight(const field *f, const element_block *b);

/* The same for a single value. */
datum base_datum(arena *a, const field *f);
slot base_slot(arena *a, const field *f);
record *base_record(arena *a, const decl *d);
datum base_of_type(arena *a, const decl *d);
datum settled_datum(arena *a, const datum *from);

/* The number of elements in use of an array whose count is computed: all that it can have, if a field is out of range.
 * And these elements. */
uint32_t computed_count(const field *f, const record *r);
slot computed_slot(arena *a, const field *f, const record *r);
/* Whether a condition is true of the fields of a record. */
bool is_condition_true(const expr *e, const record *r);
/* The side of an if, or the arm of a switch, that is taken; NULL if none is. */
const block *chosen_block(const item *i, const record *r);

#endif
