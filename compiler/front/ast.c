/* ast.c - the builders of the syntax tree: each one is the action of a production in grammar.y.
 * SPDX-License-Identifier: MIT
 *
 * A node is NULL if error recovery has skipped it; lists leave it out.
 */
#include "front/parse_internal.h"

#include <string.h>

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

static ast_decl *new_ast_decl(parser *cx, ast_decl_kind kind, token word, token name, span end)
{
    ast_decl *d = ARENA_NEW(cx->arena, ast_decl);
    d->kind = kind;
    d->name = name_of(name);
    d->span = span_join(word.span, end);
    d->doc = word.doc;
    return d;
}

ast_decl *build_protocol(parser *cx, token word, token name, ast_expr *version, ast_name prefix, token semi)
{
    ast_decl *d = new_ast_decl(cx, AST_DECL_PROTOCOL, word, name, semi.span);
    d->value = version;
    d->prefix = prefix;
    return d;
}

ast_decl *build_import(parser *cx, token word, token path, token semi)
{
    /* The lexer has reported this string, so it is not used as a file name. */
    return path.faulty ? NULL : new_ast_decl(cx, AST_DECL_IMPORT, word, path, semi.span);
}

ast_decl *build_model(parser *cx, token word, token path, token semi)
{
    return path.faulty ? NULL : new_ast_decl(cx, AST_DECL_MODEL, word, path, semi.span);
}

ast_decl *build_model_lines(parser *cx, token word, ast_member_list lines, token brace)
{
    ast_decl *d = new_ast_decl(cx, AST_DECL_MODEL, word, word, brace.span);
    d->name.text = NULL;
    d->members = lines.first;
    return d;
}

ast_member *build_line(parser *cx, token text)
{
    ast_member *m = ARENA_NEW(cx->arena, ast_member);
    m->name = name_of(text);
    m->span = text.span;
    return m;
}

ast_decl *build_const(parser *cx, token word, token name, ast_expr *value, token semi)
{
    ast_decl *d = new_ast_decl(cx, AST_DECL_CONST, word, name, semi.span);
    d->value = value;
    return d;
}

ast_decl *build_enum(parser *cx, token word, token name, const ast_type *width, ast_attribute_list attributes,
                     ast_member_list members, token brace)
{
    ast_decl *d = new_ast_decl(cx, AST_DECL_ENUM, word, name, brace.span);
    d->has_width = width->name.text != NULL;
    d->width = *width;
    d->attributes = attributes.first;
    d->members = members.first;
    return d;
}

ast_decl *build_flags(parser *cx, token word, token name, ast_attribute_list attributes, ast_member_list members,
                      token brace)
{
    ast_decl *d = new_ast_decl(cx, AST_DECL_FLAGS, word, name, brace.span);
    d->attributes = attributes.first;
    d->members = members.first;
    return d;
}

ast_decl *build_struct(parser *cx, token word, token name, binding bound, ast_attribute_list attributes, ast_body body)
{
    ast_decl *d = new_ast_decl(cx, AST_DECL_STRUCT, word, name, body.span);
    d->as_type = bound.type;
    d->from_header = bound.header;
    d->attributes = attributes.first;
    d->body = body;
    return d;
}

ast_decl *build_packet(parser *cx, token word, token name, ast_attribute_list attributes, ast_body body)
{
    ast_decl *d = new_ast_decl(cx, AST_DECL_PACKET, word, name, body.span);
    d->attributes = attributes.first;
    d->body = body;
    return d;
}

ast_decl *build_union(parser *cx, const token *packet, token word, token name, ast_attribute_list attributes,
                      choice members)
{
    ast_decl_kind kind = packet ? AST_DECL_PACKET_UNION : AST_DECL_UNION;
    ast_decl *d = new_ast_decl(cx, kind, packet ? *packet : word, name, members.span);
    d->attributes = attributes.first;
    d->members = members.first;
    return d;
}

ast_attribute_list append_attribute(parser *cx, ast_attribute_list list, token at, token name, ast_expr *value,
                                    span end)
{
    ast_attribute *a = ARENA_NEW(cx->arena, ast_attribute);
    a->name = name_of(name);
    a->value = value;
    a->span = span_join(at.span, end);
    APPEND(list, a);
    return list;
}

ast_attribute_list append_was(parser *cx, ast_attribute_list list, token word, token old)
{
    /* The lexer has reported this string, so it is not used as a name. */
    if (old.faulty)
        return list;
    ast_attribute *a = ARENA_NEW(cx->arena, ast_attribute);
    a->was = true;
    a->name = name_of(old);
    a->span = span_join(word.span, old.span);
    APPEND(list, a);
    return list;
}

