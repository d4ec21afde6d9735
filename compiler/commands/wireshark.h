/* wireshark.h - `pktc wireshark`: prints a dissector for Wireshark, in Lua.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_WIRESHARK_H
#define PKTC_WIRESHARK_H

#include "base/diag.h"
#include "model/schema.h"

/* What the command line asks for. */
typedef struct wireshark_request {
    uint32_t port;        /* of UDP; 0: none */
    uint64_t seed;        /* of the frames around streams; 0: none */
    const char **streams; /* "Update=Header, Event*": the name of a frame and its types; or types without a frame */
    size_t stream_count;
} wireshark_request;

/* Prints the Lua to standard output, or reports what is wrong with the request. */
void wireshark(arena *a, diag *d, const schema *s, const wireshark_request *request);

#endif
