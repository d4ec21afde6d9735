/* pkt_coder.h - coded deltas: numbers, change masks and changed elements in codes that a model gives them.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_delta.h. Programs do not use this header. docs/wire.md, "Coded
 * deltas", says what is written.
 */
#ifndef PKT_CODER_H
#define PKT_CODER_H

#include "pkt_frame.h"
#include "pkt_lines.h"
#include "pkt_step.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PKT_CODE_LONGEST = 12, /* bits of a code */
    PKT_CODE_AHEAD = 6,    /* bits by which a code is looked up */
    PKT_CODE_LONG = 255    /* no symbol: the code has more bits than these */
};

/* A code table. A code begins at the lowest bit of its word, as on the wire. */
typedef struct pkt_codes {
    uint8_t starts[1 << PKT_CODE_AHEAD]; /* by the next bits: the symbol whose code they begin with, or PKT_CODE_LONG */
    uint8_t last;                        /* the greatest symbol */
    const uint16_t *words; /* of each symbol: its code in the lowest 12 bits, its number of bits above them */
} pkt_codes;

/* A coded number, or a component of a quaternion. Codes (numbers, not those of a table) are from 0 to span, in `bits`
 * bits; compact and flip are those of pkt_steps. */
typedef struct pkt_coded {
    uint64_t span, flip;
    unsigned bits, compact;
    bool may_equal;
    unsigned contexts;
    const pkt_codes *codes;
} pkt_coded;

/* The change mask of a block: its fields, and the tables of their groups. The greatest symbol of a group has all its
 * bits. */
typedef struct pkt_coded_changes {
    unsigned count, groups;
    const pkt_codes *codes;
} pkt_coded_changes;

/* old_code and was_code: of the baseline, and of what it was predicted from. */
#define PKT_CODED_(m, old_code, was_code, code_of_in, out_of_now, ...)  \
    do {                                                                \
        static const pkt_coded coded_ = {__VA_ARGS__};                  \
        const uint64_t old_ = old_code, before_ = was_code;             \
        uint64_t now_ = PKT_READING ? 0 : code_of_in;                   \
        if (!pkt_coded_value(mode_, c_, old_, before_, &now_, &coded_)) \
            return false;                                               \
        if (PKT_READING)                                                \
            out_->m = out_of_now;                                       \
    } while (0)

#define PKT_CODED_INT(T, m, old, was, lo, hi, bits, may_equal, contexts, codes)                                     \
    PKT_CODED_(m, ((uint64_t)(old) - (uint64_t)(lo)), ((uint64_t)(was) - (uint64_t)(lo)),                           \
               ((uint64_t)in_->m - (uint64_t)(lo)), (T)(now_ + (uint64_t)(lo)), (uint64_t)(hi) - (uint64_t)(lo), 0, \
               bits, 0, may_equal, contexts, codes)
#define PKT_CODED_SIGNED(T, m, old, was, bits, may_equal, contexts, codes)                                          \
    PKT_CODED_(m, ((uint64_t)(old) + (UINT64_C(1) << ((bits)-1))), ((uint64_t)(was) + (UINT64_C(1) << ((bits)-1))), \
               ((uint64_t)in_->m + (UINT64_C(1) << ((bits)-1))), (T)(now_ - (UINT64_C(1) << ((bits)-1))),           \
               UINT64_MAX >> (64 - (bits)), UINT64_C(1) << ((bits)-1), bits, 0, may_equal, contexts, codes)
#define PKT_CODED_COMPACT(T, m, old, was, bytes, may_equal, contexts, codes)                                        \
    PKT_CODED_(m, (uint64_t)(old), (uint64_t)(was), (uint64_t)in_->m, (T)now_, UINT64_MAX >> (64 - 8 * (bytes)), 0, \
               8 * (bytes), bytes, may_equal, contexts, codes)

/* A row: 2 to 4 neighbours of up to 32 bits. */
enum { PKT_ROW_MOST = 4 };
typedef struct pkt_number_row {
    const pkt_coded_changes *changes; /* of the mask, if it comes first in the row: a single group; else NULL */
    unsigned bit, count;              /* the bit of the first number in the mask; how many there are */
    pkt_coded numbers[PKT_ROW_MOST];
} pkt_number_row;

/* The codes of a number of a row, as in PKT_CODED_. */
typedef struct pkt_coded_number {
    uint64_t old, was, now;
} pkt_coded_number;

/* The numbers a, b, ... are each (T, m, old, was, lo, hi, twos, bits, contexts, codes). twos: an iN, whose plain form
 * is two's complement. mask_codes: row_.changes. at: the bit of a in the mask. */
#define PKT_CODED_ROW2(mask, mask_codes, at, a, b)                                                                \
    PKT_CODED_ROW_(mask, mask_codes, at, 2, PKT_ROW_TYPE_ a PKT_ROW_TYPE_ b, PKT_ROW_NUMBER_ a PKT_ROW_NUMBER_ b, \
                   PKT_ROW_STORE_ a PKT_ROW_STORE_ b)
