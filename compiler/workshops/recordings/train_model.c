/* train_model.c - computes the lengths of codes from counts.
 * SPDX-License-Identifier: MIT
 */
#include "base/banner.h"
#include "recordings/train_model.h"
#include "recordings/packed.h"
#include "model/coding.h"
#include "releases/archive_text.h"

#include <stdlib.h>
#include <string.h>

/* Weights of a symbol: for coming once, for coming once in a neighbouring context, and for never coming. An unseen
 * context is probably like its neighbours. */
enum { COUNT_WEIGHT = 96, NEAR_WEIGHT = 1, LEAST_WEIGHT = 32 };

train_counts train_counts_new(arena *a, schema *s)
{
    train_counts k = {a, s, ARENA_ARRAY(a, uint64_t *, s->table_count), ARENA_ARRAY(a, number_counts, s->coded_numbers),
                      arena_alloc(a, s->coded_masks * sizeof *k.masks)};
    for (const code_table *t = s->tables; t; t = t->next)
        k.of[t->index] = t->number || t->changes ? NULL : ARENA_ARRAY(a, uint64_t, t->count);
    return k;
}

void train_counts_clear(const train_counts *k)
{
    for (const code_table *t = k->schema->tables; t; t = t->next)
        if (k->of[t->index])
            memset(k->of[t->index], 0, t->count * sizeof **k->of);
    for (uint32_t i = 0; i < k->schema->coded_numbers; i++) {
        memset(k->numbers[i].differences, 0, sizeof k->numbers[i].differences);
        histogram_clear(&k->numbers[i].pairs);
    }
    for (uint32_t i = 0; i < k->schema->coded_masks; i++) {
        for (unsigned fresh = 0; fresh < 2; fresh++) {
            memset(k->masks[i][fresh].groups, 0, sizeof k->masks[i][fresh].groups);
            histogram_clear(&k->masks[i][fresh].masks);
        }
    }
}

static void count_mask(const train_counts *k, const block *b, uint64_t mask, bool is_new)
{
    mask_counts *m = &k->masks[b->mask_number][is_new];
    unsigned at = 0;
    for (unsigned g = 0; g < mask_groups(b->mask_fields); at += mask_group_size(b->mask_fields, g++))
        m->groups[g][mask >> at & ((1u << mask_group_size(b->mask_fields, g)) - 1)]++;
    histogram_add(k->arena, &m->masks, mask);
}

void mask_counts_add(arena *a, mask_counts *to, const mask_counts *from)
{
    for (unsigned g = 0; g < CODE_MASK_GROUPS; g++)
        for (unsigned symbol = 0; symbol < 1 << CODE_MASK_FIELDS; symbol++)
            count_add(&to->groups[g][symbol], from->groups[g][symbol]);
    histogram_merge(a, &to->masks, &from->masks);
}

void train_count(void *counts, const code_table *t, unsigned symbol, uint64_t old, uint64_t now)
{
    const train_counts *k = counts;
    if (t->changes) {
        count_mask(k, t->changes, now, old != 0);
        return;
    }
    if (!t->number) {
        k->of[t->index][symbol]++;
        return;
    }
    number_counts *n = &k->numbers[t->number->coded_number];
    n->differences[bit_length(old < now ? now - old : old - now)]++;
    histogram_add(k->arena, &n->pairs, now << 32 | old);
}

/* ---- codes: those of Huffman, made more even until none is too long */

static unsigned longest_code(const uint64_t *weights, unsigned count, uint8_t *lengths)
{
    enum { MOST = 2 * 80 };
    uint64_t left[MOST];
    unsigned parents[MOST], nodes = count, longest = 0;
    bool joined[MOST] = {false};
    for (unsigned i = 0; i < count; i++)
        left[i] = weights[i];
    for (unsigned n = count; n > 1; n--) {
        unsigned two[2] = {MOST, MOST};
        for (unsigned i = 0; i < nodes; i++) {
            if (joined[i])
                continue;
            if (two[0] == MOST || left[i] < left[two[0]]) {
                two[1] = two[0];
                two[0] = i;
            } else if (two[1] == MOST || left[i] < left[two[1]]) {
                two[1] = i;
            }
        }
        joined[two[0]] = joined[two[1]] = true;
        parents[two[0]] = parents[two[1]] = nodes;
        left[nodes++] = left[two[0]] + left[two[1]];
    }
    for (unsigned i = 0; i < count; i++) {
        unsigned bits = 0;
        for (unsigned node = i; node != nodes - 1; node = parents[node])
            bits++;
        lengths[i] = (uint8_t)bits;
        longest = bits > longest ? bits : longest;
    }
    return longest;
}

