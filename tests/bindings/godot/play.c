/* play.c - prints what tests/bindings/play.c prints, by objects of Godot.
 * SPDX-License-Identifier: MIT
 *
 * usage: play OLD     OLD: a ToServer of release 7
 */
#include "arena_godot.c"

#include "engine.h"

#include <inttypes.h>

enum { TICKS = 60, ROOM = 160 };
static const uint64_t seed = 0x123456789;
static variant world, sent, got, ring, receiver, error;

static uint64_t sum_of(variant bytes)
{
    const sequence *s = *(sequence **)&bytes.value;
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (int64_t i = 0; i < s->count; i++)
        sum = (sum ^ s->data[i]) * UINT64_C(0x100000001b3);
    return sum;
}

static void print_error_object(void)
{
    variant field = get(error, "field");
    printf("%d %" PRIu64 " %s\n", (int)number_in(error, "code"), (uint64_t)number_in(error, "bit"),
           text_of(&field.value));
    drop(field);
}

static void put_in(variant on, const char *inner, const char *name, variant v)
{
    variant in = get(on, inner);
    put(in, name, v);
    drop(in);
}

static void move_world(int tick)
{
    for (int i = 0; i < 24; i++) {
        variant e = CALL(world, "entities_add", of_number(i * 7 + tick / 20));
        put(e, "kind", of_number(i % 3 == 0 ? Kind_player : Kind_crate));
        put_in(e, "at", "x", of_real((double)(i + tick) / 4));
        put_in(e, "at", "y", of_real(i - 8));
        put_in(e, "at", "z", of_real(2));
        put(e, "health", of_number(90));
        drop(e);
    }
    drop(CALL(world, "entities_remove", of_number(tick / 20 * 7)));
    drop(call0(world, "quantize"));
}

static variant order_of(int64_t count, int tick)
{
    variant order = {GDEXTENSION_VARIANT_TYPE_ARRAY, {.pointer = hold(NULL, count, sizeof(variant))}};
    for (int64_t i = 0; i < count; i++) {
        variant each = make("ArenaPktElement");
        put(each, "number", of_number(Snapshot_FIT_entities + (i + tick) % count));
        *variant_at(&order.value, i) = each;
    }
    return order;
}

static void write_event(void)
{
    variant events, event = make("ArenaEvent"), chat;
    put(sent, "events_count", of_number(1));
    chat = get(event, "chat");
    put(chat, "slot", of_number(3));
    put(chat, "text", of_text("caf\xc3\xa9"));
    put(event, "chat", chat);
    events = (variant){GDEXTENSION_VARIANT_TYPE_ARRAY, {.pointer = hold(NULL, 1, sizeof(variant))}};
    *variant_at(&events.value, 0) = event;
    put(sent, "events", events);
}

static void play_worlds(void)
{
    int acknowledged = 0;
    bool any = false;
    for (int tick = 1; tick <= TICKS; tick++) {
        variant from = make("ArenaToClientBaselines"), found = make("ArenaToClientSnapshotBaseline");
        variant report = make("ArenaPktFitReport");
        move_world(tick);
        drop(call0(sent, "init"));
        put(sent, "number", of_number(tick));
        put(sent, "tick", of_number(tick));
        put(sent, "has_back", (variant){GDEXTENSION_VARIANT_TYPE_BOOL, {any}});
        put(sent, "back", of_number(any ? tick - acknowledged : 1));
        write_event();
        if (any)
            drop(CALL(ring, "find", of_number(acknowledged), again(found)));
        put(from, "snapshot", found);
        const bool fits = CALL(sent, "fit_pack", again(from), again(world),
                               order_of(number_in(world, "entities_count"), tick), of_number(ROOM), again(report))
                              .value.number;
        variant data = CALL(sent, "pack", again(from), of_number((int64_t)seed), again(error));
        printf("%d: %d %d %d, %d bytes %016" PRIx64 "\n", tick, fits, (int)number_in(report, "kept"),
               (int)number_in(report, "left_out"), (int)(*(sequence **)&data.value)->count, sum_of(data));
        drop(report);
        drop(from);
        drop(CALL(ring, "keep", of_number(tick), get(sent, "snapshot")));
        if (tick % 5 == 0) {
            drop(data);
            continue;
        }
        if (tick % 7 == 0)
            *byte_at(&data.value, 20) ^= 4;
        if (CALL(got, "receive", again(receiver), of_number((int64_t)seed), data, again(error)).value.number) {
            variant snapshot = get(got, "snapshot"), events = get(got, "events"),
                    chat = get(*variant_at(&events.value, 0), "chat");
            variant text = get(chat, "text"), other = get(sent, "snapshot");
            any = true;
            acknowledged = (int)(uint16_t)call0(receiver, "newest").value.number;
            printf("  %u entities %016" PRIx64 " %d %s\n", (unsigned)number_in(snapshot, "entities_count"),
                   (uint64_t)call0(snapshot, "hash").value.number, (int)CALL(snapshot, "equal", other).value.number,
                   text_of(&text.value));
            drop(text);
            drop(chat);
            drop(events);
            drop(snapshot);
        } else {
            print_error_object();
        }
    }
    variant mixed = make("ArenaSnapshot"), snapshot = get(got, "snapshot");
    drop(CALL(snapshot, "mix", again(world), of_real(0.5), again(mixed)));
    printf("%016" PRIx64 " %d\n", (uint64_t)call0(mixed, "hash").value.number,
           (int)CALL(snapshot, "near", again(world)).value.number);
    drop(snapshot);
    drop(mixed);
}

