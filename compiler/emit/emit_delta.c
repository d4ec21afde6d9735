/* emit_delta.c - the delta body of a type, T_delta: spells the plan of wire/delta_plan.h.
 * SPDX-License-Identifier: MIT
 *
 * The lines are those of runtime/pkt_delta.h. In generated code, base_ is the baseline. (took1_ ? base_->x : 0) is its
 * x, or the base value if the baseline took another side of branch 1.
 */
#include "emit/delta_spot.h"
#include "model/coding.h"
#include "wire/tuning.h"

#include <assert.h>
#include <string.h>

/* took: a local that says whether the baseline took this side of a branch; NULL for the block of the type itself. */
static void emit_delta_block(delta *k, const delta_block *b, const char *took);

/* An expression: does this (non-array) value differ from the baseline's, as predicted? found: the value was just written or
 * read. */
static const char *spell_changed(const emitter *e, const spot *s, bool found)
{
    if (s->value->form == DELTA_OF_TYPE) {
        const wire_type *of = s->value->op->of;
        const char *name =
            arena_printf(e->arena, s->has != NULL ? "%s_delta_differs" : "!%s_same", spell_decl(e, of->decl));
        return arena_printf(e->arena, "%s(%s&in_->%s, %s%s%s)", name, of->moves ? "c_->coding, " : "", s->m, s->old,
                            of->follows ? ", " : "", of->follows ? s->before : "");
    }
    const leaf l = spot_leaf(e, s);
    const leaf_row *row = leaf_row_of(l.op);
    return leaf_text(e, found && row->found != NULL ? row->found : row->differs, &l);
}

/* The same for a number that is predicted: with a local that has its codes. guard: what comes before a line that sets them. */
static const char *emit_predicted_changed(const emitter *e, const spot *s, const char *codes, const char *guard)
{
    leaf l = spot_leaf(e, s);
    l.code = codes;
    out_put(e->out, leaf_row_of(l.op)->step_moves ? "pkt_step_codes $codes;\n" : "pkt_step_codes $codes = {0, 0, 0};\n",
            "codes", codes, NULL);
    return leaf_moves(e, &l, guard);
}

/* ---- comparing the elements of an array */

static const char *spell_count(const delta *k, const delta_value *array)
{
    if (array->op->kind == OP_COUNTED)
        return arena_printf(k->e->arena, "in_->%s", spell_access(k->e, array->at, "", "_count"));
    return spell_number(k->e, array->op->count);
}

/* The number of bits in the bitmap of changed elements. That of a list is about the elements of the baseline. */
static const char *spell_bitmap_count(const delta *k, const spot *array)
{
    return is_list(array->value->op) ? array->held : spell_count(k, array->value);
}

/* The bytes of an element that is first compared as memory, without a call, because most elements have not changed;
 * 0 if it has to be compared member by member. */
static uint64_t bytes_of_element(const spot *s)
{
    return s->value->form == DELTA_OF_TYPE && s->has == NULL ? op_plain_bytes(s->value->op) : 0;
}

/* "&a"; of *p, "p". */
static const char *spell_pointer_to(const emitter *e, const char *object)
{
    return object[0] == '*' ? object + 1 : arena_printf(e->arena, "&%s", object);
}

/* "pkt_same_whole(&a, &b, sizeof a, bytes)". */
static const char *spell_same_whole(const emitter *e, const char *a, const char *b, uint64_t bytes)
{
    return arena_printf(e->arena, "pkt_same_whole(&%s, %s, sizeof %s, %s)", a, spell_pointer_to(e, b), a,
                        spell_number(e, bytes));
}

/* Goes on with the next element if this one is the same. */
static void emit_skip_same(const emitter *e, const char *now, const char *was, uint64_t bytes)
{
    if (bytes != 0)
        out_put(e->out, "if ($same) continue;\n", "same", spell_same_whole(e, now, was, bytes), NULL);
}

/* Declares a pointer to what an element `old` of a list has moved from. The search goes on at `at`. */
static void emit_listed(const emitter *e, const spot *list, const char *old, const char *at)
{
    const op *o = list->value->op;
    if (op_follows(o))
        emit_follow(e, o, arena_printf(e->arena, "listed%d_", list->value->depth), old, at, list->from);
}

/* Whether an array is large and its elements can be compared as memory: then this is first done with whole blocks. */
static bool has_blocks(const spot *array)
{
    const delta_value *v = array->value;
    return array->has == NULL && v->op->count > BLOCK_ELEMENTS && v->inner->form != DELTA_ARRAY &&
           op_plain_bytes(v->inner->op) != 0;
}

/* Refuses a field that contains others if nothing in it has changed, neither its presence, its count nor its tag. */
static const char must_change[] = "PKT_MUST_DIFFER(c_->changed);\nc_->changed = true;\n";

/* Begins a loop over the blocks that are not the same, and one over the elements of a block. */
static void emit_blocks(const delta *k, const spot *array)
{
    const emitter *e = k->e;
    const delta_value *v = array->value;
    const char *i = delta_index(k, v), *end = delta_local(k, "end");
    const char *most = spell_number(e, v->op->count);
    const bool counted = v->op->kind == OP_COUNTED;
    out_put(e->out,
            "for (uint32_t $i = 0, $end = 0;\n"
            "     pkt_next_block(&$i, &$end, in_->$m, $old, sizeof *in_->$m, $most, $count, $held);) {\n",
            "i", i, "end", end, "m", array->m, "old", array->old, "most", most, "count",
            counted ? spell_count(k, v) : most, "held", counted ? array->held : most, NULL);
    out_indent(e->out);
    out_put(e->out, "for (; $i < $end; $i++) {\n", "i", i, "end", end, NULL);
}

/* Sets a bit for each element that has changed: `bit` of `word`, or the bit of the loop that is opened here. */
static void emit_comparison(delta *k, const spot *array, const char *word, const char *bit)
{
    emitter *e = k->e;
    const delta_value *v = array->value;
    const char *i = delta_index(k, v), *counted = "";
    const bool blocks = bit == NULL && has_blocks(array);
    if (v->op->kind == OP_COUNTED)
        counted = arena_printf(e->arena, " && %s < %s", i, spell_count(k, v));
    if (blocks)
        emit_blocks(k, array);
    else
        out_put(e->out, "for (uint32_t $i = 0; $i < $count$counted; $i++) {\n", "i", i, "count",
                spell_number(e, v->op->count), "counted", counted, NULL);
    delta_open_scope(k);
    const spot element = spot_of_element(k, array);
    if (bit == NULL) {
        word = arena_printf(e->arena, "%s[%s / 64]", array->elements, i);
        bit = arena_printf(e->arena, "%s %% 64", i);
    }
    if (v->inner->form == DELTA_ARRAY) {
        emit_comparison(k, &element, word, bit);
    } else {
        const uint64_t bytes = bytes_of_element(&element);
        if (blocks && bytes != 0)
            out_put(e->out, "if (pkt_same_element(&in_->$m, &$old, sizeof in_->$m)) continue;\n", "m", element.m, "old",
                    element.old + strlen("&"), NULL);
        else
            emit_skip_same(e, arena_printf(e->arena, "in_->%s", element.m), element.old + strlen("&"), bytes);
        out_put(e->out, "$word |= PKT_BIT($bit, $differs);\n", "word", word, "differs",
                spell_changed(e, &element, false), "bit", bit, NULL);
    }
    delta_close_scope(k);
    out_put(e->out, "}\n", NULL);
    if (blocks)
        out_close(e->out);
}

