/* ast.c - the builders of the syntax tree: each one is the action of a production in grammar.y.
 * SPDX-License-Identifier: MIT
 *
 * A node is NULL if error recovery has skipped it; lists leave it out.
 */
#include "front/parse_internal.h"

#include <string.h>

#define NODE(T, ...) ARENA_WITH(cx->arena, T, __VA_ARGS__)

/* Appends a node to `list`, a local struct, and returns the list. */
#define APPEND(list, node)              \
    do {                                \
        if (!(node))                    \
            break;                      \
        if ((list).last)                \
            (list).last->next = (node); \
        else                            \
            (list).first = (node);      \
        (list).last = (node);           \
    } while (0)

/* The same for a new node, with these members. */
#define APPEND_NEW(list, T, ...)               \
    do {                                       \
        T *const added = NODE(T, __VA_ARGS__); \
        APPEND(list, added);                   \
    } while (0)

#define LISTS(kind)                                                            \
    ast_##kind##_list append_##kind(ast_##kind##_list list, ast_##kind *added) \
    {                                                                          \
        APPEND(list, added);                                                   \
        return list;                                                           \
    }
LISTS(member)
LISTS(item)
LISTS(declarator)
LISTS(expr)

ast_name name_of(token t)
{
    return (ast_name){t.as.text, t.span};
}

/* ---- declarations */

void add_decl(parser *cx, ast_decl *decl)
{
    if (!decl)
        return;
    if (cx->last_decl)
        cx->last_decl->next = decl;
    else
        cx->file->decls = decl;
    cx->last_decl = decl;
}

/* A declaration from `word` to `end`; further members follow. */
#define DECLARATION(its_kind, word, its_name, end, ...)                                              \
    NODE(ast_decl, .kind = its_kind, .name = name_of(its_name), .span = span_join((word).span, end), \
         .doc = (word).doc, __VA_ARGS__)

ast_decl *build_protocol(parser *cx, token word, token name, ast_expr *version, ast_name prefix, token semi)
{
    return DECLARATION(AST_DECL_PROTOCOL, word, name, semi.span, .value = version, .prefix = prefix);
}

ast_decl *build_import(parser *cx, ast_decl_kind kind, token word, token path, token semi)
{
    /* The lexer has reported this string, so it is not used as a file name. */
    return path.faulty ? NULL : DECLARATION(kind, word, path, semi.span, .value = NULL);
}

ast_decl *build_model_lines(parser *cx, token word, ast_member_list lines, token brace)
{
    ast_decl *d = DECLARATION(AST_DECL_MODEL, word, word, brace.span, .members = lines.first);
    d->name.text = NULL;
    return d;
}

ast_member *build_line(parser *cx, token text)
{
    return NODE(ast_member, .name = name_of(text), .span = text.span);
}

ast_decl *build_const(parser *cx, token word, token name, ast_expr *value, token semi)
{
    return DECLARATION(AST_DECL_CONST, word, name, semi.span, .value = value);
}

ast_decl *build_alias(parser *cx, token word, token name, const typed *type, ast_beyond beyond, token semi)
{
    return DECLARATION(AST_DECL_ALIAS, word, name, semi.span, .named = type->type, .beyond = beyond);
}

ast_decl *build_enum(parser *cx, ast_decl_kind kind, token word, token name, const ast_type *width,
                     ast_attribute_list attributes, ast_member_list members, token brace)
{
    return DECLARATION(kind, word, name, brace.span, .has_width = width->name.text != NULL, .width = *width,
                       .attributes = attributes.first, .members = members.first);
}

ast_decl *build_struct(parser *cx, ast_decl_kind kind, token word, token name, binding bound,
                       ast_attribute_list attributes, ast_body body)
{
    return DECLARATION(kind, word, name, body.span, .as_type = bound.type, .from_header = bound.header,
                       .attributes = attributes.first, .body = body);
}

ast_decl *build_union(parser *cx, const token *packet, token word, token name, ast_attribute_list attributes,
                      choice members)
{
    return DECLARATION(packet ? AST_DECL_PACKET_UNION : AST_DECL_UNION, packet ? *packet : word, name, members.span,
                       .attributes = attributes.first, .members = members.first);
}

ast_attribute_list append_attribute(parser *cx, ast_attribute_list list, token at, token name, ast_expr *value,
                                    span end)
{
    APPEND_NEW(list, ast_attribute, .name = name_of(name), .value = value, .span = span_join(at.span, end));
    return list;
}

ast_attribute_list append_was(parser *cx, ast_attribute_list list, token word, token old)
{
    /* The lexer has reported this string, so it is not used as a name. */
    if (!old.faulty)
        APPEND_NEW(list, ast_attribute, .was = true, .name = name_of(old), .span = span_join(word.span, old.span));
    return list;
}

ast_member *build_enumerator(parser *cx, token name, ast_expr *value, ast_attribute_list olds, ast_name other)
{
    const span at = other.text  ? span_join(name.span, other.span)
                    : olds.last ? span_join(name.span, olds.last->span)
                    : value     ? span_join(name.span, value->span)
                                : name.span;
    return NODE(ast_member, .name = name_of(name), .value = value, .olds = olds.first, .other = other, .doc = name.doc,
                .span = at);
}

