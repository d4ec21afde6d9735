/* lot.h - pseudo-random numbers: the same sequence for the same seed on every machine.
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_LOT_H
#define TESTS_LOT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct lot {
    uint64_t state;
} lot;

/* splitmix64 of Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014. */
static inline uint64_t lot_next(lot *l)
{
    uint64_t z = l->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* From 0 to n - 1; n is not 0. */
static inline uint32_t lot_below(lot *l, uint32_t n)
{
    return (uint32_t)((lot_next(l) >> 32) * n >> 32);
}

static inline bool lot_one_in(lot *l, uint32_t n)
{
    return lot_below(l, n) == 0;
}

/* From low to high, both included. */
static inline uint32_t lot_between(lot *l, uint32_t low, uint32_t high)
{
    return low + lot_below(l, high - low + 1);
}

#endif
