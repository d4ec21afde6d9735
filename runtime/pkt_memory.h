/* pkt_memory.h - words: 8 bytes, little-endian, at any address, and the first and last of their bits.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which has it by pkt_codec.h. Programs have no use for this header.
 */
#ifndef PKT_MEMORY_H
#define PKT_MEMORY_H

#include "pkt.h"

#include <string.h>
#if defined(_MSC_VER)
#include <intrin.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* PKT_BYTEWISE: as elsewhere, for proofs. */
#if !defined(PKT_BYTEWISE) && (defined(_MSC_VER) || (defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__))
#define PKT_WORDS_IN_MEMORY
#endif

#ifdef PKT_WORDS_IN_MEMORY
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
#else
PKT_INLINE uint64_t pkt_load64(const uint8_t *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24
         | (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

PKT_INLINE void pkt_store64(uint8_t *p, uint64_t v)
{
    for (unsigned i = 0; i < 8; i++) p[i] = (uint8_t)(v >> 8 * i);
}
#endif

/* The bytes from `at` on, at < size, as many of 8 as there are; the others read as zero. */
PKT_INLINE uint64_t pkt_load_edge(const uint8_t *data, size_t at, size_t size)
{
    uint64_t v = 0;
#ifdef PKT_WORDS_IN_MEMORY
    if (at + 8 <= size) return pkt_load64(data + at);
    if (size >= 8) return pkt_load64(data + size - 8) >> 8 * (at + 8 - size);
#endif
    for (unsigned i = 0; i < 8; i++)
        if (at + i < size) v |= (uint64_t)data[at + i] << 8 * i;
    return v;
}

/* count bytes of v, or 8 where there is room for them. */
PKT_INLINE void pkt_store_edge(uint8_t *data, size_t at, size_t size, uint64_t v, unsigned count)
{
#ifdef PKT_WORDS_IN_MEMORY
    if (at + 8 <= size) {
        pkt_store64(data + at, v);
        return;
    }
    for (unsigned i = 0; i < count; i++) data[at + i] = (uint8_t)(v >> 8 * i);
#else
    /* All of count are inside: the second condition says so to a proof. */
    for (unsigned i = 0; i < 8; i++)
        if (i < count && at + i < size) data[at + i] = (uint8_t)(v >> 8 * i);
#endif
}

/* The number of the lowest and of the highest bit that is set in v, which is not 0. */
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
    for (; (v & 1) == 0; v >>= 1) bit++;
    return bit;
#endif
}

PKT_INLINE unsigned pkt_high_bit(uint64_t v)
{
#if defined(__GNUC__)
    return 63 - (unsigned)__builtin_clzll(v);
#elif defined(_MSC_VER) && defined(_WIN64)
    unsigned long bit;
    _BitScanReverse64(&bit, v);
    return (unsigned)bit;
#else
    unsigned bit = 0;
    for (; v > 1; v >>= 1) bit++;
    return bit;
#endif
}

#ifdef __cplusplus
}
#endif

#endif
