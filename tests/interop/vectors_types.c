/* vectors_types.c - the part of a test program about each type: base values, comparisons, limits, generated functions.
 * SPDX-License-Identifier: MIT
 *
 * Base values and comparisons do not use generated functions. They are written out field by field from the schema, so
 * that init and read are tested, not trusted.
 */
#include "vectors_emit.h"
#include "emit/cname.h"
#include <assert.h>
#include <inttypes.h>

const char *place_text(emitter *e, place p, const char *suffix)
{
    return arena_printf(e->arena, "%s%s%s%s", p.owner, p.name, suffix, p.index);
}

const char *name_in_c(emitter *e, const decl *d)
{
    return arena_printf(e->arena, "%s%s", d->file->prefix, d->name);
}

const char *decimal_text(emitter *e, uint64_t n)
{
    return arena_printf(e->arena, "%" PRIu64, n);
}

bool is_single(const type *t)
{
    return t->storage == STORAGE_FLOAT;
}

const char *real_text(emitter *e, const type *t, double real)
{
    return arena_printf(e->arena, is_single(t) ? "%af" : "%a", real);
}

static bool is_zero(num n)
{
    return n.magnitude == 0;
}

/* The name of a field in messages. */
static const char *label(emitter *e, const field *f, const char *suffix)
{
    return arena_printf(e->arena, "%s.%s%s", f->owner->name, f->name, suffix);
}

/* ---- loops over the elements of a field */

/* Opens a loop for each dimension; with `count`, over that many elements of the first one. Returns the index
 * "[i0][i1]". */
static const char *open_loops(emitter *e, const field *f, const char *count)
{
    const char *index = "";
    for (uint32_t i = 0; f->array != ARRAY_NONE && i < f->dim_count; i++) {
        const char *name = arena_printf(e->arena, "i%" PRIu32, i);
        out_put(e->out, "for (size_t $i = 0; $i < $end; $i++) {\n", "i", name, "end",
                i == 0 && count ? count : decimal_text(e, f->dims[i]), NULL);
        out_indent(e->out);
        index = arena_printf(e->arena, "%s[%s]", index, name);
    }
    return index;
}

static void close_loops(emitter *e, const field *f)
{
    for (uint32_t i = 0; f->array != ARRAY_NONE && i < f->dim_count; i++) {
        out_dedent(e->out);
        out_put(e->out, "}\n", NULL);
    }
}

/* ---- base values */

static num base_number(const type *t)
{
    num zero = num_u64(0);
    bool zero_fits = num_compare(t->low, zero) <= 0 && num_compare(t->high, zero) >= 0;
    switch (t->kind) {
    case TYPE_ENUM:
        for (const member *m = t->decl->members; m; m = m->next)
            if (is_zero(m->value))
                return zero;
        return t->decl->members->value;
    case TYPE_INT:
    case TYPE_FIXED: return zero_fits ? zero : t->low;
    case TYPE_BOOL:
    case TYPE_BITS:
    case TYPE_FLAGS:
    case TYPE_COMPACT:
    case TYPE_REF:
    case TYPE_FLOAT:
    case TYPE_QUANTIZED:
    case TYPE_QUAT:
    case TYPE_UNIT:
    case TYPE_STRING:
    case TYPE_BYTES:
    case TYPE_STRUCT:
    case TYPE_UNION:
    case TYPE_FOREIGN: return zero;
    }
    assert(false && "a kind of type");
    return zero;
}

/* Whether the base value is not just zero bytes. */
static bool has_base(const field *f)
{
    switch (f->type.kind) {
    case TYPE_BOOL:
    case TYPE_BITS:
    case TYPE_INT:
    case TYPE_FIXED:
    case TYPE_ENUM:
    case TYPE_FLAGS:
    case TYPE_COMPACT: return !is_zero(f->has_unless ? f->unless.number : base_number(&f->type));
    case TYPE_FLOAT: return f->has_unless;
    case TYPE_STRING:
    case TYPE_BYTES:
    case TYPE_REF: return false;
    case TYPE_QUANTIZED:
    case TYPE_QUAT:
    case TYPE_UNIT:
    case TYPE_STRUCT:
    case TYPE_UNION:
    case TYPE_FOREIGN: return true;
    }
    assert(false && "a kind of type");
    return true;
}

