/* values.h - values drawn by lot, and the same values in the structs of generated C.
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_VALUES_H
#define TESTS_VALUES_H

#include "codec/codec_value.h"
#include "lot.h"
#include "pkt_reflect.h"

/* A value of a struct or union. wild: one in so many parts of it cannot be written; 0: all can. */
datum draw_value(arena *a, lot *l, const decl *d, uint32_t wild);
/* One without all that can be left out, with numbers of the shortest form. What conditions ask for is drawn. */
datum draw_least(arena *a, lot *l, const decl *d);
/* One that is much like another. */
datum vary_value(arena *a, lot *l, const decl *d, const datum *from, uint32_t wild);
/* One that differs in its field of a number, which is counted around, or not at all. */
datum change_value(arena *a, lot *l, const decl *d, const datum *from, uint32_t which);
/* One that cannot be written for what is in that field, in most cases: numbers are just outside of their range. */
datum spoil_value(arena *a, lot *l, const decl *d, const datum *from, uint32_t which);
/* One without an element of a sparse array. */
datum value_without(arena *a, const datum *from, const field *f, uint32_t index);

/* What init makes of one. What is absent has values all the same, which count once a program makes it present. */
datum initial_value(arena *a, const decl *d);

/* Puts a value where generated code has it, which is initialised; what is absent gets base values where it holds nothing. References are ids
 * in the guise of pointers. */
void put_in_struct(arena *a, const pkt_type *about, void *at, const decl *d, const datum *v);
/* Noise in all elements that sparse arrays have not. */
void unsettle_in_struct(const pkt_type *about, void *at, const decl *d);
/* The name of a field that holds something else after a read, or NULL. */
const char *differs_in_struct(arena *a, const pkt_type *about, const void *at, const decl *d, const datum *v);

/* Whether an array with `keep` is in it. */
bool keeps_elements(const decl *d);
/* The name of a field with `keep`, or of one that holds such a field, of which an element is not at base; or NULL. */
const char *unset_in_struct(arena *a, const pkt_type *about, const void *at, const decl *d);

#endif
