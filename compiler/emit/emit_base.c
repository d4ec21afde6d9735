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
 * already, private members do not matter. */
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

void emit_initial_of_field(emitter *e, const field *f, const char *base)
{
    const bool initial = gives_initial(f);
    const value v = given_value(f, initial);
    emit_afresh(e, f, base, initial, &v, HELD_ANYTHING);
}

/* ---- T_base */

/* How base values are set. Readers call T_base for each absent part, so it is a function that sets the members one by
 * one. Few packets are part of anything but a delta. */
typedef enum base_by { BASE_BY_ZEROS, BASE_BY_TABLE, BASE_BY_MEMBERS } base_by;

static base_by how_to_base(const emitter *e, const decl *d)
{
    /* Then clearing the value takes no longer than setting its members. */
    if (d->all_there && d->zero_base && !d->holds_private)
        return BASE_BY_ZEROS;
    return d->packet && !d->delta && !is_only_read(e) ? BASE_BY_TABLE : BASE_BY_MEMBERS;
}

void emit_base_prototype(emitter *e, const decl *d)
{
    static const char *const lines[] = {
        [BASE_BY_ZEROS] = "PKT_INLINE void ${name}_base($name *v_)\n{\n    memset(v_, 0, sizeof *v_);\n}\n",
        [BASE_BY_TABLE] =
            "PKT_INLINE void ${name}_base($name *v_)\n{\n    pkt_type_blank(&${name}_type_, (char *)v_, false);\n}\n",
        [BASE_BY_MEMBERS] = "void ${name}_base($name *v_);\n"};
    out_put(e->out, lines[how_to_base(e, d)], "name", spell_decl(e, d), NULL);
}

/* Local members belong to the program. */
void emit_base(emitter *e, const wire_type *t)
{
    const decl *d = t->decl;
    const field *f = d->fields;
    if (how_to_base(e, d) != BASE_BY_MEMBERS)
        return;
    out_put(e->out, "${called}void ${name}_base($name *v_)\n{\n", "called", spell_called(t), "name", spell_decl(e, d),
            NULL);
    out_indent(e->out);
    if (d->kind == DECL_UNION)
        out_put(e->out, "v_->tag = $tag;\n${type}_base(&v_->as.$m);\n", "tag", spell_member(e, d, d->members), "type",
                spell_decl(e, d->members->type), "m", d->members->name, NULL);
    while (f != NULL && f->local)
        f = f->next;
    if (d->kind == DECL_STRUCT && f == NULL)
        out_put(e->out, d->as_type == NULL && d->fields == NULL ? "v_->unused_ = 0;\n" : "(void)v_;\n", NULL);
    for (f = d->fields; f != NULL; f = f->next)
        if (!f->local)
            emit_base_of_field(e, f, "v_->", HELD_ANYTHING);
    out_dedent(e->out);
    out_put(e->out, "}\n\n", NULL);
}

/* ---- T_init */

/* Whether T_init of a type sets anything after its memory was cleared and its members on the wire have base values. */
static bool sets_more(const decl *d)
{
    if (d->kind == DECL_UNION)
        return sets_more(d->members->type);
    for (const field *f = d->fields; f != NULL; f = f->next) {
        const value v = given_value(f, true);
        if (f->local ? !is_zero_bytes(f, true, &v, HELD_ZERO) && f->type.kind != TYPE_FOREIGN
                     : f->has_initial && gives_initial(f))
            return true;
        if (!f->local && is_composite(&f->type) && gives_initial(f) && !f->by && sets_more(f->type.decl))
            return true;
    }
    return false;
}

/* Whether a field is still to be set then. zeroed: if not, nested types set their private members. */
static bool is_left(const field *f, bool zeroed)
{
    if (!is_composite(&f->type))
        return f->has_initial && gives_initial(f);
    return gives_initial(f) && !f->by && (sets_more(f->type.decl) || (!zeroed && f->type.decl->holds_private));
}

/* All elements, whatever the count of the array is. */
static void emit_initial(emitter *e, const field *f)
{
    const value v = given_value(f, true);
    const char *subscripts = open_loops(e, f, f->dims[0]);
    emit_element(e, f, arena_printf(e->arena, "v_->%s%s", f->name, subscripts), "init", &v);
    close_loops(e, f);
}

