/* test_bind.c - tests what `pktc bind` writes, and its errors; tests/bindings compiles and runs it.
 * SPDX-License-Identifier: MIT
 *
 * bound.cs and bound_bind.c are those of tests/commands/golden/bound.pkt. `test_bind --refresh` rewrites them.
 */
#include "cli.h"

#define DIRECTORY "tests/commands/golden"

static const char *const files[] = {"bound_bind.c", "bound.cs"};
static char *directory;

static char *expected_path(const char *file)
{
    return text_format("%s/" DIRECTORY "/%s", directory, file);
}

static void write_files(const char *to)
{
    char *arguments = text_format("bind cs -o '%s' '%s/" DIRECTORY "/bound.pkt'", to, directory);
    run_silently(arguments);
    free(arguments);
}

TEST(test_files)
{
    write_files("out");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *made = text_format("out/%s", files[i]), *path = expected_path(files[i]);
        char *text = file_read(made), *expected = file_read(path);
        assert_non_null(text);
        assert_non_null(expected);
        assert_string_equal(text, expected);
        free(expected);
        free(text);
        free(path);
        free(made);
    }
}

/* Without -o, files are written here. */
TEST(test_directory)
{
    run_silently("bind cs small.pkt");
    assert_int_equal(access("small.cs", F_OK), 0);
    assert_int_equal(access("small_bind.c", F_OK), 0);
    char *text = file_read("small_bind.c");
    assert_non_null(strstr(text, "#include \"small.h\"\n"));
    assert_null(strstr(text, "unpack_any"));
    free(text);
    run_silently("bind --releases cs small.pkt");
    text = file_read("small_bind.c");
    assert_non_null(strstr(text, "#include \"small_upgrade.h\"\n"));
    assert_non_null(strstr(text, "Ping_unpack_any_error(v, data, bind_size(size), version, error)"));
    free(text);
}

static void is_wrong(const char *arguments, const char *message)
{
    process_result result = run_for(2, arguments);
    assert_string_equal(result.err, message);
    process_free(&result);
}

TEST(test_errors)
{
    is_wrong("bind", "pktc: bind needs a language: cs (C#); try 'pktc help bind'\n");
    is_wrong("bind java small.pkt", "pktc: bind has no language 'java': it has cs (C#); try 'pktc help bind'\n");
    is_wrong("bind small.pkt", "pktc: bind has no language 'small.pkt': it has cs (C#); try 'pktc help bind'\n");
    is_wrong("bind cs", "pktc: bind takes a language and one .pkt file; try 'pktc help bind'\n");
    is_wrong("bind cs small.pkt small.pkt", "pktc: bind takes a language and one .pkt file; try 'pktc help bind'\n");
    file_write("own.pkt", "struct Own { local \"void *\" user; local \"my_type\" mine; u8 x; }\n");
    fails_saying("own.pkt:1:51: error: 'mine' has the C type 'my_type', which another language cannot declare\n"
                 "    1 | struct Own { local \"void *\" user; local \"my_type\" mine; u8 x; }\n"
                 "      |                                                   ^~~~\n",
                 "bind cs own.pkt");
    assert_int_not_equal(access("own.cs", F_OK), 0);
}

/* What does not stand in a generated file stays. */
TEST(test_replaced)
{
    file_write("small.cs", "mine\n");
    fails_with("small.cs", "bind cs small.pkt");
}

int main(int argc, char **argv)
{
    directory = getcwd(NULL, 0);
    cli_begin("bind");
    if (argc > 1 && strcmp(argv[1], "--refresh") == 0) {
        char *to = text_format("%s/" DIRECTORY, directory);
        write_files(to);
        free(to);
        return 0;
    }
    const int failed = cli_end(run_all(set_up));
    free(directory);
    return failed;
}
