/* served.c - clients of three releases play on one server, over a network that loses, delays and repeats datagrams.
 * SPDX-License-Identifier: MIT
 *
 * usage: served SEED TICKS
 *
 * Each client is built from its own release: one.pkt and two.pkt are the archived schemas with a prefix, three.pkt is
 * the newest one with a prefix. The server knows all releases by its generated code alone. What a client has must be what
 * the server believes that it has, tick by tick.
 */
#include "fuzz/lot.h"
#include "one.h"
#include "served_serve.h"
#include "three.h"
#include "two.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    THINGS = 24,
    PETS = 6,
    BIRDS = 20,
    CANDIDATES = THINGS + PETS + BIRDS,
    BUDGET = 400,
    SMALL = 72,
    DELAY = 6,
    EVENTS = 64,
    SESSION = 4711
};

static unsigned long failures, checks;

static void check(bool good, const char *what, unsigned release)
{
    checks++;
    if (!good && failures++ < 10)
        fprintf(stderr, "release %u: %s\n", release, what);
}

typedef struct datagram {
    size_t size;
    uint8_t data[BUDGET];
} datagram;

/* ---- clients. Each is its release's own code, so they differ only in their names. */

typedef struct client {
    uint32_t release;
    uint16_t expected; /* the next event */
    uint8_t events[EVENTS];
    uint64_t hash;   /* of the world in the datagram that has just arrived */
    uint32_t points; /* of the board in it; 0: none */
    union {
        one_ToClient_receiver one;
        two_ToClient_receiver two;
        three_ToClient_receiver three;
    } received;
} client;

static void take_event(client *c, uint16_t number, uint8_t tag)
{
    if (number != c->expected)
        return;
    c->events[number % EVENTS] = tag;
    c->expected++;
}

