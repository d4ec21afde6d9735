/* test_fit_parts.c - the budget of a packet has room for all but the elements that T_fit_pack leaves out.
 * SPDX-License-Identifier: MIT
 */
#include "fit_parts.h"
#include "fit_draws.h"
#include "unit.h"

enum { BUDGET = 29 };

static uint32_t speed[2][fitp_POINTS];

/* Most go on as they did, so what is left out of the one that does not is a surprise for its prediction. */
static void move(fitp_World *world)
{
    for (unsigned i = 0; i < fitp_POINTS; i++) {
        if (hit(3))
            speed[0][i] = draw(1000);
        if (hit(3))
            speed[1][i] = draw(1000);
        world->points[i].x += speed[0][i];
        world->heights[i] += speed[1][i];
    }
}

TEST(elements_that_are_predicted_are_left_out)
{
    static fitp_Moved_world_ring sent, received;
    fitp_World world;
    unsigned left_out = 0;
    fitp_World_init(&world);
    for (unsigned n = 0; n < 1000; n++) {
        fitp_Moved v, in;
        fitp_Moved_baselines from = {0};
        fitp_Moved_names names;
        pkt_fit_report report;
        pkt_error error;
        uint32_t count = draw(2 * fitp_POINTS + 1);
        uint8_t data[BUDGET];
        move(&world);
        for (uint32_t i = 0; i < 2 * fitp_POINTS; i++)
            order[i].number = (i + n) % (2 * fitp_POINTS);
        fitp_Moved_init(&v);
        v.n = (uint8_t)n;
        v.back = (uint8_t)(1 + draw(3));
        v.gap = (uint8_t)(1 + draw(3));
        v.has_back = n >= 6;
        if (v.has_back) {
            from.world = fitp_Moved_world_ring_find(&sent, (uint8_t)(n - v.back));
            from.world_before = fitp_Moved_world_ring_find(&sent, (uint8_t)(n - v.back - v.gap));
        }
        assert_true(fitp_Moved_fit_pack(&from, &v, &world, order, &count, BUDGET, &report));
        left_out += report.left_out;
        const size_t size = fitp_Moved_pack_error(&from, &v, 0, data, sizeof data, &error);
        assert_int_equal(error.code, PKT_OK);
        fitp_Moved_world_ring_keep(&sent, v.n, &v.world);

        assert_true(fitp_Moved_peek(&in, &names, data, size));
        if (v.has_back) {
            from.world = fitp_Moved_world_ring_find(&received, names.world.base);
            from.world_before = fitp_Moved_world_ring_find(&received, names.world.before);
        }
        assert_true(fitp_Moved_unpack(&from, &in, 0, data, size));
        assert_true(fitp_Moved_equal(&in, &v));
        fitp_Moved_world_ring_keep(&received, names.world.number, &in.world);
    }
    assert_true(left_out > 10000);
}

TEST(the_greatest_value_has_the_size_of_the_budget)
{
    static fitp_Full_note_ring ring;
    fitp_Full v;
    fitp_Full_baselines from = {0};
    fitp_Note now;
    uint8_t data[fitp_Full_MAX_BYTES];
    uint32_t count = 1;
    fitp_Full_init(&v);
    fitp_Note_init(&now);
    fitp_Full_note_ring_keep(&ring, 0, &now);
    from.note = fitp_Full_note_ring_find(&ring, 0);
    v.n = 1;
    v.has_back = true;
    memcpy(now.text, "abc", 4);
    now.marks[0] = true;
    order[0].number = fitp_Note_FIT_marks;
    assert_true(fitp_Full_fit_pack(&from, &v, &now, order, &count, sizeof data, NULL));
    assert_int_equal(count, 1);
    assert_int_equal(fitp_Full_pack(&from, &v, 0, data, sizeof data), sizeof data);
    assert_int_equal(sizeof data, 16);
}

int main(void)
{
    begin();
    return run_all(NULL);
}
