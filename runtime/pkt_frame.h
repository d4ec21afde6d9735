/* pkt_frame.h - what T_write, T_read, T_pack and T_unpack of generated code call: streams, and packets in buffers.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_codec.h. Programs do not use this header.
 *
 * A packet in a buffer is a CRC of 32 bits, the body, an end check of 32 bits that follows the last bit of the body,
 * and zeros up to the next byte. With --no-checks there is no end check. Functions whose names contain _body work on
 * the body and the zeros alone.
 */
#ifndef PKT_FRAME_H
#define PKT_FRAME_H

#include "pkt_explain.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- streams ---------------------------------------------------------------------------------------------- */

/* A cursor at the position of a stream. It refers to the stream, because the functions of nested types work on that. */
PKT_INLINE void pkt_writer_cursor(pkt_cursor *c, pkt_writer *w)
{
    pkt_cursor_init(c, w->data, NULL, w->bit, w->limit, w->carry, w->refs);
    c->writer = w;
}

PKT_INLINE void pkt_reader_cursor(pkt_cursor *c, pkt_reader *r)
{
    pkt_cursor_init(c, NULL, r->data, r->bit, r->limit, 0, r->refs);
    c->reader = r;
}

PKT_INLINE void pkt_measure_cursor(pkt_cursor *c, uint64_t bit)
{
    pkt_cursor_init(c, NULL, NULL, bit, 0, 0, NULL);
}

/* The cursor of a writer or reader that has just been initialized. Its bit is the constant 0, so words need no shift:
 * `fresh` says so. Without optimization no constant is known. */
#if defined(PKT_OPTIMIZED) || !defined(__GNUC__)
#define PKT_FRESH_ true
#else
#define PKT_FRESH_ false
#endif

PKT_INLINE void pkt_writer_start(pkt_cursor *c, pkt_writer *w)
{
    pkt_cursor_init(c, w->data, NULL, 0, w->limit, 0, w->refs);
    c->writer = w;
    c->fresh = PKT_FRESH_;
}

PKT_INLINE void pkt_reader_start(pkt_cursor *c, pkt_reader *r)
{
    pkt_cursor_init(c, NULL, r->data, 0, r->limit, 0, r->refs);
    c->reader = r;
    c->fresh = PKT_FRESH_;
}

/* Moves a stream to the position of its cursor. Always true. */
PKT_INLINE bool pkt_writer_advance(pkt_writer *w, const pkt_cursor *c)
{
    w->bit = c->bit;
    w->carry = c->carry;
    return true;
}

PKT_INLINE bool pkt_reader_advance(pkt_reader *r, const pkt_cursor *c)
{
    r->bit = c->bit;
    return true;
}

/* Moves a cursor to where a called function has left the stream. */
PKT_INLINE void pkt_cursor_follow_writer(pkt_cursor *c)
{
    c->bit = c->writer->bit;
    c->carry = c->writer->carry;
}

PKT_INLINE void pkt_cursor_follow_reader(pkt_cursor *c)
{
    c->bit = c->reader->bit;
}

/* After a failure, moves a stream back to where its cursor started. Always false. */
PKT_INLINE bool pkt_writer_back(pkt_writer *w, const pkt_cursor *c)
{
    w->bit = c->start;
    w->carry = c->start_carry;
    return false;
}

PKT_INLINE bool pkt_reader_back(pkt_reader *r, const pkt_cursor *c)
{
    r->bit = c->start;
    return false;
}

/* Stands for a number of bits where a function has failed: more than any buffer has. */
#define PKT_FAILED UINT64_MAX

/* More bits than any memory has, but so few that adding the size of an item does not wrap. */
#define PKT_ENDLESS (UINT64_MAX / 4 * 3)

/* The result of T_measure: the bits from start_bit to end_bit. If the value cannot be written, end_bit is PKT_FAILED.
 * If the sum of start_bit and the size has wrapped, it counts as PKT_FAILED too. So start_bit plus the result never
 * wraps. */
PKT_INLINE uint64_t pkt_measured(uint64_t start_bit, uint64_t end_bit)
{
    return (end_bit >= start_bit ? end_bit : PKT_FAILED) - start_bit;
}

/* ---- packets ---------------------------------------------------------------------------------------------- */

/* The bytes of a body of this many bits; 0 for PKT_FAILED, because the sum wraps. */
PKT_INLINE size_t pkt_body_bytes(uint64_t bits)
{
    return (size_t)((bits + 7) / 8);
}

/* Initializes a stream for a body of at most `limit` bits, but only those members that generated code uses. */
PKT_INLINE void pkt_body_writer(pkt_writer *w, uint8_t *data, uint64_t limit)
{
    w->data = data;
    w->bit = 0;
    w->limit = limit;
    w->carry = 0;
    w->grows = false;
    w->refs = NULL;
    w->error.code = PKT_OK;
}

PKT_INLINE void pkt_body_reader(pkt_reader *r, const uint8_t *data, uint64_t limit)
{
    r->data = data;
    r->bit = 0;
    r->limit = limit;
    r->refs = NULL;
    r->error.code = PKT_OK;
}

/* Whether a body ends at the last byte of its data: all whole bytes were read, and the unused bits of the last one are
 * zero. `bits` is what was read, or PKT_FAILED. */
