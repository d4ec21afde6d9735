/* test_lsp.c - tests pktc lsp: what it answers, and that nothing a client sends makes it fail.
 * SPDX-License-Identifier: MIT
 *
 * The server is $PKTC_SANITIZED, so in make test it has the address sanitizer. Expected answers are written as text: a place is LINE:COLUMN, both from 0, as the protocol counts them.
 */
#include "lsp/session.h"
#include "process.h"

#include <sys/stat.h>

static const char game[] = "protocol game = 1;\n"                               /* 0 */
                           "import \"vec.pkt\";\n"                              /* 1 */
                           "const MOST = 4;\n"                                  /* 2 */
                           "enum Team { none, red }\n"                          /* 3 */
                           "/// What others see.\n"                             /* 4 */
                           "packet Ship {\n"                                    /* 5 */
                           "    Team team = red;\n"                             /* 6 */
                           "    optional Vec speed;\n"                          /* 7 */
                           "    if (has_speed && team == red) { bool fast; }\n" /* 8 */
                           "    u8<0, 200> shields[<=MOST];\n"                  /* 9 */
                           "}\n";
static const char vec[] = "struct Vec {\n    float<-1, 1, 0.5> x, y;\n}\n";

static void save_file(const char *name, const char *text)
{
    char *file = whole_path(name);
    file_write(file, text);
    free(file);
}

static json_t *at_place(const char *name, int line, int column)
{
    char *uri = uri_of(name);
    json_t *made =
        json_pack("{s:{s:s},s:{s:i,s:i}}", "textDocument", "uri", uri, "position", "line", line, "character", column);
    free(uri);
    return made;
}

static json_t *of_file(const char *name)
{
    char *uri = uri_of(name);
    json_t *made = json_pack("{s:{s:s}}", "textDocument", "uri", uri);
    free(uri);
    return made;
}

static char *place_text(const json_t *range)
{
    const json_t *start = json_object_get(range, "start"), *end = json_object_get(range, "end");
    return text_format("%d:%d-%d:%d", (int)json_integer_value(json_object_get(start, "line")),
                       (int)json_integer_value(json_object_get(start, "character")),
                       (int)json_integer_value(json_object_get(end, "line")),
                       (int)json_integer_value(json_object_get(end, "character")));
}

static const char *string_in(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "?";
}

static const char *last_of_path(const char *uri)
{
    const char *slash = strrchr(uri, '/');
    return slash ? slash + 1 : uri;
}

/* A list of things with a range each, as text: "vec.pkt 0:7-0:10; ". */
static char *ranges_text(const json_t *list, const char *key)
{
    char *all = text_format("%s", "");
    size_t i;
    json_t *each;
    json_array_foreach(list, i, each)
    {
        char *place = place_text(json_object_get(each, "range"));
        char *more = text_format("%s%s %s; ", all, last_of_path(string_in(each, key)), place);
        free(all);
        free(place);
        all = more;
    }
    return all;
}

static void expect(char *got, const char *wanted)
{
    assert_string_equal(got, wanted);
    free(got);
}

/* ---- answers */

TEST(hover_tells_bits_range_error_c_and_doc)
{
    session s = session_begin();
    save_file("vec.pkt", vec);
    open_document(&s, "game.pkt", game);
    const json_int_t field = ask(&s, "textDocument/hover", at_place("game.pkt", 9, 16)),
                     type = ask(&s, "textDocument/hover", at_place("game.pkt", 5, 8)),
                     member = ask(&s, "textDocument/hover", at_place("game.pkt", 8, 30)),
                     constant = ask(&s, "textDocument/hover", at_place("game.pkt", 9, 27)),
                     nothing = ask(&s, "textDocument/hover", at_place("game.pkt", 0, 2));
    session_end(&s);
    static const char *const wanted[] = {
        "```pkt\nu8<0, 200> shields[<=MOST]\n```\n\n3 to 35 bits, 8 bits for each of 0 to 4; 0 to 200\n\n"
        "from bit 34 to 41 of Ship on\n\nC: `uint8_t shields[4]`",
        "```pkt\npacket Ship\n```\n\n9 to 14 bytes\n\nWhat others see.",
        "```pkt\nred = 1\n```\n\nenum `Team`",
        "```pkt\nconst MOST = 4\n```\n\n4",
    };
    const json_int_t ids[] = {field, type, member, constant};
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(string_in(json_object_get(result_of(&s, ids[i]), "contents"), "value"), wanted[i]);
    assert_true(json_is_null(result_of(&s, nothing)));
    session_free(&s);
}

TEST(hints_and_lenses_tell_bits_and_bytes)
{
    session s = session_begin();
    open_document(&s, "game.pkt", game);
    open_document(&s, "vec.pkt", vec);
    const json_int_t hints = ask(&s, "textDocument/inlayHint", of_file("game.pkt")),
                     of_vec = ask(&s, "textDocument/inlayHint", of_file("vec.pkt")),
                     lenses = ask(&s, "textDocument/codeLens", of_file("game.pkt"));
    session_end(&s);
    static const char *const wanted[] = {"1 bit", "9 to 14 bytes", "1 bit", "1 to 7 bits", "1 bit", "3 to 35 bits"};
    const json_t *list = result_of(&s, hints);
    assert_int_equal(json_array_size(list), 6);
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(string_in(json_array_get(list, i), "label"), wanted[i]);
    assert_string_equal(string_in(json_array_get(result_of(&s, of_vec), 1), "label"), "3, 3 bits");
    assert_string_equal(string_in(json_object_get(json_array_get(result_of(&s, lenses), 0), "command"), "title"),
                        "9 to 14 bytes, at most 1.2 % of 1200");
    session_free(&s);
}

TEST(describe_answers_with_what_pktc_describe_prints)
{
    save_file("game.pkt", game);
    save_file("vec.pkt", vec);
    char *file = whole_path("game.pkt"), *command = text_format("describe '%s'", file);
    session s = session_begin();
    open_document(&s, "game.pkt", game);
    const json_int_t whole = ask(&s, "pktc/describe", of_file("game.pkt"));
    open_document(&s, "game.pkt", "protocol game = 1;\npacket A { u9 a; }\n");
    const json_int_t broken = ask(&s, "pktc/describe", of_file("game.pkt")),
                     closed = ask(&s, "pktc/describe", of_file("vec.pkt"));
    session_end(&s);
    process_result printed = run(command);
    json_t *wanted = json_loads(printed.out, 0, NULL);
    assert_non_null(wanted);
    assert_true(json_equal(result_of(&s, whole), wanted));
    assert_true(json_is_null(result_of(&s, broken)));
    assert_non_null(json_object_get(answer_to(&s, closed), "error"));
    json_decref(wanted);
    process_free(&printed);
    free(command);
    free(file);
    session_free(&s);
}

