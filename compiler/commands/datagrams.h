/* datagrams.h - finds out what the datagrams of a recording are, and decodes them.
 * SPDX-License-Identifier: MIT
 *
 * A packet, as T_pack makes it, is known by its crc. A frame around a stream is known by its end check, because the seed
 * of its crc is often a secret of the session; its crc is checked if the seed is given. What a stream without a frame has
 * cannot be known: it is tried last.
 *
 * Values that the list of a stream gives a number (see stream_list.h) are kept, the last ones of each sender and
 * receiver, for the deltas to them that follow.
 */
#ifndef PKTC_DATAGRAMS_H
#define PKTC_DATAGRAMS_H

#include "codec/codec.h"
#include "commands/recording.h"

typedef struct datagrams_request {
    const schema *const *schemas;
    size_t schema_count;
    const char *const *streams; /* "NAME=LIST" in a frame, or "LIST" without one */
    size_t stream_count;
    uint64_t seed; /* of frames; 0: not given */
} datagrams_request;

typedef struct datagrams datagrams;

/* NULL after an error. */
datagrams *datagrams_new(arena *a, diag *d, const datagrams_request *request);

typedef struct decoded {
    const char *name; /* of the packet or frame; "" of a stream without one; NULL: it is nothing that is known */
    const schema *schema;
    const decl *decl; /* of a packet, which has `value`; NULL: a stream, which has `parts` */
    datum value;
    codec_part *parts;   /* also those before an error */
    bool unchecked;      /* the seed of its crc is not known */
    const char *refused; /* why it could not be decoded, or NULL */
} decoded;

/* Decodes a datagram. Everything in *result is valid until scratch is cleared. trace: as in codec_options. */
void datagrams_read(datagrams *g, arena *scratch, const datagram *from, codec_trace *trace, void *user,
                    decoded *result);

/* Frees what is not in the arena. */
void datagrams_free(datagrams *g);

#endif
