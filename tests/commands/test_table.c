/* test_table.c - tests `pktc table`: its files, messages and exit statuses. tests/tables compares what is in the files.
 * SPDX-License-Identifier: MIT
 */
#include "commands/record.h"

#include <signal.h>
#include <sys/wait.h>

#define STREAM "--stream 'Update=Head, State delta(Head.number from Head.number - Head.back)'"

static void record_match(const char *name, unsigned pings)
{
    file_write("game.pkt", SCHEMA);
    record r = record_open(1);
    for (unsigned i = 0; i < pings; i++) {
        char *json = text_format("{\"n\": %u}", i);
        record_add(&r, 2, PKT_SENT, "", "Ping", json);
        free(json);
    }
    record_add(&r, 3, PKT_RECEIVED, "--frame Update", "Head, State",
               "[{\"Head\": {\"number\": 1}}, {\"State\": {\"a\": 1}}]");
    assert_int_equal(fclose(r.file), 0);
    if (strcmp(name, "match.pcapng") != 0)
        assert_int_equal(rename("match.pcapng", name), 0);
}

/* The files below a folder, in order. */
static char *files_in(const char *folder)
{
    process_result found = process_run("cd %s && find . -type f | LC_ALL=C sort | cut -c 3-", folder);
    free(found.err);
    return found.out;
}

static void has_files(const char *folder, const char *wanted)
{
    char *files = files_in(folder);
    assert_string_equal(files, wanted);
    free(files);
}

static void same_folders(const char *one, const char *other)
{
    process_result r = process_run("diff -r %s %s", one, other);
    assert_string_equal(r.out, "");
    assert_int_equal(r.status, 0);
    process_free(&r);
}

TEST(test_files)
{
    record_match("match.pcapng", 3);
    process_result r = run_for(0, "table -o out " STREAM " match.pcapng");
    assert_string_equal(r.out, "           4  datagrams\n"
                               "           1  game/Head\n"
                               "           0  game/State\n"
                               "           3  game/Ping\n");
    process_free(&r);
    has_files("out", "datagrams/match.pcapng.parquet\n"
                     "game/Head/match.pcapng.parquet\n"
                     "game/Ping/match.pcapng.parquet\n"
                     "game/State/empty.parquet\n");
    /* What is not there any more is removed; and again, all bytes are the same. */
    run_shell("cp -r out before");
    run_shell("cp out/game/Ping/match.pcapng.parquet out/game/State; cp out/game/Ping/match.pcapng.parquet "
              "out/game/Ping/match.pcapng-2.parquet");
    process_result again = run_for(0, "table -o out " STREAM " match.pcapng");
    process_free(&again);
    same_folders("out", "before");
}

TEST(test_several)
{
    assert_int_equal(mkdir("night", 0777), 0);
    for (unsigned i = 1; i <= 5; i++) {
        char *name = text_format("night/match%u.pcapng", i);
        record_match(name, 2 * i);
        free(name);
    }
    process_result r = run_for(0, "table -o one night/*.pcapng");
    process_result j = run_for(0, "table -j 3 -o three night/*.pcapng");
    assert_string_equal(j.out, r.out);
    assert_string_equal(j.err, r.err);
    assert_contains(r.out, "          35  datagrams\n");
    process_free(&r);
    process_free(&j);
    same_folders("one", "three");
    has_files("one/game/Ping", "night-match1.pcapng.parquet\nnight-match2.pcapng.parquet\nnight-match3.pcapng.parquet\n"
                               "night-match4.pcapng.parquet\nnight-match5.pcapng.parquet\n");
    /* One after the other, in place of all at once. */
    for (unsigned i = 1; i <= 5; i++) {
        char *command = text_format("table -o each night/match%u.pcapng", i);
        process_result each = run_for(0, command);
        process_free(&each);
        free(command);
    }
    same_folders("one", "each");
}

TEST(test_standard_input)
{
    record_match("match.pcapng", 1);
    run_shell("mkdir -p .hidden/_x && cp match.pcapng .hidden/_x/m.pcapng");
    process_result r = process_run("%s table -o out - .hidden/_x/m.pcapng < match.pcapng", pktc);
    assert_int_equal(r.status, 0);
    process_free(&r);
    has_files("out/game", "Ping/hidden-_x-m.pcapng.parquet\nPing/standard-input.parquet\n");
}

/* ---- what is damaged */

TEST(test_damaged)
{
    record_match("one.pcapng", 4);
    record_match("two.pcapng", 4);
    record_match("three.pcapng", 4);
    run_shell("truncate -s -40 two.pcapng; head -c 20 three.pcapng >cut.pcapng; echo none >none.pcapng");
    process_result r = run_for(3, "table -j 2 -o out one.pcapng two.pcapng gone.pcapng none.pcapng three.pcapng");
    assert_contains(r.err, "warning: 'two.pcapng' ends after packet 4: ");
    assert_contains(r.err, "warning: cannot read 'gone.pcapng': No such file or directory");
    assert_contains(r.err, "warning: 'none.pcapng' is not a recording");
    assert_contains(r.out, "          14  datagrams\n");
    process_free(&r);
    /* What comes before the damage is there, as for decode and report. */
    r = run_for(0, "table -o out two.pcapng");
    assert_contains(r.err, "warning: 'two.pcapng' ends after packet 4: ");
    process_free(&r);
    has_files("out/game/Ping", "one.pcapng.parquet\nthree.pcapng.parquet\ntwo.pcapng.parquet\n");
    fails_with("cannot read 'gone.pcapng'", "table -o out game.pkt gone.pcapng");
}

