/* bad_network.h - a network that loses, delays, reorders, duplicates and damages datagrams.
 * SPDX-License-Identifier: MIT
 *
 * Not part of a game: it makes the example meet what a game on the internet meets.
 */
#ifndef BAD_NETWORK_H
#define BAD_NETWORK_H

#include "rng.h"

#include <stdbool.h>
#include <stddef.h>

enum { PARCEL_BYTES = 1280, PARCELS = 4096 };

/* A datagram on its way. */
typedef struct parcel {
    double due;
    int to;       /* whatever the caller means by it */
    bool damaged; /* whoever takes it must refuse it */
    size_t size;
    uint8_t data[PARCEL_BYTES];
} parcel;

typedef struct bad_network {
    rng random;
    double loss, duplicates, damage; /* how many of a datagram's kind there are for each datagram */
    double latency, jitter;          /* seconds; what is sent later may arrive earlier */
    uint64_t sent, lost, duplicated, damaged;
    size_t count;
    parcel parcels[PARCELS];
} bad_network;

void bad_network_init(bad_network *b, uint64_t seed);

/* Sends a datagram. */
void bad_network_send(bad_network *b, double now, int to, const uint8_t *data, size_t size);

/* Stores a datagram that has arrived. Returns false if there is none. */
bool bad_network_take(bad_network *b, double now, parcel *arrived);

#endif
