/* decode.h - pktc decode: converts bytes to JSON, or lists which bits are what.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DECODE_H
#define PKTC_DECODE_H

#include "commands/codec_io.h"

/* Decodes standard input to standard output: a packet with its frame, or another struct or union as a bare body that
 * fills whole bytes. Errors in the input go to d. */
void decode(arena *a, diag *d, const schema *s, const codec_request *request);

/* The same for bytes in memory. */
void decode_bytes(codec_io *io, const uint8_t *data, size_t size);

/* The bytes of the input, which are digits with --hex. NULL after an error. */
const uint8_t *decode_input(codec_io *io, size_t *size);

#endif
