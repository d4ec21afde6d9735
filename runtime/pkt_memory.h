/* pkt_memory.h - little-endian words of 8 bytes at any address, and their lowest and highest bits.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_inside.h. Programs do not use this header.
 */
#ifndef PKT_MEMORY_H
#define PKT_MEMORY_H

#include "pkt_exact.h"

#include <string.h>
#if defined(_MSC_VER)
#include <intrin.h>
#endif

/* SSE2 and 64-bit registers, for several numbers at a time. MSVC may fuse the product and the sum of two vectors, which
 * would then round once instead of twice: with /fp:contract, and before Visual Studio 2022 wherever the processor can. */
#if !defined(PKT_BYTEWISE) && !defined(PKT_INEXACT_INTRINSICS) &&                                 \
    ((defined(__SSE2__) && defined(__x86_64__)) ||                                                \
     (defined(_MSC_VER) && defined(_M_X64) && !defined(_M_ARM64EC) && !defined(_M_FP_CONTRACT) && \
      (_MSC_VER >= 1930 || !defined(__AVX2__))))
#define PKT_X86_64
#include <emmintrin.h>
#endif

PKT_C_BEGIN

/* PKT_BYTEWISE is for proofs (make prove): it replaces code that the prover does not understand by simple loops.
 * Comments that begin with an @ are contracts and hints for the prover. */

/* A shift that is less than 64. If it is the difference of two positions, the analysis of a packet cannot see that
 * bound: it defines this as n % 64, and another proof shows that n is less than 64 (tests/prove/prove.h). */
#ifndef PKT_SHIFT
#define PKT_SHIFT(n) (n)
#endif

#if defined(_MSC_VER) || (defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#define PKT_WORDS_IN_MEMORY
#endif

#ifdef PKT_WORDS_IN_MEMORY
#ifdef PKT_CALLS_COST
#define pkt_load64(p)               \
    (__extension__({                \
        uint64_t pkt_word_;         \
        memcpy(&pkt_word_, (p), 8); \
        pkt_word_;                  \
    }))
#define pkt_store64(p, v)                   \
    (__extension__({                        \
        uint64_t pkt_stored_ = (v);         \
        (void)memcpy((p), &pkt_stored_, 8); \
    }))
#else
PKT_INLINE uint64_t pkt_load64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, 8);
    return v;
}

PKT_INLINE void pkt_store64(uint8_t *p, uint64_t v)
{
    memcpy(p, &v, 8);
}
#endif

PKT_INLINE uint32_t pkt_load32(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, 4);
    return v;
}

