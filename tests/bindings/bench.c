/* bench.c - times reads of a packet in C, and writes the packet into a file for bench.mjs: an Input of schemas/mygame.pkt, or with
 * WORLD a delta of 200 entities of the example.
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 199309L
#ifdef WORLD
#include "arena.h"
enum { COUNT = 50, ENTITIES = 200 };
#else
#include "mygame.h"
enum { COUNT = 2000 };
#endif

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 300 };

static double sum;

#ifdef WORLD
static const uint64_t seed = 7;
static ToClient_baselines from;
static ToClient_snapshot_ring ring;
static uint8_t data[ToClient_MAX_BYTES];

static void move(Snapshot *world, unsigned tick)
{
    for (unsigned i = 0; i < ENTITIES; i++) {
        Entity *e = Snapshot_entities_add(world, (uint16_t)(i * 5));
        e->kind = i % 3 == 0 ? Kind_player : Kind_crate;
        e->at.x = (float)(i % 60) + (float)(tick * (i % 4)) / 8;
        e->at.y = (float)(i % 50) - 25 + (float)tick / 8;
        e->at.z = 2;
        e->yaw = (float)(i + 3 * tick);
    }
    Snapshot_quantize(world);
}

static size_t make(void)
{
    static Snapshot base;
    static ToClient world;
    move(&base, 1);
    ToClient_snapshot_ring_keep(&ring, 1, &base);
    from.snapshot = ToClient_snapshot_ring_find(&ring, 1);
    ToClient_init(&world);
    world.number = 2;
    world.has_back = true;
    world.back = 1;
    Snapshot_copy(&world.snapshot, &base);
    move(&world.snapshot, 2);
    return ToClient_pack(&from, &world, seed, data, sizeof data);
}

static bool read_one(size_t size)
{
    static ToClient got;
    const bool good = ToClient_unpack(&from, &got, seed, data, size);
    for (unsigned i = 0; i < got.snapshot.entities_count; i++)
        sum += (double)(got.snapshot.entities[i].at.x + got.snapshot.entities[i].at.y);
    return good;
}
#else
static uint8_t data[Input_MAX_BYTES];

static size_t make(void)
{
    static Input input;
    Input_init(&input);
    input.tick = 1000;
    input.ack = 7;
    input.ack_bits = 0xfffffff;
    input.commands_count = 1;
    input.commands[0].buttons = Buttons_fire | Buttons_jump;
    input.commands[0].forward = 1;
    return Input_pack(&input, data, sizeof data);
}

static bool read_one(size_t size)
{
    static Input got;
    const bool good = Input_unpack(&got, data, size);
    sum += (double)got.tick + got.ack + got.ack_bits + got.commands[0].buttons + (double)got.commands[0].forward;
    return good;
}
#endif

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(void)
{
    const size_t size = make();
    double best = 1e18;
    FILE *file = fopen("packet", "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        return 1;
    for (int round = 0; round < ROUNDS; round++) {
        const double start = now();
        for (int i = 0; i < COUNT; i++)
            if (!read_one(size))
                return 1;
        const double took = (now() - start) / COUNT;
        best = took < best ? took : best;
    }
    printf("%.1f\n", best);
    return sum > 0 ? 0 : 1;
}