/* ---- arrays that predictions move */

/* What an element `old` of an array has moved from; NULL if none moves from there. */
static const char *spell_element_before(const emitter *e, const spot *array, const char *old)
{
    const op *o = array->value->op;
    const char *i = arena_printf(e->arena, "i%d_", array->value->depth);
    return !op_follows(o)
               ? NULL
               : arena_printf(e->arena, "%s%s", spell_from_element(e, o, array->from, i), old + strlen("base_"));
}

/* Whether the elements of a large array can be compared as memory, and move only if those of two baselines differ. */
static bool has_moved_blocks(const op *array)
{
    return array->count > MOVED_ELEMENTS && op_plain_bytes(array->body) != 0 && !op_goes(array);
}

/* Begins a loop over the elements that are not the same as in the baseline, or have moved. When reading, only over those that have. */
static void emit_moved_loop(const delta *k, const spot *array)
{
    const emitter *e = k->e;
    const op *o = array->value->op;
    const char *i = delta_index(k, array->value), *size = spell_number(e, o->count), *end = delta_local(k, "end");
    const char *counted = "";
    if (o->kind == OP_COUNTED)
        counted = arena_printf(e->arena, " && %s < %s", i, spell_count(k, array->value));
    if (!has_moved_blocks(o)) {
        out_put(e->out, "for (uint32_t $i = 0; $i < $size$counted; $i++) {\n", "i", i, "size", size, "counted", counted,
                NULL);
        return;
    }
    out_put(
        e->out,
        "for (uint32_t $i = 0, $end = 0;\n"
        "     pkt_next_moved(&$i, &$end, PKT_READING ? $old : in_->$m, $old, $before, sizeof *$old, $size, $held);) {\n",
        "i", i, "end", end, "old", array->old, "m", array->m, "before",
        arena_printf(e->arena, "%s%s", array->from, array->old + strlen("base_")), "size", size, "held",
        array->held != NULL ? array->held : size, NULL);
    out_indent(e->out);
    out_put(e->out, "for (; $i < $end$counted; $i++) {\n", "i", i, "end", end, "counted", counted, NULL);
}

/* An expression about an element: does `value`, which is in_ or the baseline itself, differ from what is expected? */
static const char *emit_element_moves(const delta *k, const spot *element, const char *number)
{
    const emitter *e = k->e;
    const char *base = element->value->form == DELTA_OF_TYPE ? element->old : NULL;
    leaf l = spot_leaf(e, element);
    if (base != NULL) {
        const bool follows = op_follows(element->value->op);
        return arena_printf(e->arena,
                            element->has != NULL ? "%s_delta_differs(%s, &%s, %s%s%s)" : "!%s_same(%s, &%s, %s%s%s)",
                            spell_decl(e, element->value->op->of->decl), "c_->coding", number, base,
                            follows ? ", " : "", follows ? element->before : "");
    }
    l.value = number;
    l.code = "step_";
    return leaf_moves(e, &l, "");
}

/* Sets a bit for each element that differs from the one that is expected, and one for each that is expected to change. */
static void emit_moved_comparison(delta *k, const spot *array, const char *word, const char *bit)
{
    emitter *e = k->e;
    const delta_value *v = array->value;
    const char *i = delta_index(k, v);
    const bool outer = bit == NULL, blocks = has_moved_blocks(v->op);
    emit_moved_loop(k, array);
    delta_open_scope(k);
    const spot element = spot_of_element(k, array);
    if (outer) {
        word = arena_printf(e->arena, "%s[%s / 64]", array->elements, i);
        bit = arena_printf(e->arena, "%s %% 64", i);
    }
    if (v->inner->form == DELTA_ARRAY) {
        emit_moved_comparison(k, &element, word, bit);
    } else {
        const bool of_type = v->inner->form == DELTA_OF_TYPE;
        const uint64_t bytes = of_type && !op_goes(v->inner->op) ? op_plain_bytes(v->inner->op) : 0;
        const char *now = arena_printf(e->arena, "in_->%s", element.m),
                   *old = arena_printf(e->arena, "%s[%s]", array->old, i),
                   *before = spell_element_before(e, array, old), *has = element.has != NULL ? element.has : "true",
                   *moves = spell_may_move(e, k->type, "c_->coding->", k->from, "base_");
        if (bytes != 0)
            moves = arena_printf(e->arena, "!%s", spell_same_whole(e, old, before, bytes));
        if (!of_type)
            out_put(e->out, "pkt_step_codes step_ = {0, 0, 0};\n", NULL);
        if (array->expected != NULL || bytes != 0)
            out_put(e->out, "const bool moves_ = $has$moves;\n", "has",
                    element.has != NULL ? arena_printf(e->arena, "%s && ", has) : "", "moves", moves, NULL);
        if (array->expected != NULL) {
            spot same = element;
            same.has = NULL;
            same.old = of_type ? arena_printf(e->arena, "&%s", old) : old;
            same.before = of_type && before != NULL ? arena_printf(e->arena, "&%s", before) : before;
            out_put(e->out, "if (moves_) {\n", NULL);
            out_indent(e->out);
            const char *differs = emit_element_moves(k, &same, old);
            out_put(e->out, "$expected[$i / 64] |= PKT_BIT($i % 64, $differs);\n", "expected", array->expected, "i", i,
                    "differs", differs, NULL);
            out_close(e->out);
        }
        if (bytes != 0)
            out_put(e->out, "if (PKT_READING || (!moves_ && $has$same)) continue;\n", "has",
                    element.has != NULL ? arena_printf(e->arena, "%s && ", has) : "", "same",
                    spell_same_whole(e, now, old, bytes), NULL);
        else
            out_put(e->out, "if (PKT_READING) continue;\n", NULL);
        const char *differs = emit_element_moves(k, &element, now);
        out_put(e->out, "$word |= PKT_BIT($bit, $differs);\n", "word", word, "bit", bit, "differs", differs, NULL);
    }
    delta_close_scope(k);
    out_put(e->out, "}\n", NULL);
    if (blocks)
        out_close(e->out);
}

/* ---- lists with keys: both lists are walked side by side, and the bitmap is about the elements of the baseline */

/* The arguments that describe both lists. */
static const char *spell_lists(const delta *k, const spot *list)
{
    return arena_printf(k->e->arena, "&keys_, %s, %s, in_->%s, in_->%s_count", list->old, list->held, list->m, list->m);
}

