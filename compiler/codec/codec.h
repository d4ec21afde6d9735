/* codec.h - reads and writes any packet straight from the checked schema, bit by bit.
 * SPDX-License-Identifier: MIT
 *
 * A second implementation of docs/wire.md beside the generated code. It shares nothing with wire.c, fuse.c and what is
 * emitted, nor with the runtime but for the names of errors: widths, forms and rules are derived here once more, the
 * simplest way that there is, so that a mistake in either shows. Where the two differ, docs/wire.md says which is
 * wrong.
 */
#ifndef PKTC_CODEC_H
#define PKTC_CODEC_H

#include "codec/codec_value.h"
#include "pkt.h"

/* What went wrong: as pkt_error, but for the name, which is never cut. */
typedef struct codec_error {
    pkt_code code;
    uint64_t bit;
    const char *field; /* "Snapshot.bodies.x", "" for none */
} codec_error;

/* Called for each item of the wire once it is known: its full name, where it is, and the stream that it is in. */
typedef void codec_trace(void *user, const char *field, uint64_t bit, uint64_t bits, const uint8_t *data);

typedef struct codec_options {
    uint64_t id;        /* the protocol id that packets are framed with */
    bool framed;        /* crc before, end check behind; else the bare body */
    bool delta;         /* against `base` */
    const datum *base;  /* NULL: base values */
    uint64_t room;      /* writing: at most so many bytes; SIZE_MAX for as many as it takes */
    codec_trace *trace; /* reading; or NULL */
    void *user;
} codec_options;

/* d: a struct or union, a packet if framed, without sparse arrays anywhere if delta. Memory comes from the arena. */

/* The bytes of a value. NULL with *error where it cannot be written. */
uint8_t *codec_write(arena *a, const schema *s, const decl *d, const datum *v, const codec_options *how, size_t *size,
                     codec_error *error);

/* The value of bytes, which it has to be all of. False with *error where they are refused. */
bool codec_read(arena *a, const schema *s, const decl *d, const uint8_t *data, size_t size, const codec_options *how,
                datum *v, codec_error *error);

#endif
