/* test_worlds.c - tests worlds whose things come and go against a map: whole, and as deltas that fit, over a bad network.
 * SPDX-License-Identifier: MIT
 *
 * The server has the world in a map, by the numbers of things, and in a list. A client gets 10,000 of these worlds in datagrams that
 * are lost, late and repeated, each of which has room for a part of the world.
 */
#include "worlds.h"
#include "fuzz/lot.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOWEST = -100,
    KEYS = 1000,
    MOST = 120,
    TICKS = 10000,
    KEPT = 64,
    LETTERS = 8,
    QUIET = 200,
    ROOM = 4096,
    SESSION = 77
};

static lot drawn;

/* ---- the world as a map */

typedef struct thing {
    bool there;
    uint8_t health, slots; /* slots: a bit for each item */
    uint16_t owner, count; /* count: of each item */
    int16_t x;             /* in steps */
} thing;

typedef struct map {
    thing things[KEYS]; /* by number - LOWEST */
    bool sent[KEYS];    /* of a datagram: as it is here */
    uint32_t count;
} map;

static map now, history[KEPT]; /* by tick */
static worlds_World world, sent_worlds[KEPT];

static void put_thing(worlds_Entity *e, const thing *t)
{
    e->x = (float)t->x / 8;
    e->health = t->health;
    e->owner = t->owner;
    e->items_count = 0;
    for (uint8_t slot = 0; slot < 8; slot++)
        if ((t->slots >> slot & 1) != 0)
            worlds_Entity_items_add(e, slot)->count = t->count;
}

static bool is_thing(const worlds_Entity *e, const thing *t)
{
    uint8_t slots = 0;
    for (uint32_t i = 0; i < e->items_count; i++)
        slots |= (uint8_t)(e->items[i].count == t->count ? 1 << e->items[i].slot : 0);
    return t->there && fabsf(e->x - (float)t->x / 8) < 0.01f && e->health == t->health && e->owner == t->owner &&
           slots == t->slots;
}

static uint8_t draw_slots(void)
{
    return (uint8_t)(1u << lot_below(&drawn, 8) | 1u << lot_below(&drawn, 8) | 1u << lot_below(&drawn, 8));
}

static void change_one(void)
{
    const int16_t id = (int16_t)(LOWEST + (int)lot_below(&drawn, KEYS));
    const uint32_t some = now.count != 0 ? lot_below(&drawn, now.count) : 0;
    thing *t = &now.things[id - LOWEST];
    if (lot_one_in(&drawn, 4) && now.count != 0) {
        const int16_t old = world.entities[some].id;
        assert_true(worlds_World_entities_remove(&world, old));
        assert_false(worlds_World_entities_remove(&world, old));
        now.things[old - LOWEST].there = false;
        now.count--;
    } else if (lot_one_in(&drawn, 2) && now.count < MOST) {
        worlds_Entity *const e = worlds_World_entities_add(&world, id);
        now.count += !t->there;
        *t = (thing){true,
                     (uint8_t)lot_below(&drawn, 256),
                     draw_slots(),
                     (uint16_t)lot_below(&drawn, 65536),
                     (uint16_t)lot_below(&drawn, 9),
                     (int16_t)((int)lot_below(&drawn, 801) - 400)};
        put_thing(e, t);
    } else if (now.count != 0) {
        worlds_Entity *const e = &world.entities[some];
        t = &now.things[e->id - LOWEST];
        t->x = (int16_t)(t->x < 380 ? t->x + (int)lot_below(&drawn, 20) : -400);
        if (lot_one_in(&drawn, 4))
            t->health = (uint8_t)lot_below(&drawn, 256);
        if (lot_one_in(&drawn, 9))
            t->slots = draw_slots();
        put_thing(e, t);
    }
}

