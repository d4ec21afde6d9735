/* pkt_rotation.h - quat<B> and unit<B>: rotations and directions as codes of a few bits.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_inside.h. Programs do not use this header.
 *
 * quat<B> sends the smallest three components of a unit quaternion, in 2 + 3B bits. unit<B> maps a direction to an
 * octahedron and unfolds that to a square, in 2B bits (octahedral encoding: Meyer and others, "On Floating-Point Normal
 * Vectors", 2010). docs/wire.md defines each step; each one is rounded to float.
 */
#ifndef PKT_ROTATION_H
#define PKT_ROTATION_H

#include "pkt_number.h"
#include "pkt_stream.h"

#if !defined(PKT_SSE2) && !(defined(__GNUC__) && defined(__aarch64__))
#include <math.h>
#endif

PKT_C_BEGIN

/* The number of steps of a component of this many bits. It is even, so that 0 is one of the values. The code of all
 * ones is not used. */
PKT_INLINE uint32_t pkt_rotation_steps(const unsigned bits)
{
    return ((uint32_t)1 << bits) - 2;
}

/* The correctly rounded square root of v, which is not negative. It is one instruction on common processors; C's sqrtf
 * would also set errno, and need the math library. */
PKT_INLINE float pkt_sqrt(float v)
{
#if defined(PKT_SSE2)
    return _mm_cvtss_f32(_mm_sqrt_ss(pkt_scalar(v)));
#elif defined(__GNUC__) && defined(__aarch64__)
    float root;
    __asm__("fsqrt %s0, %s1" : "=w"(root) : "w"(v));
    return root;
#else
    return sqrtf(v);
#endif
}

PKT_INLINE float pkt_magnitude(float v)
{
    return pkt_bits_float(pkt_float_bits(v) & 0x7fffffffu);
}

/* ---- quat<B> ---------------------------------------------------------------------------------------------- */

/* The square root of 1/2: no component of a unit quaternion except the greatest exceeds it. */
#define PKT_QUAT_LIMIT 0.707106781f

/* Sets component `number`. */
PKT_INLINE void pkt_quat_place(pkt_quat *q, unsigned number, float v)
{
#ifdef PKT_BYTEWISE
    if (number == 0)
        q->x = v;
    else if (number == 1)
        q->y = v;
    else if (number == 2)
        q->z = v;
    else
        q->w = v;
#else
    memcpy((unsigned char *)q + number * sizeof v, &v, sizeof v);
#endif
}

/* The value that a reader gets from a code; bits above it do not matter. Returns false, and leaves *q, if the code is
 * invalid. */
PKT_INLINE bool pkt_quat_value(uint64_t code, const unsigned bits, pkt_quat *q)
{
    const uint32_t steps = pkt_rotation_steps(bits);
    const unsigned greatest = (unsigned)code & 3;
    const pkt_scale scales[3] = {{-PKT_QUAT_LIMIT, PKT_QUAT_LIMIT, steps, bits},
                                 {-PKT_QUAT_LIMIT, PKT_QUAT_LIMIT, steps, bits},
                                 {-PKT_QUAT_LIMIT, PKT_QUAT_LIMIT, steps, bits}};
    pkt_row sent;
    float a, b, c, aa, bb, cc, sum, d, most;
    if (!pkt_dequantize_row(code, 2, scales, 3, &sent))
        return false;
    a = pkt_row_value(sent, 0);
    b = pkt_row_value(sent, 1);
    c = pkt_row_value(sent, 2);
    aa = a * a;
    bb = b * b;
    cc = c * c;
    PKT_ROUNDED(aa);
    PKT_ROUNDED(bb);
    PKT_ROUNDED(cc);
    sum = (aa + bb) + cc;
    if (sum > 1.0f)
        return false;
    d = pkt_sqrt(1.0f - sum);
    most = pkt_magnitude(a);
    most = pkt_magnitude(b) > most ? pkt_magnitude(b) : most;
    most = pkt_magnitude(c) > most ? pkt_magnitude(c) : most;
    /* It must be the greatest, so that a writer gives the same code. */
    if (!(d > most))
        d = pkt_bits_float(pkt_float_bits(most) + 1);
    pkt_quat_place(q, (unsigned)(greatest < 1), a);
    pkt_quat_place(q, 1 + (unsigned)(greatest < 2), b);
    pkt_quat_place(q, 2 + (unsigned)(greatest < 3), c);
    pkt_quat_place(q, greatest, d);
    return true;
}

