/* lists.c - does with a world of 32 entities what a game does with it, so that lists.sh counts the instructions; or with an
 *           argument, prints the nanoseconds to save and to restore a world.
 * SPDX-License-Identifier: MIT
 *
 * The entities are in a list of at most 4,096, and in an array of 32. A fourth of them changes from world to world. MOVING: the worlds
 * are predicted.
 */
#include "arrays.h"
#include "lists.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Callgrind counts functions of these names. */
#if defined(__clang__)
#define COUNTED __attribute__((noinline))
#else
#define COUNTED __attribute__((noipa))
#endif

enum { ENTITIES = 32, ROOM = 1 << 17, ROUNDS = 2000000 };

static uint8_t bytes[ROOM];

static void must(bool good)
{
    if (!good)
        abort();
}

static double ns_of(clock_t rounds)
{
    return (double)rounds * 1e9 / CLOCKS_PER_SEC / ROUNDS;
}

#ifdef MOVING
#define BASELINE(kind) kind##_World_motion
#define SET_BASELINE(kind) kind##_World_predict(&kind##_worlds[1], &kind##_worlds[0], 1, 1, &kind##_base)
#else
#define BASELINE(kind) kind##_World
#define SET_BASELINE(kind) kind##_base = kind##_worlds[1]
#endif

