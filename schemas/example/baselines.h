/* baselines.h - the last snapshots that a server has sent to a client, or that a client has received.
 * SPDX-License-Identifier: MIT
 *
 * Both sides keep the same ones, each of them settled: what was read, or what went through Snapshot_quantize. A value
 * that is settled is the same bits on both sides.
 */
#ifndef BASELINES_H
#define BASELINES_H

#include "arena.h"

#include <string.h>

enum { BASELINES = 32 }; /* more than SnapshotHeader.back can reach */

typedef struct baseline {
    bool used;
    uint16_t number;
    uint64_t hash;
    Snapshot snapshot;
} baseline;

typedef struct baselines {
    baseline ring[BASELINES];
} baselines;

/* NULL if there is no such snapshot, or it is so old that another one has taken its place. */
static inline baseline *baselines_find(baselines *b, uint16_t number)
{
    baseline *found = &b->ring[number % BASELINES];
    return found->used && found->number == number ? found : NULL;
}

/* The place for a new snapshot. Nobody finds it before the caller has filled it and sets `used`. */
static inline baseline *baselines_place(baselines *b, uint16_t number)
{
    baseline *place = &b->ring[number % BASELINES];
    place->used = false;
    place->number = number;
    return place;
}

static inline void baselines_forget(baselines *b)
{
    for (int i = 0; i < BASELINES; i++)
        b->ring[i].used = false;
}

#endif
