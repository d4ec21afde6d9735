/* bind_godot.c - the types and functions of a schema as classes of Godot: tables for pkt_godot.h, in C.
 * SPDX-License-Identifier: MIT
 */
#include "bindings/bind_classes.h"
#include "base/banner.h"
#include "emit/cname.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* ---- names */

/* Names of GDScript that are none of C++, and those that every object has. */
static const char godot_taken[] =
    " and as assert await breakpoint class_name elif extends func in is match not null or pass preload self signal super trait"
    " var when yield INF NAN PI TAU"
    " add_user_signal call call_deferred callv can_translate_messages cancel_free connect disconnect emit_signal free get"
    " get_class get_incoming_connections get_indexed get_instance_id get_meta get_meta_list get_method_argument_count"
    " get_method_list get_property_list get_reference_count get_script get_signal_connection_list get_signal_list"
    " get_translation_domain has_connections has_meta has_method has_signal has_user_signal init_ref is_blocking_signals"
    " is_class is_connected is_queued_for_deletion notification notify_property_list_changed property_can_revert"
    " property_get_revert reference remove_meta remove_user_signal script set set_block_signals set_deferred set_indexed"
    " set_message_translation set_meta set_script set_translation_domain to_string tr tr_n unreference ";

static const char *godot_name(arena *a, const char *name)
{
    const char *plain = arena_printf(a, "%.*s", (int)(strlen(name) - (name[strlen(name) - 1] == '_')), name);
    return strstr(godot_taken, arena_printf(a, " %s ", plain)) ? arena_printf(a, "%s_", plain) : plain;
}

/* A member may not have the name of a function, too. */
static const char *godot_member(const bind_classes *k, const bind_class *t, const char *name)
{
    for (const bind_method *m = t->methods; m; m = m->next)
        if (strcmp(m->name, name) == 0)
            return arena_printf(k->arena, "%s_", name);
    return godot_name(k->arena, name);
}

/* "GameToClientRing" of ToClient_ring, for the schema game. Classes of all extensions share their names. */
static const char *godot_class_name(const bind_classes *k, const char *name)
{
    char *to = arena_printf(k->arena, "%s_%s", k->b->name, name), *end = to;
    bool starts = true;
    for (const char *at = to; *at; at++) {
        if (*at != '_')
            *end++ = starts ? (char)toupper((unsigned char)*at) : *at;
        starts = *at == '_';
    }
    *end = 0;
    for (size_t i = 0; i < k->count; i++)
        if (k->types[i].name && strcmp(k->types[i].name, to) == 0)
            return arena_printf(k->arena, "%s_", to);
    return to;
}

static const char *godot_of(const bind_classes *k, const decl *d)
{
    return d->kind == DECL_UNION ? arena_printf(k->arena, "%s_tag", d->name) : godot_name(k->arena, d->name);
}

static const char *godot_literal(arena *a, const char *text)
{
    const char *spelled = text ? "\"" : "NULL";
    for (const char *at = text; at && *at; at++)
        spelled = *at == '\n'                 ? arena_printf(a, "%s\\n", spelled)
                  : *at == '"' || *at == '\\' ? arena_printf(a, "%s\\%c", spelled, *at)
                                              : arena_printf(a, "%s%c", spelled, *at);
    return text ? arena_printf(a, "%s\"", spelled) : spelled;
}

static const char *godot_kind_of(storage s)
{
    switch (s) {
    case STORAGE_NONE: break;
    case STORAGE_BOOL: return "BOOL";
    case STORAGE_U8: return "U8";
    case STORAGE_U16: return "U16";
    case STORAGE_U32: return "U32";
    case STORAGE_U64: return "U64";
    case STORAGE_I8: return "I8";
    case STORAGE_I16: return "I16";
    case STORAGE_I32: return "I32";
    case STORAGE_I64: return "I64";
    case STORAGE_FLOAT: return "FLOAT";
    case STORAGE_DOUBLE: return "DOUBLE";
    }
    return "NONE";
}

/* In C. */
static const char *godot_class(const bind_classes *k, const bind_type *t)
{
    return arena_printf(k->arena, "&classes_[%s_class_]", t->c_name);
}