static void give_lengths(const uint64_t *counts, unsigned count, uint8_t *lengths)
{
    uint64_t weights[80], most = 0;
    for (unsigned i = 0; i < count; i++) {
        weights[i] = counts[i] + LEAST_WEIGHT;
        most = weights[i] > most ? weights[i] : most;
    }
    while (longest_code(weights, count, lengths) > CODE_LONGEST)
        for (unsigned i = 0; i < count; i++)
            weights[i] = weights[i] / 2 + most / 4096 + 1;
}

/* ---- the whole */

/* Gives counts their weights. */
static void weigh_field(const train_counts *k, const field *f)
{
    const code_table *first = f->codes[0];
    for (unsigned symbol = 0; first && symbol < first->count; symbol++) {
        uint64_t before = 0;
        for (unsigned i = 0; i < CODE_CONTEXTS && f->codes[i]; i++) {
            uint64_t *here = &k->of[f->codes[i]->index][symbol];
            const uint64_t count = *here,
                           after = i + 1 < CODE_CONTEXTS && f->codes[i + 1] ? k->of[f->codes[i + 1]->index][symbol] : 0;
            *here = count * COUNT_WEIGHT + (before + after) * NEAR_WEIGHT;
            before = count;
        }
    }
}

static void weigh_all(const train_counts *k)
{
    bool *weighed = ARENA_ARRAY(k->arena, bool, k->schema->table_count);
    for (const decl *d = k->schema->decls; d; d = d->next) {
        for (const field *f = d->fields; f; f = f->next) {
            if (can_code_values(f))
                continue;
            weigh_field(k, f);
            for (unsigned i = 0; i < CODE_CONTEXTS && f->codes[i]; i++)
                weighed[f->codes[i]->index] = true;
        }
    }
    for (const code_table *t = k->schema->tables; t; t = t->next)
        for (unsigned symbol = 0; k->of[t->index] && !weighed[t->index] && symbol < t->count; symbol++)
            k->of[t->index][symbol] *= COUNT_WEIGHT;
}

/* ---- numbers: by their frequent values, or by differences */

/* The codes of a number by its values, and what they cost. */
typedef struct by_values {
    uint64_t codes[CODE_VALUES_MOST];
    unsigned count, contexts;
    uint8_t lengths[CODE_CONTEXTS][CODE_VALUES_MOST + 1];
    uint64_t bits;
} by_values;

/* The bits of a model that a length of a code is worth: what it saves has to be more. */
enum { BITS_OF_LENGTH = 8 };

/* The new values, the most frequent first. The pairs are in ascending order of these. Returns how many there are. */
static unsigned count_values(const histogram *pairs, histogram_entry *values)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < pairs->distinct; i++) {
        const uint64_t code = pairs->entries[i].value >> 32;
        if (count == 0 || values[count - 1].value != code)
            values[count++] = (histogram_entry){code, 0};
        values[count - 1].count += pairs->entries[i].count;
    }
    qsort(values, count, sizeof *values, histogram_by_count);
    return count;
}

/* Gives lengths to the symbols that can come in a context; 0 to all others. */
static void give_lengths_in(const field *f, by_values *v, unsigned context, const uint64_t *counts)
{
    uint64_t coming[CODE_VALUES_MOST + 1];
    uint8_t lengths[CODE_VALUES_MOST + 1];
    unsigned count = 0;
    for (unsigned symbol = 0; symbol <= v->count; symbol++)
        if (value_comes(f, v->count, context, symbol))
            coming[count++] = counts[symbol];
    give_lengths(coming, count, lengths);
    count = 0;
    for (unsigned symbol = 0; symbol <= v->count; symbol++)
        v->lengths[context][symbol] = value_comes(f, v->count, context, symbol) ? lengths[count++] : 0;
}

/* Finds the lengths and the cost for v->codes. whole: the bits of a number in full. */
static void give_values(const field *f, const histogram *pairs, by_values *v, unsigned whole)
{
    /* As above, but what never comes weighs an eighth, because a context has few counts for many symbols; and what comes in any
     * context weighs its share of four. */
    enum { SCALE = 8, ALL_WEIGHT = 4 * SCALE * COUNT_WEIGHT };
    const code_values values = {.count = v->count, .codes = v->codes};
    uint64_t counts[CODE_CONTEXTS][CODE_VALUES_MOST + 1] = {{0}}, weights[CODE_VALUES_MOST + 1],
                                                      all[CODE_VALUES_MOST + 1] = {0};
    v->contexts = v->count < CODE_CONTEXTS ? v->count + 1 : CODE_CONTEXTS;
    for (uint32_t i = 0; i < pairs->distinct; i++) {
        const histogram_entry *e = &pairs->entries[i];
        const unsigned old = symbol_of_value(&values, e->value & UINT32_MAX),
                       now = symbol_of_value(&values, e->value >> 32);
        counts[old < v->contexts ? old : v->contexts - 1][now] += e->count;
        all[now] += e->count;
    }
    v->bits = (uint64_t)BITS_OF_LENGTH * v->contexts * (v->count + 1);
    for (unsigned context = 0; context < v->contexts; context++) {
        for (unsigned symbol = 0; symbol <= v->count; symbol++)
            weights[symbol] = counts[context][symbol] * SCALE * COUNT_WEIGHT + all[symbol] * ALL_WEIGHT / pairs->total;
        give_lengths_in(f, v, context, weights);
        for (unsigned symbol = 0; symbol <= v->count; symbol++)
            v->bits += counts[context][symbol] * (v->lengths[context][symbol] + (symbol == v->count ? whole : 0));
    }
}

