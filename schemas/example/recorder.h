/* recorder.h - records the datagrams of a socket in a file for Wireshark and `pktc decode`.
 * SPDX-License-Identifier: MIT
 */
#ifndef RECORDER_H
#define RECORDER_H

#define PKT_WITH_CAPTURE
#include "pkt.h"
#include "udp.h"

#include <stdio.h>

typedef struct recorder {
    FILE *file; /* NULL: nothing is recorded */
    pkt_capture capture;
} recorder;

/* Begins a recording with the schema of the game. path: NULL for none. If there cannot be one, the game goes on without it. */
void recorder_open(recorder *r, const char *path, const udp_address *own);

/* The seed of what follows from and to another socket, and the protocol id that it was built with. */
void recorder_session(recorder *r, const udp_address *other, uint64_t session, uint64_t game_id);

void recorder_add(recorder *r, pkt_direction direction, const udp_address *other, const void *data, size_t size);

void recorder_close(recorder *r);

#endif
