/* encode.h - pktc encode: converts JSON to bytes.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_ENCODE_H
#define PKTC_ENCODE_H

#include "commands/codec_io.h"

/* Encodes standard input to standard output: a packet with its frame, or another struct or union as a bare body.
 * Errors in the value go to d. */
void encode(arena *a, diag *d, const schema *s, const codec_request *request);

/* Whether bytes can go to standard output; otherwise reports why not. hex: as digits. */
bool encode_can_print(diag *d, bool hex);
void encode_print(const uint8_t *data, size_t size, bool hex);

#endif
