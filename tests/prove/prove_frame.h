/* prove_frame.h - the functions to prove for the frames of packets and of streams, and for the CRC.
 * SPDX-License-Identifier: MIT
 *
 * Data and buffers have 0 to PROVE_FRAME_BYTES bytes, each size separately, and no byte after them; for the end of a packet,
 * also so many that its end check is just stored as whole words, or just not. What is read or
 * written between the parts of a frame ends at any bit of the room that it has, each bit separately: what that is, is
 * proved for each packet.
 */
#ifndef PROVE_FRAME_H
#define PROVE_FRAME_H

#include "pkt_frame.h"

enum { PROVE_FRAME_BYTES = 10, PROVE_FRAME_WORDS = 20 };

static uint8_t prove_frame_storage[PROVE_FRAME_WORDS];

static const pkt_frame prove_frame_checked = {1, "Frame", true};
static const pkt_frame prove_frame_unchecked = {1, "Frame", false};

/* Any bytes at the end of the storage. */
static uint8_t *prove_frame_data(size_t size)
{
    Frama_C_make_unknown((char *)prove_frame_storage, sizeof prove_frame_storage);
    return prove_frame_storage + (sizeof prove_frame_storage - size);
}

/* The end of a packet, after a body of any number of bits or one that has failed. */
static void prove_frame_packet(unsigned size)
{
    const pkt_packet packet = {7, 9, Frama_C_interval(0, 1) != 0};
    const uint64_t limit = 8 * (uint64_t)size;
    uint8_t *data = prove_frame_data(size);
    uint64_t bits = Frama_C_unsigned_int_interval(0, 8 * PROVE_FRAME_BYTES);
    /*@ split bits; */
    if (bits > limit)
        bits = PKT_FAILED;
    (void)pkt_pack_end(&packet, data, limit, bits);
    if (pkt_unpack_crc(&packet, data, limit) && (bits == PKT_FAILED || bits <= limit - 32))
        (void)pkt_unpack_end(&packet, data, limit, bits);
}

/* A frame that is peeked or begun, perhaps both, and ended. */
static void prove_frame_reading(unsigned size, const pkt_frame *frame)
{
    pkt_reader r;
    unsigned bit = Frama_C_unsigned_int_interval(0, 8 * PROVE_FRAME_BYTES);
    /*@ split bit; */
    pkt_reader_init(&r, prove_frame_data(size), size);
    if (Frama_C_interval(0, 1) != 0)
        (void)pkt_reader_frame_peek(&r, frame);
    if (Frama_C_interval(0, 1) != 0)
        (void)pkt_reader_frame_begin(&r, frame, Frama_C_unsigned_int_interval(0, UINT32_MAX));
    if (bit <= r.limit)
        r.bit = bit;
    (void)pkt_reader_frame_end(&r, frame);
}

/* A frame that is begun, perhaps, and ended. The bits of the last byte are in the carry too. */
static void prove_frame_writing(unsigned size, const pkt_frame *frame)
{
    pkt_writer w;
    unsigned bit = Frama_C_unsigned_int_interval(0, 8 * PROVE_FRAME_BYTES);
    /*@ split bit; */
    pkt_writer_init(&w, prove_frame_data(size), size);
    if (Frama_C_interval(0, 1) != 0)
        (void)pkt_writer_frame_begin(&w, frame);
    if (bit <= w.limit) {
        w.bit = bit;
        w.carry = Frama_C_unsigned_int_interval(0, 255);
    }
    (void)pkt_writer_frame_end(&w, frame, Frama_C_unsigned_int_interval(0, UINT32_MAX));
}

void prove_frames(void)
{
    unsigned size = Frama_C_unsigned_int_interval(0, PROVE_FRAME_BYTES);
    /*@ split size; */
    prove_frame_packet(size);
    prove_frame_packet(PROVE_FRAME_WORDS - 1);
    prove_frame_packet(PROVE_FRAME_WORDS);
    prove_frame_reading(size, &prove_frame_checked);
    prove_frame_reading(size, &prove_frame_unchecked);
    prove_frame_writing(size, &prove_frame_checked);
    prove_frame_writing(size, &prove_frame_unchecked);
}

/* The CRC of any bytes, whose contract the frames assume. */
void prove_crc(void)
{
    unsigned size = Frama_C_unsigned_int_interval(0, PROVE_FRAME_BYTES);
    /*@ split size; */
    (void)pkt_crc32(Frama_C_unsigned_int_interval(0, UINT32_MAX), prove_frame_data(size), size);
}

#endif
