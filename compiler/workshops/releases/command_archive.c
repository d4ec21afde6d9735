/* command_archive.c - `pktc archive`: keeps released schemas in a folder, each in one file without imports.
 * SPDX-License-Identifier: MIT
 */
#include "base/files.h"
#include "releases/archive_text.h"
#include "releases/releases.h"
#include "releases/releases_rows.h"
#include "driver/run.h"
#include "releases/diff.h"

#include <string.h>

/* Whether no earlier schema of this run has the same protocol: each needs a number of its own. */
static bool is_first(const run *r, const schema *s)
{
    const char *start =
        file_in_directory(r->arena, releases_chosen(r->options)->archive, arena_printf(r->arena, "%s-", s->protocol));
    for (const output *each = r->outputs.first; each; each = each->next)
        if (strncmp(each->path, start, strlen(start)) == 0)
            return false;
    return true;
}

/* Adds the file if its text means the same as the files from which it was made. */
static bool add_release(run *r, const schema *s, const char *file)
{
    size_t size;
    const char *text = archive_text(r->arena, r->names, r->diag, s, &size);
    if (!text)
        return false;
    const check_options how = checked_as_asked(r);
    const source *made = source_from(r->arena, file, text, size);
    const schema *folded = check(r->arena, r->names, diag_new(r->arena), made, &how);
    if (folded && folded->id == s->id) {
        put_text(r, file, text, size);
        return true;
    }
    diag_error(r->diag, (span){0}, "'%s' cannot be one file with its imports: a name would mean something else",
               s->root->path);
    return false;
}

/* Programs of all releases read a @stable packet, so it stays as the newest release has it. */
static bool keeps_stable(run *r, const releases *all, const schema *s)
{
    bool fits;
    const schema *newest = all->count ? release_schema(r, &all->list[0], NULL, &fits) : s;
    const decl *changed = newest ? find_unstable(newest, s) : NULL;
    if (changed)
        diag_error(r->diag, s->protocol_span, "the @stable packet '%s' is not as in '%s'", changed->name,
                   all->list[0].path);
    return newest && !changed;
}

/* With a packet that has parts, pkt.h has a handshake: see pkt_handshake.h. */
static void advise_stable(run *r, const schema *s)
{
    for (const decl *d = s->decls; d; d = d->next)
        if (d->stable || d->parts > 0)
            return;
    message *m =
        diag_warning(r->diag, (span){0},
                     "no packet of '%s' is @stable: servers of later releases cannot read what its clients say "
                     "first",
                     s->protocol);
    diag_help(r->diag, m, "docs/versions.md has an example");
}

/* Nothing is added if the archive has the schema already, unchanged. */
static void keep_output(run *r, const schema *s)
{
    const char *directory = releases_chosen(r->options)->archive;
    releases all;
    if (!has_protocol(r, s, "it has no releases") || !releases_find(r->arena, r->diag, directory, s->protocol, &all))
        return;
    const release *known = release_with_id(&all, s->id);
    bool fits;
    if (known) {
        (void)release_schema(r, known, NULL, &fits);
        return;
    }
    const char *file = release_path(r->arena, directory, &all, s);
    if (!file)
        diag_error(r->diag, (span){0}, "'%s' has no number left for a release", directory);
    else if (!is_first(r, s))
        diag_error(r->diag, (span){0}, "'%s' is not the only schema of protocol '%s' here: archive one at a time",
                   s->root->path, s->protocol);
    else if (keeps_stable(r, &all, s) && add_release(r, s, file) && all.count == 0)
        advise_stable(r, s);
}

void command_archive(run *r)
{
    r->lists_outputs = true;
    for (size_t i = 0; i < r->options->file_count; i++) {
        const schema *s = load_schema(r, r->options->files[i]);
        if (s)
            keep_output(r, s);
    }
}
