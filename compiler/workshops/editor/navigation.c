/* navigation.c - finds where names are declared and used, and renames them.
 * SPDX-License-Identifier: MIT
 */
#include "editor/lsp_internal.h"

#ifdef PKTC_JSON

#include "base/diag.h"
#include "base/files.h"
#include "front/lexer.h"
#include "model/type_table.h"

#include "grammar.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static json_t *location_of(const lsp_server *s, span at)
{
    return json_pack("{s:s,s:o}", "uri", uri_of_path(s, at.source->path), "range", range_at(at));
}

json_t *answer_definition(lsp_server *s, document *d, const json_t *parameters)
{
    const analysis *of;
    const name_use *u = name_at(s, d, parameters, &of);
    return u ? location_of(s, u->declared) : NULL;
}

json_t *answer_highlights(lsp_server *s, document *d, const json_t *parameters)
{
    const analysis *of;
    const name_use *u = name_at(s, d, parameters, &of);
    json_t *list = json_array();
    for (size_t i = 0; u && i < of->own_count; i++)
        if (is_same_place(s, of->own[i]->declared, u->declared))
            json_array_append_new(list, json_pack("{s:o}", "range", range_at(of->own[i]->at)));
    return list;
}

/* ---- all uses of a name, in all schemas */

typedef struct search {
    const lsp_server *server;
    span declared;
    bool with_declaration, with_releases;
    json_t *found;       /* for each URI, an array of ranges */
    json_t *seen;        /* for each URI, an object whose keys are the texts of these */
    renamed_file *files; /* those that have some, as they are */
    bool released;       /* a schema with the name has a release with it */
} search;

static search search_for(const lsp_server *s, span declared)
{
    return (search){.server = s, .declared = declared, .found = json_object(), .seen = json_object()};
}

static void search_end(search *f)
{
    json_decref(f->found);
    json_decref(f->seen);
}

/* Several schemas may import the same file, each with the same ranges. */
static void add_range(search *f, const char *uri, json_t *range)
{
    json_t *list = json_object_get(f->found, uri), *seen = json_object_get(f->seen, uri);
    char *text = json_dumps(range, JSON_COMPACT);
    if (!list) {
        json_object_set_new(f->found, uri, list = json_array());
        json_object_set_new(f->seen, uri, seen = json_object());
    }
    if (!json_object_get(seen, text)) {
        json_object_set_new(seen, text, json_true());
        json_array_append(list, range);
    }
    json_decref(range);
    free(text);
}

/* Keeps the text of a file, since its analysis may be gone soon. */
static void note_file(search *f, const char *uri, const source *s)
{
    arena *a = f->server->scratch;
    for (const renamed_file *known = f->files; known; known = known->next)
        if (strcmp(known->uri, uri) == 0)
            return;
    renamed_file *made = ARENA_NEW(a, renamed_file);
    *made = (renamed_file){.next = f->files,
                           .uri = arena_text(a, uri, strlen(uri)),
                           .identity = file_identity(a, s->path),
                           .before = source_from(a, arena_text(a, s->path, strlen(s->path)), s->text, s->size)};
    f->files = made;
}

static void search_uses(void *user, const analysis *of)
{
    search *f = user;
    const name_use *any = NULL;
    if (of->part)
        search_uses(user, of->part);
    for (const name_use *u = of->uses.first; u; u = u->next) {
        if (u->imported || !is_same_place(f->server, u->declared, f->declared))
            continue;
        const char *uri = uri_of_path(f->server, u->at.source->path);
        any = u;
        if (f->with_declaration || !is_same_place(f->server, u->at, u->declared))
            add_range(f, uri, range_at(u->at));
        note_file(f, uri, u->at.source);
    }
    if (any && f->with_releases && !f->released) {
        const history h = history_of(f->server, of);
        f->released = was_released(&h, any);
    }
}

