/* map.h - a hash table from pairs of pointers, (owner, interned name), to anything: members of enums, fields of structs.
 * SPDX-License-Identifier: MIT
 *
 * Keys are compared by pointer, and either half of one may be NULL. Entries are never removed. The memory is the arena's.
 */
#ifndef PKTC_MAP_H
#define PKTC_MAP_H

#include "base/arena.h"

typedef struct map map;

map *map_new(arena *a);

/* NULL if there is no entry. */
void *map_get(const map *m, const void *owner, const char *name);

/* Adds an entry or replaces it; `what` is not NULL. The arena is the one the map was made in. */
void map_put(arena *a, map *m, const void *owner, const char *name, void *what);

#endif
