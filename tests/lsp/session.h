/* session.h - a session with `pktc lsp`: the messages of the client in a file, and the answers of the server.
 * SPDX-License-Identifier: MIT
 *
 * The server answers in order, so the client need not wait: its messages go through a pipe at once.
 */
#ifndef SESSION_H
#define SESSION_H

#define TOOL "lsp"
#include "commands/tools.h"
#include "process.h"

#include <jansson.h>
#include <unistd.h>

typedef struct session {
    FILE *sent;
    char *path;
    json_int_t id;
    json_t *answers; /* after session_end: all messages of the server */
    int status;
    const char *options; /* of the server; or NULL */
} session;

/* The path of a file in the scratch directory, from the root on. */
static inline char *whole_path(const char *name)
{
    char here[4096], *made = scratch_path(name);
    if (made[0] == '/')
        return made;
    assert_non_null(getcwd(here, sizeof here));
    char *whole = text_format("%s/%s", here, made);
    free(made);
    return whole;
}

static inline char *uri_of(const char *name)
{
    char *file = whole_path(name), *uri = text_format("file://%s", file);
    free(file);
    return uri;
}

static inline void send_bytes(session *s, const char *header, const char *body)
{
    fputs(header, s->sent);
    fputs(body, s->sent);
}

static inline void send_text(session *s, const char *body)
{
    fprintf(s->sent, "Content-Length: %zu\r\n\r\n%s", strlen(body), body);
}

static inline void send_json(session *s, json_t *message)
{
    assert_non_null(message);
    char *text = json_dumps(message, JSON_COMPACT);
    send_text(s, text);
    free(text);
    json_decref(message);
}

/* The number of the request. */
static inline json_int_t ask(session *s, const char *method, json_t *parameters)
{
    send_json(s,
              json_pack("{s:s,s:I,s:s,s:o}", "jsonrpc", "2.0", "id", ++s->id, "method", method, "params", parameters));
    return s->id;
}

static inline void tell(session *s, const char *method, json_t *parameters)
{
    send_json(s, json_pack("{s:s,s:s,s:o}", "jsonrpc", "2.0", "method", method, "params", parameters));
}

static inline session session_begin(void)
{
    session s = {.path = scratch_path("sent")};
    char *folder = uri_of("");
    s.sent = fopen(s.path, "wb");
    assert_non_null(s.sent);
    ask(&s, "initialize", json_pack("{s:n,s:s,s:{}}", "processId", "rootUri", folder, "capabilities"));
    tell(&s, "initialized", json_object());
    free(folder);
    return s;
}

static inline void open_document(session *s, const char *name, const char *text)
{
    char *uri = uri_of(name);
    tell(s, "textDocument/didOpen",
         json_pack("{s:{s:s,s:s,s:i,s:s}}", "textDocument", "uri", uri, "languageId", "pkt", "version", 1, "text",
                   text));
    free(uri);
}

/* Splits the output of the server into messages, whose lengths must be right. */
static inline json_t *read_answers(const char *text)
{
    json_t *all = json_array();
    while (*text) {
        size_t size;
        int header = 0;
        assert_int_equal(sscanf(text, "Content-Length: %zu\r\n\r\n%n", &size, &header), 1);
        assert_true(header > 0 && strlen(text) >= (size_t)header + size);
        json_t *message = json_loadb(text + header, size, 0, NULL);
        assert_non_null(message);
        json_array_append_new(all, message);
        text += (size_t)header + size;
    }
    return all;
}

/* Runs the server on what was sent. */
static inline void session_run(session *s)
{
    fclose(s->sent);
    process_result result =
        process_run("cat '%s' | %s lsp %s", s->path, setting("PKTC_SANITIZED"), s->options ? s->options : "");
    s->status = result.status;
    if (*result.err)
        print_error("%s", result.err);
    s->answers = read_answers(result.out);
    process_free(&result);
}

/* Ends the session as a client does. */
static inline void session_end(session *s)
{
    ask(s, "shutdown", json_null());
    tell(s, "exit", json_null());
    session_run(s);
    assert_int_equal(s->status, 0);
}

static inline void session_free(session *s)
{
    json_decref(s->answers);
    free(s->path);
}

static inline json_t *answer_to(const session *s, json_int_t id)
{
    size_t i;
    json_t *each;
    json_array_foreach(s->answers, i, each) if (json_integer_value(json_object_get(each, "id")) == id) return each;
    fail_msg("no answer to request %d", (int)id);
    return NULL;
}

static inline json_t *result_of(const session *s, json_int_t id)
{
    return json_object_get(answer_to(s, id), "result");
}

/* The diagnostics of a document that the client has at the end; empty if there were none. */
static inline json_t *problems_of(const session *s, const char *name)
{
    char *uri = uri_of(name);
    json_t *last = NULL, *each;
    size_t i;
    json_array_foreach(s->answers, i, each)
    {
        const json_t *parameters = json_object_get(each, "params");
        const char *method = json_string_value(json_object_get(each, "method"));
        if (method && strcmp(method, "textDocument/publishDiagnostics") == 0 &&
            strcmp(json_string_value(json_object_get(parameters, "uri")), uri) == 0)
            last = json_object_get(parameters, "diagnostics");
    }
    free(uri);
    return last;
}

#endif
