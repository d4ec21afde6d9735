/* test_replay.c - tests pkt_replay: what pkt_capture has written comes back, and hostile files do no harm.
 * SPDX-License-Identifier: MIT
 *
 * The seed is printed; PKT_SEED=N repeats a run.
 */
#define PKT_WITH_CAPTURE
#include "pkt.h"
#include "unit.h"

#include <string.h>

static const uint8_t local_v4[] = {192, 0, 2, 1}, peer_v4[] = {198, 51, 100, 7};
static const uint8_t peer_v6[] = {0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2};

static uint64_t state_of_random;

static uint32_t any(uint32_t below)
{
    state_of_random = state_of_random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state_of_random >> 33) % below;
}

/* The bytes of a block with a packet of IPv6 of PKT_CAPTURE_MOST bytes. */
enum { LARGEST = 12 + 20 + 16 + 40 + 8 + PKT_CAPTURE_MOST + 1 + 12 };

/* A recording in memory. */
typedef struct memory {
    uint8_t bytes[200000];
    size_t size;
} memory;

static bool to_memory(void *user, const void *data, size_t size)
{
    memory *m = user;
    assert_true(m->size + size <= sizeof m->bytes);
    memcpy(m->bytes + m->size, data, size);
    m->size += size;
    return true;
}

static pkt_capture begun(memory *m)
{
    static const char *const schema[] = {"protocol p = 1;\n", NULL};
    static const char *const *const schemas[] = {schema};
    pkt_capture c;
    const pkt_endpoint local = pkt_endpoint_of(local_v4, sizeof local_v4, 40000);
    assert_true(pkt_capture_begin(&c, to_memory, m, &local, schemas, 1));
    return c;
}

/* Two sessions, and packets of both directions, of IPv4 and IPv6, and of some sizes. */
static memory *recorded(void)
{
    static memory m;
    static uint8_t data[PKT_CAPTURE_MOST];
    const pkt_endpoint peers[] = {pkt_endpoint_of(peer_v4, 4, 50000), pkt_endpoint_of(peer_v6, 16, 50001)};
    m.size = 0;
    const pkt_capture c = begun(&m);
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 7);
    for (unsigned i = 0; i < 2; i++) {
        assert_true(pkt_capture_packet(&c, 10 + i, PKT_RECEIVED, &peers[i], data, i));
        assert_true(
            pkt_capture_session(&c, 12 + i, &peers[i], UINT64_C(0x0102030405060708) + i, 0xfffffffffffffff0 + i));
        assert_true(pkt_capture_packet(&c, 14 + i, PKT_SENT, &peers[i], data, 5 + i));
    }
    assert_true(pkt_capture_packet(&c, UINT64_MAX, PKT_SENT, &peers[1], data, sizeof data));
    return &m;
}

typedef struct replayed {
    pkt_replay replay;
    pkt_replay_bytes bytes;
    uint8_t *room;
} replayed;

static void replay_bytes(replayed *r, const void *data, size_t size, size_t room)
{
    r->bytes = (pkt_replay_bytes){data, size};
    r->room = malloc(room > 0 ? room : 1);
    assert_non_null(r->room);
    pkt_replay_begin(&r->replay, pkt_replay_from_bytes, &r->bytes, r->room, room);
}

