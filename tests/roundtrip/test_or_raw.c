/* test_or_raw.c - floats with `or raw`: every bit pattern survives in every form, and those of steps take few bits.
 * SPDX-License-Identifier: MIT
 */
#include "float_bits.h"
#include "fuzz/lot.h"
#include "or_raw.h"
#include "or_raw_reflect.h"
#include "unit.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 40000, RANGES = 4, HEAD = 3, RAW = 33 };

static float *number_of(raw_Whole *v, int i)
{
    float *const all[RANGES] = {&v->coord, &v->fine, &v->odd, &v->finest};
    return all[i];
}

static float *step_of(raw_Steps *v, int i)
{
    float *const all[RANGES] = {&v->coord, &v->fine, &v->odd, &v->finest};
    return all[i];
}

static const unsigned step_bits[RANGES] = {13, 10, 4, 20};

/* Whether a float is what a reader gets of a plain quantized number. */
static bool is_step(float v, int i)
{
    raw_Steps steps;
    const uint32_t bits = bits_of(v);
    if ((bits & 0x7F800000u) == 0x7F800000u)
        return false;
    raw_Steps_init(&steps);
    *step_of(&steps, i) = v;
    raw_Steps_quantize(&steps);
    return bits_of(*step_of(&steps, i)) == bits;
}

/* A step, a float next to one, one in or near the range, or any bits. */
static float draw_float(lot *l, int i)
{
    static const float low[RANGES] = {-4096, 0, 3, -2000}, high[RANGES] = {4095, 10, 4.5f, 2000};
    raw_Steps steps;
    if (lot_one_in(l, 6))
        return of_bits((uint32_t)lot_next(l));
    if (lot_one_in(l, 8))
        return lot_one_in(l, 2) ? -0.0f : lot_one_in(l, 2) ? (float)NAN : (float)-INFINITY;
    raw_Steps_init(&steps);
    float *v = step_of(&steps, i);
    *v = low[i] + (high[i] - low[i]) * (float)lot_below(l, 1001) / 1000.0f;
    if (lot_one_in(l, 4))
        return *v * 1.5f;
    raw_Steps_quantize(&steps);
    return lot_one_in(l, 4) ? of_bits(bits_of(*v) + (lot_one_in(l, 2) ? 1u : UINT32_MAX)) : *v;
}

TEST(every_bit_survives_and_steps_take_few)
{
    const uint64_t seed = random_seed();
    lot l = {seed};
    unsigned long steps = 0, raws = 0;
    for (int n = 0; n < ROUNDS; n++) {
        uint8_t bytes[raw_Whole_MAX_BYTES];
        raw_Whole v, read, settled;
        uint64_t expected = HEAD;
        raw_Whole_init(&v);
        for (int i = 0; i < RANGES; i++) {
            *number_of(&v, i) = draw_float(&l, i);
            const bool few = is_step(*number_of(&v, i), i);
            expected += few ? 1 + step_bits[i] : RAW;
            steps += few;
            raws += !few;
        }
        const uint64_t size = raw_Whole_pack_body(&v, bytes, sizeof bytes);
        settled = v;
        raw_Whole_quantize(&settled);
        raw_Whole_init(&read);
        if (raw_Whole_measure(&v, 0) != expected || size != (expected + 7) / 8 ||
            !raw_Whole_unpack_body(&read, bytes, size) || memcmp(&settled, &v, sizeof v) != 0 ||
            memcmp(&read.coord, &v.coord, RANGES * sizeof v.coord) != 0 || !raw_Whole_equal(&v, &read))
            fail_msg("seed %llu, round %d", (unsigned long long)seed, n);
        for (uint64_t less = 0; less < size; less++)
            assert_false(raw_Whole_unpack_body(&read, bytes, less));
    }
    assert_true(steps > ROUNDS && raws > ROUNDS);
    assert_int_equal(raw_Whole_MAX_BITS, HEAD + RANGES * RAW);
}

/* A raw number that is a step is refused, in each of the ranges; so is a code over the steps. */
TEST(steps_are_not_raw)
{
    uint8_t bytes[8] = {0};
    const uint64_t raw_zero = 1u << HEAD;
    raw_Whole v;
    pkt_reader r;
    memcpy(bytes, &raw_zero, sizeof bytes);
    pkt_reader_init(&r, bytes, sizeof bytes);
    assert_false(raw_Whole_read(&r, &v));
    assert_int_equal(r.error.code, PKT_ERROR_CANONICAL);
    assert_int_equal(r.error.bit, HEAD);
    assert_string_equal(r.error.field, "Whole.coord");
    /* coord 0 is the code 4096; then the code 1001 of 1000 steps */
    const uint64_t over = (uint64_t)4096 << (HEAD + 1) | (uint64_t)1001 << (HEAD + 14 + 1);
    memcpy(bytes, &over, sizeof bytes);
    pkt_reader_init(&r, bytes, sizeof bytes);
    assert_false(raw_Whole_read(&r, &v));
    assert_int_equal(r.error.code, PKT_ERROR_RANGE);
    assert_int_equal(r.error.bit, HEAD + 14);
    assert_string_equal(r.error.field, "Whole.fine");
}

