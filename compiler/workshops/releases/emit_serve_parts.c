/* emit_serve_parts.c - packets with parts for clients of older releases.
 * SPDX-License-Identifier: MIT
 *
 * Functions do all that a program does for a client of its own release: they find the baselines, choose what fits, write the
 * packet and keep the parts. For an older release, another one before each converts everything but the parts.
 */
#include "releases/emit_serve.h"

#include <string.h>

/* Whether a part starts from a value that the program sets, now and in the release. */
static bool is_started(const field *f, const field *then)
{
    return then && f->part->starts && then->part->starts;
}

/* Whether a packet has functions for what its T_peer has acknowledged. */
static bool peer_sends(const decl *d)
{
    return !d->received && has_sender(d);
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
    out_put(e->out, "    } as;\n", NULL);
    out_put(e->out, "} ${name}_peer;\n", "name", name, NULL);
}

/* ", const World_served *world_": for each part. */
static const char *part_parameters(const emitter *e, const decl *d)
{
    const char *text = "";
    for (const field *f = d->fields; f; f = f->next)
        if (f->part)
            text =
                arena_printf(e->arena, "%s,\n    const %s_served *%s", text, spell_type(e, &f->type), spell_part(e, f));
    return text;
}

static const char *part_arguments(const emitter *e, const decl *d)
{
    const char *text = "";
    for (const field *f = d->fields; f; f = f->next)
        if (f->part)
            text = arena_printf(e->arena, "%s, %s", text, spell_part(e, f));
    return text;
}

/* What T_fit_pack_for takes after the parts: where it stores the part that it chooses from, and the order. */
static const char *fit_parameters(const emitter *e, const decl *d)
{
    const field *part = fit_part_of(d);
    return part ? arena_printf(e->arena, ",\n%s_served *sent_, pkt_element *order_, uint32_t *count_",
                               spell_type(e, &part->type))
                : "";
}

static const char *fit_arguments(const decl *d)
{
    return fit_part_of(d) ? ", sent_, order_, count_" : "";
}

static const char datagram_pack[] = "size_t ${name}_pack_for_error(${name}_peer *peer_, $name *v_$parts,\n"
                                    "    uint64_t seed_, void *data_, size_t size_, pkt_error *error_)\n"
                                    "{\n";
static const char datagram_fit_prototype[] =
    "PKT_API bool ${name}_fit_pack_for(const ${name}_peer *peer_, $name *v_$parts$fit,\n"
    "    size_t max_bytes_, pkt_fit_report *report_);\n";
static const char datagram_fit[] = "static bool ${name}_fit_for_(const ${name}_peer *peer_, $name *v_$parts$fit,\n"
                                   "    size_t max_bytes_, pkt_fit_report *report_, pkt_error *error_)\n"
                                   "{\n";
