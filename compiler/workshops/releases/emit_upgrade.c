/* emit_upgrade.c - NAME_upgrade.h and NAME_upgrade.c: packets of older versions.
 * SPDX-License-Identifier: MIT
 *
 * The types of an older version and their readers are emitted like those of the version now, with another prefix;
 * functions that only write are left out. Newer versions come first, because the types of a version can be in a newer
 * one: see releases/conversion.h.
 */
#include "base/banner.h"
#include "releases/emit_upgrade.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static const char upgrade_banner[] = "/* $file - $what of $stem.pkt" BANNER_GENERATED " */\n";

static const char header_start[] =
    "#ifndef $guard\n"
    "#define $guard\n"
    "\n"
    "#include \"$stem.h\"\n"
    "$served"
    "\n"
    "#ifdef __cplusplus\n"
    "PKT_C_CASTS\n"
    "extern \"C\" {\n"
    "#endif\n"
    "\n"
    "/* The version now, as the number of its release. Version N of something is that of release N. */\n"
    "#define ${prefix}PROTOCOL_VERSION $number\n"
    "\n"
    "/* For each packet T:\n"
    " *   T_version     returns the version that the packet of `size` bytes at `data` is of, by its checksum; 0 if it\n"
    " *                 is damaged or of none of them. It goes through the bytes once, and reads nothing of them.\n"
    " *   T_unpack_any  reads a packet of any version as a value of the version now, which T_pack can write.\n"
    " *                 *version becomes what T_version returns, also if the packet is refused; it may be NULL.\n"
    " *                 A packet of the version now is read as by T_unpack. Otherwise *v is initialized first, local\n"
    " *                 members too, and the value of the older type is on the stack.\n"
    " *   ..._error     also sets *error: PKT_ERROR_CRC if the version is 0, PKT_ERROR_VALUE if the packet has no\n"
    " *                 value now. error may be NULL.\n"
    " *   ..._refs      also takes the callbacks for refs. refs and error may be NULL.\n"
    " * Those of a packet with @seed also take the seed. A packet with parts has none of them.\n"
    " *\n"
    " * For each type T that was different in version N, also in a stream:\n"
    " *   ${prefix}vN_T       the type as it was\n"
    " *   ${prefix}vN_T_read  reads it\n"
    " *   T_from_vN     makes the value now of it; T_quantize makes of that what a reader sees. Returns false if\n"
    " *                 there is no such value, because a member of a union has gone.\n"
    " *   T_x_from_vN   is for the program to define, because the field x has @convert: sets v->x. Everything else\n"
    " *                 in *v has been converted. */\n"
    "\n";

static const char version_start[] = "/* ---- version $number, $file */\n"
                                    "\n"
                                    "#define ${prefix}PROTOCOL_ID UINT64_C($id)\n"
                                    "#define ${prefix}PROTOCOL_FRAME(name) {${prefix}PROTOCOL_ID, name, $checks}\n"
                                    "\n";

static const char id_start[] =
    "/* The version that a protocol id is of, such as one that was sent in a handshake; 0 if it is of none of them. */\n"
    "PKT_INLINE uint32_t ${prefix}PROTOCOL_VERSION_OF(uint64_t id_)\n"
    "{\n";

static const char id_case[] = "    if (id_ == ${prefix}PROTOCOL_ID)\n"
                              "        return $number;\n";

static const char old_packet_prototypes[] =
    "PKT_API uint32_t ${name}_version(${seed}const void *data_, size_t size_);\n"
    "PKT_API bool ${name}_unpack_any($name *v_, ${seed}const void *data_, size_t size_, uint32_t *version_);\n"
    "PKT_API bool ${name}_unpack_any_error($name *v_, ${seed}const void *data_, size_t size_, uint32_t *version_, "
    "pkt_error *error_);\n";

static const char refs_prototype[] =
    "PKT_API bool ${name}_unpack_any_refs($name *v_, ${seed}const void *data_, size_t size_, uint32_t *version_, "
    "pkt_refs *refs_,\n"
    "                                     pkt_error *error_);\n";

/* The parameter and the argument of a packet with @seed. */
static const char *seed_parameter(const wire_type *t)
{
    return t->decl->seeded ? "uint64_t seed_, " : "";
}

static const char *given_seed(const wire_type *t)
{
    return t->decl->seeded ? "seed_, " : "";
}

