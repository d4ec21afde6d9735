/* delta_plan.c - makes the plans of delta_plan.h.
 * SPDX-License-Identifier: MIT
 */
#include "wire/delta_plan.h"
#include "wire/tuning.h"
#include "model/coding.h"
#include "model/type_table.h"

#include <assert.h>

typedef struct planner {
    arena *arena;
    delta_plan *plan;
} planner;

static bool has_bit(const op *o)
{
    return op_change_of(o) != OP_CHANGE_NOTHING;
}

/* ---- values */

static delta_form delta_form_of(const op *o, bool may_equal)
{
    switch (op_change_of(o)) {
    case OP_CHANGE_FLIP: return may_equal ? DELTA_FULL : DELTA_FLIP;
    case OP_CHANGE_NUMBER: return o->field->codes[0] ? DELTA_CODED : o->field->has_delta ? DELTA_STEPS : DELTA_FULL;
    case OP_CHANGE_VALUE: return o->field->codes[0] ? DELTA_CODED : DELTA_FULL;
    case OP_CHANGE_TYPE: return DELTA_OF_TYPE;
    case OP_CHANGE_ELEMENTS: return DELTA_ARRAY;
    case OP_CHANGE_OPTIONAL: return DELTA_OPTIONAL;
    case OP_CHANGE_NOTHING: break;
    }
    assert(false && "not a value that deltas have");
    return DELTA_FULL;
}

/* lacks: whether the baseline may lack the value. */
static delta_value *plan_value(planner *k, const op *o, const lvalue *at, int depth, bool lacks, bool may_equal)
{
    const wire_type *t = k->plan->type;
    delta_value *v = ARENA_WITH(k->arena, delta_value, .form = delta_form_of(o, may_equal), .op = o, .at = at,
                                .depth = depth, .may_equal = may_equal);
    if (lacks)
        v->lack = v->form == DELTA_OF_TYPE ? LACK_BLANK : LACK_BASE;
    switch (v->form) {
    case DELTA_FULL: v->full = fuse_value(k->arena, t, o, at, depth); break;
    case DELTA_ARRAY:
        if (o->kind == OP_COUNTED && !is_list(o))
            v->head = fuse_head(k->arena, t, o, at);
        at = ARENA_WITH(k->arena, lvalue, .outer = at, .kind = ACCESS_INDEX, .loop = depth);
        v->inner = plan_value(k, o->body, at, depth + 1, !is_list(o) && (lacks || o->kind == OP_COUNTED), false);
        break;
    case DELTA_OPTIONAL:
        v->head = fuse_head(k->arena, t, o, at);
        v->inner = plan_value(k, o->body, at, depth, true, true);
        break;
    case DELTA_FLIP:
    case DELTA_STEPS:
    case DELTA_CODED:
    case DELTA_OF_TYPE: break;
    }
    return v;
}

/* ---- rows */

/* Whether a field can be in a row, if there is room for it: its width is fixed, and its valid bit patterns are those up to
 * one upper bound. */
static bool goes_in_a_row(const op *o)
{
    if (o->field->has_delta || o->field->coded)
        return false;
    if (o->kind == OP_FLOAT || o->kind == OP_QUANTIZED)
        return o->type->storage == STORAGE_FLOAT;
    if (o->kind == OP_BIASED || (o->kind == OP_ENUM && !op_has_gaps(o)))
        return o->bits != 0 && storage_bits(o->type->storage) < 64;
    return o->kind == OP_BOOL || o->kind == OP_RAW;
}

unsigned delta_row_bits(const delta_field *f)
{
    return f->value->op->kind == OP_BOOL ? 0 : f->value->op->bits;
}

/* Whether nothing is written between a field and the one before it. */
static bool is_neighbour(const delta_block *b, unsigned n)
{
    return b->fields[n - 1].value->op->next == b->fields[n].value->op;
}

/* The number of fields, from n on, of a row whose word also has `taken` bits of the mask; 0 if a row would save
 * nothing. */
