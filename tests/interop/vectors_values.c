/* vectors_values.c - writes the test of a record: its value field by field, its bytes, and the check to call.
 * SPDX-License-Identifier: MIT
 */
#include "vectors_emit.h"
#include "emit/cname.h"
#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* ---- numbers */

static void bad_value(emitter *e, const char *name)
{
    reject(e->file, e->line, "the value of '%s' is not one of its type", name);
}

static bool parse_decimal(const char *text, num *result)
{
    num n = num_u64(0);
    bool negative = text[0] == '-';
    const char *at = text + (negative ? 1 : 0);
    if (!*at)
        return false;
    for (; isdigit((unsigned char)*at); at++)
        if (!num_multiply(n, num_u64(10), &n) || !num_add(n, num_u64((uint64_t)(*at - '0')), &n))
            return false;
    *result = negative ? num_negate(n) : n;
    return *at == '\0';
}

static num json_number(emitter *e, const char *name, json_t *given)
{
    num n = num_u64(0);
    if (json_is_boolean(given))
        return num_u64(json_is_true(given) ? 1 : 0);
    if (json_is_integer(given))
        return num_i64(json_integer_value(given));
    if (!json_is_string(given) || !parse_decimal(json_string_value(given), &n))
        bad_value(e, name);
    return n;
}

static bool storage_holds(storage s, num n)
{
    switch (s) {
    case STORAGE_BOOL: return !n.negative && n.magnitude <= 1;
    case STORAGE_U8: return !n.negative && n.magnitude <= UINT8_MAX;
    case STORAGE_U16: return !n.negative && n.magnitude <= UINT16_MAX;
    case STORAGE_U32: return !n.negative && n.magnitude <= UINT32_MAX;
    case STORAGE_U64: return !n.negative;
    case STORAGE_I8: return num_compare(n, num_i64(INT8_MIN)) >= 0 && num_compare(n, num_i64(INT8_MAX)) <= 0;
    case STORAGE_I16: return num_compare(n, num_i64(INT16_MIN)) >= 0 && num_compare(n, num_i64(INT16_MAX)) <= 0;
    case STORAGE_I32: return num_compare(n, num_i64(INT32_MIN)) >= 0 && num_compare(n, num_i64(INT32_MAX)) <= 0;
    case STORAGE_I64: return num_fits_i64(n);
    case STORAGE_NONE:
    case STORAGE_FLOAT:
    case STORAGE_DOUBLE: return false;
    }
    assert(false && "a storage");
    return false;
}

/* Bytes as a C string literal. Octal escapes of three digits cannot merge with the next character. */
static const char *quoted(emitter *e, const char *bytes, size_t size)
{
    out *o = out_new(e->arena);
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        out_put(o, "$c", "c", arena_printf(e->arena, isalnum(byte) ? "%c" : "\\%03o", byte), NULL);
    }
    size_t length;
    return arena_printf(e->arena, "\"%s\"", out_result(o, &length));
}

static void set_integer(emitter *e, const type *t, place p, json_t *given)
{
    num n = json_number(e, p.name, given);
    if (!storage_holds(t->storage, n)) {
        e->inexpressible = "out of the C type";
        return;
    }
    out_put(e->out, "$at = $n;\n", "at", place_text(e, p, ""), "n", cname_integer(e->arena, n, t->storage), NULL);
}

static void set_bits(emitter *e, const type *t, place p, json_t *given)
{
    if (!json_is_string(given))
        bad_value(e, p.name);
    out_put(e->out, is_single(t) ? "set_float(&$at, UINT32_C($bits));\n" : "set_double(&$at, UINT64_C($bits));\n", "at",
            place_text(e, p, ""), "bits", json_string_value(given), NULL);
}

static void set_real(emitter *e, const type *t, place p, json_t *given)
{
    if (json_is_string(given)) {
        set_bits(e, t, p, given);
        return;
    }
    if (!json_is_number(given))
        bad_value(e, p.name);
    double real = json_number_value(given);
    out_put(e->out, "$at = $n;\n", "at", place_text(e, p, ""), "n",
            real_text(e, t, is_single(t) ? (double)(float)real : real), NULL);
}

