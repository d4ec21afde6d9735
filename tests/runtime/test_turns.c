/* test_turns.c - tests pkt_turns: that everything gets its turn, by its weight, also if datagrams are lost.
 * SPDX-License-Identifier: MIT
 */
#include "../../runtime/pkt_inside.h"
#include "unit.h"

#include <math.h>
#include <string.h>

static uint64_t seed;

static uint32_t draw(uint32_t below)
{
    if (seed == 0)
        seed = random_seed() | 1;
    seed = seed * UINT64_C(6364136223846793005) + 1;
    return (uint32_t)((seed >> 33) % below);
}

enum { SLOTS = 300, LIMIT = 60, EVERY = 3, MOST_WAYS = 16 };

static pkt_turns turns;
static pkt_wait of[SLOTS];
static pkt_element order[SLOTS + 1];

static void put(uint32_t i, uint32_t number, uint32_t slot, float weight)
{
    order[i].number = number;
    order[i].slot = slot;
    order[i].priority = weight;
}

/* ---- a match: a client that gets a datagram in every third tick, with room for some of the elements */

typedef struct match {
    uint32_t elements, room; /* of a datagram */
    uint32_t loss;           /* in percent, both ways */
    uint32_t way;            /* ticks until a datagram is acknowledged */
    uint32_t first;          /* tick */
    unsigned bits;
} match;

static uint32_t got[SLOTS]; /* how often an element has arrived */

/* The longest time for which an element did not arrive, in ticks. */
static uint32_t play(const match *m, const float *weights, uint32_t ticks)
{
    static bool sent[MOST_WAYS][SLOTS]; /* what is on its way */
    static bool arrives[MOST_WAYS];
    static uint32_t newest[SLOTS];
    uint32_t longest = 0;
    const uint32_t mask = UINT32_MAX >> (32 - m->bits);
    memset(got, 0, sizeof got);
    memset(arrives, 0, sizeof arrives);
    for (uint32_t i = 0; i < SLOTS; i++)
        newest[i] = m->first;
    pkt_turns_init(&turns, of, SLOTS, LIMIT, m->bits);
    for (uint32_t n = 0; n * EVERY < ticks; n++) {
        const uint32_t tick = m->first + n * EVERY, back = m->way / EVERY;
        uint32_t kept = m->room;
        if (n >= back && arrives[(n - back) % MOST_WAYS]) {
            const uint32_t then = tick - back * EVERY;
            for (uint32_t i = 0; i < m->elements; i++)
                if (sent[(n - back) % MOST_WAYS][i]) {
                    longest = then - newest[i] > longest ? then - newest[i] : longest;
                    newest[i] = then;
                    got[i]++;
                }
            pkt_turns_acknowledged(&turns, then & mask);
        }
        for (uint32_t i = 0; i < m->elements; i++)
            put(i, 1000 + i, i, weights[i]);
        pkt_turns_order(&turns, order, m->elements, tick & mask);
        kept = kept < m->elements ? kept : m->elements;
        memset(sent[n % MOST_WAYS], 0, sizeof sent[0]);
        for (uint32_t i = 0; i < kept; i++)
            sent[n % MOST_WAYS][order[i].slot] = true;
        pkt_turns_sent(&turns, order, kept, tick & mask);
        arrives[n % MOST_WAYS] = draw(100) >= m->loss;
    }
    for (uint32_t i = 0; i < m->elements; i++) {
        const uint32_t waits = m->first + ticks - newest[i];
        longest = waits > longest ? waits : longest;
    }
    return longest;
}

/* The example's match: 336 entities at most, of which the fullest datagrams have room for 40. */
TEST(nobody_starves)
{
    static float weights[SLOTS];
    for (int n = 0; n < 20; n++) {
        const match m = {SLOTS, 40, 0, 6, draw(2) ? 0 : UINT32_MAX - draw(3000), draw(2) ? 32 : 16};
        for (uint32_t i = 0; i < SLOTS; i++)
            weights[i] = draw(4) ? (float)(1 + draw(1000)) : draw(2) ? 0.0f : 1e-6f;
        /* A round takes 300 / 40 datagrams, and the acknowledgement two more. */
        assert_in_range(play(&m, weights, 6000), EVERY, LIMIT + EVERY * (300 / 40 + 3));
    }
}

