/* codec_value.h - values of any type of a schema, as trees: what the codec reads into and writes from.
 * SPDX-License-Identifier: MIT
 *
 * A tree mirrors what the generated C struct holds, wrong values included, so that both can be asked to write the same
 * thing. What is not on the wire (the elements behind a count, those that a sparse array has not) is not in it.
 */
#ifndef PKTC_CODEC_VALUE_H
#define PKTC_CODEC_VALUE_H

#include "model/schema.h"

typedef struct record record;

/* One value of a type. What does not belong to the type is zero. */
typedef struct datum {
    uint64_t number; /* bool, integers in two's complement, fixed (raw), enums, flags, refs (the id); the
                                 * IEEE-754 bits of float and double, raw or quantized */
    float parts[4];  /* quat x, y, z, w; unit x, y, z */
    uint8_t *bytes;  /* string without its terminator, bytes */
    uint32_t size;
    uint64_t tag;   /* union */
    record *record; /* struct; the member of a union, NULL where the tag is out of range */
} datum;

/* What a field holds. */
typedef struct slot {
    bool present;      /* of what is optional; else true */
    uint32_t count;    /* elements: 1 without an array, all of a fixed one, outermost dimension slowest */
    uint32_t *indices; /* sparse: where each element is, rising */
    datum *data;       /* NULL where `count` is out of range */
} slot;

/* A struct or packet. */
struct record {
    const decl *decl;
    slot *slots; /* one for each of decl->fields, local ones included (and empty) */
};

slot *slot_of(const record *r, const field *f);

/* Elements of a fixed array, over all dimensions; else the most that there can be. */
uint32_t field_capacity(const field *f);

num datum_num(const type *t, const datum *d); /* of a kind that has a number, and no real */

/* IEEE-754 bits: 32 for STORAGE_FLOAT, else 64. */
uint64_t real_to_bits(storage s, double real);
double real_from_bits(storage s, uint64_t bits);

/* Base values (language.md). */
datum base_datum(arena *a, const field *f);
slot base_slot(arena *a, const field *f);
record *base_record(arena *a, const decl *d);
datum base_of_type(arena *a, const decl *d); /* a struct or union */

/* What a reader would see of a value whose sides not taken and absent optionals may hold anything: those get base
 * values. */
datum settled_datum(arena *a, const datum *from);

/* The value of a condition, or of what is switched over, among the fields of a record; a bool is 0 or 1. */
num condition_value(const expr *e, const record *r);
/* The side of an if that is taken; the body of the arm of a switch, or NULL where none is. */
const block *chosen_block(const item *i, const record *r);

#endif
