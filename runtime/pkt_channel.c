/* pkt_channel.c - values that are sent again until they have arrived: events, and the commands of players.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_channel.h"

#include <string.h>

void pkt_channel_init(pkt_channel *c, void *values, size_t size, uint16_t room, bool forgets, uint16_t number)
{
    c->values = values;
    c->size = size;
    c->room = room;
    c->forgets = forgets;
    c->first = c->next = c->expected = number;
    c->kept = 0;
    c->lost = 0;
}

static uint16_t pkt_channel_waiting(const pkt_channel *c)
{
    return (uint16_t)(c->next - c->first);
}

bool pkt_channel_push(pkt_channel *c, const void *value)
{
    if (pkt_channel_waiting(c) >= c->room) {
        if (!c->forgets)
            return false;
        c->first++;
    }
    memcpy((char *)c->values + c->next % c->room * c->size, value, c->size);
    c->next++;
    c->kept = (uint16_t)(c->kept + (c->kept < c->room));
    return true;
}

unsigned pkt_channel_send(const pkt_channel *c, uint16_t *expected, uint16_t *first, void *values, unsigned most)
{
    const unsigned waiting = pkt_channel_waiting(c), count = waiting < most ? waiting : most;
    *expected = c->expected;
    *first = c->forgets ? (uint16_t)(c->next - count) : c->first;
    for (unsigned i = 0; i < count; i++)
        memcpy((char *)values + i * c->size, (const char *)c->values + (*first + i) % c->room * c->size, c->size);
    return count;
}

const void *pkt_channel_after(const pkt_channel *c, uint16_t *number)
{
    const uint16_t after = (uint16_t)(c->next - 1 - *number);
    if (after == 0 || after >= 0x8000 || c->kept == 0)
        return NULL;
    *number = (uint16_t)(after > c->kept ? c->next - c->kept : *number + 1);
    return (const char *)c->values + *number % c->room * c->size;
}

unsigned pkt_channel_receive(pkt_channel *c, uint16_t expected, uint16_t first, unsigned count)
{
    const uint16_t ahead = (uint16_t)(first - c->expected), known = (uint16_t)(c->expected - first);
    /* An older datagram says less, and none may say more than was sent. */
    if ((uint16_t)(expected - c->first) <= pkt_channel_waiting(c))
        c->first = expected;
    if (c->forgets && count > 0 && ahead > 0 && ahead < 0x8000) {
        c->lost += ahead;
        c->expected = (uint16_t)(first + count);
        return count;
    }
    /* All of them, some of them or none may have come before. */
    const unsigned fresh = known < count ? count - known : 0;
    c->expected = (uint16_t)(c->expected + fresh);
    return fresh;
}
