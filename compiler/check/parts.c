/* parts.c - checks the parts of datagrams: fields that are deltas to baselines which other fields name.
 * SPDX-License-Identifier: MIT
 *
 * `delta(number from number - back)` has two or three sums of fields and constants. All of them are read before any
 * part is, so that the reader can find the baselines first. The baseline is a certain number of values before this one,
 * `back`. Its range is known here: it is the difference of the two sums.
 */
#include "check/check_internal.h"
#include "model/interval.h"
#include "model/type_table.h"
#include "pkt.h"

#include <stdlib.h>
#include <string.h>

typedef struct sum_reading {
    checker *k;
    const field_info *part;
    bool absent_allowed; /* optional fields may be in it */
    field_sum *first, **end;
} sum_reading;

/* ---- sums */

static message *refuse_field(sum_reading *r, const field *f, span at, const char *why)
{
    message *m = diag_error(r->k->diag, at, "'%s' cannot name a baseline: %s", f->name, why);
    diag_note(r->k->diag, m, f->span, "it is declared here");
    return m;
}

/* Whether a field of the packet can be used here; if not, reports why. */
static bool is_readable(sum_reading *r, const field_info *f, const ast_name *name)
{
    const field_info *part = r->part;
    for (const field_info *each = info_of(r->k, part->field->owner)->fields; each && each != f; each = each->next) {
        if (each->declarator->baseline) {
            message *m = refuse_field(r, f->field, name->span, "it comes after a part that is a delta");
            diag_help(r->k->diag, m, "the fields that name baselines come before all such parts");
            return false;
        }
    }
    if (f->field->local || f->conditional || f->order >= part->order) {
        refuse_field(r, f->field, name->span,
                     f->field->local  ? "it is local"
                     : f->conditional ? "it is inside an 'if' or 'switch'"
                                      : "it does not come before the part");
        return false;
    }
    return true;
}

static bool add_path(sum_reading *r, const ast_expr *e, field_sum *term)
{
    checker *k = r->k;
    const decl *owner = r->part->field->owner;
    for (const ast_path *step = e->as.path; step; step = step->next) {
        field_info *f = find_field(k, owner, step->name.text);
        if (!f) {
            if (!k->incomplete) {
                message *m =
                    diag_error(k->diag, step->name.span, "'%s' has no field '%s'", owner->name, step->name.text);
                suggest_member(k, m, owner, &step->name);
            }
            return false;
        }
        use_field(k->options->uses, step->name.span, f->field);
        if (f->broken)
            return false;
        if (term->depth == 0 && !is_readable(r, f, &step->name))
            return false;
        if (term->depth > 0 && f->conditional) {
            refuse_field(r, f->field, step->name.span, "it is inside an 'if' or 'switch'");
            return false;
        }
        const type *t = &f->field->type;
        const bool last = !step->next;
        if (f->field->array != ARRAY_NONE || (last ? type_row_of(t)->sort != SORT_INTEGER : t->kind != TYPE_STRUCT)) {
            refuse_field(r, f->field, step->name.span,
                         arena_printf(k->arena, "it is %s, not %s",
                                      f->field->array != ARRAY_NONE ? "an array" : type_text(k, t),
                                      last ? "an integer" : "a struct"));
            return false;
        }
        if (last && f->declarator->clamp.source) {
            message *m = refuse_field(r, f->field, step->name.span, "it has 'clamp', so it may not be sent as it is");
            diag_fix(k->diag, m, without(f->declarator->clamp), "remove its 'clamp'");
            return false;
        }
        if (f->field->optional && !r->absent_allowed) {
            refuse_field(r, f->field, step->name.span, "it is optional, and only the baseline may have no name");
            return false;
        }
        if (term->depth == sizeof term->path / sizeof term->path[0]) {
            diag_error(k->diag, e->span, "this field is in too many structs, at most %d",
                       (int)(sizeof term->path / sizeof term->path[0]) - 1);
            return false;
        }
        term->path[term->depth++] = f->field;
        owner = t->decl;
    }
    return true;
}

