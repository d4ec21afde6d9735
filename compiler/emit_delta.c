/* emit_delta.c - the delta body of a type, T_delta: a change mask a block, then what it names.
 * SPDX-License-Identifier: MIT
 *
 * A walk over the ops of a type. What a changed field writes in full is spelled by the plan of that field alone (fuse.h);
 * here are the mask, the comparisons with the baseline, and what deltas write in another way. The lines are those of
 * runtime/pkt_delta.h. In the text that comes out, the baseline is `base`, or `fromN` where a part of it may be missing:
 * that then points to base values instead.
 */
#include "emit_internal.h"

#include <assert.h>

typedef struct delta {
    emitter *e;
    const wire_type *t;
    const char *name;       /* of the type in C */
    int level;              /* of braces within which locals have names of their own, so that none hides another */
} delta;

/* A value of which there are two: one in `in` and `out`, one in the baseline. */
typedef struct spot {
    const lvalue *at;
    const char *m;          /* the same as text */
    const char *old;        /* the baseline's, as an expression; its address, where it is a struct or union */
    const char *old_size;   /* bytes: how many; counted arrays: how many elements */
    const char *elements;   /* arrays: the local bitmap of changed elements */
    const char *start;      /* the local with the first bit of its field or element */
    bool optional;          /* what follows a presence bit may equal a base value */
    int depth;              /* loops around it */
} spot;

static void emit_block(delta *k, const op *o, const char *from, const char *took);

static bool has_mask_bit(const op *o)
{
    return o->field != NULL;
}

static unsigned mask_bits(const op *o)
{
    unsigned count = 0;
    for (; o != NULL; o = o->next) count += has_mask_bit(o);
    return count;
}

/* A local of the scope that is open: "start", and "start1" within. */
static const char *local_name(const delta *k, const char *what)
{
    return k->level == 0 ? what : arena_printf(k->e->arena, "%s%d", what, k->level);
}

/* One that several fields of a block have. */
static const char *local_of(const delta *k, const op *o, const char *what)
{
    return local_name(k, arena_printf(k->e->arena, "%s_%s", o->field->name, what));
}

static void open_scope(delta *k)
{
    out_indent(k->e->out);
    k->level++;
}

static void close_scope(delta *k)
{
    k->level--;
    out_dedent(k->e->out);
}

static const lvalue *in_field(delta *k, const field *f)
{
    lvalue *a = ARENA_NEW(k->e->arena, lvalue);
    a->kind = ACCESS_FIELD;
    a->field = f;
    a->loop = -1;
    return a;
}

static const lvalue *in_element(delta *k, const lvalue *outer, int loop)
{
    lvalue *a = ARENA_NEW(k->e->arena, lvalue);
    a->outer = outer;
    a->kind = ACCESS_INDEX;
    a->loop = loop;
    return a;
}

static void close_brace(emitter *e)
{
    out_dedent(e->out);
    out_put(e->out, "}\n", NULL);
}

static bool is_array(const op *o)
{
    return o->kind == OP_ARRAY || o->kind == OP_COUNTED;
}

static const op *without_presence(const op *o)
{
    return o->kind == OP_OPTIONAL || o->kind == OP_UNLESS ? o->body : o;
}

static const char *quantized_range(const emitter *e, const type *t)
{
    return arena_printf(e->arena, "%s, %s, %s", cname_real(e->arena, t->real_low, t->storage),
                        cname_real(e->arena, t->real_high, t->storage), spell_steps(e, t));
}

static const char *wide(const type *t)
{
    return t->storage == STORAGE_FLOAT ? "" : "64";
}

/* ---- comparisons */

/* Whether a value that is no array differs from the baseline's: a baseline can be written, so that one that cannot be does. */
static const char *differs(const delta *k, const op *o, const spot *s)
{
    const emitter *e = k->e;
    const type *t = o->type;
    switch (o->kind) {
    case OP_BOOL:
    case OP_RAW:
    case OP_BIASED:
    case OP_ENUM:
    case OP_COMPACT:
    case OP_AFTER:
        return arena_printf(e->arena, "in->%s != %s", s->m, s->old);
    case OP_REF:
        return s->start == NULL ? arena_printf(e->arena, "in->%s != %s", s->m, s->old)
                                : arena_printf(e->arena, "PKT_REF_DIFFERS(%s, %s, %s)", s->m, s->old, spell_ref(e, t->decl));
    case OP_UNLESS:
        return differs(k, o->body, s);
    case OP_FLOAT:
        return arena_printf(e->arena, t->storage == STORAGE_FLOAT ? "pkt_float_bits(in->%s) != pkt_float_bits(%s)"
                                                                  : "pkt_double_bits(in->%s) != pkt_double_bits(%s)", s->m, s->old);
    case OP_QUANTIZED:
        return arena_printf(e->arena, "pkt_codes_differ%s(in->%s, %s, %s)", wide(t), s->m, s->old, quantized_range(e, t));
    case OP_STRING:
        return arena_printf(e->arena, "!pkt_same_text(in->%s, %s, %s)", s->m, s->old, spell_number(e, o->span));
    case OP_BYTES:
        return arena_printf(e->arena, "!pkt_same_bytes(in->%s, in->%s, %s, %s)", s->m, spell_access(e, s->at, "", "_size"),
                            s->old, s->old_size);
    case OP_STRUCT:
    case OP_UNION:
        return arena_printf(e->arena, "!%s_equal(&in->%s, %s)", spell_decl(e, o->of->decl), s->m, s->old);
    case OP_QUAT:
    case OP_UNIT: {
        const char *kind = o->kind == OP_QUAT ? "quat" : "unit";
        return arena_printf(e->arena, "pkt_delta_%s_code(in->%s, %u) != pkt_delta_%s_code(%s, %u)", kind, s->m, t->bits, kind, s->old, t->bits);
    }
    case OP_CONSTANT:
    case OP_ALIGN:
    case OP_ARRAY:
    case OP_COUNTED:
    case OP_SPARSE:
    case OP_OPTIONAL:
    case OP_IF:
    case OP_SWITCH:
        break;
    }
    assert(!"not a value by itself");
    return "";
}

