/* process.c - see process.h.
 * SPDX-License-Identifier: MIT
 */
#include "process.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void give_up(const char *what)
{
    perror(what);
    exit(2);
}

static char *format_arguments(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int size = vsnprintf(NULL, 0, format, arguments);
    char *text = size < 0 ? NULL : malloc((size_t)size + 1);
    if (!text)
        give_up("vsnprintf");
    vsnprintf(text, (size_t)size + 1, format, again);
    va_end(again);
    return text;
}

char *text_format(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = format_arguments(format, arguments);
    va_end(arguments);
    return text;
}

char *file_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    size_t size = 0, capacity = 4096, got;
    char *text = malloc(capacity + 1);
    while (text && (got = fread(text + size, 1, capacity - size, file)) > 0) {
        size += got;
        if (size == capacity)
            text = realloc(text, (capacity *= 2) + 1);
    }
    if (!text || ferror(file))
        give_up(path);
    fclose(file);
    text[size] = '\0';
    return text;
}

void file_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        give_up(path);
    size_t size = strlen(text);
    if (fwrite(text, 1, size, file) != size || fclose(file) != 0)
        give_up(path);
}

process_result process_run(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *command = format_arguments(format, arguments);
    va_end(arguments);

    /* Through files: with pipes, a program that fills one while we read the other would wait forever. */
    char out[] = "/tmp/pktc-test-out-XXXXXX", err[] = "/tmp/pktc-test-err-XXXXXX";
    int out_file = mkstemp(out), err_file = mkstemp(err);
    if (out_file < 0 || err_file < 0)
        give_up("mkstemp");
    close(out_file);
    close(err_file);
    char *redirected = text_format("{ %s ; } >%s 2>%s", command, out, err);
    int status = system(redirected);
    if (status < 0)
        give_up("system");
    process_result result = {
        .status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
        .out = file_read(out),
        .err = file_read(err),
    };
    unlink(out);
    unlink(err);
    free(redirected);
    free(command);
    return result;
}

void process_free(process_result *result)
{
    free(result->out);
    free(result->err);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **directory_list(const char *path, const char *ending, size_t *count)
{
    size_t capacity = 16, end_size = strlen(ending);
    char **list = malloc(capacity * sizeof *list);
    *count = 0;
    DIR *directory = opendir(path);
    struct dirent *entry;
    while (list && directory && (entry = readdir(directory)) != NULL) {
        size_t size = strlen(entry->d_name);
        if (entry->d_name[0] == '.' || size < end_size || strcmp(entry->d_name + size - end_size, ending) != 0)
            continue;
        if (*count + 1 == capacity)
            list = realloc(list, (capacity *= 2) * sizeof *list);
        if (list)
            list[(*count)++] = text_format("%s", entry->d_name);
    }
    if (!list)
        give_up(path);
    if (directory)
        closedir(directory);
    list[*count] = NULL;
    qsort(list, *count, sizeof *list, by_name);
    return list;
}

void directory_list_free(char **list)
{
    for (char **each = list; *each; each++)
        free(*each);
    free(list);
}

const char *setting(const char *name)
{
    const char *value = getenv(name);
    if (!value) {
        fprintf(stderr, "%s is not set; run the tests by make\n", name);
        exit(2);
    }
    return value;
}
