/* pkt_datagram.h - packets with parts that are deltas: T_peek, T_unpack, T_pack, T_fit_pack, rings of baselines, and what T_send needs.
 * SPDX-License-Identifier: MIT
 *
 * In `packet ToClient { u16 number; optional int<1, 31> back; World world delta(number from number - back); }` the world
 * is a part: a delta to an earlier world, its baseline, which the datagram names by a number. Both sides keep the last
 * worlds in a ring, by their numbers:
 *
 *     ToClient_names names;                                       // the receiver
 *     ToClient_baselines from = {0};
 *     if (!ToClient_peek(&in, &names, data, size)) return false;
 *     from.world = ToClient_world_ring_find(&ring, names.world.base);
 *     if (!ToClient_unpack(&from, &in, session, data, size)) return false;
 *     ToClient_world_ring_keep(&ring, names.world.number, &in.world);
 *
 * A datagram is refused, and the ring is as before, if a baseline is missing, is not the one of that number, or has
 * another value than the sender's: the hash of each baseline is in the checksum.
 */
#ifndef PKT_DATAGRAM_H
#define PKT_DATAGRAM_H

#include "pkt_stream.h"

PKT_C_BEGIN

/* How a datagram names a part. Numbers wrap at the width that they have in the schema. */
typedef struct pkt_part_names {
    bool based;      /* it is a delta to the value `base`; otherwise to base values */
    bool moves;      /* of a @delta(predict) type: the baseline has moved since the value `before` */
    uint64_t number; /* the number of this value, by which later datagrams name it */
    uint64_t base, before;
    uint32_t back, gap; /* how far `base` is before `number`, and `before` before `base` */
} pkt_part_names;

/* A value that may be a baseline: T_baseline without its type. */
typedef struct pkt_baseline {
    const void *value; /* NULL: none */
    uint64_t number;   /* by which datagrams name it */
    uint64_t hash;     /* T_hash of the value, on both sides */
} pkt_baseline;

enum {
    PKT_MOST_PARTS = 8,  /* of a packet */
    PKT_MOST_DOUBTS = 4, /* wrong checksums of packets that name known baselines, until T_receive forgets these */
};

/* Internal: a packet with parts: see pkt_parts.h. */
typedef struct pkt_datagram pkt_datagram;
typedef struct pkt_delta_part pkt_delta_part;
typedef bool pkt_parts_read(pkt_reader *r, const void *parts, void *v);
typedef bool pkt_parts_write(pkt_writer *w, const void *parts, const void *v);

/* Internal: whether a ring keeps the value of a number, so that older values have gone. bits: the width of numbers. */
PKT_API bool pkt_ring_keeps(uint64_t *newest, uint32_t *late, bool *used, uint64_t number, size_t size, unsigned bits);
/* Internal: a packet of that number has no value for a ring, which is emptied if none of its values is in reach any more. */
PKT_API void pkt_ring_passes(uint64_t newest, bool *used, uint64_t number, size_t size, unsigned bits);
/* Internal: whether a receiver takes a packet for newer than the newest one. */
PKT_API bool pkt_is_newer(uint64_t newest, uint32_t *late, uint64_t number, unsigned bits);

/* Internal: whether a value in a ring is newer than those that the other side is known to have. newest: of the ring. */
PKT_API bool pkt_is_news(const bool *acknowledged, const bool *used, const uint64_t *numbers, uint64_t newest,
                         uint64_t number, size_t size, unsigned bits);
/* Internal: the number of what was sent `back` before another. */
PKT_INLINE uint64_t pkt_earlier(uint64_t number, uint64_t back, unsigned bits)
{
    return (number - back) & (UINT64_MAX >> (64 - bits));
}
/* Internal: the newest value that rings of a receiver have, asked for each ring in turn, with *any false at first. of_ring: the newest
 * number of this ring. latest: the number of the newest packet. */
PKT_API void pkt_ring_newest(uint64_t *newest, bool *any, uint64_t of_ring, const bool *used, uint64_t latest,
                             size_t size, unsigned bits);
/* Internal: false if receivers would take a packet of that number for late, after the newest one that was sent. Then *error, which may be NULL, says so
 * of the field `where`. */
PKT_API bool pkt_sends(uint64_t newest, uint64_t number, unsigned bits, const char *where, pkt_error *error);

/* Internal: T_peek, T_unpack and T_pack. names: of each part. from: T_baselines. */
PKT_API bool pkt_peek_names(const pkt_datagram *d, pkt_parts_read *read, void *v, void *names, const void *data,
                            size_t size);
PKT_API bool pkt_unpack_datagram(const pkt_datagram *d, pkt_parts_read *read, void *v, const void *from, uint64_t seed,
                                 const void *data, size_t size, pkt_error *error);
PKT_API size_t pkt_pack_datagram(const pkt_datagram *d, pkt_parts_write *write, const void *v, const void *from,
                                 uint64_t seed, void *data, size_t size, pkt_error *error);

PKT_C_END

#endif
