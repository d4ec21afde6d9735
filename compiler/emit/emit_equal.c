/* emit_equal.c - T_equal, T_same, T_quantize and T_sound: the same walk over the ops of a type, for two values or for
 * one.
 * SPDX-License-Identifier: MIT
 */
#include "emit/leaf_table.h"
#include "wire/shape.h"

#include <assert.h>

typedef enum purpose { EQUAL, SAME, QUANTIZE, SOUND } purpose;

typedef struct compare {
    emitter *e;
    const wire_type *type;
    purpose purpose;
    const char *base; /* "a_->", "in_->" or "v_->": the value whose conditions, counts and tags are asked */
} compare;

static void walk_ops(compare *k, const op *o);
static void walk_op(compare *k, const op *o, const char *m, int depth);

/* Whether there is anything to do for an op. T_quantize does nothing with values that it would not change, and T_sound
 * nothing with those that it would not refuse. */
static bool has_work(const compare *k, const op *o)
{
    switch (k->purpose) {
    case EQUAL:
    case SAME: return true;
    case QUANTIZE: return op_settles(o);
    case SOUND: break;
    }
    return op_can_be_unsound(o);
}

static void emit_leaf(const compare *k, const op *o, const char *m)
{
    const emitter *e = k->e;
    const leaf_row *row = leaf_row_of(o);
    leaf l = {.op = o, .m = m};
    assert((row->settle != NULL) == op_settles(o));
    l.value = arena_printf(e->arena, "%s%s", k->base, m);
    if (o->kind == OP_BYTES) {
        l.size = spell_size_of_bytes(e, o->field, m);
        l.old_size = arena_printf(e->arena, "base_->%s", l.size);
    }
    if (k->purpose == SAME) {
        l.old = arena_printf(e->arena, "base_->%s", m);
        out_put(e->out, "if ($differs) return false;\n", "differs", leaf_text(e, row->differs, &l), NULL);
        if (o->kind == OP_AFTER)
            out_put(e->out, "PKT_STILL_AFTER($m, $start);\n", "m", m, "start", o->field->after->name, NULL);
        return;
    }
    const char *line = k->purpose == EQUAL ? row->equal : k->purpose == QUANTIZE ? row->settle : row->sound;
    if (line != NULL && has_work(k, o))
        leaf_put(e, line, &l);
}

/* A value with the same code as the usual one is not sent. A reader sees exactly the usual value, even if that is
 * between two steps. */
static void emit_settle_unless(const compare *k, const op *o, const char *m)
{
    const emitter *e = k->e;
    if (!op_settles(o))
        return;
    out_put(e->out, "if (!($differs)) v_->$m = $usual;\nelse ", "differs",
            leaf_unusual(e, o, arena_printf(e->arena, "v_->%s", m)), "m", m, "usual",
            spell_value(e, o->type, &o->field->unless), NULL);
    emit_leaf(k, o, m);
}

static void walk_elements(compare *k, const op *o, const char *m, int depth)
{
    static const char *const lines[] = {[EQUAL] = "PKT_SAME_INT(${m}_count, $low, $high);\n",
                                        [SAME] = "if (in_->${m}_count != base_->${m}_count) return false;\n",
                                        [QUANTIZE] = "",
                                        [SOUND] = "PKT_SOUND_INT(${m}_count, $low, $high);\n"};
    emitter *e = k->e;
    const char *i = arena_printf(e->arena, "i%d_", depth);
    const char *count = spell_number(e, o->count);
    if (o->kind == OP_COUNTED) {
        out_put(e->out, lines[k->purpose], "m", m, "low", spell_number(e, o->count_low), "high", count, NULL);
        count = arena_printf(e->arena, "%s%s_count", k->base, m);
    }
    if (!has_work(k, o->body))
        return;
    if (o->kind == OP_COUNTED && k->purpose == QUANTIZE)
        out_put(e->out, "for (uint32_t $i = 0; $i < $count && $i < $max; $i++) {\n", "i", i, "count", count, "max",
                spell_number(e, o->count), NULL);
    else
        out_put(e->out, "for (uint32_t $i = 0; $i < $count; $i++) {\n", "i", i, "count", count, NULL);
    out_indent(e->out);
    walk_op(k, o->body, arena_printf(e->arena, "%s[%s]", m, i), depth + 1);
    out_close(e->out);
}

