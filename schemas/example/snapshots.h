/* snapshots.h - what the server sends one client of the world: what has changed since the newest snapshot that the
 * client has acknowledged, and of that what matters most.
 * SPDX-License-Identifier: MIT
 */
#ifndef SNAPSHOTS_H
#define SNAPSHOTS_H

#include "ages.h"
#include "arena_serve.h"

typedef struct snapshot_sender {
    ToClient_peer client; /* its release, and what it was sent, in the form of the release */
    /* The tick of which each entity of a snapshot is, by its id. What a datagram leaves out is as old as it is in the
     * baseline. It is kept as long as the snapshots themselves, in the place of their number. */
    uint32_t since[ToClient_snapshot_REACH + 1][arena_MAX_IDS];
    uint32_t joined;       /* the tick at which the client had nothing */
    uint16_t newest;       /* the number of the newest one */
    bool has_acknowledged; /* false: the client has nothing that could be a baseline */
    uint16_t acknowledged; /* the newest one that the client has. It may say anything, also what it was not sent */
    uint32_t left_out;     /* entities that did not fit into the newest one */
} snapshot_sender;

/* *s is all zeros before. release: of the client. */
void snapshots_begin(snapshot_sender *s, uint32_t release, uint32_t tick);

/* Completes a datagram, whose other fields the caller has set, with as much of the world as there is room for. Packs it, and
 * keeps what the client will have then. `viewer` is the id of the client's player, and `served` is the world in the form
 * of the client's release. Returns the size, or 0 with *error. */
size_t snapshots_pack(snapshot_sender *s, ToClient *datagram, const Snapshot *world, const Snapshot_served *served,
                      uint16_t viewer, uint64_t session, uint8_t data[arena_MTU], pkt_error *error);

/* Adds the age of each entity of the world that the client shows, as far as the server knows: in the newest acknowledged
 * snapshot. */
void snapshots_ages(snapshot_sender *s, const Snapshot *world, uint32_t tick, ages *shown);

#endif