/* What fails before anything is chosen is in error_. */
static const char datagram_fit_outer[] =
    "bool ${name}_fit_pack_for(const ${name}_peer *peer_, $name *v_$parts$fit,\n"
    "    size_t max_bytes_, pkt_fit_report *report_)\n"
    "{\n"
    "    pkt_error why_;\n"
    "    pkt_no_error(&why_);\n"
    "    return ${name}_fit_for_(peer_, v_$arguments$chosen, max_bytes_, report_, &why_) ||\n"
    "           pkt_fit_for_fails(&why_, $count, report_);\n"
    "}\n"
    "\n";
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
            e, &(served_call){
                   "size_t", arena_printf(e->arena, "%s_pack_for", name),
                   arena_printf(e->arena, "%s_peer *peer_, %s *v_%s,\n    uint64_t seed_, void *data_, size_t size_",
                                name, name, part_parameters(e, d)),
                   arena_printf(e->arena, "peer_, v_%s, seed_, data_, size_", part_arguments(e, d)), "_error", ""});
    if (!d->received && has_fit(d))
        out_put(e->out, datagram_fit_prototype, "name", name, "parts", part_parameters(e, d), "fit",
                fit_parameters(e, d), NULL);
    put_served_prototypes(
        e,
        &(served_call){"bool", arena_printf(e->arena, "%s_unpack_for", name),
                       arena_printf(e->arena, "%s_peer *peer_, %s *v_, uint64_t seed_, const void *data_, size_t size_",
                                    name, name),
                       "peer_, v_, seed_, data_, size_", "_error", ""});
    if (peer_sends(d))
        emit_served_sender_prototypes(e, d);
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
/* used: what is true if there was a packet. */
static void emit_keep(server *s, const target *t, const served_part *p, const char *used)
{
    emitter *e = out_of(s);
    const char *number = spell_sum(&t->k.now, p->then->part->number, p->then->part->bits);
    const bool optional = p->then->optional;
    out_put(e->out, "    if ($used$has)\n        ${packet}_${part}_ring_keep($ring, $number, &v_->$part);\n", "used",
            used, "has", optional ? arena_printf(e->arena, " && v_->has_%s", p->then->name) : "", "packet", p->packet,
            "part", p->then->name, "ring", p->ring, "number", number, NULL);
    if (optional)
        out_put(e->out,
                "    else if ($used)\n"
                "        pkt_ring_passes($at.newest, $at.used, $number, $size, $bits);\n",
                "used", used, "at", p->ring + strlen("&"), "number", number, "size",
                spell_number(e, delta_part_ring(p->then->part)), "bits", spell_number(e, p->then->part->bits), NULL);
}

/* The part whose elements are chosen, because it has @fit now and in the release; NULL if there is none. */
static const field *chosen_part(const target *t, const decl *d)
{
    const field *fit = fit_part_of(d), *then = fit ? field_in(t, fit) : NULL;
    return then && then->fit ? fit : NULL;
}

static void emit_bases(server *s, const target *t, const decl *d)
{
    emitter *e = out_of(s);
    const char *packet = name_in(t, d);
    out_put(e->out,
            "static ${packet}_baselines ${name}_bases_${label}_(const ${name}_peer *peer_, const $packet *v_)\n"
            "{\n"
            "    ${packet}_baselines from_;\n"
            "    memset(&from_, 0, sizeof from_);\n",
            "name", spell_decl(e, d), "label", t->label, "packet", packet, NULL);
    for (const field *f = d->fields; f; f = f->next) {
        const served_part p = f->part ? part_of(s, t, d, f) : (served_part){0};
        if (!p.then)
            continue;
        emit_baseline(s, t, &p, p.then->part->base, "");
        if (p.then->part->before)
            emit_baseline(s, t, &p, p.then->part->before, "_before");
        emit_start_of(s, t, f, &p);
    }
    out_put(e->out, "    return from_;\n}\n\n", NULL);
}

/* The parts that the release has, but for the one whose elements are chosen. */
static void emit_parts_of(server *s, const target *t, const decl *d, const field *chosen)
{
    emitter *e = out_of(s);
    for (const field *f = d->fields; f; f = f->next) {
        const served_part p = f->part ? part_of(s, t, d, f) : (served_part){0};
        if (f->part && !p.then)
            out_put(e->out, "    (void)$part;\n", "part", spell_part(e, f), NULL);
        else if (p.then && f != chosen)
            out_put(e->out, "    $copy;\n", "copy",
                    spell_copy_in(t, f->type.decl, arena_printf(e->arena, "&v_->%s", p.then->name),
                                  arena_printf(e->arena, "&%s->as.%s", spell_part(e, f), t->label)),
                    NULL);
    }
}

/* Whether T_fit_pack of the release chooses from counted arrays only. */
static bool fits_arrays_alone(const target *t, const decl *d)
{
    return has_fit(packet_in(t, d)) && !fit_part_of(packet_in(t, d));
}

