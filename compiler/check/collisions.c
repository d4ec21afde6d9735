/* collisions.c - refuses names that would collide in the generated C, with each other or with names of C itself.
 * SPDX-License-Identifier: MIT
 *
 * The emitter's list (model/taken.h) has the names that generated code makes of a declaration: of struct Body also
 * Body_init and more, dozens of a packet. All of them begin with the name of the declaration and an underscore, so two
 * declarations can collide only if one is called Body and the other Body_something. Only the names of such declarations
 * go into one shared table; so do the names of Body if a field is called body or Body_x.
 */
#include "base/hash_table.h"
#include "check/check_internal.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

/* A global name. The text is not kept but spelled again when needed, since each type has dozens of names. */
typedef struct global {
    const taken_name *rule;
    const decl *decl; /* NULL: of the protocol */
    const char *m;    /* the member or field in the pattern; or "" */
    span span;
} global;

/* A declaration under the name that it has in C. */
typedef struct declared_name {
    struct declared_name *next;
    const decl *decl;
    const char *name;
    bool shares;  /* another declaration may make the same names */
    bool entered; /* its names are in the table of shared names */
} declared_name;

/* A name being put together. */
typedef struct spelled {
    char *text;
    size_t size, capacity;
} spelled;

typedef struct collisions {
    checker *k;
    const name_rules *rules;
    arena *scratch, *own; /* own: of one declaration, and then cleared */
    unsigned field_kinds; /* of fields that take global names */
    hash_table *decls;    /* declared, by its C name */
    declared_name *first; /* in the order of the schema */
    hash_table *shared;   /* global, by its C name */
    hash_table *globals;  /* the same, or one for this declaration; NULL if its names cannot be equal */
    bool reserves;        /* a name that begins like this declaration's may be reserved */
    bool again;           /* these names are added again, after they were in a table of their own */
    map *members;         /* (struct, C name of a member): field */
    map *used;            /* (struct or union, name of a member's type): the span of one such member */
    spelled name, other;
} collisions;

/* The name that a pattern makes. Valid until the next name is put together in the same place. */
static const char *spell(collisions *c, spelled *to, const char *pattern, const char *of, const char *m)
{
    to->size = taken_spell(to->text, to->capacity, pattern, of, m);
    if (to->size >= to->capacity) {
        to->capacity = 2 * to->size + 64;
        to->text = arena_alloc(c->scratch, to->capacity);
        (void)taken_spell(to->text, to->capacity, pattern, of, m);
    }
    return to->text;
}

static const char *joined_name(collisions *c, const char *a, const char *b)
{
    return arena_printf(c->scratch, "%s%s", a, b);
}

/* The name that replaces T in the patterns of a declaration. */
static const char *c_name(collisions *c, const decl *d)
{
    const char *before =
        d->kind == DECL_CONST ? schema_constant_prefix(c->scratch, c->k->schema, d->file) : d->file->prefix;
    return joined_name(c, before, d->name);
}

/* The names of the protocol are the pattern after a prefix. */
static const char *protocol_name(collisions *c, const taken_name *rule)
{
    const schema *s = c->k->schema;
    return joined_name(c, schema_constant_prefix(c->scratch, s, s->root), rule->pattern);
}

typedef struct global_key {
    collisions *c;
    const char *name;
} global_key;

static bool is_global(const void *entry, const void *key)
{
    const global *g = entry;
    const global_key *wanted = key;
    collisions *c = wanted->c;
    const char *name =
        g->decl ? spell(c, &c->other, g->rule->pattern, c_name(c, g->decl), g->m) : protocol_name(c, g->rule);
    return strcmp(name, wanted->name) == 0;
}

static uint64_t global_hash(const char *name)
{
    return hash_bytes(0, name, strlen(name));
}

static const global *find_in(collisions *c, const hash_table *globals, const char *name, uint64_t hash)
{
    const global_key key = {c, name};
    return hash_table_find(globals, hash, is_global, &key);
}

/* A beginning of a name: up to an underscore, or the whole name. Its hash goes on from that of the shorter part, so that all
 * parts of a name take time in proportion to it. */
typedef struct name_part {
    const char *text;
    size_t size;
    uint64_t hash;
} name_part;

/* The next longer part; of one that has only a text, the shortest. */
static name_part next_part(name_part before)
{
    size_t size = before.size + 1;
    while (before.text[size] != '_' && before.text[size] != 0)
        size++;
    return (name_part){before.text, size, hash_bytes(before.hash, before.text + before.size, size - before.size)};
}

static bool is_whole_name(name_part part)
{
    return part.text[part.size] == 0;
}

static name_part whole_name(const char *name)
{
    name_part part = next_part((name_part){.text = name});
    while (!is_whole_name(part))
        part = next_part(part);
    return part;
}