/* ---- where the baseline's value is */

/* A spot with the baseline's value at `old`, and where `missing` holds (NULL: never) its base value instead. Blank
 * structs for that are declared here. */
static spot spot_of(delta *k, const op *o, const lvalue *at, const char *old, const char *old_size, const char *missing)
{
    emitter *e = k->e;
    const type *t = &o->field->type;
    value base = base_value(o->field);
    spot s = { .at = at, .m = spell_access(e, at, "", ""), .old = old, .old_size = old_size };
    bool holds = t->kind == TYPE_STRUCT || t->kind == TYPE_UNION;
    if (is_array(o)) return s;
    if (holds) s.old = arena_printf(e->arena, "&%s", old);
    if (missing == NULL) return s;
    if (is_scalar(t)) {
        s.old = arena_printf(e->arena, "(%s ? %s : %s)", missing, spell_value(e, t, &base), old);
    } else if (t->kind == TYPE_QUAT || t->kind == TYPE_UNIT) {
        s.old = arena_printf(e->arena, "(%s ? %s() : %s)", missing, t->kind == TYPE_QUAT ? "pkt_quat_identity" : "pkt_vec3_z", old);
    } else if (t->kind == TYPE_REF) {
        s.old = arena_printf(e->arena, "(%s ? NULL : %s)", missing, old);
    } else if (t->kind == TYPE_STRING) {
        s.old = arena_printf(e->arena, "(%s ? \"\" : %s)", missing, old);
    } else if (t->kind == TYPE_BYTES) {
        s.old_size = arena_printf(e->arena, "(%s ? 0u : %s)", missing, old_size);
    } else if (holds) {
        const char *blank = local_name(k, "blank"), *or_blank = local_name(k, "old");
        out_put(e->out, "$type $blank;\nconst $type *$name = $missing ? PKT_BLANK($type, &$blank) : $old;\n",
                "type", spell_decl(e, t->decl), "blank", blank, "name", or_blank, "missing", missing, "old", s.old, NULL);
        s.old = or_blank;
    }
    return s;
}

static spot spot_of_field(delta *k, const op *o, const char *from, const char *missing)
{
    emitter *e = k->e;
    const lvalue *at = in_field(k, o->field);
    const char *after = o->field->array == ARRAY_COUNTED ? "_count" : "_size";
    return spot_of(k, o, at, arena_printf(e->arena, "%s->%s", from, o->field->name),
                   arena_printf(e->arena, "%s->%s%s", from, o->field->name, after), missing);
}

/* The element of an array that the loop around it is at. */
static spot spot_of_element(delta *k, const op *o, const spot *array)
{
    const emitter *e = k->e;
    const char *i = arena_printf(e->arena, "i%d", array->depth), *size = array->old_size, *missing = NULL;
    if (o->kind == OP_COUNTED) missing = arena_printf(e->arena, "%s >= %s", i, array->old_size);
    if (o->kind == OP_COUNTED && o->field->type.kind == TYPE_BYTES) size = arena_printf(e->arena, "%s_size", array->old);
    spot s = spot_of(k, o->body, in_element(k, array->at, array->depth), arena_printf(e->arena, "%s[%s]", array->old, i),
                     arena_printf(e->arena, "%s[%s]", size, i), missing);
    s.depth = array->depth + 1;
    return s;
}

static void open_loop(delta *k, const op *o, const spot *array)
{
    emitter *e = k->e;
    const char *i = arena_printf(e->arena, "i%d", array->depth);
    const char *counted = o->kind != OP_COUNTED ? "" : arena_printf(e->arena, " && %s < in->%s", i, spell_access(e, array->at, "", "_count"));
    out_put(e->out, "for (uint32_t $i = 0; $i < $count$counted; $i++) {\n", "i", i, "count", spell_number(e, o->count),
            "counted", counted, NULL);
    open_scope(k);
}

