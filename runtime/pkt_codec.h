/* pkt_codec.h - what generated code is written in: runs of fields, packed into words, in four modes.
 * SPDX-License-Identifier: MIT
 *
 * pktc emits one function a type, T_serialize, in which a line is a field. The mode is a constant wherever the
 * function is inlined, so that of each line only what that mode needs is left. The macros below expect the
 * names `mode`, `c` (the cursor), `in` and `out` (the same value when reading, NULL else) in scope, and return false from the
 * function they stand in at the first thing wrong. Programs have no use for this header.
 */
#ifndef PKT_CODEC_H
#define PKT_CODEC_H

#include "pkt_lanes.h"
#include "pkt_number.h"
#include "pkt_rotation.h"
#include "pkt_run.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Comparison behind a function, so that a span that no value exceeds draws no warning; in the open for a proof, which
 * learns from it what bounds a value has. */
#ifdef PKT_BYTEWISE
#define pkt_over(raw, span) ((uint64_t)(raw) > (uint64_t)(span))
#define pkt_over32(raw, span) ((uint32_t)(raw) > (uint32_t)(span))
#else
PKT_INLINE bool pkt_over(const uint64_t raw, const uint64_t span)
{
    return raw > span;
}

PKT_INLINE bool pkt_over32(const uint32_t raw, const uint32_t span)
{
    return raw > span;
}
#endif

/* ---- conditions: of values that a program has not set right a quotient and a remainder that C leaves undefined are 0 */

PKT_INLINE int64_t pkt_quotient_i64(int64_t a, int64_t b)
{
    return b == 0 || (b == -1 && a == INT64_MIN) ? 0 : a / b;
}

PKT_INLINE int64_t pkt_remainder_i64(int64_t a, int64_t b)
{
    return b == 0 || b == -1 ? 0 : a % b;
}

PKT_INLINE uint64_t pkt_quotient_u64(uint64_t a, uint64_t b)
{
    return b == 0 ? 0 : a / b;
}

PKT_INLINE uint64_t pkt_remainder_u64(uint64_t a, uint64_t b)
{
    return b == 0 ? 0 : a % b;
}

/* ---- explaining: pkt_codec.c ----------------------------------------------------------------------------- */

/* Each goes over one item and moves on, or records why it cannot and returns false. raw and value are read when writing
 * is explained and set when reading is. */
PKT_COLD bool pkt_explain_fail(pkt_cursor *c, pkt_code code, uint64_t bit, const char *field);
PKT_COLD bool pkt_explain_outer(pkt_cursor *c, const char *outer);
PKT_COLD bool pkt_explain_leaf(pkt_cursor *c, uint64_t *raw, uint64_t span, unsigned bits, const char *field);
PKT_COLD bool pkt_explain_quantized(pkt_cursor *c, float *v, float lo, float hi, uint32_t steps, unsigned bits,
                                    const char *field);
PKT_COLD bool pkt_explain_quantized64(pkt_cursor *c, double *v, double lo, double hi, uint64_t steps, unsigned bits,
                                      const char *field);
PKT_COLD bool pkt_explain_quat(pkt_cursor *c, const pkt_quat *in, pkt_quat *out, unsigned bits, const char *field);
PKT_COLD bool pkt_explain_unit(pkt_cursor *c, const pkt_vec3 *in, pkt_vec3 *out, unsigned bits, const char *field);
PKT_COLD bool pkt_explain_compact(pkt_cursor *c, uint64_t *v, unsigned bytes, const char *field);
PKT_COLD bool pkt_explain_after(pkt_cursor *c, uint32_t *v, uint32_t start, const char *field);
PKT_COLD bool pkt_explain_constant(pkt_cursor *c, uint64_t value, unsigned bits, const char *field);
PKT_COLD bool pkt_explain_align(pkt_cursor *c, const char *field);
PKT_COLD bool pkt_explain_text(pkt_cursor *c, const char *in, char *out, uint32_t size, const char *field);
PKT_COLD bool pkt_explain_bytes(pkt_cursor *c, uint8_t *out, uint64_t size, const char *field);
/* As pkt_explain_bytes, each byte being an item of its own. */
PKT_COLD bool pkt_explain_elements(pkt_cursor *c, uint8_t *out, uint64_t size, const char *field);

/* ---- the lines of generated code -------------------------------------------------------------------------- */

#define PKT_READING (mode == PKT_READ || (mode == PKT_EXPLAIN && out != NULL))

/* So many bits are here, or there is room for them: the one bounds check of what follows. */
#define PKT_NEED(bits)                  \
    do {                                \
        if (!pkt_need(mode, c, (bits))) \
            return false;               \
        c->verified = c->bit + (bits);  \
    } while (0)

/* A run begins, with its word at byte 0, the type's first run or another; the word at a later byte of it opens; the run of so
 * many bits ends. */
#define PKT_FIRST_RUN() pkt_first_run(mode, c)
#define PKT_RUN() pkt_run(mode, c, false, 0)
#define PKT_RUN_EDGE() pkt_run(mode, c, true, 0)
/* ENDING: an edge whose fields end at bit `end` of the run, which a reader loads by that. */
#define PKT_RUN_ENDING(end) pkt_run(mode, c, true, (end))
#define PKT_WORD(byte) pkt_word(mode, c, (byte), false, 0)
#define PKT_WORD_EDGE(byte) pkt_word(mode, c, (byte), true, 0)
#define PKT_WORD_ENDING(byte, end) pkt_word(mode, c, (byte), true, (end))
#define PKT_END(bits) pkt_end(mode, c, (bits))

/* A run in which fields may be missing. ENDING: an edge, and the run has so many bits at most, which a reader loads by that.
 * VARIED: so many bits are there of what may be missing. END: with so many bits of what is always there; all of it has to be
 * there, and `rest` more. */
#define PKT_VARYING_RUN() pkt_varying_run(mode, c, false, 0)
#define PKT_VARYING_RUN_EDGE() pkt_varying_run(mode, c, true, 0)
#define PKT_VARYING_RUN_ENDING(most) pkt_varying_run(mode, c, true, (most))
#define PKT_VARIED(bits) pkt_varied(mode, c, (bits))
#define PKT_VARYING_END(bits, rest) \
    do {                            \
        PKT_NEED((bits) + (rest));  \
        PKT_END(bits);              \
    } while (0)

