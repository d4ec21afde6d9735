/* pkt_memory.h - 8 bytes, little-endian, at any address.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which has it by pkt_codec.h. Programs have no use for this header.
 */
#ifndef PKT_MEMORY_H
#define PKT_MEMORY_H

#include "pkt.h"

#include <string.h>

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
    if (at + 8 <= size) return pkt_load64(data + at);
    if (size >= 8) return pkt_load64(data + size - 8) >> 8 * (at + 8 - size);
    for (size_t i = at; i < size; i++) v |= (uint64_t)data[i] << 8 * (i - at);
    return v;
}

/* count bytes of v, or 8 where there is room for them. */
PKT_INLINE void pkt_store_edge(uint8_t *data, size_t at, size_t size, uint64_t v, unsigned count)
{
    if (at + 8 <= size) {
        pkt_store64(data + at, v);
        return;
    }
    for (unsigned i = 0; i < count; i++) data[at + i] = (uint8_t)(v >> 8 * i);
}

#ifdef __cplusplus
}
#endif

#endif
