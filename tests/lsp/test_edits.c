/* test_edits.c - random edits of several open schemas that import each other: after each few of them the server says what
 * a new one says of the same texts, and its memory does not grow.
 * SPDX-License-Identifier: MIT
 *
 * PKT_SEED repeats a run, and PKT_EDITS says how many edits there are: `make lsp-edits`. A run of 10,000 edits or more
 * prints its memory when a tenth, a half and all of them are made.
 */
#include "habits/habits_internal.h"
#include "check/check.h"
#include "emit/names.h"
#include "editor/lsp.h"

#define OWN_MAIN
#include "unit.h"

#include <jansson.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LARGEST_TEXT = 20000, EDITS_COMPARED = 100, LONG_RUN = 10000, USUAL_EDITS = 1500 };

/* ---- random numbers */

static uint64_t random_state;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33) % limit;
}

/* ---- the schemas */

static const char *const sound[] = {
    "struct Vec {\n    float<-1, 1, 0.5> x, y;\n}\n",
    "import \"vec.pkt\";\r\n"
    "// \xC3\xA9\xF0\x9F\x98\x80\r\n"
    "flags Keys { up, /* \xF0\x9F\x98\x80 */ fire }\r\n"
    "struct Part {\r\n    Vec at; Keys keys;\r\n    u8<0, 9> left;\r\n}\r\n",
    "protocol game = 1;\n"
    "import \"vec.pkt\";\n"
    "import \"part.pkt\";\n"
    "const MOST = 4;\n"
    "enum Team { none, red }\n"
    "/// What others see.\n"
    "packet Ship @delta {\n"
    "    Team team = red;\n"
    "    optional Vec speed;\n"
    "    if (has_speed && team == red) { bool fast; }\n"
    "    u8<0, 200> shields[<=MOST];\n"
    "}\n"
    "packet Other { Part parts[2]; switch (parts_left) { case 1: u8 x; } }\n"
    "union Any { Ship ship; Other other; }\n",
    "protocol game = 1;\nimport \"part.pkt\";\npacket Alone { Part part; /* \xC3\xA9 */ u16 fuel; }\n",
};
static const char *const files[] = {"vec.pkt", "part.pkt", "game.pkt", "alone.pkt"};
enum { DOCUMENTS = sizeof sound / sizeof *sound };

static char folder[] = "/tmp/pktc-edits-XXXXXX";
static char uris[DOCUMENTS][64];

static int make_folder(void **unused)
{
    (void)unused;
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    for (size_t i = 0; i < DOCUMENTS; i++)
        snprintf(uris[i], sizeof uris[i], "file://%s/%s", folder, files[i]);
    return 0;
}

static int remove_folder(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < DOCUMENTS; i++)
        remove(files[i]);
    return rmdir(folder);
}

static const char released[] = "protocol game = 1;\npacket Ship { u8 team; u16 shields; }\npacket Gone { u8 x; }\n";

static const schema *find_released(const void *unused, arena *a, names *n, const schema *of, uint32_t *number)
{
    const check_options how = {.checks = true};
    (void)unused;
    (void)of;
    *number = 1;
    return check(a, n, diag_new(a), source_from(a, "game-001.pkt", released, sizeof released - 1), &how);
}

/* ---- a client */

typedef struct mirror { /* a document as the client has it */
    char text[LARGEST_TEXT];
    size_t size;
    json_t *tokens; /* as changes have made them; NULL: not asked for since it was opened */
    char *tokens_id;
    unsigned opened; /* counts openings; 0: it is closed */
} mirror;

typedef struct client {
    lsp_server *server;
    json_t *published; /* the diagnostics of each URI that has some */
    json_t *answer;    /* to the last request */
    json_int_t id;
    unsigned openings;
    mirror documents[DOCUMENTS];
} client;

static void take_answer(void *user, const char *text, size_t size)
{
    client *c = user;
    json_t *taken = json_loadb(text, size, 0, NULL);
    assert_non_null(taken);
    const json_t *parameters = json_object_get(taken, "params");
    const char *uri = json_string_value(json_object_get(parameters, "uri"));
    json_t *list = json_object_get(parameters, "diagnostics");
    if (uri && json_array_size(list) > 0)
        json_object_set(c->published, uri, list);
    else if (uri)
        json_object_del(c->published, uri);
    else {
        assert_null(c->answer);
        assert_int_equal(json_integer_value(json_object_get(taken, "id")), c->id);
        json_t *error = json_object_get(taken, "error");
        c->answer = json_incref(error ? error : json_object_get(taken, "result"));
    }
    json_decref(taken);
}