static unsigned row_length(const delta_block *b, unsigned n, unsigned taken)
{
    unsigned count = 0, bits = taken, sent = taken != 0;
    for (; n < b->count && goes_in_a_row(b->fields[n].value->op); n++, count++) {
        unsigned width = delta_row_bits(&b->fields[n]);
        if (bits + width > WORD_BITS || (count != 0 && !is_neighbour(b, n)))
            break;
        bits += width;
        sent += width != 0;
    }
    return sent < 2 ? 0 : count;
}

/* Puts the mask into the word of the first row if both fit and nothing comes between them. */
static void plan_rows(delta_block *b)
{
    unsigned taken =
        !b->of->masks && b->count < WORD_BITS && b->count != 0 && b->fields[0].value->op == b->ops ? b->count : 0;
    for (unsigned n = 0; n < b->count; taken = 0) {
        const unsigned row = row_length(b, n, taken);
        b->mask_in_row |= row != 0 && taken != 0;
        b->fields[n].row = row;
        for (unsigned i = 0; i < row; i++)
            b->fields[n + i].in_row = true;
        n += row != 0 ? row : 1;
    }
}

/* How many quantized floats from field n on are compared in one operation: 4 or 3, or 1 if there is no such group. The
 * floats are neighbours in rows, with their mask bits in one word. */
static unsigned together_from(const delta_block *b, unsigned n)
{
    unsigned count = 0;
    for (; count < 4 && n < b->count; n++, count++) {
        const delta_field *f = &b->fields[n];
        if (!f->in_row || f->value->op->kind != OP_QUANTIZED || f->value->op->type->wraps)
            break;
        if (count != 0 && (n % MASK_BITS == 0 || !is_neighbour(b, n)))
            break;
    }
    return count < 3 ? 1 : count;
}

/* Whether a field can be in a row of coded numbers: its code and its difference are integers of 1 to 32 bits, the difference is
 * what is coded, and each
 * value has a code of its own, because a reader stores unchanged numbers of a row too. */
static bool goes_in_a_coded_row(const delta_value *v)
{
    const op *o = v->op;
    if (v->form != DELTA_CODED || o->field->values || o->bits == 0 || o->bits > 32 || o->type->wraps || o->type->clamps)
        return false;
    return o->kind == OP_RAW || o->kind == OP_BIASED || (o->kind == OP_FLOAT && !is_narrow_real(o->type));
}

static void plan_coded_rows(delta_block *b)
{
    for (unsigned n = 0, count; n < b->count; n += count) {
        for (count = 1; count < CODED_ROW_MOST && n + count < b->count; count++)
            if (!goes_in_a_coded_row(b->fields[n + count].value) || (n + count) % MASK_BITS == 0 ||
                !is_neighbour(b, n + count))
                break;
        if (count > 1 && goes_in_a_coded_row(b->fields[n].value))
            b->fields[n].coded = count;
        else
            count = 1;
    }
    b->mask_in_coded_row = b->of->masks && !b->of->mask_values && b->count <= CODE_MASK_FIELDS &&
                           b->fields[0].coded != 0 && b->fields[0].value->op == b->ops;
}

/* ---- blocks */

typedef struct step_list {
    planner *planner;
    delta_block *block;
    delta_step **last;
} step_list;

static delta_block *plan_block(planner *k, const block *of, const op *o, bool is_side);

static delta_step *add_delta_step(step_list *l, delta_step_kind kind)
{
    delta_step *s = ARENA_NEW(l->planner->arena, delta_step);
    s->kind = kind;
    *l->last = s;
    l->last = &s->next;
    return s;
}

static void add_fields_step(step_list *l, delta_step_kind kind, unsigned first, unsigned count)
{
    delta_step *s = add_delta_step(l, kind);
    s->first = first;
    s->count = count;
    for (unsigned n = first; kind == DELTA_ROW && n < first + count; n++)
        s->bits += delta_row_bits(&l->block->fields[n]);
}

