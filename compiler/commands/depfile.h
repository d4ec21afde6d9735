/* depfile.h - what a build was made from, in the words of make.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DEPFILE_H
#define PKTC_DEPFILE_H

#include "base/out.h"

/* A list of paths, each once, in the order of their first mention. */
typedef struct path_list {
    const char **paths;
    size_t count, capacity;
} path_list;

void path_list_add(arena *a, path_list *list, const char *path);

/* One rule, all outputs from all prerequisites, then an empty rule for each prerequisite, so that a file which is no
 * longer imported may be deleted without stopping make. Bytes that make gives a meaning are escaped. */
const char *depfile_text(arena *a, const outputs *made, const path_list *prerequisites, size_t *size);

#endif