/* Names in the unified body for the modes that an older type is not compiled for. */
static const char only_read[] = "#define ${name}_write_(w_, v_) false\n"
                                "#define ${name}_measure(v_, start_) PKT_FAILED\n";

/* ---- versions */

static const decl *decl_of_form(const void *forms, const decl *d)
{
    const form *f = form_of(forms, d);
    return f ? f->decl : NULL;
}

static const decl *decl_pointed(const void *way, const decl *d)
{
    return decl_now(way, d);
}

other_version served_version(const old_version *v)
{
    return (other_version){.now = decl_pointed, .conversion = &v->conversion};
}

void begin_version(upgrader *k, const old_version *v)
{
    k->version = v;
    k->old.older = (other_version){decl_of_form, k->upgrade, decl_pointed, &v->conversion};
    k->old.wire = v->wire;
    k->old.schema = v->wire->schema;
    k->old.file = v->wire->schema->root;
}

/* The form of an older type, if it is emitted in its own version. */
static const form *form_here(const upgrader *k, const decl *d)
{
    const form *f = d->kind == DECL_CONST ? NULL : map_get(k->upgrade->forms, d, NULL);
    return f != NULL && f->same == f && f->needed ? f : NULL;
}

static const wire_type *next_type(const wire_type *t, const decl *d)
{
    while (t != NULL && t->decl != d)
        t = t->next;
    return t;
}

/* Types and declarations are in the same order. */
void for_each_form(upgrader *k, void (*emit_one)(upgrader *k, const form *f, const wire_type *t))
{
    const wire_type *at = k->old.wire->types;
    for (const decl *d = k->old.schema->decls; d != NULL; d = d->next) {
        const form *f = form_here(k, d);
        if (f == NULL)
            continue;
        const wire_type *t = d->kind == DECL_STRUCT || d->kind == DECL_UNION ? next_type(at, d) : NULL;
        at = t != NULL ? t : at;
        emit_one(k, f, t);
        arena_clear(k->now.arena);
    }
}

/* ---- NAME_upgrade.h */

static void emit_declaration(upgrader *k, const form *f, const wire_type *t)
{
    (void)t;
    emit_declared(&k->old, f->decl);
}

void emit_hook_prototypes(upgrader *k, const form *f, const char *old)
{
    emitter *e = &k->now;
    for (const field *now = f->now->fields; now != NULL && !f->program; now = now->next)
        if (!now->local && program_converts(now->convert, f->version))
            out_put(e->out, "void $hook($now *v_, const $old *old_); /* the program defines it */\n", "hook",
                    spell_hook(k, f, now), "now", spell_decl(e, f->now), "old", old, NULL);
}

static void emit_type_prototypes(upgrader *k, const form *f, const wire_type *t)
{
    emitter *e = &k->now;
    const char *old = spell_decl(&k->old, f->decl);
    if (t == NULL)
        return;
    if (is_public(k->upgrade, f) && !k->version->served)
        out_put(e->out,
                "#define ${old}_MIN_BITS $least\n"
                "PKT_INLINE bool ${old}_read(pkt_reader *r_, $old *v_);\n"
                "PKT_API extern const pkt_type ${old}_type_;\n"
                "PKT_INLINE_READ($old)\n",
                "old", old, "least", spell_number(e, t->least), NULL);
    if (is_public(k->upgrade, f))
        out_put(e->out, "${api}bool $from($now *v_, const $old *old_);$program\n", "api", f->program ? "" : "PKT_API ",
                "from", spell_conversion(k, f), "now", spell_decl(e, f->now), "old", old, "program",
                f->program ? " /* the program defines it */" : "", NULL);
    if (f->converted && f->now != NULL)
        emit_hook_prototypes(k, f, old);
}

/* Lists the types of the version that are the same in another version. */
static void emit_shared(upgrader *k)
{
    emitter *e = &k->now;
    bool any = false;
    for (const decl *d = k->old.schema->decls; d != NULL; d = d->next) {
        const form *f = d->kind == DECL_STRUCT || d->kind == DECL_UNION ? map_get(k->upgrade->forms, d, NULL) : NULL;
        if (f == NULL || f->now == NULL || !f->now->file->root || (f->same == f && !f->today))
            continue;
        out_put(e->out, any ? " *   $name: $as\n" : "/* Not different from another version:\n *   $name: $as\n", "name",
                d->name, "as", f->today ? "as now" : spell_decl(&k->old, d), NULL);
        any = true;
    }
    out_put(e->out, any ? " */\n\n" : "", NULL);
}

