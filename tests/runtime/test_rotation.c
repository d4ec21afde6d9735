/* test_rotation.c - tests quat<B> and unit<B> against their definition, and measures how exact they are.
 * SPDX-License-Identifier: MIT
 *
 * The definition in docs/wire.md is implemented here a second time. Each step goes through a volatile float, so that no
 * operation is fused or done in higher precision. The runtime must give the same codes and values. The greatest errors
 * must be close to, and not above, those in the table of compiler/model/accuracy.c, which the docs and generated
 * comments quote.
 */
#include "../../runtime/pkt_inside.h" /* first: it uses names that schema.h takes */
#include "model/accuracy.h"
#define OWN_MAIN
#include "unit.h"

#include <math.h>

enum { QUAT_FIRST = 3, UNIT_FIRST = 2, LAST = 20 };

/* ---- pseudo-random numbers, the same on every machine */

static uint64_t state_of_random;

static uint64_t random64(void)
{
    state_of_random ^= state_of_random << 13;
    state_of_random ^= state_of_random >> 7;
    state_of_random ^= state_of_random << 17;
    return state_of_random;
}

static int start_random(void **state)
{
    (void)state;
    state_of_random = UINT64_C(0x9E3779B97F4A7C15);
    return 0;
}

/* From -1 to 1. */
static double random_real(void)
{
    return (double)(int64_t)random64() * 0x1p-63;
}

/* A direction in this many dimensions; every second one is near a diagonal, where errors are greatest. */
static void random_direction(double *v, unsigned dimensions, unsigned bits)
{
    double length = 0;
    bool diagonal = random64() % 2 != 0;
    do {
        length = 0;
        for (unsigned i = 0; i < dimensions; i++) {
            double r = random_real();
            v[i] = diagonal ? (r < 0 ? -1 : 1) + random_real() * 8 / (1u << bits) : r;
            length += v[i] * v[i];
        }
    } while (length < 1e-6 || (!diagonal && length > 1));
    for (unsigned i = 0; i < dimensions; i++)
        v[i] /= sqrt(length);
}

static pkt_quat random_quat(unsigned bits)
{
    double v[4];
    random_direction(v, 4, bits);
    return (pkt_quat){(float)v[0], (float)v[1], (float)v[2], (float)v[3]};
}

static pkt_vec3 random_unit(unsigned bits)
{
    double v[3];
    random_direction(v, 3, bits);
    return (pkt_vec3){(float)v[0], (float)v[1], (float)v[2]};
}

/* ---- the definition */

static uint64_t quantized(float v, float low, float high, unsigned bits)
{
    volatile float steps = (float)((1u << bits) - 2), delta = high - low, n = v - low;
    n = n / delta;
    n = n < 0 ? 0 : n > 1 ? 1 : n;
    n = n * steps;
    n = n + 0.5f;
    return (uint64_t)floorf(n);
}

static float dequantized(uint64_t code, float low, float high, unsigned bits)
{
    volatile float steps = (float)((1u << bits) - 2), delta = high - low, v = (float)code;
    v = v / steps;
    v = v * delta;
    v = v + low;
    return v;
}

static float sum_of_squares(const float *v, unsigned count)
{
    volatile float sum = v[0] * v[0];
    for (unsigned i = 1; i < count; i++) {
        volatile float square = v[i] * v[i];
        sum = sum + square;
    }
    return sum;
}

/* Whether a component has the code of all ones, which is not used. */
static bool is_unused(uint64_t code, unsigned bits)
{
    return code == (1u << bits) - 1;
}

static const float limit = 0.707106781f;

