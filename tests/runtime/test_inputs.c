/* test_inputs.c - tests that a server executes the commands of a player once each, in order and in time, on a bad network; and
 * what a client may do that says anything.
 * SPDX-License-Identifier: MIT
 */
#include "../../runtime/pkt_inside.h"
#include "unit.h"

#include <string.h>

enum { RATE = 60, ROOM = 32, REPEATED = 16, KEPT = 64, PARCELS = 256, FIRST = 65000 };

/* A command is its number, counted on without a wrap. */
typedef struct datagram {
    uint16_t first, count;
    uint32_t commands[REPEATED];
} datagram;

static uint64_t seed;

static uint32_t draw(uint32_t below)
{
    if (seed == 0)
        seed = random_seed() | 1;
    seed = seed * UINT64_C(6364136223846793005) + 1;
    return (uint32_t)(seed >> 33) % below;
}

typedef struct server {
    pkt_inputs inputs;
    uint32_t commands[ROOM];
    uint32_t last;      /* the newest command that was executed */
    uint32_t count;     /* so many were */
    uint64_t waited;    /* ticks, added up */
    uint32_t most, two; /* ticks that one waited; and ticks with two commands */
} server;

static void begin(server *s)
{
    memset(s, 0, sizeof *s);
    s->last = FIRST - 1;
    pkt_inputs_init(&s->inputs, s->commands, sizeof s->commands[0], ROOM, RATE, FIRST);
}

/* Whatever has arrived: commands go on, and each is the one of its number. sent: the tick of the first command. */
static void execute(server *s, uint32_t tick, uint32_t sent)
{
    const uint32_t before = s->count;
    for (const uint32_t *c; (c = pkt_inputs_next(&s->inputs, tick)) != NULL;) {
        const uint32_t waited = tick - (sent + *c - FIRST);
        assert_true(*c > s->last);
        assert_int_equal(s->inputs.executed, (uint16_t)*c);
        s->last = *c;
        s->count++;
        s->waited += waited;
        s->most = waited > s->most ? waited : s->most;
    }
    assert_true(s->count - before <= 2);
    s->two += s->count - before == 2;
    assert_null(pkt_inputs_next(&s->inputs, tick));
}

/* A client that sends a command in each tick, and hears what has arrived. */
static void play(server *s, double loss, uint64_t jitter, uint32_t ticks)
{
    static pkt_parcel parcels[PARCELS];
    static uint32_t values[KEPT];
    pkt_network n;
    pkt_channel client;
    pkt_network_init(&n, random_seed(), parcels, PARCELS);
    n.loss = loss;
    n.burst = loss > 0 ? 0.5 : 0;
    n.doubling = 0.1;
    n.latency = 4;
    n.jitter = jitter;
    begin(s);
    pkt_channel_init(&client, values, sizeof values[0], KEPT, true, FIRST);
    for (uint32_t tick = 0; tick < ticks; tick++) {
        const uint32_t command = FIRST + tick;
        datagram d;
        uint16_t unused;
        for (const pkt_parcel *p; (p = pkt_network_take(&n, tick)) != NULL;) {
            memcpy(&d, p->data, sizeof d);
            if (p->way == 0) {
                const unsigned fresh = pkt_inputs_arrived(&s->inputs, tick, d.first, d.commands, d.count);
                assert_true(fresh <= d.count);
            } else {
                pkt_channel_receive(&client, d.first, 0, 0);
            }
        }
        execute(s, tick, 0);
        memset(&d, 0, sizeof d);
        d.first = s->inputs.channel.expected;
        pkt_network_send(&n, tick, 1, &d, sizeof d);
        pkt_channel_push(&client, &command);
        d.count = (uint16_t)pkt_channel_send(&client, &unused, &d.first, d.commands, REPEATED);
        pkt_network_send(&n, tick, 0, &d, sizeof d);
    }
}

TEST(each_command_is_executed_in_its_tick)
{
    static server s;
    play(&s, 0, 0, 70000);
    assert_int_equal(s.inputs.channel.lost, 0);
    assert_int_equal(s.last, FIRST + 70000 - 1 - s.most);
    assert_int_equal(s.count, s.last - FIRST + 1);
    assert_true(s.most <= 6 && s.two <= 1);
}

