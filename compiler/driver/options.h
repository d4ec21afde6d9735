/* options.h - the values of a command line: option_read.c fills them in, and commands read them.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_OPTIONS_H
#define PKTC_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
} options;

#endif
