/* tally_file.c - writes and reads the counts of a tally. A reader believes nothing: see packed.h.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/tally_file.h"
#include "base/utf8.h"
#include "codec/codec_scalar.h"
#include "model/type_table.h"
#include "recordings/tally_internal.h"

#include <string.h>

/* What a file may have at most, so that the memory for it is bounded too. */
enum { MOST_FIELDS = 1 << 16, MOST_STEP_COUNTS = 75 << 20 /* 4,000 fields of 32 bits */ };

/* The flags of a field. */
enum {
    NUMBERS_PART = 1,
    HAS_FIELD = 2,
    FELL = 4,
    HAS_STEPS = 8,
    HAS_SUBSETS = 16,
    DIFFERS = 32,
    STAYED = 64,
    ALL_FLAGS = 127
};

/* ---- writing */

static void put_name(packer *to, const char *name)
{
    pack_text(to, name, strlen(name));
}

/* Leaves out counts of 0: before each other count is the number of zeros that it follows. */
static void put_counts(packer *to, const uint64_t *counts, size_t count)
{
    size_t used = 0, zeros = 0;
    for (size_t i = 0; i < count; i++)
        used += counts[i] != 0;
    pack_number(to, used);
    for (size_t i = 0; i < count; i++) {
        if (counts[i] != 0) {
            pack_number(to, zeros);
            pack_number(to, counts[i]);
        }
        zeros = counts[i] != 0 ? 0 : zeros + 1;
    }
}

static uint64_t flags_of(const field_tally *f)
{
    return (f->numbers ? NUMBERS_PART : 0) | (f->field ? HAS_FIELD : 0) | (tally_fell(f) ? FELL : 0) |
           (f->steps ? HAS_STEPS : 0) | (f->subsets ? HAS_SUBSETS : 0) | (f->differs ? DIFFERS : 0) |
           (f->codes.total != 0 && !f->moved ? STAYED : 0);
}

static void put_field_values(packer *to, const field_tally *f)
{
    size_t count;
    pack_number(to, f->schema);
    histogram_put(to, &f->codes);
    if (f->codes.total != 0) {
        pack_number(to, f->least);
        pack_number(to, f->most);
        pack_number(to, f->full);
        pack_number(to, f->whole);
        pack_number(to, f->whole_bits);
        pack_number(to, f->compact);
        histogram_put(to, &f->differences);
        histogram_put(to, &f->symbols);
        histogram_put(to, &f->changed);
        pack_number(to, f->symbol_bits);
    }
    if (f->steps) {
        const uint64_t *counts = steps_counts(f->steps, &count);
        put_counts(to, counts, count);
    }
    if (f->subsets == 0)
        return;
    pack_number(to, f->subsets);
    pack_number(to, f->elements);
    for (unsigned mode = 0; mode < SPARSE_MODES; mode++)
        pack_number(to, f->index_bits[mode]);
}

static void put_fields(packer *to, const tally *t)
{
    pack_number(to, t->field_count);
    for (const field_tally *f = t->fields; f; f = f->next) {
        put_name(to, f->path);
        pack_number(to, f->order);
        pack_number(to, flags_of(f));
        pack_number(to, f->items);
        pack_number(to, f->bits);
        if (f->field)
            put_field_values(to, f);
    }
}

static void put_kinds(packer *to, const tally *t)
{
    pack_number(to, t->datagram_count);
    for (const datagram_tally *d = t->datagrams; d; d = d->next) {
        put_name(to, d->name);
        pack_number(to, d->order);
        pack_number(to, d->count);
        pack_number(to, d->bytes);
        pack_number(to, d->least);
        pack_number(to, d->most);
        histogram_put(to, &d->sizes);
    }
}

static void put_peers(packer *to, const peer_list *list)
{
    pack_number(to, list->count);
    for (unsigned i = 0; i < list->count; i++) {
        put_name(to, list->pairs[i].name);
        pack_number(to, list->pairs[i].count);
        pack_number(to, list->pairs[i].bytes);
    }
    if (list->count == PEERS_MOST) {
        pack_number(to, list->others);
        pack_number(to, list->others_bytes);
    }
}

