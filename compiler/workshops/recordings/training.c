/* training.c - counts symbols over all deltas, and prints the model or the bits that it would save.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/training.h"
#include "pages/text_table.h"
#include "recordings/train_model.h"
#include "model/coding.h"

#include <inttypes.h>
#include <string.h>

/* The bits of a type's deltas. */
typedef struct type_cost {
    struct type_cost *next;
    const decl *decl;
    uint64_t deltas, bits_recorded, bits_now, bits_fresh; /* recorded: 0 if they were not sent as deltas */
} type_cost;

struct training {
    arena *arena;
    const train_request *request;
    schema *schema;
    const schema *current;
    train_deltas *deltas;
    train_counts counts;
    type_cost *costs; /* in the order of the schema */
    train_found found;
    bool fresh; /* the codes are those of the fresh model */
};

static type_cost *costs_of(arena *a, const schema *s)
{
    type_cost *costs = NULL, **last = &costs;
    for (const decl *d = s->decls; d; d = d->next) {
        if (!d->delta || !d->holds_coded)
            continue;
        *last = ARENA_NEW(a, type_cost);
        (*last)->decl = d;
        last = &(*last)->next;
    }
    return costs;
}

/* The bits of a delta; 0 if it cannot be written. */
static uint64_t bits_of_value(training *k, arena *scratch, const schema *s, bases *known, const decl *d, const datum *v,
                              const datum *base, const datum *was, const datum *start, bool counts)
{
    uint64_t bits = 0;
    const codec_options how = {.bases = known,
                               .delta = true,
                               .base = base,
                               .was = was,
                               .started = start,
                               .room = SIZE_MAX,
                               .bits = &bits,
                               .count = counts ? train_count : NULL,
                               .user = &k->counts};
    codec_error error;
    size_t size;
    return codec_write(scratch, s, d, v, &how, &size, &error) ? bits : 0;
}

static void write_delta(void *user, arena *scratch, const train_delta *d)
{
    training *k = user;
    const codec_part *r = d->recorded;
    type_cost *cost = k->costs;
    while (cost->decl != d->decl)
        cost = cost->next;
    const uint64_t bits =
        bits_of_value(k, scratch, k->schema, d->bases, d->decl, d->now, d->base, d->was, d->start, !k->fresh);
    if (k->fresh) {
        cost->bits_fresh += bits;
        return;
    }
    cost->deltas += bits > 0;
    cost->bits_now += bits;
    if (r)
        cost->bits_recorded += r->bits ? r->bits
                                       : bits_of_value(k, scratch, d->recorded_schema, d->recorded_bases, r->decl,
                                                       &r->value, r->base, r->was, r->start, false);
}

static type_cost sum_of_costs(const training *k)
{
    type_cost all = {0};
    for (const type_cost *c = k->costs; c; c = c->next) {
        all.deltas += c->deltas;
        all.bits_recorded += c->bits_recorded;
        all.bits_now += c->bits_now;
        all.bits_fresh += c->bits_fresh;
    }
    return all;
}

/* ---- what was found */

static void report_none(diag *d, const train_request *r, const train_found *found)
{
    if (r->type && found->values == 0) {
        message *m = diag_error(d, (span){0}, "the recordings have no value of '%s'", r->type);
        if (r->stream_count == 0)
            diag_help(d, m, "--stream 'NAME=TYPE, TYPE delta(...)' names the types in frames");
        return;
    }
    if (r->type) {
        diag_error(d, (span){0}, "there are too few values of '%s': a delta needs one %" PRIu32 " values before it",
                   r->type, r->back + r->gap);
        return;
    }
    message *m = diag_error(d, (span){0}, "there is no delta of a type with coded fields");
    if (r->stream_count == 0)
        diag_help(
            d, m,
            "--stream 'NAME=TYPE, TYPE delta(...)' names the types in frames; or give the name of a type, so that "
            "deltas between its values are taken");
    else if (found->datagrams == 0)
        diag_help(d, m, "no datagram could be read; `pktc decode` says why");
    else
        diag_help(d, m, "give the name of a type, so that deltas between its values are taken");
}

bool training_suffices(const training *k, diag *d)
{
    const train_found *found = &k->found;
    if (sum_of_costs(k).deltas == 0) {
        report_none(d, k->request, found);
        return false;
    }
    if (found->lost > 0)
        diag_warning(d, (span){0}, "%" PRIu64 " values do not convert to this schema, and are left out", found->lost);
    if (found->straight)
        diag_help(
            d, diag_warning(d, (span){0}, "some deltas of types with @delta(predict) were not predicted when recorded"),
            "give the name of the type: then each value is predicted from the values --back and --gap before it");
    return true;
}

