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
    uint64_t others; /* values that differ from the first HISTOGRAM_MOST different ones */
} histogram;

void histogram_add(arena *a, histogram *h, uint64_t value);

/* The most frequent entry, among equals the one with the smallest value; NULL if nothing was counted. */
const histogram_entry *histogram_top(const histogram *h);

/* The entropy in bits per value: the size of an ideal code that knows only these frequencies. Each of the `others`
 * counts as a value of its own. */
double histogram_entropy(const histogram *h);

/* Whether the entropy is only a lower bound: there are `others`, or few of each different value, so that more would come
 * later. */
bool histogram_is_short(const histogram *h);

/* The least value that this share of all values does not exceed; 0 if nothing was counted. `others` are left out. */
uint64_t histogram_reached(arena *a, const histogram *h, unsigned percent);

#endif
