/* test_network.c - hostile recordings: whatever the bytes, nothing outside of a packet is read.
 * SPDX-License-Identifier: MIT
 *
 * The address sanitizer judges. The seed is printed; PKTC_SEED=N repeats a run.
 */
#include "check/check.h"
#include "recordings/datagrams.h"
#define OWN_MAIN
#include "unit.h"

#include <string.h>
#include <unistd.h>

static uint64_t state_of_random;

static uint32_t any(uint32_t below)
{
    state_of_random = state_of_random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state_of_random >> 33) % below;
}

static int seed(void **state)
{
    const char *given = getenv("PKTC_SEED");
    (void)state;
    state_of_random = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    print_message("PKTC_SEED=%llu\n", (unsigned long long)state_of_random);
    return 0;
}

/* A packet of the right shape, in which some bytes are not what they should be. */
TEST(hostile_packets)
{
    static const int links[] = {LINK_NULL,   LINK_ETHERNET, LINK_RAW,  LINK_LOOP,
                                LINK_COOKED, LINK_IPV4,     LINK_IPV6, LINK_COOKED2};
    static const uint8_t bytes[] = {0x08, 0x00, 0x81, 0x00, 0x86, 0xdd, 0x45, 0x46, 0x4f, 0x60, 0x11, 0x00,
                                    0x2b, 0x2c, 0x3c, 0x33, 0x01, 0xff, 0x04, 0x7f, 0x80, 0x14, 0x28, 0x05};
    unsigned found = 0, sessions_found = 0;
    arena *a = arena_new();
    sessions *all = sessions_new(a);
    for (int i = 0; i < 40000; i++) {
        const size_t size = any(120);
        uint8_t *packet = malloc(size);
        datagram d;
        for (size_t k = 0; k < size; k++)
            packet[k] = bytes[any(sizeof bytes)];
        const int link = links[any(sizeof links / sizeof links[0])];
        const bool v6 = any(2);
        if (size > 60 && link != LINK_ETHERNET && any(4)) {
            const size_t at = link == LINK_COOKED                      ? 16
                              : link == LINK_COOKED2                   ? 20
                              : link < LINK_COOKED && link != LINK_RAW ? 4
                                                                       : 0;
            packet[at] = v6 ? 0x60 : 0x45;
            const bool announces = any(3) == 0;
            packet[at + (v6 ? 6 : 9)] = announces ? PROTOCOL_SESSION : 17;
            const size_t mark = at + (v6 ? 40 : 4 * (size_t)(packet[at] & 15));
            if (announces && mark + 8 <= size)
                memcpy(packet + mark, SESSION_MARK, 8);
        }
        const network_result is = network_find(link, packet, size, &d);
        if (is == NETWORK_SESSION) {
            bool changed = false;
            sessions_found++;
            assert_true(d.size == SESSION_BYTES && d.data >= packet && d.data + d.size <= packet + size);
            sessions_keep(all, &d);
            const end_sessions *of = sessions_between(all, &d, &changed);
            assert_true(changed && of && of->count > 0 && of->count <= MOST_SESSIONS);
        }
        if (is == NETWORK_DATAGRAM) {
            found++;
            assert_true(d.captured <= d.size && d.captured <= size);
            assert_true(d.captured == 0 || (d.data >= packet && d.data + d.captured <= packet + size));
        }
        free(packet);
    }
    assert_true(found > 200 && sessions_found > 50);
    arena_free(a);
}

static const char text[] = "protocol game = 1;\n"
                           "packet Ping { u8 n; }\n"
                           "struct Head { u16 number; optional u16 back; u8 count; }\n"
                           "struct State @delta { u8 a[<=9]; string<9> s; }\n"
                           "struct Step { u8 x; if (x > 9) { u8 y; } }\n";

