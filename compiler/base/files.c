/* files.c - what differs from one operating system to the next: Windows first, then the others. See files.h.
 * SPDX-License-Identifier: MIT
 */
#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Each system defines these four. The first three return NULL if there is no answer: the identity of an existing file;
 * the path to which symbolic links lead from one that does not exist; the stream that the path is another name of. The last
 * one is fopen. */
static const char *existing_identity(arena *a, const char *path);
static const char *follow_links(arena *a, const char *path);
static FILE *standard_stream(const char *path);
static FILE *open_stream(const char *path, const char *mode);

#ifdef _WIN32
#define END_KEYS "Ctrl-Z and Enter at the start of a line"
#else
#define END_KEYS "Ctrl-D at the start of a line"
#endif

size_t file_directory_size(const char *path)
{
    size_t size = strlen(path);
    while (size > 0 && !file_is_separator(path[size - 1]))
        size--;
    return size;
}

bool file_make_directories(arena *a, const char *path)
{
    char *copy = arena_text(a, path, strlen(path));
    for (size_t i = 1; copy[0] && copy[i]; i++) {
        char separator = copy[i];
        if (!file_is_separator(separator))
            continue;
        copy[i] = '\0';
        if (!file_make_directory(copy))
            return false;
        copy[i] = separator;
    }
    return true;
}

/* A path that exists, and one more component. */
static const char *step_into(arena *a, const char *path, const char *component, size_t size)
{
    size_t length = strlen(path);
    bool bare = length == 0 || file_is_separator(path[length - 1]);
    return arena_printf(a, "%s%s%.*s", path, bare ? "" : "/", (int)size, component);
}

/* The components of a path are taken one by one: existing ones are added to `there`, the others to `missing`. A ".."
 * removes the last component of `missing`. */
const char *file_identity(arena *a, const char *path)
{
    const char *there = file_is_separator(*path) ? "/" : "";
    char *missing = arena_alloc(a, strlen(path) + 2), *end = missing;
    for (const char *at = path; *at;) {
        size_t size = 0;
        while (at[size] && !file_is_separator(at[size]))
            size++;
        const char *next = step_into(a, there, at, size), *rest = at + size;
        bool up = size == 2 && memcmp(at, "..", 2) == 0;
        bool here = size == 0 || (size == 1 && *at == '.');
        at = *rest ? rest + 1 : rest;
        if (here)
            continue;
        if (*missing && up) {
            while (*--end != '/')
                continue;
            *end = '\0';
        } else if (!*missing && existing_identity(a, next)) {
            there = next;
        } else {
            const char *leads_to = *missing ? NULL : follow_links(a, next);
            if (leads_to && strcmp(leads_to, next) != 0)
                return file_identity(a, arena_printf(a, "%s%s", leads_to, rest));
            *end++ = '/';
            memcpy(end, next + strlen(next) - size, size);
            end += size;
            *end = '\0';
        }
    }
    const char *identity = existing_identity(a, *there ? there : ".");
    return arena_printf(a, "%s%s", identity ? identity : "", missing);
}

const char *file_in_directory(arena *a, const char *directory, const char *name)
{
    if (!directory)
        return name;
    bool ends = file_is_separator(directory[strlen(directory) - 1]);
    return arena_printf(a, ends ? "%s%s" : "%s/%s", directory, name);
}

void path_list_add(arena *a, path_list *list, const char *path)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->paths[i], path) == 0)
            return;
    if (list->count == list->capacity) {
        const size_t before = list->capacity * sizeof *list->paths;
        list->capacity = list->capacity ? list->capacity * 2 : 16;
        list->paths = arena_grow(a, list->paths, before, list->capacity * sizeof *list->paths);
    }
    list->paths[list->count++] = path;
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Adds a name to a list. The list's capacity is a power of two. */
static const char **add_name(arena *a, const char **list, size_t *count, const char *name)
{
    if (*count == 0)
        list = ARENA_ARRAY(a, const char *, 1);
    else if ((*count & (*count - 1)) == 0)
        list = arena_grow(a, list, *count * sizeof *list, 2 * *count * sizeof *list);
    list[(*count)++] = arena_text(a, name, strlen(name));
    return list;
}

