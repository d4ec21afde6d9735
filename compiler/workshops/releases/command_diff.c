/* command_diff.c - `pktc diff`: prints what changed from one schema to the next.
 * SPDX-License-Identifier: MIT
 */
#include "releases/diff_print.h"
#include "releases/releases.h"
#include "releases/releases_rows.h"
#include "driver/run.h"

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
    const check_options how = checked_as_asked(r);
    const schema *old = before ? check_quietly(r, before, &how) : NULL;
    const schema *now = check(r->arena, r->names, r->diag, after, &how);
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
