/* test_golden.c - tests the generated text, byte for byte, and the plan it is made from.
 * SPDX-License-Identifier: MIT
 *
 * For each NAME.pkt in tests/emit/golden, the directory NAME there has NAME.wire, the output of --dump=wire, and
 * NAME_codec.h, which spells that plan, or the files of the table below. Other tests compile and run the rest. If there
 * is a directory tests/emit/releases/NAME, it is that of --upgrade. A change of the generator shows there as a change of
 * text that people can review. `test_golden --refresh` rewrites the directories. Read what has changed. `test_golden --all
 * DIRECTORY` writes all files of all schemas, for the tests that compile them.
 */
#include "process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DIRECTORY "tests/emit/golden"

/* NAME.pkt without its ending. */
static char *stem_of(const char *name)
{
    return text_format("%.*s", (int)(strlen(name) - strlen(".pkt")), name);
}

/* The ends of the names of the files that are compared. Schemas with .wire alone are about plans: their codecs have no
 * form of a line that others do not have. Deltas, values of older versions, what is called and what fits have most of their
 * text in other files. */
static const struct {
    const char *stem, *ends[5];
} compared[] = {
    {"bodies", {".wire", ".c"}},
    {"calls", {".wire"}},
    {"codes", {".wire", "_codec.h", ".c"}},
    {"deltas", {".wire", "_codec.h", ".h", ".c"}},
    {"edge", {".wire"}},
    {"fit", {".wire"}},
    {"fit_lists", {".c"}},
    {"flat", {".wire"}},
    {"forks", {".wire"}},
    {"lacking", {".wire"}},
    {"links", {".wire", "_codec.h", ".c"}},
    {"masks", {".wire"}},
    {"moves", {".wire", ".c"}},
    {"pads", {".c"}},
    {"reals", {".wire", ".c"}},
    {"senders", {".h"}},
    {"sides", {".wire"}},
    {"sizes", {".wire"}},
    {"units", {".c"}},
    {"upgrade", {".wire", ".h", ".c", "_upgrade.h", "_upgrade.c"}},
};

static const char *const *ends_of(const char *stem)
{
    static const char *const usual[] = {".wire", "_codec.h", NULL, NULL, NULL};
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++)
        if (strcmp(compared[i].stem, stem) == 0)
            return compared[i].ends;
    return usual;
}

/* Writes all files of a schema into a directory, which is emptied first. */
static process_result write_all(const char *stem, const char *directory)
{
    const char *pktc = setting("PKTC");
    return process_run("rm -rf '%s' && mkdir -p '%s' && old=tests/emit/releases/%s &&"
                       " %s --no-runtime $(test -d $old && echo --upgrade $old) -o '%s' " DIRECTORY "/%s.pkt"
                       " && %s --dump=wire " DIRECTORY "/%s.pkt > '%s/%s.wire'",
                       directory, directory, stem, pktc, directory, stem, pktc, stem, directory, stem);
}

/* Writes only those files that are compared. */
static process_result write_expected(const char *stem, const char *directory)
{
    const char *const *ends = ends_of(stem);
    char *others = text_format(" ");
    process_result result = write_all(stem, directory);
    for (size_t i = 0; i < 5 && ends[i]; i++) {
        char *more = text_format("%s ! -name '%s%s'", others, stem, ends[i]);
        free(others);
        others = more;
    }
    if (result.status == 0) {
        process_free(&result);
        result = process_run("find '%s' -type f %s -delete", directory, others);
    }
    free(others);
    return result;
}

static void test_case(void **state)
{
    char *stem = stem_of(*state);
    char *directory = text_format("%s/golden-%s", setting("SCRATCH"), stem);
    process_result made = write_expected(stem, directory);
    assert_string_equal(made.err, "");
    assert_int_equal(made.status, 0);
    process_result difference = process_run("diff -ru " DIRECTORY "/%s '%s'", stem, directory);
    assert_string_equal(difference.out, "");
    assert_string_equal(difference.err, "");
    assert_int_equal(difference.status, 0);
    process_free(&difference);
    process_free(&made);
    free(directory);
    free(stem);
}

/* Writes the files of each schema into a directory of its name below `top`. Returns the exit status. */
static int write_each(char **names, const char *top, process_result (*write)(const char *, const char *))
{
    int status = 0;
    for (; *names; names++) {
        char *stem = stem_of(*names);
        char *directory = text_format("%s/%s", top, stem);
        process_result made = write(stem, directory);
        if (made.status != 0) {
            fputs(made.err, stderr);
            status = 1;
        }
        process_free(&made);
        free(directory);
        free(stem);
    }
    return status;
}

int main(int argc, char **argv)
{
    size_t count;
    char **names = directory_list(DIRECTORY, ".pkt", &count);
    if (argc > 1) {
        bool refresh = strcmp(argv[1], "--refresh") == 0;
        int status = refresh ? write_each(names, DIRECTORY, write_expected) : write_each(names, argv[2], write_all);
        directory_list_free(names);
        return status;
    }
    struct CMUnitTest *tests = calloc(count + 1, sizeof *tests);
    for (size_t i = 0; i < count; i++)
        tests[i] = (struct CMUnitTest){.name = names[i], .test_func = test_case, .initial_state = names[i]};
    int failed = _cmocka_run_group_tests("golden", tests, count, NULL, NULL);
    free(tests);
    directory_list_free(names);
    return failed != 0;
}
