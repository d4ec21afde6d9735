/* peers.h - counts datagrams by their sender and receiver, in bounded memory, so that counts add up.
 * SPDX-License-Identifier: MIT
 *
 * Of more than PEERS_MOST pairs, those are counted one by one whose names have the least hashes; the others are counted
 * as one. A pair that is among these in the end was so from its first datagram on, so its count is exact, and the counts
 * of parts add up in any order.
 */
#ifndef PKTC_PEERS_H
#define PKTC_PEERS_H

#include "base/arena.h"

#include <stdint.h>

enum {
    PEERS_MOST = 1024,
    PEER_NAME = 112 /* more than the bytes of "[ADDRESS]:PORT to [ADDRESS]:PORT" */
};

typedef struct peer_tally {
    char name[PEER_NAME]; /* "192.0.2.1:40000 to 192.0.2.9:50000" */
    uint64_t hash;
    unsigned serial;
    uint64_t count, bytes;
} peer_tally;

typedef struct peer_list {
    peer_tally *pairs; /* in no order; in that of their bytes after peers_settle */
    uint16_t *places;  /* a hash table: the number of a pair plus 1; 0: free */
    unsigned count;
    unsigned serials;
    uint64_t reach;        /* the greatest hash of a pair that is counted by itself, if there are others */
    uint64_t others;       /* datagrams of the others */
    uint64_t others_bytes; /* and their bytes */
} peer_list;

/* Adds datagrams of a pair. The name is shorter than PEER_NAME. Returns which pair this is, from 0; PEERS_MOST: one
 * after the first ones. */
unsigned peers_add(arena *a, peer_list *list, const char *name, uint64_t count, uint64_t bytes);

/* Adds datagrams of pairs that are not counted one by one. The list has PEERS_MOST that are, and they came before. */
void peers_add_others(peer_list *list, uint64_t count, uint64_t bytes);

/* Adds all of another list. */
void peers_merge(arena *a, peer_list *list, const peer_list *from);

/* Leaves at most PEERS_MOST pairs, the one with the most bytes first. Afterwards nothing more can be added. */
void peers_settle(peer_list *list);

#endif
