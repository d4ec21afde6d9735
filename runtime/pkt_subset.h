/* pkt_subset.h - subsets of arrays: which elements are present, sent in one of six forms.
 * SPDX-License-Identifier: MIT
 *
 * The forms, apart from auto, are those of Glenn Fiedler's article "Serialization Strategies".
 *
 * A subset of n elements is a bitmap, uint64_t[(n + 63) / 64]: element i is bit i % 64 of word i / 64, and no bit from
 * n on is set. A writer loops over the bits that are set, a reader over the indices that it decodes. Both are the same
 * loop:
 *
 *     pkt_subset s;
 *     if (!pkt_subset_begin(mode, kind, c, &s, written, read, n, limit)) return false;
 *     while (pkt_subset_next(mode, kind, c, &s, ahead, rest)) {
 *         ... element s.index, in this mode ...
 *     }
 *     if (!s.whole) return false;
 *
 * Depending on the kind, each index is followed by its element, or all indices come first. mode and kind are constants.
 * n may be a variable, because a counted array can have subsets too, and may be 0. A reader sets the bit of an element
 * before the loop reaches it. Bits are below n and at most `limit`, whatever fails later.
 */
#ifndef PKT_SUBSET_H
#define PKT_SUBSET_H

#include "pkt_frame.h"
#include "pkt_leaf.h"
#include "pkt_scan.h"
#include "pkt_type.h"
#include "pkt_varying.h"

PKT_C_BEGIN

/* Writes up to 56 bits, for which there is room. */
PKT_INLINE void pkt_push(pkt_cursor *c, const uint64_t raw, const unsigned bits)
{
    const unsigned shift = (unsigned)(c->bit % 8), end = shift + bits;
    const uint64_t v = c->carry | raw << shift;
    pkt_store_edge(c->to, (size_t)(c->bit / 8), (size_t)(c->limit / 8), v, (end + 7) / 8);
    c->carry = v >> 8 * (end / 8);
    c->bit += bits;
}

/* ---- subsets */

typedef struct pkt_subset {
    uint32_t index; /* the current element; n after the last */
    bool whole;     /* the end was reached without an error */
    /* The rest is internal. */
    bool bitmap;   /* the indices come first */
    pkt_scan scan; /* loop over the bitmap that is written, or that was read */
    const uint64_t *written;
    uint64_t *read; /* the bitmap that is read */
    uint32_t from;  /* the least index that may come next */
    uint32_t count; /* the number of elements so far; reading PKT_SUBSET_COUNT: still to come */
    uint32_t n, limit;
    uint64_t start; /* explaining: position of the bit of PKT_SUBSET_AUTO */
    uint64_t spent; /* reading: bits of differences so far */
    uint64_t lead;  /* joined, writing: the bits of the index before the current element */
    unsigned lead_bits;
    uint64_t window; /* joined, reading: the bits from the current position up to byte `next` */
    size_t next;
    const char *name;
} pkt_subset;

/* ---- differences of indices

   d      1   2..5   6..13   14..29   30..61   62..125   126..n + 1
   bits   1   2 + 2  3 + 3   4 + 4    5 + 5    6 + 6     6 + the bits of n + 1 - 126

   A difference is sent as a prefix, and then the difference less the first one of its column. The prefix has as many
   zeros as there are columns before this one, and then a 1, except in the last column. */

enum { PKT_FAR = 126 };

typedef struct pkt_difference {
    uint16_t code;
    uint16_t bits;
} pkt_difference;

/* The codes of the differences below PKT_FAR, for writing and for auto to count their bits. [0] is not used. */
extern const pkt_difference pkt_differences[PKT_FAR];

/* The number of bits after the prefix of a difference from PKT_FAR on. */
PKT_INLINE unsigned pkt_far_bits(const uint32_t n)
{
    return n < PKT_FAR ? 0 : pkt_bit_length(n + 1 - PKT_FAR);
}

/* A column, by the number of zeros of its prefix: its first difference, a mask of the bits after the prefix, and all bits. */
typedef struct pkt_difference_column {
    uint8_t first, mask, bits;
} pkt_difference_column;

