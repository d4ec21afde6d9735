/* pkt_delta.h - the macros that deltas in generated code consist of: masks, steps, comparisons with the baseline.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it after pkt_inside.h. Programs do not use this header.
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
#include "pkt_frame.h"

PKT_C_BEGIN

/* ---- delta<s, l>: small steps from the baseline's value ---------------------------------------------------------- */

/* In place of a number of bytes: a number with `or raw`. */
enum { PKT_FORM_OR_RAW = 255 };

/* A code and its steps. Codes are from 0 to span; with `or raw` also PKT_RAW_CODE and more. `compact` says what the full form
 * is: 0: `bits` bits, as pkt_wire_of_code makes them of the code; a number of bytes: a compact integer; or PKT_FORM_OR_RAW. Small
 * steps have s bits, large ones l bits. may_equal: the code may be equal to the baseline's, in an optional field. */
typedef struct pkt_steps {
    uint64_t span, flip;
    unsigned bits, compact, s, l;
    bool may_equal;
} pkt_steps;

/* Codes ascend with the numbers, but the wire has two's complement, and the sign and magnitude of raw reals. flip, for a
 * number of `bits` bits: the sign bit of two's complement; all bits of a raw real, whose other bits are inverted below 0;
 * or 0, where both are the same. */
PKT_INLINE uint64_t pkt_wire_of_code(const uint64_t code, const uint64_t flip, const unsigned bits)
{
    const uint64_t sign = UINT64_C(1) << (bits - 1);
    return code ^ (flip & ((code & sign) != 0 ? sign : UINT64_MAX));
}

/* The inverse. */
PKT_INLINE uint64_t pkt_code_of_wire(const uint64_t raw, const uint64_t flip, const unsigned bits)
{
    const uint64_t sign = UINT64_C(1) << (bits - 1);
    return raw ^ (flip & ((raw & sign) != 0 ? UINT64_MAX : sign));
}

/* ---- kinds of numbers that only deltas have, as in pkt_leaf.h */

/* A compact unsigned integer of this many bytes. */
#define PKT_AS_COMPACT(T, bytes) \
    PKT_AS_INTEGER_(T, (uint64_t)x_, (T)raw_, UINT64_MAX >> (64 - 8 * (bytes)), 0, 8 * (bytes), bytes)

/* An enum with gaps, of which valid() knows the members. A value that is none is over the span. */
#define PKT_AS_ENUM(T, valid, lo, hi, bits)                                                                      \
    (T, valid(x_) ? (uint64_t)x_ - (uint64_t)(lo) : PKT_FAILED,                                                  \
     (T)(good_ = valid((T)(raw_ + (uint64_t)(lo))), raw_ + (uint64_t)(lo)), ,                                    \
     valid(x_) ? (uint64_t)x_ - (uint64_t)(lo) : PKT_FAILED, value, (uint64_t)(hi) - (uint64_t)(lo), 0, bits, 0, \
     UINT64_MAX)

/* A float with `or raw`. A raw one is over the span, so that no step leads from it or to it. */
#define PKT_AS_OR_RAW(lo, hi, steps, bits)                                                       \
    (float, pkt_or_raw_code(x_, lo, hi, steps), pkt_or_raw_value(raw_, lo, hi, steps, &good_), , \
     pkt_code_of_or_raw(x_, lo, hi, steps), or_raw, steps, 0, bits, PKT_FORM_OR_RAW, UINT64_MAX)
#define pkt_step_or_raw pkt_step_value
#define pkt_move_or_raw pkt_move_value
#define pkt_go_or_raw pkt_go_value

/* quat<B>; parts is B. The span is that of each of its three components, as pkt_rotation_steps gives it. `far` is B too. */
#define PKT_AS_QUAT(parts)                                                                   \
    (pkt_quat, , pkt_quat_of_code(raw_, parts, &good_), , pkt_code_of_quat(x_, parts), quat, \
     (UINT64_C(1) << (parts)) - 2, 0, parts, 0, parts)

/* A raw real of some kind. */
#define PKT_AS_ORDERED(as) PKT_AS_ORDERED_ as
#define PKT_AS_ORDERED_(T, raw, number, kept, code, of, span, flip, bits, compact, far)                           \
    (T, raw, number, kept, pkt_code_of_wire(raw, PKT_ONES_(bits), bits), value, PKT_ONES_(bits), PKT_ONES_(bits), \
     bits, compact, far)
#define PKT_ONES_(bits) (UINT64_MAX >> (64 - (bits)))

/* A number of any kind whose range is a circle. */
#define PKT_AS_CIRCLE(as) PKT_AS_CIRCLE_ as
#define PKT_AS_CIRCLE_(T, raw, value, kept, code, of, ...) (T, raw, value, kept, code, around, __VA_ARGS__)

