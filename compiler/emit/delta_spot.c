/* delta_spot.c - see delta_spot.h.
 * SPDX-License-Identifier: MIT
 */
#include "emit/delta_spot.h"

#include <string.h>

/* ---- locals and scopes */

const char *delta_local(const delta *k, const char *what)
{
    return k->level == 0 ? arena_printf(k->e->arena, "%s_", what) : arena_printf(k->e->arena, "%s%d_", what, k->level);
}

/* The name of a local that belongs to a field: "name_changed_". emit/names.c lists them. */
static const char *delta_local_of(const delta *k, const op *o, const char *what)
{
    return arena_printf(k->e->arena, "%s_%s_", o->field->name, what);
}

const char *delta_mask(const delta *k, unsigned bit)
{
    const unsigned first = bit - bit % MASK_BITS;
    return delta_local(k, first == 0 ? "changed" : arena_printf(k->e->arena, "changed%uon", first));
}

unsigned delta_rows(const delta_block *b, unsigned n)
{
    unsigned rows = 0;
    for (unsigned i = 0; i <= n; i++)
        rows += b->fields[i].row != 0;
    return rows;
}

const char *delta_row(const delta *k, const delta_block *b, unsigned n)
{
    return arena_printf(k->e->arena, "%s[%u]", delta_local(k, "rows"), delta_rows(b, n) - 1);
}

const char *delta_code(const delta *k, const delta_block *b, unsigned n)
{
    const unsigned first = b->fields[n].first;
    if (b->fields[first].together <= 1)
        return NULL;
    const char *codes = delta_local_of(k, b->fields[first].value->op, "codes");
    return n == first ? codes : arena_printf(k->e->arena, "%s + %u", codes, n - first);
}

bool delta_is_predicted(const delta *k, const delta_value *v)
{
    return v->form == DELTA_CODED && k->type->moves;
}

const char *delta_step_codes(const delta *k, const delta_value *v)
{
    const bool by_codes = (v->form == DELTA_STEPS || v->form == DELTA_CODED) && leaf_row_of(v->op)->step_differs;
    return (by_codes || delta_is_predicted(k, v)) && v->depth == 0 && !v->may_equal ? delta_local_of(k, v->op, "step")
                                                                                    : NULL;
}

const char *delta_index(const delta *k, const delta_value *array)
{
    return arena_printf(k->e->arena, "i%d_", array->depth);
}

const char *delta_listed(const delta *k, const delta_value *list)
{
    return arena_printf(k->e->arena, "listed%d_", list->depth);
}

void delta_open_scope(delta *k)
{
    out_indent(k->e->out);
    k->level++;
}

void delta_close_scope(delta *k)
{
    k->level--;
    out_dedent(k->e->out);
}

/* ---- where a value is */

/* "(took1_ ? base_->weapon : 0)". has: a condition under which the baseline has `old`; NULL: it always has. */
static const char *spell_or(const emitter *e, const char *has, const char *old, const char *otherwise)
{
    return !has ? old : arena_printf(e->arena, "(%s ? %s : %s)", has, old, otherwise);
}

/* A value that the baseline has at `old`, if `has` holds. */
static spot spot_of(delta *k, const delta_value *v, const char *old, const char *old_size, const char *has,
                    const char *from)
{
    const emitter *e = k->e;
    const op *o = v->op;
    spot s = {
        .value = v, .m = spell_access(e, v->at, "", ""), .has = has, .old = old, .old_size = old_size, .from = from};
    if (op_follows(o))
        s.before = arena_printf(e->arena, "%s%s", from, old + strlen("base_"));
    if (v->form == DELTA_ARRAY) {
        const char *count = arena_printf(e->arena, "%s_count", old);
        s.elements = v->depth == 0 ? delta_local_of(k, o, "changed") : delta_local(k, "elements");
        if (op_moves(o) && o->field->coded && v->inner->form != DELTA_ARRAY && !is_list(o))
            s.expected = v->depth == 0 ? delta_local_of(k, o, "expected") : delta_local(k, "expected");
        s.held = o->kind != OP_COUNTED ? NULL : has ? delta_local_of(k, o, "old") : count;
        s.old_count = o->count_low == 0 ? s.held : spell_or(e, has, count, spell_number(e, o->count_low));
    } else if (v->form == DELTA_OF_TYPE) {
        s.old = spell_or(e, has, arena_printf(e->arena, "&%s", old), "NULL");
    } else if (o->kind == OP_BYTES) {
        s.old_size = spell_or(e, has, old_size, "0u");
    } else if (has) {
        s.old = spell_or(e, has, old, spell_base(e, o->field));
    }
    if (v->form == DELTA_OF_TYPE && s.before)
        s.before = arena_printf(e->arena, "&%s", s.before);
    else if (v->form == DELTA_CODED && op_goes(o))
        s.before = spell_or(e, has, spell_way(e, o->field, "c_->coding"), "0");
    else if (v->form == DELTA_CODED)
        s.before = !s.before ? s.old : has ? spell_or(e, has, s.before, spell_base(e, o->field)) : s.before;
    return s;
}

spot spot_of_field(delta *k, const delta_value *v, const char *has)
{
    const emitter *e = k->e;
    const field *f = v->op->field;
    const char *old = arena_printf(e->arena, "base_->%s", f->name), *from = k->from;
    if (f->optional && from)
        from = arena_printf(e->arena, "(%s->has_%s ? %s : base_)", from, f->name, from);
    return spot_of(k, v, old, arena_printf(e->arena, "%s_size", old), has, from);
}

spot spot_of_element(delta *k, const spot *array)
{
    const emitter *e = k->e;
    const char *i = delta_index(k, array->value), *has = array->has;
    const bool list = is_list(array->value->op);
    const char *j = list ? arena_printf(e->arena, "j%d_", array->value->depth) : i;
    if (list)
        has = NULL; /* the loop is over pairs */
    else if (array->held)
        has = arena_printf(e->arena, "%s < %s", i, array->held);
    spot s = spot_of(k, array->value->inner, arena_printf(e->arena, "%s[%s]", array->old, j),
                     arena_printf(e->arena, "%s[%s]", array->old_size, j), has,
                     spell_from_element(e, array->value->op, array->from, i));
    if (list && s.before)
        s.before = delta_listed(k, array->value);
    return s;
}

leaf spot_leaf(const emitter *e, const spot *s)
{
    const op *o = s->value->op->kind == OP_UNLESS ? s->value->op->body : s->value->op;
    return (leaf){.op = o,
                  .m = s->m,
                  .value = arena_printf(e->arena, "in_->%s", s->m),
                  .old = s->old,
                  .before = s->before,
                  .coding = "c_->coding",
                  .size = o->kind == OP_BYTES ? spell_access(e, s->value->at, "", "_size") : NULL,
                  .old_size = s->old_size};
}
