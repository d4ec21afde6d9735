/* pkt_number.h - conversions of numbers: floats and halves to bits, quantized numbers to codes.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_inside.h. Programs do not use this header.
 */
#ifndef PKT_NUMBER_H
#define PKT_NUMBER_H

#include "pkt_memory.h"
#include "pkt_type.h"

#if defined(__SSE2__) || defined(_M_X64) || (defined(_M_IX86_FP) && _M_IX86_FP >= 2)
#define PKT_SSE2
#include <emmintrin.h>
#endif

PKT_C_BEGIN

/* Rounding decides which bytes are written. On processors that multiply and add in one instruction, compilers may fuse
 * a product with a sum, and then round only once. After PKT_ROUNDED a product is rounded; compilers without the syntax
 * of gcc are told for the whole file not to fuse. */
#if defined(__GNUC__) && (defined(__FMA__) || defined(__FMA4__) || defined(__AVX512F__))
#define PKT_ROUNDED(x) __asm__("" : "+x"(x))
#elif defined(__GNUC__) && defined(__aarch64__)
#define PKT_ROUNDED(x) __asm__("" : "+w"(x))
#elif defined(__GNUC__) && (defined(__FP_FAST_FMA) || defined(__FP_FAST_FMAF) || defined(__ARM_FEATURE_FMA) || \
                            defined(__s390x__) || defined(__riscv) || defined(__powerpc__))
#define PKT_ROUNDED(x) __asm__ volatile("" : "+m"(x))
#else
#define PKT_ROUNDED(x) (void)(x)
#if defined(_MSC_VER) && !defined(__clang__)
#pragma fp_contract(off)
#elif !defined(__GNUC__)
#pragma STDC FP_CONTRACT OFF
#endif
#endif

/* The nearest code from 0 to span. The code is the distance of a value from the least one in range, in 64 bits that wrap:
 * over `above`, that of the greatest value of its type, it is that of a value below the least one. */
PKT_INLINE uint64_t pkt_nearest_code(const uint64_t code, const uint64_t span, const uint64_t above)
{
    return code <= span ? code : code <= above ? span : 0;
}

PKT_INLINE uint32_t pkt_float_bits(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, 4);
    return bits;
}

PKT_INLINE uint64_t pkt_double_bits(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, 8);
    return bits;
}

PKT_INLINE float pkt_bits_float(uint32_t bits)
{
    float v;
    memcpy(&v, &bits, 4);
    return v;
}

PKT_INLINE double pkt_bits_double(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, 8);
    return v;
}

/* ---- halves: IEEE-754 binary16, of which a program has the float of the same value --------------------------- */

/* The nearest half, ties to even; infinity from 65520 on. A NaN keeps the upper 10 bits of its payload, and stays a NaN
 * if these are 0. */
PKT_INLINE uint32_t pkt_half_bits(float v)
{
    const uint32_t bits = pkt_float_bits(v), sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u) {
        const uint32_t payload = magnitude >> 13 & 0x3FFu;
        return sign | 0x7C00u | (payload != 0 ? payload : 1u);
    }
    if (magnitude >= 0x47800000u) /* at least 65536 */
        return sign | 0x7C00u;
    if (magnitude >= 0x38800000u) /* at least 2^-14: a normal half; subtract 112 from the exponent, drop 13 bits */
        return sign | (magnitude - 0x38000000u + 0xFFFu + (magnitude >> 13 & 1u)) >> 13;
    /* A subnormal half: a multiple of 2^-24. A value below 2^-25 becomes 0. */
    const uint32_t shift = 126u - (magnitude >> 23), whole = (magnitude & 0x7FFFFFu) | 0x800000u;
    if (shift > 24)
        return sign;
    return sign | (whole + ((UINT32_C(1) << (shift - 1)) - 1) + (whole >> shift & 1u)) >> shift;
}

/* The float with the value of a half, which is exact. pkt_half_bits of it gives the same 16 bits, also for a NaN. */
PKT_INLINE float pkt_half_float(const uint32_t half)
{
    const uint32_t sign = (half & 0x8000u) << 16, magnitude = half & 0x7FFFu;
    if (magnitude >= 0x7C00u)
        return pkt_bits_float(sign | (0x70000000u + (magnitude << 13)));
    if (magnitude >= 0x400u)
        return pkt_bits_float(sign | (0x38000000u + (magnitude << 13)));
    /* A subnormal half is magnitude * 2^-24; `high` is the highest bit of magnitude. */
    const unsigned high = pkt_high_bit(magnitude | 1u);
    return pkt_bits_float(sign | (magnitude == 0 ? 0 : ((102 + high) << 23) + (magnitude << (23 - high))));
}

