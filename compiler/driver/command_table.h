/* command_table.h - the commands and options of pktc: those of the driver and of all workshops.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_COMMAND_TABLE_H
#define PKTC_COMMAND_TABLE_H

#include "base/arena.h"
#include "base/out.h"
#include "driver/option_table.h"
#include "wire/wire.h"

typedef struct command_row {
    const char *word;      /* on the command line; "" for compiling, which has none */
    const char *option;    /* an option that means the same as the word; or NULL */
    unsigned place;        /* among all commands in help: by rising places */
    const char *arguments; /* of all its uses, as help prints them */
    const char *summary;
    const char *about; /* the text of `pktc help WORD` after the summary */
    const char *page;  /* in docs: a link to more about it, relative to language.md */

    /* For completion: what may come next on a command line after no file, after one file, and so on; the last entry is
     * for any more. The shell finds the words for an entry with a colon: see completion/. */
    const char *next[5];

    /* Tells the files of the command line apart, and thereby finds the command's use. False after a mistake. */
    bool (*find_usage)(struct command_line *line);
    bool ignores_options; /* options of other commands are no mistake */
} command_row;

struct emit_extras;

/* For the text about a command that reads schemas. */
#define ABOUT_RECORDINGS \
    "A recording can stand for the schema in it: match.pcapng, or match.pcapng:2 for the second schema in it.\n"

/* What a workshop adds to pktc. */
typedef struct workshop {
    const char *name;
    const command_row *commands;
    size_t command_count;
    const usage_row *usages;
    size_t usage_count;
    const option_row *options;
    size_t option_count;
    const option_rule *rules;
    size_t rule_count;
    size_t chosen_size; /* of the struct that its options set; 0: they set members of the driver's `options` */

    /* "a recording": what a file is that the workshop reads, and the core does not; or NULL. */
    const char *(*noun_of)(const char *file);

    /* The schema in a file that the workshop reads; *found is NULL after an error. False if the file is none of these. */
    bool (*schema_in)(struct run *r, const char *file, const source **found);

    /* What it knows of other languages: front/habits.h; or NULL. */
    const struct habit_knowledge *habits;

    /* Whether something else than the C of a schema is asked for, which it prints then. */
    bool (*instead)(struct run *r, const source *root);

    /* Adds to what is emitted for a schema. Errors are reported. */
    void (*extend)(struct run *r, const wire *w, struct emit_extras *extras);

    /* Adds files to those that compiling a schema makes. Errors are reported. */
    void (*generate)(struct run *r, const wire *w, outputs *made);
} workshop;

/* For a workshop's own row: its tables, by their names. */
#define WORKSHOP_ROWS(its)                                                                                     \
    .name = #its, .commands = its##_commands, .command_count = sizeof its##_commands / sizeof *its##_commands, \
    .usages = its##_usages, .usage_count = sizeof its##_usages / sizeof *its##_usages
#define WORKSHOP_OPTIONS(its, of)                                                                       \
    .options = its##_option_rows, .option_count = sizeof its##_option_rows / sizeof *its##_option_rows, \
    .chosen_size = sizeof(of)
#define WORKSHOP_RULES(its) .rules = its##_rules, .rule_count = sizeof its##_rules / sizeof *its##_rules

/* The commands of the driver. */
typedef void command_function(struct run *r);
command_function command_compile, command_help;

extern const workshop driver_workshop;

/* What the options of a workshop set, if it has any. */
void *chosen(const options *o, const char *name);

/* ---- all rows: each table in the order of help. The uses of options and rules are a bit for each row of usage_table.
 */

extern const command_row **command_table;
extern size_t command_count;
extern const usage_row **usage_table;
extern size_t usage_count;
extern option_row *option_table; /* a name can be in more than one row, for different commands */
extern size_t option_count;
extern option_rule *rule_table;
extern size_t rule_count;

/* Makes the tables. They are there as long as the arena. all: as in options. */
void tables_make(arena *a, const workshop *const *all);

/* The bit of a use, which is 0 if its command is not there; and those of a command. */
unsigned usage_bit(const usage_row *u);
unsigned command_usages(const command_row *of);

/* Whether a command has an option, in at least one of its uses. */
bool command_has(const command_row *of, const option_row *o);

/* NULL if there is no such command. */
const command_row *command_by_word(const char *word);

/* Compiling: what pktc does if the command line has no word for a command. */
const command_row *command_without_word(void);

#endif
