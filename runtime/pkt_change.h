/* pkt_change.h - what has changed since the baseline: change masks, and rows of small fields that may have changed.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_delta.h. Programs do not use this header.
 */
#ifndef PKT_CHANGE_H
#define PKT_CHANGE_H

#include "pkt_leaf.h"
#include "pkt_subset.h"

PKT_C_BEGIN

/* Write or read 1 to 64 bits, which are verified. More than 56 are written and read in two pieces. */
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

/* `old` if kept is all ones, `now` if it is 0. */
PKT_INLINE float pkt_changed_float(float now, float old, uint64_t kept)
{
    return pkt_bits_float((pkt_float_bits(now) & ~(uint32_t)kept) | (pkt_float_bits(old) & (uint32_t)kept));
}

/* One instance of a delta both writes and measures, because most of it is the same comparison with the baseline. To
 * measure, it writes to a writer without a buffer but with endless room: then it checks all that a writer checks. */
PKT_INLINE void pkt_measuring_writer(pkt_writer *w, uint64_t bit)
{
    w->data = NULL;
    w->bit = bit;
    w->limit = PKT_ENDLESS;
    w->carry = 0;
    w->refs = NULL;
    w->part = NULL;
}

PKT_INLINE pkt_mode pkt_writer_mode(const pkt_writer *w)
{
    return w->limit == PKT_ENDLESS ? PKT_CHECK : PKT_WRITE;
}

#ifndef PKT_WITHOUT_DELTA
/* ---- change masks ------------------------------------------------------------------------------------------- */

/* pkt_put_item, pkt_get_item, and a run of one word at an edge, as functions: inlined, they would be most of a delta's
 * code. */
void pkt_put_changes(pkt_cursor *c, uint64_t mask, unsigned count);
uint64_t pkt_get_changes(pkt_cursor *c, unsigned count);
uint64_t pkt_get_alone(const pkt_cursor *c);
void pkt_put_alone(pkt_cursor *c, unsigned bits);

/* A run of one word at an edge, of a value or its presence. */
PKT_INLINE void pkt_run_alone(const pkt_mode mode, pkt_cursor *c)
{
    c->word = mode == PKT_READ ? pkt_get_alone(c) : 0;
}

PKT_INLINE void pkt_end_alone(const pkt_mode mode, pkt_cursor *c, const unsigned bits)
{
    if (mode == PKT_WRITE)
        pkt_put_alone(c, bits);
    else
        c->bit += bits;
}

/* `count` bits of a mask, 1 to 64; `rest` more bits of it follow later. In errors the mask is one item. */
#define PKT_CHANGES(mask, count, rest)           \
    do {                                         \
        PKT_NEED((count) + (rest));              \
        if (mode_ == PKT_WRITE)                  \
            pkt_put_changes(c_, mask, (count));  \
        if (mode_ == PKT_READ)                   \
            mask = pkt_get_changes(c_, (count)); \
        if (mode_ == PKT_CHECK)                  \
            c_->bit += (count);                  \
        if (mask != 0)                           \
            c_->changed = true;                  \
    } while (0)

/* Bit n of a mask if a condition is true, else 0. Whether a mask has bit n. */
#define PKT_BIT(n, condition) ((uint64_t)(condition) << (n))
#define PKT_HAS_BIT(mask, n) (((mask) >> (n)&1) != 0)

/* ---- rows: small neighbours that may have changed --------------------------------------------------------------- */

/* Nobody can predict which fields of an object change. So small neighbouring fields are written and read without
 * branches: each takes its bits of a shared word, or none. Such a row has at most 56 bits, and one bounds check.
 *
 * A writer gathers all rows of a block while it compares the fields, so that the processor works on integers while it
 * still divides for floats. The rows are written later, in their order. */
typedef struct pkt_gathered {
    uint64_t word;   /* the bits of the fields that have changed */
    unsigned filled; /* their number */
} pkt_gathered;

/* Hides from compilers that x is all ones or zeros, or was made from such a mask: they would branch on it, or delay the
 * work and need more registers. */
#if defined(__GNUC__) && !defined(PKT_CALLS_COST) && !defined(PKT_BYTEWISE) && \
    (defined(__x86_64__) || defined(__aarch64__))
#define PKT_OPAQUE(x) __asm__("" : "+r"(x))
#else
#define PKT_OPAQUE(x) (void)(x)
#endif