static void check_world(const worlds_World *w, const map *m)
{
    uint32_t n = 0;
    assert_int_equal(w->entities_count, m->count);
    for (int16_t id = LOWEST; id < LOWEST + KEYS; id++) {
        const worlds_Entity *const e = worlds_World_entities_find(w, id);
        assert_int_equal(e != NULL, m->things[id - LOWEST].there);
        if (!e)
            continue;
        assert_ptr_equal(e, &w->entities[n++]);
        assert_true(is_thing(e, &m->things[id - LOWEST]));
    }
}

static uint8_t bytes[ROOM];

static void check_whole(void)
{
    static worlds_World got, copy;
    pkt_writer w;
    pkt_reader r;
    size_t size;
    pkt_writer_init(&w, bytes, sizeof bytes);
    assert_true(worlds_World_write(&w, &world) && pkt_writer_finish(&w, &size));
    pkt_reader_init(&r, bytes, size);
    assert_true(worlds_World_read(&r, &got) && pkt_reader_finish(&r));
    worlds_World_copy(&copy, &got);
    assert_true(worlds_World_equal(&world, &copy));
    check_world(&copy, &now);
}

/* ---- the network: which datagram was sent at a tick; when it arrives */

typedef struct letter {
    uint8_t data[ROOM];
    size_t size;
    uint32_t tick, due;
} letter;

static letter letters[LETTERS];

static void post(const uint8_t *data, size_t size, uint32_t tick, uint32_t due)
{
    for (letter *l = letters; l < letters + LETTERS; l++)
        if (l->size == 0) {
            memcpy(l->data, data, size);
            l->size = size;
            l->tick = tick;
            l->due = due;
            return;
        }
}

/* ---- the client */

static worlds_ToClient_world_ring received, sent;
static worlds_ToClient in;
static uint32_t newest, arrived, refused;

/* Every thing that the client has was there at that tick, and those that were sent are as they were. */
static void check_received(uint32_t tick)
{
    const map *const m = &history[tick % KEPT];
    assert_true(worlds_World_equal(&in.world, &sent_worlds[tick % KEPT]));
    for (uint32_t i = 0; i < in.world.entities_count; i++)
        assert_true(m->things[in.world.entities[i].id - LOWEST].there);
    for (int16_t id = LOWEST; id < LOWEST + KEYS; id++) {
        const worlds_Entity *const e = worlds_World_entities_find(&in.world, id);
        if (m->sent[id - LOWEST])
            assert_true(e != NULL && is_thing(e, &m->things[id - LOWEST]));
    }
}

static void receive(const letter *l)
{
    worlds_ToClient_names names;
    worlds_ToClient_baselines from = {{0}, {0}};
    assert_true(worlds_ToClient_peek(&in, &names, l->data, l->size));
    if (names.world.based)
        from.world = worlds_ToClient_world_ring_find(&received, names.world.base);
    if (names.world.moves)
        from.world_before = worlds_ToClient_world_ring_find(&received, names.world.before);
    if (!worlds_ToClient_unpack(&from, &in, SESSION, l->data, l->size)) {
        refused++; /* it came late, and its baseline is gone */
        return;
    }
    check_received(l->tick);
    worlds_ToClient_world_ring_keep(&received, names.world.number, &in.world);
    arrived++;
    newest = l->tick > newest ? l->tick : newest;
}

/* ---- the server */

static uint32_t acknowledged, before, age[KEYS], oldest;
static const worlds_World *sorted;

static int by_age(const void *a, const void *b)
{
    const uint32_t i = ((const pkt_element *)a)->number, j = ((const pkt_element *)b)->number;
    const uint32_t x = age[sorted->entities[i - worlds_World_FIT_entities].id - LOWEST],
                   y = age[sorted->entities[j - worlds_World_FIT_entities].id - LOWEST];
    return x != y ? (x < y) - (x > y) : (i > j) - (i < j);
}

