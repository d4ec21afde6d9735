/* ts_files.h - the files of `pktc bind ts` that are the same for all schemas, which are part of the pktc program.
 * SPDX-License-Identifier: MIT
 *
 * They are pkt.js and pkt.d.ts of this folder. When pktc is built, dist/embed.c makes these arrays of them.
 */
#ifndef PKTC_TS_FILES_H
#define PKTC_TS_FILES_H

#include <stddef.h>

typedef struct ts_file {
    const char *name; /* "pkt.js" */
    const unsigned char *text;
    size_t size;
} ts_file;

extern const ts_file ts_files[];
extern const size_t ts_file_count;

#endif