/* Sets a bit for each element that has changed: `bit` of `word`, or that of the loop opened here. */
static void emit_comparison(delta *k, const op *o, const spot *array, const char *word, const char *bit)
{
    emitter *e = k->e;
    open_loop(k, o, array);
    spot element = spot_of_element(k, o, array);
    if (bit == NULL) {
        word = arena_printf(e->arena, "%s[i%d / 64]", array->elements, array->depth);
        bit = arena_printf(e->arena, "i%d %% 64", array->depth);
    }
    if (is_array(o->body))
        emit_comparison(k, o->body, &element, word, bit);
    else
        out_put(e->out, "$word |= (uint64_t)($differs) << $bit;\n", "word", word, "differs", differs(k, o->body, &element),
                "bit", bit, NULL);
    close_scope(k);
    out_put(e->out, "}\n", NULL);
}

/* The bitmap of the elements that have changed, empty when reading. present: a condition for there being any, or NULL. */
static void emit_elements(delta *k, const op *o, spot *array, const char *present)
{
    emitter *e = k->e;
    array->elements = local_of(k, o, "changed");
    out_put(e->out, "uint64_t $elements[$words] = { 0 };\n", "elements", array->elements,
            "words", spell_number(e, (o->count + 63) / 64), NULL);
    out_put(e->out, present != NULL ? "if (!PKT_READING && $present) {\n" : "if (!PKT_READING) {\n", "present", present, NULL);
    out_indent(e->out);
    emit_comparison(k, o, array, NULL, NULL);
    close_brace(e);
}

static const char *array_differs(const delta *k, const op *o, const spot *s)
{
    const emitter *e = k->e;
    const char *any = arena_printf(e->arena, "pkt_any(%s, %s)", s->elements, spell_number(e, (o->count + 63) / 64));
    if (o->kind != OP_COUNTED) return any;
    return arena_printf(e->arena, "in->%s != %s || %s", spell_access(e, s->at, "", "_count"), s->old_size, any);
}

/* ---- what a set bit is followed by */

static void emit_refusal(delta *k, const op *o, const spot *s)
{
    emitter *e = k->e;
    if (s->optional)
        out_put(e->out, "if ($differs) c->changed = true;\n", "differs", differs(k, o, s), NULL);
    else
        out_put(e->out, "PKT_MUST_DIFFER($differs, $start, \"$m\");\n", "differs", differs(k, o, s), "start", s->start,
                "m", s->m, NULL);
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
        out_put(e->out, "PKT_STEP_$which$m, $old, $size, $small, $large, $may);\n", "which", which, "m", s->m, "old", s->old,
                "size", spell_number(e, quat ? t->bits : t->bits / 8), "small", spell_number(e, o->field->delta_small),
                "large", spell_number(e, o->field->delta_large), "may", may_equal, NULL);
    } else if (o->kind == OP_QUANTIZED)
        out_put(e->out, "PKT_STEP_QUANTIZED$wide($m, $old, $range, $steps, $may);\n", "wide", wide(t), "m", s->m, "old", s->old,
                "range", quantized_range(e, t), "steps", steps, "may", may_equal, NULL);
    else if (o->kind == OP_RAW && t->low.negative)
        out_put(e->out, "PKT_STEP_SIGNED($type, $m, $old, $steps, $may);\n", "type", spell_type(e, t), "m", s->m, "old", s->old,
                "steps", steps, "may", may_equal, NULL);
    else
        out_put(e->out, "PKT_STEP_INT($type, $m, $old, $low, $high, $steps, $may);\n", "type", spell_type(e, t), "m", s->m,
                "old", s->old, "low", cname_integer(e->arena, t->low, t->storage),
                "high", cname_integer(e->arena, t->high, t->storage), "steps", steps, "may", may_equal, NULL);
    if (s->optional) emit_refusal(k, o, s);
}

static bool is_compound(const op *o)
{
    return is_array(o) || o->kind == OP_STRUCT || o->kind == OP_UNION || o->kind == OP_OPTIONAL;
}

static void emit_item(delta *k, const op *o, spot *s);

/* New elements have base values until they are told otherwise. */
static void emit_new_elements(delta *k, const op *o, const spot *s)
{
    emitter *e = k->e;
    const char *i = arena_printf(e->arena, "i%d", s->depth), *count = spell_access(e, s->at, "", "_count");
    out_put(e->out, "if (in->$count != $old) c->changed = true;\nif (PKT_READING) {\n", "count", count, "old", s->old_size, NULL);
    out_indent(e->out);
    out_put(e->out, "for (uint32_t $i = $old; $i < in->$count; $i++) {\n", "i", i, "old", s->old_size, "count", count, NULL);
    out_indent(e->out);
    emit_base_of_element(e, o->field, "out->", arena_printf(e->arena, "[%s]", i));
    close_brace(e);
    close_brace(e);
}