TEST(base_and_initial_values)
{
    raw_Forms v;
    raw_Forms_init(&v);
    assert_int_equal(bits_of(v.plain), 0);
    assert_int_equal(bits_of(v.usual), bits_of(0.3f));
    assert_int_equal(bits_of(v.set), bits_of(99.5f));
    const uint64_t least = raw_Forms_measure(&v, 0);
    v.usual = 1;
    assert_int_equal(raw_Forms_measure(&v, 0), least + 14);
    v.usual = 0.30000004f;
    assert_int_equal(raw_Forms_measure(&v, 0), least + RAW);
}

static void draw_forms(lot *l, raw_Forms *v)
{
    float *const all[] = {&v->plain,          &v->usual,          &v->maybe,          &v->set,
                          &v->stepped,        &v->coded,          &v->fixed_array[0], &v->fixed_array[1],
                          &v->fixed_array[2], &v->fixed_array[3], &v->counted[0],     &v->counted[1],
                          &v->counted[2],     &v->counted[3],     &v->counted[4]};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (lot_one_in(l, 2))
            *all[i] = lot_one_in(l, 3) && isfinite(*all[i]) ? *all[i] + (float)lot_below(l, 9) : draw_float(l, 0);
    v->has_maybe = lot_one_in(l, 2);
    v->counted_count = (uint8_t)lot_below(l, 6);
}

/* Deltas from any value to any other: what is read has all bits, and costs no more than the greatest size. */
TEST(deltas_keep_every_bit)
{
    const uint64_t seed = random_seed();
    lot l = {seed};
    raw_Forms base;
    raw_Forms_init(&base);
    for (int n = 0; n < ROUNDS; n++) {
        uint8_t bytes[raw_Forms_DELTA_MAX_BYTES + 8];
        raw_Forms v = base, read;
        pkt_writer w;
        pkt_reader r;
        draw_forms(&l, &v);
        pkt_writer_init(&w, bytes, sizeof bytes);
        size_t size = 0;
        const bool written = raw_Forms_write_delta(&w, &base, &v) && pkt_writer_finish(&w, &size);
        pkt_reader_init(&r, bytes, size);
        memset(&read, 0, sizeof read);
        if (!written || size > raw_Forms_DELTA_MAX_BYTES || !raw_Forms_read_delta(&r, &base, &read) ||
            !raw_Forms_equal(&v, &read))
            fail_msg("seed %llu, round %d", (unsigned long long)seed, n);
        base = read;
    }
}

/* A number goes on in steps if both values that it is predicted from are steps; a raw one stays. */
TEST(raw_numbers_are_not_predicted)
{
    const raw_Moves before = {0, 0.5f, 10}, base = {1, 1, 20.25f};
    raw_Moves expected;
    raw_Moves_motion motion;
    raw_Moves_predict(&base, &before, 2, 1, &motion);
    raw_Moves_expected(&motion, &expected);
    assert_int_equal(bits_of(expected.x), bits_of(3));
    assert_int_equal(bits_of(expected.y), bits_of(1));
    assert_int_equal(bits_of(expected.z), bits_of(20.25f));
}

/* Between two values it is any float; near means equal, if the field does not say more. */
TEST(between_two_values)
{
    const raw_Place a = {0, -1.0e30f}, b = {1, 1.0e30f};
    raw_Place v, near = {0.4f, 1.0e30f};
    pkt_deviation deviation;
    raw_Place_mix(&a, &b, 0.25, &v);
    assert_int_equal(bits_of(v.x), bits_of(0.25f));
    assert_int_equal(bits_of(v.y), bits_of(-5.0e29f));
    assert_true(raw_Place_near(&b, &b, &deviation));
    assert_false(raw_Place_near(&near, &b, &deviation));
    near.x = 0.5f;
    assert_true(raw_Place_near(&near, &b, &deviation));
    near.y = of_bits(bits_of(1.0e30f) - 1);
    assert_false(raw_Place_near(&near, &b, &deviation));
}
