/* pkt_delta.h - what generated code writes deltas against a baseline in: change masks, steps, what turns out equal.
 * SPDX-License-Identifier: MIT
 *
 * pktc emits one function a type, T_delta, beside T_serialize, in the same four modes and with the same names in scope,
 * and with `base`, the baseline: a value that can be written, and another object than `out`. A block begins with its
 * change mask, a local: made by comparing when writing, taken from the wire when reading, where `out` has been made a copy
 * of the baseline before. Each set bit is then a field, in a run of its own, for what stands before it may be anywhere.
 * In EXPLAIN the same lines go over the items one by one, as in pkt_codec.h. Programs have no use for this header.
 */
#ifndef PKT_DELTA_H
#define PKT_DELTA_H

#include "pkt_subset.h"

#ifdef __cplusplus
extern "C" {
#endif

/* So many bits, 1 to 64, that are verified: in two pieces where one does not hold them. */
PKT_INLINE void pkt_put_item(pkt_cursor *c, const uint64_t raw, const unsigned bits)
{
    const unsigned low = bits > 56 ? 32 : bits;
    pkt_push(c, raw & pkt_mask(low), low);
    if (bits > low) pkt_push(c, raw >> low, bits - low);
}

PKT_INLINE uint64_t pkt_get_item(pkt_cursor *c, const unsigned bits)
{
    const unsigned low = bits > 56 ? 32 : bits;
    uint64_t raw = pkt_peek(c, true) & pkt_mask(low);
    c->bit += low;
    if (bits > low) {
        raw |= (pkt_peek(c, true) & pkt_mask(bits - low)) << low;
        c->bit += bits - low;
    }
    return raw;
}

/* ---- change masks ------------------------------------------------------------------------------------------- */

/* `count` bits, 1 to 64, of a mask of which `rest` more follow; the mask is one item. */
#define PKT_CHANGES(mask, count, rest)                                                              \
    do {                                                                                            \
        PKT_NEED((count) + (rest));                                                                 \
        if (mode == PKT_WRITE) pkt_put_item(c, mask, (count));                                      \
        if (mode == PKT_READ) mask = pkt_get_item(c, (count));                                      \
        if (mode == PKT_MEASURE) c->bit += (count);                                                 \
        if (mode == PKT_EXPLAIN && !pkt_explain_changes(c, &mask, (count), (rest))) return false;   \
        if (mask != 0) c->changed = true;                                                           \
    } while (0)

/* The field or element that began at bit `start` is there and yet equal to the baseline: a writer would have left it out. */
#define PKT_REFUSE_SAME(same, start, name)                                                          \
    do {                                                                                            \
        if (mode == PKT_READ && (same)) return false;                                               \
        if (mode == PKT_EXPLAIN && out != NULL && (same))                                           \
            return pkt_explain_fail(c, PKT_ERROR_CANONICAL, (start), name);                         \
    } while (0)

/* A bool that has changed: nothing on the wire. */
#define PKT_FLIP(m, old)                                                                            \
    do {                                                                                            \
        if (PKT_READING) out->m = !(old);                                                           \
    } while (0)

/* A u32 that has not changed is still greater than the member `start`, which may have. */
#define PKT_STILL_AFTER(m, start)                                                                   \
    do {                                                                                            \
        if (mode != PKT_EXPLAIN && in->m <= in->start) return false;                                \
        if (mode == PKT_EXPLAIN && in->m <= in->start) return pkt_explain_fail(c, PKT_ERROR_ORDER, c->bit, #m);  \
    } while (0)

/* The same for what holds further fields: nothing in it, presence, count and tag among that, has changed. */
#define PKT_REFUSE_UNCHANGED(start, name)                                                           \
    do {                                                                                            \
        PKT_REFUSE_SAME(!c->changed, start, name);                                                  \
        c->changed = true;                                                                          \
    } while (0)

/* A type by its own delta function, against the baseline at `old`. The cursor that is called with is a copy, as in
 * PKT_CALLED. */
#define PKT_DELTA(T, m, old)                                                                        \
    do {                                                                                            \
        if (mode == PKT_EXPLAIN && !T##_delta_explain(c, (old), &in->m, out != NULL ? &out->m : NULL))  \
            return pkt_explain_outer(c, #m);                                                        \
        if (mode != PKT_EXPLAIN) {                                                                  \
            pkt_cursor copy_ = pkt_cursor_of(c);                                                    \
            if (mode == PKT_WRITE && !T##_delta_write(&copy_, (old), &in->m)) return false;         \
            if (mode == PKT_READ && !T##_delta_read(&copy_, (old), &out->m)) return false;          \
            if (mode == PKT_MEASURE && !T##_delta_measure(&copy_, (old), &in->m)) return false;     \
            c->bit = copy_.bit;                                                                     \
            c->carry = copy_.carry;                                                                 \
            c->changed |= copy_.changed;                                                            \
        }                                                                                           \
    } while (0)

/* A value with nothing but base values, for what the baseline does not have. */
#define PKT_BLANK(T, v) (memset((v), 0, sizeof *(v)), T##_base(v), (v))

/* ---- steps: delta<s, l> -------------------------------------------------------------------------------------- */

/* A code that moved from one value of 0 ... span to another, as `1` and the difference in s bits, `01` and what is beyond it
 * in l bits, or `00` and the code itself in `bits` bits, xor flip (two's complement is biased here, and not on the wire). The
 * shortest that fits, so that a reader has to refuse `00` alone for being too long. */
typedef struct pkt_step {
    unsigned prefix_bits, bits;
    uint64_t prefix, raw;
} pkt_step;

PKT_INLINE pkt_step pkt_step_of(const uint64_t old, const uint64_t now, const uint64_t flip, const unsigned bits,
                                const unsigned s, const unsigned l)
{
    const uint64_t half_s = UINT64_C(1) << (s - 1), half_l = UINT64_C(1) << (l - 1);
    const bool up = now > old;
    const uint64_t distance = up ? now - old : old - now;
    pkt_step step;
    step.prefix_bits = 1;
    step.prefix = 1;
    step.bits = s;
    step.raw = now - old + half_s;
    if (up ? distance < half_s : distance <= half_s) return step;
    step.prefix_bits = 2;
    step.prefix = 2;
    step.bits = l;
    step.raw = up ? distance - half_s + half_l : half_l - (distance - half_s);
    if (up ? distance - half_s < half_l : distance - half_s <= half_l) return step;
    step.prefix = 0;
    step.bits = bits;
    step.raw = now ^ flip;
    return step;
}

/* Where the code is after a step of so much, up or down; false where that is out of 0 ... span. */
PKT_INLINE bool pkt_step_to(const uint64_t old, uint64_t *now, const uint64_t span, const bool up, const uint64_t distance)
{
    *now = up ? old + distance : old - distance;
    return up ? distance <= span - old : distance <= old;
}

/* The code's item in any mode but EXPLAIN; why it cannot be, or PKT_OK. Reading sets *now. */
PKT_INLINE pkt_code pkt_step_item(const pkt_mode mode, pkt_cursor *c, const uint64_t old, uint64_t *now, const uint64_t span,
                                  const uint64_t flip, const unsigned bits, const unsigned s, const unsigned l,
                                  const bool may_equal)
{
    const uint64_t half_s = UINT64_C(1) << (s - 1), half_l = UINT64_C(1) << (l - 1);
    pkt_step step;
    uint64_t raw;
    if (mode != PKT_READ) {
        if (pkt_over(*now, span)) return PKT_ERROR_RANGE;
        step = pkt_step_of(old, *now, flip, bits, s, l);
        if (!pkt_need(mode, c, step.prefix_bits + step.bits)) return PKT_ERROR_CAPACITY;
        if (mode == PKT_MEASURE) {
            c->bit += step.prefix_bits + step.bits;
        } else {
            pkt_put_item(c, step.prefix, step.prefix_bits);
            pkt_put_item(c, step.raw, step.bits);
        }
        return PKT_OK;
    }
    if (!pkt_need(mode, c, 1 + s)) return PKT_ERROR_END;
    if (pkt_get_item(c, 1) != 0) {
        raw = pkt_get_item(c, s);
        if (!pkt_step_to(old, now, span, raw >= half_s, raw >= half_s ? raw - half_s : half_s - raw)) return PKT_ERROR_RANGE;
        return raw == half_s && !may_equal ? PKT_ERROR_CANONICAL : PKT_OK;
    }
    if (!pkt_need(mode, c, 1)) return PKT_ERROR_END;
    if (pkt_get_item(c, 1) != 0) {
        if (!pkt_need(mode, c, l)) return PKT_ERROR_END;
        raw = pkt_get_item(c, l);
        const bool up = raw >= half_l;
        const uint64_t distance = (up ? raw - half_l : half_l - raw) + half_s;
        return distance >= half_s && pkt_step_to(old, now, span, up, distance) ? PKT_OK : PKT_ERROR_RANGE;
    }
    if (!pkt_need(mode, c, bits)) return PKT_ERROR_END;
    *now = pkt_get_item(c, bits) ^ flip;
    if (pkt_over(*now, span)) return PKT_ERROR_RANGE;
    return pkt_step_of(old, *now, flip, bits, s, l).prefix != 0 ? PKT_ERROR_CANONICAL : PKT_OK;
}

PKT_COLD bool pkt_explain_changes(pkt_cursor *c, uint64_t *changed, unsigned count, uint64_t rest);
PKT_COLD bool pkt_explain_step(pkt_cursor *c, uint64_t old, uint64_t *now, uint64_t span, uint64_t flip, unsigned bits, unsigned s,
                               unsigned l, bool may_equal, const char *field);

/* Codes as uint64_t: NOW of in->m, OUT of now_, to out->m. */
#define PKT_STEP_(m, old_code, now_of_in, out_of_now, span, flip, bits, s, l, may_equal)            \
    do {                                                                                            \
        const uint64_t old_ = old_code;                                                             \
        uint64_t now_ = PKT_READING ? 0 : now_of_in;                                                \
        if (mode != PKT_EXPLAIN                                                                     \
            && pkt_step_item(mode, c, old_, &now_, (span), (flip), (bits), (s), (l), (may_equal)) != PKT_OK)  \
            return false;                                                                           \
        if (mode == PKT_EXPLAIN                                                                     \
            && !pkt_explain_step(c, old_, &now_, (span), (flip), (bits), (s), (l), (may_equal), #m))  \
            return false;                                                                           \
        if (PKT_READING) out->m = out_of_now;                                                       \
    } while (0)

/* lo to hi. */
#define PKT_STEP_INT(T, m, old, lo, hi, bits, s, l, may_equal)                                      \
    PKT_STEP_(m, ((uint64_t)(old) - (uint64_t)(lo)), (uint64_t)in->m - (uint64_t)(lo), (T)(now_ + (uint64_t)(lo)),  \
              (uint64_t)(hi) - (uint64_t)(lo), 0, bits, s, l, may_equal)

/* iN. */
#define PKT_STEP_SIGNED(T, m, old, bits, s, l, may_equal)                                           \
    PKT_STEP_(m, ((uint64_t)(old) + (UINT64_C(1) << ((bits) - 1))), (uint64_t)in->m + (UINT64_C(1) << ((bits) - 1)),  \
              (T)(now_ - (UINT64_C(1) << ((bits) - 1))), pkt_mask(bits), UINT64_C(1) << ((bits) - 1), bits, s, l, may_equal)

/* In steps of the quantized number; no code stands for one that is not finite. */
#define PKT_STEP_QUANTIZED(m, old, lo, hi, steps, bits, s, l, may_equal)                            \
    do {                                                                                            \
        if (mode == PKT_EXPLAIN && out == NULL && pkt_quantize(in->m, (lo), (hi), (steps)) == UINT32_MAX)  \
            return pkt_explain_fail(c, PKT_ERROR_VALUE, c->bit, #m);                                \
        PKT_STEP_(m, pkt_quantize((old), (lo), (hi), (steps)), pkt_quantize(in->m, (lo), (hi), (steps)),  \
                  pkt_dequantize((uint32_t)now_, (lo), (hi), (steps)), (steps), 0, bits, s, l, may_equal);  \
    } while (0)
#define PKT_STEP_QUANTIZED64(m, old, lo, hi, steps, bits, s, l, may_equal)                          \
    do {                                                                                            \
        if (mode == PKT_EXPLAIN && out == NULL && pkt_quantize64(in->m, (lo), (hi), (steps)) == UINT64_MAX)  \
            return pkt_explain_fail(c, PKT_ERROR_VALUE, c->bit, #m);                                \
        PKT_STEP_(m, pkt_quantize64((old), (lo), (hi), (steps)), pkt_quantize64(in->m, (lo), (hi), (steps)),  \
                  pkt_dequantize64(now_, (lo), (hi), (steps)), (steps), 0, bits, s, l, may_equal);  \
    } while (0)

/* ---- comparisons ---------------------------------------------------------------------------------------------- */

/* Whether a bitmap has a bit set. */
PKT_INLINE bool pkt_any(const uint64_t *set, const uint32_t words)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < words; i++) all |= set[i];
    return all != 0;
}

PKT_INLINE bool pkt_same_bytes(const uint8_t *a, const uint64_t a_size, const uint8_t *b, const uint64_t b_size)
{
    return a_size == b_size && (a_size == 0 || memcmp(a, b, (size_t)a_size) == 0);
}

/* ---- the baseline --------------------------------------------------------------------------------------------- */

/* Goes over a baseline that cannot be written, to find out why: nothing is stored, and there is room for all of it. */
PKT_COLD pkt_cursor pkt_baseline_explain(const pkt_cursor *c);
/* The reason found is that of the delta, at its first bit. Always false. */
PKT_COLD bool pkt_baseline_explained(const pkt_cursor *baseline, const pkt_cursor *c);

#ifdef __cplusplus
}
#endif

#endif
