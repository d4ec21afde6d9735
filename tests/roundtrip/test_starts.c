/* test_starts.c - tests parts with `else start`: what they are deltas to, what new elements start from, and what both
 * sides must agree on.
 * SPDX-License-Identifier: MIT
 */
#include "starts_codec.h"
#include "fuzz/lot.h"
#include "unit.h"

#include <string.h>

enum { ROUNDS = 3000, ROOM = 8192, SESSION = 77 };

static lot drawn;

/* ---- values that change */

static void change_mark(starts_Mark *m)
{
    m->at = (uint16_t)(lot_one_in(&drawn, 2) ? 0 : lot_below(&drawn, 65536));
}

static void change_items(starts_Item *items, uint8_t count)
{
    for (uint8_t i = 0; i < count; i++)
        items[i].count = (uint16_t)lot_below(&drawn, 65536);
}

static void change_thing(starts_Thing *t)
{
    t->x = (float)((int)lot_below(&drawn, 801) - 400) / 8;
    t->health = (uint8_t)lot_below(&drawn, 256);
    if (lot_one_in(&drawn, 2))
        starts_Thing_items_add(t, (uint8_t)lot_below(&drawn, 8));
    if (lot_one_in(&drawn, 4))
        starts_Thing_items_remove(t, (uint8_t)lot_below(&drawn, 8));
    change_items(t->items, t->items_count);
    if (lot_one_in(&drawn, 8))
        pkt_text_set(t->name, sizeof t->name, lot_one_in(&drawn, 2) ? "ann" : "bo");
}

static void change_world(starts_World *w, uint32_t changes)
{
    w->tick++;
    while (changes-- != 0) {
        const int8_t id = (int8_t)((int)lot_below(&drawn, 60) - 30);
        const uint8_t kind = (uint8_t)lot_below(&drawn, 4);
        starts_Thing *t = starts_World_things_find(w, id);
        starts_Mark *m = starts_World_marks_find(w, kind);
        w->more ^= lot_one_in(&drawn, 20);
        if (t && lot_one_in(&drawn, 2))
            starts_World_things_remove(w, id);
        else if (t || (t = starts_World_things_add(w, id)) != NULL)
            change_thing(t);
        if (m && lot_one_in(&drawn, 2))
            starts_World_marks_remove(w, kind);
        else if (m || (m = starts_World_marks_add(w, kind)) != NULL)
            change_mark(m);
        if (lot_one_in(&drawn, 3) && !starts_Bag_marks_remove(&w->bag, kind))
            change_mark(starts_Bag_marks_add(&w->bag, kind));
        if (w->more && lot_one_in(&drawn, 3) && !starts_World_hidden_remove(w, kind))
            change_mark(starts_World_hidden_add(w, kind));
    }
    starts_World_quantize(w);
}

static void change_army(starts_Army *a, uint32_t changes)
{
    a->tick++;
    for (uint32_t i = 0; i < a->soldiers_count; i++)
        a->soldiers[i].x += lot_one_in(&drawn, 3) ? 0.5f : 0.0f;
    while (changes-- != 0) {
        const uint8_t id = (uint8_t)lot_below(&drawn, 60);
        starts_Soldier *s = starts_Army_soldiers_find(a, id);
        if (s && lot_one_in(&drawn, 2)) {
            starts_Army_soldiers_remove(a, id);
        } else if (s || (s = starts_Army_soldiers_add(a, id)) != NULL) {
            s->x = (float)((int)lot_below(&drawn, 801) - 400) / 8;
            s->health = (uint8_t)lot_below(&drawn, 256);
            if (lot_one_in(&drawn, 2))
                starts_Soldier_items_add(s, (uint8_t)lot_below(&drawn, 8));
            change_items(s->items, s->items_count);
        }
    }
    starts_Army_quantize(a);
}

static uint8_t bytes[ROOM];

/* ---- packets */

typedef struct side {
    starts_ToClient_world_ring worlds;
    starts_ToClient_weather_ring weathers;
    starts_World start;
    starts_Weather calm;
    bool starts; /* there is a start value */
} side;

static side server, client;

