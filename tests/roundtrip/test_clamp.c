/* test_clamp.c - numbers that clamp, in every form: their bytes are those of the nearest bounds, in types without `clamp`.
 * SPDX-License-Identifier: MIT
 */
#include "clamp.h"
#include "clamp_reflect.h"
#include "fuzz/lot.h"
#include "unit.h"

#include <string.h>

enum { ROUNDS = 20000 };

/* Clamped and Refused have the same members. */
typedef union either {
    clamp_Clamped clamped;
    clamp_Refused refused;
} either;

typedef union either_sparse {
    clamp_SparseClamped clamped;
    clamp_SparseRefused refused;
} either_sparse;

/* A number of the type of *member. */
#define NEAR(lots, member, lo, hi) (member) = (__typeof__(member))near_number(lots, (uint64_t)(lo), (uint64_t)(hi))
#define CLAMP(member, lo, hi) (member) = (member) < (lo) ? (lo) : (member) > (hi) ? (hi) : (member)

/* A bound, a number near it, one between, or any bits. */
static uint64_t near_number(lot *l, uint64_t low, uint64_t high)
{
    switch (lot_below(l, 6)) {
    case 0: return low;
    case 1: return low - 1 - lot_below(l, 3);
    case 2: return high + 1 + lot_below(l, 3);
    case 3: return lot_next(l) >> lot_below(l, 64);
    default: return low + lot_next(l) % (high - low + 1);
    }
}

/* Draws each number, or clamps it if l is NULL. */
#define EACH(l, member, lo, hi)      \
    do {                             \
        if (l)                       \
            NEAR(l, member, lo, hi); \
        else                         \
            CLAMP(member, lo, hi);   \
    } while (0)

static void each_number(lot *l, clamp_Clamped *v)
{
    EACH(l, v->hp, 0u, 100u);
    EACH(l, v->mood, -5, 5);
    EACH(l, v->ammo, 3u, 60u);
    EACH(l, v->wide, -9, INT64_C(0x7ffffffffff));
    EACH(l, v->high, 10u, UINT64_MAX - 1);
    EACH(l, v->sign, 0, 9);
    EACH(l, v->speed, -100, 100);
    EACH(l, v->turn, -4 * 4096, 4 * 4096);
    EACH(l, v->alone, 0u, 40000u);
    for (int i = 0; i < 9; i++)
        EACH(l, v->five[i], 0u, 31u);
    for (int i = 0; i < 20; i++)
        EACH(l, v->lane[i], 0u, 9u);
    for (int i = 0; i < 7; i++)
        EACH(l, v->pairs[i], -9, 900);
    EACH(l, v->maybe, -20, 20);
    for (int i = 0; i < 6; i++)
        EACH(l, v->counted[i], 1u, 9u);
    for (int i = 0; i < 9; i++)
        EACH(l, v->grid[i / 3][i % 3], -300, -200);
    EACH(l, v->branch, 2u, 9u);
}

static void draw(lot *l, either *v)
{
    memset(v, 0, sizeof *v);
    clamp_Clamped_init(&v->clamped);
    each_number(l, &v->clamped);
    v->clamped.lead = lot_below(l, 2) != 0;
    v->clamped.between = lot_below(l, 2) != 0;
    v->clamped.has_maybe = lot_below(l, 2) != 0;
    v->clamped.counted_count = (uint8_t)lot_below(l, 7);
}

static either in_range(const either *v)
{
    either near = *v;
    each_number(NULL, &near.clamped);
    return near;
}

