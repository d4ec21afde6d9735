/* counts.c - checks arrays whose count is computed from earlier fields, and arrays with `delta(previous)`.
 * SPDX-License-Identifier: MIT
 */
#include "check/check_internal.h"
#include "model/type_table.h"

#include <string.h>

/* ---- computed counts */

/* The only field of a count that is that field plus or minus a constant, which is *more. NULL for other counts. */
static const field *only_field(const expr *e, num *more)
{
    const expr *f = e, *term = NULL;
    if (e->kind == EXPR_OPERATOR && (e->operator== OPERATOR_ADD || e->operator== OPERATOR_SUBTRACT)) {
        f = e->operator== OPERATOR_ADD && e->left->kind == EXPR_VALUE ? e->right : e->left;
        term = f == e->left ? e->right : e->left;
    }
    if (f->kind != EXPR_FIELD || f->path->next || (term && term->kind != EXPR_VALUE))
        return NULL;
    *more = !term ? num_u64(0) : e->operator== OPERATOR_SUBTRACT ? num_negate(term->number) : term->number;
    return f->path->field;
}

/* Advises on a range of the field with which the count is in its limits. */
static void help_with_field_range(checker *k, message *m, const expr *count)
{
    enum { USUAL = 16 };
    num more, low, high;
    const field *f = only_field(count, &more);
    if (!f || !num_subtract(num_u64(0), more, &low)) {
        diag_help(k->diag, m, "give the fields in it narrower ranges, such as `int<0, %d>`", (int)USUAL);
        return;
    }
    low = num_compare(low, f->type.low) < 0 ? f->type.low : low;
    if (!num_add(low, num_u64(USUAL), &high) || num_compare(high, f->type.high) > 0)
        high = f->type.high;
    const char *range = arena_printf(k->arena, "int<%s, %s>", num_text(k->arena, low), num_text(k->arena, high));
    const ast_field *ast = find_field(k, f->owner, f->name)->ast;
    diag_fix(k->diag, m, (edit){ast->type.span, ast->declarators->next ? NULL : range},
             "give the field a range: `%s %s;`", range, f->name);
}

/* Whether the limits of arrays hold for all counts. */
static bool check_limits(checker *k, const field *f, const expr *count)
{
    message *m;
    if (count->low.negative) {
        m = diag_error(k->diag, count->span, "the count of '%s' can be negative: it is %s to %s", f->name,
                       num_text(k->arena, count->low), num_text(k->arena, count->high));
        help_with_field_range(k, m, count);
        return false;
    }
    if (num_compare(count->high, num_u64(MAX_ELEMENTS)) > 0) {
        m = diag_error(k->diag, count->span, "the count of '%s' is %s to %s, but an array has at most %u elements",
                       f->name, num_text(k->arena, count->low), num_text(k->arena, count->high),
                       (unsigned)MAX_ELEMENTS);
        help_with_field_range(k, m, count);
        return false;
    }
    if (count->high.magnitude == 0) {
        diag_error(k->diag, count->span, "the count of '%s' is always 0", f->name);
        return false;
    }
    return true;
}

void check_computed(checker *k, field_info *info)
{
    field *f = info->field;
    const ast_dim *dim = info->declarator->dims;
    const expr *count = check_count(k, f->owner, dim->high);
    info->broken = !count || !check_limits(k, f, count);
    if (info->broken)
        return;
    f->count = count;
    f->count_low = (uint32_t)count->low.magnitude;
    f->dims[0] = (uint32_t)count->high.magnitude;
}

/* ---- delta(previous) */

static bool check_chained_type(checker *k, const field *f, span at)
{
    const decl *d = f->type.decl;
    message *m;
    if (f->type.kind == TYPE_STRUCT && info_of(k, d)->damaged)
        return false;
    if (f->type.kind != TYPE_STRUCT || !d->delta) {
        m = diag_error(k->diag, at,
                       "`delta(previous)` needs an array of a struct that is @delta, but '%s' has elements of type %s",
                       f->name, type_text(k, &f->type));
        if (f->type.kind == TYPE_STRUCT)
            help_with_attribute(k, m, d, "@delta", "");
        else
            diag_help(k->diag, m, "put it into a struct: `struct Command @delta { ... }`");
        return false;
    }
    if (d->predicts) {
        m = diag_error(k->diag, at, "'%s' is @delta(predict), and `delta(previous)` predicts nothing", d->name);
        diag_fix(k->diag, m, (edit){attribute_of(k, d, "delta")->span, "@delta"},
                 "make '%s' `@delta`, or remove `delta(previous)`", d->name);
        return false;
    }
    return true;
}

void check_chain(checker *k, field_info *info)
{
    field *f = info->field;
    const ast_expr *from = info->declarator->chain;
    const span at = info->declarator->delta_span;
    if (from->kind != AST_PATH || from->as.path->next || strcmp(from->as.path->name.text, "previous") != 0) {
        message *m = diag_error(k->diag, from->span, "expected 'previous', or a number and its baseline");
        diag_help(k->diag, m,
                  "`delta(previous)` is for arrays: each element is a delta to the one before it; a packet "
                  "has `delta(number from number - back)`");
        return;
    }
    if (f->array == ARRAY_NONE || f->array == ARRAY_SPARSE || f->dim_count != 1) {
        diag_error(k->diag, at, "`delta(previous)` needs an array of one dimension, but '%s' is %s", f->name,
                   f->array == ARRAY_SPARSE ? "sparse"
                   : f->array == ARRAY_NONE ? type_text(k, &f->type)
                                            : "an array of several");
        return;
    }
    f->chain = check_chained_type(k, f, at);
}
