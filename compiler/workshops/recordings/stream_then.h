/* stream_then.h - the list of the types of a stream, for an older version.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_STREAM_THEN_H
#define PKTC_STREAM_THEN_H

#include "codec/stream_list.h"
#include "releases/conversion.h"

/* The same list for an older version, by name. Items that may have no values (`Event*`) are left out if the version
 * lacks their type. If it lacks another name: NULL, with *missing, the description of it. */
codec_part *stream_list_then(arena *a, diag *d, const conversion *c, const codec_part *now, const char **missing);

#endif
