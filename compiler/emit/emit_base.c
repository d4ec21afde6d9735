/* emit_base.c - base values, initial values and copies: T_base, T_init, T_copy, and fields on sides that were not
 * taken.
 * SPDX-License-Identifier: MIT
 */
#include "emit/emit_internal.h"

#include <assert.h>

/* Opens a loop for each dimension of an array; the outermost one runs first_count times. Returns the subscripts. */
static const char *open_loops(emitter *e, const field *f, uint32_t first_count)
{
    const char *subscripts = "";
    for (uint32_t d = 0; d < f->dim_count; d++) {
        const char *i = arena_printf(e->arena, "i%u_", (unsigned)d);
        out_put(e->out, "for (uint32_t $i = 0; $i < $count; $i++) {\n", "i", i, "count",
                arena_printf(e->arena, "%u", (unsigned)(d == 0 ? first_count : f->dims[d])), NULL);
        out_indent(e->out);
        subscripts = arena_printf(e->arena, "%s[%s]", subscripts, i);
    }
    return subscripts;
}

static void close_loops(emitter *e, const field *f)
{
    for (uint32_t d = 0; d < f->dim_count; d++)
        out_close(e->out);
}

/* Sets one value that is not an array. nested: "base" or "init", the function to call for a struct or union. */
static void emit_element(emitter *e, const field *f, const char *m, const char *nested, const value *v)
{
    const type *t = &f->type;
    switch (type_row_of(t)->sort) {
    case SORT_BOOL:
    case SORT_INTEGER:
    case SORT_FIXED:
    case SORT_REAL:
    case SORT_ENUM:
    case SORT_FLAGS:
    case SORT_QUAT:
    case SORT_UNIT:
    case SORT_REF: out_put(e->out, "$m = $value;\n", "m", m, "value", spell_value(e, t, v), NULL); return;
    case SORT_STRING: out_put(e->out, "$m[0] = 0;\n", "m", m, NULL); return;
    case SORT_BYTES: out_put(e->out, "${m}_size = 0;\n", "m", m, NULL); return;
    case SORT_STRUCT:
    case SORT_UNION:
        out_put(e->out, "${type}_$nested(&$m);\n", "type", spell_decl(e, t->decl), "nested", nested, "m", m, NULL);
        return;
    case SORT_FOREIGN: break;
    }
    assert(false && "a C type has no base value");
}

void emit_base_of_element(emitter *e, const field *f, const char *base, const char *subscript)
{
    value v = base_value(f);
    const char *after = f->type.kind == TYPE_BYTES ? "_size" : "";
    const char *m = arena_printf(e->arena, "%s%s%s%s", base, f->name, after, subscript);
    if (f->type.kind == TYPE_BYTES)
        out_put(e->out, "$m = 0;\n", "m", m, NULL);
    else
        emit_element(e, f, m, "base", &v);
}

void emit_initial_of_element(emitter *e, const field *f, const char *to, const char *subscript)
{
    const bool initial = gives_initial(f);
    const value v = given_value(f, initial);
    const char *after = f->type.kind == TYPE_BYTES ? "_size" : "";
    const char *m = arena_printf(e->arena, "%s%s%s", to, after, subscript);
    if (f->type.kind == TYPE_BYTES)
        out_put(e->out, "$m = 0;\n", "m", m, NULL);
    else
        emit_element(e, f, m, initial ? "init" : "base", &v);
}

/* Whether setting bytes to zero gives a field its value. Null pointers are all zero on every target. If they are zero
 * already, what is private does not matter. */
static bool is_zero_bytes(const field *f, bool initial, const value *v, held h)
{
    const type *t = &f->type;
    if (is_composite(t))
        return (initial ? t->decl->zero_initial : t->decl->zero_base) && (h == HELD_ZERO || !t->decl->holds_private);
    if (t->kind == TYPE_STRING || t->kind == TYPE_BYTES)
        return h == HELD_ZERO || h == HELD_NOTHING;
    return t->kind == TYPE_REF || (is_scalar(t) && is_zero_value(t, v));
}

