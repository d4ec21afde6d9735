/* test_tools.c - tests pktc fmt and pktc layout.
 * SPDX-License-Identifier: MIT
 *
 * NAME.pkt in this directory is formatted as NAME.formatted, byte for byte; mygame.layout is the layout of
 * schemas/mygame.pkt. `test_tools --refresh` rewrites these files. Read what has changed.
 */
#include "process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define DIRECTORY "tests/commands"
#define LAYOUT "layout --hz 20 --mtu 500 schemas/mygame.pkt"

static const char *const samples[] = {"ugly", "crlf"};
enum { SAMPLE_COUNT = sizeof samples / sizeof samples[0], VARIANTS = 60 };

static process_result run(const char *command)
{
    return process_run("%s %s", setting("PKTC_SANITIZED"), command);
}

/* Runs pktc and checks its exit status. The caller frees the output. */
static char *output_of(int status, const char *command)
{
    process_result result = run(command);
    if (result.status != status)
        print_error("pktc %s\n%s", command, result.err);
    assert_int_equal(result.status, status);
    char *text = text_format("%s", result.out);
    process_free(&result);
    return text;
}

static const char *working_directory(void)
{
    static char path[4096];
    assert_non_null(getcwd(path, sizeof path));
    return path;
}

static char *scratch_path(const char *name)
{
    return text_format("%s/tools/%s", setting("SCRATCH"), name);
}

/* Makes an empty directory. */
static int set_up(void **state)
{
    (void)state;
    process_result result =
        process_run("rm -rf '%s/tools' && mkdir -p '%s/tools'", setting("SCRATCH"), setting("SCRATCH"));
    int failed = result.status;
    process_free(&result);
    return failed;
}

/* The formatted text; NULL if pktc fmt refuses it, and then it must not change the file. */
static char *formatted(const char *text)
{
    char *path = scratch_path("format.pkt");
    file_write(path, text);
    char *command = text_format("fmt '%s'", path);
    process_result result = run(command);
    char *made = file_read(path);
    assert_string_equal(result.out, "");
    if (result.status != 0) {
        assert_int_equal(result.status, 1);
        assert_string_equal(made, text);
        free(made);
        made = NULL;
    }
    process_free(&result);
    free(command);
    free(path);
    return made;
}

/* ---- many texts in one run, because starting pktc takes a hundred times longer than formatting a text */

static char *batch_path(const char *directory, size_t i)
{
    return text_format("%s/tools/%s/%04zu.pkt", setting("SCRATCH"), directory, i);
}

static process_result run_batch(const char *command, const char *directory)
{
    return process_run("cd '%s/tools/%s' && %s/%s %s *.pkt", setting("SCRATCH"), directory, working_directory(),
                       setting("PKTC_SANITIZED"), command);
}

/* The trees of all texts, without positions, which formatting changes. */
static char *trees_of(const char *directory)
{
    process_result result = run_batch("--dump=ast", directory);
    char *tree = text_format("%s", result.out);
    for (char *from = tree, *to = tree; *from;) {
        from += strspn(from, "0123456789: ");
        size_t line = strcspn(from, "\n") + 1;
        memmove(to, from, line);
        to += line;
        from += line;
        *to = '\0';
    }
    process_free(&result);
    return tree;
}

/* Formats texts twice: the first time must not change their trees, and the second time must change nothing. Texts with
 * syntax errors must not change. Returns the number of texts without errors. */
