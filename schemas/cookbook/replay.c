/* replay.c - shows from a recording what one client has received.
 * SPDX-License-Identifier: MIT
 *
 * docs/runtime.md, "Replays", has the schema and explains it.
 */
#include "tank.h"
#include "tank_capture.h"

#include <stdio.h>

/* Shows what one client has received. */
int main(int argc, char **argv)
{
    static uint8_t room[PKT_REPLAY_ROOM];
    static ToClient_world_ring received;
    static ToClient in;
    const uint8_t address[4] = {192, 0, 2, 9};
    const pkt_endpoint client = pkt_endpoint_of(address, 4, 50000);
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    pkt_replay replay;
    pkt_recorded_kind kind;
    pkt_recorded seen;
    uint64_t session = 0;
    if (!file)
        return 1;
    pkt_replay_begin(&replay, pkt_replay_from_file, file, room, sizeof room);
    while ((kind = pkt_replay_read(&replay, &seen)) > PKT_RECORDED_DAMAGE) {
        if (!pkt_endpoint_is(&seen.peer, &client))
            continue;
        if (kind == PKT_RECORDED_SESSION) {
            session = seen.seed;
            continue;
        }
        ToClient_names names;
        ToClient_baselines from = {{0}};
        if (!ToClient_peek(&in, &names, seen.data, seen.size))
            continue;
        from.world = ToClient_world_ring_find(&received, names.world.base);
        if (!ToClient_unpack(&from, &in, session, seen.data, seen.size))
            continue;
        ToClient_world_ring_keep(&received, names.world.number, &in.world);
        printf("%u: health %u, at %.2f\n", (unsigned)in.number, (unsigned)in.world.health, in.world.x);
    }
    fclose(file);
    return kind != PKT_RECORDED_END;
}
