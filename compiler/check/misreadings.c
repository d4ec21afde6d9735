/* misreadings.c - warns of text that is correct here, but means something else in another language.
 * SPDX-License-Identifier: MIT
 */
#include "check/check_internal.h"
#include "model/type_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A literal without parentheses. Parentheses show that the author means it. */
static bool is_bare(const ast_expr *e)
{
    return e && e->kind == AST_INT && !e->parenthesized;
}

void warn_of_numbering(checker *k, const decl_info *d)
{
    uint64_t count = 0;
    for (const field_info *i = d->fields; i; i = i->next) {
        const ast_expr *initial = i->declarator->initial;
        if (!is_bare(initial) || initial->as.integer != ++count)
            return;
    }
    if (count < 2)
        return;
    const ast_declarator *first = d->fields->declarator;
    message *m = diag_warning(k->diag, first->initial->span,
                              "the values 1 to %u are initial values; fields have no numbers", (unsigned)count);
    diag_fix(k->diag, m, (edit){first->initial->span, "(1)"}, "remove them all, or write `%s = (1)` if they are meant",
             first->name.text);
}

void warn_of_octal(checker *k, const ast_expr *integer)
{
    span at = integer->span;
    const char *text = (const char *)at.source->text + at.begin;
    uint64_t number = integer->as.integer;
    /* A single digit is the same number in octal. */
    if (text[0] != '0' || strspn(text, "01234567") < at.end - at.begin || number < 10)
        return;
    message *m = diag_warning(k->diag, at, "'%.*s' is the number %" PRIu64 ": leading zeros mean nothing",
                              (int)(at.end - at.begin), text, number);
    diag_fix(k->diag, m, (edit){at, arena_printf(k->arena, "%" PRIu64, number)},
             "write `%" PRIu64 "`, or `%" PRIu64 "` for the octal number", number, (uint64_t)strtoull(text, NULL, 8));
}

static bool is_number_type(const type *t)
{
    value_sort sort = type_row_of(t)->sort;
    return sort == SORT_INTEGER || sort == SORT_REAL || sort == SORT_FIXED;
}

void warn_of_range(checker *k, const ast_field *ast, const field *f, const ast_dim *dim)
{
    if (dim->kind != AST_DIM_RANGE || !is_bare(dim->low) || dim->low->as.integer != 0 || !is_number_type(&f->type))
        return;
    message *m = diag_warning(k->diag, dim->span, "'%s' is an array of up to %u numbers, not a number from 0 to %u",
                              f->name, (unsigned)f->dims[0], (unsigned)f->dims[0]);
    const char *number = is_real(&f->type) ? arena_printf(k->arena, "%s<0, %u, 0.01>", real_word(&f->type), f->dims[0])
                                           : arena_printf(k->arena, "int<0, %u>", f->dims[0]);
    const bool alone = !ast->declarators->next;
    diag_fix(k->diag, m, (edit){ast->type.span, alone ? number : NULL}, "write `%s %s;` for the number", number,
             f->name);
    if (alone)
        diag_fix_also(k->diag, m, (edit){dim->span, ""});
    const char *length = arena_printf(k->arena, "[<=%u]", f->dims[0]);
    diag_fix(k->diag, m, (edit){dim->span, length}, "write `%s` for the array", line_for(k, dim->span, length));
}

/* The field that is all of an array's length, and is asked for by nothing else; or NULL. */
static const field *own_length(checker *k, const field_info *info)
{
    const field *f = info->field;
    const bool is_field = !info->broken && f->array == ARRAY_COMPUTED && f->count->kind == EXPR_FIELD;
    const path *p = is_field && !f->count->path->next ? f->count->path : NULL;
    return p && find_field(k, f->owner, p->field->name)->asks == 1 ? p->field : NULL;
}

/* Two lines to write, since pktc does not know what else the program uses the field for. */
static void advise_on_length(checker *k, message *m, const field_info *info, const field *length)
{
    const field *f = info->field;
    const ast_dim *dim = info->declarator->dims;
    const field_info *counts = find_field(k, f->owner, length->name);
    const char *dims = arena_printf(k->arena, "[<=%u]", (unsigned)f->dims[0]);
    const bool alone = !counts->ast->declarators->next;
    diag_fix(k->diag, m, (edit){dim->span, alone ? dims : NULL},
             "write `%s%s` and remove '%s': the count is sent with the array", f->name, dims, length->name);
    if (alone)
        diag_fix_also(k->diag, m, without_field(counts->ast));
    const char *sum = arena_printf(k->arena, "0 + %s", length->name);
    diag_fix(k->diag, m, (edit){dim->high->span, sum}, "write `%s[%s]` if '%s' is used for more", f->name, sum,
             length->name);
}

