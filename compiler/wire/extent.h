/* extent.h - how many bits a piece of wire takes, composed from its parts.
 * SPDX-License-Identifier: MIT
 *
 * Padding makes the size of a piece depend on its alignment: the position modulo 8 at which it starts. An extent holds
 * the least and the most bits for each pair of alignments, at the start and at the end, so that the bounds of a whole
 * type are exact and not the sum of the worst paddings. Extents compose as matrices over (min, +) and (max, +). For
 * example, three bits and then `align` take, started at 0, 8 bits and end at 0; started at 6, 10 bits, and end at 0.
 */
#ifndef PKTC_EXTENT_H
#define PKTC_EXTENT_H

#include <stdint.h>

#define EXTENT_NONE UINT64_MAX /* no value of the piece leads from this alignment to that one */

typedef struct extent {
    uint64_t least[8][8], most[8][8]; /* [alignment at the start][alignment at the end]: bits, or EXTENT_NONE in both */
} extent;

/* a + b and a * n, but never more than 2^62: nothing that large can be sent, and the sum of two stays below EXTENT_NONE. */
uint64_t bits_plus(uint64_t a, uint64_t b);
uint64_t bits_times(uint64_t a, uint64_t n);

/* Makes an extent of nothing that is possible, to which extent_allow and extent_or add. */
void extent_clear(extent *x);
/* Adds: from `from` to `to` a piece can take `least` bits, and `most` bits. */
void extent_allow(extent *x, unsigned from, unsigned to, uint64_t least, uint64_t most);
/* Makes x either x or y. */
void extent_or(extent *x, const extent *y);

/* Makes an extent: always the same number of bits. */
void extent_fixed(extent *x, uint64_t bits);
/* `first` bits, then low to high times `each` bits. */
void extent_multiples(extent *x, uint64_t first, uint64_t each, uint64_t low, uint64_t high);
/* Any number of bits from least to most. */
void extent_between(extent *x, uint64_t least, uint64_t most);
/* Padding to the next byte, then any number of whole bytes from least_bytes to most_bytes. */
void extent_aligned(extent *x, uint64_t least_bytes, uint64_t most_bytes);

/* Makes x: x, then y. */
void extent_then(extent *x, const extent *y);
void extent_then_fixed(extent *x, uint64_t bits);
/* Makes x: x, n times in a row. */
void extent_power(extent *x, uint64_t n);

/* Least and most bits from one alignment at the start, and over all of them. */
uint64_t extent_least_from(const extent *x, unsigned align);
uint64_t extent_most_from(const extent *x, unsigned align);
uint64_t extent_least(const extent *x);
uint64_t extent_most(const extent *x);

#endif
