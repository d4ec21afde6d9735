/* test_layout.c - tests pktc layout.
 * SPDX-License-Identifier: MIT
 *
 * mygame.layout is the layout of schemas/mygame.pkt. `test_layout --refresh` rewrites it. Read what has changed.
 */
#define TOOL "layout"
#include "commands/tools.h"
#include "process.h"

#define EXPECTED "tests/layout/mygame.layout"
#define LAYOUT "layout --hz 20 --mtu 500 schemas/mygame.pkt"

/* Worked out by hand: of x, the codes 1 and 2 have 1 and 2 bits, and the sign and a low bit follow. Flat codes have no
 * average. */
TEST(test_layout_of_coded_fields)
{
    char *path = scratch_path("coded.pkt"), *model = scratch_path("coded.model"), *page = scratch_path("coded.html");
    file_write(path, "protocol coded = 1;\n"
                     "model \"coded.model\";\n"
                     "struct S @delta { bits<2> x coded; optional bits<2> y coded; quat<3> q coded; u8 flat coded; }\n"
                     "struct A @delta { u8 list[4] coded; }\n"
                     "packet P @delta(predict) { int<0, 1> moves coded; }\n");
    file_write(model, "S.x 0: 2 1 2\n"
                      "S.y 0: 2 1 2\n"
                      "S.q 0: 1 3 3 3 3\n"
                      "A.list runs: 1 3 3 3 3\n"
                      "P.moves 0: 1 1\n");
    char *command = text_format("layout '%s'", path), *made = output_of(0, command);
    static const char *const wanted[] = {
        "x      bits<2>                 2    8.3 %   2 to 4 as a delta by the model, on average 2.7\n",
        "y      optional bits<2>   1 to 3   12.5 %   1, then 2; 2 to 4 as a delta by the model, on average 2.5\n",
        "q      quat<3>                11   45.8 %   3 to 18 as a delta by the model, on average 8.9\n",
        "flat   u8                      8   33.3 %   4 to 12 as a coded delta\n",
        "8 each; 4 to 12 as a coded delta; 1 to 5 for each run of a delta, on average 2.4\n",
        "2 as a delta by the model, on average 2.0 at rest and 2.0 in motion\n",
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!strstr(made, wanted[i]))
            fail_msg("'%s' is not in: %s", wanted[i], made);
    free(made);
    free(command);
    command = text_format("layout --html '%s' '%s'", page, path);
    free(output_of(0, command));
    free(command);
    made = file_read(page);
    static const char *const drawn[] = {
        "<title>form, 1 if what is coded has its coded form: 1 bit</title>",
        "<title>x, 2 to 4 as a delta by the model, on average 2.7</title>",
        "<title>places, of the elements that changed: 1 to 5 for each run of a delta, on average 2.4</title>",
        "<title>coded change mask, a bit for each of: x, y, q, flat</title>",
    };
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
        assert_non_null(strstr(made, drawn[i]));
    free(made);
    free(path);
    free(model);
    free(page);
}

TEST(test_layout)
{
    char *expected = file_read(EXPECTED), *made = output_of(0, LAYOUT);
    assert_non_null(expected);
    assert_string_equal(made, expected);
    free(made);
    free(expected);
    made = output_of(0, "--layout schemas/vec.pkt");
    assert_non_null(strstr(made, "struct Offset: 36 bits\n"));
    assert_null(strstr(made, "protocol"));
    free(made);
}

/* Worked out by hand: the differences of the 1024 keys have 1 to 16 bits. */
TEST(test_layout_of_lists)
{
    char *path = scratch_path("listed.pkt"), *page = scratch_path("listed.html");
    file_write(path, "protocol listed = 1;\nstruct Ship @delta { bool moving; int<0, 1023> id; u8 fuel; }\n"
                     "packet Fleet @delta { Ship ships[<=9] by id; }\n");
    char *command = text_format("layout '%s'", path), *made = output_of(0, command);
    static const char *const wanted[] = {
        "  id       int<0, 1023>   0    0.0 %   sent by the list\n"
        "  moving   bool           1   11.1 %\n"
        "  fuel     u8             8   88.9 %\n",
        "4 for the count, 10 to 25 each with 1 to 16 for its key\n",
        "  ships[<=9] by id   Ship   4 to ",
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!strstr(made, wanted[i]))
            fail_msg("'%s' is not in: %s", wanted[i], made);
    free(made);
    free(command);
    command = text_format("layout --html '%s' '%s'", page, path);
    free(output_of(0, command));
    free(command);
    made = file_read(page);
    static const char *const drawn[] = {
        "<title>id, the difference from the key before: 1 to 16 bits</title>",
        "<title>gone, 1 if elements are gone: 1 bit</title>",
        "<title>place, which element is gone: 2 bits</title>",
        "<title>new, 1 before each new key, 0 after the last one: 1 bit</title>",
        "<title>change mask, a bit for each of: moving, fuel</title>",
    };
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
        if (!strstr(made, drawn[i]))
            fail_msg("'%s' is not in: %s", drawn[i], made);
    free(made);
    free(path);
    free(page);
}

