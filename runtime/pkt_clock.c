/* pkt_clock.c - when to use what arrives: the tick that a client shows, and the commands that a server executes.
 * SPDX-License-Identifier: MIT
 *
 * Just before a tick arrives, the newest one is that before it. So the delay that never lacks a tick is the greatest distance
 * from a local time of arrival to the tick before: it contains the way, jitter, losses and the offset of the clocks. A
 * quantile of these distances forgets single late ones, and follows the drift of the clocks.
 */
#include "pkt_clock.h"

#include <string.h>

enum { PKT_LATE_ONE_IN = 64, PKT_LATE_MOST = PKT_ARRIVALS / PKT_LATE_ONE_IN, PKT_MOST_STRAYS = 4, PKT_COMMAND = 64 };

static void pkt_arrivals_init(pkt_arrivals *k, double ticks_a_second, unsigned bits)
{
    memset(k, 0, sizeof *k);
    k->most = ticks_a_second;
    k->mask = UINT32_MAX >> (32 - bits);
}

/* A number that wraps, as the one nearest to the newest tick. */
static int64_t pkt_unwrapped(const pkt_arrivals *k, uint32_t number)
{
    const uint32_t on = (number - (uint32_t)k->newest) & k->mask;
    return !k->begun ? (int64_t)number : k->newest + (int64_t)on - (on > k->mask / 2 ? (int64_t)k->mask + 1 : 0);
}

/* The greatest lateness but for one in 64. */
static double pkt_usual_lateness(const pkt_arrivals *k)
{
    double largest[PKT_LATE_MOST + 1] = {0};
    const uint32_t n = k->count < PKT_ARRIVALS ? k->count : (uint32_t)PKT_ARRIVALS, excess = n / PKT_LATE_ONE_IN;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = i < excess ? i : excess;
        if (i > excess && largest[excess] >= k->late[i])
            continue;
        for (; at > 0 && largest[at - 1] < k->late[i]; at--)
            largest[at] = largest[at - 1];
        largest[at] = k->late[i];
    }
    return largest[excess];
}

/* An arrival that needed this delay. The least of the last ones follows the clocks, however much others are late. */
static void pkt_arrivals_need(pkt_arrivals *k, double need)
{
    const uint32_t n = k->count < PKT_ARRIVALS_NEAR ? k->count + 1 : (uint32_t)PKT_ARRIVALS_NEAR;
    double least = need;
    k->needs[k->count % PKT_ARRIVALS_NEAR] = need;
    for (uint32_t i = 0; i < n; i++)
        least = k->needs[i] < least ? k->needs[i] : least;
    k->late[k->count % PKT_ARRIVALS] = need - least;
    k->count = k->count < 2 * PKT_ARRIVALS ? k->count + 1 : (uint32_t)PKT_ARRIVALS + 1;
    k->delay = least + pkt_usual_lateness(k);
}

/* Whether an arrival is of the time that the clock follows. If not, it is ignored: damage, a pause, or a step of a clock. After
 * some at different times it was a step, and all begins anew. */
static bool pkt_arrivals_add(pkt_arrivals *k, double now, int64_t tick, bool *anew)
{
    const double way = now - (double)tick, off = way > k->delay ? way - k->delay : k->delay - way;
    const bool strays = k->begun && !(off <= k->most);
    const bool bursts = now >= k->last && (now - k->last) * 4 < (double)(tick - k->newest);
    const double since = now - k->strayed;
    if (!strays)
        k->strays = 0;
    else if (k->strays == 0 || since < 0 || since > k->most / 64) {
        k->strays++;
        k->strayed = now;
    }
    *anew = !k->begun || k->strays == PKT_MOST_STRAYS;
    if (*anew) {
        k->begun = true;
        k->count = k->strays = 0;
        k->delay = way;
    } else if (strays || tick <= k->newest) {
        return !strays;
    } else if (!bursts) {
        pkt_arrivals_need(k, now - (double)k->newest);
    }
    k->newest = tick;
    k->last = now;
    return true;
}

/* ---- what a client shows */

void pkt_playout_init(pkt_playout *p, double ticks_a_second, unsigned bits)
{
    memset(p, 0, sizeof *p);
    pkt_arrivals_init(&p->arrivals, ticks_a_second, bits);
    p->rate = ticks_a_second;
}

