/* pkt_turns.c - whose turn it is: orders of elements in which everything that waits comes first in the end.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_turns.h"

#include <string.h>

/* By how much a time is after another one; 0 if it is before it. */
static uint32_t pkt_time_after(const pkt_turns *t, uint32_t time, uint32_t other)
{
    const uint32_t after = (time - other) & t->mask;
    return after > t->mask / 2 ? 0 : after;
}

void pkt_turns_init(pkt_turns *t, pkt_wait *of, uint32_t count, uint32_t limit, unsigned bits)
{
    memset(t, 0, sizeof *t);
    memset(of, 0, count * sizeof *of);
    t->of = of;
    t->count = count;
    t->limit = limit;
    t->mask = UINT32_MAX >> (32 - bits);
}

/* Whether an element was sent since it began to wait, and the client has perhaps not got it yet. */
static bool pkt_is_on_its_way(const pkt_turns *t, const pkt_wait *wait)
{
    return wait->first != wait->began && pkt_time_after(t, wait->first, t->acknowledged) != 0;
}

/* Above all finite weights are those over the limit, by how long they wait, and above these the new ones on their way. */
static float pkt_urgency(const pkt_turns *t, const pkt_wait *wait, float weight, uint32_t now)
{
    const float most = 1e27f, first = 1e38f;
    const uint32_t waited = wait ? pkt_time_after(t, now, wait->since) : 1;
    if (weight > first)
        return weight;
    if (wait && pkt_is_on_its_way(t, wait))
        return first;
    if (waited >= t->limit)
        return most * (float)waited;
    return weight > 0 ? weight * (float)waited : 0;
}

static bool pkt_is_before(const pkt_element *a, const pkt_element *b)
{
    return a->priority > b->priority || (!(a->priority < b->priority) && a->number < b->number);
}

/* Moves an element down a heap whose root is the last one of the order. */
static void pkt_sift(pkt_element *heap, uint32_t at, uint32_t count)
{
    const pkt_element moved = heap[at];
    for (uint32_t under; (under = 2 * at + 1) < count; at = under) {
        under += under + 1 < count && pkt_is_before(&heap[under], &heap[under + 1]);
        if (!pkt_is_before(&moved, &heap[under]))
            break;
        heap[at] = heap[under];
    }
    heap[at] = moved;
}

/* C's qsort may allocate memory. */
static void pkt_sort_order(pkt_element *order, uint32_t count)
{
    for (uint32_t at = count / 2; at-- > 0;)
        pkt_sift(order, at, count);
    for (uint32_t n = count; n-- > 1;) {
        const pkt_element last = order[0];
        order[0] = order[n];
        order[n] = last;
        pkt_sift(order, 0, n);
    }
}

void pkt_turns_order(pkt_turns *t, pkt_element *order, uint32_t count, uint32_t now)
{
    if (!t->begun)
        t->acknowledged = (now - 1) & t->mask;
    for (uint32_t i = 0; i < count; i++) {
        pkt_wait *wait = order[i].slot < t->count ? &t->of[order[i].slot] : NULL;
        if (wait && (!t->begun || (wait->ordered != t->ordered && wait->ordered != now)))
            wait->began = wait->first = wait->since = wait->before = (now - 1) & t->mask;
        if (wait)
            wait->ordered = now;
        order[i].priority = pkt_urgency(t, wait, order[i].priority, now);
    }
    pkt_sort_order(order, count);
    t->begun = true;
    t->ordered = now;
}

void pkt_turns_sent(pkt_turns *t, const pkt_element *order, uint32_t kept, uint32_t now)
{
    for (uint32_t i = 0; i < kept; i++) {
        pkt_wait *wait = order[i].slot < t->count ? &t->of[order[i].slot] : NULL;
        if (!wait || wait->since == now)
            continue;
        if (wait->first == wait->began)
            wait->first = now;
        wait->before = wait->since;
        wait->since = now;
    }
}

/* Times that are only compared go along with what is acknowledged, before numbers that went round half a circle make them
 * later ones: of an element that has arrived, and of one that the newest order lacks. */
static void pkt_forget_time(const pkt_turns *t, pkt_wait *wait, uint32_t acknowledged)
{
    if (wait->first != wait->began && pkt_time_after(t, wait->first, acknowledged) == 0) {
        wait->first = acknowledged;
        wait->began = (acknowledged - 1) & t->mask;
    }
    if (wait->ordered != t->ordered)
        wait->ordered = (t->ordered - 1) & t->mask;
}

void pkt_turns_acknowledged(pkt_turns *t, uint32_t number)
{
    const uint32_t before = t->acknowledged;
    if (!t->begun || pkt_time_after(t, number, before) == 0 || pkt_time_after(t, number, t->ordered) != 0)
        return;
    for (pkt_wait *wait = t->of; wait != t->of + t->count; wait++) {
        pkt_forget_time(t, wait, number);
        if (wait->since == wait->before)
            continue; /* it was not sent since it waits */
        if (pkt_time_after(t, wait->before, before) != 0 && pkt_time_after(t, number, wait->before) != 0)
            wait->before = before;
        if (pkt_time_after(t, wait->since, before) != 0 && pkt_time_after(t, number, wait->since) != 0)
            wait->since = wait->before;
    }
    t->acknowledged = number;
}

/* Of what is still on its way, nothing is known. */
uint32_t pkt_turns_waited(const pkt_turns *t, uint32_t slot, uint32_t now)
{
    const pkt_wait *wait = slot < t->count ? &t->of[slot] : NULL;
    if (!wait || !t->begun || wait->ordered != t->ordered)
        return 0;
    const bool arrived = wait->since == wait->before || pkt_time_after(t, wait->since, t->acknowledged) == 0;
    const uint32_t before = pkt_time_after(t, wait->before, t->acknowledged) == 0 ? wait->before : t->acknowledged;
    return pkt_time_after(t, now, arrived ? wait->since : before);
}
