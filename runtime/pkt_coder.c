/* pkt_coder.c - coded deltas, in all modes: numbers, rotations and change masks.
 * SPDX-License-Identifier: MIT
 *
 * Each item has a coded and a plain form, and c->coding says which one is written. Both are counted, because the whole
 * delta has the form that takes fewer bits. Functions that put or get an item return PKT_OK, or the code of the error.
 * To explain a write means to measure it.
 */
#include "pkt_coder.h"
#include "pkt_coder_bits.h"
#include "pkt_delta.h"
#include "pkt_explain.h"
#include "pkt_varying.h"

/* ---- differences: the bit length of the distance as a symbol, its sign, and its bits below the highest one */

typedef struct pkt_coder_difference {
    unsigned symbol, code, code_bits;
    uint64_t rest; /* the sign and the bits: as many as the symbol */
} pkt_coder_difference;

PKT_INLINE pkt_coder_difference pkt_coder_difference_of(const pkt_codes *codes, uint64_t old, uint64_t now)
{
    const uint64_t way = pkt_distance(old, now);
    pkt_coder_difference d;
    d.symbol = pkt_binary_digits(way);
    d.code = pkt_code_of(codes, d.symbol);
    d.code_bits = pkt_code_bits(codes, d.symbol);
    d.rest = d.symbol != 0 ? (way << 1 | (now < old)) & pkt_mask(d.symbol) : 0;
    return d;
}

PKT_INLINE unsigned pkt_coder_difference_bits(const pkt_coder_difference *d)
{
    return d->code_bits + d->symbol;
}

/* The code to which a symbol and the bits after it lead. */
PKT_INLINE pkt_code pkt_difference_get(pkt_cursor *c, unsigned symbol, uint64_t after, uint64_t old, uint64_t *now,
                                       uint64_t span)
{
    uint64_t rest, way;
    if (!pkt_rest_get(c, symbol, after, &rest))
        return PKT_ERROR_END;
    way = symbol != 0 ? UINT64_C(1) << (symbol - 1) | rest >> 1 : 0;
    *now = (rest & 1) != 0 ? old - way : old + way;
    return way <= ((rest & 1) != 0 ? old : span - old) ? PKT_OK : PKT_ERROR_RANGE;
}

/* ---- plain items */

static pkt_code pkt_put_plain(const pkt_mode mode, pkt_cursor *c, uint64_t raw, unsigned bits)
{
    if (PKT_LIKELY(bits <= 56))
        return pkt_put_bits(mode, c, raw, bits) ? PKT_OK : PKT_ERROR_CAPACITY;
    if (!pkt_need(mode, c, bits))
        return PKT_ERROR_CAPACITY;
    if (mode != PKT_WRITE)
        c->bit += bits;
    else
        pkt_put_changes(c, raw, bits);
    return PKT_OK;
}

static PKT_NOINLINE pkt_code pkt_get_plain(pkt_cursor *c, uint64_t *raw, unsigned bits)
{
    if (!pkt_need(PKT_READ, c, bits))
        return PKT_ERROR_END;
    *raw = pkt_get_changes(c, bits);
    return PKT_OK;
}

/* ---- numbers */

PKT_INLINE unsigned pkt_plain_bits(uint64_t now, const pkt_coded *k)
{
    pkt_compact_form form;
    if (k->compact == 0)
        return k->bits;
    if (k->compact == PKT_FORM_OR_RAW)
        return pkt_or_raw_bits(now, k->bits);
    form = pkt_compact_form_for(now, k->compact);
    return form.head + form.bits;
}

/* The difference from a baseline's code. One that cannot be written counts as 0. */
PKT_INLINE pkt_coder_difference pkt_value_difference(uint64_t old, uint64_t was, uint64_t now, const pkt_coded *k)
{
    return pkt_coder_difference_of(pkt_value_codes(k, old, was), old <= k->span ? old : 0, now);
}

