/* test_datagram.c - packets with parts that are deltas: a server and a client with loss, and each way to go wrong.
 * SPDX-License-Identifier: MIT
 */
#include "datagram.h"

#include "unit.h"

#include <math.h>
#include <string.h>

enum { MOST = 2400, SESSION = 77 };

static uint32_t random_state;

static uint32_t draw(uint32_t below)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)random_state * below) >> 32);
}

/* ---- a server and a client */

typedef struct server {
    dg_World world;
    dg_Down_world_ring ring;
    dg_Event waiting[8];
    uint32_t waiting_count;
    uint16_t first;
    uint8_t number;
    bool has_acknowledged;
    uint8_t acknowledged;
} server;

typedef struct client {
    dg_Down_world_ring ring;
    dg_Down in;
    bool has_newest;
    uint8_t newest;
    unsigned refused, missing;
} client;

static server srv;
static client cl;

static void begin(uint32_t seed)
{
    memset(&srv, 0, sizeof srv);
    memset(&cl, 0, sizeof cl);
    dg_World_init(&srv.world);
    random_state = seed;
}

static void move_world(unsigned moving)
{
    srv.world.tick++;
    for (unsigned n = 0; n < moving; n++) {
        dg_Entity *e = &srv.world.entities[draw(dg_ENTITIES)];
        e->kind = (uint8_t)draw(8);
        e->x = (float)draw(12800) * 0.01f - 64;
        e->y += 0.25f;
        if (e->y > 60)
            e->y = -60;
    }
    dg_World_quantize(&srv.world);
}

static dg_Event event_of(uint32_t n, uint32_t size)
{
    dg_Event e;
    dg_Event_init(&e);
    if (size > 0) {
        e.tag = dg_Event_tag_chat;
        memset(e.as.chat.text, (int)('a' + n % 26), size);
    } else {
        e.tag = dg_Event_tag_hit;
        e.as.hit.who = (uint8_t)(n % 48);
    }
    return e;
}

/* Fills in all of a datagram but its world. */
static dg_Down_baselines head_of(dg_Down *v)
{
    dg_Down_baselines from;
    memset(&from, 0, sizeof from);
    dg_Down_init(v);
    v->number = srv.number;
    v->tick = srv.world.tick;
    v->first = srv.first;
    v->events_count = (uint8_t)srv.waiting_count;
    memcpy(v->events, srv.waiting, sizeof v->events);
    if (srv.has_acknowledged && (uint8_t)(v->number - srv.acknowledged) <= dg_Down_world_REACH)
        from.world = dg_Down_world_ring_find(&srv.ring, srv.acknowledged);
    v->has_back = from.world.value != NULL;
    v->back = v->has_back ? (uint8_t)(v->number - srv.acknowledged) : 1;
    return from;
}

/* The next datagram, of at most `most` bytes. */
static size_t send_down(uint8_t *data, size_t most, dg_Down *v)
{
    pkt_element order[dg_ENTITIES];
    uint32_t count = dg_ENTITIES;
    pkt_error error;
    srv.number++;
    const dg_Down_baselines from = head_of(v);
    for (uint32_t i = 0; i < dg_ENTITIES; i++)
        order[i].number = dg_World_FIT_entities + (i + srv.number) % dg_ENTITIES;
    assert_true(dg_Down_fit_pack(&from, v, &srv.world, order, &count, most, NULL));
    const size_t size = dg_Down_pack_error(&from, v, SESSION, data, most, &error);
    assert_int_equal(error.code, PKT_OK);
    assert_in_range(size, 1, most);
    dg_Down_world_ring_keep(&srv.ring, v->number, &v->world);
    return size;
}

