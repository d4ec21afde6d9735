/* command_diff.c - `pktc diff`: prints what changed from one schema to the next.
 * SPDX-License-Identifier: MIT
 */
#include "releases/diff_print.h"
#include "releases/releases.h"
#include "releases/releases_rows.h"
#include "driver/run.h"

/* Checks a schema. If it has outgrown its model, which is trained only when the schema is done, it is compared without one. loudly: with its
 * warnings. NULL after an error. */
static const schema *check_compared(run *r, const source *s, bool loudly)
{
    check_options how = checked_as_asked(r);
    diag *d = diag_new(r->arena);
    const schema *made = check(r->arena, r->names, d, s, &how);
    const bool fits = made != NULL;
    how.flat = true;
    if (!fits)
        made = check(r->arena, r->names, diag_new(r->arena), s, &how);
    if (!made || (fits && loudly && diag_warnings(d) > 0)) {
        how.flat = false;
        return check(r->arena, r->names, r->diag, s, &how);
    }
    if (!fits) {
        const message *why = first_error(diag_messages(d));
        message *m = diag_warning(r->diag, why->at, "%s", why->text);
        diag_help(r->diag, m, "the schema is compared as if nothing was trained: with a new model, the id is another");
    }
    add_inputs(r, made);
    return made;
}

/* The older schema is a file on the command line, or the newest release in an archive. */
void command_diff(run *r)
{
    const options *o = r->options;
    const releases_choices *chosen = releases_chosen(o);
    const bool archived = chosen->archive != NULL;
    const source *before = archived ? NULL : read_schema_or_held(r, o->files[0]);
    const source *after = read_schema_or_held(r, o->files[archived ? 0 : 1]);
    if (!after || (!before && !archived))
        return;
    const schema *old = before ? check_compared(r, before, false) : NULL;
    const schema *now = check_compared(r, after, true);
    if (now && archived)
        old = newest_release(r, chosen->archive, now);
    if (!old || !now)
        return;
    const wire *old_wire = lower(r->arena, old), *now_wire = lower(r->arena, now);
    comparison *found = diff(r->arena, old_wire, now_wire);
    diff_serving(r->arena, r->names, found, old_wire, now_wire, release_number(old->root->path, old->protocol));
    out *to = out_new(r->arena);
    size_t size;
    const int status = diff_status(found, chosen->meanings);
    if (o->json)
        diff_json(r->arena, found, status, to);
    else
        diff_text(r->arena, found, to);
    const char *text = out_result(to, &size);
    put_text(r, NULL, text, size);
    r->status = status;
}
