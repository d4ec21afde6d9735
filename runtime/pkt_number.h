/* pkt_number.h - floats as bits, and quantized numbers: arithmetic that is part of the wire.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which has it by pkt_codec.h. Programs have no use for this header.
 */
#ifndef PKT_NUMBER_H
#define PKT_NUMBER_H

#include "pkt.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Rounding is part of the wire. Where the target multiplies and adds in one step, a compiler may fuse what C writes
 * apart; a product that has passed through here is rounded. */
#if defined(__GNUC__) && (defined(__FMA__) || defined(__FMA4__) || defined(__AVX512F__))
#define PKT_ROUNDED(x) __asm__("" : "+x"(x))
#elif defined(__GNUC__) && defined(__aarch64__)
#define PKT_ROUNDED(x) __asm__("" : "+w"(x))
#elif defined(__GNUC__) && (defined(__FP_FAST_FMA) || defined(__FP_FAST_FMAF) || defined(__ARM_FEATURE_FMA) || defined(__s390x__) \
    || defined(__riscv) || defined(__powerpc__))
#define PKT_ROUNDED(x) __asm__ volatile("" : "+m"(x))
#else
#define PKT_ROUNDED(x) (void)(x)
#endif

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

/* The quotient of two floats, rounded to float, for a divisor that is a constant. The reciprocal of a power of two is exact.
 * Else the product with the reciprocal in double, rounded to float, is the quotient: a quotient of 24-bit significands is
 * farther than 2^-50 of itself from every midpoint of floats, the product nearer than 2^-51 to the quotient. (Among
 * subnormal results midpoints are denser; quantized numbers that small have code 0 either way.) */
PKT_INLINE float pkt_quotient(const float a, const float b)
{
    if ((pkt_float_bits(b) & 0x7FFFFFu) == 0) return a * (1.0f / b);
    return (float)((double)a * (1.0 / (double)b));
}

/* Clamped to 0 to 1. Said in C, compilers make branches of it, on what nobody can predict. */
PKT_INLINE float pkt_clamp(float n)
{
#if defined(__SSE2__)
    return _mm_cvtss_f32(_mm_min_ss(_mm_max_ss(_mm_set_ss(n), _mm_setzero_ps()), _mm_set_ss(1.0f)));
#else
    n = n > 0.0f ? n : 0.0f;
    return n < 1.0f ? n : 1.0f;
#endif
}

PKT_INLINE double pkt_clamp64(double n)
{
#if defined(__SSE2__)
    return _mm_cvtsd_f64(_mm_min_sd(_mm_max_sd(_mm_set_sd(n), _mm_setzero_pd()), _mm_set_sd(1.0)));
#else
    n = n > 0.0 ? n : 0.0;
    return n < 1.0 ? n : 1.0;
#endif
}

PKT_INLINE bool pkt_is_finite(float v)
{
    return (pkt_float_bits(v) & 0x7F800000u) != 0x7F800000u;
}

PKT_INLINE bool pkt_is_finite64(double v)
{
    return (pkt_double_bits(v) & UINT64_C(0x7FF0000000000000)) != UINT64_C(0x7FF0000000000000);
}

/* The code of a quantized number, as the wire's documentation has it; UINT32_MAX, over every number of steps, for
 * one that is not finite. */
PKT_INLINE uint32_t pkt_quantize(float v, const float lo, const float hi, const uint32_t steps)
{
    if (!pkt_is_finite(v)) return UINT32_MAX;
    float scaled = pkt_clamp(pkt_quotient(v - lo, hi - lo)) * (float)steps;
    PKT_ROUNDED(scaled);
    return (uint32_t)(int32_t)(scaled + 0.5f);
}

PKT_INLINE float pkt_dequantize(uint32_t code, const float lo, const float hi, const uint32_t steps)
{
    float scaled = pkt_quotient((float)(int32_t)code, (float)steps) * (hi - lo);
    PKT_ROUNDED(scaled);
    return scaled + lo;
}

PKT_INLINE uint64_t pkt_quantize64(double v, const double lo, const double hi, const uint64_t steps)
{
    if (!pkt_is_finite64(v)) return UINT64_MAX;
    double scaled = pkt_clamp64((v - lo) / (hi - lo)) * (double)steps;
    PKT_ROUNDED(scaled);
    return (uint64_t)(int64_t)(scaled + 0.5);
}

PKT_INLINE double pkt_dequantize64(uint64_t code, const double lo, const double hi, const uint64_t steps)
{
    double n = (double)(int64_t)code / (double)steps;
    double scaled = n * (hi - lo);
    PKT_ROUNDED(scaled);
    return scaled + lo;
}

#ifdef __cplusplus
}
#endif

#endif
