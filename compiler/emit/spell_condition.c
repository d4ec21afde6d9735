/* spell_condition.c - spells conditions in C, with the casts that C's arithmetic needs.
 * SPDX-License-Identifier: MIT
 */
#include "emit/emit_internal.h"

#include "model/interval.h"

/* The properties of an expression in C, computed once for each from those of its operands. */
typedef struct spelling {
    const expr *x;
    const struct spelling *left, *right; /* of an operator; right is NULL if it has one operand */
    interval range;                      /* if its fields can be anything that their storage holds */
    bool leaves;   /* a result can overflow the type in which it is computed, or be a division that is undefined in C */
    bool is_int;   /* an int holds all values, so that C's arithmetic on it is correct without a cast */
    bool promotes; /* its C type is int, perhaps after promotion */
    bool plain;    /* an operator whose operands need no cast: see is_plain */
} spelling;

/* ---- names and values */

static void put_condition_text(out *to, const char *text)
{
    out_put(to, "$text", "text", text, NULL);
}

static void put_path(out *to, const path *p, const char *base, expr_kind kind)
{
    put_condition_text(to, base);
    for (; p->next; p = p->next)
        out_put(to, "$name.", "name", p->field->name, NULL);
    out_put(to, "$has$name$count", "has", kind == EXPR_HAS ? "has_" : "", "name", p->field->name, "count",
            kind == EXPR_COUNT ? "_count" : "", NULL);
}

static const char *spell_constant_operand(const emitter *e, const spelling *s)
{
    const expr *x = s->x;
    if (x->type == EXPR_BOOL)
        return x->number.magnitude != 0 ? "true" : "false";
    if (x->of) {
        const value v = {.number = x->number};
        return spell_value(e, &x->of->type, &v);
    }
    return cname_integer(e->arena, x->number,
                         s->is_int                ? STORAGE_I32
                         : x->type == EXPR_SIGNED ? STORAGE_I64
                                                  : STORAGE_U64);
}

/* ---- properties of an expression */