/* A number of any kind that is coded by its frequent values. It does not move. */
#define pkt_move_category pkt_move_value
#define PKT_AS_CATEGORY(as) PKT_AS_CATEGORY_ as
#define PKT_AS_CATEGORY_(T, raw, value, kept, code, of, ...) (T, raw, value, kept, code, category, __VA_ARGS__)

/* A code on a circle as seen from the code `from`: the circle is turned so that `from` is in the middle, at span / 2.
 * So a difference is the shorter way round, and positive if both ways have the same length. All are from 0 to span. */
PKT_INLINE uint64_t pkt_seen_from(uint64_t from, uint64_t code, uint64_t span)
{
    return (code + (span + 1 - from) + span / 2) % (span + 1);
}

/* The inverse of pkt_seen_from. */
PKT_INLINE uint64_t pkt_unseen_from(uint64_t from, uint64_t seen, uint64_t span)
{
    return (seen + from + (span + 1 - span / 2)) % (span + 1);
}

/* ---- steps */

/* Sets `to` to the code of a value. */
#define PKT_SET_CODE_(as, to, value)   \
    do {                               \
        const PKT_TYPE_ as x_ = value; \
        to = PKT_CODE_ as;             \
    } while (0)

/* Sets old_ and now_: the codes of `base`, the baseline's number, and of in_->m. If `kept` is not NULL, and this is no
 * read, it has both: pkt_step_differs and the like stored them when they compared the numbers. */
#define PKT_SET_CODES_(m, as, base, kept)             \
    do {                                              \
        const pkt_step_codes *const compared_ = kept; \
        if (PKT_READING || !compared_) {              \
            PKT_SET_CODE_(as, old_, base);            \
            if (!PKT_READING)                         \
                PKT_SET_CODE_(as, now_, in_->m);      \
        } else {                                      \
            old_ = compared_->old;                    \
            now_ = compared_->now;                    \
        }                                             \
    } while (0)

/* Stores the value of the code now_. */
#define PKT_STORE_CODE_(m, as)                                                    \
    do {                                                                          \
        const uint64_t raw_ = pkt_wire_of_code(now_, PKT_FLIP_ as, PKT_BITS_ as); \
        bool good_ = true;                                                        \
        const PKT_TYPE_ as made_ = PKT_VALUE_ as;                                 \
        if (!good_)                                                               \
            return false;                                                         \
        out_->m = made_;                                                          \
    } while (0)

/* A number of any kind, in steps of s and l bits from `old`, the baseline's number; it may equal `old` or not. */
#define PKT_STEP(m, as, old, s, l, may_equal, kept)                       \
    do {                                                                  \
        static const pkt_steps steps_ = {PKT_SHAPE_ as, s, l, may_equal}; \
        uint64_t old_, now_ = 0;                                          \
        PKT_SET_CODES_(m, as, old, kept);                                 \
        if (!PKT_STEP_FUNCTION_ as(mode_, c_, old_, &now_, &steps_))      \
            return false;                                                 \
        if (PKT_READING)                                                  \
            PKT_STORE_CODE_(m, as);                                       \
    } while (0)

/* The full form of a code where it varies: `compact` and `bits` as of pkt_steps. Reading gives PKT_ERROR_END, or
 * PKT_ERROR_CANONICAL if a compact integer has a shorter form; with `or raw` the code can be any. */
bool pkt_put_varying(pkt_mode mode, pkt_cursor *c, uint64_t v, unsigned compact, unsigned bits);
pkt_code pkt_get_varying(pkt_cursor *c, uint64_t *v, unsigned compact, unsigned bits);

/* A code, in any mode; reading sets *now. In pkt_delta.c, because inlining it at each field would cost more code than
 * the call costs time. */
bool pkt_step_value(pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t *now, const pkt_steps *k);
bool pkt_step_quat(pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t *now, const pkt_steps *k);
/* A code on a circle, of at most 32 bits. */
bool pkt_step_around(pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t *now, const pkt_steps *k);
/* The same for explanations, as in pkt_explain.h. */
PKT_COLD bool pkt_explain_step(pkt_cursor *c, uint64_t old, uint64_t *now, const pkt_steps *k, bool wraps,
                               const char *field);
PKT_COLD bool pkt_explain_quat_step(pkt_cursor *c, pkt_quat old, pkt_quat *q, const pkt_steps *k, const char *field);

/* ---- baselines: the lines of T_sound --------------------------------------------------------------------------- */

/* Before anything is compared, these lines check the numbers on which memory safety and the taken sides depend. Other
 * numbers may be anything. */
#define PKT_SOUND_INT(m, lo, hi)                                                         \
    do {                                                                                 \
        if (pkt_over((uint64_t)v_->m - (uint64_t)(lo), (uint64_t)(hi) - (uint64_t)(lo))) \
            return false;                                                                \
    } while (0)

/* ---- types ------------------------------------------------------------------------------------------------------ */

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

PKT_C_END

#endif
