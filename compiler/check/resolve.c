/* resolve.c - makes a decl for every declaration, and finds declarations, members and fields by name.
 * SPDX-License-Identifier: MIT
 *
 * All files of a schema share one namespace, because the C program that includes their headers does. A file can only
 * use names of the files that it imports, directly or not.
 */
#include "check/check_internal.h"
#include "model/type_table.h"
#include <assert.h>
#include <string.h>

/* ---- making */

static decl_kind decl_kind_of(ast_decl_kind kind)
{
    switch (kind) {
    case AST_DECL_CONST: return DECL_CONST;
    case AST_DECL_ALIAS: return DECL_ALIAS;
    case AST_DECL_ENUM: return DECL_ENUM;
    case AST_DECL_FLAGS: return DECL_FLAGS;
    case AST_DECL_STRUCT:
    case AST_DECL_PACKET: return DECL_STRUCT;
    case AST_DECL_UNION:
    case AST_DECL_PACKET_UNION: return DECL_UNION;
    case AST_DECL_PROTOCOL:
    case AST_DECL_IMPORT:
    case AST_DECL_MODEL: break;
    }
    assert(false && "a protocol, an import or a model declares no name");
    return DECL_CONST;
}

const char *keep_doc(checker *k, const char *doc)
{
    return doc ? arena_text(k->arena, doc, strlen(doc)) : NULL;
}

static decl_info *declare(checker *k, file_info *file, const ast_decl *ast)
{
    decl *d = ARENA_WITH(k->arena, decl, .kind = decl_kind_of(ast->kind), .name = ast->name.text,
                         .doc = keep_doc(k, ast->doc), .span = ast->name.span, .file = file->file,
                         .packet = ast->kind == AST_DECL_PACKET || ast->kind == AST_DECL_PACKET_UNION);

    decl_info *info = ARENA_WITH(k->scratch, decl_info, .decl = d, .ast = ast, .file = file);
    map_put(k->scratch, k->decl_infos, d, NULL, info);
    use_decl(k->options->uses, d->span, d);

    const decl_info *before = map_get(k->declarations, NULL, d->name);
    if (before) {
        message *m = diag_error(k->diag, d->span, "'%s' is declared twice", d->name);
        diag_note(k->diag, m, before->decl->span, "previous declaration is here");
    } else {
        map_put(k->scratch, k->declarations, NULL, d->name, info);
    }
    return info;
}

/* Only a root file can have packets, and it needs a protocol for them. A missing protocol is reported once per file. */
static void check_packets_allowed(checker *k, const file_info *file)
{
    if (file->file->root && (k->schema->protocol || k->incomplete))
        return;
    for (const ast_decl *d = file->tree->decls; d; d = d->next) {
        if (d->kind != AST_DECL_PACKET && d->kind != AST_DECL_PACKET_UNION)
            continue;
        if (!file->file->root) {
            message *m =
                diag_error(k->diag, d->name.span,
                           "packet '%s' is in an imported file; only the root file can declare packets", d->name.text);
            const bool is_union = d->kind == AST_DECL_PACKET_UNION;
            span word = {d->span.source, d->span.begin, d->span.begin + (uint32_t)strlen("packet")};
            while (is_union && strchr(" \t", d->span.source->text[word.end]))
                word.end++;
            diag_fix(k->diag, m, (edit){word, is_union ? "" : "struct"},
                     "declare it as a %s, which packets of the root file can contain", is_union ? "union" : "struct");
        } else {
            message *m = diag_error(k->diag, d->name.span, "packet '%s' needs a protocol, but this file declares none",
                                    d->name.text);
            const char *line = arena_printf(k->arena, "protocol %s = 1;", file->file->name);
            diag_fix(k->diag, m, (edit){{file->tree->source, 0, 0}, arena_printf(k->arena, "%s\n\n", line)},
                     "begin the file with `%s`", line);
            return;
        }
    }
}

static void declare_protocol(checker *k, file_info *file, const ast_decl *ast)
{
    if (!file->file->root) {
        diag_error(k->diag, ast->span, "an imported file cannot declare a protocol; only the root file can");
        return;
    }
    if (k->schema->protocol) {
        message *m = diag_error(k->diag, ast->span, "a file can declare only one protocol");
        diag_note(k->diag, m, k->schema->protocol_span, "the first is here");
        return;
    }
    k->schema->protocol = ast->name.text;
    k->schema->protocol_span = ast->name.span;
    if (k->options->prefix || ast->prefix.text)
        file->file->prefix = k->options->prefix ? k->options->prefix : ast->prefix.text;
}

static void declare_model(checker *k, const file_info *file, const ast_decl *ast)
{
    if (!file->file->root) {
        diag_error(k->diag, ast->name.span, "an imported file cannot have a model; only the root file can");
    } else if (k->model) {
        message *m = diag_error(k->diag, ast->name.span, "a protocol can have only one model");
        diag_note(k->diag, m, k->model->name.span, "the first is here");
    } else {
        k->model = ast;
    }
}

