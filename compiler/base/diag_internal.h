/* diag_internal.h - the messages that diag.c collects and diag_print.c prints.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DIAG_INTERNAL_H
#define PKTC_DIAG_INTERNAL_H

#include "base/diag.h"

typedef enum severity { SEVERITY_ERROR, SEVERITY_WARNING } severity;

typedef struct remark { /* a note or a help */
    struct remark *next;
    span at; /* of a note */
    const char *text;
    struct listed_edit *edits; /* of a help */
} remark;

typedef struct listed_edit {
    struct listed_edit *next;
    edit edit;
} listed_edit;

struct message {
    message *next; /* in the order of reporting */
    severity severity;
    bool mended;
    span at;
    const char *text;
    uint32_t file;  /* files are numbered in the order of their first messages */
    uint32_t order; /* messages in the order of reporting */
    remark *helps, **helps_end, *last_help;
    remark *notes, **notes_end;
};

struct diag_file {
    struct diag_file *next;
    const source *source;
};

struct diag {
    arena *arena;
    message *messages, **messages_end;
    struct diag_file *files;
    uint32_t counts[2];       /* by severity */
    uint32_t mended;          /* errors after which the syntax tree is complete: see diag.h */
    struct hash_table *table; /* the same messages */
};

#endif