TEST(test_same_names)
{
    record_match("match.pcapng", 1);
    run_shell("mkdir -p a/b && cp match.pcapng a/b/c && cp match.pcapng a/b-c && cp match.pcapng a-b-c");
    fails_saying("pktc: error: 'a/b/c' and 'a/b-c' would have the same files, a-b-c.parquet\n",
                 "table -o out a/b/c a/b-c");
    fails_saying("pktc: error: 'a-b-c' and 'a-b-c' would have the same files, a-b-c.parquet\n",
                 "table -o out a-b-c a-b-c");
    assert_false(exists("out"));
}

TEST(test_cannot_write)
{
    record_match("match.pcapng", 1);
    file_write("out", "");
    process_result r = run_for(1, "table -o out match.pcapng");
    assert_contains(r.err, "error: cannot write 'out/");
    process_free(&r);
    run_shell("mkdir -p full/game full/datagrams && mkdir full/game/Ping && mkdir full/game/Ping/match.pcapng.parquet");
    r = run_for(1, "table -o full match.pcapng");
    assert_contains(r.err, "error: cannot write 'full/game/Ping/match.pcapng.parquet': ");
    process_free(&r);
    char *files = files_in("full");
    assert_null(strstr(files, "pktc-"));
    free(files);
}

/* A signal leaves no part of a file. */
TEST(test_interrupted)
{
    record_match("match.pcapng", 1);
    run_shell("mkfifo pipe");
    const pid_t child = fork();
    if (child == 0) {
        char *command = text_format("exec %s table -o out pipe >said 2>&1", pktc);
        (void)execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    FILE *to = fopen("pipe", "wb");
    size_t size;
    uint8_t *bytes = bytes_of("cat match.pcapng", &size);
    assert_int_equal(fwrite(bytes, 1, size - 8, to), size - 8);
    assert_int_equal(fflush(to), 0);
    run_shell("sleep 0.3");
    assert_int_equal(kill(child, SIGTERM), 0);
    assert_int_equal(fclose(to), 0);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    char *files = files_in("out 2>/dev/null");
    assert_string_equal(files, "");
    free(files);
    free(bytes);
}

/* ---- releases, and types with very many columns */

#define OLD_GAME "protocol game = 1;\npacket Ping { u8 n; }\n" HEADS("State")
#define NEW_GAME "protocol game = 2;\npacket Ping { u16 n; u8 more; }\n" HEADS("Body was \"State\"")
#define HEADS(state) "struct Head { u16 number; optional u16 back; }\nstruct " state " @delta { u8 a; u8 b; }\n"

static const char *const old_game[] = {OLD_GAME, NULL};
static const char *const new_game[] = {NEW_GAME, NULL};

static void add_update(record *r, uint8_t host, const char *state)
{
    char *types = text_format("Head, %s", state);
    char *json = text_format("[{\"Head\": {\"number\": 1}}, {\"%s\": {\"a\": 1}}]", state);
    record_add(r, host, PKT_SENT, "--frame Update --seed 77", types, json);
    free(types);
    free(json);
}

/* A recording with the schemas of the releases whose bits are set. Each has a Ping and two Updates, whose crc tells nothing without the
 * seed; the first one of a recording with both comes after the Ping. */
static void record_releases(const char *name, unsigned releases)
{
    const char *const *texts[2];
    size_t count = 0;
    if (releases & 1)
        texts[count++] = old_game;
    if (releases & 2)
        texts[count++] = new_game;
    record r = record_open_with(texts, count);
    for (unsigned release = 1; release <= 2; release++) {
        if (!(releases & release))
            continue;
        file_write("game.pkt", release == 1 ? OLD_GAME : NEW_GAME);
        if (releases != 3)
            add_update(&r, 1 + release, release == 1 ? "State" : "Body");
        record_add(&r, 1 + release, PKT_SENT, "", "Ping", release == 1 ? "{\"n\": 7}" : "{\"n\": 700}");
        add_update(&r, 1 + release, release == 1 ? "State" : "Body");
    }
    assert_int_equal(fclose(r.file), 0);
    if (strcmp(name, "match.pcapng") != 0)
        assert_int_equal(rename("match.pcapng", name), 0);
}

/* Each release has files of its own, and the names of files depend on nothing but the recording's: what was written earlier goes. */
TEST(test_releases)
{
    record_releases("match.pcapng", 3);
    process_result result = run_for(0, "table -o out match.pcapng");
    assert_contains(result.out, "           2  game/Ping\n");
    assert_null(strstr(result.out, "           1  game/Ping\n"));
    process_free(&result);
    has_files("out", "datagrams/match.pcapng.parquet\n"
                     "game/Ping/match.pcapng-2.parquet\ngame/Ping/match.pcapng.parquet\n");
    record_releases("match.pcapng", 2);
    result = run_for(0, "table -o out match.pcapng");
    process_free(&result);
    has_files("out", "datagrams/match.pcapng.parquet\ngame/Ping/match.pcapng.parquet\n");
}

/* Whether a Parquet file has a column is known by its name at the end of the file. */
static bool has_column(const char *path, const char *name)
{
    process_result r = process_run("tail -c 600 %s | grep -c -a -w %s", path, name);
    const bool has = r.status == 0;
    process_free(&r);
    return has;
}

/* Recordings of several releases: each is read with the schemas in it, and a stream may be named as in any of them. */
TEST(test_recordings_of_releases)
{
    static const char *const lists[] = {"Head, State", "Head, Body"};
    record_releases("old.pcapng", 1);
    record_releases("new.pcapng", 2);
    record_releases("both.pcapng", 3);
    for (size_t i = 0; i < 2; i++) {
        char *all = text_format("table -o all --stream 'Update=%s' old.pcapng new.pcapng both.pcapng", lists[i]);
        char *three =
            text_format("table -j 3 -o three --stream 'Update=%s' old.pcapng new.pcapng both.pcapng", lists[i]);
        process_result r = run_for(0, all), j = run_for(0, three);
        assert_string_equal(r.err, "");
        assert_contains(r.out, "          10  datagrams\n");
        assert_contains(r.out, "           6  game/Head\n");
        assert_contains(r.out, "           3  game/State\n");
        assert_contains(r.out, "           3  game/Body\n");
        assert_contains(r.out, "           4  game/Ping\n");
        assert_string_equal(r.out, j.out);
        same_folders("all", "three");
        process_free(&r);
        process_free(&j);
        free(all);
        free(three);
        has_files("all/game/Ping",
                  "both.pcapng-2.parquet\nboth.pcapng.parquet\nnew.pcapng.parquet\nold.pcapng.parquet\n");
        has_files("all/game/Body", "both.pcapng.parquet\nnew.pcapng.parquet\n");
        has_files("all/game/State", "both.pcapng.parquet\nold.pcapng.parquet\n");
        assert_true(has_column("all/game/Ping/new.pcapng.parquet", "more"));
        assert_true(!has_column("all/game/Ping/old.pcapng.parquet", "more"));
    }
}

/* A table that no release has rows of has an empty file for each. */
TEST(test_empty_releases)
{
    static const char *const *const texts[] = {old_game, new_game};
    record r = record_open_with(texts, 2);
    assert_int_equal(fclose(r.file), 0);
    process_result result = run_for(0, "table -o out match.pcapng");
    process_free(&result);
    has_files("out", "datagrams/empty.parquet\ngame/Ping/empty-2.parquet\ngame/Ping/empty.parquet\n");
    record_releases("match.pcapng", 3);
    result = run_for(0, "table -o out match.pcapng");
    process_free(&result);
    has_files("out/game", "Ping/match.pcapng-2.parquet\nPing/match.pcapng.parquet\n");
}

TEST(test_too_many_columns)
{
    char *text = text_format("protocol game = 1;\nstruct S0 { u8 a; }\n");
    for (int i = 1; i < 30; i++) {
        char *longer = text_format("%sstruct S%d { bool b; if (b) { S%d x, y; } }\n", text, i, i - 1);
        free(text);
        text = longer;
    }
    char *whole = text_format("%spacket P { S29 s; }\n", text);
    file_write("game.pkt", whole);
    record r = record_open(0);
    record_add(&r, 2, PKT_SENT, "", "P", "{}");
    assert_int_equal(fclose(r.file), 0);
    fails_with("the tables of 'P' have too many columns, with all types in types",
               "table -o out game.pkt match.pcapng");
    assert_false(exists("out"));
    free(whole);
    free(text);
}

/* ---- the command line */

TEST(test_command_line)
{
    record_match("match.pcapng", 1);
    run_silently("tally -o a.tally match.pcapng");
    static const struct {
        const char *arguments, *error;
    } wrong[] = {
        {"table match.pcapng",
         "pktc: table needs -o DIR: it writes a folder of files for each table; try 'pktc help table'\n"},
        {"table -o out a.tally", "pktc: 'a.tally' is a tally, which has counts and no values; try 'pktc help table'\n"},
        {"table -o out", "pktc: table needs a recording; try 'pktc help table'\n"},
        {"table -o out match.pcapng game.pkt",
         "pktc: 'game.pkt' comes after a recording: schemas come first; try 'pktc help table'\n"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        process_result r = run_for(2, wrong[i].arguments);
        assert_string_equal(r.err, wrong[i].error);
        process_free(&r);
    }
    assert_false(exists("out"));
}

int main(void)
{
    cli_begin("table");
    return cli_end(run_all(set_up));
}
