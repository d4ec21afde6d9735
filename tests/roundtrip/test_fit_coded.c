/* test_fit_coded.c - tests which elements T_fit_write_delta keeps of types with coded fields, against a slow way to find out.
 * SPDX-License-Identifier: MIT
 */
#include "fit_coded.h"
#include "fit_slow.h"

#include <math.h>

/* ---- values */

static pkt_quat draw_turn(void)
{
    pkt_quat q = {(float)draw(1000) / 1500, (float)draw(700) / 1500, 0, 0};
    q.w = sqrtf(1 - q.x * q.x - q.y * q.y);
    return q;
}

static void change_kite(fitc_Kite *v)
{
    v->x += (float)draw(hit(4) ? 100 : 9) / 10 - 0.4f;
    v->y += (float)draw(hit(4) ? 100 : 9) / 10 - 0.4f;
    v->x = v->x > 20 ? -20 : v->x;
    v->y = v->y > 20 ? -20 : v->y;
    if (hit(3))
        v->turn = draw_turn();
    v->torn ^= hit(5);
    if (v->torn)
        v->days = (uint8_t)(v->days + draw(9));
}

static void change_thing(fitc_Thing *v)
{
    if (hit(3)) {
        fitc_Thing_init(v);
        v->tag = hit(2) ? fitc_Thing_tag_kite : fitc_Thing_tag_rope;
    }
    if (v->tag == fitc_Thing_tag_kite)
        change_kite(&v->as.kite);
    else
        v->as.rope.length = (uint8_t)draw(256);
}

static void draw_text(char *text, uint32_t most)
{
    const uint32_t size = draw(most + 1);
    for (uint32_t i = 0; i <= most; i++)
        text[i] = i < size ? (char)('a' + draw(26)) : 0;
}

/* Some of the elements change; so does a count, or it does not. */
#define CHANGE(n, change)              \
    for (uint32_t i = 0; i < (n); i++) \
        if (hit(of))                   \
            change;
#define CHANGE_COUNT(type, m, least, most) v->m##_count = (type)(hit(2) ? v->m##_count : least + draw(most - least + 1))

static void change_fitc_Sky(fitc_Sky *v, uint32_t of)
{
    v->tick = (uint8_t)(v->tick + draw(3));
    CHANGE_COUNT(uint8_t, heights, 0, 40);
    CHANGE_COUNT(uint8_t, lost, 0, 30);
    CHANGE_COUNT(uint8_t, things, 2, 12);
    CHANGE(50, change_kite(&v->kites[i]))
    CHANGE(40, v->heights[i] = (int16_t)(hit(4) ? (int)draw(2001) - 1000 : v->heights[i] / 2 + (int)draw(20)))
    CHANGE(30, change_kite(&v->lost[i]))
    CHANGE(70, v->lamps[i] ^= true)
    CHANGE(12, change_thing(&v->things[i]))
    CHANGE(30, v->colours[i] = (uint8_t)draw(64))
    CHANGE(20, v->turns[i] = draw_turn())
    v->has_balloon ^= hit(4);
    if (v->has_balloon)
        change_kite(&v->balloon);
    fitc_Sky_quantize(v);
}

static void change_fitc_Lake(fitc_Lake *v, uint32_t of)
{
    CHANGE_COUNT(uint8_t, kites, 0, 50);
    CHANGE_COUNT(uint8_t, waves, 0, 60);
    CHANGE(50, change_kite(&v->kites[i]))
    CHANGE(60, v->waves[i] = (uint8_t)draw(hit(3) ? 32 : 3))
    CHANGE(30, v->shores[i] = (uint16_t)(v->shores[i] + draw(9)))
    CHANGE(20, v->boats[i] = (int8_t)draw(3))
    v->depth = (uint16_t)(v->depth + draw(2));
    fitc_Lake_quantize(v);
}

static void change_fitc_Row(fitc_Row *v, uint32_t of)
{
    CHANGE_COUNT(uint16_t, height, 0, 500);
    of *= 4;
    CHANGE(500, v->height[i] = (uint8_t)((v->height[i] + draw(3)) % 16))
}

static void change_fitc_Reef(fitc_Reef *v, uint32_t of)
{
    v->tick = (uint8_t)(v->tick + draw(2));
    CHANGE(40, change_kite(&v->kites[i]))
    CHANGE(40, v->doors[i] ^= true)
    fitc_Reef_quantize(v);
}

static void change_fitc_Texts(fitc_Texts *v, uint32_t of)
{
    v->tick = (uint8_t)((v->tick + draw(2)) % 8);
    if (hit(2))
        draw_text(v->title, 9);
    if (hit(2))
        draw_text(v->end, 20);
    CHANGE_COUNT(uint8_t, signs, 0, 20);
    CHANGE(20, v->signs[i].age = (uint8_t)(v->signs[i].age + draw(9)))
    CHANGE(20, draw_text(v->signs[i].text, 9))
    CHANGE(20, v->signs[i].size = (uint8_t)draw(256))
    CHANGE(20, draw_text(v->signs[i].more, 3))
    CHANGE(30, v->marks[i] = (uint8_t)draw(8))
}

