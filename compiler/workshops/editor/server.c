/* server.c - answers the messages of one client, in their order.
 * SPDX-License-Identifier: MIT
 */
#include "editor/lsp_internal.h"

bool lsp_is_there(void)
{
#ifdef PKTC_JSON
    return true;
#else
    return false;
#endif
}

#ifndef PKTC_JSON

lsp_server *lsp_begin(const lsp_options *options, lsp_answer *answer, void *user)
{
    (void)options;
    (void)answer;
    (void)user;
    return NULL;
}

bool lsp_take(lsp_server *s, const char *json, size_t size)
{
    (void)s;
    (void)json;
    (void)size;
    return false;
}

int lsp_end(lsp_server *s)
{
    (void)s;
    return 1;
}

int lsp_serve(const lsp_options *options, FILE *from, FILE *to)
{
    (void)options;
    (void)from;
    (void)to;
    return 1;
}

#else

#include <stdlib.h>
#include <string.h>

enum { NO_JSON = -32700, NO_REQUEST = -32600, NO_METHOD = -32601, NO_PARAMETERS = -32602, FAILED = -32803 };
enum { SYNC_INCREMENTAL = 2, LOG_ERROR = 1 };

/* ---- the beginning and the end */

static void add_folder(lsp_server *s, const char *uri)
{
    char *folder = uri ? path_of_uri(uri) : NULL;
    if (folder && *folder)
        json_array_append_new(s->folders, json_string(folder));
    free(folder);
}

static bool can_watch(const json_t *parameters)
{
    const json_t *of_folders = json_object_get(json_object_get(parameters, "capabilities"), "workspace");
    return json_is_true(json_object_get(json_object_get(of_folders, "didChangeWatchedFiles"), "dynamicRegistration"));
}

/* Most clients say that files have changed only if they are asked to. The answer has no method, so it is ignored. */
static void ask_to_watch(const lsp_server *s)
{
    send_message(s, json_pack("{s:s,s:s,s:s,s:{s:[{s:s,s:s,s:{s:[{s:s}]}}]}}", "jsonrpc", "2.0", "id", "watch",
                              "method", "client/registerCapability", "params", "registrations", "id", "files", "method",
                              "workspace/didChangeWatchedFiles", "registerOptions", "watchers", "globPattern",
                              "**/*.{pkt,model}"));
}

static json_t *answer_initialize(lsp_server *s, document *d, const json_t *parameters)
{
    const json_t *folders = json_object_get(parameters, "workspaceFolders");
    json_t *folder;
    size_t i;
    (void)d;
    s->watches = can_watch(parameters);
    json_array_clear(s->folders);
    json_array_foreach(folders, i, folder) add_folder(s, json_string_value(json_object_get(folder, "uri")));
    if (json_array_size(s->folders) == 0)
        add_folder(s, json_string_value(json_object_get(parameters, "rootUri")));
    return json_pack(
        "{s:{s:s,s:{s:b,s:i},s:b,s:b,s:b,s:b,s:b,s:b,s:b,s:b,s:b,s:{s:[s,s,s,s]},s:{s:b},s:{s:b},s:{s:[s]},"
        "s:{s:o,s:{s:b}}},s:{s:s}}",
        "capabilities", "positionEncoding", "utf-16", "textDocumentSync", "openClose", 1, "change", SYNC_INCREMENTAL,
        "hoverProvider", 1, "inlayHintProvider", 1, "definitionProvider", 1, "referencesProvider", 1,
        "documentHighlightProvider", 1, "documentSymbolProvider", 1, "workspaceSymbolProvider", 1,
        "foldingRangeProvider", 1, "documentFormattingProvider", 1, "completionProvider", "triggerCharacters", "@", "<",
        "\"", ".", "renameProvider", "prepareProvider", 1, "codeLensProvider", "resolveProvider", 0,
        "codeActionProvider", "codeActionKinds", "quickfix", "semanticTokensProvider", "legend", token_legend(), "full",
        "delta", 1, "serverInfo", "name", "pktc");
}

static json_t *answer_shutdown(lsp_server *s, document *d, const json_t *parameters)
{
    (void)d;
    (void)parameters;
    s->shut_down = true;
    return NULL;
}

/* ---- what the client asks */

static const struct request_row {
    const char *method;
    answer_function *answer;
    bool of_document; /* the parameters name a document that is open */
} request_table[] = {
    {"initialize", answer_initialize, false},
    {"shutdown", answer_shutdown, false},
    {"workspace/symbol", answer_workspace_symbols, false},
    {"textDocument/hover", answer_hover, true},
    {"textDocument/inlayHint", answer_hints, true},
    {"textDocument/codeLens", answer_lenses, true},
    {"textDocument/codeAction", answer_code_actions, true},
    {"textDocument/definition", answer_definition, true},
    {"textDocument/documentHighlight", answer_highlights, true},
    {"textDocument/references", answer_references, true},
    {"textDocument/prepareRename", answer_prepare_rename, true},
    {"textDocument/rename", answer_rename, true},
    {"textDocument/documentSymbol", answer_symbols, true},
    {"textDocument/foldingRange", answer_folding, true},
    {"textDocument/semanticTokens/full", answer_tokens, true},
    {"textDocument/semanticTokens/full/delta", answer_token_changes, true},
    {"textDocument/formatting", answer_format, true},
    {"textDocument/completion", answer_completion, true},
    {"pktc/describe", answer_describe, true},
};