/* Whether a value has a pointer to a value of the program. Rings have copies. */
static bool godot_points(const bind_type *t)
{
    const size_t size = strlen(t->name);
    if (t->form == BIND_OPAQUE)
        return size < 5 || strcmp(t->name + size - 5, "_ring") != 0;
    for (const bind_member *m = t->members; m; m = m->next)
        if (m->type && (m->kind == BIND_POINTER || godot_points(m->type)))
            return true;
    return false;
}

/* ---- members */

static unsigned godot_number_of(const bind_type *t, const char *name)
{
    unsigned number = 0;
    for (const bind_member *m = t->members; m && strcmp(m->name, name) != 0; m = m->next)
        number++;
    return number;
}

static void godot_put_member(const bind_classes *k, const bind_class *t, const bind_member *m)
{
    arena *a = k->arena;
    const bool in_union = t->type->form == BIND_UNION && m != t->type->members;
    const bool sized = m->kind == BIND_TEXT || m->kind == BIND_BYTES;
    const uint64_t each = sized ? m->dims[m->dim_count - 1] : 1;
    const field *f = bind_field_of(t->type, m);
    const char *kind = m->kind == BIND_TEXT                      ? "TEXT"
                       : m->kind == BIND_BYTES                   ? "BYTES"
                       : m->kind == BIND_TYPE                    ? "VALUE"
                       : m->kind == BIND_POINTER                 ? m->type ? "POINTER" : "ID"
                       : bind_sight_of(t->type, m) == SIGHT_NONE ? "NONE"
                                                                 : godot_kind_of(m->storage);
    const char *size = sized                     ? arena_printf(a, "%" PRIu64, each)
                       : m->kind == BIND_TYPE    ? arena_printf(a, "sizeof(%s)", m->type->c_name)
                       : m->kind == BIND_POINTER ? "sizeof(void *)"
                                                 : arena_printf(a, "sizeof(%s)", cname_storage(m->storage));
    const char *more = "";
    if (m->dim_count > (sized ? 1u : 0u))
        more = arena_printf(a, "%s, .length = %" PRIu64, more, m->length / each);
    if (f && f->array == ARRAY_COUNTED)
        more =
            arena_printf(a, "%s, .counted = %u", more, godot_number_of(t->type, arena_printf(a, "%s_count", m->name)));
    if (m->kind == BIND_BYTES)
        more = arena_printf(a, "%s, .sized = %u", more, godot_number_of(t->type, arena_printf(a, "%s_size", m->name)));
    if (f && f->array == ARRAY_COMPUTED)
        more = arena_printf(a, "%s, .count = run_bind_%s_%s_count_", more, t->type->c_name, m->name);
    if (m->type)
        more = arena_printf(a, "%s, .type = %s", more, godot_class(k, m->type));
    if (m->is_code || (m->of && m->kind == BIND_SCALAR))
        more = arena_printf(a, "%s, .of = \"%s.%s\"", more, godot_class_name(k, "Packets"),
                            m->is_code ? "pkt_code" : godot_of(k, m->of));
    if (m->of && m->of->kind == DECL_FLAGS)
        more = arena_printf(a, "%s, .flags = true", more);
    if (m->doc)
        more = arena_printf(a, "%s,\n .doc = %s", more, godot_literal(a, m->doc));
    out_put(
        k->to,
        "    {.name = \"$name\", .kind = PKT_GODOT_$kind, .place = offsetof($type, $as$member), .size = $size$more},\n",
        "name", godot_member(k, t, m->name), "kind", kind, "type", t->type->c_name, "as", in_union ? "as." : "",
        "member", m->name, "size", size, "more", more, NULL);
}

static void godot_put_members(const bind_classes *k, const bind_class *t)
{
    if (t->type->members)
        out_put(k->to, "static const pkt_godot_member ${type}_members_[] = {\n", "type", t->type->c_name, NULL);
    for (const bind_member *m = t->type->members; m; m = m->next)
        godot_put_member(k, t, m);
    if (t->type->members)
        out_add(k->to, "};\n");
}

/* ---- functions */

static bool godot_is_order(const bind_param *p)
{
    return p->type && strcmp(p->type->name, "pkt_element") == 0;
}