ast_member *build_member(parser *cx, token type, token name, ast_attribute_list olds, ast_name other, token semi)
{
    return NODE(ast_member, .name = name_of(name), .type = name_of(type), .olds = olds.first, .other = other,
                .doc = type.doc, .span = span_join(type.span, semi.span));
}

choice build_choice(ast_member_list list, token open, token close)
{
    return (choice){list.first, span_join(open.span, close.span)};
}

/* ---- items */

ast_body build_body(ast_item_list items, token open, token close)
{
    return (ast_body){items.first, span_join(open.span, close.span)};
}

/* An item from `word` to `end`; its own members follow. */
#define ITEM(its_kind, word, end, ...) \
    NODE(ast_item, .kind = its_kind, .span = span_join((word).span, end), .doc = (word).doc, __VA_ARGS__)

ast_item *build_field(parser *cx, const token *modifier, ast_modifier kind, ast_mode *modes, const typed *type,
                      ast_declarator_list declarators, token semi)
{
    const token first = modifier ? *modifier : (token){.span = type->type.span, .doc = type->doc};
    return ITEM(AST_FIELD, first, semi.span,
                .as.field = {.modifier = kind,
                             .modifier_span = modifier ? modifier->span : (span){0},
                             .modes = modes,
                             .type = type->type,
                             .declarators = declarators.first});
}

ast_item *build_foreign_field(parser *cx, token local, token c_type, ast_declarator_list declarators, token semi)
{
    return ITEM(AST_FIELD, local, semi.span,
                .as.field = {.modifier = AST_LOCAL,
                             .modifier_span = local.span,
                             .type.span = c_type.span,
                             .c_type = c_type.as.text,
                             .c_type_span = c_type.span,
                             .declarators = declarators.first});
}

ast_item *build_simple_item(parser *cx, ast_item_kind kind, token word, token semi)
{
    return ITEM(kind, word, semi.span, .next = NULL);
}

ast_item *build_const_item(parser *cx, token word, ast_expr *bits, ast_expr *value, token semi)
{
    return ITEM(value ? AST_CONST : AST_RESERVED, word, semi.span, .as.constant = {.bits = bits, .value = value});
}

ast_item *build_check_value(parser *cx, token word, token value, token semi)
{
    return ITEM(AST_CHECK, word, semi.span,
                .as.check = {.has_value = true, .value = value.as.integer, .value_span = value.span});
}

ast_item *build_if(parser *cx, token word, ast_expr *condition, ast_body then, alternative other)
{
    return ITEM(AST_IF, word, other.has_else ? other.span : then.span,
                .as.branch = {.condition = condition,
                              .then = then,
                              .other_if = other.other_if,
                              .other = other.other,
                              .has_else = other.has_else});
}

alternative build_else(token word, ast_body body)
{
    return (alternative){.other = body, .has_else = true, .span = span_join(word.span, body.span)};
}

alternative build_else_if(token word, ast_item *other_if)
{
    return (alternative){.other_if = other_if, .has_else = true, .span = span_join(word.span, other_if->span)};
}

ast_item *build_switch(parser *cx, token word, ast_expr *subject, arms labels, token close)
{
    return ITEM(AST_SWITCH, word, close.span, .as.choice = {.subject = subject, .labels = labels.first});
}

ast_label *build_label(parser *cx, token word, ast_expr *values, token colon)
{
    return NODE(ast_label, .is_default = !values, .values = values, .span = span_join(word.span, colon.span));
}

arms append_label(arms list, ast_label *label)
{
    APPEND(list, label);
    list.last_item = NULL;
    return list;
}

arms append_arm_item(arms list, ast_item *item)
{
    if (!item)
        return list;
    if (list.last_item)
        list.last_item->next = item;
    else
        list.last->items = item;
    list.last_item = item;
    return list;
}

/* ---- types and declarators */

typed build_type(token name, ast_expr *arguments, const token *close)
{
    ast_type type = {.name = name_of(name), .has_arguments = close != NULL, .arguments = arguments};
    type.span = close ? span_join(name.span, close->span) : name.span;
    return (typed){type, name.doc};
}

typed build_compact(token word, token name)
{
    ast_type type = {.name = name_of(name), .compact = true, .span = span_join(word.span, name.span)};
    return (typed){type, word.doc};
}

ast_mode_list append_mode(parser *cx, ast_mode_list list, token name)
{
    APPEND_NEW(list, ast_mode, .name = name_of(name));
    return list;
}