static void set_components(emitter *e, place p, json_t *given, size_t count)
{
    static const char *const components[] = {"x", "y", "z", "w"};
    if (json_array_size(given) != count)
        bad_value(e, p.name);
    for (size_t i = 0; i < count; i++) {
        json_t *component = json_array_get(given, i);
        if (json_is_string(component)) {
            out_put(e->out, "set_float(&$at.$component, UINT32_C($bits));\n", "at", place_text(e, p, ""), "component",
                    components[i], "bits", json_string_value(component), NULL);
            continue;
        }
        if (!json_is_number(component))
            bad_value(e, p.name);
        out_put(e->out, "$at.$component = $n;\n", "at", place_text(e, p, ""), "component", components[i], "n",
                arena_printf(e->arena, "%af", (double)(float)json_number_value(component)), NULL);
    }
}

static void set_text(emitter *e, const type *t, place p, json_t *given)
{
    if (!json_is_string(given))
        bad_value(e, p.name);
    const char *text = json_string_value(given);
    size_t size = json_string_length(given);
    if (strlen(text) != size)
        e->inexpressible = "a zero byte in a string";
    else if (size > t->length)
        e->inexpressible = "a string too long for its array";
    else
        out_put(e->out, "memcpy($at, $text, $size);\n", "at", place_text(e, p, ""), "text", quoted(e, text, size),
                "size", decimal_text(e, size + 1), NULL);
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static size_t from_hex(emitter *e, json_t *given, const char **bytes)
{
    size_t size = json_string_length(given) / 2;
    const char *hex = json_string_value(given);
    if (!hex || json_string_length(given) % 2 != 0)
        reject(e->file, e->line, "bytes are an even number of hex digits");
    char *data = arena_alloc(e->arena, size + 1);
    for (size_t i = 0; i < size; i++) {
        int high = hex_digit(hex[2 * i]), low = hex_digit(hex[2 * i + 1]);
        if (high < 0 || low < 0)
            reject(e->file, e->line, "bytes are hex digits in lower case");
        data[i] = (char)(high * 16 + low);
    }
    *bytes = data;
    return size;
}

static void set_bytes(emitter *e, const type *t, place p, json_t *given)
{
    const char *bytes;
    size_t size = from_hex(e, given, &bytes);
    if (size > t->length) {
        e->inexpressible = "more bytes than their array has";
        return;
    }
    if (size > 0)
        out_put(e->out, "memcpy($at, $bytes, $size);\n", "at", place_text(e, p, ""), "bytes", quoted(e, bytes, size),
                "size", decimal_text(e, size), NULL);
    out_put(e->out, "$at = $size;\n", "at", place_text(e, p, "_size"), "size", decimal_text(e, size), NULL);
}

static void set_struct(emitter *e, const decl *d, const char *owner, json_t *given);

static void set_element(emitter *e, const field *f, place p, json_t *given)
{
    const type *t = &f->type;
    switch (t->kind) {
    case TYPE_BOOL:
    case TYPE_BITS:
    case TYPE_INT:
    case TYPE_FIXED:
    case TYPE_ENUM:
    case TYPE_FLAGS:
    case TYPE_COMPACT: set_integer(e, t, p, given); return;
    case TYPE_FLOAT: set_bits(e, t, p, given); return;
    case TYPE_QUANTIZED: set_real(e, t, p, given); return;
    case TYPE_QUAT: set_components(e, p, given, 4); return;
    case TYPE_UNIT: set_components(e, p, given, 3); return;
    case TYPE_STRING: set_text(e, t, p, given); return;
    case TYPE_BYTES: set_bytes(e, t, p, given); return;
    case TYPE_STRUCT:
    case TYPE_UNION: set_struct(e, t->decl, arena_printf(e->arena, "%s.", place_text(e, p, "")), given); return;
    case TYPE_REF:
        out_put(e->out, "$at = replay_target($id);\n", "at", place_text(e, p, ""), "id",
                arena_printf(e->arena, "%" PRIu64, json_number(e, p.name, given).magnitude), NULL);
        return;
    case TYPE_FOREIGN: assert(false && "vectors have no local members"); return;
    }
}

/* Sets the elements of a dimension, and of those inside it. */
static void set_elements(emitter *e, const field *f, place p, uint32_t dim, json_t *given)
{
    if (dim == f->dim_count) {
        set_element(e, f, p, given);
        return;
    }
    size_t size = json_array_size(given);
    if (!json_is_array(given) || (f->array == ARRAY_FIXED && size != f->dims[dim]))
        bad_value(e, f->name);
    if (size > f->dims[dim]) {
        e->inexpressible = "more elements than their array has";
        return;
    }
    for (size_t i = 0; i < size; i++) {
        place element = {p.owner, p.name, arena_printf(e->arena, "%s[%zu]", p.index, i)};
        set_elements(e, f, element, dim + 1, json_array_get(given, i));
    }
}

static void set_sparse(emitter *e, const field *f, place p, json_t *given)
{
    for (size_t i = 0; i < json_array_size(given); i++) {
        json_t *pair = json_array_get(given, i);
        uint64_t index = (uint64_t)json_integer_value(json_array_get(pair, 0));
        if (json_array_size(pair) != 2 || index >= f->dims[0])
            bad_value(e, f->name);
        out_put(e->out, "${at}_present[$word] |= UINT64_C(1) << $bit;\n", "at", place_text(e, p, ""), "word",
                decimal_text(e, index / 64), "bit", decimal_text(e, index % 64), NULL);
        place element = {p.owner, p.name, arena_printf(e->arena, "[%" PRIu64 "]", index)};
        set_element(e, f, element, json_array_get(pair, 1));
    }
}

static void set_field(emitter *e, const field *f, const char *owner, json_t *given)
{
    place p = {owner, f->name, ""};
    if (f->optional)
        out_put(e->out, "${owner}has_$name = $has;\n", "owner", owner, "name", f->name, "has",
                json_is_null(given) ? "false" : "true", NULL);
    if (f->optional && json_is_null(given))
        return;
    switch (f->array) {
    case ARRAY_NONE: set_element(e, f, p, given); return;
    case ARRAY_FIXED:
    case ARRAY_COMPUTED: set_elements(e, f, p, 0, given); return;
    case ARRAY_COUNTED:
        set_elements(e, f, p, 0, given);
        out_put(e->out, "${at}_count = $n;\n", "at", place_text(e, p, ""), "n", decimal_text(e, json_array_size(given)),
                NULL);
        return;
    case ARRAY_SPARSE: set_sparse(e, f, p, given); return;
    }
}

static void set_union(emitter *e, const decl *d, const char *owner, const char *name, json_t *given)
{
    const member *m = d->members;
    while (m && strcmp(m->name, name) != 0)
        m = m->next;
    if (!m)
        reject(e->file, e->line, "'%s' has no member '%s'", d->name, name);
    out_put(e->out, "${owner}tag = ${union}_tag_$member;\nbase_$type(&${owner}as.$member);\n", "owner", owner, "union",
            name_in_c(e, d), "member", name, "type", name_in_c(e, m->type), NULL);
    set_struct(e, m->type, arena_printf(e->arena, "%sas.%s.", owner, name), given);
}

static void set_struct(emitter *e, const decl *d, const char *owner, json_t *given)
{
    const char *name;
    json_t *inner;
    if (!json_is_object(given) || (d->kind == DECL_UNION && json_object_size(given) != 1))
        bad_value(e, d->name);
    json_object_foreach(given, name, inner)
    {
        if (d->kind == DECL_UNION) {
            set_union(e, d, owner, name, inner);
            continue;
        }
        const field *f = d->fields;
        while (f && strcmp(f->name, name) != 0)
            f = f->next;
        if (!f)
            reject(e->file, e->line, "'%s' has no field '%s'", d->name, name);
        set_field(e, f, owner, inner);
    }
}

static void emit_variable(emitter *e, const decl *d, const char *name, json_t *given)
{
    out_put(e->out, "$type $name;\nbase_$type(&$name);\n", "type", name_in_c(e, d), "name", name, NULL);
    set_struct(e, d, arena_printf(e->arena, "%s.", name), given);
}

/* ---- tests of records */

static void emit_bytes(emitter *e, json_t *hex)
{
    const char *bytes;
    const size_t size = from_hex(e, hex, &bytes);
    const char *list = "";
    for (size_t i = 0; i < size; i++)
        list = arena_printf(e->arena, "%s%s0x%02x", list,
                            i == 0        ? ""
                            : i % 16 == 0 ? ",\n"
                                          : ", ",
                            (unsigned)(unsigned char)bytes[i]);
    /* C has no empty arrays. */
    out_put(e->out, "static const uint8_t bytes[] = {\n    $list\n};\n", "list", size == 0 ? "0" : list, NULL);
}

static const char *code_of(emitter *e, json_t *reason)
{
    if (!json_is_string(reason))
        reject(e->file, e->line, "a reason is a word");
    char *name = arena_printf(e->arena, "PKT_ERROR_%s", json_string_value(reason));
    for (char *c = name; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    return name;
}

/* The baseline of a delta, or what a T_motion predicts from it and from the value before it. */
static void emit_base(emitter *e, const decl *d, json_t *record)
{
    json_t *before = json_object_get(record, "before"), *back = json_object_get(record, "back");
    json_t *gap = json_object_get(record, "gap"), *predicted = json_object_get(record, "predicted");
    emit_variable(e, d, d->predicts ? "last" : "base", json_object_get(record, "base"));
    if (!d->predicts)
        return;
    if (before)
        emit_variable(e, d, "before", before);
    out_put(e->out, "${type}_motion base;\n${type}_predict(&last, $before, $back, $gap, &base);\n", "type",
            name_in_c(e, d), "before", before ? "&before" : "NULL", "back",
            decimal_text(e, (uint64_t)json_integer_value(back)), "gap",
            decimal_text(e, (uint64_t)json_integer_value(gap)), NULL);
    if (predicted) {
        emit_variable(e, d, "predicted", predicted);
        out_put(e->out, "same_$type(&base.expected, &predicted);\n", "type", name_in_c(e, d), NULL);
    }
}

static void emit_case(emitter *e, const decl *d, json_t *record)
{
    json_t *base = json_object_get(record, "base"), *id = json_object_get(record, "id");
    json_t *bits = json_object_get(record, "bits"), *hex = json_object_get(record, "hex");
    const char *text = arena_printf(e->arena, ".type = &type_%s", name_in_c(e, d));
    if (base)
        text = arena_printf(e->arena, "%s, .delta = true, .base = %s", text, json_is_null(base) ? "NULL" : "&base");
    if (id)
        text = arena_printf(e->arena, "%s, .packet = true, .id = UINT64_C(%s)", text, json_string_value(id));
    if (hex)
        text = arena_printf(e->arena, "%s, .bytes = bytes, .size = %zu", text, json_string_length(hex) / 2);
    if (bits)
        text = arena_printf(e->arena, "%s, .bits = %" JSON_INTEGER_FORMAT, text, json_integer_value(bits));
    out_put(e->out, "const replay_case record = {\n    $members\n};\n", "members", text, NULL);
}

static void emit_check(emitter *e, const decl *d, json_t *record)
{
    json_t *unwritable = json_object_get(record, "unwritable"), *refuse = json_object_get(record, "refuse");
    json_t *read = json_object_get(record, "read");
    if (refuse) {
        out_put(e->out, "replay_refuse(&record, $code, $bit);\n", "code", code_of(e, refuse), "bit",
                decimal_text(e, (uint64_t)json_integer_value(json_object_get(record, "bit"))), NULL);
        return;
    }
    emit_variable(e, d, "value", json_object_get(record, "value"));
    if (unwritable) {
        out_put(e->out, "replay_unwritable(&record, &value, $code);\n", "code", code_of(e, unwritable), NULL);
        return;
    }
    if (read)
        emit_variable(e, d, "read", read);
    out_put(e->out, "replay_value(&record, &value, &$read);\n", "read", read ? "read" : "value", NULL);
}

const char *put_vector(arena *a, out *o, const source *file, const schema *s, const decl *of, const vector *v)
{
    emitter e = {.arena = a, .out = o, .schema = s, .file = file, .line = v->line};
    json_t *hex = json_object_get(v->record, "hex"), *base = json_object_get(v->record, "base");
    out_put(o, "static void line_${line}_$type(void **state)\n{\n", "line", decimal_text(&e, v->line), "type", of->name,
            NULL);
    out_indent(o);
    out_put(o, "(void)state;\n", NULL);
    if (hex)
        emit_bytes(&e, hex);
    if (base && !json_is_null(base))
        emit_base(&e, of, v->record);
    emit_case(&e, of, v->record);
    emit_check(&e, of, v->record);
    out_dedent(o);
    out_put(o, "}\n\n", NULL);
    return e.inexpressible;
}
