/* tally.h - counts the contents of a recording: its datagrams, and the bits and values of each field.
 * SPDX-License-Identifier: MIT
 *
 * The codec traces each item that it reads (codec.h), with its bits; the values come afterwards. Both are filed under
 * the path of a field without subscripts: State.cubes[].x. Memory is bounded by the schema, not by the recording.
 */
#ifndef PKTC_TALLY_H
#define PKTC_TALLY_H

#include "codec/codec.h"
#include "traffic/histogram.h"
#include "traffic/steps.h"

enum {
    SPARSE_MODES = SPARSE_AUTO + 1,
    TALLY_SLICES = 240, /* of the time line */
    TALLY_PEERS = 1024, /* counted one by one */
    TALLY_DIMS = 9,     /* an array has 0 to 8 subscripts */
    TALLY_FORMS = NAME_FORMS * TALLY_DIMS
};

/* A field, or another item such as a crc, a count or a mask of changes. */
typedef struct field_tally {
    struct field_tally *next; /* in the order in which they first came */
    const char *path;         /* interned */
    const char *top;          /* "State": the path up to the first dot; interned */
    const field *field;       /* NULL for other items */
    bool numbers;             /* it numbers a part of a packet */
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
    bool fell;        /* a value was less than the one before it from the same sender to the same receiver */
    uint64_t compact; /* an unsigned number of 16, 32 or 64 bits: its bits as a compact one */
    /* Of values that changed in deltas: */
    step_tally *steps;    /* NULL if there are none */
    histogram symbols;    /* their symbols if they were coded (docs/wire.md, "Coded deltas"), */
    uint64_t symbol_bits; /* and the bits after these */
    /* A sparse array: elements, and the bits of its indices in each mode. */
    uint64_t subsets, elements, index_bits[SPARSE_MODES];
} field_tally;

/* Datagrams of one kind: a packet, its deltas, or a frame around a stream. */
typedef struct datagram_tally {
    struct datagram_tally *next;
    const char *name; /* "State", "State delta" */
    uint64_t count, bytes, least, most;
    histogram sizes;
} datagram_tally;

/* The datagrams from one sender to one receiver. */
typedef struct peer_tally {
    struct peer_tally *next;
    const char *name; /* "192.0.2.1:40000 to 192.0.2.9:50000" */
    uint64_t count, bytes;
} peer_tally;

typedef struct tally {
    arena *arena;
    const schema *schema;
    bases *bases;
    names *names;
    struct map *by_path; /* the fields */
    struct map *inside;  /* the same by place: what is in a field */
    struct map *by_name; /* the datagrams */
    field_tally *fields, **last_field;
    datagram_tally *datagrams, **last_datagram;
    peer_tally *peers;
    hash_table *peer_table; /* the same by name */
    unsigned peer_count;
    peer_tally other_peers;  /* those beyond TALLY_PEERS */
    const peer_tally *peer;  /* of the values that come */
    struct map *last_codes;  /* (field_tally, peer): last_code */
    unsigned recordings;     /* that were begun */
    struct pending *pending; /* items of a value that can still be refused */
    size_t pending_count, pending_room;
    uint64_t bytes, count;
    uint64_t refused, refused_bytes; /* datagrams that no type could read */
    bool has_time;
    uint64_t first_time, last_time; /* nanoseconds */
    /* Bytes by time: slice i begins i * slice_time after first_time. If there are too many, each two become one. */
    uint64_t slices[TALLY_SLICES], slice_time;
} tally;

tally *tally_new(arena *a, const schema *s);

/* Comes before the datagrams of each recording: in a new one, counters can begin again. */
void tally_recording(tally *t);

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
/* Counts a datagram for its pair of sender and receiver; comes before its values. */
void tally_peer(tally *t, const char *name, size_t size);

void tally_refused(tally *t, size_t size, uint64_t time);

/* Whether a field is a number that has only grown, such as a tick. */
bool is_counter(const field_tally *f);

/* The fields that have items, the one with the most bits first. */
const field_tally **tally_sorted(arena *a, const tally *t, size_t *count);

/* The pairs of sender and receiver, the one with the most bytes first. */
const peer_tally **tally_peers_sorted(arena *a, const tally *t);

#endif
