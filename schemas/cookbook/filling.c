/* filling.c - a server that fills each datagram with the most urgent things, and a client that shows them.
 * SPDX-License-Identifier: MIT
 *
 * docs/cookbook.md, "Filling a packet", has the schema and explains it.
 */
#include "mygame.h"

#include <stdio.h>

enum { THINGS = 500, IDS = 1024, MTU = 1200, PATIENCE = 60, BITS = 16 }; /* ticks; bits of a tick */

/* Of each client. */
typedef struct client {
    ToClient_sender sent;
    bool based; /* the newest datagram had a baseline */
    pkt_turns turns;
    pkt_wait waits[IDS];
} client;

/* For a new session. */
static void begin(client *c)
{
    ToClient_sender_begin(&c->sent);
    c->based = false;
    pkt_turns_init(&c->turns, c->waits, IDS, PATIENCE, BITS);
}

/* The newest tick that the client has; or none. */
static void acknowledged(client *c, bool has, uint16_t tick)
{
    if (ToClient_acknowledged(&c->sent, has, tick))
        pkt_turns_acknowledged(&c->turns, tick);
}

/* out: with its tick. now: the world, settled by State_quantize once a tick, for all clients. x, y: where the client is. */
static size_t send_state(client *c, ToClient *out, const State *now, float x, float y, uint64_t session,
                         uint8_t data[MTU])
{
    pkt_element order[THINGS];
    uint32_t kept = now->things_count;
    const ToClient_baselines from = ToClient_sender_baselines(&c->sent, out);
    if (!out->has_back && c->based)
        pkt_turns_init(&c->turns, c->waits, IDS, PATIENCE, BITS);
    c->based = out->has_back;
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
    if (!ToClient_fit_pack(&from, out, now, order, &kept, MTU, &report))
        return 0;
    if (report.error.code != PKT_OK)
        fprintf(stderr, "%s\n", report.error.field); /* cannot be written; the others are sent */
    pkt_turns_sent(&c->turns, order, kept, out->tick);
    out->late_count = report.left_out != 0 ? out->state.things_count : 0;
    for (uint32_t i = 0; i < out->late_count; i++) {
        const Thing *t = &out->state.things[i];
        out->late[i] = !Thing_equal(t, State_things_find(now, t->id));
    }
    return ToClient_send(&c->sent, out, session, data, MTU);
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
