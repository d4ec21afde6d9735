/* test_half.c - tests halves in every form: all 65,536 codes, values that are rounded, NaNs, deltas, and `unless`.
 * SPDX-License-Identifier: MIT
 */
#include "float_bits.h"
#include "half.h"
#include "half_reflect.h"
#include "unit.h"

#include <math.h>
#include <string.h>

enum { CODES = 0x10000 };

/* Every code is read, and written again unchanged. The value read is one that a half has, and equals itself. */
TEST(every_code)
{
    for (uint32_t code = 0; code < CODES; code++) {
        uint8_t bytes[2] = {(uint8_t)code, (uint8_t)(code >> 8)}, again[2] = {0};
        half_Plain v = {0};
        assert_true(half_Plain_unpack_body(&v, bytes, sizeof bytes));
        assert_int_equal(half_Plain_pack_body(&v, again, sizeof again), 2);
        assert_memory_equal(again, bytes, 2);
        const uint32_t read = bits_of(v.h);
        assert_true(half_Plain_equal(&v, &v));
        half_Plain_quantize(&v);
        assert_int_equal(bits_of(v.h), read);
    }
    assert_int_equal(half_Plain_MAX_BITS, 16);
}

/* A value gets this code when it is written, measured and settled. */
static void check_value(float v, uint32_t code)
{
    uint8_t bytes[2];
    half_Plain value = {v}, read = {0};
    assert_int_equal(half_Plain_measure(&value, 0), 16);
    assert_int_equal(half_Plain_pack_body(&value, bytes, sizeof bytes), 2);
    assert_int_equal(bytes[0] | bytes[1] << 8, code);
    assert_true(half_Plain_unpack_body(&read, bytes, sizeof bytes));
    assert_true(half_Plain_equal(&value, &read));
    half_Plain_quantize(&value);
    assert_int_equal(bits_of(value.h), bits_of(read.h));
}

TEST(values_that_round)
{
    check_value(1.0f, 0x3C00);
    check_value(-2.0f, 0xC000);
    check_value(0.1f, 0x2E66);
    check_value(1.00048828125f, 0x3C00); /* halfway between 0x3C00 and 0x3C01: the even one */
    check_value(1.00146484375f, 0x3C02);
    check_value(65504.0f, 0x7BFF);
    check_value(65519.996f, 0x7BFF);
    check_value(65520.0f, 0x7C00);
    check_value(-1.0e30f, 0xFC00);
    check_value(INFINITY, 0x7C00);
    check_value(-0.0f, 0x8000);
    check_value(5.9604645e-8f, 0x0001);
    check_value(2.9802322e-8f, 0x0000);
    check_value(2.9802326e-8f, 0x0001);
    check_value(6.1035156e-5f, 0x0400);
    check_value(6.0975552e-5f, 0x03FF);
    check_value(of_bits(0x7FC00000), 0x7E00);
    check_value(of_bits(0xFFC00001), 0xFE00);
    check_value(of_bits(0x7F802000), 0x7C01);
    check_value(of_bits(0x7F800001), 0x7C01); /* its payload does not fit: still a signalling NaN */
    check_value(of_bits(0x7FFFFFFF), 0x7FFF);
}

static half_Forms made(void)
{
    half_Forms v;
    half_Forms_init(&v);
    v.lead = true;
    v.one = 0.1f;
    v.has_maybe = true;
    v.maybe = -1.0e9f;
    for (uint32_t i = 0; i < 5; i++)
        v.fixed_array[i] = 1.0f / (float)(i + 1);
    v.counted_count = 4;
    for (uint32_t i = 0; i < 4; i++)
        v.counted[i] = -3.3f * (float)i;
    v.apart = 5;
    return v;
}

TEST(constants)
{
    half_Forms v;
    half_Forms_init(&v);
    assert_int_equal(bits_of(v.usual), bits_of(0.099975586f));
    assert_int_equal(bits_of(v.set), bits_of(0.30004883f));
    assert_int_equal(bits_of(v.one), 0);
    const uint64_t least = half_Forms_measure(&v, 0);
    /* Every float that rounds to the half of 0.1 is the usual value, and is read as that half. */
    v.usual = 0.1f;
    assert_int_equal(half_Forms_measure(&v, 0), least);
    half_Forms_quantize(&v);
    assert_int_equal(bits_of(v.usual), bits_of(0.099975586f));
    v.usual = 0.1001f;
    assert_int_equal(half_Forms_measure(&v, 0), least + 16);
}

TEST(every_form)
{
    uint8_t bytes[half_Forms_MAX_BYTES];
    half_Forms v = made(), read, settled = v;
    half_Forms_init(&read);
    const size_t size = half_Forms_pack(&v, bytes, sizeof bytes);
    assert_true(size != 0);
    assert_true(half_Forms_unpack(&read, bytes, size));
    assert_true(half_Forms_equal(&v, &read));
    half_Forms_quantize(&settled);
    assert_memory_equal(settled.fixed_array, read.fixed_array, sizeof read.fixed_array);
    assert_memory_equal(settled.counted, read.counted, 4 * sizeof *read.counted);
    assert_int_equal(bits_of(settled.one), bits_of(read.one));
    assert_true(isinf(read.maybe) && read.maybe < 0);
    assert_int_equal(bits_of(settled.maybe), bits_of(read.maybe));
    for (size_t cut = 0; cut < size; cut++)
        assert_false(half_Forms_unpack(&read, bytes, cut));
}

