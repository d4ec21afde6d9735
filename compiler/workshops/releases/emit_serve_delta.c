/* emit_serve_delta.c - deltas of packets for clients of older releases, and what fits into them.
 * SPDX-License-Identifier: MIT
 */
#include "releases/emit_serve.h"

/* ---- orders of candidates */

/* This field or the first after it that has @fit; NULL if none has. */
static const field *next_that_fits(const field *f)
{
    while (f && !f->fit)
        f = f->next;
    return f;
}

/* Whether the @fit arrays of a type have the same numbers in an order. A list can have fewer elements in a release. */
static bool has_same_order(const target *t, const decl *d)
{
    const field *before = NULL;
    for (const field *f = next_that_fits(d->fields); f; f = next_that_fits(f->next)) {
        const field *then = field_in(t, f);
        if (!then || then->dims[0] != f->dims[0] || then != next_that_fits(before ? before->next : then->owner->fields))
            return false;
        before = then;
    }
    return true;
}

static void emit_turns(server *s, const target *t, const decl *d, bool back)
{
    emitter *e = out_of(s);
    const char *name = spell_decl(e, d), *then = name_in(t, d);
    for (const field *f = d->fields; f; f = f->next) {
        const field *as = f->fit ? field_in(t, f) : NULL;
        if (!as || !as->fit)
            continue;
        const char *here = arena_printf(e->arena, "%s_FIT_%s", name, f->name);
        const char *there = arena_printf(e->arena, "%s_FIT_%s", then, as->name);
        out_put(e->out,
                "    if (number_ - $from < $size)\n"
                "        return $to + (number_ - $from);\n",
                "from", back ? there : here, "to", back ? here : there, "size",
                spell_number(e, f->dims[0] < as->dims[0] ? f->dims[0] : as->dims[0]), NULL);
    }
}

/* Elements that the release does not have go to the end of the order, and are not in `count`. */
static const char order_functions[] =
    "static uint32_t ${name}_order_to_${label}_(pkt_element *order_, uint32_t count_)\n"
    "{\n"
    "    uint32_t used_ = 0, i_;\n"
    "    for (i_ = 0; i_ < count_; i_++) {\n"
    "        const pkt_element element_ = order_[i_];\n"
    "        const uint32_t turned_ = ${name}_number_to_${label}_(element_.number);\n"
    "        if (turned_ == UINT32_MAX)\n"
    "            continue;\n"
    "        order_[i_] = order_[used_];\n"
    "        order_[used_] = element_;\n"
    "        order_[used_++].number = turned_;\n"
    "    }\n"
    "    return used_;\n"
    "}\n"
    "\n"
    "static void ${name}_order_from_${label}_(pkt_element *order_, uint32_t count_)\n"
    "{\n"
    "    uint32_t i_;\n"
    "    for (i_ = 0; i_ < count_; i_++)\n"
    "        order_[i_].number = ${name}_number_from_${label}_(order_[i_].number);\n"
    "}\n"
    "\n";

static void emit_order(server *s, const target *t, const decl *d)
{
    emitter *e = out_of(s);
    for (int back = 0; back < 2; back++) {
        out_put(e->out, "static uint32_t ${name}_number_${way}_${label}_(uint32_t number_)\n{\n", "name",
                spell_decl(e, d), "way", back ? "from" : "to", "label", t->label, NULL);
        emit_turns(s, t, d, back != 0);
        out_put(e->out, "    return UINT32_MAX;\n}\n\n", NULL);
    }
    out_put(e->out, order_functions, "name", spell_decl(e, d), "label", t->label, NULL);
}

void emit_orders(server *s, const decl *d)
{
    for (const target *t = s->targets; t; t = t->next)
        if (is_chosen(s, t, d) && !has_same_order(t, d))
            emit_order(s, t, d);
}

/* The elements that cannot be written come last, and before them those that the release lacks. */
order_lines spell_order(server *s, const target *t, const decl *d, const char *served, const field *part)
{
    arena *a = out_of(s)->arena;
    const char *name = spell_decl(out_of(s), d), *before = "", *after = "", *count = "count_";
    if (!has_same_order(t, d)) {
        before = arena_printf(a,
                              "    uint32_t known_ = %s_order_to_%s_(order_, *count_);\n"
                              "    const uint32_t all_ = known_;\n",
                              name, t->label);
        after = arena_printf(a,
                             "    %s_order_from_%s_(order_, all_);\n"
                             "    if (report_)\n"
                             "        report_->absent += *count_ - all_;\n"
                             "    *count_ = known_;\n",
                             name, t->label);
        count = "&known_";
    }
    if (t->is_now)
        return (order_lines){before, after, count};
    return (order_lines){
        arena_printf(a,
                     "    const uint32_t given_ = *count_;\n"
                     "    const uint32_t good_ = pkt_order_spared(order_, given_, %s->invalid, %s);\n"
                     "    *count_ = good_;\n"
                     "%s",
                     served, spell_number(out_of(s), spared_elements(s, d)), before),
        arena_printf(a, "%s    pkt_report_spared(order_, *count_, good_, given_, &%s->fault, %s, report_);\n", after,
                     served, part ? arena_printf(a, "\"%s\", \"%s\"", part->owner->name, part->name) : "NULL, NULL"),
        count};
}