static void send_json(client *c, json_t *sent)
{
    assert_non_null(sent);
    char *text = json_dumps(sent, JSON_COMPACT);
    assert_true(lsp_take(c->server, text, strlen(text)));
    free(text);
    json_decref(sent);
}

static void tell(client *c, const char *method, json_t *parameters)
{
    send_json(c, json_pack("{s:s,s:s,s:o}", "jsonrpc", "2.0", "method", method, "params", parameters));
}

/* The result or the error; the caller frees it. */
static json_t *ask(client *c, const char *method, json_t *parameters)
{
    json_t *result;
    send_json(c,
              json_pack("{s:s,s:I,s:s,s:o}", "jsonrpc", "2.0", "id", ++c->id, "method", method, "params", parameters));
    result = c->answer;
    c->answer = NULL;
    return result;
}

static client *client_begin(void)
{
    static const lsp_options how = {
        .check = {.checks = true, .names = &c_name_rules}, .mtu = 1200, .newest = find_released};
    client *c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->published = json_object();
    c->server = lsp_begin(&how, take_answer, c);
    json_decref(ask(c, "initialize", json_pack("{s:s+}", "rootUri", "file://", folder)));
    return c;
}

static void forget_tokens(mirror *m)
{
    json_decref(m->tokens);
    free(m->tokens_id);
    m->tokens = NULL;
    m->tokens_id = NULL;
}

static void client_end(client *c)
{
    json_decref(ask(c, "shutdown", json_object()));
    assert_int_equal(lsp_end(c->server), 0);
    for (size_t i = 0; i < DOCUMENTS; i++)
        forget_tokens(&c->documents[i]);
    json_decref(c->published);
    free(c);
}

static void open_document(client *c, size_t number, const char *text)
{
    mirror *m = &c->documents[number];
    m->size = strlen(text);
    memcpy(m->text, text, m->size + 1);
    m->opened = ++c->openings;
    tell(c, "textDocument/didOpen",
         json_pack("{s:{s:s,s:i,s:s}}", "textDocument", "uri", uris[number], "version", 1, "text", text));
}

static void close_document(client *c, size_t number)
{
    c->documents[number].opened = 0;
    forget_tokens(&c->documents[number]);
    tell(c, "textDocument/didClose", json_pack("{s:{s:s}}", "textDocument", "uri", uris[number]));
}

/* ---- edits */

static bool is_inside_character(char c)
{
    return (c & 0xC0) == 0x80;
}

static json_t *position_in(const mirror *m, size_t offset)
{
    int line = 0, column = 0;
    for (size_t i = 0; i < offset; i++)
        if (m->text[i] == '\n')
            line++, column = 0;
        else if (!is_inside_character(m->text[i]))
            column += (unsigned char)m->text[i] >= 0xF0 ? 2 : 1;
    /* The end of a line may be given by any greater column. */
    if (m->text[offset] == '\n' && (offset == 0 || m->text[offset - 1] != '\r') && random_below(4) == 0)
        column += 1000;
    return json_pack("{s:i,s:i}", "line", line, "character", column);
}

static size_t random_offset(const mirror *m)
{
    size_t at = random_below((uint32_t)m->size + 1);
    /* Neither inside of a character nor of a line end. */
    while (is_inside_character(m->text[at]) || (at > 0 && m->text[at] == '\n' && m->text[at - 1] == '\r'))
        at--;
    return at;
}