extern const pkt_difference_column pkt_difference_columns[6];

/* The difference that `bits` begins with; *taken is the number of its bits. Nobody can predict its column, so there is
 * no branch on it. *taken is computed and not looked up, because the next index has to wait for it. */
PKT_INLINE uint32_t pkt_difference_of(const uint64_t bits, const uint32_t n, unsigned *taken)
{
    const unsigned zeros = pkt_zeros(bits, 6);
    if (PKT_LIKELY(zeros < 6)) {
        const pkt_difference_column *column = &pkt_difference_columns[zeros];
        *taken = (2 - ((unsigned)bits & 1)) + 2 * zeros;
        return column->first + ((uint32_t)(bits >> 1 >> zeros) & column->mask);
    }
    *taken = 6 + pkt_far_bits(n);
    return PKT_FAR + (uint32_t)(bits >> 6 & ((UINT64_C(1) << pkt_far_bits(n)) - 1));
}

/* The code of a difference; *bits is the number of its bits. */
PKT_INLINE uint64_t pkt_difference_for(const uint32_t d, const uint32_t n, unsigned *bits)
{
    if (PKT_LIKELY(d < PKT_FAR)) {
        *bits = pkt_differences[d].bits;
        return pkt_differences[d].code;
    }
    *bits = 6 + pkt_far_bits(n);
    return (uint64_t)(d - PKT_FAR) << 6;
}

/* Whether a subset has fewer bits as a bitmap than as differences. */
bool pkt_subset_is_dense(const uint64_t *set, uint32_t n);
/* The bits of PKT_SUBSET_AUTO without elements. */
unsigned pkt_subset_auto_bits(const uint64_t *set, uint32_t n);

/* ---- explaining: pkt_subset.c */

/* present: the bitmap to write, or the one that a read sets. limit: as in pkt_subset_begin. */
PKT_COLD bool pkt_explain_subset_begin(pkt_cursor *c, pkt_subset *s, pkt_subset_kind kind, uint64_t *present,
                                       uint32_t n, uint32_t limit, const char *field);
PKT_COLD bool pkt_explain_subset_next(pkt_cursor *c, pkt_subset *s, pkt_subset_kind kind);
/* The next difference; the element at *index follows it. Uses only n, from, spent and name of s. And the number of bits
 * of a difference. */
PKT_COLD bool pkt_explain_difference(pkt_cursor *c, pkt_subset *s, uint32_t *index);
uint64_t pkt_difference_bits(uint32_t d, uint32_t n);

#ifndef PKT_WITHOUT_SUBSET
/* ---- the loop */

/* Whether a bit from n on is set: an element that does not exist. */
PKT_INLINE bool pkt_subset_strays(const uint64_t *set, const uint32_t n)
{
    return n % 64 != 0 && set[n / 64] >> n % 64 != 0;
}

/* Writes the bitmap. */
PKT_INLINE void pkt_subset_put_bitmap(pkt_cursor *c, const uint64_t *set, const uint32_t n)
{
    for (uint32_t i = 0; i < n; i += 32)
        pkt_push(c, set[i / 64] >> i % 64 & UINT32_MAX, n - i < 32 ? n - i : 32);
}

PKT_INLINE void pkt_subset_get_bitmap(pkt_cursor *c, uint64_t *set, const uint32_t n)
{
    for (uint32_t i = 0; i < n; i += 32) {
        const unsigned bits = n - i < 32 ? n - i : 32;
        const uint64_t half = pkt_peek(c, true) & pkt_mask(bits);
        set[i / 64] = i % 64 == 0 ? half : set[i / 64] | half << 32;
        c->bit += bits;
    }
}