static starts_ToClient_baselines from_of(const side *s, bool based, uint8_t number)
{
    starts_ToClient_baselines from;
    memset(&from, 0, sizeof from);
    if (s->starts) {
        from.world_start = starts_ToClient_world_start(&s->start);
        from.weather_start = starts_ToClient_weather_start(&s->calm);
    }
    if (based) {
        from.world = starts_ToClient_world_ring_find(&s->worlds, number);
        from.weather = starts_ToClient_weather_ring_find(&s->weathers, number);
    }
    return from;
}

/* Reads what is in `bytes`. */
static pkt_error receive(size_t size, starts_ToClient *in)
{
    starts_ToClient_names names;
    pkt_error error;
    assert_true(starts_ToClient_peek(in, &names, bytes, size));
    const starts_ToClient_baselines from = from_of(&client, names.world.based, (uint8_t)names.world.base);
    starts_ToClient_unpack_error(&from, in, SESSION, bytes, size, &error);
    return error;
}

static void begin(bool starts)
{
    memset(&server, 0, sizeof server);
    server.starts = starts;
    starts_World_init(&server.start);
    server.calm.rain = 3;
}

static void both_are_alike(void)
{
    client = server;
}

TEST(worlds_arrive)
{
    drawn.state = random_seed();
    for (uint32_t game = 0; game < 20; game++) {
        static starts_ToClient v, in;
        uint8_t acknowledged = 0;
        bool any = false;
        begin(lot_one_in(&drawn, 4) == false);
        change_world(&server.start, 20 + lot_below(&drawn, 40));
        both_are_alike();
        memset(&v, 0, sizeof v);
        starts_ToClient_init(&v);
        starts_World_copy(&v.world, &server.start);
        static starts_World now;
        starts_World_copy(&now, &server.start);
        for (uint32_t round = 0; round < ROUNDS / 20; round++) {
            pkt_element order[40];
            uint32_t count = 0;
            pkt_fit_report report;
            change_world(&now, lot_below(&drawn, 6));
            v.number++;
            v.has_world = !lot_one_in(&drawn, 9);
            starts_World_copy(&v.world, &now);
            v.weather.rain = (uint8_t)lot_below(&drawn, 9);
            v.has_back = any && !lot_one_in(&drawn, 5) && (uint8_t)(v.number - acknowledged) <= 31;
            v.back = (uint8_t)(v.has_back ? v.number - acknowledged : 1);
            const starts_ToClient_baselines from = from_of(&server, v.has_back, acknowledged);
            v.has_back = v.has_back && from.world.value;
            assert_true(!v.has_back || from.weather.value);
            for (uint32_t i = 0; i < now.things_count; i++)
                order[count++].number = starts_World_FIT_things + i;
            const bool cut = lot_one_in(&drawn, 2);
            if (cut &&
                !starts_ToClient_fit_pack(&from, &v, &now, order, &count, 60 + lot_below(&drawn, 200), &report)) {
                assert_int_equal(report.error.code, PKT_ERROR_CAPACITY);
                starts_World_copy(&v.world, &now);
            }
            if (!v.has_world)
                starts_World_base(&v.world);
            pkt_error error;
            const size_t size = starts_ToClient_pack_error(&from, &v, SESSION, bytes, sizeof bytes, &error);
            assert_int_equal(error.code, PKT_OK);
            if (cut && report.error.code == PKT_OK)
                assert_true(size <= 260);
            error = receive(size, &in);
            assert_int_equal(error.code, PKT_OK);
            assert_true(starts_ToClient_equal(&v, &in));
            if (!v.has_world)
                continue;
            starts_ToClient_world_ring_keep(&server.worlds, v.number, &v.world);
            starts_ToClient_weather_ring_keep(&server.weathers, v.number, &v.weather);
            starts_ToClient_world_ring_keep(&client.worlds, v.number, &in.world);
            starts_ToClient_weather_ring_keep(&client.weathers, v.number, &in.weather);
            if (lot_one_in(&drawn, 2)) {
                acknowledged = v.number;
                any = true;
            }
        }
    }
}