/* m: the member; then its range; then its bits, and where in the word it starts. */
#define PKT_BOOL(m, at)                                        \
    do {                                                       \
        if (mode == PKT_WRITE)                                 \
            pkt_put(c, (uint64_t)in->m, 1, (at));              \
        if (mode == PKT_READ)                                  \
            out->m = pkt_get(c, 1, (at)) != 0;                 \
        if (mode == PKT_EXPLAIN) {                             \
            uint64_t raw_ = out != NULL ? 0 : (uint64_t)in->m; \
            if (!pkt_explain_leaf(c, &raw_, 1, 1, #m))         \
                return false;                                  \
            if (out != NULL)                                   \
                out->m = raw_ != 0;                            \
        }                                                      \
    } while (0)

/* Any value of 64 bits or fewer as it is, less a bias (both as uint64_t): TO_RAW of in->m, FROM_RAW to out->m. */
#define PKT_VALUE_(m, raw_of_in, out_of_raw, span, bits, put, get) \
    do {                                                           \
        if (mode == PKT_WRITE) {                                   \
            const uint64_t raw_ = raw_of_in;                       \
            if (pkt_over(raw_, (span)))                            \
                return false;                                      \
            put;                                                   \
        }                                                          \
        if (mode == PKT_READ) {                                    \
            const uint64_t raw_ = get;                             \
            if (pkt_over(raw_, (span)))                            \
                return false;                                      \
            out->m = out_of_raw;                                   \
        }                                                          \
        if (mode == PKT_EXPLAIN) {                                 \
            uint64_t raw_ = out != NULL ? 0 : raw_of_in;           \
            if (!pkt_explain_leaf(c, &raw_, (span), (bits), #m))   \
                return false;                                      \
            if (out != NULL)                                       \
                out->m = out_of_raw;                               \
        }                                                          \
    } while (0)

/* bits<N>, uN, flags, enums of a reserved width: the bits as they are. */
#define PKT_BITS(T, m, bits, at)                                                                  \
    PKT_VALUE_(m, (uint64_t)in->m, (T)raw_, pkt_mask(bits), bits, pkt_put(c, raw_, (bits), (at)), \
               pkt_get(c, (bits), (at)))
#define PKT_BITS_ACROSS(T, m, bits, at, low, byte, high_at, edge)                       \
    PKT_VALUE_(m, (uint64_t)in->m, (T)raw_, pkt_mask(bits), bits,                       \
               pkt_put_across(c, raw_, (bits), (at), (low), (byte), (high_at), (edge)), \
               pkt_get_across(c, (bits), (at), (low), (byte), (high_at), (edge)))

/* iN: two's complement. */
#define PKT_SIGNED(T, m, bits, at)                                                                                   \
    PKT_VALUE_(m, ((uint64_t)in->m & pkt_mask(bits)), (T)raw_, pkt_mask(bits), bits, pkt_put(c, raw_, (bits), (at)), \
               pkt_get(c, (bits), (at)))
#define PKT_SIGNED_ACROSS(T, m, bits, at, low, byte, high_at, edge)                     \
    PKT_VALUE_(m, ((uint64_t)in->m & pkt_mask(bits)), (T)raw_, pkt_mask(bits), bits,    \
               pkt_put_across(c, raw_, (bits), (at), (low), (byte), (high_at), (edge)), \
               pkt_get_across(c, (bits), (at), (low), (byte), (high_at), (edge)))

/* lo to hi, in 32-bit arithmetic: storage and range are within 32 bits. */
#define PKT_INT(T, m, lo, hi, bits, at)                                                     \
    do {                                                                                    \
        if (mode == PKT_WRITE) {                                                            \
            const uint32_t raw_ = (uint32_t)in->m - (uint32_t)(lo);                         \
            if (pkt_over32(raw_, (uint32_t)(hi) - (uint32_t)(lo)))                          \
                return false;                                                               \
            pkt_put(c, raw_, (bits), (at));                                                 \
        }                                                                                   \
        if (mode == PKT_READ) {                                                             \
            const uint32_t raw_ = (uint32_t)pkt_get(c, (bits), (at));                       \
            if (pkt_over32(raw_, (uint32_t)(hi) - (uint32_t)(lo)))                          \
                return false;                                                               \
            out->m = (T)(raw_ + (uint32_t)(lo));                                            \
        }                                                                                   \
        if (mode == PKT_EXPLAIN) {                                                          \
            uint64_t raw_ = out != NULL ? 0 : (uint64_t)((uint32_t)in->m - (uint32_t)(lo)); \
            if (!pkt_explain_leaf(c, &raw_, (uint32_t)(hi) - (uint32_t)(lo), (bits), #m))   \
                return false;                                                               \
            if (out != NULL)                                                                \
                out->m = (T)((uint32_t)raw_ + (uint32_t)(lo));                              \
        }                                                                                   \
    } while (0)

/* Neighbours of an array from the element m on, as many as 8 bytes hold: 8 of one byte, 4 of two. */
#define PKT_INTS(T, m, lo, hi, bits, at)                                                      \
    do {                                                                                      \
        enum { LANE_ = 8 * sizeof(T), COUNT_ = 8 / sizeof(T) };                               \
        const uint64_t span_ = (uint32_t)(hi) - (uint32_t)(lo);                               \
        if (mode == PKT_WRITE) {                                                              \
            uint64_t raw_;                                                                    \
            if (!pkt_lanes_pack(LANE_, &in->m, (uint64_t)(lo), span_, (bits), &raw_))         \
                return false;                                                                 \
            pkt_put(c, raw_, COUNT_ *(bits), (at));                                           \
        }                                                                                     \
        if (mode == PKT_READ) {                                                               \
            const uint64_t raw_ = pkt_get(c, COUNT_ * (bits), (at));                          \
            if (!pkt_lanes_unpack(LANE_, &out->m, (uint64_t)(lo), span_, (bits), raw_))       \
                return false;                                                                 \
        }                                                                                     \
        for (unsigned k_ = 0; mode == PKT_EXPLAIN && k_ < COUNT_; k_++) {                     \
            const T *in_ = &in->m;                                                            \
            uint64_t raw_ = out != NULL ? 0 : (uint64_t)((uint32_t)in_[k_] - (uint32_t)(lo)); \
            if (!pkt_explain_leaf(c, &raw_, span_, (bits), #m))                               \
                return false;                                                                 \
            if (out != NULL)                                                                  \
                (&out->m)[k_] = (T)((uint32_t)raw_ + (uint32_t)(lo));                         \
        }                                                                                     \
    } while (0)

/* The same in 64 bits. */
#define PKT_INT64(T, m, lo, hi, bits, at)                                                                          \
    PKT_VALUE_(m, ((uint64_t)in->m - (uint64_t)(lo)), (T)(raw_ + (uint64_t)(lo)), (uint64_t)(hi) - (uint64_t)(lo), \
               bits, pkt_put(c, raw_, (bits), (at)), pkt_get(c, (bits), (at)))
#define PKT_INT64_ACROSS(T, m, lo, hi, bits, at, low, byte, high_at, edge)                                         \
    PKT_VALUE_(m, ((uint64_t)in->m - (uint64_t)(lo)), (T)(raw_ + (uint64_t)(lo)), (uint64_t)(hi) - (uint64_t)(lo), \
               bits, pkt_put_across(c, raw_, (bits), (at), (low), (byte), (high_at), (edge)),                      \
               pkt_get_across(c, (bits), (at), (low), (byte), (high_at), (edge)))

/* A range of one value costs nothing: what is written must be that value, what is read is. */
#define PKT_ONLY(T, m, value)                                        \
    do {                                                             \
        if (mode == PKT_WRITE && in->m != (value))                   \
            return false;                                            \
        if (mode == PKT_EXPLAIN && out == NULL && in->m != (value))  \
            return pkt_explain_fail(c, PKT_ERROR_RANGE, c->bit, #m); \
        if (PKT_READING)                                             \
            out->m = (value);                                        \
    } while (0)

/* An enum with gaps: valid tells members from other values of the range. */
#define PKT_ENUM_(T, m, valid, lo, hi, bits, put, get)                   \
    do {                                                                 \
        if (mode == PKT_WRITE) {                                         \
            const uint64_t raw_ = (uint64_t)in->m - (lo);                \
            if (!valid(in->m))                                           \
                return false;                                            \
            put;                                                         \
        }                                                                \
        if (mode == PKT_READ) {                                          \
            const uint64_t raw_ = get + (lo);                            \
            if (pkt_over(raw_, (hi)) || !valid((T)raw_))                 \
                return false;                                            \
            out->m = (T)raw_;                                            \
        }                                                                \
        if (mode == PKT_EXPLAIN) {                                       \
            const uint64_t start_ = c->bit;                              \
            uint64_t raw_ = out != NULL ? 0 : (uint64_t)in->m - (lo);    \
            if (!pkt_explain_leaf(c, &raw_, (hi) - (lo), (bits), #m))    \
                return false;                                            \
            if (!valid((T)(raw_ + (lo))))                                \
                return pkt_explain_fail(c, PKT_ERROR_RANGE, start_, #m); \
            if (out != NULL)                                             \
                out->m = (T)(raw_ + (lo));                               \
        }                                                                \
    } while (0)
#define PKT_ENUM(T, m, valid, lo, hi, bits, at) \
    PKT_ENUM_(T, m, valid, lo, hi, bits, pkt_put(c, raw_, (bits), (at)), pkt_get(c, (bits), (at)))
#define PKT_ENUM_ACROSS(T, m, valid, lo, hi, bits, at, low, byte, high_at, edge)                                  \
    PKT_ENUM_(T, m, valid, lo, hi, bits, pkt_put_across(c, raw_, (bits), (at), (low), (byte), (high_at), (edge)), \
              pkt_get_across(c, (bits), (at), (low), (byte), (high_at), (edge)))

/* Raw floats: every bit pattern. */
#define PKT_FLOAT_(m, raw_of_in, out_of_raw, bits, put, get)             \
    do {                                                                 \
        if (mode == PKT_WRITE) {                                         \
            const uint64_t raw_ = raw_of_in;                             \
            put;                                                         \
        }                                                                \
        if (mode == PKT_READ) {                                          \
            const uint64_t raw_ = get;                                   \
            out->m = out_of_raw;                                         \
        }                                                                \
        if (mode == PKT_EXPLAIN) {                                       \
            uint64_t raw_ = out != NULL ? 0 : raw_of_in;                 \
            if (!pkt_explain_leaf(c, &raw_, pkt_mask(bits), (bits), #m)) \
                return false;                                            \
            if (out != NULL)                                             \
                out->m = out_of_raw;                                     \
        }                                                                \
    } while (0)

#define PKT_FLOAT(m, at)                                                                                 \
    PKT_FLOAT_(m, pkt_float_bits(in->m), pkt_bits_float((uint32_t)raw_), 32, pkt_put(c, raw_, 32, (at)), \
               pkt_get(c, 32, (at)))
#define PKT_DOUBLE_ACROSS(m, at, low, byte, high_at, edge)                          \
    PKT_FLOAT_(m, pkt_double_bits(in->m), pkt_bits_double(raw_), 64,                \
               pkt_put_across(c, raw_, 64, (at), (low), (byte), (high_at), (edge)), \
               pkt_get_across(c, 64, (at), (low), (byte), (high_at), (edge)))

/* lo to hi in so many steps. */
#define PKT_EXPLAIN_QUANTIZED_(m, lo, hi, steps, bits)                       \
    if (mode == PKT_EXPLAIN) {                                               \
        float v_ = out != NULL ? 0.0f : in->m;                               \
        if (!pkt_explain_quantized(c, &v_, (lo), (hi), (steps), (bits), #m)) \
            return false;                                                    \
        if (out != NULL)                                                     \
            out->m = v_;                                                     \
    }
#define PKT_QUANTIZED(m, lo, hi, steps, bits, at)                                      \
    do {                                                                               \
        if (mode == PKT_WRITE) {                                                       \
            if (!pkt_is_finite(in->m))                                                 \
                return false;                                                          \
            pkt_put(c, pkt_quantize_finite(in->m, (lo), (hi), (steps)), (bits), (at)); \
        }                                                                              \
        if (mode == PKT_READ) {                                                        \
            const uint32_t code_ = (uint32_t)pkt_get(c, (bits), (at));                 \
            if (pkt_over32(code_, (steps)))                                            \
                return false;                                                          \
            out->m = pkt_dequantize(code_, (lo), (hi), (steps));                       \
        }                                                                              \
        PKT_EXPLAIN_QUANTIZED_(m, lo, hi, steps, bits)                                 \
    } while (0)

/* Three or four that are neighbours, from `at` on, each as in PKT_QUANTIZED. */
#define PKT_QUANTIZED3(m0, lo0, hi0, steps0, bits0, m1, lo1, hi1, steps1, bits1, m2, lo2, hi2, steps2, bits2, at)     \
    do {                                                                                                              \
        const pkt_scale scales_[3] = {                                                                                \
            {(lo0), (hi0), (steps0), (bits0)}, {(lo1), (hi1), (steps1), (bits1)}, {(lo2), (hi2), (steps2), (bits2)}}; \
        if (mode == PKT_WRITE) {                                                                                      \
            const float *const members_[3] = {&in->m0, &in->m1, &in->m2};                                             \
            uint64_t raw_;                                                                                            \
            if (!pkt_quantize_row(pkt_row_load(members_, 3), scales_, 3, &raw_))                                      \
                return false;                                                                                         \
            pkt_put(c, raw_, (bits0) + (bits1) + (bits2), (at));                                                      \
        }                                                                                                             \
        if (mode == PKT_READ) {                                                                                       \
            float *const members_[3] = {&out->m0, &out->m1, &out->m2};                                                \
            const uint64_t word_ = pkt_get_word(c, (bits0) + (bits1) + (bits2), (at));                                \
            pkt_row row_;                                                                                             \
            if (!pkt_dequantize_row(word_, pkt_get_bit(c, (at)), scales_, 3, &row_))                                  \
                return false;                                                                                         \
            pkt_row_store(row_, 3, members_);                                                                         \
        }                                                                                                             \
        PKT_EXPLAIN_QUANTIZED_(m0, lo0, hi0, steps0, bits0)                                                           \
        PKT_EXPLAIN_QUANTIZED_(m1, lo1, hi1, steps1, bits1)                                                           \
        PKT_EXPLAIN_QUANTIZED_(m2, lo2, hi2, steps2, bits2)                                                           \
        (void)scales_;                                                                                                \
    } while (0)
#define PKT_QUANTIZED4(m0, lo0, hi0, steps0, bits0, m1, lo1, hi1, steps1, bits1, m2, lo2, hi2, steps2, bits2, m3, lo3, \
                       hi3, steps3, bits3, at)                                                                         \
    do {                                                                                                               \
        const pkt_scale scales_[4] = {{(lo0), (hi0), (steps0), (bits0)},                                               \
                                      {(lo1), (hi1), (steps1), (bits1)},                                               \
                                      {(lo2), (hi2), (steps2), (bits2)},                                               \
                                      {(lo3), (hi3), (steps3), (bits3)}};                                              \
        if (mode == PKT_WRITE) {                                                                                       \
            const float *const members_[4] = {&in->m0, &in->m1, &in->m2, &in->m3};                                     \
            uint64_t raw_;                                                                                             \
            if (!pkt_quantize_row(pkt_row_load(members_, 4), scales_, 4, &raw_))                                       \
                return false;                                                                                          \
            pkt_put(c, raw_, (bits0) + (bits1) + (bits2) + (bits3), (at));                                             \
        }                                                                                                              \
        if (mode == PKT_READ) {                                                                                        \
            float *const members_[4] = {&out->m0, &out->m1, &out->m2, &out->m3};                                       \
            const uint64_t word_ = pkt_get_word(c, (bits0) + (bits1) + (bits2) + (bits3), (at));                       \
            pkt_row row_;                                                                                              \
            if (!pkt_dequantize_row(word_, pkt_get_bit(c, (at)), scales_, 4, &row_))                                   \
                return false;                                                                                          \
            pkt_row_store(row_, 4, members_);                                                                          \
        }                                                                                                              \
        PKT_EXPLAIN_QUANTIZED_(m0, lo0, hi0, steps0, bits0)                                                            \
        PKT_EXPLAIN_QUANTIZED_(m1, lo1, hi1, steps1, bits1)                                                            \
        PKT_EXPLAIN_QUANTIZED_(m2, lo2, hi2, steps2, bits2)                                                            \
        PKT_EXPLAIN_QUANTIZED_(m3, lo3, hi3, steps3, bits3)                                                            \
        (void)scales_;                                                                                                 \
    } while (0)

#define PKT_QUANTIZED64_(m, lo, hi, steps, bits, put, get)                         \
    do {                                                                           \
        if (mode == PKT_WRITE) {                                                   \
            const uint64_t raw_ = pkt_quantize64(in->m, (lo), (hi), (steps));      \
            if (raw_ == UINT64_MAX)                                                \
                return false;                                                      \
            put;                                                                   \
        }                                                                          \
        if (mode == PKT_READ) {                                                    \
            const uint64_t raw_ = get;                                             \
            if (pkt_over(raw_, (steps)))                                           \
                return false;                                                      \
            out->m = pkt_dequantize64(raw_, (lo), (hi), (steps));                  \
        }                                                                          \
        if (mode == PKT_EXPLAIN) {                                                 \
            double v_ = out != NULL ? 0.0 : in->m;                                 \
            if (!pkt_explain_quantized64(c, &v_, (lo), (hi), (steps), (bits), #m)) \
                return false;                                                      \
            if (out != NULL)                                                       \
                out->m = v_;                                                       \
        }                                                                          \
    } while (0)
#define PKT_QUANTIZED64(m, lo, hi, steps, bits, at) \
    PKT_QUANTIZED64_(m, lo, hi, steps, bits, pkt_put(c, raw_, (bits), (at)), pkt_get(c, (bits), (at)))
#define PKT_QUANTIZED64_ACROSS(m, lo, hi, steps, bits, at, low, byte, high_at, edge)                                  \
    PKT_QUANTIZED64_(m, lo, hi, steps, bits, pkt_put_across(c, raw_, (bits), (at), (low), (byte), (high_at), (edge)), \
                     pkt_get_across(c, (bits), (at), (low), (byte), (high_at), (edge)))

/* quat<parts>, unit<parts>: so many bits a component. */
#define PKT_ROTATION_(kind, m, parts, put, get)                                                               \
    do {                                                                                                      \
        if (mode == PKT_WRITE) {                                                                              \
            const uint64_t raw_ = pkt_##kind##_code(in->m, (parts));                                          \
            if (raw_ == PKT_NO_CODE)                                                                          \
                return false;                                                                                 \
            put;                                                                                              \
        }                                                                                                     \
        if (mode == PKT_READ) {                                                                               \
            const uint64_t raw_ = get;                                                                        \
            if (!pkt_##kind##_value(raw_, (parts), &out->m))                                                  \
                return false;                                                                                 \
        }                                                                                                     \
        if (mode == PKT_EXPLAIN && !pkt_explain_##kind(c, &in->m, out != NULL ? &out->m : NULL, (parts), #m)) \
            return false;                                                                                     \
    } while (0)
#define PKT_QUAT(m, parts, at) \
    PKT_ROTATION_(quat, m, parts, pkt_put(c, raw_, 2 + 3 * (parts), (at)), pkt_get(c, 2 + 3 * (parts), (at)))
#define PKT_QUAT_ACROSS(m, parts, at, low, byte, high_at, edge)                                                     \
    PKT_ROTATION_(quat, m, parts, pkt_put_across(c, raw_, 2 + 3 * (parts), (at), (low), (byte), (high_at), (edge)), \
                  pkt_get_across(c, 2 + 3 * (parts), (at), (low), (byte), (high_at), (edge)))
#define PKT_UNIT(m, parts, at) \
    PKT_ROTATION_(unit, m, parts, pkt_put(c, raw_, 2 * (parts), (at)), pkt_get(c, 2 * (parts), (at)))

/* Four of an array, from the element m on: their codes, made before they are written one by one, and what they stand for, when
 * all have been read. */
#define PKT_QUATS_WRITTEN(codes, m, parts)                                 \
    do {                                                                   \
        if (mode == PKT_WRITE && !pkt_quats_codes(&in->m, (parts), codes)) \
            return false;                                                  \
    } while (0)
#define PKT_QUATS_READ(codes, m, parts)                                     \
    do {                                                                    \
        if (mode == PKT_READ && !pkt_quats_values(codes, (parts), &out->m)) \
            return false;                                                   \
    } while (0)
#define PKT_QUAT_OF_(code, m, parts, put, get)                                                              \
    do {                                                                                                    \
        if (mode == PKT_WRITE) {                                                                            \
            const uint64_t raw_ = code;                                                                     \
            put;                                                                                            \
        }                                                                                                   \
        if (mode == PKT_READ)                                                                               \
            code = get;                                                                                     \
        if (mode == PKT_EXPLAIN && !pkt_explain_quat(c, &in->m, out != NULL ? &out->m : NULL, (parts), #m)) \
            return false;                                                                                   \
    } while (0)
#define PKT_QUAT_OF(code, m, parts, at)                                   \
    PKT_QUAT_OF_(code, m, parts, pkt_put(c, raw_, 2 + 3 * (parts), (at)), \
                 pkt_get_word(c, 2 + 3 * (parts), (at)) >> pkt_get_bit(c, (at)))
#define PKT_QUAT_OF_ACROSS(code, m, parts, at, low, byte, high_at, edge)                                           \
    PKT_QUAT_OF_(code, m, parts, pkt_put_across(c, raw_, 2 + 3 * (parts), (at), (low), (byte), (high_at), (edge)), \
                 pkt_get_across(c, 2 + 3 * (parts), (at), (low), (byte), (high_at), (edge)))

/* Over every greatest id: there is a pointer and nobody to ask for its id. */
#define PKT_NO_ID UINT64_MAX

PKT_INLINE uint64_t pkt_ref_id(const pkt_cursor *c, const uint32_t type, const void *target)
{
    if (target == NULL)
        return 0;
    if (c->refs == NULL || c->refs->id_of == NULL)
        return PKT_NO_ID;
    return c->refs->id_of(c->refs->user, type, target);
}

PKT_INLINE void *pkt_ref_target(const pkt_cursor *c, const uint32_t type, const uint32_t id)
{
    void *target = NULL;
    if (id == 0 || c->refs == NULL)
        return NULL;
    if (c->refs->target_of != NULL)
        target = c->refs->target_of(c->refs->user, type, id);
    if (target == NULL)
        c->refs->unknown++;
    return target;
}

/* A pointer to T, of which the schema says `type`, as an id up to max. A read that is gone over again has failed, and
 * asks no more: its refs are null. */
#define PKT_REF(T, m, type, max, bits, at)                                 \
    do {                                                                   \
        if (mode == PKT_WRITE) {                                           \
            const uint64_t id_ = pkt_ref_id(c, (type), in->m);             \
            if (pkt_over(id_, (max)))                                      \
                return false;                                              \
            pkt_put(c, id_, (bits), (at));                                 \
        }                                                                  \
        if (mode == PKT_READ) {                                            \
            const uint32_t id_ = (uint32_t)pkt_get(c, (bits), (at));       \
            if (pkt_over32(id_, (max)))                                    \
                return false;                                              \
            c->ref = id_;                                                  \
            out->m = (T *)pkt_ref_target(c, (type), id_);                  \
        }                                                                  \
        if (mode == PKT_EXPLAIN) {                                         \
            uint64_t id_ = out != NULL ? 0 : pkt_ref_id(c, (type), in->m); \
            if (id_ == PKT_NO_ID)                                          \
                return pkt_explain_fail(c, PKT_ERROR_VALUE, c->bit, #m);   \
            if (!pkt_explain_leaf(c, &id_, (max), (bits), #m))             \
                return false;                                              \
            c->ref = id_;                                                  \
            if (out != NULL)                                               \
                out->m = NULL;                                             \
        }                                                                  \
    } while (0)

/* Whether a ref differs from a baseline's: by its id where it was just read, for an unknown id has no pointer to compare. */
#define PKT_REF_DIFFERS(m, old, type) (PKT_READING ? c->ref != pkt_ref_id(c, (type), (old)) : in->m != (old))

/* const, reserved, check: name tells which. */
#define PKT_CONSTANT_(name, value, bits, put, get)                                  \
    do {                                                                            \
        if (mode == PKT_WRITE) {                                                    \
            const uint64_t raw_ = (value);                                          \
            put;                                                                    \
        }                                                                           \
        if (mode == PKT_READ && get != (value))                                     \
            return false;                                                           \
        if (mode == PKT_EXPLAIN && !pkt_explain_constant(c, (value), (bits), name)) \
            return false;                                                           \
    } while (0)
#define PKT_CONSTANT(name, value, bits, at) \
    PKT_CONSTANT_(name, value, bits, pkt_put(c, raw_, (bits), (at)), pkt_get(c, (bits), (at)))
#define PKT_CONSTANT_ACROSS(name, value, bits, at, low, byte, high_at, edge)                                  \
    PKT_CONSTANT_(name, value, bits, pkt_put_across(c, raw_, (bits), (at), (low), (byte), (high_at), (edge)), \
                  pkt_get_across(c, (bits), (at), (low), (byte), (high_at), (edge)))

/* The count of an array, the size of bytes: as PKT_INT, and no measure goes by one that is out of range. */
#define PKT_COUNT(T, m, lo, hi, bits, at)                                                                         \
    do {                                                                                                          \
        if (mode == PKT_MEASURE && pkt_over32((uint32_t)in->m - (uint32_t)(lo), (uint32_t)(hi) - (uint32_t)(lo))) \
            return false;                                                                                         \
        PKT_INT(T, m, lo, hi, bits, at);                                                                          \
    } while (0)
#define PKT_COUNT_ONLY(T, m, value)                  \
    do {                                             \
        if (mode == PKT_MEASURE && in->m != (value)) \
            return false;                            \
        PKT_ONLY(T, m, value);                       \
    } while (0)

/* The tag of a union, into a local: the member is made ready before the union is told. */
#define PKT_TAG(T, chosen, m, span, bits, at)                    \
    do {                                                         \
        if (mode == PKT_WRITE || mode == PKT_MEASURE) {          \
            chosen = in->m;                                      \
            if (pkt_over32(chosen, (span)))                      \
                return false;                                    \
        }                                                        \
        if (mode == PKT_WRITE)                                   \
            pkt_put(c, chosen, (bits), (at));                    \
        if (mode == PKT_READ) {                                  \
            chosen = (T)pkt_get(c, (bits), (at));                \
            if (pkt_over32(chosen, (span)))                      \
                return false;                                    \
        }                                                        \
        if (mode == PKT_EXPLAIN) {                               \
            uint64_t raw_ = out != NULL ? 0 : in->m;             \
            if (!pkt_explain_leaf(c, &raw_, (span), (bits), #m)) \
                return false;                                    \
            chosen = (T)raw_;                                    \
        }                                                        \
    } while (0)
#define PKT_TAG_ONLY(T, chosen, m)                                    \
    do {                                                              \
        if ((mode == PKT_WRITE || mode == PKT_MEASURE) && in->m != 0) \
            return false;                                             \
        if (mode == PKT_EXPLAIN && out == NULL && in->m != 0)         \
            return pkt_explain_fail(c, PKT_ERROR_RANGE, c->bit, #m);  \
        chosen = 0;                                                   \
    } while (0)

/* A member that was not the union's before starts from its base values. */
#define PKT_CHOOSE(T, m, this_tag)                  \
    do {                                            \
        if (PKT_READING && in->tag != (this_tag)) { \
            memset(&out->m, 0, sizeof out->m);      \
            T##_base(&out->m);                      \
            out->tag = (this_tag);                  \
        }                                           \
    } while (0)

/* The bit of `unless`: `sent`, a local bool, tells whether the field differs from its usual value and follows. */
#define PKT_DIFFERS(sent, name, at)                      \
    do {                                                 \
        if (mode == PKT_WRITE)                           \
            pkt_put(c, (uint64_t)sent, 1, (at));         \
        if (mode == PKT_READ)                            \
            sent = pkt_get(c, 1, (at)) != 0;             \
        if (mode == PKT_EXPLAIN) {                       \
            uint64_t raw_ = sent;                        \
            c->item = c->bit;                            \
            if (!pkt_explain_leaf(c, &raw_, 1, 1, name)) \
                return false;                            \
            sent = raw_ != 0;                            \
        }                                                \
    } while (0)

/* A field that was sent though it has its usual value: a writer would not have. */
#define PKT_REFUSE_USUAL(differs, name)                                     \
    do {                                                                    \
        if (mode == PKT_READ && !(differs))                                 \
            return false;                                                   \
        if (mode == PKT_EXPLAIN && out != NULL && !(differs))               \
            return pkt_explain_fail(c, PKT_ERROR_CANONICAL, c->item, name); \
    } while (0)

/* ---- items of varying width --------------------------------------------------------------------------------- */

/* Each verifies its own bits and `rest`, what is certain behind it. At least one bit is known to be there; `edge` says
 * that 8 bytes may be too many. */

/* The bits from here on, 57 or more of them; what is behind the end reads as zero. */
PKT_INLINE uint64_t pkt_peek(const pkt_cursor *c, const bool edge)
{
    const size_t at = (size_t)(c->bit / 8);
    return (edge ? pkt_load_edge(c->from, at, (size_t)(c->limit / 8)) : pkt_load64(c->from + at)) >> c->bit % 8;
}

/* So many bits, 56 at most, as a run of their own. */
PKT_INLINE void pkt_poke(pkt_cursor *c, uint64_t raw, const unsigned bits, const bool edge)
{
    pkt_run(PKT_WRITE, c, edge, 0);
    pkt_put(c, raw, bits, 0);
    pkt_end(PKT_WRITE, c, bits);
}

/* compact: `zeros` ones, one for each byte from the top that is zero; unless none is left, a zero, and what is left. Of a
 * single byte that is below 16 only the lower half is left, and counts as no byte. */
typedef struct pkt_compact_form {
    unsigned zeros, head, bits; /* head: ones and zero together */
} pkt_compact_form;

PKT_INLINE pkt_compact_form pkt_compact_form_of(const unsigned zeros, const unsigned bytes)
{
    pkt_compact_form form;
    form.zeros = zeros;
    form.head = zeros < bytes ? zeros + 1 : bytes;
    form.bits = zeros < bytes ? 8 * (bytes - zeros) : 4;
    return form;
}

/* The one that a value has to have. */
PKT_INLINE pkt_compact_form pkt_compact_form_for(uint64_t v, const unsigned bytes)
{
    return pkt_compact_form_of(v < 16 ? bytes : bytes - 1 - pkt_high_bit(v) / 8, bytes);
}

PKT_INLINE bool pkt_compact_put(const pkt_mode mode, pkt_cursor *c, uint64_t v, const unsigned bytes,
                                const uint64_t rest, const bool edge)
{
    const pkt_compact_form form = pkt_compact_form_for(v, bytes);
    const uint64_t head = ((uint64_t)1 << form.zeros) - 1;
    if (!pkt_need(mode, c, form.head + form.bits + rest))
        return false;
    if (mode == PKT_MEASURE) {
        c->bit += form.head + form.bits;
    } else if (bytes < 8 || form.bits <= 48) {
        pkt_poke(c, head | v << form.head, form.head + form.bits, edge);
    } else {
        pkt_poke(c, head | (v & UINT32_MAX) << form.head, form.head + 32, edge);
        pkt_poke(c, v >> 32, form.bits - 32, true);
    }
    return true;
}

PKT_INLINE bool pkt_compact_get(pkt_cursor *c, uint64_t *v, const unsigned bytes, const uint64_t rest, const bool edge)
{
    const uint64_t word = pkt_peek(c, edge);
    const pkt_compact_form form = pkt_compact_form_of(pkt_zeros(~word, bytes), bytes);
    if (!pkt_need(PKT_READ, c, form.head + form.bits + rest))
        return false;
    if (bytes < 8 || form.bits <= 48) {
        *v = word >> form.head & pkt_mask(form.bits);
        c->bit += form.head + form.bits;
    } else {
        c->bit += form.head + 32;
        *v = (word >> form.head & UINT32_MAX) | (pkt_peek(c, true) & pkt_mask(form.bits - 32)) << 32;
        c->bit += form.bits - 32;
    }
    return pkt_compact_form_for(*v, bytes).zeros == form.zeros;
}

/* compact uN of so many bytes. */
#define PKT_COMPACT(T, m, bytes, rest, edge)                                                                         \
    do {                                                                                                             \
        if ((mode == PKT_WRITE || mode == PKT_MEASURE) && !pkt_compact_put(mode, c, in->m, (bytes), (rest), (edge))) \
            return false;                                                                                            \
        if (mode == PKT_READ) {                                                                                      \
            uint64_t raw_ = 0;                                                                                       \
            if (!pkt_compact_get(c, &raw_, (bytes), (rest), (edge)))                                                 \
                return false;                                                                                        \
            out->m = (T)raw_;                                                                                        \
        }                                                                                                            \
        if (mode == PKT_EXPLAIN) {                                                                                   \
            uint64_t raw_ = in->m;                                                                                   \
            if (!pkt_explain_compact(c, &raw_, (bytes), #m))                                                         \
                return false;                                                                                        \
            if (out != NULL)                                                                                         \
                out->m = (T)raw_;                                                                                    \
        }                                                                                                            \
    } while (0)

/* after: as many zeros as the tier says and a one, but in the last tier; then the difference less the tier's lowest, in
 * the last tier the value itself. */
typedef struct pkt_after_tier {
    uint8_t head, bits;
    uint32_t low, span;
} pkt_after_tier;

enum { PKT_AFTER_LAST = 6 };

PKT_INLINE pkt_after_tier pkt_after_tier_of(const unsigned number)
{
    static const pkt_after_tier tiers[PKT_AFTER_LAST + 1] = {
        {1, 0, 1, 0},       {2, 3, 2, 4},         {3, 5, 7, 16},         {4, 9, 24, 256},
        {5, 13, 281, 4096}, {6, 17, 4378, 65536}, {6, 32, 0, UINT32_MAX}};
    return tiers[number];
}

PKT_INLINE unsigned pkt_after_tier_for(const uint64_t difference)
{
    return (unsigned)(difference > 1) + (difference > 6) + (difference > 23) + (difference > 280) +
           (difference > 4377) + (difference > 69914);
}

PKT_INLINE bool pkt_after_put(const pkt_mode mode, pkt_cursor *c, uint32_t v, const uint32_t start, const uint64_t rest,
                              const bool edge)
{
    const unsigned number = pkt_after_tier_for((uint64_t)v - start);
    const pkt_after_tier tier = pkt_after_tier_of(number);
    const uint64_t raw = number == PKT_AFTER_LAST ? v : v - start - tier.low;
    const unsigned bits = (unsigned)tier.head + tier.bits;
    if ((mode == PKT_WRITE && v <= start) || !pkt_need(mode, c, bits + rest))
        return false;
    if (mode == PKT_MEASURE)
        c->bit += bits;
    else
        pkt_poke(c, ((uint64_t)1 << number & pkt_mask(PKT_AFTER_LAST)) | raw << tier.head, bits, edge);
    return true;
}

/* What the wire says of a value, still to be judged: over the tier's span, not after start, or of a lower tier. */
PKT_INLINE uint64_t pkt_after_value(uint64_t raw, const uint32_t start, const unsigned number)
{
    return number == PKT_AFTER_LAST ? raw : start + raw + pkt_after_tier_of(number).low;
}

PKT_INLINE bool pkt_after_get(pkt_cursor *c, uint32_t *v, const uint32_t start, const uint64_t rest, const bool edge)
{
    const uint64_t word = pkt_peek(c, edge);
    const unsigned number = pkt_zeros(word, PKT_AFTER_LAST);
    const pkt_after_tier tier = pkt_after_tier_of(number);
    const unsigned bits = (unsigned)tier.head + tier.bits;
    const uint64_t raw = word >> tier.head & (((uint64_t)1 << tier.bits) - 1);
    const uint64_t value = pkt_after_value(raw, start, number);
    if (!pkt_need(PKT_READ, c, bits + rest))
        return false;
    if (raw > tier.span || value > UINT32_MAX || value <= start || pkt_after_tier_for(value - start) != number)
        return false;
    *v = (uint32_t)value;
    c->bit += bits;
    return true;
}

/* A u32 greater than the member `start`. */
#define PKT_AFTER(m, start, rest, edge)                                                                              \
    do {                                                                                                             \
        if ((mode == PKT_WRITE || mode == PKT_MEASURE) && !pkt_after_put(mode, c, in->m, in->start, (rest), (edge))) \
            return false;                                                                                            \
        if (mode == PKT_READ && !pkt_after_get(c, &out->m, in->start, (rest), (edge)))                               \
            return false;                                                                                            \
        if (mode == PKT_EXPLAIN) {                                                                                   \
            uint32_t raw_ = in->m;                                                                                   \
            if (!pkt_explain_after(c, &raw_, in->start, #m))                                                         \
                return false;                                                                                        \
            if (out != NULL)                                                                                         \
                out->m = raw_;                                                                                       \
        }                                                                                                            \
    } while (0)

/* ---- bytes ------------------------------------------------------------------------------------------------ */

PKT_INLINE uint64_t pkt_padding(const pkt_cursor *c)
{
    return (0 - c->bit) % 8;
}

/* To the next byte: rest is what is certain behind it. */
PKT_INLINE bool pkt_align(const pkt_mode mode, pkt_cursor *c, const uint64_t rest)
{
    uint64_t padding = pkt_padding(c);
    /*@ split padding; */
    if (!pkt_need(mode, c, padding + rest))
        return false;
    if (mode == PKT_READ && padding != 0 && c->from[c->bit / 8] >> (8 - padding) != 0)
        return false;
    c->bit += padding;
    c->carry = 0;
    return true;
}

#define PKT_ALIGN(rest)                                         \
    do {                                                        \
        if (mode != PKT_EXPLAIN && !pkt_align(mode, c, (rest))) \
            return false;                                       \
        if (mode == PKT_EXPLAIN && !pkt_explain_align(c, ""))   \
            return false;                                       \
    } while (0)

/* size bytes at a whole byte, verified to be there. */
PKT_INLINE void pkt_copy(const pkt_mode mode, pkt_cursor *c, const uint8_t *in, uint8_t *out, const uint64_t size)
{
    if (mode == PKT_WRITE)
        memcpy(c->to + c->bit / 8, in, (size_t)size);
    if (mode == PKT_READ)
        memcpy(out, c->from + c->bit / 8, (size_t)size);
    c->bit += 8 * size;
}

#define PKT_COPY(m, size)                                                          \
    do {                                                                           \
        if (mode == PKT_EXPLAIN) {                                                 \
            if (!pkt_explain_elements(c, out != NULL ? out->m : NULL, (size), #m)) \
                return false;                                                      \
        } else {                                                                   \
            pkt_copy(mode, c, in->m, mode == PKT_READ ? out->m : NULL, (size));    \
        }                                                                          \
    } while (0)

/* Padding, then size bytes. */
PKT_INLINE bool pkt_bytes(const pkt_mode mode, pkt_cursor *c, const uint8_t *in, uint8_t *out, const uint64_t size,
                          const uint64_t rest)
{
    /*@ split size; */
    if (!pkt_align(mode, c, 8 * size + rest))
        return false;
    if (size != 0)
        pkt_copy(mode, c, in, out, size);
    return true;
}

#define PKT_BYTES(m, size, rest)                                                                   \
    do {                                                                                           \
        if (mode == PKT_EXPLAIN) {                                                                 \
            if (!pkt_explain_align(c, #m))                                                         \
                return false;                                                                      \
            if (!pkt_explain_bytes(c, out != NULL ? out->m : NULL, (size), #m))                    \
                return false;                                                                      \
        } else if (!pkt_bytes(mode, c, in->m, mode == PKT_READ ? out->m : NULL, (size), (rest))) { \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

/* Bytes before the terminator, or max + 1 where there is none among max + 1 bytes; touches no more than these. */
uint32_t pkt_text_size(const char *text, uint32_t max);

/* The length of a text, a local uint32_t. */
#define PKT_LENGTH(size, m, max, bits, at)                                 \
    do {                                                                   \
        if (mode == PKT_WRITE || mode == PKT_MEASURE) {                    \
            size = pkt_text_size(in->m, (max));                            \
            if (size > (max))                                              \
                return false;                                              \
        }                                                                  \
        if (mode == PKT_WRITE)                                             \
            pkt_put(c, size, (bits), (at));                                \
        if (mode == PKT_READ) {                                            \
            size = (uint32_t)pkt_get(c, (bits), (at));                     \
            if (pkt_over32(size, (max)))                                   \
                return false;                                              \
        }                                                                  \
        if (mode == PKT_EXPLAIN) {                                         \
            uint64_t raw_ = out != NULL ? 0 : pkt_text_size(in->m, (max)); \
            if (out == NULL && raw_ > (max))                               \
                return pkt_explain_fail(c, PKT_ERROR_VALUE, c->bit, #m);   \
            if (!pkt_explain_leaf(c, &raw_, (max), (bits), #m))            \
                return false;                                              \
            size = (uint32_t)raw_;                                         \
        }                                                                  \
    } while (0)

PKT_INLINE bool pkt_text(const pkt_mode mode, pkt_cursor *c, const char *in, char *out, const uint32_t size,
                         const uint64_t rest)
{
    /*@ split size; */
    if (!pkt_align(mode, c, 8 * (uint64_t)size + rest))
        return false;
    if (mode == PKT_WRITE && !pkt_text_copy((char *)c->to + c->bit / 8, (const uint8_t *)in, size))
        return false;
    if (mode == PKT_READ) {
        if (!pkt_text_copy(out, c->from + c->bit / 8, size)) {
            out[0] = 0;
            return false;
        }
        out[size] = 0;
    }
    c->bit += 8 * (uint64_t)size;
    return true;
}

#define PKT_TEXT(m, size, rest)                                                                 \
    do {                                                                                        \
        if (mode == PKT_EXPLAIN) {                                                              \
            if (!pkt_explain_text(c, in->m, out != NULL ? out->m : NULL, size, #m))             \
                return false;                                                                   \
        } else if (!pkt_text(mode, c, in->m, mode == PKT_READ ? out->m : NULL, size, (rest))) { \
            return false;                                                                       \
        }                                                                                       \
    } while (0)

/* ---- types within types ----------------------------------------------------------------------------------- */

/* Member by member, so that it needs no memory where it is inlined: a memset keeps compilers from seeing that. */
PKT_INLINE pkt_cursor pkt_cursor_at(uint8_t *to, const uint8_t *from, uint64_t bit, uint64_t limit, uint64_t carry,
                                    pkt_refs *refs)
{
    pkt_cursor c;
    c.to = to;
    c.from = from;
    c.bit = bit;
    c.limit = limit;
    c.carry = carry;
    c.byte = 0;
    c.shift = 0;
    c.at = 0;
    c.edge = false;
    c.word = 0;
    c.fresh = false;
    c.known = false;
    c.verified = 0;
    c.filled = 0;
    c.changed = false;
    c.reading = false;
    c.item = 0;
    c.ref = 0;
    c.refs = refs;
    c.error = NULL;
    return c;
}

/* What a called function works on: the stream without the run. */
PKT_INLINE pkt_cursor pkt_cursor_of(const pkt_cursor *c)
{
    return pkt_cursor_at(c->to, c->from, c->bit, c->limit, c->carry, c->refs);
}

#define PKT_EXPLAIN_STRUCT_(T, m)                                                     \
    if (mode == PKT_EXPLAIN && !T##_explain(c, &in->m, out != NULL ? &out->m : NULL)) \
    return pkt_explain_outer(c, #m)

/* A type in its place: inlined, or by its own functions. */
#define PKT_INLINED(T, m)                                                                              \
    do {                                                                                               \
        PKT_EXPLAIN_STRUCT_(T, m);                                                                     \
        c->fresh = false;                                                                              \
        if (mode != PKT_EXPLAIN && !T##_serialize(mode, c, &in->m, mode == PKT_READ ? &out->m : NULL)) \
            return false;                                                                              \
    } while (0)

/* The cursor that is called with is a copy: the address of `c` itself must not leave the function. */
#define PKT_CALLED(T, m)                                                \
    do {                                                                \
        PKT_EXPLAIN_STRUCT_(T, m);                                      \
        if (mode != PKT_EXPLAIN) {                                      \
            pkt_cursor copy_ = pkt_cursor_of(c);                        \
            if (mode == PKT_WRITE && !T##_write_at(&copy_, &in->m))     \
                return false;                                           \
            if (mode == PKT_READ && !T##_read_at(&copy_, &out->m))      \
                return false;                                           \
            if (mode == PKT_MEASURE && !T##_measure_at(&copy_, &in->m)) \
                return false;                                           \
            c->bit = copy_.bit;                                         \
            c->carry = copy_.carry;                                     \
        }                                                               \
    } while (0)

/* A member of a type of the program has the size that the functions rely on, or this does not compile. */
#define PKT_FITS(T, m, size) typedef char T##_##m##_fits[sizeof(((T *)0)->m) == (size) ? 1 : -1]

/* ---- equality: what has the same bits on the wire, and can be written -------------------------------------- */

#define PKT_SAME_IF_(condition) \
    do {                        \
        if (!(condition))       \
            return false;       \
    } while (0)
#define PKT_SAME(m) PKT_SAME_IF_(a->m == b->m)
#define PKT_SAME_BITS(m, bits) PKT_SAME_IF_(a->m == b->m && !pkt_over((uint64_t)a->m, pkt_mask(bits)))
#define PKT_SAME_INT(m, lo, hi) \
    PKT_SAME_IF_(a->m == b->m && !pkt_over((uint64_t)a->m - (uint64_t)(lo), (uint64_t)(hi) - (uint64_t)(lo)))
#define PKT_SAME_ENUM(m, valid) PKT_SAME_IF_(a->m == b->m && valid(a->m))
#define PKT_SAME_FLOAT(m) PKT_SAME_IF_(pkt_float_bits(a->m) == pkt_float_bits(b->m))
#define PKT_SAME_DOUBLE(m) PKT_SAME_IF_(pkt_double_bits(a->m) == pkt_double_bits(b->m))
#define PKT_SAME_QUANTIZED(m, lo, hi, steps) \
    PKT_SAME_IF_(!pkt_codes_differ(a->m, b->m, (lo), (hi), (steps)) && pkt_is_finite(a->m))
#define PKT_SAME_QUANTIZED64(m, lo, hi, steps) \
    PKT_SAME_IF_(!pkt_codes_differ64(a->m, b->m, (lo), (hi), (steps)) && pkt_is_finite64(a->m))
#define PKT_SAME_QUAT(m, parts) PKT_SAME_IF_(pkt_same_quat(&a->m, &b->m, (parts)))
#define PKT_SAME_UNIT(m, parts) PKT_SAME_IF_(pkt_same_unit(&a->m, &b->m, (parts)))
#define PKT_SAME_AFTER(m, start) PKT_SAME_IF_(a->m == b->m && a->m > a->start)
#define PKT_SAME_TEXT(m, max) PKT_SAME_IF_(pkt_same_text(a->m, b->m, (max)))
#define PKT_SAME_BYTES(m, size, max) \
    PKT_SAME_IF_(a->size == b->size && a->size <= (max) && (a->size == 0 || memcmp(a->m, b->m, a->size) == 0))

/* b: NULL for one that is not there, and so empty; there may be no text of fewer than max + 1 chars, which are read together. */
PKT_INLINE bool pkt_same_text(const char *a, const char *b, const uint32_t max)
{
    uint32_t size = pkt_text_size(a, max);
    if (b == NULL)
        return size == 0;
    return size <= max && size == pkt_text_size(b, max) && memcmp(a, b, size) == 0 &&
           pkt_text_valid((const uint8_t *)a, size);
}

/* What a reader makes of a quantized number; one that is not finite stays, for a writer to refuse. */
PKT_INLINE float pkt_settle(float v, const float lo, const float hi, const uint32_t steps)
{
    uint32_t code = pkt_quantize(v, lo, hi, steps);
    return code == UINT32_MAX ? v : pkt_dequantize(code, lo, hi, steps);
}

PKT_INLINE double pkt_settle64(double v, const double lo, const double hi, const uint64_t steps)
{
    uint64_t code = pkt_quantize64(v, lo, hi, steps);
    return code == UINT64_MAX ? v : pkt_dequantize64(code, lo, hi, steps);
}

/* ---- streams and packets ---------------------------------------------------------------------------------- */

PKT_INLINE pkt_cursor pkt_writer_cursor(const pkt_writer *w)
{
    return pkt_cursor_at(w->data, NULL, w->bit, w->limit, w->carry, w->refs);
}

PKT_INLINE void pkt_writer_advance(pkt_writer *w, const pkt_cursor *c)
{
    w->bit = c->bit;
    w->carry = c->carry;
}

PKT_INLINE pkt_cursor pkt_reader_cursor(const pkt_reader *r)
{
    return pkt_cursor_at(NULL, r->data, r->bit, r->limit, 0, r->refs);
}

PKT_INLINE void pkt_reader_advance(pkt_reader *r, const pkt_cursor *c)
{
    r->bit = c->bit;
}

PKT_INLINE pkt_cursor pkt_measure_cursor(uint64_t start_bit)
{
    return pkt_cursor_at(NULL, NULL, start_bit, 0, 0, NULL);
}

/* A packet in a buffer, its body from `bit` on: 32 where a CRC is in front, which is left out here, else 0. Of a size that no
 * buffer has, the limit is less than the size, never more. */
PKT_INLINE pkt_cursor pkt_pack_cursor(void *data, size_t size, const uint64_t bit, pkt_refs *refs)
{
    pkt_cursor c = pkt_cursor_at((uint8_t *)data, NULL, bit, pkt_size_bits(data, size), 0, refs);
    c.fresh = true;
    return c;
}

PKT_INLINE pkt_cursor pkt_unpack_cursor(const void *data, size_t size, const uint64_t bit, pkt_refs *refs)
{
    pkt_cursor c = pkt_cursor_at(NULL, (const uint8_t *)data, bit, pkt_size_bits(data, size), 0, refs);
    c.fresh = true;
    return c;
}

/* No error. */
PKT_INLINE size_t pkt_packed(size_t size, pkt_error *error)
{
    if (error != NULL)
        memset(error, 0, sizeof *error);
    return size;
}

PKT_INLINE bool pkt_unpacked(pkt_error *error)
{
    if (error != NULL)
        memset(error, 0, sizeof *error);
    return true;
}

/* The end check: 32 bits straight after the body. */
PKT_INLINE bool pkt_end_check(const pkt_mode mode, pkt_cursor *c, const uint32_t value)
{
    if (mode == PKT_EXPLAIN)
        return pkt_explain_constant(c, value, 32, "end check");
    if (!pkt_need(mode, c, 32))
        return false;
    pkt_run(mode, c, true, 0);
    if (mode == PKT_WRITE)
        pkt_put(c, value, 32, 0);
    if (mode == PKT_READ && pkt_get(c, 32, 0) != value)
        return false;
    pkt_end(mode, c, 32);
    return true;
}

/* --no-checks. */
PKT_INLINE bool pkt_no_end_check(const pkt_mode mode, pkt_cursor *c, const uint32_t value)
{
    (void)mode;
    (void)c;
    (void)value;
    return true;
}

/* Ends a packet that is written up to the cursor, its body from bit `first` on: where that is 32, the CRC is put in front, for
 * which there may have been no room. crc_start: the CRC of protocol id and packet name. */
bool pkt_pack_crc(uint8_t *data, uint64_t bits, uint64_t limit, uint32_t crc_start);
PKT_INLINE bool pkt_pack_finish(const pkt_cursor *c, const uint64_t first, const uint32_t crc_start, size_t *size)
{
    *size = (size_t)((c->bit + 7) / 8);
    return first == 0 || pkt_pack_crc(c->to, c->bit, c->limit, crc_start);
}

/* Whether the CRC is right where there is one, before anything is read; whether the packet ends where its bytes end, after. */
bool pkt_unpack_crc(const uint8_t *data, uint64_t limit, uint32_t crc_start);
PKT_INLINE bool pkt_unpack_begin(const pkt_cursor *c, const uint64_t first, const uint32_t crc_start)
{
    return first == 0 || pkt_unpack_crc(c->from, c->limit, crc_start);
}

PKT_INLINE bool pkt_unpack_finish(const pkt_cursor *c)
{
    /* A proof does not know that a bit that is no byte's first is before the end. */
#ifdef PKT_BYTEWISE
    if (c->bit >= c->limit)
        return c->bit == c->limit;
#endif
    return c->limit - c->bit < 8 && (c->bit % 8 == 0 || c->from[c->bit / 8] >> c->bit % 8 == 0);
}

/* The same judgements with their reasons: c->error is set where they are false, and is no error to begin with: writing a body
 * without a bit looks like a failure, and is none. */
PKT_COLD pkt_cursor pkt_pack_explain(const pkt_cursor *start, pkt_error *error);
PKT_COLD bool pkt_pack_explain_begin(pkt_cursor *c, uint64_t first);
PKT_COLD pkt_cursor pkt_unpack_explain(const pkt_cursor *start, pkt_error *error);
PKT_COLD bool pkt_unpack_explain_begin(pkt_cursor *c, uint64_t first, uint32_t crc_start);
PKT_COLD bool pkt_unpack_explain_finish(pkt_cursor *c);
/* Ends these: the reason found is in a field of `type`. */
PKT_COLD void pkt_explained(const pkt_cursor *c, const char *type);

/* Ends an explanation: the stream has failed for the reason found, in a field of `type`. Always false. */
PKT_COLD bool pkt_writer_explained(pkt_writer *w, const pkt_cursor *c, const char *type);
PKT_COLD bool pkt_reader_explained(pkt_reader *r, const pkt_cursor *c, const char *type);
/* Where the streams stand, for an explanation that puts its findings into the stream's error. */
PKT_COLD pkt_cursor pkt_writer_explain(pkt_writer *w);
PKT_COLD pkt_cursor pkt_reader_explain(pkt_reader *r);

/* ---- the functions of a type: what programs call --------------------------------------------------------- */

/* A type without a bit does not notice by its checks that the stream has failed before. */
PKT_INLINE bool pkt_ready(const uint64_t least, const pkt_code code)
{
    return least != 0 || code == PKT_OK;
}

/* T_write, T_read, T_measure: thin instances of T_serialize with a constant mode. When one says no, a cold function goes
 * over the value or the bytes again for the first thing wrong; a writer that grows is enlarged first. name: in errors. */
#define PKT_DEFINE_STREAMS(T, name)                                                                 \
    bool T##_explain(pkt_cursor *c, const T *in, T *out)                                            \
    {                                                                                               \
        return T##_serialize(PKT_EXPLAIN, c, in, out);                                              \
    }                                                                                               \
                                                                                                    \
    uint64_t T##_measure(const T *v, uint64_t start_bit)                                            \
    {                                                                                               \
        pkt_cursor cursor = pkt_measure_cursor(start_bit);                                          \
        return T##_serialize(PKT_MEASURE, &cursor, v, NULL) ? cursor.bit - start_bit : 0;           \
    }                                                                                               \
                                                                                                    \
    static PKT_COLD PKT_NOINLINE bool T##_write_failed(pkt_writer *w, const T *v)                   \
    {                                                                                               \
        pkt_cursor cursor;                                                                          \
        uint64_t bits;                                                                              \
        if (w->error.code != PKT_OK)                                                                \
            return false;                                                                           \
        bits = T##_measure(v, w->bit);                                                              \
        if (bits > pkt_writer_bits_left(w) && pkt_writer_grow(w, bits))                             \
            return T##_write(w, v);                                                                 \
        cursor = pkt_writer_explain(w);                                                             \
        T##_explain(&cursor, v, NULL);                                                              \
        return pkt_writer_explained(w, &cursor, name);                                              \
    }                                                                                               \
                                                                                                    \
    bool T##_write(pkt_writer *w, const T *v)                                                       \
    {                                                                                               \
        pkt_cursor cursor = pkt_writer_cursor(w);                                                   \
        if (!pkt_ready(T##_MIN_BITS, w->error.code) || !T##_serialize(PKT_WRITE, &cursor, v, NULL)) \
            return T##_write_failed(w, v);                                                          \
        pkt_writer_advance(w, &cursor);                                                             \
        return true;                                                                                \
    }                                                                                               \
                                                                                                    \
    static PKT_COLD PKT_NOINLINE bool T##_read_failed(pkt_reader *r, T *v)                          \
    {                                                                                               \
        pkt_cursor cursor;                                                                          \
        if (v == NULL || r->error.code != PKT_OK)                                                   \
            return false;                                                                           \
        cursor = pkt_reader_explain(r);                                                             \
        T##_explain(&cursor, v, v);                                                                 \
        return pkt_reader_explained(r, &cursor, name);                                              \
    }                                                                                               \
                                                                                                    \
    bool T##_read(pkt_reader *r, T *v)                                                              \
    {                                                                                               \
        pkt_cursor cursor = pkt_reader_cursor(r);                                                   \
        if (!pkt_ready(T##_MIN_BITS, r->error.code) || !T##_serialize(PKT_READ, &cursor, v, v))     \
            return T##_read_failed(r, v);                                                           \
        pkt_reader_advance(r, &cursor);                                                             \
        return true;                                                                                \
    }

/* T_write_at, T_read_at, T_measure_at: what other types call where T is too large to be inlined. The cursor is copied,
 * for its address has left the caller. */
#define PKT_DEFINE_INSTANCES(T)                            \
    bool T##_write_at(pkt_cursor *c, const T *v)           \
    {                                                      \
        pkt_cursor cursor = pkt_cursor_of(c);              \
        if (!T##_serialize(PKT_WRITE, &cursor, v, NULL))   \
            return false;                                  \
        c->bit = cursor.bit;                               \
        c->carry = cursor.carry;                           \
        return true;                                       \
    }                                                      \
                                                           \
    bool T##_read_at(pkt_cursor *c, T *v)                  \
    {                                                      \
        pkt_cursor cursor = pkt_cursor_of(c);              \
        if (!T##_serialize(PKT_READ, &cursor, v, v))       \
            return false;                                  \
        c->bit = cursor.bit;                               \
        return true;                                       \
    }                                                      \
                                                           \
    bool T##_measure_at(pkt_cursor *c, const T *v)         \
    {                                                      \
        pkt_cursor cursor = pkt_cursor_of(c);              \
        if (!T##_serialize(PKT_MEASURE, &cursor, v, NULL)) \
            return false;                                  \
        c->bit = cursor.bit;                               \
        return true;                                       \
    }

/* T_pack and T_unpack of a packet: CRC, body, end check. crc: the CRC of the protocol id and the packet's name, from which
 * every packet's CRC starts. end_check: pkt_end_check with its value, or pkt_no_end_check. T_pack_body and T_unpack_body: the
 * body alone. */
#define PKT_DEFINE_PACKET(T, name, crc, end_check, end)                          \
    PKT_DEFINE_PACK_(PKT_INLINE, T, name, pack, unpack, 32, crc, end_check, end) \
    PKT_DEFINE_PACK_(PKT_INLINE, T, name, pack_body, unpack_body, 0, 0, pkt_no_end_check, 0)

/* Of a packet with refs: the forms that take the program's callbacks are there for programs too. */
#define PKT_DEFINE_PACKET_REFS(T, name, crc, end_check, end)                 \
    PKT_DEFINE_PACK_(extern, T, name, pack, unpack, 32, crc, end_check, end) \
    PKT_DEFINE_PACK_(extern, T, name, pack_body, unpack_body, 0, 0, pkt_no_end_check, 0)

#define PKT_DEFINE_PACK_(linkage, T, name, pack, unpack, first, crc, end_check, end)                                  \
    static PKT_COLD PKT_NOINLINE size_t T##_##pack##_failed(const T *v, void *data, size_t size, pkt_refs *refs,      \
                                                            pkt_error *error)                                         \
    {                                                                                                                 \
        pkt_error unasked;                                                                                            \
        pkt_cursor start = pkt_pack_cursor(data, size, (first), refs);                                                \
        pkt_cursor cursor = pkt_pack_explain(&start, error != NULL ? error : &unasked);                               \
        if (pkt_pack_explain_begin(&cursor, (first)) && T##_explain(&cursor, v, NULL))                                \
            (void)end_check(PKT_EXPLAIN, &cursor, (end));                                                             \
        pkt_explained(&cursor, name);                                                                                 \
        return 0;                                                                                                     \
    }                                                                                                                 \
                                                                                                                      \
    PKT_INLINE size_t T##_##pack##_with(const T *v, void *data, size_t size, pkt_refs *refs)                          \
    {                                                                                                                 \
        size_t packed;                                                                                                \
        pkt_cursor cursor = pkt_pack_cursor(data, size, (first), refs);                                               \
        if (!T##_serialize(PKT_WRITE, &cursor, v, NULL) || !end_check(PKT_WRITE, &cursor, (end)))                     \
            return 0;                                                                                                 \
        return pkt_pack_finish(&cursor, (first), (crc), &packed) ? packed : 0;                                        \
    }                                                                                                                 \
                                                                                                                      \
    size_t T##_##pack(const T *v, void *data, size_t size)                                                            \
    {                                                                                                                 \
        return T##_##pack##_with(v, data, size, NULL);                                                                \
    }                                                                                                                 \
                                                                                                                      \
    size_t T##_##pack##_error(const T *v, void *data, size_t size, pkt_error *error)                                  \
    {                                                                                                                 \
        size_t packed = T##_##pack(v, data, size);                                                                    \
        return packed != 0 ? pkt_packed(packed, error) : T##_##pack##_failed(v, data, size, NULL, error);             \
    }                                                                                                                 \
                                                                                                                      \
    linkage size_t T##_##pack##_refs(const T *v, void *data, size_t size, pkt_refs *refs, pkt_error *error)           \
    {                                                                                                                 \
        size_t packed = T##_##pack##_with(v, data, size, refs);                                                       \
        return packed != 0 ? pkt_packed(packed, error) : T##_##pack##_failed(v, data, size, refs, error);             \
    }                                                                                                                 \
                                                                                                                      \
    static PKT_COLD PKT_NOINLINE bool T##_##unpack##_failed(T *v, const void *data, size_t size, pkt_refs *refs,      \
                                                            pkt_error *error)                                         \
    {                                                                                                                 \
        pkt_error unasked;                                                                                            \
        pkt_cursor start = pkt_unpack_cursor(data, size, (first), refs);                                              \
        pkt_cursor cursor = pkt_unpack_explain(&start, error != NULL ? error : &unasked);                             \
        if (v != NULL && pkt_unpack_explain_begin(&cursor, (first), (crc)) && T##_explain(&cursor, v, v) &&           \
            end_check(PKT_EXPLAIN, &cursor, (end)))                                                                   \
            (void)pkt_unpack_explain_finish(&cursor);                                                                 \
        pkt_explained(&cursor, name);                                                                                 \
        return false;                                                                                                 \
    }                                                                                                                 \
                                                                                                                      \
    PKT_INLINE bool T##_##unpack##_with(T *v, const void *data, size_t size, pkt_refs *refs)                          \
    {                                                                                                                 \
        pkt_cursor cursor = pkt_unpack_cursor(data, size, (first), refs);                                             \
        return pkt_unpack_begin(&cursor, (first), (crc)) && T##_serialize(PKT_READ, &cursor, v, v) &&                 \
               end_check(PKT_READ, &cursor, (end)) && pkt_unpack_finish(&cursor);                                     \
    }                                                                                                                 \
                                                                                                                      \
    bool T##_##unpack(T *v, const void *data, size_t size)                                                            \
    {                                                                                                                 \
        return T##_##unpack##_with(v, data, size, NULL) || T##_##unpack##_failed(v, data, size, NULL, NULL);          \
    }                                                                                                                 \
                                                                                                                      \
    bool T##_##unpack##_error(T *v, const void *data, size_t size, pkt_error *error)                                  \
    {                                                                                                                 \
        return T##_##unpack(v, data, size) ? pkt_unpacked(error) : T##_##unpack##_failed(v, data, size, NULL, error); \
    }                                                                                                                 \
                                                                                                                      \
    linkage bool T##_##unpack##_refs(T *v, const void *data, size_t size, pkt_refs *refs, pkt_error *error)           \
    {                                                                                                                 \
        return T##_##unpack##_with(v, data, size, refs) ? pkt_unpacked(error)                                         \
                                                        : T##_##unpack##_failed(v, data, size, refs, error);          \
    }

#ifdef __cplusplus
}
#endif

#endif
