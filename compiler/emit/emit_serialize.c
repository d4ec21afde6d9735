/* emit_serialize.c - the unified body of a type: spells a plan, one line for each step.
 * SPDX-License-Identifier: MIT
 *
 * runtime/pkt_leaf.h and the headers beside it explain the lines; wire/fuse.c has decided on their order.
 */
#include "emit/leaf_table.h"

#include <assert.h>

/* ---- leaves */

static leaf leaf_of(const emitter *e, const step *s)
{
    return (leaf){.op = s->op, .step = s, .m = spell_access(e, s->at, "", "")};
}

/* The place of a leaf whose line does not come from leaf_table.c: the last arguments. */
static const char *place_words(const emitter *e, const step *s)
{
    assert(!s->across && "presence, counts, lengths and tags are whole in a word");
    return spell_number(e, s->shift);
}

/* The codes of four quats are computed before the first one, and turned into values after the last one. */
static void emit_value(emitter *e, const step *s)
{
    const leaf l = leaf_of(e, s);
    if (s->four == 1)
        leaf_put(e,
                 "uint64_t codes_[4] = { 0 };\n"
                 "if (PKT_CHECKING && !pkt_quats_codes(&in_->$m, $parts, codes_)) return false;\n",
                 &l);
    leaf_put(e, leaf_line(s), &l);
    if (s->four == 4) {
        const leaf first = {.op = s->op, .m = spell_access(e, s->first_of_four, "", "")};
        leaf_put(e, "if (mode_ == PKT_READ && !pkt_quats_values(codes_, $parts, &out_->$m)) return false;\n", &first);
    }
}

/* The count of an array or the size of bytes; `after` is "_count" or "_size". */
static void emit_count(emitter *e, const step *s, const char *after, uint64_t low, uint64_t high)
{
    const char *c_type = cname_storage(storage_for(high));
    const char *m = spell_access(e, s->at, "", after);
    if (s->width == 0)
        out_put(e->out,
                "if (mode_ == PKT_MEASURE && in_->$m != $low) return false;\n"
                "PKT_ONLY($type, $m, $low);\n",
                "type", c_type, "m", m, "low", spell_number(e, low), NULL);
    else
        out_put(e->out, "PKT_COUNT($m, PKT_AS_INT($type, $low, $high, $bits), $place);\n", "type", c_type, "m", m,
                "low", spell_number(e, low), "high", spell_number(e, high), "bits", spell_number(e, s->width), "place",
                place_words(e, s), NULL);
}

static void emit_tag(emitter *e, const step *s)
{
    const char *c_type = arena_printf(e->arena, "%s_tag", spell_decl(e, s->op->of->decl));
    out_put(e->out, "$type chosen_ = ($type)0;\n", "type", c_type, NULL);
    if (s->width == 0)
        out_put(e->out, "if (!PKT_READING && in_->tag != 0) return false;\n", NULL);
    else
        out_put(e->out, "PKT_TAG($type, chosen_, tag, $span, $bits, $place);\n", "type", c_type, "span",
                spell_number(e, s->op->span), "bits", spell_number(e, s->width), "place", place_words(e, s), NULL);
}

static const char *differs(const emitter *e, const op *o, const lvalue *at)
{
    return leaf_unusual(e, o->body, arena_printf(e->arena, "in_->%s", spell_access(e, at, "", "")));
}

static const char *sent_name(const emitter *e, const op *o)
{
    return arena_printf(e->arena, "%s_sent_", o->field->name);
}

static const char *size_name(const emitter *e, const op *o)
{
    return arena_printf(e->arena, "%s_size_", o->field->name);
}

