/* process.h - what the tests that drive programs share: running one, reading files, listing directories.
 * SPDX-License-Identifier: MIT
 *
 * Memory is the caller's to free. What a test cannot go on without ends the test program with a message.
 */
#ifndef TESTS_PROCESS_H
#define TESTS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct process_result {
    int status;      /* of exit; 128 and more: ended by a signal */
    char *out, *err; /* what it printed, terminated */
} process_result;

/* Runs a command line by the shell and waits for it. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
process_result
process_run(const char *format, ...);
void process_free(process_result *result);

/* A whole file, terminated; NULL where there is none. */
char *file_read(const char *path);
void file_write(const char *path, const char *text);

/* printf into new memory. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
char *
text_format(const char *format, ...);

/* The names in a directory that end in `ending`, sorted; none where the directory is missing. The list ends in NULL. */
char **directory_list(const char *path, const char *ending, size_t *count);
void directory_list_free(char **list);

/* The value of a variable of the environment, which has to be there: make sets them. */
const char *setting(const char *name);

#endif
