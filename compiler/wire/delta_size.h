/* delta_size.h - the least and the greatest size of deltas.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DELTA_SIZE_H
#define PKTC_DELTA_SIZE_H

#include "wire/wire.h"

/* The bits that follow the mask bit of a value with delta<s, l>, with their prefix: as a small step, as a large step,
 * or as the full value. A quat has a step for each of three components, which can be small or large each, so its size
 * can also be in between. */
typedef struct delta_sizes {
    unsigned small, large;
    uint64_t whole_least, whole_most; /* as the full value */
} delta_sizes;

delta_sizes delta_sizes_of(const op *o);

/* The bits of a delta of a type whose ops are complete, and whose nested types have their delta sizes. Meaningless for
 * types with sparse arrays, which have no deltas. */
uint64_t least_of_delta(const wire_type *t);
uint64_t most_of_delta(const wire_type *t);

#endif
