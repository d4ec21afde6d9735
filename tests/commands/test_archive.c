/* test_archive.c - tests pktc archive, and pktc diff --against.
 * SPDX-License-Identifier: MIT
 *
 * Every schema of the repository that has a protocol is archived. What is generated from the archived file must have
 * the same id and the same wire as what is generated from the schema.
 */
#include "process.h"
#define OWN_MAIN
#include "unit.h"

#include <string.h>
#include <unistd.h>

static const char *const folders[] = {"schemas",     "tests/roundtrip", "tests/emit/golden", "tests/bench/game",
                                      "tests/bench", "tests/codec",     "tests/fuzz",        "tests/cross"};
enum { FOLDERS = sizeof folders / sizeof folders[0] };

static char *scratch(const char *name)
{
    return text_format("%s/archive/%s", setting("SCRATCH"), name);
}

static int set_up(void **state)
{
    (void)state;
    char *directory = scratch("");
    process_result made = process_run("rm -rf '%s' && mkdir -p '%s'", directory, directory);
    int failed = made.status;
    process_free(&made);
    free(directory);
    return failed;
}

static void write_schema(const char *name, const char *text)
{
    char *path = scratch(name);
    file_write(path, text);
    free(path);
}

/* Runs pktc in the scratch directory. */
static process_result run(const char *arguments)
{
    char *directory = scratch("");
    process_result made =
        process_run("pktc=$(realpath %s) && cd '%s' && $pktc %s", setting("PKTC_SANITIZED"), directory, arguments);
    free(directory);
    return made;
}

/* What `pktc archive` says of the first release. */
#define UNSTABLE(protocol)                                                      \
    "pktc: warning: no packet of '" protocol                                    \
    "' is @stable: servers of later releases cannot read what its clients say " \
    "first\n"                                                                   \
    "      = help: docs/versions.md has an example\n"

static void expect(const char *arguments, int status, const char *out, const char *err)
{
    process_result made = run(arguments);
    if (made.status != status || strcmp(made.out, out) != 0 || strcmp(made.err, err) != 0)
        fail_msg("pktc %s: status %d, expected %d\n%s%sexpected:\n%s%s", arguments, made.status, status, made.out,
                 made.err, out, err);
    process_free(&made);
}

/* ---- all schemas */

static char *printed(const char *option, const char *path)
{
    process_result made = process_run("%s %s '%s' 2>/dev/null", setting("PKTC"), option, path);
    assert_int_equal(made.status, 0);
    char *text = text_format("%s", made.out);
    process_free(&made);
    return text;
}

static void check_same(const char *option, const char *original, const char *archived)
{
    char *before = printed(option, original), *after = printed(option, archived);
    if (strcmp(before, after) != 0)
        fail_msg("%s: %s differs in the archive", original, option);
    free(before);
    free(after);
}

/* No imports, and no comments but those that document. */
static void check_text(const char *archived)
{
    char *text = file_read(archived);
    assert_non_null(text);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        const char *comment = strstr(line, "//");
        if (strncmp(line, "import", 6) == 0 || strstr(line, "/*") || (comment && strncmp(comment, "///", 3) != 0))
            fail_msg("%s: %s", archived, line);
    }
    free(text);
}

static void check_schema(const char *path)
{
    char *directory = scratch("all");
    process_result made = process_run("%s archive '%s' '%s' 2>/dev/null", setting("PKTC_SANITIZED"), directory, path);
    if (made.status != 0)
        fail_msg("%s: cannot be archived", path);
    made.out[strcspn(made.out, "\n")] = '\0';
    check_text(made.out);
    check_same("--projection", path, made.out);
    check_same("--dump=wire", path, made.out);
    process_result again = process_run(
        "%s archive '%s' '%s' 2>/dev/null && %s fmt --check '%s' && %s --no-runtime --capture -o "
        "'%s/c' '%s' 2>/dev/null && rm -r '%s'",
        setting("PKTC"), directory, path, setting("PKTC"), made.out, setting("PKTC"), directory, made.out, directory);
    if (again.status != 0 || *again.out)
        fail_msg("%s: status %d\n%s%s", made.out, again.status, again.out, again.err);
    process_free(&again);
    process_free(&made);
    free(directory);
}

TEST(test_all_schemas)
{
    size_t checked = 0, models = 0;
    for (size_t i = 0; i < FOLDERS; i++) {
        size_t count;
        char **list = directory_list(folders[i], ".pkt", &count);
        for (size_t k = 0; k < count; k++) {
            char *path = text_format("%s/%s", folders[i], list[k]), *text = file_read(path);
            if (strncmp(text, "protocol ", 9) == 0 || strstr(text, "\nprotocol ")) {
                check_schema(path);
                checked++;
                models += strstr(text, "\nmodel \"") != NULL;
            }
            free(text);
            free(path);
        }
        directory_list_free(list);
    }
    assert_true(checked >= 25);
    assert_true(models >= 2);
}

