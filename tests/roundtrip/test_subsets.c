/* test_subsets.c - tests sparse arrays of schemas/all.pkt: random subsets written and read, truncated, with each bit
 * flipped, and read into a struct that was used before.
 * SPDX-License-Identifier: MIT
 *
 * The seed is printed; set PKT_SEED=N in the environment to repeat a run. Bytes that are accepted must be what the
 * writer writes.
 */
#include "all.h"
#define OWN_MAIN
#include "unit.h"

#include <string.h>

enum { ROUNDS = 40, ROOM = 8192 };

static uint64_t seed, state;

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

/* A random subset: empty, small, large, neighbours, or as large as possible, because forms differ in these. */
static void random_subset(uint64_t *present, uint32_t n, uint32_t limit)
{
    uint32_t count = 0, shape = below(5);
    uint32_t wanted = shape == 0 ? 0 : shape == 1 ? 1 : shape == 2 ? limit : below(limit + 1);
    uint32_t at = below(n - wanted + 1);
    while (count < wanted) {
        uint32_t i = shape == 3 ? at++ : below(n);
        if (pkt_present_has(present, n, i))
            continue;
        assert_true(pkt_present_set(present, n, n, i));
        count++;
    }
    assert_int_equal(pkt_present_count(present, n), count);
}

static void fill_shape(all_Shape *v)
{
    switch (below(3)) {
    case 0:
        v->tag = all_Shape_tag_point;
        v->as.point.x = (int16_t)random64();
        break;
    case 1: v->tag = all_Shape_tag_nothing; break;
    default:
        v->tag = all_Shape_tag_offset;
        Offset_init(&v->as.offset);
        break;
    }
}

static void fill(all_Subsets *v)
{
    all_Subsets_init(v);
    random_subset(v->flagged_present, 70, 70);
    random_subset(v->counted_present, 20, 3);
    random_subset(v->named_present, 64, 5);
    random_subset(v->related_present, 300, 6);
    random_subset(v->mapped_present, 33, 9);
    random_subset(v->cells_present, 130, 130);
    random_subset(v->levels_present, 1000, 100);
    random_subset(v->sole_present, 1, 1);
    random_subset(v->marks_present, 125, 2);
    random_subset(v->sticks_present, 3, 3);
    for (uint32_t i = 0; i < 70; i++)
        if (all_Subsets_flagged_has(v, i))
            v->flagged[i].y = (int16_t)random64();
    for (uint32_t i = 0; i < 20; i++)
        if (all_Subsets_counted_has(v, i))
            v->counted[i] = (uint8_t)below(16);
    for (uint32_t i = 0; i < 64; i++)
        if (all_Subsets_named_has(v, i))
            snprintf(v->named[i], sizeof(v->named[i]), "%" PRIu32, i);
    for (uint32_t i = 0; i < 300; i++)
        if (all_Subsets_related_has(v, i))
            fill_shape(&v->related[i]);
    for (uint32_t i = 0; i < 33; i++)
        if (all_Subsets_mapped_has(v, i))
            v->mapped_size[i] = (uint8_t)below(6);
    for (uint32_t i = 0; i < 130; i++)
        if (all_Subsets_cells_has(v, i))
            v->cells[i].kind = (uint8_t)below(6);
    for (uint32_t i = 0; i < 1000; i++)
        if (all_Subsets_levels_has(v, i))
            v->levels[i] = (uint8_t)(1 + below(255));
    for (uint32_t i = 0; i < 3; i++)
        if (all_Subsets_sticks_has(v, i))
            v->sticks[i] = (float)below(33) / 16 - 1;
}