/* Whether a code is valid for a reader. */
bool pkt_quat_readable(uint64_t code, unsigned bits);

/* b if choose, else a, without a branch. */
PKT_INLINE uint32_t pkt_quat_choose(bool choose, uint32_t a, uint32_t b)
{
    return a ^ ((a ^ b) & (0 - (uint32_t)choose));
}

/* Puts three of four codes next to each other: all but that of the greatest component. */
PKT_INLINE uint64_t pkt_quat_sent(uint32_t x, uint32_t y, uint32_t z, uint32_t w, const unsigned greatest,
                                  const unsigned bits)
{
    if (bits <= 16) {
        const uint64_t all = x | (uint64_t)y << bits | ((uint64_t)z | (uint64_t)w << bits) << 2 * bits;
        const uint64_t below = ((uint64_t)1 << greatest * bits) - 1;
        return (all & below) | (all >> bits & ~below);
    }
    return pkt_quat_choose(greatest < 1, x, y) | (uint64_t)pkt_quat_choose(greatest < 2, y, z) << bits |
           (uint64_t)pkt_quat_choose(greatest < 3, z, w) << 2 * bits;
}

/* The code of a quaternion, or PKT_FAILED if it is not finite or its length is too far from 1. Of equal components the
 * first counts as the greatest. Nobody can predict which it is, so it is found and left out without branches. */
PKT_INLINE uint64_t pkt_quat_code(pkt_quat q, const unsigned bits)
{
    const uint32_t steps = pkt_rotation_steps(bits);
#if defined(PKT_X86_64)
    const __m128 v = _mm_setr_ps(q.x, q.y, q.z, q.w), magnitude = _mm_andnot_ps(_mm_set1_ps(-0.0f), v);
    __m128 most = _mm_max_ps(magnitude, _mm_shuffle_ps(magnitude, magnitude, 0xB1)), squares = _mm_mul_ps(v, v);
    unsigned greatest;
    uint64_t code, low, high;
    __m128i codes;
    float length;
    PKT_ROUNDED(squares);
    length = ((_mm_cvtss_f32(squares) + _mm_cvtss_f32(_mm_shuffle_ps(squares, squares, 1))) +
              _mm_cvtss_f32(_mm_shuffle_ps(squares, squares, 2))) +
             _mm_cvtss_f32(_mm_shuffle_ps(squares, squares, 3));
    if (!(length >= 0.5f && length <= 2.0f))
        return PKT_FAILED;
    most = _mm_max_ps(most, _mm_shuffle_ps(most, most, 0x4E));
    greatest = pkt_low_bit((unsigned)_mm_movemask_ps(_mm_cmpeq_ps(magnitude, most)));
    /* q and -q are the same rotation: take the sign that makes the greatest component positive. */
    codes = _mm_set1_epi32((int)((unsigned)_mm_movemask_ps(v) >> greatest << 31));
    codes = pkt_quantize_4(_mm_xor_ps(v, _mm_castsi128_ps(codes)), _mm_set1_ps(-PKT_QUAT_LIMIT),
                           _mm_set1_ps(PKT_QUAT_LIMIT - -PKT_QUAT_LIMIT), _mm_set1_ps((float)steps), false);
    low = (uint64_t)_mm_cvtsi128_si64(codes);
    high = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(codes, codes));
    code = pkt_quat_sent((uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high, (uint32_t)(high >> 32), greatest, bits);
    code = greatest | code << 2;
#else
    const uint32_t parts[4] = {pkt_float_bits(q.x), pkt_float_bits(q.y), pkt_float_bits(q.z), pkt_float_bits(q.w)};
    /* Without the sign, the bits of floats are in the same order as their magnitudes. */
    const uint32_t x = parts[0] << 1, y = parts[1] << 1, z = parts[2] << 1, w = parts[3] << 1;
    const uint32_t xy = pkt_quat_choose(y > x, x, y), zw = pkt_quat_choose(w > z, z, w);
    const unsigned greatest = pkt_quat_choose(zw > xy, y > x, 2 + (uint32_t)(w > z));
    const uint32_t sign = parts[greatest] & 0x80000000u;
    float xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, ww = q.w * q.w, length;
    uint64_t code;
    uint32_t codes[4];
    PKT_ROUNDED(xx);
    PKT_ROUNDED(yy);
    PKT_ROUNDED(zz);
    PKT_ROUNDED(ww);
    length = ((xx + yy) + zz) + ww;
    if (!pkt_is_finite(length) || length < 0.5f || length > 2.0f)
        return PKT_FAILED;
    for (unsigned i = 0; i < 4; i++)
        codes[i] = pkt_quantize(pkt_bits_float(parts[i] ^ sign), -PKT_QUAT_LIMIT, PKT_QUAT_LIMIT, steps);
    code = greatest | pkt_quat_sent(codes[0], codes[1], codes[2], codes[3], greatest, bits) << 2;
#endif
    /* A quaternion of about length 1 always gives a valid code, a longer one may not. */
    if (PKT_UNLIKELY(length > 1.01f) && !pkt_quat_readable(code, bits))
        return PKT_FAILED;
    return code;
}

