/* condition.c - checks the operators in conditions: their operands and the types of their results.
 * SPDX-License-Identifier: MIT
 *
 * Expressions are typed from the leaves up. Every number has the interval of its possible values. So an operator is
 * refused here unless int64_t or uint64_t certainly computes it correctly. An expression of constants becomes one
 * constant.
 *
 * Only the name of a member depends on its surroundings: `red` means Team.red in `team == red`, and `fire` means
 * Buttons.fire in `buttons & (fire + jump)`. So about_of finds the enum or flags before the operands of a comparison
 * are checked, and passes it down to the operands of & and +.
 */
#include "check/condition_internal.h"

#include <assert.h>

static expr *check_expr(place p, const ast_expr *e, const decl *about);

/* ---- ranges in messages */

static interval range_of(const expr *e)
{
    return (interval){e->low, e->high};
}

static const char *range_text(checker *k, interval range)
{
    if (num_compare(range.low, range.high) == 0)
        return num_text(k->arena, range.low);
    return arena_printf(k->arena, "%s to %s", num_text(k->arena, range.low), num_text(k->arena, range.high));
}

/* ---- making expressions */

static bool is_number_expr(const expr *e)
{
    return e->type != EXPR_BOOL;
}

expr *new_expr(checker *k, expr_kind kind, span at)
{
    return ARENA_WITH(k->arena, expr, .kind = kind, .span = at);
}

expr *as_bool(expr *made)
{
    made->type = EXPR_BOOL;
    made->low = num_u64(0);
    made->high = num_u64(1);
    return made;
}

expr *as_number(expr *made, interval range)
{
    made->type = interval_fits_i64(range) ? EXPR_SIGNED : EXPR_UNSIGNED;
    made->low = range.low;
    made->high = range.high;
    return made;
}

expr *number(checker *k, span at, num n)
{
    if (!num_fits_i64(n) && !num_fits_u64(n)) {
        diag_error(k->diag, at, "the value %s does not fit in 64 bits", num_text(k->arena, n));
        return NULL;
    }
    expr *made = new_expr(k, EXPR_VALUE, at);
    made->number = n;
    return as_number(made, (interval){n, n});
}

static expr *truth_expr(checker *k, span at, bool b)
{
    expr *made = as_bool(new_expr(k, EXPR_VALUE, at));
    made->number = num_u64(b);
    made->low = made->high = made->number;
    return made;
}

/* An operand whose names do not depend on the operand beside it. */
static expr *check_alone(place p, const ast_expr *e)
{
    return check_expr(p, e, takes_members(e) ? about_of(p, e) : NULL);
}

/* ---- operators */

/* NULL if it is a bool. */
static message *refuse_number(checker *k, const expr *e, operator_kind operator)
{
    return is_number_expr(e)
               ? diag_error(k->diag, e->span, "'%s' needs a bool here, not a number", operator_text(operator))
               : NULL;
}

static bool needs_bool(checker *k, const expr *e, operator_kind operator)
{
    message *m = refuse_number(k, e, operator);
    if (m)
        help_with_zero(k, m, e, "!=");
    return m == NULL;
}

static bool needs_number(checker *k, const expr *e, operator_kind operator)
{
    if (is_number_expr(e))
        return true;
    diag_error(k->diag, e->span, "'%s' needs a number here, not a bool", operator_text(operator));
    return false;
}

/* The type in which an operation is computed: it must hold a, b and every result. False if neither int64_t nor uint64_t
 * does. */
static bool computed_in(const expr *a, const expr *b, interval result, expr_type *inside)
{
    if (interval_fits_i64(range_of(a)) && interval_fits_i64(range_of(b)) && interval_fits_i64(result)) {
        *inside = EXPR_SIGNED;
        return true;
    }
    *inside = EXPR_UNSIGNED;
    return interval_fits_u64(range_of(a)) && interval_fits_u64(range_of(b)) && interval_fits_u64(result);
}

static bool is_constant(const expr *e)
{
    return e->kind == EXPR_VALUE;
}

