/* test_small.c - tests that a small delta has never more than one bit more than if no field was coded, whatever the model
 * is, and that it arrives.
 * SPDX-License-Identifier: MIT
 *
 * Values are random; SEED=N in the environment gives others.
 */
#include "small.h"
#include "unit.h"

#include <string.h>

enum { CASES = 20000 };

static uint64_t seed, state_of_random;

static uint32_t below(uint32_t n)
{
    state_of_random = state_of_random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state_of_random >> 33) % n);
}

/* A step whose size is as often of one number of digits as of another. */
static int32_t step(void)
{
    const int32_t size = (int32_t)below(1u << (1 + below(15)));
    return below(2) == 0 ? size : -size;
}

static float moved(float v, float low, float high)
{
    v += (float)step() * 0.01f;
    return v < low ? low : v > high ? high : v;
}

static void change(small_Plain *v, uint32_t one_in)
{
    if (below(one_in) == 0)
        v->tick = (uint16_t)(v->tick + step());
    if (below(one_in) == 0)
        v->x = moved(v->x, -64, 64);
    if (below(one_in) == 0)
        v->y = moved(v->y, -64, 64);
    if (below(one_in) == 0)
        v->z = moved(v->z, 0, 32);
    if (below(one_in) == 0)
        v->turn.x = moved(v->turn.x, -0.5f, 0.5f);
    if (below(one_in) == 0)
        v->health = (uint8_t)below(101);
    if (below(one_in) == 0)
        v->ammo = (int16_t)((int32_t)below(1001) - 500);
    if (below(one_in) == 0)
        v->score += (uint32_t)step() * (1 + below(70000));
    if (below(one_in) == 0)
        v->since += (uint32_t)step();
    if (below(one_in) == 0)
        v->has_target = below(4) != 0;
    if (below(one_in) == 0)
        v->target = (uint16_t)(v->target + step());
    for (unsigned i = 0; i < 6; i++)
        if (below(2 * one_in) == 0)
            v->list[i] = (uint8_t)(v->list[i] + step());
    if (below(one_in) == 0)
        v->yaw = moved(v->yaw, 0, 360);
    if (below(one_in) == 0)
        v->fires = !v->fires;
    if (below(4 * one_in) == 0)
        v->more[below(8)] = (uint16_t)below(512);
    small_Plain_quantize(v);
}

static small_Plain random_value(void)
{
    small_Plain v;
    small_Plain_init(&v);
    for (int i = 0; i < 8; i++)
        change(&v, 1);
    return v;
}

/* How often each form came, and how often the plain one was a bit longer than without codes. */
typedef struct forms {
    unsigned coded, plain, longer;
} forms;

static void compare(forms *f, uint64_t plain, uint64_t bits, size_t size, const uint8_t *data)
{
    if (bits > plain + 1 || size != (bits + 7) / 8)
        fail_msg("%u bits, %u bytes; plain %u bits; SEED=%u", (unsigned)bits, (unsigned)size, (unsigned)plain,
                 (unsigned)seed);
    f->coded += data[0] & 1;
    f->plain += !(data[0] & 1);
    f->longer += bits == plain + 1;
    /* The plain form is exactly that: the same items, and the form bit. */
    if (!(data[0] & 1))
        assert_int_equal(bits, plain + 1);
}

/* All of these types have the same members as Plain. */
#define TRY(TYPE, f, base, now, plain)                                                          \
    do {                                                                                        \
        small_##TYPE from_, to_, back_;                                                         \
        uint8_t data_[small_##TYPE##_DELTA_MAX_BYTES];                                          \
        assert_int_equal(sizeof from_, sizeof(small_Plain));                                    \
        memcpy(&from_, &(base), sizeof from_);                                                  \
        memcpy(&to_, &(now), sizeof to_);                                                       \
        const size_t size_ = small_##TYPE##_pack_delta_body(&from_, &to_, data_, sizeof data_); \
        compare(f, plain, small_##TYPE##_measure_delta(&from_, &to_, 0), size_, data_);         \
        assert_true(small_##TYPE##_unpack_delta_body(&from_, &back_, data_, size_));            \
        assert_true(small_##TYPE##_equal(&back_, &to_));                                        \
    } while (0)

static void try_moving(forms *f, const small_Plain *before, const small_Plain *base, const small_Plain *now)
{
    small_Moving first, second, moved, to, back;
    small_Moving_motion motion;
    small_Plain expected;
    uint8_t data[small_Moving_DELTA_MAX_BYTES];
    memcpy(&first, before, sizeof first);
    memcpy(&second, base, sizeof second);
    memcpy(&to, now, sizeof to);
    small_Moving_predict(&second, &first, 1 + below(8), 1 + below(3), &motion);
    small_Moving_expected(&motion, &moved);
    memcpy(&expected, &moved, sizeof expected);
    const size_t size = small_Moving_pack_delta_body(&motion, &to, data, sizeof data);
    compare(f, small_Plain_measure_delta(&expected, now, 0), small_Moving_measure_delta(&motion, &to, 0), size, data);
    assert_true(small_Moving_unpack_delta_body(&motion, &back, data, size));
    assert_true(small_Moving_equal(&back, &to));
}

TEST(test_small)
{
    forms flat = {0}, friendly = {0}, hostile = {0}, moving = {0};
    unsigned small = 0;
    const char *given = getenv("SEED");
    seed = given ? (uint64_t)atoi(given) : 1;
    state_of_random = seed * 7919;
    for (int i = 0; i < CASES; i++) {
        const small_Plain before = random_value();
        small_Plain base = before, now;
        change(&base, 2);
        now = base;
        change(&now, 1 + below(5));
        const uint64_t plain = small_Plain_measure_delta(&base, &now, 0);
        small += plain >= 20 * 8 && plain <= 60 * 8;
        TRY(Flat, &flat, base, now, plain);
        TRY(Friendly, &friendly, base, now, plain);
        TRY(Hostile, &hostile, base, now, plain);
        try_moving(&moving, &before, &base, &now);
    }
    const forms *all[] = {&flat, &friendly, &hostile, &moving};
    print_message("SEED=%u: %u of %u deltas have 20 to 60 bytes\n", (unsigned)seed, small, (unsigned)CASES);
    for (unsigned i = 0; i < 4; i++) {
        print_message("%u coded, %u plain, %u a bit longer\n", all[i]->coded, all[i]->plain, all[i]->longer);
        assert_true(all[i]->coded > CASES / 100);
        assert_true(all[i]->plain > CASES / 100);
    }
    assert_true(small > CASES / 10);
}
