/* emit_types.c - the declarations of NAME.h: constants, enums, flags, structs, unions.
 * SPDX-License-Identifier: MIT
 */
#include "emit/emit_internal.h"
#include "pkt.h"
#include "model/accuracy.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* A doc comment of the .pkt file. */
static void emit_doc(emitter *e, const char *doc)
{
    if (!doc)
        return;
    char *text = spell_comment(e, doc);
    if (!strchr(text, '\n')) {
        out_put(e->out, "/** $text */\n", "text", text, NULL);
        return;
    }
    out_put(e->out, "/**\n", NULL);
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        out_put(e->out, line[0] != 0 ? " * $line\n" : " *\n", "line", line, NULL);
    }
    out_put(e->out, " */\n", NULL);
}

static void emit_constant(emitter *e, const decl *d)
{
    const value *v = &d->value;
    const char *text;
    emit_doc(e, d->doc);
    if (d->is_real)
        text = cname_real(e->arena, v->real, STORAGE_DOUBLE);
    else if (num_fits_i64(v->number) && num_compare(v->number, num_i64(INT32_MIN)) >= 0 &&
             num_compare(v->number, num_i64(INT32_MAX)) <= 0)
        text = cname_integer(e->arena, v->number, STORAGE_I32);
    else
        text = cname_integer(e->arena, v->number, num_fits_i64(v->number) ? STORAGE_I64 : STORAGE_U64);
    out_put(e->out, text[0] == '-' ? "#define $name ($text)\n" : "#define $name $text\n", "name", spell_constant(e, d),
            "text", text, NULL);
}

/* The value of a member, as a literal of a type that holds it. */
static const char *member_value(const emitter *e, const decl *d, const member *m, uint64_t index)
{
    if (d->kind == DECL_UNION)
        return spell_number(e, index);
    return m->value.magnitude <= INT32_MAX ? spell_number(e, m->value.magnitude)
                                           : cname_integer(e->arena, m->value, STORAGE_U64);
}

static void emit_enumerators(emitter *e, const decl *d)
{
    uint64_t index = 0;
    out_indent(e->out);
    for (const member *m = d->members; m; m = m->next) {
        emit_doc(e, m->doc);
        out_put(e->out, m->next ? "$name = $value,\n" : "$name = $value\n", "name", spell_member(e, d, m), "value",
                member_value(e, d, m, index++), NULL);
    }
    out_dedent(e->out);
}

/* The marks before a declaration that is @deprecated. */
static const char *mark(bool deprecated)
{
    return deprecated ? "PKT_DEPRECATED " : "";
}

/* Enumerators over INT_MAX are macros in C99, which does not have them. */
static void emit_member_macros(emitter *e, const decl *d, const char *name)
{
    for (const member *m = d->members; m; m = m->next)
        out_put(e->out, "#define $member (($name)$value)\n", "member", spell_member(e, d, m), "name", name, "value",
                cname_integer(e->arena, m->value, STORAGE_U64), NULL);
}

/* An enumeration with its storage: an enum, or the tags of a union. */
static void emit_enumeration(emitter *e, const decl *d, const char *name, storage st)
{
    const char *c_type = cname_storage(st);
    bool small = true;
    for (const member *m = d->members; m; m = m->next)
        if (m->value.magnitude > INT32_MAX && d->kind != DECL_UNION)
            small = false;
    bool deprecated = d->deprecated && d->kind == DECL_ENUM; /* the tags of a union are not deprecated themselves */
    if (!small)
        out_put(e->out, "#ifdef PKT_TYPED_ENUMS\n", NULL);
    out_put(e->out,
            deprecated ? "PKT_DEPRECATED_ENUMERATION($name, $storage) {\n" : "PKT_ENUMERATION($name, $storage) {\n",
            "name", name, "storage", c_type, NULL);
    emit_enumerators(e, d);
    out_put(e->out, "};\n", NULL);
    if (small)
        return;
    out_put(e->out, "#else\n${mark}typedef $storage $name;\n", "mark", mark(d->deprecated), "storage", c_type, "name",
            name, NULL);
    emit_member_macros(e, d, name);
    out_put(e->out, "#endif\n", NULL);
}

/* A set of flags is a number, because programs combine flags with | and &. The flags are constants of an enum if an
 * int holds them all, otherwise macros. */
