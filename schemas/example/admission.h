/* admission.h - who may join: the server's side of the handshake.
 * SPDX-License-Identifier: MIT
 *
 * Nothing is kept about a client before it has shown that it receives what is sent to its address. So nobody can fill
 * the server with clients that do not exist.
 */
#ifndef ADMISSION_H
#define ADMISSION_H

#include "arena_upgrade.h"
#include "udp.h"

enum { OLDER_RELEASES = 2 }; /* that the server serves: the 2 of --serve */

/* The release of a client with this id; 0 if the server does not serve it. */
uint32_t admission_release(uint64_t game_id);

/* Writes the answer to a greeting, and returns its bytes. `full` says that there is no room for another client. */
size_t admission_answer(const pkt_door *d, const udp_address *from, const Hello *hello, bool full,
                        uint8_t answer[Hello_MAX_BYTES]);

/* If there is room for another client. True if the response answers a challenge of this server, once: an attacker may send it again.
 * The client's session is client_salt ^ server_salt. */
bool admission_admits(pkt_door *d, const udp_address *from, const Response *response);

#endif
