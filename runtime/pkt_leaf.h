/* pkt_leaf.h - fields of a fixed width in generated code: numbers, enums, rotations, counts, constants, refs.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_inside.h. Programs do not use this header.
 *
 * The arguments are the member `m`, then how its value becomes bits, then its place: the bit of the open word at which it
 * begins, or PKT_ACROSS if it begins in one word and ends in the next.
 */
#ifndef PKT_LEAF_H
#define PKT_LEAF_H

#include "pkt_lanes.h"
#include "pkt_rotation.h"
#include "pkt_run.h"

PKT_C_BEGIN

/* ---- kinds of numbers

   A kind says how numbers become bits. PKT_FIELD, PKT_CHANGED, PKT_STEP, PKT_CODED and others take any kind as their
   argument `as`, a list of these parts:

   TYPE    the type of the member, which the other parts call x_
   RAW     the bits of x_ on the wire, as a uint64_t; if x_ cannot be written, a number over the span
   VALUE   the value that has the bits raw_; if there is none, good_ is set to false
   KEPT    the same if kept_ is 0; x_ if kept_ is all ones
   CODE    the code of x_, by a call where the expression is long. Codes ascend with the values
   OF      `value`, `quat`, `around`, `or_raw` or `category`: pkt_step_value, or pkt_coded_value, writes and reads a code as a step, or coded
   SHAPE   the other parts: how pkt_steps and pkt_coded begin
   SPAN    the greatest code; the least is 0
   FLIP    which bits of a code differ on the wire, as pkt_wire_of_code takes it
   BITS    the number of bits on the wire; of a compact number at most, and the last part is its bytes; of a number with
           `or raw` those of a code, and the last part is PKT_FORM_OR_RAW; otherwise it is 0 */
#define PKT_TYPE_(T, ...) T
#define PKT_RAW_(T, raw, ...) raw
#define PKT_VALUE_(T, raw, value, ...) value
#define PKT_KEPT_(T, raw, value, kept, ...) kept
#define PKT_CODE_(T, raw, value, kept, code, ...) (code)
#define PKT_STEP_FUNCTION_(T, raw, value, kept, code, of, ...) pkt_step_##of
#define PKT_CODER_FUNCTION_(T, raw, value, kept, code, of, ...) pkt_coded_##of
#define PKT_SHAPE_(T, raw, value, kept, code, of, span, flip, bits, compact, far) span, flip, bits, compact
#define PKT_SPAN_(T, raw, value, kept, code, of, span, ...) (span)
#define PKT_FLIP_(T, raw, value, kept, code, of, span, flip, ...) (flip)
#define PKT_BITS_(T, raw, value, kept, code, of, span, flip, bits, compact, far) (bits)
#define PKT_FAR_(T, raw, value, kept, code, of, span, flip, bits, compact, far) (far)

/* Whether raw is over the span. If the span has 32 bits, raw has no more, which compilers do not see. For proofs, in a form
 * from which the prover learns the range of raw. */
#ifdef PKT_BYTEWISE
#define PKT_OVER_(raw, as) pkt_over(raw, PKT_SPAN_ as)
#else
#define PKT_OVER_(raw, as) \
    (sizeof PKT_SPAN_ as == 4 ? pkt_over32((uint32_t)(raw), (uint32_t)PKT_SPAN_ as) : pkt_over((raw), PKT_SPAN_ as))
#endif

#define PKT_AS_INTEGER_(T, raw, number, span, flip, bits, compact) \
    (T, raw, number, number, raw ^ (flip), value, span, flip, bits, compact, UINT64_MAX)

/* uN, bits<N>, flags, and enums without gaps in N bits: stored as they are. */
#define PKT_AS_BITS(T, bits) PKT_AS_INTEGER_(T, (uint64_t)x_, (T)raw_, UINT64_MAX >> (64 - (bits)), 0, bits, 0)

/* iN, in two's complement. */
#define PKT_AS_SIGNED(T, bits)                                                                             \
    PKT_AS_INTEGER_(T, ((uint64_t)x_ & UINT64_MAX >> (64 - (bits))), (T)raw_, UINT64_MAX >> (64 - (bits)), \
                    UINT64_C(1) << ((bits)-1), bits, 0)

