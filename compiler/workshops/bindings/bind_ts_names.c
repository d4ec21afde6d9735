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

static uint32_t wasm_size_of(const ts *k, const bind_member *m)
{
    switch (m->kind) {
    case BIND_SCALAR: return storage_bits(m->storage) / 8;
    case BIND_TEXT:
    case BIND_BYTES: return 1;
    case BIND_TYPE: return ts_type_of(k, m->type)->size;
    case BIND_POINTER: break;
    }
    return 4;
}

static uint32_t wasm_align_of(const ts *k, const bind_member *m)
{
    return m->kind == BIND_TYPE ? ts_type_of(k, m->type)->align : wasm_size_of(k, m);
}

/* The members of a union are behind its tag, all in one place. */
static void wasm_place(const ts *k, ts_type *t)
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

const ts_type *ts_type_of(const ts *k, const bind_type *t)
{
    const ts_type *at = k->types;
    while (at->type != t)
        at++;
    return at;
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

const char *ts_member(const ts *k, const ts_type *t, const char *name)
{
    static const char *const taken[] = {"constructor", "free", "set", "toObject", "toString", "valueOf"};
    bool is_taken = false;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        is_taken |= strcmp(taken[i], name) == 0;
    for (const ts_method *m = t->methods; m; m = m->next) {
        const bool tried = m->tries && strncmp(name, "try_", 4) == 0;
        is_taken |= m->self && (strcmp(m->name, name) == 0 || (tried && strcmp(m->name, name + 4) == 0));
    }
    return is_taken ? arena_printf(k->arena, "%s_", name) : name;
}

/* ---- members */

ts_sight ts_sight_of(const bind_type *t, const bind_member *m)
{
    switch (m->kind) {
    case BIND_SCALAR:
        if (t->decl && t->decl->kind == DECL_STRUCT && !t->decl->fields)
            return SIGHT_NONE;
        return m->dim_count == 0 ? SIGHT_NUMBER : SIGHT_NUMBERS;
    case BIND_TEXT: return m->dim_count == 1 ? SIGHT_TEXT : SIGHT_TEXTS;
    case BIND_BYTES: return m->dim_count == 1 ? SIGHT_BYTES : SIGHT_BLOBS;
    case BIND_TYPE: return m->dim_count == 0 ? SIGHT_VIEW : SIGHT_VIEWS;
    case BIND_POINTER: break;
    }
    return m->dim_count == 0 ? SIGHT_POINTER : SIGHT_NUMBERS;
}

/* ---- functions and constants of classes */

/* The class that a name begins with: its name, an underscore, and more. NULL: none. */
static ts_type *ts_owner_of(const ts *k, const char *name)
{
    ts_type *best = NULL;
    size_t most = 0;
    for (ts_type *t = k->types; t != k->types + k->count; t++) {
        const size_t size = strlen(t->type->name);
        if (size > most && strncmp(name, t->type->name, size) == 0 && name[size] == '_' && name[size + 1] != 0) {
            best = t;
            most = size;
        }
    }
    return best;
}

bool ts_is_error(const bind_param *p)
{
    return p->type && strcmp(p->type->name, "pkt_error") == 0;
}

/* `this` is the parameter v, or else the first one of the class. */
static void ts_add_method(const ts *k, const bind_function *f)
{
    ts_type *of = ts_owner_of(k, f->name);
    ts_method *m = ARENA_NEW(k->arena, ts_method);
    *m = (ts_method){.function = f, .name = f->name + strlen(of->type->name) + 1};
    for (const bind_param *p = f->params; p; p = p->next) {
        if (p->type == of->type && (!m->self || strcmp(p->name, "v") == 0))
            m->self = p;
        m->throws |= ts_is_error(p);
    }
    for (const bind_param *p = f->params; p; p = p->next)
        m->tries |= m->throws && p->pass == PASS_READ;
    *of->last_method = m;
    of->last_method = &m->next;
}

static void ts_add_constant(ts *k, const bind_constant *c)
{
    ts_type *of = ts_owner_of(k, c->name);
    ts_constant ***last = of ? &of->last_constant : &k->last_constant, *new = ARENA_NEW(k->arena, ts_constant);
    *new = (ts_constant){.constant = c, .name = of ? c->name + strlen(of->type->name) + 1 : ts_name(k->arena, c->name)};
    **last = new;
    *last = &new->next;
}

void ts_begin(ts *k, const bindings *b, out *to)
{
    *k = (ts){.b = b, .arena = b->arena, .to = to, .last_constant = &k->constants};
    size_t count = 0;
    for (const bind_type *t = b->types; t; t = t->next)
        count++;
    k->types = ARENA_ARRAY(k->arena, ts_type, count);
    for (const bind_type *t = b->types; t; t = t->next) {
        ts_type *new = &k->types[k->count++];
        *new = (ts_type){.type = t, .name = ts_name(k->arena, t->name), .align = 1};
        new->last_method = &new->methods;
        new->last_constant = &new->constants;
        wasm_place(k, new);
    }
    for (const bind_function *f = b->functions; f; f = f->next)
        ts_add_method(k, f);
    for (const bind_constant *c = b->constants; c; c = c->next)
        ts_add_constant(k, c);
}

/* ---- numbers */

bool ts_is_big(storage s)
{
    return s == STORAGE_U64 || s == STORAGE_I64;
}

const char *ts_constant_text(const ts *k, const bind_constant *c)
{
    if (c->is_real)
        return cname_real(k->arena, c->real, STORAGE_DOUBLE);
    const bool big = c->number.magnitude > UINT64_C(1) << 53;
    return arena_printf(k->arena, "%s%s", num_text(k->arena, c->number), big ? "n" : "");
}

const char *ts_enum_name(const ts *k, const decl *d)
{
    return ts_name(k->arena, d->kind == DECL_UNION ? arena_printf(k->arena, "%s_tag", d->name) : d->name);
}

const char *ts_enumerators(const ts *k, const decl *d, const char *line)
{
    out *to = out_new(k->arena);
    const bool big = ts_is_big(d->type.storage) && d->kind != DECL_UNION;
    for (const member *m = d->members; m; m = m->next)
        out_put(to, line, "name", m->name, "value",
                arena_printf(k->arena, "%s%s", num_text(k->arena, m->value), big ? "n" : ""), NULL);
    size_t size;
    return out_result(to, &size);
}
