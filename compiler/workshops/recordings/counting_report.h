/* counting_report.h - shared by counting_report.c, which counts whole recordings, and follow.c, which counts seconds.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_COUNTING_REPORT_H
#define PKTC_COUNTING_REPORT_H

#include "driver/run.h"
#include "recordings/datagrams.h"
#include "recordings/tally.h"

typedef struct counting {
    tally *tally;
    datagrams *kinds;
    arena *scratch; /* of one datagram */
} counting;

/* Nanoseconds since 1970; 0 if the recording has no times. */
uint64_t time_of_datagram(const recorded *r);

/* A recorded_visitor, with the counting as `user`: counts a datagram. */
void count_datagram(void *user, const recorded *r);

/* Waits until a recording that is being written has begun. False if the user did not want to wait. */
bool follow_begun(run *r);

/* `pktc report --follow`: prints what each few seconds took, until the user or the end of a pipe ends it. */
void follow_recording(run *r, const datagrams_request *request);

#endif