static bool is_declared(const void *entry, const void *key)
{
    const declared_name *d = entry;
    const name_part *wanted = key;
    return strncmp(d->name, wanted->text, wanted->size) == 0 && d->name[wanted->size] == 0;
}

static declared_name *find_declared(const collisions *c, name_part part)
{
    return hash_table_find(c->decls, part.hash, is_declared, &part);
}

/* ---- names of the whole program */

static const char *global_text(checker *k, const global *g)
{
    const char *of = g->decl ? arena_printf(k->arena, "%s '%s'", decl_noun(g->decl), g->decl->name) : "";
    switch (g->rule->as) {
    case TAKEN_AS_TYPE: return of;
    case TAKEN_AS_FUNCTION: return arena_printf(k->arena, "a function of %s", of);
    case TAKEN_AS_MACRO: return arena_printf(k->arena, "a macro of %s", of);
    case TAKEN_AS_CONSTANT:
        if (!g->decl)
            return "the protocol id";
        return g->decl->kind == DECL_CONST ? of : arena_printf(k->arena, "a member of %s", of);
    case TAKEN_AS_TAG: return arena_printf(k->arena, "the tag of %s", of);
    case TAKEN_AS_DATA: return arena_printf(k->arena, "the description of %s", of);
    case TAKEN_AS_MEMBER:
    case TAKEN_AS_LOCAL: break;
    }
    assert(false && "members of structs and variables of functions are not global");
    return "";
}

/* False after an error. */
static bool add_global(collisions *c, const char *name, const global *added)
{
    checker *k = c->k;
    const decl *d = added->decl;
    const bool is_whole = !d || added->rule->pattern[1] == 0;
    const char *reserved = is_whole || c->reserves ? c->rules->reserved(name, added->rule->as) : NULL;
    if (reserved && c->again)
        return false;
    if (reserved) {
        message *m = added->rule->as == TAKEN_AS_TYPE && !*d->file->prefix
                         ? diag_error(k->diag, added->span, "'%s' cannot name a type in C: it is %s", name, reserved)
                         : diag_error(k->diag, added->span, "%s would be called '%s' in C, which is %s",
                                      global_text(k, added), name, reserved);
        if (d && d->file->root && k->schema->protocol && !*d->file->prefix) {
            diag_help(k->diag, m, "rename it, or give all names a prefix, as in `protocol %s = 1 prefix my_;`",
                      k->schema->protocol);
        }
        return false;
    }
    if (!c->globals)
        return true;
    uint64_t hash = global_hash(name);
    const global *before = find_in(c, c->globals, name, hash);
    if (before && c->again)
        return false;
    if (before) {
        message *m = diag_error(k->diag, added->span, "%s and %s would both be called '%s' in C", global_text(k, added),
                                global_text(k, before), name);
        diag_note(k->diag, m, before->span, "the other one is here");
        return false;
    }
    global *kept = ARENA_NEW(c->globals == c->shared ? c->scratch : c->own, global);
    *kept = *added;
    hash_table_add(c->globals, hash, kept);
    return true;
}

static bool add_name_of(collisions *c, const taken_name *rule, const decl *d, const char *of, const char *m, span at)
{
    return add_global(c, spell(c, &c->name, rule->pattern, of, m), &(global){rule, d, m, at});
}

/* Adds a name for each member of an enum, flags or union. */
static void add_names_of_members(collisions *c, const taken_name *rule, const decl *d, const char *of)
{
    for (const member *m = d->members; m; m = m->next)
        if (find_member(c->k, d, m->name) == m)
            add_name_of(c, rule, d, of, m->name, m->span);
}

/* Adds the global names that a field makes, such as the functions of a sparse array. */
static void add_names_of_field(collisions *c, const field *f, const char *of)
{
    unsigned kinds = taken_by_field(f) & c->field_kinds;
    for (size_t i = 0; kinds != 0 && i < c->rules->taken_count; i++) {
        const taken_name *rule = &c->rules->taken[i];
        if (rule->as < TAKEN_AS_MEMBER && rule->by & kinds && !add_name_of(c, rule, f->owner, of, f->name, f->span))
            return;
    }
}

static void add_names_of_decl(collisions *c, const declared_name *added)
{
    const decl *d = added->decl;
    unsigned kinds = taken_by_decl(d);
    c->reserves = c->rules->reserves(joined_name(c, added->name, "_"));
    for (size_t i = 0; i < c->rules->taken_count; i++) {
        const taken_name *rule = &c->rules->taken[i];
        if (rule->as >= TAKEN_AS_MEMBER || !(rule->by & kinds))
            continue;
        if (d->kind != DECL_STRUCT && taken_has_member(rule))
            add_names_of_members(c, rule, d, added->name);
        else if (!add_name_of(c, rule, d, added->name, "", d->span))
            return;
    }
    for (const field *f = d->fields; f; f = f->next)
        add_names_of_field(c, f, added->name);
}