/* Every absent element has its base value, and presence bits are within their array and their limit. */
static void assert_sane(const all_Subsets *v)
{
    static const all_Subsets zero;
    assert_int_equal(v->flagged_present[1] >> 6, 0);
    assert_int_equal(v->counted_present[0] >> 20, 0);
    assert_int_equal(v->related_present[4] >> 44, 0);
    assert_int_equal(v->mapped_present[0] >> 33, 0);
    assert_int_equal(v->cells_present[2] >> 2, 0);
    assert_int_equal(v->levels_present[15] >> 40, 0);
    assert_int_equal(v->sole_present[0] >> 1, 0);
    assert_int_equal(v->marks_present[1] >> 61, 0);
    assert_int_equal(v->sticks_present[0] >> 3, 0);
    assert_true(all_Subsets_counted_count(v) <= 3);
    assert_true(all_Subsets_named_count(v) <= 5);
    assert_true(all_Subsets_related_count(v) <= 6);
    assert_true(all_Subsets_mapped_count(v) <= 9);
    assert_true(all_Subsets_levels_count(v) <= 100);
    for (uint32_t i = 0; i < 70; i++)
        assert_true(all_Subsets_flagged_has(v, i) || (v->flagged[i].x == 0 && v->flagged[i].y == 0));
    for (uint32_t i = 0; i < 20; i++)
        assert_true(all_Subsets_counted_has(v, i) || v->counted[i] == 0);
    for (uint32_t i = 0; i < 64; i++)
        assert_true(all_Subsets_named_has(v, i) || v->named[i][0] == 0);
    for (uint32_t i = 0; i < 300; i++)
        assert_true(all_Subsets_related_has(v, i) || all_Shape_equal(&v->related[i], &zero.related[i]));
    for (uint32_t i = 0; i < 33; i++)
        assert_true(all_Subsets_mapped_has(v, i) || v->mapped_size[i] == 0);
    for (uint32_t i = 0; i < 130; i++)
        assert_true(all_Subsets_cells_has(v, i) || (v->cells[i].kind == 0 && !v->cells[i].on));
}

/* Reads bytes in memory of their exact size, so that the sanitizer reports an access after them. */
static bool read_all(const uint8_t *data, size_t size, all_Subsets *v, pkt_error *error)
{
    uint8_t *exact = malloc(size + (size == 0));
    pkt_reader r;
    assert_non_null(exact);
    memcpy(exact, data, size);
    pkt_reader_init(&r, exact, size);
    bool ok = all_Subsets_read(&r, v) && pkt_reader_finish(&r);
    *error = r.error;
    free(exact);
    return ok;
}

