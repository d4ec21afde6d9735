/* hash_table.c - open addressing with linear probing, at most half full.
 * SPDX-License-Identifier: MIT
 */
#include "base/hash_table.h"

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
