/* delta_size.h - the least and the greatest size of deltas.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DELTA_SIZE_H
#define PKTC_DELTA_SIZE_H

#include "wire/wire.h"

/* Bits of a delta of a type whose ops are complete and whose nested types have their own delta sizes. Not for types with
 * sparse arrays, which have no deltas. */
uint64_t least_of_delta(const wire_type *t);
uint64_t most_of_delta(const wire_type *t);

#endif