PKT_INLINE bool pkt_subset_bitmap(const pkt_mode mode, pkt_cursor *c, pkt_subset *s, const bool chosen)
{
    s->bitmap = true;
    if (!pkt_need(mode, c, s->n))
        return false;
    if (mode == PKT_MEASURE || mode == PKT_CHECK)
        c->bit += s->n;
    if (mode == PKT_WRITE)
        pkt_subset_put_bitmap(c, s->written, s->n);
    if (mode == PKT_READ) {
        pkt_subset_get_bitmap(c, s->read, s->n);
        if (s->limit < s->n && pkt_present_count(s->read, s->n) > s->limit) {
            memset(s->read, 0, ((size_t)s->n + 63) / 64 * sizeof *s->read);
            return false;
        }
        if (chosen && !pkt_subset_is_dense(s->read, s->n))
            return false;
        s->scan = pkt_scan_of(s->read, s->n);
    }
    return true;
}

PKT_INLINE void pkt_subset_init(pkt_subset *s, const uint64_t *written, uint64_t *read, const uint32_t n,
                                const uint32_t limit)
{
    s->index = 0;
    s->whole = false;
    s->bitmap = false;
    s->scan = pkt_scan_of(written, 0);
    s->written = written;
    s->read = read;
    s->from = 0;
    s->count = 0;
    s->n = n;
    s->limit = limit;
    s->start = 0;
    s->spent = 0;
    s->lead = 0;
    s->lead_bits = 0;
    s->window = 0;
    s->next = 0;
    s->name = NULL;
}

/* Writes or reads what comes before the first index. written: the bitmap to write or to measure. read: the bitmap that
 * a reader sets, all zero before, else NULL. At most `limit` of the n elements may be present. */
PKT_INLINE bool pkt_subset_begin(const pkt_mode mode, const pkt_subset_kind kind, pkt_cursor *c, pkt_subset *s,
                                 const uint64_t *written, uint64_t *read, const uint32_t n, const uint32_t limit)
{
    bool bitmap = kind == PKT_SUBSET_BITMAP;
    pkt_subset_init(s, written, read, n, limit);
    if (mode != PKT_READ) {
        if (pkt_subset_strays(written, n))
            return false;
        s->scan = pkt_scan_of(written, n);
    }
    if (kind == PKT_SUBSET_COUNT) {
        const unsigned bits = pkt_bit_length(limit);
        uint32_t count = mode == PKT_READ ? 0 : pkt_present_count(written, n);
        if (!pkt_need(mode, c, bits))
            return false;
        if (mode == PKT_READ && bits != 0)
            count = (uint32_t)(pkt_peek(c, true) & pkt_mask(bits));
        if (count > limit)
            return false;
        if (mode == PKT_WRITE)
            pkt_push(c, count, bits);
        else
            c->bit += bits;
        if (mode == PKT_READ)
            s->count = count;
    }
    if (kind == PKT_SUBSET_AUTO) {
        bool dense = mode != PKT_READ && pkt_subset_is_dense(written, n);
        if (!pkt_need(mode, c, 1))
            return false;
        if (mode == PKT_READ)
            dense = (pkt_peek(c, true) & 1) != 0;
        if (mode == PKT_WRITE)
            pkt_push(c, dense, 1);
        else
            c->bit += 1;
        bitmap = dense;
    }
    return !bitmap || pkt_subset_bitmap(mode, c, s, kind == PKT_SUBSET_AUTO);
}

/* Ends the loop; `rest` bits follow. Always false. */
PKT_INLINE bool pkt_subset_end(const pkt_mode mode, const pkt_cursor *c, pkt_subset *s, const uint64_t rest)
{
    s->index = s->n;
    s->whole = pkt_need(mode, c, rest);
    return false;
}

/* Writes this many flags of absent elements, and then the flag of a present one unless this is the end. */
PKT_INLINE bool pkt_subset_put_flags(const pkt_mode mode, pkt_cursor *c, uint32_t zeros, const bool one,
                                     const uint64_t ahead)
{
    const uint64_t end = c->bit + zeros + one;
    if (mode == PKT_WRITE) {
        if (end + ahead > c->limit)
            return false;
        for (; zeros > 48; zeros -= 48)
            pkt_push(c, 0, 48);
        pkt_push(c, (uint64_t)one << zeros, zeros + one);
    }
    c->bit = end;
    return true;
}