static bool defined_quat_value(uint64_t code, unsigned bits, float *v)
{
    float three[3], most = 0;
    unsigned greatest = code & 3, n = 0;
    for (unsigned i = 0; i < 3; i++) {
        uint64_t part = code >> (2 + i * bits) & ((1u << bits) - 1);
        if (is_unused(part, bits))
            return false;
        three[i] = dequantized(part, -limit, limit, bits);
        most = fmaxf(most, fabsf(three[i]));
    }
    volatile float sum = sum_of_squares(three, 3), rest = 1 - sum;
    if (sum > 1)
        return false;
    float root = sqrtf(rest);
    for (unsigned i = 0; i < 4; i++)
        v[i] = i == greatest ? (root > most ? root : nextafterf(most, 2)) : three[n++];
    return true;
}

static uint64_t defined_quat_code(const float *v, unsigned bits)
{
    float length = sum_of_squares(v, 4), unused[4];
    unsigned greatest = 0, n = 0;
    uint64_t code;
    if (!(length >= 0.5f) || length > 2)
        return PKT_FAILED;
    for (unsigned i = 1; i < 4; i++)
        if (fabsf(v[i]) > fabsf(v[greatest]))
            greatest = i;
    code = greatest;
    for (unsigned i = 0; i < 4; i++) {
        if (i == greatest)
            continue;
        code |= quantized(v[greatest] < 0 ? -v[i] : v[i], -limit, limit, bits) << (2 + n * bits);
        n++;
    }
    return defined_quat_value(code, bits, unused) ? code : PKT_FAILED;
}

static void fold(float *p, float *q)
{
    volatile float across = 1 - fabsf(*q), up = 1 - fabsf(*p);
    *p = *p < 0 ? -across : across;
    *q = *q < 0 ? -up : up;
}

static void fold_edge(uint64_t *p, uint64_t *q, unsigned bits)
{
    uint64_t steps = (1u << bits) - 2;
    if ((*p == 0 || *p == steps) && *q < steps - *q)
        *q = steps - *q;
    if ((*q == 0 || *q == steps) && *p < steps - *p)
        *p = steps - *p;
}

static bool defined_unit_value(uint64_t code, unsigned bits, float *v)
{
    uint64_t p_code = code & ((1u << bits) - 1), q_code = code >> bits, p_folded = p_code, q_folded = q_code;
    float p = dequantized(p_code, -1, 1, bits), q = dequantized(q_code, -1, 1, bits);
    volatile float z = 1 - fabsf(p);
    z = z - fabsf(q);
    if (is_unused(p_code, bits) || is_unused(q_code, bits))
        return false;
    fold_edge(&p_folded, &q_folded, bits);
    if (p_folded != p_code || q_folded != q_code)
        return false;
    if (z < 0)
        fold(&p, &q);
    v[0] = p;
    v[1] = q;
    v[2] = z;
    float length = sqrtf(sum_of_squares(v, 3));
    for (unsigned i = 0; i < 3; i++)
        v[i] /= length;
    return true;
}

static uint64_t defined_unit_code(const float *v, unsigned bits)
{
    volatile float sum = fabsf(v[0]) + fabsf(v[1]);
    sum = sum + fabsf(v[2]);
    if (!(sum > 0) || isinf(sum))
        return PKT_FAILED;
    float p = v[0] / sum, q = v[1] / sum;
    if (v[2] < 0)
        fold(&p, &q);
    uint64_t p_code = quantized(p, -1, 1, bits), q_code = quantized(q, -1, 1, bits);
    fold_edge(&p_code, &q_code, bits);
    return p_code | q_code << bits;
}

/* ---- the runtime gives the same codes and values */

static void same_quat(pkt_quat q, unsigned bits)
{
    const float v[4] = {q.x, q.y, q.z, q.w};
    uint64_t code = pkt_quat_code(q, bits);
    assert_int_equal(code, defined_quat_code(v, bits));
}

/* The same for four codes at once, which differ only in the bits above them, which do not matter. */
static void same_four_values(uint64_t code, unsigned bits, const pkt_quat *q, bool taken)
{
    pkt_quat four[4];
    uint64_t codes[4];
    for (unsigned k = 0; k < 4; k++)
        codes[k] = code | (random64() & ~pkt_mask(2 + 3 * bits));
    assert_int_equal(pkt_quats_values(codes, bits, four), taken);
    for (unsigned k = 0; k < 4 && taken; k++)
        assert_memory_equal(&four[k], q, sizeof *q);
}

