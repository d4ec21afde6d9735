/* tally_versions.c - finds the fields that several schemas have at one path, and whether their values count together.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/tally_internal.h"
#include "base/hash_table.h"
#include "codec/codec_scalar.h"

#include <string.h>

/* The field of one schema at a path. Texts are interned. */
struct field_version {
    const field *field;      /* NULL: the schema has none */
    const char *type;        /* the same where equal codes are equal values */
    const char *declaration; /* the same where one piece of advice holds for both */
};

/* ---- fields by their paths */

static const char *text_of_version(tally *t, const char *text)
{
    return intern(t->names, text, strlen(text));
}

static void note(tally *t, const void *owner, const char *name, const void *what)
{
    map_put(t->arena, t->declared, owner, name ? text_of_version(t, name) : NULL, (void *)(uintptr_t)what);
}

/* What a schema, struct or union has of a name; NULL if nothing. Its names have been noted. */
static const void *called(tally *t, const void *owner, const char *name, size_t size)
{
    return map_get(t->declared, owner, intern(t->names, name, size));
}

/* Once. What is noted without a name says that it was done. */
static void note_declarations(tally *t, const schema *s)
{
    if (map_get(t->declared, s, NULL))
        return;
    for (const decl *d = s->decls; d; d = d->next)
        note(t, s, d->name, d);
    note(t, s, NULL, s);
}

static void note_parts(tally *t, const decl *d)
{
    if (map_get(t->declared, d, NULL))
        return;
    for (const field *f = d->fields; f; f = f->next)
        note(t, d, f->name, f);
    for (const member *m = d->kind == DECL_UNION ? d->members : NULL; m; m = m->next)
        note(t, d, m->name, m->type);
    note(t, d, NULL, d);
}

/* The bytes of subscripts: "[]" for each. */
static size_t subscripts_size(const char *at)
{
    size_t size = 0;
    while (strncmp(at + size, "[]", 2) == 0)
        size += 2;
    return size;
}

/* The field of a schema that has a path: State.cubes[].x; NULL if there is none. */
static const field *field_at(tally *t, size_t schema_number, const char *at)
{
    size_t size = strcspn(at, ".");
    note_declarations(t, t->schemas[schema_number]);
    const decl *in = called(t, t->schemas[schema_number], at, size);
    const field *found = NULL;
    while (in && at[size] == '.') {
        at += size + 1;
        size = strcspn(at, ".");
        const size_t name = strcspn(at, ".[");
        note_parts(t, in);
        if (in->kind == DECL_UNION) {
            found = NULL;
            in = called(t, in, at, name);
        } else {
            found = called(t, in, at, name);
            in = found ? found->type.decl : NULL;
        }
        if (name + subscripts_size(at + name) != size)
            return NULL;
    }
    return at[size] == '\0' ? found : NULL;
}

/* The text of an enum has all its members, so it is made once. */
static const char *text_of_type(tally *t, const type *of)
{
    const bool is_long = of->kind == TYPE_ENUM || of->kind == TYPE_FLAGS;
    const char *text = is_long ? map_get(t->type_texts, of->decl, NULL) : NULL;
    if (text)
        return text;
    text = text_of_version(t, schema_type_projection(t->arena, of));
    if (is_long)
        map_put(t->arena, t->type_texts, of->decl, NULL, (void *)(uintptr_t)text);
    return text;
}

static struct field_version field_version_of(tally *t, const field_tally *f, const field *of)
{
    const char *codes = text_of_type(t, &of->type);
    /* The address of an interned text stands for it. */
    const char *declaration =
        text_of_version(t, arena_printf(t->arena, "%d %d %p %s", of->owner->delta, (int)of->type.kind,
                                        (const void *)codes, schema_field_projection(t->arena, of)));
    /* What is counted of an array as a whole depends on how it is sent. */
    const bool whole = of->array != ARRAY_NONE && f->path[strlen(f->path) - 1] != ']';
    return (struct field_version){of, whole ? declaration : codes, declaration};
}

static const struct field_version *versions_at(tally *t, field_tally *f)
{
    if (f->versions)
        return f->versions;
    struct field_version *all = ARENA_ARRAY(t->arena, struct field_version, t->schema_count);
    for (size_t i = 0; i < t->schema_count; i++) {
        const field *of = field_at(t, i, f->path);
        if (of)
            all[i] = field_version_of(t, f, of);
    }
    f->versions = all;
    return all;
}

const field *tally_field_at(tally *t, field_tally *f, size_t number)
{
    return versions_at(t, f)[number].field;
}

/* ---- claims */

void tally_differ(field_tally *f, bool same_type)
{
    f->differs = true;
    if (same_type)
        return;
    *f = (field_tally){.next = f->next,
                       .order = f->order,
                       .path = f->path,
                       .top = f->top,
                       .versions = f->versions,
                       .differs = true,
                       .numbers = f->numbers,
                       .items = f->items,
                       .bits = f->bits,
                       .least = UINT64_MAX};
}

bool tally_claim(tally *t, field_tally *f, size_t number)
{
    if (f->field && f->schema == number)
        return true;
    if (!f->field && f->differs)
        return false;
    const struct field_version *all = versions_at(t, f), *one = &all[number], *other = &all[f->schema];
    if (f->field && one->declaration != other->declaration)
        tally_differ(f, one->type == other->type);
    if (f->differs && !f->field)
        return false;
    /* The least number, so that a sum is the same in any order. */
    if (!f->field || number < f->schema) {
        f->field = one->field;
        f->schema = number;
    }
    return true;
}

uint64_t tally_usual(tally *t, field_tally *f)
{
    const struct field_version *all = versions_at(t, f);
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < t->schema_count; i++) {
        if (all[i].type != all[f->schema].type)
            continue;
        const datum base = bases_datum(t->bases, all[i].field);
        uint64_t code = base.number;
        if (all[i].field->type.kind != TYPE_COMPACT && scalar_code(&all[i].field->type, &base, &code) != PKT_OK)
            code = 0;
        least = code < least ? code : least;
    }
    return least;
}
