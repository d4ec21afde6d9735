/* test_channel.c - tests that values arrive once each and in order on a bad network, and what anyone may say to a channel.
 * SPDX-License-Identifier: MIT
 */
#include "../../runtime/pkt_inside.h"
#include "unit.h"

#include <string.h>

enum { ROOM = 32, PARCELS = 256, MOST = 9 };

/* A datagram of either side. */
typedef struct datagram {
    uint16_t expected, first, count;
    uint32_t values[ROOM];
} datagram;

typedef struct side {
    pkt_channel channel;
    uint32_t values[ROOM];
    uint32_t pushed, seen; /* the newest value that was pushed, and that has come */
    uint32_t count;        /* so many have come */
} side;

static pkt_parcel parcels[PARCELS];

static void begin(side *s, bool forgets)
{
    memset(s, 0, sizeof *s);
    pkt_channel_init(&s->channel, s->values, sizeof s->values[0], ROOM, forgets, 65530);
}

static void send(side *s, pkt_network *n, uint64_t now, uint32_t to, unsigned most)
{
    datagram d;
    memset(&d, 0, sizeof d);
    d.count = (uint16_t)pkt_channel_send(&s->channel, &d.expected, &d.first, d.values, most);
    pkt_network_send(n, now, to, &d, sizeof d);
}

static void receive(side *s, const pkt_parcel *p)
{
    datagram d;
    memcpy(&d, p->data, sizeof d);
    for (unsigned i = d.count - pkt_channel_receive(&s->channel, d.expected, d.first, d.count); i < d.count; i++) {
        assert_true(s->channel.forgets ? d.values[i] > s->seen : d.values[i] == s->seen + 1);
        s->seen = d.values[i];
        s->count++;
    }
}

/* Each side pushes values and sends a datagram in each unit of time. Then only datagrams. */
static void play(side sides[2], double loss, bool forgets, unsigned most)
{
    pkt_network n;
    pkt_network_init(&n, random_seed(), parcels, PARCELS);
    n.loss = loss;
    n.burst = 0.6;
    n.doubling = 0.1;
    n.latency = n.jitter = 5;
    for (int i = 0; i < 2; i++)
        begin(&sides[i], forgets);
    for (uint64_t now = 0; now < 120000; now++) {
        for (const pkt_parcel *p; (p = pkt_network_take(&n, now));)
            receive(&sides[p->way], p);
        for (uint32_t i = 0; i < 2; i++) {
            const uint32_t next = sides[i].pushed + 1;
            if (now < 119000 && (forgets || now % 7 < 3 + i))
                sides[i].pushed += pkt_channel_push(&sides[i].channel, &next);
            send(&sides[i], &n, now, !i, most);
        }
    }
}

TEST(events_arrive_once_and_in_order)
{
    side sides[2];
    play(sides, 0.2, false, MOST);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(sides[i].seen, sides[!i].pushed);
        assert_int_equal(sides[i].channel.first, sides[i].channel.next);
        assert_int_equal(sides[i].channel.lost, 0);
        assert_true(sides[i].seen > 30000);
    }
}

TEST(commands_arrive_but_for_those_that_were_forgotten)
{
    const double losses[] = {0.02, 0.3};
    for (int k = 0; k < 2; k++) {
        side sides[2];
        play(sides, losses[k], true, ROOM);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(sides[!i].pushed, 119000);
            assert_int_equal(sides[i].count + sides[i].channel.lost, sides[!i].pushed);
            assert_true(sides[i].channel.lost < sides[!i].pushed / 1000);
        }
    }
}

TEST(a_full_channel_says_so)
{
    side s;
    begin(&s, false);
    for (uint32_t i = 0; i < ROOM; i++)
        assert_true(pkt_channel_push(&s.channel, &i));
    assert_false(pkt_channel_push(&s.channel, &s.pushed));
    assert_int_equal(pkt_channel_receive(&s.channel, (uint16_t)(65530 + 2), 65530, 0), 0);
    assert_true(pkt_channel_push(&s.channel, &s.pushed) && pkt_channel_push(&s.channel, &s.pushed));
    assert_false(pkt_channel_push(&s.channel, &s.pushed));
}

/* Whatever the numbers are: no more is new than has come, none of it comes again, and none is acknowledged that was not sent. */
TEST(anyone_may_say_anything)
{
    uint64_t random = random_seed() | 1;
    for (unsigned round = 0; round < 200000; round++) {
        uint16_t numbers[4];
        side s;
        begin(&s, round % 2 == 1);
        for (uint32_t i = 0; i < round % ROOM; i++)
            pkt_channel_push(&s.channel, &i);
        for (unsigned i = 0; i < 4; i++) {
            random = random * UINT64_C(6364136223846793005) + 1;
            numbers[i] = (uint16_t)(random >> 62 ? random >> 40 : 65530 - 40 + (random >> 40) % 80);
        }
        const unsigned count = numbers[2] % 17;
        const uint16_t expected = s.channel.expected, next = s.channel.next;
        const unsigned fresh = pkt_channel_receive(&s.channel, numbers[0], numbers[1], count);
        assert_true(fresh <= count);
        assert_true(fresh == 0 ? s.channel.expected == expected : s.channel.expected == (uint16_t)(numbers[1] + count));
        assert_true(s.channel.next == next && (uint16_t)(next - s.channel.first) <= round % ROOM);
        assert_int_equal(pkt_channel_receive(&s.channel, numbers[0], numbers[1], count), 0);
    }
}