static void same_quat_value(uint64_t code, unsigned bits)
{
    const pkt_quat before = {5, 6, 7, 8};
    pkt_quat q = before;
    float v[4];
    bool taken = defined_quat_value(code, bits, v);
    assert_int_equal(pkt_quat_value(code, bits, &q), taken);
    assert_memory_equal(&q, taken ? (const void *)v : &before, sizeof q);
    if (taken)
        assert_int_equal(pkt_quat_code(q, bits), code);
    same_four_values(code, bits, &q, taken);
}

static void same_unit_value(uint64_t code, unsigned bits)
{
    const pkt_vec3 before = {5, 6, 7};
    pkt_vec3 n = before;
    float v[3];
    bool taken = defined_unit_value(code, bits, v);
    assert_int_equal(pkt_unit_value(code, bits, &n), taken);
    assert_memory_equal(&n, taken ? (const void *)v : &before, sizeof n);
    if (taken)
        assert_int_equal(pkt_unit_code(n, bits), code);
}

TEST(quats_have_their_code)
{
    for (unsigned bits = QUAT_FIRST; bits <= LAST; bits++)
        for (unsigned i = 0; i < 20000; i++) {
            /* Squared lengths up to a little over 2, where it depends on the codes whether a reader accepts them. */
            float scale = i % 2 == 0 ? 1 : (float)(1 + 0.43 * random_real());
            pkt_quat q = random_quat(bits);
            same_quat((pkt_quat){q.x * scale, q.y * scale, q.z * scale, q.w * scale}, bits);
        }
}

TEST(units_have_their_code)
{
    for (unsigned bits = UNIT_FIRST; bits <= LAST; bits++)
        for (unsigned i = 0; i < 20000; i++) {
            pkt_vec3 n = random_unit(bits);
            float scale = (float)exp(40 * random_real());
            const float v[3] = {n.x * scale, n.y * scale, i % 16 == 0 ? -0.0f : n.z * scale};
            assert_int_equal(pkt_unit_code((pkt_vec3){v[0], v[1], v[2]}, bits), defined_unit_code(v, bits));
        }
}

TEST(quat_codes_have_their_value)
{
    for (uint64_t code = 0; code < 1u << (2 + 3 * QUAT_FIRST); code++)
        same_quat_value(code, QUAT_FIRST);
    for (uint64_t code = 0; code < 1u << (2 + 3 * 5); code++)
        same_quat_value(code, 5);
    for (unsigned bits = QUAT_FIRST; bits <= LAST; bits++)
        for (unsigned i = 0; i < 20000; i++)
            same_quat_value(random64() & pkt_mask(2 + 3 * bits), bits);
}

TEST(unit_codes_have_their_value)
{
    for (unsigned bits = UNIT_FIRST; bits <= 8; bits++)
        for (uint64_t code = 0; code < 1u << (2 * bits); code++)
            same_unit_value(code, bits);
    for (unsigned bits = UNIT_FIRST; bits <= LAST; bits++)
        for (unsigned i = 0; i < 20000; i++) {
            uint64_t code = random64() & pkt_mask(2 * bits);
            same_unit_value(code, bits);
            same_unit_value(code >> bits << bits, bits);
            same_unit_value(code | pkt_mask(bits), bits);
        }
}

/* ---- what cannot be written, and what can although it looks unusual */

