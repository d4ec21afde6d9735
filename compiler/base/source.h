/* source.h - the bytes of one .pkt file, where its lines start, and spans of it.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_SOURCE_H
#define PKTC_SOURCE_H

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct source {
    const char *path;          /* as the user or an import gave it: what diagnostics print */
    const unsigned char *text; /* size bytes and a zero; a byte-order mark is part of it */
    uint32_t size;
    uint32_t line_count;
    const uint32_t *lines; /* offset of the first byte of each line */
} source;

/* Bytes [begin, end) of a file. begin == end is a place between two bytes. source NULL: nowhere (the command line). */
typedef struct span {
    const source *source;
    uint32_t begin, end;
} span;

/* Reads a file whole. NULL if that fails, with errno set; EFBIG for one over 256 MB. */
const source *source_read(arena *a, const char *path);

/* The same from bytes in memory, which are copied. */
const source *source_from(arena *a, const char *path, const void *text, size_t size);

/* Line and column of an offset, both from 1; columns count bytes (a byte-order mark not counted). */
void source_place(const source *s, uint32_t offset, uint32_t *line, uint32_t *column);

/* The bytes of a line (from 1) without its line end, not terminated; *size gets their number. */
const char *source_line(const source *s, uint32_t line, uint32_t *size);

/* From the start of a to the end of b, both of one file. */
span span_join(span a, span b);

#endif
