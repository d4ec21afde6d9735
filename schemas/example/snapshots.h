/* snapshots.h - what the server sends one client of the world: what has changed since the newest snapshot that the
 * client has acknowledged, and of that what matters most.
 * SPDX-License-Identifier: MIT
 */
#ifndef SNAPSHOTS_H
#define SNAPSHOTS_H

#include "ages.h"
#include "arena.h"

typedef struct snapshot_sender {
    ToClient_snapshot_ring sent;
    uint32_t joined;       /* the tick at which the client had nothing */
    uint16_t newest;       /* the number of the newest one */
    bool has_acknowledged; /* false: the client has nothing that could be a baseline */
    uint16_t acknowledged; /* the newest one that the client has. It may say anything, also what it was not sent */
    uint32_t left_out;     /* entities that did not fit into the newest one */
} snapshot_sender;

/* *s is all zeros before. */
void snapshots_begin(snapshot_sender *s, uint32_t tick);

/* Completes a datagram, whose other fields the caller has set, with as much of the world as there is room for. Packs it, and
 * keeps what the client will have then. `viewer` is the number of the client's player. Returns the size, or 0 with *error. */
size_t snapshots_pack(snapshot_sender *s, ToClient *datagram, const Snapshot *world, int viewer, uint64_t session,
                      uint8_t data[arena_MTU], pkt_error *error);

/* Adds the age of each entity that the client shows, as far as the server knows: in the newest acknowledged snapshot. */
void snapshots_ages(const snapshot_sender *s, uint32_t tick, ages *shown);

#endif