TEST(sent_though_usual)
{
    half_Forms v;
    half_Forms_init(&v);
    v.usual = 0.1001f;
    uint8_t bytes[half_Forms_MAX_BYTES];
    pkt_error error;
    const size_t size = half_Forms_pack_body(&v, bytes, sizeof bytes);
    /* lead, one, the presence bit of usual, then its 16 bits from bit 18 on: replace them by the usual value. */
    uint32_t word;
    memcpy(&word, bytes + 2, sizeof word);
    word = (word & ~(UINT32_C(0xFFFF) << 2)) | UINT32_C(0x2E66) << 2;
    memcpy(bytes + 2, &word, sizeof word);
    assert_false(half_Forms_unpack_body_error(&v, bytes, size, &error));
    assert_int_equal(error.code, PKT_ERROR_CANONICAL);
    assert_string_equal(error.field, "Forms.usual");
}

/* In the order of all halves, NaNs and both zeros too, each is a step of 1 from the one before it: a mask of a bit, and 1 and
 * two bits. */
TEST(neighbours_are_a_step_apart)
{
    for (uint32_t place = 1; place < CODES; place++) {
        half_Steps v[2] = {{0}}, read = {0};
        uint8_t bytes[8];
        for (uint32_t i = 0; i < 2; i++) {
            const uint32_t at = place - i, code = at >= CODES / 2 ? at - CODES / 2 : CODES - 1 - at;
            const uint8_t raw[2] = {(uint8_t)code, (uint8_t)(code >> 8)};
            assert_true(half_Steps_unpack_body(&v[i], raw, sizeof raw));
        }
        assert_int_equal(half_Steps_pack_delta_body(&v[1], &v[0], bytes, sizeof bytes), 1);
        assert_int_equal(bytes[0], 1 | 1 << 1 | 3 << 2);
        read = v[1];
        assert_true(half_Steps_unpack_delta_body(&v[1], &read, bytes, 1));
        assert_int_equal(bits_of(read.h), bits_of(v[0].h));
        assert_int_equal(half_Steps_pack_delta_body(&v[0], &v[1], bytes, sizeof bytes), 1);
        assert_int_equal(bytes[0], 1 | 1 << 1 | 1 << 2);
    }
}

TEST(deltas)
{
    uint8_t bytes[half_Forms_DELTA_MAX_BYTES];
    half_Forms base = made(), v = base, read;
    half_Forms_quantize(&base);
    half_Forms_init(&read);
    /* No half has changed, so the floats of the baseline stay. */
    size_t size = half_Forms_pack_delta_body(&base, &v, bytes, sizeof bytes);
    assert_true(size != 0 && half_Forms_unpack_delta_body(&base, &read, bytes, size));
    assert_true(half_Forms_equal(&v, &read));
    assert_int_equal(bits_of(read.one), bits_of(base.one));
    const size_t least = size;
    v.one = of_bits(0x7F800001);
    v.usual = 7.0f;
    v.maybe = 0.0f;
    v.fixed_array[3] = -0.0f;
    v.counted_count = 6;
    v.counted[5] = 60000.0f;
    v.set = 1.0e-7f;
    size = half_Forms_pack_delta_body(&base, &v, bytes, sizeof bytes);
    assert_true(size > least && half_Forms_unpack_delta_body(&base, &read, bytes, size));
    assert_true(half_Forms_equal(&v, &read));
    half_Forms_quantize(&v);
    assert_int_equal(bits_of(read.one), bits_of(v.one));
    assert_memory_equal(read.fixed_array, v.fixed_array, sizeof v.fixed_array);
    size = half_Forms_pack_delta_body(NULL, &v, bytes, sizeof bytes);
    assert_true(size != 0 && half_Forms_unpack_delta_body(NULL, &read, bytes, size));
    assert_true(half_Forms_equal(&v, &read));
}

/* A baseline may have floats that no half has. If they have not changed, they stay. */
TEST(baseline_off_the_grid)
{
    uint8_t bytes[half_Forms_DELTA_MAX_BYTES];
    half_Forms base = made(), v = base, read;
    half_Forms_init(&read);
    v.set = 2.5f;
    const size_t size = half_Forms_pack_delta_body(&base, &v, bytes, sizeof bytes);
    assert_true(size != 0 && half_Forms_unpack_delta_body(&base, &read, bytes, size));
    assert_int_equal(bits_of(read.one), bits_of(0.1f));
    assert_int_equal(bits_of(read.fixed_array[2]), bits_of(base.fixed_array[2]));
    assert_true(read.set == 2.5f);
}

TEST(sparse)
{
    uint8_t bytes[half_Sparse_MAX_BYTES];
    half_Sparse v, read;
    half_Sparse_init(&v);
    half_Sparse_init(&read);
    for (uint32_t i = 0; i < 40; i += 7) {
        half_Sparse_some_set(&v, i);
        v.some[i] = 0.7f * (float)i;
    }
    const size_t size = half_Sparse_pack(&v, bytes, sizeof bytes);
    assert_true(size != 0 && half_Sparse_unpack(&read, bytes, size));
    assert_true(half_Sparse_equal(&v, &read));
    half_Sparse_quantize(&v);
    assert_memory_equal(v.some, read.some, sizeof v.some);
}

TEST(reflected)
{
    pkt_member m = {0};
    assert_true(pkt_next_member(&half_Plain_reflection, &m));
    assert_int_equal(m.kind, PKT_KIND_FLOAT);
    assert_int_equal(m.bits, 16);
    assert_int_equal(m.value.size, sizeof(float));
    assert_true(m.step == 0.0);
}
