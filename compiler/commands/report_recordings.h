/* report_recordings.h - `pktc report`: counts what is in recordings.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_REPORT_RECORDINGS_H
#define PKTC_REPORT_RECORDINGS_H

#include "record/datagrams.h"
#include "traffic/tally.h"

/* Counts all datagrams of all recordings. port: only those from or to it; 0: all. Shows on a terminal how far it is.
 * NULL after an error. */
const tally *report_recordings(arena *a, diag *d, const char *const *paths, size_t count, uint16_t port,
                               const datagrams_request *request);

#endif
