/* train.c - see train.h.
 * SPDX-License-Identifier: MIT
 */
#include "commands/train.h"
#include "codec/codec.h"
#include "model/coding.h"

#include <errno.h>
#include <string.h>

/* A symbol that never came weighs as a part of one that came once, and one of the contexts beside it as another part: a
 * context that was not seen in training is probably like these. */
enum { COUNT_WEIGHT = 96, NEAR_WEIGHT = 1, LEAST_WEIGHT = 32 };

/* A value of a recording, with all memory that it needs. */
typedef struct tick {
    arena *arena;
    datum value;
} tick;

typedef struct trainer {
    arena *arena;
    diag *diag;
    const schema *schema;
    const decl *decl;
    const train_request *request;
    uint64_t **counts; /* by index of the table, then by symbol */
    tick *ticks;       /* the last ones: tick n is at n % kept */
    uint32_t kept;
} trainer;

static void count_symbol(void *user, const code_table *t, unsigned symbol)
{
    const trainer *k = user;
    k->counts[t->index][symbol]++;
}

/* ---- recordings */

static bool refuse(const trainer *k, const char *file, uint32_t n, const char *why)
{
    diag_error(k->diag, (span){0}, "'%s': value %u %s", file, (unsigned)n, why);
    return false;
}

static void count_delta(const trainer *k, uint32_t n)
{
    const train_request *r = k->request;
    if (n < r->back + r->gap)
        return;
    arena *scratch = arena_new();
    datum now = k->ticks[n % k->kept].value, base = k->ticks[(n - r->back) % k->kept].value;
    const datum before = k->ticks[(n - r->back - r->gap) % k->kept].value;
    datum expected = base;
    codec_options how = {.delta = true, .room = SIZE_MAX, .count = count_symbol, .user = (void *)(uintptr_t)k};
    codec_error error;
    size_t size;
    if (k->decl->predicts) {
        expected = codec_predict(scratch, k->decl, &base, &before, r->back, r->gap);
        how.was = &base;
    }
    how.base = &expected;
    (void)codec_write(scratch, k->schema, k->decl, &now, &how, &size, &error);
    arena_free(scratch);
}

static bool read_recording(trainer *k, const source *file)
{
    uint32_t at = 0, n = 0;
    for (; at < file->size; n++) {
        const unsigned char *data = file->text + at;
        if (file->size - at < 4)
            return refuse(k, file->path, n, "is cut off");
        const uint32_t size = data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
        if (size > file->size - at - 4)
            return refuse(k, file->path, n, "is cut off");
        tick *t = &k->ticks[n % k->kept];
        codec_options how = {.room = SIZE_MAX};
        codec_error error;
        if (t->arena)
            arena_free(t->arena);
        t->arena = arena_new();
        if (!codec_read(t->arena, k->schema, k->decl, data + 4, size, &how, &t->value, &error))
            return refuse(k, file->path, n, "is no value of this type");
        count_delta(k, n);
        at += 4 + size;
    }
    return true;
}

static bool read_all(trainer *k, arena *a)
{
    bool good = true;
    for (size_t i = 0; i < k->request->count && good; i++) {
        const source *file = source_read(a, k->request->recordings[i]);
        if (!file) {
            diag_error(k->diag, (span){0}, "cannot read '%s': %s", k->request->recordings[i], strerror(errno));
            return false;
        }
        good = read_recording(k, file);
    }
    return good;
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

static const decl *find_type(diag *d, const schema *s, const char *name)
{
    for (const decl *each = s->decls; each; each = each->next) {
        if (strcmp(each->name, name) != 0)
            continue;
        if (!each->delta || !each->holds_coded) {
            diag_error(d, (span){0}, "'%s' is no @delta type with coded fields, so there is nothing to train", name);
            return NULL;
        }
        return each;
    }
    diag_error(d, (span){0}, "the schema has no type '%s'", name);
    return NULL;
}

/* Gives counts their weights. */
static void weigh_field(const trainer *k, const field *f)
{
    const code_table *first = f->codes[0];
    for (unsigned symbol = 0; first && symbol < first->count; symbol++) {
        uint64_t before = 0;
        for (unsigned i = 0; i < CODE_CONTEXTS && f->codes[i]; i++) {
            uint64_t *here = &k->counts[f->codes[i]->index][symbol];
            const uint64_t count = *here, after = i + 1 < CODE_CONTEXTS && f->codes[i + 1]
                                                      ? k->counts[f->codes[i + 1]->index][symbol]
                                                      : 0;
            *here = count * COUNT_WEIGHT + (before + after) * NEAR_WEIGHT;
            before = count;
        }
    }
}

static void weigh_all(const trainer *k)
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
            k->counts[t->index][symbol] *= COUNT_WEIGHT;
}

static void print_model(const trainer *k)
{
    printf(
        "# How many bits the symbols of coded fields have, as `pktc train` found them. The protocol id depends on it.\n");
    for (const code_table *t = k->schema->tables; t; t = t->next) {
        give_lengths(k->counts[t->index], t->count, t->lengths);
        printf("%s:", t->name);
        for (unsigned i = 0; i < t->count; i++)
            printf(" %u", t->lengths[i]);
        printf("\n");
    }
}

void train(arena *a, diag *d, const schema *s, const train_request *request)
{
    trainer k = {.arena = a, .diag = d, .schema = s, .request = request};
    k.decl = find_type(d, s, request->type);
    if (!k.decl)
        return;
    k.kept = request->back + request->gap + 1;
    k.ticks = ARENA_ARRAY(a, tick, k.kept);
    k.counts = ARENA_ARRAY(a, uint64_t *, s->table_count);
    for (const code_table *t = s->tables; t; t = t->next)
        k.counts[t->index] = ARENA_ARRAY(a, uint64_t, t->count);
    if (read_all(&k, a)) {
        weigh_all(&k);
        print_model(&k);
    }
    for (uint32_t i = 0; i < k.kept; i++)
        if (k.ticks[i].arena)
            arena_free(k.ticks[i].arena);
}