/* Compares the elements that both lists have, and finds out whether they have the same keys. */
static void emit_list_comparison(delta *k, const spot *list)
{
    emitter *e = k->e;
    const op *o = list->value->op;
    const bool moves = op_moves(o), follows = op_follows(o);
    const uint64_t bytes = op_goes(o) ? 0 : op_plain_bytes(list->value->inner->op);
    const char *of = spell_decl(e, o->field->type.decl), *unless = "";
    if (bytes != 0)
        unless = arena_printf(
            e->arena,
            follows ? "if (!pkt_same_whole(now_, old_, sizeof *now_, %s) || !pkt_same_whole(old_, listed0_, "
                      "sizeof *old_, %s)) "
                    : "if (!pkt_same_whole(now_, old_, sizeof *now_, %s)) ",
            spell_number(e, bytes), spell_number(e, bytes));
    out_put(e->out,
            "if (pkt_over(in_->${m}_count, $most)) return false;\n"
            "const $type *now_ = in_->$m, *old_ = $old;\n"
            "const $type *const now_end_ = now_ + in_->${m}_count, *const old_end_ = old_ + $held;\n"
            "${at}for (uint32_t j_ = 0; now_ != now_end_ && old_ != old_end_;) {\n"
            "    if (now_->$key == old_->$key) {\n",
            "type", of, "m", list->m, "old", list->old, "held", list->held, "most", spell_number(e, o->count), "key",
            o->field->by->name, "at", follows ? "uint32_t at_ = 0;\n" : "", NULL);
    out_indent(e->out);
    out_indent(e->out);
    emit_listed(e, list, "old_", "at_");
    out_put(e->out,
            "${unless}$elements[j_ / 64] |= PKT_BIT(j_ % 64, !${type}_same($now, old_$listed));\n"
            "now_++, old_++, j_++;\n",
            "unless", unless, "elements", list->elements, "type", of, "now", moves ? "c_->coding, now_" : "now_",
            "listed", follows ? ", listed0_" : "", NULL);
    out_dedent(e->out);
    out_dedent(e->out);
    out_put(e->out,
            "    } else {\n"
            "        ${m}_moved_ = true;\n"
            "        if (now_->$key < old_->$key)\n"
            "            now_++;\n"
            "        else\n"
            "            old_++, j_++;\n"
            "    }\n"
            "}\n"
            "if (now_ != now_end_ || old_ != old_end_) ${m}_moved_ = true;\n",
            "m", list->m, "key", o->field->by->name, NULL);
}

/* Declares the locals of an array: the bitmap of changed elements, which is empty when reading; and, if the baseline
 * may lack the array, the number of elements in the baseline. present: a condition under which there are elements, or
 * NULL. */
static void emit_elements(delta *k, const spot *array, const char *present)
{
    emitter *e = k->e;
    if (array->held != NULL && array->has != NULL)
        out_put(e->out, "const uint32_t $held = $has ? ${old}_count : 0u;\n", "held", array->held, "has", array->has,
                "old", array->old, NULL);
    const bool moves = op_moves(array->value->op);
    const char *may_move = spell_may_move(e, k->type, "c_->coding->", k->from, "base_");
    const uint64_t bytes =
        array->has == NULL && array->value->depth == 0 && !moves ? op_plain_bytes(array->value->op) : 0;
    const char *unless = "";
    if (present != NULL)
        unless = arena_printf(e->arena, " && %s", present);
    else if (bytes != 0)
        unless = arena_printf(e->arena, " && !pkt_same_whole(&in_->%s, &%s, sizeof in_->%s, %s)", array->m, array->old,
                              array->m, spell_number(e, bytes));
    if (is_list(array->value->op)) /* only the words of the elements that the baseline has */
        out_put(e->out,
                "bool ${m}_moved_ = false;\n"
                "uint64_t $elements[$words];\n"
                "memset($elements, 0, ($held + 63u) / 64 * sizeof *$elements);\n"
                "if (!PKT_READING$unless) {\n",
                "m", array->m, "elements", array->elements, "words", spell_words(e, array->value->op->count), "held",
                array->held, "unless", unless, NULL);
    else
        out_put(e->out, "uint64_t $elements[$words] = {0}$expected;\nif ($comparing) {\n", "elements", array->elements,
                "words", spell_words(e, array->value->op->count), "expected",
                array->expected != NULL
                    ? arena_printf(e->arena, ", %s[%s] = {0}", array->expected, spell_words(e, array->value->op->count))
                    : "",
                "comparing",
                !moves            ? arena_printf(e->arena, "!PKT_READING%s", unless)
                : present != NULL ? arena_printf(e->arena, "PKT_READING ? %s : %s", may_move, present)
                                  : arena_printf(e->arena, "!PKT_READING || %s", may_move),
                NULL);
    out_indent(e->out);
    if (is_list(array->value->op))
        emit_list_comparison(k, array);
    else if (moves)
        emit_moved_comparison(k, array, NULL, NULL);
    else
        emit_comparison(k, array, NULL, NULL);
    out_close(e->out);
}

static const char *spell_array_changed(const delta *k, const spot *array)
{
    const emitter *e = k->e;
    const delta_value *v = array->value;
    const char *any = arena_printf(e->arena, "pkt_any(%s, %s)", array->elements, spell_words(e, v->op->count));
    if (v->op->kind != OP_COUNTED)
        return any;
    if (is_list(v->op)) /* only the words of the elements that the baseline has */
        return arena_printf(e->arena, "%s_moved_ || pkt_any(%s, (%s + 63u) / 64)", array->m, array->elements,
                            array->held);
    return arena_printf(e->arena, "%s != %s || %s", spell_count(k, v), array->old_count, any);
}

/* ---- what follows a set bit of the mask */

static void emit_delta_value(delta *k, const spot *s);

static void emit_delta_refusal(delta *k, const spot *s)
{
    emitter *e = k->e;
    const char *differs = spell_changed(e, s, true);
    if (s->value->may_equal)
        out_put(e->out, "if ($differs) c_->changed = true;\n", "differs", differs, NULL);
    else
        out_put(e->out, "PKT_MUST_DIFFER($differs);\n", "differs", differs, NULL);
}

/* The count of an array. New elements have base values unless they are sent. */
static void emit_delta_count(delta *k, const spot *array)
{
    emitter *e = k->e;
    const char *i = delta_index(k, array->value), *count = spell_count(k, array->value);
    emit_steps(e, array->value->head);
    out_put(e->out,
            "if ($count != $old) c_->changed = true;\n"
            "for (uint32_t $i = $old; PKT_READING && $i < $count; $i++) {\n",
            "i", i, "old", array->old_count, "count", count, NULL);
    out_indent(e->out);
    emit_base_of_element(e, array->value->op->field, "out_->", arena_printf(e->arena, "[%s]", i));
    out_close(e->out);
}

static bool is_compound(const delta_value *v)
{
    return v->form == DELTA_ARRAY || v->form == DELTA_OF_TYPE;
}

/* A field or element that is marked as changed. When reading, it is refused if it turns out to be unchanged. */
static void emit_item(delta *k, const spot *s)
{
    emitter *e = k->e;
    const bool compound = is_compound(s->value);
    if (compound)
        out_put(e->out, "c_->changed = false;\n", NULL);
    emit_delta_value(k, s);
    if (compound)
        out_put(e->out, must_change, NULL);
}

/* A loop that sets a bit of `expected` for each element that the prediction moves. coding: the pkt_coding that says how. */
static void emit_moved_elements(delta *k, const spot *s, const char *expected, const char *coding)
{
    emitter *e = k->e;
    const delta_value *v = s->value;
    const char *i = delta_index(k, v), *now = arena_printf(e->arena, "%s[%s]", s->old, i), *before, *moves;
    const bool list = is_list(v->op), follows = op_follows(v->op);
    if (list && follows)
        out_put(e->out, "uint32_t next_ = 0;\n", NULL);
    out_put(e->out, "for (uint32_t $i = 0; $i < $count$counted; $i++) {\n", "i", i, "count", spell_bitmap_count(k, s),
            "counted", s->held != NULL && !list ? arena_printf(e->arena, " && %s < %s", i, s->held) : "", NULL);
    delta_open_scope(k);
    before = spell_element_before(e, s, now);
    if (list && follows) {
        emit_listed(e, s, arena_printf(e->arena, "&%s", now), "next_");
        before = arena_printf(e->arena, "*%s", delta_listed(k, v));
    }
    if (v->inner->form == DELTA_OF_TYPE) {
        const uint64_t bytes = op_goes(v->op) ? 0 : op_plain_bytes(v->inner->op);
        if (bytes != 0)
            out_put(e->out, "if ($same) continue;\n", "same", spell_same_whole(e, now, before, bytes), NULL);
        moves = arena_printf(e->arena, "!%s_same(%s, &%s, &%s%s%s)", spell_decl(e, v->inner->op->of->decl), coding, now,
                             now, follows ? ", " : "", follows ? spell_pointer_to(e, before) : "");
    } else {
        spot element = spot_of_element(k, s);
        element.old = now;
        element.before = before;
        leaf l = spot_leaf(e, &element);
        l.value = now;
        l.coding = coding;
        l.code = "step_";
        out_put(e->out, "pkt_step_codes step_;\n", NULL);
        moves = leaf_moves(e, &l, "");
    }
    out_put(e->out, "$expected[$i / 64] |= PKT_BIT($i % 64, $moves);\n", "expected", expected, "i", i, "moves", moves,
            NULL);
    delta_close_scope(k);
    out_put(e->out, "}\n", NULL);
}