TEST(nobody_starves_if_datagrams_are_lost)
{
    static float weights[SLOTS];
    for (int n = 0; n < 20; n++) {
        const match m = {SLOTS, 40, 10, 6 + 3 * draw(3), 0, 32};
        for (uint32_t i = 0; i < SLOTS; i++)
            weights[i] = (float)(1 + draw(1000));
        /* Two seconds for all that is not lost three times in a row, which one in 1,000 is. */
        assert_in_range(play(&m, weights, 6000), EVERY, 3 * 60);
    }
}

/* Numbers go round many times in a session. */
TEST(nobody_starves_in_long_sessions)
{
    static float weights[SLOTS];
    for (unsigned bits = 8; bits <= 16; bits++) {
        const match m = {40, 8, draw(2) ? 0 : 2, 6, draw(1000), bits};
        for (uint32_t i = 0; i < m.elements; i++)
            weights[i] = draw(4) ? (float)(1 + draw(1000)) : 0.0f;
        assert_in_range(play(&m, weights, (UINT32_C(4) << bits) + 3000), EVERY, 3 * LIMIT);
    }
}

/* Elements that are away for any time come back as new ones: the first datagram that has room for them has them again. */
TEST(who_comes_back_waits_as_a_new_one)
{
    enum { ELEMENTS = 12, ROOM = 3 };
    pkt_turns_init(&turns, of, SLOTS, 20, 8);
    uint32_t since[ELEMENTS] = {0}, until[ELEMENTS] = {0}; /* in the order from since on; then not */
    for (uint32_t n = 1; n < 100000; n++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < ELEMENTS; i++) {
            if (n == until[i] || n == 1) {
                since[i] = n + 1 + draw(draw(4) ? 40 : 700);
                until[i] = since[i] + 1 + draw(draw(4) ? 40 : 700);
            }
            if (n >= since[i] && n < until[i])
                put(count++, i, i, 1);
        }
        if (n > 3)
            pkt_turns_acknowledged(&turns, (n - 3) & 255);
        pkt_turns_order(&turns, order, count, n & 255);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t slot = order[i].slot, waits = pkt_turns_waited(&turns, slot, n & 255);
            if (n == since[slot])
                assert_int_equal(waits, 1);
            assert_in_range(waits, 1, 20 + ELEMENTS);
        }
        pkt_turns_sent(&turns, order, count < ROOM ? count : ROOM, n & 255);
    }
}

/* As long as none has reached the limit. */
TEST(twice_the_weight_is_twice_as_often)
{
    static float weights[SLOTS];
    const match m = {200, 20, 0, 3, 0, 32};
    uint64_t once = 0, twice = 0;
    for (uint32_t i = 0; i < 200; i++)
        weights[i] = i < 100 ? 1 : 2;
    play(&m, weights, 60000);
    for (uint32_t i = 0; i < 100; i++) {
        once += got[i];
        twice += got[100 + i];
    }
    assert_in_range(1000 * twice / once, 1800, 2200);
}

TEST(infinite_weights_are_always_first)
{
    pkt_turns_init(&turns, of, SLOTS, LIMIT, 16);
    for (uint32_t tick = 65000; tick < 67000; tick += EVERY) {
        for (uint32_t i = 0; i < 9; i++)
            put(i, i, i, i == 5 ? INFINITY : i == 6 ? NAN : i == 7 ? -1.0f : 1e16f);
        pkt_turns_order(&turns, order, 9, tick & 65535);
        assert_int_equal(order[0].number, 5);
        for (uint32_t i = 0; i < 9; i++)
            assert_false(isnan(order[i].priority) || order[i].priority < 0);
        pkt_turns_sent(&turns, order, 1, tick & 65535);
    }
}

