/* arena.c - chunks that double in size, handed out from the front.
 * SPDX-License-Identifier: MIT
 */
#include "base/arena.h"

#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CHUNK = 1 << 16, GREATEST_CHUNK = 1 << 22 };

/* MSVC has no max_align_t in C. */
typedef union most_aligned {
    long long integer;
    long double real;
    void *pointer;
} most_aligned;

typedef struct chunk {
    struct chunk *next;
    size_t size; /* of the piece that has this chunk to itself; 0: the chunk is shared */
    most_aligned bytes[];
} chunk;

struct arena {
    chunk *chunks;
    char *free; /* the unused rest of the newest chunk */
    size_t left;
    size_t next_size;
    size_t size; /* of all chunks */
};

void arena_out_of_memory(void)
{
    fputs("pktc: out of memory\n", stderr);
    exit(1);
}

static void *allocate_or_exit(size_t size)
{
    void *memory = calloc(1, size);
    if (!memory)
        arena_out_of_memory();
    return memory;
}

arena *arena_new(void)
{
    arena *a = allocate_or_exit(sizeof *a);
    a->next_size = FIRST_CHUNK;
    return a;
}

void arena_free(arena *a)
{
    for (chunk *c = a->chunks; c;) {
        chunk *next = c->next;
        free(c);
        c = next;
    }
    free(a);
}

static chunk *add_chunk(arena *a, size_t size)
{
    chunk *c = allocate_or_exit(sizeof(chunk) + size);
    c->next = a->chunks;
    a->chunks = c;
    a->size += size;
    return c;
}

void *arena_alloc(arena *a, size_t size)
{
    const size_t unit = sizeof(most_aligned);
    assert(size < SIZE_MAX / 4 && "no caller means a size like this");
    size = (size + unit - 1) / unit * unit;
    /* A big piece gets its own chunk, so that the rest of the current chunk is not wasted. */
    if (size > a->left && size > a->next_size / 4) {
        chunk *own = add_chunk(a, size);
        own->size = size;
        return own->bytes;
    }
    if (size > a->left || !a->free) {
        a->free = (char *)add_chunk(a, a->next_size)->bytes;
        a->left = a->next_size;
        if (a->next_size < GREATEST_CHUNK)
            a->next_size *= 2;
    }
    void *piece = a->free;
    a->free += size;
    a->left -= size;
    return piece;
}

/* The link to the chunk that holds only this piece; NULL if the piece shares its chunk. */
static chunk **own_chunk(arena *a, const void *piece)
{
    for (chunk **link = &a->chunks; *link; link = &(*link)->next)
        if ((*link)->size && (*link)->bytes == piece)
            return link;
    return NULL;
}

void arena_give_back(arena *a, void *piece)
{
    chunk **link = own_chunk(a, piece);
    if (!link)
        return;
    chunk *gone = *link;
    *link = gone->next;
    a->size -= gone->size;
    free(gone);
}

void *arena_grow(arena *a, void *piece, size_t old_size, size_t size)
{
    chunk **link = own_chunk(a, piece);
    if (link) {
        chunk *grown = realloc(*link, sizeof *grown + size);
        if (!grown)
            arena_out_of_memory();
        a->size += size - grown->size;
        grown->size = size;
        *link = grown;
        return grown->bytes;
    }
    void *copy = arena_alloc(a, size);
    if (old_size != 0)
        memcpy(copy, piece, old_size);
    return copy;
}

void arena_clear(arena *a)
{
    chunk *kept = NULL;
    for (chunk *c = a->chunks, *next; c; c = next) {
        next = c->next;
        if (!kept && !c->size)
            kept = c;
        else
            free(c);
    }
    a->chunks = kept;
    a->size = 0;
    if (!kept)
        return;
    kept->next = NULL;
    size_t used = (size_t)(a->free - (char *)kept->bytes);
    a->size = used + a->left;
    memset(kept->bytes, 0, used);
    a->free -= used;
    a->left += used;
}

size_t arena_used(const arena *a)
{
    return a->size - a->left;
}

char *arena_text(arena *a, const char *text, size_t size)
{
    char *copy = arena_alloc(a, size + 1);
    if (size)
        memcpy(copy, text, size);
    return copy;
}

static size_t print_unsigned(char *end, unsigned number)
{
    char *first = end;
    do {
        *--first = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    return (size_t)(end - first);
}

/* Most formats have no directives but %s and %u: prints these much faster than vsnprintf does. Returns the size of the
 * text, or -1 if the format has other directives or the room is too small. */
static int print_plain(char *to, size_t room, const char *format, va_list arguments)
{
    char digits[3 * sizeof(unsigned)], *digits_end = digits + sizeof digits;
    size_t size = 0;
    while (*format != '\0') {
        const char *part = format;
        size_t part_size;
        if (*format != '%') {
            part_size = strcspn(format, "%");
            format += part_size;
        } else if (format[1] == 's') {
            part = va_arg(arguments, const char *);
            part_size = strlen(part);
            format += 2;
        } else if (format[1] == 'u') {
            part_size = print_unsigned(digits_end, va_arg(arguments, unsigned));
            part = digits_end - part_size;
            format += 2;
        } else {
            return -1;
        }
        if (part_size >= room - size)
            return -1;
        memcpy(to + size, part, part_size);
        size += part_size;
    }
    return size < room && size <= INT_MAX ? (int)size : -1;
}

char *arena_vprintf(arena *a, const char *format, va_list arguments)
{
    assert(format);
    va_list again;
    va_copy(again, arguments);
    /* Print into the free part of the chunk: most texts fit there and need no second pass. */
    int size = print_plain(a->free, a->left, format, again);
    va_end(again);
    if (size < 0) {
        va_copy(again, arguments);
        size = vsnprintf(a->free, a->left, format, again);
        va_end(again);
    }
    assert(size >= 0 && "a format that cannot be printed");
    bool fits = (size_t)size < a->left;
    if (!fits && a->left)
        memset(a->free, 0, a->left);
    char *text = arena_alloc(a, (size_t)size + 1);
    if (!fits)
        vsnprintf(text, (size_t)size + 1, format, arguments);
    return text;
}

char *arena_printf(arena *a, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = arena_vprintf(a, format, arguments);
    va_end(arguments);
    return text;
}
