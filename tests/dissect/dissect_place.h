/* dissect_place.h - the places of a value and of its baseline, by the names of items: "State.bodies[3].x".
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_DISSECT_PLACE_H
#define TESTS_DISSECT_PLACE_H

#include "codec/codec_internal.h"

/* What stays the same while the places of a datagram are looked up. */
typedef struct place_finder {
    arena *arena;
    codec codec;             /* compares, and has the base values */
    const codec_part *parts; /* of the packet; or NULL */
} place_finder;

/* A value, and the same place of the baseline: where that has nothing, base values. */
typedef struct place {
    const decl *decl;                  /* a struct or union is here; otherwise NULL */
    const datum *value, *old;          /* NULL: an array, or an optional that is absent */
    const record *record, *old_record; /* that have the field; or, of a struct, its fields */
    const record *start;               /* of the part that this is in: its start value, or NULL */
    const field *field;                /* the last one of the name; or NULL */
    uint32_t first, depth; /* of an array: the number of the first innermost element, and how many subscripts */
} place;

place_finder place_finder_of(arena *a, const schema *s, const codec_part *parts);
/* The place of a whole value. base: NULL for base values. */
place place_of_value(const place_finder *f, const decl *d, const datum *v, const datum *base);
/* Goes on by a path, such as ".bodies[3].x". False if it leads nowhere. */
bool place_follow(const place_finder *f, place *at, const char *rest, size_t size);

/* The field of a struct; NULL if it has none of this name. */
const field *place_field(const place *at, const char *name, size_t size);

/* What the baseline has of an array: at least as many elements as the value; of a list, as many as there are. */
slot place_old_slot(const place_finder *f, const place *at);

/* The element of a list that has the same key as another element; NULL if there is none. */
const datum *place_with_key(const field *list, const slot *s, const datum *element);

#endif
