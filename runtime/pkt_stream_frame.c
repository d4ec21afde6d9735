/* pkt_stream_frame.c - frames around streams: a checksum before the program's own items, an end check after them.
 * SPDX-License-Identifier: MIT
 *
 * If a buffer does not grow, its last 32 bits are kept for the end check from the beginning. In a reader, the end check
 * is the last 32 bits, or begins up to 7 bits earlier, with as many bits of padding after it.
 */
#include "pkt_memory.h"
#include "pkt_stream.h"

enum { PKT_CRC_BITS = 32, PKT_END_BITS = 32 };

static uint32_t pkt_crc_of_text(uint32_t crc, const char *text)
{
    return pkt_crc32(crc, text, strlen(text));
}

static uint32_t pkt_crc_of_number(uint32_t crc, uint64_t number)
{
    uint8_t bytes[8];
    pkt_store64(bytes, number);
    return pkt_crc32(crc, bytes, sizeof bytes);
}

static uint32_t pkt_frame_crc(const pkt_frame *frame, uint64_t seed, const uint8_t *data, size_t size)
{
    uint32_t crc = pkt_crc_of_text(pkt_crc_of_number(0, frame->protocol_id), frame->name);
    if (seed != 0)
        crc = pkt_crc_of_number(crc, seed);
    return pkt_crc32(crc, data + PKT_CRC_BITS / 8, size - PKT_CRC_BITS / 8);
}

static uint32_t pkt_end_check(const pkt_frame *frame)
{
    return pkt_crc_of_text(pkt_crc_of_text(0, frame->name), ".end");
}

static PKT_COLD bool pkt_writer_fails(pkt_writer *w, const pkt_frame *frame, pkt_code code, const char *field)
{
    pkt_fail_writer(w, code, w->bit, field);
    pkt_error_outer(&w->error, frame->name);
    return false;
}

static PKT_COLD bool pkt_reader_fails(pkt_reader *r, const pkt_frame *frame, pkt_code code, const char *field)
{
    pkt_fail_reader(r, code, r->bit, field);
    pkt_error_outer(&r->error, frame->name);
    return false;
}

/* ---- writing */

bool pkt_writer_frame_begin(pkt_writer *w, const pkt_frame *frame)
{
    pkt_mark start = {0, 0, PKT_OK};
    w->room += w->kept;
    w->kept = 0;
    pkt_writer_rewind(w, start);
    if (pkt_writer_bits_left(w) < PKT_CRC_BITS && !pkt_writer_grow(w, PKT_CRC_BITS))
        return pkt_writer_fails(w, frame, PKT_ERROR_CAPACITY, "crc");
    pkt_store32(w->data, 0);
    w->bit = PKT_CRC_BITS;
    w->framed = true;
    if (w->grows || !frame->end_check)
        return true;
    if (pkt_writer_bits_left(w) < PKT_END_BITS)
        return pkt_writer_fails(w, frame, PKT_ERROR_CAPACITY, "end check");
    w->kept = PKT_END_BITS;
    w->room -= PKT_END_BITS;
    w->limit = w->room;
    return true;
}

static bool pkt_put_end_check(pkt_writer *w, const pkt_frame *frame)
{
    const unsigned shift = (unsigned)(w->bit % 8);
    uint64_t word = w->carry | (uint64_t)pkt_end_check(frame) << shift;
    uint8_t *end;
    if (w->room + w->kept - w->bit < PKT_END_BITS && !pkt_writer_grow(w, PKT_END_BITS))
        return pkt_writer_fails(w, frame, PKT_ERROR_CAPACITY, "end check");
    end = w->data + w->bit / 8;
    pkt_store32(end, (uint32_t)word);
    w->carry = word >> PKT_END_BITS;
    if (shift != 0)
        end[PKT_END_BITS / 8] = (uint8_t)w->carry;
    w->bit += PKT_END_BITS;
    return true;
}

size_t pkt_writer_frame_end(pkt_writer *w, const pkt_frame *frame, uint64_t seed)
{
    size_t size;
    if (w->error.code != PKT_OK)
        return 0;
    if (!w->framed || w->bit < PKT_CRC_BITS) {
        pkt_writer_fails(w, frame, PKT_ERROR_VALUE, "crc (no frame was begun)");
        return 0;
    }
    if (frame->end_check && !pkt_put_end_check(w, frame))
        return 0;
    size = (size_t)((w->bit + 7) / 8);
    pkt_store32(w->data, pkt_frame_crc(frame, seed, w->data, size));
    return size;
}

/* ---- reading */

/* Counts the end of the data again. */
static void pkt_take_back(pkt_reader *r)
{
    r->limit += r->kept;
    r->kept = 0;
}

bool pkt_reader_frame_begin(pkt_reader *r, const pkt_frame *frame, uint64_t seed)
{
    if (r->error.code != PKT_OK)
        return false;
    pkt_take_back(r);
    if (r->limit >= PKT_CRC_BITS &&
        pkt_load32(r->data) != pkt_frame_crc(frame, seed, r->data, (size_t)(r->limit / 8))) {
        r->bit = 0;
        return pkt_reader_fails(r, frame, PKT_ERROR_CRC, "crc");
    }
    return pkt_reader_frame_peek(r, frame);
}

bool pkt_reader_frame_peek(pkt_reader *r, const pkt_frame *frame)
{
    if (r->error.code != PKT_OK)
        return false;
    pkt_take_back(r);
    r->bit = 0;
    if (r->limit < PKT_CRC_BITS)
        return pkt_reader_fails(r, frame, PKT_ERROR_END, "crc");
    r->bit = PKT_CRC_BITS;
    if (!frame->end_check)
        return true;
    if (r->limit < PKT_CRC_BITS + PKT_END_BITS)
        return pkt_reader_fails(r, frame, PKT_ERROR_END, "end check");
    r->kept = PKT_END_BITS;
    r->limit -= PKT_END_BITS;
    return true;
}

/* The next 32 bits, which are in the data. */
static uint32_t pkt_take_end_check(const pkt_reader *r)
{
    const uint8_t *at = r->data + r->bit / 8;
    uint64_t word = pkt_load32(at);
    if (r->bit % 8 != 0)
        word |= (uint64_t)at[PKT_END_BITS / 8] << PKT_END_BITS;
    return (uint32_t)(word >> r->bit % 8);
}

bool pkt_reader_frame_end(pkt_reader *r, const pkt_frame *frame)
{
    if (r->error.code != PKT_OK)
        return false;
    pkt_take_back(r);
    if (frame->end_check) {
        if (pkt_reader_bits_left(r) < PKT_END_BITS)
            return pkt_reader_fails(r, frame, PKT_ERROR_END, "end check");
        if (pkt_take_end_check(r) != pkt_end_check(frame))
            return pkt_reader_fails(r, frame, PKT_ERROR_CHECK, "end check");
        r->bit += PKT_END_BITS;
    }
    if (pkt_reader_finish(r))
        return true;
    pkt_error_outer(&r->error, frame->name);
    return false;
}
