/* slow_crate.c - checks that crates of the example slide until they lie still, however slow they are.
 * SPDX-License-Identifier: MIT
 *
 * A crate of 0.28 m/s moves by less than half of the steps in which positions are sent. It stands still if the world that
 * moves is the one that is rounded.
 */
#include "world.h"

#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    static world w;
    const Position *exact = &w.exact.entities[FIRST_CRATE].at, *settled = &w.settled.entities[FIRST_CRATE].at;
    world_init(&w, 1);
    const float from = settled->x, speed = exact->x < 0 ? 0.28f : -0.28f;
    double expected = 0;
    w.speeds[FIRST_CRATE].x = speed;
    for (double v = speed; v < -0.2 || v > 0.2; v *= 0.97)
        expected += v / arena_TICK_RATE;
    while (w.speeds[FIRST_CRATE].x != 0) {
        world_begin(&w);
        world_end(&w);
    }
    printf("%.3f m, expected %.3f m\n", settled->x - from, expected);
    return abs((int)(1000 * (settled->x - from - expected))) <= 10 ? 0 : 1;
}
