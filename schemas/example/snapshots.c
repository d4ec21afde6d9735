/* snapshots.c - fills datagrams with what a client needs most.
 * SPDX-License-Identifier: MIT
 */
#include "snapshots.h"
#include "sequence.h"

#include <math.h>
#include <stdlib.h>

typedef struct candidate {
    float priority;
    uint32_t entity;
} candidate;

void snapshots_begin(snapshot_sender *s, uint32_t release, uint32_t tick)
{
    s->client.release = release;
    s->joined = tick;
    s->newest = SEQUENCE_START;
}

/* Whether the next snapshot has a baseline: not if nothing is acknowledged, or what is acknowledged is too old. */
static bool has_baseline(const snapshot_sender *s)
{
    bool reached = (uint16_t)(s->newest + 1 - s->acknowledged) <= ToClient_snapshot_REACH;
    return s->has_acknowledged && reached && ToClient_snapshot_hash_for(&s->client, s->acknowledged) != 0;
}

static int more_urgent(const void *a, const void *b)
{
    float x = ((const candidate *)a)->priority, y = ((const candidate *)b)->priority;
    return (x < y) - (x > y);
}

/* What is near matters more. The longer something was left out, the more it matters, so everything gets its turn. */
static float priority(const Entity *viewer, const Entity *e, uint32_t age)
{
    static const float weights[] = {1, 2, 4, 1}; /* of each Kind; that something is gone matters like a crate */
    float x = e->at.x - viewer->at.x, y = e->at.y - viewer->at.y;
    return weights[e->kind] * (float)age / (8 + sqrtf(x * x + y * y));
}

/* Sorts all entities, the most important first. Those that have not changed cost nothing, wherever they are. */
static void sort(const Snapshot *world, uint32_t tick, int viewer, const uint32_t *since, pkt_element *order)
{
    candidate candidates[arena_MAX_ENTITIES];
    for (uint32_t i = 0; i < arena_MAX_ENTITIES; i++) {
        candidates[i].entity = i;
        candidates[i].priority = priority(&world->entities[viewer], &world->entities[i], tick - since[i]);
    }
    candidates[viewer].priority = INFINITY; /* players notice nothing as much as their own position */
    qsort(candidates, arena_MAX_ENTITIES, sizeof candidates[0], more_urgent);
    for (uint32_t i = 0; i < arena_MAX_ENTITIES; i++)
        order[i].number = Snapshot_FIT_entities + candidates[i].entity;
}

size_t snapshots_pack(snapshot_sender *s, ToClient *datagram, const Snapshot *world, const Snapshot_served *served,
                      int viewer, uint64_t session, uint8_t data[arena_MTU], pkt_error *error)
{
    pkt_element order[arena_MAX_ENTITIES];
    uint32_t count = arena_MAX_ENTITIES;
    datagram->number = (uint16_t)(s->newest + 1);
    datagram->has_back = has_baseline(s);
    datagram->back = (uint8_t)(datagram->number - s->acknowledged);
    const uint32_t *before = since_of(&s->since, s->acknowledged);
    uint32_t *since = since_of(&s->since, datagram->number);
    for (uint32_t i = 0; i < arena_MAX_ENTITIES; i++)
        since[i] = datagram->has_back ? before[i] : s->joined;
    sort(world, datagram->tick, viewer, since, order);
    size_t size =
        ToClient_pack_for_error(&s->client, datagram, served, order, &count, session, data, arena_MTU, NULL, error);
    if (size == 0)
        return 0;

    /* What was kept is now at the front of the order. */
    for (uint32_t i = 0; i < count; i++)
        since[order[i].number - Snapshot_FIT_entities] = datagram->tick;
    s->newest = datagram->number;
    s->left_out = arena_MAX_ENTITIES - count;
    return size;
}

void snapshots_ages(snapshot_sender *s, const Snapshot *world, uint32_t tick, ages *shown)
{
    const uint32_t *since = since_of(&s->since, s->acknowledged);
    const uint32_t count = has_baseline(s) ? arena_MAX_ENTITIES : 0;
    for (uint32_t i = 0; i < count; i++)
        if (world->entities[i].kind != Kind_none)
            ages_add(shown, tick - since[i]);
}
