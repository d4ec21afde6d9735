/* tally.h - counts the contents of a recording: its datagrams, and the bits and values of each field.
 * SPDX-License-Identifier: MIT
 *
 * The codec traces each item that it reads (codec.h), with its bits; the values come afterwards. Both are filed under
 * the path of a field without subscripts: State.cubes[].x. Memory is bounded by the schema, not by the recording.
 *
 * Counts add up (tally_add): a tally of several recordings is the same however they were parted among tallies, and in
 * whichever order these were added. Each recording is counted by itself, because what is compared with an earlier value
 * begins again in each. So all that a tally has is one of these:
 *
 *     what                                how two add up          what bounds its size
 *     items, bits, bytes, datagrams       sums                    a number for each path of the schema
 *     least and most; first and last time least, most             likewise
 *     "was less than the one before",     or                      likewise
 *     "was another one"
 *     "schemas declare it differently"    or; if the types do     likewise
 *                                         too, no values stay
 *     the order of fields and kinds       the least place that    likewise
 *                                         one has in a recording
 *     values of a field, sizes            histogram.h             HISTOGRAM_MOST of each
 *     reaches of delta steps              sums by class           steps.h: the bits of the field
 *     bytes by time                       slices whose bounds are TALLY_SLICES
 *                                         multiples of their
 *                                         width, 10 ms times a
 *                                         power of two: the least
 *                                         that spans all
 *     pairs of sender and receiver        peers.h                 PEERS_MOST
 *     recordings that cannot be read      the first ones by their TALLY_FAULTS
 *                                         messages; their number
 *
 * No sum is in floating point, as those depend on their order.
 */
#ifndef PKTC_TALLY_H
#define PKTC_TALLY_H

#include "codec/codec.h"
#include "recordings/histogram.h"
#include "recordings/peers.h"
#include "recordings/steps.h"

enum {
    SPARSE_MODES = SPARSE_AUTO + 1,
    TALLY_SLICES = 240, /* of the time line */
    TALLY_RING = 256,   /* slice i is in place i % TALLY_RING */
    TALLY_FAULTS = 64,  /* kept */
    TALLY_DIMS = 9,     /* an array has 0 to 8 subscripts */
    TALLY_FORMS = NAME_FORMS * TALLY_DIMS
};

/* A field, or another item such as a crc, a count or a mask of changes. */
typedef struct field_tally {
    struct field_tally *next; /* in the order in which they first came */
    uint32_t order;           /* the place in that order: in the recording where it is least */
    const char *path;         /* interned */
    const char *top;          /* "State": the path up to the first dot; interned */
    const field *field;       /* NULL for other items, and if the schemas have several types there */
    size_t schema;            /* the number of the field's schema: of those whose values are counted, the least */
    bool differs;             /* the schemas declare it in several ways, so that no advice holds for all */
    bool numbers;             /* it numbers a part of a packet */
    const struct field_version *versions; /* the fields of all schemas; NULL until they are asked for */
    char
        inside[TALLY_FORMS]; /* the owner of the names of what is in it, in tally.inside: one for each form of a name */
    uint64_t items, bits;    /* on the wire */
    uint64_t full;           /* items that have the whole width of a scalar; 0 of a coded field */
    /* Of a scalar of fixed width: the sent codes, and their differences from the previous code or, in a delta, from the
     * baseline's. For a compact number, its value replaces the code. */
    histogram codes, differences;
    uint64_t whole, whole_bits; /* values that were not sent in deltas, and their bits */
    uint64_t least, most;       /* the least and the greatest code */
    bool has_last;
    uint64_t last;
    /* Of an integer, in one session of the same sender and receiver: */
    bool fell; /* values were less than one before them, and no new greatest one came soon; see tally_fell */
    /* In this recording: how often a new greatest one came, values that were less than the greatest, and those of them that are the
     * last in their connections. */
    uint64_t rises, late, below;
    bool moved;       /* a value was another one than the one before it */
    uint64_t compact; /* an unsigned number of 16, 32 or 64 bits: its bits as a compact one */
    /* Of values that changed in deltas: */
    step_tally *steps;    /* NULL if there are none */
    histogram symbols;    /* their symbols if they were coded by differences (docs/wire.md, "Coded deltas"), */
    uint64_t symbol_bits; /* and the bits after these */
    histogram changed;    /* their codes, if a model may code these */
    /* A sparse array: elements, and the bits of its indices in each mode. */
    uint64_t subsets, elements, index_bits[SPARSE_MODES];
} field_tally;

