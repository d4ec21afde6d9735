/* map.c - a table of pairs of pointers: (owner, interned name) to anything.
 * SPDX-License-Identifier: MIT
 */
#include "base/map.h"

#include "base/hash_table.h"

typedef struct entry {
    const void *owner;
    const char *name;
    void *value;
} entry;

struct map {
    hash_table *table;
};

map *map_new(arena *a)
{
    map *m = ARENA_NEW(a, map);
    m->table = hash_table_new(a);
    return m;
}

static uint64_t key_hash(const void *owner, const char *name)
{
    uint64_t hash = (uint64_t)(uintptr_t)owner * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ (uint64_t)(uintptr_t)name) * UINT64_C(0xff51afd7ed558ccd);
    return hash ^ hash >> 32;
}

static bool is_same_key(const void *at, const void *key)
{
    const entry *a = at, *b = key;
    return a->owner == b->owner && a->name == b->name;
}

static entry *find_entry(const map *m, const void *owner, const char *name)
{
    const entry key = {owner, name, NULL};
    return hash_table_find(m->table, key_hash(owner, name), is_same_key, &key);
}

void *map_get(const map *m, const void *owner, const char *name)
{
    const entry *e = find_entry(m, owner, name);
    return e ? e->value : NULL;
}

void map_put(arena *a, map *m, const void *owner, const char *name, void *what)
{
    entry *e = find_entry(m, owner, name);
    if (!e) {
        e = ARENA_NEW(a, entry);
        *e = (entry){owner, name, NULL};
        hash_table_add(m->table, key_hash(owner, name), e);
    }
    e->value = what;
}
