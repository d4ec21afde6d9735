/* emit_serve_parts.c - packets with parts for clients of older releases.
 * SPDX-License-Identifier: MIT
 *
 * A function does all that a program does for a client of its own release: it finds the baselines, chooses what fits,
 * writes the packet and keeps the parts. For an older release, another one before it converts everything but the parts.
 */
#include "releases/emit_serve.h"

#include <string.h>

/* Whether a part starts from a value that the program sets, now and in the release. */
static bool is_started(const field *f, const field *then)
{
    return then && f->part->starts && then->part->starts;
}

static void emit_peer(server *s, const decl *d)
{
    emitter *e = out_of(s);
    const char *name = spell_decl(e, d);
    bool objects = false;
    for (const field *f = d->fields; f; f = f->next)
        objects = objects || (f->part && f->type.decl->holds_bound);
    out_put(e->out, "typedef struct ${name}_peer {\n    uint32_t release;\n    $forms {\n", "name", name, "forms",
            spell_forms(objects), NULL);
    for (const target *t = s->targets; t; t = t->next) {
        if (!packet_in(t, d))
            continue;
        out_put(e->out, "        struct {\n", NULL);
        for (const field *f = d->fields; f; f = f->next) {
            const field *then = f->part ? field_in(t, f) : NULL;
            if (then)
                out_put(e->out, "            ${packet}_${then}_ring $part;\n", "packet", name_in(t, d), "then",
                        then->name, "part", f->name, NULL);
            if (then && is_started(f, then))
                out_put(e->out, "            ${packet}_${then}_baseline ${part}_start;\n", "packet", name_in(t, d),
                        "then", then->name, "part", f->name, NULL);
        }
        out_put(e->out, "        } $label;\n", "label", t->label, NULL);
    }
    out_put(e->out, "    } as;\n} ${name}_peer;\n", "name", name, NULL);
}

/* ", const World_served *world_": for each part. */
static const char *part_parameters(const emitter *e, const decl *d)
{
    const char *text = "";
    for (const field *f = d->fields; f; f = f->next)
        if (f->part)
            text =
                arena_printf(e->arena, "%s,\n    const %s_served *%s", text, spell_type(e, &f->type), spell_part(e, f));
    return arena_printf(e->arena, "%s%s", text, fit_part_of(d) ? ", pkt_element *order_, uint32_t *count_" : "");
}

static const char *part_arguments(const emitter *e, const decl *d)
{
    const char *text = "";
    for (const field *f = d->fields; f; f = f->next)
        if (f->part)
            text = arena_printf(e->arena, "%s, %s", text, spell_part(e, f));
    return arena_printf(e->arena, "%s%s", text, fit_part_of(d) ? ", order_, count_" : "");
}

static const char *report_parameter(const decl *d)
{
    return has_fit(d) ? ", pkt_fit_report *report_" : "";
}

static const char *report_argument(const decl *d)
{
    return has_fit(d) ? ", report_" : "";
}

static const char datagram_pack[] = "size_t ${name}_pack_for_error(${name}_peer *peer_, $name *v_$parts,\n"
                                    "    uint64_t seed_, void *data_, size_t size_$report, pkt_error *error_)\n"
                                    "{\n";
static const char datagram_unpack[] = "bool ${name}_unpack_for_error(${name}_peer *peer_, $name *v_, uint64_t seed_, "
                                      "const void *data_, size_t size_,\n"
                                      "    pkt_error *error_)\n"
                                      "{\n";