static void check_recorded(pkt_replay *r)
{
    const pkt_endpoint local = pkt_endpoint_of(local_v4, 4, 40000);
    const pkt_endpoint peers[] = {pkt_endpoint_of(peer_v4, 4, 50000), pkt_endpoint_of(peer_v6, 16, 50001)};
    pkt_recorded seen;
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(pkt_replay_read(r, &seen), PKT_RECORDED_PACKET);
        assert_true(seen.nanoseconds == 10 + i && seen.direction == PKT_RECEIVED && seen.size == i);
        assert_true(pkt_endpoint_is(&seen.peer, &peers[i]) && seen.seed == 0 && seen.protocol_id == 0);
        assert_true(i == 1 || pkt_endpoint_is(&seen.local, &local));
        assert_int_equal(pkt_replay_read(r, &seen), PKT_RECORDED_SESSION);
        assert_true(seen.nanoseconds == 12 + i && seen.seed == UINT64_C(0x0102030405060708) + i);
        assert_true(seen.protocol_id == 0xfffffffffffffff0 + i && pkt_endpoint_is(&seen.peer, &peers[i]));
        assert_true(seen.data == NULL && seen.size == 0);
        assert_int_equal(pkt_replay_read(r, &seen), PKT_RECORDED_PACKET);
        assert_true(seen.nanoseconds == 14 + i && seen.direction == PKT_SENT && seen.size == 5 + i);
        assert_true(pkt_endpoint_is(&seen.peer, &peers[i]) && memcmp(seen.data, "\0\7\16\25\34\43", seen.size) == 0);
    }
    assert_int_equal(pkt_replay_read(r, &seen), PKT_RECORDED_PACKET);
    assert_true(seen.nanoseconds == UINT64_MAX && seen.size == PKT_CAPTURE_MOST);
    assert_int_equal(((const uint8_t *)seen.data)[PKT_CAPTURE_MOST - 1], (uint8_t)((PKT_CAPTURE_MOST - 1) * 7));
    assert_int_equal(pkt_replay_read(r, &seen), PKT_RECORDED_END);
    assert_int_equal(pkt_replay_read(r, &seen), PKT_RECORDED_END);
    assert_int_equal(r->skipped, 0);
}

TEST(what_was_recorded)
{
    const memory *m = recorded();
    replayed r;
    replay_bytes(&r, m->bytes, m->size, PKT_REPLAY_ROOM);
    check_recorded(&r.replay);
    free(r.room);
    /* Twice, one after the other. */
    uint8_t *twice = malloc(2 * m->size);
    assert_non_null(twice);
    memcpy(twice, m->bytes, m->size);
    memcpy(twice + m->size, m->bytes, m->size);
    pkt_recorded seen;
    unsigned count = 0;
    replay_bytes(&r, twice, 2 * m->size, PKT_REPLAY_ROOM);
    while (pkt_replay_read(&r.replay, &seen) > PKT_RECORDED_DAMAGE)
        count++;
    assert_int_equal(count, 14);
    free(r.room);
    free(twice);
}

TEST(from_a_file)
{
    const memory *m = recorded();
    FILE *file = tmpfile();
    uint8_t *room = malloc(PKT_REPLAY_ROOM);
    pkt_replay r;
    assert_true(file && room && fwrite(m->bytes, 1, m->size, file) == m->size);
    rewind(file);
    pkt_replay_begin(&r, pkt_replay_from_file, file, room, PKT_REPLAY_ROOM);
    check_recorded(&r);
    fclose(file);
    free(room);
}

/* What is larger than the room is skipped. */
TEST(small_room)
{
    const memory *m = recorded();
    replayed r;
    pkt_recorded seen;
    unsigned packets = 0, sessions = 0;
    replay_bytes(&r, m->bytes, m->size, 64 + PKT_REPLAY_INTERFACE_ROOM);
    for (pkt_recorded_kind kind; (kind = pkt_replay_read(&r.replay, &seen)) > PKT_RECORDED_DAMAGE;)
        *(kind == PKT_RECORDED_PACKET ? &packets : &sessions) += 1;
    assert_int_equal(packets, 2); /* of IPv4; one of IPv6 takes 65 bytes, and a session of IPv4 takes 64 */
    assert_int_equal(sessions, 1);
    assert_int_equal(r.replay.skipped, 4);
    free(r.room);
}

/* A file that ends anywhere has its whole blocks; the end of one is the end of the file. */
TEST(cut_anywhere)
{
    memory *m = recorded();
    const size_t most = 900;
    size_t ends = 0;
    for (size_t size = 0; size <= most; size++) {
        uint8_t *cut = malloc(size + 1);
        replayed r;
        pkt_recorded seen;
        pkt_recorded_kind kind;
        unsigned count = 0;
        memcpy(cut, m->bytes, size);
        replay_bytes(&r, cut, size, PKT_REPLAY_ROOM);
        while ((kind = pkt_replay_read(&r.replay, &seen)) > PKT_RECORDED_DAMAGE)
            count++;
        ends += kind == PKT_RECORDED_END;
        assert_true(count <= 7);
        assert_int_equal(pkt_replay_read(&r.replay, &seen), kind);
        free(r.room);
        free(cut);
    }
    assert_int_equal(ends, 9); /* nothing; the section, its interface, six packets and sessions */
}