static void put_faults(packer *to, const tally *t)
{
    pack_number(to, t->recordings);
    pack_number(to, t->unread);
    pack_number(to, t->fault_count);
    for (unsigned i = 0; i < t->fault_count; i++) {
        put_name(to, t->faults[i].text);
        pack_number(to, t->faults[i].count);
    }
    pack_number(to, t->other_faults);
}

static void put_times(packer *to, const tally *t)
{
    pack_number(to, t->has_time);
    if (!t->has_time)
        return;
    pack_number(to, t->first_time);
    pack_number(to, t->last_time);
    for (uint64_t i = t->first_time / t->slice_time; i <= t->last_time / t->slice_time; i++)
        pack_number(to, t->slices[i % TALLY_RING]);
}

void tally_put(packer *to, const tally *t)
{
    put_faults(to, t);
    pack_number(to, t->count);
    pack_number(to, t->bytes);
    pack_number(to, t->refused);
    pack_number(to, t->refused_bytes);
    put_times(to, t);
    put_peers(to, &t->peers);
    put_kinds(to, t);
    put_fields(to, t);
}

/* ---- reading */

static void take_counts(unpacker *from, uint64_t *counts, size_t count)
{
    const uint64_t used = unpack_up_to(from, count);
    size_t at = 0;
    for (uint64_t i = 0; i < used && !from->bad; i++, at++) {
        at += (size_t)unpack_up_to(from, count);
        const uint64_t n = unpack_count(from);
        from->bad = from->bad || at >= count || n == 0;
        if (!from->bad)
            counts[at] = n;
    }
}

static void take_values(unpacker *from, const size_t *places, tally *t, field_tally *f, uint64_t flags, size_t *steps)
{
    arena *a = t->arena;
    size_t count;
    const size_t place = (size_t)unpack_up_to(from, t->schema_count - 1),
                 schema_number = places ? places[place] : place;
    const field *of = tally_field_at(t, f, schema_number);
    from->bad = from->bad || !of;
    if (from->bad)
        return;
    const bool coded = tally_has_codes(&of->type), has_steps = flags & HAS_STEPS, has_subsets = flags & HAS_SUBSETS;
    tally_claim(t, f, schema_number);
    f->fell = flags & FELL;
    if (coded)
        f->codes.usual = tally_usual(t, f);
    histogram_take(from, a, &f->codes);
    f->moved = f->codes.total != 0 && !(flags & STAYED);
    from->bad = from->bad || (f->codes.total != 0 && !coded) || (has_subsets && of->array != ARRAY_SPARSE) ||
                (has_steps && (f->codes.total == 0 || !type_row_of(&of->type)->steps || scalar_width(&of->type) == 0));
    if (from->bad)
        return;
    if (f->codes.total != 0) {
        f->least = unpack_number(from);
        f->most = unpack_number(from);
        f->full = unpack_count(from);
        f->whole = unpack_count(from);
        f->whole_bits = unpack_count(from);
        f->compact = unpack_count(from);
        histogram_take(from, a, &f->differences);
        histogram_take(from, a, &f->symbols);
        histogram_take(from, a, &f->changed);
        f->symbol_bits = unpack_count(from);
    }
    if (has_steps) {
        f->steps = tally_steps(a, &of->type);
        uint64_t *counts = steps_counts(f->steps, &count);
        take_counts(from, counts, count);
        *steps += count;
        from->bad = from->bad || *steps > MOST_STEP_COUNTS;
    }
    if (!has_subsets)
        return;
    f->subsets = unpack_count(from);
    f->elements = unpack_count(from);
    for (unsigned mode = 0; mode < SPARSE_MODES; mode++)
        f->index_bits[mode] = unpack_count(from);
    from->bad = from->bad || f->subsets == 0;
}

/* As long as the schema has it: only the file bounds it. */
static const char *take_tallied_name(unpacker *from, size_t *size)
{
    return unpack_text(from, from->size - from->at, size);
}

/* Names of a schema, or of a frame, which can have any name. */
static bool is_tallied_path(const char *text, size_t size)
{
    size_t at = 0, character = 1;
    for (; at < size && character != 0; at += character)
        character = utf8_printable(text + at, size - at);
    return size != 0 && at == size;
}