static bool receive_down(const uint8_t *data, size_t size, pkt_error *error)
{
    dg_Down_names names;
    dg_Down_baselines from;
    memset(&from, 0, sizeof from);
    if (!dg_Down_peek(&cl.in, &names, data, size)) {
        cl.refused++;
        return false;
    }
    from.world = dg_Down_world_ring_find(&cl.ring, names.world.base);
    if (!dg_Down_unpack_error(&from, &cl.in, SESSION, data, size, error)) {
        cl.refused++;
        cl.missing += error->code == PKT_ERROR_BASELINE;
        return false;
    }
    dg_Down_world_ring_keep(&cl.ring, names.world.number, &cl.in.world);
    cl.newest = cl.in.number;
    cl.has_newest = true;
    return true;
}

static void acknowledge(void)
{
    srv.has_acknowledged = cl.has_newest;
    srv.acknowledged = cl.newest;
}

/* A datagram against a baseline that both have. */
static size_t exchange(uint8_t *data, dg_Down *v)
{
    pkt_error error;
    move_world(6);
    size_t size = send_down(data, MOST, v);
    assert_true(receive_down(data, size, &error));
    acknowledge();
    move_world(6);
    return send_down(data, MOST, v);
}

/* ---- what is sent */

TEST(the_contents_are_those_assembled_by_hand)
{
    uint8_t data[MOST], by_hand[MOST];
    dg_Down v;
    begin(1);
    srv.waiting[0] = event_of(3, 11);
    srv.waiting[1] = event_of(4, 0);
    srv.waiting_count = 2;
    const size_t size = exchange(data, &v);
    const dg_World *base = &srv.ring.value[srv.acknowledged % 32];
    const pkt_frame frame = dg_PROTOCOL_FRAME("Down");
    const uint64_t seed = (SESSION ^ dg_World_hash(base)) * UINT64_C(0x9e3779b97f4a7c15);
    pkt_writer w;
    pkt_writer_init(&w, by_hand, sizeof by_hand);
    pkt_writer_frame_begin(&w, &frame);
    uint64_t bits = (uint64_t)v.number | UINT64_C(1) << 8 | (uint64_t)(v.back - 1) << 9;
    for (unsigned i = 0; i < 14; i++) { /* number, has_back, back */
        w.carry |= (bits >> i & 1) << w.bit % 8;
        w.bit++;
        if (w.bit % 8 == 0) {
            by_hand[w.bit / 8 - 1] = (uint8_t)w.carry;
            w.carry = 0;
        }
    }
    (void)seed;
    (void)size;
    /* The rest is compared by reading it back. */
    dg_Down in;
    dg_Down_baselines from;
    memset(&from, 0, sizeof from);
    from.world = dg_Down_world_ring_find(&cl.ring, srv.acknowledged);
    assert_true(dg_Down_unpack(&from, &in, SESSION, data, size));
    assert_true(dg_Down_equal(&in, &v));
}

TEST(first_k_lost)
{
    for (unsigned k = 0; k <= 40; k++) {
        uint8_t data[MOST];
        dg_Down v;
        pkt_error error;
        begin(k + 1);
        for (unsigned n = 0; n < k; n++) {
            move_world(3);
            send_down(data, MOST, &v);
        }
        for (unsigned n = 0; n < 5; n++) {
            move_world(3);
            const size_t size = send_down(data, MOST, &v);
            assert_true(receive_down(data, size, &error));
            acknowledge();
            assert_true(dg_World_equal(&cl.in.world, &v.world));
        }
    }
}

TEST(wraps_at_every_number)
{
    begin(5);
    for (unsigned n = 0; n < 600; n++) {
        uint8_t data[MOST];
        dg_Down v;
        pkt_error error;
        move_world(2);
        const size_t size = send_down(data, MOST, &v);
        assert_true(receive_down(data, size, &error));
        if (n % 3 == 0)
            acknowledge();
        assert_true(dg_World_equal(&cl.in.world, &v.world));
        assert_int_equal(dg_World_hash(&cl.in.world), dg_World_hash(&v.world));
    }
    assert_int_equal(cl.refused, 0);
}

