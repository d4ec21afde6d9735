/* command_table.h - the commands of pktc, a row each: their words, their help, and the functions that run them.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_COMMAND_TABLE_H
#define PKTC_COMMAND_TABLE_H

#include "commands/commands.h"
#include "options/option_table.h"

struct command_line;

typedef struct command_row {
    const char *word;      /* on the command line; "" for compiling, which has none */
    const char *option;    /* an option that means the same as the word; or NULL */
    unsigned usages;       /* a bit for each: USED_FOR */
    const char *arguments; /* of all its uses, as help prints them */
    const char *summary;
    const char *about; /* what `pktc help WORD` says after the summary */
    const char *page;  /* in docs: where there is more about it, from language.md */

    /* What may come next on a command line, for completion: after no file, after the first ..., and after all that
     * are listed. What starts with a colon is found by the shell: see option_complete.c. */
    const char *next[5];

    /* Tells the files of the command line apart, and by them how the command is used. False after a mistake. */
    bool (*find_usage)(struct command_line *line);
    command_function *run;
    bool ignores_options; /* those of other commands are no mistake */
} command_row;

extern const command_row command_table[];
extern const size_t command_count;

/* Whether a command has an option, in at least one of its uses. */
bool command_has(const command_row *of, const option *o);

/* NULL if no command is called that. */
const command_row *command_by_word(const char *word);

/* Compiling, which is what pktc does without a word for a command. */
const command_row *command_without_word(void);

#endif
