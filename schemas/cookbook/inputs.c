/* inputs.c - commands that are repeated until they have arrived, and executed in their ticks.
 * SPDX-License-Identifier: MIT
 *
 * docs/cookbook.md, "Input redundancy", has the schema and explains it.
 */
#include "mygame.h"

/* ---- the client */

typedef struct inputs {
    pkt_channel channel;
    Command commands[16];
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

/* For each datagram of the server. */
static void acknowledge_inputs(inputs *i, const InputAck *in)
{
    pkt_channel_receive(&i->channel, in->expected, 0, 0);
}

/* ---- the server */

typedef struct queue {
    pkt_inputs inputs;
    Command commands[32];
} queue;

static void begin_queue(queue *q)
{
    pkt_inputs_init(&q->inputs, q->commands, sizeof q->commands[0], 32, 60, 1);
}

/* For each datagram. */
static InputAck take_inputs(queue *q, uint32_t tick, const ToServer *in)
{
    pkt_inputs_arrived(&q->inputs, tick, in->first, in->commands, in->commands_count);
    return (InputAck){q->inputs.channel.expected};
}

/* The rules of the game. */
static void execute(const Command *command);

/* In each tick. */
static void execute_inputs(queue *q, uint32_t tick)
{
    for (const Command *c; (c = pkt_inputs_next(&q->inputs, tick)) != NULL;)
        execute(c);
}