/* If the release has a part with @fit for which there is no order, or nothing with @fit, nothing is chosen. */
static void emit_fit_in(server *s, const target *t, const decl *d)
{
    emitter *e = out_of(s);
    const char *name = spell_decl(e, d), *packet = name_in(t, d);
    const field *fit = fit_part_of(d), *chosen = chosen_part(t, d), *then = fit ? field_in(t, fit) : NULL;
    const bool fits = chosen || fits_arrays_alone(t, d);
    out_put(e->out,
            "static bool ${name}_fit_in_${label}_(const ${name}_peer *peer_, $packet *v_$parts$fit,\n"
            "    size_t max_bytes_, pkt_fit_report *report_)\n"
            "{\n",
            "name", name, "label", t->label, "packet", packet, "parts", part_parameters(e, d), "fit",
            fit_parameters(e, d), NULL);
    out_put(
        e->out,
        fits
            ? "    const ${packet}_baselines from_ = ${name}_bases_${label}_(peer_, v_);\n    bool fits_;\n"
            : "    const bool fits_ = true; /* if it does not, pack fails */\n    (void)peer_;\n    (void)max_bytes_;\n",
        "packet", packet, "name", name, "label", t->label, NULL);
    if (fit && !chosen)
        out_put(e->out, "    (void)order_;\n", NULL);
    if (fit && !then)
        out_put(e->out, "    (void)sent_;\n", NULL);
    emit_parts_of(s, t, d, chosen);
    if (chosen) {
        const order_lines o = spell_order(s, t, chosen->type.decl, spell_part(e, chosen), chosen);
        out_put(
            e->out,
            "$before    fits_ = ${packet}_fit_pack(&from_, v_, &$part->as.$label, order_, $count, max_bytes_, report_);\n"
            "$after",
            "before", o.before, "packet", packet, "part", spell_part(e, chosen), "label", t->label, "count", o.count,
            "after", o.after, NULL);
    } else if (fits) {
        out_put(e->out, "    fits_ = ${packet}_fit_pack(&from_, v_, max_bytes_, report_);\n", "packet", packet, NULL);
        if (fit)
            out_put(e->out, "    if (report_)\n        report_->kept = *count_;\n", NULL);
    } else {
        out_put(e->out, "    pkt_fit_whole($count, report_);\n", "count", fit ? "*count_" : "0", NULL);
    }
    if (then)
        out_put(e->out, "    $copy;\n", "copy",
                spell_copy_in(t, fit->type.decl, arena_printf(e->arena, "&sent_->as.%s", t->label),
                              arena_printf(e->arena, "&v_->%s", then->name)),
                NULL);
    out_put(e->out, "    return fits_;\n}\n\n", NULL);
}

