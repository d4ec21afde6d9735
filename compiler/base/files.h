/* files.h - what differs from one operating system to the next: paths, directories, replacing a file.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_FILES_H
#define PKTC_FILES_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>

/* A file that will be replaced or created. */
typedef struct file_target {
    const char *path;      /* with symbolic links resolved */
    size_t directory_size; /* the bytes of `path` before the last component, separator included */
    bool exists;
    unsigned mode; /* the permissions of an existing file, where the system has them */
} file_target;

/* The arguments of main in UTF-8, as all paths here are. */
char **file_arguments(arena *a, int *argc, char **argv);

/* True for '/', and on Windows for '\' too. */
bool file_is_separator(char c);

/* A text that is equal for two paths exactly if they lead to the same file, also through links. A file that does not
 * exist yet is known by its directory and its name. The text has no other meaning. */
const char *file_identity(arena *a, const char *path);

/* The bytes of a path before its last component, separator included. */
size_t file_directory_size(const char *path);

/* The path of a file in a directory; NULL is the current directory. */
const char *file_in_directory(arena *a, const char *directory, const char *name);

/* The names in a directory, sorted; none if it cannot be read. */
const char **file_list(arena *a, const char *directory, size_t *count);

/* True if the directory exists afterwards; false with errno. */
bool file_make_directory(const char *path);

/* Creates every missing directory of a file's path. False with errno. */
bool file_make_directories(arena *a, const char *path);

/* Whether the path leads to a regular file: not to a directory, device or pipe. */
bool file_is_regular(const char *path);

/* Opens a regular file for reading; NULL with errno. A pipe or a device is not opened, because reading it might never
 * end; errno is ESPIPE. */
FILE *file_open(const char *path);

/* Whether a path is standard input ("-") or a pipe. */
bool file_is_pipe(const char *path);

/* Opens such a path or a regular file, for file_read_bytes. -1 with errno. */
int file_open_bytes(const char *path);

/* Reads bytes as soon as there are any. Returns how many; 0 at the end, -1 with errno. */
long file_read_bytes(int file, void *to, size_t room);
void file_close_bytes(int file);

/* The size of a regular file; -1 of others. */
long long file_size(int file);

/* Whether the path leads to this file now; true also if it leads nowhere. */
bool file_is_still(int file, const char *path);

/* The text of errno: why the last call failed. */
const char *file_failure(void);
bool file_is_directory(const char *path);

/* Finds the file of a path. False with *reason if no file can be written there: the path leads to a directory, a device
 * or a read-only file. */
bool file_find_target(arena *a, const char *path, file_target *target, const char **reason);

/* The id of this process. */
long file_process(void);

/* Creates a file for writing bytes, with the permissions of the target that it will replace. NULL with errno, which is
 * EEXIST if the name is taken. */
FILE *file_create(const char *path, const file_target *target);

/* Opens a file for more bytes behind those that it has. NULL with errno. */
FILE *file_append(const char *path);

/* Renames `from` to `to` in one step, replacing a file of that name. False with errno. */
bool file_replace(const char *from, const char *to);

/* False with errno. */
bool file_remove(const char *path);

/* Whether a path is written to rather than replaced: "-", which is standard output, a pipe, a terminal, a device, or
 * another name of standard output or standard error (/dev/stdout), even if that is redirected to a file. */
bool file_is_stream(const char *path);

/* Writes to such a path. False with errno. */
bool file_write_stream(const char *path, const char *text, size_t size);

bool file_is_terminal(FILE *stream);

/* If standard input is a terminal, prints on standard error that `what` is read from it, and how to end the input. */
void file_hint_at_terminal(const char *what);

/* Turns off line end conversion for a standard stream, so that its bytes are the same on every system. */
void file_as_is(FILE *stream);

/* A list of paths without duplicates, in the order in which they were added. */
typedef struct path_list {
    const char **paths;
    size_t count, capacity;
} path_list;

void path_list_add(arena *a, path_list *list, const char *path);

#endif
