/* options_internal.h - what reading the command line (option_read.c) and checking it (option_check.c) share.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_OPTIONS_INTERNAL_H
#define PKTC_OPTIONS_INTERNAL_H

#include "options/option_read.h"

/* Prints a mistake in the command line, and which help to read. */
PRINTF_LIKE(2)
options_result wrong(const options *o, const char *format, ...);

/* Checks what belongs together, and tells the files of a command apart. given: of each option whether it is there. */
options_result options_check(options *o, const bool *given);

#endif
