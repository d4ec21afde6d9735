/* speed.c - checks @speed: the number that goes, the field that is its speed, and how far it goes by a step of the speed.
 * SPDX-License-Identifier: MIT
 */
#include "check/check_internal.h"
#include "model/accuracy.h"
#include "model/coding.h"
#include "model/type_table.h"

static const char kinds[] = "an integer, a fixed or a quantized number of at most 32 bits";

/* Whether codes of numbers of a type are a straight line or a circle. Those of raw reals are neither. */
static bool can_move(const field *f)
{
    enum { MOST_BITS = 32 };
    switch (f->type.kind) {
    case TYPE_BITS:
    case TYPE_INT:
    case TYPE_FIXED:
    case TYPE_QUANTIZED:
    case TYPE_OR_RAW:
    case TYPE_COMPACT: return f->array == ARRAY_NONE && coded_bits(&f->type) <= MOST_BITS;
    case TYPE_BOOL:
    case TYPE_ENUM:
    case TYPE_FLAGS:
    case TYPE_FLOAT:
    case TYPE_QUAT:
    case TYPE_UNIT:
    case TYPE_STRING:
    case TYPE_BYTES:
    case TYPE_STRUCT:
    case TYPE_UNION:
    case TYPE_REF:
    case TYPE_FOREIGN: break;
    }
    return false;
}

static const char *speed_noun(checker *k, const field *f)
{
    return f->array == ARRAY_NONE ? type_text(k, &f->type) : "an array";
}

/* What a number is, in the field's unit, from one code to the next. */
static double step_of(const type *t)
{
    if (is_real(t))
        return (t->real_high - t->real_low) / (double)t->steps;
    return t->kind == TYPE_FIXED ? 1 / (double)(UINT64_C(1) << t->fraction_bits) : 1;
}

/* The code of 0. False if 0 has none. */
static bool code_of_zero(const type *t, uint64_t *code)
{
    num n;
    if (is_real(t)) {
        const double steps = (double)t->steps;
        if (t->real_low > 0 || t->real_high < 0 || zero_as_read(t->storage, t->real_low, t->real_high, steps) != 0)
            return false;
        *code = (uint64_t)(-t->real_low / (t->real_high - t->real_low) * steps + 0.5);
        return true;
    }
    if ((!t->low.negative && t->low.magnitude != 0) || t->high.negative || !num_subtract(num_u64(0), t->low, &n))
        return false;
    *code = n.magnitude;
    return true;
}

/* Whether a factor is a bool, without which the number rests. */
static bool is_condition(checker *k, const field *f, const ast_expr *e)
{
    return e->kind == AST_BOOL || (e->kind == AST_PATH && names_field(k, f->owner, e->as.path->name.text)) ||
           (e->kind == AST_OPERATOR && (operator_compares(e->operator) || operator_is_logical(e->operator)));
}

/* The speed, and what it is multiplied with, from left to right: `dx * 3 / 20 * alive`. NULL after an error. */
static const ast_name *speed_of(checker *k, const field *f, const ast_expr *e, double *rate, const ast_expr **condition)
{
    double factor;
    *rate = 1;
    *condition = NULL;
    if (e->kind == AST_PATH && !e->as.path->next)
        return &e->as.path->name;
    if (e->kind != AST_OPERATOR || (e->operator!= OPERATOR_MULTIPLY && e->operator!= OPERATOR_DIVIDE)) {
        diag_error(k->diag, e->span,
                   "'@speed' takes a field, which constants and a bool may multiply, as in `@speed(dx / 20 * alive)`");
        return NULL;
    }
    const ast_name *name = speed_of(k, f, e->as.sides.left, rate, condition);
    if (name && e->operator== OPERATOR_MULTIPLY && is_condition(k, f, e->as.sides.right)) {
        if (*condition) {
            diag_error(k->diag, e->as.sides.right->span, "a speed takes one bool: join them with `&&`");
            return NULL;
        }
        *condition = e->as.sides.right;
        return name;
    }
    if (!name || !evaluate_real(k, e->as.sides.right, "a factor of a speed", &factor))
        return NULL;
    if (!(factor > 0)) {
        diag_error(k->diag, e->as.sides.right->span, "a factor of a speed must be greater than 0");
        return NULL;
    }
    *rate = e->operator== OPERATOR_MULTIPLY ? *rate * factor : * rate / factor;
    return name;
}

