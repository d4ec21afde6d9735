/* pkt_coder_row.c - coded deltas: rows of numbers, which may begin with the change mask.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_coder_bits.h"

enum {
    PKT_ROW_BYTES = (7 + PKT_CODE_LONGEST + PKT_ROW_MOST * (PKT_CODE_LONGEST + 32)) / 8 + 8
}; /* that a row may touch */

/* The bits of a row that have not been stored yet, from a whole byte on. */
typedef struct pkt_row_bits {
    uint64_t word;
    unsigned filled;
    uint8_t *to;
} pkt_row_bits;

PKT_INLINE pkt_row_bits pkt_row_begin(const pkt_cursor *c)
{
    pkt_row_bits b;
    b.word = c->carry;
    b.filled = (unsigned)(c->bit % 8);
    b.to = c->to + c->bit / 8;
    return b;
}

PKT_INLINE void pkt_coder_row_store(pkt_row_bits *b)
{
    pkt_store64(b->to, b->word);
    b->to += b->filled / 8;
    b->word >>= b->filled / 8 * 8;
    b->filled %= 8;
}

/* Up to 44 bits, for which there is room. */
PKT_INLINE void pkt_row_put(pkt_row_bits *b, uint64_t raw, unsigned bits)
{
    if (b->filled + bits > 63)
        pkt_coder_row_store(b);
    b->word |= raw << b->filled;
    b->filled += bits;
}

PKT_INLINE void pkt_row_end(pkt_cursor *c, pkt_row_bits *b)
{
    pkt_coder_row_store(b);
    c->carry = b->word;
    c->bit = (uint64_t)(b->to - c->to) * 8 + b->filled;
}

/* Which numbers of a row have changed. */
PKT_INLINE uint64_t pkt_row_changed(uint64_t mask, const pkt_number_row *row)
{
    return mask >> row->bit & ((1u << row->count) - 1);
}

/* The table of a number. If there is only one, the codes need not be looked at. */
PKT_INLINE const pkt_codes *pkt_coder_row_codes(const pkt_coded *k, const pkt_coded_number *n)
{
    return k->contexts == 1 ? k->codes : pkt_value_codes(k, n->old, n->was);
}

static bool pkt_row_put_coded(pkt_cursor *c, uint64_t mask, const pkt_coded_number *numbers, const pkt_number_row *row)
{
    const uint64_t start = c->bit;
    unsigned plain = 0;
    pkt_row_bits b = pkt_row_begin(c);
    if (row->changes) {
        const pkt_codes *codes = row->changes->codes;
        pkt_row_put(&b, pkt_code_of(codes, (unsigned)mask), pkt_code_bits(codes, (unsigned)mask));
        plain = row->changes->count;
    }
    for (uint64_t left = pkt_row_changed(mask, row); left != 0; left &= left - 1) {
        const unsigned i = pkt_low_bit(left);
        const pkt_coded_number *n = &numbers[i];
        const pkt_coded *k = &row->numbers[i];
        const uint64_t now = n->now, old = n->old <= k->span ? n->old : 0;
        /* A number that is out of range may have no symbol in the table. */
        if (pkt_over(now, k->span))
            return false;
        const pkt_codes *codes = pkt_coder_row_codes(k, n);
        const uint64_t way = pkt_distance(old, now);
        const unsigned symbol = pkt_symbol_of(way), bits = pkt_code_bits(codes, symbol);
        const uint64_t rest = (way << 1 | (now < old)) & ((UINT64_C(1) << symbol) - 1);
        pkt_row_put(&b, rest << bits | pkt_code_of(codes, symbol), bits + symbol);
        plain += k->bits;
    }
    pkt_row_end(c, &b);
    pkt_count_forms(c, plain, (unsigned)(c->bit - start));
    return true;
}

static bool pkt_row_put_plain(pkt_cursor *c, uint64_t mask, const pkt_coded_number *numbers, const pkt_number_row *row)
{
    pkt_row_bits b = pkt_row_begin(c);
    if (row->changes)
        pkt_row_put(&b, mask, row->changes->count);
    for (uint64_t left = pkt_row_changed(mask, row); left != 0; left &= left - 1) {
        const unsigned i = pkt_low_bit(left);
        const pkt_coded *k = &row->numbers[i];
        if (pkt_over(numbers[i].now, k->span))
            return false;
        pkt_row_put(&b, pkt_wire_of_code(numbers[i].now, k->flip, k->bits), k->bits);
    }
    pkt_row_end(c, &b);
    return true;
}

/* One item after the other: to measure, near the end of the buffer, and where there was no room for the coded form, so
 * that not all items have been counted. */
