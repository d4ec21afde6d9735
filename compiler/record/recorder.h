/* recorder.h - writes recordings: pcapng files with schemas inside.
 * SPDX-License-Identifier: MIT
 *
 * Datagrams come from another recording, and get other bytes. Their headers stay as they are, but for what these bytes
 * decide: sizes and checksums.
 */
#ifndef PKTC_RECORDER_H
#define PKTC_RECORDER_H

#include "record/recording.h"

#include <stdio.h>

/* Writes what is before the packets. texts: those of the schemas. Errors are those of the file. */
void recorder_begin(FILE *to, link_type link, const char *const *texts, size_t count);

/* Writes a packet whose datagram has these bytes. False if a datagram cannot have so many; then nothing is written. */
bool recorder_add(arena *scratch, FILE *to, const recorded *from, const uint8_t *data, size_t size);

#endif