static size_t check_format(size_t count, char **texts)
{
    process_result made = process_run("cd '%s/tools' && rm -rf before after && mkdir before after", setting("SCRATCH"));
    assert_int_equal(made.status, 0);
    process_free(&made);
    for (size_t i = 0; i < count; i++) {
        char *before = batch_path("before", i), *after = batch_path("after", i);
        file_write(before, texts[i]);
        file_write(after, texts[i]);
        free(before);
        free(after);
    }
    process_result once = run_batch("fmt --error-format=json", "after"), again = run_batch("fmt --check", "after");
    assert_string_equal(once.out, "");
    assert_string_equal(again.out, "");
    char *before = trees_of("before"), *after = trees_of("after");
    size_t same = 0, sound = 0;
    while (before[same] && before[same] == after[same])
        same++;
    if (before[same] != after[same])
        fail_msg("the tree '%.200s'\nbecomes '%.200s'", before + same, after + same);
    for (size_t i = 0; i < count; i++) {
        char *path = batch_path("after", i), *text = file_read(path),
             *complaint = text_format("\"file\":\"%04zu.pkt\"", i);
        if (!strstr(once.err, complaint))
            sound++;
        else
            assert_string_equal(text, texts[i]);
        free(complaint);
        free(text);
        free(path);
    }
    assert_int_equal(once.status, sound == count ? 0 : 1);
    free(after);
    free(before);
    process_free(&again);
    process_free(&once);
    return sound;
}

/* ---- fmt */

static void test_samples(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        char *path = text_format(DIRECTORY "/%s.pkt", samples[i]), *text = file_read(path);
        char *expected_path = text_format(DIRECTORY "/%s.formatted", samples[i]), *expected = file_read(expected_path);
        char *made = formatted(text);
        assert_non_null(expected);
        assert_string_equal(made, expected);
        free(made);
        free(expected);
        free(expected_path);
        free(text);
        free(path);
    }
}

static void test_every_schema(void **state)
{
    (void)state;
    enum { ROOM = 1000 };
    static const char *const directories[] = {"schemas", "tests/emit/golden", "tests/check/errors",
                                              "tests/front/errors", DIRECTORY};
    char *texts[ROOM];
    size_t total = 0;
    for (size_t d = 0; d < sizeof directories / sizeof directories[0]; d++) {
        size_t count;
        char **names = directory_list(directories[d], ".pkt", &count);
        assert_true(total + count < ROOM);
        for (size_t i = 0; i < count; i++) {
            char *path = text_format("%s/%s", directories[d], names[i]);
            texts[total++] = file_read(path);
            free(path);
        }
        directory_list_free(names);
    }
    assert_true(check_format(total, texts) > 50);
    while (total-- > 0)
        free(texts[total]);
}

/* The end of the comment or string at this place, or of a single character. */
static const char *element_end(const char *at)
{
    if (strncmp(at, "//", 2) == 0)
        return strchr(at, '\n') + 1;
    if (strncmp(at, "/*", 2) == 0)
        return strstr(at, "*/") + 2;
    return *at == '"' ? strchr(at + 1, '"') + 1 : at + 1;
}

/* The sample with random spaces and comments between its tokens. */
static void test_comments_anywhere(void **state)
{
    (void)state;
    static const char *const between[] = {
        " ",
        "\n",
        "\n\n\n",
        "\t",
        "\r\n",
        " /* c */ ",
        "\n// own\n",
        " // behind\n",
        "/* m\n   n\t\n\tx */",
        " /* q */ // r\n",
        "\n/* o */\n",
        "//\n",
        "\n                                // far\n",
    };
    char *text = file_read(DIRECTORY "/ugly.formatted");
    char *variants[VARIANTS];
    uint32_t lot = 1;
    for (int round = 0; round < VARIANTS; round++) {
        char *to = variants[round] = malloc(strlen(text) * 40);
        for (const char *from = text; *from; from++) {
            const char *end = element_end(from);
            lot = lot * 1664525 + 1013904223;
            if ((*from == ' ' || *from == '\n') && lot >> 30 == 0)
                to += sprintf(to, "%s", between[(lot >> 16) % (sizeof between / sizeof between[0])]);
            memcpy(to, from, (size_t)(end - from));
            to += end - from;
            from = end - 1;
        }
        *to = '\0';
    }
    assert_int_equal(check_format(VARIANTS, variants), VARIANTS);
    for (int round = 0; round < VARIANTS; round++)
        free(variants[round]);
    free(text);
}