/* Walks the present elements. A reader gives the others their base values, or keeps what it has. */
static void walk_sparse(compare *k, const op *o, const char *m, int depth)
{
    emitter *e = k->e;
    const field *f = o->field;
    const char *i = arena_printf(e->arena, "i%d_", depth), *element = arena_printf(e->arena, "%s[%s]", m, i);
    const char *n = spell_number(e, o->count);
    bool settle = k->purpose == QUANTIZE;
    if (!settle)
        out_put(e->out, "PKT_SAME_SUBSET($m, $n, $limit);\n", "m", m, "n", n, "limit", spell_number(e, o->span), NULL);
    if (settle && !f->keep) {
        out_put(e->out,
                "for (uint32_t $i = 0; $i < $n; $i++) {\n    if (!pkt_present_has(v_->${m}_present, $n, $i)) {\n", "i",
                i, "n", n, "m", m, NULL);
        out_indent(e->out);
        out_indent(e->out);
        emit_base_of_element(e, f, "v_->", arena_printf(e->arena, "[%s]", i));
        out_dedent(e->out);
        out_dedent(e->out);
        out_put(e->out, "    }\n}\n", NULL);
    }
    if (!has_work(k, o->body))
        return;
    out_put(e->out, "PKT_EACH_PRESENT($i, $base${m}_present, $n) {\n", "i", i, "base", k->base, "m", m, "n", n, NULL);
    out_indent(e->out);
    walk_op(k, o->body, element, depth + 1);
    out_close(e->out);
}

static void open_if(compare *k, const char *condition)
{
    out_put(k->e->out, "if ($condition) {\n", "condition", condition, NULL);
    out_indent(k->e->out);
}

static void close_if(compare *k)
{
    out_close(k->e->out);
}

static void walk_optional(compare *k, const op *o, const char *m, int depth)
{
    out *to = k->e->out;
    const bool work = has_work(k, o->body);
    if (work) {
        open_if(k, arena_printf(k->e->arena, "%shas_%s", k->base, m));
        walk_op(k, o->body, m, depth);
    }
    if (k->purpose == QUANTIZE) { /* as a reader will see it */
        if (work)
            out_dedent(to);
        out_put(to, work ? "} else {\n" : "if (!${base}has_$m) {\n", "base", k->base, "m", m, NULL);
        out_indent(to);
        emit_base_of_value(k->e, o->field, "v_->", HELD_ANYTHING);
    }
    if (work || k->purpose == QUANTIZE)
        close_if(k);
}

static bool any_work(const compare *k, const op *o)
{
    while (o != NULL && !((o->field != NULL || o->has_fields) && has_work(k, o)))
        o = o->next;
    return o != NULL;
}

/* The if that a side consists of, so that it can follow `else`; or NULL. */
static const op *only_if(const compare *k, const op *side)
{
    const bool clears = k->purpose == QUANTIZE && side->has_fields; /* what is on its sides, before it */
    return side->kind == OP_IF && side->next == NULL && !clears ? side : NULL;
}

/* An if where at least one side has work. */
static void walk_sides(compare *k, const op *o)
{
    emitter *e = k->e;
    const bool body = any_work(k, o->body);
    const char *condition = spell_branch_condition(e, o, k->base);
    open_if(k, body ? condition : arena_printf(e->arena, "!(%s)", condition));
    walk_ops(k, body ? o->body : o->other);
    if (body && any_work(k, o->other)) {
        const op *next = only_if(k, o->other);
        out_dedent(e->out);
        if (next != NULL) {
            out_put(e->out, "} else ", NULL);
            walk_sides(k, next);
            return;
        }
        out_put(e->out, "} else {\n", NULL);
        out_indent(e->out);
        walk_ops(k, o->other);
    }
    close_if(k);
}

