/* pkt_equal.h - the lines of T_equal and T_quantize.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_codec.h. Programs do not use this header.
 *
 * Two values are equal if both can be written and have the same bits on the wire.
 */
#ifndef PKT_EQUAL_H
#define PKT_EQUAL_H

#include "pkt_number.h"
#include "pkt_rotation.h"
#include "pkt_varying.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PKT_SAME_IF_(condition) \
    do {                        \
        if (!(condition))       \
            return false;       \
    } while (0)
#define PKT_SAME(m) PKT_SAME_IF_(a_->m == b_->m)
#define PKT_SAME_BITS(m, bits) PKT_SAME_IF_(a_->m == b_->m && !pkt_over((uint64_t)a_->m, pkt_mask(bits)))
#define PKT_SAME_INT(m, lo, hi) \
    PKT_SAME_IF_(a_->m == b_->m && !pkt_over((uint64_t)a_->m - (uint64_t)(lo), (uint64_t)(hi) - (uint64_t)(lo)))
#define PKT_SAME_ENUM(T, m, valid) PKT_SAME_IF_(a_->m == b_->m && valid((T)a_->m))
#define PKT_SAME_HALF(m) PKT_SAME_IF_(pkt_half_bits(a_->m) == pkt_half_bits(b_->m))
#define PKT_SAME_FLOAT(m) PKT_SAME_IF_(pkt_float_bits(a_->m) == pkt_float_bits(b_->m))
#define PKT_SAME_DOUBLE(m) PKT_SAME_IF_(pkt_double_bits(a_->m) == pkt_double_bits(b_->m))
#define PKT_SAME_QUANTIZED(m, lo, hi, steps) \
    PKT_SAME_IF_(!pkt_codes_differ(a_->m, b_->m, (lo), (hi), (steps)) && pkt_has_code(a_->m, (lo), (hi), (steps)))
#define PKT_SAME_QUANTIZED64(m, lo, hi, steps) \
    PKT_SAME_IF_(!pkt_codes_differ64(a_->m, b_->m, (lo), (hi), (steps)) && pkt_has_code64(a_->m, (lo), (hi), (steps)))
#define PKT_SAME_QUAT(m, parts) PKT_SAME_IF_(pkt_same_quat(&a_->m, &b_->m, (parts)))
#define PKT_SAME_UNIT(m, parts) PKT_SAME_IF_(pkt_same_unit(&a_->m, &b_->m, (parts)))
#define PKT_SAME_AFTER(m, start) PKT_SAME_IF_(a_->m == b_->m && a_->m > a_->start)
#define PKT_SAME_TEXT(m, max) PKT_SAME_IF_(pkt_same_text(a_->m, b_->m, (max)))
#define PKT_SAME_BYTES(m, size, max) \
    PKT_SAME_IF_(a_->size == b_->size && a_->size <= (max) && (a_->size == 0 || memcmp(a_->m, b_->m, a_->size) == 0))

/* b is NULL for a text that is absent, and so empty. Both must be readable for max + 1 bytes, because they may be
 * compared whole. */
PKT_INLINE bool pkt_same_text(const char *a, const char *b, const uint32_t max)
{
    uint32_t size = pkt_text_size(a, max);
    if (b == NULL)
        return size == 0;
    return size <= max && size == pkt_text_size(b, max) && memcmp(a, b, size) == 0 &&
           pkt_text_valid((const uint8_t *)a, size);
}

/* Like pkt_same_text, of a text that may be no UTF-8. */
PKT_INLINE bool pkt_unchanged_text(const char *a, const char *b, const uint32_t max)
{
    const uint32_t size = pkt_text_size(a, max);
    if (b == NULL)
        return size == 0;
    return size <= max && size == pkt_text_size(b, max) && memcmp(a, b, size) == 0;
}

/* The value that a reader gets if v is sent as a half. */
PKT_INLINE float pkt_settle_half(float v)
{
    return pkt_half_float(pkt_half_bits(v));
}

#ifdef __cplusplus
}
#endif

#endif
