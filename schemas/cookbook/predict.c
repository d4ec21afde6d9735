/* predict.c - the client's own player moves at once, and where the server disagrees, he glides to where he is there.
 * SPDX-License-Identifier: MIT
 *
 * docs/cookbook.md, "Prediction", has the schema and explains it.
 */
#include "mygame.h"

#include <string.h>

enum { GLIDE = 10 }; /* ticks for a correction */

typedef struct prediction {
    pkt_channel channel;
    Command commands[64]; /* more than the server has not executed yet */
    Own now;              /* after all commands */
    Own was;              /* the same, if the last correction had not come */
    Own shown;            /* between the two */
    bool begun;
    unsigned since; /* ticks since the last correction, at most GLIDE */
} prediction;

/* The rules of the game, which are the same on the server. */
static void step(Own *player, const Command *command);

/* For a new session. */
static void begin_prediction(prediction *p)
{
    memset(p, 0, sizeof *p);
    pkt_channel_init(&p->channel, p->commands, sizeof p->commands[0], 64, true, 1);
}

/* In each tick. The server sees a command rounded, so that is how it is executed here. */
static void predict(prediction *p, const Command *input, ToServer *out)
{
    Command command = *input;
    uint16_t unused;
    Command_quantize(&command);
    pkt_channel_push(&p->channel, &command);
    out->commands_count = (uint8_t)pkt_channel_send(&p->channel, &unused, &out->first, out->commands, 16);
    step(&p->now, &command);
    step(&p->was, &command);
    p->since += p->since < GLIDE;
    Own_mix(&p->was, &p->now, (double)p->since / GLIDE, &p->shown);
}

/* For each newer datagram of the server: where the player was after a command, and from there all commands since then again. */
static void correct(prediction *p, const ToClient *in)
{
    const Own before = p->now;
    const Command *command;
    pkt_channel_receive(&p->channel, in->expected, 0, 0);
    p->now = in->own;
    for (uint16_t n = in->executed; (command = pkt_channel_after(&p->channel, &n)) != NULL;)
        step(&p->now, command);
    if (p->begun && Own_equal(&p->now, &before))
        return;
    p->was = p->begun ? p->shown : p->now;
    p->since = 0;
    p->begun = true;
}
