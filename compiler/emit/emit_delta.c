/* emit_delta.c - the delta body of a type, T_delta: a change mask a block, then what it names.
 * SPDX-License-Identifier: MIT
 *
 * A walk over the ops of a type. What a changed field writes in full is spelled by the plan of that field alone (fuse.h);
 * here are the mask, the comparisons with the baseline, and what deltas write in another way. The lines are those of
 * runtime/pkt_delta.h. In the text that comes out, the baseline is `base`, or `fromN` where a part of it may be missing:
 * that then points to base values instead.
 */
#include "emit/emit_delta_internal.h"

#include <assert.h>

static void emit_block(delta *k, const op *o, const char *from, const char *took);

static unsigned mask_bits(const op *o)
{
    unsigned count = 0;
    for (; o != NULL; o = o->next)
        count += delta_has_bit(o);
    return count;
}

/* Whether there is anything that a baseline may not have, other than single values: see emit_from. */
static bool needs_blank(const op *o);

static bool side_needs_blank(const op *side)
{
    return mask_bits(side) != 0 || needs_blank(side);
}

static bool needs_blank(const op *o)
{
    for (; o != NULL; o = o->next) {
        if (o->kind == OP_OPTIONAL && delta_is_array(o->body))
            return true;
        if (o->kind == OP_IF && (side_needs_blank(o->body) || side_needs_blank(o->other)))
            return true;
        for (const op_arm *a = o->kind == OP_SWITCH ? o->arms : NULL; a != NULL; a = a->next)
            if (side_needs_blank(a->body))
                return true;
    }
    return false;
}

/* ---- what a set bit is followed by */

static void emit_refusal(delta *k, const op *o, const spot *s)
{
    emitter *e = k->e;
    if (s->optional)
        out_put(e->out, "if ($differs) c->changed = true;\n", "differs", delta_differs(k, o, s), NULL);
    else
        out_put(e->out, "PKT_MUST_DIFFER($differs, $start, \"$m\");\n", "differs", delta_differs(k, o, s), "start",
                s->start, "m", s->m, NULL);
}

static void emit_full(delta *k, const op *o, const spot *s)
{
    emit_steps(k->e, fuse_value(k->e->arena, k->t, o, s->at, s->depth));
    emit_refusal(k, o, s);
}

/* delta<s, l>. */
static void emit_step(delta *k, const op *o, const spot *s)
{
    emitter *e = k->e;
    const type *t = o->type;
    const char *steps = arena_printf(e->arena, "%u, %u, %u", o->bits, o->field->delta_small, o->field->delta_large);
    const char *may_equal = s->optional ? "true" : "false";
    if (o->kind == OP_QUAT || o->kind == OP_COMPACT) {
        bool quat = o->kind == OP_QUAT;
        const char *which = quat ? "QUAT(" : arena_printf(e->arena, "COMPACT(%s, ", spell_type(e, t));
        out_put(e->out, "PKT_STEP_$which$m, $old, $size, $small, $large, $may);\n", "which", which, "m", s->m, "old",
                s->old, "size", spell_number(e, quat ? t->bits : t->bits / 8), "small",
                spell_number(e, o->field->delta_small), "large", spell_number(e, o->field->delta_large), "may",
                may_equal, NULL);
    } else if (o->kind == OP_QUANTIZED)
        out_put(e->out, "PKT_STEP_QUANTIZED$wide($m, $old, $range, $steps, $may);\n", "wide", delta_wide(t), "m", s->m,
                "old", s->old, "range", delta_range(e, t), "steps", steps, "may", may_equal, NULL);
    else if (o->kind == OP_RAW && t->low.negative)
        out_put(e->out, "PKT_STEP_SIGNED($type, $m, $old, $steps, $may);\n", "type", spell_type(e, t), "m", s->m, "old",
                s->old, "steps", steps, "may", may_equal, NULL);
    else
        out_put(e->out, "PKT_STEP_INT($type, $m, $old, $low, $high, $steps, $may);\n", "type", spell_type(e, t), "m",
                s->m, "old", s->old, "low", cname_integer(e->arena, t->low, t->storage), "high",
                cname_integer(e->arena, t->high, t->storage), "steps", steps, "may", may_equal, NULL);
    if (s->optional)
        emit_refusal(k, o, s);
}

