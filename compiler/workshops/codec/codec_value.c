/* codec_value.c - trees of values: base values, conversions, and the values of conditions.
 * SPDX-License-Identifier: MIT
 */
#include "codec/codec_kept.h"
#include "base/hash_table.h"
#include "model/type_table.h"

#include <assert.h>
#include <string.h>

uint32_t field_capacity(const field *f)
{
    uint32_t count = 1;
    for (uint32_t i = 0; f->array != ARRAY_NONE && i < f->dim_count; i++)
        count *= f->dims[i];
    return count;
}

/* ---- base values */

struct bases {
    arena *arena;
    bool lasting;
    map *
        records; /* (decl, NULL): the record that all base values of a struct have the slots of; (decl, ""): all initial ones */
};

bases *bases_new(arena *a)
{
    return ARENA_WITH(a, bases, .arena = a, .records = map_new(a));
}

bases *bases_lasting(arena *a)
{
    bases *b = bases_new(a);
    b->lasting = true;
    return b;
}

static slot given_slot(bases *b, arena *a, const field *f, bool initial);

static const record *shared_record(bases *b, const decl *d, bool initial)
{
    static const char of_initial = 0;
    const char *kind = initial ? &of_initial : NULL;
    record *r = map_get(b->records, d, kind);
    if (!r) {
        r = ARENA_NEW(b->arena, record);
        r->decl = d;
        r->slots = ARENA_ARRAY(b->arena, slot, d->field_count);
        for (const field *f = d->fields; f; f = f->next)
            r->slots[f->index] = given_slot(b, b->arena, f, initial);
        r->weight = record_weight(r);
        r->refs = b->lasting ? KEPT_ALWAYS : 0;
        map_put(b->arena, b->records, d, kind, r);
    }
    return r;
}

static const decl *base_type(const decl *d)
{
    return d->kind == DECL_UNION ? d->members->type : d;
}

datum bases_given(bases *b, const field *f, bool initial)
{
    const type *t = &f->type;
    const value v = is_scalar(t) ? given_value(f, initial) : (value){0};
    datum d = {0};
    switch (type_row_of(t)->sort) {
    case SORT_BOOL:
    case SORT_INTEGER:
    case SORT_FIXED:
    case SORT_ENUM:
    case SORT_FLAGS: d.number = num_bits(v.number); break;
    case SORT_REAL: d.number = real_to_bits(t->storage, v.real); break;
    case SORT_QUAT: d.parts[3] = 1; break;
    case SORT_UNIT: d.parts[2] = 1; break;
    case SORT_STRUCT:
    case SORT_UNION:
        d.record = (record *)(uintptr_t)shared_record(b, base_type(t->decl), initial && gives_initial(f));
        break;
    case SORT_STRING:
    case SORT_BYTES:
    case SORT_REF:
    case SORT_FOREIGN: break;
    }
    return d;
}

datum bases_datum(bases *b, const field *f)
{
    return bases_given(b, f, false);
}

static slot given_slot(bases *b, arena *a, const field *f, bool initial)
{
    slot s = {.present = !f->optional};
    switch (f->array) {
    case ARRAY_NONE: s.count = 1; break;
    case ARRAY_FIXED:
    case ARRAY_COMPUTED: s.count = field_capacity(f); break;
    case ARRAY_COUNTED: s.count = f->count_low; break;
    case ARRAY_SPARSE: break;
    }
    if (f->local || f->optional)
        s.count = 0;
    s.alike = s.count > 1;
    s.data = ARENA_ARRAY(a, datum, slot_held(&s));
    if (s.count > 0)
        s.data[0] = bases_given(b, f, initial);
    return s;
}

slot bases_slot(bases *b, arena *a, const field *f)
{
    return given_slot(b, a, f, false);
}

static record *given_record(bases *b, arena *a, const decl *d, bool initial)
{
    record *r = ARENA_NEW(a, record);
    r->decl = d;
    r->slots = ARENA_ARRAY(a, slot, d->field_count);
    if (d->field_count)
        memcpy(r->slots, shared_record(b, d, initial)->slots, d->field_count * sizeof *r->slots);
    return r;
}

record *bases_record(bases *b, arena *a, const decl *d)
{
    return given_record(b, a, d, false);
}

record *bases_initial(bases *b, arena *a, const decl *d)
{
    return given_record(b, a, d, true);
}

datum bases_type(bases *b, arena *a, const decl *d)
{
    return (datum){.record = bases_record(b, a, base_type(d))};
}

datum base_datum(arena *a, const field *f)
{
    return bases_datum(bases_new(a), f);
}

slot base_slot(arena *a, const field *f)
{
    return bases_slot(bases_new(a), a, f);
}

record *base_record(arena *a, const decl *d)
{
    return bases_record(bases_new(a), a, d);
}

datum base_of_type(arena *a, const decl *d)
{
    return bases_type(bases_new(a), a, d);
}

/* ---- weights */

