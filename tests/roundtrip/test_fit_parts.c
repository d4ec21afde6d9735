/* test_fit_parts.c - the budget of a packet has room for all but the elements that T_fit_pack leaves out.
 * SPDX-License-Identifier: MIT
 */
#include "fit_parts.h"
#include "fit_draws.h"
#include "unit.h"

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
