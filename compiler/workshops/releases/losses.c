/* losses.c - finds what a program of an older version cannot be told, and what no rule of the schema allows to be lost.
 * SPDX-License-Identifier: MIT
 *
 * Fields and members that the older version does not have are not sent to it: it knows nothing of them. But what it
 * has must be right. A number is clamped, and a text is cut, only if the field has @lossy. A member of an enum or union
 * becomes the one that `else` names. Elements of arrays are never left out, because programs count them; those of lists are, with
 * @lossy, because programs find them by keys. What names a baseline must be the same number on both sides, so nothing of it may change at all.
 */
#include "releases/compare_internal.h"

#include <string.h>

/* ---- the way back */

/* The attribute is one of the schema now, and counts for both directions. */
static void turn_converts(const old_version *v)
{
    for (decl *d = v->wire->schema->decls; d; d = d->next) {
        const decl *now = decl_by_name(&v->conversion, d);
        d->convert = now && program_converts(now->convert, v) ? v->number : 0;
        for (field *f = d->fields; f; f = f->next) {
            const field *as = field_now(&v->conversion, f);
            f->convert = as && program_converts(as->convert, v) ? v->number : 0;
        }
    }
}

const upgrade *way_back(arena *a, names *n, const wire *now_wire, const old_version *v)
{
    upgrade *made = ARENA_NEW(a, upgrade);
    old_version *now = ARENA_NEW(a, old_version);
    turn_converts(v);
    *now = (old_version){
        .number = v->number, .wire = now_wire, .conversion = conversion_back(a, &v->conversion), .served = true};
    *made = (upgrade){.now = v->wire, .number = v->number, .versions = now, .is_back = true};
    find_forms(a, n, made);
    return made;
}

/* ---- what is lost */

typedef struct loss_finder {
    arena *arena;
    const upgrade *upgrade;
    const old_version *now; /* the version that values come from */
    const decl *decl;
    loss *first, **last;
} loss_finder;

static loss *add_loss(loss_finder *l, const char *what)
{
    loss *made = ARENA_NEW(l->arena, loss);
    *made = (loss){.decl = l->decl, .what = what};
    *l->last = made;
    l->last = &made->next;
    return made;
}

static const char *lossy_advice(const loss_finder *l, const char *where)
{
    const unsigned number = (unsigned)l->upgrade->number;
    return arena_printf(l->arena, "`@lossy(%u)` %s allows this for release %u and older ones", number, where, number);
}

static void lose_field(loss_finder *l, const field *f, const field *then, const char *what, bool may_be_lossy)
{
    loss *made = add_loss(l, what);
    made->field = f;
    made->field_then = then;
    if (may_be_lossy)
        made->advice = lossy_advice(l, "after it");
}

/* ---- fields */

static bool takes_part_in_order(const decl *d, const field *f)
{
    const field *other = d->fields;
    while (other && other->after != f)
        other = other->next;
    return f->after || other;
}

/* Whether a count is computed from a field that the program converts, to any value. */
static bool is_of_converted(const loss_finder *l, const expr *then)
{
    if (then->kind == EXPR_OPERATOR)
        return is_of_converted(l, then->left) || is_of_converted(l, then->right);
    const path *p = then->kind == EXPR_VALUE ? NULL : then->path;
    while (p && !program_converts(p->field->convert, l->now))
        p = p->next;
    return p != NULL;
}

static void find_in_elements(loss_finder *l, const field *f, const field *then)
{
    const comparer *c = l->now->conversion.matches;
    const char *effect = "";
    if (f->array == ARRAY_COMPUTED && then->array == ARRAY_COMPUTED && same_condition(c, f->count, then->count)) {
        if (is_of_converted(l, then->count))
            lose_field(l, f, then, "has a count of a field that the program converts", false);
        return;
    }
    const outcome o = convert_array(c, f, then, &effect);
    const bool shorter = f->by && then->by && o == OUTCOME_CLAMPED;
    if (o > OUTCOME_DEFAULTED && !(shorter && f->lossy >= l->upgrade->number))
        lose_field(l, f, then,
                   arena_printf(l->arena, "holds other elements there: it was %s", field_text(l->arena, then)),
                   shorter);
}

