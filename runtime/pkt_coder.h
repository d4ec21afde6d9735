/* pkt_coder.h - coded deltas: numbers, change masks and changed elements in codes that a model gives them.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_delta.h. Programs do not use this header. docs/wire.md, "Coded
 * deltas", defines the bits.
 */
#ifndef PKT_CODER_H
#define PKT_CODER_H

#include "pkt_frame.h"
#include "pkt_value.h"
#include "pkt_delta.h"
#include "pkt_predict.h"

PKT_C_BEGIN

enum {
    PKT_CODE_LONGEST = 12, /* bits of a code */
    PKT_CODE_AHEAD = 6,    /* bits by which a code is looked up */
    PKT_CODE_LONG = 255    /* no symbol: the code has more bits than these */
};

/* A code table. A code begins at the lowest bit of its word, as on the wire. */
typedef struct pkt_codes {
    uint8_t starts[1 << PKT_CODE_AHEAD]; /* by the next bits: the symbol whose code they begin with, or PKT_CODE_LONG */
    uint8_t last;                        /* the greatest symbol */
    const uint16_t *words; /* for each symbol: its code in the lowest 12 bits, its number of bits above them */
    /* NULL; or of a number or a change mask that is coded by its frequent values: for each symbol but `last`, which stands for all
     * others, the code of the number, or the mask */
    const uint32_t *values;
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
 * bits. Or it is coded by its frequent values: then there is one table, and there are at most 32 fields. */
typedef struct pkt_coded_changes {
    unsigned count, groups;
    const pkt_codes *codes;
    const struct pkt_coded_changes *in_new; /* the same in new elements of lists; NULL: it has the same codes there */
} pkt_coded_changes;

/* A row: 2 to 4 neighbours of up to 32 bits. */
enum { PKT_ROW_MOST = 4 };
typedef struct pkt_number_row {
    const pkt_coded_changes *changes; /* of the mask, if it comes first in the row: a single group; else NULL */
    unsigned bit, count;              /* the bit of the first number in the mask; how many there are */
    pkt_coded numbers[PKT_ROW_MOST];
} pkt_number_row;

/* The codes of a number of a row, as in PKT_CODED. */
typedef struct pkt_coded_number {
    uint64_t old, was, now;
} pkt_coded_number;

#ifndef PKT_WITHOUT_CODED
/* A number of any kind, coded as its difference from `old`, the baseline's number; it may equal `old` or not. was: the
 * number that `old` was predicted from. Its code selects the table, if there are several. kept: as in PKT_STEP. */
#define PKT_CODED(m, as, old, was, tables, may_equal, kept)                            \
    do {                                                                               \
        enum { CONTEXTS_ = sizeof(tables) / sizeof *(tables) };                        \
        static const pkt_coded coded_ = {PKT_SHAPE_ as, may_equal, CONTEXTS_, tables}; \
        uint64_t old_, earlier_ = 0, now_ = 0;                                         \
        PKT_SET_CODES_(m, as, old, kept);                                              \
        if (CONTEXTS_ > 1)                                                             \
            PKT_SET_CODE_(as, earlier_, was);                                          \
        if (!PKT_CODER_FUNCTION_ as(mode_, c_, old_, earlier_, &now_, &coded_))        \
            return false;                                                              \
        if (PKT_READING)                                                               \
            PKT_STORE_CODE_(m, as);                                                    \
    } while (0)

/* The numbers a, b, ... are each (m, as, old, was, tables), as in PKT_CODED. mask_codes: row_.changes. at: the bit of a in
 * the mask. */
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
#define PKT_ROW_TYPE_(m, as, base, before, tables) {PKT_SHAPE_ as, false, sizeof(tables) / sizeof *(tables), tables},
#define PKT_ROW_NUMBER_(m, as, base, before, tables) \
    PKT_SET_CODE_(as, number_->old, base);           \
    number_->was = 0;                                \
    if (sizeof(tables) > sizeof *(tables))           \
        PKT_SET_CODE_(as, number_->was, before);     \
    PKT_SET_CODE_(as, number_->now, in_->m);         \
    number_++;
#define PKT_ROW_STORE_(m, as, base, before, tables) \
    {                                               \
        const uint64_t now_ = (number_++)->now;     \
        PKT_STORE_CODE_(m, as);                     \
    }
/* A row without the mask is skipped if nothing in it has changed. */
#define PKT_CODED_ROW_(mask, mask_codes, at, n, types, codes, stores)                  \
    do {                                                                               \
        static const pkt_number_row row_ = {mask_codes, at, n, {types}};               \
        if (row_.changes || ((mask) >> (at) & ((1u << (n)) - 1)) != 0) {               \
            pkt_coded_number numbers_[n], *number_ = numbers_;                         \
            codes if (!pkt_coded_row(mode_, c_, &mask, numbers_, &row_)) return false; \
            if (PKT_READING) {                                                         \
                number_ = numbers_;                                                    \
                stores                                                                 \
            }                                                                          \
        }                                                                              \
        if (row_.changes && mask != 0)                                                 \
            c_->changed = true;                                                        \
    } while (0)

#ifndef PKT_WITHOUT_PREDICT
/* PKT_CODED for a number that is predicted, from `base` and `before`: how is as in PKT_SET_OLD_. kept: NULL, or what compared it has
 * stored. */
#define PKT_PREDICTED(how, m, as, base, before, tables, may_equal, kept)                                       \
    do {                                                                                                       \
        static const pkt_coded coded_ = {PKT_SHAPE_ as, may_equal, sizeof(tables) / sizeof *(tables), tables}; \
        const pkt_step_codes *const compared_ = kept;                                                          \
        uint64_t old_, base_code_, now_ = 0;                                                                   \
        if (PKT_READING || !compared_) {                                                                       \
            PKT_SET_OLD_(how, base_code_, old_, as, c_->coding, base, before);                                 \
            if (!PKT_READING)                                                                                  \
                PKT_SET_CODE_(as, now_, in_->m);                                                               \
        } else {                                                                                               \
            base_code_ = compared_->was;                                                                       \
            old_ = compared_->old;                                                                             \
            now_ = compared_->now;                                                                             \
        }                                                                                                      \
        if (!PKT_CODER_FUNCTION_ as(mode_, c_, old_, base_code_, &now_, &coded_))                              \
            return false;                                                                                      \
        if ((may_equal) && now_ != old_)                                                                       \
            c_->changed = true;                                                                                \
        if (PKT_READING)                                                                                       \
            PKT_STORE_CODE_(m, as);                                                                            \
    } while (0)

/* PKT_CODED_ROW for numbers (how, m, as, base, before, tables, kept), as in PKT_PREDICTED. */
#define PKT_PREDICTED_ROW2(mask, mask_codes, at, a, b)                                                      \
    PKT_CODED_ROW_(mask, mask_codes, at, 2, PKT_ROW_OF_ a PKT_ROW_OF_ b, PKT_ROW_MOVED_ a PKT_ROW_MOVED_ b, \
                   PKT_ROW_MOVES_ a PKT_ROW_MOVES_ b)
#define PKT_PREDICTED_ROW3(mask, mask_codes, at, a, b, c)                              \
    PKT_CODED_ROW_(mask, mask_codes, at, 3, PKT_ROW_OF_ a PKT_ROW_OF_ b PKT_ROW_OF_ c, \
                   PKT_ROW_MOVED_ a PKT_ROW_MOVED_ b PKT_ROW_MOVED_ c,                 \
                   PKT_ROW_MOVES_ a PKT_ROW_MOVES_ b PKT_ROW_MOVES_ c)
#define PKT_PREDICTED_ROW4(mask, mask_codes, at, a, b, c, d)                                         \
    PKT_CODED_ROW_(mask, mask_codes, at, 4, PKT_ROW_OF_ a PKT_ROW_OF_ b PKT_ROW_OF_ c PKT_ROW_OF_ d, \
                   PKT_ROW_MOVED_ a PKT_ROW_MOVED_ b PKT_ROW_MOVED_ c PKT_ROW_MOVED_ d,              \
                   PKT_ROW_MOVES_ a PKT_ROW_MOVES_ b PKT_ROW_MOVES_ c PKT_ROW_MOVES_ d)
#define PKT_ROW_OF_(how, m, as, base, before, tables, kept) PKT_ROW_TYPE_(m, as, base, before, tables)
#define PKT_ROW_MOVED_(how, m, as, base, before, tables, kept)                       \
    if (PKT_READING) {                                                               \
        PKT_SET_OLD_(how, number_->was, number_->old, as, c_->coding, base, before); \
        PKT_SET_CODE_(as, number_->now, in_->m);                                     \
    } else {                                                                         \
        number_->was = kept.was;                                                     \
        number_->old = kept.old;                                                     \
        number_->now = kept.now;                                                     \
    }                                                                                \
    number_++;
#define PKT_ROW_MOVES_(how, m, as, base, before, tables, kept) PKT_ROW_STORE_(m, as, base, before, tables)
#endif
#endif

/* A number or a rotation, in any mode. old, was: its codes in the baseline and before that; over the span if there is
 * none. now: its code. False if room or data is lacking, if the number is out of range, or if it equals `old` and must
 * not; *now may then be anything. */
bool pkt_coded_value(pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k);
bool pkt_coded_quat(pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k);
/* A number on a circle, of at most 32 bits. */
bool pkt_coded_around(pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k);
/* A number with `or raw`; the codes of floats are over the span. */
bool pkt_coded_or_raw(pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k);
/* A number that is coded by its frequent values, of at most 32 bits. The place of `old` among them selects the table. */
bool pkt_coded_category(pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k);
/* A row. Reading sets `now` of the changed numbers, and the mask if it is in the row. */
bool pkt_coded_row(pkt_mode mode, pkt_cursor *c, uint64_t *mask, pkt_coded_number *numbers, const pkt_number_row *row);
bool pkt_coded_mask(pkt_mode mode, pkt_cursor *c, uint64_t *mask, const pkt_coded_changes *k);
/* Which of n elements have changed; `expected` marks those that are expected to, or is NULL. Reading sets bits in
 * `set`, which is all zero before. */
bool pkt_coded_elements(pkt_mode mode, pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n,
                        const pkt_codes *codes);

/* The same for explanations, as in pkt_explain.h. */
PKT_COLD bool pkt_explain_coded(pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k,
                                bool wraps, const char *field);
PKT_COLD bool pkt_explain_coded_quat(pkt_cursor *c, pkt_quat old, pkt_quat was, pkt_quat *q, const pkt_coded *k,
                                     const char *field);
PKT_COLD bool pkt_explain_coded_mask(pkt_cursor *c, uint64_t *mask, const pkt_coded_changes *k);
PKT_COLD bool pkt_explain_coded_elements(pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n,
                                         const pkt_codes *codes, const char *field);

/* Counts the bits of both forms. */
void pkt_coded_count(pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n, const pkt_codes *codes);

/* Bits in the coded form: of a change mask; of a run of elements that are as expected, before one that is not; of the
 * symbol after the last run. */
unsigned pkt_coded_mask_bits(uint64_t mask, const pkt_coded_changes *k);
unsigned pkt_coded_run_bits(uint32_t run, const pkt_codes *codes);
unsigned pkt_coded_end_bits(const pkt_codes *codes);

/* ---- a whole coded delta begins with a bit: 1 if it is coded, 0 if it is plain, because that has fewer bits */

/* Write or read the form of a delta, coding->plain. False if room or data is lacking. */
bool pkt_write_form(pkt_writer *w);
bool pkt_read_form(pkt_reader *r);

/* T_delta_put_ and T_delta_get_: the items of a delta, in the form that coding->plain says. */
typedef bool pkt_coded_put(pkt_cursor *c, const void *base, const void *v);
typedef bool pkt_coded_get(pkt_cursor *c, const void *base, void *v);
/* Calls `put`, with w->coding. */
bool pkt_put_coded(pkt_writer *w, const void *base, const void *v, pkt_coded_put *put);

/* How the baseline of a whole delta moves; motion: NULL if it does not. Nothing moves either if `back` is over 65,535; and by its own
 * speed alone, if there is no `before`, or if `gap` is 0 or over 65,535. */
PKT_NOINLINE pkt_coding pkt_coding_of(const void *base, const pkt_motion *motion);

/* A whole delta. motion: as above. Before it is read, v is made a copy of `base`, and moved. */
bool pkt_write_coded(pkt_writer *w, const void *base, const pkt_motion *motion, const void *v, pkt_coded_put *put);
bool pkt_read_coded(pkt_reader *r, const void *base, const pkt_motion *motion, void *v, pkt_coded_get *get);
PKT_C_END

#endif
