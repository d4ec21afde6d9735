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
        const size_t before = list->capacity * sizeof *list->paths;
        list->capacity = list->capacity ? list->capacity * 2 : 16;
        list->paths = arena_grow(a, list->paths, before, list->capacity * sizeof *list->paths);
    }
    list->paths[list->count++] = path;
}