/* An integer from lo to hi, in 32-bit and in 64-bit arithmetic. */
#define PKT_AS_INT(T, lo, hi, bits)                                                                     \
    PKT_AS_INTEGER_(T, (uint64_t)((uint32_t)x_ - (uint32_t)(lo)), (T)((uint32_t)raw_ + (uint32_t)(lo)), \
                    (uint32_t)(hi) - (uint32_t)(lo), 0, bits, 0)
#define PKT_AS_INT64(T, lo, hi, bits)                                                                                \
    PKT_AS_INTEGER_(T, ((uint64_t)x_ - (uint64_t)(lo)), (T)(raw_ + (uint64_t)(lo)), (uint64_t)(hi) - (uint64_t)(lo), \
                    0, bits, 0)

/* An integer from lo to hi that is clamped; top: the greatest value of T. If it has not changed, it keeps its value, even
 * one out of range. */
#define PKT_CLAMPED(x, lo, hi, top) \
    pkt_nearest_code((uint64_t)(x) - (uint64_t)(lo), (uint64_t)(hi) - (uint64_t)(lo), (uint64_t)(top) - (uint64_t)(lo))
#define PKT_AS_CLAMPED(T, lo, hi, top, bits)                                                                \
    (T, PKT_CLAMPED(x_, lo, hi, top), (T)(raw_ + (uint64_t)(lo)),                                           \
     (T)(((raw_ + (uint64_t)(lo)) & ~kept_) | ((uint64_t)x_ & kept_)), PKT_CLAMPED(x_, lo, hi, top), value, \
     (uint64_t)(hi) - (uint64_t)(lo), 0, bits, 0, UINT64_MAX)

/* Real numbers. All bits of a half, a float or a double are allowed. A half or a quantized number that has not changed keeps
 * its float bit by bit, even if no code has that value. */
#define PKT_AS_HALF()                                                    \
    (float, (uint64_t)pkt_half_bits(x_), pkt_half_float((uint32_t)raw_), \
     pkt_changed_float(pkt_half_float((uint32_t)raw_), x_, kept_), , , UINT32_MAX, 0, 16, 0, 0x3ff)
#define PKT_AS_FLOAT()                                                                                        \
    (float, (uint64_t)pkt_float_bits(x_), pkt_bits_float((uint32_t)raw_), pkt_bits_float((uint32_t)raw_), , , \
     UINT32_MAX, 0, 32, 0, 0x7fffff)
#define PKT_AS_DOUBLE() (double, pkt_double_bits(x_), pkt_bits_double(raw_), , , , UINT64_MAX, 0, 64, 0, 0)
#define PKT_AS_QUANTIZED(lo, hi, steps, bits)                                                         \
    (float, (uint64_t)pkt_quantize(x_, lo, hi, steps), pkt_dequantize((uint32_t)raw_, lo, hi, steps), \
     pkt_changed_float(pkt_dequantize((uint32_t)raw_, lo, hi, steps), x_, kept_),                     \
     pkt_code_of_float(x_, lo, hi, steps), value, PKT_LAST_CODE(steps), 0, bits, 0, UINT64_MAX)
#define PKT_AS_QUANTIZED64(lo, hi, steps, bits)                                          \
    (double, pkt_quantize64(x_, lo, hi, steps), pkt_dequantize64(raw_, lo, hi, steps), , \
     pkt_code_of_double(x_, lo, hi, steps), value, PKT_LAST_CODE64(steps), 0, bits, 0, UINT64_MAX)

/* ---- fields */

#define PKT_BOOL(m, at)                             \
    do {                                            \
        if (mode_ == PKT_WRITE)                     \
            pkt_put(c_, (uint64_t)in_->m, 1, (at)); \
        if (mode_ == PKT_READ)                      \
            out_->m = pkt_get(c_, 1, (at)) != 0;    \
    } while (0)