/* ---- deltas of packets */

/* The baseline: a value, or one that has moved. */
static const char *delta_parameters(const emitter *e, const decl *d)
{
    const char *name = spell_decl(e, d);
    return d->predicts
               ? arena_printf(e->arena,
                              "const %s_served *base_, const %s_served *before_, uint32_t back_, uint32_t gap_, ", name,
                              name)
               : arena_printf(e->arena, "const %s_served *base_, ", name);
}

static const char *delta_arguments(const decl *d)
{
    return d->predicts ? "base_, before_, back_, gap_, " : "base_, ";
}

static const char delta_fit_prototype[] =
    "PKT_API bool ${name}_fit_pack_delta_for(${base}const ${name}_served *v_, ${name}_served *sent_,\n"
    "    pkt_element *order_, uint32_t *count_, size_t max_bytes_, pkt_fit_report *report_);\n";

void emit_served_delta_prototypes(server *s, const decl *d)
{
    emitter *e = out_of(s);
    const calls c = calls_of(s->targets, e, d);
    const char *name = spell_decl(e, d), *base = delta_parameters(e, d), *bases = delta_arguments(d);
    put_served_prototypes(
        e, &(served_call){"size_t", arena_printf(e->arena, "%s_pack_delta_for", name),
                          arena_printf(e->arena, "%sconst %s_served *v_, void *data_, size_t size_", base, name),
                          arena_printf(e->arena, "%sv_, data_, size_", bases), c.ending, c.after});
    put_served_prototypes(
        e, &(served_call){"bool", arena_printf(e->arena, "%s_unpack_delta_for", name),
                          arena_printf(e->arena, "uint32_t release_, %s%s_served *v_, const void *data_, size_t size_",
                                       base, name),
                          arena_printf(e->arena, "release_, %sv_, data_, size_", bases), c.ending, c.after});
    if (has_fit(d))
        out_put(e->out, delta_fit_prototype, "name", name, "base", base, NULL);
    out_put(e->out, "\n", NULL);
}

static const char predicted_base[] =
    "    ${then}_motion motion_;\n"
    "    if (base_ != NULL)\n"
    "        ${then}_predict(&base_->as.$label, before_ != NULL ? &before_->as.$label : NULL, back_, gap_, &motion_);\n";

/* $base: what the deltas are against, as the parameters base_ and so on say. */
static const char delta_then[] =
    "static size_t ${name}_pack_delta_${label}_(${parameters}const ${name}_served *v_, void *data_, size_t size_$after,\n"
    "    pkt_error *error_)\n"
    "{\n"
    "$motion$unused"
    "    return ${then}_pack_delta$form($base, &v_->as.$label, data_, size_$refs, error_);\n"
    "}\n"
    "\n"
    "static bool ${name}_unpack_delta_${label}_($parameters${name}_served *v_, const void *data_, size_t size_$after,\n"
    "    pkt_error *error_)\n"
    "{\n"
    "$motion$unused"
    "    return ${then}_unpack_delta$form($base, &v_->as.$label, data_, size_$refs, error_);\n"
    "}\n"
    "\n";

static const char delta_fit_then[] =
    "static bool ${name}_fit_pack_delta_${label}_(${parameters}const ${name}_served *v_, ${name}_served *sent_,\n"
    "    pkt_element *order_, uint32_t *count_, size_t max_bytes_, pkt_fit_report *report_)\n"
    "{\n"
    "$motion"
    "$in"
    "    const bool fits_ = ${then}_fit_pack_delta($base, &v_->as.$label, &sent_->as.$label, order_, ${count}, max_bytes_,\n"
    "        report_);\n"
    "$out"
    "    return fits_;\n"
    "}\n"
    "\n";

/* The release has no @fit in it: all of it is sent, or it is too large. */
static const char delta_whole_then[] =
    "static bool ${name}_fit_pack_delta_${label}_(${parameters}const ${name}_served *v_, ${name}_served *sent_,\n"
    "    pkt_element *order_, uint32_t *count_, size_t max_bytes_, pkt_fit_report *report_)\n"
    "{\n"
    "$motion"
    "    (void)order_;\n"
    "    pkt_fit_whole(*count_, report_);\n"
    "    $copy;\n"
    "    return max_bytes_ >= $frame &&\n"
    "           ${then}_measure_delta($base, &v_->as.$label, 0) <= 8 * (uint64_t)(max_bytes_ - $frame);\n"
    "}\n"
    "\n";

