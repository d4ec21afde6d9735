/* delta_size.h - the least and the greatest size of deltas.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DELTA_SIZE_H
#define PKTC_DELTA_SIZE_H

#include "wire/wire.h"

/* What follows the mask bit of a value with delta<s, l>, in bits: in small steps alone, in large steps alone, and as a whole,
 * each with its prefix. A quat has a step for each of its three components, so it may also be between small and large. */
typedef struct delta_sizes {
    unsigned small, large;
    uint64_t whole_least, whole_most;
} delta_sizes;

delta_sizes delta_sizes_of(const op *o);

/* Bits of a delta of a type whose ops are complete and whose nested types have their own delta sizes. Not for types with
 * sparse arrays, which have no deltas. */
uint64_t least_of_delta(const wire_type *t);
uint64_t most_of_delta(const wire_type *t);

#endif