static inline uint64_t weight_of_data(const field *f, const datum *data, uint32_t count)
{
    uint64_t weight = (uint64_t)count * sizeof *data;
    const bool has_bytes = f->type.kind == TYPE_STRING || f->type.kind == TYPE_BYTES;
    if (!has_bytes && !is_composite(&f->type))
        return weight;
    for (uint32_t i = 0; i < count; i++)
        weight += has_bytes ? data[i].size : data[i].record ? data[i].record->weight : 0;
    return weight;
}

static inline uint64_t weight_of_slot(const field *f, const slot *s)
{
    uint64_t weight = s->indices ? s->count * sizeof *s->indices : 0;
    if (!s->blocks)
        return weight + (s->data ? weight_of_data(f, s->data, slot_held(s)) * (s->alike ? s->count : 1) : 0);
    for (uint32_t at = 0; at * SHARED_ELEMENTS < s->count; at++) {
        const element_block *b = s->blocks[at];
        weight += b->refs > 0 ? b->weight : weight_of_data(f, b->at, b->count);
    }
    return weight;
}

/* A weight that is far over all limits is not larger than this, so sums do not overflow. */
enum { WEIGHT_BITS = 38 };

static uint64_t weight_of_items(const item *items, const record *r)
{
    const uint64_t most = UINT64_C(1) << WEIGHT_BITS;
    uint64_t weight = 0;
    for (const item *i = items; i; i = i->next) {
        const block *taken = i->kind == ITEM_IF || i->kind == ITEM_SWITCH ? chosen_block(i, r) : NULL;
        if (i->kind == ITEM_FIELD)
            weight += weight_of_slot(i->as.field, slot_of(r, i->as.field));
        weight += taken ? weight_of_items(taken->items, r) : 0;
        weight = weight < most ? weight : most;
    }
    return weight;
}

uint64_t record_weight(const record *r)
{
    const uint64_t key = r->decl->key ? sizeof *slot_of(r, r->decl->key)->data : 0;
    return sizeof *r + r->decl->field_count * sizeof *r->slots + key + weight_of_items(r->decl->body.items, r);
}

uint64_t block_weight(const field *f, const element_block *b)
{
    return weight_of_data(f, b->at, b->count);
}

/* ---- settling */

/* Whether the structs and unions in a slot are settled. */
static bool holds_settled(const slot *s)
{
    for (uint32_t i = 0; i < slot_held(s); i++) {
        const record *r = slot_at(s, i)->record;
        if (r && !r->sound)
            return false;
    }
    return true;
}

static void settle_items(bases *b, arena *a, const item *items, const record *from, record *to)
{
    for (const item *i = items; i; i = i->next) {
        switch (i->kind) {
        case ITEM_FIELD: {
            const field *f = i->as.field;
            const slot *s = slot_of(from, f);
            if (!s->present)
                continue;
            slot *made = slot_of(to, f);
            *made = *s;
            if (!is_composite(&f->type) || (!s->data && !s->blocks) || holds_settled(s))
                continue;
            made->data = ARENA_ARRAY(a, datum, slot_held(s));
            made->blocks = NULL;
            for (uint32_t n = 0; n < slot_held(s); n++)
                made->data[n] = bases_settled(b, a, slot_at(s, n));
            break;
        }
        case ITEM_IF:
        case ITEM_SWITCH: {
            const block *taken = chosen_block(i, from);
            if (taken)
                settle_items(b, a, taken->items, from, to);
            break;
        }
        case ITEM_ALIGN:
        case ITEM_CONST:
        case ITEM_RESERVED:
        case ITEM_CHECK: break;
        }
    }
}

datum bases_settled(bases *b, arena *a, const datum *from)
{
    datum result = *from;
    if (from->record && !from->record->sound) {
        const field *key = from->record->decl->key;
        result.record = bases_record(b, a, from->record->decl);
        result.record->predicted = from->record->predicted;
        if (key)
            *slot_of(result.record, key) = *slot_of(from->record, key);
        settle_items(b, a, from->record->decl->body.items, from->record, result.record);
    }
    return result;
}

datum bases_element(bases *b, arena *a, const field *list, const datum *element)
{
    const datum start = {.record = bases_initial(b, a, list->type.decl)};
    *slot_of(start.record, list->by) = *slot_of(element->record, list->by);
    return bases_settled(b, a, &start);
}

num key_of_element(const field *list, const datum *element)
{
    return datum_num(&list->by->type, &slot_of(element->record, list->by)->data[0]);
}

const datum *element_of_key(const field *list, const slot *s, num key, uint32_t *from)
{
    int order = -1;
    while (*from < s->count && (order = num_compare(key_of_element(list, slot_at(s, *from)), key)) < 0)
        ++*from;
    return *from < s->count && order == 0 ? slot_at(s, *from) : NULL;
}

bool list_pairs_next(list_pairs *p)
{
    const datum *v = p->now_at < p->now->count ? slot_at(p->now, p->now_at) : NULL;
    const datum *old = p->base_at < p->base->count ? slot_at(p->base, p->base_at) : NULL;
    if (!v && !old)
        return false;
    const int order = !v ? 1 : !old ? -1 : num_compare(key_of_element(p->list, v), key_of_element(p->list, old));
    p->v = order <= 0 ? v : NULL;
    p->old = order >= 0 ? old : NULL;
    p->now_at += order <= 0;
    p->base_at += order >= 0;
    return true;
}

