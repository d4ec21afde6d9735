/* pkt_frame.h - what the functions T_write, T_read, T_pack and T_unpack of generated code call: streams, and packets in buffers.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it by pkt_codec.h. Programs do not use this header.
 *
 * A packet in a buffer is a CRC of 32 bits, the body, an end check of 32 bits straight after the body's last bit, and zeros up to
 * the next byte. The forms whose names end in _body have the body and the zeros alone. With --no-checks there is no end check.
 */
#ifndef PKT_FRAME_H
#define PKT_FRAME_H

#include "pkt_explain.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- streams ---------------------------------------------------------------------------------------------- */

/* A cursor where a stream is. The writer or reader is there for functions of nested types, which work on it. */
PKT_INLINE pkt_cursor pkt_writer_cursor(pkt_writer *w)
{
    pkt_cursor c = pkt_cursor_at(w->data, NULL, w->bit, w->limit, w->carry, w->refs);
    c.writer = w;
    return c;
}

PKT_INLINE pkt_cursor pkt_reader_cursor(pkt_reader *r)
{
    pkt_cursor c = pkt_cursor_at(NULL, r->data, r->bit, r->limit, 0, r->refs);
    c.reader = r;
    return c;
}

PKT_INLINE pkt_cursor pkt_measure_cursor(uint64_t bit)
{
    return pkt_cursor_at(NULL, NULL, bit, 0, 0, NULL);
}

/* The cursor of a writer or reader that has just been initialised: its bit is the constant 0, so that no word is shifted. */
PKT_INLINE pkt_cursor pkt_writer_start(pkt_writer *w)
{
    pkt_cursor c = pkt_cursor_at(w->data, NULL, 0, w->limit, 0, w->refs);
    c.writer = w;
    c.fresh = true;
    return c;
}

PKT_INLINE pkt_cursor pkt_reader_start(pkt_reader *r)
{
    pkt_cursor c = pkt_cursor_at(NULL, r->data, 0, r->limit, 0, r->refs);
    c.reader = r;
    c.fresh = true;
    return c;
}

/* Moves a stream to its cursor. Always true. */
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

/* The same for a type that calls others, on the same stream. They are quiet: when they fail they return false and do not say
 * why. */
PKT_INLINE pkt_cursor pkt_writer_enter(pkt_writer *w)
{
    pkt_cursor c = pkt_writer_cursor(w);
    c.quiet = w->quiet;
    w->quiet = true;
    return c;
}

PKT_INLINE pkt_cursor pkt_reader_enter(pkt_reader *r)
{
    pkt_cursor c = pkt_reader_cursor(r);
    c.quiet = r->quiet;
    r->quiet = true;
    return c;
}

PKT_INLINE bool pkt_writer_leave(pkt_writer *w, const pkt_cursor *c)
{
    w->quiet = c->quiet;
    return pkt_writer_advance(w, c);
}

PKT_INLINE bool pkt_reader_leave(pkt_reader *r, const pkt_cursor *c)
{
    r->quiet = c->quiet;
    return pkt_reader_advance(r, c);
}

/* A cursor goes to where a function that was called has left the stream. */
PKT_INLINE void pkt_cursor_follow_writer(pkt_cursor *c)
{
    c->bit = c->writer->bit;
    c->carry = c->writer->carry;
}

PKT_INLINE void pkt_cursor_follow_reader(pkt_cursor *c)
{
    c->bit = c->reader->bit;
}

/* Puts a stream back to where its cursor entered. Always false. */
PKT_INLINE bool pkt_writer_back(pkt_writer *w, const pkt_cursor *c)
{
    w->quiet = c->quiet;
    w->bit = c->start;
    w->carry = c->start_carry;
    return false;
}

PKT_INLINE bool pkt_reader_back(pkt_reader *r, const pkt_cursor *c)
{
    r->quiet = c->quiet;
    r->bit = c->start;
    return false;
}

/* What a function returns that has no number of bits to return: more than any buffer has. */
#define PKT_FAILED UINT64_MAX

/* Of a delta: the bits from start_bit to end_bit, 0 where that is PKT_FAILED. */
PKT_INLINE uint64_t pkt_measured(uint64_t start_bit, uint64_t end_bit)
{
    return end_bit != PKT_FAILED ? end_bit - start_bit : 0;
}

/* ---- packets ---------------------------------------------------------------------------------------------- */

/* The bytes of a body of so many bits; 0 for PKT_FAILED, which wraps. */
PKT_INLINE size_t pkt_body_bytes(uint64_t bits)
{
    return (size_t)((bits + 7) / 8);
}

