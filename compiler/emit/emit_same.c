/* emit_same.c - T_same, T_sound and T_move_: whether a value differs from a baseline, whether a value can be a baseline, and
 * what a baseline is predicted to become.
 * SPDX-License-Identifier: MIT
 *
 * All are the same walk over the ops of a type. T_equal compares by the table of the type, which takes longer.
 */
#include "emit/leaf_table.h"
#include "model/coding.h"

typedef enum purpose { SAME, SOUND, MOVE } purpose;

typedef struct compare {
    emitter *e;
    const wire_type *type;
    purpose purpose;
    const char *base;   /* "in_->", "v_->" or "base_->": the value whose conditions, counts and tags are asked */
    const char *from;   /* if predictions move something: the pointer to what base_ has moved from, "before_" */
    const char *listed; /* in a list: the pointer to what its element has moved from; else NULL */
} compare;

static void walk_ops(compare *k, const op *o);
static void walk_op(compare *k, const op *o, const char *m, int depth);

/* Whether there is anything to do for an op. T_sound does nothing with values that it would not refuse. */
static bool has_work(const compare *k, const op *o)
{
    switch (k->purpose) {
    case SAME: return true;
    case SOUND: return op_can_be_unsound(o);
    case MOVE: break;
    }
    return op_moves(o);
}

const char *spell_from_element(const emitter *e, const op *array, const char *from, const char *i)
{
    const char *m = array->field->name;
    if (from == NULL || array->kind != OP_COUNTED)
        return from;
    return arena_printf(e->arena, "(%s < PKT_HELD(%s->%s_count, %su, %su) ? %s : base_)", i, from, m,
                        spell_number(e, array->count_low), spell_number(e, array->count), from);
}

void emit_follow(const emitter *e, const op *list, const char *name, const char *old, const char *at, const char *from)
{
    out_put(e->out,
            "const $type *$name = $old;\n"
            "PKT_FOLLOW($name, $at, $from->$m, PKT_HELD($from->${m}_count, 0u, ${most}u), $key, $low);\n",
            "low", spell_key_low(e, list->field->by), "type", spell_decl(e, list->field->type.decl), "name", name,
            "old", old, "at", at, "from", from, "m", list->field->name, "most", spell_number(e, list->count), "key",
            list->field->by->name, NULL);
}

/* "&before_->m". */
static const char *spell_before(const compare *k, const char *m)
{
    return k->listed != NULL ? k->listed : arena_printf(k->e->arena, "&%s->%s", k->from, m);
}

