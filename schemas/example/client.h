/* client.h - a client of the arena: what it sends, and what it makes of what it receives.
 * SPDX-License-Identifier: MIT
 *
 * It has no socket: the caller sends and receives. A client is large; it belongs on the heap.
 */
#ifndef CLIENT_H
#define CLIENT_H

#include "links.h"

typedef enum client_state { CLIENT_GREETS, CLIENT_RESPONDS, CLIENT_PLAYS, CLIENT_REFUSED } client_state;

typedef struct client {
    client_state state;
    Hello hello;       /* the greeting */
    Response response; /* the answer to a challenge, which brings the server_salt */
    uint64_t session;
    double asked;    /* when the last greeting or response was sent */
    Refused refused; /* if the state is CLIENT_REFUSED: why */
    unsigned silent; /* ticks since something came from the server */

    ToClient in; /* the newest datagram */
    ToClient_receiver received;

    ToClient_snapshot_ring shown;    /* what was received, but that nothing goes back in time */
    uint16_t last;                   /* the number of what was shown last */
    uint32_t brought[arena_MAX_IDS]; /* the tick that brought what is shown of an entity */
    uint64_t stayed;                 /* times that an entity did not go back in time */
    pkt_playout playout;             /* says which of what is shown to draw */
    Snapshot drawn;

    input_link inputs;
    event_link events;
    unsigned new_events; /* so many of in.events are new, the last ones */

    uint64_t errors[PKT_ERROR_BASELINE + 1]; /* datagrams that were refused, by reason. PKT_OK: late, or here twice */
    uint64_t again;                          /* times that it joined again, because nothing came any more */
} client;

/* The salt is a random number, and the game_id is arena_PROTOCOL_ID. */
void client_init(client *c, uint64_t salt, uint64_t game_id, const char *name);

/* Once a tick: what to send, at most `size` bytes. The command is used once the client plays. 0: nothing. */
size_t client_send(client *c, double now, const Command *command, uint8_t *data, size_t size);

/* Returns true if the datagram brought a newer snapshot, which is in c->in. */
bool client_receive(client *c, double now, const uint8_t *data, size_t size);

/* For each frame: stores what to draw in c->drawn. Returns false if nothing has arrived. */
bool client_draw(client *c, double now);

#endif
