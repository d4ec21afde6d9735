/* tools.h - what the tests of fmt and layout share.
 * SPDX-License-Identifier: MIT
 *
 * Each test works in an empty directory, which is called TOOL: the file that includes this defines it.
 */
#ifndef TOOLS_H
#define TOOLS_H

#include "process.h"
#define OWN_MAIN
#include "unit.h"

#include <string.h>

static inline process_result run(const char *command)
{
    return process_run("%s %s", setting("PKTC_SANITIZED"), command);
}

/* Runs pktc and checks its exit status. The caller frees the output. */
static inline char *output_of(int status, const char *command)
{
    process_result result = run(command);
    if (result.status != status)
        print_error("pktc %s\n%s", command, result.err);
    assert_int_equal(result.status, status);
    char *text = text_format("%s", result.out);
    process_free(&result);
    return text;
}

static inline char *scratch_path(const char *name)
{
    return text_format("%s/" TOOL "/%s", setting("SCRATCH"), name);
}

/* Makes an empty directory. */
static inline int set_up(void **state)
{
    (void)state;
    process_result result =
        process_run("rm -rf '%s/" TOOL "' && mkdir -p '%s/" TOOL "'", setting("SCRATCH"), setting("SCRATCH"));
    int failed = result.status;
    process_free(&result);
    return failed;
}

/* Runs the tests, or with --refresh rewrites the files that they expect. */
static inline int run_or_refresh(int argc, char **argv, void (*refresh)(void))
{
    if (argc <= 1 || strcmp(argv[1], "--refresh") != 0)
        return run_all(set_up);
    set_up(NULL);
    refresh();
    return 0;
}

#endif
