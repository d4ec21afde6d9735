/* constants.c - evaluates constants and expressions of constants, exactly.
 * SPDX-License-Identifier: MIT
 *
 * Integers are computed as nums, which hold every 64-bit value of either sign and their differences; the result must
 * fit in 64 bits. If one side is a real number, the operation is done in doubles. A constant is evaluated at its first
 * use, so constants can be declared in any order.
 */
#include "check/check_internal.h"
#include <assert.h>
#include <math.h>

/* ---- how deeply check recurses through expressions */

/* People write no deeper expressions, and the stack is large enough for many more. */
#define MAX_DEPTH 1000

bool enter(checker *k, span at)
{
    if (k->depth == MAX_DEPTH) {
        if (!k->depth_reported) {
            diag_error(k->diag, at, "operators and constants nest more than %d deep here", MAX_DEPTH);
            k->depth_reported = true;
        }
        return false;
    }
    k->depth++;
    return true;
}

void leave(checker *k)
{
    k->depth--;
    if (k->depth == 0)
        k->depth_reported = false;
}

/* ---- values */

static const constant broken = {.kind = CONSTANT_BROKEN};

static constant integer(num n)
{
    return (constant){.kind = CONSTANT_INTEGER, .integer = n};
}

static constant boolean(bool b)
{
    return (constant){.kind = CONSTANT_BOOL, .boolean = b};
}

static constant real(checker *k, span at, double r)
{
    if (!isfinite(r)) {
        diag_error(k->diag, at, "the value is outside the range of a double");
        return broken;
    }
    return (constant){.kind = CONSTANT_REAL, .real = r};
}

static double as_real(constant c)
{
    return c.kind == CONSTANT_REAL ? c.real : num_double(c.integer);
}

static const char *kind_name(constant_kind kind)
{
    switch (kind) {
    case CONSTANT_INTEGER: return "an integer";
    case CONSTANT_REAL: return "a real number";
    case CONSTANT_BOOL: return "a bool";
    case CONSTANT_BROKEN: break;
    }
    assert(false && "a broken constant was reported already");
    return "";
}

/* ---- names */

static constant of_path(checker *k, const ast_expr *e)
{
    const ast_path *p = e->as.path;
    if (p->next) {
        message *m = diag_error(k->diag, e->span, "expected a constant, and the name of a constant has no '.'");
        const decl_info *d = peek_decl(k, p->name.text);
        if (d && find_member(k, d->decl, p->next->name.text)) {
            diag_help(k->diag, m, "a member of '%s' can only be used where a '%s' is expected, and is written '%s'",
                      p->name.text, p->name.text, p->next->name.text);
        }
        return broken;
    }
    decl_info *d = find_decl(k, p->name, "constant");
    if (!d)
        return broken;
    if (d->decl->kind != DECL_CONST) {
        message *m = diag_error(k->diag, e->span, "expected a constant, not %s '%s'", decl_noun(d->decl), p->name.text);
        diag_note(k->diag, m, d->decl->span, "it is declared here");
        return broken;
    }
    return constant_of(k, d);
}

/* ---- operators */

static constant negated(checker *k, const ast_expr *e, constant c)
{
    if (c.kind == CONSTANT_BOOL) {
        diag_error(k->diag, e->span, "'-' needs a number, not a bool");
        return broken;
    }
    return c.kind == CONSTANT_REAL ? real(k, e->span, -c.real) : integer(num_negate(c.integer));
}

static constant inverted(checker *k, const ast_expr *e, constant c)
{
    if (c.kind != CONSTANT_BOOL) {
        diag_error(k->diag, e->span, "'!' needs a bool, not %s", kind_name(c.kind));
        return broken;
    }
    return boolean(!c.boolean);
}

/* The result of a binary operator for integers, or for bools as 0 and 1. */
static constant applied(checker *k, const ast_expr *e, num l, num r)
{
    num n;
    if (!operator_apply(e->operator, l, r, &n)) {
        diag_error(k->diag, e->span, "the result of '%s' does not fit in 64 bits", operator_text(e->operator));
        return broken;
    }
    return operator_calculates(e->operator) ? integer(n) : boolean(n.magnitude != 0);
}

