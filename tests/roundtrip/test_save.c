/* test_save.c - tests T_save and T_restore: how many bytes a save has, what is in it, and bytes that are no save.
 * SPDX-License-Identifier: MIT
 *
 * The random schemas of tests/fuzz/saves.c save values of all kinds. Here are members that are not sent, and sizes.
 */
#include "save.h"
#include "fuzz/lot.h"
#include "unit.h"

#include <math.h>
#include <string.h>

static lot drawn;
static saving_World world, back, other;
static uint8_t save[sizeof(saving_World)];

static void draw_path(saving_Path *p)
{
    p->steps_count = (uint8_t)lot_below(&drawn, 101);
    for (uint32_t i = 0; i < p->steps_count; i++)
        p->steps[i] = (uint16_t)lot_next(&drawn);
}

static void draw_group(saving_Group *g)
{
    draw_path(&g->paths[0]);
    draw_path(&g->paths[1]);
    g->has_more = lot_one_in(&drawn, 2);
    if (g->has_more)
        draw_path(&g->more);
}

static void draw_world(saving_World *w, uint32_t entities)
{
    saving_World_init(w);
    w->first = (uint32_t)lot_next(&drawn);
    w->frame = lot_below(&drawn, 21);
    w->owner = &w->owner;
    w->exact = (double)lot_next(&drawn);
    while (w->entities_count < entities) {
        saving_Entity *e = saving_World_entities_add(w, (uint16_t)lot_next(&drawn));
        e->x = (float)lot_below(&drawn, 100) / 7;
        snprintf(e->name, sizeof e->name, "%u", (unsigned)lot_below(&drawn, 1000));
        e->has_key = lot_one_in(&drawn, 2);
        e->key_size = e->has_key ? 3 : 0;
        for (uint32_t i = lot_below(&drawn, 9); i != 0 && e->items_count < 8; i--)
            saving_Entity_items_add(e, (uint8_t)lot_next(&drawn))->count = (uint16_t)i;
    }
    w->orders_count = (uint8_t)lot_below(&drawn, 17);
    for (uint32_t i = 0; i < w->orders_count; i++) {
        w->orders[i].tag = (saving_Order_tag)lot_below(&drawn, 3);
        if (w->orders[i].tag == saving_Order_tag_follow)
            draw_path(&w->orders[i].as.follow);
        else if (w->orders[i].tag == saving_Order_tag_split)
            draw_group(&w->orders[i].as.split);
    }
    if (w->frame > 10)
        draw_path(&w->late);
    for (int i = 0; i < 4; i++)
        draw_group(&w->square[i / 2][i % 2]);
    w->tools_count = (uint8_t)lot_below(&drawn, 5);
    for (uint32_t i = 0; i < w->tools_count; i++)
        w->tools[i].uses = (uint32_t)lot_next(&drawn);
}

/* What equality leaves out: local members, and the bits of numbers that are rounded when they are sent. */
static void check_the_same(const saving_World *a, const saving_World *b)
{
    assert_true(saving_World_equal(a, b));
    assert_int_equal(a->first, b->first);
    assert_ptr_equal(a->owner, b->owner);
    assert_memory_equal(&a->exact, &b->exact, sizeof a->exact);
    for (uint32_t i = 0; i < a->entities_count; i++)
        assert_memory_equal(&a->entities[i].x, &b->entities[i].x, sizeof a->entities[i].x);
    for (uint32_t i = 0; i < a->tools_count; i++)
        assert_int_equal(a->tools[i].uses, b->tools[i].uses);
}

TEST(a_value_is_restored_over_another_one)
{
    drawn.state = random_seed();
    for (int round = 0; round < 300; round++) {
        draw_world(&world, lot_below(&drawn, 40));
        draw_world(&back, lot_below(&drawn, 40));
        const size_t size = saving_World_save(&world, save, sizeof save);
        assert_in_range(size, 1, sizeof save);
        uint8_t *exact = malloc(size); /* the sanitizer sees reads beyond it */
        assert_int_equal(saving_World_save(&world, exact, size), size);
        assert_memory_equal(exact, save, size);
        assert_int_equal(saving_World_save(&world, save, size - 1), 0);
        assert_false(saving_World_restore(&back, save, size + 1));
        assert_true(saving_World_restore(&back, exact, size));
        free(exact);
        check_the_same(&world, &back);
    }
}

/* A list of 32 of at most 4,096 elements takes the bytes of 32, and the same of lists in its elements. */
TEST(a_save_has_the_elements_that_are_there)
{
    saving_World_init(&world);
    const size_t none = saving_World_save(&world, save, sizeof save);
    assert_true(none < 700);
    for (uint16_t i = 0; i < 32; i++)
        saving_World_entities_add(&world, i);
    const size_t some = saving_World_save(&world, save, sizeof save),
                 each = sizeof(saving_Entity) - sizeof world.entities[0].items;
    assert_int_equal(some - none, 32 * each);
    saving_Entity_items_add(&world.entities[7], 1);
    saving_Entity_items_add(&world.entities[9], 1);
    assert_int_equal(saving_World_save(&world, save, sizeof save) - some, 2 * sizeof(saving_Item));
}

