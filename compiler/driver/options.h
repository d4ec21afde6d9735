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
    const char *word;        /* of the command; "" for compiling */
    const char **files;      /* schemas; of help and complete, words */
    size_t file_count;       /* without the files of the members below */
    const char *type;        /* the name of a type, or NULL */
    const char *input;       /* the file with the bytes of one value; NULL: standard input */
    const char *recording;   /* of decode and convert; NULL: the bytes of one value */
    const char **recordings; /* of report, tally and train; some may be tallies */
    size_t recording_count;

    /* The members that options set, under their names. A pointer is NULL, and a number 0, if an option is not given and
     * has no usual value. */
    text_list import_dirs;  /* -I */
    const char *output_dir; /* -o; NULL: the current directory */
    const char *model;      /* -o of train; NULL: standard output */
    const char *tally;      /* -o of tally; likewise */
    const char *depfile;
    const char *depfile_target; /* of the rule in it; NULL: all outputs */
    const char *dump;           /* a phase: its result goes to standard output, and no file is written */
    bool projection;            /* likewise */
    const char *upgrade;        /* the folder of releases */
    uint32_t serve;             /* how many of them are written too */
    const char *archive;        /* --against; also the folder of `pktc archive` */
    bool check_only;            /* --check */
    bool prune;
    bool diff; /* of fmt */
    bool runtime;
    bool no_runtime;
    bool reflect;
    bool capture;
    bool no_checks;
    const char *error_format;
    uint32_t mtu; /* bytes */
    uint32_t hz;
    const char *html;
    bool json;
    bool follow;
    uint32_t interval; /* seconds */
    bool meanings;
    bool hex;
    bool bits;
    bool changes;
    bool body;
    bool ignore_crc;
    uint32_t skip;      /* bits */
    const char *base;   /* a file with JSON */
    const char *before; /* likewise */
    uint32_t back, gap; /* in ticks, or in values of a recording */
    uint32_t tolerance; /* per cent */
    const char *frame;
    uint64_t seed;
    uint32_t port;
    uint32_t jobs;     /* -j: processes */
    text_list streams; /* --stream */
} options;

#endif
