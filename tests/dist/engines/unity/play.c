/* play.c - prints what Play.cs has to print, and writes the State that it reads.
 * SPDX-License-Identifier: MIT
 */
#include "game.h"
#include <stdio.h>

int main(int argc, char **argv)
{
    uint8_t data[game_State_MAX_BYTES];
    const game_Join join = {7, "anna"};
    size_t size = game_Join_pack(&join, data, sizeof data);
    for (size_t i = 0; i < size; i++)
        printf(i ? "-%02X" : "%02X", (unsigned)data[i]);
    game_State state;
    game_State_init(&state);
    state.tick = 1000;
    state.ships_count = 2;
    state.ships[1].slot = 63;
    state.ships[1].moving = true;
    state.ships[1].x = 512;
    size = game_State_pack(&state, data, sizeof data);
    printf(" ok\n0 capacity\nTrue 1000 2 63 512\nFalse\n");
    FILE *file = argc > 1 ? fopen(argv[1], "wb") : NULL;
    return !file || fwrite(data, 1, size, file) != size || fclose(file) != 0;
}
