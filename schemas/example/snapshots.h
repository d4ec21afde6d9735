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
    pkt_turns turns;      /* how long each entity has waited */
    pkt_wait waits[arena_MAX_IDS];
    uint32_t ticks[ToClient_snapshot_REACH + 1]; /* of the snapshots that were sent, in the place of their number */
    uint16_t newest;                             /* the number of the newest one */
    bool based;                                  /* it has a baseline */
    uint32_t left_out;                           /* entities that did not fit into the newest one */
} snapshot_sender;

/* *s is all zeros before. release: of the client. */
void snapshots_begin(snapshot_sender *s, uint32_t release);

/* What the client's newest datagram says: the newest snapshot that it has, or none. It may say anything. */
void snapshots_acknowledged(snapshot_sender *s, bool has, uint16_t number);

/* Completes a datagram, whose other fields the caller has set, with as much of the world as there is room for. Packs it, and
 * keeps what the client will have then. `viewer` is the id of the client's player, and `served` is the world in the form
 * of the client's release. Returns the size, or 0 with *error. */
size_t snapshots_pack(snapshot_sender *s, ToClient *datagram, const Snapshot *world, const Snapshot_served *served,
                      uint16_t viewer, uint64_t session, uint8_t data[arena_MTU], pkt_error *error);

/* Adds how long ago the client got each entity of the world, as far as the server knows. */
void snapshots_ages(const snapshot_sender *s, const Snapshot *world, uint32_t tick, ages *shown);

#endif