/* What is sent and lost waits on from where it was; what is on its way does not come first. */
TEST(what_is_lost_waits_on)
{
    pkt_turns_init(&turns, of, SLOTS, 1000, 32);
    for (uint32_t tick = 10; tick <= 40; tick += 10) {
        put(0, 0, 0, 1);
        put(1, 1, 1, 1);
        if (tick == 20 || tick == 30)
            pkt_turns_acknowledged(&turns, tick - 10);
        pkt_turns_order(&turns, order, 2, tick);
        /* 10: 0 and then 1, by their numbers; 1 at 20, 0 at 30, and so on. */
        assert_int_equal(order[0].number, tick % 20 == 0);
        pkt_turns_sent(&turns, order, 1, tick);
    }
    assert_int_equal(pkt_turns_waited(&turns, 0, 50), 40);
    pkt_turns_acknowledged(&turns, 40); /* 0 was sent at 30, 1 at 40 */
    assert_int_equal(pkt_turns_waited(&turns, 0, 50), 40);
    assert_int_equal(pkt_turns_waited(&turns, 1, 50), 10);
    put(0, 0, 0, 1);
    put(1, 1, 1, 3);
    pkt_turns_order(&turns, order, 2, 50);
    assert_int_equal(order[0].number, 0); /* 40, and 3 * 10 */
    pkt_turns_acknowledged(&turns, 30);   /* an old one */
    assert_int_equal(pkt_turns_waited(&turns, 1, 50), 10);
}

TEST(an_element_that_comes_again_begins_to_wait)
{
    pkt_turns_init(&turns, of, SLOTS, 1000, 32);
    for (uint32_t tick = 0; tick < 100; tick++) {
        put(0, 0, 0, 1);
        put(1, 1, 1, 1);
        pkt_turns_order(&turns, order, tick % 50 == 49 ? 1 : 2, tick);
        if (tick == 98)
            assert_int_equal(pkt_turns_waited(&turns, 0, tick), 99);
        if (tick == 98)
            assert_int_equal(pkt_turns_waited(&turns, 1, tick), 49);
        if (tick == 49) /* the order lacks it */
            assert_int_equal(pkt_turns_waited(&turns, 1, tick), 0);
    }
}

/* Who acknowledges what was never sent would not be heard for half of all times. */
TEST(what_was_never_sent_is_not_acknowledged)
{
    for (unsigned bits = 8; bits <= 32; bits++) {
        const uint32_t mask = UINT32_MAX >> (32 - bits);
        pkt_turns_init(&turns, of, 1, LIMIT, bits);
        for (uint32_t n = 0; n < 300; n++) {
            const uint32_t now = (mask - 20 + n) & mask;
            put(0, 0, 0, 1);
            pkt_turns_order(&turns, order, 1, now);
            pkt_turns_sent(&turns, order, 1, now);
            pkt_turns_acknowledged(&turns, (now + 1 + draw(mask / 2)) & mask);
            assert_int_equal(pkt_turns_waited(&turns, 0, now), n == 0 || n % 2 != 0 ? 1 : 2);
            if (n % 2 == 0)
                pkt_turns_acknowledged(&turns, now);
        }
    }
}

/* The order has each element once, whatever the weights; a slot that there is not is no reason to fail. */
TEST(orders_are_sorted)
{
    for (int n = 0; n < 500; n++) {
        const uint32_t count = draw(SLOTS + 2);
        bool seen[SLOTS + 1] = {false};
        pkt_turns_init(&turns, of, draw(2) ? SLOTS : 5, LIMIT, 8);
        for (uint32_t i = 0; i < count; i++)
            put(i, count - 1 - i, draw(9) ? i : UINT32_MAX, (float)draw(n % 2 ? 3 : 100000));
        for (uint32_t i = draw(3); i != 0; i--)
            pkt_turns_order(&turns, order, count, draw(256));
        pkt_turns_order(&turns, order, count, draw(256));
        for (uint32_t i = 0; i < count; i++) {
            assert_in_range(order[i].number, 0, count - 1);
            assert_false(seen[order[i].number]);
            seen[order[i].number] = true;
            assert_true(i == 0 || order[i - 1].priority > order[i].priority ||
                        (order[i - 1].priority >= order[i].priority && order[i - 1].number < order[i].number));
        }
        pkt_turns_sent(&turns, order, count, 7);
        assert_int_equal(pkt_turns_waited(&turns, UINT32_MAX, 7), 0);
    }
}
