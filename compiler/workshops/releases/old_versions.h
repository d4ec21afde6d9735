/* old_versions.h - older versions of a schema, for `pktc convert` and for --upgrade; reports parts that do not convert.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_OLD_VERSIONS_H
#define PKTC_OLD_VERSIONS_H

#include "releases/releases.h"
#include "releases/conversion.h"

/* Removes everything that ties a schema to a program: local fields, types of the program, warnings. None of it is on
 * the wire, and today's program has no such types for an older version. */
void schema_without_program(arena *a, schema *s);

/* A checked schema as an older version of `now`. for_c: generated C converts only values, so the older version needs no
 * codes; a recording needs them to read its deltas. number: of the release, or 0. */
old_version *make_old_version(run *r, schema *s, uint32_t number, bool for_c, const wire *now);

/* Puts the versions of all releases except the schema's own into u, the newest first. for_c: as above. False after an
 * error. */
bool load_releases(run *r, const releases *all, bool for_c, upgrade *u);

/* Reports what does not convert to the current version. */
void report_refusals(run *r, upgrade *u);

#endif
