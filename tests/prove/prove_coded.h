/* prove_coded.h - contracts of the functions that read coded deltas.
 * SPDX-License-Identifier: MIT
 *
 * contracts.sh proves them with PROVE_CONTRACTS, for data of every size, any baseline and any sound code table. When
 * prove.sh analyzes generated readers, it uses those that are outside of that condition instead of the functions.
 * coded.sed puts this file into the sources.
 *
 * That a table is sound cannot be shown at a call: `codes` of prove.sh shows it for each table of a schema. `lead` is a
 * sum over the items of a delta, each of which adds less than 2^32: that it does not overflow is assumed.
 */
#ifndef PROVE_CODED_H
#define PROVE_CODED_H

/* Logic functions, because solvers apply "for all i" where f(i) occurs, but not where p[i] does. */
/*@ logic integer most(integer bits) = 0xFFFFFFFFFFFFFFFF >> (64 - bits);
  @ logic integer start_of(pkt_codes *k, integer i) = k->starts[i];
  @ logic integer bits_of(pkt_codes *k, integer i) = k->words[i] >> 12;
  @ logic pkt_codes *table_of(pkt_coded *k, integer i) = k->codes + i;
  @ predicate reading(pkt_cursor *c) =
  @   \valid(c) && c->limit <= SIZE_MAX / 2 && c->limit % 8 == 0 &&
  @   (c->limit == 0 || \valid_read(c->from + (0 .. c->limit / 8 - 1))); */
#ifdef PROVE_CONTRACTS
#define PROVE_SET_OF_(p) (0 == 0)
/*@ predicate table(pkt_codes *k) =
  @   \valid_read(k) && \valid_read(k->words + (0 .. k->last)) &&
  @   (\forall integer i; 0 <= i < 64 ==> start_of(k, i) <= k->last || start_of(k, i) == 255) &&
  @   (\forall integer i; 0 <= i <= k->last ==> 1 <= bits_of(k, i) <= 12);
  @ predicate coding(pkt_cursor *c) =
  @   \valid(c->coding) && \separated(c, c->coding) && -0x4000000000000000 <= c->coding->lead <= 0x4000000000000000;
  @ predicate tables(pkt_coded *k, integer last) =
  @   1 <= k->contexts <= 6 &&
  @   (\forall integer i; 0 <= i < k->contexts ==> table(table_of(k, i)) && table_of(k, i)->last == last); */
#else
#define PROVE_SET_OF_(p) \initialized(p)
/*@ predicate table(pkt_codes *k) = \valid_read(k) && \valid_read(k->words + (0 .. k->last));
  @ predicate coding(pkt_cursor *c) = \valid(c->coding);
  @ predicate tables(pkt_coded *k, integer last) =
  @   1 <= k->contexts <= 6 && \valid_read(k->codes + (0 .. k->contexts - 1)) &&
  @   (\forall integer i; 0 <= i < k->contexts ==> k->codes[i].last == last); */
#endif
/*@ predicate numbers(pkt_coded *k) =
  @   \valid_read(k) && 1 <= k->bits <= 64 && k->span <= most(k->bits) && tables(k, k->bits) &&
  @   (k->compact == 0 || k->compact == 2 || k->compact == 4 || k->compact == 8) &&
  @   (k->compact != 0 ==> k->bits == 8 * k->compact && k->span == most(k->bits));
  @ predicate rotations(pkt_coded *k) = \valid_read(k) && 2 <= k->bits <= 20 && tables(k, k->bits + 1);
  @ predicate set_of(uint64_t *w, integer n) = n <= 0x40000000 && (n == 0 || \valid(w + (0 .. (n - 1) / 64)));
  @ predicate expected_of(uint64_t *w, integer n) =
  @   w == \null || n == 0 || \valid_read(w + (0 .. (n - 1) / 64));
  @ predicate runs(pkt_codes *k, integer n) = table(k) && 2 <= k->last <= 32 && n <= most(k->last - 1);
  @ predicate in_row(pkt_coded *k) = numbers(k) && k->bits <= 32 && k->compact == 0;
  @ predicate masks(pkt_coded_changes *k) =
  @   \valid_read(k) && 1 <= k->count <= 7 && table(k->codes) && k->codes->last == most(k->count) &&
  @   k->in_new == \null;
  @ predicate rows(pkt_number_row *r) =
  @   \valid_read(r) && 2 <= r->count <= 4 && r->bit <= 60 && in_row(&r->numbers[0]) && in_row(&r->numbers[1]) &&
  @   (r->count < 3 || in_row(&r->numbers[2])) && (r->count < 4 || in_row(&r->numbers[3])) &&
  @   (r->changes == \null || masks(r->changes)); */

