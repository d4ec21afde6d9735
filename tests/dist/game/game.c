/* game.c - the least program that uses generated code and the runtime: a packet there and back. */
#include "game.h"
#include <stdio.h>
#include <string.h>

int main(void)
{
    game_Shot shot, seen;
    uint8_t data[game_Shot_MAX_BYTES];
    game_Shot_init(&shot);
    game_Shot_init(&seen);
    shot.weapon = Weapon_pistol;
    shot.x = 1.5f;
    strcpy(shot.name, "anna");
    size_t size = game_Shot_pack(&shot, data, sizeof data);
    if (size == 0 || !game_Shot_unpack(&seen, data, size) || !game_Shot_equal(&shot, &seen))
        return 1;
    data[size - 1] ^= 1;
    if (game_Shot_unpack(&seen, data, size))
        return 1;
    printf("%s %s: %u bytes\n", seen.name, Weapon_name(seen.weapon), (unsigned)size);
    return 0;
}