/* Somebody types in a line: the other lines keep their hints, and their names what they mean. */
TEST(what_checks_is_shown_while_there_are_errors)
{
    static const struct {
        int line;
        const char *typed, *hints;
    } cases[] = {
        {9, "    u8<0, 200> shields[<=MO", "3:1 bit; 5:9 to 10 bytes + ?; 6:1 bit; 7:1 to 7 bits; 8:1 bit; "},
        {9, "    u8<", "3:1 bit; 5:9 to 10 bytes + ?; 6:1 bit; 7:1 to 7 bits; 8:1 bit; "},
        {9, "    Unknown x;", "3:1 bit; 5:9 to 10 bytes + ?; 6:1 bit; 7:1 to 7 bits; 8:1 bit; "},
        /* the condition needs the field */
        {6, "    Team te", "3:1 bit; 5:9 to 14 bytes + ?; 7:1 to 7 bits; 9:3 to 35 bits; "},
        {8, "    if (has_speed && team == red) {",
         "3:1 bit; 5:9 to 14 bytes + ?; 6:1 bit; 7:1 to 7 bits; 9:3 to 35 bits; "},
        {5, "packet Ship @bud {", "3:1 bit; 5:9 to 14 bytes + ?; 6:1 bit; 7:1 to 7 bits; 8:1 bit; 9:3 to 35 bits; "},
        {5, "packet Sh", "3:1 bit; "},
        {3, "enum Team { none, red, \"",
         "3:1 bit + ?; 5:9 to 14 bytes + ?; 6:1 bit; 7:1 to 7 bits; 8:1 bit; 9:3 to 35 bits; "},
        {3, "enum Team { none, red } $", "3:1 bit; 5:9 to 14 bytes; 6:1 bit; 7:1 to 7 bits; 8:1 bit; 9:3 to 35 bits; "},
        {10, "", "3:1 bit; 5:9 to 14 bytes + ?; 6:1 bit; 7:1 to 7 bits; 8:1 bit; 9:3 to 35 bits; "},
        {4, "/* ", "3:1 bit; 5:9 to 14 bytes; 6:1 bit; 7:1 to 7 bits; 8:1 bit; 9:3 to 35 bits; "},
        {2, "const M", "3:1 bit; 5:9 to 10 bytes + ?; 6:1 bit; 7:1 to 7 bits; 8:1 bit; "},
    };
    enum { COUNT = sizeof cases / sizeof *cases };
    session s = session_begin();
    json_int_t hints[COUNT], names[COUNT], hovers[COUNT];
    open_document(&s, "vec.pkt", vec);
    for (size_t i = 0; i < COUNT; i++) {
        const char *rest = game;
        for (int line = 0; line < cases[i].line; line++)
            rest = strchr(rest, '\n') + 1;
        char *text = text_format("%.*s%s%s", (int)(rest - game), game, cases[i].typed, strchr(rest, '\n'));
        open_document(&s, "game.pkt", text);
        hints[i] = ask(&s, "textDocument/inlayHint", of_file("game.pkt"));
        names[i] = ask(&s, "textDocument/definition", at_place("game.pkt", 7, 14));
        hovers[i] = ask(&s, "textDocument/hover", at_place("game.pkt", 7, 18));
        free(text);
    }
    session_end(&s);
    for (size_t i = 0; i < COUNT; i++) {
        char *all = text_format("%s", "");
        size_t n;
        json_t *each;
        json_array_foreach(result_of(&s, hints[i]), n, each)
        {
            const json_t *place = json_object_get(each, "position");
            char *more = text_format("%s%d:%s; ", all, (int)json_integer_value(json_object_get(place, "line")),
                                     string_in(each, "label"));
            free(all);
            all = more;
        }
        if (strcmp(all, cases[i].hints) != 0)
            fail_msg("'%s' has '%s', not '%s'", cases[i].typed, all, cases[i].hints);
        free(all);
        if (cases[i].line == 5 && !strchr(cases[i].typed, '{'))
            continue; /* no line of Ship is left */
        json_t *found = json_pack("[O]", result_of(&s, names[i]));
        expect(ranges_text(found, "uri"), "vec.pkt 0:7-0:10; ");
        json_decref(found);
        assert_non_null(
            strstr(string_in(json_object_get(result_of(&s, hovers[i]), "contents"), "value"), "1 to 7 bits"));
    }
    session_free(&s);
}

TEST(names_lead_to_their_declarations_and_uses)
{
    session s = session_begin();
    open_document(&s, "game.pkt", game);
    open_document(&s, "vec.pkt", vec);
    const json_int_t imported = ask(&s, "textDocument/definition", at_place("game.pkt", 7, 15)),
                     presence = ask(&s, "textDocument/definition", at_place("game.pkt", 8, 14)),
                     file = ask(&s, "textDocument/definition", at_place("game.pkt", 1, 10));
    json_t *asked = at_place("vec.pkt", 0, 8);
    json_object_set_new(asked, "context", json_pack("{s:b}", "includeDeclaration", 1));
    const json_int_t uses = ask(&s, "textDocument/references", asked);
    const json_int_t marks = ask(&s, "textDocument/documentHighlight", at_place("game.pkt", 6, 17));
    session_end(&s);
    json_t *found = json_pack("[O,O,O]", result_of(&s, imported), result_of(&s, presence), result_of(&s, file));
    expect(ranges_text(found, "uri"), "vec.pkt 0:7-0:10; game.pkt 7:17-7:22; vec.pkt 0:0-0:0; ");
    json_decref(found);
    expect(ranges_text(result_of(&s, uses), "uri"), "vec.pkt 0:7-0:10; game.pkt 7:13-7:16; ");
    expect(ranges_text(result_of(&s, marks), "uri"), "? 3:18-3:21; ? 6:16-6:19; ? 8:29-8:32; ");
    session_free(&s);
}

