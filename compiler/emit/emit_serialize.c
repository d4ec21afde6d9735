/* emit_serialize.c - the unified body of a type: spells a plan, a step a line.
 * SPDX-License-Identifier: MIT
 *
 * What the lines mean is in runtime/pkt_leaf.h and the headers next to it; where they stand was decided in fuse.c.
 */
#include "emit/emit_internal.h"

#include <assert.h>
#include <inttypes.h>

/* ---- leaves */

/* The last arguments of a leaf's line: where it is. With them goes the macro's ending, _ACROSS or nothing. */
static const char *place(const emitter *e, const step *s)
{
    if (!s->across)
        return arena_printf(e->arena, "%u", s->shift);
    return arena_printf(e->arena, "%u, %u, %u, %u, %s", s->shift, s->low, (unsigned)s->byte, s->high_shift,
                        s->edge ? "true" : "false");
}

/* PKT_INT or PKT_INT64, for what has a low and a high. */
static void emit_int(emitter *e, const step *s, const char *c_type)
{
    const type *t = s->op->type;
    storage st = t->storage;
    if (s->width == 0) {
        out_put(e->out, "PKT_ONLY($type, $m, $value);\n", "type", c_type, "m", spell_access(e, s->at, "", ""), "value",
                cname_integer(e->arena, t->low, st), NULL);
        return;
    }
    out_put(e->out, "PKT_INT$wide$across($type, $m, $low, $high, $bits, $place);\n", "wide",
            storage_bits(st) == 64 ? "64" : "", "across", s->across ? "_ACROSS" : "", "type", c_type, "m",
            spell_access(e, s->at, "", ""), "low", cname_integer(e->arena, t->low, st), "high",
            cname_integer(e->arena, t->high, st), "bits", spell_number(e, s->width), "place", place(e, s), NULL);
}

static void emit_enum(emitter *e, const step *s)
{
    const type *t = s->op->type;
    const char *name = spell_decl(e, t->decl);
    if (s->width == 0 || !op_has_gaps(s->op)) {
        emit_int(e, s, name);
        return;
    }
    out_put(e->out, "PKT_ENUM$across($type, $m, ${type}_valid, $low, $high, $bits, $place);\n", "across",
            s->across ? "_ACROSS" : "", "type", name, "m", spell_access(e, s->at, "", ""), "low",
            cname_integer(e->arena, t->low, STORAGE_U64), "high", cname_integer(e->arena, t->high, STORAGE_U64), "bits",
            spell_number(e, s->width), "place", place(e, s), NULL);
}

/* What PKT_QUANTIZED and its like say of one: "x, -8.0f, 8.0f, 1600, 11". */
static const char *spell_quantized(const emitter *e, const step *s)
{
    const type *t = s->op->type;
    return arena_printf(e->arena, "%s, %s, %s, %s, %u", spell_access(e, s->at, "", ""),
                        cname_real(e->arena, t->real_low, t->storage), cname_real(e->arena, t->real_high, t->storage),
                        spell_steps(e, t), s->width);
}

static void emit_quantized(emitter *e, const step *s)
{
    out_put(e->out, "PKT_QUANTIZED$wide$across($quantized, $place);\n", "wide",
            s->op->type->storage == STORAGE_FLOAT ? "" : "64", "across", s->across ? "_ACROSS" : "", "quantized",
            spell_quantized(e, s), "place", place(e, s), NULL);
}

/* A row, each of it a line. */
static void emit_row(emitter *e, const step *s)
{
    const step *each = s;
    out_put(e->out, "PKT_QUANTIZED$count(", "count", spell_number(e, s->row), NULL);
    for (unsigned i = 0; i < s->row; i++, each = each->next)
        out_put(e->out, i == 0 ? "$quantized,\n" : "               $quantized,\n", "quantized",
                spell_quantized(e, each), NULL);
    out_put(e->out, "               $place);\n", "place", place(e, s), NULL);
}

