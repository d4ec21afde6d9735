/* dissect_test.h - what the parts of the test of `pktc wireshark` share.
 * SPDX-License-Identifier: MIT
 *
 * The test makes datagrams, lets tshark dissect all of them in one run, and compares each tree with what the codec reads.
 */
#ifndef TESTS_DISSECT_TEST_H
#define TESTS_DISSECT_TEST_H

#include "../fuzz/lot.h"
#include "dissect/dissect.h"
#include "dissect_tree.h"

/* A dissector: a schema with a protocol name of its own, and the UDP port whose datagrams it dissects. Releases share both. */
typedef struct dissector {
    struct dissector *next;
    const schema *schema;
    dissect_options how;
    uint32_t port;        /* of its datagrams */
    const char *file;     /* its name, without the directory */
    const char *shown_as; /* of a release: the name that Wireshark gives its protocol; or NULL */
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
typedef struct datagram {
    struct datagram *next;
    const dissector *by;
    const char *what; /* where it comes from, for messages */
    const decl *decl; /* what it is, or of a stream NULL */
    const codec_part *parts;
    bool knows_base;          /* the capture has the baseline of its delta */
    const kept_value *kept;   /* the baselines that it may name, the newest first */
    bool names_base;          /* and it names one */
    const kept_value *starts; /* the start values of its parts, which frames before it have */
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
/* Of releases, only those are added whose crc tells the release. */
void add_datagram(test *t, const datagram *like, const uint8_t *bytes, size_t size);
/* Adds random values of the types of a dissector's schema, and variants of their bytes; not packets with parts. */
void add_types(test *t, lot *l, dissector *by, const char *what, uint32_t cases);
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
/* Adds values of one such packet. */
void add_series(test *t, lot *l, const dissector *by, const decl *d, uint64_t seed);

/* ---- dissect_releases.c */

/* Adds values of the releases of a protocol, whose dissectors have the same name and the same port, or none. */
void add_releases(test *t, const source *const *texts, uint32_t count, uint64_t seed, uint32_t cases);
/* The same for a schema and random next releases of it. */
void add_next_releases(test *t, const char *text, uint64_t seed, uint32_t cases);
/* What is wrong with the dissector that has shown a datagram, or NULL. All releases read a @stable packet: the one that has
 * shown it becomes the datagram's own. */
const char *release_problem(test *t, datagram *d, const tree *seen);

/* ---- dissect_expected.c */

/* The start value of a part. user: has the values as its first member. */
const datum *find_kept_start(const kept_value *starts, const codec_part *part);

/* NULL if there is none. */
const kept_value *find_kept(const kept_value *newest, const field *f, uint64_t number);

/* What is wrong with a tree, or NULL. */
const char *tree_problem(arena *a, const datagram *d, const tree *t);

#endif
