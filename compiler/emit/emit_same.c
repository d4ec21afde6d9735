/* emit_same.c - T_same and T_sound: whether a value differs from a baseline, and whether a value can be a baseline.
 * SPDX-License-Identifier: MIT
 *
 * Both are the same walk over the ops of a type. T_equal compares by the table of the type, which takes longer.
 */
#include "emit/leaf_table.h"

typedef enum purpose { SAME, SOUND } purpose;

typedef struct compare {
    emitter *e;
    const wire_type *type;
    purpose purpose;
    const char *base; /* "in_->" or "v_->": the value whose conditions, counts and tags are asked */
} compare;

static void walk_ops(compare *k, const op *o);
static void walk_op(compare *k, const op *o, const char *m, int depth);

/* Whether there is anything to do for an op. T_sound does nothing with values that it would not refuse. */
static bool has_work(const compare *k, const op *o)
{
    return k->purpose == SAME || op_can_be_unsound(o);
}

static void emit_leaf(const compare *k, const op *o, const char *m)
{
    const emitter *e = k->e;
    const leaf_row *row = leaf_row_of(o);
    leaf l = {.op = o, .m = m};
    l.value = arena_printf(e->arena, "%s%s", k->base, m);
    if (o->kind == OP_BYTES) {
        l.size = spell_size_of_bytes(e, o->field, m);
        l.old_size = arena_printf(e->arena, "base_->%s", l.size);
    }
    if (k->purpose == SAME) {
        l.old = arena_printf(e->arena, "base_->%s", m);
        out_put(e->out, "if ($differs) return false;\n", "differs", leaf_text(e, row->differs, &l), NULL);
        if (o->kind == OP_AFTER)
            out_put(e->out, "if (in_->$m <= in_->$start) return false;\n", "m", m, "start", o->field->after->name,
                    NULL);
        return;
    }
    if (row->sound != NULL && has_work(k, o))
        leaf_put(e, row->sound, &l);
}

static void walk_elements(compare *k, const op *o, const char *m, int depth)
{
    static const char *const lines[] = {[SAME] = "if (in_->${m}_count != base_->${m}_count) return false;\n",
                                        [SOUND] = "PKT_SOUND_INT(${m}_count, $low, $high);\n"};
    emitter *e = k->e;
    const char *i = arena_printf(e->arena, "i%d_", depth);
    const char *count = spell_number(e, o->count);
    if (o->kind == OP_COUNTED) {
        out_put(e->out, lines[k->purpose], "m", m, "low", spell_number(e, o->count_low), "high", count, NULL);
        count = arena_printf(e->arena, "%s%s_count", k->base, m);
    }
    if (is_list(o) && k->purpose == SOUND) {
        out_put(e->out, "{\n", NULL);
        out_indent(e->out);
        emit_keys(e, o->field, "keys_");
        out_put(e->out, "if (!pkt_list_sound(&keys_, v_->$m, $count)) return false;\n", "m", m, "count", count, NULL);
        out_close(e->out);
    }
    if (!has_work(k, o->body))
        return;
    out_put(e->out, "for (uint32_t $i = 0; $i < $count; $i++) {\n", "i", i, "count", count, NULL);
    out_indent(e->out);
    walk_op(k, o->body, arena_printf(e->arena, "%s[%s]", m, i), depth + 1);
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

static bool any_work(const compare *k, const op *o)
{
    while (o != NULL && !((o->field != NULL || o->has_fields) && has_work(k, o)))
        o = o->next;
    return o != NULL;
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
        out_dedent(e->out);
        if (o->other->kind == OP_IF && o->other->next == NULL) {
            out_put(e->out, "} else ", NULL);
            walk_sides(k, o->other);
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
    if (o->kind == OP_SWITCH)
        walk_arms(k, o);
    else if (any_work(k, o->body) || any_work(k, o->other))
        walk_sides(k, o);
}

static void walk_union(compare *k, const op *o)
{
    static const char *const lines[] = {
        [SAME] = "return ${type}_same(&in_->as.$m, &base_->as.$m);\n", [SOUND] = "return ${type}_sound(&v_->as.$m);\n"};
    emitter *e = k->e;
    const decl *d = o->of->decl;
    if (!has_work(k, o))
        return;
    if (k->purpose == SAME)
        out_put(e->out, "if (in_->tag != base_->tag) return false;\n", NULL);
    out_put(e->out, "switch (${base}tag) {\n", "base", k->base, NULL);
    for (const op_arm *a = o->arms; a != NULL; a = a->next) {
        const bool work = has_work(k, a->body);
        out_put(e->out, "case $tag:\n", "tag", spell_member(e, d, a->member), NULL);
        out_indent(e->out);
        out_put(e->out, work ? lines[k->purpose] : "return true;\n", "type", spell_decl(e, a->member->type), "m",
                a->member->name, NULL);
        out_dedent(e->out);
    }
    out_put(e->out, "default:\n    return false;\n}\n", NULL);
}

static void walk_op(compare *k, const op *o, const char *m, int depth)
{
    static const char *const lines[] = {[SAME] = "if (!${type}_same(&in_->$m, &base_->$m)) return false;\n",
                                        [SOUND] = "if (!${type}_sound(&v_->$m)) return false;\n"};
    emitter *e = k->e;
    switch (o->kind) {
    case OP_STRUCT:
    case OP_UNION:
    case OP_DELTA:
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
    case OP_OPTIONAL:
        if (k->purpose == SAME)
            out_put(e->out, "if (in_->has_$m != base_->has_$m) return false;\n", "m", m, NULL);
        if (has_work(k, o->body)) {
            open_if(k, arena_printf(e->arena, "%shas_%s", k->base, m));
            walk_op(k, o->body, m, depth);
            close_if(k);
        }
        break;
    case OP_UNLESS: walk_op(k, o->body, m, depth); break;
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
    case OP_OR_RAW:
    case OP_KEY:
    case OP_AFTER: emit_leaf(k, o, m); break;
    case OP_SPARSE: /* deltas have neither */
    case OP_COMPUTED:
    case OP_CONSTANT:
    case OP_ALIGN: break;
    }
}

static bool has_memory(const op *o)
{
    return o->kind != OP_CONSTANT && o->kind != OP_ALIGN;
}

/* T_same first compares neighbours together, as memory, which is all the work for unchanged ones. Returns the op after
 * those, or o itself if that does not pay. */
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
    out_put(
        e->out,
        "if (!pkt_same_row(in_, base_, offsetof($type, $first), offsetof($type, $last) + sizeof in_->$last, $bytes)) {\n",
        "type", spell_decl(e, k->type->decl), "first", o->field->name, "last", last->field->name, "bytes",
        spell_number(e, bytes), NULL);
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

static const char *const heads[] = {[SAME] = "static bool ${name}_same(const $name *in_, const $name *base_)\n{\n",
                                    [SOUND] = "static bool ${name}_sound(const $name *v_)\n{\n"};

static void emit_function(emitter *e, const wire_type *t, purpose of)
{
    compare k = {.e = e, .type = t, .purpose = of, .base = of == SAME ? "in_->" : "v_->"};
    out_put(e->out, heads[of], "name", spell_decl(e, t->decl), NULL);
    out_indent(e->out);
    if (of == SAME && t->decl->kind == DECL_STRUCT && !has_fields(t->body) && !t->decl->key)
        out_put(e->out, "(void)in_;\n(void)base_;\n", NULL);
    walk_ops(&k, t->body);
    if (t->decl->kind == DECL_STRUCT)
        out_put(e->out, "return true;\n", NULL);
    out_dedent(e->out);
    out_put(e->out, "}\n\n", NULL);
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