/* A type with a name has the places that other types have. */
TEST(a_type_with_a_name_is_found_and_renamed)
{
    static const char text[] = "protocol g = 1;\n/// In metres.\ntype Coord = float<-8, 8, 1>;\ntype Place = Coord;\n"
                               "packet P { Coord x; Place y; }\n";
    session s = session_begin();
    open_document(&s, "game.pkt", text);
    const json_int_t hover = ask(&s, "textDocument/hover", at_place("game.pkt", 4, 12)),
                     leads = ask(&s, "textDocument/definition", at_place("game.pkt", 4, 22)),
                     symbols = ask(&s, "textDocument/documentSymbol", of_file("game.pkt"));
    json_t *asked = at_place("game.pkt", 2, 6);
    json_object_set_new(asked, "context", json_pack("{s:b}", "includeDeclaration", 1));
    const json_int_t uses = ask(&s, "textDocument/references", asked);
    session_end(&s);
    assert_string_equal(string_in(json_object_get(result_of(&s, hover), "contents"), "value"),
                        "```pkt\ntype Coord = float<-8, 8, 1>\n```\n\nIn metres.");
    expect(ranges_text(json_pack("[O]", result_of(&s, leads)), "uri"), "game.pkt 3:5-3:10; ");
    expect(ranges_text(result_of(&s, uses), "uri"), "game.pkt 2:5-2:10; game.pkt 3:13-3:18; game.pkt 4:11-4:16; ");
    const json_t *list = result_of(&s, symbols);
    assert_int_equal(json_array_size(list), 4);
    assert_string_equal(string_in(json_array_get(list, 1), "name"), "Coord");
    session_free(&s);
}

static json_t *renamed(const char *name, int line, int column, const char *to)
{
    json_t *asked = at_place(name, line, column);
    json_object_set_new(asked, "newName", json_string(to));
    return asked;
}

/* The key of a list has the places that other fields have, and one behind each `by`. */
TEST(a_key_is_found_and_renamed)
{
    static const char text[] = "protocol g = 1;\n"
                               "struct Ship {\n"
                               "    /// The name.\n"
                               "    u16 id;\n"
                               "    if (id > 4) { u8 fuel; }\n"
                               "}\n"
                               "packet P { Ship ships[<=9] by id; Ship lost[<=2] by id; }\n";
    session s = session_begin();
    char *uri = uri_of("game.pkt");
    open_document(&s, "game.pkt", text);
    const json_int_t hover = ask(&s, "textDocument/hover", at_place("game.pkt", 6, 30)),
                     list = ask(&s, "textDocument/hover", at_place("game.pkt", 6, 17)),
                     leads = ask(&s, "textDocument/definition", at_place("game.pkt", 6, 31)),
                     fresh = ask(&s, "textDocument/rename", renamed("game.pkt", 6, 30, "number"));
    session_end(&s);
    assert_string_equal(string_in(json_object_get(result_of(&s, hover), "contents"), "value"),
                        "```pkt\nu16 id\n```\n\nsent by the list; 0 to 65535\n\nC: `uint16_t id`\n\nThe name.");
    assert_string_equal(
        string_in(json_object_get(result_of(&s, list), "contents"), "value"),
        "```pkt\nShip ships[<=9] by id\n```\n\n4 to 274 bits, 1 to 30 bits for each of 0 to 9, with 1 to 22 "
        "bits for its key\n\nfrom bit 32 of P on\n\nC: `Ship ships[9]`");
    expect(ranges_text(json_pack("[O]", result_of(&s, leads)), "uri"), "game.pkt 3:8-3:10; ");
    expect(ranges_text(json_object_get(json_object_get(result_of(&s, fresh), "changes"), uri), "newText"),
           "number 3:8-3:10; number 6:30-6:32; number 6:52-6:54; number 4:8-4:10; ");
    free(uri);
    session_free(&s);
}

/* The imported file is not saved: what counts is the text that the editor has. */
TEST(rename_reaches_files_that_are_not_saved)
{
    session s = session_begin();
    save_file("vec.pkt", "struct Old { u8 a; }\n");
    open_document(&s, "vec.pkt", vec);
    open_document(&s, "game.pkt", game);
    const json_int_t type = ask(&s, "textDocument/rename", renamed("game.pkt", 7, 14, "Velocity")),
                     field = ask(&s, "textDocument/rename", renamed("game.pkt", 7, 18, "motion")),
                     word = ask(&s, "textDocument/rename", renamed("game.pkt", 7, 14, "struct")),
                     blank = ask(&s, "textDocument/rename", renamed("game.pkt", 7, 14, "a b")),
                     ready = ask(&s, "textDocument/prepareRename", at_place("game.pkt", 7, 14));
    session_end(&s);
    assert_int_equal(json_array_size(problems_of(&s, "game.pkt")), 0);
    char *uri = uri_of("vec.pkt");
    const json_t *changes = json_object_get(result_of(&s, type), "changes");
    assert_int_equal(json_object_size(changes), 2);
    expect(ranges_text(json_object_get(changes, uri), "newText"), "Velocity 0:7-0:10; ");
    free(uri);
    uri = uri_of("game.pkt");
    expect(ranges_text(json_object_get(changes, uri), "newText"), "Velocity 7:13-7:16; ");
    changes = json_object_get(result_of(&s, field), "changes");
    expect(ranges_text(json_object_get(changes, uri), "newText"), "motion 7:17-7:22; motion 8:12-8:17; ");
    free(uri);
    assert_string_equal(string_in(json_object_get(answer_to(&s, word), "error"), "message"), "this cannot be a name");
    assert_non_null(json_object_get(answer_to(&s, blank), "error"));
    expect(place_text(result_of(&s, ready)), "7:13-7:16");
    session_free(&s);
}

/* In has_h the name is the last letter, and in h_count the first. */
TEST(rename_reaches_presence_and_count)
{
    session s = session_begin();
    char *uri = uri_of("game.pkt");
    open_document(&s, "game.pkt",
                  "struct S {\n    optional u8 h;\n    u8 has[<=2];\n    if (has_h && has_count > 0) { u8 x; }\n}\n");
    const json_int_t presence = ask(&s, "textDocument/rename", renamed("game.pkt", 1, 16, "fresh")),
                     count = ask(&s, "textDocument/rename", renamed("game.pkt", 2, 7, "fresh"));
    session_end(&s);
    expect(ranges_text(json_object_get(json_object_get(result_of(&s, presence), "changes"), uri), "newText"),
           "fresh 1:16-1:17; fresh 3:12-3:13; ");
    expect(ranges_text(json_object_get(json_object_get(result_of(&s, count), "changes"), uri), "newText"),
           "fresh 2:7-2:10; fresh 3:17-3:20; ");
    free(uri);
    session_free(&s);
}

