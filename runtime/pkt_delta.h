/* pkt_delta.h - what generated code writes deltas against a baseline in: change masks, steps, what turns out equal.
 * SPDX-License-Identifier: MIT
 *
 * pktc emits one function a type, T_delta, beside T_serialize, in the same four modes and with the same names in scope,
 * and with `base`, the baseline: a value that can be written, and another object than `out`. A block begins with its
 * change mask, a local: made by comparing when writing, taken from the wire when reading, where `out` has been made a copy
 * of the baseline before. Then come the fields whose bits are set: small neighbours as a row that has no branch a field, each
 * other one in a run of its own, for what stands before it may be anywhere.
 * In EXPLAIN the same lines go over the items one by one, as in pkt_codec.h. Programs have no use for this header.
 */
#ifndef PKT_DELTA_H
#define PKT_DELTA_H

#include "pkt_change.h"
#include "pkt_frame.h"
#include "pkt_step.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A type by its own delta functions, against the baseline at `old`; they work on the stream, as in PKT_CALLED. */
#define PKT_DELTA(T, m, old)                                                                           \
    do {                                                                                               \
        if (mode == PKT_EXPLAIN && !T##_delta_explain(c, (old), &in->m, out != NULL ? &out->m : NULL)) \
            return pkt_explain_outer(c, #m);                                                           \
        if (mode == PKT_WRITE) {                                                                       \
            pkt_writer_advance(c->writer, c);                                                          \
            if (!T##_delta_write(c->writer, (old), &in->m))                                            \
                return false;                                                                          \
            pkt_cursor_follow_writer(c);                                                               \
        }                                                                                              \
        if (mode == PKT_READ) {                                                                        \
            pkt_reader_advance(c->reader, c);                                                          \
            if (!T##_delta_read(c->reader, (old), &out->m))                                            \
                return false;                                                                          \
            pkt_cursor_follow_reader(c);                                                               \
            c->changed |= c->reader->changed;                                                          \
        }                                                                                              \
        if (mode == PKT_MEASURE) {                                                                     \
            c->bit = T##_delta_measure((old), &in->m, c->bit);                                         \
            if (c->bit == PKT_FAILED)                                                                  \
                return false;                                                                          \
        }                                                                                              \
    } while (0)

/* As pkt_reader_leave, and the reader says whether something has changed. */
PKT_INLINE bool pkt_delta_reader_leave(pkt_reader *r, const pkt_cursor *c)
{
    r->changed = c->changed;
    return pkt_reader_leave(r, c);
}

/* A value with nothing but base values, for what the baseline does not have. */
#define PKT_BLANK(T, v) (memset((v), 0, sizeof *(v)), T##_base(v), (v))

/* A member that is not the baseline's starts from base values, for its fields are sent as changes of these. *out is a copy of the
 * baseline. */
#define PKT_CHOOSE_ANEW(T, m, this_tag)              \
    do {                                             \
        if (PKT_READING && out->tag != (this_tag)) { \
            memset(&out->m, 0, sizeof out->m);       \
            T##_base(&out->m);                       \
            out->tag = (this_tag);                   \
        }                                            \
    } while (0)

/* ---- changed elements ------------------------------------------------------------------------------------------ */

/* A loop over a subset of n elements in PKT_SUBSET_AUTO, as pkt_subset.h has it: `set` is what is written, and, all zero
 * before, what is read. */
bool pkt_elements_begin(pkt_mode mode, pkt_cursor *c, pkt_subset *s, uint64_t *set, uint32_t n, const char *field);
bool pkt_elements_next(pkt_mode mode, pkt_cursor *c, pkt_subset *s);

/* ---- the baseline --------------------------------------------------------------------------------------------- */

/* Says why a baseline cannot be written, by the T_explain of its type: that is the reason of the delta, at its first bit.
 * Always false. */
PKT_COLD bool pkt_baseline_failed(pkt_cursor *c, const void *base, pkt_explain *explain);

#ifdef __cplusplus
}
#endif

#endif