ast_declarator *build_declarator(parser *cx, token name, ast_dim_list dims, ast_name by, ast_name after,
                                 ast_beyond beyond, span clamp, ast_expr *unless, tail end,
                                 ast_attribute_list attributes)
{
    const span last = attributes.last      ? attributes.last->span
                      : end.span.source    ? end.span
                      : unless             ? unless->span
                      : clamp.source       ? clamp
                      : beyond.raw.source  ? beyond.raw
                      : beyond.wrap.source ? beyond.wrap
                      : after.text         ? after.span
                      : by.text            ? by.span
                      : dims.last          ? dims.last->span
                                           : name.span;
    ast_declarator *d =
        NODE(ast_declarator, .name = name_of(name), .dims = dims.first, .by = by, .after = after, .beyond = beyond,
             .clamp = clamp, .unless = unless, .initial = end.initial, .has_delta = end.has_delta, .coded = end.coded,
             .still = end.still, .delta = end.delta, .baseline = end.baseline, .chain = end.chain,
             .delta_span = end.delta_span, .attributes = attributes.first, .span = span_join(name.span, last));
    cx->field = d->name;
    cx->field_end = d->span.end;
    return d;
}

ast_dim_list append_dim(ast_dim_list list, ast_dim *dim, token open, token close)
{
    dim->span = span_join(open.span, close.span);
    APPEND(list, dim);
    return list;
}

ast_dim *build_dim(parser *cx, ast_dim_kind kind, ast_expr *low, ast_expr *high)
{
    return NODE(ast_dim, .kind = kind, .low = low, .high = high);
}

tail build_initial(ast_expr *value)
{
    return (tail){.initial = value, .span = value->span};
}

tail build_delta(token word, ast_expr *arguments, token close, ast_expr *initial)
{
    tail t = {.initial = initial, .has_delta = true, .delta = arguments};
    t.delta_span = span_join(word.span, close.span);
    t.span = initial ? initial->span : t.delta_span;
    return t;
}

tail build_chain(token word, ast_expr *from, token close)
{
    const span all = span_join(word.span, close.span);
    return (tail){.chain = from, .delta_span = all, .span = all};
}

tail build_baseline(parser *cx, token word, ast_expr *number, ast_expr *base, ast_expr *before, ast_name start,
                    token close)
{
    ast_baseline *baseline = NODE(ast_baseline, .number = number, .base = base, .before = before, .start = start);
    const span all = span_join(word.span, close.span);
    return (tail){.baseline = baseline, .delta_span = all, .span = all};
}

tail build_coded(token word, span still, ast_expr *initial)
{
    const span both = still.source ? span_join(word.span, still) : word.span;
    return (tail){
        .initial = initial, .coded = true, .still = still, .delta_span = both, .span = initial ? initial->span : both};
}

/* ---- expressions */

ast_expr *build_int(parser *cx, token t)
{
    return NODE(ast_expr, .kind = AST_INT, .span = t.span, .as.integer = t.as.integer);
}

ast_expr *build_real(parser *cx, token t)
{
    return NODE(ast_expr, .kind = AST_REAL, .span = t.span, .as.real = t.as.real);
}

ast_expr *build_bool(parser *cx, token t, bool value)
{
    return NODE(ast_expr, .kind = AST_BOOL, .span = t.span, .as.boolean = value);
}

ast_path_list append_path(parser *cx, ast_path_list list, token name)
{
    APPEND_NEW(list, ast_path, .name = name_of(name));
    return list;
}

ast_expr *build_path(parser *cx, ast_path_list path)
{
    return NODE(ast_expr, .kind = AST_PATH, .span = span_join(path.first->name.span, path.last->name.span),
                .as.path = path.first);
}

ast_expr *build_ones(parser *cx, token word, ast_path_list path, token close)
{
    if (strcmp(word.as.text, "bits") != 0) {
        message *m = diag_error(cx->diag, word.span, "'%s' is a type, and there are no casts", word.as.text);
        diag_help(cx->diag, m, "`bits(x)` is the number of set bits in x; other fields are used by their name alone");
    }
    return NODE(ast_expr, .kind = AST_ONES, .span = span_join(word.span, close.span), .as.path = path.first);
}

ast_expr *build_parenthesized(token open, ast_expr *inner, token close)
{
    inner->parenthesized = true;
    inner->span = span_join(open.span, close.span);
    return inner;
}

/* Whether an operator may have `depth` operators nested below it. If not, reports it, once per file. */
static bool deep_enough(parser *cx, unsigned depth, span at)
{
    if (depth < AST_DEEPEST)
        return true;
    if (!cx->deep_reported)
        diag_error(cx->diag, at, "operators can nest at most %d deep", AST_DEEPEST);
    cx->deep_reported = true;
    return false;
}

ast_expr *build_unary(parser *cx, operator_kind operator, token op, ast_expr *operand)
{
    if (!deep_enough(cx, operand->depth, op.span))
        return operand;
    return NODE(ast_expr, .kind = AST_OPERATOR, .span = span_join(op.span, operand->span), .operator= operator,
                .depth =(uint16_t)(operand->depth + 1), .as.sides.left = operand);
}

ast_expr *build_binary(parser *cx, operator_kind operator, ast_expr * left, ast_expr *right)
{
    uint16_t depth = left->depth > right->depth ? left->depth : right->depth;
    if (!deep_enough(cx, depth, right->span))
        return right;
    return NODE(ast_expr, .kind = AST_OPERATOR, .span = span_join(left->span, right->span), .operator= operator,
                .depth =(uint16_t)(depth + 1), .as.sides = {left, right});
}