/* ---- four quaternions of an array --------------------------------------------------------------------------- */

#if defined(PKT_X86_64)
/* The codes of four components. */
PKT_INLINE __m128i pkt_quats_quantize(const __m128 v, const unsigned bits)
{
    return pkt_quantize_4(v, _mm_set1_ps(-PKT_QUAT_LIMIT), _mm_set1_ps(PKT_QUAT_LIMIT - -PKT_QUAT_LIMIT),
                          _mm_set1_ps((float)pkt_rotation_steps(bits)), false);
}

/* Extracts a field of up to 20 bits, at bit `at`, from four codes of 64 bits, whose low and high halves are separate
 * vectors. If the field is within one half, it is not shifted but stays some bits up; pkt_quats_up says how many. */
PKT_INLINE unsigned pkt_quats_up(const unsigned at, const unsigned bits)
{
    return at + bits < 32 ? at : at >= 32 ? at - 32 : 0;
}

PKT_INLINE __m128i pkt_quats_field(const __m128i low, const __m128i high, const unsigned at, const unsigned bits)
{
    const __m128 l = _mm_castsi128_ps(low), h = _mm_castsi128_ps(high);
    const __m128 halves = at + bits < 32 ? _mm_shuffle_ps(l, h, 0x88)
                          : at >= 32     ? _mm_shuffle_ps(l, h, 0xDD)
                                         : _mm_shuffle_ps(_mm_castsi128_ps(_mm_srli_epi64(low, (int)at)),
                                                          _mm_castsi128_ps(_mm_srli_epi64(high, (int)at)), 0x88);
    return _mm_and_si128(_mm_castps_si128(halves),
                         _mm_set1_epi32((int)(((UINT32_C(1) << bits) - 1) << pkt_quats_up(at, bits))));
}

/* The values of such a field. The steps it is divided by are moved up as far, so the quotient is the same. */
PKT_INLINE __m128 pkt_quats_part(const __m128i low, const __m128i high, const unsigned at, const unsigned bits)
{
    return pkt_dequantize_4(pkt_quats_field(low, high, at, bits), _mm_set1_ps(-PKT_QUAT_LIMIT),
                            _mm_set1_ps(PKT_QUAT_LIMIT - -PKT_QUAT_LIMIT),
                            _mm_set1_ps((float)(pkt_rotation_steps(bits) << pkt_quats_up(at, bits))), false);
}

/* Swaps a and b where the mask is set. */
PKT_INLINE void pkt_quats_trade(const __m128 mask, __m128 *a, __m128 *b)
{
    const __m128 both = _mm_and_ps(_mm_xor_ps(*a, *b), mask);
    *a = _mm_xor_ps(*a, both);
    *b = _mm_xor_ps(*b, both);
}
#endif

/* The codes of four quaternions, as pkt_quat_code gives them. Works on the same component of all four at once. Returns
 * false if one cannot be written. */