static bool godot_is_real(storage s)
{
    return s == STORAGE_FLOAT || s == STORAGE_DOUBLE;
}

/* The function that calls C, with the arguments that pkt_godot.h has prepared. */
static void godot_put_run(const bind_classes *k, const bind_function *f)
{
    arena *a = k->arena;
    const char *args = "", *before = "", *after = "";
    int i = 0;
    for (const bind_param *p = f->params; p; p = p->next, i++) {
        const char *arg = arena_printf(a, "a_[%d].pointer", i);
        if (p->pass == PASS_READ || p->pass == PASS_WRITE) {
            arg = arena_printf(a, "%s, (int32_t)a_[%d].number", arg, i + 1);
            i++;
        } else if (p->pass == PASS_NUMBER) {
            arg = arena_printf(a, godot_is_real(p->storage) ? "(%s)a_[%d].real" : "(%s)a_[%d].number",
                               cname_storage(p->storage), i);
        } else if (p->pass == PASS_STORE && strcmp(p->name, "count") != 0) {
            const char *word = cname_storage(p->storage);
            before =
                arena_printf(a, "%s    %s %s_ = (%s)*(int64_t *)a_[%d].pointer;\n", before, word, p->name, word, i);
            after = arena_printf(a, "%s    *(int64_t *)a_[%d].pointer = (int64_t)%s_;\n", after, i, p->name);
            arg = arena_printf(a, "&%s_", p->name);
        }
        args = arena_printf(a, "%s%s%s", args, *args ? ", " : "", arg);
    }
    const char *result = f->result == RESULT_VOID                                  ? ""
                         : f->result == RESULT_POINTER                             ? "r_->pointer = "
                         : f->result == RESULT_NUMBER && godot_is_real(f->storage) ? "r_->real = "
                                                                                   : "r_->number = (int64_t)";
    out_put(k->to,
            "static void run_$exported(const pkt_godot_value *a_, pkt_godot_value *r_)\n{\n$unused$before"
            "    $result$exported($args);\n$after}\n",
            "exported", f->exported, "unused", f->result == RESULT_VOID ? "    (void)r_;\n" : "", "before", before,
            "result", result, "args", args, "after", after, NULL);
}

static const char *godot_param(const bind_classes *k, const bind_method *m, const bind_param *p)
{
    const char *pass = "OUT", *more = "";
    switch (p->pass) {
    case PASS_IN:
    case PASS_OUT:
        pass = p == m->self ? "SELF" : godot_is_order(p) ? "ORDER" : p->pass == PASS_IN ? "IN" : "OUT";
        more = arena_printf(k->arena, ", .type = %s%s", godot_class(k, p->type),
                            bind_is_error(p) || bind_may_be_null(p) ? ", .optional = true" : "");
        break;
    case PASS_READ: pass = "READ"; break;
    case PASS_WRITE: pass = "WRITE"; break;
    case PASS_NUMBER:
        pass = "NUMBER";
        more = arena_printf(k->arena, ", .kind = PKT_GODOT_%s", godot_kind_of(p->storage));
        break;
    case PASS_STORE:
        if (strcmp(p->name, "count") == 0)
            pass = "COUNT";
        else
            more = ", .type = &classes_[number_class_]";
        break;
    }
    return arena_printf(k->arena, "\n      {.name = \"%s\", .pass = PKT_GODOT_%s%s},", godot_name(k->arena, p->name),
                        pass, more);
}