/* Datagrams of one kind: a packet, its deltas, or a frame around a stream. */
typedef struct datagram_tally {
    struct datagram_tally *next;
    uint32_t order;   /* as of a field */
    const char *name; /* "State", "State delta" */
    uint64_t count, bytes, least, most;
    histogram sizes;
} datagram_tally;

/* A recording that cannot be read, or only its beginning. */
typedef struct fault_tally {
    const char *text; /* the message, which names the recording */
    uint64_t count;
} fault_tally;

typedef struct tally {
    arena *arena;
    const schema *const *schemas; /* the first one names the report */
    size_t schema_count;
    bases *bases;
    names *names;
    struct map *by_path;      /* the fields */
    struct map *inside;       /* the same by place: what is in a field */
    struct found_name *found; /* the last ones of these */
    struct map *by_name;      /* the datagrams */
    struct map *declared;     /* (schema, struct or union, name): what it declares, if it was asked for */
    struct map *type_texts;   /* (enum or flags, NULL): see tally_versions.c */
    field_tally *fields, **last_field;
    datagram_tally *datagrams, **last_datagram;
    uint32_t field_count, datagram_count;
    peer_list peers;
    unsigned peer;          /* whose values come, */
    uint64_t session;       /* and the seed of their session */
    const decl *type;       /* the type of the last value */
    size_t schema;          /* the number of its schema */
    struct map *last_codes; /* (field_tally, peer): the last code, with its session */
    uint64_t recordings;    /* that were read */
    uint64_t unread;        /* that were not, not even their beginnings */
    fault_tally faults[TALLY_FAULTS + 1];
    unsigned fault_count;
    uint64_t other_faults;
    struct pending *pending; /* items of a value that can still be refused */
    size_t pending_count, pending_room;
    uint64_t bytes, count;
    uint64_t refused, refused_bytes; /* datagrams that no type could read */
    bool has_time;
    uint64_t first_time, last_time; /* nanoseconds since 1970 */
    /* Bytes by time: slice i begins at i * slice_time. Those from first_time to last_time are in the ring. */
    uint64_t slices[TALLY_RING], slice_time;
} tally;

/* An empty one, for one recording or for the sum of others. */
tally *tally_new(arena *a, const schema *const *schemas, size_t schema_count);

/* Adds all counts of another tally with the same schemas, which stays as it is. */
void tally_add(tally *t, const tally *from);

/* Notes a recording that cannot be read, or only its beginning. */
void tally_fault(tally *t, const char *text, bool unread);

/* Puts all into their order, and makes the histograms ready to be read. */
void tally_settle(tally *t);

/* A codec_trace, with the tally as `user`: notes an item. */
void tally_item(void *user, const codec_place *p, uint64_t bit, uint64_t bits, const uint8_t *data);

/* Notes a value that was read. base: of a delta, or NULL. parts: of a packet that has some. scratch: memory for this
 * call. */
void tally_value(tally *t, arena *scratch, const decl *d, const datum *v, bool delta, const datum *base,
                 const codec_part *parts);

/* Files the items noted so far, after their values; or forgets them if the values were refused. */
void tally_accept(tally *t);
void tally_forget(tally *t);

/* Counts a datagram of a kind. time: nanoseconds since 1970; 0 if the recording has no times. */
void tally_datagram(tally *t, const char *name, size_t size, uint64_t time);
/* Counts a datagram for its pair of sender and receiver; comes before its values. session: the seed, 0 if it has none. */
void tally_peer(tally *t, const char *name, size_t size, uint64_t session);

void tally_refused(tally *t, size_t size, uint64_t time);

/* Whether a field is a number that has only grown in each connection, such as a tick; or one that each connection has its
 * own of, such as the number of a player. */
bool is_counter(const field_tally *f);
bool is_constant_per_connection(const field_tally *f);

/* The fields that have items, the one with the most bits first. */
const field_tally **tally_sorted(arena *a, const tally *t, size_t *count);

#endif
