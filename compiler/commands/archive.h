/* archive.h - `pktc archive`: a folder of schemas as they were released, each in one file that needs no others.
 * SPDX-License-Identifier: MIT
 *
 * A file is called game-004-fb469d262ae83035.pkt: the name of the protocol, the number of the release, which grows by
 * one, and the protocol id. The newest release is the one with the greatest number, whatever the times of the files.
 */
#ifndef PKTC_ARCHIVE_H
#define PKTC_ARCHIVE_H

#include "base/diag.h"
#include "model/schema.h"

typedef struct release {
    uint32_t number;
    uint64_t id;
    const char *path;
} release;

typedef struct releases { /* of one protocol, the newest first */
    release *list;
    size_t count;
} releases;

/* Finds the releases of a protocol by the names of the files in a directory; none if it does not exist. False after
 * reporting that two releases have one number. */
bool archive_find(arena *a, diag *d, const char *directory, const char *protocol, releases *found);

/* The number of the release that a file is, by its name; 0 if it is none. */
uint32_t archive_number(const char *file, const char *protocol);

/* The release with an id, or NULL. */
const release *archive_with_id(const releases *all, uint64_t id);

/* The path of the release after all these. NULL if there is no number left for it. */
const char *archive_path(arena *a, const char *directory, const releases *all, const schema *s);

/* The schema as one file: its imports and its model are part of it, and of its comments only those are left that
 * document something (`///`), because they say in which unit a field is. */
const char *archive_text(arena *a, names *n, diag *d, const schema *s, size_t *size);

#endif
