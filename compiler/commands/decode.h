/* decode.h - pktc decode: bytes to JSON, or to the list of what is at which bit.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DECODE_H
#define PKTC_DECODE_H

#include "commands/codec_io.h"

/* Decodes standard input to standard output. The type asked for may be a packet, read with its frame, or another struct or
 * union, read as a bare value that ends with a byte. What is wrong with the input is an error in d. */
void decode(arena *a, diag *d, const schema *s, const codec_request *request);

/* Decodes bytes in the same way. */
void decode_bytes(codec_io *io, const uint8_t *data, size_t size);

#endif
