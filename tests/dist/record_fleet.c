/* record_fleet.c - records the matches that fleet.sh counts: deltas of a few numbers, each to the state before.
 * SPDX-License-Identifier: MIT
 *
 * usage: record_fleet DIR MATCHES     makes DIR/match1.pcapng and so on
 */
#include "match.h"
#include "match_capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 1024 };

static void must(bool good)
{
    if (good)
        return;
    fputs("a match cannot be recorded\n", stderr);
    exit(1);
}

static void record_match(const char *path, unsigned match)
{
    static const pkt_frame frame = match_PROTOCOL_FRAME("Update");
    const uint8_t server[4] = {192, 0, 2, 1}, client[4] = {10, 0, 0, (uint8_t)match};
    const pkt_endpoint local = pkt_endpoint_of(server, 4, 4000), peer = pkt_endpoint_of(client, 4, 4001);
    const char *const *schema = match_PROTOCOL_SCHEMA;
    uint8_t data[BUFFER];
    State now, before;
    pkt_capture capture;
    FILE *to = fopen(path, "wb");
    must(to != NULL && pkt_capture_begin(&capture, pkt_capture_to_file, to, &local, &schema, 1));
    State_init(&before);
    now = before;
    for (unsigned n = 0; n < 50 * match; n++) {
        Head head;
        pkt_writer w;
        Head_init(&head);
        head.number = (uint16_t)n;
        head.has_back = n > 0;
        head.back = 1;
        now.tick = (uint16_t)n;
        for (unsigned i = 0; i < 4; i++)
            now.x[i] = (int16_t)(now.x[i] + (int)(n * match * (i + 7) % 23) - 11);
        pkt_writer_init(&w, data, sizeof data);
        pkt_writer_frame_begin(&w, &frame);
        Head_write(&w, &head);
        State_write_delta(&w, n > 0 ? &before : NULL, &now);
        const size_t size = pkt_writer_frame_end(&w, &frame, 0);
        must(size != 0 &&
             pkt_capture_packet(&capture, (UINT64_C(1700000000) + match) * 1000000000 + n * UINT64_C(16666667),
                                PKT_SENT, &peer, data, size));
        before = now;
    }
    must(fclose(to) == 0);
}

int main(int argc, char **argv)
{
    must(argc == 3);
    for (int i = 1; i <= atoi(argv[2]); i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/match%d.pcapng", argv[1], i);
        record_match(path, (unsigned)i);
    }
    return 0;
}