/* ---- quantized numbers --------------------------------------------------------------------------------------- */

#if defined(PKT_SSE2)
/* A vector whose first element is n, already in n's register; the others are arbitrary. If it had to clear them, gcc
 * would move n through a general-purpose register. */
PKT_INLINE __m128 pkt_scalar(float n)
{
#if defined(__GNUC__) && !defined(__clang__)
    __m128 vector;
    __asm__("" : "=x"(vector) : "0"(n));
    return vector;
#else
    return _mm_set_ss(n);
#endif
}
#endif

/* n limited to 0 to 1. In plain C compilers branch here, on conditions that nobody can predict. */
PKT_INLINE float pkt_clamp(float n)
{
#if defined(PKT_SSE2)
    return _mm_cvtss_f32(_mm_min_ss(_mm_max_ss(pkt_scalar(n), _mm_setzero_ps()), _mm_set_ss(1.0f)));
#else
    n = n > 0.0f ? n : 0.0f;
    return n < 1.0f ? n : 1.0f;
#endif
}

PKT_INLINE double pkt_clamp64(double n)
{
#if defined(PKT_SSE2)
    return _mm_cvtsd_f64(_mm_min_sd(_mm_max_sd(_mm_set_sd(n), _mm_setzero_pd()), _mm_set_sd(1.0)));
#else
    n = n > 0.0 ? n : 0.0;
    return n < 1.0 ? n : 1.0;
#endif
}

/* A range has at most 1 << PKT_STEPS_BITS steps, of doubles 1 << PKT_STEPS_BITS64: for these, adding a half is exact. */
enum { PKT_STEPS_BITS = 21, PKT_STEPS_BITS64 = 50 };

/* Tells compilers what is certain: of ranges with no more steps than these, that a code is at most `steps`. */
#if defined(__GNUC__) && !defined(PKT_BYTEWISE)
#define PKT_SURELY(condition)        \
    do {                             \
        if (!(condition))            \
            __builtin_unreachable(); \
    } while (0)
#elif defined(_MSC_VER)
#define PKT_SURELY(condition) __assume(condition)
#else
#define PKT_SURELY(condition) (void)(condition)
#endif

/* For proofs, in a form from which the prover learns the range of v. */
#ifdef PKT_BYTEWISE
#define pkt_is_finite(v) ((v) - (v) == 0.0f)
#define pkt_is_finite64(v) ((v) - (v) == 0.0)
#else
PKT_INLINE bool pkt_is_finite(float v)
{
    return (pkt_float_bits(v) & 0x7F800000u) != 0x7F800000u;
}

PKT_INLINE bool pkt_is_finite64(double v)
{
    return (pkt_double_bits(v) & UINT64_C(0x7FF0000000000000)) != UINT64_C(0x7FF0000000000000);
}
#endif

/* The greatest code; `steps` may be PKT_CIRCLE(steps). */
#define PKT_LAST_CODE(steps) ((uint32_t)(steps) >> 31 != 0 ? ((steps)&INT32_MAX) - 1 : (steps))
#define PKT_LAST_CODE64(steps) ((uint64_t)(steps) >> 63 != 0 ? ((steps)&INT64_MAX) - 1 : (steps))

/* The code of a number on a circle of `count` steps; UINT32_MAX or UINT64_MAX if the number of its turns is not finite.
 * Not inlined, because each function that quantizes would contain it. */
uint32_t pkt_quantize_turn(float v, float lo, float hi, uint32_t count);
uint64_t pkt_quantize_turn64(double v, double lo, double hi, uint64_t count);

/* The code of a quantized float, as docs/wire.md defines it. v is finite, and the range is no circle. */
PKT_INLINE uint32_t pkt_quantize_finite(float v, const float lo, const float hi, const uint32_t steps)
{
    float range = hi - lo, scaled;
    PKT_DIVISOR(range);
    scaled = pkt_clamp((v - lo) / range) * (float)(int32_t)steps;
    PKT_ROUNDED(scaled);
    const uint32_t code = (uint32_t)(int32_t)(scaled + 0.5f);
    PKT_SURELY(code <= steps || steps > UINT32_C(1) << PKT_STEPS_BITS);
    return code;
}

/* The same for any v and any range. UINT32_MAX, which is more than any number of steps, for NaN and infinities. */
PKT_INLINE uint32_t pkt_quantize(float v, const float lo, const float hi, const uint32_t steps)
{
    if (steps >> 31 != 0)
        return pkt_quantize_turn(v, lo, hi, steps & INT32_MAX);
    return pkt_is_finite(v) ? pkt_quantize_finite(v, lo, hi, steps) : UINT32_MAX;
}