/* The index of the next flag that is set; n if none is; UINT32_MAX if the data ends before that. */
PKT_INLINE uint32_t pkt_subset_get_flag(pkt_cursor *c, uint32_t index, const uint32_t n)
{
    while (index < n) {
        const uint64_t left = c->limit - c->bit;
        uint64_t bits;
        unsigned window = n - index < 56 ? n - index : 56;
#ifdef PKT_BYTEWISE
        if (left == 0)
            return UINT32_MAX;
#endif
        if (c->bit >= c->limit)
            return UINT32_MAX;
        if (left < window)
            window = (unsigned)left;
        bits = pkt_peek(c, true) & pkt_mask(window);
        if (bits != 0) {
            const unsigned zeros = pkt_low_bit(bits);
            c->bit += zeros + 1;
            return index + zeros;
        }
        c->bit += window;
        index += window;
    }
    return n;
}

/* Writes an index in this many bits; `ahead` bits follow. */
PKT_INLINE bool pkt_subset_put_index(const pkt_mode mode, pkt_cursor *c, const uint64_t raw, const unsigned bits,
                                     const uint64_t ahead)
{
    const uint64_t end = c->bit + bits;
    if (mode == PKT_WRITE) {
        if (end + ahead > c->limit)
            return false;
        pkt_push(c, raw, bits);
    }
    c->bit = end;
    return true;
}

/* No index is above n. The prover does not know that, so here it sees that such an index ends the loop too. */
#ifdef PKT_BYTEWISE
#define pkt_is_end(index, n) ((index) >= (n))
#else
#define pkt_is_end(index, n) ((index) == (n))
#endif

/* Makes `index` the current element, unless that is one too many. told: its bit still has to be set. */
PKT_INLINE bool pkt_subset_found(const pkt_mode mode, const pkt_subset_kind kind, pkt_subset *s, const uint32_t index,
                                 const bool told)
{
    if (kind == PKT_SUBSET_COUNT && mode == PKT_READ) {
        s->count--;
    } else {
        if (s->limit < s->n && s->count == s->limit)
            return false;
        s->count++;
    }
    if (told)
        s->read[index / 64] |= UINT64_C(1) << index % 64;
    s->from = index + 1;
    s->index = index;
    return true;
}

/* Goes to the next index. Returns true if s->index is the next element; false at the end, or after an error. ahead:
 * bits that every element has at least. rest: bits that certainly follow the subset. Both are checked to be in the
 * buffer. */
PKT_INLINE bool pkt_subset_next(const pkt_mode mode, const pkt_subset_kind kind, pkt_cursor *c, pkt_subset *s,
                                const uint64_t ahead, const uint64_t rest)
{
    const bool bitmap = kind == PKT_SUBSET_BITMAP || (kind == PKT_SUBSET_AUTO && s->bitmap);
    const uint32_t n = s->n;
    uint32_t index = n;
    if (mode != PKT_READ || bitmap) {
        (void)pkt_scan_next(&s->scan);
        index = s->scan.index;
        /*@ split index < n; */
        if (bitmap) {
            if (!pkt_need(mode, c, index < n ? ahead : rest))
                return false;
        } else if (kind == PKT_SUBSET_FLAG) {
            if (!pkt_subset_put_flags(mode, c, index - s->from, index < n, index < n ? ahead : rest))
                return false;
        } else if (kind != PKT_SUBSET_COUNT || index < n) {
            unsigned bits = pkt_bit_length(kind == PKT_SUBSET_SENTINEL ? n : n - 1);
            uint64_t raw = index;
            if (kind == PKT_SUBSET_RELATIVE || kind == PKT_SUBSET_AUTO)
                raw = pkt_difference_for(index - s->from + 1, n, &bits);
            if (!pkt_subset_put_index(mode, c, raw, bits, index < n ? ahead : rest))
                return false;
        }
    } else if (kind == PKT_SUBSET_FLAG) {
        index = pkt_subset_get_flag(c, s->from, n);
        /*@ split index < n; */
        if (index > n || !pkt_need(mode, c, index < n ? ahead : rest))
            return false;
    } else if (kind == PKT_SUBSET_RELATIVE || kind == PKT_SUBSET_AUTO) {
        unsigned bits;
        uint64_t end;
        if (c->bit >= c->limit)
            return false;
        index = s->from + pkt_difference_of(pkt_peek(c, true), n, &bits) - 1;
        end = c->bit + bits;
        /*@ split index < n; */
        if (index > n || end + (index < n ? ahead : rest) > c->limit)
            return false;
        c->bit = end;
        s->spent += bits;
        if (kind == PKT_SUBSET_AUTO && index == n && s->spent > n)
            return false;
    } else if (kind == PKT_SUBSET_SENTINEL || s->count != 0) {
        const unsigned bits = pkt_bit_length(kind == PKT_SUBSET_SENTINEL ? n : n - 1);
        if (!pkt_need(mode, c, bits))
            return false;
        index = bits != 0 ? (uint32_t)(pkt_peek(c, true) & pkt_mask(bits)) : 0;
        if (index < s->from || index > n || (kind == PKT_SUBSET_COUNT && index == n))
            return false;
        c->bit += bits;
        /*@ split index < n; */
        if (!pkt_need(mode, c, index < n ? ahead : rest))
            return false;
    }
    if (pkt_is_end(index, n))
        return pkt_subset_end(mode, c, s, rest);
    return pkt_subset_found(mode, kind, s, index, mode == PKT_READ && !bitmap);
}

