/* pkt_varying.h - items of varying width: compact, or raw, after, align, bytes, string.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_inside.h. Programs do not use this header.
 *
 * Each item checks that its own bits are in the buffer, and `rest` bits more, which certainly follow. At least one bit
 * is already known to be there. `edge` says that fewer than 8 bytes may be left.
 */
#ifndef PKT_VARYING_H
#define PKT_VARYING_H

#include "pkt_leaf.h"

#include <string.h>

PKT_C_BEGIN

/* At least 57 bits from the current position on, with zeros after the end of the data. */
PKT_INLINE uint64_t pkt_peek(const pkt_cursor *c, const bool edge)
{
    const size_t at = (size_t)(c->bit / 8);
    return (edge ? pkt_load_edge(c->from, at, (size_t)(c->limit / 8)) : pkt_load64(c->from + at)) >> c->bit % 8;
}

/* Writes up to 56 bits as a run of their own. */
PKT_INLINE void pkt_poke(pkt_cursor *c, uint64_t raw, const unsigned bits, const bool edge)
{
    pkt_run(PKT_WRITE, c, edge, 0);
    pkt_put(c, raw, bits, 0);
    pkt_end(PKT_WRITE, c, bits);
}

/* The form of a compact integer: a 1 for each high byte that is zero, a 0, and the other bytes. A value below 16 is
 * written as one 1 for each byte, without the 0, and its 4 low bits. */
typedef struct pkt_compact_form {
    unsigned zeros, head, bits; /* number of 1s; bits of 1s and 0 together; bits of the value */
} pkt_compact_form;

PKT_INLINE pkt_compact_form pkt_compact_form_of(const unsigned zeros, const unsigned bytes)
{
    pkt_compact_form form;
    form.zeros = zeros;
    form.head = zeros < bytes ? zeros + 1 : bytes;
    form.bits = zeros < bytes ? 8 * (bytes - zeros) : 4;
    return form;
}

