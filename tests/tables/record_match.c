/* record_match.c - records the match that docs/tables.md asks.
 * SPDX-License-Identifier: MIT
 *
 * usage: record_match RECORDING
 */
#include "match.h"
#include "match_capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 60, HZ = 10, PLAYERS = 4, ROOM = 256 };

static pkt_capture capture;
static uint32_t state = 7;

static uint32_t draw(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

static void must(bool good)
{
    if (good)
        return;
    fputs("the match cannot be recorded\n", stderr);
    exit(1);
}

static void add(bool sent, unsigned client, uint64_t time, const uint8_t *data, size_t size)
{
    const uint8_t address[] = {10, 0, 0, (uint8_t)(client + 1)};
    const pkt_endpoint peer = pkt_endpoint_of(address, 4, 50000);
    must(size != 0 && pkt_capture_packet(&capture, UINT64_C(1700000000000000000) + time * 1000000,
                                         sent ? PKT_SENT : PKT_RECEIVED, &peer, data, size));
}

/* One in some shots hits. Client 2 says nothing for a while. */
static void shoot(unsigned client, uint64_t time)
{
    uint8_t data[ROOM];
    Shot shot;
    if (draw(12) != 0 || (client == 2 && time > 20000 && time < 24000))
        return;
    Shot_init(&shot);
    shot.shooter = (uint8_t)client;
    shot.weapon = draw(4) == 0 ? Weapon_rocket : Weapon_rifle;
    shot.has_hit = draw(shot.weapon == Weapon_rocket ? 2 : 4) == 0;
    shot.hit = (uint8_t)((client + 1 + draw(3)) % PLAYERS);
    const size_t size = Shot_pack(&shot, data, sizeof data);
    if (draw(60) == 0)
        data[size - 1] ^= 1; /* damaged on its way */
    add(false, client, time + client, data, size);
}

int main(int argc, char **argv)
{
    const uint8_t address[] = {192, 0, 2, 1};
    const pkt_endpoint local = pkt_endpoint_of(address, 4, 40000);
    const char *const *schema = match_PROTOCOL_SCHEMA;
    unsigned dead[PLAYERS] = {0};
    uint8_t data[ROOM];
    Snapshot now;
    must(argc == 2);
    FILE *to = fopen(argv[1], "wb");
    must(to != NULL && pkt_capture_begin(&capture, pkt_capture_to_file, to, &local, &schema, 1));
    Snapshot_init(&now);
    now.players_count = PLAYERS;
    for (unsigned tick = 0; tick < SECONDS * HZ; tick++) {
        const uint64_t time = (uint64_t)tick * 1000 / HZ;
        now.tick = tick;
        for (unsigned i = 0; i < PLAYERS; i++) {
            Player *p = &now.players[i];
            p->x += (float)((int)draw(21) - 10) * 0.05f * (float)(i + 1);
            p->y += (float)((int)draw(21) - 10) * 0.05f;
            dead[i] = dead[i] > 0 ? dead[i] - 1 : draw(200) == 0 ? 30 : 0;
            p->health = dead[i] > 0 ? 0 : 100;
            shoot(i, time);
        }
        Snapshot_quantize(&now);
        if (tick < 301 || tick > 304)
            add(true, 0, time + 50, data, Snapshot_pack(&now, data, sizeof data));
    }
    return fclose(to) == 0 ? 0 : 1;
}
