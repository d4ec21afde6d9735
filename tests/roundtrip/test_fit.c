/* test_fit.c - tests which elements T_fit_write_delta and T_fit_write keep, against a slow way to find out.
 * SPDX-License-Identifier: MIT
 */
#include "fit_slow.h"
#include "fit_values.h"

/* ---- values */

static void change_fit_Tiles(fit_Tiles *v, uint32_t of)
{
    for (int i = 0; i < 9000; i++)
        if (hit(of))
            v->tiles[i] = (uint8_t)draw(8);
    v->height_count = (uint16_t)(hit(2) ? v->height_count : draw(1001));
    for (int i = 0; i < 1000; i++)
        if (hit(of))
            v->height[i] = (uint8_t)draw(3);
}

static void draw_text(char *text, uint32_t most)
{
    const uint32_t size = draw(most + 1);
    for (uint32_t i = 0; i <= most; i++)
        text[i] = i < size ? (char)('a' + draw(26)) : 0;
}

static void change_fit_Texts(fit_Texts *v, uint32_t of)
{
    v->tick = (uint8_t)draw(8);
    v->names_count = (uint8_t)(hit(2) ? v->names_count : draw(41));
    for (int i = 0; i < 40; i++)
        if (hit(of))
            draw_text(v->names[i], 31);
    for (int i = 0; i < 30; i++) {
        if (hit(of))
            v->blobs_size[i] = (uint8_t)draw(20);
        if (hit(of))
            v->blobs[i][0] = (uint8_t)draw(256);
    }
    for (int i = 0; i < 30; i++)
        if (hit(of))
            v->marks[i] = (uint8_t)draw(8);
    if (hit(2))
        draw_text(v->title, 20);
}

/* ---- the slow way */

static uint32_t take_fit_World(fit_World *to, const fit_World *v, uint32_t n)
{
    if (n < fit_World_FIT_health) {
        TAKE(to, v, bodies, n);
        return 1;
    }
    if (n < fit_World_FIT_score)
        TAKE_COUNTED(to, v, health, n - fit_World_FIT_health, TAKE);
    if (n < fit_World_FIT_doors)
        TAKE_COUNTED(to, v, score, n - fit_World_FIT_score, TAKE);
    if (n < fit_World_FIT_things) {
        TAKE(to, v, doors, n - fit_World_FIT_doors);
        return 1;
    }
    if (n < fit_World_FIT_things + 20)
        TAKE_COUNTED(to, v, things, n - fit_World_FIT_things, TAKE);
    return 0;
}

static uint32_t take_fit_Tiles(fit_Tiles *to, const fit_Tiles *v, uint32_t n)
{
    if (n < fit_Tiles_FIT_height) {
        TAKE(to, v, tiles, n);
        return 1;
    }
    if (n < fit_Tiles_FIT_height + 1000)
        TAKE_COUNTED(to, v, height, n - fit_Tiles_FIT_height, TAKE);
    return 0;
}

static uint32_t take_fit_Texts(fit_Texts *to, const fit_Texts *v, uint32_t n)
{
    if (n < fit_Texts_FIT_blobs)
        TAKE_COUNTED(to, v, names, n, TAKE_TEXT);
    if (n < fit_Texts_FIT_marks) {
        TAKE_TEXT(to, v, blobs, n - fit_Texts_FIT_blobs);
        TAKE(to, v, blobs_size, n - fit_Texts_FIT_blobs);
        return 1;
    }
    if (n >= fit_Texts_FIT_marks + 30)
        return 0;
    TAKE(to, v, marks, n - fit_Texts_FIT_marks);
    return 1;
}

static uint32_t take_fit_Row(fit_Row *to, const fit_Row *v, uint32_t n)
{
    TAKE_COUNTED(to, v, height, n, TAKE);
}

static uint32_t take_fit_Room(fit_Room *to, const fit_Room *v, uint32_t n)
{
    if (n >= 64)
        return 0;
    TAKE(to, v, bodies, n);
    return 1;
}

/* The value with nothing of the arrays. */
static void start_fit_World(fit_World *to, const fit_World *base, const fit_World *v)
{
    *to = *base;
    to->tick = v->tick;
    to->end = v->end;
    memcpy(to->others, v->others, sizeof to->others);
    to->health_count = LEAST(base->health_count, v->health_count);
    to->score_count = LEAST(base->score_count, v->score_count);
    to->things_count = LEAST(base->things_count, v->things_count);
}

static void start_fit_Tiles(fit_Tiles *to, const fit_Tiles *base, const fit_Tiles *v)
{
    *to = *base;
    to->height_count = LEAST(base->height_count, v->height_count);
}

static void start_fit_Texts(fit_Texts *to, const fit_Texts *base, const fit_Texts *v)
{
    *to = *base;
    to->tick = v->tick;
    memcpy(to->title, v->title, sizeof to->title);
    to->names_count = LEAST(base->names_count, v->names_count);
}

static void start_fit_Row(fit_Row *to, const fit_Row *base, const fit_Row *v)
{
    *to = *base;
    to->height_count = LEAST(base->height_count, v->height_count);
}

