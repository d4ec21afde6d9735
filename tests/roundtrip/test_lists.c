/* test_lists.c - tests lists with keys: find, add and remove; whole lists and deltas; what writers and readers refuse.
 * SPDX-License-Identifier: MIT
 */
#include "lists.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum { KEYS = 1024, MOST = 40, WORLDS = 10000 };

static uint64_t seed;

static uint32_t draw(uint32_t below)
{
    if (seed == 0)
        seed = random_seed() | 1;
    seed = seed * UINT64_C(6364136223846793005) + 1;
    return (uint32_t)(seed >> 33) % below;
}

/* ---- find, add, remove: against a map, an array by key */

typedef struct map {
    bool there[KEYS];
    uint16_t score[KEYS];
    uint32_t count;
} map;

static void check_map(const lists_World *w, const map *m)
{
    uint32_t n = 0;
    assert_int_equal(w->entities_count, m->count);
    for (uint16_t id = 0; id < KEYS; id++) {
        const lists_Entity *e = lists_World_entities_find(w, id);
        assert_int_equal(e != NULL, m->there[id]);
        if (!e)
            continue;
        assert_ptr_equal(e, &w->entities[n++]);
        assert_int_equal(e->id, id);
        assert_int_equal(e->score, m->score[id]);
    }
}

static void change_one(lists_World *w, map *m)
{
    const uint16_t id = (uint16_t)draw(KEYS);
    if (draw(3) == 0 && w->entities_count != 0) {
        const uint16_t old = w->entities[draw(w->entities_count)].id;
        assert_true(lists_World_entities_remove(w, old));
        m->there[old] = false;
        m->count--;
    } else if (w->entities_count == MOST && !m->there[id]) {
        assert_null(lists_World_entities_add(w, id));
    } else {
        lists_Entity *e = lists_World_entities_add(w, id);
        assert_non_null(e);
        assert_ptr_equal(e, lists_World_entities_add(w, id));
        m->count += !m->there[id];
        m->there[id] = true;
        m->score[id] = e->score = (uint16_t)draw(65536);
        e->alive = draw(2) != 0;
        e->x = (float)draw(100);
        e->y = (float)draw(100);
        e->ammunition = (uint8_t)draw(256);
        for (uint32_t n = draw(3); n != 0; n--) {
            lists_Item *item = lists_Entity_items_add(e, (lists_Slot)draw(10));
            if (item)
                item->count = (uint16_t)draw(65536);
        }
    }
}

/* The next key that is not in the map, from a number on that may be over the greatest key. */
static void check_unused(const lists_World *w, const map *m, uint16_t from)
{
    uint16_t expected = from < KEYS ? from : 0, id = UINT16_MAX;
    while (m->there[expected])
        expected = (uint16_t)((expected + 1) % KEYS);
    assert_true(lists_World_entities_unused(w, from, &id));
    assert_int_equal(id, expected);
}

TEST(finds_adds_and_removes_as_a_map_does)
{
    static lists_World w;
    static map m;
    lists_World_init(&w);
    assert_null(lists_World_entities_find(&w, 7));
    assert_false(lists_World_entities_remove(&w, 7));
    assert_null(lists_World_entities_add(&w, 1024));
    for (unsigned i = 0; i < WORLDS; i++) {
        change_one(&w, &m);
        check_unused(&w, &m, (uint16_t)draw(KEYS + 2));
        if (i % 100 == 0)
            check_map(&w, &m);
    }
}

TEST(keys_that_are_not_used)
{
    static lists_World w;
    static lists_Bag b;
    int64_t wide = 5;
    int8_t key = 5;
    lists_World_init(&w);
    /* At both ends of all numbers of 64 bits. */
    lists_World_wides_add(&w, INT64_MAX);
    assert_true(lists_World_wides_unused(&w, INT64_MAX, &wide) && wide == INT64_MIN);
    lists_World_wides_add(&w, INT64_MIN);
    assert_true(lists_World_wides_unused(&w, INT64_MAX, &wide) && wide == INT64_MIN + 1);
    assert_true(lists_World_wides_unused(&w, INT64_MIN, &wide) && wide == INT64_MIN + 1);
    assert_true(lists_World_wides_unused(&w, -1, &wide) && wide == -1);
    /* One is left of all, wherever the search begins; then none. */
    lists_Bag_init(&b);
    for (int n = -128; n < 127; n++)
        lists_Bag_coins_add(&b, (int8_t)n);
    for (int n = -128; n < 128; n++)
        assert_true(lists_Bag_coins_unused(&b, (int8_t)n, &key) && key == 127);
    static lists_Hand h;
    uint8_t card = 77;
    lists_Hand_init(&h);
    for (uint8_t id = 12; id < 16; id++)
        lists_Hand_cards_add(&h, id);
    assert_true(lists_Hand_cards_unused(&h, 12, &card) && card == 0);
    assert_true(lists_Hand_cards_unused(&h, 16, &card) && card == 0);
    static lists_Pair p;
    lists_Pair_init(&p);
    lists_Pair_both_add(&p, 0);
    assert_true(lists_Pair_both_unused(&p, 0, &card) && card == 1);
    lists_Pair_both_add(&p, 1);
    card = 77;
    for (uint8_t from = 0; from < 3; from++)
        assert_true(!lists_Pair_both_unused(&p, from, &card) && card == 77);
}

