/* test_faults.c - tests which files remain if pktc cannot write, is killed, or runs twice at the same time.
 * SPDX-License-Identifier: MIT
 *
 * Each test works in its own empty directory. old/ and new/ have the same schemas with different contents, as-old/ and
 * as-new/ the code generated from them, and out/ a copy of as-old/. Whatever happens, each file of out/ must be that of
 * as-old/ or that of as-new/; if pktc fails, that of as-old/.
 */
#include "process.h"
#define OWN_MAIN
#include "unit.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SCHEMAS = 8, KILLS = 250 };

static char *scratch;

static void run_shell(const char *command)
{
    process_result result = process_run("%s", command);
    if (result.status != 0)
        (void)fprintf(stderr, "%s%s\nof: %s\n", result.out, result.err, command);
    assert_int_equal(result.status, 0);
    process_free(&result);
}

/* Runs a command line that must fail with this status and message. */
static void fails_with(int status, const char *message, const char *command)
{
    process_result result = process_run("%s", command);
    if (result.status != status || !strstr(result.err, message))
        print_error("%s: status %d\n%s%s", command, result.status, result.out, result.err);
    assert_int_equal(result.status, status);
    assert_non_null(strstr(result.err, message));
    process_free(&result);
}

static int set_up(void **state)
{
    (void)state;
    char *command = text_format("chmod -R u+w '%s' 2>/dev/null; rm -rf '%s' && mkdir -p '%s/old' '%s/new'", scratch,
                                scratch, scratch, scratch);
    process_result result = process_run("%s", command);
    int failed = result.status != 0 || chdir(scratch) != 0;
    process_free(&result);
    free(command);
    for (int i = 0; i < SCHEMAS && !failed; i++) {
        for (int k = 0; k < 2; k++) {
            char *path = text_format("%s/game%d.pkt", k == 0 ? "old" : "new", i);
            /* Each takes longer than the one before. */
            char *text = text_format("protocol game%d = %d;\n\n/// %0*d\npacket Ping%d {\n    u8 of_%s;\n}\n", i, k + 1,
                                     i * 1000 + 1, 0, i, k == 0 ? "old" : "new");
            file_write(path, text);
            free(text);
            free(path);
        }
    }
    if (!failed)
        run_shell("\"$PKTC\" --no-runtime -o as-old old/*.pkt && \"$PKTC\" --no-runtime -o as-new new/*.pkt && "
                  "cp -r as-old out");
    return failed;
}

/* ---- the files in out/ */

static bool same_file(const char *directory, const char *name, const char *text)
{
    char *path = text_format("%s/%s", directory, name), *other = file_read(path);
    bool same = text && other && strcmp(text, other) == 0;
    free(other);
    free(path);
    return same;
}

/* The number of new files in out/; the others must be old. All must be complete. */
static size_t count_new(void)
{
    size_t count, new_files = 0;
    char **list = directory_list("as-old", "", &count);
    for (size_t i = 0; i < count; i++) {
        char *path = text_format("out/%s", list[i]), *text = file_read(path);
        if (same_file("as-new", list[i], text))
            new_files++;
        else if (!same_file("as-old", list[i], text))
            fail_msg("%s is neither the old file nor the new one", path);
        free(text);
        free(path);
    }
    directory_list_free(list);
    return new_files;
}

/* out/ must have the old files, and no others. */
static void assert_untouched(void)
{
    run_shell("diff -r as-old out");
}

/* ---- writing fails */

/* Runs commands in a file system of their own, which the command `mount` mounts, and which disappears with them. */
static void run_mounted(const char *mount, const char *commands)
{
    char *trial = text_format("mkdir -p disk && unshare -rm sh -c '%s'", mount);
    process_result possible = process_run("%s", trial);
    if (possible.status != 0) {
        print_message("no mounts here: %s", possible.err);
        skip();
    }
    process_free(&possible);
    free(trial);
    char *command = text_format("unshare -rm sh -ec '%s\n%s'", mount, commands);
    run_shell(command);
    free(command);
}

