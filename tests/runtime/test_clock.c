/* test_clock.c - tests the playout clock and the tick clock with arrivals: recorded ones, and ones that a seed gives.
 * SPDX-License-Identifier: MIT
 *
 * tests/data/arrivals.txt was recorded by a client of the example on a bad network, while the machine was busy: a line is a time in
 * seconds, the tick of the snapshot that arrived, and the server's tick at that time.
 */
#include "../../runtime/pkt_inside.h"
#include "../../schemas/example/ages.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

static uint64_t seed;

static double draw(void)
{
    if (seed == 0)
        seed = random_seed() | 1;
    seed = seed * UINT64_C(6364136223846793005) + 1;
    return (double)(seed >> 40) / (1 << 24);
}

/* ---- a network: values of every third tick, at 60 ticks a second */

enum { RATE = 60, EVERY = 3, FRAMES = 144, MOST_ARRIVALS = 1 << 16 };

typedef struct arrival {
    double at; /* in seconds of the server */
    uint32_t tick;
} arrival;

typedef struct network {
    double way, jitter, loss; /* seconds; a share */
    double stall, stalled;    /* in seconds: nothing arrives, and then all at once */
    double drift;             /* the client's clock goes faster by this share */
    double step_at, step;     /* seconds; then the client's clock goes by a step */
    uint32_t first;           /* tick */
    double seconds;
} network;

/* What a client saw. */
typedef struct seen {
    ages shown;           /* how old what it showed was, in ticks */
    uint32_t frames, dry; /* dry: it showed the newest value, and another one was due */
    uint32_t back, leaps; /* frames that went back in time, or leapt by a quarter of a second */
    double fastest, slowest;
} seen;

static int compare_arrivals(const void *a, const void *b)
{
    const double x = ((const arrival *)a)->at, y = ((const arrival *)b)->at;
    return (x > y) - (x < y);
}

static uint32_t send_all(const network *n, arrival *to)
{
    uint32_t count = 0;
    for (uint32_t tick = 0; (double)tick / RATE < n->seconds; tick += EVERY) {
        const double sent = (double)tick / RATE;
        arrival a = {sent + n->way + n->jitter * draw(), n->first + tick};
        if (a.at >= n->stall && a.at < n->stall + n->stalled)
            a.at = n->stall + n->stalled;
        if (draw() >= n->loss)
            to[count++] = a;
    }
    qsort(to, count, sizeof *to, compare_arrivals);
    return count;
}

static double client_time(const network *n, double server_time)
{
    return 1000 + server_time * (1 + n->drift) + (server_time >= n->step_at ? n->step : 0);
}

/* Shows a frame, after `from` seconds. */
static void show(seen *s, pkt_playout *p, double now, double server_tick, double *last)
{
    pkt_shown shown;
    assert_true(pkt_playout_show(p, now, &shown));
    assert_true(shown.t >= 0 && shown.t <= 1);
    const double speed = *last < 0 ? 1 : (shown.tick - *last) * FRAMES / RATE;
    *last = shown.tick;
    s->frames++;
    s->dry += shown.from == shown.to;
    s->back += speed < 0;
    s->leaps += speed > FRAMES / 4.0;
    if (speed >= 0 && speed < 2) {
        s->fastest = speed > s->fastest ? speed : s->fastest;
        s->slowest = speed < s->slowest ? speed : s->slowest;
    }
    ages_add(&s->shown, server_tick > shown.tick ? (uint32_t)(server_tick - shown.tick) : 0);
}

/* From `from` seconds to the end. */
static seen watch(const network *n, double from)
{
    static arrival arrivals[MOST_ARRIVALS];
    seen s = {.slowest = 2};
    pkt_playout p;
    const uint32_t count = send_all(n, arrivals);
    uint32_t next = 0;
    double last = -1;
    pkt_playout_init(&p, RATE, 32);
    for (double at = 0; at < n->seconds; at += 1.0 / FRAMES) {
        for (; next < count && arrivals[next].at <= at; next++)
            pkt_playout_arrived(&p, client_time(n, arrivals[next].at), arrivals[next].tick, next);
        if (at >= from && next > 0)
            show(&s, &p, client_time(n, at), n->first + at * RATE, &last);
    }
    return s;
}

/* ---- playout */

TEST(shows_nothing_before_the_first_value_and_then_that)
{
    pkt_playout p;
    pkt_shown shown;
    pkt_playout_init(&p, 60, 16);
    assert_false(pkt_playout_show(&p, 5, &shown));
    pkt_playout_arrived(&p, 5, 65534, 17);
    assert_true(pkt_playout_show(&p, 5, &shown));
    assert_int_equal(shown.from, 17);
    assert_int_equal(shown.to, 17);
    assert_true(shown.t == 0 && shown.tick == 65534);
    /* Numbers wrap; what is later in time has the greater tick. */
    pkt_playout_arrived(&p, 5.05, 1, 18);
    assert_true(pkt_playout_show(&p, 5.075, &shown));
    assert_int_equal(shown.from, 17);
    assert_int_equal(shown.to, 18);
    assert_true(shown.tick > 65535.4 && shown.tick < 65535.6 && shown.t > 0.49 && shown.t < 0.51);
}