/* The newest release has a Ship, whose team was two bits. */
TEST(changes_since_the_release_are_shown_and_old_names_are_kept)
{
    char *folder = whole_path("releases"), *options = text_format("--against '%s'", folder), *uri = uri_of("game.pkt");
    static const char then[] = "protocol game = 1;\nenum Team { none, red, blue }\n"
                               "packet Ship @budget(99) {\n    Team team = red;\n    u16 a, b;\n}\n";
    static const char now[] = "protocol game = 1;\nenum Team { none, red, blue }\n"
                              "packet Ship @budget(99) {\n    Team team = red;\n    u8 a;\n    u8 fresh;\n}\n";
    char *file = whole_path("game.pkt"), *command = text_format("archive '%s' '%s'", folder, file);
    file_write(file, then);
    free(output_of(0, command));
    session s = session_begin();
    s.options = options;
    open_document(&s, "game.pkt", now);
    const json_int_t lenses = ask(&s, "textDocument/codeLens", of_file("game.pkt")),
                     type = ask(&s, "textDocument/rename", renamed("game.pkt", 2, 8, "Vessel")),
                     field = ask(&s, "textDocument/rename", renamed("game.pkt", 3, 10, "side")),
                     member = ask(&s, "textDocument/rename", renamed("game.pkt", 1, 19, "crimson")),
                     fresh = ask(&s, "textDocument/rename", renamed("game.pkt", 5, 8, "other"));
    session_end(&s);
    static const char *const wanted[] = {
        "11 bytes, at most 0.9 % of 1200",
        "since release 1: new protocol id, recordings convert with loss",
        "since release 1: a narrower u16 -> u8 (16 -> 8 bits): clamped to 255; fresh added u8: "
        "defaulted to 0; b removed u16: lost",
    };
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(string_in(json_object_get(json_array_get(result_of(&s, lenses), i), "command"), "title"),
                            wanted[i]);
    const json_int_t ids[] = {type, field, member, fresh};
    static const char *const edits[] = {
        "Vessel 2:7-2:11;  was \"Ship\" 2:23-2:23; ",
        "side 3:9-3:13;  was \"team\" 3:19-3:19; ",
        "crimson 1:18-1:21; crimson 3:16-3:19;  was \"red\" 1:21-1:21; ",
        "other 5:7-5:12; ",
    };
    for (size_t i = 0; i < 4; i++)
        expect(ranges_text(json_object_get(json_object_get(result_of(&s, ids[i]), "changes"), uri), "newText"),
               edits[i]);
    session_free(&s);
    free(folder);
    free(options);
    free(uri);
    free(file);
    free(command);
}

/* Behind the whole declaration, and never in a comment. */
TEST(an_old_name_is_written_where_it_belongs)
{
    char *folder = whole_path("places"), *options = text_format("--against '%s'", folder), *uri = uri_of("place.pkt");
    static const char text[] = "protocol places = 1;\n"
                               "enum Team : bits<4> { none, red /* , */, old\telse none }\n"
                               "packet Ship /* { */ @delta // {\n"
                               "{\n"
                               "    u8 list[<=4];\n"
                               "    u8 /* ; */ a /* , */, b; // c\n"
                               "    u16 c delta<5, 9>, d[2..4];\n"
                               "    Team team = red /* , */;\n"
                               "}\n";
    static const struct {
        int line, column;
        const char *edits;
    } cases[] = {
        {1, 6, "n 1:5-1:9; n 7:4-7:8;  was \"Team\" 1:19-1:19; "},
        {1, 29, "n 1:28-1:31; n 7:16-7:19;  was \"red\" 1:31-1:31; "},
        {1, 42, "n 1:41-1:44;  was \"old\" 1:44-1:44; "},
        {2, 8, "n 2:7-2:11;  was \"Ship\" 2:26-2:26; "},
        {4, 8, "n 4:7-4:11;  was \"list\" 4:16-4:16; "},
        {5, 15, "n 5:15-5:16;  was \"a\" 5:16-5:16; "},
        {5, 26, "n 5:26-5:27;  was \"b\" 5:27-5:27; "},
        {6, 8, "n 6:8-6:9;  was \"c\" 6:21-6:21; "},
        {6, 23, "n 6:23-6:24;  was \"d\" 6:30-6:30; "},
        {7, 10, "n 7:9-7:13;  was \"team\" 7:19-7:19; "},
    };
    enum { COUNT = sizeof cases / sizeof *cases };
    json_int_t asked[COUNT];
    char *file = whole_path("place.pkt"), *command = text_format("archive '%s' '%s'", folder, file);
    file_write(file, text);
    free(output_of(0, command));
    session s = session_begin();
    s.options = options;
    open_document(&s, "place.pkt", text);
    for (size_t i = 0; i < COUNT; i++)
        asked[i] = ask(&s, "textDocument/rename", renamed("place.pkt", cases[i].line, cases[i].column, "n"));
    session_end(&s);
    for (size_t i = 0; i < COUNT; i++)
        expect(ranges_text(json_object_get(json_object_get(result_of(&s, asked[i]), "changes"), uri), "newText"),
               cases[i].edits);
    session_free(&s);
    free(folder);
    free(options);
    free(uri);
    free(file);
    free(command);
}

