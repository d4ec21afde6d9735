/* options_internal.h - shared by the files of driver that read a command line.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_OPTIONS_INTERNAL_H
#define PKTC_OPTIONS_INTERNAL_H

#include "driver/usages.h"

#include <stdio.h>

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

#endif
