/* lsp.h - `pktc lsp`: a server of the Language Server Protocol 3.17, which shows a schema in an editor.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_LSP_H
#define PKTC_LSP_H

#include "check/check.h"

typedef struct lsp_options {
    check_options check; /* how schemas are checked */
    uint32_t mtu;        /* the size in bytes that packets should not exceed */
} lsp_options;

/* Whether this pktc was built with jansson, without which there is no server. */
bool lsp_is_there(void);

/* Serves one client until it ends. Returns the exit status: 0 if the client said so before, otherwise 1. */
int lsp_serve(const lsp_options *options, FILE *from, FILE *to);

#endif