static bool is_packet(const emitter *e, const wire_type *t)
{
    return t->decl->packet && !t->decl->parts && t->decl->file == e->file;
}

static void emit_packet_prototypes(emitter *e)
{
    out_put(e->out, "/* ---- packets of any version */\n\n", NULL);
    for (const wire_type *t = e->wire->types; t != NULL; t = t->next) {
        if (!is_packet(e, t))
            continue;
        out_put(e->out, old_packet_prototypes, "name", spell_decl(e, t->decl), "seed", seed_parameter(t), NULL);
        if (t->has_refs)
            out_put(e->out, refs_prototype, "name", spell_decl(e, t->decl), "seed", seed_parameter(t), NULL);
        out_put(e->out, "\n", NULL);
    }
}

const char *upgrade_guard(const emitter *e, const char *suffix)
{
    const char *stem = e->file->stem, *name = e->file->name;
    const char *hash = strcmp(stem, name) == 0 ? "" : arena_printf(e->arena, "_%08" PRIx32, (uint32_t)fnv1a_64(stem));
    char *text = arena_printf(e->arena, "PKT_GENERATED_%s%s_%s", name, hash, suffix);
    for (char *c = text; *c != 0; c++)
        *c = (char)toupper((unsigned char)*c);
    return text;
}

void open_upgrade_file(upgrader *k, const char *suffix, const char *what)
{
    emitter *e = &k->now;
    e->out = k->old.out = out_new(e->files);
    out_put(e->out, upgrade_banner, "file", arena_printf(e->arena, "%s%s", e->file->stem, suffix), "what", what, "stem",
            e->file->stem, NULL);
}

output *close_upgrade_file(upgrader *k, const char *suffix, outputs *o)
{
    size_t size;
    const char *text = out_result(k->now.out, &size);
    return outputs_add(k->now.files, o, arena_printf(k->now.files, "%s%s", k->now.file->stem, suffix), text, size);
}

const char *own_marks(const emitter *e, bool begin)
{
    return !e->deprecated ? "" : begin ? "PKT_DEPRECATED_OWN\n\n" : "PKT_DEPRECATED_END\n\n";
}

static void emit_version_of_id(upgrader *k)
{
    emitter *e = &k->now;
    const char *prefix = schema_constant_prefix(e->arena, e->schema, e->file);
    out_put(e->out, id_start, "prefix", prefix, NULL);
    out_put(e->out, id_case, "prefix", prefix, "number", spell_number(e, k->upgrade->number), NULL);
    for (const old_version *v = k->upgrade->versions; v != NULL; v = v->next)
        out_put(e->out, id_case, "prefix", v->wire->schema->root->prefix, "number", spell_number(e, v->number), NULL);
    out_put(e->out, "    return 0;\n}\n\n", NULL);
}

static const char *served_headers(const upgrader *k)
{
    const char *text = "";
    for (const old_version *v = k->upgrade->versions; v != NULL; v = v->next)
        if (v->served)
            text = arena_printf(k->now.arena, "%s#include \"%s.h\"\n", text, v->wire->schema->root->stem);
    return text;
}

static void emit_version_start(upgrader *k, const old_version *v)
{
    emitter *e = &k->now;
    out_put(e->out, version_start, "number", spell_number(e, v->number), "file",
            spell_comment(e, arena_printf(e->arena, "%s.pkt", k->old.file->stem)), "prefix", k->old.file->prefix, "id",
            arena_printf(e->arena, "0x%016" PRIx64, k->old.schema->id), "checks",
            k->old.schema->checks ? "true" : "false", NULL);
    emit_shared(k);
    for_each_form(k, emit_declaration);
}

static output *emit_upgrade_header(upgrader *k, outputs *o)
{
    emitter *e = &k->now;
    open_upgrade_file(k, "_upgrade.h", "packets of older versions");
    out_put(e->out, header_start, "guard", upgrade_guard(e, "UPGRADE_H"), "stem", e->file->stem, "served",
            served_headers(k), "prefix", schema_constant_prefix(e->arena, e->schema, e->file), "number",
            spell_number(e, k->upgrade->number), NULL);
    out_put(e->out, own_marks(e, true), NULL);
    for (const old_version *v = k->upgrade->versions; v != NULL; v = v->next) {
        begin_version(k, v);
        if (v->served)
            out_put(e->out, "/* ---- version $number: its types are in $stem.h */\n\n", "number",
                    spell_number(e, v->number), "stem", k->old.file->stem, NULL);
        else
            emit_version_start(k, v);
        for_each_form(k, emit_type_prototypes);
        out_put(e->out, "\n", NULL);
    }
    emit_version_of_id(k);
    emit_packet_prototypes(e);
    out_put(e->out, own_marks(e, false), NULL);
    out_put(e->out, externs_close, NULL);
    out_put(e->out, "#endif\n", NULL);
    return close_upgrade_file(k, "_upgrade.h", o);
}