/* A number of any kind. */
#define PKT_FIELD(m, as, at)                                       \
    do {                                                           \
        if (mode_ == PKT_CHECK) {                                  \
            const PKT_TYPE_ as x_ = in_->m;                        \
            if (PKT_OVER_(PKT_RAW_ as, as))                        \
                return false;                                      \
        }                                                          \
        if (mode_ == PKT_WRITE) {                                  \
            const PKT_TYPE_ as x_ = in_->m;                        \
            const uint64_t raw_ = PKT_RAW_ as;                     \
            if (PKT_OVER_(raw_, as))                               \
                return false;                                      \
            pkt_put(c_, raw_, PKT_BITS_ as, (at));                 \
        }                                                          \
        if (mode_ == PKT_READ) {                                   \
            const uint64_t raw_ = pkt_get(c_, PKT_BITS_ as, (at)); \
            if (PKT_OVER_(raw_, as))                               \
                return false;                                      \
            out_->m = PKT_VALUE_ as;                               \
        }                                                          \
    } while (0)

/* As many elements of an array as 8 bytes hold, from the element m on: 8 of one byte, or 4 of two. */
#define PKT_INTS(T, m, lo, hi, bits, at)                                                 \
    do {                                                                                 \
        enum { LANE_ = 8 * sizeof(T), COUNT_ = 8 / sizeof(T) };                          \
        const uint64_t span_ = (uint32_t)(hi) - (uint32_t)(lo);                          \
        if (PKT_CHECKING) {                                                              \
            uint64_t raw_;                                                               \
            if (!pkt_lanes_pack(LANE_, &in_->m, (uint64_t)(lo), span_, (bits), &raw_))   \
                return false;                                                            \
            if (mode_ == PKT_WRITE)                                                      \
                pkt_put(c_, raw_, COUNT_ *(bits), (at));                                 \
        }                                                                                \
        if (mode_ == PKT_READ) {                                                         \
            const uint64_t raw_ = pkt_get(c_, COUNT_ * (bits), (at));                    \
            if (!pkt_lanes_unpack(LANE_, &out_->m, (uint64_t)(lo), span_, (bits), raw_)) \
                return false;                                                            \
        }                                                                                \
    } while (0)

/* The same for elements that are clamped. A writer has nothing to check, and a reader checks as for others. */
#define PKT_LANE_(i, lo, hi, top, bits) \
    ((i) < 8 / sizeof *lanes_ ? PKT_CLAMPED(lanes_[i], lo, hi, top) << ((i) * (bits)&63) : 0)
#define PKT_INTS_CLAMPED(T, m, lo, hi, top, bits, at)                                                 \
    do {                                                                                              \
        if (mode_ == PKT_WRITE) {                                                                     \
            const T *const lanes_ = &in_->m;                                                          \
            const uint64_t raw_ = PKT_LANE_(0, lo, hi, top, bits) | PKT_LANE_(1, lo, hi, top, bits) | \
                                  PKT_LANE_(2, lo, hi, top, bits) | PKT_LANE_(3, lo, hi, top, bits) | \
                                  PKT_LANE_(4, lo, hi, top, bits) | PKT_LANE_(5, lo, hi, top, bits) | \
                                  PKT_LANE_(6, lo, hi, top, bits) | PKT_LANE_(7, lo, hi, top, bits);  \
            pkt_put(c_, raw_, (unsigned)(8 / sizeof(T)) * (bits), (at));                              \
        }                                                                                             \
        if (mode_ == PKT_READ)                                                                        \
            PKT_INTS(T, m, lo, hi, bits, at);                                                         \
    } while (0)

/* A range of one value takes no bits. A writer checks that the member has the value, and a reader stores it. */
#define PKT_ONLY(T, m, value)                  \
    do {                                       \
        if (PKT_CHECKING && in_->m != (value)) \
            return false;                      \
        if (PKT_READING)                       \
            out_->m = (T)(value);              \
    } while (0)

