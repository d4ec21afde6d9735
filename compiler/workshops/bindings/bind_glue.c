/* bind_glue.c - writes NAME_bind.c, the C that other languages call: functions that are not inline, and a table of where
 * members are in memory.
 * SPDX-License-Identifier: MIT
 */
#include "bindings/bindings.h"
#include "base/banner.h"
#include "emit/cname.h"

#include <inttypes.h>
#include <string.h>

static const char glue_head[] =
    "/* ${stem}_bind.c - what other languages call of $stem.h" BANNER_GENERATED "\n"
    " *\n"
    " * Compile it with $stem.c and pkt.c. Sizes are in bytes; -1 or 0 if a function failed, as in $stem.h. */\n"
    "#include \"$header\"\n"
    "\n"
    "#include <stddef.h>\n"
    "\n"
    "#ifdef __wasm__\n"
    "#define BIND_API(name) __attribute__((export_name(#name))) PKT_API\n"
    "#else\n"
    "#define BIND_API(name) PKT_API\n"
    "#endif\n"
    "\n"
    "PKT_DEPRECATED_OWN\n"
    "\n"
    "PKT_INLINE size_t bind_size(int32_t size)\n"
    "{\n"
    "    return size > 0 ? (size_t)size : 0;\n"
    "}\n"
    "\n"
    "/* What points to an object in C is the number of its id in other languages. */\n"
    "PKT_INLINE uint32_t bind_id_of(void *user, uint32_t type, const void *target)\n"
    "{\n"
    "    (void)user;\n"
    "    (void)type;\n"
    "    return (uintptr_t)target <= UINT32_MAX ? (uint32_t)(uintptr_t)target : UINT32_MAX;\n"
    "}\n"
    "PKT_INLINE void *bind_target_of(void *user, uint32_t type, uint32_t id)\n"
    "{\n"
    "    (void)user;\n"
    "    (void)type;\n"
    "    return (void *)(uintptr_t)id;\n"
    "}\n"
    "PKT_INLINE pkt_refs *bind_refs(void)\n"
    "{\n"
    "    static pkt_refs refs = {bind_id_of, bind_target_of, NULL, 0};\n"
    "    return &refs;\n"
    "}\n"
    "\n";

static const char *c_result(const bind_function *f, arena *a)
{
    switch (f->result) {
    case RESULT_VOID: return "void ";
    case RESULT_BOOL:
    case RESULT_SIZE: return "int32_t ";
    case RESULT_NUMBER: return arena_printf(a, "%s ", cname_storage(f->storage));
    case RESULT_POINTER: break;
    }
    return arena_printf(a, "%s *", f->type->c_name);
}

static const char *c_param(const bind_param *p, arena *a)
{
    switch (p->pass) {
    case PASS_IN: return arena_printf(a, "const %s *%s", p->type->c_name, p->name);
    case PASS_OUT: return arena_printf(a, "%s *%s", p->type->c_name, p->name);
    case PASS_READ: return "const void *data, int32_t size";
    case PASS_WRITE: return "void *data, int32_t size";
    case PASS_STORE: return arena_printf(a, "%s *%s", cname_storage(p->storage), p->name);
    case PASS_NUMBER: break;
    }
    return arena_printf(a, "%s %s", cname_storage(p->storage), p->name);
}

const char *bind_prototype(arena *a, const bind_function *f)
{
    const char *params = "";
    for (const bind_param *p = f->params; p; p = p->next)
        params = arena_printf(a, "%s%s%s", params, *params ? ", " : "", c_param(p, a));
    return arena_printf(a, "%s%s(%s)", c_result(f, a), f->exported, *params ? params : "void");
}

static void write_function(const bindings *b, const bind_function *f, out *to)
{
    out_put(to, "BIND_API($name) $line;\n$line\n$body\n", "name", f->exported, "line", bind_prototype(b->arena, f),
            "body", f->body, NULL);
}

uint64_t bind_layout_count(const bindings *b)
{
    uint64_t count = 1;
    for (const bind_type *t = b->types; t; t = t->next)
        for (const bind_member *m = t->form == BIND_OPAQUE ? NULL : t->members; m; m = m->next)
            count += m == t->members ? 2 : 1;
    return count;
}

/* The types come in an order that all languages know: that of bindings.types. */
static void write_layout(const bindings *b, out *to)
{
    out_put(to,
            "BIND_API(bind_${name}_layout_) const uint64_t *bind_${name}_layout_(void);\n"
            "const uint64_t *bind_${name}_layout_(void)\n"
            "{\n"
            "    static const uint64_t layout[] = {\n",
            "name", b->name, NULL);
    out_format(to, "        %" PRIu64 ", UINT64_C(0x%016" PRIx64 "),\n", bind_layout_count(b),
               b->schema->protocol ? b->schema->id : 0);
    for (const bind_type *t = b->types; t; t = t->next) {
        if (t->form == BIND_OPAQUE)
            continue;
        out_format(to, "        sizeof(%s),\n", t->c_name);
        for (const bind_member *m = t->members; m; m = m->next)
            out_format(to, "        offsetof(%s, %s%s),\n", t->c_name,
                       t->form == BIND_UNION && m != t->members ? "as." : "", m->name);
    }
    out_add(to, "    };\n    return layout;\n}\n");
}

void bind_glue(const bindings *b, out *to)
{
    out_put(to, glue_head, "stem", b->stem, "header",
            arena_printf(b->arena, b->releases ? "%s_upgrade.h" : "%s.h", b->stem), NULL);
    for (const bind_function *f = b->functions; f; f = f->next)
        write_function(b, f, to);
    write_layout(b, to);
    out_add(to, "\nPKT_DEPRECATED_END\n");
}
