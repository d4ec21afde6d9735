/* schema.c - what all readers of the model share.
 * SPDX-License-Identifier: MIT
 */
#include "model/schema.h"

#include <assert.h>

const char *expr_operator(expr_kind kind)
{
    switch (kind) {
    case EXPR_VALUE:
    case EXPR_FIELD:
    case EXPR_COUNT:
    case EXPR_HAS: break;
    case EXPR_NOT: return "!";
    case EXPR_NEGATE: return "-";
    case EXPR_OR: return "||";
    case EXPR_AND: return "&&";
    case EXPR_EQ: return "==";
    case EXPR_NE: return "!=";
    case EXPR_LT: return "<";
    case EXPR_LE: return "<=";
    case EXPR_GT: return ">";
    case EXPR_GE: return ">=";
    case EXPR_MASK: return "&";
    case EXPR_ADD: return "+";
    case EXPR_SUBTRACT: return "-";
    case EXPR_MULTIPLY: return "*";
    case EXPR_DIVIDE: return "/";
    case EXPR_REMAINDER: return "%";
    }
    assert(false && "not an operator");
    return "";
}

const char *sparse_mode_name(sparse_mode mode)
{
    switch (mode) {
    case SPARSE_FLAG: return "flag";
    case SPARSE_COUNT: return "count";
    case SPARSE_SENTINEL: return "sentinel";
    case SPARSE_RELATIVE: return "relative";
    case SPARSE_BITMAP: return "bitmap";
    case SPARSE_AUTO: return "auto";
    }
    assert(false && "not a mode");
    return "";
}

const char *schema_constant_prefix(arena *a, const schema *s, const schema_file *file)
{
    if (file->prefix[0] != 0)
        return file->prefix;
    return arena_printf(a, "%s_", file->root && s->protocol != NULL ? s->protocol : file->name);
}
