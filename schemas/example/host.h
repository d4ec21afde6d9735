/* host.h - a server without a socket. It sends with udp_send; the caller receives.
 * SPDX-License-Identifier: MIT
 */
#ifndef HOST_H
#define HOST_H

#include "admission.h"
#include "arena_serve.h"
#include "links.h"
#include "numbers.h"
#include "recorder.h"
#include "snapshots.h"
#include "world.h"

static const double HOST_WAITS = 10.0; /* seconds in which the first clients join, and those that were removed */

typedef struct slot {
    bool playing, broken; /* broken: it is removed in the next tick */
    udp_address address;
    uint64_t session;
    double heard; /* time of the last datagram */
    pkt_inputs inputs;
    Command commands[INPUTS_KEPT]; /* until they are executed */
    uint32_t executed;             /* how many were */
    event_link events;
    snapshot_sender snapshots;
} slot;

/* All zeros, then with a world and a key for the door. */
typedef struct host {
    udp_socket socket;
    pkt_door door;
    FILE *log; /* or NULL */
    recorder recorder;
    uint32_t tick;
    double now, awaited; /* awaited: until then, clients that were removed may join again */
    world world;
    Snapshot_served served[OLDER_RELEASES + 1]; /* the world in the form of each release, the newest first */
    numbers numbers;
    slot slots[arena_MAX_PLAYERS];
} host;

void host_receive(host *s, double now, const udp_address *from, const uint8_t *data, size_t size);

/* Returns how many clients play. */
int host_tick(host *s, double now);

#endif
