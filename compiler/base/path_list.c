/* path_list.c - appends a path unless the list has it already.
 * SPDX-License-Identifier: MIT
 */
#include "base/path_list.h"

#include <string.h>

void path_list_add(arena *a, path_list *list, const char *path)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->paths[i], path) == 0)
            return;
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 16;
        const char **paths = ARENA_ARRAY(a, const char *, capacity);
        if (list->count > 0)
            memcpy(paths, list->paths, list->count * sizeof *paths);
        list->paths = paths;
        list->capacity = capacity;
    }
    list->paths[list->count++] = path;
}
