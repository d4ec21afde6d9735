/* values.c - checks initial values and the D of `unless D`: constants that a scalar type can hold.
 * SPDX-License-Identifier: MIT
 */
#include "check/check_internal.h"
#include "model/type_table.h"
#include <assert.h>
#include <math.h>
#include <string.h>

static bool boolean_value(checker *k, const ast_expr *e, const char *what, value *result)
{
    constant c = evaluate(k, e);
    if (c.kind == CONSTANT_BROKEN)
        return false;
    if (c.kind != CONSTANT_BOOL) {
        message *m = diag_error(k->diag, e->span, "%s of a bool must be true or false", what);
        if (c.kind == CONSTANT_INTEGER)
            help_with_line(k, m, e->span, c.integer.magnitude == 0 ? "false" : "true");
        return false;
    }
    result->number = num_u64(c.boolean ? 1 : 0);
    return true;
}

static bool integer_value(checker *k, const type *t, const ast_expr *e, const char *what, value *result)
{
    constant c = evaluate(k, e);
    if (c.kind == CONSTANT_BROKEN)
        return false;
    if (c.kind != CONSTANT_INTEGER) {
        diag_error(k->diag, e->span, "%s must be an integer from %s to %s", what, num_text(k->arena, t->low),
                   num_text(k->arena, t->high));
        return false;
    }
    if (num_compare(c.integer, t->low) < 0 || num_compare(c.integer, t->high) > 0) {
        diag_error(k->diag, e->span, "%s must be from %s to %s, not %s", what, num_text(k->arena, t->low),
                   num_text(k->arena, t->high), num_text(k->arena, c.integer));
        return false;
    }
    result->number = c.integer;
    return true;
}

/* The value must be exact: 2.5 with 16 fraction bits is the raw value 163840. */
static bool fixed_value(checker *k, const type *t, const ast_expr *e, const char *what, value *result)
{
    constant c = evaluate(k, e);
    if (c.kind == CONSTANT_BROKEN)
        return false;
    if (c.kind == CONSTANT_BOOL) {
        diag_error(k->diag, e->span, "%s of a fixed must be a number", what);
        return false;
    }
    num raw;
    bool held;
    if (c.kind == CONSTANT_INTEGER) {
        held = num_multiply(c.integer, num_u64(UINT64_C(1) << t->fraction_bits), &raw);
    } else {
        double scaled = ldexp(c.real, (int)t->fraction_bits);
        held = fabs(scaled) < 0x1p63;
        raw = num_i64(held ? (int64_t)scaled : 0);
        if (held && num_double(raw) != scaled) {
            message *m = diag_error(k->diag, e->span, "%s is %.9g, which %u fraction bits cannot represent exactly",
                                    what, c.real, t->fraction_bits);
            int64_t nearest = (int64_t)(scaled + (scaled < 0 ? -0.5 : 0.5));
            const char *text = arena_printf(k->arena, "%.17g", ldexp((double)nearest, -(int)t->fraction_bits));
            diag_fix(k->diag, m, (edit){e->span, text}, "the nearest value is %s", text);
            return false;
        }
    }
    if (!held || num_compare(raw, t->low) < 0 || num_compare(raw, t->high) > 0) {
        double unit = ldexp(1.0, (int)t->fraction_bits);
        diag_error(k->diag, e->span, "%s must be from %.9g to %.9g, not %.9g", what, num_double(t->low) / unit,
                   num_double(t->high) / unit, c.kind == CONSTANT_INTEGER ? num_double(c.integer) : c.real);
        return false;
    }
    result->number = raw;
    return true;
}