/* The best choice of values, if it takes fewer bits than `most`. */
static bool find_values(arena *a, const field *f, histogram *pairs, unsigned whole, uint64_t most, by_values *best)
{
    static const unsigned sizes[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 25, CODE_VALUES_MOST};
    if ((pairs->others != 0 && !has_values_only(f)) || pairs->distinct == 0)
        return false;
    histogram_settle(pairs);
    histogram_entry *values = ARENA_ARRAY(a, histogram_entry, pairs->distinct);
    const unsigned count = count_values(pairs, values);
    best->bits = most;
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes && (i == 0 || sizes[i - 1] < count); i++) {
        by_values v = {.count = sizes[i] < count ? sizes[i] : count};
        for (unsigned n = 0; n < v.count; n++)
            v.codes[n] = values[n].value;
        give_values(f, pairs, &v, whole);
        if (v.bits < best->bits)
            *best = v;
    }
    return best->bits < most;
}

static void give_best_values(const train_counts *k, field *f, const by_values *best)
{
    code_by_values(k->arena, k->schema, f, best->codes, best->count);
    for (unsigned i = 0; i < best->contexts; i++)
        memcpy(f->codes[i]->lengths, best->lengths[i], best->count + 1);
}

static void code_category(const train_counts *k, field *f)
{
    by_values best;
    if (find_values(k->arena, f, &k->numbers[f->coded_number].pairs, coded_bits(&f->type), UINT64_MAX, &best))
        give_best_values(k, f, &best);
}

static void code_number(const train_counts *k, field *f)
{
    number_counts *n = &k->numbers[f->coded_number];
    const unsigned whole = coded_bits(&f->type);
    uint64_t weights[sizeof n->differences / sizeof *n->differences], bits = 0;
    uint8_t lengths[sizeof n->differences / sizeof *n->differences];
    by_values best;
    for (unsigned symbol = 0; symbol <= whole; symbol++)
        weights[symbol] = n->differences[symbol] * COUNT_WEIGHT;
    give_lengths(weights, whole + 1, lengths);
    for (unsigned symbol = 0; symbol <= whole; symbol++)
        bits += n->differences[symbol] * (lengths[symbol] + symbol);
    if (find_values(k->arena, f, &n->pairs, whole, bits, &best)) {
        give_best_values(k, f, &best);
        return;
    }
    if (f->values)
        code_by_differences(k->arena, k->schema, f);
    memcpy(f->codes[0]->lengths, lengths, whole + 1);
}

/* ---- change masks: by their frequent values, or in groups */

/* The best codes of a mask, and what they cost. */
typedef struct mask_codes {
    unsigned count; /* of frequent masks; 0: it is coded in groups */
    uint64_t masks[CODE_VALUES_MOST];
    uint8_t lengths[CODE_VALUES_MOST + 1], groups[CODE_MASK_GROUPS][1 << CODE_MASK_FIELDS];
    uint64_t bits;
} mask_codes;

static void give_groups(const mask_counts *m, unsigned fields, mask_codes *to)
{
    for (unsigned g = 0; g < mask_groups(fields); g++) {
        const unsigned count = 1u << mask_group_size(fields, g);
        uint64_t weights[1 << CODE_MASK_FIELDS];
        for (unsigned symbol = 0; symbol < count; symbol++)
            weights[symbol] = m->groups[g][symbol] * COUNT_WEIGHT;
        give_lengths(weights, count, to->groups[g]);
        for (unsigned symbol = 0; symbol < count; symbol++)
            to->bits += m->groups[g][symbol] * to->groups[g][symbol];
    }
}