#define WORLDS(kind, COPY, COUNT)                                                                                    \
    static kind##_World kind##_worlds[3], kind##_got;                                                                \
    static BASELINE(kind) kind##_base;                                                                               \
    static kind##_ToClient_world_ring kind##_ring;                                                                   \
    COUNTED bool counted_##kind##_write(pkt_writer *w, const kind##_World *v)                                        \
    {                                                                                                                \
        return kind##_World_write(w, v);                                                                             \
    }                                                                                                                \
    COUNTED bool counted_##kind##_read(pkt_reader *r, kind##_World *v)                                               \
    {                                                                                                                \
        return kind##_World_read(r, v);                                                                              \
    }                                                                                                                \
    COUNTED bool counted_##kind##_write_delta(pkt_writer *w, const kind##_World *v)                                  \
    {                                                                                                                \
        return kind##_World_write_delta(w, &kind##_base, v);                                                         \
    }                                                                                                                \
    COUNTED bool counted_##kind##_read_delta(pkt_reader *r, kind##_World *v)                                         \
    {                                                                                                                \
        return kind##_World_read_delta(r, &kind##_base, v);                                                          \
    }                                                                                                                \
    COUNTED void counted_##kind##_copy(kind##_World *to, const kind##_World *from)                                   \
    {                                                                                                                \
        COPY;                                                                                                        \
    }                                                                                                                \
    COUNTED bool counted_##kind##_equal(const kind##_World *a, const kind##_World *b)                                \
    {                                                                                                                \
        return kind##_World_equal(a, b);                                                                             \
    }                                                                                                                \
    COUNTED void counted_##kind##_quantize(kind##_World *v)                                                          \
    {                                                                                                                \
        kind##_World_quantize(v);                                                                                    \
    }                                                                                                                \
    COUNTED void counted_##kind##_keep(uint16_t number, const kind##_World *v)                                       \
    {                                                                                                                \
        kind##_ToClient_world_ring_keep(&kind##_ring, number, v);                                                    \
    }                                                                                                                \
    COUNTED size_t counted_##kind##_save(const kind##_World *v)                                                      \
    {                                                                                                                \
        return kind##_World_save(v, bytes, sizeof bytes);                                                            \
    }                                                                                                                \
    COUNTED bool counted_##kind##_restore(kind##_World *v, size_t size)                                              \
    {                                                                                                                \
        return kind##_World_restore(v, bytes, size);                                                                 \
    }                                                                                                                \
    static void kind##_fill(kind##_World *v, int n)                                                                  \
    {                                                                                                                \
        v->time = 50 * n;                                                                                            \
        for (int i = 0; i < ENTITIES; i++) {                                                                         \
            kind##_Entity *const e = &v->entities[i];                                                                \
            e->id = (uint16_t)(7 * i + 3);                                                                           \
            e->type = (uint8_t)(i % 3);                                                                              \
            e->path.x = 10 * (float)i;                                                                               \
            e->path.y = -9 * (float)i;                                                                               \
            e->turn.yaw = 7 * (float)i;                                                                              \
            e->who.client = (uint8_t)i;                                                                              \
            if (i % 4 != 0)                                                                                          \
                continue;                                                                                            \
            e->path.x += 3 * (float)(n * n);                                                                         \
            e->turn.yaw += 2 * (float)n;                                                                             \
            e->look.legs = (uint8_t)(i % 8 == 0 ? n : 3);                                                            \
        }                                                                                                            \
        COUNT;                                                                                                       \
        kind##_World_quantize(v);                                                                                    \
    }                                                                                                                \
    static void kind##_run(void)                                                                                     \
    {                                                                                                                \
        pkt_writer w;                                                                                                \
        pkt_reader r;                                                                                                \
        size_t size = 0;                                                                                             \
        for (int n = 0; n < 3; n++)                                                                                  \
            kind##_fill(&kind##_worlds[n], n);                                                                       \
        pkt_writer_init(&w, bytes, sizeof bytes);                                                                    \
        must(counted_##kind##_write(&w, &kind##_worlds[2]) && pkt_writer_finish(&w, &size));                         \
        pkt_reader_init(&r, bytes, size);                                                                            \
        must(counted_##kind##_read(&r, &kind##_got) && counted_##kind##_equal(&kind##_got, &kind##_worlds[2]));      \
        counted_##kind##_quantize(&kind##_got);                                                                      \
        SET_BASELINE(kind);                                                                                          \
        pkt_writer_init(&w, bytes, sizeof bytes);                                                                    \
        must(counted_##kind##_write_delta(&w, &kind##_worlds[2]) && pkt_writer_finish(&w, &size));                   \
        pkt_reader_init(&r, bytes, size);                                                                            \
        must(counted_##kind##_read_delta(&r, &kind##_got) && kind##_World_equal(&kind##_got, &kind##_worlds[2]));    \
        counted_##kind##_copy(&kind##_got, &kind##_worlds[0]);                                                       \
        must(counted_##kind##_restore(&kind##_got, counted_##kind##_save(&kind##_worlds[2])));                       \
        counted_##kind##_keep(1, &kind##_worlds[1]);                                                                 \
    }                                                                                                                \
    static void kind##_time(void)                                                                                    \
    {                                                                                                                \
        const size_t size = counted_##kind##_save(&kind##_worlds[2]);                                                \
        const clock_t begin = clock();                                                                               \
        for (int i = 0; i < ROUNDS; i++)                                                                             \
            counted_##kind##_save(&kind##_worlds[i & 1]);                                                            \
        const clock_t middle = clock();                                                                              \
        for (int i = 0; i < ROUNDS; i++)                                                                             \
            must(counted_##kind##_restore(&kind##_got, size));                                                       \
        const clock_t end = clock();                                                                                 \
        for (int i = 0; i < ROUNDS / 100; i++)                                                                       \
            kind##_got = kind##_worlds[i & 1];                                                                       \
        printf(#kind ": %zu bytes saved in %.0f ns, restored in %.0f ns; all %zu bytes assigned in %.0f ns\n", size, \
               ns_of(middle - begin), ns_of(end - middle), sizeof kind##_got, 100 * ns_of(clock() - end));           \
    }

WORLDS(list, list_World_copy(to, from), v->entities_count = ENTITIES)
WORLDS(array, *to = *from, (void)0)

int main(int argc, char **argv)
{
    (void)argv;
    list_run();
    array_run();
    if (argc > 1) {
        list_time();
        array_time();
    }
    return 0;
}
