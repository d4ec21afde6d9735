/* spell_condition.c - spells conditions in C, with the casts that C's arithmetic needs.
 * SPDX-License-Identifier: MIT
 */
#include "emit/emit_internal.h"

#include "model/interval.h"

static interval unchecked(const expr *x);

static const char *spell_path(const emitter *e, const path *p, const char *base, expr_kind kind)
{
    const char *text = base;
    for (; p->next != NULL; p = p->next)
        text = arena_printf(e->arena, "%s%s.", text, p->field->name);
    return arena_printf(e->arena, "%s%s%s%s", text, kind == EXPR_HAS ? "has_" : "", p->field->name,
                        kind == EXPR_COUNT ? "_count" : "");
}

/* ---- the range of an expression over values that were not checked */

static storage storage_of(const expr *x)
{
    const path *p = x->path;
    while (p->next != NULL)
        p = p->next;
    return x->kind == EXPR_COUNT ? storage_for(p->field->dims[0]) : p->field->type.storage;
}

static interval all_of(storage s)
{
    interval all;
    storage_range(s, &all.low, &all.high);
    return all;
}

static bool has_minus_one(interval a)
{
    return num_compare(a.low, num_i64(-1)) <= 0 && num_compare(a.high, num_i64(-1)) >= 0;
}

/* The range of an operator's results, if its operands can be anything that their storage holds. False if a result can
 * overflow the type in which it is computed, or if the operator can be a division that is undefined in C. */
static bool result_of(const expr *x, interval *result)
{
    const bool is_signed = x->inside == EXPR_SIGNED;
    const interval whole = all_of(is_signed ? STORAGE_I64 : STORAGE_U64);
    bool (*const fits)(interval) = is_signed ? interval_fits_i64 : interval_fits_u64;
    interval a = unchecked(x->left), b = x->right != NULL ? unchecked(x->right) : a,
             given = {num_negate(a.high), num_negate(a.low)};
    if (!fits(a))
        a = whole;
    if (!fits(b))
        b = whole;
    *result = whole;
    if (x->kind == EXPR_DIVIDE || x->kind == EXPR_REMAINDER)
        if (interval_has_zero(b) || (is_signed && has_minus_one(b) && num_compare(a.low, whole.low) == 0))
            return false;
    if (x->kind != EXPR_NEGATE && !interval_of(x->kind, a, b, &given))
        return false;
    if (!fits(given))
        return false;
    *result = given;
    return true;
}

static interval unchecked(const expr *x)
{
    interval result = {x->low, x->high};
    if (x->kind == EXPR_FIELD || x->kind == EXPR_COUNT)
        return all_of(storage_of(x));
    if (x->kind == EXPR_NEGATE || x->kind >= EXPR_MASK)
        (void)result_of(x, &result);
    return result;
}

/* Conditions are also evaluated on values that the program set out of range. Sums may then wrap and quotients may be
 * 0, but there must be no undefined behaviour. */
static bool may_leave(const expr *x)
{
    interval result;
    return (x->kind == EXPR_NEGATE || x->kind >= EXPR_MASK) && !result_of(x, &result);
}

/* Whether an int holds all values of an operand, so that C's arithmetic on it is correct without a cast. */
static bool is_int(const expr *x)
{
    const interval range = unchecked(x);
    return num_compare(range.low, num_i64(INT32_MIN)) >= 0 && num_compare(range.high, num_i64(INT32_MAX)) <= 0;
}

/* Whether the C type of the expression is int, perhaps after promotion. */
static bool promotes(const expr *x)
{
    if (x->kind == EXPR_VALUE)
        return is_int(x);
    if (x->kind == EXPR_HAS)
        return true;
    if (x->kind != EXPR_FIELD && x->kind != EXPR_COUNT)
        return x->type == EXPR_BOOL || (x->inside == EXPR_SIGNED && is_int(x));
    const storage s = storage_of(x);
    return s == STORAGE_BOOL || s == STORAGE_U8 || s == STORAGE_U16 || s == STORAGE_I8 || s == STORAGE_I16 ||
           s == STORAGE_I32;
}

static bool is_operator(const expr *x)
{
    return x->kind > EXPR_NEGATE;
}

/* Whether the operands of an operator need no cast: C computes in int, and an int holds the operands and the result,
 * and for a remainder also the quotient. */
static bool is_plain(const expr *x)
{
    if (x->kind == EXPR_REMAINDER && has_minus_one(unchecked(x->right)))
        return false;
    return promotes(x->left) && is_int(x->left) && is_int(x) &&
           (x->right == NULL || (promotes(x->right) && is_int(x->right)));
}

