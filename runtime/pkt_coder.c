/* pkt_coder.c - coded deltas, in all modes.
 * SPDX-License-Identifier: MIT
 *
 * Each item has a coded and a plain form, and c->coding says which one is written. Both are counted, because the whole
 * delta has the form that takes fewer bits. Functions that put or get an item return PKT_OK, or the code of the error.
 * To explain a write means to measure it.
 */
#include "pkt_coder.h"
#include "pkt_delta.h"
#include "pkt_explain.h"

/* ---- bits */

static PKT_NOINLINE uint64_t bits_at_end(const pkt_cursor *c)
{
    return c->bit < c->limit ? pkt_get_alone(c) : 0;
}

/* The next 57 bits or more, with zeros after the end of the data. */
PKT_INLINE uint64_t bits_ahead(const pkt_cursor *c)
{
    const size_t at = (size_t)(c->bit / 8);
    return PKT_LIKELY(at + 8 <= c->limit / 8) ? pkt_load64(c->from + at) >> c->bit % 8 : bits_at_end(c);
}

static PKT_NOINLINE bool put_at_end(pkt_cursor *c, uint64_t raw, unsigned bits)
{
    if (!pkt_need(PKT_WRITE, c, bits))
        return false;
    if (bits != 0)
        pkt_put_changes(c, raw, bits);
    return true;
}

/* Puts up to 56 bits. False if there is no room. */
PKT_INLINE bool put_bits(const pkt_mode mode, pkt_cursor *c, uint64_t raw, unsigned bits)
{
    const unsigned shift = (unsigned)(c->bit % 8), end = shift + bits;
    const size_t at = (size_t)(c->bit / 8);
    if (mode == PKT_WRITE) {
        const uint64_t v = c->carry | raw << shift;
        if (PKT_UNLIKELY(at + 8 > c->limit / 8))
            return put_at_end(c, raw, bits);
        pkt_store64(c->to + at, v);
        c->carry = v >> 8 * (end / 8);
    }
    c->bit += bits;
    return true;
}

/* Bits that have not been put yet, up to 56. */
typedef struct pending {
    uint64_t word;
    unsigned filled;
} pending;

/* Adds up to 56 bits, after those that are there are put if both are too many. */
PKT_INLINE bool add_bits(const pkt_mode mode, pkt_cursor *c, pending *p, uint64_t raw, unsigned bits)
{
    if (p->filled + bits > 56) {
        if (!put_bits(mode, c, p->word, p->filled))
            return false;
        p->word = 0;
        p->filled = 0;
    }
    p->word |= raw << p->filled;
    p->filled += bits;
    return true;
}

/* The number of binary digits: 0 for 0. Without a branch, because nobody can predict which numbers are 0. */
PKT_INLINE unsigned binary_digits(uint64_t v)
{
    return pkt_high_bit(v | 1) + (v != 0);
}

/* Without a branch too. */
PKT_INLINE uint64_t distance(uint64_t a, uint64_t b)
{
    const uint64_t sign = 0 - (uint64_t)(a < b);
    return ((a - b) ^ sign) - sign;
}

/* Counts an item that has this many bits in its forms. */
PKT_INLINE void count(pkt_cursor *c, unsigned plain, unsigned coded)
{
    c->coding->lead += (int64_t)plain - (int64_t)coded;
}

/* ---- codes */

PKT_INLINE unsigned code_bits(const pkt_codes *k, unsigned symbol)
{
    return k->words[symbol] >> PKT_CODE_LONGEST;
}

PKT_INLINE unsigned code_of(const pkt_codes *k, unsigned symbol)
{
    return k->words[symbol] & ((1u << PKT_CODE_LONGEST) - 1);
}

/* The symbol of a code of more than PKT_CODE_AHEAD bits. All codes together are complete, so one of them is there. */
static PKT_NOINLINE unsigned long_symbol(const pkt_codes *k, uint64_t ahead)
{
    unsigned symbol = 0;
    while (symbol < k->last && ((ahead ^ code_of(k, symbol)) & pkt_mask(code_bits(k, symbol))) != 0)
        symbol++;
    return symbol;
}

PKT_INLINE unsigned symbol_ahead(const pkt_codes *k, uint64_t ahead)
{
    const unsigned symbol = k->starts[ahead & pkt_mask(PKT_CODE_AHEAD)];
    return PKT_LIKELY(symbol != PKT_CODE_LONG) ? symbol : long_symbol(k, ahead);
}

/* False if the data ends before the code does. *after: at least 45 bits after it. */
PKT_INLINE bool code_get(pkt_cursor *c, const pkt_codes *k, unsigned *symbol, uint64_t *after)
{
    const uint64_t ahead = bits_ahead(c);
    *symbol = symbol_ahead(k, ahead);
    if (!pkt_need(PKT_READ, c, code_bits(k, *symbol)))
        return false;
    c->bit += code_bits(k, *symbol);
    *after = ahead >> code_bits(k, *symbol);
    return true;
}

/* Gets the bits after a code. False if the data ends before. */
PKT_INLINE bool rest_get(pkt_cursor *c, unsigned bits, uint64_t after, uint64_t *rest)
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