TEST(test_layout_as_json)
{
    char *path = scratch_path("sizes.pkt");
    file_write(path, "protocol sizes = 1;\n"
                     "struct Point @delta { bits<3> x; }\n"
                     "packet Move @delta { bool fast; if (fast) { u8 speed; } else { align; } Point path[<=2]; }\n");
    char *command = text_format("layout --json '%s'", path), *made = output_of(0, command);
    char *expected = text_format(
        "{\n"
        "    \"file\": \"%s\",\n"
        "    \"protocol\": \"sizes\",\n"
        "    \"version\": 1,\n"
        "    \"id\": \"0xd47ad98a96f09aa8\",\n"
        "    \"mtu\": 1200,\n"
        "    \"types\": [\n"
        "        {\"kind\": \"struct\", \"name\": \"Point\", \"unit\": \"bits\", \"least\": 3, \"most\": 3, \"delta_least\": 1, \"delta_most\": 4, \"rows\": [\n"
        "            {\"name\": \"x\", \"type\": \"bits<3>\", \"depth\": 0, \"least\": 3, \"most\": 3, \"parts\": \"\"}\n"
        "        ]},\n"
        "        {\"kind\": \"packet\", \"name\": \"Move\", \"unit\": \"bytes\", \"least\": 10, \"most\": 11, \"delta_least\": 9, \"delta_most\": 11, \"rows\": [\n"
        "            {\"name\": \"crc32\", \"type\": \"\", \"depth\": 0, \"least\": 32, \"most\": 32, \"parts\": \"\"},\n"
        "            {\"name\": \"fast\", \"type\": \"bool\", \"depth\": 0, \"least\": 1, \"most\": 1, \"parts\": \"\"},\n"
        "            {\"name\": \"if (fast)\", \"type\": \"\", \"depth\": 0, \"least\": 0, \"most\": 8, \"parts\": \"\"},\n"
        "            {\"name\": \"speed\", \"type\": \"u8\", \"depth\": 1, \"least\": 8, \"most\": 8, \"parts\": \"\"},\n"
        "            {\"name\": \"else\", \"type\": \"\", \"depth\": 0, \"parts\": \"\"},\n"
        "            {\"name\": \"align\", \"type\": \"\", \"depth\": 1, \"least\": 0, \"most\": 7, \"parts\": \"\"},\n"
        "            {\"name\": \"path[<=2]\", \"type\": \"Point\", \"depth\": 0, \"least\": 2, \"most\": 8, \"parts\": \"2 for the count, 3 each\"},\n"
        "            {\"name\": \"end check\", \"type\": \"\", \"depth\": 0, \"least\": 32, \"most\": 32, \"parts\": \"\"},\n"
        "            {\"name\": \"padding\", \"type\": \"\", \"depth\": 0, \"least\": 0, \"most\": 7, \"parts\": \"\"}\n"
        "        ]}\n"
        "    ]\n"
        "}\n",
        path);
    assert_string_equal(made, expected);
    free(made);
    free(command);
    command = text_format("layout --json schemas/vec.pkt");
    made = output_of(0, command);
    assert_non_null(strstr(made, "\"protocol\": null,\n    \"version\": null,\n"));
    free(made);
    free(command);
    free(expected);
    free(path);
}

/* A reader of sizes sees what is behind the name of a type. */
TEST(test_layout_of_named_types)
{
    char *path = scratch_path("named.pkt");
    file_write(path, "const WORLD = 4096.0;\n"
                     "type Coord = float<-WORLD, WORLD, 0.1>;\n"
                     "type Height = Coord;\n"
                     "struct Place { Coord x; Height path[<=3]; optional Coord last; }\n");
    char *command = text_format("layout '%s'", path), *made = output_of(0, command);
    assert_string_equal(
        made, "Bits of each field, and its share of the type's greatest size:\n"
              "\n"
              "struct Place: 20 to 88 bits\n"
              "  x           float<-WORLD, WORLD, 0.1>                 17   19.3 %\n"
              "  path[<=3]   float<-WORLD, WORLD, 0.1>            2 to 53   60.2 %   2 for the count, 17 each\n"
              "  last        optional float<-WORLD, WORLD, 0.1>   1 to 18   20.5 %   1, then 17\n");
    free(made);
    free(command);
    free(path);
}

