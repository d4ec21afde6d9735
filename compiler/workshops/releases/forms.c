/* forms.c - finds types that are the same in several versions, so that generated code has them only once.
 * SPDX-License-Identifier: MIT
 *
 * Each type gets a text with everything that matters: its projection, the new names of its parts, which of them the
 * program converts, and the numbers of its nested types' texts. Types with the same text are one form.
 */
#include "releases/conversion.h"
#include "base/hash_table.h"
#include "base/out.h"
#include "model/type_table.h"

#include <inttypes.h>

typedef struct sign {
    uint32_t number;
    bool today; /* a type of the newest schema has it */
    form *form; /* the first one */
} sign;

typedef struct form_finder {
    arena *arena;
    names *names;
    upgrade *upgrade;
    const old_version *version; /* NULL: now */
    map *signs;                 /* (NULL, interned text): sign */
    map *sign_of;               /* (decl, NULL): sign */
    uint32_t count;
} form_finder;

static const decl *contained(const type *t)
{
    return type_row_of(t)->sort == SORT_REF ? NULL : t->decl;
}

/* ---- texts */

static const char *name_now(const form_finder *f, const member *m)
{
    const member *now = f->version ? member_now(&f->version->conversion, m) : m;
    return now ? now->name : "-";
}

static uint32_t number_of(const form_finder *f, const decl *d)
{
    const sign *s = d ? map_get(f->sign_of, d, NULL) : NULL;
    return s ? s->number : 0;
}

static void add_line(out *o, const char *name, bool program, uint32_t number, unsigned more)
{
    out_format(o, "%s %d %" PRIu32 " %u\n", name, program, number, more);
}

static void add_type(const form_finder *f, out *o, const decl *d, const decl *now)
{
    out_add(o, schema_decl_projection(f->arena, d));
    add_line(o, now ? now->name : "-", f->version && now && program_converts(now->convert, f->version), 0, 0);
    for (const member *m = d->members; m; m = m->next)
        add_line(o, name_now(f, m), false, number_of(f, m->type), 0);
    for (const field *each = d->fields; each; each = each->next) {
        const field *as = f->version ? field_now(&f->version->conversion, each) : each;
        if (!each->local)
            add_line(o, as ? as->name : "-", f->version && as && program_converts(as->convert, f->version),
                     number_of(f, contained(&each->type)), each->type.storage * 2u + each->type.clamps);
    }
}

static sign *sign_type(form_finder *f, const decl *d, const decl *now)
{
    out *text = out_new(f->arena);
    size_t size;
    add_type(f, text, d, now);
    const char *made = out_result(text, &size), *key = intern(f->names, made, size);
    sign *s = map_get(f->signs, NULL, key);
    if (!s) {
        s = ARENA_NEW(f->arena, sign);
        *s = (sign){.number = ++f->count};
        map_put(f->arena, f->signs, NULL, key, s);
    }
    map_put(f->arena, f->sign_of, d, NULL, s);
    return s;
}

/* ---- forms */

form *form_of(const upgrade *u, const decl *before)
{
    form *found = map_get(u->forms, before, NULL);
    return found ? found->same : NULL;
}

/* Whether an element without a new value can be left out. */
static bool leaves_out(const field *before, const field *after)
{
    return (after->optional && after->array == ARRAY_NONE) || after->array == ARRAY_COUNTED ||
           after->array == ARRAY_SPARSE || after->array == ARRAY_COMPUTED ||
           (after->array == ARRAY_FIXED && before->array != ARRAY_FIXED);
}

static bool can_fail(const form_finder *f, const form *made)
{
    const conversion *c = &f->version->conversion;
    if (made->program)
        return true;
    for (const member *m = made->decl->members; m && m->type; m = m->next)
        if (!member_now(c, m) || form_of(f->upgrade, m->type)->can_fail)
            return true;
    for (const field *each = made->decl->fields; each; each = each->next) {
        const field *now = field_now(c, each);
        if (now && conversion_rule(c, &each->type, &now->type) == RULE_TYPE && !leaves_out(each, now) &&
            form_of(f->upgrade, each->type.decl)->can_fail)
            return true;
    }
    return false;
}