/* Compares a field and gathers it. raw: its bits on the wire. checked: raw may be over `span`; c->over records that. */
PKT_INLINE void pkt_gather(pkt_cursor *c, pkt_gathered *row, uint64_t *mask, const unsigned n, const bool differs,
                           const uint64_t raw, const uint64_t span, const bool checked, const unsigned bits)
{
    uint64_t kept = 0 - (uint64_t)differs, sent;
    PKT_OPAQUE(kept);
    sent = raw & kept;
    *mask |= kept & UINT64_C(1) << n;
    row->word |= sent << row->filled;
    row->filled += bits & (unsigned)kept;
    PKT_OPAQUE(*mask);
    PKT_OPAQUE(row->word);
    if (checked) {
        /* If raw is over span, the difference is negative, or raw has over 32 bits and the highest bit itself. */
        c->over |= (span - sent) | (bits > 32 ? sent : 0);
        PKT_OPAQUE(c->over);
    }
}

/* Gathers a number of some kind (pkt_leaf.h). differs: whether it differs from the baseline's. n is its bit in the mask. */
#define PKT_GATHER(m, as, differs, mask, n, row)                                         \
    do {                                                                                 \
        const PKT_TYPE_ as x_ = in_->m;                                                  \
        pkt_gather(c_, &(row), &(mask), (n), (differs), PKT_RAW_ as, PKT_SPAN_ as,       \
                   PKT_SPAN_ as < UINT64_MAX >> (64 - 8 * sizeof in_->m), PKT_BITS_ as); \
    } while (0)

/* One of three or four quantized neighbours, which PKT_COMPARE has compared. */
PKT_INLINE void pkt_gather_code(pkt_gathered *row, const uint32_t *code)
{
    row->word |= (uint64_t)code[0] << row->filled;
    row->filled += code[4];
}

PKT_INLINE void pkt_changed_run(const pkt_mode mode, pkt_cursor *c)
{
    c->filled = 0;
    if (mode == PKT_READ) {
        pkt_varying_run(mode, c, true, 0);
        c->word &= UINT64_MAX >> 1;
    }
}

/* bits: the number of bits of the last fields read, which c->filled does not count yet. */
PKT_INLINE bool pkt_changed_end(const pkt_mode mode, pkt_cursor *c, const pkt_gathered *row, const unsigned bits)
{
    if (mode == PKT_READ) {
        if (!pkt_need(mode, c, c->filled + bits))
            return false;
        c->bit += c->filled + bits;
        return true;
    }
    if (mode == PKT_CHECK) {
        c->bit += row->filled;
        return c->over >> 63 == 0;
    }
    pkt_run(mode, c, true, 0);
    if (c->over >> 63 != 0 || (pkt_is_near_end(c) && !pkt_need(mode, c, row->filled)))
        return false;
    c->word = row->word;
    pkt_end(mode, c, row->filled);
    return true;
}

/* The places of up to four neighbours in a row's word, for each combination of their bits in the mask: the bit where
 * each one begins, counted from the first changed one, and the number of all their bits. A reader looks them up, so no
 * field has to wait for the fields before it. */
typedef struct pkt_places {
    int8_t at[4]; /* -1: the field has not changed */
    uint8_t bits;
} pkt_places;

/* The places of 1 to 4 neighbours of these widths, the first of which has bit n of the mask. Missing neighbours have no
 * bits. */
#define PKT_PLACE_(k, b0, b1, b2, b3)                                                                      \
    {                                                                                                      \
        {(k)&1 ? 0 : -1, (k)&2 ? ((k)&1) * (b0) : -1, (k)&4 ? ((k)&1) * (b0) + ((k) >> 1 & 1) * (b1) : -1, \
         (k)&8 ? ((k)&1) * (b0) + ((k) >> 1 & 1) * (b1) + ((k) >> 2 & 1) * (b2) : -1},                     \
            ((k)&1) * (b0) + ((k) >> 1 & 1) * (b1) + ((k) >> 2 & 1) * (b2) + ((k) >> 3) * (b3)             \
    }
#define PKT_PLACES_4_(k, b0, b1, b2, b3)                                                                     \
    PKT_PLACE_(k, b0, b1, b2, b3), PKT_PLACE_((k) + 1, b0, b1, b2, b3), PKT_PLACE_((k) + 2, b0, b1, b2, b3), \
        PKT_PLACE_((k) + 3, b0, b1, b2, b3)
#define PKT_PLACES2(places, mask, n, b0, b1)                                    \
    static const pkt_places places##all_[4] = {PKT_PLACES_4_(0, b0, b1, 0, 0)}; \
    const pkt_places *const places = &places##all_[(mask) >> (n)&3]
