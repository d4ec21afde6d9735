/* bind_ts.c - the types and functions of a schema in JavaScript: a class for each type, whose objects are views of values in
 * the memory of wasm, where the C of the schema runs.
 * SPDX-License-Identifier: MIT
 */
#include "bindings/bind_ts_internal.h"
#include "base/banner.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static const char *js_number(const bind_classes *k, uint64_t n)
{
    return arena_printf(k->arena, "%" PRIu64, n);
}

/* ---- members */

/* How a number of this storage is called in DataView, and in the functions of pkt.js that make arrays. */
static const char *js_view_of(storage s)
{
    switch (s) {
    case STORAGE_NONE:
    case STORAGE_BOOL:
    case STORAGE_U8: return "Uint8";
    case STORAGE_I8: return "Int8";
    case STORAGE_U16: return "Uint16";
    case STORAGE_I16: return "Int16";
    case STORAGE_U32: return "Uint32";
    case STORAGE_I32: return "Int32";
    case STORAGE_U64: return "BigUint64";
    case STORAGE_I64: return "BigInt64";
    case STORAGE_FLOAT: return "Float32";
    case STORAGE_DOUBLE: break;
    }
    return "Float64";
}

/* Expressions for the number at an address: what it is, and the statement that makes it `v`. */
static const char *js_spell_get(const bind_classes *k, storage s, const char *at)
{
    const char *text = storage_bits(s) == 8 && s != STORAGE_I8
                           ? arena_printf(k->arena, "u8_[%s]", at)
                           : arena_printf(k->arena, "dv_.get%s(%s, true)", js_view_of(s), at);
    return s == STORAGE_BOOL ? arena_printf(k->arena, "%s !== 0", text) : text;
}

static const char *js_spell_set(const bind_classes *k, storage s, const char *at, const char *v)
{
    if (storage_bits(s) == 8 && s != STORAGE_I8)
        return arena_printf(k->arena, "u8_[%s] = %s", at, v);
    return arena_printf(k->arena, "dv_.set%s(%s, %s, true)", js_view_of(s), at, v);
}

/* Whether JavaScript would change a number to store it there. */
static bool js_is_whole(storage s)
{
    return s != STORAGE_NONE && !storage_is_real(s);
}

/* The arguments that say what numbers are right, and whose they are: see whole in pkt.js. */
static const char *js_spell_range(const bind_classes *k, storage s, num low, num high, const char *of, const char *name)
{
    const char *big = ts_is_big(s) ? "n" : "";
    return arena_printf(k->arena, ", %s%s, %s%s, '%s.%s'", num_text(k->arena, low), big, num_text(k->arena, high), big,
                        of, name);
}

/* A member while it is written. */
typedef struct js_sight {
    const char *name, *at; /* in JavaScript; the address */
    const char *each;      /* of texts and bytes: the most bytes */
    const char *length;    /* the elements that there are */
    const char *most;      /* the elements for which there is room */
    const char *count;     /* what begins the statement that sets x_count; or "" */
    const char *type;      /* the class, or NULL */
} js_sight;

static const char *js_spell_view(const bind_classes *k, const bind_member *m, bind_sight how, const js_sight *s,
                                 const char *length)
{
    switch (how) {
    case SIGHT_NONE:
    case SIGHT_NUMBER:
    case SIGHT_POINTER:
    case SIGHT_BYTES: break;
    case SIGHT_NUMBERS:
        return arena_printf(k->arena, "numbers_.%s(%s, %s)",
                            m->kind == BIND_POINTER ? "Uint32" : js_view_of(m->storage), s->at, length);
    case SIGHT_TEXT: return arena_printf(k->arena, "textAt_(%s, %s)", s->at, s->each);
    case SIGHT_TEXTS: return arena_printf(k->arena, "new Texts_(%s, %s, %s)", s->at, s->each, length);
    case SIGHT_BLOBS:
        return arena_printf(k->arena, "new Blobs_(%s, %s, %s, this.%s_size)", s->at, s->each, length, m->name);
    case SIGHT_VIEW: return arena_printf(k->arena, "new %s(%s)", s->type, s->at);
    case SIGHT_VIEWS: return arena_printf(k->arena, "new %s.List(%s, %s)", s->type, s->at, length);
    }
    return "";
}