PKT_INLINE bool pkt_quats_codes(const pkt_quat *q, const unsigned bits, uint64_t *codes)
{
#if defined(PKT_X86_64)
    const __m128 sign = _mm_set1_ps(-0.0f);
    __m128 x = _mm_loadu_ps(&q[0].x), y = _mm_loadu_ps(&q[1].x), z = _mm_loadu_ps(&q[2].x), w = _mm_loadu_ps(&q[3].x);
    __m128 xx, yy, zz, ww, length, most, is_x, to_y, to_z, negative;
    __m128i greatest, a, b, c;
    int is_long;
    _MM_TRANSPOSE4_PS(x, y, z, w);
    xx = _mm_mul_ps(x, x);
    yy = _mm_mul_ps(y, y);
    zz = _mm_mul_ps(z, z);
    ww = _mm_mul_ps(w, w);
    PKT_ROUNDED(xx);
    PKT_ROUNDED(yy);
    PKT_ROUNDED(zz);
    PKT_ROUNDED(ww);
    length = _mm_add_ps(_mm_add_ps(_mm_add_ps(xx, yy), zz), ww);
    if (_mm_movemask_ps(_mm_and_ps(_mm_cmpge_ps(length, _mm_set1_ps(0.5f)), _mm_cmple_ps(length, _mm_set1_ps(2.0f)))) !=
        15)
        return false;
    most = _mm_max_ps(_mm_max_ps(_mm_andnot_ps(sign, x), _mm_andnot_ps(sign, y)),
                      _mm_max_ps(_mm_andnot_ps(sign, z), _mm_andnot_ps(sign, w)));
    /* is_x: x is the greatest. to_y: x or y is. to_z: x, y or z is. The number of the greatest is 3 less one for
     * each. */
    is_x = _mm_cmpeq_ps(_mm_andnot_ps(sign, x), most);
    to_y = _mm_or_ps(is_x, _mm_cmpeq_ps(_mm_andnot_ps(sign, y), most));
    to_z = _mm_or_ps(to_y, _mm_cmpeq_ps(_mm_andnot_ps(sign, z), most));
    greatest = _mm_add_epi32(_mm_add_epi32(_mm_set1_epi32(3), _mm_castps_si128(is_x)),
                             _mm_add_epi32(_mm_castps_si128(to_y), _mm_castps_si128(to_z)));
    negative = _mm_and_ps(sign, pkt_select_4(is_x, x, pkt_select_4(to_y, y, pkt_select_4(to_z, z, w))));
    a = pkt_quats_quantize(_mm_xor_ps(negative, pkt_select_4(is_x, y, x)), bits);
    b = pkt_quats_quantize(_mm_xor_ps(negative, pkt_select_4(to_y, z, y)), bits);
    c = pkt_quats_quantize(_mm_xor_ps(negative, pkt_select_4(to_z, w, z)), bits);
    a = _mm_or_si128(greatest, _mm_slli_epi32(a, 2));
    for (unsigned i = 0; i < 4; i += 2) {
        const __m128i none = _mm_setzero_si128();
        const __m128i a2 = i == 0 ? _mm_unpacklo_epi32(a, none) : _mm_unpackhi_epi32(a, none);
        const __m128i b2 = i == 0 ? _mm_unpacklo_epi32(b, none) : _mm_unpackhi_epi32(b, none);
        const __m128i c2 = i == 0 ? _mm_unpacklo_epi32(c, none) : _mm_unpackhi_epi32(c, none);
        const __m128i bc = _mm_or_si128(_mm_slli_epi64(b2, (int)(2 + bits)), _mm_slli_epi64(c2, (int)(2 + 2 * bits)));
        _mm_storeu_si128((__m128i *)(void *)(codes + i), _mm_or_si128(a2, bc));
    }
    is_long = _mm_movemask_ps(_mm_cmpgt_ps(length, _mm_set1_ps(1.01f)));
    if (PKT_UNLIKELY(is_long != 0))
        for (unsigned i = 0; i < 4; i++)
            if ((is_long >> i & 1) != 0 && !pkt_quat_readable(codes[i], bits))
                return false;
    return true;
#else
    for (unsigned i = 0; i < 4; i++) {
        codes[i] = pkt_quat_code(q[i], bits);
        if (codes[i] == PKT_FAILED)
            return false;
    }
    return true;
#endif
}

/* The inverse of pkt_quats_codes, as pkt_quat_value. Returns false if a code is invalid; then q may be changed in
 * part. */