static bool is_compound(const op *o)
{
    return delta_is_array(o) || o->kind == OP_STRUCT || o->kind == OP_UNION || o->kind == OP_OPTIONAL;
}

static void emit_item(delta *k, const op *o, spot *s);

/* New elements have base values until they are told otherwise. */
static void emit_new_elements(delta *k, const op *o, const spot *s)
{
    emitter *e = k->e;
    const char *i = arena_printf(e->arena, "i%d", s->depth), *count = spell_access(e, s->at, "", "_count");
    out_put(e->out, "if (in->$count != $old) c->changed = true;\nif (PKT_READING) {\n", "count", count, "old",
            s->old_size, NULL);
    out_indent(e->out);
    out_put(e->out, "for (uint32_t $i = $old; $i < in->$count; $i++) {\n", "i", i, "old", s->old_size, "count", count,
            NULL);
    out_indent(e->out);
    emit_base_of_element(e, o->field, "out->", arena_printf(e->arena, "[%s]", i));
    delta_close_brace(e);
    delta_close_brace(e);
}

static void emit_array(delta *k, const op *o, const spot *s)
{
    emitter *e = k->e;
    const char *subset = delta_local(k, "subset"), *count = spell_number(e, o->count);
    if (o->kind == OP_COUNTED) {
        emit_steps(e, fuse_head(e->arena, k->t, o, s->at));
        emit_new_elements(k, o, s);
        count = arena_printf(e->arena, "in->%s", spell_access(e, s->at, "", "_count"));
    }
    out_put(e->out,
            "pkt_subset $subset;\n"
            "if (!pkt_elements_begin(mode, c, &$subset, $elements, $count, \"$m\")) return false;\n"
            "while (pkt_elements_next(mode, c, &$subset)) {\n",
            "subset", subset, "elements", s->elements, "count", count, "m", s->m, NULL);
    delta_open(k);
    out_put(e->out, "const uint32_t $i = $subset.index;\n", "i", arena_printf(e->arena, "i%d", s->depth), "subset",
            subset, NULL);
    spot element = delta_element(k, o, s);
    emit_item(k, o->body, &element);
    if (!is_compound(o->body))
        out_put(e->out, "c->changed = true;\n", NULL);
    delta_close(k);
    out_put(e->out, "}\nif (!$subset.whole) return false;\n", "subset", subset, NULL);
}

static void emit_value(delta *k, const op *o, const spot *s)
{
    emitter *e = k->e;
    switch (o->kind) {
    case OP_BOOL:
        if (s->optional)
            emit_full(k, o, s);
        else
            out_put(e->out, "PKT_FLIP($m, $old);\n", "m", s->m, "old", s->old, NULL);
        break;
    case OP_RAW:
    case OP_BIASED:
    case OP_QUANTIZED:
    case OP_QUAT:
    case OP_COMPACT:
        if (o->field->has_delta)
            emit_step(k, o, s);
        else
            emit_full(k, o, s);
        break;
    case OP_ENUM:
    case OP_FLOAT:
    case OP_UNIT:
    case OP_STRING:
    case OP_BYTES:
    case OP_AFTER:
    case OP_REF:
    case OP_UNLESS: emit_full(k, o, s); break;
    case OP_STRUCT:
    case OP_UNION:
        out_put(e->out, "PKT_DELTA($type, $m, $old);\n", "type", spell_decl(e, o->of->decl), "m", s->m, "old", s->old,
                NULL);
        break;
    case OP_ARRAY:
    case OP_COUNTED: emit_array(k, o, s); break;
    case OP_CONSTANT:
    case OP_ALIGN:
    case OP_SPARSE:
    case OP_OPTIONAL:
    case OP_IF:
    case OP_SWITCH: assert(!"no value that is supported"); break;
    }
}