/* ---- one archive */

#define FIRST "protocol g = 1;\npacket P { u8 x; }\n"
#define SECOND "protocol g = 1;\npacket P { u16 x; }\n"
#define THIRD "protocol g = 1;\npacket P { u32 x; }\n"

TEST(test_releases)
{
    write_schema("g.pkt", FIRST);
    expect("archive --check old g.pkt", 1, "old/g-001-5fd267687d239a41.pkt\n", UNSTABLE("g"));
    expect("archive old g.pkt", 0, "old/g-001-5fd267687d239a41.pkt\n", UNSTABLE("g"));
    expect("archive old g.pkt", 0, "", "");
    expect("archive --check old g.pkt", 0, "", "");
    write_schema("g.pkt", "// the same with other words\n" FIRST "const K = 5;\n");
    expect("archive old g.pkt", 0, "", "");
    write_schema("g.pkt", SECOND);
    expect("archive old g.pkt", 0, "old/g-002-d1aea4c43a97e5ad.pkt\n", "");
    write_schema("g.pkt", FIRST);
    expect("archive old g.pkt", 0, "", "");
    char *text = scratch("old/g-002-d1aea4c43a97e5ad.pkt"), *kept = file_read(text);
    assert_string_equal(kept, SECOND);
    free(kept);
    free(text);
}

/* Nothing is missing: the runtime has a handshake for packets with parts. */
TEST(test_without_advice)
{
    write_schema("w.pkt", "protocol w = 1;\nstruct S @delta { u8 x; }\n"
                          "packet P { u8 number; optional int<1, 31> back; S s delta(number from number - back); }\n");
    process_result made = run("archive old w.pkt");
    assert_int_equal(made.status, 0);
    assert_string_equal(made.err, "");
    process_free(&made);
}

/* The newest is the one with the greatest number, also beyond 999, and whatever the times of the files. */
TEST(test_newest)
{
    write_schema("g.pkt", FIRST);
    expect("archive old g.pkt", 0, "old/g-001-5fd267687d239a41.pkt\n", UNSTABLE("g"));
    write_schema("g.pkt", SECOND);
    expect("archive old g.pkt", 0, "old/g-002-d1aea4c43a97e5ad.pkt\n", "");
    process_result made = process_run("cd '%s/archive' && mv old/g-001-* old/g-1000-5fd267687d239a41.pkt && "
                                      "touch -d 2001-01-01 old/g-1000-* && cp old/g-002-* old/g-002-abc.pkt && "
                                      "cp old/g-002-* old/gg-3000-d1aea4c43a97e5ad.pkt 2>/dev/null; "
                                      "touch old/g-5000000000000-d1aea4c43a97e5ad.pkt old/g--d1aea4c43a97e5ad.pkt",
                                      setting("SCRATCH"));
    process_free(&made);
    expect("diff --against old g.pkt", 3,
           "old: old/g-1000-5fd267687d239a41.pkt: protocol g = 1, id 0x5fd267687d239a41\n"
           "new: g.pkt: protocol g = 1, id 0xd1aea4c43a97e5ad\n"
           "\n"
           "packet P: 9 bytes -> 10 bytes\n"
           "  x: wider: u8 -> u16 (8 -> 16 bits); kept\n"
           "\n"
           "verdict: new protocol id, every recording converts\n"
           "--serve: clients of the old version cannot be served:\n"
           "  P.x: holds less there: it was u8\n",
           "");
    write_schema("g.pkt", THIRD);
    expect("archive old g.pkt", 0, "old/g-1001-14d1feb32e5d959a.pkt\n", "");
}

/* Comments that document something stay where they are; others, and blank lines beside them, do not. */
TEST(test_documented)
{
    write_schema("g.pkt", "protocol g = 1;\n"
                          "/// All of it.\n"
                          "packet P {\n"
                          "    /// the speed\n"
                          "    /// in m/s\n"
                          "    u8 x;   // not this\n"
                          "\n"
                          "    u8 y;\n"
                          "    /// in metres\n"
                          "    u8 z;\n"
                          "}\n");
    expect("archive old g.pkt", 0, "old/g-001-2b4580d555fbb59a.pkt\n", UNSTABLE("g"));
    char *path = scratch("old/g-001-2b4580d555fbb59a.pkt"), *text = file_read(path);
    assert_string_equal(text, "protocol g = 1;\n"
                              "\n"
                              "/// All of it.\n"
                              "packet P {\n"
                              "    /// the speed\n"
                              "    /// in m/s\n"
                              "    u8 x;\n"
                              "    u8 y;\n"
                              "    /// in metres\n"
                              "    u8 z;\n"
                              "}\n");
    free(text);
    free(path);
}

