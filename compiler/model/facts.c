/* facts.c - what is true of a struct or union because of the types that it contains.
 * SPDX-License-Identifier: MIT
 */
#include "model/type_table.h"

static bool is_nested(const type *t)
{
    return t->kind == TYPE_STRUCT || t->kind == TYPE_UNION;
}

static bool is_zero(const type *t, bool initial)
{
    return initial ? t->decl->zero_initial : t->decl->zero_base;
}

static bool is_zero_field(const field *f, bool initial)
{
    const type *t = &f->type;
    if (t->kind == TYPE_QUAT || t->kind == TYPE_UNIT || (f->array == ARRAY_COUNTED && f->count_low != 0))
        return false;
    if (is_nested(t))
        return is_zero(t, initial && gives_initial(f));
    const value v = given_value(f, initial);
    return !is_scalar(t) || is_zero_value(t, &v);
}

static void find_in_union(decl *d)
{
    d->zero_base = d->members->type->zero_base;
    d->zero_initial = d->members->type->zero_initial;
    for (const member *m = d->members; m != NULL; m = m->next)
        d->holds_private |= m->type->holds_private;
}

static void find_in_struct(decl *d)
{
    d->zero_base = d->zero_initial = d->as_type == NULL;
    d->holds_private = d->as_type != NULL;
    for (const field *f = d->fields; f != NULL; f = f->next) {
        d->zero_base &= is_zero_field(f, false);
        d->zero_initial &= is_zero_field(f, true);
        d->holds_private |= f->local || (is_nested(&f->type) && f->type.decl->holds_private);
    }
}

/* Each declaration comes after those that it contains. */
void schema_find_facts(schema *s)
{
    for (decl *d = s->decls; d != NULL; d = d->next) {
        if (d->kind == DECL_UNION)
            find_in_union(d);
        if (d->kind == DECL_STRUCT)
            find_in_struct(d);
    }
}