static bool add_terms(sum_reading *r, const ast_expr *e, bool minus)
{
    checker *k = r->k;
    if (e->kind == AST_OPERATOR && (e->operator== OPERATOR_ADD || e->operator== OPERATOR_SUBTRACT)) {
        if (!enter(k, e->span))
            return false;
        const bool good = add_terms(r, e->as.sides.left, minus) &&
                          add_terms(r, e->as.sides.right, minus != (e->operator== OPERATOR_SUBTRACT));
        leave(k);
        return good;
    }
    field_sum *t = ARENA_NEW(k->arena, field_sum);
    t->minus = minus;
    const char *name = e->kind == AST_PATH ? e->as.path->name.text : NULL;
    if (name && (find_field(k, r->part->field->owner, name) || !peek_decl(k, name))) {
        if (!add_path(r, e, t))
            return false;
    } else {
        num n;
        if (e->kind != AST_PATH && e->kind != AST_INT) {
            diag_error(k->diag, e->span, "the name of a baseline is a sum of fields and constants");
            return false;
        }
        if (!evaluate_integer(k, e, "a constant in the name of a baseline", num_u64(0), num_u64(UINT32_MAX), &n))
            return false;
        t->number = n.magnitude;
    }
    *r->end = t;
    r->end = &t->next;
    return true;
}

/* NULL after an error. */
static const field_sum *check_sum(checker *k, const field_info *part, const ast_expr *e, bool absent_allowed)
{
    sum_reading r = {.k = k, .part = part, .absent_allowed = absent_allowed};
    r.end = &r.first;
    return add_terms(&r, e, false) ? r.first : NULL;
}

/* ---- differences */

static bool same_field_path(const field_sum *a, const field_sum *b)
{
    return a->depth == b->depth && a->depth > 0 && memcmp(a->path, b->path, a->depth * sizeof a->path[0]) == 0;
}

/* How many times a field is in a sum, negative if it is subtracted. */
static int times_in(const field_sum *sum, const field_sum *of)
{
    int times = 0;
    for (; sum; sum = sum->next)
        if (same_field_path(sum, of))
            times += sum->minus ? -1 : 1;
    return times;
}

static bool is_first_term(const field_sum *sum, const field_sum *of)
{
    while (!same_field_path(sum, of))
        sum = sum->next;
    return sum == of;
}

/* Appends the terms of a sum to others, with their signs turned if `minus`. Returns the end. */
static field_sum **append_terms(checker *k, field_sum **end, const field_sum *sum, bool minus)
{
    for (; sum; sum = sum->next) {
        *end = ARENA_NEW(k->arena, field_sum);
        **end = *sum;
        (*end)->next = NULL;
        (*end)->minus = sum->minus != minus;
        end = &(*end)->next;
    }
    return end;
}

/* The range of a - b, in which a field that is in both, such as `n` in `n - (n - back)`, counts once. False if it leaves
 * 64 bits. */
static bool distance(checker *k, const field_sum *a, const field_sum *b, interval *range)
{
    field_sum *terms;
    append_terms(k, append_terms(k, &terms, a, false), b, true);
    *range = (interval){num_u64(0), num_u64(0)};
    for (const field_sum *t = terms; t; t = t->next) {
        const type *of = t->depth > 0 ? &t->path[t->depth - 1]->type : NULL;
        const interval each = of ? (interval){of->low, of->high} : (interval){num_u64(t->number), num_u64(t->number)};
        const int times = !of ? (t->minus ? -1 : 1) : is_first_term(terms, t) ? times_in(terms, t) : 0;
        for (int i = 0; i < abs(times); i++)
            if (!interval_of(times < 0 ? OPERATOR_SUBTRACT : OPERATOR_ADD, *range, each, range))
                return false;
    }
    return true;
}

/* ---- parts */

static bool is_number_of_values(const type *t)
{
    return t->kind == TYPE_BITS && !t->low.negative &&
           (t->bits == 8 || t->bits == 16 || t->bits == 32 || t->bits == 64);
}

