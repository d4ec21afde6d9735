/* test_errors.c - tests every diagnostic, word for word.
 * SPDX-License-Identifier: MIT
 *
 * Each NAME.pkt in tests/check/errors and tests/front/errors is compiled by the sanitized pktc, as `pktc ARGS -o NEW
 * NAME.pkt`. It must print exactly NAME.expected on standard error, print nothing on standard output, exit with 1, and
 * write no files. A first line `// args: ...` adds options. NAME_b.pkt (with any letter) is imported by NAME.pkt, and
 * not a case of its own. The schemas of the repository must have no diagnostics.
 *
 * `test_errors --refresh` rewrites the NAME.expected files instead. Read what has changed.
 */
#include "process.h"
#include "check/cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static process_result compile(const char *pkt, char **output_dir)
{
    char *options = extra_arguments(pkt);
    *output_dir = text_format("%s/errors-%s", setting("SCRATCH"), strrchr(pkt, '/') + 1);
    process_result result = process_run("rm -rf '%s'; %s%s -o '%s' '%s'", *output_dir, setting("PKTC_SANITIZED"),
                                        options, *output_dir, pkt);
    free(options);
    return result;
}

static char *expected_path(const char *pkt)
{
    return text_format("%.*s.expected", (int)(strlen(pkt) - strlen(".pkt")), pkt);
}

static void test_case(void **state)
{
    const char *name = *state;
    char *path = expected_path(name), *expected = file_read(path), *output_dir;
    process_result result = compile(name, &output_dir);
    if (!expected)
        fail_msg("%s is missing; make errors-refresh writes it: read it", path);
    assert_string_equal(result.err, expected);
    assert_string_equal(result.out, "");
    assert_int_equal(result.status, 1);
    assert_int_not_equal(access(output_dir, F_OK), 0);
    process_free(&result);
    free(output_dir);
    free(expected);
    free(path);
}

/* The schemas of the repository have no warnings, because people copy from them. */
static void test_no_schema_is_warned_of(void **state)
{
    (void)state;
    process_result result = process_run(
        "for schema in schemas/*.pkt tests/*/*.pkt tests/emit/golden/*.pkt; do %s -Ischemas -o '%s/quiet' $schema; done",
        setting("PKTC"), setting("SCRATCH"));
    assert_string_equal(result.err, "");
    assert_int_equal(result.status, 0);
    process_free(&result);
}

static void refresh(char **names)
{
    for (; *names; names++) {
        char *path = expected_path(*names), *expected = file_read(path), *output_dir;
        process_result result = compile(*names, &output_dir);
        if (!expected || strcmp(expected, result.err) != 0) {
            file_write(path, result.err);
            puts(path);
        }
        if (result.status != 1)
            printf("%s: exit status %d where 1 is due\n", *names, result.status);
        process_free(&result);
        free(output_dir);
        free(expected);
        free(path);
    }
}

int main(int argc, char **argv)
{
    size_t count;
    char **names = find_cases(&count);
    if (argc > 1 && strcmp(argv[1], "--refresh") == 0) {
        refresh(names);
        directory_list_free(names);
        return 0;
    }
    struct CMUnitTest *tests = calloc(count + 1, sizeof *tests);
    for (size_t i = 0; i < count; i++)
        tests[i] = (struct CMUnitTest){.name = names[i], .test_func = test_case, .initial_state = names[i]};
    tests[count] = (struct CMUnitTest)cmocka_unit_test(test_no_schema_is_warned_of);
    int failed = _cmocka_run_group_tests("errors", tests, count + 1, NULL, NULL);
    free(tests);
    directory_list_free(names);
    return failed != 0;
}
