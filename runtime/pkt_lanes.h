/* pkt_lanes.h - arrays of small integers, 8 bytes of them at a time in one register.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_inside.h. Programs do not use this header.
 *
 * A word of 64 bits holds 8 elements of one byte or 4 of two bytes, called lanes, with the first one in the lowest bits
 * (SIMD within a register). `lane` is the width of a lane in bits, 8 or 16. `bits` is the width of a value on the wire,
 * which is less than `lane`. So the highest bit of each lane is free, and shows for all lanes at once which values are
 * out of range. Both are constants in all calls.
 */
#ifndef PKT_LANES_H
#define PKT_LANES_H

#include "pkt_memory.h"

#if defined(PKT_X86_64) && defined(__BMI2__)
#include <immintrin.h>
#endif

PKT_C_BEGIN

/* A word with v, which fits into a lane, in every lane. */
PKT_INLINE uint64_t pkt_lanes_all(const unsigned lane, const uint64_t v)
{
    return (lane == 8 ? UINT64_C(0x0101010101010101) : UINT64_C(0x0001000100010001)) * v;
}

/* Loads 8 bytes of an array. */
PKT_INLINE uint64_t pkt_lanes_load(const unsigned lane, const void *from)
{
#ifdef PKT_WORDS_IN_MEMORY
    (void)lane;
    return pkt_load64((const uint8_t *)from);
#else
    uint16_t parts[4];
    if (lane == 8)
        return pkt_load64((const uint8_t *)from);
    memcpy(parts, from, sizeof parts);
    return (uint64_t)parts[0] | (uint64_t)parts[1] << 16 | (uint64_t)parts[2] << 32 | (uint64_t)parts[3] << 48;
#endif
}

PKT_INLINE void pkt_lanes_store(const unsigned lane, void *to, const uint64_t v)
{
#ifdef PKT_WORDS_IN_MEMORY
    (void)lane;
    pkt_store64((uint8_t *)to, v);
#else
    uint16_t parts[4];
    if (lane == 8) {
        pkt_store64((uint8_t *)to, v);
        return;
    }
    for (unsigned i = 0; i < 4; i++)
        parts[i] = (uint16_t)(v >> 16 * i);
    memcpy(to, parts, sizeof parts);
#endif
}

/* Adds lane by lane, modulo the lane. The highest bits are added separately, so that nothing carries into the next
 * lane. */
PKT_INLINE uint64_t pkt_lanes_add(const unsigned lane, const uint64_t a, const uint64_t b)
{
    const uint64_t high = pkt_lanes_all(lane, UINT64_C(1) << (lane - 1));
    return ((a & ~high) + (b & ~high)) ^ ((a ^ b) & high);
}

/* Whether any lane is over span, which is below a lane's highest bit. If none is, nothing carries out of a lane. */
PKT_INLINE bool pkt_lanes_over(const unsigned lane, const uint64_t v, const uint64_t span)
{
    const uint64_t high = UINT64_C(1) << (lane - 1);
    return (((v + pkt_lanes_all(lane, high - 1 - span)) | v) & pkt_lanes_all(lane, high)) != 0;
}

/* Moves the values of the lanes, each below 1 << bits, next to each other: joins pairs, then pairs of pairs. */
PKT_INLINE uint64_t pkt_lanes_join(const unsigned lane, uint64_t v, const unsigned bits)
{
    unsigned joined = bits;
    if (lane == 8) {
        const uint64_t even = UINT64_C(0x00ff00ff00ff00ff);
        v = (v & even) | (v >> 8 & even) << joined;
        joined *= 2;
    }
    v = (v & UINT64_C(0x0000ffff0000ffff)) | (v >> 16 & UINT64_C(0x0000ffff0000ffff)) << joined;
    return (v & UINT32_MAX) | v >> 32 << 2 * joined;
}

