/* test_kinds.c - coded enums and flags, and coded numbers that a model codes by their frequent values.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/lot.h"
#include "kinds.h"
#include "unit.h"

enum { ROUNDS = 20000, ROOM = 256 };

static const kinds_Weapon weapons[] = {kinds_Weapon_fist, kinds_Weapon_bow, kinds_Weapon_axe, kinds_Weapon_orb};

/* A frequent value of each number more often than any other. */
static void draw(lot *l, kinds_Body *v)
{
    static const uint8_t poses[] = {7, 0, 200, 255, 13, 128, 90};
    static const uint32_t words[] = {0, 16, 15, 300, 17, 70000};
    v->pose = lot_one_in(l, 4) ? (uint8_t)lot_next(l) : poses[lot_below(l, 7)];
    v->side = lot_one_in(l, 4) ? (int16_t)lot_next(l) : (int16_t)(lot_one_in(l, 2) ? 0 : INT16_MIN);
    v->gain = 0.5f * (float)(lot_one_in(l, 2) ? 5 : lot_below(l, 21));
    v->step = (int8_t)(lot_one_in(l, 4) ? (int)lot_below(l, 101) - 50 : (int)lot_below(l, 3) - 1);
    v->word = words[lot_below(l, 6)];
    v->has_maybe = lot_one_in(l, 2);
    v->maybe = v->has_maybe ? (uint16_t)lot_below(l, 4) : 0;
    for (int i = 0; i < 3; i++)
        v->tools[i] = (uint8_t)lot_below(l, 4);
    v->lean = (int16_t)(lot_below(l, 5120) - 2560);
}

static size_t write_body(const kinds_Body *base, const kinds_Body *v, uint8_t *data, size_t room)
{
    pkt_writer w;
    size_t size = 0;
    pkt_writer_init(&w, data, room);
    return kinds_Body_write_delta(&w, base, v) && pkt_writer_finish(&w, &size) ? size : 0;
}

TEST(all_values_survive)
{
    const uint64_t seed = random_seed();
    lot l = {seed};
    for (int n = 0; n < ROUNDS; n++) {
        kinds_Body base, v, read;
        uint8_t data[ROOM];
        pkt_reader r;
        kinds_Body_init(&base);
        kinds_Body_init(&v);
        draw(&l, &base);
        draw(&l, &v);
        const size_t size = write_body(&base, &v, data, sizeof data);
        if (size == 0)
            fail_msg("seed %llu: round %d does not fit", (unsigned long long)seed, n);
        pkt_reader_init(&r, data, size);
        if (!kinds_Body_read_delta(&r, &base, &read) || !kinds_Body_equal(&v, &read))
            fail_msg("seed %llu: round %d is read as something else", (unsigned long long)seed, n);
    }
}

/* Beside a number that is extrapolated, what is coded by its values is not. */
TEST(what_is_coded_by_values_stays)
{
    const uint64_t seed = random_seed();
    lot l = {seed};
    for (int n = 0; n < ROUNDS; n++) {
        kinds_Moves motions[3], read;
        kinds_Moves_motion motion;
        uint8_t data[ROOM];
        for (int i = 0; i < 3; i++)
            motions[i] = (kinds_Moves){(uint16_t)lot_below(&l, 1000), (uint8_t)lot_below(&l, 4),
                                       weapons[lot_below(&l, 4)], (uint8_t)lot_below(&l, 8)};
        kinds_Moves_predict(&motions[1], &motions[0], 1 + lot_below(&l, 9), 1 + lot_below(&l, 9), &motion);
        const size_t size = kinds_Moves_pack_delta(&motion, &motions[2], data, sizeof data);
        if (size == 0 || !kinds_Moves_unpack_delta(&motion, &read, data, size) ||
            !kinds_Moves_equal(&motions[2], &read))
            fail_msg("seed %llu: round %d does not survive", (unsigned long long)seed, n);
    }
}

