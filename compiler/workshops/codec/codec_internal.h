/* codec_internal.h - shared by the files of the codec.
 * SPDX-License-Identifier: MIT
 *
 * One walk over the schema serves both directions: each function moves a piece of a value into the stream or, if
 * codec.reading, out of it. All of them return false after an error.
 */
#ifndef PKTC_CODEC_INTERNAL_H
#define PKTC_CODEC_INTERNAL_H

#include "codec/codec.h"
#include "codec/codec_scalar.h"

/* A delta whose items can be coded. */
typedef struct coding {
    int64_t lead; /* the bits that its coded items save over the plain ones */
    bool plain;   /* its items are plain */
    bool is_new;  /* they are in a new element of a list */
    code_counter *count;
    void *user;
} coding;

typedef struct codec {
    arena *arena;
    bases *bases;
    const schema *schema;
    bool reading;
    bool judging;   /* writing a baseline: only errors that make a baseline invalid count */
    bool ordering;  /* with judging: each `after` is judged too */
    bool comparing; /* writing for a comparison: a scalar that cannot be written is its bits in memory */
    bool
        unordered; /* with comparing: so is an `after`. A reader compares like this: what it did not read is the same */
    uint8_t *data; /* reading: never written to; CODEC_AHEAD zeros come after it */
    uint64_t first; /* reading: where the value begins */
    uint64_t bit;   /* the current position */
    uint64_t limit; /* reading: the end of the data; writing: the end of the room; in bits */
    bool aligned;   /* an item was, since the current part began */
    size_t size;    /* writing: bytes allocated for data */
    size_t memory;  /* reading: the arena may have this many bytes in use, */
    uint64_t room;  /* and the values this weight: see record_weight */
    const trail *trail;
    name_form form;      /* of the name of the current item */
    subscripted element; /* the current element of the array, for the names of items */
    bool rest;           /* as in codec_place */
    const codec_seen *seen;
    codec_trace *trace;
    void *user;
    const char **note;   /* gets the meaning of the next item; or NULL */
    const decl *tag_of;  /* the next item is the tag of this union; or NULL */
    coding *coding;      /* of the delta that is moved; NULL: nothing in it is coded */
    code_counter *count; /* or NULL */
    codec_part *parts;   /* of the packet, with their baselines; NULL: it has none */
    const datum *start;  /* of the part that is moved, settled; or NULL */
    uint64_t changes;    /* reading a delta: fields and elements that were found to differ from those of the baseline */
    codec_error *error;
} codec;

/* ---- the stream: codec_stream.c */

/* A writer to its own memory, for comparing encodings, with the start value of the part that c moves. */
codec codec_scratch(const codec *c, codec_error *error);

/* Adds all that was written to another memory, for which there is room. Always returns true. */
bool codec_append(codec *c, const codec *from);

/* Sets the error of an item of this name in the current value; "" means the value itself. Always returns false. */
bool codec_fail(codec *c, pkt_code code, uint64_t bit, const char *name);
/* codec_enter makes the following names parts of a field or element; codec_leave goes back. */
void codec_enter(codec *c, trail *here, const char *name);
void codec_leave(codec *c, const trail *here);

/* Whether a reader may take `size` more bytes of the arena. A few bits can stand for many elements, so this is asked before
 * what grows with the values is allocated. */
bool codec_may_take(codec *c, uint64_t size, const char *name);
/* A new struct with base values; NULL if a reader may not take one more. */
record *codec_record(codec *c, const decl *d);
/* The same for *v, which is still empty; but an element of a list has its struct already, with its key. */
bool codec_begin_struct(codec *c, const decl *d, datum *v);
/* A reader has read a whole struct: it is sound now, unless it is too large for whoever goes through it. */
bool codec_weigh(codec *c, record *r);

