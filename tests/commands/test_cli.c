/* test_cli.c - tests the command line of pktc: options, exit statuses, which files it writes and which it leaves alone.
 * SPDX-License-Identifier: MIT
 *
 * Each test works in its own empty directory, with SMALL as small.pkt.
 */
#include "process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#define SMALL "protocol small = 1;\n\npacket Ping { u8 n; }\n"
#define BROKEN "protocol broken = 1;\n\npacket Ping { u8 n }\n"
#define TYPES "struct Pair { u8 a, b; }\n"
#define IMPORTER "protocol importer = 1;\nimport \"types.pkt\";\npacket P { Pair pair; }\n"

static char *pktc; /* an absolute path, because the tests change the directory */
static char *scratch;

/* Runs `pktc ARGUMENTS` and checks its exit status. */
static process_result run_for(int status, const char *arguments)
{
    process_result result = process_run("%s %s", pktc, arguments);
    if (result.status != status)
        print_error("pktc %s\n%s%s", arguments, result.out, result.err);
    assert_int_equal(result.status, status);
    return result;
}

/* Runs it successfully; it must print nothing. */
static void run_silently(const char *arguments)
{
    process_result result = run_for(0, arguments);
    assert_string_equal(result.out, "");
    assert_string_equal(result.err, "");
    process_free(&result);
}

static void run_shell(const char *command)
{
    process_result result = process_run("%s", command);
    assert_int_equal(result.status, 0);
    process_free(&result);
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in: %s", part, text);
}

static void assert_nothing_written(void)
{
    size_t count;
    for (int i = 0; i < 2; i++) {
        char **list = directory_list(".", i == 0 ? ".h" : ".c", &count);
        assert_int_equal(count, 0);
        directory_list_free(list);
    }
}

static int set_up(void **state)
{
    (void)state;
    char *command = text_format("rm -rf '%s' && mkdir -p '%s'", scratch, scratch);
    process_result result = process_run("%s", command);
    int failed = result.status != 0 || chdir(scratch) != 0;
    process_free(&result);
    free(command);
    if (!failed)
        file_write("small.pkt", SMALL);
    return failed;
}

/* ---- options */

static void test_help_and_version(void **state)
{
    (void)state;
    process_result help = run_for(0, "--help");
    static const char *const options[] = {"-o DIR",         "-I DIR",    "--check",     "--depfile", "--runtime",
                                          "--no-runtime",   "--reflect", "--no-checks", "--dump",    "--projection",
                                          "--format",       "--layout",  "--mtu=BYTES", "--hz=N",    "--html=FILE",
                                          "--error-format", "--help",    "--version"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        assert_contains(help.out, options[i]);
    assert_string_equal(help.err, "");
    static const char *const same[] = {"-h", "help", "help.pkt --help", "-o out -h"};
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        process_result other = run_for(0, same[i]);
        assert_string_equal(other.out, help.out);
        process_free(&other);
    }
    process_free(&help);
    static const struct {
        const char *arguments, *has, *lacks;
    } commands[] = {
        {"help fmt", "--check", "--hz"},
        {"fmt -h", "pktc fmt [options] FILE.pkt...", "--prune"},
        {"help layout", "--hz=N", "--bits"},
        {"layout --hz 3 --help", "--html=FILE", "--runtime"},
        {"help decode", "--hex", "--prune"},
        {"--layout -h", "--mtu=BYTES", "--prune"},
        {"help diff", "OLD.pkt NEW.pkt", "--hex"},
        {"help archive", "DIR FILE.pkt...", "--against"},
        {"help encode", "FILE.pkt TYPE [INPUT]", "--dump"},
        {"help help", "pktc help [COMMAND]", "--dump"},
    };
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        process_result about = run_for(0, commands[i].arguments);
        assert_contains(about.out, commands[i].has);
        assert_null(strstr(about.out, commands[i].lacks));
        process_free(&about);
    }
    process_result version = run_for(0, "--version");
    assert_int_equal(strncmp(version.out, "pktc ", 5), 0);
    process_free(&version);
}

