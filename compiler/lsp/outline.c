/* outline.c - the structure of a file from its tree, which is there even with errors: symbols and folds.
 * SPDX-License-Identifier: MIT
 */
#include "lsp/lsp_internal.h"

#ifdef PKTC_JSON

#include "front/lexer.h"
#include "model/type_table.h"

#include <string.h>

/* ---- symbols */

enum {
    OUTLINE_CLASS = 5,
    OUTLINE_FIELD = 8,
    OUTLINE_ENUM = 10,
    OUTLINE_CONSTANT = 14,
    OUTLINE_NAMESPACE = 3,
    OUTLINE_ENUM_MEMBER = 22,
    OUTLINE_STRUCT = 23
};

static json_t *add_symbol(json_t *list, const ast_name *name, int kind, span whole)
{
    json_t *children = json_array();
    span at = name->span;
    /* The whole has the name in it, also if a syntax error cut it short. */
    whole.begin = whole.begin < at.begin ? whole.begin : at.begin;
    whole.end = whole.end > at.end ? whole.end : at.end;
    json_t *symbol = json_pack("{s:s,s:i,s:o,s:o,s:O}", "name", *name->text ? name->text : "?", "kind", kind, "range",
                               range_at(whole), "selectionRange", range_at(at), "children", children);
    json_decref(children);
    if (!symbol)
        return NULL;
    json_array_append_new(list, symbol);
    return children;
}

static void add_item_symbols(json_t *list, const ast_item *i);

static void add_branch_symbols(json_t *list, const ast_item *i)
{
    for (; i; i = i->as.branch.other_if) {
        add_item_symbols(list, i->as.branch.then.items);
        add_item_symbols(list, i->as.branch.other.items);
    }
}

static void add_item_symbols(json_t *list, const ast_item *i)
{
    for (; i; i = i->next) {
        if (i->kind == AST_FIELD)
            for (const ast_declarator *d = i->as.field.declarators; d; d = d->next)
                add_symbol(list, &d->name, OUTLINE_FIELD, i->span);
        if (i->kind == AST_IF)
            add_branch_symbols(list, i);
        if (i->kind == AST_SWITCH)
            for (const ast_label *l = i->as.choice.labels; l; l = l->next)
                add_item_symbols(list, l->items);
    }
}

static int kind_of_ast_symbol(ast_decl_kind kind)
{
    switch (kind) {
    case AST_DECL_PROTOCOL: return OUTLINE_NAMESPACE;
    case AST_DECL_CONST: return OUTLINE_CONSTANT;
    case AST_DECL_ENUM:
    case AST_DECL_FLAGS: return OUTLINE_ENUM;
    case AST_DECL_STRUCT: return OUTLINE_STRUCT;
    case AST_DECL_PACKET:
    case AST_DECL_UNION:
    case AST_DECL_PACKET_UNION: return OUTLINE_CLASS;
    case AST_DECL_IMPORT:
    case AST_DECL_MODEL: break;
    }
    return 0;
}

json_t *answer_symbols(lsp_server *s, document *d, const json_t *parameters)
{
    json_t *list = json_array();
    (void)s;
    (void)parameters;
    for (const ast_decl *each = d->analysis->tree->decls; each; each = each->next) {
        const int kind = kind_of_ast_symbol(each->kind);
        json_t *children = kind && each->name.text ? add_symbol(list, &each->name, kind, each->span) : NULL;
        if (!children)
            continue;
        const int of_member = kind == OUTLINE_ENUM ? OUTLINE_ENUM_MEMBER : OUTLINE_FIELD;
        for (const ast_member *m = each->members; m; m = m->next)
            add_symbol(children, &m->name, of_member, m->span);
        add_item_symbols(children, each->body.items);
    }
    return list;
}

/* ---- folds */

static void add_fold(json_t *list, span at, const char *kind)
{
    uint32_t first, last, column;
    if (!at.source)
        return;
    source_place(at.source, at.begin, &first, &column);
    source_place(at.source, at.end > at.begin ? at.end - 1 : at.end, &last, &column);
    if (last == first)
        return;
    json_t *fold =
        json_pack("{s:I,s:I}", "startLine", (json_int_t)first - 1, "endLine", (json_int_t)last - (kind ? 1 : 2));
    if (kind)
        json_object_set_new(fold, "kind", json_string(kind));
    json_array_append_new(list, fold);
}

static void add_item_folds(json_t *list, const ast_item *i)
{
    for (; i; i = i->next) {
        for (const ast_item *b = i->kind == AST_IF ? i : NULL; b; b = b->as.branch.other_if) {
            add_fold(list, b->as.branch.then.span, NULL);
            add_item_folds(list, b->as.branch.then.items);
            add_fold(list, b->as.branch.has_else ? b->as.branch.other.span : (span){0}, NULL);
            add_item_folds(list, b->as.branch.other.items);
        }
        if (i->kind == AST_SWITCH) {
            add_fold(list, i->span, NULL);
            for (const ast_label *l = i->as.choice.labels; l; l = l->next)
                add_item_folds(list, l->items);
        }
    }
}

/* Comments of adjacent lines fold as one. */
static void add_comment_folds(lsp_server *s, const analysis *of, json_t *list)
{
    comment *comments = NULL;
    lexer l;
    token t;
    span run = {0};
    lexer_init(&l, s->scratch, names_new(s->scratch), diag_new(s->scratch), of->source, reserved_type_word);
    l.comments = &comments;
    while (lex(&l, &t) != 0)
        continue;
    for (const comment *c = comments; c; c = c->next) {
        uint32_t line, before, column;
        source_place(of->source, c->span.begin, &line, &column);
        source_place(of->source, run.end, &before, &column);
        if (run.source && line <= before + 1) {
            run.end = c->span.end;
            continue;
        }
        add_fold(list, run, "comment");
        run = c->span;
    }
    add_fold(list, run, "comment");
}

json_t *answer_folding(lsp_server *s, document *d, const json_t *parameters)
{
    const analysis *of = d->analysis;
    json_t *list = json_array();
    (void)parameters;
    for (const ast_decl *each = of->tree->decls; each; each = each->next) {
        add_fold(list, each->span, NULL);
        add_item_folds(list, each->body.items);
    }
    add_comment_folds(s, of, list);
    return list;
}

#endif