#ifdef PROVE_CONTRACTS
/* The lowest bit of a number that is 1; 64 if none is. */
/*@ axiomatic Low {
  @   logic integer low(integer v);
  @   axiom low_range: \forall integer v; 0 <= low(v) <= 64;
  @   axiom low_none: low(0) == 64;
  @ } */

/* `numbers` of prove.sh shows what this ensures. */
/*@ assigns \nothing;
  @ ensures v != 0 ==> \result == low(v);
  @ ensures \forall integer b; 1 <= b <= 64 && 0 < v <= most(b) ==> \result < b; */
PKT_INLINE unsigned pkt_low_bit(uint64_t v);

/*@ requires 1 <= bits <= 64;
  @ assigns \nothing;
  @ ensures \result == most(bits); */
PKT_INLINE uint64_t pkt_mask(const unsigned bits);

/*@ requires edge == 1 && reading(c) && c->bit < c->limit;
  @ assigns \nothing; */
PKT_INLINE uint64_t pkt_peek(const pkt_cursor *c, const bool edge);

/*@ requires reading(c) && c->bit < c->limit;
  @ assigns \nothing; */
uint64_t pkt_get_alone(const pkt_cursor *c);

/*@ requires reading(c) && 1 <= count <= 64 && c->bit + count <= c->limit;
  @ assigns c->bit;
  @ ensures c->bit == \old(c->bit) + count; */
PKT_INLINE uint64_t pkt_get_item(pkt_cursor *c, const unsigned count);

/*@ requires reading(c) && 1 <= count <= 64 && c->bit + count <= c->limit;
  @ assigns c->bit;
  @ ensures c->bit == \old(c->bit) + count; */
uint64_t pkt_get_changes(pkt_cursor *c, unsigned count);

/* The same here. */
/*@ requires reading(c) && (bytes == 2 || bytes == 4 || bytes == 8) && \valid(v) && \separated(c, v);
  @ assigns c->bit, *v;
  @ ensures \result == PKT_OK || \result == PKT_ERROR_END || \result == PKT_ERROR_CANONICAL;
  @ ensures \result == PKT_OK ==> *v <= most(8 * bytes); */
pkt_code pkt_get_compact(pkt_cursor *c, uint64_t *v, unsigned bytes);

/* And here. */
/*@ requires n <= 0x40000000 && (n == 0 || \valid_read(set + (0 .. (n - 1) / 64)));
  @ assigns \nothing;
  @ ensures \result <= n + 1; */
unsigned pkt_subset_auto_bits(const uint64_t *set, uint32_t n);

/*@ assigns \nothing; */
PKT_INLINE uint32_t pkt_rotation_steps(const unsigned bits);
#endif

#endif

/* ---- pkt_coder_bits.h */

#ifdef PROVE_CODER
#ifdef PROVE_CONTRACTS
/* So that the solvers know the range of the result. */
/*@ assigns \nothing; */
static uint64_t prove_or(uint64_t a, uint64_t b)
{
    return a | b;
}

/* `numbers` of prove.sh shows what these three ensure, too. */
/*@ requires 1 <= bits <= 64;
  @ assigns \nothing;
  @ ensures \result <= most(bits); */
