/* test_coded.c - tests coded deltas and predictions: values that move, canonical bytes, exact sizes, bytes that were
 * changed.
 * SPDX-License-Identifier: MIT
 */
#include "coded.h"
#include "unit.h"

#include <string.h>

enum { TICKS = 60, ROOM = coded_World_DELTA_MAX_BYTES, BACK = 6, GAP = 2 };

static uint32_t seed;

static uint32_t below(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(seed >> 8) * n >> 24);
}

static float near(float v, float by, float low, float high)
{
    v += ((float)below(2001) / 1000.0f - 1.0f) * by;
    return v < low ? low : v > high ? high : v;
}

static void turn(pkt_quat *q)
{
    q->x = near(q->x, 0.05f, -1, 1);
    q->w = near(q->w, 0.05f, -1, 1);
    if (q->x * q->x + q->y * q->y + q->z * q->z + q->w * q->w < 0.6f)
        *q = pkt_quat_identity();
}

static void move_thing(coded_Thing *t)
{
    if (below(3) == 0)
        return;
    t->x = near(t->x, below(50) == 0 ? 700.0f : 2.0f, -1000, 1000);
    t->y = near(t->y, 0.3f, -1000, 1000);
    t->angle = (int)near((float)t->angle, 4, -5, 300);
    t->health = (uint8_t)near(t->health, 3, 0, 255);
    t->speed += below(9) * 70000;
    t->has_speed = below(8) != 0;
    t->since += below(40);
    t->score += below(3) == 0 ? 0xfffffff0u : 2;
    t->weight = near((float)t->weight, 0.01f, -1, 1);
    turn(&t->turn);
    if (below(30) == 0)
        t->alive = !t->alive;
    if (below(40) == 0)
        t->kind = (coded_Kind)below(3);
}

static void move_world(coded_World *v)
{
    v->tick++;
    for (unsigned i = 0; i < 70; i += 1 + below(4))
        move_thing(&v->things[i]);
    if (below(4) == 0)
        v->close_count = (uint8_t)below(10);
    for (unsigned i = 0; i < v->close_count; i++)
        move_thing(&v->close[i]);
    v->map[below(200)] = (uint16_t)below(512);
    v->map[7] = (uint16_t)((v->map[7] + 3) & 511);
    v->doors[below(20)] ^= true;
    v->has_wind = below(5) != 0;
    v->wind[below(3)] = (uint16_t)below(65536);
    v->seed += UINT64_C(0x1000000000) * below(16);
    if (below(12) == 0) {
        memset(&v->way, 0, sizeof v->way);
        v->way.tag = below(2) == 0 ? coded_Way_tag_flight : coded_Way_tag_swim;
        v->way.as.flight.heading = pkt_quat_identity();
        if (v->way.tag == coded_Way_tag_swim)
            memset(&v->way.as, 0, sizeof v->way.as);
    } else if (v->way.tag == coded_Way_tag_flight) {
        v->way.as.flight.height = near(v->way.as.flight.height, 2, -100, 100);
        turn(&v->way.as.flight.heading);
    } else {
        v->way.as.swim.depth = (int16_t)(v->way.as.swim.depth + (int)below(5) - 1);
    }
    coded_World_quantize(v);
}

/* Bytes that were changed are refused, or they are those of another value. */
static void check_changed(const coded_World_motion *base, const uint8_t *data, size_t size)
{
    static uint8_t other[ROOM], again[ROOM];
    static coded_World v;
    memcpy(other, data, size);
    for (unsigned i = 0; i < 1 + below(2); i++)
        other[below((uint32_t)(below(3) == 0 ? size : size < 40 ? size : 40))] ^= (uint8_t)(1 << below(8));
    coded_World_init(&v);
    if (coded_World_unpack_delta_body(base, &v, other, size)) {
        assert_int_equal(coded_World_pack_delta_body(base, &v, again, sizeof again), size);
        assert_memory_equal(again, other, size);
    } else {
        pkt_error error;
        assert_false(coded_World_unpack_delta_body_error(base, &v, other, size, &error));
        assert_int_not_equal(error.code, PKT_OK);
    }
}

