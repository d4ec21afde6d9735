/* option_table.h - the commands and options of pktc: one table for parsing, for help and for completion.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_OPTION_TABLE_H
#define PKTC_OPTION_TABLE_H

#include "commands/commands.h"
#include "commands/options.h"

typedef enum option_id {
    OPTION_OUTPUT,
    OPTION_IMPORT,
    OPTION_CHECK,
    OPTION_MODEL,
    OPTION_PRUNE,
    OPTION_DEPFILE,
    OPTION_RUNTIME,
    OPTION_NO_RUNTIME,
    OPTION_REFLECT,
    OPTION_CAPTURE,
    OPTION_UPGRADE,
    OPTION_NO_CHECKS,
    OPTION_DUMP,
    OPTION_PROJECTION,
    OPTION_FORMAT,
    OPTION_LAYOUT,
    OPTION_MTU,
    OPTION_HZ,
    OPTION_HTML,
    OPTION_HEX,
    OPTION_BITS,
    OPTION_BASE,
    OPTION_BEFORE,
    OPTION_FRAME,
    OPTION_SEED,
    OPTION_BODY,
    OPTION_IGNORE_CRC,
    OPTION_SKIP,
    OPTION_BACK,
    OPTION_GAP,
    OPTION_TOLERANCE,
    OPTION_JSON,
    OPTION_AGAINST,
    OPTION_PORT,
    OPTION_STREAM,
    OPTION_ERROR_FORMAT,
    OPTION_HELP,
    OPTION_VERSION
} option_id;

typedef struct option {
    option_id id;
    unsigned commands;    /* those that it belongs to: a bit (1u << command) each */
    const char *name;     /* with its dashes */
    const char *letter;   /* a short name with its dash, or NULL */
    const char *argument; /* its name in help, DIR or FILE for what is one; NULL: the option takes none */
    const char *words;    /* what the argument may be, separated by blanks, or NULL */
    const char *help;
} option;

/* A name can be in more than one row, for different commands. */
extern const option option_table[];
extern const size_t option_count;

typedef struct command_entry {
    command command;
    const char *word;      /* on the command line; "" for compiling, which has none */
    const char *arguments; /* as help prints them */
    const char *summary;
    const char *about; /* what `pktc help WORD` says after the summary */
    command_function *run;
} command_entry;

extern const command_entry command_table[];
extern const size_t command_count;

/* NULL if no command is called that. */
const command_entry *command_by_word(const char *word);
const command_entry *command_by_id(command c);

/* Prints what there is to know of a command, or for COMMAND_COMPILE of pktc as a whole. */
void help_print(const command_entry *about, FILE *to);

/* Prints how to begin: for a command line without any argument. */
void help_print_start(FILE *to);

/* Prints what the last of the words after `pktc` may be. */
void complete_print(arena *a, int count, char **words);

#endif