/* The form that a writer uses for v; a reader refuses all others. */
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
    if (mode != PKT_WRITE) {
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

/* A compact unsigned integer of this many bytes. */
#define PKT_COMPACT(T, m, bytes, rest, edge)                                              \
    do {                                                                                  \
        if (!PKT_READING && !pkt_compact_put(mode_, c_, in_->m, (bytes), (rest), (edge))) \
            return false;                                                                 \
        if (mode_ == PKT_READ) {                                                          \
            uint64_t raw_ = 0;                                                            \
            if (!pkt_compact_get(c_, &raw_, (bytes), (rest), (edge)))                     \
                return false;                                                             \
            out_->m = (T)raw_;                                                            \
        }                                                                                 \
    } while (0)

/* A number with `or raw`: 0 and its code in `bits` bits, or 1 and the bits of a float. */
PKT_INLINE unsigned pkt_or_raw_bits(uint64_t code, const unsigned bits)
{
    return 1 + (code >> 32 != 0 ? 32 : bits);
}

PKT_INLINE bool pkt_or_raw_put(const pkt_mode mode, pkt_cursor *c, uint64_t code, const unsigned bits,
                               const uint64_t rest, const bool edge)
{
    const unsigned size = pkt_or_raw_bits(code, bits);
    if (!pkt_need(mode, c, size + rest))
        return false;
    if (mode == PKT_WRITE)
        pkt_poke(c, code >> 32 | (code & UINT32_MAX) << 1, size, edge);
    else
        c->bit += size;
    return true;
}

/* The code may be over the number of steps, or that of a float that is a step. */
PKT_INLINE bool pkt_or_raw_get(pkt_cursor *c, uint64_t *code, const unsigned bits, const uint64_t rest, const bool edge)
{
    const uint64_t word = pkt_peek(c, edge), raw = word & 1;
    const unsigned size = pkt_or_raw_bits(raw << 32, bits);
    if (!pkt_need(PKT_READ, c, size + rest))
        return false;
    *code = raw << 32 | (word >> 1 & pkt_mask(size - 1));
    c->bit += size;
    return true;
}

#define PKT_OR_RAW(m, lo, hi, steps, bits, rest, edge)                                                        \
    do {                                                                                                      \
        if (!PKT_READING &&                                                                                   \
            !pkt_or_raw_put(mode_, c_, pkt_or_raw_code(in_->m, (lo), (hi), (steps)), (bits), (rest), (edge))) \
            return false;                                                                                     \
        if (mode_ == PKT_READ) {                                                                              \
            uint64_t raw_ = 0;                                                                                \
            bool good_ = false;                                                                               \
            if (!pkt_or_raw_get(c_, &raw_, (bits), (rest), (edge)))                                           \
                return false;                                                                                 \
            out_->m = pkt_or_raw_value(raw_, (lo), (hi), (steps), &good_);                                    \
            if (!good_)                                                                                       \
                return false;                                                                                 \
        }                                                                                                     \
    } while (0)

/* The form of an `after` field, which is greater than another field: there are tiers of differences. First come as many
 * zeros as the number of the tier, and a 1, except in the last tier. Then comes the difference minus the lowest one of
 * the tier; in the last tier, the value itself. */
typedef struct pkt_after_tier {
    uint8_t head, bits;
    uint32_t low, span;
} pkt_after_tier;

/* The lowest difference of each tier. PKT_AFTER_LAST is the last tier, which holds all values. */
enum {
    PKT_AFTER_LOW0 = 1,
    PKT_AFTER_LOW1 = 2,
    PKT_AFTER_LOW2 = 7,
    PKT_AFTER_LOW3 = 24,
    PKT_AFTER_LOW4 = 281,
    PKT_AFTER_LOW5 = 4378,
    PKT_AFTER_LOW6 = 69915,
    PKT_AFTER_LAST = 6
};

PKT_INLINE pkt_after_tier pkt_after_tier_of(const unsigned number)
{
    static const pkt_after_tier tiers[PKT_AFTER_LAST + 1] = {
        {1, 0, PKT_AFTER_LOW0, PKT_AFTER_LOW1 - PKT_AFTER_LOW0 - 1},
        {2, 3, PKT_AFTER_LOW1, PKT_AFTER_LOW2 - PKT_AFTER_LOW1 - 1},
        {3, 5, PKT_AFTER_LOW2, PKT_AFTER_LOW3 - PKT_AFTER_LOW2 - 1},
        {4, 9, PKT_AFTER_LOW3, PKT_AFTER_LOW4 - PKT_AFTER_LOW3 - 1},
        {5, 13, PKT_AFTER_LOW4, PKT_AFTER_LOW5 - PKT_AFTER_LOW4 - 1},
        {6, 17, PKT_AFTER_LOW5, PKT_AFTER_LOW6 - PKT_AFTER_LOW5 - 1},
        {6, 32, 0, UINT32_MAX}};
    return tiers[number];
}

PKT_INLINE unsigned pkt_after_tier_for(const uint64_t difference)
{
    return (unsigned)(difference >= PKT_AFTER_LOW1) + (difference >= PKT_AFTER_LOW2) + (difference >= PKT_AFTER_LOW3) +
           (difference >= PKT_AFTER_LOW4) + (difference >= PKT_AFTER_LOW5) + (difference >= PKT_AFTER_LOW6);
}

PKT_INLINE bool pkt_after_put(const pkt_mode mode, pkt_cursor *c, uint32_t v, const uint32_t start, const uint64_t rest,
                              const bool edge)
{
    const unsigned number = pkt_after_tier_for((uint64_t)v - start);
    const pkt_after_tier tier = pkt_after_tier_of(number);
    const uint64_t raw = number == PKT_AFTER_LAST ? v : v - start - tier.low;
    const unsigned bits = (unsigned)tier.head + tier.bits;
    if ((mode != PKT_MEASURE && v <= start) || !pkt_need(mode, c, bits + rest))
        return false;
    if (mode != PKT_WRITE)
        c->bit += bits;
    else
        pkt_poke(c, ((uint64_t)1 << number & pkt_mask(PKT_AFTER_LAST)) | raw << tier.head, bits, edge);
    return true;
}

/* The value that `raw` stands for. It may be invalid: raw may be too great for the tier, or the value may not be after
 * `start`, or belong to a lower tier. */
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

/* A u32 that is greater than the member `start`. */
#define PKT_AFTER(m, start, rest, edge)                                                    \
    do {                                                                                   \
        if (!PKT_READING && !pkt_after_put(mode_, c_, in_->m, in_->start, (rest), (edge))) \
            return false;                                                                  \
        if (mode_ == PKT_READ && !pkt_after_get(c_, &out_->m, in_->start, (rest), (edge))) \
            return false;                                                                  \
    } while (0)

/* ---- bytes ------------------------------------------------------------------------------------------------ */

PKT_INLINE uint64_t pkt_padding(const pkt_cursor *c)
{
    return (0 - c->bit) % 8;
}

/* Skips zeros up to the next whole byte; `rest` bits follow it. */
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

/* `size` bytes at a whole byte of the stream; they are verified. */
PKT_INLINE void pkt_copy(const pkt_mode mode, pkt_cursor *c, const uint8_t *in, uint8_t *out, const uint64_t size)
{
    if (mode == PKT_WRITE)
        memcpy(c->to + c->bit / 8, in, (size_t)size);
    if (mode == PKT_READ)
        memcpy(out, c->from + c->bit / 8, (size_t)size);
    c->bit += 8 * size;
}

/* Padding up to the next whole byte, then `size` bytes. */
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

#define PKT_BYTES(m, size, rest)                                                               \
    do {                                                                                       \
        if (!pkt_bytes(mode_, c_, in_->m, mode_ == PKT_READ ? out_->m : NULL, (size), (rest))) \
            return false;                                                                      \
    } while (0)

/* The number of bytes before the terminator, or max + 1 if the first max + 1 bytes have none. Uses no bytes after
 * those. */
uint32_t pkt_text_size(const char *text, uint32_t max);

/* Whether two texts are the same; a may be invalid UTF-8. b is NULL for a text that is absent, and so empty. Both must
 * be readable for max + 1 bytes, because they may be compared whole. */
PKT_INLINE bool pkt_unchanged_text(const char *a, const char *b, const uint32_t max)
{
    const uint32_t size = pkt_text_size(a, max);
    if (b == NULL)
        return size == 0;
    return size <= max && size == pkt_text_size(b, max) && memcmp(a, b, size) == 0;
}

/* The length of a text, in the local variable `size`, a uint32_t. */
#define PKT_LENGTH(size, m, max, bits, at)              \
    do {                                                \
        if (!PKT_READING) {                             \
            size = pkt_text_size(in_->m, (max));        \
            if (size > (max))                           \
                return false;                           \
        }                                               \
        if (mode_ == PKT_WRITE)                         \
            pkt_put(c_, size, (bits), (at));            \
        if (mode_ == PKT_READ) {                        \
            size = (uint32_t)pkt_get(c_, (bits), (at)); \
            if (pkt_over32(size, (max)))                \
                return false;                           \
        }                                               \
    } while (0)

PKT_INLINE bool pkt_text(const pkt_mode mode, pkt_cursor *c, const char *in, char *out, const uint32_t size,
                         const uint64_t rest)
{
    /*@ split size; */
    if (!pkt_align(mode, c, 8 * (uint64_t)size + rest))
        return false;
    if (mode == PKT_WRITE && !pkt_text_copy((char *)c->to + c->bit / 8, (const uint8_t *)in, size))
        return false;
    if (mode == PKT_CHECK && !pkt_text_valid((const uint8_t *)in, size))
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

#define PKT_TEXT(m, size, rest)                                                             \
    do {                                                                                    \
        if (!pkt_text(mode_, c_, in_->m, mode_ == PKT_READ ? out_->m : NULL, size, (rest))) \
            return false;                                                                   \
    } while (0)

PKT_C_END

#endif