static void check_sizes(const coded_World_motion *base, const coded_World *v, const uint8_t *data, size_t size)
{
    static uint8_t small[ROOM];
    static coded_World back;
    pkt_error error;
    assert_int_equal((coded_World_measure_delta(base, v, 0) + 7) / 8, size);
    assert_int_equal(coded_World_pack_delta_body(base, v, small, size), size);
    assert_memory_equal(small, data, size);
    assert_int_equal(coded_World_pack_delta_body_error(base, v, small, size - 1, &error), 0);
    assert_int_equal(error.code, PKT_ERROR_CAPACITY);
    coded_World_init(&back);
    assert_false(coded_World_unpack_delta_body_error(base, &back, data, size - 1, &error));
    assert_int_not_equal(error.code, PKT_OK);
}

TEST(test_worlds)
{
    static coded_World sent[TICKS], arrived[TICKS];
    static coded_World_motion ours, theirs;
    static uint8_t data[ROOM];
    for (seed = 1; seed < 6; seed++) {
        const uint32_t first = seed;
        coded_World_init(&sent[0]);
        for (int n = 0; n < TICKS; n++) {
            const coded_World_motion *base = NULL, *their_base = NULL;
            pkt_error error;
            if (n > 0)
                sent[n] = sent[n - 1];
            move_world(&sent[n]);
            if (n >= BACK) {
                coded_World_predict(&sent[n - BACK], n >= BACK + GAP ? &sent[n - BACK - GAP] : NULL, BACK, GAP, &ours);
                coded_World_predict(&arrived[n - BACK], n >= BACK + GAP ? &arrived[n - BACK - GAP] : NULL, BACK, GAP,
                                    &theirs);
                base = &ours;
                their_base = &theirs;
            }
            const size_t size = coded_World_pack_delta_body(base, &sent[n], data, sizeof data);
            assert_true(size != 0 && size <= coded_World_DELTA_MAX_BYTES);
            coded_World_init(&arrived[n]);
            if (!coded_World_unpack_delta_body_error(their_base, &arrived[n], data, size, &error))
                fail_msg("seed %u, tick %d: %s, code %d, bit %d", (unsigned)first, n, error.field, (int)error.code,
                         (int)error.bit);
            assert_true(coded_World_equal(&arrived[n], &sent[n]));
            check_sizes(base, &sent[n], data, size);
            for (int i = 0; i < 40; i++)
                check_changed(base, data, size);
        }
        seed = first;
    }
}

/* What did not move is expected to stay, and what moved goes on in whole steps of its codes. */
TEST(test_prediction)
{
    static coded_World base, before, expected;
    static coded_World_motion to;
    coded_World_init(&before);
    before.things[3].alive = true;
    base = before;
    base.things[3].x = 0.3f; /* 3 steps in 2 ticks, so 9 more in 6; from a half on it is rounded up */
    base.things[3].angle = 5;
    base.things[3].health = 250;
    before.things[3].health = 240; /* not past 255 */
    base.seed = 9;                 /* has more than 32 bits */
    base.tick = 77;                /* is not coded */
    coded_World_predict(&base, &before, 6, 2, &to);
    coded_World_expected(&to, &expected);
    assert_true(expected.things[3].x > 1.19f && expected.things[3].x < 1.21f);
    assert_int_equal(expected.things[3].angle, 20);
    assert_int_equal(expected.things[3].health, 255);
    assert_int_equal(expected.seed, 9);
    assert_int_equal(expected.tick, 77);
    before.close_count = 1;
    base.close_count = 2;
    base.close[0].angle = base.close[1].angle = 5;
    coded_World_predict(&base, &before, 6, 2, &to);
    coded_World_expected(&to, &expected);
    assert_int_equal(expected.close[0].angle, 20);
    assert_int_equal(expected.close[1].angle, 5);
    before.close_count = 10; /* out of range, so it has no elements */
    coded_World_predict(&base, &before, 6, 2, &to);
    coded_World_expected(&to, &expected);
    assert_int_equal(expected.close[0].angle, 5);
    coded_World_predict(&base, &before, 1, 2, &to);
    coded_World_expected(&to, &expected);
    assert_int_equal(expected.things[3].angle, 8);
    coded_World_predict(&base, NULL, 6, 2, &to);
    coded_World_expected(&to, &expected);
    assert_true(coded_World_equal(&expected, &base));
    coded_World_predict(&base, &before, 65536, 2, &to);
    coded_World_expected(&to, &expected);
    assert_true(coded_World_equal(&expected, &base));
}

