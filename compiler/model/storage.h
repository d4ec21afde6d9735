/* storage.h - the integers and reals that a scalar is held in: how wide they are and what they hold.
 * SPDX-License-Identifier: MIT
 *
 * A storage is named after the word of .pkt that has it in full: `bits<5>` is held in a u8, `fixed<8, 8, ...>` in an i16.
 * How C calls it is a matter of emit/cname.h.
 */
#ifndef PKTC_STORAGE_H
#define PKTC_STORAGE_H

#include "base/num.h"

typedef enum storage {
    STORAGE_NONE, /* of what is not a scalar */
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

/* The smallest unsigned storage that holds 0 to max. */
storage storage_for(uint64_t max);

/* The smallest signed storage that holds low to high; STORAGE_NONE where no i64 does. */
storage storage_for_signed(num low, num high);

#endif