/* A field or element that is named as changed: refused where it turns out not to be. */
static void emit_item(delta *k, const op *o, spot *s)
{
    emitter *e = k->e;
    bool compound = is_compound(o);
    if (compound || (o->kind != OP_BOOL && !o->field->has_delta)) {
        s->start = delta_local(k, "start");
        out_put(e->out, "const uint64_t $start = c->bit;\n", "start", s->start, NULL);
    }
    if (delta_is_array(o) && s->elements == NULL)
        delta_emit_elements(k, o, s, NULL);
    if (compound)
        out_put(e->out, "c->changed = false;\n", NULL);
    emit_value(k, o, s);
    if (compound)
        out_put(e->out, "PKT_MUST_CHANGE($start, \"$m\");\n", "start", s->start, "m", s->m, NULL);
}

static void emit_optional(delta *k, const op *o, const char *from, const spot *array)
{
    emitter *e = k->e;
    const char *name = o->field->name, *start = delta_local(k, "start");
    const op *body = o->body;
    const char *missing = arena_printf(e->arena, "!%s->has_%s", from, name);
    out_put(e->out, "const uint64_t $start = c->bit;\n", "start", start, NULL);
    emit_steps(e, fuse_head(e->arena, k->t, o, delta_field(k, o->field)));
    out_put(e->out, "c->changed = in->has_$name != $from->has_$name;\nif (in->has_$name) {\n", "name", name, "from",
            from, NULL);
    out_indent(e->out);
    spot s = array != NULL ? *array : delta_spot(k, body, from, missing);
    s.optional = true;
    s.start = start;
    if (array != NULL) {
        out_put(e->out, "if (PKT_READING && $missing) {\n", "missing", missing, NULL);
        out_indent(e->out);
        emit_base_of_value(e, o->field, "out->", HELD_VALUE);
        delta_close_brace(e);
    }
    emit_value(k, body, &s);
    out_dedent(e->out);
    out_put(e->out, "} else if (PKT_READING) {\n", NULL);
    out_indent(e->out);
    emit_base_of_value(e, o->field, "out->", HELD_VALUE);
    delta_close_brace(e);
    out_put(e->out, "PKT_MUST_CHANGE($start, \"$name\");\n", "start", start, "name", name, NULL);
}

/* ---- blocks */

/* `took`: a condition under which the baseline has what `from` is named after. Declares that, a baseline for it: one with base
 * values where it does not. */
static const char *emit_from(delta *k, const char *from, const char *took)
{
    out_put(k->e->out, "const $type *$from = $took ? base : PKT_BLANK($type, &blank);\n", "type", k->name, "from", from,
            "took", took, NULL);
    return from;
}

static void emit_not_in_base(delta *k, const op *o, const char *took)
{
    emitter *e = k->e;
    out_put(e->out, "if (!$took) {\n", "took", took, NULL);
    out_indent(e->out);
    emit_not_taken(e, o);
    delta_close_brace(e);
}

/* A side of a branch that was taken. */
static void emit_side(delta *k, const op *o, const char *took)
{
    if (has_fields(o))
        emit_not_in_base(k, o, took);
    emit_block(k, o, mask_bits(o) != 0 ? emit_from(k, delta_local(k, "from"), took) : "base", took);
}

static const char *declare_took(delta *k, const char *outer, const char *condition)
{
    const char *took = delta_local(k, "took");
    out_put(k->e->out,
            outer != NULL ? "const bool $took = $outer && $condition;\n" : "const bool $took = $condition;\n", "took",
            took, "outer", outer, "condition", condition, NULL);
    return took;
}

