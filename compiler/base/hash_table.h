/* hash_table.h - a hash table of pointers to whatever its user keeps. All tables of pktc are made of it: names (intern.c), maps
 * (map.h), messages (diag.c).
 * SPDX-License-Identifier: MIT
 *
 * The user knows what a key is: it computes the hash of one, and tells whether an entry has it. Entries are never removed.
 */
#ifndef PKTC_HASH_TABLE_H
#define PKTC_HASH_TABLE_H

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct hash_table hash_table;

/* An empty table in the arena. */
hash_table *hash_table_new(arena *a);

/* The entry with that hash of which match(entry, key) is true, or NULL. */
void *hash_table_find(const hash_table *t, uint64_t hash, bool (*match)(const void *entry, const void *key),
                      const void *key);

/* Adds an entry, which is not NULL and whose key no entry has. */
void hash_table_add(hash_table *t, uint64_t hash, void *entry);

/* A hash of bytes and of a number before them, such as the hash of another part of the key. */
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size);

#endif
