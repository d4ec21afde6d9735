/* documents.c - the documents that the editor has open, and the schemas in its folders.
 * SPDX-License-Identifier: MIT
 */
#include "editor/lsp_internal.h"

#ifdef PKTC_JSON

#include "base/files.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST_DOCUMENT = 64 << 20, DEEPEST_FOLDER = 8, MOST_FILES = 20000 };

static void *allocated(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static char *copy_of(const char *text, size_t size)
{
    char *copy = allocated(malloc(size + 1));
    if (size > 0)
        memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

/* ---- one document */

static const char *uri_in(const json_t *parameters)
{
    const char *uri = json_string_value(json_object_get(json_object_get(parameters, "textDocument"), "uri"));
    return uri ? uri : "";
}

document *document_of(const lsp_server *s, const json_t *parameters)
{
    const char *uri = uri_in(parameters);
    for (document *d = s->documents; d; d = d->next)
        if (strcmp(d->uri, uri) == 0)
            return d;
    return NULL;
}

static void set_text(document *d, const char *text, size_t size)
{
    char *copy = copy_of(text, size);
    free(d->text);
    d->text = copy;
    d->size = size;
}

/* Replaces a part of a document, or all of it if there is no range. */
static void apply_edit(document *d, const json_t *edit_of)
{
    const json_t *text = json_object_get(edit_of, "text"), *range = json_object_get(edit_of, "range");
    if (!json_is_string(text))
        return;
    size_t begin = 0, end = d->size;
    const size_t more = json_string_length(text);
    if (json_is_object(range)) {
        begin = offset_in_text(d->text, d->size, json_object_get(range, "start"));
        end = offset_in_text(d->text, d->size, json_object_get(range, "end"));
    }
    if (end < begin)
        end = begin;
    const size_t size = d->size - (end - begin) + more;
    if (size > LARGEST_DOCUMENT)
        return;
    char *made = allocated(malloc(size + 1));
    memcpy(made, d->text, begin);
    memcpy(made + begin, json_string_value(text), more);
    memcpy(made + begin + more, d->text + end, d->size - end);
    set_text(d, made, size);
    free(made);
}

static void analyse_document(lsp_server *s, document *d)
{
    analysis_free(d->analysis);
    d->analysis = NULL;
    d->analysis = analyse(s, d->path, d->text, d->size);
}

/* Whether a document imports another one, or would if it could be read. */
static bool imports_document(const document *d, const document *other)
{
    for (const sought_file *f = d->analysis->sought; f; f = f->next)
        if (strcmp(f->identity, other->identity) == 0)
            return true;
    return false;
}

/* Finds out which files the documents are: one that is saved for the first time, or in a file that takes the name of the
 * old one, becomes another file. Returns whether one did. */
static bool find_identities(lsp_server *s)
{
    bool changed = false;
    for (document *d = s->documents; d; d = d->next) {
        const char *identity = file_identity(s->scratch, d->path);
        if (d->identity && strcmp(identity, d->identity) == 0)
            continue;
        changed = changed || d->identity;
        free(d->identity);
        d->identity = copy_of(identity, strlen(identity));
    }
    return changed;
}

/* Analyses a document that has changed, and those that import it. */
static void analyse_changed(lsp_server *s, document *changed)
{
    const bool all = find_identities(s);
    analyse_document(s, changed);
    for (document *d = s->documents; d; d = d->next)
        if (d != changed && (all || !d->analysis || imports_document(d, changed)))
            analyse_document(s, d);
    publish_problems(s);
}

static void analyse_stale(lsp_server *s, bool all)
{
    for (document *d = s->documents; d; d = d->next)
        if (all || is_stale(s, d->analysis))
            analyse_document(s, d);
    publish_problems(s);
}

void documents_refresh(lsp_server *s)
{
    analyse_stale(s, find_identities(s));
}

void documents_find_files(lsp_server *s)
{
    if (find_identities(s))
        analyse_stale(s, true);
}

/* ---- what the client says */

void document_open(lsp_server *s, const json_t *parameters)
{
    const json_t *opened = json_object_get(parameters, "textDocument"), *text = json_object_get(opened, "text");
    document *d = document_of(s, parameters);
    if (!*uri_in(parameters) || !json_is_string(text) || json_string_length(text) > LARGEST_DOCUMENT)
        return;
    if (!d) {
        d = allocated(calloc(1, sizeof *d));
        d->uri = copy_of(uri_in(parameters), strlen(uri_in(parameters)));
        d->path = path_of_uri(d->uri);
        d->next = s->documents;
        s->documents = d;
    }
    d->version = json_integer_value(json_object_get(opened, "version"));
    set_text(d, json_string_value(text), json_string_length(text));
    analyse_changed(s, d);
}

void document_change(lsp_server *s, const json_t *parameters)
{
    document *d = document_of(s, parameters);
    size_t i;
    json_t *each;
    if (!d)
        return;
    d->version = json_integer_value(json_object_get(json_object_get(parameters, "textDocument"), "version"));
    json_array_foreach(json_object_get(parameters, "contentChanges"), i, each) apply_edit(d, each);
    analyse_changed(s, d);
}

static void document_free(document *d)
{
    analysis_free(d->analysis);
    free(d->uri);
    free(d->path);
    free(d->identity);
    free(d->text);
    free(d->tokens.all);
    free(d);
}

/* From now on the file is what is on the disk. */
void document_close(lsp_server *s, const json_t *parameters)
{
    document *d = document_of(s, parameters), **at = &s->documents;
    if (!d)
        return;
    while (*at != d)
        at = &(*at)->next;
    *at = d->next;
    document_free(d);
    documents_refresh(s);
}

void documents_free(lsp_server *s)
{
    while (s->documents) {
        document *d = s->documents;
        s->documents = d->next;
        document_free(d);
    }
}

/* ---- schemas in folders */

typedef struct folder_visit {
    lsp_server *server;
    void (*each)(void *user, const analysis *of);
    void *user;
    json_t *seen; /* the identities of documents, files and folders, each of which is looked at once */
    size_t left;  /* files that may still be looked at */
} folder_visit;

/* Links lead to the same file or folder again. */
static bool is_seen(folder_visit *v, const char *file)
{
    const char *identity = file_identity(v->server->scratch, file);
    const bool seen = json_object_get(v->seen, identity);
    json_object_set_new(v->seen, identity, json_true());
    return seen;
}

static void visit_file(folder_visit *v, const char *file)
{
    const source *s = !is_seen(v, file) ? read_from_disk(v->server->scratch, file) : NULL;
    if (!s)
        return;
    analysis *of = analyse(v->server, file, (const char *)s->text, s->size);
    sound_part(v->server, of);
    v->each(v->user, of);
    analysis_free(of);
}

static void visit_folder(folder_visit *v, const char *folder, unsigned depth)
{
    size_t count;
    if (is_seen(v, folder))
        return;
    const char **list = file_list(v->server->scratch, folder, &count);
    for (size_t i = 0; i < count && v->left > 0; i++, v->left--) {
        const char *file = file_in_directory(v->server->scratch, folder, list[i]), *ending = strrchr(list[i], '.');
        if (ending && strcmp(ending, ".pkt") == 0 && file_is_regular(file))
            visit_file(v, file);
        else if (list[i][0] != '.' && depth < DEEPEST_FOLDER && file_is_directory(file))
            visit_folder(v, file, depth + 1);
    }
}

void analyses_visit(lsp_server *s, void (*each)(void *user, const analysis *of), void *user)
{
    folder_visit v = {.server = s, .each = each, .user = user, .seen = json_object(), .left = MOST_FILES};
    size_t i;
    json_t *folder;
    for (const document *d = s->documents; d; d = d->next) {
        sound_part(s, d->analysis);
        each(user, d->analysis);
        is_seen(&v, d->path);
    }
    json_array_foreach(s->folders, i, folder) visit_folder(&v, json_string_value(folder), 0);
    json_decref(v.seen);
}

#endif
