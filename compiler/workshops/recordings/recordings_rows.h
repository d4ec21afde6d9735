/* recordings_rows.h - the options of `pktc report`, `tally` and `train`.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_RECORDINGS_ROWS_H
#define PKTC_RECORDINGS_ROWS_H

#include "driver/usages.h"

typedef struct recordings_choices {
    const char *model;  /* -o of train; NULL: standard output */
    const char *tally;  /* -o of tally; likewise */
    bool check;         /* of train */
    uint32_t tolerance; /* per cent */
    uint32_t back, gap; /* of train TYPE, in values of a recording */
    bool follow;
    uint32_t interval; /* seconds */
} recordings_choices;

/* What the command line says. */
static inline const recordings_choices *recordings_chosen(const options *o)
{
    return chosen(o, "recordings");
}

extern const workshop recordings_workshop;

/* For commands that take schemas, unless the recordings have them, and recordings or tallies: takes these. False after a
 * mistake. */
bool take_recordings(command_line *line);

command_function command_report, command_tally, command_train, decode_recording, convert_packets;

#endif