/* Keeps the newest values, in the order of ticks. */
static void pkt_playout_keep(pkt_playout *p, int64_t tick, uint32_t number)
{
    uint32_t at = p->kept;
    while (at > 0 && p->ticks[at - 1] >= tick)
        at--;
    if (at < p->kept && p->ticks[at] == tick)
        return;
    if (p->kept == PKT_PLAYOUT_KEPT) {
        if (at-- == 0)
            return;
        p->kept--;
        memmove(p->ticks, p->ticks + 1, at * sizeof *p->ticks);
        memmove(p->numbers, p->numbers + 1, at * sizeof *p->numbers);
    } else {
        memmove(p->ticks + at + 1, p->ticks + at, (p->kept - at) * sizeof *p->ticks);
        memmove(p->numbers + at + 1, p->numbers + at, (p->kept - at) * sizeof *p->numbers);
    }
    p->ticks[at] = tick;
    p->numbers[at] = number;
    p->kept++;
}

void pkt_playout_arrived(pkt_playout *p, double now, uint32_t tick, uint32_t number)
{
    const int64_t at = pkt_unwrapped(&p->arrivals, tick);
    bool anew;
    if (!pkt_arrivals_add(&p->arrivals, now * p->rate, at, &anew))
        return;
    if (anew) {
        p->kept = 0;
        p->runs = false;
        p->tick = (double)at;
    }
    pkt_playout_keep(p, at, number);
}

/* The delay changes by leaps. What is shown is a 16th faster or slower than time, or by the share of a second that it is off, until
 * it has followed; and it waits if there is nothing to show yet. It leaps ahead if it is half a second behind. */
static void pkt_playout_run(pkt_playout *p, double now)
{
    if (p->arrivals.count == 0)
        return; /* One arrival says nothing of the delay. */
    const double target = now * p->rate - p->arrivals.delay, passed = (now - p->at) * p->rate;
    const double on = p->tick + passed, off = target > on ? target - on : on - target, share = off / p->rate;
    const bool waits = on > target && on > (double)p->arrivals.newest;
    const double most = passed * (waits || share > 1 ? 1 : share > 1.0 / 16 ? share : 1.0 / 16);
    if (!p->runs || passed > p->rate || (share > 0.5 && target > on))
        p->tick = target > p->tick ? target : p->tick;
    else if (passed < 0 || off < most)
        p->tick = target;
    else
        p->tick = target > on ? on + most : most < passed ? on - most : p->tick;
    p->at = now;
    p->runs = true;
}

bool pkt_playout_show(pkt_playout *p, double now, pkt_shown *shown)
{
    uint32_t next = 0;
    if (p->kept == 0)
        return false;
    pkt_playout_run(p, now);
    while (next < p->kept && (double)p->ticks[next] <= p->tick)
        next++;
    const uint32_t from = next > 0 ? next - 1 : 0, to = next < p->kept ? next : from;
    shown->tick = p->tick;
    shown->from = p->numbers[from];
    shown->to = p->numbers[to];
    shown->t = from == to ? 0 : (p->tick - (double)p->ticks[from]) / (double)(p->ticks[to] - p->ticks[from]);
    return true;
}

/* ---- what a server executes */

/* The commands of a second. What a client does not use is lost: nobody saves up for a race. */
static int64_t pkt_most_credit(const pkt_tick_clock *c)
{
    return (int64_t)c->arrivals.most * PKT_COMMAND;
}

void pkt_tick_clock_init(pkt_tick_clock *c, double ticks_a_second, unsigned bits)
{
    pkt_arrivals_init(&c->arrivals, ticks_a_second, bits);
    c->tick = 0;
    c->credit = pkt_most_credit(c);
}

/* Commands are executed at whole ticks: what arrives before this one was missed at the tick before. */
void pkt_tick_clock_arrived(pkt_tick_clock *c, uint32_t tick, uint32_t newest)
{
    bool anew;
    if (!c->arrivals.begun)
        c->tick = tick;
    (void)pkt_arrivals_add(&c->arrivals, (double)tick - 1, pkt_unwrapped(&c->arrivals, newest), &anew);
}

/* A client can give its commands any numbers. So it has credit: each tick adds 65 64ths of a command. */
unsigned pkt_tick_clock_due(pkt_tick_clock *c, uint32_t tick, uint32_t executed)
{
    const pkt_arrivals *k = &c->arrivals;
    const int64_t done = pkt_unwrapped(k, executed), there = k->newest - done;
    const int64_t wanted = (int64_t)((double)tick - k->delay) - done;
    const int32_t passed = (int32_t)(tick - c->tick);
    int64_t due = wanted < there ? wanted : there;
    if (!k->begun)
        return 0;
    if (passed > 0) {
        c->credit += (int64_t)passed * (PKT_COMMAND + 1);
        if (c->credit > pkt_most_credit(c))
            c->credit = pkt_most_credit(c);
        c->tick = tick;
    }
    due = due < c->credit / PKT_COMMAND ? due : c->credit / PKT_COMMAND;
    due = due < 0 ? 0 : due > 2 ? 2 : due;
    c->credit -= due * PKT_COMMAND;
    return (unsigned)due;
}