static void put(memory *m, const char *bytes, size_t size)
{
    memcpy(m->bytes + m->size, bytes, size);
    m->size += size;
}

/* The numbers of a file may be big-endian, its times in microseconds, and it may have blocks and links of other programs. */
TEST(other_writers)
{
    static memory m;
    static const char packet[] = "\0\0\377\376\0\0\0\0\0\0\0\0\0\0\10\0"                    /* cooked */
                                 "\105\0\0\37\0\0\100\0\100\21\0\0\300\0\2\11\306\63\144\7" /* IPv4 */
                                 "\234\100\303\120\0\13\0\0abc";                            /* UDP */
    m.size = 0;
#define PUT(text) put(&m, text, sizeof text - 1)
    PUT("\12\15\15\12\0\0\0\34\32\53\74\115\0\1\0\0\377\377\377\377\377\377\377\377\0\0\0\34");
    PUT("\0\0\0\1\0\0\0\24\0\161\0\0\0\0\0\0\0\0\0\24"); /* cooked, without options */
    PUT("\0\0\0\1\0\0\0\24\0\1\0\0\0\0\0\0\0\0\0\24");   /* Ethernet */
    PUT("\0\0\0\5\0\0\0\20\1\2\3\4\0\0\0\20");           /* statistics */
    for (unsigned i = 0; i < 2; i++) {
        PUT("\0\0\0\6\0\0\0\120\0\0\0");
        put(&m, i == 0 ? "\0" : "\1", 1);
        PUT("\0\0\0\0\0\0\0\7\0\0\0\57\0\0\0\57");
        put(&m, packet, sizeof packet - 1);
        PUT("\0\0\0\0\120");
    }
    replayed r;
    pkt_recorded seen;
    replay_bytes(&r, m.bytes, m.size, PKT_REPLAY_ROOM);
    assert_int_equal(pkt_replay_read(&r.replay, &seen), PKT_RECORDED_PACKET);
    assert_true(seen.nanoseconds == 7000 && seen.size == 3 && memcmp(seen.data, "abc", 3) == 0);
    assert_true(seen.direction == PKT_RECEIVED && seen.peer.port == 40000 && seen.local.port == 50000);
    assert_int_equal(pkt_replay_read(&r.replay, &seen), PKT_RECORDED_END);
    assert_int_equal(r.replay.skipped, 1);
    free(r.room);
}

/* The pieces of a file, with whatever headers: its schemas, packets and sessions. */
TEST(pieces)
{
    const memory *m = recorded();
    replayed r;
    pkt_piece piece;
    unsigned kinds[4] = {0};
    replay_bytes(&r, m->bytes, m->size, PKT_REPLAY_ROOM);
    assert_int_equal(pkt_replay_next(&r.replay, &piece), PKT_PIECE_COMMENT);
    assert_true(piece.first && piece.size == 16 && memcmp(piece.data, "protocol p = 1;\n", 16) == 0);
    assert_int_equal(pkt_replay_next(&r.replay, &piece), PKT_PIECE_PACKET);
    assert_true(piece.link == 113 && piece.size == 44 && piece.whole == 44 && piece.nanoseconds == 10 &&
                piece.flags == 1);
    for (pkt_piece_kind kind = PKT_PIECE_PACKET; kind > PKT_PIECE_DAMAGE; kinds[kind]++)
        kind = pkt_replay_next(&r.replay, &piece);
    assert_true(kinds[PKT_PIECE_PACKET] == 6 && kinds[PKT_PIECE_END] == 1);
    free(r.room);
}