static expr *with_sides(checker *k, const ast_expr *e, expr *left, expr *right)
{
    expr *made = new_expr(k, EXPR_OPERATOR, e->span);
    made->operator= e->operator;
    made->left = left;
    made->right = right;
    return made;
}

static void help_with_ranges(checker *k, message *m, const expr *left, const expr *right)
{
    diag_help(k->diag, m, "the left side is %s, the right side is %s", range_text(k, range_of(left)),
              range_text(k, range_of(right)));
}

static expr *leaves_64_bits(checker *k, const ast_expr *e, const expr *left, const expr *right)
{
    operator_kind operator= e->operator;
    message *m = diag_error(k->diag, e->span, "the result of '%s' may not fit in 64 bits", operator_text(operator));
    help_with_ranges(k, m, left, right);
    return NULL;
}

static expr *check_arithmetic(checker *k, const ast_expr *e, expr *left, expr *right)
{
    operator_kind operator= e->operator;
    bool divides = operator== OPERATOR_DIVIDE || operator== OPERATOR_REMAINDER;
    bool left_fits = needs_number(k, left, operator);
    if (!needs_number(k, right, operator) || !left_fits)
        return NULL;
    if (divides && interval_has_zero(range_of(right))) {
        diag_error(k->diag, right->span, "the divisor can be 0: it is %s", range_text(k, range_of(right)));
        return NULL;
    }
    interval result, quotient;
    if (!interval_of(operator, range_of(left), range_of(right), &result))
        return leaves_64_bits(k, e, left, right);
    if (is_constant(left) && is_constant(right))
        return number(k, e->span, result.low);
    expr *made = with_sides(k, e, left, right);
    bool fits = computed_in(left, right, result, &made->inside);
    if (fits && operator== OPERATOR_REMAINDER) {
        /* In C a remainder is undefined if the quotient overflows. */
        fits = interval_of(OPERATOR_DIVIDE, range_of(left), range_of(right), &quotient) &&
               computed_in(left, right, quotient, &made->inside);
    }
    return fits ? as_number(made, result) : leaves_64_bits(k, e, left, right);
}

/* A comparison or a logical operator of two constants. */
static expr *folded_expr(checker *k, const ast_expr *e, const expr *left, const expr *right)
{
    num result;
    bool known = operator_apply(e->operator, left->number, right->number, &result);
    assert(known && "true and false fit");
    (void)known;
    return truth_expr(k, e->span, result.magnitude != 0);
}

/* Two values of enums or flags can be compared only if they have the same type. < and > take a value of an enum only on
 * both sides. */
static bool members_agree(checker *k, const ast_expr *e, const expr *left, const expr *right)
{
    operator_kind operator= e->operator;
    bool equality = operator== OPERATOR_EQ || operator== OPERATOR_NE;
    const decl *some = left->of ? left->of : right->of;
    if (left->of == right->of || (equality && (!left->of || !right->of)))
        return true;
    if (left->of && right->of) {
        diag_error(k->diag, e->span, "cannot compare a value of '%s' with one of '%s'", left->of->name,
                   right->of->name);
        return false;
    }
    if (some->kind == DECL_ENUM) {
        diag_error(k->diag, e->span, "'%s' cannot compare a value of enum '%s' with a number; only == and != can",
                   operator_text(operator), some->name);
        return false;
    }
    return true;
}

/* Whether the left side of a comparison is one too, as in `a < b < c`. */
static bool is_chained(const ast_expr *e, const expr *left)
{
    return !is_number_expr(left) && !e->parenthesized && operator_compares(e->operator);
}

