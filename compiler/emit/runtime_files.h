/* runtime_files.h - the runtime's files, which are part of the pktc program, and the runtime's parts.
 * SPDX-License-Identifier: MIT
 *
 * When pktc is built, dist/amalgamate.c makes the three files and dist/embed.c makes an array of them. dist/uses.c finds
 * the parts in them.
 */
#ifndef PKTC_RUNTIME_FILES_H
#define PKTC_RUNTIME_FILES_H

#include <stddef.h>
#include <stdint.h>

typedef struct runtime_file {
    const char *name; /* "pkt.h", "pkt_inside.h", "pkt.c" */
    const unsigned char *text;
    size_t size;
} runtime_file;

extern const runtime_file runtime_files[];
extern const size_t runtime_file_count;

/* A set of parts, a bit for each. */
typedef uint32_t runtime_parts;

typedef struct runtime_part {
    const char *name;   /* "FIT", the part of PKT_WITHOUT_FIT */
    runtime_parts uses; /* itself and those that its functions call */
} runtime_part;

extern const runtime_part runtime_part_rows[];
extern const size_t runtime_part_count;

/* A function or a macro, and the parts that code needs which mentions it: not 0. */
typedef struct runtime_name {
    const char *name;
    runtime_parts needs;
} runtime_name;

/* In the order of strcmp. */
extern const runtime_name runtime_names[];
extern const size_t runtime_name_count;

#endif
