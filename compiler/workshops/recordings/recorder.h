/* recorder.h - writes recordings: pcapng files with schemas inside.
 * SPDX-License-Identifier: MIT
 *
 * Datagrams come from another recording, and get new contents. In their headers, only the sizes and checksums change.
 */
#ifndef PKTC_RECORDER_H
#define PKTC_RECORDER_H

#include "recordings/recording.h"

#include <stdio.h>

/* Writes the blocks before the packets. texts: the texts of the schemas. Errors are those of the file. */
void recorder_begin(FILE *to, link_type link, const char *const *texts, size_t count);

/* Writes a packet whose datagram has these bytes. If they are too many, writes nothing and returns false. */
bool recorder_add(arena *scratch, FILE *to, const recorded *from, const uint8_t *data, size_t size);

/* Writes the packet of a session, as sessions.h has it, from the sender to the receiver of a datagram. */
void recorder_add_session(arena *scratch, FILE *to, const recorded *from, const session *s);

#endif
