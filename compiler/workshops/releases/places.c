/* places.c - finds each field's place on the wire: its op, and the conditions around it.
 * SPDX-License-Identifier: MIT
 */
#include "releases/diff_internal.h"

#include "base/out.h"

/* ---- finding */

static void place_ops(comparer *c, side *s, const op *o)
{
    for (; o; o = o->next) {
        if (o->field)
            ((field_place *)map_get(s->places, o->field, NULL))->op = o;
        if (o->kind != OP_IF && o->kind != OP_SWITCH)
            continue;
        place_ops(c, s, o->body);
        place_ops(c, s, o->other);
        for (const op_arm *each = o->arms; each; each = each->next)
            place_ops(c, s, each->body);
    }
}

const guard *guarded(comparer *c, const guard *outer, const item *it, bool other, const arm *in)
{
    guard *made = ARENA_NEW(c->arena, guard);
    *made = (guard){outer, it, other, in};
    return made;
}

static void place_field(comparer *c, side *s, const field *f, const guard *outer)
{
    field_place *made = ARENA_NEW(c->arena, field_place);
    *made = (field_place){.field = f, .guard = outer};
    map_put(c->arena, s->places, f, NULL, made);
}

static void place_block(comparer *c, side *s, const block *b, const guard *outer)
{
    for (const item *it = b->items; it; it = it->next) {
        if (it->kind == ITEM_FIELD) {
            place_field(c, s, it->as.field, outer);
        } else if (it->kind == ITEM_IF) {
            place_block(c, s, &it->as.branch.then, guarded(c, outer, it, false, NULL));
            place_block(c, s, &it->as.branch.other, guarded(c, outer, it, true, NULL));
        } else if (it->kind == ITEM_SWITCH) {
            for (const arm *each = it->as.choice.arms; each; each = each->next)
                place_block(c, s, &each->body, guarded(c, outer, it, false, each));
        }
    }
}

static void place_side(comparer *c, side *s)
{
    s->places = map_new(c->arena);
    s->types = map_new(c->arena);
    for (wire_type *t = s->wire->types; t; t = t->next) {
        map_put(c->arena, s->types, t->decl, NULL, t);
        if (t->decl->kind != DECL_STRUCT)
            continue;
        if (t->decl->key) /* a list sends it before the element */
            place_field(c, s, t->decl->key, NULL);
        place_block(c, s, &t->decl->body, NULL);
        uint32_t index = t->decl->key != NULL; /* the key is the first, wherever it is declared */
        for (const field *f = t->decl->fields; f; f = f->next)
            if (is_sent(f))
                ((field_place *)map_get(s->places, f, NULL))->index = f->key ? 0 : index++;
        place_ops(c, s, t->body);
    }
}

void place_all(comparer *c)
{
    place_side(c, &c->before);
    place_side(c, &c->after);
}

const field_place *place_of_field(const side *s, const field *f)
{
    return map_get(s->places, f, NULL);
}

const wire_type *type_of_decl(const side *s, const decl *d)
{
    return map_get(s->types, d, NULL);
}

const op *element_of(const op *o)
{
    while (o->kind == OP_OPTIONAL || o->kind == OP_UNLESS || o->kind == OP_ARRAY || o->kind == OP_COUNTED ||
           o->kind == OP_COMPUTED || o->kind == OP_SPARSE)
        o = o->body;
    return o;
}

/* For a default, lists the values of the other arms, because these may have changed. */
static const char *arm_words(arena *a, const item *it, const arm *each)
{
    enum { SHOWN = 8 };
    const char *text = each->is_default ? "default, not" : "case";
    uint32_t count = 0;
    for (const arm *in = it->as.choice.arms; in; in = in->next)
        for (uint32_t i = 0; (each->is_default || in == each) && i < in->value_count; i++)
            if (count++ < SHOWN)
                text = arena_printf(a, "%s%s %s", text, count > 1 ? "," : "", expr_words(a, in->values[i]));
    return count > SHOWN ? arena_printf(a, "%s, ...", text) : text;
}

/* Without those around it. */
static const char *own_words(arena *a, const guard *g)
{
    const item *it = g->item;
    if (it->kind == ITEM_IF)
        return arena_printf(a, "%s (%s)", g->other ? "else of if" : "if", expr_words(a, it->as.branch.condition));
    return arena_printf(a, "%s of switch (%s)", arm_words(a, it, g->arm), expr_words(a, it->as.choice.subject));
}

const char *guard_words(arena *a, const guard *g)
{
    if (!g)
        return "always";
    size_t size;
    out *o = out_new(a);
    for (; g; g = g->outer)
        out_format(o, "%s%s", own_words(a, g), g->outer ? ", in " : "");
    return out_result(o, &size);
}
