/* condition_advice.c - advises what to write for a number, flags or an optional used as a bool.
 * SPDX-License-Identifier: MIT
 */
#include "check/condition_internal.h"

#include <string.h>

/* The first character before or after an expression that is no blank. The text of a source ends with a zero. */
static char before(span at)
{
    const char *text = (const char *)at.source->text;
    while (at.begin > 0 && strchr(" \t\r\n", text[at.begin - 1]))
        at.begin--;
    return at.begin > 0 ? text[at.begin - 1] : '\0';
}

/* Whether no operator after the expression binds tighter than &&. */
static bool ends_operand_at(span at)
{
    const char *rest = (const char *)at.source->text + at.end;
    rest += strspn(rest, " \t\r\n");
    return *rest == ')' || strncmp(rest, "&&", 2) == 0 || strncmp(rest, "||", 2) == 0;
}

/* Whether an expression is a condition or a side of && or ||. */
static bool is_truth(span at)
{
    char first = before(at);
    return first && strchr("(&|", first) && ends_operand_at(at);
}

/* The zero of the value's type, to compare it with. */
static const char *zero_of(const expr *e)
{
    if (e->of && e->of->kind == DECL_ENUM) {
        for (const member *m = e->of->members; m; m = m->next)
            if (m->value.magnitude == 0)
                return m->name;
    }
    return "0";
}

void help_with_zero(checker *k, message *m, const expr *e, const char *comparison)
{
    help_with_line(k, m, e->span,
                   arena_printf(k->arena, "%s %s %s", span_text(k->arena, e->span), comparison, zero_of(e)));
}

void help_with_not(checker *k, message *m, span whole, const expr *operand)
{
    if (ends_operand_at(whole)) {
        help_with_line(k, m, whole,
                       arena_printf(k->arena, "%s == %s", span_text(k->arena, operand->span), zero_of(operand)));
    }
}

void help_with_truth(checker *k, message *m, const ast_expr *e, const expr *left, const expr *right)
{
    bool value_left = left->kind == EXPR_VALUE;
    const expr *v = value_left ? left : right, *other = value_left ? right : left;
    const ast_expr *side = value_left ? e->as.sides.right : e->as.sides.left;
    if (v->kind != EXPR_VALUE || other->kind == EXPR_VALUE || num_compare(v->number, num_u64(0)) < 0 ||
        num_compare(v->number, num_u64(1)) > 0)
        return;
    bool is_true = (e->operator== OPERATOR_EQ) == (v->number.magnitude == 1);
    const char *text = span_text(k->arena, side->span);
    if (other->type != EXPR_BOOL) {
        text = arena_printf(k->arena, "%s %s %s", text, is_true ? "!=" : "==", zero_of(other));
    } else if (!is_true) {
        bool simple = side->kind == AST_PATH || side->parenthesized;
        text = arena_printf(k->arena, simple ? "!%s" : "!(%s)", text);
    }
    help_with_line(k, m, e->span, text);
}

void help_with_presence(checker *k, message *m, const field *f, span at)
{
    if (is_truth(at) || (before(at) == '!' && ends_operand_at(at)))
        help_with_line(k, m, at, arena_printf(k->arena, "has_%s", f->name));
}

void help_with_dot(checker *k, message *m, span flags, const decl *of, const ast_path *step, span whole)
{
    const ast_name *name = step ? &step->name : NULL;
    if (!name || step->next || !find_member(k, of, name->text))
        return;
    const char *text = span_text(k->arena, (span){whole.source, whole.begin, flags.end});
    text = of->kind == DECL_ENUM ? arena_printf(k->arena, "%s == %s", text, name->text)
                                 : arena_printf(k->arena, "%s & %s != 0", text, name->text);
    help_with_line(k, m, whole, is_truth(whole) ? text : arena_printf(k->arena, "(%s)", text));
}