/* An import that goes up, and links to a folder and a file: an editor would open the file once for each of its names. */
TEST(a_file_has_one_name_whatever_leads_to_it)
{
    session s = session_begin();
    char *folder = whole_path("tree");
    assert_int_equal(mkdir(folder, 0777), 0);
    process_result made =
        process_run("cd '%s' && mkdir client shared && ln -s . loop && ln -s shared/up.pkt link.pkt", folder);
    assert_int_equal(made.status, 0);
    process_free(&made);
    save_file("tree/shared/up.pkt", "struct Up { u8 x; }\n");
    save_file("tree/client/root.pkt", "protocol up = 1;\nimport \"../shared/up.pkt\";\npacket P { Up at; }\n");
    json_t *folders = json_array();
    for (int i = 0; i < 2; i++) {
        char *uri = uri_of(i == 0 ? "tree" : "tree/shared");
        json_array_append_new(folders, json_pack("{s:s,s:s}", "uri", uri, "name", "tree"));
        free(uri);
    }
    ask(&s, "initialize", json_pack("{s:n,s:o,s:{}}", "processId", "workspaceFolders", folders, "capabilities"));
    const json_int_t all = ask(&s, "workspace/symbol", json_pack("{s:s}", "query", "Up"));
    open_document(&s, "tree/client/root.pkt", "protocol up = 1;\nimport \"../shared/up.pkt\";\npacket P { Up at; }\n");
    const json_int_t declared = ask(&s, "textDocument/definition", at_place("tree/client/root.pkt", 2, 12)),
                     other = ask(&s, "textDocument/rename", renamed("tree/client/root.pkt", 2, 12, "High"));
    session_end(&s);
    char *uri = uri_of("tree/shared/up.pkt"), *root = uri_of("tree/client/root.pkt");
    json_t *wanted = json_pack("{s:[{s:{s:{s:i,s:i},s:{s:i,s:i}},s:s}]}", uri, "range", "start", "line", 0, "character",
                               7, "end", "line", 0, "character", 9, "newText", "High");
    json_t *changes = json_object_get(result_of(&s, other), "changes");
    assert_int_equal(json_array_size(result_of(&s, all)), 1);
    assert_string_equal(string_in(result_of(&s, declared), "uri"), uri);
    assert_int_equal(json_object_size(changes), 2);
    assert_true(json_equal(json_object_get(changes, uri), json_object_get(wanted, uri)));
    assert_int_equal(json_array_size(json_object_get(changes, root)), 1);
    json_decref(wanted);
    session_free(&s);
    free(folder);
    free(uri);
    free(root);
}

/* An imported file has no protocol, but is a part of what was released. */
TEST(a_rename_in_an_imported_file_keeps_old_names)
{
    char *folder = whole_path("released"), *options = text_format("--against '%s'", folder), *uri = uri_of("point.pkt");
    static const char point[] = "struct Point { u8 x; }\n";
    static const char root[] = "protocol points = 1;\nimport \"point.pkt\";\npacket P { Point at; }\n";
    char *file = whole_path("points.pkt"), *command = text_format("archive '%s' '%s'", folder, file);
    save_file("point.pkt", point);
    save_file("points.pkt", root);
    free(output_of(0, command));
    session s = session_begin();
    s.options = options;
    open_document(&s, "point.pkt", point);
    const json_int_t field = ask(&s, "textDocument/rename", renamed("point.pkt", 0, 18, "east"));
    open_document(&s, "points.pkt", root);
    const json_int_t type = ask(&s, "textDocument/rename", renamed("point.pkt", 0, 8, "Place"));
    session_end(&s);
    const json_t *of_field = json_object_get(json_object_get(result_of(&s, field), "changes"), uri);
    const json_t *of_type = json_object_get(json_object_get(result_of(&s, type), "changes"), uri);
    expect(ranges_text(of_field, "newText"), "east 0:18-0:19;  was \"x\" 0:19-0:19; ");
    expect(ranges_text(of_type, "newText"), "Place 0:7-0:12;  was \"Point\" 0:12-0:12; ");
    session_free(&s);
    free(folder);
    free(options);
    free(uri);
    free(file);
    free(command);
}

TEST(a_name_that_is_taken_is_refused)
{
    session s = session_begin();
    open_document(&s, "vec.pkt", vec);
    open_document(&s, "game.pkt", game);
    const json_int_t ids[] = {
        ask(&s, "textDocument/rename", renamed("game.pkt", 7, 18, "team")),
        ask(&s, "textDocument/rename", renamed("game.pkt", 3, 12, "red")),
        ask(&s, "textDocument/rename", renamed("game.pkt", 7, 14, "Ship")),
        ask(&s, "textDocument/rename", renamed("game.pkt", 3, 6, "Vec")),
    };
    const json_int_t same = ask(&s, "textDocument/rename", renamed("game.pkt", 7, 18, "speed"));
    session_end(&s);
    static const char *const wanted[] = {"'team' is taken", "'red' is taken", "'Ship' is taken", "'Vec' is taken"};
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(string_in(json_object_get(answer_to(&s, ids[i]), "error"), "message"), wanted[i]);
    assert_non_null(json_object_get(result_of(&s, same), "changes"));
    session_free(&s);
}

/* Names that are taken by what pktc or C makes of another, by a schema that imports the file, or by a field in a condition:
 * there the condition would still check, and mean something else. */