static void test_wrong_command_lines(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *message;
    } cases[] = {
        {"", "pktc compiles packet schemas (.pkt) to C.\n"
             "\n"
             "    pktc mygame.pkt -o generated           # write the C, and the runtime that it needs\n"
             "    cc -Igenerated game.c generated/*.c    # compile a program with it\n"
             "\n"
             "'pktc help' lists the commands and options.\n"},
        {"help nothing", "pktc: there is no command 'nothing'; try 'pktc help'\n"},
        {"help laytou", "pktc: there is no command 'laytou' (did you mean 'layout'?); try 'pktc help'\n"},
        {"--hz 20 layout small.pkt", "pktc: the command comes first: 'pktc layout'; try 'pktc --help'\n"},
        {"small.pkt fmt", "pktc: the command comes first: 'pktc fmt'; try 'pktc --help'\n"},
        {"help fmt layout", "pktc: help takes only one command; try 'pktc help'\n"},
        {"complete small.pkt", "pktc: complete needs -- before the words; try 'pktc help complete'\n"},
        {"-o", "pktc: -o needs an argument: DIR; try 'pktc --help'\n"},
        {"-o '' small.pkt", "pktc: -o needs an argument: DIR; try 'pktc --help'\n"},
        {"small.pkt --depfile", "pktc: --depfile needs an argument: FILE; try 'pktc --help'\n"},
        {"--chekc small.pkt", "pktc: unknown option '--chekc' (did you mean '--check'?); try 'pktc --help'\n"},
        {"--output=out small.pkt", "pktc: unknown option '--output' (did you mean '-o'?); try 'pktc --help'\n"},
        {"--include . small.pkt", "pktc: unknown option '--include' (did you mean '-I'?); try 'pktc --help'\n"},
        {"-v", "pktc: unknown option '-v' (did you mean '--version'?); try 'pktc --help'\n"},
        {"fmt --write small.pkt", "pktc: unknown option '--write'; try 'pktc help fmt'\n"},
        {"-o small.c small.pkt", "pktc: -o takes a directory for all files: '-o generated', not '-o small.c'; "
                                 "try 'pktc --help'\n"},
        {"small.pkt -o out/small.hpp", "pktc: -o takes a directory for all files: '-o generated', not "
                                       "'-o out/small.hpp'; try 'pktc --help'\n"},
        {"-x small.pkt", "pktc: unknown option '-x'; try 'pktc --help'\n"},
        {"- small.pkt", "pktc: only fmt and diff read a schema from standard input; try 'pktc --help'\n"},
        {"layout -", "pktc: only fmt and diff read a schema from standard input; try 'pktc help layout'\n"},
        {"--check=yes small.pkt", "pktc: --check takes no argument; try 'pktc --help'\n"},
        {"--dump=everything small.pkt",
         "pktc: --dump takes tokens, ast, schema or wire, not 'everything'; try 'pktc --help'\n"},
        {"--error-format=xml small.pkt", "pktc: --error-format takes text or json, not 'xml'; try 'pktc --help'\n"},
        {"--check --dump=ast small.pkt", "pktc: --check and a dump cannot be combined; try 'pktc --help'\n"},
        {"fmt", "pktc: no .pkt file given; try 'pktc help fmt'\n"},
        {"fmt -o out small.pkt", "pktc: fmt has no option -o; try 'pktc help fmt'\n"},
        {"fmt --layout small.pkt", "pktc: fmt and layout cannot be combined; try 'pktc help fmt'\n"},
        {"--hz 20 small.pkt", "pktc: --hz is an option of layout; try 'pktc --help'\n"},
        {"--bits small.pkt", "pktc: --bits is an option of decode and encode; try 'pktc --help'\n"},
        {"layout --hz 0 small.pkt", "pktc: --hz takes a number from 1 to 1000000, not '0'; try 'pktc help layout'\n"},
        {"layout --mtu 1k small.pkt",
         "pktc: --mtu takes a number of bytes from 1 to 1000000, not '1k'; try 'pktc help layout'\n"},
        {"layout --check small.pkt", "pktc: layout has no option --check; try 'pktc help layout'\n"},
        {"layout --html page.html small.pkt small.pkt", "pktc: --html takes one .pkt file; try 'pktc help layout'\n"},
        {"diff", "pktc: no .pkt file given; try 'pktc help diff'\n"},
        {"diff small.pkt", "pktc: diff takes two .pkt files, the old one first; try 'pktc help diff'\n"},
        {"diff small.pkt small.pkt small.pkt",
         "pktc: diff takes two .pkt files, the old one first; try 'pktc help diff'\n"},
        {"diff - -", "pktc: only one of the schemas can be standard input; try 'pktc help diff'\n"},
        {"diff -o out small.pkt small.pkt", "pktc: diff has no option -o; try 'pktc help diff'\n"},
        {"diff --against old small.pkt small.pkt",
         "pktc: diff --against DIR takes one .pkt file; try 'pktc help diff'\n"},
        {"diff --against old", "pktc: no .pkt file given; try 'pktc help diff'\n"},
        {"--against old small.pkt", "pktc: --against is an option of diff; try 'pktc --help'\n"},
        {"archive old", "pktc: archive needs a directory and .pkt files; try 'pktc help archive'\n"},
        {"archive old -", "pktc: only fmt and diff read a schema from standard input; try 'pktc help archive'\n"},
        {"archive --json old small.pkt", "pktc: archive has no option --json; try 'pktc help archive'\n"},
        {"--json small.pkt", "pktc: --json is an option of diff; try 'pktc --help'\n"},
        {"--no-runtime", "pktc: no .pkt file given; try 'pktc --help'\n"},
        {"--runtime --no-runtime small.pkt",
         "pktc: --runtime and --no-runtime cannot be combined; try 'pktc --help'\n"},
        {"--check --prune small.pkt", "pktc: --prune cannot be combined with --check; try 'pktc --help'\n"},
        {"--prune --runtime", "pktc: no .pkt file given; try 'pktc --help'\n"},
        {"--runtime --projection", "pktc: no .pkt file given; try 'pktc --help'\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        process_result result = run_for(2, cases[i].arguments);
        assert_string_equal(result.err, cases[i].message);
        assert_string_equal(result.out, "");
        process_free(&result);
    }
    assert_nothing_written();
}