/* Moves the `count` low bits of *raw, lowest first. `start` is where the item began, for errors. */
bool codec_bits(codec *c, unsigned count, uint64_t *raw, uint64_t start, const char *name);
/* Traces the item from start to here, which is complete. Always returns true. */
bool codec_done(codec *c, uint64_t start, const char *name);
/* Call before codec_done or codec_matches: notes the meaning of the item. */
void codec_note(codec *c, const type *t, const datum *d);
/* Moves a whole item: a number that is at most max. */
bool codec_item(codec *c, unsigned count, uint64_t *raw, uint64_t max, const char *name);
/* The same for an item whose name has another form. */
bool codec_item_of_form(codec *c, name_form form, unsigned count, uint64_t *raw, uint64_t max, const char *name);
bool codec_align(codec *c, const char *name);
bool codec_bytes(codec *c, uint8_t *bytes, uint32_t size, uint64_t start, const char *name);

/* The binary digits of a number (8 for 255), and the greatest number with that many (255 for 8). */
unsigned digits_of(uint64_t number);
static inline uint64_t ones(unsigned count)
{
    return count == 0 ? 0 : UINT64_MAX >> (64 - count);
}

/* One of the three numbers, of this many bits each, in the code of a rotation. The code begins with two bits for the
 * omitted component. */
static inline uint64_t part_of_rotation(uint64_t code, unsigned part, unsigned bits)
{
    return code >> (2 + part * bits) & ones(bits);
}

/* Bits in wire order, for items that have several forms. A reader decodes the item, makes the pattern that a writer
 * would make for its value, and compares. */
enum { PATTERN_WORDS = 3 };
typedef struct pattern {
    unsigned count;
    uint64_t words[PATTERN_WORDS]; /* lowest bits first; 0 after the last one */
} pattern;

void pattern_add(pattern *p, uint64_t raw, unsigned count);
bool codec_put(codec *c, const pattern *p, const char *name);
/* Completes the item from start. It is PKT_ERROR_CANONICAL if its bits are not those of the pattern. */
bool codec_matches(codec *c, const pattern *p, uint64_t start, const char *name);

/* Takes a delta that has been seen. False if it has not. */
bool codec_take_seen(codec *c, const codec_part *p, datum *v);

/* ---- scalars: codec_scalar.c */

/* Any scalar, text or bytes in its full encoding. */
bool codec_scalar(codec *c, const type *t, datum *d, const char *name);
/* The full encoding of a number that a delta can also move by a step or code. */
void full_pattern(const type *t, const datum *d, pattern *p);
/* Reads that encoding. *lands: it is a value of the type; a compact number always is. */
bool full_take(codec *c, const type *t, datum *d, bool *lands, uint64_t start, const char *name);

/* ---- subsets: codec_subset.c */

typedef struct index_list {
    uint32_t *at;
    uint32_t count;
    uint32_t room;
} index_list;

void index_add(arena *a, index_list *l, uint32_t index);

/* Moves the element at an index. When reading, the index is the last one in the list. */
typedef bool element_mover(codec *c, void *user, uint32_t index);

/* Moves a subset: at most `limit` of n elements. The list has the indices in ascending order; when reading, it is empty
 * before. */
bool codec_subset(codec *c, sparse_mode mode, uint32_t n, uint32_t limit, index_list *l, const char *name,
                  element_mover *move, void *user);

/* The numbers between an index or key and the one before it. `most`: the greatest gap that the type can have. */
void gap_pattern(uint64_t gap, uint64_t most, pattern *p);
/* Reads a gap. *lands: it is at most `left`. The caller completes the item. */
bool take_gap(codec *c, uint64_t most, uint64_t left, uint64_t *gap, bool *lands, const char *name);

/* ---- lists with keys: codec_list.c */

/* Moves the key of element `index` of a list; previous: the element before it, or NULL. When reading, *d gets a new struct
 * with this key. */
bool codec_key(codec *c, const field *f, const datum *previous, datum *d, uint32_t index);
/* Moves a list that has changed. base: a list with the shape of a baseline; was: as in codec_value_delta, or base. */
bool codec_list_delta(codec *c, const field *f, const slot *base, const slot *was, slot *now);

/* ---- fields and bodies: codec_field.c */

