/* filling.c - a server that fills each datagram with the most urgent things, and a client that shows them.
 * SPDX-License-Identifier: MIT
 *
 * docs/cookbook.md, "Filling a packet", has the schema and explains it.
 */
#include "mygame.h"

#include <stdio.h>
#include <stdlib.h>

enum { THINGS = 500, IDS = 1024, MTU = 1200 };

static int most_urgent_first(const void *a, const void *b)
{
    float x = ((const pkt_element *)a)->priority, y = ((const pkt_element *)b)->priority;
    return (x < y) - (x > y);
}

/* out: with its tick and back. from: the State that the client has acknowledged. now: the world, settled by State_quantize once a
 * tick, for all clients. x, y: where the client is. */
static bool choose(ToClient *out, const ToClient_baselines *from, const State *now, float x, float y)
{
    const State *base = from->state.value;
    uint16_t *since = out->state.since;
    pkt_element order[THINGS];
    uint32_t kept = now->things_count;
    for (uint32_t id = 0; id < IDS; id++)
        since[id] = out->tick; /* also of what is gone, which a client is always told */
    for (uint32_t i = 0; i < now->things_count; i++) {
        const Thing *t = &now->things[i];
        float dx = t->x - x, dy = t->y - y;
        since[t->id] = base ? base->since[t->id] : 0;
        uint16_t age = (uint16_t)(out->tick - since[t->id]); /* grows until the client has it */
        order[i].number = State_FIT_things + i;
        order[i].priority = age / (1000 + dx * dx + dy * dy); /* faster if it is near */
    }
    qsort(order, kept, sizeof *order, most_urgent_first);

    pkt_fit_report report;
    if (!ToClient_fit_pack(from, out, now, order, &kept, MTU, &report))
        return false;
    if (report.error.code != PKT_OK)
        fprintf(stderr, "%s\n", report.error.field); /* cannot be written; the others are sent */
    for (uint32_t k = 0; k < kept; k++)
        since[now->things[order[k].number - State_FIT_things].id] = out->tick;
    return true; /* pack it, and keep out->state */
}

/* On the client, after ToClient_unpack. base: NULL for none. shown: the things to draw. */
static void show(const State *base, const ToClient *in, State *shown)
{
    static State last;
    State_copy(&last, shown);
    State_copy(shown, &in->state);
    for (Thing *t = shown->things; t < shown->things + shown->things_count; t++) {
        const Thing *was = base ? State_things_find(base, t->id) : NULL, *stays = State_things_find(&last, t->id);
        uint16_t age = (uint16_t)(in->tick - last.since[t->id]);
        bool keeps = was && stays && Thing_equal(t, was) && age < 16; /* left out here; shown may have a newer one */
        if (keeps)
            *t = *stays;
        shown->since[t->id] = keeps ? last.since[t->id] : in->tick;
    }
}
