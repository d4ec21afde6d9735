/* deltas.c - how long deltas of whole worlds take, as ratios to writing the world without a baseline; and what fits.
 * SPDX-License-Identifier: MIT
 *
 * Worlds: State of schemas/cubes.pkt (901 cubes) and World of game/skirmish.pkt (64 players, 500 entities). Each is measured
 * settled, after T_quantize, and as a simulation left it; with some of it changed since the baseline, and with nothing changed.
 *
 * Large arrays: those of grid.pkt, with none, one, 65 and all of their elements changed. T_fit_write_delta is given all
 * integers as candidates, in an order that jumps about.
 *
 * What fits: all 500 entities have changed, and 1,200 bytes are to be filled with them, in an order. T_fit_write_delta is compared
 * with T_write_delta of all of them, and with a program that finds out by bisection, measuring deltas, how many of the first
 * ones fit.
 */
#include "clock.h"
#include "cubes.h"
#include "grid.h"
#include "skirmish.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 11, REPEATS = 60, CUBES_CHANGED = 80, ENTS_CHANGED = 50, PLAYERS_CHANGED = 32, ROOM = 1 << 17 };

static uint8_t bytes[ROOM], delta_bytes[2][ROOM];

static double draw(double low, double high)
{
    static uint64_t seed = 1;
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

static pkt_quat turned(pkt_quat q, double by)
{
    const double x = q.x + draw(-by, by), y = q.y + draw(-by, by), z = q.z + draw(-by, by), w = q.w + draw(-by, by),
                 length = sqrt(x * x + y * y + z * z + w * w);
    return (pkt_quat){(float)(x / length), (float)(y / length), (float)(z / length), (float)(w / length)};
}

/* ---- the worlds */

static void fill_State(State *v)
{
    for (int i = 0; i < cubes_CUBES; i++) {
        Cube *c = &v->cubes[i];
        c->x = (float)draw(-30, 30);
        c->y = (float)draw(-30, 30);
        c->z = (float)draw(0, 7);
        c->turn = turned(c->turn, 1);
    }
}

static void change_State(State *v)
{
    for (int i = 0; i < CUBES_CHANGED; i++) {
        Cube *c = &v->cubes[i * cubes_CUBES / CUBES_CHANGED];
        c->x += 0.05f;
        c->y -= 0.03f;
        c->z += 0.02f;
        c->turn = turned(c->turn, 0.01);
    }
}

static void fill_sk_World(sk_World *v)
{
    for (int i = 0; i < sk_MAX_PLAYERS; i++) {
        sk_Player *p = &v->players[i];
        p->used = true;
        p->team = sk_Team_red;
        p->alive = i % 4 != 0;
        p->pos.x = (float)draw(-400, 400);
        p->yaw = (float)draw(-3, 3);
        p->moving = i % 2 != 0;
        p->vx = (float)draw(-5, 5);
    }
    for (int i = 0; i < sk_MAX_ENTS; i++) {
        sk_Ent *e = &v->ents[i];
        e->kind = sk_EntKind_crate;
        e->pos.x = (float)draw(-400, 400);
        e->pos.y = (float)draw(-400, 400);
        e->turn = turned(e->turn, 1);
        e->at_rest = i % 3 != 0;
        e->vx = (float)draw(-5, 5);
        e->has_owner = i % 5 == 0;
    }
}

static void change_sk_World(sk_World *v)
{
    for (int i = 0; i < PLAYERS_CHANGED; i++) {
        v->players[2 * i].pos.x += 0.2f;
        v->players[2 * i].yaw += 0.01f;
    }
    for (int i = 0; i < ENTS_CHANGED; i++) {
        sk_Ent *e = &v->ents[i * sk_MAX_ENTS / ENTS_CHANGED];
        e->pos.x += 0.1f;
        e->turn = turned(e->turn, 0.02);
    }
}

/* ---- measuring */

static void must(bool good)
{
    if (!good)
        abort();
}

/* The median, over the rounds, of each of the contenders, which take turns. */
static void print_row(const char *what, void (*const *contenders)(void), unsigned count, bool ratios)
{
    double times[8][ROUNDS];
    for (int r = 0; r < ROUNDS; r++)
        for (unsigned i = 0; i < count; i++) {
            const double start = now();
            for (int n = 0; n < REPEATS; n++)
                contenders[i]();
            times[i][r] = (now() - start) / REPEATS;
        }
    for (unsigned i = 0; i < count; i++)
        qsort(times[i], ROUNDS, sizeof *times[i], by_time);
    printf("%-24s", what);
    for (unsigned i = 0; i < count; i++)
        printf(" %9.2f", times[i][ROUNDS / 2] / (ratios && i != 0 ? times[0][ROUNDS / 2] : 1));
    printf("\n");
}

/* The rows of a world. For each of two values, one changed and one not: write, read and measure. */
#define WORLD(T)                                                                                   \
    static T base_##T, values_##T[2], got_##T;                                                     \
    static size_t sizes_##T[2];                                                                    \
    static void write_##T(void)                                                                    \
    {                                                                                              \
        pkt_writer w;                                                                              \
        pkt_writer_init(&w, bytes, sizeof bytes);                                                  \
        must(T##_write(&w, &values_##T[0]));                                                       \
    }                                                                                              \
    static void write_delta_##T(int which)                                                         \
    {                                                                                              \
        pkt_writer w;                                                                              \
        pkt_writer_init(&w, delta_bytes[which], sizeof delta_bytes[which]);                        \
        must(T##_write_delta(&w, &base_##T, &values_##T[which]));                                  \
        must(pkt_writer_finish(&w, &sizes_##T[which]));                                            \
    }                                                                                              \
    static void read_delta_##T(int which)                                                          \
    {                                                                                              \
        pkt_reader r;                                                                              \
        pkt_reader_init(&r, delta_bytes[which], sizes_##T[which]);                                 \
        must(T##_read_delta(&r, &base_##T, &got_##T));                                             \
    }                                                                                              \
    static void measure_delta_##T(int which)                                                       \
    {                                                                                              \
        must(T##_measure_delta(&base_##T, &values_##T[which], 0) != UINT64_MAX);                   \
    }                                                                                              \
    CONTENDERS(T, 0)                                                                               \
    CONTENDERS(T, 1)                                                                               \
    static void measure_##T(const char *what, bool settled)                                        \
    {                                                                                              \
        static void (*const contenders[])(void) = {                                                \
            write_##T,           write_delta_##T##_0, read_delta_##T##_0,   measure_delta_##T##_0, \
            write_delta_##T##_1, read_delta_##T##_1,  measure_delta_##T##_1};                      \
        T##_init(&base_##T);                                                                       \
        fill_##T(&base_##T);                                                                       \
        if (settled)                                                                               \
            T##_quantize(&base_##T);                                                               \
        values_##T[0] = values_##T[1] = base_##T;                                                  \
        change_##T(&values_##T[0]);                                                                \
        if (settled)                                                                               \
            T##_quantize(&values_##T[0]);                                                          \
        write_delta_##T(0);                                                                        \
        write_delta_##T(1);                                                                        \
        print_row(what, contenders, sizeof contenders / sizeof *contenders, true);                 \
    }
#define CONTENDERS(T, which)                      \
    static void write_delta_##T##_##which(void)   \
    {                                             \
        write_delta_##T(which);                   \
    }                                             \
    static void read_delta_##T##_##which(void)    \
    {                                             \
        read_delta_##T(which);                    \
    }                                             \
    static void measure_delta_##T##_##which(void) \
    {                                             \
        measure_delta_##T(which);                 \
    }

WORLD(State)
WORLD(sk_World)

/* ---- what fits */

enum { BUDGET = 1200, BUDGET_BITS = 8 * BUDGET - 64 };

static sk_World fit_base, fit_now, fit_sent;
static pkt_element fit_order[sk_MAX_ENTS], fitting[sk_MAX_ENTS];
static uint32_t fit_kept, bisected;

static void write_all(void)
{
    must(sk_World_pack_delta(&fit_base, &fit_now, bytes, sizeof bytes) != 0);
}

static void fit(void)
{
    memcpy(fitting, fit_order, sizeof fitting);
    fit_kept = sk_MAX_ENTS;
    must(sk_World_fit_pack_delta(&fit_base, &fit_now, &fit_sent, fitting, &fit_kept, BUDGET, NULL));
}

static void bisect(void)
{
    uint32_t fits = 0, most = sk_MAX_ENTS;
    while (fits < most) {
        const uint32_t middle = (fits + most + 1) / 2;
        fit_sent = fit_base;
        fit_sent.tick = fit_now.tick;
        for (uint32_t i = 0; i < middle; i++)
            fit_sent.ents[fit_order[i].number - sk_World_FIT_ents] =
                fit_now.ents[fit_order[i].number - sk_World_FIT_ents];
        if (sk_World_measure_delta(&fit_base, &fit_sent, 0) <= BUDGET_BITS)
            fits = middle;
        else
            most = middle - 1;
    }
    bisected = fits;
}

static void measure_fit(const char *what, double distance)
{
    static void (*const contenders[])(void) = {write_all, fit, bisect};
    sk_World_init(&fit_base);
    fill_sk_World(&fit_base);
    sk_World_quantize(&fit_base);
    fit_now = fit_base;
    fit_now.tick++;
    for (int i = 0; i < sk_MAX_ENTS; i++) {
        sk_Ent *e = &fit_now.ents[i];
        e->pos.x += (float)draw(0.01, distance);
        e->pos.y += (float)draw(0.01, distance);
        e->turn = turned(e->turn, i % 3 == 0 ? 0.3 : 0.02);
        fit_order[i].number = sk_World_FIT_ents + (uint32_t)i;
    }
    for (uint32_t i = sk_MAX_ENTS; i > 1; i--) {
        const uint32_t other = (uint32_t)draw(0, i), held = fit_order[i - 1].number;
        fit_order[i - 1].number = fit_order[other].number;
        fit_order[other].number = held;
    }
    sk_World_quantize(&fit_now);
    print_row(what, contenders, 3, true);
    fit();
    must(sk_World_pack_delta(&fit_base, &fit_sent, bytes, BUDGET) != 0);
    printf("%-24s %9s %9u %9u\n", "  entities kept", "", (unsigned)fit_kept, (unsigned)bisected);
}

/* ---- large arrays */

/* A work on each of the four values of an array's packet. */
#define FOUR(T, work)            \
    static void work##_0(void)   \
    {                            \
        work(&T##_values[0]);    \
    }                            \
    static void work##_1(void)   \
    {                            \
        work(&T##_values[1]);    \
    }                            \
    static void work##_65(void)  \
    {                            \
        work(&T##_values[2]);    \
    }                            \
    static void work##_all(void) \
    {                            \
        work(&T##_values[3]);    \
    }                            \
    static void (*const work##_contenders[])(void) = {work##_0, work##_1, work##_65, work##_all};

/* The values, of which none, one, 65 and all elements have changed, evenly spread. */
#define ARRAY(T, change)                                               \
    static T T##_start, T##_values[4];                                 \
    static void change_##T(void)                                       \
    {                                                                  \
        enum { COUNT = sizeof T##_start.all / sizeof *T##_start.all }; \
        static const uint32_t changed[] = {0, 1, 65, COUNT};           \
        for (unsigned n = 0; n < 4; n++)                               \
            for (uint32_t i = 0; i < changed[n]; i++)                  \
                change(T##_values[n].all[i * COUNT / changed[n]]) = 1; \
    }                                                                  \
    static void write_##T(const T *v)                                  \
    {                                                                  \
        must(T##_pack_delta(&T##_start, v, bytes, sizeof bytes) != 0); \
    }                                                                  \
    FOUR(T, write_##T)

#define CELL(cell) (cell)
#define TANK(tank) (tank).x
#define CRATE(crate) (crate).place

ARRAY(Cells, CELL)
ARRAY(Tanks, TANK)
ARRAY(Crates, CRATE)

enum { CELLS = sizeof Cells_start.all / sizeof *Cells_start.all };
static pkt_element cell_order[CELLS];

static void fit_Cells(const Cells *v)
{
    static pkt_element order[CELLS];
    static Cells sent;
    uint32_t count = CELLS;
    memcpy(order, cell_order, sizeof order);
    must(Cells_fit_pack_delta(&Cells_start, v, &sent, order, &count, BUDGET, NULL));
}

FOUR(Cells, fit_Cells)

static void measure_arrays(void)
{
    for (uint32_t i = 0; i < CELLS; i++)
        cell_order[i].number = i * 1663 % CELLS;
    change_Cells();
    change_Tanks();
    change_Crates();
    printf("\n%-24s %9s %9s %9s %9s\n", "large arrays, us", "none", "one", "65", "all");
    print_row("4,096 integers", write_Cells_contenders, 4, false);
    print_row("1,024 structs", write_Tanks_contenders, 4, false);
    print_row("1,024 with padding", write_Crates_contenders, 4, false);
    print_row("4,096 integers: fit", fit_Cells_contenders, 4, false);
}

int main(void)
{
    printf("%-24s %9s %9s %9s %9s %9s %9s %9s\n", "deltas", "write, us", "changed:w", "read", "measure", "none: w",
           "read", "measure");
    measure_State("901 cubes, settled", true);
    measure_State("901 cubes, not settled", false);
    measure_sk_World("skirmish, settled", true);
    measure_sk_World("skirmish, not settled", false);
    printf("\n%-24s %9s %9s %9s\n", "500 into 1,200 bytes", "delta, us", "fit", "bisect");
    measure_fit("small steps", 0.2);
    measure_fit("all sizes of steps", 10);
    measure_arrays();
    return 0;
}