#define PKT_CODED_ROW3(mask, mask_codes, at, a, b, c)                                        \
    PKT_CODED_ROW_(mask, mask_codes, at, 3, PKT_ROW_TYPE_ a PKT_ROW_TYPE_ b PKT_ROW_TYPE_ c, \
                   PKT_ROW_NUMBER_ a PKT_ROW_NUMBER_ b PKT_ROW_NUMBER_ c,                    \
                   PKT_ROW_STORE_ a PKT_ROW_STORE_ b PKT_ROW_STORE_ c)
#define PKT_CODED_ROW4(mask, mask_codes, at, a, b, c, d)                                                     \
    PKT_CODED_ROW_(mask, mask_codes, at, 4, PKT_ROW_TYPE_ a PKT_ROW_TYPE_ b PKT_ROW_TYPE_ c PKT_ROW_TYPE_ d, \
                   PKT_ROW_NUMBER_ a PKT_ROW_NUMBER_ b PKT_ROW_NUMBER_ c PKT_ROW_NUMBER_ d,                  \
                   PKT_ROW_STORE_ a PKT_ROW_STORE_ b PKT_ROW_STORE_ c PKT_ROW_STORE_ d)
#define PKT_ROW_TYPE_(T, m, old, was, lo, hi, twos, bits, contexts, codes) \
    {(uint64_t)(hi) - (uint64_t)(lo), (twos) ? UINT64_C(1) << ((bits)-1) : 0, bits, 0, false, contexts, codes},
#define PKT_ROW_NUMBER_(T, m, old, was, lo, hi, twos, bits, contexts, codes)                  \
    {(uint64_t)(old) - (uint64_t)(lo), (contexts) > 1 ? (uint64_t)(was) - (uint64_t)(lo) : 0, \
     (uint64_t)in_->m - (uint64_t)(lo)},
#define PKT_ROW_STORE_(T, m, old, was, lo, hi, twos, bits, contexts, codes) \
    out_->m = (T)((number_++)->now + (uint64_t)(lo));
/* A row without the mask is skipped if nothing in it has changed. */
#define PKT_CODED_ROW_(mask, mask_codes, at, n, types, codes, stores)            \
    do {                                                                         \
        static const pkt_number_row row_ = {mask_codes, at, n, {types}};         \
        if (row_.changes != NULL || ((mask) >> (at) & ((1u << (n)) - 1)) != 0) { \
            pkt_coded_number numbers_[] = {codes};                               \
            if (!pkt_coded_row(mode_, c_, &mask, numbers_, &row_))               \
                return false;                                                    \
            if (PKT_READING) {                                                   \
                const pkt_coded_number *number_ = numbers_;                      \
                stores                                                           \
            }                                                                    \
        }                                                                        \
        if (row_.changes != NULL && mask != 0)                                   \
            c_->changed = true;                                                  \
    } while (0)

#define PKT_CODED_REAL_(function, m, old, was, lo, hi, ...)                                                  \
    do {                                                                                                     \
        static const pkt_coded coded_ = {__VA_ARGS__};                                                       \
        if (!function(mode_, c_, (old), (was), &in_->m, PKT_READING ? &out_->m : NULL, &coded_, (lo), (hi))) \
            return false;                                                                                    \
    } while (0)
#define PKT_CODED_QUANTIZED(m, old, was, lo, hi, steps, bits, may_equal, contexts, codes) \
    PKT_CODED_REAL_(pkt_coded_float, m, old, was, lo, hi, steps, 0, bits, 0, may_equal, contexts, codes)
#define PKT_CODED_QUANTIZED64(m, old, was, lo, hi, steps, bits, may_equal, contexts, codes) \
    PKT_CODED_REAL_(pkt_coded_double, m, old, was, lo, hi, steps, 0, bits, 0, may_equal, contexts, codes)
/* The same where comparing has stored both codes, as in PKT_STEP_CODED_. */
#define PKT_CODED_COMPARED_(read, write, ...)          \
    do {                                               \
        static const pkt_coded coded_ = {__VA_ARGS__}; \
        if (!(PKT_READING ? (read) : (write)))         \
            return false;                              \
    } while (0)
#define PKT_CODED_QUANTIZED_COMPARED(m, old, was, lo, hi, steps, bits, contexts, tables, codes)                    \
    PKT_CODED_COMPARED_(pkt_coded_float(PKT_READ, c_, (old), (was), NULL, &out_->m, &coded_, (lo), (hi)),          \
                        pkt_coded_compared_float(mode_, c_, (old), (was), (codes), &coded_, (lo), (hi)), steps, 0, \
                        bits, 0, false, contexts, tables)
#define PKT_CODED_QUAT_COMPARED(m, old, was, parts, contexts, tables, codes)                                       \
    PKT_CODED_COMPARED_(pkt_coded_quat(PKT_READ, c_, (old), (was), NULL, &out_->m, &coded_),                       \
                        pkt_coded_compared_quat(mode_, c_, (old), (was), (codes), &coded_), 0, 0, parts, 0, false, \
                        contexts, tables)

