/* pkt_hash.c - a hash of bytes that is the same on every machine.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_memory.h"
#include "pkt_stream.h"

/* Every word changes all bits: the product carries its bits upwards, and the shift brings them down again. */
static uint64_t pkt_hash_mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

uint64_t pkt_hash(const void *data, size_t size)
{
    const uint8_t *at = (const uint8_t *)data;
    uint64_t hash = UINT64_C(0xCBF29CE484222325) + size, word = 0;
    size_t left = size;
    for (; left >= 8; left -= 8, at += 8)
        hash = pkt_hash_mix(hash, pkt_load64(at));
    if (left > 0) {
        for (size_t i = 0; i < left; i++)
            word |= (uint64_t)at[i] << 8 * i;
        hash = pkt_hash_mix(hash, word);
    }
    hash = pkt_hash_mix(hash, 0);
    return hash != 0 ? hash : 1;
}

uint64_t pkt_hash_value(const void *v, bool (*write)(pkt_writer *w, const void *v), void *data, size_t size,
                        pkt_refs *refs)
{
    pkt_writer w;
    pkt_writer_init(&w, data, size);
    pkt_writer_set_refs(&w, refs);
    return write(&w, v) ? pkt_hash(data, (size_t)((w.bit + 7) / 8)) : 0;
}
