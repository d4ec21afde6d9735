/* test_fit_coded_rules.c - tests what T_fit_write_delta refuses of types with coded fields, and the rules about it that
 * docs/runtime.md tells.
 * SPDX-License-Identifier: MIT
 */
#include "fit_coded.h"
#include "fit_draws.h"
#define OWN_MAIN
#include "unit.h"

/* ---- what is wrong */

static fitc_Sky before, was, now, out;
static fitc_Sky_motion motion;

enum { SKY = fitc_Sky_FIT_turns + 20 };

static void start(void)
{
    fitc_Sky_init(&was);
    was.heights_count = 10;
    before = was;
    fitc_Sky_predict(&was, &before, 1, 1, &motion);
    now = was;
    now.kites[3].x += 2;
    now.heights[1] = 20;
    now.heights_count = 12;
    fitc_Sky_quantize(&now);
}

static void check_refused(const fitc_Sky_motion *base, const fitc_Sky *v, fitc_Sky *sent)
{
    uint32_t count = draw_order(SKY), all = count;
    assert_false(fitc_Sky_fit_write_delta(base, v, sent, order, &count, 0, UINT64_MAX, NULL));
    assert_int_equal(count, 0);
    check_same_entries(all);
}

static void check_accepted(const fitc_Sky_motion *base, const fitc_Sky *v)
{
    uint32_t count = shuffle(SKY);
    assert_true(fitc_Sky_fit_write_delta(base, v, &out, order, &count, 0, UINT64_MAX, NULL));
    assert_true(fitc_Sky_equal(&out, v));
}

TEST(test_one_object)
{
    start();
    const fitc_Sky_motion motion_before = motion;
    const fitc_Sky now_before = now;
    check_accepted(&motion, &now);
    check_refused(&motion, &now, &now);
    check_refused(&motion, &now, &was);
    check_refused(&motion, &now, &before);
    check_refused(NULL, &now, &now);
    assert_memory_equal(&motion, &motion_before, sizeof motion);
    assert_memory_equal(&now, &now_before, sizeof now);
    /* A baseline that is not a motion. */
    static fitc_Lake lake, lake_before, other;
    fitc_Lake_init(&lake);
    lake_before = lake;
    other = lake;
    uint32_t count = shuffle(fitc_Lake_FIT_boats + 20);
    assert_false(fitc_Lake_fit_write_delta(&lake, &other, &lake, order, &count, 0, UINT64_MAX, NULL));
    assert_int_equal(count, 0);
    assert_memory_equal(&lake, &lake_before, sizeof lake);
}

TEST(test_counts)
{
    /* Of the value. */
    start();
    now.heights_count = 41;
    check_refused(&motion, &now, &out);
    check_refused(NULL, &now, &out);
    start();
    now.lost_count = 255;
    check_refused(&motion, &now, &out);
    start();
    now.things_count = 13;
    check_refused(&motion, &now, &out);
    /* Of the baseline. */
    start();
    was.heights_count = 41;
    check_refused(&motion, &now, &out);
    start();
    was.lost_count = 31;
    check_refused(&motion, &now, &out);
    start();
    was.things_count = 1;
    check_refused(&motion, &now, &out);
    was.things_count = 13;
    check_refused(&motion, &now, &out);
}

TEST(test_texts)
{
    static fitc_Texts then, base, next, sent;
    static fitc_Texts_motion from;
    const uint32_t all = fitc_Texts_FIT_marks + 30;
    fitc_Texts_init(&then);
    then.signs_count = 5;
    for (int n = 0; n < 5; n++) {
        base = then;
        fitc_Texts_predict(&base, NULL, 0, 0, &from);
        next = then;
        next.signs[2].age = 9;
        if (n == 0)
            memset(next.title, 'x', sizeof next.title);
        else if (n == 1)
            memset(next.end, 'x', sizeof next.end);
        else if (n == 2)
            memset(base.title, 'x', sizeof base.title);
        else if (n == 3)
            memset(next.signs[2].text, 'x', sizeof next.signs[2].text);
        uint32_t count = shuffle(all);
        const bool fits = fitc_Texts_fit_write_delta(&from, &next, &sent, order, &count, 0, UINT64_MAX, NULL);
        assert_int_equal(fits, n >= 3);
        /* Of the 20 numbers of signs, five are elements. */
        assert_int_equal(count, n < 3 ? 0 : n == 3 ? 34 : 35);
        if (fits)
            assert_int_equal(sent.signs[2].age, n == 3 ? then.signs[2].age : 9);
    }
}

