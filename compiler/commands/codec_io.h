/* codec_io.h - what `pktc decode` and `pktc encode` share: finding the type, reading the baseline and the input.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_CODEC_IO_H
#define PKTC_CODEC_IO_H

#include "base/diag.h"
#include "codec/codec.h"

/* What the command line asks for. */
typedef struct codec_request {
    const char *type;   /* the name of a struct, packet or union; or of several: see codec_io_open */
    const char *base;   /* the file with the baseline of a delta (JSON; `null`: base values); NULL: not a delta */
    const char *before; /* the file with what the baseline has moved from, of a type with @delta(predict); or NULL */
    uint32_t back, gap; /* --back and --gap: see codec_predict */
    const char *frame;  /* the name of the frame around a stream; NULL: none */
    uint64_t seed;      /* of the frame; 0: none */
    const char *input;  /* the file to read; NULL: standard input */
    bool hex;           /* --hex: bytes are read and written as hexadecimal digits */
    bool bits;          /* --bits: list each item of the wire instead */
    bool body;          /* --body: a packet's body alone */
    bool ignore_crc;    /* --ignore-crc */
    uint64_t skip;      /* --skip: the value begins at this bit */
} codec_request;

/* A request whose type was found and whose baseline was read. */
typedef struct codec_io {
    arena *arena;
    diag *diag;
    const schema *schema;
    const codec_request *request;
    const decl *decl;  /* of a single value */
    codec_part *parts; /* of a stream; NULL: a single value */
    codec_options how;
    datum base, moved; /* the baseline as it is, and as it goes on */
} codec_io;

/* Finds the type and reads the baseline. A frame, and a type that has more than a name, are of a stream: types that are
 * separated by commas, of which one may be followed by `delta`, and each by `*` for any number of values. False after
 * an error. */
bool codec_io_open(codec_io *io, arena *a, diag *d, const schema *s, const codec_request *request);

/* All bytes of the input; NULL after an error. `what` names them to a user who has to type them. */
const uint8_t *codec_io_input(codec_io *io, const char *what, size_t *size);

/* What errors call the input: its path, or "standard input". */
const char *codec_io_input_name(const codec_io *io);

/* Reads a value of the type from the JSON of the input. False after an error. */
bool codec_io_json(codec_io *io, const uint8_t *text, size_t size, datum *v);

/* The same for the values of a stream. */
bool codec_io_json_parts(codec_io *io, const uint8_t *text, size_t size, codec_part **parts);

/* Reports why a value or its bytes were refused. */
message *codec_io_refused(codec_io *io, const char *what, const codec_error *error);

/* Whether this pktc can read JSON; if not, reports that `what` needs it. */
bool codec_io_reads_json(diag *d, const char *what);

#endif
