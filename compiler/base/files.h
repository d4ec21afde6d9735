/* files.h - what differs from one operating system to the next: paths, directories, replacing a file.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_FILES_H
#define PKTC_FILES_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>

/* A file that is to be replaced, or made. */
typedef struct file_target {
    const char *path;      /* where the symbolic links of the path that was asked for lead */
    size_t directory_size; /* the part of it before the last component, separator included */
    bool exists;
    unsigned mode; /* its permissions, where it exists and the system has such */
} file_target;

/* '/', and on Windows '\' too. */
bool file_is_separator(char c);

/* Equal for two paths exactly where they lead to one file, if they lead to any; a text of no other meaning. */
const char *file_identity(arena *a, const char *path);

/* False with errno where it fails; a directory that is there is fine. */
bool file_make_directory(const char *path);

/* Whether there is a file that can be read again and again: no directory, device or pipe. */
bool file_is_regular(const char *path);

/* Finds out what a path leads to. False with *reason where nothing can be put there: a directory, a device, a file
 * that is read-only. */
bool file_find_target(arena *a, const char *path, file_target *target, const char **reason);

/* A number that no other process has now. */
long file_process(void);

/* Opens a new file for writing bytes, with the permissions of the target that it will replace. NULL with errno where it
 * fails, EEXIST where something has that name. */
FILE *file_create(const char *path, const file_target *target);

/* Gives the file `from` the name `to` in one step, over a file that has it. False with errno. */
bool file_replace(const char *from, const char *to);

void file_remove(const char *path);

/* Makes a standard stream pass bytes on as they are: the same output on every system. */
void file_as_is(FILE *stream);

#endif
