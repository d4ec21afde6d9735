/* emit_serve.c - NAME_serve.h and NAME_serve.c: packets for clients of older releases.
 * SPDX-License-Identifier: MIT
 *
 * Each release that is served has all its types and functions in a file of its own, NAME_vN.c. Here are the conversions to
 * it, and functions that choose the release. A baseline stays in the form of its release, so a delta is what that
 * release's own program would send.
 */
#include "releases/emit_serve.h"
#include "base/hash_table.h"
#include "model/type_table.h"

static const char serve_start[] =
    "#ifndef $guard\n"
    "#define $guard\n"
    "\n"
    "#include \"${stem}_upgrade.h\"\n"
    "\n"
    "#ifdef __cplusplus\n"
    "PKT_C_CASTS\n"
    "extern \"C\" {\n"
    "#endif\n"
    "\n"
    "/* Packets for clients of this release, ${prefix}PROTOCOL_VERSION, and of older versions: $numbers. `release` is the\n"
    " * client's. Functions fail with PKT_ERROR_VALUE if it is none of these.\n"
    " *\n"
    " * For each packet T:\n"
    " *   T_pack_for    writes a packet as the client's release does. It takes what T_pack takes, after the release.\n"
    " *   T_unpack_for  reads a packet of the client's release.\n"
    " *   ..._error, ..._refs  like those of T_pack.\n"
    " *\n"
    " * For each type T that has deltas:\n"
    " *   T_served      a value in the form of a release. Baselines are kept in this form. What a release has without\n"
    " *                 @fit is sent whole.\n"
    " *   T_serve       converts a value. All clients of the release can share the result. It is without content for\n"
    " *                 a release that has no deltas of the type.\n"
    " *   T_of_served   converts a value back. It loses what the release does not have.\n"
    " *   ..._delta_for like T_pack_delta and so on. The baseline is NULL or of the same release.\n"
    " *\n"
    " * For each packet T with parts:\n"
    " *   T_peer        what a client and the program have sent each other, for baselines. All bytes are zero, but for\n"
    " *                 its `release`.\n"
    " *   T_fit_pack_for  of a packet with @fit: finds the baselines, chooses what fits into max_bytes, and stores in\n"
    " *                 *sent what the client will have of the part with @fit; the counts of arrays with @fit become\n"
    " *                 what is sent. Then T_pack_for packs *v and *sent. Fields of *v whose size does not depend on\n"
    " *                 their value may change in between. *report, which may be NULL, is as that of T_fit_pack. sent\n"
    " *                 is another object than the part.\n"
    " *   T_pack_for    finds the baselines, writes the packet, and keeps the parts as baselines. It takes the parts in\n"
    " *                 the form of the client's release. A part that the release lacks may be NULL. Of *v, the names\n"
    " *                 of baselines are set as for T_pack.\n"
    " *   T_unpack_for  finds the baselines, reads the packet, keeps the parts as baselines, and converts it.\n"
    " *   T_x_hash_for  the hash of the part x of that number, as the client has it; 0 if it is kept no more.\n"
    " *\n"
    " *   T_to_vN       makes a value of version N of a value that T_valid accepts. Returns false if there is none. */\n"
    "\n";

/* ---- which types */

static bool has_served(server *s, const decl *d)
{
    return has_served_form(s, s->targets, d);
}

/* ---- values in the form of a release */

static void emit_served_type(server *s, const decl *d)
{
    emitter *e = out_of(s);
    const char *name = spell_decl(e, d);
    out_put(e->out, "typedef struct ${name}_served {\n    uint32_t release;\n", "name", name, NULL);
    if (spared_elements(s, d) != 0)
        out_put(
            e->out,
            "    pkt_error fault;      /* of the first element with @fit that cannot be written: it is left out */\n"
            "    uint64_t invalid[$words]; /* all of these elements */\n",
            "words", spell_number(e, (spared_elements(s, d) + 63) / 64), NULL);
    out_put(e->out, "    $forms {\n", "forms", spell_forms(d->holds_bound), NULL);
    for (const target *t = s->targets; t; t = t->next)
        if (has_served_form(s, t, d))
            out_put(e->out, "        $type $label;\n", "type", name_in(t, d), "label", t->label, NULL);
    out_put(e->out,
            "    } as;\n"
            "} ${name}_served;\n"
            "${serve}"
            "PKT_API bool ${name}_of_served($name *v_, const ${name}_served *from_, pkt_error *error_);\n"
            "\n",
            "name", name, "serve",
            d->received
                ? ""
                : arena_printf(
                      e->arena,
                      "PKT_API bool %s_serve(%s_served *to_, uint32_t release_, const %s *v_, pkt_error *error_);\n",
                      name, name, name),
            NULL);
}