static void emit_if(delta *k, const op *o, const char *took)
{
    emitter *e = k->e;
    const expr *x = o->item->as.branch.condition;
    const char *in_base = arena_printf(e->arena, "(%s)", spell_condition(e, x, "base->"));
    out_put(e->out, "if ($condition) {\n", "condition", spell_condition(e, x, "in->"), NULL);
    delta_open(k);
    emit_not_taken(e, o->other);
    if (has_fields(o->body))
        emit_side(k, o->body, declare_took(k, took, in_base));
    else
        emit_side(k, o->body, NULL);
    delta_close(k);
    if (o->other != NULL || has_fields(o->body)) {
        out_put(e->out, "} else {\n", NULL);
        delta_open(k);
        emit_not_taken(e, o->body);
        if (has_fields(o->other))
            emit_side(k, o->other, declare_took(k, took, arena_printf(e->arena, "!%s", in_base)));
        else
            emit_side(k, o->other, NULL);
        delta_close(k);
    }
    out_put(e->out, "}\n", NULL);
}

static const char *spell_subject(const emitter *e, const op *o, const char *base)
{
    const expr *subject = o->item->as.choice.subject;
    return arena_printf(e->arena, subject->type == EXPR_BOOL ? "(int)%s" : "%s", spell_condition(e, subject, base));
}

/* Which arm the baseline takes, counted from 1: a local. */
static const char *emit_arm_of_base(delta *k, const op *o, const char *took)
{
    emitter *e = k->e;
    const char *taken = delta_local(k, "arm");
    bool has_default = false;
    int n = 0;
    out_put(e->out, "int $arm = 0;\n", "arm", taken, NULL);
    if (took != NULL) {
        out_put(e->out, "if ($took) {\n", "took", took, NULL);
        out_indent(e->out);
    }
    out_put(e->out, "switch ($subject) {\n", "subject", spell_subject(e, o, "base->"), NULL);
    for (const op_arm *a = o->arms; a != NULL; a = a->next) {
        has_default |= a->arm->is_default;
        out_put(e->out, "$labels\n    $arm = $n;\n    break;\n", "labels", spell_labels(e, a->arm, "base->"), "arm",
                taken, "n", arena_printf(e->arena, "%d", ++n), NULL);
    }
    out_put(e->out, has_default ? "}\n" : "default:\n    break;\n}\n", NULL);
    if (took != NULL)
        delta_close_brace(e);
    return taken;
}

static void emit_switch(delta *k, const op *o, const char *took)
{
    emitter *e = k->e;
    bool has_default = false;
    int n = 0;
    bool any = false;
    for (const op_arm *a = o->arms; a != NULL; a = a->next)
        any |= has_fields(a->body);
    out_put(e->out, "{\n", NULL);
    delta_open(k);
    const char *taken = any ? emit_arm_of_base(k, o, took) : NULL;
    out_put(e->out, "switch ($subject) {\n", "subject", spell_subject(e, o, "in->"), NULL);
    for (const op_arm *a = o->arms; a != NULL; a = a->next) {
        has_default |= a->arm->is_default;
        n++;
        out_put(e->out, "$labels {\n", "labels", spell_labels(e, a->arm, "in->"), NULL);
        delta_open(k);
        for (const op_arm *other = o->arms; other != NULL; other = other->next)
            if (other != a)
                emit_not_taken(e, other->body);
        emit_side(k, a->body,
                  has_fields(a->body) ? declare_took(k, NULL, arena_printf(e->arena, "%s == %d", taken, n)) : NULL);
        out_put(e->out, "break;\n", NULL);
        delta_close(k);
        out_put(e->out, "}\n", NULL);
    }
    if (!has_default) {
        out_put(e->out, "default:\n", NULL);
        out_indent(e->out);
        for (const op_arm *other = o->arms; other != NULL; other = other->next)
            emit_not_taken(e, other->body);
        out_put(e->out, "break;\n", NULL);
        out_dedent(e->out);
    }
    out_put(e->out, "}\n", NULL);
    delta_close(k);
    out_put(e->out, "}\n", NULL);
}

