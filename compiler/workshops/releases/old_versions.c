/* old_versions.c - checks each older version against the current schema, and reports what does not convert.
 * SPDX-License-Identifier: MIT
 */
#include "releases/old_versions.h"
#include "releases/releases_rows.h"

#include <inttypes.h>
#include <string.h>

static void take_masks(block *b)
{
    b->masks = NULL;
    for (item *i = b->items; i; i = i->next) {
        if (i->kind == ITEM_IF) {
            take_masks(&i->as.branch.then);
            take_masks(&i->as.branch.other);
        }
        for (arm *each = i->kind == ITEM_SWITCH ? i->as.choice.arms : NULL; each; each = each->next)
            take_masks(&each->body);
    }
}

static void take_codes(decl *d)
{
    d->predicts = d->moves = d->holds_coded = false;
    take_masks(&d->body);
    for (field *f = d->fields; f; f = f->next) {
        f->coded = false;
        f->runs = NULL;
        memset(f->codes, 0, sizeof f->codes);
    }
}

/* Removes coded fields and their tables. Only deltas use them, and generated code reads no deltas of older versions. */
static void schema_without_codes(schema *s)
{
    s->tables = NULL;
    s->table_count = 0;
    for (decl *d = s->decls; d; d = d->next)
        take_codes(d);
}

void schema_without_program(arena *a, schema *s)
{
    for (decl *d = s->decls; d; d = d->next) {
        d->as_type = d->from_header = NULL;
        d->deprecated = false;
        d->field_count = d->parts = 0;
        for (field **link = &d->fields; *link;) {
            (*link)->deprecated = false;
            if ((*link)->local)
                *link = (*link)->next;
            else
                link = &(*link)->next;
        }
        d->holds_private = d->holds_bound = false;
    }
    schema_find_facts(a, s);
}

old_version *make_old_version(run *r, schema *s, uint32_t number, bool for_c, const wire *now)
{
    old_version *made = ARENA_NEW(r->arena, old_version);
    schema_without_program(r->arena, s);
    if (for_c)
        schema_without_codes(s);
    const wire *w = lower(r->arena, s);
    *made = (old_version){.number = number, .wire = w, .conversion = conversion_new(r->arena, w, now)};
    return made;
}

bool load_releases(run *r, const releases *all, bool for_c, upgrade *u)
{
    const schema *now = u->now->schema;
    old_version **last = &u->versions;
    const char *start = schema_constant_prefix(r->arena, now, now->root);
    uint32_t count = 0;
    for (size_t i = 0; i < all->count; i++) {
        const release *each = &all->list[i];
        bool fits;
        if (each->id == now->id)
            continue;
        const char *prefix = arena_printf(r->arena, "%sv%" PRIu32 "_", start, each->number);
        schema *s = release_schema(r, each, for_c ? prefix : NULL, &fits);
        if (!s)
            return false;
        const bool served = for_c && count++ < releases_chosen(r->options)->serve;
        *last = make_old_version(r, s, each->number, for_c && !served, u->now);
        (*last)->served = served;
        last = &(*last)->next;
    }
    return true;
}

static const char *kind_text(run *r, const decl *d)
{
    return arena_printf(r->arena, "a %s", decl_noun(d));
}

static void report_refusal(run *r, const refusal *why)
{
    const unsigned long number = why->version->number;
    const char *place = why->after->name, *was, *is;
    span here = why->after->span, there = why->before->span;
    if (why->field_after) {
        place = arena_printf(r->arena, "%s.%s", place, why->field_after->name);
        was = field_text(r->arena, why->field_before);
        is = field_text(r->arena, why->field_after);
        if (why->field_after->by && strcmp(was, is) == 0)
            is = arena_printf(r->arena, "%s with other keys", is);
        here = why->field_after->span;
        there = why->field_before->span;
    } else if (why->member_after) {
        place = arena_printf(r->arena, "%s.%s", place, why->member_after->name);
        was = why->member_before->type->name;
        is = why->member_after->type->name;
        here = why->member_after->span;
        there = why->member_before->span;
    } else {
        was = kind_text(r, why->before);
        is = kind_text(r, why->after);
    }
    const char *from = number > 0 ? arena_printf(r->arena, "release %lu", number) : "the older schema";
    message *m =
        diag_error(r->diag, here, "'%s' does not convert from %s: it was %s, and is %s now", place, from, was, is);
    diag_note(r->diag, m, there, "%s has it here", from);
    if (number == 0)
        return;
    diag_help(r->diag, m, "`@convert(%lu)` %s leaves it to a function of the program; under another name it is new",
              number, why->field_after ? "behind it" : arena_printf(r->arena, "of '%s'", why->after->name));
}

void report_refusals(run *r, upgrade *u)
{
    find_forms(r->arena, r->names, u);
    for (const refusal *each = find_refusals(r->arena, u); each; each = each->next)
        report_refusal(r, each);
}
