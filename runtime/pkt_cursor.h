/* pkt_cursor.h - the cursor: the position in a stream, on which generated code works in one of four modes.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_inside.h. Programs do not use this header.
 */
#ifndef PKT_CURSOR_H
#define PKT_CURSOR_H

#include "pkt_memory.h"
#include "pkt_stream.h"

PKT_C_BEGIN

typedef enum pkt_mode {
    PKT_WRITE,
    PKT_CHECK,   /* count the bits of a value, and fail if it cannot be written; refs are not looked up */
    PKT_MEASURE, /* count the bits of a value. Only what its size depends on is checked */
    PKT_READ
} pkt_mode;

/* A coded delta that is being written or read. */
typedef struct pkt_coding {
    const void *before; /* of the baseline that comes next: the value it has moved from, or itself */
    const void
        *expected; /* explaining: the predicted baseline, if there is one; `before` is what it was predicted from */
    uint32_t back, gap; /* ticks from the baseline on, and from `before` to it; gap 0: `before` is the predicted one */
    int64_t lead;       /* by how many bits its coded items are shorter than plain ones */
    bool plain;         /* its items are plain */
    bool counted;       /* writing: all items are in the lead already */
    bool is_new;        /* its items are in a new element of a list */
} pkt_coding;

/* A local copy of the state of a stream. It is on the stack of the function that calls T_serialize, so that compilers
 * keep its members in registers. */
typedef struct pkt_cursor {
    uint8_t *to;         /* writing: the buffer */
    const uint8_t *from; /* reading: the data */
    uint64_t bit, limit; /* as in pkt_writer and pkt_reader */
    uint64_t carry;      /* writing: bits of the open word's first bytes that were written before the word was opened */
    uint64_t start, start_carry;  /* bit and carry when the cursor was made */
    pkt_writer *writer;           /* the stream, on which the functions of nested types work; NULL while measuring or */
    pkt_reader *reader;           /* explaining */
    size_t byte;                  /* the open run: index of its first byte in the buffer */
    unsigned shift;               /* number of its first bit in that byte, plus what PKT_VARIED has added */
    unsigned at;                  /* the open word: its first byte, counted from the run's */
    bool edge;                    /* fewer than 8 bytes may be left from there on */
    uint64_t word;                /* its bits */
    bool fresh;                   /* at the start of a packet's body: bit is a compile-time constant */
    bool known;                   /* the open run is at such a bit, and the open word at `byte` */
    uint64_t verified;            /* if known: the first bit after those that were checked to be in the buffer */
    unsigned filled;              /* delta: bits of the open word that changed fields have taken */
    uint64_t over;                /* delta: the highest bit is set once a number in a row was out of range */
    bool changed;                 /* delta: a mask or subset was not empty since this was last cleared */
    bool reading;                 /* explaining: a read, not a write */
    bool baseline;                /* explaining: the baseline of a delta; not all of it is checked */
    bool order;                   /* explaining, with `baseline`: each `after` is checked too */
    uint64_t ref;                 /* reading: the id of the last ref */
    pkt_refs *refs;               /* callbacks for refs, or NULL */
    pkt_coding *coding;           /* coded deltas: of the whole delta; not set in other deltas */
    struct pkt_delta_part *parts; /* packets with parts: their baselines; NULL while only their names are read */
    const struct pkt_delta_part *part; /* explaining: the part that is explained, or NULL */
    pkt_error *error;
} pkt_cursor;

/* Whether this many more bits are in the data, or fit into the buffer. With PKT_BYTEWISE, for proofs, it is a macro,
 * because the prover learns bounds only from a condition that is not in a function; and it subtracts, because the
 * prover does not know that the sum cannot wrap. */
#if defined(PKT_BYTEWISE)
#define pkt_need(mode, c, bits) \
    ((mode) == PKT_MEASURE || (mode) == PKT_CHECK || ((bits) <= (c)->limit && (c)->bit <= (c)->limit - (bits)))
#elif defined(PKT_CALLS_COST)
#define pkt_need(mode, c, bits) \
    ((mode) == PKT_MEASURE || (mode) == PKT_CHECK || (c)->bit + (uint64_t)(bits) <= (c)->limit)
#else
PKT_INLINE bool pkt_need(const pkt_mode mode, const pkt_cursor *c, uint64_t bits)
{
    if (mode == PKT_CHECK)
        return true;
    return mode == PKT_MEASURE || c->bit + bits <= c->limit;
}
#endif

#ifdef PKT_CALLS_COST
#define pkt_mask(bits) (UINT64_MAX >> (64 - (bits)))
#else
/*@ requires 1 <= bits <= 64;
  @ assigns \nothing; */
PKT_INLINE uint64_t pkt_mask(const unsigned bits)
{
    return UINT64_MAX >> (64 - bits);
}
#endif

/* Whether raw is over span. A function, so that compilers do not warn that a comparison with the greatest value is
 * always false. A macro for proofs, as above. */
#ifdef PKT_BYTEWISE
#define pkt_over(raw, span) ((uint64_t)(raw) > (uint64_t)(span))
#define pkt_over32(raw, span) ((uint32_t)(raw) > (uint32_t)(span))
#elif defined(PKT_CALLS_COST)
#define pkt_over(raw, span)          \
    (__extension__({                 \
        uint64_t pkt_span_ = (span); \
        (raw) > pkt_span_;           \
    }))
#define pkt_over32(raw, span)        \
    (__extension__({                 \
        uint32_t pkt_span_ = (span); \
        (raw) > pkt_span_;           \
    }))
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

/* Sets the members one by one: after a memset, optimizing compilers keep the cursor in memory instead of registers.
 * Generated code initializes its cursors in place, because without optimization a copy takes as long as several
 * fields. */
PKT_INLINE void pkt_cursor_init(pkt_cursor *c, uint8_t *to, const uint8_t *from, uint64_t bit, uint64_t limit,
                                uint64_t carry, pkt_refs *refs)
{
#ifdef PKT_CALLS_COST
    memset(c, 0, sizeof *c);
#endif
    c->to = to;
    c->from = from;
    c->bit = bit;
    c->limit = limit;
    c->carry = carry;
    c->start = bit;
    c->start_carry = carry;
#ifndef PKT_CALLS_COST
    c->writer = NULL;
    c->reader = NULL;
    c->byte = 0;
    c->shift = 0;
    c->at = 0;
    c->edge = false;
    c->word = 0;
    c->fresh = false;
    c->known = false;
    c->verified = 0;
    c->filled = 0;
    c->over = 0;
    c->changed = false;
    c->reading = false;
    c->baseline = false;
    c->ref = 0;
#endif
    c->refs = refs;
    c->error = NULL;
}

PKT_INLINE pkt_cursor pkt_cursor_at(uint8_t *to, const uint8_t *from, uint64_t bit, uint64_t limit, uint64_t carry,
                                    pkt_refs *refs)
{
    pkt_cursor c;
    pkt_cursor_init(&c, to, from, bit, limit, carry, refs);
    return c;
}

#define PKT_READING (mode_ == PKT_READ)
/* Whether each field must be one that can be written. */
#define PKT_CHECKING (mode_ == PKT_WRITE || mode_ == PKT_CHECK)

/* The bounds check for the next fields: fails unless this many bits are left. */
#define PKT_NEED(bits)                    \
    do {                                  \
        if (!pkt_need(mode_, c_, (bits))) \
            return false;                 \
        c_->verified = c_->bit + (bits);  \
    } while (0)

PKT_C_END

#endif
