/* pkt_parts.h - packets with parts, as generated code describes them.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_inside.h. Programs do not use this header.
 */
#ifndef PKT_PARTS_H
#define PKT_PARTS_H

#include "pkt_datagram.h"
#include "pkt_packet.h"

PKT_C_BEGIN

/* A part of a datagram while that is written, read or measured. */
struct pkt_delta_part {
    const void *base;  /* T, or `motion` if baselines of T are predicted; NULL: base values */
    const void *start; /* `else start`: T, whose elements new ones in lists start from; NULL: there is none */
    const struct pkt_explanation *how;
    uint64_t start_bit, bits; /* set by measuring */
    bool known;               /* measuring: the part takes `bits`, and is not looked at */
    pkt_motion motion;
};

enum { PKT_PART_STARTS = 0x100 };

/* A part of a packet in general. */
typedef struct pkt_part_row {
    const char *name;
    const struct pkt_explanation *how;
    /* Of T_baselines: the index of its baseline; if that is predicted, the next is `before`. With PKT_PART_STARTS, the
     * start value comes after these. */
    unsigned baseline;
    bool predicts;
} pkt_part_row;

/* A packet with parts. */
struct pkt_datagram {
    pkt_frame frame;
    const struct pkt_explanation *how;
    const pkt_part_row *parts;
    unsigned count, baselines;                               /* of parts; of members of T_baselines */
    size_t size;                                             /* of T */
    void (*names)(const void *v, struct pkt_part_names *to); /* of each part */
};

/* The start value of a part of this type; NULL: there is none, or the part has another type. */
PKT_API const void *pkt_start_of(const pkt_delta_part *part, const struct pkt_type *type);

/* Sets the names of part `index`. bits: the width of numbers. */
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

/* The arrays with @fit of a packet, and its part with @fit. */
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
    /* from: the baseline; or with PKT_PART_STARTS, the pkt_delta_part */
    bool (*fit)(const void *from, const void *v, void *sent, pkt_element *order, uint32_t *entries, uint64_t start_bit,
                uint64_t max_bits, pkt_fit_report *report);
} pkt_fit_part;

typedef uint64_t pkt_parts_measure(const void *v, uint64_t start_bit, pkt_delta_part *parts);

/* T_fit_pack. now: the value of the part, of which v gets what fits. measure fails if a field cannot be written. */
PKT_API bool pkt_fit_datagram(const pkt_datagram *d, pkt_parts_measure *measure, const pkt_fit_part *f, void *v,
                              const void *from, const void *now, pkt_element *order, uint32_t *entries,
                              size_t max_bytes, pkt_fit_report *report);

/* Nothing is chosen for a release without @fit: it gets all. */
PKT_INLINE void pkt_fit_whole(uint32_t count, pkt_fit_report *report)
{
    if (!report)
        return;
    memset(report, 0, sizeof *report);
    report->kept = count;
}

/* pkt_measure_delta of a part, or of a value that is none. */
PKT_API uint64_t pkt_measure_delta_of(const pkt_delta_part *part, const void *base, const void *v, uint64_t start_bit,
                                      pkt_delta_write *write);

/* The bit after a part that is measured from the cursor's bit on, or PKT_FAILED. */
PKT_API uint64_t pkt_measure_part(uint64_t bit, pkt_delta_part *p, const void *v, pkt_delta_write *write);

PKT_C_END

#endif