/* Writes the base value of an element; has_base(f) is true. */
static void emit_base_element(emitter *e, const field *f, place p)
{
    const type *t = &f->type;
    double real = f->has_unless ? f->unless.real : t->real_low > 0 || t->real_high < 0 ? t->real_low : 0;
    num n = f->has_unless ? f->unless.number : base_number(t);
    const char *at = place_text(e, p, "");
    switch (t->kind) {
    case TYPE_BOOL:
    case TYPE_BITS:
    case TYPE_INT:
    case TYPE_FIXED:
    case TYPE_ENUM:
    case TYPE_FLAGS:
    case TYPE_COMPACT:
        out_put(e->out, "$at = $n;\n", "at", at, "n", cname_integer(e->arena, n, t->storage), NULL);
        return;
    case TYPE_FLOAT:
    case TYPE_QUANTIZED: out_put(e->out, "$at = $n;\n", "at", at, "n", real_text(e, t, real), NULL); return;
    case TYPE_QUAT: out_put(e->out, "$at.w = 1;\n", "at", at, NULL); return;
    case TYPE_UNIT: out_put(e->out, "$at.z = 1;\n", "at", at, NULL); return;
    case TYPE_STRUCT:
    case TYPE_UNION: out_put(e->out, "base_$type(&$at);\n", "type", name_in_c(e, t->decl), "at", at, NULL); return;
    case TYPE_STRING:
    case TYPE_BYTES:
    case TYPE_REF: return;
    case TYPE_FOREIGN: assert(false && "vectors have no local members"); return;
    }
}

static void emit_base_field(emitter *e, const field *f)
{
    if (f->array == ARRAY_COUNTED && f->count_low > 0)
        out_put(e->out, "v->${name}_count = $n;\n", "name", f->name, "n", decimal_text(e, f->count_low), NULL);
    if (!has_base(f))
        return;
    const char *index = open_loops(e, f, NULL);
    emit_base_element(e, f, (place){"v->", f->name, index});
    close_loops(e, f);
}

static void emit_base(emitter *e, const decl *d)
{
    out_put(e->out, "static void base_$type(void *at)\n{\n", "type", name_in_c(e, d), NULL);
    out_indent(e->out);
    out_put(e->out, "$type *v = at;\nmemset(v, 0, sizeof(*v));\n", "type", name_in_c(e, d), NULL);
    if (d->kind == DECL_UNION)
        out_put(e->out, "base_$type(&v->as.$name);\n", "type", name_in_c(e, d->members->type), "name", d->members->name,
                NULL);
    for (const field *f = d->fields; f; f = f->next)
        emit_base_field(e, f);
    out_dedent(e->out);
    out_put(e->out, "}\n\n", NULL);
}

/* ---- comparisons */

static bool is_signed(storage s)
{
    return s == STORAGE_I8 || s == STORAGE_I16 || s == STORAGE_I32 || s == STORAGE_I64;
}

static void emit_same_reals(emitter *e, const field *f, place p, const char *function, const char *const *components,
                            size_t count)
{
    for (size_t i = 0; i < count; i++)
        out_put(e->out, "$function(\"$label\", &got->$at, &want->$at);\n", "function", function, "label",
                label(e, f, components[i]), "at", arena_printf(e->arena, "%s%s", place_text(e, p, ""), components[i]),
                NULL);
}

static void emit_same_element(emitter *e, const field *f, const char *index)
{
    static const char *const whole[] = {""}, *const components[] = {".x", ".y", ".z", ".w"};
    const type *t = &f->type;
    place p = {"", f->name, index};
    const char *at = place_text(e, p, "");
    switch (t->kind) {
    case TYPE_BOOL:
    case TYPE_BITS:
    case TYPE_INT:
    case TYPE_FIXED:
    case TYPE_ENUM:
    case TYPE_FLAGS:
    case TYPE_COMPACT:
        out_put(e->out, "same_$sign(\"$label\", got->$at, want->$at);\n", "sign",
                is_signed(t->storage) ? "signed" : "unsigned", "label", label(e, f, ""), "at", at, NULL);
        return;
    case TYPE_FLOAT:
    case TYPE_QUANTIZED: emit_same_reals(e, f, p, is_single(t) ? "same_float" : "same_double", whole, 1); return;
    case TYPE_QUAT: emit_same_reals(e, f, p, "same_float", components, 4); return;
    case TYPE_UNIT: emit_same_reals(e, f, p, "same_float", components, 3); return;
    case TYPE_STRING:
        out_put(e->out, "same_text(\"$label\", got->$at, want->$at, sizeof(want->$at));\n", "label", label(e, f, ""),
                "at", at, NULL);
        return;
    case TYPE_BYTES:
        out_put(e->out, "same_bytes(\"$label\", got->$at, got->$size, want->$at, want->$size);\n", "label",
                label(e, f, ""), "at", at, "size", place_text(e, p, "_size"), NULL);
        return;
    case TYPE_STRUCT:
    case TYPE_UNION:
        out_put(e->out, "same_$type(&got->$at, &want->$at);\n", "type", name_in_c(e, t->decl), "at", at, NULL);
        return;
    case TYPE_REF:
        out_put(e->out, "same_unsigned(\"$label\", replay_id(got->$at), replay_id(want->$at));\n", "label",
                label(e, f, ""), "at", at, NULL);
        return;
    case TYPE_FOREIGN: assert(false && "vectors have no local members"); return;
    }
}

