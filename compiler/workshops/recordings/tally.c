/* tally.c - adds up items as the codec reads them, and files values by their fields.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/tally_internal.h"
#include "base/hash_table.h"
#include "codec/codec_scalar.h"
#include "model/coding.h"
#include "model/type_table.h"

#include <stdlib.h>
#include <string.h>

enum {
    STEPS_MOST = 32, /* the widest steps that are tried */
    FOUND_BITS = 10  /* of the places for names that were found */
};

struct pending {
    field_tally *field;
    uint64_t bits;
    bool rest; /* more bits of the item before */
};

/* Each item is looked up by name, and most are among the last ones: an entry of tally.inside, at a place that its hash
 * says. */
struct found_name {
    const void *owner;
    const char *name;
    field_tally *field;
};

tally *tally_new(arena *a, const schema *const *schemas, size_t schema_count)
{
    tally *t = ARENA_NEW(a, tally);
    t->arena = a;
    t->schemas = schemas;
    t->schema_count = schema_count;
    t->bases = bases_lasting(a);
    t->names = names_new(a);
    t->by_path = map_new(a);
    t->inside = map_new(a);
    t->found = ARENA_ARRAY(a, struct found_name, 1 << FOUND_BITS);
    t->by_name = map_new(a);
    t->declared = map_new(a);
    t->type_texts = map_new(a);
    t->last_codes = map_new(a);
    t->last_field = &t->fields;
    t->last_datagram = &t->datagrams;
    return t;
}

field_tally *tally_of(tally *t, const char *text, size_t size)
{
    const char *name = intern(t->names, text, size);
    field_tally *f = map_get(t->by_path, NULL, name);
    if (!f) {
        f = ARENA_NEW(t->arena, field_tally);
        f->path = name;
        f->top = intern(t->names, text, strcspn(name, "."));
        f->order = t->field_count++;
        f->least = UINT64_MAX;
        map_put(t->arena, t->by_path, NULL, name, f);
        *t->last_field = f;
        t->last_field = &f->next;
    }
    return f;
}

/* The number of the schema that declares a type. */
static size_t schema_of_type(const tally *t, const decl *d)
{
    for (size_t i = 0; i < t->schema_count; i++)
        for (const decl *each = t->schemas[i]->decls; each; each = each->next)
            if (each == d)
                return i;
    return t->schema_count;
}

/* Brackets for each of so many subscripts. */
static const char *brackets(uint32_t dims)
{
    static const char all[] = "[][][][][][][][]";
    return &all[sizeof all - 1 - 2 * (size_t)dims];
}

/* A field of the tally at `outer` that was not among the last ones. owner: as in tally_form. */
static field_tally *find_form(tally *t, const void *owner, const field_tally *outer, name_form form, const char *name,
                              uint32_t dims)
{
    static const char *const before[] = {"", "has_", "", ""}, *const after[] = {"", "", "_count", "_size"};
    field_tally *f = map_get(t->inside, owner, name);
    if (!f) {
        const char *text = arena_printf(t->arena, "%s%s%s%s%s%s", outer ? outer->path : "", outer ? "." : "",
                                        before[form], name, after[form], brackets(dims));
        f = tally_of(t, text, strlen(text));
        map_put(t->arena, t->inside, owner, name, f);
    }
    return f;
}

/* A field of the tally at `outer`, found by pointers. Each form of a name is found by itself. */
static inline field_tally *tally_form(tally *t, field_tally *outer, name_form form, const char *name, uint32_t dims)
{
    const void *owner = outer ? &outer->inside[form * TALLY_DIMS + dims] : NULL;
    const uint64_t hash = ((uint64_t)(uintptr_t)owner ^ (uint64_t)(uintptr_t)name << 20) * UINT64_C(0x9E3779B97F4A7C15);
    struct found_name *place = &t->found[hash >> (64 - FOUND_BITS)];
    if (place->owner != owner || place->name != name)
        *place = (struct found_name){owner, name, find_form(t, owner, outer, form, name, dims)};
    return place->field;
}

