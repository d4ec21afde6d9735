/* pkt_datagram.h - packets with parts that are deltas: T_peek, T_unpack, T_pack, T_fit, and rings of baselines.
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
 *     if (!ToClient_unpack(&in, &from, session, data, size, &error)) return false;
 *     ToClient_world_ring_keep(&ring, names.world.number, &in.world);
 *
 * A datagram is refused, and the ring is as before, if a baseline is missing, is not the one of that number, or has
 * another value than the sender's: the hash of each baseline is in the checksum.
 */
#ifndef PKT_DATAGRAM_H
#define PKT_DATAGRAM_H

#include "pkt_packet.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/* Internal: a part of a datagram while that is written, read or measured. */
struct pkt_explanation;
typedef struct pkt_delta_part {
    const void *base; /* T, or T_motion of a type whose baselines are predicted; NULL: base values */
    const struct pkt_explanation *how;
    uint64_t start, bits; /* set by measuring */
    bool known;           /* measuring: the part takes `bits`, and is not looked at */
} pkt_delta_part;

/* Internal: a part of a packet in general. */
typedef struct pkt_part_row {
    const char *name;
    const struct pkt_explanation *how;
    unsigned baseline; /* of T_baselines: the index of its baseline; if that is predicted, the next is `before` */
    size_t motion;     /* if it is predicted: the offset in T_motions, and T_predict */
    void (*predict)(const void *base, const void *before, uint32_t back, uint32_t gap, void *motion);
} pkt_part_row;

enum { PKT_MOST_PARTS = 8 };

/* Internal: a packet with parts. */
typedef struct pkt_datagram {
    pkt_frame frame;
    const struct pkt_explanation *how;
    const pkt_part_row *parts;
    unsigned count, baselines;                               /* of parts; of members of T_baselines */
    size_t size;                                             /* of T */
    void (*names)(const void *v, struct pkt_part_names *to); /* of each part */
} pkt_datagram;

typedef bool pkt_parts_read(pkt_reader *r, const void *parts, void *v);
typedef bool pkt_parts_write(pkt_writer *w, const void *parts, const void *v);

/* Internal: sets the names of part `index`. bits: the width of numbers. */
PKT_INLINE void pkt_name_part(pkt_part_names *to, unsigned index, bool based, uint64_t number, uint64_t base,
                              unsigned bits)
{
    to += index;
    to->based = based;
    to->moves = false;
    to->number = number;
    to->base = base;
    to->before = 0;
    to->back = (uint32_t)((number - base) & (UINT64_MAX >> (64 - bits)));
    to->gap = 0;
}

PKT_INLINE void pkt_name_before(pkt_part_names *to, unsigned index, bool moves, uint64_t before, unsigned bits)
{
    to += index;
    to->moves = moves;
    to->before = before;
    to->gap = (uint32_t)((to->base - before) & (UINT64_MAX >> (64 - bits)));
}

enum { PKT_MOST_LATE = 64 };

/* Internal: whether a ring keeps the value of a number: if it is less than `size` before the newest one, or after it. Then
 * values that are older than that have gone. Others are late or replayed, and would remove a newer value. PKT_MOST_LATE of
 * them in a row are no accident: the numbers begin again, or half of them have passed meanwhile. bits: the width of numbers. */
PKT_INLINE bool pkt_ring_keeps(uint64_t *newest, uint32_t *late, bool *used, uint64_t number, size_t size,
                               unsigned bits)
{
    const uint64_t most = UINT64_MAX >> (64 - bits), ahead = (number - *newest) & most,
                   behind = (*newest - number) & most;
    const bool any = used[(size_t)(*newest % size)];
    if (any && behind <= most / 2 + 1 && behind < size) {
        *late = 0;
        return true;
    }
    if (any && behind <= most / 2 + 1 && ++*late < PKT_MOST_LATE)
        return false;
    for (size_t i = 1; i <= size && i <= ahead; i++)
        used[(size_t)((*newest + i) % size)] = false;
    *newest = number;
    *late = 0;
    return true;
}

/* Internal: T_peek, T_unpack and T_pack. names: of each part. from: T_baselines. motions: memory for T_motions, or NULL
 * if no part has a predicted baseline. */
PKT_API bool pkt_peek_names(const pkt_datagram *d, pkt_parts_read *read, void *v, void *names, const void *data,
                            size_t size);
PKT_API bool pkt_unpack_datagram(const pkt_datagram *d, pkt_parts_read *read, void *v, const void *from, uint64_t seed,
                                 void *motions, const void *data, size_t size, pkt_error *error);
PKT_API size_t pkt_pack_datagram(const pkt_datagram *d, pkt_parts_write *write, const void *v, const void *from,
                                 uint64_t seed, void *motions, void *data, size_t size, pkt_error *error);

/* Internal: the arrays with @fit of a packet, and its part with @fit. */
typedef struct pkt_fit_count {
    size_t offset; /* of x_count */
    uint32_t size; /* its bytes */
    uint32_t least;
} pkt_fit_count;

typedef struct pkt_fit_part {
    const pkt_fit_count *counts;
    unsigned count;
    int part; /* its index; -1: none has @fit */
    bool optional;
    size_t has;      /* the offset of has_x, if it is optional */
    bool pads;       /* the size of the part can depend on the bit where it begins */
    bool pads_after; /* the size of what comes after it can */
    uint64_t rest;   /* the part has at most so many bits without its elements */
    size_t value;    /* its offset in T */
    bool (*fit)(const void *base, const void *v, void *sent, uint32_t *order, uint32_t *entries, uint64_t start_bit,
                uint64_t max_bits, pkt_fit_report *report);
} pkt_fit_part;

typedef uint64_t pkt_parts_measure(const void *v, uint64_t start_bit, pkt_delta_part *parts);

/* Internal: T_fit. now: the value of the part, of which v gets what fits. measure fails if a field cannot be written. */
PKT_API bool pkt_fit_datagram(const pkt_datagram *d, pkt_parts_measure *measure, const pkt_fit_part *f, void *v,
                              const void *from, void *motions, const void *now, uint32_t *order, uint32_t *entries,
                              size_t max_bytes, pkt_fit_report *report);

/* Internal: nothing is chosen for a release without @fit: it gets all. */
PKT_INLINE void pkt_fit_whole(uint32_t count, pkt_fit_report *report)
{
    if (!report)
        return;
    memset(report, 0, sizeof *report);
    report->kept = count;
}

/* Internal: the bit after a part that is measured from the cursor's bit on, or PKT_FAILED. */
PKT_API uint64_t pkt_measure_part(uint64_t bit, pkt_delta_part *p, const void *v, pkt_delta_write *write);

#ifdef __cplusplus
}
#endif

#endif
