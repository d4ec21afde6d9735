/* network.h - finds the UDP datagram, or the session, in a packet captured on a network.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_NETWORK_H
#define PKTC_NETWORK_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROTOCOL_UDP = 17, UDP_HEADER = 8 };

/* See sessions.h. */
#define SESSION_MARK "pkt seed"
enum { PROTOCOL_SESSION = 253, SESSION_BYTES = 28 };

typedef struct endpoint {
    uint8_t address[16]; /* in network order */
    uint8_t size;        /* 4: IPv4; 16: IPv6 */
    uint16_t port;
} endpoint;

/* "192.0.2.1:40000", "[2001:db8:0:0:0:0:0:1]:40000". */
const char *endpoint_text(arena *a, const endpoint *e);

typedef enum direction { DIRECTION_UNKNOWN, DIRECTION_RECEIVED, DIRECTION_SENT } direction;

typedef struct datagram {
    direction direction;
    endpoint from, to;
    const uint8_t *data; /* its captured bytes */
    size_t captured;
    size_t size;                         /* what it had */
    bool fragment;                       /* the first of several: the others have the rest */
    const uint8_t *packet;               /* with all its headers; that of UDP is right before `data` */
    size_t ip;                           /* where the header of IP is in it */
    const struct end_sessions *sessions; /* of its two ends; NULL: none is recorded */
} datagram;

typedef enum network_result {
    NETWORK_DATAGRAM,
    NETWORK_SESSION,  /* `data` has SESSION_BYTES of a session, whose ends `from` and `to` are */
    NETWORK_FRAGMENT, /* a later part of a datagram, without ports */
    NETWORK_OTHER     /* not UDP, or not whole up to its ports */
} network_result;

/* The header before the IP header, by its number in files. */
typedef enum link_type {
    LINK_NULL = 0,      /* loopback of BSD and macOS */
    LINK_ETHERNET = 1,  /* with any number of VLAN tags */
    LINK_OLD_RAW = 12,  /* nothing */
    LINK_RAW = 101,     /* nothing */
    LINK_LOOP = 108,    /* loopback of OpenBSD */
    LINK_COOKED = 113,  /* Linux, on all interfaces: SLL */
    LINK_IPV4 = 228,    /* nothing */
    LINK_IPV6 = 229,    /* nothing */
    LINK_COOKED2 = 276, /* SLL2 */
} link_type;

bool network_reads(int link);

/* *found points into the packet's bytes. link: one that network_reads. */
network_result network_find(int link, const uint8_t *packet, size_t captured, datagram *found);

bool same_endpoint(const endpoint *a, const endpoint *b);

/* A hash of a sender and its receiver. */
uint64_t endpoints_hash(const endpoint *from, const endpoint *to);

#endif