static void emit_same_number(emitter *e, const field *f, const char *prefix, const char *suffix)
{
    out_put(e->out,
            "same_unsigned(\"$type.$prefix$name$suffix\", got->$prefix$name$suffix, want->$prefix$name$suffix);\n",
            "type", f->owner->name, "prefix", prefix, "name", f->name, "suffix", suffix, NULL);
}

static void emit_same_field(emitter *e, const field *f)
{
    const char *count = NULL;
    if (f->optional) {
        emit_same_number(e, f, "has_", "");
        out_put(e->out, "if (want->has_$name) {\n", "name", f->name, NULL);
        out_indent(e->out);
    }
    if (f->array == ARRAY_COUNTED) {
        emit_same_number(e, f, "", "_count");
        count = arena_printf(e->arena, "want->%s_count", f->name);
    }
    if (f->array == ARRAY_SPARSE)
        for (uint32_t word = 0; word < (f->dims[0] + 63) / 64; word++)
            emit_same_number(e, f, "", arena_printf(e->arena, "_present[%" PRIu32 "]", word));
    emit_same_element(e, f, open_loops(e, f, count));
    close_loops(e, f);
    if (f->optional) {
        out_dedent(e->out);
        out_put(e->out, "}\n", NULL);
    }
}

/* Writes `switch (SUBJECT->tag) { case U_tag_member: LINE ... }`, where $member and $type in LINE are those of each
 * member. */
static void emit_by_tag(emitter *e, const decl *d, const char *subject, const char *line)
{
    out_put(e->out, "switch ($subject->tag) {\n", "subject", subject, NULL);
    for (const member *m = d->members; m; m = m->next) {
        out_put(e->out, "case ${union}_tag_$member:\n", "union", name_in_c(e, d), "member", m->name, NULL);
        out_indent(e->out);
        out_put(e->out, line, "type", name_in_c(e, m->type), "member", m->name, NULL);
        out_put(e->out, "break;\n", NULL);
        out_dedent(e->out);
    }
    out_put(e->out, "}\n", NULL);
}

static void emit_same(emitter *e, const decl *d)
{
    const char *name = name_in_c(e, d);
    out_put(e->out, "static void same_$type(const void *got_at, const void *want_at)\n{\n", "type", name, NULL);
    out_indent(e->out);
    out_put(e->out, "const $type *got = got_at, *want = want_at;\n(void)got, (void)want;\n", "type", name, NULL);
    if (d->kind == DECL_UNION) {
        out_put(e->out, "same_unsigned(\"$name.tag\", got->tag, want->tag);\n", "name", d->name, NULL);
        emit_by_tag(e, d, "want", "same_$type(&got->as.$member, &want->as.$member);\n");
    }
    for (const field *f = d->fields; f; f = f->next)
        emit_same_field(e, f);
    out_dedent(e->out);
    out_put(e->out, "}\n\n", NULL);
}

/* ---- what must be true after a refused read */

static const char *enum_condition(emitter *e, const type *t, const char *at)
{
    if (t->decl->width > 0)
        return arena_printf(e->arena, "v->%s <= %s", at, cname_integer(e->arena, t->high, t->storage));
    const char *text = "";
    for (const member *m = t->decl->members; m; m = m->next)
        text = arena_printf(e->arena, "%s%sv->%s == %s", text, *text ? " || " : "", at,
                            cname_integer(e->arena, m->value, t->storage));
    return text;
}