static void godot_put_function(const bind_classes *k, const bind_class *t, const bind_method *m)
{
    const bind_function *f = m->function;
    const char *params = "", *more = "";
    unsigned count = 0;
    bool writes = false, points = false, reads = false;
    for (const bind_param *p = f->params; p; p = p->next, count++) {
        params = arena_printf(k->arena, "%s%s", params, godot_param(k, m, p));
        writes |= p->pass == PASS_WRITE;
        points |= p->pass == PASS_OUT && godot_points(p->type);
        reads |= p->pass == PASS_IN;
    }
    const char *result = f->result == RESULT_VOID      ? "NONE"
                         : f->result == RESULT_POINTER ? "POINTER"
                         : writes                      ? "BYTES"
                         : f->result == RESULT_BOOL    ? "BOOL"
                         : f->result == RESULT_SIZE    ? "I32"
                                                       : godot_kind_of(f->storage);
    if (f->result == RESULT_POINTER)
        more = arena_printf(k->arena, ", .type = %s", godot_class(k, f->type));
    if (writes)
        more = arena_printf(k->arena, "%s, .room = %" PRIu64, more, bind_room_of(t));
    if (points && reads)
        more = arena_printf(k->arena, "%s, .keeps = true", more);
    out_put(k->to,
            "    {.name = \"$name\", .run = run_$exported, .result = PKT_GODOT_$result$more, .count = $count, "
            ".params = {$params}},\n",
            "name", godot_name(k->arena, m->name), "exported", f->exported, "result", result, "more", more, "count",
            arena_printf(k->arena, "%u", count), "params", params, NULL);
}

/* A program has no memory to reserve. */
static bool godot_hides(const bind_class *t, const bind_method *m)
{
    return t->type->form == BIND_OPAQUE && strcmp(m->name, "size") == 0;
}

static unsigned godot_put_functions(const bind_classes *k, const bind_class *t)
{
    unsigned count = 0;
    for (const bind_method *m = t->methods; m; m = m->next)
        if (!godot_hides(t, m)) {
            godot_put_run(k, m->function);
            count++;
        }
    if (count == 0)
        return 0;
    out_put(k->to, "static const pkt_godot_function ${type}_functions_[] = {\n", "type", t->type->c_name, NULL);
    for (const bind_method *m = t->methods; m; m = m->next)
        if (!godot_hides(t, m))
            godot_put_function(k, t, m);
    out_add(k->to, "};\n");
    return count;
}

/* ---- constants */

static const char *const godot_codes[] = {"ok",        "end",      "range", "order",    "padding", "utf8",    "check",
                                          "canonical", "trailing", "crc",   "capacity", "value",   "baseline"};

static void godot_put_constant(const bind_classes *k, const char *name, const char *of, bool flags, num n)
{
    const uint64_t bits = n.negative ? UINT64_C(0) - n.magnitude : n.magnitude;
    out_put(k->to, "    {\"$name\", \"$of\", $flags, (int64_t)UINT64_C($value)},\n", "name", name, "of", of, "flags",
            flags ? "true" : "false", "value", arena_printf(k->arena, "%" PRIu64, bits), NULL);
}

static unsigned godot_put_constants(const bind_classes *k, const bind_class *t)
{
    unsigned count = 0;
    for (const bind_class_constant *c = t->constants; c; c = c->next, count++) {
        if (count == 0)
            out_put(k->to, "static const pkt_godot_constant ${type}_constants_[] = {\n", "type", t->type->c_name, NULL);
        godot_put_constant(k, c->name, "", false, c->constant->number);
    }
    if (count != 0)
        out_add(k->to, "};\n");
    return count;
}

