/* map.c - open addressing with linear probing; the table doubles when it is three quarters full. See map.h.
 * SPDX-License-Identifier: MIT
 */
#include "base/map.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct entry {
    const void *owner;
    const char *name;
    void *value; /* NULL: the entry is free */
} entry;

struct map {
    entry *entries;
    size_t capacity; /* a power of two */
    size_t count;
};

static entry *entry_at(const map *m, const void *owner, const char *name)
{
    uint64_t hash = (uint64_t)(uintptr_t)owner * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ (uint64_t)(uintptr_t)name) * UINT64_C(0xff51afd7ed558ccd);
    size_t i = (size_t)(hash ^ (hash >> 32)) & (m->capacity - 1);
    while (m->entries[i].value && (m->entries[i].owner != owner || m->entries[i].name != name)) {
        i = (i + 1) & (m->capacity - 1);
    }
    return &m->entries[i];
}

map *map_new(arena *a)
{
    map *m = ARENA_NEW(a, map);
    m->capacity = 16;
    m->entries = ARENA_ARRAY(a, entry, m->capacity);
    return m;
}

void *map_get(const map *m, const void *owner, const char *name)
{
    return entry_at(m, owner, name)->value;
}

static void grow(arena *a, map *m)
{
    entry *old = m->entries;
    size_t old_capacity = m->capacity;
    m->capacity *= 2;
    m->entries = ARENA_ARRAY(a, entry, m->capacity);
    for (size_t i = 0; i < old_capacity; i++) {
        if (old[i].value) {
            *entry_at(m, old[i].owner, old[i].name) = old[i];
        }
    }
    arena_give_back(a, old);
}

void map_put(arena *a, map *m, const void *owner, const char *name, void *what)
{
    entry *e = entry_at(m, owner, name);
    if (!e->value) {
        m->count++;
    }
    *e = (entry){owner, name, what};
    if (m->count * 4 > m->capacity * 3) {
        grow(a, m);
    }
}