static void emit_sane_that(emitter *e, const field *f, const char *suffix, const char *condition)
{
    out_put(e->out, "sane_that(\"$label\", $condition);\n", "label", label(e, f, suffix), "condition", condition, NULL);
}

static bool has_sanity(type_kind kind)
{
    return kind == TYPE_ENUM || kind == TYPE_STRING || kind == TYPE_BYTES || kind == TYPE_STRUCT ||
           kind == TYPE_UNION || kind == TYPE_REF;
}

static void emit_sane_element(emitter *e, const field *f, const char *index)
{
    const type *t = &f->type;
    place p = {"", f->name, index};
    const char *at = place_text(e, p, "");
    if (t->kind == TYPE_ENUM)
        emit_sane_that(e, f, "", enum_condition(e, t, at));
    else if (t->kind == TYPE_STRING)
        out_put(e->out, "sane_text(\"$label\", v->$at, sizeof(v->$at));\n", "label", label(e, f, ""), "at", at, NULL);
    else if (t->kind == TYPE_BYTES)
        emit_sane_that(e, f, "_size",
                       arena_printf(e->arena, "v->%s <= %" PRIu32, place_text(e, p, "_size"), t->length));
    else if (t->kind == TYPE_REF)
        emit_sane_that(e, f, "", arena_printf(e->arena, "replay_id(v->%s) <= %" PRIu64, at, t->high.magnitude));
    else
        out_put(e->out, "sane_$type(&v->$at);\n", "type", name_in_c(e, t->decl), "at", at, NULL);
}

static void emit_sane_field(emitter *e, const field *f)
{
    if (f->array == ARRAY_COUNTED) {
        emit_sane_that(e, f, "_count", arena_printf(e->arena, "v->%s_count <= %" PRIu32, f->name, f->dims[0]));
        if (f->count_low > 0)
            emit_sane_that(e, f, "_count", arena_printf(e->arena, "v->%s_count >= %" PRIu32, f->name, f->count_low));
    }
    if (!has_sanity(f->type.kind))
        return;
    const char *count = NULL;
    if (f->array == ARRAY_COUNTED)
        count = arena_printf(e->arena, "v->%s_count", f->name);
    if (f->array == ARRAY_COMPUTED)
        count = arena_printf(e->arena, "%s_%s_count(v)", name_in_c(e, f->owner), f->name);
    emit_sane_element(e, f, open_loops(e, f, count));
    close_loops(e, f);
}

static void emit_sane(emitter *e, const decl *d)
{
    out_put(e->out, "static void sane_$type(const void *at)\n{\n", "type", name_in_c(e, d), NULL);
    out_indent(e->out);
    out_put(e->out, "const $type *v = at;\n(void)v;\n", "type", name_in_c(e, d), NULL);
    if (d->kind == DECL_UNION) {
        out_put(e->out, "sane_that(\"$type.tag\", v->tag < $count);\n", "type", d->name, "count",
                decimal_text(e, d->member_count), NULL);
        emit_by_tag(e, d, "v", "sane_$type(&v->as.$member);\n");
    }
    for (const field *f = d->fields; f; f = f->next)
        emit_sane_field(e, f);
    out_dedent(e->out);
    out_put(e->out, "}\n\n", NULL);
}

/* ---- generated functions with void pointers */

static const char calls[] =
    "static void call_${T}_init(void *v)\n{\n    ${T}_init(v);\n}\n\n"
    "static bool call_${T}_write(pkt_writer *w, const void *v)\n{\n    return ${T}_write(w, v);\n}\n\n"
    "static bool call_${T}_read(pkt_reader *r, void *v)\n{\n    return ${T}_read(r, v);\n}\n\n"
    "static uint64_t call_${T}_measure(const void *v, uint64_t start_bit)\n{\n"
    "    return ${T}_measure(v, start_bit);\n}\n\n"
    "static bool call_${T}_equal(const void *a, const void *b)\n{\n    return ${T}_equal(a, b);\n}\n\n"
    "static void call_${T}_quantize(void *v)\n{\n    ${T}_quantize(v);\n}\n\n";

static const char delta_calls[] =
    "static bool call_${T}_write_delta(pkt_writer *w, const void *base, const void *v)\n{\n"
    "    return ${T}_write_delta(w, base, v);\n}\n\n"
    "static bool call_${T}_read_delta(pkt_reader *r, const void *base, void *v)\n{\n"
    "    return ${T}_read_delta(r, base, v);\n}\n\n"
    "static uint64_t call_${T}_measure_delta(const void *base, const void *v, uint64_t start_bit)\n{\n"
    "    return ${T}_measure_delta(base, v, start_bit);\n}\n\n";