TEST(a_rename_that_breaks_or_changes_a_schema_is_refused)
{
    session s = session_begin();
    static const char shared[] = "const MOST = 4;\nstruct Part { u8 a; optional u8 b; bool c; u8 list[<=2]; }\n"
                                 "enum Kind { none, some }\n";
    static const char root[] =
        "protocol whole = 1;\nimport \"shared.pkt\";\nstruct Own { Kind kind; }\n"
        "packet P {\n    u8 d, e;\n    Kind kind;\n    if (d == MOST && kind == some) { Part part; }\n}\n";
    save_file("whole.pkt", root);
    open_document(&s, "shared.pkt", shared);
    static const struct {
        int line, column;
        const char *name, *problem;
    } cases[] = {
        {1, 40, "has_b",
         "'has_b' cannot be the name: 'has_b' is also the name of a member that 'b' adds to the C struct"},
        {1, 40, "while", "'while' cannot be the name: 'while' cannot name a member in C: it is a keyword of C"},
        {1, 8, "Own", "'Own' cannot be the name: 'Own' is declared twice"},
        {0, 7, "e", "'e' is something else where it would be written"},
        {2, 19, "e", "'e' cannot be the name: 'e' is both a field and a member of 'Kind'"},
        {0, 7, "LEAST", NULL},
        {2, 19, "other", NULL},
        {1, 8, "Component", NULL},
        {1, 18, "first", NULL},
    };
    enum { COUNT = sizeof cases / sizeof *cases };
    json_int_t asked[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        asked[i] = ask(&s, "textDocument/rename", renamed("shared.pkt", cases[i].line, cases[i].column, cases[i].name));
    session_end(&s);
    for (size_t i = 0; i < COUNT; i++) {
        const json_t *error = json_object_get(answer_to(&s, asked[i]), "error");
        if (cases[i].problem)
            assert_string_equal(string_in(error, "message"), cases[i].problem);
        else
            assert_null(error);
    }
    session_free(&s);
}

/* A rename back: what a name was cannot be what it is. */
TEST(a_name_that_is_back_is_no_old_one)
{
    session s = session_begin();
    char *uri = uri_of("back.pkt");
    open_document(&s, "back.pkt", "packet P was \"Ship\" @delta {\n    u8 a was \"b\" was \"c\", d;\n}\n");
    const json_int_t field = ask(&s, "textDocument/rename", renamed("back.pkt", 1, 7, "b")),
                     type = ask(&s, "textDocument/rename", renamed("back.pkt", 0, 7, "Ship")),
                     other = ask(&s, "textDocument/rename", renamed("back.pkt", 1, 26, "f"));
    session_end(&s);
    expect(ranges_text(json_object_get(json_object_get(result_of(&s, field), "changes"), uri), "newText"),
           "b 1:7-1:8;  1:8-1:16; ");
    expect(ranges_text(json_object_get(json_object_get(result_of(&s, type), "changes"), uri), "newText"),
           "Ship 0:7-0:8;  0:8-0:19; ");
    expect(ranges_text(json_object_get(json_object_get(result_of(&s, other), "changes"), uri), "newText"),
           "f 1:26-1:27; ");
    free(uri);
    session_free(&s);
}

/* Asks what mends the problems of a line, between two columns. */
static json_int_t ask_fixes(session *s, const char *file, int line, int from, int to)
{
    json_t *asked = of_file(file);
    json_object_set_new(asked, "range",
                        json_pack("{s:{s:i,s:i},s:{s:i,s:i}}", "start", "line", line, "character", from, "end", "line",
                                  line, "character", to));
    return ask(s, "textDocument/codeAction", asked);
}

/* What only the schema that imports a file knows to be wrong in it has its fix there. */
TEST(errors_that_importing_finds_have_fixes)
{
    static const char part[] = "packet Part { u8 x; }\n";
    session s = session_begin();
    open_document(&s, "part.pkt", part);
    open_document(&s, "whole.pkt", "protocol w = 1;\nimport \"part.pkt\";\n");
    const json_int_t fixes = ask_fixes(&s, "part.pkt", 0, 8, 8);
    session_end(&s);
    char *all = text_format("%s", "");
    size_t i;
    json_t *each;
    json_array_foreach(result_of(&s, fixes), i, each)
    {
        char *more = text_format("%s%s; ", all, string_in(each, "title"));
        free(all);
        all = more;
    }
    expect(all, "declare it as a struct, which packets of the root file can contain; "
                "begin the file with `protocol part = 1;`; ");
    session_free(&s);
}

/* An editor keeps the line ends of a file, and the mark at its beginning out of its text. */
TEST(line_ends_stay_and_a_byte_order_mark_has_no_column)
{
    session s = session_begin();
    save_file("mark.pkt", "\xef\xbb\xbfstruct Mark { u8 x; }\n");
    open_document(&s, "marked.pkt", "import \"mark.pkt\";\nstruct M { Mark x; }\n");
    open_document(&s, "ends.pkt", "struct S {\r\n    u8 x;\r\n}\r\n");
    open_document(&s, "ugly.pkt", "struct S {\r\nu8 x;\r\n}\r\n");
    const json_int_t marked = ask(&s, "textDocument/definition", at_place("marked.pkt", 1, 12)),
                     same = ask(&s, "textDocument/formatting", of_file("ends.pkt")),
                     ugly = ask(&s, "textDocument/formatting", of_file("ugly.pkt"));
    session_end(&s);
    expect(place_text(json_object_get(result_of(&s, marked), "range")), "0:7-0:11");
    assert_int_equal(json_array_size(result_of(&s, same)), 0);
    expect(ranges_text(result_of(&s, ugly), "newText"), "     1:0-1:0; ");
    session_free(&s);
}

TEST(errors_have_places_help_and_fixes)
{
    session s = session_begin();
    /* The comment has a character of two bytes, and one of two units. */
    open_document(&s, "game.pkt", "protocol g = 1;\n\npacket Q { /* \xC3\xA9\xF0\x9F\x98\x80 */ Pq x; uint16_t y; }\n");
    const json_int_t fixes = ask_fixes(&s, "game.pkt", 2, 0, 40);
    session_end(&s);
    const json_t *problems = problems_of(&s, "game.pkt"), *actions = result_of(&s, fixes);
    expect(ranges_text(problems, "source"), "pktc 2:21-2:23; pktc 2:27-2:35; ");
    assert_int_equal(json_array_size(actions), 1);
    assert_string_equal(string_in(json_array_get(actions, 0), "title"), "write `u16 y;`");
    session_free(&s);
}

/* Neovim, Helix and Emacs watch files for a server only if it asks for that. */
TEST(a_client_that_can_is_asked_to_watch_files)
{
    session s = session_begin();
    tell(&s, "initialized", json_object());
    ask(&s, "initialize",
        json_pack("{s:n,s:n,s:{s:{s:{s:b}}}}", "processId", "rootUri", "capabilities", "workspace",
                  "didChangeWatchedFiles", "dynamicRegistration", 1));
    tell(&s, "initialized", json_object());
    send_json(&s, json_pack("{s:s,s:s,s:n}", "jsonrpc", "2.0", "id", "watch", "result"));
    session_end(&s);
    const json_t *asked = NULL, *each;
    size_t i, count = 0;
    json_array_foreach(s.answers, i, each)
    {
        if (strcmp(string_in(each, "method"), "client/registerCapability") == 0) {
            asked = json_object_get(json_object_get(each, "params"), "registrations");
            count++;
        }
    }
    assert_int_equal(count, 1);
    assert_int_equal(json_array_size(asked), 1);
    assert_string_equal(string_in(json_array_get(asked, 0), "method"), "workspace/didChangeWatchedFiles");
    session_free(&s);
}

TEST(an_import_that_appears_and_changes_is_seen)
{
    session s = session_begin();
    char *uri = uri_of("late.pkt");
    open_document(&s, "game.pkt", "protocol g = 1;\nimport \"late.pkt\";\npacket P { Late x; }\n");
    open_document(&s, "late.pkt", "struct Late { u8 x; }\n");
    const json_int_t first = ask(&s, "textDocument/inlayHint", of_file("game.pkt"));
    tell(&s, "textDocument/didChange",
         json_pack("{s:{s:s,s:i},s:[{s:{s:{s:i,s:i},s:{s:i,s:i}},s:s}]}", "textDocument", "uri", uri, "version", 2,
                   "contentChanges", "range", "start", "line", 0, "character", 14, "end", "line", 0, "character", 16,
                   "text", "u32"));
    const json_int_t second = ask(&s, "textDocument/inlayHint", of_file("game.pkt"));
    tell(&s, "textDocument/didClose", of_file("late.pkt"));
    session_end(&s);
    assert_string_equal(string_in(json_array_get(result_of(&s, first), 1), "label"), "8 bits");
    assert_string_equal(string_in(json_array_get(result_of(&s, second), 1), "label"), "32 bits");
    expect(ranges_text(problems_of(&s, "game.pkt"), "source"), "pktc 1:7-1:17; ");
    free(uri);
    session_free(&s);
}

/* Asks what can come behind a text. */
static json_int_t complete_behind(session *s, const char *text)
{
    int line = 0, column = 0;
    for (const char *c = text; *c; c++)
        column = *c == '\n' ? (line++, 0) : column + 1;
    open_document(s, "typed.pkt", text);
    return ask(s, "textDocument/completion", at_place("typed.pkt", line, column));
}

static bool offers(const session *s, json_int_t id, const char *label)
{
    size_t i;
    json_t *each;
    json_array_foreach(result_of(s, id), i, each) if (strcmp(string_in(each, "label"), label) == 0) return true;
    return false;
}

TEST(completion_fits_the_place)
{
    static const struct {
        const char *text, *offered, *not_offered;
    } cases[] = {
        {"", "packet", "u8"},
        {"protocol g = 1;\npa", "packet", "u8"},
        {"protocol g = 1;\npacket P @", "budget", "u8"},
        {"protocol g = 1;\nenum E { a, b }\npacket P { ", "E", "a"},
        {"protocol g = 1;\nenum E { a, b }\npacket P { E e; if (e == ", "b", "E"},
        {"protocol g = 1;\nenum E { a, b }\npacket P { E e; switch (e) { case ", "a", "u8"},
        {"protocol g = 1;\nenum E { a, b }\npacket P { E e = ", "a", "u8"},
        {"protocol g = 1;\npacket P { optional u8 x; if (", "has_x", "u8"},
        {"protocol g = 1;\npacket P { u8 x[<=4]; if (x_", "x_count", "u8"},
        {"const MOST = 3;\nstruct S { int<0, ", "MOST", "u8"},
        {"const MOST = 3;\nty", "type", "u8"},
        {"const MOST = 3;\ntype Coord = ", "u8", "MOST"},
        {"type Coord = u8;\nstruct S { ", "Coord", "a"},
        {"type Coord = u8;\nconst MOST = 3;\nconst LEAST = ", "MOST", "Coord"},
        {"struct S { u8 x ", "delta", "u8"},
        {"const MOST = 3;\nstruct S { u8 x[4] ", "by", "MOST"},
        {"struct E { u16 id; float f; }\nstruct S { E list[<=4] by ", "id", "f"},
        {"const MOST = 4;\nstruct E { u8 id, other; }\nstruct S { E first[<=4] by id; E list[<=MOST] by i", "id",
         "other"},
        {"struct E { u8 id, other; }\nstruct S { E first[<=4] by id, list[<=4] by ", "id", "list"},
        {"import \"", "vec.pkt", "u8"},
        /* names of an import, which is not saved */
        {"import \"open.pkt\";\nprotocol g = 1;\npacket P { ", "Open", "LIMIT"},
        {"import \"open.pkt\";\nprotocol g = 1;\npacket P { u8 a[<=", "LIMIT", "Open"},
        {"import \"open.pkt\";\nprotocol g = 1;\npacket P { Mode m; if (m == ", "fly", "u8"},
        {"import \"open.pkt\";\nprotocol g = 1;\npacket P { Open o; if (o.", "deep", "o"},
        {"import \"open.pkt\";\nprotocol g = 1;\npacket P { Open o; if (o.deep.", "has_mode", "deep"},
        {"import \"open.pkt\";\nprotocol g = 1;\npacket P { ref<", "Open", "LIMIT"},
        {"protocol g = 1;\nstruct Sh\nstruct Later { u8 x; }\npacket P { ", "Later", "x"},
        {"import \"ve", "vec.pkt", "typed.pkt"},
        {"import \"", "lower/", "typed.pkt"},
        {"import \"lower/d", "deep.pkt", "vec.pkt"},
        {"import \"lower/../", "vec.pkt", "typed.pkt"},
        {"import \"deep", "deep.pkt", "u8"}, /* of -I */
        {"// the ", NULL, "packet"},
        {"struct S {\n    u8 a; // or a.", NULL, "u8"},
        {"struct S {\n    /* or @", NULL, "u8"},
        {"struct S {\n    /* or */", "u8", "packet"},
    };
    session s = session_begin();
    enum { COUNT = sizeof cases / sizeof *cases };
    json_int_t ids[COUNT];
    char *lower = whole_path("lower"), *options = text_format("-I '%s'", lower);
    assert_int_equal(mkdir(lower, 0777), 0);
    s.options = options;
    save_file("lower/deep.pkt", vec);
    save_file("vec.pkt", vec);
    open_document(&s, "open.pkt",
                  "const LIMIT = 4;\nenum Mode { walk, fly }\nstruct Deep { optional Mode mode; }\n"
                  "struct Open { Deep deep; }\n");
    for (size_t i = 0; i < COUNT; i++)
        ids[i] = complete_behind(&s, cases[i].text);
    session_end(&s);
    for (size_t i = 0; i < COUNT; i++)
        if ((cases[i].offered && !offers(&s, ids[i], cases[i].offered)) || offers(&s, ids[i], cases[i].not_offered))
            fail_msg("behind '%s'", cases[i].text);
    session_free(&s);
    free(lower);
    free(options);
}

TEST(a_file_has_symbols_folds_tokens_and_a_format)
{
    session s = session_begin();
    open_document(&s, "game.pkt", game);
    open_document(&s, "vec.pkt", vec);
    open_document(&s, "ugly.pkt", "const A=1;\nconst B = 2;\nstruct S {\nu8 x; }\n");
    const json_int_t symbols = ask(&s, "textDocument/documentSymbol", of_file("game.pkt")),
                     folds = ask(&s, "textDocument/foldingRange", of_file("game.pkt")),
                     tokens = ask(&s, "textDocument/semanticTokens/full", of_file("vec.pkt")),
                     format = ask(&s, "textDocument/formatting", of_file("ugly.pkt")),
                     same = ask(&s, "textDocument/formatting", of_file("vec.pkt")),
                     found = ask(&s, "workspace/symbol", json_pack("{s:s}", "query", "shp"));
    session_end(&s);
    const json_t *ship = json_array_get(result_of(&s, symbols), 3);
    expect(ranges_text(result_of(&s, symbols), "name"), "game 0:0-0:18; MOST 2:0-2:15; Team 3:0-3:23; Ship 5:0-10:1; ");
    assert_int_equal(json_array_size(json_object_get(ship, "children")), 4);
    assert_int_equal(json_array_size(result_of(&s, folds)), 1);
    /* struct Vec float - 1 1 0.5 x y: five numbers each */
    const json_t *data = json_object_get(result_of(&s, tokens), "data");
    static const int first[] = {0, 0, 6, 0, 0, /**/ 0, 7, 3, 2, 1, /**/ 1, 4, 5, 1, 0};
    assert_int_equal(json_array_size(data), 5 * 8);
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        assert_int_equal(json_integer_value(json_array_get(data, i)), first[i]);
    expect(ranges_text(result_of(&s, format), "newText"),
           "const A = 1;\nconst B = 2;\n\nstruct S {\n    u8 x;\n}\n 0:0-4:0; ");
    assert_int_equal(json_array_size(result_of(&s, same)), 0);
    assert_string_equal(string_in(json_array_get(result_of(&s, found), 0), "name"), "Ship");
    session_free(&s);
}

/* ---- what no client should send */

static void expect_status(const char *bytes, int status)
{
    session s = {.path = scratch_path("sent")};
    s.sent = fopen(s.path, "wb");
    fputs(bytes, s.sent);
    session_run(&s);
    assert_int_equal(s.status, status);
    session_free(&s);
}

TEST(broken_frames_end_the_session)
{
    expect_status("", 1);
    expect_status("\r\n\r\n", 1);
    expect_status("no header at all", 1);
    expect_status("Content-Length: 5\r\n\r\n{}", 1);
    expect_status("Content-Length: -2\r\n\r\n{}", 1);
    expect_status("Content-Length: 99999999999999999999\r\n\r\n{}", 1);
    expect_status("Content-Length: 1000000000\r\n\r\n{}", 1);
    expect_status("Content-Length: 2x\r\n\r\n{}", 1);
    expect_status("Content-Length: 1\r\n\r\n{}Content-Length: 2\r\n\r\n{}", 1);
}

TEST(other_headers_and_line_ends_are_read)
{
    static const char end[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"shutdown\"}";
    static const char leave[] = "{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}";
    char *bytes = text_format("Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:%zu\r\n\r\n%s"
                              "Content-Length: %zu\n\n%s",
                              strlen(end), end, strlen(leave), leave);
    expect_status(bytes, 0);
    free(bytes);
}

TEST(wrong_messages_get_errors)
{
    session s = session_begin();
    send_text(&s, "{ no json");
    send_text(&s, "[1, 2]");
    send_text(&s, "{\"jsonrpc\":\"2.0\",\"id\":\"text\",\"method\":\"no/method\"}");
    tell(&s, "$/setTrace", json_object());
    tell(&s, "no/notification", json_null());
    const json_int_t closed = ask(&s, "textDocument/hover", of_file("never.pkt"));
    session_end(&s);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(answer_to(&s, closed), "error"), "code")),
                     -32602);
    static const int codes[] = {-32700, -32600, -32601};
    size_t i, found = 0;
    json_t *each;
    json_array_foreach(s.answers, i, each)
    {
        const json_t *error = json_object_get(each, "error");
        if (error && found < 3)
            assert_int_equal(json_integer_value(json_object_get(error, "code")), codes[found++]);
    }
    assert_int_equal(found, 3);
    session_free(&s);
}