TEST(values)
{
    const uint64_t seed = random_seed();
    lot l = {seed};
    assert_int_equal(sizeof(clamp_Clamped), sizeof(clamp_Refused));
    for (int i = 0; i < ROUNDS; i++) {
        uint8_t bytes[clamp_Clamped_MAX_BYTES], as_near[clamp_Clamped_MAX_BYTES];
        either v, near, read;
        pkt_error error;
        draw(&l, &v);
        near = in_range(&v);
        const size_t size = clamp_Clamped_pack_body(&v.clamped, bytes, sizeof bytes);
        assert_int_equal(size, clamp_Refused_pack_body(&near.refused, as_near, sizeof as_near));
        assert_true(size != 0);
        assert_memory_equal(bytes, as_near, size);
        assert_true(clamp_Clamped_valid(&v.clamped, &error));
        assert_int_equal(error.code, PKT_OK);
        assert_int_equal(clamp_Clamped_measure(&v.clamped, 0), clamp_Refused_measure(&near.refused, 0));
        assert_int_equal(clamp_Clamped_hash(&v.clamped), clamp_Clamped_hash(&near.clamped));
        assert_true(clamp_Clamped_equal(&v.clamped, &near.clamped));
        clamp_Clamped_init(&read.clamped);
        assert_true(clamp_Clamped_unpack_body(&read.clamped, bytes, size));
        assert_true(clamp_Refused_equal(&read.refused, &near.refused));
        clamp_Clamped_quantize(&v.clamped);
        clamp_Refused_quantize(&near.refused);
        for (int n = v.clamped.counted_count; n < 6; n++)
            v.clamped.counted[n] = near.clamped.counted[n]; /* no part of the value */
        assert_memory_equal(&v, &near, sizeof v);
    }
}

/* With a baseline that is clamped or not. What has not changed keeps the number of the baseline, bit by bit. */
TEST(deltas)
{
    const uint64_t seed = random_seed();
    lot l = {seed};
    for (int i = 0; i < ROUNDS; i++) {
        uint8_t bytes[clamp_Clamped_DELTA_MAX_BYTES], as_near[clamp_Clamped_DELTA_MAX_BYTES];
        either base, v, near_base, near, read;
        draw(&l, &base);
        draw(&l, &v);
        if (lot_below(&l, 2) == 0) {
            v.clamped.hp = base.clamped.hp;
            v.clamped.speed = base.clamped.speed;
            v.clamped.counted_count = base.clamped.counted_count;
            memcpy(v.clamped.lane, base.clamped.lane, sizeof v.clamped.lane);
            memcpy(v.clamped.five, base.clamped.five, 5);
        }
        if (lot_below(&l, 3) == 0)
            clamp_Clamped_quantize(&base.clamped);
        near_base = in_range(&base);
        near = in_range(&v);
        size_t size = clamp_Clamped_pack_delta_body(&base.clamped, &v.clamped, bytes, sizeof bytes);
        assert_int_equal(size,
                         clamp_Refused_pack_delta_body(&near_base.refused, &near.refused, as_near, sizeof as_near));
        assert_true(size != 0);
        assert_memory_equal(bytes, as_near, size);
        clamp_Clamped_init(&read.clamped);
        assert_true(clamp_Clamped_unpack_delta_body(&base.clamped, &read.clamped, bytes, size));
        assert_true(clamp_Clamped_equal(&read.clamped, &v.clamped));
        if (near.clamped.hp == near_base.clamped.hp)
            assert_int_equal(read.clamped.hp, base.clamped.hp);
        else
            assert_int_equal(read.clamped.hp, near.clamped.hp);
        if (near.clamped.speed == near_base.clamped.speed)
            assert_int_equal(read.clamped.speed, base.clamped.speed);
        size = clamp_Clamped_pack_delta_body(&near_base.clamped, &v.clamped, bytes, sizeof bytes);
        assert_true(clamp_Clamped_unpack_delta_body(&near_base.clamped, &read.clamped, bytes, size));
        assert_true(clamp_Refused_equal(&read.refused, &near.refused));
    }
}