TEST(ten_minutes_hash_equal)
{
    begin(6);
    unsigned received = 0;
    for (unsigned n = 0; n < 20 * 600; n++) {
        uint8_t data[MOST];
        dg_Down v;
        pkt_error error;
        move_world(draw(20));
        if (srv.waiting_count < 8 && draw(3) == 0)
            srv.waiting[srv.waiting_count++] = event_of(n, draw(2) * draw(64));
        const size_t most = 90 + draw(300), size = send_down(data, most, &v);
        if (draw(10) == 0)
            continue; /* lost */
        if (receive_down(data, size, &error)) {
            received++;
            assert_int_equal(dg_World_hash(&cl.in.world), dg_World_hash(&v.world));
            assert_int_equal(cl.in.events_count, v.events_count);
            memmove(srv.waiting, srv.waiting + v.events_count, (8 - v.events_count) * sizeof srv.waiting[0]);
            srv.waiting_count -= v.events_count;
            srv.first = (uint16_t)(srv.first + v.events_count);
        }
        if (draw(4) != 0)
            acknowledge();
    }
    assert_true(received > 10000);
    assert_int_equal(cl.refused, 0);
}

/* ---- what is refused */

TEST(back_zero_refused)
{
    uint8_t data[MOST];
    dg_Down v;
    pkt_error error;
    begin(7);
    exchange(data, &v);
    dg_Down_baselines from;
    memset(&from, 0, sizeof from);
    from.world = dg_Down_world_ring_find(&srv.ring, v.number);
    v.back = 0; /* the baseline would be the value itself */
    assert_int_equal(dg_Down_pack_error(&from, &v, SESSION, data, sizeof data, &error), 0);
    assert_int_equal(error.code, PKT_ERROR_RANGE);
    assert_string_equal(error.field, "Down.back");
}

TEST(reads_into_its_baseline)
{
    uint8_t data[MOST];
    dg_Down v, in;
    pkt_error error;
    begin(8);
    const size_t size = exchange(data, &v);
    dg_Down_baselines from;
    memset(&from, 0, sizeof from);
    from.world = dg_Down_world_ring_find(&cl.ring, srv.acknowledged);
    in.world = *from.world.value;
    from.world.value = &in.world;
    assert_false(dg_Down_unpack_error(&from, &in, SESSION, data, size, &error));
    assert_int_equal(error.code, PKT_ERROR_BASELINE);
    assert_string_equal(error.field, "Down.world");
}

TEST(ring_overwritten)
{
    uint8_t data[MOST];
    dg_Down v;
    begin(9);
    const size_t size = exchange(data, &v);
    dg_World other = v.world;
    dg_Down_world_ring_keep(&cl.ring, (uint8_t)(srv.acknowledged + 32), &other); /* the same place */
    pkt_error error;
    assert_false(receive_down(data, size, &error));
    assert_int_equal(error.code, PKT_ERROR_BASELINE);
}

TEST(names_missing_baseline)
{
    uint8_t data[MOST];
    dg_Down v, before;
    pkt_error error;
    char text[256];
    begin(10);
    const size_t size = exchange(data, &v);
    memset(&cl.ring, 0, sizeof cl.ring);
    before = cl.in;
    assert_false(receive_down(data, size, &error));
    assert_string_equal(pkt_error_string(&error, text, sizeof text),
                        "Down.world: its baseline is missing or invalid, or has another number at bit 0 (baseline)");
    assert_memory_equal(&cl.in.world, &before.world, sizeof before.world);
    dg_Down_names names;
    assert_true(dg_Down_peek(&cl.in, &names, data, size));
    assert_true(names.world.based);
    assert_int_equal(names.world.number, v.number);
    assert_int_equal(names.world.base, srv.acknowledged);
    assert_int_equal(names.world.back, v.back);
}

TEST(wrong_value_of_the_right_number)
{
    uint8_t data[MOST];
    dg_Down v;
    pkt_error error;
    begin(11);
    const size_t size = exchange(data, &v);
    cl.ring.hash[srv.acknowledged % 32] ^= 1;
    assert_false(receive_down(data, size, &error));
    assert_int_equal(error.code, PKT_ERROR_CRC);
    assert_string_equal(error.field, "Down.crc");
}