static void play_commands(const char *old)
{
    variant command = make("ArenaToServer"), taken = make("ArenaToServer"), version = make("ArenaPktNumber"), data,
            each;
    put(command, "repeated", of_number(5));
    const int64_t count = call0(command, "commands_count").value.number;
    for (int64_t i = 0; i < count; i++) {
        each = CALL(command, "commands_at", of_number(i));
        put(each, "yaw", of_real(90.0 * (double)i));
        drop(each);
    }
    data = CALL(command, "pack", of_number((int64_t)seed), again(error));
    printf("%d bytes %016" PRIx64 " %d\n", (int)(*(sequence **)&data.value)->count, sum_of(data),
           (int)CALL(taken, "unpack", of_number((int64_t)seed), again(data)).value.number);
    printf("%d\n", (int)CALL(taken, "unpack", of_number((int64_t)seed + 1), data, again(error)).value.number);
    print_error_object();
    each = CALL(command, "commands_at", of_number(2));
    put(each, "forward", of_number(2));
    drop(each);
    data = CALL(command, "pack", of_number((int64_t)seed), again(error));
    printf("%d\n", (int)(*(sequence **)&data.value)->count);
    drop(data);
    print_error_object();
    static uint8_t bytes[2000];
    FILE *file = fopen(old, "rb");
    const size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file)
        fclose(file);
    const bool read =
        CALL(taken, "unpack_any", of_number((int64_t)seed), of_bytes(bytes, size), again(version), again(error))
            .value.number;
    printf("%d of release %d, newest %u\n", read, (int)number_in(version, "value"),
           (unsigned)number_in(taken, "newest"));
    drop(version);
    drop(taken);
    drop(command);
}

/* A baseline keeps the ring alive that it points into, and what has a copy of the baseline does, too. */
static void play_kept(void)
{
    variant kept = make("ArenaToClientSnapshotRing"), found = make("ArenaToClientSnapshotBaseline");
    variant from = make("ArenaToClientBaselines"), again_found, there;
    drop(CALL(kept, "keep", of_number(5), again(world)));
    drop(CALL(kept, "find", of_number(5), again(found)));
    drop(kept);
    put(from, "snapshot", again(found));
    drop(CALL(ring, "find", of_number(-1), again(found)));
    there = get(found, "value");
    if (there.value.pointer)
        puts("there is no number -1");
    drop(found);
    again_found = get(from, "snapshot");
    there = get(again_found, "value");
    drop(from);
    drop(again_found);
    if (!CALL(there, "equal", again(world)).value.number)
        puts("the ring has another value");
    drop(there);
}

int main(int argc, char **argv)
{
    start(arena_godot_init);
    world = make("ArenaSnapshot");
    sent = make("ArenaToClient");
    got = make("ArenaToClient");
    ring = make("ArenaToClientSnapshotRing");
    receiver = make("ArenaToClientReceiver");
    error = make("ArenaPktError");
    play_worlds();
    play_kept();
    play_commands(argc > 1 ? argv[1] : "");
    variant *const all[] = {&world, &sent, &got, &ring, &receiver, &error};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        drop(*all[i]);
    stop();
    return 0;
}
