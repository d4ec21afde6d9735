/* dissect.h - writes the Lua of `pktc wireshark`: a dissector for the packets of a schema.
 * SPDX-License-Identifier: MIT
 *
 * The text is lua_files, which are the same for every schema, and between them a line for each field. Nothing but the
 * schema decides what is read: see docs/wire.md.
 */
#ifndef PKTC_DISSECT_H
#define PKTC_DISSECT_H

#include "model/schema.h"

typedef struct dissect_part { /* a value in a stream */
    const struct dissect_part *next;
    const decl *decl;
    bool delta;
    bool many; /* as many of these as there are, maybe none */
} dissect_part;

typedef struct dissect_stream {
    const struct dissect_stream *next;
    const char *name; /* of the frame; NULL: none, the datagram is the stream */
    const dissect_part *parts;
} dissect_stream;

typedef struct dissect_options {
    const char *ports; /* the UDP ports of which all datagrams are of this protocol; "" for none */
    uint64_t seed;     /* of the frames; 0: none */
    const dissect_stream *streams;
} dissect_options;

/* The schema has a protocol. */
const char *dissect(arena *a, const schema *s, const dissect_options *how, size_t *size);

#endif