/* The name must wrap as the program's variable does, so its first field has all values of its type in C. */
static bool check_first(checker *k, const field_info *part, const field_sum *number, span at)
{
    const field *first = number->depth > 0 && !number->minus ? number->path[number->depth - 1] : NULL;
    if (first && is_number_of_values(&first->type))
        return true;
    message *m =
        diag_error(k->diag, at, "the name of '%s' must begin with a u8, u16, u32 or u64: it wraps as that does",
                   part->field->name);
    diag_help(k->diag, m, "a packet has a number, such as `u16 number;`, that is one higher than in the one before it");
    return false;
}

/* The field that `sum` subtracts, and `from` does not have; NULL if there is none. */
static const field *subtracted_field(const field_sum *from, const field_sum *sum)
{
    for (; sum; sum = sum->next)
        if (sum->minus && sum->depth > 0 && times_in(from, sum) == 0)
            return sum->path[sum->depth - 1];
    return NULL;
}

/* Advises to write "optional int<1, 31> back;". */
static void help_with_back(checker *k, message *m, const field *back, num low, num high, const char *why)
{
    const field_info *info = info_of(k, back->owner)->fields;
    while (info->field != back)
        info = info->next;
    const bool alone = !info->ast->declarators->next && !back->has_unless;
    const char *word = arena_printf(k->arena, "int<%s, %s>", num_text(k->arena, low), num_text(k->arena, high));
    const char *text = arena_printf(k->arena, "%s%s", back->optional ? "" : "optional ", word);
    diag_fix(k->diag, m, (edit){info->ast->type.span, alone ? text : NULL}, "write `optional %s %s;`%s", word,
             back->name, why);
}

/* Whether a baseline that is `range` values before this one can be told from this one and from later ones. `from` is the name
 * from which the sum at `at` goes back. */
static bool check_range(checker *k, const ast_expr *at, const delta_part *p, const field_sum *from,
                        const field_sum *sum, uint64_t *most)
{
    const num limit = num_u64((UINT64_C(1) << (p->bits - 1)) - 1);
    const char *number = field_sum_text(k->arena, p->number);
    const field *back = subtracted_field(from, sum);
    interval range;
    const bool known = distance(k, from, sum, &range);
    if (known && range.low.magnitude == 0 && back && back->type.low.magnitude == 0) {
        message *m = diag_error(k->diag, at->span, "'%s' can be 0: the baseline would %s", back->name,
                                from == p->number ? "be the value itself" : "not have moved");
        const num high = back->type.high.magnitude > 1 ? num_least(back->type.high, limit) : num_u64(31);
        help_with_back(k, m, back, num_u64(1), high, "");
        return false;
    }
    if (!known || num_compare(range.low, num_u64(1)) < 0) {
        message *m = diag_error(k->diag, at->span, "it is not certain that this is an earlier value than '%s'", number);
        diag_help(k->diag, m,
                  "a packet says how far back its baseline is: `optional int<1, 31> back;`, "
                  "`delta(%s from %s - back)`",
                  number, number);
        return false;
    }
    if (num_compare(range.high, limit) > 0) {
        message *m = diag_error(k->diag, at->span, "this can be %s values before '%s', but %u bits allow at most %s",
                                num_text(k->arena, range.high), number, p->bits, num_text(k->arena, limit));
        diag_help(k->diag, m, "make '%s' wider, or the range smaller: each value of it needs a place in memory",
                  number);
        return false;
    }
    *most = range.high.magnitude;
    return true;
}

/* Whether a field that is in the name may be absent. */
static bool can_be_absent(const field_sum *sum)
{
    for (; sum; sum = sum->next)
        for (unsigned i = 0; i < sum->depth; i++)
            if (sum->path[i]->optional)
                return true;
    return false;
}

static bool check_start(checker *k, const ast_name *start)
{
    if (start->text && strcmp(start->text, "start") != 0) {
        message *m = diag_error(k->diag, start->span, "expected 'start'");
        diag_fix(k->diag, m, (edit){start->span, "start"},
                 "write `else start`: the program sets the value that the part starts from");
        return false;
    }
    return true;
}

