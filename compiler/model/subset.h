/* subset.h - how many bits a subset of an array takes: the arithmetic of docs/wire.md, "Array subsets".
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_SUBSET_H
#define PKTC_SUBSET_H

#include "model/schema.h"

/* How the elements that are there are named: n of them, `low` to `high` at once. */
typedef struct subset {
    sparse_mode mode;
    uint64_t n, low, high;
} subset;

/* Bits of everything but the elements where that does not depend on which elements there are: `fixed`, and `each` for every
 * element. False for SPARSE_RELATIVE and SPARSE_AUTO. */
bool subset_is_regular(const subset *s, uint64_t *fixed, uint64_t *each);

/* The most bits of an index that stands in front of its element; 0 where they do not all, or are not known to be few. */
unsigned subset_widest_index(sparse_mode mode, uint64_t n);

/* The least bits of a subset whose elements have `element` bits each, those of the elements themselves, *count times
 * `element`, left out; exact. */
uint64_t subset_least(const subset *s, uint64_t element, uint64_t *count);

/* A bound of the most, in the same way: exact but for SPARSE_RELATIVE and SPARSE_AUTO. There it takes the differences as if
 * they could be mixed in fractions, which is over what can be reached by fewer bits than one difference has. */
uint64_t subset_most(const subset *s, uint64_t element, uint64_t *count);

#endif
