/* emit.c - the files that are generated from a schema file: their contents, in order.
 * SPDX-License-Identifier: MIT
 */
#include "base/banner.h"
#include "emit/emit_internal.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static const char banner[] = "/* $file - $what of $stem.pkt" BANNER_GENERATED " */\n";

static const char checks_clash[] = "#if defined(PKT_GENERATED_CHECKS) && PKT_GENERATED_CHECKS != $checks\n"
                                   "#error \"files generated with and without --no-checks do not go together\"\n"
                                   "#endif\n"
                                   "#undef PKT_GENERATED_CHECKS\n"
                                   "#define PKT_GENERATED_CHECKS $checks\n"
                                   "\n";

const char externs_open[] = "#ifdef __cplusplus\nPKT_C_CASTS\nextern \"C\" {\n#endif\n\n";
const char externs_close[] = "#ifdef __cplusplus\n}\n"
                             "PKT_C_CASTS_END\n#endif\n\n";

static bool has_body(const emitter *e, const wire_type *t)
{
    return t->decl->file == e->file;
}

/* Files with different names have different guards: if a name has characters that a guard cannot have, its hash is part
 * of the guard. */
static const char *header_guard(const emitter *e, const char *suffix)
{
    const char *stem = e->file->stem, *name = e->file->name;
    const char *hash = strcmp(stem, name) == 0 ? "" : arena_printf(e->arena, "_%08" PRIx32, (uint32_t)fnv1a_64(stem));
    char *text = arena_printf(e->arena, "PKT_GENERATED_%s%s_%s", name, hash, suffix);
    for (char *c = text; *c != 0; c++)
        *c = (char)toupper((unsigned char)*c);
    return text;
}

/* Whether a schema file, or one that it imports, has something @deprecated. `before` has the answers for the files
 * before it. */
static bool has_deprecated(const schema *s, const schema_file *file, const bool *before)
{
    for (const decl *d = s->decls; d != NULL; d = d->next) {
        if (d->file == file && d->deprecated)
            return true;
        for (const field *f = d->file == file ? d->fields : NULL; f != NULL; f = f->next)
            if (f->deprecated)
                return true;
    }
    for (const struct import *i = file->imports; i != NULL; i = i->next)
        if (before[i->file->index])
            return true;
    return false;
}

/* The generated code itself uses deprecated items, without warnings. */
static void begin_code(emitter *e)
{
    if (e->deprecated)
        out_put(e->out, "PKT_DEPRECATED_OWN\n\n", NULL);
}

static void end_code(emitter *e)
{
    if (e->deprecated)
        out_put(e->out, "PKT_DEPRECATED_END\n\n", NULL);
}

static void open_file(emitter *e, const char *suffix, const char *what)
{
    e->out = out_new(e->files);
    out_put(e->out, banner, "file", arena_printf(e->arena, "%s%s", e->file->stem, suffix), "what", what, "stem",
            e->file->stem, NULL);
}

static output *close_file(emitter *e, outputs *o, const char *suffix)
{
    size_t size;
    const char *text = out_result(e->out, &size);
    return outputs_add(e->files, o, arena_printf(e->files, "%s%s", e->file->stem, suffix), text, size);
}

static runtime_parts parts_of_output(const output *made)
{
    return parts_used(made->text, made->size);
}

void state_parts(emitter *e, output *made, runtime_parts parts)
{
    const char *stated = parts_stated(e->arena, parts | parts_of_output(made));
    const size_t before = (size_t)(strstr(made->text, "#include \"pkt") - made->text), more = strlen(stated);
    char *whole = arena_alloc(e->files, made->size + more);
    memcpy(whole, made->text, before);
    memcpy(whole + before, stated, more);
    memcpy(whole + before + more, made->text + before, made->size - before);
    made->text = whole;
    made->size += more;
}

static void include_imports(emitter *e, const char *suffix)
{
    for (const struct import *i = e->file->imports; i != NULL; i = i->next)
        out_put(e->out, "#include \"$stem$suffix\"\n", "stem", i->file->stem, "suffix", suffix, NULL);
    out_put(e->out, "\n", NULL);
}

