/* conversion.c - pairs the parts of an older version and the newest one, and finds parts without a rule.
 * SPDX-License-Identifier: MIT
 */
#include "releases/conversion.h"
#include "releases/diff_internal.h"

conversion conversion_new(arena *a, const wire *before, const wire *after)
{
    comparer *c = ARENA_NEW(a, comparer);
    *c = (comparer){.arena = a, .before = {.wire = before}, .after = {.wire = after}};
    c->old_of = map_new(a);
    c->new_of = map_new(a);
    match_all(c);
    return (conversion){c};
}

static void pair_back(comparer *c, const void *now, const void *then)
{
    if (then)
        map_put(c->arena, c->new_of, now, NULL, (void *)(uintptr_t)then);
}

static const member *member_then(const comparer *c, const member *now)
{
    const member *then = NULL;
    for (; now && !then; now = now->other)
        then = old_member(c, now);
    return then;
}

conversion conversion_back(arena *a, const conversion *of)
{
    comparer *c = ARENA_NEW(a, comparer);
    *c = (comparer){.arena = a, .before = of->matches->after, .after = of->matches->before};
    c->old_of = of->matches->new_of;
    c->new_of = map_new(a);
    for (const decl *d = c->before.wire->schema->decls; d; d = d->next) {
        pair_back(c, d, old_decl(of->matches, d));
        for (const field *f = d->fields; f; f = f->next)
            pair_back(c, f, old_field(of->matches, f));
        for (const member *m = d->members; m; m = m->next)
            pair_back(c, m, member_then(of->matches, m));
    }
    return (conversion){c};
}

static size_t renamed_parts(const comparer *c)
{
    size_t count = 0;
    for (const decl *d = c->after.wire->schema->decls; d; d = d->next) {
        const decl *old = old_decl(c, d);
        count += old && old->name != d->name;
        for (const field *f = d->fields; f; f = f->next) {
            const field *was = old_field(c, f);
            count += was && was->name != f->name;
        }
    }
    return count;
}

conversion conversion_between(arena *a, const wire *one, const wire *other)
{
    const conversion forth = conversion_new(a, one, other), back = conversion_new(a, other, one);
    return renamed_parts(back.matches) > renamed_parts(forth.matches) ? conversion_back(a, &back) : forth;
}

static const decl *if_alike(const decl *one, const decl *other)
{
    return one && one->kind == other->kind ? one : NULL;
}

const decl *decl_now(const conversion *c, const decl *before)
{
    return if_alike(new_decl(c->matches, before), before);
}

const decl *decl_by_name(const conversion *c, const decl *before)
{
    return new_decl(c->matches, before);
}

const decl *decl_then(const conversion *c, const decl *after)
{
    return if_alike(old_decl(c->matches, after), after);
}

const field *field_now(const conversion *c, const field *before)
{
    return new_field(c->matches, before);
}

const field *field_then(const conversion *c, const field *after)
{
    return old_field(c->matches, after);
}

const member *member_now(const conversion *c, const member *before)
{
    return new_member(c->matches, before);
}

bool is_same_member(const conversion *c, const member *before, const member *now)
{
    return old_member(c->matches, now) == before;
}

rule conversion_rule(const conversion *c, const type *before, const type *after)
{
    return rule_of(c->matches, before, after);
}

bool same_numbers(const conversion *c, const decl *before, const decl *after)
{
    return keeps_numbers(c->matches, before, after);
}

const char *field_text(arena *a, const field *f)
{
    return field_words(a, f);
}

bool program_converts(uint32_t convert, const old_version *from)
{
    return convert > 0 && from->number <= convert;
}

/* ---- what does not convert */

typedef struct refusals {
    arena *arena;
    const old_version *version;
    map *seen; /* (the thing in the newest version, NULL) */
    refusal *first, **last;
} refusals;

static void add_refusal(refusals *r, const void *now, refusal found)
{
    if (map_get(r->seen, now, NULL))
        return;
    refusal *made = ARENA_NEW(r->arena, refusal);
    *made = found;
    made->version = r->version;
    map_put(r->arena, r->seen, now, NULL, made);
    *r->last = made;
    r->last = &made->next;
}

/* The new field if the old one does not convert to it; NULL if it does. */
static const field *refused_field(const old_version *from, const field *before)
{
    const field *now = field_now(&from->conversion, before);
    const bool converts = !now || program_converts(now->convert, from) ||
                          (arrays_convert(&from->conversion, before, now) &&
                           conversion_rule(&from->conversion, &before->type, &now->type) != RULE_NONE);
    return converts ? NULL : now;
}

/* The same for a member of a union. What `else` names has a type of its own. */
static const member *refused_member(const old_version *from, const member *before)
{
    const member *now = before->type ? member_now(&from->conversion, before) : NULL;
    return now && is_same_member(&from->conversion, before, now) &&
                   decl_now(&from->conversion, before->type) != now->type
               ? now
               : NULL;
}

bool is_refused(const old_version *from, const decl *before, const decl *after)
{
    if (program_converts(after->convert, from))
        return false;
    for (const field *f = before->fields; f; f = f->next)
        if (refused_field(from, f))
            return true;
    for (const member *m = before->members; m; m = m->next)
        if (refused_member(from, m))
            return true;
    return false;
}

static void refuse_parts(refusals *r, const decl *before, const decl *after)
{
    for (const field *f = before->fields; f; f = f->next) {
        const field *now = refused_field(r->version, f);
        if (now)
            add_refusal(r, now, (refusal){.before = before, .after = after, .field_before = f, .field_after = now});
    }
    for (const member *m = before->members; m; m = m->next) {
        const member *now = refused_member(r->version, m);
        if (now)
            add_refusal(r, now, (refusal){.before = before, .after = after, .member_before = m, .member_after = now});
    }
}

/* If a type is of another kind now, its fields elsewhere are refused; a packet is refused itself. */
static void refuse_decl(refusals *r, const upgrade *u, const decl *before, const decl *after)
{
    const form *found = form_of(u, before);
    if (program_converts(after->convert, r->version))
        return;
    if (before->kind != after->kind && before->packet)
        add_refusal(r, after, (refusal){.before = before, .after = after});
    else if (before->kind == after->kind && found && found->converted)
        refuse_parts(r, before, after);
}

refusal *find_refusals(arena *a, const upgrade *u)
{
    refusals r = {.arena = a, .seen = map_new(a)};
    r.last = &r.first;
    for (r.version = u->versions; r.version; r.version = r.version->next) {
        for (const decl *d = r.version->wire->schema->decls; d; d = d->next) {
            const decl *now = decl_by_name(&r.version->conversion, d);
            if (now)
                refuse_decl(&r, u, d, now);
        }
    }
    return r.first;
}