/* is_array: the path of one of its elements. */
static field_tally *tally_inside(tally *t, field_tally *outer, const char *name, bool is_array)
{
    return tally_form(t, outer, NAME_ALONE, name, is_array);
}

/* ---- items */

/* What is in cubes[17] is filed under cubes[]. NULL: at the top. */
static field_tally *tally_of_trail(tally *t, const trail *at)
{
    field_tally *outer = at && at->outer ? tally_of_trail(t, at->outer) : NULL;
    return at && *at->name ? tally_form(t, outer, NAME_ALONE, at->name, at->element.dims) : outer;
}

static field_tally *tally_of_item(tally *t, const codec_place *p)
{
    field_tally *outer = tally_of_trail(t, p->trail);
    return *p->name || !outer ? tally_form(t, outer, p->form, p->name, p->element.dims) : outer;
}

void tally_item(void *user, const codec_place *p, uint64_t bit, uint64_t bits, const uint8_t *data)
{
    tally *t = user;
    (void)bit;
    (void)data;
    if (t->pending_count == t->pending_room) {
        const size_t room = t->pending_room == 0 ? 256 : 2 * t->pending_room;
        t->pending = arena_grow(t->arena, t->pending, t->pending_room * sizeof *t->pending, room * sizeof *t->pending);
        t->pending_room = room;
    }
    t->pending[t->pending_count++] = (struct pending){tally_of_item(t, p), bits, p->rest};
}

void tally_forget(tally *t)
{
    t->pending_count = 0;
}

/* ---- values */

typedef struct tally_walk {
    tally *tally;
    arena *scratch;
    bool delta;
    const codec_part *parts;
    const record *start; /* of the part that is walked: its start value, or NULL */
} tally_walk;

/* The difference of two codes in zigzag coding: small for small differences of either sign. */
static uint64_t code_difference(const type *t, uint64_t old, uint64_t now)
{
    const way w = way_between(old, now, circle_of(t));
    return 2 * w.far - w.down;
}

static unsigned step_bits(const type *t)
{
    return t->kind == TYPE_QUAT ? t->bits : scalar_width(t);
}

step_tally *tally_steps(arena *a, const type *t)
{
    const unsigned bits = step_bits(t);
    return steps_new(a, bits < STEPS_MOST ? bits : STEPS_MOST, t->kind == TYPE_QUAT,
                     t->wraps ? greatest_number_code(t) / 2 : UINT64_MAX);
}

static void add_steps(tally_walk *w, field_tally *f, const field *of, uint64_t old, uint64_t now, unsigned width)
{
    const type *t = &of->type;
    const bool rotation = t->kind == TYPE_QUAT;
    const unsigned bits = step_bits(t);
    uint64_t olds[3] = {old}, nows[3] = {now};
    /* Steps go up and down in the order of values; a signed number of full width is in two's complement on the wire. */
    if (t->kind == TYPE_BITS && storage_is_signed(t->storage)) {
        olds[0] ^= UINT64_C(1) << (bits - 1);
        nows[0] ^= UINT64_C(1) << (bits - 1);
    }
    if (t->kind == TYPE_FLOAT) {
        olds[0] = order_of_real(t, old);
        nows[0] = order_of_real(t, now);
    }
    for (unsigned i = 0; rotation && i < 3; i++) {
        olds[i] = old >> (2 + i * bits) & ((UINT64_C(1) << bits) - 1);
        nows[i] = now >> (2 + i * bits) & ((UINT64_C(1) << bits) - 1);
    }
    if (t->wraps) {
        const way moved = way_between(old, now, circle_of(t));
        olds[0] = circle_of(t);
        nows[0] = moved.down ? olds[0] - moved.far : olds[0] + moved.far;
    }
    if (!f->steps)
        f->steps = tally_steps(w->tally->arena, t);
    const bool near =
        rotation ? ((old ^ now) & 3) == 0 : t->kind != TYPE_OR_RAW || (!is_raw_code(old) && !is_raw_code(now));
    steps_add(f->steps, olds, nows, near, width);
    if (t->kind == TYPE_OR_RAW && !near) { /* whole after a raw float; otherwise the last symbol and a raw float */
        f->symbol_bits += is_raw_code(old) ? width : width - 1;
        if (!is_raw_code(old))
            histogram_add(w->tally->arena, &f->symbols, bits + 1);
        return;
    }
    for (unsigned i = 0; i < (rotation && near ? 3 : 1); i++) {
        const unsigned symbol = near ? bit_length(olds[i] > nows[i] ? olds[i] - nows[i] : nows[i] - olds[i]) : bits + 1;
        histogram_add(w->tally->arena, &f->symbols, symbol);
        f->symbol_bits += near ? symbol : width;
    }
}

