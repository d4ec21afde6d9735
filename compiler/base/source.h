/* source.h - the bytes of a .pkt file, its lines, and spans of it.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_SOURCE_H
#define PKTC_SOURCE_H

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A character that begins at byte `at`, behind so many units of UTF-16. */
typedef struct source_mark {
    uint32_t at, units;
} source_mark;

enum { MARKED_BYTES = 512 };

typedef struct source {
    const char *path;          /* as the user or an import wrote it, and as diagnostics print it */
    const unsigned char *text; /* size bytes, with a byte-order mark if the file has one, then a zero */
    uint32_t size;
    uint32_t line_count;
    const uint32_t *lines; /* offset of the first byte of each line */
    source_mark *marks;    /* for editors, which fill them: of the first character in each MARKED_BYTES */
    bool alone;            /* of a recording or a tally: it must not open files, since there are none beside it */
} source;

/* Bytes [begin, end) of a file. begin == end is a position between two bytes. If source is NULL, there is no position,
 * as for errors in the command line. */
typedef struct span {
    const source *source;
    uint32_t begin, end;
} span;

/* All bytes up to the end of a file or a pipe. NULL with errno, which is EFBIG if there are more than `most`; then *size
 * is greater than that, too. */
uint8_t *read_to_end(arena *a, FILE *file, size_t most, size_t *size);

/* Reads a whole file. NULL with errno, which is EFBIG for a file over 256 MB. */
const source *source_read(arena *a, const char *path);

/* The same of standard input, which messages call <stdin>. */
const source *source_read_input(arena *a);

/* The same for bytes in memory, which are copied. */
const source *source_from(arena *a, const char *path, const void *text, size_t size);

/* The same for a schema that was recorded. */
const source *source_recorded(arena *a, const char *path, const void *text, size_t size);

/* Line and column of an offset, both from 1. Columns count bytes, without the byte-order mark. */
void source_place(const source *s, uint32_t offset, uint32_t *line, uint32_t *column);

/* The bytes of a line (from 1) without its line end; *size is their number. There is no terminating zero. */
const char *source_line(const source *s, uint32_t line, uint32_t *size);

/* The text of a span. */
const char *span_text(arena *a, span at);

/* From the start of a to the end of b, which are in the same file. */
span span_join(span a, span b);

#endif
