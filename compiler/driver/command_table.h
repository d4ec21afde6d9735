/* command_table.h - the commands and options of pktc: those of the driver and of all workshops.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_COMMAND_TABLE_H
#define PKTC_COMMAND_TABLE_H

#include "base/arena.h"
#include "base/out.h"
#include "wire/wire.h"

struct run;
struct command_line;

/* ---- the values of a command line: option_read.c fills them in, and commands read them */

typedef struct text_list {
    const char **texts;
    size_t count;
} text_list;

typedef struct options {
    const char *word;              /* of the command; "" for compiling */
    const struct usage_row *usage; /* how the command is used */
    const char **files;            /* schemas; of help and complete, words */
    size_t file_count;             /* without the files of the members below */
    const char *type;              /* the name of a type, or NULL */
    const char *input;             /* the file with the bytes of one value; NULL: standard input */
    const char *recording;         /* of decode and convert; NULL: the bytes of one value */
    const char **recordings;       /* of report, tally and train; some may be tallies */
    size_t recording_count;
    const struct workshop *const *workshops; /* the driver, and after it all that pktc is built with; then NULL */
    void **chosen;                           /* the structs that their options set: command_table.h has chosen() */

    /* The members that options of the driver set, under their names. A pointer is NULL, and a number 0, if an option is
     * not given and has no usual value. */
    text_list import_dirs;  /* -I */
    const char *output_dir; /* -o; NULL: the current directory */
    const char *depfile;
    const char *depfile_target; /* of the rule in it; NULL: all outputs */
    const char *dump;           /* a phase: its result goes to standard output, and no file is written */
    bool projection;            /* likewise */
    bool check_only;            /* --check */
    bool prune;
    bool runtime;
    bool no_runtime;
    bool reflect;
    bool no_checks;
    const char *error_format;
    uint32_t mtu; /* bytes */
    const char *html;
    bool json;
    bool hex;
    bool changes;
    uint64_t seed;
    uint32_t port;
    text_list streams; /* --stream */
    uint32_t jobs;     /* -j: processes */
} options;

/* ---- rows of options, of the ways to use commands, and of what options need and exclude */

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
    SHARES_JOBS = 1 << 11,   /* -j */
    SHARED_BY_ALL = 1 << 12, /* --help */
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

/* ---- rows of commands, and workshops */

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