void emit_expected_elements(emitter *e, const wire_type *t, const delta_value *array)
{
    delta k = {.e = e, .type = t, .from = "before_"};
    const spot s = spot_of_field(&k, array, NULL);
    emit_moved_elements(&k, &s, "expected_", "&known_");
}

/* The elements that are expected to change, because the baseline's have moved. Returns the name of the bitmap, or
 * NULL. */
static const char *emit_delta_expected(delta *k, const spot *s)
{
    emitter *e = k->e;
    const delta_value *v = s->value;
    const char *expected = delta_local(k, "expected");
    if (!is_list(v->op) || !op_moves(v->op))
        return s->expected != NULL ? s->expected : "NULL";
    out_put(e->out,
            "uint64_t $expected[$words];\n"
            "memset($expected, 0, ($held + 63u) / 64 * sizeof *$expected);\n",
            "expected", expected, "words", spell_words(e, v->op->count), "held", s->held, NULL);
    out_put(e->out, "if ($moves$present) {\n", "moves", spell_may_move(e, k->type, "c_->coding->", k->from, "base_"),
            "present", s->has == NULL ? "" : arena_printf(e->arena, " && %s", s->has), NULL);
    delta_open_scope(k);
    emit_moved_elements(k, s, expected, "c_->coding");
    delta_close_scope(k);
    out_put(e->out, "}\n", NULL);
    return expected;
}

/* The current element of the loop over those that have changed. Those of a list are found by their keys. */
static void emit_element_index(delta *k, const spot *array, const char *index)
{
    const emitter *e = k->e;
    const delta_value *v = array->value;
    const char *i = delta_index(k, v), *depth = spell_number(e, (uint64_t)v->depth);
    if (!is_list(v->op))
        out_put(e->out, "const uint32_t $i = $index;\n", "i", i, "index", index, NULL);
    else
        out_put(e->out,
                "const uint32_t j${depth}_ = $index;\n"
                "uint32_t $i;\n"
                "if (!pkt_pairs_at(&pairs_, j${depth}_)) return false;\n"
                "$i = pairs_.i;\n",
                "i", i, "index", index, "depth", depth, NULL);
    if (is_list(v->op))
        emit_listed(e, array, arena_printf(e->arena, "&%s[j%s_]", array->old, depth), "at_");
}

static void emit_coded_array(delta *k, const spot *s)
{
    emitter *e = k->e;
    const delta_value *v = s->value;
    const char *scan = delta_local(k, "scan"), *expected = emit_delta_expected(k, s);
    out_put(e->out,
            "if (!pkt_coded_elements(mode_, c_, $elements, $expected, $count, $runs)) return false;\n"
            "for (pkt_scan $scan = pkt_scan_of($elements, $count); pkt_scan_next(&$scan);) {\n",
            "scan", scan, "elements", s->elements, "count", spell_bitmap_count(k, s), "expected", expected, "runs",
            spell_runs(e, v->op->field), NULL);
    delta_open_scope(k);
    emit_element_index(k, s, arena_printf(e->arena, "%s.index", scan));
    const spot element = spot_of_element(k, s);
    emit_item(k, &element);
    if (!is_compound(v->inner))
        out_put(e->out, "c_->changed = true;\n", NULL);
    delta_close_scope(k);
    out_put(e->out, "}\n", NULL);
}

/* The elements that have changed, one by one. */
static void emit_changed_elements(delta *k, const spot *s)
{
    emitter *e = k->e;
    const delta_value *v = s->value;
    const char *subset = delta_local(k, "subset");
    if (v->op->field->coded) {
        emit_coded_array(k, s);
        return;
    }
    out_put(e->out,
            "pkt_subset $subset;\n"
            "if (!pkt_elements_begin(mode_, c_, &$subset, $elements, $count)) return false;\n"
            "while (pkt_elements_next(mode_, c_, &$subset)) {\n",
            "subset", subset, "elements", s->elements, "count", spell_bitmap_count(k, s), NULL);
    delta_open_scope(k);
    emit_element_index(k, s, arena_printf(e->arena, "%s.index", subset));
    const spot element = spot_of_element(k, s);
    if (v->inner->form == DELTA_ARRAY)
        emit_elements(k, &element, NULL);
    emit_item(k, &element);
    if (!is_compound(v->inner))
        out_put(e->out, "c_->changed = true;\n", NULL);
    delta_close_scope(k);
    out_put(e->out, "}\nif (!$subset.whole) return false;\n", "subset", subset, NULL);
}

/* A nested type, through its own delta functions. Those of a type that may be coded work on the same cursor. before: what `old` has
 * moved from; NULL if nothing in the type moves, or `old` is NULL. */
static void emit_nested_delta(const emitter *e, const decl *d, const char *m, const char *old, const char *before)
{
    if (before != NULL)
        out_put(e->out, "c_->coding->before = $before;\n", "before", before, NULL);
    out_put(e->out,
            d->holds_coded
                ? "if (!(PKT_READING ? ${type}_delta_get_(c_, $old, &out_->$m) : ${type}_delta_put_(c_, $old, "
                  "&in_->$m))) return false;\n"
                : "PKT_DELTA($type, $m, $old);\n",
            "type", spell_decl(e, d), "m", m, "old", old, NULL);
}

/* Whether new elements of a list can start from those of a start value. */
static bool asks_start(const field *list)
{
    return list->owner->starts && is_own_list(list);
}

/* Declares start_, the start value of the part, or NULL. */
static void emit_start(emitter *e, const decl *d)
{
    out_put(e->out, "const $type *const start_ = (const $type *)pkt_start(c_, &${type}_type_);\n", "type",
            spell_decl(e, d), NULL);
}

/* A new element i, if the start value has one with its key: start_element_, or NULL. */
static void emit_start_element(emitter *e, const field *list, const char *m, const char *unless)
{
    out_put(
        e->out,
        "const $of *const start_element_ = ${unless}start_ != NULL ? ${type}_${list}_find(start_, in_->$m.$key) : NULL;\n",
        "of", spell_decl(e, list->type.decl), "unless", unless, "type", spell_decl(e, list->owner), "list", list->name,
        "m", m, "key", list->by->name, NULL);
}

/* The start value was not predicted, so the element stays. */
static void emit_delta_from_start(emitter *e, const op *list, const char *m)
{
    if (op_goes(list))
        out_put(e->out, "const uint32_t back_ = pkt_hold(c_->coding);\n", NULL);
    emit_nested_delta(e, list->field->type.decl, m, "start_element_", op_follows(list) ? "start_element_" : NULL);
    if (op_goes(list))
        out_put(e->out, "c_->coding->back = back_;\n", NULL);
}

