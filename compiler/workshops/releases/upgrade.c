/* upgrade.c - loads the releases for --upgrade, and refuses names that generated code needs for their types.
 * SPDX-License-Identifier: MIT
 */
#include "releases/upgrade.h"
#include "base/files.h"
#include "releases/old_versions.h"
#include "releases/archive_text.h"
#include "releases/diff.h"
#include "releases/emit_upgrade.h"
#include "releases/releases_rows.h"

#include <string.h>

/* ---- names that are made for older versions */

/* Whether a text begins with a number. After it the text ends, or with `more` it may go on with an underscore. */
static bool is_version(const char *text, bool more)
{
    const size_t digits = strspn(text, "0123456789");
    return digits > 0 && (more ? text[digits] == '_' : text[digits] == '\0');
}

/* Whether a name could collide with the name that a version's type gets. */
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

static void check_name(run *r, const upgrade *u, span at, const char *name)
{
    const schema *s = u->now->schema;
    const char *prefix = schema_constant_prefix(r->arena, s, s->root);
    if (is_version_name(name, prefix))
        diag_error(r->diag, at,
                   "with --upgrade, '%s' could be a name of an older version: names like %sv1_... and "
                   "..._from_v1 are kept for those",
                   name, prefix);
}

/* Whether --serve makes a type or a function of that name. */
static void check_served_name(run *r, const map *types, span at, const char *name)
{
    static const char *const ends[] = {"_served",           "_serve",
                                       "_of_served",        "_peer",
                                       "_pack_for",         "_unpack_for",
                                       "_fit_pack_for",     "_pack_delta_for",
                                       "_unpack_delta_for", "_fit_pack_delta_for"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t size = strlen(name), end = strlen(ends[i]);
        if (size <= end || strcmp(name + size - end, ends[i]) != 0)
            continue;
        const char *of = arena_text(r->arena, name, size - end);
        if (map_get(types, NULL, intern(r->names, of, strlen(of))))
            diag_error(r->diag, at, "with --serve, '%s' is a name that '%s' needs", name, of);
    }
}

static void check_served_names(run *r, const schema *s)
{
    map *types = map_new(r->arena);
    for (decl *d = s->decls; d; d = d->next) {
        const char *name = arena_printf(r->arena, "%s%s", d->file->prefix, d->name);
        if (decl_is_type(d))
            map_put(r->arena, types, NULL, intern(r->names, name, strlen(name)), d);
    }
    for (const decl *d = s->decls; d; d = d->next) {
        const char *name = arena_printf(r->arena, "%s%s", d->file->prefix, d->name);
        check_served_name(r, types, d->span, name);
        for (const member *m = d->kind == DECL_UNION ? NULL : d->members; m; m = m->next)
            check_served_name(r, types, m->span, arena_printf(r->arena, "%s_%s", name, m->name));
    }
}

static void check_names(run *r, const upgrade *u)
{
    const schema *s = u->now->schema;
    for (const decl *d = s->decls; d; d = d->next) {
        const char *prefix = d->kind == DECL_CONST ? schema_constant_prefix(r->arena, s, d->file) : d->file->prefix;
        const char *name = arena_printf(r->arena, "%s%s", prefix, d->name);
        check_name(r, u, d->span, name);
        for (const member *m = d->kind == DECL_UNION ? NULL : d->members; m; m = m->next)
            check_name(r, u, m->span, arena_printf(r->arena, "%s_%s", name, m->name));
    }
}

/* ---- arrays with delta(previous): generated code has no deltas of older types */

static void check_chains_then(run *r, const upgrade *u, const old_version *v)
{
    for (const decl *d = v->wire->schema->decls; d; d = d->next) {
        for (const field *f = d->fields; f; f = f->next) {
            if (!f->chain || !form_of(u, d)->needed)
                continue;
            message *m = diag_error(r->diag, f->span,
                                    "--upgrade cannot read '%s.%s' of release %u: it is an array with "
                                    "`delta(previous)`, in a packet that has changed since",
                                    d->name, f->name, (unsigned)v->number);
            diag_help(r->diag, m, "leave the packet as it was, and give the new one another name");
        }
    }
}