/* The headers that declare the program's own types, each once. */
static void include_bindings(emitter *e)
{
    for (const decl *d = e->schema->decls; d != NULL; d = d->next) {
        const decl *first = e->schema->decls;
        if (d->file != e->file || d->from_header == NULL)
            continue;
        while (first->file != e->file || first->from_header == NULL || strcmp(first->from_header, d->from_header) != 0)
            first = first->next;
        if (first == d)
            out_put(e->out, "#include \"$header\"\n", "header", d->from_header, NULL);
    }
}

static output *emit_header(emitter *e, outputs *o)
{
    const char *name = header_guard(e, "H");
    bool explained = false;
    open_file(e, ".h", "types, constants and functions");
    out_put(e->out, "#ifndef $guard\n#define $guard\n\n#include \"pkt.h\"\n", "guard", name, NULL);
    include_bindings(e);
    include_imports(e, ".h");
    out_put(e->out, checks_clash, "checks", e->schema->checks ? "1" : "0", NULL);
    out_put(e->out, externs_open, NULL);
    if (e->file->root && e->schema->protocol != NULL)
        out_put(
            e->out,
            "/* A hash of what decides the bytes of packets. Packets from programs with another id are refused. */\n"
            "#define ${prefix}PROTOCOL_ID UINT64_C($id)\n"
            "/* A frame of this protocol around what the program writes to a stream itself: pkt_frame in pkt.h. */\n"
            "#define ${prefix}PROTOCOL_FRAME(name) {${prefix}PROTOCOL_ID, name, $checks}\n\n",
            "prefix", schema_constant_prefix(e->arena, e->schema, e->file), "id",
            arena_printf(e->arena, "0x%016" PRIx64, e->schema->id), "checks", e->schema->checks ? "true" : "false",
            NULL);
    begin_code(e);
    emit_types(e, e->file);
    for (const wire_type *t = e->wire->types; t != NULL; t = t->next) {
        if (!has_body(e, t))
            continue;
        if (!explained)
            out_put(e->out, prototypes_explained, NULL);
        explained = true;
        emit_prototypes(e, t);
        arena_clear(e->arena);
    }
    end_code(e);
    out_put(e->out, externs_close, NULL);
    out_put(e->out, "#endif\n", NULL);
    return close_file(e, o, ".h");
}

/* What the lines of T_serialize mean. */
static const char codec_explained[] =
    "/* Each type T has one function, T_serialize. It writes, reads or measures: its argument mode_ says which. Callers\n"
    " * pass a constant, so an optimizing compiler keeps only what that mode needs.\n"
    " *\n"
    " * A line is a field or a step between fields; it returns false from the function if something is wrong. The\n"
    " * lines use these variables of the function, whose names end in an underscore so that they hide no name of the\n"
    " * schema:\n"
    " *   mode_  PKT_WRITE, PKT_READ, PKT_MEASURE or PKT_CHECK\n"
    " *   c_     the cursor: the position in the stream\n"
    " *   in_    the value\n"
    " *   out_   the same value when reading, otherwise NULL\n"
    " *\n"
    " * A run is a row of fields at known distances. It is stored and loaded in words: up to 56 bits that begin at a\n"
    " * whole byte of the run, so that they fit in 8 bytes of the buffer even if the run begins inside a byte.\n"
    " *   PKT_NEED(bits)  the bounds check of what follows: so many bits are there, or there is room for them\n"
    " *   PKT_RUN()       begins a run and opens its word at byte 0\n"
    " *   PKT_WORD(byte)  opens the run's word at this byte\n"
    " *   PKT_END(bits)   ends the run, which has so many bits\n"
    " *   PKT_VARYING_RUN(), PKT_VARIED(bits), PKT_VARYING_END(bits, rest)\n"
    " *                   a run in which fields may be absent: its beginning, so many bits that are present, its end\n"
    " *   PKT_FIELD(member, PKT_AS_INT(type, low, high, bits), at), ...\n"
    " *                   a field: how its value becomes bits, and the bit of the open word at which they begin\n"
    " *   PKT_ACROSS(at, low, byte, high_at, edge)\n"
    " *                   the place of a field in two words: its lowest `low` bits begin at bit `at` of the open word,\n"
    " *                   the others at bit high_at of the word at `byte`\n"
    " *   ..._EDGE(), edge\n"
    " *                   the word's 8 bytes may reach beyond the bits that were checked, so each access checks them\n"
    " * pkt_inside.h defines them. */\n\n";