static void emit_array(delta *k, const op *o, const spot *s)
{
    emitter *e = k->e;
    const char *subset = local_name(k, "subset"), *count = spell_number(e, o->count);
    if (o->kind == OP_COUNTED) {
        emit_steps(e, fuse_head(e->arena, k->t, o, s->at));
        emit_new_elements(k, o, s);
        count = arena_printf(e->arena, "in->%s", spell_access(e, s->at, "", "_count"));
    }
    out_put(e->out, "pkt_subset $subset;\n"
                    "if (!pkt_elements_begin(mode, c, &$subset, $elements, $count, \"$m\")) return false;\n"
                    "while (pkt_elements_next(mode, c, &$subset)) {\n",
            "subset", subset, "elements", s->elements, "count", count, "m", s->m, NULL);
    open_scope(k);
    out_put(e->out, "const uint32_t $i = $subset.index;\n", "i", arena_printf(e->arena, "i%d", s->depth), "subset", subset, NULL);
    spot element = spot_of_element(k, o, s);
    emit_item(k, o->body, &element);
    if (!is_compound(o->body)) out_put(e->out, "c->changed = true;\n", NULL);
    close_scope(k);
    out_put(e->out, "}\nif (!$subset.whole) return false;\n", "subset", subset, NULL);
}

static void emit_value(delta *k, const op *o, const spot *s)
{
    emitter *e = k->e;
    switch (o->kind) {
    case OP_BOOL:
        if (s->optional) emit_full(k, o, s);
        else out_put(e->out, "PKT_FLIP($m, $old);\n", "m", s->m, "old", s->old, NULL);
        break;
    case OP_RAW:
    case OP_BIASED:
    case OP_QUANTIZED:
    case OP_QUAT:
    case OP_COMPACT:
        if (o->field->has_delta) emit_step(k, o, s);
        else emit_full(k, o, s);
        break;
    case OP_ENUM:
    case OP_FLOAT:
    case OP_UNIT:
    case OP_STRING:
    case OP_BYTES:
    case OP_AFTER:
    case OP_REF:
    case OP_UNLESS:
        emit_full(k, o, s);
        break;
    case OP_STRUCT:
    case OP_UNION:
        out_put(e->out, "PKT_DELTA($type, $m, $old);\n", "type", spell_decl(e, o->of->decl), "m", s->m, "old", s->old, NULL);
        break;
    case OP_ARRAY:
    case OP_COUNTED:
        emit_array(k, o, s);
        break;
    case OP_CONSTANT:
    case OP_ALIGN:
    case OP_SPARSE:
    case OP_OPTIONAL:
    case OP_IF:
    case OP_SWITCH:
        assert(!"no value that is supported");
        break;
    }
}

/* A field or element that is named as changed: refused where it turns out not to be. */
static void emit_item(delta *k, const op *o, spot *s)
{
    emitter *e = k->e;
    bool compound = is_compound(o);
    if (compound || (o->kind != OP_BOOL && !o->field->has_delta)) {
        s->start = local_name(k, "start");
        out_put(e->out, "const uint64_t $start = c->bit;\n", "start", s->start, NULL);
    }
    if (is_array(o) && s->elements == NULL) emit_elements(k, o, s, NULL);
    if (compound) out_put(e->out, "c->changed = false;\n", NULL);
    emit_value(k, o, s);
    if (compound) out_put(e->out, "PKT_MUST_CHANGE($start, \"$m\");\n", "start", s->start, "m", s->m, NULL);
}

static void emit_optional(delta *k, const op *o, const char *from, const spot *array)
{
    emitter *e = k->e;
    const char *name = o->field->name, *start = local_name(k, "start");
    const op *body = o->body;
    const char *missing = arena_printf(e->arena, "!%s->has_%s", from, name);
    out_put(e->out, "const uint64_t $start = c->bit;\n", "start", start, NULL);
    emit_steps(e, fuse_head(e->arena, k->t, o, in_field(k, o->field)));
    out_put(e->out, "c->changed = in->has_$name != $from->has_$name;\nif (in->has_$name) {\n", "name", name, "from", from, NULL);
    out_indent(e->out);
    spot s = array != NULL ? *array : spot_of_field(k, body, from, missing);
    s.optional = true;
    s.start = start;
    if (array != NULL) {
        out_put(e->out, "if (PKT_READING && $missing) {\n", "missing", missing, NULL);
        out_indent(e->out);
        emit_base_of_value(e, o->field, "out->", HELD_VALUE);
        close_brace(e);
    }
    emit_value(k, body, &s);
    out_dedent(e->out);
    out_put(e->out, "} else if (PKT_READING) {\n", NULL);
    out_indent(e->out);
    emit_base_of_value(e, o->field, "out->", HELD_VALUE);
    close_brace(e);
    out_put(e->out, "PKT_MUST_CHANGE($start, \"$name\");\n", "start", start, "name", name, NULL);
}

/* ---- blocks */

/* `took`: a condition under which the baseline has the fields of a list, NULL for always. Declares a baseline for them that
 * has base values where it does not. */
static const char *emit_from(delta *k, const op *o, bool list, const char *took)
{
    emitter *e = k->e;
    const char *blank = list ? local_name(k, "blank") : local_of(k, o, "blank");
    const char *from = list ? local_name(k, "from") : local_of(k, o, "from");
    const char *in_blank = arena_printf(e->arena, "%s.", blank);
    out_put(e->out, "$type $blank;\nconst $type *$from = base;\nif (!($took)) {\n", "type", k->name, "blank", blank, "from", from,
            "took", took, NULL);
    out_indent(e->out);
    out_put(e->out, "memset(&$blank, 0, sizeof $blank);\n", "blank", blank, NULL);
    if (list) emit_base_of_ops(e, o, in_blank, HELD_ZERO);
    else emit_base_of_value(e, o->field, in_blank, HELD_ZERO);
    out_put(e->out, "$from = &$blank;\n", "blank", blank, "from", from, NULL);
    if (list) emit_not_taken(e, o);
    close_brace(e);
    return from;
}