/* The keys have changed, so the elements of the baseline were copied again. */
static void emit_moved_list(delta *k, const spot *s)
{
    emitter *e = k->e;
    const delta_value *v = s->value;
    const char *old = arena_printf(e->arena, "%s[pairs_.j]", s->old);
    if (!op_moves(v->op) || !k->type->decl->moves)
        return;
    const bool follows = op_follows(v->op);
    out_put(e->out,
            "if (PKT_READING && c_->changed) {\n"
            "$at"
            "    while (pkt_pairs_next(&pairs_)) {\n"
            "        if (!pairs_.in_old || !pairs_.in_now) continue;\n",
            "at", follows ? "    uint32_t at_ = 0;\n" : "", NULL);
    out_indent(e->out);
    out_indent(e->out);
    emit_listed(e, s, arena_printf(e->arena, "&%s", old), "at_");
    out_put(e->out, "${type}_move_(c_->coding, &$old, $listed&out_->$m[pairs_.i]);\n", "type",
            spell_decl(e, v->op->field->type.decl), "old", old, "listed",
            follows ? arena_printf(e->arena, "%s, ", delta_listed(k, v)) : "", "m", s->m, NULL);
    out_dedent(e->out);
    out_dedent(e->out);
    out_put(e->out,
            "    }\n"
            "    pairs_ = pkt_pairs_of($lists);\n"
            "}\n",
            "lists", spell_lists(k, s), NULL);
}

/* The keys, the elements that have changed, and the new elements. */
static void emit_list(delta *k, const spot *s)
{
    emitter *e = k->e;
    const delta_value *v = s->value;
    const field *f = v->op->field;
    const char *i = delta_index(k, v), *lists = spell_lists(k, s);
    const bool starts = asks_start(f);
    emit_keys(e, f, "keys_");
    if (starts)
        emit_start(e, f->owner);
    out_put(e->out,
            "pkt_pairs pairs_;\n"
            "uint32_t news_ = 0;\n"
            "if (!PKT_READING && !pkt_list_put_keys(mode_, c_, ${m}_moved_, $lists, &news_)) return false;\n"
            "if (mode_ == PKT_READ) {\n"
            "    uint32_t count_ = 0;\n"
            "    if (!pkt_list_get_keys(c_, &keys_, $old, $held, out_->$m, &count_, &news_)) return false;\n"
            "    out_->${m}_count = ($type)count_;\n"
            "}\n"
            "pairs_ = pkt_pairs_of($lists);\n",
            "lists", lists, "old", s->old, "held", s->held, "m", s->m, "type", cname_storage(storage_for(v->op->count)),
            NULL);
    emit_moved_list(k, s);
    if (op_follows(v->op))
        out_put(e->out, "uint32_t at_ = 0;\n", NULL);
    emit_changed_elements(k, s);
    const bool own_masks = has_new_masks(f->type.decl);
    if (own_masks)
        out_put(e->out, "const bool in_new_ = c_->coding->is_new;\nc_->coding->is_new = true;\n", NULL);
    out_put(e->out,
            "pairs_ = pkt_pairs_of($lists);\n"
            "while (news_ != 0 && pkt_pairs_next(&pairs_)) {\n",
            "lists", lists, NULL);
    delta_open_scope(k);
    out_put(e->out,
            "const uint32_t $i = pairs_.i;\n"
            "if (pairs_.in_old) continue;\n",
            "i", i, NULL);
    const char *m = arena_printf(e->arena, "%s[%s]", s->m, i);
    if (starts) {
        emit_start_element(e, f, m, "");
        out_put(e->out, "if (start_element_ != NULL) {\n", NULL);
        out_indent(e->out);
        out_put(e->out, "if (PKT_READING) $copy;\n", "copy",
                spell_copy(e, f->type.decl, arena_printf(e->arena, "&out_->%s", m), "start_element_"), NULL);
        emit_delta_from_start(e, v->op, m);
        out_dedent(e->out);
        out_put(e->out, "} else {\n", NULL);
        out_indent(e->out);
    }
    emit_nested_delta(e, f->type.decl, m, "NULL", NULL);
    if (starts)
        out_close(e->out);
    out_put(e->out, "c_->changed = true;\nnews_--;\n", NULL);
    delta_close_scope(k);
    out_put(e->out, "}\n", NULL);
    if (own_masks)
        out_put(e->out, "c_->coding->is_new = in_new_;\n", NULL);
}

static void emit_array(delta *k, const spot *s)
{
    if (is_list(s->value->op)) {
        emit_list(k, s);
        return;
    }
    if (s->value->head != NULL)
        emit_delta_count(k, s);
    emit_changed_elements(k, s);
}

/* If the number to compare with is a choice, declares a local for it, and returns its name. */
static const char *emit_choice(delta *k, const spot *s, const char *name, const char *number)
{
    emitter *e = k->e;
    if (s->has == NULL)
        return number;
    out_put(e->out, "const $type $name = $value;\n", "type", spell_type(e, s->value->op->type), "name",
            delta_local(k, name), "value", number, NULL);
    return delta_local(k, name);
}

/* A number in steps or coded. */
static void emit_number(delta *k, const spot *s)
{
    const emitter *e = k->e;
    const delta_value *v = s->value;
    const bool predicted = delta_is_predicted(k, v), moves = predicted && op_moves(v->op);
    const char *as = v->op->field->values ? "PKT_AS_CATEGORY($as)" : "$as";
    const char *line = arena_printf(e->arena,
                                    predicted                ? "PKT_PREDICTED($how, $m, %s, $old, $before, $codes, "
                                    : v->form == DELTA_STEPS ? "PKT_STEP($m, %s, $old, $small, $large, "
                                                             : "PKT_CODED($m, %s, $old, $old, $codes, ",
                                    as);
    leaf l = spot_leaf(e, s);
    l.old = emit_choice(k, s, "from", s->old);
    l.before = !moves ? l.old : op_goes(v->op) ? s->before : emit_choice(k, s, "came", s->before);
    l.code = delta_step_codes(k, v);
    leaf_put(e,
             arena_printf(e->arena, "%s%s, %s);\n", line, v->may_equal ? "true" : "false",
                          v->may_equal || l.code == NULL ? "NULL" : "&$code"),
             &l);
    if (v->may_equal && !predicted)
        emit_delta_refusal(k, s);
}

static void emit_delta_value(delta *k, const spot *s)
{
    emitter *e = k->e;
    const delta_value *v = s->value;
    switch (v->form) {
    case DELTA_FLIP: out_put(e->out, "if (PKT_READING) out_->$m = !in_->$m;\n", "m", s->m, NULL); return;
    case DELTA_FULL:
        emit_steps(e, v->full);
        emit_delta_refusal(k, s);
        return;
    case DELTA_STEPS:
    case DELTA_CODED: emit_number(k, s); return;
    case DELTA_OF_TYPE: emit_nested_delta(e, v->op->of->decl, s->m, s->old, s->before); return;
    case DELTA_ARRAY: emit_array(k, s); return;
    case DELTA_OPTIONAL: break;
    }
    assert(false && "an optional is only ever a field");
}

/* An expression: does the baseline have the value of an optional? */
static const char *spell_had(const emitter *e, const delta_value *v, const char *took)
{
    const char *had = arena_printf(e->arena, "base_->has_%s", v->op->field->name);
    return took == NULL ? had : arena_printf(e->arena, "(%s && %s)", took, had);
}

