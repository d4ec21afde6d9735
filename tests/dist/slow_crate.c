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
    world_init(&w, 1);
    const Position *exact = &w.exact.entities[0].at, *settled = &w.settled.entities[0].at;
    velocity *v = &w.bodies[w.exact.entities[0].id].speed;
    const float from = settled->x, speed = exact->x < 0 ? 0.28f : -0.28f;
    double expected = 0;
    v->x = speed;
    for (double each = speed; each < -0.2 || each > 0.2; each *= 0.97)
        expected += each / arena_TICK_RATE;
    while (v->x != 0)
        world_tick(&w);
    printf("%.3f m, expected %.3f m\n", settled->x - from, expected);
    return abs((int)(1000 * (settled->x - from - expected))) <= 10 ? 0 : 1;
}
