/* datagrams_internal.h - the kinds of datagrams that a recording may have: packets, and streams.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DATAGRAMS_INTERNAL_H
#define PKTC_DATAGRAMS_INTERNAL_H

#include "recordings/datagrams.h"

/* A kind of datagrams. */
typedef struct kind {
    const char *name;
    const schema *schema;
    bases *bases;       /* of the schema */
    const decl *packet; /* NULL: a stream */
    const codec_part *parts;
    const field *start;  /* a frame with the start value of this part; or NULL */
    const char *missing; /* of another release: why it cannot have the parts; or NULL */
    struct kind *first;  /* of a stream: that of the release in whose names its list is, if it is there; else itself */
    uint64_t count;      /* of the first: datagrams that were this, in any release */
    size_t number;       /* of a stream: its count in datagrams_seen */
    struct kind *next;
} kind;

typedef struct datagram_kinds {
    arena *arena;
    diag *diag;
    uint64_t seed;
    kind *packets, *frames, *bare;
    kind *seeded; /* the packets whose crc has a seed */
    kind *starts; /* frames `ToClient.world_start`: the start value of a part, whole */
    size_t stream_count;
    kind *all_bases; /* one kind of each schema, for its base values */
} datagram_kinds;

/* Those of a request; the arena, diag and seed are set. False after an error. */
bool kinds_find(datagram_kinds *g, const datagrams_request *request);

/* Adds the streams of `now` in an older version, by name. Its packets are there. */
void kinds_find_then(datagram_kinds *g, const datagram_kinds *now, const old_version *version);

/* Whether a schema is another release of a protocol. */
bool is_other_release(const schema *s, const schema *of);

/* As datagrams_types. */
void kinds_types(const datagram_kinds *g, datagram_type_visitor *visit, void *user);

/* The base values of a schema. */
bases *kinds_bases(datagram_kinds *g, const schema *s);

/* Whether a stream is the output of T_pack_delta: a delta of the packet of its name, with a crc without seed. */
bool packs_delta(const kind *k);

#endif
