/* play.c - prints what Play.cs has to print: worlds of the example that fit into small packets, with lost ones, as deltas to
 * values of rings; packets of another session, of an older release, and damaged ones.
 * SPDX-License-Identifier: MIT
 *
 * usage: play OLD     OLD: a ToServer of release 7
 */
#include "arena_upgrade.h"

#include <inttypes.h>
#include <stdio.h>

enum { TICKS = 60, ROOM = 160 };
static const uint64_t seed = 0x123456789;

static Snapshot world, got_world;
static ToClient sent, got;
static ToClient_snapshot_ring ring;
static ToClient_receiver receiver;
static ToServer command, taken;

static uint64_t sum_of(const uint8_t *data, size_t size)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ data[i]) * UINT64_C(0x100000001b3);
    return sum;
}

static void print_error(const pkt_error *error)
{
    printf("%d %" PRIu64 " %s\n", (int)error->code, error->bit, error->field);
}

static void move_world(unsigned tick)
{
    for (unsigned i = 0; i < 24; i++) {
        const uint16_t id = (uint16_t)(i * 7 + tick / 20);
        Entity *e = Snapshot_entities_add(&world, id);
        e->kind = i % 3 == 0 ? Kind_player : Kind_crate;
        e->at.x = (float)(i + tick) / 4;
        e->at.y = (float)i - 8;
        e->at.z = 2;
        e->health = 90;
    }
    Snapshot_entities_remove(&world, (uint16_t)(tick / 20 * 7));
    Snapshot_quantize(&world);
}

static void play_worlds(void)
{
    static pkt_element order[arena_MAX_ENTITIES];
    uint8_t data[ROOM];
    uint16_t acknowledged = 0;
    bool any = false;
    for (unsigned tick = 1; tick <= TICKS; tick++) {
        ToClient_baselines from = {{NULL, 0, 0}};
        pkt_fit_report report;
        pkt_error error;
        move_world(tick);
        ToClient_init(&sent);
        sent.number = (uint16_t)tick;
        sent.tick = tick;
        sent.has_back = any;
        sent.back = (uint8_t)(any ? tick - acknowledged : 1);
        sent.events_count = 1;
        sent.events[0].tag = Event_tag_chat;
        sent.events[0].as.chat.slot = 3;
        pkt_text_set(sent.events[0].as.chat.text, sizeof sent.events[0].as.chat.text, "caf\xc3\xa9");
        if (any)
            from.snapshot = ToClient_snapshot_ring_find(&ring, acknowledged);
        uint32_t count = world.entities_count;
        for (uint32_t i = 0; i < count; i++)
            order[i].number = Snapshot_FIT_entities + (i + tick) % count;
        const bool fits = ToClient_fit_pack(&from, &sent, &world, order, &count, sizeof data, &report);
        const size_t size = ToClient_pack_error(&from, &sent, seed, data, sizeof data, &error);
        printf("%u: %d %u %u, %zu bytes %016" PRIx64 "\n", tick, fits, (unsigned)report.kept, (unsigned)report.left_out,
               size, sum_of(data, size));
        ToClient_snapshot_ring_keep(&ring, tick, &sent.snapshot);
        if (tick % 5 == 0)
            continue;
        if (tick % 7 == 0)
            data[20] ^= 4;
        if (ToClient_receive_error(&receiver, &got, seed, data, size, &error)) {
            any = true;
            acknowledged = (uint16_t)receiver.newest;
            printf("  %u entities %016" PRIx64 " %d %s\n", (unsigned)got.snapshot.entities_count,
                   Snapshot_hash(&got.snapshot), Snapshot_equal(&got.snapshot, &sent.snapshot),
                   got.events[0].as.chat.text);
        } else {
            print_error(&error);
        }
    }
    Snapshot_mix(&got.snapshot, &world, 0.5, &got_world);
    printf("%016" PRIx64 " %d\n", Snapshot_hash(&got_world), Snapshot_near(&got.snapshot, &world, NULL));
}

static void play_commands(const char *old)
{
    uint8_t data[ToServer_MAX_BYTES];
    pkt_error error;
    uint32_t version;
    ToServer_init(&command);
    command.repeated = 5;
    for (unsigned i = 0; i < ToServer_commands_count(&command); i++)
        command.commands[i].yaw = 90.0f * (float)i;
    size_t size = ToServer_pack_error(&command, seed, data, sizeof data, &error);
    printf("%zu bytes %016" PRIx64 " %d\n", size, sum_of(data, size), ToServer_unpack(&taken, seed, data, size));
    printf("%d\n", ToServer_unpack_error(&taken, seed + 1, data, size, &error));
    print_error(&error);
    command.commands[2].forward = 2;
    printf("%zu\n", ToServer_pack_error(&command, seed, data, sizeof data, &error));
    print_error(&error);
    FILE *file = fopen(old, "rb");
    size = file ? fread(data, 1, sizeof data, file) : 0;
    if (file)
        fclose(file);
    const bool read = ToServer_unpack_any_error(&taken, seed, data, size, &version, &error);
    printf("%d of release %u, newest %u\n", read, (unsigned)version, (unsigned)taken.newest);
}

int main(int argc, char **argv)
{
    play_worlds();
    play_commands(argc > 1 ? argv[1] : "");
    return 0;
}
