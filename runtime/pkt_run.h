/* pkt_run.h - runs: fields at known offsets from the first one, packed into words.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_inside.h. Programs do not use this header.
 *
 * A run may begin at any bit; `shift` is the number of that bit in its byte. A word has up to 56 bits of the run and
 * begins at a whole byte of it, so that with the shift it fits into 64 bits: it is one load, or one store of 8 bytes,
 * of which the next word stores the upper ones again. If the 8 bytes are known to be in the buffer, the word is loaded
 * or stored at once. Otherwise it is at an edge: the code asks how many bytes are left, and uses only those.
 *
 * The first run of a packet begins at bit 0 of the body, which is known at compile time. It needs no shift, and its
 * words have all 64 bits. They end with the run. When reading, each field is a load of its own, because that is faster
 * than fields that share words. The lines of generated code are the same for both kinds of runs.
 */
#ifndef PKT_RUN_H
#define PKT_RUN_H

#include "pkt_cursor.h"

PKT_C_BEGIN

/* ---- runs at a known bit */

/* Whether the open run is at a known bit. With PKT_CALLS_COST no constant is known, and asking takes longer than a
 * shift. */
#ifdef PKT_CALLS_COST
#define pkt_known(c) ((void)(c), false)
#else
#define pkt_known(c) ((c)->known)
#endif

/* A field of up to 56 bits. Loads 8 bytes that contain it, all of them among the verified ones. */
PKT_INLINE uint64_t pkt_get_known(const pkt_cursor *c, const unsigned bits, const uint64_t at)
{
    const uint64_t last = (c->verified + 7) / 8 - 8, start = at / 8 < last ? at / 8 : last;
    return pkt_load64(c->from + start) >> (at - 8 * start) & pkt_mask(bits);
}

/* A field of up to 56 bits. When the word is full it is stored, and the rest of the field begins the next word. */
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

/* ---- runs at any bit */

/* Whether a run begins less than 8 bytes before the end of the buffer. If it does not, the 56 bits of its first word
 * fit. */
PKT_INLINE bool pkt_is_near_end(const pkt_cursor *c)
{
    return c->byte + 8 > (size_t)(c->limit / 8);
}

/* The word at byte `at` of the run, loaded as the 8 bytes that end with its last field, which ends at bit `ending` of
 * the run. Everything before `ending` is verified, and is at least 8 bytes. */
PKT_INLINE uint64_t pkt_load_ending(const pkt_cursor *c, const unsigned at, const uint64_t ending)
{
    const size_t start = (size_t)((c->bit + ending + 7) / 8) - 8;
    return pkt_load64(c->from + start) >> PKT_SHIFT(c->bit + 8 * at - 8 * start);
}

/* Opens the word at byte `at` of the run. ending: for a word at an edge, the bit of the run at which its last field
 * ends, if pkt_load_ending can load it; else 0. */
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

/* Stores the open word, of which count bytes are in use. The bits from byte `next` of the run on are carried into the
 * next word. apart: `next` is at least two bytes after the start of this word, so all bits carried into this one, 14 at
 * most, are stored. Then the new carry does not depend on the old one, and the processor can work on both words at
 * once. */
PKT_INLINE void pkt_flush(pkt_cursor *c, const unsigned count, const unsigned next, const bool apart)
{
    const uint64_t own = c->word << c->shift, v = c->carry | own;
    if (c->edge)
        pkt_store_edge(c->to, c->byte + c->at, (size_t)(c->limit / 8), v, count);
    else
        pkt_store64(c->to + c->byte + c->at, v);
    c->carry = (apart ? own : v) >> 8 * (next - c->at);
}

/* ---- runs */

PKT_INLINE void pkt_run(const pkt_mode mode, pkt_cursor *c, const bool edge, const uint64_t ending)
{
    if (mode != PKT_WRITE && mode != PKT_READ)
        return;
    c->fresh = false;
    c->byte = (size_t)(c->bit / 8);
    c->shift = (unsigned)(c->bit % 8);
    pkt_open(mode, c, 0, edge, ending);
}

/* The first run of a type; 8 bytes from its start on are verified. At the start of a packet's body it is at a known
 * bit, and nothing is carried. */
