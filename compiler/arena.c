/* arena.c - chunks that double in size, handed out from the front.
 * SPDX-License-Identifier: MIT
 */
#include "arena.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CHUNK = 1 << 16, GREATEST_CHUNK = 1 << 22 };

typedef struct chunk {
    struct chunk *next;
    max_align_t bytes[];
} chunk;

struct arena {
    chunk *chunks;
    char *free;         /* the unused rest of the newest chunk */
    size_t left;
    size_t next_size;
};

static void *allocate_or_exit(size_t size)
{
    void *memory = calloc(1, size);
    if (!memory) {
        fputs("pktc: out of memory\n", stderr);
        exit(1);
    }
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
    return c;
}

void *arena_alloc(arena *a, size_t size)
{
    const size_t unit = sizeof(max_align_t);
    assert(size < SIZE_MAX / 4 && "a size nobody can mean");
    size = (size + unit - 1) / unit * unit;
    /* A big piece gets a chunk of its own, so that the rest of the current one is not lost. */
    if (size > a->left && size > a->next_size / 4)
        return add_chunk(a, size)->bytes;
    if (size > a->left) {
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

char *arena_text(arena *a, const char *text, size_t size)
{
    char *copy = arena_alloc(a, size + 1);
    if (size)
        memcpy(copy, text, size);
    return copy;
}

char *arena_vprintf(arena *a, const char *format, va_list arguments)
{
    assert(format);
    va_list again;
    va_copy(again, arguments);
    int size = vsnprintf(NULL, 0, format, again);
    va_end(again);
    assert(size >= 0 && "a format that cannot be printed");
    char *text = arena_alloc(a, (size_t)size + 1);
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