/* An enum with gaps. valid() says which values between lo and hi are members. */
#define PKT_ENUM(T, m, valid, lo, hi, bits, at)                     \
    do {                                                            \
        if (PKT_CHECKING) {                                         \
            if (!valid((T)in_->m))                                  \
                return false;                                       \
            if (mode_ == PKT_WRITE)                                 \
                pkt_put(c_, (uint64_t)in_->m - (lo), (bits), (at)); \
        }                                                           \
        if (mode_ == PKT_READ) {                                    \
            const uint64_t raw_ = pkt_get(c_, (bits), (at)) + (lo); \
            if (pkt_over(raw_, (hi)) || !valid((T)raw_))            \
                return false;                                       \
            out_->m = (T)raw_;                                      \
        }                                                           \
    } while (0)

/* A const, a reserved field or a check; `name` is what errors call it. */
#define PKT_CONSTANT(name, value, bits, at)                            \
    do {                                                               \
        if (mode_ == PKT_WRITE)                                        \
            pkt_put(c_, (uint64_t)(value), (bits), (at));              \
        if (mode_ == PKT_READ && pkt_get(c_, (bits), (at)) != (value)) \
            return false;                                              \
    } while (0)

/* The count of an array, or the size of bytes: like PKT_FIELD, but measuring also fails if it is out of range. */
#define PKT_COUNT(m, as, at)                \
    do {                                    \
        if (mode_ == PKT_MEASURE) {         \
            const PKT_TYPE_ as x_ = in_->m; \
            if (PKT_OVER_(PKT_RAW_ as, as)) \
                return false;               \
        }                                   \
        PKT_FIELD(m, as, at);               \
    } while (0)

/* The tag of a union, in the local variable `chosen`. PKT_CHOOSE stores it in the union later. */
#define PKT_TAG(T, chosen, m, span, bits, at)      \
    do {                                           \
        if (!PKT_READING) {                        \
            chosen = in_->m;                       \
            if (pkt_over32(chosen, (span)))        \
                return false;                      \
        }                                          \
        if (mode_ == PKT_WRITE)                    \
            pkt_put(c_, chosen, (bits), (at));     \
        if (mode_ == PKT_READ) {                   \
            chosen = (T)pkt_get(c_, (bits), (at)); \
            if (pkt_over32(chosen, (span)))        \
                return false;                      \
        }                                          \
    } while (0)

/* Makes this the union's member when reading, whatever the union held before. The member needs no base values, because
 * all its fields will be read. A line before this one clears a member that has parts which are not on the wire, such as
 * local fields. */
#define PKT_CHOOSE(this_tag)        \
    do {                            \
        if (PKT_READING)            \
            out_->tag = (this_tag); \
    } while (0)

/* The presence bit of a field with `unless`. `sent`, a local bool, says whether the field differs from its usual value,
 * and so follows. */
#define PKT_DIFFERS(sent, at)                     \
    do {                                          \
        if (mode_ == PKT_WRITE)                   \
            pkt_put(c_, (uint64_t)sent, 1, (at)); \
        if (mode_ == PKT_READ)                    \
            sent = pkt_get(c_, 1, (at)) != 0;     \
    } while (0)

/* Refuses a field that was sent although it has its usual value, or equals the baseline: a writer would not have sent
 * it. */
#define PKT_MUST_DIFFER(differs)             \
    do {                                     \
        if (mode_ == PKT_READ && !(differs)) \
            return false;                    \
    } while (0)

/* ---- rows of quantized floats, and rotations */

/* Three or four quantized floats next to each other in the word, the first one at bit `at`: a row. scales: the range, the
 * steps and the bits of each. ins, outs: where they are in in_ and out_. These are lists in parentheses. */
#define PKT_LIST_(...) __VA_ARGS__
#define PKT_QUANTIZED_ROW(scales, ins, outs, at)                                           \
    do {                                                                                   \
        static const pkt_scale scales_[] = {PKT_LIST_ scales};                             \
        enum { COUNT_ = sizeof scales_ / sizeof *scales_ };                                \
        if (PKT_CHECKING) {                                                                \
            const float *const members_[] = {PKT_LIST_ ins};                               \
            uint64_t raw_;                                                                 \
            if (!pkt_quantize_row(pkt_row_load(members_, COUNT_), scales_, COUNT_, &raw_)) \
                return false;                                                              \
            if (mode_ == PKT_WRITE)                                                        \
                pkt_put(c_, raw_, pkt_row_width(scales_, COUNT_), (at));                   \
        }                                                                                  \
        if (mode_ == PKT_READ) {                                                           \
            float *const members_[] = {PKT_LIST_ outs};                                    \
            const uint64_t word_ = pkt_get_word(c_, pkt_row_width(scales_, COUNT_), (at)); \
            pkt_row row_;                                                                  \
            if (!pkt_dequantize_row(word_, pkt_get_bit(c_, (at)), scales_, COUNT_, &row_)) \
                return false;                                                              \
            pkt_row_store(row_, COUNT_, members_);                                         \
        }                                                                                  \
        (void)scales_;                                                                     \
    } while (0)

