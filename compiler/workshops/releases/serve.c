/* serve.c - prepares the conversions to releases that are served, and reports what cannot be served to them.
 * SPDX-License-Identifier: MIT
 */
#include "releases/upgrade.h"
#include "model/schema.h"
#include "wire/wire.h"

#include <inttypes.h>

/* Whether this is the first report about a part: the newest release comes first, and the others would repeat it. */
static bool is_new(run *r, map *reported, const void *part)
{
    if (map_get(reported, part, NULL))
        return false;
    map_put(r->arena, reported, part, NULL, reported);
    return true;
}

static void report_losses(run *r, const upgrade *back, map *reported)
{
    for (const loss *each = find_losses(r->arena, back); each; each = each->next) {
        const void *part = each->field    ? (const void *)each->field
                           : each->member ? (const void *)each->member
                                          : each->decl;
        if (!is_new(r, reported, part))
            continue;
        message *m = diag_error(r->diag,
                                each->field    ? each->field->span
                                : each->member ? each->member->span
                                               : each->decl->span,
                                "'%s' cannot be served to release %" PRIu32 ": it %s", loss_name(r->arena, each),
                                back->number, each->what);
        if (each->field_then)
            diag_note(r->diag, m, each->field_then->span, "release %" PRIu32 " has it here", back->number);
        if (each->advice)
            diag_help(r->diag, m, "%s", each->advice);
    }
}

/* A client of another release asks in the form of that release, and is answered in that form. */
static void report_answers(run *r, const schema *now, const old_version *v, map *reported)
{
    for (const decl *d = now->decls; d; d = d->next) {
        const decl *answer = d->answers ? decl_then(&v->conversion, d) : NULL,
                   *question = d->answers ? decl_then(&v->conversion, d->answers) : NULL;
        if (!answer || !question)
            continue;
        const exchange e = exchange_of(wire_type_of(v->wire, answer), wire_type_of(v->wire, question));
        if (e.most <= e.least || !is_new(r, reported, d))
            continue;
        message *m = diag_error(r->diag, d->span,
                                "'%s' cannot be served to release %" PRIu32 ": it can take %" PRIu64
                                " bytes%s there, and '%s', which it answers, as few as %" PRIu64 "%s",
                                d->name, v->number, e.most, e.most_as, question->name, e.least, e.least_as);
        diag_note(r->diag, m, question->span, "release %" PRIu32 " has it here", v->number);
    }
}

void prepare_serving(run *r, upgrade *u)
{
    const char *stem = u->now->schema->root->stem;
    map *reported = map_new(r->arena);
    for (old_version *v = u->versions; v; v = v->next) {
        if (!v->served)
            continue;
        v->back = way_back(r->arena, r->names, u->now, v);
        v->wire->schema->root->stem = arena_printf(r->arena, "%s_v%" PRIu32, stem, v->number);
        report_losses(r, v->back, reported);
        report_answers(r, u->now->schema, v, reported);
    }
}