static const char *spell_serving(server *s, const target *t, const decl *d)
{
    emitter *e = out_of(s);
    if (t->is_now)
        return arena_printf(e->arena, "\n    %s;\n    return pkt_no_error(error_)",
                            spell_copy_in(t, d, "&to_->as.now", "v_"));
    if (!has_served_form(s, t, d))
        return " return pkt_no_error(error_)";
    return arena_printf(e->arena,
                        "\n    if (!%s_spare_%s_(v_, %s, error_))\n        return false;\n"
                        "    return %s_to_%s(&to_->as.%s, v_) ? pkt_no_error(error_) : %s",
                        spell_decl(e, d), t->label,
                        spared_elements(s, d) != 0 ? "to_->invalid, NULL, &to_->fault" : "NULL, NULL, NULL",
                        spell_decl(e, d), t->label, t->label, failure_of(s, d, false));
}

static const char *spell_of_served(server *s, const target *t, const decl *d)
{
    emitter *e = out_of(s);
    if (t->is_now)
        return arena_printf(e->arena, "\n    %s;\n    return pkt_no_error(error_)",
                            spell_copy_in(t, d, "v_", "&from_->as.now"));
    if (!has_served_form(s, t, d))
        return NULL;
    return arena_printf(e->arena, " return %s_taken_(v_, %s_from_%s(v_, &from_->as.%s), error_)", spell_decl(e, d),
                        spell_decl(e, d), t->label, t->label);
}

/* Nothing is returned that T_pack refuses. */
static const char taken_function[] =
    "static bool ${name}_taken_($name *v_, bool converted_, pkt_error *error_)\n"
    "{\n"
    "    if (converted_)\n"
    "        ${name}_quantize(v_);\n"
    "    return converted_ && pkt_can_write(&${name}_type_, v_) ? pkt_no_error(error_)\n"
    "                                                           : pkt_upgrade_lost(\"$plain\", error_);\n"
    "}\n"
    "\n";

static void emit_served_functions(server *s, const decl *d)
{
    emitter *e = out_of(s);
    const char *name = spell_decl(e, d);
    for (const target *t = s->targets->next; t; t = t->next)
        if (!d->received && has_served_form(s, t, d))
            emit_spare(s, t, d);
    if (!d->received) {
        out_put(e->out,
                "bool ${name}_serve(${name}_served *to_, uint32_t release_, const $name *v_, pkt_error *error_)\n"
                "{\n"
                "    to_->release = release_;\n"
                "$unspoiled",
                "name", name, "unspoiled", spell_unspoiled(s, d, "to_"), NULL);
        emit_release_switch(s, d, "release_", spell_serving, unserved_of(s, d, false));
    }
    out_put(e->out, "bool ${name}_of_served($name *v_, const ${name}_served *from_, pkt_error *error_)\n{\n", "name",
            name, NULL);
    emit_release_switch(s, d, "from_->release", spell_of_served, unserved_of(s, d, false));
}

/* ---- packets */

static const char pack_parameters[] =
    "uint32_t release_, const $name *v_, ${before}void *data_, size_t size_$after,\n    pkt_error *error_)";
static const char unpack_parameters[] =
    "uint32_t release_, $name *v_, ${before}const void *data_, size_t size_$after,\n    pkt_error *error_)";

static void put_packet(server *s, const decl *d, const char *start, const char *parameters)
{
    emitter *e = out_of(s);
    const calls c = calls_of(s->targets, e, d);
    const char *line = arena_printf(e->arena, "%s%s\n{\n", start, parameters);
    out_put(e->out, line, "name", spell_decl(e, d), "ending", c.ending, "before", c.before, "after", c.after, NULL);
}

static void emit_served_prototypes(server *s, const decl *d)
{
    emitter *e = out_of(s);
    const calls c = calls_of(s->targets, e, d);
    const char *name = spell_decl(e, d), *arguments = arena_printf(e->arena, "release_, v_, %sdata_, size_", c.seed);
    if (!d->received)
        put_served_prototypes(
            e, &(served_call){"size_t", arena_printf(e->arena, "%s_pack_for", name),
                              arena_printf(e->arena, "uint32_t release_, const %s *v_, %svoid *data_, size_t size_",
                                           name, c.before),
                              arguments, c.ending, c.after});
    put_served_prototypes(
        e, &(served_call){
               "bool", arena_printf(e->arena, "%s_unpack_for", name),
               arena_printf(e->arena, "uint32_t release_, %s *v_, %sconst void *data_, size_t size_", name, c.before),
               arguments, c.ending, c.after});
    out_put(e->out, "\n", NULL);
}