TEST(test_layout_over_budget)
{
    char *path = scratch_path("over.pkt");
    file_write(path, "protocol over = 1;\npacket Big @budget(100) { string<200> text; }\n");
    char *command = text_format("layout --mtu 150 '%s'", path), *made = output_of(0, command);
    assert_non_null(strstr(made, "Big      9 to 209   139.3 %   up to 59 over, more than its budget of 100\n"));
    free(made);
    free(command);
    free(path);
}

/* What @fit may leave out does not count against a budget, nor in the size of a packet that has one. */
TEST(test_layout_of_fitted_packets)
{
    static const char *const wanted[] = {
        "packet              bytes   of 1200\n"
        "Fitted         11 to 1200   100.0 %   1624 without @fit\n"
        "Wide           11 to 1300   108.3 %   up to 100 over, 1624 without @fit\n"
        "Free           10 to 1323   110.2 %   up to 123 over, unless @fit leaves elements out\n"
        "Tight            40 to 50     4.2 %   more than its budget of 20\n"
        "Roomy                1298   108.2 %   up to 98 over, within its budget of 1400\n"
        "World                1208   100.7 %   up to 8 over\n"
        "  as a delta    9 to 1321   110.1 %   up to 121 over, unless @fit leaves elements out\n",
        "\npacket Fitted: 11 to 1200 bytes, 1624 without @fit\n", "\npacket Free: 10 to 1323 bytes\n"};
    char *path = scratch_path("fitted.pkt");
    file_write(
        path,
        "protocol fitted = 1;\n"
        "struct Kart @delta { u16 x; u16 y; }\n"
        "struct Karts @delta { Kart each[300] @fit; }\n"
        "packet Fitted @budget(1200) { u8 n; optional u8<1, 31> back; u8 more[<=300] @fit; Karts all delta(n from n - back) @fit; }\n"
        "packet Wide @budget(1300) { u8 n; optional u8<1, 31> back; u8 more[<=300] @fit; Karts all delta(n from n - back) @fit; }\n"
        "packet Free { u8 n; optional u8<1, 31> back; Karts all delta(n from n - back) @fit; }\n"
        "packet Tight @budget(20) { u8 n; optional u8<1, 31> back; u8 x[30]; Karts all delta(n from n - back) @fit; }\n"
        "packet Roomy @budget(1400) { u8 x[1290]; }\n"
        "packet World @delta { Kart each[300] @fit; }\n");
    char *command = text_format("layout '%s'", path), *made = output_of(0, command);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_non_null(strstr(made, wanted[i]));
    free(made);
    free(command);
    command = text_format("layout --json '%s'", path);
    made = output_of(0, command);
    assert_non_null(strstr(made, "\"least\": 11, \"most\": 1200, \"unfit_most\": 1624, \"budget\": 1200, "));
    free(made);
    free(command);
    free(path);
}

/* Deltas have their own sizes. The indices of a subset are counted separately. */
TEST(test_layout_of_deltas_and_subsets)
{
    static const char *const lines[] = {
        "State          14 to 17     1.4 %        6.7 to 8.2\n",
        "  as a delta    9 to 18     1.5 %        4.3 to 8.6\n",
        "packet State: 14 to 17 bytes, 9 to 18 as a delta\n",
        "struct Body: 40 to 48 bits, 3 to 54 as a delta\n",
        "   5 or 8 as a delta, 12 if it does not fit\n",
        "   16 to 25 as a delta, 30 if it does not fit\n",
        "   12 to 30 for the indices, 6 each\n",
    };
    char *path = scratch_path("deltas.pkt");
    file_write(path, "protocol deltas = 1;\n"
                     "struct Body @delta { int<0, 1000> x delta<4, 6>; quat<9> turn delta<4, 7>; bool at_rest; "
                     "if (!at_rest) { u8 spin; } }\n"
                     "packet State @delta { Body body; bits<1> on; switch (on) { case 1: u16 level; } }\n"
                     "packet World { sparse<relative> bits<6> tiles[<=2 of 100]; }\n");
    char *command = text_format("layout --hz 60 '%s'", path), *made = output_of(0, command);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (!strstr(made, lines[i]))
            fail_msg("'%s' is not in\n%s", lines[i], made);
    free(made);
    free(command);
    free(path);
}