/* Whether a type, or a type that is converted inside it, does not convert. */
static bool contains_refused(const form_finder *f, const form *made)
{
    const conversion *c = &f->version->conversion;
    if (made->program)
        return false;
    if (is_refused(f->version, made->decl, made->now))
        return true;
    for (const member *m = made->decl->members; m && m->type; m = m->next)
        if (member_now(c, m) && form_of(f->upgrade, m->type)->refused)
            return true;
    for (const field *each = made->decl->fields; each; each = each->next) {
        const field *now = field_now(c, each);
        if (now && conversion_rule(c, &each->type, &now->type) == RULE_TYPE &&
            form_of(f->upgrade, each->type.decl)->refused)
            return true;
    }
    return false;
}

/* Whether T_unpack_any of the packet `now` can read an older one. A packet with @seed need not have this function, so one
 * that cannot be read is no error. */
static bool is_for_any(const old_version *v, const decl *older, const decl *now)
{
    return !older->parts && older->seeded == now->seeded && (v->served || !(older->seeded && older->holds_chain));
}

static void add_form(form_finder *f, const decl *d)
{
    const decl *now = decl_now(&f->version->conversion, d), *other = decl_by_name(&f->version->conversion, d);
    form *made = ARENA_NEW(f->arena, form);
    if (!now && decl_is_type(d) && other && decl_is_type(other) && program_converts(other->convert, f->version))
        now = other; /* of another kind */
    *made = (form){.version = f->version, .decl = d, .now = now};
    made->program = now && program_converts(now->convert, f->version);
    sign *s = sign_type(f, d, now);
    made->today = s->today && !f->version->served;
    made->refused = now && contains_refused(f, made);
    made->can_fail = now && can_fail(f, made);
    if (!s->form && !f->version->served)
        s->form = made;
    made->same = f->version->served ? made : s->form;
    map_put(f->arena, f->upgrade->forms, d, NULL, made);
    if (now && d->packet && is_for_any(f->version, d, now) && !map_get(f->version->packets, now, NULL))
        map_put(f->arena, f->version->packets, now, NULL, made);
}

/* ---- what is needed */

static void need(const upgrade *u, const decl *d)
{
    form *made = form_of(u, d);
    if (made->needed)
        return;
    made->needed = true;
    for (const member *m = made->decl->members; m && m->type; m = m->next)
        need(u, m->type);
    for (const field *f = made->decl->fields; f; f = f->next)
        if (contained(&f->type))
            need(u, f->type.decl);
}

static void need_conversion(const upgrade *u, const decl *d)
{
    form *made = form_of(u, d);
    const conversion *c = &made->version->conversion;
    if (made->converted)
        return;
    made->converted = true;
    if (made->program)
        return;
    for (const member *m = made->decl->members; m && m->type; m = m->next)
        if (member_now(c, m))
            need_conversion(u, m->type);
    for (const field *f = made->decl->fields; f; f = f->next) {
        const field *now = field_now(c, f);
        const rule r = now && arrays_convert(c, f, now) ? conversion_rule(c, &f->type, &now->type) : RULE_NONE;
        if (r == RULE_TYPE || r == RULE_ENUM || r == RULE_FLAGS)
            need_conversion(u, f->type.decl);
    }
}

void find_forms(arena *a, names *n, upgrade *u)
{
    form_finder f = {.arena = a, .names = n, .upgrade = u, .signs = map_new(a), .sign_of = map_new(a)};
    u->forms = map_new(a);
    for (const decl *d = u->now->schema->decls; d; d = d->next)
        if (d->kind != DECL_CONST)
            sign_type(&f, d, d)->today = true;
    for (old_version *v = u->versions; v; v = v->next)
        v->packets = map_new(a);
    for (f.version = u->versions; f.version; f.version = f.version->next)
        for (const decl *d = f.version->wire->schema->decls; d; d = d->next)
            if (d->kind != DECL_CONST)
                add_form(&f, d);
    for (const old_version *v = u->versions; v; v = v->next) {
        for (const decl *d = v->wire->schema->decls; d; d = d->next) {
            const form *made = decl_is_type(d) ? map_get(u->forms, d, NULL) : NULL;
            if (!made || !made->now || !made->now->file->root || made->today ||
                (d->seeded && !is_for_any(v, d, made->now) && !v->served) || (made->refused && !d->packet) ||
                (u->is_back && (!d->packet || d->received)))
                continue;
            need(u, d);
            need_conversion(u, d);
        }
    }
}
