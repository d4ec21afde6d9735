/* pkt_network.h - a bad network for tests: it loses, delays, reorders, doubles and damages datagrams.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKT_NETWORK_H
#define PKT_NETWORK_H

#include "pkt_platform.h"

PKT_C_BEGIN

/* ---- A bad network for tests -------------------------------------------------------------------------- */

enum { PKT_PARCEL_BYTES = 1472 }; /* the most that one datagram of UDP carries through an Ethernet */

/* A datagram on its way. */
typedef struct pkt_parcel {
    uint64_t due;   /* when it arrives */
    uint32_t way;   /* whatever the program means by it: from whom, and to whom */
    uint32_t later; /* internal: the next one to arrive */
    size_t size;
    bool damaged; /* whoever takes it must refuse it */
    uint8_t data[PKT_PARCEL_BYTES];
} pkt_parcel;

/* All that happens follows from the seed and the calls, on every machine. So a match of servers and clients in one thread, on
 * such a network, is the same each time. Times are in a unit of the program, such as microseconds, up to 2^64 - 1. */
typedef struct pkt_network {
    /* The program may set these at any time. */
    double loss;              /* the share of datagrams that are lost, 0 to 1 */
    double burst;             /* the same, if the one before on this way was lost: at least `loss` */
    double doubling, damage;  /* the shares that arrive twice; with a changed bit, or cut */
    uint64_t latency, jitter; /* each needs latency, and up to jitter more: later ones may overtake it */

    uint64_t sent, lost, doubled, damaged; /* counts. lost: also for lack of room */
    /* Internal. */
    uint64_t random;
    uint64_t losing;     /* the bit way % 64: the last one on this way was lost */
    pkt_parcel *parcels; /* memory of the program */
    uint32_t next, taken,
        spare; /* the parcel that arrives next, the one that was taken last, and the first unused one */
} pkt_network;

/* A network that loses nothing. It has at most `count` of the parcels on the way, 1 to 2^32 - 1. */
PKT_API void pkt_network_init(pkt_network *n, uint64_t seed, pkt_parcel *parcels, uint32_t count);
/* Sends a datagram of at most PKT_PARCEL_BYTES; a larger one is lost. */
PKT_API void pkt_network_send(pkt_network *n, uint64_t now, uint32_t way, const void *data, size_t size);
/* The next datagram that has arrived, the earliest first; NULL if there is none. It is valid until the next take. */
PKT_API const pkt_parcel *pkt_network_take(pkt_network *n, uint64_t now);

PKT_C_END

#endif