/* Without effect: there always is a baseline, and no list gets new elements. */
static void check_start_has_effect(checker *k, const field_info *info)
{
    const field *f = info->field;
    const ast_name *start = &info->declarator->baseline->start;
    if (can_be_absent(f->part->base))
        return;
    for (const field *each = f->type.decl->fields; each; each = each->next)
        if (is_own_list(each))
            return;
    message *m = diag_error(k->diag, start->span,
                            "'else start' has no effect: '%s' always has a baseline, and '%s' has no list of its own",
                            f->name, f->type.decl->name);
    diag_help(k->diag, m,
              "if a field in the name of the baseline is optional, packets without it have a delta to the start value");
}

/* Whether the field can be a delta to a named baseline at all. */
static bool check_place(checker *k, const field_info *info)
{
    const field *f = info->field;
    const span at = info->declarator->delta_span;
    const decl *d = f->type.decl;
    message *m;
    if (!f->owner->packet) {
        m = diag_error(k->diag, at, "only a packet has parts that are deltas to named baselines, but '%s' is a struct",
                       f->owner->name);
        diag_help(k->diag, m, "move '%s' into the packet, or make '%s' a packet", f->name, f->owner->name);
        return false;
    }
    if (f->owner->delta) {
        m = diag_error(k->diag, at, "'%s' is @delta, so it cannot have parts with baselines of their own",
                       f->owner->name);
        diag_fix(k->diag, m, without(attribute_of(k, f->owner, "delta")->span),
                 "remove its '@delta': the other fields are sent whole, and '%s' as a delta", f->name);
        return false;
    }
    if (f->type.kind == TYPE_STRUCT && info_of(k, d)->damaged)
        return false;
    if (f->type.kind != TYPE_STRUCT || f->array != ARRAY_NONE || !d->delta) {
        m = diag_error(k->diag, at, "a delta needs a struct or packet that is @delta, but '%s' is %s", f->name,
                       f->array != ARRAY_NONE ? "an array" : type_text(k, &f->type));
        if (f->type.kind == TYPE_STRUCT && f->array == ARRAY_NONE)
            help_with_attribute(k, m, d, "@delta", "");
        else
            diag_help(k->diag, m, "put it into a struct: `struct World @delta { ... }`");
        return false;
    }
    if (info->conditional) {
        m = diag_error(k->diag, at, "a part that is a delta cannot be inside an 'if' or 'switch'");
        diag_help(k->diag, m, "make it optional: `optional %s %s`", d->name, f->name);
        return false;
    }
    return true;
}

void check_part(checker *k, field_info *info)
{
    const ast_baseline *ast = info->declarator->baseline;
    field *f = info->field;
    delta_part *p = ARENA_NEW(k->arena, delta_part);
    if (!check_start(k, &ast->start) || !check_place(k, info))
        return;
    p->starts = ast->start.text != NULL;
    if (ast->before && !f->type.decl->predicts) {
        message *m = diag_error(k->diag, ast->before->span,
                                "'%s' is not @delta(predict), so its baseline does not move", f->type.decl->name);
        diag_fix(k->diag, m, (edit){attribute_of(k, f->type.decl, "delta")->span, "@delta(predict)"},
                 "make it `@delta(predict)`, or remove the 'after'");
        return;
    }
    p->number = check_sum(k, info, ast->number, false);
    if (!p->number || !check_first(k, info, p->number, ast->number->span))
        return;
    p->bits = field_sum_bits(p->number);
    p->base = check_sum(k, info, ast->base, true);
    if (!p->base)
        return;
    if (!check_range(k, ast->base, p, p->number, p->base, &p->reach))
        return;
    if (ast->before) {
        p->before = check_sum(k, info, ast->before, true);
        if (!p->before)
            return;
        if (!check_range(k, ast->before, p, p->base, p->before, &p->reach) ||
            !check_range(k, ast->before, p, p->number, p->before, &p->reach))
            return;
    }
    f->part = p;
}

