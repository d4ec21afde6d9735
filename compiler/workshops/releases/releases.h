/* releases.h - the releases in a folder of `pktc archive`: their files and their schemas.
 * SPDX-License-Identifier: MIT
 *
 * A file is called game-004-fb469d262ae83035.pkt: the name of the protocol, the number of the release, counted up by
 * one, and the protocol id. The release with the greatest number is the newest; the times of the files do not matter.
 */
#ifndef PKTC_RELEASES_H
#define PKTC_RELEASES_H

#include "driver/run.h"

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

/* The release number in a file's name; 0 if the file is no release. */
uint32_t release_number(const char *file, const char *protocol);

/* The release with an id, or NULL. */
const release *release_with_id(const releases *all, uint64_t id);

/* The path of the next release. NULL if there is no number left for it. */
const char *release_path(arena *a, const char *directory, const releases *all, const schema *s);

/* The schema of a release. *fits: the release was archived with --no-checks if this run has it, and otherwise without.
 * With a prefix, the schema is checked for the names of C. NULL after an error. */
schema *release_schema(run *r, const release *of, const char *prefix, bool *fits);

/* The newest release of a schema's protocol in a folder; NULL after an error. */
const schema *newest_release(run *r, const char *archive, const schema *of);

#endif