static PKT_NOINLINE pkt_code pkt_value_put_plain(const pkt_mode mode, pkt_cursor *c, uint64_t now, const pkt_coded *k)
{
    if (k->compact != 0)
        return pkt_put_varying(mode, c, now, k->compact, k->bits) ? PKT_OK : PKT_ERROR_CAPACITY;
    return pkt_put_plain(mode, c, pkt_wire_of_code(now, k->flip, k->bits), k->bits);
}

pkt_code pkt_value_put(const pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t was, uint64_t now, const pkt_coded *k)
{
    pkt_coder_difference d;
    if (pkt_over(now, k->span))
        return PKT_ERROR_RANGE;
    if (c->coding->counted)
        return pkt_value_put_plain(mode, c, now, k);
    d = pkt_value_difference(old, was, now, k);
    pkt_count_forms(c, pkt_plain_bits(now, k), pkt_coder_difference_bits(&d));
    if (c->coding->plain)
        return pkt_value_put_plain(mode, c, now, k);
    if (PKT_LIKELY(pkt_coder_difference_bits(&d) <= 56))
        return pkt_put_bits(mode, c, d.code | d.rest << d.code_bits, pkt_coder_difference_bits(&d))
                   ? PKT_OK
                   : PKT_ERROR_CAPACITY;
    if (!pkt_need(mode, c, pkt_coder_difference_bits(&d)))
        return PKT_ERROR_CAPACITY;
    (void)pkt_put_bits(mode, c, d.code, d.code_bits);
    return pkt_put_plain(mode, c, d.rest, d.symbol);
}

static PKT_NOINLINE pkt_code pkt_value_get_plain(pkt_cursor *c, uint64_t *now, const pkt_coded *k)
{
    if (k->compact != 0)
        return pkt_get_varying(c, now, k->compact, k->bits);
    if (pkt_get_plain(c, now, k->bits) != PKT_OK)
        return PKT_ERROR_END;
    *now = pkt_code_of_wire(*now, k->flip, k->bits);
    return pkt_over(*now, k->span) ? PKT_ERROR_RANGE : PKT_OK;
}

static pkt_code pkt_value_get(pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k)
{
    const uint64_t start = c->bit, from = old <= k->span ? old : 0;
    uint64_t after;
    unsigned symbol;
    pkt_code code;
    if (c->coding->plain) {
        code = pkt_value_get_plain(c, now, k);
        if (code == PKT_OK) {
            const pkt_coder_difference d = pkt_value_difference(old, was, *now, k);
            pkt_count_forms(c, (unsigned)(c->bit - start), pkt_coder_difference_bits(&d));
        }
    } else {
        if (!pkt_code_get(c, pkt_value_codes(k, old, was), &symbol, &after))
            return PKT_ERROR_END;
        code = pkt_difference_get(c, symbol, after, from, now, k->span);
        if (code == PKT_OK)
            pkt_count_forms(c, pkt_plain_bits(*now, k), (unsigned)(c->bit - start));
    }
    return code == PKT_OK && *now == old && !k->may_equal ? PKT_ERROR_CANONICAL : code;
}

bool pkt_coded_value(pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k)
{
    return (mode == PKT_READ ? pkt_value_get(c, old, was, now, k) : pkt_value_put(mode, c, old, was, *now, k)) ==
           PKT_OK;
}

/* ---- numbers on a circle: differences of the codes as seen from the baseline's (pkt_delta.h) */

PKT_INLINE uint64_t pkt_distance_around(uint64_t from, uint64_t to, uint64_t span)
{
    return pkt_distance(pkt_seen_from(from, to, span), span / 2);
}

static const pkt_codes *pkt_around_codes(const pkt_coded *k, uint64_t old, uint64_t was)
{
    return old <= k->span && was <= k->span ? pkt_codes_for(k, 0, pkt_distance_around(was, old, k->span)) : k->codes;
}