/* A side of a branch that was taken. */
static void emit_side(delta *k, const op *o, const char *took)
{
    emitter *e = k->e;
    if (mask_bits(o) != 0) {
        emit_block(k, o, emit_from(k, o, true, took), took);
        return;
    }
    if (has_fields(o)) {
        out_put(e->out, "if (!$took) {\n", "took", took, NULL);
        out_indent(e->out);
        emit_not_taken(e, o);
        close_brace(e);
    }
    emit_block(k, o, "base", took);
}

static const char *declare_took(delta *k, const char *outer, const char *condition)
{
    const char *took = local_name(k, "took");
    out_put(k->e->out, outer != NULL ? "const bool $took = $outer && $condition;\n" : "const bool $took = $condition;\n",
            "took", took, "outer", outer, "condition", condition, NULL);
    return took;
}

static void emit_if(delta *k, const op *o, const char *took)
{
    emitter *e = k->e;
    const expr *x = o->item->as.branch.condition;
    const char *in_base = arena_printf(e->arena, "(%s)", spell_condition(e, x, "base->"));
    out_put(e->out, "if ($condition) {\n", "condition", spell_condition(e, x, "in->"), NULL);
    open_scope(k);
    emit_not_taken(e, o->other);
    if (has_fields(o->body)) emit_side(k, o->body, declare_took(k, took, in_base));
    else emit_side(k, o->body, NULL);
    close_scope(k);
    if (o->other != NULL || has_fields(o->body)) {
        out_put(e->out, "} else {\n", NULL);
        open_scope(k);
        emit_not_taken(e, o->body);
        if (has_fields(o->other)) emit_side(k, o->other, declare_took(k, took, arena_printf(e->arena, "!%s", in_base)));
        else emit_side(k, o->other, NULL);
        close_scope(k);
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
    const char *taken = local_name(k, "arm");
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
        out_put(e->out, "$labels\n    $arm = $n;\n    break;\n", "labels", spell_labels(e, a->arm, "base->"), "arm", taken,
                "n", arena_printf(e->arena, "%d", ++n), NULL);
    }
    out_put(e->out, has_default ? "}\n" : "default:\n    break;\n}\n", NULL);
    if (took != NULL) close_brace(e);
    return taken;
}

static void emit_switch(delta *k, const op *o, const char *took)
{
    emitter *e = k->e;
    bool has_default = false;
    int n = 0;
    bool any = false;
    for (const op_arm *a = o->arms; a != NULL; a = a->next) any |= has_fields(a->body);
    out_put(e->out, "{\n", NULL);
    open_scope(k);
    const char *taken = any ? emit_arm_of_base(k, o, took) : NULL;
    out_put(e->out, "switch ($subject) {\n", "subject", spell_subject(e, o, "in->"), NULL);
    for (const op_arm *a = o->arms; a != NULL; a = a->next) {
        has_default |= a->arm->is_default;
        n++;
        out_put(e->out, "$labels {\n", "labels", spell_labels(e, a->arm, "in->"), NULL);
        open_scope(k);
        for (const op_arm *other = o->arms; other != NULL; other = other->next)
            if (other != a) emit_not_taken(e, other->body);
        emit_side(k, a->body, has_fields(a->body) ? declare_took(k, NULL, arena_printf(e->arena, "%s == %d", taken, n)) : NULL);
        out_put(e->out, "break;\n", NULL);
        close_scope(k);
        out_put(e->out, "}\n", NULL);
    }
    if (!has_default) {
        out_put(e->out, "default:\n", NULL);
        out_indent(e->out);
        for (const op_arm *other = o->arms; other != NULL; other = other->next) emit_not_taken(e, other->body);
        out_put(e->out, "break;\n", NULL);
        out_dedent(e->out);
    }
    out_put(e->out, "}\n", NULL);
    close_scope(k);
    out_put(e->out, "}\n", NULL);
}

typedef struct bit {            /* of a change mask */
    const char *mask;           /* the local with its word */
    unsigned shift;
    spot array;                 /* of an array, with its elements compared */
} bit;

/* Whether a field differs; arrays are compared before, into a bitmap that is used again when they are written. */
static const char *emit_field_differs(delta *k, const op *o, const char *from, bit *b)
{
    emitter *e = k->e;
    const op *body = without_presence(o);
    bool optional = o->kind == OP_OPTIONAL;
    const char *name = o->field->name, *text;
    const char *has = arena_printf(e->arena, "in->has_%s", name), *had = arena_printf(e->arena, "%s->has_%s", from, name);
    if (is_array(body)) {
        b->array = spot_of_field(k, body, optional ? emit_from(k, o, false, had) : from, NULL);
        emit_elements(k, body, &b->array, optional ? has : NULL);
        text = array_differs(k, body, &b->array);
    } else {
        spot s = spot_of_field(k, body, from, NULL);
        text = differs(k, body, &s);
    }
    return optional ? arena_printf(e->arena, "%s != %s || (%s && (%s))", has, had, has, text) : text;
}

