/* recorder.h - writes recordings: pcapng files with schemas inside.
 * SPDX-License-Identifier: MIT
 *
 * Datagrams come from another recording, and get new contents. In their headers, only the sizes and checksums change.
 */
#ifndef PKTC_RECORDER_H
#define PKTC_RECORDER_H

#include "recordings/recording.h"

#include <stdio.h>

enum { MOST_LINKS = 16 }; /* more than network.h reads */

typedef struct recorder {
    FILE *to;                 /* which has its errors */
    const char *const *texts; /* of the schemas */
    size_t text_count;
    link_type links[MOST_LINKS]; /* of the interfaces of the section */
    unsigned link_count;
} recorder;

/* Writes the beginning of a section, in which no session of those before counts. */
void recorder_begin_section(recorder *r);

/* Writes a packet whose datagram has these bytes. If they are too many, writes nothing and returns false. */
bool recorder_add(recorder *r, arena *scratch, const recorded *from, const uint8_t *data, size_t size);

/* Writes the packet of a session, as sessions.h has it, from the sender to the receiver of a datagram. */
void recorder_add_session(recorder *r, arena *scratch, const recorded *from, const session *s);

/* Writes the schemas if no packet has come. */
void recorder_end(recorder *r);

#endif