static pkt_coder_difference pkt_around_difference(uint64_t old, uint64_t was, uint64_t now, const pkt_coded *k)
{
    const uint64_t from = old <= k->span ? old : 0;
    return pkt_coder_difference_of(pkt_around_codes(k, old, was), k->span / 2, pkt_seen_from(from, now, k->span));
}

static pkt_code pkt_coded_around_put(const pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t was, uint64_t now,
                                     const pkt_coded *k)
{
    pkt_coder_difference d;
    if (pkt_over(now, k->span))
        return PKT_ERROR_RANGE;
    if (c->coding->counted)
        return pkt_value_put_plain(mode, c, now, k);
    d = pkt_around_difference(old, was, now, k);
    pkt_count_forms(c, k->bits, pkt_coder_difference_bits(&d));
    if (c->coding->plain)
        return pkt_value_put_plain(mode, c, now, k);
    return pkt_put_bits(mode, c, d.code | d.rest << d.code_bits, pkt_coder_difference_bits(&d)) ? PKT_OK
                                                                                                : PKT_ERROR_CAPACITY;
}

static pkt_code pkt_coded_around_get(pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k)
{
    const uint64_t start = c->bit;
    uint64_t after, seen;
    unsigned symbol;
    pkt_code code;
    if (c->coding->plain) {
        code = pkt_value_get_plain(c, now, k);
        if (code == PKT_OK) {
            const pkt_coder_difference d = pkt_around_difference(old, was, *now, k);
            pkt_count_forms(c, k->bits, pkt_coder_difference_bits(&d));
        }
    } else {
        if (!pkt_code_get(c, pkt_around_codes(k, old, was), &symbol, &after))
            return PKT_ERROR_END;
        code = pkt_difference_get(c, symbol, after, k->span / 2, &seen, k->span);
        if (code == PKT_OK) {
            *now = pkt_unseen_from(old <= k->span ? old : 0, seen, k->span);
            pkt_count_forms(c, k->bits, (unsigned)(c->bit - start));
        }
    }
    return code == PKT_OK && *now == old && !k->may_equal ? PKT_ERROR_CANONICAL : code;
}

bool pkt_coded_around(pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k)
{
    return (mode == PKT_READ ? pkt_coded_around_get(c, old, was, now, k)
                             : pkt_coded_around_put(mode, c, old, was, *now, k)) == PKT_OK;
}

/* ---- numbers with `or raw`: after a raw number the full form in both forms; a raw number after a step is the last symbol
 * and the float */

/* The bits of the coded form; a symbol precedes them. */
static unsigned pkt_or_raw_coded_bits(uint64_t old, uint64_t was, uint64_t now, const pkt_coded *k)
{
    const pkt_codes *codes = pkt_value_codes(k, old, was);
    pkt_coder_difference d;
    if (now > k->span)
        return pkt_code_bits(codes, codes->last) + 32;
    d = pkt_coder_difference_of(codes, old, now);
    return pkt_coder_difference_bits(&d);
}

static pkt_code pkt_coded_or_raw_put(const pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t was, uint64_t now,
                                     const pkt_coded *k)
{
    const pkt_codes *codes = pkt_value_codes(k, old, was);
    if (old <= k->span && now <= k->span)
        return pkt_value_put(mode, c, old, was, now, k);
    if (old <= k->span && !c->coding->counted)
        pkt_count_forms(c, pkt_plain_bits(now, k), pkt_or_raw_coded_bits(old, was, now, k));
    if (c->coding->plain || old > k->span)
        return pkt_value_put_plain(mode, c, now, k);
    return pkt_put_bits(mode, c,
                        pkt_code_of(codes, codes->last) | (now & UINT32_MAX) << pkt_code_bits(codes, codes->last),
                        pkt_code_bits(codes, codes->last) + 32)
               ? PKT_OK
               : PKT_ERROR_CAPACITY;
}

