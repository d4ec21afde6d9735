/* runtime_files.h - the runtime as pktc writes it: pkt.h and pkt.c, carried inside the program.
 * SPDX-License-Identifier: MIT
 *
 * amalgamate.c makes the header, and embed.c writes the definitions, while pktc is built.
 */
#ifndef PKTC_RUNTIME_FILES_H
#define PKTC_RUNTIME_FILES_H

#include <stddef.h>

typedef struct runtime_file {
    const char *name; /* "pkt.h", "pkt.c" */
    const unsigned char *text;
    size_t size;
} runtime_file;

extern const runtime_file runtime_files[];
extern const size_t runtime_file_count;

#endif
