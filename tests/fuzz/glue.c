/* glue.c - writes glue.c, with which the generated C of a schema exports its types.
 * SPDX-License-Identifier: MIT
 */
#include "glue.h"
#include "base/out.h"

#include <inttypes.h>

bool is_value(const decl *d)
{
    return d->kind == DECL_STRUCT || d->kind == DECL_UNION;
}

/* The name of a type in C. */
static const char *type_in_c(arena *a, const decl *d)
{
    return arena_printf(a, "%s%s", d->file->prefix, d->name);
}

static void glue_names(arena *a, const decl *d, const char *T, out *o, out *list)
{
    const char *name_of = d->kind == DECL_ENUM ? arena_printf(a, "%s_fuzz_name", T) : "NULL";
    if (d->kind == DECL_ENUM)
        out_put(o, "FUZZ_ENUM($T)\n", "T", T, NULL);
    out_put(list, "    {\"$name\", &${T}_reflection, $of},\n", "name", d->name, "T", T, "of", name_of, NULL);
}

static void glue_clears(const decl *d, const char *T, out *o, out *list)
{
    for (const field *f = d->fields; f; f = f->next) {
        if (f->array != ARRAY_SPARSE)
            continue;
        out_put(o, "FUZZ_CLEAR($T, $f)\n", "T", T, "f", f->name, NULL);
        out_put(list, "    {\"$name\", \"$f\", ${T}_fuzz_${f}_clear},\n", "name", d->name, "f", f->name, "T", T, NULL);
    }
}

/* Whether a type has refs, directly or in a member; some of its functions then take callbacks. */
static bool has_refs(const decl *d)
{
    for (const field *f = d->fields; f; f = f->next)
        if (!f->local &&
            (f->type.kind == TYPE_REF || (f->type.decl && is_value(f->type.decl) && has_refs(f->type.decl))))
            return true;
    for (const member *m = d->kind == DECL_UNION ? d->members : NULL; m; m = m->next)
        if (has_refs(m->type))
            return true;
    return false;
}

/* The functions of a packet with parts. */
static void glue_parts(arena *a, const decl *d, const char *T, out *o, out *list)
{
    out *rings = out_new(a);
    size_t size;
    const field *fit = NULL;
    bool fits = false;
    out_put(o, "FUZZ_VALUES($T)\nFUZZ_VALID($T)\nFUZZ_PARTS($T)\n", "T", T, NULL);
    for (const field *f = d->fields; f; f = f->next) {
        fits |= f->fit;
        if (!f->part)
            continue;
        fit = f->fit ? f : fit;
        out_put(o, "FUZZ_RING(${T}_$part, $V)\n", "T", T, "part", f->name, "V", type_in_c(a, f->type.decl), NULL);
        out_put(rings, "FUZZ_IN_RINGS(${T}_$part), ", "T", T, "part", f->name, NULL);
    }
    if (fit)
        out_put(o, "FUZZ_FIT_PART($T, $V)\n", "T", T, "V", type_in_c(a, fit->type.decl), NULL);
    else if (fits)
        out_put(o, "FUZZ_FIT_COUNTS($T)\n", "T", T, NULL);
    out_put(o,
            "static const fuzz_ring ${T}_fuzz_rings[] = {$rings};\n"
            "static const fuzz_parts ${T}_fuzz_parts = {${T}_fuzz_pack, ${T}_fuzz_unpack, ${T}_fuzz_peek, $fit, "
            "${T}_fuzz_rings, &${T}_datagram, $fitted};\n",
            "T", T, "fitted", fit ? arena_printf(a, "\"%s\"", fit->name) : "NULL", "rings", out_result(rings, &size),
            "fit", fits ? arena_printf(a, "%s_fuzz_fit", T) : "NULL", NULL);
    out_put(list, "    {\"$name\", &${T}_reflection, FUZZ_IN_PARTS($T)},\n", "name", d->name, "T", T, NULL);
}

