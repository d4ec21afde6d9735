/* snapshots.c - fills datagrams with what a client needs most.
 * SPDX-License-Identifier: MIT
 */
#include "snapshots.h"

#include <math.h>
#include <stdlib.h>

void snapshots_begin(snapshot_sender *s, uint32_t release, uint32_t tick)
{
    s->client.release = release;
    s->joined = tick;
    s->newest = 0xffc0; /* shortly before numbers begin again at 0 */
}

static uint32_t *since_of(snapshot_sender *s, uint16_t number)
{
    return s->since[number % (ToClient_snapshot_REACH + 1)];
}

/* Whether the next snapshot has a baseline: not if nothing is acknowledged, or what is acknowledged is too old. */
static bool has_baseline(const snapshot_sender *s)
{
    bool reached = (uint16_t)(s->newest + 1 - s->acknowledged) <= ToClient_snapshot_REACH;
    return s->has_acknowledged && reached && ToClient_snapshot_hash_for(&s->client, s->acknowledged) != 0;
}

static int more_urgent(const void *a, const void *b)
{
    float x = ((const pkt_element *)a)->priority, y = ((const pkt_element *)b)->priority;
    return (x < y) - (x > y);
}

/* What is near matters more. The longer something was left out, the more it matters, so everything gets its turn. */
static float priority(const Entity *viewer, const Entity *e, uint32_t age)
{
    static const float weights[] = {2, 4, 1}; /* of each Kind */
    float x = e->at.x - viewer->at.x, y = e->at.y - viewer->at.y;
    return weights[e->kind] * (float)age / (8 + sqrtf(x * x + y * y));
}

/* Sorts all entities, the most important first. Those that have not changed cost nothing, wherever they are. */
static void sort(const Snapshot *world, uint32_t tick, uint16_t viewer, const uint32_t *since, pkt_element *order)
{
    const Entity *from = Snapshot_entities_find(world, viewer);
    for (uint32_t i = 0; i < world->entities_count; i++) {
        const Entity *e = &world->entities[i];
        order[i].number = Snapshot_FIT_entities + i;
        /* Players notice nothing as much as their own position. */
        order[i].priority = e == from ? INFINITY : priority(from, e, tick - since[e->id]);
    }
    qsort(order, world->entities_count, sizeof *order, more_urgent);
}

size_t snapshots_pack(snapshot_sender *s, ToClient *datagram, const Snapshot *world, const Snapshot_served *served,
                      uint16_t viewer, uint64_t session, uint8_t data[arena_MTU], pkt_error *error)
{
    pkt_element order[arena_MAX_ENTITIES];
    uint32_t count = world->entities_count;
    datagram->number = (uint16_t)(s->newest + 1);
    datagram->has_back = has_baseline(s);
    datagram->back = (uint8_t)(datagram->number - s->acknowledged);
    const uint32_t *before = since_of(s, s->acknowledged);
    uint32_t *since = since_of(s, datagram->number);
    for (uint32_t id = 0; id < arena_MAX_IDS; id++)
        since[id] = datagram->tick; /* a client is always told what is gone */
    for (const Entity *e = world->entities; e < world->entities + count; e++)
        since[e->id] = datagram->has_back ? before[e->id] : s->joined;
    sort(world, datagram->tick, viewer, since, order);
    size_t size =
        ToClient_pack_for_error(&s->client, datagram, served, order, &count, session, data, arena_MTU, NULL, error);
    if (size == 0)
        return 0;

    /* What was kept is now at the front of the order. */
    for (uint32_t i = 0; i < count; i++)
        since[world->entities[order[i].number - Snapshot_FIT_entities].id] = datagram->tick;
    s->newest = datagram->number;
    s->left_out = world->entities_count - count;
    return size;
}

void snapshots_ages(snapshot_sender *s, const Snapshot *world, uint32_t tick, ages *shown)
{
    const uint32_t *since = since_of(s, s->acknowledged);
    const uint32_t count = has_baseline(s) ? world->entities_count : 0;
    for (uint32_t i = 0; i < count; i++)
        ages_add(shown, tick - since[world->entities[i].id]);
}
