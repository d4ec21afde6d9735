/* source.c - reads files; finds lines by binary search. See source.h.
 * SPDX-License-Identifier: MIT
 */
#include "base/source.h"
#include "base/files.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { GREATEST_FILE = 256 << 20, FIRST_READ = 1 << 16, MARK_SIZE = 3 };

static source *source_new(arena *a, const char *path, const void *text, size_t size)
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
    s->marks = ARENA_ARRAY(a, source_mark, s->size / MARKED_BYTES + 1);
    return s;
}

const source *source_from(arena *a, const char *path, const void *text, size_t size)
{
    return source_new(a, path, text, size);
}

const source *source_recorded(arena *a, const char *path, const void *text, size_t size)
{
    source *s = source_new(a, path, text, size);
    s->alone = true;
    return s;
}

/* The size of a pipe is not known in advance, so the buffer grows while reading. */
uint8_t *read_to_end(arena *a, FILE *file, size_t most, size_t *size)
{
    size_t capacity = FIRST_READ;
    uint8_t *bytes = arena_alloc(a, capacity);
    *size = 0;
    errno = 0;
    for (size_t got; *size <= most && (got = fread(bytes + *size, 1, capacity - *size, file)) > 0;) {
        *size += got;
        if (*size == capacity) {
            bytes = arena_grow(a, bytes, capacity, 2 * capacity);
            capacity *= 2;
        }
    }
    if (*size > most)
        errno = EFBIG;
    return *size > most || ferror(file) ? NULL : bytes;
}

static const source *source_of(arena *a, FILE *file, const char *path)
{
    size_t size;
    arena *scratch = arena_new();
    const uint8_t *text = read_to_end(scratch, file, GREATEST_FILE, &size);
    const int failure = errno;
    const source *s = text ? source_from(a, path, text, size) : NULL;
    arena_free(scratch);
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
