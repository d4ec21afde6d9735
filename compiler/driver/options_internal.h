/* options_internal.h - shared by the files of options: a command line while it is read.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_OPTIONS_INTERNAL_H
#define PKTC_OPTIONS_INTERNAL_H

#include "base/arena.h"
#include "driver/command_table.h"

#include <stdio.h>

/* A command line, while it is read. */
typedef struct command_line {
    const command_row *command;
    options *options;
    bool *given;  /* for each row of option_table: whether it is given */
    size_t ended; /* how many files came before --; SIZE_MAX: there is no -- */
    usage used;   /* how the command is used; valid after its find_usage */
} command_line;

/* Prints a mistake in the command line, and the help command for it. Returns false. */
PRINTF_LIKE(2)
bool wrong(const command_line *line, const char *format, ...);

bool is_given(const command_line *line, const char *option);

/* Sets how the command is used. False after reporting an option that only its other uses have. */
bool uses(command_line *line, usage used);

/* Checks the options that are given, and tells the files of a command apart. False after a mistake. */
bool check_line(command_line *line);

/* command_row.find_usage of each command. */
typedef bool usage_finder(command_line *line);
usage_finder usage_of_compile, usage_of_format, usage_of_layout, usage_of_describe, usage_of_decode, usage_of_encode,
    usage_of_diff, usage_of_archive, usage_of_convert, usage_of_report, usage_of_tally, usage_of_wireshark,
    usage_of_train, usage_of_lsp, usage_of_help, usage_of_complete;

/* The functions that run help and completion. They are here because they use the tables. */
command_function command_help, command_complete;

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