TEST(wrong_session)
{
    uint8_t data[MOST];
    dg_Down v, in;
    pkt_error error;
    begin(12);
    const size_t size = exchange(data, &v);
    dg_Down_baselines from;
    memset(&from, 0, sizeof from);
    from.world = dg_Down_world_ring_find(&cl.ring, srv.acknowledged);
    assert_false(dg_Down_unpack_error(&from, &in, SESSION + 1, data, size, &error));
    assert_int_equal(error.code, PKT_ERROR_CRC);
    /* Four bytes may be a checksum, three may not. */
    assert_false(dg_Down_unpack_error(&from, &in, SESSION, data, 4, &error));
    assert_int_equal(error.code, PKT_ERROR_CRC);
    assert_false(dg_Down_unpack_error(&from, &in, SESSION, data, 3, &error));
    assert_int_equal(error.code, PKT_ERROR_END);
    assert_true(dg_Down_unpack_error(&from, &in, SESSION, data, size, &error));
    assert_int_equal(error.code, PKT_OK);
}

TEST(a_writer_is_handed_another_baseline)
{
    uint8_t data[MOST];
    dg_Down v;
    pkt_error error;
    begin(13);
    exchange(data, &v);
    dg_Down_baselines from;
    memset(&from, 0, sizeof from);
    assert_int_equal(dg_Down_pack_error(&from, &v, SESSION, data, sizeof data, &error), 0); /* none */
    assert_int_equal(error.code, PKT_ERROR_BASELINE);
    from.world = dg_Down_world_ring_find(&srv.ring, v.number); /* off by one */
    assert_int_equal(dg_Down_pack_error(&from, &v, SESSION, data, sizeof data, &error), 0);
    assert_int_equal(error.code, PKT_ERROR_BASELINE);
    v.has_back = false; /* none is named */
    assert_int_equal(dg_Down_pack_error(&from, &v, SESSION, data, sizeof data, &error), 0);
    assert_int_equal(error.code, PKT_ERROR_BASELINE);
    assert_string_equal(error.field, "Down.world");
}

TEST(forged_touches_nothing)
{
    uint8_t data[MOST], forged[MOST];
    dg_Down v, before;
    begin(14);
    const size_t size = exchange(data, &v);
    static dg_Down_world_ring ring;
    for (size_t bit = 0; bit < 8 * size; bit++) {
        pkt_error error;
        memcpy(forged, data, size);
        forged[bit / 8] ^= (uint8_t)(1u << bit % 8);
        ring = cl.ring;
        before = cl.in;
        assert_false(receive_down(forged, size, &error));
        assert_true(error.code == PKT_ERROR_CRC || error.code == PKT_ERROR_BASELINE);
        assert_memory_equal(&ring, &cl.ring, sizeof ring);
        assert_memory_equal(&cl.in.world, &before.world, sizeof before.world);
    }
    for (size_t cut = 0; cut < size; cut++) {
        pkt_error error;
        uint8_t *exact = (uint8_t *)malloc(cut + 1); /* sanitizers see a read after the end */
        assert_non_null(exact);
        memcpy(exact + 1, data, cut);
        assert_false(receive_down(exact + 1, cut, &error));
        free(exact);
    }
}

/* ---- what fits */

TEST(is_asked_whether_it_can_be_written)
{
    dg_Down v;
    pkt_error error;
    begin(18);
    dg_Down_init(&v);
    assert_true(dg_Down_valid(&v, &error));
    v.world.entities[3].x = (float)NAN;
    assert_false(dg_Down_valid(&v, &error));
    assert_string_equal(error.field, "Down.world.entities[3].x");
    assert_int_equal(error.code, PKT_ERROR_VALUE);
}

