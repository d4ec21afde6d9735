/* tape.h - reads that generated code and codec agreed on, as lines of text: to be asked again on another machine.
 * SPDX-License-Identifier: MIT
 *
 *     TYPE MANNER BASE BYTES CODE BIT HASH FIELD
 *
 * MANNER: p a packet, f a body by its functions, s a body by a stream; then d where it is a delta. BASE: the baseline as a body,
 * BYTES: what is read, both in hexadecimal behind an x; - for no baseline. HASH: ask_hash of what was accepted,
 * else 0. FIELD: all the rest of the line. The lines of a type are asked one after the other with one struct, which is initialised before.
 */
#ifndef TESTS_TAPE_H
#define TESTS_TAPE_H

#include "ask.h"

#include <stdio.h>

typedef struct taped {
    manner how;
    const uint8_t *base; /* or NULL */
    size_t base_size;
    const uint8_t *bytes;
    size_t size;
} taped;

/* error, v: what came of it. */
void tape_read(FILE *to, const fuzz_type *t, const taped *read, const pkt_error *error, const void *v);

#endif
