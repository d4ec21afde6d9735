/* pkt_replay.h - reads the recordings that pkt_capture and `pktc convert` write.
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
 * allocated, and the stack does not grow with the file. Files of tcpdump, and what they have of other links, are not read:
 * `pktc decode` reads those.
 */
#ifndef PKT_REPLAY_H
#define PKT_REPLAY_H

#include "pkt_capture.h"

PKT_C_BEGIN

enum {
    PKT_REPLAY_ROOM = PKT_CAPTURE_MOST + 64, /* bytes of the largest packet with its headers */
    PKT_REPLAY_INTERFACES = 16 /* of a file that other programs have put together; those after them are skipped */
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
    uint64_t skipped; /* packets that were no datagrams of pkt_capture, or larger than the room */
    bool big;         /* the numbers of the file are big-endian */
    bool begun;       /* after the first block */
    bool damaged;
    uint32_t interfaces;
    struct {
        bool known;         /* it has packets as pkt_capture writes them */
        uint8_t resolution; /* the unit of time is 10^-resolution s, from 0 to 9 */
    } each[PKT_REPLAY_INTERFACES];
} pkt_replay;

/* Begins at the start of a recording. room: of PKT_REPLAY_ROOM bytes, or of fewer if larger packets are to be skipped. It
 * and `user` must live as long as the replay. */
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

/* Whether two endpoints are the same. */
PKT_API bool pkt_endpoint_is(const pkt_endpoint *a, const pkt_endpoint *b);

PKT_C_END

#endif
