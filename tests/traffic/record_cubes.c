/* record_cubes.c - records the cubes of tests/data as deltas, each to the state six frames before.
 * SPDX-License-Identifier: MIT
 *
 * usage: record_cubes TRACE RECORDING     prints how many bytes all datagrams have
 */
#include "cubes.h"
#include "cubes_capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 600, BACK = 6, HEAD = 16, FLOATS = 13, BUFFER = 65536 };

static State states[FRAMES];

static void must(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

/* In the trace, a cube is a byte and 13 floats, of which the first 7 are its position and rotation. */
static void load(const char *path)
{
    uint8_t head[HEAD], cube[1 + 4 * FLOATS];
    float v[FLOATS];
    FILE *from = fopen(path, "rb");
    must(from != NULL && fread(head, 1, HEAD, from) == HEAD, "the trace cannot be read");
    for (int n = 0; n < FRAMES; n++) {
        State_init(&states[n]);
        for (int i = 0; i < cubes_CUBES; i++) {
            Cube *c = &states[n].cubes[i];
            must(fread(cube, 1, sizeof cube, from) == sizeof cube, "the trace ends early");
            memcpy(v, cube + 1, sizeof v);
            c->x = v[0];
            c->y = v[1];
            c->z = v[2];
            c->turn.x = v[3];
            c->turn.y = v[4];
            c->turn.z = v[5];
            c->turn.w = v[6];
        }
        State_quantize(&states[n]);
    }
    fclose(from);
}

int main(int argc, char **argv)
{
    static const pkt_frame frame = cubes_PROTOCOL_FRAME("Frame");
    static const uint8_t addresses[2][4] = {{192, 0, 2, 1}, {192, 0, 2, 2}};
    static uint8_t data[BUFFER];
    const pkt_endpoint local = pkt_endpoint_of(addresses[0], 4, 4000), peer = pkt_endpoint_of(addresses[1], 4, 4001);
    const char *const *schema = cubes_PROTOCOL_SCHEMA;
    size_t all = 0;
    pkt_capture capture;
    must(argc == 3, "usage: record_cubes TRACE RECORDING");
    load(argv[1]);
    FILE *to = fopen(argv[2], "wb");
    must(to != NULL && pkt_capture_begin(&capture, pkt_capture_to_file, to, &local, &schema, 1),
         "it cannot be recorded");
    for (int n = 0; n < FRAMES; n++) {
        DeltaHeader header;
        pkt_writer w;
        DeltaHeader_init(&header);
        header.sequence = (uint16_t)n;
        header.baseline.back = n < BACK ? 0 : BACK;
        pkt_writer_init(&w, data, sizeof data);
        pkt_writer_frame_begin(&w, &frame);
        DeltaHeader_write(&w, &header);
        State_write_delta(&w, n < BACK ? NULL : &states[n - BACK], &states[n]);
        const size_t size = pkt_writer_frame_end(&w, &frame, 0);
        must(size != 0 && pkt_capture_packet(&capture, UINT64_C(1700000000000000000) + (uint64_t)n * 16666667, PKT_SENT,
                                             &peer, data, size),
             "a frame cannot be recorded");
        all += size;
    }
    printf("%zu\n", all);
    return fclose(to) == 0 ? 0 : 1;
}
