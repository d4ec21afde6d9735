/* command_convert.h - the versions that `pktc convert` is given, for values and for recordings.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_COMMAND_CONVERT_H
#define PKTC_COMMAND_CONVERT_H

#include "driver/run.h"
#include "releases/old_versions.h"

/* The older schemas, as the command line gives them. */
typedef struct older {
    const char *place;  /* a schema, or a folder of releases; NULL: the recording has them */
    const source *text; /* NULL: the place is a folder */
} older;

/* Reads the schemas of the command line, and checks the newer one. NULL after an error. */
const schema *read_versions(run *r, older *from);

/* Loads the versions in a folder, or the version in a file. False after an error. */
bool load_older(run *r, const older *from, upgrade *u);

#endif