#define PKT_CODED_QUAT(m, old, was, parts, may_equal, contexts, codes)                                 \
    do {                                                                                               \
        static const pkt_coded coded_ = {0, 0, parts, 0, may_equal, contexts, codes};                  \
        if (!pkt_coded_quat(mode_, c_, (old), (was), &in_->m, PKT_READING ? &out_->m : NULL, &coded_)) \
            return false;                                                                              \
    } while (0)

/* The change mask, in a local of 64 bits. */
#define PKT_CODED_CHANGES(mask, codes)                 \
    do {                                               \
        if (!pkt_coded_mask(mode_, c_, &mask, &codes)) \
            return false;                              \
        if (mask != 0)                                 \
            c_->changed = true;                        \
    } while (0)

/* A number, in any mode. old, was: its code in the baseline and the one before that; more than the span if it
 * has none. now: its code. False if there is no room, or there are no more data, or it is out of range, or it is equal
 * to `old` unless that is allowed; what was read may then be anything. */
bool pkt_coded_value(pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k);
/* A row. When reading, `now` is set in the numbers that have changed, and the mask is if it is in the row. */
bool pkt_coded_row(pkt_mode mode, pkt_cursor *c, uint64_t *mask, pkt_coded_number *numbers, const pkt_number_row *row);
bool pkt_coded_float(pkt_mode mode, pkt_cursor *c, float old, float was, const float *in, float *out,
                     const pkt_coded *k, float lo, float hi);
bool pkt_coded_double(pkt_mode mode, pkt_cursor *c, double old, double was, const double *in, double *out,
                      const pkt_coded *k, double lo, double hi);
bool pkt_coded_quat(pkt_mode mode, pkt_cursor *c, pkt_quat old, pkt_quat was, const pkt_quat *in, pkt_quat *out,
                    const pkt_coded *k);
/* The same to write and measure, with the codes of `in` and `old`. */
bool pkt_coded_compared_float(pkt_mode mode, pkt_cursor *c, float old, float was, pkt_step_codes *codes,
                              const pkt_coded *k, float lo, float hi);
bool pkt_coded_compared_quat(pkt_mode mode, pkt_cursor *c, pkt_quat old, pkt_quat was, const pkt_step_codes *codes,
                             const pkt_coded *k);
bool pkt_coded_mask(pkt_mode mode, pkt_cursor *c, uint64_t *mask, const pkt_coded_changes *k);
/* Which of n elements have changed; `expected` has those that are expected to, or is NULL. Reading sets the bits of
 * `set`, which are 0 before. */
bool pkt_coded_elements(pkt_mode mode, pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n,
                        const pkt_codes *codes);

/* The same for what explains why not, as in pkt_explain.h. */
PKT_COLD bool pkt_explain_coded(pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k,
                                const char *field);
PKT_COLD bool pkt_explain_coded_quat(pkt_cursor *c, pkt_quat old, pkt_quat was, pkt_quat *q, const pkt_coded *k,
                                     const char *field);
PKT_COLD bool pkt_explain_coded_mask(pkt_cursor *c, uint64_t *mask, const pkt_coded_changes *k);
PKT_COLD bool pkt_explain_coded_elements(pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n,
                                         const pkt_codes *codes, const char *field);

/* Counts the bits of both forms. */
void pkt_coded_count(pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n, const pkt_codes *codes);

/* Bits in the coded form: of a change mask; of a run of elements that are as expected, before one that is not; of the
 * symbol after the last of these runs. */
unsigned pkt_coded_mask_bits(uint64_t mask, const pkt_coded_changes *k);
unsigned pkt_coded_run_bits(uint32_t run, const pkt_codes *codes);
unsigned pkt_coded_end_bits(const pkt_codes *codes);

/* ---- a whole coded delta begins with a bit: 1 if it is coded, 0 if it is plain, because that has fewer bits */

/* Write which form a delta has, as coding->plain says, or read it. False if there is no room, or there are no more
 * data. */
bool pkt_write_form(pkt_writer *w);
bool pkt_read_form(pkt_reader *r);
/* After the coded form was written, or not, from `bit` on: if it has to be the plain one, rewinds, and returns true. */
bool pkt_goes_plain(pkt_writer *w, bool done, uint64_t bit, uint64_t carry);

/* T_predict: `to` is a copy of `base`, and goes on from there as from `before`, a value of `gap` ticks before, for
 * `back` ticks. Nothing moves if `gap` is 0, or if one of them is over 65,535. */
void pkt_predict(const pkt_lines *t, const void *base, const void *before, uint32_t back, uint32_t gap, void *to);

/* Where the baseline, at this address in it, was before: in the other half of what T_predict makes. Itself, if there is
 * no such half. */
#define PKT_WAS(T) ((const T *)(const void *)((const char *)(const void *)base_ + c_->coding->twin))

#ifdef __cplusplus
}
#endif

#endif