static void emit_delta_then(server *s, const target *t, const decl *d)
{
    emitter *e = out_of(s);
    const calls c = calls_of(t, e, d);
    const char *name = spell_decl(e, d), *then = name_in(t, d), *motion = "", *parameters = delta_parameters(e, d);
    const char *base = d->predicts ? "base_ != NULL ? &motion_ : NULL"
                                   : arena_printf(e->arena, "base_ != NULL ? &base_->as.%s : NULL", t->label);
    if (d->predicts) {
        out *whole = e->out;
        size_t size;
        e->out = out_new(e->arena);
        out_put(e->out, predicted_base, "then", then, "label", t->label, NULL);
        motion = out_result(e->out, &size);
        e->out = whole;
    }
    out_put(e->out, delta_then, "name", name, "label", t->label, "parameters", parameters, "after", c.after, "motion",
            motion, "then", then, "form", c.form, "base", base, "refs", c.refs, "unused", c.unused, NULL);
    if (!has_fit(d))
        return;
    const bool chosen = is_chosen(s, t, d);
    const order_lines o = chosen ? spell_order(s, t, d, "v_", NULL) : (order_lines){"", "", ""};
    out_put(e->out, chosen ? delta_fit_then : delta_whole_then, "name", name, "label", t->label, "parameters",
            parameters, "motion", motion, "then", then, "base", base, "copy",
            spell_copy_in(t, d, arena_printf(e->arena, "&sent_->as.%s", t->label),
                          arena_printf(e->arena, "&v_->as.%s", t->label)),
            "in", o.before, "out", o.after, "count", o.count, "frame",
            spell_number(e, (FRAME_CRC_BITS + (t->k.now.schema->checks ? FRAME_END_BITS : 0)) / 8), NULL);
}

static const char *spell_delta_call(server *s, const target *t, const decl *d, const char *word)
{
    emitter *e = out_of(s);
    if (!has_delta_packet(s, t, d))
        return NULL;
    return arena_printf(e->arena, " return %s_%s_delta_%s_(%sv_, data_, size_%s, error_)", spell_decl(e, d), word,
                        t->label, delta_arguments(d), calls_of(t, e, d).given);
}

static const char *spell_delta_packing(server *s, const target *t, const decl *d)
{
    return spell_delta_call(s, t, d, "pack");
}

static const char *spell_delta_unpacking(server *s, const target *t, const decl *d)
{
    return spell_delta_call(s, t, d, "unpack");
}

static const char *spell_delta_fitting(server *s, const target *t, const decl *d)
{
    emitter *e = out_of(s);
    if (!has_delta_packet(s, t, d))
        return NULL;
    return arena_printf(e->arena, " return %s_fit_pack_delta_%s_(%sv_, sent_, order_, count_, max_bytes_, report_)",
                        spell_decl(e, d), t->label, delta_arguments(d));
}

static void emit_base_check(server *s, const decl *d, const char *release, const char *failure)
{
    emitter *e = out_of(s);
    const char *condition = arena_printf(e->arena, "base_ != NULL && base_->release != %s", release);
    if (d->predicts)
        condition = arena_printf(e->arena, "(%s) || (before_ != NULL && before_->release != %s)", condition, release);
    out_put(e->out, "    if ($condition)\n        return $failure;\n", "condition", condition, "failure", failure,
            NULL);
}

void emit_served_deltas(server *s, const decl *d)
{
    emitter *e = out_of(s);
    const calls c = calls_of(s->targets, e, d);
    const char *name = spell_decl(e, d), *base = delta_parameters(e, d);
    for (const target *t = s->targets; t; t = t->next)
        if (has_delta_packet(s, t, d))
            emit_delta_then(s, t, d);
    out_put(e->out,
            "size_t ${name}_pack_delta_for$ending(${base}const ${name}_served *v_, void *data_, size_t size_$after,\n"
            "    pkt_error *error_)\n{\n",
            "name", name, "ending", c.ending, "base", base, "after", c.after, NULL);
    emit_base_check(s, d, "v_->release", unserved_of(s, d, true));
    emit_release_switch(s, d, "v_->release", spell_delta_packing, unserved_of(s, d, true));
    out_put(
        e->out,
        "bool ${name}_unpack_delta_for$ending(uint32_t release_, $base${name}_served *v_, const void *data_, size_t size_$after,\n"
        "    pkt_error *error_)\n{\n",
        "name", name, "ending", c.ending, "base", base, "after", c.after, NULL);
    emit_base_check(s, d, "release_", unserved_of(s, d, false));
    out_put(e->out, "    v_->release = release_;\n$unspoiled", "unspoiled", spell_unspoiled(s, d, "v_"), NULL);
    emit_release_switch(s, d, "release_", spell_delta_unpacking, unserved_of(s, d, false));
    if (!has_fit(d))
        return;
    out_put(e->out,
            "bool ${name}_fit_pack_delta_for(${base}const ${name}_served *v_, ${name}_served *sent_,\n"
            "    pkt_element *order_, uint32_t *count_, size_t max_bytes_, pkt_fit_report *report_)\n{\n",
            "name", name, "base", base, NULL);
    emit_base_check(s, d, "v_->release", "false");
    out_put(e->out, "    sent_->release = v_->release;\n$unspoiled", "unspoiled", spell_unspoiled(s, d, "sent_"), NULL);
    emit_release_switch(s, d, "v_->release", spell_delta_fitting, "false");
}