/* ---- neighbours that may have changed */

/* Whether a field can be one of a row: it has a line PKT_CHANGED_... */
static bool goes_in_a_row(const op *o)
{
    if (o->field == NULL || o->field->has_delta) return false;
    switch (o->kind) {
    case OP_BOOL:
        return true;
    case OP_RAW:
        return o->bits <= WORD_BITS;
    case OP_BIASED:
        return o->bits != 0 && storage_bits(o->type->storage) < 64;
    case OP_ENUM:
        return o->bits != 0 && storage_bits(o->type->storage) < 64 && !op_has_gaps(o);
    case OP_FLOAT:
    case OP_QUANTIZED:
        return o->type->storage == STORAGE_FLOAT;
    case OP_QUAT:
    case OP_UNIT:
    case OP_REF:
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
    case OP_CONSTANT:
    case OP_ALIGN:
    case OP_IF:
    case OP_SWITCH:
        break;
    }
    return false;
}

/* How many fields from here on go in one row; 0 where a single one would. */
static unsigned row_length(const op *o)
{
    unsigned count = 0, bits = 0, sent = 0;
    for (; o != NULL && goes_in_a_row(o); o = o->next) {
        unsigned width = o->kind == OP_BOOL ? 0 : o->bits;
        if (bits + width > WORD_BITS) break;
        bits += width;
        sent += width != 0;
        count++;
    }
    return sent < 2 ? 0 : count;
}

/* How many of so many fields have their bits in the word of a mask in which the first one is at `shift`. */
static unsigned in_one_mask(unsigned shift, unsigned count)
{
    return shift + count > 64 ? 64 - shift : count;
}

/* How many quantized floats from here on, of `most` fields, are one operation: 4, 3 or 1. */
static unsigned together(const op *o, unsigned most)
{
    unsigned count = 0;
    for (; o != NULL && count < most && count < 4 && goes_in_a_row(o) && o->kind == OP_QUANTIZED; o = o->next) count++;
    return count < 3 ? 1 : count;
}

/* What each of them says, a line: "x, base->x, -8.0f, 8.0f, 1600"; with its bits, where it is written. */
static void put_quantized(delta *k, const op *o, const char *from, unsigned count, bool written)
{
    const emitter *e = k->e;
    for (unsigned i = 0; i < count; i++, o = o->next) {
        const spot s = spot_of_field(k, o, from, NULL);
        const char *each = arena_printf(e->arena, written ? "%s, %s, %s, %u" : "%s, %s, %s", s.m, s.old,
                                        quantized_range(e, o->type), o->bits);
        out_put(e->out, i == 0 ? "$each,\n" : "                       $each,\n", "each", each, NULL);
    }
}

static void emit_in_row(delta *k, const op *o, const char *from, const bit *b)
{
    emitter *e = k->e;
    const type *t = o->type;
    const spot s = spot_of_field(k, o, from, NULL);
    const char *range = "", *kind = "", *c_type = "";
    switch (o->kind) {
    case OP_BOOL:
        kind = "BOOL";
        break;
    case OP_RAW:
        kind = t->low.negative ? "SIGNED" : "BITS";
        c_type = spell_type(e, t);
        range = arena_printf(e->arena, "%u, ", o->bits);
        break;
    case OP_BIASED:
    case OP_ENUM:
        kind = "INT";
        c_type = o->kind == OP_ENUM ? spell_decl(e, t->decl) : cname_storage(t->storage);
        range = arena_printf(e->arena, "%s, %s, %u, ", cname_integer(e->arena, t->low, t->storage),
                             cname_integer(e->arena, t->high, t->storage), o->bits);
        break;
    case OP_FLOAT:
        kind = "FLOAT";
        break;
    case OP_QUANTIZED:
        kind = "QUANTIZED";
        range = arena_printf(e->arena, "%s, %u, ", quantized_range(e, t), o->bits);
        break;
    default:
        assert(!"not one of a row");
    }
    out_put(e->out, "PKT_CHANGED_$kind($type$comma$m, $old, $range$mask >> $shift);\n", "kind", kind, "type", c_type,
            "comma", c_type[0] != 0 ? ", " : "", "m", s.m, "old", s.old, "range", range, "mask", b->mask,
            "shift", spell_number(e, b->shift), NULL);
}

static void emit_row(delta *k, const op *o, const char *from, const bit *bits, unsigned count)
{
    const emitter *e = k->e;
    unsigned here;
    out_put(e->out, "PKT_CHANGED_RUN();\n", NULL);
    for (unsigned i = 0; i < count; i += here) {
        here = together(o, in_one_mask(bits[i].shift, count - i));
        if (here == 1) {
            emit_in_row(k, o, from, &bits[i]);
        } else {
            out_put(e->out, "PKT_CHANGED_QUANTIZED$count(", "count", spell_number(e, here), NULL);
            put_quantized(k, o, from, here, true);
            out_put(e->out, "                       $mask >> $shift);\n", "mask", bits[i].mask, "shift", spell_number(e, bits[i].shift), NULL);
        }
        for (unsigned j = 0; j < here; j++) o = o->next;
    }
    out_put(e->out, "PKT_CHANGED_END();\n", NULL);
}