/* The last code of a field from a sender to a receiver, and the greatest one. */
typedef struct last_code {
    uint64_t code, greatest, session;
    unsigned below; /* codes that were less than the greatest, since it came */
} last_code;

/* Datagrams overtake each other: codes that are less do not fall if a new greatest one comes before there are more. */
enum { OVERTAKES = 16 };

static void note_fall(field_tally *f, last_code *last, uint64_t code)
{
    if (code > last->greatest) {
        f->rises++;
        f->below -= last->below;
        last->below = 0;
    } else if (code < last->greatest) {
        f->late++;
        f->below++;
        f->fell = f->fell || ++last->below > OVERTAKES;
    }
}

/* Notes whether an integer is less than the last one, or another one. A new session begins again. There are fewer senders and receivers than bytes in a tally, so
 * the address of a byte stands for each. */
static void compare_with_last(tally *t, field_tally *f, uint64_t code)
{
    const char *peer = (const char *)t + t->peer;
    last_code *last = map_get(t->last_codes, f, peer);
    if (!last) {
        last = ARENA_NEW(t->arena, last_code);
        map_put(t->arena, t->last_codes, f, peer, last);
    } else if (last->session == t->session) {
        note_fall(f, last, code);
        f->moved = f->moved || code != last->code;
        last->greatest = code > last->greatest ? code : last->greatest;
        last->code = code;
        return;
    }
    *last = (last_code){.code = code, .greatest = code, .session = t->session};
}

/* Values that are less are late, if most are not; and the last ones can be, if more rose before: numbers of which each connection has
 * few rise by chance. */
bool tally_fell(const field_tally *f)
{
    return f->fell || (f->late > 0 && 2 * f->late >= f->codes.total) || 2 * f->below > f->rises;
}

static bool is_compared_integer(const field_tally *f)
{
    const type *t = &f->field->type;
    return type_row_of(t)->sort == SORT_INTEGER && !t->wraps && f->codes.distinct > 1;
}

bool is_counter(const field_tally *f)
{
    return is_compared_integer(f) && !tally_fell(f) && f->moved;
}

bool is_constant_per_connection(const field_tally *f)
{
    return is_compared_integer(f) && !f->moved;
}

static bool may_be_coded(const field *f)
{
    return may_have_codes(&f->type) && f->owner->delta && !f->after && !f->has_unless;
}

