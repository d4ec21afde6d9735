/* test_spoken.c - tests what is remembered of the releases that two ends speak, of however many of them.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/spoken.h"
#include "unit.h"

#include <time.h>

static endpoint end_of(uint32_t number)
{
    return (endpoint){
        .address = {10, (uint8_t)(number >> 16), (uint8_t)(number >> 8), (uint8_t)number}, .size = 4, .port = 7777};
}

static datagram between(uint32_t one, uint32_t other)
{
    return (datagram){.from = end_of(one), .to = end_of(other)};
}

TEST(ends_speak_a_release)
{
    static const schema first = {.protocol = "game"}, second = {.protocol = "game"}, chat = {.protocol = "chat"};
    arena *a = arena_new();
    spoken_releases *r = spoken_new(a);
    const datagram there = between(1, 2), back = between(2, 1), other = between(1, 3);
    assert_null(spoken_last(r, &there, &first));
    spoken_keep(r, &there, &first);
    assert_ptr_equal(spoken_last(r, &back, &second), &first);
    assert_null(spoken_last(r, &other, &first));
    assert_null(spoken_last(r, &there, &chat));
    spoken_keep(r, &back, &second);
    spoken_keep(r, &there, &chat);
    assert_ptr_equal(spoken_last(r, &there, &first), &second);
    assert_ptr_equal(spoken_last(r, &there, &chat), &chat);
    arena_free(a);
}

/* A schema can be without a protocol. */
TEST(only_the_last_pairs_are_remembered)
{
    enum { PAIRS = 100000 };
    static const schema nameless = {0};
    arena *a = arena_new();
    spoken_releases *r = spoken_new(a);
    const datagram busy = between(0, 1);
    for (uint32_t i = 1; i <= PAIRS; i++) {
        const datagram d = between(0, i);
        spoken_keep(r, &d, &nameless);
        spoken_keep(r, &busy, &nameless);
    }
    uint32_t known = 0;
    for (uint32_t i = 1; i <= PAIRS; i++) {
        const datagram d = between(i, 0);
        const schema *spoken = spoken_last(r, &d, &nameless);
        assert_true(!spoken || i == 1 || i > PAIRS - 32767);
        known += spoken != NULL;
    }
    assert_int_equal(known, 32768);
    arena_free(a);
}

static clock_t time_of_pairs(bool same)
{
    enum { PAIRS = 32768, ROUNDS = 2 };
    static const schema game = {.protocol = "game"};
    arena *a = arena_new();
    spoken_releases *r = spoken_new(a);
    const clock_t start = clock();
    for (uint32_t i = 0; i < PAIRS * ROUNDS; i++) {
        const datagram d = between(same ? i % PAIRS : 0, i % PAIRS);
        spoken_keep(r, &d, &game);
    }
    const clock_t taken = clock() - start;
    arena_free(a);
    return taken;
}

/* An attacker can send datagrams whose sender is their receiver. In one bucket they took hundreds of times as long. */
TEST(ends_that_are_one_are_found_as_fast)
{
    const clock_t others = time_of_pairs(false);
    assert_true(time_of_pairs(true) < 10 * others + CLOCKS_PER_SEC / 5);
}
