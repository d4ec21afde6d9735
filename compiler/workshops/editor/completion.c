/* completion.c - what may come next: words, types, attributes, members, names in conditions, files of imports.
 * SPDX-License-Identifier: MIT
 *
 * The text before the cursor is usually no valid schema, so the tokens before it tell what may come.
 */
#include "editor/lsp_internal.h"

#ifdef PKTC_JSON

#include "base/files.h"
#include "check/check.h"
#include "front/lexer.h"
#include "model/type_table.h"

#include "grammar.h"

#include <string.h>

enum { LONGEST_PATH = 8 };

enum {
    ITEM_FIELD_KIND = 5,
    ITEM_CONSTANT_KIND = 21,
    ITEM_KEYWORD_KIND = 14,
    ITEM_MEMBER_KIND = 20,
    ITEM_TYPE_KIND = 22,
    ITEM_FILE_KIND = 17,
    ITEM_FOLDER_KIND = 19,
    ITEM_ATTRIBUTE_KIND = 10
};

/* What the tokens before the cursor say. */
typedef struct typing {
    const char *type; /* the name of the struct around it; or NULL */
    int declaration;  /* the word that began it */
    int last;         /* the token before the word at the typing */
    unsigned braces, parentheses;
    bool in_switch;                 /* between `switch` and its closing parenthesis */
    bool in_case;                   /* between `case` and its colon */
    bool in_value;                  /* behind a field's name: after =, unless, [ and so on, up to the ] */
    const char *listed;             /* in a statement that declares fields of a named type: this name; or NULL */
    const char *name;               /* the last name */
    const char *typed;              /* behind = and unless: the name before it, which may be the type of the field */
    const char *subject;            /* the name before the last ==, !=, & or =, or in the last switch (...) */
    const char *path[LONGEST_PATH]; /* the names before the last dots: a and b in `a.b.` */
    unsigned path_size;
    const char *word; /* the last token, if it is the word of a type */
    bool in_ref;      /* behind ref< */
    bool in_comment;
} typing;

static bool compares(int terminal)
{
    return terminal == TOK_EQ || terminal == TOK_NE || terminal == TOK_AMP || terminal == TOK_ASSIGN ||
           terminal == TOK_UNLESS;
}

static void read_typed_token(typing *c, int terminal, const token *t)
{
    if (c->braces == 0 &&
        (terminal == TOK_STRUCT || terminal == TOK_PACKET || terminal == TOK_UNION || terminal == TOK_ENUM ||
         terminal == TOK_FLAGS || terminal == TOK_CONST || terminal == TOK_TYPE))
        c->declaration = terminal;
    if (c->braces == 0 && terminal == TOK_ID && c->last == c->declaration)
        c->type = t->as.text;
    c->in_switch = terminal == TOK_SWITCH || (c->in_switch && terminal != TOK_RPAREN);
    if (compares(terminal))
        c->subject = c->name;
    if (c->in_switch && terminal == TOK_ID)
        c->subject = t->as.text;
    if (terminal != TOK_DOT && c->last != TOK_DOT)
        c->path_size = 0;
    if (terminal == TOK_ID && c->path_size < LONGEST_PATH)
        c->path[c->path_size++] = t->as.text;
    c->in_ref = terminal == TOK_LT && c->last == TOK_SCALAR && strcmp(c->word, "ref") == 0;
    c->word = terminal == TOK_SCALAR ? t->as.text : NULL;
    if (terminal == TOK_SEMI || terminal == TOK_LBRACE || terminal == TOK_RBRACE)
        c->listed = NULL;
    if (terminal == TOK_ID) {
        c->typed = c->last == TOK_ID ? c->name : NULL;
        c->listed = c->typed ? c->typed : c->listed;
        c->name = t->as.text;
    }
    c->in_case = terminal == TOK_CASE || (c->in_case && terminal != TOK_COLON);
    c->in_value = (c->in_value || compares(terminal) || terminal == TOK_LBRACKET || terminal == TOK_AFTER) &&
                  terminal != TOK_SEMI && terminal != TOK_LBRACE && terminal != TOK_RBRACE && terminal != TOK_COMMA &&
                  terminal != TOK_RBRACKET;
    if (terminal == TOK_LBRACE)
        c->braces++;
    if (terminal == TOK_RBRACE && c->braces > 0)
        c->braces--;
    if (c->braces == 0 && terminal == TOK_RBRACE) {
        c->declaration = 0;
        c->type = NULL;
    }
    if (terminal == TOK_LPAREN)
        c->parentheses++;
    if (terminal == TOK_RPAREN && c->parentheses > 0)
        c->parentheses--;
    if (terminal == TOK_SEMI || terminal == TOK_LBRACE || terminal == TOK_RBRACE)
        c->parentheses = 0;
    c->last = terminal;
}

