/* expr_words.c - conditions and counts as .pkt writes them.
 * SPDX-License-Identifier: MIT
 */
#include "model/schema.h"

static const char *path_words(arena *a, const path *p)
{
    const char *text = p->field->name;
    for (p = p->next; p; p = p->next)
        text = arena_printf(a, "%s.%s", text, p->field->name);
    return text;
}

const char *expr_words(arena *a, const expr *e)
{
    switch (e->kind) {
    case EXPR_VALUE: return e->name ? e->name : num_text(a, e->number);
    case EXPR_FIELD: return path_words(a, e->path);
    case EXPR_COUNT: return arena_printf(a, "%s_count", path_words(a, e->path));
    case EXPR_HAS: return arena_printf(a, "has_%s", path_words(a, e->path));
    case EXPR_ONES: return arena_printf(a, "bits(%s)", path_words(a, e->path));
    case EXPR_OPERATOR: break;
    }
    const bool deep_left = e->left->left != NULL, deep_right = e->right && e->right->left;
    const char *left = arena_printf(a, deep_left ? "(%s)" : "%s", expr_words(a, e->left));
    if (!e->right)
        return arena_printf(a, "%s%s", operator_text(e->operator), left);
    const char *right = arena_printf(a, deep_right ? "(%s)" : "%s", expr_words(a, e->right));
    return arena_printf(a, "%s %s %s", left, operator_text(e->operator), right);
}