/* Moves one element of a field, or its value if it is not an array. */
bool codec_element(codec *c, const field *f, record *r, datum *d);
/* A reader makes room for more elements in a slot, which has room for *room. */
bool codec_make_room(codec *c, const field *f, slot *s, uint32_t *room, uint32_t needed);
/* Moves the count of a counted array. */
bool codec_count(codec *c, const field *f, slot *s);
bool codec_presence(codec *c, const field *f, slot *s);
/* align, const, reserved, check. */
bool codec_layout(codec *c, const item *i);
bool codec_value(codec *c, const decl *d, datum *v);
bool codec_tag(codec *c, const decl *d, datum *v, const member **chosen);
/* Moves the fields of a packet with parts up to the last one that names a baseline. */
bool codec_names(codec *c, const decl *d, record *r);

/* Whether two slots are the same in memory or on the wire. What both values share is the same. */
bool same_slots(codec *c, const field *f, const slot *a, const slot *b);
/* The same for elements first to first + count - 1, which both have. */
bool same_run(codec *c, const field *f, const slot *a, const slot *b, uint32_t first, uint32_t count);

bool same_records(codec *c, const record *a, const record *b);

/* ---- deltas: codec_delta.c */

/* Whether a value has the shape that a baseline must have; in_order: and each `after` in it is in order. */
bool codec_has_shape(codec *c, const decl *d, const datum *v, bool in_order);

/* was: the value from which the baseline was predicted, or NULL. */
bool codec_value_delta(codec *c, const decl *d, const datum *base, const datum *was, datum *v);
/* Moves a struct or union, or an element that is one, of a field. */
bool codec_composite_delta(codec *c, const field *f, const datum *base, const datum *was, datum *now);
/* Whether the prediction has moved element i of an array. One that cannot be written, because of its `after`, counts as
 * moved for readers too. */
bool codec_has_moved(codec *c, const field *f, const slot *base, const slot *was, uint32_t i);

/* ---- deltas to baselines that fields name: codec_part.c */

/* Where the fields are. */
typedef struct name_source {
    const record *packet;     /* with parts */
    const codec_part *values; /* of a stream, up to here */
} name_source;

/* The number that a sum gives for a value. False if a field is absent. */
bool codec_sum(const name_source *from, const codec_part *of, const field_sum *sum, uint64_t *result);
/* Finds the baseline that is named for an expected value, and predicts it. Without a name it is NULL. */
bool codec_find_base(codec *c, const codec_options *how, const name_source *from, const codec_part *e, codec_part *p);
/* Predicts the baseline; before: NULL if there is no earlier one. The list may be for several versions, and this one may not have @delta(predict) on the type.
 * Then the baseline stays, but `pktc convert` needs the value from which it moves in other versions. */
void codec_move_on(arena *a, const datum *before, uint32_t back, uint32_t gap, codec_part *p);

/* Moves the value of a part, and notes its bits. */
bool codec_move_part(codec *c, codec_part *p, datum *v);
/* Fills c->parts with all parts of a packet and their baselines. If how->framed, mixes these into the seed. */
bool codec_find_parts(codec *c, const codec_options *how, const record *packet, uint64_t *seed);
/* The parts that are present in the packet that was read, with their values. They are not in c->parts any more. */
codec_part *codec_present_parts(const codec *c, const record *packet);

/* ---- coded items: codec_coded.c. The caller checks that something has changed, if it has to. */

bool coded_number(codec *c, const field *f, const datum *base, const datum *was, datum *now);
bool coded_rotation(codec *c, const field *f, const datum *base, const datum *was, datum *now);
/* A number is coded as its distance from the least one, which is at most coded_span. coded_code returns false for a
 * number that cannot be written. */
uint64_t coded_span(const type *t);
bool coded_code(const type *t, const datum *d, uint64_t *code);
pkt_code coded_of_code(const type *t, uint64_t code, datum *d);
/* "x, health": the fields of a block whose bits in a mask are set. */
const char *changed_names(codec *c, const item *items, const bool *changed);
/* The change mask of a block of `count` fields. */
bool coded_mask(codec *c, const block *b, unsigned count, bool *changed);
/* The set of n elements that have changed; when reading, all are false before. */
bool coded_elements(codec *c, const field *f, bool *changed, const bool *expected, uint32_t n);

#endif
