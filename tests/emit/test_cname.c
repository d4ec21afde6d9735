/* test_cname.c - tests the names of storage types, and literals at the limits of their types.
 * SPDX-License-Identifier: MIT
 */
#include "emit/cname.h"
#include "unit.h"

#include <float.h>
#include <math.h>
#include <string.h>

TEST(storage_types)
{
    assert_string_equal(cname_storage(STORAGE_U16), "uint16_t");
    assert_string_equal(cname_storage(STORAGE_I64), "int64_t");
    assert_string_equal(cname_storage(STORAGE_DOUBLE), "double");
}

/* Checks the literal, and, because the macro is also its value, that a C compiler gives it that value. */
#define ASSERT_SIGNED(literal, s) assert_string_equal(cname_integer(a, num_i64(literal), (s)), #literal)
#define ASSERT_UNSIGNED(literal, s) assert_string_equal(cname_integer(a, num_u64(literal), (s)), #literal)

TEST(integers)
{
    arena *a = arena_new();
    ASSERT_SIGNED(0, STORAGE_I8);
    ASSERT_SIGNED(-128, STORAGE_I8);
    ASSERT_SIGNED(2147483647, STORAGE_I32);
    ASSERT_SIGNED(-2147483647, STORAGE_I32);
    ASSERT_SIGNED((-2147483647 - 1), STORAGE_I32);
    assert_string_equal(cname_integer(a, num_i64(INT64_C(2147483648)), STORAGE_I64), "INT64_C(2147483648)");
    assert_string_equal(cname_integer(a, num_i64(-INT64_C(2147483649)), STORAGE_I64), "-INT64_C(2147483649)");
    assert_string_equal(cname_integer(a, num_i64(INT64_MAX), STORAGE_I64), "INT64_C(9223372036854775807)");
    assert_string_equal(cname_integer(a, num_i64(INT64_MIN), STORAGE_I64), "(-INT64_C(9223372036854775807) - 1)");
    ASSERT_UNSIGNED(255, STORAGE_U8);
    ASSERT_UNSIGNED(65535, STORAGE_U16);
    ASSERT_UNSIGNED(2147483647, STORAGE_U32);
    ASSERT_UNSIGNED(2147483648u, STORAGE_U32);
    ASSERT_UNSIGNED(4294967295u, STORAGE_U32);
    ASSERT_UNSIGNED(5, STORAGE_U64);
    assert_string_equal(cname_integer(a, num_u64(4294967295u), STORAGE_U64), "UINT64_C(4294967295)");
    assert_string_equal(cname_integer(a, num_u64(UINT64_MAX), STORAGE_U64), "UINT64_C(18446744073709551615)");
    assert_string_equal(cname_integer(a, num_u64(1), STORAGE_BOOL), "true");
    assert_string_equal(cname_integer(a, num_u64(0), STORAGE_BOOL), "false");
    arena_free(a);
}

TEST(reals)
{
    static const struct {
        double value;
        storage storage;
        const char *literal;
    } cases[] = {
        {0.0, STORAGE_FLOAT, "0.0f"},
        {-0.0, STORAGE_DOUBLE, "-0.0"},
        {1.0, STORAGE_FLOAT, "1.0f"},
        {0.1f, STORAGE_FLOAT, "0.1f"},
        {0.1, STORAGE_DOUBLE, "0.1"},
        {0.1f, STORAGE_DOUBLE, "0.10000000149011612"},
        {1000.0, STORAGE_FLOAT, "1000.0f"},
        {-1024.5, STORAGE_FLOAT, "-1024.5f"},
        {0.00001, STORAGE_DOUBLE, "0.00001"},
        {1e30, STORAGE_DOUBLE, "1e30"},
        {1e-30, STORAGE_DOUBLE, "1e-30"},
        {1.5e20f, STORAGE_FLOAT, "1.5e20f"},
        {123456789.0, STORAGE_DOUBLE, "123456789.0"},
        {9007199254740993.0, STORAGE_DOUBLE, "9007199254740992.0"},
        {FLT_MAX, STORAGE_FLOAT, "3.4028235e38f"},
        {DBL_MAX, STORAGE_DOUBLE, "1.7976931348623157e308"},
        {DBL_MIN, STORAGE_DOUBLE, "2.2250738585072014e-308"},
        {5e-324, STORAGE_DOUBLE, "5e-324"},
        {1e-45f, STORAGE_FLOAT, "1e-45f"},
    };
    arena *a = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(cname_real(a, cases[i].value, cases[i].storage), cases[i].literal);
    arena_free(a);
}

/* The literals of a sequence of bit patterns have the same value when they are read. */
TEST(reals_read_back)
{
    uint64_t bits = 1;
    arena *a = arena_new();
    for (int i = 0; i < 20000; i++) {
        bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint32_t high = (uint32_t)(bits >> 32);
        float single;
        double wide;
        memcpy(&single, &high, sizeof single);
        memcpy(&wide, &bits, sizeof wide);
        if (isfinite(single)) {
            const char *text = cname_real(a, single, STORAGE_FLOAT);
            assert_true(strtof(text, NULL) == single);
            assert_non_null(strpbrk(text, ".e"));
            assert_true(text[strlen(text) - 1] == 'f');
        }
        if (isfinite(wide)) {
            const char *text = cname_real(a, wide, STORAGE_DOUBLE);
            assert_true(strtod(text, NULL) == wide);
            assert_non_null(strpbrk(text, ".e"));
        }
    }
    arena_free(a);
}
