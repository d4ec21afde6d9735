/* test_fit_lists.c - tests which elements of lists T_fit_write_delta and T_fit_write keep, against a slow way to find out.
 * SPDX-License-Identifier: MIT
 */
#include "fit_lists.h"
#include "fit_slow.h"

/* ---- values */

/* Removes, adds and changes elements of a list. */
#define CHANGE_LIST(T, list, E, draw_key, change)                                     \
    do {                                                                              \
        for (uint32_t i_ = v->list##_count; i_-- != 0;)                               \
            if (hit(of < 8 ? 8 : of))                                                 \
                (void)T##_##list##_remove(v, v->list[i_].KEY_##E);                    \
        for (uint32_t n_ = draw(sizeof v->list / sizeof *v->list / 4); n_ != 0; n_--) \
            if (hit(of))                                                              \
                (void)T##_##list##_add(v, draw_key);                                  \
        for (uint32_t i_ = 0; i_ < v->list##_count; i_++) {                           \
            E *const e = &v->list[i_];                                                \
            if (hit(of))                                                              \
                change;                                                               \
        }                                                                             \
    } while (0)
#define KEY_fitl_Entity id
#define KEY_fitl_Item slot
#define KEY_fitl_Star number
#define KEY_fitl_Rock place
#define KEY_fitl_Sign post

static void change_entity(fitl_Entity *v)
{
    const uint32_t of = 2;
    v->x += (float)draw(hit(4) ? 100 : 9) / 10 - 0.4f;
    v->y += (float)draw(hit(4) ? 100 : 9) / 10 - 0.4f;
    v->x = v->x > 20 ? -20 : v->x;
    v->y = v->y > 20 ? -20 : v->y;
    if (hit(4))
        v->health = (uint8_t)draw(256);
    if (v->id > 0 && hit(3))
        v->team = (uint8_t)draw(32);
    if (hit(3))
        CHANGE_LIST(fitl_Entity, items, fitl_Item, (uint8_t)draw(16), e->count = (uint16_t)draw(65536));
}

static void change_fitl_Sky(fitl_Sky *v, uint32_t of)
{
    v->tick = (uint8_t)(v->tick + draw(3));
    CHANGE_LIST(fitl_Sky, entities, fitl_Entity, (int16_t)((int)draw(601) - 300), change_entity(e));
    CHANGE_LIST(fitl_Sky, items, fitl_Item, (uint8_t)draw(16), e->count = (uint16_t)draw(65536));
    CHANGE_LIST(fitl_Sky, others, fitl_Entity, (int16_t)((int)draw(601) - 300), change_entity(e));
    for (int i = 0; i < 30; i++)
        if (hit(of))
            v->lights[i] = (uint8_t)draw(256);
    fitl_Sky_quantize(v);
}

/* Half of the keys are close to each other. The greatest one is 2^64 behind none. */
static uint64_t draw_number(void)
{
    return hit(16) ? UINT64_MAX - draw(2) : hit(2) ? draw(200) : (uint64_t)draw(UINT32_MAX) << 32 >> draw(40) | draw(4);
}

static void change_fitl_Space(fitl_Space *v, uint32_t of)
{
    v->tick = (uint8_t)((v->tick + draw(2)) % 8);
    CHANGE_LIST(fitl_Space, stars, fitl_Star, draw_number(), e->light = (uint8_t)draw(8));
    CHANGE_LIST(fitl_Space, rocks, fitl_Rock, (uint16_t)draw(4096),
                (e->kind += draw(9), e->kind %= 1 << 20, e->here ^= true));
    v->dust_count = (uint8_t)(hit(2) ? v->dust_count : draw(21));
    for (int i = 0; i < 20; i++)
        if (hit(of))
            v->dust[i] = (uint8_t)draw(256);
}

static void draw_text(char *text, uint32_t most)
{
    const uint32_t size = draw(most + 1);
    for (uint32_t i = 0; i <= most; i++)
        text[i] = i < size ? (char)('a' + draw(26)) : 0;
}

static void change_fitl_Road(fitl_Road *v, uint32_t of)
{
    v->tick = (uint8_t)((v->tick + draw(2)) % 8);
    CHANGE_LIST(fitl_Road, signs, fitl_Sign, (uint8_t)draw(256), (draw_text(e->text, 9), e->size = (uint8_t)draw(8)));
    if (hit(2))
        draw_text(v->end, 20);
}

/* ---- the slow way */

#define FIXED(T, m, size)                \
    if (n - T##_FIT_##m < (size)) {      \
        TAKE(to, v, m, n - T##_FIT_##m); \
        return 1;                        \
    }
#define COUNTED(T, m, size)       \
    if (n - T##_FIT_##m < (size)) \
        TAKE_COUNTED(to, v, m, n - T##_FIT_##m, TAKE);
#define LISTED(T, m, E, size)                                \
    if (n - T##_FIT_##m < (size)) {                          \
        if (n - T##_FIT_##m >= v->m##_count)                 \
            return 0;                                        \
        const E *const from = &v->m[n - T##_FIT_##m];        \
        E##_copy_to(T##_##m##_add(to, from->KEY_##E), from); \
        return 1;                                            \
    }
#define COPY_TO(E)                                \
    static void E##_copy_to(E *to, const E *from) \
    {                                             \
        assert_non_null(to);                      \
        *to = *from;                              \
    }
COPY_TO(fitl_Entity)
COPY_TO(fitl_Item)
COPY_TO(fitl_Star)
COPY_TO(fitl_Rock)
COPY_TO(fitl_Sign)

static uint32_t take_fitl_Sky(fitl_Sky *to, const fitl_Sky *v, uint32_t n)
{
    LISTED(fitl_Sky, entities, fitl_Entity, 40)
    LISTED(fitl_Sky, items, fitl_Item, 9)
    FIXED(fitl_Sky, lights, 30)
    return 0;
}

static uint32_t take_fitl_Space(fitl_Space *to, const fitl_Space *v, uint32_t n)
{
    LISTED(fitl_Space, stars, fitl_Star, 30)
    COUNTED(fitl_Space, dust, 20)
    LISTED(fitl_Space, rocks, fitl_Rock, 200)
    return 0;
}

static uint32_t take_fitl_Road(fitl_Road *to, const fitl_Road *v, uint32_t n)
{
    LISTED(fitl_Road, signs, fitl_Sign, 20)
    return 0;
}

/* The list with nothing of the value but what is gone. */
#define BASE_LIST(T, m, E)                                     \
    do {                                                       \
        memcpy(to->m, base->m, sizeof to->m);                  \
        to->m##_count = base->m##_count;                       \
        for (uint32_t i_ = to->m##_count; i_-- != 0;)          \
            if (!T##_##m##_find(v, to->m[i_].KEY_##E))         \
                (void)T##_##m##_remove(to, to->m[i_].KEY_##E); \
    } while (0)

static void start_fitl_Sky(fitl_Sky *to, const fitl_Sky *base, const fitl_Sky *v)
{
    *to = *v;
    BASE_LIST(fitl_Sky, entities, fitl_Entity);
    BASE_LIST(fitl_Sky, items, fitl_Item);
    memcpy(to->lights, base->lights, sizeof to->lights);
}

static void start_fitl_Space(fitl_Space *to, const fitl_Space *base, const fitl_Space *v)
{
    *to = *v;
    BASE_LIST(fitl_Space, stars, fitl_Star);
    BASE_LIST(fitl_Space, rocks, fitl_Rock);
    memcpy(to->dust, base->dust, sizeof to->dust);
    to->dust_count = LEAST(base->dust_count, v->dust_count);
}

static void start_fitl_Road(fitl_Road *to, const fitl_Road *base, const fitl_Road *v)
{
    *to = *v;
    BASE_LIST(fitl_Road, signs, fitl_Sign);
}

PREDICTED_KIND(fitl_Sky, fitl_Sky_FIT_lights + 30, false)
KIND(fitl_Space, fitl_Space_FIT_rocks + 200, false)
KIND(fitl_Road, 20, true)

TEST(lists_in_deltas)
{
    check_kind(&kind_of_fitl_Space, 1500);
}

TEST(lists_that_are_coded_and_predicted)
{
    whole_first = true;
    check_kind(&kind_of_fitl_Sky, 2000);
    whole_first = false;
}

TEST(lists_with_padding)
{
    check_kind(&kind_of_fitl_Road, 1500);
}

/* ---- whole lists */

static fitl_Bag bag, slow_bag;

static void draw_bag(void)
{
    fitl_Bag *const v = &bag;
    const uint32_t of = 1 + draw(2);
    fitl_Bag_init(v);
    for (uint32_t n = draw(9); n != 0; n--) {
        CHANGE_LIST(fitl_Bag, items, fitl_Item, (uint8_t)draw(16), e->count = (uint16_t)draw(65536));
        CHANGE_LIST(fitl_Bag, stars, fitl_Star, draw_number(), e->light = (uint8_t)draw(8));
        (void)fitl_Bag_coins_set(v, draw(40));
    }
    draw_text(v->name, 9);
    slow_bag = bag;
    slow_bag.items_count = slow_bag.stars_count = 0;
    slow_bag.coins_present[0] = 0;
}

static uint32_t take_fitl_Bag(fitl_Bag *to, const fitl_Bag *v, uint32_t n)
{
    LISTED(fitl_Bag, items, fitl_Item, 12)
    if (n - fitl_Bag_FIT_coins < 40)
        return fitl_Bag_coins_has(v, n - fitl_Bag_FIT_coins) && fitl_Bag_coins_set(to, n - fitl_Bag_FIT_coins);
    LISTED(fitl_Bag, stars, fitl_Star, 30)
    return 0;
}

TEST(whole_lists)
{
    static fitl_Bag whole, trial_bag;
    static uint32_t some;
    for (int n = 0; n < 2000; n++) {
        draw_bag();
        whole = bag;
        const uint64_t start = draw(64), all = fitl_Bag_measure(&bag, start);
        const uint64_t most = hit(8) ? UINT64_MAX / 2 : all * draw(120) / 100;
        const uint32_t count = draw_order(fitl_Bag_FIT_stars + 30);
        uint32_t kept = count, next = 0;
        const bool fits = fitl_Bag_fit_write(&bag, order, &kept, start, most, NULL);
        check_same_entries(count);
        assert_int_equal(fits, fitl_Bag_measure(&slow_bag, start) <= most);
        for (uint32_t i = 0; fits && i < count; i++) {
            trial_bag = slow_bag;
            const bool there = take_fitl_Bag(&trial_bag, &whole, given[i].number) != 0;
            const uint64_t bits = fitl_Bag_measure(&trial_bag, start);
            /* The padding behind the lists counts as it is without them, and with the most by which it can grow. */
            if (next < kept && order[next].number == given[i].number) {
                assert_true(there && bits <= most);
                slow_bag = trial_bag;
                next++;
            } else {
                assert_true(!there || bits + 2 * 7 > most);
            }
        }
        assert_int_equal(next, kept);
        assert_true(!fits || fitl_Bag_equal(&bag, &slow_bag));
        assert_true(!fits || fitl_Bag_measure(&bag, start) <= most);
        some += kept != 0 && kept < count;
    }
    assert_true(some > 500);
}

/* ---- rules */

static void check_report(const pkt_fit_report *report, uint32_t kept, uint32_t left_out, uint32_t invalid,
                         uint32_t absent)
{
    assert_int_equal(report->kept, kept);
    assert_int_equal(report->left_out, left_out);
    assert_int_equal(report->invalid, invalid);
    assert_int_equal(report->absent, absent);
}

TEST(gone_elements_are_sent_and_others_come_later)
{
    static fitl_Space was, now, out;
    pkt_fit_report report;
    fitl_Space_init(&was);
    for (uint16_t i = 0; i < 40; i++)
        fitl_Space_rocks_add(&was, (uint16_t)(10 * i))->kind = i;
    now = was;
    for (uint16_t i = 0; i < 40; i += 2)
        assert_true(fitl_Space_rocks_remove(&now, (uint16_t)(10 * i)));
    fitl_Space_rocks_add(&now, 55)->kind = 7;
    fitl_Space_rocks_add(&now, 4095)->kind = 8;
    for (uint32_t i = 0; i < now.rocks_count; i++)
        now.rocks[i].here = true;
    /* Without an order: what is gone is gone, nothing is new, and the others are as they were. */
    uint32_t count = 0;
    assert_true(fitl_Space_fit_write_delta(&was, &now, &out, order, &count, 0, 1000, &report));
    check_report(&report, 0, 0, 0, 0);
    assert_int_equal(out.rocks_count, 20);
    for (uint32_t i = 0; i < 20; i++) {
        assert_int_equal(out.rocks[i].place, 20 * i + 10);
        assert_int_equal(out.rocks[i].kind, 2 * i + 1);
        assert_false(out.rocks[i].here);
    }
    const uint64_t rest = fitl_Space_measure_delta(&was, &out, 0);
    count = 1;
    assert_false(fitl_Space_fit_write_delta(&was, &now, &out, order, &count, 0, rest - 1, &report));
    assert_int_equal(report.error.code, PKT_ERROR_CAPACITY);
    /* Room for one new element, for the one that comes first in the order. */
    for (uint32_t n = 0; n < 2; n++) {
        order[0].number = order[2].number = fitl_Space_FIT_rocks + (n == 0 ? 3 : 21); /* 55 is between 50 and 70 */
        order[1].number = fitl_Space_FIT_rocks + (n == 0 ? 21 : 3);
        count = 1;
        assert_true(fitl_Space_fit_write_delta(&was, &now, &out, order, &count, 0, 1000, &report));
        const uint64_t most = fitl_Space_measure_delta(&was, &out, 0);
        order[2].number = fitl_Space_FIT_rocks + 22; /* there is none */
        count = 3;
        assert_true(fitl_Space_fit_write_delta(&was, &now, &out, order, &count, 0, most, &report));
        check_report(&report, 1, 1, 0, 1);
        assert_non_null(fitl_Space_rocks_find(&out, n == 0 ? 55 : 4095));
        assert_null(fitl_Space_rocks_find(&out, n == 0 ? 4095 : 55));
    }
}

TEST(elements_that_cannot_be_written_are_left_out)
{
    static fitl_Space was, now, out;
    pkt_fit_report report;
    uint32_t count = 3;
    fitl_Space_init(&was);
    fitl_Space_rocks_add(&was, 10)->kind = 1;
    now = was;
    now.rocks[0].kind = 1 << 20;
    fitl_Space_rocks_add(&now, 5)->kind = 1 << 21;
    fitl_Space_rocks_add(&now, 7)->kind = 2;
    for (uint32_t i = 0; i < 3; i++)
        order[i].number = fitl_Space_FIT_rocks + i;
    assert_true(fitl_Space_fit_write_delta(&was, &now, &out, order, &count, 0, 1000, &report));
    check_report(&report, 1, 0, 2, 0);
    assert_int_equal(report.error.code, PKT_ERROR_RANGE);
    assert_string_equal(report.error.field, "Space.rocks[0].kind");
    assert_int_equal(order[0].number, fitl_Space_FIT_rocks + 1);
    assert_int_equal(out.rocks_count, 2);
    assert_true(out.rocks[0].place == 7 && out.rocks[1].place == 10 && out.rocks[1].kind == 1);
}

static void check_unsound(const fitl_Space *v, const fitl_Bag *whole, pkt_code code, const char *field)
{
    static fitl_Space was, out;
    static fitl_Bag copy;
    pkt_fit_report report;
    uint32_t count = shuffle(20);
    fitl_Space_init(&was);
    assert_false(fitl_Space_fit_write_delta(&was, v, &out, order, &count, 0, UINT64_MAX, &report));
    assert_int_equal(count, 0);
    assert_int_equal(report.error.code, code);
    assert_int_equal(strncmp(report.error.field, "Space.", 6), 0);
    assert_string_equal(report.error.field + 6, field);
    /* Nor can it be a baseline. */
    count = shuffle(20);
    assert_false(fitl_Space_fit_write_delta(v, &was, &out, order, &count, 0, UINT64_MAX, &report));
    assert_int_equal(report.error.code, PKT_ERROR_BASELINE);
    copy = *whole;
    count = shuffle(20);
    assert_false(fitl_Bag_fit_write(&copy, order, &count, 0, UINT64_MAX, &report));
    assert_int_equal(report.error.code, code);
    assert_int_equal(strncmp(report.error.field, "Bag.", 4), 0);
    assert_string_equal(report.error.field + 4, field);
}

TEST(lists_whose_keys_do_not_rise_are_refused)
{
    static fitl_Space v;
    static fitl_Bag whole;
    fitl_Space_init(&v);
    fitl_Bag_init(&whole);
    v.stars_count = whole.stars_count = 3;
    v.stars[1].number = whole.stars[1].number = 7;
    v.stars[2].number = whole.stars[2].number = 7;
    check_unsound(&v, &whole, PKT_ERROR_ORDER, "stars[2].number");
    v.stars[1].number = whole.stars[1].number = 0;
    check_unsound(&v, &whole, PKT_ERROR_ORDER, "stars[1].number");
    v.stars_count = whole.stars_count = 31;
    check_unsound(&v, &whole, PKT_ERROR_RANGE, "stars_count");
}

/* Everything has changed, and what is gone takes the most bits: the rest has at most as many as the budget. */
TEST(the_budget_has_room_for_what_is_gone)
{
    static fitl_Down_world_ring ring;
    static fitl_World now;
    static fitl_Down v;
    fitl_Down_baselines from = {{0}, {0}};
    pkt_fit_report report;
    uint8_t data[fitl_Down_MAX_BYTES];
    for (unsigned n = 1; n < 500; n++) {
        fitl_World *const w = &now;
        fitl_World_init(w);
        for (int i = 0; i < 50; i++)
            assert_non_null(fitl_World_entities_add(w, (int16_t)(hit(n % 2 != 0 ? 1 : 2) ? i : i - 300)));
        while (w->rocks_count < 20)
            (void)fitl_World_rocks_add(w, (uint16_t)draw(4096));
        w->tick = (uint16_t)draw(65536);
        v.number = (uint16_t)n;
        v.has_back = v.has_gap = n > 2;
        v.back = v.gap = 1;
        v.items_count = 0;
        for (uint8_t i = 0; i < 9; i++)
            fitl_Down_items_add(&v, i)->count = 1;
        if (v.has_back) {
            from.world = fitl_Down_world_ring_find(&ring, n - 1);
            from.world_before = fitl_Down_world_ring_find(&ring, n - 2);
        }
        uint32_t count = n % 2 != 0 ? shuffle(70) : 0;
        assert_true(fitl_Down_fit_pack(&from, &v, &now, order, &count, n % 2 != 0 ? 1000 : 84, &report));
        assert_in_range(fitl_Down_pack(&from, &v, 0, data, sizeof data), 1, n % 2 != 0 ? 1000 : 84);
        fitl_Down_world_ring_keep(&ring, n, &v.world);
    }
}

int main(void)
{
    begin();
    return run_all(NULL);
}