void emit_delta_of_element(emitter *e, const wire_type *t, const delta_value *array)
{
    delta k = {.e = e, .type = t, .from = "before_"};
    const spot all = spot_of_field(&k, array, NULL), element = spot_of_element(&k, &all);
    const uint64_t bytes = bytes_of_element(&element);
    const bool list = is_list(array->op), moves = op_moves(array->op), follows = op_follows(array->op);
    const char *unless = "";
    if (follows)
        out_put(e->out, "const $name *const before_ = (const $name *)c_->coding->before;\n", "name",
                spell_decl(e, t->decl), NULL);
    if (follows && list) /* before_ is the predicted baseline, with the same keys */
        out_put(e->out, "const $type *const $listed = j0_ != UINT32_MAX ? &before_->$m[j0_] : NULL;\n", "type",
                spell_decl(e, array->op->field->type.decl), "listed", delta_listed(&k, array), "m", all.m, NULL);
    if (bytes != 0 && !moves)
        unless = arena_printf(e->arena, "!pkt_same_whole(&in_->%s, %s, sizeof in_->%s, %s) && ", element.m, element.old,
                              element.m, spell_number(e, bytes));
    const char *differs = delta_is_predicted(&k, array->inner) ? emit_predicted_changed(e, &element, "step_", "")
                                                               : spell_changed(e, &element, false);
    out_put(e->out,
            list ? "if (j0_ != UINT32_MAX) c_->changed = $unless$differs;\n" : "c_->changed = $unless$differs;\n",
            "unless", unless, "differs", differs, NULL);
    out_put(e->out, "if (!c_->changed) return true;\n", NULL);
    if (list && has_new_masks(array->op->field->type.decl))
        out_put(e->out, "c_->coding->is_new = j0_ == UINT32_MAX;\n", NULL);
    if (list && asks_start(array->op->field)) {
        emit_start(e, t->decl);
        emit_start_element(e, array->op->field, element.m, "j0_ == UINT32_MAX && ");
        out_put(e->out, "if (start_element_ != NULL) {\n", NULL);
        out_indent(e->out);
        emit_delta_from_start(e, array->op, element.m);
        out_put(e->out, "c_->changed = true;\nreturn true;\n", NULL);
        out_close(e->out);
    }
    if (list)
        emit_nested_delta(e, array->op->field->type.decl, element.m,
                          arena_printf(e->arena, "j0_ != UINT32_MAX ? %s : NULL", element.old), element.before);
    else
        emit_delta_value(&k, &element);
    out_put(e->out, "c_->changed = true;\n", NULL);
}

static void emit_optional(delta *k, const delta_value *v, const spot *s)
{
    emitter *e = k->e;
    const char *name = v->op->field->name;
    emit_steps(e, v->head);
    out_put(e->out, "c_->changed = in_->has_$name != $had;\nif (in_->has_$name) {\n", "name", name, "had", s->has,
            NULL);
    out_indent(e->out);
    if (v->inner->form == DELTA_ARRAY) {
        out_put(e->out, "if (PKT_READING && !$had) {\n", "had", s->has, NULL);
        out_indent(e->out);
        emit_base_of_value(e, v->op->field, "out_->", HELD_KEPT);
        out_close(e->out);
    }
    emit_delta_value(k, s);
    out_close(e->out);
    out_put(e->out, must_change, NULL);
}

/* Ignores the bit of the mask: a baseline may hold anything in an optional that it does not have. */
static void emit_absent(delta *k, const delta_value *v)
{
    emitter *e = k->e;
    out_put(e->out, "if (PKT_READING && !in_->has_$name) {\n", "name", v->op->field->name, NULL);
    out_indent(e->out);
    emit_base_of_value(e, v->op->field, "out_->", HELD_KEPT);
    out_close(e->out);
}

/* ---- branches */

/* Declares a local that says whether the baseline took the same side, and returns its name. When reading, sets the
 * fields of the other sides to base values, and those of this side if it is new. outer: the same local of the branch
 * around this one, or NULL; if the baseline did not take that side, all fields in it have base values already. */
static const char *emit_taken(delta *k, const op *o, const char *outer)
{
    emitter *e = k->e;
    const char *side = arena_printf(e->arena, "side%u_", (unsigned)o->number);
    const char *took = arena_printf(e->arena, "took%u_", (unsigned)o->number);
    out_put(e->out,
            "const unsigned $side = $in;\n"
            "const bool $took = $outer($base) == $side;\n"
            "if (PKT_READING$inside) ",
            "side", side, "took", took, "in", spell_side(e, k->type, o, "in_"), "base",
            spell_side(e, k->type, o, "base_"), "outer", outer != NULL ? arena_printf(e->arena, "%s && ", outer) : "",
            "inside", outer != NULL ? arena_printf(e->arena, " && %s", outer) : "", NULL);
    emit_clear(e, k->type, o, "out_", arena_printf(e->arena, "%s ? %s : 0", took, side));
    return took;
}

static void emit_branch(delta *k, const delta_step *s, const char *outer)
{
    emitter *e = k->e;
    const bool is_if = s->kind == DELTA_IF;
    const char *took = s->op->has_fields ? emit_taken(k, s->op, outer) : NULL, *from = k->from;
    bool has_default = false;
    if (op_follows(s->op)) {
        k->from = arena_printf(e->arena, "earlier%u_", (unsigned)s->op->number);
        out_put(e->out, "const $type *const $earlier = $took && ($side) == side${number}_ ? $from : base_;\n", "type",
                spell_decl(e, k->type->decl), "earlier", k->from, "took", took, "side",
                spell_side(e, k->type, s->op, from), "number", spell_number(e, s->op->number), "from", from, NULL);
    }
    out_put(e->out, is_if ? "if ($asked) {\n" : "switch ($asked) {\n", "asked",
            is_if ? spell_branch_condition(e, s->op, "in_->") : spell_subject(e, s->op, "in_->"), NULL);
    for (const delta_side *side = s->sides; side != NULL; side = side->next) {
        if (!is_if) {
            has_default |= side->arm->arm->is_default;
            out_put(e->out, "$labels {\n", "labels", spell_labels(e, side->arm->arm, "in_->"), NULL);
        }
        delta_open_scope(k);
        emit_delta_block(k, side->block, took);
        out_put(e->out, is_if ? "" : "break;\n", NULL);
        delta_close_scope(k);
        out_put(e->out, is_if && side->next != NULL ? "} else {\n" : "}\n", NULL);
    }
    if (!is_if)
        out_put(e->out, has_default ? "}\n" : "default:\n    break;\n}\n", NULL);
    k->from = from;
}

/* ---- blocks */

/* An expression: does a field differ? Arrays are compared before, into a bitmap that is used again to write them. */
static const char *emit_field_differs(delta *k, const delta_value *v, const char *took)
{
    const emitter *e = k->e;
    if (v->form != DELTA_OPTIONAL) {
        const spot s = spot_of_field(k, v, took);
        if (v->form == DELTA_ARRAY)
            emit_elements(k, &s, NULL);
        if (delta_is_predicted(k, v))
            return emit_predicted_changed(e, &s, delta_step_codes(k, v), "if (!PKT_READING) ");
        if (delta_step_codes(k, v) != NULL) {
            leaf l = spot_leaf(e, &s);
            l.code = delta_step_codes(k, v);
            out_put(e->out, "pkt_step_codes $codes;\n", "codes", l.code, NULL);
            return leaf_text(e, leaf_row_of(l.op)->step_differs, &l);
        }
        return v->form == DELTA_ARRAY ? spell_array_changed(k, &s) : spell_changed(e, &s, false);
    }
    const char *has = arena_printf(e->arena, "in_->has_%s", v->op->field->name), *had = spell_had(e, v, took);
    const bool is_array = v->inner->form == DELTA_ARRAY;
    const spot s =
        spot_of_field(k, v->inner, is_array ? had : NULL); /* a single value is compared only if both have it */
    const char *changed;
    if (is_array)
        emit_elements(k, &s, has);
    if (delta_is_predicted(k, v->inner))
        changed = emit_predicted_changed(e, &s, arena_printf(e->arena, "%s_step_", v->op->field->name),
                                         arena_printf(e->arena, "if (!PKT_READING && %s && %s) ", has, had));
    else
        changed = is_array ? spell_array_changed(k, &s) : spell_changed(e, &s, false);
    return arena_printf(e->arena, "%s != %s || (%s && (%s))", has, had, has, changed);
}

