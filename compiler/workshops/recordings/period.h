/* period.h - prints the uses of the bytes of a few seconds, for `pktc report --follow`.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_PERIOD_H
#define PKTC_PERIOD_H

#include "base/out.h"
#include "recordings/tally.h"

typedef struct period {
    const tally *tally; /* of its datagrams alone, and settled */
    uint64_t begin;     /* nanoseconds since 1970 */
    uint64_t length;    /* nanoseconds; 0: the first datagram was the last one */
} period;

/* Tables of text of at most so many lines: datagrams, fields, pairs of sender and receiver, those with the most bytes
 * first. */
void period_text(arena *a, const period *p, unsigned lines, out *to);

/* All of it as one JSON object in one line. */
void period_json(arena *a, const period *p, out *to);

#endif
