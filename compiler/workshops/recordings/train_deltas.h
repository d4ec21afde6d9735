/* train_deltas.h - the deltas in recordings that a model is trained on.
 * SPDX-License-Identifier: MIT
 *
 * From a recording of datagrams (pcap, pcapng), deltas are taken as they were sent, with their baselines. Or the values
 * of one type are taken, and each is compared with the one `back` values earlier from the same sender to the same
 * receiver, which has moved for `gap` values if the type is @delta(predict).
 *
 * A file of values has values of one type: for each its size in bytes, 32 bits little-endian, and the bytes that
 * T_pack_body writes. It can be compressed, like a recording.
 *
 * Recordings may have an older version of the schema: their values are converted by name.
 */
#ifndef PKTC_TRAIN_DELTAS_H
#define PKTC_TRAIN_DELTAS_H

#include "recordings/datagrams.h"
#include "wire/wire.h"

/* A recording, and the schemas with which it was made. */
typedef struct train_source {
    const char *path;
    schema *const *schemas; /* of datagrams */
    size_t schema_count;    /* 0: it is a file of values */
} train_source;

typedef struct train_request {
    schema *schema;     /* to be trained */
    const char *type;   /* whose values are taken; NULL: the deltas of datagrams */
    uint32_t back, gap; /* at least 1 */
    const train_source *sources;
    size_t source_count;
    uint16_t port; /* of the datagrams that count; 0: of all */
    const char *const *streams;
    size_t stream_count;
    uint64_t seed;
} train_request;

/* A delta, with values of the schema that is trained. */
typedef struct train_delta {
    const decl *decl;
    const datum *now;
    const datum *base; /* as in codec_options */
    const datum *was;
    const datum *start;            /* as `started` there */
    bases *bases;                  /* of its schema */
    const schema *recorded_schema; /* the sent delta in the schema of the recording; NULL: it was not sent as a delta */
    bases *recorded_bases;
    const codec_part *recorded;
} train_delta;

/* What was found in recordings besides the deltas. */
typedef struct train_found {
    uint64_t datagrams, bytes;
    uint64_t values; /* of the type */
    uint64_t lost;   /* values that do not convert */
    bool straight;   /* some delta of a type with @delta(predict) came from a version that did not predict */
} train_found;

typedef struct train_deltas train_deltas;

/* NULL after an error. */
train_deltas *train_deltas_new(arena *a, diag *d, const train_request *request);

/* Calls visit for each delta of a recording, by its number among the sources, and adds to *found. False after an error,
 * which is in d. */
typedef void train_visitor(void *user, arena *scratch, const train_delta *delta);
bool train_deltas_read(train_deltas *t, diag *d, size_t number, train_visitor *visit, void *user, train_found *found);

#endif