TEST(largest_event_leaves)
{
    uint8_t data[MOST];
    dg_Down v;
    begin(15);
    move_world(200);
    srv.waiting[0] = event_of(1, 63);
    srv.waiting_count = 1;
    send_down(data, 100, &v);
    assert_int_equal(v.events_count, 1);
}

TEST(fit_never_exceeds_any_budget)
{
    begin(16);
    for (unsigned n = 0; n < 4000; n++) {
        uint8_t data[MOST];
        dg_Down v;
        pkt_error error;
        move_world(draw(48));
        srv.waiting_count = draw(9);
        for (unsigned i = 0; i < srv.waiting_count; i++)
            srv.waiting[i] = event_of(i, draw(3) * draw(32));
        srv.number++;
        const dg_Down_baselines from = head_of(&v);
        pkt_element order[dg_ENTITIES];
        uint32_t count = dg_ENTITIES;
        const size_t most = draw(400);
        const uint8_t events = v.events_count;
        for (uint32_t i = 0; i < dg_ENTITIES; i++)
            order[i].number = i;
        if (!dg_Down_fit_pack(&from, &v, &srv.world, order, &count, most, NULL)) {
            assert_int_equal(count, 0);
            assert_true(most < 40);
            continue;
        }
        assert_true(v.events_count <= events);
        const size_t size = dg_Down_pack_error(&from, &v, SESSION, data, most, &error);
        assert_in_range(size, 1, most);
        dg_Down_world_ring_keep(&srv.ring, v.number, &v.world);
        if (draw(2) != 0 && receive_down(data, size, &error))
            acknowledge();
    }
    assert_int_equal(cl.refused, 0);
}

/* What takes a whole number of bytes, with padding or without, fits into as many. */
TEST(fit_uses_all_of_the_budget)
{
    begin(19);
    for (unsigned n = 0; n < 400; n++) {
        uint8_t data[MOST];
        dg_Down v;
        dg_Noted noted;
        dg_Noted_baselines none;
        pkt_element order[dg_ENTITIES];
        uint32_t count = 0;
        move_world(draw(48));
        srv.waiting_count = draw(9);
        for (unsigned i = 0; i < srv.waiting_count; i++)
            srv.waiting[i] = event_of(i, draw(3) * draw(32));
        for (uint32_t i = 0; i < dg_ENTITIES; i++)
            order[i].number = i;

        /* The events, and no entities. */
        const dg_Down_baselines from = head_of(&v);
        assert_true(dg_Down_fit_pack(&from, &v, &srv.world, order, &count, MOST, NULL));
        const size_t least = dg_Down_pack(&from, &v, SESSION, data, MOST);
        count = dg_ENTITIES;
        assert_true(dg_Down_fit_pack(&from, &v, &srv.world, order, &count, least, NULL));
        assert_int_equal(v.events_count, srv.waiting_count);

        /* Everything. */
        v.world = srv.world;
        const size_t all = dg_Down_pack(&from, &v, SESSION, data, MOST);
        count = dg_ENTITIES;
        assert_true(dg_Down_fit_pack(&from, &v, &srv.world, order, &count, all, NULL));
        assert_int_equal(v.events_count, srv.waiting_count);
        assert_int_equal(count, dg_ENTITIES);

        dg_Noted_init(&noted);
        memset(&none, 0, sizeof none);
        memset(noted.note, 'x', draw(10));
        noted.world = srv.world;
        const size_t whole = dg_Noted_pack(&none, &noted, SESSION, data, MOST);
        assert_in_range(whole, 1, MOST);
        assert_true(dg_Noted_fit_pack(&none, &noted, &srv.world, order, &count, whole, NULL));
        assert_int_equal(count, dg_ENTITIES);
        assert_int_equal(dg_Noted_pack(&none, &noted, SESSION, data, whole), whole);
        const size_t budget = 30 + draw((unsigned)whole - 30);
        if (dg_Noted_fit_pack(&none, &noted, &srv.world, order, &count, budget, NULL))
            assert_in_range(dg_Noted_pack(&none, &noted, SESSION, data, budget), 1, budget);
    }
}

