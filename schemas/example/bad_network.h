/* bad_network.h - a network that drops, cuts, damages and invents datagrams, and knows what a server has to say to each.
 * SPDX-License-Identifier: MIT
 *
 * No part of a game: it is there so that the example meets what the internet will bring.
 */
#ifndef BAD_NETWORK_H
#define BAD_NETWORK_H

#include "pkt.h"
#include "udp.h"

typedef struct bad_network {
    uint64_t dropped;
    uint64_t injected[PKT_ERROR_VALUE + 1]; /* by the reason for which they must be refused */
} bad_network;

/* Sends a packet. True when it goes out as it is; there may be another, invented one with it. */
bool bad_network_send(bad_network *b, udp_socket s, const udp_address *to, const uint8_t *data, size_t size);

#endif
