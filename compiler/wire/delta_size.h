/* delta_size.h - the least and the greatest size of deltas.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DELTA_SIZE_H
#define PKTC_DELTA_SIZE_H

#include "wire/wire.h"

/* The bits that follow the mask bit of a value with delta<s, l>, with their prefix: as a small step, as a large step,
 * or as the full value. Each of the three components of a quat has its own small or large step, so the size of a quat
 * can also be in between. */
typedef struct delta_sizes {
    unsigned small, large;
    uint64_t whole_least, whole_most; /* as the full value */
} delta_sizes;

delta_sizes delta_sizes_of(const op *o);

/* The bits of a type's delta. Needs the type's complete ops and the delta sizes of its nested types. Meaningless for
 * types with sparse arrays, which have no deltas. */
uint64_t least_of_delta(const wire_type *t);
uint64_t most_of_delta(const wire_type *t);

/* The same without any element of the arrays with @fit, or more. */
uint64_t most_of_delta_unfit(const wire_type *t);

#endif
