/* dissect_tree.h - what tshark shows of a datagram, and comparing it with what the codec reads.
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_DISSECT_TREE_H
#define TESTS_DISSECT_TREE_H

#include "codec/codec.h"

#include <stdio.h>

/* ---- dissect_tree.c */

typedef struct shown {
    const char *name;   /* as of errors: "Snapshot.players[3].slot" */
    const char *text;   /* behind it */
    uint64_t bit, bits; /* bits is 0 if it has none */
    const char *filter; /* the name of the field in Wireshark */
} shown;

typedef struct tree {
    const char *protocol; /* of the payload, as filters name it */
    shown *items;
    size_t count, room;
    const char *refused; /* the text of the expert information; or NULL */
    const char *unknown; /* likewise, if only the baseline would have told more */
} tree;

/* Reads the tree of the next datagram from tshark's PDML. `root` is the name of a packet or frame, of which the crc and the end
 * check are. False at the end, or after printing what is wrong. */
bool read_tree(arena *a, FILE *pdml, const char *root, tree *t);

/* ---- dissect_expected.c */

typedef struct stretch { /* bits of one name, one after the other */
    const char *name;
    uint64_t bit, bits;
} stretch;

typedef struct stretches {
    arena *arena;
    stretch *list;
    size_t count, room;
    const uint8_t *data; /* of the codec: the bytes they are in */
} stretches;

/* A codec_trace; user is a stretches, which has an arena. */
void trace_stretches(void *user, const codec_place *p, uint64_t bit, uint64_t bits, const uint8_t *data);

/* What the codec reads. */
typedef struct expected {
    const schema *schema;
    const char *refused; /* the text of the refusal, or NULL */
    const stretches *bits;
    const decl *decl; /* of a packet, which has a value; or NULL */
    const datum *value;
    const datum *base;       /* of a packet that is a delta; or NULL */
    const codec_part *parts; /* of a stream: the values before a refusal too; or of the packet */
} expected;

/* What is wrong with a tree of a datagram whose baselines are known; or NULL. */
const char *expected_problem(arena *a, const expected *e, const tree *t);
/* Whether a text is all of another, or its start before "..." if that is long. */
bool is_label_text(const char *label, const char *all);
/* "id 17": the key of an element of a list. */
const char *key_text(arena *a, const field *list, const datum *element);
/* Whether a text of the tree is that of a value. */
bool is_value_text(arena *a, const type *t, const char *text, const datum *d);

/* ---- dissect_sent.c */

/* How many items were compared since the start of the program. */
typedef struct sent_count {
    uint64_t values, differences; /* of fields; differences: also those after a value */
    uint64_t others;              /* tags, counts, sizes, presence, masks, indices, constants and checks */
} sent_count;
extern sent_count sent_compared;

/* Of a datagram that is not refused: what is wrong with an item of its tree that has bits. It says something else than the
 * codec has read in this place; or it is of a kind that is not compared, and not in the list of those. NULL if nothing is. */
const char *sent_problem(arena *a, const expected *e, const tree *t);

#endif
