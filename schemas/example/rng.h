/* rng.h - random numbers that are the same in every run with the same seed, on every machine (SplitMix64).
 * SPDX-License-Identifier: MIT
 *
 * For what a game rolls. Salts and secrets of a real server come from the random source of the system.
 */
#ifndef RNG_H
#define RNG_H

#include <stdint.h>

typedef struct rng {
    uint64_t state;
} rng;

static inline uint64_t rng_next(rng *r)
{
    uint64_t x = r->state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* From 0 to below n. */
static inline uint32_t rng_below(rng *r, uint32_t n)
{
    return (uint32_t)((rng_next(r) >> 32) * n >> 32);
}

/* From lo to below hi. */
static inline float rng_between(rng *r, float lo, float hi)
{
    return lo + (hi - lo) * (float)(rng_next(r) >> 40) / (float)(1 << 24);
}

#endif