PKT_INLINE void pkt_store32(uint8_t *p, uint32_t v)
{
    memcpy(p, &v, 4);
}
#else
PKT_INLINE uint64_t pkt_load64(const uint8_t *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 |
           (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

PKT_INLINE void pkt_store64(uint8_t *p, uint64_t v)
{
    for (unsigned i = 0; i < 8; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

PKT_INLINE uint32_t pkt_load32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

PKT_INLINE void pkt_store32(uint8_t *p, uint32_t v)
{
    for (unsigned i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}
#endif

#ifdef PKT_WORDS_IN_MEMORY
/* Load or store count bytes, fewer than 8, as two overlapping pieces, or as three single bytes, instead of one by one.
 * Packets of a few bytes have no other words. */
PKT_INLINE uint64_t pkt_load_few(const uint8_t *p, size_t count)
{
    if (count >= 4)
        return pkt_load32(p) | (uint64_t)pkt_load32(p + count - 4) << 8 * (count - 4);
    if (count == 0)
        return 0;
    return p[0] | (uint64_t)p[count / 2] << 8 * (count / 2) | (uint64_t)p[count - 1] << 8 * (count - 1);
}

PKT_INLINE void pkt_store_few(uint8_t *p, uint64_t v, size_t count)
{
    if (count >= 4) {
        pkt_store32(p, (uint32_t)v);
        pkt_store32(p + count - 4, (uint32_t)(v >> 8 * (count - 4)));
    } else if (count != 0) {
        p[0] = (uint8_t)v;
        p[count / 2] = (uint8_t)(v >> 8 * (count / 2));
        p[count - 1] = (uint8_t)(v >> 8 * (count - 1));
    }
}
#endif

/* The up to 8 bytes of data from `at` on; at < size. Bytes after the end count as zero. */
PKT_INLINE uint64_t pkt_load_edge(const uint8_t *data, size_t at, size_t size)
{
#ifdef PKT_WORDS_IN_MEMORY
    if (at + 8 <= size)
        return pkt_load64(data + at);
    if (size >= 8)
        return pkt_load64(data + size - 8) >> PKT_SHIFT(8 * (at + 8 - size));
    /*@ split at; */
    return pkt_load_few(data + at, size - at);
#else
    uint64_t v = 0;
    for (unsigned i = 0; i < 8; i++)
        if (at + i < size)
            v |= (uint64_t)data[at + i] << 8 * i;
    return v;
#endif
}

/* The same, also for at >= size. Does not branch on how many bytes are left, for callers where that is
 * unpredictable. */
PKT_INLINE uint64_t pkt_load_end(const uint8_t *data, size_t at, size_t size)
{
#ifdef PKT_WORDS_IN_MEMORY
    if (size >= 8) {
        const size_t from = at < size - 8 ? at : size - 8;
        return pkt_load64(data + from) >> PKT_SHIFT(4 * (at - from)) >> PKT_SHIFT(4 * (at - from));
    }
    /* Loads all of the data, not what is left of it: then the branches of pkt_load_few depend on the size alone, and
     * go the same way for each run of a packet. `data` may be NULL if there is none. A reader that has
     * failed has no data, but a position after its start. */
    return at < size ? pkt_load_few(data, size) >> PKT_SHIFT(8 * at) : 0;
#else
    return pkt_load_edge(data, at, size);
#endif
}

/* Stores the low `count` bytes of v, or all 8 if there is room. */
PKT_INLINE void pkt_store_edge(uint8_t *data, size_t at, size_t size, uint64_t v, unsigned count)
{
#ifdef PKT_WORDS_IN_MEMORY
    if (PKT_LIKELY(at + 8 <= size))
        pkt_store64(data + at, v);
    else
        pkt_store_few(data + at, v, count);
#else
    /* All count bytes are in the data; the second condition tells the prover. */
    for (unsigned i = 0; i < 8; i++)
        if (i < count && at + i < size)
            data[at + i] = (uint8_t)(v >> 8 * i);
#endif
}

/* The number of the lowest bit that is set in v; v is not 0. pkt_high_bit: of the highest. */
/*@ requires v != 0;
  @ assigns \nothing;
  @ ensures \result <= 63; */
PKT_INLINE unsigned pkt_low_bit(uint64_t v)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(v);
#elif defined(_MSC_VER) && defined(_WIN64)
    unsigned long bit;
    _BitScanForward64(&bit, v);
    return (unsigned)bit;
#else
    unsigned bit = 0;
    /*@ loop unroll 64;
      @ loop invariant bit <= 63;
      @ loop assigns bit, v;
      @ loop variant 63 - bit; */
    for (; bit < 63 && (v & 1) == 0; v >>= 1)
        bit++;
    return bit;
#endif
}

/* The number of bits of v without leading zeros: 0 for 0. */
PKT_INLINE unsigned pkt_bit_length(uint32_t v)
{
#if defined(__GNUC__)
    return v != 0 ? 32 - (unsigned)__builtin_clz(v) : 0;
#elif defined(_MSC_VER)
    unsigned long bit;
    return _BitScanReverse(&bit, v) ? (unsigned)bit + 1 : 0;
#else
    unsigned n = 0;
    /*@ loop unroll 32; */
    for (; v != 0; v >>= 1)
        n++;
    return n;
#endif
}

/* The number of zero bits below the lowest bit that is set in v, or `most` if there are more. */
/*@ requires most <= 63;
  @ assigns \nothing;
  @ ensures \result <= most; */
PKT_INLINE unsigned pkt_zeros(uint64_t v, const unsigned most)
{
#ifdef PKT_BYTEWISE
    unsigned zeros = 0;
    /*@ loop unroll 64;
      @ loop invariant zeros <= most;
      @ loop assigns zeros;
      @ loop variant most - zeros; */
    for (; zeros < most && (v >> zeros & 1) == 0; zeros++)
        ;
    return zeros;
#else
    return pkt_low_bit(v | UINT64_C(1) << most);
#endif
}

PKT_INLINE unsigned pkt_high_bit(uint64_t v)
{
#if defined(__GNUC__)
    return 63 ^ (unsigned)__builtin_clzll(v);
#elif defined(_MSC_VER) && defined(_WIN64)
    unsigned long bit;
    _BitScanReverse64(&bit, v);
    return (unsigned)bit;
#else
    unsigned bit = 0;
    /*@ loop unroll 64; */
    for (; v > 1; v >>= 1)
        bit++;
    return bit;
#endif
}

PKT_C_END

#endif
