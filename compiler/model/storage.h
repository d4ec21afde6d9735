/* storage.h - the storages of scalars in memory: how wide they are and what values they hold.
 * SPDX-License-Identifier: MIT
 *
 * A storage is named after the .pkt type that uses all of it: `bits<5>` is stored in a u8, `fixed<8, 8, ...>` in an
 * i16. emit/cname.h has their names in C.
 */
#ifndef PKTC_STORAGE_H
#define PKTC_STORAGE_H

#include "base/num.h"

typedef enum storage {
    STORAGE_NONE, /* not a scalar */
    STORAGE_BOOL,
    STORAGE_U8,
    STORAGE_U16,
    STORAGE_U32,
    STORAGE_U64,
    STORAGE_I8,
    STORAGE_I16,
    STORAGE_I32,
    STORAGE_I64,
    STORAGE_FLOAT,
    STORAGE_DOUBLE
} storage;

/* "u8", "double"; "" for STORAGE_NONE. */
const char *storage_word(storage s);

/* Bits in memory: 8 for a bool, 0 for STORAGE_NONE. */
unsigned storage_bits(storage s);

/* Whether it is a signed integer; whether it is a float or double. */
bool storage_is_signed(storage s);
bool storage_is_real(storage s);

/* The least and greatest value of a bool or an integer. */
void storage_range(storage s, num *low, num *high);

/* The smallest unsigned storage that holds all values from 0 to max. */
storage storage_for(uint64_t max);

/* The smallest signed storage that holds all values from low to high; STORAGE_NONE if an i64 does not. */
storage storage_for_signed(num low, num high);

#endif
