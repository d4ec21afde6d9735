/* options.h - what a command line asks for: options/ fills it in, and commands read it.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_OPTIONS_H
#define PKTC_OPTIONS_H

#include "base/diag.h"

typedef enum dump_kind { DUMP_NONE, DUMP_TOKENS, DUMP_AST, DUMP_SCHEMA, DUMP_WIRE, DUMP_PROJECTION } dump_kind;

typedef enum command {
    COMMAND_COMPILE,
    COMMAND_FORMAT,
    COMMAND_LAYOUT,
    COMMAND_DECODE,
    COMMAND_ENCODE,
    COMMAND_DIFF,
    COMMAND_ARCHIVE,
    COMMAND_CONVERT,
    COMMAND_REPORT,
    COMMAND_WIRESHARK,
    COMMAND_TRAIN,
    COMMAND_HELP,
    COMMAND_COMPLETE
} command;

typedef enum runtime_choice { RUNTIME_DEFAULT, RUNTIME_WANTED, RUNTIME_NONE } runtime_choice;

typedef struct options {
    command command;
    const char *word; /* of the command; "" for compiling */
    const char **files;
    size_t file_count;
    const char **import_dirs;
    size_t import_dir_count;
    const char *output_dir; /* NULL: the current directory */
    const char *depfile;    /* NULL: none */
    dump_kind dump;         /* except for DUMP_NONE, the dump goes to standard output and no file is written */
    bool check_only;        /* --check: only compare with the existing files */
    bool prune;             /* --prune: remove generated files that no input generates any more */
    bool checks;            /* false: --no-checks */
    runtime_choice runtime; /* the runtime's files are outputs too, except for RUNTIME_NONE */
    const char *upgrade;    /* --upgrade: the folder of releases, whose packets are read too; NULL: none */
    bool reflect;           /* --reflect: descriptions of the types are outputs too */
    bool capture;           /* --capture: the text of the schema is an output too */
    diag_form form;
    uint32_t mtu;            /* --mtu: the size in bytes that packets should not exceed */
    uint32_t hz;             /* --hz: packets per second; 0: not given */
    const char *html;        /* --html: the page to write; NULL: print text to standard output */
    const char *type;        /* COMMAND_DECODE, COMMAND_ENCODE: the name of the type; COMMAND_TRAIN: that or NULL */
    const char *input;       /* COMMAND_DECODE, COMMAND_ENCODE: the file to read; NULL: standard input */
    bool hex;                /* --hex: the bytes are text */
    const char *base;        /* --base: the file with the baseline; NULL: not a delta */
    const char *before;      /* --before: the file with what it has moved from; or NULL */
    const char *frame;       /* --frame: its name; NULL: none */
    uint64_t seed;           /* --seed: of the frame; 0: none */
    bool seeded;             /* --seed was given */
    bool bits;               /* --bits: list the items of the wire */
    bool body;               /* --body: a packet's body alone */
    bool ignore_crc;         /* --ignore-crc */
    uint32_t skip;           /* --skip: the bits before the value */
    const char *recording;   /* COMMAND_DECODE, COMMAND_CONVERT: the recording; NULL: the bytes of one value */
    const char **recordings; /* COMMAND_REPORT, COMMAND_TRAIN */
    size_t recording_count;
    uint32_t back, gap;   /* --back, --gap: in ticks, or in values of a recording; 0: not given */
    uint32_t tolerance;   /* --tolerance: in per cent */
    bool tolerant;        /* --tolerance was given */
    const char *model;    /* -o of COMMAND_TRAIN: the file to write; NULL: standard output */
    bool json;            /* --json: COMMAND_DIFF prints JSON */
    uint32_t port;        /* --port: of UDP; 0: none */
    const char **streams; /* --stream: the values of each */
    size_t stream_count;
    const char *archive; /* COMMAND_ARCHIVE: the folder; COMMAND_DIFF: --against; NULL: files[0] is the old schema */
} options;

#endif
