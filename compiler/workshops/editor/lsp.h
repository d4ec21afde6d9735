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

/* A server takes one message after the other, JSON each, and hands out its answers while it does so. */
typedef struct lsp_server lsp_server;
typedef void lsp_answer(void *user, const char *json, size_t size);

lsp_server *lsp_begin(const lsp_options *options, lsp_answer *answer, void *user);
/* False: the client has ended the session. */
bool lsp_take(lsp_server *s, const char *json, size_t size);
/* Frees the server. Returns the exit status: 0 if the client said before that it ends, otherwise 1. */
int lsp_end(lsp_server *s);

/* Serves one client until it ends, with the frames of the protocol around the messages. Returns the exit status. */
int lsp_serve(const lsp_options *options, FILE *from, FILE *to);

#endif