/* Only a program whose two sides have the same value from elsewhere can send a packet that always names an earlier one. */
static void warn_of_no_first(checker *k, const field *f)
{
    const field *back = subtracted_field(f->part->number, f->part->base);
    if (!back || can_be_absent(f->part->base))
        return;
    for (const field *g = f->owner->fields; g != f; g = g->next)
        if (g->part && subtracted_field(g->part->number, g->part->base) == back)
            return;
    message *m = diag_warning(k->diag, back->span,
                              "'%s' is not optional, so each '%s' is a delta to an earlier one, also the first",
                              back->name, f->owner->name);
    help_with_back(k, m, back, back->type.low, back->type.high, ": a packet without it is no delta");
}

static bool has_parts(const decl *d)
{
    const field *f = d ? d->fields : NULL;
    while (f && !f->part)
        f = f->next;
    return f != NULL;
}

static void refuse_nested(checker *k, span at, const decl *d)
{
    message *m =
        diag_error(k->diag, at, "'%s' has parts that are deltas, so it is sent by itself, in no other type", d->name);
    diag_note(k->diag, m, d->span, "'%s' is declared here", d->name);
}

static bool has_fit_arrays(const decl *d)
{
    const field *f = d->fields;
    while (f && !(f->fit && f->array != ARRAY_NONE))
        f = f->next;
    return f != NULL;
}

static void check_fit_part(checker *k, const field *f, const field *earlier)
{
    message *m;
    if (!has_fit_arrays(f->type.decl)) {
        m = diag_error(k->diag, f->span, "'@fit' has no effect on '%s': '%s' has no array with '@fit'", f->name,
                       f->type.decl->name);
        diag_note(k->diag, m, f->type.decl->span, "'%s' is declared here", f->type.decl->name);
    } else if (earlier) {
        m = diag_error(k->diag, f->span, "only one part of a packet can have '@fit'");
        diag_note(k->diag, m, earlier->span, "'%s' has it", earlier->name);
    }
}

/* The number of parts, and @fit in a packet that has some. */
static void check_parts_together(checker *k, const decl *d)
{
    const field *fit_part = NULL;
    unsigned parts = 0, fit_arrays = 0;
    if (!has_parts(d))
        return;
    for (const field *f = d->fields; f; f = f->next) {
        if (f->part && ++parts == PKT_MOST_PARTS + 1)
            diag_error(k->diag, f->span, "a packet can have at most %d parts that are deltas", (int)PKT_MOST_PARTS);
        if (f->fit && !f->part && ++fit_arrays == PKT_MOST_PARTS + 1)
            diag_error(k->diag, f->span, "a packet with parts can have at most %d arrays with '@fit'",
                       (int)PKT_MOST_PARTS);
        if (f->fit && f->part) {
            check_fit_part(k, f, fit_part);
            fit_part = f;
        }
    }
}

void check_datagrams(checker *k)
{
    for (decl_info *d = k->decls; d; d = d->next) {
        check_parts_together(k, d->decl);
        for (const field_info *f = d->fields; f; f = f->next)
            if (f->field->part)
                warn_of_no_first(k, f->field);
        for (const field_info *f = d->fields; f; f = f->next)
            if (f->field->part && f->field->part->starts && !info_of(k, f->field->type.decl)->damaged)
                check_start_has_effect(k, f);
        for (const field_info *f = d->fields; f; f = f->next)
            if (!f->broken && f->field->type.kind == TYPE_STRUCT && has_parts(f->field->type.decl))
                refuse_nested(k, f->field->span, f->field->type.decl);
        for (const member *m = d->decl->kind == DECL_UNION ? d->decl->members : NULL; m; m = m->next)
            if (m->type && has_parts(m->type))
                refuse_nested(k, m->span, m->type);
    }
}

bool declares_parts(const ast_decl *d)
{
    for (const ast_item *i = d->body.items; i; i = i->next)
        for (const ast_declarator *each = i->kind == AST_FIELD ? i->as.field.declarators : NULL; each;
             each = each->next)
            if (each->baseline)
                return true;
    return false;
}