/* Whether a declaration could make one name twice. Only names made of its members can be equal. */
static bool may_repeat(const collisions *c, const decl *d)
{
    const field *f = d->fields;
    while (f && !(taken_by_field(f) & c->field_kinds))
        f = f->next;
    return f || (d->kind != DECL_STRUCT && d->kind != DECL_CONST);
}

static void add_protocol(collisions *c)
{
    const schema *s = c->k->schema;
    for (size_t i = 0; s->protocol && i < c->rules->taken_count; i++) {
        const taken_name *rule = &c->rules->taken[i];
        if (rule->by & TAKEN_BY_PROTOCOL)
            add_global(c, protocol_name(c, rule), &(global){rule, NULL, "", s->protocol_span});
    }
}

/* Finds declarations whose names are a beginning of `name`, and marks them, and `called`, as sharing names. */
static void share_name(collisions *c, const char *name, declared_name *called)
{
    for (name_part part = next_part((name_part){.text = name});; part = next_part(part)) {
        declared_name *d = find_declared(c, part);
        if (d && d != called) {
            d->shares = true;
            if (called)
                called->shares = true;
        }
        if (is_whole_name(part))
            break;
    }
}

static void list_decls(collisions *c)
{
    declared_name **last = &c->first;
    for (const decl_info *i = c->k->decls; i; i = i->next) {
        if (map_get(c->k->declarations, NULL, i->decl->name) != i)
            continue;
        declared_name *d = ARENA_NEW(c->scratch, declared_name);
        *d = (declared_name){.decl = i->decl, .name = c_name(c, i->decl)};
        const name_part whole = whole_name(d->name);
        if (!find_declared(c, whole))
            hash_table_add(c->decls, whole.hash, d);
        *last = d;
        last = &d->next;
    }
    for (declared_name *d = c->first; d; d = d->next)
        share_name(c, d->name, d);
    for (size_t i = 0; c->k->schema->protocol && i < c->rules->taken_count; i++)
        if (c->rules->taken[i].by & TAKEN_BY_PROTOCOL)
            share_name(c, protocol_name(c, &c->rules->taken[i]), NULL);
}

static void add_globals(collisions *c)
{
    c->globals = c->shared;
    add_protocol(c);
    for (declared_name *d = c->first; d; d = d->next) {
        c->globals = d->shares ? c->shared : may_repeat(c, d->decl) ? hash_table_new(c->own) : NULL;
        add_names_of_decl(c, d);
        d->entered = d->shares;
        arena_clear(c->own);
    }
}

/* The global with this name, or NULL. A name in c->name is copied first, because the search spells other names
 * there. */
static const global *find_global(collisions *c, const char **wanted)
{
    const char *name = *wanted;
    for (name_part part = next_part((name_part){.text = name});; part = next_part(part)) {
        declared_name *d = find_declared(c, part);
        if (d && !d->entered) {
            *wanted = name = part.text = joined_name(c, name, "");
            c->globals = c->shared;
            c->again = true;
            add_names_of_decl(c, d);
            c->again = false;
            d->entered = true;
        }
        if (is_whole_name(part))
            break;
    }
    return find_in(c, c->shared, name, global_hash(name));
}

/* Functions have variables with the names of fields. Such a variable must not hide a global name. */
static void check_locals(collisions *c, const decl *d)
{
    for (const field *f = d->fields; f; f = f->next) {
        unsigned kinds = taken_by_field(f);
        for (size_t i = 0; kinds != 0 && i < c->rules->taken_count; i++) {
            const taken_name *rule = &c->rules->taken[i];
            if (rule->as != TAKEN_AS_LOCAL || !(rule->by & kinds))
                continue;
            const char *name = spell(c, &c->name, rule->pattern, "", f->name);
            const global *g = find_global(c, &name);
            if (g) {
                message *m = diag_error(c->k->diag, g->span,
                                        "%s and a variable in the functions of %s '%s' would both be called '%s' in C",
                                        global_text(c->k, g), decl_noun(d), d->name, name);
                diag_note(c->k->diag, m, f->span, "the variable is named after this field");
            }
        }
    }
}

/* ---- members of structs */

/* Refuses a name that no member of a struct or union may have. `own`: every union has a member of that name, so the
 * error is reported at the type. */