/* Streams over a body of at most `limit` bits: what generated code needs of them, and no more. */
PKT_INLINE void pkt_body_writer(pkt_writer *w, uint8_t *data, uint64_t limit)
{
    w->data = data;
    w->bit = 0;
    w->limit = limit;
    w->carry = 0;
    w->grows = false;
    w->quiet = true;
    w->refs = NULL;
    w->error.code = PKT_OK;
}

PKT_INLINE void pkt_body_reader(pkt_reader *r, const uint8_t *data, uint64_t limit)
{
    r->data = data;
    r->bit = 0;
    r->limit = limit;
    r->quiet = true;
    r->refs = NULL;
    r->error.code = PKT_OK;
}

/* Whether a body that was read as so many bits, or PKT_FAILED, ends where its bytes end: the bits left of the last one are
 * zero. */
PKT_INLINE bool pkt_body_ends(const uint8_t *data, uint64_t limit, uint64_t bits)
{
    /* A proof does not know that a bit that is no byte's first is before the end. */
#ifdef PKT_BYTEWISE
    if (bits >= limit)
        return bits == limit;
#endif
    return bits != PKT_FAILED && limit - bits < 8 && (bits % 8 == 0 || data[bits / 8] >> bits % 8 == 0);
}

/* Ends a packet whose body was written at data + 4 as so many bits, or PKT_FAILED: the end check, and the CRC in front.
 * `limit` is that of the buffer, in bits. crc_start is the CRC of the protocol id and the packet's name, from which that of
 * each packet goes on. Returns the packet's bytes, 0 on failure. */
size_t pkt_pack_end(uint8_t *data, uint64_t limit, uint64_t bits, uint32_t crc_start, uint32_t end_check);
size_t pkt_pack_end_unchecked(uint8_t *data, uint64_t limit, uint64_t bits, uint32_t crc_start);

/* Whether the CRC is there and right, before anything is read; whether the packet ends where its bytes end, after. */
bool pkt_unpack_crc(const uint8_t *data, uint64_t limit, uint32_t crc_start);
bool pkt_unpack_end(const uint8_t *data, uint64_t limit, uint64_t bits, uint32_t end_check);
bool pkt_unpack_end_unchecked(const uint8_t *data, uint64_t limit, uint64_t bits);

/* ---- failures --------------------------------------------------------------------------------------------- */

/* T_explain and T_explain_delta. */
typedef bool pkt_explain(pkt_cursor *c, const void *in, void *out);
typedef bool pkt_explain_delta(pkt_cursor *c, const void *base, const void *in, void *out);

/* What is said of a packet that cannot be written or read; of a delta, too. */
typedef struct pkt_packet {
    const char *name; /* in errors */
    pkt_explain *explain;
    pkt_explain_delta *explain_delta; /* of deltas, else NULL */
    uint32_t crc_start, end_check;
    bool has_end_check;
} pkt_packet;

/* Whether a writer that is not quiet has grown to hold so many more bits, which it had no room for. */
bool pkt_writer_make_room(pkt_writer *w, uint64_t bits);

/* A stream that is not quiet fails, for the reason that `explain` finds, in a field of `type`. Always false. */
bool pkt_write_failed(pkt_writer *w, const void *v, pkt_explain *explain, const char *type);
bool pkt_read_failed(pkt_reader *r, void *v, pkt_explain *explain, const char *type);
bool pkt_write_delta_failed(pkt_writer *w, const void *base, const void *v, pkt_explain_delta *explain,
                            const char *type);
bool pkt_read_delta_failed(pkt_reader *r, const void *base, void *v, pkt_explain_delta *explain, const char *type);

/* A packet of so many bytes, or 0, which are returned: then *error says why, unless error is NULL. base is that of a delta,
 * else NULL. */
size_t pkt_packed(size_t packed, const pkt_packet *packet, const void *base, const void *v, const void *data,
                  size_t size, pkt_refs *refs, pkt_error *error);
size_t pkt_packed_body(size_t packed, const pkt_packet *packet, const void *base, const void *v, const void *data,
                       size_t size, pkt_refs *refs, pkt_error *error);

/* Says in *error, unless error is NULL, why bytes are not unpacked. They are read again up to the first field that is refused: v has the fields before
 * that one, whoever asks or not. Always false. */
bool pkt_unpack_failed(const pkt_packet *packet, const void *base, void *v, const void *data, size_t size,
                       pkt_refs *refs, pkt_error *error);
bool pkt_unpack_body_failed(const pkt_packet *packet, const void *base, void *v, const void *data, size_t size,
                            pkt_refs *refs, pkt_error *error);

/* Clears *error, unless error is NULL. Always true. */
bool pkt_no_error(pkt_error *error);

#ifdef __cplusplus
}
#endif

#endif