json_t *answer_references(lsp_server *s, document *d, const json_t *parameters)
{
    const analysis *of;
    const name_use *u = name_at(s, d, parameters, &of);
    const json_t *context = json_object_get(parameters, "context");
    json_t *list = json_array(), *ranges, *range;
    const char *uri;
    size_t i;
    if (!u || u->imported)
        return list;
    search f = search_for(s, u->declared);
    f.with_declaration = json_is_true(json_object_get(context, "includeDeclaration"));
    analyses_visit(s, search_uses, &f);
    json_object_foreach(f.found, uri, ranges) json_array_foreach(ranges, i, range)
        json_array_append_new(list, json_pack("{s:s,s:O}", "uri", uri, "range", range));
    search_end(&f);
    return list;
}

/* ---- rename */

json_t *answer_prepare_rename(lsp_server *s, document *d, const json_t *parameters)
{
    const analysis *of;
    const name_use *u = name_at(s, d, parameters, &of);
    return u && !u->imported ? range_at(u->at) : NULL;
}

/* Whether a text is one token, a name that is no reserved word. */
static bool is_possible_name(arena *a, const char *text)
{
    names *n = names_new(a);
    diag *d = diag_new(a);
    lexer l;
    token t;
    const source *s = source_from(a, "name", text, strlen(text));
    lexer_init(&l, a, n, d, s, reserved_type_word);
    const int kind = lex(&l, &t);
    return (kind == TOK_ID || (kind != 0 && grammarFallback(kind) == TOK_ID)) && t.span.begin == 0 &&
           t.span.end == s->size && diag_errors(d) == 0;
}

/* Where `was "name"` is written in the declaration of a type, field or member: behind all but `else name`, and before the
 * braces of a type. It is right behind a token, so that it is not in a comment. If another name is written so already,
 * `written` is where. */
static uint32_t place_of_was(arena *a, span name, bool of_type, const char *other, span *written)
{
    uint32_t at = name.end, was = 0;
    unsigned depth = 0;
    bool in_delta = false; /* in the <> of `delta<5, 9>`; any other < compares */
    lexer l;
    token t;
    lexer_init(&l, a, names_new(a), diag_new(a), name.source, reserved_type_word);
    l.cursor += name.end;
    for (int terminal, last = 0; (terminal = lex(&l, &t)) != 0; last = terminal) {
        const bool ends_part =
            terminal == TOK_COMMA || terminal == TOK_SEMI || terminal == TOK_RBRACE || terminal == TOK_ELSE;
        if (depth == 0 && !in_delta && (of_type ? terminal == TOK_LBRACE : ends_part))
            break;
        if (terminal == TOK_WAS)
            was = t.span.begin;
        if (terminal == TOK_STRING && last == TOK_WAS && strcmp(t.as.text, other) == 0)
            *written = (span){name.source, was, t.span.end};
        in_delta = (in_delta && terminal != TOK_GT && terminal != TOK_GE) || (last == TOK_DELTA && terminal == TOK_LT);
        depth += terminal == TOK_LPAREN || terminal == TOK_LBRACKET;
        depth -= depth > 0 && (terminal == TOK_RPAREN || terminal == TOK_RBRACKET);
        at = t.span.end;
    }
    return at;
}

static const char *name_of_use(const name_use *u)
{
    return u->field ? u->field->name : u->member ? u->member->name : u->decl->name;
}

/* Whether a new name is that of something else in the same type or, for a declaration, in the schema. */
static bool is_taken(const analysis *of, const name_use *u, const char *name)
{
    if (strcmp(name_of_use(u), name) == 0)
        return false;
    for (const field *f = u->field ? u->decl->fields : NULL; f; f = f->next)
        if (strcmp(f->name, name) == 0)
            return true;
    for (const member *m = u->member ? u->decl->members : NULL; m; m = m->next)
        if (strcmp(m->name, name) == 0)
            return true;
    for (const name_use *other = u->field || u->member ? NULL : of->uses.first; other; other = other->next)
        if (other->decl && strcmp(other->decl->name, name) == 0)
            return true;
    return false;
}

/* The edits that keep the name of the newest release, so that old packets and recordings still convert, and drop the new
 * name from the old ones. */