TEST(armies_arrive)
{
    static starts_Orders_army_ring sent, received;
    static starts_Orders_weather_ring weathers;
    static starts_Orders_world_ring worlds;
    static starts_Army now, start;
    static starts_Orders v, in;
    drawn.state = random_seed();
    memset(&v, 0, sizeof v);
    starts_Army_init(&start);
    change_army(&start, 60);
    starts_Army_copy(&now, &start);
    starts_Orders_weather_ring_keep(&weathers, 0, &v.weather);
    for (uint32_t round = 1; round < ROUNDS; round++) {
        starts_Orders_baselines from, theirs;
        starts_Orders_names names;
        pkt_element order[40];
        uint32_t count = 0;
        pkt_error error;
        pkt_fit_report report;
        memset(&from, 0, sizeof from);
        memset(&theirs, 0, sizeof theirs);
        change_army(&now, lot_below(&drawn, 5));
        starts_Army_copy(&v.army, &now);
        v.number = (uint8_t)round;
        v.has_back = round > 40 && !lot_one_in(&drawn, 4);
        v.back = (uint8_t)(v.has_back ? 1 + lot_below(&drawn, 15) : 1);
        v.has_gap = v.has_back && lot_one_in(&drawn, 2);
        v.gap = (uint8_t)(v.has_gap ? 1 + lot_below(&drawn, 15) : 1);
        if (v.has_back)
            from.army = starts_Orders_army_ring_find(&sent, (uint8_t)(v.number - v.back));
        if (v.has_gap)
            from.army_before = starts_Orders_army_ring_find(&sent, (uint8_t)(v.number - v.back - v.gap));
        if (v.has_back)
            from.world = starts_Orders_world_ring_find(&worlds, (uint8_t)(v.number - v.back));
        from.army_start = starts_Orders_army_start(&start);
        from.weather = starts_Orders_weather_ring_find(&weathers, (uint8_t)(v.number - 1));
        for (uint32_t i = 0; i < now.soldiers_count; i++)
            order[count++].number = starts_Army_FIT_soldiers + i;
        const size_t room = lot_one_in(&drawn, 2) ? 60 + lot_below(&drawn, 120) : ROOM;
        const bool fits = starts_Orders_fit_pack(&from, &v, &now, order, &count, room, &report);
        if (!fits) {
            assert_int_equal(report.error.code, PKT_ERROR_CAPACITY);
            starts_Army_copy(&v.army, &now);
        } else if (room == ROOM) {
            assert_true(starts_Army_equal(&v.army, &now));
        }
        const size_t size = starts_Orders_pack_error(&from, &v, SESSION, bytes, sizeof bytes, &error);
        assert_int_equal(error.code, PKT_OK);
        if (fits)
            assert_true(size <= room);
        assert_true(starts_Orders_peek(&in, &names, bytes, size));
        if (names.army.based)
            theirs.army = starts_Orders_army_ring_find(&received, names.army.base);
        if (names.army.moves)
            theirs.army_before = starts_Orders_army_ring_find(&received, names.army.before);
        theirs.world = from.world;
        theirs.army_start = from.army_start;
        theirs.weather = from.weather;
        starts_Orders_unpack_error(&theirs, &in, SESSION, bytes, size, &error);
        assert_int_equal(error.code, PKT_OK);
        assert_true(starts_Orders_equal(&v, &in));
        starts_Orders_army_ring_keep(&sent, v.number, &v.army);
        starts_Orders_army_ring_keep(&received, v.number, &in.army);
        starts_Orders_weather_ring_keep(&weathers, v.number, &v.weather);
        starts_Orders_world_ring_keep(&worlds, v.number, &v.world);
    }
}

/* ---- sizes: 8 bytes of frame, 8 + 1 bits for the numbers, 1 for has_world */

static starts_ToClient v_small, in_small;

/* The bits of a packet with this world. */
static uint64_t bits_of(const starts_World *w, bool based)
{
    starts_ToClient *const v = &v_small;
    starts_ToClient_init(v);
    v->number = 8;
    v->has_back = based;
    v->back = 1;
    v->has_world = true;
    starts_World_copy(&v->world, w);
    v->weather = server.calm;
    const starts_ToClient_baselines from = from_of(&server, based, 7);
    const size_t size = starts_ToClient_pack(&from, v, SESSION, bytes, sizeof bytes);
    assert_int_not_equal(size, 0);
    const pkt_error error = receive(size, &in_small);
    assert_int_equal(error.code, PKT_OK);
    assert_true(starts_ToClient_equal(v, &in_small));
    pkt_delta_part parts[2];
    memset(parts, 0, sizeof parts);
    parts[0].how = &starts_World_delta_explanation;
    parts[1].how = &starts_Weather_delta_explanation;
    parts[0].base = from.world.value ? from.world.value : from.world_start.value;
    parts[1].base = from.weather.value ? from.weather.value : from.weather_start.value;
    parts[0].start = from.world_start.value;
    return starts_ToClient_measure_parts_(v, 0, parts);
}