/* Whether the last code would be read as more than hi, because the sum is rounded: then its value is hi. No smaller
 * code reaches hi, since a step is at least twice the last place of either bound. If lo and hi are constants, so is the
 * result. */
PKT_INLINE bool pkt_exceeds(const float lo, const float hi)
{
    return hi - lo + lo > hi;
}

PKT_INLINE bool pkt_exceeds64(const double lo, const double hi)
{
    return hi - lo + lo > hi;
}

/* The value of a code before it is limited to hi. steps: of a circle too, without its mark. */
PKT_INLINE float pkt_scaled_of(uint32_t code, const float lo, const float hi, const uint32_t steps)
{
    float count = (float)(int32_t)steps, scaled;
    PKT_DIVISOR(count);
    scaled = (float)(int32_t)code / count * (hi - lo);
    PKT_ROUNDED(scaled);
    return scaled + lo;
}

PKT_INLINE float pkt_dequantize(uint32_t code, const float lo, const float hi, const uint32_t steps)
{
    const float v = pkt_scaled_of(code, lo, hi, steps & INT32_MAX);
    return pkt_exceeds(lo, hi) && v > hi ? hi : v;
}

PKT_INLINE uint64_t pkt_quantize64(double v, const double lo, const double hi, const uint64_t steps)
{
    if (steps >> 63 != 0)
        return pkt_quantize_turn64(v, lo, hi, steps & INT64_MAX);
    if (!pkt_is_finite64(v))
        return UINT64_MAX;
    double range = hi - lo, scaled;
    PKT_DIVISOR(range);
    scaled = pkt_clamp64((v - lo) / range) * (double)steps;
    PKT_ROUNDED(scaled);
    const uint64_t code = (uint64_t)(int64_t)(scaled + 0.5);
    PKT_SURELY(code <= steps || steps > UINT64_C(1) << PKT_STEPS_BITS64);
    return code;
}

PKT_INLINE double pkt_dequantize64(uint64_t code, const double lo, const double hi, const uint64_t steps)
{
    double count = (double)(int64_t)(steps & INT64_MAX), scaled, v;
    PKT_DIVISOR(count);
    scaled = (double)(int64_t)code / count * (hi - lo);
    PKT_ROUNDED(scaled);
    v = scaled + lo;
    return pkt_exceeds64(lo, hi) && v > hi ? hi : v;
}

/* Whether a number can be written. */
PKT_INLINE bool pkt_has_code(float v, const float lo, const float hi, const uint32_t steps)
{
    return pkt_is_finite(v) && (steps >> 31 == 0 || pkt_quantize(v, lo, hi, steps) != UINT32_MAX);
}

PKT_INLINE bool pkt_has_code64(double v, const double lo, const double hi, const uint64_t steps)
{
    return pkt_is_finite64(v) && (steps >> 63 == 0 || pkt_quantize64(v, lo, hi, steps) != UINT64_MAX);
}

/* The code of a number, as pkt_quantize gives it, not inlined. */
uint64_t pkt_code_of_float(float v, float lo, float hi, uint32_t steps);
uint64_t pkt_code_of_double(double v, double lo, double hi, uint64_t steps);

/* Whether two numbers that differ in bits have different codes. A number without a code differs from all others. Not
 * inlined: most numbers compared are equal. */
bool pkt_are_coded_apart(float a, float b, float lo, float hi, uint32_t steps);
bool pkt_are_coded_apart64(double a, double b, double lo, double hi, uint64_t steps);

/* Whether two numbers differ in their bits and in their codes, which are stored then. */
typedef struct pkt_step_codes {
    uint64_t old, now;
    uint64_t was; /* of a number that is predicted: the baseline's code; `old` is the predicted one */
} pkt_step_codes;

bool pkt_step_differs(float now, float old, float lo, float hi, uint32_t steps, pkt_step_codes *codes);
bool pkt_step_differs64(double now, double old, double lo, double hi, uint64_t steps, pkt_step_codes *codes);

/* The same without the codes. */
PKT_INLINE bool pkt_codes_differ(float a, float b, const float lo, const float hi, const uint32_t steps)
{
    return pkt_float_bits(a) != pkt_float_bits(b) && pkt_are_coded_apart(a, b, lo, hi, steps);
}

PKT_INLINE bool pkt_codes_differ64(double a, double b, const double lo, const double hi, const uint64_t steps)
{
    return pkt_double_bits(a) != pkt_double_bits(b) && pkt_are_coded_apart64(a, b, lo, hi, steps);
}