static size_t send(uint32_t tick, size_t room)
{
    static worlds_ToClient v;
    worlds_ToClient_baselines from = {{0}, {0}};
    pkt_element order[MOST];
    pkt_fit_report report;
    uint32_t count = 0, kept;
    v.number = (uint8_t)tick;
    v.has_back = acknowledged != 0 && tick - acknowledged <= 31;
    if (v.has_back)
        from.world = worlds_ToClient_world_ring_find(&sent, (uint8_t)acknowledged);
    v.has_gap = v.has_back && before != 0 && acknowledged - before <= 31 && before < acknowledged;
    if (v.has_gap)
        from.world_before = worlds_ToClient_world_ring_find(&sent, (uint8_t)before);
    v.has_gap = from.world_before.value != NULL;
    v.back = (uint8_t)(v.has_back ? tick - acknowledged : 1);
    v.gap = (uint8_t)(v.has_gap ? acknowledged - before : 1);
    for (uint32_t i = 0; i < world.entities_count; i++)
        order[count++].number = worlds_World_FIT_entities + i;
    sorted = &world;
    qsort(order, count, sizeof *order, by_age);
    kept = count;
    if (!worlds_ToClient_fit_pack(&from, &v, &world, order, &kept, room, &report)) {
        assert_int_equal(report.error.code, PKT_ERROR_CAPACITY);
        return 0;
    }
    assert_int_equal(report.kept + report.left_out, count);
    history[tick % KEPT] = now;
    memset(history[tick % KEPT].sent, 0, sizeof now.sent);
    for (uint32_t n = 0; n < count; n++) {
        const int16_t id = world.entities[order[n].number - worlds_World_FIT_entities].id;
        uint32_t *const waits = &age[id - LOWEST];
        *waits = n < kept ? 0 : *waits + 1;
        oldest = *waits > oldest ? *waits : oldest;
        history[tick % KEPT].sent[id - LOWEST] = n < kept;
    }
    const size_t size = worlds_ToClient_pack(&from, &v, SESSION, bytes, sizeof bytes);
    assert_in_range(size, 1, room);
    worlds_ToClient_world_ring_keep(&sent, v.number, &v.world);
    worlds_World_copy(&sent_worlds[tick % KEPT], &v.world);
    if (kept == count)
        assert_true(worlds_World_equal(&v.world, &world));
    return size;
}

TEST(worlds_arrive_as_a_map_says)
{
    drawn.state = random_seed();
    worlds_World_init(&world);
    for (uint32_t tick = 1; tick <= TICKS + QUIET; tick++) {
        const bool bad = tick <= TICKS && tick / 500 % 3 != 0;
        for (uint32_t n = tick <= TICKS ? lot_below(&drawn, tick / 1000 % 2 != 0 ? 3 : 12) : 0; n != 0; n--)
            change_one();
        world.tick = (uint16_t)tick;
        worlds_World_quantize(&world);
        if (tick % 20 == 0)
            check_whole();
        /* Small datagrams, of which most have no room for the whole world. */
        size_t size = send(tick, tick <= TICKS ? 30 + lot_below(&drawn, 200) : ROOM);
        if (size == 0)
            size = send(tick, ROOM);
        assert_int_not_equal(size, 0);
        if (!bad || !lot_one_in(&drawn, 4))
            post(bytes, size, tick, tick + (bad ? lot_below(&drawn, 6) : 0));
        if (bad && lot_one_in(&drawn, 8))
            post(bytes, size, tick, tick + lot_below(&drawn, 12));
        for (letter *l = letters; l < letters + LETTERS; l++)
            if (l->size != 0 && l->due <= tick) {
                receive(l);
                l->size = 0;
            }
        if (newest > acknowledged && (!bad || !lot_one_in(&drawn, 4))) {
            before = acknowledged;
            acknowledged = newest;
        }
    }
    check_world(&in.world, &now);
    assert_true(arrived > TICKS / 2 && refused < TICKS / 100);
    assert_in_range(oldest, 2, 300);
}