static pkt_code pkt_coded_or_raw_get(pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k)
{
    const uint64_t start = c->bit;
    uint64_t after;
    unsigned symbol;
    pkt_code code;
    if (c->coding->plain || old > k->span) {
        code = pkt_value_get_plain(c, now, k);
        if (code == PKT_OK && pkt_over(*now, k->span) && *now < PKT_RAW_CODE)
            code = PKT_ERROR_RANGE;
    } else {
        const pkt_codes *codes = pkt_value_codes(k, old, was);
        if (!pkt_code_get(c, codes, &symbol, &after))
            return PKT_ERROR_END;
        if (symbol == codes->last) {
            code = pkt_rest_get(c, 32, after, now) ? PKT_OK : PKT_ERROR_END;
            *now |= PKT_RAW_CODE;
        } else {
            code = pkt_difference_get(c, symbol, after, old, now, k->span);
        }
    }
    if (code == PKT_OK && old <= k->span)
        pkt_count_forms(c, c->coding->plain ? (unsigned)(c->bit - start) : pkt_plain_bits(*now, k),
                        c->coding->plain ? pkt_or_raw_coded_bits(old, was, *now, k) : (unsigned)(c->bit - start));
    return code == PKT_OK && *now == old && !k->may_equal ? PKT_ERROR_CANONICAL : code;
}

bool pkt_coded_or_raw(pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k)
{
    return (mode == PKT_READ ? pkt_coded_or_raw_get(c, old, was, now, k)
                             : pkt_coded_or_raw_put(mode, c, old, was, *now, k)) == PKT_OK;
}

/* ---- categories: a symbol for each frequent value; the last one and the full form for any other. The table is that of the
 * baseline's value. */

static unsigned pkt_category_of(const pkt_codes *codes, uint64_t value)
{
    unsigned symbol = 0;
    while (symbol < codes->last && codes->values[symbol] != value)
        symbol++;
    return symbol;
}

static const pkt_codes *pkt_category_codes(const pkt_coded *k, uint64_t old)
{
    const unsigned context = pkt_category_of(k->codes, old);
    return &k->codes[context < k->contexts ? context : k->contexts - 1];
}

/* The bits of the coded form. */
static unsigned pkt_category_bits(const pkt_codes *codes, unsigned symbol, uint64_t now, const pkt_coded *k)
{
    return pkt_code_bits(codes, symbol) + (symbol == codes->last ? pkt_plain_bits(now, k) : 0);
}

static pkt_code pkt_category_put(const pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t now, const pkt_coded *k)
{
    const pkt_codes *codes;
    unsigned symbol;
    if (pkt_over(now, k->span))
        return PKT_ERROR_RANGE;
    if (c->coding->counted)
        return pkt_value_put_plain(mode, c, now, k);
    codes = pkt_category_codes(k, old);
    symbol = pkt_category_of(codes, now);
    pkt_count_forms(c, pkt_plain_bits(now, k), pkt_category_bits(codes, symbol, now, k));
    if (c->coding->plain)
        return pkt_value_put_plain(mode, c, now, k);
    if (!pkt_put_bits(mode, c, pkt_code_of(codes, symbol), pkt_code_bits(codes, symbol)))
        return PKT_ERROR_CAPACITY;
    return symbol == codes->last ? pkt_value_put_plain(mode, c, now, k) : PKT_OK;
}

static pkt_code pkt_category_get(pkt_cursor *c, uint64_t old, uint64_t *now, const pkt_coded *k)
{
    const pkt_codes *codes = pkt_category_codes(k, old);
    const uint64_t start = c->bit;
    uint64_t after;
    unsigned symbol = codes->last;
    pkt_code code = PKT_OK;
    if (!c->coding->plain && !pkt_code_get(c, codes, &symbol, &after))
        return PKT_ERROR_END;
    if (symbol == codes->last) {
        code = pkt_value_get_plain(c, now, k);
        if (code != PKT_OK)
            return code;
        symbol = pkt_category_of(codes, *now);
        if (!c->coding->plain && symbol != codes->last)
            code = PKT_ERROR_CANONICAL;
    } else {
        *now = codes->values[symbol];
    }
    if (c->coding->plain)
        pkt_count_forms(c, (unsigned)(c->bit - start), pkt_category_bits(codes, symbol, *now, k));
    else
        pkt_count_forms(c, pkt_plain_bits(*now, k), (unsigned)(c->bit - start));
    return code == PKT_OK && *now == old && !k->may_equal ? PKT_ERROR_CANONICAL : code;
}