static uint64_t prove_bits(uint64_t v, unsigned bits)
{
    return v & pkt_mask(bits);
}

/*@ assigns \nothing;
  @ ensures v != 0 ==> low(\result) > low(v);
  @ ensures v == 0 ==> \result == 0;
  @ ensures \forall integer b; 1 <= b <= 64 && v <= most(b) ==> \result <= most(b); */
static uint64_t prove_others(uint64_t v)
{
    return v & (v - 1);
}

/*@ assigns \nothing;
  @ ensures \forall integer b; 1 <= b <= 64 && v <= most(b) ==> \result <= b;
  @ ensures \result <= 64; */
PKT_INLINE unsigned pkt_binary_digits(uint64_t v);

/* And this, of numbers of up to 63 bits. */
/*@ assigns \nothing;
  @ ensures \forall integer b; 1 <= b <= 63 && v <= most(b) ==> \result <= b;
  @ ensures \result <= 63; */
PKT_INLINE unsigned pkt_symbol_of(uint64_t v);

/*@ assigns \nothing;
  @ ensures \result == (a < b ? b - a : a - b); */
PKT_INLINE uint64_t pkt_distance(uint64_t a, uint64_t b);

/*@ requires reading(c);
  @ assigns \nothing; */
static uint64_t pkt_bits_at_end(const pkt_cursor *c);

/*@ requires reading(c);
  @ assigns \nothing; */
PKT_INLINE uint64_t pkt_bits_ahead(const pkt_cursor *c);

/*@ requires table(k) && symbol <= k->last;
  @ assigns \nothing;
  @ ensures 1 <= \result <= 12 && \result == bits_of(k, symbol); */
PKT_INLINE unsigned pkt_code_bits(const pkt_codes *k, unsigned symbol);

/*@ requires table(k) && symbol <= k->last;
  @ assigns \nothing;
  @ ensures \result <= 4095; */
PKT_INLINE unsigned pkt_code_of(const pkt_codes *k, unsigned symbol);

/*@ requires table(k);
  @ assigns \nothing;
  @ ensures \result <= k->last; */
static unsigned pkt_long_symbol(const pkt_codes *k, uint64_t ahead);

/*@ requires table(k);
  @ assigns \nothing;
  @ ensures \result <= k->last; */
PKT_INLINE unsigned pkt_symbol_ahead(const pkt_codes *k, uint64_t ahead);

/*@ requires reading(c) && bits <= 64 && \valid(rest) && \separated(c, rest);
  @ assigns c->bit, *rest;
  @ ensures \result == 0 || \result == 1;
  @ ensures \result == 0 ==> c->bit == \old(c->bit);
  @ ensures \result == 1 ==> c->bit == \old(c->bit) + bits && c->bit <= c->limit; */
PKT_INLINE bool pkt_rest_get(pkt_cursor *c, unsigned bits, uint64_t after, uint64_t *rest);

/*@ requires numbers(k) || rotations(k);
  @ assigns \nothing;
  @ ensures table(\result);
  @ ensures numbers(k) ==> \result->last == k->bits;
  @ ensures rotations(k) ==> \result->last == k->bits + 1; */
PKT_INLINE const pkt_codes *pkt_codes_for(const pkt_coded *k, uint64_t old, uint64_t was);

/*@ requires numbers(k);
  @ assigns \nothing;
  @ ensures table(\result) && \result->last == k->bits; */
PKT_INLINE const pkt_codes *pkt_value_codes(const pkt_coded *k, uint64_t old, uint64_t was);
#else
/*@ requires \valid(c) && coding(c);
  @ assigns c->coding->lead \from c->coding->lead, plain, coded; */
PKT_INLINE void pkt_count_forms(pkt_cursor *c, unsigned plain, unsigned coded);
#endif