static const char js_get_and_set[] = "get $name() { return $get; }\n"
                                     "set $name(v) { $set; }\n";

static void js_write_member(const bind_classes *k, const bind_class *t, const bind_member *m, const uint32_t *place)
{
    const bind_sight how = bind_sight_of(t->type, m);
    const field *f = bind_field_of(t->type, m);
    const bool in_union = t->type->form == BIND_UNION && m != t->type->members;
    const bool sized = m->kind == BIND_TEXT || m->kind == BIND_BYTES;
    const uint64_t each = sized ? m->dims[m->dim_count - 1] : 1;
    js_sight s = {.name = ts_member(k, t, m->name),
                  .each = js_number(k, each),
                  .most = js_number(k, m->length / each),
                  .count = ""};
    s.at = *place == 0 ? "this.at_" : arena_printf(k->arena, "this.at_ + %" PRIu32, *place);
    s.type = m->type ? bind_class_of(k, m->type)->name : NULL;
    s.length = s.most;
    if (f && f->array == ARRAY_COUNTED) {
        s.length = arena_printf(k->arena, "least_(this.%s_count, %s)", m->name, s.most);
        s.count = arena_printf(k->arena, "this.%s_count = ", m->name);
    } else if (f && f->array == ARRAY_COMPUTED) {
        s.length = arena_printf(k->arena, "least_(this.%s_count(), %s)", m->name, s.most);
    }
    const char *get = js_spell_view(k, m, how, &s, s.length), *set = "", *v = "v", *range = "";
    const storage stored = m->kind == BIND_POINTER ? STORAGE_U32 : m->storage;
    if ((m->kind == BIND_SCALAR || m->of) && js_is_whole(stored)) {
        range = js_spell_range(k, stored, m->low, m->high, t->type->name, m->name);
        v = arena_printf(k->arena, "whole_(v%s)", range);
    }
    switch (how) {
    case SIGHT_NONE: return;
    case SIGHT_NUMBER:
        get = js_spell_get(k, stored, s.at);
        set = js_spell_set(k, stored, s.at, v);
        break;
    case SIGHT_POINTER:
        get = js_spell_get(k, stored, s.at);
        get = s.type ? arena_printf(k->arena, "viewAt_(%s, %s)", s.type, get) : get;
        set = js_spell_set(k, stored, s.at, s.type ? "addressOf_(v)" : v);
        break;
    case SIGHT_TEXT: set = arena_printf(k->arena, "setText_(%s, %s, v)", s.at, s.each); break;
    case SIGHT_BYTES:
        get = arena_printf(k->arena, "numbers_.Uint8(%s, least_(this.%s_size, %s))", s.at, m->name, s.each);
        set = arena_printf(k->arena, "this.%s_size = setBytes_(%s, %s, v)", m->name, s.at, s.each);
        break;
    case SIGHT_VIEW:
        set = arena_printf(
            k->arena, "%snew %s(%s).set(v)",
            in_union ? arena_printf(k->arena, "this.tag = %s; ", js_number(k, (uint64_t)(place - t->places) - 1)) : "",
            s.type, s.at);
        break;
    case SIGHT_NUMBERS:
    case SIGHT_TEXTS:
    case SIGHT_BLOBS:
    case SIGHT_VIEWS:
        set = arena_printf(k->arena, "%ssetAll_(%s, v%s)", s.count, js_spell_view(k, m, how, &s, s.most), range);
        break;
    }
    out_put(k->to, js_get_and_set, "name", s.name, "get", get, "set", set, NULL);
}

/* ---- functions */

