/* test_compile.c - what is generated from hard names and comments compiles without a warning, as C99 and C++11, with gcc and clang.
 * SPDX-License-Identifier: MIT
 */
#include "process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define WARNINGS "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -O1 -c -o /dev/null"

/* Each compiler that there is, as C and as C++. */
static const char *const compilers[] = {
    "gcc -x c -std=c99 -Wbidi-chars=any " WARNINGS,
    "gcc -x c++ -std=c++11 -Wbidi-chars=any " WARNINGS,
    "clang -x c -std=c99 " WARNINGS,
    "clang -x c++ -std=c++11 " WARNINGS,
};
enum { COMPILERS = sizeof compilers / sizeof *compilers };

static bool there_is(const char *compiler)
{
    process_result result = process_run("command -v %.*s", (int)strcspn(compiler, " "), compiler);
    bool is = result.status == 0;
    process_free(&result);
    return is;
}

static char *directory_of(const char *test)
{
    char *directory = text_format("%s/compile-%s", setting("SCRATCH"), test);
    process_result result = process_run("rm -rf '%s' && mkdir -p '%s'", directory, directory);
    assert_int_equal(result.status, 0);
    process_free(&result);
    return directory;
}

/* Writes DIRECTORY/test.pkt and generates from it. */
static process_result generate(const char *directory, const char *schema)
{
    char *path = text_format("%s/test.pkt", directory);
    file_write(path, schema);
    process_result result = process_run("%s --no-runtime --reflect -o '%s' '%s'", setting("PKTC"), directory, path);
    free(path);
    return result;
}

static void generate_well(const char *directory, const char *schema)
{
    process_result result = generate(directory, schema);
    assert_string_equal(result.err, "");
    assert_int_equal(result.status, 0);
    process_free(&result);
}

/* Compiles a file of the directory with each compiler. */
static void compile_silently(const char *directory, const char *file)
{
    for (int i = 0; i < COMPILERS; i++) {
        if (!there_is(compilers[i]))
            continue;
        process_result result = process_run("%s -I'%s' -Iruntime '%s/%s'", compilers[i], directory, directory, file);
        if (result.status != 0)
            fail_msg("%s %s:\n%s", compilers[i], file, result.err);
        assert_string_equal(result.err, "");
        process_free(&result);
    }
}

static void compile_all(const char *directory)
{
    size_t count;
    char **files = directory_list(directory, ".c", &count);
    assert_int_equal(count, 2);
    for (size_t i = 0; i < count; i++)
        compile_silently(directory, files[i]);
    directory_list_free(files);
}

/* ---- doc comments */

static void doc_comments(void **state)
{
    static const char *const docs[] = {
        "ends */ int evil; /* begins",
        "*",
        "/",
        "**/",
        "//",
        "/*/",
        "a\\",
        "a\?\?/",
        "\?\?/",
        "\?\?\?/",
        "*\?\?/",
        "a*",
        "/ b",
        "\xff not UTF-8 \xc3",
        "\x01 control \x1f \x7f",
        "\xe2\x80\xae right to left",
        "\xe2\x81\xa6 isolated",
        "\xd8\x9c",
        "größe ☃",
        "@param x",
        "\\return y",
        "$name ${name}",
        "%s %n",
    };
    char *directory = directory_of("docs"), *schema = text_format("protocol docs = 1;\n");
    (void)state;
    for (size_t i = 0; i < sizeof docs / sizeof *docs; i++) {
        char *more = text_format("%s/// %s\nconst C%zu = 1;\n/// %s\nenum E%zu {\n/// %s\n/// %s\na,\n/// %s\nb }\n"
                                 "/// %s\n///%s\n/// /%s\n/// end\nunion U%zu { S%zu a; }\n"
                                 "/// %s\npacket S%zu {\n/// %s\n///%s\nu8 x;\n}\n",
                                 schema, docs[i], i, docs[i], i, docs[i], docs[i], docs[i], docs[i], docs[i], docs[i],
                                 i, i, docs[i], i, docs[i], docs[i]);
        free(schema);
        schema = more;
    }
    generate_well(directory, schema);
    compile_all(directory);
    char *path = text_format("%s/test.h", directory), *header = file_read(path);
    assert_non_null(strstr(header, "größe ☃"));
    assert_non_null(strstr(header, "/** ends * / int evil; / * begins */"));
    free(header);
    free(path);
    free(schema);
    free(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doc_comments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
