/* filling.c - a server that fills each datagram with the most urgent things, and a client that shows them.
 * SPDX-License-Identifier: MIT
 *
 * docs/cookbook.md, "Filling a packet", has the schema and explains it.
 */
#include "mygame.h"

#include <stdio.h>

enum { THINGS = 500, IDS = 1024, MTU = 1200, PATIENCE = 60, BITS = 16 }; /* ticks; bits of a tick */

/* Of each client. When it acknowledges a tick: pkt_turns_acknowledged(&c->turns, tick). */
typedef struct client {
    bool based; /* the newest datagram had a baseline */
    pkt_turns turns;
    pkt_wait waits[IDS];
} client;

/* For a new session. */
static void begin(client *c)
{
    c->based = false;
    pkt_turns_init(&c->turns, c->waits, IDS, PATIENCE, BITS);
}

/* out: with its tick and back. from: the State that the client has acknowledged. now: the world, settled by State_quantize once a
 * tick, for all clients. x, y: where the client is. */
static bool choose(client *c, ToClient *out, const ToClient_baselines *from, const State *now, float x, float y)
{
    pkt_element order[THINGS];
    uint32_t kept = now->things_count;
    if (!from->state.value && c->based)
        begin(c);
    c->based = from->state.value != NULL;
    for (uint32_t i = 0; i < now->things_count; i++) {
        const Thing *t = &now->things[i];
        float dx = t->x - x, dy = t->y - y;
        order[i].number = State_FIT_things + i;
        order[i].slot = t->id;
        order[i].priority = 1 / (1000 + dx * dx + dy * dy); /* what is near, more often */
    }
    pkt_turns_order(&c->turns, order, kept, out->tick);

    pkt_fit_report report;
    out->late_count = now->things_count; /* room for them */
    if (!ToClient_fit_pack(from, out, now, order, &kept, MTU, &report))
        return false;
    if (report.error.code != PKT_OK)
        fprintf(stderr, "%s\n", report.error.field); /* cannot be written; the others are sent */
    pkt_turns_sent(&c->turns, order, kept, out->tick);
    out->late_count = report.left_out != 0 ? out->state.things_count : 0;
    for (uint32_t i = 0; i < out->late_count; i++) {
        const Thing *t = &out->state.things[i];
        out->late[i] = !Thing_equal(t, State_things_find(now, t->id));
    }
    return true; /* pack it, and keep out->state */
}

/* On the client, after ToClient_unpack. shown: the things to draw. What is late is older in the State than what is shown. */
static void show(const ToClient *in, State *shown)
{
    static State last;
    State_copy(&last, shown);
    State_copy(shown, &in->state);
    for (uint32_t i = shown->things_count; i-- > 0;) {
        Thing *t = &shown->things[i];
        const Thing *stays = State_things_find(&last, t->id);
        if (i >= in->late_count || !in->late[i])
            continue;
        if (stays)
            *t = *stays;
        else
            State_things_remove(shown, t->id); /* it was gone in between */
    }
}