/* The same, inlined, for a constant `usual`: its code is a constant too. */
PKT_INLINE bool pkt_is_unusual(float v, const float usual, const float lo, const float hi, const uint32_t steps)
{
    return v != usual && pkt_quantize(v, lo, hi, steps) != pkt_quantize(usual, lo, hi, steps);
}

PKT_INLINE bool pkt_is_unusual64(double v, const double usual, const double lo, const double hi, const uint64_t steps)
{
    return v != usual && pkt_quantize64(v, lo, hi, steps) != pkt_quantize64(usual, lo, hi, steps);
}

/* ---- numbers with `or raw`: the code of a step, or PKT_RAW_CODE and the bits of a float that no step is ----------- */

#define PKT_RAW_CODE (UINT64_C(1) << 32)

PKT_INLINE uint64_t pkt_or_raw_code(float v, const float lo, const float hi, const uint32_t steps)
{
    const uint32_t bits = pkt_float_bits(v);
    if (pkt_is_finite(v)) {
        const uint32_t code = pkt_quantize_finite(v, lo, hi, steps);
        if (pkt_float_bits(pkt_dequantize(code, lo, hi, steps)) == bits)
            return code;
    }
    return PKT_RAW_CODE | bits;
}

/* The value of a code. *good: the code is that of a step, or of a float that is none. */
PKT_INLINE float pkt_or_raw_value(uint64_t code, const float lo, const float hi, const uint32_t steps, bool *good)
{
    float v;
    if (code >> 32 == 0) {
        *good = code <= steps;
        return pkt_dequantize((uint32_t)code, lo, hi, steps);
    }
    v = pkt_bits_float((uint32_t)code);
    *good = pkt_or_raw_code(v, lo, hi, steps) == code;
    return v;
}

/* The same as pkt_or_raw_code, not inlined. */
uint64_t pkt_code_of_or_raw(float v, float lo, float hi, uint32_t steps);

/* The value that a reader gets for v if that is sent as a half. */
PKT_INLINE float pkt_settle_half(float v)
{
    return pkt_half_float(pkt_half_bits(v));
}

/* The value that a reader gets for v on a circle, which is not inlined, and on any range. If v is NaN or infinite, v
 * itself, which a writer refuses. Here hi is no constant, so limiting each value takes less than pkt_exceeds. */
float pkt_settle_turn(float v, float lo, float hi, uint32_t steps);
PKT_INLINE float pkt_settle(float v, const float lo, const float hi, const uint32_t steps)
{
    float settled;
    if (PKT_UNLIKELY(steps >> 31 != 0))
        return pkt_settle_turn(v, lo, hi, steps);
    if (PKT_UNLIKELY(!pkt_is_finite(v)))
        return v;
    settled = pkt_scaled_of(pkt_quantize_finite(v, lo, hi, steps), lo, hi, steps);
    return hi < settled ? hi : settled;
}

double pkt_settle64(double v, double lo, double hi, uint64_t steps);

/* ---- neighbours at once: rows of 3 or 4 quantized floats --------------------------------------------------- */

/* One number of a row: its range, its steps and its bits on the wire. All are compile-time constants. */
typedef struct pkt_scale {
    float lo, hi;
    uint32_t steps;
    unsigned bits;
} pkt_scale;

#if defined(PKT_X86_64)
/* Whether v is a power of 2, so that multiplying by its reciprocal is as exact as dividing by it. */
PKT_INLINE bool pkt_is_power_of_2(const float v)
{
    return (pkt_float_bits(v) & 0x7FFFFFu) == 0;
}

/* pkt_quantize and pkt_dequantize for four numbers at once. A vector division rounds like four scalar ones. The values
 * are finite, and the codes in range. exact: all divisors are powers of 2. */
PKT_INLINE __m128 pkt_quotient_4(const __m128 a, const __m128 b, const bool exact)
{
    return exact ? _mm_mul_ps(a, _mm_div_ps(_mm_set1_ps(1.0f), b)) : _mm_div_ps(a, b);
}

/* a where the mask is set, b elsewhere. */
PKT_INLINE __m128 pkt_select_4(const __m128 mask, const __m128 a, const __m128 b)
{
    return _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b));
}

PKT_INLINE __m128i pkt_quantize_4(__m128 v, const __m128 lo, const __m128 range, const __m128 steps, const bool exact)
{
    __m128 n = pkt_quotient_4(_mm_sub_ps(v, lo), range, exact), scaled;
    scaled = _mm_mul_ps(_mm_min_ps(_mm_max_ps(n, _mm_setzero_ps()), _mm_set1_ps(1.0f)), steps);
    PKT_ROUNDED(scaled);
    return _mm_cvttps_epi32(_mm_add_ps(scaled, _mm_set1_ps(0.5f)));
}