/* The fields' bits of the masks. texts: whether each differs. */
static void emit_comparisons(delta *k, const op *o, const char *from, const bit *bits, const char *const *texts, unsigned count)
{
    const emitter *e = k->e;
    unsigned here;
    for (unsigned n = 0; n < count; o = o->next) {
        if (!has_mask_bit(o)) continue;
        here = together(o, in_one_mask(bits[n].shift, count - n));
        if (here == 1) {
            out_put(e->out, "$mask |= (uint64_t)($differs) << $shift;\n", "mask", bits[n].mask, "differs", texts[n],
                    "shift", spell_number(e, bits[n].shift), NULL);
        } else {
            out_put(e->out, "PKT_COMPARE_QUANTIZED$count(", "count", spell_number(e, here), NULL);
            put_quantized(k, o, from, here, false);
            out_put(e->out, "                       $mask, $shift);\n", "mask", bits[n].mask, "shift", spell_number(e, bits[n].shift), NULL);
        }
        for (unsigned j = 1; j < here; j++) o = o->next;
        n += here;
    }
}

/* The mask of a block that has one: bits in the order of its fields. */
static void emit_mask(delta *k, const op *o, const char *from, bit *bits, unsigned count)
{
    emitter *e = k->e;
    const char **texts = ARENA_ARRAY(e->arena, const char *, count);
    unsigned n = 0;
    for (const op *i = o; i != NULL; i = i->next)
        if (has_mask_bit(i)) {
            texts[n] = emit_field_differs(k, i, from, &bits[n]);
            n++;
        }
    for (n = 0; n < count; n++) {
        const char *what = n == 0 ? "changed" : arena_printf(e->arena, "changed_%u_", n);
        bits[n].mask = n % 64 == 0 ? local_name(k, what) : bits[n - 1].mask;
        bits[n].shift = n % 64;
        if (bits[n].shift == 0) out_put(e->out, "uint64_t $mask = 0;\n", "mask", bits[n].mask, NULL);
    }
    out_put(e->out, "if (!PKT_READING) {\n", NULL);
    out_indent(e->out);
    emit_comparisons(k, o, from, bits, texts, count);
    close_brace(e);
    for (n = 0; n < count; n += 64) {
        unsigned here = count - n < 64 ? count - n : 64;
        out_put(e->out, "PKT_CHANGES($mask, $bits, $rest);\n", "mask", bits[n].mask, "bits", spell_number(e, here),
                "rest", spell_number(e, count - n - here), NULL);
    }
}

static void emit_changed(delta *k, const op *o, const char *from, bit *b)
{
    emitter *e = k->e;
    const op *body = without_presence(o);
    out_put(e->out, "if (($mask >> $shift & 1) != 0) {\n", "mask", b->mask, "shift", spell_number(e, b->shift), NULL);
    open_scope(k);
    if (o->kind == OP_OPTIONAL) {
        emit_optional(k, o, from, is_array(body) ? &b->array : NULL);
    } else {
        spot s = is_array(o) ? b->array : spot_of_field(k, body, from, NULL);
        emit_item(k, o, &s);
    }
    if (body->kind == OP_AFTER) {
        /* Not sent, but its start may have passed it. */
        close_scope(k);
        out_put(e->out, o->kind == OP_OPTIONAL ? "} else if (in->has_$m) {\n" : "} else {\n", "m", body->field->name, NULL);
        open_scope(k);
        out_put(e->out, "PKT_STILL_AFTER($m, $start);\n", "m", body->field->name, "start", body->field->after->name, NULL);
    }
    close_scope(k);
    out_put(e->out, "}\n", NULL);
}

static void emit_block(delta *k, const op *o, const char *from, const char *took)
{
    emitter *e = k->e;
    unsigned count = mask_bits(o), n = 0, in_row = 0;
    bit *bits = ARENA_ARRAY(e->arena, bit, count + 1);
    if (count != 0) emit_mask(k, o, from, bits, count);
    for (; o != NULL; o = o->next) {
        if (in_row == 0 && (in_row = row_length(o)) != 0) emit_row(k, o, from, &bits[n], in_row);
        if (in_row != 0) {
            in_row--;
            n++;
            continue;
        }
        if (has_mask_bit(o)) emit_changed(k, o, from, &bits[n++]);
        else if (o->kind == OP_IF) emit_if(k, o, took);
        else if (o->kind == OP_SWITCH) emit_switch(k, o, took);
        else emit_steps(e, fuse_value(e->arena, k->t, o, NULL, 0));
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
        out_put(e->out, "$type blank;\n"
                        "const $type *old = base->tag == $tag ? &base->as.$m : PKT_BLANK($type, &blank);\n"
                        "PKT_CHOOSE($type, as.$m, $tag);\n"
                        "PKT_DELTA($type, as.$m, old);\n"
                        "break;\n", "type", c_type, "m", a->member->name, "tag", tag, NULL);
        close_brace(e);
    }
    out_put(e->out, "default:\n    return false;\n}\n", NULL);
}

