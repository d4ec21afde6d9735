/* collisions.c - refuses names that would collide in the generated C, with each other or with what C has already.
 * SPDX-License-Identifier: MIT
 *
 * A type gets functions and macros called after it, an enum its constants, a sparse array its accessors. They are all entered
 * into one table under their C names. Members of structs have rooms of their own. What is listed here must agree with
 * what emission spells; all of it is reserved for every type, so that a type does not lose its name when it becomes @delta.
 */
#include "check/phases.h"
#include "check/resolve.h"
#include "emit/cname.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

typedef enum role {
    ROLE_TYPE,
    ROLE_FUNCTION,
    ROLE_MACRO,
    ROLE_MEMBER,
    ROLE_TAG,
    ROLE_CONSTANT,
    ROLE_DESCRIPTION,
    ROLE_ID
} role;

typedef struct global {
    role role;
    const decl *decl; /* NULL: of the protocol */
    span span;
} global;

typedef struct collisions {
    checker *k;
    arena *scratch; /* of the tables: there are a dozen and more names for each type */
    names *names;   /* the C names of the whole program, apart from those of the schema */
    map *globals;   /* (NULL, C name): global */
    map *members;   /* (struct, C name of a member): field */
    map *used;      /* (struct, name of a type that its fields use): anything */
    char *text;     /* the name being put together */
    size_t capacity;
} collisions;

/* The text of four parts joined, interned in a table. */
static const char *join_in(collisions *c, names *table, const char *a, const char *b, const char *d, const char *e)
{
    size_t size = strlen(a) + strlen(b) + strlen(d) + strlen(e);
    if (size >= c->capacity) {
        c->capacity = 2 * size + 64;
        c->text = arena_alloc(c->scratch, c->capacity);
    }
    snprintf(c->text, c->capacity, "%s%s%s%s", a, b, d, e);
    return intern(table, c->text, size);
}

static const char *join(collisions *c, const char *a, const char *b, const char *d, const char *e)
{
    return join_in(c, c->names, a, b, d, e);
}

/* What a field adds to the struct beside itself. */
static const char *join_member(collisions *c, const char *a, const char *b)
{
    return join_in(c, c->k->names, a, b, "", "");
}

/* ---- names of the whole program */

static const char *kind_text(const decl *d)
{
    switch (d->kind) {
    case DECL_CONST: return "constant";
    case DECL_ENUM: return "enum";
    case DECL_FLAGS: return "flags";
    case DECL_STRUCT: return d->packet ? "packet" : "struct";
    case DECL_UNION: return d->packet ? "packet union" : "union";
    }
    assert(false && "no such kind of declaration");
    return "";
}

static const char *global_text(checker *k, const global *g)
{
    const char *of = g->decl ? arena_printf(k->arena, "%s '%s'", kind_text(g->decl), g->decl->name) : "";
    switch (g->role) {
    case ROLE_TYPE:
    case ROLE_CONSTANT: return of;
    case ROLE_FUNCTION: return arena_printf(k->arena, "a function of %s", of);
    case ROLE_MACRO: return arena_printf(k->arena, "a macro of %s", of);
    case ROLE_MEMBER: return arena_printf(k->arena, "a member of %s", of);
    case ROLE_TAG: return arena_printf(k->arena, "the tag of %s", of);
    case ROLE_DESCRIPTION: return arena_printf(k->arena, "the description of %s", of);
    case ROLE_ID: return "the protocol id";
    }
    assert(false && "no such role");
    return "";
}

/* False after an error. */
static bool add_global(collisions *c, const char *name, role r, const decl *d, span at)
{
    checker *k = c->k;
    global *g = ARENA_NEW(c->scratch, global);
    *g = (global){r, d, at};
    const char *reserved = cname_reserved(name, false);
    const global *before = map_get(c->globals, NULL, name);
    if (reserved) {
        message *m = r == ROLE_TYPE && !*d->file->prefix
                         ? diag_error(k->diag, at, "'%s' cannot name a type in C: it is %s", name, reserved)
                         : diag_error(k->diag, at, "%s would be called '%s' in C, which is %s", global_text(k, g), name,
                                      reserved);
        if (d && d->file->root && k->schema->protocol && !*d->file->prefix) {
            diag_help(k->diag, m, "a prefix for all names would do as well: 'protocol %s = 1 prefix my_;'",
                      k->schema->protocol);
        }
        return false;
    }
    if (before) {
        message *m = diag_error(k->diag, at, "%s and %s would both be called '%s' in C", global_text(k, g),
                                global_text(k, before), name);
        diag_note(k->diag, m, before->span, "the latter is declared here");
        return false;
    }
    map_put(c->scratch, c->globals, NULL, name, g);
    return true;
}