/* The model is part of the text: what is not flat of it. */
TEST(test_model)
{
    static const char kept[] = "protocol g = 1;\n"
                               "packet P @delta { bits<2> x coded, y coded; }\n"
                               "\n"
                               "model {\n"
                               "    \"P changes 0.0: 1 2 3 3\",\n"
                               "    \"P.y 0: 2 2 1\",\n"
                               "}\n";
    write_schema("g.model", "# of all\nP.x 0: 1 2 2\nP changes 0.0: 1 2 3 3\nP.y 0: 2 2 1\n");
    write_schema("g.pkt", "protocol g = 1;\nmodel \"g.model\";\npacket P @delta { bits<2> x coded, y coded; }\n");
    expect("archive old g.pkt", 0, "old/g-001-fb3e877f36ca8f98.pkt\n", UNSTABLE("g"));
    char *path = scratch("old/g-001-fb3e877f36ca8f98.pkt"), *text = file_read(path);
    assert_string_equal(text, kept);
    free(text);
    free(path);
    expect("archive --check old old/g-001-fb3e877f36ca8f98.pkt", 0, "", "");
    write_schema("g.model", "P changes 0.0: 1 2 3 3\nP.x 0: 2 2 1\nP.y 0: 2 2 1\n");
    expect("diff --against old g.pkt", 3,
           "old: old/g-001-fb3e877f36ca8f98.pkt: protocol g = 1, id 0xfb3e877f36ca8f98\n"
           "new: g.pkt: protocol g = 1, id 0xd38b8afd10894548\n"
           "\n"
           "packet P: 9 bytes; deltas: 9 bytes\n"
           "  x: model: other codes; kept\n"
           "\n"
           "verdict: new protocol id, every recording converts\n"
           "--serve: clients of the old version can be served\n",
           "");
    write_schema("g.model", "");
    write_schema("flat.pkt", "protocol f = 1;\nmodel \"g.model\";\npacket P @delta { u8 x coded; }\n");
    expect("archive old flat.pkt", 0, "old/f-001-15c4d460a4e4b23a.pkt\n", UNSTABLE("f"));
    path = scratch("old/f-001-15c4d460a4e4b23a.pkt");
    text = file_read(path);
    assert_string_equal(text, "protocol f = 1;\npacket P @delta { u8 x coded; }\n");
    free(text);
    free(path);
    /* A flat table that says that masks in new elements have their own. */
    write_schema("g.model", "Way changes 0 new.0: 2 2 2 2\nWay changes 0.0: 2 2 2 2\n");
    write_schema(
        "flat.pkt",
        "protocol flat = 1;\nmodel \"g.model\";\nstruct Way @delta { bits<3> id; bits<3> side coded; bool left; }\n"
        "packet State @delta { Way ways[<=4] by id; }\n");
    expect("archive old flat.pkt", 0, "old/flat-001-78377fbe70570490.pkt\n", UNSTABLE("flat"));
    expect("archive --check old old/flat-001-78377fbe70570490.pkt", 0, "", "");
}

/* A release with and one without --no-checks are two, and each run compares with those of its own kind. */
TEST(test_checks)
{
    write_schema("g.pkt", FIRST);
    expect("archive --no-checks old g.pkt", 0, "old/g-001-2c683ed579586add.pkt\n", UNSTABLE("g"));
    expect("diff --against old g.pkt", 1, "",
           "pktc: error: there is no release of protocol 'g' with checks in 'old'\n"
           "      = help: `pktc archive old g.pkt` keeps the first one\n");
    expect("archive old g.pkt", 0, "old/g-002-5fd267687d239a41.pkt\n", "");
    process_result made = run("diff --no-checks --against old g.pkt");
    assert_int_equal(made.status, 0);
    assert_non_null(strstr(made.out, "old: old/g-001-"));
    process_free(&made);
    made = run("diff --against old - <g.pkt");
    assert_int_equal(made.status, 0);
    assert_non_null(strstr(made.out, "old: old/g-002-"));
    process_free(&made);
}

