/* filling.c - a server that fills each datagram with the most urgent things, and a client that shows them.
 * SPDX-License-Identifier: MIT
 *
 * docs/cookbook.md, "Filling a packet", has the schema and explains it.
 */
#include "mygame.h"

#include <stdio.h>
#include <stdlib.h>

enum { THINGS = 500, MTU = 1200 };
typedef struct candidate {
    float urgency;
    uint32_t thing;
} candidate;

static int most_urgent_first(const void *a, const void *b)
{
    float x = ((const candidate *)a)->urgency, y = ((const candidate *)b)->urgency;
    return (x < y) - (x > y);
}

/* out: with its tick and back. from: the State that the client has acknowledged. now: the world, settled by State_quantize once a
 * tick, for all clients. x, y: where the client is. */
static bool choose(ToClient *out, const ToClient_baselines *from, const State *now, float x, float y)
{
    candidate candidates[THINGS];
    pkt_element order[THINGS];
    uint32_t kept = THINGS;
    for (uint32_t i = 0; i < THINGS; i++) {
        float dx = now->things[i].x - x, dy = now->things[i].y - y;
        out->state.since[i] = from->state.value ? from->state.value->since[i] : 0;
        uint16_t age = (uint16_t)(out->tick - out->state.since[i]); /* grows until the client has it */
        candidates[i].urgency = age / (1000 + dx * dx + dy * dy);   /* faster if it is near */
        candidates[i].thing = i;
    }
    qsort(candidates, THINGS, sizeof *candidates, most_urgent_first);
    for (uint32_t i = 0; i < THINGS; i++)
        order[i].number = State_FIT_things + candidates[i].thing;

    pkt_fit_report report;
    if (!ToClient_fit_pack(from, out, now, order, &kept, MTU, &report))
        return false;
    if (report.error.code != PKT_OK)
        fprintf(stderr, "%s\n", report.error.field); /* cannot be written; the others are sent */
    for (uint32_t k = 0; k < kept; k++)
        out->state.since[order[k].number - State_FIT_things] = out->tick;
    return true; /* pack it, and keep out->state */
}

/* On the client, after ToClient_unpack. base: NULL for none. shown: the things to draw. */
static void show(const State *base, ToClient *in, State *shown)
{
    for (uint32_t i = 0; i < THINGS; i++) {
        bool came = !base || !Thing_equal(&in->state.things[i], &base->things[i]);
        in->state.since[i] = came ? in->tick : base->since[i];
        uint16_t newer = (uint16_t)(shown->since[i] - in->state.since[i]), age = (uint16_t)(in->tick - shown->since[i]);
        if (newer > 0 && newer < 0x8000 && age < 16)
            continue; /* left out here; shown already has a newer one */
        shown->things[i] = in->state.things[i];
        shown->since[i] = in->state.since[i];
    }
}