PKT_INLINE __m128 pkt_dequantize_4(__m128i codes, const __m128 lo, const __m128 range, const __m128 steps,
                                   const bool exact)
{
    __m128 scaled = _mm_mul_ps(pkt_quotient_4(_mm_cvtepi32_ps(codes), steps, exact), range);
    PKT_ROUNDED(scaled);
    return _mm_add_ps(scaled, lo);
}

PKT_INLINE __m128 pkt_row_lo(const pkt_scale *s, const unsigned count)
{
    return _mm_setr_ps(s[0].lo, s[1].lo, s[2].lo, count > 3 ? s[3].lo : 0.0f);
}

PKT_INLINE __m128 pkt_row_range(const pkt_scale *s, const unsigned count)
{
    return _mm_setr_ps(s[0].hi - s[0].lo, s[1].hi - s[1].lo, s[2].hi - s[2].lo, count > 3 ? s[3].hi - s[3].lo : 1.0f);
}

PKT_INLINE __m128 pkt_row_steps(const pkt_scale *s, const unsigned count)
{
    return _mm_setr_ps((float)s[0].steps, (float)s[1].steps, (float)s[2].steps, count > 3 ? (float)s[3].steps : 1.0f);
}
#endif

#if defined(PKT_X86_64)
PKT_INLINE __m128 pkt_row_values(const float *v, const unsigned count)
{
    return _mm_setr_ps(v[0], v[1], v[2], count > 3 ? v[3] : 0.0f);
}

/* The codes of a row. The code of a NaN or infinity is arbitrary. */
PKT_INLINE __m128i pkt_row_codes(const __m128 values, const pkt_scale *s, const unsigned count)
{
    const bool exact = pkt_is_power_of_2(s[0].hi - s[0].lo) && pkt_is_power_of_2(s[1].hi - s[1].lo) &&
                       pkt_is_power_of_2(s[2].hi - s[2].lo) && (count < 4 || pkt_is_power_of_2(s[3].hi - s[3].lo));
    return pkt_quantize_4(values, pkt_row_lo(s, count), pkt_row_range(s, count), pkt_row_steps(s, count), exact);
}

/* A bit for each element of a row of masks. */
PKT_INLINE unsigned pkt_row_mask(const __m128i masks)
{
    return (unsigned)_mm_movemask_ps(_mm_castsi128_ps(masks));
}

/* All ones for each element that is NaN or infinite. */
PKT_INLINE __m128i pkt_row_infinite(const __m128 values)
{
    const __m128i exponent = _mm_set1_epi32(0x7F800000);
    return _mm_cmpeq_epi32(_mm_and_si128(_mm_castps_si128(values), exponent), exponent);
}

PKT_INLINE void pkt_row_spread(const __m128i row, uint32_t *codes)
{
    const uint64_t low = (uint64_t)_mm_cvtsi128_si64(row),
                   high = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(row, row));
    codes[0] = (uint32_t)low;
    codes[1] = (uint32_t)(low >> 32);
    codes[2] = (uint32_t)high;
    codes[3] = (uint32_t)(high >> 32);
}

/* Whether the steps of all numbers of a row are powers of 2. */
PKT_INLINE bool pkt_row_divides_exactly(const pkt_scale *s, const unsigned count)
{
    return pkt_is_power_of_2((float)s[0].steps) && pkt_is_power_of_2((float)s[1].steps) &&
           pkt_is_power_of_2((float)s[2].steps) && (count < 4 || pkt_is_power_of_2((float)s[3].steps));
}

/* The values of a row, none of them above its hi. */
PKT_INLINE __m128 pkt_row_bounded(const __m128 values, const pkt_scale *s, const unsigned count)
{
    if (!pkt_exceeds(s[0].lo, s[0].hi) && !pkt_exceeds(s[1].lo, s[1].hi) && !pkt_exceeds(s[2].lo, s[2].hi) &&
        (count < 4 || !pkt_exceeds(s[3].lo, s[3].hi)))
        return values;
    return _mm_min_ps(values, _mm_setr_ps(s[0].hi, s[1].hi, s[2].hi, count > 3 ? s[3].hi : 0.0f));
}

/* The values of a row of codes, which are in range. */
PKT_INLINE __m128 pkt_row_dequantized(const __m128i codes, const pkt_scale *s, const unsigned count)
{
    return pkt_row_bounded(pkt_dequantize_4(codes, pkt_row_lo(s, count), pkt_row_range(s, count),
                                            pkt_row_steps(s, count), pkt_row_divides_exactly(s, count)),
                           s, count);
}
#endif