static void walk_scalar(tally_walk *w, field_tally *f, const field *of, const datum *d, const datum *old)
{
    arena *a = w->tally->arena;
    const type *t = &of->type;
    uint64_t code, old_code = 0;
    unsigned width = 0;
    datum blank;
    if (!f->field)
        return;
    /* Values that the baseline lacks are compared with the base value. */
    if (w->delta && !old) {
        blank = bases_datum(w->tally->bases, of);
        old = &blank;
    }
    if (t->kind == TYPE_COMPACT) {
        code = d->number;
        old_code = old ? old->number : 0;
    } else {
        width = scalar_width(t);
        if (width == 0 || scalar_code(t, d, &code) != PKT_OK)
            return;
        if (t->kind == TYPE_OR_RAW)
            width = or_raw_width(t, code);
        if (w->delta && scalar_code(t, old, &old_code) != PKT_OK)
            old_code = code;
    }
    if (w->delta && code == old_code)
        return; /* not sent */
    if (f->codes.total == 0)
        f->codes.usual = tally_usual(w->tally, f);
    histogram_add(a, &f->codes, code);
    f->whole += !w->delta;
    f->whole_bits += w->delta ? 0 : width;
    if (type_row_of(t)->sort == SORT_INTEGER && !f->fell)
        compare_with_last(w->tally, f, code);
    f->least = code < f->least ? code : f->least;
    f->most = code > f->most ? code : f->most;
    if ((w->delta || f->has_last) && t->kind != TYPE_QUAT && t->kind != TYPE_UNIT)
        histogram_add(a, &f->differences, code_difference(t, w->delta ? old_code : f->last, code));
    f->has_last = true;
    f->last = code;
    if (t->kind == TYPE_BITS && !storage_is_signed(t->storage) && t->bits >= 16 && t->bits % 16 == 0 && t->bits != 48)
        f->compact += compact_width(code, t->bits / 8);
    if (!w->delta || width == 0 || !may_be_coded(of))
        return;
    if (may_have_frequent_values(t))
        histogram_add(a, &f->changed, code);
    if (type_row_of(t)->steps)
        add_steps(w, f, of, old_code, code, width);
}

static void walk_record(tally_walk *w, field_tally *at, const record *r, const record *old);

bool tally_has_codes(const type *t)
{
    switch (type_row_of(t)->sort) {
    case SORT_BOOL:
    case SORT_INTEGER:
    case SORT_FIXED:
    case SORT_REAL:
    case SORT_ENUM:
    case SORT_FLAGS:
    case SORT_QUAT:
    case SORT_UNIT:
    case SORT_REF: return true;
    case SORT_STRUCT:
    case SORT_UNION:
    case SORT_STRING:
    case SORT_BYTES:
    case SORT_FOREIGN: break;
    }
    return false;
}

static void walk_datum(tally_walk *w, field_tally *f, const field *of, const datum *d, const datum *old)
{
    if (w->delta && old && memcmp(d, old, sizeof *d) == 0)
        return;
    if (tally_has_codes(&of->type)) {
        walk_scalar(w, f, of, d, old);
    } else if (of->type.kind == TYPE_STRUCT && d->record) {
        walk_record(w, f, d->record, old ? old->record : NULL);
    } else if (of->type.kind == TYPE_UNION && d->record) {
        const member *m = member_of_value(of->type.decl, num_u64(d->tag));
        walk_record(w, tally_inside(w->tally, f, m->name, false), d->record,
                    old && old->tag == d->tag ? old->record : NULL);
    }
}

static void walk_subset(field_tally *f, const field *of, const slot *s)
{
    f->subsets++;
    f->elements += s->count;
    for (unsigned mode = 0; mode < SPARSE_MODES; mode++)
        f->index_bits[mode] += subset_width((sparse_mode)mode, field_capacity(of), of->limit, s->indices, s->count);
}

static void tally_part(tally_walk *w, field_tally *at, const field *of)
{
    tally_walk inside = {w->tally, w->scratch, true, NULL, NULL};
    field_tally *f = tally_inside(w->tally, at, of->name, false);
    const field_sum *number = of->part->number;
    for (unsigned i = 0; i < number->depth; i++)
        at = tally_inside(w->tally, at, number->path[i]->name, false);
    at->numbers = true;
    for (const codec_part *p = w->parts; p; p = p->next) {
        inside.start = p->start ? p->start->record : NULL;
        if (p->field == of)
            walk_datum(&inside, f, of, &p->value, p->base);
    }
}