/* quat<B> and unit<B>; parts is B, the bits of a component. */
#define PKT_ROTATION_(code_of, value_of, m, parts, bits, at) \
    do {                                                     \
        if (PKT_CHECKING) {                                  \
            const uint64_t raw_ = code_of(in_->m, (parts));  \
            if (raw_ == PKT_FAILED)                          \
                return false;                                \
            if (mode_ == PKT_WRITE)                          \
                pkt_put(c_, raw_, (bits), (at));             \
        }                                                    \
        if (mode_ == PKT_READ) {                             \
            const uint64_t raw_ = pkt_get(c_, (bits), (at)); \
            if (!value_of(raw_, (parts), &out_->m))          \
                return false;                                \
        }                                                    \
    } while (0)
/* Of the part, though it takes inline functions alone: what reads the table of a type calls others. */
#ifndef PKT_WITHOUT_ROTATION
#define PKT_QUAT(m, parts, at) PKT_ROTATION_(pkt_quat_code, pkt_quat_value, m, parts, 2 + 3 * (parts), at)
#define PKT_UNIT(m, parts, at) PKT_ROTATION_(pkt_unit_code, pkt_unit_value, m, parts, 2 * (parts), at)
#endif

/* One of four quaternions of an array. pkt_quats_codes computes their codes before the first one is written, and
 * pkt_quats_values the values when all codes have been read. */
#define PKT_QUAT_OF(code, parts, at)                         \
    do {                                                     \
        if (mode_ == PKT_WRITE)                              \
            pkt_put(c_, code, 2 + 3 * (parts), (at));        \
        if (mode_ == PKT_READ)                               \
            code = pkt_get_loose(c_, 2 + 3 * (parts), (at)); \
    } while (0)

/* ---- refs: pointers that are sent as ids, through callbacks of the program */

/* PKT_FAILED, which is greater than every MAX, if the pointer is not NULL and there is no callback that knows its id. */
PKT_INLINE uint64_t pkt_ref_id(const pkt_cursor *c, const uint32_t type, const void *target)
{
    if (!target)
        return 0;
    if (!c->refs || !c->refs->id_of)
        return PKT_FAILED;
    return c->refs->id_of(c->refs->user, type, target);
}

PKT_INLINE void *pkt_ref_target(const pkt_cursor *c, const uint32_t type, const uint32_t id)
{
    void *target = NULL;
    if (id == 0 || !c->refs)
        return NULL;
    if (c->refs->target_of)
        target = c->refs->target_of(c->refs->user, type, id);
    if (!target)
        c->refs->unknown++;
    return target;
}

/* A pointer to T, sent as an id from 0 to max. `type` is passed to the callbacks. Explaining a failed read does not
 * call them: refs are then NULL. */
#define PKT_REF(T, m, type, max, bits, at)                            \
    do {                                                              \
        if (mode_ == PKT_WRITE) {                                     \
            const uint64_t id_ = pkt_ref_id(c_, (type), in_->m);      \
            if (pkt_over(id_, (max)))                                 \
                return false;                                         \
            pkt_put(c_, id_, (bits), (at));                           \
        }                                                             \
        if (mode_ == PKT_READ) {                                      \
            const uint32_t id_ = (uint32_t)pkt_get(c_, (bits), (at)); \
            if (pkt_over32(id_, (max)))                               \
                return false;                                         \
            c_->ref = id_;                                            \
            out_->m = (T *)pkt_ref_target(c_, (type), id_);           \
        }                                                             \
    } while (0)

PKT_C_END

#endif