/* The best number of frequent masks, of those in `sorted`, if they take fewer bits than the groups. */
static void give_frequent_masks(const histogram *h, const histogram_entry *sorted, unsigned fields, mask_codes *to)
{
    for (unsigned count = 1; count <= CODE_VALUES_MOST && count <= h->distinct; count++) {
        uint64_t weights[CODE_VALUES_MOST + 1],
            others = h->total, cost = (uint64_t)(count + 1) * BITS_OF_LENGTH + (uint64_t)count * fields;
        uint8_t lengths[CODE_VALUES_MOST + 1];
        for (unsigned i = 0; i < count; i++) {
            weights[i] = sorted[i].count * COUNT_WEIGHT;
            others -= sorted[i].count;
        }
        weights[count] = others * COUNT_WEIGHT;
        give_lengths(weights, count + 1, lengths);
        for (unsigned i = 0; i < count; i++)
            cost += sorted[i].count * lengths[i];
        cost += others * (lengths[count] + fields);
        if (cost >= to->bits)
            continue;
        to->bits = cost;
        to->count = count;
        memcpy(to->lengths, lengths, count + 1);
    }
    for (unsigned i = 0; i < to->count; i++)
        to->masks[i] = sorted[i].value;
}

static mask_codes best_mask_codes(arena *a, mask_counts *m, unsigned fields)
{
    mask_codes best = {0};
    give_groups(m, fields, &best);
    histogram_settle(&m->masks);
    if (fields > CODE_MASK_WHOLE || m->masks.others != 0 || m->masks.distinct == 0)
        return best;
    histogram_entry *sorted = ARENA_ARRAY(a, histogram_entry, m->masks.distinct);
    memcpy(sorted, m->masks.entries, m->masks.distinct * sizeof *sorted);
    qsort(sorted, m->masks.distinct, sizeof *sorted, histogram_by_count);
    give_frequent_masks(&m->masks, sorted, fields, &best);
    return best;
}

static void set_mask_codes(const train_counts *k, block *b, const mask_codes *codes)
{
    if (codes->count != 0) {
        code_mask_by_values(k->arena, k->schema, b, codes->masks, codes->count);
        memcpy(b->masks[0]->lengths, codes->lengths, codes->count + 1);
        return;
    }
    if (b->mask_values)
        code_mask_in_groups(k->arena, k->schema, b);
    for (unsigned g = 0; g < mask_tables(b); g++)
        memcpy(b->masks[g]->lengths, codes->groups[g], b->masks[g]->count);
}

/* The bits of a model that the lengths of a mask in groups are worth. */
static uint64_t bits_of_groups(unsigned fields)
{
    uint64_t symbols = 0;
    for (unsigned g = 0; g < mask_groups(fields); g++)
        symbols += UINT64_C(1) << mask_group_size(fields, g);
    return symbols * BITS_OF_LENGTH;
}

static void code_mask(const train_counts *k, block *b)
{
    const unsigned fields = b->mask_fields;
    mask_counts *counts = k->masks[b->mask_number], all = {0};
    mask_counts_add(k->arena, &all, &counts[0]);
    mask_counts_add(k->arena, &all, &counts[1]);
    const mask_codes alike = best_mask_codes(k->arena, &all, fields);
    const mask_codes old = best_mask_codes(k->arena, &counts[0], fields),
                     fresh = best_mask_codes(k->arena, &counts[1], fields);
    code_new_masks_alike(k->arena, k->schema, b);
    if (old.bits + fresh.bits + (fresh.count == 0 ? bits_of_groups(fields) : 0) >= alike.bits) {
        set_mask_codes(k, b, &alike);
        return;
    }
    set_mask_codes(k, b, &old);
    code_new_masks(k->arena, k->schema, b);
    set_mask_codes(k, b->in_new, &fresh);
}

void train_lengths(const train_counts *k)
{
    weigh_all(k);
    for (const code_table *t = k->schema->tables; t; t = t->next)
        if (k->of[t->index])
            give_lengths(k->of[t->index], t->count, t->lengths);
    /* The tables of a mask follow each other, and those after them stay. */
    for (const code_table *t = k->schema->tables, *next; t; t = next) {
        for (next = t->next;
             t->changes && next && next->changes && next->changes->mask_number == t->changes->mask_number;)
            next = next->next;
        if (t->changes)
            code_mask(k, t->changes);
    }
    for (const decl *d = k->schema->decls; d; d = d->next)
        for (field *f = d->fields; f; f = f->next)
            if (has_values_only(f))
                code_category(k, f);
            else if (can_code_values(f))
                code_number(k, f);
}

const char *train_model_text(arena *a, const schema *s, size_t *size)
{
    out *text = out_new(a);
    out_put(text, BANNER_MODEL " The protocol id depends on it.\n", NULL);
    for (const code_table *t = s->tables; t; t = t->next) {
        if (values_before(t)) {
            code_values_put(a, text, t->values);
            out_put(text, "\n", NULL);
        }
        code_table_put(a, text, t);
        out_put(text, "\n", NULL);
    }
    return out_result(text, size);
}