enum { HEAD = 8 + 1 + 1, WORLD_MASK = 5, WEATHER_MASK = 2, THING_MASK = 4 };

TEST(what_is_as_in_the_start_value_takes_no_bits)
{
    begin(true);
    starts_Thing *t = starts_World_things_add(&server.start, 5);
    t->x = 3;
    t->health = 9;
    starts_Thing_items_add(t, 2)->count = 1000;
    server.start.tick = 99;
    both_are_alike();
    assert_int_equal(bits_of(&server.start, false), HEAD + WORLD_MASK + 0 /* more: false */ + WEATHER_MASK);

    /* The baseline has no things; then this one is new, and as it is at the start: no thing is gone, `1`, its key, `0`, none
     * has changed, and its mask. */
    static starts_World empty, with;
    starts_World_init(&empty);
    starts_ToClient_world_ring_keep(&server.worlds, 7, &empty);
    starts_ToClient_weather_ring_keep(&server.weathers, 7, &server.calm);
    both_are_alike();
    starts_World_copy(&with, &empty);
    starts_Thing_copy(starts_World_things_add(&with, 5), t);
    const uint64_t key = 12; /* a difference of 106 */
    assert_int_equal(bits_of(&with, true), HEAD + 5 + WORLD_MASK + 1 + 1 + key + 1 + 1 + THING_MASK + WEATHER_MASK);

    /* One that the start value does not have starts from initial values. */
    starts_World_copy(&with, &empty);
    starts_World_things_add(&with, 6);
    assert_int_equal(bits_of(&with, true), HEAD + 5 + WORLD_MASK + 1 + 1 + key + 1 + 1 + THING_MASK + WEATHER_MASK);
}

TEST(without_a_start_value_all_is_as_without_the_words)
{
    static starts_World w;
    begin(false);
    both_are_alike();
    starts_World_init(&w);
    server.calm.rain = 0;
    assert_int_equal(bits_of(&w, false), HEAD + WORLD_MASK + WEATHER_MASK);
}

/* ---- fields beside the parts */

/* A time that moves on evenly takes 2 bits: of the form, and of the mask. Without baselines, it is a difference to the time of the
 * start. */
TEST(a_time_in_a_part_of_its_own)
{
    static starts_Timed_clock_ring sent, received;
    static starts_Timed v, in;
    const starts_Clock start = {1000000};
    const starts_Weather calm = {0, 0};
    starts_Timed_baselines from = {.clock_start = starts_Timed_clock_start(&start)};
    starts_Timed_names names;
    for (uint32_t n = 0; n < 70000; n++) {
        const bool late = n % 1000 == 500;
        starts_Timed_init(&v);
        v.number = (uint16_t)n;
        v.has_back = n > 0 && n % 100 != 0;
        v.has_gap = v.has_back && n > 1;
        v.clock.time = start.time + 50 * n + late;
        from.clock = starts_Timed_clock_ring_find(&sent, (uint16_t)(n - 1));
        from.clock_before = starts_Timed_clock_ring_find(&sent, (uint16_t)(n - 2));
        from.weather =
            (starts_Timed_weather_baseline){v.has_back ? &calm : NULL, (uint16_t)(n - 1), starts_Weather_hash(&calm)};
        if (!v.has_back)
            from.clock.value = from.clock_before.value = NULL;
        const size_t size = starts_Timed_pack(&from, &v, SESSION, bytes, sizeof bytes);
        const unsigned head = 32 + 16 + 6 + 6, weather = 2, end = 32;
        if (v.has_gap && n % 1000 > 2 && n % 1000 < 500)
            assert_int_equal(size, (head + 2 + weather + end + 7) / 8);
        assert_true(size != 0 && starts_Timed_peek(&in, &names, bytes, size));
        from.clock = starts_Timed_clock_ring_find(&received, names.clock.base);
        from.clock_before = starts_Timed_clock_ring_find(&received, names.clock.before);
        if (!v.has_back)
            from.clock.value = from.clock_before.value = NULL;
        assert_true(starts_Timed_unpack(&from, &in, SESSION, bytes, size));
        assert_true(starts_Timed_equal(&in, &v));
        starts_Timed_clock_ring_keep(&sent, v.number, &v.clock);
        starts_Timed_clock_ring_keep(&received, names.clock.number, &in.clock);
    }
}