/* ---- differences: the bit length of the distance as a symbol, its sign, and its bits below the highest one */

typedef struct difference {
    unsigned symbol, code, code_bits;
    uint64_t rest; /* the sign and the bits: as many as the symbol */
} difference;

PKT_INLINE difference difference_of(const pkt_codes *codes, uint64_t old, uint64_t now)
{
    const uint64_t way = distance(old, now);
    difference d;
    d.symbol = binary_digits(way);
    d.code = code_of(codes, d.symbol);
    d.code_bits = code_bits(codes, d.symbol);
    d.rest = d.symbol != 0 ? (way << 1 | (now < old)) & pkt_mask(d.symbol) : 0;
    return d;
}

PKT_INLINE unsigned difference_bits(const difference *d)
{
    return d->code_bits + d->symbol;
}

/* The table for a number whose baseline has moved this far. */
PKT_INLINE const pkt_codes *codes_for(const pkt_coded *k, uint64_t old, uint64_t was)
{
    unsigned context;
    if (k->contexts == 1)
        return k->codes;
    context = binary_digits(distance(old, was));
    return &k->codes[context < k->contexts ? context : k->contexts - 1];
}

/* The code to which a symbol and the bits after it lead. */
PKT_INLINE pkt_code difference_get(pkt_cursor *c, unsigned symbol, uint64_t after, uint64_t old, uint64_t *now,
                                   uint64_t span)
{
    uint64_t rest, way;
    if (!rest_get(c, symbol, after, &rest))
        return PKT_ERROR_END;
    way = symbol != 0 ? UINT64_C(1) << (symbol - 1) | rest >> 1 : 0;
    *now = (rest & 1) != 0 ? old - way : old + way;
    return way <= ((rest & 1) != 0 ? old : span - old) ? PKT_OK : PKT_ERROR_RANGE;
}

/* ---- plain items */

static pkt_code put_plain(const pkt_mode mode, pkt_cursor *c, uint64_t raw, unsigned bits)
{
    if (PKT_LIKELY(bits <= 56))
        return put_bits(mode, c, raw, bits) ? PKT_OK : PKT_ERROR_CAPACITY;
    if (!pkt_need(mode, c, bits))
        return PKT_ERROR_CAPACITY;
    if (mode == PKT_MEASURE)
        c->bit += bits;
    else
        pkt_put_changes(c, raw, bits);
    return PKT_OK;
}

static PKT_NOINLINE pkt_code get_plain(pkt_cursor *c, uint64_t *raw, unsigned bits)
{
    if (!pkt_need(PKT_READ, c, bits))
        return PKT_ERROR_END;
    *raw = pkt_get_changes(c, bits);
    return PKT_OK;
}

/* ---- numbers */

PKT_INLINE unsigned plain_bits(uint64_t now, const pkt_coded *k)
{
    pkt_compact_form form;
    if (k->compact == 0)
        return k->bits;
    form = pkt_compact_form_for(now, k->compact);
    return form.head + form.bits;
}

/* What cannot be written does not move. */
PKT_INLINE const pkt_codes *value_codes(const pkt_coded *k, uint64_t old, uint64_t was)
{
    return old <= k->span && was <= k->span ? codes_for(k, old, was) : k->codes;
}

/* The difference from a baseline's code. One that cannot be written counts as 0. */
PKT_INLINE difference value_difference(uint64_t old, uint64_t was, uint64_t now, const pkt_coded *k)
{
    return difference_of(value_codes(k, old, was), old <= k->span ? old : 0, now);
}

static PKT_NOINLINE pkt_code value_put_plain(const pkt_mode mode, pkt_cursor *c, uint64_t now, const pkt_coded *k)
{
    if (k->compact != 0)
        return pkt_put_compact(mode, c, now, k->compact) ? PKT_OK : PKT_ERROR_CAPACITY;
    return put_plain(mode, c, now ^ k->flip, k->bits);
}

static pkt_code value_put(const pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t was, uint64_t now,
                          const pkt_coded *k)
{
    difference d;
    if (pkt_over(now, k->span))
        return PKT_ERROR_RANGE;
    if (c->coding->counted)
        return value_put_plain(mode, c, now, k);
    d = value_difference(old, was, now, k);
    count(c, plain_bits(now, k), difference_bits(&d));
    if (c->coding->plain)
        return value_put_plain(mode, c, now, k);
    if (PKT_LIKELY(difference_bits(&d) <= 56))
        return put_bits(mode, c, d.code | d.rest << d.code_bits, difference_bits(&d)) ? PKT_OK : PKT_ERROR_CAPACITY;
    if (!pkt_need(mode, c, difference_bits(&d)))
        return PKT_ERROR_CAPACITY;
    (void)put_bits(mode, c, d.code, d.code_bits);
    return put_plain(mode, c, d.rest, d.symbol);
}

static PKT_NOINLINE pkt_code value_get_plain(pkt_cursor *c, uint64_t *now, const pkt_coded *k)
{
    if (k->compact != 0)
        return pkt_get_compact(c, now, k->compact);
    if (get_plain(c, now, k->bits) != PKT_OK)
        return PKT_ERROR_END;
    *now ^= k->flip;
    return pkt_over(*now, k->span) ? PKT_ERROR_RANGE : PKT_OK;
}

