/* versions.c - see versions.h.
 * SPDX-License-Identifier: MIT
 */
#include "versions.h"
#include "base/files.h"
#include "commands/archive.h"
#include "commands/diff_print.h"
#include "wire/wire.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* Checks a schema. Its names need not be those that C can have. */
static const schema *check_version(const versions *v, const source *root, bool checks, diag *d)
{
    const check_options how = {
        .import_dirs = v->options->import_dirs,
        .import_dir_count = v->options->import_dir_count,
        .checks = checks,
    };
    return check(v->arena, v->names, d, root, &how);
}

/* The same without warnings, for a version that cannot change any more. */
static const schema *check_old(const versions *v, const source *root, bool checks)
{
    const schema *s = check_version(v, root, checks, diag_new(v->arena));
    return s ? s : check_version(v, root, checks, v->diag);
}

/* ---- releases */

/* The schema of a release, if it was archived with the --no-checks of this run, or without it as this run. *fits says
 * which. NULL after an error: a release stays as it was. */
static const schema *schema_of_release(const versions *v, const release *r, bool *fits)
{
    const source *text = source_read(v->arena, r->path);
    if (!text) {
        diag_error(v->diag, (span){0}, "cannot read '%s': %s", r->path, strerror(errno));
        return NULL;
    }
    const schema *s = check_old(v, text, v->options->checks);
    *fits = s && s->id == r->id;
    if (!s || *fits)
        return s;
    const schema *other = check_old(v, text, !v->options->checks);
    if (other && other->id == r->id)
        return other;
    message *m = diag_error(v->diag, (span){0},
                            "'%s' was changed after it was archived: its id is 0x%016" PRIx64 " now", r->path, s->id);
    diag_help(v->diag, m, "take it from your version control as it was");
    return NULL;
}

/* The newest release of a protocol; NULL after an error. */
static const schema *newest_release(const versions *v, const schema *of)
{
    const char *directory = v->options->archive;
    releases all;
    if (!of->protocol) {
        diag_error(v->diag, (span){0}, "'%s' declares no protocol, so an archive cannot have it", of->root->path);
        return NULL;
    }
    if (!archive_find(v->arena, v->diag, directory, of->protocol, &all))
        return NULL;
    for (size_t i = 0; i < all.count; i++) {
        bool fits = false;
        const schema *s = schema_of_release(v, &all.list[i], &fits);
        if (!s || fits)
            return s;
    }
    message *m = diag_error(v->diag, (span){0}, "there is no release of protocol '%s'%s in '%s'", of->protocol,
                            all.count == 0       ? ""
                            : v->options->checks ? " with checks"
                                                 : " without checks",
                            directory);
    diag_help(v->diag, m, "`pktc archive %s %s` keeps the first one", directory, of->root->path);
    return NULL;
}

/* ---- the commands */

int versions_compare(const versions *v, const source *before, const source *after)
{
    const schema *old = before ? check_old(v, before, v->options->checks) : NULL;
    const schema *now = check_version(v, after, v->options->checks, v->diag);
    if (now && !before)
        old = newest_release(v, now);
    if (!old || !now)
        return 0;
    const comparison *found = diff(v->arena, lower(v->arena, old), lower(v->arena, now));
    out *text = out_new(v->arena);
    size_t size;
    (v->options->json ? diff_json : diff_text)(v->arena, found, text);
    fputs(out_result(text, &size), stdout);
    return verdict_status(found->verdict);
}

/* Whether another schema of this run is of the same protocol: each needs a number of its own. */
static bool is_first(const versions *v, const schema *s, const outputs *made)
{
    const char *start = file_in_directory(v->arena, v->options->archive, arena_printf(v->arena, "%s-", s->protocol));
    for (const output *each = made->first; each; each = each->next)
        if (strncmp(each->path, start, strlen(start)) == 0)
            return false;
    return true;
}

/* Adds the file, if its text still means what the files that it was made of mean. */
static void add_release(const versions *v, const schema *s, const char *file, outputs *made)
{
    size_t size;
    const char *text = archive_text(v->arena, v->names, v->diag, s, &size);
    if (!text)
        return;
    const schema *folded = check_version(v, source_from(v->arena, file, text, size), s->checks, diag_new(v->arena));
    if (folded && folded->id == s->id)
        outputs_add(v->arena, made, file, text, size)->asked_for = true;
    else
        diag_error(v->diag, (span){0}, "'%s' cannot be one file with its imports: a name would mean something else",
                   s->root->path);
}

void versions_keep(const versions *v, const schema *s, outputs *made)
{
    const char *directory = v->options->archive;
    releases all;
    if (!s->protocol) {
        diag_error(v->diag, (span){0}, "'%s' declares no protocol, so it has no releases", s->root->path);
        return;
    }
    if (!archive_find(v->arena, v->diag, directory, s->protocol, &all))
        return;
    const release *known = archive_with_id(&all, s->id);
    bool fits;
    if (known) {
        (void)schema_of_release(v, known, &fits);
        return;
    }
    const char *file = archive_path(v->arena, directory, &all, s);
    if (!file)
        diag_error(v->diag, (span){0}, "'%s' has no number left for a release", directory);
    else if (!is_first(v, s, made))
        diag_error(v->diag, (span){0}, "'%s' is not the only schema of protocol '%s' here: archive one at a time",
                   s->root->path, s->protocol);
    else
        add_release(v, s, file, made);
}
