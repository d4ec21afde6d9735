/* hash_table.h - a hash table of pointers. All tables of pktc are made of it: names, maps, messages.
 * SPDX-License-Identifier: MIT
 *
 * The caller defines the keys: it computes their hashes and decides whether an entry has a given key. Entries are never
 * removed.
 */
#ifndef PKTC_HASH_TABLE_H
#define PKTC_HASH_TABLE_H

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct hash_table hash_table;

/* An empty table in the arena. */
hash_table *hash_table_new(arena *a);

/* The entry with this hash for which match(entry, key) is true, or NULL. */
void *hash_table_find(const hash_table *t, uint64_t hash, bool (*match)(const void *entry, const void *key),
                      const void *key);

/* Adds an entry, which must not be NULL, and whose key must not be in the table yet. */
void hash_table_add(hash_table *t, uint64_t hash, void *entry);

/* A hash of the bytes combined with `hash`, the hash of the key's other parts; 0 if there are none. */
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size);

/* ---- map: a hash table from (owner, interned name) to anything, such as the members of enums or the fields of structs.
 *
 *     map_put(a, fields, body, name, f);       // body is a decl, name comes from intern()
 *     field *f = map_get(fields, body, name);
 *
 * Both halves of a key are compared by pointer, and either may be NULL. Entries are never removed. The memory comes
 * from the arena.
 */

typedef struct map map;

map *map_new(arena *a);

/* NULL if there is no entry. */
void *map_get(const map *m, const void *owner, const char *name);

/* Adds or replaces an entry; `what` must not be NULL. The arena must be that of map_new. */
void map_put(arena *a, map *m, const void *owner, const char *name, void *what);

#endif