/* ---- both sides have to have the same one */

static size_t pack_small(void)
{
    starts_ToClient *const v = &v_small;
    starts_ToClient_init(v);
    v->number = 8;
    v->has_world = true;
    starts_World_copy(&v->world, &server.start);
    const starts_ToClient_baselines from = from_of(&server, false, 0);
    return starts_ToClient_pack(&from, v, SESSION, bytes, sizeof bytes);
}

TEST(different_start_values_are_refused)
{
    begin(true);
    starts_World_things_add(&server.start, 5)->health = 1;
    both_are_alike();
    const size_t size = pack_small();
    assert_int_equal(receive(size, &in_small).code, PKT_OK);
    client.start.things[0].health = 2;
    assert_int_equal(receive(size, &in_small).code, PKT_ERROR_CRC);
    client.start.things[0].health = 1;
    client.calm.wind = 1;
    assert_int_equal(receive(size, &in_small).code, PKT_ERROR_CRC);
    client.calm.wind = 0;
    client.starts = false;
    assert_int_equal(receive(size, &in_small).code, PKT_ERROR_CRC);
    client.starts = true;
    assert_int_equal(receive(size, &in_small).code, PKT_OK);
    /* The other way round. */
    server.starts = false;
    assert_int_equal(receive(pack_small(), &in_small).code, PKT_ERROR_CRC);
}

TEST(start_values_that_cannot_be_used)
{
    pkt_error error;
    begin(true);
    starts_World_things_add(&server.start, 5);
    both_are_alike();
    const size_t size = pack_small();
    starts_ToClient_baselines from = from_of(&server, false, 0);
    /* A value cannot be read into its own start value. */
    from.world_start.value = &in_small.world;
    assert_false(starts_ToClient_unpack_error(&from, &in_small, SESSION, bytes, size, &error));
    assert_int_equal(error.code, PKT_ERROR_BASELINE);
    assert_string_equal(error.field, "ToClient.world");
    /* One that cannot be written has no hash. */
    server.start.things_count = 41;
    from = from_of(&server, false, 0);
    assert_int_equal(from.world_start.hash, 0);
    assert_int_equal(starts_ToClient_pack_error(&from, &v_small, SESSION, bytes, sizeof bytes, &error), 0);
    assert_int_equal(error.code, PKT_ERROR_BASELINE);
    /* One that changes after it was hashed is checked like a baseline, also where there is one. */
    server.start.things_count = 1;
    static starts_World empty;
    starts_World_init(&empty);
    starts_ToClient_world_ring_keep(&server.worlds, 7, &empty);
    starts_ToClient_weather_ring_keep(&server.weathers, 7, &server.calm);
    for (int based = 0; based < 2; based++) {
        from = from_of(&server, based != 0, 7);
        v_small.has_back = based != 0;
        v_small.back = 1;
        server.start.things_count = 41;
        assert_int_equal(starts_ToClient_pack_error(&from, &v_small, SESSION, bytes, sizeof bytes, &error), 0);
        assert_int_equal(error.code, PKT_ERROR_RANGE);
        assert_string_equal(error.field, "ToClient.world.things_count");
        server.start.things_count = 1;
        server.start.things[0].id = 100;
        assert_int_equal(starts_ToClient_pack_error(&from, &v_small, SESSION, bytes, sizeof bytes, &error), 0);
        assert_int_equal(error.code, PKT_ERROR_RANGE);
        assert_string_equal(error.field, "ToClient.world.things[0].id");
        server.start.things[0].id = 5;
    }
}