/* What it prints of schemas without errors is in tests/diff. */
static void test_diff(void **state)
{
    (void)state;
    static const struct {
        int status;
        const char *arguments, *out, *err;
    } cases[] = {
        {0, "diff small.pkt - <small.pkt", "new: <stdin>: protocol small = 1", ""},
        {0, "diff - small.pkt <small.pkt", "old: <stdin>: protocol small = 1", ""},
        {0, "diff small.pkt small.pkt --json", "\"verdict\": \"same\"", ""},
        {4, "diff --no-checks types.pkt small.pkt", "old: types.pkt: no protocol, id ", ""},
        {1, "diff small.pkt none.pkt", "", "pktc: error: cannot read 'none.pkt': No such file or directory\n"},
        {1, "diff none.pkt small.pkt", "", "pktc: error: cannot read 'none.pkt': No such file or directory\n"},
        {1, "diff none.pkt nor.pkt", "", "pktc: error: cannot read 'nor.pkt': No such file or directory\n"},
        {1, "diff broken.pkt small.pkt", "", "broken.pkt:3:20: error: expected ';'"},
        {1, "diff small.pkt broken.pkt", "", "broken.pkt:3:20: error: expected ';'"},
        {1, "diff --error-format=json small.pkt broken.pkt", "", "{\"file\":\"broken.pkt\",\"line\":3"},
        {1, "diff small.pkt small.pkt >/dev/full", "", "pktc: error: cannot write to standard output"},
    };
    file_write("types.pkt", TYPES);
    file_write("broken.pkt", BROKEN);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        process_result result = run_for(cases[i].status, cases[i].arguments);
        assert_contains(result.out, cases[i].out);
        assert_contains(result.err, cases[i].err);
        assert_true(*cases[i].out || !*result.out);
        assert_true(*cases[i].err || !*result.err);
        process_free(&result);
    }
    assert_nothing_written();
}

static void test_options_in_any_order(void **state)
{
    (void)state;
    run_silently("small.pkt -o one");
    run_silently("-oone --no-checks small.pkt --error-format json");
    run_silently("-o one small.pkt");
    assert_true(exists("one/small.h"));
    assert_true(exists("one/small.c"));
    run_shell("mkdir -- -dash && cp -- small.pkt -dash");
    process_result result = process_run("%s -o two -- -dash/small.pkt", pktc);
    assert_string_equal(result.err, "");
    assert_int_equal(result.status, 0);
    process_free(&result);
}

/* ---- the files that are written */

static void test_default_directory(void **state)
{
    (void)state;
    run_silently("small.pkt");
    assert_true(exists("small.h"));
    assert_true(exists("small.c"));
}

static void test_several_files_and_imports(void **state)
{
    (void)state;
    file_write("types.pkt", TYPES);
    file_write("importer.pkt", IMPORTER);
    run_silently("-o out small.pkt importer.pkt types.pkt");
    assert_true(exists("out/small.h"));
    assert_true(exists("out/importer.h"));
    assert_true(exists("out/types.h"));
}

