/* match.c - pairs the declarations, fields and members of two schemas.
 * SPDX-License-Identifier: MIT
 *
 * Two things are a pair if they have the same name, or if the new one has `was` and the old name. check/renames.c makes
 * sure that an old name belongs to one thing, and that nothing else has it now.
 */
#include "releases/diff_internal.h"

bool is_sent(const field *f)
{
    return !f->local;
}

/* The old thing with the name, or one of the old names, of a new thing. */
static void *find_named(const map *named, const void *owner, const char *name, const old_name *olds)
{
    void *found = map_get(named, owner, name);
    for (; !found && olds; olds = olds->next)
        found = map_get(named, owner, olds->name);
    return found;
}

static void match(comparer *c, void *before, void *after)
{
    if (!before)
        return;
    map_put(c->arena, c->old_of, after, NULL, before);
    map_put(c->arena, c->new_of, before, NULL, after);
}

static void match_members(comparer *c, const decl *before, const decl *after)
{
    map *named = map_new(c->arena);
    for (member *m = before->members; m; m = m->next)
        map_put(c->arena, named, NULL, m->name, m);
    for (member *m = after->members; m; m = m->next)
        match(c, find_named(named, NULL, m->name, m->olds), m);
}

static void match_fields(comparer *c, const decl *before, const decl *after)
{
    map *named = map_new(c->arena);
    for (field *f = before->fields; f; f = f->next)
        if (is_sent(f))
            map_put(c->arena, named, NULL, f->name, f);
    for (field *f = after->fields; f; f = f->next)
        if (is_sent(f))
            match(c, find_named(named, NULL, f->name, f->olds), f);
}

void match_all(comparer *c)
{
    map *named = map_new(c->arena);
    for (decl *d = c->before.wire->schema->decls; d; d = d->next)
        map_put(c->arena, named, NULL, d->name, d);
    for (decl *d = c->after.wire->schema->decls; d; d = d->next) {
        decl *old = find_named(named, NULL, d->name, d->olds);
        if (!old || (old->kind == DECL_CONST) != (d->kind == DECL_CONST))
            continue;
        match(c, old, d);
        match_members(c, old, d);
        match_fields(c, old, d);
    }
}

const decl *old_decl(const comparer *c, const decl *after)
{
    return map_get(c->old_of, after, NULL);
}

const decl *new_decl(const comparer *c, const decl *before)
{
    return map_get(c->new_of, before, NULL);
}

const field *old_field(const comparer *c, const field *after)
{
    return map_get(c->old_of, after, NULL);
}

const field *new_field(const comparer *c, const field *before)
{
    return map_get(c->new_of, before, NULL);
}

const member *old_member(const comparer *c, const member *after)
{
    return map_get(c->old_of, after, NULL);
}

const member *new_member(const comparer *c, const member *before)
{
    return map_get(c->new_of, before, NULL);
}