static pkt_code value_get(pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k)
{
    const uint64_t start = c->bit, from = old <= k->span ? old : 0;
    uint64_t after;
    unsigned symbol;
    pkt_code code;
    if (c->coding->plain) {
        code = value_get_plain(c, now, k);
        if (code == PKT_OK) {
            const difference d = value_difference(old, was, *now, k);
            count(c, (unsigned)(c->bit - start), difference_bits(&d));
        }
    } else {
        if (!code_get(c, value_codes(k, old, was), &symbol, &after))
            return PKT_ERROR_END;
        code = difference_get(c, symbol, after, from, now, k->span);
        if (code == PKT_OK)
            count(c, plain_bits(*now, k), (unsigned)(c->bit - start));
    }
    return code == PKT_OK && *now == old && !k->may_equal ? PKT_ERROR_CANONICAL : code;
}

bool pkt_coded_value(pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k)
{
    return (mode == PKT_READ ? value_get(c, old, was, now, k) : value_put(mode, c, old, was, *now, k)) == PKT_OK;
}

/* The code of what a baseline's number was predicted from; most have not moved. */
static uint64_t was_code(float was, float old, uint64_t old_code, const pkt_coded *k, float lo, float hi)
{
    return pkt_float_bits(was) == pkt_float_bits(old) ? old_code : pkt_quantize(was, lo, hi, (uint32_t)k->span);
}

bool pkt_coded_float(pkt_mode mode, pkt_cursor *c, float old, float was, const float *in, float *out,
                     const pkt_coded *k, float lo, float hi)
{
    const uint32_t steps = (uint32_t)k->span;
    const uint64_t old_code = pkt_quantize(old, lo, hi, steps);
    uint64_t now = mode == PKT_READ ? 0 : pkt_quantize(*in, lo, hi, steps);
    if (!pkt_coded_value(mode, c, old_code, was_code(was, old, old_code, k, lo, hi), &now, k))
        return false;
    if (mode == PKT_READ)
        *out = pkt_dequantize((uint32_t)now, lo, hi, steps);
    return true;
}

bool pkt_coded_compared_float(pkt_mode mode, pkt_cursor *c, float old, float was, pkt_step_codes *codes,
                              const pkt_coded *k, float lo, float hi)
{
    return pkt_coded_value(mode, c, codes->old, was_code(was, old, codes->old, k, lo, hi), &codes->now, k);
}

static PKT_NOINLINE uint64_t code_of_double(double v, const pkt_coded *k, double lo, double hi)
{
    return pkt_quantize64(v, lo, hi, k->span);
}

bool pkt_coded_double(pkt_mode mode, pkt_cursor *c, double old, double was, const double *in, double *out,
                      const pkt_coded *k, double lo, double hi)
{
    uint64_t now = mode == PKT_READ ? 0 : code_of_double(*in, k, lo, hi);
    if (!pkt_coded_value(mode, c, code_of_double(old, k, lo, hi), code_of_double(was, k, lo, hi), &now, k))
        return false;
    if (mode == PKT_READ)
        *out = pkt_dequantize64(now, lo, hi, k->span);
    return true;
}

/* ---- rotations: a difference for each component, or the last symbol and the code if the greatest one is another */

static uint64_t quat_was_code(pkt_quat was, pkt_quat old, uint64_t old_code, const pkt_coded *k)
{
    return memcmp(&was, &old, sizeof was) == 0 ? old_code : pkt_code_of_quat(was, k->bits);
}

PKT_INLINE uint64_t part_of(uint64_t code, unsigned i, unsigned parts)
{
    return code >> (2 + i * parts) & pkt_mask(parts);
}

PKT_INLINE bool is_near(uint64_t old, uint64_t now)
{
    return old != PKT_NO_CODE && ((old ^ now) & 3) == 0;
}

PKT_INLINE const pkt_codes *codes_for_part(const pkt_coded *k, uint64_t old, uint64_t was, unsigned i)
{
    return codes_for(k, part_of(old, i, k->bits), part_of(was, i, k->bits));
}

/* What cannot be written, or has another greatest component, does not move. */
PKT_INLINE uint64_t where_from(uint64_t old, uint64_t was)
{
    return was != PKT_NO_CODE && is_near(old, was) ? was : old;
}

/* The differences of the components, or in `parts`[0] the last symbol alone. Returns the bits of the coded form. */
static unsigned quat_differences(uint64_t old, uint64_t was, uint64_t now, const pkt_coded *k, difference parts[3])
{
    const uint64_t from = where_from(old, was);
    unsigned bits = 0;
    if (PKT_UNLIKELY(!is_near(old, now))) {
        const pkt_codes *codes = codes_for_part(k, old, from, 0);
        parts[0].code = code_of(codes, k->bits + 1);
        parts[0].code_bits = code_bits(codes, k->bits + 1);
        return parts[0].code_bits + 2 + 3 * k->bits;
    }
    for (unsigned i = 0; i < 3; i++) {
        parts[i] = difference_of(codes_for_part(k, old, from, i), part_of(old, i, k->bits), part_of(now, i, k->bits));
        bits += difference_bits(&parts[i]);
    }
    return bits;
}

