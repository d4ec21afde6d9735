/* test_files.c - tests schema files with any name that an #include can have: outputs have that name, and identifiers of
 * C are made from it.
 * SPDX-License-Identifier: MIT
 *
 * Names that are refused are in tests/check/errors, or here if Git cannot store them on all systems.
 */
#include "process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char *directory;

static void write_here(const char *name, const char *text)
{
    char *path = text_format("%s/%s", directory, name);
    file_write(path, text);
    free(path);
}

static int set_up(void **state)
{
    (void)state;
    directory = text_format("%s/files", setting("SCRATCH"));
    process_result made = process_run("rm -rf '%s' && mkdir -p '%s'", directory, directory);
    int status = made.status;
    process_free(&made);
    return status;
}

static int tear_down(void **state)
{
    (void)state;
    free(directory);
    return 0;
}

/* Runs a command in the directory, where $pktc is the program. It must succeed and print no errors. */
static char *succeed(const char *command)
{
    process_result result =
        process_run("pktc='%s/%s'; cd '%s' && %s", getenv("PWD"), setting("PKTC"), directory, command);
    assert_string_equal(result.err, "");
    assert_int_equal(result.status, 0);
    free(result.err);
    return result.out;
}

/* Runs a command that must fail; the first line of its output must be this. */
static void fail_with(const char *command, const char *expected)
{
    process_result result =
        process_run("pktc='%s/%s'; cd '%s' && %s", getenv("PWD"), setting("PKTC"), directory, command);
    assert_memory_equal(result.err, expected, strlen(expected));
    assert_int_equal(result.status, 1);
    process_free(&result);
}

/* All in one program. Two of the names give the same identifier, so they would have the same include guard. */
static void any_name(void **state)
{
    static const char *const names[] = {"my-game", "my_game", "my.game", "2d",    "v1.2",
                                        "a b",     "größe",   "x's (2)", "UPPER", "upper2"};
    char *program = text_format("#include \"pkt.h\"\n");
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *file = text_format("%s.pkt", names[i]);
        char *text = text_format("/// %s\nconst MAX%zu = 3;\nstruct Pair%zu { u8 a; u8 b; }\n", names[i], i, i);
        char *more = text_format("%s#include \"%s.h\"\nPair%zu pair%zu;\n", program, names[i], i, i);
        write_here(file, text);
        free(program);
        free(text);
        free(file);
        program = more;
    }
    char *end = text_format(
        "%sint main(void) { return my_game_MAX0 + file_2d_MAX3 + v1_2_MAX4 + a_b_MAX5 + gr_e_MAX6 + x_s_2_MAX7 == "
        "18; }\n",
        program);
    write_here("program.c", end);
    free(end);
    free(program);
    write_here(
        "root.pkt",
        "protocol root = 1;\nimport \"my-game.pkt\";\nimport \"my_game.pkt\";\nimport \"2d.pkt\";\n"
        "import \"v1.2.pkt\";\nimport \"a b.pkt\";\npacket P { Pair0 a; Pair1 b; Pair3 c; Pair4 d; Pair5 e; }\n");
    free(succeed("\"$pktc\" --runtime --reflect -o out *.pkt"));
    free(succeed("cp program.c out && cd out && cc -std=c99 -Wall -Wextra -Werror *.c -o program -lm && ./program; "
                 "test $? = 1"));
    char *files = succeed("cd out && ls v1.2* 'a b'*");
    assert_string_equal(files, "a b.c\na b.h\na b_codec.h\na b_reflect.c\na b_reflect.h\n"
                               "v1.2.c\nv1.2.h\nv1.2_codec.h\nv1.2_reflect.c\nv1.2_reflect.h\n");
    free(files);
}

/* A root file with an unusual name; only C depends on it. */
static void any_root(void **state)
{
    (void)state;
    write_here("my-game.pkt", "protocol mygame = 1;\nconst MAX = 3;\npacket P { u8 a; }\n");
    write_here("math.pkt", "protocol math = 1;\npacket P { u8 a; }\n");
    free(succeed("\"$pktc\" --depfile my-game.d my-game.pkt && grep -q 'define mygame_MAX 3' my-game.h"));
    free(succeed("\"$pktc\" layout my-game.pkt"));
    free(succeed("\"$pktc\" --projection my-game.pkt"));
    free(succeed("\"$pktc\" layout math.pkt"));
    free(succeed("\"$pktc\" --dump=wire math.pkt"));
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *message;
    } cases[] = {
        {"a\"b", "a\"b.pkt:1:1: error: the generated file 'a\"b.h' could not be included in C: its name has a '\"'\n"},
        {"a?\?=b", "a?\?=b.pkt:1:1: error: the generated file 'a?\?=b.h' could not be included in C: "
                   "its name has two question marks that begin a trigraph\n"},
        {"a\tb", "a\\x09b.pkt:1:1: error: the generated file 'a\\x09b.h' could not be included in C: "
                 "its name is not UTF-8 without control characters\n"},
        {"\xff", "\\xff.pkt:1:1: error: the generated file '\\xff.h' could not be included in C: "
                 "its name is not UTF-8 without control characters\n"},
        {"a\u202eb",
         "a\\xe2\\x80\\xaeb.pkt:1:1: error: the generated file 'a\\xe2\\x80\\xaeb.h' could not be included in C: "
         "its name is not UTF-8 without control characters\n"},
        {"con", "con.pkt:1:1: error: the generated file 'con.h' would be a device on Windows\n"},
        {"Aux", "Aux.pkt:1:1: error: the generated file 'Aux.h' would be a device on Windows\n"},
        {"lpt9", "lpt9.pkt:1:1: error: the generated file 'lpt9.h' would be a device on Windows\n"},
        {"nul.d", "nul.d.pkt:1:1: error: the generated file 'nul.d.h' would be a device on Windows\n"},
        {"a\\b", "a\\b.pkt:1:1: error: the path 'a\\b.pkt' has a '\\', which is another path on Windows\n"},
        {"", ".pkt:1:1: error: the generated file '.h' would have nothing before its ending\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *file = text_format("%s.pkt", cases[i].name), *command = text_format("\"$pktc\" '%s'", file);
        write_here(file, "struct S { u8 a; }\n");
        fail_with(command, cases[i].message);
        free(command);
        free(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(any_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(any_root, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
