/* fuzz_lsp.c - sends arbitrary messages, edits and questions to the language server.
 * SPDX-License-Identifier: MIT
 *
 * The first byte of an input selects its form. All of it can be the stream of the client, or the bodies of messages, a
 * line each. Or the first lines up to a line with a dot are a schema that is open in the editor, and then come edits
 * and questions: 8 bytes each for what it is, for a place and an end, and for how many of the bytes that follow are the new
 * text. Whatever the server gets, it ends, and each message that it sends is JSON of the length that it says.
 */
#define _POSIX_C_SOURCE 200809L
#include "habits/habits_internal.h"
#include "emit/names.h"
#include "editor/lsp.h"

#include "demand.h"

#include <jansson.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define URI "file:///nowhere/fuzzed.pkt"

static const char *const questions[] = {
    "hover",          "inlayHint",     "codeLens",
    "codeAction",     "definition",    "documentHighlight",
    "references",     "prepareRename", "rename",
    "documentSymbol", "foldingRange",  "semanticTokens/full",
    "formatting",     "completion",    "semanticTokens/full/delta",
};
enum { QUESTIONS = sizeof questions / sizeof questions[0] };

/* ---- the client */

static void send_text(FILE *to, const char *body, size_t size)
{
    fprintf(to, "Content-Length: %zu\r\n\r\n", size);
    fwrite(body, 1, size, to);
}

static void send_json(FILE *to, json_t *sent)
{
    demand(sent != NULL);
    char *text = json_dumps(sent, JSON_COMPACT);
    send_text(to, text, strlen(text));
    free(text);
    json_decref(sent);
}

static json_t *text_of(const uint8_t *data, size_t size)
{
    json_t *text = json_stringn((const char *)data, size);
    return text ? text : json_string("packet P { u8 x; }\n"); /* JSON has no other bytes than UTF-8 */
}

static void begin(FILE *to)
{
    send_json(to, json_pack("{s:s,s:i,s:s,s:{s:{}}}", "jsonrpc", "2.0", "id", 1, "method", "initialize", "params",
                            "capabilities"));
    send_json(to, json_pack("{s:s,s:s,s:{}}", "jsonrpc", "2.0", "method", "initialized", "params"));
}

static void end(FILE *to)
{
    send_json(to, json_pack("{s:s,s:i,s:s}", "jsonrpc", "2.0", "id", 9999, "method", "shutdown"));
    send_json(to, json_pack("{s:s,s:s}", "jsonrpc", "2.0", "method", "exit"));
}

static void send_edit(FILE *to, int version, const uint8_t *at, json_t *text)
{
    send_json(to, json_pack("{s:s,s:s,s:{s:{s:s,s:i},s:[{s:{s:{s:i,s:i},s:{s:i,s:i}},s:o}]}}", "jsonrpc", "2.0",
                            "method", "textDocument/didChange", "params", "textDocument", "uri", URI, "version",
                            version, "contentChanges", "range", "start", "line", at[1], "character", at[2], "end",
                            "line", at[1] + at[3] % 4, "character", at[4], "text", text));
}

/* tokens: how many lists of tokens have been asked for. The changes are since the last one, or any. */
static void send_question(FILE *to, int id, const uint8_t *at, unsigned *tokens)
{
    char method[64], previous[16];
    const char *about = questions[at[0] % QUESTIONS];
    snprintf(method, sizeof method, "textDocument/%s", about);
    snprintf(previous, sizeof previous, "%u", at[5] & 2 ? at[6] % 8u : *tokens);
    *tokens += strncmp(about, "semanticTokens", 14) == 0;
    send_json(to,
              json_pack("{s:s,s:i,s:s,s:{s:{s:s},s:{s:i,s:i},s:{s:{s:i,s:i},s:{s:i,s:i}},s:{s:b,s:[]},s:s,s:s}}",
                        "jsonrpc", "2.0", "id", id, "method", method, "params", "textDocument", "uri", URI, "position",
                        "line", at[1], "character", at[2], "range", "start", "line", at[1], "character", at[2], "end",
                        "line", at[1] + at[3], "character", at[4], "context", "includeDeclaration", at[5] & 1,
                        "diagnostics", "newName", at[6] & 1 ? "renamed" : "u8 x", "previousResultId", previous));
}

