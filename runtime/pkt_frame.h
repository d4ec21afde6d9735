/* pkt_frame.h - between programs and generated code: streams, and packets in buffers with their checks.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it by pkt_codec.h. Programs do not use this header.
 */
#ifndef PKT_FRAME_H
#define PKT_FRAME_H

#include "pkt_explain.h"
#include "pkt_run.h"

#ifdef __cplusplus
extern "C" {
#endif

PKT_INLINE pkt_cursor pkt_writer_cursor(const pkt_writer *w)
{
    return pkt_cursor_at(w->data, NULL, w->bit, w->limit, w->carry, w->refs);
}

PKT_INLINE void pkt_writer_advance(pkt_writer *w, const pkt_cursor *c)
{
    w->bit = c->bit;
    w->carry = c->carry;
}

PKT_INLINE pkt_cursor pkt_reader_cursor(const pkt_reader *r)
{
    return pkt_cursor_at(NULL, r->data, r->bit, r->limit, 0, r->refs);
}

PKT_INLINE void pkt_reader_advance(pkt_reader *r, const pkt_cursor *c)
{
    r->bit = c->bit;
}

PKT_INLINE pkt_cursor pkt_measure_cursor(uint64_t start_bit)
{
    return pkt_cursor_at(NULL, NULL, start_bit, 0, 0, NULL);
}

/* A packet in a buffer, its body from `bit` on: 32 where a CRC is in front, which is left out here, else 0. Of a size that no
 * buffer has, the limit is less than the size, never more. */
PKT_INLINE pkt_cursor pkt_pack_cursor(void *data, size_t size, const uint64_t bit, pkt_refs *refs)
{
    pkt_cursor c = pkt_cursor_at((uint8_t *)data, NULL, bit, pkt_size_bits(data, size), 0, refs);
    c.fresh = true;
    return c;
}

PKT_INLINE pkt_cursor pkt_unpack_cursor(const void *data, size_t size, const uint64_t bit, pkt_refs *refs)
{
    pkt_cursor c = pkt_cursor_at(NULL, (const uint8_t *)data, bit, pkt_size_bits(data, size), 0, refs);
    c.fresh = true;
    return c;
}

/* No error. */
PKT_INLINE size_t pkt_packed(size_t size, pkt_error *error)
{
    if (error != NULL)
        memset(error, 0, sizeof *error);
    return size;
}

PKT_INLINE bool pkt_unpacked(pkt_error *error)
{
    if (error != NULL)
        memset(error, 0, sizeof *error);
    return true;
}

/* The end check: 32 bits straight after the body. */
PKT_INLINE bool pkt_end_check(const pkt_mode mode, pkt_cursor *c, const uint32_t value)
{
    if (mode == PKT_EXPLAIN)
        return pkt_explain_constant(c, value, 32, "end check");
    if (!pkt_need(mode, c, 32))
        return false;
    pkt_run(mode, c, true, 0);
    if (mode == PKT_WRITE)
        pkt_put(c, value, 32, 0);
    if (mode == PKT_READ && pkt_get(c, 32, 0) != value)
        return false;
    pkt_end(mode, c, 32);
    return true;
}

/* --no-checks. */
PKT_INLINE bool pkt_no_end_check(const pkt_mode mode, pkt_cursor *c, const uint32_t value)
{
    (void)mode;
    (void)c;
    (void)value;
    return true;
}

/* Ends a packet that is written up to the cursor, its body from bit `first` on: where that is 32, the CRC is put in front, for
 * which there may have been no room. crc_start: the CRC of protocol id and packet name. */
bool pkt_pack_crc(uint8_t *data, uint64_t bits, uint64_t limit, uint32_t crc_start);
PKT_INLINE bool pkt_pack_finish(const pkt_cursor *c, const uint64_t first, const uint32_t crc_start, size_t *size)
{
    *size = (size_t)((c->bit + 7) / 8);
    return first == 0 || pkt_pack_crc(c->to, c->bit, c->limit, crc_start);
}

/* Whether the CRC is right where there is one, before anything is read; whether the packet ends where its bytes end, after. */
bool pkt_unpack_crc(const uint8_t *data, uint64_t limit, uint32_t crc_start);
PKT_INLINE bool pkt_unpack_begin(const pkt_cursor *c, const uint64_t first, const uint32_t crc_start)
{
    return first == 0 || pkt_unpack_crc(c->from, c->limit, crc_start);
}

PKT_INLINE bool pkt_unpack_finish(const pkt_cursor *c)
{
    /* A proof does not know that a bit that is no byte's first is before the end. */
#ifdef PKT_BYTEWISE
    if (c->bit >= c->limit)
        return c->bit == c->limit;
#endif
    return c->limit - c->bit < 8 && (c->bit % 8 == 0 || c->from[c->bit / 8] >> c->bit % 8 == 0);
}

/* The same judgements with their reasons: c->error is set where they are false, and is no error to begin with: writing a body
 * without a bit looks like a failure, and is none. */
PKT_COLD pkt_cursor pkt_pack_explain(const pkt_cursor *start, pkt_error *error);
PKT_COLD bool pkt_pack_explain_begin(pkt_cursor *c, uint64_t first);
PKT_COLD pkt_cursor pkt_unpack_explain(const pkt_cursor *start, pkt_error *error);
PKT_COLD bool pkt_unpack_explain_begin(pkt_cursor *c, uint64_t first, uint32_t crc_start);
PKT_COLD bool pkt_unpack_explain_finish(pkt_cursor *c);
/* Ends these: the reason found is in a field of `type`. */
PKT_COLD void pkt_explained(const pkt_cursor *c, const char *type);

/* Ends an explanation: the stream has failed for the reason found, in a field of `type`. Always false. */
PKT_COLD bool pkt_writer_explained(pkt_writer *w, const pkt_cursor *c, const char *type);
PKT_COLD bool pkt_reader_explained(pkt_reader *r, const pkt_cursor *c, const char *type);
/* Where the streams stand, for an explanation that puts its findings into the stream's error. */
PKT_COLD pkt_cursor pkt_writer_explain(pkt_writer *w);
PKT_COLD pkt_cursor pkt_reader_explain(pkt_reader *r);

#ifdef __cplusplus
}
#endif

#endif
