/* extent.h - how many bits a part of a packet takes, composed from the extents of its own parts.
 * SPDX-License-Identifier: MIT
 *
 * Because of padding, the size of a part depends on its alignment, the position of its first bit modulo 8. An extent
 * has the least and the most bits for each pair of alignments (start, end). So the bounds of a whole type are exact,
 * and not the sum of the worst paddings. Extents compose like matrices over (min, +) and (max, +). For example, three
 * bits and then `align` take 8 bits from alignment 0, and 10 bits from alignment 6; both end at alignment 0.
 */
#ifndef PKTC_EXTENT_H
#define PKTC_EXTENT_H

#include <stdint.h>

#define EXTENT_NONE UINT64_MAX /* no value starts and ends at these alignments */

typedef struct extent {
    uint64_t least[8][8], most[8][8]; /* [alignment at the start][alignment at the end]: bits, or EXTENT_NONE in both */
} extent;

/* a + b and a * n, limited to 2^62. Nothing that large can be sent, and the sum of two such numbers is below
 * EXTENT_NONE. */
uint64_t bits_plus(uint64_t a, uint64_t b);
uint64_t bits_times(uint64_t a, uint64_t n);
uint64_t lesser_bits(uint64_t a, uint64_t b);

/* Makes x impossible; extent_allow and extent_or then add possibilities. */
void extent_clear(extent *x);
/* Adds the possibility of `least` to `most` bits from alignment `from` to alignment `to`. */
void extent_allow(extent *x, unsigned from, unsigned to, uint64_t least, uint64_t most);
/* Makes x either x or y. */
void extent_or(extent *x, const extent *y);

/* Makes x always the same number of bits. */
void extent_fixed(extent *x, uint64_t bits);
/* Makes x `first` bits, followed by low to high times `each` bits. */
void extent_multiples(extent *x, uint64_t first, uint64_t each, uint64_t low, uint64_t high);
/* Makes x any number of bits from least to most. */
void extent_between(extent *x, uint64_t least, uint64_t most);
/* Makes x the padding to the next byte, then any number of whole bytes up to most_bytes. */
void extent_aligned(extent *x, uint64_t most_bytes);

/* Makes x the sequence of x and y. */
void extent_then(extent *x, const extent *y);
void extent_then_fixed(extent *x, uint64_t bits);
/* Makes x the sequence of n times x. */
void extent_power(extent *x, uint64_t n);

/* The least and most bits from one alignment at the start, and from any. */
uint64_t extent_least_from(const extent *x, unsigned align);
uint64_t extent_most_from(const extent *x, unsigned align);
uint64_t extent_least(const extent *x);
uint64_t extent_most(const extent *x);

#endif
