/* options.h - the command line.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_OPTIONS_H
#define PKTC_OPTIONS_H

#include "base/diag.h"

typedef enum dump_kind { DUMP_NONE, DUMP_TOKENS, DUMP_AST, DUMP_SCHEMA, DUMP_WIRE, DUMP_PROJECTION } dump_kind;

typedef enum command { COMMAND_COMPILE, COMMAND_FORMAT, COMMAND_LAYOUT, COMMAND_DECODE, COMMAND_ENCODE } command;

typedef enum runtime_choice { RUNTIME_DEFAULT, RUNTIME_WANTED, RUNTIME_NONE } runtime_choice;

typedef struct options {
    command command;
    const char **files;
    size_t file_count;
    const char **import_dirs;
    size_t import_dir_count;
    const char *output_dir; /* NULL: the current directory */
    const char *depfile;    /* NULL: none */
    dump_kind dump;         /* anything but DUMP_NONE goes to standard output, and no file is written */
    bool check_only;        /* --check: compare with the files there are */
    bool prune;             /* remove generated files that no input makes any more */
    bool checks;            /* false: --no-checks */
    runtime_choice runtime; /* the runtime's files are outputs too, but for RUNTIME_NONE */
    bool reflect;           /* descriptions of the types are outputs too */
    diag_form form;
    uint32_t mtu;     /* COMMAND_LAYOUT: bytes that a packet should fit */
    uint32_t hz;      /* packets a second; 0: not asked for */
    const char *html; /* the page to write; NULL: text goes to standard output */
    const char *type; /* COMMAND_DECODE, COMMAND_ENCODE: what the one file is asked for */
    const char *base; /* the file with a baseline; NULL: no delta */
    bool bits;        /* list the items of the wire */
} options;

typedef enum options_result {
    OPTIONS_RUN,      /* the options are complete: do it */
    OPTIONS_ANSWERED, /* --help or --version was printed: exit 0 */
    OPTIONS_WRONG     /* the mistake was printed on standard error: exit 2 */
} options_result;

/* Reads the arguments: `fmt`, `layout`, `decode` or `encode` as the first one, then options and files in any order; `--` ends the options. */
options_result options_read(arena *a, int argc, char **argv, options *o);

#endif
