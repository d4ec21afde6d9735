/* record_random.c - recordings of random values, whose tables readers.sh compares with what decode prints.
 * SPDX-License-Identifier: MIT
 *
 * usage: record_random SEED CASES DIRECTORY COUNT [FILE.pkt...]
 *
 * For each schema, COUNT random ones and the FILEs, it writes DIRECTORY/N.pcapng with packets, and with frames `Row_T` around
 * a delta of each @delta type T to the value of the frame before; and DIRECTORY/N.streams, a list for --stream in each line.
 * The schema of a random one is DIRECTORY/N.pkt. For a FILE, that is a line that imports it, so it is found with -I.
 */
#include "../fuzz/schemas.h"
#include "../fuzz/values.h"
#include "check/check.h"
#include "codec/codec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIZE = 60000 };

typedef struct recorder {
    arena *arena;
    FILE *to;
    const schema *schema;
    lot *lot;
    uint32_t now;
} recorder;

static FILE *create(const char *file_name)
{
    FILE *file = fopen(file_name, "wb");
    if (!file) {
        perror(file_name);
        exit(2);
    }
    return file;
}

static void put_number(FILE *to, uint32_t number, unsigned count, bool big_endian)
{
    for (unsigned i = 0; i < count; i++)
        putc((int)(number >> 8 * (big_endian ? count - 1 - i : i) & 0xff), to);
}

static void begin_pcap(FILE *to)
{
    enum { NANOSECONDS = 0xa1b23c4d, RAW_IP = 101 };
    put_number(to, NANOSECONDS, 4, false);
    put_number(to, 2, 2, false);
    put_number(to, 4, 2, false);
    put_number(to, 0, 4, false);
    put_number(to, 0, 4, false);
    put_number(to, 1 << 18, 4, false);
    put_number(to, RAW_IP, 4, false);
}

/* Raw IPv4 with UDP, without checksums. */
static void add_datagram(recorder *r, const uint8_t *bytes, size_t length)
{
    enum { HEADS = 28, UDP = 8 };
    const uint32_t size = (uint32_t)length;
    if (size > MOST_SIZE)
        return;
    put_number(r->to, 1700000000 + r->now / 7, 4, false);
    put_number(r->to, 123456789 * (r->now % 7), 4, false);
    put_number(r->to, HEADS + size, 4, false);
    put_number(r->to, HEADS + size, 4, false);
    put_number(r->to, 0x4500, 2, true);
    put_number(r->to, HEADS + size, 2, true);
    put_number(r->to, 0, 4, true);
    put_number(r->to, 0x40110000, 4, true);
    put_number(r->to, 0x0a000001, 4, true);
    put_number(r->to, 0x0a000002, 4, true);
    put_number(r->to, 1000, 2, true);
    put_number(r->to, 2000, 2, true);
    put_number(r->to, UDP + size, 2, true);
    put_number(r->to, 0, 2, true);
    fwrite(bytes, 1, size, r->to);
    r->now++;
}

/* Sometimes a bit is another one, so that the datagram is damaged. */
static void add_bytes(recorder *r, uint8_t *bytes, size_t size)
{
    add_datagram(r, bytes, size);
    if (size == 0 || !lot_one_in(r->lot, 6))
        return;
    bytes[lot_below(r->lot, (uint32_t)size)] ^= 1;
    add_datagram(r, bytes, size);
}

static void add_packet(recorder *r, const decl *d)
{
    const codec_options how = {.framed = true, .id = d->stable ? d->stable_id : r->schema->id, .room = SIZE_MAX};
    const datum v = lot_one_in(r->lot, 4) ? draw_least(r->arena, r->lot, d) : draw_value(r->arena, r->lot, d, 0);
    codec_error error;
    size_t size;
    uint8_t *bytes = codec_write(r->arena, r->schema, d, &v, &how, &size, &error);
    if (bytes)
        add_bytes(r, bytes, size);
}

/* Frames of deltas, each to the value before it, as the reader of the recording has it. */
static void add_deltas(recorder *r, const decl *d, uint32_t count)
{
    const codec_options how = {
        .framed = true, .frame = arena_printf(r->arena, "Row_%s", d->name), .id = r->schema->id, .room = SIZE_MAX};
    datum base;
    bool has_base = false;
    for (uint32_t i = 0; i < count; i++) {
        codec_part part = {.decl = d, .delta = true, .base = has_base ? &base : NULL}, *read;
        codec_error error;
        size_t size;
        part.value = has_base && !lot_one_in(r->lot, 8) ? vary_value(r->arena, r->lot, d, &base, 0)
                                                        : draw_value(r->arena, r->lot, d, 0);
        uint8_t *bytes = codec_write_stream(r->arena, r->schema, &part, &how, &size, &error);
        if (!bytes || size > MOST_SIZE ||
            !codec_read_stream(r->arena, r->schema, &part, bytes, size, &how, &read, &error))
            continue;
        add_datagram(r, bytes, size);
        base = settled_datum(r->arena, &read->value);
        has_base = true;
    }
}

static void record_schema(arena *a, const char *name, const schema *s, lot *l, uint32_t cases)
{
    recorder r = {.arena = a, .to = create(arena_printf(a, "%s.pcap", name)), .schema = s, .lot = l};
    FILE *streams = create(arena_printf(a, "%s.streams", name));
    begin_pcap(r.to);
    for (uint32_t i = 0; i < cases; i++)
        for (const decl *d = s->decls; d; d = d->next)
            if (d->packet && !d->seeded && !d->key)
                add_packet(&r, d);
    for (const decl *d = s->decls; d; d = d->next) {
        if (!d->delta || d->parts > 0 || d->key)
            continue;
        fprintf(streams, "Row_%s=%s delta(last)\n", d->name, d->name);
        add_deltas(&r, d, 3 * cases);
    }
    fclose(streams);
    if (fclose(r.to) != 0)
        exit(2);
}

int main(int argc, char **argv)
{
    arena *a = arena_new();
    const check_options options = {
        .checks = true, .import_dirs = (const char *const[]){"schemas"}, .import_dir_count = 1};
    if (argc < 5) {
        fputs("usage: record_random SEED CASES DIRECTORY COUNT [FILE.pkt...]\n", stderr);
        return 2;
    }
    const uint64_t seed = strtoull(argv[1], NULL, 10);
    const uint32_t cases = (uint32_t)atoi(argv[2]), count = (uint32_t)atoi(argv[4]);
    for (uint32_t i = 0; i < count + (uint32_t)argc - 5; i++, arena_clear(a)) {
        const char *name = arena_printf(a, "%s/%u", argv[3], (unsigned)i);
        lot l = lot_of_schema(seed, i);
        diag *d = diag_new(a);
        const char *text = i < count ? make_schema(a, seed, i, false) : NULL;
        const source *root =
            text ? source_from(a, "random.pkt", text, strlen(text)) : source_read(a, argv[5 + i - count]);
        const schema *s = root ? check(a, names_new(a), d, root, &options) : NULL;
        if (!s || !s->protocol) {
            diag_print(d, DIAG_TEXT, stderr);
            return 2;
        }
        if (text) {
            FILE *to = create(arena_printf(a, "%s.pkt", name));
            fputs(text, to);
            fclose(to);
        }
        record_schema(a, name, s, &l, cases);
    }
    arena_free(a);
    return 0;
}
