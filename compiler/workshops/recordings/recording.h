/* recording.h - reads recordings of packets, as pkt_capture of the runtime, tcpdump and Wireshark write them.
 * SPDX-License-Identifier: MIT
 *
 * A path may be that of a pipe, or "-", standard input; a file may be compressed (byte_source.h).
 */
#ifndef PKTC_RECORDING_H
#define PKTC_RECORDING_H

#include "base/arena.h"
#include "base/diag.h"
#include "recordings/byte_source.h"
#include "recordings/network.h"
#include "recordings/progress.h"
#include "recordings/sessions.h"

/* Whether a file begins like a pcap or pcapng file. */
bool recording_is(const char *path);

/* Whether a file has its first blocks whole, so that its schemas can be read. True also if it is no recording, or a
 * pipe. */
bool recording_begun(const char *path);

/* Why nobody can tell whether it does: it cannot be opened or decompressed. NULL: it begins like something else. */
const char *recording_failure(arena *a, const char *path);

/* A schema that was recorded with the packets. */
typedef struct recorded_schema {
    const char *text;
    size_t size;
    struct recorded_schema *next;
} recorded_schema;

/* The schemas in a file, each once; of a pipe, those before its first packet. NULL if it has none. Warns if there are too
 * many. */
recorded_schema *recording_schemas(arena *a, diag *d, const char *path);

typedef struct recording recording;

/* NULL after an error. */
recording *recording_open(arena *a, diag *d, const char *path);

/* The same for a file that is still being written. It shows no progress. NULL also, without an error, if no more bytes
 * were wanted before the file had begun. */
recording *recording_follow(arena *a, diag *d, const char *path, byte_source_waiter *wait, void *user);

/* Whether the file ended because it was cut or replaced: what follows is in a new file of its path. */
bool recording_replaced(const recording *r);

/* For a command that prints to the terminal while it reads. */
void recording_hide_progress(recording *r);

typedef struct recorded {
    uint64_t section; /* of the file that the packet is in */
    link_type link;   /* the header before its IP header */
    uint64_t index;   /* of the packet in the file, from 1, as Wireshark numbers them */
    int64_t seconds;  /* since 1970 */
    uint32_t nanoseconds;
    datagram datagram;  /* valid until the next one is read */
    bool session_began; /* since the last datagram of its two ends, a session of theirs was recorded */
} recorded;

/* The next UDP datagram from or to a port; port 0 means any. False at the end. */
bool recording_next(recording *r, uint16_t port, recorded *next);

/* The message about a file that ends in the middle of a packet, which recording_next has reported; or NULL. */
const char *recording_damage(const recording *r);

/* Reports packets that were left out, and a file that ends in the middle of a packet. */
void recording_close(recording *r);

/* Calls visit for each UDP datagram of a file. False after an error. port: as above. *damage: the message about a file
 * that ends in the middle of a packet, which was also reported; or NULL. `damage` may be NULL. */
typedef void recorded_visitor(void *user, const recorded *r);
bool recording_each(arena *a, diag *d, const char *path, uint16_t port, recorded_visitor *visit, void *user,
                    const char **damage);

#endif