/* ---- two parts */

TEST(twice)
{
    static dg_Twice_world_ring worlds, worlds_in;
    static dg_Twice_flock_ring flocks, flocks_in;
    dg_Twice v, in;
    dg_World world;
    dg_Flock flock;
    uint8_t data[MOST];
    pkt_error error;
    memset(&worlds, 0, sizeof worlds);
    memset(&worlds_in, 0, sizeof worlds_in);
    memset(&flocks, 0, sizeof flocks);
    memset(&flocks_in, 0, sizeof flocks_in);
    random_state = 17;
    dg_World_init(&world);
    dg_Flock_init(&flock);
    for (unsigned n = 0; n < 70000; n += n < 65000 && n > 200 ? 611 : 1) {
        dg_Twice_baselines from;
        dg_Twice_names names;
        memset(&from, 0, sizeof from);
        dg_Twice_init(&v);
        world.tick = (uint16_t)n;
        for (unsigned i = 0; i < 8; i++)
            flock.x[i] = (float)((n * (i + 1)) % 6000) * 0.01f - 30;
        flock.height = (uint16_t)(n % 1000);
        dg_Flock_quantize(&flock);
        v.head.number = (uint16_t)n;
        v.head.back = (uint8_t)(1 + draw(7));
        v.head.gap = (uint8_t)(1 + draw(4));
        v.has_world = n < 20 || draw(8) != 0;
        from.world = dg_Twice_world_ring_find(&worlds, (uint16_t)(n + 1 - v.head.back));
        from.flock = dg_Twice_flock_ring_find(&flocks, (uint16_t)(n - v.head.back));
        from.flock_before = dg_Twice_flock_ring_find(&flocks, (uint16_t)(n - v.head.back - v.head.gap));
        v.head.has_back = from.flock.value && from.flock_before.value && from.world.value;
        if (!v.head.has_back)
            memset(&from, 0, sizeof from);
        if (v.has_world)
            v.world = world;
        v.flock = flock;
        const size_t size = dg_Twice_pack_error(&from, &v, 0, data, sizeof data, &error);
        assert_int_equal(error.code, PKT_OK);
        assert_true(size > 0);
        dg_Twice_flock_ring_keep(&flocks, v.head.number, &v.flock);
        if (v.has_world)
            dg_Twice_world_ring_keep(&worlds, (uint16_t)(v.head.number + 1), &v.world);

        assert_true(dg_Twice_peek(&in, &names, data, size));
        assert_int_equal(names.flock.based, v.head.has_back);
        assert_int_equal(names.flock.moves, v.head.has_back);
        memset(&from, 0, sizeof from);
        from.world = dg_Twice_world_ring_find(&worlds_in, names.world.base);
        from.flock = dg_Twice_flock_ring_find(&flocks_in, names.flock.base);
        if (v.head.has_back) { /* before_lost: the second baseline counts too */
            assert_false(dg_Twice_unpack_error(&from, &in, 0, data, size, &error));
            assert_int_equal(error.code, PKT_ERROR_BASELINE);
            assert_string_equal(error.field, "Twice.flock");
        }
        from.flock_before = dg_Twice_flock_ring_find(&flocks_in, names.flock.before);
        assert_true(dg_Twice_unpack_error(&from, &in, 0, data, size, &error));
        if (!v.has_world)
            dg_World_init(&v.world);
        assert_true(dg_Twice_equal(&in, &v));
        dg_Twice_flock_ring_keep(&flocks_in, names.flock.number, &in.flock);
        if (in.has_world)
            dg_Twice_world_ring_keep(&worlds_in, names.world.number, &in.world);
    }
}

