/* pkt_network.c - a bad network for tests: it loses, delays, reorders, doubles and damages datagrams.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_network.h"

#include <string.h>

static const uint32_t PKT_NO_PARCEL = UINT32_MAX;

/* SplitMix64. */
static uint64_t pkt_network_random(pkt_network *n)
{
    uint64_t x = n->random += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static bool pkt_happens(pkt_network *n, double share)
{
    return (double)(pkt_network_random(n) >> 11) < share * 9007199254740992.0; /* 2^53 */
}

void pkt_network_init(pkt_network *n, uint64_t seed, pkt_parcel *parcels, uint32_t count)
{
    memset(n, 0, sizeof *n);
    n->random = seed;
    n->parcels = parcels;
    n->next = n->taken = PKT_NO_PARCEL;
    for (uint32_t i = 0; i < count; i++)
        parcels[i].later = i + 1 < count ? i + 1 : PKT_NO_PARCEL;
}

static void pkt_damage(pkt_network *n, pkt_parcel *p)
{
    const uint64_t random = pkt_network_random(n);
    const size_t at = (size_t)(random >> 5) % p->size;
    p->damaged = true;
    n->damaged++;
    if (random % 4 == 0)
        p->size = at;
    else
        p->data[at] ^= (uint8_t)(1 << (random >> 2 & 7));
}

/* Of two that arrive at one time, the one that was sent first comes first. */
static void pkt_network_add(pkt_network *n, uint32_t added)
{
    uint32_t *at = &n->next;
    while (*at != PKT_NO_PARCEL && n->parcels[*at].due <= n->parcels[added].due)
        at = &n->parcels[*at].later;
    n->parcels[added].later = *at;
    *at = added;
}

static bool pkt_network_loses(pkt_network *n, uint32_t way)
{
    const uint64_t bit = UINT64_C(1) << way % 64;
    const bool loses = pkt_happens(n, (n->losing & bit) != 0 && n->burst > n->loss ? n->burst : n->loss);
    n->losing = loses ? n->losing | bit : n->losing & ~bit;
    return loses;
}

/* Whatever the latency, a parcel does not arrive earlier than it was sent. */
static uint64_t pkt_due_after(uint64_t time, uint64_t by)
{
    return by < UINT64_MAX - time ? time + by : UINT64_MAX;
}

void pkt_network_send(pkt_network *n, uint64_t now, uint32_t way, const void *data, size_t size)
{
    const bool loses = pkt_network_loses(n, way), twice = !loses && pkt_happens(n, n->doubling);
    n->sent++;
    n->lost += loses;
    n->doubled += twice;
    for (int copies = loses ? 0 : 1 + twice; copies > 0; copies--) {
        uint64_t late = n->jitter > 0 ? pkt_network_random(n) : 0;
        if (n->jitter < UINT64_MAX)
            late %= n->jitter + 1;
        const uint32_t at = n->spare;
        if (at == PKT_NO_PARCEL || size > PKT_PARCEL_BYTES) {
            n->lost++;
            continue;
        }
        pkt_parcel *p = &n->parcels[at];
        n->spare = p->later;
        p->due = pkt_due_after(pkt_due_after(now, n->latency), late);
        p->way = way;
        p->size = size;
        p->damaged = false;
        if (size > 0)
            memcpy(p->data, data, size);
        if (size > 0 && pkt_happens(n, n->damage))
            pkt_damage(n, p);
        pkt_network_add(n, at);
    }
}

const pkt_parcel *pkt_network_take(pkt_network *n, uint64_t now)
{
    if (n->taken != PKT_NO_PARCEL) {
        n->parcels[n->taken].later = n->spare;
        n->spare = n->taken;
    }
    n->taken = n->next;
    if (n->taken == PKT_NO_PARCEL || n->parcels[n->taken].due > now) {
        n->taken = PKT_NO_PARCEL;
        return NULL;
    }
    n->next = n->parcels[n->taken].later;
    return &n->parcels[n->taken];
}
