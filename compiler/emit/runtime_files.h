/* runtime_files.h - the runtime's files, pkt.h and pkt.c, which are part of the pktc program.
 * SPDX-License-Identifier: MIT
 *
 * When pktc is built, dist/amalgamate.c makes the two files and dist/embed.c makes these arrays of them.
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