static const char *const methods[] = {
    "textDocument/hover",          "textDocument/inlayHint",     "textDocument/codeLens",
    "textDocument/codeAction",     "textDocument/definition",    "textDocument/documentHighlight",
    "textDocument/references",     "textDocument/prepareRename", "textDocument/rename",
    "textDocument/documentSymbol", "textDocument/foldingRange",  "textDocument/semanticTokens/full",
    "textDocument/formatting",     "textDocument/completion",    "workspace/symbol",
    "textDocument/didOpen",        "textDocument/didChange",     "textDocument/didClose",
};
enum { METHODS = sizeof methods / sizeof *methods };

TEST(parameters_of_wrong_types_do_no_harm)
{
    static const char *const wrong[] = {
        "null",
        "[]",
        "5",
        "\"x\"",
        "{}",
        "{\"textDocument\":5}",
        "{\"textDocument\":{\"uri\":7}}",
        "{\"textDocument\":{\"uri\":\"\"}}",
        "{\"textDocument\":{\"uri\":\"%\",\"text\":\"\\u0000\"}}",
        "{\"textDocument\":{\"uri\":\"U\"},\"position\":{\"line\":-1,\"character\":-5},\"newName\":\"n\"}",
        "{\"textDocument\":{\"uri\":\"U\"},\"position\":{\"line\":9000000000,\"character\":9000000000}}",
        "{\"textDocument\":{\"uri\":\"U\"},\"position\":{\"line\":1,\"character\":9000000000},\"range\":5}",
        "{\"textDocument\":{\"uri\":\"U\"},\"position\":[],\"range\":{\"start\":{\"line\":5},\"end\":{\"line\":1}}}",
        "{\"textDocument\":{\"uri\":\"U\"},\"contentChanges\":[5,{},{\"text\":5},{\"text\":\"x\",\"range\":{\"start\":"
        "{\"line\":7,\"character\":7},\"end\":{\"line\":-3,\"character\":2}}}]}",
    };
    session s = session_begin();
    char *uri = uri_of("game.pkt");
    for (size_t i = 0; i < METHODS; i++) {
        open_document(&s, "game.pkt", game);
        for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
            const char *mark = strstr(wrong[k], "\"U\"");
            char *text = mark ? text_format("%.*s%s%s", (int)(mark + 1 - wrong[k]), wrong[k], uri, mark + 2)
                              : text_format("%s", wrong[k]);
            json_t *parameters = json_loads(text, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
            assert_non_null(parameters);
            if (strncmp(methods[i] + 13, "did", 3) == 0)
                tell(&s, methods[i], parameters);
            else
                ask(&s, methods[i], parameters);
            free(text);
        }
    }
    session_end(&s);
    free(uri);
    session_free(&s);
}

int main(void)
{
    return run_all(set_up);
}
