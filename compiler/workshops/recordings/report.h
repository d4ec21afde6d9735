/* report.h - prints the uses of a recording's bytes, and changes that would save some.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_REPORT_H
#define PKTC_REPORT_H

#include "base/out.h"
#include "recordings/tally.h"

/* Tables of text: datagrams, fields, sparse arrays, advice. */
void report_text(arena *a, const tally *t, out *to);

/* All of it as one JSON object. */
void report_json(arena *a, const tally *t, out *to);

/* A page that needs no other file. */
void report_html(arena *a, const tally *t, out *to);

/* ">15.18" if the entropy is only a lower bound; "" if nothing was counted. */
const char *report_entropy(arena *a, const histogram *h);

/* Seconds from the first datagram to the last; 0 if the recording has no times. */
double report_seconds(const tally *t);

#endif
