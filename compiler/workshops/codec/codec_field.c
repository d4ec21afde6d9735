/* codec_field.c - fields, bodies and unions in their full encoding, and comparing values.
 * SPDX-License-Identifier: MIT
 */
#include "codec/codec_internal.h"

#include "model/type_table.h"

#include <assert.h>
#include <string.h>

/* ---- after */

enum { AFTER_FORMS = 6 };
/* The forms of a difference. Form i is i zeros and a one, then the difference minus `first`, in the bits that the range
 * from first to last needs. A difference beyond all forms is six zeros and the value itself in 32 bits. */
static const struct {
    uint32_t first, last;
} after_forms[AFTER_FORMS] = {{1, 1}, {2, 6}, {7, 23}, {24, 280}, {281, 4377}, {4378, 69914}};

/* v is greater than start. */
static void after_pattern(uint64_t start, uint64_t v, pattern *p)
{
    uint64_t difference = v - start;
    for (unsigned i = 0; i < AFTER_FORMS; i++) {
        if (difference <= after_forms[i].last) {
            pattern_add(p, 1, 1);
            pattern_add(p, difference - after_forms[i].first, digits_of(after_forms[i].last - after_forms[i].first));
            return;
        }
        pattern_add(p, 0, 1);
    }
    pattern_add(p, v, 32);
}

/* Reads the item that begins at `at`; refuses a value out of range. */
static bool take_after(codec *c, uint64_t start, uint64_t *v, uint64_t at, const char *name)
{
    uint64_t one = 0;
    for (unsigned i = 0; i < AFTER_FORMS; i++) {
        if (!codec_bits(c, 1, &one, at, name))
            return false;
        if (!one)
            continue;
        uint32_t range = after_forms[i].last - after_forms[i].first;
        if (!codec_bits(c, digits_of(range), v, at, name))
            return false;
        bool in_form = *v <= range;
        *v += start + after_forms[i].first;
        return (in_form && *v <= UINT32_MAX) || codec_fail(c, PKT_ERROR_RANGE, at, name);
    }
    return codec_bits(c, 32, v, at, name);
}

static bool move_after(codec *c, const field *f, record *r, datum *d)
{
    uint64_t at = c->bit, start = slot_of(r, f->after)->data[0].number;
    pattern p = {0};
    if (c->reading && !take_after(c, start, &d->number, at, f->name))
        return false;
    if (d->number <= start)
        return codec_fail(c, PKT_ERROR_ORDER, at, f->name);
    after_pattern(start, d->number, &p);
    return c->reading ? codec_matches(c, &p, at, f->name) : codec_put(c, &p, f->name);
}

/* ---- unless */

/* Whether two scalars are the same on the wire. */
static bool same_scalars(const field *f, const datum *a, const datum *b)
{
    uint64_t code_a, code_b;
    if (f->type.kind == TYPE_COMPACT)
        return a->number == b->number;
    return scalar_code(&f->type, a, &code_a) == PKT_OK && scalar_code(&f->type, b, &code_b) == PKT_OK &&
           code_a == code_b;
}

static bool move_unless(codec *c, const field *f, datum *d)
{
    datum usual = bases_datum(c->bases, f);
    uint64_t start = c->bit, differs = !c->reading && !same_scalars(f, d, &usual);
    if (!codec_item(c, 1, &differs, 1, f->name))
        return false;
    if (!differs) {
        /* When writing, the value stays as it is: it may differ from D and still have the same code. */
        if (c->reading)
            *d = usual;
        return true;
    }
    if (!codec_scalar(c, &f->type, d, f->name))
        return false;
    return !same_scalars(f, d, &usual) || codec_fail(c, PKT_ERROR_CANONICAL, start, f->name);
}

/* ---- elements */

static bool move_items(codec *c, const item *items, record *r);

static bool move_record(codec *c, record *r, const char *name)
{
    trail here;
    codec_enter(c, &here, name);
    bool good = move_items(c, r->decl->body.items, r);
    codec_leave(c, &here);
    return good;
}

