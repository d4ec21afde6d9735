/* test_errors.c - every diagnostic, word for word.
 * SPDX-License-Identifier: MIT
 *
 * Each NAME.pkt beside this file is compiled by the sanitized pktc, as `pktc ARGS -o NEW tests/errors/NAME.pkt`: it has to
 * print exactly NAME.expected on standard error, nothing on standard output, exit with 1 and write nothing. A first line
 * `// args: ...` gives further options. NAME_b.pkt (any one letter) is imported by NAME.pkt and no case of its own.
 * `test_errors --refresh` rewrites the NAME.expected files instead; read what changed.
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

#define DIRECTORY "tests/errors"

/* The options that the first line asks for; "" where it is another line. */
static char *extra_arguments(const char *pkt)
{
    static const char mark[] = "// args:";
    char *text = file_read(pkt);
    if (!text)
        return text_format("%s", "");
    char *options = text_format("%s", strncmp(text, mark, sizeof mark - 1) == 0 ? text + sizeof mark - 1 : "");
    options[strcspn(options, "\r\n")] = '\0';
    free(text);
    return options;
}

static process_result compile(const char *name, char **output_dir)
{
    char *pkt = text_format(DIRECTORY "/%s", name);
    char *options = extra_arguments(pkt);
    *output_dir = text_format("%s/errors-%s", setting("SCRATCH"), name);
    process_result result = process_run("rm -rf '%s'; %s%s -o '%s' '%s'", *output_dir, setting("PKTC_SANITIZED"), options,
                                        *output_dir, pkt);
    free(options);
    free(pkt);
    return result;
}

static char *expected_path(const char *name)
{
    return text_format(DIRECTORY "/%.*s.expected", (int)(strlen(name) - strlen(".pkt")), name);
}

static void test_case(void **state)
{
    const char *name = *state;
    char *path = expected_path(name), *expected = file_read(path), *output_dir;
    process_result result = compile(name, &output_dir);
    if (!expected)
        fail_msg("%s is missing; make errors-refresh makes it, read it then", path);
    assert_string_equal(result.err, expected);
    assert_string_equal(result.out, "");
    assert_int_equal(result.status, 1);
    assert_int_not_equal(access(output_dir, F_OK), 0);
    process_free(&result);
    free(output_dir);
    free(expected);
    free(path);
}

/* Takes those out of the list that belong to another case. */
static void keep_cases(char **names, size_t *count)
{
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
        size_t stem = strlen(names[i]) - strlen(".pkt");
        char *whole = text_format(DIRECTORY "/%.*s.pkt", stem > 2 ? (int)stem - 2 : 0, names[i]);
        if (stem > 2 && names[i][stem - 2] == '_' && access(whole, F_OK) == 0)
            free(names[i]);
        else
            names[kept++] = names[i];
        free(whole);
    }
    names[kept] = NULL;
    *count = kept;
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
    char **names = directory_list(DIRECTORY, ".pkt", &count);
    keep_cases(names, &count);
    if (argc > 1 && strcmp(argv[1], "--refresh") == 0) {
        refresh(names);
        directory_list_free(names);
        return 0;
    }
    struct CMUnitTest *tests = calloc(count + 1, sizeof *tests);
    for (size_t i = 0; i < count; i++)
        tests[i] = (struct CMUnitTest){.name = names[i], .test_func = test_case, .initial_state = names[i]};
    int failed = _cmocka_run_group_tests("errors", tests, count, NULL, NULL);
    free(tests);
    directory_list_free(names);
    return failed != 0;
}
