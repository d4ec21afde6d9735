/* versions.h - what `pktc diff`, `archive`, `convert` and --upgrade do: they check schemas of several versions.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_VERSIONS_H
#define PKTC_VERSIONS_H

#include "base/out.h"
#include "check/check.h"
#include "commands/codec_io.h"
#include "diff/conversion.h"
#include "options/options.h"

typedef struct versions {
    arena *arena;
    names *names;
    diag *diag;
    const options *options;
} versions;

/* Prints what changed. before NULL: since the newest release in the archive. Returns the exit status of the verdict; 0
 * after errors, which are in diag. */
int versions_compare(const versions *v, const source *before, const source *after);

/* The releases in the folder of --upgrade that are another version than a schema. NULL after an error. */
const upgrade *versions_upgrade(const versions *v, const wire *now);

/* `pktc convert` from the older schema `old` at a place; NULL: the place is a folder of releases. */
void versions_convert(const versions *v, const char *place, const source *old, const source *now,
                      const codec_request *request);

/* `pktc convert` of a recording. place, old: as above; without a place, the older schemas are those in the
 * recording. */
void versions_convert_recording(const versions *v, const char *place, const source *old, const source *now);

/* Adds the file that the archive needs to keep a schema; none if it has the schema already. */
void versions_keep(const versions *v, const schema *s, outputs *made);

#endif