void emit_served_datagram_prototypes(server *s, const decl *d)
{
    emitter *e = out_of(s);
    const char *name = spell_decl(e, d);
    emit_peer(s, d);
    if (!d->received)
        put_served_prototypes(
            e, &(served_call){"size_t", arena_printf(e->arena, "%s_pack_for", name),
                              arena_printf(e->arena,
                                           "%s_peer *peer_, %s *v_%s,\n    uint64_t seed_, void *data_, size_t size_",
                                           name, name, part_parameters(e, d)),
                              arena_printf(e->arena, "peer_, v_%s, seed_, data_, size_", part_arguments(e, d)),
                              "_error", report_parameter(d)});
    put_served_prototypes(
        e,
        &(served_call){"bool", arena_printf(e->arena, "%s_unpack_for", name),
                       arena_printf(e->arena, "%s_peer *peer_, %s *v_, uint64_t seed_, const void *data_, size_t size_",
                                    name, name),
                       "peer_, v_, seed_, data_, size_", "_error", ""});
    for (const field *f = d->fields; f; f = f->next)
        if (f->part)
            out_put(e->out, "PKT_API uint64_t ${name}_${part}_hash_for(const ${name}_peer *peer_, uint64_t number_);\n",
                    "name", name, "part", f->name, NULL);
    for (const field *f = d->fields; f; f = f->next)
        if (f->part && f->part->starts)
            out_put(
                e->out,
                "/* Sets the start value, which stays with the program; NULL: none. False if it is of another release. */\n"
                "PKT_API bool ${name}_${part}_start_for(${name}_peer *peer_, const ${type}_served *start_);\n",
                "name", name, "part", f->name, "type", spell_type(e, &f->type), NULL);
    out_put(e->out, "\n", NULL);
}

/* A part that the release has: its name there, its ring, and its value in the form of the release. */
typedef struct served_part {
    const field *then;
    const char *ring, *packet;
} served_part;

static served_part part_of(server *s, const target *t, const decl *d, const field *f)
{
    return (served_part){field_in(t, f), arena_printf(out_of(s)->arena, "&peer_->as.%s.%s", t->label, f->name),
                         name_in(t, d)};
}

static void emit_baseline(server *s, const target *t, const served_part *p, const field_sum *sum, const char *suffix)
{
    emitter *e = out_of(s);
    const char *present = spell_sum_present(&t->k.now, sum);
    out_put(
        e->out,
        strcmp(present, "true") == 0
            ? "    from_.$part$suffix = ${packet}_${part}_ring_find(\n            $ring, $number);\n"
            : "    if ($present)\n        from_.$part$suffix = ${packet}_${part}_ring_find(\n            $ring, $number);\n",
        "present", present, "part", p->then->name, "suffix", suffix, "packet", p->packet, "ring", p->ring, "number",
        spell_sum(&t->k.now, sum, p->then->part->bits), NULL);
}

static void emit_start_of(server *s, const target *t, const field *f, const served_part *p)
{
    if (is_started(f, p->then))
        out_put(out_of(s)->out, "    from_.${then}_start = peer_->as.$label.${part}_start;\n", "then", p->then->name,
                "label", t->label, "part", f->name, NULL);
}

/* used: whether the packet was written or read. */
static void emit_keep(server *s, const target *t, const served_part *p, const char *used)
{
    emitter *e = out_of(s);
    out_put(e->out, "    if ($used$has)\n        ${packet}_${part}_ring_keep($ring, $number, &v_->$part);\n", "used",
            used, "has", p->then->optional ? arena_printf(e->arena, " && v_->has_%s", p->then->name) : "", "packet",
            p->packet, "part", p->then->name, "ring", p->ring, "number",
            spell_sum(&t->k.now, p->then->part->number, p->then->part->bits), NULL);
}

/* The part whose elements are chosen, because it has @fit now and in the release; NULL if there is none. */
static const field *chosen_part(const target *t, const decl *d)
{
    const field *fit = fit_part_of(d), *then = fit ? field_in(t, fit) : NULL;
    return then && then->fit ? fit : NULL;
}

/* If the release has a part with @fit for which there is no order, nothing is chosen. */
static void emit_fitting(server *s, const target *t, const decl *d)
{
    emitter *e = out_of(s);
    const field *chosen = chosen_part(t, d);
    if (!chosen && has_fit(packet_in(t, d)) && !fit_part_of(packet_in(t, d)))
        out_put(e->out, "    (void)${packet}_fit_pack(&from_, v_, size_, $report); /* if it fails, so does pack */\n",
                "packet", name_in(t, d), "report", has_fit(d) ? "report_" : "NULL", NULL);
    if (!chosen)
        return;
    const order_lines o = spell_order(s, t, chosen->type.decl, spell_part(e, chosen), chosen);
    out_put(e->out,
            "$before"
            "    if (!${packet}_fit_pack(&from_, v_, &$part->as.$label, order_, $count, size_, report_))\n"
            "        v_->$then = $part->as.$label; /* pack says what is wrong */\n"
            "$after",
            "before", o.before, "packet", name_in(t, d), "part", spell_part(e, chosen), "label", t->label, "count",
            o.count, "then", field_in(t, chosen)->name, "after", o.after, NULL);
}

