/* fuzz_recordings.c - runs pktc's commands over recordings of arbitrary datagrams.
 * SPDX-License-Identifier: MIT
 *
 * The first byte of an input selects a command, the second one a schema. Then come the datagrams: a byte selects the
 * packet and the direction, another one what is right about it, a third one how long it is. A checksum is right, or
 * that and the end check; or the bytes are as they are. The recording is made by the runtime, so that both are tried. Or
 * the rest of the input is the file itself. A recording can have the schemas of several releases, each with datagrams of
 * its own.
 *
 * Only memory and time are watched here: what the commands print is compared elsewhere.
 */
#define _GNU_SOURCE
#include "releases/archive_text.h"
#include "driver/run.h"
#include "emit/names.h"
#include "driver/driver.h"
#include "workshops.h"
#include "pkt_capture.h"
#include "pkt_stream.h"

#include "demand.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct recorded_with {
    const char *path, *stream;
    const schema *schema;
    const char *text;
} recorded_with;

static recorded_with known[] = {
    {"schemas/example/arena.pkt", NULL, NULL, NULL},
    {"tests/roundtrip/datagram.pkt", NULL, NULL, NULL},
    {"schemas/mygame.pkt", "--stream=Chat, Snapshot*", NULL, NULL},
    {"tests/fuzz/libfuzzer/trained.pkt", NULL, NULL, NULL},
    /* The releases of the first, and another program beside them. */
    {"schemas/example/releases/arena-006-552fd33075a266b8.pkt", NULL, NULL, NULL},
    {"schemas/example/releases/arena-007-a889ccb5037ffe79.pkt", NULL, NULL, NULL},
};
static int nowhere;
enum { KNOWN = sizeof known / sizeof known[0], SINGLE = 4 };

static void load_schemas(void)
{
    arena *a = arena_new();
    const check_options how = {.checks = true, .names = &c_name_rules};
    for (size_t i = 0; i < KNOWN; i++) {
        names *n = names_new(a);
        diag *d = diag_new(a);
        const source *text = source_read(a, known[i].path);
        size_t size;
        demand(text != NULL);
        known[i].schema = check(a, n, d, text, &how);
        demand(known[i].schema != NULL);
        known[i].text = archive_text(a, n, d, known[i].schema, &size);
        demand(known[i].text != NULL);
    }
}

/* ---- the file */

static void store32(uint8_t *to, uint32_t v)
{
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(v >> 8 * i);
}

static uint32_t crc_of_id(uint64_t id)
{
    uint8_t bytes[8];
    store32(bytes, (uint32_t)id);
    store32(bytes + 4, (uint32_t)(id >> 32));
    return pkt_crc32(0, bytes, sizeof bytes);
}

static const decl *packet_number(const schema *s, unsigned number)
{
    for (;;)
        for (const decl *d = s->decls; d; d = d->next)
            if (d->packet && number-- == 0)
                return d;
}

/* What comes before the body of a packet, and after it. */
static size_t make_packet(const schema *s, const decl *d, unsigned right, const uint8_t *body, size_t size, uint8_t *to)
{
    size_t end = 4 + size;
    memcpy(to + 4, body, size);
    if (right & 2) {
        store32(to + end, pkt_crc32(pkt_crc32(0, d->name, strlen(d->name)), ".end", 4));
        end += 4;
    }
    store32(to, pkt_crc32(pkt_crc32(crc_of_id(d->stable ? d->stable_id : s->id), d->name, strlen(d->name)), to + 4,
                          end - 4));
    return end;
}

/* with: one schema, or all of them from there on. */
static void record(FILE *file, const recorded_with *with, size_t count, const uint8_t *data, size_t size)
{
    static const uint8_t address[] = {127, 0, 0, 1};
    const pkt_endpoint server = pkt_endpoint_of(address, sizeof address, 9000);
    const char *lines[KNOWN][2] = {{NULL}};
    const char *const *texts[KNOWN];
    pkt_capture capture;
    uint64_t now = UINT64_C(1700000000000000000);
    uint8_t bytes[300];
    for (size_t i = 0; i < count; i++) {
        lines[i][0] = with[i].text;
        texts[i] = lines[i];
    }
    demand(pkt_capture_begin(&capture, pkt_capture_to_file, file, &server, texts, count));
    while (size >= 3) {
        const unsigned what = data[0], right = data[1];
        const size_t length = data[2] < size - 3 ? data[2] : size - 3;
        const pkt_endpoint client = pkt_endpoint_of(address, sizeof address, (uint16_t)(40000 + right / 64));
        size_t whole = length;
        const schema *by = with[right / 4 % 16 % count].schema;
        if (right & 3)
            whole = make_packet(by, packet_number(by, what / 2), right, data + 3, length, bytes);
        else
            memcpy(bytes, data + 3, length);
        if (what >= 240)
            demand(pkt_capture_session(&capture, now, &client, right % 8, what % 2 ? by->id : 0));
        demand(pkt_capture_packet(&capture, now, what % 2 ? PKT_SENT : PKT_RECEIVED, &client, bytes, whole));
        now += 16666667;
        data += 3 + length;
        size -= 3 + length;
    }
}

/* ---- the commands */

static void run_command(const char *const *words)
{
    arena *a = arena_new();
    char *arguments[8] = {NULL};
    int count = 0;
    options o;
    for (; words[count]; count++)
        arguments[count] = (char *)(uintptr_t)words[count];
    if (options_read(a, count, arguments, workshops, &o) != OPTIONS_RUN) { /* the file is no recording */
        arena_free(a);
        return;
    }
    run r = {.arena = a, .names = names_new(a), .diag = diag_new(a), .options = &o};
    outputs_init(&r.outputs);
    fflush(stdout);
    const int printed = dup(STDOUT_FILENO);
    demand(printed >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0);
    o.usage->run(&r);
    fflush(stdout);
    demand(dup2(printed, STDOUT_FILENO) >= 0);
    close(printed);
    arena_free(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!known[0].schema) {
        load_schemas();
        nowhere = open("/dev/null", O_WRONLY);
        demand(nowhere >= 0);
    }
    if (size < 2)
        return 0;
    const unsigned how = data[0];
    const recorded_with *with = &known[data[1] % SINGLE];
    const unsigned kind = data[1] / SINGLE % 8;
    const int memory = memfd_create("recording", 0);
    demand(memory >= 0);
    FILE *file = fdopen(memory, "wb");
    if (kind == 7)
        fwrite(data + 2, 1, size - 2, file);
    else
        record(file, with, kind < 4 ? 1 : (size_t)(&known[KNOWN] - with), data + 2, size - 2);
    fflush(file);
    char recording[64];
    snprintf(recording, sizeof recording, "/proc/self/fd/%d", memory);
    const char *const seed = how & 8 ? "--seed=7" : "--port=9000";
    const char *const stream = with->stream && how & 16 ? with->stream : seed;
    const char *const uses[][7] = {
        {"pktc", "report", stream, recording, NULL},
        {"pktc", "report", "--json", seed, recording, NULL},
        {"pktc", "table", "-obuild/fuzz/tables", stream, recording, NULL},
        {"pktc", "decode", stream, recording, NULL},
        {"pktc", "decode", "--changes", seed, recording, NULL},
        {"pktc", "train", seed, with->path, recording, NULL},
        {"pktc", "convert", seed, with->path, recording, NULL},
        {"pktc", "report", "--html=/dev/null", stream, recording, NULL},
        {"pktc", "decode", seed, known[0].path, recording, NULL},
    };
    run_command(uses[how % (sizeof uses / sizeof *uses)]);
    fclose(file);
    return 0;
}