static PKT_NOINLINE bool pkt_row_put_each(const pkt_mode mode, pkt_cursor *c, uint64_t mask, const pkt_coded_number *n,
                                          const pkt_number_row *row)
{
    if (row->changes && pkt_mask_put(mode, c, mask, row->changes) != PKT_OK)
        return false;
    for (uint64_t left = pkt_row_changed(mask, row); left != 0; left &= left - 1) {
        const unsigned i = pkt_low_bit(left);
        if (pkt_value_put(mode, c, n[i].old, n[i].was, n[i].now, &row->numbers[i]) != PKT_OK)
            return false;
    }
    return true;
}

static bool pkt_row_get_coded(pkt_cursor *c, uint64_t *mask, pkt_coded_number *numbers, const pkt_number_row *row)
{
    const uint64_t start = c->bit;
    uint64_t bit = start, ahead = pkt_bits_ahead(c), loaded = bit + 57;
    unsigned plain = 0;
    if (row->changes) {
        const pkt_codes *codes = row->changes->codes;
        const unsigned symbol = pkt_symbol_ahead(codes, ahead);
        *mask = symbol;
        bit += pkt_code_bits(codes, symbol);
        ahead >>= pkt_code_bits(codes, symbol);
        plain = row->changes->count;
    }
    for (uint64_t left = pkt_row_changed(*mask, row); left != 0; left &= left - 1) {
        const unsigned i = pkt_low_bit(left);
        const pkt_coded *k = &row->numbers[i];
        const uint64_t old = numbers[i].old, from = old <= k->span ? old : 0;
        const pkt_codes *codes = pkt_coder_row_codes(k, &numbers[i]);
        unsigned symbol;
        uint64_t rest, way, sign, now;
        if (bit + PKT_CODE_LONGEST + k->bits > loaded) {
            c->bit = bit;
            ahead = pkt_bits_ahead(c);
            loaded = bit + 57;
        }
        symbol = pkt_symbol_ahead(codes, ahead);
        rest = ahead >> pkt_code_bits(codes, symbol);
        ahead = rest >> symbol;
        bit += pkt_code_bits(codes, symbol) + symbol;
        plain += k->bits;
        way = ((rest & ((UINT64_C(1) << symbol) - 1)) | UINT64_C(1) << symbol) >> 1;
        sign = 0 - (rest & 1);
        now = from + ((way ^ sign) - sign);
        if (pkt_over(now, k->span) || now == old)
            return false;
        numbers[i].now = now;
    }
    c->bit = bit;
    pkt_count_forms(c, plain, (unsigned)(bit - start));
    return bit <= c->limit;
}

static bool pkt_row_get_plain(pkt_cursor *c, uint64_t *mask, pkt_coded_number *numbers, const pkt_number_row *row)
{
    const uint64_t start = c->bit;
    uint64_t bit = start, ahead = pkt_bits_ahead(c), loaded = bit + 57;
    unsigned coded = 0;
    if (row->changes) {
        *mask = ahead & pkt_mask(row->changes->count);
        bit += row->changes->count;
        ahead >>= row->changes->count;
        coded = pkt_code_bits(row->changes->codes, (unsigned)*mask);
    }
    for (uint64_t left = pkt_row_changed(*mask, row); left != 0; left &= left - 1) {
        const unsigned i = pkt_low_bit(left);
        const pkt_coded *k = &row->numbers[i];
        const uint64_t old = numbers[i].old;
        uint64_t now;
        unsigned symbol;
        if (bit + k->bits > loaded) {
            c->bit = bit;
            ahead = pkt_bits_ahead(c);
            loaded = bit + 57;
        }
        now = pkt_code_of_wire(ahead & pkt_mask(k->bits), k->flip, k->bits);
        ahead >>= k->bits;
        bit += k->bits;
        if (pkt_over(now, k->span) || now == old)
            return false;
        symbol = pkt_symbol_of(pkt_distance(old <= k->span ? old : 0, now));
        coded += pkt_code_bits(pkt_coder_row_codes(k, &numbers[i]), symbol) + symbol;
        numbers[i].now = now;
    }
    c->bit = bit;
    pkt_count_forms(c, (unsigned)(bit - start), coded);
    return bit <= c->limit;
}

bool pkt_coded_row(pkt_mode mode, pkt_cursor *c, uint64_t *mask, pkt_coded_number *numbers, const pkt_number_row *row)
{
    const pkt_coding *coding = c->coding;
    if (mode == PKT_READ)
        return coding->plain ? pkt_row_get_plain(c, mask, numbers, row) : pkt_row_get_coded(c, mask, numbers, row);
    if (mode != PKT_WRITE || c->bit / 8 + PKT_ROW_BYTES > c->limit / 8 || (coding->plain && !coding->counted))
        return pkt_row_put_each(mode, c, *mask, numbers, row);
    return coding->plain ? pkt_row_put_plain(c, *mask, numbers, row) : pkt_row_put_coded(c, *mask, numbers, row);
}
