/* replay.h - holds generated code to a record of a vectors file: the checks that generated tests call.
 * SPDX-License-Identifier: MIT
 *
 * A test program made by vectors.c describes each type as a replay_type, its functions seen through void pointers, and
 * each record as a replay_case with values built field by field. Every failed check ends the running cmocka test with a
 * message that names the field or the step. Buffers are allocated at their exact size, so that the address sanitizer
 * sees any byte touched outside them.
 */
#ifndef PKTC_REPLAY_H
#define PKTC_REPLAY_H

#include "pkt.h"

typedef struct replay_type {
    const char *name;
    size_t size;
    void *used; /* a struct that earlier reads have left their marks in */
    /* Written by vectors.c from the schema, without any generated code. */
    void (*base)(void *v);                           /* sets every field to its base value */
    void (*same)(const void *got, const void *want); /* fails unless every field is the same, floats by their bits */
    void (*sane)(const void *v);                     /* fails if a count, length, tag, enum or text is out of range */
    /* Generated. */
    void (*init)(void *v);
    bool (*write)(pkt_writer *w, const void *v);
    bool (*read)(pkt_reader *r, void *v);
    uint64_t (*measure)(const void *v, uint64_t start_bit);
    bool (*equal)(const void *a, const void *b);
    void (*quantize)(void *v);
    uint64_t min_bits, max_bits;
    /* Of @delta types, else NULL. */
    bool (*write_delta)(pkt_writer *w, const void *base, const void *v);
    bool (*read_delta)(pkt_reader *r, const void *base, void *v);
    uint64_t (*measure_delta)(const void *base, const void *v, uint64_t start_bit);
    uint64_t delta_max_bits;
    /* Of packets, else NULL; the delta forms of packets that are both. */
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
    const void *base; /* of a delta; NULL for base values */
    bool packet;
    uint64_t id; /* of a packet: the protocol id its crc was made under */
    const uint8_t *bytes;
    size_t size;
    uint64_t bits; /* 0 where the record does not tell */
} replay_case;

/* init gives base values. Comes before the records of its type: they find base values in type->used, too. */
void replay_init(const replay_type *type);

/* value gives exactly these bytes, and they give read; every shorter buffer and every truncation is refused. */
void replay_value(const replay_case *c, const void *value, const void *read);

/* A writer refuses value for this reason. The case has no bytes. */
void replay_unwritable(const replay_case *c, const void *value, pkt_code code);

/* A reader refuses the bytes for this reason at this bit. */
void replay_refuse(const replay_case *c, pkt_code code, uint64_t bit);

/* For the functions same and sane of a type. */
void same_unsigned(const char *field, uint64_t got, uint64_t want);
void same_signed(const char *field, int64_t got, int64_t want);
void same_float(const char *field, const float *got, const float *want);
void same_double(const char *field, const double *got, const double *want);
void same_text(const char *field, const char *got, const char *want, size_t room);
void same_bytes(const char *field, const uint8_t *got, size_t got_size, const uint8_t *want, size_t want_size);
void sane_that(const char *field, bool holds);
void sane_text(const char *field, const char *text, size_t room);

/* What refs point to: objects that the callbacks of put and get know, and nothing else about. 0 is null, both ways; an id
 * that no object has is UINT64_MAX. */
void *replay_target(uint32_t id);
uint64_t replay_id(const void *target);

/* For values: floats by their bits. */
void set_float(float *to, uint32_t bits);
void set_double(double *to, uint64_t bits);

#endif