typedef struct suffix {
    const char *text;
    role role;
} suffix;

static const suffix type_suffixes[] = {
    {"_MIN_BITS", ROLE_MACRO},
    {"_MAX_BITS", ROLE_MACRO},
    {"_DELTA_MAX_BITS", ROLE_MACRO},
    {"_init", ROLE_FUNCTION},
    {"_write", ROLE_FUNCTION},
    {"_read", ROLE_FUNCTION},
    {"_measure", ROLE_FUNCTION},
    {"_equal", ROLE_FUNCTION},
    {"_quantize", ROLE_FUNCTION},
    {"_serialize", ROLE_FUNCTION},
    {"_write_delta", ROLE_FUNCTION},
    {"_read_delta", ROLE_FUNCTION},
    {"_measure_delta", ROLE_FUNCTION},
    {"_base", ROLE_FUNCTION},
    {"_explain", ROLE_FUNCTION},
    {"_write_at", ROLE_FUNCTION},
    {"_read_at", ROLE_FUNCTION},
    {"_measure_at", ROLE_FUNCTION},
    {"_write_failed", ROLE_FUNCTION},
    {"_read_failed", ROLE_FUNCTION},
    {"_copy", ROLE_FUNCTION},
    {"_same", ROLE_FUNCTION},
    {"_sound", ROLE_FUNCTION},
    {"_delta", ROLE_FUNCTION},
    {"_delta_write", ROLE_FUNCTION},
    {"_delta_read", ROLE_FUNCTION},
    {"_delta_measure", ROLE_FUNCTION},
    {"_delta_explain", ROLE_FUNCTION},
    {"_delta_failed", ROLE_FUNCTION},
    {"_write_delta_failed", ROLE_FUNCTION},
    {"_read_delta_failed", ROLE_FUNCTION},
    {"_REF", ROLE_MACRO},
    {"_delta_write_body", ROLE_FUNCTION},
    {"_delta_read_body", ROLE_FUNCTION},
    {"_delta_write_blank", ROLE_FUNCTION},
    {"_delta_read_blank", ROLE_FUNCTION},
    {"_delta_measure_blank", ROLE_FUNCTION},
    {"_delta_explain_blank", ROLE_FUNCTION},
    {"_reflection", ROLE_DESCRIPTION},
    {"_reflection_members", ROLE_DESCRIPTION},
};

static const suffix packet_suffixes[] = {
    {"_MAX_BYTES", ROLE_MACRO},
    {"_pack", ROLE_FUNCTION},
    {"_unpack", ROLE_FUNCTION},
    {"_pack_delta", ROLE_FUNCTION},
    {"_unpack_delta", ROLE_FUNCTION},
    {"_pack_error", ROLE_FUNCTION},
    {"_unpack_error", ROLE_FUNCTION},
    {"_pack_failed", ROLE_FUNCTION},
    {"_unpack_failed", ROLE_FUNCTION},
    {"_pack_refs", ROLE_FUNCTION},
    {"_unpack_refs", ROLE_FUNCTION},
    {"_pack_delta_error", ROLE_FUNCTION},
    {"_unpack_delta_error", ROLE_FUNCTION},
    {"_pack_delta_refs", ROLE_FUNCTION},
    {"_unpack_delta_refs", ROLE_FUNCTION},
    {"_pack_delta_failed", ROLE_FUNCTION},
    {"_unpack_delta_failed", ROLE_FUNCTION},
    {"_pack_body", ROLE_FUNCTION},
    {"_unpack_body", ROLE_FUNCTION},
    {"_pack_body_error", ROLE_FUNCTION},
    {"_unpack_body_error", ROLE_FUNCTION},
    {"_pack_body_refs", ROLE_FUNCTION},
    {"_unpack_body_refs", ROLE_FUNCTION},
    {"_pack_body_failed", ROLE_FUNCTION},
    {"_unpack_body_failed", ROLE_FUNCTION},
    {"_pack_delta_body", ROLE_FUNCTION},
    {"_unpack_delta_body", ROLE_FUNCTION},
    {"_pack_delta_body_error", ROLE_FUNCTION},
    {"_unpack_delta_body_error", ROLE_FUNCTION},
    {"_pack_delta_body_refs", ROLE_FUNCTION},
    {"_unpack_delta_body_refs", ROLE_FUNCTION},
    {"_pack_delta_body_failed", ROLE_FUNCTION},
    {"_unpack_delta_body_failed", ROLE_FUNCTION},
    {"_DELTA_MAX_BYTES", ROLE_MACRO},
    {"_pack_with", ROLE_FUNCTION},
    {"_unpack_with", ROLE_FUNCTION},
    {"_pack_body_with", ROLE_FUNCTION},
    {"_unpack_body_with", ROLE_FUNCTION},
    {"_pack_delta_with", ROLE_FUNCTION},
    {"_unpack_delta_with", ROLE_FUNCTION},
    {"_pack_delta_body_with", ROLE_FUNCTION},
    {"_unpack_delta_body_with", ROLE_FUNCTION},
};

