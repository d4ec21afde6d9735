/* coded.c - how long coded deltas take, as ratios to the same deltas without a model.
 * SPDX-License-Identifier: MIT
 *
 * usage: coded TRACE     TRACE is tests/data/cubes-901.trace, unpacked
 *
 * Cubes: frames of the trace, each against a prediction from the frames 6 and 7 before it. With steps (schemas/cubes.pkt),
 * the program predicts in floats, which is a row of its own; with a model (trained.pkt), writing and reading predict, and
 * T_predict only sets a T_motion.
 *
 * Small packets: Squad of small.pkt, with `coded` and without. Small steps make its deltas coded. Of other values, the plain
 * form has fewer bits, so a writer makes both.
 *
 * Exits with 0 if every value arrived, and no coded packet is more than a byte longer than a plain one.
 */
#include "clock.h"
#include "cubes_predict.h"
#include "plain.h"
#include "small.h"
#include "trace.h"
#include "trained.h"

enum { ROUNDS = 11, EVERY = 6, BACK = 6, GAP = 1, FIRST = 18, FRAMES_SENT = (FRAMES - FIRST) / EVERY, ROOM = 16384 };
enum { PACKETS = 512, SMALL_ROOM = 256, SMALL_REPEATS = 20 };

/* ---- measuring */

typedef struct contender {
    const char *what;
    void (*steps)(void), (*model)(void);
} contender;

static double time_of(void (*run)(void))
{
    const double start = now();
    run();
    return now() - start;
}

/* Prints the median of both, in microseconds a packet, and the ratio. Returns the difference. The two take turns. */
static double print_row(const contender *c, double packets)
{
    double times[2][ROUNDS], steps, model;
    for (int r = 0; r < ROUNDS; r++) {
        times[0][r] = time_of(c->steps) / packets;
        times[1][r] = time_of(c->model) / packets;
    }
    for (int i = 0; i < 2; i++)
        qsort(times[i], ROUNDS, sizeof *times[i], by_time);
    steps = times[0][ROUNDS / 2];
    model = times[1][ROUNDS / 2];
    printf("  %-22s %9.2f %9.2f %9.2f\n", c->what, steps, model, model / steps);
    return model - steps;
}

static void must(bool good, const char *what)
{
    if (!good)
        fail(what);
}

/* ---- cubes */

static State by_steps[FRAMES], predicted[FRAMES_SENT], got_by_steps;
static coded_State by_model[FRAMES], got_by_model;
static coded_State_motion motions[FRAMES_SENT];
static uint8_t bytes[2][FRAMES_SENT][ROOM];
static size_t sizes[2][FRAMES_SENT];

#define FRAME(i) (FIRST + (i)*EVERY)

static void predict_by_steps(void)
{
    for (int i = 0; i < FRAMES_SENT; i++)
        predict(&by_steps[FRAME(i) - BACK], &by_steps[FRAME(i) - BACK - GAP], BACK, GAP, &predicted[i]);
}

static void predict_by_model(void)
{
    for (int i = 0; i < FRAMES_SENT; i++)
        coded_State_predict(&by_model[FRAME(i) - BACK], &by_model[FRAME(i) - BACK - GAP], BACK, GAP, &motions[i]);
}

static void write_by_steps(void)
{
    for (int i = 0; i < FRAMES_SENT; i++)
        sizes[0][i] = State_pack_delta_body(&predicted[i], &by_steps[FRAME(i)], bytes[0][i], ROOM);
}

static void write_by_model(void)
{
    for (int i = 0; i < FRAMES_SENT; i++)
        sizes[1][i] = coded_State_pack_delta_body(&motions[i], &by_model[FRAME(i)], bytes[1][i], ROOM);
}

static void read_by_steps(void)
{
    for (int i = 0; i < FRAMES_SENT; i++)
        must(State_unpack_delta_body(&predicted[i], &got_by_steps, bytes[0][i], sizes[0][i]), "a delta cannot be read");
}

static void read_by_model(void)
{
    for (int i = 0; i < FRAMES_SENT; i++)
        must(coded_State_unpack_delta_body(&motions[i], &got_by_model, bytes[1][i], sizes[1][i]),
             "a coded delta cannot be read");
}

static void check_cubes(void)
{
    double sum[2] = {0, 0};
    predict_by_steps();
    predict_by_model();
    write_by_steps();
    write_by_model();
    for (int i = 0; i < FRAMES_SENT; i++) {
        must(coded_State_unpack_delta_body(&motions[i], &got_by_model, bytes[1][i], sizes[1][i]) &&
                 coded_State_equal(&got_by_model, &by_model[FRAME(i)]),
             "a frame did not arrive as it was sent");
        sum[0] += (double)sizes[0][i];
        sum[1] += (double)sizes[1][i];
    }
    printf("%-24s %9s %9s %9s\n", "901 cubes, us a frame", "steps", "model", "ratio");
    printf("  %-22s %9.1f %9.1f %9.2f\n", "bytes", sum[0] / FRAMES_SENT, sum[1] / FRAMES_SENT, sum[1] / sum[0]);
}

static void measure_cubes(void)
{
    static const contender rows[] = {{"write", write_by_steps, write_by_model},
                                     {"read", read_by_steps, read_by_model},
                                     {"predict", predict_by_steps, predict_by_model}};
    double more = 0;
    check_cubes();
    for (int i = 0; i < 2; i++)
        more += print_row(&rows[i], FRAMES_SENT);
    print_row(&rows[2], FRAMES_SENT);
    printf("  write and read together take %.1f us more\n", more);
}