/* The inverse of pkt_lanes_join. v is below 1 << (64 / lane * bits). */
PKT_INLINE uint64_t pkt_lanes_split(const unsigned lane, uint64_t v, const unsigned bits)
{
#if defined(PKT_X86_64) && defined(__BMI2__)
    return _pdep_u64(v, pkt_lanes_all(lane, (UINT64_C(1) << bits) - 1));
#else
    const unsigned joined = lane == 8 ? 2 * bits : bits;
    const uint64_t pair = UINT64_C(0x0000000100000001) * ((UINT64_C(1) << joined) - 1);
    v = (v & ((UINT64_C(1) << 2 * joined) - 1)) | v >> 2 * joined << 32;
    v = (v & pair) | (v >> joined & pair) << 16;
    if (lane == 8) {
        const uint64_t one = pkt_lanes_all(16, (UINT64_C(1) << bits) - 1);
        v = (v & one) | (v >> bits & one) << 8;
    }
    return v;
#endif
}

/* Stores in *packed the wire bits of the 8 bytes of an array at `from`, integers from lo to lo + span. lo is given as
 * the bits of a lane. Returns false if one is out of range. */
PKT_INLINE bool pkt_lanes_pack(const unsigned lane, const void *from, const uint64_t lo, const uint64_t span,
                               const unsigned bits, uint64_t *packed)
{
#if defined(PKT_X86_64)
    const unsigned joined = lane == 8 ? 2 * bits : bits;
    __m128i v = _mm_loadl_epi64((const __m128i *)from), over;
    uint64_t pairs;
    if (lane == 8) {
        v = _mm_sub_epi8(v, _mm_set1_epi8((char)lo));
        over = _mm_subs_epu8(v, _mm_set1_epi8((char)span));
    } else {
        v = _mm_sub_epi16(v, _mm_set1_epi16((short)lo));
        over = _mm_subs_epu16(v, _mm_set1_epi16((short)span));
    }
    if (_mm_cvtsi128_si64(over) != 0)
        return false;
#if defined(PKT_X86_64) && defined(__BMI2__)
    (void)joined;
    (void)pairs;
    *packed = _pext_u64((uint64_t)_mm_cvtsi128_si64(v), pkt_lanes_all(lane, (UINT64_C(1) << bits) - 1));
#else
    if (lane == 8)
        v = _mm_or_si128(_mm_and_si128(v, _mm_set1_epi16(0xff)), _mm_slli_epi16(_mm_srli_epi16(v, 8), (int)bits));
    /* Joins pairs by multiply-and-add; both factors are below 1 << 15. */
    v = _mm_madd_epi16(v, _mm_set1_epi32((int)(UINT32_C(1) << joined << 16 | 1)));
    pairs = (uint64_t)_mm_cvtsi128_si64(v);
    *packed = (pairs & UINT32_MAX) | pairs >> 32 << 2 * joined;
#endif
    return true;
#else
    const uint64_t less = (0 - lo) & (UINT64_MAX >> (64 - lane));
    const uint64_t v = pkt_lanes_add(lane, pkt_lanes_load(lane, from), pkt_lanes_all(lane, less));
    if (pkt_lanes_over(lane, v, span))
        return false;
    *packed = pkt_lanes_join(lane, v, bits);
    return true;
#endif
}

/* The inverse of pkt_lanes_pack. Returns false, and stores nothing, if a value is out of range. */
PKT_INLINE bool pkt_lanes_unpack(const unsigned lane, void *to, const uint64_t lo, const uint64_t span,
                                 const unsigned bits, const uint64_t packed)
{
    const uint64_t v = pkt_lanes_split(lane, packed, bits);
    const uint64_t more = lo & (UINT64_MAX >> (64 - lane));
    if (pkt_lanes_over(lane, v, span))
        return false;
    pkt_lanes_store(lane, to, more == 0 ? v : pkt_lanes_add(lane, v, pkt_lanes_all(lane, more)));
    return true;
}

PKT_C_END

#endif