static void emit_pack_in(server *s, const target *t, const decl *d)
{
    emitter *e = out_of(s);
    const char *name = spell_decl(e, d), *packet = name_in(t, d);
    const field *chosen = chosen_part(t, d);
    out_put(e->out,
            "static size_t ${name}_pack_in_${label}_(${name}_peer *peer_, $packet *v_$parts,\n"
            "    uint64_t seed_, void *data_, size_t size_$report, pkt_error *error_)\n"
            "{\n"
            "    ${packet}_baselines from_;\n"
            "    size_t used_;\n"
            "    memset(&from_, 0, sizeof from_);\n",
            "name", name, "label", t->label, "packet", packet, "parts", part_parameters(e, d), "report",
            report_parameter(d), NULL);
    if (fit_part_of(d) && !chosen)
        out_put(e->out, "    (void)order_;\n", NULL);
    if (has_fit(d) && !chosen)
        out_put(e->out, "    pkt_fit_whole($count, report_);\n", "count", fit_part_of(d) ? "*count_" : "0", NULL);
    for (const field *f = d->fields; f; f = f->next) {
        if (!f->part)
            continue;
        const served_part p = part_of(s, t, d, f);
        if (!p.then) {
            out_put(e->out, "    (void)$part;\n", "part", spell_part(e, f), NULL);
            continue;
        }
        emit_baseline(s, t, &p, p.then->part->base, "");
        if (p.then->part->before)
            emit_baseline(s, t, &p, p.then->part->before, "_before");
        emit_start_of(s, t, f, &p);
        if (f != chosen)
            out_put(e->out, "    v_->$then = $part->as.$label;\n", "then", p.then->name, "part", spell_part(e, f),
                    "label", t->label, NULL);
    }
    emit_fitting(s, t, d);
    out_put(e->out, "    used_ = ${packet}_pack_error(&from_, v_, seed_, data_, size_, error_);\n", "packet", packet,
            NULL);
    for (const field *f = d->fields; f; f = f->next) {
        const served_part p = f->part ? part_of(s, t, d, f) : (served_part){0};
        if (p.then)
            emit_keep(s, t, &p, "used_ != 0");
    }
    out_put(e->out, "    return used_;\n}\n\n", NULL);
}

static void emit_unpack_in(server *s, const target *t, const decl *d)
{
    emitter *e = out_of(s);
    const char *name = spell_decl(e, d), *packet = name_in(t, d);
    out_put(e->out,
            "static bool ${name}_unpack_in_${label}_(${name}_peer *peer_, $packet *v_, uint64_t seed_,\n"
            "    const void *data_, size_t size_, pkt_error *error_)\n"
            "{\n"
            "    ${packet}_baselines from_;\n"
            "    ${packet}_names names_;\n"
            "    bool used_;\n"
            "    memset(&from_, 0, sizeof from_);\n"
            "    memset(&names_, 0, sizeof names_);\n",
            "name", name, "label", t->label, "packet", packet, NULL);
    for (const field *f = d->fields; f; f = f->next) {
        const served_part p = f->part ? part_of(s, t, d, f) : (served_part){0};
        if (p.then)
            emit_start_of(s, t, f, &p);
    }
    out_put(e->out, "    if (${packet}_peek(v_, &names_, data_, size_)) {\n", "packet", packet, NULL);
    for (const field *f = d->fields; f; f = f->next) {
        const served_part p = f->part ? part_of(s, t, d, f) : (served_part){0};
        if (!p.then)
            continue;
        out_put(e->out,
                "        if (names_.$part.based)\n"
                "            from_.$part = ${packet}_${part}_ring_find(\n                $ring, names_.$part.base);\n",
                "part", p.then->name, "packet", packet, "ring", p.ring, NULL);
        if (p.then->part->before)
            out_put(
                e->out,
                "        if (names_.$part.moves)\n"
                "            from_.${part}_before = ${packet}_${part}_ring_find(\n                    $ring, names_.$part.before);\n",
                "part", p.then->name, "packet", packet, "ring", p.ring, NULL);
    }
    out_put(e->out, "    }\n    used_ = ${packet}_unpack_error(&from_, v_, seed_, data_, size_, error_);\n", "packet",
            packet, NULL);
    for (const field *f = d->fields; f; f = f->next) {
        const served_part p = f->part ? part_of(s, t, d, f) : (served_part){0};
        if (p.then)
            emit_keep(s, t, &p, "used_");
    }
    out_put(e->out, "    return used_;\n}\n\n", NULL);
}