/* Arms without work are left to `default`, where that has none either. */
static void walk_arms(compare *k, const op *o)
{
    emitter *e = k->e;
    bool any = false, by_default = false;
    for (const op_arm *a = o->arms; a != NULL; a = a->next) {
        any |= any_work(k, a->body);
        by_default |= a->arm->is_default && any_work(k, a->body);
    }
    if (!any)
        return;
    out_put(e->out, "switch ($subject) {\n", "subject", spell_subject(e, o, k->base), NULL);
    for (const op_arm *a = o->arms; a != NULL; a = a->next) {
        if (!any_work(k, a->body) && !by_default)
            continue;
        out_put(e->out, "$labels\n", "labels", spell_labels(e, a->arm, k->base), NULL);
        out_indent(e->out);
        walk_ops(k, a->body);
        out_put(e->out, "break;\n", NULL);
        out_dedent(e->out);
    }
    out_put(e->out, by_default ? "}\n" : "default:\n    break;\n}\n", NULL);
}

static void walk_branch(compare *k, const op *o)
{
    emitter *e = k->e;
    /* What a reader will see of the sides that are not taken. */
    if (k->purpose == QUANTIZE && o->has_fields)
        emit_clear(e, k->type, o, "v_", spell_side(e, k->type, o, "v_"));
    if (o->kind == OP_SWITCH)
        walk_arms(k, o);
    else if (any_work(k, o->body) || any_work(k, o->other))
        walk_sides(k, o);
}

static void walk_union(compare *k, const op *o)
{
    static const char *const lines[] = {[EQUAL] = "return ${type}_equal(&a_->as.$m, &b_->as.$m);\n",
                                        [SAME] = "return ${type}_same(&in_->as.$m, &base_->as.$m);\n",
                                        [QUANTIZE] = "${type}_quantize(&v_->as.$m);\nbreak;\n",
                                        [SOUND] = "return ${type}_sound(&v_->as.$m);\n"};
    emitter *e = k->e;
    const decl *d = o->of->decl;
    if (!has_work(k, o))
        return;
    if (k->purpose == EQUAL)
        out_put(e->out, "PKT_SAME(tag);\n", NULL);
    if (k->purpose == SAME)
        out_put(e->out, "if (in_->tag != base_->tag) return false;\n", NULL);
    out_put(e->out, "switch (${base}tag) {\n", "base", k->base, NULL);
    for (const op_arm *a = o->arms; a != NULL; a = a->next) {
        const bool work = has_work(k, a->body);
        if (!work && k->purpose == QUANTIZE)
            continue;
        out_put(e->out, "case $tag:\n", "tag", spell_member(e, d, a->member), NULL);
        out_indent(e->out);
        out_put(e->out, work ? lines[k->purpose] : "return true;\n", "type", spell_decl(e, a->member->type), "m",
                a->member->name, NULL);
        out_dedent(e->out);
    }
    out_put(e->out, k->purpose == QUANTIZE ? "default:\n    break;\n}\n" : "default:\n    return false;\n}\n", NULL);
}

static void walk_op(compare *k, const op *o, const char *m, int depth)
{
    static const char *const lines[] = {[EQUAL] = "if (!${type}_equal(&a_->$m, &b_->$m)) return false;\n",
                                        [SAME] = "if (!${type}_same(&in_->$m, &base_->$m)) return false;\n",
                                        [QUANTIZE] = "${type}_quantize(&v_->$m);\n",
                                        [SOUND] = "if (!${type}_sound(&v_->$m)) return false;\n"};
    emitter *e = k->e;
    switch (o->kind) {
    case OP_STRUCT:
    case OP_UNION:
        if (m == NULL) {
            walk_union(k, o);
            break;
        }
        if (!has_work(k, o))
            break;
        out_put(e->out, lines[k->purpose], "type", spell_decl(e, o->of->decl), "m", m, NULL);
        break;
    case OP_ARRAY:
    case OP_COUNTED: walk_elements(k, o, m, depth); break;
    case OP_SPARSE: walk_sparse(k, o, m, depth); break;
    case OP_OPTIONAL:
        if (k->purpose == EQUAL)
            out_put(e->out, "PKT_SAME(has_$m);\n", "m", m, NULL);
        if (k->purpose == SAME)
            out_put(e->out, "if (in_->has_$m != base_->has_$m) return false;\n", "m", m, NULL);
        walk_optional(k, o, m, depth);
        break;
    case OP_UNLESS:
        if (k->purpose == QUANTIZE)
            emit_settle_unless(k, o->body, m);
        else
            walk_op(k, o->body, m, depth);
        break;
    case OP_IF:
    case OP_SWITCH: walk_branch(k, o); break;
    case OP_BOOL:
    case OP_RAW:
    case OP_BIASED:
    case OP_ENUM:
    case OP_FLOAT:
    case OP_QUANTIZED:
    case OP_QUAT:
    case OP_UNIT:
    case OP_REF:
    case OP_STRING:
    case OP_BYTES:
    case OP_COMPACT:
    case OP_AFTER: emit_leaf(k, o, m); break;
    case OP_CONSTANT:
    case OP_ALIGN: break;
    }
}