/* All of a field's elements; nested types by their T_base, or with `initial` by their T_init. */
static void emit_field(emitter *e, const field *f, const char *base, bool initial, const value *v, held h)
{
    const char *m = arena_printf(e->arena, "%s%s", base, f->name), *nested = initial ? "init" : "base";
    const bool zero = is_zero_bytes(f, initial, v, h), all = f->array != ARRAY_COUNTED || h == HELD_NOTHING;
    const uint32_t count = all || h == HELD_ZERO ? f->dims[0] : f->count_low;
    if (f->array == ARRAY_SPARSE && h != HELD_ZERO)
        out_put(e->out, "memset(&${m}_present, 0, sizeof ${m}_present);\n", "m", m, NULL);
    if (f->array == ARRAY_SPARSE && f->keep && h == HELD_KEPT)
        return;
    if (f->array == ARRAY_COUNTED && (h != HELD_ZERO || f->count_low != 0))
        out_put(e->out, "${m}_count = $low;\n", "m", m, "low", arena_printf(e->arena, "%u", (unsigned)f->count_low),
                NULL);
    if (h == HELD_ZERO && zero)
        return;
    if (f->type.kind == TYPE_BYTES && f->array != ARRAY_NONE) {
        out_put(e->out, "memset(&${m}_size, 0, sizeof ${m}_size);\n", "m", m, NULL);
        if (!zero)
            return;
    } else if (f->type.kind == TYPE_BYTES && zero) {
        out_put(e->out, "${m}_size = 0;\n", "m", m, NULL);
    }
    if (f->array == ARRAY_NONE && !(zero && (f->type.kind == TYPE_BYTES || f->type.kind == TYPE_STRING))) {
        emit_element(e, f, m, nested, v);
        return;
    }
    if (f->array != ARRAY_NONE && count == 0)
        return;
    if (zero && all) {
        out_put(e->out, "memset(&$m, 0, sizeof $m);\n", "m", m, NULL);
        return;
    }
    const char *subscripts = open_loops(e, f, count);
    emit_element(e, f, arena_printf(e->arena, "%s%s", m, subscripts), nested, v);
    close_loops(e, f);
}

void emit_base_of_value(emitter *e, const field *f, const char *base, held h)
{
    value v = base_value(f);
    emit_field(e, f, base, false, &v, h);
}

/* Sets a field and its presence. */
static void emit_afresh(emitter *e, const field *f, const char *base, bool initial, const value *v, held h)
{
    if (f->optional)
        out_put(e->out, "${base}has_$name = false;\n", "base", base, "name", f->name, NULL);
    emit_field(e, f, base, initial, v, h);
}

void emit_base_of_field(emitter *e, const field *f, const char *base, held h)
{
    value v = base_value(f);
    emit_afresh(e, f, base, false, &v, h);
}

/* T_base leaves local members alone, because they belong to the program. T_init makes a new struct, so it gives them
 * their initial values too, but not in a type of the program. */
static bool sets(const decl *d, const field *f, bool initial)
{
    return !f->local || (initial && d->as_type == NULL);
}

static bool sets_any(const decl *d, bool initial)
{
    const field *f = d->fields;
    while (f != NULL && !sets(d, f, initial))
        f = f->next;
    return f != NULL;
}

/* T_init clears a struct before it sets what is not zero. If part of it is a type of the program, it sets the members
 * that the schema has, one by one, and nothing else: the others are the program's, and in C++ they can be objects. */
static void emit_base_function(emitter *e, const wire_type *t, bool initial)
{
    const decl *d = t->decl;
    const char *which = initial ? "init" : "base";
    out_put(e->out, "${called}void ${name}_$which($name *v_)\n{\n", "called", spell_called(t), "name", spell_decl(e, d),
            "which", which, NULL);
    out_indent(e->out);
    const bool zeroed = initial && !d->holds_bound;
    const held h = zeroed ? HELD_ZERO : initial ? HELD_NOTHING : HELD_ANYTHING;
    if (zeroed)
        out_put(e->out, "memset(v_, 0, sizeof *v_);\n", NULL);
    if (d->kind == DECL_UNION) {
        const member *m = d->members;
        if (!zeroed)
            out_put(e->out, "v_->tag = $tag;\n", "tag", spell_member(e, d, m), NULL);
        out_put(e->out, "${type}_$which(&v_->as.$m);\n", "type", spell_decl(e, m->type), "which", which, "m", m->name,
                NULL);
    } else if (!zeroed && !sets_any(d, initial)) {
        out_put(e->out, d->as_type == NULL && d->fields == NULL ? "v_->unused_ = 0;\n" : "(void)v_;\n", NULL);
    }
    for (const field *f = d->fields; f != NULL; f = f->next) {
        if (!sets(d, f, initial))
            continue;
        if (f->type.kind == TYPE_FOREIGN) {
            if (!zeroed)
                out_put(e->out, "PKT_RESET(v_->$m);\n", "m", f->name, NULL);
            continue;
        }
        const value v = given_value(f, initial);
        if (zeroed)
            emit_field(e, f, "v_->", initial && gives_initial(f), &v, h);
        else
            emit_afresh(e, f, "v_->", initial && gives_initial(f), &v, h);
    }
    out_dedent(e->out);
    out_put(e->out, "}\n\n", NULL);
}