/*@ requires reading(c) && table(k) && \valid(symbol) && \valid(after) && \separated(c, symbol, after);
  @ assigns \result, c->bit, *symbol, *after \from c->bit, c->limit, indirect:*k;
  @ ensures \result == 0 || \result == 1;
  @ ensures \result == 0 ==> c->bit == \old(c->bit);
  @ ensures \result == 1 ==> *symbol <= k->last && c->bit <= \old(c->bit) + 12 && c->bit <= c->limit;
  @ ensures \result == 1 ==> PROVE_SET_OF_(symbol) && PROVE_SET_OF_(after); */
PKT_INLINE bool pkt_code_get(pkt_cursor *c, const pkt_codes *k, unsigned *symbol, uint64_t *after);
#undef PROVE_CODER
#endif

/* ---- pkt_coder.c */

#ifdef PROVE_VALUES
#ifdef PROVE_CONTRACTS
/* `numbers` of prove.sh shows that this is defined for each number. */
/*@ assigns \nothing; */
PKT_INLINE unsigned pkt_plain_bits(uint64_t now, const pkt_coded *k);

/* And what this ensures. */
/*@ requires i <= 2 && 2 <= parts <= 20;
  @ assigns \nothing;
  @ ensures \result <= most(parts); */
PKT_INLINE uint64_t pkt_part_of(uint64_t code, unsigned i, unsigned parts);

/*@ requires reading(c) && symbol <= 64 && \valid(now) && \separated(c, now);
  @ assigns c->bit, *now;
  @ ensures \result == PKT_OK || \result == PKT_ERROR_END || \result == PKT_ERROR_RANGE;
  @ ensures \result == PKT_OK ==> c->bit <= c->limit;
  @ ensures \result == PKT_OK && old <= span ==> *now <= span; */
PKT_INLINE pkt_code pkt_difference_get(pkt_cursor *c, unsigned symbol, uint64_t after, uint64_t old, uint64_t *now,
                                       uint64_t span);

/*@ requires reading(c) && 1 <= bits <= 64 && \valid(raw) && \separated(c, raw);
  @ assigns c->bit, *raw;
  @ ensures \result == PKT_OK || \result == PKT_ERROR_END;
  @ ensures \result == PKT_OK ==> c->bit == \old(c->bit) + bits && c->bit <= c->limit;
  @ ensures \result == PKT_ERROR_END ==> c->bit == \old(c->bit); */
static pkt_code pkt_get_plain(pkt_cursor *c, uint64_t *raw, unsigned bits);

/*@ requires reading(c) && numbers(k) && \valid(now) && \separated(c, now, k);
  @ assigns c->bit, *now;
  @ ensures \result == PKT_OK ==> *now <= k->span; */
static pkt_code pkt_value_get_plain(pkt_cursor *c, uint64_t *now, const pkt_coded *k);

/*@ requires reading(c) && coding(c) && numbers(k) && \valid(now) && \separated(c, c->coding, now, k);
  @ assigns c->bit, *now, c->coding->lead;
  @ ensures \result == PKT_OK ==> *now <= k->span; */
static pkt_code pkt_value_get(pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k);
#endif

/*@ requires mode == PKT_READ && reading(c) && coding(c) && numbers(k) && \valid(now);
  @ requires \separated(c, c->coding, now, k);
  @ assigns \result, c->bit, *now, c->coding->lead \from c->bit, c->limit, old, was, indirect:*k;
  @ ensures \result == 0 || \result == 1;
  @ ensures \result == 1 ==> *now <= k->span; */
bool pkt_coded_value(pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k);

/*@ requires rotations(k) && \valid(parts + (0 .. 2)) && \separated(parts + (0 .. 2), k);
  @ assigns \result, parts[0 .. 2] \from old, was, now, indirect:*k; */
static unsigned pkt_quat_differences(uint64_t old, uint64_t was, uint64_t now, const pkt_coded *k,
                                     pkt_coder_difference parts[3]);