static storage storage_of(const expr *x)
{
    const path *p = x->path;
    while (p->next)
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

static bool computes(const expr *x)
{
    return operator_calculates(x->operator);
}

/* The range of an operator's results. False if it leaves its type. */
static bool result_of(const spelling *s, interval *result)
{
    const expr *x = s->x;
    const bool is_signed = x->inside == EXPR_SIGNED;
    const interval whole = all_of(is_signed ? STORAGE_I64 : STORAGE_U64);
    bool (*const fits)(interval) = is_signed ? interval_fits_i64 : interval_fits_u64;
    interval a = s->left->range, b = s->right ? s->right->range : a, given = {num_negate(a.high), num_negate(a.low)};
    if (!fits(a))
        a = whole;
    if (!fits(b))
        b = whole;
    *result = whole;
    if (x->operator== OPERATOR_DIVIDE || x->operator== OPERATOR_REMAINDER)
        if (interval_has_zero(b) || (is_signed && has_minus_one(b) && num_compare(a.low, whole.low) == 0))
            return false;
    if (x->operator!= OPERATOR_NEGATE && !interval_of(x->operator, a, b, &given))
        return false;
    if (!fits(given))
        return false;
    *result = given;
    return true;
}

static bool storage_promotes(storage s)
{
    return s == STORAGE_BOOL || s == STORAGE_U8 || s == STORAGE_U16 || s == STORAGE_I8 || s == STORAGE_I16 ||
           s == STORAGE_I32;
}

static bool is_binary(const expr *x)
{
    return x->right != NULL;
}

/* Whether C computes in int, and an int holds the operands and the result, and for a remainder also the quotient. */
static bool is_plain(const spelling *s)
{
    if (s->x->operator== OPERATOR_REMAINDER && has_minus_one(s->right->range))
        return false;
    return s->left->promotes && s->left->is_int && s->is_int && (!s->right || (s->right->promotes && s->right->is_int));
}

/* Conditions are also evaluated on values that the program set out of range. Sums may then wrap and quotients may be
 * 0, but there must be no undefined behaviour. */
static const spelling *spelling_of(const emitter *e, const expr *x)
{
    spelling *s = ARENA_NEW(e->arena, spelling);
    s->x = x;
    s->range = (interval){x->low, x->high};
    if (x->left)
        s->left = spelling_of(e, x->left);
    if (x->right)
        s->right = spelling_of(e, x->right);
    if (x->kind == EXPR_FIELD || x->kind == EXPR_COUNT)
        s->range = all_of(storage_of(x));
    else if (x->kind == EXPR_ONES)
        s->range = (interval){num_u64(0), num_u64(storage_bits(storage_of(x)))};
    else if (computes(x))
        s->leaves = !result_of(s, &s->range);
    s->is_int =
        num_compare(s->range.low, num_i64(INT32_MIN)) >= 0 && num_compare(s->range.high, num_i64(INT32_MAX)) <= 0;
    if (x->kind == EXPR_VALUE)
        s->promotes = s->is_int;
    else if (x->kind == EXPR_FIELD || x->kind == EXPR_COUNT)
        s->promotes = storage_promotes(storage_of(x));
    else
        s->promotes = x->kind == EXPR_HAS || x->kind == EXPR_ONES || x->type == EXPR_BOOL ||
                      (x->inside == EXPR_SIGNED && s->is_int);
    s->plain = s->left && is_plain(s);
    return s;
}

/* Whether the C type of the expression, as it is spelled, is int64_t or uint64_t as wanted. */
static bool is_wide(const spelling *s, expr_type wanted)
{
    const expr *x = s->x;
    if (computes(x))
        return !s->plain && x->inside == wanted;
    if (x->kind != EXPR_FIELD)
        return false;
    return storage_of(x) == (wanted == EXPR_SIGNED ? STORAGE_I64 : STORAGE_U64);
}

/* A chain of one operator has no parentheses, because compilers limit how deeply they nest. */
static bool continues(const expr *whole, const expr *left)
{
    return whole->left == left &&
           whole->operator== left->operator&&(whole->operator== OPERATOR_OR || whole->operator== OPERATOR_AND ||
                                              whole->
                                              operator== OPERATOR_ADD || whole->
                                              operator== OPERATOR_MASK);
}

/* Whether an operator is spelled as a function of the runtime. */
static bool is_call(const spelling *s)
{
    return (s->x->operator== OPERATOR_DIVIDE || s->x->operator== OPERATOR_REMAINDER) && s->leaves;
}

/* ---- spelling */

/* Where a condition is spelled. */
typedef struct speller {
    const emitter *e;
    const char *base; /* the value that is asked: "in_->" */
    out *to;
} speller;

static void put_condition(const speller *p, const spelling *s);

/* An operand of an operator, cast if C would otherwise compute in another type than `inside`. */
static void put_operand(const speller *p, const spelling *whole, const spelling *s, expr_type inside, bool cast)
{
    const expr *x = s->x;
    if (cast && is_wide(s, inside))
        cast = false;
    const bool parentheses = is_binary(x) && !is_call(s) && (cast || !continues(whole->x, x));
    if (cast && inside != EXPR_BOOL) {
        if (x->kind == EXPR_VALUE && !x->name) {
            put_condition_text(
                p->to, cname_integer(p->e->arena, x->number, inside == EXPR_SIGNED ? STORAGE_I64 : STORAGE_U64));
            return;
        }
        put_condition_text(p->to, inside == EXPR_SIGNED ? "(int64_t)" : "(uint64_t)");
    }
    put_condition_text(p->to, parentheses ? "(" : "");
    put_condition(p, s);
    put_condition_text(p->to, parentheses ? ")" : "");
}

static void put_between(const speller *p, const spelling *s, expr_type inside, bool cast)
{
    put_operand(p, s, s->left, inside, cast);
    out_put(p->to, " $operator ", "operator", operator_text(s->x->operator), NULL);
    put_operand(p, s, s->right, inside, cast);
}

/* An operator that can overflow or divide by zero: it is computed in unsigned arithmetic, or by a function of the
 * runtime. */
static void put_leaving(const speller *p, const spelling *s)
{
    const expr *x = s->x;
    const bool is_signed = x->inside == EXPR_SIGNED;
    if (is_call(s)) {
        out_put(p->to, "pkt_${operator}_$type(", "operator", x->operator== OPERATOR_DIVIDE ? "quotient" : "remainder",
                "type", is_signed ? "i64" : "u64", NULL);
        put_operand(p, s, s->left, x->inside, !is_signed || !s->left->promotes);
        put_condition_text(p->to, ", ");
        put_operand(p, s, s->right, x->inside, !is_signed || !s->right->promotes);
        put_condition_text(p->to, ")");
    } else if (x->operator== OPERATOR_NEGATE) {
        put_condition_text(p->to, "(int64_t)(0 - ");
        put_operand(p, s, s->left, EXPR_UNSIGNED, true);
        put_condition_text(p->to, ")");
    } else {
        put_condition_text(p->to, is_signed ? "(int64_t)(" : "");
        put_between(p, s, EXPR_UNSIGNED, true);
        put_condition_text(p->to, is_signed ? ")" : "");
    }
}

static void put_condition(const speller *p, const spelling *s)
{
    const expr *x = s->x;
    if (s->leaves) {
        put_leaving(p, s);
        return;
    }
    switch (x->kind) {
    case EXPR_VALUE: put_condition_text(p->to, spell_constant_operand(p->e, s)); break;
    case EXPR_FIELD:
    case EXPR_COUNT:
    case EXPR_HAS: put_path(p->to, x->path, p->base, x->kind); break;
    case EXPR_ONES:
        put_condition_text(p->to, storage_is_signed(storage_of(x)) ? "(int)pkt_ones((uint64_t)" : "(int)pkt_ones(");
        put_path(p->to, x->path, p->base, x->kind);
        put_condition_text(p->to, ")");
        break;
    case EXPR_OPERATOR:
        if (x->right) {
            put_between(p, s, x->inside, !s->plain);
        } else {
            put_condition_text(p->to, operator_text(x->operator));
            put_operand(p, s, s->left, x->inside, computes(x) && !s->plain);
        }
        break;
    }
}

static const char *spell_all(const emitter *e, const spelling *s, const char *base)
{
    const speller p = {.e = e, .base = base, .to = out_new(e->arena)};
    size_t size;
    put_condition(&p, s);
    return out_result(p.to, &size);
}

const char *spell_condition(const emitter *e, const expr *x, const char *base)
{
    const spelling *s = spelling_of(e, x);
    return x->kind == EXPR_VALUE ? spell_constant_operand(e, s) : spell_all(e, s, base);
}

/* The count that an expression of a computed array has: at most `most`, even if fields are out of range. */
static const char *spell_condition_up_to(const emitter *e, const expr *x, const char *base, uint32_t most)
{
    const spelling *s = spelling_of(e, x);
    const char *text = spell_all(e, s, base), *open = is_binary(x) && !is_call(s) ? "(" : "", *close = *open ? ")" : "";
    if (s->leaves || s->range.low.negative || num_compare(s->range.high, num_u64(most)) > 0)
        return arena_printf(e->arena, "pkt_count_up_to((uint64_t)%s%s%s, %u)", open, text, close, (unsigned)most);
    return arena_printf(e->arena, "(uint32_t)%s%s%s", open, text, close);
}

/* ---- arrays whose count is computed from earlier fields: T_x_count */

void emit_computed_counts(emitter *e, const decl *d)
{
    const char *owner = spell_decl(e, d);
    for (const field *f = d->fields; f; f = f->next) {
        if (f->array != ARRAY_COMPUTED)
            continue;
        out_put(e->out,
                "\n"
                "/* How many elements of $m are in use: `$count`. */\n"
                "PKT_INLINE uint32_t ${owner}_${m}_count(const $owner *v_)\n"
                "{\n"
                "    return $value;\n"
                "}\n",
                "m", f->name, "count", expr_words(e->arena, f->count), "owner", owner, "value",
                spell_condition_up_to(e, f->count, "v_->", f->dims[0]), NULL);
    }
}

const char *spell_computed_count(const emitter *e, const decl *owner, const field *f, const char *v)
{
    return arena_printf(e->arena, "%s_%s_count(%s)", spell_decl(e, owner), f->name, v);
}