static void emit_moving_leaf(const compare *k, leaf *l)
{
    const emitter *e = k->e;
    l->old = arena_printf(e->arena, "base_->%s", l->m);
    l->before = op_goes(l->op) ? spell_way(e, l->op->field, "k_") : arena_printf(e->arena, "%s->%s", k->from, l->m);
    l->coding = "k_";
    l->code = "step_";
    if (k->purpose == MOVE)
        leaf_put(e, op_goes(l->op) ? "PKT_GO($m, $as, $old, $before);\n" : "PKT_MOVE($m, $as, $old, $before);\n", l);
    else
        out_put(e->out, "if ($differs) return false;\n", "differs", leaf_moves(e, l, ""), NULL);
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
    if (op_moves(o) && k->purpose != SOUND) {
        emit_moving_leaf(k, &l);
        return;
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
                                        [SOUND] = "PKT_SOUND_INT(${m}_count, $low, $high);\n",
                                        [MOVE] = ""};
    emitter *e = k->e;
    const char *i = arena_printf(e->arena, "i%d_", depth), *from = k->from, *listed = k->listed;
    const char *count = spell_number(e, o->count);
    const bool follows = is_list(o) && op_follows(o) && k->purpose != SOUND;
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
    const char *element = arena_printf(e->arena, "%s[%s]", m, i);
    out_put(e->out,
            follows ? "for (uint32_t $i = 0, at_ = 0; $i < $count; $i++) {\n"
                    : "for (uint32_t $i = 0; $i < $count; $i++) {\n",
            "i", i, "count", count, NULL);
    out_indent(e->out);
    if (follows) {
        k->listed = "listed_";
        emit_follow(e, o, k->listed, arena_printf(e->arena, "&base_->%s", element), "at_", from);
    } else if (op_follows(o)) {
        k->from = spell_from_element(e, o, from, i);
    }
    if (k->purpose == MOVE && !op_goes(o) && op_plain_bytes(o->body) != 0 && o->body->kind == OP_STRUCT)
        out_put(e->out, "if (pkt_same_whole(&base_->$m, $before, sizeof base_->$m, $bytes)) continue;\n", "m", element,
                "before", spell_before(k, element), "bytes", spell_number(e, op_plain_bytes(o->body)), NULL);
    walk_op(k, o->body, element, depth + 1);
    out_close(e->out);
    k->from = from;
    k->listed = listed;
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
        if (o->other->kind == OP_IF && o->other->next == NULL && !(op_follows(o->other) && k->purpose != SOUND)) {
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

/* Whether the fields of a branch among these have moved from elsewhere: emit_earlier declares that, and no declaration may
 * follow a label. */
static bool declares_earlier(const compare *k, const op *body)
{
    for (const op *o = body; o && k->purpose != SOUND; o = o->next)
        if ((o->kind == OP_IF || o->kind == OP_SWITCH) && op_moves(o))
            return true;
    return false;
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
        const bool braces = declares_earlier(k, a->body);
        out_put(e->out, braces ? "$labels {\n" : "$labels\n", "labels", spell_labels(e, a->arm, k->base), NULL);
        out_indent(e->out);
        walk_ops(k, a->body);
        out_put(e->out, "break;\n", NULL);
        out_dedent(e->out);
        if (braces)
            out_put(e->out, "}\n", NULL);
    }
    out_put(e->out, by_default ? "}\n" : "default:\n    break;\n}\n", NULL);
}

/* Declares a pointer to what the fields of a branch have moved from: if that has another side, they stay. */
static void emit_earlier(compare *k, const op *o)
{
    const emitter *e = k->e;
    const char *from = k->from;
    k->from = arena_printf(e->arena, "earlier%u_", (unsigned)o->number);
    out_put(e->out, "const $type *const $earlier = ($before) == ($now) ? $from : base_;\n", "type",
            spell_decl(e, k->type->decl), "earlier", k->from, "before", spell_side(e, k->type, o, from), "now",
            spell_side(e, k->type, o, "base_"), "from", from, NULL);
}

static void walk_branch(compare *k, const op *o)
{
    const char *from = k->from;
    if (op_follows(o) && k->purpose != SOUND)
        emit_earlier(k, o);
    if (o->kind == OP_SWITCH)
        walk_arms(k, o);
    else if (any_work(k, o->body) || any_work(k, o->other))
        walk_sides(k, o);
    k->from = from;
}

static void walk_union(compare *k, const op *o)
{
    static const char *const lines[] = {
        [SAME] = "return ${type}_same(${coding}&in_->as.$m, &base_->as.$m$before);\n",
        [SOUND] = "return ${type}_sound(&v_->as.$m);\n",
        [MOVE] = "${follows}${type}_move_(${coding}&base_->as.$m$before, &to_->as.$m);\nbreak;\n"};
    emitter *e = k->e;
    const decl *d = o->of->decl;
    if (!has_work(k, o))
        return;
    if (k->purpose == SAME)
        out_put(e->out, "if (in_->tag != base_->tag) return false;\n", NULL);
    out_put(e->out, "switch (${base}tag) {\n", "base", k->base, NULL);
    for (const op_arm *a = o->arms; a != NULL; a = a->next) {
        const bool work = has_work(k, a->body), moves = op_moves(a->body), follows = op_follows(a->body);
        const char *tag = spell_member(e, d, a->member), *m = a->member->name,
                   *from = k->purpose == SAME || op_goes(a->body) ? "(before_->tag == base_->tag ? before_ : base_)"
                                                                  : "before_";
        if (k->purpose == MOVE && !work)
            continue;
        out_put(e->out, "case $tag:\n", "tag", tag, NULL);
        out_indent(e->out);
        out_put(e->out, work ? lines[k->purpose] : "return true;\n", "type", spell_decl(e, a->member->type), "m", m,
                "coding", moves ? "k_, " : "", "before", follows ? arena_printf(e->arena, ", &%s->as.%s", from, m) : "",
                "follows", op_goes(a->body) ? "" : "if (before_->tag == base_->tag) ", NULL);
        out_dedent(e->out);
    }
    out_put(e->out, k->purpose == MOVE ? "default:\n    break;\n}\n" : "default:\n    return false;\n}\n", NULL);
}

static void walk_op(compare *k, const op *o, const char *m, int depth)
{
    static const char *const lines[] = {[SAME] =
                                            "if (!${type}_same(${coding}&in_->$m, &base_->$m$before)) return false;\n",
                                        [SOUND] = "if (!${type}_sound(&v_->$m)) return false;\n",
                                        [MOVE] = "${type}_move_(${coding}&base_->$m$before, &to_->$m);\n"};
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
        out_put(e->out, lines[k->purpose], "type", spell_decl(e, o->of->decl), "m", m, "coding",
                op_moves(o) ? "k_, " : "", "before",
                op_follows(o) ? arena_printf(e->arena, ", %s", spell_before(k, m)) : "", NULL);
        break;
    case OP_ARRAY:
    case OP_COUNTED: walk_elements(k, o, m, depth); break;
    case OP_OPTIONAL:
        if (k->purpose == SAME)
            out_put(e->out, "if (in_->has_$m != base_->has_$m) return false;\n", "m", m, NULL);
        if (has_work(k, o->body)) {
            const char *from = k->from;
            open_if(k, arena_printf(e->arena, "%shas_%s", k->base, m));
            if (op_follows(o))
                k->from = arena_printf(e->arena, "(%s->has_%s ? %s : base_)", from, m, from);
            walk_op(k, o->body, m, depth);
            close_if(k);
            k->from = from;
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

/* Whether it is a value in which others are. */
static bool op_is_inner(const op *o)
{
    return o->of != NULL || o->body != NULL;
}

/* T_same and T_move_ first compare neighbours together, as memory, which is all the work for unchanged ones. Returns the op after
 * those, or o itself if that does not pay. */
static const op *walk_row(compare *k, const op *o)
{
    const emitter *e = k->e;
    const op *end = o, *last = NULL;
    uint64_t bytes = 0;
    unsigned count = 0;
    const char *goes = "";
    bool moves = false;
    for (; end != NULL && (op_plain_bytes(end) != 0 || !has_memory(end)); end = end->next) {
        if (!has_memory(end))
            continue;
        if (op_goes(end) && (op_is_inner(end) || k->purpose == MOVE))
            break;
        if (op_goes(end))
            goes = arena_printf(e->arena, "%s ||\n    %s != 0", goes, spell_way(e, end->field, "k_"));
        bytes += op_plain_bytes(end);
        last = end;
        moves |= op_follows(end);
        count++;
    }
    if (k->type->decl->as_type != NULL || bytes < 8 || (count < 2 && o->kind != OP_ARRAY && o->kind != OP_STRUCT) ||
        (k->purpose == MOVE && !moves))
        return o;
    const char *row = arena_printf(e->arena, "offsetof(%s, %s), offsetof(%s, %s) + sizeof base_->%s, %s",
                                   spell_decl(e, k->type->decl), o->field->name, spell_decl(e, k->type->decl),
                                   last->field->name, last->field->name, spell_number(e, bytes));
    const char *apart = arena_printf(e->arena, "!pkt_same_row(in_, base_, %s)", row),
               *gone = arena_printf(e->arena, "!pkt_same_row(base_, %s, %s)", k->from, row);
    if (moves)
        apart = arena_printf(e->arena, "%s ||\n    %s", apart, gone);
    open_if(k, k->purpose == MOVE ? gone : arena_printf(e->arena, "%s%s", apart, goes));
    out_dedent(e->out);
    out_indent(e->out);
    for (; o != end; o = o->next)
        walk_op(k, o, o->field != NULL ? o->field->name : NULL, 0);
    close_if(k);
    return end;
}

static void walk_ops(compare *k, const op *o)
{
    while (o != NULL) {
        const op *rest = k->purpose != SOUND && has_memory(o) ? walk_row(k, o) : o;
        if (rest == o) {
            walk_op(k, o, o->field != NULL ? o->field->name : NULL, 0);
            rest = o->next;
        }
        o = rest;
    }
}

static const char *spell_head(purpose of, const wire_type *t)
{
    switch (of) {
    case SAME:
        return t->follows ? "static bool ${name}_same(const pkt_coding *k_, const $name *in_, const $name *base_,\n"
                            "    const $name *before_)\n{\n"
               : t->goes  ? "static bool ${name}_same(const pkt_coding *k_, const $name *in_, const $name *base_)\n{\n"
                          : "static bool ${name}_same(const $name *in_, const $name *base_)\n{\n";
    case SOUND: return "static bool ${name}_sound(const $name *v_)\n{\n";
    case MOVE: break;
    }
    return t->follows
               ? "static inline void ${name}_move_(const pkt_coding *k_, const $name *base_, const $name *before_, $name *to_)\n{\n"
               : "static inline void ${name}_move_(const pkt_coding *k_, const $name *base_, $name *to_)\n{\n";
}

static bool leaf_of_type_moves(const op *o)
{
    if (o->kind == OP_ARRAY || o->kind == OP_COUNTED || o->kind == OP_OPTIONAL)
        return leaf_of_type_moves(o->body);
    if (o->kind == OP_IF || o->kind == OP_SWITCH)
        return op_any_side(o, leaf_of_type_moves);
    return !o->of && op_moves(o);
}

static void emit_function(emitter *e, const wire_type *t, purpose of)
{
    static const char *const asked[] = {[SAME] = "in_->", [SOUND] = "v_->", [MOVE] = "base_->"};
    compare k = {.e = e, .type = t, .purpose = of, .base = asked[of], .from = "before_"};
    out_put(e->out, spell_head(of, t), "name", spell_decl(e, t->decl), NULL);
    out_indent(e->out);
    if (of == SAME && t->decl->kind == DECL_STRUCT && !has_fields(t->body) && !t->decl->key)
        out_put(e->out, "(void)in_;\n(void)base_;\n", NULL);
    if (of == SAME && ops_any(t->body, leaf_of_type_moves))
        out_put(e->out, "pkt_step_codes step_;\n", NULL);
    walk_ops(&k, t->body);
    if (t->decl->kind == DECL_STRUCT && of != MOVE)
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

void emit_move(emitter *e, const wire_type *t)
{
    emit_function(e, t, MOVE);
}

static const op *op_of_field(const op *o, const field *f)
{
    const op *found = NULL;
    for (; o != NULL && !found; o = o->next) {
        if (o->field == f)
            return o;
        if (o->kind == OP_IF || o->kind == OP_SWITCH) {
            found = op_of_field(o->body, f);
            found = found ? found : op_of_field(o->other, f);
            for (const op_arm *a = o->arms; a != NULL && !found; a = a->next)
                found = op_of_field(a->body, f);
        }
    }
    return found;
}

void emit_ways(emitter *e, const wire_type *t)
{
    const char *name = spell_decl(e, t->decl);
    for (const field *f = t->goes ? t->decl->fields : NULL; f != NULL; f = f->next) {
        if (!f->speed || !field_moves(f))
            continue;
        const leaf l = {.op = op_of_field(t->body, f->speed->of)};
        const expr *moves = f->speed->condition;
        out_put(e->out,
                "/* How far $x goes by $speed, in steps. */\n"
                "PKT_INLINE int64_t ${name}_${x}_way_(const pkt_coding *k_, const $name *base_)\n"
                "{\n",
                "x", f->name, "name", name, "speed", f->speed->of->name, NULL);
        if (moves)
            out_put(e->out, "    if (!($moves)) return 0;\n", "moves", spell_condition(e, moves, "base_->"), NULL);
        out_put(e->out,
                "    PKT_WAY($as, base_->$speed, $rest, $factor, $shift);\n"
                "}\n"
                "\n",
                "speed", f->speed->of->name, "as", leaf_text(e, leaf_row_of(l.op)->as, &l), "rest",
                spell_number(e, f->speed->rest), "factor", spell_number(e, f->speed->factor), "shift",
                spell_number(e, f->speed->shift), NULL);
    }
}
