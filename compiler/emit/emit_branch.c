/* emit_branch.c - each if and switch: which side a value takes, and base values for the other sides.
 * SPDX-License-Identifier: MIT
 *
 * Sides are numbered from 1: the two of an if, the arms of a switch; T_sideN_ says which arm a value takes. The fields of
 * the sides that a value does not take have base values. T_clearN_ sets them, for branch N of T, in a read and in
 * T_quantize. It names each field once: if each side named the fields of all others, the code would grow with the square
 * of the sides. A call of its own function clears a branch inside a side. If that function calls others again, it is in
 * NAME.c and never inlined: otherwise the C compiler would repeat a branch inside ten others ten times.
 */
#include "emit/emit_internal.h"

const char *spell_branch_condition(const emitter *e, const op *o, const char *base)
{
    return spell_condition(e, o->item->as.branch.condition, base);
}

const char *spell_subject(const emitter *e, const op *o, const char *base)
{
    const expr *subject = o->item->as.choice.subject;
    return arena_printf(e->arena, subject->type == EXPR_BOOL ? "(int)%s" : "%s", spell_condition(e, subject, base));
}

const char *spell_labels(const emitter *e, const arm *a, const char *base)
{
    out *text = out_new(e->arena);
    size_t size;
    for (uint32_t i = 0; i < a->value_count; i++)
        out_put(text, i == 0 ? "case $value:" : " case $value:", "value", spell_condition(e, a->values[i], base), NULL);
    if (a->is_default)
        out_put(text, a->value_count == 0 ? "default:" : " default:", NULL);
    return out_result(text, &size);
}

const char *spell_side(const emitter *e, const wire_type *t, const op *o, const char *v)
{
    if (o->kind == OP_IF)
        return arena_printf(e->arena, "%s ? 1 : 2", spell_branch_condition(e, o, arena_printf(e->arena, "%s->", v)));
    return arena_printf(e->arena, "%s_side%u_(%s)", spell_decl(e, t->decl), (unsigned)o->number, v);
}

void emit_clear(emitter *e, const wire_type *t, const op *o, const char *v, const char *kept)
{
    out_put(e->out, "${type}_clear${number}_($v, $kept);\n", "type", spell_decl(e, t->decl), "number",
            spell_number(e, o->number), "v", v, "kept", kept, NULL);
}

/* ---- the functions */

/* The branch as the schema has it: "if (pace > 9)". */
static const char *schema_text(const emitter *e, const op *o)
{
    const item *i = o->item;
    const bool is_if = o->kind == OP_IF;
    return arena_printf(e->arena, "%s %s", is_if ? "if" : "switch",
                        expr_text(e->arena, is_if ? i->as.branch.condition : i->as.choice.subject));
}

static void emit_arms(emitter *e, const op *o)
{
    bool has_default = false;
    unsigned n = 0;
    out_put(e->out, "switch ($subject) {\n", "subject", spell_subject(e, o, "v_->"), NULL);
    for (const op_arm *a = o->arms; a != NULL; a = a->next) {
        has_default |= a->arm->is_default;
        out_put(e->out, "$labels return $n;\n", "labels", spell_labels(e, a->arm, "v_->"), "n", spell_number(e, ++n),
                NULL);
    }
    out_put(e->out, has_default ? "}\n" : "default: return 0;\n}\n", NULL);
}

static void emit_side_function(emitter *e, const wire_type *t, const op *o)
{
    out_put(e->out, "/* `$asked`: which arm the value takes, counted from 1; 0 if none. */\n", "asked",
            schema_text(e, o), NULL);
    out_put(e->out, "static inline unsigned ${name}_side${number}_(const $name *v_)\n{\n", "name",
            spell_decl(e, t->decl), "number", spell_number(e, o->number), NULL);
    out_indent(e->out);
    emit_arms(e, o);
    out_dedent(e->out);
    out_put(e->out, "}\n\n", NULL);
}

/* Branches in a side set their fields by their own functions, so that code grows with the fields and not with the
 * branches around each. */
