/* inputs.c - see inputs.h.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* open_memstream, realpath */

#include "inputs.h"
#include "process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

enum { VALUES = 12, IP_HEAD = 20, UDP_HEAD = 8, RAW_IP = 101, MOST_IN_DATAGRAM = 65507 };

static FILE *create(const char *directory, const char *name)
{
    char *path = text_format("%s/%s", directory, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    free(path);
    return file;
}

/* ---- schemas */

static char *growing_text(const char *head, const growing *text, int n)
{
    char *whole = NULL;
    size_t size;
    FILE *memory = open_memstream(&whole, &size);
    assert_non_null(memory);
    (void)fputs(head, memory);
    growing_print(memory, text, n);
    assert_int_equal(fclose(memory), 0);
    return whole;
}

/* A growing text into a file, where each u8 is a u16 in the release before. Returns its bytes. */
static double write_text(const char *directory, const char *name, const char *head, const growing *text, int n,
                         bool before)
{
    static const char now[] = "u8 ", then[] = "u16 ";
    char *whole = growing_text(head, text, n);
    const size_t size = strlen(whole);
    FILE *to = create(directory, name);
    const char *from = whole;
    for (const char *at = strstr(from, now); before && at; at = strstr(from, now)) {
        (void)fprintf(to, "%.*s%s", (int)(at - from), from, then);
        from = at + strlen(now);
    }
    (void)fputs(from, to);
    assert_int_equal(fclose(to), 0);
    free(whole);
    return (double)size;
}

double write_schema(const char *directory, const family *f, int n, bool before)
{
    double size = write_text(directory, "p.pkt", "protocol p = 1;\n", &f->schema, n, before);
    for (int i = 0; f->import && i <= n; i++) {
        char *name = text_format("f%d.pkt", i);
        size += write_text(directory, name, "", &(growing){.head = i == 0 ? "struct S# { u8 v; }\n" : f->import}, i,
                           before);
        free(name);
    }
    (void)write_text(directory, "p.json", "", &f->value, n, false);
    (void)write_text(directory, "base.json", "null", &(growing){0}, n, false);
    return size;
}

/* ---- recordings */

static void put(FILE *to, uint32_t number, int bytes, bool big_endian)
{
    for (int i = 0; i < bytes; i++)
        (void)fputc((int)(number >> 8 * (big_endian ? bytes - 1 - i : i) & 0xff), to);
}

static void put_datagram(FILE *to, uint32_t second, uint32_t sender, const char *bytes, uint32_t size)
{
    const uint32_t whole = IP_HEAD + UDP_HEAD + size;
    put(to, second, 4, false);
    put(to, 0, 4, false);
    put(to, whole, 4, false);
    put(to, whole, 4, false);
    put(to, 0x45, 1, true); /* IPv4 */
    put(to, 0, 1, true);
    put(to, whole, 2, true);
    put(to, 0, 4, true);
    put(to, 0x4011, 2, true); /* UDP */
    put(to, 0, 2, true);
    put(to, 0x0a000000 + sender, 4, true);
    put(to, 0xc0000202, 4, true);
    put(to, 40000, 2, true);
    put(to, 50000, 2, true);
    put(to, UDP_HEAD + size, 2, true);
    put(to, 0, 2, true);
    (void)fwrite(bytes, 1, size, to);
}

/* The bytes of a file, which may have zeros in it. */
static char *bytes_of(const char *directory, const char *name, size_t *size)
{
    char *path = text_format("%s/%s", directory, name), *bytes = malloc(MOST_IN_DATAGRAM + 1);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_non_null(bytes);
    *size = fread(bytes, 1, MOST_IN_DATAGRAM + 1, file);
    assert_int_equal(fclose(file), 0);
    assert_true(*size <= MOST_IN_DATAGRAM);
    free(path);
    return bytes;
}

void write_recording(const char *directory, const char *name, const char *from, int count, bool many)
{
    size_t size;
    char *bytes = bytes_of(directory, from, &size);
    FILE *to = create(directory, name);
    put(to, 0xa1b2c3d4, 4, false);
    put(to, 2, 2, false);
    put(to, 4, 2, false);
    put(to, 0, 4, false);
    put(to, 0, 4, false);
    put(to, MOST_IN_DATAGRAM + IP_HEAD + UDP_HEAD, 4, false);
    put(to, RAW_IP, 4, false);
    for (int i = 0; i < count; i++)
        put_datagram(to, (uint32_t)i, many ? (uint32_t)i : 0, bytes, (uint32_t)size);
    assert_int_equal(fclose(to), 0);
    free(bytes);
}

void write_values(const char *directory, const char *name, const char *from)
{
    size_t size;
    char *bytes = bytes_of(directory, from, &size);
    FILE *to = create(directory, name);
    for (int i = 0; i < VALUES; i++) {
        put(to, (uint32_t)size, 4, false);
        (void)fwrite(bytes, 1, size, to);
    }
    assert_int_equal(fclose(to), 0);
    free(bytes);
}

/* ---- an editor */

static void put_message(FILE *to, json_t *message)
{
    (void)json_object_set_new(message, "jsonrpc", json_string("2.0"));
    char *text = json_dumps(message, JSON_COMPACT);
    assert_non_null(text);
    (void)fprintf(to, "Content-Length: %zu\r\n\r\n%s", strlen(text), text);
    free(text);
    json_decref(message);
}

static void put_request(FILE *to, const char *method, json_t *parameters)
{
    static int id;
    put_message(to, json_pack("{s:i,s:s,s:o}", "id", ++id, "method", method, "params", parameters));
}

static void put_note(FILE *to, const char *method, json_t *parameters)
{
    put_message(to, json_pack("{s:s,s:o}", "method", method, "params", parameters));
}

static json_t *document(const char *uri)
{
    return json_pack("{s:s}", "uri", uri);
}

void write_messages(const char *directory, const family *f, int n)
{
    /* Those about a whole file, and those about a place in it. */
    static const char *const whole[] = {"documentSymbol", "foldingRange", "semanticTokens/full", "codeLens"};
    static const char *const places[] = {"hover",      "definition", "documentHighlight",
                                         "references", "completion", "prepareRename"};
    char *path = text_format("%s/p.pkt", directory), *real = realpath(path, NULL);
    assert_non_null(real);
    char *text = file_read(real), *folders = growing_text("", &f->folders, n),
         *uri = text_format("file://%s/p.pkt", folders);
    if (*folders == '\0') {
        free(uri);
        uri = text_format("file://%s", real);
    }
    const char *packet = text, *last = strstr(text, "packet P");
    int line = 0;
    for (; last && packet < last; packet++)
        line += *packet == '\n';
    int lines = line;
    for (; *packet; packet++)
        lines += *packet == '\n';
    FILE *to = create(directory, "editor.in");
    put_request(to, "initialize", json_pack("{s:{}}", "capabilities"));
    put_note(to, "initialized", json_object());
    put_note(to, "textDocument/didOpen",
             json_pack("{s:{s:s,s:s,s:i,s:s}}", "textDocument", "uri", uri, "languageId", "pkt", "version", 1, "text",
                       text));
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        char *method = text_format("textDocument/%s", whole[i]);
        put_request(to, method, json_pack("{s:o}", "textDocument", document(uri)));
        free(method);
    }
    static const char *const ranged[] = {"textDocument/inlayHint", "textDocument/codeAction"};
    for (size_t i = 0; i < 2; i++)
        put_request(to, ranged[i],
                    json_pack("{s:o,s:{s:{s:i,s:i},s:{s:i,s:i}},s:{s:[]}}", "textDocument", document(uri), "range",
                              "start", "line", 0, "character", 0, "end", "line", lines, "character", 0, "context",
                              "diagnostics"));
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *method = text_format("textDocument/%s", places[i]);
        put_request(to, method,
                    json_pack("{s:o,s:{s:i,s:i},s:{s:b}}", "textDocument", document(uri), "position", "line", line,
                              "character", 7, "context", "includeDeclaration", 1));
        free(method);
    }
    put_request(to, "textDocument/rename",
                json_pack("{s:o,s:{s:i,s:i},s:s}", "textDocument", document(uri), "position", "line", line, "character",
                          7, "newName", "Renamed"));
    put_request(to, "textDocument/formatting", json_pack("{s:o,s:{}}", "textDocument", document(uri), "options"));
    put_request(to, "workspace/symbol", json_pack("{s:s}", "query", "P"));
    put_note(to, "textDocument/didChange",
             json_pack("{s:{s:s,s:i},s:[{s:{s:{s:i,s:i},s:{s:i,s:i}},s:s}]}", "textDocument", "uri", uri, "version", 2,
                       "contentChanges", "range", "start", "line", lines, "character", 0, "end", "line", lines,
                       "character", 0, "text", "// changed\n"));
    put_request(to, "shutdown", json_null());
    put_note(to, "exit", json_null());
    assert_int_equal(fclose(to), 0);
    free(uri);
    free(folders);
    free(text);
    free(real);
    free(path);
}
