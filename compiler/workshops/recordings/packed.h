/* packed.h - numbers and texts as bytes that are the same on every machine: for tallies, and between processes.
 * SPDX-License-Identifier: MIT
 *
 * A number is written in groups of 7 bits, the lowest first; every byte but the last one has its highest bit set, and
 * the last one is not 0 unless it is the only one. A text is the number of its bytes, and then the bytes.
 *
 * A reader that finds anything else is `bad` from then on, and every number is 0 and every text empty, so its users ask
 * at the end. They must not take a number for a size without a limit.
 */
#ifndef PKTC_PACKED_H
#define PKTC_PACKED_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct packer {
    arena *arena;
    uint8_t *bytes;
    size_t size, room;
} packer;

void pack_byte(packer *p, uint8_t byte);
void pack_number(packer *p, uint64_t n);
void pack_text(packer *p, const char *text, size_t size);

typedef struct unpacker {
    arena *arena; /* of the texts */
    const uint8_t *bytes;
    size_t size, at;
    bool bad;
} unpacker;

uint64_t unpack_number(unpacker *u);

/* The same up to a limit; a greater number is bad. */
uint64_t unpack_up_to(unpacker *u, uint64_t most);

/* Nothing is counted more often, so that a thousand times a count fits in 64 bits, and so do sums of a few hundred. */
#define COUNT_MOST (UINT64_C(1) << 50)

/* A count, up to COUNT_MOST. */
uint64_t unpack_count(unpacker *u);

/* Adds up counts. The sum stays at COUNT_MOST: counts of a file may be invented. */
void count_add(uint64_t *sum, uint64_t count);

/* A text of at most so many bytes, none of which is 0, with a terminating zero. *size: or NULL. */
const char *unpack_text(unpacker *u, size_t most, size_t *size);

/* The CRC-32 of docs/wire.md. */
uint32_t packed_crc(const uint8_t *bytes, size_t size);

#endif
