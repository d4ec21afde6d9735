/* pkt_delta.h - the macros that deltas in generated code consist of: masks, steps, comparisons with the baseline.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it after pkt_codec.h. Programs do not use this header.
 *
 * For each @delta type pktc writes a function T_delta beside T_serialize. It works in the same modes and uses the
 * same variables, and base_, the baseline: a sound value, and not the same object as out_. A block begins with its
 * change mask, a local variable. A writer computes it by comparing the value with the baseline. A reader gets it from
 * the wire, after out_ was made a copy of the baseline. Then come the fields whose bits are set: rows of small
 * neighbours without branches, and other fields in a run of their own, since their position depends on what was sent
 * before.
 */
#ifndef PKT_DELTA_H
#define PKT_DELTA_H

#include "pkt_change.h"
#include "pkt_coder.h"
#include "pkt_frame.h"
#include "pkt_step.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- baselines: the lines of T_sound --------------------------------------------------------------------------- */

/* Before anything is compared, these lines check the numbers on which memory safety and the taken sides depend. Other
 * numbers may be anything. */
#define PKT_SOUND_INT(m, lo, hi)                                                         \
    do {                                                                                 \
        if (pkt_over((uint64_t)v_->m - (uint64_t)(lo), (uint64_t)(hi) - (uint64_t)(lo))) \
            return false;                                                                \
    } while (0)

/* ---- types ------------------------------------------------------------------------------------------------------ */

/* One instance of a delta both writes and measures, because most of it is the same comparison with the baseline. To
 * measure, it writes to a writer without a buffer but with endless room. */
PKT_INLINE void pkt_measuring_writer(pkt_writer *w, uint64_t bit)
{
    w->data = NULL;
    w->bit = bit;
    w->limit = PKT_ENDLESS;
    w->carry = 0;
    w->refs = NULL;
}

PKT_INLINE pkt_mode pkt_writer_mode(const pkt_writer *w)
{
    return w->limit == PKT_ENDLESS ? PKT_MEASURE : PKT_WRITE;
}

/* A nested type, through its own delta functions, against the baseline at `old`. They work on the stream, as in
 * PKT_CALLED. */
#define PKT_DELTA(T, m, old)                                  \
    do {                                                      \
        if (mode_ != PKT_READ) {                              \
            pkt_writer_advance(c_->writer, c_);               \
            if (!T##_delta_write(c_->writer, (old), &in_->m)) \
                return false;                                 \
            pkt_cursor_follow_writer(c_);                     \
        }                                                     \
        if (mode_ == PKT_READ) {                              \
            pkt_reader_advance(c_->reader, c_);               \
            if (!T##_delta_read(c_->reader, (old), &out_->m)) \
                return false;                                 \
            pkt_cursor_follow_reader(c_);                     \
            c_->changed |= c_->reader->changed;               \
        }                                                     \
    } while (0)

/* The same for a type that may be coded: its functions work on the same cursor. */
#define PKT_CODED_DELTA(T, m, old)                                                                     \
    do {                                                                                               \
        if (!(PKT_READING ? T##_delta_get_(c_, (old), &out_->m) : T##_delta_put_(c_, (old), &in_->m))) \
            return false;                                                                              \
    } while (0)

/* Like pkt_reader_advance. Also tells the caller, in the reader, whether something has changed. */
PKT_INLINE bool pkt_delta_reader_advance(pkt_reader *r, const pkt_cursor *c)
{
    r->changed = c->changed;
    return pkt_reader_advance(r, c);
}

/* ---- changed elements ------------------------------------------------------------------------------------------ */

/* A loop over the changed elements of an array, as in pkt_subset.h, with PKT_SUBSET_AUTO. When writing, `set` is the
 * bitmap of n elements to write. When reading, it is all zero at first and gets the bits that are read. */
PKT_INLINE bool pkt_elements_begin(const pkt_mode mode, pkt_cursor *c, pkt_subset *s, uint64_t *set, uint32_t n)
{
    return pkt_apart_begin(mode, PKT_SUBSET_AUTO, c, s, set, set, n, n);
}

PKT_INLINE bool pkt_elements_next(const pkt_mode mode, pkt_cursor *c, pkt_subset *s)
{
    return pkt_apart_next(mode, PKT_SUBSET_AUTO, c, s, 0, 0);
}

#ifdef __cplusplus
}
#endif

#endif