static void emit_flags(emitter *e, const decl *d, const char *name)
{
    bool small = true;
    uint64_t index = 0;
    out_put(e->out, "${mark}typedef $storage $name;\n", "mark", mark(d->deprecated), "storage",
            cname_storage(d->type.storage), "name", name, NULL);
    for (const member *m = d->members; m; m = m->next)
        if (m->value.magnitude > INT32_MAX)
            small = false;
    if (small) {
        out_put(e->out, "enum {\n", NULL);
        out_indent(e->out);
    }
    for (const member *m = d->members; m; m = m->next, index++) {
        const char *text = small ? arena_printf(e->arena, "1 << %" PRIu64, index)
                                 : arena_printf(e->arena, "((%s)1 << %" PRIu64 ")", name, index);
        emit_doc(e, m->doc);
        out_put(e->out, small ? (m->next ? "$name = $text,\n" : "$name = $text\n") : "#define $name $text\n", "name",
                spell_member(e, d, m), "text", text, NULL);
    }
    if (small) {
        out_dedent(e->out);
        out_put(e->out, "};\n", NULL);
    }
}

/* E_valid: whether a value is a member. */
static void emit_valid(emitter *e, const decl *d, const char *name)
{
    const char *condition = "true";
    uint64_t low = UINT64_MAX, high = 0, mask = 0;
    for (const member *m = d->members; m; m = m->next) {
        uint64_t v = m->value.magnitude;
        if (v < low)
            low = v;
        if (v > high)
            high = v;
        if (v < 64)
            mask |= UINT64_C(1) << v;
    }
    out_put(e->out, "/* Whether a value is a member. */\nPKT_INLINE bool ${name}_valid($name v_)\n{\n", "name", name,
            NULL);
    out_indent(e->out);
    if (high - low == (uint64_t)d->member_count - 1) {
        const char *least =
            low == 0 ? "" : arena_printf(e->arena, "v_ >= %s", cname_integer(e->arena, num_u64(low), d->type.storage));
        const char *most =
            storage_bits(d->type.storage) == bit_length(high) && high == UINT64_MAX >> (64 - bit_length(high))
                ? ""
                : arena_printf(e->arena, "v_ <= %s", cname_integer(e->arena, num_u64(high), d->type.storage));
        if (low == high)
            condition = arena_printf(e->arena, "v_ == %s", cname_integer(e->arena, num_u64(low), d->type.storage));
        else if (least[0] != 0 || most[0] != 0)
            condition = arena_printf(e->arena, "%s%s%s", least, least[0] != 0 && most[0] != 0 ? " && " : "", most);
        else
            out_put(e->out, "(void)v_;\n", NULL);
    } else if (high < 64) {
        condition = arena_printf(e->arena, "v_ < 64 && (UINT64_C(0x%" PRIx64 ") >> v_ & 1) != 0", mask);
    } else {
        out_put(e->out, "switch (v_) {\n", NULL);
        for (const member *m = d->members; m; m = m->next)
            out_put(e->out, "case $name:\n", "name", spell_member(e, d, m), NULL);
        out_put(e->out, "    return true;\ndefault:\n    return false;\n}\n", NULL);
        condition = NULL;
    }
    if (condition)
        out_put(e->out, "return $condition;\n", "condition", condition, NULL);
    out_close(e->out);
}

static void emit_enum(emitter *e, const decl *d)
{
    const char *name = spell_decl(e, d);
    emit_doc(e, d->doc);
    if (d->kind == DECL_FLAGS) {
        emit_flags(e, d, name);
    } else {
        emit_enumeration(e, d, name, d->type.storage);
        emit_valid(e, d, name);
        if (!is_only_read(e))
            out_put(
                e->out,
                "/* The name of a member, \"?\" for any other value. */\nPKT_API const char *${name}_name($name v_);\n",
                "name", name, NULL);
    }
    out_put(e->out, "\n", NULL);
}

void emit_enum_functions(emitter *e, const decl *d)
{
    if (d->kind != DECL_ENUM)
        return;
    out_put(e->out, "const char *${name}_name($name v_)\n{\n    switch (v_) {\n", "name", spell_decl(e, d), NULL);
    for (const member *m = d->members; m; m = m->next)
        out_put(e->out, "    case $constant: return \"$name\";\n", "constant", spell_member(e, d, m), "name", m->name,
                NULL);
    out_put(e->out, "    default: return \"?\";\n    }\n}\n\n", NULL);
}

/* ---- structs */

/* A real number as a person writes it, without a suffix. */
static const char *plain_real(const emitter *e, double real, const type *t)
{
    char *text = arena_printf(e->arena, "%s", cname_real(e->arena, real, t->storage));
    size_t size = strlen(text);
    if (t->storage == STORAGE_FLOAT)
        text[--size] = 0;
    if (size > 2 && strcmp(text + size - 2, ".0") == 0)
        text[size - 2] = 0;
    return text;
}

