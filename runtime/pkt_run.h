/* pkt_run.h - runs: rows of fields at known offsets, packed into words.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it by pkt_codec.h. Programs do not use this header.
 *
 * A run's base may be any bit: `shift` is the base's bit in its byte. A word holds 56 bits of the run from a whole byte on, so
 * that with the shift it is within 64: one load, or one store of 8 bytes whose upper ones are stored again by the next word.
 * Words of which 8 bytes are verified to be inside the buffer are loaded and stored at once; an edge word asks whether they
 * are, and takes the bytes it may have where not.
 *
 * The run that a packet begins with is at a bit that is known when this is compiled, and that bit a byte's first: nothing is
 * shifted, nothing asked. Its words take all 64 bits, and end with the run; reading, a load a field costs less than words
 * that hand on what they have. The lines of generated code are the same for both.
 */
#ifndef PKT_RUN_H
#define PKT_RUN_H

#include "pkt_cursor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- at a known bit */

/* The 8 bytes of which some hold a field of 56 bits or fewer; no others than those that are verified. */
PKT_INLINE uint64_t pkt_get_known(const pkt_cursor *c, const unsigned bits, const uint64_t at)
{
    const uint64_t last = (c->verified + 7) / 8 - 8, start = at / 8 < last ? at / 8 : last;
    return pkt_load64(c->from + start) >> (at - 8 * start) & pkt_mask(bits);
}

/* A field that fills the word begins the next one with what is left of it. */
PKT_INLINE void pkt_put_known(pkt_cursor *c, uint64_t raw, const unsigned bits, const uint64_t at)
{
    const unsigned filled = (unsigned)(at - 8 * (uint64_t)c->byte);
    c->word |= raw << filled;
    if (filled + bits < 64)
        return;
    pkt_store64(c->to + c->byte, c->word);
    c->word = filled + bits > 64 ? raw >> (64 - filled) : 0;
    c->byte += 8;
}

/* ---- anywhere */

/* Whether a run begins so near the buffer's end that 8 bytes may not be stored there. Where they may, there is room for the 56
 * bits of its first word. */
PKT_INLINE bool pkt_is_near_end(const pkt_cursor *c)
{
    return c->byte + 8 > (size_t)(c->limit / 8);
}

/* The word at a byte of the run as the 8 bytes with which its fields end, at bit `ending` of the run. So many bits are before
 * that, and verified, that they are inside the buffer. */
PKT_INLINE uint64_t pkt_load_ending(const pkt_cursor *c, const unsigned at, const uint64_t ending)
{
#ifdef PKT_BYTEWISE
    (void)ending;
    return pkt_load_edge(c->from, c->byte + at, (size_t)(c->limit / 8)) >> c->shift;
#else
    const size_t start = (size_t)((c->bit + ending + 7) / 8) - 8;
    return pkt_load64(c->from + start) >> (c->bit + 8 * at - 8 * start);
#endif
}

/* ending: at an edge, the bit with which the word ends where pkt_load_ending can read it, or 0. */
PKT_INLINE void pkt_open(const pkt_mode mode, pkt_cursor *c, const unsigned at, const bool edge, const uint64_t ending)
{
    c->at = at;
    c->edge = edge;
    c->word = 0;
    if (mode == PKT_READ) {
        if (ending != 0)
            c->word = pkt_load_ending(c, at, ending);
        else if (edge)
            c->word = pkt_load_edge(c->from, c->byte + at, (size_t)(c->limit / 8)) >> c->shift;
        else
            c->word = pkt_load64(c->from + c->byte + at) >> c->shift;
    }
}

/* Stores the open word, of which count bytes have bits; the bytes from `next` of the run on are carried. apart: these are two
 * bytes on or more, so that nothing is left of what was carried here, 14 bits at most: words need not wait for each other. */