PKT_INLINE bool pkt_body_ends(const uint8_t *data, uint64_t limit, uint64_t bits)
{
    /* The prover does not know that a bit inside a byte is before the end of the data. */
#ifdef PKT_BYTEWISE
    if (bits >= limit)
        return bits == limit;
#endif
    return bits != PKT_FAILED && limit - bits < 8 && (bits % 8 == 0 || data[bits / 8] >> bits % 8 == 0);
}

/* The same for the body of a delta, where nobody can predict whether it ends with a whole byte: it does not branch on
 * that. */
PKT_INLINE bool pkt_delta_body_ends(const uint8_t *data, uint64_t limit, uint64_t bits)
{
#ifdef PKT_BYTEWISE
    return pkt_body_ends(data, limit, bits);
#else
    return bits != PKT_FAILED && limit - bits < 8 && (limit == 0 || data[limit / 8 - 1] >> (8 - (limit - bits)) == 0);
#endif
}

/* Completes a packet: writes the end check after the body, and the CRC before it. The body was written at data + 4, and
 * has `bits` bits, or PKT_FAILED. `limit` is the size of the buffer in bits. crc_start is the CRC of the protocol id
 * and the packet's name, with which the CRC of each packet starts. Returns the size of the packet in bytes, or 0 if it
 * has failed or does not fit. */
size_t pkt_pack_end(uint8_t *data, uint64_t limit, uint64_t bits, uint32_t crc_start, uint32_t end_check);
size_t pkt_pack_end_unchecked(uint8_t *data, uint64_t limit, uint64_t bits, uint32_t crc_start);

/* pkt_unpack_crc checks the CRC, before anything is read. The others check, after reading, that the end check is right
 * and that nothing is left over. `limit` is the size of the packet in bits; `bits` is the size of the body. */
bool pkt_unpack_crc(const uint8_t *data, uint64_t limit, uint32_t crc_start);
bool pkt_unpack_end(const uint8_t *data, uint64_t limit, uint64_t bits, uint32_t end_check);
bool pkt_unpack_end_unchecked(const uint8_t *data, uint64_t limit, uint64_t bits);

/* ---- failures --------------------------------------------------------------------------------------------- */

/* What is needed to report why a packet, or a delta of it, cannot be written or read. */
typedef struct pkt_packet {
    const pkt_type *type;
    pkt_explainer *explain; /* pkt_explain_type or pkt_explain_delta */
    uint32_t crc_start, end_check;
    bool has_end_check;
} pkt_packet;

/* After a write has failed: makes room if the writer can grow. Returns true if it has grown, so that the write is to be
 * repeated. Otherwise sets the error of the stream: pkt_explain.h finds the reason and the field. */
bool pkt_write_again(pkt_writer *w, const void *v, const pkt_type *type);
bool pkt_write_delta_again(pkt_writer *w, const void *base, const void *v, const pkt_type *type);

/* After a read has failed: sets the error of the stream. Always false. */
bool pkt_read_failed(pkt_reader *r, void *v, const pkt_type *type);
bool pkt_write_coded_again(pkt_writer *w, const void *base, const void *v, const pkt_type *type);
bool pkt_write_predicted_again(pkt_writer *w, const void *base, const void *v, const pkt_type *type);
bool pkt_read_coded_failed(pkt_reader *r, const void *base, void *v, const pkt_type *type);
bool pkt_read_predicted_failed(pkt_reader *r, const void *base, void *v, const pkt_type *type);
bool pkt_read_delta_failed(pkt_reader *r, const void *base, void *v, const pkt_type *type);

/* Returns `packed`, the size of a packet in bytes. If that is 0, finds out why and stores it in *error, unless error is
 * NULL. The functions with fewer parameters are for packets without refs that are not deltas: arguments that are not on
 * the stack make for less code. base is the baseline of a delta, else NULL. */
size_t pkt_packed(size_t packed, const pkt_packet *packet, const void *v, const void *data, size_t size,
                  pkt_error *error);
size_t pkt_packed_body(size_t packed, const pkt_packet *packet, const void *v, const void *data, size_t size,
                       pkt_error *error);
size_t pkt_packed_with(size_t packed, const pkt_packet *packet, const void *base, pkt_refs *refs, const void *v,
                       const void *data, size_t size, pkt_error *error);
size_t pkt_packed_body_with(size_t packed, const pkt_packet *packet, const void *base, pkt_refs *refs, const void *v,
                            const void *data, size_t size, pkt_error *error);

/* Returns `unpacked`. If that is false, finds out why and stores it in *error, unless error is NULL. To find out takes
 * several times as long as a read: without an error, a packet that is refused costs no more than one that is not. */
bool pkt_unpacked(bool unpacked, const pkt_packet *packet, void *v, const void *data, size_t size, pkt_error *error);
bool pkt_unpacked_body(bool unpacked, const pkt_packet *packet, void *v, const void *data, size_t size,
                       pkt_error *error);
bool pkt_unpacked_with(bool unpacked, const pkt_packet *packet, const void *base, pkt_refs *refs, void *v,
                       const void *data, size_t size, pkt_error *error);
bool pkt_unpacked_body_with(bool unpacked, const pkt_packet *packet, const void *base, pkt_refs *refs, void *v,
                            const void *data, size_t size, pkt_error *error);

/* Clears *error, unless error is NULL. Always true. */
bool pkt_no_error(pkt_error *error);

#ifdef __cplusplus
}
#endif

#endif
