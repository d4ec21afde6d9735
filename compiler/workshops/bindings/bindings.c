/* bindings.c - lists the types and functions that other languages have: see bindings.h.
 * SPDX-License-Identifier: MIT
 */
#include "bindings/bindings_internal.h"
#include "model/type_table.h"
#include "pkt.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* ---- types */

static bind_type *add_bind_type(listing *k, bind_form form, const char *name, const char *c_name, const decl *d)
{
    bind_type *t = ARENA_NEW(k->arena, bind_type);
    *t = (bind_type){.form = form, .name = name, .c_name = c_name, .decl = d};
    *k->last_type = t;
    k->last_type = &t->next;
    k->last_member = &t->members;
    return t;
}

const bind_type *bind_type_named(const listing *k, const char *name)
{
    const bind_type *t = k->b->types;
    while (t && strcmp(t->name, name) != 0)
        t = t->next;
    assert(t && "a type comes after those that it contains");
    return t;
}

static bind_member *add_member(listing *k, const char *name, bind_kind kind)
{
    bind_member *m = ARENA_NEW(k->arena, bind_member);
    *m = (bind_member){.name = name, .kind = kind, .length = 1};
    *k->last_member = m;
    k->last_member = &m->next;
    return m;
}

static void add_dim(bind_member *m, uint64_t dim)
{
    m->dims[m->dim_count++] = (uint32_t)dim;
    m->length *= dim;
}

static bind_member *add_scalar_member(listing *k, const char *name, storage s)
{
    bind_member *m = add_member(k, name, BIND_SCALAR);
    m->storage = s;
    if (!storage_is_real(s))
        storage_range(s, &m->low, &m->high);
    return m;
}

/* From 0 to `high`, such as a count. */
static bind_member *add_counting_member(listing *k, const char *name, uint64_t high)
{
    bind_member *m = add_scalar_member(k, name, storage_for(high));
    m->high = num_u64(high);
    return m;
}

static void add_typed(listing *k, const char *name, bind_kind kind, const bind_type *of)
{
    add_member(k, name, kind)->type = of;
}

/* What a value of a field is, or an element of an array. False: a type of C that is no pointer. */
static bool set_kind(const listing *k, bind_member *m, const type *t)
{
    m->storage = t->storage;
    m->low = t->low;
    m->high = t->high;
    if (t->clamps)
        storage_range(t->storage, &m->low, &m->high);
    switch (type_row_of(t)->sort) {
    case SORT_ENUM:
    case SORT_FLAGS: m->of = t->decl; return true;
    case SORT_BOOL:
    case SORT_INTEGER:
    case SORT_FIXED:
    case SORT_REAL: return true;
    case SORT_QUAT:
    case SORT_UNIT:
        m->kind = BIND_TYPE;
        m->type = bind_type_named(k, t->kind == TYPE_QUAT ? "pkt_quat" : "pkt_vec3");
        return true;
    case SORT_STRING: m->kind = BIND_TEXT; return true;
    case SORT_BYTES: m->kind = BIND_BYTES; return true;
    case SORT_STRUCT:
    case SORT_UNION:
        m->kind = BIND_TYPE;
        m->type = bind_type_named(k, t->decl->name);
        return true;
    case SORT_REF:
        m->kind = BIND_POINTER;
        m->of = t->decl;
        return true;
    case SORT_FOREIGN: break;
    }
    m->kind = BIND_POINTER;
    return t->c_type[strlen(t->c_type) - 1] == '*';
}

/* The members of a field, in the order of emit_struct_field. */
static void add_field(listing *k, const field *f)
{
    arena *a = k->arena;
    if (f->optional)
        add_scalar_member(k, arena_printf(a, "has_%s", f->name), STORAGE_BOOL);
    bind_member *m = add_member(k, f->name, BIND_SCALAR);
    m->doc = f->doc;
    for (uint32_t i = 0; f->array != ARRAY_NONE && i < f->dim_count; i++)
        add_dim(m, f->dims[i]);
    const bind_member counts = *m;
    if (!set_kind(k, m, &f->type)) {
        diag_error(k->diag, f->span, "'%s' has the C type '%s', which another language cannot declare", f->name,
                   f->type.c_type);
        k->failed = true;
    }
    if (m->kind == BIND_TEXT || m->kind == BIND_BYTES)
        add_dim(m, (uint64_t)f->type.length + (m->kind == BIND_TEXT));
    if (f->array == ARRAY_COUNTED)
        add_counting_member(k, arena_printf(a, "%s_count", f->name), f->dims[0]);
    if (f->array == ARRAY_SPARSE)
        add_dim(add_scalar_member(k, arena_printf(a, "%s_present", f->name), STORAGE_U64),
                ((uint64_t)f->dims[0] + 63) / 64);
    if (m->kind == BIND_BYTES) {
        bind_member *size = add_counting_member(k, arena_printf(a, "%s_size", f->name), f->type.length);
        for (unsigned i = 0; i < counts.dim_count; i++)
            add_dim(size, counts.dims[i]);
    }
}