TEST(test_there_and_back)
{
    static all_Subsets v, got;
    static uint8_t data[ROOM], again[ROOM];
    all_Subsets_init(&got);
    for (int round = 0; round < ROUNDS; round++) {
        fill(&v);
        size_t size, size_again;
        pkt_writer w;
        pkt_error error;
        pkt_writer_init(&w, data, sizeof(data));
        assert_true(all_Subsets_write(&w, &v));
        uint64_t bits = pkt_writer_bits(&w);
        assert_true(pkt_writer_finish(&w, &size));
        assert_int_equal(all_Subsets_measure(&v, 0), bits);
        assert_in_range(bits, all_Subsets_MIN_BITS, all_Subsets_MAX_BITS);
        uint8_t *exact = malloc(size);
        pkt_writer_init(&w, exact, size);
        assert_true(all_Subsets_write(&w, &v));
        assert_memory_equal(exact, data, size);
        for (size_t room = 0; room < size; room++) {
            uint8_t *less = malloc(room + 1);
            pkt_writer_init(&w, less, room);
            assert_false(all_Subsets_write(&w, &v));
            assert_int_equal(w.error.code, PKT_ERROR_CAPACITY);
            free(less);
        }
        free(exact);
        assert_true(read_all(data, size, &got, &error));
        assert_true(all_Subsets_equal(&v, &got));
        assert_sane(&got);
        for (size_t cut = 0; cut < size; cut++) {
            assert_false(read_all(data, cut, &got, &error));
            assert_int_equal(error.code, PKT_ERROR_END);
            assert_sane(&got);
        }
        for (size_t bit = 0; bit < 8 * size; bit++) {
            data[bit / 8] ^= (uint8_t)(1u << bit % 8);
            if (read_all(data, size, &got, &error)) {
                pkt_writer_init(&w, again, sizeof(again));
                assert_true(all_Subsets_write(&w, &got));
                assert_true(pkt_writer_finish(&w, &size_again));
                assert_int_equal(size_again, size);
                assert_memory_equal(again, data, size);
            } else {
                assert_int_not_equal(error.code, PKT_OK);
            }
            assert_sane(&got);
            data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
    }
}

TEST(test_noise)
{
    static all_Subsets got;
    static uint8_t data[512], again[ROOM];
    all_Subsets_init(&got);
    for (int round = 0; round < 4000; round++) {
        size_t size = below(sizeof(data)), size_again;
        pkt_writer w;
        pkt_error error;
        uint64_t mask = random64() & random64() & UINT64_C(0x0101010101010101) * 0xff;
        for (size_t i = 0; i < size; i++)
            data[i] = (uint8_t)(random64() & mask >> 8 * (i % 8));
        if (read_all(data, size, &got, &error)) {
            pkt_writer_init(&w, again, sizeof(again));
            assert_true(all_Subsets_write(&w, &got));
            assert_true(pkt_writer_finish(&w, &size_again));
            assert_int_equal(size_again, size);
            assert_memory_equal(again, data, size);
        }
        assert_sane(&got);
    }
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
    pkt_error error;
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
    assert_true(read_all(data, size, &got, &error));
    assert_int_equal(all_Subsets_levels_count(&got), 1);
    assert_true(all_Subsets_levels_has(&got, 15));
    assert_int_equal(got.levels[15], 7);
    assert_int_equal(got.levels[14], 114);
    assert_int_equal(all_Subsets_cells_count(&got), 1);
    assert_false(got.cells[14].on);
    assert_sane(&got);
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

/* Nested subsets, in conditions and unions, read into memory with another value or with arbitrary contents. */
TEST(test_nested)
{
    static all_Squads v, got;
    static uint8_t data[ROOM];
    all_Squads_init(&got);
    for (int round = 0; round < 400; round++) {
        size_t size;
        all_Squads_init(&v);
        random_subset(v.first.ranks_present, 40, 8);
        v.has_second = below(2) != 0;
        if (v.has_second)
            random_subset(v.second.ranks_present, 40, 8);
        v.many_count = (uint8_t)below(3);
        for (uint32_t i = 0; i < v.many_count; i++) {
            if (below(2) != 0) {
                v.many[i].tag = all_Party_tag_point;
                v.many[i].as.point.x = 1234;
                v.many[i].as.point.y = -1;
            } else {
                random_subset(v.many[i].as.squad.ranks_present, 40, 8);
            }
        }
        random_subset(v.nested_present, 5, 5);
        for (uint32_t i = 0; i < 5; i++)
            if (all_Squads_nested_has(&v, i))
                random_subset(v.nested[i].ranks_present, 40, 8);
        v.last = below(2) != 0;
        if (v.last)
            random_subset(v.left_present, 9, 9);
        else
            random_subset(v.right.ranks_present, 40, 8);
        size = all_Squads_pack(&v, data, sizeof(data));
        assert_int_not_equal(size, 0);
        if (below(2) != 0)
            memset(&got, (int)random64() & 0xff, sizeof(got));
        assert_true(all_Squads_unpack(&got, data, size));
        assert_true(all_Squads_equal(&v, &got));
        for (uint32_t i = 0; i < 9; i++)
            assert_int_equal(got.left[i], 0);
        all_Squads_quantize(&v);
        for (uint32_t i = 0; i < 40; i++) {
            assert_int_equal(got.first.ranks[i], 3);
            assert_int_equal(got.second.ranks[i], 3);
            assert_int_equal(got.right.ranks[i], 3);
            for (uint32_t k = 0; k < 5; k++)
                assert_int_equal(got.nested[k].ranks[i], 3);
        }
        for (uint32_t k = 0; k < got.many_count; k++)
            for (uint32_t i = 0; got.many[k].tag == all_Party_tag_squad && i < 40; i++)
                assert_int_equal(got.many[k].as.squad.ranks[i], 3);
        assert_memory_equal(got.second.ranks_present, v.second.ranks_present, sizeof(v.second.ranks_present));
        assert_memory_equal(got.left_present, v.left_present, sizeof(v.left_present));
        assert_memory_equal(got.right.ranks_present, v.right.ranks_present, sizeof(v.right.ranks_present));
    }
}

int main(void)
{
    seed = random_seed();
    state = seed;
    return run_all(NULL);
}