/* The comment after a member: its range, and when it is sent. */
static const char *describe(const emitter *e, const field *f)
{
    const type *t = &f->type;
    const char *more = f->local ? "local: never sent" : "", *clamped = t->clamps ? ", clamped" : "";
    switch (t->kind) {
    case TYPE_INT:
        more = arena_printf(e->arena, "%s to %s%s", num_text(e->arena, t->low), num_text(e->arena, t->high), clamped);
        break;
    case TYPE_FIXED:
        more = arena_printf(e->arena, "%s to %s, in units of 1/2^%u%s", num_text(e->arena, t->low),
                            num_text(e->arena, t->high), t->fraction_bits, clamped);
        break;
    case TYPE_QUANTIZED:
        more = arena_printf(e->arena, "%s to %s, resolution %s, at most %s off", plain_real(e, t->real_low, t),
                            plain_real(e, t->real_high, t), plain_real(e, t->real_step, t),
                            quantized_error_text(e->arena, t));
        break;
    case TYPE_OR_RAW:
        more = arena_printf(e->arena, "%s to %s, resolution %s, or raw: exact", plain_real(e, t->real_low, t),
                            plain_real(e, t->real_high, t), plain_real(e, t->real_step, t));
        break;
    case TYPE_QUAT:
        more = arena_printf(e->arena, "unit quaternion, at most %.3g degrees off", quat_error(t->bits));
        break;
    case TYPE_UNIT: more = arena_printf(e->arena, "unit vector, at most %.3g degrees off", unit_error(t->bits)); break;
    case TYPE_COMPACT: more = "small values take fewer bits"; break;
    case TYPE_BITS:
    case TYPE_FLOAT:
        if (f->after)
            more = arena_printf(e->arena, "greater than %s", f->after->name);
        else if (!t->low.negative && t->bits != storage_bits(t->storage))
            more = arena_printf(e->arena, "%u bits%s", t->bits, clamped);
        break;
    case TYPE_REF: more = arena_printf(e->arena, "id 1 to %s, or NULL", num_text(e->arena, t->high)); break;
    case TYPE_STRING: more = arena_printf(e->arena, "UTF-8, at most %u bytes", (unsigned)t->length); break;
    case TYPE_BOOL:
    case TYPE_ENUM:
    case TYPE_FLAGS:
    case TYPE_BYTES:
    case TYPE_STRUCT:
    case TYPE_UNION:
    case TYPE_FOREIGN: break;
    }
    if (f->array == ARRAY_COUNTED && f->count_low != 0)
        more = arena_printf(e->arena, "%s%sat least %u element%s", more, more[0] != 0 ? "; " : "",
                            (unsigned)f->count_low, f->count_low == 1 ? "" : "s");
    if (f->array == ARRAY_COMPUTED)
        more = arena_printf(e->arena, "%s%s%s_%s_count() in use", more, more[0] != 0 ? "; " : "",
                            spell_decl(e, f->owner), f->name);
    if (f->array == ARRAY_SPARSE && f->limit < f->dims[0])
        more = arena_printf(e->arena, "%s%sat most %u present", more, more[0] != 0 ? "; " : "", (unsigned)f->limit);
    if (f->has_unless)
        more = arena_printf(e->arena, "%s%somitted when %s", more, more[0] != 0 ? "; " : "",
                            spell_value(e, t, &f->unless));
    return more;
}

static void emit_struct_field(emitter *e, const field *f)
{
    const type *t = &f->type;
    const char *dims = "", *comment = describe(e, f), *c_type = spell_type(e, t), *before = mark(f->deprecated);
    const char *space = c_type[strlen(c_type) - 1] == '*' ? "" : " ";
    emit_doc(e, f->doc);
    if (f->optional)
        out_put(e->out, "${before}bool has_$name;\n", "before", before, "name", f->name, NULL);
    if (f->array != ARRAY_NONE)
        for (uint32_t d = 0; d < f->dim_count; d++)
            dims = arena_printf(e->arena, "%s[%u]", dims, (unsigned)f->dims[d]);
    const char *counts = dims;
    if (t->kind == TYPE_BYTES)
        dims = arena_printf(e->arena, "%s[%u]", dims, (unsigned)t->length);
    if (t->kind == TYPE_STRING)
        dims = arena_printf(e->arena, "%s[%u]", dims, (unsigned)t->length + 1);
    out_put(e->out,
            comment[0] != 0 ? "$before$type$space$name$dims; /* $comment */\n" : "$before$type$space$name$dims;\n",
            "before", before, "type", c_type, "space", space, "name", f->name, "dims", dims, "comment", comment, NULL);
    if (f->array == ARRAY_COUNTED)
        out_put(e->out, "$before$type ${name}_count;\n", "before", before, "type",
                cname_storage(storage_for(f->dims[0])), "name", f->name, NULL);
    if (f->array == ARRAY_SPARSE)
        out_put(e->out, "${before}uint64_t ${name}_present[$words];\n", "before", before, "name", f->name, "words",
                spell_words(e, f->dims[0]), NULL);
    if (t->kind == TYPE_BYTES)
        out_put(e->out, "$before$type ${name}_size$dims;\n", "before", before, "type",
                cname_storage(storage_for(t->length)), "name", f->name, "dims", counts, NULL);
}

