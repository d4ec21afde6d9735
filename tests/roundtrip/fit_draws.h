/* fit_draws.h - what the tests of what fits share: random numbers, and orders of elements.
 * SPDX-License-Identifier: MIT
 *
 * The seed is printed; set PKT_SEED=N in the environment to repeat a run.
 */
#ifndef FIT_DRAWS_H
#define FIT_DRAWS_H

#define OWN_MAIN
#include "unit.h"

#include "pkt.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MOST_ENTRIES = 12000 };

static uint64_t seed;

static inline uint32_t draw(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((seed >> 32) % below);
}

static inline void begin(void)
{
    const char *wanted = getenv("PKT_SEED");
    seed = wanted ? strtoull(wanted, NULL, 10) : 20260000;
    printf("PKT_SEED=%" PRIu64 "\n", seed);
}

/* One of `of` elements changes. */
static inline bool hit(uint32_t of)
{
    return draw(of) == 0;
}

/* ---- orders */

static pkt_element order[MOST_ENTRIES], given[MOST_ENTRIES];

/* All numbers below n, shuffled. */
static inline uint32_t shuffle(uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        order[i].priority = (float)(order[i].number = i);
    for (uint32_t i = n; i > 1; i--) {
        const uint32_t other = draw(i);
        const pkt_element held = order[i - 1];
        order[i - 1] = order[other];
        order[other] = held;
    }
    memcpy(given, order, n * sizeof *order);
    return n;
}

/* The same, but some of them are left out, and some are there twice. */
static inline uint32_t draw_order(uint32_t n)
{
    uint32_t count = shuffle(n) - (draw(2) != 0 ? draw(n) : 0);
    for (uint32_t i = draw(4); i != 0 && count != 0; i--, count++)
        order[count] = order[draw(count)];
    memcpy(given, order, count * sizeof *order);
    return count;
}

static inline int compare(const void *a, const void *b)
{
    const pkt_element *x = (const pkt_element *)a, *y = (const pkt_element *)b;
    return x->number != y->number ? (x->number < y->number ? -1 : 1)
                                  : (x->priority > y->priority) - (x->priority < y->priority);
}

/* No entry is lost, and none is new; each has its own priority. */
static inline void check_same_entries(uint32_t count)
{
    static pkt_element before[MOST_ENTRIES], after[MOST_ENTRIES];
    memcpy(before, given, count * sizeof *before);
    memcpy(after, order, count * sizeof *after);
    qsort(before, count, sizeof *before, compare);
    qsort(after, count, sizeof *after, compare);
    assert_memory_equal(before, after, count * sizeof *before);
}

#endif
