/* num.h - exact integers from -(2^64 - 1) to 2^64 - 1.
 * SPDX-License-Identifier: MIT
 *
 * The range covers int64_t, uint64_t and the difference of any two of their values.
 */
#ifndef PKTC_NUM_H
#define PKTC_NUM_H

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct num {
    uint64_t magnitude;
    bool negative; /* never for 0 */
} num;

num num_u64(uint64_t value);
num num_i64(int64_t value);

/* False if the result is out of the range above or the divisor is 0; *result is then unchanged. Division truncates
 * toward zero, and a remainder has the sign of a. */
bool num_add(num a, num b, num *result);
bool num_subtract(num a, num b, num *result);
bool num_multiply(num a, num b, num *result);
bool num_divide(num a, num b, num *result);
bool num_remainder(num a, num b, num *result);
num num_negate(num a);

int num_compare(num a, num b); /* -1, 0 or 1 */
num num_least(num a, num b);
num num_greatest(num a, num b);
bool num_fits_i64(num a);
bool num_fits_u64(num a);
uint64_t num_bits(num a);              /* two's complement, modulo 2^64 */
double num_double(num a);              /* rounded to nearest */
const char *num_text(arena *a, num n); /* decimal */

/* The bits that hold every value from 0 to max: 0 for 0, 1 for 1, 8 for 255, at most 64. */
unsigned bit_length(uint64_t max);

#endif