PKT_INLINE void pkt_flush(pkt_cursor *c, const unsigned count, const unsigned next, const bool apart)
{
    const uint64_t own = c->word << c->shift, v = c->carry | own;
    if (c->edge)
        pkt_store_edge(c->to, c->byte + c->at, (size_t)((c->known ? c->verified + 7 : c->limit) / 8), v, count);
    else
        pkt_store64(c->to + c->byte + c->at, v);
    c->carry = (apart ? own : v) >> 8 * (next - c->at);
}

/* ---- a run */

PKT_INLINE void pkt_run(const pkt_mode mode, pkt_cursor *c, const bool edge, const uint64_t ending)
{
    if (mode != PKT_WRITE && mode != PKT_READ)
        return;
    c->fresh = false;
    c->byte = (size_t)(c->bit / 8);
    c->shift = (unsigned)(c->bit % 8);
    pkt_open(mode, c, 0, edge, ending);
}

/* The run that a type begins with, 8 bytes of which are verified; of a packet it is at a known bit, and nothing is carried yet. */
PKT_INLINE void pkt_first_run(const pkt_mode mode, pkt_cursor *c)
{
    c->known = c->fresh && (mode == PKT_WRITE || mode == PKT_READ);
    if (!c->known) {
        pkt_run(mode, c, false, 0);
        return;
    }
    c->fresh = false;
    c->byte = (size_t)(c->bit / 8);
    c->at = 0;
    c->edge = true;
}

PKT_INLINE void pkt_word(const pkt_mode mode, pkt_cursor *c, const unsigned at, const bool edge, const uint64_t ending)
{
    if (c->known) {
        c->at = at;
        return;
    }
    if (mode == PKT_WRITE)
        pkt_flush(c, at - c->at, at, at - c->at >= 2);
    if (mode == PKT_WRITE || mode == PKT_READ)
        pkt_open(mode, c, at, edge, ending);
}

PKT_INLINE void pkt_end(const pkt_mode mode, pkt_cursor *c, const uint64_t bits)
{
    if (mode == PKT_WRITE) {
        const unsigned end = c->known ? (unsigned)(c->bit + bits - 8 * (uint64_t)c->byte) : c->shift + (unsigned)bits;
        if (c->known)
            c->at = 0;
        pkt_flush(c, (end + 7) / 8 - c->at, end / 8, false);
    }
    if (mode != PKT_EXPLAIN)
        c->bit += bits;
    /* Only where it was: of this and a member's store behind another branch clang makes one, and keeps the cursor in memory. */
    if (c->known)
        c->known = false;
}

/* ---- a run that varies: small fields of which some may be missing, 56 bits at most and all in one word. Reading, bits behind
 * the data are 0, until its end asks for all of them. */

/* The word as the 8 bytes with which the run ends at most, or the data: those have at least one bit behind the run's start, and 8
 * bytes in all. */
PKT_INLINE uint64_t pkt_load_varying(const pkt_cursor *c, const uint64_t most)
{
#ifdef PKT_BYTEWISE
    (void)most;
    return pkt_load_edge(c->from, (size_t)(c->bit / 8), (size_t)(c->limit / 8)) >> c->bit % 8;
#else
    const size_t end = (size_t)((c->bit + most + 7) / 8), size = (size_t)(c->limit / 8),
                 start = (end < size ? end : size) - 8;
    return pkt_load64(c->from + start) >> (c->bit - 8 * start);
#endif
}

/* most: at an edge, as many bits as the run has at most where pkt_load_varying can read it, or 0. */
PKT_INLINE void pkt_varying_run(const pkt_mode mode, pkt_cursor *c, const bool edge, const uint64_t most)
{
    if (mode != PKT_READ || !edge) {
        pkt_run(mode, c, edge, 0);
        return;
    }
    c->fresh = false;
    if (most != 0)
        c->word = pkt_load_varying(c, most);
    else
        c->word = pkt_load_end(c->from, (size_t)(c->bit / 8), (size_t)(c->limit / 8)) >> c->bit % 8;
}

/* So many bits are there of what may be missing: what is behind them stands so much further on than it says. */
PKT_INLINE void pkt_varied(const pkt_mode mode, pkt_cursor *c, const unsigned bits)
{
    if (mode == PKT_WRITE) {
        c->carry |= c->word << c->shift;
        c->word = 0;
        c->shift += bits;
    }
    if (mode == PKT_READ)
        c->word >>= bits;
    if (mode != PKT_EXPLAIN)
        c->bit += bits;
}