static void emit_run_leaf(emitter *e, const step *s)
{
    const op *o = s->op;
    switch (s->role) {
    case LEAF_VALUE: emit_value(e, s); break;
    case LEAF_PRESENCE:
        out_put(e->out, "PKT_BOOL($m, $place);\n", "m", spell_access(e, s->at, "has_", ""), "place", place_words(e, s),
                NULL);
        break;
    case LEAF_DIFFERS:
        out_put(e->out,
                "bool $sent = !PKT_READING && $differs;\n"
                "PKT_DIFFERS($sent, $place);\n",
                "sent", sent_name(e, o), "differs", differs(e, o, s->at), "place", place_words(e, s), NULL);
        break;
    case LEAF_COUNT: emit_count(e, s, "_count", o->count_low, o->count); break;
    case LEAF_LENGTH:
        out_put(e->out,
                "uint32_t $size = 0;\n"
                "PKT_LENGTH($size, $m, $max, $bits, $place);\n",
                "size", size_name(e, o), "m", spell_access(e, s->at, "", ""), "max", spell_number(e, o->span), "bits",
                spell_number(e, s->width), "place", place_words(e, s), NULL);
        break;
    case LEAF_SIZE: emit_count(e, s, "_size", 0, o->span); break;
    case LEAF_TAG: emit_tag(e, s); break;
    }
}

/* ---- steps that contain other steps */

static void emit_block(emitter *e, const step *s)
{
    out_indent(e->out);
    emit_steps(e, s);
    out_dedent(e->out);
}

/* When reading: sets the fields of the sides that were not taken to base values. kept: the number of the side that was
 * taken, or 0 for all sides. */
static void emit_not_taken(emitter *e, const op *o, const char *kept)
{
    out_put(e->out, "if (PKT_READING)\n    ", NULL);
    emit_clear(e, e->type, o, "out_", kept);
}

static void emit_if(emitter *e, const step *s)
{
    const op *o = s->op;
    const bool clears = has_fields(o->body);
    out_put(e->out, "if ($condition) {\n", "condition", spell_branch_condition(e, o, "in_->"), NULL);
    out_indent(e->out);
    if (has_fields(o->other))
        emit_not_taken(e, o, "1");
    emit_steps(e, s->body);
    out_dedent(e->out);
    if (s->other == NULL) {
        out_put(e->out, clears ? "} else if (PKT_READING) {\n    " : "", NULL);
        if (clears)
            emit_clear(e, e->type, o, "out_", "2");
        out_put(e->out, "}\n", NULL);
        return;
    }
    out_put(e->out, "} else {\n", NULL);
    out_indent(e->out);
    if (clears)
        emit_not_taken(e, o, "2");
    emit_steps(e, s->other);
    out_close(e->out);
}

static void emit_switch(emitter *e, const step *s)
{
    bool has_default = false;
    if (s->op->has_fields)
        emit_not_taken(e, s->op, "0"); /* the fields of the arm that is taken are read after this */
    out_put(e->out, "switch ($subject) {\n", "subject", spell_subject(e, s->op, "in_->"), NULL);
    for (const step_arm *a = s->arms; a != NULL; a = a->next) {
        has_default |= a->arm->arm->is_default;
        out_put(e->out, "$labels {\n", "labels", spell_labels(e, a->arm->arm, "in_->"), NULL);
        emit_block(e, a->body);
        out_put(e->out, "    break;\n}\n", NULL);
    }
    if (!has_default)
        out_put(e->out, "default:\n    break;\n", NULL);
    out_put(e->out, "}\n", NULL);
}

static void emit_union(emitter *e, const step *s)
{
    const decl *d = s->op->of->decl;
    out_put(e->out, "switch (chosen_) {\n", NULL);
    for (const step_arm *a = s->arms; a != NULL; a = a->next) {
        const member *m = a->arm->member;
        out_put(e->out, "case $tag:\n", "tag", spell_member(e, d, m), NULL);
        out_indent(e->out);
        if (m->type->holds_private)
            out_put(e->out, "if (PKT_READING) memset(&out_->as.$member, 0, sizeof out_->as.$member);\n", "member",
                    m->name, NULL);
        out_put(e->out, "PKT_CHOOSE($tag);\n", "tag", spell_member(e, d, m), NULL);
        emit_steps(e, a->body);
        out_put(e->out, "break;\n", NULL);
        out_dedent(e->out);
    }
    out_put(e->out, "default:\n    return false;\n}\n", NULL);
}

