/* values.h - random values, and the same values in the structs of generated C.
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_VALUES_H
#define TESTS_VALUES_H

#include "codec/codec_value.h"
#include "lot.h"
#include "pkt_reflect.h"

/* A random value of a struct or union. One in `wild` of its parts cannot be written; if wild is 0, all can. */
datum draw_value(arena *a, lot *l, const decl *d, uint32_t wild);
/* A value without anything that may be absent, with numbers of the shortest form. What conditions test is random. */
datum draw_least(arena *a, lot *l, const decl *d);
/* A value that is similar to another. */
datum vary_value(arena *a, lot *l, const decl *d, const datum *from, uint32_t wild);
/* A value that differs in one field, or not at all. `which`, modulo the number of fields, selects the field. */
datum change_value(arena *a, lot *l, const decl *d, const datum *from, uint32_t which);
/* A value with a field that usually cannot be written: numbers are just out of range. */
datum spoil_value(arena *a, lot *l, const decl *d, const datum *from, uint32_t which);
/* A value without one element of a sparse array. */
datum value_without(arena *a, const datum *from, const field *f, uint32_t index);

/* The value after init. Absent parts have values too, which count if a program makes them present. */
datum initial_value(arena *a, const decl *d);

/* Stores a value in an initialized C struct. Absent parts get base values if they had none. Pointers of refs are their
 * ids. */
void put_in_struct(arena *a, const pkt_type *about, void *at, const decl *d, const datum *v);
/* Changes what is not part of a value: elements after a count, bytes after the end of a text, and, if `absent`, absent
 * elements of sparse arrays. */
void litter_in_struct(const pkt_type *about, void *at, const decl *d, bool absent);
/* The name of a field that differs from the value after a read, or NULL. */
const char *differs_in_struct(arena *a, const pkt_type *about, const void *at, const decl *d, const datum *v);

/* Whether a type has an array with `keep`, directly or in a member. */
bool keeps_elements(const decl *d);
/* The name of a field with `keep`, or of one that contains such a field, with an absent element that does not have its
 * base value; or NULL. */
const char *unset_in_struct(arena *a, const pkt_type *about, const void *at, const decl *d);

#endif
