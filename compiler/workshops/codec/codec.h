/* codec.h - reads and writes any value straight from the checked schema, bit by bit.
 * SPDX-License-Identifier: MIT
 *
 * This is a second implementation of docs/wire.md, independent of the generated code. It shares nothing with wire/,
 * emit/ and the runtime except the names of errors. It derives widths, forms and rules again, in the simplest way, so
 * that tests can compare the two. If they differ, docs/wire.md decides which one is wrong.
 */
#ifndef PKTC_CODEC_H
#define PKTC_CODEC_H

#include "codec/codec_value.h"
#include "pkt.h"

typedef struct codec_part codec_part;

/* The bytes that 64 bits can touch. So many are read behind the data. */
enum { CODEC_AHEAD = 9 };

/* Like pkt_error, but the field's name is never cut. */
typedef struct codec_error {
    pkt_code code;
    uint64_t bit;
    const char *field; /* "Snapshot.bodies.x"; "" if no field is at fault */
    /* PKT_ERROR_BASELINE: */
    bool of_start;    /* it is a start value that is missing, or cannot be written */
    bool of_baseline; /* it is not the baseline that is unknown, but the value from which that has moved */
    uint64_t number;  /* its name */
    /* The values that cannot be read without it, with their numbers: the value of a stream, or all parts of a packet. */
    const codec_part *unread;
} codec_error;

/* The position in an array so far: the first `dims` subscripts are known, and `at` is the element's number through
 * them. dims 0: no array. */
typedef struct subscripted {
    const field *of;
    uint32_t at, dims;
} subscripted;

/* The names on the path from the whole value to the current one, innermost first. */
typedef struct trail {
    const struct trail *outer;
    const char *name;
    subscripted element;
} trail;

/* How an item of a field is called: "x", "has_x", "x_count", "x_size". */
typedef enum name_form { NAME_ALONE, NAME_HAS, NAME_COUNT, NAME_SIZE, NAME_FORMS } name_form;

/* The place of an item. */
typedef struct codec_place {
    const trail *trail; /* around it */
    const char *name;
    name_form form;
    subscripted element;
    bool rest; /* the item before was another piece of this value: the size of a text, or padding */
} codec_place;

/* "State.cubes[17].x" */
const char *codec_place_name(arena *a, const codec_place *p);

/* Called after each item on the wire was read, with its place, its first bit, its number of bits, and the data. */
typedef void codec_trace(void *user, const codec_place *p, uint64_t bit, uint64_t bits, const uint8_t *data);

/* Finds the baseline that a delta names by a number; false if there is none. Of a packet's part, expected->base is set
 * if it has been found, and the value from which it has moved is wanted. */
typedef bool codec_find(void *user, const codec_part *expected, uint64_t number, const datum **base);

/* The start value of a packet's part; NULL: it has none. */
typedef const datum *codec_find_start(void *user, const codec_part *part);

/* Called when a symbol of a code table is written, coded or not; of a number that a model may code by its values (t->number) with
 * the codes of its old and its new value. Of a change mask once, with its first table, the symbol 0, as `old` 1 if it is in a new element
 * of a list, and as `now` the mask. */
typedef void code_counter(void *user, const code_table *t, unsigned symbol, uint64_t old, uint64_t now);

/* A delta to a kept value that was read before: to that, the same bits are the same value. */
enum { SEEN_DELTAS = 16 };
typedef struct codec_seen {
    const decl *decl; /* NULL: none */
    datum base, start, value;
    uint64_t first, bits; /* in `data`, which has CODEC_AHEAD more bytes */
    uint8_t *data;
} codec_seen;

typedef struct codec_options {
    uint64_t id;          /* the protocol id */
    bases *bases;         /* the base values, if they are for several calls; or NULL */
    bool framed;          /* with crc and end check; false: only the body of a value, or the contents of a stream */
    const char *frame;    /* of a stream: the name of the frame */
    uint64_t seed;        /* of a stream, or of a packet with parts or @seed: part of the crc unless 0 */
    bool delta;           /* a delta against `base` */
    const datum *base;    /* NULL: base values */
    const datum *was;     /* of a type with @delta(predict): the value from which `base` was predicted, or NULL */
    const datum *started; /* of a delta that was a part: the start value of that, or NULL */
    uint64_t *bits;       /* writing a value: gets its number of bits; or NULL */
    uint64_t room;        /* writing: at most this many bytes; SIZE_MAX for no limit */
    uint64_t memory;  /* reading: if the value takes more bytes of the arena, it is PKT_ERROR_CAPACITY; 0: no limit */
    uint64_t skip;    /* reading: the value begins at this bit of the data; if framed, a multiple of 8 */
    bool ignore_crc;  /* reading: a wrong crc is no error */
    codec_find *find; /* for deltas that name their baseline by a number; NULL: a packet's part has none */
    codec_find_start *start; /* for parts with `else start`; NULL: none has a start value */
    bool needs_start;        /* each of them must have one */
    codec_part **parts;      /* reading a packet: gets its parts, as in a list of values that were read; or NULL */
    const codec_seen *seen;  /* reading: SEEN_DELTAS of them, which are not traced; or NULL */
    codec_trace *trace;      /* reading: called for each item; or NULL */
    code_counter *count;     /* writing: called for each symbol; or NULL */
    void *user;              /* passed to trace, find, start and count */
    const char **note;       /* set before each call of trace to the item's meaning as JSON, or NULL; or NULL */
} codec_options;