static void declare_file(checker *k, file_info *file, decl_info ***last)
{
    size_t error_count = 0, i = 0;
    const uint32_t *errors = k->incomplete ? diag_error_offsets(k->diag, file->tree->source, &error_count) : NULL;
    for (const ast_decl *ast = file->tree->decls; ast; ast = ast->next) {
        while (i < error_count && errors[i] < ast->span.begin)
            i++;
        if (ast->kind == AST_DECL_PROTOCOL) {
            declare_protocol(k, file, ast);
        } else if (ast->kind == AST_DECL_MODEL) {
            declare_model(k, file, ast);
        } else if (ast->kind != AST_DECL_IMPORT) {
            decl_info *d = declare(k, file, ast);
            d->damaged = i < error_count && errors[i] <= ast->span.end;
            **last = d;
            *last = &d->next;
        }
    }
}

void declare_all(checker *k)
{
    decl_info **last = &k->decls;
    for (file_info *file = k->files; file; file = file->next) {
        declare_file(k, file, &last);
        check_packets_allowed(k, file);
    }
}

/* ---- finding */

void look_from(checker *k, file_info *file)
{
    k->file = file;
}

static bool sees(const checker *k, const decl_info *d)
{
    const uint32_t index = d->decl->file->index;
    return (k->file->reachable[index / 64] >> index % 64 & 1) != 0;
}

static void offer(checker *k, suggestion *s, const char *candidate)
{
    if (k->suggestions_left > 0) {
        k->suggestions_left--;
        suggest(s, candidate);
    }
}

static void suggest_decl(checker *k, message *m, ast_name wanted, bool is_type)
{
    const char *own = is_type ? own_type(wanted.text) : NULL;
    if (own) {
        diag_help(k->diag, m, "in .pkt files this type is '%s'", own);
        return;
    }
    suggestion s = {.wanted = wanted.text};
    for (const decl_info *d = k->decls; d && k->suggestions_left > 0; d = d->next)
        if ((d->decl->kind != DECL_CONST) == is_type && sees(k, d))
            offer(k, &s, d->decl->name);
    for (size_t i = 0; is_type && type_word_at(i); i++)
        offer(k, &s, type_word_at(i)->name);
    (void)diag_suggest(k->diag, m, wanted.span, &s);
}

decl_info *find_decl(checker *k, ast_name name, const char *what)
{
    decl_info *d = map_get(k->declarations, NULL, name.text);
    if (d && sees(k, d)) {
        use_decl(k->options->uses, name.span, d->decl);
        return d;
    }
    if (k->incomplete)
        return NULL;
    habit_found habit = {.message = NULL};
    bool is_type = strcmp(what, "type") == 0;
    bool known = !d && is_type && is_habit(k, name.span, HABIT_BODY, &habit);
    const char *text = habit.message ? habit.message : arena_printf(k->arena, "unknown %s '%s'", what, name.text);
    message *m = diag_error(k->diag, name.span, "%s", text);
    if (d)
        diag_note(k->diag, m, d->decl->span, "it is declared here, but this file is not imported");
    else if (known)
        help_with(k->diag, m, &habit);
    else
        suggest_decl(k, m, name, is_type);
    return NULL;
}

decl_info *peek_decl(const checker *k, const char *name)
{
    decl_info *d = map_get(k->declarations, NULL, name);
    return d && sees(k, d) ? d : NULL;
}

decl_info *info_of(const checker *k, const decl *d)
{
    return map_get(k->decl_infos, d, NULL);
}

const member *find_member(const checker *k, const decl *d, const char *name)
{
    return map_get(k->members, d, name);
}

field_info *find_field(const checker *k, const decl *d, const char *name)
{
    return map_get(k->fields, d, name);
}

/* The field that had this name before: `was`. NULL if there is none. */
static const char *field_called(checker *k, const decl *d, const char *before)
{
    const field_info *i = d->kind == DECL_STRUCT ? info_of(k, d)->fields : NULL;
    for (; i && k->suggestions_left > 0; i = i->next, k->suggestions_left--)
        for (const ast_attribute *a = i->declarator->attributes; a; a = a->next)
            if (a->was && a->name.text == before)
                return i->field->name;
    return NULL;
}

void suggest_member(checker *k, message *m, const decl *d, const ast_name *wanted)
{
    const char *now = field_called(k, d, wanted->text);
    if (now) {
        diag_fix(k->diag, m, (edit){wanted->span, now}, "it is '%s' now", now);
        return;
    }
    size_t size = strlen(d->name);
    if (strncmp(wanted->text, d->name, size) == 0 && wanted->text[size] == '_') {
        const char *rest = wanted->text + size + 1;
        if (find_member(k, d, intern(k->names, rest, strlen(rest)))) {
            help_with_line(k, m, wanted->span, rest);
            return;
        }
    }
    suggestion s = {.wanted = wanted->text};
    for (const member *i = d->members; i && k->suggestions_left > 0; i = i->next)
        offer(k, &s, i->name);
    for (const field *i = d->fields; i && k->suggestions_left > 0; i = i->next)
        offer(k, &s, i->name);
    (void)diag_suggest(k->diag, m, wanted->span, &s);
}