static size_t occurrences(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

static void assert_balanced(const char *page, const char *element)
{
    char *open = text_format("<%s>", element), *open_with = text_format("<%s ", element),
         *close = text_format("</%s>", element);
    assert_int_equal(occurrences(page, open) + occurrences(page, open_with), occurrences(page, close));
    free(close);
    free(open_with);
    free(open);
}

/* The page is well-formed, as far as this test checks it, has a section and two pictures for each type, and loads
 * nothing. */
TEST(test_page)
{
    static const char *const elements[] = {
        "html",   "head",   "style", "body", "details", "summary", "h2", "h3", "table", "tr", "td", "th", "svg",
        "script", "button", "g",     "a",    "text",    "title",   "ul", "li", "span",  "p",  "b",  "i",
    };
    static const char *const from_elsewhere[] = {"http", "src=", "<link", "@import", "url(", "fetch("};
    static const char *const parts[] = {
        "<details id=\"Snapshot\" open>",
        "<details id=\"Player\" open>",
        "<title>x, float&lt;-WORLD, WORLD, 0.01&gt;: 18 bits</title>",
        "players × 0 to 32",
        "if (alive)",
        "Sent several times, because there is no answer.",
        "kbit/s at 20 Hz",
        "<a href=\"#Input\">",
    };
    char *path = scratch_path("mygame.html"),
         *command = text_format("layout --hz 20 --html '%s' schemas/mygame.pkt", path);
    char *out = output_of(0, command), *page = file_read(path);
    assert_string_equal(out, "");
    assert_non_null(page);
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++)
        assert_balanced(page, elements[i]);
    for (size_t i = 0; i < sizeof from_elsewhere / sizeof from_elsewhere[0]; i++)
        assert_null(strstr(page, from_elsewhere[i]));
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!strstr(page, parts[i]))
            fail_msg("'%s' is not in the page", parts[i]);
    assert_int_equal(2 * occurrences(page, "<details "), occurrences(page, "<svg "));
    assert_int_equal(occurrences(page, "<script>"), 1);
    free(page);
    free(out);
    free(command);
    free(path);
}

/* Deltas have their own pictures. A @delta packet above the MTU has a note; only other packets above it are red: in
 * part if they can be, as a whole if they always are. */
TEST(test_page_of_deltas)
{
    static const char *const parts[] = {
        "<a href=\"#State.delta\">as a delta</a> <small>if everything changed</small>",
        "<h3 id=\"State.delta\">State as a delta</h3>",
        "<title>change mask, a bit for each of: tick, bodies</title>",
        "<title>x, delta&lt;4, 6&gt;: 5 or 8 as a delta, 12 if it does not fit</title>",
        "if x changed",
        "bodies × 1000",
        "× 1 to 1000, those that changed, each with its place",
        "<title>if (!at_rest)</title>",
    };
    char *schema = scratch_path("page.pkt"), *path = scratch_path("page.html");
    file_write(schema, "protocol page = 1;\n"
                       "struct Body @delta { int<0, 1000> x delta<4, 6>; bool at_rest; if (!at_rest) { u8 spin; } }\n"
                       "packet State @delta { u32 tick; Body bodies[1000]; }\n"
                       "packet Text { string<2000> text; }\n"
                       "packet Block { u8 cells[2000]; }\n");
    char *command = text_format("layout --html '%s' '%s'", path, schema), *out = output_of(0, command),
         *page = file_read(path);
    assert_non_null(page);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!strstr(page, parts[i]))
            fail_msg("'%s' is not in the page", parts[i]);
    assert_int_equal(occurrences(page, "class=\"meter rare\""), 2);
    assert_int_equal(occurrences(page, "class=\"meter over\""), 1);
    assert_int_equal(occurrences(page, "class=\"meter over always\""), 1);
    assert_int_equal(occurrences(page, "<svg "), 2 * (4 + 2));
    free(page);
    free(out);
    free(command);
    free(path);
    free(schema);
}

/* Every construct, and the deepest nesting, gives a page of reasonable size: less than 2000 bytes for each line of the
 * table. */
TEST(test_pages_of_all)
{
    static const char *const files[] = {"schemas/all.pkt", "schemas/vec.pkt", "tests/emit/golden/choice.pkt",
                                        "tests/commands/ugly.pkt"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char *path = scratch_path("page.html"),
             *command = text_format("layout -I schemas --html '%s' %s", path, files[i]),
             *table_command = text_format("layout -I schemas %s", files[i]);
        char *out = output_of(0, command), *page = file_read(path), *table = output_of(0, table_command);
        assert_non_null(page);
        assert_true(strlen(page) < 2000 * occurrences(table, "\n"));
        assert_balanced(page, "g");
        free(table);
        free(table_command);
        free(page);
        free(out);
        free(command);
        free(path);
    }
}

/* Without checks, a packet of whole bytes ends with its last byte. */
TEST(test_packets_without_checks_end_with_their_bits)
{
    char *path = scratch_path("bare.pkt"), *command = text_format("layout --no-checks '%s'", path), *made;
    file_write(path, "protocol bare = 1;\npacket A { u64 a; }\n");
    made = output_of(0, command);
    assert_non_null(strstr(made, "packet A: 12 bytes\n"));
    free(made);
    free(command);
    free(path);
}

/* ---- */

static void refresh(void)
{
    process_result result = run(LAYOUT);
    file_write(EXPECTED, result.out);
    process_free(&result);
}

int main(int argc, char **argv)
{
    return run_or_refresh(argc, argv, refresh);
}