/* ---- NAME_upgrade.c: the readers of older types, and conversions */

static void emit_form_codec(upgrader *k, const form *f, const wire_type *t)
{
    emitter *e = &k->old;
    if (t == NULL) {
        emit_enum_table_prototype(e, f->decl);
        return;
    }
    const char *name = spell_decl(e, f->decl);
    emit_base_prototype(e, f->decl);
    if (!is_public(k->upgrade, f))
        out_put(e->out, "extern const pkt_type ${name}_type_;\nbool ${name}_read_(pkt_reader *r_, void *v_);\n", "name",
                name, NULL);
    out_put(e->out, only_read, "name", name, NULL);
    out_put(e->out, "\n", NULL);
    emit_computed_counts(e, f->decl);
    emit_branches(e, t);
    emit_serialize(e, fuse(e->arena, t));
}

static void emit_reader(upgrader *k, const form *f, const wire_type *t)
{
    if (t == NULL) {
        emit_enum_table(&k->old, f->decl);
        return;
    }
    emit_base(&k->old, t);
    emit_nested_branches(&k->old, t);
    emit_table(&k->old, t);
    emit_read(&k->old, t);
}

static void emit_converter(upgrader *k, const form *f, const wire_type *t)
{
    if (f->converted && f->now != NULL)
        emit_conversion(k, f, t);
}

/* ---- NAME_upgrade.c: packets */

/* $frame: of the sender. */
static const char unpack_today[] =
    "static bool ${name}_unpack_as_($name *v_, const void *data_, size_t size_, const pkt_frame *frame_$refs,\n"
    "    pkt_error *error_)\n"
    "{\n"
    "    pkt_reader r_;\n"
    "    pkt_reader_init(&r_, data_, size_);\n"
    "$set_refs"
    "    if (pkt_reader_frame_peek(&r_, frame_) && ${name}_read(&r_, v_) && pkt_reader_frame_end(&r_, frame_))\n"
    "        return pkt_no_error(error_);\n"
    "    return pkt_upgrade_refused(&r_, error_);\n"
    "}\n"
    "\n";

/* A packet of an older form. The frame is peeked at because T_version has checked it. Only a value that can be written
 * is equal to itself: so nothing that T_pack refuses is returned. */
static const char unpack_form[] =
    "static bool ${name}_unpack_v${number}_($name *v_, const void *data_, size_t size_, const pkt_frame *frame_$refs,\n"
    "    pkt_error *error_)\n"
    "{\n"
    "    $old old_;\n"
    "    pkt_reader r_;\n"
    "    pkt_reader_init(&r_, data_, size_);\n"
    "$set_refs"
    "    if (!pkt_reader_frame_peek(&r_, frame_) || !${old}_read(&r_, &old_) || !pkt_reader_frame_end(&r_, frame_))\n"
    "        return pkt_upgrade_refused(&r_, error_);\n"
    "    if (!$from(v_, &old_))\n"
    "        return pkt_upgrade_lost(\"$plain\", error_);\n"
    "    ${name}_quantize(v_);\n"
    "    return pkt_can_write(&${name}_type_, v_) ? pkt_no_error(error_) : pkt_upgrade_lost(\"$plain\", error_);\n"
    "}\n"
    "\n";

static const char version_functions[] =
    "uint32_t ${name}_version(${seed}const void *data_, size_t size_)\n"
    "{\n"
    "    return pkt_version_of($any_seed, data_, size_, ${name}_versions_, $count);\n"
    "}\n"
    "\n"
    "bool ${name}_unpack_any($name *v_, ${seed}const void *data_, size_t size_, uint32_t *version_)\n"
    "{\n"
    "    return ${name}_unpack_any_error(v_, ${given}data_, size_, version_, NULL);\n"
    "}\n"
    "\n";