static void send_error(const lsp_server *s, const json_t *id, int code, const char *text)
{
    json_t *asked = id ? json_deep_copy(id) : json_null();
    send_message(
        s, json_pack("{s:s,s:o,s:{s:i,s:s}}", "jsonrpc", "2.0", "id", asked, "error", "code", code, "message", text));
}

/* A result of hundreds of kilobytes takes jansson longer to build and print than all the rest. */
static void send_written(const lsp_server *s, const json_t *id, const char *result)
{
    char *asked = json_dumps(id, JSON_COMPACT | JSON_ENCODE_ANY);
    const char *text =
        arena_printf(s->scratch, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}", asked ? asked : "null", result);
    free(asked);
    s->answer(s->user, text, strlen(text));
}

static void answer_request(lsp_server *s, const char *method, const json_t *id, const json_t *parameters)
{
    const struct request_row *row = NULL;
    for (size_t i = 0; i < sizeof request_table / sizeof *request_table; i++)
        if (strcmp(request_table[i].method, method) == 0)
            row = &request_table[i];
    if (!row) {
        send_error(s, id, NO_METHOD, "pktc has no such method");
        return;
    }
    document *d = row->of_document ? document_of(s, parameters) : NULL;
    if (s->shut_down || (row->of_document && !d)) {
        send_error(s, id, s->shut_down ? NO_REQUEST : NO_PARAMETERS,
                   s->shut_down ? "the server is shut down" : "this document is not open");
        return;
    }
    documents_find_files(s);
    json_t *result = row->answer(s, d, parameters);
    if (s->problem)
        send_error(s, id, FAILED, s->problem);
    else if (s->written)
        send_written(s, id, s->written);
    else
        send_message(s, json_pack("{s:s,s:o,s:o}", "jsonrpc", "2.0", "id", json_deep_copy(id), "result",
                                  result ? result : json_null()));
}

/* ---- what the client tells */

static void take_notice(lsp_server *s, const char *method, const json_t *parameters)
{
    if (strcmp(method, "exit") == 0)
        s->ended = true;
    else if (strcmp(method, "initialized") == 0 && s->watches)
        ask_to_watch(s);
    else if (strcmp(method, "textDocument/didOpen") == 0)
        document_open(s, parameters);
    else if (strcmp(method, "textDocument/didChange") == 0)
        document_change(s, parameters);
    else if (strcmp(method, "textDocument/didClose") == 0)
        document_close(s, parameters);
    else if (strcmp(method, "workspace/didChangeWatchedFiles") == 0)
        documents_refresh(s);
}

static void take_message(lsp_server *s, const json_t *taken)
{
    const json_t *id = json_object_get(taken, "id"), *parameters = json_object_get(taken, "params");
    const char *method = json_string_value(json_object_get(taken, "method"));
    s->problem = NULL;
    s->written = NULL;
    if (method && id)
        answer_request(s, method, id, parameters);
    else if (method)
        take_notice(s, method, parameters);
    else if (!json_is_object(taken))
        send_error(s, NULL, NO_REQUEST, "this is no request");
    arena_clear(s->scratch);
    json_object_clear(s->named);
}

/* ---- a session */

lsp_server *lsp_begin(const lsp_options *options, lsp_answer *answer, void *user)
{
    lsp_server *s = malloc(sizeof *s);
    if (!s)
        abort();
    *s = (lsp_server){.options = options,
                      .answer = answer,
                      .user = user,
                      .folders = json_array(),
                      .published = json_object(),
                      .scratch = arena_new(),
                      .named = json_object()};
    return s;
}

bool lsp_take(lsp_server *s, const char *json, size_t size)
{
    json_t *taken = json_loadb(json, size, JSON_ALLOW_NUL, NULL);
    if (taken)
        take_message(s, taken);
    else
        send_error(s, NULL, NO_JSON, "this is no JSON");
    json_decref(taken);
    return !s->ended;
}

int lsp_end(lsp_server *s)
{
    const int status = s->shut_down ? 0 : 1;
    documents_free(s);
    json_decref(s->folders);
    json_decref(s->published);
    json_decref(s->named);
    arena_free(s->scratch);
    free(s);
    return status;
}

static void write_answer(void *user, const char *json, size_t size)
{
    protocol_write(user, json, size);
}

int lsp_serve(const lsp_options *options, FILE *from, FILE *to)
{
    lsp_server *s = lsp_begin(options, write_answer, to);
    size_t size;
    char *next = protocol_read(from, &size);
    while (next && lsp_take(s, next, size)) {
        free(next);
        next = protocol_read(from, &size);
    }
    free(next);
    return lsp_end(s);
}

#endif