/* The second value may be late, or come with the first. */
TEST(what_is_shown_does_not_go_back_when_a_session_begins)
{
    for (int run = 0; run < 1000; run++) {
        const network n = {.way = 0.02 + 0.2 * draw(),
                           .jitter = 0.3 * draw(),
                           .loss = 0.5 * draw(),
                           .stall = 0,
                           .stalled = 0.2 * draw(),
                           .first = 1000,
                           .seconds = 3};
        assert_int_equal(watch(&n, 0).back, 0);
    }
    pkt_playout p;
    pkt_shown shown;
    double last = 0;
    pkt_playout_init(&p, 60, 16);
    for (uint32_t at = 3; at < 12; at++) {
        if (at % 3 == 0)
            pkt_playout_arrived(&p, at / 60.0, 997 + at, at);
        assert_true(pkt_playout_show(&p, at / 60.0, &shown));
        assert_true(shown.tick >= last && shown.tick <= 997 + at);
        last = shown.tick;
    }
    assert_true(last > 1004);
}

TEST(on_a_good_network_the_delay_is_that_of_a_datagram)
{
    const network n = {.way = 0.04, .seconds = 20};
    const seen s = watch(&n, 1);
    assert_int_equal(s.dry, 0);
    assert_int_equal(s.back + s.leaps, 0);
    assert_in_range(ages_up_to(&s.shown, 1), 5, 6); /* 40 ms are 2.4 ticks, and the next value comes after 3 */
    assert_true(s.fastest < 1.01 && s.slowest > 0.99);
}

TEST(jitter_and_losses_are_waited_for)
{
    const network n = {.way = 0.03, .jitter = 0.04, .loss = 0.02, .seconds = 60};
    const seen s = watch(&n, 2);
    assert_true(s.dry * 100 < s.frames * 2);
    assert_int_equal(s.back + s.leaps, 0);
    assert_true(ages_mean(&s.shown) < 11);
    assert_true(s.fastest < 1.07);
}

TEST(a_stall_changes_the_delay_as_much_as_one_late_value)
{
    const network calm = {.way = 0.03, .jitter = 0.01, .seconds = 20};
    network stalled = calm;
    stalled.stall = 8;
    stalled.stalled = 0.5;
    const seen before = watch(&calm, 4), during = watch(&stalled, 7.9), after = watch(&stalled, 8.6);
    assert_true(during.dry > FRAMES / 3 && during.dry < FRAMES * 2 / 3);
    assert_int_equal(during.back + during.leaps, 0);
    assert_true(after.dry * 100 < after.frames);
    assert_true(ages_mean(&after.shown) < ages_mean(&before.shown) + 1);
    assert_true(ages_up_to(&after.shown, 1) <= ages_up_to(&before.shown, 1) + 1);
}

TEST(clocks_that_drift_are_followed)
{
    const double drifts[] = {100e-6, -100e-6, 0.01, -0.01};
    for (size_t i = 0; i < sizeof drifts / sizeof drifts[0]; i++) {
        const network n = {.way = 0.03, .jitter = 0.01, .drift = drifts[i], .seconds = 600};
        const seen s = watch(&n, 590);
        assert_true(s.dry * 100 < s.frames * 2);
        assert_int_equal(s.back + s.leaps, 0);
        assert_in_range(ages_up_to(&s.shown, 0.5), 4, 7);
    }
}

TEST(steps_of_a_clock_are_followed_within_half_a_second)
{
    const double steps[] = {10, -10, 3600, -3600, 1.5, -1.5};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        const network n = {.way = 0.03, .jitter = 0.01, .step_at = 5, .step = steps[i], .seconds = 10};
        const seen s = watch(&n, 5.5);
        assert_true(s.dry * 100 < s.frames * 2);
        assert_int_equal(s.back + s.leaps, 0);
        assert_in_range(ages_up_to(&s.shown, 1), 4, 8);
    }
}

