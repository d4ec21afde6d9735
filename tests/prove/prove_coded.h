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
  @ predicate runs(pkt_codes *k, integer n) = table(k) && 2 <= k->last <= 32 && n <= most(k->last - 1); */

#ifdef PROVE_CONTRACTS
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

/* `numbers` of prove.sh shows what this ensures. */
/*@ requires reading(c) && (bytes == 2 || bytes == 4 || bytes == 8) && \valid(v) && \separated(c, v);
  @ assigns c->bit, *v;
  @ ensures \result == PKT_OK || \result == PKT_ERROR_END || \result == PKT_ERROR_CANONICAL;
  @ ensures \result == PKT_OK ==> *v <= most(8 * bytes); */
pkt_code pkt_get_compact(pkt_cursor *c, uint64_t *v, unsigned bytes);

/* The same here. */
/*@ requires n <= 0x40000000 && (n == 0 || \valid_read(set + (0 .. (n - 1) / 64)));
  @ assigns \nothing;
  @ ensures \result <= n + 1; */
unsigned pkt_subset_auto_bits(const uint64_t *set, uint32_t n);

/*@ assigns \nothing; */
PKT_INLINE uint32_t pkt_rotation_steps(const unsigned bits);
#endif

#endif

/* ---- pkt_coder.c */

#ifdef PROVE_CODER
#ifdef PROVE_CONTRACTS
/* So that the solvers know the range of the result. */
/*@ assigns \nothing; */
static uint64_t prove_or(uint64_t a, uint64_t b)
{
    return a | b;
}

/*@ requires reading(c) && c->bit < c->limit;
  @ assigns \nothing; */
PKT_INLINE uint64_t bits_ahead(const pkt_cursor *c);

/* `numbers` of prove.sh shows what this ensures, too. */
/*@ assigns \nothing;
  @ ensures \forall integer b; 1 <= b <= 64 && v <= most(b) ==> \result <= b;
  @ ensures \result <= 64; */
PKT_INLINE unsigned binary_digits(uint64_t v);

/* And that this is defined for each number. */
/*@ assigns \nothing; */
PKT_INLINE unsigned plain_bits(uint64_t now, const pkt_coded *k);

/*@ requires table(k) && symbol <= k->last;
  @ assigns \nothing;
  @ ensures 1 <= \result <= 12 && \result == bits_of(k, symbol); */
PKT_INLINE unsigned code_bits(const pkt_codes *k, unsigned symbol);

/*@ requires table(k) && symbol <= k->last;
  @ assigns \nothing;
  @ ensures \result <= 4095; */
PKT_INLINE unsigned code_of(const pkt_codes *k, unsigned symbol);

/*@ requires table(k);
  @ assigns \nothing;
  @ ensures \result <= k->last; */
static unsigned long_symbol(const pkt_codes *k, uint64_t ahead);

/*@ requires reading(c) && bits <= 64 && \valid(rest) && \separated(c, rest);
  @ assigns c->bit, *rest;
  @ ensures \result == 0 || \result == 1;
  @ ensures \result == 0 ==> c->bit == \old(c->bit);
  @ ensures \result == 1 ==> c->bit == \old(c->bit) + bits && c->bit <= c->limit; */
PKT_INLINE bool rest_get(pkt_cursor *c, unsigned bits, uint64_t after, uint64_t *rest);

/*@ requires reading(c) && symbol <= 64 && \valid(now) && \separated(c, now);
  @ assigns c->bit, *now;
  @ ensures \result == PKT_OK || \result == PKT_ERROR_END || \result == PKT_ERROR_RANGE;
  @ ensures \result == PKT_OK ==> c->bit <= c->limit;
  @ ensures \result == PKT_OK && old <= span ==> *now <= span; */
PKT_INLINE pkt_code difference_get(pkt_cursor *c, unsigned symbol, uint64_t after, uint64_t old, uint64_t *now,
                                   uint64_t span);

/*@ requires reading(c) && 1 <= bits <= 64 && \valid(raw) && \separated(c, raw);
  @ assigns c->bit, *raw;
  @ ensures \result == PKT_OK || \result == PKT_ERROR_END;
  @ ensures \result == PKT_OK ==> c->bit == \old(c->bit) + bits && c->bit <= c->limit;
  @ ensures \result == PKT_ERROR_END ==> c->bit == \old(c->bit); */
static pkt_code get_plain(pkt_cursor *c, uint64_t *raw, unsigned bits);

/*@ requires numbers(k) || rotations(k);
  @ assigns \nothing;
  @ ensures table(\result);
  @ ensures numbers(k) ==> \result->last == k->bits;
  @ ensures rotations(k) ==> \result->last == k->bits + 1; */
PKT_INLINE const pkt_codes *codes_for(const pkt_coded *k, uint64_t old, uint64_t was);

/*@ requires numbers(k);
  @ assigns \nothing;
  @ ensures table(\result) && \result->last == k->bits; */
PKT_INLINE const pkt_codes *value_codes(const pkt_coded *k, uint64_t old, uint64_t was);

/*@ requires reading(c) && numbers(k) && \valid(now) && \separated(c, now, k);
  @ assigns c->bit, *now;
  @ ensures \result == PKT_OK ==> *now <= k->span; */
static pkt_code value_get_plain(pkt_cursor *c, uint64_t *now, const pkt_coded *k);

