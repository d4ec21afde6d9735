/* diag_walk.h - the messages of a collection, one by one: for diag_print.c and for editors.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DIAG_WALK_H
#define PKTC_DIAG_WALK_H

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

/* The messages in the order of reporting; NULL if there are none. */
const message *diag_messages(const diag *d);

/* The first error from a message on; NULL if there is none. */
const message *first_error(const message *m);

#endif
