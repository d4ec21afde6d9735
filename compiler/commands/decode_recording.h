/* decode_recording.h - `pktc decode` of a recording: a line of JSON for each datagram.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DECODE_RECORDING_H
#define PKTC_DECODE_RECORDING_H

#include "record/datagrams.h"

/* Prints to standard output. port: only datagrams from or to it; 0: all. */
void decode_recording(arena *a, diag *d, const char *name, uint16_t port, const datagrams_request *request);

#endif