/* A new match, without pkt_playout_init; and numbers that wrap. */
TEST(a_server_may_begin_again)
{
    pkt_playout p;
    pkt_shown shown;
    pkt_playout_init(&p, RATE, 32);
    for (uint32_t i = 0; i < 400; i++) {
        const uint32_t tick = i < 200 ? UINT32_MAX - 300 + 3 * i : 3 * (i - 200);
        const double now = 3.0 * i / RATE;
        pkt_playout_arrived(&p, now, tick, i);
        assert_true(pkt_playout_show(&p, now, &shown));
        if ((i > 2 && i < 200) || i > 204) {
            assert_in_range(i - shown.from, 1, 2);
            assert_in_range(i - shown.to, 0, 1);
        }
    }
}

TEST(values_arrive_in_any_order_and_twice)
{
    pkt_playout p;
    pkt_shown shown;
    pkt_playout_init(&p, RATE, 16);
    for (uint32_t i = 0; i < 300; i++) {
        const uint32_t number = i % 4 == 1 ? i + 1 : i % 4 == 2 ? i - 1 : i;
        pkt_playout_arrived(&p, 3.0 * i / RATE, (uint16_t)(65000 + 3 * number), number);
        pkt_playout_arrived(&p, 3.0 * i / RATE, (uint16_t)(65000 + 3 * number), 7000 + number);
        assert_true(pkt_playout_show(&p, 3.0 * i / RATE, &shown));
        assert_true(shown.from <= shown.to && shown.to <= shown.from + 2);
        assert_true(i < 20 || shown.from + 4 >= i);
    }
}

TEST(recorded_arrivals_are_shown_smoothly)
{
    FILE *file = fopen("tests/data/arrivals.txt", "r");
    seen s = {.slowest = 2};
    pkt_playout p;
    double at, now = 0, last = -1, server = 0;
    unsigned tick, server_tick, count = 0;
    assert_non_null(file);
    pkt_playout_init(&p, RATE, 32);
    for (; fscanf(file, "%lf %u %u", &at, &tick, &server_tick) == 3; count++) {
        now = count == 0 ? at : now;
        server = count == 0 ? (double)server_tick : server;
        const double slope = ((double)server_tick - server) / (at - now);
        for (; count > 0 && now < at; now += 1.0 / FRAMES) {
            if (count > 20)
                show(&s, &p, now, server, &last);
            server += slope / FRAMES;
        }
        pkt_playout_arrived(&p, at, tick, tick);
        server = server_tick;
    }
    fclose(file);
    printf(
        "%u values: %.1f ticks old, %d at most; %u of %u frames without a next value, %.2f to %.2f as fast as time\n",
        count, ages_mean(&s.shown), ages_up_to(&s.shown, 1), s.dry, s.frames, s.slowest, s.fastest);
    assert_true(count > 200);
    assert_true(s.dry * 100 < s.frames * 5);
    assert_int_equal(s.back + s.leaps, 0);
    assert_true(ages_mean(&s.shown) < 12);
}

/* ---- the server's side of inputs: a client sends the number of a command in each tick */

typedef struct executed {
    uint32_t count, lacking, doubles; /* doubles: ticks with two commands */
    ages waited;                      /* ticks between arrival and execution */
    uint32_t backlog;                 /* at the end */
} executed;

static executed execute(const network *n, double from)
{
    static double arrives[MOST_ARRIVALS];
    static uint32_t arrived_at[MOST_ARRIVALS];
    executed e = {0};
    pkt_tick_clock c;
    uint32_t newest = 0, done = 0;
    const uint32_t commands = (uint32_t)(n->seconds * RATE * (1 + n->drift));
    for (uint32_t i = 1; i < commands; i++) {
        const double sent = i / (RATE * (1 + n->drift)), at = sent + n->way + n->jitter * draw();
        const bool stalls = at >= n->stall && at < n->stall + n->stalled;
        arrives[i] = draw() < n->loss ? 1e9 : stalls ? n->stall + n->stalled : at;
    }
    pkt_tick_clock_init(&c, RATE, 16);
    for (uint32_t tick = 0; tick < n->seconds * RATE - RATE; tick++) {
        /* A datagram repeats the commands before its own. */
        for (uint32_t i = newest + 1; i < commands && i < newest + 200; i++) {
            if (arrives[i] > (double)tick / RATE)
                continue;
            for (; newest < i; newest++)
                arrived_at[newest + 1] = tick;
            pkt_tick_clock_arrived(&c, n->first + tick, (uint16_t)(65500 + newest));
        }
        const unsigned due = pkt_tick_clock_due(&c, n->first + tick, (uint16_t)(65500 + done));
        assert_true(due <= 2 && due <= newest - done);
        const bool counts = tick >= from * RATE;
        e.count += counts ? due : 0;
        e.doubles += counts && due == 2;
        e.lacking += counts && due == 0;
        for (unsigned i = 0; i < due; i++)
            ages_add(&e.waited, counts ? tick - arrived_at[++done] : (done++, 0));
        e.backlog = newest - done;
    }
    return e;
}