/* A line about fields that are compared together. */
static void emit_group(delta *k, const delta_block *b, unsigned first, const char *took, const group_row *g)
{
    const emitter *e = k->e;
    const unsigned count = b->fields[first].together;
    leaf leaves[4];
    for (unsigned i = 0; i < count; i++) {
        const spot s = spot_of_field(k, b->fields[first + i].value, took);
        leaves[i] = spot_leaf(e, &s);
        if (g == &group_values && took != NULL)
            leaves[i].old = leaves[i].value;
    }
    leaf_put_group(
        e, g, leaves, count,
        arena_printf(e->arena, "%s, %u, %s", delta_mask(k, first), first % MASK_BITS, delta_code(k, b, first)));
}

static leaf leaf_in_row(delta *k, const delta_block *b, unsigned n, const char *took)
{
    const spot s = spot_of_field(k, b->fields[n].value, took);
    leaf l = spot_leaf(k->e, &s);
    l.mask = delta_mask(k, n);
    l.bit = spell_number(k->e, n % MASK_BITS);
    l.code = delta_code(k, b, n);
    return l;
}

/* The same when reading. On a side of a branch that the baseline did not take, the field has been set to its base value.
 * Elsewhere it is the baseline's, which is better loaded from there, because the copy was just stored. */
static leaf leaf_read_in_row(delta *k, const delta_block *b, unsigned n, const char *took)
{
    leaf l = leaf_in_row(k, b, n, took);
    if (took != NULL)
        l.old = l.value;
    return l;
}

/* Writing: compares a field, and gathers it if it is in a row. Fields compared together come with the first. */
static void emit_field_comparison(delta *k, const delta_block *b, unsigned n, const char *differs, const char *took)
{
    const emitter *e = k->e;
    const delta_field *f = &b->fields[n];
    if (f->together > 1)
        emit_group(k, b, n, took, &group_compare);
    if (f->in_row && f->value->form != DELTA_FLIP) {
        leaf l = leaf_in_row(k, b, n, took);
        l.row = delta_row(k, b, n);
        l.differs = differs;
        leaf_put(e,
                 l.code != NULL ? "pkt_gather_code(&$row, $code);\n"
                                : "PKT_GATHER($m, $as, $differs, $mask, $bit, $row);\n",
                 &l);
        return;
    }
    out_put(e->out, "$mask |= PKT_BIT($bit, $differs);\n", "mask", delta_mask(k, n), "differs", differs, "bit",
            spell_number(e, n % MASK_BITS), NULL);
}

/* Compares each field with the baseline's, into the mask, which is then written or read. */
static void emit_mask(delta *k, const delta_block *b, const char *took)
{
    emitter *e = k->e;
    const char **differs = ARENA_ARRAY(e->arena, const char *, b->count);
    for (unsigned n = 0; n < b->count; n++)
        differs[n] = emit_field_differs(k, b->fields[n].value, took);
    for (unsigned n = 0; n < b->count; n += MASK_BITS)
        out_put(e->out, "uint64_t $mask = 0;\n", "mask", delta_mask(k, n), NULL);
    for (unsigned n = 0; n < b->count; n++)
        if (b->fields[n].together > 1)
            out_put(e->out, "uint32_t $codes[8];\n", "codes", delta_code(k, b, n), NULL);
    if (delta_rows(b, b->count - 1) != 0)
        out_put(e->out, "pkt_gathered $rows[$count] = {{0, 0}};\n", "rows", delta_local(k, "rows"), "count",
                spell_number(e, delta_rows(b, b->count - 1)), NULL);
    out_put(e->out, "if (!PKT_READING) {\n", NULL);
    out_indent(e->out);
    for (unsigned n = 0; n < b->count; n++)
        emit_field_comparison(k, b, n, differs[n], took);
    out_close(e->out);
    if (b->mask_in_coded_row)
        return;
    if (b->of->masks != NULL) {
        out_put(e->out, "if (!pkt_coded_mask(mode_, c_, &$mask, &$codes)) return false;\n", "mask", delta_mask(k, 0),
                "codes", spell_masks(e, k->type->decl, b->of), NULL);
        return;
    }
    for (unsigned n = 0; n < b->count; n += MASK_BITS) {
        const unsigned left = b->count - n, here = left < MASK_BITS ? left : MASK_BITS;
        if (b->mask_in_row)
            out_put(e->out, "PKT_CHANGES_RUN($mask, $bits, $row);\n", "mask", delta_mask(k, n), "bits",
                    spell_number(e, here), "row", delta_row(k, b, n), NULL);
        else
            out_put(e->out, "PKT_CHANGES($mask, $bits, $rest);\n", "mask", delta_mask(k, n), "bits",
                    spell_number(e, here), "rest", spell_number(e, left - here), NULL);
    }
}

/* A bool: its bit in the mask is enough. */
static const char flip_line[] = "if (PKT_READING) out_->$m = $old != PKT_HAS_BIT($mask, $bit);\n";

enum { PLACES = 4 };

/* The lines of up to PLACES fields of a row from `first` on. Returns the name of their places. */
static const char *emit_places(delta *k, const delta_block *b, unsigned first, unsigned count, const char *took)
{
    emitter *e = k->e;
    const char *places = delta_local(k, arena_printf(e->arena, "places%uon", first)), *widths = "";
    for (unsigned n = first; n < first + count; n++)
        widths = arena_printf(e->arena, "%s, %u", widths, delta_row_bits(&b->fields[n]));
    for (unsigned n = count; n != PLACES / 2 && n < PLACES; n++)
        widths = arena_printf(e->arena, "%s, 0", widths);
    out_put(e->out,
            count > PLACES / 2 ? "PKT_PLACES4($places, $mask, $bit$widths);\n"
                               : "PKT_PLACES2($places, $mask, $bit$widths);\n",
            "places", places, "mask", delta_mask(k, first), "bit", spell_number(e, first % MASK_BITS), "widths", widths,
            NULL);
    for (unsigned n = first; n < first + count; n++) {
        leaf l = leaf_read_in_row(k, b, n, took);
        l.places = places;
        l.index = spell_number(e, n - first);
        if (b->fields[n].value->form == DELTA_FLIP)
            leaf_put(e, flip_line, &l);
        else
            leaf_put(e,
                     l.code != NULL ? "pkt_changed_code(mode_, c_, $bits, $places->at[$index], $code);\n"
                                    : "PKT_CHANGED($m, $as, $old, $places, $index);\n",
                     &l);
    }
    return places;
}

