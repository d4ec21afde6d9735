/* train_model.c - computes the lengths of codes from counts.
 * SPDX-License-Identifier: MIT
 */
#include "base/banner.h"
#include "recordings/train_model.h"
#include "model/coding.h"
#include "releases/archive_text.h"

/* Weights of a symbol: for coming once, for coming once in a neighbouring context, and for never coming. An unseen
 * context is probably like its neighbours. */
enum { COUNT_WEIGHT = 96, NEAR_WEIGHT = 1, LEAST_WEIGHT = 32 };

train_counts train_counts_new(arena *a, const schema *s)
{
    train_counts k = {a, s, ARENA_ARRAY(a, uint64_t *, s->table_count)};
    for (const code_table *t = s->tables; t; t = t->next)
        k.of[t->index] = ARENA_ARRAY(a, uint64_t, t->count);
    return k;
}

void train_count(void *counts, const code_table *t, unsigned symbol)
{
    const train_counts *k = counts;
    k->of[t->index][symbol]++;
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
            weigh_field(k, f);
            for (unsigned i = 0; i < CODE_CONTEXTS && f->codes[i]; i++)
                weighed[f->codes[i]->index] = true;
        }
    }
    for (const code_table *t = k->schema->tables; t; t = t->next)
        for (unsigned symbol = 0; !weighed[t->index] && symbol < t->count; symbol++)
            k->of[t->index][symbol] *= COUNT_WEIGHT;
}

void train_lengths(const train_counts *k)
{
    weigh_all(k);
    for (const code_table *t = k->schema->tables; t; t = t->next)
        give_lengths(k->of[t->index], t->count, t->lengths);
}

const char *train_model_text(arena *a, const schema *s, size_t *size)
{
    out *text = out_new(a);
    out_put(text, BANNER_MODEL " The protocol id depends on it.\n", NULL);
    for (const code_table *t = s->tables; t; t = t->next) {
        code_table_put(a, text, t);
        out_put(text, "\n", NULL);
    }
    return out_result(text, size);
}