bool codec_tag(codec *c, const decl *d, datum *v, const member **chosen)
{
    uint64_t last = d->member_count - 1;
    c->tag_of = d;
    const bool good = codec_item(c, digits_of(last), &v->tag, last, "tag");
    c->tag_of = NULL;
    if (!good)
        return false;
    *chosen = member_of_value(d, num_u64(v->tag));
    return true;
}

static bool move_union(codec *c, const decl *d, datum *v)
{
    const member *chosen;
    if (!codec_tag(c, d, v, &chosen))
        return false;
    if (c->reading && !(v->record = codec_record(c, chosen->type)))
        return false;
    return move_record(c, v->record, chosen->name) && (!c->reading || codec_weigh(c, v->record));
}

bool codec_value(codec *c, const decl *d, datum *v)
{
    if (d->kind == DECL_UNION)
        return move_union(c, d, v);
    if (c->reading && !codec_begin_struct(c, d, v))
        return false;
    return move_items(c, d->body.items, v->record) && (!c->reading || codec_weigh(c, v->record));
}

/* Whether a value of this field can make a baseline invalid. Only ranges are checked, and `after` only where asked. */
static bool is_judged(const codec *c, const field *f)
{
    const type *t = &f->type;
    return is_composite(t) || t->kind == TYPE_STRING || t->kind == TYPE_BYTES || (f->after ? c->ordering : f->asked);
}

/* 1 and the code; or, without a code, 0 and the bits in memory: an error if a condition uses the field. */
static bool move_compared(codec *c, const field *f, datum *d)
{
    const type *t = &f->type;
    uint64_t code = d->number, coded = t->kind == TYPE_COMPACT || scalar_code(t, d, &code) == PKT_OK;
    if (!codec_bits(c, 1, &coded, c->bit, f->name) || (!coded && f->asked))
        return false;
    if (coded)
        return codec_bits(c, 64, &code, c->bit, f->name);
    uint64_t bits[3] = {d->number};
    memcpy(bits + 1, d->parts, sizeof d->parts);
    return codec_bits(c, 64, &bits[0], c->bit, f->name) && codec_bits(c, 64, &bits[1], c->bit, f->name) &&
           codec_bits(c, 64, &bits[2], c->bit, f->name);
}

bool codec_move_part(codec *c, codec_part *p, datum *v)
{
    const uint64_t start = c->bit;
    c->aligned = false;
    c->start = p->start;
    p->first = start;
    const bool good = codec_take_seen(c, p, v) ||
                      (p->delta ? codec_value_delta(c, p->decl, p->base, p->was, v) : codec_value(c, p->decl, v));
    c->start = NULL;
    p->bits = c->aligned ? 0 : c->bit - start;
    return good;
}

static bool move_composite(codec *c, const field *f, datum *d)
{
    if (c->judging && !c->ordering && d->record && d->record->sound)
        return true;
    if (!f->part)
        return codec_value(c, f->type.decl, d);
    codec_part *p = c->parts;
    while (p->field != f)
        p = p->next;
    return codec_move_part(c, p, d);
}

bool codec_element(codec *c, const field *f, record *r, datum *d)
{
    if (c->judging && !is_judged(c, f))
        return true;
    if (is_composite(&f->type)) {
        trail here;
        codec_enter(c, &here, f->name);
        bool good = move_composite(c, f, d);
        codec_leave(c, &here);
        return good;
    }
    if (f->after && !c->unordered)
        return move_after(c, f, r, d);
    if (c->comparing && f->type.kind != TYPE_STRING && f->type.kind != TYPE_BYTES)
        return move_compared(c, f, d);
    return f->has_unless ? move_unless(c, f, d) : codec_scalar(c, &f->type, d, f->name);
}

/* ---- fields */

/* One element of an array. */
static bool move_element(codec *c, const field *f, record *r, datum *d, uint32_t index)
{
    c->element = (subscripted){.of = f, .at = index, .dims = f->dim_count};
    bool good = codec_element(c, f, r, d);
    c->element = (subscripted){0};
    return good;
}

typedef struct sparse_walk {
    const field *field;
    record *record;
    slot *slot;
    uint32_t moved, room;
} sparse_walk;

