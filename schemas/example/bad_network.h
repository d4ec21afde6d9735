/* bad_network.h - a network that drops, truncates, damages and forges datagrams, and knows how a server must react.
 * SPDX-License-Identifier: MIT
 *
 * Not part of a game: it makes the example meet what a server on the internet meets.
 */
#ifndef BAD_NETWORK_H
#define BAD_NETWORK_H

#include "pkt.h"
#include "udp.h"

typedef struct bad_network {
    uint64_t dropped;
    uint64_t injected[PKT_ERROR_VALUE + 1]; /* by the reason for which they must be refused */
} bad_network;

/* Sends a packet. Returns true if it is sent unchanged. May also send a forged one. */
bool bad_network_send(bad_network *b, udp_socket s, const udp_address *to, const uint8_t *data, size_t size);

#endif