#define PKT_PLACES4(places, mask, n, b0, b1, b2, b3)                                                                  \
    static const pkt_places places##all_[16] = {PKT_PLACES_4_(0, b0, b1, b2, b3), PKT_PLACES_4_(4, b0, b1, b2, b3),   \
                                                PKT_PLACES_4_(8, b0, b1, b2, b3), PKT_PLACES_4_(12, b0, b1, b2, b3)}; \
    const pkt_places *const places = &places##all_[(mask) >> (n)&15]

/* Moves on to the next fields of the row. */
PKT_INLINE void pkt_places_next(const pkt_mode mode, pkt_cursor *c, const pkt_places *places)
{
    if (mode == PKT_READ) {
        c->word >>= places->bits;
        c->filled += places->bits;
    }
}

/* The bits of a field in a row. An unchanged field is at -1; its bits are 0, because bit 63 of the word is 0. */
PKT_INLINE uint64_t pkt_changed_get(const pkt_cursor *c, const unsigned bits, const int at)
{
    return c->word >> ((unsigned)at & 63) & pkt_mask(bits);
}

/* PKT_CHANGES and pkt_changed_run in one: a mask of fewer than 56 bits that shares its word with a row. */
#define PKT_CHANGES_RUN(mask, count, row)              \
    do {                                               \
        pkt_changed_run(mode_, c_);                    \
        if (mode_ == PKT_READ) {                       \
            c_->filled = (count);                      \
            mask = c_->word & pkt_mask(count);         \
            c_->word >>= (count);                      \
        } else {                                       \
            (row).word = mask | (row).word << (count); \
            (row).filled += (count);                   \
        }                                              \
        if (mask != 0)                                 \
            c_->changed = true;                        \
    } while (0)
/* Reads field i of its places, a number of some kind (pkt_leaf.h). old: the baseline's. A changed field must be in
 * range, and its bits must differ from the baseline's. */
#define PKT_CHANGED(m, as, old, places, i)                                                              \
    do {                                                                                                \
        if (mode_ == PKT_READ) {                                                                        \
            int at_ = (places)->at[i];                                                                  \
            PKT_OPAQUE(at_);                                                                            \
            const PKT_TYPE_ as x_ = old;                                                                \
            const uint64_t kept_ = 0 - (uint64_t)(at_ < 0), old_ = PKT_RAW_ as;                         \
            const uint64_t now_ = pkt_changed_get(c_, PKT_BITS_ as, at_), raw_ = now_ | (old_ & kept_); \
            if (pkt_over(now_, PKT_SPAN_ as) || ((now_ ^ old_) | kept_) == 0)                           \
                return false;                                                                           \
            out_->m = PKT_KEPT_ as;                                                                     \
        }                                                                                               \
    } while (0)

/* One of three or four quantized neighbours: its code is stored at `code`, or 0 if it has not changed. PKT_CHANGED_VALUES
 * computes all values together. */
PKT_INLINE void pkt_changed_code(const pkt_mode mode, const pkt_cursor *c, const unsigned bits, const int at,
                                 uint32_t *code)
{
    if (mode == PKT_READ) {
        uint32_t read = (uint32_t)pkt_changed_get(c, bits, at);
        PKT_OPAQUE(read);
        *code = read;
    }
}

/* Computes the values of codes that were read. The arguments are those of PKT_COMPARE, and outs, the places of the
 * values in out_. */
#define PKT_CHANGED_VALUES(scales, outs, olds, mask, bit, codes)                                                   \
    do {                                                                                                           \
        if (mode_ == PKT_READ) {                                                                                   \
            static const pkt_scale scales_[] = {PKT_LIST_ scales};                                                 \
            const float olds_[] = {PKT_LIST_ olds};                                                                \
            float *const members_[] = {PKT_LIST_ outs};                                                            \
            if (!pkt_change_row(codes, olds_, scales_, sizeof scales_ / sizeof *scales_, mask >> (bit), members_)) \
                return false;                                                                                      \
        }                                                                                                          \
    } while (0)

/* Compares the codes of three or four neighbours with the baseline's, `olds`; the lists are those of PKT_QUANTIZED_ROW.
 * Sets their bits in the mask, the first one at `bit`. Stores the codes of changed neighbours in codes[0] to codes[3],
 * and their bits in codes[4] to codes[7]; 0 for the others. */
#define PKT_COMPARE(scales, values, olds, mask, bit, codes)                  \
    do {                                                                     \
        static const pkt_scale scales_[] = {PKT_LIST_ scales};               \
        enum { COUNT_ = sizeof scales_ / sizeof *scales_ };                  \
        const float row_[] = {PKT_LIST_ values}, olds_[] = {PKT_LIST_ olds}; \
        uint64_t differ_;                                                    \
        if (!pkt_compare_row(row_, olds_, scales_, COUNT_, codes, &differ_)) \
            return false;                                                    \
        mask |= (differ_ & ((1u << COUNT_) - 1)) << (bit);                   \
    } while (0)