static bool real_value(checker *k, const type *t, const ast_expr *e, const char *what, value *result)
{
    double r;
    if (!evaluate_real(k, e, what, &r))
        return false;
    if (!real_rounds(t, &r)) {
        diag_error(k->diag, e->span, "%s is outside the range of a %s", what, real_word(t));
        return false;
    }
    if (t->wraps && r >= t->real_high && r <= t->real_high) {
        message *m = diag_error(k->diag, e->span, "%s must be less than %.9g, which is %.9g again", what, t->real_high,
                                t->real_low);
        const char *low = arena_printf(k->arena, "%.9g", t->real_low);
        help_with_line(k, m, e->span, strpbrk(low, ".e") ? low : arena_printf(k->arena, "%s.0", low));
        return false;
    }
    if (t->kind == TYPE_QUANTIZED && (r < t->real_low || r > t->real_high)) {
        diag_error(k->diag, e->span, "%s must be from %.9g to %.9g, not %.9g", what, t->real_low, t->real_high, r);
        return false;
    }
    result->real = r;
    return true;
}

/* ---- members by their bare names */

/* Names the member that has the given number, if there is one. */
static void help_with_number(checker *k, message *error, const decl *d, const ast_expr *e)
{
    for (const member *m = d->members; m && e->kind == AST_INT; m = m->next) {
        if (num_compare(m->value, num_u64(e->as.integer)) == 0) {
            help_with_line(k, error, e->span, m->name);
            return;
        }
    }
}

static const member *bare_member(checker *k, const type *t, const ast_expr *e, const char *what)
{
    const ast_path *p = e->kind == AST_PATH ? e->as.path : NULL;
    const member *m = p && !p->next ? find_member(k, t->decl, p->name.text) : NULL;
    if (m) {
        use_member(k->options->uses, p->name.span, t->decl, m);
        return m;
    }
    if (p && !p->next) {
        message *error = diag_error(k->diag, e->span, "%s has no member '%s'", type_text(k, t), p->name.text);
        suggest_member(k, error, t->decl, &p->name);
    } else if (p && !p->next->next && p->name.text == t->decl->name && find_member(k, t->decl, p->next->name.text)) {
        message *error = diag_error(k->diag, e->span, "a member is written without the name of its type");
        help_with_line(k, error, e->span, p->next->name.text);
    } else {
        message *error = diag_error(k->diag, e->span, "%s of %s must be %s", what, type_text(k, t),
                                    t->kind == TYPE_ENUM ? "one of its members" : "a sum of its members");
        help_with_number(k, error, t->decl, e);
    }
    return NULL;
}

static bool flags_sum(checker *k, const type *t, const ast_expr *e, const char *what, uint64_t *sum)
{
    if (e->operator== OPERATOR_ADD) {
        if (!enter(k, e->span))
            return false;
        bool sound = flags_sum(k, t, e->as.sides.left, what, sum);
        sound &= flags_sum(k, t, e->as.sides.right, what, sum);
        leave(k);
        return sound;
    }
    const member *m = bare_member(k, t, e, what);
    if (!m)
        return false;
    if (*sum & m->value.magnitude) {
        diag_error(k->diag, e->span, "'%s' is in the sum twice", m->name);
        return false;
    }
    *sum |= m->value.magnitude;
    return true;
}

/* ---- all of them */

bool scalar_value(checker *k, const type *t, const ast_expr *e, const char *what, value *result)
{
    uint64_t sum = 0;
    const member *m;
    switch (type_row_of(t)->sort) {
    case SORT_BOOL: return boolean_value(k, e, what, result);
    case SORT_INTEGER: return integer_value(k, t, e, what, result);
    case SORT_FIXED: return fixed_value(k, t, e, what, result);
    case SORT_REAL: return real_value(k, t, e, what, result);
    case SORT_ENUM:
        m = bare_member(k, t, e, what);
        if (m)
            result->number = m->value;
        return m != NULL;
    case SORT_FLAGS:
        if (!flags_sum(k, t, e, what, &sum))
            return false;
        result->number = num_u64(sum);
        return true;
    case SORT_QUAT:
    case SORT_UNIT:
    case SORT_STRING:
    case SORT_BYTES:
    case SORT_REF:
    case SORT_STRUCT:
    case SORT_UNION:
    case SORT_FOREIGN:
        diag_error(k->diag, e->span, "'=' and 'unless' need a bool, number, enum or flags; this is %s",
                   type_text(k, t));
        return false;
    }
    assert(false && "no such value");
    return false;
}
