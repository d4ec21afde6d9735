/* schema.c - names of modes and declarations, base values, and expressions as text.
 * SPDX-License-Identifier: MIT
 */
#include "model/accuracy.h"
#include "model/type_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *sparse_mode_name(sparse_mode mode)
{
    switch (mode) {
    case SPARSE_FLAG: return "flag";
    case SPARSE_COUNT: return "count";
    case SPARSE_SENTINEL: return "sentinel";
    case SPARSE_RELATIVE: return "relative";
    case SPARSE_BITMAP: return "bitmap";
    case SPARSE_AUTO: return "auto";
    }
    assert(false && "not a mode");
    return "";
}

const char *schema_constant_prefix(arena *a, const schema *s, const schema_file *file)
{
    if (file->prefix[0] != 0)
        return file->prefix;
    return arena_printf(a, "%s_", file->root && s->protocol ? s->protocol : file->name);
}

bool is_own_list(const field *f)
{
    const item *i = f->by ? f->owner->body.items : NULL;
    while (i && !(i->kind == ITEM_FIELD && i->as.field == f))
        i = i->next;
    return i != NULL;
}

bool starts_lists(const field *part)
{
    return part->part->starts && part->type.decl->starts;
}

uint64_t delta_part_ring(const delta_part *p)
{
    uint64_t size = 2;
    while (size <= p->reach)
        size *= 2;
    return size;
}

unsigned field_sum_bits(const field_sum *sum)
{
    return sum->depth > 0 && !sum->ones ? storage_bits(sum->path[sum->depth - 1]->type.storage) : 64;
}

bool decl_is_type(const decl *d)
{
    return d && (d->kind == DECL_STRUCT || d->kind == DECL_UNION);
}

bool has_fit(const decl *d)
{
    const field *f = d->fields;
    while (f && !f->fit)
        f = f->next;
    return f != NULL;
}

const char *decl_noun(const decl *d)
{
    switch (d->kind) {
    case DECL_CONST: return "constant";
    case DECL_ALIAS: return "type";
    case DECL_ENUM: return "enum";
    case DECL_FLAGS: return "flags";
    case DECL_STRUCT: return d->packet ? "packet" : "struct";
    case DECL_UNION: return d->packet ? "packet union" : "union";
    }
    assert(false && "not a declaration");
    return "";
}

static int compare_with_member(const void *number, const void *at)
{
    return num_compare(*(const num *)number, (*(const member *const *)at)->value);
}

const member *member_of_value(const decl *d, num v)
{
    const member *const *found = bsearch(&v, d->by_value, d->member_count, sizeof *d->by_value, compare_with_member);
    return found ? *found : NULL;
}

static int compare_with_arm(const void *number, const void *at)
{
    return num_compare(*(const num *)number, ((const arm_value *)at)->value);
}

const arm *arm_of_value(const item *choice, num v)
{
    const arm_value *found =
        bsearch(&v, choice->as.choice.by_value, choice->as.choice.value_count, sizeof *found, compare_with_arm);
    return found ? found->arm : choice->as.choice.otherwise;
}

const member *enum_base(const decl *d)
{
    const member *zero = member_of_value(d, num_u64(0));
    return zero ? zero : d->members;
}

value base_value(const field *f)
{
    const type *t = &f->type;
    const num zero = num_u64(0);
    value v = {.real = 0.0};
    if (f->has_unless)
        return f->unless;
    switch (type_row_of(t)->sort) {
    case SORT_INTEGER:
    case SORT_FIXED:
        if (num_compare(t->low, zero) > 0 || num_compare(t->high, zero) < 0)
            v.number = t->low;
        break;
    case SORT_ENUM: v.number = enum_base(t->decl)->value; break;
    case SORT_REAL:
        if (t->kind == TYPE_QUANTIZED || t->kind == TYPE_OR_RAW)
            v.real = quantized_base(t);
        break;
    case SORT_BOOL:
    case SORT_FLAGS:
    case SORT_QUAT:
    case SORT_UNIT:
    case SORT_STRING:
    case SORT_BYTES:
    case SORT_REF:
    case SORT_STRUCT:
    case SORT_UNION:
    case SORT_FOREIGN: break;
    }
    return v;
}

bool is_zero_value(const type *t, const value *v)
{
    static const double zero = 0; /* and not -0.0, which has a bit that is set */
    return is_real(t) ? memcmp(&v->real, &zero, sizeof zero) == 0 : v->number.magnitude == 0;
}

bool gives_initial(const field *f)
{
    return f->array != ARRAY_SPARSE || f->keep;
}

value given_value(const field *f, bool initial)
{
    return f->has_initial && initial && gives_initial(f) ? f->initial : base_value(f);
}

bool differs_initially(const field *f)
{
    const value base = base_value(f);
    if (f->optional || f->local || !gives_initial(f))
        return false;
    if (is_composite(&f->type))
        return !f->by && f->type.decl->has_initials;
    return f->has_initial && (is_real(&f->type) ? memcmp(&base.real, &f->initial.real, sizeof base.real) != 0
                                                : num_compare(base.number, f->initial.number) != 0);
}

/* ---- conditions and counts as .pkt writes them */

static const char *path_words(arena *a, const path *p)
{
    const char *text = p->field->name;
    for (p = p->next; p; p = p->next)
        text = arena_printf(a, "%s.%s", text, p->field->name);
    return text;
}

const char *expr_words(arena *a, const expr *e)
{
    switch (e->kind) {
    case EXPR_VALUE: return e->name ? e->name : num_text(a, e->number);
    case EXPR_FIELD: return path_words(a, e->path);
    case EXPR_COUNT: return arena_printf(a, "%s_count", path_words(a, e->path));
    case EXPR_HAS: return arena_printf(a, "has_%s", path_words(a, e->path));
    case EXPR_ONES: return arena_printf(a, "bits(%s)", path_words(a, e->path));
    case EXPR_OPERATOR: break;
    }
    const bool deep_left = e->left->left != NULL, deep_right = e->right && e->right->left;
    const char *left = arena_printf(a, deep_left ? "(%s)" : "%s", expr_words(a, e->left));
    if (!e->right)
        return arena_printf(a, "%s%s", operator_text(e->operator), left);
    const char *right = arena_printf(a, deep_right ? "(%s)" : "%s", expr_words(a, e->right));
    return arena_printf(a, "%s %s %s", left, operator_text(e->operator), right);
}