bool codec_make_room(codec *c, const field *f, slot *s, uint32_t *room, uint32_t needed)
{
    if (needed <= *room)
        return true;
    uint32_t more = *room > UINT32_MAX / 2 ? needed : *room * 2 > needed ? *room * 2 : needed;
    if (!codec_may_take(c, (uint64_t)more * sizeof(datum), f->name))
        return false;
    datum *data = ARENA_ARRAY(c->arena, datum, more);
    if (*room)
        memcpy(data, s->data, *room * sizeof *data);
    s->data = data;
    s->alike = false;
    *room = more;
    return true;
}

static bool move_sparse_element(codec *c, void *user, uint32_t index)
{
    sparse_walk *w = user;
    if (c->reading && !codec_make_room(c, w->field, w->slot, &w->room, w->moved + 1))
        return false;
    return move_element(c, w->field, w->record, &w->slot->data[w->moved++], index);
}

static bool move_sparse(codec *c, const field *f, record *r, slot *s)
{
    sparse_walk w = {.field = f, .record = r, .slot = s};
    index_list list = {.at = s->indices, .count = c->reading ? 0 : s->count};
    bool good = codec_subset(c, f->mode, f->dims[0], f->limit, &list, f->name, move_sparse_element, &w);
    if (c->reading) {
        s->indices = list.at;
        s->count = w.moved;
    }
    return good;
}

bool codec_count(codec *c, const field *f, slot *s)
{
    uint64_t above = (uint64_t)s->count - f->count_low, range = f->dims[0] - f->count_low;
    if (!codec_item_of_form(c, NAME_COUNT, digits_of(range), &above, range, f->name))
        return false;
    s->count = f->count_low + (uint32_t)above;
    return true;
}

static bool move_chained(codec *c, const field *f, const datum *previous, datum *d, uint32_t index)
{
    trail here;
    c->element = (subscripted){.of = f, .at = index, .dims = f->dim_count};
    codec_enter(c, &here, f->name);
    const bool good = codec_value_delta(c, f->type.decl, previous, NULL, d);
    codec_leave(c, &here);
    c->element = (subscripted){0};
    return good;
}

/* Element `index` of an array, which is among the first count of its slot. */
static bool move_array_element(codec *c, const field *f, record *r, slot *s, uint32_t index)
{
    datum *d = (datum *)(uintptr_t)slot_at(s, index);
    if (f->by && !codec_key(c, f, index != 0 ? slot_at(s, index - 1) : NULL, d, index))
        return false;
    return f->chain ? move_chained(c, f, index != 0 ? slot_at(s, index - 1) : NULL, d, index)
                    : move_element(c, f, r, d, index);
}

/* An array whose count is known. */
static bool move_counted_elements(codec *c, const field *f, record *r, slot *s)
{
    uint32_t room = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        if (c->reading && !codec_make_room(c, f, s, &room, i + 1))
            return false;
        if (!move_array_element(c, f, r, s, i))
            return false;
    }
    return true;
}

static bool move_computed_array(codec *c, const field *f, record *r, slot *s)
{
    slot all = {.present = true, .count = computed_count(f, r)};
    if (!c->reading)
        all = computed_slot(c->arena, f, r);
    if (!move_counted_elements(c, f, r, &all))
        return false;
    if (c->reading)
        *s = all;
    return true;
}

bool codec_presence(codec *c, const field *f, slot *s)
{
    uint64_t bit = s->present;
    if (!f->optional)
        return true;
    if (!codec_item_of_form(c, NAME_HAS, 1, &bit, 1, f->name))
        return false;
    s->present = bit != 0;
    return true;
}