datum settled_datum(arena *a, const datum *from)
{
    return from->record && from->record->sound ? *from : bases_settled(bases_new(a), a, from);
}

/* ---- conditions: in exact arithmetic; check has made sure that results fit in 64 bits */

static num truth_num(bool holds)
{
    return num_u64(holds);
}

static bool is_true(num n)
{
    return n.magnitude != 0;
}

static unsigned set_bits(uint64_t n)
{
    unsigned count = 0;
    for (; n; n >>= 1)
        count += n & 1;
    return count;
}

static num evaluate_path(const expr *e, const record *r)
{
    const path *p = e->path;
    const slot *s = slot_of(r, p->field);
    for (; p->next; p = p->next)
        s = slot_of(s->data[0].record, p->next->field);
    if (e->kind == EXPR_COUNT)
        return num_u64(s->count);
    if (e->kind == EXPR_ONES)
        return num_u64(set_bits(s->data[0].number));
    return e->kind == EXPR_HAS ? truth_num(s->present) : datum_num(&p->field->type, &s->data[0]);
}

/* In two's complement of unlimited width, so the result is negative if both operands are. */
static num masked_num(num a, num b)
{
    uint64_t bits = num_bits(a) & num_bits(b);
    return a.negative && b.negative ? (num){.magnitude = 0 - bits, .negative = true} : num_u64(bits);
}

static bool same_num(num a, num b)
{
    return a.magnitude == b.magnitude && (a.negative == b.negative || a.magnitude == 0);
}

static num operate(operator_kind operator, num a, num b)
{
    num result = num_u64(0);
    bool fits = true;
    switch (operator) {
    case OPERATOR_EQ: return truth_num(same_num(a, b));
    case OPERATOR_NE: return truth_num(!same_num(a, b));
    case OPERATOR_LT: return truth_num(num_compare(a, b) < 0);
    case OPERATOR_LE: return truth_num(num_compare(a, b) <= 0);
    case OPERATOR_GT: return truth_num(num_compare(a, b) > 0);
    case OPERATOR_GE: return truth_num(num_compare(a, b) >= 0);
    case OPERATOR_MASK: return masked_num(a, b);
    case OPERATOR_ADD: fits = num_add(a, b, &result); break;
    case OPERATOR_SUBTRACT: fits = num_subtract(a, b, &result); break;
    case OPERATOR_MULTIPLY: fits = num_multiply(a, b, &result); break;
    case OPERATOR_DIVIDE: fits = num_divide(a, b, &result); break;
    case OPERATOR_REMAINDER: fits = num_remainder(a, b, &result); break;
    case OPERATOR_NONE:
    case OPERATOR_NOT:
    case OPERATOR_NEGATE:
    case OPERATOR_OR:
    case OPERATOR_AND: assert(false && "not an operator of two numbers"); break;
    }
    assert(fits && "the checks let no such expression through");
    (void)fits;
    return result;
}

static num condition_value(const expr *e, const record *r);

/* The right side of || and && is evaluated only if the left one does not decide. */
static num evaluate_operator(const expr *e, const record *r)
{
    const num left = condition_value(e->left, r);
    if (e->operator== OPERATOR_NOT)
        return truth_num(!is_true(left));
    if (e->operator== OPERATOR_NEGATE)
        return num_negate(left);
    if (e->operator== OPERATOR_OR)
        return truth_num(is_true(left) || is_true(condition_value(e->right, r)));
    if (e->operator== OPERATOR_AND)
        return truth_num(is_true(left) && is_true(condition_value(e->right, r)));
    return operate(e->operator, left, condition_value(e->right, r));
}

/* The value of a condition or of the subject of a switch, with the fields of this record; a bool is 0 or 1. */
static num condition_value(const expr *e, const record *r)
{
    if (e->kind == EXPR_VALUE)
        return e->number;
    return e->kind == EXPR_OPERATOR ? evaluate_operator(e, r) : evaluate_path(e, r);
}

bool is_condition_true(const expr *e, const record *r)
{
    return is_true(condition_value(e, r));
}

const block *chosen_block(const item *i, const record *r)
{
    if (i->kind == ITEM_IF)
        return is_condition_true(i->as.branch.condition, r) ? &i->as.branch.then : &i->as.branch.other;
    const arm *taken = arm_of_value(i, condition_value(i->as.choice.subject, r));
    return taken ? &taken->body : NULL;
}

uint32_t computed_count(const field *f, const record *r)
{
    const num count = condition_value(f->count, r);
    const bool fits = !count.negative && count.magnitude <= f->dims[0];
    return fits ? (uint32_t)count.magnitude : f->dims[0];
}

slot computed_slot(arena *a, const field *f, const record *r)
{
    const slot *from = slot_of(r, f);
    slot s = {.present = true, .count = computed_count(f, r)};
    s.data = ARENA_ARRAY(a, datum, s.count);
    for (uint32_t i = 0; i < s.count; i++)
        s.data[i] = i < from->count ? *slot_at(from, i) : base_datum(a, f);
    return s;
}