/* Whether a field differs; arrays are compared before, into a bitmap that is used again when they are written. */
static const char *emit_field_differs(delta *k, const op *o, const char *from, mask_bit *b)
{
    emitter *e = k->e;
    const op *body = delta_value(o);
    bool optional = o->kind == OP_OPTIONAL;
    const char *name = o->field->name, *text;
    const char *has = arena_printf(e->arena, "in->has_%s", name),
               *had = arena_printf(e->arena, "%s->has_%s", from, name);
    if (delta_is_array(body)) {
        b->array = delta_spot(k, body, optional ? emit_from(k, delta_local_of(k, o, "from"), had) : from, NULL);
        delta_emit_elements(k, body, &b->array, optional ? has : NULL);
        text = delta_array_differs(k, body, &b->array);
    } else {
        spot s = delta_spot(k, body, from, NULL);
        text = delta_differs(k, body, &s);
    }
    return optional ? arena_printf(e->arena, "%s != %s || (%s && (%s))", has, had, has, text) : text;
}

/* The mask of a block that has one: bits in the order of its fields. */
static void emit_mask(delta *k, const op *o, const char *from, mask_bit *bits, unsigned count)
{
    emitter *e = k->e;
    const char **texts = ARENA_ARRAY(e->arena, const char *, count);
    unsigned n = 0;
    for (const op *i = o; i != NULL; i = i->next)
        if (delta_has_bit(i)) {
            texts[n] = emit_field_differs(k, i, from, &bits[n]);
            n++;
        }
    for (n = 0; n < count; n++) {
        const char *what = n == 0 ? "changed" : arena_printf(e->arena, "changed_%u_", n);
        bits[n].mask = n % 64 == 0 ? delta_local(k, what) : bits[n - 1].mask;
        bits[n].shift = n % 64;
        if (bits[n].shift == 0)
            out_put(e->out, "uint64_t $mask = 0;\n", "mask", bits[n].mask, NULL);
    }
    delta_plan_rows(o, bits, count);
    delta_emit_codes(k, o, bits, count);
    out_put(e->out, "if (!PKT_READING) {\n", NULL);
    out_indent(e->out);
    delta_emit_comparisons(k, o, from, bits, texts, count);
    delta_close_brace(e);
    if (bits[0].begins) {
        out_put(e->out, "PKT_CHANGES_RUN($mask, $bits);\n", "mask", bits[0].mask, "bits", spell_number(e, count), NULL);
        return;
    }
    for (n = 0; n < count; n += 64) {
        unsigned here = count - n < 64 ? count - n : 64;
        out_put(e->out, "PKT_CHANGES($mask, $bits, $rest);\n", "mask", bits[n].mask, "bits", spell_number(e, here),
                "rest", spell_number(e, count - n - here), NULL);
    }
}

static void emit_changed(delta *k, const op *o, const char *from, mask_bit *b)
{
    emitter *e = k->e;
    const op *body = delta_value(o);
    out_put(e->out, "if (($mask >> $shift & 1) != 0) {\n", "mask", b->mask, "shift", spell_number(e, b->shift), NULL);
    delta_open(k);
    if (o->kind == OP_OPTIONAL) {
        emit_optional(k, o, from, delta_is_array(body) ? &b->array : NULL);
    } else {
        spot s = delta_is_array(o) ? b->array : delta_spot(k, body, from, NULL);
        emit_item(k, o, &s);
    }
    if (body->kind == OP_AFTER) {
        /* Not sent, but its start may have passed it. */
        delta_close(k);
        out_put(e->out, o->kind == OP_OPTIONAL ? "} else if (in->has_$m) {\n" : "} else {\n", "m", body->field->name,
                NULL);
        delta_open(k);
        out_put(e->out, "PKT_STILL_AFTER($m, $start);\n", "m", body->field->name, "start", body->field->after->name,
                NULL);
    }
    delta_close(k);
    out_put(e->out, "}\n", NULL);
}

