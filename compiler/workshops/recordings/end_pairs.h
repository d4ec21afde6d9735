/* end_pairs.h - a table of what is known of two ends, in either direction. Only so many pairs are remembered.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_END_PAIRS_H
#define PKTC_END_PAIRS_H

#include "recordings/age_list.h"
#include "recordings/network.h"

/* The beginning of an entry. */
typedef struct end_pair {
    aged links;
    endpoint one, other;
    struct end_pair *next; /* in its bucket */
} end_pair;

/* Whether an entry of two ends is that of a key: two ends can have several. */
typedef bool end_pair_test(const end_pair *p, const void *key);

typedef struct end_pairs end_pairs;

/* size: of an entry. is: NULL if two ends have one entry. */
end_pairs *end_pairs_new(arena *a, size_t size, end_pair_test *is);

/* NULL if there is none. */
end_pair *end_pairs_find(end_pairs *t, const endpoint *one, const endpoint *other, const void *key);

/* The same, as the newest entry. If there was none, it is zeros after its beginning, and the caller makes it that of the
 * key. */
end_pair *end_pairs_keep(end_pairs *t, const endpoint *one, const endpoint *other, const void *key);

#endif
