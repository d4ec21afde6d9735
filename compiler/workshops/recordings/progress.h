/* progress.h - shows on a terminal how far a long recording has been read, in one line that is rewritten in place.
 * SPDX-License-Identifier: MIT
 *
 * The line comes on standard error when pktc has run for two seconds. Between begin and end, a signal ends pktc only in
 * progress_step, so that what it prints to standard output is whole lines or packets.
 */
#ifndef PKTC_PROGRESS_H
#define PKTC_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress_line {
    const char *name; /* of the file */
    const char *what; /* is counted: "datagrams" */
    uint64_t size;    /* of the file in bytes; 0: not known */
    bool shows;       /* false: standard error is no terminal */
    unsigned calls;
    double begun, drawn;
    int width; /* of the line that is there; 0: none */
} progress_line;

void progress_begin(progress_line *p, const char *name, const char *what, uint64_t size);

/* at: bytes of the file that were read. count: what was found in them. */
void progress_step(progress_line *p, uint64_t at, uint64_t count);

/* Wipes the line. */
void progress_end(progress_line *p);

#endif