/* A delta compares elements of the same key. A new one starts from that of the start value, else from initial values. */
static void walk_keyed(tally_walk *w, field_tally *f, const field *of, const slot *s, const slot *before)
{
    static const slot none = {0};
    const slot *starts = w->start && w->start->decl == of->owner ? slot_of(w->start, of) : &none;
    uint32_t from = 0;
    for (list_pairs p = {.list = of, .now = s, .base = before && before->present ? before : &none};
         list_pairs_next(&p);) {
        if (!p.v)
            continue;
        const datum *old = p.old ? p.old : element_of_key(of, starts, key_of_element(of, p.v), &from);
        const datum start = old ? *old : bases_element(w->tally->bases, w->scratch, of, p.v);
        walk_datum(w, f, of, p.v, &start);
    }
}

static void walk_field(tally_walk *w, field_tally *at, const field *of, const record *r, const record *old)
{
    const slot *s = slot_of(r, of), *before = old ? slot_of(old, of) : NULL;
    const bool is_array = of->array != ARRAY_NONE;
    if (of->local || !s->present)
        return;
    if (of->part) {
        tally_part(w, at, of);
        return;
    }
    field_tally *f = tally_inside(w->tally, at, of->name, is_array);
    tally_claim(w->tally, f, w->tally->schema);
    if (is_array) {
        field_tally *whole = tally_inside(w->tally, at, of->name, false);
        if (tally_claim(w->tally, whole, w->tally->schema) && of->array == ARRAY_SPARSE)
            walk_subset(whole, of, s);
    }
    if (of->by && w->delta) {
        walk_keyed(w, f, of, s, before);
        return;
    }
    /* What the baseline has too was not sent. */
    const bool shares = w->delta && before;
    for (uint32_t i = shares ? unshared(s, before, 0, s->count) : 0; i < s->count;
         i = shares ? unshared(s, before, i + 1, s->count) : i + 1) {
        const bool had = before && before->present && i < before->count && of->array != ARRAY_SPARSE;
        walk_datum(w, f, of, slot_at(s, i), had ? slot_at(before, i) : NULL);
    }
}

static void walk_items(tally_walk *w, field_tally *at, const item *i, const record *r, const record *old)
{
    for (; i; i = i->next) {
        if (i->kind == ITEM_FIELD) {
            walk_field(w, at, i->as.field, r, old);
        } else if (i->kind == ITEM_IF || i->kind == ITEM_SWITCH) {
            const block *taken = chosen_block(i, r);
            /* If the baseline took another side, its values there are not compared. */
            const bool same = old && chosen_block(i, old) == taken;
            if (taken)
                walk_items(w, at, taken->items, r, same ? old : NULL);
        }
    }
}

static void walk_record(tally_walk *w, field_tally *at, const record *r, const record *old)
{
    walk_items(w, at, r->decl->body.items, r, old);
}

void tally_value(tally *t, arena *scratch, const decl *d, const datum *v, bool delta, const datum *base,
                 const codec_part *parts)
{
    tally_walk w = {t, scratch, delta, parts, NULL};
    if (t->type != d)
        t->schema = schema_of_type(t, d);
    t->type = d;
    field_tally *top = tally_of(t, d->name, strlen(d->name));
    if (d->kind == DECL_UNION && v->record) {
        const member *m = member_of_value(d, num_u64(v->tag));
        walk_record(&w, tally_inside(t, top, m->name, false), v->record,
                    base && base->tag == v->tag ? base->record : NULL);
    } else if (v->record) {
        walk_record(&w, top, v->record, base ? base->record : NULL);
    }
}

