/* pkt_coder.c - coded deltas, in all modes.
 * SPDX-License-Identifier: MIT
 *
 * Each item has a coded and a plain form, and c->coding says which one is written. Both are counted, because the whole
 * delta has the form that takes fewer bits. Functions that put or get an item return PKT_OK, or the code of the error. To
 * explain a write means to measure it.
 */
#include "pkt_coder.h"
#include "pkt_delta.h"
#include "pkt_explain.h"

/* ---- codes */

static unsigned code_bits(const pkt_codes *k, unsigned symbol)
{
    return k->codes[symbol] >> PKT_CODE_LONGEST;
}

static void code_put(pkt_cursor *c, const pkt_codes *k, unsigned symbol)
{
    pkt_put_changes(c, k->codes[symbol] & pkt_mask(PKT_CODE_LONGEST), code_bits(k, symbol));
}

/* The lowest 12 bits in the reverse order. */
static unsigned reversed(uint64_t bits)
{
    unsigned v = (unsigned)bits & 0xfffu;
    v = (v & 0x555u) << 1 | (v >> 1 & 0x555u);
    v = (v & 0x333u) << 2 | (v >> 2 & 0x333u);
    return (v & 0x00fu) << 8 | (v & 0x0f0u) | v >> 8;
}

/* False if the data ends before the code does. A code is complete, so any bits are those of a symbol. */
static bool code_get(pkt_cursor *c, const pkt_codes *k, unsigned *symbol)
{
    unsigned bits = 1, ahead;
    if (!pkt_need(PKT_READ, c, 1))
        return false;
    ahead = reversed(pkt_get_alone(c));
    while (ahead >= k->limits[bits - 1])
        bits++;
    if (!pkt_need(PKT_READ, c, bits))
        return false;
    c->bit += bits;
    ahead -= bits > 1 ? k->limits[bits - 2] : 0;
    *symbol = k->symbols[k->firsts[bits - 1] + (ahead >> (PKT_CODE_LONGEST - bits))];
    return true;
}

