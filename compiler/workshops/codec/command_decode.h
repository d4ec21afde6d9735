/* command_decode.h - `pktc decode`: prints bytes as JSON or as a list of bits.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DECODE_H
#define PKTC_DECODE_H

#include "codec/codec_io.h"

/* Prints a value to standard output, also for `encode --bits`. Errors in the bytes are reported. */
void decode_bytes(codec_io *io, const uint8_t *data, size_t size);

#endif
