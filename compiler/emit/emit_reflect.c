/* emit_reflect.c - --reflect: the description of each type as a constant, for runtime/pkt_reflect.h.
 * SPDX-License-Identifier: MIT
 *
 * Offsets and sizes are left to the C compiler (offsetof, sizeof), so that they are right for every target and for the
 * program's own types.
 */
#include "emit/emit_internal.h"

#include <assert.h>

static const char *kind_text(const type *t)
{
    switch (type_row_of(t)->sort) {
    case SORT_BOOL: return "PKT_KIND_BOOL";
    case SORT_INTEGER: return storage_is_signed(t->storage) ? "PKT_KIND_SIGNED" : "PKT_KIND_UNSIGNED";
    case SORT_FIXED: return "PKT_KIND_FIXED";
    case SORT_REAL: return "PKT_KIND_FLOAT";
    case SORT_ENUM: return "PKT_KIND_ENUM";
    case SORT_FLAGS: return "PKT_KIND_FLAGS";
    case SORT_QUAT: return "PKT_KIND_QUAT";
    case SORT_UNIT: return "PKT_KIND_UNIT";
    case SORT_STRING: return "PKT_KIND_STRING";
    case SORT_BYTES: return "PKT_KIND_BYTES";
    case SORT_REF: return "PKT_KIND_REF";
    case SORT_STRUCT: return "PKT_KIND_STRUCT";
    case SORT_UNION: return "PKT_KIND_UNION";
    case SORT_FOREIGN: break;
    }
    assert(false && "what is not on the wire is not described");
    return "";
}

static const char *shape_text(const field *f)
{
    switch (f->array) {
    case ARRAY_NONE: return "PKT_ONE";
    case ARRAY_FIXED: return "PKT_ARRAY";
    case ARRAY_COUNTED: return "PKT_COUNTED";
    case ARRAY_SPARSE: return "PKT_SPARSE";
    }
    assert(false && "every field is an array or is not");
    return "";
}

static const char *dims_text(const emitter *e, const field *f)
{
    const char *text = "";
    if (f->array == ARRAY_NONE)
        return "0";
    for (uint32_t d = 0; d < f->dim_count; d++)
        text = arena_printf(e->arena, "%s%s%u", text, d != 0 ? ", " : "", (unsigned)f->dims[d]);
    return text;
}

static const char *part_text(const emitter *e, const decl *d, const char *before, const char *name, const char *after)
{
    return arena_printf(e->arena, "PKT_PART(%s, %s%s%s)", spell_decl(e, d), before, name, after);
}

static const char *reflection_text(const emitter *e, const decl *d)
{
    return arena_printf(e->arena, "&%s_reflection", spell_decl(e, d));
}

/* A bound of an integer, as uint64_t. */
static const char *bound_text(const emitter *e, num n)
{
    return arena_printf(e->arena, n.negative ? "(uint64_t)%s" : "%s",
                        cname_integer(e->arena, n, n.negative ? STORAGE_I64 : STORAGE_U64));
}

static void emit_member(emitter *e, const decl *d, const field *f, unsigned bits, bool conditional)
{
    static const char none[] = "PKT_NO_PART";
    const type *t = &f->type;
    bool quantized = t->kind == TYPE_QUANTIZED, sized = t->kind == TYPE_STRING || t->kind == TYPE_BYTES;
    out_put(e->out,
            "{ \"$name\", $kind, $of, $shape, { $dims }, $conditional,\n"
            "  $value, $has, $count, $sizes,\n"
            "  $bits, $fraction, $low, $high, $real_low, $real_high, $step },\n",
            "name", f->name, "kind", kind_text(t), "of", t->decl != NULL ? reflection_text(e, t->decl) : "NULL",
            "shape", shape_text(f), "dims", dims_text(e, f), "conditional", conditional ? "true" : "false", "value",
            part_text(e, d, "", f->name, ""), "has", f->optional ? part_text(e, d, "has_", f->name, "") : none, "count",
            f->array == ARRAY_COUNTED  ? part_text(e, d, "", f->name, "_count")
            : f->array == ARRAY_SPARSE ? part_text(e, d, "", f->name, "_present")
                                       : none,
            "sizes", t->kind == TYPE_BYTES ? part_text(e, d, "", f->name, "_size") : none, "bits",
            spell_number(e, bits), "fraction", spell_number(e, t->kind == TYPE_FIXED ? t->fraction_bits : 0), "low",
            bound_text(e, t->low), "high", sized ? spell_number(e, t->length) : bound_text(e, t->high), "real_low",
            cname_real(e->arena, quantized ? t->real_low : 0.0, STORAGE_DOUBLE), "real_high",
            cname_real(e->arena, quantized ? t->real_high : 0.0, STORAGE_DOUBLE), "step",
            cname_real(e->arena, quantized ? t->real_step : 0.0, STORAGE_DOUBLE), NULL);
}