/* Makes an edit of the text, and returns it as the protocol has it. */
static json_t *random_edit(mirror *m)
{
    static const char *const texts[] = {"",
                                        "",
                                        "x",
                                        ";",
                                        "}",
                                        "{",
                                        "\n",
                                        "u8 y;\n",
                                        "\xC3\xA9",
                                        "\xF0\x9F\x98\x80",
                                        "\"",
                                        "/*",
                                        "//",
                                        "if (",
                                        "@delta ",
                                        "import \"vec.pkt\";\n",
                                        "import \"game.pkt\";\n",
                                        "[<=4]",
                                        "<0, ",
                                        "= red",
                                        "packet Z { Team t; }\n",
                                        "'",
                                        "delta<1, 2>",
                                        "else",
                                        "union",
                                        "uint8_t z;\r\n",
                                        "999999999999999999999"};
    const char *text = texts[random_below(sizeof texts / sizeof *texts)];
    const size_t begin = random_offset(m), more = strlen(text);
    size_t end = begin + random_below(6);
    if (end > m->size)
        end = m->size;
    while (is_inside_character(m->text[end]) || (end > begin && m->text[end] == '\n' && m->text[end - 1] == '\r'))
        end--;
    if (end < begin || m->size + more + 1 > sizeof m->text)
        end = begin;
    json_t *made = json_pack("{s:{s:o,s:o},s:s}", "range", "start", position_in(m, begin), "end", position_in(m, end),
                             "text", m->size + more + 1 > sizeof m->text ? "" : text);
    if (m->size + more + 1 > sizeof m->text)
        return made;
    memmove(m->text + begin + more, m->text + end, m->size - end + 1);
    memcpy(m->text + begin, text, more);
    m->size += more - (end - begin);
    return made;
}

/* A change is one edit, a few, or the sound text again, so that also what needs a sound schema meets edits. */
static void change_at_random(client *c, size_t number)
{
    mirror *m = &c->documents[number];
    json_t *edits = json_array();
    if (random_below(8) == 0) {
        m->size = strlen(sound[number]);
        memcpy(m->text, sound[number], m->size + 1);
        json_array_append_new(edits, json_pack("{s:s}", "text", m->text));
    }
    for (uint32_t i = random_below(12) == 0 ? 3 : 1; i > 0; i--)
        json_array_append_new(edits, random_edit(m));
    tell(c, "textDocument/didChange",
         json_pack("{s:{s:s,s:i},s:o}", "textDocument", "uri", uris[number], "version", 2, "contentChanges", edits));
}

/* ---- the disk */

