/* option_table.h - the options of pktc, a row each, and the uses of commands that they belong to.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_OPTION_TABLE_H
#define PKTC_OPTION_TABLE_H

#include "driver/options.h"

/* The ways to use a command. Each takes other files, and has other options. */
typedef enum usage {
    USAGE_COMPILE,
    USAGE_FORMAT,
    USAGE_LAYOUT,
    USAGE_DESCRIBE,
    USAGE_DECODE,
    USAGE_DECODE_RECORDING,
    USAGE_ENCODE,
    USAGE_DIFF,
    USAGE_DIFF_ARCHIVE,
    USAGE_ARCHIVE,
    USAGE_CONVERT,
    USAGE_CONVERT_RECORDING,
    USAGE_REPORT,
    USAGE_TALLY,
    USAGE_WIRESHARK,
    USAGE_TRAIN,
    USAGE_TRAIN_TYPE,
    USAGE_LSP,
    USAGE_HELP,
    USAGE_COMPLETE
} usage;

#define USED_FOR(name) (1u << USAGE_##name)

typedef struct usage_row {
    usage usage;
    const char *option;    /* an option that this use needs; or NULL */
    const char *arguments; /* as a synopsis prints them */
    const char *refuses;   /* for messages: the purpose of options of the command's other uses; or NULL */
    const char *because;   /* for messages: the kind of last file that makes it this use; or NULL */
} usage_row;

extern const usage_row usage_table[];
extern const size_t usage_count;

typedef enum option_kind {
    OPTION_FLAG,   /* sets a bool */
    OPTION_TEXT,   /* sets a const char * */
    OPTION_LIST,   /* adds to a text_list; can be repeated */
    OPTION_NUMBER, /* sets a uint32_t, decimal */
    OPTION_SEED,   /* sets a uint64_t, decimal or hexadecimal */
    OPTION_HELP,   /* prints help */
    OPTION_VERSION /* prints the version */
} option_kind;

typedef struct option {
    const char *name; /* with its dashes */
    unsigned usages;  /* the uses that it belongs to: a bit for each */
    option_kind kind;
    size_t member;        /* its offset in `options` */
    const char *letter;   /* a short name with its dash, or NULL */
    const char *argument; /* its name in help, DIR or FILE for paths; NULL: the option takes none */
    const char *words;    /* the allowed arguments, separated by blanks; NULL: any */
    uint32_t least, most; /* of OPTION_NUMBER */
    const char *measure;  /* the unit of the number: " of bytes"; or NULL */
    uint32_t usual;       /* its value if it is not given */
    const char *help;
    const char *more; /* further sentences, only for the docs; or NULL */
    const char *page; /* in docs: a link to more about it, relative to language.md; or NULL */
} option;

/* A name can be in more than one row, for different commands. */
extern const option option_table[];
extern const size_t option_count;

/* For some uses: the options that an option needs, or the option that it excludes. */
typedef struct option_rule {
    unsigned usages;
    const char *option;
    const char *needs;    /* "--back and --gap"; or NULL */
    const char *excludes; /* or NULL */
    const char *why;      /* or NULL */
} option_rule;

extern const option_rule rule_table[];
extern const size_t rule_count;

#endif