static const char packet_pack_then[] =
    "static size_t ${name}_pack_for_${label}_(const $name *v_, ${before}void *data_, size_t size_$after, pkt_error *error_)\n"
    "{\n"
    "    $then then_;\n"
    "$unused"
    "    if (!pkt_spare(&${name}_type_, NULL, 0, ($name *)(uintptr_t)v_, NULL, NULL, NULL, error_))\n"
    "        return 0;\n"
    "    if (!${name}_to_$label(&then_, v_))\n"
    "        return $failure;\n"
    "    return ${then}_pack$form(&then_, ${seed}data_, size_$refs, error_);\n"
    "}\n"
    "\n";

static const char packet_unpack_then[] =
    "static bool ${name}_unpack_for_${label}_($name *v_, ${before}const void *data_, size_t size_$after, pkt_error *error_)\n"
    "{\n"
    "    $then then_;\n"
    "$unused"
    "    return ${then}_unpack$form(&then_, ${seed}data_, size_$refs, error_) &&\n"
    "           ${name}_taken_(v_, ${name}_from_$label(v_, &then_), error_);\n"
    "}\n"
    "\n";

static void emit_then(server *s, const target *t, const decl *d)
{
    emitter *e = out_of(s);
    const calls c = calls_of(t, e, d);
    if (!d->received)
        out_put(e->out, packet_pack_then, "name", spell_decl(e, d), "label", t->label, "before", c.before, "after",
                c.after, "then", name_in(t, d), "failure", failure_of(s, d, true), "form", c.form, "seed", c.seed,
                "refs", c.refs, "unused", c.unused, NULL);
    out_put(e->out, packet_unpack_then, "name", spell_decl(e, d), "label", t->label, "before", c.before, "after",
            c.after, "then", name_in(t, d), "form", c.form, "seed", c.seed, "refs", c.refs, "unused", c.unused, NULL);
}

/* A call of T_pack or T_unpack, of the version now or converted. */
static const char *spell_packet_call(server *s, const target *t, const decl *d, const char *word)
{
    emitter *e = out_of(s);
    if (!packet_in(t, d))
        return NULL;
    const calls c = calls_of(t, e, d);
    return arena_printf(e->arena, " return %s_%s%s(v_, %sdata_, size_%s, error_)", spell_decl(e, d), word,
                        t->is_now ? c.form : arena_printf(e->arena, "_for_%s_", t->label), c.seed, c.given);
}

static const char *spell_packing(server *s, const target *t, const decl *d)
{
    return spell_packet_call(s, t, d, "pack");
}

static const char *spell_unpacking(server *s, const target *t, const decl *d)
{
    return spell_packet_call(s, t, d, "unpack");
}

static void emit_packet_functions(server *s, const decl *d)
{
    for (const target *t = s->targets->next; t; t = t->next)
        if (packet_in(t, d))
            emit_then(s, t, d);
    if (!d->received) {
        put_packet(s, d, "size_t ${name}_pack_for$ending(", pack_parameters);
        emit_release_switch(s, d, "release_", spell_packing, unserved_of(s, d, true));
    }
    put_packet(s, d, "bool ${name}_unpack_for$ending(", unpack_parameters);
    emit_release_switch(s, d, "release_", spell_unpacking, unserved_of(s, d, false));
}

/* ---- files */

static void for_each_type(server *s, void (*emit_one)(server *s, const decl *d))
{
    for (const decl *d = out_of(s)->schema->decls; d; d = d->next) {
        if (decl_is_type(d))
            emit_one(s, d);
        arena_clear(out_of(s)->arena);
    }
}

static void emit_type_header(server *s, const decl *d)
{
    emitter *e = out_of(s);
    const bool served = has_served(s, d), packet = is_own_packet(e, d);
    if (served || packet)
        out_put(e->out, "/* ---- $name */\n\n", "name", spell_decl(e, d), NULL);
    if (served)
        emit_served_type(s, d);
    if (packet && d->parts)
        emit_served_datagram_prototypes(s, d);
    else if (packet)
        emit_served_prototypes(s, d);
    if (packet && d->delta)
        emit_served_delta_prototypes(s, d);
}