static void emit_maybe(emitter *e, const step *s)
{
    const op *o = s->op;
    if (s->kind == STEP_PRESENT)
        out_put(e->out, "if (in_->$has) {\n", "has", spell_access(e, s->at, "has_", ""), NULL);
    else
        out_put(e->out, "if ($sent) {\n", "sent", sent_name(e, o), NULL);
    out_indent(e->out);
    emit_steps(e, s->body);
    if (s->kind == STEP_DIFFERS)
        out_put(e->out, "PKT_MUST_DIFFER($differs);\n", "differs", differs(e, o, s->at), NULL);
    out_dedent(e->out);
    out_put(e->out, "} else if (PKT_READING) {\n", NULL);
    out_indent(e->out);
    emit_base_of_value(e, o->field, "out_->", HELD_KEPT);
    out_close(e->out);
}

static const char *spell_element_count(const emitter *e, const step *s)
{
    const op *o = s->op;
    if (o->kind == OP_COUNTED)
        return arena_printf(e->arena, "in_->%s", spell_access(e, s->at, "", "_count"));
    if (o->kind == OP_COMPUTED) /* of `in_`, or of a part of it that is spelled out here */
        return spell_computed_count(
            e, o->field->owner, o->field,
            s->at->outer ? arena_printf(e->arena, "&in_->%s", spell_access(e, s->at->outer, "", "")) : "in_");
    return spell_number(e, o->count);
}

/* A loop over groups of elements, then a loop over the remaining elements. */
static void emit_loop(emitter *e, const step *s)
{
    const op *o = s->op;
    bool counted = o->kind != OP_ARRAY;
    const char *i = arena_printf(e->arena, "i%d_", s->depth), *n = arena_printf(e->arena, "n%d_", s->depth);
    const char *bits = spell_number(e, s->bits);
    bool odd = counted || s->group == 1 || o->count % s->group != 0;
    out_put(e->out, "{\n", NULL);
    out_indent(e->out);
    out_put(e->out, "const uint32_t $n = $count;\nuint32_t $i = 0;\n", "n", n, "i", i, "count",
            spell_element_count(e, s), NULL);
    if (counted && s->op->field->by)
        out_put(e->out, "uint64_t last${depth}_ = UINT64_MAX;\n", "depth", spell_number(e, (uint64_t)s->depth), NULL);
    if (s->fixed && counted)
        out_put(e->out,
                s->rest != 0 ? "PKT_NEED($bits * (uint64_t)$n + $rest);\n" : "PKT_NEED($bits * (uint64_t)$n);\n",
                "bits", bits, "n", n, "rest", spell_number(e, s->rest), NULL);
    if (s->fixed)
        out_put(e->out, "if (mode_ == PKT_MEASURE) {\n    c_->bit += $bits * (uint64_t)$n;\n    $i = $n;\n}\n", "bits",
                bits, "n", n, "i", i, NULL);
    if (s->group > 1) {
        out_put(e->out, "for (; $n - $i >= $group; $i += $group) {\n", "n", n, "i", i, "group",
                spell_number(e, s->group), NULL);
        emit_block(e, s->body);
        out_put(e->out, "}\n", NULL);
    }
    if (odd) {
        out_put(e->out, "for (; $i < $n; $i++) {\n", "n", n, "i", i, NULL);
        emit_block(e, s->other);
        out_put(e->out, "}\n", NULL);
    }
    out_close(e->out);
}

static const char *run_line(const step *s)
{
    if (s->joined)
        return "pkt_joined_run(mode_, c_);\n";
    if (s->alone)
        return "pkt_run_alone(mode_, c_);\n";
    if (s->varies)
        return s->edge ? "PKT_VARYING_RUN_EDGE($end);\n" : "PKT_VARYING_RUN();\n";
    return s->first ? "PKT_FIRST_RUN();\n" : s->edge ? "PKT_RUN_EDGE($end);\n" : "PKT_RUN();\n";
}

