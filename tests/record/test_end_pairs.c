/* test_end_pairs.c - tests what is remembered of two ends: their sessions, in either direction, of the last pairs.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/sessions.h"
#include "unit.h"

#include <string.h>

enum { PAIRS = 1 << 15, MORE = 5000 };

static endpoint end_of(uint32_t number)
{
    endpoint e = {.size = 4, .port = (uint16_t)(number >> 16)};
    memcpy(e.address, &number, sizeof number);
    return e;
}

static void announce(sessions *s, const endpoint *from, const endpoint *to, uint64_t seed, uint64_t id)
{
    uint8_t bytes[SESSION_BYTES];
    const session is = {seed, id};
    const datagram d = {.from = *from, .to = *to, .data = bytes, .size = sizeof bytes, .captured = sizeof bytes};
    session_write(from, to, &is, bytes);
    sessions_keep(s, &d);
}

static const end_sessions *between(sessions *s, const endpoint *from, const endpoint *to, bool *changed)
{
    const datagram d = {.from = *from, .to = *to};
    return sessions_between(s, &d, changed);
}

/* The last four of two ends, the newest first; one that comes again becomes the newest. */
TEST(last_sessions)
{
    arena *a = arena_new();
    sessions *s = sessions_new(a);
    const endpoint one = end_of(1), other = end_of(2), third = end_of(3);
    bool changed = true;
    assert_null(between(s, &one, &other, &changed));
    assert_false(changed);
    for (uint64_t i = 1; i <= 6; i++)
        announce(s, i % 2 ? &one : &other, i % 2 ? &other : &one, i, 10 * i);
    announce(s, &one, &other, 4, 41);
    announce(s, &one, &third, 99, 0);
    const end_sessions *of = between(s, &other, &one, &changed);
    static const session wanted[] = {{4, 41}, {6, 60}, {5, 50}, {3, 30}};
    assert_true(changed && of && of->count == 4 && memcmp(of->each, wanted, sizeof wanted) == 0);
    assert_ptr_equal(between(s, &one, &other, &changed), of);
    assert_false(changed);
    of = between(s, &third, &one, &changed);
    assert_true(changed && of && of->count == 1 && of->each[0].seed == 99 && of->each[0].id == 0);
    arena_free(a);
}

/* Of too many pairs, those are forgotten of which a session was announced least lately. */
TEST(many_pairs)
{
    arena *a = arena_new();
    sessions *s = sessions_new(a);
    const endpoint server = end_of(0);
    bool changed;
    for (uint32_t i = 1; i <= PAIRS + MORE; i++) {
        const endpoint client = end_of(i * 2654435761u), first = end_of(2654435761u);
        announce(s, &server, &client, i, 0);
        if (i % 1000 == 0)
            announce(s, &server, &first, 7, 0); /* so it stays */
    }
    unsigned known = 0;
    for (uint32_t i = 1; i <= PAIRS + MORE; i++) {
        const endpoint client = end_of(i * 2654435761u);
        const end_sessions *of = between(s, &client, &server, &changed);
        known += of != NULL;
        assert_true((of != NULL) == (i == 1 || i > MORE + 1));
        assert_true(!of || of->each[0].seed == (i == 1 ? 7 : i));
    }
    assert_int_equal(known, PAIRS);
    arena_free(a);
}

/* Ends that are chosen so that all their pairs are in one bucket: a search has only so many to look at. */
TEST(chosen_pairs)
{
    enum { CHOSEN = 300, MOST = 64, BUCKETS = 1 << 12 };
    static endpoint clients[CHOSEN];
    arena *a = arena_new();
    sessions *s = sessions_new(a);
    const endpoint server = end_of(0);
    unsigned found = 0, known = 0;
    bool changed;
    for (uint32_t i = 1; found < CHOSEN; i++) {
        const endpoint client = end_of(i);
        if ((endpoints_hash(&server, &client) + endpoints_hash(&client, &server)) % BUCKETS == 0)
            clients[found++] = client;
    }
    for (uint32_t i = 0; i < CHOSEN; i++) {
        announce(s, &server, &clients[i], i, 0);
        assert_non_null(between(s, &server, &clients[i], &changed));
    }
    for (uint32_t i = 0; i < CHOSEN; i++) {
        const end_sessions *of = between(s, &clients[i], &server, &changed);
        known += of != NULL;
        assert_true((of != NULL) == (i >= CHOSEN - MOST));
        assert_true(!of || of->each[0].seed == i);
    }
    assert_int_equal(known, MOST);
    arena_free(a);
}
