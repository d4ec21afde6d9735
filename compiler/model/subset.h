/* subset.h - how many bits a subset of an array takes: see docs/wire.md, "Array subsets".
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_SUBSET_H
#define PKTC_SUBSET_H

#include "model/schema.h"

/* `low` to `high` elements of an array of n are present; `mode` says how their indices are sent. */
typedef struct subset {
    sparse_mode mode;
    uint64_t n, low, high;
} subset;

/* The bits of everything except the elements themselves: `fixed` bits, and `each` bits per present element. False for
 * SPARSE_RELATIVE and SPARSE_AUTO, where the bits depend on which elements are present. */
bool subset_is_regular(const subset *s, uint64_t *fixed, uint64_t *each);

/* The widths that the difference between two keys can have, if the greatest code of a key is n. Returns their number. */
enum { KEY_WIDTHS = 7 };
unsigned key_widths(uint64_t n, unsigned widths[KEY_WIDTHS]);

/* The most bits of an index that comes right before its element; 0 for the modes that send all indices first. */
unsigned subset_widest_index(sparse_mode mode, uint64_t n);

/* The least bits that a subset takes if each element has `element` bits. The result does not include the elements
 * themselves; *count is their number in that subset. Exact. */
uint64_t subset_least(const subset *s, uint64_t element, uint64_t *count);

/* An upper bound of the most bits, in the same form. It is exact except for SPARSE_RELATIVE and SPARSE_AUTO: there it
 * allows fractions of differences, and exceeds the true maximum by less than the bits of one difference. */
uint64_t subset_most(const subset *s, uint64_t element, uint64_t *count);

#endif
