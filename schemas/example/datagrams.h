/* datagrams.h - the two kinds of datagrams of the arena, and the seeds of their checksums.
 * SPDX-License-Identifier: MIT
 *
 * The seed is part of the checksum and is not sent. A datagram of another session is refused, and so is a snapshot that
 * is a delta to anything but the very baseline that the client has.
 */
#ifndef DATAGRAMS_H
#define DATAGRAMS_H

#include "arena.h"

enum { MTU = 1200 }; /* bytes of a datagram that no network on the way splits */

static const pkt_frame to_client = arena_PROTOCOL_FRAME("ToClient");
static const pkt_frame to_server = arena_PROTOCOL_FRAME("ToServer");

/* The number of a session, of the salts that client and server have chosen for it. */
static inline uint64_t session_of(uint64_t client_salt, uint64_t server_salt)
{
    return client_salt ^ server_salt;
}

/* The hash is that of the baseline, or 0 without a baseline. */
static inline uint64_t to_client_seed(uint64_t session, uint64_t baseline_hash)
{
    return session ^ baseline_hash;
}

static inline uint64_t to_server_seed(uint64_t session)
{
    return session;
}

#endif