static void glue_functions(arena *a, const decl *d, const char *T, out *o, out *list)
{
    uint32_t elements = 0;
    const char *refs = has_refs(d) ? "_REFS" : "";
    const char *base = d->predicts ? arena_printf(a, "%s_motion", T) : T;
    out_put(o, "FUZZ_VALUES($T)\nFUZZ_STREAMS($T)\nFUZZ_VALID$refs($T)\n", "refs", refs, "T", T, NULL);
    out_put(list, "    {\"$name\", &${T}_reflection, FUZZ_IN_STREAMS($T), ", "name", d->name, "T", T, NULL);
    if (d->seeded)
        out_put(o, "FUZZ_SEEDED$refs($T)\n", "refs", refs, "T", T, NULL);
    else if (d->packet)
        out_put(o, "FUZZ_PACKETS$refs($T)\n", "refs", refs, "T", T, NULL);
    out_put(list,
            d->seeded   ? "${T}_fuzz_pack, ${T}_fuzz_unpack, NULL, NULL, "
            : d->packet ? "FUZZ_IN_PACKETS($T), "
                        : "NULL, NULL, NULL, NULL, ",
            "T", T, NULL);
    if (d->delta)
        out_put(o, "FUZZ_DELTAS($T, $base)\n", "T", T, "base", base, NULL);
    if (d->predicts)
        out_put(o, "FUZZ_PREDICTS($T)\n", "T", T, NULL);
    out_put(list, d->delta ? "FUZZ_IN_DELTAS($T), " : "NULL, NULL, NULL, 0, ", "T", T, NULL);
    if (d->delta && d->packet)
        out_put(o, "FUZZ_DELTA_PACKETS$refs($T, $base)\n", "refs", refs, "T", T, "base", base, NULL);
    out_put(list, d->delta && d->packet ? "FUZZ_IN_DELTA_PACKETS($T), " : "NULL, NULL, NULL, NULL, ", "T", T, NULL);
    for (const field *f = d->fields; f; f = f->next)
        elements += f->fit ? f->dims[0] : 0;
    if (elements != 0)
        out_put(o, d->delta ? "FUZZ_FIT_DELTA($T, $base)\n" : "FUZZ_FIT($T)\n", "T", T, "base", base, NULL);
    out_put(list, elements != 0 ? "${T}_fuzz_fit, $elements, " : "NULL, 0, ", "T", T, "elements",
            arena_printf(a, "%" PRIu32, elements), NULL);
    out_put(list, d->predicts ? "FUZZ_IN_PREDICTS($T), NULL, " : "NULL, NULL, 0, NULL, ", "T", T, NULL);
    if (d->mixes)
        out_put(o, "FUZZ_MIX($T)\n", "T", T, NULL);
    out_put(list, d->mixes ? "${T}_fuzz_mix, ${T}_fuzz_near, " : "NULL, NULL, ", "T", T, NULL);
    if (d->saved)
        out_put(o, "FUZZ_SAVE($T)\n", "T", T, NULL);
    out_put(list, d->saved ? "${T}_fuzz_save, ${T}_fuzz_restore},\n" : "NULL, NULL},\n", "T", T, NULL);
}

const char *glue_of(arena *a, const schema *s)
{
    out *o = out_new(a), *list = out_new(a), *clears = out_new(a), *named = out_new(a);
    size_t size;
    out_put(o, "#include \"entry.h\"\n", NULL);
    for (const schema_file *file = s->files; file; file = file->next)
        out_put(o, "#include \"$stem.c\"\n#include \"${stem}_reflect.c\"\n", "stem", file->stem, NULL);
    for (const decl *d = s->decls; d; d = d->next) {
        const char *T = type_in_c(a, d);
        if (d->kind == DECL_ENUM || d->kind == DECL_FLAGS)
            glue_names(a, d, T, o, named);
        if (!is_value(d))
            continue;
        if (d->parts > 0)
            glue_parts(a, d, T, o, list);
        else
            glue_functions(a, d, T, o, list);
        glue_clears(d, T, o, clears);
    }
    out_put(o,
            "extern const fuzz_type fuzz_types[];\nconst fuzz_type fuzz_types[] = {\n$list    {0}\n};\n"
            "extern const fuzz_clear fuzz_clears[];\nconst fuzz_clear fuzz_clears[] = {\n$clears    {0}\n};\n"
            "extern const fuzz_names fuzz_enums[];\nconst fuzz_names fuzz_enums[] = {\n$names    {0}\n};\n",
            "list", out_result(list, &size), "clears", out_result(clears, &size), "names", out_result(named, &size),
            NULL);
    return out_result(o, &size);
}