static expr *check_comparison(checker *k, const ast_expr *e, expr *left, expr *right)
{
    operator_kind operator= e->operator;
    bool equality = operator== OPERATOR_EQ || operator== OPERATOR_NE;
    if (is_number_expr(left) != is_number_expr(right)) {
        message *m =
            diag_error(k->diag, e->span, "'%s' cannot compare %s with %s", operator_text(operator),
                       is_number_expr(left) ? "a number" : "a bool", is_number_expr(right) ? "a number" : "a bool");
        const ast_expr *before = e->as.sides.left;
        if (!equality && is_chained(before, left)) {
            const span middle = before->as.sides.right->span;
            diag_fix(k->diag, m,
                     (edit){{middle.source, middle.end, middle.end},
                            arena_printf(k->arena, " && %s", span_text(k->arena, middle))},
                     "comparisons cannot be chained: write `a < b && b < c` for `a < b < c`");
        } else if (equality)
            help_with_truth(k, m, e, left, right);
        return NULL;
    }
    if (!equality && !needs_number(k, left, operator))
        return NULL;
    if (!members_agree(k, e, left, right))
        return NULL;
    if (is_constant(left) && is_constant(right))
        return folded_expr(k, e, left, right);
    expr *made = with_sides(k, e, left, right);
    made->inside = EXPR_BOOL;
    if (is_number_expr(left) && !computed_in(left, right, range_of(left), &made->inside)) {
        message *m =
            diag_error(k->diag, e->span, "no 64-bit integer type holds both sides of '%s'", operator_text(operator));
        help_with_ranges(k, m, left, right);
        return NULL;
    }
    return as_bool(made);
}

static expr *check_logic(checker *k, const ast_expr *e, expr *left, expr *right)
{
    operator_kind operator= e->operator;
    bool left_fits = needs_bool(k, left, operator);
    if (!needs_bool(k, right, operator) || !left_fits)
        return NULL;
    if (is_constant(left) && is_constant(right))
        return folded_expr(k, e, left, right);
    expr *made = with_sides(k, e, left, right);
    made->inside = EXPR_BOOL;
    return as_bool(made);
}

static expr *check_not(place p, const ast_expr *e)
{
    expr *operand = check_alone(p, e->as.sides.left);
    message *m = operand ? refuse_number(p.k, operand, OPERATOR_NOT) : NULL;
    if (m)
        help_with_not(p.k, m, e->span, operand);
    if (!operand || m)
        return NULL;
    if (is_constant(operand))
        return truth_expr(p.k, e->span, operand->number.magnitude == 0);
    expr *made = with_sides(p.k, e, operand, NULL);
    made->inside = EXPR_BOOL;
    return as_bool(made);
}

static expr *check_negate(place p, const ast_expr *e)
{
    checker *k = p.k;
    expr *operand = check_alone(p, e->as.sides.left);
    if (!operand || !needs_number(k, operand, OPERATOR_NEGATE))
        return NULL;
    if (is_constant(operand))
        return number(k, e->span, num_negate(operand->number));
    expr *made = with_sides(k, e, operand, NULL);
    interval result = {num_negate(operand->high), num_negate(operand->low)};
    if (!computed_in(operand, operand, result, &made->inside)) {
        message *m = diag_error(k->diag, e->span, "the result of '-' may not fit in 64 bits");
        diag_help(k->diag, m, "the operand is %s", range_text(k, range_of(operand)));
        return NULL;
    }
    return as_number(made, result);
}

typedef expr *check_sides(checker *k, const ast_expr *e, expr *left, expr *right);

/* Checks both sides before the operator, so that the errors of both are reported. */
static expr *check_binary(place p, const ast_expr *e, check_sides *sides)
{
    expr *left = check_alone(p, e->as.sides.left);
    expr *right = check_alone(p, e->as.sides.right);
    return left && right ? sides(p.k, e, left, right) : NULL;
}

/* The same for sides that can contain names of members. If the error of one side may follow from that of the other,
 * only the latter is reported. */
static expr *check_beside(place p, const ast_expr *e, check_sides *sides, const decl *left_about,
                          const decl *right_about)
{
    const ast_expr *left_side = e->as.sides.left;
    const ast_expr *right_side = e->as.sides.right;
    bool left_waits = !left_about && !takes_members(left_side) && may_be_right(p, left_side);
    bool right_waits = !right_about && may_be_right(p, right_side);
    expr *left = NULL, *right = NULL;
    if (left_waits && !right_waits) {
        right = check_expr(p, right_side, right_about);
        left = right ? check_expr(p, left_side, left_about) : NULL;
    } else {
        left = check_expr(p, left_side, left_about);
        right = left || !right_waits ? check_expr(p, right_side, right_about) : NULL;
    }
    return left && right ? sides(p.k, e, left, right) : NULL;
}

