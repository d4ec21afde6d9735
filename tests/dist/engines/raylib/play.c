/* play.c - draws a state with the program of docs/engines.md.
 * SPDX-License-Identifier: MIT
 */
#include "raylib.h"
#include "game.h"
#include <stdio.h>

void draw_state(const game_State *state, Color color);

void DrawCircleV(Vector2 center, float radius, Color color)
{
    printf("%g %g %g %d\n", (double)center.x, (double)center.y, (double)radius, color.r);
}

int main(void)
{
    const game_State state = {1, {{1, true, 2.5f, -3.0f}, {2, false, 0.0f, 1.0f}}, 2};
    draw_state(&state, (Color){255, 0, 0, 255});
    return 0;
}