PKT_INLINE bool pkt_quats_values(const uint64_t *codes, const unsigned bits, pkt_quat *q)
{
#if defined(PKT_X86_64)
    /* Built in registers: loading 16 bytes that have just been stored as two halves would wait for the stores. */
    const __m128i low = _mm_set_epi64x((int64_t)codes[1], (int64_t)codes[0]);
    const __m128i high = _mm_set_epi64x((int64_t)codes[3], (int64_t)codes[2]);
    const __m128i greatest = pkt_quats_field(low, high, 0, 2);
    const __m128 sign = _mm_set1_ps(-0.0f);
    __m128 x, y = pkt_quats_part(low, high, 2, bits), z = pkt_quats_part(low, high, 2 + bits, bits);
    __m128 w = pkt_quats_part(low, high, 2 + 2 * bits, bits), yy = _mm_mul_ps(y, y), zz = _mm_mul_ps(z, z),
           ww = _mm_mul_ps(w, w);
    __m128 rest, most;
    PKT_ROUNDED(yy);
    PKT_ROUNDED(zz);
    PKT_ROUNDED(ww);
    rest = _mm_sub_ps(_mm_set1_ps(1.0f), _mm_add_ps(_mm_add_ps(yy, zz), ww));
    most = _mm_max_ps(_mm_max_ps(_mm_andnot_ps(sign, y), _mm_andnot_ps(sign, z)), _mm_andnot_ps(sign, w));
    /* Longer than 1, or a code above the steps: the value of the last step is the limit itself. */
    if (_mm_movemask_ps(_mm_or_ps(rest, _mm_cmpgt_ps(most, _mm_set1_ps(PKT_QUAT_LIMIT)))) != 0)
        return false;
    /* The greatest component is at least the next float above the others. */
    x = _mm_max_ps(_mm_sqrt_ps(rest), _mm_castsi128_ps(_mm_add_epi32(_mm_castps_si128(most), _mm_set1_epi32(1))));
    /* Moves the greatest from the first place to its own. */
    pkt_quats_trade(_mm_castsi128_ps(_mm_cmpgt_epi32(greatest, _mm_setzero_si128())), &x, &y);
    pkt_quats_trade(_mm_castsi128_ps(_mm_cmpgt_epi32(greatest, _mm_set1_epi32(1))), &y, &z);
    pkt_quats_trade(_mm_castsi128_ps(_mm_cmpgt_epi32(greatest, _mm_set1_epi32(2))), &z, &w);
    _MM_TRANSPOSE4_PS(x, y, z, w);
    _mm_storeu_ps(&q[0].x, x);
    _mm_storeu_ps(&q[1].x, y);
    _mm_storeu_ps(&q[2].x, z);
    _mm_storeu_ps(&q[3].x, w);
    return true;
#else
    for (unsigned i = 0; i < 4; i++)
        if (!pkt_quat_value(codes[i], bits, &q[i]))
            return false;
    return true;
#endif
}

/* pkt_quat_code, not inlined: it is dear, and long. */
uint64_t pkt_code_of_quat(pkt_quat q, unsigned bits);
/* The value of a code, not inlined likewise. If there is none, *good is set to false. */
pkt_quat pkt_quat_of_code(uint64_t code, unsigned bits, bool *good);
/* Whether two rotations differ in their bits and in their codes, which are stored then. One without a code differs from
 * all others. */
bool pkt_quat_step_differs(pkt_quat now, pkt_quat old, unsigned bits, pkt_step_codes *codes);
bool pkt_quats_differ(pkt_quat a, pkt_quat b, unsigned bits);
/* The value that a reader gets. A value that cannot be written stays, so that a writer refuses it. */
pkt_quat pkt_settle_quat(pkt_quat q, unsigned bits);

/* ---- unit<B> ---------------------------------------------------------------------------------------------- */

/* `below` if is_below, else `above`, without a branch: each is right for half of all directions. */
PKT_INLINE float pkt_unit_choose(bool is_below, float below, float above)
{
    const uint32_t mask = 0 - (uint32_t)is_below;
    return pkt_bits_float((pkt_float_bits(below) & mask) | (pkt_float_bits(above) & ~mask));
}

PKT_INLINE float pkt_unit_signed(float magnitude, bool negative)
{
    return pkt_bits_float(pkt_float_bits(magnitude) | (uint32_t)negative << 31);
}

/* If z is negative, the point is on the lower half of the octahedron, which is folded out over the corners of the
 * square. The same operation folds it back. */
PKT_INLINE void pkt_unit_fold(float *p, float *q, float z)
{
    const float across = pkt_unit_signed(1.0f - pkt_magnitude(*q), *p < 0.0f);
    const float up = pkt_unit_signed(1.0f - pkt_magnitude(*p), *q < 0.0f);
    *p = pkt_unit_choose(z < 0.0f, across, *p);
    *q = pkt_unit_choose(z < 0.0f, up, *q);
}

