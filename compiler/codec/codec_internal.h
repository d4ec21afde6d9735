/* codec_internal.h - what the files of the codec share.
 * SPDX-License-Identifier: MIT
 *
 * One walk over the schema serves both directions: each function moves one piece of the wire, from the value into the
 * stream or the other way. All return false once something is wrong, with the error set.
 */
#ifndef PKTC_CODEC_INTERNAL_H
#define PKTC_CODEC_INTERNAL_H

#include "codec/codec.h"

/* Where in a value one is: names from the outside in. */
typedef struct trail {
    const struct trail *outer;
    const char *name;
} trail;

typedef struct codec {
    arena *arena;
    const schema *schema;
    bool reading;
    uint8_t *data;       /* reading: not written to */
    uint64_t bit, limit; /* in bits */
    size_t size;         /* writing: bytes of data so far */
    const trail *trail;
    codec_trace *trace;
    void *user;
    codec_error *error;
} codec;

/* ---- the stream: codec_stream.c */

/* A writer into memory of its own, for comparing. */
codec codec_scratch(const codec *c, codec_error *error);

/* The name is put behind the place; "" for the place itself. Always false. */
bool codec_fail(codec *c, pkt_code code, uint64_t bit, const char *name);
/* "x_count", "has_x": a name with a text before it and one after it. */
const char *name_with(codec *c, const char *before, const char *name, const char *after);
bool codec_bit_at(const codec *c, uint64_t bit);

/* Moves so many bits, lowest first, of the item that began at start. */
bool codec_bits(codec *c, unsigned count, uint64_t *raw, uint64_t start, const char *name);
/* The item from start to here is complete. What has no name in errors, padding and masks, has one here. */
bool codec_done(codec *c, uint64_t start, const char *name);
/* A whole item: a number that is at most max. */
bool codec_item(codec *c, unsigned count, uint64_t *raw, uint64_t max, const char *name);
bool codec_align(codec *c, const char *name);
bool codec_bytes(codec *c, uint8_t *bytes, uint32_t size, uint64_t start, const char *name);

/* How many binary digits a number has, and the greatest number of so many. */
unsigned digits_of(uint64_t number);
uint64_t ones(unsigned count);

/* Bits in the order of the wire, for items that have several forms: a reader takes one apart, makes the pattern that a
 * writer would for what it found, and compares. */
typedef struct pattern {
    unsigned count;
    bool bits[160];
} pattern;

void pattern_add(pattern *p, uint64_t raw, unsigned count);
bool codec_put(codec *c, const pattern *p, const char *name);
/* Completes the item from start; one that is not the pattern is not what a writer writes. */
bool codec_matches(codec *c, const pattern *p, uint64_t start, const char *name);

/* ---- scalars: codec_scalar.c */

/* Bits of an element of a fixed width. */
unsigned scalar_width(const type *t);
/* What stands on the wire for a number of fixed width, or the code of a quantized number, a quat or a unit. PKT_OK, or
 * why there is none. */
pkt_code scalar_code(const type *t, const datum *d, uint64_t *code);
/* The value that a code stands for. PKT_OK, or why a reader refuses it. */
pkt_code scalar_from_code(const type *t, uint64_t code, datum *d);
/* Any scalar, text or bytes in its full encoding. */
bool codec_scalar(codec *c, const type *t, datum *d, const char *name);
void compact_pattern(uint64_t v, unsigned bytes, pattern *p);
/* What is left of a compact number behind `start`; only taken apart. */
bool compact_take(codec *c, unsigned bytes, uint64_t *v, uint64_t start, const char *name);

/* ---- subsets: codec_subset.c */

typedef struct index_list {
    uint32_t *at;
    uint32_t count;
    uint32_t room;
} index_list;

void index_add(arena *a, index_list *l, uint32_t index);

/* Moves the element of an index; reading, it is the last one of the list. */
typedef bool element_mover(codec *c, void *user, uint32_t index);

/* At most `limit` of n elements, each moved in its place. Reading, the list begins empty. */
bool codec_subset(codec *c, sparse_mode mode, uint32_t n, uint32_t limit, index_list *l, const char *name,
                  element_mover *move, void *user);

/* ---- fields and bodies: codec_field.c */

/* r: what the field stands in; reading, the slot holds base values before. */
bool codec_field(codec *c, const field *f, record *r, slot *s);
/* One element; of a field with `unless` or `after` too. */
bool codec_element(codec *c, const field *f, record *r, datum *d);
/* The count of a counted array; reading, the slot's. */
bool codec_count(codec *c, const field *f, slot *s);
bool codec_presence(codec *c, const field *f, slot *s);
/* align, const, reserved, check. */
bool codec_layout(codec *c, const item *i);
bool codec_value(codec *c, const decl *d, datum *v);
bool codec_tag(codec *c, const decl *d, datum *v, const member **chosen);

/* Whether both can be written, and are the same bits then. */
bool same_slots(codec *c, const field *f, const slot *a, const slot *b);
bool same_data(codec *c, const field *f, const datum *a, const datum *b);

/* ---- deltas: codec_delta.c */

bool codec_value_delta(codec *c, const decl *d, const datum *base, datum *v);

#endif
