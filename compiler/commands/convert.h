/* convert.h - pktc convert: the bytes of a value of an older version as those of the version now.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_CONVERT_H
#define PKTC_CONVERT_H

#include "commands/codec_io.h"
#include "diff/conversion.h"

/* Converts the input to standard output. If there are several older versions, or `find` is set, the checksum says which
 * one a packet is of, and it can be of the version now. What the value loses are warnings in d; errors go there too. */
void convert(arena *a, diag *d, const upgrade *u, bool find, const codec_request *request);

#endif
