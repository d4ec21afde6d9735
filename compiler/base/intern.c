/* intern.c - one pointer for each distinct name.
 * SPDX-License-Identifier: MIT
 */
#include "base/hash_table.h"

#include <string.h>

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