static void test_same_output(void **state)
{
    (void)state;
    process_result result = process_run(
        "set -e; pktc=$PWD/%s; dir=%s/tools; mkdir $dir/in; cp schemas/*.pkt tests/commands/*.pkt $dir/in; cd $dir;"
        " for file in in/*.pkt; do $pktc -o before $file; done; $pktc fmt in/*.pkt;"
        " for file in in/*.pkt; do $pktc -o after $file; done; diff -r before after; $pktc fmt --check in/*.pkt",
        setting("PKTC"), setting("SCRATCH"));
    assert_string_equal(result.err, "");
    assert_string_equal(result.out, "");
    assert_int_equal(result.status, 0);
    process_free(&result);
}

static void test_schemas_are_formatted(void **state)
{
    (void)state;
    char *out = output_of(0, "fmt --check schemas/*.pkt schemas/example/*.pkt");
    assert_string_equal(out, "");
    free(out);
}

static void test_check_and_errors(void **state)
{
    (void)state;
    char *bad = scratch_path("bad.pkt"), *ugly = scratch_path("ugly.pkt"), *fine = scratch_path("fine.pkt");
    file_write(bad, "struct A {u8 a}\n");
    file_write(ugly, "struct A {u8 a;}\n");
    file_write(fine, "struct A { u8 a; }\n");
    char *command = text_format("--format --check '%s' '%s' '%s'", bad, ugly, fine);
    process_result result = run(command);
    assert_int_equal(result.status, 1);
    assert_non_null(strstr(result.err, "bad.pkt:1:15: error: "));
    char *expected = text_format("%s\n", ugly), *text = file_read(ugly);
    assert_string_equal(result.out, expected);
    assert_string_equal(text, "struct A {u8 a;}\n");
    free(text);
    process_free(&result);
    free(command);

    command = text_format("fmt '%s' '%s' '%s' missing.pkt", bad, ugly, fine);
    result = run(command);
    assert_int_equal(result.status, 1);
    assert_non_null(strstr(result.err, "bad.pkt:1:15: error: "));
    assert_non_null(strstr(result.err, "error: cannot read 'missing.pkt'"));
    text = file_read(ugly);
    assert_string_equal(text, "struct A { u8 a; }\n");
    free(text);
    text = file_read(bad);
    assert_string_equal(text, "struct A {u8 a}\n");
    free(text);
    process_free(&result);
    free(command);
    free(expected);
    free(fine);
    free(ugly);
    free(bad);
}

