/* bind_ts_types.c - the types of the JavaScript of bind_ts.c, for TypeScript.
 * SPDX-License-Identifier: MIT
 */
#include "bindings/bind_ts_internal.h"
#include "base/banner.h"

#include <string.h>

/* A doc comment of the schema. What would end it is cut apart. */
static void dts_put_doc(const bind_classes *k, const char *doc)
{
    if (!doc)
        return;
    char *text = arena_printf(k->arena, "%s", doc);
    for (char *end = text; (end = strstr(end, "*/"));)
        *end = ' ';
    if (!strchr(text, '\n')) {
        out_put(k->to, "/** $text */\n", "text", text, NULL);
        return;
    }
    out_put(k->to, "/**\n", NULL);
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        out_put(k->to, *line ? " * $line\n" : " *\n", "line", line, NULL);
    }
    out_put(k->to, " */\n", NULL);
}

static const char *dts_array_of(storage s)
{
    switch (s) {
    case STORAGE_NONE:
    case STORAGE_BOOL:
    case STORAGE_U8: return "Uint8Array";
    case STORAGE_I8: return "Int8Array";
    case STORAGE_U16: return "Uint16Array";
    case STORAGE_I16: return "Int16Array";
    case STORAGE_U32: return "Uint32Array";
    case STORAGE_I32: return "Int32Array";
    case STORAGE_U64: return "BigUint64Array";
    case STORAGE_I64: return "BigInt64Array";
    case STORAGE_FLOAT: return "Float32Array";
    case STORAGE_DOUBLE: break;
    }
    return "Float64Array";
}

static const char *dts_scalar(storage s)
{
    return s == STORAGE_BOOL ? "boolean" : ts_is_big(s) ? "bigint" : "number";
}

/* Flags are numbers, because programs combine them. So is an enum with a width, which may get more members. */
static bool dts_is_closed(const decl *d)
{
    return d && (d->kind == DECL_UNION || (d->kind == DECL_ENUM && d->width == 0));
}

static void dts_write_member(const bind_classes *k, const bind_class *t, const bind_member *m)
{
    const char *what = "", *class = m->type ? bind_class_of(k, m->type)->name : NULL;
    const bind_sight how = bind_sight_of(t->type, m);
    bool readonly = false;
    switch (how) {
    case SIGHT_NONE: return;
    case SIGHT_NUMBER: what = dts_is_closed(m->of) ? ts_enum_name(k, m->of) : dts_scalar(m->storage); break;
    case SIGHT_POINTER: what = class ? arena_printf(k->arena, "%s | null", class) : "number"; break;
    case SIGHT_TEXT: what = "string"; break;
    case SIGHT_NUMBERS: what = m->kind == BIND_POINTER ? "Uint32Array" : dts_array_of(m->storage); break;
    case SIGHT_TEXTS: what = "pkt_.Texts"; break;
    case SIGHT_BYTES: what = "Uint8Array"; break;
    case SIGHT_BLOBS: what = "pkt_.Blobs"; break;
    case SIGHT_VIEW: what = class; break;
    case SIGHT_VIEWS: what = arena_printf(k->arena, "pkt_.Views<%s>", class); break;
    }
    readonly =
        how == SIGHT_NUMBERS || how == SIGHT_TEXTS || how == SIGHT_BLOBS || how == SIGHT_VIEW || how == SIGHT_VIEWS;
    dts_put_doc(k, m->doc);
    out_put(k->to, "$readonly$name: $type;\n", "readonly", readonly ? "readonly " : "", "name",
            ts_member(k, t, m->name), "type", what, NULL);
}

static const char *dts_param_type(const bind_classes *k, const bind_param *p)
{
    switch (p->pass) {
    case PASS_READ: return "pkt_.Data";
    case PASS_WRITE: break;
    case PASS_NUMBER: return dts_scalar(p->storage);
    case PASS_STORE: return arena_printf(k->arena, "{ value: %s }", dts_scalar(p->storage));
    case PASS_IN:
    case PASS_OUT: break;
    }
    const char *class = bind_class_of(k, p->type)->name;
    if (strcmp(p->name, "order") == 0)
        return arena_printf(k->arena, "pkt_.Views<%s>", class);
    return bind_may_be_null(p) ? arena_printf(k->arena, "%s | null", class) : class;
}

