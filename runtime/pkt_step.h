/* pkt_step.h - delta<s, l>: small steps from the baseline's value.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_delta.h. Programs do not use this header.
 */
#ifndef PKT_STEP_H
#define PKT_STEP_H

#include "pkt_change.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A code and its steps. Codes are from 0 to span. The full form has `bits` bits, or if `compact` is not 0, it is a
 * compact integer of that many bytes. It is the code xor flip: codes of signed integers are biased, so that they
 * ascend, but the wire has two's complement. Small steps have s bits, large ones l bits. may_equal: the code may be
 * equal to the baseline's, in an optional field. */
typedef struct pkt_steps {
    uint64_t span, flip;
    unsigned bits, compact, s, l;
    bool may_equal;
} pkt_steps;

/* ---- kinds of numbers that only deltas have, as in pkt_leaf.h */

/* A compact unsigned integer of this many bytes. */
#define PKT_AS_COMPACT(T, bytes) \
    PKT_AS_INTEGER_(T, (uint64_t)x_, (T)raw_, UINT64_MAX >> (64 - 8 * (bytes)), 0, 8 * (bytes), bytes)

/* quat<B>; parts is B. The span is that of each of its three components, as pkt_rotation_steps gives it. */
#define PKT_AS_QUAT(parts)                                                                                            \
    (pkt_quat, , pkt_quat_of_code(raw_, parts, &good_), , pkt_code_of_quat(x_, parts), pkt_step_quat, pkt_coded_quat, \
     (UINT64_C(1) << (parts)) - 2, 0, parts, 0)

/* A number of any kind whose range is a circle. */
#define PKT_AS_CIRCLE(as) PKT_AS_CIRCLE_ as
#define PKT_AS_CIRCLE_(T, raw, value, kept, code, step, coder, ...) \
    (T, raw, value, kept, code, pkt_step_around, pkt_coded_around, __VA_ARGS__)

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

/* The codes of the baseline's value and of in_->m. With PKT_STEP_KEPT and PKT_CODED_KEPT, unless this is a read, `kept`
 * has both: pkt_step_differs and the like stored them when they compared the values. */
#define PKT_CODES_(m, as, old)               \
    do {                                     \
        PKT_SET_CODE_(as, old_, old);        \
        if (!PKT_READING)                    \
            PKT_SET_CODE_(as, now_, in_->m); \
    } while (0)
#define PKT_KEPT_CODES_(as, base, kept)    \
    do {                                   \
        if (PKT_READING) {                 \
            PKT_SET_CODE_(as, old_, base); \
        } else {                           \
            old_ = (kept).old;             \
            now_ = (kept).now;             \
        }                                  \
    } while (0)

/* Stores the value of the code now_. */
#define PKT_STORE_CODE_(m, as)                     \
    do {                                           \
        const uint64_t raw_ = now_ ^ PKT_FLIP_ as; \
        bool good_ = true;                         \
        out_->m = PKT_VALUE_ as;                   \
        if (!good_)                                \
            return false;                          \
    } while (0)

#define PKT_STEP_(m, as, s, l, may_equal, set_codes)                      \
    do {                                                                  \
        static const pkt_steps steps_ = {PKT_SHAPE_ as, s, l, may_equal}; \
        uint64_t old_, now_ = 0;                                          \
        set_codes;                                                        \
        if (!PKT_STEP_FUNCTION_ as(mode_, c_, old_, &now_, &steps_))      \
            return false;                                                 \
        if (PKT_READING)                                                  \
            PKT_STORE_CODE_(m, as);                                       \
    } while (0)

/* A number of any kind, in steps of s and l bits from `old`, the baseline's number; it may equal `old` or
 * not. */
#define PKT_STEP(m, as, old, s, l, may_equal) PKT_STEP_(m, as, s, l, may_equal, PKT_CODES_(m, as, old))
#define PKT_STEP_KEPT(m, as, old, s, l, kept) PKT_STEP_(m, as, s, l, false, PKT_KEPT_CODES_(as, old, kept))

/* A whole compact integer of this many bytes. Reading gives PKT_ERROR_END, or PKT_ERROR_CANONICAL if there is a shorter
 * form. */
bool pkt_put_compact(pkt_mode mode, pkt_cursor *c, uint64_t v, unsigned bytes);
pkt_code pkt_get_compact(pkt_cursor *c, uint64_t *v, unsigned bytes);

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

#ifdef __cplusplus
}
#endif

#endif
