/* histogram.h - counts how often each value occurs, in bounded memory.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_HISTOGRAM_H
#define PKTC_HISTOGRAM_H

#include "base/hash_table.h"

enum { HISTOGRAM_MOST = 4096 }; /* different values that are counted one by one */

typedef struct histogram_entry {
    struct histogram_entry *next;
    uint64_t value, count;
} histogram_entry;

typedef struct histogram {
    histogram_entry *entries; /* in no order */
    hash_table *table;        /* the same, by value; NULL while nothing was counted */
    uint32_t distinct;
    uint64_t total;
    uint64_t others; /* values that came when there were HISTOGRAM_MOST, and are none of these */
} histogram;

void histogram_add(arena *a, histogram *h, uint64_t value);

/* The entry that occurs most often, of equals the smallest value; NULL if nothing was counted. */
const histogram_entry *histogram_top(const histogram *h);

/* The entropy in bits a value: what an ideal code would need that knows these frequencies and nothing else. If there
 * were `others`, each of them counts as a value of its own. */
double histogram_entropy(const histogram *h);

/* The value that this share of all values is at most; 0 if nothing was counted. `others` are left out. */
uint64_t histogram_reached(arena *a, const histogram *h, unsigned percent);

#endif