/* r is the record that the field belongs to. When reading, the slot has base values before. */
static bool codec_field(codec *c, const field *f, record *r, slot *s)
{
    if (!codec_presence(c, f, s))
        return false;
    if (!s->present)
        return true;
    if (f->array == ARRAY_SPARSE)
        return move_sparse(c, f, r, s);
    if (f->array == ARRAY_COUNTED)
        return codec_count(c, f, s) && move_counted_elements(c, f, r, s);
    if (f->array == ARRAY_COMPUTED)
        return move_computed_array(c, f, r, s);
    if (c->reading) {
        s->count = field_capacity(f);
        s->alike = false;
        if (!codec_may_take(c, (uint64_t)s->count * sizeof(datum), f->name))
            return false;
        s->data = ARENA_ARRAY(c->arena, datum, s->count);
    }
    if (f->array == ARRAY_NONE)
        return codec_element(c, f, r, &s->data[0]);
    if (c->judging && !is_judged(c, f))
        return true;
    for (uint32_t i = 0; i < s->count; i++)
        if (!move_array_element(c, f, r, s, i))
            return false;
    return true;
}

/* ---- bodies */

static bool move_constant(codec *c, unsigned bits, uint64_t v, const char *name)
{
    uint64_t start = c->bit, raw = v;
    if (!codec_bits(c, bits, &raw, start, name))
        return false;
    return raw == v ? codec_done(c, start, name) : codec_fail(c, PKT_ERROR_CHECK, start, name);
}

bool codec_layout(codec *c, const item *i)
{
    switch (i->kind) {
    case ITEM_ALIGN: return codec_align(c, "align");
    case ITEM_CONST: return move_constant(c, i->as.constant.bits, i->as.constant.value, "const");
    case ITEM_RESERVED: return move_constant(c, i->as.constant.bits, 0, "reserved");
    case ITEM_CHECK: return !c->schema->checks || move_constant(c, 32, i->as.constant.value, "check");
    case ITEM_FIELD:
    case ITEM_IF:
    case ITEM_SWITCH: break;
    }
    assert(false && "not layout");
    return false;
}

static bool move_item(codec *c, const item *i, record *r)
{
    const block *taken;
    switch (i->kind) {
    case ITEM_FIELD: return codec_field(c, i->as.field, r, slot_of(r, i->as.field));
    case ITEM_ALIGN:
    case ITEM_CONST:
    case ITEM_RESERVED:
    case ITEM_CHECK: return codec_layout(c, i);
    case ITEM_IF:
    case ITEM_SWITCH: taken = chosen_block(i, r); return !taken || move_items(c, taken->items, r);
    }
    return false;
}

static bool move_items(codec *c, const item *items, record *r)
{
    for (const item *i = items; i; i = i->next)
        if (!move_item(c, i, r))
            return false;
    return true;
}

/* ---- the fields that name baselines */

static void reach_names(const field_sum *sum, uint32_t *end)
{
    for (; sum; sum = sum->next)
        if (sum->depth > 0 && sum->path[0]->index >= *end)
            *end = sum->path[0]->index + 1;
}

bool codec_names(codec *c, const decl *d, record *r)
{
    uint32_t end = 0; /* after the last one */
    for (const field *f = d->fields; f; f = f->next) {
        if (!f->part)
            continue;
        reach_names(f->part->number, &end);
        reach_names(f->part->base, &end);
        reach_names(f->part->before, &end);
    }
    for (const item *i = d->body.items; i; i = i->next) {
        if (!move_item(c, i, r))
            return false;
        if (i->kind == ITEM_FIELD && i->as.field->index + 1 == end)
            return true;
    }
    return true;
}

/* ---- comparing: structs field by field, up to the first that differs. What varies in width, such as a text, may be
 * unwritable: it is compared by its encoding. */

static bool same_data(codec *c, const field *f, const datum *a, const datum *b);

static codec comparing(const codec *c, codec_error *error)
{
    codec scratch = codec_scratch(c, error);
    scratch.comparing = true;
    scratch.unordered = c->reading;
    return scratch;
}

static bool same_bits(const codec *a, const codec *b)
{
    return a->bit == b->bit && (a->bit == 0 || memcmp(a->data, b->data, (size_t)(a->bit + 7) / 8) == 0);
}

static bool same_encoding_of_slots(codec *c, const field *f, const slot *a, const slot *b)
{
    codec_error ignored;
    codec left = comparing(c, &ignored), right = comparing(c, &ignored);
    slot copy_a = *a, copy_b = *b;
    return codec_field(&left, f, NULL, &copy_a) && codec_field(&right, f, NULL, &copy_b) && same_bits(&left, &right);
}

