/* steps.c - counts differences by their length, and finds the cheapest pair of step widths.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/steps.h"
#include "base/num.h"

#include <stdlib.h>

struct step_tally {
    unsigned most;
    bool rotation;
    uint64_t reach;   /* no step may reach farther */
    uint64_t *bounds; /* ascending: 2^(s-1) + 2^(l-1) for each s and l */
    size_t classes;   /* the bounds, and one class for everything beyond them */
    /* By the class of a value's greatest reach: the number of values, and their cost in full. */
    uint64_t *values, *full;
    /* codes[s * classes + k]: codes of values of class k for which s, from 0 to `most`, is the least small step less
     * 1. */
    uint64_t *codes;
};

static int by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

step_tally *steps_new(arena *a, unsigned most, bool rotation, uint64_t reach)
{
    step_tally *t = ARENA_NEW(a, step_tally);
    size_t count = 0;
    t->most = most;
    t->rotation = rotation;
    t->reach = reach;
    t->bounds = ARENA_ARRAY(a, uint64_t, (size_t)most * (most + 1) / 2);
    for (unsigned s = 0; s < most; s++)
        for (unsigned l = s; l < most; l++)
            t->bounds[count++] = (UINT64_C(1) << s) + (UINT64_C(1) << l);
    qsort(t->bounds, count, sizeof *t->bounds, by_size);
    t->classes = count + 1;
    t->values = ARENA_ARRAY(a, uint64_t, t->classes * (most + 3));
    t->full = t->values + t->classes;
    t->codes = t->full + t->classes;
    return t;
}

uint64_t *steps_counts(const step_tally *t, size_t *count)
{
    *count = t->classes * (t->most + 3);
    return t->values;
}

/* The first class whose bound is at least this reach. */
static size_t class_of(const step_tally *t, uint64_t reach)
{
    size_t low = 0, high = t->classes - 1;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (t->bounds[middle] < reach)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void steps_add(step_tally *t, const uint64_t *old_codes, const uint64_t *codes, bool near, unsigned full)
{
    const unsigned count = t->rotation ? 3 : 1;
    unsigned small[3];
    uint64_t farthest = 0;
    for (unsigned i = 0; i < count; i++) {
        const uint64_t old = old_codes[i], now = codes[i], reach = now > old ? now - old + 1 : old - now;
        farthest = reach > farthest ? reach : farthest;
        const unsigned length = reach > 0 ? bit_length(reach - 1) : 0;
        small[i] = length < t->most ? length : t->most;
    }
    const size_t k = near ? class_of(t, farthest) : t->classes - 1;
    t->values[k]++;
    t->full[k] += full;
    for (unsigned i = 0; near && i < count; i++)
        t->codes[small[i] * t->classes + k]++;
}

uint64_t steps_full(const step_tally *t)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < t->classes; k++)
        sum += t->full[k];
    return sum;
}

uint64_t steps_cost(const step_tally *t, unsigned s, unsigned l)
{
    const size_t end = class_of(t, (UINT64_C(1) << (s - 1)) + (UINT64_C(1) << (l - 1))) + 1;
    const unsigned parts = t->rotation ? 3 : 1;
    uint64_t near = 0, small = 0, far = 0, far_full = 0;
    for (size_t k = 0; k < t->classes; k++) {
        if (k < end) {
            near += t->values[k];
            for (unsigned i = 0; i < s; i++)
                small += t->codes[i * t->classes + k];
        } else {
            far += t->values[k];
            far_full += t->full[k];
        }
    }
    const uint64_t large = parts * near - small;
    /* A rotation has a bit for all three and one for each; another value has 1, 01 or 00 before it. */
    return t->rotation ? near + small * (1 + s) + large * (1 + l) + far + far_full
                       : small * (1 + s) + large * (2 + l) + 2 * far + far_full;
}

void steps_best(const step_tally *t, unsigned *s, unsigned *l)
{
    uint64_t least = UINT64_MAX;
    for (unsigned small = 1; small <= t->most; small++)
        for (unsigned large = small; large <= t->most; large++) {
            const uint64_t cost = steps_cost(t, small, large);
            if (cost < least && (UINT64_C(1) << (small - 1)) + (UINT64_C(1) << (large - 1)) <= t->reach) {
                least = cost;
                *s = small;
                *l = large;
            }
        }
}
