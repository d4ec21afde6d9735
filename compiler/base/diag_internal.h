/* diag_internal.h - what diag.c collects and diag_print.c prints.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DIAG_INTERNAL_H
#define PKTC_DIAG_INTERNAL_H

#include "base/diag.h"

typedef enum severity { SEVERITY_ERROR, SEVERITY_WARNING } severity;

typedef struct remark { /* a note or a help */
    struct remark *next;
    span at; /* a help has none */
    const char *text;
} remark;

struct message {
    message *next; /* in the order of reporting */
    severity severity;
    span at;
    const char *text;
    uint32_t file, order; /* of its file by first message; of the message itself */
    remark *helps, **helps_end;
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
    uint32_t counts[2]; /* by severity */
    message **table;    /* the same messages by hash, at most half full */
    size_t capacity;
};

#endif