static pkt_code quat_put(const pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t was, uint64_t now,
                         const pkt_coded *k)
{
    const unsigned plain = 2 + 3 * k->bits;
    difference parts[3];
    pending p = {0, 0};
    unsigned coded;
    if (now == PKT_NO_CODE)
        return PKT_ERROR_RANGE;
    if (c->coding->counted)
        return put_plain(mode, c, now, plain);
    coded = quat_differences(old, was, now, k, parts);
    count(c, plain, coded);
    if (c->coding->plain)
        return put_plain(mode, c, now, plain);
    if (!pkt_need(mode, c, coded))
        return PKT_ERROR_CAPACITY;
    if (mode == PKT_MEASURE) {
        c->bit += coded;
        return PKT_OK;
    }
    if (PKT_UNLIKELY(!is_near(old, now))) {
        (void)put_bits(mode, c, parts[0].code, parts[0].code_bits);
        return put_plain(mode, c, now, plain);
    }
    for (unsigned i = 0; i < 3; i++)
        (void)add_bits(mode, c, &p, parts[i].code | parts[i].rest << parts[i].code_bits, difference_bits(&parts[i]));
    return put_bits(mode, c, p.word, p.filled) ? PKT_OK : PKT_ERROR_CAPACITY;
}

static pkt_code quat_get_parts(pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k)
{
    const uint64_t from = where_from(old, was);
    uint64_t after, part;
    unsigned symbol;
    *now = old & 3;
    for (unsigned i = 0; i < 3; i++) {
        pkt_code code;
        if (!code_get(c, codes_for_part(k, old, from, i), &symbol, &after))
            return PKT_ERROR_END;
        if (PKT_UNLIKELY(symbol > k->bits)) {
            code = i == 0 ? get_plain(c, now, 2 + 3 * k->bits) : PKT_ERROR_RANGE;
            return code == PKT_OK && is_near(old, *now) ? PKT_ERROR_CANONICAL : code;
        }
        if (old == PKT_NO_CODE)
            return PKT_ERROR_RANGE;
        code = difference_get(c, symbol, after, part_of(old, i, k->bits), &part, pkt_rotation_steps(k->bits));
        if (code != PKT_OK)
            return code;
        *now |= part << (2 + i * k->bits);
    }
    return PKT_OK;
}

static pkt_code quat_get(pkt_cursor *c, uint64_t old, uint64_t was, pkt_quat *q, const pkt_coded *k)
{
    const unsigned plain = 2 + 3 * k->bits;
    const uint64_t start = c->bit;
    uint64_t now = 0;
    difference parts[3];
    const pkt_code code = c->coding->plain ? get_plain(c, &now, plain) : quat_get_parts(c, old, was, &now, k);
    if (code != PKT_OK && code != PKT_ERROR_CANONICAL)
        return code;
    if (!pkt_quat_value(now, k->bits, q))
        return PKT_ERROR_RANGE;
    count(c, plain, c->coding->plain ? quat_differences(old, was, now, k, parts) : (unsigned)(c->bit - start));
    return code == PKT_OK && now == old && !k->may_equal ? PKT_ERROR_CANONICAL : code;
}

bool pkt_coded_quat(pkt_mode mode, pkt_cursor *c, pkt_quat old, pkt_quat was, const pkt_quat *in, pkt_quat *out,
                    const pkt_coded *k)
{
    const uint64_t old_code = pkt_code_of_quat(old, k->bits), was_code = quat_was_code(was, old, old_code, k);
    if (mode == PKT_READ)
        return quat_get(c, old_code, was_code, out, k) == PKT_OK;
    return quat_put(mode, c, old_code, was_code, pkt_code_of_quat(*in, k->bits), k) == PKT_OK;
}

bool pkt_coded_compared_quat(pkt_mode mode, pkt_cursor *c, pkt_quat old, pkt_quat was, const pkt_step_codes *codes,
                             const pkt_coded *k)
{
    return quat_put(mode, c, codes->old, quat_was_code(was, old, codes->old, k), codes->now, k) == PKT_OK;
}

/* ---- change masks: groups of neighbours, each of which is a symbol */

unsigned pkt_coded_mask_bits(uint64_t mask, const pkt_coded_changes *k)
{
    unsigned bits = 0;
    for (unsigned g = 0; g < k->groups; mask >>= binary_digits(k->codes[g++].last))
        bits += code_bits(&k->codes[g], (unsigned)mask & k->codes[g].last);
    return bits;
}

