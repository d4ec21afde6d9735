/* hash_table.c - open addressing with linear probing, at most half full; and the maps and names that are made of it.
 * SPDX-License-Identifier: MIT
 */
#include "base/hash_table.h"

#include <string.h>

enum { FIRST_PLACES = 16 };

typedef struct table_place {
    uint64_t hash;
    void *entry; /* NULL: free */
} table_place;

struct hash_table {
    arena *arena;
    table_place *places;
    size_t capacity; /* a power of two */
    size_t count;
};

hash_table *hash_table_new(arena *a)
{
    hash_table *t = ARENA_NEW(a, hash_table);
    t->arena = a;
    t->capacity = FIRST_PLACES;
    t->places = ARENA_ARRAY(a, table_place, t->capacity);
    return t;
}

void *hash_table_find(const hash_table *t, uint64_t hash, bool (*match)(const void *entry, const void *key),
                      const void *key)
{
    for (size_t i = (size_t)hash & (t->capacity - 1);; i = (i + 1) & (t->capacity - 1)) {
        const table_place *p = &t->places[i];
        if (!p->entry || (p->hash == hash && match(p->entry, key)))
            return p->entry;
    }
}

static void put_in_place(hash_table *t, table_place new_one)
{
    size_t i = (size_t)new_one.hash & (t->capacity - 1);
    while (t->places[i].entry)
        i = (i + 1) & (t->capacity - 1);
    t->places[i] = new_one;
}

static void grow(hash_table *t)
{
    table_place *old = t->places;
    const size_t old_capacity = t->capacity;
    t->capacity *= 2;
    t->places = ARENA_ARRAY(t->arena, table_place, t->capacity);
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].entry)
            put_in_place(t, old[i]);
    arena_give_back(t->arena, old);
}

void hash_table_add(hash_table *t, uint64_t hash, void *entry)
{
    put_in_place(t, (table_place){hash, entry});
    if (++t->count > t->capacity / 2)
        grow(t);
}

/* FNV-1a, with its high half folded into the low bits, which choose the place. */
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    hash ^= UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 32;
}

/* ---- map */

typedef struct map_entry {
    const void *owner;
    const char *name;
    void *value;
} map_entry;

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
    const map_entry *a = at, *b = key;
    return a->owner == b->owner && a->name == b->name;
}

static map_entry *find_entry(const map *m, const void *owner, const char *name)
{
    const map_entry key = {owner, name, NULL};
    return hash_table_find(m->table, key_hash(owner, name), is_same_key, &key);
}

void *map_get(const map *m, const void *owner, const char *name)
{
    const map_entry *e = find_entry(m, owner, name);
    return e ? e->value : NULL;
}

void map_put(arena *a, map *m, const void *owner, const char *name, void *what)
{
    map_entry *e = find_entry(m, owner, name);
    if (!e) {
        e = ARENA_NEW(a, map_entry);
        *e = (map_entry){owner, name, NULL};
        hash_table_add(m->table, key_hash(owner, name), e);
    }
    e->value = what;
}

/* ---- names: one pointer for each distinct one */

typedef struct name {
    size_t size;
    char text[]; /* terminated */
} name;

typedef struct name_key {
    size_t size;
    const char *text;
} name_key;

struct names {
    arena *arena;
    hash_table *table;
};

names *names_new(arena *a)
{
    return ARENA_WITH(a, names, .arena = a, .table = hash_table_new(a));
}

static bool is_same_name(const void *entry, const void *key)
{
    const name *a = entry;
    const name_key *b = key;
    return a->size == b->size && memcmp(a->text, b->text, a->size) == 0;
}

const char *intern(names *n, const char *text, size_t size)
{
    const name_key key = {size, text};
    const uint64_t hash = hash_bytes(0, text, size);
    name *found = hash_table_find(n->table, hash, is_same_name, &key);
    if (!found) {
        found = arena_alloc(n->arena, sizeof *found + size + 1);
        found->size = size;
        memcpy(found->text, text, size);
        hash_table_add(n->table, hash, found);
    }
    return found->text;
}
