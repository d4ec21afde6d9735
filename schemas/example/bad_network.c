/* bad_network.c - keeps datagrams until they are due, and does to them what networks do.
 * SPDX-License-Identifier: MIT
 */
#include "bad_network.h"

#include <string.h>

void bad_network_init(bad_network *b, uint64_t seed)
{
    memset(b, 0, sizeof *b);
    b->random.state = seed;
    b->loss = 0.05;
    b->duplicates = 0.02;
    b->damage = 0.01;
    b->latency = 0.03;
    b->jitter = 0.03;
}

static bool happens(bad_network *b, double share)
{
    return rng_below(&b->random, 1000000) < share * 1000000;
}

static void damage(bad_network *b, parcel *p)
{
    p->damaged = true;
    b->damaged++;
    if (rng_below(&b->random, 4) == 0)
        p->size = rng_below(&b->random, (uint32_t)p->size);
    else
        p->data[rng_below(&b->random, (uint32_t)p->size)] ^= (uint8_t)(1 << rng_below(&b->random, 8));
}

void bad_network_send(bad_network *b, double now, int to, const uint8_t *data, size_t size)
{
    b->sent++;
    int copies = 1 + happens(b, b->duplicates);
    b->duplicated += copies == 2;
    for (int i = 0; i < copies; i++) {
        if (happens(b, b->loss) || b->count == PARCELS || size > PARCEL_BYTES) {
            b->lost++;
            continue;
        }
        parcel *p = &b->parcels[b->count++];
        p->due = now + b->latency + b->jitter * rng_below(&b->random, 1000) / 1000;
        p->to = to;
        p->damaged = false;
        p->size = size;
        memcpy(p->data, data, size);
        if (size > 0 && happens(b, b->damage))
            damage(b, p);
    }
}

bool bad_network_take(bad_network *b, double now, parcel *arrived)
{
    for (size_t i = 0; i < b->count; i++) {
        if (b->parcels[i].due <= now) {
            *arrived = b->parcels[i];
            b->parcels[i] = b->parcels[--b->count];
            return true;
        }
    }
    return false;
}
