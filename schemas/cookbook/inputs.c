/* inputs.c - commands that are repeated until they have arrived.
 * SPDX-License-Identifier: MIT
 *
 * docs/cookbook.md, "Input redundancy", has the schema and explains it.
 */
#include "mygame.h"

typedef struct inputs {
    pkt_channel channel;
    Command commands[16]; /* of the client; a server needs none */
} inputs;

static void begin_inputs(inputs *i)
{
    pkt_channel_init(&i->channel, i->commands, sizeof i->commands[0], 16, true, 1);
}

static void put_inputs(inputs *i, const Command *newest, ToServer *out)
{
    uint16_t unused;
    pkt_channel_push(&i->channel, newest);
    out->commands_count = (uint8_t)pkt_channel_send(&i->channel, &unused, &out->first, out->commands, 16);
}

/* The client, for each datagram of the server. */
static void acknowledge_inputs(inputs *i, uint16_t expected)
{
    pkt_channel_receive(&i->channel, expected, 0, 0);
}

/* The server, for each datagram. Returns how many of the commands are new; these are the last ones. */
static unsigned take_inputs(inputs *i, const ToServer *in)
{
    return pkt_channel_receive(&i->channel, 0, in->first, in->commands_count);
}