static const char any_start[] = "bool ${name}_unpack_any_error($name *v_, ${seed}const void *data_, size_t size_, "
                                "uint32_t *version_,\n"
                                "    pkt_error *error_)\n"
                                "{\n";

static const char any_of_refs[] =
    "    return ${name}_unpack_any_refs(v_, ${given}data_, size_, version_, NULL, error_);\n"
    "}\n"
    "\n"
    "bool ${name}_unpack_any_refs($name *v_, ${seed}const void *data_, size_t size_, "
    "uint32_t *version_,\n"
    "    pkt_refs *refs_, pkt_error *error_)\n"
    "{\n";

static const char any_switch[] = "    const uint32_t sender_ = ${name}_version(${given}data_, size_);\n"
                                 "    if (version_ != NULL)\n"
                                 "        *version_ = sender_;\n"
                                 "    switch (sender_) {\n";

static const char any_case[] = "case $number: {\n"
                               "    static const pkt_frame frame_ = ${prefix}PROTOCOL_FRAME(\"$plain\");\n"
                               "$init"
                               "    return ${name}_unpack_$how(v_, data_, size_, &frame_$refs, error_);\n"
                               "}\n";

/* What refuses a packet of no version. */
static const char any_plain[] = "    default: return ${name}_unpack_error(v_, data_, size_, error_);\n";
static const char any_seeded[] =
    "    default: return pkt_unpack_seeded(&${name}_frame, &${name}_type_, ${name}_read_, v_, seed_, data_, size_, NULL,\n"
    "                                      error_);\n";

/* The form of a packet in an older version; NULL if it was none, one with parts, or one with a seed in one of the two versions
 * only: T_version does not know these. */
static const form *packet_then(const old_version *v, const decl *now)
{
    return map_get(v->packets, now, NULL);
}

static void emit_form_reader(upgrader *k, const wire_type *t, const form *f)
{
    emitter *e = &k->now;
    begin_version(k, f->version);
    out_put(e->out, unpack_form, "name", spell_decl(e, t->decl), "number", spell_number(e, f->version->number), "old",
            spell_decl(&k->old, f->decl), "from", spell_conversion(k, f), "plain", t->decl->name, "refs",
            t->has_refs ? ", pkt_refs *refs_" : "", "set_refs",
            t->has_refs ? "    pkt_reader_set_refs(&r_, refs_);\n" : "", NULL);
}

static void emit_case(emitter *e, const wire_type *t, uint32_t number, const char *prefix, const char *plain,
                      const char *how, const char *init)
{
    out_put(e->out, any_case, "number", spell_number(e, number), "prefix", prefix, "plain", plain, "init", init, "name",
            spell_decl(e, t->decl), "how", how, "refs", t->has_refs ? ", refs_" : "", NULL);
}

/* A packet of an older version. If it is the same now, its reader leaves alone what was not sent. */
static void emit_case_then(emitter *e, const wire_type *t, const old_version *v, const form *then)
{
    const bool leaves = t->decl->holds_private || t->decl->holds_keep;
    emit_case(e, t, v->number, v->wire->schema->root->prefix, then->decl->name,
              then->today ? "as_" : arena_printf(e->arena, "v%lu_", (unsigned long)then->same->version->number),
              then->today && leaves ? arena_printf(e->arena, "    %s_init(v_);\n", spell_decl(e, t->decl)) : "");
}

/* Newer versions come first: of two with the same checksum, the newer one counts. */
static uint64_t emit_versions(upgrader *k, const wire_type *t)
{
    emitter *e = &k->now;
    uint64_t count = 1;
    out_put(e->out, "static const pkt_version ${name}_versions_[] = {\n    {$number, $crc},\n", "name",
            spell_decl(e, t->decl), "number", spell_number(e, k->upgrade->number), "crc",
            spell_hexadecimal(e, packet_crc_start(e->schema, t->decl)), NULL);
    for (const old_version *v = k->upgrade->versions; v != NULL; v = v->next) {
        const form *then = packet_then(v, t->decl);
        if (then == NULL)
            continue;
        count++;
        out_put(e->out, "    {$number, $crc},\n", "number", spell_number(e, v->number), "crc",
                spell_hexadecimal(e, packet_crc_start(v->wire->schema, then->decl)), NULL);
    }
    out_put(e->out, "};\n\n", NULL);
    return count;
}