/* The same, but not inlined, for subsets that are not joined as below: their elements take more time than a call, and
 * an inlined loop would be most of a type's code. */
bool pkt_subset_write_begin(pkt_subset_kind kind, pkt_cursor *c, pkt_subset *s, const uint64_t *written, uint32_t n,
                            uint32_t limit);
bool pkt_subset_read_begin(pkt_subset_kind kind, pkt_cursor *c, pkt_subset *s, uint64_t *read, uint32_t n,
                           uint32_t limit);
bool pkt_subset_measure_begin(pkt_subset_kind kind, pkt_cursor *c, pkt_subset *s, const uint64_t *written, uint32_t n,
                              uint32_t limit);
bool pkt_subset_write_next(pkt_subset_kind kind, pkt_cursor *c, pkt_subset *s, uint64_t ahead, uint64_t rest);
bool pkt_subset_read_next(pkt_subset_kind kind, pkt_cursor *c, pkt_subset *s, uint64_t ahead, uint64_t rest);
bool pkt_subset_measure_next(pkt_subset_kind kind, pkt_cursor *c, pkt_subset *s, uint64_t ahead, uint64_t rest);

PKT_INLINE bool pkt_apart_begin(const pkt_mode mode, pkt_subset_kind kind, pkt_cursor *c, pkt_subset *s,
                                const uint64_t *written, uint64_t *read, uint32_t n, uint32_t limit)
{
    return mode == PKT_READ    ? pkt_subset_read_begin(kind, c, s, read, n, limit)
           : mode == PKT_WRITE ? pkt_subset_write_begin(kind, c, s, written, n, limit)
                               : pkt_subset_measure_begin(kind, c, s, written, n, limit);
}

PKT_INLINE bool pkt_apart_next(const pkt_mode mode, pkt_subset_kind kind, pkt_cursor *c, pkt_subset *s, uint64_t ahead,
                               uint64_t rest)
{
    return mode == PKT_READ    ? pkt_subset_read_next(kind, c, s, ahead, rest)
           : mode == PKT_WRITE ? pkt_subset_write_next(kind, c, s, ahead, rest)
                               : pkt_subset_measure_next(kind, c, s, ahead, rest);
}

/* ---- joined subsets

   Each element is one run, which shares a word with its index; together they have up to 56 bits. The position of an
   index depends on the index before it. If each was loaded from its position, it would have to wait for the one before.
   So a reader keeps a window of bits, which is loaded in advance from a position that is known early, and an index only
   has to wait for a shift. */

/* Like pkt_load_edge, but `at` may be after the end. */
PKT_COLD uint64_t pkt_window_edge(const uint8_t *data, size_t at, size_t size);