static void add_edits_of_old_names(lsp_server *s, const name_use *u, const char *name, bool released, json_t *edits)
{
    span written = {0};
    const uint32_t at = place_of_was(s->scratch, u->declared, !u->field && !u->member, name, &written);
    if (written.source) {
        written.begin -= written.source->text[written.begin - 1] == ' ';
        json_array_append_new(edits, json_pack("{s:o,s:s}", "range", range_at(written), "newText", ""));
    }
    if (released)
        json_array_append_new(edits, json_pack("{s:o,s:s}", "range", range_at((span){u->declared.source, at, at}),
                                               "newText", arena_printf(s->scratch, " was \"%s\"", name_of_use(u))));
}

/* Why a name cannot be changed, or NULL. */
static const char *obstacle_to_rename(lsp_server *s, const analysis *of, const name_use *u, const char *name)
{
    if (!u || u->imported)
        return "there is no name here";
    if (!name || !is_possible_name(s->scratch, name))
        return "this cannot be a name";
    return is_taken(of, u, name) ? arena_printf(s->scratch, "'%s' is taken", name) : NULL;
}

/* ---- a rename is tried before it is answered: a name may be taken in C, or in a condition by another field */

typedef struct planned_edit {
    uint32_t begin, end;
    const char *text;
} planned_edit;

