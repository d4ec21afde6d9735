/* command_table.h - the commands of pktc, a row each: their words, their help, and the functions that run them.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_COMMAND_TABLE_H
#define PKTC_COMMAND_TABLE_H

#include "driver/commands.h"
#include "driver/option_table.h"

struct command_line;

typedef struct command_row {
    const char *word;      /* on the command line; "" for compiling, which has none */
    const char *option;    /* an option that means the same as the word; or NULL */
    unsigned usages;       /* a bit for each: USED_FOR */
    const char *arguments; /* of all its uses, as help prints them */
    const char *summary;
    const char *about; /* the text of `pktc help WORD` after the summary */
    const char *page;  /* in docs: a link to more about it, relative to language.md */

    /* For completion: what may come next on a command line after no file, after one file, and so on; the last entry is
     * for any more. The shell finds the words for an entry with a colon: see option_complete.c. */
    const char *next[5];

    /* Tells the files of the command line apart, and thereby finds the command's use. False after a mistake. */
    bool (*find_usage)(struct command_line *line);
    command_function *run;
    bool ignores_options; /* options of other commands are no mistake */
} command_row;

extern const command_row command_table[];
extern const size_t command_count;

/* Whether a command has an option, in at least one of its uses. */
bool command_has(const command_row *of, const option *o);

/* NULL if there is no such command. */
const command_row *command_by_word(const char *word);

/* Compiling: what pktc does if the command line has no word for a command. */
const command_row *command_without_word(void);

#endif