/* Codes a schema as the same schema with a model codes. */
static void take_model(arena *a, schema *s, const schema *current)
{
    for (decl *d = s->decls, *from = current->decls; d; d = d->next, from = from->next)
        for (field *f = d->fields, *of = from->fields; f; f = f->next, of = of->next)
            if (of->values)
                code_by_values(a, s, f, of->values->codes, of->values->count);
    for (code_table *now = s->tables, *then = current->tables; then; now = now->next, then = then->next) {
        block *b = now->changes;
        if (then->changes && then->changes->in_new)
            code_new_masks(a, s, b);
        if (!then->changes || !values_before(then))
            continue;
        code_mask_by_values(a, s, b, then->values->codes, then->values->count);
        now = b->masks[0];
    }
    for (code_table *now = s->tables, *then = current->tables; then; now = now->next, then = then->next)
        memcpy(now->lengths, then->lengths, now->count);
}

training *training_new(arena *a, diag *d, const train_request *request, const schema *current)
{
    schema *s = request->schema;
    if (current)
        take_model(a, s, current);
    training *k = ARENA_NEW(a, training);
    *k = (training){.arena = a,
                    .request = request,
                    .schema = s,
                    .current = current,
                    .counts = train_counts_new(a, s),
                    .costs = costs_of(a, s)};
    k->deltas = train_deltas_new(a, d, request);
    return k->deltas ? k : NULL;
}

bool training_count(training *k, diag *d, size_t number)
{
    train_found again = {0};
    return train_deltas_read(k->deltas, d, number, write_delta, k, k->fresh ? &again : &k->found);
}

void training_finish(training *k)
{
    train_lengths(&k->counts);
    k->fresh = true;
}

const char *training_model(const training *k)
{
    size_t size;
    return train_model_text(k->arena, k->schema, &size);
}

/* ---- counts as bytes */

/* Whether the symbols of a table are counted; of numbers with values and of masks, values are. */
static bool is_counted_alone(const code_table *t)
{
    return !t->number && !t->changes;
}

enum { DIFFERENCES = sizeof((number_counts *)NULL)->differences / sizeof(uint64_t) };

static bool is_first_of_mask(const code_table *t)
{
    return t->changes && !t->changes->is_new && t->changes->masks[0] == t;
}

/* The counts of a group's symbols. */
static unsigned group_symbols(const block *b, unsigned group)
{
    return 1u << mask_group_size(b->mask_fields, group);
}

static void put_histogram(packer *to, arena *scratch, const histogram *h)
{
    histogram copy = {0};
    histogram_merge(scratch, &copy, h);
    histogram_settle(&copy);
    histogram_put(to, &copy);
}

static void put_mask(packer *to, arena *scratch, const mask_counts *m, const block *b)
{
    for (unsigned g = 0; g < mask_groups(b->mask_fields); g++)
        for (unsigned symbol = 0; symbol < group_symbols(b, g); symbol++)
            pack_number(to, m->groups[g][symbol]);
    put_histogram(to, scratch, &m->masks);
}

static void take_mask_counts(unpacker *from, arena *a, mask_counts *m, const block *b)
{
    for (unsigned g = 0; g < mask_groups(b->mask_fields); g++)
        for (unsigned symbol = 0; symbol < group_symbols(b, g); symbol++)
            m->groups[g][symbol] = unpack_count(from);
    histogram_take(from, a, &m->masks);
}

void training_put(packer *to, const training *k)
{
    const train_found *found = &k->found;
    pack_number(to, found->datagrams);
    pack_number(to, found->bytes);
    pack_number(to, found->values);
    pack_number(to, found->lost);
    pack_number(to, found->straight);
    for (const type_cost *c = k->costs; c; c = c->next) {
        pack_number(to, c->deltas);
        pack_number(to, c->bits_recorded);
        pack_number(to, c->bits_now);
        pack_number(to, c->bits_fresh);
    }
    for (const code_table *t = k->schema->tables; t; t = t->next)
        for (unsigned symbol = 0; is_counted_alone(t) && symbol < t->count; symbol++)
            pack_number(to, k->counts.of[t->index][symbol]);
    arena *scratch = arena_new();
    for (uint32_t i = 0; i < k->schema->coded_numbers; i++) {
        const number_counts *n = &k->counts.numbers[i];
        for (unsigned symbol = 0; symbol < DIFFERENCES; symbol++)
            pack_number(to, n->differences[symbol]);
        put_histogram(to, scratch, &n->pairs);
    }
    for (const code_table *t = k->schema->tables; t; t = t->next)
        for (unsigned fresh = 0; is_first_of_mask(t) && fresh < 2; fresh++)
            put_mask(to, scratch, &k->counts.masks[t->changes->mask_number][fresh], t->changes);
    arena_free(scratch);
}