static void list_type(listing *k, const decl *d)
{
    const char *c_name = arena_printf(k->arena, "%s%s", d->file->prefix, d->name);
    if (d->kind == DECL_STRUCT) {
        add_bind_type(k, BIND_STRUCT, d->name, c_name, d);
        for (const field *f = d->fields; f; f = f->next)
            add_field(k, f);
        if (!d->fields)
            add_scalar_member(k, "unused_", STORAGE_U8);
    } else if (d->kind == DECL_UNION) {
        add_bind_type(k, BIND_UNION, d->name, c_name, d);
        add_counting_member(k, "tag", d->member_count - 1)->of = d;
        for (const member *m = d->members; m; m = m->next)
            add_typed(k, m->name, BIND_TYPE, bind_type_named(k, m->type->name));
    }
}

/* The types of the runtime that functions take, and values have. pkt.h has the last two if a schema needs them. */
static const struct {
    const char *name, *members;
    bool mixes, parts;
} runtime_types[] = {
    {"pkt_error", "code code, u64 bit, text field", false, false},
    {"pkt_quat", "float x, float y, float z, float w", false, false},
    {"pkt_vec3", "float x, float y, float z", false, false},
    {"pkt_element", "u32 number, float priority, u32 slot", false, false},
    {"pkt_fit_report", "u32 kept, u32 left_out, u32 invalid, u32 absent, u32 cut, pkt_error error", false, false},
    {"pkt_deviation", "double amount, double tolerance, text field", true, false},
    {"pkt_part_names", "bool based, bool moves, u64 number, u64 base, u64 before, u32 back, u32 gap", false, true},
};

static void list_runtime_type(listing *k, const char *name, const char *members)
{
    add_bind_type(k, BIND_STRUCT, name, name, NULL);
    for (const char *at = members; *at;) {
        const size_t size = strcspn(at, " "), end = size + 1 + strcspn(at + size + 1, ",");
        const char *word = arena_text(k->arena, at, size);
        bind_member *m = add_member(k, arena_text(k->arena, at + size + 1, end - size - 1), BIND_SCALAR);
        m->is_code = strcmp(word, "code") == 0;
        m->storage = m->is_code ? STORAGE_I32 : STORAGE_NONE;
        for (storage each = STORAGE_BOOL; each <= STORAGE_DOUBLE; each++)
            if (strcmp(word, storage_word(each)) == 0)
                m->storage = each;
        if (strcmp(word, "text") == 0) {
            m->kind = BIND_TEXT;
            add_dim(m, PKT_FIELD_SIZE);
        } else if (m->storage == STORAGE_NONE) {
            m->kind = BIND_TYPE;
            m->type = bind_type_named(k, word);
        } else if (!storage_is_real(m->storage)) {
            storage_range(m->storage, &m->low, &m->high);
        }
        at += end + strspn(at + end, ", ");
    }
}

static void list_runtime_types(listing *k)
{
    bool mixes = false, parts = false;
    for (const decl *d = k->b->schema->decls; d; d = d->next) {
        mixes |= d->mixes;
        parts |= d->parts != 0;
    }
    for (size_t i = 0; i < sizeof runtime_types / sizeof *runtime_types; i++)
        if ((mixes || !runtime_types[i].mixes) && (parts || !runtime_types[i].parts))
            list_runtime_type(k, runtime_types[i].name, runtime_types[i].members);
}

/* ---- types that packets with parts and predictions have */

static bind_type *add_type_of(listing *k, bind_form form, const decl *d, const char *ending)
{
    const char *name = arena_printf(k->arena, "%s_%s", d->name, ending);
    return add_bind_type(k, form, name, arena_printf(k->arena, "%s%s", d->file->prefix, name), NULL);
}