static void change_fitc_Hills(fitc_Hills *v, uint32_t of)
{
    CHANGE(500, v->heights[i] = (int16_t)(v->heights[i] % 900 + (int)draw(9) - 4))
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

static uint32_t take_fitc_Sky(fitc_Sky *to, const fitc_Sky *v, uint32_t n)
{
    FIXED(fitc_Sky, kites, 50)
    COUNTED(fitc_Sky, heights, 40)
    COUNTED(fitc_Sky, lost, 30)
    FIXED(fitc_Sky, lamps, 70)
    COUNTED(fitc_Sky, things, 12)
    FIXED(fitc_Sky, colours, 30)
    FIXED(fitc_Sky, turns, 20)
    return 0;
}

static uint32_t take_fitc_Lake(fitc_Lake *to, const fitc_Lake *v, uint32_t n)
{
    COUNTED(fitc_Lake, kites, 50)
    COUNTED(fitc_Lake, waves, 60)
    FIXED(fitc_Lake, boats, 20)
    return 0;
}

static uint32_t take_fitc_Row(fitc_Row *to, const fitc_Row *v, uint32_t n)
{
    COUNTED(fitc_Row, height, 500)
    return 0;
}

static uint32_t take_fitc_Reef(fitc_Reef *to, const fitc_Reef *v, uint32_t n)
{
    FIXED(fitc_Reef, kites, 40)
    FIXED(fitc_Reef, doors, 40)
    return 0;
}

static uint32_t take_fitc_Texts(fitc_Texts *to, const fitc_Texts *v, uint32_t n)
{
    COUNTED(fitc_Texts, signs, 20)
    FIXED(fitc_Texts, marks, 30)
    return 0;
}

static uint32_t take_fitc_Hills(fitc_Hills *to, const fitc_Hills *v, uint32_t n)
{
    FIXED(fitc_Hills, heights, 500)
    return 0;
}

/* The value with nothing of the arrays. */
#define BASE(m) memcpy(&to->m, &base->m, sizeof to->m)
#define BASE_COUNTED(m) (BASE(m), to->m##_count = LEAST(base->m##_count, v->m##_count))

static void start_fitc_Sky(fitc_Sky *to, const fitc_Sky *base, const fitc_Sky *v)
{
    *to = *v;
    BASE(kites);
    BASE_COUNTED(heights);
    BASE_COUNTED(lost);
    BASE(lamps);
    BASE_COUNTED(things);
    BASE(colours);
    BASE(turns);
}

static void start_fitc_Lake(fitc_Lake *to, const fitc_Lake *base, const fitc_Lake *v)
{
    *to = *v;
    BASE_COUNTED(kites);
    BASE_COUNTED(waves);
    BASE(boats);
}

static void start_fitc_Row(fitc_Row *to, const fitc_Row *base, const fitc_Row *v)
{
    *to = *v;
    BASE_COUNTED(height);
}

static void start_fitc_Reef(fitc_Reef *to, const fitc_Reef *base, const fitc_Reef *v)
{
    *to = *v;
    BASE(kites);
    BASE(doors);
}

static void start_fitc_Texts(fitc_Texts *to, const fitc_Texts *base, const fitc_Texts *v)
{
    *to = *v;
    BASE_COUNTED(signs);
    BASE(marks);
}

static void start_fitc_Hills(fitc_Hills *to, const fitc_Hills *base, const fitc_Hills *v)
{
    *to = *v;
    BASE(heights);
}

PREDICTED_KIND(fitc_Sky, fitc_Sky_FIT_turns + 20, false)
KIND(fitc_Lake, fitc_Lake_FIT_boats + 20, false)
PREDICTED_KIND(fitc_Row, 500, false)
PREDICTED_KIND(fitc_Reef, fitc_Reef_FIT_doors + 40, false)
PREDICTED_KIND(fitc_Texts, fitc_Texts_FIT_marks + 30, true)
PREDICTED_KIND(fitc_Hills, 500, false)

/* ---- tests */

TEST(test_predicted)
{
    check_kind(&kind_of_fitc_Sky, 150);
}

TEST(test_coded)
{
    check_kind(&kind_of_fitc_Lake, 300);
}

TEST(test_plain_masks)
{
    check_kind(&kind_of_fitc_Row, 100);
    check_kind(&kind_of_fitc_Reef, 300);
    check_kind(&kind_of_fitc_Hills, 20);
}

TEST(test_padding)
{
    check_kind(&kind_of_fitc_Texts, 300);
}

/* All elements move on by about as much as before. All of them fit, but not the first hundred: they take few bits, but
 * all others are surprises then, so that the plain form is sent, in which the elements take many bits. */
TEST(test_whole_order)
{
    static fitc_Hills before, was, now, got;
    static fitc_Hills_motion motion;
    fitc_Hills_init(&before);
    was = before;
    for (int i = 0; i < 500; i++)
        was.heights[i] = 10;
    fitc_Hills_predict(&was, &before, 1, 1, &motion);
    fitc_Hills_expected(&motion, &now);
    for (int i = 0; i < 500; i++)
        now.heights[i] = (int16_t)(now.heights[i] + (hit(2) ? 1 : -1));
    const uint64_t all = fitc_Hills_measure_delta(&motion, &now, 0);
    assert_true(all < 1100);
    uint32_t count = shuffle(500);
    assert_true(fitc_Hills_fit_write_delta(&motion, &now, &got, order, &count, 0, all, NULL));
    assert_int_equal(count, 500);
    assert_memory_equal(order, given, sizeof *order * 500);
    assert_true(fitc_Hills_equal(&now, &got));
    /* Numbers of no element are left out of the order, behind those that are kept. */
    given[500] = order[500] = given[7];
    given[7].number = order[7].number = 500;
    count = 501;
    assert_true(fitc_Hills_fit_write_delta(&motion, &now, &got, order, &count, 0, all, NULL));
    assert_int_equal(count, 500);
    assert_int_equal(order[500].number, 500);
    check_same_entries(501);
    assert_true(fitc_Hills_equal(&now, &got));
    /* With one bit less it is too much, and those that are kept are in their plain form. */
    count = shuffle(500);
    assert_true(fitc_Hills_fit_write_delta(&motion, &now, &got, order, &count, 0, all - 1, NULL));
    assert_in_range(count, 30, 100);
    assert_in_range(fitc_Hills_measure_delta(&motion, &got, 0), all - 30, all - 1);
}

/* Every budget for the first bits. */
TEST(test_every_budget)
{
    static const kind *const kinds[] = {&kind_of_fitc_Sky, &kind_of_fitc_Lake, &kind_of_fitc_Row, &kind_of_fitc_Reef,
                                        &kind_of_fitc_Texts};
    for (uint32_t n = 0; n < 20; n++) {
        const kind *k = kinds[n % 5];
        draw_values(k);
        k->start(slow, base, v);
        const uint64_t rest = k->measure(base, slow, 3);
        for (uint64_t most = rest - 2; most < rest + 60; most++) {
            const uint32_t count = draw_order(k->elements);
            check_delta(k, true, LEAST(count, 40), 3, most);
        }
    }
}

/* All kites are expected to change. If all are kept but 10, 13 and 16, then 13 costs 12 bits less than by itself, because it
 * was a surprise between two others. */
TEST(test_expected)
{
    static fitc_Sky before, was, expected, now;
    const kind *k = &kind_of_fitc_Sky;
    fitc_Sky_init(&before);
    was = before;
    for (int i = 0; i < 50; i++)
        was.kites[i].x += 1;
    fitc_Sky_quantize(&was);
    fitc_Sky_predict(&was, &before, 1, 1, (fitc_Sky_motion *)base);
    fitc_Sky_expected((fitc_Sky_motion *)base, &expected);
    now = expected;
    for (int i = 0; i < 50; i++) {
        now.kites[i].x += 7;
        now.kites[i].y += 0.1f;
    }
    fitc_Sky_quantize(&now);
    memcpy(v, &now, sizeof now);
    for (int i = 0; i < 20; i++)
        ((fitc_Sky *)v)->turns[i] = draw_turn();
    fitc_Sky_quantize((fitc_Sky *)v);
    uint32_t count = 0;
    for (uint32_t i = 0; i < 50; i++)
        if (i != 10 && i != 13 && i != 16)
            given[count++].number = i;
    given[count++].number = 13;
    /* These make the whole order too long. */
    for (uint32_t i = 0; i < 20; i++)
        given[count++].number = fitc_Sky_FIT_turns + i;
    now.kites[10] = expected.kites[10];
    now.kites[16] = expected.kites[16];
    const uint64_t all = fitc_Sky_measure_delta((fitc_Sky_motion *)base, &now, 0);
    for (uint64_t most = all - 30; most < all + 30; most++) {
        memcpy(order, given, count * sizeof *order);
        check_delta(k, true, count, 0, most);
    }
}

/* The other tests have had all of this. */
TEST(test_coverage)
{
    assert_true(forms[0] > 50 && forms[1] > 50);
    assert_true(wholes > 50 && other_forms > 50);
}

int main(void)
{
    begin();
    whole_first = true;
    return run_all(NULL);
}