/* Adds the counts of another one of the same schema. */
static void add_training(training *k, const training *from)
{
    count_add(&k->found.datagrams, from->found.datagrams);
    count_add(&k->found.bytes, from->found.bytes);
    count_add(&k->found.values, from->found.values);
    count_add(&k->found.lost, from->found.lost);
    k->found.straight = k->found.straight || from->found.straight;
    type_cost *to = k->costs;
    for (const type_cost *c = from->costs; c; c = c->next, to = to->next) {
        count_add(&to->deltas, c->deltas);
        count_add(&to->bits_recorded, c->bits_recorded);
        count_add(&to->bits_now, c->bits_now);
        count_add(&to->bits_fresh, c->bits_fresh);
    }
    for (const code_table *t = k->schema->tables; t; t = t->next)
        for (unsigned symbol = 0; is_counted_alone(t) && symbol < t->count; symbol++)
            count_add(&k->counts.of[t->index][symbol], from->counts.of[t->index][symbol]);
    for (uint32_t i = 0; i < k->schema->coded_numbers; i++) {
        for (unsigned symbol = 0; symbol < DIFFERENCES; symbol++)
            count_add(&k->counts.numbers[i].differences[symbol], from->counts.numbers[i].differences[symbol]);
        histogram_merge(k->counts.arena, &k->counts.numbers[i].pairs, &from->counts.numbers[i].pairs);
    }
    for (uint32_t i = 0; i < k->schema->coded_masks; i++)
        for (unsigned fresh = 0; fresh < 2; fresh++)
            mask_counts_add(k->counts.arena, &k->counts.masks[i][fresh], &from->counts.masks[i][fresh]);
}

/* Whether the values of a number, and its values before, are of its type. */
static bool has_values_of_type(const field *f, const histogram *pairs)
{
    for (uint32_t i = 0; i < pairs->room; i++) {
        const uint64_t pair = pairs->entries[i].value;
        if (pairs->entries[i].count != 0 && (!can_code_values(f) || !is_code_of_type(&f->type, pair >> 32) ||
                                             !is_code_of_type(&f->type, pair & UINT32_MAX)))
            return false;
    }
    return true;
}

static bool has_masks_of_block(const block *b, const histogram *masks)
{
    for (uint32_t i = 0; i < masks->room; i++)
        if (masks->entries[i].count != 0 && masks->entries[i].value >> b->mask_fields != 0)
            return false;
    return true;
}

/* The first number or mask with a value that it cannot have; NULL if there is none. */
static const char *find_wrong_values(const training *k)
{
    for (const decl *d = k->schema->decls; d; d = d->next)
        for (const field *f = d->fields; f; f = f->next)
            if (f->codes[0] && !has_values_of_type(f, &k->counts.numbers[f->coded_number].pairs))
                return arena_printf(k->arena, "values of '%s.%s'", d->name, f->name);
    for (const code_table *t = k->schema->tables; t; t = t->next)
        for (unsigned fresh = 0; is_first_of_mask(t) && fresh < 2; fresh++)
            if (!has_masks_of_block(t->changes, &k->counts.masks[t->changes->mask_number][fresh].masks))
                return arena_printf(k->arena, "changes of '%.*s'", (int)strcspn(t->name, " "), t->name);
    return NULL;
}

bool training_take(unpacker *from, training *k, const char **wrong)
{
    arena *a = arena_new();
    training part = {.arena = k->arena,
                     .schema = k->schema,
                     .counts = train_counts_new(a, k->schema),
                     .costs = costs_of(a, k->schema)};
    part.found.datagrams = unpack_count(from);
    part.found.bytes = unpack_count(from);
    part.found.values = unpack_count(from);
    part.found.lost = unpack_count(from);
    part.found.straight = unpack_up_to(from, 1) != 0;
    for (type_cost *c = part.costs; c; c = c->next) {
        c->deltas = unpack_count(from);
        c->bits_recorded = unpack_count(from);
        c->bits_now = unpack_count(from);
        c->bits_fresh = unpack_count(from);
    }
    for (const code_table *t = k->schema->tables; t; t = t->next)
        for (unsigned symbol = 0; is_counted_alone(t) && symbol < t->count; symbol++)
            part.counts.of[t->index][symbol] = unpack_count(from);
    for (uint32_t i = 0; i < k->schema->coded_numbers; i++) {
        for (unsigned symbol = 0; symbol < DIFFERENCES; symbol++)
            part.counts.numbers[i].differences[symbol] = unpack_count(from);
        histogram_take(from, a, &part.counts.numbers[i].pairs);
    }
    for (const code_table *t = k->schema->tables; t; t = t->next)
        for (unsigned fresh = 0; is_first_of_mask(t) && fresh < 2; fresh++)
            take_mask_counts(from, a, &part.counts.masks[t->changes->mask_number][fresh], t->changes);
    *wrong = from->bad ? NULL : find_wrong_values(&part);
    const bool good = !from->bad && !*wrong;
    if (good)
        add_training(k, &part);
    arena_free(a);
    return good;
}

