/* serve.c - prepares the conversions to releases that are served, and reports what cannot be served to them.
 * SPDX-License-Identifier: MIT
 */
#include "commands/serve.h"
#include "model/schema.h"

#include <inttypes.h>
#include <string.h>

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

static const upgrade *way_back(run *r, const upgrade *u, const old_version *v)
{
    upgrade *made = ARENA_NEW(r->arena, upgrade);
    old_version *now = ARENA_NEW(r->arena, old_version);
    turn_converts(v);
    *now = (old_version){
        .number = v->number, .wire = u->now, .conversion = conversion_back(r->arena, &v->conversion), .served = true};
    *made = (upgrade){.now = v->wire, .number = v->number, .versions = now, .is_back = true};
    find_forms(r->arena, r->names, made);
    return made;
}

/* Whether this is the first report about a part: the newest release comes first, and the others would repeat it. */
static bool is_new(run *r, map *reported, const void *part)
{
    if (map_get(reported, part, NULL))
        return false;
    map_put(r->arena, reported, part, NULL, reported);
    return true;
}

static void report_refused(run *r, const upgrade *back, map *reported)
{
    for (const refusal *each = find_refusals(r->arena, back); each; each = each->next) {
        const void *part = each->field_before    ? (const void *)each->field_before
                           : each->member_before ? (const void *)each->member_before
                                                 : each->before;
        if (!is_new(r, reported, part))
            continue;
        const char *name = each->before->name;
        span here = each->before->span, there = each->after->span;
        if (each->field_before) {
            name = arena_printf(r->arena, "%s.%s", name, each->field_before->name);
            here = each->field_before->span;
            there = each->field_after->span;
        } else if (each->member_before) {
            name = arena_printf(r->arena, "%s.%s", name, each->member_before->name);
            here = each->member_before->span;
            there = each->member_after->span;
        }
        message *m = diag_error(r->diag, here, "'%s' does not convert to release %" PRIu32, name, back->number);
        diag_note(r->diag, m, there, "release %" PRIu32 " has it here", back->number);
        diag_help(r->diag, m, "`@convert(%" PRIu32 ")` leaves it to functions of the program, in both directions",
                  back->number);
    }
}

static void report_losses(run *r, const upgrade *back, map *reported)
{
    for (const loss *each = find_losses(r->arena, back); each; each = each->next) {
        const void *part = each->field    ? (const void *)each->field
                           : each->member ? (const void *)each->member
                                          : each->decl;
        if (!is_new(r, reported, part))
            continue;
        const char *name = each->field    ? arena_printf(r->arena, "%s.%s", each->decl->name, each->field->name)
                           : each->member ? arena_printf(r->arena, "%s.%s", each->decl->name, each->member->name)
                                          : each->decl->name;
        message *m = diag_error(r->diag,
                                each->field    ? each->field->span
                                : each->member ? each->member->span
                                               : each->decl->span,
                                "'%s' cannot be served to release %" PRIu32 ": it %s", name, back->number, each->what);
        if (each->field_then)
            diag_note(r->diag, m, each->field_then->span, "release %" PRIu32 " has it here", back->number);
        if (each->advice)
            diag_help(r->diag, m, "%s", each->advice);
    }
}

void prepare_serving(run *r, upgrade *u)
{
    const char *stem = u->now->schema->root->stem;
    map *reported = map_new(r->arena);
    for (old_version *v = u->versions; v; v = v->next) {
        if (!v->served)
            continue;
        v->back = way_back(r, u, v);
        v->wire->schema->root->stem = arena_printf(r->arena, "%s_v%" PRIu32, stem, v->number);
        report_refused(r, v->back, reported);
        report_losses(r, v->back, reported);
    }
}