bool file_write_stream(const char *path, const char *text, size_t size)
{
    FILE *standard = standard_stream(path);
    FILE *to = standard ? standard : open_stream(path, "ab");
    if (!to)
        return false;
    bool written = fwrite(text, 1, size, to) == size && fflush(to) == 0;
    int error = errno;
    if (!standard)
        written = fclose(to) == 0 && written;
    if (!written)
        errno = error;
    return written;
}

FILE *file_open(const char *path)
{
    const bool special = file_is_stream(path) && strcmp(path, "-") != 0 && !file_is_regular(path);
    if (special)
        errno = ESPIPE;
    return special ? NULL : open_stream(path, "rb");
}

FILE *file_append(const char *path)
{
    return open_stream(path, "ab");
}

const char *file_failure(void)
{
    return errno == ESPIPE ? "it is a pipe or a device, and no file" : strerror(errno);
}

void file_hint_at_terminal(const char *what)
{
    if (file_is_terminal(stdin))
        fprintf(stderr, "pktc: reading %s from the terminal, until " END_KEYS "\n", what);
}

#ifdef _WIN32

#include <direct.h>
#include <io.h>
#include <process.h>
#include <wchar.h>

/* From <windows.h>, which is not included because its macros would take hundreds of names. */
__declspec(dllimport) int __stdcall MoveFileExW(const wchar_t *from, const wchar_t *to, unsigned long flags);
__declspec(dllimport) unsigned long __stdcall GetLastError(void);
typedef struct file_information {
    unsigned long attributes, times[6], volume, size_high, size_low, links, index_high, index_low;
} file_information;
__declspec(dllimport) void *__stdcall CreateFileW(const wchar_t *path, unsigned long access, unsigned long share,
                                                  void *security, unsigned long how, unsigned long flags, void *like);
__declspec(dllimport) int __stdcall GetFileInformationByHandle(void *file, file_information *about);
__declspec(dllimport) int __stdcall CloseHandle(void *file);
__declspec(dllimport) int __stdcall MultiByteToWideChar(unsigned page, unsigned long flags, const char *text, int size,
                                                        wchar_t *to, int room);
__declspec(dllimport) int __stdcall WideCharToMultiByte(unsigned page, unsigned long flags, const wchar_t *text,
                                                        int size, char *to, int room, const char *unknown,
                                                        int *had_unknown);
__declspec(dllimport) wchar_t *__stdcall GetCommandLineW(void);
__declspec(dllimport) wchar_t **__stdcall CommandLineToArgvW(const wchar_t *line, int *count);
#ifdef _MSC_VER
#pragma comment(lib, "shell32")
#endif
enum {
    PAGE_UTF8 = 65001,
    WIDE_PATH = 4096,
    REPLACE_EXISTING = 1,
    ERROR_NUMBER_ACCESS_DENIED = 5,
    WRITABLE = 2,
    SHARE_ALL = 7,
    OPEN_THERE = 3,
    DIRECTORIES_TOO = 0x02000000
};
#define NO_FILE ((void *)(intptr_t)-1)

bool file_is_separator(char c)
{
    return c == '/' || c == '\\';
}

/* pktc has paths in UTF-8, and Windows in UTF-16: its other functions take the letters of one part of the world. A path
 * that cannot be converted becomes an empty one, which leads nowhere. */
typedef struct wide_path {
    wchar_t text[WIDE_PATH];
} wide_path;

static const wchar_t *widen(wide_path *to, const char *path)
{
    if (MultiByteToWideChar(PAGE_UTF8, 0, path, -1, to->text, WIDE_PATH) == 0)
        to->text[0] = 0;
    return to->text;
}