static const char *js_joined(const bind_classes *k, const char *list, const char *word)
{
    return arena_printf(k->arena, "%s%s%s", list, *list ? ", " : "", word);
}

/* Seeds and the like, which have all 64 bits, wrap: that wasm takes bigints so costs a read nothing. */
static const char *js_spell_number(const bind_classes *k, const bind_class *t, const bind_method *m,
                                   const bind_param *p)
{
    num low, high;
    if (!js_is_whole(p->storage) || ts_is_big(p->storage))
        return p->name;
    storage_range(p->storage, &low, &high);
    return arena_printf(
        k->arena, "whole_(%s%s)", p->name,
        js_spell_range(k, p->storage, low, high, t->type->name, arena_printf(k->arena, "%s: %s", m->name, p->name)));
}

/* The greatest size of the data that a method reads, as an argument; "": that of older releases is not known here. */
static const char *js_spell_most(const bind_classes *k, const bind_class *t, const bind_method *m)
{
    return strcmp(m->name, "unpack_any") == 0 ? "" : arena_printf(k->arena, ", %" PRIu64, bind_room_of(t));
}

/* A call of C, and what is made of its result. */
static void js_write_method(const bind_classes *k, const bind_class *t, const bind_method *m, bool tries)
{
    const bind_function *f = m->function;
    const char *params = "", *args = "", *before = "", *after = "";
    bool writes = false;
    for (const bind_param *p = f->params; p; p = p->next) {
        const bool hidden = p == m->self || bind_is_error(p) || p->pass == PASS_WRITE;
        params = hidden ? params : js_joined(k, params, p->name);
        switch (p->pass) {
        case PASS_IN:
        case PASS_OUT:
            args = js_joined(k, args,
                             bind_is_error(p) ? tries ? "0" : "errorAt_()"
                             : p == m->self   ? "this.at_"
                                              : arena_printf(k->arena, "addressOf_(%s)", p->name));
            break;
        case PASS_READ:
            before = arena_printf(k->arena, "%s    const bytes = received_(data%s);\n", before, js_spell_most(k, t, m));
            args = js_joined(k, args, "put_(bytes), bytes.length");
            break;
        case PASS_WRITE:
            writes = true;
            args = js_joined(k, args,
                             arena_printf(k->arena, "room_(%" PRIu64 "), %" PRIu64, bind_room_of(t), bind_room_of(t)));
            break;
        case PASS_NUMBER: args = js_joined(k, args, js_spell_number(k, t, m, p)); break;
        case PASS_STORE:
            before =
                arena_printf(k->arena, "%s    %s;\n", before,
                             js_spell_set(k, p->storage, "storeAt_()", arena_printf(k->arena, "%s.value", p->name)));
            after = arena_printf(k->arena, "    %s.value = %s;\n", p->name, js_spell_get(k, p->storage, "storeAt_()"));
            args = js_joined(k, args, "storeAt_()");
            break;
        }
    }
    const char *call = arena_printf(k->arena, "c_.%s(%s)", f->exported, args);
    if (m->throws && !tries)
        call = arena_printf(k->arena, "check_(%s)", call);
    switch (f->result) {
    case RESULT_VOID: break;
    case RESULT_BOOL: call = arena_printf(k->arena, "%s !== 0", call); break;
    case RESULT_SIZE: call = writes ? arena_printf(k->arena, "written_(%s)", call) : call; break;
    case RESULT_NUMBER:
        if (f->storage == STORAGE_U64)
            call = arena_printf(k->arena, "unsigned_(%s)", call);
        else if (f->storage == STORAGE_U32)
            call = arena_printf(k->arena, "%s >>> 0", call);
        break;
    case RESULT_POINTER: call = arena_printf(k->arena, "viewAt_(%s, %s)", bind_class_of(k, f->type)->name, call); break;
    }
    const char *result = f->result == RESULT_VOID ? "" : *after ? "const result = " : "return ";
    out_put(k->to, "$static$try$name($params) {\n$before    $result$call;\n$after$last}\n", "static",
            m->self ? "" : "static ", "try", tries ? "try_" : "", "name", m->name, "params", params, "before", before,
            "result", result, "call", call, "after", after, "last",
            *after && f->result != RESULT_VOID ? "    return result;\n" : "", NULL);
}

