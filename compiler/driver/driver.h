/* driver.h - what main.c and the files of driver share.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DRIVER_H
#define PKTC_DRIVER_H

#include "driver/run.h"
#include "driver/usages.h"

#include <stdio.h>

/* ---- option_read.c */

typedef enum options_result {
    OPTIONS_RUN,      /* the options are complete */
    OPTIONS_ANSWERED, /* help or the version was printed: exit with 0 */
    OPTIONS_WRONG     /* an error was printed to standard error: exit with 2 */
} options_result;

/* Reads the arguments: first an optional word for a command, such as `fmt`, then options and files in any order. */
options_result options_read(arena *a, int argc, char **argv, const workshop *const *all, options *o);

/* ---- option_check.c and option_help.c */

/* Checks the options that are given, and tells the files of a command apart. False after a mistake. */
bool check_line(command_line *line);

/* Prints the help of a command; for the row of compiling, the help of pktc as a whole. */
void help_print(const command_row *about, FILE *to);

/* Prints what `pktc --version` says. */
void version_print(FILE *to);

/* Prints how to begin: for a command line without any argument. */
void help_print_start(FILE *to);

/* "layout, diff and report", of a bit for each command. */
enum { COMMANDS_WORDS = 256 };
const char *commands_words(unsigned commands, char words[COMMANDS_WORDS]);

/* ---- runtime.c: pkt.h, pkt_inside.h and pkt.c in the directory of generated files, with the parts that these need */

/* Adds the runtime to the outputs: with --runtime all parts; otherwise the parts that generated files in the directory
 * need, from this run or earlier ones. */
void runtime_add(run *r);

/* Another run may write into the directory at the same time. So the runtime is written again until it has the parts for
 * all files there: the last run to write it has then seen the files of both. False with *failed, as from
 * outputs_write. */
bool runtime_settle(run *r, const char **failed);

#endif