/* One of four quats: their codes are made before the first, and taken after the last. */
static void emit_quat_of_four(emitter *e, const step *s)
{
    const char *m = spell_access(e, s->at, "", ""), *parts = spell_number(e, s->op->type->bits);
    if (s->four == 1)
        out_put(e->out, "uint64_t codes[4] = { 0 };\nPKT_QUATS_WRITTEN(codes, $m, $parts);\n", "m", m, "parts", parts,
                NULL);
    out_put(e->out, "PKT_QUAT_OF$across(codes[$number], $m, $parts, $place);\n", "across", s->across ? "_ACROSS" : "",
            "number", spell_number(e, s->four - 1), "m", m, "parts", parts, "place", place(e, s), NULL);
    if (s->four == 4)
        out_put(e->out, "PKT_QUATS_READ(codes, $m, $parts);\n", "m", spell_access(e, s->first_of_four, "", ""), "parts",
                parts, NULL);
}

static void emit_ref(emitter *e, const step *s)
{
    const type *t = s->op->type;
    out_put(e->out, "PKT_REF($type, $m, $ref, $max, $bits, $place);\n", "type", spell_pointed(e, t->decl), "m",
            spell_access(e, s->at, "", ""), "ref", spell_ref(e, t->decl), "max",
            cname_integer(e->arena, t->high, STORAGE_U32), "bits", spell_number(e, s->width), "place", place(e, s),
            NULL);
}

static const char *constant_kind(const op *o)
{
    switch (o->item->kind) {
    case ITEM_CONST: return "const";
    case ITEM_RESERVED: return "reserved";
    case ITEM_CHECK: return "check";
    case ITEM_FIELD:
    case ITEM_ALIGN:
    case ITEM_IF:
    case ITEM_SWITCH: break;
    }
    assert(!"not a constant");
    return "";
}

/* PKT_INTS: a bool is 0 or 1, bits are from 0 to all ones. */
static void emit_lanes(emitter *e, const step *s)
{
    const op *o = s->op;
    bool whole = o->kind == OP_BOOL || o->kind == OP_RAW;
    storage st = o->kind == OP_BOOL ? STORAGE_U8 : o->type->storage;
    num low = whole ? num_u64(0) : o->type->low, high = whole ? num_u64((UINT64_C(1) << o->bits) - 1) : o->type->high;
    out_put(e->out, "PKT_INTS($type, $m, $low, $high, $bits, $place);\n", "type", spell_type(e, o->type), "m",
            spell_access(e, s->at, "", ""), "low", cname_integer(e->arena, low, st), "high",
            cname_integer(e->arena, high, st), "bits", spell_number(e, o->bits), "place", place(e, s), NULL);
}

/* What errors call it: behind the name of the member that it is spelled out in. */
static const char *constant_name(const emitter *e, const step *s)
{
    const char *outer = spell_access(e, s->at, "", "");
    return arena_printf(e->arena, "%s%s%s", outer, outer[0] != 0 ? "." : "", constant_kind(s->op));
}