/* ---- classes */

/* What a class is, besides its members: the names of these, as toObject lists them. */
static void js_write_statics(const bind_classes *k, const bind_class *t)
{
    const char *list = "";
    for (const bind_member *m = t->type->members; m; m = m->next)
        if (bind_sight_of(t->type, m) != SIGHT_NONE && (t->type->form != BIND_UNION || m != t->type->members))
            list = js_joined(k, list, arena_printf(k->arena, "'%s'", ts_member(k, t, m->name)));
    if (t->type->form == BIND_OPAQUE) {
        out_put(k->to, "static get SIZE() { return c_.bind_${type}_size_(); }\n", "type", t->type->c_name, NULL);
    } else {
        out_put(k->to, "static SIZE = $size;\nstatic $list = [$names];\n", "size", js_number(k, t->size), "list",
                t->type->form == BIND_UNION ? "arms" : "members", "names", list, NULL);
    }
    for (const bind_class_constant *c = t->constants; c; c = c->next)
        out_put(k->to, "static $name = $value;\n", "name", c->name, "value", ts_constant_text(k, c->constant), NULL);
}

static const char js_list_class[] = "static List = class extends Views_ {\n"
                                    "    constructor(at, length) {\n"
                                    "        super();\n"
                                    "        this.at_ = at;\n"
                                    "        this.length = length;\n"
                                    "    }\n"
                                    "    at(index, view) {\n"
                                    "        if (!(index >= 0 && index < this.length)) outside_(index, this.length);\n"
                                    "        const at = this.at_ + index * $size;\n"
                                    "        if (view === undefined) return new $name(at);\n"
                                    "        view.at_ = at;\n"
                                    "        return view;\n"
                                    "    }\n"
                                    "};\n";

/* Whether arrays have its values. */
static bool js_is_listed(const bind_classes *k, const bind_type *element)
{
    for (const bind_type *t = k->b->types; t; t = t->next)
        for (const bind_member *m = t->members; m; m = m->next)
            if (m->type == element && bind_sight_of(t, m) == SIGHT_VIEWS)
                return true;
    return strcmp(element->name, "pkt_element") == 0;
}

static void js_write_class(const bind_classes *k, const bind_class *t)
{
    out_put(k->to, "export class $name extends View_ {\n", "name", t->name, NULL);
    out_indent(k->to);
    out_put(k->to, "constructor(at) {\n    super();\n    this.at_ = at;\n}\n", NULL);
    if (js_is_listed(k, t->type))
        out_put(k->to, js_list_class, "name", t->name, "size", js_number(k, t->size), NULL);
    js_write_statics(k, t);
    const uint32_t *place = t->places;
    for (const bind_member *m = t->type->members; m; m = m->next)
        js_write_member(k, t, m, place++);
    for (const bind_method *m = t->methods; m; m = m->next) {
        if (t->type->form == BIND_OPAQUE && strcmp(m->name, "size") == 0)
            continue;
        js_write_method(k, t, m, false);
        if (m->tries)
            js_write_method(k, t, m, true);
    }
    out_close(k->to);
    out_add(k->to, "\n");
}

static void js_write_enums(const bind_classes *k)
{
    for (const decl *d = k->b->schema->decls; d; d = d->next)
        if (d->kind == DECL_ENUM || d->kind == DECL_FLAGS || d->kind == DECL_UNION)
            out_put(k->to, "export const $name = Object.freeze({\n$members});\n\n", "name", ts_enum_name(k, d),
                    "members", ts_enumerators(k, d, "    $name: $value,\n"), NULL);
}

/* ---- files */

