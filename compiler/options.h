/* options.h - the command line.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_OPTIONS_H
#define PKTC_OPTIONS_H

#include "diag.h"

typedef enum dump_kind { DUMP_NONE, DUMP_TOKENS, DUMP_AST, DUMP_SCHEMA, DUMP_WIRE, DUMP_PROJECTION } dump_kind;

typedef struct options {
    const char **files;
    size_t file_count;
    const char **import_dirs;
    size_t import_dir_count;
    const char *output_dir;     /* NULL: the current directory */
    const char *depfile;        /* NULL: none */
    dump_kind dump;             /* anything but DUMP_NONE goes to standard output, and no file is written */
    bool check_only;            /* --check: compare with the files there are */
    bool checks;                /* false: --no-checks */
    bool runtime;               /* the runtime's files are outputs too */
    bool reflect;               /* descriptions of the types are outputs too */
    diag_form form;
} options;

typedef enum options_result {
    OPTIONS_RUN,                /* the options are complete: compile */
    OPTIONS_ANSWERED,           /* --help or --version was printed: exit 0 */
    OPTIONS_WRONG               /* the mistake was printed on standard error: exit 2 */
} options_result;

/* Reads the arguments, options and files in any order; `--` ends the options. */
options_result options_read(arena *a, int argc, char **argv, options *o);

#endif