/* If only the release has arrays with @fit, it gets of them what fits. */
static void emit_pack_in(server *s, const target *t, const decl *d)
{
    emitter *e = out_of(s);
    const char *name = spell_decl(e, d), *packet = name_in(t, d);
    out_put(e->out,
            "static size_t ${name}_pack_in_${label}_(${name}_peer *peer_, $packet *v_$parts,\n"
            "    uint64_t seed_, void *data_, size_t size_, pkt_error *error_)\n"
            "{\n"
            "    const ${packet}_baselines from_ = ${name}_bases_${label}_(peer_, v_);\n"
            "    size_t used_;\n",
            "name", name, "label", t->label, "packet", packet, "parts", part_parameters(e, d), NULL);
    emit_parts_of(s, t, d, NULL);
    if (!has_fit(d) && fits_arrays_alone(t, d))
        out_put(e->out, "    (void)${packet}_fit_pack(&from_, v_, size_, NULL); /* if it fails, so does pack */\n",
                "packet", packet, NULL);
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
    "    uint64_t seed_, void *data_, size_t size_, pkt_error *error_)\n"
    "{\n"
    "    $packet then_;\n"
    "    if (!${name}_spare_${label}_(v_, NULL, NULL, NULL, error_))\n"
    "        return 0;\n"
    "    if (!${name}_to_$label(&then_, v_))\n"
    "        return $failure;\n"
    "    return ${name}_pack_in_${label}_(peer_, &then_$arguments, seed_, data_, size_, error_);\n"
    "}\n"
    "\n";

static const char datagram_fit_then[] =
    "static bool ${name}_fit_for_${label}_(const ${name}_peer *peer_, $name *v_$parts$fit,\n"
    "    size_t max_bytes_, pkt_fit_report *report_, pkt_error *error_)\n"
    "{\n"
    "    $packet then_;\n"
    "    uint32_t cut_ = 0;\n"
    "    pkt_error fault_;\n"
    "    bool fits_;\n"
    "    pkt_no_error(&fault_);\n"
    "    if (!${name}_spare_${label}_(v_, NULL, &cut_, &fault_, error_))\n"
    "        return false;\n"
    "    if (!${name}_to_$label(&then_, v_))\n"
    "        return $failure;\n"
    "    fits_ = ${name}_fit_in_${label}_(peer_, &then_$arguments$chosen, max_bytes_, report_);\n"
    "$counts"
    "    if (report_ && cut_ != 0 && fits_) {\n"
    "        report_->cut += cut_;\n"
    "        report_->error = fault_;\n"
    "    }\n"
    "    return fits_;\n"
    "}\n"
    "\n";

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
    const char *name = spell_decl(e, d), *packet = name_in(t, d), *parts = part_parameters(e, d),
               *arguments = part_arguments(e, d);
    const bool packs = !d->received, fits = packs && has_fit(d);
    if (packs)
        emit_bases(s, t, d);
    if (fits)
        emit_fit_in(s, t, d);
    if (packs)
        emit_pack_in(s, t, d);
    emit_unpack_in(s, t, d);
    if (t->is_now)
        return;
    if (packs)
        emit_spare(s, t, d);
    if (fits)
        out_put(e->out, datagram_fit_then, "name", name, "label", t->label, "packet", packet, "parts", parts, "fit",
                fit_parameters(e, d), "failure", failure_of(s, d, false), "arguments", arguments, "chosen",
                fit_arguments(d), "counts", spell_counts(s, t, d), NULL);
    if (packs)
        out_put(e->out, datagram_pack_then, "name", name, "label", t->label, "packet", packet, "parts", parts,
                "failure", failure_of(s, d, true), "arguments", arguments, NULL);
    out_put(e->out, datagram_unpack_then, "name", name, "label", t->label, "packet", packet, NULL);
}

static const char *spell_datagram_packing(server *s, const target *t, const decl *d)
{
    emitter *e = out_of(s);
    if (!packet_in(t, d))
        return NULL;
    return arena_printf(e->arena, " return %s_pack%s%s_(peer_, v_%s, seed_, data_, size_, error_)", spell_decl(e, d),
                        t->is_now ? "_in_" : "_for_", t->label, part_arguments(e, d));
}

