/* versions.c - see versions.h.
 * SPDX-License-Identifier: MIT
 */
#include "versions.h"
#include "base/files.h"
#include "commands/archive.h"
#include "commands/convert.h"
#include "record/convert_recording.h"
#include "diff/diff_print.h"
#include "commands/encode.h"
#include "diff/conversion.h"
#include "emit/names.h"
#include "recordings.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* Checks a schema. With a prefix, C is made of it. Otherwise its names need not be those that C can have. */
static schema *check_with(const versions *v, const source *root, bool checks, const char *prefix, diag *d)
{
    const check_options how = {
        .import_dirs = v->options->import_dirs,
        .import_dir_count = v->options->import_dir_count,
        .checks = checks,
        .prefix = prefix,
        .names = prefix ? &c_name_rules : NULL,
    };
    return check(v->arena, v->names, d, root, &how);
}

static schema *check_version(const versions *v, const source *root, bool checks, diag *d)
{
    return check_with(v, root, checks, NULL, d);
}

/* The same without warnings, for a version that cannot change any more. */
static schema *check_old(const versions *v, const source *root, bool checks, const char *prefix)
{
    schema *s = check_with(v, root, checks, prefix, diag_new(v->arena));
    return s ? s : check_with(v, root, checks, prefix, v->diag);
}

/* ---- releases */

/* The schema of a release, if it was archived with the --no-checks of this run, or without it as this run. *fits says
 * which. NULL after an error: a release stays as it was. */
