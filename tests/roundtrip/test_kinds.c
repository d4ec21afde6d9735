/* test_kinds.c - coded numbers that a model codes by their frequent values.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/lot.h"
#include "kinds.h"
#include "unit.h"

enum { ROUNDS = 20000, ROOM = 256 };

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

/* Beside a number that is extrapolated, one that is coded by its values is not. */
TEST(what_is_coded_by_values_stays)
{
    const uint64_t seed = random_seed();
    lot l = {seed};
    for (int n = 0; n < ROUNDS; n++) {
        const kinds_Moves before = {(uint16_t)lot_below(&l, 1000), (uint8_t)lot_below(&l, 4)},
                          base = {(uint16_t)lot_below(&l, 1000), (uint8_t)lot_below(&l, 4)},
                          v = {(uint16_t)lot_below(&l, 1000), (uint8_t)lot_below(&l, 4)};
        kinds_Moves_motion motion;
        kinds_Moves read;
        uint8_t data[ROOM];
        kinds_Moves_predict(&base, &before, 1 + lot_below(&l, 9), 1 + lot_below(&l, 9), &motion);
        const size_t size = kinds_Moves_pack_delta(&motion, &v, data, sizeof data);
        if (size == 0 || !kinds_Moves_unpack_delta(&motion, &read, data, size) || !kinds_Moves_equal(&v, &read))
            fail_msg("seed %llu: round %d does not survive", (unsigned long long)seed, n);
    }
}

/* From the value 7 to 200 and 9: the form, the mask of 8 fields in two groups of 4 bits each, and then 3 bits, or 5 and the 8 of
 * the whole number. */
TEST(a_frequent_value_takes_its_code)
{
    kinds_Body base, v;
    kinds_Body_init(&base);
    kinds_Body_init(&v);
    base.pose = 7;
    v.pose = 200;
    assert_int_equal(kinds_Body_measure_delta(&base, &v, 0), 1 + 8 + 3);
    v.pose = 9; /* in full: 5 and 8 bits are more than 8 */
    assert_int_equal(kinds_Body_measure_delta(&base, &v, 0), 1 + 8 + 8);
}