/* T_base leaves local members alone. T_init gives them their initial values too, but not in a type of the program. */
static void emit_local(emitter *e, const field *f, bool zeroed)
{
    const value v = given_value(f, true);
    if (f->type.kind != TYPE_FOREIGN)
        (zeroed ? emit_field : emit_afresh)(e, f, "v_->", gives_initial(f), &v, zeroed ? HELD_ZERO : HELD_NOTHING);
    else if (!zeroed)
        out_put(e->out, "pkt_reset(&v_->$m, sizeof v_->$m);\n", "m", f->name, NULL);
}

bool has_zero_init(const decl *d)
{
    return d->zero_initial && !d->holds_bound;
}

/* T_init clears a struct before it sets the members that are not zero. If part of it is a type of the program, it sets
 * the members that the schema has, and nothing else: the others are the program's, and in C++ they can be objects. */
void emit_init(emitter *e, const wire_type *t)
{
    const decl *d = t->decl;
    const bool zeroed = !d->holds_bound;
    const char *name = spell_decl(e, d);
    if (has_zero_init(d))
        return;
    out_put(e->out, "${called}void ${name}_init($name *v_)\n{\n", "called", spell_called(t), "name", name, NULL);
    out_indent(e->out);
    out_put(e->out,
            !zeroed        ? "pkt_value_init_bound(&${name}_type_, v_);\n"
            : d->zero_base ? "memset(v_, 0, sizeof *v_);\n"
            : d->key       ? "memset(v_, 0, sizeof *v_);\n${name}_base(v_);\n" /* in deltas, for each new element */
                           : "pkt_value_init(&${name}_type_, v_);\n",
            "name", name, NULL);
    if (d->kind == DECL_UNION && (sets_more(d) || !zeroed))
        out_put(e->out, "${type}_init(&v_->as.$m);\n", "type", spell_decl(e, d->members->type), "m", d->members->name,
                NULL);
    for (const field *f = d->fields; f != NULL; f = f->next)
        if (f->local && d->as_type == NULL)
            emit_local(e, f, zeroed);
        else if (!f->local && is_left(f, zeroed))
            emit_initial(e, f);
    out_dedent(e->out);
    out_put(e->out, "}\n\n", NULL);
}

/* ---- copies */

/* What a pointer points to; "&x" is x itself. */
static const char *spell_pointed_at(const emitter *e, const char *pointer)
{
    return pointer[0] == '&' ? pointer + 1 : arena_printf(e->arena, "*%s", pointer);
}

/* The function that copies all of a value, or what is sent of it; NULL: an assignment does. */
static const char *spell_copier(const emitter *e, const decl *d, bool all)
{
    if (d->holds_private && !all)
        return arena_printf(e->arena, "%s_copy_sent", spell_decl(e, d));
    return d->holds_list ? arena_printf(e->arena, "%s_copy", spell_decl(e, d)) : NULL;
}

static const char *spell_copy_of(const emitter *e, const decl *d, bool all, const char *to, const char *from)
{
    const char *copier = spell_copier(e, d, all);
    if (copier)
        return arena_printf(e->arena, "%s(%s, %s)", copier, to, from);
    return arena_printf(e->arena, "%s = %s", spell_pointed_at(e, to), spell_pointed_at(e, from));
}

const char *spell_copy(const emitter *e, const decl *d, const char *to, const char *from)
{
    return spell_copy_of(e, d, false, to, from);
}

const char *spell_whole_copy(const emitter *e, const decl *d, const char *to, const char *from)
{
    return spell_copy_of(e, d, true, to, from);
}

static void emit_copy_of_counted(emitter *e, const field *f, bool all)
{
    const char *copier = spell_copier(e, f->type.decl, all);
    out_put(e->out,
            copier ? "for (uint32_t i_ = 0; i_ < from_->${m}_count && i_ < $most; i_++)\n"
                     "    $copier(&to_->$m[i_], &from_->$m[i_]);\n"
                   : "if (!pkt_over(from_->${m}_count, $most))\n"
                     "    memcpy(to_->$m, from_->$m, from_->${m}_count * sizeof *to_->$m);\n",
            "m", f->name, "most", arena_printf(e->arena, "%u", (unsigned)f->dims[0]), "copier", copier ? copier : "",
            NULL);
}