static void start_fit_Room(fit_Room *to, const fit_Room *base, const fit_Room *v)
{
    *to = *base;
    to->light = v->light;
}

KIND(fit_World, fit_World_FIT_things + 20, false)
KIND(fit_Tiles, fit_Tiles_FIT_height + 1000, false)
KIND(fit_Texts, fit_Texts_FIT_marks + 30, true)
KIND(fit_Row, 500, false)
KIND(fit_Room, 64, false)

TEST(test_deltas)
{
    check_kind(&kind_of_fit_World, 150);
    check_kind(&kind_of_fit_Room, 300);
}

TEST(test_far)
{
    check_kind(&kind_of_fit_Tiles, 1);
    check_kind(&kind_of_fit_Row, 150);
}

TEST(test_padding)
{
    check_kind(&kind_of_fit_Texts, 200);
    /* Every budget, with few elements, so that no padding that is counted in vain hides what is missing. */
    static fit_Texts was, now, chosen;
    for (int n = 0; n < 40; n++) {
        fit_Texts_init(&was);
        was.names_count = 5;
        now = was;
        now.title[0] = 'x';
        now.marks[draw(30)] = 1;
        draw_text(now.names[draw(5)], 2);
        now.blobs_size[draw(30)] = (uint8_t)draw(3);
        const uint64_t start = draw(8), all = fit_Texts_measure_delta(&was, &now, start);
        for (uint64_t most = 0; most < all + 40; most++) {
            uint32_t kept = shuffle(fit_Texts_FIT_marks + 30);
            if (fit_Texts_fit_write_delta(&was, &now, &chosen, order, &kept, start, most, NULL))
                assert_true(fit_Texts_measure_delta(&was, &chosen, start) <= most);
        }
    }
    static fit_Names no_names, names, some_names;
    for (int n = 0; n < 40; n++) {
        fit_Names_init(&names);
        for (int i = 0; i < 3; i++)
            draw_text(names.names[draw(9)], 2);
        const uint64_t start = draw(8), all = fit_Names_measure_delta(&no_names, &names, start);
        for (uint64_t most = 0; most < all + 40; most++) {
            uint32_t kept = shuffle(9);
            if (fit_Names_fit_write_delta(&no_names, &names, &some_names, order, &kept, start, most, NULL))
                assert_true(fit_Names_measure_delta(&no_names, &some_names, start) <= most);
        }
    }
}

/* ---- sparse arrays */

static fit_Subsets subsets, slow_subsets;
static fit_SubsetsOfTexts texts, slow_texts;

/* A sparse array in the value that T_fit_write changes, and in the one that is chosen in the slow way. */
typedef struct subset {
    uint64_t *present, *slow;
    uint32_t first, n; /* in an order */
    uint64_t offered[7];
} subset;

#define SUBSET(T, v, slow, m)                                                                \
    {                                                                                        \
        (v).m##_present, (slow).m##_present, fit_##T##_FIT_##m, sizeof(v).m / sizeof *(v).m, \
        {                                                                                    \
            0                                                                                \
        }                                                                                    \
    }

static subset arrays_of_subsets[] = {
    SUBSET(Subsets, subsets, slow_subsets, bodies), SUBSET(Subsets, subsets, slow_subsets, health),
    SUBSET(Subsets, subsets, slow_subsets, money),  SUBSET(Subsets, subsets, slow_subsets, doors),
    SUBSET(Subsets, subsets, slow_subsets, keys),   SUBSET(Subsets, subsets, slow_subsets, locks),
};
static subset arrays_of_texts[] = {SUBSET(SubsetsOfTexts, texts, slow_texts, names)};

static bool fit_subsets(uint32_t *count, uint64_t start, uint64_t most)
{
    return fit_Subsets_fit_write(&subsets, order, count, start, most, NULL);
}

static uint64_t measure_subsets(uint64_t start)
{
    return fit_Subsets_measure(&slow_subsets, start);
}

static bool fit_texts(uint32_t *count, uint64_t start, uint64_t most)
{
    return fit_SubsetsOfTexts_fit_write(&texts, order, count, start, most, NULL);
}

static uint64_t measure_texts(uint64_t start)
{
    return fit_SubsetsOfTexts_measure(&slow_texts, start);
}

typedef struct subset_kind {
    subset *arrays;
    size_t array_count;
    uint32_t elements;
    bool pads;
    bool (*fit)(uint32_t *count, uint64_t start, uint64_t most);
    uint64_t (*measure)(uint64_t start);
} subset_kind;

static const subset_kind kind_of_subsets = {arrays_of_subsets, 6, fit_Subsets_FIT_locks + 70, false, fit_subsets,
                                            measure_subsets};
static const subset_kind kind_of_texts = {arrays_of_texts, 1, 40, true, fit_texts, measure_texts};

