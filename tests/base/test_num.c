/* test_num.c - tests the arithmetic of num.h at the limits of its range.
 * SPDX-License-Identifier: MIT
 */
#include "base/num.h"
#include "unit.h"

static const num most = {UINT64_MAX, false};
static const num least = {UINT64_MAX, true};

static void assert_num(num n, const char *decimal)
{
    arena *a = arena_new();
    assert_string_equal(num_text(a, n), decimal);
    assert_true(n.magnitude != 0 || !n.negative);
    arena_free(a);
}

TEST(from_c)
{
    assert_num(num_u64(0), "0");
    assert_num(num_u64(UINT64_MAX), "18446744073709551615");
    assert_num(num_i64(INT64_MAX), "9223372036854775807");
    assert_num(num_i64(INT64_MIN), "-9223372036854775808");
    assert_num(num_i64(-1), "-1");
    assert_num(num_i64(0), "0");
    assert_num(num_negate(num_u64(0)), "0");
    assert_num(num_negate(most), "-18446744073709551615");
    assert_num(num_negate(least), "18446744073709551615");
}

TEST(sums)
{
    num n = num_u64(77);
    assert_true(num_add(num_i64(-5), num_i64(5), &n));
    assert_num(n, "0");
    assert_true(num_add(num_i64(-5), num_i64(3), &n));
    assert_num(n, "-2");
    assert_true(num_add(num_i64(3), num_i64(-5), &n));
    assert_num(n, "-2");
    assert_true(num_add(num_i64(-3), num_i64(5), &n));
    assert_num(n, "2");
    assert_true(num_add(num_i64(-3), num_i64(-5), &n));
    assert_num(n, "-8");
    assert_true(num_add(most, least, &n));
    assert_num(n, "0");
    assert_true(num_subtract(num_i64(INT64_MAX), num_i64(INT64_MIN), &n));
    assert_num(n, "18446744073709551615");
    assert_true(num_subtract(num_i64(INT64_MIN), num_i64(INT64_MAX), &n));
    assert_num(n, "-18446744073709551615");
    assert_true(num_subtract(num_u64(0), most, &n));
    assert_num(n, "-18446744073709551615");

    n = num_u64(77);
    assert_false(num_add(most, num_u64(1), &n));
    assert_false(num_add(least, num_i64(-1), &n));
    assert_false(num_subtract(least, num_u64(1), &n));
    assert_false(num_subtract(most, num_i64(-1), &n));
    assert_num(n, "77");
}

TEST(products)
{
    num n = num_u64(77);
    assert_true(num_multiply(num_u64(UINT32_MAX), num_u64((uint64_t)UINT32_MAX + 2), &n));
    assert_num(n, "18446744073709551615");
    assert_true(num_multiply(most, num_i64(-1), &n));
    assert_num(n, "-18446744073709551615");
    assert_true(num_multiply(num_i64(-7), num_i64(-6), &n));
    assert_num(n, "42");
    assert_true(num_multiply(num_i64(-7), num_u64(0), &n));
    assert_num(n, "0");
    assert_true(num_multiply(num_u64(0), least, &n));
    assert_num(n, "0");

    n = num_u64(77);
    assert_false(num_multiply(num_u64((uint64_t)1 << 32), num_u64((uint64_t)1 << 32), &n));
    assert_false(num_multiply(most, num_i64(-2), &n));
    assert_num(n, "77");
}

TEST(quotients)
{
    static const struct {
        int64_t a, b;
        const char *quotient, *remainder;
    } cases[] = {
        {7, 2, "3", "1"},
        {-7, 2, "-3", "-1"},
        {7, -2, "-3", "1"},
        {-7, -2, "3", "-1"},
        {1, 2, "0", "1"},
        {-1, 2, "0", "-1"},
        {6, -3, "-2", "0"},
        {-6, 3, "-2", "0"},
        {INT64_MIN, -1, "9223372036854775808", "0"},
        {INT64_MIN, 1, "-9223372036854775808", "0"},
    };
    num n = num_u64(77);
    assert_false(num_divide(most, num_u64(0), &n));
    assert_false(num_remainder(most, num_u64(0), &n));
    assert_num(n, "77");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(num_divide(num_i64(cases[i].a), num_i64(cases[i].b), &n));
        assert_num(n, cases[i].quotient);
        assert_true(num_remainder(num_i64(cases[i].a), num_i64(cases[i].b), &n));
        assert_num(n, cases[i].remainder);
    }
}

TEST(order)
{
    const num rising[] = {least,      num_i64(INT64_MIN), num_i64(-2),        num_i64(-1), num_u64(0),
                          num_u64(1), num_u64(2),         num_i64(INT64_MAX), most};
    const int count = (int)(sizeof rising / sizeof *rising);
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            assert_int_equal(num_compare(rising[i], rising[j]), (i > j) - (i < j));
            assert_int_equal(num_compare(num_least(rising[i], rising[j]), rising[i < j ? i : j]), 0);
            assert_int_equal(num_compare(num_greatest(rising[i], rising[j]), rising[i > j ? i : j]), 0);
        }
    }
}

TEST(storage)
{
    num under;
    assert_true(num_subtract(num_i64(INT64_MIN), num_u64(1), &under));
    assert_true(num_fits_i64(num_i64(INT64_MIN)));
    assert_false(num_fits_i64(under));
    assert_true(num_fits_i64(num_i64(INT64_MAX)));
    assert_false(num_fits_i64(num_u64((uint64_t)INT64_MAX + 1)));
    assert_true(num_fits_u64(most));
    assert_true(num_fits_u64(num_u64(0)));
    assert_false(num_fits_u64(num_i64(-1)));

    assert_true(num_bits(num_i64(-1)) == UINT64_MAX);
    assert_true(num_bits(num_i64(INT64_MIN)) == (uint64_t)1 << 63);
    assert_true(num_bits(most) == UINT64_MAX);
    assert_true(num_double(num_i64(INT64_MIN)) == -9223372036854775808.0);
    assert_true(num_double(num_u64(((uint64_t)1 << 53) + 1)) == 9007199254740992.0);
    assert_true(num_double(most) == 18446744073709551616.0);
}

TEST(lengths)
{
    assert_int_equal(bit_length(0), 0);
    for (unsigned bits = 1; bits <= 64; bits++) {
        assert_int_equal(bit_length((uint64_t)1 << (bits - 1)), bits);
        assert_int_equal(bit_length(UINT64_MAX >> (64 - bits)), bits);
    }
}