ast_member_list append_member(ast_member_list list, ast_member *member)
{
    APPEND(list, member);
    return list;
}

ast_member *build_enumerator(parser *cx, token name, ast_expr *value, ast_attribute_list olds, ast_name other)
{
    ast_member *m = ARENA_NEW(cx->arena, ast_member);
    m->name = name_of(name);
    m->value = value;
    m->olds = olds.first;
    m->other = other;
    m->doc = name.doc;
    m->span = other.text  ? span_join(name.span, other.span)
              : olds.last ? span_join(name.span, olds.last->span)
              : value     ? span_join(name.span, value->span)
                          : name.span;
    return m;
}

ast_member *build_member(parser *cx, token type, token name, ast_attribute_list olds, ast_name other, token semi)
{
    ast_member *m = ARENA_NEW(cx->arena, ast_member);
    m->name = name_of(name);
    m->type = name_of(type);
    m->olds = olds.first;
    m->other = other;
    m->doc = type.doc;
    m->span = span_join(type.span, semi.span);
    return m;
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

ast_item_list append_item(ast_item_list list, ast_item *item)
{
    APPEND(list, item);
    return list;
}

static ast_item *new_item(parser *cx, ast_item_kind kind, span begin, span end, const char *doc)
{
    ast_item *i = ARENA_NEW(cx->arena, ast_item);
    i->kind = kind;
    i->span = span_join(begin, end);
    i->doc = doc;
    return i;
}

ast_item *build_field(parser *cx, const token *modifier, ast_modifier kind, ast_mode *modes, const typed *type,
                      ast_declarator_list declarators, token semi)
{
    span begin = modifier ? modifier->span : type->type.span;
    ast_item *i = new_item(cx, AST_FIELD, begin, semi.span, modifier ? modifier->doc : type->doc);
    ast_field *f = &i->as.field;
    f->modifier = kind;
    if (modifier)
        f->modifier_span = modifier->span;
    f->modes = modes;
    f->type = type->type;
    f->declarators = declarators.first;
    return i;
}

ast_item *build_foreign_field(parser *cx, token local, token c_type, ast_declarator_list declarators, token semi)
{
    ast_item *i = new_item(cx, AST_FIELD, local.span, semi.span, local.doc);
    ast_field *f = &i->as.field;
    f->modifier = AST_LOCAL;
    f->modifier_span = local.span;
    f->type.span = c_type.span;
    f->c_type = c_type.as.text;
    f->c_type_span = c_type.span;
    f->declarators = declarators.first;
    return i;
}

ast_item *build_simple_item(parser *cx, ast_item_kind kind, token word, token semi)
{
    return new_item(cx, kind, word.span, semi.span, word.doc);
}

ast_item *build_const_item(parser *cx, token word, ast_expr *bits, ast_expr *value, token semi)
{
    ast_item *i = new_item(cx, value ? AST_CONST : AST_RESERVED, word.span, semi.span, word.doc);
    i->as.constant.bits = bits;
    i->as.constant.value = value;
    return i;
}

ast_item *build_check_value(parser *cx, token word, token value, token semi)
{
    ast_item *i = new_item(cx, AST_CHECK, word.span, semi.span, word.doc);
    i->as.check.has_value = true;
    i->as.check.value = value.as.integer;
    i->as.check.value_span = value.span;
    return i;
}

ast_item *build_if(parser *cx, token word, ast_expr *condition, ast_body then, alternative other)
{
    ast_item *i = new_item(cx, AST_IF, word.span, other.has_else ? other.span : then.span, word.doc);
    i->as.branch.condition = condition;
    i->as.branch.then = then;
    i->as.branch.other_if = other.other_if;
    i->as.branch.other = other.other;
    i->as.branch.has_else = other.has_else;
    return i;
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
    ast_item *i = new_item(cx, AST_SWITCH, word.span, close.span, word.doc);
    i->as.choice.subject = subject;
    i->as.choice.labels = labels.first;
    return i;
}

ast_label *build_label(parser *cx, token word, ast_expr *values, token colon)
{
    ast_label *l = ARENA_NEW(cx->arena, ast_label);
    l->is_default = !values;
    l->values = values;
    l->span = span_join(word.span, colon.span);
    return l;
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
    ast_mode *m = ARENA_NEW(cx->arena, ast_mode);
    m->name = name_of(name);
    APPEND(list, m);
    return list;
}

ast_declarator_list append_declarator(ast_declarator_list list, ast_declarator *declarator)
{
    APPEND(list, declarator);
    return list;
}

ast_declarator *build_declarator(parser *cx, token name, ast_dim_list dims, ast_name after, span wrap, span clamp,
                                 ast_expr *unless, tail end, ast_attribute_list attributes)
{
    ast_declarator *d = ARENA_NEW(cx->arena, ast_declarator);
    d->name = name_of(name);
    d->dims = dims.first;
    d->after = after;
    d->wrap = wrap;
    d->clamp = clamp;
    d->unless = unless;
    d->initial = end.initial;
    d->has_delta = end.has_delta;
    d->coded = end.coded;
    d->delta = end.delta;
    d->baseline = end.baseline;
    d->chain = end.chain;
    d->delta_span = end.delta_span;
    d->attributes = attributes.first;
    span last = attributes.last   ? attributes.last->span
                : end.span.source ? end.span
                : unless          ? unless->span
                : clamp.source    ? clamp
                : wrap.source     ? wrap
                : after.text      ? after.span
                : dims.last       ? dims.last->span
                                  : name.span;
    d->span = span_join(name.span, last);
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
    ast_dim *d = ARENA_NEW(cx->arena, ast_dim);
    d->kind = kind;
    d->low = low;
    d->high = high;
    return d;
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

tail build_baseline(parser *cx, token word, ast_expr *number, ast_expr *base, ast_expr *before, token close)
{
    ast_baseline *baseline = ARENA_NEW(cx->arena, ast_baseline);
    *baseline = (ast_baseline){.number = number, .base = base, .before = before};
    const span all = span_join(word.span, close.span);
    return (tail){.baseline = baseline, .delta_span = all, .span = all};
}

tail build_coded(token word, ast_expr *initial)
{
    return (tail){
        .initial = initial, .coded = true, .delta_span = word.span, .span = initial ? initial->span : word.span};
}

/* ---- expressions */

ast_expr_list append_expr(ast_expr_list list, ast_expr *expr)
{
    APPEND(list, expr);
    return list;
}

static ast_expr *new_ast_expr(parser *cx, ast_expr_kind kind, span at)
{
    ast_expr *e = ARENA_NEW(cx->arena, ast_expr);
    e->kind = kind;
    e->span = at;
    return e;
}

ast_expr *build_int(parser *cx, token t)
{
    ast_expr *e = new_ast_expr(cx, AST_INT, t.span);
    e->as.integer = t.as.integer;
    return e;
}

ast_expr *build_real(parser *cx, token t)
{
    ast_expr *e = new_ast_expr(cx, AST_REAL, t.span);
    e->as.real = t.as.real;
    return e;
}

ast_expr *build_bool(parser *cx, token t, bool value)
{
    ast_expr *e = new_ast_expr(cx, AST_BOOL, t.span);
    e->as.boolean = value;
    return e;
}

ast_path_list append_path(parser *cx, ast_path_list list, token name)
{
    ast_path *p = ARENA_NEW(cx->arena, ast_path);
    p->name = name_of(name);
    APPEND(list, p);
    return list;
}

ast_expr *build_path(parser *cx, ast_path_list path)
{
    ast_expr *e = new_ast_expr(cx, AST_PATH, span_join(path.first->name.span, path.last->name.span));
    e->as.path = path.first;
    return e;
}

ast_expr *build_ones(parser *cx, token word, ast_path_list path, token close)
{
    ast_expr *e = new_ast_expr(cx, AST_ONES, span_join(word.span, close.span));
    e->as.path = path.first;
    if (strcmp(word.as.text, "bits") != 0) {
        message *m = diag_error(cx->diag, word.span, "'%s' is a type, and there are no casts", word.as.text);
        diag_help(cx->diag, m, "`bits(x)` is the number of set bits in x; other fields are used by their name alone");
    }
    return e;
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
    ast_expr *e = new_ast_expr(cx, AST_OPERATOR, span_join(op.span, operand->span));
    e->operator= operator;
    e->depth = (uint16_t)(operand->depth + 1);
    e->as.sides.left = operand;
    return e;
}

ast_expr *build_binary(parser *cx, operator_kind operator, ast_expr * left, ast_expr *right)
{
    uint16_t depth = left->depth > right->depth ? left->depth : right->depth;
    if (!deep_enough(cx, depth, right->span))
        return right;
    ast_expr *e = new_ast_expr(cx, AST_OPERATOR, span_join(left->span, right->span));
    e->operator= operator;
    e->depth = (uint16_t)(depth + 1);
    e->as.sides.left = left;
    e->as.sides.right = right;
    return e;
}