TEST(test_errors)
{
    write_schema("g.pkt", FIRST);
    write_schema("h.pkt", SECOND);
    write_schema("lib.pkt", "struct L { half x; }\n");
    write_schema("other.pkt", "protocol o = 1; import \"lib.pkt\"; struct half { u8 x; } packet P { L l; }\n");
    write_schema("broken.pkt", "protocol b = 1; packet P { u8 }\n");
    expect("archive old lib.pkt", 1, "", "pktc: error: 'lib.pkt' declares no protocol, so it has no releases\n");
    expect("archive old other.pkt", 1, "",
           "pktc: error: 'other.pkt' cannot be one file with its imports: a name would mean something else\n");
    expect("archive old g.pkt h.pkt", 1, "",
           UNSTABLE("g") "pktc: error: 'h.pkt' is not the only schema of protocol 'g' here: archive one at a time\n");
    expect("archive g.pkt h.pkt", 2, "",
           "pktc: archive needs the directory first, and 'g.pkt' is a .pkt file; try 'pktc help archive'\n");
    write_schema("file", "");
    expect("archive file h.pkt", 1, "",
           UNSTABLE("g") "pktc: error: cannot write 'file/g-001-d1aea4c43a97e5ad.pkt': Not a directory\n");
    expect("archive old broken.pkt", 1, "",
           "broken.pkt:1:31: error: expected a name after 'u8', found '}'\n"
           "    1 | protocol b = 1; packet P { u8 }\n"
           "      |                               ^\n");
    expect("diff --against old g.pkt", 1, "",
           "pktc: error: there is no release of protocol 'g' in 'old'\n"
           "      = help: `pktc archive old g.pkt` keeps the first one\n");
    expect("diff --against old lib.pkt", 1, "",
           "pktc: error: 'lib.pkt' declares no protocol, so an archive cannot have it\n");
    expect("archive old g.pkt", 0, "old/g-001-5fd267687d239a41.pkt\n", UNSTABLE("g"));
    write_schema("old/g-001-5fd267687d239a41.pkt", THIRD);
    static const char changed[] = "pktc: error: 'old/g-001-5fd267687d239a41.pkt' was changed after it was archived: "
                                  "its id is 0x14d1feb32e5d959a now\n"
                                  "      = help: take it from your version control as it was\n";
    expect("archive old g.pkt", 1, "", changed);
    expect("diff --against old g.pkt", 1, "", changed);
    write_schema("old/g-1-d1aea4c43a97e5ad.pkt", SECOND);
    static const char twice[] =
        "pktc: error: two releases have the number 1: 'old/g-001-5fd267687d239a41.pkt' and "
        "'old/g-1-d1aea4c43a97e5ad.pkt'\n"
        "      = help: rename the one that was released later, so that it has a greater number than all others\n";
    expect("archive old h.pkt", 1, "", twice);
    expect("diff --against old h.pkt", 1, "", twice);
}

TEST(test_no_number)
{
    write_schema("g.pkt", FIRST);
    expect("archive old g.pkt", 0, "old/g-001-5fd267687d239a41.pkt\n", UNSTABLE("g"));
    write_schema("old/g-999999999-d1aea4c43a97e5ad.pkt", SECOND);
    write_schema("g.pkt", THIRD);
    expect("archive old g.pkt", 1, "", "pktc: error: 'old' has no number left for a release\n");
}

int main(void)
{
    return run_all(set_up);
}

/* What programs of different releases say to each other is kept as it was. */
TEST(test_stable)
{
    static const char changed[] =
        "g.pkt:1:10: error: the @stable packet 'Hello' is not as in 'old/g-001-23543652394485c0.pkt'\n"
        "    1 | protocol g = 2;\n"
        "      |          ^\n";
    write_schema("g.pkt", "protocol g = 1;\npacket Hello @stable(0x5f56065e0aad27bf) { u8 x; }\npacket P { u8 x; }\n");
    expect("archive old g.pkt", 0, "old/g-001-23543652394485c0.pkt\n", "");
    write_schema("g.pkt", "protocol g = 2;\npacket Hello { u8 x; }\npacket P { u8 x; }\n");
    expect("archive old g.pkt", 1, "", changed);
    expect("diff --against old g.pkt", 7,
           "old: old/g-001-23543652394485c0.pkt: protocol g = 1, id 0x23543652394485c0\n"
           "new: g.pkt: protocol g = 2, id 0xec020f348757ef7a\n"
           "\n"
           "protocol g\n"
           "  version: 1 -> 2\n"
           "\n"
           "same: packet Hello, packet P\n"
           "\n"
           "verdict: @stable PACKET 'Hello' HAS CHANGED: each version refuses that of the other one\n",
           "");
    write_schema("g.pkt", "protocol g = 2;\npacket P { u8 x; }\n");
    expect("archive old g.pkt", 1, "", changed);
    write_schema("g.pkt", "protocol g = 2;\npacket P { u16 x; }\npacket Hello @stable(0x5f56065e0aad27bf) { u8 x; }\n");
    expect("archive old g.pkt", 0, "old/g-002-74f624533857b9c1.pkt\n", "");
}