/* ---- small packets */

static small_Squad small_base[PACKETS], small_now[PACKETS], small_got;
static plain_Squad plain_base[PACKETS], plain_now[PACKETS], plain_got;
static uint8_t small_bytes[2][PACKETS][SMALL_ROOM];
static size_t small_sizes[2][PACKETS];

static unsigned draw(unsigned below)
{
    static uint64_t seed = 1;
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((seed >> 33) % below);
}

/* A value of up to `most` that is at most 3 from the old one, or any. */
static unsigned stepped(unsigned old, unsigned most, bool small_steps)
{
    const unsigned low = old > 3 ? old - 3 : 0, high = old + 3 < most ? old + 3 : most;
    return small_steps ? low + draw(high - low + 1) : draw(most + 1);
}

static void fill_Squads(bool small_steps)
{
    for (int i = 0; i < PACKETS; i++) {
        small_Squad *base = &small_base[i], *now = &small_now[i];
        small_Squad_init(base);
        base->tick = (uint16_t)i;
        for (int n = 0; n < small_UNITS; n++) {
            base->units[n].x = (uint16_t)draw(4096);
            base->units[n].y = (uint16_t)draw(4096);
            base->units[n].facing = (uint8_t)draw(256);
            base->units[n].health = (uint8_t)draw(101);
        }
        *now = *base;
        now->tick = (uint16_t)(i + 3);
        for (int n = 0; n < small_UNITS; n++) {
            small_Unit *u = &now->units[n];
            if (draw(2) == 0)
                continue;
            u->x = (uint16_t)stepped(u->x, 4095, small_steps);
            u->y = (uint16_t)stepped(u->y, 4095, small_steps);
            u->facing = (uint8_t)stepped(u->facing, 255, small_steps);
            u->health = (uint8_t)(draw(4) == 0 ? stepped(u->health, 100, small_steps) : u->health);
            u->firing = draw(4) == 0;
        }
        memcpy(&plain_base[i], base, sizeof *base);
        memcpy(&plain_now[i], now, sizeof *now);
    }
}

static void write_plain(void)
{
    for (int r = 0; r < SMALL_REPEATS; r++)
        for (int i = 0; i < PACKETS; i++)
            small_sizes[0][i] =
                plain_Squad_pack_delta_body(&plain_base[i], &plain_now[i], small_bytes[0][i], SMALL_ROOM);
}

static void write_small(void)
{
    for (int r = 0; r < SMALL_REPEATS; r++)
        for (int i = 0; i < PACKETS; i++)
            small_sizes[1][i] =
                small_Squad_pack_delta_body(&small_base[i], &small_now[i], small_bytes[1][i], SMALL_ROOM);
}

static void read_plain(void)
{
    for (int r = 0; r < SMALL_REPEATS; r++)
        for (int i = 0; i < PACKETS; i++)
            must(plain_Squad_unpack_delta_body(&plain_base[i], &plain_got, small_bytes[0][i], small_sizes[0][i]),
                 "a delta cannot be read");
}

static void read_small(void)
{
    for (int r = 0; r < SMALL_REPEATS; r++)
        for (int i = 0; i < PACKETS; i++)
            must(small_Squad_unpack_delta_body(&small_base[i], &small_got, small_bytes[1][i], small_sizes[1][i]),
                 "a coded delta cannot be read");
}

static void measure_small(const char *what, bool small_steps)
{
    static const contender rows[] = {{"write", write_plain, write_small}, {"read", read_plain, read_small}};
    double sum[2] = {0, 0};
    fill_Squads(small_steps);
    write_plain();
    write_small();
    for (int i = 0; i < PACKETS; i++) {
        must(small_Squad_unpack_delta_body(&small_base[i], &small_got, small_bytes[1][i], small_sizes[1][i]) &&
                 small_Squad_equal(&small_got, &small_now[i]),
             "a small packet did not arrive as it was sent");
        must(small_sizes[1][i] <= small_sizes[0][i] + 1, "a coded packet is more than a byte longer");
        sum[0] += (double)small_sizes[0][i];
        sum[1] += (double)small_sizes[1][i];
    }
    printf("\n%-24s %9s %9s %9s\n", what, "plain", "coded", "ratio");
    printf("  %-22s %9.1f %9.1f %9.2f\n", "bytes", sum[0] / PACKETS, sum[1] / PACKETS, sum[1] / sum[0]);
    for (int i = 0; i < 2; i++)
        print_row(&rows[i], PACKETS * SMALL_REPEATS);
}

int main(int argc, char **argv)
{
    must(argc == 2, "usage: coded TRACE");
    load_trace(argv[1]);
    for (int n = 0; n < FRAMES; n++) {
        State_init(&by_steps[n]);
        coded_State_init(&by_model[n]);
        for (int i = 0; i < CUBES; i++) {
            TRACE_CUBE(&by_steps[n].cubes[i], &trace[n][i]);
            TRACE_CUBE(&by_model[n].cubes[i], &trace[n][i]);
        }
        State_quantize(&by_steps[n]);
        coded_State_quantize(&by_model[n]);
    }
    measure_cubes();
    measure_small("small packets, steps", true);
    measure_small("small packets, jumps", false);
    return 0;
}
