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

/* One side of the commands of a player. */
typedef struct input_link {
    pkt_channel channel;
    Command commands
        [INPUTS_KEPT]; /* by number. Of the client: until they have arrived. Of the server: until they are executed */
    uint16_t executed; /* the newest one that the server has executed, or given up */
} input_link;

static inline void inputs_begin(input_link *l)
{
    pkt_channel_init(&l->channel, l->commands, sizeof l->commands[0], INPUTS_REPEATED, true, FIRST_NUMBER);
    l->executed = FIRST_NUMBER - 1;
}

/* The client adds a command to a datagram, after those before it that have not arrived. */
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
static inline unsigned inputs_accept(input_link *l, const ToServer *in)
{
    const uint32_t lost = l->channel.lost;
    unsigned count = 1;
    while ((in->repeated >> (count - 1) & 1) != 0)
        count++;
    if (in->repeated >> (count - 1) != 0)
        return 0; /* clients repeat all of the last ones */
    const uint16_t first = (uint16_t)(in->newest + 1 - count);
    const unsigned fresh = pkt_channel_receive(&l->channel, l->channel.first, first, count);
    for (unsigned i = count - fresh; i < count; i++)
        l->commands[(first + i) % INPUTS_KEPT] = in->commands[i];
    if (l->channel.lost != lost || (uint16_t)(in->newest - l->executed) > INPUTS_KEPT)
        l->executed = fresh > 0 ? (uint16_t)(first - 1) : l->executed;
    return fresh;
}

/* The next command to execute. Returns NULL if it has not arrived yet. */
static inline const Command *inputs_next(input_link *l)
{
    if ((uint16_t)(l->executed + 1) == l->channel.expected)
        return NULL;
    return &l->commands[++l->executed % INPUTS_KEPT];
}

#ifdef __cplusplus
}
#endif

#endif
