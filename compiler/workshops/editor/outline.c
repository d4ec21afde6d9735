/* outline.c - the structure of a file from its tree, which is there even with errors: symbols and folds.
 * SPDX-License-Identifier: MIT
 */
#include "editor/lsp_internal.h"

#ifdef PKTC_JSON

#include "base/json.h"
#include "front/lexer.h"
#include "model/type_table.h"

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

static void write_position(json_writer *j, const char *key, const source *s, uint32_t offset)
{
    const text_place p = place_in_text(s, offset);
    json_begin_object(json_key(j, key), JSON_IN_LINE);
    json_u64(json_key(j, "line"), p.line);
    json_u64(json_key(j, "character"), p.character);
    json_end(j);
}

static void write_range(json_writer *j, const char *key, span at)
{
    json_begin_object(json_key(j, key), JSON_IN_LINE);
    write_position(j, "start", at.source, at.begin);
    write_position(j, "end", at.source, at.end);
    json_end(j);
}

/* The children and the ends of both follow. */
static void begin_symbol(json_writer *j, const ast_name *name, int kind, span whole)
{
    span at = name->span;
    /* The whole has the name in it, also if a syntax error cut it short. */
    whole.begin = whole.begin < at.begin ? whole.begin : at.begin;
    whole.end = whole.end > at.end ? whole.end : at.end;
    json_begin_object(j, JSON_IN_LINE);
    json_text(json_key(j, "name"), *name->text ? name->text : "?");
    json_u64(json_key(j, "kind"), (uint64_t)kind);
    write_range(j, "range", whole);
    write_range(j, "selectionRange", at);
    json_begin_array(json_key(j, "children"), JSON_IN_LINE);
}

static void end_symbol(json_writer *j)
{
    json_end(j);
    json_end(j);
}

static void write_symbol(json_writer *j, const ast_name *name, int kind, span whole)
{
    begin_symbol(j, name, kind, whole);
    end_symbol(j);
}

static void write_item_symbols(json_writer *j, const ast_item *i)
{
    for (; i; i = i->next) {
        for (const ast_declarator *d = i->kind == AST_FIELD ? i->as.field.declarators : NULL; d; d = d->next)
            write_symbol(j, &d->name, OUTLINE_FIELD, i->span);
        for (const ast_item *b = i->kind == AST_IF ? i : NULL; b; b = b->as.branch.other_if) {
            write_item_symbols(j, b->as.branch.then.items);
            write_item_symbols(j, b->as.branch.other.items);
        }
        for (const ast_label *l = i->kind == AST_SWITCH ? i->as.choice.labels : NULL; l; l = l->next)
            write_item_symbols(j, l->items);
    }
}

static int kind_of_ast_symbol(ast_decl_kind kind)
{
    switch (kind) {
    case AST_DECL_PROTOCOL: return OUTLINE_NAMESPACE;
    case AST_DECL_CONST: return OUTLINE_CONSTANT;
    case AST_DECL_ENUM:
    case AST_DECL_FLAGS: return OUTLINE_ENUM;
    case AST_DECL_ALIAS:
    case AST_DECL_STRUCT: return OUTLINE_STRUCT;
    case AST_DECL_PACKET:
    case AST_DECL_UNION:
    case AST_DECL_PACKET_UNION: return OUTLINE_CLASS;
    case AST_DECL_IMPORT:
    case AST_DECL_MODEL: break;
    }
    return 0;
}

/* It is written as text: jansson takes several times as long for the thousands of objects. */
json_t *answer_symbols(lsp_server *s, document *d, const json_t *parameters)
{
    out *to = out_new(s->scratch);
    json_writer *j = json_new(s->scratch, to, JSON_TIGHT);
    size_t size;
    (void)parameters;
    json_begin_array(j, JSON_IN_LINE);
    for (const ast_decl *each = d->analysis->tree->decls; each; each = each->next) {
        const int kind = kind_of_ast_symbol(each->kind);
        if (!kind || !each->name.text)
            continue;
        begin_symbol(j, &each->name, kind, each->span);
        for (const ast_member *m = each->members; m; m = m->next)
            write_symbol(j, &m->name, kind == OUTLINE_ENUM ? OUTLINE_ENUM_MEMBER : OUTLINE_FIELD, m->span);
        write_item_symbols(j, each->body.items);
        end_symbol(j);
    }
    json_end(j);
    s->written = out_result(to, &size);
    return NULL;
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