/* The 8 bytes from byte `next` of the data on, with zeros after the end. */
PKT_INLINE uint64_t pkt_window_load(const pkt_cursor *c, const size_t next)
{
    const size_t size = (size_t)(c->limit / 8);
    return PKT_LIKELY(next + 8 <= size) ? pkt_load64(c->from + next) : pkt_window_edge(c->from, next, size);
}

PKT_INLINE void pkt_window_open(const pkt_cursor *c, pkt_subset *s)
{
    s->window = pkt_window_load(c, (size_t)(c->bit / 8)) >> c->bit % 8;
    s->next = (size_t)((c->bit + 56) / 8);
}

/* Refills the window after the position has moved, by no more bits than it had. Returns at least 56 bits. */
PKT_INLINE uint64_t pkt_window_fill(const pkt_cursor *c, pkt_subset *s)
{
    s->window |= pkt_window_load(c, s->next) << ((8 * s->next - c->bit) & 63);
    s->next = (size_t)((c->bit + 63) / 8);
    return s->window;
}

/* Like pkt_subset_next, which it calls at the end and after errors. */
PKT_INLINE bool pkt_joined_next(const pkt_mode mode, const pkt_subset_kind kind, pkt_cursor *c, pkt_subset *s,
                                const uint64_t ahead, const uint64_t rest)
{
    const bool bitmap = kind == PKT_SUBSET_BITMAP || (kind == PKT_SUBSET_AUTO && s->bitmap);
    const uint32_t n = s->n;
    uint32_t index = n;
    unsigned bits = 0;
    if (mode == PKT_READ && !bitmap) {
        const uint64_t window = pkt_window_fill(c, s);
        if (kind == PKT_SUBSET_RELATIVE || kind == PKT_SUBSET_AUTO) {
            index = s->from + pkt_difference_of(window, n, &bits) - 1;
        } else if (kind == PKT_SUBSET_SENTINEL || s->count != 0) {
            bits = pkt_bit_length(kind == PKT_SUBSET_SENTINEL ? n : n - 1);
            index = (uint32_t)(window & pkt_mask(bits));
        }
        /*@ split index < n; */
        if (PKT_LIKELY(index < n)) {
            if (kind != PKT_SUBSET_RELATIVE && kind != PKT_SUBSET_AUTO && index < s->from)
                return false;
            if (c->bit + bits + ahead > c->limit)
                return false;
            c->bit += bits;
            c->word = window >> bits;
            s->spent += bits;
            return pkt_subset_found(mode, kind, s, index, true);
        }
    }
    if (mode == PKT_WRITE && !bitmap && pkt_scan_next(&s->scan)) {
        index = s->scan.index;
        if (kind == PKT_SUBSET_RELATIVE || kind == PKT_SUBSET_AUTO) {
            s->lead = pkt_difference_for(index - s->from + 1, n, &s->lead_bits);
        } else {
            s->lead = index;
            s->lead_bits = pkt_bit_length(kind == PKT_SUBSET_SENTINEL ? n : n - 1);
        }
        return pkt_subset_found(mode, kind, s, index, false);
    }
    if (!pkt_subset_next(mode, kind, c, s, ahead, rest))
        return false;
    if (mode == PKT_READ)
        c->word = pkt_peek(c, true);
    return true;
}

/* Begins the run of an element. When reading, its word is already loaded. */
PKT_INLINE void pkt_joined_run(const pkt_mode mode, pkt_cursor *c)
{
    if (mode == PKT_WRITE)
        pkt_run(mode, c, true, 0);
}

PKT_INLINE bool pkt_joined_end(const pkt_mode mode, pkt_cursor *c, pkt_subset *s, const unsigned bits)
{
    if (mode == PKT_WRITE) {
        if (PKT_UNLIKELY(pkt_is_near_end(c)) && !pkt_need(mode, c, s->lead_bits + bits))
            return false;
        c->word = s->lead | c->word << s->lead_bits;
        pkt_end(mode, c, s->lead_bits + bits);
    } else {
        c->bit += bits;
    }
    if (mode == PKT_READ)
        s->window = c->word >> bits;
    return true;
}
#endif

PKT_C_END

#endif
