/* test_fit_rules.c - tests what T_fit_write_delta refuses, and the rules about it that docs/runtime.md tells.
 * SPDX-License-Identifier: MIT
 */
#include "fit_values.h"

/* ---- what is wrong */

static fit_World world, other, out;

static void draw_worlds(void)
{
    fit_World_init(&world);
    change_fit_World(&world, 1);
    other = world;
    change_fit_World(&other, 2);
}

TEST(test_numbers)
{
    /* Numbers of no element, in all places, and each number many times. */
    draw_worlds();
    for (int n = 0; n < 50; n++) {
        uint32_t count = 500, wrong = 0;
        for (uint32_t i = 0; i < count; i++)
            order[i].number = hit(3) ? UINT32_MAX - draw(5) : hit(2) ? draw(2000) : draw(30);
        for (uint32_t i = 0; i < count; i++)
            wrong += order[i].number >= fit_World_FIT_things + 20;
        memcpy(given, order, count * sizeof *order);
        assert_true(fit_World_fit_write_delta(&world, &other, &out, order, &count, 0, UINT64_MAX, NULL));
        assert_true(count <= 500 - wrong);
        check_same_entries(500);
        for (uint32_t i = 0; i < count; i++)
            assert_true(order[i].number < fit_World_FIT_things + 20);
        assert_true(fit_World_measure_delta(&world, &out, 0) < UINT64_MAX);
    }
    /* None at all: then order may be NULL. */
    uint32_t count = 0;
    assert_true(fit_World_fit_write_delta(&world, &other, &out, NULL, &count, 0, UINT64_MAX, NULL));
    assert_int_equal(count, 0);
    assert_memory_equal(&out.doors, &world.doors, sizeof out.doors);
    assert_int_equal(out.tick, other.tick);
}

static void check_refused(const fit_World *base_, const fit_World *v_, fit_World *sent_)
{
    uint32_t count = draw_order(fit_World_FIT_things + 20), all = count;
    assert_false(fit_World_fit_write_delta(base_, v_, sent_, order, &count, 0, UINT64_MAX, NULL));
    assert_int_equal(count, 0);
    check_same_entries(all);
}

TEST(test_refused)
{
    draw_worlds();
    /* Counts out of range, of the value and of the baseline. */
    fit_World bad = other;
    bad.health_count = 201;
    check_refused(&world, &bad, &out);
    check_refused(NULL, &bad, &out);
    check_refused(&bad, &other, &out);
    bad = other;
    bad.score_count = 255;
    check_refused(&world, &bad, &out);
    bad.score_count = 2;
    check_refused(&bad, &other, &out);
    /* One object for two values, which stay as they are. */
    const fit_World world_before = world, other_before = other;
    check_refused(&world, &other, &other);
    check_refused(&world, &other, &world);
    assert_memory_equal(&world, &world_before, sizeof world);
    assert_memory_equal(&other, &other_before, sizeof other);
    /* A size that cannot be told, behind the arrays. */
    static fit_Texts text, next, sent_text;
    fit_Texts_init(&text);
    next = text;
    memset(next.title, 'x', sizeof next.title);
    uint32_t count = draw_order(70);
    assert_false(fit_Texts_fit_write_delta(&text, &next, &sent_text, order, &count, 0, UINT64_MAX, NULL));
    assert_int_equal(count, 0);
}

TEST(test_unwritable)
{
    static fit_Texts was, now, sent_, got;
    static uint8_t data[fit_Texts_DELTA_MAX_BYTES];
    /* A text without end and bytes over their size are never kept, whatever there is room for. */
    fit_Texts_init(&was);
    was.names_count = 10;
    now = was;
    now.names_count = 20;
    memset(now.names[5], 'x', sizeof now.names[5]);
    memset(now.names[15], 'x', sizeof now.names[15]);
    now.blobs_size[7] = 201;
    now.blobs_size[8] = 5;
    for (int n = 0; n < 100; n++) {
        uint32_t count = shuffle(100);
        assert_true(fit_Texts_fit_write_delta(&was, &now, &sent_, order, &count, 0, UINT64_MAX, NULL));
        assert_int_equal(count, 100 - 20 - 5 - 2); /* names from 20 on; new ones from 15 on; name 5, blob 7 */
        assert_int_equal(sent_.names_count, 15);
        assert_int_equal(sent_.blobs_size[7], 0);
        const size_t size = fit_Texts_pack_delta(&was, &sent_, data, sizeof data);
        assert_true(fit_Texts_unpack_delta(&was, &got, data, size));
        assert_true(fit_Texts_equal(&sent_, &got));
    }
    /* Nor is an element of a union with a number out of its range. */
    draw_worlds();
    other = world;
    fit_Thing_init(&other.things[0]);
    other.things_count = world.things_count = 1;
    other.things[0].tag = fit_Thing_tag_door;
    other.things[0].as.door.angle = 200;
    order[0].number = fit_World_FIT_things;
    uint32_t count = 1;
    pkt_fit_report report;
    assert_true(fit_World_fit_write_delta(&world, &other, &out, order, &count, 0, UINT64_MAX, &report));
    assert_int_equal(count, 0);
    assert_int_equal(report.invalid, 1);
    assert_int_equal(report.error.code, PKT_ERROR_RANGE);
    assert_string_equal(report.error.field, "World.things[0].door.angle");
    assert_true(fit_World_pack_delta(&world, &out, data, sizeof data) != 0);
}

