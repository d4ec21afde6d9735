/* codec_io.h - shared by decode, encode and convert, for the bytes of one value: type, baseline, input, output.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_CODEC_IO_H
#define PKTC_CODEC_IO_H

#include "codec/codec.h"
#include "codec/codec_rows.h"
#include "driver/run.h"

/* The type that was asked for, and its baseline. */
typedef struct codec_io {
    arena *arena;
    diag *diag;
    const schema *schema;
    const options *options;
    const codec_choices *chosen;
    const decl *decl;  /* of a single value */
    codec_part *parts; /* of a stream; NULL: a single value */
    codec_options how;
    datum base, moved;   /* the baseline as given, and as predicted */
    const record *bases; /* of the parts of a packet, or NULL: see codec_io.c */
    const char *note;    /* of codec_options */
} codec_io;

/* Finds the type and reads the baseline. With a frame, or if the type is more than a name, it is a stream: a list of
 * types separated by commas. One type may be followed by `delta`, and each by `*` for any number of values. False after
 * an error. The struct must stay where it is: io->how points to it. */
bool codec_io_open(codec_io *io, run *r, const schema *s);

/* All bytes of the input; NULL after an error. `what` names them in the prompt for a user who types them. */
const uint8_t *codec_io_input(codec_io *io, const char *what, size_t *size);

/* The bytes of a value in the input, which are digits with --hex. NULL after an error. */
const uint8_t *codec_io_bytes(codec_io *io, size_t *size);
int hex_digit(uint8_t c); /* its value; -1: it is none */

/* Reads a value of the type from the JSON of the input. False after an error. */
bool codec_io_json(codec_io *io, const uint8_t *text, size_t size, datum *v);

/* The same for the values of a stream. */
bool codec_io_json_parts(codec_io *io, const uint8_t *text, size_t size, codec_part **parts);

/* Reports why a value or its bytes were refused. */
message *codec_io_refused(codec_io *io, const char *what, const codec_error *error);

/* Whether bytes can go to standard output; otherwise reports why not. text: they are printed as text. */
bool codec_io_can_print(diag *d, bool text);

/* Prints the bytes of a value: as digits with --hex. */
void codec_io_print(const codec_io *io, const uint8_t *data, size_t size);

/* Whether this pktc can read JSON; if not, reports that `what` needs it. */
bool codec_io_reads_json(diag *d, const char *what);

#endif