/* Editors save in a new file that takes the name of the old one, or in the old one. */
static void save_document(const mirror *m, size_t number)
{
    const bool renamed = random_below(2) == 0;
    FILE *f = fopen(renamed ? "new" : files[number], "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(m->text, 1, m->size, f), m->size);
    fclose(f);
    assert_int_equal(renamed ? rename("new", files[number]) : 0, 0);
}

static void delete_file(client *c, size_t number)
{
    remove(files[number]);
    tell(c, "workspace/didChangeWatchedFiles", json_pack("{s:[{s:s,s:i}]}", "changes", "uri", uris[number], "type", 3));
}

/* ---- questions */

static const char *const questions[] = {
    "textDocument/hover",          "textDocument/inlayHint",     "textDocument/codeLens",
    "textDocument/codeAction",     "textDocument/definition",    "textDocument/documentHighlight",
    "textDocument/references",     "textDocument/prepareRename", "textDocument/rename",
    "textDocument/documentSymbol", "textDocument/foldingRange",  "textDocument/formatting",
    "textDocument/completion",     "workspace/symbol",
};
enum { QUESTIONS = sizeof questions / sizeof *questions };

static json_t *question_at(size_t number, int line, int column)
{
    return json_pack("{s:{s:s},s:{s:i,s:i},s:{s:{s:i,s:i},s:{s:i,s:i}},s:{s:b,s:[]},s:s,s:s}", "textDocument", "uri",
                     uris[number], "position", "line", line, "character", column, "range", "start", "line", line,
                     "character", column, "end", "line", line + 2, "character", column, "context", "includeDeclaration",
                     1, "diagnostics", "newName", "renamed", "query", "e");
}

/* The tokens of a document, as the changes make them. */
static void renew_tokens(client *c, size_t number)
{
    mirror *m = &c->documents[number];
    json_t *parameters = question_at(number, 0, 0), *result, *each, *made;
    size_t i, n;
    if (m->tokens)
        json_object_set_new(parameters, "previousResultId", json_string(m->tokens_id));
    result =
        ask(c, m->tokens ? "textDocument/semanticTokens/full/delta" : "textDocument/semanticTokens/full", parameters);
    if (!m->tokens) {
        m->tokens = json_incref(json_object_get(result, "data"));
    } else {
        assert_int_equal(json_array_size(json_object_get(result, "edits")), 1);
        json_array_foreach(json_object_get(result, "edits"), i, each)
        {
            const size_t start = (size_t)json_integer_value(json_object_get(each, "start"));
            const size_t gone = (size_t)json_integer_value(json_object_get(each, "deleteCount"));
            assert_true(start + gone <= json_array_size(m->tokens));
            made = json_array();
            for (n = 0; n < start; n++)
                json_array_append(made, json_array_get(m->tokens, n));
            json_array_extend(made, json_object_get(each, "data"));
            for (n = start + gone; n < json_array_size(m->tokens); n++)
                json_array_append(made, json_array_get(m->tokens, n));
            json_decref(m->tokens);
            m->tokens = made;
        }
    }
    free(m->tokens_id);
    m->tokens_id = strdup(json_string_value(json_object_get(result, "resultId")));
    json_decref(result);
}

static void expect_equal(const char *what, size_t number, const json_t *got, const json_t *wanted)
{
    if (json_equal(got, wanted))
        return;
    char *one = json_dumps(got, JSON_INDENT(1) | JSON_SORT_KEYS | JSON_ENCODE_ANY);
    char *other = json_dumps(wanted, JSON_INDENT(1) | JSON_SORT_KEYS | JSON_ENCODE_ANY);
    size_t same = 0;
    while (one && other && one[same] && one[same] == other[same])
        same++;
    same -= same % 200;
    fail_msg("%s of %s: after %zu bytes that are the same\n%.700s\nbut a new session says\n%.700s", what, uris[number],
             same, one ? one + same : "", other ? other + same : "");
}

/* A new server says the same of the same texts. */
static void compare_with_new_session(client *c)
{
    client *fresh = client_begin();
    for (unsigned next = 1; next <= c->openings; next++)
        for (size_t i = 0; i < DOCUMENTS; i++)
            if (c->documents[i].opened == next)
                open_document(fresh, i, c->documents[i].text);
    expect_equal("diagnostics", 0, c->published, fresh->published);
    for (size_t i = 0; i < DOCUMENTS; i++) {
        if (!c->documents[i].opened)
            continue;
        const int line = (int)random_below(16), column = (int)random_below(40);
        for (size_t q = 0; q < QUESTIONS; q++) {
            json_t *got = ask(c, questions[q], question_at(i, line, column));
            json_t *wanted = ask(fresh, questions[q], question_at(i, line, column));
            expect_equal(questions[q], i, got, wanted);
            json_decref(got);
            json_decref(wanted);
        }
        renew_tokens(c, i);
        renew_tokens(fresh, i);
        expect_equal("tokens", i, c->documents[i].tokens, fresh->documents[i].tokens);
    }
    client_end(fresh);
}

/* ---- memory */

/* The bytes of this process in memory; 0 if they are not known, or not those of pktc. */
static size_t resident(void)
{
    size_t pages = 0;
#ifndef __SANITIZE_ADDRESS__
    size_t all;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%zu %zu", &all, &pages) != 2)
        pages = 0;
    if (f)
        fclose(f);
#endif
    return pages * 4096;
}

/* ---- the test */

TEST(random_edits_leave_nothing_stale_and_no_memory)
{
    const char *given = getenv("PKT_EDITS");
    const unsigned long edits = given ? strtoul(given, NULL, 0) : USUAL_EDITS;
    const unsigned long compared = edits / 100 > EDITS_COMPARED ? edits / 100 : EDITS_COMPARED;
    size_t at_tenth = 0;
    random_state = random_seed();
    client *c = client_begin();
    for (unsigned long i = 1; i <= edits; i++) {
        const size_t number = random_below(DOCUMENTS);
        mirror *m = &c->documents[number];
        if (!m->opened)
            open_document(c, number, sound[number]);
        else if (random_below(40) == 0)
            close_document(c, number);
        else if (random_below(20) == 0)
            save_document(m, number);
        else if (random_below(80) == 0)
            delete_file(c, number);
        else
            change_at_random(c, number);
        if (m->opened) {
            json_decref(ask(c, questions[random_below(QUESTIONS)],
                            question_at(number, (int)random_below(16), (int)random_below(40))));
            if (random_below(4) == 0)
                renew_tokens(c, number);
        }
        if (i % compared == 0 || i == edits)
            compare_with_new_session(c);
        if (i == edits / 10)
            at_tenth = resident();
        if (edits >= LONG_RUN && resident() && (i == edits / 10 || i == edits / 2 || i == edits)) {
            printf("%lu edits: %zu KB\n", i, resident() / 1024);
            fflush(stdout);
        }
    }
    /* The first tenth needs most of what all edits need. */
    assert_true(resident() <= at_tenth + at_tenth / 4 + (2 << 20));
    client_end(c);
}

static void tell_of(client *c, const char *method, int number, const char *text)
{
    char name[32];
    snprintf(name, sizeof name, "/many%d.pkt", number);
    tell(c, method,
         json_pack("{s:{s:s++,s:i,s:s}}", "textDocument", "uri", "file://", folder, name, "version", 1, "text", text));
}

/* Closing a document, and saving one, takes no analysis of those that do not import it. */
TEST(many_documents_close_in_less_time_than_they_open)
{
    enum { MANY = 40, TYPES = 100 };
    static char text[TYPES * 64];
    size_t size = (size_t)snprintf(text, sizeof text, "protocol many = 1;\n");
    for (int i = 0; i < TYPES; i++)
        size +=
            (size_t)snprintf(text + size, sizeof text - size, "struct S%d { u8<0, 200> a, b; optional u16 c; }\n", i);
    client *c = client_begin();
    clock_t times[3] = {clock()};
    for (int i = 0; i < MANY; i++)
        tell_of(c, "textDocument/didOpen", i, text);
    times[1] = clock();
    for (int i = 0; i < MANY; i++)
        tell(c, "workspace/didChangeWatchedFiles", json_object());
    for (int i = 0; i < MANY; i++)
        tell_of(c, "textDocument/didClose", i, text);
    times[2] = clock();
    assert_true(times[2] - times[1] < times[1] - times[0]);
    client_end(c);
}

static void count_bytes(void *user, const char *text, size_t size)
{
    (void)text;
    *(size_t *)user += size;
}

/* Editors ask for them after each edit. */
TEST(symbols_take_less_time_than_the_analysis)
{
    enum { TYPES = 2000, TIMES = 3 };
    static const lsp_options how = {.check = {.checks = true, .names = &c_name_rules}, .mtu = 1200};
    static const char asked[] = "{\"id\":1,\"method\":\"textDocument/documentSymbol\",\"params\":"
                                "{\"textDocument\":{\"uri\":\"many\"}}}";
    static char text[TYPES * 64];
    size_t size = (size_t)snprintf(text, sizeof text, "protocol many = 1;\n"), answered = 0;
    for (int i = 0; i < TYPES; i++)
        size +=
            (size_t)snprintf(text + size, sizeof text - size, "struct S%d { u8<0, 200> a, b; optional u16 c; }\n", i);
    json_t *document = json_pack("{s:s,s:s}", "uri", "many", "text", text);
    json_t *opened = json_pack("{s:s,s:{s:o}}", "method", "textDocument/didOpen", "params", "textDocument", document);
    char *opening = json_dumps(opened, JSON_COMPACT);
    lsp_server *s = lsp_begin(&how, count_bytes, &answered);
    clock_t analysing = 0, listing = 0;
    for (int i = 0; i < TIMES; i++) {
        const clock_t begin = clock();
        assert_true(lsp_take(s, opening, strlen(opening)));
        const clock_t open = clock();
        assert_true(lsp_take(s, asked, sizeof asked - 1));
        analysing += open - begin;
        listing += clock() - open;
    }
    assert_true(answered > (size_t)TIMES * TYPES * 100);
    assert_true(listing < analysing);
    lsp_end(s);
    free(opening);
    json_decref(opened);
}

/* As a checkout of another branch does, or a file that takes the number of one that was deleted. */
TEST(documents_stay_what_they_are_while_files_change_names)
{
    client *c = client_begin();
    for (size_t i = 0; i < 2; i++) {
        open_document(c, i, sound[i]);
        FILE *f = fopen(files[i], "wb");
        assert_non_null(f);
        fputs(sound[i], f);
        fclose(f);
    }
    tell(c, "workspace/didChangeWatchedFiles", json_object());
    assert_int_equal(rename(files[0], "new"), 0);
    assert_int_equal(rename(files[1], files[0]), 0);
    assert_int_equal(rename("new", files[1]), 0);
    json_t *found = ask(c, "workspace/symbol", json_pack("{s:s}", "query", "Vec"));
    assert_int_equal(json_array_size(found), 1);
    const json_t *location = json_object_get(json_array_get(found, 0), "location");
    assert_string_equal(json_string_value(json_object_get(location, "uri")), uris[0]);
    json_decref(found);
    client_end(c);
}

int main(void)
{
    habits_know(&known_habits);
    return _cmocka_run_group_tests("edits", unit_tests, unit_count, make_folder, remove_folder) != 0;
}