void training_forget(training *k)
{
    k->found = (train_found){0};
    for (type_cost *c = k->costs; c; c = c->next)
        c->deltas = c->bits_recorded = c->bits_now = c->bits_fresh = 0;
    train_counts_clear(&k->counts);
}

/* ---- --check */

/* In per cent. */
static double share(double part, uint64_t whole)
{
    const double percent = whole ? 100 * part / (double)whole : 0;
    return percent < 0 && percent > -0.05 ? 0 : percent;
}

static double saved(const type_cost *c)
{
    return share((double)c->bits_now - (double)c->bits_fresh, c->bits_now);
}

static const char *bytes_text(arena *a, uint64_t bits)
{
    return arena_printf(a, "%" PRIu64, (bits + 7) / 8);
}

static void put_costs(arena *a, const training *k, out *text)
{
    text_table table;
    const bool sent = sum_of_costs(k).bits_recorded > 0;
    const char *const titles[] = {"type", "deltas", "bytes now", "with a fresh model", "saved", "recorded"};
    text_table_init(&table, a, "lrrrrr");
    text_row *row = text_table_add(&table);
    memcpy(row->cells, titles, (sent ? 6 : 5) * sizeof *titles);
    for (const type_cost *c = k->costs; c; c = c->next) {
        if (c->deltas == 0)
            continue;
        row = text_table_add(&table);
        row->cells[0] = c->decl->name;
        row->cells[1] = arena_printf(a, "%" PRIu64, c->deltas);
        row->cells[2] = bytes_text(a, c->bits_now);
        row->cells[3] = bytes_text(a, c->bits_fresh);
        row->cells[4] = arena_printf(a, "%.1f %%", saved(c));
        if (sent)
            row->cells[5] = bytes_text(a, c->bits_recorded);
    }
    text_table_put(&table, text);
}

/* Puts the change from the recorded bits. There is none if the schema and the model are the same. */
static void put_change(arena *a, const type_cost *all, const train_found *found, out *text)
{
    const double bits = (double)all->bits_recorded - (double)all->bits_now, size = bits < 0 ? -bits : bits;
    if (all->bits_recorded == 0 || all->bits_recorded == all->bits_now)
        return;
    out_put(text, "Now these deltas take $share % $less than when they were recorded, $whole % of all bytes.\n",
            "share", arena_printf(a, "%.1f", share(size, all->bits_recorded)), "less", bits < 0 ? "more" : "less",
            "whole", arena_printf(a, "%.1f", share(size / 8, found->bytes)), NULL);
}

static const char *verdict_text(arena *a, const type_cost *all, const train_found *found, bool model,
                                uint32_t tolerance, bool stale)
{
    const double bytes = ((double)all->bits_now - (double)all->bits_fresh) / 8;
    const char *of_all = found->bytes ? arena_printf(a, ", and %.1f %% of all bytes", share(bytes, found->bytes)) : "";
    const char *verdict = stale ? arena_printf(a, "train %s", model ? "again" : "one")
                                : arena_printf(a, "no more than %" PRIu32 " %%", tolerance);
    return arena_printf(a, "A %s would save %.1f %% of these deltas%s: %s.\n", model ? "fresh model" : "model",
                        saved(all), of_all, verdict);
}

const char *training_verdict(const training *k, uint32_t tolerance, bool *stale)
{
    arena *a = k->arena;
    const train_found *found = &k->found;
    const type_cost all = sum_of_costs(k);
    out *text = out_new(a);
    size_t size;
    *stale = saved(&all) > tolerance;
    if (found->datagrams > 0)
        out_put(text, "$count datagrams, $bytes bytes\n\n", "count", arena_printf(a, "%" PRIu64, found->datagrams),
                "bytes", arena_printf(a, "%" PRIu64, found->bytes), NULL);
    put_costs(a, k, text);
    out_put(text, "\n", NULL);
    put_change(a, &all, found, text);
    return arena_printf(a, "%s%s", out_result(text, &size),
                        verdict_text(a, &all, found, k->current->has_model, tolerance, *stale));
}