void warn_of_lengths(checker *k, const decl_info *d)
{
    for (const field_info *info = d->fields; info; info = info->next) {
        const field *f = info->field, *length = own_length(k, info);
        const ast_dim *dim = info->declarator->dims;
        if (!length)
            continue;
        message *m = diag_warning(k->diag, dim->high->span, "'%s' is only the count of '%s'", length->name, f->name);
        advise_on_length(k, m, info, length);
    }
}

/* A resolution that is a little coarser, in few digits. */
static const char *rounded_up(checker *k, double step)
{
    enum { MOST_DIGITS = 12 };
    const char *text = "";
    for (int digits = 1; digits <= MOST_DIGITS; digits++) {
        text = arena_printf(k->arena, "%.*f", digits, step * 1.005);
        double resolution = strtod(text, NULL);
        if (resolution >= step && resolution <= step * 1.02)
            break;
    }
    return text;
}

bool warn_of_bits(checker *k, const ast_type *ast, const type *t)
{
    enum { MOST_BITS = 20 };
    if (t->kind != TYPE_QUANTIZED && t->kind != TYPE_OR_RAW)
        return false;
    const ast_expr *step = ast->arguments->next->next;
    uint64_t bits = is_bare(step) ? step->as.integer : 0;
    /* Read as a number of bits, it must give a finer resolution; otherwise it is not meant so. */
    if (bits < 2 || bits > MOST_BITS || t->steps >= UINT64_C(1) << bits)
        return false;
    message *m =
        diag_warning(k->diag, step->span, "%u is the resolution and not a number of bits: this range has %u step%s",
                     (unsigned)bits, (unsigned)t->steps, t->steps == 1 ? "" : "s");
    const char *finer = rounded_up(k, (t->real_high - t->real_low) / (double)((UINT64_C(1) << bits) - 1));
    diag_fix(k->diag, m, (edit){step->span, finer}, "write `%s` for %u bits, `%u.0` if this resolution is meant",
             line_for(k, step->span, finer), (unsigned)bits, (unsigned)bits);
    return true;
}

void warn_of_still(checker *k)
{
    for (const decl *d = k->schema->decls; d; d = d->next)
        for (const field *f = d->fields; f; f = f->next) {
            const field_info *info = f->still || f->speed ? find_field(k, d, f->name) : NULL;
            if (!info || (d->moves && !(f->speed && f->asked)))
                continue;
            const span at = f->speed ? info->speed->span : info->declarator->still;
            const char *word = f->speed ? "@speed" : "still";
            message *m = d->moves
                             ? diag_warning(k->diag, at, "'@speed' has no effect: a condition asks for '%s'", f->name)
                             : diag_warning(k->diag, at, "'%s' has no effect: '%s' is not predicted", word, d->name);
            diag_fix(k->diag, m, without(at), d->moves ? "remove '%s'" : "remove '%s', or make it @delta(predict)",
                     word);
        }
}

/* ---- angles */

static bool is_about(double a, double b)
{
    const double tolerance = 1e-4;
    return a - b < tolerance && b - a < tolerance;
}

/* Whether the range is a full turn, in degrees or in radians. */
static bool is_turn(const type *t)
{
    static const double turns[][2] = {
        {0, 360}, {-180, 180}, {0, 6.283185307179586}, {-3.141592653589793, 3.141592653589793}};
    double low = t->real_low, high = t->real_high;
    if (t->kind == TYPE_INT || t->kind == TYPE_FIXED) {
        const double unit = (double)(UINT64_C(1) << t->fraction_bits);
        low = num_double(t->low) / unit;
        high = num_double(t->high) / unit + (t->kind == TYPE_INT);
    } else if (t->kind != TYPE_QUANTIZED) {
        return false;
    }
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++)
        if (is_about(low, turns[i][0]) && is_about(high, turns[i][1]))
            return true;
    return false;
}

void warn_of_turn(checker *k, const field_info *info)
{
    const field *f = info->field;
    const ast_declarator *d = info->declarator;
    const ast_expr *low = info->written->arguments, *high = low ? low->next : NULL;
    if (f->type.kind == TYPE_FIXED && high && high->next)
        high = high->next->next;
    if (f->type.wraps || !(f->has_delta || f->coded) || !is_turn(&f->type) || !high || high->parenthesized)
        return;
    message *m = diag_warning(
        k->diag, d->name.span,
        "'%s' looks like an angle, but without 'wrap' a turn past the end of its range is a large step", f->name);
    span at = d->name.span;
    for (const ast_dim *dim = d->dims; dim; dim = dim->next)
        at = span_join(at, dim->span);
    const char *text = arena_printf(k->arena, "%s wrap", span_text(k->arena, at));
    diag_fix(k->diag, m, (edit){at, text},
             "write `%s` if it goes round, or its upper bound in parentheses if it does not", line_for(k, at, text));
}
