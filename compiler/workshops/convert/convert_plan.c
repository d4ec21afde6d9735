/* convert_plan.c - finds the rule of each field, and whether its values stay as they are.
 * SPDX-License-Identifier: MIT
 */
#include "convert/convert_plan.h"
#include "model/type_table.h"

#include <string.h>

/* Whether two real types have the same values. */
static bool same_reals(const type *old, const type *now)
{
    return old->kind == now->kind && old->storage == now->storage && old->bits == now->bits &&
           memcmp(&old->real_low, &now->real_low, sizeof old->real_low) == 0 &&
           memcmp(&old->real_high, &now->real_high, sizeof old->real_high) == 0 && old->steps == now->steps &&
           old->wraps == now->wraps;
}

static bool numbers_stay(const type *old, const type *now)
{
    const value_sort was = type_row_of(old)->sort, is = type_row_of(now)->sort;
    if (is_real(old) && is_real(now))
        return same_reals(old, now);
    return was == is && (is == SORT_INTEGER || is == SORT_FIXED) && old->fraction_bits == now->fraction_bits &&
           num_compare(old->low, now->low) >= 0 && num_compare(old->high, now->high) <= 0;
}

/* Numbers without a name also stay only if no new name has taken one. */
static bool members_stay(const conversion *c, const decl *old, const decl *now)
{
    return same_numbers(c, old, now) && old->member_count == now->member_count;
}

static bool values_stay(const conversion *c, rule r, const type *old, const type *now)
{
    switch (r) {
    case RULE_BOOL: return true;
    case RULE_NUMBER: return numbers_stay(old, now);
    case RULE_ENUM:
    case RULE_FLAGS: return members_stay(c, old->decl, now->decl);
    case RULE_QUAT:
    case RULE_UNIT: return old->bits == now->bits;
    case RULE_TEXT:
    case RULE_BYTES:
    case RULE_BYTES_OF_TEXT: return old->length <= now->length;
    case RULE_REF: return num_compare(old->high, now->high) <= 0;
    case RULE_TYPE:
    case RULE_NONE: break;
    }
    return false;
}

static field_plan planned_field(const old_version *v, const field *before)
{
    field_plan p = {.before = before, .after = field_now(&v->conversion, before)};
    if (!p.after)
        return p;
    p.by_name = program_converts(p.after->convert, v);
    if (arrays_convert(&v->conversion, before, p.after))
        p.rule = conversion_rule(&v->conversion, &before->type, &p.after->type);
    p.stays = values_stay(&v->conversion, p.rule, &before->type, &p.after->type);
    return p;
}

static bool is_always_sent(const decl *d)
{
    for (const item *i = d->body.items; i; i = i->next)
        if (i->kind == ITEM_IF || i->kind == ITEM_SWITCH)
            return false;
    return true;
}

static bool computes_a_count(const decl *d)
{
    const field *f = d->fields;
    while (f && f->array != ARRAY_COMPUTED)
        f = f->next;
    return f != NULL;
}

const type_plan *plan_of(arena *a, map *plans, const old_version *v, const decl *before, const decl *after)
{
    type_plan *p = map_get(plans, before, (const char *)after);
    if (p)
        return p;
    p = ARENA_NEW(a, type_plan);
    *p = (type_plan){.by_name = program_converts(after->convert, v),
                     .independent = is_always_sent(before) && is_always_sent(after) && !computes_a_count(after),
                     .fields = ARENA_ARRAY(a, field_plan, before->field_count + 1)};
    for (const field *f = before->fields; f; f = f->next)
        p->fields[f->index] = planned_field(v, f);
    map_put(a, plans, before, (const char *)after, p);
    return p;
}