static void emit_packet(upgrader *k, const wire_type *t)
{
    emitter *e = &k->now;
    const char *name = spell_decl(e, t->decl), *plain = t->decl->name;
    const uint64_t count = emit_versions(k, t);
    out_put(e->out, unpack_today, "name", name, "refs", t->has_refs ? ", pkt_refs *refs_" : "", "set_refs",
            t->has_refs ? "    pkt_reader_set_refs(&r_, refs_);\n" : "", NULL);
    for (const old_version *v = k->upgrade->versions; v != NULL; v = v->next) {
        const form *then = packet_then(v, t->decl);
        if (then != NULL && !then->today && then->same == then)
            emit_form_reader(k, t, then);
    }
    out_put(e->out, version_functions, "name", name, "count", spell_number(e, count), "seed", seed_parameter(t),
            "given", given_seed(t), "any_seed", t->decl->seeded ? "seed_" : "0", NULL);
    out_put(e->out, any_start, "name", name, "seed", seed_parameter(t), NULL);
    if (t->has_refs)
        out_put(e->out, any_of_refs, "name", name, "seed", seed_parameter(t), "given", given_seed(t), NULL);
    out_put(e->out, any_switch, "name", name, "given", given_seed(t), NULL);
    out_indent(e->out);
    emit_case(e, t, k->upgrade->number, schema_constant_prefix(e->arena, e->schema, e->file), plain, "as_", "");
    for (const old_version *v = k->upgrade->versions; v != NULL; v = v->next) {
        const form *then = packet_then(v, t->decl);
        if (then != NULL)
            emit_case_then(e, t, v, then);
    }
    out_dedent(e->out);
    out_put(e->out, t->decl->seeded ? any_seeded : any_plain, "name", name, NULL);
    out_put(e->out, "    }\n}\n\n", NULL);
}

void open_upgrade_source(upgrader *k, const char *suffix, const char *what)
{
    emitter *e = &k->now;
    open_upgrade_file(k, arena_printf(e->arena, "%s.c", suffix), what);
    out_put(e->out,
            "#include \"pkt_inside.h\"\n"
            "#include \"${stem}$suffix.h\"\n\n",
            "stem", e->file->stem, "suffix", suffix, NULL);
    out_put(e->out, own_marks(e, true), NULL);
}

void close_upgrade_source(upgrader *k, const char *suffix, const output *header, outputs *o)
{
    state_parts(&k->now, close_upgrade_file(k, suffix, o),
                part_named("UPGRADE") | parts_used(header->text, header->size));
}

static void emit_upgrade_source(upgrader *k, const output *header, outputs *o)
{
    emitter *e = &k->now;
    open_upgrade_source(k, "_upgrade", "packets of older versions");
    for (const old_version *v = k->upgrade->versions; v != NULL; v = v->next) {
        begin_version(k, v);
        out_put(e->out, "/* ---- version $number */\n\n", "number", spell_number(e, v->number), NULL);
        if (!v->served) {
            for_each_form(k, emit_form_codec);
            for_each_form(k, emit_reader);
        }
        for_each_form(k, emit_converter);
    }
    out_put(e->out, "/* ---- packets of any version */\n\n", NULL);
    for (const wire_type *t = e->wire->types; t != NULL; t = t->next) {
        if (is_packet(e, t))
            emit_packet(k, t);
        arena_clear(e->arena);
    }
    out_put(e->out, own_marks(e, false), NULL);
    close_upgrade_source(k, "_upgrade.c", header, o);
}

static bool has_deprecated_type(const schema *s)
{
    for (const decl *d = s->decls; d != NULL; d = d->next) {
        if (d->deprecated)
            return true;
        for (const field *f = d->fields; f != NULL; f = f->next)
            if (f->deprecated)
                return true;
    }
    return false;
}

upgrader upgrader_for(arena *a, arena *scratch, const upgrade *u)
{
    upgrader k = {.now = {.arena = scratch,
                          .files = a,
                          .wire = u->now,
                          .schema = u->now->schema,
                          .file = u->now->schema->root,
                          .deprecated = has_deprecated_type(u->now->schema)},
                  .upgrade = u};
    k.old = k.now;
    return k;
}

void emit_upgrade(arena *a, const upgrade *u, outputs *o)
{
    arena *scratch = arena_new();
    upgrader k = upgrader_for(a, scratch, u);
    const output *header = emit_upgrade_header(&k, o);
    emit_upgrade_source(&k, header, o);
    arena_free(scratch);
}
