/* releases_rows.h - the options of `pktc diff` and `archive`, and those of compiling for older releases.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_RELEASES_ROWS_H
#define PKTC_RELEASES_ROWS_H

#include "driver/usages.h"

typedef struct releases_choices {
    bool capture;
    const char *upgrade; /* the folder of releases */
    uint32_t serve;      /* how many of them are written too */
    const char *archive; /* --against; also the folder of `pktc archive` */
    bool meanings;
} releases_choices;

/* What the command line says. */
static inline const releases_choices *releases_chosen(const options *o)
{
    return chosen(o, "releases");
}

extern const workshop releases_workshop;

command_function command_diff, command_archive;

#endif
