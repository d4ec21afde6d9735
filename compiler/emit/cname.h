/* cname.h - literals and storage types as C spells them.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_CNAME_H
#define PKTC_CNAME_H

#include "model/schema.h"

/* uint16_t, bool, float ... */
const char *cname_storage(storage s);

/* A literal of the type that storage has in expressions: 5, -7, 4000000000u, UINT64_C(...), (-INT64_C(...) - 1),
 * 0.1f, 1e30 (shortest that reads back the same); true and false for bool. The value fits the storage and is finite. */
const char *cname_integer(arena *a, num n, storage s);
const char *cname_real(arena *a, double real, storage s);

#endif
