/* test_fmt.c - tests pktc fmt.
 * SPDX-License-Identifier: MIT
 *
 * NAME.pkt in this directory is formatted as NAME.formatted, byte for byte. `test_fmt --refresh` rewrites these files.
 * Read what has changed.
 */
#define TOOL "fmt"
#include "commands/tools.h"
#include "process.h"

#include <unistd.h>

#define DIRECTORY "tests/commands"

static const char *const samples[] = {"ugly", "crlf"};
enum { SAMPLE_COUNT = sizeof samples / sizeof samples[0], VARIANTS = 60 };

static const char *working_directory(void)
{
    static char path[4096];
    assert_non_null(getcwd(path, sizeof path));
    return path;
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
    return text_format("%s/" TOOL "/%s/%04zu.pkt", setting("SCRATCH"), directory, i);
}

static process_result run_batch(const char *command, const char *directory)
{
    return process_run("cd '%s/" TOOL "/%s' && %s/%s %s *.pkt", setting("SCRATCH"), directory, working_directory(),
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
    process_result made =
        process_run("cd '%s/" TOOL "' && rm -rf before after && mkdir before after", setting("SCRATCH"));
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

/* ---- */

TEST(test_samples)
{
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

TEST(test_every_schema)
{
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
TEST(test_comments_anywhere)
{
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

TEST(test_same_output)
{
    process_result result = process_run(
        "set -e; pktc=$PWD/%s; dir=%s/" TOOL "; mkdir $dir/in; cp schemas/*.pkt tests/commands/*.pkt $dir/in; cd $dir;"
        " for file in in/*.pkt; do $pktc -o before $file; done; $pktc fmt in/*.pkt;"
        " for file in in/*.pkt; do $pktc -o after $file; done; diff -r before after; $pktc fmt --check in/*.pkt",
        setting("PKTC"), setting("SCRATCH"));
    assert_string_equal(result.err, "");
    assert_string_equal(result.out, "");
    assert_int_equal(result.status, 0);
    process_free(&result);
}

TEST(test_schemas_are_formatted)
{
    char *out = output_of(0, "fmt --check schemas/*.pkt schemas/example/*.pkt");
    assert_string_equal(out, "");
    free(out);
}

TEST(test_check_and_errors)
{
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

TEST(test_standard_input)
{
    static const struct {
        const char *text, *arguments;
        int status;
        const char *out, *err;
    } cases[] = {
        {"struct A {u8 a;}\n", "fmt -", 0, "struct A { u8 a; }\n", ""},
        {"struct A { u8 a; }\n", "fmt -", 0, "struct A { u8 a; }\n", ""},
        {"struct A {u8 a;}\n", "fmt --check -", 1, "-\n",
         "<stdin>:1:1: warning: not as fmt writes it: blanks or a line break\n    1 | struct A {u8 a;}\n"},
        {"struct A {\n  u8 a;\n}\n", "fmt --check -", 1, "-\n",
         "<stdin>:2:1: warning: not as fmt writes it: indentation\n"},
        {"struct A { u8 a; } \n", "fmt --check -", 1, "-\n",
         "warning: not as fmt writes it: blanks at the end of a line\n"},
        {"struct A {\n\n    u8 a;\n}\n", "fmt --check -", 1, "-\n",
         "<stdin>:2:1: warning: not as fmt writes it: a blank line\n"},
        {"struct A {\n  u8 a;\n    u8 b;\n}\nstruct B {u8 a;}\n", "fmt --diff -", 1,
         "--- -\n+++ -\n@@ -2,1 +2,1 @@\n-  u8 a;\n+    u8 a;\n@@ -5,1 +5,2 @@\n-struct B {u8 a;}\n+\n+struct B { u8 a; }\n",
         ""},
        {"struct A { u8 a; }\n", "fmt --diff -", 0, "", ""},
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
TEST(test_model)
{
    char *path = scratch_path("model.pkt"), *command = text_format("fmt '%s'", path);
    file_write(path, "protocol p=1 ;model   \"p.model\"  ;   // learned\n");
    free(output_of(0, command));
    char *made = file_read(path);
    assert_string_equal(made, "protocol p = 1;\nmodel \"p.model\";                // learned\n");
    free(made);
    free(command);
    free(path);
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
}

int main(int argc, char **argv)
{
    return run_or_refresh(argc, argv, refresh);
}
