/* started.c - parts with start values for clients of two releases, by generated code.
 * SPDX-License-Identifier: MIT
 */
#include "started.h"
#include "started_serve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Down_peer server, client;
static World_served start_then, world_then, sent;
static Down v, in;
static uint8_t data[99];

static void check(bool good, const char *what, unsigned release)
{
    if (good)
        return;
    printf("started: release %u: %s\n", release, what);
    exit(1);
}

static size_t pack(unsigned number, const World *world, unsigned release)
{
    pkt_element order[9];
    uint32_t count = 0;
    for (; count < world->things_count; count++)
        order[count].number = World_FIT_things + count;
    memset(&v, 0, sizeof v);
    v.number = (uint8_t)number;
    v.has_back = number > 1;
    v.back = 1;
    check(World_serve(&world_then, release, world, NULL), "the world cannot be served", release);
    check(Down_fit_pack_for(&server, &v, &world_then, &sent, order, &count, sizeof data, NULL), "nothing fits",
          release);
    return Down_pack_for(&server, &v, &sent, 77, data, sizeof data);
}

static void play(unsigned release)
{
    static World start, world;
    pkt_error error;
    memset(&server, 0, sizeof server);
    memset(&client, 0, sizeof client);
    server.release = client.release = release;
    World_init(&start);
    World_things_add(&start, 3)->x = 500;
    World_things_add(&start, 5)->hp = 1;
    check(World_serve(&start_then, release, &start, NULL), "the start value cannot be served", release);
    check(Down_world_start_for(&server, &start_then) && Down_world_start_for(&client, &start_then),
          "the start value is refused", release);
    World_copy(&world, &start);
    for (unsigned number = 1; number < 6; number++) {
        if (number % 2 == 0)
            World_things_remove(&world, 3);
        else
            World_things_add(&world, 3)->x = 500;
        const size_t size = pack(number, &world, release);
        check(size != 0 && Down_unpack_for(&client, &in, 77, data, size), "a packet does not arrive", release);
        check(World_equal(&in.world, &world), "another world arrives", release);
        /* Each is as in the start value: the frame, the numbers, and at most 3 bytes. */
        check(size <= 8 + 2 + 3, "a packet is not based on the start value", release);
    }
    const size_t size = pack(1, &world, release);
    check(Down_world_start_for(&client, NULL), "no start value is refused", release);
    check(!Down_unpack_for_error(&client, &in, 77, data, size, &error) && error.code == PKT_ERROR_CRC,
          "the client needs no start value", release);
    client.release = 3 - release;
    check(!Down_world_start_for(&client, &start_then), "a start value of another release is taken", release);
}

int main(void)
{
    play(1);
    play(2);
    return 0;
}
