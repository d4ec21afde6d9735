/* test_bad_network.c - tests the bad network: what it does to datagrams, how often, and that a seed gives the same again.
 * SPDX-License-Identifier: MIT
 */
#include "../../runtime/pkt_inside.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

enum { PARCELS = 64, SENT = 200000 };

static pkt_parcel parcels[PARCELS];

/* What has become of datagrams that were sent one in each unit of time. */
typedef struct fate {
    uint32_t arrived, twice, damaged, overtaken, runs; /* runs: of lost ones in a row, on one way */
    uint64_t least, most;                              /* how long they took */
    uint64_t hash;                                     /* of all that arrived, and when */
} fate;

static fate send_all(pkt_network *n, uint32_t ways)
{
    static uint8_t arrivals[SENT];
    fate f = {.least = UINT64_MAX};
    uint32_t newest = 0;
    memset(arrivals, 0, sizeof arrivals);
    for (uint64_t now = 0; now < SENT + 1000; now++) {
        const uint32_t number = (uint32_t)now;
        if (now < SENT)
            pkt_network_send(n, now, number % ways, &number, sizeof number);
        for (const pkt_parcel *p; (p = pkt_network_take(n, now));) {
            uint32_t got = 0;
            const uint64_t seen[4] = {f.hash, now, p->way, p->size};
            f.hash = pkt_hash(seen, sizeof seen) ^ pkt_hash(p->data, p->size);
            assert_int_equal(p->due, now);
            if (p->damaged) {
                f.damaged++;
                continue;
            }
            assert_int_equal(p->size, sizeof got);
            memcpy(&got, p->data, sizeof got);
            assert_true(got < SENT && p->way == got % ways);
            f.arrived++;
            f.twice += arrivals[got]++ > 0;
            f.overtaken += got < newest;
            newest = got > newest ? got : newest;
            f.least = now - got < f.least ? now - got : f.least;
            f.most = now - got > f.most ? now - got : f.most;
        }
    }
    for (uint32_t i = ways; i < SENT; i++)
        f.runs += !arrivals[i] && arrivals[i - ways];
    assert_int_equal(n->sent, SENT);
    return f;
}

static bool is_near(double a, double share)
{
    return a > SENT * share * 0.85 && a < SENT * share * 1.15;
}

TEST(a_network_that_does_nothing_delivers_all)
{
    pkt_network n;
    pkt_network_init(&n, random_seed(), parcels, PARCELS);
    n.latency = 20;
    const fate f = send_all(&n, 1);
    assert_int_equal(f.arrived, SENT);
    assert_int_equal(f.twice + f.overtaken + n.lost + n.damaged, 0);
    assert_int_equal(f.least, 20);
    assert_int_equal(f.most, 20);
}

TEST(each_fault_has_its_share)
{
    pkt_network n;
    pkt_network_init(&n, random_seed(), parcels, PARCELS);
    n.loss = 0.1;
    n.doubling = 0.05;
    n.damage = 0.04;
    n.latency = 5;
    n.jitter = 10;
    const fate f = send_all(&n, 1);
    assert_true(is_near((double)n.lost, 0.1));
    assert_true(is_near((double)n.doubled, 0.05 * 0.9));
    assert_true(is_near(f.damaged, 0.04 * 0.9 * 1.05));
    assert_int_equal(f.damaged, n.damaged);
    assert_int_equal(f.arrived + f.damaged + n.lost, n.sent + n.doubled);
    assert_int_equal(f.least, 5);
    assert_int_equal(f.most, 15);
    assert_true(f.overtaken > SENT / 10);
}

/* A run of losses ends with probability 1 - burst; so 0.02 begin one, and it has 5 in the middle. */
TEST(losses_come_in_bursts_on_each_way)
{
    pkt_network n;
    pkt_network_init(&n, random_seed(), parcels, PARCELS);
    n.loss = 0.02;
    n.burst = 0.8;
    const fate f = send_all(&n, 3);
    const double lost = 0.02 / (0.02 + 0.2);
    assert_true(is_near((double)n.lost, lost));
    assert_true(is_near(f.runs, lost * 0.2));
}

TEST(a_seed_gives_the_same_again)
{
    uint64_t hashes[3];
    const uint64_t seed = random_seed();
    for (unsigned i = 0; i < 3; i++) {
        pkt_network n;
        memset(parcels, 0xa5 + (int)i, sizeof parcels);
        pkt_network_init(&n, seed + (i == 2), parcels, PARCELS);
        n.loss = n.doubling = n.damage = 0.1;
        n.burst = 0.5;
        n.jitter = 9;
        hashes[i] = send_all(&n, 2).hash;
    }
    assert_true(hashes[0] == hashes[1]);
    assert_true(hashes[0] != hashes[2]);
}

TEST(what_has_no_room_is_lost)
{
    static const uint8_t data[PKT_PARCEL_BYTES + 1];
    pkt_network n;
    pkt_network_init(&n, 1, parcels, 2);
    n.latency = 1;
    for (uint64_t now = 0; now < 10; now += 2) {
        for (uint32_t i = 0; i < 3; i++)
            pkt_network_send(&n, now, i, data, i); /* also nothing */
        assert_null(pkt_network_take(&n, now));
        assert_int_equal(pkt_network_take(&n, now + 1)->size, 0);
        assert_int_equal(pkt_network_take(&n, now + 1)->size, 1);
        assert_null(pkt_network_take(&n, now + 1));
        assert_int_equal(n.lost, now / 2 + 1);
    }
    pkt_network_send(&n, 20, 0, data, PKT_PARCEL_BYTES);
    pkt_network_send(&n, 20, 0, data, PKT_PARCEL_BYTES + 1);
    assert_int_equal(n.lost, 6);
    assert_int_equal(pkt_network_take(&n, 21)->size, PKT_PARCEL_BYTES);
    assert_null(pkt_network_take(&n, 30));
}

/* Latency and jitter can be any number: times end at the last one. */
TEST(no_delay_is_too_long)
{
    const uint64_t most = UINT64_MAX, seed = random_seed();
    const struct {
        uint64_t now, latency, jitter;
    } sent[] = {{5, 0, most}, {5, most, 0}, {5, most, most}, {most, 1, 1}, {0, most - 1, 1}, {5, 0, most - 1}};
    for (unsigned i = 0; i < sizeof sent / sizeof *sent; i++) {
        pkt_network n;
        pkt_network_init(&n, seed, parcels, PARCELS);
        n.latency = sent[i].latency;
        n.jitter = sent[i].jitter;
        for (unsigned k = 0; k < PARCELS; k++)
            pkt_network_send(&n, sent[i].now, 0, "a", 1);
        const uint64_t least = sent[i].now > most - sent[i].latency ? most : sent[i].now + sent[i].latency;
        unsigned arrived = 0;
        for (const pkt_parcel *p; (p = pkt_network_take(&n, most)); arrived++)
            assert_true(p->due >= least);
        assert_int_equal(arrived, PARCELS);
    }
}
