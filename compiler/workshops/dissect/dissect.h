/* dissect.h - writes the Lua of `pktc wireshark`: a dissector for the packets of a schema.
 * SPDX-License-Identifier: MIT
 *
 * The text is lua_files, which are the same for every schema, with a line for each field between them. Only the schema
 * decides which bits are read: see docs/wire.md.
 */
#ifndef PKTC_DISSECT_H
#define PKTC_DISSECT_H

#include "model/schema.h"

typedef struct dissect_part { /* a value in a stream */
    const struct dissect_part *next;
    const decl *decl;
    bool delta;
    bool many;                      /* as many of these as there are, maybe none */
    bool chained;                   /* each is a delta to the one before; the first, to base values */
    bool last;                      /* a delta to the last one of an earlier datagram; the first, to base values */
    bool moves;                     /* these baselines have moved from the one before, for 1 tick each */
    const field_sum *count;         /* as many as this; NULL: one, or `many` */
    const field_sum *number;        /* the number of this value, by which later deltas refer to it; or NULL */
    const field_sum *base_number;   /* the number of the baseline; or NULL. Without a field of it, it is base values */
    const field_sum *before_number; /* and of its earlier value; or NULL. Without a field of it, it does not move */
} dissect_part;

typedef struct dissect_stream {
    const struct dissect_stream *next;
    const char *name; /* of the frame; NULL: none, the datagram is the stream */
    const dissect_part *parts;
} dissect_stream;

typedef struct dissect_options {
    const char *ports; /* the UDP ports whose datagrams all belong to this protocol; "" for none */
    uint64_t seed;     /* of the frames, and of packets whose crc has one; 0: none, or not known */
    const dissect_stream *streams;
} dissect_options;

/* The schema has a protocol. */
const char *dissect(arena *a, const schema *s, const dissect_options *how, size_t *size);

#endif