TEST(elements_that_a_save_lacks_stay)
{
    saving_World_init(&world);
    saving_World_init(&back);
    back.tools[3].uses = 5;
    world.tools[3].uses = 6;
    world.tools_count = 3;
    assert_true(saving_World_restore(&back, save, saving_World_save(&world, save, sizeof save)));
    assert_int_equal(back.tools[3].uses, 5);
}

/* What is not there, such as a branch that is not selected, may have any count and any tag. */
TEST(any_count_and_any_tag_are_saved)
{
    static uint8_t again[sizeof save];
    saving_World_init(&world);
    world.frame = 3;
    memset(&world.late, 0xff, sizeof world.late);
    world.orders_count = 1;
    memset(&world.orders[0], 0xff, sizeof world.orders[0]);
    world.tools_count = UINT8_MAX;
    world.tools[3].uses = 7;
    const size_t size = saving_World_save(&world, save, sizeof save);
    assert_in_range(size, 1, sizeof world);
    memset(&back, 0xa5, sizeof back);
    assert_true(saving_World_restore(&back, save, size));
    assert_int_equal(back.tools_count, UINT8_MAX);
    assert_int_equal(back.tools[3].uses, 7);
    assert_memory_equal(&back.orders[0], &world.orders[0], sizeof world.orders[0]);
    assert_int_equal(saving_World_save(&back, again, sizeof again), size);
    assert_memory_equal(again, save, size);
}

TEST(damaged_bytes_are_restored_within_the_value)
{
    uint32_t refused = 0;
    drawn.state = random_seed();
    for (int round = 0; round < 3000; round++) {
        if (round % 100 == 0)
            draw_world(&world, lot_below(&drawn, 40));
        size_t size = saving_World_save(&world, save, sizeof save);
        for (uint32_t n = 1 + lot_below(&drawn, 8); n != 0; n--)
            save[lot_below(&drawn, (uint32_t)size)] = (uint8_t)lot_next(&drawn);
        if (lot_one_in(&drawn, 3))
            size = lot_below(&drawn, (uint32_t)size);
        uint8_t *exact = malloc(size != 0 ? size : 1);
        memcpy(exact, save, size);
        refused += !saving_World_restore(&other, exact, size);
        free(exact);
    }
    assert_in_range(refused, 900, 2999);
    assert_false(saving_World_restore(&other, NULL, 0));
}

TEST(a_type_without_counted_arrays_is_saved_as_its_bytes)
{
    saving_Fixed v, w;
    memset(&v, 0xa5, sizeof v);
    saving_Fixed_init(&v);
    v.mine = 77;
    v.y = 0.3f;
    assert_int_equal(saving_Fixed_save(&v, save, sizeof v - 1), 0);
    assert_int_equal(saving_Fixed_save(&v, save, sizeof v), sizeof v);
    assert_memory_equal(save, &v, sizeof v);
    assert_false(saving_Fixed_restore(&w, save, sizeof v - 1));
    assert_false(saving_Fixed_restore(&w, save, sizeof v + 1));
    assert_true(saving_Fixed_restore(&w, save, sizeof v));
    assert_memory_equal(&w, &v, sizeof v);
}

TEST(a_type_of_the_program_in_another_order_is_saved_as_a_whole)
{
    static saving_Around v, w;
    saving_Around_init(&v);
    v.turned.back_count = 9;
    v.turned.back[8] = 6;
    v.turned.there_count = 1;
    v.turned.there[0] = 7;
    v.turned.mine = 9;
    v.last_count = 1;
    v.last[0] = 3;
    const size_t size = saving_Around_save(&v, save, sizeof v);
    assert_int_equal(size, sizeof v - 3 - 2);
    assert_true(saving_Around_restore(&w, save, size));
    assert_true(saving_Around_equal(&v, &w));
    assert_int_equal(w.turned.mine, 9);
}

/* The number was computed on x86-64: other machines must have the same. */
TEST(a_hash_is_of_what_is_sent)
{
    static const float nans[2] = {NAN, -NAN};
    saving_Fixed v, w;
    saving_Fixed_init(&v);
    w = v;
    assert_int_equal(saving_Fixed_hash(&v), UINT64_C(0xb84fbcd5b55b3772));
    w.mine = 5;
    w.y = -0.0f;
    assert_int_equal(saving_Fixed_hash(&w), saving_Fixed_hash(&v));
    w.y = 0.2f; /* rounded to 0 */
    assert_int_equal(saving_Fixed_hash(&w), saving_Fixed_hash(&v));
    w.x = -0.0f;
    assert_int_not_equal(saving_Fixed_hash(&w), saving_Fixed_hash(&v));
    w.x = nans[0];
    v.x = nans[1];
    assert_int_not_equal(saving_Fixed_hash(&w), saving_Fixed_hash(&v));
    w.y = nans[0]; /* cannot be written */
    assert_int_equal(saving_Fixed_hash(&w), 0);
}