static const char js_head[] =
    "/* $stem.js - the types and functions of $stem.pkt in JavaScript" BANNER_GENERATED " */\n"
    "import {\n"
    "    u8 as u8_, dv as dv_, c as c_, View as View_, Views as Views_, outside as outside_, Texts as Texts_, Blobs as Blobs_,\n"
    "    numbers as numbers_, least as least_, whole as whole_, textAt as textAt_, setText as setText_, setBytes as setBytes_, setAll as setAll_,\n"
    "    viewAt as viewAt_, addressOf as addressOf_, received as received_, put as put_, room as room_, written as written_, check as check_,\n"
    "    errorAt as errorAt_, storeAt as storeAt_, unsigned as unsigned_, load as load_pkt_,\n"
    "} from './pkt.js';\n"
    "export { PktError } from './pkt.js';\n"
    "\n"
    "/** Starts the C functions: before the first value is made. */\n"
    "export function load(wasm = new URL('./$stem.wasm', import.meta.url)) {\n"
    "    return load_pkt_(wasm, '$name', layout_);\n"
    "}\n"
    "\n"
    "export const PROTOCOL_ID = ${id}n;\n";

void bind_ts(const bindings *b, out *to)
{
    bind_classes k;
    ts_begin(&k, b, to);
    const char *id = arena_printf(k.arena, "0x%016" PRIx64, b->schema->protocol ? b->schema->id : 0);
    out_put(to, js_head, "stem", b->stem, "name", b->name, "id", id, NULL);
    for (const bind_class_constant *c = k.constants; c; c = c->next)
        out_put(to, "export const $name = $value;\n", "name", c->name, "value", ts_constant_text(&k, c->constant),
                NULL);
    out_add(to, "\n");
    js_write_enums(&k);
    for (size_t i = 0; i < k.count; i++)
        js_write_class(&k, &k.types[i]);
    out_put(to,
            "// The size of each type, and where its members are, which load compares with C.\nconst layout_ = [\n"
            "    ['PROTOCOL_ID', PROTOCOL_ID],\n",
            NULL);
    for (const bind_class *t = k.types; t != k.types + k.count; t++) {
        const char *places = "";
        const uint32_t *place = t->places;
        for (const bind_member *m = t->type->members; m; m = m->next)
            places = arena_printf(k.arena, "%s, %" PRIu32, places, *place++);
        if (t->type->form != BIND_OPAQUE)
            out_put(to, "    ['$type', $size$places],\n", "type", t->name, "size", js_number(&k, t->size), "places",
                    places, NULL);
    }
    out_add(to, "];\n");
}

/* The name of a package has no capitals. */
void bind_ts_package(const bindings *b, out *to)
{
    const schema *s = b->schema;
    char *name = arena_printf(b->arena, "%s", s->protocol ? s->protocol : b->stem);
    for (char *at = name; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    out_put(to,
            "{\n"
            "    \"name\": \"$name\",\n"
            "    \"version\": \"$version.0.0\",\n"
            "    \"type\": \"module\",\n"
            "    \"exports\": {\n"
            "        \".\": {\"types\": \"./$stem.d.ts\", \"default\": \"./$stem.js\"},\n"
            "        \"./pkt.js\": {\"types\": \"./pkt.d.ts\", \"default\": \"./pkt.js\"},\n"
            "        \"./$stem.wasm\": \"./$stem.wasm\"\n"
            "    },\n"
            "    \"files\": [\"$stem.js\", \"$stem.d.ts\", \"$stem.wasm\", \"pkt.js\", \"pkt.d.ts\"]\n"
            "}\n",
            "name", name, "version", s->protocol ? num_text(b->arena, s->version) : "1", "stem", b->stem, NULL);
}

void bind_ts_runtime(const bindings *b, out *to)
{
    (void)b;
    bind_put_file(to, "pkt.js");
}

void bind_ts_runtime_types(const bindings *b, out *to)
{
    (void)b;
    bind_put_file(to, "pkt.d.ts");
}
