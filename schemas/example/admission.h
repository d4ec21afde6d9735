/* admission.h - who may join: the server's side of handshake.pkt.
 * SPDX-License-Identifier: MIT
 *
 * Nothing is kept about a client before it has shown that it receives what is sent to its address. So nobody can fill
 * the server with clients that do not exist.
 */
#ifndef ADMISSION_H
#define ADMISSION_H

#include "handshake.h"
#include "udp.h"

typedef struct admission {
    uint64_t secret;  /* a random number that never leaves the server */
    uint64_t game_id; /* of the clients that may join */
    uint32_t release; /* which release of the protocol that is */
} admission;

typedef enum admission_verdict {
    ADMISSION_NOTHING, /* no answer */
    ADMISSION_ANSWER,  /* send *answer */
    ADMISSION_JOINS,   /* the client joins: its session is client_salt ^ server_salt */
} admission_verdict;

/* Judges a datagram of the handshake. `full` says that there is no room for another client. */
admission_verdict admission_judge(const admission *a, const udp_address *from, const Handshake *m, bool full,
                                  Handshake *answer);

#endif
