/* dissect_condition.c - conditions as Lua: lists in postfix order, which need no more depth than the stack that they
 * run on.
 * SPDX-License-Identifier: MIT
 */
#include "dissect/dissect_internal.h"

#include "base/out.h"

typedef struct writer {
    arena *arena;
    out *out;
    bool follows; /* something is in the list */
} writer;

static void put_lua_operand(writer *w, const char *text)
{
    out_put(w->out, w->follows ? ", $text" : "$text", "text", text, NULL);
    w->follows = true;
}

/* { "a", "b_count" } */
static void lua_path(writer *w, const path *p, const char *before, const char *after)
{
    const char *text = "";
    for (; p; p = p->next)
        text = p->next ? arena_printf(w->arena, "%s\"%s\", ", text, p->field->name)
                       : arena_printf(w->arena, "%s\"%s%s%s\"", text, before, p->field->name, after);
    put_lua_operand(w, arena_printf(w->arena, "{ %s }", text));
}

static bool is_narrow_expr(const expr *e)
{
    return is_narrow(e->low, e->high);
}

static void lua_expr(writer *w, const expr *e);

/* An operator works on Lua numbers if its operands and its result are Lua numbers. `&` has no such form. */
static void lua_between(writer *w, const expr *e)
{
    const bool is_number = !operator_is_logical(e->operator) && e->left->type != EXPR_BOOL;
    bool narrow =
        is_narrow_expr(e->left) && is_narrow_expr(e->right) && is_narrow_expr(e) && e->operator!= OPERATOR_MASK;
    const char *mode = !is_number || narrow ? "" : e->inside == EXPR_UNSIGNED ? "u" : "s";
    lua_expr(w, e->left);
    lua_expr(w, e->right);
    put_lua_operand(w, arena_printf(w->arena, "\"%s%s\"", mode, operator_text(e->operator)));
    if (*mode && e->type != EXPR_BOOL && is_narrow_expr(e))
        put_lua_operand(w, "\"n\"");
}

/* In 64 bits it is the difference from 0, which wraps. */
static void lua_negated(writer *w, const expr *e)
{
    const bool narrow = is_narrow_expr(e->left);
    if (!narrow)
        put_lua_operand(w, "0");
    lua_expr(w, e->left);
    put_lua_operand(w, narrow ? "\"negate\"" : "\"s-\"");
}

static void lua_operator(writer *w, const expr *e)
{
    if (e->operator== OPERATOR_NEGATE) {
        lua_negated(w, e);
    } else if (e->operator== OPERATOR_NOT) {
        lua_expr(w, e->left);
        put_lua_operand(w, "\"!\"");
    } else {
        lua_between(w, e);
    }
}

static void lua_expr(writer *w, const expr *e)
{
    switch (e->kind) {
    case EXPR_VALUE:
        if (e->type == EXPR_BOOL)
            put_lua_operand(w, e->number.magnitude ? "true" : "false");
        else
            put_lua_operand(w, lua_number(w->arena, e->number, is_narrow_expr(e)));
        break;
    case EXPR_FIELD: lua_path(w, e->path, "", ""); break;
    case EXPR_COUNT: lua_path(w, e->path, "", "_count"); break;
    case EXPR_HAS: lua_path(w, e->path, "has_", ""); break;
    case EXPR_ONES:
        lua_path(w, e->path, "", "");
        put_lua_operand(w, "\"bits\"");
        break;
    case EXPR_OPERATOR: lua_operator(w, e); break;
    }
}

const char *lua_condition(arena *a, const expr *e)
{
    writer w = {.arena = a, .out = out_new(a)};
    size_t size;
    lua_expr(&w, e);
    return arena_printf(a, "{ %s }", out_result(w.out, &size));
}