/* Its parts are stated before it: see state_parts. pkt_inside.h comes first, so that a type of the schema hides nothing in
 * it. */
static const char codec_includes[] = "#ifndef $guard\n"
                                     "#define $guard\n"
                                     "\n"
                                     "#include \"pkt_inside.h\"\n"
                                     "#include \"$stem.h\"\n";

static output *emit_codec(emitter *e, outputs *o)
{
    const char *name = header_guard(e, "CODEC_H");
    open_file(e, "_codec.h", "how the types go over the wire");
    out_put(e->out, codec_includes, "guard", name, "stem", e->file->stem, NULL);
    include_imports(e, "_codec.h");
    out_put(e->out, externs_open, NULL);
    out_put(e->out, codec_explained, NULL);
    begin_code(e);
    for (const decl *d = e->schema->decls; d != NULL; d = d->next)
        if (d->file == e->file)
            emit_enum_table_prototype(e, d);
    for (const wire_type *t = e->wire->types; t != NULL; t = t->next) {
        if (!has_body(e, t))
            continue;
        emit_binding_checks(e, t->decl);
        emit_base_prototype(e, t->decl);
        out_put(e->out, "\n", NULL);
        emit_codes(e, t->decl, true);
        emit_branches(e, t);
        emit_serialize(e, fuse(e->arena, t));
        arena_clear(e->arena);
    }
    end_code(e);
    out_put(e->out, externs_close, NULL);
    out_put(e->out, "#endif\n", NULL);
    return close_file(e, o, "_codec.h");
}

static void emit_deltas(emitter *e)
{
    const delta_use *uses = types_with_deltas(e->arena, e->wire, e->file);
    const bool *compared = types_compared(e->arena, e->wire, uses);
    for (const wire_type *t = e->wire->types; t != NULL; t = t->next)
        if (uses[t->index] != DELTA_UNUSED)
            emit_delta(e, e->deltas[t->index], uses[t->index], compared[t->index]);
    for (const wire_type *t = e->wire->types; t != NULL; t = t->next) {
        if (has_body(e, t) && t->decl->delta) {
            emit_delta_streams(e, e->deltas[t->index]);
            emit_fit(e, t);
        }
    }
}

static bool has_deltas(const emitter *e)
{
    for (const wire_type *t = e->wire->types; t != NULL; t = t->next)
        if (has_body(e, t) && t->decl->delta)
            return true;
    return false;
}

static output *emit_source(emitter *e, outputs *o)
{
    open_file(e, ".c", "functions");
    out_put(e->out, "#include \"${stem}_codec.h\"\n\n", "stem", e->file->stem, NULL);
    begin_code(e);
    for (const decl *d = e->schema->decls; d != NULL; d = d->next) {
        if (d->file != e->file)
            continue;
        emit_enum_functions(e, d);
        emit_enum_table(e, d);
    }
    arena_clear(e->arena);
    for (const wire_type *t = e->wire->types; t != NULL; t = t->next) {
        if (!has_body(e, t))
            continue;
        emit_nested_branches(e, t);
        emit_base(e, t);
        emit_init(e, t);
        emit_copy(e, t->decl, true);
        emit_presence_functions(e, t);
        emit_list_functions(e, t);
        emit_codes(e, t->decl, false);
        emit_table(e, t);
        emit_streams(e, t);
        if (!t->decl->delta && t->decl->parts == 0)
            emit_fit(e, t);
        arena_clear(e->arena);
    }
    if (has_deltas(e))
        emit_deltas(e);
    end_code(e);
    return close_file(e, o, ".c");
}