/* All but those that were lost for good; and the delay is that of the network. */
TEST(a_bad_network_loses_few_commands_and_little_time)
{
    static const struct {
        double loss;
        uint64_t jitter;
        double mean;
    } cases[] = {{0.02, 2, 8}, {0.05, 6, 12}, {0.2, 6, 14}};
    for (int i = 0; i < 3; i++) {
        static server s;
        play(&s, cases[i].loss, cases[i].jitter, 100000);
        assert_true(FIRST + 100000 - s.last < 60);
        assert_true(s.count > (s.last - FIRST) * 0.9995);
        assert_true((double)s.waited / s.count < cases[i].mean);
    }
}

/* With a round trip of more than REPEATED ticks, datagrams have the newest commands, so that none is late. */
TEST(a_long_way_makes_no_command_late)
{
    static uint32_t values[KEPT];
    pkt_channel c;
    uint32_t sent[REPEATED];
    uint16_t unused, first;
    pkt_channel_init(&c, values, sizeof values[0], KEPT, true, FIRST);
    for (uint32_t n = FIRST; n < FIRST + 50; n++)
        pkt_channel_push(&c, &n);
    assert_int_equal(pkt_channel_send(&c, &unused, &first, sent, REPEATED), REPEATED);
    assert_int_equal(first, (uint16_t)(FIRST + 50 - REPEATED));
    for (uint32_t i = 0; i < REPEATED; i++)
        assert_int_equal(sent[i], FIRST + 50 - REPEATED + i);
}

/* A client executes again what the server has not executed: all that it still has, whatever number the server says. */
TEST(what_comes_after_a_number)
{
    for (int round = 0; round < 2000; round++) {
        static uint32_t values[KEPT];
        const uint32_t count = draw(3 * KEPT), begun = draw(1 << 16), acknowledged = count > 0 ? draw(count) : 0;
        const uint32_t kept = count < KEPT ? count : (uint32_t)KEPT;
        const uint32_t back = draw(4) > 0 ? draw(4 * KEPT) : draw(1 << 16);
        pkt_channel c;
        pkt_channel_init(&c, values, sizeof values[0], KEPT, true, (uint16_t)begun);
        for (uint32_t n = 0; n < count; n++)
            pkt_channel_push(&c, &n);
        pkt_channel_receive(&c, (uint16_t)(begun + acknowledged), 0, 0);
        const uint32_t wanted = back >= 0x8000 ? 0 : back < kept ? back : kept;
        uint16_t number = (uint16_t)(begun + count - 1 - back);
        for (uint32_t i = 0; i < wanted; i++) {
            const uint32_t *value = pkt_channel_after(&c, &number);
            assert_non_null(value);
            assert_int_equal(*value, count - wanted + i);
            assert_int_equal(number, (uint16_t)(begun + *value));
        }
        assert_null(pkt_channel_after(&c, &number));
    }
}

/* Any numbers and counts: what is executed goes on, is what came with its number last, and is no more than the ticks allow. */
TEST(a_client_that_says_anything)
{
    for (int round = 0; round < 300; round++) {
        static uint32_t sent[1 << 16]; /* the newest command of each number */
        static uint32_t memory[ROOM];
        const uint16_t room = (uint16_t)(1 << draw(6));
        const uint32_t first_tick = draw(2) ? draw(UINT32_MAX) : 0;
        uint32_t stamp = 1, last = 0, total = 0;
        pkt_inputs i;
        pkt_inputs_init(&i, memory, sizeof memory[0], room, RATE, (uint16_t)draw(1 << 16));
        memset(sent, 0, sizeof sent);
        for (uint32_t tick = first_tick; tick != first_tick + 400; tick++) {
            for (uint32_t datagrams = draw(4); datagrams > 0; datagrams--) {
                uint32_t commands[REPEATED];
                const unsigned count = draw(REPEATED + 1);
                const uint16_t expected = i.channel.expected;
                const uint16_t first = (uint16_t)(draw(8) > 0    ? expected - draw(20) + draw(20)
                                                  : draw(2) == 0 ? expected + 0x7fff - draw(20)
                                                                 : draw(1 << 16));
                for (unsigned n = 0; n < count; n++)
                    commands[n] = stamp++;
                const unsigned fresh = pkt_inputs_arrived(&i, tick, first, commands, count);
                assert_true(fresh <= count);
                for (unsigned n = count - fresh; n < count; n++)
                    sent[(uint16_t)(first + n)] = commands[n];
                assert_true((uint16_t)(i.channel.expected - 1 - i.executed) <= room);
            }
            for (const uint32_t *c; (c = pkt_inputs_next(&i, tick)) != NULL; total++) {
                assert_int_equal(*c, sent[i.executed]);
                assert_true(*c > last);
                last = *c;
            }
        }
        assert_true(total <= 400 * 65 / 64 + RATE + 1);
    }
}
