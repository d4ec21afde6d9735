/* pkt_real.h - fields of real numbers in generated code: floats, quantized floats, rotations.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_codec.h. Programs do not use this header.
 *
 * The arguments are those of pkt_leaf.h.
 */
#ifndef PKT_REAL_H
#define PKT_REAL_H

#include "pkt_leaf.h"
#include "pkt_number.h"
#include "pkt_rotation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- kinds, as in pkt_leaf.h. All bits of a half, a float or a double are allowed. A half or a quantized number that
   has not changed keeps its float bit by bit, even if no code has that value. */
#define PKT_AS_HALF()                                                    \
    (float, (uint64_t)pkt_half_bits(x_), pkt_half_float((uint32_t)raw_), \
     pkt_changed_float(pkt_half_float((uint32_t)raw_), x_, kept_), , , , UINT32_MAX, 0, 16, 0)
#define PKT_AS_FLOAT()                                                                                          \
    (float, (uint64_t)pkt_float_bits(x_), pkt_bits_float((uint32_t)raw_), pkt_bits_float((uint32_t)raw_), , , , \
     UINT32_MAX, 0, 32, 0)
#define PKT_AS_DOUBLE() (double, pkt_double_bits(x_), pkt_bits_double(raw_), , , , , UINT64_MAX, 0, 64, 0)
#define PKT_AS_QUANTIZED(lo, hi, steps, bits)                                                         \
    (float, (uint64_t)pkt_quantize(x_, lo, hi, steps), pkt_dequantize((uint32_t)raw_, lo, hi, steps), \
     pkt_changed_float(pkt_dequantize((uint32_t)raw_, lo, hi, steps), x_, kept_),                     \
     pkt_code_of_float(x_, lo, hi, steps), pkt_step_value, pkt_coded_value, PKT_LAST_CODE(steps), 0, bits, 0)
#define PKT_AS_QUANTIZED64(lo, hi, steps, bits)                                          \
    (double, pkt_quantize64(x_, lo, hi, steps), pkt_dequantize64(raw_, lo, hi, steps), , \
     pkt_code_of_double(x_, lo, hi, steps), pkt_step_value, pkt_coded_value, PKT_LAST_CODE64(steps), 0, bits, 0)

/* ---- fields */

/* Three or four quantized floats next to each other in the word, the first one at bit `at`: a row. scales: the range, the
 * steps and the bits of each. ins, outs: where they are in in_ and out_. These are lists in parentheses. */
#define PKT_LIST_(...) __VA_ARGS__
#define PKT_QUANTIZED_ROW(scales, ins, outs, at)                                           \
    do {                                                                                   \
        static const pkt_scale scales_[] = {PKT_LIST_ scales};                             \
        enum { COUNT_ = sizeof scales_ / sizeof *scales_ };                                \
        if (mode_ == PKT_WRITE) {                                                          \
            const float *const members_[] = {PKT_LIST_ ins};                               \
            uint64_t raw_;                                                                 \
            if (!pkt_quantize_row(pkt_row_load(members_, COUNT_), scales_, COUNT_, &raw_)) \
                return false;                                                              \
            pkt_put(c_, raw_, pkt_row_width(scales_, COUNT_), (at));                       \
        }                                                                                  \
        if (mode_ == PKT_READ) {                                                           \
            float *const members_[] = {PKT_LIST_ outs};                                    \
            const uint64_t word_ = pkt_get_word(c_, pkt_row_width(scales_, COUNT_), (at)); \
            pkt_row row_;                                                                  \
            if (!pkt_dequantize_row(word_, pkt_get_bit(c_, (at)), scales_, COUNT_, &row_)) \
                return false;                                                              \
            pkt_row_store(row_, COUNT_, members_);                                         \
        }                                                                                  \
        (void)scales_;                                                                     \
    } while (0)

/* quat<B> and unit<B>; parts is B, the bits of a component. */
#define PKT_ROTATION_(code_of, value_of, m, parts, bits, at) \
    do {                                                     \
        if (mode_ == PKT_WRITE) {                            \
            const uint64_t raw_ = code_of(in_->m, (parts));  \
            if (raw_ == PKT_FAILED)                          \
                return false;                                \
            pkt_put(c_, raw_, (bits), (at));                 \
        }                                                    \
        if (mode_ == PKT_READ) {                             \
            const uint64_t raw_ = pkt_get(c_, (bits), (at)); \
            if (!value_of(raw_, (parts), &out_->m))          \
                return false;                                \
        }                                                    \
    } while (0)
#define PKT_QUAT(m, parts, at) PKT_ROTATION_(pkt_quat_code, pkt_quat_value, m, parts, 2 + 3 * (parts), at)
#define PKT_UNIT(m, parts, at) PKT_ROTATION_(pkt_unit_code, pkt_unit_value, m, parts, 2 * (parts), at)

/* One of four quaternions of an array. pkt_quats_codes computes their codes before the first one is written, and
 * pkt_quats_values the values when all codes have been read. */
#define PKT_QUAT_OF(code, parts, at)                         \
    do {                                                     \
        if (mode_ == PKT_WRITE)                              \
            pkt_put(c_, code, 2 + 3 * (parts), (at));        \
        if (mode_ == PKT_READ)                               \
            code = pkt_get_loose(c_, 2 + 3 * (parts), (at)); \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif
