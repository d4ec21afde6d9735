/* peers.c - a table of pairs, from which those with great hashes are dropped when it is full.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/peers.h"
#include "recordings/packed.h"

#include <stdlib.h>
#include <string.h>

enum { PEER_ROOM = 2 * PEERS_MOST, PEER_PLACES = 2 * PEER_ROOM };

/* The same on every machine: FNV-1a, and a last step for names that differ at the end only. */
static uint64_t name_hash(const char *name)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001B3);
    return (hash ^ hash >> 31) * UINT64_C(0x94D049BB133111EB);
}

/* The place of a pair in the table, which may be free. */
static uint16_t *pair_place(const peer_list *list, uint64_t hash, const char *name)
{
    unsigned i = (unsigned)(hash % PEER_PLACES);
    for (; list->places[i] != 0; i = (i + 1) % PEER_PLACES) {
        const peer_tally *p = &list->pairs[list->places[i] - 1];
        if (p->hash == hash && strcmp(p->name, name) == 0)
            break;
    }
    return &list->places[i];
}

static int by_pair_hash(const void *left, const void *right)
{
    const peer_tally *a = left, *b = right;
    return a->hash != b->hash ? (a->hash > b->hash) - (a->hash < b->hash) : strcmp(a->name, b->name);
}

static void drop_pairs(peer_list *list)
{
    if (list->count <= PEERS_MOST)
        return;
    qsort(list->pairs, list->count, sizeof *list->pairs, by_pair_hash);
    for (; list->count > PEERS_MOST; list->count--) {
        count_add(&list->others, list->pairs[list->count - 1].count);
        count_add(&list->others_bytes, list->pairs[list->count - 1].bytes);
    }
    list->reach = list->pairs[PEERS_MOST - 1].hash;
    memset(list->places, 0, PEER_PLACES * sizeof *list->places);
    for (unsigned i = 0; i < list->count; i++)
        *pair_place(list, list->pairs[i].hash, list->pairs[i].name) = (uint16_t)(i + 1);
}

unsigned peers_add(arena *a, peer_list *list, const char *name, uint64_t count, uint64_t bytes)
{
    const uint64_t hash = name_hash(name);
    if (!list->pairs) {
        list->pairs = ARENA_ARRAY(a, peer_tally, PEER_ROOM);
        list->places = ARENA_ARRAY(a, uint16_t, PEER_PLACES);
    }
    uint16_t *place = pair_place(list, hash, name);
    if (*place == 0 && list->others != 0 && hash > list->reach) {
        count_add(&list->others, count);
        count_add(&list->others_bytes, bytes);
        return PEERS_MOST;
    }
    if (*place == 0) {
        if (list->count == PEER_ROOM) {
            drop_pairs(list);
            place = pair_place(list, hash, name);
        }
        peer_tally *made = &list->pairs[list->count++];
        *made = (peer_tally){.hash = hash, .serial = list->serials};
        memcpy(made->name, name, strlen(name) + 1);
        list->serials += list->serials < PEERS_MOST;
        *place = (uint16_t)list->count;
    }
    peer_tally *p = &list->pairs[*place - 1];
    count_add(&p->count, count);
    count_add(&p->bytes, bytes);
    return p->serial;
}

static void add_other_pairs(peer_list *list, uint64_t reach, uint64_t count, uint64_t bytes)
{
    if (count == 0)
        return;
    list->reach = list->others == 0 || reach < list->reach ? reach : list->reach;
    count_add(&list->others, count);
    count_add(&list->others_bytes, bytes);
}

void peers_add_others(peer_list *list, uint64_t count, uint64_t bytes)
{
    uint64_t reach = 0;
    for (unsigned i = 0; i < list->count; i++)
        reach = list->pairs[i].hash > reach ? list->pairs[i].hash : reach;
    add_other_pairs(list, reach, count, bytes);
}

void peers_merge(arena *a, peer_list *list, const peer_list *from)
{
    for (unsigned i = 0; i < from->count; i++)
        peers_add(a, list, from->pairs[i].name, from->pairs[i].count, from->pairs[i].bytes);
    add_other_pairs(list, from->reach, from->others, from->others_bytes);
}

static int by_pair_bytes(const void *left, const void *right)
{
    const peer_tally *a = left, *b = right;
    return a->bytes != b->bytes ? (a->bytes < b->bytes) - (a->bytes > b->bytes) : strcmp(a->name, b->name);
}

void peers_settle(peer_list *list)
{
    drop_pairs(list);
    if (list->count > 1)
        qsort(list->pairs, list->count, sizeof *list->pairs, by_pair_bytes);
}