static void emit_value(emitter *e, const step *s)
{
    const op *o = s->op;
    const char *m = o->field != NULL ? spell_access(e, s->at, "", "") : "", *across = s->across ? "_ACROSS" : "";
    switch (o->kind) {
    case OP_BOOL: out_put(e->out, "PKT_BOOL($m, $place);\n", "m", m, "place", place(e, s), NULL); return;
    case OP_RAW:
        out_put(e->out, "$macro$across($type, $m, $bits, $place);\n", "macro",
                o->type->low.negative ? "PKT_SIGNED" : "PKT_BITS", "across", across, "type", spell_type(e, o->type),
                "m", m, "bits", spell_number(e, s->width), "place", place(e, s), NULL);
        return;
    case OP_BIASED: emit_int(e, s, cname_storage(o->type->storage)); return;
    case OP_ENUM: emit_enum(e, s); return;
    case OP_FLOAT:
        out_put(e->out, "PKT_$kind$across($m, $place);\n", "kind", o->bits == 32 ? "FLOAT" : "DOUBLE", "across", across,
                "m", m, "place", place(e, s), NULL);
        return;
    case OP_QUANTIZED: emit_quantized(e, s); return;
    case OP_QUAT:
    case OP_UNIT:
        if (s->four != 0) {
            emit_quat_of_four(e, s);
            return;
        }
        out_put(e->out, "PKT_$kind$across($m, $parts, $place);\n", "kind", o->kind == OP_QUAT ? "QUAT" : "UNIT",
                "across", across, "m", m, "parts", spell_number(e, o->type->bits), "place", place(e, s), NULL);
        return;
    case OP_CONSTANT:
        out_put(e->out, "PKT_CONSTANT$across(\"$name\", $value, $bits, $place);\n", "across", across, "name",
                constant_name(e, s), "value", spell_hexadecimal(e, o->constant), "bits", spell_number(e, s->width),
                "place", place(e, s), NULL);
        return;
    case OP_REF: emit_ref(e, s); return;
    case OP_ALIGN:
    case OP_STRING:
    case OP_BYTES:
    case OP_COMPACT:
    case OP_AFTER:
    case OP_STRUCT:
    case OP_UNION:
    case OP_ARRAY:
    case OP_COUNTED:
    case OP_SPARSE:
    case OP_OPTIONAL:
    case OP_UNLESS:
    case OP_IF:
    case OP_SWITCH: break;
    }
    assert(!"not a leaf that is supported");
}

/* The count of an array or the size of bytes, whose member has `after` behind its name. */
static void emit_count(emitter *e, const step *s, const char *after, uint64_t low, uint64_t high)
{
    const char *c_type = cname_storage(storage_for(high));
    const char *m = spell_access(e, s->at, "", after);
    if (s->width == 0)
        out_put(e->out, "PKT_COUNT_ONLY($type, $m, $low);\n", "type", c_type, "m", m, "low", spell_number(e, low),
                NULL);
    else
        out_put(e->out, "PKT_COUNT($type, $m, $low, $high, $bits, $place);\n", "type", c_type, "m", m, "low",
                spell_number(e, low), "high", spell_number(e, high), "bits", spell_number(e, s->width), "place",
                place(e, s), NULL);
}

static void emit_tag(emitter *e, const step *s)
{
    const char *c_type = arena_printf(e->arena, "%s_tag", spell_decl(e, s->op->of->decl));
    out_put(e->out, "$type chosen = ($type)0;\n", "type", c_type, NULL);
    if (s->width == 0)
        out_put(e->out, "PKT_TAG_ONLY($type, chosen, tag);\n", "type", c_type, NULL);
    else
        out_put(e->out, "PKT_TAG($type, chosen, tag, $span, $bits, $place);\n", "type", c_type, "span",
                spell_number(e, s->op->span), "bits", spell_number(e, s->width), "place", place(e, s), NULL);
}

static const char *differs(const emitter *e, const op *o, const lvalue *at)
{
    return spell_differs(e, o->field, arena_printf(e->arena, "in->%s", spell_access(e, at, "", "")));
}

static const char *sent_name(const emitter *e, const op *o)
{
    return arena_printf(e->arena, "%s_sent", o->field->name);
}

static const char *size_name(const emitter *e, const op *o)
{
    return arena_printf(e->arena, "%s_size", o->field->name);
}