/*@ requires reading(c) && rotations(k) && \valid(now) && \separated(c, now, k);
  @ assigns \result, c->bit, *now \from c->bit, c->limit, old, was, indirect:*k;
  @ ensures \result == PKT_OK || \result == PKT_ERROR_END || \result == PKT_ERROR_RANGE ||
  @         \result == PKT_ERROR_CANONICAL; */
static pkt_code pkt_quat_get_parts(pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k);
#undef PROVE_VALUES
#endif

/* ---- pkt_coder_row.c */

#ifdef PROVE_ROWS
/* A number of a row is in its range, or as it was. */
#define PROVE_IN_ROW_(i) \
    (numbers[i].now <= \at(row->numbers[i].span, Pre) || numbers[i].now == \at(numbers[i].now, Pre))
#ifdef PROVE_CONTRACTS
/*@ requires \valid_read(row) && 2 <= row->count <= 4 && row->bit <= 60;
  @ assigns \nothing;
  @ ensures \result <= most(row->count); */
PKT_INLINE uint64_t pkt_row_changed(uint64_t mask, const pkt_number_row *row);

/*@ requires numbers(k) && \valid_read(n);
  @ assigns \nothing;
  @ ensures table(\result) && \result->last == k->bits; */
PKT_INLINE const pkt_codes *pkt_coder_row_codes(const pkt_coded *k, const pkt_coded_number *n);

/*@ requires reading(c) && coding(c) && rows(row) && \valid(mask) && \valid(numbers + (0 .. row->count - 1));
  @ requires \separated(c, c->coding, mask, row, numbers + (0 .. row->count - 1));
  @ assigns c->bit, *mask, c->coding->lead, numbers[0 .. row->count - 1].now;
  @ ensures \result == 1 ==> PROVE_IN_ROW_(0) && PROVE_IN_ROW_(1) &&
  @   (row->count < 3 || PROVE_IN_ROW_(2)) && (row->count < 4 || PROVE_IN_ROW_(3)); */
static bool pkt_row_get_coded(pkt_cursor *c, uint64_t *mask, pkt_coded_number *numbers, const pkt_number_row *row);

/*@ requires reading(c) && coding(c) && rows(row) && \valid(mask) && \valid(numbers + (0 .. row->count - 1));
  @ requires \separated(c, c->coding, mask, row, numbers + (0 .. row->count - 1));
  @ assigns c->bit, *mask, c->coding->lead, numbers[0 .. row->count - 1].now;
  @ ensures \result == 1 ==> PROVE_IN_ROW_(0) && PROVE_IN_ROW_(1) &&
  @   (row->count < 3 || PROVE_IN_ROW_(2)) && (row->count < 4 || PROVE_IN_ROW_(3)); */
static bool pkt_row_get_plain(pkt_cursor *c, uint64_t *mask, pkt_coded_number *numbers, const pkt_number_row *row);
#endif

/*@ requires mode == PKT_READ && reading(c) && coding(c) && rows(row) && \valid(mask);
  @ requires \valid(numbers + (0 .. row->count - 1));
  @ requires \separated(c, c->coding, mask, row, numbers + (0 .. row->count - 1));
  @ assigns \result, c->bit, *mask, c->coding->lead, numbers[0 .. row->count - 1].now
  @   \from c->bit, c->limit, *mask, numbers[0 .. row->count - 1], indirect:*row;
  @ ensures \result == 0 || \result == 1;
  @ ensures \result == 1 ==> PROVE_IN_ROW_(0) && PROVE_IN_ROW_(1) &&
  @   (row->count < 3 || PROVE_IN_ROW_(2)) && (row->count < 4 || PROVE_IN_ROW_(3)); */
bool pkt_coded_row(pkt_mode mode, pkt_cursor *c, uint64_t *mask, pkt_coded_number *numbers, const pkt_number_row *row);
#undef PROVE_ROWS
#endif

