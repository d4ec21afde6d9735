/* links.h - how the packets of the arena carry events and commands: in a channel each.
 * SPDX-License-Identifier: MIT
 */
#ifndef LINKS_H
#define LINKS_H

#include "arena.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    EVENTS_WAITING = 128, /* without an acknowledgement */
    INPUTS_REPEATED = 16, /* commands before the newest one, until they have arrived */
    INPUTS_KEPT = 32,
    FIRST_NUMBER = 0xffc0, /* shortly before numbers begin again at 0: a mistake with that shows in the first second */
};

typedef struct event_link {
    pkt_channel channel;
    Event events[EVENTS_WAITING];
} event_link;

static inline void events_begin(event_link *l)
{
    pkt_channel_init(&l->channel, l->events, sizeof l->events[0], EVENTS_WAITING, false, FIRST_NUMBER);
}

/* Returns false if the event cannot be written: *error says why. Also returns false, but with PKT_OK, if too many are
 * waiting: the other side has not answered for so long that it is best to part. error may be NULL. */
static inline bool events_push(event_link *l, const Event *event, pkt_error *error)
{
    return Event_valid(event, error) && pkt_channel_push(&l->channel, event);
}

/* The commands of a player, on the client. */
typedef struct input_link {
    pkt_channel channel;
    Command commands[INPUTS_REPEATED]; /* by number, until they have arrived */
} input_link;

static inline void inputs_begin(input_link *l)
{
    pkt_channel_init(&l->channel, l->commands, sizeof l->commands[0], INPUTS_REPEATED, true, FIRST_NUMBER);
}

/* Adds a command to a datagram, after those before it that have not arrived. */
static inline void inputs_send(input_link *l, const Command *command, ToServer *out)
{
    uint16_t first, expected;
    const unsigned before = pkt_channel_send(&l->channel, &expected, &first, out->commands, INPUTS_REPEATED);
    out->newest = l->channel.next;
    out->repeated = (uint16_t)((1u << before) - 1);
    out->commands[before] = *command;
    pkt_channel_push(&l->channel, command);
}

static inline void inputs_acknowledge(input_link *l, uint16_t newest)
{
    pkt_channel_receive(&l->channel, (uint16_t)(newest + 1), 0, 0);
}

/* The server keeps the new commands. Returns how many there are: 0 if a later datagram has come before. */
static inline unsigned inputs_accept(pkt_inputs *inputs, uint32_t tick, const ToServer *in)
{
    unsigned count = 1;
    while ((in->repeated >> (count - 1) & 1) != 0)
        count++;
    if (in->repeated >> (count - 1) != 0)
        return 0; /* clients repeat all of the last ones */
    return pkt_inputs_arrived(inputs, tick, (uint16_t)(in->newest + 1 - count), in->commands, count);
}

#ifdef __cplusplus
}
#endif

#endif