/* ---- copies of baselines */

/* Whether a C struct holds more than what is on the wire, which a read has to leave alone. */
static bool holds_private(const decl *d)
{
    if (d->as_type != NULL) return true;
    for (const field *f = d->fields; f != NULL; f = f->next) {
        if (f->local) return true;
        if ((f->type.kind == TYPE_STRUCT || f->type.kind == TYPE_UNION) && holds_private(f->type.decl)) return true;
    }
    for (const member *m = d->kind == DECL_UNION ? d->members : NULL; m != NULL; m = m->next)
        if (holds_private(m->type)) return true;
    return false;
}

static void emit_copy_of_field(emitter *e, const field *f)
{
    const char *m = f->name;
    unsigned depth = 0;
    if (f->optional) out_put(e->out, "to->has_$m = from->has_$m;\n", "m", m, NULL);
    if (f->array == ARRAY_COUNTED) out_put(e->out, "to->${m}_count = from->${m}_count;\n", "m", m, NULL);
    if (f->type.kind == TYPE_STRUCT || f->type.kind == TYPE_UNION) {
        for (; f->array != ARRAY_NONE && depth < f->dim_count; depth++) {
            const char *i = arena_printf(e->arena, "i%u", depth);
            out_put(e->out, "for (uint32_t $i = 0; $i < $count; $i++) {\n", "i", i, "count", spell_number(e, f->dims[depth]), NULL);
            out_indent(e->out);
            m = arena_printf(e->arena, "%s[%s]", m, i);
        }
        out_put(e->out, "${type}_copy(&to->$m, &from->$m);\n", "type", spell_decl(e, f->type.decl), "m", m, NULL);
        while (depth-- != 0) close_brace(e);
        return;
    }
    if (f->type.kind == TYPE_BYTES)
        out_put(e->out, f->array == ARRAY_NONE ? "to->${m}_size = from->${m}_size;\n"
                                               : "memcpy(to->${m}_size, from->${m}_size, sizeof to->${m}_size);\n", "m", m, NULL);
    if (f->array != ARRAY_NONE || f->type.kind == TYPE_BYTES || f->type.kind == TYPE_STRING)
        out_put(e->out, "memcpy(to->$m, from->$m, sizeof to->$m);\n", "m", m, NULL);
    else
        out_put(e->out, "to->$m = from->$m;\n", "m", m, NULL);
}

static void emit_copy(emitter *e, const decl *d, const char *name)
{
    out_put(e->out, "static void ${name}_copy($name *to, const $name *from)\n{\n", "name", name, NULL);
    out_indent(e->out);
    if (!holds_private(d)) {
        out_put(e->out, "*to = *from;\n", NULL);
    } else if (d->kind == DECL_UNION) {
        out_put(e->out, "switch (from->tag) {\n", NULL);
        for (const member *m = d->members; m != NULL; m = m->next)
            out_put(e->out, "case $tag:\n"
                            "    if (to->tag != from->tag) memset(&to->as, 0, sizeof to->as);\n"
                            "    ${type}_copy(&to->as.$m, &from->as.$m);\n"
                            "    to->tag = from->tag;\n"
                            "    break;\n",
                    "tag", spell_member(e, d, m), "type", spell_decl(e, m->type), "m", m->name, NULL);
        out_put(e->out, "default:\n    break;\n}\n", NULL);
    } else {
        for (const field *f = d->fields; f != NULL; f = f->next)
            if (!f->local) emit_copy_of_field(e, f);
        if (d->fields == NULL) out_put(e->out, "to->unused = from->unused;\n", NULL);
    }
    close_brace(e);
    out_put(e->out, "\n", NULL);
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
    delta k = { .e = e, .t = t, .name = name };
    if (is_guarded(e, d)) out_put(e->out, "#ifndef PKT_DELTA_OF_$name\n#define PKT_DELTA_OF_$name\n", "name", name, NULL);
    emit_copy(e, d, name);
    out_put(e->out, "/* $name against a baseline: at most $most bits. */\n"
                    "PKT_INLINE bool ${name}_delta(const pkt_mode mode, pkt_cursor *c, const $name *base, const $name *in, $name *out)\n{\n",
            "name", name, "most", spell_number(e, t->delta_most), NULL);
    out_indent(e->out);
    if (t->body == NULL) out_put(e->out, "(void)mode;\n(void)c;\n(void)base;\n(void)in;\n(void)out;\n", NULL);
    else if (d->kind == DECL_UNION) emit_union(&k, t->body);
    else emit_block(&k, t->body, "base", NULL);
    out_put(e->out, "return true;\n", NULL);
    close_brace(e);
    out_put(e->out, "\n", NULL);
    out_put(e->out, "PKT_DEFINE_DELTA($name)\n\n", "name", name, NULL);
    if (is_guarded(e, d)) out_put(e->out, "#endif\n\n", NULL);
}