/* The values of a row. Members that are neighbours in memory are loaded and stored together; compilers know which
 * are. */
#if defined(PKT_X86_64)
typedef __m128 pkt_row;

PKT_INLINE pkt_row pkt_row_load(const float *const *members, const unsigned count)
{
    const float *const first = members[0];
    if (count > 3 && members[1] == first + 1 && members[2] == first + 2 && members[3] == first + 3)
        return _mm_loadu_ps(first);
    if (count < 4 && members[1] == first + 1)
        return _mm_movelh_ps(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)first)),
                             _mm_load_ss(members[2]));
    return _mm_setr_ps(*first, *members[1], *members[2], count > 3 ? *members[3] : 0.0f);
}

PKT_INLINE void pkt_row_store(const pkt_row row, const unsigned count, float *const *members)
{
    float *const first = members[0];
    if (count > 3 && members[1] == first + 1 && members[2] == first + 2 && members[3] == first + 3) {
        _mm_storeu_ps(first, row);
        return;
    }
    if (members[1] == first + 1) {
        _mm_storel_epi64((__m128i *)(void *)first, _mm_castps_si128(row));
    } else {
        _mm_store_ss(first, row);
        _mm_store_ss(members[1], _mm_shuffle_ps(row, row, 1));
    }
    _mm_store_ss(members[2], _mm_movehl_ps(row, row));
    if (count > 3)
        _mm_store_ss(members[3], _mm_shuffle_ps(row, row, 3));
}
#else
typedef struct pkt_row {
    float values[4];
} pkt_row;

PKT_INLINE pkt_row pkt_row_load(const float *const *members, const unsigned count)
{
    const pkt_row row = {{*members[0], *members[1], *members[2], count > 3 ? *members[3] : 0.0f}};
    return row;
}

PKT_INLINE void pkt_row_store(const pkt_row row, const unsigned count, float *const *members)
{
    *members[0] = row.values[0];
    *members[1] = row.values[1];
    *members[2] = row.values[2];
    if (count > 3)
        *members[3] = row.values[3];
}
#endif

#if defined(PKT_X86_64)
/* Puts the codes of a row next to each other. Multiplying by a power of 2 moves a code to its place among the 64 bits
 * of its pair; then the pairs are combined. A code that begins at bit 32 or later is in the wrong half of its 64 bits,
 * so the halves, of which the other one is empty, are swapped. */
PKT_INLINE uint64_t pkt_row_pack(const __m128i codes, const pkt_scale *s, const unsigned count)
{
    const unsigned third = s[0].bits + s[1].bits, fourth = count > 3 ? third + s[2].bits : third;
    const unsigned up = third >= 32 ? third - 32 : fourth < 32 ? third : 0, rest = third < 32 ? third - up : 0;
    const uint32_t a = 1, b = UINT32_C(1) << s[0].bits, c = UINT32_C(1) << up, d = count > 3 ? c << s[2].bits : 0;
    const __m128i even = _mm_mul_epu32(codes, _mm_setr_epi32((int)a, 0, (int)c, 0));
    const __m128i odd = _mm_mul_epu32(_mm_shuffle_epi32(codes, 0xF5), _mm_setr_epi32((int)b, 0, (int)d, 0));
    const __m128i pairs = _mm_or_si128(even, odd);
    __m128i second = third >= 32 ? _mm_shuffle_epi32(pairs, 0xEB) : _mm_shuffle_epi32(pairs, 0xEE);
    if (rest != 0)
        second = _mm_slli_epi64(second, (int)rest);
    return (uint64_t)_mm_cvtsi128_si64(_mm_or_si128(pairs, second));
}

/* A word shifted right by `down` bits; if that is negative, left. */
PKT_INLINE __m128i pkt_row_moved(const __m128i word, const int down)
{
    return down == 0 ? word : down > 0 ? _mm_srli_epi64(word, down) : _mm_slli_epi64(word, -down);
}
#else
/* The code at bit `at` of a packed row. */
PKT_INLINE uint32_t pkt_row_code(uint64_t packed, const unsigned at, const unsigned bits)
{
    return (uint32_t)(packed >> at & ((UINT64_C(1) << bits) - 1));
}
#endif

/* Stores in *packed the codes of a row next to each other, 63 bits at most. Returns false if a value is NaN or
 * infinite. */