/* The counts of @fit arrays, which T_fit_pack has made less. */
static const char *spell_counts(server *s, const target *t, const decl *d)
{
    emitter *e = out_of(s);
    const char *text = "";
    for (const field *f = d->fields; f; f = f->next) {
        const field *then = f->fit && f->array == ARRAY_COUNTED ? field_in(t, f) : NULL;
        if (then && then->fit)
            text = arena_printf(e->arena, "%s    v_->%s_count = then_.%s_count;\n", text, f->name, then->name);
    }
    return text;
}

static const char datagram_pack_then[] =
    "static size_t ${name}_pack_for_${label}_(${name}_peer *peer_, $name *v_$parts,\n"
    "    uint64_t seed_, void *data_, size_t size_$takes, pkt_error *error_)\n"
    "{\n"
    "    $packet then_;\n"
    "    size_t used_;\n"
    "    uint32_t cut_ = 0;\n"
    "    pkt_error fault_, why_;\n"
    "    pkt_no_error(&fault_);\n"
    "    if (!${name}_spare_${label}_(v_, NULL, &cut_, &fault_, &why_))\n"
    "        return pkt_spare_fails(&why_, $kept, $reported, error_);\n"
    "    if (!${name}_to_$label(&then_, v_))\n"
    "        return $failure;\n"
    "    used_ = ${name}_pack_in_${label}_(peer_, &then_$arguments, seed_, data_, size_$passes, error_);\n"
    "$counts$report"
    "    return used_;\n"
    "}\n"
    "\n";

static const char report_cut[] = "    if (report_ && cut_ != 0 && used_ != 0) {\n"
                                 "        report_->cut += cut_;\n"
                                 "        report_->error = fault_;\n"
                                 "    }\n";

static const char datagram_unpack_then[] =
    "static bool ${name}_unpack_for_${label}_(${name}_peer *peer_, $name *v_, uint64_t seed_, const void *data_,\n"
    "    size_t size_, pkt_error *error_)\n"
    "{\n"
    "    $packet then_;\n"
    "    return ${name}_unpack_in_${label}_(peer_, &then_, seed_, data_, size_, error_) &&\n"
    "           ${name}_taken_(v_, ${name}_from_$label(v_, &then_), error_);\n"
    "}\n"
    "\n";

static void emit_datagram_then(server *s, const target *t, const decl *d)
{
    emitter *e = out_of(s);
    const char *name = spell_decl(e, d);
    if (!d->received)
        emit_pack_in(s, t, d);
    emit_unpack_in(s, t, d);
    if (t->is_now)
        return;
    if (!d->received)
        emit_spare(s, t, d);
    if (!d->received)
        out_put(e->out, datagram_pack_then, "report", has_fit(d) ? report_cut : "", "kept",
                fit_part_of(d) ? "count_" : "NULL", "reported", has_fit(d) ? "report_" : "NULL", "name", name, "label",
                t->label, "packet", name_in(t, d), "parts", part_parameters(e, d), "failure", failure_of(s, d, true),
                "arguments", part_arguments(e, d), "takes", report_parameter(d), "passes", report_argument(d), "counts",
                spell_counts(s, t, d), NULL);
    out_put(e->out, datagram_unpack_then, "name", name, "label", t->label, "packet", name_in(t, d), NULL);
}

static const char *spell_datagram_packing(server *s, const target *t, const decl *d)
{
    emitter *e = out_of(s);
    if (!packet_in(t, d))
        return NULL;
    return arena_printf(e->arena, " return %s_pack%s%s_(peer_, v_%s, seed_, data_, size_%s, error_)", spell_decl(e, d),
                        t->is_now ? "_in_" : "_for_", t->label, part_arguments(e, d), report_argument(d));
}