static bool has_memory(const op *o)
{
    return o->kind != OP_CONSTANT && o->kind != OP_ALIGN;
}

/* T_same first compares neighbours together, as memory: nothing else is done with what has not changed. Returns the op
 * after those, or o itself if one is not worth it. */
static const op *walk_row(compare *k, const op *o)
{
    const emitter *e = k->e;
    const op *end = o, *last = NULL;
    uint64_t bytes = 0;
    unsigned count = 0;
    for (; end != NULL && (op_plain_bytes(end) != 0 || !has_memory(end)); end = end->next) {
        if (!has_memory(end))
            continue;
        bytes += op_plain_bytes(end);
        last = end;
        count++;
    }
    if (k->type->decl->as_type != NULL || bytes < 8 || (count < 2 && o->kind != OP_ARRAY && o->kind != OP_STRUCT))
        return o;
    out_put(e->out, "if (!PKT_SAME_ROW($type, $first, $last, $bytes)) {\n", "type", spell_decl(e, k->type->decl),
            "first", o->field->name, "last", last->field->name, "bytes", spell_number(e, bytes), NULL);
    out_indent(e->out);
    for (; o != end; o = o->next)
        walk_op(k, o, o->field != NULL ? o->field->name : NULL, 0);
    close_if(k);
    return end;
}

static void walk_ops(compare *k, const op *o)
{
    while (o != NULL) {
        const op *rest = k->purpose == SAME && has_memory(o) ? walk_row(k, o) : o;
        if (rest == o) {
            walk_op(k, o, o->field != NULL ? o->field->name : NULL, 0);
            rest = o->next;
        }
        o = rest;
    }
}

static const char *const heads[] = {[EQUAL] = "${called}bool ${name}_equal(const $name *a_, const $name *b_)\n{\n",
                                    [SAME] = "static bool ${name}_same(const $name *in_, const $name *base_)\n{\n",
                                    [QUANTIZE] = "${called}void ${name}_quantize($name *v_)\n{\n",
                                    [SOUND] = "static bool ${name}_sound(const $name *v_)\n{\n"};

static void emit_function(emitter *e, const wire_type *t, purpose of)
{
    static const char *const bases[] = {[EQUAL] = "a_->", [SAME] = "in_->", [QUANTIZE] = "v_->", [SOUND] = "v_->"};
    compare k = {.e = e, .type = t, .purpose = of, .base = bases[of]};
    out_put(e->out, heads[of], "called", spell_called(t), "name", spell_decl(e, t->decl), NULL);
    out_indent(e->out);
    if (t->decl->kind == DECL_STRUCT && !has_fields(t->body))
        out_put(e->out, of == EQUAL ? "(void)a_;\n(void)b_;\n" : of == SAME ? "(void)in_;\n(void)base_;\n" : "", NULL);
    if (of == QUANTIZE && !t->settles)
        out_put(e->out, "(void)v_;\n", NULL);
    walk_ops(&k, t->body);
    if (of != QUANTIZE && t->decl->kind == DECL_STRUCT)
        out_put(e->out, "return true;\n", NULL);
    out_dedent(e->out);
    out_put(e->out, "}\n\n", NULL);
}

void emit_equal(emitter *e, const wire_type *t)
{
    emit_function(e, t, EQUAL);
    emit_function(e, t, QUANTIZE);
}

void emit_same(emitter *e, const wire_type *t)
{
    emit_function(e, t, SAME);
}

void emit_sound(emitter *e, const wire_type *t)
{
    if (t->can_be_unsound)
        emit_function(e, t, SOUND);
}
