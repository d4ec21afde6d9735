/* option_read.h - reads the command line.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_OPTION_READ_H
#define PKTC_OPTION_READ_H

#include "base/arena.h"
#include "driver/command_table.h"

typedef enum options_result {
    OPTIONS_RUN,      /* the options are complete */
    OPTIONS_ANSWERED, /* help or the version was printed: exit with 0 */
    OPTIONS_WRONG     /* an error was printed to standard error: exit with 2 */
} options_result;

/* Reads the arguments: first an optional word for a command, such as `fmt`, then options and files in any order. */
options_result options_read(arena *a, int argc, char **argv, const workshop *const *all, options *o);

#endif
