/* emit_delta.c - the delta body of a type, T_delta: spells the plan of wire/delta_plan.h.
 * SPDX-License-Identifier: MIT
 *
 * The lines are those of runtime/pkt_delta.h. In the text, `base` is the baseline. `from` is the baseline as far as a
 * block needs it: where the baseline took another side, it points to a value of base values instead.
 */
#include "emit/leaf_table.h"

#include <assert.h>

typedef struct delta {
    emitter *e;
    const delta_plan *plan;
    const char *name; /* of the type in C */
    int level;        /* of nested scopes: their locals have different names, so that none hides another */
} delta;

/* Where a value is in the two values that are compared, as C text. */
typedef struct spot {
    const delta_value *value;
    const char *m;        /* in `in` and `out`: "bodies[i0]" */
    const char *old;      /* the baseline's, as an expression; of a struct or union its address */
    const char *old_size; /* bytes: their number in the baseline; counted arrays: the number of elements */
    const char *elements; /* arrays: the local bitmap of changed elements; NULL before it is declared */
    const char *start;    /* the local with the first bit of the field or element; NULL before it is declared */
} spot;

/* A block while its lines are emitted. */
typedef struct block_text {
    const delta_block *b;
    const char *from;   /* the baseline, as an expression */
    spot *arrays;       /* by field: an array whose elements are compared */
    const char **codes; /* by field: the variable with the code of a field that is compared together with others */
} block_text;

static void emit_block(delta *k, const delta_block *b, const char *from, const char *took);

/* ---- locals and scopes */

/* The name of a local in the current scope: "start", or "start1" in a nested one. */
static const char *local(const delta *k, const char *what)
{
    return k->level == 0 ? what : arena_printf(k->e->arena, "%s%d", what, k->level);
}

/* The name of a local that belongs to a field: "name_changed". */
static const char *local_of(const delta *k, const op *o, const char *what)
{
    return local(k, arena_printf(k->e->arena, "%s_%s", o->field->name, what));
}

static const char *local_mask(const delta *k, unsigned bit)
{
    const unsigned first = bit - bit % MASK_BITS;
    return local(k, first == 0 ? "changed" : arena_printf(k->e->arena, "changed_%u_", first));
}

