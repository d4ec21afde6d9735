/* problems.c - errors and warnings as diagnostics, and their advice as quick fixes.
 * SPDX-License-Identifier: MIT
 *
 * The client gets the diagnostics of a file only when they change. A file that several documents import has the
 * diagnostics that any of them finds in it.
 */
#include "editor/lsp_internal.h"

#ifdef PKTC_JSON

#include "base/diag.h"
#include "base/utf8.h"

#include <string.h>

enum { LSP_ERROR = 1, LSP_WARNING = 2, MOST_OF_FILE = 200 };

/* ---- diagnostics */

/* The place of a message in a file; one without a place is at the beginning. */
static span place_of_message(const message *m, const source *root)
{
    return m->at.source ? m->at : (span){root, 0, 0};
}

static json_t *notes_of(const lsp_server *s, const message *m)
{
    json_t *notes = json_array();
    for (const remark *n = m->notes; n; n = n->next)
        if (n->at.source)
            json_array_append_new(notes,
                                  json_pack("{s:{s:s,s:o},s:s}", "location", "uri", uri_of_path(s, n->at.source->path),
                                            "range", range_at(n->at), "message", utf8_shown(s->scratch, n->text)));
    return notes;
}

/* Text that may have bytes of a file, as JSON can spell it. */
static const char *spelled_text(const lsp_server *s, const message *m)
{
    const char *text = m->text;
    for (const remark *h = m->helps; h; h = h->next)
        text = arena_printf(s->scratch, "%s\nhelp: %s", text, h->text);
    return utf8_shown(s->scratch, text);
}

static json_t *diagnostic_of(const lsp_server *s, const message *m, const source *root)
{
    return json_pack("{s:o,s:i,s:s,s:s,s:o}", "range", range_at(place_of_message(m, root)), "severity",
                     m->severity == SEVERITY_ERROR ? LSP_ERROR : LSP_WARNING, "source", "pktc", "message",
                     spelled_text(s, m), "relatedInformation", notes_of(s, m));
}

static bool array_has(const json_t *array, const json_t *wanted)
{
    size_t i;
    json_t *each;
    json_array_foreach(array, i, each) if (json_equal(each, wanted)) return true;
    return false;
}

static void add_diagnostics(const lsp_server *s, const analysis *of, json_t *all)
{
    for (const message *m = diag_messages(of->diag); m; m = m->next) {
        const char *uri = uri_of_path(s, place_of_message(m, of->source).source->path);
        json_t *list = json_object_get(all, uri), *made;
        if (!list)
            json_object_set_new(all, uri, list = json_array());
        if (json_array_size(list) >= MOST_OF_FILE)
            continue;
        made = diagnostic_of(s, m, of->source);
        if (!array_has(list, made))
            json_array_append(list, made);
        json_decref(made);
    }
}

static void publish_list(const lsp_server *s, const char *uri, json_t *list)
{
    json_t *parameters = json_pack("{s:s,s:O}", "uri", uri, "diagnostics", list);
    for (const document *d = s->documents; d; d = d->next)
        if (strcmp(d->uri, uri) == 0)
            json_object_set_new(parameters, "version", json_integer(d->version));
    send_message(s, json_pack("{s:s,s:s,s:o}", "jsonrpc", "2.0", "method", "textDocument/publishDiagnostics", "params",
                              parameters));
}

void publish_problems(lsp_server *s)
{
    json_t *all = json_object(), *list, *none = json_array();
    const char *uri;
    for (const document *d = s->documents; d; d = d->next)
        json_object_set_new(all, d->uri, json_array());
    for (const document *d = s->documents; d; d = d->next)
        add_diagnostics(s, d->analysis, all);
    json_object_foreach(s->published, uri, list) if (!json_object_get(all, uri)) publish_list(s, uri, none);
    json_object_foreach(all, uri, list) if (!json_equal(list, json_object_get(s->published, uri)))
        publish_list(s, uri, list);
    json_decref(none);
    json_decref(s->published);
    s->published = all;
}

/* ---- quick fixes */

/* Bytes of a file. */
typedef struct file_range {
    const char *uri;
    uint32_t begin, end;
} file_range;

static bool overlaps(const lsp_server *s, span at, const file_range *r)
{
    return at.source && at.begin <= r->end && r->begin <= at.end &&
           strcmp(uri_of_path(s, at.source->path), r->uri) == 0;
}

static json_t *edits_of(const lsp_server *s, const remark *help)
{
    json_t *changes = json_object();
    for (const listed_edit *e = help->edits; e; e = e->next) {
        const char *uri = uri_of_path(s, e->edit.at.source->path);
        json_t *list = json_object_get(changes, uri);
        json_t *made = json_pack("{s:o,s:s}", "range", range_at(e->edit.at), "newText", e->edit.text);
        if (!list)
            json_object_set_new(changes, uri, list = json_array());
        if (made)
            json_array_append_new(list, made);
    }
    return changes;
}

static void add_fixes(const lsp_server *s, const analysis *of, const message *m, json_t *actions)
{
    for (const remark *h = m->helps; h; h = h->next) {
        if (!h->edits)
            continue;
        json_t *made = json_pack("{s:s,s:s,s:b,s:[o],s:{s:o}}", "title", utf8_shown(s->scratch, h->text), "kind",
                                 "quickfix", "isPreferred", h == m->helps, "diagnostics",
                                 diagnostic_of(s, m, of->source), "edit", "changes", edits_of(s, h));
        if (!array_has(actions, made))
            json_array_append(actions, made);
        json_decref(made);
    }
}

/* What is wrong with an imported file may be known only to a schema that imports it. */
json_t *answer_code_actions(lsp_server *s, document *d, const json_t *parameters)
{
    const source *file = d->analysis->source;
    const json_t *range = json_object_get(parameters, "range");
    const file_range r = {d->uri, offset_in_source(file, json_object_get(range, "start")),
                          offset_in_source(file, json_object_get(range, "end"))};
    json_t *actions = json_array();
    for (const document *each = s->documents; each; each = each->next)
        for (const message *m = diag_messages(each->analysis->diag); m; m = m->next)
            if (overlaps(s, m->at, &r))
                add_fixes(s, each->analysis, m, actions);
    return actions;
}

#endif
