/* test_paths.c - tests which paths are the same file, and listing a directory.
 * SPDX-License-Identifier: MIT
 *
 * Each test works in its own empty directory.
 */
#include "base/files.h"
#define OWN_MAIN
#include "unit.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/pktc-paths-XXXXXX";

static void make_file(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

static int set_up(void **state)
{
    (void)state;
    return !mkdtemp(directory) || chdir(directory) != 0;
}

static int tear_down(void **state)
{
    static const char *const made[] = {"there", "hard", "soft", "dangling", "sub/link", "sub", "door"};
    (void)state;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        if (unlink(made[i]) != 0)
            rmdir(made[i]);
    return chdir("/") != 0 || rmdir(directory) != 0;
}

/* Paths in the same row are the same file; those in different rows are not. */
TEST(test_identity)
{
    static const char *const rows[][6] = {
        {"there", "./there", "sub/../there", "hard", "soft", "door//../there"},
        {"sub", "sub/", "./sub//", "door", "door/.", "sub/."},
        {"new", "./new", "dangling", "sub/../new", "none/../new", "none/./more/../../new"},
        {"sub/new", "door/new", "sub//new", "sub/link", "door/link", "none/../door/new"},
        {"none/new", "none//new", "./none/new", "none/./new", "none/x/../new", "sub/../none/new"},
        {".", "./", "sub/..", "none/..", "sub/../none/x/../..", "./."},
        {"/", "//", "/.", "/tmp/..", "/./", "/tmp/../tmp/.."},
        {"/new-at-the-root", "//new-at-the-root", "/./new-at-the-root", "/tmp/../new-at-the-root",
         "/none/../new-at-the-root", "/none/x/../../new-at-the-root"},
    };
    enum { ROWS = sizeof rows / sizeof *rows, COLUMNS = 6 };
    make_file("there");
    assert_int_equal(link("there", "hard") | symlink("there", "soft") | symlink("new", "dangling"), 0);
    assert_int_equal(mkdir("sub", 0777) | symlink("sub", "door") | symlink("../sub/new", "sub/link"), 0);
    arena *a = arena_new();
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        for (int k = 0; k < ROWS * COLUMNS; k++) {
            const char *left = rows[i / COLUMNS][i % COLUMNS], *right = rows[k / COLUMNS][k % COLUMNS];
            bool same = strcmp(file_identity(a, left), file_identity(a, right)) == 0;
            if (same != (i / COLUMNS == k / COLUMNS))
                fail_msg("'%s' and '%s' are %s file", left, right, same ? "the same" : "not the same");
        }
    }
    arena_free(a);
}

TEST(test_list)
{
    static const char *const expected[] = {".", "..", "dangling", "door", "hard", "soft", "sub", "there"};
    size_t count;
    arena *a = arena_new();
    const char **list = file_list(a, ".", &count);
    assert_int_equal(count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(list[i], expected[i]);
    (void)file_list(a, "none", &count);
    assert_int_equal(count, 0);
    arena_free(a);
}

TEST(test_streams)
{
    assert_true(file_is_stream("-"));
    assert_true(file_is_stream("/dev/stdout"));
    assert_true(file_is_stream("/dev/null"));
    assert_false(file_is_stream("there"));
    assert_false(file_is_stream("sub"));
    assert_false(file_is_stream("new"));
    assert_true(file_write_stream("/dev/null", "text", 4));
    assert_false(file_write_stream("none/new", "text", 4));
}

int main(void)
{
    if (set_up(NULL) != 0)
        return 1;
    const int failed = run_all(NULL);
    return tear_down(NULL) != 0 || failed;
}
