/* map.h - a hash table from (owner, interned name) to anything, such as the members of enums or the fields of structs.
 * SPDX-License-Identifier: MIT
 *
 *     map_put(a, fields, body, name, f);       // body is a decl, name comes from intern()
 *     field *f = map_get(fields, body, name);
 *
 * Both halves of a key are compared by pointer, and either may be NULL. Entries are never removed. The memory comes
 * from the arena.
 */
#ifndef PKTC_MAP_H
#define PKTC_MAP_H

#include "base/arena.h"

typedef struct map map;

map *map_new(arena *a);

/* NULL if there is no entry. */
void *map_get(const map *m, const void *owner, const char *name);

/* Adds or replaces an entry; `what` must not be NULL. The arena must be that of map_new. */
void map_put(arena *a, map *m, const void *owner, const char *name, void *what);

#endif