static void dts_write_method(const bind_classes *k, const bind_method *m, bool tries)
{
    const bind_function *f = m->function;
    const char *params = "", *result = "void";
    bool writes = false;
    for (const bind_param *p = f->params; p; p = p->next) {
        writes |= p->pass == PASS_WRITE;
        if (p != m->self && !bind_is_error(p) && p->pass != PASS_WRITE)
            params = arena_printf(k->arena, "%s%s%s: %s", params, *params ? ", " : "", p->name, dts_param_type(k, p));
    }
    switch (f->result) {
    case RESULT_VOID: break;
    case RESULT_BOOL: result = "boolean"; break;
    case RESULT_SIZE: result = writes ? "Uint8Array" : "number"; break;
    case RESULT_NUMBER: result = dts_scalar(f->storage); break;
    case RESULT_POINTER: result = arena_printf(k->arena, "%s | null", bind_class_of(k, f->type)->name); break;
    }
    out_put(k->to, "$static$try$name($params): $result;\n", "static", m->self ? "" : "static ", "try",
            tries ? "try_" : "", "name", m->name, "params", params, "result", result, NULL);
}

static void dts_write_class(const bind_classes *k, const bind_class *t)
{
    dts_put_doc(k, t->type->decl ? t->type->decl->doc : NULL);
    out_put(k->to, "export class $name extends pkt_.View {\n", "name", t->name, NULL);
    out_indent(k->to);
    for (const bind_class_constant *c = t->constants; c; c = c->next)
        out_put(k->to, "static readonly $name: $value;\n", "name", c->name, "value", ts_constant_text(k, c->constant),
                NULL);
    if (t->type->form == BIND_UNION)
        out_put(k->to, "/** The names of the members, by tag. */\nstatic readonly arms: readonly string[];\n", NULL);
    if (t->type->form != BIND_OPAQUE)
        out_put(k->to, "set(values: pkt_.Values<$name>): this;\n", "name", t->name, NULL);
    for (const bind_member *m = t->type->members; m; m = m->next)
        dts_write_member(k, t, m);
    for (const bind_method *m = t->methods; m; m = m->next) {
        if (t->type->form == BIND_OPAQUE && strcmp(m->name, "size") == 0)
            continue;
        dts_write_method(k, m, false);
        if (m->tries)
            dts_write_method(k, m, true);
    }
    out_close(k->to);
    out_add(k->to, "\n");
}

static void dts_write_enums(const bind_classes *k)
{
    for (const decl *d = k->b->schema->decls; d; d = d->next) {
        if (d->kind != DECL_ENUM && d->kind != DECL_FLAGS && d->kind != DECL_UNION)
            continue;
        const char *name = ts_enum_name(k, d);
        if (d->kind != DECL_UNION)
            dts_put_doc(k, d->doc);
        out_put(k->to, "export const $name: {\n$members};\n", "name", name, "members",
                ts_enumerators(k, d, "    readonly $name: $value;\n"), NULL);
        out_put(k->to,
                dts_is_closed(d) ? "export type $name = (typeof $name)[keyof typeof $name];\n\n"
                                 : "export type $name = $number;\n\n",
                "name", name, "number", dts_scalar(d->type.storage), NULL);
    }
}

static const char dts_head[] =
    "/* $stem.d.ts - the types of $stem.js" BANNER_GENERATED " */\n"
    "import * as pkt_ from './pkt.js';\n"
    "export { PktError } from './pkt.js';\n"
    "\n"
    "/**\n"
    " * Starts the C functions: before the first value is made. Without an argument, loads $stem.wasm from beside\n"
    " * this file. Throws if the C was compiled from another schema. Called again, it only returns the first promise.\n"
    " */\n"
    "export function load(wasm?: pkt_.Wasm): Promise<void>;\n"
    "\n"
    "export const PROTOCOL_ID: bigint;\n";

void bind_ts_types(const bindings *b, out *to)
{
    bind_classes k;
    ts_begin(&k, b, to);
    out_put(to, dts_head, "stem", b->stem, NULL);
    for (const bind_class_constant *c = k.constants; c; c = c->next)
        out_put(to, "export const $name: $value;\n", "name", c->name, "value",
                c->constant->is_real ? "number" : ts_constant_text(&k, c->constant), NULL);
    out_add(to, "\n");
    dts_write_enums(&k);
    for (size_t i = 0; i < k.count; i++)
        dts_write_class(&k, &k.types[i]);
}
