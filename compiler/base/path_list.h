/* path_list.h - a list of paths without duplicates, in the order in which they were added.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_PATH_LIST_H
#define PKTC_PATH_LIST_H

#include "base/arena.h"

typedef struct path_list {
    const char **paths;
    size_t count, capacity;
} path_list;

void path_list_add(arena *a, path_list *list, const char *path);

#endif