void emit_base(emitter *e, const wire_type *t)
{
    emit_base_function(e, t, false);
    if (e->version == NULL)
        emit_base_function(e, t, true);
}

/* ---- copies of baselines */

const char *spell_copy(const emitter *e, const decl *d, const char *to, const char *from)
{
    if (d->holds_private)
        return arena_printf(e->arena, "%s_copy(%s, %s)", spell_decl(e, d), to, from);
    return arena_printf(e->arena, "*%s = *%s", to, from);
}

static void emit_copy_of_field(emitter *e, const field *f)
{
    const char *m = f->name;
    if (f->optional)
        out_put(e->out, "to_->has_$m = from_->has_$m;\n", "m", m, NULL);
    if (f->array == ARRAY_COUNTED)
        out_put(e->out, "to_->${m}_count = from_->${m}_count;\n", "m", m, NULL);
    if (is_composite(&f->type) && f->type.decl->holds_private) {
        const char *subscripts = open_loops(e, f, f->dims[0]);
        out_put(e->out, "${type}_copy(&to_->$m$i, &from_->$m$i);\n", "type", spell_decl(e, f->type.decl), "m", m, "i",
                subscripts, NULL);
        close_loops(e, f);
        return;
    }
    if (f->type.kind == TYPE_BYTES)
        out_put(e->out,
                f->array == ARRAY_NONE ? "to_->${m}_size = from_->${m}_size;\n"
                                       : "memcpy(&to_->${m}_size, &from_->${m}_size, sizeof to_->${m}_size);\n",
                "m", m, NULL);
    if (f->array != ARRAY_NONE || f->type.kind == TYPE_BYTES || f->type.kind == TYPE_STRING)
        out_put(e->out, "memcpy(&to_->$m, &from_->$m, sizeof to_->$m);\n", "m", m, NULL);
    else
        out_put(e->out, "to_->$m = from_->$m;\n", "m", m, NULL);
}

void emit_copy(emitter *e, const decl *d)
{
    const char *name = spell_decl(e, d);
    if (!d->holds_private)
        return;
    out_put(e->out, "static void ${name}_copy($name *to_, const $name *from_)\n{\n", "name", name, NULL);
    out_indent(e->out);
    if (d->kind == DECL_UNION) {
        out_put(e->out, "switch (from_->tag) {\n", NULL);
        for (const member *m = d->members; m != NULL; m = m->next) {
            out_put(e->out, "case $tag:\n", "tag", spell_member(e, d, m), NULL);
            out_indent(e->out);
            out_put(e->out, "memset(&to_->as, 0, sizeof to_->as);\n", NULL);
            out_put(e->out,
                    m->type->holds_private ? "${type}_copy(&to_->as.$m, &from_->as.$m);\n"
                                           : "to_->as.$m = from_->as.$m;\n",
                    "type", spell_decl(e, m->type), "m", m->name, NULL);
            out_put(e->out, "to_->tag = from_->tag;\nbreak;\n", NULL);
            out_dedent(e->out);
        }
        out_put(e->out, "default:\n    break;\n}\n", NULL);
    } else {
        for (const field *f = d->fields; f != NULL; f = f->next)
            if (!f->local)
                emit_copy_of_field(e, f);
        if (d->fields == NULL)
            out_put(e->out, d->as_type == NULL ? "to_->unused_ = from_->unused_;\n" : "(void)to_;\n(void)from_;\n",
                    NULL);
    }
    out_dedent(e->out);
    out_put(e->out, "}\n\n", NULL);
}