PKT_INLINE void pkt_first_run(const pkt_mode mode, pkt_cursor *c)
{
    c->known = c->fresh && (mode == PKT_WRITE || mode == PKT_READ);
    if (!pkt_known(c)) {
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
    if (pkt_known(c)) {
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
        const unsigned end =
            pkt_known(c) ? (unsigned)(c->bit + bits - 8 * (uint64_t)c->byte) : c->shift + (unsigned)bits;
        if (pkt_known(c))
            c->at = 0;
        pkt_flush(c, (end + 7) / 8 - c->at, end / 8, false);
    }
    c->bit += bits;
    /* Only if it was set: clang merges this store with a store to a member of the value, and then keeps the cursor in
     * memory. */
    if (pkt_known(c))
        c->known = false;
}

/* ---- varying runs: small fields, some of which may be absent */

/* A varying run has 56 bits at most, in one word. A reader loads zeros after the end of the data, and checks at the end
 * of the run that all its bits were there. */

/* The word, loaded as the 8 bytes that end where the longest possible run ends, or where the data ends if that is
 * earlier. At least one bit of the run is in the data, and the data has at least 8 bytes. */
PKT_INLINE uint64_t pkt_load_varying(const pkt_cursor *c, const uint64_t most)
{
    const size_t end = (size_t)((c->bit + most + 7) / 8), size = (size_t)(c->limit / 8),
                 start = (end < size ? end : size) - 8;
    return pkt_load64(c->from + start) >> PKT_SHIFT(c->bit - 8 * start);
}

/* most: for a run at an edge, the greatest number of its bits, if pkt_load_varying can load it; else 0. */
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

/* An optional part of the run is present and has this many bits: the fields after it move up by them. */
PKT_INLINE void pkt_varied(const pkt_mode mode, pkt_cursor *c, const unsigned bits)
{
    if (mode == PKT_WRITE) {
        c->carry |= c->word << c->shift;
        c->word = 0;
        c->shift += bits;
    }
    if (mode == PKT_READ)
        c->word >>= bits;
    c->bit += bits;
}

/* A field of up to 56 bits, at bit `at` of the open word. */
#ifdef PKT_CALLS_COST
#define pkt_put_here(c, raw, bits, at) ((void)(bits), (void)((c)->word |= (uint64_t)(raw) << ((at)&63)))
#define pkt_get_here(c, bits, at) (pkt_mask(bits) & (c)->word >> ((at)&63))
#else
PKT_INLINE void pkt_put_here(pkt_cursor *c, uint64_t raw, const unsigned bits, const unsigned at)
{
    if (pkt_known(c))
        pkt_put_known(c, raw, bits, c->bit + 8 * c->at + at);
    else
        c->word |= raw << at;
}

PKT_INLINE uint64_t pkt_get_here(const pkt_cursor *c, const unsigned bits, const unsigned at)
{
    return pkt_known(c) ? pkt_get_known(c, bits, c->bit + 8 * c->at + at) : c->word >> at & pkt_mask(bits);
}
#endif

/* For callers that shift and mask themselves: a word that contains the field, and the field's first bit in that
 * word. */
PKT_INLINE uint64_t pkt_get_word(const pkt_cursor *c, const unsigned bits, const unsigned at)
{
    return pkt_known(c) ? pkt_get_known(c, bits, c->bit + 8 * c->at + at) : c->word;
}

PKT_INLINE unsigned pkt_get_bit(const pkt_cursor *c, const unsigned at)
{
    return pkt_known(c) ? 0 : at;
}

/* The place of a field: a bit of the open word; or of a field in two words, whose lowest `low` bits end the open word,
 * from bit `at` on, while the others begin at bit high_at of the word at `byte`. edge: as in pkt_word. */
#define PKT_ACROSS(at, low, byte, high_at, edge) \
    (UINT64_C(1) << 63 | (uint64_t)(byte) << 32 | (edge) << 24 | (high_at) << 16 | (low) << 8 | (at))

PKT_INLINE void pkt_put_across(pkt_cursor *c, uint64_t raw, const unsigned bits, const uint64_t place)
{
    const unsigned low = (unsigned)(place >> 8 & 255);
    pkt_put_here(c, raw & pkt_mask(low), low, (unsigned)(place & 255));
    pkt_word(PKT_WRITE, c, (unsigned)(place >> 32 & INT32_MAX), (place >> 24 & 1) != 0, 0);
    pkt_put_here(c, raw >> low, bits - low, (unsigned)(place >> 16 & 255));
}

PKT_INLINE uint64_t pkt_get_across(pkt_cursor *c, const unsigned bits, const uint64_t place)
{
    const unsigned low = (unsigned)(place >> 8 & 255);
    uint64_t raw = pkt_get_here(c, low, (unsigned)(place & 255));
    pkt_word(PKT_READ, c, (unsigned)(place >> 32 & INT32_MAX), (place >> 24 & 1) != 0, 0);
    return raw | pkt_get_here(c, bits - low, (unsigned)(place >> 16 & 255)) << low;
}

/* A field at a place, which is a constant. */
#ifdef PKT_CALLS_COST
#define pkt_put(c, raw, bits, place) \
    ((place) < 64 ? pkt_put_here(c, raw, bits, place) : pkt_put_across((c), (raw), (bits), (place)))
#define pkt_get(c, bits, place) ((place) < 64 ? pkt_get_here(c, bits, place) : pkt_get_across((c), (bits), (place)))
#else
PKT_INLINE void pkt_put(pkt_cursor *c, uint64_t raw, const unsigned bits, const uint64_t place)
{
    if (place < 64)
        pkt_put_here(c, raw, bits, (unsigned)place);
    else
        pkt_put_across(c, raw, bits, place);
}

PKT_INLINE uint64_t pkt_get(pkt_cursor *c, const unsigned bits, const uint64_t place)
{
    return place < 64 ? pkt_get_here(c, bits, (unsigned)place) : pkt_get_across(c, bits, place);
}
#endif

/* Like pkt_get, but the bits above the field may be anything. */
PKT_INLINE uint64_t pkt_get_loose(pkt_cursor *c, const unsigned bits, const uint64_t place)
{
    return place < 64 ? pkt_get_word(c, bits, (unsigned)place) >> pkt_get_bit(c, (unsigned)place)
                      : pkt_get_across(c, bits, place);
}

/* ---- the lines of generated code -------------------------------------------------------------------------- */

/* PKT_RUN begins a run and opens its word at byte 0. PKT_FIRST_RUN does so for the first run of a type. PKT_WORD opens
 * the word at a later byte. PKT_END ends the run, which has this many bits. _EDGE: fewer than 8 bytes may be left at
 * this word. If `end` is not 0, the last field of the word ends at this bit of the run, and a reader loads the 8 bytes
 * before that. */
#define PKT_FIRST_RUN() pkt_first_run(mode_, c_)
#define PKT_RUN() pkt_run(mode_, c_, false, 0)
#define PKT_RUN_EDGE(end) pkt_run(mode_, c_, true, (end))
#define PKT_WORD(byte) pkt_word(mode_, c_, (byte), false, 0)
#define PKT_WORD_EDGE(byte, end) pkt_word(mode_, c_, (byte), true, (end))
#define PKT_END(bits) pkt_end(mode_, c_, (bits))

/* A run in which fields may be absent. _EDGE: fewer than 8 bytes may be left. If `most` is not 0, the run has at most
 * this many bits, and pkt_load_varying can load it. PKT_VARIED: an optional part that is present has this many bits.
 * PKT_VARYING_END: ends the run, whose other parts have `bits` bits, and checks that all of it is in the buffer, and
 * `rest` bits more. */
#define PKT_VARYING_RUN() pkt_varying_run(mode_, c_, false, 0)
#define PKT_VARYING_RUN_EDGE(most) pkt_varying_run(mode_, c_, true, (most))
#define PKT_VARIED(bits) pkt_varied(mode_, c_, (bits))
#define PKT_VARYING_END(bits, rest) \
    do {                            \
        PKT_NEED((bits) + (rest));  \
        PKT_END(bits);              \
    } while (0)
PKT_C_END

#endif