/* The older format, in both orders of bytes and with both units of time. */
TEST(older_files)
{
    static const char *const heads[] = {
        "\xd4\xc3\xb2\xa1\2\0\4\0\0\0\0\0\0\0\0\0\0\0\1\0\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\5\0\0\0",
        "\x4d\x3c\xb2\xa1\2\0\4\0\0\0\0\0\0\0\0\0\0\0\1\0\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\5\0\0\0",
        "\xa1\xb2\xc3\xd4\0\2\0\4\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\5",
        "\xa1\xb2\x3c\x4d\0\2\0\4\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\5"};
    enum { HEADS = 40 };
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned size = 0; size <= HEADS + 4; size++) {
            replayed r;
            pkt_piece piece;
            uint8_t *bytes = malloc(HEADS + 4);
            memcpy(bytes, heads[i], HEADS);
            memcpy(bytes + HEADS, "abcd", 4);
            replay_bytes(&r, bytes, size, 4 + PKT_REPLAY_INTERFACE_ROOM);
            const pkt_piece_kind kind = pkt_replay_next(&r.replay, &piece);
            if (size == HEADS + 4) {
                assert_int_equal(kind, PKT_PIECE_PACKET);
                assert_true(piece.link == 1 && piece.size == 4 && piece.whole == 5 &&
                            memcmp(piece.data, "abcd", 4) == 0);
                assert_true(piece.nanoseconds == UINT64_C(2000000000) + (i % 2 == 0 ? 3000 : 3));
                assert_int_equal(pkt_replay_next(&r.replay, &piece), PKT_PIECE_END);
            } else {
                assert_int_equal(kind, size == 0 || size == 24 ? PKT_PIECE_END : PKT_PIECE_DAMAGE);
                assert_int_equal(r.replay.cut, kind == PKT_PIECE_DAMAGE);
            }
            free(r.room);
            free(bytes);
        }
    }
}

/* Flipped bits, other sizes, pieces that are missing or come twice. The address sanitizer judges, and the result has to be
 * in the room. */
TEST(hostile_files)
{
    const memory *m = recorded();
    const char *given = getenv("PKT_SEED");
    const size_t head = m->size - LARGEST; /* without the packet that nothing else would be as large as */
    unsigned kinds[4] = {0};
    state_of_random = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    print_message("PKT_SEED=%llu\n", (unsigned long long)state_of_random);
    for (unsigned i = 0; i < 60000; i++) {
        const size_t size = any(4) ? head : any((uint32_t)head), room = any(2) ? 200 : any(100);
        uint8_t *bytes = malloc(size + 1);
        memcpy(bytes, m->bytes, size);
        for (uint32_t n = any(4); n > 0 && size >= 4; n--) {
            static const uint8_t numbers[] = {0, 1, 2, 4, 6, 9, 12, 17, 20, 28, 113, 127, 128, 253, 255, 0x45, 0x60};
            const uint32_t at = any((uint32_t)size), width = any(5);
            for (uint32_t k = 0; k < width && at + k < size; k++)
                bytes[at + k] = any(2) ? numbers[any(sizeof numbers)] : (uint8_t)any(256);
            const uint32_t from = any((uint32_t)size);
            if (any(6) == 0)
                memmove(bytes + at / 4 * 4, bytes + from / 4 * 4, (size - (at > from ? at : from)) / 8);
        }
        replayed r;
        pkt_recorded seen;
        pkt_recorded_kind kind;
        replay_bytes(&r, bytes, size, room);
        do {
            kind = pkt_replay_read(&r.replay, &seen);
            kinds[kind]++;
            const uint8_t *data = seen.data;
            assert_true(kind == PKT_RECORDED_PACKET || (!data && seen.size == 0));
            assert_true(kind != PKT_RECORDED_PACKET || (data >= r.room && data + seen.size <= r.room + room));
        } while (kind > PKT_RECORDED_DAMAGE);
        free(r.room);
        pkt_piece piece;
        replay_bytes(&r, bytes, size, room);
        while (pkt_replay_next(&r.replay, &piece) > PKT_PIECE_DAMAGE)
            assert_true(piece.data >= r.room && piece.data + piece.size <= r.room + room);
        free(r.room);
        free(bytes);
    }
    for (unsigned i = 0; i < 4; i++)
        assert_true(kinds[i] > 1000);
}
