/* fit_values.h - what the tests of fit.pkt share: random values, and orders of their elements.
 * SPDX-License-Identifier: MIT
 *
 * The seed is printed; set PKT_SEED=N in the environment to repeat a run.
 */
#ifndef FIT_VALUES_H
#define FIT_VALUES_H

#include "fit.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_ENTRIES = 12000 };

static uint64_t seed;

static inline uint32_t draw(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((seed >> 32) % below);
}

static inline void begin(void)
{
    const char *wanted = getenv("PKT_SEED");
    seed = wanted ? strtoull(wanted, NULL, 10) : 20260000;
    printf("PKT_SEED=%" PRIu64 "\n", seed);
}

/* ---- orders */

static uint32_t order[MOST_ENTRIES], given[MOST_ENTRIES];

/* All numbers below n, shuffled. */
static inline uint32_t shuffle(uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    for (uint32_t i = n; i > 1; i--) {
        const uint32_t other = draw(i), held = order[i - 1];
        order[i - 1] = order[other];
        order[other] = held;
    }
    memcpy(given, order, n * sizeof *order);
    return n;
}

/* The same, but some of them are left out, and some are there twice. */
static inline uint32_t draw_order(uint32_t n)
{
    uint32_t count = shuffle(n) - (draw(2) != 0 ? draw(n) : 0);
    for (uint32_t i = draw(4); i != 0 && count != 0; i--, count++)
        order[count] = order[draw(count)];
    memcpy(given, order, count * sizeof *order);
    return count;
}

static inline int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* No entry is lost, and none is new. */
static inline void check_same_entries(uint32_t count)
{
    static uint32_t before[MOST_ENTRIES], after[MOST_ENTRIES];
    memcpy(before, given, count * sizeof *before);
    memcpy(after, order, count * sizeof *after);
    qsort(before, count, sizeof *before, compare);
    qsort(after, count, sizeof *after, compare);
    assert_memory_equal(before, after, count * sizeof *before);
}

/* ---- values */

static inline void draw_body(fit_Body *v)
{
    v->x = (float)draw(20000) / 100 - 100;
    v->y = (float)draw(20000) / 100 - 100;
    v->turn.x = (float)draw(1000) / 1000;
    v->turn.w = sqrtf(1 - v->turn.x * v->turn.x);
    v->rest = draw(2) != 0;
    v->has_owner = draw(4) == 0;
    v->owner = v->has_owner ? (uint8_t)draw(256) : 0;
}

static inline void move_body(fit_Body *v)
{
    if (draw(4) == 0)
        draw_body(v);
    v->x += (float)draw(9) / 100;
    v->rest ^= draw(3) == 0;
}

/* One of `of` elements changes. */
static inline bool hit(uint32_t of)
{
    return draw(of) == 0;
}

static inline void change_World(fit_World *v, uint32_t of)
{
    v->tick += draw(3);
    v->end += draw(2);
    v->health_count = (uint8_t)(hit(2) ? v->health_count : draw(201));
    v->score_count = (uint8_t)(hit(2) ? v->score_count : 3 + draw(148));
    v->things_count = (uint8_t)(hit(2) ? v->things_count : draw(21));
    for (int i = 0; i < 300; i++)
        if (hit(of))
            move_body(&v->bodies[i]);
    for (int i = 0; i < 4; i++)
        if (hit(of))
            move_body(&v->others[i]);
    for (int i = 0; i < 200; i++)
        if (hit(of))
            v->health[i] = (uint16_t)draw(hit(3) ? 65536 : 2);
    for (int i = 0; i < 150; i++)
        if (hit(of))
            v->score[i] = (int32_t)draw(hit(3) ? 65536 : 20);
    for (int i = 0; i < 130; i++)
        v->doors[i] ^= hit(of);
    for (int i = 0; i < 20; i++) {
        if (!hit(of))
            continue;
        fit_Thing_init(&v->things[i]);
        if (hit(2)) {
            v->things[i].tag = fit_Thing_tag_door;
            v->things[i].as.door.angle = (uint8_t)draw(128);
        } else {
            draw_body(&v->things[i].as.body);
        }
    }
    fit_World_quantize(v);
}

static inline void change_Row(fit_Row *v, uint32_t of)
{
    v->height_count = (uint16_t)(hit(4) ? v->height_count : draw(501));
    for (int i = 0; i < 500; i++)
        if (hit(10 * of))
            v->height[i] = (uint8_t)draw(3);
}

static inline void change_Room(fit_Room *v, uint32_t of)
{
    for (int i = 0; i < 64; i++)
        if (hit(of))
            move_body(&v->bodies[i]);
    fit_Room_quantize(v);
}

#endif
