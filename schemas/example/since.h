/* since.h - the tick of which each entity of a snapshot is.
 * SPDX-License-Identifier: MIT
 *
 * What a datagram leaves out is as old as it is in the baseline. Server and client know that by themselves, so it is not
 * sent. It is kept as long as the snapshots themselves, in the place of their number.
 */
#ifndef SINCE_H
#define SINCE_H

#include "arena.h"

typedef uint32_t since_ticks[arena_MAX_ENTITIES];

typedef struct since_table {
    since_ticks places[ToClient_snapshot_REACH + 1];
} since_table;

static inline uint32_t *since_of(since_table *t, uint16_t number)
{
    return t->places[number % (ToClient_snapshot_REACH + 1)];
}

#endif