static void emit_leaf(emitter *e, const step *s)
{
    const op *o = s->op;
    switch (s->role) {
    case LEAF_VALUE:
        if (s->lanes > 1)
            emit_lanes(e, s);
        else
            emit_value(e, s);
        break;
    case LEAF_PRESENCE:
        out_put(e->out, "PKT_BOOL($m, $place);\n", "m", spell_access(e, s->at, "has_", ""), "place", place(e, s), NULL);
        break;
    case LEAF_DIFFERS:
        out_put(e->out, "bool $sent = $differs;\nPKT_DIFFERS($sent, \"$m\", $place);\n", "sent", sent_name(e, o),
                "differs", differs(e, o, s->at), "m", spell_access(e, s->at, "", ""), "place", place(e, s), NULL);
        break;
    case LEAF_COUNT: emit_count(e, s, "_count", o->count_low, o->count); break;
    case LEAF_LENGTH:
        out_put(e->out, "uint32_t $size = 0;\nPKT_LENGTH($size, $m, $max, $bits, $place);\n", "size", size_name(e, o),
                "m", spell_access(e, s->at, "", ""), "max", spell_number(e, o->span), "bits", spell_number(e, s->width),
                "place", place(e, s), NULL);
        break;
    case LEAF_SIZE: emit_count(e, s, "_size", 0, o->span); break;
    case LEAF_TAG: emit_tag(e, s); break;
    }
}

/* ---- what holds further steps */

static void emit_block(emitter *e, const step *s)
{
    out_indent(e->out);
    emit_steps(e, s);
    out_dedent(e->out);
}

const char *spell_labels(const emitter *e, const arm *a, const char *base)
{
    const char *text = "";
    for (uint32_t i = 0; i < a->value_count; i++)
        text = arena_printf(e->arena, "%s%scase %s:", text, i == 0 ? "" : " ", spell_condition(e, a->values[i], base));
    if (a->is_default)
        text = arena_printf(e->arena, "%s%sdefault:", text, text[0] != 0 ? " " : "");
    return text;
}

/* The base values of the sides that were not taken. */
bool has_fields(const op *o)
{
    for (; o != NULL; o = o->next) {
        if (o->field != NULL)
            return true;
        if (o->kind == OP_IF && (has_fields(o->body) || has_fields(o->other)))
            return true;
        for (const op_arm *a = o->arms; o->kind == OP_SWITCH && a != NULL; a = a->next)
            if (has_fields(a->body))
                return true;
    }
    return false;
}

void emit_not_taken(emitter *e, const op *o)
{
    if (!has_fields(o))
        return;
    out_put(e->out, "if (PKT_READING) {\n", NULL);
    out_indent(e->out);
    emit_base_of_ops(e, o, "out->", HELD_VALUE);
    out_dedent(e->out);
    out_put(e->out, "}\n", NULL);
}

static void emit_if(emitter *e, const step *s)
{
    const op *o = s->op;
    out_put(e->out, "if ($condition) {\n", "condition", spell_condition(e, o->item->as.branch.condition, "in->"), NULL);
    out_indent(e->out);
    emit_not_taken(e, o->other);
    emit_steps(e, s->body);
    out_dedent(e->out);
    if (s->other == NULL && !has_fields(o->body)) {
        out_put(e->out, "}\n", NULL);
        return;
    }
    if (s->other == NULL) {
        out_put(e->out, "} else if (PKT_READING) {\n", NULL);
        out_indent(e->out);
        emit_base_of_ops(e, o->body, "out->", HELD_VALUE);
        out_dedent(e->out);
        out_put(e->out, "}\n", NULL);
        return;
    }
    out_put(e->out, "} else {\n", NULL);
    out_indent(e->out);
    emit_not_taken(e, o->body);
    emit_steps(e, s->other);
    out_dedent(e->out);
    out_put(e->out, "}\n", NULL);
}

