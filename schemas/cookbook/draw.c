/* draw.c - shows what is between two snapshots, at the time of each frame.
 * SPDX-License-Identifier: MIT
 *
 * docs/cookbook.md, "What a client shows", has the schema and explains it.
 */
#include "mygame.h"

typedef struct view {
    pkt_playout playout; /* pkt_playout_init(&v->playout, 60, 32) for each session: ticks a second, bits of a tick */
    ToClient_state_ring received;
    State shown;
} view;

/* A snapshot that was read; now: seconds of a clock that runs on. */
static void on_snapshot(view *v, const ToClient *in, double now)
{
    ToClient_state_ring_keep(&v->received, in->number, &in->state);
    pkt_playout_arrived(&v->playout, now, in->tick, in->number);
}

/* For each frame: what to draw is v->shown. False if nothing has arrived. */
static bool draw(view *v, double now)
{
    return ToClient_state_ring_show(&v->received, &v->playout, now, &v->shown);
}