static void check_member_name(collisions *c, const decl *owner, const char *name, span at, bool own)
{
    checker *k = c->k;
    const char *reserved = c->rules->reserved(name, TAKEN_AS_MEMBER);
    size_t size = strlen(name);
    if (!reserved && size > 2 && strcmp(name + size - 2, "_t") == 0)
        reserved = c->rules->reserved(name, TAKEN_AS_TYPE);
    const global *g = find_global(c, &name);
    if (reserved) {
        diag_error(k->diag, at, "'%s' cannot name a member in C: it is %s", name, reserved);
    } else if (g &&
               (g->rule->as == TAKEN_AS_MACRO || g->rule->as == TAKEN_AS_CONSTANT || g->rule->as == TAKEN_AS_TAG)) {
        message *m = diag_error(k->diag, at, "'%s' cannot name a member in C: it is %s", name, global_text(k, g));
        diag_note(k->diag, m, g->span, "it is declared here");
    } else if (g && g->rule->as == TAKEN_AS_TYPE && map_get(c->used, owner, g->decl->name)) {
        const span *use = map_get(c->used, owner, g->decl->name);
        message *m = diag_error(k->diag, own ? *use : at,
                                "'%s' is both a member and the type of a member, which C++ does not allow", name);
        diag_note(k->diag, m, g->span, "the type is declared here");
    }
}

static void add_name_of_member(collisions *c, const field *f, const char *name, const char *what)
{
    checker *k = c->k;
    const field *before = map_get(c->members, f->owner, name);
    if (before) {
        message *m =
            what ? diag_error(k->diag, f->span, "the %s of '%s' would be called '%s' in C, but there is such a field",
                              what, f->name, name)
                 : diag_error(k->diag, f->span, "'%s' is also the name of a member that '%s' adds to the C struct",
                              name, before->name);
        diag_note(k->diag, m, before->span, "it is declared here");
        return;
    }
    map_put(c->own, c->members, f->owner, name, (void *)(uintptr_t)f);
}

/* The purpose of a member that a field adds to the struct, as a noun. */
static const char *member_noun(const taken_name *rule)
{
    return rule->by & TAKEN_BY_COUNTED ? "count" : rule->by & TAKEN_BY_BYTES ? "size" : "presence";
}

/* Checks the members of the C struct: those of its kind of struct or union, and those made of its fields. */
static void check_struct(collisions *c, const decl_info *d)
{
    const member *members = d->decl->kind == DECL_UNION ? d->decl->members : NULL;
    c->members = map_new(c->own);
    c->used = map_new(c->own);
    for (const field_info *i = d->fields; i; i = i->next)
        if (i->field->type.decl)
            map_put(c->own, c->used, d->decl, i->field->type.decl->name, &i->field->span);
    for (const member *m = members; m; m = m->next)
        if (m->type)
            map_put(c->own, c->used, d->decl, m->type->name, (void *)(uintptr_t)&m->span);
    for (const member *m = members; m; m = m->next)
        check_member_name(c, d->decl, m->name, m->span, false);
    unsigned kinds = taken_by_decl(d->decl);
    for (size_t r = 0; r < c->rules->taken_count; r++) {
        const taken_name *rule = &c->rules->taken[r];
        if (rule->as == TAKEN_AS_MEMBER && rule->by & kinds)
            check_member_name(c, d->decl, rule->pattern, d->decl->span, true);
    }
    for (const field_info *i = d->fields; i; i = i->next) {
        const field *f = i->field;
        check_member_name(c, d->decl, f->name, f->span, false);
        if (find_field(c->k, d->decl, f->name) != i)
            continue;
        add_name_of_member(c, f, f->name, NULL);
        kinds = i->broken ? 0 : taken_by_field(f);
        for (size_t r = 0; kinds != 0 && r < c->rules->taken_count; r++) {
            const taken_name *rule = &c->rules->taken[r];
            if (rule->as == TAKEN_AS_MEMBER && rule->by & kinds) {
                const char *name = spell(c, &c->name, rule->pattern, "", f->name);
                check_member_name(c, d->decl, name, f->span, false);
                add_name_of_member(c, f, intern(c->k->names, name, c->name.size), member_noun(rule));
            }
        }
    }
}

/* ---- all of them */

void check_collisions(checker *k)
{
    if (!k->options->names)
        return;
    arena *scratch = arena_new(), *own = arena_new();
    collisions c = {
        .k = k,
        .rules = k->options->names,
        .scratch = scratch,
        .own = own,
        .decls = hash_table_new(scratch),
        .shared = hash_table_new(scratch),
    };
    for (size_t i = 0; i < c.rules->taken_count; i++) {
        const taken_name *rule = &c.rules->taken[i];
        c.field_kinds |= rule->as < TAKEN_AS_MEMBER && taken_has_member(rule) ? rule->by : 0;
    }
    list_decls(&c);
    add_globals(&c);
    for (const decl_info *d = k->decls; d; d = d->next) {
        check_struct(&c, d);
        check_locals(&c, d->decl);
        arena_clear(own);
    }
    arena_free(own);
    arena_free(scratch);
}