static bool is_word_byte(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '"';
}

static typing typing_at(lsp_server *s, const source *file, uint32_t offset)
{
    arena *a = s->scratch;
    typing c = {0};
    lexer l;
    token t;
    comment *comments = NULL;
    lexer_init(&l, a, names_new(a), diag_new(a), file, reserved_type_word);
    l.comments = &comments;
    /* The word at the cursor is what is completed, so it says nothing. */
    for (int terminal; (terminal = lex(&l, &t)) != 0 && t.span.end <= offset;)
        if (t.span.end < offset || !is_word_byte(file->text[t.span.begin]))
            read_typed_token(&c, terminal, &t);
    for (const comment *each = comments; each; each = each->next) {
        const bool to_line_end = file->text[each->span.begin + 1] == '/' || l.cut_short;
        c.in_comment = c.in_comment || (each->span.begin < offset && offset < each->span.end + to_line_end);
    }
    return c;
}

/* ---- what is offered */

static void offer_item(json_t *list, const char *label, int kind, const char *detail)
{
    json_t *offered = json_pack("{s:s,s:i}", "label", label, "kind", kind);
    if (detail && *detail)
        json_object_set_new(offered, "detail", json_string(detail));
    json_array_append_new(list, offered);
}

static void offer_words(json_t *list, const char *const *words)
{
    for (; *words; words++)
        offer_item(list, *words, ITEM_KEYWORD_KIND, NULL);
}

static void offer_attributes(json_t *list)
{
    const char *name;
    for (size_t i = 0; (name = attribute_name_at(i)) != NULL; i++)
        offer_item(list, name, ITEM_ATTRIBUTE_KIND, NULL);
}

/* The part that checks, and then the whole, which with errors has more. */
typedef struct views {
    const analysis *of[2];
} views;

static views views_of(const lsp_server *s, const document *d)
{
    const analysis *part = sound_part(s, d->analysis);
    return (views){{part ? part : d->analysis, part && part != d->analysis ? d->analysis : NULL}};
}

/* The declarations that the file can see, each one once: those that are listed as declared. */
static void offer_declared(const views *v, json_t *list, bool types)
{
    json_t *offered = json_object();
    for (int i = 0; i < 2; i++) {
        for (const name_use *u = v->of[i] ? v->of[i]->uses.first : NULL; u; u = u->next) {
            const bool declares = u->decl && !u->field && !u->member && u->at.source == u->declared.source &&
                                  u->at.begin == u->declared.begin;
            if (!declares || (u->decl->kind != DECL_CONST) != types || json_object_get(offered, u->decl->name))
                continue;
            json_object_set_new(offered, u->decl->name, json_true());
            offer_item(list, u->decl->name, types ? ITEM_TYPE_KIND : ITEM_CONSTANT_KIND, decl_noun(u->decl));
        }
    }
    json_decref(offered);
}

static void offer_types(const views *v, json_t *list)
{
    for (size_t i = 0; type_word_at(i); i++)
        offer_item(list, type_word_at(i)->name, ITEM_TYPE_KIND, type_word_at(i)->form);
    offer_declared(v, list, true);
}

static void offer_members(const decl *d, json_t *list)
{
    for (const member *m = d->members; m; m = m->next)
        offer_item(list, m->name, ITEM_MEMBER_KIND, d->name);
}

/* The declaration of a type, which need not be in this file. */
static const decl *type_named(const views *v, const char *name)
{
    for (int i = 0; i < 2; i++)
        for (const name_use *u = name && v->of[i] ? v->of[i]->uses.first : NULL; u; u = u->next)
            if (u->decl && !u->field && u->decl->kind != DECL_CONST && strcmp(u->decl->name, name) == 0)
                return u->decl;
    return NULL;
}

/* The fields of the type around the cursor, from the tree: a type with syntax errors has no others. */
typedef struct offered_fields {
    lsp_server *server;
    const analysis *of;
    const typing *typing;
    const char *subject; /* its type is looked for; or NULL */
    json_t *list;        /* NULL: look for the subject alone */
    const char *subject_type;
} offered_fields;

static void offer_field(offered_fields *o, const ast_field *f, const ast_declarator *d)
{
    const char *name = d->name.text;
    if (o->subject && strcmp(name, o->subject) == 0)
        o->subject_type = f->type.name.text;
    if (!o->list)
        return;
    offer_item(o->list, name, ITEM_FIELD_KIND, f->type.name.text);
    if (f->modifier == AST_OPTIONAL)
        offer_item(o->list, arena_printf(o->server->scratch, "has_%s", name), ITEM_FIELD_KIND, "bool");
    if (d->dims && (d->dims->kind == AST_DIM_UPTO || d->dims->kind == AST_DIM_RANGE))
        offer_item(o->list, arena_printf(o->server->scratch, "%s_count", name), ITEM_FIELD_KIND, NULL);
}