/* Some elements; of arrays with a limit, more than that. */
static void draw_subsets(const subset_kind *k)
{
    const uint32_t rate = 1 + draw(6);
    memset(&subsets, 0, sizeof subsets);
    fit_Subsets_init(&subsets);
    fit_SubsetsOfTexts_init(&texts);
    for (uint32_t i = 0; i < 300; i++)
        draw_body(&subsets.bodies[i]);
    for (uint32_t i = 0; i < 128; i++)
        subsets.money[i] = UINT32_MAX >> draw(32);
    for (uint32_t i = 0; i < 9; i++)
        if (hit(rate))
            fit_Subsets_others_set(&subsets, i);
    for (uint32_t i = 0; i < 40; i++)
        draw_text(texts.names[i], 20);
    draw_text(texts.title, 20);
    slow_subsets = subsets;
    slow_texts = texts;
    for (size_t n = 0; n < k->array_count; n++) {
        subset *a = &k->arrays[n];
        memset(a->offered, 0, sizeof a->offered);
        for (uint32_t i = 0; i < a->n; i++)
            a->offered[i / 64] |= (uint64_t)hit(rate) << i % 64;
        memcpy(a->present, a->offered, (a->n + 63) / 64 * sizeof *a->present);
    }
}

static bool is_in(const uint64_t *set, uint32_t i)
{
    return (set[i / 64] >> i % 64 & 1) != 0;
}

static void check_subsets(const subset_kind *k, uint32_t count, uint64_t start, uint64_t most)
{
    uint32_t kept = count, next = 0;
    const bool fits = k->measure(start) <= most;
    assert_int_equal(k->fit(&kept, start, most), fits);
    check_same_entries(count);
    for (uint32_t n = 0; n < count; n++) {
        subset *a = k->arrays;
        while (given[n].number - a->first >= a->n)
            a++;
        const uint32_t i = given[n].number - a->first;
        const bool offered = is_in(a->offered, i), known = is_in(a->slow, i);
        a->slow[i / 64] |= UINT64_C(1) << i % 64;
        const uint64_t bits = k->measure(start);
        if (!k->pads)
            assert_int_equal(is_in(a->present, i), fits && offered && bits <= most);
        if (is_in(a->present, i)) {
            assert_int_equal(order[next++].number, given[n].number);
        } else {
            assert_true(!offered || !k->pads || bits + 7 * ((uint64_t)kept + 3) > most);
            assert_false(known);
            a->slow[i / 64] ^= UINT64_C(1) << i % 64;
        }
    }
    assert_int_equal(next, kept);
    for (size_t n = 0; n < k->array_count; n++)
        assert_memory_equal(k->arrays[n].present, k->arrays[n].slow,
                            (k->arrays[n].n + 63) / 64 * sizeof *k->arrays[n].slow);
    assert_true(!fits || k->measure(start) <= most);
}

TEST(test_subsets)
{
    for (int n = 0; n < 600; n++) {
        const subset_kind *k = hit(2) ? &kind_of_subsets : &kind_of_texts;
        draw_subsets(k);
        const uint64_t start = draw(64);
        check_subsets(k, draw_order(k->elements), start, hit(8) ? UINT64_MAX / 2 : draw(k->pads ? 2000 : 6000));
    }
}

/* ---- budgets in bytes */

TEST(test_packets)
{
    static fit_World was, now, chosen_by_bits, chosen_by_bytes;
    static uint8_t data[fit_World_DELTA_MAX_BYTES];
    for (int n = 0; n < 20; n++) {
        fit_World_init(&was);
        change_fit_World(&was, 1);
        now = was;
        change_fit_World(&now, 1);
        const uint32_t count = draw_order(fit_World_FIT_things + 20), bytes_of_budget = 8 + draw(1500);
        uint32_t by_bits = count, by_bytes = count;
        const bool fits = fit_World_fit_write_delta(&was, &now, &chosen_by_bits, order, &by_bits, 0,
                                                    8 * (uint64_t)bytes_of_budget - 64, NULL);
        memcpy(order, given, count * sizeof *order);
        assert_int_equal(
            fit_World_fit_pack_delta(&was, &now, &chosen_by_bytes, order, &by_bytes, bytes_of_budget, NULL), fits);
        assert_int_equal(by_bits, by_bytes);
        if (!fits)
            continue;
        assert_true(fit_World_equal(&chosen_by_bits, &chosen_by_bytes));
        const size_t size = fit_World_pack_delta(&was, &chosen_by_bytes, data, sizeof data);
        assert_true(size != 0 && size <= bytes_of_budget);
    }
    /* The frame alone has 8 bytes. */
    for (size_t size = 0; size < 9; size++) {
        uint32_t count = draw_order(10);
        assert_false(fit_World_fit_pack_delta(&was, &now, &chosen_by_bytes, order, &count, size, NULL));
        assert_int_equal(count, 0);
    }
    /* Of sparse arrays. */
    draw_subsets(&kind_of_subsets);
    for (uint32_t size = 0; size < 400; size++) {
        uint32_t count = draw_order(kind_of_subsets.elements);
        static fit_Subsets v_;
        v_ = subsets;
        const bool fits = fit_Subsets_fit_pack(&v_, order, &count, size, NULL);
        const size_t packed = fit_Subsets_pack(&v_, data, sizeof data);
        assert_true(fits ? packed != 0 && packed <= size : count == 0 && packed > size);
    }
}

int main(void)
{
    begin();
    return run_all(NULL);
}