/* ---- rules that docs/runtime.md tells */

TEST(test_unwritable)
{
    /* A coded number out of its range, and a coded rotation that is none, are never kept. */
    static uint8_t data[fitc_Sky_DELTA_MAX_BYTES];
    start();
    now.heights_count = 10;
    now.heights[4] = 2000;
    now.turns[7] = (pkt_quat){0, 0, 0, 0};
    uint32_t count = shuffle(SKY);
    assert_true(fitc_Sky_fit_write_delta(&motion, &now, &out, order, &count, 0, UINT64_MAX, NULL));
    for (uint32_t n = 0; n < count; n++)
        assert_true(order[n].number != fitc_Sky_FIT_heights + 4 && order[n].number != fitc_Sky_FIT_turns + 7);
    assert_int_equal(out.heights[4], was.heights[4]);
    assert_memory_equal(&out.turns[7], &was.turns[7], sizeof out.turns[7]);
    assert_int_equal(out.heights[1], 20);
    assert_true(fitc_Sky_pack_delta(&motion, &out, data, sizeof data) != 0);
    assert_int_equal(fitc_Sky_pack(&now, data, sizeof data), 0);
}

TEST(test_no_order)
{
    uint32_t count = 0;
    start();
    assert_true(fitc_Sky_fit_write_delta(&motion, &now, &out, NULL, &count, 0, UINT64_MAX, NULL));
    assert_int_equal(count, 0);
    now.kites[3] = was.kites[3];
    now.heights[1] = was.heights[1];
    now.heights_count = 10;
    assert_true(fitc_Sky_equal(&out, &now));
}

/* A frame takes 8 bytes. */
TEST(test_bytes)
{
    static uint8_t data[fitc_Sky_DELTA_MAX_BYTES];
    static fitc_Sky by_bits;
    start();
    for (int i = 0; i < 20; i++)
        now.colours[i] = (uint8_t)(i + 1);
    const size_t all = fitc_Sky_pack_delta(&motion, &now, data, sizeof data);
    uint32_t none = 0;
    assert_true(fitc_Sky_fit_write_delta(&motion, &now, &out, NULL, &none, 0, UINT64_MAX, NULL));
    const size_t rest = fitc_Sky_pack_delta(&motion, &out, data, sizeof data);
    assert_true(rest > 8 && rest < 12 && all > 20);
    for (size_t size = 0; size <= all + 1; size++) {
        uint32_t count = shuffle(SKY), bits_count = count;
        const bool fits = fitc_Sky_fit_pack_delta(&motion, &now, &out, order, &count, size, NULL);
        memcpy(order, given, sizeof *order * SKY);
        assert_int_equal(fits, fitc_Sky_fit_write_delta(&motion, &now, &by_bits, order, &bits_count, 0,
                                                        size < 8 ? 0 : 8 * (size - 8), NULL));
        assert_int_equal(count, bits_count);
        assert_int_equal(fits, size >= rest);
        if (!fits)
            continue;
        assert_true(fitc_Sky_equal(&out, &by_bits));
        assert_in_range(fitc_Sky_pack_delta(&motion, &out, data, sizeof data), rest, size);
        assert_int_equal(fitc_Sky_equal(&out, &now), size >= all);
    }
}

int main(void)
{
    begin();
    return run_all(NULL);
}
