/* bind_ts_names.c - names in JavaScript, and where values are in the memory of wasm.
 * SPDX-License-Identifier: MIT
 */
#include "bindings/bind_ts_internal.h"
#include "emit/cname.h"

#include <string.h>

/* ---- the layout of C for wasm: 32-bit pointers, and every number at a multiple of its size */

static uint32_t wasm_rounded(uint64_t size, uint32_t align)
{
    return (uint32_t)((size + align - 1) / align * align);
}

static uint32_t wasm_size_of(const bind_classes *k, const bind_member *m)
{
    switch (m->kind) {
    case BIND_SCALAR: return storage_bits(m->storage) / 8;
    case BIND_TEXT:
    case BIND_BYTES: return 1;
    case BIND_TYPE: return bind_class_of(k, m->type)->size;
    case BIND_POINTER: break;
    }
    return 4;
}

static uint32_t wasm_align_of(const bind_classes *k, const bind_member *m)
{
    return m->kind == BIND_TYPE ? bind_class_of(k, m->type)->align : wasm_size_of(k, m);
}

/* The members of a union are behind its tag, all in one place. */
static void wasm_place(const bind_classes *k, bind_class *t)
{
    uint32_t count = 0, widest = 1, end = 0;
    for (const bind_member *m = t->type->members; m; m = m->next) {
        t->align = wasm_align_of(k, m) > t->align ? wasm_align_of(k, m) : t->align;
        widest = count++ > 0 && wasm_align_of(k, m) > widest ? wasm_align_of(k, m) : widest;
    }
    t->places = ARENA_ARRAY(k->arena, uint32_t, count);
    uint32_t *place = t->places;
    for (const bind_member *m = t->type->members; m; m = m->next, place++) {
        const bool in_union = t->type->form == BIND_UNION && place != t->places;
        *place =
            in_union ? wasm_rounded(wasm_size_of(k, t->type->members), widest) : wasm_rounded(end, wasm_align_of(k, m));
        end = *place + (uint32_t)(wasm_size_of(k, m) * m->length);
        t->size = end > t->size ? end : t->size;
    }
    t->size = wasm_rounded(t->size, t->align);
}

/* ---- names */

const char *ts_name(arena *a, const char *name)
{
    /* Words of JavaScript that are none of C++, what the generated files use or export, and variables of their functions. */
    static const char *const taken[] = {
        "arguments",    "await",       "debugger",   "eval",          "extends",        "finally",    "function",
        "implements",   "import",      "in",         "instanceof",    "interface",      "let",        "null",
        "package",      "super",       "undefined",  "var",           "with",           "yield",      "Infinity",
        "NaN",          "ArrayBuffer", "Array",      "BigInt64Array", "BigUint64Array", "Data",       "Float32Array",
        "Float64Array", "Int16Array",  "Int32Array", "Int8Array",     "Iterable",       "Object",     "PROTOCOL_ID",
        "PktError",     "Promise",     "URL",        "Uint16Array",   "Uint32Array",    "Uint8Array", "WebAssembly",
        "load",         "at",          "bytes",      "data",          "index",          "key",        "length",
        "receiver",     "result",      "v",          "view",
    };
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(taken[i], name) == 0)
            return arena_printf(a, "%s_", name);
    return name;
}

const char *ts_member(const bind_classes *k, const bind_class *t, const char *name)
{
    static const char *const taken[] = {"constructor", "free", "set", "toObject", "toString", "valueOf"};
    bool is_taken = false;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        is_taken |= strcmp(taken[i], name) == 0;
    for (const bind_method *m = t->methods; m; m = m->next) {
        const bool tried = m->tries && strncmp(name, "try_", 4) == 0;
        is_taken |= m->self && (strcmp(m->name, name) == 0 || (tried && strcmp(m->name, name + 4) == 0));
    }
    return is_taken ? arena_printf(k->arena, "%s_", name) : name;
}

void ts_begin(bind_classes *k, const bindings *b, out *to)
{
    bind_classes_begin(k, b, ts_name, to);
    for (size_t i = 0; i < k->count; i++)
        wasm_place(k, &k->types[i]);
}

/* ---- numbers */

bool ts_is_big(storage s)
{
    return s == STORAGE_U64 || s == STORAGE_I64;
}

const char *ts_constant_text(const bind_classes *k, const bind_constant *c)
{
    if (c->is_real)
        return cname_real(k->arena, c->real, STORAGE_DOUBLE);
    const bool big = c->number.magnitude > UINT64_C(1) << 53;
    return arena_printf(k->arena, "%s%s", num_text(k->arena, c->number), big ? "n" : "");
}

const char *ts_enum_name(const bind_classes *k, const decl *d)
{
    return ts_name(k->arena, d->kind == DECL_UNION ? arena_printf(k->arena, "%s_tag", d->name) : d->name);
}

const char *ts_enumerators(const bind_classes *k, const decl *d, const char *line)
{
    out *to = out_new(k->arena);
    const bool big = ts_is_big(d->type.storage) && d->kind != DECL_UNION;
    for (const member *m = d->members; m; m = m->next)
        out_put(to, line, "name", m->name, "value",
                arena_printf(k->arena, "%s%s", num_text(k->arena, m->value), big ? "n" : ""), NULL);
    size_t size;
    return out_result(to, &size);
}