/* On the edge of the square two points are the same direction. Given the code of q, returns the code to write for p: on
 * the edge, the greater one of the two. */
PKT_INLINE uint32_t pkt_unit_edge(uint32_t p, uint32_t q, const uint32_t steps)
{
    return (q == 0 || q == steps) && p < steps - p ? steps - p : p;
}

/* The codes of p and q, which are parts of a code. */
PKT_INLINE uint32_t pkt_unit_p(uint64_t code, const unsigned bits)
{
    return (uint32_t)code & (((uint32_t)1 << bits) - 1);
}

PKT_INLINE uint32_t pkt_unit_q(uint64_t code, const unsigned bits)
{
    return (uint32_t)(code >> bits);
}

PKT_INLINE bool pkt_unit_in_range(uint64_t code, const unsigned bits)
{
    return pkt_unit_p(code, bits) <= pkt_rotation_steps(bits) && pkt_unit_q(code, bits) <= pkt_rotation_steps(bits);
}

/* Whether a reader refuses the code q together with p: p is above the steps, or on the edge, where a writer would use
 * another q. Normally neither is true, which takes one comparison: p - 1 wraps for 0. */
PKT_INLINE bool pkt_unit_refused(uint32_t p, uint32_t q, const uint32_t steps)
{
    return p - 1 >= steps - 1 && (p > steps || q < steps - q);
}

/* Like pkt_quat_value. */
PKT_INLINE bool pkt_unit_value(uint64_t code, const unsigned bits, pkt_vec3 *v)
{
    const uint32_t steps = pkt_rotation_steps(bits);
    const uint32_t p_code = pkt_unit_p(code, bits), q_code = pkt_unit_q(code, bits);
    float p = pkt_dequantize(p_code, -1.0f, 1.0f, steps), q = pkt_dequantize(q_code, -1.0f, 1.0f, steps);
    float z = (1.0f - pkt_magnitude(p)) - pkt_magnitude(q), pp, qq, zz, length;
    if (pkt_unit_refused(p_code, q_code, steps) || pkt_unit_refused(q_code, p_code, steps))
        return false;
    pkt_unit_fold(&p, &q, z);
    pp = p * p;
    qq = q * q;
    zz = z * z;
    PKT_ROUNDED(pp);
    PKT_ROUNDED(qq);
    PKT_ROUNDED(zz);
    length = pkt_sqrt((pp + qq) + zz);
    PKT_DIVISOR(length);
    v->x = p / length;
    PKT_DIVISOR(length);
    v->y = q / length;
    PKT_DIVISOR(length);
    v->z = z / length;
    return true;
}

/* The code of a direction, or PKT_FAILED if it is not finite or its length is 0. The length does not matter. */
PKT_INLINE uint64_t pkt_unit_code(pkt_vec3 v, const unsigned bits)
{
    const uint32_t steps = pkt_rotation_steps(bits);
    float sum = (pkt_magnitude(v.x) + pkt_magnitude(v.y)) + pkt_magnitude(v.z), p, q;
    uint32_t p_code, q_code;
    if (!pkt_is_finite(sum) || sum == 0.0f)
        return PKT_FAILED;
    PKT_DIVISOR(sum);
    p = v.x / sum;
    PKT_DIVISOR(sum);
    q = v.y / sum;
    pkt_unit_fold(&p, &q, v.z);
    p_code = pkt_quantize(p, -1.0f, 1.0f, steps);
    q_code = pkt_unit_edge(pkt_quantize(q, -1.0f, 1.0f, steps), p_code, steps);
    return pkt_unit_edge(p_code, q_code, steps) | (uint64_t)q_code << bits;
}

/* Like pkt_code_of_quat, pkt_quat_of_code, pkt_quats_differ and pkt_settle_quat. */
uint64_t pkt_code_of_unit(pkt_vec3 v, unsigned bits);
pkt_vec3 pkt_unit_of_code(uint64_t code, unsigned bits, bool *good);
bool pkt_units_differ(pkt_vec3 a, pkt_vec3 b, unsigned bits);
pkt_vec3 pkt_settle_unit(pkt_vec3 v, unsigned bits);

PKT_C_END

#endif
