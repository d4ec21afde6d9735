/* match.c - sends the snapshots of a demo as packets of a schema, and reads them back.
 * SPDX-License-Identifier: MIT
 *
 * usage: match DEMO [SNAPSHOTS [RECORDING]]     sends the first SNAPSHOTS, 0: all; RECORDING becomes a pcapng of the packets, for
 *                                               pktc train
 *
 * Each packet is a delta to the snapshot that the game's own message was a delta to, or to none. PREDICTED: the packet also names
 * the baseline of its baseline, which the client has too. Prints, in one line: the snapshots; the game's bytes and those of the
 * packets without their 8 bytes of framing; the same three of those with a baseline; the mean bytes of a snapshot in the game's
 * memory; the bytes of a World, of a side's ring of Worlds, and of the ring's pages that were written. Fails if a packet cannot be
 * written or read, or if what was read is not what was sent: bit for bit if EXACT, else integers exactly, and floats as close as the
 * schema says.
 */
#include "convert.h"
#include "match_capture.h"

#include <stdio.h>
#include <stdlib.h>

enum { FRAMING = 8, MOST_BYTES = 64 << 20, PAGE = 4096 };

/* Callgrind counts these functions by their names. */
#if defined(__clang__)
#define COUNTED __attribute__((noinline))
#else
#define COUNTED __attribute__((noipa))
#endif

typedef struct total {
    double snapshots, game, sent;
} total;

static demo match;
static ToClient_world_ring sent, received;

static void fail(const char *what, const demo_snapshot *s)
{
    fprintf(stderr, "match: %s", what);
    if (s)
        fprintf(stderr, ": snapshot %d", (int)s->number);
    fputc('\n', stderr);
    exit(1);
}

static const uint8_t *load(const char *path, size_t *size)
{
    FILE *const file = fopen(path, "rb");
    uint8_t *const data = malloc(MOST_BYTES);
    *size = file && data ? fread(data, 1, MOST_BYTES, file) : 0;
    if (*size == 0 || *size == MOST_BYTES || fclose(file) != 0)
        fail("the demo cannot be read", NULL);
    return data;
}

/* What new entities start from, on both sides. */
static World start;
static ToClient_world_baseline start_of_world;

COUNTED size_t counted_pack(const ToClient_baselines *from, const ToClient *out, uint8_t *data)
{
    pkt_error error;
    char line[200];
    const size_t size = ToClient_pack_error(from, out, 0, data, ToClient_MAX_BYTES, &error);
    if (size == 0)
        fprintf(stderr, "match: %s\n", pkt_error_string(&error, line, sizeof line));
    return size;
}

COUNTED bool counted_unpack(ToClient *in, const uint8_t *data, size_t size)
{
    ToClient_names names;
    ToClient_baselines from;
    memset(&from, 0, sizeof from);
    from.world_start = start_of_world;
    if (!ToClient_peek(in, &names, data, size))
        return false;
    if (names.world.based)
        from.world = ToClient_world_ring_find(&received, names.world.base);
#ifdef PREDICTED
    if (names.world.moves)
        from.world_before = ToClient_world_ring_find(&received, names.world.before);
#endif
    return ToClient_unpack(&from, in, 0, data, size);
}

COUNTED void counted_keep(ToClient_world_ring *ring, uint16_t number, const World *world)
{
    ToClient_world_ring_keep(ring, number, world);
}

/* `before` is the number of the baseline of the snapshot's baseline, -1: none. */
static size_t pack(ToClient *out, const demo_snapshot *s, int32_t before, uint8_t *data)
{
    ToClient_baselines from;
    memset(&from, 0, sizeof from);
    from.world_start = start_of_world;
    out->number = (uint16_t)s->number;
    out->has_back = s->base >= 0 && s->number - s->base < 32;
    out->back = out->has_back ? (uint8_t)(s->number - s->base) : 1;
    if (out->has_back)
        from.world = ToClient_world_ring_find(&sent, (uint16_t)s->base);
#ifdef PREDICTED
    out->has_gap = out->has_back && before >= 0 && s->base - before < 32;
    out->gap = out->has_gap ? (uint8_t)(s->base - before) : 1;
    if (out->has_gap)
        from.world_before = ToClient_world_ring_find(&sent, (uint16_t)before);
#else
    (void)before;
#endif
    put_world(&out->world, s);
    World_quantize(&out->world);
    return counted_pack(&from, out, data);
}

/* Whether a field of `bits`, 0 for a float, arrived. */
static bool is_field_same(int bits, int32_t a, int32_t b)
{
#ifndef EXACT
    const float off = fabsf(float_of(a) - float_of(b));
    if (bits == 0)
        return off <= 0.51f || fabsf(off - 360) <= 0.51f;
#else
    (void)bits;
#endif
    return a == b;
}

