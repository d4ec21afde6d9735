/* parquet_bytes.h - bytes that grow, and what Parquet files are made of: packed bits, runs, differences, Thrift.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_PARQUET_BYTES_H
#define PKTC_PARQUET_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct byte_buffer { /* all zero: none, and no memory */
    uint8_t *at;
    size_t size, room;
} byte_buffer;

void bytes_grow(byte_buffer *b, size_t more);

/* Room for more bytes behind those that are there; and more bytes. */
static inline uint8_t *bytes_room(byte_buffer *b, size_t more)
{
    if (b->room - b->size < more)
        bytes_grow(b, more);
    return b->at + b->size;
}

static inline uint8_t *bytes_more(byte_buffer *b, size_t more)
{
    uint8_t *at = bytes_room(b, more);
    b->size += more;
    return at;
}

void bytes_copy(byte_buffer *b, const void *from, size_t size);
void bytes_free(byte_buffer *b);

/* The low bytes of a number, the lowest first; and 7 bits in each byte, of which all but the last have the highest bit set,
 * also of a signed number. */
void bytes_low(byte_buffer *b, uint64_t number, unsigned count);
void bytes_varint(byte_buffer *b, uint64_t number);
void bytes_zigzag(byte_buffer *b, int64_t number);

/* One bit of each number: 8 in a byte. */
void bytes_bits(byte_buffer *b, const uint32_t *numbers, uint32_t count);

/* Numbers of a width of up to 32 bits: runs, and packed bits (RLE). */
void bytes_hybrid(byte_buffer *b, const uint32_t *numbers, uint32_t count, unsigned width);

/* Integers of 32 or 64 bits as differences, which wrap (DELTA_BINARY_PACKED). */
enum { DELTA_BLOCK = 128 };
typedef struct delta_coder {
    byte_buffer *to;
    bool wide;
    uint32_t total; /* of integers; those that come are as many */
    bool begun;
    uint64_t last;
    unsigned count; /* of the differences in a block that has not ended */
    int64_t block[DELTA_BLOCK];
} delta_coder;

/* Adds at least one integer: the same again, or counting up. */
void delta_run(delta_coder *d, uint64_t value, uint32_t count, bool counts_up);
void delta_end(delta_coder *d);

/* ---- Thrift's compact protocol: *last is the id of the member before, at first 0 */

enum {
    THRIFT_TRUE = 1,
    THRIFT_FALSE,
    THRIFT_BYTE,
    THRIFT_I32 = 5,
    THRIFT_I64,
    THRIFT_BINARY = 8,
    THRIFT_LIST,
    THRIFT_STRUCT = 12
};
void thrift_member(byte_buffer *b, unsigned *last, unsigned id, unsigned type);
void thrift_i32(byte_buffer *b, unsigned *last, unsigned id, int64_t number);
void thrift_i64(byte_buffer *b, unsigned *last, unsigned id, uint64_t number);
void thrift_binary(byte_buffer *b, unsigned *last, unsigned id, const void *text, size_t size);
void thrift_list(byte_buffer *b, unsigned *last, unsigned id, unsigned type, size_t count);
void thrift_empty(byte_buffer *b, unsigned *last, unsigned id); /* a struct without members */
void thrift_stop(byte_buffer *b);

#endif