static const char *spell_datagram_fitting(server *s, const target *t, const decl *d)
{
    emitter *e = out_of(s);
    if (!packet_in(t, d))
        return NULL;
    return arena_printf(e->arena, " return %s_fit%s%s_(peer_, v_%s%s, max_bytes_, report_%s)", spell_decl(e, d),
                        t->is_now ? "_in_" : "_for_", t->label, part_arguments(e, d), fit_arguments(d),
                        t->is_now ? "" : ", error_");
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

/* A part that the release lacks may be NULL. Elements that cannot be written are left out by T_fit_pack_for alone. */
static void emit_part_checks(server *s, const decl *d, bool is_size)
{
    emitter *e = out_of(s);
    for (const field *f = d->fields; f; f = f->next) {
        const char *unless = "";
        if (!f->part)
            continue;
        for (const target *t = s->targets; t; t = t->next)
            if (packet_in(t, d) && !field_in(t, f))
                unless = arena_printf(e->arena, "%speer_->release != %s && ", unless, spell_number(e, t->number));
        out_put(e->out, "    if ($unless$part->release != peer_->release)\n        return $failure;\n", "unless",
                unless, "part", spell_part(e, f), "failure", unserved_of(s, d, is_size), NULL);
        if (is_size && spared_elements(s, f->type.decl) != 0)
            out_put(e->out,
                    "    if ($unless$part->fault.code != PKT_OK) {\n"
                    "        if (error_)\n"
                    "            *error_ = $part->fault;\n"
                    "        return 0;\n"
                    "    }\n",
                    "unless", unless, "part", spell_part(e, f), NULL);
    }
}

/* A function of the ring in the peer's release, and what it returns for a release that lacks the part. */
static void emit_of_ring(server *s, const decl *d, const field *f, const char *head, const char *call,
                         const char *lacks)
{
    emitter *e = out_of(s);
    out_put(e->out, head, "name", spell_decl(e, d), "part", f->name, NULL);
    out_put(e->out, "{\n    switch (peer_->release) {\n", NULL);
    for (const target *t = s->targets; t; t = t->next) {
        if (!packet_in(t, d))
            continue;
        const field *then = field_in(t, f);
        out_put(e->out, "    case $number:\n", "number", spell_number(e, t->number), NULL);
        out_put(e->out, then ? call : lacks, "packet", name_in(t, d), "then", then ? then->name : "", "ring",
                part_of(s, t, d, f).ring, NULL);
    }
    out_put(e->out, "    default: return false;\n    }\n}\n\n", NULL);
}

/* What a release lacks is no reason against a baseline, but it has none of its own. */
static void emit_acknowledgements(server *s, const decl *d, const field *f)
{
    emit_of_ring(s, d, f,
                 "static bool ${name}_${part}_acknowledge_for_(${name}_peer *peer_, bool has_, uint64_t number_)\n",
                 "        return ${packet}_${then}_acknowledge_($ring, has_, number_);\n", "        return false;\n");
    emit_of_ring(s, d, f,
                 "static bool ${name}_${part}_arrived_for_(const ${name}_peer *peer_, uint64_t number_, bool *has_)\n",
                 "        *has_ = true;\n        return ${packet}_${then}_arrived_($ring, number_);\n",
                 "        return true;\n");
}

void emit_served_datagram(server *s, const decl *d)
{
    emitter *e = out_of(s);
    const char *name = spell_decl(e, d);
    for (const target *t = s->targets; t; t = t->next)
        if (packet_in(t, d))
            emit_datagram_then(s, t, d);
    if (!d->received) {
        out_put(e->out, datagram_pack, "name", name, "parts", part_parameters(e, d), NULL);
        emit_part_checks(s, d, true);
        emit_release_switch(s, d, "peer_->release", spell_datagram_packing, unserved_of(s, d, true));
    }
    if (!d->received && has_fit(d)) {
        const field *part = fit_part_of(d);
        const char *parts = part_parameters(e, d), *fit = fit_parameters(e, d);
        out_put(e->out, datagram_fit, "name", name, "parts", parts, "fit", fit, NULL);
        emit_part_checks(s, d, false);
        if (part)
            out_put(e->out, "    sent_->release = peer_->release;\n$unspoiled", "unspoiled",
                    spell_unspoiled(s, part->type.decl, "sent_"), NULL);
        emit_release_switch(s, d, "peer_->release", spell_datagram_fitting, unserved_of(s, d, false));
        out_put(e->out, datagram_fit_outer, "name", name, "parts", parts, "fit", fit, "arguments", part_arguments(e, d),
                "chosen", fit_arguments(d), "count", part ? "count_" : "NULL", NULL);
    }
    out_put(e->out, datagram_unpack, "name", name, NULL);
    emit_release_switch(s, d, "peer_->release", spell_datagram_unpacking, unserved_of(s, d, false));
    for (const field *f = d->fields; f && peer_sends(d); f = f->next)
        if (f->part)
            emit_acknowledgements(s, d, f);
    if (peer_sends(d))
        emit_served_sender(e, d);
    for (const field *f = d->fields; f; f = f->next)
        if (f->part)
            emit_hash_for(s, d, f);
    for (const field *f = d->fields; f; f = f->next)
        if (f->part && f->part->starts)
            emit_start_for(s, d, f);
}