TEST(copies_have_the_elements_that_are_there)
{
    static lists_World w, copy;
    static map m;
    memset(&m, 0, sizeof m);
    lists_World_init(&w);
    for (unsigned i = 0; i < 30; i++)
        change_one(&w, &m);
    w.time = 7;
    memset(&copy, 0x55, sizeof copy);
    lists_World_copy(&copy, &w);
    assert_true(lists_World_equal(&copy, &w));
    for (const uint8_t *at = (const uint8_t *)&copy.entities[copy.entities_count];
         at < (const uint8_t *)&copy.entities[MOST]; at++)
        assert_int_equal(*at, 0x55);
}

TEST(negative_keys_are_in_order)
{
    static lists_World w;
    lists_World_init(&w);
    assert_non_null(lists_World_wides_add(&w, INT64_MAX));
    assert_non_null(lists_World_wides_add(&w, INT64_MIN));
    assert_non_null(lists_World_wides_add(&w, -1));
    assert_null(lists_World_wides_add(&w, 0));
    assert_true(w.wides[0].key == INT64_MIN && w.wides[1].key == -1 && w.wides[2].key == INT64_MAX);
    assert_ptr_equal(lists_World_wides_find(&w, -1), &w.wides[1]);
}

TEST(a_count_that_is_too_great_changes_nothing)
{
    static lists_World w, before;
    lists_World_init(&w);
    for (uint16_t id = 0; id < MOST; id++)
        assert_non_null(lists_World_entities_add(&w, id));
    w.entities_count = MOST + 1;
    memcpy(&before, &w, sizeof w);
    assert_null(lists_World_entities_add(&w, MOST));
    assert_false(lists_World_entities_remove(&w, 0));
    assert_ptr_equal(lists_World_entities_find(&w, MOST - 1), &w.entities[MOST - 1]);
    assert_memory_equal(&before, &w, sizeof w);
}

TEST(a_list_has_as_many_elements_as_its_count_can_say)
{
    static lists_Bag b;
    lists_Bag_init(&b);
    for (int key = INT8_MAX; key > INT8_MIN; key--)
        assert_non_null(lists_Bag_coins_add(&b, (int8_t)key));
    assert_int_equal(b.coins_count, UINT8_MAX);
    assert_null(lists_Bag_coins_add(&b, INT8_MIN));
    assert_true(lists_Bag_coins_remove(&b, 0));
    assert_ptr_equal(lists_Bag_coins_add(&b, INT8_MIN), b.coins);
    assert_ptr_equal(lists_Bag_coins_find(&b, INT8_MAX), &b.coins[UINT8_MAX - 1]);
}

/* The keys rise, so their differences cannot all be large. */
TEST(the_greatest_size_is_that_of_some_list)
{
    uint64_t most = 0;
    for (unsigned set = 0; set < 1u << 16; set++) {
        lists_Hand hand;
        lists_Hand_init(&hand);
        for (uint8_t id = 0; id < 16; id++)
            if ((set >> id & 1) != 0)
                (void)lists_Hand_cards_add(&hand, id);
        const uint64_t bits = lists_Hand_measure(&hand, 0);
        most = bits > most ? bits : most;
    }
    assert_true(most == lists_Hand_MAX_BITS);
}

/* ---- worlds that come and go, on the wire */

static uint8_t bytes[lists_World_DELTA_MAX_BITS / 8 + 8], again[sizeof bytes];

/* Whatever is read is written again as the same bits. */
static void check_canonical(const lists_World_motion *base, size_t size)
{
    static lists_World got;
    pkt_reader r;
    pkt_writer w;
    size_t written;
    pkt_reader_init(&r, bytes, size);
    lists_World_init(&got);
    if (!lists_World_read_delta(&r, base, &got)) {
        assert_int_not_equal(r.error.code, PKT_OK);
        return;
    }
    pkt_writer_init(&w, again, sizeof again);
    assert_true(lists_World_write_delta(&w, base, &got));
    const uint64_t bits = pkt_writer_bits(&w);
    assert_true(bits == r.bit && pkt_writer_finish(&w, &written));
    assert_memory_equal(again, bytes, bits / 8);
}