/* ---- pkt_coder_elements.c */

#ifdef PROVE_RUNS
#ifdef PROVE_CONTRACTS
/* No surprise is before `from`. */
/*@ predicate scanning(pkt_run_scan *s) =
  @   \valid(s) && s->n <= 0x40000000 && s->word % 64 == 0 &&
  @   (s->n == 0 || (s->word < s->n && \valid_read(s->set + (0 .. (s->n - 1) / 64)))) &&
  @   expected_of((uint64_t *)s->expected, s->n) && (s->is_last != 0 || s->from <= s->word + low(s->left)); */

/*@ requires \valid_read(s) && s->word < s->n <= 0x40000000 && \valid_read(s->set + (0 .. (s->n - 1) / 64));
  @ requires expected_of((uint64_t *)s->expected, s->n);
  @ assigns \nothing; */
static uint64_t pkt_surprises_at(const pkt_run_scan *s);

/*@ requires scanning(s);
  @ assigns s->left, s->word, s->from, s->run, s->is_last;
  @ ensures scanning(s) && s->n == \old(s->n) && s->set == \old(s->set) && s->expected == \old(s->expected);
  @ ensures \result == 0 || \result == 1;
  @ ensures \result == 1 ==> \old(s->from) < s->n && \old(s->from) < s->from;
  @ ensures \result == 1 ==> s->is_last != 0 || s->run < s->n; */
PKT_INLINE bool pkt_run_next(pkt_run_scan *s);

/*@ requires table(codes);
  @ assigns \nothing;
  @ ensures symbol <= 64 ==> \result < 64; */
static unsigned pkt_coder_elements_run_bits(const pkt_codes *codes, unsigned symbol);

/*@ requires \valid_read(s) && runs(codes, s->is_last != 0 ? 0 : s->run);
  @ assigns \nothing; */
PKT_INLINE pkt_coded_run pkt_code_of_run(const pkt_codes *codes, const pkt_run_scan *s);

/*@ requires mode == PKT_MEASURE && \valid(bits) && runs(codes, n) && set_of((uint64_t *)set, n);
  @ requires expected_of((uint64_t *)expected, n);
  @ assigns *bits; */
static bool pkt_runs_put(const pkt_mode mode, pkt_cursor *c, const uint64_t *set, const uint64_t *expected, uint32_t n,
                         const pkt_codes *codes, unsigned *bits);

/*@ requires reading(c) && runs(codes, n) && \valid(item) && set_of(set, n) && expected_of((uint64_t *)expected, n);
  @ requires \separated(c, item, codes) && (n == 0 || \separated(c, item, set + (0 .. (n - 1) / 64)));
  @ assigns c->bit, *item, set[0 .. (n - 1) / 64]; */
static pkt_code pkt_runs_get(pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n, const pkt_codes *codes,
                             uint64_t *item);
#endif

/*@ requires \valid(c) && coding(c) && runs(codes, n) && set_of(set, n) && expected_of((uint64_t *)expected, n);
  @ requires \separated(c, c->coding) && (n == 0 || \separated(c, c->coding, set + (0 .. (n - 1) / 64)));
  @ assigns c->coding->lead \from c->coding->lead; */
void pkt_coded_count(pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n, const pkt_codes *codes);

/*@ requires reading(c) && coding(c) && runs(codes, n) && \valid(item) && set_of(set, n);
  @ requires expected_of((uint64_t *)expected, n);
  @ requires \separated(c, c->coding, item, codes);
  @ requires n == 0 || \separated(c, c->coding, item, set + (0 .. (n - 1) / 64));
  @ assigns \result, c->bit, *item, c->coding->lead, set[0 .. (n - 1) / 64]
  @   \from c->bit, c->limit, n, indirect:*codes; */
static pkt_code pkt_elements_get(pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n,
                                 const pkt_codes *codes, uint64_t *item);
#undef PROVE_RUNS
#endif