#define BITS(name, bits) bits,
static bool is_same(const demo_snapshot *a, const demo_snapshot *b)
{
    static const int8_t entity[] = {DEMO_ENTITY(BITS)};
    static const int8_t player[DEMO_PLAYER_NUMBERS] = {DEMO_PLAYER(BITS)};
    bool same = a->time == b->time && a->flags == b->flags && a->area_bytes == b->area_bytes && a->count == b->count &&
                memcmp(a->areas, b->areas, a->area_bytes) == 0;
    for (int i = 0; same && i < DEMO_PLAYER_NUMBERS; i++)
        same = is_field_same(i < DEMO_PLAYER_FIELDS ? player[i] : 32, a->player[i], b->player[i]);
    for (int n = 0; same && n < a->count; n++) {
        same = a->entities[n].number == b->entities[n].number;
        for (int i = 0; same && i < DEMO_ENTITY_FIELDS; i++)
            same = is_field_same(entity[i], a->entities[n].fields[i], b->entities[n].fields[i]);
    }
    return same;
}

static void count(total *t, const demo_snapshot *s, size_t size)
{
    t->snapshots++;
    t->game += s->bits / 8.0;
    t->sent += (double)(size - FRAMING);
}

/* The bytes of the pages of `memory` that were written, since it was zero: so much of it a system provides. */
static size_t written(const void *memory, size_t size)
{
    const uint8_t *const bytes = memory;
    const size_t before = (uintptr_t)memory % PAGE;
    size_t pages = 0, last = 0; /* the last page that counts; the first one is 1 */
    for (size_t i = 0; i < size; i++) {
        const size_t page = (before + i) / PAGE + 1;
        if (bytes[i] != 0 && page != last) {
            last = page;
            pages++;
        }
    }
    return pages * PAGE;
}

static void begin_recording(pkt_capture *capture, FILE *file, const pkt_endpoint *client)
{
    const uint8_t address[4] = {192, 0, 2, 1};
    const pkt_endpoint server = pkt_endpoint_of(address, 4, 40000);
    const char *const *schema = match_PROTOCOL_SCHEMA;
    if (!file || !pkt_capture_begin(capture, pkt_capture_to_file, file, &server, &schema, 1) ||
        !pkt_capture_session(capture, 0, client, 0, match_PROTOCOL_ID))
        fail("the recording cannot be written", NULL);
}

/* For pktc, the start value is in a frame before the first packet. */
static void record_start(pkt_capture *capture, const pkt_endpoint *client)
{
    static const pkt_frame frame = {match_PROTOCOL_ID, "ToClient.world_start", true};
    static uint8_t data[World_MAX_BITS / 8 + 100];
    pkt_writer w;
    pkt_writer_init(&w, data, sizeof data);
    (void)(pkt_writer_frame_begin(&w, &frame) && World_write(&w, &start));
    const size_t size = pkt_writer_frame_end(&w, &frame, 0);
    if (size == 0 || !pkt_capture_packet(capture, 0, PKT_SENT, client, data, size))
        fail("the start value cannot be recorded", NULL);
}

int main(int argc, char **argv)
{
    static ToClient out, in;
    static demo_snapshot arrived;
    static uint8_t data[ToClient_MAX_BYTES];
    static int32_t bases[65536];
    const uint8_t address[4] = {192, 0, 2, 9};
    const pkt_endpoint client = pkt_endpoint_of(address, 4, 50000);
    pkt_capture capture;
    FILE *const file = argc == 4 ? fopen(argv[3], "wb") : NULL;
    total all = {0}, based = {0};
    double kept = 0;
    size_t size;
    const double most = argc > 2 ? atof(argv[2]) : 0;
    if (argc < 2 || argc > 4)
        fail("usage: match DEMO [SNAPSHOTS [RECORDING]]", NULL);
    if (argc == 4)
        begin_recording(&capture, file, &client);
    const uint8_t *const bytes = load(argv[1], &size);
    demo_begin(&match, bytes, size);
    for (const demo_snapshot *s; (most == 0 || all.snapshots < most) && (s = demo_next(&match));) {
        const int32_t before = s->base < 0 ? -1 : bases[s->base % 65536];
        bases[s->number % 65536] = s->base;
        if (all.snapshots == 0) {
            put_start(&start, match.start);
            World_quantize(&start);
            start_of_world = ToClient_world_start(&start);
            if (argc == 4)
                record_start(&capture, &client);
        }
        size = pack(&out, s, before, data);
        if (size == 0)
            fail("a packet cannot be written", s);
        if (!counted_unpack(&in, data, size))
            fail("a packet cannot be read", s);
        get_world(&in.world, &arrived);
        if (!World_equal(&in.world, &out.world) || !is_same(s, &arrived))
            fail("what arrived is not what was sent", s);
        counted_keep(&sent, out.number, &out.world);
        counted_keep(&received, in.number, &in.world);
        count(&all, s, size);
        if (out.has_back)
            count(&based, s, size);
        kept += sizeof s->player + (double)s->count * sizeof s->entities[0];
        if (argc == 4 && !pkt_capture_packet(&capture, (uint64_t)s->time * 1000000, PKT_SENT, &client, data, size))
            fail("the recording cannot be written", s);
    }
    if (match.error || all.snapshots == 0)
        fail(match.error ? match.error : "the demo has no snapshots", NULL);
    if (file && fclose(file) != 0)
        fail("the recording cannot be written", NULL);
    printf("%.0f %.0f %.0f %.0f %.0f %.0f %.0f %zu %zu %zu\n", all.snapshots, all.game, all.sent, based.snapshots,
           based.game, based.sent, kept / all.snapshots, sizeof(World), sizeof sent, written(&sent, sizeof sent));
    return 0;
}
