/* record.h - what the tests of recordings share: files as pkt_capture writes them, with packets that pktc has encoded.
 * SPDX-License-Identifier: MIT
 */
#ifndef RECORD_H
#define RECORD_H

#include "commands/sent.h"

#define SCHEMA                                         \
    "protocol game = 1;\n"                             \
    "packet Ping { u8 n; }\n"                          \
    "struct Head { u16 number; optional u16 back; }\n" \
    "struct State @delta { u8 a; u8 b; }\n"            \
    "struct Steps { u8 mask; }\n"                      \
    "struct Step @delta { u8 x; u8 y; }\n"

/* The bytes of a JSON value, encoded with game.pkt. */
static inline uint8_t *encoded(const char *options, const char *type, const char *json, size_t *size)
{
    char *command = text_format("echo '%s' | %s encode %s game.pkt '%s'", json, pktc, options, type);
    uint8_t *bytes = bytes_of(command, size);
    free(command);
    return bytes;
}

static const char *const schema_text[] = {SCHEMA, NULL};
static const char *const other_text[] = {"protocol other = 1;\n", "packet Pong { u8 m; }\n", NULL};

typedef struct record {
    pkt_capture capture;
    FILE *file;
    uint64_t now;
} record;

static inline record record_open_with(const char *const *const *texts, size_t schemas)
{
    static const uint8_t address[] = {10, 0, 0, 1};
    record r = {.file = fopen("match.pcapng", "wb"), .now = UINT64_C(1700000000000000000)};
    const pkt_endpoint local = pkt_endpoint_of(address, 4, 40000);
    assert_true(pkt_capture_begin(&r.capture, pkt_capture_to_file, r.file, &local, texts, schemas));
    return r;
}

static inline record record_open(size_t schemas)
{
    static const char *const *const texts[] = {schema_text, other_text};
    return record_open_with(texts, schemas);
}

static inline void record_add(record *r, uint8_t host, pkt_direction way, const char *options, const char *type,
                              const char *json)
{
    const uint8_t address[] = {10, 0, 0, host};
    const pkt_endpoint peer = pkt_endpoint_of(address, 4, 50000);
    size_t size;
    uint8_t *data = encoded(options, type, json, &size);
    assert_true(pkt_capture_packet(&r->capture, r->now++, way, &peer, data, size));
    free(data);
}

static const char *const filter = "sed -E 's/\"index\": [0-9]+, \"time\": 1700000000.00000000([0-9]), /\\1 /; "
                                  "s/\"from\": .*, \"size\": [0-9]+, //'";

/* Prints a recording without what all of its lines have in common. */
static inline void shows(const char *arguments, const char *wanted)
{
    process_result result = process_run("%s decode %s | %s", pktc, arguments, filter);
    assert_string_equal(result.err, "");
    assert_string_equal(result.out, wanted);
    process_free(&result);
}

#endif
