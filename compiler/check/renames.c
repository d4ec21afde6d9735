/* renames.c - checks what other releases call types, fields and members (`was "name"`, `else name`), and puts it into the
 * model.
 * SPDX-License-Identifier: MIT
 *
 * A tool that compares two versions finds this field in the old version by that name. So an old name must be unique:
 * nothing else in its scope may have the name now, or have had it.
 */
#include "check/check_internal.h"

#include <ctype.h>

/* A type, field or member with old names. */
typedef struct renamed {
    const char *noun; /* "field" */
    const char *name;
    const decl *scope; /* the type that it is in; NULL: it is a type itself */
    const old_name **olds;
} renamed;

typedef struct renames {
    checker *k;
    map *taken; /* (scope, old name): the old_name that has it */
} renames;

static bool is_identifier(const char *text)
{
    const char *c = text;
    if (isdigit((unsigned char)*c))
        return false;
    while (isalnum((unsigned char)*c) || *c == '_')
        c++;
    return c != text && *c == '\0';
}

/* Where a name is declared now; source NULL: nowhere. */
static span declared_at(const checker *k, const decl *scope, const char *name)
{
    if (!scope) {
        const decl_info *d = map_get(k->declarations, NULL, name);
        return d ? d->decl->span : (span){0};
    }
    const field_info *f = scope->kind == DECL_STRUCT ? find_field(k, scope, name) : NULL;
    const member *m = scope->kind == DECL_STRUCT ? NULL : find_member(k, scope, name);
    return f ? f->field->span : m ? m->span : (span){0};
}

/* Whether the old name belongs to `to` alone; otherwise reports why not. */
static bool is_sound_rename(renames *r, const renamed *to, const ast_name *old)
{
    checker *k = r->k;
    if (!is_identifier(old->text)) {
        message *m = diag_error(k->diag, old->span, "\"%s\" cannot have been the name of a %s", old->text, to->noun);
        diag_help(k->diag, m, "names consist of letters, digits and _, and do not begin with a digit");
        return false;
    }
    if (old->text == to->name) {
        message *m = diag_error(k->diag, old->span, "'%s' is the current name of this %s", old->text, to->noun);
        diag_help(k->diag, m, "'was' gives the name that it had before");
        return false;
    }
    const span now = declared_at(k, to->scope, old->text);
    if (now.source) {
        message *m =
            diag_error(k->diag, old->span, "'%s' cannot be an old name of '%s': it is in use", old->text, to->name);
        diag_note(k->diag, m, now, "it is declared here");
        return false;
    }
    const old_name *before = map_get(r->taken, to->scope, old->text);
    if (before) {
        message *m = diag_error(k->diag, old->span, "'%s' is given twice as an old name", old->text);
        diag_note(k->diag, m, before->span, "the first one is here");
        return false;
    }
    return true;
}

static void check_olds(renames *r, const renamed *to, const ast_attribute *list)
{
    checker *k = r->k;
    const old_name **last = to->olds;
    for (const ast_attribute *ast = list; ast; ast = ast->next) {
        if (ast->was && is_sound_rename(r, to, &ast->name)) {
            old_name *made = ARENA_NEW(k->arena, old_name);
            made->name = ast->name.text;
            made->span = ast->name.span;
            map_put(k->scratch, r->taken, to->scope, made->name, made);
            *last = made;
            last = &made->next;
        }
    }
}

static void check_field_olds(renames *r, const field_info *info)
{
    field *f = info->field;
    const renamed to = {"field", f->name, f->owner, &f->olds};
    for (const ast_attribute *ast = info->declarator->attributes; f->local && ast; ast = ast->next) {
        if (ast->was) {
            diag_error(r->k->diag, ast->span, "'was' is only for fields that are sent; '%s' is local", f->name);
            return;
        }
    }
    check_olds(r, &to, info->declarator->attributes);
}

/* No member becomes itself, on whatever way. Each is passed once: `passed` has from which one it was reached first. */
static void refuse_circle(checker *k, const member *m, map *passed, const map *named)
{
    const member *at = m;
    for (; at && !map_get(passed, at, NULL); at = at->other)
        map_put(k->scratch, passed, at, NULL, (void *)(uintptr_t)m);
    if (!at || map_get(passed, at, NULL) != m)
        return;
    const ast_name *name = map_get(named, at, NULL);
    diag_error(k->diag, name->span, "by its 'else', '%s' becomes itself", at->name);
    ((member *)(uintptr_t)at)->other = NULL;
}

static void check_members(renames *r, const decl_info *info)
{
    member *m = info->decl->members;
    map *passed = map_new(r->k->scratch), *named = map_new(r->k->scratch);
    for (const ast_member *ast = info->ast->members; ast; ast = ast->next, m = m->next) {
        const renamed to = {"member", m->name, info->decl, &m->olds};
        check_olds(r, &to, ast->olds);
        if (!ast->other.text)
            continue;
        /* `else name`: what the member becomes for a release that does not have it */
        m->other = find_member(r->k, info->decl, ast->other.text);
        if (m->other) {
            use_member(r->k->options->uses, ast->other.span, info->decl, m->other);
            map_put(r->k->scratch, named, m, NULL, (void *)(uintptr_t)&ast->other);
        } else {
            diag_error(r->k->diag, ast->other.span, "'%s' has no member '%s'", info->decl->name, ast->other.text);
        }
    }
    for (m = info->decl->members; m; m = m->next)
        if (m->other)
            refuse_circle(r->k, m, passed, named);
}

void check_renames(checker *k)
{
    renames r = {k, map_new(k->scratch)};
    for (decl_info *info = k->decls; info; info = info->next) {
        if (info->damaged)
            continue;
        const renamed to = {"type", info->decl->name, NULL, &info->decl->olds};
        check_olds(&r, &to, info->ast->attributes);
        check_members(&r, info);
        for (const field_info *f = info->fields; f; f = f->next)
            check_field_olds(&r, f);
    }
}