/* ---- names that have changed without a word: their values are lost silently */

static void warn_of_names(run *r, const old_version *v, const pair *outer, const pair *p)
{
    for (const change *each = p->changes; each; each = each->next) {
        if (!each->renamed.source)
            continue;
        message *m = diag_warning(r->diag, each->renamed, "'%s%s%s' is not in release %u",
                                  outer ? outer->after_name : "", outer ? "." : "", p->after_name, (unsigned)v->number);
        diag_help(r->diag, m, "%s", each->help);
    }
    for (const pair *part = p->parts; part; part = part->next)
        warn_of_names(r, v, p, part);
}

/* A schema that is not released yet is compared with the newest release. */
static void warn_of_renames(run *r, const upgrade *u)
{
    const comparison *found = diff(r->arena, u->versions->wire, u->now);
    for (const pair *p = found->pairs; p; p = p->next)
        warn_of_names(r, u->versions, NULL, p);
}

/* ---- */

/* The releases in the folder of --upgrade that differ from a schema, which has a protocol. NULL after an error. */
static const upgrade *load_upgrade(run *r, const wire *now)
{
    const releases_choices *how = releases_chosen(r->options);
    const schema *s = now->schema;
    const char *directory = how->upgrade;
    releases all;
    upgrade *u = ARENA_NEW(r->arena, upgrade);
    const uint32_t errors = diag_errors(r->diag);
    if (!file_is_directory(directory)) {
        message *m = diag_error(r->diag, (span){0}, "there is no directory '%s'", directory);
        diag_help(r->diag, m, "`pktc archive %s %s` makes it, and keeps the first release there", directory,
                  s->root->path);
        return NULL;
    }
    if (!releases_find(r->arena, r->diag, directory, s->protocol, &all))
        return NULL;
    const release *known = release_with_id(&all, s->id);
    *u = (upgrade){.now = now, .number = known ? known->number : all.count ? all.list[0].number + 1 : 1};
    if (!load_releases(r, &all, true, u))
        return NULL;
    if (!known && u->versions)
        warn_of_renames(r, u);
    check_names(r, u);
    report_refusals(r, u);
    for (const old_version *v = u->versions; v; v = v->next)
        if (!v->served)
            check_chains_then(r, u, v);
    if (how->serve) {
        check_served_names(r, s);
        prepare_serving(r, u);
    }
    return diag_errors(r->diag) == errors ? u : NULL;
}

void capture_schema(run *r, const wire *w, emit_extras *extras)
{
    size_t size;
    if (releases_chosen(r->options)->capture && has_protocol(r, w->schema, "a recording cannot have it"))
        extras->schema = archive_text(r->arena, r->names, r->diag, w->schema, &size);
}

/* Adds the files of a release that is served, which are like those of the schema now. */
static void generate_served(run *r, const old_version *v, outputs *made)
{
    const wire *w = v->wire;
    emit_extras extras = {.older = served_version(v)};
    capture_schema(r, w, &extras);
    emit(r->arena, w, plan_bodies(r->arena, w), plan_deltas(r->arena, w), &extras, made);
}

/* A library of types has no versions. */
void generate_upgrade(run *r, const wire *w, outputs *made)
{
    const releases_choices *how = releases_chosen(r->options);
    const upgrade *u = how->upgrade && w->schema->protocol ? load_upgrade(r, w) : NULL;
    if (!u)
        return;
    for (const old_version *each = u->versions; each; each = each->next) {
        add_inputs(r, each->wire->schema);
        if (each->served)
            generate_served(r, each, made);
    }
    emit_upgrade(r->arena, u, made);
    if (how->serve && u->versions)
        emit_serve(r->arena, u, made);
}