static void list_part_types(listing *k, const decl *d, const field *f)
{
    add_type_of(k, BIND_OPAQUE, d, arena_printf(k->arena, "%s_ring", f->name));
    add_type_of(k, BIND_STRUCT, d, arena_printf(k->arena, "%s_baseline", f->name));
    add_typed(k, "value", BIND_POINTER, bind_type_named(k, f->type.decl->name));
    add_scalar_member(k, "number", STORAGE_U64);
    add_scalar_member(k, "hash", STORAGE_U64);
}

static void list_parts_types(listing *k, const decl *d)
{
    for (const field *f = d->fields; f; f = f->next)
        if (f->part)
            list_part_types(k, d, f);
    add_type_of(k, BIND_STRUCT, d, "baselines");
    for (const field *f = d->fields; f; f = f->next) {
        if (!f->part)
            continue;
        const bind_type *baseline = bind_type_named(k, arena_printf(k->arena, "%s_%s_baseline", d->name, f->name));
        add_typed(k, f->name, BIND_TYPE, baseline);
        if (f->type.decl->predicts)
            add_typed(k, arena_printf(k->arena, "%s_before", f->name), BIND_TYPE, baseline);
        if (f->part->starts)
            add_typed(k, arena_printf(k->arena, "%s_start", f->name), BIND_TYPE, baseline);
    }
    add_type_of(k, BIND_STRUCT, d, "names");
    for (const field *f = d->fields; f; f = f->next)
        if (f->part)
            add_typed(k, f->name, BIND_TYPE, bind_type_named(k, "pkt_part_names"));
    add_type_of(k, BIND_OPAQUE, d, "receiver");
}

/* ---- constants */

static bind_constant *add_constant(listing *k, const char *name, num number)
{
    bind_constant *c = ARENA_NEW(k->arena, bind_constant);
    *c = (bind_constant){.name = name, .number = number};
    *k->last_constant = c;
    k->last_constant = &c->next;
    return c;
}

static void add_limit(listing *k, const decl *d, const char *what, uint64_t number)
{
    add_constant(k, arena_printf(k->arena, "%s_%s", d->name, what), num_u64(number));
}

static void list_limits(listing *k, const wire_type *t)
{
    const decl *d = t->decl;
    uint64_t first = 0;
    add_limit(k, d, "MAX_BITS", t->most);
    if (d->packet)
        add_limit(k, d, "MAX_BYTES", bytes_of_bits(t->most_framed));
    if (d->delta && d->parts == 0)
        add_limit(k, d, "DELTA_MAX_BITS", t->delta_most);
    if (d->delta && d->packet && d->parts == 0)
        add_limit(k, d, "DELTA_MAX_BYTES", bytes_of_bits(t->delta_most_framed));
    for (const field *f = d->parts == 0 ? d->fields : NULL; f; f = f->next) {
        if (!f->fit)
            continue;
        add_limit(k, d, arena_printf(k->arena, "FIT_%s", f->name), first);
        first += f->dims[0];
    }
}

/* ---- all */

const bindings *bindings_of(arena *a, diag *d, const wire *w, bool releases)
{
    const schema *s = w->schema;
    bindings *b = ARENA_NEW(a, bindings);
    *b = (bindings){.arena = a, .schema = s, .name = s->root->name, .stem = s->root->stem, .releases = releases};
    listing k = {.arena = a,
                 .diag = d,
                 .wire = w,
                 .b = b,
                 .last_type = &b->types,
                 .last_function = &b->functions,
                 .last_constant = &b->constants};
    list_runtime_types(&k);
    for (const decl *each = s->decls; each; each = each->next) {
        list_type(&k, each);
        if (each->kind == DECL_STRUCT || each->kind == DECL_UNION) {
            if (each->parts != 0)
                list_parts_types(&k, each);
            if (each->predicts)
                add_type_of(&k, BIND_OPAQUE, each, "motion");
            list_limits(&k, wire_type_of(w, each));
            list_functions(&k, wire_type_of(w, each));
        } else if (each->kind == DECL_CONST) {
            bind_constant *c = add_constant(&k, each->name, each->value.number);
            c->decl = each;
            c->is_real = each->is_real;
            c->real = each->value.real;
        }
    }
    return k.failed ? NULL : b;
}