/* Whether the C type of the expression, as it is spelled, is int64_t or uint64_t as wanted. */
static bool is_wide(const expr *x, expr_type wanted)
{
    if (x->kind == EXPR_NEGATE || x->kind >= EXPR_MASK)
        return !is_plain(x) && x->inside == wanted;
    if (x->kind != EXPR_FIELD)
        return false;
    return storage_of(x) == (wanted == EXPR_SIGNED ? STORAGE_I64 : STORAGE_U64);
}

/* A chain of one operator has no parentheses, because compilers limit how deeply they nest. */
static bool continues(const expr *whole, const expr *left)
{
    return whole->left == left && whole->kind == left->kind &&
           (whole->kind == EXPR_OR || whole->kind == EXPR_AND || whole->kind == EXPR_ADD || whole->kind == EXPR_MASK);
}

/* Whether an operator is spelled as a function of the runtime. */
static bool is_call(const expr *x)
{
    return (x->kind == EXPR_DIVIDE || x->kind == EXPR_REMAINDER) && may_leave(x);
}

/* An operand of an operator, cast if C would otherwise compute in another type than `inside`. */
static const char *operand(const emitter *e, const expr *whole, const expr *x, expr_type inside, const char *base,
                           bool cast)
{
    const char *text = spell_condition(e, x, base);
    if (cast && is_wide(x, inside))
        cast = false;
    if (is_operator(x) && !is_call(x) && (cast || !continues(whole, x)))
        text = arena_printf(e->arena, "(%s)", text);
    if (!cast || inside == EXPR_BOOL)
        return text;
    if (x->kind == EXPR_VALUE && x->name == NULL)
        return cname_integer(e->arena, x->number, inside == EXPR_SIGNED ? STORAGE_I64 : STORAGE_U64);
    return arena_printf(e->arena, inside == EXPR_SIGNED ? "(int64_t)%s" : "(uint64_t)%s", text);
}

/* An operator that can overflow or divide by zero: it is computed in unsigned arithmetic, or by a function of the
 * runtime. */
static const char *spell_leaving(const emitter *e, const expr *x, const char *base)
{
    const bool is_signed = x->inside == EXPR_SIGNED;
    if (is_call(x))
        return arena_printf(e->arena, "pkt_%s_%s(%s, %s)", x->kind == EXPR_DIVIDE ? "quotient" : "remainder",
                            is_signed ? "i64" : "u64",
                            operand(e, x, x->left, x->inside, base, !is_signed || !promotes(x->left)),
                            operand(e, x, x->right, x->inside, base, !is_signed || !promotes(x->right)));
    const char *left = operand(e, x, x->left, EXPR_UNSIGNED, base, true);
    if (x->kind == EXPR_NEGATE)
        return arena_printf(e->arena, "(int64_t)(0 - %s)", left);
    return arena_printf(e->arena, is_signed ? "(int64_t)(%s %s %s)" : "%s %s %s", left, expr_operator(x->kind),
                        operand(e, x, x->right, EXPR_UNSIGNED, base, true));
}

const char *spell_condition(const emitter *e, const expr *x, const char *base)
{
    switch (x->kind) {
    case EXPR_VALUE:
        if (x->type == EXPR_BOOL)
            return x->number.magnitude != 0 ? "true" : "false";
        if (x->of != NULL) {
            const value v = {.number = x->number};
            return spell_value(e, &x->of->type, &v);
        }
        return cname_integer(e->arena, x->number,
                             is_int(x)                ? STORAGE_I32
                             : x->type == EXPR_SIGNED ? STORAGE_I64
                                                      : STORAGE_U64);
    case EXPR_FIELD:
    case EXPR_COUNT:
    case EXPR_HAS: return spell_path(e, x->path, base, x->kind);
    case EXPR_NOT: return arena_printf(e->arena, "!%s", operand(e, x, x->left, EXPR_BOOL, base, false));
    case EXPR_NEGATE:
        if (may_leave(x))
            return spell_leaving(e, x, base);
        return arena_printf(e->arena, "-%s", operand(e, x, x->left, x->inside, base, !is_plain(x)));
    case EXPR_OR:
    case EXPR_AND:
    case EXPR_EQ:
    case EXPR_NE:
    case EXPR_LT:
    case EXPR_LE:
    case EXPR_GT:
    case EXPR_GE:
    case EXPR_MASK:
    case EXPR_ADD:
    case EXPR_SUBTRACT:
    case EXPR_MULTIPLY:
    case EXPR_DIVIDE:
    case EXPR_REMAINDER: break;
    }
    if (may_leave(x))
        return spell_leaving(e, x, base);
    const bool plain = is_plain(x);
    return arena_printf(e->arena, "%s %s %s", operand(e, x, x->left, x->inside, base, !plain), expr_operator(x->kind),
                        operand(e, x, x->right, x->inside, base, !plain));
}