static void emit_cleared_side(emitter *e, const wire_type *t, const op *side, unsigned n)
{
    if (!has_fields(side))
        return;
    out_put(e->out, "if (kept_ != $n) {\n", "n", spell_number(e, n), NULL);
    out_indent(e->out);
    for (; side != NULL; side = side->next)
        if (side->field != NULL)
            emit_base_of_field(e, side->field, "v_->", HELD_ANYTHING);
        else if (side->has_fields)
            emit_clear(e, t, side, "v_", "0");
    out_close(e->out);
}

static const char clear_prototype[] =
    "/* `$asked`: sets the fields of all sides to base values, except those of side kept_; 0 keeps none. */\n"
    "void ${name}_clear${number}_($name *v_, unsigned kept_);\n\n";
static const char clear_in_source[] = "PKT_NOINLINE void ${name}_clear${number}_($name *v_, unsigned kept_)\n{\n";
static const char clear_in_header[] =
    "/* `$asked`: sets the fields of all sides to base values, except those of side kept_; 0 keeps none. */\n"
    "static inline void ${name}_clear${number}_($name *v_, unsigned kept_)\n{\n";

static void emit_clear_head(emitter *e, const wire_type *t, const op *o, const char *head)
{
    out_put(e->out, head, "asked", schema_text(e, o), "name", spell_decl(e, t->decl), "number",
            spell_number(e, o->number), NULL);
}

static void emit_clear_function(emitter *e, const wire_type *t, const op *o, const char *head)
{
    const bool is_if = o->kind == OP_IF;
    unsigned n = 0;
    emit_clear_head(e, t, o, head);
    out_indent(e->out);
    if (is_if) {
        emit_cleared_side(e, t, o->body, 1);
        emit_cleared_side(e, t, o->other, 2);
    }
    for (const op_arm *a = is_if ? NULL : o->arms; a != NULL; a = a->next)
        emit_cleared_side(e, t, a->body, ++n);
    out_dedent(e->out);
    out_put(e->out, "}\n\n", NULL);
}

/* Whether the function that sets base values is called. depth: the branches in one another in this one. */
static bool is_called(unsigned depth)
{
    return depth > 1;
}

static void emit_for_header(emitter *e, const wire_type *t, const op *o, unsigned depth)
{
    if (o->kind == OP_SWITCH)
        emit_side_function(e, t, o);
    if (o->has_fields && is_called(depth))
        emit_clear_head(e, t, o, clear_prototype);
    else if (o->has_fields)
        emit_clear_function(e, t, o, clear_in_header);
}

static void emit_for_source(emitter *e, const wire_type *t, const op *o, unsigned depth)
{
    if (o->has_fields && is_called(depth))
        emit_clear_function(e, t, o, clear_in_source);
}

typedef void branch_emitter(emitter *e, const wire_type *t, const op *o, unsigned depth);

static unsigned emit_functions(emitter *e, const wire_type *t, const op *o, branch_emitter *emit_branch);

/* The functions of nested branches come first, because the functions around them call them. Returns the depth to which
 * branches with fields are nested, counting this one. */
static unsigned emit_functions_of(emitter *e, const wire_type *t, const op *o, branch_emitter *emit_branch)
{
    unsigned depth = emit_functions(e, t, o->body, emit_branch), other = emit_functions(e, t, o->other, emit_branch);
    depth = other > depth ? other : depth;
    for (const op_arm *a = o->arms; a != NULL; a = a->next) {
        other = emit_functions(e, t, a->body, emit_branch);
        depth = other > depth ? other : depth;
    }
    emit_branch(e, t, o, depth);
    return o->has_fields ? depth + 1 : depth;
}

static unsigned emit_functions(emitter *e, const wire_type *t, const op *o, branch_emitter *emit_branch)
{
    unsigned most = 0;
    for (; o != NULL; o = o->next) {
        const bool is_branch = o->kind == OP_IF || o->kind == OP_SWITCH;
        const unsigned depth = is_branch ? emit_functions_of(e, t, o, emit_branch) : 0;
        most = depth > most ? depth : most;
    }
    return most;
}

void emit_branches(emitter *e, const wire_type *t)
{
    emit_functions(e, t, t->body, emit_for_header);
}

void emit_nested_branches(emitter *e, const wire_type *t)
{
    emit_functions(e, t, t->body, emit_for_source);
}
