/* tally_add.c - adds up tallies, so that the sum is the same in any order, and puts the sum into order.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/tally_internal.h"

#include <stdlib.h>
#include <string.h>

static uint32_t least_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* ---- fields */

static void add_values(tally *t, field_tally *to, const field_tally *from)
{
    arena *a = t->arena;
    histogram_merge(a, &to->codes, &from->codes);
    histogram_merge(a, &to->differences, &from->differences);
    histogram_merge(a, &to->symbols, &from->symbols);
    histogram_merge(a, &to->changed, &from->changed);
    count_add(&to->symbol_bits, from->symbol_bits);
    count_add(&to->full, from->full);
    count_add(&to->whole, from->whole);
    count_add(&to->whole_bits, from->whole_bits);
    count_add(&to->compact, from->compact);
    to->least = from->least < to->least ? from->least : to->least;
    to->most = from->most > to->most ? from->most : to->most;
    to->fell = to->fell || tally_fell(from);
    to->moved = to->moved || from->moved;
    count_add(&to->subsets, from->subsets);
    count_add(&to->elements, from->elements);
    for (unsigned mode = 0; mode < SPARSE_MODES; mode++)
        count_add(&to->index_bits[mode], from->index_bits[mode]);
    if (!from->steps)
        return;
    if (!to->steps)
        to->steps = tally_steps(a, &from->field->type);
    size_t count;
    uint64_t *sums = steps_counts(to->steps, &count);
    const uint64_t *added = steps_counts(from->steps, &count);
    for (size_t i = 0; i < count; i++)
        count_add(&sums[i], added[i]);
}

static void add_field_tally(tally *t, const field_tally *from)
{
    const uint32_t fields = t->field_count;
    field_tally *to = tally_of(t, from->path, strlen(from->path));
    to->order = t->field_count > fields ? from->order : least_of(to->order, from->order);
    count_add(&to->items, from->items);
    count_add(&to->bits, from->bits);
    to->numbers = to->numbers || from->numbers;
    if (from->field && tally_claim(t, to, from->schema))
        add_values(t, to, from);
    if (from->differs)
        tally_differ(to, from->field != NULL);
}

static void add_datagram_tally(tally *t, const datagram_tally *from)
{
    const uint32_t kinds = t->datagram_count;
    datagram_tally *to = tally_kind(t, from->name);
    to->order = t->datagram_count > kinds ? from->order : least_of(to->order, from->order);
    count_add(&to->count, from->count);
    count_add(&to->bytes, from->bytes);
    to->least = from->least < to->least ? from->least : to->least;
    to->most = from->most > to->most ? from->most : to->most;
    histogram_merge(t->arena, &to->sizes, &from->sizes);
}

static void add_time(tally *t, const tally *from)
{
    if (!from->has_time)
        return;
    tally_span(t, from->first_time, from->last_time);
    const uint64_t wider = t->slice_time / from->slice_time;
    for (uint64_t i = from->first_time / from->slice_time; i <= from->last_time / from->slice_time; i++)
        count_add(tally_slice(t, i / wider), from->slices[i % TALLY_RING]);
}

/* ---- faults */

/* Inserts a message at its place in the alphabet. If they are too many, the last one is only counted. */
void tally_add_fault(tally *t, const char *text, uint64_t count)
{
    unsigned at = 0;
    while (at < t->fault_count && strcmp(t->faults[at].text, text) < 0)
        at++;
    if (at < t->fault_count && strcmp(t->faults[at].text, text) == 0) {
        count_add(&t->faults[at].count, count);
        return;
    }
    memmove(&t->faults[at + 1], &t->faults[at], (t->fault_count - at) * sizeof *t->faults);
    t->faults[at] = (fault_tally){arena_text(t->arena, text, strlen(text)), count};
    if (t->fault_count == TALLY_FAULTS)
        count_add(&t->other_faults, t->faults[TALLY_FAULTS].count);
    else
        t->fault_count++;
}

void tally_fault(tally *t, const char *text, bool unread)
{
    t->unread += unread;
    tally_add_fault(t, text, 1);
}

/* ---- all */

void tally_add(tally *t, const tally *from)
{
    for (const field_tally *f = from->fields; f; f = f->next)
        add_field_tally(t, f);
    for (const datagram_tally *d = from->datagrams; d; d = d->next)
        add_datagram_tally(t, d);
    peers_merge(t->arena, &t->peers, &from->peers);
    for (unsigned i = 0; i < from->fault_count; i++)
        tally_add_fault(t, from->faults[i].text, from->faults[i].count);
    add_time(t, from);
    count_add(&t->other_faults, from->other_faults);
    count_add(&t->recordings, from->recordings);
    count_add(&t->unread, from->unread);
    count_add(&t->count, from->count);
    count_add(&t->bytes, from->bytes);
    count_add(&t->refused, from->refused);
    count_add(&t->refused_bytes, from->refused_bytes);
}

/* ---- order */

static int by_field_order(const void *left, const void *right)
{
    const field_tally *a = *(const field_tally *const *)left, *b = *(const field_tally *const *)right;
    return a->order != b->order ? (a->order > b->order) - (a->order < b->order) : strcmp(a->path, b->path);
}

static int by_kind_order(const void *left, const void *right)
{
    const datagram_tally *a = *(const datagram_tally *const *)left, *b = *(const datagram_tally *const *)right;
    return a->order != b->order ? (a->order > b->order) - (a->order < b->order) : strcmp(a->name, b->name);
}

void tally_settle(tally *t)
{
    field_tally **fields = ARENA_ARRAY(t->arena, field_tally *, t->field_count);
    datagram_tally **kinds = ARENA_ARRAY(t->arena, datagram_tally *, t->datagram_count);
    uint32_t field_count = 0, kind_count = 0;
    for (field_tally *f = t->fields; f; f = f->next) {
        histogram_settle(&f->codes);
        histogram_settle(&f->differences);
        histogram_settle(&f->symbols);
        histogram_settle(&f->changed);
        fields[field_count++] = f;
    }
    for (datagram_tally *d = t->datagrams; d; d = d->next) {
        histogram_settle(&d->sizes);
        kinds[kind_count++] = d;
    }
    peers_settle(&t->peers);
    if (field_count > 1)
        qsort(fields, field_count, sizeof *fields, by_field_order);
    if (kind_count > 1)
        qsort(kinds, kind_count, sizeof *kinds, by_kind_order);
    t->last_field = &t->fields;
    for (uint32_t i = 0; i < field_count; i++) {
        *t->last_field = fields[i];
        t->last_field = &fields[i]->next;
    }
    *t->last_field = NULL;
    t->last_datagram = &t->datagrams;
    for (uint32_t i = 0; i < kind_count; i++) {
        *t->last_datagram = kinds[i];
        t->last_datagram = &kinds[i]->next;
    }
    *t->last_datagram = NULL;
}