bool pkt_coded_category(pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k)
{
    (void)was;
    return (mode == PKT_READ ? pkt_category_get(c, old, now, k) : pkt_category_put(mode, c, old, *now, k)) == PKT_OK;
}

/* ---- rotations: a difference for each component; the last symbol and the code if another is the greatest */

PKT_INLINE uint64_t pkt_part_of(uint64_t code, unsigned i, unsigned parts)
{
    return code >> (2 + i * parts) & pkt_mask(parts);
}

PKT_INLINE bool pkt_is_near(uint64_t old, uint64_t now)
{
    return old != PKT_FAILED && ((old ^ now) & 3) == 0;
}

PKT_INLINE const pkt_codes *pkt_codes_for_part(const pkt_coded *k, uint64_t old, uint64_t was, unsigned i)
{
    return pkt_codes_for(k, pkt_part_of(old, i, k->bits), pkt_part_of(was, i, k->bits));
}

/* A rotation that cannot be written, or has another greatest component, counts as unmoved. */
PKT_INLINE uint64_t pkt_where_from(uint64_t old, uint64_t was)
{
    return was != PKT_FAILED && pkt_is_near(old, was) ? was : old;
}

/* The differences of the components, or in `parts`[0] the last symbol alone. Returns the bits of the coded form. */
static unsigned pkt_quat_differences(uint64_t old, uint64_t was, uint64_t now, const pkt_coded *k,
                                     pkt_coder_difference parts[3])
{
    const uint64_t from = pkt_where_from(old, was);
    unsigned bits = 0;
    if (PKT_UNLIKELY(!pkt_is_near(old, now))) {
        const pkt_codes *codes = pkt_codes_for_part(k, old, from, 0);
        parts[0].code = pkt_code_of(codes, k->bits + 1);
        parts[0].code_bits = pkt_code_bits(codes, k->bits + 1);
        return parts[0].code_bits + 2 + 3 * k->bits;
    }
    for (unsigned i = 0; i < 3; i++) {
        parts[i] = pkt_coder_difference_of(pkt_codes_for_part(k, old, from, i), pkt_part_of(old, i, k->bits),
                                           pkt_part_of(now, i, k->bits));
        bits += pkt_coder_difference_bits(&parts[i]);
    }
    return bits;
}

static pkt_code pkt_quat_put(const pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t was, uint64_t now,
                             const pkt_coded *k)
{
    const unsigned plain = 2 + 3 * k->bits;
    pkt_coder_difference parts[3];
    pkt_pending p = {0, 0};
    unsigned coded;
    if (now == PKT_FAILED)
        return PKT_ERROR_RANGE;
    if (c->coding->counted)
        return pkt_put_plain(mode, c, now, plain);
    coded = pkt_quat_differences(old, was, now, k, parts);
    pkt_count_forms(c, plain, coded);
    if (c->coding->plain)
        return pkt_put_plain(mode, c, now, plain);
    if (mode != PKT_WRITE) {
        c->bit += coded;
        return PKT_OK;
    }
    if (!pkt_need(PKT_WRITE, c, coded))
        return PKT_ERROR_CAPACITY;
    if (PKT_UNLIKELY(!pkt_is_near(old, now))) {
        (void)pkt_put_bits(mode, c, parts[0].code, parts[0].code_bits);
        return pkt_put_plain(mode, c, now, plain);
    }
    for (unsigned i = 0; i < 3; i++)
        (void)pkt_add_bits(mode, c, &p, parts[i].code | parts[i].rest << parts[i].code_bits,
                           pkt_coder_difference_bits(&parts[i]));
    return pkt_put_bits(mode, c, p.word, p.filled) ? PKT_OK : PKT_ERROR_CAPACITY;
}