static void check_whole(const lists_World *v)
{
    static lists_World got;
    pkt_writer w;
    pkt_reader r;
    size_t size;
    pkt_writer_init(&w, bytes, sizeof bytes);
    assert_true(lists_World_write(&w, v));
    assert_true(pkt_writer_bits(&w) == lists_World_measure(v, 0));
    assert_true(pkt_writer_finish(&w, &size));
    pkt_reader_init(&r, bytes, size);
    lists_World_init(&got);
    assert_true(lists_World_read(&r, &got));
    assert_true(lists_World_equal(&got, v));
}

TEST(worlds_arrive)
{
    static lists_World now, base, before, got;
    static lists_World_motion motion;
    static map m;
    memset(&m, 0, sizeof m);
    lists_World_init(&now);
    lists_World_init(&base);
    for (unsigned i = 0; i < WORLDS / 10; i++) {
        const lists_World_motion *from = draw(10) != 0 ? &motion : NULL;
        pkt_writer w;
        pkt_reader r;
        size_t size;
        before = base;
        base = now;
        for (uint32_t n = draw(5); n != 0; n--)
            change_one(&now, &m);
        for (uint32_t n = 0; n < now.entities_count; n += 1 + draw(6))
            now.entities[n].x = (float)(10 + i % 80);
        if (draw(4) == 0)
            (void)lists_World_wides_add(&now, draw(2) != 0 ? -(int64_t)draw(9) : INT64_MAX - draw(9));
        if (draw(4) == 0 && now.wides_count != 0)
            assert_true(lists_World_wides_remove(&now, now.wides[draw(now.wides_count)].key));
        lists_World_quantize(&now);
        lists_World_predict(&base, draw(3) != 0 ? &before : NULL, 1 + draw(3), 1 + draw(3), &motion);
        pkt_writer_init(&w, bytes, sizeof bytes);
        assert_true(lists_World_write_delta(&w, from, &now));
        assert_true(pkt_writer_bits(&w) == lists_World_measure_delta(from, &now, 0));
        assert_true(pkt_writer_finish(&w, &size));
        lists_World_init(&got);
        pkt_reader_init(&r, bytes, size);
        assert_true(lists_World_read_delta(&r, from, &got));
        assert_true(lists_World_equal(&got, &now));
        for (unsigned flips = 0; flips < 20; flips++) {
            const uint32_t bit = draw((uint32_t)size * 8);
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            check_canonical(from, size);
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        check_whole(&now);
    }
}

/* Writes and reads a delta with too little room: both end at the same item. */
static void check_ends(const lists_World_motion *base, const lists_World *now)
{
    static lists_World got;
    size_t size;
    pkt_writer w;
    pkt_reader r;
    pkt_writer_init(&w, bytes, sizeof bytes);
    assert_true(lists_World_write_delta(&w, base, now) && pkt_writer_finish(&w, &size));
    for (size_t part = 0; part < size; part++) {
        pkt_writer_init(&w, again, part);
        assert_false(lists_World_write_delta(&w, base, now));
        assert_int_equal(w.error.code, PKT_ERROR_CAPACITY);
        pkt_reader_init(&r, bytes, part);
        assert_false(lists_World_read_delta(&r, base, &got));
        assert_int_equal(r.error.code, PKT_ERROR_END);
        assert_true(r.error.bit == w.error.bit);
        assert_string_equal(r.error.field, w.error.field);
    }
}

/* What is behind the elements of the value that the baseline has moved from is no element. */
TEST(elements_that_were_not_there_are_not_expected_to_move)
{
    static lists_World now, base, before;
    static lists_World_motion motion;
    lists_World_init(&base);
    for (uint16_t id = 0; id < MOST; id++) {
        lists_World_entities_add(&base, id)->x = (float)(20 + id);
        lists_World_quantize(&base);
        before = base;
        for (unsigned i = 0; i <= id; i++)
            before.entities[i].x = 20;
        lists_World_predict(&base, &before, 1, 1, &motion);
        before.entities_count = 0;
        now = base;
        now.entities[id / 2].x = 70;
        lists_World_quantize(&now);
        check_ends(&motion, &now);
    }
}

/* ---- what is refused */

static void check_refused(const lists_World *v, pkt_code code, const char *field)
{
    static lists_World empty;
    static lists_World_motion motion;
    pkt_writer w;
    lists_World_init(&empty);
    lists_World_predict(&empty, NULL, 1, 0, &motion);
    pkt_writer_init(&w, bytes, sizeof bytes);
    assert_false(lists_World_write(&w, v));
    assert_int_equal(w.error.code, code);
    assert_string_equal(w.error.field, field);
    pkt_writer_init(&w, bytes, sizeof bytes);
    assert_false(lists_World_write_delta(&w, &motion, v));
    assert_int_equal(w.error.code, code);
    assert_string_equal(w.error.field, field);
    assert_false(lists_World_equal(v, v));
    /* Nor can it be a baseline. */
    lists_World_predict(v, NULL, 1, 0, &motion);
    pkt_writer_init(&w, bytes, sizeof bytes);
    assert_false(lists_World_write_delta(&w, &motion, &empty));
    assert_int_equal(w.error.code, code);
    assert_string_equal(w.error.field, field);
}

TEST(writers_refuse_keys_that_do_not_rise)
{
    static lists_World v;
    lists_World_init(&v);
    v.entities_count = 2;
    v.entities[0].id = 5;
    v.entities[1].id = 5;
    check_refused(&v, PKT_ERROR_ORDER, "World.entities[1].id");
    v.entities[1].id = 4;
    check_refused(&v, PKT_ERROR_ORDER, "World.entities[1].id");
    v.entities[1].id = 1024;
    check_refused(&v, PKT_ERROR_RANGE, "World.entities[1].id");
    v.entities[1].id = 6;
    v.entities[1].items_count = 2;
    check_refused(&v, PKT_ERROR_ORDER, "World.entities[1].items[1].slot");
    v.entities_count = MOST + 1;
    check_refused(&v, PKT_ERROR_RANGE, "World.entities_count");
}

/* A new element that is as T_x_add makes it has only bits of masks, also in branches and in its own list. */
TEST(new_elements_start_from_initial_values)
{
    static lists_World base, now, got;
    static lists_World_motion motion;
    pkt_writer w;
    pkt_reader r;
    size_t size;
    lists_World_init(&base);
    lists_World_init(&now);
    lists_World_predict(&base, NULL, 1, 0, &motion);
    const lists_Entity *added = lists_World_entities_add(&now, 7);
    assert_true(added->y >= 50 && added->y <= 50 && added->ammunition == 30);
    const uint64_t usual = lists_World_measure_delta(&motion, &now, 0);
    now.entities[0].ammunition = 0;
    assert_true(lists_World_measure_delta(&motion, &now, 0) >= usual + 8);
    now.entities[0].ammunition = 30;
    assert_int_equal(lists_Entity_items_add(&now.entities[0], lists_Slot_chest)->count, 1);
    /* The list: gone; a new key, in 4 bits; no other; which have changed; the mask of the item. */
    assert_int_equal(lists_World_measure_delta(&motion, &now, 0), usual + 1 + 1 + 4 + 1 + 1 + 1);
    pkt_writer_init(&w, bytes, sizeof bytes);
    assert_true(lists_World_write_delta(&w, &motion, &now));
    assert_true(pkt_writer_finish(&w, &size));
    pkt_reader_init(&r, bytes, size);
    assert_true(lists_World_read_delta(&r, &motion, &got));
    assert_true(lists_World_equal(&got, &now));
}

TEST(sides_of_new_elements_that_are_not_chosen_have_base_values)
{
    lists_House base, now, got;
    pkt_writer w;
    pkt_reader r;
    size_t size;
    lists_House_init(&base);
    lists_House_init(&now);
    assert_int_equal(lists_House_doors_add(&now, 3)->width, 90);
    pkt_writer_init(&w, bytes, sizeof bytes);
    assert_true(lists_House_write_delta(&w, &base, &now));
    assert_true(pkt_writer_finish(&w, &size));
    pkt_reader_init(&r, bytes, size);
    assert_true(lists_House_read_delta(&r, &base, &got));
    assert_true(got.doors_count == 1 && got.doors[0].number == 3 && !got.doors[0].open);
    assert_int_equal(got.doors[0].width, 0);
}

TEST(keys_are_differences)
{
    static lists_Three now;
    pkt_writer w;
    size_t size;
    lists_Three_init(&now);
    pkt_writer_init(&w, bytes, sizeof bytes);
    assert_non_null(lists_Three_entities_add(&now, 3));
    assert_non_null(lists_Three_entities_add(&now, 4));
    assert_non_null(lists_Three_entities_add(&now, 9));
    assert_true(lists_Three_write(&w, &now));
    assert_true(pkt_writer_finish(&w, &size));
    /* The count 3 in 5 bits: 11000. The difference 4: 01, and 2 in 2 bits, 01. Then the element. */
    assert_int_equal(bytes[0], 0x43);
    assert_int_equal(bytes[1] & 1, 1);
}