static void find_in_value(loss_finder *l, const field *f, const field *then)
{
    const comparer *c = l->now->conversion.matches;
    const rule how = rule_of(c, &f->type, &then->type);
    const char *effect = "";
    if (how == RULE_NONE || how == RULE_ENUM || how == RULE_FLAGS || how == RULE_TYPE)
        return; /* refused, or checked as a type of its own */
    if (convert_type(c, &f->type, &then->type, &effect) < OUTCOME_CLAMPED)
        return;
    const bool never = how == RULE_REF || takes_part_in_order(f->owner, f);
    if (f->lossy < l->upgrade->number || never)
        lose_field(l, f, then, arena_printf(l->arena, "holds less there: it was %s", field_text(l->arena, then)),
                   !never);
}

static void find_in_field(loss_finder *l, const field *f)
{
    const field *then = field_now(&l->now->conversion, f);
    if (!then || program_converts(then->convert, l->now) || !arrays_convert(&l->now->conversion, f, then))
        return;
    if (f->optional && !then->optional && f->lossy < l->upgrade->number)
        lose_field(l, f, then, "can be absent, and is always there in that release", true);
    if (then->after && (!f->after || field_now(&l->now->conversion, f->after) != then->after))
        lose_field(l, f, then, arena_printf(l->arena, "is always greater than '%s' there", then->after->name), false);
    find_in_elements(l, f, then);
    find_in_value(l, f, then);
}

/* ---- parts */

static bool same_name(const loss_finder *l, const field_sum *now, const field_sum *then)
{
    if (!same_sum(l->now->conversion.matches, now, then))
        return false;
    for (; now && then; now = now->next, then = then->next)
        for (unsigned i = 0; i < now->depth; i++)
            if (strcmp(field_text(l->arena, now->path[i]), field_text(l->arena, then->path[i])) != 0)
                return false;
    return true;
}

static bool is_name_of_converted(const loss_finder *l, const field_sum *then)
{
    for (; then; then = then->next)
        for (unsigned i = 0; i < then->depth; i++)
            if (program_converts(then->path[i]->convert, l->now))
                return true;
    return false;
}

static const char *new_packet_advice(const loss_finder *l)
{
    return arena_printf(l->arena, "with another name '%s' is a new packet, which that release is not sent",
                        l->decl->name);
}

/* A part is sent as T_served, so a function that converts the field would have no effect. */
static void refuse_convert(loss_finder *l, const field *f, const field *then)
{
    loss *made = add_loss(l, "is a part, which only functions of its type convert");
    made->field = f;
    made->field_then = then;
    made->advice = rule_of(l->now->conversion.matches, &f->type, &then->type) == RULE_NONE
                       ? new_packet_advice(l)
                       : arena_printf(l->arena, "`@convert(%u)` of '%s' leaves it to them",
                                      (unsigned)l->upgrade->number, f->type.decl->name);
}

static void find_in_part(loss_finder *l, const field *f, const field *then)
{
    if (f->part && then->part && program_converts(then->convert, l->now))
        refuse_convert(l, f, then);
    else if (!f->part != !then->part)
        lose_field(l, f, then, "is a delta in one of the two releases alone", false);
    else if (f->part &&
             (!same_name(l, f->part->number, then->part->number) || !same_name(l, f->part->base, then->part->base) ||
              !same_name(l, f->part->before, then->part->before)))
        lose_field(l, f, then, "names its baselines by other fields, or by fields of other types, there", false);
    else if (f->part && then->part->starts && !f->part->starts)
        lose_field(l, f, then, "starts from a value there that programs no longer set: write `else start`", false);
    else if (f->part && (is_name_of_converted(l, then->part->number) || is_name_of_converted(l, then->part->base) ||
                         is_name_of_converted(l, then->part->before)))
        lose_field(l, f, then, "names its baselines by a field that the program converts", false);
}

static void find_in_parts(loss_finder *l, const decl *then)
{
    for (const field *f = then->fields; f; f = f->next) {
        const field *now = field_then(&l->now->conversion, f);
        if (now)
            find_in_part(l, now, f);
        else if (f->part)
            add_loss(l, arena_printf(l->arena, "lacks the part '%s' of that release", f->name))->advice =
                "a part that is kept and `optional` can be absent";
    }
}

/* ---- packets */

