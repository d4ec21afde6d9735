/* diag_internal.h - the collection that diag.c fills and diag_print.c prints.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DIAG_INTERNAL_H
#define PKTC_DIAG_INTERNAL_H

#include "base/diag.h"

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