static constant of_booleans(checker *k, const ast_expr *e, constant l, constant r)
{
    if (!operator_is_logical(e->operator) && e->operator!= OPERATOR_EQ && e->operator!= OPERATOR_NE) {
        diag_error(k->diag, e->span, "'%s' needs numbers, not bools", operator_text(e->operator));
        return broken;
    }
    return applied(k, e, num_u64(l.boolean), num_u64(r.boolean));
}

static constant of_reals(checker *k, const ast_expr *e, double l, double r)
{
    switch (e->operator) {
    case OPERATOR_EQ: return boolean(l == r);
    case OPERATOR_NE: return boolean(l != r);
    case OPERATOR_LT: return boolean(l < r);
    case OPERATOR_LE: return boolean(l <= r);
    case OPERATOR_GT: return boolean(l > r);
    case OPERATOR_GE: return boolean(l >= r);
    case OPERATOR_ADD: return real(k, e->span, l + r);
    case OPERATOR_SUBTRACT: return real(k, e->span, l - r);
    case OPERATOR_MULTIPLY: return real(k, e->span, l * r);
    case OPERATOR_DIVIDE:
        if (r == 0.0) {
            diag_error(k->diag, e->as.sides.right->span, "a division by zero");
            return broken;
        }
        return real(k, e->span, l / r);
    case OPERATOR_MASK:
    case OPERATOR_REMAINDER:
        diag_error(k->diag, e->span, "'%s' needs integers, not real numbers", operator_text(e->operator));
        return broken;
    case OPERATOR_OR:
    case OPERATOR_AND:
        diag_error(k->diag, e->span, "'%s' takes true or false, not numbers", operator_text(e->operator));
        return broken;
    case OPERATOR_NONE:
    case OPERATOR_NOT:
    case OPERATOR_NEGATE: break;
    }
    assert(false && "not a binary operator");
    return broken;
}

static constant of_integers(checker *k, const ast_expr *e, num l, num r)
{
    if (operator_is_logical(e->operator)) {
        diag_error(k->diag, e->span, "'%s' takes true or false, not numbers", operator_text(e->operator));
        return broken;
    }
    if ((e->operator== OPERATOR_DIVIDE || e->operator== OPERATOR_REMAINDER) && r.magnitude == 0) {
        diag_error(k->diag, e->as.sides.right->span, "a division by zero");
        return broken;
    }
    if (e->operator== OPERATOR_MASK &&(l.negative || r.negative)) {
        diag_error(k->diag, e->span, "'&' needs integers that are not negative");
        return broken;
    }
    return applied(k, e, l, r);
}

static constant of_sides(checker *k, const ast_expr *e)
{
    constant l = evaluate(k, e->as.sides.left);
    constant r = evaluate(k, e->as.sides.right);
    if (l.kind == CONSTANT_BROKEN || r.kind == CONSTANT_BROKEN)
        return broken;
    if (l.kind == CONSTANT_BOOL && r.kind == CONSTANT_BOOL)
        return of_booleans(k, e, l, r);
    if (l.kind == CONSTANT_BOOL || r.kind == CONSTANT_BOOL) {
        diag_error(k->diag, e->span, "'%s' has %s on one side and %s on the other", operator_text(e->operator),
                   kind_name(l.kind), kind_name(r.kind));
        return broken;
    }
    if (l.kind == CONSTANT_REAL || r.kind == CONSTANT_REAL)
        return of_reals(k, e, as_real(l), as_real(r));
    return of_integers(k, e, l.integer, r.integer);
}