static void emit_reflection(emitter *e, outputs *o)
{
    const char *name = header_guard(e, "REFLECT_H");
    open_file(e, "_reflect.h", "descriptions of the types");
    out_put(e->out, "#ifndef $guard\n#define $guard\n\n#include \"pkt.h\"\n#include \"$stem.h\"\n", "guard", name,
            "stem", e->file->stem, NULL);
    include_imports(e, "_reflect.h");
    out_put(e->out, externs_open, NULL);
    begin_code(e);
    emit_reflection_header(e);
    end_code(e);
    out_put(e->out, externs_close, NULL);
    out_put(e->out, "#endif\n", NULL);
    output *header = close_file(e, o, "_reflect.h");

    open_file(e, "_reflect.c", "descriptions of the types");
    out_put(e->out, "#include \"pkt_inside.h\"\n#include \"${stem}_reflect.h\"\n\n", "stem", e->file->stem, NULL);
    begin_code(e);
    emit_reflection_source(e);
    end_code(e);
    const output *code = close_file(e, o, "_reflect.c");
    state_parts(e, header, part_named("REFLECT") | parts_of_output(code));
}

static void emit_capture(emitter *e, outputs *o, const char *text)
{
    open_file(e, "_capture.h", "the text");
    out_put(e->out,
            "#ifndef $guard\n#define $guard\n\n#include \"pkt.h\"\n\n"
            "#ifdef __cplusplus\nPKT_C_CASTS\nextern \"C\" {\n#endif\n\n"
            "/* The schema, without imports: what pkt_capture_begin writes into a recording. */\n"
            "PKT_API extern const char *const ${prefix}PROTOCOL_SCHEMA[];\n\n",
            "guard", header_guard(e, "CAPTURE_H"), "prefix", schema_constant_prefix(e->arena, e->schema, e->file),
            NULL);
    out_put(e->out, externs_close, NULL);
    out_put(e->out, "#endif\n", NULL);
    state_parts(e, close_file(e, o, "_capture.h"), part_named("CAPTURE"));

    open_file(e, "_capture.c", "the text");
    out_put(e->out, "#include \"${stem}_capture.h\"\n\n", "stem", e->file->stem, NULL);
    emit_schema_text(e, text);
    close_file(e, o, "_capture.c");
}

static void emit_file(emitter e, const schema_file *f, bool deprecated, const emit_extras *extras, outputs *o)
{
    e.file = f;
    e.deprecated = deprecated;
    const output *header = emit_header(&e, o);
    output *codec = emit_codec(&e, o);
    const output *code = emit_source(&e, o);
    state_parts(&e, codec, parts_of_output(header) | parts_of_output(code));
    arena_clear(e.arena);
    if (extras->reflect)
        emit_reflection(&e, o);
    if (extras->schema && f->root)
        emit_capture(&e, o, extras->schema);
}

void emit(arena *a, const wire *w, const body_plan *bodies, const delta_plan *const *deltas, const emit_extras *extras,
          outputs *o)
{
    arena *scratch = arena_new();
    const schema *s = w->schema;
    bool *deprecated = ARENA_ARRAY(a, bool, s->root->index + 1);
    const emitter e = {.arena = scratch,
                       .files = a,
                       .wire = w,
                       .bodies = bodies,
                       .deltas = deltas,
                       .schema = s,
                       .older = extras->older};
    for (const schema_file *f = s->files; f != NULL; f = f->next)
        deprecated[f->index] = has_deprecated(s, f, deprecated);
    /* The root first: ninja looks for the file that it is to make at the beginning of a depfile. */
    emit_file(e, s->root, deprecated[s->root->index], extras, o);
    for (const schema_file *f = s->files; f != s->root; f = f->next)
        emit_file(e, f, deprecated[f->index], extras, o);
    arena_free(scratch);
}