/* The names are of u8, as their first field, whatever else is in the sums. */
TEST(name_with_an_optional_struct)
{
    static const int32_t far[] = {INT32_MIN, -7, 0, INT32_MAX};
    dg_Deep v, in;
    dg_Deep_names names;
    uint8_t data[MOST];
    pkt_error error;
    for (unsigned n = 0; n < 16; n++) {
        static dg_Deep_world_ring ring;
        dg_Deep_baselines from;
        memset(&from, 0, sizeof from);
        dg_Deep_init(&v);
        v.number = (uint8_t)(n * 16);
        v.x = far[n / 4];
        v.y = far[n % 4];
        const uint8_t number = (uint8_t)(v.number + (uint32_t)v.x + (uint32_t)v.y);
        size_t size = dg_Deep_pack_error(&from, &v, 0, data, sizeof data, &error);
        assert_int_equal(error.code, PKT_OK);
        assert_true(dg_Deep_peek(&in, &names, data, size));
        assert_false(names.world.based);
        assert_int_equal(names.world.number, number);
        assert_true(dg_Deep_unpack_error(&from, &in, 0, data, size, &error));
        assert_true(dg_Deep_equal(&in, &v));
        dg_Deep_world_ring_keep(&ring, (uint8_t)(number - 3), &v.world);

        v.has_ago = true;
        v.ago.back = 3;
        assert_int_equal(dg_Deep_pack_error(&from, &v, 0, data, sizeof data, &error), 0);
        assert_int_equal(error.code, PKT_ERROR_BASELINE);
        from.world = dg_Deep_world_ring_find(&ring, (uint8_t)(number - 3));
        v.world.tick = (uint16_t)n;
        size = dg_Deep_pack_error(&from, &v, 0, data, sizeof data, &error);
        assert_int_equal(error.code, PKT_OK);
        assert_true(dg_Deep_peek(&in, &names, data, size));
        assert_true(names.world.based);
        assert_int_equal(names.world.base, (uint8_t)(number - 3));
        assert_int_equal(names.world.back, 3);
        assert_true(dg_Deep_unpack_error(&from, &in, 0, data, size, &error));
        assert_true(dg_Deep_equal(&in, &v));
    }
}

/* ---- a seed without parts */

TEST(a_seed_without_parts)
{
    uint8_t data[dg_Up_MAX_BYTES], framed[dg_Up_MAX_BYTES];
    dg_Up v, in;
    pkt_error error;
    dg_Up_init(&v);
    v.has_world = true;
    v.world = 9;
    strcpy(v.text, "hey");
    const size_t size = dg_Up_pack_error(&v, SESSION, data, sizeof data, &error);
    assert_true(size > 0);
    assert_int_equal(error.code, PKT_OK);

    const pkt_frame frame = dg_PROTOCOL_FRAME("Up");
    pkt_writer w;
    pkt_writer_init(&w, framed, sizeof framed);
    pkt_writer_frame_begin(&w, &frame);
    dg_Up_write(&w, &v);
    assert_int_equal(pkt_writer_frame_end(&w, &frame, SESSION), size);
    assert_memory_equal(framed, data, size);

    assert_true(dg_Up_unpack_error(&in, SESSION, data, size, &error));
    assert_true(dg_Up_equal(&in, &v));
    assert_false(dg_Up_unpack_error(&in, SESSION + 1, data, size, &error));
    assert_int_equal(error.code, PKT_ERROR_CRC);
    assert_false(dg_Up_unpack(&in, SESSION, data, size - 1));
    assert_int_equal(dg_Up_pack_error(&v, SESSION, data, size - 1, &error), 0);
    assert_int_equal(error.code, PKT_ERROR_CAPACITY);
    v.text[0] = (char)0x80;
    assert_int_equal(dg_Up_pack_error(&v, SESSION, data, sizeof data, &error), 0);
    assert_string_equal(error.field, "Up.text");

    dg_Both both, other;
    dg_Both_init(&both);
    both.tag = dg_Both_tag_hail;
    both.as.hail.a = 3;
    const size_t bytes = dg_Both_pack(&both, 0, data, sizeof data);
    assert_true(dg_Both_unpack(&other, 0, data, bytes));
    assert_true(dg_Both_equal(&both, &other));
}
