/* compare_members.c - compares the members of enums, flags and unions.
 * SPDX-License-Identifier: MIT
 */
#include "releases/compare_internal.h"

typedef struct member_pair {
    comparer *c;
    pair *pair;
    const decl *before, *after;
    bool same_codes; /* a value has the same bits as before */
} member_pair;

static const char *code_noun(const decl *d)
{
    return d->kind == DECL_ENUM ? "value" : d->kind == DECL_FLAGS ? "bit" : "tag";
}

/* Flags are known by the numbers of their bits. */
static const char *code_words(comparer *c, const decl *d, num code)
{
    return num_text(c->arena, d->kind == DECL_FLAGS ? num_u64(bit_length(code.magnitude) - 1) : code);
}

static unsigned member_bits(const decl *d)
{
    return d->kind == DECL_ENUM    ? enum_bits(d)
           : d->kind == DECL_FLAGS ? d->member_count
                                   : bit_length(d->member_count - 1);
}

/* The old member with the code of a new member. */
static const member *holder(const member_pair *m, const member *after)
{
    return member_of_value(m->before, after->value);
}

/* Reports that the bits of a member belonged to another one before. */
static void compare_code(const member_pair *m, pair *part, const member *after)
{
    comparer *c = m->c;
    const member *old = m->same_codes ? holder(m, after) : NULL;
    if (!old || old == old_member(c, after))
        return;
    change *made = add_change(c, part, CHANGE_MEANING, OUTCOME_KEPT,
                              arena_printf(c->arena, "%s %s was '%s'", code_noun(m->after),
                                           code_words(c, m->after, after->value), old->name));
    made->meaning = true;
    if (!new_member(c, old) && !old_member(c, after))
        advise_was(c, made, after->span, after->name, old->name);
}

static void compare_type(const member_pair *m, pair *part, const member *before, const member *after)
{
    comparer *c = m->c;
    if (!after->type)
        return;
    const pair *content = map_get(c->pair_of, after->type, NULL);
    if (old_decl(c, after->type) != before->type) {
        change *made =
            add_change(c, part, CHANGE_TYPE, OUTCOME_REFUSED, arrow_words(c, before->type->name, after->type->name));
        made->meaning = m->same_codes && same_shape(c, before->type, after->type);
    } else if (content && has_changed(content)) {
        add_change(c, part, CHANGE_CONTENT, content->outcome,
                   arena_printf(c->arena, "%s %s has changed", content->noun, content->after_name))
            ->effect = lost_alternative(c, m->pair, content, after);
    }
}

static void compare_member(const member_pair *m, pair *part, const member *before, const member *after, bool moved)
{
    comparer *c = m->c;
    add_rename(c, part);
    const bool valued = m->after->kind == DECL_ENUM && num_compare(before->value, after->value) != 0;
    if (valued || moved)
        add_change(c, part, valued ? CHANGE_VALUE : CHANGE_MOVED, OUTCOME_KEPT,
                   arena_printf(c->arena, "%s%s%s -> %s", valued ? "" : code_noun(m->after), valued ? "" : " ",
                                code_words(c, m->before, before->value), code_words(c, m->after, after->value)));
    compare_type(m, part, before, after);
    const char *unit = unit_change(c->arena, before->doc, after->doc);
    if (unit)
        add_change(c, part, CHANGE_UNIT, OUTCOME_KEPT, unit)->meaning = true;
}

static void add_removed_member(const member_pair *m, pair *part, const member *before)
{
    comparer *c = m->c;
    const bool stays = number_stays(m->before, m->after, before->value);
    change *made =
        add_change(c, part, CHANGE_REMOVED, stays ? OUTCOME_KEPT : OUTCOME_LOST,
                   arena_printf(c->arena, "%s %s", code_noun(m->before), code_words(c, m->before, before->value)));
    if (stays)
        made->effect = "as a number";
    else if (m->after->kind == DECL_ENUM)
        made->effect = arena_printf(c->arena, ": it becomes %s", enum_base(m->after)->name);
}

static void compare_widths(const member_pair *m)
{
    comparer *c = m->c;
    const unsigned old = m->before->width, now = m->after->width;
    if (old == now)
        return;
    const char *before = old ? arena_printf(c->arena, "bits<%u>", old) : "its members alone";
    const char *after = now ? arena_printf(c->arena, "bits<%u>", now) : "its members alone";
    const bool fewer = loses_unnamed(m->before, m->after);
    change *made =
        add_change(c, m->pair, CHANGE_WIDTH, fewer ? OUTCOME_LOST : OUTCOME_KEPT, arrow_words(c, before, after));
    if (!fewer)
        return;
    made->effect = "where the value has no name";
    lose_value(c, m->pair, " has no name");
}

static const bool *find_moved_members(comparer *c, const decl *after)
{
    uint32_t *numbers = ARENA_ARRAY(c->arena, uint32_t, after->member_count + 1), n = 0;
    for (const member *m = after->members; m; m = m->next)
        if (after->kind != DECL_ENUM && old_member(c, m))
            numbers[n++] = (uint32_t)(after->kind == DECL_FLAGS ? bit_length(old_member(c, m)->value.magnitude)
                                                                : old_member(c, m)->value.magnitude);
    return out_of_order(c->arena, numbers, n);
}

void compare_members(comparer *c, pair *p, const decl *before, const decl *after)
{
    const member_pair m = {c, p, before, after,
                           member_bits(before) == member_bits(after) &&
                               num_compare(before->type.low, after->type.low) == 0};
    const bool *moved = find_moved_members(c, after);
    pair **last = &p->parts;
    uint32_t matched = 0;
    if (after->kind == DECL_ENUM)
        compare_widths(&m);
    for (const member *each = after->members; each; each = each->next) {
        const member *old = old_member(c, each);
        pair *part = add_pair(c, &last, "member", old ? old->name : NULL, each->name);
        if (old)
            compare_member(&m, part, old, each, after->kind != DECL_ENUM && moved[matched++]);
        else
            add_change(c, part, CHANGE_ADDED, OUTCOME_KEPT,
                       arena_printf(c->arena, "%s %s", code_noun(after), code_words(c, after, each->value)));
        compare_code(&m, part, each);
        p->outcome = worse(p->outcome, part->outcome);
    }
    lose_members(c, p, before, after);
    for (const member *each = before->members; each; each = each->next) {
        if (new_member(c, each))
            continue;
        pair *part = add_pair(c, &last, "member", each->name, NULL);
        add_removed_member(&m, part, each);
        p->outcome = worse(p->outcome, part->outcome);
    }
}