/* Makes r a number of 16 bits, rounded to nearest, halves up, over a power of two. False if it is too great or too small. */
static bool scale(double r, own_speed *s)
{
    enum { LEAST = 1 << 15, END = 1 << 16, SHIFT_MOST = 48 };
    unsigned shift = 0;
    for (; r < LEAST && shift < SHIFT_MOST; shift++)
        r *= 2;
    s->factor = r < END ? (uint32_t)(r + 0.5) : 0;
    if (s->factor == END) {
        s->factor = LEAST;
        shift--;
    }
    s->shift = shift;
    return s->factor >= LEAST && shift != 0;
}

/* Whether a field is wherever `f` is: in its block, or in one around that. with: it is in a block around b. */
static bool is_with(const block *b, const field *f, const field *other, bool with)
{
    bool here = false;
    for (const item *i = b->items; i; i = i->next) {
        here |= i->kind == ITEM_FIELD && i->as.field == f;
        with |= i->kind == ITEM_FIELD && i->as.field == other;
    }
    if (here)
        return with;
    for (const item *i = b->items; i; i = i->next) {
        if (i->kind == ITEM_IF &&
            (is_with(&i->as.branch.then, f, other, with) || is_with(&i->as.branch.other, f, other, with)))
            return true;
        for (const arm *a = i->kind == ITEM_SWITCH ? i->as.choice.arms : NULL; a; a = a->next)
            if (is_with(&a->body, f, other, with))
                return true;
    }
    return false;
}

bool is_wherever(checker *k, const field *f, const field *other, const ast_name *name)
{
    if (is_with(&f->owner->body, f, other, false))
        return true;
    message *m = diag_error(k->diag, name->span, "'%s' is not always on the wire where '%s' is", other->name, f->name);
    diag_note(k->diag, m, other->span, other->local ? "it is local" : "it is declared here, inside a branch");
    return false;
}

static bool is_speed(checker *k, const field *f, const field_info *info, const ast_name *name, own_speed *s)
{
    const field *speed = info->field;
    message *m;
    if (speed == f) {
        diag_error(k->diag, name->span, "'%s' cannot be its own speed", f->name);
        return false;
    }
    if (!can_move(speed)) {
        m = diag_error(k->diag, name->span, "a speed must be %s, but '%s' is %s", kinds, name->text,
                       speed_noun(k, speed));
    } else if (speed->type.wraps || speed->has_unless) {
        m = diag_error(k->diag, name->span, "a speed cannot have '%s'", speed->type.wraps ? "wrap" : "unless");
    } else if (speed->optional || speed->key) {
        m = diag_error(k->diag, name->span, "a speed cannot be %s", speed->key ? "the key of a list" : "optional");
    } else if (!is_wherever(k, f, speed, name)) {
        return false;
    } else if (!code_of_zero(&speed->type, &s->rest)) {
        m = diag_error(k->diag, name->span, "'%s' cannot be exactly 0, so nothing would rest", name->text);
    } else {
        s->of = speed;
        return true;
    }
    diag_note(k->diag, m, speed->span, "it is declared here");
    return false;
}

static void check_speed(checker *k, field_info *info)
{
    field *f = info->field;
    const ast_expr *e = info->speed->value;
    own_speed *s = ARENA_NEW(k->arena, own_speed);
    const ast_expr *condition;
    double rate;
    if (!f->coded || f->still || f->optional || !can_move(f)) {
        diag_error(k->diag, info->speed->span, "'@speed' is for what is coded and %s, but '%s' is %s", kinds, f->name,
                   !f->coded     ? "not coded"
                   : f->still    ? "still"
                   : f->optional ? "optional"
                                 : speed_noun(k, f));
        return;
    }
    const ast_name *name = speed_of(k, f, e, &rate, &condition);
    if (!name)
        return;
    const field_info *speed = find_field(k, f->owner, name->text);
    if (!speed) {
        if (!k->incomplete) {
            message *m = diag_error(k->diag, name->span, "'%s' has no field '%s'", f->owner->name, name->text);
            suggest_member(k, m, f->owner, name);
        }
        return;
    }
    use_field(k->options->uses, name->span, speed->field);
    if (speed->broken || !is_speed(k, f, speed, name, s))
        return;
    const double ratio = step_of(&speed->field->type) * rate / step_of(&f->type);
    if (!scale(ratio, s)) {
        diag_error(
            k->diag, e->span,
            "in a tick, a step of '%s' moves '%s' by %.3g steps; this must be less than 32768, and more than 2^-33",
            speed->field->name, f->name, ratio);
        return;
    }
    if (condition) {
        s->condition = check_condition_of(k, f, condition);
        if (!s->condition)
            return;
    }
    f->speed = s;
}

void check_speeds(checker *k, decl_info *d)
{
    for (field_info *i = d->fields; i; i = i->next)
        if (!i->broken && i->speed && i->speed->value)
            check_speed(k, i);
}