/* Four at once give the same result as one by one, also if some of them are refused. */
TEST(quats_go_by_fours)
{
    for (unsigned bits = QUAT_FIRST; bits <= LAST; bits++)
        for (unsigned i = 0; i < 10000; i++) {
            pkt_quat q[4], back[4], one[4];
            uint64_t codes[4];
            bool written = true, read = true;
            for (unsigned k = 0; k < 4; k++) {
                const float scale = random64() % 4 == 0 ? (float)(1 + 0.43 * random_real()) : 1;
                q[k] = random_quat(bits);
                q[k] = (pkt_quat){q[k].x * scale, q[k].y * scale, q[k].z * scale, q[k].w * scale};
                if (random64() % 16 == 0)
                    q[k].y = q[k].x;
                if (random64() % 32 == 0)
                    q[k].z = random64() % 2 == 0 ? NAN : -INFINITY;
                written = written && pkt_quat_code(q[k], bits) != PKT_FAILED;
            }
            assert_int_equal(pkt_quats_codes(q, bits, codes), written);
            for (unsigned k = 0; k < 4; k++) {
                if (written)
                    assert_int_equal(codes[k], pkt_quat_code(q[k], bits));
                if (!written || random64() % 8 == 0)
                    codes[k] = random64() & pkt_mask(2 + 3 * bits);
                read = pkt_quat_value(codes[k], bits, &one[k]) && read;
            }
            assert_int_equal(pkt_quats_values(codes, bits, back), read);
            if (read)
                assert_memory_equal(back, one, sizeof back);
        }
}

TEST(quats_refused)
{
    static const pkt_quat bad[] = {
        {0, 0, 0, 0},    {NAN, 0, 0, 1},  {0, INFINITY, 0, 0},  {0, 0, -INFINITY, 1},
        {0, 0, 0, 1.5f}, {0, 0.7f, 0, 0}, {3e38f, 3e38f, 0, 0}, {0.70f, 0.70f, 0.70f, 0.70f}};
    for (unsigned bits = QUAT_FIRST; bits <= LAST; bits++)
        for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
            pkt_quat settled = pkt_settle_quat(bad[i], bits);
            assert_true(pkt_quat_code(bad[i], bits) == PKT_FAILED);
            assert_memory_equal(&settled, &bad[i], sizeof settled);
        }
}

TEST(opposite_quats_are_one)
{
    for (unsigned bits = QUAT_FIRST; bits <= LAST; bits++)
        for (unsigned i = 0; i < 1000; i++) {
            pkt_quat q = random_quat(bits), opposite = {-q.x, -q.y, -q.z, -q.w};
            assert_int_equal(pkt_quat_code(q, bits), pkt_quat_code(opposite, bits));
        }
}

TEST(units_refused)
{
    static const pkt_vec3 bad[] = {{0, 0, 0},        {-0.0f, 0, -0.0f}, {NAN, 0, 1},
                                   {0, INFINITY, 0}, {0, 0, -INFINITY}, {3e38f, 3e38f, 0}};
    for (unsigned bits = UNIT_FIRST; bits <= LAST; bits++)
        for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
            pkt_vec3 settled = pkt_settle_unit(bad[i], bits);
            assert_true(pkt_unit_code(bad[i], bits) == PKT_FAILED);
            assert_memory_equal(&settled, &bad[i], sizeof settled);
        }
}

TEST(tiny_units_are_directions)
{
    const pkt_vec3 tiny = {0, 0, -1e-45f};
    assert_int_equal(pkt_unit_code(tiny, 8), 0xfefe);
}

/* ---- values that are exact */

/* a and b are the same numbers; 0 equals -0. */
static void same_numbers(const float *a, const float *b, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        assert_true(a[i] == b[i]);
}

/* The identity, and half a turn about each axis. */
TEST(axes_of_quats_are_exact)
{
    for (unsigned bits = QUAT_FIRST; bits <= LAST; bits++)
        for (unsigned i = 0; i < 8; i++) {
            float v[4] = {0, 0, 0, 0}, back[4];
            v[i / 2] = i % 2 == 0 ? 1 : -1;
            pkt_quat q = pkt_settle_quat((pkt_quat){v[0], v[1], v[2], v[3]}, bits);
            memcpy(back, &q, sizeof back);
            v[i / 2] = 1; /* the same rotation as -1 */
            same_numbers(back, v, 4);
        }
}