static constant compute(checker *k, const ast_expr *e)
{
    switch (e->kind) {
    case AST_INT: warn_of_octal(k, e); return integer(num_u64(e->as.integer));
    case AST_REAL: return real(k, e->span, e->as.real);
    case AST_BOOL: return boolean(e->as.boolean);
    case AST_PATH: return of_path(k, e);
    case AST_ONES:
        diag_error(k->diag, e->span, "expected a constant, but `bits(%s)` depends on a field", e->as.path->name.text);
        return broken;
    case AST_OPERATOR:
        if (e->as.sides.right)
            return of_sides(k, e);
        const constant c = evaluate(k, e->as.sides.left);
        if (c.kind == CONSTANT_BROKEN)
            return c;
        return e->operator== OPERATOR_NOT ? inverted(k, e, c) : negated(k, e, c);
    }
    assert(false && "no such kind of expression");
    return broken;
}

constant evaluate(checker *k, const ast_expr *e)
{
    if (!enter(k, e->span))
        return broken;
    constant c = compute(k, e);
    leave(k);
    return c;
}

/* ---- declared constants */

static void declare_value(checker *k, decl_info *d, constant c)
{
    if (c.kind == CONSTANT_BOOL) {
        diag_error(k->diag, d->ast->value->span, "a constant must be a number, not a bool");
        d->broken = true;
    } else if (c.kind == CONSTANT_INTEGER && !num_fits_i64(c.integer) && !num_fits_u64(c.integer)) {
        diag_error(k->diag, d->ast->value->span, "a constant must fit in 64 bits, and %s does not",
                   num_text(k->arena, c.integer));
        d->broken = true;
    } else if (c.kind == CONSTANT_BROKEN) {
        d->broken = true;
    }
    d->decl->is_real = c.kind == CONSTANT_REAL;
    d->decl->value.number = c.integer;
    d->decl->value.real = c.real;
}

constant constant_of(checker *k, decl_info *d)
{
    if (d->progress == PROGRESS_RUNNING) {
        if (!d->broken)
            diag_error(k->diag, d->decl->span, "constant '%s' depends on its own value", d->decl->name);
        d->broken = true;
    }
    if (d->damaged)
        return broken;
    if (d->progress == PROGRESS_NONE) {
        file_info *from = k->file;
        look_from(k, d->file);
        d->progress = PROGRESS_RUNNING;
        declare_value(k, d, evaluate(k, d->ast->value));
        d->progress = PROGRESS_DONE;
        look_from(k, from);
    }
    if (d->broken)
        return broken;
    return d->decl->is_real ? real(k, d->decl->span, d->decl->value.real) : integer(d->decl->value.number);
}

/* ---- constants of a wanted kind */

bool evaluate_integer(checker *k, const ast_expr *e, const char *what, num low, num high, num *result)
{
    constant c = evaluate(k, e);
    if (c.kind == CONSTANT_BROKEN)
        return false;
    if (c.kind != CONSTANT_INTEGER) {
        diag_error(k->diag, e->span, "%s must be an integer, not %s", what, kind_name(c.kind));
        return false;
    }
    if (num_compare(c.integer, low) < 0 || num_compare(c.integer, high) > 0) {
        const char *given = num_text(k->arena, c.integer);
        if (num_compare(low, high) == 0) {
            diag_error(k->diag, e->span, "%s must be %s, not %s", what, num_text(k->arena, low), given);
        } else {
            diag_error(k->diag, e->span, "%s must be from %s to %s, not %s", what, num_text(k->arena, low),
                       num_text(k->arena, high), given);
        }
        return false;
    }
    *result = c.integer;
    return true;
}

bool evaluate_small(checker *k, const ast_expr *e, const char *what, uint32_t low, uint32_t high, uint32_t *result)
{
    num n;
    if (!evaluate_integer(k, e, what, num_u64(low), num_u64(high), &n))
        return false;
    *result = (uint32_t)n.magnitude;
    return true;
}

bool evaluate_real(checker *k, const ast_expr *e, const char *what, double *result)
{
    constant c = evaluate(k, e);
    if (c.kind == CONSTANT_BROKEN)
        return false;
    if (c.kind == CONSTANT_BOOL) {
        diag_error(k->diag, e->span, "%s must be a number, not a bool", what);
        return false;
    }
    *result = as_real(c);
    return true;
}