static void emit_copy_of_field(emitter *e, const field *f, bool all)
{
    const char *m = f->name;
    const bool composite = is_composite(&f->type), bytes = f->type.kind == TYPE_BYTES;
    if (f->optional)
        out_put(e->out, "to_->has_$m = from_->has_$m;\n", "m", m, NULL);
    if (f->array == ARRAY_COUNTED)
        out_put(e->out, "to_->${m}_count = from_->${m}_count;\n", "m", m, NULL);
    if (f->array == ARRAY_SPARSE)
        out_put(e->out, "memcpy(&to_->${m}_present, &from_->${m}_present, sizeof to_->${m}_present);\n", "m", m, NULL);
    if (bytes)
        out_put(e->out,
                f->array == ARRAY_NONE ? "to_->${m}_size = from_->${m}_size;\n"
                                       : "memcpy(&to_->${m}_size, &from_->${m}_size, sizeof to_->${m}_size);\n",
                "m", m, NULL);
    if (f->by || (f->array == ARRAY_COUNTED && composite && spell_copier(e, f->type.decl, all))) {
        emit_copy_of_counted(e, f, all);
    } else if (f->type.kind == TYPE_FOREIGN ||
               (composite && (spell_copier(e, f->type.decl, all) || f->type.decl->holds_bound))) {
        /* Elements may be objects in C++, and have their own assignments. */
        const char *subscripts = open_loops(e, f, f->dims[0]),
                   *to = arena_printf(e->arena, "&to_->%s%s", m, subscripts),
                   *from = arena_printf(e->arena, "&from_->%s%s", m, subscripts);
        out_put(e->out, "$copy;\n", "copy",
                composite ? spell_copy_of(e, f->type.decl, all, to, from)
                          : arena_printf(e->arena, "%s = %s", to + 1, from + 1),
                NULL);
        close_loops(e, f);
    } else if (f->array != ARRAY_NONE || bytes || f->type.kind == TYPE_STRING) {
        out_put(e->out, "memcpy(&to_->$m, &from_->$m, sizeof to_->$m);\n", "m", m, NULL);
    } else {
        out_put(e->out, "to_->$m = from_->$m;\n", "m", m, NULL);
    }
}

void emit_copy(emitter *e, const decl *d, bool all)
{
    if (all ? !d->holds_list : !d->holds_private)
        return;
    out_put(e->out, "${called}void $copier($name *to_, const $name *from_)\n{\n", "called", all ? "" : "static ",
            "copier", spell_copier(e, d, all), "name", spell_decl(e, d), NULL);
    out_indent(e->out);
    if (d->kind == DECL_UNION) {
        /* A tag that no member has is copied too: the copy is refused as the original is. */
        out_put(e->out, "memset(&to_->as, 0, sizeof to_->as);\nto_->tag = from_->tag;\nswitch (from_->tag) {\n", NULL);
        for (const member *m = d->members; m != NULL; m = m->next)
            out_put(e->out, "case $tag:\n    $copy;\n    break;\n", "tag", spell_member(e, d, m), "copy",
                    spell_copy_of(e, m->type, all, arena_printf(e->arena, "&to_->as.%s", m->name),
                                  arena_printf(e->arena, "&from_->as.%s", m->name)),
                    NULL);
        out_put(e->out, "default:\n    break;\n}\n", NULL);
    } else {
        bool any = false;
        for (const field *f = d->fields; f != NULL; f = f->next) {
            if (f->local && (!all || d->as_type != NULL))
                continue;
            emit_copy_of_field(e, f, all);
            any = true;
        }
        if (!any)
            out_put(e->out,
                    d->as_type == NULL && d->fields == NULL ? "to_->unused_ = from_->unused_;\n"
                                                            : "(void)to_;\n(void)from_;\n",
                    NULL);
    }
    out_dedent(e->out);
    out_put(e->out, "}\n\n", NULL);
}