static void test_import_directories(void **state)
{
    (void)state;
    run_shell("mkdir -p first second");
    file_write("importer.pkt", IMPORTER);
    process_result missing = run_for(1, "-o out importer.pkt");
    assert_contains(missing.err, "importer.pkt:2:8: error:");
    assert_contains(missing.err, "types.pkt");
    process_free(&missing);
    assert_false(exists("out"));
    file_write("second/types.pkt", TYPES);
    run_silently("-I first -Isecond -o out importer.pkt");
    assert_true(exists("out/types.h"));
}

static void test_same_name_twice(void **state)
{
    (void)state;
    run_shell("mkdir other && sed s/u8/u16/ small.pkt > other/small.pkt");
    process_result result = run_for(1, "-o out small.pkt other/small.pkt");
    assert_contains(result.err, "the given files would generate two different versions of 'out/small");
    process_free(&result);
    assert_false(exists("out"));
    run_silently("-o out small.pkt small.pkt");
}

/* The files that pktc writes are enough to compile a program, and there are no others. */
static void test_a_program_needs_nothing_else(void **state)
{
    (void)state;
    file_write("game.c", "#include \"small.h\"\n"
                         "int main(void) { Ping ping; Ping_init(&ping); uint8_t data[16]; ping.n = 7;\n"
                         "return Ping_pack(&ping, data, sizeof data) == 9 ? 0 : 1; }\n");
    run_silently("small.pkt -o generated/");
    run_shell("test \"$(ls generated | tr '\\n' ' ')\" = 'pkt.c pkt.h small.c small.h small_codec.h '");
    run_shell("cc -Igenerated -o game game.c generated/*.c && ./game");
    run_silently("--check small.pkt -o generated");
}

static void test_runtime(void **state)
{
    (void)state;
    run_silently("--runtime -o alone");
    run_shell("test \"$(ls alone | tr '\\n' ' ')\" = 'pkt.c pkt.h '");
    run_silently("--runtime -o both small.pkt");
    run_silently("-o same small.pkt");
    run_shell("diff -r both same && cmp alone/pkt.h both/pkt.h && cmp alone/pkt.c both/pkt.c");
    run_silently("--no-runtime -o without small.pkt");
    run_shell("test \"$(ls without | tr '\\n' ' ')\" = 'small.c small.h small_codec.h '");
    run_shell("cc -c -o small.o -Ialone without/small.c");
    /* A program with two protocols, each in its own directory. */
    file_write("other.pkt", "protocol other = 1;\npacket Pong { u8 n; }\n");
    run_silently("--no-runtime -o other other.pkt");
    file_write(
        "both.c",
        "#include \"small.h\"\n#include \"other.h\"\n"
        "int main(void) { Ping ping; Pong pong; Ping_init(&ping); Pong_init(&pong); return ping.n + pong.n; }\n");
    run_shell("cc -Isame -Iother -o both.out both.c same/*.c other/*.c && ./both.out");
}

static void test_reflect(void **state)
{
    (void)state;
    run_silently("-o without small.pkt");
    assert_false(exists("without/small_reflect.h"));
    run_silently("--reflect -o with small.pkt");
    run_shell("for file in without/*; do cmp \"$file\" \"with/${file#without/}\" || exit 1; done");
    file_write("print.c", "#include \"small_reflect.h\"\n"
                          "int main(void) { Ping ping; Ping_init(&ping);\n"
                          "pkt_print(stdout, &Ping_reflection, &ping); return 0; }\n");
    run_shell("cc -Iwith -o print print.c with/*.c && ./print | grep -q 'n: 0'");
}

static void test_unchanged_files_are_not_touched(void **state)
{
    (void)state;
    run_silently("-o out small.pkt");
    run_shell("touch -d '2001-01-01 00:00:00' out/*");
    struct stat before, after;
    assert_int_equal(stat("out/small.h", &before), 0);
    run_silently("-o out small.pkt");
    assert_int_equal(stat("out/small.h", &after), 0);
    assert_true(before.st_mtime == after.st_mtime && before.st_ino == after.st_ino);
    file_write("small.pkt", "protocol small = 2;\n\npacket Ping { u8 n; }\n");
    run_silently("-o out small.pkt");
    assert_int_equal(stat("out/small.h", &after), 0);
    assert_true(before.st_mtime != after.st_mtime);
}

