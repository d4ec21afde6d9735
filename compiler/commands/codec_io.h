/* codec_io.h - what `pktc decode` and `pktc encode` share: the type and baseline that were asked for, and the input.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_CODEC_IO_H
#define PKTC_CODEC_IO_H

#include "base/diag.h"
#include "codec/codec.h"

/* What the command line asks for. */
typedef struct codec_request {
    const char *type; /* the name of a struct, packet or union */
    const char *base; /* the file with the baseline, JSON or `null` for base values; NULL: a whole value, not a delta */
    bool bits;        /* list each item of the wire instead */
} codec_request;

/* A request that can be met: its type is there and its baseline was read. */
typedef struct codec_io {
    arena *arena;
    diag *diag;
    const schema *schema;
    const codec_request *request;
    const decl *decl;
    codec_options how;
    datum base;
} codec_io;

/* Finds the type and reads the baseline. False after an error. */
bool codec_io_open(codec_io *io, arena *a, diag *d, const schema *s, const codec_request *request);

/* All bytes of standard input; NULL after an error. */
const uint8_t *codec_io_input(codec_io *io, size_t *size);

/* A value of the type from JSON; `name` is what the text comes from. False after an error. */
bool codec_io_json(codec_io *io, const uint8_t *text, size_t size, const char *name, datum *v);

/* Reports why a value or its bytes were refused. */
void codec_io_refused(codec_io *io, const char *what, const codec_error *error);

/* Reports that `what` needs to read JSON, unless this pktc can. */
bool codec_io_reads_json(diag *d, const char *what);

#endif
