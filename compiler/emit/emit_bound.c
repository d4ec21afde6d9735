/* emit_bound.c - checks at compile time that a type of the program has the members that the schema says.
 * SPDX-License-Identifier: MIT
 */
#include "emit/emit_internal.h"

#include <assert.h>

/* How a member is compared with the type that the schema gives it. */
static const char *spell_check(const type *t)
{
    switch (type_row_of(t)->sort) {
    case SORT_BOOL: return "PKT_IS_KIND, PKT_HOLDS_BOOL";
    case SORT_INTEGER:
    case SORT_FIXED:
        return storage_is_signed(t->storage) ? "PKT_IS_KIND, PKT_HOLDS_SIGNED" : "PKT_IS_KIND, PKT_HOLDS_UNSIGNED";
    case SORT_FLAGS:
    case SORT_BYTES: return "PKT_IS_KIND, PKT_HOLDS_UNSIGNED";
    case SORT_ENUM: return "PKT_IS_KIND, PKT_HOLDS_ENUM";
    case SORT_REAL: return "PKT_IS_KIND, PKT_HOLDS_REAL";
    case SORT_STRING: return "PKT_IS_KIND, PKT_HOLDS_TEXT";
    case SORT_QUAT:
    case SORT_UNIT:
    case SORT_REF:
    case SORT_STRUCT:
    case SORT_UNION: return "PKT_IS_SAME, PKT_HOLDS_OTHER";
    case SORT_FOREIGN: break;
    }
    assert(false && "a C type is not on the wire");
    return "";
}

static void emit_check(emitter *e, const decl *d, const char *name, const char *check, const char *c_type)
{
    out_put(e->out, "PKT_BOUND($name, $member, $check, $type);\n", "name", spell_decl(e, d), "member", name, "check",
            check, "type", c_type, NULL);
}

/* last_dim: the size of elements that are arrays, such as strings; 0 for other elements. */
static void emit_array_check(emitter *e, const decl *d, const field *f, const char *name, const char *check,
                             const char *c_type, uint64_t last_dim)
{
    const uint32_t dims = (f->array != ARRAY_NONE ? f->dim_count : 0) + (last_dim != 0);
    uint64_t count = last_dim != 0 ? last_dim : 1;
    const char *row = name;
    for (uint32_t i = 0; f->array != ARRAY_NONE && i < f->dim_count; i++)
        count *= f->dims[i];
    for (uint32_t i = 1; i < dims; i++)
        row = arena_printf(e->arena, "%s[0]", row);
    if (dims == 0)
        emit_check(e, d, name, check, c_type);
    else
        out_put(e->out, "PKT_BOUND_ARRAY($name, $member, $row, $check, $type, $count);\n", "name", spell_decl(e, d),
                "member", name, "row", row, "check", check, "type", c_type, "count", spell_number(e, count), NULL);
}

void emit_binding_checks(emitter *e, const decl *d)
{
    if (!d->as_type)
        return;
    out_put(e->out, "/* $type, from $header, must have the members that the schema says. */\n", "type",
            spell_comment(e, d->as_type), "header", spell_comment(e, d->from_header), NULL);
    for (const field *f = d->fields; f; f = f->next) {
        const type *t = &f->type;
        const uint64_t length = t->kind == TYPE_BYTES    ? t->length
                                : t->kind == TYPE_STRING ? (uint64_t)t->length + 1
                                                         : 0;
        if (f->local)
            continue;
        if (f->optional)
            emit_check(e, d, arena_printf(e->arena, "has_%s", f->name), "PKT_IS_KIND, PKT_HOLDS_BOOL", "bool");
        emit_array_check(e, d, f, f->name, spell_check(t), spell_type(e, t), length);
        if (f->array == ARRAY_COUNTED)
            emit_check(e, d, arena_printf(e->arena, "%s_count", f->name), "PKT_IS_KIND, PKT_HOLDS_UNSIGNED",
                       cname_storage(storage_for(f->dims[0])));
        if (f->array == ARRAY_SPARSE)
            out_put(
                e->out,
                "PKT_BOUND_ARRAY($name, ${m}_present, ${m}_present, PKT_IS_KIND, PKT_HOLDS_UNSIGNED, uint64_t, $words);\n",
                "name", spell_decl(e, d), "m", f->name, "words", spell_words(e, f->dims[0]), NULL);
        if (t->kind == TYPE_BYTES)
            emit_array_check(e, d, f, arena_printf(e->arena, "%s_size", f->name), "PKT_IS_KIND, PKT_HOLDS_UNSIGNED",
                             cname_storage(storage_for(t->length)), 0);
    }
    out_put(e->out, "\n", NULL);
}
