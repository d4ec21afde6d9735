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

/* old_code and code_of_in make codes, as uint64_t, of the baseline's value and of in_->m; out_of_now makes out_->m of
 * now_. */
#define PKT_STEP_(m, old_code, code_of_in, out_of_now, ...)   \
    do {                                                      \
        static const pkt_steps steps_ = {__VA_ARGS__};        \
        const uint64_t old_ = old_code;                       \
        uint64_t now_ = PKT_READING ? 0 : code_of_in;         \
        if (!pkt_step_value(mode_, c_, old_, &now_, &steps_)) \
            return false;                                     \
        if (PKT_READING)                                      \
            out_->m = out_of_now;                             \
    } while (0)

/* An integer from lo to hi. */
#define PKT_STEP_INT(T, m, old, lo, hi, bits, s, l, may_equal)                                                        \
    PKT_STEP_(m, ((uint64_t)(old) - (uint64_t)(lo)), ((uint64_t)in_->m - (uint64_t)(lo)), (T)(now_ + (uint64_t)(lo)), \
              (uint64_t)(hi) - (uint64_t)(lo), 0, bits, 0, s, l, may_equal)

/* iN that fills its C type. */
#define PKT_STEP_SIGNED(T, m, old, bits, s, l, may_equal)                                                            \
    PKT_STEP_(m, ((uint64_t)(old) + (UINT64_C(1) << ((bits)-1))), ((uint64_t)in_->m + (UINT64_C(1) << ((bits)-1))),  \
              (T)(now_ - (UINT64_C(1) << ((bits)-1))), UINT64_MAX >> (64 - (bits)), UINT64_C(1) << ((bits)-1), bits, \
              0, s, l, may_equal)

/* A compact unsigned integer of this many bytes. */
#define PKT_STEP_COMPACT(T, m, old, bytes, s, l, may_equal)                                                           \
    PKT_STEP_(m, (uint64_t)(old), (uint64_t)in_->m, (T)now_, UINT64_MAX >> (64 - 8 * (bytes)), 0, 8 * (bytes), bytes, \
              s, l, may_equal)

/* A quantized number, of which NaN and infinities have no code; and a rotation, whose three components are one item:
 * steps_ describes one of them. */
#define PKT_STEP_REAL_(function, m, old, lo, hi, ...)                                                 \
    do {                                                                                              \
        static const pkt_steps steps_ = {__VA_ARGS__};                                                \
        if (!function(mode_, c_, (old), &in_->m, PKT_READING ? &out_->m : NULL, &steps_, (lo), (hi))) \
            return false;                                                                             \
    } while (0)
#define PKT_STEP_QUANTIZED(m, old, lo, hi, steps, bits, s, l, may_equal) \
    PKT_STEP_REAL_(pkt_step_float, m, old, lo, hi, steps, 0, bits, 0, s, l, may_equal)
#define PKT_STEP_QUANTIZED64(m, old, lo, hi, steps, bits, s, l, may_equal) \
    PKT_STEP_REAL_(pkt_step_double, m, old, lo, hi, steps, 0, bits, 0, s, l, may_equal)
#define PKT_STEP_QUAT(m, old, parts, s, l, may_equal)                                          \
    do {                                                                                       \
        static const pkt_steps steps_ = {0, 0, parts, 0, s, l, may_equal};                     \
        if (!pkt_step_quat(mode_, c_, (old), &in_->m, PKT_READING ? &out_->m : NULL, &steps_)) \
            return false;                                                                      \
    } while (0)

/* The same where `codes` has both codes, which pkt_step_differs and its kin stored when they compared the values. A
 * reader compares nothing: it computes the baseline's. */
#define PKT_STEP_CODED_(read, write, codes, ...)                                              \
    do {                                                                                      \
        static const pkt_steps steps_ = {__VA_ARGS__};                                        \
        if (!(PKT_READING ? (read) : write(mode_, c_, (codes)->old, &(codes)->now, &steps_))) \
            return false;                                                                     \
    } while (0)
#define PKT_STEP_QUANTIZED_CODED(m, old, lo, hi, steps, bits, s, l, codes)                                           \
    PKT_STEP_CODED_(pkt_step_float(PKT_READ, c_, (old), NULL, &out_->m, &steps_, (lo), (hi)), pkt_step_value, codes, \
                    steps, 0, bits, 0, s, l, false)
#define PKT_STEP_QUANTIZED64_CODED(m, old, lo, hi, steps, bits, s, l, codes)                                          \
    PKT_STEP_CODED_(pkt_step_double(PKT_READ, c_, (old), NULL, &out_->m, &steps_, (lo), (hi)), pkt_step_value, codes, \
                    steps, 0, bits, 0, s, l, false)
#define PKT_STEP_QUAT_CODED(m, old, parts, s, l, codes)                                                           \
    PKT_STEP_CODED_(pkt_step_quat(PKT_READ, c_, (old), NULL, &out_->m, &steps_), pkt_step_quat_code, codes, 0, 0, \
                    parts, 0, s, l, false)

/* A whole compact integer of this many bytes. Reading gives PKT_ERROR_END, or PKT_ERROR_CANONICAL if there is a shorter
 * form. */
bool pkt_put_compact(pkt_mode mode, pkt_cursor *c, uint64_t v, unsigned bytes);
pkt_code pkt_get_compact(pkt_cursor *c, uint64_t *v, unsigned bytes);

/* A code, or a value, in any mode. Reading sets *now or *out. In pkt_delta.c, because inlining it at each field would
 * cost more code than the call costs time. */
bool pkt_step_value(pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t *now, const pkt_steps *k);
bool pkt_step_float(pkt_mode mode, pkt_cursor *c, float old, const float *in, float *out, const pkt_steps *k, float lo,
                    float hi);
bool pkt_step_double(pkt_mode mode, pkt_cursor *c, double old, const double *in, double *out, const pkt_steps *k,
                     double lo, double hi);
bool pkt_step_quat(pkt_mode mode, pkt_cursor *c, pkt_quat old, const pkt_quat *in, pkt_quat *out, const pkt_steps *k);
/* The same of codes that are known, to write and to measure. */
bool pkt_step_quat_code(pkt_mode mode, pkt_cursor *c, uint64_t old, const uint64_t *now, const pkt_steps *k);
/* The same for what explains why not, as in pkt_explain.h. */
PKT_COLD bool pkt_explain_step(pkt_cursor *c, uint64_t old, uint64_t *now, const pkt_steps *k, const char *field);
PKT_COLD bool pkt_explain_quat_step(pkt_cursor *c, pkt_quat old, pkt_quat *q, const pkt_steps *k, const char *field);

#ifdef __cplusplus
}
#endif

#endif