static void emit_switch(emitter *e, const step *s)
{
    const expr *subject = s->op->item->as.choice.subject;
    const char *text = spell_condition(e, subject, "in->");
    bool has_default = false, any = false;
    for (const step_arm *a = s->arms; a != NULL; a = a->next)
        any |= has_fields(a->arm->body);
    if (any) {
        /* Every arm at once: the one that is taken is read after this. */
        out_put(e->out, "if (PKT_READING) {\n", NULL);
        out_indent(e->out);
        for (const step_arm *a = s->arms; a != NULL; a = a->next)
            emit_base_of_ops(e, a->arm->body, "out->", HELD_VALUE);
        out_dedent(e->out);
        out_put(e->out, "}\n", NULL);
    }
    if (subject->type == EXPR_BOOL)
        text = arena_printf(e->arena, "(int)%s", text);
    out_put(e->out, "switch ($subject) {\n", "subject", text, NULL);
    for (const step_arm *a = s->arms; a != NULL; a = a->next) {
        has_default |= a->arm->arm->is_default;
        out_put(e->out, "$labels {\n", "labels", spell_labels(e, a->arm->arm, "in->"), NULL);
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
    out_put(e->out, "switch (chosen) {\n", NULL);
    for (const step_arm *a = s->arms; a != NULL; a = a->next) {
        const member *m = a->arm->member;
        out_put(e->out, "case $tag:\n", "tag", spell_member(e, d, m), NULL);
        out_indent(e->out);
        out_put(e->out, "PKT_CHOOSE($type, as.$member, $tag);\n", "type", spell_decl(e, m->type), "member", m->name,
                "tag", spell_member(e, d, m), NULL);
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
        out_put(e->out, "if (in->$has) {\n", "has", spell_access(e, s->at, "has_", ""), NULL);
    else
        out_put(e->out, "if ($sent) {\n", "sent", sent_name(e, o), NULL);
    out_indent(e->out);
    emit_steps(e, s->body);
    if (s->kind == STEP_DIFFERS)
        out_put(e->out, "PKT_REFUSE_USUAL($differs, \"$m\");\n", "differs", differs(e, o, s->at), "m",
                spell_access(e, s->at, "", ""), NULL);
    out_dedent(e->out);
    out_put(e->out, "} else if (PKT_READING) {\n", NULL);
    out_indent(e->out);
    emit_base_of_value(e, o->field, "out->", HELD_VALUE);
    out_dedent(e->out);
    out_put(e->out, "}\n", NULL);
}

/* for loops over groups, then over single elements. */
static void emit_loop(emitter *e, const step *s)
{
    const op *o = s->op;
    bool counted = o->kind == OP_COUNTED;
    const char *i = arena_printf(e->arena, "i%d", s->depth), *n = arena_printf(e->arena, "n%d", s->depth);
    const char *bits = spell_number(e, s->bits);
    bool odd = counted || s->group == 1 || o->count % s->group != 0;
    out_put(e->out, "{\n", NULL);
    out_indent(e->out);
    out_put(e->out,
            counted ? "const uint32_t $n = in->$m;\nuint32_t $i = 0;\n"
                    : "const uint32_t $n = $count;\nuint32_t $i = 0;\n",
            "n", n, "i", i, "m", counted ? spell_access(e, s->at, "", "_count") : "", "count",
            spell_number(e, o->count), NULL);
    if (s->fixed && counted)
        out_put(e->out,
                s->rest != 0 ? "PKT_NEED($bits * (uint64_t)$n + $rest);\n" : "PKT_NEED($bits * (uint64_t)$n);\n",
                "bits", bits, "n", n, "rest", spell_number(e, s->rest), NULL);
    if (s->fixed)
        out_put(e->out, "if (mode == PKT_MEASURE) {\n    c->bit += $bits * (uint64_t)$n;\n    $i = $n;\n}\n", "bits",
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
    out_dedent(e->out);
    out_put(e->out, "}\n", NULL);
}

static void emit_step(emitter *e, const step *s)
{
    const char *bits = spell_number(e, s->bits), *rest = spell_number(e, s->rest);
    switch (s->kind) {
    case STEP_NEED: out_put(e->out, "PKT_NEED($bits);\n", "bits", bits, NULL); break;
    case STEP_RUN:
        if (s->joined) {
            out_put(e->out, "PKT_JOINED_RUN();\n", NULL);
            break;
        }
        out_put(e->out, "PKT_$varying$how;\n", "varying", s->varies ? "VARYING_" : "", "how",
                s->first         ? "FIRST_RUN()"
                : s->ending != 0 ? arena_printf(e->arena, "RUN_ENDING(%" PRIu64 ")", s->ending)
                : s->edge        ? "RUN_EDGE()"
                                 : "RUN()",
                NULL);
        break;
    case STEP_WORD:
        out_put(e->out,
                s->ending != 0 ? "PKT_WORD_ENDING($byte, $end);\n"
                : s->edge      ? "PKT_WORD_EDGE($byte);\n"
                               : "PKT_WORD($byte);\n",
                "byte", spell_number(e, s->byte), "end", spell_number(e, s->ending), NULL);
        break;
    case STEP_LEAF: emit_leaf(e, s); break;
    case STEP_END:
        out_put(e->out,
                s->joined   ? "PKT_JOINED_END(s$depth, $bits);\n"
                : s->varies ? "PKT_VARYING_END($bits, $rest);\n"
                            : "PKT_END($bits);\n",
                "depth", spell_number(e, (uint64_t)s->depth), "bits", bits, "rest", rest, NULL);
        break;
    case STEP_VARIED: out_put(e->out, "PKT_VARIED($bits);\n", "bits", bits, NULL); break;
    case STEP_ALIGN: out_put(e->out, "PKT_ALIGN($rest);\n", "rest", rest, NULL); break;
    case STEP_COPY:
        out_put(e->out, "PKT_COPY($m, $count);\n", "m", spell_access(e, s->at, "", ""), "count",
                spell_number(e, s->bits / 8), NULL);
        break;
    case STEP_TEXT:
        out_put(e->out, "PKT_TEXT($m, $size, $rest);\n", "m", spell_access(e, s->at, "", ""), "size",
                size_name(e, s->op), "rest", rest, NULL);
        break;
    case STEP_BYTES:
        out_put(e->out, "PKT_BYTES($m, in->$size, $rest);\n", "m", spell_access(e, s->at, "", ""), "size",
                spell_access(e, s->at, "", "_size"), "rest", rest, NULL);
        break;
    case STEP_COMPACT:
        out_put(e->out, "PKT_COMPACT($type, $m, $bytes, $rest, $edge);\n", "type", spell_type(e, s->op->type), "m",
                spell_access(e, s->at, "", ""), "bytes", spell_number(e, s->op->type->bits / 8), "rest", rest, "edge",
                s->edge ? "true" : "false", NULL);
        break;
    case STEP_AFTER:
        out_put(e->out, "PKT_AFTER($m, $start, $rest, $edge);\n", "m", spell_access(e, s->at, "", ""), "start",
                s->op->field->after->name, "rest", rest, "edge", s->edge ? "true" : "false", NULL);
        break;
    case STEP_CALL:
        out_put(e->out, "PKT_$how($type, $m);\n", "how", s->inlined ? "INLINED" : "CALLED", "type",
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
        emit_row(e, s);
        for (unsigned i = s->row; i != 0; i--)
            s = s->next;
    }
}

void emit_serialize(emitter *e, const plan *p)
{
    const wire_type *t = p->type;
    const char *name = spell_decl(e, t->decl);
    if (t->least == t->most)
        out_put(e->out, "/* $name: $least bits. */\n", "name", name, "least", spell_number(e, t->least), NULL);
    else
        out_put(e->out, "/* $name: $least to $most bits. */\n", "name", name, "least", spell_number(e, t->least),
                "most", spell_number(e, t->most), NULL);
    out_put(e->out,
            "PKT_INLINE bool ${name}_serialize(const pkt_mode mode, pkt_cursor *c, const $name *in, $name *out)\n{\n",
            "name", name, NULL);
    out_indent(e->out);
    if (p->steps == NULL)
        out_put(e->out, "(void)mode;\n(void)c;\n", NULL);
    if (t->decl->kind == DECL_STRUCT && !has_fields(t->body))
        out_put(e->out, "(void)in;\n(void)out;\n", NULL);
    emit_steps(e, p->steps);
    out_put(e->out, "return true;\n", NULL);
    out_dedent(e->out);
    out_put(e->out, "}\n\n", NULL);
}