/*@ requires reading(c) && coding(c) && numbers(k) && \valid(now) && \separated(c, c->coding, now, k);
  @ assigns c->bit, *now, c->coding->lead;
  @ ensures \result == PKT_OK ==> *now <= k->span; */
static pkt_code value_get(pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k);

/* And this. */
/*@ requires i <= 2 && 2 <= parts <= 20;
  @ assigns \nothing;
  @ ensures \result <= most(parts); */
PKT_INLINE uint64_t part_of(uint64_t code, unsigned i, unsigned parts);

/*@ requires from < n <= 0x40000000 && \valid_read(set + (0 .. (n - 1) / 64)) && expected_of((uint64_t *)expected, n);
  @ assigns \nothing;
  @ ensures \result <= n - from; */
static uint32_t run_from(const uint64_t *set, const uint64_t *expected, uint32_t n, uint32_t from);

/*@ requires table(codes);
  @ assigns \nothing;
  @ ensures symbol <= 64 ==> \result < 64; */
static unsigned run_bits(const pkt_codes *codes, unsigned symbol);

/*@ requires runs(codes, run);
  @ assigns \nothing;
  @ ensures \result <= codes->last; */
static unsigned symbol_of_run(const pkt_codes *codes, uint32_t run, bool is_last);

/*@ requires mode == PKT_MEASURE && \valid(bits) && runs(codes, n) && set_of((uint64_t *)set, n);
  @ requires expected_of((uint64_t *)expected, n);
  @ assigns *bits; */
static bool runs_put(const pkt_mode mode, pkt_cursor *c, const uint64_t *set, const uint64_t *expected, uint32_t n,
                     const pkt_codes *codes, unsigned *bits);

/*@ requires reading(c) && runs(codes, n) && \valid(item) && set_of(set, n) && expected_of((uint64_t *)expected, n);
  @ requires \separated(c, item, codes) && (n == 0 || \separated(c, item, set + (0 .. (n - 1) / 64)));
  @ assigns c->bit, *item, set[0 .. (n - 1) / 64]; */
static pkt_code runs_get(pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n, const pkt_codes *codes,
                         uint64_t *item);
#else
/*@ requires \valid(c) && coding(c);
  @ assigns c->coding->lead \from c->coding->lead, plain, coded; */
PKT_INLINE void count(pkt_cursor *c, unsigned plain, unsigned coded);
#endif

/*@ requires reading(c) && table(k) && \valid(symbol) && \valid(after) && \separated(c, symbol, after);
  @ assigns \result, c->bit, *symbol, *after \from c->bit, c->limit, indirect:*k;
  @ ensures \result == 0 || \result == 1;
  @ ensures \result == 0 ==> c->bit == \old(c->bit);
  @ ensures \result == 1 ==> *symbol <= k->last && c->bit <= \old(c->bit) + 12 && c->bit <= c->limit;
  @ ensures \result == 1 ==> PROVE_SET_OF_(symbol) && PROVE_SET_OF_(after); */
PKT_INLINE bool code_get(pkt_cursor *c, const pkt_codes *k, unsigned *symbol, uint64_t *after);

/*@ requires mode == PKT_READ && reading(c) && coding(c) && numbers(k) && \valid(now);
  @ requires \separated(c, c->coding, now, k);
  @ assigns \result, c->bit, *now, c->coding->lead \from c->bit, c->limit, old, was, indirect:*k;
  @ ensures \result == 0 || \result == 1;
  @ ensures \result == 1 ==> *now <= k->span; */
bool pkt_coded_value(pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k);

/*@ requires reading(c) && rotations(k) && \valid(now) && \separated(c, now, k);
  @ assigns \result, c->bit, *now \from c->bit, c->limit, old, was, indirect:*k;
  @ ensures \result == PKT_OK || \result == PKT_ERROR_END || \result == PKT_ERROR_RANGE ||
  @         \result == PKT_ERROR_CANONICAL; */
static pkt_code quat_get_parts(pkt_cursor *c, uint64_t old, uint64_t was, uint64_t *now, const pkt_coded *k);

/*@ requires \valid(c) && coding(c) && runs(codes, n) && set_of(set, n) && expected_of((uint64_t *)expected, n);
  @ requires \separated(c, c->coding) && (n == 0 || \separated(c, c->coding, set + (0 .. (n - 1) / 64)));
  @ assigns c->coding->lead \from c->coding->lead; */
void pkt_coded_count(pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n, const pkt_codes *codes);

/*@ requires reading(c) && coding(c) && runs(codes, n) && \valid(item) && set_of(set, n);
  @ requires expected_of((uint64_t *)expected, n);
  @ requires \separated(c, c->coding, item, codes);
  @ requires n == 0 || \separated(c, c->coding, item, set + (0 .. (n - 1) / 64));
  @ assigns \result, c->bit, *item, c->coding->lead, set[0 .. (n - 1) / 64] \from c->bit, c->limit, n, indirect:*codes; */
static pkt_code elements_get(pkt_cursor *c, uint64_t *set, const uint64_t *expected, uint32_t n, const pkt_codes *codes,
                             uint64_t *item);
#undef PROVE_CODER
#endif

#ifdef PROVE_DIFFERENCE
/*@ requires rotations(k) && \valid(parts + (0 .. 2)) && \separated(parts + (0 .. 2), k);
  @ assigns \result, parts[0 .. 2] \from old, was, now, indirect:*k; */
static unsigned quat_differences(uint64_t old, uint64_t was, uint64_t now, const pkt_coded *k, difference parts[3]);
#endif