TEST(test_a_full_disk)
{
    run_mounted("mount -t tmpfs -o size=512k none disk",
                "cp -r as-old disk/out\n"
                "printf \"protocol   game0=1;packet Ping{u8 n;}\" > disk/game.pkt && cp disk/game.pkt before.pkt\n"
                "mkdir link && mv disk/out/game3.h disk/there && ln -s ../there disk/out/game3.h\n"
                "ln -s \"$PWD/disk/elsewhere\" link/game0.h\n"
                "dd if=/dev/zero of=disk/some bs=1k count=12 2>/dev/null\n"
                "fill() { dd if=/dev/zero of=disk/$1 bs=1k 2>/dev/null || true; }\n"
                "fails() { if \"$PKTC\" \"$@\" 2> error; then exit 1; else test $? = 1; fi\n"
                "          grep -q \"No space left on device\" error || { cat error; exit 1; }; }\n"
                "fill rest && rm disk/some && fails --no-runtime -o disk/out new/*.pkt && "
                "test -z \"$(find disk -name \".pktc*\")\"\n"
                "fill some && fails --no-runtime -o disk/out new/*.pkt\n"
                "fails --runtime -o disk/out old/*.pkt\n"
                "fails --no-runtime -o link new/*.pkt\n"
                "fails fmt disk/game.pkt\n"
                "fails --no-runtime -o none --depfile disk/dep new/*.pkt\n"
                "diff -r as-old disk/out && test -L disk/out/game3.h && cmp disk/game.pkt before.pkt\n"
                "test ! -e disk/elsewhere && test ! -e disk/dep && test ! -e none/game0.h\n"
                "test -z \"$(find disk link -name \".pktc*\")\"\n"
                "rm disk/rest && \"$PKTC\" --no-runtime -o disk/out new/*.pkt && diff -r as-new disk/out && "
                "test -L disk/out/game3.h");
}

TEST(test_a_read_only_disk)
{
    run_mounted(
        "mount --bind out disk && mount -o remount,ro,bind disk",
        "if \"$PKTC\" --no-runtime -o disk new/*.pkt 2> error; then exit 1; else test $? = 1; fi\n"
        "grep -qi \"read-only\" error\n"
        "\"$PKTC\" --no-runtime -o disk old/*.pkt\n"
        "if \"$PKTC\" --check --no-runtime -o disk new/*.pkt > named; then exit 1; fi; grep -q disk/game0.h named");
    assert_untouched();
}

TEST(test_a_read_only_directory)
{
    if (geteuid() == 0)
        skip();
    run_shell("chmod 555 out");
    fails_with(1, "Permission denied", "\"$PKTC\" --no-runtime -o out new/*.pkt");
    run_shell("\"$PKTC\" --no-runtime -o out old/*.pkt && chmod 755 out");
    assert_untouched();
}

TEST(test_links)
{
    run_shell("rm out/game0.h && ln -s game0.h out/game0.h");
    fails_with(1, "Too many levels of symbolic links", "\"$PKTC\" --no-runtime -o out new/*.pkt");
    /* A pipe, not a device: if pktc is wrong and the tests run as root, it would delete the device. */
    run_shell("rm out/game0.h && mkfifo pipe && ln -s ../pipe out/game0.h");
    fails_with(1, "it is not a regular file", "timeout 10 \"$PKTC\" --no-runtime -o out new/*.pkt");
    run_shell("rm out/game0.h && ln -s ../missing/game0.h out/game0.h");
    fails_with(1, "No such file or directory", "\"$PKTC\" --no-runtime -o out new/*.pkt");
    run_shell("rm out/game0.h && cp as-old/game0.h out");
    assert_untouched();
    run_shell("mv out real && ln -s real out && \"$PKTC\" --no-runtime -o out new/*.pkt && test -L out && "
              "diff -r as-new real");
}

/* ---- killed */

/* While it writes a file: a limit for the size of files kills it, at each file in turn. */
TEST(test_killed_while_writing)
{
    int killed = 0, done = 0;
    for (int blocks = 1; blocks < 64 && !done; blocks++) {
        process_result result =
            process_run("ulimit -c 0; ulimit -f %d; exec \"$PKTC\" --no-runtime -o out new/*.pkt", blocks);
        if (result.status == 0) {
            done++;
        } else {
            assert_true(result.status > 128);
            assert_int_equal(count_new(), 0);
            killed++;
        }
        process_free(&result);
    }
    assert_int_equal(done, 1);
    assert_true(killed > 2);
    /* The temporary file that remains does not have the name of an output, and the next run ignores it. */
    run_shell("test -n \"$(find out -name '.pktc-*')\" && rm out/.pktc-* && diff -r as-new out");
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static pid_t start(const char *directory)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        char *line = text_format("exec \"$PKTC\" --no-runtime -o out %s/*.pkt", directory);
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
    return child;
}

