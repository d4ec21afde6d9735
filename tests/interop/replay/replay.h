/* replay.h - the checks that generated tests call: generated code against a record of a vectors file.
 * SPDX-License-Identifier: MIT
 *
 * A test program made by vectors.c describes each type as a replay_type, with its functions taking void pointers, and
 * each record as a replay_case, with values built field by field. A failed check ends the current cmocka test with a
 * message that names the field or the step. Buffers have exactly the size that is needed, so that the address sanitizer
 * reports any access outside them.
 */
#ifndef PKTC_REPLAY_H
#define PKTC_REPLAY_H

#include "pkt.h"

typedef struct replay_type {
    const char *name;
    size_t size;
    void *used; /* a struct with the results of earlier reads */
    /* Written by vectors.c from the schema, without generated functions. */
    void (*base)(void *v);                           /* sets every field to its base value */
    void (*same)(const void *got, const void *want); /* fails unless every field is the same; floats bit by bit */
    void (*sane)(const void *v);                     /* fails if a count, length, tag, enum or text is invalid */
    /* Generated functions. */
    void (*init)(void *v);
    bool (*write)(pkt_writer *w, const void *v);
    bool (*read)(pkt_reader *r, void *v);
    uint64_t (*measure)(const void *v, uint64_t start_bit);
    bool (*equal)(const void *a, const void *b);
    void (*quantize)(void *v);
    uint64_t min_bits, max_bits;
    /* For @delta types, else NULL. */
    bool (*write_delta)(pkt_writer *w, const void *base, const void *v);
    bool (*read_delta)(pkt_reader *r, const void *base, void *v);
    uint64_t (*measure_delta)(const void *base, const void *v, uint64_t start_bit);
    uint64_t delta_max_bits;
    /* For packets, else NULL; the delta forms for packets that are @delta. */
    size_t (*pack)(const void *v, void *data, size_t size, pkt_error *error);
    bool (*unpack)(void *v, const void *data, size_t size, pkt_error *error);
    size_t (*pack_body)(const void *v, void *data, size_t size, pkt_error *error);
    bool (*unpack_body)(void *v, const void *data, size_t size, pkt_error *error);
    size_t (*pack_delta)(const void *base, const void *v, void *data, size_t size, pkt_error *error);
    bool (*unpack_delta)(const void *base, void *v, const void *data, size_t size, pkt_error *error);
    uint64_t id; /* the protocol id of the generated code */
} replay_type;

typedef struct replay_case {
    const replay_type *type;
    bool delta;
    const void *base; /* baseline of a delta; NULL for base values */
    bool packet;
    uint64_t id; /* for a packet: the protocol id in its CRC */
    const uint8_t *bytes;
    size_t size;
    uint64_t bits; /* 0 if the record does not say */
} replay_case;

/* Checks that init gives base values. Call it before the records of its type: it also puts base values into
 * type->used. */
void replay_init(const replay_type *type);

/* Checks that value gives exactly these bytes, that they read as `read`, and that shorter buffers and truncated bytes
 * are refused. */
void replay_value(const replay_case *c, const void *value, const void *read);

/* Checks that a writer refuses value for this reason. The case has no bytes. */
void replay_unwritable(const replay_case *c, const void *value, pkt_code code);

/* Checks that a reader refuses the bytes for this reason at this bit. */
void replay_refuse(const replay_case *c, pkt_code code, uint64_t bit);

/* Used by the functions same and sane of a type. */
void same_unsigned(const char *field, uint64_t got, uint64_t want);
void same_signed(const char *field, int64_t got, int64_t want);
void same_float(const char *field, const float *got, const float *want);
void same_double(const char *field, const double *got, const double *want);
void same_text(const char *field, const char *got, const char *want, size_t room);
void same_bytes(const char *field, const uint8_t *got, size_t got_size, const uint8_t *want, size_t want_size);
void sane_that(const char *field, bool holds);
void sane_text(const char *field, const char *text, size_t room);

/* The objects of refs: put and get use callbacks that know them by their ids. Id 0 is NULL. The id of a pointer that is
 * none of them is UINT64_MAX. */
void *replay_target(uint32_t id);
uint64_t replay_id(const void *target);

/* Set floats in values, by their bits. */
void set_float(float *to, uint32_t bits);
void set_double(double *to, uint64_t bits);

#endif