static void test_standard_input(void **state)
{
    (void)state;
    static const struct {
        const char *text, *arguments;
        int status;
        const char *out, *err;
    } cases[] = {
        {"struct A {u8 a;}\n", "fmt -", 0, "struct A { u8 a; }\n", ""},
        {"struct A { u8 a; }\n", "fmt -", 0, "struct A { u8 a; }\n", ""},
        {"struct A {u8 a;}\n", "fmt --check -", 1, "-\n", ""},
        {"struct A { u8 a; }\n", "fmt --check -", 0, "", ""},
        {"struct A { u8 a; }\n", "--format -- -", 0, "struct A { u8 a; }\n", ""},
        {"", "fmt -", 0, "", ""},
        {"struct A {u8 a}\n", "fmt -", 1, "", "<stdin>:1:15: error: "},
        {"struct A {u8 a;}\n", "fmt /dev/stdin", 1, "",
         "cannot format '/dev/stdin' in place: it is not a regular file\n      = help: "
         "'pktc fmt -' formats standard input\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        process_result result =
            process_run("printf '%s' | %s %s", cases[i].text, setting("PKTC_SANITIZED"), cases[i].arguments);
        assert_string_equal(result.out, cases[i].out);
        assert_non_null(strstr(result.err, cases[i].err));
        assert_int_equal(*result.err == '\0', *cases[i].err == '\0');
        assert_int_equal(result.status, cases[i].status);
        process_free(&result);
    }
}

/* The samples are compiled too, so they name no model. */
static void test_model(void **state)
{
    (void)state;
    char *path = scratch_path("model.pkt"), *command = text_format("fmt '%s'", path);
    file_write(path, "protocol p=1 ;model   \"p.model\"  ;   // learned\n");
    free(output_of(0, command));
    char *made = file_read(path);
    assert_string_equal(made, "protocol p = 1;\nmodel \"p.model\";                // learned\n");
    free(made);
    free(command);
    free(path);
}

/* ---- layout */

/* Worked out by hand: of x, the codes 1 and 2 have 1 and 2 bits, and the sign and a low bit follow. Flat codes have no
 * average. */
static void test_layout_of_coded_fields(void **state)
{
    (void)state;
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

static void test_layout(void **state)
{
    (void)state;
    char *expected = file_read(DIRECTORY "/mygame.layout"), *made = output_of(0, LAYOUT);
    assert_non_null(expected);
    assert_string_equal(made, expected);
    free(made);
    free(expected);
    made = output_of(0, "--layout schemas/vec.pkt");
    assert_non_null(strstr(made, "struct Offset: 36 bits\n"));
    assert_null(strstr(made, "protocol"));
    free(made);
}

static void test_layout_over_budget(void **state)
{
    (void)state;
    char *path = scratch_path("over.pkt");
    file_write(path, "protocol over = 1;\npacket Big @budget(100) { string<200> text; }\n");
    char *command = text_format("layout --mtu 150 '%s'", path), *made = output_of(0, command);
    assert_non_null(strstr(made, "Big      9 to 209   139.3 %   up to 59 over\n"));
    free(made);
    free(command);
    free(path);
}

/* Deltas have their own sizes. The indices of a subset are counted separately. */
static void test_layout_of_deltas_and_subsets(void **state)
{
    (void)state;
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
static void test_page(void **state)
{
    (void)state;
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
static void test_page_of_deltas(void **state)
{
    (void)state;
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
static void test_pages_of_all(void **state)
{
    (void)state;
    static const char *const files[] = {"schemas/all.pkt", "schemas/vec.pkt", "tests/emit/golden/choice.pkt",
                                        DIRECTORY "/ugly.pkt"};
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

/* ---- */

static void refresh(void)
{
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        char *path = text_format(DIRECTORY "/%s.pkt", samples[i]), *text = file_read(path), *made = formatted(text);
        char *expected_path = text_format(DIRECTORY "/%s.formatted", samples[i]);
        file_write(expected_path, made);
        free(expected_path);
        free(made);
        free(text);
        free(path);
    }
    process_result result = run(LAYOUT);
    file_write(DIRECTORY "/mygame.layout", result.out);
    process_free(&result);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--refresh") == 0) {
        set_up(NULL);
        refresh();
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_model, set_up),
        cmocka_unit_test_setup(test_layout_of_coded_fields, set_up),
        cmocka_unit_test_setup(test_samples, set_up),
        cmocka_unit_test_setup(test_every_schema, set_up),
        cmocka_unit_test_setup(test_comments_anywhere, set_up),
        cmocka_unit_test_setup(test_same_output, set_up),
        cmocka_unit_test_setup(test_schemas_are_formatted, set_up),
        cmocka_unit_test_setup(test_check_and_errors, set_up),
        cmocka_unit_test_setup(test_standard_input, set_up),
        cmocka_unit_test_setup(test_layout, set_up),
        cmocka_unit_test_setup(test_layout_over_budget, set_up),
        cmocka_unit_test_setup(test_layout_of_deltas_and_subsets, set_up),
        cmocka_unit_test_setup(test_page, set_up),
        cmocka_unit_test_setup(test_page_of_deltas, set_up),
        cmocka_unit_test_setup(test_pages_of_all, set_up),
    };
    return cmocka_run_group_tests_name("tools", tests, NULL, NULL) != 0;
}