/* The schema, then edits and questions. */
static void send_session(FILE *to, const uint8_t *data, size_t size)
{
    size_t opened = 0;
    while (opened + 2 < size && memcmp(data + opened, "\n.\n", 3) != 0)
        opened++;
    const bool has_end = opened + 2 < size;
    const size_t text = has_end ? opened + 1 : size;
    begin(to);
    send_json(to, json_pack("{s:s,s:s,s:{s:{s:s,s:s,s:i,s:o}}}", "jsonrpc", "2.0", "method", "textDocument/didOpen",
                            "params", "textDocument", "uri", URI, "languageId", "pkt", "version", 1, "text",
                            text_of(data, text)));
    size_t at = has_end ? opened + 3 : size;
    unsigned tokens = 0;
    for (int i = 2; at + 8 <= size && i < 40; i++) {
        const uint8_t *step = data + at;
        at += 8;
        const size_t more = step[7] % 32 < size - at ? step[7] % 32 : size - at;
        if (step[0] & 128)
            send_edit(to, i, step, text_of(data + at, more));
        else
            send_question(to, i, step, &tokens);
        at += step[0] & 128 ? more : 0;
    }
    end(to);
}

static void send_lines(FILE *to, const uint8_t *data, size_t size)
{
    begin(to);
    while (size > 0) {
        const uint8_t *newline = memchr(data, '\n', size);
        const size_t line = newline ? (size_t)(newline - data) : size;
        send_text(to, (const char *)data, line);
        data += line + (newline != NULL);
        size -= line + (newline != NULL);
    }
    end(to);
}

/* ---- the server */

/* A list of tokens has five numbers each, also after the changes of it; count: those that the client has. */
static void check_tokens(const json_t *result, size_t *count)
{
    const json_t *edits = json_object_get(result, "edits"), *first = json_array_get(edits, 0);
    if (!json_object_get(result, "resultId"))
        return;
    if (first) {
        const size_t start = (size_t)json_integer_value(json_object_get(first, "start"));
        const size_t gone = (size_t)json_integer_value(json_object_get(first, "deleteCount"));
        demand(json_array_size(edits) == 1 && start <= *count && gone <= *count - start);
        *count += json_array_size(json_object_get(first, "data")) - gone;
    } else {
        *count = json_array_size(json_object_get(result, "data"));
    }
    demand(*count % 5 == 0);
}

/* Each message is JSON, as long as it says. With `one_file`, only one file has been open, once. */
static void check_answers(const char *text, size_t size, bool one_file)
{
    size_t tokens = 0;
    while (size > 0) {
        char *body;
        demand(strncmp(text, "Content-Length: ", 16) == 0);
        const size_t length = strtoul(text + 16, &body, 10);
        demand(strncmp(body, "\r\n\r\n", 4) == 0);
        body += 4;
        demand(length <= size - (size_t)(body - text));
        json_error_t error;
        json_t *answer = json_loadb(body, length, 0, &error);
        demand(answer != NULL);
        if (one_file)
            check_tokens(json_object_get(answer, "result"), &tokens);
        json_decref(answer);
        size -= (size_t)(body - text) + length;
        text = body + length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *sent = NULL, *answers = NULL;
    size_t sent_size, answer_size;
    const lsp_options how = {.check = {.checks = true, .names = &c_name_rules}, .mtu = 1200};
    if (size == 0)
        return 0;
    habits_know(&known_habits);
    FILE *client = open_memstream(&sent, &sent_size), *server = open_memstream(&answers, &answer_size);
    switch (data[0] % 8) {
    case 0: fwrite(data + 1, 1, size - 1, client); break;
    case 1: send_lines(client, data + 1, size - 1); break;
    default: send_session(client, data + 1, size - 1); break;
    }
    fclose(client);
    FILE *from = fmemopen(sent, sent_size, "rb");
    if (sent_size != 0 && from) {
        const int status = lsp_serve(&how, from, server);
        demand(status == 0 || status == 1);
    }
    fclose(server);
    check_answers(answers, answer_size, data[0] % 8 > 1);
    if (from)
        fclose(from);
    free(answers);
    free(sent);
    return 0;
}
