/* hooks.c - tests @convert: what a program converts itself, in tests/emit/golden/upgrade.pkt.
 * SPDX-License-Identifier: MIT
 *
 * usage: hooks KEPT FILE...     each FILE is a State of release 1 or 2; KEPT is a Kept, which is the same in two releases
 */
#include "kept_upgrade.h"
#include "upgrade_upgrade.h"

#include <stdio.h>
#include <string.h>

/* In release 1 a player had up to 65535 health, of which 1000 were all; 999 was a mark for players who had left. */
bool Player_from_v1(Player *v, const upgrade_v1_Player *old)
{
    Player_init(v);
    memcpy(v->name, "old ", 5);
    strncat(v->name, old->name, 4);
    v->hp = (uint8_t)(old->health / 10 < 100 ? old->health / 10 : 100);
    return old->health != 999;
}

/* The speed was in feet per second. */
void State_speed_from_v1(State *v, const upgrade_v1_State *old)
{
    v->speed = (float)old->speed * 0.3048f;
}

void State_speed_from_v2(State *v, const upgrade_v2_State *old)
{
    v->speed = (float)old->speed * 2;
}

static size_t read_file(const char *name, unsigned char *data, size_t room)
{
    FILE *file = fopen(name, "rb");
    const size_t size = file != NULL ? fread(data, 1, room, file) : 0;
    return file != NULL && fclose(file) == 0 ? size : 0;
}

/* A value of an older version is initialized first, also if its packet has not changed. */
static bool is_initialized(const char *name)
{
    unsigned char data[64];
    const size_t size = read_file(name, data, sizeof data);
    Kept v;
    uint32_t version;
    memset(&v, 0xa5, sizeof v);
    return Kept_unpack_any(&v, data, size, &version) && version == 1 && v.x == 5 && v.t[1] == 6 && v.t[7] == 0 &&
           v.cache == 0;
}

int main(int argc, char **argv)
{
    if (upgrade_PROTOCOL_VERSION_OF(upgrade_PROTOCOL_ID) != 3 ||
        upgrade_PROTOCOL_VERSION_OF(upgrade_v2_PROTOCOL_ID) != 2 ||
        upgrade_PROTOCOL_VERSION_OF(upgrade_v1_PROTOCOL_ID) != 1 || upgrade_PROTOCOL_VERSION_OF(1) != 0)
        return 2;
    if (argc < 2 || !is_initialized(argv[1]))
        return 3;
    for (int i = 2; i < argc; i++) {
        unsigned char data[4096];
        const size_t size = read_file(argv[i], data, sizeof data);
        State state;
        uint32_t version;
        if (!State_unpack_any(&state, data, size, &version))
            return 1;
        printf("version %u, speed %.2f:", (unsigned)version, state.speed);
        for (uint32_t k = 0; k < 20; k++)
            if (State_players_has(&state, k))
                printf(" [%u] %s %u", (unsigned)k, state.players[k].name, state.players[k].hp);
        putchar('\n');
    }
    return 0;
}