PKT_INLINE bool pkt_quantize_row(const pkt_row row, const pkt_scale *s, const unsigned count, uint64_t *packed)
{
#if defined(PKT_X86_64)
    *packed = pkt_row_pack(pkt_row_codes(row, s, count), s, count);
    return pkt_row_mask(pkt_row_infinite(row)) == 0;
#else
    const unsigned at2 = s[0].bits + s[1].bits, at3 = at2 + s[2].bits;
    const uint32_t a = pkt_quantize(row.values[0], s[0].lo, s[0].hi, s[0].steps);
    const uint32_t b = pkt_quantize(row.values[1], s[1].lo, s[1].hi, s[1].steps);
    const uint32_t c = pkt_quantize(row.values[2], s[2].lo, s[2].hi, s[2].steps);
    const uint32_t d = count > 3 ? pkt_quantize(row.values[3], s[3].lo, s[3].hi, s[3].steps) : 0;
    if (a == UINT32_MAX || b == UINT32_MAX || c == UINT32_MAX || d == UINT32_MAX)
        return false;
    *packed = a | (uint64_t)b << s[0].bits | (uint64_t)c << at2;
    if (count > 3)
        *packed |= (uint64_t)d << at3;
    return true;
#endif
}

/* The inverse of pkt_quantize_row. The row begins at bit `at` of word; the bits after it do not matter. Returns false
 * if a code is greater than its steps. */
PKT_INLINE bool pkt_dequantize_row(const uint64_t word, const unsigned at, const pkt_scale *s, const unsigned count,
                                   pkt_row *row)
{
    const unsigned at1 = s[0].bits, at2 = at1 + s[1].bits, at3 = at2 + s[2].bits;
#if defined(PKT_X86_64)
    /* Two shifts move the codes into lanes of 32 bits: one gives the lanes of the first and the third, the other those
     * of the second and the fourth. A code begins some bits up in its lane, and ends below the sign bit. So it is
     * compared with, and divided by, the steps shifted by as many bits. */
    const int even_down = at2 < 32 ? (int)at2 - 32 : 0,
              odd_down = count > 3 && at3 < at1 + 32 ? (int)at3 - 32 : (int)at1;
    const unsigned up0 = (unsigned)-even_down, up1 = at1 - (unsigned)odd_down;
    const unsigned up2 = at2 - 32 + up0, up3 = at3 - 32 - (unsigned)odd_down;
    const uint32_t a = s[0].steps << up0, b = s[1].steps << up1, c = s[2].steps << up2,
                   d = count > 3 ? s[3].steps << up3 : 1;
    const __m128i masks = _mm_setr_epi32(
        (int)(((UINT32_C(1) << s[0].bits) - 1) << up0), (int)(((UINT32_C(1) << s[1].bits) - 1) << up1),
        (int)(((UINT32_C(1) << s[2].bits) - 1) << up2), count > 3 ? (int)(((UINT32_C(1) << s[3].bits) - 1) << up3) : 0);
    const __m128i all = _mm_cvtsi64_si128((int64_t)word);
    const __m128i codes = _mm_and_si128(
        masks, _mm_unpacklo_epi32(pkt_row_moved(all, (int)at + even_down), pkt_row_moved(all, (int)at + odd_down)));
    *row = pkt_dequantize_4(codes, pkt_row_lo(s, count), pkt_row_range(s, count),
                            _mm_setr_ps((float)a, (float)b, (float)c, (float)d), pkt_row_divides_exactly(s, count));
    *row = pkt_row_bounded(*row, s, count);
    return _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpgt_epi32(codes, _mm_setr_epi32((int)a, (int)b, (int)c, (int)d)))) ==
           0;
#else
    const uint32_t a = pkt_row_code(word, at, s[0].bits), b = pkt_row_code(word, at + at1, s[1].bits);
    const uint32_t c = pkt_row_code(word, at + at2, s[2].bits),
                   d = count > 3 ? pkt_row_code(word, at + at3, s[3].bits) : 0;
    if (a > s[0].steps || b > s[1].steps || c > s[2].steps || (count > 3 && d > s[3].steps))
        return false;
    row->values[0] = pkt_dequantize(a, s[0].lo, s[0].hi, s[0].steps);
    row->values[1] = pkt_dequantize(b, s[1].lo, s[1].hi, s[1].steps);
    row->values[2] = pkt_dequantize(c, s[2].lo, s[2].hi, s[2].steps);
    row->values[3] = count > 3 ? pkt_dequantize(d, s[3].lo, s[3].hi, s[3].steps) : 0.0f;
    return true;
#endif
}

/* The bits of a row. */
PKT_INLINE unsigned pkt_row_width(const pkt_scale *s, const unsigned count)
{
    return s[0].bits + s[1].bits + s[2].bits + (count > 3 ? s[3].bits : 0);
}

