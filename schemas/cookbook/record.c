/* record.c - records a session, in which each packet is a delta to the one before.
 * SPDX-License-Identifier: MIT
 *
 * docs/runtime.md, "Replays", has the schema and explains it.
 */
#include "tank.h"
#include "tank_capture.h"

#include <stdio.h>

/* Records what a server might send to a client in a session with the seed 4711. */
int main(void)
{
    static ToClient_world_ring sent;
    const uint8_t addresses[2][4] = {{192, 0, 2, 1}, {192, 0, 2, 9}};
    const pkt_endpoint server = pkt_endpoint_of(addresses[0], 4, 40000),
                       client = pkt_endpoint_of(addresses[1], 4, 50000);
    const char *const *schema = tank_PROTOCOL_SCHEMA;
    FILE *file = fopen("match.pcapng", "wb");
    uint64_t now = 1700000000000000000;
    pkt_capture capture;
    if (!file || !pkt_capture_begin(&capture, pkt_capture_to_file, file, &server, &schema, 1))
        return 1;
    pkt_capture_session(&capture, now, &client, 4711, tank_PROTOCOL_ID);
    for (uint8_t i = 1; i <= 3; i++) {
        ToClient out = {0};
        ToClient_baselines from = {{0}};
        uint8_t data[ToClient_MAX_BYTES];
        out.number = i;
        out.has_back = i > 1;
        out.back = 1;
        out.world.health = 100;
        out.world.x = 0.5f * i;
        World_quantize(&out.world);
        if (out.has_back)
            from.world = ToClient_world_ring_find(&sent, (uint8_t)(i - 1));
        const size_t size = ToClient_pack(&from, &out, 4711, data, sizeof data);
        ToClient_world_ring_keep(&sent, i, &out.world);
        pkt_capture_packet(&capture, now += 50000000, PKT_SENT, &client, data, size);
    }
    return fclose(file) != 0;
}