static void take_fields(unpacker *from, const size_t *places, tally *t)
{
    const uint64_t count = unpack_up_to(from, MOST_FIELDS);
    size_t steps = 0; /* their counts, in all fields */
    for (uint64_t i = 0; i < count && !from->bad; i++) {
        size_t size;
        const char *text = take_tallied_name(from, &size);
        from->bad = from->bad || !is_tallied_path(text, size);
        if (from->bad)
            return;
        field_tally *f = tally_of(t, text, size);
        from->bad = t->field_count != i + 1;
        f->order = (uint32_t)unpack_up_to(from, UINT32_MAX);
        const uint64_t flags = unpack_up_to(from, ALL_FLAGS);
        f->numbers = flags & NUMBERS_PART;
        f->items = unpack_count(from);
        f->bits = unpack_count(from);
        from->bad = from->bad || (!(flags & HAS_FIELD) && flags & ~(uint64_t)(NUMBERS_PART | DIFFERS));
        if (flags & HAS_FIELD)
            take_values(from, places, t, f, flags, &steps);
        f->differs = flags & DIFFERS;
    }
}

static void take_kinds(unpacker *from, tally *t)
{
    const uint64_t count = unpack_up_to(from, MOST_FIELDS);
    for (uint64_t i = 0; i < count && !from->bad; i++) {
        const char *name = take_tallied_name(from, NULL);
        if (from->bad)
            return;
        datagram_tally *d = tally_kind(t, name);
        from->bad = t->datagram_count != i + 1;
        d->order = (uint32_t)unpack_up_to(from, UINT32_MAX);
        d->count = unpack_count(from);
        d->bytes = unpack_count(from);
        d->least = unpack_number(from);
        d->most = unpack_number(from);
        histogram_take(from, t->arena, &d->sizes);
        from->bad = from->bad || d->count == 0;
    }
}

/* Only what endpoint_text can make, because it is printed as it is. */
static bool is_peer_name(const char *name)
{
    return *name && name[strspn(name, "0123456789abcdef.:[] to")] == '\0';
}

static void take_peers(unpacker *from, tally *t)
{
    peer_list *list = &t->peers;
    const uint64_t count = unpack_up_to(from, PEERS_MOST);
    for (uint64_t i = 0; i < count && !from->bad; i++) {
        const char *name = unpack_text(from, PEER_NAME - 1, NULL);
        const uint64_t datagrams = unpack_count(from), bytes = unpack_count(from);
        from->bad = from->bad || !is_peer_name(name) || datagrams == 0;
        if (from->bad)
            return;
        peers_add(t->arena, list, name, datagrams, bytes);
        from->bad = list->count != i + 1;
    }
    if (count != PEERS_MOST || from->bad)
        return;
    const uint64_t others = unpack_count(from);
    peers_add_others(list, others, unpack_count(from));
}

static void take_faults(unpacker *from, tally *t)
{
    t->recordings = unpack_count(from);
    t->unread = unpack_count(from);
    const uint64_t count = unpack_up_to(from, TALLY_FAULTS);
    for (uint64_t i = 0; i < count && !from->bad; i++) {
        const char *text = take_tallied_name(from, NULL);
        tally_add_fault(t, text, unpack_count(from));
        from->bad = from->bad || t->fault_count != i + 1;
    }
    t->other_faults = unpack_count(from);
}

static void take_times(unpacker *from, tally *t)
{
    if (!unpack_up_to(from, 1))
        return;
    const uint64_t first = unpack_number(from), last = unpack_number(from);
    from->bad = from->bad || first > last;
    if (from->bad)
        return;
    tally_span(t, first, last);
    for (uint64_t i = first / t->slice_time; i <= last / t->slice_time; i++)
        *tally_slice(t, i) = unpack_count(from);
}

bool tally_take_faults(unpacker *from, tally *t)
{
    take_faults(from, t);
    return !from->bad;
}

bool tally_take(unpacker *from, const size_t *places, tally *to)
{
    arena *a = arena_new();
    tally *t = tally_new(a, to->schemas, to->schema_count);
    take_faults(from, t);
    t->count = unpack_count(from);
    t->bytes = unpack_count(from);
    t->refused = unpack_count(from);
    t->refused_bytes = unpack_count(from);
    take_times(from, t);
    take_peers(from, t);
    take_kinds(from, t);
    take_fields(from, places, t);
    if (!from->bad)
        tally_add(to, t);
    arena_free(a);
    return !from->bad;
}