static pkt_code mask_put(const pkt_mode mode, pkt_cursor *c, uint64_t mask, const pkt_coded_changes *k)
{
    const uint64_t start = c->bit;
    pending p = {0, 0};
    if (c->coding->plain) {
        if (!c->coding->counted)
            count(c, k->count, pkt_coded_mask_bits(mask, k));
        return put_plain(mode, c, mask, k->count);
    }
    for (unsigned g = 0;;) {
        const pkt_codes *codes = &k->codes[g];
        const unsigned symbol = (unsigned)mask & codes->last;
        if (!add_bits(mode, c, &p, code_of(codes, symbol), code_bits(codes, symbol)))
            return PKT_ERROR_CAPACITY;
        if (++g == k->groups)
            break;
        mask >>= binary_digits(codes->last);
    }
    if (!put_bits(mode, c, p.word, p.filled))
        return PKT_ERROR_CAPACITY;
    count(c, k->count, (unsigned)(c->bit - start));
    return PKT_OK;
}

static pkt_code mask_get(pkt_cursor *c, uint64_t *mask, const pkt_coded_changes *k)
{
    const uint64_t start = c->bit;
    unsigned at = 0;
    *mask = 0;
    if (c->coding->plain) {
        if (get_plain(c, mask, k->count) != PKT_OK)
            return PKT_ERROR_END;
        count(c, k->count, pkt_coded_mask_bits(*mask, k));
        return PKT_OK;
    }
    for (unsigned g = 0; g < k->groups; g++) {
        unsigned symbol;
        uint64_t after;
        if (!code_get(c, &k->codes[g], &symbol, &after))
            return PKT_ERROR_END;
        *mask |= (uint64_t)symbol << at;
        at += binary_digits(k->codes[g].last);
    }
    count(c, k->count, (unsigned)(c->bit - start));
    return PKT_OK;
}

bool pkt_coded_mask(pkt_mode mode, pkt_cursor *c, uint64_t *mask, const pkt_coded_changes *k)
{
    return (mode == PKT_READ ? mask_get(c, mask, k) : mask_put(mode, c, *mask, k)) == PKT_OK;
}

/* ---- rows of numbers, which may begin with the change mask */

enum { ROW_BYTES = (7 + PKT_CODE_LONGEST + PKT_ROW_MOST * (PKT_CODE_LONGEST + 32)) / 8 + 8 }; /* that a row may touch */

/* The bits of a row that have not been stored yet, from a whole byte on. */
typedef struct row_bits {
    uint64_t word;
    unsigned filled;
    uint8_t *to;
} row_bits;

PKT_INLINE row_bits row_begin(const pkt_cursor *c)
{
    row_bits b;
    b.word = c->carry;
    b.filled = (unsigned)(c->bit % 8);
    b.to = c->to + c->bit / 8;
    return b;
}

PKT_INLINE void row_store(row_bits *b)
{
    pkt_store64(b->to, b->word);
    b->to += b->filled / 8;
    b->word >>= b->filled / 8 * 8;
    b->filled %= 8;
}

/* Up to 44 bits, for which there is room. */
PKT_INLINE void row_put(row_bits *b, uint64_t raw, unsigned bits)
{
    if (b->filled + bits > 63)
        row_store(b);
    b->word |= raw << b->filled;
    b->filled += bits;
}

PKT_INLINE void row_end(pkt_cursor *c, row_bits *b)
{
    row_store(b);
    c->carry = b->word;
    c->bit = (uint64_t)(b->to - c->to) * 8 + b->filled;
}

/* Which numbers of a row have changed. */
PKT_INLINE uint64_t row_changed(uint64_t mask, const pkt_number_row *row)
{
    return mask >> row->bit & ((1u << row->count) - 1);
}

/* A distance of at most 32 bits as a symbol. */
PKT_INLINE unsigned symbol_of(uint64_t way)
{
    return pkt_high_bit(way << 1 | 1);
}

/* The table of a number, of which not all has to be judged if there is only one. */
PKT_INLINE const pkt_codes *row_codes(const pkt_coded *k, const pkt_coded_number *n)
{
    return k->contexts == 1 ? k->codes : value_codes(k, n->old, n->was);
}

static bool row_put_coded(pkt_cursor *c, uint64_t mask, const pkt_coded_number *numbers, const pkt_number_row *row)
{
    const uint64_t start = c->bit;
    unsigned plain = 0;
    row_bits b = row_begin(c);
    if (row->changes != NULL) {
        const pkt_codes *codes = row->changes->codes;
        row_put(&b, code_of(codes, (unsigned)mask), code_bits(codes, (unsigned)mask));
        plain = row->changes->count;
    }
    for (uint64_t left = row_changed(mask, row); left != 0; left &= left - 1) {
        const unsigned i = pkt_low_bit(left);
        const pkt_coded_number *n = &numbers[i];
        const pkt_coded *k = &row->numbers[i];
        const uint64_t now = n->now, old = n->old <= k->span ? n->old : 0, way = distance(old, now);
        const unsigned symbol = symbol_of(way);
        unsigned code, bits;
        if (pkt_over(now, k->span))
            return false;
        code = row_codes(k, n)->words[symbol];
        bits = code >> PKT_CODE_LONGEST;
        row_put(&b,
                ((way << 1 | (now < old)) ^ UINT64_C(1) << symbol) << bits | (code & ((1u << PKT_CODE_LONGEST) - 1)),
                bits + symbol);
        plain += k->bits;
    }
    row_end(c, &b);
    count(c, plain, (unsigned)(c->bit - start));
    return true;
}