/* Those of the schema: integers as constants, real numbers as functions, because Godot has no such constants. */
static void godot_put_own(const bind_classes *k, unsigned *constants, unsigned *functions)
{
    *constants = 1;
    *functions = 0;
    for (const bind_class_constant *c = k->constants; c; c = c->next)
        if (c->constant->is_real)
            out_put(
                k->to,
                "static void run_${name}_(const pkt_godot_value *a_, pkt_godot_value *r_)\n{\n    (void)a_;\n    r_->real = $value;\n}\n",
                "name", c->name, "value", cname_real(k->arena, c->constant->real, STORAGE_DOUBLE), NULL);
    out_add(k->to, "static const pkt_godot_constant own_constants_[] = {\n");
    godot_put_constant(k, "PROTOCOL_ID", "", false, num_u64(k->b->schema->protocol ? k->b->schema->id : 0));
    for (const bind_class_constant *c = k->constants; c; c = c->next)
        if (!c->constant->is_real) {
            godot_put_constant(k, godot_name(k->arena, c->name), "", false, c->constant->number);
            ++*constants;
        }
    for (const decl *d = k->b->schema->decls; d; d = d->next) {
        uint64_t number = 0;
        const bool listed = d->kind == DECL_ENUM || d->kind == DECL_FLAGS || d->kind == DECL_UNION;
        for (const member *m = listed ? d->members : NULL; m; m = m->next, ++*constants)
            godot_put_constant(
                k, arena_printf(k->arena, d->kind == DECL_UNION ? "%s_tag_%s" : "%s_%s", d->name, m->name),
                godot_of(k, d), d->kind == DECL_FLAGS, d->kind == DECL_UNION ? num_u64(number++) : m->value);
    }
    for (size_t i = 0; i < sizeof godot_codes / sizeof *godot_codes; i++, ++*constants)
        godot_put_constant(k, arena_printf(k->arena, "pkt_code_%s", godot_codes[i]), "pkt_code", false, num_u64(i));
    out_add(k->to, "};\nstatic const pkt_godot_function own_functions_[] = {\n");
    for (const bind_class_constant *c = k->constants; c; c = c->next)
        if (c->constant->is_real) {
            out_put(k->to, "    {.name = \"$called\", .run = run_${name}_, .result = PKT_GODOT_DOUBLE},\n", "called",
                    godot_name(k->arena, c->name), "name", c->name, NULL);
            ++*functions;
        }
    out_add(k->to, "    {.name = NULL},\n};\n"); /* C has no empty arrays */
}

/* ---- the file */

static const char godot_head[] =
    "/* ${stem}_godot.c - the types and functions of $stem.pkt as classes of Godot" BANNER_GENERATED "\n"
    " *\n"
    " * A GDExtension: compile it with $stem.c, ${stem}_bind.c and pkt.c. */\n"
    "#include \"pkt_godot.h\"\n"
    "#include \"$header\"\n"
    "\n"
    "#include <stddef.h>\n"
    "\n"
    "PKT_DEPRECATED_OWN\n"
    "\n"
    "const uint64_t *bind_${name}_layout_(void);\n";

static const char godot_entry[] =
    "#if defined(_WIN32)\n"
    "#define GODOT_ENTRY_ __declspec(dllexport)\n"
    "#else\n"
    "#define GODOT_ENTRY_ __attribute__((visibility(\"default\")))\n"
    "#endif\n"
    "GODOT_ENTRY_ GDExtensionBool ${name}_godot_init(GDExtensionInterfaceGetProcAddress find_, GDExtensionClassLibraryPtr library_,\n"
    "    GDExtensionInitialization *initialization_);\n"
    "GDExtensionBool ${name}_godot_init(GDExtensionInterfaceGetProcAddress find_, GDExtensionClassLibraryPtr library_,\n"
    "    GDExtensionInitialization *initialization_)\n"
    "{\n"
    "    pkt_godot.stem = \"$stem\";\n"
    "    pkt_godot.classes = classes_;\n"
    "    pkt_godot.class_count = count_of_classes_;\n"
    "    pkt_godot.layout = bind_${name}_layout_;\n"
    "    pkt_godot.layout_count = $members;\n"
    "    pkt_godot.id = UINT64_C($id);\n"
    "    return pkt_godot_begin(find_, library_, initialization_);\n"
    "}\n"
    "\n"
    "PKT_DEPRECATED_END\n";

typedef struct godot_counts {
    unsigned functions, constants;
} godot_counts;

static void godot_put_class(const bind_classes *k, const bind_class *t, const godot_counts *counts)
{
    const bind_type *of = t->type;
    unsigned members = 0;
    const char *more = "";
    for (const bind_member *m = of->members; m; m = m->next)
        members++;
    for (const bind_method *m = t->methods; m; m = m->next)
        if (strcmp(m->name, "init") == 0)
            more = arena_printf(k->arena, "%s, .init = run_%s", more, m->function->exported);
    if (of->decl && of->decl->doc)
        more = arena_printf(k->arena, "%s,\n .doc = %s", more, godot_literal(k->arena, of->decl->doc));
    if (of->form == BIND_UNION)
        more = arena_printf(k->arena, "%s, .is_union = true", more);
    if (godot_points(of))
        more = arena_printf(k->arena, "%s, .points = true", more);
    if (of->form != BIND_OPAQUE)
        more = arena_printf(k->arena, "%s, .laid_out = true,\n .members = %s_members_, .member_count = %u", more,
                            of->c_name, members);
    if (counts->functions != 0)
        more = arena_printf(k->arena, "%s,\n .functions = %s_functions_, .function_count = %u", more, of->c_name,
                            counts->functions);
    if (counts->constants != 0)
        more = arena_printf(k->arena, "%s,\n .constants = %s_constants_, .constant_count = %u", more, of->c_name,
                            counts->constants);
    out_put(k->to, "    {.name = \"$name\", .size = sizeof($type)$more},\n", "name", t->name, "type", of->c_name,
            "more", more, NULL);
}