static void test_permissions_and_links_are_kept(void **state)
{
    (void)state;
    run_silently("-o out small.pkt");
    struct stat status;
    mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(stat("out/small.h", &status), 0);
    assert_int_equal(status.st_mode & 0777, 0666 & ~mask);
    run_shell("mkdir real && mv out/small.h real/header.h && ln -s ../real/header.h out/small.h"
              " && sed s/Ping/Pong/ real/header.h > old && cp old real/header.h && chmod 640 real/header.h && "
              "rm out/small.c && ln -s ../real/new.c out/small.c");
    run_silently("-o out small.pkt");
    run_shell("test -L out/small.h && test -L out/small.c && test -s real/new.c && ! cmp -s old real/header.h");
    assert_int_equal(stat("real/header.h", &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
}

static void test_errors_write_nothing(void **state)
{
    (void)state;
    file_write("broken.pkt", BROKEN);
    process_result result = run_for(1, "small.pkt broken.pkt missing.pkt --depfile dep");
    assert_contains(result.err, "broken.pkt:3:20: error: ");
    assert_contains(result.err, "error: cannot read 'missing.pkt': No such file or directory");
    assert_string_equal(result.out, "");
    process_free(&result);
    assert_nothing_written();
    assert_false(exists("dep"));
    result = run_for(1, "layuot small.pkt");
    assert_string_equal(result.err, "pktc: error: cannot read 'layuot': No such file or directory\n"
                                    "      = help: it is not a command either; 'pktc help' lists them\n");
    process_free(&result);
    result = run_for(1, "fmt layuot");
    assert_string_equal(result.err, "pktc: error: cannot read 'layuot': No such file or directory\n");
    process_free(&result);
    run_silently("-o out small.pkt");
    result = run_for(1, "small.pkt out/small.c out/pkt.h");
    assert_string_equal(result.err, "pktc: error: 'out/small.c' is no schema: pktc generated it\n"
                                    "pktc: error: 'out/pkt.h' is no schema: pktc generated it\n");
    process_free(&result);
    result = run_for(1, "small");
    assert_string_equal(result.err, "pktc: error: cannot read 'small': No such file or directory\n"
                                    "      = help: 'small.pkt' exists\n");
    process_free(&result);
}

static void test_a_target_that_cannot_be_written(void **state)
{
    (void)state;
    run_shell("mkdir -p out/small.h");
    process_result result = run_for(1, "-o out small.pkt");
    assert_contains(result.err, "cannot write 'out/small.h': it is not a regular file");
    process_free(&result);
    size_t count;
    char **list = directory_list("out", ".c", &count);
    assert_int_equal(count, 0);
    directory_list_free(list);
    run_shell("test \"$(ls -A out)\" = small.h");

    file_write("blocked", "");
    result = run_for(1, "-o blocked/out small.pkt");
    assert_contains(result.err, "cannot write 'blocked/out/small");
    assert_contains(result.err, "Not a directory");
    process_free(&result);
    if (geteuid() != 0) {
        run_shell("mkdir locked && chmod 555 locked");
        result = run_for(1, "-o locked small.pkt");
        assert_contains(result.err, "Permission denied");
        process_free(&result);
    }
}

static void test_a_full_disk(void **state)
{
    (void)state;
    if (!exists("/dev/full"))
        skip();
    process_result result = process_run("%s --help > /dev/full", pktc);
    assert_int_equal(result.status, 1);
    process_free(&result);
    result = process_run("%s --dump=schema small.pkt > /dev/full", pktc);
    assert_int_equal(result.status, 1);
    process_free(&result);
    /* A limit for the size of files stands for a full disk: writing fails in the middle of a file. */
    result = process_run("trap '' XFSZ; ulimit -f 1; %s --runtime -o out small.pkt", pktc);
    assert_int_equal(result.status, 1);
    assert_contains(result.err, "cannot write 'out/");
    process_free(&result);
    run_shell("test -z \"$(ls -A out)\"");
}

/* ---- files that are left alone */

static void fails_with(const char *message, const char *arguments)
{
    process_result result = run_for(1, arguments);
    assert_contains(result.err, message);
    assert_string_equal(result.out, "");
    process_free(&result);
}

static void test_inputs_are_not_replaced(void **state)
{
    (void)state;
    run_shell("mkdir src link && cp small.pkt src/base.h && cp small.pkt before && ln -s ../small.pkt link/small.pkt"
              " && ln small.pkt hard.pkt && ln -s ../small.pkt src/small.d");
    file_write("types.pkt", TYPES);
    file_write("importer.pkt", IMPORTER);
    fails_with("the output 'small.pkt' would replace the input 'small.pkt'", "--depfile small.pkt small.pkt");
    fails_with("the output './small.pkt' would replace the input 'small.pkt'",
               "-o out --depfile ./small.pkt small.pkt");
    fails_with("the output 'src/../small.pkt' would replace", "-o out --depfile src/../small.pkt small.pkt");
    fails_with("the output 'link/small.pkt' would replace the input 'small.pkt'",
               "-o out --depfile link/small.pkt small.pkt");
    fails_with("the output 'hard.pkt' would replace the input 'small.pkt'", "-o out --depfile hard.pkt small.pkt");
    fails_with("the output 'small.pkt' would replace", "-o out --depfile small.pkt link/small.pkt");
    fails_with("the output 'src/small.d' would replace", "-o out --depfile src/small.d small.pkt");
    fails_with("the output 'types.pkt' would replace the input 'types.pkt'", "-o out --depfile types.pkt importer.pkt");
    fails_with("the output 'small.pkt' would replace", "layout --html small.pkt small.pkt");
    fails_with("the output 'types.pkt' would replace", "layout --html types.pkt importer.pkt");
    fails_with("the output 'src/base.h' would replace the input 'src/base.h'", "-o src src/base.h");
    fails_with("the output 'src/base.h' would replace the input 'src/base.h'", "--check -o src src/base.h");
    run_shell("cmp small.pkt before && cmp src/base.h before && test ! -e out && "
              "test \"$(ls src)\" = \"$(printf 'base.h\\nsmall.d')\"");
    assert_nothing_written();
}

static void test_two_outputs_of_one_name(void **state)
{
    (void)state;
    fails_with("the outputs 'small.h' and './small.h' are the same file", "--depfile ./small.h small.pkt");
    fails_with("the outputs 'new/small.h' and 'new/../new//small.h' are the same file",
               "-o new --depfile new/../new//small.h small.pkt");
    run_shell("mkdir out && ln -s there out/small.h && ln -s there out/dep");
    fails_with("the outputs 'out/small.h' and 'out/dep' are the same file", "-o out --depfile out/dep small.pkt");
    /* On a file system that ignores case they would be one file. */
    run_shell("mkdir other && sed 's/= 1/= 2/' small.pkt > other/SMALL.pkt");
    fails_with("the outputs 'cases/small.h' and 'cases/SMALL.h' are the same file",
               "-o cases small.pkt other/SMALL.pkt");
    assert_nothing_written();
    assert_false(exists("new"));
    assert_false(exists("cases"));
}

/* A program often has the same name as its schema. */
static void test_programs_are_not_replaced(void **state)
{
    (void)state;
    file_write("small.c", "int main(void) { return 0; }\n");
    fails_with("'small.c' exists, and pktc did not generate it", "small.pkt");
    run_shell("grep -q main small.c && test ! -e small.h");
    file_write("small.c", "/* small.c - functions, not generated by pktc: edit this file. */\n");
    fails_with("'small.c' exists, and pktc did not generate it", "small.pkt");
    file_write("small.c", "");
    run_silently("small.pkt");
    /* A generated file is recognized even if a formatter or a person has changed it. */
    run_shell("{ printf '/*\\n * small.c - functions of small.pkt, generated\\n * by pktc: "
              "edit that file, not this one.\\n */\\n';"
              " echo changed; } > small.c");
    run_silently("small.pkt");
    run_shell("! grep changed small.c");
}

static void test_left_files(void **state)
{
    (void)state;
    file_write("types.pkt", TYPES);
    file_write("importer.pkt", IMPORTER);
    run_silently("-o out --reflect importer.pkt");
    file_write("out/own.c", "/* own.c - helpers for the code generated by pktc. */\n");
    file_write("out/other.h", "#include \"types.h\"\n");
    file_write("out/pkt_codec.c", "/* pkt_codec.c - a part of the runtime, as an earlier pktc wrote it. */\n");
    run_shell(
        "cp out/types.c out/renamed.c && cp out/types.c out/types.txt && mkdir out/inner && cp out/types.c out/inner");
    file_write("importer.pkt", "protocol importer = 1;\npacket P { u8 n; }\n");
    run_silently("-o out importer.pkt");
    process_result result = run_for(1, "--check -o out importer.pkt");
    assert_string_equal(result.out,
                        "out/importer_reflect.c\nout/importer_reflect.h\nout/pkt_codec.c\nout/types.c\nout/types.h\n"
                        "out/types_codec.h\nout/types_reflect.c\nout/types_reflect.h\n");
    assert_contains(result.err, "warning: 'out/types.c' is left from an earlier run: no input makes it\n"
                                "      = help: --prune removes it\n");
    process_free(&result);
    run_silently("--prune -o out/ importer.pkt");
    run_shell("test \"$(ls out | tr '\\n' ' ')\" = 'importer.c importer.h importer_codec.h inner other.h own.c pkt.c "
              "pkt.h renamed.c types.txt '"
              " && test -e out/inner/types.c");
    run_silently("--check -o out importer.pkt");
    run_silently("--prune --no-runtime -o out importer.pkt");
    run_shell("test ! -e out/pkt.c && test ! -e out/pkt.h");
    file_write("importer.pkt", BROKEN);
    process_result broken = run_for(1, "--prune -o out importer.pkt");
    process_free(&broken);
    assert_true(exists("out/importer.c"));
    file_write("out/gone.pkt", "protocol gone = 1;\npacket P { u8 n; }\n");
    run_silently("out/gone.pkt");
    assert_true(exists("gone.h"));
    run_silently("--prune small.pkt");
    assert_false(exists("gone.h"));
    assert_true(exists("small.h"));
}

/* ---- for build systems */

static void test_check(void **state)
{
    (void)state;
    process_result result = run_for(1, "--check -o out small.pkt");
    assert_contains(result.out, "out/small.h\n");
    assert_contains(result.out, "out/small.c\n");
    assert_string_equal(result.err, "");
    process_free(&result);
    assert_false(exists("out"));

    run_silently("-o out small.pkt");
    run_silently("--check -o out small.pkt");
    run_shell("echo >> out/small.c");
    result = run_for(1, "--check -o out small.pkt --depfile dep");
    assert_string_equal(result.out, "out/small.c\n");
    process_free(&result);
    assert_false(exists("dep"));
}

static void test_depfile(void **state)
{
    (void)state;
    run_shell("mkdir 'my types'");
    file_write("my types/types.pkt", TYPES);
    file_write("importer.pkt", IMPORTER);
    run_silently("-I 'my types' -o 'out#$dir' --depfile dep importer.pkt small.pkt");
    char *dep = file_read("dep");
    assert_non_null(dep);
    assert_contains(dep, "out\\#$$dir/importer.h");
    assert_contains(dep, "out\\#$$dir/types.h");
    assert_contains(dep, "out\\#$$dir/small.c");
    assert_contains(dep, ": \\\n");
    assert_contains(dep, "  my\\ types/types.pkt");
    assert_contains(dep, "\n\nmy\\ types/types.pkt:\n");
    assert_contains(dep, "\n\nimporter.pkt:\n");
    assert_contains(dep, "\n\nsmall.pkt:\n");
    free(dep);
    /* What make does with it: nothing at first; then it sees a change; and it does not fail if a prerequisite is
     * removed. */
    file_write("Makefile", "include dep\n%.h %.c:\n\t@echo stale $@\nall: out\\#$$dir/types.h\n.DEFAULT_GOAL := all\n");
    run_shell("touch out*/* && make -rs all | grep -v 'Nothing to be done' | diff /dev/null -");
    run_shell("touch -d '+1 hour' 'my types/types.pkt' && make -rs all | grep stale");
    run_shell("rm 'my types/types.pkt' && make -rs all | grep stale");
}

static void test_depfile_to_a_stream(void **state)
{
    (void)state;
    process_result plain = process_run("%s -o out --depfile dep small.pkt && cat dep", pktc);
    assert_contains(plain.out, "out/small.h");
    static const char *const paths[] = {"-", "/dev/stdout"};
    for (size_t i = 0; i < 2; i++) {
        process_result piped = process_run("%s -o out --depfile %s small.pkt | cat", pktc, paths[i]);
        assert_string_equal(piped.out, plain.out);
        process_free(&piped);
        /* Also if standard output goes to a file. */
        process_result file =
            process_run("echo before > file; %s -o out --depfile %s small.pkt >> file; cat file", pktc, paths[i]);
        assert_int_equal(strncmp(file.out, "before\n", 7), 0);
        assert_string_equal(file.out + 7, plain.out);
        process_free(&file);
    }
    process_result error = process_run("%s -o out --depfile /dev/stderr small.pkt", pktc);
    assert_string_equal(error.err, plain.out);
    process_free(&error);
    run_shell("test -e /dev/stdout && test ! -e ./-");
    process_result full = process_run("%s -o none --depfile /dev/full small.pkt", pktc);
    assert_int_equal(full.status, 1);
    assert_contains(full.err, "cannot write '/dev/full'");
    process_free(&full);
    run_shell("test ! -e none/small.h");
    process_free(&plain);
}

/* ---- what goes to standard output */

static void test_dumps_write_nothing(void **state)
{
    (void)state;
    static const char *const kinds[] = {"--dump=tokens", "--dump=ast", "--dump=schema", "--dump=wire", "--projection"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        char *arguments = text_format("%s small.pkt", kinds[i]);
        process_result result = run_for(0, arguments);
        assert_contains(result.out, "Ping");
        assert_string_equal(result.err, "");
        process_free(&result);
        free(arguments);
    }
    assert_nothing_written();
}

static void test_checks_change_the_projection(void **state)
{
    (void)state;
    process_result with = run_for(0, "--projection small.pkt"),
                   without = run_for(0, "--projection --no-checks small.pkt");
    assert_string_not_equal(with.out, without.out);
    process_free(&without);
    process_free(&with);
}

static void test_json(void **state)
{
    (void)state;
    file_write("broken.pkt", BROKEN);
    process_result result = run_for(1, "--error-format=json broken.pkt missing.pkt");
    int lines = 0;
    for (char *line = strtok(result.err, "\n"); line; line = strtok(NULL, "\n")) {
        json_t *message = json_loads(line, 0, NULL);
        assert_non_null(message);
        assert_string_equal(json_string_value(json_object_get(message, "severity")), "error");
        const char *file = json_string_value(json_object_get(message, "file"));
        if (file && strcmp(file, "broken.pkt") == 0) {
            assert_int_equal(json_integer_value(json_object_get(message, "line")), 3);
            assert_int_equal(json_integer_value(json_object_get(message, "column")), 20);
        }
        json_decref(message);
        lines++;
    }
    assert_int_equal(lines, 2);
    process_free(&result);
}

int main(void)
{
    char *directory = getcwd(NULL, 0);
    const char *program = setting("PKTC");
    pktc = program[0] == '/' ? text_format("%s", program) : text_format("%s/%s", directory, program);
    const char *room = setting("SCRATCH");
    scratch = room[0] == '/' ? text_format("%s/cli", room) : text_format("%s/%s/cli", directory, room);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_help_and_version, set_up),
        cmocka_unit_test_setup(test_wrong_command_lines, set_up),
        cmocka_unit_test_setup(test_diff, set_up),
        cmocka_unit_test_setup(test_options_in_any_order, set_up),
        cmocka_unit_test_setup(test_default_directory, set_up),
        cmocka_unit_test_setup(test_several_files_and_imports, set_up),
        cmocka_unit_test_setup(test_import_directories, set_up),
        cmocka_unit_test_setup(test_same_name_twice, set_up),
        cmocka_unit_test_setup(test_a_program_needs_nothing_else, set_up),
        cmocka_unit_test_setup(test_runtime, set_up),
        cmocka_unit_test_setup(test_reflect, set_up),
        cmocka_unit_test_setup(test_unchanged_files_are_not_touched, set_up),
        cmocka_unit_test_setup(test_permissions_and_links_are_kept, set_up),
        cmocka_unit_test_setup(test_errors_write_nothing, set_up),
        cmocka_unit_test_setup(test_a_target_that_cannot_be_written, set_up),
        cmocka_unit_test_setup(test_a_full_disk, set_up),
        cmocka_unit_test_setup(test_inputs_are_not_replaced, set_up),
        cmocka_unit_test_setup(test_two_outputs_of_one_name, set_up),
        cmocka_unit_test_setup(test_programs_are_not_replaced, set_up),
        cmocka_unit_test_setup(test_left_files, set_up),
        cmocka_unit_test_setup(test_check, set_up),
        cmocka_unit_test_setup(test_depfile, set_up),
        cmocka_unit_test_setup(test_depfile_to_a_stream, set_up),
        cmocka_unit_test_setup(test_dumps_write_nothing, set_up),
        cmocka_unit_test_setup(test_checks_change_the_projection, set_up),
        cmocka_unit_test_setup(test_json, set_up),
    };
    int failed = cmocka_run_group_tests_name("cli", tests, NULL, NULL);
    free(scratch);
    free(pktc);
    free(directory);
    return failed != 0;
}
