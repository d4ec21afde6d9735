/* facts.c - facts of checked declarations: members by value, fields by index, and properties that come from nested
 * types.
 * SPDX-License-Identifier: MIT
 */
#include "model/type_table.h"

#include <stdlib.h>
#include <string.h>

static int compare_member_values(const void *a, const void *b)
{
    return num_compare((*(const member *const *)a)->value, (*(const member *const *)b)->value);
}

static bool is_zero_field(const field *f, bool initial)
{
    const type *t = &f->type;
    if (t->kind == TYPE_QUAT || t->kind == TYPE_UNIT || (f->array == ARRAY_COUNTED && f->count_low != 0))
        return false;
    if (f->by) /* no elements */
        return true;
    if (is_composite(t))
        return initial && gives_initial(f) ? t->decl->zero_initial : t->decl->zero_base;
    const value v = given_value(f, initial);
    return !is_scalar(t) || is_zero_value(t, &v);
}

static void find_in_union(decl *d)
{
    d->zero_base = d->members->type->zero_base;
    d->zero_initial = d->members->type->zero_initial;
    d->has_initials = d->members->type->has_initials;
    for (const member *m = d->members; m; m = m->next) {
        d->holds_private |= m->type->holds_private;
        d->holds_bound |= m->type->holds_bound;
        d->holds_keep |= m->type->holds_keep;
        d->holds_coded |= m->type->holds_coded;
        d->holds_after |= m->type->holds_after;
        d->holds_chain |= m->type->holds_chain;
        d->holds_list |= m->type->holds_list;
        d->holds_counted |= m->type->holds_counted;
    }
}

static void find_starts(const delta_part *part, const decl *of)
{
    decl *d = (decl *)(uintptr_t)of;
    for (const field *f = d->fields; part->starts && f; f = f->next)
        d->starts |= is_own_list(f);
}

static void find_in_struct(decl *d)
{
    d->zero_base = d->zero_initial = d->as_type == NULL;
    d->all_there = true;
    d->holds_private = d->holds_bound = d->as_type != NULL;
    for (field *f = d->fields; f; f = f->next) {
        f->index = d->field_count++;
        d->parts += f->part != NULL;
        d->seeded |= f->part != NULL;
        if (f->part)
            find_starts(f->part, f->type.decl);
        d->all_there &= f->array != ARRAY_COUNTED && f->type.kind != TYPE_STRING && f->type.kind != TYPE_BYTES &&
                        (!is_composite(&f->type) || f->type.decl->all_there);
        d->zero_base &= is_zero_field(f, false);
        d->zero_initial &= is_zero_field(f, true);
        d->has_initials |= differs_initially(f);
        d->holds_private |= f->local || (is_composite(&f->type) && f->type.decl->holds_private);
        d->holds_bound |= (f->type.kind == TYPE_FOREIGN && !strchr(f->type.c_type, '*')) ||
                          (is_composite(&f->type) && f->type.decl->holds_bound);
        d->holds_keep |= f->keep || (is_composite(&f->type) && f->type.decl->holds_keep);
        d->holds_coded |= f->coded || (is_composite(&f->type) && f->type.decl->holds_coded);
        d->holds_after |= f->after || (is_composite(&f->type) && f->type.decl->holds_after);
        d->holds_list |= f->by || (is_composite(&f->type) && f->type.decl->holds_list);
        d->holds_counted |=
            !f->local && (f->array == ARRAY_COUNTED || (is_composite(&f->type) && f->type.decl->holds_counted));
        d->holds_chain |= f->chain || (is_composite(&f->type) && f->type.decl->holds_chain);
    }
}

/* is_new: it is the struct of a list's elements, or in one. Of a union, only the first member is in its initial value. */
static void mark_in_delta(const decl *of, bool is_new)
{
    decl *d = (decl *)(uintptr_t)of;
    if (d->in_delta && (d->is_new || !is_new))
        return;
    d->in_delta = true;
    d->is_new |= is_new;
    for (const field *f = d->fields; f; f = f->next)
        if (!f->local && is_composite(&f->type))
            mark_in_delta(f->type.decl, f->by || (is_new && !f->optional));
    for (const member *m = d->kind == DECL_UNION ? d->members : NULL; m; m = m->next)
        mark_in_delta(m->type, is_new && m == d->members);
}

/* Declarations are in an order in which nested types come first. */
void schema_find_facts(arena *a, schema *s)
{
    for (decl *d = s->decls; d; d = d->next) {
        uint32_t count = 0;
        d->by_value = ARENA_ARRAY(a, const member *, d->member_count);
        for (const member *m = d->members; m; m = m->next)
            d->by_value[count++] = m;
        qsort(d->by_value, count, sizeof *d->by_value, compare_member_values);
        if (d->kind == DECL_UNION)
            find_in_union(d);
        if (d->kind == DECL_STRUCT)
            find_in_struct(d);
        if (d->delta)
            mark_in_delta(d, false);
    }
}