void bind_godot(const bindings *b, out *to)
{
    bind_classes k;
    unsigned constants, functions;
    bind_classes_begin(&k, b, godot_name, to);
    for (size_t i = 0; i < k.count; i++)
        k.types[i].name = NULL;
    for (size_t i = 0; i < k.count; i++)
        k.types[i].name = godot_class_name(&k, k.types[i].type->name);
    godot_counts *counts = ARENA_ARRAY(k.arena, godot_counts, k.count);
    out_put(to, godot_head, "stem", b->stem, "name", b->name, "header",
            arena_printf(b->arena, b->releases ? "%s_upgrade.h" : "%s.h", b->stem), NULL);
    for (const bind_function *f = b->functions; f; f = f->next)
        out_put(to, "$line;\n", "line", bind_prototype(b->arena, f), NULL);
    out_add(to, "\nenum {\n    own_class_,\n    number_class_,\n");
    for (size_t i = 0; i < k.count; i++)
        out_put(to, "    ${type}_class_,\n", "type", k.types[i].type->c_name, NULL);
    out_add(to, "    count_of_classes_\n};\nstatic pkt_godot_class classes_[count_of_classes_];\n");
    for (size_t i = 0; i < k.count; i++) {
        out_add(to, "\n");
        counts[i].functions = godot_put_functions(&k, &k.types[i]);
        godot_put_members(&k, &k.types[i]);
        counts[i].constants = godot_put_constants(&k, &k.types[i]);
    }
    out_add(to, "\n");
    godot_put_own(&k, &constants, &functions);
    out_put(
        to,
        "static const pkt_godot_member number_members_[] = {\n"
        "    {.name = \"value\", .kind = PKT_GODOT_I64, .size = sizeof(int64_t)},\n"
        "};\n\n"
        "static pkt_godot_class classes_[count_of_classes_] = {\n"
        "    {.name = \"$own\",\n .constants = own_constants_, .constant_count = $constants, .functions = own_functions_,\n"
        "     .function_count = $functions},\n"
        "    {.name = \"$number\", .size = sizeof(int64_t), .members = number_members_, .member_count = 1,\n"
        "     .doc = \"A number that a function sets.\"},\n",
        "own", godot_class_name(&k, "Packets"), "constants", arena_printf(b->arena, "%u", constants), "functions",
        arena_printf(b->arena, "%u", functions), "number", godot_class_name(&k, "pkt_number"), NULL);
    for (size_t i = 0; i < k.count; i++)
        godot_put_class(&k, &k.types[i], &counts[i]);
    out_add(to, "};\n\n");
    out_put(to, godot_entry, "name", b->name, "stem", b->stem, "members",
            arena_printf(b->arena, "%" PRIu64, bind_layout_count(b)), "id",
            arena_printf(b->arena, "0x%016" PRIx64, b->schema->protocol ? b->schema->id : 0), NULL);
}

void bind_godot_runtime(const bindings *b, out *to)
{
    (void)b;
    bind_put_file(to, "pkt_godot.h");
}

void bind_godot_project(const bindings *b, out *to)
{
    out_put(to,
            "[configuration]\n"
            "entry_symbol = \"${name}_godot_init\"\n"
            "compatibility_minimum = \"4.2\"\n"
            "\n"
            "[libraries]\n"
            "linux.x86_64 = \"res://lib$stem.so\"\n"
            "macos = \"res://lib$stem.dylib\"\n"
            "windows.x86_64 = \"res://$stem.dll\"\n",
            "name", b->name, "stem", b->stem, NULL);
}