/* A value that the model does not expect goes plain: it has one bit more than if nothing was coded. */
/* Numbers with `still` are expected to stay, so a second step of the same values sends nothing of them. */
TEST(test_still)
{
    coded_Fighter before, base, expected, moved, back;
    coded_Fighter_motion to;
    uint8_t data[coded_Fighter_DELTA_MAX_BYTES];
    coded_Fighter_init(&before);
    before.health = 80;
    before.x = 10;
    before.ammo[2] = 300;
    before.yaw = 10;
    before.turn = 10;
    before.has_score = true;
    before.score = 500;
    base = before;
    base.health = 60;
    base.x = 12;
    base.aim = (pkt_quat){0.6f, 0, 0, 0.8f};
    base.ammo[2] = 290;
    base.yaw = 20;
    base.turn = 20;
    base.score = 9;
    coded_Fighter_predict(&base, &before, 3, 1, &to);
    expected = base;
    expected.x = 18;
    expected.turn = 50;
    coded_Fighter_expected(&to, &moved);
    assert_true(coded_Fighter_equal(&moved, &expected));
    /* the form bit, and a mask of 8 fields in 2 groups of flat codes */
    assert_int_equal(coded_Fighter_measure_delta(&to, &expected, 0), 9);
    expected.health = 40;
    expected.ammo[0] = -1;
    expected.aim = base.aim;
    expected.score = UINT64_MAX;
    const size_t size = coded_Fighter_pack_delta_body(&to, &expected, data, sizeof data);
    assert_true(size > 0);
    assert_true(coded_Fighter_unpack_delta_body(&to, &back, data, size));
    assert_true(coded_Fighter_equal(&back, &expected));
    for (size_t bit = 0; bit < 8 * size; bit++) {
        data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        (void)coded_Fighter_unpack_delta_body(&to, &back, data, size);
        data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

TEST(test_plain)
{
    coded_Alone base, v, back;
    uint8_t data[coded_Alone_DELTA_MAX_BYTES];
    pkt_error error;
    coded_Alone_init(&base);
    v = base;
    for (unsigned i = 0; i < 5; i++) {
        v.things[i].x = i % 2 == 0 ? 1000.0f : -1000.0f;
        v.things[i].y = -999.0f;
        v.things[i].angle = 300;
        v.things[i].score = UINT32_MAX;
        v.things[i].since = UINT32_MAX;
        v.things[i].weight = 1.0;
    }
    const size_t size = coded_Alone_pack_delta_body(&base, &v, data, sizeof data);
    assert_int_equal(data[0] & 1, 0);
    assert_true(coded_Alone_measure_delta(&base, &v, 0) <= coded_Alone_DELTA_MAX_BITS);
    coded_Alone_init(&back);
    assert_true(coded_Alone_unpack_delta_body(&base, &back, data, size));
    assert_true(coded_Alone_equal(&v, &back));
    data[0] ^= 1;
    assert_false(coded_Alone_unpack_delta_body_error(&base, &back, data, size, &error));
    /* A coded delta that claims to be plain is not canonical, if it is anything. */
    v = base;
    v.lamp = 1;
    assert_int_not_equal(coded_Alone_pack_delta_body(&base, &v, data, sizeof data), 0);
    assert_int_equal(data[0] & 1, 1);
}

static void pack_row(const coded_Row *base, const coded_Row *v, size_t room, uint8_t *data, size_t *size)
{
    pkt_writer w;
    pkt_writer_init(&w, data, room);
    assert_true(coded_Row_write_delta(&w, base, v) && coded_Row_write_delta(&w, base, v));
    assert_true(pkt_writer_finish(&w, size));
}

/* A number of the baseline that cannot be written counts as code 0. So what is new can have no difference. */
TEST(test_no_difference)
{
    for (unsigned wild = 0; wild < 8; wild++) {
        coded_Row base, v, back;
        uint8_t large[64], exact[64];
        size_t size, again;
        pkt_reader r;
        for (unsigned i = 0; i < 3; i++) {
            uint8_t *const from[] = {&base.first, &base.second, &base.third}, *const to[] = {&v.first, &v.second,
                                                                                             &v.third};
            *from[i] = wild >> i & 1 ? 120 : 50;
            *to[i] = wild >> i & 1 ? 0 : (uint8_t)(51 + i);
        }
        pack_row(&base, &v, sizeof large, large, &size);
        pack_row(&base, &v, size, exact, &again);
        assert_int_equal(again, size);
        assert_memory_equal(large, exact, size);
        assert_int_equal(large[0] & 1, 1);
        pkt_reader_init(&r, large, size);
        for (unsigned n = 0; n < 2; n++) {
            coded_Row_init(&back);
            assert_true(coded_Row_read_delta(&r, &base, &back));
            assert_true(coded_Row_equal(&back, &v));
        }
        assert_true(pkt_reader_finish(&r));
    }
}

static void set_ship(coded_Boat *b)
{
    memset(b, 0, sizeof *b);
    b->tag = coded_Boat_tag_ship;
    b->as.ship.has_wind = true;
}

/* The value that the baseline has moved from may have other tags and counts. Where they differ, nothing is asked of what it has
 * there: bytes of another member, or of no element, are not even a bool. */
TEST(test_values_of_other_shapes)
{
    static coded_Fleet_motion to;
    static coded_Fleet base, before, v, back;
    uint8_t data[coded_Fleet_DELTA_MAX_BYTES];
    pkt_error error;
    coded_Fleet_init(&v);
    v.boats_count = 3;
    for (unsigned i = 0; i < 3; i++)
        set_ship(&v.boats[i]);
    set_ship(&v.flagship);
    base = before = v;
    memset(&before.boats, 0xfe, sizeof before.boats);
    memset(&before.flagship.as, 0xfe, sizeof before.flagship.as);
    before.boats[0].tag = before.flagship.tag = coded_Boat_tag_swim;
    before.boats_count = 1;
    coded_Fleet_predict(&base, &before, 1, 1, &to);
    for (unsigned n = 0; n < 9; n++) {
        v.flagship.as.ship.doors[n] = true;
        v.flagship.as.ship.wind[n % 3] = (uint8_t)(n + 1);
        v.boats[n % 3].as.ship.doors[n] = true;
        v.boats[1].as.ship.x = (int16_t)(77 * n);
        const size_t size = coded_Fleet_pack_delta_body(&to, &v, data, sizeof data);
        assert_int_not_equal(size, 0);
        assert_int_equal((coded_Fleet_measure_delta(&to, &v, 0) + 7) / 8, size);
        assert_true(coded_Fleet_unpack_delta_body(&to, &back, data, size));
        assert_true(coded_Fleet_equal(&v, &back));
        assert_false(coded_Fleet_unpack_delta_body_error(&to, &back, data, size - 1, &error));
        assert_int_equal(error.code, PKT_ERROR_END);
        assert_int_equal(coded_Fleet_pack_delta_body_error(&to, &v, data, size - 1, &error), 0);
        assert_int_equal(error.code, PKT_ERROR_CAPACITY);
    }
}
