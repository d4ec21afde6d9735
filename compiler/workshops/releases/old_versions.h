/* old_versions.h - older versions of a schema, for `pktc convert` and for --upgrade; reports parts that do not convert.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_OLD_VERSIONS_H
#define PKTC_OLD_VERSIONS_H

#include "releases/releases.h"
#include "releases/conversion.h"

/* A checked schema as an older version of `now`. for_c: generated C converts only values, so the older version needs no
 * codes; a recording needs them to read its deltas. number: of the release, or 0. */
old_version *make_old_version(run *r, schema *s, uint32_t number, bool for_c, const wire *now);

/* Puts the versions of all releases except the schema's own into u, the newest first. for_c: as above. False after an
 * error. */
bool load_releases(run *r, const releases *all, bool for_c, upgrade *u);

/* Reports what does not convert to the current version. */
void report_refusals(run *r, upgrade *u);

#endif