static void emit_type_source(server *s, const decl *d)
{
    emitter *e = out_of(s);
    const bool served = has_served(s, d), packet = is_own_packet(e, d);
    bool older = false;
    for (const target *t = s->targets->next; t; t = t->next)
        older = older || (packet && packet_in(t, d)) || (served && has_served_form(s, t, d));
    if (older)
        out_put(e->out, taken_function, "name", spell_decl(e, d), "plain", d->name, NULL);
    emit_orders(s, d);
    if (served)
        emit_served_functions(s, d);
    if (packet && d->parts)
        emit_served_datagram(s, d);
    else if (packet)
        emit_packet_functions(s, d);
    if (packet && d->delta)
        emit_served_deltas(s, d);
}

/* T_to_vN of the program's own types, and hooks. */
static void emit_back_prototype(upgrader *k, const form *f, const wire_type *t)
{
    emitter *e = &k->now;
    if (t && is_public(k->upgrade, f))
        out_put(e->out, "${api}bool $to($then *v_, const $old *old_);$program\n", "api", f->program ? "" : "PKT_API ",
                "to", spell_conversion(k, f), "then", spell_decl(e, f->now), "old", spell_decl(&k->old, f->decl),
                "program", f->program ? " /* the program defines it */" : "", NULL);
    if (t && f->converted && f->now)
        emit_hook_prototypes(k, f, spell_decl(&k->old, f->decl));
}

static void emit_back(upgrader *k, const form *f, const wire_type *t)
{
    if (f->converted && f->now)
        emit_conversion(k, f, t);
}

static void for_each_form_back(server *s, void (*emit_one)(upgrader *k, const form *f, const wire_type *t))
{
    for (target *t = s->targets->next; t; t = t->next) {
        t->k.now.out = t->k.old.out = out_of(s)->out;
        for_each_form(&t->k, emit_one);
    }
}

/* T_base of the elements of sparse arrays, which converted values have where elements are absent. `begun`: another release
 * has some already. Returns whether there are some now. */
static bool emit_base_prototypes(server *s, const target *t, bool begun)
{
    emitter e = t->k.now;
    map *done = map_new(e.arena);
    e.out = out_of(s)->out;
    for (const decl *d = e.schema->decls; d; d = d->next)
        for (const field *f = d->fields; f; f = f->next) {
            const decl *of = f->array == ARRAY_SPARSE && is_composite(&f->type) ? f->type.decl : NULL;
            if (!of || of->zero_base || map_get(done, of, NULL))
                continue;
            map_put(e.arena, done, of, NULL, (void *)(uintptr_t)of);
            out_put(e.out, begun ? "" : externs_open, NULL);
            emit_base_prototype(&e, of);
            begun = true;
        }
    return begun;
}

static const char *served_numbers(const server *s)
{
    const char *text = "";
    for (const target *t = s->targets->next; t; t = t->next)
        text = arena_printf(s->k->now.arena, "%s%s%lu", text, *text ? ", " : "", (unsigned long)t->number);
    return text;
}

void emit_serve(arena *a, const upgrade *u, outputs *o)
{
    arena *scratch = arena_new();
    upgrader whole = upgrader_for(a, scratch, u), *k = &whole;
    server s = {.k = k};
    emitter *e = &k->now;
    find_targets(&s);
    open_upgrade_file(k, "_serve.h", "packets for clients of older releases");
    out_put(e->out, serve_start, "guard", upgrade_guard(e, "SERVE_H"), "stem", e->file->stem, "prefix",
            schema_constant_prefix(e->arena, e->schema, e->file), "numbers", served_numbers(&s), NULL);
    out_put(e->out, own_marks(e, true), NULL);
    for_each_form_back(&s, emit_back_prototype);
    out_put(e->out, "\n", NULL);
    for_each_type(&s, emit_type_header);
    out_put(e->out, own_marks(e, false), NULL);
    out_put(e->out, externs_close, NULL);
    out_put(e->out, "#endif\n", NULL);
    const output *header = close_upgrade_file(k, "_serve.h", o);

    open_upgrade_source(k, "_serve", "packets for clients of older releases");
    bool begun = false;
    for (const target *t = s.targets->next; t; t = t->next)
        begun = emit_base_prototypes(&s, t, begun);
    if (begun) {
        out_put(e->out, "\n", NULL);
        out_put(e->out, externs_close, NULL);
    }
    for_each_form_back(&s, emit_back);
    for_each_type(&s, emit_type_source);
    out_put(e->out, own_marks(e, false), NULL);
    close_upgrade_source(k, "_serve.c", header, o);
    arena_free(scratch);
}
