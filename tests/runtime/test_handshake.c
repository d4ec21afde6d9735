/* test_handshake.c - tests handshakes: SipHash, the bytes of `pktc encode`, a bad network, and what attackers send.
 * SPDX-License-Identifier: MIT
 */
#include "../../runtime/pkt_inside.h"
#include "unit.h"

#include <string.h>

static const uint64_t SALT = UINT64_C(0x0102030405060708), GAME = UINT64_C(0x1122334455667788);
static const uint8_t ADDRESS[6] = {192, 0, 2, 9, 0x12, 0x34};

static pkt_door door = {.key = {1, 2, 3}, .window = 7};

static size_t bytes_of(const char *hex, uint8_t *to)
{
    size_t size = 0;
    for (unsigned byte; sscanf(hex + 2 * size, "%2x", &byte) == 1; size++)
        to[size] = (uint8_t)byte;
    return size;
}

static void is_hex(const uint8_t *data, size_t size, const char *hex)
{
    uint8_t wanted[PKT_HANDSHAKE_BYTES];
    assert_int_equal(size, bytes_of(hex, wanted));
    assert_memory_equal(data, wanted, size);
}

/* The key and the text of the paper's appendix A. */
TEST(siphash_is_that_of_the_paper)
{
    uint8_t key[16], text[15];
    for (uint8_t i = 0; i < 16; i++)
        key[i] = i;
    memcpy(text, key, sizeof text);
    assert_true(pkt_siphash(key, text, sizeof text) == UINT64_C(0xA129CA6149BE45E5));
    assert_true(pkt_siphash(key, text, 0) == UINT64_C(0x726FDB47DD0E0E31));
}

/* The hex is what `pktc encode share/handshake/handshake.pkt` prints for the same values. */
TEST(packets_are_those_of_the_schema)
{
    uint8_t data[PKT_HANDSHAKE_BYTES];
    pkt_joining j;
    pkt_joining_init(&j, SALT, GAME, "abc", 3);
    is_hex(data, pkt_joining_send(&j, 0, data), "84e1d07d08070605040302018877665544332211ec205a8c");
    const size_t size = bytes_of("72a820b50807060504030201efcdab8967452301b1124a79", data);
    assert_true(pkt_joining_receive(&j, data, size));
    assert_true(j.session == (SALT ^ UINT64_C(0x0123456789abcdef)));
    is_hex(data, pkt_joining_send(&j, 0, data),
           "58a173d00807060504030201efcdab89674523018877665544332211036162639bf5bdd6");
    const pkt_guest guest = {.client_salt = SALT, .game_id = GAME};
    is_hex(data, pkt_door_answer(&door, ADDRESS, 6, &guest, PKT_REFUSE_FULL, 0x12345678, data),
           "374ae23e080706050403020102785634129bca09e1");
    assert_true(pkt_joining_receive(&j, data, 21));
    assert_true(j.state == PKT_JOINING_REFUSED && j.reason == PKT_REFUSE_FULL && j.release == 0x12345678);
    assert_int_equal(pkt_joining_send(&j, 99, data), 0);
}

/* Returns the session that the server has for the client, after at most so many ticks. */
static uint64_t join_by(pkt_joining *j, pkt_network *n, uint64_t ticks)
{
    for (uint64_t tick = 0; tick < ticks; tick++) {
        uint8_t data[PKT_HANDSHAKE_BYTES];
        const double now = (double)tick / 60;
        size_t size = pkt_joining_send(j, now, data);
        door.window = 7 + (uint32_t)(now / 10);
        if (size > 0)
            pkt_network_send(n, tick, 1, data, size);
        for (const pkt_parcel *p; (p = pkt_network_take(n, tick));) {
            pkt_guest guest;
            if (p->way == 0) {
                assert_false(pkt_joining_receive(j, p->data, p->size) && p->damaged);
                continue;
            }
            switch (pkt_door_receive(&door, ADDRESS, 6, p->data, p->size, &guest)) {
            case PKT_WISH_NONE: break;
            case PKT_WISH_HELLO:
                size = pkt_door_answer(&door, ADDRESS, 6, &guest, PKT_REFUSE_NOT, 0, data);
                assert_true(size > 0 && size <= p->size);
                pkt_network_send(n, tick, 0, data, size);
                break;
            case PKT_WISH_JOIN:
                assert_true(!p->damaged && guest.game_id == GAME && guest.client_salt == j->client_salt);
                assert_int_equal(guest.size, j->size);
                assert_memory_equal(guest.data, j->data, j->size);
                return guest.session;
            }
        }
    }
    return 0;
}

TEST(clients_join_over_a_bad_network)
{
    static pkt_parcel parcels[64];
    uint8_t data[300];
    pkt_network n;
    pkt_network_init(&n, random_seed(), parcels, 64);
    memset(data, 7, sizeof data);
    for (uint64_t i = 1; i <= 300; i++) {
        pkt_joining j;
        n.loss = 0.3;
        n.burst = 0.6;
        n.doubling = n.damage = 0.1;
        n.latency = n.jitter = i % 20;
        pkt_joining_init(&j, SALT * i, GAME, data, (size_t)i);
        const uint64_t session = join_by(&j, &n, 60 * 60);
        assert_true(session != 0 && session == j.session);
        while (pkt_network_take(&n, UINT64_MAX)) {
        }
    }
}