/* A delta without a change has the mask alone, although the numbers in memory differ. */
TEST(unchanged)
{
    uint8_t bytes[clamp_Clamped_DELTA_MAX_BYTES], least[clamp_Clamped_DELTA_MAX_BYTES];
    either base, v;
    memset(&base, 0, sizeof base);
    clamp_Clamped_init(&base.clamped);
    base.clamped.hp = 100;
    base.clamped.sign = 0;
    base.clamped.five[3] = 31;
    v = base;
    const size_t size = clamp_Clamped_pack_delta_body(&base.clamped, &v.clamped, least, sizeof least);
    v.clamped.hp = 200;
    v.clamped.sign = -7;
    v.clamped.five[3] = 77;
    assert_int_equal(clamp_Clamped_pack_delta_body(&base.clamped, &v.clamped, bytes, sizeof bytes), size);
    assert_memory_equal(bytes, least, size);
}

TEST(usual)
{
    clamp_Clamped v;
    clamp_Clamped_init(&v);
    v.mood = 0;
    const uint64_t least = clamp_Clamped_measure(&v, 0);
    v.mood = -32768;
    assert_int_equal(clamp_Clamped_measure(&v, 0), least + 4);
    clamp_Clamped_quantize(&v);
    assert_int_equal(v.mood, -5);
}

/* A reader refuses the same codes in both types. */
TEST(codes_out_of_range)
{
    const uint64_t seed = random_seed();
    lot l = {seed};
    unsigned refused = 0;
    for (int i = 0; i < ROUNDS; i++) {
        uint8_t bytes[clamp_Clamped_MAX_BYTES];
        either v;
        pkt_error error, other;
        draw(&l, &v);
        const size_t size = clamp_Clamped_pack_body(&v.clamped, bytes, sizeof bytes);
        bytes[lot_below(&l, (uint32_t)size)] ^= (uint8_t)(1u << lot_below(&l, 8));
        const bool good = clamp_Clamped_unpack_body_error(&v.clamped, bytes, size, &error);
        assert_int_equal(clamp_Refused_unpack_body_error(&v.refused, bytes, size, &other), good);
        assert_int_equal(error.code, other.code);
        assert_int_equal(error.bit, other.bit);
        refused += !good && error.code == PKT_ERROR_RANGE;
    }
    assert_true(refused > ROUNDS / 100);
}

static void each_element(lot *l, either_sparse *v)
{
    for (int i = 0; i < 40; i++)
        EACH(l, v->clamped.some[i], 2u, 9u);
    for (int i = 0; i < 12; i++)
        EACH(l, v->clamped.kept[i], -3, 9);
}

TEST(sparse)
{
    const uint64_t seed = random_seed();
    lot l = {seed};
    for (int i = 0; i < ROUNDS; i++) {
        uint8_t bytes[clamp_SparseClamped_MAX_BYTES], as_near[clamp_SparseClamped_MAX_BYTES];
        either_sparse v, near;
        memset(&v, 0, sizeof v);
        clamp_SparseClamped_init(&v.clamped);
        each_element(&l, &v);
        for (uint32_t n = 0; n < 40; n++)
            if (lot_below(&l, 3) == 0)
                clamp_SparseClamped_some_set(&v.clamped, n);
        for (uint32_t n = 0; n < 12; n++)
            if (lot_below(&l, 3) == 0)
                clamp_SparseClamped_kept_set(&v.clamped, n);
        near = v;
        each_element(NULL, &near);
        const size_t size = clamp_SparseClamped_pack_body(&v.clamped, bytes, sizeof bytes);
        assert_int_equal(size, clamp_SparseRefused_pack_body(&near.refused, as_near, sizeof as_near));
        assert_true(size != 0);
        assert_memory_equal(bytes, as_near, size);
        assert_true(clamp_SparseClamped_equal(&v.clamped, &near.clamped));
    }
}

TEST(reflected)
{
    pkt_member m = {0};
    assert_true(pkt_next_member(&clamp_Clamped_reflection, &m));
    assert_true(pkt_next_member(&clamp_Clamped_reflection, &m));
    assert_string_equal(m.name, "hp");
    assert_int_equal(m.low, 0);
    assert_int_equal(m.high, 100);
}