static void emit_step(emitter *e, const step *s)
{
    const char *bits = spell_number(e, s->bits), *rest = spell_number(e, s->rest);
    switch (s->kind) {
    case STEP_NEED: out_put(e->out, "PKT_NEED($bits);\n", "bits", bits, NULL); break;
    case STEP_RUN: out_put(e->out, run_line(s), "end", spell_number(e, s->ending), NULL); break;
    case STEP_WORD:
        out_put(e->out, s->edge ? "PKT_WORD_EDGE($byte, $end);\n" : "PKT_WORD($byte);\n", "byte",
                spell_number(e, s->byte), "end", spell_number(e, s->ending), NULL);
        break;
    case STEP_LEAF: emit_run_leaf(e, s); break;
    case STEP_END:
        out_put(e->out,
                s->joined   ? "if (!pkt_joined_end(mode_, c_, &s${depth}_, $bits)) return false;\n"
                : s->varies ? "PKT_VARYING_END($bits, $rest);\n"
                : s->alone  ? "pkt_end_alone(mode_, c_, $bits);\n"
                            : "PKT_END($bits);\n",
                "depth", spell_number(e, (uint64_t)s->depth), "bits", bits, "rest", rest, NULL);
        break;
    case STEP_VARIED: out_put(e->out, "PKT_VARIED($bits);\n", "bits", bits, NULL); break;
    case STEP_ALIGN: out_put(e->out, "if (!pkt_align(mode_, c_, $rest)) return false;\n", "rest", rest, NULL); break;
    case STEP_COPY:
        out_put(e->out, "pkt_copy(mode_, c_, in_->$m, PKT_READING ? out_->$m : NULL, $count);\n", "m",
                spell_access(e, s->at, "", ""), "count", spell_number(e, s->bits / 8), NULL);
        break;
    case STEP_TEXT:
        out_put(e->out, "PKT_TEXT($m, $size, $rest);\n", "m", spell_access(e, s->at, "", ""), "size",
                size_name(e, s->op), "rest", rest, NULL);
        break;
    case STEP_BYTES:
        out_put(e->out, "PKT_BYTES($m, in_->$size, $rest);\n", "m", spell_access(e, s->at, "", ""), "size",
                spell_access(e, s->at, "", "_size"), "rest", rest, NULL);
        break;
    case STEP_VARYING: emit_value(e, s); break;
    case STEP_KEY: {
        const field *key = s->op->field->by;
        out_put(e->out, "PKT_KEY($type, $m, i${loop}_, $key, last${loop}_, $low, $span, $rest, $edge);\n", "type",
                spell_type(e, &key->type), "m", spell_access(e, s->at->outer, "", ""), "loop",
                arena_printf(e->arena, "%d", s->at->loop), "key", key->name, "low", spell_key_low(e, key), "span",
                spell_key_span(e, key), "rest", rest, "edge", s->edge ? "true" : "false", NULL);
        break;
    }
    case STEP_NAMED:
        out_put(e->out, "if (PKT_READING && !c_->parts)\n    return true; /* T_peek reads no more */\n", NULL);
        break;
    case STEP_DELTA:
        if (s->op->field->chain) {
            out_put(e->out, "PKT_CHAINED($type, $m, $i);\n", "type", spell_decl(e, s->op->of->decl), "m",
                    spell_access(e, s->at->outer, "", ""), "i", arena_printf(e->arena, "i%d_", s->at->loop), NULL);
            break;
        }
        out_put(e->out,
                starts_lists(s->op->field) ? "PKT_STARTED($type, $m, $index);\n" : "PKT_BASED($type, $m, $index);\n",
                "type", spell_decl(e, s->op->of->decl), "m", spell_access(e, s->at, "", ""), "index",
                spell_number(e, s->op->number), NULL);
        break;
    case STEP_CALL:
        out_put(e->out, s->inlined ? "PKT_INLINED($type, $m);\n" : "PKT_CALLED($type, $m);\n", "type",
                spell_decl(e, s->op->of->decl), "m", spell_access(e, s->at, "", ""), NULL);
        break;
    case STEP_UNION: emit_union(e, s); break;
    case STEP_PRESENT:
    case STEP_DIFFERS: emit_maybe(e, s); break;
    case STEP_IF: emit_if(e, s); break;
    case STEP_SWITCH: emit_switch(e, s); break;
    case STEP_SUBSET: emit_subset(e, s, emit_steps); break;
    case STEP_LOOP: emit_loop(e, s); break;
    }
}