static int by_begin_of_edit(const void *a, const void *b)
{
    const planned_edit *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Makes the text of a file after edits. Returns where the byte at `offset` is then. */
static uint32_t apply_edits(arena *a, renamed_file *f, const json_t *edits, uint32_t offset)
{
    const size_t count = json_array_size(edits);
    planned_edit *all = ARENA_ARRAY(a, planned_edit, count + 1);
    size_t size = f->before->size;
    for (size_t i = 0; i < count; i++) {
        const json_t *each = json_array_get(edits, i), *range = json_object_get(each, "range");
        all[i] = (planned_edit){offset_in_source(f->before, json_object_get(range, "start")),
                                offset_in_source(f->before, json_object_get(range, "end")),
                                json_string_value(json_object_get(each, "newText"))};
        size += strlen(all[i].text);
    }
    qsort(all, count, sizeof *all, by_begin_of_edit);
    char *text = arena_alloc(a, size + 1), *to = text;
    uint32_t from = 0, moved = offset;
    all[count] = (planned_edit){f->before->size, f->before->size, ""};
    for (size_t i = 0; i <= count; i++) {
        const size_t kept = all[i].begin - from, more = strlen(all[i].text);
        memcpy(to, f->before->text + from, kept);
        memcpy(to + kept, all[i].text, more);
        to += kept + more;
        from = all[i].end;
        if (all[i].begin < offset)
            moved = moved + (uint32_t)more - (all[i].end - all[i].begin);
    }
    f->text = text;
    f->size = (size_t)(to - text);
    return moved;
}

typedef struct trial {
    lsp_server *server;
    const renamed_file *files;
    span before, after; /* the declaration */
    const char *name, *problem;
} trial;

static size_t count_uses(const lsp_server *s, const analysis *of, span declared)
{
    size_t count = 0;
    for (const name_use *u = of->uses.first; u; u = u->next)
        count += !u->imported && is_same_place(s, u->declared, declared);
    return count;
}

/* A schema that checks still does, and each use of the name is one of the same declaration. */
static void try_rename(void *user, const analysis *of)
{
    trial *t = user;
    lsp_server *s = t->server;
    const size_t uses = of->wire && !t->problem ? count_uses(s, of, t->before) : 0;
    if (uses == 0)
        return;
    const renamed_file *root = t->files;
    const char *identity = file_identity(s->scratch, of->source->path);
    while (root && strcmp(root->identity, identity) != 0)
        root = root->next;
    s->renamed = t->files;
    analysis *after = root ? analyse(s, of->source->path, root->text, root->size)
                           : analyse(s, of->source->path, (const char *)of->source->text, of->source->size);
    s->renamed = NULL;
    const message *error = first_error(diag_messages(after->diag));
    if (!after->wire)
        t->problem = arena_printf(s->scratch, "'%s' cannot be the name: %s", t->name, error ? error->text : "");
    else if (count_uses(s, after, t->after) != uses)
        t->problem = arena_printf(s->scratch, "'%s' is something else where it would be written", t->name);
    analysis_free(after);
}

static const char *problem_of_rename(lsp_server *s, const search *f, const char *name, const json_t *changes)
{
    trial t = {s, f->files, f->declared, f->declared, name, NULL};
    const char *declaring = uri_of_path(s, f->declared.source->path);
    for (renamed_file *each = f->files; each; each = each->next) {
        const bool declares = strcmp(each->uri, declaring) == 0;
        const uint32_t moved =
            apply_edits(s->scratch, each, json_object_get(changes, each->uri), declares ? f->declared.begin : 0);
        if (declares)
            t.after.begin = moved;
    }
    analyses_visit(s, try_rename, &t);
    return t.problem;
}

json_t *answer_rename(lsp_server *s, document *d, const json_t *parameters)
{
    const analysis *of;
    const name_use *u = name_at(s, d, parameters, &of);
    const char *name = json_string_value(json_object_get(parameters, "newName")), *uri;
    json_t *ranges, *range, *changes;
    size_t i;
    s->problem = obstacle_to_rename(s, of, u, name);
    if (s->problem)
        return NULL;
    changes = json_object();
    search f = search_for(s, u->declared);
    f.with_declaration = f.with_releases = true;
    analyses_visit(s, search_uses, &f);
    json_object_foreach(f.found, uri, ranges)
    {
        json_t *edits = json_array();
        json_array_foreach(ranges, i, range)
            json_array_append_new(edits, json_pack("{s:O,s:s}", "range", range, "newText", name));
        json_object_set_new(changes, uri, edits);
    }
    search_end(&f);
    add_edits_of_old_names(s, u, name, f.released, json_object_get(changes, uri_of_path(s, u->declared.source->path)));
    s->problem = problem_of_rename(s, &f, name, changes);
    if (s->problem) {
        json_decref(changes);
        return NULL;
    }
    return json_pack("{s:o}", "changes", changes);
}

/* ---- symbols of all schemas */

enum { SYMBOL_CLASS = 5, SYMBOL_ENUM = 10, SYMBOL_CONSTANT = 14, SYMBOL_STRUCT = 23, MOST_SYMBOLS = 5000 };

typedef struct symbol_search {
    const lsp_server *server;
    const char *query;
    json_t *found;
} symbol_search;

static bool has_letters(const char *name, const char *query)
{
    for (; *name && *query; name++)
        query += tolower((unsigned char)*name) == tolower((unsigned char)*query);
    return !*query;
}

static int kind_of_decl_symbol(const decl *d)
{
    switch (d->kind) {
    case DECL_CONST: return SYMBOL_CONSTANT;
    case DECL_ENUM:
    case DECL_FLAGS: return SYMBOL_ENUM;
    case DECL_ALIAS:
    case DECL_STRUCT: return d->packet ? SYMBOL_CLASS : SYMBOL_STRUCT;
    case DECL_UNION: return SYMBOL_CLASS;
    }
    return SYMBOL_STRUCT;
}

static void add_symbols_of(const symbol_search *f, const analysis *of, const analysis *listed)
{
    for (size_t i = 0; i < of->own_count && json_array_size(f->found) < MOST_SYMBOLS; i++) {
        const name_use *u = of->own[i];
        if (u->decl && !u->field && !u->member && u->at.begin == u->declared.begin &&
            u->at.source == u->declared.source && has_letters(u->decl->name, f->query) &&
            !(listed && use_at(listed, u->at.begin)))
            json_array_append_new(f->found,
                                  json_pack("{s:s,s:i,s:o}", "name", u->decl->name, "kind",
                                            kind_of_decl_symbol(u->decl), "location", location_of(f->server, u->at)));
    }
}

/* A file's own declarations, since its imports are visited too, or are not in the folders. */
static void search_symbols(void *user, const analysis *of)
{
    if (of->part)
        add_symbols_of(user, of->part, NULL);
    add_symbols_of(user, of, of->part);
}

json_t *answer_workspace_symbols(lsp_server *s, document *d, const json_t *parameters)
{
    const char *query = json_string_value(json_object_get(parameters, "query"));
    symbol_search f = {s, query ? query : "", json_array()};
    (void)d;
    analyses_visit(s, search_symbols, &f);
    return f.found;
}

#endif