static expr *check_operator(place p, const ast_expr *e, const decl *about)
{
    if (e->operator== OPERATOR_NOT)
        return check_not(p, e);
    if (e->operator== OPERATOR_NEGATE)
        return check_negate(p, e);
    if (operator_is_logical(e->operator))
        return check_binary(p, e, check_logic);
    if (operator_compares(e->operator)) {
        /* Members are looked up in the enum or flags of their own side; if it has none, in that of the other side. */
        const decl *left = about_of(p, e->as.sides.left), *right = about_of(p, e->as.sides.right);
        return check_beside(p, e, check_comparison, left ? left : right, right ? right : left);
    }
    return takes_members(e) ? check_beside(p, e, check_arithmetic, about, about) : check_binary(p, e, check_arithmetic);
}

static expr *check_kind(place p, const ast_expr *e, const decl *about)
{
    switch (e->kind) {
    case AST_INT: warn_of_octal(p.k, e); return number(p.k, e->span, num_u64(e->as.integer));
    case AST_REAL: diag_error(p.k->diag, e->span, "expected an integer, not a real number"); return NULL;
    case AST_BOOL: return truth_expr(p.k, e->span, e->as.boolean);
    case AST_PATH: return check_path(p, e, about);
    case AST_ONES: return check_ones(p, e);
    case AST_OPERATOR: return check_operator(p, e, about);
    }
    assert(false && "not an expression");
    return NULL;
}

static expr *check_expr(place p, const ast_expr *e, const decl *about)
{
    if (!enter(p.k, e->span))
        return NULL;
    expr *made = check_kind(p, e, about);
    leave(p.k);
    return made;
}

/* ---- what bodies ask for */

static expr *check_subject(place p, const ast_expr *e, bool want_bool)
{
    checker *k = p.k;
    expr *made = check_alone(p, e);
    if (!made)
        return NULL;
    if (want_bool && is_number_expr(made)) {
        message *m = diag_error(k->diag, made->span, "a condition must be a bool, but this is a number");
        help_with_zero(k, m, made, "!=");
        return NULL;
    }
    if (!want_bool && !is_number_expr(made)) {
        diag_error(k->diag, made->span, "a switch needs a number, enum or flags, but this is a bool; use 'if'");
        return NULL;
    }
    return made;
}

expr *check_condition(checker *k, const decl *owner, const ast_expr *e, bool want_bool)
{
    return check_subject((place){.k = k, .owner = owner, .what = "condition"}, e, want_bool);
}

expr *check_condition_of(checker *k, const field *f, const ast_expr *e)
{
    return check_subject((place){.k = k, .owner = f->owner, .what = "condition", .goes = f}, e, true);
}

expr *check_count(checker *k, const decl *owner, const ast_expr *e)
{
    expr *made = check_alone((place){.k = k, .owner = owner, .what = "count"}, e);
    if (made && !is_number_expr(made)) {
        diag_error(k->diag, made->span, "a count must be a number, but this is a bool");
        return NULL;
    }
    return made;
}

bool check_case_value(checker *k, const expr *subject, const ast_expr *e, expr **result)
{
    expr *made = check_expr((place){.k = k, .what = "case"}, e, subject->of);
    if (!made)
        return false;
    if (!is_number_expr(made)) {
        diag_error(k->diag, e->span, "a case must be a number or the name of a member, not a bool");
        return false;
    }
    assert(is_constant(made) && "without fields everything is constant");
    if (num_compare(made->number, subject->low) < 0 || num_compare(made->number, subject->high) > 0) {
        diag_error(k->diag, e->span, "case %s can never match: the value of the switch is %s",
                   num_text(k->arena, made->number), range_text(k, range_of(subject)));
        return false;
    }
    *result = made;
    return true;
}