static const char *narrow(arena *a, const wchar_t *text)
{
    const int size = WideCharToMultiByte(PAGE_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *to = arena_alloc(a, (size_t)size + 1);
    WideCharToMultiByte(PAGE_UTF8, 0, text, -1, to, size, NULL, NULL);
    return to;
}

char **file_arguments(arena *a, int *argc, char **argv)
{
    int count;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    if (!wide)
        return argv;
    char **list = ARENA_ARRAY(a, char *, (size_t)count + 1);
    for (int i = 0; i < count; i++)
        list[i] = (char *)narrow(a, wide[i]);
    list[count] = NULL;
    *argc = count;
    return list;
}

static FILE *open_stream(const char *path, const char *mode)
{
    wide_path wide, wide_mode;
    return _wfopen(widen(&wide, path), widen(&wide_mode, mode));
}

static bool find_status(const char *path, struct _stat64 *status)
{
    wide_path wide;
    return _wstat64(widen(&wide, path), status) == 0;
}

/* Volume and index; on a file system without them, the whole path. */
static const char *existing_identity(arena *a, const char *path)
{
    wide_path wide;
    file_information about;
    void *file = CreateFileW(widen(&wide, path), 0, SHARE_ALL, NULL, OPEN_THERE, DIRECTORIES_TOO, NULL);
    if (file == NO_FILE)
        return NULL;
    bool known = GetFileInformationByHandle(file, &about);
    CloseHandle(file);
    if (known)
        return arena_printf(a, "%lx:%lx:%lx", about.volume, about.index_high, about.index_low);
    wchar_t whole[WIDE_PATH];
    return _wfullpath(whole, wide.text, WIDE_PATH) ? narrow(a, whole) : path;
}

/* A link to a missing file cannot be opened, so it is not followed. */
static const char *follow_links(arena *a, const char *path)
{
    (void)a;
    (void)path;
    return NULL;
}

const char **file_list(arena *a, const char *directory, size_t *count)
{
    const char **list = NULL;
    wide_path wide;
    struct _wfinddata_t found;
    *count = 0;
    intptr_t search = _wfindfirst(widen(&wide, arena_printf(a, "%s/*", directory)), &found);
    if (search == -1)
        return list;
    do
        list = add_name(a, list, count, narrow(a, found.name));
    while (_wfindnext(search, &found) == 0);
    _findclose(search);
    qsort(list, *count, sizeof *list, compare_names);
    return list;
}

static FILE *standard_stream(const char *path)
{
    return strcmp(path, "-") == 0 ? stdout : NULL;
}

bool file_is_stream(const char *path)
{
    struct _stat64 status;
    if (standard_stream(path))
        return true;
    return find_status(path, &status) && (status.st_mode & _S_IFMT) != _S_IFREG &&
           (status.st_mode & _S_IFMT) != _S_IFDIR;
}

bool file_make_directory(const char *path)
{
    bool drive = path[0] && path[1] == ':' && !path[2];
    wide_path wide;
    return drive || _wmkdir(widen(&wide, path)) == 0 || errno == EEXIST;
}

bool file_is_regular(const char *path)
{
    struct _stat64 status;
    return find_status(path, &status) && (status.st_mode & _S_IFMT) == _S_IFREG;
}

bool file_is_pipe(const char *path)
{
    return strcmp(path, "-") == 0;
}

int file_open_bytes(const char *path)
{
    if (file_is_pipe(path)) {
        file_as_is(stdin);
        return _fileno(stdin);
    }
    wide_path wide;
    return _wopen(widen(&wide, path), _O_RDONLY | _O_BINARY);
}

long file_read_bytes(int file, void *to, size_t room)
{
    return _read(file, to, (unsigned)(room < INT_MAX ? room : INT_MAX));
}

void file_close_bytes(int file)
{
    if (file != _fileno(stdin))
        _close(file);
}

long long file_size(int file)
{
    struct _stat64 status;
    return _fstat64(file, &status) == 0 && (status.st_mode & _S_IFMT) == _S_IFREG ? status.st_size : -1;
}

bool file_is_still(int file, const char *path)
{
    (void)file;
    (void)path;
    return true;
}

bool file_is_directory(const char *path)
{
    struct _stat64 status;
    return find_status(path, &status) && (status.st_mode & _S_IFMT) == _S_IFDIR;
}

bool file_find_target(arena *a, const char *path, file_target *target, const char **reason)
{
    struct _stat64 status;
    (void)a;
    *target = (file_target){.path = path, .directory_size = file_directory_size(path)};
    target->exists = find_status(path, &status);
    if (!target->exists) {
        *reason = strerror(errno);
        return errno == ENOENT;
    }
    wide_path wide;
    bool regular = (status.st_mode & _S_IFMT) == _S_IFREG;
    *reason = regular ? "the file is read-only" : "it is not a regular file";
    return regular && _waccess(widen(&wide, path), WRITABLE) == 0;
}

long file_process(void)
{
    return _getpid();
}

FILE *file_create(const char *path, const file_target *target)
{
    (void)target;
    wide_path wide;
    int file = _wopen(widen(&wide, path), _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY, _S_IREAD | _S_IWRITE);
    return file < 0 ? NULL : _fdopen(file, "wb");
}

bool file_replace(const char *from, const char *to)
{
    wide_path wide_from, wide_to;
    if (MoveFileExW(widen(&wide_from, from), widen(&wide_to, to), REPLACE_EXISTING))
        return true;
    errno = GetLastError() == ERROR_NUMBER_ACCESS_DENIED ? EACCES : EIO;
    return false;
}

bool file_remove(const char *path)
{
    wide_path wide;
    return _wunlink(widen(&wide, path)) == 0;
}

bool file_is_terminal(FILE *stream)
{
    return _isatty(_fileno(stream));
}

void file_as_is(FILE *stream)
{
    _setmode(_fileno(stream), _O_BINARY);
}

#else

#include <dirent.h>
#include <unistd.h>

enum { MAX_LINKS = 40 };

char **file_arguments(arena *a, int *argc, char **argv)
{
    (void)a;
    (void)argc;
    return argv;
}

static FILE *open_stream(const char *path, const char *mode)
{
    return fopen(path, mode);
}

bool file_is_separator(char c)
{
    return c == '/';
}

static const char *existing_identity(arena *a, const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return NULL;
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

bool file_is_pipe(const char *path)
{
    struct stat status;
    return strcmp(path, "-") == 0 || (stat(path, &status) == 0 && S_ISFIFO(status.st_mode));
}

int file_open_bytes(const char *path)
{
    if (strcmp(path, "-") == 0)
        return STDIN_FILENO;
    struct stat status;
    if (stat(path, &status) != 0 || S_ISREG(status.st_mode) || S_ISFIFO(status.st_mode))
        return open(path, O_RDONLY);
    errno = S_ISDIR(status.st_mode) ? EISDIR : ESPIPE;
    return -1;
}

long file_read_bytes(int file, void *to, size_t room)
{
    return (long)read(file, to, room < LONG_MAX ? room : LONG_MAX);
}

void file_close_bytes(int file)
{
    if (file != STDIN_FILENO)
        close(file);
}

long long file_size(int file)
{
    struct stat status;
    return fstat(file, &status) == 0 && S_ISREG(status.st_mode) ? (long long)status.st_size : -1;
}

bool file_is_still(int file, const char *path)
{
    struct stat opened, there;
    return fstat(file, &opened) != 0 || stat(path, &there) != 0 ||
           (opened.st_dev == there.st_dev && opened.st_ino == there.st_ino);
}

bool file_is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

const char **file_list(arena *a, const char *directory, size_t *count)
{
    const char **list = NULL;
    DIR *opened = opendir(directory);
    *count = 0;
    if (!opened)
        return list;
    for (const struct dirent *entry; (entry = readdir(opened));)
        list = add_name(a, list, count, entry->d_name);
    closedir(opened);
    if (*count > 0)
        qsort(list, *count, sizeof *list, compare_names);
    return list;
}

static FILE *standard_stream(const char *path)
{
    struct stat status, standard;
    if (strcmp(path, "-") == 0)
        return stdout;
    if (stat(path, &status) != 0)
        return NULL;
    for (int number = STDOUT_FILENO; number <= STDERR_FILENO; number++)
        if (fstat(number, &standard) == 0 && standard.st_dev == status.st_dev && standard.st_ino == status.st_ino)
            return number == STDOUT_FILENO ? stdout : stderr;
    return NULL;
}

bool file_is_stream(const char *path)
{
    struct stat status;
    if (standard_stream(path))
        return true;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
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
        path = to[0] == '/' ? to : arena_printf(a, "%.*s%s", (int)file_directory_size(path), path, to);
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
    *target = (file_target){.path = leads_to, .directory_size = file_directory_size(leads_to)};
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

bool file_remove(const char *path)
{
    return unlink(path) == 0;
}

bool file_is_terminal(FILE *stream)
{
    return isatty(fileno(stream));
}

void file_as_is(FILE *stream)
{
    (void)stream;
}

#endif