static bool row_put_plain(pkt_cursor *c, uint64_t mask, const pkt_coded_number *numbers, const pkt_number_row *row)
{
    row_bits b = row_begin(c);
    if (row->changes != NULL)
        row_put(&b, mask, row->changes->count);
    for (uint64_t left = row_changed(mask, row); left != 0; left &= left - 1) {
        const unsigned i = pkt_low_bit(left);
        const pkt_coded *k = &row->numbers[i];
        if (pkt_over(numbers[i].now, k->span))
            return false;
        row_put(&b, numbers[i].now ^ k->flip, k->bits);
    }
    row_end(c, &b);
    return true;
}

/* One item after the other: to measure, near the end of the buffer, and where there was no room for the coded form, so
 * that not all items have been counted. */
static PKT_NOINLINE bool row_put_each(const pkt_mode mode, pkt_cursor *c, uint64_t mask, const pkt_coded_number *n,
                                      const pkt_number_row *row)
{
    if (row->changes != NULL && mask_put(mode, c, mask, row->changes) != PKT_OK)
        return false;
    for (uint64_t left = row_changed(mask, row); left != 0; left &= left - 1) {
        const unsigned i = pkt_low_bit(left);
        if (value_put(mode, c, n[i].old, n[i].was, n[i].now, &row->numbers[i]) != PKT_OK)
            return false;
    }
    return true;
}

static bool row_get_coded(pkt_cursor *c, uint64_t *mask, pkt_coded_number *numbers, const pkt_number_row *row)
{
    const uint64_t start = c->bit;
    uint64_t bit = start, ahead = bits_ahead(c), loaded = bit + 57;
    unsigned plain = 0;
    if (row->changes != NULL) {
        const pkt_codes *codes = row->changes->codes;
        const unsigned symbol = symbol_ahead(codes, ahead);
        *mask = symbol;
        bit += code_bits(codes, symbol);
        ahead >>= code_bits(codes, symbol);
        plain = row->changes->count;
    }
    for (uint64_t left = row_changed(*mask, row); left != 0; left &= left - 1) {
        const unsigned i = pkt_low_bit(left);
        const pkt_coded *k = &row->numbers[i];
        const uint64_t old = numbers[i].old, from = old <= k->span ? old : 0;
        const pkt_codes *codes = row_codes(k, &numbers[i]);
        unsigned symbol;
        uint64_t rest, way, sign, now;
        if (bit + PKT_CODE_LONGEST + k->bits > loaded) {
            c->bit = bit;
            ahead = bits_ahead(c);
            loaded = bit + 57;
        }
        symbol = symbol_ahead(codes, ahead);
        rest = ahead >> code_bits(codes, symbol);
        ahead = rest >> symbol;
        bit += code_bits(codes, symbol) + symbol;
        plain += k->bits;
        way = ((rest & ((UINT64_C(1) << symbol) - 1)) | UINT64_C(1) << symbol) >> 1;
        sign = 0 - (rest & 1);
        now = from + ((way ^ sign) - sign);
        if (pkt_over(now, k->span) || now == old)
            return false;
        numbers[i].now = now;
    }
    c->bit = bit;
    count(c, plain, (unsigned)(bit - start));
    return bit <= c->limit;
}

static bool row_get_plain(pkt_cursor *c, uint64_t *mask, pkt_coded_number *numbers, const pkt_number_row *row)
{
    const uint64_t start = c->bit;
    uint64_t bit = start, ahead = bits_ahead(c), loaded = bit + 57;
    unsigned coded = 0;
    if (row->changes != NULL) {
        *mask = ahead & pkt_mask(row->changes->count);
        bit += row->changes->count;
        ahead >>= row->changes->count;
        coded = code_bits(row->changes->codes, (unsigned)*mask);
    }
    for (uint64_t left = row_changed(*mask, row); left != 0; left &= left - 1) {
        const unsigned i = pkt_low_bit(left);
        const pkt_coded *k = &row->numbers[i];
        const uint64_t old = numbers[i].old;
        uint64_t now;
        unsigned symbol;
        if (bit + k->bits > loaded) {
            c->bit = bit;
            ahead = bits_ahead(c);
            loaded = bit + 57;
        }
        now = (ahead ^ k->flip) & ((UINT64_C(1) << k->bits) - 1);
        ahead >>= k->bits;
        bit += k->bits;
        if (pkt_over(now, k->span) || now == old)
            return false;
        symbol = symbol_of(distance(old <= k->span ? old : 0, now));
        coded += code_bits(row_codes(k, &numbers[i]), symbol) + symbol;
        numbers[i].now = now;
    }
    c->bit = bit;
    count(c, (unsigned)(bit - start), coded);
    return bit <= c->limit;
}

bool pkt_coded_row(pkt_mode mode, pkt_cursor *c, uint64_t *mask, pkt_coded_number *numbers, const pkt_number_row *row)
{
    const pkt_coding *coding = c->coding;
    if (mode == PKT_READ)
        return coding->plain ? row_get_plain(c, mask, numbers, row) : row_get_coded(c, mask, numbers, row);
    if (mode == PKT_MEASURE || c->bit / 8 + ROW_BYTES > c->limit / 8 || coding->plain > coding->counted)
        return row_put_each(mode, c, *mask, numbers, row);
    return coding->plain ? row_put_plain(c, *mask, numbers, row) : row_put_coded(c, *mask, numbers, row);
}