static schema *schema_of_release(const versions *v, const release *r, const char *prefix, bool *fits)
{
    const source *text = source_read(v->arena, r->path);
    if (!text) {
        diag_error(v->diag, (span){0}, "cannot read '%s': %s", r->path, strerror(errno));
        return NULL;
    }
    schema *s = check_old(v, text, v->options->checks, prefix);
    *fits = s && s->id == r->id;
    if (!s || *fits)
        return s;
    schema *other = check_old(v, text, !v->options->checks, prefix);
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
        const schema *s = schema_of_release(v, &all.list[i], NULL, &fits);
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
    const schema *old = before ? check_old(v, before, v->options->checks, NULL) : NULL;
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
        (void)schema_of_release(v, known, NULL, &fits);
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

/* ---- --upgrade */

/* C converts values alone, so an older version needs no codes there. A recording has deltas, which are read with
 * them. */
static old_version *make_version(const versions *v, schema *s, uint32_t number, bool for_c, const wire *now)
{
    old_version *made = ARENA_NEW(v->arena, old_version);
    schema_without_program(v->arena, s);
    if (for_c)
        schema_without_codes(s);
    const wire *w = lower(v->arena, s);
    *made = (old_version){.number = number, .wire = w, .conversion = conversion_new(v->arena, w, now)};
    return made;
}

/* The versions of all releases but that of the schema itself, the newest first. False after an error. */
static bool load_versions(const versions *v, const releases *all, bool for_c, upgrade *u)
{
    const schema *now = u->now->schema;
    old_version **last = &u->versions;
    const char *start = schema_constant_prefix(v->arena, now, now->root);
    for (size_t i = 0; i < all->count; i++) {
        const release *each = &all->list[i];
        bool fits;
        if (each->id == now->id)
            continue;
        const char *prefix = arena_printf(v->arena, "%sv%" PRIu32 "_", start, each->number);
        schema *s = schema_of_release(v, each, for_c ? prefix : NULL, &fits);
        if (!s)
            return false;
        *last = make_version(v, s, each->number, for_c, u->now);
        last = &(*last)->next;
    }
    return true;
}

static const char *kind_text(const versions *v, const decl *d)
{
    return arena_printf(v->arena, "a %s", decl_noun(d));
}

static void report(const versions *v, const refusal *r)
{
    const unsigned long number = r->version->number;
    const char *place = r->after->name, *was, *is;
    span here = r->after->span, there = r->before->span;
    if (r->field_after) {
        place = arena_printf(v->arena, "%s.%s", place, r->field_after->name);
        was = field_text(v->arena, r->field_before);
        is = field_text(v->arena, r->field_after);
        here = r->field_after->span;
        there = r->field_before->span;
    } else if (r->member_after) {
        place = arena_printf(v->arena, "%s.%s", place, r->member_after->name);
        was = r->member_before->type->name;
        is = r->member_after->type->name;
        here = r->member_after->span;
        there = r->member_before->span;
    } else {
        was = kind_text(v, r->before);
        is = kind_text(v, r->after);
    }
    const char *from = number > 0 ? arena_printf(v->arena, "release %lu", number) : "the older schema";
    message *m =
        diag_error(v->diag, here, "'%s' does not convert from %s: it was %s, and is %s now", place, from, was, is);
    diag_note(v->diag, m, there, "%s has it here", from);
    if (number == 0)
        return;
    diag_help(v->diag, m, "`@convert(%lu)` %s leaves it to a function of the program; under another name it is new",
              number, r->field_after ? "behind it" : arena_printf(v->arena, "of '%s'", r->after->name));
}

static void report_refusals(const versions *v, upgrade *u)
{
    find_forms(v->arena, v->names, u);
    for (const refusal *r = find_refusals(v->arena, u); r; r = r->next)
        report(v, r);
}

/* ---- names that are made for older versions */

/* The digits of a number and what follows it, which must be nothing or begin with an underscore; NULL if there is no
 * number. */
static bool is_version(const char *text, bool more)
{
    const size_t digits = strspn(text, "0123456789");
    return digits > 0 && (more ? text[digits] == '_' : text[digits] == '\0');
}

/* Whether a name could be one that is made for a version. */
static bool is_version_name(const char *name, const char *prefix)
{
    static const char from[] = "_from_v";
    const size_t size = strlen(prefix);
    if (strncmp(name, prefix, size) == 0 && name[size] == 'v' && is_version(name + size + 1, true))
        return true;
    for (const char *at = strstr(name, from); at; at = strstr(at + 1, from))
        if (is_version(at + strlen(from), false))
            return true;
    return false;
}

static void check_name(const versions *v, const upgrade *u, span at, const char *name)
{
    const schema *s = u->now->schema;
    const char *prefix = schema_constant_prefix(v->arena, s, s->root);
    if (is_version_name(name, prefix))
        diag_error(v->diag, at,
                   "with --upgrade, '%s' could be a name of an older version: names like %sv1_... and "
                   "..._from_v1 are kept for those",
                   name, prefix);
}

static void check_names(const versions *v, const upgrade *u)
{
    const schema *s = u->now->schema;
    for (const decl *d = s->decls; d; d = d->next) {
        const char *prefix = d->kind == DECL_CONST ? schema_constant_prefix(v->arena, s, d->file) : d->file->prefix;
        const char *name = arena_printf(v->arena, "%s%s", prefix, d->name);
        check_name(v, u, d->span, name);
        for (const member *m = d->kind == DECL_UNION ? NULL : d->members; m; m = m->next)
            check_name(v, u, m->span, arena_printf(v->arena, "%s_%s", name, m->name));
    }
}

const upgrade *versions_upgrade(const versions *v, const wire *now)
{
    const schema *s = now->schema;
    releases all;
    upgrade *u = ARENA_NEW(v->arena, upgrade);
    const uint32_t errors = diag_errors(v->diag);
    if (!file_is_directory(v->options->upgrade)) {
        message *m = diag_error(v->diag, (span){0}, "there is no directory '%s'", v->options->upgrade);
        diag_help(v->diag, m, "`pktc archive %s %s` makes it, and keeps the first release there", v->options->upgrade,
                  s->root->path);
        return NULL;
    }
    if (!archive_find(v->arena, v->diag, v->options->upgrade, s->protocol, &all))
        return NULL;
    const release *known = archive_with_id(&all, s->id);
    *u = (upgrade){.now = now, .number = known ? known->number : all.count ? all.list[0].number + 1 : 1};
    if (!load_versions(v, &all, true, u))
        return NULL;
    check_names(v, u);
    report_refusals(v, u);
    return diag_errors(v->diag) == errors ? u : NULL;
}

/* ---- `pktc convert` */

/* The versions in a folder, or the one of a file. */
static bool load_old(const versions *v, const char *place, const source *old, upgrade *u)
{
    releases all;
    if (old) {
        schema *s = check_old(v, old, v->options->checks, NULL);
        u->versions = s ? make_version(v, s, archive_number(place, u->now->schema->protocol), false, u->now) : NULL;
        return s != NULL;
    }
    const char *protocol = u->now->schema->protocol;
    if (!protocol)
        diag_error(v->diag, (span){0}, "'%s' declares no protocol, so an archive cannot have it",
                   u->now->schema->root->path);
    return protocol && archive_find(v->arena, v->diag, place, protocol, &all) && load_versions(v, &all, false, u);
}

void versions_convert(const versions *v, const char *place, const source *old, const source *now,
                      const codec_request *request)
{
    const schema *s = check_version(v, now, v->options->checks, v->diag);
    if (!s)
        return;
    upgrade u = {.now = lower(v->arena, s)};
    const uint32_t errors = diag_errors(v->diag);
    if (!load_old(v, place, old, &u))
        return;
    report_refusals(v, &u);
    if (diag_errors(v->diag) == errors)
        convert(v->arena, v->diag, &u, !old, request);
}

/* The schemas in a recording, checked. False after an error. */
static bool check_recorded(const versions *v, const source *const *sources, size_t count, schema **list)
{
    for (size_t i = 0; i < count; i++)
        if (!(list[i] = check_old(v, sources[i], v->options->checks, NULL)))
            return false;
    return true;
}

static bool is_of_protocol(const schema *s, const schema *now)
{
    return s->protocol && strcmp(s->protocol, now->protocol) == 0;
}

/* The versions that a recording has inside. False after an error. */
static bool load_recorded(const versions *v, schema *const *inside, size_t count, upgrade *u,
                          convert_recording_request *request)
{
    const schema *now = u->now->schema;
    old_version **last = &u->versions;
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_of_protocol(inside[i], now))
            continue;
        found++;
        if (inside[i]->id == now->id)
            continue;
        *last = make_version(v, inside[i], 0, false, u->now);
        last = &(*last)->next;
    }
    request->one_version = found == 1;
    if (found > 0)
        return true;
    message *m =
        diag_error(v->diag, (span){0}, "'%s' has no schema of protocol '%s' in it", request->path, now->protocol);
    diag_help(v->diag, m, "give the older schema too, or the folder of `pktc archive`: `pktc convert OLD %s %s`",
              now->root->path, request->path);
    return false;
}

