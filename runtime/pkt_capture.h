/* pkt_capture.h - records packets in a file that Wireshark, tcpdump and `pktc decode` open.
 * SPDX-License-Identifier: MIT
 *
 * `pktc --capture` writes the text of a schema as C, in NAME_capture.h and NAME_capture.c. With it a game records what
 * it sends and receives, and years later the file still says what its bytes mean:
 *
 *     FILE *file = fopen("match.pcapng", "wb");
 *     pkt_capture capture;
 *     const char *const *schema = mygame_PROTOCOL_SCHEMA;
 *     pkt_capture_begin(&capture, pkt_capture_to_file, file, &server, &schema, 1);
 *     pkt_capture_session(&capture, now, &client, session, mygame_PROTOCOL_ID);
 *     pkt_capture_packet(&capture, now, PKT_SENT, &client, data, size);
 *
 * The file is pcapng: blocks, one for each packet. A packet is recorded as if it had been seen on a Linux machine:
 * a "cooked" link header, which says whether it was sent or received, then IP and UDP headers with their checksums,
 * then the bytes themselves. Each packet is one call of the write function. So a file that ends anywhere, because the
 * program was killed or the disk is full, is readable up to its last whole block.
 *
 * Nothing is allocated. A call takes 2 KB of the stack, or 64 KB for a packet of more than PKT_CAPTURE_SMALL bytes.
 */
#ifndef PKT_CAPTURE_H
#define PKT_CAPTURE_H

#include "pkt_platform.h"

PKT_C_BEGIN

enum {
    PKT_CAPTURE_SMALL = 1900, /* bytes in a packet: few datagrams have more */
    PKT_CAPTURE_MOST = 65507  /* bytes in a packet: the most that UDP has over IPv4 */
};

/* An address and a port. */
typedef struct pkt_endpoint {
    uint8_t address[16]; /* in network order; IPv4 uses the first 4 bytes */
    uint8_t size;        /* 4: IPv4; 16: IPv6 */
    uint16_t port;
} pkt_endpoint;

/* `address` has 4 or 16 bytes in network order, as in sin_addr and sin6_addr; the port is a plain number:
 * ntohs(sin_port). The address may be all zeros if it is not known. */
PKT_API pkt_endpoint pkt_endpoint_of(const void *address, size_t size, uint16_t port);

typedef enum pkt_direction { PKT_RECEIVED = 1, PKT_SENT = 2 } pkt_direction;

/* Writes all bytes to the destination `user`, or as many as it can. Returns false if some are missing; then all later
 * calls must fail too, because blocks after half a block cannot be read. */
typedef bool pkt_capture_write(void *user, const void *data, size_t size);

/* A recording. It does not change after pkt_capture_begin. If a program has several sockets, a copy of it with another
 * `local` adds to the same file. */
typedef struct pkt_capture {
    pkt_capture_write *write;
    void *user;
    pkt_endpoint local; /* this program's socket */
} pkt_capture;

/* The write function for a FILE that was opened with "wb". It passes each block on to the system at once, so a crash
 * loses none. */
PKT_API bool pkt_capture_to_file(void *file, const void *data, size_t size);

/* Begins a recording. schemas: the constants NAME_PROTOCOL_SCHEMA (NAME_capture.h) of the packets' protocols; they are
 * stored in the file. False if it could not be written.
 *
 * `local` is copied, and the schemas are only used during the call. `user` must live until the recording ends. */
PKT_API bool pkt_capture_begin(pkt_capture *c, pkt_capture_write *write, void *user, const pkt_endpoint *local,
                               const char *const *const *schemas, size_t schema_count);

/* Records a packet of `size` bytes. The time is in nanoseconds since 1970, UTC. If only one of the two addresses is
 * IPv6, the other is recorded as zeros. False if it could not be written, or if it has more than PKT_CAPTURE_MOST
 * bytes: then nothing is written. Takes 64 KB of the stack for more than PKT_CAPTURE_SMALL bytes.
 *
 * Several threads may call it at once if the write function allows that. With pkt_capture_to_file it does wherever a
 * call of fwrite locks the FILE, as in the C libraries of Linux, Apple, BSD and Windows. */
PKT_API bool pkt_capture_packet(const pkt_capture *c, uint64_t nanoseconds, pkt_direction direction,
                                const pkt_endpoint *peer, const void *data, size_t size);

/* Records the seed of the session with a peer: what T_pack and T_unpack of packets with @seed or parts, and frames, get.
 * protocol_id: NAME_PROTOCOL_ID of the release that the peer speaks; 0 if it is not known. Call it when both sides have
 * agreed on the seed, and in each new file for every session that goes on. The datagrams that follow, in both
 * directions, then have to be of this session; the last four sessions with a peer count. Without it, nothing can tell a
 * damaged datagram of a session from a good one, or the release of one from that of another.
 *
 * It is a packet of the file, which Wireshark shows and tcpdump prints as one of IP protocol 253. Whoever has the file
 * can make datagrams of a session that still goes on.
 *
 * The time is as above. False if it could not be written. */
PKT_API bool pkt_capture_session(const pkt_capture *c, uint64_t nanoseconds, const pkt_endpoint *peer, uint64_t seed,
                                 uint64_t protocol_id);

PKT_C_END

#endif