static bool same_encoding(codec *c, const field *f, const datum *a, const datum *b)
{
    codec_error ignored;
    codec left = comparing(c, &ignored), right = comparing(c, &ignored);
    datum copy_a = *a, copy_b = *b;
    return codec_element(&left, f, NULL, &copy_a) && codec_element(&right, f, NULL, &copy_b) &&
           same_bits(&left, &right);
}

static bool is_text_or_bytes(const field *f)
{
    return f->type.kind == TYPE_STRING || f->type.kind == TYPE_BYTES;
}

static bool same_codes(const field *f, const datum *a, const datum *b)
{
    uint64_t code_a, code_b;
    if (a->number == b->number && memcmp(a->parts, b->parts, sizeof a->parts) == 0)
        return true;
    return f->type.kind != TYPE_COMPACT && scalar_code(&f->type, a, &code_a) == PKT_OK &&
           scalar_code(&f->type, b, &code_b) == PKT_OK && code_a == code_b;
}

/* An `after` that is not greater than its field cannot be written. When reading, only its number counts. */
static bool can_be_after(const codec *c, const field *f, const record *r, const slot *s)
{
    return !f->after || !s->present || c->reading || s->data[0].number > slot_of(r, f->after)->data[0].number;
}

static bool same_keys(const decl *d, const record *a, const record *b)
{
    return !d->key || slot_of(a, d->key)->data[0].number == slot_of(b, d->key)->data[0].number;
}

static bool same_items(codec *c, const item *items, const record *a, const record *b)
{
    for (const item *i = items; i; i = i->next) {
        if (i->kind == ITEM_FIELD) {
            const field *f = i->as.field;
            const slot *x = slot_of(a, f);
            if (!can_be_after(c, f, a, x) || !same_slots(c, f, x, slot_of(b, f)))
                return false;
        } else if (i->kind == ITEM_IF || i->kind == ITEM_SWITCH) {
            const block *taken = chosen_block(i, a);
            if (taken != chosen_block(i, b) || (taken && !same_items(c, taken->items, a, b)))
                return false;
        }
    }
    return true;
}

bool same_records(codec *c, const record *a, const record *b)
{
    if (a && a == b && a->sound)
        return true;
    return a && b && a->decl == b->decl && same_keys(a->decl, a, b) && same_items(c, a->decl->body.items, a, b);
}

static bool same_data(codec *c, const field *f, const datum *a, const datum *b)
{
    if (is_composite(&f->type) && (f->part || (f->type.kind == TYPE_UNION && !(a->record && b->record))))
        return same_encoding(c, f, a, b);
    if (is_composite(&f->type))
        return a->tag == b->tag && same_records(c, a->record, b->record);
    if (is_text_or_bytes(f))
        return (a->size == 0 && b->size == 0) || same_encoding(c, f, a, b);
    return same_codes(f, a, b);
}

bool same_run(codec *c, const field *f, const slot *a, const slot *b, uint32_t first, uint32_t count)
{
    const uint32_t end = first + (a->alike && b->alike && count > 0 ? 1 : count);
    for (uint32_t i = unshared(a, b, first, end); i < end; i = unshared(a, b, i + 1, end))
        if (!same_data(c, f, slot_at(a, i), slot_at(b, i)))
            return false;
    return true;
}

static bool holds_elements(const slot *s)
{
    return s->data || s->blocks;
}

bool same_slots(codec *c, const field *f, const slot *a, const slot *b)
{
    /* The encoding of an `after` field depends on another field, so its values are compared instead. */
    if (f->after)
        return a->present == b->present && (!a->present || a->data[0].number == b->data[0].number);
    if (!a->present || !b->present)
        return a->present == b->present;
    if (f->array == ARRAY_COUNTED && (a->count - f->count_low > f->dims[0] - f->count_low || a->count != b->count))
        return false; /* the counts differ, or cannot be written */
    if (a->count == b->count && holds_elements(a) && holds_elements(b))
        return same_run(c, f, a, b, 0, a->count);
    return same_encoding_of_slots(c, f, a, b);
}
