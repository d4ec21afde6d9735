/* bound_files.h - the files of `pktc bind` that are the same for all schemas, which are part of the pktc program.
 * SPDX-License-Identifier: MIT
 *
 * They are pkt.js, pkt.d.ts and pkt_godot.h of this folder. When pktc is built, dist/embed.c makes these arrays of them.
 */
#ifndef PKTC_BOUND_FILES_H
#define PKTC_BOUND_FILES_H

#include <stddef.h>

typedef struct bound_file {
    const char *name; /* "pkt.js" */
    const unsigned char *text;
    size_t size;
} bound_file;

extern const bound_file bound_files[];
extern const size_t bound_file_count;

#endif
