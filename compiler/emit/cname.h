/* cname.h - spells literals and types in C.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_CNAME_H
#define PKTC_CNAME_H

#include "model/schema.h"

/* "uint16_t", "bool", "float" ... */
const char *cname_storage(storage s);

/* The type of a member, or of its elements; NULL if a declaration of the schema names it. */
const char *cname_type(const type *t);

/* A literal of the type that the storage has in expressions: 5, -7, 4000000000u, UINT64_C(...), (-INT64_C(...) - 1);
 * true or false for a bool; 0.1f, 1e30 (the shortest text that reads back the same). The value must fit in the
 * storage and be finite. */
const char *cname_integer(arena *a, num n, storage s);
const char *cname_real(arena *a, double real, storage s);

#endif