#endif

/* ---- comparisons ---------------------------------------------------------------------------------------------- */

/* Whether `size` bytes, a constant number, are the same. Up to 64 are compared without a branch: 16 or 8 at a time; the
 * last piece may overlap the one before. */
#ifdef PKT_CALLS_COST
#define pkt_same_memory(a, b, size) (memcmp((a), (b), (size)) == 0)
#else
/* The bits in which two words differ that begin `at` bytes from a and b. */
PKT_INLINE uint64_t pkt_words_differ(const void *a, const void *b, const size_t at)
{
    uint64_t x, y;
    memcpy(&x, (const char *)a + at, sizeof x);
    memcpy(&y, (const char *)b + at, sizeof y);
    return x ^ y;
}

#ifdef PKT_X86_64
/* All ones for each byte that is the same. */
PKT_INLINE __m128i pkt_same_16(const void *a, const void *b, const size_t at)
{
    return _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)((const char *)a + at)),
                          _mm_loadu_si128((const __m128i *)(const void *)((const char *)b + at)));
}
#endif

PKT_INLINE bool pkt_same_memory(const void *a, const void *b, const size_t size)
{
    uint64_t differs = 0;
    if (size < 8 || size > 64)
        return memcmp(a, b, size) == 0;
#ifdef PKT_X86_64
    if (size > 16) {
        __m128i same = _mm_and_si128(pkt_same_16(a, b, 0), pkt_same_16(a, b, size - 16));
        if (size > 32)
            same = _mm_and_si128(same, pkt_same_16(a, b, 16));
        if (size > 48)
            same = _mm_and_si128(same, pkt_same_16(a, b, 32));
        return _mm_movemask_epi8(same) == 0xffff;
    }
#endif
    differs |= pkt_words_differ(a, b, 0) | pkt_words_differ(a, b, size - 8);
    if (size > 16)
        differs |= pkt_words_differ(a, b, 8);
    if (size > 24)
        differs |= pkt_words_differ(a, b, 16);
    if (size > 32)
        differs |= pkt_words_differ(a, b, 24) | pkt_words_differ(a, b, size - 16);
    if (size > 48)
        differs |= pkt_words_differ(a, b, 32) | pkt_words_differ(a, b, size - 24);
    return differs == 0;
}
#endif

/* Whether two values are bit for bit the same from the byte `from` on, before the byte `end`. The members there have
 * `members` bytes in all. Padding is never read: if there is any, they count as different. */
PKT_INLINE bool pkt_same_row(const void *a, const void *b, const size_t from, const size_t end, const size_t members)
{
    return end - from == members && pkt_same_memory((const char *)a + from, (const char *)b + from, members);
}

/* The same for whole values of `size` bytes. */
PKT_INLINE bool pkt_same_whole(const void *a, const void *b, const size_t size, const size_t members)
{
    return size == members && pkt_same_memory(a, b, members);
}

/* `size`, the bytes of a type, if its members have as many; 0 if it has padding. */
PKT_INLINE size_t pkt_unpadded(const size_t size, const size_t members)
{
    return size == members ? size : 0;
}

/* Whether padding can be read. The memory sanitizer and valgrind would report that, for nobody has to set padding. A
 * program for valgrind is compiled with -DPKT_READS_PADDING=0. */
#ifndef PKT_READS_PADDING
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define PKT_READS_PADDING 0
#endif
#endif
#endif
#ifndef PKT_READS_PADDING
#define PKT_READS_PADDING 1
#endif

/* Finds the next block of elements, from the old *end on, that is not bit for bit as in the baseline: *i to *end, at
 * most 64 elements. False if there are none. each: the bytes of an element with its padding, or 0 if it cannot be compared
 * as memory. If only padding differs, the block is found too, so its elements have to be compared field by field. The
 * array has room for `most` elements; the value has `count` of them, and the baseline `held`. */
bool pkt_next_block(uint32_t *i, uint32_t *end, const void *now, const void *old, size_t each, uint32_t most,
                    uint32_t count, uint32_t held);

/* Whether two elements of a block are bit for bit the same, with their padding. */
PKT_INLINE bool pkt_same_element(const void *a, const void *b, const size_t size)
{
    return PKT_READS_PADDING && pkt_same_memory(a, b, size);
}

/* Whether any bit of a bitmap is set. */
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

PKT_C_END

#endif