static pkt_code pkt_quat_get_parts(pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k)
{
    const uint64_t from = pkt_where_from(old, was);
    uint64_t after, part;
    unsigned symbol;
    *now = old & 3;
    for (unsigned i = 0; i < 3; i++) {
        pkt_code code;
        if (!pkt_code_get(c, pkt_codes_for_part(k, old, from, i), &symbol, &after))
            return PKT_ERROR_END;
        if (PKT_UNLIKELY(symbol > k->bits)) {
            code = i == 0 ? pkt_get_plain(c, now, 2 + 3 * k->bits) : PKT_ERROR_RANGE;
            return code == PKT_OK && pkt_is_near(old, *now) ? PKT_ERROR_CANONICAL : code;
        }
        if (old == PKT_FAILED)
            return PKT_ERROR_RANGE;
        code = pkt_difference_get(c, symbol, after, pkt_part_of(old, i, k->bits), &part, pkt_rotation_steps(k->bits));
        if (code != PKT_OK)
            return code;
        *now |= part << (2 + i * k->bits);
    }
    return PKT_OK;
}

/* *now may be a code that has no value. */
static pkt_code pkt_quat_get(pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k)
{
    const unsigned plain = 2 + 3 * k->bits;
    const uint64_t start = c->bit;
    pkt_coder_difference parts[3];
    const pkt_code code = c->coding->plain ? pkt_get_plain(c, now, plain) : pkt_quat_get_parts(c, old, was, now, k);
    if (code != PKT_OK)
        return code;
    pkt_count_forms(c, plain,
                    c->coding->plain ? pkt_quat_differences(old, was, *now, k, parts) : (unsigned)(c->bit - start));
    return *now == old && !k->may_equal ? PKT_ERROR_CANONICAL : PKT_OK;
}

bool pkt_coded_quat(pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k)
{
    return (mode == PKT_READ ? pkt_quat_get(c, old, was, now, k) : pkt_quat_put(mode, c, old, was, *now, k)) == PKT_OK;
}

/* ---- change masks: groups of neighbours, each of which is a symbol; or the mask as a category */

/* The coded form of a mask that is coded by its frequent values. */
typedef struct pkt_coder_mask {
    uint64_t raw;
    unsigned bits;
} pkt_coder_mask;

static PKT_NOINLINE pkt_coder_mask pkt_frequent_mask(uint64_t mask, const pkt_coded_changes *k)
{
    const pkt_codes *codes = k->codes;
    const unsigned symbol = pkt_category_of(codes, mask);
    pkt_coder_mask m;
    m.raw = pkt_code_of(codes, symbol);
    m.bits = pkt_code_bits(codes, symbol);
    if (symbol == codes->last) {
        m.raw |= mask << m.bits;
        m.bits += k->count;
    }
    return m;
}

static PKT_NOINLINE pkt_code pkt_frequent_mask_get(pkt_cursor *c, uint64_t *mask, const pkt_coded_changes *k)
{
    const pkt_codes *codes = k->codes;
    unsigned symbol;
    uint64_t after;
    if (!pkt_code_get(c, codes, &symbol, &after))
        return PKT_ERROR_END;
    if (symbol != codes->last) {
        *mask = codes->values[symbol];
        return PKT_OK;
    }
    if (!pkt_rest_get(c, k->count, after, mask))
        return PKT_ERROR_END;
    return pkt_category_of(codes, *mask) == codes->last ? PKT_OK : PKT_ERROR_CANONICAL;
}

