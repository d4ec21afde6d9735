/* releases.h - the releases in a folder of `pktc archive`: their files and their schemas.
 * SPDX-License-Identifier: MIT
 *
 * A file is called game-004-fb469d262ae83035.pkt: the name of the protocol, the number of the release, which grows by
 * one, and the protocol id. The newest release is the one with the greatest number, whatever the times of the files.
 */
#ifndef PKTC_RELEASES_H
#define PKTC_RELEASES_H

#include "commands/run.h"

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
bool releases_find(arena *a, diag *d, const char *directory, const char *protocol, releases *found);

/* The number of the release that a file is, by its name; 0 if it is none. */
uint32_t release_number(const char *file, const char *protocol);

/* The release with an id, or NULL. */
const release *release_with_id(const releases *all, uint64_t id);

/* The path of the release after all these. NULL if there is no number left for it. */
const char *release_path(arena *a, const char *directory, const releases *all, const schema *s);

/* The schema of a release, if it was archived with the --no-checks of this run, or without it as this run. *fits says
 * which. With a prefix, C can be made of it. NULL after an error: a release stays as it was. */
schema *release_schema(run *r, const release *of, const char *prefix, bool *fits);

/* The newest release of a schema's protocol in the folder of --against; NULL after an error. */
const schema *newest_release(run *r, const schema *of);

#endif
