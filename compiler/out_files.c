/* out_files.c - files replaced whole or not at all.
 * SPDX-License-Identifier: MIT
 *
 * All that can fail is done first: each new content goes into a temporary file in its target's own directory, so that
 * the renames at the end stay within one file system. A target that is a symbolic link stays one: the file that it
 * leads to is replaced.
 */
#include "out.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_LINKS = 40, MAX_ATTEMPTS = 1000 };

/* One file on its way: its new content is complete in `temporary` and has to become `target`. */
typedef struct replacement {
    struct replacement *next;
    const output *output;
    const char *target;
    const char *temporary;
} replacement;

void outputs_init(outputs *o)
{
    o->first = NULL;
    o->last = &o->first;
}

void outputs_add(arena *a, outputs *o, const char *path, const char *text, size_t size)
{
    output *added = ARENA_NEW(a, output);
    added->path = path;
    added->text = text;
    added->size = size;
    *o->last = added;
    o->last = &added->next;
}

bool output_is_current(const output *o)
{
    FILE *file = fopen(o->path, "rb");
    if (!file)
        return false;
    char chunk[65536];
    size_t at = 0, got;
    bool same = true;
    while (same && (got = fread(chunk, 1, sizeof chunk, file)) > 0) {
        same = got <= o->size - at && memcmp(chunk, o->text + at, got) == 0;
        at += got;
    }
    same = same && !ferror(file) && at == o->size;
    fclose(file);
    return same;
}

/* The part of a path before its last component, slash included; "" where there is none. */
static const char *directory_of(arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? arena_text(a, path, (size_t)(slash - path) + 1) : "";
}

/* Makes every directory that a file's path needs. */
static bool make_directories(arena *a, const char *path)
{
    char *copy = arena_text(a, path, strlen(path));
    for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(copy, 0777) != 0 && errno != EEXIST)
            return false;
        *slash = '/';
    }
    return true;
}

/* Follows symbolic links, also to a file that is not there yet. NULL with errno where that fails. */
static const char *follow_links(arena *a, const char *path)
{
    char link[PATH_MAX];
    for (int links = 0; links < MAX_LINKS; links++) {
        ssize_t size = readlink(path, link, sizeof link);
        if (size < 0)
            return errno == EINVAL || errno == ENOENT ? path : NULL;
        if ((size_t)size == sizeof link) {
            errno = ENAMETOOLONG;
            return NULL;
        }
        const char *to = arena_text(a, link, (size_t)size);
        path = to[0] == '/' ? to : arena_printf(a, "%s%s", directory_of(a, path), to);
    }
    errno = ELOOP;
    return NULL;
}

/* Whether an existing target may be replaced; *mode gets its permissions. A target that is not there is fine. */
static bool may_replace(const char *target, bool *exists, mode_t *mode, const char **reason)
{
    struct stat status;
    *exists = stat(target, &status) == 0;
    if (!*exists) {
        *reason = strerror(errno);
        return errno == ENOENT;
    }
    *mode = status.st_mode & 07777;
    *reason = S_ISREG(status.st_mode) ? "the file is read-only" : "it is not a regular file";
    return S_ISREG(status.st_mode) && access(target, W_OK) == 0;
}

static bool write_all(int file, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t written = write(file, text, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        text += written;
        size -= (size_t)written;
    }
    return true;
}

/* Creates a file of a name that nothing has yet, beside the target. -1 with errno where that fails. */
static int create_temporary(arena *a, const char *target, const char **path)
{
    const char *directory = directory_of(a, target);
    int file = -1;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        *path = arena_printf(a, "%s.pktc-%ld-%d", directory, (long)getpid(), attempt);
        file = open(*path, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (file >= 0 || errno != EEXIST)
            break;
    }
    return file;
}

/* Puts an output's content beside its target. NULL with *reason where that fails; nothing is left behind then. */
static replacement *prepare(arena *a, const output *o, const char **reason)
{
    replacement *r = ARENA_NEW(a, replacement);
    r->output = o;
    bool exists;
    mode_t mode = 0;
    r->target = make_directories(a, o->path) ? follow_links(a, o->path) : NULL;
    if (!r->target) {
        *reason = strerror(errno);
        return NULL;
    }
    if (!may_replace(r->target, &exists, &mode, reason))
        return NULL;
    int file = create_temporary(a, r->target, &r->temporary);
    if (file < 0) {
        *reason = strerror(errno);
        return NULL;
    }
    bool complete = (!exists || fchmod(file, mode) == 0) && write_all(file, o->text, o->size);
    int error = errno;
    /* A full disk may only be told at the close. */
    if (close(file) != 0 && complete) {
        complete = false;
        error = errno;
    }
    if (!complete) {
        unlink(r->temporary);
        *reason = strerror(error);
        return NULL;
    }
    return r;
}

static void remove_temporaries(const replacement *list)
{
    for (; list; list = list->next)
        unlink(list->temporary);
}

bool outputs_write(arena *a, const outputs *o, const char **failed)
{
    replacement *list = NULL, **last = &list;
    for (const output *each = o->first; each; each = each->next) {
        if (output_is_current(each))
            continue;
        const char *reason;
        *last = prepare(a, each, &reason);
        if (!*last) {
            *failed = arena_printf(a, "cannot write '%s': %s", each->path, reason);
            remove_temporaries(list);
            return false;
        }
        last = &(*last)->next;
    }
    for (const replacement *r = list; r; r = r->next) {
        if (rename(r->temporary, r->target) != 0) {
            *failed = arena_printf(a, "cannot write '%s': %s", r->output->path, strerror(errno));
            remove_temporaries(r);
            return false;
        }
    }
    return true;
}
