/* cli.h - what the tests of the command line share.
 * SPDX-License-Identifier: MIT
 *
 * Each test works in its own empty directory, with SMALL as small.pkt.
 */
#ifndef CLI_H
#define CLI_H

#include "process.h"
#define OWN_MAIN
#include "unit.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#define SMALL "protocol small = 1;\n\npacket Ping { u8 n; }\n"
#define BROKEN "protocol broken = 1;\n\npacket Ping { u8 n }\n"
#define TYPES "struct Pair { u8 a, b; }\n"
#define IMPORTER "protocol importer = 1;\nimport \"types.pkt\";\npacket P { Pair pair; }\n"

static char *pktc; /* an absolute path, because the tests change the directory */
static char *scratch;

/* Runs `pktc ARGUMENTS` and checks its exit status. */
static inline process_result run_for(int status, const char *arguments)
{
    process_result result = process_run("%s %s", pktc, arguments);
    if (result.status != status)
        print_error("pktc %s\n%s%s", arguments, result.out, result.err);
    assert_int_equal(result.status, status);
    return result;
}

/* Runs it successfully; it must print nothing. */
static inline void run_silently(const char *arguments)
{
    process_result result = run_for(0, arguments);
    assert_string_equal(result.out, "");
    assert_string_equal(result.err, "");
    process_free(&result);
}

/* Runs it; it must fail, and print nothing but an error with this text, or just this error. */
static inline void fails_with(const char *text, const char *arguments)
{
    process_result result = run_for(1, arguments);
    if (!strstr(result.err, text))
        fail_msg("'%s' is not in: %s", text, result.err);
    assert_string_equal(result.out, "");
    process_free(&result);
}

static inline void fails_saying(const char *error, const char *arguments)
{
    process_result result = run_for(1, arguments);
    assert_string_equal(result.err, error);
    assert_string_equal(result.out, "");
    process_free(&result);
}

static inline void run_shell(const char *command)
{
    process_result result = process_run("%s", command);
    assert_int_equal(result.status, 0);
    process_free(&result);
}

static inline bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static inline void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in: %s", part, text);
}

static inline void assert_nothing_written(void)
{
    size_t count;
    for (int i = 0; i < 2; i++) {
        char **list = directory_list(".", i == 0 ? ".h" : ".c", &count);
        assert_int_equal(count, 0);
        directory_list_free(list);
    }
}

static inline int set_up(void **state)
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

/* Where pktc is, and a directory of this name for the tests. */
static inline void cli_begin(const char *name)
{
    char *directory = getcwd(NULL, 0);
    const char *program = setting("PKTC");
    pktc = program[0] == '/' ? text_format("%s", program) : text_format("%s/%s", directory, program);
    const char *room = setting("SCRATCH");
    scratch = room[0] == '/' ? text_format("%s/%s", room, name) : text_format("%s/%s/%s", directory, room, name);
    free(directory);
}

static inline int cli_end(int failed)
{
    free(scratch);
    free(pktc);
    return failed != 0;
}

#endif
