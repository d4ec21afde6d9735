/* conditions.c - whether fields are on the wire in the same cases, and whether expressions give the same results.
 * SPDX-License-Identifier: MIT
 *
 * Two expressions are the same if they give the same result for each old value and for what it converts to. A value that
 * is compared with a member, or with another value of its type, may have another number now: results are compared member
 * by member. Everything else needs the same numbers.
 */
#include "releases/diff_internal.h"
#include "model/type_table.h"

/* ---- enums and flags */

/* Whether a value of an enum with a width can be this number, although no member has it. */
static bool is_unnamed_number(const decl *d, num n)
{
    return d->kind == DECL_ENUM && d->width && num_compare(n, d->type.high) <= 0 && !member_of_value(d, n);
}

bool number_stays(const decl *before, const decl *after, num n)
{
    return before->width && is_unnamed_number(after, n);
}

bool loses_unnamed(const decl *before, const decl *after)
{
    if (before->width <= after->width)
        return false;
    const uint64_t first = after->width ? after->type.high.magnitude + 1 : 0;
    uint64_t named = 0;
    for (const member *m = before->members; m; m = m->next)
        named += m->value.magnitude >= first;
    return before->type.high.magnitude - first >= named;
}

bool keeps_numbers(const comparer *c, const decl *before, const decl *after)
{
    for (const member *m = before->members; m; m = m->next) {
        const member *now = new_member(c, m);
        if (now ? num_compare(now->value, m->value) != 0 : !number_stays(before, after, m->value))
            return false;
    }
    return !loses_unnamed(before, after);
}

/* Whether different values are different now. */
static bool keeps_apart(const comparer *c, const decl *before, const decl *after)
{
    for (const member *m = before->members; m; m = m->next) {
        const member *now = new_member(c, m);
        if (now ? old_member(c, now) != m || is_unnamed_number(before, now->value)
                : !number_stays(before, after, m->value))
            return false;
    }
    return !loses_unnamed(before, after);
}

/* What becomes of the number of a member. */
static num enum_number_now(const comparer *c, const member *m, const decl *before, const decl *after)
{
    const member *now = new_member(c, m);
    return now ? now->value : number_stays(before, after, m->value) ? m->value : enum_base(after)->value;
}

/* What becomes of a set of flags. */
static uint64_t flags_now_of(const comparer *c, const decl *before, uint64_t set)
{
    uint64_t made = 0;
    for (const member *m = before->members; m; m = m->next)
        if ((set & m->value.magnitude) && new_member(c, m))
            made |= new_member(c, m)->value.magnitude;
    return made;
}

/* Whether exactly the values that were `old` are `now`. */
static bool same_value_of(const comparer *c, const decl *before, num old, const decl *after, num now)
{
    const bool stays = is_unnamed_number(before, old);
    if (before->kind == DECL_FLAGS)
        return keeps_apart(c, before, after) && flags_now_of(c, before, old.magnitude) == now.magnitude;
    for (const member *m = before->members; m; m = m->next)
        if ((num_compare(m->value, old) == 0) != (num_compare(enum_number_now(c, m, before, after), now) == 0))
            return false;
    if (loses_unnamed(before, after) && num_compare(now, enum_base(after)->value) == 0)
        return false;
    if (num_compare(old, now) == 0)
        return !stays || (after->width && num_compare(now, after->type.high) <= 0);
    return !stays && !is_unnamed_number(before, now);
}

static bool comparison_holds(operator_kind how, bool swapped, num number, num constant)
{
    num result;
    return operator_apply(how, swapped ? constant : number, swapped ? number : constant, &result) &&
           result.magnitude != 0;
}

/* Whether an enum has a number without a name between two others. */
static bool is_unnamed_between(const decl *d, num a, num b)
{
    const num first = num_compare(a, b) < 0 ? a : b, last = num_compare(a, b) < 0 ? b : a;
    uint64_t named = 0;
    for (const member *m = d->members; m; m = m->next)
        named += num_compare(first, m->value) < 0 && num_compare(m->value, last) < 0;
    return last.magnitude - first.magnitude > named + 1;
}

/* Whether each value of an enum has the same order to `now` as it had to `old`, both of them members. Numbers without a name
 * stay. */
static bool same_order(const comparer *c, operator_kind how, bool swapped, const decl *before, num old,
                       const decl *after, num now)
{
    if (before->kind != DECL_ENUM)
        return false;
    for (const member *m = before->members; m; m = m->next)
        if (comparison_holds(how, swapped, m->value, old) !=
            comparison_holds(how, swapped, enum_number_now(c, m, before, after), now))
            return false;
    if (!before->width)
        return true;
    return !loses_unnamed(before, after) && !is_unnamed_between(before, old, now) &&
           (!is_unnamed_number(before, now) ||
            comparison_holds(how, swapped, now, old) == comparison_holds(how, swapped, now, now));
}

