/* test_subsets.c - tests sparse arrays of schemas/all.pkt: the functions for presence bits, what is refused, and `keep`.
 * SPDX-License-Identifier: MIT
 *
 * The seed is printed; set PKT_SEED=N in the environment to repeat a run.
 */
#include "all.h"
#define OWN_MAIN
#include "unit.h"

#include <string.h>

enum { ROOM = 8192 };

static uint64_t state;

static uint64_t random64(void)
{
    state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = state;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint32_t below(uint32_t n)
{
    return (uint32_t)(random64() % n);
}

static void assert_unwritable(const all_Subsets *v, const char *field)
{
    uint8_t data[ROOM];
    pkt_writer w;
    pkt_writer_init(&w, data, sizeof(data));
    assert_true(all_Subsets_measure(v, 0) == UINT64_MAX);
    assert_false(all_Subsets_write(&w, v));
    assert_int_equal(w.error.code, PKT_ERROR_RANGE);
    assert_string_equal(w.error.field, field);
    assert_false(all_Subsets_equal(v, v));
}

TEST(test_unwritable)
{
    static all_Subsets v;
    all_Subsets_init(&v);
    v.counted_present[0] = 0xf;
    assert_unwritable(&v, "Subsets.counted");
    v.counted_present[0] = 0;
    v.named_present[0] = UINT64_MAX;
    assert_unwritable(&v, "Subsets.named");
    v.named_present[0] = 0;
    v.related_present[4] = 0x7f;
    assert_unwritable(&v, "Subsets.related");
    v.related_present[4] = UINT64_C(1) << 44;
    assert_unwritable(&v, "Subsets.related");
    v.related_present[4] = 0;
    v.mapped_present[0] = 0x3ff;
    assert_unwritable(&v, "Subsets.mapped");
    v.mapped_present[0] = 0;
    memset(v.levels_present, 0xff, 15 * 8);
    assert_unwritable(&v, "Subsets.levels");
}

TEST(test_presence)
{
    static all_Subsets v;
    all_Subsets_init(&v);
    assert_int_equal(v.cells[4].kind, 0);
    assert_true(all_Subsets_cells_set(&v, 4));
    assert_true(all_Subsets_cells_set(&v, 129));
    assert_false(all_Subsets_cells_set(&v, 130));
    assert_true(all_Subsets_cells_has(&v, 4));
    assert_false(all_Subsets_cells_has(&v, 5));
    assert_false(all_Subsets_cells_has(&v, 1000000));
    assert_int_equal(all_Subsets_cells_count(&v), 2);
    assert_int_equal(all_Subsets_cells_next(&v, 0), 4);
    assert_int_equal(all_Subsets_cells_next(&v, 4), 4);
    assert_int_equal(all_Subsets_cells_next(&v, 5), 129);
    assert_int_equal(all_Subsets_cells_next(&v, 130), 130);
    assert_int_equal(all_Subsets_cells_next(&v, UINT32_MAX), 130);
    v.cells[4].on = true;
    all_Subsets_cells_clear(&v, 4);
    all_Subsets_cells_clear(&v, 1000000);
    assert_false(v.cells[4].on);
    assert_int_equal(all_Subsets_cells_count(&v), 1);
    v.levels[7] = 9;
    assert_true(all_Subsets_levels_set(&v, 7));
    all_Subsets_levels_clear(&v, 7);
    assert_int_equal(v.levels[7], 9);
    /* No more elements than can be written; those that are present can be set again. */
    assert_true(all_Subsets_counted_set(&v, 19));
    assert_true(all_Subsets_counted_set(&v, 3));
    assert_true(all_Subsets_counted_set(&v, 0));
    assert_true(all_Subsets_counted_set(&v, 3));
    assert_false(all_Subsets_counted_set(&v, 1));
    assert_int_equal(all_Subsets_counted_count(&v), 3);
    all_Subsets_counted_clear(&v, 19);
    assert_true(all_Subsets_counted_set(&v, 1));
    assert_false(all_Subsets_counted_set(&v, 19));
    assert_int_equal(all_Subsets_counted_count(&v), 3);
}

/* Bits after the last element are ignored. */
TEST(test_presence_of_any_length)
{
    for (int round = 0; round < 20000; round++) {
        const uint32_t n = below(200), from = below(n + 2);
        uint64_t present[4];
        uint32_t count = 0, next = from < n ? from : n;
        for (int i = 0; i < 4; i++)
            present[i] = below(3) == 0 ? 0 : below(2) == 0 ? UINT64_MAX : random64() & random64() & random64();
        for (uint32_t i = 0; i < n; i++)
            count += present[i / 64] >> i % 64 & 1;
        while (next < n && (present[next / 64] >> next % 64 & 1) == 0)
            next++;
        assert_int_equal(pkt_present_count(present, n), count);
        assert_int_equal(pkt_present_next(present, n, from), next);
    }
}

/* Elements that do not arrive get base values, except in an array with `keep`; its presence bits say what arrived
 * last. */
TEST(test_keep)
{
    static all_Subsets v, got;
    static uint8_t data[ROOM];
    size_t size;
    pkt_writer w;
    pkt_reader r;
    all_Subsets_init(&got);
    all_Subsets_init(&v);
    assert_int_equal(got.levels[3], 1);
    for (uint32_t i = 10; i < 20; i++) {
        assert_true(all_Subsets_levels_set(&got, i));
        assert_true(all_Subsets_cells_set(&got, i));
        got.levels[i] = (uint8_t)(100 + i);
        got.cells[i].on = true;
    }
    assert_true(all_Subsets_levels_set(&v, 15));
    assert_true(all_Subsets_cells_set(&v, 15));
    v.levels[15] = 7;
    pkt_writer_init(&w, data, sizeof(data));
    assert_true(all_Subsets_write(&w, &v));
    assert_true(pkt_writer_finish(&w, &size));
    pkt_reader_init(&r, data, size);
    assert_true(all_Subsets_read(&r, &got) && pkt_reader_finish(&r));
    assert_int_equal(all_Subsets_levels_count(&got), 1);
    assert_true(all_Subsets_levels_has(&got, 15));
    assert_int_equal(got.levels[15], 7);
    assert_int_equal(got.levels[14], 114);
    assert_int_equal(all_Subsets_cells_count(&got), 1);
    assert_false(got.cells[14].on);
}

TEST(test_quantize)
{
    static all_Subsets v;
    all_Subsets_init(&v);
    assert_true(all_Subsets_sticks_set(&v, 1));
    v.sticks[0] = 0.3f;
    v.sticks[1] = 0.3f;
    v.levels[5] = 77;
    all_Subsets_quantize(&v);
    assert_true(v.sticks[0] == 0);
    assert_true(v.sticks[1] == 0.3125f);
    assert_int_equal(v.levels[5], 77);
}

int main(void)
{
    state = random_seed();
    return run_all(NULL);
}