unsigned pkt_coded_mask_bits(uint64_t mask, const pkt_coded_changes *k)
{
    unsigned bits = 0;
    if (k->codes->values)
        return pkt_frequent_mask(mask, k).bits;
    for (unsigned g = 0; g < k->groups; mask >>= pkt_binary_digits(k->codes[g++].last))
        bits += pkt_code_bits(&k->codes[g], (unsigned)mask & k->codes[g].last);
    return bits;
}

pkt_code pkt_mask_put(const pkt_mode mode, pkt_cursor *c, uint64_t mask, const pkt_coded_changes *k)
{
    const uint64_t start = c->bit;
    pkt_pending p = {0, 0};
    if (c->coding->plain) {
        if (!c->coding->counted)
            pkt_count_forms(c, k->count, pkt_coded_mask_bits(mask, k));
        return pkt_put_plain(mode, c, mask, k->count);
    }
    if (k->codes->values) {
        const pkt_coder_mask m = pkt_frequent_mask(mask, k);
        pkt_count_forms(c, k->count, m.bits);
        return pkt_put_bits(mode, c, m.raw, m.bits) ? PKT_OK : PKT_ERROR_CAPACITY;
    }
    for (unsigned g = 0;;) {
        const pkt_codes *codes = &k->codes[g];
        const unsigned symbol = (unsigned)mask & codes->last;
        if (!pkt_add_bits(mode, c, &p, pkt_code_of(codes, symbol), pkt_code_bits(codes, symbol)))
            return PKT_ERROR_CAPACITY;
        if (++g == k->groups)
            break;
        mask >>= pkt_binary_digits(codes->last);
    }
    if (!pkt_put_bits(mode, c, p.word, p.filled))
        return PKT_ERROR_CAPACITY;
    pkt_count_forms(c, k->count, (unsigned)(c->bit - start));
    return PKT_OK;
}

static pkt_code pkt_mask_get(pkt_cursor *c, uint64_t *mask, const pkt_coded_changes *k)
{
    const uint64_t start = c->bit;
    unsigned at = 0;
    *mask = 0;
    if (c->coding->plain) {
        if (pkt_get_plain(c, mask, k->count) != PKT_OK)
            return PKT_ERROR_END;
        pkt_count_forms(c, k->count, pkt_coded_mask_bits(*mask, k));
        return PKT_OK;
    }
    if (k->codes->values) {
        const pkt_code code = pkt_frequent_mask_get(c, mask, k);
        pkt_count_forms(c, k->count, (unsigned)(c->bit - start));
        return code;
    }
    for (unsigned g = 0; g < k->groups; g++) {
        unsigned symbol;
        uint64_t after;
        if (!pkt_code_get(c, &k->codes[g], &symbol, &after))
            return PKT_ERROR_END;
        *mask |= (uint64_t)symbol << at;
        at += pkt_binary_digits(k->codes[g].last);
    }
    pkt_count_forms(c, k->count, (unsigned)(c->bit - start));
    return PKT_OK;
}

bool pkt_coded_mask(pkt_mode mode, pkt_cursor *c, uint64_t *mask, const pkt_coded_changes *k)
{
    if ((mode == PKT_READ ? pkt_mask_get(c, mask, k) : pkt_mask_put(mode, c, *mask, k)) != PKT_OK)
        return false;
    c->changed = c->changed || *mask != 0;
    return true;
}

/* ---- why not */

bool pkt_explain_coded(pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k, bool wraps,
                       const char *field)
{
    const uint64_t start = c->bit;
    pkt_code code;
    if (wraps)
        code = c->reading ? pkt_coded_around_get(c, old, was, now, k)
                          : pkt_coded_around_put(PKT_CHECK, c, old, was, *now, k);
    else if (k->codes->values)
        code = c->reading ? pkt_category_get(c, old, now, k) : pkt_category_put(PKT_CHECK, c, old, *now, k);
    else if (k->compact == PKT_FORM_OR_RAW)
        code = c->reading ? pkt_coded_or_raw_get(c, old, was, now, k)
                          : pkt_coded_or_raw_put(PKT_CHECK, c, old, was, *now, k);
    else
        code = c->reading ? pkt_value_get(c, old, was, now, k) : pkt_value_put(PKT_CHECK, c, old, was, *now, k);
    return pkt_explain_outcome(c, code, start, field);
}

