/* client.h - a client of the arena: what it sends, and what it makes of what it receives.
 * SPDX-License-Identifier: MIT
 *
 * It has no socket: the caller sends and receives. A client is large; it belongs on the heap.
 */
#ifndef CLIENT_H
#define CLIENT_H

#include "baselines.h"
#include "datagrams.h"
#include "events.h"
#include "handshake.h"
#include "inputs.h"

typedef enum client_state { CLIENT_GREETS, CLIENT_RESPONDS, CLIENT_PLAYS, CLIENT_REFUSED } client_state;

typedef struct client {
    client_state state;
    uint64_t salt, server_salt, game_id;
    uint32_t release;
    uint64_t session;
    double asked;    /* when the last greeting or response was sent */
    Refused refused; /* if the state is CLIENT_REFUSED: why */
    char name[16];

    baselines received;
    uint16_t newest; /* the number of the newest snapshot */
    bool has_newest; /* false: at the start, and when what was received cannot be trusted */
    unsigned doubts; /* snapshots in succession that were refused */
    uint32_t tick;   /* of the newest snapshot */

    Snapshot shown;                               /* what to draw: see show() */
    uint16_t shown_from[arena_MAX_ENTITIES];      /* the number of the snapshot that has brought each entity in it */
    uint16_t from[BASELINES][arena_MAX_ENTITIES]; /* the same for each snapshot in `received` */
    uint64_t stayed;                              /* times that an entity did not go back in time */

    input_sender inputs;
    event_channel events;
    event_batch batch; /* the events of the last datagram; the last new_events of them are new */
    unsigned new_events;

    uint64_t errors[PKT_ERROR_VALUE + 1]; /* datagrams that were refused, by reason */
    uint64_t late;                        /* snapshots that a newer one has overtaken, or that were here twice */
    uint64_t unknown;                     /* deltas to a snapshot that is not here (any more) */
    uint64_t forgotten;                   /* times that the client asked for a snapshot without a baseline */
} client;

/* The salt is a random number. The game_id is arena_PROTOCOL_ID, and the release is its number. */
void client_init(client *c, uint64_t salt, uint64_t game_id, uint32_t release, const char *name);

/* Once a tick: what to send, at most `size` bytes. The command is used once the client plays. 0: nothing. */
size_t client_send(client *c, double now, const Command *command, uint8_t *data, size_t size);

/* Returns true if the datagram brought a newer snapshot. The new events are in c->batch. */
bool client_receive(client *c, const uint8_t *data, size_t size);

/* The newest snapshot, or NULL. What is to be drawn is c->shown. */
const Snapshot *client_newest(client *c);

#endif
