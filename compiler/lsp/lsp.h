/* lsp.h - `pktc lsp`: a server of the Language Server Protocol 3.17, which shows a schema in an editor.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_LSP_H
#define PKTC_LSP_H

#include "check/check.h"

typedef struct lsp_options {
    check_options check; /* how schemas are checked */
    uint32_t mtu;        /* the size in bytes that packets should not exceed */

    /* The newest release of a schema's protocol, with its number; NULL if there is none. NULL: there are no releases. */
    const schema *(*newest)(const void *archive, arena *a, names *n, const schema *of, uint32_t *number);
    const void *archive;
} lsp_options;

/* Whether this pktc was built with jansson, without which there is no server. */
bool lsp_is_there(void);

/* Serves one client until it ends. Returns the exit status: 0 if the client said so before, otherwise 1. */
int lsp_serve(const lsp_options *options, FILE *from, FILE *to);

#endif