static delta_side **add_side_of_step(step_list *l, delta_side **last, const op_arm *of, const block *side,
                                     const op *body)
{
    planner *k = l->planner;
    delta_side *s = ARENA_NEW(k->arena, delta_side);
    s->arm = of;
    s->block = plan_block(k, side, body, true);
    *last = s;
    return &s->next;
}

/* Adds the step of an item without a mask bit: padding, a constant or a branch. */
static void add_item_steps(step_list *l, const op *o)
{
    planner *k = l->planner;
    if (o->kind != OP_IF && o->kind != OP_SWITCH) {
        add_delta_step(l, DELTA_ALWAYS)->always = fuse_value(k->arena, k->plan->type, o, NULL, 0);
        return;
    }
    delta_step *s = add_delta_step(l, o->kind == OP_IF ? DELTA_IF : DELTA_SWITCH);
    delta_side **side = &s->sides;
    s->op = o;
    if (o->kind == OP_IF) {
        side = add_side_of_step(l, side, NULL, &o->item->as.branch.then, o->body);
        if (o->other)
            add_side_of_step(l, side, NULL, &o->item->as.branch.other, o->other);
    }
    for (const op_arm *a = o->kind == OP_SWITCH ? o->arms : NULL; a; a = a->next)
        side = add_side_of_step(l, side, a, &a->arm->body, a->body);
}

static void plan_steps(planner *k, delta_block *b)
{
    step_list l = {.planner = k, .block = b, .last = &b->steps};
    unsigned n = 0, coded = 0;
    for (const op *o = b->ops; o; o = o->next) {
        if (!has_bit(o)) {
            add_item_steps(&l, o);
            continue;
        }
        const delta_field *f = &b->fields[n++], *first = &b->fields[f->first];
        if (f->row != 0)
            add_fields_step(&l, DELTA_ROW, n - 1, f->row);
        if (f->coded != 0) {
            add_fields_step(&l, DELTA_NUMBERS, n - 1, f->coded);
            coded = f->coded;
        }
        if (coded != 0)
            coded--;
        else if (!f->in_row)
            add_fields_step(&l, DELTA_CHANGED, n - 1, 1);
        if (first->together > 1 && n == f->first + first->together)
            add_fields_step(&l, DELTA_VALUES, f->first, first->together);
    }
}

static delta_block *plan_block(planner *k, const block *of, const op *o, bool is_side)
{
    delta_block *b = ARENA_NEW(k->arena, delta_block);
    if (o && o->kind == OP_KEY)
        o = o->next;
    b->of = of;
    b->ops = o;
    for (; o; o = o->next)
        b->count += has_bit(o);
    b->fields = ARENA_ARRAY(k->arena, delta_field, b->count);
    unsigned n = 0;
    for (o = b->ops; o; o = o->next)
        if (has_bit(o)) {
            lvalue *at = ARENA_WITH(k->arena, lvalue, .kind = ACCESS_FIELD, .field = o->field, .loop = -1);
            b->fields[n++].value = plan_value(k, o, at, 0, is_side, false);
        }
    plan_rows(b);
    for (n = 0; n < b->count; n += b->fields[n].together) {
        b->fields[n].together = together_from(b, n);
        for (unsigned i = 0; i < b->fields[n].together; i++)
            b->fields[n + i].first = n;
    }
    plan_coded_rows(b);
    plan_steps(k, b);
    return b;
}

/* ---- types */

static void need_op(const op *o, delta_use use, delta_use *uses)
{
    if (uses[o->of->index] < use)
        uses[o->of->index] = use;
}