/* ---- rules that docs/runtime.md tells */

TEST(test_new_elements)
{
    static fit_World was, now, sent_;
    fit_World_init(&was);
    was.health_count = 2;
    now = was;
    now.health_count = 5;
    now.health[3] = 700;
    /* The last one is kept with those before it, if these are in the order, in any place. */
    const uint32_t first = fit_World_FIT_health;
    pkt_fit_report report;
    order[0].number = first + 4;
    order[1].number = first + 3;
    uint32_t count = 2;
    assert_true(fit_World_fit_write_delta(&was, &now, &sent_, order, &count, 0, 10000, &report));
    assert_int_equal(count, 0);
    assert_int_equal(report.left_out, 2);
    assert_int_equal(sent_.health_count, 2);
    order[2].number = first + 2;
    count = 3;
    assert_true(fit_World_fit_write_delta(&was, &now, &sent_, order, &count, 0, 10000, &report));
    assert_int_equal(count, 3);
    assert_int_equal(report.kept, 3);
    assert_int_equal(sent_.health_count, 5);
    assert_int_equal(sent_.health[3], 700);
    /* If all do not fit, those before it may. */
    uint64_t most = fit_World_measure_delta(&was, &now, 0) - 1;
    order[0].number = first + 4;
    order[1].number = first + 3;
    order[2].number = first + 2;
    count = 3;
    assert_true(fit_World_fit_write_delta(&was, &now, &sent_, order, &count, 0, most, NULL));
    assert_int_equal(count, 2);
    assert_int_equal(order[0].number, first + 3);
    assert_int_equal(order[1].number, first + 2);
    assert_int_equal(sent_.health_count, 4);
    /* Elements that are gone are gone. */
    count = 0;
    assert_true(fit_World_fit_write_delta(&now, &was, &sent_, order, &count, 0, 10000, NULL));
    assert_int_equal(sent_.health_count, 2);
}

TEST(test_struct_of_a_packet)
{
    static fit_House was, now, sent_;
    static uint8_t data[fit_House_DELTA_MAX_BYTES];
    for (int n = 0; n < 50; n++) {
        fit_House_init(&was);
        change_fit_Room(&was.room, 1);
        now = was;
        now.tick++;
        now.street[2]++;
        change_fit_Room(&now.room, 1);
        const uint64_t most = 8 * (uint64_t)draw(600);
        uint32_t count = draw_order(64);
        sent_ = now;
        sent_.room = was.room;
        const uint64_t rest = fit_House_measure_delta(&was, &sent_, 0);
        if (rest > most)
            continue;
        if (!fit_Room_fit_write_delta(&was.room, &now.room, &sent_.room, order, &count, rest, most - rest, NULL))
            sent_.room = was.room;
        assert_true(fit_House_measure_delta(&was, &sent_, 0) <= most);
        if (count != 0)
            assert_true(fit_House_measure_delta(&was, &sent_, 0) <=
                        rest + fit_Room_measure_delta(&was.room, &sent_.room, rest));
        assert_true(fit_House_pack_delta_body(&was, &sent_, data, sizeof data) <= most / 8);
    }
}

TEST(test_more_elements_in_fewer_bits)
{
    fit_Few v, all;
    pkt_element numbers[3];
    uint32_t count = 3;
    fit_Few_init(&v);
    assert_int_equal(fit_Few_measure(&v, 0), 8 + 4 + 4);
    v.one_present[0] = 1;
    v.two_present[0] = 3;
    all = v;
    assert_int_equal(fit_Few_measure(&v, 0), 8 + 3 + 3);
    for (uint32_t i = 0; i < 3; i++)
        numbers[i].number = 2 - i;
    assert_true(fit_Few_fit_write(&v, numbers, &count, 0, 14, NULL));
    assert_int_equal(count, 3);
    assert_true(fit_Few_equal(&v, &all));
    assert_false(fit_Few_fit_write(&v, numbers, &count, 0, 13, NULL));
    assert_int_equal(count, 0);
}

int main(void)
{
    begin();
    return run_all(NULL);
}
