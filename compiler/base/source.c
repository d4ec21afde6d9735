/* source.c - reads files; finds lines by binary search. See source.h.
 * SPDX-License-Identifier: MIT
 */
#include "base/source.h"
#include "base/files.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GREATEST_FILE = 256 << 20, FIRST_READ = 1 << 16, MARK_SIZE = 3 };

const source *source_from(arena *a, const char *path, const void *text, size_t size)
{
    assert(size <= GREATEST_FILE);
    source *s = ARENA_NEW(a, source);
    s->path = arena_text(a, path, strlen(path));
    s->text = (const unsigned char *)arena_text(a, text, size);
    s->size = (uint32_t)size;
    s->line_count = 1;
    for (uint32_t i = 0; i < s->size; i++)
        s->line_count += s->text[i] == '\n';
    uint32_t *lines = ARENA_ARRAY(a, uint32_t, s->line_count);
    for (uint32_t i = 0, line = 1; i < s->size; i++)
        if (s->text[i] == '\n')
            lines[line++] = i + 1;
    s->lines = lines;
    return s;
}

/* The bytes up to the end of the file, in a buffer that the caller frees; NULL if memory runs out. The buffer grows
 * while reading, because the size of a pipe is not known in advance. */
static char *read_to_end(FILE *file, size_t *size)
{
    size_t capacity = FIRST_READ;
    char *text = malloc(capacity);
    *size = 0;
    while (text) {
        *size += fread(text + *size, 1, capacity - *size, file);
        if (*size < capacity)
            break;
        if (*size > GREATEST_FILE) {
            errno = EFBIG;
            break;
        }
        char *grown = realloc(text, capacity *= 2);
        if (!grown)
            free(text);
        text = grown;
    }
    return text;
}

static const source *source_of(arena *a, FILE *file, const char *path)
{
    size_t size;
    errno = 0;
    char *text = read_to_end(file, &size);
    int failure = !text ? ENOMEM : ferror(file) ? errno : size > GREATEST_FILE ? EFBIG : 0;
    const source *s = failure ? NULL : source_from(a, path, text, size);
    free(text);
    errno = failure;
    return s;
}

const source *source_read(arena *a, const char *path)
{
    FILE *file = file_open(path);
    if (!file)
        return NULL;
    const source *s = source_of(a, file, path);
    int failure = errno;
    fclose(file);
    errno = failure;
    return s;
}

const source *source_read_input(arena *a)
{
    return source_of(a, stdin, "<stdin>");
}

/* The index of the line that contains an offset. */
static uint32_t line_index(const source *s, uint32_t offset)
{
    uint32_t low = 0, high = s->line_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (s->lines[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Where the text of a line starts: on the first line, after the byte-order mark. */
static uint32_t line_start(const source *s, uint32_t index)
{
    bool marked = index == 0 && s->size >= MARK_SIZE && memcmp(s->text, "\xef\xbb\xbf", MARK_SIZE) == 0;
    return s->lines[index] + (marked ? MARK_SIZE : 0);
}

void source_place(const source *s, uint32_t offset, uint32_t *line, uint32_t *column)
{
    uint32_t index = line_index(s, offset);
    uint32_t start = line_start(s, index);
    *line = index + 1;
    *column = offset < start ? 1 : offset - start + 1;
}

const char *source_line(const source *s, uint32_t line, uint32_t *size)
{
    assert(line >= 1 && line <= s->line_count);
    uint32_t begin = line_start(s, line - 1);
    uint32_t end = line < s->line_count ? s->lines[line] - 1 : s->size;
    if (end > begin && s->text[end - 1] == '\r')
        end--;
    *size = end - begin;
    return (const char *)s->text + begin;
}

const char *span_text(arena *a, span at)
{
    return arena_text(a, (const char *)at.source->text + at.begin, at.end - at.begin);
}

span span_join(span a, span b)
{
    assert(a.source == b.source);
    return (span){a.source, a.begin, b.end};
}