void versions_convert_recording(const versions *v, const char *place, const source *old, const source *now)
{
    const options *o = v->options;
    const schema *s = check_version(v, now, o->checks, v->diag);
    size_t count, size;
    if (!s || !is_recording(v->diag, o->recording))
        return;
    if (!s->protocol) {
        diag_error(v->diag, (span){0}, "'%s' declares no protocol, so a recording cannot have it", s->root->path);
        return;
    }
    const source *const *sources = recorded_sources(v->arena, o->recording, &count);
    schema **inside = ARENA_ARRAY(v->arena, schema *, count + 1);
    const schema **others = ARENA_ARRAY(v->arena, const schema *, count + 1);
    const char **texts = ARENA_ARRAY(v->arena, const char *, count + 1);
    texts[0] = archive_text(v->arena, v->names, v->diag, s, &size);
    if (!texts[0] || !check_recorded(v, sources, count, inside) || !encode_can_print(v->diag, false))
        return;
    upgrade u = {.now = lower(v->arena, s)};
    convert_recording_request request = {.path = o->recording,
                                         .port = (uint16_t)o->port,
                                         .versions = &u,
                                         .one_version = old != NULL,
                                         .others = others,
                                         .texts = texts,
                                         .text_count = 1,
                                         .streams = o->streams,
                                         .stream_count = o->stream_count,
                                         .seed = o->seed};
    const uint32_t errors = diag_errors(v->diag);
    if (place ? !load_old(v, place, old, &u) : !load_recorded(v, inside, count, &u, &request))
        return;
    report_refusals(v, &u);
    for (size_t i = 0; i < count; i++)
        if (!is_of_protocol(inside[i], s)) {
            others[request.other_count++] = inside[i];
            texts[request.text_count++] = (const char *)sources[i]->text;
        }
    if (diag_errors(v->diag) == errors)
        convert_recording(v->arena, v->diag, &request, stdout);
}