static void emit_delta_row(delta *k, const delta_block *b, const delta_step *row, const char *took)
{
    const unsigned end = row->first + row->count;
    const char *places = NULL;
    if (row->first != 0 || !b->mask_in_row)
        out_put(k->e->out, "pkt_changed_run(mode_, c_);\n", NULL);
    for (unsigned n = row->first, count; n < end; n += count) {
        const unsigned left = MASK_BITS - n % MASK_BITS;
        count = end - n;
        count = count < PLACES ? count : PLACES;
        count = count < left ? count : left;
        if (places != NULL)
            out_put(k->e->out, "pkt_places_next(mode_, c_, $places);\n", "places", places, NULL);
        places = emit_places(k, b, n, count, took);
    }
    out_put(k->e->out, "if (!pkt_changed_end(mode_, c_, &$row, $places->bits)) return false;\n", "row",
            delta_row(k, b, row->first), "places", places, NULL);
}

static void emit_coded_row(delta *k, const delta_block *b, const delta_step *row, const char *took)
{
    leaf leaves[CODED_ROW_MOST];
    bool moves = false;
    for (unsigned i = 0; i < row->count; i++) {
        const delta_value *v = b->fields[row->first + i].value;
        const spot s = spot_of_field(k, v, took);
        leaves[i] = spot_leaf(k->e, &s);
        leaves[i].code = delta_step_codes(k, v);
        moves |= delta_is_predicted(k, v);
    }
    const char *changes = "NULL";
    if (b->mask_in_coded_row && row->first == 0)
        changes = arena_printf(k->e->arena, "&%s", spell_masks(k->e, k->type->decl, b->of));
    leaf_put_coded_row(k->e, leaves, row->count, delta_mask(k, row->first), changes, row->first % MASK_BITS, moves);
}

/* An `after` field that is not sent: the field that it comes after may have changed and be greater now. */
static void emit_still_after(delta *k, const delta_value *v)
{
    emitter *e = k->e;
    const field *f = v->op->field;
    out_put(e->out, v->form == DELTA_OPTIONAL ? "} else if (in_->has_$m) {\n" : "} else {\n", "m", f->name, NULL);
    out_indent(e->out);
    out_put(e->out, "if (in_->$m <= in_->$start) return false;\n", "m", f->name, "start", f->after->name, NULL);
    out_dedent(e->out);
}

static void emit_changed(delta *k, const delta_block *b, unsigned n, const char *took)
{
    emitter *e = k->e;
    const delta_value *v = b->fields[n].value;
    const bool optional = v->form == DELTA_OPTIONAL;
    const spot s = spot_of_field(k, optional ? v->inner : v, optional ? spell_had(e, v, took) : took);
    if (v->form == DELTA_FLIP) {
        const leaf l = leaf_read_in_row(k, b, n, took);
        leaf_put(e, flip_line, &l);
        return;
    }
    out_put(e->out, "if (PKT_HAS_BIT($mask, $bit)) {\n", "mask", delta_mask(k, n), "bit",
            spell_number(e, n % MASK_BITS), NULL);
    delta_open_scope(k);
    if (optional)
        emit_optional(k, v, &s);
    else
        emit_item(k, &s);
    delta_close_scope(k);
    if (v->op->field->after != NULL)
        emit_still_after(k, v);
    out_put(e->out, "}\n", NULL);
    if (optional)
        emit_absent(k, v);
}

static void emit_delta_block(delta *k, const delta_block *b, const char *took)
{
    if (b->count != 0)
        emit_mask(k, b, took);
    for (const delta_step *s = b->steps; s != NULL; s = s->next) {
        switch (s->kind) {
        case DELTA_ROW: emit_delta_row(k, b, s, took); break;
        case DELTA_VALUES: emit_group(k, b, s->first, took, &group_values); break;
        case DELTA_NUMBERS: emit_coded_row(k, b, s, took); break;
        case DELTA_CHANGED: emit_changed(k, b, s->first, took); break;
        case DELTA_ALWAYS: emit_steps(k->e, s->always); break;
        case DELTA_IF:
        case DELTA_SWITCH: emit_branch(k, s, took); break;
        }
    }
}

/* ---- types */

/* If the baseline's union has another member, the new one starts from base values, because its fields are sent as
 * changes of these. *out_ is a copy of the baseline. */
static void emit_delta_union(delta *k, const delta_plan *p)
{
    emitter *e = k->e;
    const decl *d = p->type->decl;
    emit_steps(e, p->tag);
    out_put(e->out, "if (chosen_ != base_->tag) c_->changed = true;\nswitch (chosen_) {\n", NULL);
    for (const op_arm *a = p->type->body->arms; a != NULL; a = a->next) {
        const char *m = a->member->name, *tag = spell_member(e, d, a->member);
        out_put(e->out,
                "case $tag:\n"
                "    if (PKT_READING && out_->tag != $tag) {\n"
                "        memset(&out_->as.$m, 0, sizeof out_->as.$m);\n"
                "        ${type}_base(&out_->as.$m);\n"
                "        out_->tag = $tag;\n"
                "    }\n",
                "type", spell_decl(e, a->member->type), "m", m, "tag", tag, NULL);
        out_indent(e->out);
        emit_nested_delta(e, a->member->type, arena_printf(e->arena, "as.%s", m),
                          arena_printf(e->arena, "base_->tag == %s ? &base_->as.%s : NULL", tag, m),
                          op_follows(a->body)
                              ? arena_printf(e->arena, "&(before_->tag == %s ? before_ : base_)->as.%s", tag, m)
                              : NULL);
        out_put(e->out, "break;\n", NULL);
        out_dedent(e->out);
    }
    out_put(e->out, "default:\n    return false;\n}\n", NULL);
}

void emit_delta(emitter *e, const delta_plan *p, delta_use use, bool compared)
{
    const wire_type *t = p->type;
    const decl *d = t->decl;
    const char *name = spell_decl(e, d);
    delta k = {.e = e, .type = t, .from = t->follows ? "before_" : NULL};
    /* Each file also has the deltas that it needs of types from other files. A translation unit has them once. */
    const bool guarded = d->file != e->file || !d->file->root;
    if (guarded)
        out_put(e->out, "#ifndef PKT_DELTA_OF_$name\n#define PKT_DELTA_OF_$name\n", "name", name, NULL);
    emit_sound(e, t);
    emit_ways(e, t);
    if (compared)
        emit_same(e, t);
    emit_copy(e, d, false);
    if (t->moves && t->decl->moves)
        emit_move(e, t);
    out_put(e->out,
            "/* The delta of $name: at most $most bits. */\n"
            "PKT_INLINE bool ${name}_delta(const pkt_mode mode_, pkt_cursor *c_, const $name *base_, const $name *in_, "
            "$name *out_)\n{\n",
            "name", name, "most", spell_number(e, t->delta_most), NULL);
    out_indent(e->out);
    if (t->follows)
        out_put(e->out, "const $name *const before_ = (const $name *)c_->coding->before;\n", "name", name, NULL);
    const bool fieldless = d->kind == DECL_STRUCT && !has_fields(t->body);
    if (fieldless && t->delta_most == 0)
        out_put(e->out, "(void)mode_;\n(void)c_;\n", NULL);
    if (fieldless)
        out_put(e->out, "(void)base_;\n(void)in_;\n(void)out_;\n", NULL);
    if (d->kind == DECL_UNION)
        emit_delta_union(&k, p);
    else if (t->body)
        emit_delta_block(&k, p->block, NULL);
    out_put(e->out, "return true;\n", NULL);
    out_close(e->out);
    out_put(e->out, "\n", NULL);
    emit_delta_instances(e, t, use);
    if (guarded)
        out_put(e->out, "#endif\n\n", NULL);
}