static void offer_fields(offered_fields *o, const ast_item *i)
{
    for (; i; i = i->next) {
        for (const ast_declarator *d = i->kind == AST_FIELD ? i->as.field.declarators : NULL; d; d = d->next)
            offer_field(o, &i->as.field, d);
        for (const ast_item *b = i->kind == AST_IF ? i : NULL; b; b = b->as.branch.other_if) {
            offer_fields(o, b->as.branch.then.items);
            offer_fields(o, b->as.branch.other.items);
        }
        for (const ast_label *l = i->kind == AST_SWITCH ? i->as.choice.labels : NULL; l; l = l->next)
            offer_fields(o, l->items);
    }
}

/* Looks through the fields of the type around the cursor. */
static void visit_fields(offered_fields *o)
{
    for (const ast_decl *d = o->of->tree->decls; d && o->typing->type; d = d->next)
        if (d->name.text && strcmp(d->name.text, o->typing->type) == 0)
            offer_fields(o, d->body.items);
}

/* What can be a value or in a condition: members of the enum that it is about, fields, constants. */
static void offer_values(lsp_server *s, const document *d, const views *v, const typing *c, bool fields, json_t *list)
{
    offered_fields o = {s, d->analysis, c, c->subject, NULL, NULL};
    visit_fields(&o);
    const bool initial = !o.subject_type && c->parentheses == 0 && !c->in_case;
    const decl *about = type_named(v, initial ? c->typed : o.subject_type);
    if (about && about->kind != DECL_STRUCT)
        offer_members(about, list);
    o.list = list;
    if (fields)
        visit_fields(&o);
    offer_declared(v, list, false);
}

/* What follows the dot of a path: the fields of its last name. */
static void offer_fields_of_path(lsp_server *s, const document *d, const views *v, const typing *c, json_t *list)
{
    offered_fields o = {s, d->analysis, c, c->path[0], NULL, NULL};
    if (c->path_size > 0)
        visit_fields(&o);
    const decl *owner = type_named(v, o.subject_type);
    for (unsigned i = 1; i < c->path_size && owner; i++) {
        const field *f = owner->fields;
        while (f && strcmp(f->name, c->path[i]) != 0)
            f = f->next;
        owner = f ? f->type.decl : NULL;
    }
    for (const field *f = owner ? owner->fields : NULL; f; f = f->next) {
        if (f->local)
            continue;
        offer_item(list, f->name, ITEM_FIELD_KIND, span_text(s->scratch, f->type.span));
        if (f->optional)
            offer_item(list, arena_printf(s->scratch, "has_%s", f->name), ITEM_FIELD_KIND, "bool");
        if (f->array == ARRAY_COUNTED)
            offer_item(list, arena_printf(s->scratch, "%s_count", f->name), ITEM_FIELD_KIND, NULL);
    }
}

/* What follows `by`: the key of the struct, or the fields that can be its key. */
static void offer_keys(lsp_server *s, const views *v, const typing *c, json_t *list)
{
    const decl *d = type_named(v, c->listed);
    for (const field *f = d ? d->fields : NULL; f; f = f->next) {
        const value_sort sort = type_row_of(&f->type)->sort;
        const bool is_number = (sort == SORT_INTEGER && f->type.kind != TYPE_COMPACT) || sort == SORT_ENUM;
        if (d->key ? f == d->key : is_number && !f->local && !f->optional && f->array == ARRAY_NONE)
            offer_item(list, f->name, ITEM_FIELD_KIND, span_text(s->scratch, f->type.span));
    }
}

/* The text of an import around the cursor. */
typedef struct typed_path {
    const char *folder; /* what is before its last slash, with it; or "" */
    bool quoted;
    json_t *range; /* of the rest */
    json_t *offered;
} typed_path;

static typed_path path_typed_at(arena *a, const source *file, uint32_t offset)
{
    const char *text = (const char *)file->text;
    uint32_t begin = offset, rest, end = offset;
    while (begin > 0 && !strchr("\"\n", text[begin - 1]))
        begin--;
    const bool quoted = begin > 0 && text[begin - 1] == '"';
    rest = quoted ? begin : offset;
    for (uint32_t i = rest; i < offset; i++)
        if (text[i] == '/')
            rest = i + 1;
    while (quoted && end < file->size && (is_word_byte(file->text[end]) || strchr("./-", text[end])) &&
           text[end] != '"')
        end++;
    return (typed_path){arena_text(a, text + (quoted ? begin : offset), rest - (quoted ? begin : offset)), quoted,
                        range_at((span){file, rest, end}), json_object()};
}