/* After the salt is too old, the client greets again. */
TEST(a_client_without_an_answer_begins_again)
{
    uint8_t data[PKT_HANDSHAKE_BYTES];
    pkt_joining j;
    unsigned greeted = 0;
    pkt_joining_init(&j, SALT, GAME, NULL, 0);
    const size_t size = bytes_of("72a820b50807060504030201efcdab8967452301b1124a79", data);
    assert_true(pkt_joining_receive(&j, data, size));
    assert_false(pkt_joining_receive(&j, data, size));
    for (unsigned tick = 0; tick < 600; tick++)
        greeted += pkt_joining_send(&j, tick / 60.0, data) == PKT_HELLO_BYTES;
    assert_int_equal(j.state, PKT_JOINING_GREETS);
    assert_in_range(greeted, 30, 60);
}

static size_t response_to(pkt_joining *j, const uint8_t *address, size_t address_size, uint8_t *data)
{
    const pkt_guest guest = {.client_salt = j->client_salt, .game_id = j->game_id};
    const size_t size = pkt_door_answer(&door, address, address_size, &guest, PKT_REFUSE_NOT, 0, data);
    assert_true(pkt_joining_receive(j, data, size));
    return pkt_joining_send(j, 1, data);
}

/* Only who has received the salt may join: from this address, with this id, soon, and whole. */
TEST(nobody_else_joins)
{
    uint8_t data[PKT_HANDSHAKE_BYTES + 1] = {0}, other[6];
    pkt_joining j;
    pkt_guest guest;
    door.window = 7;
    pkt_joining_init(&j, SALT, GAME, "abc", 3);
    const size_t size = response_to(&j, ADDRESS, 6, data);
    for (uint32_t window = 5; window < 12; window++) {
        door.window = window;
        assert_int_equal(pkt_door_receive(&door, ADDRESS, 6, data, size, &guest),
                         window == 7 || window == 8 ? PKT_WISH_JOIN : PKT_WISH_NONE);
    }
    door.window = 7;
    for (unsigned bit = 0; bit < 8 * 6; bit++) {
        memcpy(other, ADDRESS, 6);
        other[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_int_equal(pkt_door_receive(&door, other, 6, data, size, &guest), PKT_WISH_NONE);
    }
    assert_int_equal(pkt_door_receive(&door, ADDRESS, 5, data, size, &guest), PKT_WISH_NONE);
    assert_int_equal(pkt_door_receive(&door, data, PKT_HANDSHAKE_ADDRESS + 1, data, size, &guest), PKT_WISH_NONE);
    door.key[15]++;
    assert_int_equal(pkt_door_receive(&door, ADDRESS, 6, data, size, &guest), PKT_WISH_NONE);
    door.key[15]--;
    for (size_t bit = 0; bit < 8 * size; bit++) {
        data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_int_equal(pkt_door_receive(&door, ADDRESS, 6, data, size, &guest), PKT_WISH_NONE);
        data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    for (size_t cut = 0; cut < size + 2; cut++)
        assert_int_equal(pkt_door_receive(&door, ADDRESS, 6, data, cut, &guest),
                         cut == size ? PKT_WISH_JOIN : PKT_WISH_NONE);
    /* Another id, or another salt of the client, under a right checksum. */
    j.game_id++;
    j.next = 0;
    assert_int_equal(pkt_door_receive(&door, ADDRESS, 6, data, pkt_joining_send(&j, 2, data), &guest), PKT_WISH_NONE);
    j.game_id--;
    j.client_salt++;
    assert_int_equal(pkt_door_receive(&door, ADDRESS, 6, data, pkt_joining_send(&j, 3, data), &guest), PKT_WISH_NONE);
}

/* An answer to somebody else changes nothing. */
TEST(answers_to_others_are_ignored)
{
    uint8_t data[PKT_HANDSHAKE_BYTES];
    pkt_joining j;
    const pkt_guest guest = {.client_salt = SALT + 1, .game_id = GAME};
    pkt_joining_init(&j, SALT, GAME, NULL, 0);
    for (int refusal = 0; refusal < 3; refusal++) {
        const size_t size = pkt_door_answer(&door, ADDRESS, 6, &guest, (pkt_refusal)refusal, 1, data);
        assert_false(pkt_joining_receive(&j, data, size));
    }
    assert_int_equal(j.state, PKT_JOINING_GREETS);
    assert_int_equal(pkt_door_answer(&door, data, PKT_HANDSHAKE_ADDRESS + 1, &guest, PKT_REFUSE_NOT, 1, data), 0);
}

/* Against a table of all sessions: one joins once in the two windows in which its response is good, and so many join in them. */
TEST(a_session_joins_once)
{
    enum { SESSIONS = 700, NEVER = -9 };
    uint64_t random = random_seed() | 1;
    for (int round = 0; round < 20; round++) {
        pkt_door d = {.window = (uint32_t)-30};
        int64_t joined[SESSIONS], window = 0;
        unsigned admitted = 0, full = 0;
        for (int i = 0; i < SESSIONS; i++)
            joined[i] = NEVER;
        for (int step = 0; step < 20000; step++) {
            random = random * UINT64_C(6364136223846793005) + 1;
            const unsigned which = (unsigned)(random >> 40) % (round % 2 ? SESSIONS : 100);
            if ((random >> 33) % 400 == 0) {
                window += 1 + (int64_t)(random >> 52) % 3;
                d.window = (uint32_t)(window - 30);
            }
            unsigned recent = 0;
            for (int i = 0; i < SESSIONS; i++)
                recent += window - joined[i] < 2;
            const pkt_guest guest = {.session = which * SALT};
            const bool wanted = window - joined[which] >= 2 && recent < PKT_DOOR_SESSIONS;
            assert_int_equal(pkt_door_admit(&d, &guest), wanted);
            joined[which] = wanted ? window : joined[which];
            admitted += wanted;
            full += recent == PKT_DOOR_SESSIONS;
        }
        assert_true(admitted > 1000 && (round % 2 == 0 || full > 100));
    }
}
