/* test_golden.c - tests the generated text, byte for byte, and the plan it is made from.
 * SPDX-License-Identifier: MIT
 *
 * For each NAME.pkt in tests/emit/golden, the directory NAME there has every file that pktc writes for it, and
 * NAME.wire, the output of --dump=wire. If there is a directory tests/emit/releases/NAME, it is that of --upgrade. A
 * change of the generator shows there as a change of text that people can review. `test_golden --refresh` rewrites the
 * directories. Read what has changed.
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

/* Generates the files of a schema into a directory, which is emptied first. */
static process_result generate(const char *stem, const char *directory)
{
    const char *pktc = setting("PKTC");
    return process_run("rm -rf '%s' && mkdir -p '%s' && old=tests/emit/releases/%s &&"
                       " %s --no-runtime $(test -d $old && echo --upgrade $old) -o '%s' " DIRECTORY "/%s.pkt"
                       " && %s --dump=wire " DIRECTORY "/%s.pkt > '%s/%s.wire'",
                       directory, directory, stem, pktc, directory, stem, pktc, stem, directory, stem);
}

static void test_case(void **state)
{
    char *stem = stem_of(*state);
    char *directory = text_format("%s/golden-%s", setting("SCRATCH"), stem);
    process_result made = generate(stem, directory);
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

static int refresh(char **names)
{
    int status = 0;
    for (; *names; names++) {
        char *stem = stem_of(*names);
        char *directory = text_format(DIRECTORY "/%s", stem);
        process_result made = generate(stem, directory);
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
    if (argc > 1 && strcmp(argv[1], "--refresh") == 0) {
        int status = refresh(names);
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