/* In both functions d is a struct or union; a packet if `framed`; @delta if `delta`. Memory comes from the arena. */

/* The bytes of a value. NULL with *error if it cannot be written. */
uint8_t *codec_write(arena *a, const schema *s, const decl *d, const datum *v, const codec_options *how, size_t *size,
                     codec_error *error);

/* Whether a quat or unit can be written with the bits of a type. */
bool codec_can_write(const type *t, const datum *d);

/* A value in a stream, or a part of a packet. */
struct codec_part {
    const decl *decl;
    const field *field; /* it is this part of a packet; NULL: a value of a stream */
    bool delta;         /* a delta against `base` */
    const datum *base;  /* NULL: base values */
    const datum *start; /* the start value of a packet's part, which is `base` without another; or NULL */
    /* Of a type with @delta(predict), if `base` is a prediction: */
    const datum *was;    /* the value from which it was predicted, */
    const datum *before; /* the value from which that had moved, or NULL, */
    uint32_t back, gap;  /* and for how many ticks: see codec_predict */
    /* In a type without it, reading may set `before`, `back` and `gap`, but no `was`: `base` has not moved. */
    /* In a list of expected values: */
    bool many;               /* as many of these as there are, maybe none */
    bool chained;            /* each is a delta to the one before; the first, to base values */
    bool last;               /* the baseline is the last one: the one that `find` finds for 0, or else base values */
    bool moves;              /* a chained or last baseline has moved from the one before it, for 1 tick each */
    const field_sum *count;  /* as many as this; NULL: one, or `many` */
    const field_sum *number; /* the number of this value in later deltas; or NULL */
    const field_sum *base_number; /* the number of the baseline, for `find`; if a field in it is absent, base values */
    const field_sum *before_number; /* of the value from which it has moved; NULL, or a field absent: not moved */
    /* In a list of values that were read: */
    bool numbered; /* and the number is */
    uint64_t called;
    uint64_t first; /* bit of the value, */
    uint64_t bits;  /* and how many; 0: they depend on its place, because something is aligned */
    datum value;
    struct codec_part *next;
};

/* The bytes of a stream of several values, with a frame around them if how->framed. NULL with *error if one of them
 * cannot be written. how->delta and how->base have no effect. */
uint8_t *codec_write_stream(arena *a, const schema *s, const codec_part *parts, const codec_options *how, size_t *size,
                            codec_error *error);

/* The values of a stream. *parts is the list of values read, even those before an error; no `many` is set in it. Values
 * with `many` are read while at least 8 bits are left. */
bool codec_read_stream(arena *a, const schema *s, const codec_part *expected, const uint8_t *data, size_t size,
                       const codec_options *how, codec_part **parts, codec_error *error);

/* Whether data can be a packet or frame of this name: by its crc, with how->seed; or by its end check, which does not
 * depend on the seed. */
bool codec_has_crc(const char *name, const uint8_t *data, size_t size, const codec_options *how);
bool codec_has_end(const schema *s, const char *name, const uint8_t *data, size_t size);

/* The value that the bytes encode; none may be left over. False with *error if they are refused. */
bool codec_read(arena *a, const schema *s, const decl *d, const uint8_t *data, size_t size, const codec_options *how,
                datum *v, codec_error *error);

/* Whether a value has the shape that a baseline must have. */
bool codec_is_baseline(arena *a, const schema *s, bases *known, const decl *d, const datum *v);

/* Whether two values that can be written are the same on the wire. */
bool codec_same(arena *a, const schema *s, bases *known, const datum *one, const datum *other);

/* Whether its crc is right: reads no more than that, and the fields that name the baselines of its parts. */
bool codec_opens(arena *a, const schema *s, const decl *d, const uint8_t *data, size_t size, const codec_options *how,
                 codec_error *error);

/* Predicts from the baseline `base`, which is `back` ticks old, and `before`, which is `gap` ticks older; NULL: there is none, so that
 * numbers go by their own speed alone. */
datum codec_predict(arena *a, const decl *d, const datum *base, const datum *before, uint32_t back, uint32_t gap);

#endif