static const char *local_index(const delta *k, const delta_value *array)
{
    return arena_printf(k->e->arena, "i%d", array->depth);
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

static void close_brace(emitter *e)
{
    out_dedent(e->out);
    out_put(e->out, "}\n", NULL);
}

static const char *declare_start(delta *k)
{
    const char *start = local(k, "start");
    out_put(k->e->out, "const uint64_t $start = c->bit;\n", "start", start, NULL);
    return start;
}

/* has_it: an expression that says whether the baseline has what `from` stands for. */
static const char *declare_from(delta *k, const char *from, const char *has_it)
{
    out_put(k->e->out, "const $type *$from = $has ? base : PKT_BLANK($type, &blank);\n", "type", k->name, "from", from,
            "has", has_it, NULL);
    return from;
}

static const char *declare_took(delta *k, const char *outer, const char *condition)
{
    const char *took = local(k, "took");
    out_put(k->e->out,
            outer != NULL ? "const bool $took = $outer && $condition;\n" : "const bool $took = $condition;\n", "took",
            took, "outer", outer, "condition", condition, NULL);
    return took;
}

/* ---- where a value is */

static const char *spell_base_of(const emitter *e, const op *o)
{
    const type *t = &o->field->type;
    const value base = base_value(o->field);
    const char *text = spell_value(e, t, &base);
    /* A constant of an enum is an int in C, but not a number in C++. */
    return t->kind == TYPE_ENUM ? arena_printf(e->arena, "(%s)%s", spell_decl(e, t->decl), text) : text;
}

/* A value that the baseline has at `old`. lacking: a condition under which the baseline lacks it; NULL: it never
 * does. If the value that it is then compared with must be made first, it is declared here. */
static spot spot_of(delta *k, const delta_value *v, const char *old, const char *old_size, const char *lacking)
{
    emitter *e = k->e;
    spot s = {.value = v, .m = spell_access(e, v->at, "", ""), .old = old, .old_size = old_size};
    if (v->form == DELTA_OF_TYPE)
        s.old = arena_printf(e->arena, "&%s", old);
    switch (lacking != NULL ? v->lack : LACK_NEVER) {
    case LACK_NEVER: break;
    case LACK_BASE:
        if (v->op->kind == OP_BYTES)
            s.old_size = arena_printf(e->arena, "(%s ? 0u : %s)", lacking, old_size);
        else
            s.old = arena_printf(e->arena, "(%s ? %s : %s)", lacking, spell_base_of(e, v->op), old);
        break;
    case LACK_BLANK: {
        const char *blank = local(k, "blank"), *or_blank = local(k, "old");
        out_put(e->out, "$type $blank;\nconst $type *$name = $lacking ? PKT_BLANK($type, &$blank) : $old;\n", "type",
                spell_decl(e, v->op->of->decl), "blank", blank, "name", or_blank, "lacking", lacking, "old", s.old,
                NULL);
        s.old = or_blank;
        break;
    }
    }
    return s;
}

static spot spot_of_field(delta *k, const delta_value *v, const char *from, const char *lacking)
{
    const emitter *e = k->e;
    const field *f = v->op->field;
    const char *old = arena_printf(e->arena, "%s->%s", from, f->name);
    return spot_of(k, v, old, arena_printf(e->arena, "%s%s", old, f->array == ARRAY_COUNTED ? "_count" : "_size"),
                   lacking);
}

/* The current element of the loop over an array. */
static spot spot_of_element(delta *k, const spot *array)
{
    const emitter *e = k->e;
    const op *o = array->value->op;
    const char *i = local_index(k, array->value), *sizes = array->old_size, *lacking = NULL;
    if (o->kind == OP_COUNTED) {
        lacking = arena_printf(e->arena, "%s >= %s", i, array->old_size);
        sizes = arena_printf(e->arena, "%s_size", array->old);
    }
    return spot_of(k, array->value->inner, arena_printf(e->arena, "%s[%s]", array->old, i),
                   arena_printf(e->arena, "%s[%s]", sizes, i), lacking);
}

static leaf leaf_of(const emitter *e, const spot *s)
{
    const op *o = s->value->op->kind == OP_UNLESS ? s->value->op->body : s->value->op;
    return (leaf){.op = o,
                  .m = s->m,
                  .value = arena_printf(e->arena, "in->%s", s->m),
                  .old = s->old,
                  .size = o->kind == OP_BYTES ? spell_access(e, s->value->at, "", "_size") : NULL,
                  .old_size = s->old_size,
                  .may_equal = s->value->may_equal};
}

/* An expression: does this (non-array) value differ from the baseline's? A baseline can always be written, so a value
 * that cannot be written counts as different. found: the value was just written or read. */
static const char *spell_changed(const emitter *e, const spot *s, bool found)
{
    if (s->value->form == DELTA_OF_TYPE)
        return arena_printf(e->arena, "!%s_equal(&in->%s, %s)", spell_decl(e, s->value->op->of->decl), s->m, s->old);
    const leaf l = leaf_of(e, s);
    const leaf_row *row = leaf_row_of(l.op);
    return leaf_text(e, found && row->found != NULL ? row->found : row->differs, &l);
}

/* ---- comparing the elements of an array */

static const char *spell_count(const delta *k, const delta_value *array)
{
    if (array->op->kind == OP_COUNTED)
        return arena_printf(k->e->arena, "in->%s", spell_access(k->e, array->at, "", "_count"));
    return spell_number(k->e, array->op->count);
}

/* Sets a bit for each element that has changed: `bit` of `word`, or the bit of the loop that is opened here. */
static void emit_comparison(delta *k, const spot *array, const char *word, const char *bit)
{
    emitter *e = k->e;
    const delta_value *v = array->value;
    const char *i = local_index(k, v), *counted = "";
    if (v->op->kind == OP_COUNTED)
        counted = arena_printf(e->arena, " && %s < %s", i, spell_count(k, v));
    out_put(e->out, "for (uint32_t $i = 0; $i < $count$counted; $i++) {\n", "i", i, "count",
            spell_number(e, v->op->count), "counted", counted, NULL);
    open_scope(k);
    spot element = spot_of_element(k, array);
    if (bit == NULL) {
        word = arena_printf(e->arena, "%s[%s / 64]", array->elements, i);
        bit = arena_printf(e->arena, "%s %% 64", i);
    }
    if (v->inner->form == DELTA_ARRAY)
        emit_comparison(k, &element, word, bit);
    else
        out_put(e->out, "$word |= (uint64_t)($differs) << $bit;\n", "word", word, "differs",
                spell_changed(e, &element, false), "bit", bit, NULL);
    close_scope(k);
    out_put(e->out, "}\n", NULL);
}

static const char *spell_words_of(const emitter *e, const op *array)
{
    return spell_number(e, (array->count + 63) / 64);
}

/* Declares the bitmap of the elements that have changed; when reading it is empty. present: a condition under which
 * there are elements, or NULL. */
static void emit_elements(delta *k, spot *array, const char *present)
{
    emitter *e = k->e;
    array->elements = local_of(k, array->value->op, "changed");
    out_put(e->out, "uint64_t $elements[$words] = { 0 };\n", "elements", array->elements, "words",
            spell_words_of(e, array->value->op), NULL);
    out_put(e->out, present != NULL ? "if (!PKT_READING && $present) {\n" : "if (!PKT_READING) {\n", "present", present,
            NULL);
    out_indent(e->out);
    emit_comparison(k, array, NULL, NULL);
    close_brace(e);
}

static const char *spell_array_changed(const delta *k, const spot *array)
{
    const emitter *e = k->e;
    const delta_value *v = array->value;
    const char *any = arena_printf(e->arena, "pkt_any(%s, %s)", array->elements, spell_words_of(e, v->op));
    if (v->op->kind != OP_COUNTED)
        return any;
    return arena_printf(e->arena, "%s != %s || %s", spell_count(k, v), array->old_size, any);
}

/* ---- what follows a set bit of the mask */

static void emit_value(delta *k, const spot *s);

static void emit_refusal(delta *k, const spot *s)
{
    emitter *e = k->e;
    const char *differs = spell_changed(e, s, true);
    if (s->value->may_equal)
        out_put(e->out, "if ($differs) c->changed = true;\n", "differs", differs, NULL);
    else
        out_put(e->out, "PKT_MUST_DIFFER($differs, $start, \"$m\");\n", "differs", differs, "start", s->start, "m",
                s->m, NULL);
}

/* New elements have base values unless they are sent. */
static void emit_new_elements(delta *k, const spot *array)
{
    emitter *e = k->e;
    const char *i = local_index(k, array->value), *count = spell_count(k, array->value);
    out_put(e->out, "if ($count != $old) c->changed = true;\nif (PKT_READING) {\n", "count", count, "old",
            array->old_size, NULL);
    out_indent(e->out);
    out_put(e->out, "for (uint32_t $i = $old; $i < $count; $i++) {\n", "i", i, "old", array->old_size, "count", count,
            NULL);
    out_indent(e->out);
    emit_base_of_element(e, array->value->op->field, "out->", arena_printf(e->arena, "[%s]", i));
    close_brace(e);
    close_brace(e);
}

static bool is_compound(const delta_value *v)
{
    return v->form == DELTA_ARRAY || v->form == DELTA_OF_TYPE;
}

/* A field or element that is marked as changed. When reading, it is refused if it turns out to be unchanged. */
static void emit_item(delta *k, spot *s)
{
    emitter *e = k->e;
    const bool compound = is_compound(s->value);
    if (compound || s->value->form == DELTA_FULL)
        s->start = declare_start(k);
    if (s->value->form == DELTA_ARRAY && s->elements == NULL)
        emit_elements(k, s, NULL);
    if (compound)
        out_put(e->out, "c->changed = false;\n", NULL);
    emit_value(k, s);
    if (compound)
        out_put(e->out, "PKT_MUST_CHANGE($start, \"$m\");\n", "start", s->start, "m", s->m, NULL);
}

static void emit_array(delta *k, const spot *s)
{
    emitter *e = k->e;
    const delta_value *v = s->value;
    const char *subset = local(k, "subset");
    if (v->head != NULL) {
        emit_steps(e, v->head);
        emit_new_elements(k, s);
    }
    out_put(e->out,
            "pkt_subset $subset;\n"
            "if (!pkt_elements_begin(mode, c, &$subset, $elements, $count, \"$m\")) return false;\n"
            "while (pkt_elements_next(mode, c, &$subset)) {\n",
            "subset", subset, "elements", s->elements, "count", spell_count(k, v), "m", s->m, NULL);
    open_scope(k);
    out_put(e->out, "const uint32_t $i = $subset.index;\n", "i", local_index(k, v), "subset", subset, NULL);
    spot element = spot_of_element(k, s);
    emit_item(k, &element);
    if (!is_compound(v->inner))
        out_put(e->out, "c->changed = true;\n", NULL);
    close_scope(k);
    out_put(e->out, "}\nif (!$subset.whole) return false;\n", "subset", subset, NULL);
}

static void emit_value(delta *k, const spot *s)
{
    emitter *e = k->e;
    const delta_value *v = s->value;
    switch (v->form) {
    case DELTA_FLIP: out_put(e->out, "PKT_FLIP($m, $old);\n", "m", s->m, "old", s->old, NULL); return;
    case DELTA_FULL:
        emit_steps(e, v->full);
        emit_refusal(k, s);
        return;
    case DELTA_STEPS: {
        const leaf l = leaf_of(e, s);
        leaf_put(e, leaf_row_of(l.op)->steps, &l);
        if (v->may_equal)
            emit_refusal(k, s);
        return;
    }
    case DELTA_OF_TYPE:
        out_put(e->out, "PKT_DELTA($type, $m, $old);\n", "type", spell_decl(e, v->op->of->decl), "m", s->m, "old",
                s->old, NULL);
        return;
    case DELTA_ARRAY: emit_array(k, s); return;
    case DELTA_OPTIONAL: break;
    }
    assert(false && "an optional is only ever a field");
}

/* array: for an optional array, with its elements compared; otherwise NULL. */
static void emit_optional(delta *k, const delta_value *v, const char *from, const spot *array)
{
    emitter *e = k->e;
    const char *name = v->op->field->name;
    const char *missing = arena_printf(e->arena, "!%s->has_%s", from, name);
    const char *start = declare_start(k);
    emit_steps(e, v->head);
    out_put(e->out, "c->changed = in->has_$name != $from->has_$name;\nif (in->has_$name) {\n", "name", name, "from",
            from, NULL);
    out_indent(e->out);
    spot s = array != NULL ? *array : spot_of_field(k, v->inner, from, missing);
    s.start = start;
    if (array != NULL) {
        out_put(e->out, "if (PKT_READING && $missing) {\n", "missing", missing, NULL);
        out_indent(e->out);
        emit_base_of_value(e, v->op->field, "out->", HELD_VALUE);
        close_brace(e);
    }
    emit_value(k, &s);
    out_dedent(e->out);
    out_put(e->out, "} else if (PKT_READING) {\n", NULL);
    out_indent(e->out);
    emit_base_of_value(e, v->op->field, "out->", HELD_VALUE);
    close_brace(e);
    out_put(e->out, "PKT_MUST_CHANGE($start, \"$name\");\n", "start", start, "name", name, NULL);
}

/* ---- branches */

static void emit_not_in_base(delta *k, const op *o, const char *took)
{
    emitter *e = k->e;
    out_put(e->out, "if (!$took) {\n", "took", took, NULL);
    out_indent(e->out);
    emit_not_taken(e, o);
    close_brace(e);
}

/* A side of a branch. condition: whether the baseline took it too; outer: whether the baseline has the branch at
 * all. */
static void emit_side(delta *k, const delta_block *b, const char *outer, const char *condition)
{
    const char *took = NULL;
    if (b->holds_fields) {
        took = declare_took(k, outer, condition);
        emit_not_in_base(k, b->ops, took);
    }
    emit_block(k, b, b->count != 0 ? declare_from(k, local(k, "from"), took) : "base", took);
}

static void emit_if(delta *k, const delta_step *s, const char *took)
{
    emitter *e = k->e;
    const expr *x = s->op->item->as.branch.condition;
    const delta_block *body = s->sides->block, *other = s->sides->next->block;
    const char *in_base = arena_printf(e->arena, "(%s)", spell_condition(e, x, "base->"));
    out_put(e->out, "if ($condition) {\n", "condition", spell_condition(e, x, "in->"), NULL);
    open_scope(k);
    emit_not_taken(e, other->ops);
    emit_side(k, body, took, in_base);
    close_scope(k);
    if (other->ops != NULL || body->holds_fields) {
        out_put(e->out, "} else {\n", NULL);
        open_scope(k);
        emit_not_taken(e, body->ops);
        emit_side(k, other, took, arena_printf(e->arena, "!%s", in_base));
        close_scope(k);
    }
    out_put(e->out, "}\n", NULL);
}

static const char *spell_subject(const emitter *e, const op *o, const char *base)
{
    const expr *subject = o->item->as.choice.subject;
    return arena_printf(e->arena, subject->type == EXPR_BOOL ? "(int)%s" : "%s", spell_condition(e, subject, base));
}

/* Declares a local that says which arm the baseline takes, counted from 1. */
static const char *emit_arm_of_base(delta *k, const delta_step *s, const char *took)
{
    emitter *e = k->e;
    const char *taken = local(k, "arm");
    bool has_default = false;
    int n = 0;
    out_put(e->out, "int $arm = 0;\n", "arm", taken, NULL);
    if (took != NULL) {
        out_put(e->out, "if ($took) {\n", "took", took, NULL);
        out_indent(e->out);
    }
    out_put(e->out, "switch ($subject) {\n", "subject", spell_subject(e, s->op, "base->"), NULL);
    for (const delta_side *side = s->sides; side != NULL; side = side->next) {
        has_default |= side->arm->arm->is_default;
        out_put(e->out, "$labels\n    $arm = $n;\n    break;\n", "labels", spell_labels(e, side->arm->arm, "base->"),
                "arm", taken, "n", arena_printf(e->arena, "%d", ++n), NULL);
    }
    out_put(e->out, has_default ? "}\n" : "default:\n    break;\n}\n", NULL);
    if (took != NULL)
        close_brace(e);
    return taken;
}

static bool holds_fields(const delta_step *branch)
{
    const delta_side *side = branch->sides;
    while (side != NULL && !side->block->holds_fields)
        side = side->next;
    return side != NULL;
}

static void emit_others_not_taken(delta *k, const delta_step *s, const delta_side *taken)
{
    for (const delta_side *side = s->sides; side != NULL; side = side->next)
        if (side != taken)
            emit_not_taken(k->e, side->block->ops);
}

static void emit_switch(delta *k, const delta_step *s, const char *took)
{
    emitter *e = k->e;
    const char *taken = NULL;
    bool has_default = false;
    int n = 0;
    out_put(e->out, "{\n", NULL);
    open_scope(k);
    if (holds_fields(s))
        taken = emit_arm_of_base(k, s, took);
    out_put(e->out, "switch ($subject) {\n", "subject", spell_subject(e, s->op, "in->"), NULL);
    for (const delta_side *side = s->sides; side != NULL; side = side->next) {
        has_default |= side->arm->arm->is_default;
        out_put(e->out, "$labels {\n", "labels", spell_labels(e, side->arm->arm, "in->"), NULL);
        open_scope(k);
        emit_others_not_taken(k, s, side);
        emit_side(k, side->block, NULL, arena_printf(e->arena, "%s == %d", taken, ++n));
        out_put(e->out, "break;\n", NULL);
        close_scope(k);
        out_put(e->out, "}\n", NULL);
    }
    if (!has_default) {
        out_put(e->out, "default:\n", NULL);
        out_indent(e->out);
        emit_others_not_taken(k, s, NULL);
        out_put(e->out, "break;\n", NULL);
        out_dedent(e->out);
    }
    out_put(e->out, "}\n", NULL);
    close_scope(k);
    out_put(e->out, "}\n", NULL);
}

/* ---- blocks */

/* An expression: does a field differ? Arrays are compared before, into a bitmap that is used again to write them. */
static const char *emit_field_differs(delta *k, const block_text *t, unsigned n)
{
    emitter *e = k->e;
    const delta_value *v = t->b->fields[n].value, *inner = v->form == DELTA_OPTIONAL ? v->inner : v;
    const op *o = v->op;
    const char *name = o->field->name, *text;
    const char *has = arena_printf(e->arena, "in->has_%s", name),
               *had = arena_printf(e->arena, "%s->has_%s", t->from, name);
    if (inner->form == DELTA_ARRAY) {
        const bool optional = inner != v;
        t->arrays[n] = spot_of_field(k, inner, optional ? declare_from(k, local_of(k, o, "from"), had) : t->from, NULL);
        emit_elements(k, &t->arrays[n], optional ? has : NULL);
        text = spell_array_changed(k, &t->arrays[n]);
    } else {
        const spot s = spot_of_field(k, inner, t->from, NULL);
        text = spell_changed(e, &s, false);
    }
    return inner != v ? arena_printf(e->arena, "%s != %s || (%s && (%s))", has, had, has, text) : text;
}

/* A line about fields that are compared together. */
static void emit_group(delta *k, const block_text *t, const group_row *g, unsigned first, unsigned count)
{
    const emitter *e = k->e;
    leaf leaves[4];
    for (unsigned i = 0; i < count; i++) {
        const spot s = spot_of_field(k, t->b->fields[first + i].value, t->from, NULL);
        leaves[i] = leaf_of(e, &s);
    }
    leaf_put_group(e, g, leaves, count,
                   arena_printf(e->arena, "%s, %u, %s", local_mask(k, first), first % MASK_BITS, t->codes[first]));
}

static void declare_codes(delta *k, const block_text *t, unsigned first, unsigned count)
{
    const emitter *e = k->e;
    const char *codes = local_of(k, t->b->fields[first].value->op, "codes");
    out_put(e->out, "uint32_t $codes[$count];\n", "codes", codes, "count", spell_number(e, count), NULL);
    for (unsigned i = 0; i < count; i++)
        t->codes[first + i] = i == 0 ? codes : arena_printf(e->arena, "%s + %u", codes, i);
}

/* Compares each field with the baseline's, into the mask, which is then written or read. */
static void emit_mask(delta *k, const block_text *t)
{
    emitter *e = k->e;
    const delta_block *b = t->b;
    const char **differs = ARENA_ARRAY(e->arena, const char *, b->count);
    for (unsigned n = 0; n < b->count; n++)
        differs[n] = emit_field_differs(k, t, n);
    for (unsigned n = 0; n < b->count; n += MASK_BITS)
        out_put(e->out, "uint64_t $mask = 0;\n", "mask", local_mask(k, n), NULL);
    for (unsigned n = 0; n < b->count; n++)
        if (b->fields[n].together > 1)
            declare_codes(k, t, n, b->fields[n].together);
    out_put(e->out, "if (!PKT_READING) {\n", NULL);
    out_indent(e->out);
    for (unsigned n = 0; n < b->count; n++) {
        if (b->fields[n].together > 1)
            emit_group(k, t, &group_compare, n, b->fields[n].together);
        else if (b->fields[n].together == 1)
            out_put(e->out, "$mask |= (uint64_t)($differs) << $bit;\n", "mask", local_mask(k, n), "differs", differs[n],
                    "bit", spell_number(e, n % MASK_BITS), NULL);
    }
    close_brace(e);
    if (b->mask_in_row) {
        out_put(e->out, "PKT_CHANGES_RUN($mask, $bits);\n", "mask", local_mask(k, 0), "bits", spell_number(e, b->count),
                NULL);
        return;
    }
    for (unsigned n = 0; n < b->count; n += MASK_BITS) {
        const unsigned left = b->count - n, here = left < MASK_BITS ? left : MASK_BITS;
        out_put(e->out, "PKT_CHANGES($mask, $bits, $rest);\n", "mask", local_mask(k, n), "bits", spell_number(e, here),
                "rest", spell_number(e, left - here), NULL);
    }
}

static void emit_row(delta *k, const block_text *t, const delta_step *row)
{
    emitter *e = k->e;
    if (row->first != 0 || !t->b->mask_in_row)
        out_put(e->out, "PKT_CHANGED_RUN();\n", NULL);
    for (unsigned n = row->first; n < row->first + row->count; n++) {
        const spot s = spot_of_field(k, t->b->fields[n].value, t->from, NULL);
        leaf l = leaf_of(e, &s);
        l.changed = arena_printf(e->arena, "%s >> %u", local_mask(k, n), n % MASK_BITS);
        l.code = t->codes[n];
        leaf_put(e, l.code != NULL ? leaf_row_of(l.op)->coded : leaf_row_of(l.op)->in_row, &l);
    }
    out_put(e->out, "PKT_CHANGED_END();\n", NULL);
}

/* An `after` field that is not sent: the field that it comes after may have changed and be greater now. */
static void emit_still_after(delta *k, const delta_value *v)
{
    emitter *e = k->e;
    const field *f = v->op->field;
    out_put(e->out, v->form == DELTA_OPTIONAL ? "} else if (in->has_$m) {\n" : "} else {\n", "m", f->name, NULL);
    out_indent(e->out);
    out_put(e->out, "PKT_STILL_AFTER($m, $start);\n", "m", f->name, "start", f->after->name, NULL);
    out_dedent(e->out);
}

static void emit_changed(delta *k, const block_text *t, unsigned n)
{
    emitter *e = k->e;
    const delta_value *v = t->b->fields[n].value;
    out_put(e->out, "if (($mask >> $bit & 1) != 0) {\n", "mask", local_mask(k, n), "bit",
            spell_number(e, n % MASK_BITS), NULL);
    open_scope(k);
    if (v->form == DELTA_OPTIONAL) {
        emit_optional(k, v, t->from, v->inner->form == DELTA_ARRAY ? &t->arrays[n] : NULL);
    } else {
        spot s = v->form == DELTA_ARRAY ? t->arrays[n] : spot_of_field(k, v, t->from, NULL);
        emit_item(k, &s);
    }
    close_scope(k);
    if (v->op->field->after != NULL)
        emit_still_after(k, v);
    out_put(e->out, "}\n", NULL);
}

static void emit_block(delta *k, const delta_block *b, const char *from, const char *took)
{
    emitter *e = k->e;
    const block_text t = {.b = b,
                          .from = from,
                          .arrays = ARENA_ARRAY(e->arena, spot, b->count),
                          .codes = ARENA_ARRAY(e->arena, const char *, b->count)};
    if (b->count != 0)
        emit_mask(k, &t);
    for (const delta_step *s = b->steps; s != NULL; s = s->next) {
        switch (s->kind) {
        case DELTA_ROW: emit_row(k, &t, s); break;
        case DELTA_VALUES: emit_group(k, &t, &group_values, s->first, s->count); break;
        case DELTA_CHANGED: emit_changed(k, &t, s->first); break;
        case DELTA_ALWAYS: emit_steps(e, s->always); break;
        case DELTA_IF: emit_if(k, s, took); break;
        case DELTA_SWITCH: emit_switch(k, s, took); break;
        }
    }
}

/* ---- types */

static void emit_union(delta *k, const delta_plan *p)
{
    emitter *e = k->e;
    const decl *d = p->type->decl;
    emit_steps(e, p->tag);
    out_put(e->out, "if (chosen != base->tag) c->changed = true;\nswitch (chosen) {\n", NULL);
    for (const op_arm *a = p->type->body->arms; a != NULL; a = a->next) {
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
        close_brace(e);
    }
    out_put(e->out, "default:\n    return false;\n}\n", NULL);
}

/* Deltas of types of other files are emitted in each file that needs them, with a guard so that a translation unit
 * has them once. */
static bool is_guarded(const emitter *e, const decl *d)
{
    return d->file != e->file || !d->file->root;
}

void emit_delta(emitter *e, const delta_plan *p)
{
    const wire_type *t = p->type;
    const decl *d = t->decl;
    const char *name = spell_decl(e, d);
    delta k = {.e = e, .plan = p, .name = name};
    if (is_guarded(e, d))
        out_put(e->out, "#ifndef PKT_DELTA_OF_$name\n#define PKT_DELTA_OF_$name\n", "name", name, NULL);
    emit_copy(e, d);
    out_put(
        e->out,
        "/* The delta of $name: at most $most bits. */\n"
        "PKT_INLINE bool ${name}_delta(const pkt_mode mode, pkt_cursor *c, const $name *base, const $name *in, $name *out)\n{\n",
        "name", name, "most", spell_number(e, t->delta_most), NULL);
    out_indent(e->out);
    if (p->needs_blank)
        out_put(e->out, "$name blank;\n", "name", name, NULL);
    if (t->body == NULL)
        out_put(e->out, "(void)mode;\n(void)c;\n(void)base;\n(void)in;\n(void)out;\n", NULL);
    else if (d->kind == DECL_UNION)
        emit_union(&k, p);
    else
        emit_block(&k, p->block, "base", NULL);
    out_put(e->out, "return true;\n", NULL);
    close_brace(e);
    out_put(e->out, "\n", NULL);
    emit_delta_instances(e, t);
    if (is_guarded(e, d))
        out_put(e->out, "#endif\n\n", NULL);
}