void emit_steps(emitter *e, const step *s)
{
    while (s != NULL) {
        if (s->row == 0) {
            emit_step(e, s);
            s = s->next;
            continue;
        }
        /* neighbours that one operation moves, one per line */
        const step *const first = s;
        leaf leaves[4];
        for (unsigned i = 0; i < first->row; i++, s = s->next)
            leaves[i] = leaf_of(e, s);
        leaf_put_group(e, &group_serialize, leaves, first->row, place_words(e, first));
    }
}

/* Whether a step reads or writes a member. Constants do not, and neither does a struct that has only constants. */
static bool touches_value(const step *s)
{
    for (; s != NULL; s = s->next) {
        switch (s->kind) {
        case STEP_NEED:
        case STEP_RUN:
        case STEP_WORD:
        case STEP_END:
        case STEP_VARIED:
        case STEP_NAMED:
        case STEP_ALIGN: break;
        case STEP_LEAF:
            if (s->op->kind != OP_CONSTANT)
                return true;
            break;
        case STEP_LOOP:
            if (s->op->kind != OP_ARRAY || touches_value(s->body) || touches_value(s->other))
                return true;
            break;
        case STEP_COPY:
        case STEP_TEXT:
        case STEP_BYTES:
        case STEP_VARYING:
        case STEP_KEY:
        case STEP_DELTA:
        case STEP_CALL:
        case STEP_UNION:
        case STEP_PRESENT:
        case STEP_DIFFERS:
        case STEP_IF:
        case STEP_SWITCH:
        case STEP_SUBSET: return true;
        }
    }
    return false;
}

static bool touches_cursor(const step *s);

/* Whether a step moves bits. Ranges of one value have none, and neither has the tag of a union with one member. */
static bool moves_bits(const step *s)
{
    const op_kind kind = s->kind == STEP_LEAF ? s->op->kind : OP_CONSTANT;
    bool moves =
        s->kind != STEP_UNION && !((kind == OP_BIASED || kind == OP_ENUM || kind == OP_UNION) && s->op->bits == 0);
    for (const step_arm *a = s->kind == STEP_UNION ? s->arms : NULL; a; a = a->next)
        moves = moves || touches_cursor(a->body);
    return moves;
}

static bool touches_cursor(const step *s)
{
    while (s && !moves_bits(s))
        s = s->next;
    return s != NULL;
}

void emit_serialize(emitter *e, const plan *p)
{
    const wire_type *t = p->type;
    const char *name = spell_decl(e, t->decl);
    e->type = t;
    if (t->least == t->most)
        out_put(e->out, "/* $name: $least bits. */\n", "name", name, "least", spell_number(e, t->least), NULL);
    else
        out_put(e->out, "/* $name: $least to $most bits. */\n", "name", name, "least", spell_number(e, t->least),
                "most", spell_number(e, t->most), NULL);
    out_put(
        e->out,
        "PKT_INLINE bool ${name}_serialize(const pkt_mode mode_, pkt_cursor *c_, const $name *in_, $name *out_)\n{\n",
        "name", name, NULL);
    out_indent(e->out);
    /* Without fields, all conditions are constant. */
    const bool fieldless = t->decl->kind == DECL_STRUCT && !has_fields(t->body), empty = fieldless && t->most == 0;
    if (p->steps == NULL || empty)
        out_put(e->out, "(void)mode_;\n", NULL);
    if (!touches_cursor(p->steps) || t->most == 0)
        out_put(e->out, "(void)c_;\n", NULL);
    if (!touches_value(p->steps) || fieldless)
        out_put(e->out, "(void)in_;\n(void)out_;\n", NULL);
    emit_steps(e, p->steps);
    out_put(e->out, "return true;\n", NULL);
    out_dedent(e->out);
    out_put(e->out, "}\n\n", NULL);
}