/* As plan_value. The value of an optional is compared only if the baseline has it too. */
static void need_value(const op *o, bool lacks, bool in_optional, delta_use *uses)
{
    if (o->kind == OP_STRUCT || o->kind == OP_UNION)
        need_op(o, !lacks ? DELTA_ALWAYS_BASED : in_optional ? DELTA_OR_BLANK : DELTA_COMPARED, uses);
    else if (is_list(o))
        need_op(o->body, DELTA_OR_BLANK, uses);
    else if (o->kind == OP_ARRAY || o->kind == OP_COUNTED)
        need_value(o->body, lacks || o->kind == OP_COUNTED, false, uses);
    else if (o->kind == OP_OPTIONAL)
        need_value(o->body, true, true, uses);
}

/* As plan_block. */
static void need_block(const op *o, bool is_side, delta_use *uses)
{
    for (; o; o = o->next) {
        if (has_bit(o))
            need_value(o, is_side, false, uses);
        if (o->kind == OP_IF) {
            need_block(o->body, true, uses);
            need_block(o->other, true, uses);
        }
        for (const op_arm *a = o->kind == OP_SWITCH ? o->arms : NULL; a; a = a->next)
            need_block(a->body, true, uses);
    }
}

static void need_type(const wire_type *t, delta_use *uses)
{
    if (t->decl->kind != DECL_UNION) {
        need_block(t->body, false, uses);
        return;
    }
    for (const op_arm *a = t->body->arms; a; a = a->next)
        need_op(a->body, DELTA_OR_BLANK, uses);
}

/* Types are in an order in which nested types come first. */
static const wire_type **types_by_index(arena *a, const wire *w)
{
    const wire_type **types = ARENA_ARRAY(a, const wire_type *, w->type_count + 1);
    for (const wire_type *t = w->types; t; t = t->next)
        types[t->index] = t;
    return types;
}

const delta_use *types_with_deltas(arena *a, const wire *w, const schema_file *file)
{
    delta_use *uses = ARENA_ARRAY(a, delta_use, w->type_count + 1);
    const wire_type **types = types_by_index(a, w);
    for (uint32_t i = w->type_count; i-- != 0;) {
        const decl *d = types[i]->decl;
        if (d->delta && (!file || d->file == file) && uses[i] < DELTA_OR_BLANK)
            uses[i] = DELTA_OR_BLANK;
        if (uses[i] != DELTA_UNUSED)
            need_type(types[i], uses);
    }
    return uses;
}

static void mark_types_in(const op *o, bool *marked)
{
    for (; o; o = o->next) {
        if (o->kind == OP_STRUCT || (o->kind == OP_UNION && o->field))
            marked[o->of->index] = true;
        mark_types_in(o->body, marked);
        mark_types_in(o->other, marked);
        for (const op_arm *a = o->arms; a; a = a->next)
            mark_types_in(a->body, marked);
    }
}

const bool *types_compared(arena *a, const wire *w, const delta_use *uses)
{
    bool *compared = ARENA_ARRAY(a, bool, w->type_count + 1);
    const wire_type **types = types_by_index(a, w);
    for (uint32_t i = w->type_count; i-- != 0;)
        if (uses[i] != DELTA_UNUSED && (compared[i] || types[i]->decl->kind != DECL_UNION))
            mark_types_in(types[i]->body, compared);
    return compared;
}

static const delta_plan *plan_type(arena *a, const wire_type *t)
{
    delta_plan *p = ARENA_NEW(a, delta_plan);
    planner k = {.arena = a, .plan = p};
    p->type = t;
    if (t->decl->kind == DECL_UNION)
        p->tag = fuse_head(a, t, t->body, NULL);
    else
        p->block = plan_block(&k, &t->decl->body, t->body, false);
    return p;
}

const delta_plan *const *plan_deltas(arena *a, const wire *w)
{
    const delta_use *uses = types_with_deltas(a, w, NULL);
    const delta_plan **made = ARENA_ARRAY(a, const delta_plan *, w->type_count + 1);
    for (const wire_type *t = w->types; t; t = t->next)
        if (uses[t->index] != DELTA_UNUSED)
            made[t->index] = plan_type(a, t);
    return made;
}
