/* histogram.h - counts how often each value occurs, in bounded memory, so that counts add up.
 * SPDX-License-Identifier: MIT
 *
 * If there are more than HISTOGRAM_MOST different values, those are counted one by one that come first in a fixed order
 * which looks random: the usual value of the field, then the others by a hash. A value that is among the first ones of
 * all was so at any time and in any part of the values, and so its count is exact. That is why histograms of parts add
 * up to the one of the whole, in any order. The values that are counted one by one stand for the others.
 */
#ifndef PKTC_HISTOGRAM_H
#define PKTC_HISTOGRAM_H

#include "recordings/packed.h"

#include <stdbool.h>
#include <stdint.h>

enum { HISTOGRAM_MOST = 4096 }; /* different values that are counted one by one */

typedef struct histogram_entry {
    uint64_t value, count; /* count 0: a free place */
} histogram_entry;

typedef struct histogram {
    histogram_entry *entries; /* a hash table; in ascending order of the values after histogram_settle */
    uint32_t room, distinct;  /* the places of the table, and those that are taken */
    bool settled;
    uint64_t usual;  /* the value that is always counted by itself; set before the first one is added */
    uint64_t reach;  /* the place in the fixed order of the last value that is counted by itself, if there are others */
    uint64_t total;  /* at most COUNT_MOST: what comes after it is left out */
    uint64_t others; /* values that are not counted one by one */
} histogram;

void histogram_add(arena *a, histogram *h, uint64_t value);

/* Forgets all values of one that is not settled. */
void histogram_clear(histogram *h);

/* Adds a value that occurred so many times, at least once. */
void histogram_add_many(arena *a, histogram *h, uint64_t value, uint64_t count);

/* Adds all values of another one of the same field, which stays as it is. */
void histogram_merge(arena *a, histogram *h, const histogram *from);

/* Adds values that were not counted one by one. h has HISTOGRAM_MOST that are, and they came before. */
void histogram_add_others(histogram *h, uint64_t count);

/* Sorts the entries. What follows needs a histogram that is settled. */
void histogram_settle(histogram *h);

/* The most frequent entry, among equals the one with the smallest value; NULL if nothing was counted. */
const histogram_entry *histogram_top(const histogram *h);

/* For qsort: the most frequent entry comes first, among equals the one with the smallest value. */
int histogram_by_count(const void *left, const void *right);

/* log2 of a number over 0. */
double binary_logarithm(double x);

/* The entropy in bits per value: the size of an ideal code that knows only these frequencies. */
double histogram_entropy(const histogram *h);

/* Whether the entropy is only a lower bound: there are few of each different value, so that more would come later. */
bool histogram_is_short(const histogram *h);

/* The least value that this share of all values does not exceed; 0 if nothing was counted. `others` are left out. */
uint64_t histogram_reached(const histogram *h, unsigned percent);

/* Writes a histogram that is settled, and reads it into an empty one, which is not settled. */
void histogram_put(packer *to, const histogram *h);
void histogram_take(unpacker *from, arena *a, histogram *h);

#endif