bool pkt_explain_coded_quat(pkt_cursor *c, pkt_quat old, pkt_quat was, pkt_quat *q, const pkt_coded *k,
                            const char *field)
{
    const uint64_t start = c->bit, old_code = pkt_code_of_quat(old, k->bits), was_code = pkt_code_of_quat(was, k->bits);
    uint64_t now = c->reading ? 0 : pkt_code_of_quat(*q, k->bits);
    pkt_code code = c->reading ? pkt_quat_get(c, old_code, was_code, &now, k)
                               : pkt_quat_put(PKT_CHECK, c, old_code, was_code, now, k);
    if (c->reading && (code == PKT_OK || code == PKT_ERROR_CANONICAL) && !pkt_quat_value(now, k->bits, q))
        code = PKT_ERROR_RANGE;
    return pkt_explain_outcome(c, code, start, field);
}

bool pkt_explain_coded_mask(pkt_cursor *c, uint64_t *mask, const pkt_coded_changes *k)
{
    const uint64_t start = c->bit;
    return pkt_explain_outcome(c, c->reading ? pkt_mask_get(c, mask, k) : pkt_mask_put(PKT_CHECK, c, *mask, k), start,
                               "changes");
}

/* ---- whole deltas */

bool pkt_write_form(pkt_writer *w)
{
    pkt_cursor c;
    pkt_writer_cursor(&c, w);
    if (!pkt_need(pkt_writer_mode(w), &c, 1))
        return false;
    if (pkt_writer_mode(w) != PKT_WRITE)
        c.bit++;
    else
        pkt_put_changes(&c, !w->coding->plain, 1);
    return pkt_writer_advance(w, &c);
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

bool pkt_put_coded(pkt_writer *w, const void *base, const void *v, pkt_coded_put *put)
{
    pkt_cursor c;
    pkt_writer_cursor(&c, w);
    c.coding = w->coding;
    return put(&c, base, v) && pkt_writer_advance(w, &c);
}

static bool pkt_get_coded(pkt_reader *r, const void *base, void *v, pkt_coded_get *get)
{
    pkt_cursor c;
    pkt_reader_cursor(&c, r);
    c.coding = r->coding;
    return get(&c, base, v) && pkt_reader_advance(r, &c);
}

/* After an attempt to write the coded form from `bit` on: if the plain form is needed, rewinds, and returns true. */
static bool pkt_goes_plain(pkt_writer *w, bool done, uint64_t bit, uint64_t carry)
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

/* A delta is written again as a plain one if that has fewer bits, or if there is no room for the coded one. */
bool pkt_write_coded(pkt_writer *w, const void *base, const pkt_motion *motion, const void *v, pkt_coded_put *put)
{
    const uint64_t bit = w->bit, carry = w->carry;
    pkt_coding coding = pkt_coding_of(base, motion);
    const void *const before = coding.before;
    bool done;
    w->coding = &coding;
    done = pkt_write_form(w) && pkt_put_coded(w, base, v, put);
    coding.before = before;
    if (pkt_goes_plain(w, done, bit, carry))
        done = pkt_write_form(w) && pkt_put_coded(w, base, v, put) && coding.lead < 0;
    w->coding = NULL;
    return done;
}

bool pkt_read_coded(pkt_reader *r, const void *base, const pkt_motion *motion, void *v, pkt_coded_get *get)
{
    pkt_coding coding = pkt_coding_of(base, motion);
    bool done;
    r->coding = &coding;
    done = pkt_read_form(r) && pkt_get_coded(r, base, v, get) && (coding.lead < 0) == coding.plain;
    r->coding = NULL;
    return done;
}
