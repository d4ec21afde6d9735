/* encode.h - pktc encode: JSON to bytes.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_ENCODE_H
#define PKTC_ENCODE_H

#include "commands/codec_io.h"

/* Encodes standard input to standard output: a packet with its frame, another struct or union as a bare value. What is wrong
 * with the value is an error in d. */
void encode(arena *a, diag *d, const schema *s, const codec_request *request);

#endif
