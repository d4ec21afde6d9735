/* recording.h - reads recordings of packets: what pkt_capture of the runtime, tcpdump and Wireshark write.
 * SPDX-License-Identifier: MIT
 *
 * libpcap reads the packets. It does not tell the comments of the file, so the schemas in them are read here.
 */
#ifndef PKTC_RECORDING_H
#define PKTC_RECORDING_H

#include "base/arena.h"
#include "base/diag.h"
#include "record/network.h"

enum { OPTION_COMMENT = 1 }; /* of a block of a pcapng file */

/* Whether a file begins as a pcap or pcapng file does. */
bool recording_is(const char *path);

/* A schema that was recorded with the packets. */
typedef struct recorded_schema {
    const char *text;
    size_t size;
    struct recorded_schema *next;
} recorded_schema;

/* The schemas in the first block of a file, NULL if it has none. */
recorded_schema *recording_schemas(arena *a, const char *path);

typedef struct recording recording;

/* NULL after an error. */
recording *recording_open(arena *a, diag *d, const char *path);

typedef struct recorded {
    uint64_t index;  /* of the packet in the file, from 1, as Wireshark numbers them */
    int64_t seconds; /* since 1970 */
    uint32_t nanoseconds;
    datagram datagram; /* valid until the next one is read */
} recorded;

/* The next UDP datagram that one of the ports belongs to, or any with port 0. False at the end. */
bool recording_next(recording *r, uint16_t port, recorded *next);

/* What precedes the IP header of its packets. */
link_type recording_link(const recording *r);

/* Which share of the file has been read, from 0 to 1. */
double recording_progress(const recording *r);

/* Reports what was left out, and that the file ends in the middle of a packet. */
void recording_close(recording *r);

/* Shows which share of a long recording has been read, from 0 to 1, where somebody is looking. *shown is -1 at
 * first. */
void recording_show(int *shown, double share);
void recording_shown(const int *shown);

/* Calls visit for each UDP datagram of a file, and shows which share was read. False after an error. port: as above. */
typedef void recorded_visitor(void *user, const recorded *r);
bool recording_each(arena *a, diag *d, const char *path, uint16_t port, recorded_visitor *visit, void *user);

#endif