/* Datagrams with a right end check and anything before it. */
TEST(hostile_datagrams)
{
    static const char frame[] =
        "Down=Head, State delta(Head.number from Head.back), Step[Head.count + bits(Head.number)], Step*";
    const char *const streams[] = {frame};
    arena *a = arena_new(), *scratch = arena_new();
    diag *d = diag_new(a);
    const check_options how = {.checks = true};
    const schema *s = check(a, names_new(a), d, source_from(a, "game.pkt", text, sizeof text - 1), &how);
    const datagrams_request request = {.schemas = &s, .schema_count = 1, .streams = streams, .stream_count = 1};
    datagrams *g = s ? datagrams_new(a, d, &request) : NULL;
    unsigned known = 0, good = 0;
    assert_non_null(g);
    for (int i = 0; i < 2000; i++) {
        codec_part rest = {.decl = s->decls, .delta = true}, head = {.decl = s->decls, .next = &rest};
        const codec_options plain = {.id = s->id, .framed = true, .frame = "Down", .seed = 5, .room = SIZE_MAX};
        codec_error error;
        size_t size;
        while (strcmp(head.decl->name, "Head") != 0)
            head.decl = head.decl->next;
        while (strcmp(rest.decl->name, "State") != 0)
            rest.decl = rest.decl->next;
        head.value = base_of_type(scratch, head.decl);
        rest.value = base_of_type(scratch, rest.decl);
        const uint8_t *empty = codec_write_stream(scratch, s, &head, &plain, &size, &error);
        assert_non_null(empty);
        /* The last 5 bytes have the end check, wherever it begins: those between are anything. */
        const bool intact = any(10) == 0;
        const size_t inside = intact ? 0 : any(30), whole = size + inside;
        uint8_t *bytes = malloc(whole);
        memcpy(bytes, empty, size);
        for (size_t k = 4; k < whole && !intact; k++)
            bytes[k] = (uint8_t)(any(3) ? any(4) : any(256));
        memcpy(bytes + whole - 5, empty + size - 5, 5);
        datagram of = {.data = bytes, .size = whole, .captured = whole - (any(20) == 0)};
        of.from.port = (uint16_t)any(3);
        decoded found;
        datagrams_read(g, scratch, &of, NULL, NULL, &found);
        known += found.name != NULL;
        good += found.name && !found.refused;
        free(bytes);
        arena_clear(scratch);
    }
    assert_true(known > 1500 && good > 100);
    datagrams_free(g);
    arena_free(scratch);
    arena_free(a);
}

/* Files that begin like pcapng. */
TEST(hostile_files)
{
    char name[] = "hostile-XXXXXX";
    const int made = mkstemp(name);
    arena *a = arena_new();
    unsigned schemas = 0;
    assert_true(made >= 0);
    close(made);
    for (int i = 0; i < 300; i++) {
        uint8_t bytes[200] = {0x0a, 0x0d, 0x0d, 0x0a, (uint8_t)(4 * any(50)), (uint8_t)(any(9) == 0), 0, 0, 0x4d,
                              0x3c, 0x2b, 0x1a, 1};
        for (size_t at = 24; at + 30 < sizeof bytes;) {
            const size_t size = any(4) ? any(24) : any(256);
            bytes[at] = (uint8_t)(any(5) != 0);
            bytes[at + 2] = (uint8_t)size;
            bytes[at + 3] = (uint8_t)(any(9) == 0);
            memcpy(bytes + at + 4, "protocol game = 1;", 18);
            at += 4 + (size + 3) / 4 * 4;
        }
        FILE *to = fopen(name, "wb");
        fwrite(bytes, 1, any(sizeof bytes), to);
        fclose(to);
        for (recorded_schema *s = recording_schemas(a, diag_new(a), name); s; s = s->next) {
            assert_int_equal(strncmp(s->text, "protocol ", 9), 0);
            schemas++;
        }
        diag *d = diag_new(a);
        recording *r = recording_is(name) ? recording_open(a, d, name) : NULL;
        recorded next;
        while (r && recording_next(r, 0, &next))
            continue;
        if (r)
            recording_close(r);
        arena_clear(a);
    }
    assert_true(schemas > 50);
    remove(name);
    arena_free(a);
}

int main(void)
{
    return run_all(seed);
}