/* Number i of a row. */
PKT_INLINE float pkt_row_value(const pkt_row row, const unsigned i)
{
#if defined(PKT_X86_64)
    if (i == 0)
        return _mm_cvtss_f32(row);
    if (i == 1)
        return _mm_cvtss_f32(_mm_shuffle_ps(row, row, 1));
    return _mm_cvtss_f32(i == 2 ? _mm_movehl_ps(row, row) : _mm_shuffle_ps(row, row, 3));
#else
    return row.values[i];
#endif
}

/* Compares the numbers of a row with `old`. Stores in *differ a bit for each whose bits and code differ; NaN and
 * infinities have no code, and differ from all others. Stores the codes of those that differ in codes[0] to codes[3],
 * and the bits on the wire of each in codes[4] to codes[7]; for the others 0. Returns false if one that differs has no
 * code. */
PKT_INLINE bool pkt_compare_row(const float *v, const float *old, const pkt_scale *s, const unsigned count,
                                uint32_t *codes, uint64_t *differ)
{
#if defined(PKT_X86_64)
    const __m128 values = pkt_row_values(v, count), olds = pkt_row_values(old, count);
    const __m128i now = pkt_row_codes(values, s, count), before = pkt_row_codes(olds, s, count);
    const __m128i same = _mm_cmpeq_epi32(_mm_castps_si128(values), _mm_castps_si128(olds));
    const __m128i infinite = pkt_row_infinite(values), no_code = _mm_or_si128(infinite, pkt_row_infinite(olds));
    const __m128i alike = _mm_or_si128(same, _mm_andnot_si128(no_code, _mm_cmpeq_epi32(now, before)));
    const __m128i bits = _mm_setr_epi32((int)s[0].bits, (int)s[1].bits, (int)s[2].bits, count > 3 ? (int)s[3].bits : 0);
    pkt_row_spread(_mm_andnot_si128(alike, now), codes);
    pkt_row_spread(_mm_andnot_si128(alike, bits), codes + 4);
    *differ = pkt_row_mask(alike) ^ 15u;
    return pkt_row_mask(_mm_andnot_si128(same, infinite)) == 0;
#else
    bool good = true;
    *differ = 0;
    for (unsigned i = 0; i < 4; i++) {
        const bool differs = i < count && pkt_codes_differ(v[i], old[i], s[i].lo, s[i].hi, s[i].steps);
        codes[i] = differs ? pkt_quantize(v[i], s[i].lo, s[i].hi, s[i].steps) : 0;
        codes[4 + i] = differs ? s[i].bits : 0;
        good = good && codes[i] != UINT32_MAX;
        *differ |= (uint64_t)differs << i;
    }
    return good;
#endif
}

/* Sets the numbers whose bit in `changed` is set to the values of their codes, and the others, whose codes are 0, to those
 * of `old`. Returns false if a code is not in range, or a changed one is the same as in old. */
PKT_INLINE bool pkt_change_row(const uint32_t *codes, const float *old, const pkt_scale *s, const unsigned count,
                               uint64_t changed, float *const *members)
{
#if defined(PKT_X86_64)
    const __m128i lanes = _mm_setr_epi32(1, 2, 4, 8);
    const __m128i sent = _mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32((int)changed), lanes), lanes);
    const __m128i now = _mm_setr_epi32((int)codes[0], (int)codes[1], (int)codes[2], count > 3 ? (int)codes[3] : 0);
    const __m128i most =
        _mm_setr_epi32((int)s[0].steps, (int)s[1].steps, (int)s[2].steps, count > 3 ? (int)s[3].steps : 0);
    const __m128 before = pkt_row_values(old, count);
    const __m128i same = _mm_and_si128(
        sent, _mm_andnot_si128(pkt_row_infinite(before), _mm_cmpeq_epi32(now, pkt_row_codes(before, s, count))));
    if ((pkt_row_mask(_mm_or_si128(same, _mm_cmpgt_epi32(now, most))) & (count > 3 ? 15u : 7u)) != 0)
        return false;
    pkt_row_store(pkt_select_4(_mm_castsi128_ps(sent), pkt_row_dequantized(now, s, count), before), count, members);
#else
    for (unsigned i = 0; i < count; i++) {
        const bool is_changed = (changed >> i & 1) != 0;
        if (codes[i] > s[i].steps)
            return false;
        if (is_changed && pkt_quantize(old[i], s[i].lo, s[i].hi, s[i].steps) == codes[i])
            return false;
        *members[i] = is_changed ? pkt_dequantize(codes[i], s[i].lo, s[i].hi, s[i].steps) : old[i];
    }
#endif
    return true;
}

PKT_C_END

#endif