static const char *spell_datagram_unpacking(server *s, const target *t, const decl *d)
{
    emitter *e = out_of(s);
    if (!packet_in(t, d))
        return NULL;
    return arena_printf(e->arena, " return %s_unpack%s%s_(peer_, v_, seed_, data_, size_, error_)", spell_decl(e, d),
                        t->is_now ? "_in_" : "_for_", t->label);
}

static void emit_hash_for(server *s, const decl *d, const field *f)
{
    emitter *e = out_of(s);
    out_put(e->out,
            "uint64_t ${name}_${part}_hash_for(const ${name}_peer *peer_, uint64_t number_)\n{\n"
            "    switch (peer_->release) {\n",
            "name", spell_decl(e, d), "part", f->name, NULL);
    for (const target *t = s->targets; t; t = t->next)
        if (packet_in(t, d) && field_in(t, f))
            out_put(e->out, "    case $number: return ${packet}_${part}_ring_find($ring, number_).hash;\n", "number",
                    spell_number(e, t->number), "packet", name_in(t, d), "part", field_in(t, f)->name, "ring",
                    part_of(s, t, d, f).ring, NULL);
    out_put(e->out, "    default: return 0;\n    }\n}\n\n", NULL);
}

static void emit_start_for(server *s, const decl *d, const field *f)
{
    emitter *e = out_of(s);
    out_put(e->out,
            "bool ${name}_${part}_start_for(${name}_peer *peer_, const ${type}_served *start_)\n{\n"
            "    if (start_ && start_->release != peer_->release)\n"
            "        return false;\n"
            "    switch (peer_->release) {\n",
            "name", spell_decl(e, d), "part", f->name, "type", spell_type(e, &f->type), NULL);
    for (const target *t = s->targets; t; t = t->next) {
        const field *then = packet_in(t, d) ? field_in(t, f) : NULL;
        if (!is_started(f, then))
            continue;
        const bool hashed = has_hash(wire_type_of(t->k.now.wire, then->type.decl));
        out_put(e->out,
                "    case $number:\n"
                "        memset(&peer_->as.$label.${part}_start, 0, sizeof peer_->as.$label.${part}_start);\n"
                "        if (start_)\n"
                "            peer_->as.$label.${part}_start = ${packet}_${then}_start(${room}&start_->as.$label);\n"
                "        return true;\n",
                "number", spell_number(e, t->number), "label", t->label, "part", f->name, "packet", name_in(t, d),
                "then", then->name, "room", hashed ? "" : arena_printf(e->arena, "%s, ", part_of(s, t, d, f).ring),
                NULL);
    }
    out_put(e->out, "    default: return !start_;\n    }\n}\n\n", NULL);
}

/* A part that the release lacks may be NULL. */
static void emit_part_check(server *s, const decl *d, const field *f)
{
    emitter *e = out_of(s);
    const char *unless = "";
    for (const target *t = s->targets; t; t = t->next)
        if (packet_in(t, d) && !field_in(t, f))
            unless = arena_printf(e->arena, "%speer_->release != %s && ", unless, spell_number(e, t->number));
    out_put(e->out, "    if ($unless$part->release != peer_->release)\n        return $failure;\n", "unless", unless,
            "part", spell_part(e, f), "failure", unserved_of(s, d, true), NULL);
}

void emit_served_datagram(server *s, const decl *d)
{
    emitter *e = out_of(s);
    const char *name = spell_decl(e, d);
    for (const target *t = s->targets; t; t = t->next)
        if (packet_in(t, d))
            emit_datagram_then(s, t, d);
    if (!d->received) {
        out_put(e->out, datagram_pack, "name", name, "parts", part_parameters(e, d), "report", report_parameter(d),
                NULL);
        for (const field *f = d->fields; f; f = f->next)
            if (f->part)
                emit_part_check(s, d, f);
        emit_release_switch(s, d, "peer_->release", spell_datagram_packing, unserved_of(s, d, true));
    }
    out_put(e->out, datagram_unpack, "name", name, NULL);
    emit_release_switch(s, d, "peer_->release", spell_datagram_unpacking, unserved_of(s, d, false));
    for (const field *f = d->fields; f; f = f->next)
        if (f->part)
            emit_hash_for(s, d, f);
    for (const field *f = d->fields; f; f = f->next)
        if (f->part && f->part->starts)
            emit_start_for(s, d, f);
}
