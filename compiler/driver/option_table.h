/* option_table.h - rows of options, of the ways to use commands, and of what options need and exclude.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_OPTION_TABLE_H
#define PKTC_OPTION_TABLE_H

#include "driver/options.h"

#include <stddef.h>

struct run;
struct command_line;

/* The options that several commands share, with the same meaning, are rows of driver_rows.c. A use has some of them: a
 * bit each. */
enum {
    SHARES_CHECKING = 1 << 0, /* -I, --no-checks */
    SHARES_ERRORS = 1 << 1,   /* --error-format */
    SHARES_CHECK = 1 << 2,    /* --check: which files would change */
    SHARES_DEPFILE = 1 << 3,
    SHARES_MTU = 1 << 4,
    SHARES_HTML = 1 << 5,
    SHARES_JSON = 1 << 6,
    SHARES_HEX = 1 << 7,
    SHARES_CHANGES = 1 << 8,
    SHARES_STREAMS = 1 << 9, /* --port, --stream */
    SHARES_SEED = 1 << 10,
    SHARED_BY_ALL = 1 << 11, /* --help */
    SHARES_SCHEMAS = SHARES_CHECKING | SHARES_ERRORS,
    SHARES_RECORDING = SHARES_SCHEMAS | SHARES_STREAMS | SHARES_SEED
};

/* Whether a use of another workshop's command is meant. */
typedef enum claim { CLAIM_NO, CLAIM_YES, CLAIM_WRONG /* a mistake was reported */ } claim;

/* A way to use a command. Each takes other files, and has other options. */
typedef struct usage_row {
    const char *command;   /* its word */
    const char *option;    /* an option that this use needs; or NULL */
    const char *arguments; /* as a synopsis prints them */
    const char *refuses;   /* for messages: the purpose of options of the command's other uses; or NULL */
    const char *because;   /* for messages: the kind of last file that makes it this use; or NULL */
    const char *about;     /* what `pktc help WORD` says of this use after the text of the command; or NULL */
    unsigned shares;       /* the shared options that it has */
    void (*run)(struct run *r);

    /* If the command is another workshop's: asked before that workshop tells its own uses apart. */
    claim (*claims)(struct command_line *line);
} usage_row;

typedef enum option_kind {
    OPTION_FLAG,   /* sets a bool */
    OPTION_TEXT,   /* sets a const char * */
    OPTION_LIST,   /* adds to a text_list; can be repeated */
    OPTION_NUMBER, /* sets a uint32_t, decimal */
    OPTION_SEED,   /* sets a uint64_t, decimal or hexadecimal */
    OPTION_HELP,   /* prints help */
    OPTION_VERSION /* prints the version */
} option_kind;

typedef struct option_row {
    const char *name; /* with its dashes */
    unsigned usages;  /* the uses that it belongs to: a bit for each row of usages, those of its workshop */
    option_kind kind;
    const char *command;  /* it belongs to all uses of this command, which is another workshop's; or NULL */
    size_t member;        /* its offset in the struct of the workshop */
    size_t owner;         /* the index of the workshop; tables.c sets it */
    unsigned shared;      /* of a shared option, its bit in usage_row.shares */
    unsigned place;       /* among all options in help: by rising places; 0: behind the row before it */
    const char *letter;   /* a short name with its dash, or NULL */
    const char *argument; /* its name in help, DIR or FILE for paths; NULL: the option takes none */
    const char *words;    /* the allowed arguments, separated by blanks; NULL: any */
    uint32_t least, most; /* of OPTION_NUMBER */
    const char *measure;  /* the unit of the number: " of bytes"; or NULL */
    uint32_t usual;       /* its value if it is not given */
    const char *help;
    const char *more; /* further sentences, only for the manual page; or NULL */
} option_row;

/* For rows: what an option sets in the struct `of`. If the type of the member is another one, the compiler warns of the
 * comparison. */
#define OPTION_AT(of, type, name) (offsetof(of, name) + 0 * sizeof(&((of *)0)->name == (type *)0))
#define SETS_FLAG(of, name) .kind = OPTION_FLAG, .member = OPTION_AT(of, bool, name)
#define SETS_TEXT(of, name) .kind = OPTION_TEXT, .member = OPTION_AT(of, const char *, name)
#define SETS_LIST(of, name) .kind = OPTION_LIST, .member = OPTION_AT(of, text_list, name)
#define SETS_NUMBER(of, name, low, high) \
    .kind = OPTION_NUMBER, .member = OPTION_AT(of, uint32_t, name), .least = (low), .most = (high)
#define SETS_SEED(of, name) .kind = OPTION_SEED, .member = OPTION_AT(of, uint64_t, name)

enum { OPTION_MANY = 1000000 };

/* The options that an option needs, or the option that it excludes. */
typedef struct option_rule {
    unsigned usages; /* as of an option */
    const char *option;
    const char *needs;    /* "--back and --gap"; or NULL */
    const char *excludes; /* or NULL */
    const char *why;      /* or NULL */
} option_rule;

#endif