/* ---- changed elements: runs of those that are as expected, each of them before one that is not */

/* A loop over the surprises. `run` is how many elements are between one and the one before it. After the last one,
 * is_last is set, unless the surprise was the last element. */
typedef struct run_scan {
    const uint64_t *set, *expected;
    uint64_t left; /* of the word that element `word` begins */
    uint32_t word, n, from, run;
    bool is_last;
} run_scan;

static uint64_t surprises_at(const run_scan *s)
{
    return s->set[s->word / 64] ^ (s->expected != NULL ? s->expected[s->word / 64] : 0);
}

PKT_INLINE run_scan run_scan_of(const uint64_t *set, const uint64_t *expected, uint32_t n)
{
    run_scan s;
    s.set = set;
    s.expected = expected;
    s.word = s.from = s.run = 0;
    s.n = n;
    s.is_last = false;
    s.left = n != 0 ? surprises_at(&s) : 0;
    return s;
}

PKT_INLINE bool run_next(run_scan *s)
{
    uint32_t at;
    if (s->from >= s->n || s->is_last)
        return false;
    while (s->left == 0 && s->n - s->word > 64) {
        s->word += 64;
        s->left = surprises_at(s);
    }
    at = s->left != 0 ? s->word + pkt_low_bit(s->left) : s->n;
    s->is_last = at >= s->n;
    s->run = at - s->from;
    s->from = at + 1;
    s->left &= s->left - 1;
    return true;
}

/* The bits after a symbol. */
static unsigned run_bits(const pkt_codes *codes, unsigned symbol)
{
    return symbol == codes->last || symbol < 2 ? 0 : symbol - 1;
}

unsigned pkt_coded_run_bits(uint32_t run, const pkt_codes *codes)
{
    const unsigned symbol = binary_digits(run);
    return code_bits(codes, symbol) + run_bits(codes, symbol);
}

unsigned pkt_coded_end_bits(const pkt_codes *codes)
{
    return code_bits(codes, codes->last);
}

/* A run as it is put. */
typedef struct coded_run {
    uint64_t raw;
    unsigned bits;
} coded_run;

PKT_INLINE coded_run code_of_run(const pkt_codes *codes, const run_scan *s)
{
    const unsigned symbol = s->is_last ? codes->last : pkt_high_bit((uint64_t)s->run << 1 | 1),
                   code = code_bits(codes, symbol);
    coded_run r = {code_of(codes, symbol), code};
    if (symbol > 1 && !s->is_last) {
        r.raw |= (s->run ^ UINT64_C(1) << (symbol - 1)) << code;
        r.bits += symbol - 1;
    }
    return r;
}

/* Puts the runs, or only counts their bits. The last symbol says that all other elements are as expected. False if
 * there is no room. */
static bool runs_put(const pkt_mode mode, pkt_cursor *c, const uint64_t *set, const uint64_t *expected, uint32_t n,
                     const pkt_codes *codes, unsigned *bits)
{
    pending p = {0, 0};
    *bits = 0;
    for (run_scan s = run_scan_of(set, expected, n); run_next(&s);) {
        const coded_run r = code_of_run(codes, &s);
        *bits += r.bits;
        if (mode == PKT_WRITE && !add_bits(mode, c, &p, r.raw, r.bits))
            return false;
    }
    return mode != PKT_WRITE || put_bits(mode, c, p.word, p.filled);
}

/* *item: where the last run began. */
static pkt_code runs_get(pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n, const pkt_codes *codes,
                         uint64_t *item)
{
    for (uint32_t at = 0; at < n; at++) {
        unsigned symbol;
        uint64_t after, run;
        *item = c->bit;
        if (!code_get(c, codes, &symbol, &after))
            return PKT_ERROR_END;
        if (symbol == codes->last)
            break;
        if (!rest_get(c, run_bits(codes, symbol), after, &run))
            return PKT_ERROR_END;
        run |= symbol != 0 ? UINT64_C(1) << (symbol - 1) : 0;
        if (run >= n - at)
            return PKT_ERROR_RANGE;
        at += (uint32_t)run;
        set[at / 64] |= UINT64_C(1) << at % 64;
    }
    for (uint32_t i = 0; expected != NULL && i < (n + 63) / 64; i++)
        set[i] ^= expected[i];
    return PKT_OK;
}

/* The plain form: a subset of the kind `auto`, whose elements have no bits. */
static bool indices(const pkt_mode mode, pkt_cursor *c, uint64_t *set, uint32_t n)
{
    pkt_subset s;
    if (!pkt_apart_begin(mode, PKT_SUBSET_AUTO, c, &s, set, set, n, n))
        return false;
    while (pkt_apart_next(mode, PKT_SUBSET_AUTO, c, &s, 0, 0))
        ;
    return s.whole;
}