/* A quarter turn about each axis, in both directions, and all other rotations with two equal components. Of these, a
 * reader makes the greater one the next float above the other, so that it is the greater one when written again. */
TEST(quarter_turns_are_exact)
{
    for (unsigned bits = QUAT_FIRST; bits <= LAST; bits++)
        for (unsigned i = 0; i < 4; i++)
            for (unsigned k = i + 1; k < 4; k++)
                for (unsigned signs = 0; signs < 2; signs++) {
                    float v[4] = {0, 0, 0, 0}, back[4];
                    v[i] = limit;
                    v[k] = signs == 0 ? limit : -limit;
                    pkt_quat q = pkt_settle_quat((pkt_quat){v[0], v[1], v[2], v[3]}, bits);
                    memcpy(back, &q, sizeof back);
                    v[i] = nextafterf(limit, 1);
                    same_numbers(back, v, 4);
                }
}

TEST(axes_of_units_are_exact)
{
    for (unsigned bits = UNIT_FIRST; bits <= LAST; bits++)
        for (unsigned i = 0; i < 6; i++) {
            float v[3] = {0, 0, 0}, back[3];
            v[i / 2] = i % 2 == 0 ? 1 : -1;
            pkt_vec3 n = pkt_settle_unit((pkt_vec3){v[0], v[1], v[2]}, bits);
            memcpy(back, &n, sizeof back);
            same_numbers(back, v, 3);
        }
}

/* ---- errors in degrees */

/* The angle between two vectors; for quaternions twice that, and their sign does not matter. */
static double degrees_between(const double *a, const float *b, unsigned dimensions)
{
    double length = 0, dot = 0, apart = 0, along = 0;
    for (unsigned i = 0; i < dimensions; i++) {
        length += (double)b[i] * (double)b[i];
        dot += a[i] * (double)b[i];
    }
    length = sqrt(length) * (dot < 0 && dimensions == 4 ? -1 : 1);
    for (unsigned i = 0; i < dimensions; i++) {
        double unit = (double)b[i] / length;
        apart += (a[i] - unit) * (a[i] - unit);
        along += (a[i] + unit) * (a[i] + unit);
    }
    return 2 * atan2(sqrt(apart), sqrt(along)) * 57.29577951308232 * (dimensions == 4 ? 2 : 1);
}

static double quat_off(const double *v, unsigned bits)
{
    pkt_quat q = {(float)v[0], (float)v[1], (float)v[2], (float)v[3]};
    assert_true(pkt_quat_value(pkt_quat_code(q, bits), bits, &q));
    const float read[4] = {q.x, q.y, q.z, q.w};
    return degrees_between(v, read, 4);
}

static double unit_off(const double *v, unsigned bits)
{
    pkt_vec3 n = {(float)v[0], (float)v[1], (float)v[2]};
    assert_true(pkt_unit_value(pkt_unit_code(n, bits), bits, &n));
    const float read[3] = {n.x, n.y, n.z};
    return degrees_between(v, read, 3);
}

static void check_error(double (*off)(const double *v, unsigned bits), unsigned dimensions, unsigned bits, double table)
{
    double most = 0;
    for (unsigned i = 0; i < 100000; i++) {
        double v[4];
        random_direction(v, dimensions, bits);
        double d = off(v, bits);
        if (d > most)
            most = d;
    }
    if (most > table || most < 0.8 * table)
        fail_msg("%u bits: %.4g degrees measured, the table has %.4g", bits, most, table);
}

TEST(quats_are_as_near_as_documented)
{
    for (unsigned bits = QUAT_FIRST; bits <= LAST; bits++)
        check_error(quat_off, 4, bits, quat_error(bits));
}

TEST(units_are_as_near_as_documented)
{
    for (unsigned bits = UNIT_FIRST; bits <= LAST; bits++)
        check_error(unit_off, 3, bits, unit_error(bits));
}

int main(void)
{
    return run_all(start_random);
}
