/* tape.h - reads on which generated code and codec agreed, as lines of text, to be repeated on another machine.
 * SPDX-License-Identifier: MIT
 *
 *     TYPE MANNER BASE BYTES CODE BIT HASH FIELD
 *
 * MANNER: p for a packet, f for a body with its functions, s for a body in a stream; then d for a delta. BASE: the
 * baseline as a body, or - for none. BYTES: what is read. Both are hexadecimal after an x. HASH: ask_hash of the value
 * if it was accepted, else 0. FIELD: the rest of the line. All lines of a type are read into the same struct, which is
 * initialized at first.
 */
#ifndef TESTS_TAPE_H
#define TESTS_TAPE_H

#include "ask.h"

#include <stdio.h>

typedef struct taped {
    manner how;
    const uint8_t *base; /* the baseline, or NULL */
    size_t base_size;
    const uint8_t *bytes;
    size_t size;
} taped;

/* Writes a line about a read. error and v are its result. */
void tape_read(FILE *to, const fuzz_type *t, const taped *read, const pkt_error *error, const void *v);

#endif
