/* pkt_coder_elements.c - coded deltas: which elements of arrays have changed.
 * SPDX-License-Identifier: MIT
 *
 * They are sent as runs of elements that are as expected; after each run comes a surprise, an element that is not.
 */
#include "pkt_coder_bits.h"
#include "pkt_explain.h"

/* A loop over the surprises. `run` is how many elements are between one and the one before it. After the last one,
 * is_last is set, unless the surprise was the last element. */
typedef struct pkt_run_scan {
    const uint64_t *set, *expected;
    uint64_t left; /* of the word that element `word` begins */
    uint32_t word, n, from, run;
    bool is_last;
} pkt_run_scan;

static uint64_t pkt_surprises_at(const pkt_run_scan *s)
{
    return s->set[s->word / 64] ^ (s->expected ? s->expected[s->word / 64] : 0);
}

PKT_INLINE pkt_run_scan pkt_run_scan_of(const uint64_t *set, const uint64_t *expected, uint32_t n)
{
    pkt_run_scan s;
    s.set = set;
    s.expected = expected;
    s.word = s.from = s.run = 0;
    s.n = n;
    s.is_last = false;
    s.left = n != 0 ? pkt_surprises_at(&s) : 0;
    return s;
}

PKT_INLINE bool pkt_run_next(pkt_run_scan *s)
{
    uint32_t at;
    if (s->from >= s->n || s->is_last)
        return false;
    while (s->left == 0 && s->n - s->word > 64) {
        s->word += 64;
        s->left = pkt_surprises_at(s);
    }
    at = s->left != 0 ? s->word + pkt_low_bit(s->left) : s->n;
    s->is_last = at >= s->n;
    s->run = at - s->from;
    s->from = at + 1;
    s->left &= s->left - 1;
    return true;
}

/* The bits after a symbol. */
static unsigned pkt_coder_elements_run_bits(const pkt_codes *codes, unsigned symbol)
{
    return symbol == codes->last || symbol < 2 ? 0 : symbol - 1;
}

unsigned pkt_coded_run_bits(uint32_t run, const pkt_codes *codes)
{
    const unsigned symbol = pkt_binary_digits(run);
    return pkt_code_bits(codes, symbol) + pkt_coder_elements_run_bits(codes, symbol);
}

unsigned pkt_coded_end_bits(const pkt_codes *codes)
{
    return pkt_code_bits(codes, codes->last);
}

/* A run as it is put. */
typedef struct pkt_coded_run {
    uint64_t raw;
    unsigned bits;
} pkt_coded_run;

PKT_INLINE pkt_coded_run pkt_code_of_run(const pkt_codes *codes, const pkt_run_scan *s)
{
    const unsigned symbol = s->is_last ? codes->last : pkt_symbol_of(s->run), code = pkt_code_bits(codes, symbol);
    pkt_coded_run r = {pkt_code_of(codes, symbol), code};
    if (symbol > 1 && !s->is_last) {
        r.raw |= (s->run ^ UINT64_C(1) << (symbol - 1)) << code;
        r.bits += symbol - 1;
    }
    return r;
}

/* Puts the runs, or only counts their bits. The last symbol says that all other elements are as expected. False if
 * there is no room. */
static bool pkt_runs_put(const pkt_mode mode, pkt_cursor *c, const uint64_t *set, const uint64_t *expected, uint32_t n,
                         const pkt_codes *codes, unsigned *bits)
{
    pkt_pending p = {0, 0};
    *bits = 0;
    for (pkt_run_scan s = pkt_run_scan_of(set, expected, n); pkt_run_next(&s);) {
        const pkt_coded_run r = pkt_code_of_run(codes, &s);
        *bits += r.bits;
        if (mode == PKT_WRITE && !pkt_add_bits(mode, c, &p, r.raw, r.bits))
            return false;
    }
    return mode != PKT_WRITE || pkt_put_bits(mode, c, p.word, p.filled);
}

