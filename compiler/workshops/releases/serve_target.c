/* serve_target.c - the releases that are served, and how their functions are called.
 * SPDX-License-Identifier: MIT
 */
#include "releases/serve_target.h"

#include <string.h>

static target *target_new(server *s, const upgrader *k, uint32_t number)
{
    target *t = ARENA_NEW(k->now.files, target), **last = &s->targets;
    const bool is_now = s->targets == NULL;
    while (*last)
        last = &(*last)->next;
    *t = (target){.k = *k, .number = number, .is_now = is_now};
    t->label = is_now ? "now" : arena_printf(k->now.files, "v%lu", (unsigned long)number);
    *last = t;
    return t;
}

static void find_parts(server *s, target *t)
{
    const emitter *e = out_of(s);
    arena *a = e->files;
    t->parts = map_new(a);
    t->fits = map_new(a);
    for (const decl *d = e->schema->decls; d; d = d->next) {
        if (!is_own_packet(e, d) || d->received || !packet_in(t, d))
            continue;
        for (const field *f = d->fields; f; f = f->next)
            if (f->part && field_in(t, f))
                map_put(a, t->parts, f->type.decl, NULL, t);
        const field *fit = fit_part_of(d), *then = fit ? field_in(t, fit) : NULL;
        if (then && then->fit)
            map_put(a, t->fits, fit->type.decl, NULL, t);
    }
}

void find_targets(server *s)
{
    const upgrade *u = s->k->upgrade;
    find_parts(s, target_new(s, s->k, u->number));
    for (const old_version *v = u->versions; v; v = v->next) {
        if (!v->served)
            continue;
        upgrader k = upgrader_for(s->k->now.files, s->k->now.arena, v->back);
        target *t = target_new(s, &k, v->number);
        begin_version(&t->k, v->back->versions);
        find_parts(s, t);
    }
}

static const decl *type_in(const target *t, const decl *now)
{
    return t->is_now ? now : decl_now(&t->k.version->conversion, now);
}

const decl *packet_in(const target *t, const decl *now)
{
    const decl *then = type_in(t, now);
    return then && now->packet && then->packet && is_sent_alike(now, then) ? then : NULL;
}

const char *name_in(const target *t, const decl *now)
{
    return spell_decl(&t->k.now, type_in(t, now));
}

const char *spell_copy_in(const target *t, const decl *now, const char *to, const char *from)
{
    return spell_whole_copy(&t->k.now, type_in(t, now), to, from);
}

const field *field_in(const target *t, const field *now)
{
    return t->is_now ? now : field_now(&t->k.version->conversion, now);
}

bool is_own_packet(const emitter *e, const decl *d)
{
    return d->packet && d->file == e->file;
}

emitter *out_of(server *s)
{
    return &s->k->now;
}

bool has_delta_packet(server *s, const target *t, const decl *d)
{
    const decl *then = is_own_packet(out_of(s), d) && d->delta ? packet_in(t, d) : NULL;
    return then && then->delta && d->predicts == then->predicts;
}

bool has_served_form(server *s, const target *t, const decl *d)
{
    return has_delta_packet(s, t, d) || map_get(t->parts, d, NULL);
}

bool is_chosen(server *s, const target *t, const decl *d)
{
    return (has_delta_packet(s, t, d) && has_fit(d) && has_fit(packet_in(t, d))) || map_get(t->fits, d, NULL);
}

const char *spell_forms(bool objects)
{
    return objects ? "struct" : "union";
}

/* A switch over the release. */
void emit_release_switch(server *s, const decl *d, const char *release,
                         const char *(*spell)(server *s, const target *t, const decl *d), const char *failure)
{
    emitter *e = out_of(s);
    out_put(e->out, "    switch ($release) {\n", "release", release, NULL);
    for (const target *t = s->targets; t; t = t->next) {
        const char *line = spell(s, t, d);
        if (line)
            out_put(e->out, "    case $number:$line;\n", "number", spell_number(e, t->number), "line", line, NULL);
    }
    out_put(e->out, "    default: return $failure;\n    }\n}\n\n", "failure", failure, NULL);
}

static const char *spell_failure(server *s, const decl *d, const char *suffix, bool is_size)
{
    return arena_printf(s->k->now.arena, "%spkt_upgrade_lost(\"%s%s\", error_)", is_size ? "(size_t)" : "", d->name,
                        suffix);
}

const char *failure_of(server *s, const decl *d, bool is_size)
{
    return spell_failure(s, d, "", is_size);
}

const char *unserved_of(server *s, const decl *d, bool is_size)
{
    return spell_failure(s, d, ".release", is_size);
}

static bool has_refs(const emitter *e, const decl *d)
{
    return wire_type_of(e->wire, d)->has_refs;
}

calls calls_of(const target *t, const emitter *e, const decl *d)
{
    const bool takes = has_refs(e, d), passes = has_refs(&t->k.now, packet_in(t, d));
    return (calls){.form = passes ? "_refs" : "_error",
                   .ending = takes ? "_refs" : "_error",
                   .before = d->seeded ? "uint64_t seed_, " : "",
                   .seed = d->seeded ? "seed_, " : "",
                   .after = takes ? ", pkt_refs *refs_" : "",
                   .refs = !passes ? ""
                           : takes ? ", refs_"
                                   : ", NULL",
                   .given = takes ? ", refs_" : "",
                   .unused = takes && !passes ? "    (void)refs_;\n" : ""};
}

static const char call_without[] = "PKT_INLINE $result $name$form($parameters$error)\n"
                                   "{\n"
                                   "    return $name$ending($arguments$given);\n"
                                   "}\n";

void put_served_prototypes(emitter *e, const served_call *c)
{
    const bool refs = strcmp(c->ending, "_refs") == 0;
    out_put(e->out, "PKT_API $result $name$ending($parameters$rare,\n    pkt_error *error_);\n", "result", c->result,
            "name", c->name, "ending", c->ending, "parameters", c->parameters, "rare", c->rare, NULL);
    if (refs)
        out_put(e->out, call_without, "result", c->result, "name", c->name, "form", "_error", "parameters",
                c->parameters, "error", ", pkt_error *error_", "ending", c->ending, "arguments", c->arguments, "given",
                ", NULL, error_", NULL);
    out_put(e->out, call_without, "result", c->result, "name", c->name, "form", "", "parameters", c->parameters,
            "error", "", "ending", c->ending, "arguments", c->arguments, "given", *c->rare ? ", NULL, NULL" : ", NULL",
            NULL);
}