TEST(commands_are_executed_as_they_arrive)
{
    const network n = {.way = 0.04, .seconds = 30};
    const executed e = execute(&n, 1);
    assert_int_equal(e.lacking, 0);
    assert_int_equal(e.doubles, 0);
    assert_int_equal(ages_up_to(&e.waited, 1), 0);
}

TEST(commands_wait_as_long_as_others_are_late)
{
    const network n = {.way = 0.03, .jitter = 0.03, .loss = 0.03, .seconds = 60};
    const executed e = execute(&n, 2);
    assert_true(e.lacking * 100 < 58 * RATE * 6);
    assert_true(e.count + 10 > 58 * RATE - RATE && e.count < 58 * RATE + 10);
    assert_true(ages_mean(&e.waited) < 3);
}

TEST(after_a_stall_two_are_executed_in_a_tick)
{
    const network n = {.way = 0.03, .jitter = 0.005, .stall = 5, .stalled = 0.5, .seconds = 12};
    const executed during = execute(&n, 5), after = execute(&n, 6.1);
    assert_in_range(during.doubles, 25, 40);
    assert_in_range(during.lacking, 25, 40);
    assert_true(after.doubles <= 3 && after.lacking <= 3);
    assert_true(after.backlog <= 2);
}

TEST(a_client_that_is_faster_or_slower_is_followed)
{
    const double drifts[] = {100e-6, -100e-6, 0.01, -0.01};
    for (size_t i = 0; i < sizeof drifts / sizeof drifts[0]; i++) {
        const network n = {.way = 0.03, .jitter = 0.005, .drift = drifts[i], .seconds = 300};
        const executed e = execute(&n, 2);
        assert_true(e.backlog <= 3);
        assert_true(e.lacking < 300 * RATE * 0.05 && e.doubles < 300 * RATE * 0.05);
    }
}

/* Faster than time, by a rate or by leaps. */
TEST(a_client_gets_no_more_commands_than_ticks)
{
    const unsigned rates[] = {2, 3, 17}, leaps[] = {0, 300, 20000};
    for (unsigned i = 0; i < 9; i++) {
        pkt_tick_clock c;
        uint32_t newest = 0, done = 0, count = 0;
        pkt_tick_clock_init(&c, RATE, 16);
        for (uint32_t tick = 0; tick < 60 * RATE; tick++) {
            newest += rates[i % 3] + (tick % 600 == 599 ? leaps[i / 3] : 0);
            pkt_tick_clock_arrived(&c, tick + 77, newest & 0xffff);
            const unsigned due = pkt_tick_clock_due(&c, tick + 77, done & 0xffff);
            done += due;
            count += due;
        }
        assert_in_range(count, 1, 60 * RATE + 60 * RATE / 64 + RATE);
    }
}

/* Nor does it save them up: not by sending none, nor by honest ones for an hour. In no time are there more than the ticks allow. */
TEST(a_client_saves_up_no_more_than_a_second)
{
    for (unsigned run = 0; run < 50; run++) {
        pkt_tick_clock c;
        const uint32_t idle = run % 2 ? 0 : 1;
        uint32_t newest = 0, done = 0, count = 0, rate = 0, until = 0;
        double least = 0; /* of the commands less what the ticks allow */
        pkt_tick_clock_init(&c, RATE, 16);
        for (uint32_t tick = 0; tick < 3600 * RATE; tick++) {
            if (tick == until) {
                rate = tick < 1800 * RATE ? idle : (uint32_t)(draw() * 4);
                until += tick < 1800 * RATE ? 1800 * RATE : 1 + (uint32_t)(draw() * 4000);
            }
            newest += rate;
            pkt_tick_clock_arrived(&c, tick, newest & 0xffff);
            const unsigned due = pkt_tick_clock_due(&c, tick, done & 0xffff);
            done += due;
            count += due;
            const double over = count - tick * 65.0 / 64;
            least = over < least ? over : least;
            assert_true(over - least <= RATE + 2);
        }
    }
}

TEST(steps_of_numbers_are_followed)
{
    pkt_tick_clock c;
    uint16_t done = 10;
    pkt_tick_clock_init(&c, RATE, 16);
    assert_int_equal(pkt_tick_clock_due(&c, 7, 10), 0);
    for (uint32_t tick = 0; tick < 200; tick++) {
        const uint16_t newest = (uint16_t)(tick + (tick < 100 ? 11 : 500)); /* the program gives commands up */
        if (tick == 100)
            done = (uint16_t)(newest - 1);
        pkt_tick_clock_arrived(&c, tick, newest);
        const unsigned due = pkt_tick_clock_due(&c, tick, done);
        if (tick < 100 || tick > 110)
            assert_int_equal(due, 1);
        done = (uint16_t)(done + due);
    }
}