/* The op of an element of a field. */
static const op *element_of(const op *o)
{
    while (o->kind == OP_OPTIONAL || o->kind == OP_UNLESS || o->kind == OP_ARRAY || o->kind == OP_COUNTED ||
           o->kind == OP_SPARSE)
        o = o->body;
    return o;
}

/* Emits the fields of a list of ops and returns their number. If the emitter is NULL, only counts them. */
static uint32_t emit_fields(emitter *e, const decl *d, const op *o, bool conditional)
{
    uint32_t count = 0;
    for (; o != NULL; o = o->next) {
        if (o->field != NULL) {
            const op *element = element_of(o);
            count++;
            if (e != NULL)
                emit_member(e, d, o->field, op_is_leaf(element) ? element->bits : 0, conditional);
        }
        if (o->kind == OP_IF)
            count += emit_fields(e, d, o->body, true) + emit_fields(e, d, o->other, true);
        for (const op_arm *a = o->kind == OP_SWITCH ? o->arms : NULL; a != NULL; a = a->next)
            count += emit_fields(e, d, a->body, true);
    }
    return count;
}

static void emit_union_members(emitter *e, const decl *d)
{
    for (const member *m = d->members; m != NULL; m = m->next)
        out_put(e->out,
                "{ \"$name\", PKT_KIND_STRUCT, $of, PKT_ONE, { 0 }, false,\n"
                "  $value, PKT_NO_PART, PKT_NO_PART, PKT_NO_PART,\n"
                "  0, 0, 0, 0, 0.0, 0.0, 0.0 },\n",
                "name", m->name, "of", reflection_text(e, m->type), "value", part_text(e, d, "as.", m->name, ""), NULL);
}

static const char type_text[] =
    "const pkt_type ${name}_reflection = {\n"
    "    \"$plain\", $kind, sizeof($name), $least, $most, $members, $member_count, $names, $name_count, $tag\n"
    "};\n"
    "\n";

static void emit_type(emitter *e, const wire_type *t)
{
    const decl *d = t->decl;
    const char *name = spell_decl(e, d);
    bool is_union = d->kind == DECL_UNION;
    uint32_t count = is_union ? d->member_count : emit_fields(NULL, d, t->body, false);
    if (count != 0) {
        out_put(e->out, "static const pkt_member ${name}_reflection_members[] = {\n", "name", name, NULL);
        out_indent(e->out);
        if (is_union)
            emit_union_members(e, d);
        else
            emit_fields(e, d, t->body, false);
        out_dedent(e->out);
        out_put(e->out, "};\n\n", NULL);
    }
    out_put(e->out, type_text, "name", name, "plain", d->name, "kind", is_union ? "PKT_KIND_UNION" : "PKT_KIND_STRUCT",
            "least", cname_integer(e->arena, num_u64(t->least), STORAGE_U64), "most",
            cname_integer(e->arena, num_u64(t->most), STORAGE_U64), "members",
            count != 0 ? arena_printf(e->arena, "%s_reflection_members", name) : "NULL", "member_count",
            spell_number(e, count), "names", "NULL", "name_count", "0", "tag",
            is_union ? part_text(e, d, "", "tag", "") : "PKT_NO_PART", NULL);
}

static void emit_names(emitter *e, const decl *d)
{
    const char *name = spell_decl(e, d);
    out_put(e->out, "static const pkt_name ${name}_reflection_names[] = {\n", "name", name, NULL);
    out_indent(e->out);
    for (const member *m = d->members; m != NULL; m = m->next)
        out_put(e->out, "{ \"$name\", $value },\n", "name", m->name, "value", spell_member(e, d, m), NULL);
    out_dedent(e->out);
    out_put(e->out, "};\n\n", NULL);
    out_put(e->out, type_text, "name", name, "plain", d->name, "kind",
            d->kind == DECL_ENUM ? "PKT_KIND_ENUM" : "PKT_KIND_FLAGS", "least", "0", "most", "0", "members", "NULL",
            "member_count", "0", "names", arena_printf(e->arena, "%s_reflection_names", name), "name_count",
            spell_number(e, d->member_count), "tag", "PKT_NO_PART", NULL);
}

static bool is_described(const emitter *e, const decl *d)
{
    return d->file == e->file && d->kind != DECL_CONST;
}

void emit_reflection_header(emitter *e)
{
    out_put(e->out, "/* Descriptions of the types, for pkt_print and pkt_visit. */\n", NULL);
    for (const decl *d = e->schema->decls; d != NULL; d = d->next)
        if (is_described(e, d))
            out_put(e->out, "extern const pkt_type ${name}_reflection;\n", "name", spell_decl(e, d), NULL);
    out_put(e->out, "\n", NULL);
}

void emit_reflection_source(emitter *e)
{
    for (const decl *d = e->schema->decls; d != NULL; d = d->next)
        if (is_described(e, d) && (d->kind == DECL_ENUM || d->kind == DECL_FLAGS))
            emit_names(e, d);
    for (const wire_type *t = e->wire->types; t != NULL; t = t->next) {
        if (!is_described(e, t->decl))
            continue;
        emit_type(e, t);
        arena_clear(e->arena);
    }
}
