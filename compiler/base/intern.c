/* intern.c - one pointer for each distinct name: a hash table with linear probing, at most half full.
 * SPDX-License-Identifier: MIT
 */
#include "base/arena.h"

#include <stdint.h>
#include <string.h>

enum { FIRST_CAPACITY = 1024 };

typedef struct slot {
    const char *text; /* NULL: the slot is free */
    size_t size;
    uint64_t hash;
} slot;

struct names {
    arena *arena;
    slot *slots;
    size_t capacity; /* a power of two */
    size_t used;
};

names *names_new(arena *a)
{
    names *n = ARENA_NEW(a, names);
    n->arena = a;
    n->capacity = FIRST_CAPACITY;
    n->slots = ARENA_ARRAY(a, slot, n->capacity);
    return n;
}

static uint64_t hash_of(const char *text, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 32;
}

/* The slot that holds the text, or the free slot where it belongs. */
static slot *find(const names *n, const char *text, size_t size, uint64_t hash)
{
    for (size_t i = (size_t)hash & (n->capacity - 1);; i = (i + 1) & (n->capacity - 1)) {
        slot *s = &n->slots[i];
        if (!s->text || (s->hash == hash && s->size == size && memcmp(s->text, text, size) == 0))
            return s;
    }
}

static void grow(names *n)
{
    slot *old = n->slots;
    size_t old_capacity = n->capacity;
    n->capacity *= 2;
    n->slots = ARENA_ARRAY(n->arena, slot, n->capacity);
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].text)
            *find(n, old[i].text, old[i].size, old[i].hash) = old[i];
    arena_give_back(n->arena, old);
}

const char *intern(names *n, const char *text, size_t size)
{
    uint64_t hash = hash_of(text, size);
    slot *s = find(n, text, size, hash);
    if (s->text)
        return s->text;
    *s = (slot){arena_text(n->arena, text, size), size, hash};
    const char *result = s->text;
    if (++n->used > n->capacity / 2)
        grow(n);
    return result;
}