/* An item's bits are filed after its value was read, when its field is known. */
void tally_accept(tally *t)
{
    for (size_t i = 0; i < t->pending_count; i++) {
        const struct pending *p = &t->pending[i];
        field_tally *f = p->field;
        f->items += !p->rest;
        f->bits += p->bits;
        if (!f->field || f->codes.total == 0 || f->field->type.kind == TYPE_COMPACT ||
            f->field->type.kind == TYPE_OR_RAW || f->field->coded)
            continue;
        f->full += p->bits == scalar_width(&f->field->type);
    }
    t->pending_count = 0;
}

/* ---- datagrams */

/* Each two slices become one. */
static void double_slices(tally *t)
{
    const tally old = *t;
    t->slice_time *= 2;
    memset(t->slices, 0, sizeof t->slices);
    for (uint64_t i = old.first_time / old.slice_time; i <= old.last_time / old.slice_time; i++)
        count_add(&t->slices[i / 2 % TALLY_RING], old.slices[i % TALLY_RING]);
}

void tally_span(tally *t, uint64_t first, uint64_t last)
{
    enum { FIRST_SLICE = 10 * 1000 * 1000 };
    if (!t->has_time) {
        t->first_time = t->last_time = first;
        t->slice_time = FIRST_SLICE;
        t->has_time = true;
    }
    const uint64_t from = first < t->first_time ? first : t->first_time, to = last > t->last_time ? last : t->last_time;
    while (to / t->slice_time - from / t->slice_time >= TALLY_SLICES)
        double_slices(t);
    t->first_time = from;
    t->last_time = to;
}

uint64_t *tally_slice(tally *t, uint64_t i)
{
    return &t->slices[i % TALLY_RING];
}

static void count_time(tally *t, size_t size, uint64_t time)
{
    if (time == 0)
        return;
    tally_span(t, time, time);
    *tally_slice(t, time / t->slice_time) += size;
}

datagram_tally *tally_kind(tally *t, const char *name)
{
    const char *interned = intern(t->names, name, strlen(name));
    datagram_tally *d = map_get(t->by_name, NULL, interned);
    if (!d) {
        d = ARENA_NEW(t->arena, datagram_tally);
        d->name = interned;
        d->order = t->datagram_count++;
        d->least = UINT64_MAX;
        map_put(t->arena, t->by_name, NULL, interned, d);
        *t->last_datagram = d;
        t->last_datagram = &d->next;
    }
    return d;
}

void tally_datagram(tally *t, const char *name, size_t size, uint64_t time)
{
    datagram_tally *d = tally_kind(t, name);
    d->count++;
    d->bytes += size;
    d->least = size < d->least ? size : d->least;
    d->most = size > d->most ? size : d->most;
    histogram_add(t->arena, &d->sizes, size);
    t->count++;
    t->bytes += size;
    count_time(t, size, time);
}

void tally_peer(tally *t, const char *name, size_t size, uint64_t session)
{
    t->session = session;
    t->peer = peers_add(t->arena, &t->peers, name, 1, size);
}

void tally_refused(tally *t, size_t size, uint64_t time)
{
    t->refused++;
    t->refused_bytes += size;
    count_time(t, size, time);
}

/* ---- in order */

static int by_bits(const void *left, const void *right)
{
    const field_tally *a = *(const field_tally *const *)left, *b = *(const field_tally *const *)right;
    return a->bits != b->bits ? (a->bits < b->bits) - (a->bits > b->bits) : strcmp(a->path, b->path);
}

const field_tally **tally_sorted(arena *a, const tally *t, size_t *count)
{
    size_t room = 0;
    for (const field_tally *f = t->fields; f; f = f->next)
        room++;
    const field_tally **sorted = ARENA_ARRAY(a, const field_tally *, room);
    *count = 0;
    for (const field_tally *f = t->fields; f; f = f->next)
        if (f->items != 0)
            sorted[(*count)++] = f;
    if (*count != 0)
        qsort(sorted, *count, sizeof *sorted, by_bits);
    return sorted;
}
