/* pkt_coder_bits.h - coded deltas: their bits and codes.
 * SPDX-License-Identifier: MIT
 *
 * For the files of the runtime that put and get coded items: pkt_coder.c, pkt_coder_row.c, pkt_coder_elements.c.
 */
#ifndef PKT_CODER_BITS_H
#define PKT_CODER_BITS_H

#include "pkt_coder.h"

PKT_C_BEGIN

/* ---- bits */

static PKT_NOINLINE uint64_t pkt_bits_at_end(const pkt_cursor *c)
{
    return c->bit < c->limit ? pkt_get_alone(c) : 0;
}

/* The next 57 bits or more, with zeros after the end of the data. */
PKT_INLINE uint64_t pkt_bits_ahead(const pkt_cursor *c)
{
    const size_t at = (size_t)(c->bit / 8);
    return PKT_LIKELY(at + 8 <= c->limit / 8) ? pkt_load64(c->from + at) >> c->bit % 8 : pkt_bits_at_end(c);
}

static PKT_NOINLINE bool pkt_put_at_end(pkt_cursor *c, uint64_t raw, unsigned bits)
{
    if (!pkt_need(PKT_WRITE, c, bits))
        return false;
    if (bits != 0)
        pkt_put_changes(c, raw, bits);
    return true;
}

/* Puts up to 56 bits. False if there is no room. */
PKT_INLINE bool pkt_put_bits(const pkt_mode mode, pkt_cursor *c, uint64_t raw, unsigned bits)
{
    const unsigned shift = (unsigned)(c->bit % 8), end = shift + bits;
    const size_t at = (size_t)(c->bit / 8);
    if (mode == PKT_WRITE) {
        const uint64_t v = c->carry | raw << shift;
        if (PKT_UNLIKELY(at + 8 > c->limit / 8))
            return pkt_put_at_end(c, raw, bits);
        pkt_store64(c->to + at, v);
        c->carry = v >> 8 * (end / 8);
    }
    c->bit += bits;
    return true;
}

/* Bits that have not been put yet, up to 56. */
typedef struct pkt_pending {
    uint64_t word;
    unsigned filled;
} pkt_pending;

/* Adds up to 56 bits. If there would be too many, puts the pending ones first. */
PKT_INLINE bool pkt_add_bits(const pkt_mode mode, pkt_cursor *c, pkt_pending *p, uint64_t raw, unsigned bits)
{
    if (p->filled + bits > 56) {
        if (!pkt_put_bits(mode, c, p->word, p->filled))
            return false;
        p->word = 0;
        p->filled = 0;
    }
    p->word |= raw << p->filled;
    p->filled += bits;
    return true;
}

/* The number of binary digits: 0 for 0. Without a branch, because nobody can predict which numbers are 0. */
PKT_INLINE unsigned pkt_binary_digits(uint64_t v)
{
    return pkt_high_bit(v | 1) + (v != 0);
}

/* The same for a number of at most 63 bits, in fewer instructions. */
PKT_INLINE unsigned pkt_symbol_of(uint64_t v)
{
    return pkt_high_bit(v << 1 | 1);
}

PKT_INLINE uint64_t pkt_distance(uint64_t a, uint64_t b)
{
    return a < b ? b - a : a - b;
}

/* Counts an item that has this many bits in its forms. */
PKT_INLINE void pkt_count_forms(pkt_cursor *c, unsigned plain, unsigned coded)
{
    c->coding->lead += (int64_t)plain - (int64_t)coded;
}

/* ---- codes */

PKT_INLINE unsigned pkt_code_bits(const pkt_codes *k, unsigned symbol)
{
    return k->words[symbol] >> PKT_CODE_LONGEST;
}

PKT_INLINE unsigned pkt_code_of(const pkt_codes *k, unsigned symbol)
{
    return k->words[symbol] & ((1u << PKT_CODE_LONGEST) - 1);
}

/* The symbol of a code of more than PKT_CODE_AHEAD bits. All codes together are complete, so one of them is there. A symbol that
 * cannot come has a code of 0 bits. */
static PKT_NOINLINE unsigned pkt_long_symbol(const pkt_codes *k, uint64_t ahead)
{
    unsigned symbol = 0;
    while (symbol < k->last && (pkt_code_bits(k, symbol) <= PKT_CODE_AHEAD ||
                                ((ahead ^ pkt_code_of(k, symbol)) & pkt_mask(pkt_code_bits(k, symbol))) != 0))
        symbol++;
    return symbol;
}

PKT_INLINE unsigned pkt_symbol_ahead(const pkt_codes *k, uint64_t ahead)
{
    const unsigned symbol = k->starts[ahead & pkt_mask(PKT_CODE_AHEAD)];
    return PKT_LIKELY(symbol != PKT_CODE_LONG) ? symbol : pkt_long_symbol(k, ahead);
}

/* False if the data ends before the code does. *after: at least 45 bits after it. */
PKT_INLINE bool pkt_code_get(pkt_cursor *c, const pkt_codes *k, unsigned *symbol, uint64_t *after)
{
    const uint64_t ahead = pkt_bits_ahead(c);
    *symbol = pkt_symbol_ahead(k, ahead);
    if (!pkt_need(PKT_READ, c, pkt_code_bits(k, *symbol)))
        return false;
    c->bit += pkt_code_bits(k, *symbol);
    *after = ahead >> pkt_code_bits(k, *symbol);
    return true;
}

/* Gets the bits after a code. False if the data ends before they do. */
PKT_INLINE bool pkt_rest_get(pkt_cursor *c, unsigned bits, uint64_t after, uint64_t *rest)
{
    if (!pkt_need(PKT_READ, c, bits))
        return false;
    if (PKT_UNLIKELY(bits > 45)) {
        *rest = pkt_get_changes(c, bits);
        return true;
    }
    *rest = after & ((UINT64_C(1) << bits) - 1);
    c->bit += bits;
    return true;
}

/* ---- the table of a number */

/* The table for a number whose baseline has moved this far. */
PKT_INLINE const pkt_codes *pkt_codes_for(const pkt_coded *k, uint64_t old, uint64_t was)
{
    unsigned context;
    if (k->contexts == 1)
        return k->codes;
    context = pkt_binary_digits(pkt_distance(old, was));
    return &k->codes[context < k->contexts ? context : k->contexts - 1];
}

/* A number that cannot be written counts as unmoved. */
PKT_INLINE const pkt_codes *pkt_value_codes(const pkt_coded *k, uint64_t old, uint64_t was)
{
    return old <= k->span && was <= k->span ? pkt_codes_for(k, old, was) : k->codes;
}

/* ---- single items, in pkt_coder.c: puts or measures them */

pkt_code pkt_value_put(pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t was, uint64_t now, const pkt_coded *k);
pkt_code pkt_mask_put(pkt_mode mode, pkt_cursor *c, uint64_t mask, const pkt_coded_changes *k);

PKT_C_END

#endif
