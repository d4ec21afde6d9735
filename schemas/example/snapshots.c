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

void snapshots_begin(snapshot_sender *s, uint32_t tick)
{
    baselines_forget(&s->sent);
    s->joined = tick;
    s->newest = SEQUENCE_START;
    s->has_acknowledged = false;
}

void snapshots_acknowledge(snapshot_sender *s, const InputHeader *header)
{
    /* The client may say anything. It gets deltas to what it was really sent, or snapshots without a baseline. */
    s->has_acknowledged = header->has_snapshot && baselines_find(&s->sent, header->snapshot) != NULL;
    s->acknowledged = header->snapshot;
}

const baseline *snapshots_baseline(snapshot_sender *s)
{
    if (!s->has_acknowledged || (uint16_t)(s->newest + 1 - s->acknowledged) >= BASELINES)
        return NULL;
    return baselines_find(&s->sent, s->acknowledged);
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
static void sort(const Snapshot *world, uint32_t tick, int viewer, const uint32_t *since, uint32_t *order)
{
    candidate candidates[arena_MAX_ENTITIES];
    for (uint32_t i = 0; i < arena_MAX_ENTITIES; i++) {
        candidates[i].entity = i;
        candidates[i].priority = priority(&world->entities[viewer], &world->entities[i], tick - since[i]);
    }
    candidates[viewer].priority = INFINITY; /* players notice nothing as much as their own position */
    qsort(candidates, arena_MAX_ENTITIES, sizeof candidates[0], more_urgent);
    for (uint32_t i = 0; i < arena_MAX_ENTITIES; i++)
        order[i] = Snapshot_FIT_entities + candidates[i].entity;
}

const baseline *snapshots_write(snapshot_sender *s, pkt_writer *w, const baseline *base, const Snapshot *world,
                                uint32_t tick, int viewer)
{
    uint32_t before[arena_MAX_ENTITIES], order[arena_MAX_ENTITIES], count = arena_MAX_ENTITIES;
    for (uint32_t i = 0; i < arena_MAX_ENTITIES; i++)
        before[i] = base ? s->since[base->number % BASELINES][i] : s->joined;
    sort(world, tick, viewer, before, order);

    baseline *next = baselines_place(&s->sent, (uint16_t)(s->newest + 1));
    const Snapshot *from = base ? &base->snapshot : NULL;
    if (!Snapshot_fit_delta(from, world, &next->snapshot, order, &count, pkt_writer_bits(w), pkt_writer_bits_left(w)) ||
        !Snapshot_write_delta(w, from, &next->snapshot))
        return NULL;

    /* What was kept is now at the front of the order. */
    uint32_t *since = s->since[next->number % BASELINES];
    for (uint32_t i = 0; i < arena_MAX_ENTITIES; i++) {
        uint32_t entity = order[i] - Snapshot_FIT_entities;
        since[entity] = i < count ? tick : before[entity];
    }
    next->hash = Snapshot_hash(&next->snapshot);
    next->used = true;
    s->newest = next->number;
    s->left_out = arena_MAX_ENTITIES - count;
    return next;
}

void snapshots_ages(snapshot_sender *s, uint32_t tick, ages *shown)
{
    const baseline *has = snapshots_baseline(s);
    for (uint32_t i = 0; has && i < arena_MAX_ENTITIES; i++)
        if (has->snapshot.entities[i].kind != Kind_none)
            ages_add(shown, tick - s->since[has->number % BASELINES][i]);
}