static const char *const sparse_suffixes[] = {"_set", "_clear", "_has", "_next", "_count"};

static bool add_suffixes(collisions *c, const decl *d, const suffix *suffixes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!add_global(c, join(c, d->file->prefix, d->name, suffixes[i].text, ""), suffixes[i].role, d, d->span)) {
            return false;
        }
    }
    return true;
}

/* What a struct or a union gets besides its type. */
static void add_type_names(collisions *c, const decl *d)
{
    const char *prefix = d->file->prefix;
    if (!add_suffixes(c, d, type_suffixes, sizeof type_suffixes / sizeof *type_suffixes)) {
        return;
    }
    if (d->packet && !add_suffixes(c, d, packet_suffixes, sizeof packet_suffixes / sizeof *packet_suffixes)) {
        return;
    }
    if (d->kind == DECL_UNION && add_global(c, join(c, prefix, d->name, "_tag", ""), ROLE_TAG, d, d->span)) {
        for (const member *m = d->members; m; m = m->next) {
            if (find_member(c->k, d, m->name) == m) {
                add_global(c, join(c, prefix, d->name, "_tag_", m->name), ROLE_TAG, d, m->span);
            }
        }
    }
    for (const field *f = d->fields; f; f = f->next) {
        bool sound = f->array == ARRAY_SPARSE;
        for (size_t i = 0; sound && i < sizeof sparse_suffixes / sizeof *sparse_suffixes; i++) {
            const char *name = join(c, prefix, d->name, "_", f->name);
            sound = add_global(c, join(c, name, sparse_suffixes[i], "", ""), ROLE_FUNCTION, d, f->span);
        }
    }
}

static void add_member_names(collisions *c, const decl *d)
{
    const char *prefix = d->file->prefix;
    if (d->kind == DECL_ENUM) {
        add_global(c, join(c, prefix, d->name, "_name", ""), ROLE_FUNCTION, d, d->span);
        add_global(c, join(c, prefix, d->name, "_valid", ""), ROLE_FUNCTION, d, d->span);
    }
    add_global(c, join(c, prefix, d->name, "_reflection", ""), ROLE_DESCRIPTION, d, d->span);
    add_global(c, join(c, prefix, d->name, "_reflection_names", ""), ROLE_DESCRIPTION, d, d->span);
    for (const member *m = d->members; m; m = m->next) {
        if (find_member(c->k, d, m->name) == m) {
            add_global(c, join(c, prefix, d->name, "_", m->name), ROLE_MEMBER, d, m->span);
        }
    }
}

/* Constants are macros, so they have a prefix always: the author's, or the name of the protocol or the imported file. */
static void add_constant(collisions *c, const decl *d)
{
    const schema *s = c->k->schema;
    const schema_file *file = d->file;
    const char *name = *file->prefix ? join(c, file->prefix, d->name, "", "")
                                     : join(c, file->root && s->protocol ? s->protocol : file->stem, "_", d->name, "");
    add_global(c, name, ROLE_CONSTANT, d, d->span);
}

static void add_decl(collisions *c, const decl *d)
{
    if (d->kind == DECL_CONST) {
        add_constant(c, d);
        return;
    }
    const char *name = join(c, d->file->prefix, d->name, "", "");
    if (!add_global(c, name, ROLE_TYPE, d, d->span)) {
        return;
    }
    switch (d->kind) {
    case DECL_ENUM:
    case DECL_FLAGS: add_member_names(c, d); return;
    case DECL_STRUCT:
    case DECL_UNION: add_type_names(c, d); return;
    case DECL_CONST: break;
    }
    assert(false && "a constant has been dealt with");
}

