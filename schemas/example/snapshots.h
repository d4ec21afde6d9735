/* snapshots.h - what the server sends one client of the world: what has changed since the newest snapshot that the
 * client has acknowledged, and of that what matters most.
 * SPDX-License-Identifier: MIT
 */
#ifndef SNAPSHOTS_H
#define SNAPSHOTS_H

#include "ages.h"
#include "baselines.h"

typedef struct snapshot_sender {
    baselines sent;
    uint32_t since[BASELINES][arena_MAX_ENTITIES]; /* of each of them: the tick of which each entity is */
    uint32_t joined;                               /* the tick at which the client had nothing */
    uint16_t newest;                               /* the number of the newest one */
    uint16_t acknowledged;
    bool has_acknowledged; /* false: the client has nothing that could be a baseline */
    uint32_t left_out;     /* entities that did not fit into the newest one */
} snapshot_sender;

void snapshots_begin(snapshot_sender *s, uint32_t tick);

/* What the newest datagram of the client says that it has. */
void snapshots_acknowledge(snapshot_sender *s, const InputHeader *header);

/* The baseline of the next snapshot: NULL if nothing is acknowledged, or what is acknowledged is too old. */
const baseline *snapshots_baseline(snapshot_sender *s);

/* Writes as much of the world as there is room for, and keeps what the client will have then. `viewer` is the number of
 * the client's player. Nothing is kept if it returns NULL: not even what must be there fits. */
const baseline *snapshots_write(snapshot_sender *s, pkt_writer *w, const baseline *base, const Snapshot *world,
                                uint32_t tick, int viewer);

/* Adds the age of each entity that the client shows, as far as the server knows: in the newest acknowledged snapshot. */
void snapshots_ages(snapshot_sender *s, uint32_t tick, ages *shown);

#endif
