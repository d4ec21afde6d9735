/* pkt_cursor.h - the position in a stream that generated code works on, in one of four modes.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it by pkt_codec.h. Programs do not use this header.
 */
#ifndef PKT_CURSOR_H
#define PKT_CURSOR_H

#include "pkt_memory.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pkt_mode {
    PKT_WRITE,
    PKT_READ,
    PKT_MEASURE, /* count the bits */
    PKT_EXPLAIN  /* go again over a value that did not write, or bytes that did not read, field by field, and say why */
} pkt_mode;

/* The local copy of a stream. Whoever calls a serialize function has it on the stack, so that it lives in registers. */
typedef struct pkt_cursor {
    uint8_t *to;         /* writing */
    const uint8_t *from; /* reading */
    uint64_t bit, limit;
    uint64_t carry; /* writing: bits below the base of the next run in its first byte, and what a word left over */
    uint64_t start, start_carry; /* where the cursor began */
    pkt_writer
        *writer; /* the stream, which functions of nested types work on; of a cursor that measures or explains, */
    pkt_reader *reader; /* NULL */
    size_t byte;        /* the open run: where its first byte is */
    unsigned shift;     /* its base in that byte; one that varies: with the bits that have moved it */
    unsigned at;        /* the open word: its byte in the run */
    bool edge;          /* 8 bytes from there may be too many */
    uint64_t word;
    bool quiet;        /* the stream was, before this type entered it */
    bool fresh;        /* a packet's body is about to begin */
    bool known;        /* the open run is at a known bit; the word is at `byte` */
    uint64_t verified; /* known: so many bits of the buffer are there */
    unsigned filled;   /* a delta: bits of the word that changed fields have taken */
    bool changed;      /* a delta: a mask or subset since this was last cleared was not empty */
    bool reading;      /* explaining: a read */
    uint64_t item;     /* explaining: where the presence bit was */
    uint64_t ref;      /* reading: the id of the last ref */
    pkt_refs *refs;    /* whom to ask about refs, or NULL */
    pkt_error *error;
} pkt_cursor;

/* Whether so many bits more are here, or there is room for them. PKT_BYTEWISE: a proof learns from a condition that is not behind
 * a function what bounds there are, and no sum may wrap for all that it knows at first. */
#ifdef PKT_BYTEWISE
#define pkt_need(mode, c, bits) \
    ((mode) == PKT_MEASURE || (mode) == PKT_EXPLAIN || ((bits) <= (c)->limit && (c)->bit <= (c)->limit - (bits)))
#else
PKT_INLINE bool pkt_need(const pkt_mode mode, const pkt_cursor *c, uint64_t bits)
{
    return mode == PKT_MEASURE || mode == PKT_EXPLAIN || c->bit + bits <= c->limit;
}
#endif

/*@ requires 1 <= bits <= 64;
  @ assigns \nothing; */
PKT_INLINE uint64_t pkt_mask(const unsigned bits)
{
    return UINT64_MAX >> (64 - bits);
}

/* Comparison behind a function, so that a span that no value exceeds draws no warning; in the open for a proof, which
 * learns from it what bounds a value has. */
#ifdef PKT_BYTEWISE
#define pkt_over(raw, span) ((uint64_t)(raw) > (uint64_t)(span))
#define pkt_over32(raw, span) ((uint32_t)(raw) > (uint32_t)(span))
#else
PKT_INLINE bool pkt_over(const uint64_t raw, const uint64_t span)
{
    return raw > span;
}

PKT_INLINE bool pkt_over32(const uint32_t raw, const uint32_t span)
{
    return raw > span;
}
#endif
/* Member by member, so that it needs no memory where it is inlined: a memset keeps compilers from seeing that. */
PKT_INLINE pkt_cursor pkt_cursor_at(uint8_t *to, const uint8_t *from, uint64_t bit, uint64_t limit, uint64_t carry,
                                    pkt_refs *refs)
{
    pkt_cursor c;
    c.to = to;
    c.from = from;
    c.bit = bit;
    c.limit = limit;
    c.carry = carry;
    c.start = bit;
    c.start_carry = carry;
    c.writer = NULL;
    c.reader = NULL;
    c.byte = 0;
    c.shift = 0;
    c.at = 0;
    c.edge = false;
    c.word = 0;
    c.quiet = false;
    c.fresh = false;
    c.known = false;
    c.verified = 0;
    c.filled = 0;
    c.changed = false;
    c.reading = false;
    c.item = 0;
    c.ref = 0;
    c.refs = refs;
    c.error = NULL;
    return c;
}

/* What a called function works on: the stream without the run. */
PKT_INLINE pkt_cursor pkt_cursor_of(const pkt_cursor *c)
{
    return pkt_cursor_at(c->to, c->from, c->bit, c->limit, c->carry, c->refs);
}

#define PKT_READING (mode == PKT_READ || (mode == PKT_EXPLAIN && out != NULL))

/* So many bits are here, or there is room for them: the one bounds check of what follows. */
#define PKT_NEED(bits)                  \
    do {                                \
        if (!pkt_need(mode, c, (bits))) \
            return false;               \
        c->verified = c->bit + (bits);  \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif
