/* usages.h - for rows of commands: tells the files of a command line apart, and reports what is missing or wrong.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_USAGES_H
#define PKTC_USAGES_H

#include "driver/command_table.h"

/* A command line, while it is read. */
typedef struct command_line {
    const command_row *command;
    options *options;
    size_t words; /* how many there are */
    bool *given;  /* for each row of option_table: whether it is given */
    size_t ended; /* how many files came before --; SIZE_MAX: there is no -- */
} command_line;

/* Prints a mistake in the command line, and the help command for it. Returns false. */
PRINTF_LIKE(2)
bool wrong(const command_line *line, const char *format, ...);

bool is_given(const command_line *line, const char *option);

/* Sets how the command is used. False after reporting an option that only its other uses have. */
bool uses(command_line *line, const usage_row *used);

bool is_schema_name(const char *file); /* whether it ends with .pkt */
bool is_name(const char *text);        /* of a type */
bool is_missing(const char *file);

/* False after reporting that there is no file, that one is standard input, or that there is not exactly one schema. */
bool has_file(const command_line *line);
bool reads_no_input(const command_line *line);
bool takes_one_schema(const command_line *line);

/* Takes the name of the type, and perhaps a file, after this many schemas. */
void take_value(options *o, size_t schemas);

#endif