/* Whether a greater value of an enum is the greater one now too. */
static bool keeps_order(const comparer *c, const decl *before, const decl *after)
{
    if (before->kind != DECL_ENUM || before->width)
        return false;
    for (uint32_t i = 1; i < before->member_count; i++)
        if (num_compare(enum_number_now(c, before->by_value[i - 1], before, after),
                        enum_number_now(c, before->by_value[i], before, after)) >= 0)
            return false;
    return true;
}

/* Whether all flags of a set exist, and `now` is the set of them. */
static bool same_set(const comparer *c, const decl *before, uint64_t old, uint64_t now)
{
    uint64_t others = old;
    for (const member *m = before->members; m; m = m->next)
        if (new_member(c, m))
            others &= ~m->value.magnitude;
    return others == 0 && flags_now_of(c, before, old) == now;
}

/* ---- operands */

static bool same_path(const comparer *c, const path *before, const path *after)
{
    while (before && after && old_field(c, after->field) == before->field) {
        before = before->next;
        after = after->next;
    }
    return !before && !after;
}

static const field *end_of_path(const path *p)
{
    while (p->next)
        p = p->next;
    return p->field;
}

/* Whether both are the same field of an enum or of flags. */
static bool asks_members(const comparer *c, const expr *before, const expr *after)
{
    const bool both = before->kind == EXPR_FIELD && after->kind == EXPR_FIELD && before->of && after->of;
    return both && old_decl(c, after->of) == before->of && same_path(c, before->path, after->path);
}

bool comes_after_alike(const comparer *c, const field *before, const field *after)
{
    return after->after ? before->after && old_field(c, after->after) == before->after : !before->after;
}

bool keeps_number_after(const comparer *c, const field *before, const field *after)
{
    for (; after->after; before = before->after, after = after->after)
        if (!comes_after_alike(c, before, after))
            return false;
    return true;
}

/* Whether an array can have fewer elements now, or a value be absent, because a union has lost a member. */
static bool loses_some(const comparer *c, const field *after)
{
    const pair *content = c->pair_of && is_composite(&after->type) ? map_get(c->pair_of, after->type.decl, NULL) : NULL;
    return content && content->lost;
}

/* Whether each value of a field converts to the same number. */
static bool same_number(const comparer *c, const field *before, const field *after)
{
    const char *effect;
    switch (rule_of(c, &before->type, &after->type)) {
    case RULE_BOOL: return true;
    case RULE_ENUM:
    case RULE_FLAGS: return keeps_numbers(c, before->type.decl, after->type.decl);
    case RULE_NUMBER:
        return keeps_number_after(c, before, after) && before->type.fraction_bits == after->type.fraction_bits &&
               convert_type(c, &before->type, &after->type, &effect) == OUTCOME_KEPT;
    case RULE_NONE:
    case RULE_QUAT:
    case RULE_UNIT:
    case RULE_TEXT:
    case RULE_BYTES:
    case RULE_BYTES_OF_TEXT:
    case RULE_TYPE:
    case RULE_REF: break;
    }
    return false;
}

static bool same_operand(const comparer *c, const expr *before, const expr *after)
{
    const field *old = end_of_path(before->path), *now = end_of_path(after->path);
    const char *effect;
    if (!same_path(c, before->path, after->path))
        return false;
    switch (after->kind) {
    case EXPR_COUNT: return !loses_some(c, now) && convert_array(c, old, now, &effect) == OUTCOME_KEPT;
    case EXPR_HAS: return now->array != ARRAY_NONE || !loses_some(c, now);
    case EXPR_ONES:
        if (now->type.kind == TYPE_FLAGS && rule_of(c, &old->type, &now->type) == RULE_FLAGS)
            return keeps_apart(c, old->type.decl, now->type.decl);
        break;
    case EXPR_VALUE:
    case EXPR_FIELD:
    case EXPR_OPERATOR: break;
    }
    return same_number(c, old, now);
}

/* ---- comparisons */

typedef struct sides {
    const expr *constant; /* of a comparison or mask, if a side is one; else the left side */
    const expr *other;
} sides;

static sides sides_of(const expr *e)
{
    const bool swapped = e->right->kind == EXPR_VALUE;
    return (sides){swapped ? e->right : e->left, swapped ? e->left : e->right};
}