static void emit_union_type(emitter *e, const decl *d)
{
    const char *name = spell_decl(e, d);
    emit_enumeration(e, d, arena_printf(e->arena, "%s_tag", name), storage_for(d->member_count - 1));
    emit_doc(e, d->doc);
    out_put(e->out, "${mark}typedef struct $name {\n    ${name}_tag tag;\n    union {\n", "mark", mark(d->deprecated),
            "name", name, NULL);
    for (const member *m = d->members; m; m = m->next)
        out_put(e->out, "        $type $member;\n", "type", spell_decl(e, m->type), "member", m->name, NULL);
    out_put(e->out, "    } as;\n} $name;\n\n", "name", name, NULL);
}

/* A type of the program also gets its .pkt name, after which its functions are named. */
static void emit_binding(emitter *e, const decl *d)
{
    const char *name = spell_decl(e, d);
    if (strcmp(name, d->as_type) == 0)
        return;
    emit_doc(e, d->doc);
    out_put(e->out, "${mark}typedef $type $name; /* from $header */\n\n", "mark", mark(d->deprecated), "type",
            d->as_type, "name", name, "header", spell_comment(e, d->from_header), NULL);
}

static void emit_struct(emitter *e, const decl *d)
{
    const char *name = spell_decl(e, d);
    if (d->as_type) {
        emit_binding(e, d);
        return;
    }
    emit_doc(e, d->doc);
    out_put(e->out, "${mark}typedef struct $name {\n", "mark", mark(d->deprecated), "name", name, NULL);
    out_indent(e->out);
    for (const field *f = d->fields; f; f = f->next)
        emit_struct_field(e, f);
    if (!d->fields)
        out_put(e->out, "uint8_t unused_;\n", NULL);
    out_dedent(e->out);
    out_put(e->out, "} $name;\n\n", "name", name, NULL);
}

/* Whether an earlier field of the file is a ref to the same type; `last` is where to stop. */
static bool is_pointed_before(const emitter *e, const decl *target, const field *last)
{
    for (const decl *d = e->schema->decls; d; d = d->next)
        for (const field *f = d->file == e->file ? d->fields : NULL; f; f = f->next) {
            if (f == last)
                return false;
            if (f->type.kind == TYPE_REF && f->type.decl == target)
                return true;
        }
    assert(false && "the last field is one of the file");
    return false;
}

/* A number that tells the program's callbacks which type a ref points to: the CRC-32 of its C name. Each file that has
 * refs to a type defines it, always with the same value; those of a served release have the numbers of the types now. */
static void emit_ref_types(emitter *e)
{
    bool any = false;
    for (const decl *d = e->schema->decls; d; d = d->next) {
        for (const field *f = d->file == e->file && !is_served(e) ? d->fields : NULL; f; f = f->next) {
            const char *name;
            if (f->type.kind != TYPE_REF || is_pointed_before(e, f->type.decl, f))
                continue;
            if (!any)
                out_put(e->out, "/* The types that refs point to, for the callbacks of pkt_refs. */\n", NULL);
            any = true;
            name = spell_decl(e, f->type.decl);
            out_put(e->out, "#define $ref $value\n", "ref", spell_ref(e, f->type.decl), "value",
                    arena_printf(e->arena, "0x%08" PRIx32 "u", ref_number(name)), NULL);
        }
    }
    if (any)
        out_put(e->out, "\n", NULL);
}

void emit_declared(emitter *e, const decl *d)
{
    switch (d->kind) {
    case DECL_CONST:
    case DECL_ALIAS: break;
    case DECL_ENUM:
    case DECL_FLAGS: emit_enum(e, d); break;
    case DECL_STRUCT: emit_struct(e, d); break;
    case DECL_UNION: emit_union_type(e, d); break;
    }
}

void emit_types(emitter *e, const schema_file *file)
{
    bool constants = false;
    for (const decl *d = e->schema->decls; d; d = d->next) {
        if (d->file != file || d->kind != DECL_CONST)
            continue;
        emit_constant(e, d);
        constants = true;
    }
    if (constants)
        out_put(e->out, "\n", NULL);
    for (const decl *d = e->schema->decls; d; d = d->next) {
        if (d->file != file)
            continue;
        emit_declared(e, d);
        arena_clear(e->arena);
    }
    emit_ref_types(e);
}