static const char packet_calls[] =
    "static size_t call_${T}_pack(const void *v, void *data, size_t size, pkt_error *error)\n{\n"
    "    return ${T}_pack_error(v, data, size, error);\n}\n\n"
    "static bool call_${T}_unpack(void *v, const void *data, size_t size, pkt_error *error)\n{\n"
    "    return ${T}_unpack_error(v, data, size, error);\n}\n\n"
    "static size_t call_${T}_pack_body(const void *v, void *data, size_t size, pkt_error *error)\n{\n"
    "    return ${T}_pack_body_error(v, data, size, error);\n}\n\n"
    "static bool call_${T}_unpack_body(void *v, const void *data, size_t size, pkt_error *error)\n{\n"
    "    return ${T}_unpack_body_error(v, data, size, error);\n}\n\n";

static const char packet_delta_calls[] =
    "static size_t call_${T}_pack_delta(const void *base, const void *v, void *data, size_t size, pkt_error *error)\n"
    "{\n"
    "    return ${T}_pack_delta_error(base, v, data, size, error);\n}\n\n"
    "static bool call_${T}_unpack_delta(const void *base, void *v, const void *data, size_t size, pkt_error *error)\n"
    "{\n"
    "    return ${T}_unpack_delta_error(base, v, data, size, error);\n}\n\n";

static void emit_calls(emitter *e, const decl *d)
{
    const char *name = name_in_c(e, d);
    out_put(e->out, calls, "T", name, NULL);
    if (d->delta)
        out_put(e->out, delta_calls, "T", name, NULL);
    if (d->packet)
        out_put(e->out, packet_calls, "T", name, NULL);
    if (d->packet && d->delta)
        out_put(e->out, packet_delta_calls, "T", name, NULL);
}

static void emit_type_table(emitter *e, const decl *d)
{
    const char *name = name_in_c(e, d);
    out_put(e->out, "static $T used_$T;\n\nstatic const replay_type type_$T = {\n", "T", name, NULL);
    out_indent(e->out);
    out_put(e->out,
            ".name = \"$name\", .size = sizeof($T), .used = &used_$T,\n"
            ".base = base_$T, .same = same_$T, .sane = sane_$T,\n"
            ".init = call_${T}_init, .write = call_${T}_write, .read = call_${T}_read, .measure = call_${T}_measure,\n"
            ".equal = call_${T}_equal, .quantize = call_${T}_quantize,\n"
            ".min_bits = ${T}_MIN_BITS, .max_bits = ${T}_MAX_BITS,\n",
            "name", d->name, "T", name, NULL);
    if (d->delta)
        out_put(e->out,
                ".write_delta = call_${T}_write_delta, .read_delta = call_${T}_read_delta,\n"
                ".measure_delta = call_${T}_measure_delta, .delta_max_bits = ${T}_DELTA_MAX_BITS,\n",
                "T", name, NULL);
    if (d->packet)
        out_put(e->out,
                ".pack = call_${T}_pack, .unpack = call_${T}_unpack,\n"
                ".pack_body = call_${T}_pack_body, .unpack_body = call_${T}_unpack_body,\n"
                ".id = ${protocol}_PROTOCOL_ID,\n",
                "T", name, "protocol", e->schema->protocol, NULL);
    if (d->packet && d->delta)
        out_put(e->out, ".pack_delta = call_${T}_pack_delta, .unpack_delta = call_${T}_unpack_delta,\n", "T", name,
                NULL);
    out_dedent(e->out);
    out_put(e->out,
            "};\n\n"
            "static void init_$T(void **state)\n{\n    (void)state;\n    replay_init(&type_$T);\n}\n\n",
            "T", name, NULL);
}

void put_types(arena *a, out *o, const schema *s, const decl *const *decls, size_t decl_count)
{
    emitter e = {.arena = a, .out = o, .schema = s};
    for (size_t i = 0; i < decl_count; i++) {
        emit_base(&e, decls[i]);
        emit_same(&e, decls[i]);
        emit_sane(&e, decls[i]);
        emit_calls(&e, decls[i]);
        emit_type_table(&e, decls[i]);
    }
}
