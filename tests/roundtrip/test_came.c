/* test_came.c - tests T_what_came against a comparison of the elements, and what a packet can say of the elements that it left out.
 * SPDX-License-Identifier: MIT
 */
#include "came.h"
#include "fit_draws.h"

static bool has(const uint64_t *bits, uint32_t i)
{
    return (bits[i / 64] >> i % 64 & 1) != 0;
}

/* In an array whose elements have subscripts. */
#define CHECK_ARRAY(base, v, came_of, old, now, same)                                 \
    for (uint32_t i = 0; i < 64 * (sizeof came_of.came / 8); i++) {                   \
        assert_int_equal(has(came_of.gone, i), i >= (now) && i < (old));              \
        assert_int_equal(has(came_of.added, i), i < (now) && i >= (old));             \
        assert_int_equal(has(came_of.came, i), i < (now) && (i >= (old) || !(same))); \
        some += i < (now) && has(came_of.came, i);                                    \
        none += i < (now) && !has(came_of.came, i);                                   \
    }

#define CHECK_LIST(T, base, v, came_of, list, E, key)                                           \
    do {                                                                                        \
        for (uint32_t i = 0; i < (v)->list##_count; i++) {                                      \
            const E *was = T##_##list##_find(base, (v)->list[i].key);                           \
            assert_int_equal(has(came_of.added, i), !was);                                      \
            assert_int_equal(has(came_of.came, i), !was || !E##_equal(was, &(v)->list[i]));     \
            some += has(came_of.came, i);                                                       \
            none += !has(came_of.came, i);                                                      \
        }                                                                                       \
        for (uint32_t j = 0; j < (base)->list##_count; j++)                                     \
            assert_int_equal(has(came_of.gone, j), !T##_##list##_find(v, (base)->list[j].key)); \
        for (uint32_t i = (v)->list##_count; i < 64 * (sizeof came_of.came / 8); i++)           \
            assert_false(has(came_of.came, i) || has(came_of.added, i));                        \
    } while (0)

static void change_world(came_World *v)
{
    v->tick = (uint8_t)draw(256);
    for (uint32_t n = draw(4); n != 0; n--) {
        came_Thing *t = came_World_things_add(v, (uint8_t)draw(100));
        if (t && hit(2))
            came_World_things_remove(v, t->id);
    }
    for (came_Thing *t = v->things; t < v->things + v->things_count; t++) {
        if (hit(3))
            t->x = (float)draw(1000) / 10 - 50;
        if (hit(4)) {
            t->turn.x = (float)draw(9) / 10;
            t->turn.w = sqrtf(1 - t->turn.x * t->turn.x);
        }
        if (hit(5))
            (void)came_Thing_items_add(t, (uint8_t)draw(4));
        if (hit(5))
            (void)came_Thing_items_remove(t, (uint8_t)draw(4));
    }
    for (int i = 0; i < 70; i++)
        v->doors[i] ^= hit(9);
    for (int i = 0; i < 5; i++)
        if (hit(3))
            v->names[i][0] = (char)('a' + draw(2));
    v->marks_count = (uint8_t)(hit(2) ? v->marks_count : draw(10));
    for (int i = 0; i < 9; i++)
        v->marks[i].kind = (uint8_t)draw(2);
    came_World_quantize(v);
}

TEST(what_came_is_what_differs)
{
    static came_World base, v;
    static came_World_came came;
    unsigned some = 0, none = 0;
    came_World_init(&v);
    for (int n = 0; n < 2000; n++) {
        base = v;
        change_world(&v);
        memset(&came, 0xff, sizeof came);
        came_World_what_came(&base, &v, &came);
        CHECK_LIST(came_World, &base, &v, came.things, things, came_Thing, id);
        CHECK_ARRAY(&base, &v, came.doors, 70, 70, base.doors[i] == v.doors[i]);
        CHECK_ARRAY(&base, &v, came.names, 5, 5, strcmp(base.names[i], v.names[i]) == 0);
        CHECK_ARRAY(&base, &v, came.marks, base.marks_count, v.marks_count, base.marks[i].kind == v.marks[i].kind);
    }
    assert_true(some > 2000 && none > 2000);
}

/* Without a baseline, the elements of arrays are compared with base values, and all of a list are new. */
TEST(what_came_without_a_baseline)
{
    static came_Room v;
    came_Room_came came;
    came_Room_init(&v);
    came_Room_items_add(&v, 2);
    v.levels[1] = 7;
    came_Room_what_came(NULL, &v, &came);
    assert_int_equal(came.items.came[0], 1);
    assert_int_equal(came.items.added[0], 1);
    assert_int_equal(came.items.gone[0], 0);
    assert_int_equal(came.levels.came[0], 2);
    assert_int_equal(came.levels.added[0], 0);
}

TEST(wrong_counts_are_cut)
{
    static came_Board base, v;
    came_Board_came came;
    came_Board_init(&base);
    came_Board_init(&v);
    v.items_count = v.scores_count = base.items_count = 255;
    came_Board_what_came(&base, &v, &came);
    assert_int_equal(came.scores.added[0] >> 3, (UINT64_C(1) << 27) - 1);
    came_Board_what_came(&v, &base, &came);
    assert_int_equal(came.scores.gone[0] >> 3, (UINT64_C(1) << 27) - 1);
}

/* ---- what was left out, in a packet */

static uint32_t mark_late(came_Down *v, const came_Field *now)
{
    uint32_t late = 0;
    v->late_count = v->field.crops_count;
    for (uint32_t i = 0; i < v->field.crops_count; i++) {
        v->late[i] = !came_Crop_equal(&v->field.crops[i], came_Field_crops_find(now, v->field.crops[i].id));
        late += v->late[i];
    }
    if (late == 0)
        v->late_count = 0;
    return late;
}

/* The fields that say it are set after T_fit_pack, and take no more room. */
TEST(a_packet_says_what_it_left_out)
{
    static came_Field now, base;
    static came_Down v, in;
    static came_Field_came came;
    unsigned whole = 0, lates = 0;
    uint8_t data[40];
    came_Field_init(&now);
    came_Field_init(&base);
    for (int n = 0; n < 2000; n++) {
        came_Down_baselines from = {{&base, (uint16_t)n, came_Field_hash(&base)}};
        pkt_fit_report report;
        for (uint32_t i = draw(hit(3) ? 20 : 3); i != 0; i--) {
            came_Crop *crop = came_Field_crops_add(&now, (uint8_t)draw(100));
            if (crop)
                crop->size = (uint16_t)draw(65536);
        }
        while (now.crops_count > 30)
            came_Field_crops_remove(&now, now.crops[draw(now.crops_count)].id);
        came_Down_init(&v);
        v.number = (uint16_t)(n + 1);
        v.has_back = true;
        v.back = 1;
        v.late_count = now.crops_count;
        v.events_count = (uint8_t)draw(10);
        const uint32_t events = v.events_count;
        uint32_t count = shuffle(40);
        assert_true(came_Down_fit_pack(&from, &v, &now, order, &count, sizeof data, &report));
        v.more = report.left_out != 0 || v.events_count < events;
        const uint32_t late = mark_late(&v, &now);
        const size_t size = came_Down_pack(&from, &v, 7, data, sizeof data);
        assert_true(size != 0 && came_Down_unpack(&from, &in, 7, data, size));
        came_Field_what_came(&base, &in.field, &came);
        for (uint32_t i = 0; i < in.field.crops_count; i++) {
            const bool is_late = i < in.late_count && in.late[i];
            const came_Crop *crop = came_Field_crops_find(&now, in.field.crops[i].id);
            assert_true(!is_late || !has(came.crops.came, i));
            assert_int_equal(is_late, !came_Crop_equal(crop, &in.field.crops[i]));
        }
        assert_int_equal(in.more, !came_Field_equal(&in.field, &now) || in.events_count < events);
        whole += !in.more;
        lates += late;
        base = in.field;
    }
    assert_true(whole > 100 && lates > 100);
}

int main(void)
{
    begin();
    return run_all(NULL);
}