static void add_protocol(collisions *c)
{
    const schema *s = c->k->schema;
    if (!s->protocol) {
        return;
    }
    add_global(c, join(c, s->protocol, "_PROTOCOL_ID", "", ""), ROLE_ID, NULL, s->protocol_span);
    if (*s->root->prefix) {
        const char *name = join(c, s->root->prefix, "PROTOCOL_ID", "", "");
        if (!map_get(c->globals, NULL, name)) {
            add_global(c, name, ROLE_ID, NULL, s->protocol_span);
        }
    }
}

/* ---- members of structs */

static bool may_be_macro(role r)
{
    return r != ROLE_TYPE && r != ROLE_FUNCTION && r != ROLE_DESCRIPTION;
}

/* A name with which a struct's or a union's member cannot stand in C, whatever else is in it. */
static void check_member_name(collisions *c, const decl *owner, const char *name, span at)
{
    checker *k = c->k;
    const char *reserved = cname_reserved(name, true);
    size_t size = strlen(name);
    if (!reserved && size > 2 && strcmp(name + size - 2, "_t") == 0) {
        reserved = cname_reserved(name, false);
    }
    const global *g = map_get(c->globals, NULL, join(c, name, "", "", ""));
    if (reserved) {
        diag_error(k->diag, at, "'%s' cannot name a member in C: it is %s", name, reserved);
    } else if (g && may_be_macro(g->role)) {
        message *m = diag_error(k->diag, at, "'%s' cannot name a member in C: it is %s", name, global_text(k, g));
        diag_note(k->diag, m, g->span, "it is declared here");
    } else if (g && g->role == ROLE_TYPE && map_get(c->used, owner, g->decl->name)) {
        message *m =
            diag_error(k->diag, at,
                       "'%s' cannot be both a member and the type of a member: C++ would take one for the other", name);
        diag_note(k->diag, m, g->span, "the type is declared here");
    }
}

static void add_member(collisions *c, const field *f, const char *name, const char *what)
{
    checker *k = c->k;
    const field *before = map_get(c->members, f->owner, name);
    if (before) {
        message *m =
            what ? diag_error(k->diag, f->span, "the %s of '%s' would be called '%s' in C, and there is such a member",
                              what, f->name, name)
                 : diag_error(k->diag, f->span, "'%s' is what '%s' adds to the struct in C", name, before->name);
        diag_note(k->diag, m, before->span, "it is declared here");
        return;
    }
    map_put(c->scratch, c->members, f->owner, name, (void *)(uintptr_t)f);
}

static void check_struct(collisions *c, const decl_info *d)
{
    static char used;
    for (const field_info *i = d->fields; i; i = i->next) {
        if (i->field->type.decl) {
            map_put(c->scratch, c->used, d->decl, i->field->type.decl->name, &used);
        }
    }
    for (const field_info *i = d->fields; i; i = i->next) {
        const field *f = i->field;
        check_member_name(c, d->decl, f->name, f->span);
        if (find_field(c->k, d->decl, f->name) != i) {
            continue;
        }
        add_member(c, f, f->name, NULL);
        if (f->array == ARRAY_COUNTED) {
            add_member(c, f, join_member(c, f->name, "_count"), "count");
        }
        if (f->array == ARRAY_SPARSE) {
            add_member(c, f, join_member(c, f->name, "_present"), "presence");
        }
        if (f->optional) {
            add_member(c, f, join_member(c, "has_", f->name), "presence");
        }
        if (f->type.kind == TYPE_BYTES && !i->broken) {
            add_member(c, f, join_member(c, f->name, "_size"), "size");
        }
    }
}

/* ---- all of them */

void check_collisions(checker *k)
{
    arena *scratch = arena_new();
    collisions c = {
        .k = k,
        .scratch = scratch,
        .names = names_new(scratch),
        .globals = map_new(scratch),
        .members = map_new(scratch),
        .used = map_new(scratch),
    };
    add_protocol(&c);
    for (const decl_info *d = k->decls; d; d = d->next) {
        if (map_get(k->declarations, NULL, d->decl->name) == d) {
            add_decl(&c, d->decl);
        }
    }
    for (const decl_info *d = k->decls; d; d = d->next) {
        for (const member *m = d->decl->kind == DECL_UNION ? d->decl->members : NULL; m; m = m->next) {
            check_member_name(&c, d->decl, m->name, m->span);
        }
        check_struct(&c, d);
    }
    arena_free(scratch);
}
