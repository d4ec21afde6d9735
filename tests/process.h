/* process.h - for tests that run programs: running a command, reading files, listing directories.
 * SPDX-License-Identifier: MIT
 *
 * The caller frees all memory that is returned. If a test cannot continue, it ends with a message.
 */
#ifndef TESTS_PROCESS_H
#define TESTS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct process_result {
    int status;      /* exit status; 128 and more if a signal ended it */
    char *out, *err; /* what it printed, terminated */
} process_result;

/* Runs a command line in a shell, and waits until it ends. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
process_result
process_run(const char *format, ...);
void process_free(process_result *result);

/* A whole file, terminated; NULL if it does not exist. */
char *file_read(const char *path);
void file_write(const char *path, const char *text);

/* Like printf, into new memory. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
char *
text_format(const char *format, ...);

/* The names in a directory that end in `ending`, sorted, ended by NULL. The list is empty if there is no such
 * directory. */
char **directory_list(const char *path, const char *ending, size_t *count);
void directory_list_free(char **list);

/* The value of an environment variable, which make has set; a failure if it is not set. */
const char *setting(const char *name);

#endif