/* Two of `flags & some`: whether the bits of `some` are the same ones. */
static bool same_mask(const comparer *c, const expr *before, const expr *after)
{
    if (before->operator!= OPERATOR_MASK || after->operator!= OPERATOR_MASK)
        return false;
    const sides old = sides_of(before), now = sides_of(after);
    if (old.constant->kind != EXPR_VALUE || now.constant->kind != EXPR_VALUE || !asks_members(c, old.other, now.other))
        return false;
    for (const member *m = old.other->of->members; m; m = m->next) {
        const member *is = new_member(c, m);
        const uint64_t bit = is ? is->value.magnitude : 0;
        if (!(old.constant->number.magnitude & m->value.magnitude) != !(now.constant->number.magnitude & bit))
            return false;
    }
    return true;
}

/* Whether two comparisons give the same result, although numbers of members may have changed. */
static bool same_members(const comparer *c, const expr *before, const expr *after)
{
    const operator_kind how = before->operator;
    const bool equates = how == OPERATOR_EQ || how == OPERATOR_NE;
    const sides old = sides_of(before), now = sides_of(after);
    const expr *was = old.constant, *is = now.constant;
    if (was->kind != EXPR_VALUE || is->kind != EXPR_VALUE)
        return asks_members(c, was, is) && asks_members(c, old.other, now.other) &&
               (equates ? keeps_apart : keeps_order)(c, was->of, is->of);
    if (!equates && before->left->kind != after->left->kind)
        return false;
    if (asks_members(c, old.other, now.other))
        return equates ? same_value_of(c, old.other->of, was->number, now.other->of, is->number)
                       : same_order(c, how, was == before->left, old.other->of, was->number, now.other->of, is->number);
    if (!same_mask(c, old.other, now.other))
        return false;
    const uint64_t set = was->number.magnitude, set_now = is->number.magnitude;
    return (set == 0 && set_now == 0) || (equates && same_set(c, sides_of(old.other).other->of, set, set_now));
}

bool same_condition(const comparer *c, const expr *before, const expr *after)
{
    if (!before || !after || before->kind != after->kind || before->operator!= after->operator)
        return before == after;
    if (before->kind == EXPR_VALUE)
        return num_compare(before->number, after->number) == 0;
    if (before->kind != EXPR_OPERATOR)
        return same_operand(c, before, after);
    if (operator_compares(before->operator) && same_members(c, before, after))
        return true;
    return same_condition(c, before->left, after->left) && same_condition(c, before->right, after->right);
}

bool same_sum(const comparer *c, const field_sum *before, const field_sum *after)
{
    for (; before && after; before = before->next, after = after->next) {
        if (before->minus != after->minus || before->number != after->number || before->depth != after->depth)
            return false;
        for (unsigned i = 0; i < after->depth; i++)
            if (old_field(c, after->path[i]) != before->path[i])
                return false;
    }
    return !before && !after;
}

/* ---- guards */

static bool same_label(const comparer *c, const item *before, const expr *old, const item *after, const expr *now)
{
    const expr *was = before->as.choice.subject, *is = after->as.choice.subject;
    return asks_members(c, was, is) ? same_value_of(c, was->of, old->number, is->of, now->number)
                                    : num_compare(old->number, now->number) == 0;
}

/* Values are compared in order, because their order is part of the protocol's id. */
static bool same_labels(const comparer *c, const item *before_item, const arm *before, const item *after_item,
                        const arm *after)
{
    if (before->is_default != after->is_default || before->value_count != after->value_count)
        return false;
    for (uint32_t i = 0; i < after->value_count; i++)
        if (!same_label(c, before_item, before->values[i], after_item, after->values[i]))
            return false;
    return true;
}

/* A default is for the values that no arm has. */
static bool same_arm(const comparer *c, const item *before_item, const arm *before, const item *after_item,
                     const arm *after)
{
    arm_memory *known = c->arms;
    if (known->before == before && known->after == after)
        return known->same;
    bool same = same_labels(c, before_item, before, after_item, after);
    if (same && before->is_default) {
        const arm *old = before_item->as.choice.arms, *now = after_item->as.choice.arms;
        for (; same && old && now; old = old->next, now = now->next)
            same = same_labels(c, before_item, old, after_item, now);
        same = same && !old && !now;
    }
    *known = (arm_memory){before, after, same};
    return same;
}

static bool same_subject(const comparer *c, const expr *before, const expr *after)
{
    return asks_members(c, before, after) || same_condition(c, before, after);
}

bool same_guard(const comparer *c, const guard *before, const guard *after)
{
    for (; before && after; before = before->outer, after = after->outer) {
        const item *old = before->item, *now = after->item;
        if (old->kind != now->kind || before->other != after->other)
            return false;
        if (old->kind == ITEM_IF ? !same_condition(c, old->as.branch.condition, now->as.branch.condition)
                                 : !same_subject(c, old->as.choice.subject, now->as.choice.subject) ||
                                       !same_arm(c, old, before->arm, now, after->arm))
            return false;
    }
    return !before && !after;
}
