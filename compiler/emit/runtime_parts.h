/* runtime_parts.h - the parts of the runtime that not every program needs, and the runtime without some of them.
 * SPDX-License-Identifier: MIT
 *
 * A generated file states the parts that it needs: before it includes pkt.h, it defines PKT_WITH_DELTA and so on. The
 * pkt.h that pktc writes beside it defines PKT_WITHOUT_FIT and so on for those that no file there needs, and pkt.c then
 * lacks them. pktc needs to know nothing else of a directory, so several runs can write into it, each with schemas of
 * its own.
 */
#ifndef PKTC_RUNTIME_PARTS_H
#define PKTC_RUNTIME_PARTS_H

#include "emit/runtime_files.h"
#include "wire/wire.h"

/* The parts. A part comes with the parts that it uses: a delta has subsets. */
enum {
    PART_ROTATION = 1u << 0,
    PART_SUBSET = 1u << 1, /* which elements of a sparse array are present, or have changed */
    PART_DELTA = 1u << 2,
    PART_CODED = 1u << 3,
    PART_PREDICT = 1u << 4,
    PART_FIT = 1u << 5,
    PART_DATAGRAM = 1u << 6,
    PART_REFLECT = 1u << 7,
    PART_CAPTURE = 1u << 8,
    PARTS_OF_VALUES = PART_ROTATION | PART_SUBSET, /* for whole values */
    PARTS_ALL = 0x1FFu
};
typedef unsigned runtime_parts;

/* The parts that the types of a schema file need, or if it is NULL, all types. */
runtime_parts parts_of_types(const wire *w, const schema_file *file);

/* The lines of a generated file that state the parts. */
const char *parts_stated(arena *a, runtime_parts parts);

/* The parts that a generated file states. */
runtime_parts parts_of_text(const char *text, size_t size);
runtime_parts parts_of_file(const char *name);

/* The text of a file of the runtime that has these parts. */
const char *runtime_text(arena *a, const runtime_file *file, runtime_parts parts, size_t *size);

#endif
