/* parquet_bytes.c - the encodings of Parquet and of Thrift's compact protocol, from their public descriptions.
 * SPDX-License-Identifier: MIT
 */
#include "tables/parquet_bytes.h"
#include "base/arena.h"
#include "base/num.h"

#include <stdlib.h>
#include <string.h>

void bytes_grow(byte_buffer *b, size_t more)
{
    enum { FIRST_ROOM = 64 };
    size_t room = b->room > 0 ? b->room : FIRST_ROOM;
    while (room - b->size < more)
        room *= 2;
    b->at = realloc(b->at, room);
    if (!b->at)
        arena_out_of_memory();
    b->room = room;
}

void bytes_copy(byte_buffer *b, const void *from, size_t size)
{
    if (size > 0)
        memcpy(bytes_more(b, size), from, size);
}

void bytes_free(byte_buffer *b)
{
    free(b->at);
    *b = (byte_buffer){0};
}

void bytes_low(byte_buffer *b, uint64_t number, unsigned count)
{
    uint8_t *at = bytes_more(b, count);
    for (unsigned i = 0; i < count; i++)
        at[i] = (uint8_t)(number >> 8 * i);
}

void bytes_varint(byte_buffer *b, uint64_t number)
{
    enum { GROUP = 7, MORE = 1 << GROUP };
    for (; number >= MORE; number >>= GROUP)
        *bytes_more(b, 1) = (uint8_t)(number | MORE);
    *bytes_more(b, 1) = (uint8_t)number;
}

void bytes_zigzag(byte_buffer *b, int64_t number)
{
    bytes_varint(b, (uint64_t)number << 1 ^ (number < 0 ? UINT64_MAX : 0));
}

/* ---- bits */

enum { WORD = 64, TOGETHER = 8 /* numbers that are packed, of which as many bytes have all the bits */ };

/* Packs numbers into room that is there, and a word more. */
typedef struct bit_packer {
    uint8_t *at;
    uint64_t bits;
    unsigned used;
} bit_packer;

/* Compilers make one store of this. */
static inline void flush_word(bit_packer *p)
{
    p->at[0] = (uint8_t)p->bits;
    p->at[1] = (uint8_t)(p->bits >> 8);
    p->at[2] = (uint8_t)(p->bits >> 16);
    p->at[3] = (uint8_t)(p->bits >> 24);
    p->at[4] = (uint8_t)(p->bits >> 32);
    p->at[5] = (uint8_t)(p->bits >> 40);
    p->at[6] = (uint8_t)(p->bits >> 48);
    p->at[7] = (uint8_t)(p->bits >> 56);
    p->at += sizeof p->bits;
}

static inline void pack_number_bits(bit_packer *p, uint64_t number, unsigned width)
{
    p->bits |= number << p->used;
    p->used += width;
    if (p->used < WORD)
        return;
    flush_word(p);
    p->used -= WORD;
    p->bits = p->used > 0 ? number >> (width - p->used) : 0;
}

static bit_packer begin_bits(byte_buffer *b, size_t count, unsigned width)
{
    return (bit_packer){.at = bytes_room(b, count * width / 8 + sizeof(uint64_t))};
}

static void end_bits(byte_buffer *b, const bit_packer *p)
{
    b->size = (size_t)(p->at - b->at);
    bytes_low(b, p->bits, (p->used + 7) / 8);
}

/* Whether TOGETHER numbers are this one. */
static inline bool are_all(const uint32_t *n, uint32_t number)
{
    return ((n[0] ^ number) | (n[1] ^ number) | (n[2] ^ number) | (n[3] ^ number) | (n[4] ^ number) | (n[5] ^ number) |
            (n[6] ^ number) | (n[7] ^ number)) == 0;
}

/* A shorter run is packed with the numbers around it. */
static inline bool begins_run(const uint32_t *numbers, uint32_t left)
{
    return left >= 2 * TOGETHER && numbers[1] == *numbers && are_all(numbers, *numbers) &&
           are_all(numbers + TOGETHER, *numbers);
}

static uint32_t size_of_run(const uint32_t *numbers, uint32_t left)
{
    uint32_t size = 2 * TOGETHER;
    while (left - size >= TOGETHER && are_all(numbers + size, *numbers))
        size += TOGETHER;
    while (size < left && numbers[size] == *numbers)
        size++;
    return size;
}

/* Packs TOGETHER numbers, into as many bytes as each has bits. */
static inline void pack_together(uint8_t *at, const uint32_t *n, unsigned width)
{
    bit_packer p = {.at = at};
    if (width <=
        TOGETHER) { /* one word has all the bits, which most columns take: the loop would take three times as long */
        p.bits = n[0] | (uint64_t)n[1] << width | (uint64_t)n[2] << 2 * width | (uint64_t)n[3] << 3 * width |
                 (uint64_t)n[4] << 4 * width | (uint64_t)n[5] << 5 * width | (uint64_t)n[6] << 6 * width |
                 (uint64_t)n[7] << 7 * width;
    } else {
        for (unsigned i = 0; i < TOGETHER; i++)
            pack_number_bits(&p, n[i], width);
    }
    flush_word(&p);
}

/* The last numbers may be fewer than TOGETHER; then zeros follow them. */
static void pack_numbers(byte_buffer *b, const uint32_t *numbers, uint32_t count, unsigned width)
{
    uint8_t *at = bytes_room(b, ((size_t)count + TOGETHER) * width / TOGETHER + sizeof(uint64_t));
    for (; count >= TOGETHER; count -= TOGETHER, numbers += TOGETHER, at += width)
        pack_together(at, numbers, width);
    if (count > 0) {
        uint32_t rest[TOGETHER] = {0};
        memcpy(rest, numbers, count * sizeof *rest);
        pack_together(at, rest, width);
        at += width;
    }
    b->size = (size_t)(at - b->at);
}

