/* files.c - what differs from one operating system to the next: Windows first, then the others. See files.h.
 * SPDX-License-Identifier: MIT
 */
#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

/* The part of a path before its last component, separator included. */
static size_t directory_size(const char *path)
{
    size_t size = strlen(path);
    while (size > 0 && !file_is_separator(path[size - 1]))
        size--;
    return size;
}

#ifdef _WIN32

#include <ctype.h>
#include <direct.h>
#include <io.h>
#include <process.h>
#include <stdlib.h>

/* From <windows.h>, which is not included because its macros would take hundreds of names. */
__declspec(dllimport) int __stdcall MoveFileExA(const char *from, const char *to, unsigned long flags);
__declspec(dllimport) unsigned long __stdcall GetLastError(void);
enum { REPLACE_EXISTING = 1, ERROR_NUMBER_ACCESS_DENIED = 5, WRITABLE = 2 };

bool file_is_separator(char c)
{
    return c == '/' || c == '\\';
}

/* The absolute path in lower case: names on Windows do not differ in case alone, and its file numbers would need more
 * of its own functions. */
const char *file_identity(arena *a, const char *path)
{
    char whole[_MAX_PATH];
    char *text = arena_text(a, path, strlen(path));
    if (_fullpath(whole, path, sizeof whole))
        text = arena_text(a, whole, strlen(whole));
    for (char *c = text; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return text;
}

bool file_make_directory(const char *path)
{
    bool drive = path[0] && path[1] == ':' && !path[2];
    return drive || _mkdir(path) == 0 || errno == EEXIST;
}

bool file_is_regular(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && (status.st_mode & S_IFMT) == S_IFREG;
}

bool file_find_target(arena *a, const char *path, file_target *target, const char **reason)
{
    struct stat status;
    (void)a;
    *target = (file_target){.path = path, .directory_size = directory_size(path)};
    target->exists = stat(path, &status) == 0;
    if (!target->exists) {
        *reason = strerror(errno);
        return errno == ENOENT;
    }
    bool regular = (status.st_mode & S_IFMT) == S_IFREG;
    *reason = regular ? "the file is read-only" : "it is not a regular file";
    return regular && _access(path, WRITABLE) == 0;
}

long file_process(void)
{
    return _getpid();
}

FILE *file_create(const char *path, const file_target *target)
{
    (void)target;
    int file = _open(path, _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY, _S_IREAD | _S_IWRITE);
    return file < 0 ? NULL : _fdopen(file, "wb");
}

bool file_replace(const char *from, const char *to)
{
    if (MoveFileExA(from, to, REPLACE_EXISTING))
        return true;
    errno = GetLastError() == ERROR_NUMBER_ACCESS_DENIED ? EACCES : EIO;
    return false;
}

void file_remove(const char *path)
{
    _unlink(path);
}

void file_as_is(FILE *stream)
{
    _setmode(_fileno(stream), _O_BINARY);
}

#else

#include <unistd.h>

enum { MAX_LINKS = 40 };

bool file_is_separator(char c)
{
    return c == '/';
}

const char *file_identity(arena *a, const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return path;
    return arena_printf(a, "%llu:%llu", (unsigned long long)status.st_dev, (unsigned long long)status.st_ino);
}

bool file_make_directory(const char *path)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

bool file_is_regular(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* Follows symbolic links, also to a file that does not exist yet. NULL with errno. */
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
        path = to[0] == '/' ? to : arena_printf(a, "%.*s%s", (int)directory_size(path), path, to);
    }
    errno = ELOOP;
    return NULL;
}

bool file_find_target(arena *a, const char *path, file_target *target, const char **reason)
{
    struct stat status;
    const char *leads_to = follow_links(a, path);
    if (!leads_to) {
        *reason = strerror(errno);
        return false;
    }
    *target = (file_target){.path = leads_to, .directory_size = directory_size(leads_to)};
    target->exists = stat(leads_to, &status) == 0;
    if (!target->exists) {
        *reason = strerror(errno);
        return errno == ENOENT;
    }
    target->mode = status.st_mode & 07777;
    *reason = S_ISREG(status.st_mode) ? "the file is read-only" : "it is not a regular file";
    return S_ISREG(status.st_mode) && access(leads_to, W_OK) == 0;
}

long file_process(void)
{
    return (long)getpid();
}

FILE *file_create(const char *path, const file_target *target)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (file < 0)
        return NULL;
    FILE *opened = !target->exists || fchmod(file, target->mode) == 0 ? fdopen(file, "wb") : NULL;
    if (!opened) {
        int error = errno;
        close(file);
        unlink(path);
        errno = error == EEXIST ? EIO : error;
    }
    return opened;
}

bool file_replace(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

void file_remove(const char *path)
{
    unlink(path);
}

void file_as_is(FILE *stream)
{
    (void)stream;
}

#endif
