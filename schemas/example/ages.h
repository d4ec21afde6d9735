/* ages.h - how old the entities are that clients show: a count for each age in ticks.
 * SPDX-License-Identifier: MIT
 */
#ifndef AGES_H
#define AGES_H

#include <stdint.h>

enum { AGES_MOST = 600 }; /* ten seconds; what is older counts as this */

typedef struct ages {
    uint64_t counts[AGES_MOST + 1];
} ages;

static inline void ages_add(ages *a, uint32_t ticks)
{
    a->counts[ticks < AGES_MOST ? ticks : AGES_MOST]++;
}

static inline double ages_mean(const ages *a)
{
    double sum = 0, count = 0;
    for (int i = 0; i <= AGES_MOST; i++) {
        sum += (double)a->counts[i] * i;
        count += (double)a->counts[i];
    }
    return count > 0 ? sum / count : 0;
}

/* The age up to which this share of the entities is, 0 to 1. */
static inline int ages_up_to(const ages *a, double share)
{
    double count = 0, seen = 0;
    for (int i = 0; i <= AGES_MOST; i++)
        count += (double)a->counts[i];
    int age = 0;
    for (int i = 0; i <= AGES_MOST && (seen < share * count); i++) {
        seen += (double)a->counts[i];
        if (a->counts[i] > 0)
            age = i;
    }
    return age;
}

#endif
