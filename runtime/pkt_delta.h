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

#include "pkt_subset.h"

#ifdef __cplusplus
extern "C" {
#endif

/* So many bits, 1 to 64, that are verified: in two pieces where one does not hold them. */
PKT_INLINE void pkt_put_item(pkt_cursor *c, const uint64_t raw, const unsigned bits)
{
    const unsigned low = bits > 56 ? 32 : bits;
    pkt_push(c, raw & pkt_mask(low), low);
    if (bits > low)
        pkt_push(c, raw >> low, bits - low);
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
#define PKT_CHANGES(mask, count, rest)                                              \
    do {                                                                            \
        PKT_NEED((count) + (rest));                                                 \
        if (mode == PKT_WRITE)                                                      \
            pkt_put_item(c, mask, (count));                                         \
        if (mode == PKT_READ)                                                       \
            mask = pkt_get_item(c, (count));                                        \
        if (mode == PKT_MEASURE)                                                    \
            c->bit += (count);                                                      \
        if (mode == PKT_EXPLAIN && !pkt_explain_changes(c, &mask, (count), (rest))) \
            return false;                                                           \
        if (mask != 0)                                                              \
            c->changed = true;                                                      \
    } while (0)

/* The field or element that began at bit `start` is there and yet equal to the baseline: a writer would have left it out. */
#define PKT_MUST_DIFFER(differs, start, name)                               \
    do {                                                                    \
        if (mode == PKT_READ && !(differs))                                 \
            return false;                                                   \
        if (mode == PKT_EXPLAIN && out != NULL && !(differs))               \
            return pkt_explain_fail(c, PKT_ERROR_CANONICAL, (start), name); \
    } while (0)

/* A bool that has changed: nothing on the wire. */
#define PKT_FLIP(m, old)     \
    do {                     \
        if (PKT_READING)     \
            out->m = !(old); \
    } while (0)

/* A u32 that has not changed is still greater than the member `start`, which may have. */
#define PKT_STILL_AFTER(m, start)                                    \
    do {                                                             \
        if (mode != PKT_EXPLAIN && in->m <= in->start)               \
            return false;                                            \
        if (mode == PKT_EXPLAIN && in->m <= in->start)               \
            return pkt_explain_fail(c, PKT_ERROR_ORDER, c->bit, #m); \
    } while (0)

/* The same for what holds further fields: nothing in it, presence, count and tag among that, has changed. */
#define PKT_MUST_CHANGE(start, name)              \
    do {                                          \
        PKT_MUST_DIFFER(c->changed, start, name); \
        c->changed = true;                        \
    } while (0)

/* A type by its own delta function, against the baseline at `old`. The cursor that is called with is a copy, as in
 * PKT_CALLED. */
#define PKT_DELTA(T, m, old)                                                                           \
    do {                                                                                               \
        if (mode == PKT_EXPLAIN && !T##_delta_explain(c, (old), &in->m, out != NULL ? &out->m : NULL)) \
            return pkt_explain_outer(c, #m);                                                           \
        if (mode != PKT_EXPLAIN) {                                                                     \
            pkt_cursor copy_ = pkt_cursor_of(c);                                                       \
            if (mode == PKT_WRITE && !T##_delta_write(&copy_, (old), &in->m))                          \
                return false;                                                                          \
            if (mode == PKT_READ && !T##_delta_read(&copy_, (old), &out->m))                           \
                return false;                                                                          \
            if (mode == PKT_MEASURE && !T##_delta_measure(&copy_, (old), &in->m))                      \
                return false;                                                                          \
            c->bit = copy_.bit;                                                                        \
            c->carry = copy_.carry;                                                                    \
            c->changed |= copy_.changed;                                                               \
        }                                                                                              \
    } while (0)

/* A value with nothing but base values, for what the baseline does not have. */
#define PKT_BLANK(T, v) (memset((v), 0, sizeof *(v)), T##_base(v), (v))

/* ---- neighbours that may have changed -------------------------------------------------------------------------- */

/* Which fields of an object change, nobody can predict. So neighbours that are small are written and read without a
 * branch: each takes its bits of one word, or none. A row of them has 56 bits at most, and one bounds check. */
PKT_INLINE void pkt_changed_run(const pkt_mode mode, pkt_cursor *c)
{
    c->filled = 0;
    pkt_varying_run(mode, c, true, 0);
}

PKT_INLINE bool pkt_changed_end(const pkt_mode mode, pkt_cursor *c)
{
    if (mode == PKT_EXPLAIN)
        return true;
    if ((mode != PKT_WRITE || pkt_is_near_end(c)) && !pkt_need(mode, c, c->filled))
        return false;
    if (mode == PKT_WRITE)
        pkt_end(mode, c, c->filled);
    else
        c->bit += c->filled;
    return true;
}

/* kept: all ones for a field that has changed, else zero; what is got for one that has not is anything. */
PKT_INLINE void pkt_changed_put(pkt_cursor *c, uint64_t raw, const unsigned bits, uint64_t kept)
{
    c->word |= (raw & kept) << c->filled;
    c->filled += bits & (unsigned)kept;
}

PKT_INLINE uint64_t pkt_changed_get(pkt_cursor *c, const unsigned bits, uint64_t kept)
{
    const uint64_t raw = c->word >> c->filled & pkt_mask(bits);
    c->filled += bits & (unsigned)kept;
    return raw;
}

#define PKT_CHANGED_RUN() pkt_changed_run(mode, c)

/* A mask of `count` bits, fewer than 56, in one word with a row: PKT_CHANGES and PKT_CHANGED_RUN. */
#define PKT_CHANGES_RUN(mask, count)                                           \
    do {                                                                       \
        PKT_CHANGED_RUN();                                                     \
        c->filled = (count);                                                   \
        if (mode == PKT_WRITE)                                                 \
            c->word = mask;                                                    \
        if (mode == PKT_READ)                                                  \
            mask = c->word & pkt_mask(count);                                  \
        if (mode == PKT_EXPLAIN && !pkt_explain_changes(c, &mask, (count), 0)) \
            return false;                                                      \
        if (mask != 0)                                                         \
            c->changed = true;                                                 \
    } while (0)
#define PKT_CHANGED_END()              \
    do {                               \
        if (!pkt_changed_end(mode, c)) \
            return false;              \
    } while (0)

/* changed: the mask, shifted so that the field's bit is the lowest. raw_of_in, raw_of_old: the field's bits as uint64_t;
 * out_of_raw: of raw_, those that it has now; explain: the line that goes over it by itself. What differs is at least 1 where
 * the field has changed. */
#define PKT_CHANGED_(m, raw_of_in, raw_of_old, out_of_raw, span, bits, changed, explain)                     \
    do {                                                                                                     \
        const uint64_t kept_ = 0 - ((changed)&1);                                                            \
        if (mode == PKT_WRITE) {                                                                             \
            const uint64_t raw_ = raw_of_in;                                                                 \
            if (pkt_over(raw_, (span)))                                                                      \
                return false;                                                                                \
            pkt_changed_put(c, raw_, (bits), kept_);                                                         \
        }                                                                                                    \
        if (mode == PKT_READ) {                                                                              \
            const uint64_t old_ = raw_of_old, differs_ = (pkt_changed_get(c, (bits), kept_) ^ old_) & kept_; \
            const uint64_t raw_ = old_ ^ differs_;                                                           \
            if (differs_ < ((changed)&1) || pkt_over(raw_, (span)))                                          \
                return false;                                                                                \
            out->m = out_of_raw;                                                                             \
        }                                                                                                    \
        if (mode == PKT_MEASURE)                                                                             \
            c->filled += (bits) & (unsigned)kept_;                                                           \
        if (mode == PKT_EXPLAIN && kept_ != 0) {                                                             \
            const uint64_t start_ = c->bit;                                                                  \
            explain;                                                                                         \
            PKT_MUST_DIFFER((raw_of_in) != (raw_of_old), start_, #m);                                        \
        }                                                                                                    \
    } while (0)

#define PKT_CHANGED_BITS(T, m, old, bits, changed) \
    PKT_CHANGED_(m, (uint64_t)in->m, (uint64_t)(old), (T)raw_, pkt_mask(bits), bits, changed, PKT_BITS(T, m, bits, 0))

/* iN, whose bits fill its type. */
#define PKT_CHANGED_SIGNED(T, m, old, bits, changed)                                                               \
    PKT_CHANGED_(m, ((uint64_t)in->m & pkt_mask(bits)), ((uint64_t)(old)&pkt_mask(bits)), (T)raw_, pkt_mask(bits), \
                 bits, changed, PKT_SIGNED(T, m, bits, 0))

/* lo to hi, as in PKT_INT. */
#define PKT_CHANGED_INT(T, m, old, lo, hi, bits, changed)                                                       \
    PKT_CHANGED_(m, (uint64_t)((uint32_t)in->m - (uint32_t)(lo)), (uint64_t)((uint32_t)(old) - (uint32_t)(lo)), \
                 (T)((uint32_t)raw_ + (uint32_t)(lo)), (uint32_t)(hi) - (uint32_t)(lo), bits, changed,          \
                 PKT_INT(T, m, lo, hi, bits, 0))

/* Either of two floats. */
PKT_INLINE float pkt_changed_float(float now, float old, uint64_t kept)
{
    return pkt_bits_float((pkt_float_bits(now) & (uint32_t)kept) | (pkt_float_bits(old) & ~(uint32_t)kept));
}

#define PKT_CHANGED_FLOAT(m, old, changed)                                                                          \
    PKT_CHANGED_(m, (uint64_t)pkt_float_bits(in->m), (uint64_t)pkt_float_bits(old), pkt_bits_float((uint32_t)raw_), \
                 pkt_mask(32), 32, changed, PKT_FLOAT(m, 0))

#define PKT_CHANGED_QUANTIZED(m, old, lo, hi, steps, bits, changed)                                                 \
    PKT_CHANGED_(m, (uint64_t)pkt_quantize(in->m, (lo), (hi), (steps)),                                             \
                 (uint64_t)pkt_quantize((old), (lo), (hi), (steps)),                                                \
                 pkt_changed_float(pkt_dequantize((uint32_t)raw_, (lo), (hi), (steps)), (old), kept_), steps, bits, \
                 changed, PKT_QUANTIZED(m, lo, hi, steps, bits, 0))

PKT_INLINE uint32_t pkt_changed_get_code(pkt_cursor *c, const unsigned bits, uint64_t kept)
{
    return (uint32_t)(pkt_changed_get(c, bits, kept) & kept);
}

/* Three or four neighbours that are quantized are compared together, which leaves the code of each at `code` to be written;
 * reading, it is left there to become a value together with the others'. 0 where it has not changed. */
#define PKT_CHANGED_CODE(m, old, lo, hi, steps, bits, changed, code)      \
    do {                                                                  \
        if (mode == PKT_WRITE)                                            \
            pkt_changed_put(c, *(code), (bits), 0 - ((changed)&1));       \
        if (mode == PKT_READ) {                                           \
            *(code) = pkt_changed_get_code(c, (bits), 0 - ((changed)&1)); \
            if (pkt_over32(*(code), (steps)))                             \
                return false;                                             \
        }                                                                 \
        if (mode == PKT_MEASURE || mode == PKT_EXPLAIN)                   \
            PKT_CHANGED_QUANTIZED(m, old, lo, hi, steps, bits, changed);  \
    } while (0)

/* The values of codes that were read. Arguments as in PKT_COMPARE_QUANTIZED3 and 4. */
#define PKT_CHANGED_VALUES3(m0, old0, lo0, hi0, steps0, m1, old1, lo1, hi1, steps1, m2, old2, lo2, hi2, steps2, mask, \
                            bit, codes)                                                                               \
    do {                                                                                                              \
        if (mode == PKT_READ) {                                                                                       \
            const pkt_scale scales_[3] = {                                                                            \
                {(lo0), (hi0), (steps0), 0}, {(lo1), (hi1), (steps1), 0}, {(lo2), (hi2), (steps2), 0}};               \
            const float old_row_[3] = {(old0), (old1), (old2)};                                                       \
            float now_[3];                                                                                            \
            if (!pkt_change_row(codes, old_row_, scales_, 3, mask >> (bit), now_))                                    \
                return false;                                                                                         \
            out->m0 = now_[0];                                                                                        \
            out->m1 = now_[1];                                                                                        \
            out->m2 = now_[2];                                                                                        \
        }                                                                                                             \
    } while (0)
#define PKT_CHANGED_VALUES4(m0, old0, lo0, hi0, steps0, m1, old1, lo1, hi1, steps1, m2, old2, lo2, hi2, steps2, m3, \
                            old3, lo3, hi3, steps3, mask, bit, codes)                                               \
    do {                                                                                                            \
        if (mode == PKT_READ) {                                                                                     \
            const pkt_scale scales_[4] = {{(lo0), (hi0), (steps0), 0},                                              \
                                          {(lo1), (hi1), (steps1), 0},                                              \
                                          {(lo2), (hi2), (steps2), 0},                                              \
                                          {(lo3), (hi3), (steps3), 0}};                                             \
            const float old_row_[4] = {(old0), (old1), (old2), (old3)};                                             \
            float now_[4];                                                                                          \
            if (!pkt_change_row(codes, old_row_, scales_, 4, mask >> (bit), now_))                                  \
                return false;                                                                                       \
            out->m0 = now_[0];                                                                                      \
            out->m1 = now_[1];                                                                                      \
            out->m2 = now_[2];                                                                                      \
            out->m3 = now_[3];                                                                                      \
        }                                                                                                           \
    } while (0)

/* Whether the codes of three or four neighbours differ from the baseline's, into their bits of a mask, the first one at `bit`, and
 * the codes into `codes`. */
#define PKT_COMPARE_(mask, bit, count, codes)                                                       \
    do {                                                                                            \
        uint64_t differ_;                                                                           \
        if (!pkt_compare_row(row_, old_row_, scales_, count, codes, &differ_) && mode == PKT_WRITE) \
            return false;                                                                           \
        mask |= (differ_ & ((1u << (count)) - 1)) << (bit);                                         \
    } while (0)
#define PKT_COMPARE_QUANTIZED3(m0, old0, lo0, hi0, steps0, m1, old1, lo1, hi1, steps1, m2, old2, lo2, hi2, steps2, \
                               mask, bit, codes)                                                                   \
    do {                                                                                                           \
        const pkt_scale scales_[3] = {                                                                             \
            {(lo0), (hi0), (steps0), 0}, {(lo1), (hi1), (steps1), 0}, {(lo2), (hi2), (steps2), 0}};                \
        const float row_[3] = {in->m0, in->m1, in->m2}, old_row_[3] = {(old0), (old1), (old2)};                    \
        PKT_COMPARE_(mask, bit, 3, codes);                                                                         \
    } while (0)
#define PKT_COMPARE_QUANTIZED4(m0, old0, lo0, hi0, steps0, m1, old1, lo1, hi1, steps1, m2, old2, lo2, hi2, steps2, m3, \
                               old3, lo3, hi3, steps3, mask, bit, codes)                                               \
    do {                                                                                                               \
        const pkt_scale scales_[4] = {{(lo0), (hi0), (steps0), 0},                                                     \
                                      {(lo1), (hi1), (steps1), 0},                                                     \
                                      {(lo2), (hi2), (steps2), 0},                                                     \
                                      {(lo3), (hi3), (steps3), 0}};                                                    \
        const float row_[4] = {in->m0, in->m1, in->m2, in->m3}, old_row_[4] = {(old0), (old1), (old2), (old3)};        \
        PKT_COMPARE_(mask, bit, 4, codes);                                                                             \
    } while (0)

/* A bool: nothing on the wire. */
#define PKT_CHANGED_BOOL(m, old, changed)           \
    do {                                            \
        if (PKT_READING)                            \
            out->m = (old) != (((changed)&1) != 0); \
    } while (0)

/* ---- steps: delta<s, l> -------------------------------------------------------------------------------------- */

/* What is known of a code that steps are taken from: 0 to span; in full `bits` bits, xor flip (two's complement is biased
 * here, and not on the wire), or compact of so many bytes; s and l bits for a small and a large step. A code in an optional
 * may stay what it was. */
typedef struct pkt_steps {
    uint64_t span, flip;
    unsigned bits, compact, s, l;
    bool may_equal;
} pkt_steps;

PKT_COLD bool pkt_explain_changes(pkt_cursor *c, uint64_t *changed, unsigned count, uint64_t rest);

/* Codes as uint64_t: of in->m, and to out->m from now_. */
#define PKT_STEP_(m, old_code, code_of_in, out_of_now, ...)     \
    do {                                                        \
        const pkt_steps steps_ = {__VA_ARGS__};                 \
        const uint64_t old_ = old_code;                         \
        uint64_t now_ = PKT_READING ? 0 : code_of_in;           \
        if (!pkt_step_value(mode, c, old_, &now_, &steps_, #m)) \
            return false;                                       \
        if (PKT_READING)                                        \
            out->m = out_of_now;                                \
    } while (0)

/* lo to hi. */
#define PKT_STEP_INT(T, m, old, lo, hi, bits, s, l, may_equal)                                                       \
    PKT_STEP_(m, ((uint64_t)(old) - (uint64_t)(lo)), ((uint64_t)in->m - (uint64_t)(lo)), (T)(now_ + (uint64_t)(lo)), \
              (uint64_t)(hi) - (uint64_t)(lo), 0, bits, 0, s, l, may_equal)

/* iN. */
#define PKT_STEP_SIGNED(T, m, old, bits, s, l, may_equal)                                                            \
    PKT_STEP_(m, ((uint64_t)(old) + (UINT64_C(1) << ((bits)-1))), ((uint64_t)in->m + (UINT64_C(1) << ((bits)-1))),   \
              (T)(now_ - (UINT64_C(1) << ((bits)-1))), UINT64_MAX >> (64 - (bits)), UINT64_C(1) << ((bits)-1), bits, \
              0, s, l, may_equal)

/* compact uN of so many bytes. */
#define PKT_STEP_COMPACT(T, m, old, bytes, s, l, may_equal)                                                          \
    PKT_STEP_(m, (uint64_t)(old), (uint64_t)in->m, (T)now_, UINT64_MAX >> (64 - 8 * (bytes)), 0, 8 * (bytes), bytes, \
              s, l, may_equal)

/* In steps of the quantized number; no code stands for one that is not finite. */
#define PKT_STEP_QUANTIZED(m, old, lo, hi, steps, bits, s, l, may_equal)                                    \
    do {                                                                                                    \
        if (mode == PKT_EXPLAIN && out == NULL && pkt_quantize(in->m, (lo), (hi), (steps)) == UINT32_MAX)   \
            return pkt_explain_fail(c, PKT_ERROR_VALUE, c->bit, #m);                                        \
        PKT_STEP_(m, pkt_quantize((old), (lo), (hi), (steps)), pkt_quantize(in->m, (lo), (hi), (steps)),    \
                  pkt_dequantize((uint32_t)now_, (lo), (hi), (steps)), steps, 0, bits, 0, s, l, may_equal); \
    } while (0)
#define PKT_STEP_QUANTIZED64(m, old, lo, hi, steps, bits, s, l, may_equal)                                   \
    do {                                                                                                     \
        if (mode == PKT_EXPLAIN && out == NULL && pkt_quantize64(in->m, (lo), (hi), (steps)) == UINT64_MAX)  \
            return pkt_explain_fail(c, PKT_ERROR_VALUE, c->bit, #m);                                         \
        PKT_STEP_(m, pkt_quantize64((old), (lo), (hi), (steps)), pkt_quantize64(in->m, (lo), (hi), (steps)), \
                  pkt_dequantize64(now_, (lo), (hi), (steps)), steps, 0, bits, 0, s, l, may_equal);          \
    } while (0)

/* The item of a code in any mode, where EXPLAIN says why it cannot be: in pkt_delta.c, for a copy of it at each field would
 * be more code than calls are slow. Reading sets *now. */
bool pkt_step_value(pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t *now, const pkt_steps *k, const char *field);
/* Of a quat, with its three components in one item; k is for one of them. */
bool pkt_quat_step(pkt_mode mode, pkt_cursor *c, uint64_t old, const pkt_quat *in, pkt_quat *out, const pkt_steps *k,
                   const char *field);
/* pkt_quat_code and pkt_unit_code, not inlined. */
uint64_t pkt_delta_quat_code(pkt_quat q, unsigned parts);
uint64_t pkt_delta_unit_code(pkt_vec3 v, unsigned parts);

#define PKT_STEP_QUAT(m, old, parts, s, l, may_equal)                                          \
    do {                                                                                       \
        const pkt_steps steps_ = {UINT64_MAX >> (64 - (parts)), 0, parts, 0, s, l, may_equal}; \
        const uint64_t old_ = pkt_delta_quat_code((old), (parts));                             \
        if (!pkt_quat_step(mode, c, old_, &in->m, PKT_READING ? &out->m : NULL, &steps_, #m))  \
            return false;                                                                      \
    } while (0)

/* ---- changed elements ------------------------------------------------------------------------------------------ */

/* A loop over a subset of n elements in PKT_SUBSET_AUTO, as pkt_subset.h has it: `set` is what is written, and, all zero
 * before, what is read. */
bool pkt_elements_begin(pkt_mode mode, pkt_cursor *c, pkt_subset *s, uint64_t *set, uint32_t n, const char *field);
bool pkt_elements_next(pkt_mode mode, pkt_cursor *c, pkt_subset *s);

/* ---- comparisons ---------------------------------------------------------------------------------------------- */

/* Whether a bitmap has a bit set. */
PKT_INLINE bool pkt_any(const uint64_t *set, const uint32_t words)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < words; i++)
        all |= set[i];
    return all != 0;
}

PKT_INLINE bool pkt_same_bytes(const uint8_t *a, const uint64_t a_size, const uint8_t *b, const uint64_t b_size,
                               const uint64_t max)
{
    return a_size == b_size && a_size <= max && (a_size == 0 || memcmp(a, b, (size_t)a_size) == 0);
}

/* ---- the baseline --------------------------------------------------------------------------------------------- */

/* Goes over a baseline that cannot be written, to find out why: nothing is stored, and there is room for all of it. */
PKT_COLD pkt_cursor pkt_baseline_explain(const pkt_cursor *c);
/* The reason found is that of the delta, at its first bit. Always false. */
PKT_COLD bool pkt_baseline_explained(const pkt_cursor *baseline, const pkt_cursor *c);

/* ---- the functions of a type --------------------------------------------------------------------------------- */

/* T_delta_write, T_delta_read, T_delta_measure, T_delta_explain: T_delta in one mode each, for the types that hold a T
 * and for the functions below. */
#define PKT_DEFINE_DELTA(T)                                                                                \
    /* For a body alone; the others work on a copy of the cursor. */                                       \
    PKT_INLINE bool T##_delta_write_body(pkt_cursor *c, const T *base, const T *v)                         \
    {                                                                                                      \
        return T##_delta(PKT_WRITE, c, base, v, NULL);                                                     \
    }                                                                                                      \
                                                                                                           \
    PKT_INLINE bool T##_delta_read_body(pkt_cursor *c, const T *base, T *v)                                \
    {                                                                                                      \
        T##_copy(v, base);                                                                                 \
        return T##_delta(PKT_READ, c, base, v, v);                                                         \
    }                                                                                                      \
                                                                                                           \
    static bool T##_delta_write(pkt_cursor *c, const T *base, const T *v)                                  \
    {                                                                                                      \
        pkt_cursor cursor = pkt_cursor_of(c);                                                              \
        if (!T##_delta_write_body(&cursor, base, v))                                                       \
            return false;                                                                                  \
        c->bit = cursor.bit;                                                                               \
        c->carry = cursor.carry;                                                                           \
        c->changed = cursor.changed;                                                                       \
        return true;                                                                                       \
    }                                                                                                      \
                                                                                                           \
    static bool T##_delta_read(pkt_cursor *c, const T *base, T *v)                                         \
    {                                                                                                      \
        pkt_cursor cursor = pkt_cursor_of(c);                                                              \
        if (!T##_delta_read_body(&cursor, base, v))                                                        \
            return false;                                                                                  \
        c->bit = cursor.bit;                                                                               \
        c->changed = cursor.changed;                                                                       \
        return true;                                                                                       \
    }                                                                                                      \
                                                                                                           \
    static bool T##_delta_measure(pkt_cursor *c, const T *base, const T *v)                                \
    {                                                                                                      \
        pkt_cursor cursor = pkt_cursor_of(c);                                                              \
        if (!T##_delta(PKT_MEASURE, &cursor, base, v, NULL))                                               \
            return false;                                                                                  \
        c->bit = cursor.bit;                                                                               \
        return true;                                                                                       \
    }                                                                                                      \
                                                                                                           \
    static PKT_COLD PKT_NOINLINE bool T##_delta_explain(pkt_cursor *c, const T *base, const T *in, T *out) \
    {                                                                                                      \
        if (out != NULL)                                                                                   \
            T##_copy(out, base);                                                                           \
        return T##_delta(PKT_EXPLAIN, c, base, in, out);                                                   \
    }

/* T_write_delta, T_read_delta, T_measure_delta: what programs call. A baseline that is missing is made of base values; one
 * that cannot be written is refused before anything else, for nothing could be said to equal it. */
#define PKT_DEFINE_DELTA_STREAMS(T, name)                                                                             \
    static bool T##_sound(const T *base)                                                                              \
    {                                                                                                                 \
        return T##_same(base, base);                                                                                  \
    }                                                                                                                 \
                                                                                                                      \
    /* Against a blank value: there is one on the stack only where there is no baseline. */                           \
    static PKT_NOINLINE bool T##_delta_write_blank(pkt_cursor *c, const T *v)                                         \
    {                                                                                                                 \
        T blank;                                                                                                      \
        return T##_delta_write(c, PKT_BLANK(T, &blank), v);                                                           \
    }                                                                                                                 \
                                                                                                                      \
    static PKT_NOINLINE bool T##_delta_read_blank(pkt_cursor *c, T *v)                                                \
    {                                                                                                                 \
        T blank;                                                                                                      \
        return T##_delta_read(c, PKT_BLANK(T, &blank), v);                                                            \
    }                                                                                                                 \
                                                                                                                      \
    static PKT_NOINLINE bool T##_delta_measure_blank(pkt_cursor *c, const T *v)                                       \
    {                                                                                                                 \
        T blank;                                                                                                      \
        return T##_delta_measure(c, PKT_BLANK(T, &blank), v);                                                         \
    }                                                                                                                 \
                                                                                                                      \
    static PKT_COLD PKT_NOINLINE bool T##_delta_explain_blank(pkt_cursor *c, const T *in, T *out)                     \
    {                                                                                                                 \
        T blank;                                                                                                      \
        return T##_delta_explain(c, PKT_BLANK(T, &blank), in, out);                                                   \
    }                                                                                                                 \
                                                                                                                      \
    static PKT_COLD PKT_NOINLINE bool T##_delta_failed(pkt_cursor *c, const T *base, const T *in, T *out)             \
    {                                                                                                                 \
        pkt_cursor baseline;                                                                                          \
        if (base == NULL)                                                                                             \
            return T##_delta_explain_blank(c, in, out);                                                               \
        if (T##_sound(base))                                                                                          \
            return T##_delta_explain(c, base, in, out);                                                               \
        baseline = pkt_baseline_explain(c);                                                                           \
        (void)T##_explain(&baseline, base, NULL);                                                                     \
        return pkt_baseline_explained(&baseline, c);                                                                  \
    }                                                                                                                 \
                                                                                                                      \
    static PKT_COLD PKT_NOINLINE bool T##_write_delta_failed(pkt_writer *w, const T *base, const T *v)                \
    {                                                                                                                 \
        pkt_cursor cursor;                                                                                            \
        uint64_t bits;                                                                                                \
        if (w->error.code != PKT_OK)                                                                                  \
            return false;                                                                                             \
        bits = T##_measure_delta(base, v, w->bit);                                                                    \
        if (bits > pkt_writer_bits_left(w) && pkt_writer_grow(w, bits))                                               \
            return T##_write_delta(w, base, v);                                                                       \
        cursor = pkt_writer_explain(w);                                                                               \
        (void)T##_delta_failed(&cursor, base, v, NULL);                                                               \
        return pkt_writer_explained(w, &cursor, name);                                                                \
    }                                                                                                                 \
                                                                                                                      \
    bool T##_write_delta(pkt_writer *w, const T *base, const T *v)                                                    \
    {                                                                                                                 \
        pkt_cursor cursor = pkt_writer_cursor(w);                                                                     \
        if (w->error.code != PKT_OK || !(base == NULL ? T##_delta_write_blank(&cursor, v)                             \
                                                      : T##_sound(base) && T##_delta_write(&cursor, base, v)))        \
            return T##_write_delta_failed(w, base, v);                                                                \
        pkt_writer_advance(w, &cursor);                                                                               \
        return true;                                                                                                  \
    }                                                                                                                 \
                                                                                                                      \
    static PKT_COLD PKT_NOINLINE bool T##_read_delta_failed(pkt_reader *r, const T *base, T *v)                       \
    {                                                                                                                 \
        pkt_cursor cursor;                                                                                            \
        if (r->error.code != PKT_OK)                                                                                  \
            return false;                                                                                             \
        cursor = pkt_reader_explain(r);                                                                               \
        (void)T##_delta_failed(&cursor, base, v, v);                                                                  \
        return pkt_reader_explained(r, &cursor, name);                                                                \
    }                                                                                                                 \
                                                                                                                      \
    bool T##_read_delta(pkt_reader *r, const T *base, T *v)                                                           \
    {                                                                                                                 \
        pkt_cursor cursor = pkt_reader_cursor(r);                                                                     \
        if (r->error.code != PKT_OK ||                                                                                \
            !(base == NULL ? T##_delta_read_blank(&cursor, v) : T##_sound(base) && T##_delta_read(&cursor, base, v))) \
            return T##_read_delta_failed(r, base, v);                                                                 \
        pkt_reader_advance(r, &cursor);                                                                               \
        return true;                                                                                                  \
    }                                                                                                                 \
                                                                                                                      \
    uint64_t T##_measure_delta(const T *base, const T *v, uint64_t start_bit)                                         \
    {                                                                                                                 \
        pkt_cursor cursor = pkt_measure_cursor(start_bit);                                                            \
        const bool measured = base == NULL ? T##_delta_measure_blank(&cursor, v)                                      \
                                           : T##_sound(base) && T##_delta_measure(&cursor, base, v);                  \
        return measured ? cursor.bit - start_bit : 0;                                                                 \
    }

/* T_pack_delta and T_unpack_delta of a packet, framed as PKT_DEFINE_PACKET does, and T_pack_delta_body and
 * T_unpack_delta_body; where it has refs, the forms that take the program's callbacks are there for programs too.
 * A cursor whose address is handed on is a copy, as in PKT_CALLED. */
#define PKT_DEFINE_DELTA_PACKET(T, name, crc, end_check, end)                                                    \
    PKT_DEFINE_PACK_DELTA_(PKT_INLINE, T, name, pack_delta, unpack_delta, write, read, 32, crc, end_check, end)  \
    PKT_DEFINE_PACK_DELTA_(PKT_INLINE, T, name, pack_delta_body, unpack_delta_body, write_body, read_body, 0, 0, \
                           pkt_no_end_check, 0)
#define PKT_DEFINE_DELTA_PACKET_REFS(T, name, crc, end_check, end)                                           \
    PKT_DEFINE_PACK_DELTA_(extern, T, name, pack_delta, unpack_delta, write, read, 32, crc, end_check, end)  \
    PKT_DEFINE_PACK_DELTA_(extern, T, name, pack_delta_body, unpack_delta_body, write_body, read_body, 0, 0, \
                           pkt_no_end_check, 0)

#define PKT_DEFINE_PACK_DELTA_(linkage, T, name, pack, unpack, write, read, first, crc, end_check, end)                \
    static PKT_COLD PKT_NOINLINE size_t T##_##pack##_failed(const T *base, const T *v, void *data, size_t size,        \
                                                            pkt_refs *refs, pkt_error *error)                          \
    {                                                                                                                  \
        pkt_error unasked;                                                                                             \
        pkt_cursor start = pkt_pack_cursor(data, size, (first), refs);                                                 \
        pkt_cursor cursor = pkt_pack_explain(&start, error != NULL ? error : &unasked);                                \
        if (pkt_pack_explain_begin(&cursor, (first)) && T##_delta_failed(&cursor, base, v, NULL))                      \
            (void)end_check(PKT_EXPLAIN, &cursor, (end));                                                              \
        pkt_explained(&cursor, name);                                                                                  \
        return 0;                                                                                                      \
    }                                                                                                                  \
                                                                                                                       \
    PKT_INLINE size_t T##_##pack##_with(const T *base, const T *v, void *data, size_t size, pkt_refs *refs)            \
    {                                                                                                                  \
        size_t packed;                                                                                                 \
        pkt_cursor cursor = pkt_pack_cursor(data, size, (first), refs);                                                \
        if (base == NULL) {                                                                                            \
            pkt_cursor copy = pkt_cursor_of(&cursor);                                                                  \
            if (!T##_delta_write_blank(&copy, v))                                                                      \
                return 0;                                                                                              \
            cursor = copy;                                                                                             \
        } else if (!T##_sound(base) || !T##_delta_##write(&cursor, base, v)) {                                         \
            return 0;                                                                                                  \
        }                                                                                                              \
        if (!end_check(PKT_WRITE, &cursor, (end)))                                                                     \
            return 0;                                                                                                  \
        return pkt_pack_finish(&cursor, (first), (crc), &packed) ? packed : 0;                                         \
    }                                                                                                                  \
                                                                                                                       \
    size_t T##_##pack(const T *base, const T *v, void *data, size_t size)                                              \
    {                                                                                                                  \
        return T##_##pack##_with(base, v, data, size, NULL);                                                           \
    }                                                                                                                  \
                                                                                                                       \
    size_t T##_##pack##_error(const T *base, const T *v, void *data, size_t size, pkt_error *error)                    \
    {                                                                                                                  \
        size_t packed = T##_##pack(base, v, data, size);                                                               \
        return packed != 0 ? pkt_packed(packed, error) : T##_##pack##_failed(base, v, data, size, NULL, error);        \
    }                                                                                                                  \
                                                                                                                       \
    linkage size_t T##_##pack##_refs(const T *base, const T *v, void *data, size_t size, pkt_refs *refs,               \
                                     pkt_error *error)                                                                 \
    {                                                                                                                  \
        size_t packed = T##_##pack##_with(base, v, data, size, refs);                                                  \
        return packed != 0 ? pkt_packed(packed, error) : T##_##pack##_failed(base, v, data, size, refs, error);        \
    }                                                                                                                  \
                                                                                                                       \
    static PKT_COLD PKT_NOINLINE bool T##_##unpack##_failed(const T *base, T *v, const void *data, size_t size,        \
                                                            pkt_refs *refs, pkt_error *error)                          \
    {                                                                                                                  \
        pkt_error unasked;                                                                                             \
        pkt_cursor start = pkt_unpack_cursor(data, size, (first), refs);                                               \
        pkt_cursor cursor = pkt_unpack_explain(&start, error != NULL ? error : &unasked);                              \
        if (v != NULL && pkt_unpack_explain_begin(&cursor, (first), (crc)) && T##_delta_failed(&cursor, base, v, v) && \
            end_check(PKT_EXPLAIN, &cursor, (end)))                                                                    \
            (void)pkt_unpack_explain_finish(&cursor);                                                                  \
        pkt_explained(&cursor, name);                                                                                  \
        return false;                                                                                                  \
    }                                                                                                                  \
                                                                                                                       \
    PKT_INLINE bool T##_##unpack##_with(const T *base, T *v, const void *data, size_t size, pkt_refs *refs)            \
    {                                                                                                                  \
        pkt_cursor cursor = pkt_unpack_cursor(data, size, (first), refs);                                              \
        if (!pkt_unpack_begin(&cursor, (first), (crc)))                                                                \
            return false;                                                                                              \
        if (base == NULL) {                                                                                            \
            pkt_cursor copy = pkt_cursor_of(&cursor);                                                                  \
            if (!T##_delta_read_blank(&copy, v))                                                                       \
                return false;                                                                                          \
            cursor = copy;                                                                                             \
        } else if (!T##_sound(base) || !T##_delta_##read(&cursor, base, v)) {                                          \
            return false;                                                                                              \
        }                                                                                                              \
        return end_check(PKT_READ, &cursor, (end)) && pkt_unpack_finish(&cursor);                                      \
    }                                                                                                                  \
                                                                                                                       \
    bool T##_##unpack(const T *base, T *v, const void *data, size_t size)                                              \
    {                                                                                                                  \
        return T##_##unpack##_with(base, v, data, size, NULL) ||                                                       \
               T##_##unpack##_failed(base, v, data, size, NULL, NULL);                                                 \
    }                                                                                                                  \
                                                                                                                       \
    bool T##_##unpack##_error(const T *base, T *v, const void *data, size_t size, pkt_error *error)                    \
    {                                                                                                                  \
        return T##_##unpack(base, v, data, size) ? pkt_unpacked(error)                                                 \
                                                 : T##_##unpack##_failed(base, v, data, size, NULL, error);            \
    }                                                                                                                  \
                                                                                                                       \
    linkage bool T##_##unpack##_refs(const T *base, T *v, const void *data, size_t size, pkt_refs *refs,               \
                                     pkt_error *error)                                                                 \
    {                                                                                                                  \
        return T##_##unpack##_with(base, v, data, size, refs)                                                          \
                   ? pkt_unpacked(error)                                                                               \
                   : T##_##unpack##_failed(base, v, data, size, refs, error);                                          \
    }

#ifdef __cplusplus
}
#endif

#endif