void bytes_bits(byte_buffer *b, const uint32_t *numbers, uint32_t count)
{
    pack_numbers(b, numbers, count, 1);
}

void bytes_hybrid(byte_buffer *b, const uint32_t *numbers, uint32_t count, unsigned width)
{
    for (uint32_t i = 0, end; i < count; i = end) {
        if (begins_run(numbers + i, count - i)) {
            end = i + size_of_run(numbers + i, count - i);
            bytes_varint(b, (uint64_t)(end - i) << 1);
            bytes_low(b, numbers[i], (width + 7) / 8);
            continue;
        }
        for (end = i; end < count && !begins_run(numbers + end, count - end);)
            end += TOGETHER;
        bytes_varint(b, (end - i) / TOGETHER << 1 | 1);
        end = end < count ? end : count;
        pack_numbers(b, numbers + i, end - i, width);
    }
}

/* ---- differences */

enum { PARTS = 4, PART = DELTA_BLOCK / PARTS /* each has its own width */ };

static int64_t wrapped_difference(const delta_coder *d, uint64_t difference)
{
    return d->wide ? (int64_t)difference : (int64_t)(int32_t)(uint32_t)difference;
}

static void begin_delta(delta_coder *d, uint64_t first)
{
    bytes_varint(d->to, DELTA_BLOCK);
    bytes_varint(d->to, PARTS);
    bytes_varint(d->to, d->total);
    bytes_zigzag(d->to, wrapped_difference(d, first));
    d->begun = true;
}

/* Unused differences of the last part are 0, and unused parts have no bits. */
static void end_delta_block(delta_coder *d)
{
    const uint64_t mask = d->wide ? UINT64_MAX : UINT32_MAX;
    int64_t least = d->block[0];
    for (unsigned i = 1; i < d->count; i++)
        least = d->block[i] < least ? d->block[i] : least;
    bytes_zigzag(d->to, least);
    const size_t widths = d->to->size;
    bytes_low(d->to, 0, PARTS);
    for (unsigned i = d->count; i % PART != 0; i++)
        d->block[i] = least;
    for (unsigned first = 0; first < d->count; first += PART) {
        uint64_t all = 0;
        for (unsigned i = first; i < first + PART; i++)
            all |= ((uint64_t)d->block[i] - (uint64_t)least) & mask;
        const unsigned width = bit_length(all);
        d->to->at[widths + first / PART] = (uint8_t)width;
        bit_packer p = begin_bits(d->to, PART, width);
        for (unsigned i = first; i < first + PART && width > 0; i++)
            pack_number_bits(&p, ((uint64_t)d->block[i] - (uint64_t)least) & mask, width);
        end_bits(d->to, &p);
    }
    d->count = 0;
}

static void add_to_block(delta_coder *d, int64_t difference)
{
    d->block[d->count++] = difference;
    if (d->count == DELTA_BLOCK)
        end_delta_block(d);
}

void delta_run(delta_coder *d, uint64_t value, uint32_t count, bool counts_up)
{
    if (d->begun)
        add_to_block(d, wrapped_difference(d, value - d->last));
    else
        begin_delta(d, value);
    for (uint32_t left = count - 1; left > 0;) {
        if (d->count == 0 && left >= DELTA_BLOCK) { /* a block of equal differences has no bits but these */
            bytes_zigzag(d->to, counts_up);
            bytes_low(d->to, 0, PARTS);
            left -= DELTA_BLOCK;
        } else {
            const uint32_t room = DELTA_BLOCK - d->count, now = left < room ? left : room;
            for (uint32_t i = 0; i < now; i++)
                d->block[d->count + i] = counts_up;
            left -= now;
            d->count += now;
            if (d->count == DELTA_BLOCK)
                end_delta_block(d);
        }
    }
    d->last = counts_up ? value + count - 1 : value;
}

void delta_end(delta_coder *d)
{
    if (!d->begun)
        begin_delta(d, 0);
    if (d->count > 0)
        end_delta_block(d);
}

/* ---- Thrift */

void thrift_member(byte_buffer *b, unsigned *last, unsigned id, unsigned type)
{
    *bytes_more(b, 1) = (uint8_t)((id - *last) << 4 | type);
    *last = id;
}

void thrift_i32(byte_buffer *b, unsigned *last, unsigned id, int64_t number)
{
    thrift_member(b, last, id, THRIFT_I32);
    bytes_zigzag(b, number);
}

void thrift_i64(byte_buffer *b, unsigned *last, unsigned id, uint64_t number)
{
    thrift_member(b, last, id, THRIFT_I64);
    bytes_zigzag(b, (int64_t)number);
}

void thrift_binary(byte_buffer *b, unsigned *last, unsigned id, const void *text, size_t size)
{
    thrift_member(b, last, id, THRIFT_BINARY);
    bytes_varint(b, size);
    bytes_copy(b, text, size);
}

void thrift_list(byte_buffer *b, unsigned *last, unsigned id, unsigned type, size_t count)
{
    enum { LONG = 15 };
    thrift_member(b, last, id, THRIFT_LIST);
    *bytes_more(b, 1) = (uint8_t)((count < LONG ? count : LONG) << 4 | type);
    if (count >= LONG)
        bytes_varint(b, count);
}

void thrift_empty(byte_buffer *b, unsigned *last, unsigned id)
{
    thrift_member(b, last, id, THRIFT_STRUCT);
    thrift_stop(b);
}

void thrift_stop(byte_buffer *b)
{
    *bytes_more(b, 1) = 0;
}