static unsigned bit_length(uint64_t v)
{
    return v != 0 ? pkt_high_bit(v) + 1 : 0;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* Counts an item that has this many bits in its forms. */
static void count(pkt_cursor *c, unsigned plain, unsigned coded)
{
    c->coding->lead += (int64_t)plain - (int64_t)coded;
}

/* ---- differences: the bit length of the distance as a symbol, its sign, and its bits below the highest one */

/* How the motion of the baseline leads one to expect: 0 if it does not move or nobody knows. */
static const pkt_codes *codes_for(const pkt_coded *k, uint64_t old, uint64_t was, uint64_t span)
{
    const unsigned context = old <= span && was <= span ? bit_length(distance(old, was)) : 0;
    return &k->codes[context < k->contexts ? context : k->contexts - 1];
}

static unsigned difference_bits(const pkt_codes *codes, uint64_t old, uint64_t now)
{
    const unsigned symbol = bit_length(distance(old, now));
    return code_bits(codes, symbol) + symbol;
}

static void difference_put(pkt_cursor *c, const pkt_codes *codes, uint64_t old, uint64_t now)
{
    const uint64_t way = distance(old, now);
    const unsigned symbol = bit_length(way);
    code_put(c, codes, symbol);
    if (symbol != 0)
        pkt_put_changes(c, (way ^ UINT64_C(1) << (symbol - 1)) << 1 | (now < old), symbol);
}

static pkt_code difference_rest(pkt_cursor *c, unsigned symbol, uint64_t old, uint64_t *now, uint64_t span)
{
    uint64_t way = 0;
    bool down = false;
    if (!pkt_need(PKT_READ, c, symbol))
        return PKT_ERROR_END;
    if (symbol != 0) {
        const uint64_t raw = pkt_get_changes(c, symbol);
        down = (raw & 1) != 0;
        way = UINT64_C(1) << (symbol - 1) | raw >> 1;
    }
    *now = down ? old - way : old + way;
    return way <= (down ? old : span - old) ? PKT_OK : PKT_ERROR_RANGE;
}

/* ---- numbers */

static unsigned plain_bits(uint64_t now, const pkt_coded *k)
{
    pkt_compact_form form;
    if (k->compact == 0)
        return k->bits;
    form = pkt_compact_form_for(now, k->compact);
    return form.head + form.bits;
}

static pkt_code value_put(const pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t was, uint64_t now,
                          const pkt_coded *k)
{
    const pkt_codes *codes = codes_for(k, old, was, k->span);
    const uint64_t from = old <= k->span ? old : 0;
    unsigned plain, coded, bits;
    if (pkt_over(now, k->span))
        return PKT_ERROR_RANGE;
    plain = plain_bits(now, k);
    coded = difference_bits(codes, from, now);
    bits = c->coding->plain ? plain : coded;
    count(c, plain, coded);
    if (!pkt_need(mode, c, bits))
        return PKT_ERROR_CAPACITY;
    if (mode == PKT_MEASURE)
        c->bit += bits;
    else if (!c->coding->plain)
        difference_put(c, codes, from, now);
    else if (k->compact != 0)
        (void)pkt_compact_put(mode, c, now, k->compact, 0, true);
    else
        pkt_put_changes(c, now ^ k->flip, k->bits);
    return PKT_OK;
}

static pkt_code value_get_plain(pkt_cursor *c, uint64_t *now, const pkt_coded *k)
{
    const uint64_t start = c->bit;
    if (!pkt_need(PKT_READ, c, k->compact != 0 ? 1 : k->bits))
        return PKT_ERROR_END;
    if (k->compact != 0)
        return pkt_compact_get(c, now, k->compact, 0, true) ? PKT_OK
               : c->bit == start                            ? PKT_ERROR_END
                                                            : PKT_ERROR_CANONICAL;
    *now = pkt_get_changes(c, k->bits) ^ k->flip;
    return pkt_over(*now, k->span) ? PKT_ERROR_RANGE : PKT_OK;
}

static pkt_code value_get(pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k)
{
    const pkt_codes *codes = codes_for(k, old, was, k->span);
    const uint64_t from = old <= k->span ? old : 0;
    unsigned symbol = 0;
    pkt_code code;
    if (c->coding->plain)
        code = value_get_plain(c, now, k);
    else
        code = code_get(c, codes, &symbol) ? difference_rest(c, symbol, from, now, k->span) : PKT_ERROR_END;
    if (code != PKT_OK)
        return code;
    count(c, plain_bits(*now, k), difference_bits(codes, from, *now));
    return *now == old && !k->may_equal ? PKT_ERROR_CANONICAL : PKT_OK;
}

bool pkt_coded_value(pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k)
{
    if (mode == PKT_READ)
        return value_get(c, old, was, now, k) == PKT_OK;
    return value_put(mode == PKT_WRITE ? PKT_WRITE : PKT_MEASURE, c, old, was, *now, k) == PKT_OK;
}

bool pkt_coded_float(pkt_mode mode, pkt_cursor *c, float old, float was, const float *in, float *out,
                     const pkt_coded *k, float lo, float hi)
{
    const uint32_t steps = (uint32_t)k->span;
    uint64_t now = mode == PKT_READ ? 0 : pkt_quantize(*in, lo, hi, steps);
    if (!pkt_coded_value(mode, c, pkt_quantize(old, lo, hi, steps), pkt_quantize(was, lo, hi, steps), &now, k))
        return false;
    if (mode == PKT_READ)
        *out = pkt_dequantize((uint32_t)now, lo, hi, steps);
    return true;
}

bool pkt_coded_double(pkt_mode mode, pkt_cursor *c, double old, double was, const double *in, double *out,
                      const pkt_coded *k, double lo, double hi)
{
    const uint64_t steps = k->span;
    uint64_t now = mode == PKT_READ ? 0 : pkt_quantize64(*in, lo, hi, steps);
    if (!pkt_coded_value(mode, c, pkt_quantize64(old, lo, hi, steps), pkt_quantize64(was, lo, hi, steps), &now, k))
        return false;
    if (mode == PKT_READ)
        *out = pkt_dequantize64(now, lo, hi, steps);
    return true;
}

/* ---- rotations: a difference for each component, or the last symbol and the code itself if the greatest one is another */

static uint64_t part_of(uint64_t code, unsigned i, unsigned parts)
{
    return code >> (2 + i * parts) & pkt_mask(parts);
}

static const pkt_codes *codes_for_part(const pkt_coded *k, uint64_t old, uint64_t was, unsigned i)
{
    const bool moves = old != PKT_NO_CODE && was != PKT_NO_CODE && ((old ^ was) & 3) == 0;
    return moves ? codes_for(k, part_of(old, i, k->bits), part_of(was, i, k->bits), pkt_mask(k->bits)) : k->codes;
}

static bool is_near(uint64_t old, uint64_t now)
{
    return old != PKT_NO_CODE && ((old ^ now) & 3) == 0;
}

static unsigned quat_bits(uint64_t old, uint64_t was, uint64_t now, const pkt_coded *k)
{
    unsigned bits = 0;
    if (!is_near(old, now))
        return code_bits(codes_for_part(k, old, was, 0), k->bits + 1) + 2 + 3 * k->bits;
    for (unsigned i = 0; i < 3; i++)
        bits += difference_bits(codes_for_part(k, old, was, i), part_of(old, i, k->bits), part_of(now, i, k->bits));
    return bits;
}

static pkt_code quat_put(const pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t was, uint64_t now,
                         const pkt_coded *k)
{
    const unsigned plain = 2 + 3 * k->bits, coded = now != PKT_NO_CODE ? quat_bits(old, was, now, k) : 0,
                   bits = c->coding->plain ? plain : coded;
    if (now == PKT_NO_CODE)
        return PKT_ERROR_RANGE;
    count(c, plain, coded);
    if (!pkt_need(mode, c, bits))
        return PKT_ERROR_CAPACITY;
    if (mode == PKT_MEASURE) {
        c->bit += bits;
        return PKT_OK;
    }
    if (!c->coding->plain && is_near(old, now)) {
        for (unsigned i = 0; i < 3; i++)
            difference_put(c, codes_for_part(k, old, was, i), part_of(old, i, k->bits), part_of(now, i, k->bits));
        return PKT_OK;
    }
    if (!c->coding->plain)
        code_put(c, codes_for_part(k, old, was, 0), k->bits + 1);
    pkt_put_changes(c, now, plain);
    return PKT_OK;
}

static pkt_code quat_get_code(pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k)
{
    const unsigned plain = 2 + 3 * k->bits;
    unsigned symbol = k->bits + 1;
    *now = old & 3;
    for (unsigned i = 0; !c->coding->plain && i < 3; i++) {
        uint64_t part = 0;
        pkt_code code;
        if (!code_get(c, codes_for_part(k, old, was, i), &symbol))
            return PKT_ERROR_END;
        if (symbol > k->bits) {
            if (i != 0)
                return PKT_ERROR_RANGE;
            break;
        }
        if (old == PKT_NO_CODE)
            return PKT_ERROR_RANGE;
        code = difference_rest(c, symbol, part_of(old, i, k->bits), &part, pkt_rotation_steps(k->bits));
        if (code != PKT_OK)
            return code;
        *now |= part << (2 + i * k->bits);
    }
    if (symbol <= k->bits)
        return PKT_OK;
    if (!pkt_need(PKT_READ, c, plain))
        return PKT_ERROR_END;
    *now = pkt_get_changes(c, plain);
    return !c->coding->plain && is_near(old, *now) ? PKT_ERROR_CANONICAL : PKT_OK;
}

static pkt_code quat_get(pkt_cursor *c, uint64_t old, uint64_t was, pkt_quat *q, const pkt_coded *k)
{
    uint64_t now;
    const pkt_code code = quat_get_code(c, old, was, &now, k);
    if (code == PKT_ERROR_CANONICAL)
        return pkt_quat_value(now, k->bits, q) ? code : PKT_ERROR_RANGE;
    if (code != PKT_OK)
        return code;
    if (!pkt_quat_value(now, k->bits, q))
        return PKT_ERROR_RANGE;
    count(c, 2 + 3 * k->bits, quat_bits(old, was, now, k));
    return now == old && !k->may_equal ? PKT_ERROR_CANONICAL : PKT_OK;
}

bool pkt_coded_quat(pkt_mode mode, pkt_cursor *c, pkt_quat old, pkt_quat was, const pkt_quat *in, pkt_quat *out,
                    const pkt_coded *k)
{
    const uint64_t old_code = pkt_quat_code(old, k->bits),
                   was_code = k->contexts > 1 ? pkt_quat_code(was, k->bits) : old_code;
    if (mode == PKT_READ)
        return quat_get(c, old_code, was_code, out, k) == PKT_OK;
    return quat_put(mode == PKT_WRITE ? PKT_WRITE : PKT_MEASURE, c, old_code, was_code, pkt_quat_code(*in, k->bits),
                    k) == PKT_OK;
}

/* ---- change masks: groups of neighbours, each of which is a symbol */

static unsigned group_size(const pkt_coded_changes *k, unsigned group)
{
    return k->count / k->groups + (group < k->count % k->groups);
}

static unsigned mask_bits(uint64_t mask, const pkt_coded_changes *k)
{
    unsigned bits = 0, at = 0;
    for (unsigned g = 0; g < k->groups; g++) {
        bits += code_bits(&k->codes[g], (unsigned)(mask >> at & pkt_mask(group_size(k, g))));
        at += group_size(k, g);
    }
    return bits;
}

static pkt_code mask_put(const pkt_mode mode, pkt_cursor *c, uint64_t mask, const pkt_coded_changes *k)
{
    const unsigned coded = mask_bits(mask, k), bits = c->coding->plain ? k->count : coded;
    unsigned at = 0;
    count(c, k->count, coded);
    if (!pkt_need(mode, c, bits))
        return PKT_ERROR_CAPACITY;
    if (mode == PKT_MEASURE)
        c->bit += bits;
    else if (c->coding->plain)
        pkt_put_changes(c, mask, k->count);
    for (unsigned g = 0; mode == PKT_WRITE && !c->coding->plain && g < k->groups; g++) {
        code_put(c, &k->codes[g], (unsigned)(mask >> at & pkt_mask(group_size(k, g))));
        at += group_size(k, g);
    }
    return PKT_OK;
}

static pkt_code mask_get(pkt_cursor *c, uint64_t *mask, const pkt_coded_changes *k)
{
    unsigned at = 0, symbol;
    *mask = 0;
    if (c->coding->plain) {
        if (!pkt_need(PKT_READ, c, k->count))
            return PKT_ERROR_END;
        *mask = pkt_get_changes(c, k->count);
    }
    for (unsigned g = 0; !c->coding->plain && g < k->groups; g++) {
        if (!code_get(c, &k->codes[g], &symbol))
            return PKT_ERROR_END;
        *mask |= (uint64_t)symbol << at;
        at += group_size(k, g);
    }
    count(c, k->count, mask_bits(*mask, k));
    return PKT_OK;
}

bool pkt_coded_mask(pkt_mode mode, pkt_cursor *c, uint64_t *mask, const pkt_coded_changes *k)
{
    if (mode == PKT_READ)
        return mask_get(c, mask, k) == PKT_OK;
    return mask_put(mode == PKT_WRITE ? PKT_WRITE : PKT_MEASURE, c, *mask, k) == PKT_OK;
}

/* ---- changed elements: runs of those that are as expected, each of them before one that is not */

/* The elements from `from` on that are as expected, up to the first one that is not, or up to n. */
static uint32_t run_from(const uint64_t *set, const uint64_t *expected, uint32_t n, uint32_t from)
{
    uint32_t i = from;
    while (i < n) {
        const uint64_t word = (set[i / 64] ^ (expected != NULL ? expected[i / 64] : 0)) >> i % 64;
        if (word != 0) {
            i += pkt_low_bit(word);
            break;
        }
        i += 64 - i % 64;
    }
    return (i < n ? i : n) - from;
}

static unsigned symbol_of_run(const pkt_codes *codes, uint32_t run, bool is_last)
{
    return is_last ? codes->last : pkt_bit_length(run);
}

/* The bits after a symbol. */
static unsigned run_bits(const pkt_codes *codes, unsigned symbol)
{
    return symbol == codes->last || symbol < 2 ? 0 : symbol - 1;
}

/* Puts or counts the runs. The last symbol says that all other elements are as expected. Returns the bits. */
static unsigned runs_put(const pkt_mode mode, pkt_cursor *c, const uint64_t *set, const uint64_t *expected, uint32_t n,
                         const pkt_codes *codes)
{
    unsigned bits = 0;
    for (uint32_t at = 0; at < n; at++) {
        const uint32_t run = run_from(set, expected, n, at);
        const unsigned symbol = symbol_of_run(codes, run, at + run == n), rest = run_bits(codes, symbol);
        bits += code_bits(codes, symbol) + rest;
        if (mode == PKT_WRITE) {
            code_put(c, codes, symbol);
            if (rest != 0)
                pkt_put_changes(c, run & pkt_mask(rest), rest);
        }
        at += run;
    }
    return bits;
}

/* *item: where the last run began. */
static pkt_code runs_get(pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n, const pkt_codes *codes,
                         uint64_t *item)
{
    for (uint32_t at = 0; at < n; at++) {
        unsigned symbol;
        uint32_t run;
        *item = c->bit;
        if (!code_get(c, codes, &symbol))
            return PKT_ERROR_END;
        if (symbol == codes->last)
            break;
        run = symbol != 0;
        if (symbol > 1) {
            if (!pkt_need(PKT_READ, c, symbol - 1))
                return PKT_ERROR_END;
            run = (uint32_t)(UINT32_C(1) << (symbol - 1) | pkt_get_changes(c, symbol - 1));
        }
        if (run >= n - at)
            return PKT_ERROR_RANGE;
        at += run;
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

static unsigned indices_bits(const pkt_cursor *c, uint64_t *set, uint32_t n)
{
    pkt_cursor counter = *c;
    counter.bit = 0;
    return indices(PKT_MEASURE, &counter, set, n) ? (unsigned)counter.bit : 0;
}

void pkt_coded_count(pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n, const pkt_codes *codes)
{
    count(c, indices_bits(c, set, n), runs_put(PKT_MEASURE, c, set, expected, n, codes));
}

static pkt_code elements_put(const pkt_mode mode, pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n,
                             const pkt_codes *codes)
{
    const unsigned coded = runs_put(PKT_MEASURE, c, set, expected, n, codes);
    count(c, indices_bits(c, set, n), coded);
    if (c->coding->plain)
        return indices(mode, c, set, n) ? PKT_OK : PKT_ERROR_CAPACITY;
    if (!pkt_need(mode, c, coded))
        return PKT_ERROR_CAPACITY;
    if (mode == PKT_MEASURE)
        c->bit += coded;
    else
        (void)runs_put(mode, c, set, expected, n, codes);
    return PKT_OK;
}

static pkt_code elements_get(pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n, const pkt_codes *codes,
                             uint64_t *item)
{
    const pkt_code code = runs_get(c, set, expected, n, codes, item);
    if (code == PKT_OK)
        pkt_coded_count(c, set, expected, n, codes);
    return code;
}

/* The plain form. */
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
    return elements_put(mode == PKT_WRITE ? PKT_WRITE : PKT_MEASURE, c, set, expected, n, codes) == PKT_OK;
}

/* ---- why not */

/* The outcome of an item that began at `start`. */
static bool explained(pkt_cursor *c, pkt_code code, uint64_t start, const char *field)
{
    if (code == PKT_OK && !c->reading && c->bit > c->limit)
        code = PKT_ERROR_CAPACITY;
    return code == PKT_OK || pkt_explain_fail(c, code, start, field);
}

bool pkt_explain_coded(pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k, const char *field)
{
    const uint64_t start = c->bit;
    return explained(c, c->reading ? value_get(c, old, was, now, k) : value_put(PKT_MEASURE, c, old, was, *now, k),
                     start, field);
}

bool pkt_explain_coded_quat(pkt_cursor *c, pkt_quat old, pkt_quat was, pkt_quat *q, const pkt_coded *k,
                            const char *field)
{
    const uint64_t start = c->bit, old_code = pkt_quat_code(old, k->bits),
                   was_code = k->contexts > 1 ? pkt_quat_code(was, k->bits) : old_code;
    const pkt_code code = c->reading ? quat_get(c, old_code, was_code, q, k)
                                     : quat_put(PKT_MEASURE, c, old_code, was_code, pkt_quat_code(*q, k->bits), k);
    return explained(c, code, start, field);
}

bool pkt_explain_coded_mask(pkt_cursor *c, uint64_t *mask, const pkt_coded_changes *k)
{
    const uint64_t start = c->bit;
    return explained(c, c->reading ? mask_get(c, mask, k) : mask_put(PKT_MEASURE, c, *mask, k), start, "");
}

/* The first run that has no room is the item that failed. */
static bool explain_runs(pkt_cursor *c, const uint64_t *set, const uint64_t *expected, uint32_t n,
                         const pkt_codes *codes, const char *field)
{
    for (uint32_t at = 0; at < n; at++) {
        const uint32_t run = run_from(set, expected, n, at);
        const unsigned symbol = symbol_of_run(codes, run, at + run == n);
        const uint64_t start = c->bit;
        c->bit += code_bits(codes, symbol) + run_bits(codes, symbol);
        if (!explained(c, PKT_OK, start, field))
            return false;
        at += run;
    }
    return true;
}

bool pkt_explain_coded_elements(pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n,
                                const pkt_codes *codes, const char *field)
{
    uint64_t item = c->bit;
    if (c->reading) {
        const pkt_code code = elements_get(c, set, expected, n, codes, &item);
        return explained(c, code, item, field);
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

bool pkt_read_form(pkt_reader *r)
{
    pkt_cursor c;
    pkt_reader_cursor(&c, r);
    if (!pkt_need(PKT_READ, &c, 1))
        return false;
    r->coding->plain = pkt_get_changes(&c, 1) == 0;
    return pkt_reader_advance(r, &c);
}