/* A field of so many bits, 56 at most, from a bit of the open word on. */
PKT_INLINE void pkt_put(pkt_cursor *c, uint64_t raw, const unsigned bits, const unsigned at)
{
    if (c->known)
        pkt_put_known(c, raw, bits, c->bit + 8 * c->at + at);
    else
        c->word |= raw << at;
}

PKT_INLINE uint64_t pkt_get(const pkt_cursor *c, const unsigned bits, const unsigned at)
{
    return c->known ? pkt_get_known(c, bits, c->bit + 8 * c->at + at) : c->word >> at & pkt_mask(bits);
}

/* What pkt_get would shift and mask, for who does so himself: a word, and the bit that the field begins at in it. */
PKT_INLINE uint64_t pkt_get_word(const pkt_cursor *c, const unsigned bits, const unsigned at)
{
    return c->known ? pkt_get_known(c, bits, c->bit + 8 * c->at + at) : c->word;
}

PKT_INLINE unsigned pkt_get_bit(const pkt_cursor *c, const unsigned at)
{
    return c->known ? 0 : at;
}

/* A field that stands across two words: its low bits end the open word, the others are at high_at of the word at `byte`. */
PKT_INLINE void pkt_put_across(pkt_cursor *c, uint64_t raw, const unsigned bits, const unsigned at, const unsigned low,
                               const unsigned byte, const unsigned high_at, const bool edge)
{
    pkt_put(c, raw & pkt_mask(low), low, at);
    pkt_word(PKT_WRITE, c, byte, edge, 0);
    pkt_put(c, raw >> low, bits - low, high_at);
}

PKT_INLINE uint64_t pkt_get_across(pkt_cursor *c, const unsigned bits, const unsigned at, const unsigned low,
                                   const unsigned byte, const unsigned high_at, const bool edge)
{
    uint64_t raw = pkt_get(c, low, at);
    pkt_word(PKT_READ, c, byte, edge, 0);
    return raw | pkt_get(c, bits - low, high_at) << low;
}

/* ---- the lines of generated code -------------------------------------------------------------------------- */

/* A run begins, with its word at byte 0, the type's first run or another; the word at a later byte of it opens; the run of so
 * many bits ends. */
#define PKT_FIRST_RUN() pkt_first_run(mode, c)
#define PKT_RUN() pkt_run(mode, c, false, 0)
#define PKT_RUN_EDGE() pkt_run(mode, c, true, 0)
/* ENDING: an edge whose fields end at bit `end` of the run, which a reader loads by that. */
#define PKT_RUN_ENDING(end) pkt_run(mode, c, true, (end))
#define PKT_WORD(byte) pkt_word(mode, c, (byte), false, 0)
#define PKT_WORD_EDGE(byte) pkt_word(mode, c, (byte), true, 0)
#define PKT_WORD_ENDING(byte, end) pkt_word(mode, c, (byte), true, (end))
#define PKT_END(bits) pkt_end(mode, c, (bits))

/* A run in which fields may be missing. ENDING: an edge, and the run has so many bits at most, which a reader loads by that.
 * VARIED: so many bits are there of what may be missing. END: with so many bits of what is always there; all of it has to be
 * there, and `rest` more. */
#define PKT_VARYING_RUN() pkt_varying_run(mode, c, false, 0)
#define PKT_VARYING_RUN_EDGE() pkt_varying_run(mode, c, true, 0)
#define PKT_VARYING_RUN_ENDING(most) pkt_varying_run(mode, c, true, (most))
#define PKT_VARIED(bits) pkt_varied(mode, c, (bits))
#define PKT_VARYING_END(bits, rest) \
    do {                            \
        PKT_NEED((bits) + (rest));  \
        PKT_END(bits);              \
    } while (0)
#ifdef __cplusplus
}
#endif

#endif