#define CLIENT(P)                                                                 \
    static bool P##_take(client *c, const datagram *d)                            \
    {                                                                             \
        static P##_ToClient v;                                                    \
        if (!P##_ToClient_receive(&c->received.P, &v, SESSION, d->data, d->size)) \
            return false;                                                         \
        c->hash = P##_World_hash(&v.world);                                       \
        P##_BOARD(c, v);                                                          \
        for (unsigned i = 0; i < v.events_count; i++)                             \
            take_event(c, (uint16_t)(v.first + i), (uint8_t)v.events[i].tag);     \
        return true;                                                              \
    }                                                                             \
                                                                                  \
    static size_t P##_answer(const client *c, uint8_t *to, size_t room)           \
    {                                                                             \
        P##_ToServer v;                                                           \
        P##_ToServer_init(&v);                                                    \
        v.has_newest = c->received.P.acknowledges;                                \
        v.newest = (uint16_t)c->received.P.newest;                                \
        v.expected = c->expected;                                                 \
        v.fire = true;                                                            \
        return P##_ToServer_pack(&v, SESSION, to, room);                          \
    }
#define one_BOARD(c, v)
#define two_BOARD(c, v)
#define three_BOARD(c, v) (c)->points = (v).has_board ? (v).board.points : 0
CLIENT(one)
CLIENT(two)
CLIENT(three)

static bool take(client *c, const datagram *d)
{
    return c->release == 1 ? one_take(c, d) : c->release == 2 ? two_take(c, d) : three_take(c, d);
}

static size_t answer(const client *c, uint8_t *to, size_t room)
{
    return c->release == 1   ? one_answer(c, to, room)
           : c->release == 2 ? two_answer(c, to, room)
                             : three_answer(c, to, room);
}

/* ---- the server */

typedef struct slot {
    ToClient_peer peer;
    uint16_t number, first; /* first: the oldest event on the way */
    datagram on_way[DELAY];
    uint16_t numbers[DELAY];
    client client;
    unsigned long arrived, left_out, based, moved, boards; /* based, moved, boards: were sent with such baselines */
} slot;

static World world;
static World_served worlds[4]; /* by release */
static Board board;
static Board_served boards[4];
static Event events[EVENTS]; /* by number */
static uint16_t next_event;
static slot slots[3];

static void move_world(lot *l, unsigned tick)
{
    for (int i = 0; i < THINGS; i++) {
        Thing *t = &world.things[i];
        t->x += (float)(i % 5) * 0.01f;
        if (t->x > 60)
            t->x = -60;
        if (lot_one_in(l, 8)) {
            static const Class kinds[] = {Class_scout, Class_engineer, Class_tank, Class_medic};
            t->kind = kinds[lot_below(l, 4)];
            t->health = (uint8_t)lot_next(l);
            t->shielded = lot_one_in(l, 2);
            t->turret = (float)lot_below(l, 720) / 2;
        }
    }
    for (int i = 0; i < PETS; i++)
        if (lot_one_in(l, 30))
            world.pets[i].x = (float)lot_below(l, 12000) / 100 - 60;
    /* A client of an older release has the birds with the least keys. */
    if (lot_one_in(l, 4)) {
        const uint8_t id = (uint8_t)lot_below(l, 100);
        Bird *bird = World_birds_find(&world, id);
        if (bird && lot_one_in(l, 2))
            World_birds_remove(&world, id);
        else if ((bird = World_birds_add(&world, id)) != NULL)
            bird->hue = (uint8_t)lot_next(l);
        else
            World_birds_remove(&world, world.birds[lot_below(l, world.birds_count)].id);
    }
    world.score = tick / 7;
    world.weather = (uint16_t)(tick / 50);
    board.points = 70000 + tick;
}

static bool is_room_for_events(void)
{
    for (int i = 0; i < 3; i++)
        if ((uint16_t)(next_event - slots[i].first) >= EVENTS / 2)
            return false;
    return true;
}

static void make_event(lot *l)
{
    Event *e = &events[next_event % EVENTS];
    if (!lot_one_in(l, 4) || !is_room_for_events())
        return;
    Event_init(e);
    switch (lot_below(l, 4)) {
    case 0: e->tag = Event_tag_quiet; break;
    case 1:
        e->tag = Event_tag_hit;
        e->as.hit.who = (uint8_t)lot_next(l); /* it clamps */
        e->as.hit.damage = 9;
        break;
    case 2:
        e->tag = Event_tag_cheer;
        e->as.cheer.loud = 3;
        break;
    default:
        e->tag = Event_tag_flag;
        e->as.flag.taken = true;
        break;
    }
    next_event++;
}

/* What an event is for a release. */
static uint8_t tag_in(uint32_t release, const Event *e)
{
    switch (e->tag) {
    case Event_tag_hit:
        return release == 1 ? one_Event_tag_hit : release == 2 ? two_Event_tag_hit : three_Event_tag_hit;
    case Event_tag_cheer:
        return release == 1 ? one_Event_tag_quiet : release == 2 ? two_Event_tag_cheer : three_Event_tag_cheer;
    case Event_tag_flag: return release == 3 ? three_Event_tag_flag : one_Event_tag_quiet;
    default: return one_Event_tag_quiet;
    }
}

static size_t send_to(slot *s, lot *l, uint8_t *data)
{
    static ToClient v;
    static World_served sent;
    pkt_fit_report report;
    pkt_element order[CANDIDATES];
    uint32_t count = CANDIDATES;
    ToClient_init(&v);
    v.number = ++s->number;
    v.first = s->first;
    v.has_board = true;
    ToClient_sender_baselines_for(&s->peer, &v);
    s->based += v.has_back;
    s->moved += v.has_lag;
    s->boards += v.has_board_back;
    while (v.events_count < 4 && (uint16_t)(v.first + v.events_count) != next_event) {
        v.events[v.events_count] = events[(uint16_t)(v.first + v.events_count) % EVENTS];
        v.events_count++;
    }
    for (uint32_t i = 0; i < CANDIDATES; i++)
        order[i].priority = (float)(order[i].number = i);
    for (uint32_t i = CANDIDATES; i > 1; i--) {
        const uint32_t j = lot_below(l, i);
        const pkt_element kept = order[j];
        order[j] = order[i - 1];
        order[i - 1] = kept;
    }
    const Board_served *has = s->peer.release == 3 ? &boards[3] : NULL;
    const bool fits = ToClient_fit_pack_for(&s->peer, &v, &worlds[s->peer.release], has, &sent, order, &count,
                                            lot_one_in(l, 2) ? BUDGET : SMALL, &report);
    check(fits, "nothing fits", s->peer.release);
    check(report.kept == count && report.kept + report.left_out + report.invalid + report.absent == CANDIDATES,
          "a report has another sum", s->peer.release);
    const size_t size = ToClient_pack_for(&s->peer, &v, &sent, has, SESSION, data, BUDGET);
    bool seen[CANDIDATES] = {false};
    for (uint32_t i = 0; i < CANDIDATES; i++)
        seen[order[i].number] = true;
    for (uint32_t i = 0; i < CANDIDATES; i++) {
        check(seen[i], "the order has lost a candidate", s->peer.release);
        check(order[i].priority == (float)order[i].number, "a candidate has another one's priority", s->peer.release);
    }
    check(size != 0, "a datagram cannot be written", s->peer.release);
    s->left_out += CANDIDATES - count;
    return size;
}

static void receive(slot *s, const uint8_t *data, size_t size)
{
    ToServer v;
    check(ToServer_unpack_for(s->peer.release, &v, SESSION, data, size), "an answer is refused", s->peer.release);
    check(v.fire && v.emote == 0, "an answer has another content", s->peer.release);
    ToClient_acknowledged_for(&s->peer, v.has_newest, v.newest);
    if (v.has_newest) { /* what else a client may say */
        check(!ToClient_acknowledged_for(&s->peer, true, v.newest), "a number is acknowledged twice", s->peer.release);
        check(!ToClient_acknowledged_for(&s->peer, true, (uint16_t)(s->number + 1)),
              "what was not sent is acknowledged", s->peer.release);
    }
    while (s->first != v.expected && (int16_t)(v.expected - s->first) > 0) {
        check(s->client.events[s->first % EVENTS] == tag_in(s->peer.release, &events[s->first % EVENTS]),
              "an event became another one", s->peer.release);
        s->first++;
    }
}

static void deliver(slot *s, unsigned at, lot *l, bool damages)
{
    datagram *d = &s->on_way[at];
    client *c = &s->client;
    if (damages) {
        datagram damaged = *d;
        damaged.data[lot_below(l, (uint32_t)d->size)] ^= (uint8_t)(1u << lot_below(l, 8));
        check(!take(c, &damaged), "a damaged datagram is accepted", c->release);
    }
    const uint64_t believed = ToClient_world_hash_for(&s->peer, s->numbers[at]);
    if (take(c, d)) {
        check(believed == 0 || c->hash == believed, "the client has another world than the server believes",
              c->release);
        s->arrived++;
    }
}

static void tick(lot *l, unsigned now, bool loses)
{
    uint8_t data[64];
    for (int r = 1; r <= 3; r++) {
        check(World_serve(&worlds[r], (uint32_t)r, &world, NULL), "the world cannot be served", (unsigned)r);
        check(Board_serve(&boards[r], (uint32_t)r, &board, NULL), "the board cannot be served", (unsigned)r);
    }
    for (int i = 0; i < 3; i++) {
        slot *s = &slots[i];
        const unsigned at = now % DELAY;
        s->on_way[at].size = send_to(s, l, s->on_way[at].data);
        s->numbers[at] = s->number;
        if (!loses || !lot_one_in(l, 4))
            deliver(s, at, l, lot_one_in(l, 8));
        const unsigned late = lot_below(l, DELAY);
        if (loses && lot_one_in(l, 4) && s->on_way[late].size != 0)
            deliver(s, late, l, false); /* again, or for the first time */
        if (!loses || !lot_one_in(l, 4))
            receive(s, data, answer(&s->client, data, sizeof data));
    }
}

/* What the client of a release has in the end must be the world, in the form of the release. */
static void check_end(slot *s)
{
    uint64_t now = 0;
    World_serve(&worlds[s->peer.release], s->peer.release, &world, NULL);
    switch (s->peer.release) {
    case 1: now = served_v1_World_hash(&worlds[1].as.v1); break;
    case 2: now = served_v2_World_hash(&worlds[2].as.v2); break;
    default: now = World_hash(&worlds[3].as.now); break;
    }
    check(s->client.hash == now, "the client does not have the world in the end", s->peer.release);
    check(s->client.points == (s->peer.release == 3 ? board.points : 0), "the client has another board",
          s->peer.release);
    check(s->client.expected == next_event, "events have not arrived", s->peer.release);
    check(s->based > s->number / 2u && s->moved > s->number / 2u, "few datagrams have baselines", s->peer.release);
    check(s->peer.release == 3 ? s->boards > s->number / 2u : s->boards == 0, "boards have other baselines",
          s->peer.release);
    printf("release %u: %lu datagrams arrived, %lu elements left out, %u events\n", (unsigned)s->peer.release,
           s->arrived, s->left_out, (unsigned)next_event);
}

/* The names of the design's counterexamples: each is sound here, or pktc refuses it (tests/commands). */
static void test_unserved(void)
{
    ToClient_peer peer;
    ToClient v;
    uint8_t data[BUDGET];
    static World_served sent;
    pkt_fit_report report;
    pkt_element order[1];
    uint32_t count = 1;
    pkt_error error;
    memset(&peer, 0, sizeof peer);
    ToClient_init(&v);
    peer.release = 9;
    worlds[0].release = boards[0].release = 9;
    check(ToClient_pack_for_error(&peer, &v, &worlds[0], &boards[0], SESSION, data, sizeof data, &error) == 0 &&
              error.code == PKT_ERROR_VALUE,
          "a release that is not served is written", 9);
    check(!ToClient_fit_pack_for(&peer, &v, &worlds[0], &boards[0], &sent, order, &count, sizeof data, &report) &&
              count == 0 && strcmp(report.error.field, "ToClient.release") == 0,
          "something fits into a release that is not served", 9);
    peer.release = 1;
    check(ToClient_pack_for(&peer, &v, &worlds[2], NULL, SESSION, data, sizeof data) == 0,
          "a world of another release is written", 1);
    check(!World_serve(&worlds[0], 9, &world, &error) && error.code == PKT_ERROR_VALUE, "a world is served", 9);
}

static uint32_t id_of_target(void *user, uint32_t type, const void *target)
{
    return type == Target_REF && target == user ? 7 : 0;
}

static void *target_of_id(void *user, uint32_t type, uint32_t id)
{
    return type == Target_REF && id == 7 ? user : NULL;
}

/* Refs of older releases point to the types of the version now, whatever these were called. */
static void test_refs(void)
{
    Target target = {1};
    pkt_refs refs = {id_of_target, target_of_id, &target, 0};
    Pointing v;
    uint8_t data[32];
    v.at = &target;
    v.range = 2;
    const size_t size = Pointing_pack_for_refs(1, &v, data, sizeof data, &refs, NULL);
    v.at = NULL;
    check(size != 0 && Pointing_unpack_for_refs(1, &v, data, size, &refs, NULL) && v.at == &target && v.range == 0,
          "a ref is lost", 1);
}

static void fill(void *at, size_t size, lot *l)
{
    uint8_t *to = at;
    for (size_t i = 0; i < size; i++)
        to[i] = (uint8_t)lot_below(l, lot_one_in(l, 2) ? 256 : 4);
}

/* What a careless program passes: counts, tags and orders that are garbage. Nothing outside of the values is touched. */
static void test_garbage(lot *l)
{
    ToClient_peer *peer = calloc(1, sizeof *peer);
    ToClient *v = malloc(sizeof *v);
    World *garbage = malloc(sizeof *garbage);
    World_served *served = malloc(sizeof *served), *sent = malloc(sizeof *sent);
    pkt_element *order = malloc(CANDIDATES * sizeof *order);
    uint32_t count;
    uint8_t *data = malloc(BUDGET);
    for (unsigned i = 0; i < 3000; i++) {
        const uint32_t release = 1 + i % 3;
        peer->release = release;
        fill(garbage, sizeof *garbage, l);
        fill(v, sizeof *v, l);
        fill(order, CANDIDATES * sizeof *order, l);
        count = lot_below(l, CANDIDATES + 1);
        if (World_serve(served, release, lot_one_in(l, 2) ? garbage : &world, NULL)) {
            const bool fits =
                ToClient_fit_pack_for(peer, v, served, &boards[3], sent, order, &count, lot_below(l, BUDGET + 1), NULL);
            ToClient_pack_for(peer, v, fits ? sent : served, &boards[3], SESSION, data, lot_below(l, BUDGET + 1));
        }
        check(count <= CANDIDATES, "more candidates than there are", release);
    }
    free(peer);
    free(v);
    free(garbage);
    free(served);
    free(sent);
    free(order);
    free(data);
}

int main(int argc, char **argv)
{
    lot l = {argc > 1 ? strtoull(argv[1], NULL, 10) : 1};
    const unsigned ticks = argc > 2 ? (unsigned)atoi(argv[2]) : 3000;
    World_init(&world);
    for (uint32_t i = 0; i < 3; i++)
        slots[i].peer.release = slots[i].client.release = i + 1;
    for (unsigned i = 0; i < ticks; i++) {
        move_world(&l, i);
        make_event(&l);
        tick(&l, i, true);
    }
    for (unsigned i = 0; i < 60; i++)
        tick(&l, ticks + i, false);
    for (int i = 0; i < 3; i++)
        check_end(&slots[i]);
    test_unserved();
    test_refs();
    test_garbage(&l);
    printf(failures == 0 ? "[  PASSED  ] %lu test(s).\n" : "[  FAILED  ] %lu test(s)\n",
           failures == 0 ? checks : failures);
    return failures != 0;
}