void pkt_coded_count(pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n, const pkt_codes *codes)
{
    unsigned coded;
    (void)runs_put(PKT_MEASURE, c, set, expected, n, codes, &coded);
    count(c, pkt_subset_auto_bits(set, n), coded);
}

static pkt_code elements_put(const pkt_mode mode, pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n,
                             const pkt_codes *codes)
{
    unsigned coded;
    if (c->coding->plain) {
        if (!c->coding->counted)
            pkt_coded_count(c, set, expected, n, codes);
        return indices(mode, c, set, n) ? PKT_OK : PKT_ERROR_CAPACITY;
    }
    if (!runs_put(mode, c, set, expected, n, codes, &coded))
        return PKT_ERROR_CAPACITY;
    if (mode == PKT_MEASURE)
        c->bit += coded;
    count(c, pkt_subset_auto_bits(set, n), coded);
    return PKT_OK;
}

static pkt_code elements_get(pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n, const pkt_codes *codes,
                             uint64_t *item)
{
    const uint64_t start = c->bit;
    const pkt_code code = runs_get(c, set, expected, n, codes, item);
    if (code == PKT_OK)
        count(c, pkt_subset_auto_bits(set, n), (unsigned)(c->bit - start));
    return code;
}

static bool indices_get(pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n, const pkt_codes *codes)
{
    if (!indices(PKT_READ, c, set, n))
        return false;
    pkt_coded_count(c, set, expected, n, codes);
    return true;
}

bool pkt_coded_elements(pkt_mode mode, pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n,
                        const pkt_codes *codes)
{
    uint64_t item;
    if (mode == PKT_READ)
        return c->coding->plain ? indices_get(c, set, expected, n, codes)
                                : elements_get(c, set, expected, n, codes, &item) == PKT_OK;
    return elements_put(mode, c, set, expected, n, codes) == PKT_OK;
}

/* ---- why not */

bool pkt_explain_coded(pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k, const char *field)
{
    const uint64_t start = c->bit;
    return pkt_explain_outcome(
        c, c->reading ? value_get(c, old, was, now, k) : value_put(PKT_MEASURE, c, old, was, *now, k), start, field);
}

bool pkt_explain_coded_quat(pkt_cursor *c, pkt_quat old, pkt_quat was, pkt_quat *q, const pkt_coded *k,
                            const char *field)
{
    const uint64_t start = c->bit, old_code = pkt_code_of_quat(old, k->bits),
                   from = quat_was_code(was, old, old_code, k);
    const pkt_code code = c->reading ? quat_get(c, old_code, from, q, k)
                                     : quat_put(PKT_MEASURE, c, old_code, from, pkt_code_of_quat(*q, k->bits), k);
    return pkt_explain_outcome(c, code, start, field);
}

bool pkt_explain_coded_mask(pkt_cursor *c, uint64_t *mask, const pkt_coded_changes *k)
{
    const uint64_t start = c->bit;
    return pkt_explain_outcome(c, c->reading ? mask_get(c, mask, k) : mask_put(PKT_MEASURE, c, *mask, k), start, "");
}

/* The first run that has no room is the item that failed. */
static bool explain_runs(pkt_cursor *c, const uint64_t *set, const uint64_t *expected, uint32_t n,
                         const pkt_codes *codes, const char *field)
{
    for (run_scan s = run_scan_of(set, expected, n); run_next(&s);) {
        const uint64_t start = c->bit;
        c->bit += code_of_run(codes, &s).bits;
        if (!pkt_explain_outcome(c, PKT_OK, start, field))
            return false;
    }
    return true;
}

bool pkt_explain_coded_elements(pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n,
                                const pkt_codes *codes, const char *field)
{
    uint64_t item = c->bit;
    if (c->reading) {
        const pkt_code code = elements_get(c, set, expected, n, codes, &item);
        return pkt_explain_outcome(c, code, item, field);
    }
    pkt_coded_count(c, set, expected, n, codes);
    return explain_runs(c, set, expected, n, codes, field);
}

/* ---- whole deltas */

bool pkt_write_form(pkt_writer *w)
{
    pkt_cursor c;
    pkt_writer_cursor(&c, w);
    if (!pkt_need(pkt_writer_mode(w), &c, 1))
        return false;
    if (pkt_writer_mode(w) == PKT_MEASURE)
        c.bit++;
    else
        pkt_put_changes(&c, !w->coding->plain, 1);
    return pkt_writer_advance(w, &c);
}

bool pkt_goes_plain(pkt_writer *w, bool done, uint64_t bit, uint64_t carry)
{
    if (done && w->coding->lead >= 0)
        return false;
    w->bit = bit;
    w->carry = carry;
    w->coding->plain = true;
    w->coding->counted = done;
    w->coding->lead = done ? w->coding->lead : 0;
    return true;
}

bool pkt_read_form(pkt_reader *r)
{
    pkt_cursor c;
    pkt_reader_cursor(&c, r);
    if (!pkt_need(PKT_READ, &c, 1))
        return false;
    r->coding->plain = pkt_get_changes(&c, 1) == 0;
    return pkt_reader_advance(r, &c);
}