static void emit_block(delta *k, const op *o, const char *from, const char *took)
{
    emitter *e = k->e;
    unsigned count = mask_bits(o), n = 0, group_end = 0;
    mask_bit *bits = ARENA_ARRAY(e->arena, mask_bit, count + 1);
    const mask_bit *group = NULL;
    const op *group_op = NULL;
    if (count != 0)
        emit_mask(k, o, from, bits, count);
    for (; o != NULL; o = o->next) {
        if (!delta_has_bit(o)) {
            if (o->kind == OP_IF)
                emit_if(k, o, took);
            else if (o->kind == OP_SWITCH)
                emit_switch(k, o, took);
            else
                emit_steps(e, fuse_value(e->arena, k->t, o, NULL, 0));
            continue;
        }
        if (bits[n].row != 0)
            delta_emit_row(k, o, from, &bits[n]);
        if (!bits[n].in_row)
            emit_changed(k, o, from, &bits[n]);
        if (bits[n].together > 1) {
            group = &bits[n];
            group_op = o;
            group_end = n + group->together;
        }
        if (++n == group_end)
            delta_emit_values(k, group_op, from, group);
    }
}

static void emit_union(delta *k, const op *o)
{
    emitter *e = k->e;
    const decl *d = o->of->decl;
    emit_steps(e, fuse_head(e->arena, k->t, o, NULL));
    out_put(e->out, "if (chosen != base->tag) c->changed = true;\nswitch (chosen) {\n", NULL);
    for (const op_arm *a = o->arms; a != NULL; a = a->next) {
        const char *c_type = spell_decl(e, a->member->type), *tag = spell_member(e, d, a->member);
        out_put(e->out, "case $tag: {\n", "tag", tag, NULL);
        out_indent(e->out);
        out_put(e->out,
                "$type blank;\n"
                "const $type *old = base->tag == $tag ? &base->as.$m : PKT_BLANK($type, &blank);\n"
                "PKT_CHOOSE($type, as.$m, $tag);\n"
                "PKT_DELTA($type, as.$m, old);\n"
                "break;\n",
                "type", c_type, "m", a->member->name, "tag", tag, NULL);
        delta_close_brace(e);
    }
    out_put(e->out, "default:\n    return false;\n}\n", NULL);
}

/* ---- a type */

/* The types of other files come along with those that need them, once in a unit of translation. */
static bool is_guarded(const emitter *e, const decl *d)
{
    return d->file != e->file || !d->file->root;
}

void emit_delta(emitter *e, const wire_type *t)
{
    const decl *d = t->decl;
    const char *name = spell_decl(e, d);
    delta k = {.e = e, .t = t, .name = name};
    if (is_guarded(e, d))
        out_put(e->out, "#ifndef PKT_DELTA_OF_$name\n#define PKT_DELTA_OF_$name\n", "name", name, NULL);
    delta_emit_copy(e, d, name);
    out_put(
        e->out,
        "/* $name against a baseline: at most $most bits. */\n"
        "PKT_INLINE bool ${name}_delta(const pkt_mode mode, pkt_cursor *c, const $name *base, const $name *in, $name *out)\n{\n",
        "name", name, "most", spell_number(e, t->delta_most), NULL);
    out_indent(e->out);
    if (needs_blank(t->body))
        out_put(e->out, "$name blank;\n", "name", name, NULL);
    if (t->body == NULL)
        out_put(e->out, "(void)mode;\n(void)c;\n(void)base;\n(void)in;\n(void)out;\n", NULL);
    else if (d->kind == DECL_UNION)
        emit_union(&k, t->body);
    else
        emit_block(&k, t->body, "base", NULL);
    out_put(e->out, "return true;\n", NULL);
    delta_close_brace(e);
    out_put(e->out, "\n", NULL);
    out_put(e->out, "PKT_DEFINE_DELTA($name)\n\n", "name", name, NULL);
    if (is_guarded(e, d))
        out_put(e->out, "#endif\n\n", NULL);
}
