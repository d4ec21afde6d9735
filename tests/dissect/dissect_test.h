/* dissect_test.h - what the parts of the test of `pktc wireshark` share.
 * SPDX-License-Identifier: MIT
 *
 * The test makes datagrams, lets tshark dissect all of them in one run, and compares each tree with what the codec reads.
 */
#ifndef TESTS_DISSECT_TEST_H
#define TESTS_DISSECT_TEST_H

#include "dissect/dissect.h"
#include "dissect_tree.h"

/* A dissector: a schema with a protocol name of its own, and the UDP port whose datagrams it dissects. */
typedef struct dissector {
    struct dissector *next;
    const schema *schema;
    dissect_options how;
    uint32_t port;
} dissector;

/* A part of an earlier packet. */
typedef struct kept_value {
    const struct kept_value *next;
    const field *field;
    uint64_t number;
    datum value;
    bool known; /* the capture has it, and all that it depends on */
} kept_value;

/* A datagram, and how the codec reads it. */
    bool lost;  /* the capture has not even its delta */
typedef struct datagram {
    struct datagram *next;
    const dissector *by;
    const char *what; /* where it comes from, for messages */
    const decl *decl; /* what it is, or of a stream NULL */
    const codec_part *parts;
    bool knows_base;        /* the capture has the baseline of its delta */
    const kept_value *kept; /* the baselines that it may name, the newest first */
    bool names_base;        /* and it names one */
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

dissector *add_dissector(test *t, const schema *s, const char *protocol, uint64_t id, uint64_t seed);
void add_datagram(test *t, const datagram *like, const uint8_t *bytes, size_t size);
codec_part *part_of(arena *a, const decl *d, bool delta, bool many);
/* Corrects the checksum, so that what follows is tested. */
void mend_crc(const datagram *d, uint8_t *bytes, size_t size);
const schema *checked(test *t, const source *text, bool checks);
const decl *type_called(const schema *s, const char *name);

/* ---- dissect_moving.c */

/* Adds values of moving.pkt, most of which are deltas to predictions of earlier ones. */
void add_moving(test *t, const source *text, uint64_t seed);

/* ---- dissect_parts.c */

/* Adds values of the packets of a schema that have parts with named baselines. */
void add_parts(test *t, const source *text, uint64_t seed);

/* ---- dissect_expected.c */

/* NULL if there is none. */
const kept_value *find_kept(const kept_value *newest, const field *f, uint64_t number);

/* What is wrong with a tree, or NULL. */
const char *tree_problem(arena *a, const datagram *d, const tree *t);

#endif
