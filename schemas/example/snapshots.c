/* snapshots.c - fills datagrams with what a client needs most.
 * SPDX-License-Identifier: MIT
 */
#include "snapshots.h"

#include <math.h>

enum { PATIENCE = arena_TICK_RATE }; /* ticks: what has waited for so long is sent before the rest */

void snapshots_begin(snapshot_sender *s, uint32_t release)
{
    s->client.release = release;
    s->newest = 0xffc0; /* shortly before numbers begin again at 0 */
    pkt_turns_init(&s->turns, s->waits, arena_MAX_IDS, PATIENCE, 32);
}

static uint32_t *tick_of(snapshot_sender *s, uint16_t number)
{
    return &s->ticks[number % (ToClient_snapshot_REACH + 1)];
}

void snapshots_acknowledged(snapshot_sender *s, bool has, uint16_t number)
{
    if (ToClient_acknowledged_for(&s->client, has, number))
        pkt_turns_acknowledged(&s->turns, *tick_of(s, number));
}

/* What is near matters more. */
static float weight(const Entity *viewer, const Entity *e)
{
    static const float weights[] = {2, 4, 1}; /* of each Kind */
    float x = e->at.x - viewer->at.x, y = e->at.y - viewer->at.y;
    /* Players notice nothing as much as their own position. */
    return e == viewer ? INFINITY : weights[e->kind] / (8 + sqrtf(x * x + y * y));
}

size_t snapshots_pack(snapshot_sender *s, ToClient *datagram, const Snapshot *world, const Snapshot_served *served,
                      uint16_t viewer, uint64_t session, uint8_t data[arena_MTU], pkt_error *error)
{
    pkt_element order[arena_MAX_ENTITIES];
    uint32_t count = world->entities_count;
    datagram->number = (uint16_t)(s->newest + 1);
    ToClient_sender_baselines_for(&s->client, datagram);
    if (!datagram->has_back && s->based)
        pkt_turns_init(&s->turns, s->waits, arena_MAX_IDS, PATIENCE, 32);
    s->based = datagram->has_back;
    const Entity *from = Snapshot_entities_find(world, viewer);
    for (uint32_t i = 0; i < count; i++)
        order[i] = (pkt_element){Snapshot_FIT_entities + i, weight(from, &world->entities[i]), world->entities[i].id};
    pkt_turns_order(&s->turns, order, count, datagram->tick);
    Snapshot_served sent;
    pkt_fit_report report;
    if (!ToClient_fit_pack_for(&s->client, datagram, served, &sent, order, &count, arena_MTU, &report)) {
        *error = report.error;
        return 0;
    }
    size_t size = ToClient_pack_for_error(&s->client, datagram, &sent, session, data, arena_MTU, error);
    if (size == 0)
        return 0;

    pkt_turns_sent(&s->turns, order, count, datagram->tick);
    *tick_of(s, datagram->number) = datagram->tick;
    s->newest = datagram->number;
    s->left_out = report.left_out;
    return size;
}

void snapshots_ages(const snapshot_sender *s, const Snapshot *world, uint32_t tick, ages *shown)
{
    const uint32_t count = s->based ? world->entities_count : 0;
    for (uint32_t i = 0; i < count; i++)
        ages_add(shown, pkt_turns_waited(&s->turns, world->entities[i].id, tick));
}
