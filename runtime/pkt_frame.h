/* pkt_frame.h - the cursors of streams and of packets in buffers, on which T_serialize and T_delta work.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_inside.h. Programs do not use this header.
 */
#ifndef PKT_FRAME_H
#define PKT_FRAME_H

#include "pkt_explain.h"
#include "pkt_packet.h"

PKT_C_BEGIN

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

/* The cursor of a writer or reader that has just been initialized. Its bit is the constant 0, so words need no shift:
 * `fresh` says so. Without optimization no constant is known. */
#if defined(PKT_OPTIMIZED) || !defined(__GNUC__)
enum { PKT_FRESH = true };
#else
enum { PKT_FRESH = false };
#endif

PKT_INLINE void pkt_writer_start(pkt_cursor *c, pkt_writer *w)
{
    pkt_cursor_init(c, w->data, NULL, 0, w->limit, 0, w->refs);
    c->writer = w;
    c->fresh = PKT_FRESH;
}

PKT_INLINE void pkt_reader_start(pkt_cursor *c, pkt_reader *r)
{
    pkt_cursor_init(c, NULL, r->data, 0, r->limit, 0, r->refs);
    c->reader = r;
    c->fresh = PKT_FRESH;
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

/* More bits than any memory has, but so few that adding the size of an item does not wrap. */
#define PKT_ENDLESS (UINT64_MAX / 4 * 3)

PKT_INLINE void pkt_measure_cursor(pkt_cursor *c, uint64_t bit)
{
    pkt_cursor_init(c, NULL, NULL, bit, PKT_ENDLESS, 0, NULL);
}

/* The result of T_measure: the bits from start_bit to end_bit. If the value cannot be written, end_bit is PKT_FAILED.
 * If the sum of start_bit and the size has wrapped, it counts as PKT_FAILED too. So start_bit plus the result never
 * wraps. */
PKT_INLINE uint64_t pkt_measured(uint64_t start_bit, uint64_t end_bit)
{
    return (end_bit >= start_bit ? end_bit : PKT_FAILED) - start_bit;
}

/* ---- packets ---------------------------------------------------------------------------------------------- */

/* Initializes a stream for a body of at most `limit` bits, but only those members that generated code uses. */
PKT_INLINE void pkt_body_writer(pkt_writer *w, uint8_t *data, uint64_t limit, pkt_refs *refs)
{
    w->data = data;
    w->bit = 0;
    w->limit = limit;
    w->carry = 0;
    w->grows = false;
    w->refs = refs;
    w->part = NULL;
    w->error.code = PKT_OK;
}

PKT_INLINE void pkt_body_reader(pkt_reader *r, const uint8_t *data, uint64_t limit, pkt_refs *refs)
{
    r->data = data;
    r->bit = 0;
    r->limit = limit;
    r->refs = refs;
    r->part = NULL;
    r->error.code = PKT_OK;
}

/* Clears *error, unless error is NULL. Always true. */
PKT_API bool pkt_no_error(pkt_error *error);

PKT_C_END

#endif