static int wait_for(pid_t child)
{
    int status;
    assert_true(waitpid(child, &status, 0) == child);
    return status;
}

/* At any time, also between two files. */
TEST(test_killed_at_any_moment)
{
    double begin = seconds_now(), whole;
    assert_int_equal(wait_for(start("new")), 0);
    whole = seconds_now() - begin;
    int killed = 0;
    for (int i = 0; i < KILLS; i++) {
        double nap = whole * (i % 50 + 1) / 40;
        struct timespec until = {.tv_sec = (time_t)nap, .tv_nsec = (long)((nap - (double)(time_t)nap) * 1e9)};
        pid_t child = start(i % 2 == 0 ? "old" : "new");
        nanosleep(&until, NULL);
        kill(child, SIGKILL);
        killed += WIFSIGNALED(wait_for(child));
        (void)count_new();
    }
    assert_true(killed > 0);
    run_shell("\"$PKTC\" --no-runtime -o out old/*.pkt && rm -f out/.pktc-* && diff -r as-old out");
}

/* A temporary file of an earlier process with the same id is not changed, and not followed if it is a link. */
TEST(test_what_was_left)
{
    run_shell("echo mine > victim && sh -c 'echo left > out/.pktc-$$-0 && ln -s ../victim out/.pktc-$$-1 && "
              "mkdir out/.pktc-$$-2 &&"
              " exec \"$PKTC\" --no-runtime -o out new/*.pkt'");
    run_shell("test \"$(cat victim)\" = mine && test \"$(cat out/.pktc-*-0)\" = left && test -L out/.pktc-*-1 &&"
              " rm -r out/.pktc-* && diff -r as-new out");
}

/* ---- two runs at once */

static bool has_ended(pid_t child, int *status)
{
    return waitpid(child, status, WNOHANG) == child;
}

TEST(test_two_at_once)
{
    pid_t child[2];
    int status[2] = {0, 0};
    bool ended[2] = {false, false};
    for (int i = 0; i < 2; i++) {
        child[i] = fork();
        assert_true(child[i] >= 0);
        if (child[i] == 0) {
            const char *line =
                i == 0 ? "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do \"$PKTC\" --no-runtime -o out old/*.pkt || "
                         "exit 1; done"
                       : "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do \"$PKTC\" --no-runtime -o out new/*.pkt || "
                         "exit 1; done";
            execl("/bin/sh", "sh", "-c", line, (char *)NULL);
            _exit(127);
        }
    }
    while (!ended[0] || !ended[1]) {
        for (int i = 0; i < 2; i++)
            ended[i] = ended[i] || has_ended(child[i], &status[i]);
        (void)count_new();
    }
    assert_int_equal(status[0], 0);
    assert_int_equal(status[1], 0);
    run_shell("test -z \"$(find out -name '.pktc*')\"");
}

/* Into directories that do not exist yet. */
TEST(test_two_make_directories)
{
    run_shell(
        "for i in 1 2 3 4 5 6 7 8 9 10; do rm -rf made; "
        "\"$PKTC\" --no-runtime -o made/by/both old/*.pkt & \"$PKTC\" --no-runtime -o made/by/both old/*.pkt || exit 1;"
        " wait $! || exit 1; diff -r as-old made/by/both || exit 1; done");
}

int main(void)
{
    char *directory = getcwd(NULL, 0);
    const char *program = setting("PKTC"), *room = setting("SCRATCH");
    char *pktc = program[0] == '/' ? text_format("%s", program) : text_format("%s/%s", directory, program);
    scratch = room[0] == '/' ? text_format("%s/faults", room) : text_format("%s/%s/faults", directory, room);
    setenv("PKTC", pktc, 1);
    int failed = run_all(set_up);
    free(scratch);
    free(pktc);
    free(directory);
    return failed != 0;
}