static void offer_file(const typed_path *t, const char *name, bool folder, json_t *list)
{
    if (json_object_get(t->offered, name))
        return;
    json_object_set_new(t->offered, name, json_true());
    const char *mark = t->quoted ? "" : "\"";
    json_array_append_new(list, json_pack("{s:s++,s:i,s:{s:O,s:s++}}", "label", name, folder ? "/" : "", "", "kind",
                                          folder ? ITEM_FOLDER_KIND : ITEM_FILE_KIND, "textEdit", "range", t->range,
                                          "newText", mark, name, folder ? "/" : mark));
}

static void offer_files_in(lsp_server *s, const document *d, const char *directory, const typed_path *t, json_t *list)
{
    arena *a = s->scratch;
    size_t count;
    const char *folder = *t->folder ? file_in_directory(a, directory, t->folder) : directory;
    const char **files = file_list(a, folder, &count);
    for (size_t i = 0; i < count; i++) {
        const char *file = file_in_directory(a, folder, files[i]), *ending = strrchr(files[i], '.');
        if (files[i][0] != '.' && file_is_directory(file))
            offer_file(t, files[i], true, list);
        else if (ending && strcmp(ending, ".pkt") == 0 && strcmp(file_identity(a, file), d->identity) != 0)
            offer_file(t, files[i], false, list);
    }
}

/* Imports are searched for beside the file, and then in the directories of -I. */
static void offer_files(lsp_server *s, const document *d, uint32_t offset, json_t *list)
{
    const check_options *how = &s->options->check;
    const size_t size = file_directory_size(d->path);
    typed_path t = path_typed_at(s->scratch, d->analysis->source, offset);
    offer_files_in(s, d, size ? arena_text(s->scratch, d->path, size) : ".", &t, list);
    for (size_t i = 0; i < how->import_dir_count; i++)
        offer_files_in(s, d, how->import_dirs[i], &t, list);
    json_decref(t.range);
    json_decref(t.offered);
}

static void offer_at(lsp_server *s, const document *d, const typing *c, uint32_t offset, json_t *list)
{
    static const char *const of_file[] = {"protocol", "import", "model",  "const", "type", "enum",
                                          "flags",    "struct", "packet", "union", NULL};
    static const char *const of_body[] = {"optional", "sparse", "local",    "if",    "switch",  "case", "default",
                                          "align",    "const",  "reserved", "check", "compact", NULL};
    static const char *const of_field[] = {"by",    "after", "wrap",  "or raw", "clamp", "unless",
                                           "delta", "coded", "still", "was",    NULL};
    static const char *const of_part[] = {"start", NULL};
    const views v = views_of(s, d);
    const bool begins = c->last == TOK_LBRACE || c->last == TOK_RBRACE || c->last == TOK_SEMI || c->last == TOK_COLON;
    if (c->last == TOK_IMPORT) {
        offer_files(s, d, offset, list);
    } else if (c->last == TOK_AT) {
        offer_attributes(list);
    } else if (c->braces == 0 && c->last == TOK_ASSIGN && c->declaration == TOK_TYPE) {
        offer_types(&v, list);
    } else if (c->braces == 0 && (c->last == 0 || c->last == TOK_SEMI || c->last == TOK_RBRACE)) {
        offer_words(list, of_file);
    } else if (c->last == TOK_DOT) {
        offer_fields_of_path(s, d, &v, c, list);
    } else if (c->last == TOK_BY && c->listed) {
        offer_keys(s, &v, c, list);
    } else if (c->last == TOK_ELSE && c->parentheses > 0) {
        offer_words(list, of_part);
    } else if (c->in_case || c->in_value || c->parentheses > 0) {
        offer_values(s, d, &v, c, c->parentheses > 0 || c->last == TOK_LBRACKET || c->last == TOK_AFTER, list);
    } else if (c->in_ref) {
        offer_declared(&v, list, true);
    } else if (c->last == TOK_LT || c->last == TOK_COMMA || c->last == TOK_MINUS) {
        offer_declared(&v, list, false);
    } else if (c->braces > 0 && begins && c->declaration != TOK_ENUM && c->declaration != TOK_FLAGS) {
        offer_words(list, of_body);
        offer_types(&v, list);
    } else if (c->last == TOK_OPTIONAL || c->last == TOK_LOCAL || c->last == TOK_SPARSE || c->last == TOK_GT) {
        offer_types(&v, list);
    } else if (c->braces > 0 && (c->last == TOK_ID || c->last == TOK_RBRACKET)) {
        offer_words(list, of_field);
    }
}

json_t *answer_completion(lsp_server *s, document *d, const json_t *parameters)
{
    const source *file = d->analysis->source;
    const uint32_t offset = offset_in_source(file, json_object_get(parameters, "position"));
    json_t *list = json_array();
    const typing c = typing_at(s, file, offset);
    if (!c.in_comment)
        offer_at(s, d, &c, offset, list);
    return list;
}

#endif
