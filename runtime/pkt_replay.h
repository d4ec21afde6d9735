/* pkt_replay.h - reads recordings: those that pkt_capture and `pktc convert` write, and the packets of other files.
 * SPDX-License-Identifier: MIT
 *
 *     FILE *file = fopen("match.pcapng", "rb");
 *     static uint8_t room[PKT_REPLAY_ROOM];
 *     pkt_replay replay;
 *     pkt_recorded seen;
 *     pkt_replay_begin(&replay, pkt_replay_from_file, file, room, sizeof room);
 *     for (pkt_recorded_kind kind; (kind = pkt_replay_read(&replay, &seen)) > PKT_RECORDED_DAMAGE;)
 *         if (kind == PKT_RECORDED_PACKET) ...
 *
 * The bytes of a file are not trusted: whatever they are, nothing is read or written outside of the arrays. Nothing is
 * allocated, and the stack does not grow with the file. pkt_replay_read skips packets with other headers than those of
 * pkt_capture, as files of tcpdump have; pkt_replay_next has them too, for programs that know their headers.
 */
#ifndef PKT_REPLAY_H
#define PKT_REPLAY_H

#include "pkt_capture.h"

PKT_C_BEGIN

enum {
    PKT_REPLAY_INTERFACE_ROOM = 16,
    PKT_REPLAY_ROOM = /* bytes of the largest packet with its headers, and of 16 interfaces */
    PKT_CAPTURE_MOST + 64 + 16 * PKT_REPLAY_INTERFACE_ROOM
};

/* Reads the next `size` bytes of a source; fewer only at its end. Returns how many. */
typedef size_t pkt_replay_source(void *user, void *to, size_t size);

/* The source for a FILE that was opened with "rb". */
PKT_API size_t pkt_replay_from_file(void *file, void *to, size_t size);

/* The source for bytes, which change as they are read. */
typedef struct pkt_replay_bytes {
    const void *data;
    size_t size;
} pkt_replay_bytes;
PKT_API size_t pkt_replay_from_bytes(void *bytes, void *to, size_t size);

typedef struct pkt_replay {
    pkt_replay_source *source;
    void *user;
    uint8_t *room;
    size_t room_size;
    uint64_t skipped; /* by pkt_replay_read: packets that were no datagrams of pkt_capture, or larger than the room */
    bool begun;       /* after the first header */
    bool damaged;     /* nothing more can be read */
    bool cut;         /* because the source ends within a packet or block */
    bool pcap;        /* a file of the older format: one header, then packets */
    bool big;         /* the numbers of the file are big-endian */
    bool nano;        /* the times of the older format have nanoseconds */
    uint32_t sections;
    uint32_t interfaces;  /* of the section. They are at the end of the room */
    uint32_t block, left; /* the bytes of the block that is being read, and those that are left of it */
    uint32_t options;     /* the type of the block whose options are being read, or 0 */
    bool first;           /* none of them has been a comment */
} pkt_replay;

/* Begins at the start of a recording. room: of PKT_REPLAY_ROOM bytes, or of fewer if larger packets are to be skipped. Each
 * interface of the file takes PKT_REPLAY_INTERFACE_ROOM of it; for a file that other programs have put together, give room
 * for more. It and `user` must live as long as the replay. */
PKT_API void pkt_replay_begin(pkt_replay *r, pkt_replay_source *source, void *user, void *room, size_t room_size);

typedef enum pkt_recorded_kind {
    PKT_RECORDED_END,
    PKT_RECORDED_DAMAGE, /* the source is no recording, or ends in the middle of a block; nothing comes after it */
    PKT_RECORDED_PACKET, /* has data */
    PKT_RECORDED_SESSION /* has a seed and a protocol id, which are those of the packets from and to its peer that follow */
} pkt_recorded_kind;

typedef struct pkt_recorded {
    uint64_t nanoseconds;    /* since 1970, UTC */
    pkt_direction direction; /* of a packet */
    pkt_endpoint local;      /* the program that has recorded, or of another file the sender */
    pkt_endpoint peer;
    const void *data; /* in the room, until the next call */
    size_t size;
    uint64_t seed;
    uint64_t protocol_id; /* 0: not known */
} pkt_recorded;

/* Reads on to the next packet or session. *to is zeros but for what its kind has. */
PKT_API pkt_recorded_kind pkt_replay_read(pkt_replay *r, pkt_recorded *to);

/* What a file consists of. */
typedef enum pkt_piece_kind {
    PKT_PIECE_END,
    PKT_PIECE_DAMAGE, /* as PKT_RECORDED_DAMAGE */
    PKT_PIECE_PACKET,
    PKT_PIECE_COMMENT /* on a section or interface, such as a schema */
} pkt_piece_kind;

typedef struct pkt_piece {
    const uint8_t *data; /* in the room, until the next call: a packet with all its headers, or a text */
    size_t size;         /* as much of it as is in the file and fits into the room */
    size_t whole;        /* bytes of the packet on the network */
    uint64_t nanoseconds;
    unsigned link;  /* the number of the header in front of IP, as files have it: 1 is Ethernet, 113 is Linux cooked */
    unsigned flags; /* 1: received, 2: sent */
    bool first;     /* no comment of the same section or interface came before */
} pkt_piece;

/* Reads on to the next packet or comment, with whatever headers, of pcapng and of pcap. *to is zeros but for what its kind
 * has. */
PKT_API pkt_piece_kind pkt_replay_next(pkt_replay *r, pkt_piece *to);

/* Whether two endpoints are the same. */
PKT_API bool pkt_endpoint_is(const pkt_endpoint *a, const pkt_endpoint *b);

PKT_C_END

#endif
