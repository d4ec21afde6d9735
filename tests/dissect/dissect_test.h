/* dissect_test.h - what the parts of the test of `pktc wireshark` share.
 * SPDX-License-Identifier: MIT
 *
 * The test makes datagrams, lets tshark dissect all of them in one run, and compares each tree with what the codec reads.
 */
#ifndef TESTS_DISSECT_TEST_H
#define TESTS_DISSECT_TEST_H

#include "codec/codec.h"
#include "dissect/dissect.h"

/* A dissector: a schema with a protocol name of its own, and the UDP port whose datagrams it dissects. */
typedef struct dissector {
    struct dissector *next;
    const schema *schema;
    dissect_options how;
    uint32_t port;
} dissector;

/* A datagram, and how the codec reads it. */
typedef struct datagram {
    struct datagram *next;
    const dissector *by;
    const char *what; /* where it comes from, for messages */
    const decl *decl; /* what it is, or of a stream NULL */
    const codec_part *parts;
    bool knows_base; /* the capture has the baseline of its delta */
    codec_options options;
    const uint8_t *bytes;
    size_t size;
    const char *told;  /* what its tree says of a refusal; or NULL */
    bool may_say_more; /* its tree says that its baseline is not known */
} datagram;

typedef struct test {
    arena *arena;
    dissector *dissectors, **last_dissector;
    datagram *datagrams, **last_datagram;
    uint32_t dissector_count, datagram_count;
} test;

/* ---- dissect_cases.c */

/* Adds the records of a vectors file. */
void add_vectors(test *t, const char *path);
/* Adds random values of all types of a schema, as packets and in frames, and variants of their bytes. */
void add_schema(test *t, const source *text, uint64_t seed, uint32_t cases);

/* Adds values of numbered.pkt, most of which are deltas to earlier ones. */
void add_numbered(test *t, const source *text, uint64_t seed);

/* ---- dissect_tree.c: what tshark shows */

typedef struct shown {
    const char *name;   /* as of errors: "Snapshot.players[3].slot" */
    const char *text;   /* behind it */
    uint64_t bit, bits; /* bits is 0 if it has none */
    const char *filter; /* the name of the field in Wireshark */
} shown;

typedef struct tree {
    shown *items;
    size_t count, room;
    const char *refused; /* the text of the expert information; or NULL */
    const char *unknown; /* likewise, if only the baseline would have told more */
} tree;

/* Reads the tree of the next datagram from tshark's PDML. `root` is the name of a packet or frame, of which the crc and the end
 * check are. False at the end, or after printing what is wrong. */
bool read_tree(arena *a, FILE *pdml, const char *root, tree *t);

/* ---- dissect_expected.c */

/* What is wrong with a tree, or NULL. */
const char *tree_problem(arena *a, const datagram *d, const tree *t);

#endif