/* *item: where the last run began. */
static pkt_code pkt_runs_get(pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n, const pkt_codes *codes,
                             uint64_t *item)
{
    for (uint32_t at = 0; at < n; at++) {
        unsigned symbol;
        uint64_t after, run;
        *item = c->bit;
        if (!pkt_code_get(c, codes, &symbol, &after))
            return PKT_ERROR_END;
        if (symbol == codes->last)
            break;
        if (!pkt_rest_get(c, pkt_coder_elements_run_bits(codes, symbol), after, &run))
            return PKT_ERROR_END;
        run |= symbol != 0 ? UINT64_C(1) << (symbol - 1) : 0;
        if (run >= n - at)
            return PKT_ERROR_RANGE;
        at += (uint32_t)run;
        set[at / 64] |= UINT64_C(1) << at % 64;
    }
    for (uint32_t i = 0; expected && i < (n + 63) / 64; i++)
        set[i] ^= expected[i];
    return PKT_OK;
}

/* The plain form: a subset of the kind `auto`, whose elements have no bits. */
static bool pkt_indices(const pkt_mode mode, pkt_cursor *c, uint64_t *set, uint32_t n)
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
    (void)pkt_runs_put(PKT_CHECK, c, set, expected, n, codes, &coded);
    pkt_count_forms(c, pkt_subset_auto_bits(set, n), coded);
}

static pkt_code pkt_elements_put(const pkt_mode mode, pkt_cursor *c, uint64_t *set, const uint64_t *expected,
                                 uint32_t n, const pkt_codes *codes)
{
    unsigned coded;
    if (c->coding->plain) {
        if (!c->coding->counted)
            pkt_coded_count(c, set, expected, n, codes);
        return pkt_indices(mode, c, set, n) ? PKT_OK : PKT_ERROR_CAPACITY;
    }
    if (!pkt_runs_put(mode, c, set, expected, n, codes, &coded))
        return PKT_ERROR_CAPACITY;
    if (mode != PKT_WRITE)
        c->bit += coded;
    pkt_count_forms(c, pkt_subset_auto_bits(set, n), coded);
    return PKT_OK;
}

static pkt_code pkt_elements_get(pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n,
                                 const pkt_codes *codes, uint64_t *item)
{
    const uint64_t start = c->bit;
    const pkt_code code = pkt_runs_get(c, set, expected, n, codes, item);
    if (code == PKT_OK)
        pkt_count_forms(c, pkt_subset_auto_bits(set, n), (unsigned)(c->bit - start));
    return code;
}

static bool pkt_indices_get(pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n, const pkt_codes *codes)
{
    if (!pkt_indices(PKT_READ, c, set, n))
        return false;
    pkt_coded_count(c, set, expected, n, codes);
    return true;
}

bool pkt_coded_elements(pkt_mode mode, pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n,
                        const pkt_codes *codes)
{
    uint64_t item;
    if (mode == PKT_READ)
        return c->coding->plain ? pkt_indices_get(c, set, expected, n, codes)
                                : pkt_elements_get(c, set, expected, n, codes, &item) == PKT_OK;
    return pkt_elements_put(mode, c, set, expected, n, codes) == PKT_OK;
}

/* ---- why not */

/* The first run that has no room is the item that failed. */
static bool pkt_explain_runs(pkt_cursor *c, const uint64_t *set, const uint64_t *expected, uint32_t n,
                             const pkt_codes *codes, const char *field)
{
    for (pkt_run_scan s = pkt_run_scan_of(set, expected, n); pkt_run_next(&s);) {
        const uint64_t start = c->bit;
        c->bit += pkt_code_of_run(codes, &s).bits;
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
        const pkt_code code = pkt_elements_get(c, set, expected, n, codes, &item);
        return pkt_explain_outcome(c, code, item, field);
    }
    pkt_coded_count(c, set, expected, n, codes);
    return pkt_explain_runs(c, set, expected, n, codes, field);
}