static void draw_gear(lot *l, kinds_Gear *v)
{
    kinds_Gear_init(v);
    v->weapon = weapons[lot_below(l, 4)];
    v->tool = weapons[lot_below(l, 4)];
    v->door = lot_below(l, 2) ? kinds_Door_closed : kinds_Door_open;
    v->pose = (kinds_Pose)lot_below(l, lot_one_in(l, 2) ? 3 : 64);
    v->keys = (uint8_t)lot_below(l, 8);
    v->has_other = lot_one_in(l, 2);
    if (v->has_other)
        v->other = weapons[lot_below(l, 4)];
    for (int i = 0; i < 3; i++)
        v->slots[i] = weapons[lot_below(l, 4)];
    v->held_count = (uint8_t)lot_below(l, 5);
    for (int i = 0; i < v->held_count; i++)
        v->held[i] = (uint8_t)lot_below(l, 8);
    if (v->weapon == kinds_Weapon_axe)
        v->lid = lot_one_in(l, 2) ? kinds_Door_closed : kinds_Door_open;
}

/* A baseline that is not the sender's may have any number in an enum. What is read from any bytes can be written again as the same
 * bytes. */
TEST(all_enums_and_flags_survive)
{
    const uint64_t seed = random_seed();
    lot l = {seed};
    for (int n = 0; n < ROUNDS; n++) {
        kinds_Gear base, v, read;
        uint8_t data[ROOM], again[ROOM];
        pkt_writer w;
        pkt_reader r;
        size_t size = 0, second = 0;
        draw_gear(&l, &base);
        draw_gear(&l, &v);
        if (lot_one_in(&l, 4))
            base.tool = (kinds_Weapon)lot_below(&l, 16);
        pkt_writer_init(&w, data, sizeof data);
        if (!kinds_Gear_write_delta(&w, &base, &v) || !pkt_writer_finish(&w, &size))
            fail_msg("seed %llu: round %d does not fit", (unsigned long long)seed, n);
        pkt_reader_init(&r, data, size);
        if (!kinds_Gear_read_delta(&r, &base, &read) || !kinds_Gear_equal(&v, &read))
            fail_msg("seed %llu: round %d is read as something else", (unsigned long long)seed, n);
        data[lot_below(&l, (uint32_t)size)] ^= (uint8_t)(1u << lot_below(&l, 8));
        pkt_reader_init(&r, data, size);
        if (!kinds_Gear_read_delta(&r, &base, &read) || !pkt_reader_finish(&r))
            continue;
        pkt_writer_init(&w, again, sizeof again);
        if (!kinds_Gear_write_delta(&w, &base, &read) || !pkt_writer_finish(&w, &second) || second != size ||
            memcmp(data, again, size) != 0)
            fail_msg("seed %llu: round %d is written as something else", (unsigned long long)seed, n);
    }
}

static uint64_t bits_of_gear(const kinds_Gear *base, const kinds_Gear *v)
{
    return kinds_Gear_measure_delta(base, v, 0);
}

/* Codes are for what can come: one of two doors takes no bits, one of three other weapons at most 2. */
TEST(what_cannot_come_has_no_code)
{
    kinds_Gear base, v;
    kinds_Gear_init(&base);
    v = base;
    const uint64_t none = bits_of_gear(&base, &v);
    v.door = kinds_Door_closed;
    assert_int_equal(bits_of_gear(&base, &v), none);
    v = base;
    v.weapon = kinds_Weapon_bow;
    assert_int_equal(bits_of_gear(&base, &v), none + 1);
    v.weapon = kinds_Weapon_orb;
    assert_int_equal(bits_of_gear(&base, &v), none + 2);
}

/* From the value 7 to 200 and 9: the form, the mask of 8 fields in two groups of 4 bits each, and then 2 bits, or 4 and the 8 of
 * the whole number. */
TEST(a_frequent_value_takes_its_code)
{
    kinds_Body base, v;
    kinds_Body_init(&base);
    kinds_Body_init(&v);
    base.pose = 7;
    v.pose = 200;
    assert_int_equal(kinds_Body_measure_delta(&base, &v, 0), 1 + 8 + 2);
    v.pose = 9; /* in full: 4 and 8 bits are more than 8 */
    assert_int_equal(kinds_Body_measure_delta(&base, &v, 0), 1 + 8 + 8);
}