bool is_sent_alike(const decl *now, const decl *then)
{
    return now->seeded == then->seeded && !now->parts == !then->parts;
}

static void find_in_packet(loss_finder *l, const decl *now, const decl *then)
{
    if (is_sent_alike(now, then))
        return;
    l->decl = now;
    add_loss(l, !now->parts == !then->parts ? "has a seed in one of the two releases alone"
                                            : "has parts in one of the two releases alone")
        ->advice = "with another name it is a new packet, which that release is not sent";
}

/* ---- members */

static bool is_there(const loss_finder *l, const member *m)
{
    const member *then = member_now(&l->now->conversion, m);
    return then && is_same_member(&l->now->conversion, m, then);
}

static void find_in_member(loss_finder *l, const decl *then, const member *m)
{
    if (member_now(&l->now->conversion, m) || (l->decl->kind == DECL_ENUM && number_stays(l->decl, then, m->value)))
        return;
    loss *made = add_loss(l, "does not exist there");
    made->member = m;
    for (const member *each = l->decl->members; each && !made->advice; each = each->next)
        if (is_there(l, each))
            made->advice = arena_printf(l->arena, "`%s else %s` says what it becomes", m->name, each->name);
}

/* ---- */

static void find_in_form(loss_finder *l, const form *f)
{
    l->decl = f->decl;
    if (f->program)
        return;
    if (f->decl->kind == DECL_ENUM || f->decl->kind == DECL_UNION)
        for (const member *m = f->decl->members; m; m = m->next)
            find_in_member(l, f->now, m);
    if (f->decl->kind == DECL_ENUM && loses_unnamed(f->decl, f->now) && f->decl->lossy < l->upgrade->number)
        add_loss(l, "has numbers without a name, which have no place there")->advice =
            lossy_advice(l, arena_printf(l->arena, "of '%s'", f->decl->name));
    for (const field *each = f->decl->fields; each; each = each->next)
        find_in_field(l, each);
    find_in_parts(l, f->now);
}

static void add_refused(loss_finder *l, const refusal *why)
{
    const unsigned number = (unsigned)l->upgrade->number;
    l->decl = why->before;
    const bool listed = why->field_before && why->field_before->by && why->field_after->by;
    const char *what =
        why->field_before || why->member_before ? "has another kind of type there" : "is another kind of type there";
    if (listed)
        what = arena_printf(
            l->arena, "has other keys there, by '%s' of type %s: keep them, or write `@convert(%u)` after the list",
            why->field_after->by->name, field_text(l->arena, why->field_after->by), number);
    loss *made = add_loss(l, what);
    made->field = why->field_before;
    made->field_then = why->field_after;
    made->member = why->member_before;
    if (!listed)
        made->advice =
            arena_printf(l->arena, "`@convert(%u)` leaves it to functions of the program, in both directions", number);
}

const char *loss_name(arena *a, const loss *l)
{
    return l->field    ? arena_printf(a, "%s.%s", l->decl->name, l->field->name)
           : l->member ? arena_printf(a, "%s.%s", l->decl->name, l->member->name)
                       : l->decl->name;
}

const loss *find_losses(arena *a, const upgrade *u)
{
    loss_finder l = {.arena = a, .upgrade = u, .now = u->versions};
    l.last = &l.first;
    for (const refusal *each = find_refusals(a, u); each; each = each->next)
        add_refused(&l, each);
    for (const decl *d = u->versions->wire->schema->decls; d; d = d->next) {
        const form *f = d->kind == DECL_CONST ? NULL : map_get(u->forms, d, NULL);
        if (f && f->now && d->packet && f->now->packet)
            find_in_packet(&l, d, f->now);
        if (f && f->now && f->converted)
            find_in_form(&l, f);
    }
    return l.first;
}

void diff_serving(arena *a, names *n, comparison *r, const wire *before, const wire *after, uint32_t number)
{
    if (r->verdict == VERDICT_SAME || r->verdict >= VERDICT_MEANING || !r->before->protocol || !r->after->protocol)
        return;
    const old_version v = {
        .number = number ? number : 1, .wire = before, .conversion = conversion_new(a, before, after)};
    r->asks_serving = true;
    r->unserved = find_losses(a, way_back(a, n, after, &v));
}
